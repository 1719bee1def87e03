"""Keeps a made-up review in an archive, in the form in which a review of play is kept."""

from __future__ import annotations

from typing import Any

from companion.session.analysis import AnalysisCache
from companion.session.state import SessionState


def decision(reply: int, loss: float, **rest: Any) -> dict[str, Any]:
    """A reviewed decision; reply 0 is the choice of the action."""
    figures = {"loss": [loss, 0.5], "win_loss": [loss / 10, 0.05], "grade": "blunder" if loss > 2 else "good"}
    return {"reply": reply, "rule": "4.1", "taken": "a", "best": "b", "by_person": True, **figures, **rest}


def keep_review(session: SessionState, level: str, decisions: dict[int, list[dict[str, Any]]]) -> None:
    """Keep a review of every entry in force, with these decisions by entry."""
    cache = AnalysisCache(session, "review", level)
    for entry in session.history.in_force:
        data = {"turn": 1, "cuts": [], "decisions": decisions.get(entry.number, []), "skipped": ""}
        cache.add(cache.pass_entry(entry), entry.number, data)
    cache.write()

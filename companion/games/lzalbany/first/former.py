"""What the opponent before proposes, by the names of its decisions."""

from __future__ import annotations

from typing import Any

from companion.core.advice import Advice
from companion.games.lzalbany.first import first_advice, still
from companion.games.lzalbany.referee import LzAlbany

STILL = "still"
_ONE_SIDED = ("hit", "unit_target", "weapon", "dustoff", "landing", "lift", "rally", "flare")
"""Decisions that it takes alike for both sides, or for the US alone."""
_NEVER = ("deploy",)
"""Decisions that the rules' own suggestion was good for."""


def propose_by(opponent: str, decision: str, game: LzAlbany, side: str, *about: Any) -> Advice[Any] | None:
    """The proposal of ``v1``, or of the one who stands still."""
    if decision in _NEVER:
        return None
    name = f"{decision}_advice"
    source: Any = still if opponent == STILL and hasattr(still, name) else first_advice
    sides = () if decision in _ONE_SIDED else (side,)
    found: Advice[Any] | None = getattr(source, name)(game, *sides, *about)
    return found

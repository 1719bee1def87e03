"""A report as plain data, whose keys stay as they are."""

from __future__ import annotations

from typing import Any

from companion.views.banner import sample_keys
from companion.views.data import position_data, score_data
from companion.views.log import log_data
from companion.views.report.chapters import Chapter, changed, paragraphs
from companion.views.report.moments import Rolled
from companion.views.report.telling import Report


def report_data(report: Report) -> dict[str, Any]:
    """The whole of it, with the log and the entries that were taken back."""
    head, history = report.head, report.history
    return {
        "session": head.session,
        "game": report.game.id,
        "head": {
            "title": head.title,
            "scenario": head.scenario,
            "edition": head.edition,
            "played": head.when._asdict() if head.when else None,
            "players": list(head.players),
            "differs": [one._asdict() for one in head.differs],
            "dice": head.dice,
            "stage": head.stage,
            "pending": head.pending,
            "undone": head.undone,
            "corrected": head.corrected,
        },
        "options": dict(report.options),
        "samples": sample_keys(history.in_force),
        "plans": list(report.plans),
        "chapters": [_chapter(report, chapter) for chapter in report.chapters],
        "moments": [{"entry": one.entry, "chapter": one.chapter + 1, "text": one.text} for one in report.moments],
        "rolls": [_roll(entry, roll) for entry, rolls in report.rolls.items() for roll in rolls],
        **log_data(history, undone=True),
        "position": position_data(history.position()),
        "over": head.over,
        "score": score_data(head.score) if head.score else None,
    }


def _chapter(report: Report, chapter: Chapter) -> dict[str, Any]:
    told = paragraphs(chapter, 0 if report.extent.full else report.form.most)
    changes = changed(report.game, report.form, chapter.before, chapter.after)
    return {
        "first": chapter.number,
        "last": chapter.last,
        "title": chapter.title,
        "scenes": [
            {"entry": scene.entry.number, "story": text, "notes": list(scene.notes), "count": scene.points}
            for scene, text in told
        ],
        "tracks": [{"track": track, "was": was, "now": now} for track, was, now in changes],
        "losses": _losses(chapter),
    }


def _roll(entry: int, roll: Rolled) -> dict[str, Any]:
    told = {"title": roll.title, "side": roll.side, "unit": roll.unit}
    return {"entry": entry, **told, "expected": roll.expected, "actual": roll.actual, "percentile": roll.percentile}


def _losses(chapter: Chapter) -> dict[str, int]:
    found: dict[str, int] = {}
    for scene in chapter.scenes:
        for clause in scene.clauses:
            for side, lost in clause.losses:
                found[side] = found.get(side, 0) + lost
    return found

"""A report as plain data, whose keys stay as they are."""

from __future__ import annotations

from typing import Any

from companion.views.banner import sample_keys
from companion.views.data import position_data, score_data
from companion.views.log import log_data
from companion.views.report.chapters import Chapter, paragraphs, track_changes
from companion.views.report.moments import RollOutcome
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
            "played": head.play_time._asdict() if head.play_time else None,
            "players": list(head.players),
            "differs": [one._asdict() for one in head.changed_options],
            "dice": head.dice,
            "stage": head.stage,
            "pending": head.pending,
            "undone": head.undone,
            "corrected": head.corrected,
        },
        "options": dict(report.options),
        "samples": sample_keys(history.in_force),
        "plans": list(report.plans),
        "chapters": [_chapter_data(report, chapter) for chapter in report.chapters],
        "moments": [{"entry": one.entry, "chapter": one.chapter + 1, "text": one.text} for one in report.moments],
        "rolls": [_roll_data(entry, roll) for entry, rolls in report.rolls.items() for roll in rolls],
        **log_data(history, undone=True),
        "position": position_data(history.position()),
        "over": head.over,
        "score": score_data(head.score) if head.score else None,
    }


def _chapter_data(report: Report, chapter: Chapter) -> dict[str, Any]:
    told = paragraphs(chapter, 0 if report.extent.full else report.form.most)
    changes = track_changes(report.game, report.form, chapter.before, chapter.after)
    return {
        "first": chapter.number,
        "last": chapter.last,
        "title": chapter.title,
        "scenes": [
            {"entry": scene.entry.number, "story": text, "notes": list(scene.notes), "count": scene.points}
            for scene, text in told
        ],
        "tracks": [{"track": track, "was": was, "now": now} for track, was, now in changes],
        "losses": _chapter_losses(chapter),
    }


def _roll_data(entry: int, roll: RollOutcome) -> dict[str, Any]:
    told = {"title": roll.title, "side": roll.side, "unit": roll.unit}
    return {"entry": entry, **told, "expected": roll.expected, "actual": roll.actual, "percentile": roll.percentile}


def _chapter_losses(chapter: Chapter) -> dict[str, int]:
    found: dict[str, int] = {}
    for scene in chapter.entries:
        for clause in scene.sentences:
            for side, lost in clause.losses:
                found[side] = found.get(side, 0) + lost
    return found

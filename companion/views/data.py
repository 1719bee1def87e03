"""The same as plain data, for other programs: one shape for every command that prints JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.events import encode
from companion.core.game import Game, Score
from companion.core.history import Entry, History, Reply
from companion.core.position import Piece, Position
from companion.core.requests import Odds


def piece_data(piece: Piece) -> dict[str, Any]:
    """A piece: id, name and kind always; face, values and marks where they say something."""
    body: dict[str, Any] = {"id": piece.id, "name": piece.name, "kind": piece.kind, "face": piece.face}
    if piece.values:
        body["values"] = dict(piece.values)
    if piece.marks:
        body["marks"] = dict(piece.marks)
    return body


def position_data(position: Position) -> dict[str, Any]:
    """Tracks, flags, and each place with its pieces."""
    places = {place: [piece_data(piece) for piece in pieces] for place, pieces in sorted(position.places().items())}
    return {"tracks": dict(position.tracks), "flags": dict(position.flags), "places": places}


def reply_data(reply: Reply) -> dict[str, Any]:
    """A reply with its source."""
    body = {"key": reply.key, "kind": reply.kind, "value": reply.value, "source": reply.source}
    if reply.rule:
        body["rule"] = reply.rule
    return {**body, "anyway": True} if reply.anyway else body


def entry_data(entry: Entry, history: History) -> dict[str, Any]:
    """An entry of the log with its status, replies and events."""
    body: dict[str, Any] = {
        "entry": entry.number,
        "action": entry.action,
        "status": history.status(entry.number),
        "at": entry.at,
        "replies": [reply_data(reply) for reply in entry.replies],
        "events": [encode(event) for event in entry.events or ()],
    }
    if entry.args:
        body["args"] = dict(entry.args)
    if entry.anyway:
        body["anyway"] = True
    if entry.copy_of:
        body["copy_of"] = entry.copy_of
    return body


def odds_data(odds: Odds) -> dict[str, Any]:
    """Exact chances, unrounded."""
    return {
        "title": odds.title,
        "rule": odds.rule,
        "sections": [
            {"title": title, "chances": [{"label": label, "chance": chance} for label, chance in lines]}
            for title, lines in odds.sections
        ],
        "means": dict(odds.means),
        "notes": list(odds.notes),
    }


def score_data(score: Score) -> dict[str, Any]:
    """The count of victory, itemised."""
    return {
        "items": [{"label": label, "points": points, "rule": rule} for label, points, rule in score.items],
        "total": score.total,
        "verdict": score.verdict,
        "rule": score.rule,
        "notes": list(score.notes),
    }


def banner_data(game: Game, position: Position, options: Mapping[str, str]) -> dict[str, Any]:
    """Stage, fields and reminders."""
    banner = game.banner(position, options)
    return {"stage": banner.stage, "fields": dict(banner.fields), "reminders": list(banner.reminders)}

"""Section 8: the end, the count and the verdict."""

from __future__ import annotations

from companion.core.game import Score
from companion.core.position import Piece, Position

from .land import FORT
from .referee import COLUMN, LOST, REDUCED, SCATTERED

TURNS = 10
WON = 16
VERDICTS = ((22, "the relief of which songs are made"), (WON, "the Fort holds"), (10, "the Fort holds out a while"))


def at_fort(position: Position) -> bool:
    return any(piece.name == "Column" and piece.place == FORT for piece in position.of_kind("marker"))


def _column(position: Position, kind: str) -> list[Piece]:
    return [piece for piece in position.at(COLUMN) if piece.kind == kind]


def ended(position: Position) -> str:
    """[8.1] Why the game is over, or ""."""
    if at_fort(position):
        return "the column is at the Fort"
    if position.tracks and not _column(position, "wagon"):
        return "no wagon is left"
    return f"turn {TURNS} is over" if position.track("turn") > TURNS else ""


def counted(position: Position) -> Score:
    """[8.2, 8.3] The points, and what they come to."""
    companies = _column(position, "company")
    full = len([piece for piece in companies if piece.face != REDUCED])
    lost = len([piece for piece in position.at(LOST) if piece.kind == "company"])
    items = [("companies lost", -lost, "8.2"), ("bands scattered", len(position.at(SCATTERED)), "8.2")]
    if at_fort(position):
        there = [
            ("wagons at the Fort", 3 * len(_column(position, "wagon")), "8.2"),
            ("companies at the Fort", 2 * full + len(companies) - full, "8.2"),
            ("turns left", max(0, TURNS - position.track("turn")), "8.2"),
        ]
        items = [*there, *items]
    total = sum(points for _, points, _ in items)
    verdict = next((told for least, told in VERDICTS if total >= least), "the Fort falls")
    return Score(tuple(items), total, verdict, "8.3")

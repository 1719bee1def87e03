"""What the dice of a session were worth: in all, by who rolled and by turn, and the rolls on which most hung."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import erfc, sqrt
from typing import Any

from companion.core.game import Game
from companion.core.words import plural, signed
from companion.session.fortune import LuckShare, SessionLuck, WeighedRoll, combined
from companion.session.hindsight import DecisionLoss
from companion.views.lines import BLANK, Line
from companion.views.odds import percent

_MOST = 8
"""Rolls that are listed, those furthest from what they bring on average."""
_TURNS = 40
"""Rows of turns that are shown; of more only the sum is told."""
_ABBREVIATED = 3
"""Letters of a seat that is called by its initials."""

ROLL_COLUMNS = (
    "entry",
    "reply",
    "turn",
    "key",
    "rule",
    "who",
    "faces",
    "before",
    "expected",
    "actual",
    "error",
    "percentile",
    "stand",
)
"""Of a row a roll."""


def seat_title(seat: str) -> str:
    """Whose VP are counted, in a word."""
    return seat.upper() if len(seat) <= _ABBREVIATED else seat.title()


def luck_lines(game: Game, found: SessionLuck) -> list[Line]:
    """For people, 80 columns wide."""
    lines = [Line("What the dice were worth", "title")]
    if not found.total.relevant:
        return [*lines, Line("No roll that could be followed has moved the count of victory"), *_left_out_lines(found)]
    lines += [Line(text) for text in _headlines(game, found)]
    lines += _luck_table("By who rolled", found.rolls, lambda roll: "yours" if roll.by_player else "Companion's")
    by_turn = _luck_table(game.track_title("turn") or "Turn", found.rolls, lambda roll: str(roll.turn))
    lines += by_turn if 3 < len(by_turn) <= _TURNS else []
    return [*lines, *_extreme_rolls(found.rolls), *_left_out_lines(found)]


def _headlines(game: Game, found: SessionLuck) -> list[str]:
    whole, stand = found.total, combined(roll.value for roll in found.rolls)
    far = percent(tail_chance(whole.errors))
    moved = f"{signed(whole.luck, 1)} by the dice, {signed(found.rest, 1)} by all else"
    return [
        f"{_luck_text(game, found)}: {abs(whole.errors):.1f} standard errors of {whole.error:.1f}. {far} of games with these"
        f" {plural(whole.rolls, 'roll')} are as far from even or further.",
        f"{found.current_score:g} VP now: {found.start_score:g} at the start, {moved}.",
        f"With what stands on the board, as Companion counts it when it plays on: {signed(stand.luck, 1)} (+-{stand.error:.1f}).",
    ]


def _luck_text(game: Game, found: SessionLuck) -> str:
    """What the dice gave, to whom; what one side of two gains the other loses."""
    luck = found.total.luck
    others = [seat for seat in game.players.seats if seat != found.side]
    if not others:
        return f"You {'gained' if luck >= 0 else 'lost'} {abs(luck):.1f} VP by the dice"
    sides = [(found.side, luck), *((seat, -luck) for seat in others)]
    return f"By the dice {', '.join(f'{seat_title(seat)} {signed(vp, 1)} VP' for seat, vp in sides)}"


def tail_chance(errors: float) -> float:
    """How many sums of luck are as many standard errors from nought, either way; about, for many rolls."""
    return erfc(abs(errors) / sqrt(2))


def _luck_table(title: str, rolls: Sequence[WeighedRoll], by: Callable[[WeighedRoll], str]) -> list[Line]:
    """Luck with its standard error, a row a kind of roll, in order of appearance."""
    kinds: dict[str, list[WeighedRoll]] = {}
    for roll in rolls:
        kinds.setdefault(by(roll), []).append(roll)
    rows = [[title, "rolls", "mattered", "VP", "+-"]]
    rows += [[kind, *_share_cells(combined(roll.vp for roll in some))] for kind, some in kinds.items()]
    return [BLANK, *(Line(row, "", "", "  ") for row in aligned_cells(rows))]


def _share_cells(found: LuckShare) -> list[str]:
    return [str(found.rolls), str(found.relevant), signed(found.luck, 1), f"{found.error:.1f}"]


def aligned_cells(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Rows of cells, the first so many to the left and the others to the right."""
    wide = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    cells = [
        [
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, wide, strict=True))
        ]
        for row in rows
    ]
    return ["  ".join(row).rstrip() for row in cells]


def _extreme_rolls(rolls: Sequence[WeighedRoll]) -> list[Line]:
    """The rolls that were furthest from what they bring on average."""
    found = sorted((roll for roll in rolls if roll.vp.matters), key=lambda roll: -abs(roll.vp.luck))[:_MOST]
    rows = [["action", "for", "dice", "brought", "expected", "as good or worse"]]
    rows += [
        [
            str(roll.entry),
            _roll_title(roll),
            _faces_text(roll),
            signed(roll.actual, 1),
            signed(roll.expected, 1),
            percent(roll.vp.at_most),
        ]
        for roll in found
    ]
    return [BLANK, Line("Furthest from what they bring"), *(Line(row, "", "", "  ") for row in aligned_cells(rows, 3))]


def _roll_title(roll: WeighedRoll) -> str:
    return (f"{roll.title} [{roll.rule}]" if roll.rule else roll.title)[:26]


def _faces_text(roll: WeighedRoll) -> str:
    text = " ".join(map(str, roll.faces))
    return text if len(text) <= 12 else f"{text[:9]}..."


def _left_out_lines(found: SessionLuck) -> list[Line]:
    """What was left out, and why."""
    if not found.skipped:
        return []
    told = "; ".join(f"{many}: {why}" for why, many in found.skipped.items())
    return [BLANK, Line(f"Left out, and so in what is called all else: {told}", "dim")]


def luck_data(found: SessionLuck) -> dict[str, Any]:
    """For other programs."""
    whole, stand = found.total, combined(roll.value for roll in found.rolls)
    return {
        "side": found.side,
        "start": found.start_score,
        "now": found.current_score,
        "luck": whole.luck,
        "luck_error": whole.error,
        "rest": found.rest,
        "stand": {"luck": stand.luck, "error": stand.error},
        "rolls": [dict(zip(ROLL_COLUMNS, roll_cells(roll), strict=True)) for roll in found.rolls],
        "left_out": [{"why": why, "many": many} for why, many in found.skipped.items()],
    }


def roll_cells(roll: WeighedRoll) -> list[Any]:
    """A row for a roll, in the order of ``COLUMNS``."""
    head = [roll.entry, roll.reply, roll.turn, roll.key, roll.rule, "player" if roll.by_player else "companion", list(roll.faces)]
    return [*head, roll.vp.before, roll.expected, roll.actual, roll.vp.variance**0.5, roll.percentile, roll.value.luck]


def decision_lines(found: Sequence[DecisionLoss]) -> list[Line]:
    """What decisions gave away, the dearest first."""
    whole = sum(one.given for one in found)
    if not found:
        return [Line("No better answer was found where odds stood beside a question", "title")]
    rows = [["answer", "for", "taken", "better", "VP"]]
    dearest = sorted(found, key=lambda one: -one.given)[:_MOST]
    rows += [
        [f"{one.entry}.{one.reply}", one.key.replace("_", " ")[:18], one.taken[:18], one.best[:18], f"{one.given:.2f}"]
        for one in dearest
    ]
    head = f"Given away where odds stood beside the question: {whole:.1f} VP in {plural(len(found), 'decision')}"
    return [Line(head, "title"), *(Line(row, "", "", "  ") for row in aligned_cells(rows, 4))]

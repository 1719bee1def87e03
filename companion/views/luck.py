"""Luck: how the dice fell, and what they were worth in VP."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import erfc, sqrt
from typing import Any, NamedTuple

from companion.core.game import Game
from companion.core.history import Entry
from companion.core.significance import LEVEL, DiceSample, RunsTest, analyse_dice, dice_needed, power, runs
from companion.core.words import plural, signed
from companion.session.luck import DecisionLoss, LuckShare, SessionLuck, WeighedRoll, combined
from companion.views.lines import BLANK, Line
from companion.views.odds import percent

YOU, COMPANION = "you", "Companion"
WHO = {YOU: "yours", COMPANION: "Companion's"}
"""Who rolled, and whose the dice were."""

_CROOKED = 1.2
"""How much oftener than of a fair die the one face of a crooked one comes that is spoken of."""
_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")
_ROW = 20
"""Dice from which on something is said of how they followed one another."""
_NAME = 20
"""Characters of a name that are shown."""
_FEW = 12
"""Purposes that are listed, those with the most dice; the others are counted."""


class DiceRoll(NamedTuple):
    """A roll: in which entry, for what question and rule, by whom, and its faces."""

    entry: int
    key: str
    rule: str
    who: str
    faces: tuple[int, ...]


def dice_rolls(entries: Iterable[Entry]) -> list[DiceRoll]:
    """Every roll of some entries, in order."""
    return [
        DiceRoll(entry.number, reply.key, reply.rule, YOU if reply.is_from_player else COMPANION, tuple(reply.value))
        for entry in entries
        for reply in entry.replies
        if reply.kind == "roll"
    ]


class DiceGroup(NamedTuple):
    """Dice that belong together: what by, of what, and how they fell. ``strange``: dice beside them of another kind."""

    by: str
    name: str
    fall: DiceSample
    runs: RunsTest
    strange: int = 0


def _purpose_title(throw: DiceRoll) -> str:
    words = throw.key.replace("_", " ")
    return f"{words} [{throw.rule}]" if throw.rule else words


def dice_groups(found: Sequence[DiceRoll], die: tuple[int, int]) -> list[DiceGroup]:
    """All dice, then those by who rolled, by place in the roll and by purpose; of a purpose the most first.

    Args:
        found: the rolls, in order.
        die: how many faces each die has, and the lowest; dice with other faces are left out and counted.
    """
    by: dict[tuple[str, str], list[int]] = {}
    for throw in found:
        for place, face in enumerate(throw.faces):
            names = [("all", "all"), ("who", throw.who), ("purpose", _purpose_title(throw))]
            if place < len(_PLACES):
                names.append(("place", _PLACES[place]))
            for name in names:
                by.setdefault(name, []).append(face)
    made = [one for (kind, name), faces in by.items() if (one := _dice_group(kind, name, faces, die)) is not None]
    order = ("all", "who", "place", "purpose")
    return sorted(made, key=lambda one: (order.index(one.by), -one.fall.dice if one.by == "purpose" else 0))


def _dice_group(by: str, name: str, faces: Sequence[int], die: tuple[int, int]) -> DiceGroup | None:
    sides, lowest = die
    ours = [face for face in faces if lowest <= face < lowest + sides]
    if not ours:
        return None
    return DiceGroup(by, name, analyse_dice(ours, sides, lowest), runs(ours, sides, lowest), len(faces) - len(ours))


def dice_lines(found: Sequence[DiceGroup]) -> list[Line]:
    """For people, 80 columns wide."""
    if not found:
        return [Line("No dice were rolled yet")]
    whole = found[0].fall
    lines = [Line("How the dice fell", "title"), *_group_lines(f"d{len(whole.counts)}", found, "all", "who")[1:]]
    lines += _group_lines("Place in the roll", found, "place") if sum(one.by == "place" for one in found) > 1 else []
    lines += _group_lines("Purpose", found, "purpose")
    lines += [BLANK, *(Line(text) for text in _conclusions(found))]
    if found[0].strange:
        lines.append(Line(f"{_dice_count(found[0].strange)} with other faces left out", "dim"))
    return lines


def _group_lines(title: str, found: Sequence[DiceGroup], *by: str) -> list[Line]:
    """Groups beneath a head."""
    more = max(sum(one.by in by for one in found) - _FEW, 0)
    lines = [BLANK, *(Line(row, "", "", "  ") for row in _group_rows(title, found, by))]
    return [*lines, *([Line(f"and {more} with fewer", "dim", "", "  ")] if more else [])]


def _group_rows(title: str, found: Sequence[DiceGroup], by: Sequence[str]) -> list[str]:
    """Groups as aligned rows beneath a head."""
    shown = [one for one in found if one.by in by][:_FEW]
    whole = found[0].fall
    faces = [str(face) for face in range(whole.lowest, whole.lowest + len(whole.counts))]
    rows = [[title, "dice", *faces, "mean", "fair", "+-", "p"], *(_group_cells(one) for one in shown)]
    wide = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return ["  ".join([row[0].ljust(wide[0]), *(map(str.rjust, row[1:], wide[1:]))]).rstrip() for row in rows]


def _group_cells(one: DiceGroup) -> list[str]:
    got = one.fall
    name = WHO.get(one.name, one.name) if one.by == "who" else one.name
    figures = (f"{got.mean:.2f}", f"{got.expected:g}", f"{got.error:.2f}", p_value_text(got.p))
    return [name[:_NAME], f"{got.dice:,}", *map(str, got.counts), *figures]


def p_value_text(p: float) -> str:
    """A p-value as it is shown: ``0.43``, or ``<0.001``."""
    return "<0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def _conclusions(found: Sequence[DiceGroup]) -> list[str]:
    """What can be said of all of them together, and how little that is."""
    whole = found[0].fall
    test = "by the exact multinomial test" if whole.exact else f"by chi-square: {whole.chi2:.2f}, {len(whole.counts) - 1} degrees"
    told = [
        f"p says how many samples of as many fair dice are at least as uneven;"
        f" of all {whole.dice} together it is {percent(whole.p)} ({test}).",
        dice_verdict(whole),
        *_runs_text(whole.dice, found[0].runs),
    ]
    rows = [one for one in found if one.by != "all"]
    low = sum(one.fall.p < LEVEL for one in rows)
    if low:
        told.append(f"{low} of {len(rows)} rows have a p below {LEVEL}; of fair dice one row in twenty has.")
    return told


def _runs_text(dice: int, found: RunsTest) -> list[str]:
    """How they followed one another, where there are enough to say anything of that."""
    if dice < _ROW:
        return []
    p = p_value_text(found.p)
    return [
        f"One after the other: {plural(found.runs, 'run')} of low or high dice where {found.expected:.1f} are expected"
        f" (p {p if p[0] == '<' else f'= {p}'}); the longest row of one face has {found.longest},"
        f" as long or longer in {percent(found.as_long)} of such samples."
    ]


def dice_verdict(found: DiceSample) -> str:
    """What the size of a sample allows to be said, in words; never that a die is not fair."""
    share = _CROOKED / len(found.counts)
    seen, need = power(found.dice, len(found.counts), share), dice_needed(len(found.counts), share)
    crooked = f"a die with one face in {percent(share)} of its throws instead of {percent(share / _CROOKED)}"
    if found.p < LEVEL:
        rare = f"{_dice_count(found.dice)}, and {percent(found.p)} of fair samples of that size are as uneven"
        return f"{rare}. That proves nothing: see whether as many again are so."
    if found.dice < need:
        return (
            f"{_dice_count(found.dice)}: too few to say. {percent(seen)} of such samples would show {crooked};"
            f" of samples of {_dice_count(need)} it would be four in five."
        )
    return f"{_dice_count(found.dice)}: nothing out of the way, and {percent(seen)} of such samples would show {crooked}."


def _dice_count(many: int) -> str:
    return plural(many, "die", "dice")


def dice_data(found: Sequence[DiceGroup]) -> list[dict[str, Any]]:
    """For other programs, a row a group."""
    return [
        {
            "by": one.by,
            "name": one.name,
            "dice": one.fall.dice,
            "lowest": one.fall.lowest,
            "counts": list(one.fall.counts),
            "mean": one.fall.mean,
            "expected": one.fall.expected,
            "error": one.fall.error,
            "chi2": one.fall.chi2,
            "p": one.fall.p,
            "test": "exact" if one.fall.exact else "chi-square",
            "runs": one.runs._asdict(),
            "other_dice": one.strange,
            "said": dice_verdict(one.fall),
        }
        for one in found
    ]


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

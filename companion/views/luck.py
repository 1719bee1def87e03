"""Luck: the distribution of the dice, and their worth in VP."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from math import erfc, sqrt
from typing import Any, Literal, NamedTuple

from companion.core.game import Game
from companion.core.history import Entry
from companion.core.statistics import LEVEL, DiceSample, RunsTest, analyse_dice, dice_needed, power, runs
from companion.core.text import plural, signed
from companion.core.values import JsonDict
from companion.session.luck import DecisionLoss, SessionLuck, WeighedRoll, combined
from companion.views.lines import BLANK, Line, aligned_cells, cited, percent, truncate

YOU, COMPANION = "you", "Companion"
DICE_OWNERS = {YOU: "yours", COMPANION: "Companion's"}
"""Who rolled -> display name of their dice."""

_FEW_DICE = 30  # fewest dice that are judged
_BIAS = 1.2  # relative frequency of one face on the biased die that `dice_verdict` compares with
_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")
_MIN_RUNS_DICE = 20  # least number of dice for a test of their order
_NAME_WIDTH = 20  # longest name shown
_MAX_PURPOSES = 12  # most purposes listed, by number of dice


class DiceRoll(NamedTuple):
    """A roll: number of its entry, key and rule of the question, who rolled, and the faces."""

    entry: int
    key: str
    rule: str
    who: str
    faces: tuple[int, ...]


def dice_rolls(entries: Iterable[Entry]) -> list[DiceRoll]:
    """Return every roll of some entries, in order."""
    return [
        DiceRoll(entry.number, reply.key, reply.rule, YOU if reply.is_from_player else COMPANION, tuple(reply.value))
        for entry in entries
        for reply in entry.replies
        if reply.kind == "roll"
    ]


Grouping = Literal["all", "who", "place", "purpose"]
"""How dice are grouped: all, by who rolled, by place in the roll, by purpose."""


class DiceGroup(NamedTuple):
    """Dice grouped by `by`, with their distribution. `other_dice`: number of dice left out, see `dice_groups`."""

    by: Grouping
    name: str
    distribution: DiceSample
    runs: RunsTest
    other_dice: int = 0


def dice_groups(rolls: Sequence[DiceRoll], die: tuple[int, int], apart: Collection[str] = ()) -> list[DiceGroup]:
    """Group dice: all, by who rolled, by place in the roll, and by purpose.

    Args:
        rolls: In order.
        die: Number of faces and lowest face. Other dice are left out and counted.
        apart: Keys of questions whose dice only select one of several. They are left out and counted as well.
    """
    sides, lowest = die
    selecting = {"all": 0, YOU: 0, COMPANION: 0}
    for roll in rolls:
        if roll.key in apart:
            selecting["all"] += len(roll.faces)
            selecting[roll.who] += len(roll.faces)
    faces_by_group: dict[tuple[Grouping, str], list[int]] = {}
    for roll in rolls:
        if roll.key in apart:
            continue
        for index, face in enumerate(roll.faces):
            keys: list[tuple[Grouping, str]] = [("all", "all"), ("who", roll.who)]
            keys.append(("purpose", cited(roll.key.replace("_", " "), roll.rule)))
            if index < len(_PLACES):
                keys.append(("place", _PLACES[index]))
            for key in keys:
                faces_by_group.setdefault(key, []).append(face)
    groups = []
    for (by, name), faces in faces_by_group.items():
        if counted := [face for face in faces if lowest <= face < lowest + sides]:
            sample, sequence = analyse_dice(counted, sides, lowest), runs(counted, sides, lowest)
            left_out = len(faces) - len(counted) + (selecting.get(name, 0) if by in ("all", "who") else 0)
            groups.append(DiceGroup(by, name, sample, sequence, left_out))
    order: list[Grouping] = ["all", "who", "place", "purpose"]
    return sorted(groups, key=lambda group: (order.index(group.by), -group.distribution.dice if group.by == "purpose" else 0))


DiceRow = tuple[str, DiceSample]
"""Whose dice, and their distribution."""


def plain_dice_lines(title: str, rows: Sequence[DiceRow], *, details: bool = False) -> list[Line]:
    """Return how often each face was rolled, and a sentence on each row; with `details`, what such a sample can show."""
    if not rows:
        return [Line("No dice were rolled yet")]
    lowest, count = rows[0][1].lowest, max(len(sample.counts) for _, sample in rows)
    head = [title, "dice", *map(str, range(lowest, lowest + count)), "mean"]
    cells = [
        [name, f"{sample.dice:,}", *map(str, sample.counts), *[""] * (count - len(sample.counts)), f"{sample.mean:.2f}"]
        for name, sample in rows
    ]
    return [
        *(Line(row, "", "", "  ") for row in aligned_cells([head, *cells])),
        *(Line(f"{name}: {(dice_verdict if details else plain_dice_verdict)(sample)}", "dim", "", "  ") for name, sample in rows),
    ]


def plain_dice_verdict(sample: DiceSample) -> str:
    """Return in a few words whether some dice look unusual; never that a die is unfair."""
    if sample.dice < _FEW_DICE:
        return "too few dice to judge"
    if sample.p >= LEVEL:
        return "nothing unusual"
    return f"unusually uneven ({_times(sample.p)} with fair dice), which proves nothing"


def _times(share: float) -> str:
    """Return a chance such as `1 time in 25`."""
    return f"1 time in {round(1 / share):,}" if share > 0.001 else "less than 1 time in 1,000"


def own_dice(groups: Sequence[DiceGroup]) -> list[DiceRow]:
    """Return the dice by who rolled them."""
    return [(group.name, group.distribution) for group in groups if group.by == "who"]


def dice_lines(groups: Sequence[DiceGroup]) -> list[Line]:
    """Return the distribution of the dice with its statistics, for an 80-column screen."""
    if not groups:
        return [Line("No dice were rolled yet")]
    sample = groups[0].distribution
    lines = [Line("How the dice fell", "title"), *_group_lines(f"d{len(sample.counts)}", groups, "all", "who")[1:]]
    lines += _group_lines("Place in the roll", groups, "place") if sum(group.by == "place" for group in groups) > 1 else []
    lines += _group_lines("Purpose", groups, "purpose")
    lines += [BLANK, *(Line(text) for text in _conclusions(groups))]
    if groups[0].other_dice:
        lines.append(Line(f"{_dice_count(groups[0].other_dice)} of other kinds left out", "dim"))
    return lines


def _group_lines(title: str, groups: Sequence[DiceGroup], *by: Grouping) -> list[Line]:
    hidden = max(sum(group.by in by for group in groups) - _MAX_PURPOSES, 0)
    lines = [BLANK, *(Line(row, "", "", "  ") for row in _group_rows(title, groups, by))]
    return [*lines, *([Line(f"and {hidden} with fewer", "dim", "", "  ")] if hidden else [])]


def _group_rows(title: str, groups: Sequence[DiceGroup], by: Sequence[Grouping]) -> list[str]:
    shown = [group for group in groups if group.by in by][:_MAX_PURPOSES]
    sample = groups[0].distribution
    faces = [str(face) for face in range(sample.lowest, sample.lowest + len(sample.counts))]
    rows = [[title, "dice", *faces, "mean", "fair", "+-", "p"], *(_group_cells(group) for group in shown)]
    return aligned_cells(rows)


def _group_cells(group: DiceGroup) -> list[str]:
    sample = group.distribution
    name = DICE_OWNERS.get(group.name, group.name) if group.by == "who" else group.name
    figures = (f"{sample.mean:.2f}", f"{sample.expected:g}", f"{sample.error:.2f}", p_value_text(sample.p))
    return [truncate(name, _NAME_WIDTH), f"{sample.dice:,}", *map(str, sample.counts), *figures]


def p_value_text(p: float) -> str:
    """Format a p-value, such as `0.43` or `<0.001`."""
    return "<0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def _conclusions(groups: Sequence[DiceGroup]) -> list[str]:
    sample = groups[0].distribution
    degrees = len(sample.counts) - 1
    test = "by the exact multinomial test" if sample.exact else f"by chi-square: {sample.chi2:.2f}, {degrees} degrees"
    texts = [
        f"p is the share of samples of fair dice that are at least as uneven; for {_dice_count(sample.dice)} it is"
        f" {percent(sample.p)} ({test}).",
        dice_verdict(sample),
        *_runs_text(sample.dice, groups[0].runs),
    ]
    rows = [group for group in groups if group.by != "all"]
    if low := sum(group.distribution.p < LEVEL for group in rows):
        texts.append(f"{low} of {len(rows)} rows have a p below {LEVEL}; of fair dice one row in twenty has.")
    return texts


def _runs_text(dice: int, sequence: RunsTest) -> list[str]:
    """Return the result of the runs test; empty for small samples."""
    if dice < _MIN_RUNS_DICE:
        return []
    p = p_value_text(sequence.p)
    return [
        f"In order: {plural(sequence.runs, 'run')} of low or high dice where {sequence.expected:.1f} are expected"
        f" (p {p if p[0] == '<' else f'= {p}'}); the longest row of one face has {sequence.longest},"
        f" as long or longer in {percent(sequence.as_long)} of such samples."
    ]


def dice_verdict(sample: DiceSample) -> str:
    """Return what a sample of this size can show; never that a die is unfair."""
    share = _BIAS / len(sample.counts)
    seen, need = power(sample.dice, len(sample.counts), share), dice_needed(len(sample.counts), share)
    crooked = f"a die with one face in {percent(share)} of its throws instead of {percent(share / _BIAS)}"
    if sample.p < LEVEL:
        rare = f"{_dice_count(sample.dice)}, and {percent(sample.p)} of fair samples of that size are as uneven"
        return f"{rare}. This proves nothing; check as many more."
    if sample.dice < need:
        return (
            f"{_dice_count(sample.dice)}: too few to say. {percent(seen)} of such samples would show {crooked};"
            f" of samples of {_dice_count(need)} it would be four in five."
        )
    return f"{_dice_count(sample.dice)}: nothing out of the way, and {percent(seen)} of such samples would show {crooked}."


def _dice_count(count: int) -> str:
    return plural(count, "die", "dice")


def dice_data(groups: Sequence[DiceGroup]) -> list[JsonDict]:
    """Return the groups as JSON data."""
    return [
        {
            "by": group.by,
            "name": group.name,
            "dice": group.distribution.dice,
            "lowest": group.distribution.lowest,
            "counts": list(group.distribution.counts),
            "mean": group.distribution.mean,
            "expected": group.distribution.expected,
            "error": group.distribution.error,
            "chi2": group.distribution.chi2,
            "p": group.distribution.p,
            "test": "exact" if group.distribution.exact else "chi-square",
            "runs": group.runs._asdict(),
            "other_dice": group.other_dice,
            "said": dice_verdict(group.distribution),
        }
        for group in groups
    ]


_LEAST_LUCK = 0.05  # least VP of luck that is not shown as 0.0
_PLAIN_ROLLS = 3  # most rolls listed on the first screen
_MAX_ROLLS = 8  # most rolls listed, by distance from the expectation
_MAX_TURNS = 40  # most turns listed

ROLL_COLUMNS = (
    *("entry", "reply", "turn", "key", "rule", "who", "faces"),
    *("before", "expected", "actual", "error", "percentile", "stand"),
)
"""Columns of `roll_cells`."""


_GRADES = ((0.5, "about even"), (1.0, "a little {}"), (2.0, "{}"))
"""Standard errors below which luck has a name."""


def luck_sentence(game: Game, luck: SessionLuck) -> str:
    """Return the luck of a session in one sentence, such as `Luck: a little unlucky (-0.8 VP over 4 rolls).`"""
    total = luck.total
    if not total.relevant:
        measured = luck.rolls or not luck.skipped
        return f"Luck: no roll {'has changed the score yet' if measured else 'could be measured'}."
    grade = next((text for limit, text in _GRADES if abs(total.errors) < limit), "very {}")
    who = f"{game.seats[luck.side]} " if len(game.players.seats) > 1 else ""
    words = grade.format("lucky" if total.luck > 0 else "unlucky")
    return f"Luck: {who}{words} ({signed(total.luck, 1)} VP over {plural(total.rolls, 'roll')})."


def plain_luck_lines(game: Game, luck: SessionLuck) -> list[Line]:
    """Return the luck of a session in plain words: one sentence, where the score comes from, and the rolls that mattered most."""
    lines = [Line(luck_sentence(game, luck), "title")]
    total = luck.total
    if not total.relevant:
        return [*lines, *_left_out_lines(luck)]
    if abs(total.errors) >= _GRADES[0][0]:
        lines.append(Line(f"So much luck, good or bad, comes about {_times(tail_chance(total.errors))}."))
    moved = f"{signed(total.luck, 1)} by the dice, {signed(luck.rest, 1)} by all else"
    lines.append(Line(f"Score {luck.current_score:g} VP: {luck.start_score:g} at the start, {moved}."))
    mattered = [roll for roll in luck.rolls if abs(roll.vp.luck) >= _LEAST_LUCK]
    extremes = sorted(mattered, key=lambda roll: -abs(roll.vp.luck))[:_PLAIN_ROLLS]
    rows = [["action", "rolled for", "dice", "VP", "on average", "luck"]]
    for roll in extremes:
        faces = truncate(" ".join(map(str, roll.faces)), 12)
        gains = [signed(vp, 1) for vp in (roll.actual, roll.expected, roll.vp.luck)]
        rows.append([str(roll.entry), truncate(cited(roll.title, roll.rule), 26), faces, *gains])
    if extremes:
        lines += [BLANK, Line("The rolls that mattered most"), *(Line(row, "", "", "  ") for row in aligned_cells(rows, 3))]
    return [*lines, *_left_out_lines(luck)]


def luck_lines(game: Game, luck: SessionLuck) -> list[Line]:
    """Return the luck of a session in VP with its statistics, for an 80-column screen."""
    lines = [Line("What the dice were worth", "title")]
    if not luck.total.relevant:
        return [*lines, Line("No roll that could be followed has changed the score"), *_left_out_lines(luck)]
    lines += [Line(text) for text in _headlines(game, luck)]
    lines += _luck_table("By who rolled", luck.rolls, lambda roll: "yours" if roll.by_player else "Companion's")
    by_turn = _luck_table(game.track_title("turn") or "Turn", luck.rolls, lambda roll: str(roll.turn))
    lines += by_turn if 3 < len(by_turn) <= _MAX_TURNS else []
    return [*lines, *_extreme_rolls(luck.rolls), *_left_out_lines(luck)]


def _headlines(game: Game, luck: SessionLuck) -> list[str]:
    total, valued = luck.total, combined(roll.value for roll in luck.rolls)
    far = percent(tail_chance(total.errors))
    moved = f"{signed(total.luck, 1)} by the dice, {signed(luck.rest, 1)} by all else"
    return [
        f"{_luck_text(game, luck)}: {abs(total.errors):.1f} standard errors of {total.error:.1f}. {far} of games with these"
        f" {plural(total.rolls, 'roll')} are as far from even or further.",
        f"{luck.current_score:g} VP now: {luck.start_score:g} at the start, {moved}.",
        f"With the board as Companion values it in simulated games: {signed(valued.luck, 1)} (+-{valued.error:.1f}).",
    ]


def _luck_text(game: Game, result: SessionLuck) -> str:
    """Return the luck of each side; with two sides one gains what the other loses."""
    luck = result.total.luck
    others = [seat for seat in game.players.seats if seat != result.side]
    if not others:
        return f"You {'gained' if luck >= 0 else 'lost'} {abs(luck):.1f} VP by the dice"
    sides = [(result.side, luck), *((seat, -luck) for seat in others)]
    return f"By the dice {', '.join(f'{game.seats[seat]} {signed(vp, 1)} VP' for seat, vp in sides)}"


def tail_chance(errors: float) -> float:
    """Return the chance of a deviation of at least `errors` standard errors, by the normal distribution."""
    return erfc(abs(errors) / sqrt(2))


def _luck_table(title: str, rolls: Sequence[WeighedRoll], by: Callable[[WeighedRoll], str]) -> list[Line]:
    """Return luck and standard error for each kind of roll, in order of appearance."""
    rows = [[title, "rolls", "mattered", "VP", "+-"]]
    for kind in dict.fromkeys(map(by, rolls)):
        share = combined(roll.vp for roll in rolls if by(roll) == kind)
        rows.append([kind, str(share.rolls), str(share.relevant), signed(share.luck, 1), f"{share.error:.1f}"])
    return [BLANK, *(Line(row, "", "", "  ") for row in aligned_cells(rows))]


def _extreme_rolls(rolls: Sequence[WeighedRoll]) -> list[Line]:
    extremes = sorted((roll for roll in rolls if roll.vp.matters), key=lambda roll: -abs(roll.vp.luck))[:_MAX_ROLLS]
    rows = [["action", "for", "dice", "actual", "expected", "as good or worse"]]
    for roll in extremes:
        title, faces = truncate(cited(roll.title, roll.rule), 26), truncate(" ".join(map(str, roll.faces)), 12)
        gains = [signed(roll.actual, 1), signed(roll.expected, 1)]
        rows.append([str(roll.entry), title, faces, *gains, percent(roll.vp.at_most)])
    return [BLANK, Line("Furthest from the average"), *(Line(row, "", "", "  ") for row in aligned_cells(rows, 3))]


def _left_out_lines(luck: SessionLuck) -> list[Line]:
    """Return how many rolls were left out, by reason."""
    text = "; ".join(f"{count}: {why}" for why, count in luck.skipped.items())
    return [BLANK, Line(f"Left out, and counted as all else: {text}", "dim")] if text else []


def luck_data(game: Game, luck: SessionLuck) -> JsonDict:
    """Return the luck of a session as JSON data."""
    total, valued = luck.total, combined(roll.value for roll in luck.rolls)
    return {
        "said": luck_sentence(game, luck),
        "side": luck.side,
        "start": luck.start_score,
        "now": luck.current_score,
        "luck": total.luck,
        "luck_error": total.error,
        "rest": luck.rest,
        "stand": {"luck": valued.luck, "error": valued.error},
        "rolls": [dict(zip(ROLL_COLUMNS, roll_cells(roll), strict=True)) for roll in luck.rolls],
        "left_out": [{"why": why, "many": count} for why, count in luck.skipped.items()],
    }


def roll_cells(roll: WeighedRoll) -> list[Any]:
    """Return the row of a roll, as `ROLL_COLUMNS`."""
    head = [roll.entry, roll.reply, roll.turn, roll.key, roll.rule, "player" if roll.by_player else "companion", list(roll.faces)]
    return [*head, roll.vp.before, roll.expected, roll.actual, roll.vp.variance**0.5, roll.percentile, roll.value.luck]


def decision_lines(decisions: Sequence[DecisionLoss]) -> list[Line]:
    """Return the most expensive decisions."""
    total = sum(decision.given for decision in decisions)
    if not decisions:
        return [Line("No better answer was found at questions with odds", "title")]
    rows = [["answer", "for", "taken", "better", "VP"]]
    dearest = sorted(decisions, key=lambda decision: -decision.given)[:_MAX_ROLLS]
    for decision in dearest:
        texts = [truncate(text, 18) for text in (decision.key.replace("_", " "), decision.taken, decision.best)]
        rows.append([f"{decision.entry}.{decision.reply}", *texts, f"{decision.given:.2f}"])
    head = f"Given away at questions with odds: {total:.1f} VP in {plural(len(decisions), 'decision')}"
    return [Line(head, "title"), *(Line(row, "", "", "  ") for row in aligned_cells(rows, 4))]

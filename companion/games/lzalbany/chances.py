"""Exact odds of LZ Albany, from the procedures that roll and place hits."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from companion.core.dice import summed
from companion.core.odds import distribution
from companion.core.requests import Odds, Roll
from companion.games.lzalbany.hits import OFFICER, REDUCED, UNIT, Target, count_sixes, place_hits, room_of, volley
from companion.games.lzalbany.strength import Force, Rules, fire_pools, melee_pool

R = TypeVar("R", bound=Hashable)
Rows = tuple[tuple[str, float], ...]
After = tuple[Target | None, ...]


def rows_of(results: Mapping[R, float], value: Callable[[R], int], unit: str = "") -> Rows:
    """A distribution of whole numbers as lines."""
    counts: dict[int, float] = {}
    for result, chance in results.items():
        counts[value(result)] = counts.get(value(result), 0.0) + chance
    return tuple((f"{number}{unit}", counts[number]) for number in sorted(counts) if counts[number] > 5e-6)


def share(results: Mapping[R, float], wanted: Callable[[R], bool]) -> float:
    """The probability of the results that are wanted."""
    return sum(chance for result, chance in results.items() if wanted(result))


def mean(results: Mapping[R, float], value: Callable[[R], float]) -> float:
    """The expected value."""
    return sum(value(result) * chance for result, chance in results.items())


def gone(before: Target, after: Target | None) -> bool:
    """Whether a unit is eliminated; a US unit that has become a wounded marker is [8.2]."""
    return before.kind == UNIT and (after is None or after.kind != UNIT)


def hits_taken(before: Sequence[Target], after: After) -> int:
    """How many hits found a target."""
    return sum((new.hits if new else old.hits + old.room(0)) - old.hits for old, new in zip(before, after, strict=True))


def fate_rows(before: Sequence[Target], results: Mapping[R, float], after: Callable[[R], After]) -> Rows:
    """For each counter the chances to be eliminated and, where it is whole, to be reduced at least."""
    rows: list[tuple[str, float]] = []
    for at, target in enumerate(before):
        name = target.name or f"{target.side} {target.kind} {at + 1}"
        fates: dict[Target | None, float] = {}
        for result, chance in results.items():
            fate = after(result)[at]
            fates[fate] = fates.get(fate, 0.0) + chance
        if target.kind == OFFICER:
            rows.append((f"{name} is a casualty", 1.0 - fates.get(target, 0.0)))
        elif target.kind == UNIT:
            if target.hits < REDUCED:
                rows.append((f"{name} reduced or worse", share(fates, _down)))
            rows.append((f"{name} eliminated", share(fates, partial(gone, target))))
    return tuple((label, chance) for label, chance in rows if chance > 5e-6)


def _down(target: Target | None) -> bool:
    return target is None or target.hits >= REDUCED


def cleared(after: After) -> bool:
    """Whether no platoon is left."""
    return all(target is None or target.kind != UNIT for target in after)


# -- melee -------------------------------------------------------------------------------------------------------------


class Fought(NamedTuple):
    """What a melee left of both sides, the attacker first."""

    ours: After
    theirs: After


async def melee_on_paper(
    rules: Rules, force: Force, other: Force, ours: Sequence[Target], theirs: Sequence[Target], dark: bool
) -> Fought:
    """[7.2] Both roll at once; each places its first hit, the owner the rest."""
    first = melee_pool(rules, force, _units(theirs), dark).dice
    second = melee_pool(rules, other, max(_units(ours), force.stack), dark).dice
    mine = count_sixes(await volley("melee", "", "7.2(1)", first, room_of(theirs)))
    yours = count_sixes(await volley("defence", "", "7.2(2)", second, room_of(ours)))
    after = await place_hits(theirs, mine, first=lambda target: True)
    return Fought(await place_hits(ours, yours, first=lambda target: True), after)


def _units(targets: Sequence[Target]) -> int:
    return sum(target.kind == UNIT for target in targets)


def melee_odds(
    rules: Rules,
    force: Force,
    other: Force,
    ours: Sequence[Target],
    theirs: Sequence[Target],
    dark: bool = False,
    title: str = "Melee",
) -> Odds:
    """One round of melee: hits both ways, and what becomes of each unit."""
    results = distribution(lambda: melee_on_paper(rules, force, other, ours, theirs, dark))
    dice = (
        melee_pool(rules, force, _units(theirs), dark).dice,
        melee_pool(rules, other, max(_units(ours), force.stack), dark).dice,
    )
    sections = (
        (f"Hits of the attacker ({dice[0]} dice)", rows_of(results, lambda r: hits_taken(theirs, r.theirs))),
        (f"Hits of the defender ({dice[1]} dice)", rows_of(results, lambda r: hits_taken(ours, r.ours))),
        (
            "Defender",
            (
                *fate_rows(theirs, results, lambda r: r.theirs),
                ("no defending platoon left", share(results, lambda r: cleared(r.theirs))),
            ),
        ),
        ("Attacker", fate_rows(ours, results, lambda r: r.ours)),
    )
    means = (
        ("hits on the defender", mean(results, lambda r: hits_taken(theirs, r.theirs))),
        ("hits on the attacker", mean(results, lambda r: hits_taken(ours, r.ours))),
    )
    return Odds(title, "7.2", sections, means, ("Each side places hits where we think best; before any retreat.",))


# -- fire --------------------------------------------------------------------------------------------------------------


class Exchange(NamedTuple):
    """Ranged fire at one area and its answer.

    Attributes:
        force: who fires; ours: what the answer can hit.
        targets: everybody in the target area.
        answering: for each target whether it is infantry that may answer.
        officers: unwounded officers in the target area.
        jungle, home_jungle: of the target area and of the firing area.
        dark, home_dark: whether night costs a die on the way there and back.
        aim: whether the first hit may be aimed at an officer [7.3(4)].
    """

    force: Force
    ours: tuple[Target, ...]
    targets: tuple[Target, ...]
    answering: tuple[bool, ...]
    officers: int = 0
    jungle: bool = False
    home_jungle: bool = False
    dark: bool = False
    home_dark: bool = False
    aim: bool = False


async def fire_on_paper(rules: Rules, exchange: Exchange) -> Fought:
    """[7.3] Fire, hits, and the return fire of the survivors."""
    one = exchange
    (pool,) = fire_pools(rules, one.force, [(_units(one.targets), one.jungle, one.dark)], ())
    hits = count_sixes(await volley("fire", "", "7.3(4)", pool.dice, room_of(one.targets)))
    after = await place_hits(one.targets, hits, first=lambda target: target.kind != OFFICER or one.aim)
    left = [target for target, able in zip(after, one.answering, strict=True) if target and able and target.kind == UNIT]
    stack = sum(target is not None and target.kind == UNIT for target in after)
    force = Force(tuple(t.back_fire if t.hits >= REDUCED else t.fire for t in left), one.officers if left else 0, stack)
    (answer,) = fire_pools(rules, force, [(max(_units(one.ours), one.force.stack), one.home_jungle, one.home_dark)], ())
    back = count_sixes(await volley("return_fire", "", "7.3(5)", answer.dice, room_of(one.ours)))
    return Fought(await place_hits(one.ours, back, first=lambda target: target.kind != OFFICER or one.aim), after)


def fire_odds(rules: Rules, exchange: Exchange, title: str = "Ranged fire") -> Odds:
    """Fire at one area with its answer."""
    one = exchange
    results = distribution(lambda: fire_on_paper(rules, one))
    (pool,) = fire_pools(rules, one.force, [(_units(one.targets), one.jungle, one.dark)], ())
    fates = fate_rows(one.targets, results, lambda r: r.theirs)
    sections = (
        (f"Hits ({pool.dice} dice)", rows_of(results, lambda r: hits_taken(one.targets, r.theirs))),
        ("Target", (*fates, ("no platoon left there", share(results, lambda r: cleared(r.theirs))))),
        ("Hits by return fire", rows_of(results, lambda r: hits_taken(one.ours, r.ours))),
        ("Firing side", fate_rows(one.ours, results, lambda r: r.ours)),
    )
    means = (
        ("hits", mean(results, lambda r: hits_taken(one.targets, r.theirs))),
        ("hits by return fire", mean(results, lambda r: hits_taken(one.ours, r.ours))),
    )
    return Odds(
        title, "7.3", sections, means, ("Hits are placed where we think best; officer checks are left out.", *pool.because)
    )


def join_odds(title: str, rule: str, parts: Sequence[Odds]) -> Odds:
    """Several odds under one title."""
    if not parts:
        return Odds(title, rule, (), (), ("There is nothing of the kind.",))
    sections = tuple((f"{part.title}: {head}", rows) for part in parts for head, rows in part.sections)
    means = tuple((f"{part.title}: {label}", value) for part in parts for label, value in part.means)
    return Odds(title, rule, sections, means, tuple(dict.fromkeys(note for part in parts for note in part.notes[:1])))


# -- supporting fire ---------------------------------------------------------------------------------------------------


async def single_on_paper(dice: int, targets: Sequence[Target], cap: int, key: str, rule: str) -> After:
    """Dice whose hits the owner places: mortars, gunships, bombs."""
    hits = count_sixes(await volley(key, "", rule, dice, room_of(targets, cap)))
    return await place_hits(targets, hits, cap=cap)


def support_odds(title: str, rule: str, dice: int, targets: Sequence[Target], cap: int = 0, notes: Sequence[str] = ()) -> Odds:
    """An attack that nobody answers."""
    results = distribution(lambda: single_on_paper(dice, targets, cap, "support", rule))
    sections = (
        (f"Hits ({dice} dice)", rows_of(results, lambda after: hits_taken(targets, after))),
        ("Target", fate_rows(targets, results, lambda after: after)),
    )
    return Odds(title, rule, sections, (("hits", mean(results, lambda after: hits_taken(targets, after))),), tuple(notes))


async def gunship_on_paper(full: int, damaged: int, infantry: int, target: Target) -> tuple[bool, Target | None]:
    """[7.6] Damage first, then fire."""
    hurt = count_sixes(await volley("damage", "", "7.6(2)", infantry, 1)) > 0
    hits = count_sixes(await volley("gunship", "", "7.6(3)", damaged if hurt else full, target.room(0)))
    (after,) = await place_hits((target,), hits)
    return hurt, after


def gunship_odds(full: int, damaged: int, infantry: int, target: Target) -> Odds:
    """A gunship on one NVA unit."""
    results = distribution(lambda: gunship_on_paper(full, damaged, infantry, target))
    name = target.name or "the target"
    sections = (
        ("Gunship", (("is damaged first", share(results, lambda r: r[0])),)),
        ("Hits", rows_of(results, lambda r: hits_taken((target,), (r[1],)))),
        ("Target", fate_rows((target,), results, lambda r: (r[1],))),
    )
    return Odds(f"Gunship on {name}", "7.6", sections, (("hits", mean(results, lambda r: hits_taken((target,), (r[1],)))),))


async def artillery_on_paper(dice: int, count: int, target: Target) -> tuple[str, Target | None]:
    """[7.5] On target or not; a random unit takes the hits. ``target`` stands for every unit of the area alike."""
    (face,) = await Roll("accuracy", "", "7.5(2)", outcomes=lambda: summed(1, lambda value: int(value == 1)))
    if face == 1:
        return "off target", target
    (at,) = await Roll("which", "", "7.5(4)", 1, count, outcomes=lambda: summed(1, lambda value: int(value == 1), count))
    if at != 1:
        return "another unit", target
    hits = count_sixes(await volley("artillery", "", "7.5(3)", dice, target.room(0)))
    (after,) = await place_hits((target,), hits)
    return "this unit", after


def artillery_odds(dice: int, count: int, target: Target) -> Odds:
    """One artillery platoon: off target, which unit, and what becomes of that one."""
    results = distribution(lambda: artillery_on_paper(dice, count, target))
    chances: dict[str, float] = {"off target": 0.0, "this unit": 0.0, "another unit": 0.0}
    for (where, _), chance in results.items():
        chances[where] += chance
    sections = (
        ("The fire falls on", tuple(row for row in chances.items() if row[1] > 0)),
        (f"Hits on this unit ({dice} dice)", rows_of(results, lambda r: hits_taken((target,), (r[1],)))),
        ("This unit", fate_rows((target,), results, lambda r: (r[1],))),
    )
    hits: Any = mean(results, lambda r: hits_taken((target,), (r[1],)))
    notes = (f"The target area holds {count} unit{'s' if count != 1 else ''}.",)
    return Odds(f"Artillery at {target.name or 'an area'}", "7.5", sections, (("hits on this unit", hits),), notes)


async def rally_on_paper(dice: int) -> int:
    """[9.1] How many of so many hit units recover."""
    faces = await Roll("rally", "", "9.1", dice, outcomes=lambda: summed(dice, lambda face: int(face == 6)))
    return count_sixes(faces)


def rally_odds(dice: int, helped: int) -> Odds:
    """A Rally Phase of one side: units that roll, and those whom an officer helps for certain."""
    results = distribution(lambda: rally_on_paper(dice)) if dice else {0: 1.0}
    rows = rows_of(results, lambda count: count + helped)
    return Odds("Rally", "9.0", (("Hits taken off", rows),), (("hits taken off", mean(results, lambda count: count + helped)),))

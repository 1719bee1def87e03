"""Forces that are only described: ``2-3, 2-3/2, 3-2`` are three units with fire and melee strength, the second with 2 hits."""

from __future__ import annotations

from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.requests import Choice
from companion.core.words import clean
from companion.games.lzalbany.areas import title
from companion.games.lzalbany.hits import OFFICER, REDUCED, Target
from companion.games.lzalbany.referee import SIDES, LzAlbany, enemy

EXAMPLE = "2-3, 2-3/2, 3-2"
DESCRIBED = "described"


def _read_unit(text: str) -> tuple[int, int, int]:
    values, _, hits = text.partition("/")
    fire, dash, melee = values.partition("-")
    numbers = [fire.strip(), melee.strip() if dash else "0", hits.strip() or "0"]
    if not all(number.isdecimal() and int(number) <= 12 for number in numbers) or int(numbers[2]) > REDUCED:
        raise Unreadable(
            f"'{clean(text)}' is not fire-melee/hits", rule="2.4", cure=f"Type units like this: {EXAMPLE}; 3 hits: reduced"
        )
    return int(numbers[0]), int(numbers[1]), int(numbers[2])


def read_force(text: str) -> list[tuple[int, int, int]]:
    """Fire, melee, hits of each unit, 1 to 12 of them.

    Raises:
        Unreadable: one of them cannot be read.
    """
    found = [_read_unit(part) for part in text.replace(";", ",").split(",") if part.strip()]
    if not 1 <= len(found) <= 12:
        raise Unreadable("1 to 12 units can be described", rule="2.4", cure=f"Type them like this: {EXAMPLE}")
    return found


def _shown(text: str) -> str:
    return ", ".join(f"{fire}-{melee}" + (f"/{hits}" if hits else "") for fire, melee, hits in read_force(text))


FORCE = Notation("force", EXAMPLE, _shown)


def targets_of(text: str, side: str, officers: int = 0) -> tuple[Target, ...]:
    """The counters of a described force; a unit that is not reduced loses one of each strength when it is."""
    units = [
        Target(
            side, "unit", hits, fire, melee, *((fire, melee) if hits == REDUCED else (max(0, fire - 1), max(0, melee - 1))),
            id=f"{side} {number}", name=f"{side} unit {number}",
        )
        for number, (fire, melee, hits) in enumerate(read_force(text), 1)
    ]  # fmt: skip
    people = [
        Target(side, OFFICER, 0, 0, 0, 0, 0, f"{side} officer {number}", f"{side} officer {number}")
        for number in range(1, officers + 1)
    ]
    return (*units, *people)


class Described:
    """Two forces that were described: the attacker's and the defender's."""

    def __init__(self, side: str, ours: tuple[Target, ...], theirs: tuple[Target, ...], officers: tuple[int, int]) -> None:
        self.side = side
        self.ours = ours
        self.theirs = theirs
        self.officers = officers


async def describe(game: LzAlbany, rule: str) -> Described:
    """Ask for both forces of a combat that is only described."""
    side = await game.choose("side", "Which side attacks", rule, [Choice(one, one) for one in SIDES], "US")
    ours = await game.text("attacker", "Attacking units, fire-melee/hits", rule, FORCE)
    mine = await game.number("officers", "Attacking officers", rule, 0, 9, 0)
    theirs = await game.text("defender", "Defending units, fire-melee/hits", rule, FORCE)
    yours = await game.number("enemy_officers", "Defending officers", rule, 0, 9, 0)
    return Described(side, targets_of(ours, side, mine), targets_of(theirs, enemy(side), yours), (mine, yours))


async def which_area(game: LzAlbany, key: str, prompt: str, rule: str, areas: list[str]) -> str:
    """An area of the session, or a description instead; without any area nobody is asked."""
    if not areas:
        return DESCRIBED
    choices = [Choice(area, title(area)) for area in areas]
    return await game.choose(key, prompt, rule, [*choices, Choice(DESCRIBED, "described")], DESCRIBED)

"""[13.0] A combat between forces that are only described: for a quick look-up at the table, and for odds."""

from __future__ import annotations

from typing import NamedTuple

from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.requests import Roll
from companion.core.words import clean
from companion.games.iraqwar2003.odds.chances import Clash
from companion.games.iraqwar2003.referee import IraqWar
from companion.games.iraqwar2003.rules.r13_combat import chart_cell, clash_odds, full_cells
from companion.games.iraqwar2003.rules.r13_ratio import Value, attack_value, defence_value, total_text
from companion.games.iraqwar2003.words.results import column, ratio_text, read_result

_ATTACK = {"r": "river", "river": "river", "oos": "oos"}
_DEFENCE = {"d": "disrupted", "disrupted": "disrupted"}


class Described(NamedTuple):
    """A described unit: its value and what halves it."""

    printed: int
    words: tuple[str, ...]

    def __str__(self) -> str:
        return "/".join([str(self.printed), *self.words])


def read_values(text: str, known: dict[str, str], rule: str) -> list[Described]:
    """``6, 5/river/oos, 4``: the value of each unit and what halves it.

    Raises:
        Unreadable: a part is no value, or there are none or more than nine.
    """
    found = []
    for part in clean(text).replace(",", " ").casefold().split():
        number, *words = part.split("/")
        if not number.isdecimal() or int(number) > 30 or any(word not in known for word in words):
            more = ", ".join(f"6/{word}" for word in dict.fromkeys(known.values()))
            raise Unreadable(f"'{part}' is no value of a unit", rule=rule, cure=f"Type 6 or {more}, with commas between")
        found.append(Described(int(number), tuple(dict.fromkeys(known[word] for word in words))))
    if not 1 <= len(found) <= 9:
        raise Unreadable(f"{len(found)} units described, 1 to 9 needed", rule=rule)
    return found


def _notation(name: str, example: str, known: dict[str, str], rule: str) -> Notation:
    return Notation(name, example, lambda text: ", ".join(map(str, read_values(text, known, rule))))


ATTACK = _notation("attack values", "6, 5/river", _ATTACK, "2.2.6")
DEFENCE = _notation("defence values", "4, 3/disrupted", _DEFENCE, "2.2.7")


class Sides(NamedTuple):
    """Both sides of a described combat."""

    ours: list[Value]
    theirs: list[Value]


async def describe(game: IraqWar) -> Sides:
    """Ask for both sides in the words of the table."""
    attack = read_values(await game.text("attack", "Attack values (6, 5/river/oos)", "2.2.6", ATTACK), _ATTACK, "2.2.6")
    text = await game.text("defence", "Defence values (4, 3/disrupted)", "2.2.7", DEFENCE)
    defence = read_values(text, _DEFENCE, "2.2.7")
    return Sides(
        [
            attack_value(f"attacker {at}", one.printed, "river" in one.words, "oos" in one.words)
            for at, one in enumerate(attack, 1)
        ],
        [defence_value(f"defender {at}", one.printed, "disrupted" in one.words) for at, one in enumerate(defence, 1)],
    )


async def clash(game: IraqWar, steps: bool) -> tuple[Clash, Sides]:
    """A described combat on paper. ``steps``: ask for what only odds need."""
    sides = await describe(game)
    left = await game.number("left", "Columns left by the defender's terrain (the number before L)", "13.3(5)", 0, 9, 0)
    cells = {name: text.split(", ") for name, text in (await game.known("crt", "13.4")).items()}
    many = await game.number("steps", "Strength steps of the defender", "13.4.1", 1, 18, len(sides.theirs)) if steps else 1
    city = await game.confirm("city", "Defender in a city (a retreat may be ignored)", "13.5(8)", False) if steps else False
    attack, defence = (sum(value.counts for value in values) for values in (sides.ours, sides.theirs))
    return Clash(attack, defence, -left, 2 * len(sides.ours), many, False, city, full_cells(cells)), sides


async def quick_combat(game: IraqWar) -> None:
    """[13.1(5)] One described combat: column, die, result."""
    found, sides = await clash(game, False)
    shift = await game.number("shift", "Columns by air support (negative: for the defender)", "13.3(2)", -9, 9, 0)
    total = shift + found.shift
    name = column(found.attack, found.defence, total)
    game.say(
        f"Attack {total_text(sides.ours)} against {total_text(sides.theirs)}: "
        f"{ratio_text(found.attack, found.defence)}, shift {total:+d} -> column {name}.",
        "13.3",
        *(value.line for value in [*sides.ours, *sides.theirs]),
    )
    request = Roll("combat", f"Combat die, column {name}", "13.4")
    request.odds = lambda: clash_odds(found._replace(shift=total))
    face = (await request)[0]
    result = str(read_result(await chart_cell(game, name, face)))
    game.say(f"Combat die {face} in column {name}: {result if result != '-' else 'no effect'}.", "13.4")

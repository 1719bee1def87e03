"""[13.0] A combat between forces that are only described: for a quick look-up at the table, and for odds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.position import Position
from companion.core.words import clean, plural
from companion.games.iraqwar2003.names import MAP, UNIT
from companion.games.iraqwar2003.odds.combat import Outlook, at_the_die
from companion.games.iraqwar2003.odds.paper import Paper
from companion.games.iraqwar2003.referee import IraqWar
from companion.games.iraqwar2003.rules.r13_ratio import Clash, attack_value, defence_value
from companion.games.iraqwar2003.rules.r13_results import Attack, strike
from companion.games.iraqwar2003.words.counters import IRAQI, KDP

_ATTACK = {"r": "river", "river": "river", "oos": "oos"}
_DEFENCE = {"d": "disrupted", "disrupted": "disrupted"}


class Described(NamedTuple):
    """A described unit: its value and what halves it."""

    printed: int
    words: tuple[str, ...]

    def __str__(self) -> str:
        return "/".join([str(self.printed), *self.words])


def read_values(text: str, known: Mapping[str, str], rule: str) -> list[Described]:
    """``6, 5/river/oos, 4``: the value of each unit and what halves it.

    Raises:
        Unreadable: a part is no value, or there are none or more than nine.
    """
    found = []
    for part in clean(text).replace(",", " ").casefold().split():
        number, *words = part.split("/")
        if not number.isdecimal() or int(number) > 30 or any(word not in known for word in words):
            more = ", ".join(f"6/{word}" for word in dict.fromkeys(known.values()))
            raise Unreadable(f"'{part}' is not the value of a unit", rule=rule, cure=f"Type 6 or {more}, with commas between")
        found.append(Described(int(number), tuple(dict.fromkeys(known[word] for word in words))))
    if not 1 <= len(found) <= 9:
        raise Unreadable(f"{plural(len(found), 'unit')} described, 1 to 9 needed", rule=rule)
    return found


def _notation(name: str, example: str, known: Mapping[str, str], rule: str) -> Notation:
    return Notation(name, example, lambda text: ", ".join(map(str, read_values(text, known, rule))))


ATTACK = _notation("attack values", "6, 5/river", _ATTACK, "2.2.6")
DEFENCE = _notation("defence values", "4, 3/disrupted", _DEFENCE, "2.2.7")


async def described_clash(game: IraqWar) -> Clash:
    """Ask for both sides in the words of the table."""
    ours = read_values(await game.text("attack", "Which values attack? (6, 5/river/oos)", "2.2.6", ATTACK), _ATTACK, "2.2.6")
    theirs = read_values(await game.text("defence", "Which values defend? (4, 3/disrupted)", "2.2.7", DEFENCE), _DEFENCE, "2.2.7")
    left = await game.number("left", "Columns left by the defender's terrain (the number before L)", "13.3(5)", 0, 9, 0)
    return Clash(
        tuple(attack_value(f"attacker {at}", one.printed, "river" in one.words, "oos" in one.words) for at, one in _number(ours)),
        tuple(defence_value(f"defender {at}", one.printed, "disrupted" in one.words) for at, one in _number(theirs)),
        left=left,
    )


def _number(units: list[Described]) -> list[tuple[int, Described]]:
    return list(enumerate(units, 1))


def sketch(game: IraqWar, clash: Clash, steps: int, city: bool) -> tuple[Paper, Attack]:
    """The described forces on paper: attackers of two strength steps, and the defender's as that many units of one, since he
    spreads his losses as he likes [13.4.1].
    """
    paper = Paper(game, position=Position())
    sides = ((KDP, 2, len(clash.ours)), (IRAQI, 1, steps))
    attackers, defenders = (
        tuple(
            paper.make(UNIT, f"{nation} {number}", MAP, "13.4.1", values={"nation": nation, "steps": many})
            for number in range(1, count + 1)
        )
        for nation, many, count in sides
    )
    return paper, Attack(attackers, defenders, terrain="major_city" if city else "plain", left=clash.left)


async def outlook(game: IraqWar, clash: Clash, steps: int = 1, city: bool = False) -> Outlook:
    """The described combat as it lies ahead, with the chart as it is known."""
    paper, attack = sketch(game, clash, steps, city)
    return Outlook(paper, attack, await game.known_facts("crt", "13.4"), clash)


async def described_combat(game: IraqWar) -> None:
    """[13.1(5)] One described combat: column, die, result."""
    clash = await described_clash(game)
    shift = await game.number("shift", "Columns by air support (negative: for the defender)", "13.3(2)", -9, 9, 0)
    ahead = await outlook(game, clash)
    await strike(game, clash, shift, at_the_die(ahead.paper, ahead.attack, ahead.paper.told))

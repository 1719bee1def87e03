"""[9.0] OPFOR morale."""

from __future__ import annotations

from functools import cache

from companion.core.dice import RollOutcome, grouped_rolls
from companion.core.requests import Number, Roll
from companion.core.text import die_range
from companion.games.fallujah2004.referee import MORALE, STAND, Fallujah, all_told, holy_spaces


def occupied(game: Fallujah) -> int:
    """Mosque and Objective spaces with any Coalition unit in them [9.2] (ruling C-9), as far as they are known."""
    return min(len(holy_spaces(game.position, lambda unit: True)), 20)


@cache
def _outcomes(held: int) -> tuple[RollOutcome, ...]:
    """The two outcomes of a check."""
    return grouped_rolls(3, 6, 1, lambda roll: sum(roll) <= held)


def _falls(held: int) -> str:
    """With what total morale falls."""
    return f"falls on {die_range(3, held)}" if held > 2 else "cannot fall"


async def tested(held: int, why: str = "") -> tuple[tuple[int, ...], int]:
    """[9.2] Three dice against the Mosque and Objective spaces held: the dice, and -1 if morale falls or 1 if it rises."""
    roll = await Roll(
        "morale",
        lambda: f"Morale check ({why}), three dice: OPFOR morale {_falls(held)}, else it rises",
        "9.2",
        3,
        outcomes=lambda: _outcomes(held),
    )
    return roll, -1 if sum(roll) <= held else 1


def moved(level: int, by: int) -> int:
    """[9.2] The level after a check: never below Low nor above Fanatic."""
    return min(max(level + by, 0), len(MORALE) - 1)


async def morale_check(game: Fallujah, why: str) -> None:
    """[9.2] The check, against the Mosque and Objective spaces that the Coalition occupies."""
    held = await ask_held(game)
    roll, by = await tested(held, why)
    total = sum(roll)
    was = game.position.track("morale")
    now = moved(was, by)
    verdict = f"Morale check: {total}, {_falls(held)}."
    if now == was:
        game.say(f"{verdict} OPFOR morale stays {game.morale}.", "9.2")
        return
    game.say(f"{verdict} OPFOR morale {'falls' if by < 0 else 'rises'}.", "9.2", f"3d6 = {' + '.join(map(str, roll))}")
    game.set_track("morale", now, "9.2", f"{total} rolled, {_falls(held)}")


async def ask_held(game: Fallujah) -> int:
    """How many such spaces the Coalition occupies; asked where what is printed on one of them has not been told."""
    request = Number("holy_spaces", "How many Mosque and Objective spaces hold Coalition units?", "9.2", 0, 20, occupied(game))
    request.implied_reply = occupied(game) if all_told(game.position) else None
    return await request


def picks(game: Fallujah) -> int:
    """[9.3(1)] How many Reaction counters the present morale picks."""
    return game.chart("morale").number(game.morale, "picks")


async def stands(game: Fallujah, terrain: str) -> bool:
    """[9.3(2)] Whether OPFOR stands at the present morale in this terrain, as the Morale Chart prints it."""
    fact = f"stand:{game.morale}:{terrain}"
    prompt = f"What does the OPFOR Morale Chart print for {game.morale} morale, {terrain}: stand or break-off?"
    return await game.printed(fact, prompt, "9.3(2)", STAND) == "stand"

"""[9.0] OPFOR morale."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from companion.core.dice import RollOutcome, grouped_rolls
from companion.core.requests import Number, Roll
from companion.core.text import die_range
from companion.games.fallujah2004.notation import MORALE, STAND
from companion.games.fallujah2004.referee import FallujahReferee, all_known, holy_spaces


def holy_occupied(referee: FallujahReferee) -> int:
    """Mosque and Objective spaces with any Coalition unit in them [9.2] (ruling C-9), as far as they are known."""
    return min(len(holy_spaces(referee.position, lambda unit: True)), 20)


@cache
def _outcomes(held: int) -> tuple[RollOutcome, ...]:
    """The two outcomes of a check."""
    return grouped_rolls(3, 6, 1, lambda roll: sum(roll) <= held)


def _falls(held: int) -> str:
    """The totals with which morale falls, in words."""
    return f"falls on {die_range(3, held)}" if held > 2 else "cannot fall"


async def roll_morale(held: int, why: str = "") -> tuple[tuple[int, ...], int]:
    """[9.2] Three dice against the Mosque and Objective spaces held: the dice, and -1 if morale falls or 1 if it rises."""
    roll = await Roll(
        "morale",
        lambda: f"Morale check ({why}), three dice: OPFOR morale {_falls(held)}, else it rises",
        "9.2",
        3,
        outcomes=lambda: _outcomes(held),
    )
    return roll, -1 if sum(roll) <= held else 1


def level_after(level: int, by: int) -> int:
    """[9.2] The level after a check: never below Low nor above Fanatic."""
    return min(max(level + by, 0), len(MORALE) - 1)


async def morale_check(referee: FallujahReferee, why: str) -> None:
    """[9.2] The check, against the Mosque and Objective spaces that the Coalition occupies."""
    held = await ask_held(referee)
    roll, by = await roll_morale(held, why)
    total = sum(roll)
    was = referee.position.track("morale")
    now = level_after(was, by)
    verdict = f"Morale check: {total}, {_falls(held)}."
    if now == was:
        referee.say(f"{verdict} OPFOR morale stays {referee.morale}.", "9.2")
        return
    referee.say(f"{verdict} OPFOR morale {'falls' if by < 0 else 'rises'}.", "9.2", f"3d6 = {' + '.join(map(str, roll))}")
    referee.set_track("morale", now, "9.2", f"{total} rolled, {_falls(held)}")


async def ask_held(referee: FallujahReferee) -> int:
    """The number of such spaces that the Coalition occupies; asked if the ground of one of them is not known."""
    request = Number(
        "holy_spaces", "How many Mosque and Objective spaces hold Coalition units?", "9.2", 0, 20, holy_occupied(referee)
    )
    request.implied_reply = holy_occupied(referee) if all_known(referee.position) else None
    return await request


def picks(referee: FallujahReferee) -> int:
    """[9.3(1)] How many Reaction counters the present morale picks."""
    return referee.chart("morale").number(referee.morale, "picks")


def known_stand(morale: str, terrain: str, chart: Mapping[str, str]) -> bool:
    """[9.3(2)] True if OPFOR stands, as far as the Morale Chart is known; an unknown cell counts as Stand.

    Args:
        chart: The cells entered so far, by ``level:terrain``.
    """
    return chart.get(f"{morale}:{terrain}") != "break-off"


async def stands(referee: FallujahReferee, terrain: str) -> bool:
    """[9.3(2)] True if OPFOR stands at the present morale in this terrain, as the Morale Chart prints it."""
    fact = f"stand:{referee.morale}:{terrain}"
    prompt = f"What does the OPFOR Morale Chart print for {referee.morale} morale, {terrain}: stand or break-off?"
    return await referee.printed(fact, prompt, "9.3(2)", STAND) == "stand"

"""[9.0] OPFOR morale."""

from __future__ import annotations

from companion.core.dice import summed
from companion.core.requests import Roll
from companion.games.fallujah2004.referee import MORALE, STAND, Fallujah, deployed, on_map
from companion.games.fallujah2004.spaces import read_ground


def holy_spaces(game: Fallujah) -> int:
    """Mosque and Objective spaces with any Coalition unit in them [9.2] (ruling C-9)."""
    places = {piece.place for piece in deployed(game.position) if on_map(piece.place)}
    return sum(is_holy(game, place) for place in places)


def is_holy(game: Fallujah, place: str) -> bool:
    """Whether a space is known to be a Mosque or an Objective."""
    told = game.position.flag(f"space:{place}")
    return isinstance(told, str) and read_ground(told).terrain in ("objective", "mosque")


async def tested(held: int, why: str = "") -> tuple[tuple[int, ...], int]:
    """[9.2] Three dice against the Mosque and Objective spaces held: the dice, and -1 if morale falls or 1 if it rises."""
    roll = await Roll(
        "morale",
        lambda: f"Morale check ({why}): total {held} or less lowers OPFOR morale",
        "9.2",
        3,
        outcomes=lambda: summed(3, int),
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
    verdict = "lowered" if by < 0 else "raised"
    if now == was:
        game.say(f"Morale check: {total} against {held}: {verdict}, but it is {game.morale} already; no effect.", "9.2")
        return
    game.say(f"Morale check: {total} against {held}: OPFOR morale is {verdict}.", "9.2", f"3d6 = {' + '.join(map(str, roll))}")
    game.set_track("morale", now, "9.2", f"{total} against {held}")


async def ask_held(game: Fallujah) -> int:
    """How many such spaces the Coalition occupies (ruling C-9)."""
    suggest = min(holy_spaces(game), 20)
    return await game.number("holy_spaces", "Mosque and Objective spaces with Coalition units", "9.2", 0, 20, suggest)


def picks(game: Fallujah) -> int:
    """[9.3(1)] How many Reaction counters the present morale picks."""
    return game.chart("morale").number(game.morale, "picks")


async def stands(game: Fallujah, terrain: str) -> bool:
    """[9.3(2)] Whether OPFOR stands at the present morale in this terrain, as the Morale Chart prints it."""
    fact = f"stand:{game.morale}:{terrain}"
    prompt = f"OPFOR Morale Chart: morale {game.morale}, {terrain}: stand or break-off"
    return await game.printed(fact, prompt, "9.3(2)", STAND) == "stand"

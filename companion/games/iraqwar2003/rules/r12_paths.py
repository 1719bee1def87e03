"""[12.1 - 12.5] A way through hexes that are told by their digits: what the map and the units on it say of each.

What is not told and counts is asked once, in the words of a way, and remembered.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.notation import Notation
from companion.core.position import Piece
from companion.games.iraqwar2003.names import other
from companion.games.iraqwar2003.referee import IraqWar
from companion.games.iraqwar2003.rules.r02_map import ask_orientation, learn
from companion.games.iraqwar2003.rules.r09_zones import Walk, closed_zones, unplaced, walk
from companion.games.iraqwar2003.words.counters import side_of
from companion.games.iraqwar2003.words.land import CITY, LARGE, MINOR, NO, NOTHING, PORT, YES, Ground, Land, land_of, pair
from companion.games.iraqwar2003.words.places import hex_of
from companion.games.iraqwar2003.words.ways import Way, Words, as_words, read_words

_SEEN = frozenset({"zoc", "enemy", "edge", "sea", "lake"})
"""Words that are not learnt: of what stands on the map, and of water, which may be the hex or only its side."""


async def worked_out(game: IraqWar, pieces: Sequence[Piece], way: Way, fly: bool) -> Way:
    """[12.2, 12.3] A way of hexes with the words that it has: what was typed of them is learnt, what is known fills them.

    Args:
        pieces: who goes. fly: whether all of them fly.
    """
    if not any(way.numbers):
        return way
    start = way.at or hex_of(pieces)
    await ask_orientation(game)
    _adjacent(game, start, way.numbers)
    for at, words in enumerate(way.hexes):
        if words:
            await learn(game, told_by(game, _before(start, way, at), way.numbers[at], words), "12.2")
    found = walk(game.position, pieces, start, way.numbers, fly)
    if missing := _missing(land_of(game.position), found, start, way):
        way = await _asked(game, missing, start, way)
        found = walk(game.position, pieces, start, way.numbers, fly)
    _say_zones(game, pieces)
    _closed(game, pieces, way)
    hexes = tuple(_merged(way, at, found, _before(start, way, at)) for at in range(len(way.hexes)))
    return way._replace(start=way.start | found.start, hexes=hexes, at=start)


def _before(start: str, way: Way, at: int) -> str:
    """The hex from which one of a way is entered; "" where its digits were not told."""
    return way.numbers[at - 1] if at else start


def _adjacent(game: IraqWar, start: str, numbers: Sequence[str]) -> None:
    """[12.1(3)] Each hex of a way lies beside the one before."""
    land = land_of(game.position)
    for here, there in zip([start, *numbers], numbers, strict=False):
        if here and there and land.adjacent(here, there) is False:
            around = " ".join(land.neighbours(here))
            game.forbid(f"{there} is not adjacent to {here}", "12.1(3)", f"Around {here} are {around}")


def _merged(way: Way, at: int, found: Walk, before: str) -> Words:
    """The words of a hex: by the map where it is told which it is and from where it is entered, else as typed."""
    if not way.numbers[at]:
        return way.hexes[at]
    words = found.hexes[at] | way.hexes[at] & _SEEN if before else found.hexes[at] | way.hexes[at]
    return words - {"plain"} or frozenset({"plain"})


def _say_zones(game: IraqWar, pieces: Sequence[Piece]) -> None:
    """[12.3] Zones of control of units whose hex is not told are the player's to see."""
    if not game.quiet and (away := unplaced(game.position, other(side_of(pieces[0])))):
        text = f"{len(away)} enemy units stand in hexes that are not told: type zoc behind a hex in their zones of control."
        game.say(text, "12.3", tone="reminder")


def _closed(game: IraqWar, pieces: Sequence[Piece], way: Way) -> None:
    """[16.10(3), 16.10(4)] Hexes that the Turkish unit keeps others out of, or others it."""
    closed = closed_zones(game.position, pieces)
    for number in way.numbers:
        if number in closed:
            text = f"{number} lies in a zone of control that {game.piece_names(pieces)} may not enter"
            game.forbid(text, closed[number], "Only Kurdish units and the Turkish one meet so")


# -- what is not told ----------------------------------------------------------------------------------------------------


async def _asked(game: IraqWar, missing: Sequence[int], start: str, way: Way) -> Way:
    """[12.2] The way with words for the hexes of which something that counts was not told: one question for all of them."""
    legs = ", ".join(f"{_before(start, way, at)}>{way.numbers[at]}" for at in missing)
    prompt = f"Not told yet: {legs}. Each in words (road, river, large, swamp, city, plain), in order, or one word for all"

    def read(text: str) -> str:
        return ", ".join(map(as_words, read_words(text, len(missing))))

    text = await game.text("ground", prompt, "12.2", Notation("words of hexes", "road, plain river", read))
    hexes = list(way.hexes)
    for at, words in zip(missing, read_words(text, len(missing)), strict=True):
        await learn(game, told_by(game, _before(start, way, at), way.numbers[at], words), "12.2")
        hexes[at] |= words & _SEEN
    return way._replace(hexes=tuple(hexes))


def _missing(land: Land, found: Walk, start: str, way: Way) -> list[int]:
    """The hexes of a way of which a fact is unknown that counts there."""
    if not found.unknown:
        return []
    keys = {key.partition(":")[2] for key in found.unknown}
    legs = [(_before(start, way, at), number) for at, number in enumerate(way.numbers)]
    return [at for at, (here, there) in enumerate(legs) if _joined(land, here, there) and keys & {pair(here, there), there}]


def _joined(land: Land, here: str, there: str) -> bool:
    """Whether both hexes are told, and there is a side between them."""
    return bool(here and there) and land.adjacent(here, there) is not False


def told_by(game: IraqWar, here: str, there: str, words: Words) -> dict[str, str]:
    """What the words of a hex tell for ever of it and of the side into it, by full keys: a word that is missing says that
    there is no such thing, unless it was told before; along a road, rivers and terrain do not count and may go unsaid [12.2(4)].
    """
    printed = words - _SEEN
    if not printed or not there:
        return {}
    land, road = land_of(game.position), "road" in printed
    found: dict[str, str] = {}
    if _joined(land, here, there):
        water = LARGE if "large" in printed else MINOR if "river" in printed else ""
        if road or land.road(here, there) is None:
            found[f"road:{pair(here, there)}"] = YES if road else NO
        if water or not (road or land.water(here, there)):
            found[f"side:{pair(here, there)}"] = water or NOTHING
    ground = _ground(land.ground(there), printed, road)
    return found if ground == land.ground(there) else found | {f"hex:{there}": str(ground)}


def _ground(known: Ground, printed: Words, road: bool) -> Ground:
    """The terrain of a hex after some words of it."""
    said = next((word for word in ("swamp", "mountain") if word in printed), "")
    if CITY in printed and CITY not in known.ground:
        said = CITY
    if not (said or known.ground or road):
        said = "plain"
    return known._replace(ground=said or known.ground, port=known.port or PORT in printed)

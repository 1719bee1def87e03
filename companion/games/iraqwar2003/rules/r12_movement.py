"""[12.0] What a way costs, hex by hex, and what the rules forbid on it. Points are counted in halves."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from companion.core.charts import Chart
from companion.games.iraqwar2003.names import MOUNTAINS
from companion.games.iraqwar2003.referee import IraqWar
from companion.games.iraqwar2003.words.ways import WAY, Way, read_way


class Mover(NamedTuple):
    """Who goes: a movement value [2.2.8], and whether it flies [12.5]."""

    name: str
    move: int
    fly: bool = False


class Cost(NamedTuple):
    """What a way costs one mover.

    Attributes:
        halves: movement points spent, in halves. left: points left, in halves (negative: too few).
        faults: what is forbidden, each with its rule.
        way: it. paid: of each of its hexes, what it costs, each part with its reason.
    """

    halves: int
    left: int
    faults: tuple[tuple[str, str], ...]
    way: Way
    paid: tuple[Sequence[tuple[str, int]], ...]

    def lines(self) -> tuple[str, ...]:
        """Each hex with its cost."""
        return tuple(
            f"hex {number} ({self.way.title(number - 1)}): {' + '.join(f'{points(part)} {why}'.strip() for why, part in parts)}"
            for number, parts in enumerate(self.paid, 1)
        )


def points(halves: int) -> str:
    """``2 1/2``, ``3``, ``1/2``."""
    whole, half = divmod(abs(halves), 2)
    text = f"{whole or ''}{' ' if whole and half else ''}{'1/2' if half else ''}" or "0"
    return f"-{text}" if halves < 0 else text


def road_rate(way: Way) -> bool:
    """[12.4] Half a point a hex: roads all the way from a road hex on [12.4(1)], and never in an enemy zone of control, where it
    starts included [12.4(2)].
    """
    begins = bool(way.hexes) and not way.from_zoc and not way.off_road
    return begins and all("road" in words and "zoc" not in words for words in way.hexes)


@lru_cache(maxsize=32)
def _halves(text: str) -> int:
    return int(2 * Fraction(text))


def halves(chart: Chart, row: str) -> int:
    """What the chart of movement costs says, in half points."""
    return _halves(chart.text(row, "cost"))


def zone_cost(before: bool, here: bool, chart: Chart) -> tuple[str, int]:
    """[12.3] Entering a zone of control, leaving one, or going from one to another; in words, and in halves."""
    if before and here:
        return "zone to zone", halves(chart, "zoc to zoc")
    if before or here:
        return ("leaving a zone", halves(chart, "zoc out")) if before else ("entering a zone", halves(chart, "zoc in"))
    return "", 0


def cost(way: Way, mover: Mover, chart: Chart) -> Cost:
    """[12.1 - 12.5] The way of one mover, with everything that is wrong with it."""
    spent = 0
    paid: list[Sequence[tuple[str, int]]] = []
    faults: list[tuple[str, str]] = []
    cheap = road_rate(way) and not mover.fly
    zoc = way.from_zoc
    for number, words in enumerate(way.hexes, 1):
        last = number == len(way.hexes)
        here = "zoc" in words
        if mover.fly:
            parts = _flown(words, last, chart, faults)
        else:
            parts = walked(words, number, last, (zoc, here), cheap, chart, faults)
        for _, part in parts:
            spent += part
        paid.append(parts)
        zoc = here
    left = 2 * mover.move - spent
    zones = not mover.fly and (way.from_zoc or any("zoc" in words for words in way.hexes))
    if left < 0:
        faults.append(
            (
                f"{mover.name} has {mover.move} movement points and the way costs {points(spent)}",
                "12.3(4)" if zones else "12.1(2)",
            )
        )
    return Cost(spent, left, tuple(faults), way, tuple(paid))


def _closed(words: frozenset[str], faults: list[tuple[str, str]]) -> None:
    if "enemy" in words:
        faults.append(("an enemy ground unit is in that hex", "12.1(4)"))
    if "edge" in words:
        faults.append(("movement never leaves the map", "12.1(5)"))


def _flown(words: frozenset[str], last: bool, chart: Chart, faults: list[tuple[str, str]]) -> list[tuple[str, int]]:
    """[12.5(1), 12.5(2)] One point, whatever lies below; roads make no difference [12.5(5)]."""
    _closed(words, faults)
    if last and words & {"sea", "lake"}:
        text = "a flying unit cannot end in a hex that is all water (if only the side is, leave the word out)"
        faults.append((text, "12.5(3)"))
    return [("flying", halves(chart, "flying"))]


def walked(
    words: frozenset[str],
    number: int,
    last: bool,
    zones: tuple[bool, bool],
    cheap: bool,
    chart: Chart,
    faults: list[tuple[str, str]],
) -> list[tuple[str, int]]:
    """[12.1(3), 12.2 - 12.4] What entering a hex costs on the ground, in halves, each part with its reason.

    Args:
        words: of the hex and of the side into it.
        number: of the hex on its way, from 1.
        last: whether the way ends there.
        zones: whether the hex before, and this one, lie in enemy zones of control.
        cheap: whether the way goes at the rate of roads.
        faults: what is forbidden is added, each with its rule.
    """
    _closed(words, faults)
    if cheap:
        return [("road", halves(chart, "road"))]
    parts = [("", halves(chart, "plain"))]
    if "road" not in words:  # along a road the terrain does not count [12.2(4)]
        if words & {"sea", "lake"}:
            faults.append(("only flying units cross or enter what is all water", "12.2(5)"))
        if "river" in words:
            parts.append(("minor river", halves(chart, "river")))
        if words & {"swamp", "mountain"} and not last:
            faults.append(("a swamp or mountain hex ends the movement", "12.2(1)" if "swamp" in words else "16.9"))
        if "large" in words:
            _large_river(number, last, zones, faults)
    return [*parts, zone_cost(*zones, chart)] if any(zones) else parts


def _large_river(number: int, last: bool, zones: tuple[bool, bool], faults: list[tuple[str, str]]) -> None:
    """[12.2(3)] A large river is the first and only thing that a unit crosses, and never from zone to zone."""
    if number > 1:
        faults.append(("a large river is crossed only from the hex where the segment begins", "12.2(3)"))
    if not last:
        faults.append(("crossing a large river ends the movement", "12.2(3)"))
    if all(zones):
        faults.append(("a large river is not crossed from one enemy zone of control into another", "12.2(3)"))


def movement_value(printed: int, fly: bool, oos: bool, storm: bool) -> tuple[int, bool]:
    """[10.0(6), 16.6(4)] The movement value as it counts now, and whether the unit flies; fractions are dropped."""
    value = printed // 2 if oos else printed
    if fly and storm:
        return value // 2, False
    return value, fly


def tell_cost(game: IraqWar, mover: Mover, found: Cost) -> None:
    """Says what a way costs and what is left."""
    if game.quiet:
        return
    text = f"{mover.name}: {points(found.halves)} of {mover.move} MP, {points(max(found.left, 0))} left"
    if not mover.fly and not found.faults and 0 <= found.left < 6:  # the hex itself and the zone [12.3]
        text += "; too few to leave or enter a zone of control"
    game.say(f"{text}.", "12.1(2)", *found.lines())


def as_ruled(game: IraqWar, way: Way) -> Way:
    """[16.9] The way as it counts: without the option a mountain is plain ground."""
    if game.on(MOUNTAINS) or (all(way.hexes) and not any("mountain" in words for words in way.hexes)):
        return way
    return way._replace(hexes=tuple(words - {"mountain"} or frozenset({"plain"}) for words in way.hexes))


def forbid_faults(game: IraqWar, faults: Sequence[tuple[str, str]]) -> None:
    """Says no to each thing that is wrong with a way; where the player insists, each is recorded."""
    for text, rule in dict.fromkeys(faults):
        game.forbid(text, rule, "Name another way")


async def cost_of_a_way(game: IraqWar) -> None:
    """[12.2, 12.3] A look-up that needs no unit: movement value, flying or not, the way."""
    move = await game.number("move", "What is its movement value?", "2.2.8", 0, 30)
    fly = await game.confirm("fly", "Is it a flying unit? (white movement value)", "12.5", suggest=False)
    way = as_ruled(game, read_way(await game.text("way", "Which hexes does it enter? (in order; from zoc first)", "12.2", WAY)))
    mover = Mover("The unit", move, fly)
    found = cost(way, mover, game.chart("movement"))
    rest = f"{points(found.left)} of {move} are left" if found.left >= 0 else f"{points(-found.left)} more than there are"
    game.say(f"The way costs {points(found.halves)} MP; {rest}.", "12.1(2)", *found.lines())
    for text, rule in dict.fromkeys(found.faults):
        game.say(f"Forbidden: {text}.", rule, tone="warning")

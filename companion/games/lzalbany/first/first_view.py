"""What our opponent sees: numbers about candidates, from the position and what is told of the map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.advice import Advice, advise, read_priorities
from companion.core.map import space_distances
from companion.core.position import Piece
from companion.games.lzalbany.names import NVA, UNIT, US, WOUNDED
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules.r06_stacking import fire_pools
from companion.games.lzalbany.rules.r07_infantry import aim_at, answer_pool, force_of, ranged_targets
from companion.games.lzalbany.rules.r07_melee import pools
from companion.games.lzalbany.rules.r08_hits import REDUCED
from companion.games.lzalbany.words.areas import ALBANY, COLUMBUS, FAR, JUNGLE, TRANSITION
from companion.games.lzalbany.words.counters import enemy, hits_on, is_artillery, is_infantry, may_fire, strength, target_of

_ODDS = {US: (3, 2), NVA: (1, 1)}
"""The dice ratio at which a side seeks a melee: the US pays twice for a reduced platoon, so it wants more."""


class Option(NamedTuple):
    """A candidate: its name, what it stands for, and the numbers that priorities look at, by measure."""

    name: str
    value: Any
    facts: Mapping[str, int]


def weigh(game: LzAlbany, decision: str, options: Sequence[Option]) -> Advice[Option] | None:
    """The advice of one list of priorities; None where there is nothing to choose."""
    if not options:
        return None
    measures = {name: _measure(name) for name in options[0].facts}
    return advise(options, read_priorities(game.book.priorities, decision, measures), measures, lambda option: option.name)


def _measure(name: str) -> Any:
    return lambda option: option.facts[name]


def threats(game: LzAlbany, side: str, area: str) -> int:
    """Adjacent areas with enemy platoons."""
    return sum(bool(game.units(there, enemy(side))) for there in game.map.beside(area))


def fire_dice(game: LzAlbany, side: str, area: str, units: Sequence[Piece], officers: int, place: str) -> int:
    """Dice of infantry fire from one area at another; terrain never told counts as open."""
    aim = aim_at(game, side, place, game.dark(area, place))
    return fire_pools(game.rules, force_of(game, side, area, units, officers), [aim], ())[0].dice


def answer_dice(game: LzAlbany, side: str, area: str, place: str) -> int:
    """Dice of the return fire, if nobody is hit first."""
    return answer_pool(game, enemy(side), place, area).dice


def melee_dice(game: LzAlbany, side: str, area: str, units: Sequence[Piece], officers: int) -> tuple[int, int]:
    """Dice of both sides if these units fought in an area."""
    mine, theirs = pools(game, side, area, units, officers)
    return mine.dice, theirs.dice


def area_facts(game: LzAlbany, side: str, area: str) -> dict[str, int]:
    """What a target area is worth to a side."""
    there = [target_of(p) for p in game.pieces(area, enemy(side), UNIT, WOUNDED)]
    units = [one for one in there if one.kind == UNIT]
    return {
        "points": max(map(game.book.wishes.points, there), default=0),
        "units": len(units),
        "hits": sum(one.hits for one in units),
        "strength": sum(one.strength for one in units),
        "takers": sum(max(0, REDUCED - 1 - one.hits) for one in units),
        "friends_next": sum(bool(game.units(next_one, side)) for next_one in game.map.beside(area)),
        "dice": 0,
        "answer": 0,
    }


def infantry_of(game: LzAlbany, group: str) -> dict[str, list[Piece]]:
    """Infantry of a group that can fire, by area."""
    found: dict[str, list[Piece]] = {}
    for piece in game.group(group):
        able = piece.kind == UNIT and is_infantry(piece) and strength(piece, "fire")
        if able and piece.place != TRANSITION and may_fire(piece):
            found.setdefault(piece.place, []).append(piece)
    return {area: units for area, units in found.items() if not game.disputed(area)}


def best_fire(game: LzAlbany, side: str, area: str, units: Sequence[Piece], group: str) -> tuple[int, int, int]:
    """The best fire from an area: dice, dice of the answer, points of the next hit. Zeros where there is none."""
    officers = sum(p.values.get("group") == group for p in game.officers(area, side))
    found = [
        (
            fire_dice(game, side, area, units, officers, place),
            answer_dice(game, side, area, place),
            area_facts(game, side, place)["points"],
        )
        for place in ranged_targets(game, side, area)
        if game.map.adjacent(area, place)
    ]
    return max(found, key=lambda one: (one[0] - one[1] // 2, one[2]), default=(0, 0, 0))


def worthwhile(mine: int, theirs: int) -> bool:
    """Whether dice are worth the dice of the answer: three for two at worst."""
    return mine > 0 and 3 * mine >= 2 * theirs


class Field:
    """Distances that a plan of moves needs, worked out once."""

    def __init__(self, game: LzAlbany, side: str) -> None:
        where = game.map
        self.game, self.side, self.map = game, side, where
        self.enemy = space_distances(where.told.links, game.held(enemy(side)))
        self.albany = space_distances(where.told.links, [ALBANY])
        self.coming: dict[str, int] = {}

    def goals(self, area: str) -> list[str]:
        """Areas that units of the side may enter from here."""
        if area == COLUMBUS:
            if self.side == US and self.game.stack(COLUMBUS, NVA):
                return []
            return [a for a in self.map.known() if self.map.edge(a) == "east"]
        if area == TRANSITION:
            return [] if self.game.rapid else [COLUMBUS]
        found = list(self.map.beside(area))
        if self.side == NVA and self.map.edge(area) == "east" and self._columbus_calls():
            found.append(TRANSITION)
        return found

    def _columbus_calls(self) -> bool:
        """LZ Columbus is worth a visit when nobody but the guns is there."""
        units = self.game.units(COLUMBUS, US)
        return bool(units) and all(map(is_artillery, units))

    def facts(self, here: str, there: str, units: Sequence[Piece], officers: int) -> dict[str, int]:
        """The numbers of one destination for units in one area."""
        side, game = self.side, self.game
        stack = game.stack(there, side) + self.coming.get(there, 0) + (0 if here == there else len(units))
        against = bool(game.units(there, enemy(side))) and there != TRANSITION
        mine, theirs = melee_dice(game, side, there, units, officers) if against and here != there else (0, 0)
        good = against and here != there and mine >= _ODDS[side][0] * theirs / _ODDS[side][1] and mine > 0
        return {
            "bad_assault": int(against and here != there and not good),
            "assault": 100 * mine // (theirs + 1) if good else 0,
            "crowded": int(stack > game.book.stacking.limit),
            "in_touch": int(self.enemy.get(there, FAR) == 1),
            "enemy_distance": self.enemy.get(there, FAR),
            "albany_distance": self.albany.get(there, FAR),
            "threats": threats(game, side, there),
            "jungle": int(self.map.terrain(there) == JUNGLE),
            "stay": int(here == there),
        }


def unit_facts(game: LzAlbany, piece: Piece) -> dict[str, int]:
    """What a single unit is worth as a target."""
    one = target_of(piece)
    return {
        "points": game.book.wishes.points(one),
        "hits": hits_on(piece),
        "loss": one.loss,
        "strength": one.strength,
        "guns": sum(map(is_infantry, game.units(piece.place, NVA))),
    }

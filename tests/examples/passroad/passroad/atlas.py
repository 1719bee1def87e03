"""The map, as `companion map` draws it: it stands in the rules, so that nobody need tell it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.core.errors import Unreadable
from companion.core.map import AREAS, PRINTED, GameMap, Link, Map, Space, Stack
from companion.core.position import Piece, Position
from companion.core.text import clean, pick_name

from .referee import COLUMN

if TYPE_CHECKING:
    from .game import PassRoad

SIGNS = {"open": ".", "wood": "w", "gully": "g", "height": "^"}


class PassRoadMap(GameMap):
    """[1.1] Twelve areas, roads and tracks."""

    game: PassRoad
    space = "area"

    def read_name(self, text: str) -> str:
        areas = self.game.land.areas
        try:
            return pick_name(clean(text), areas, "area")
        except Unreadable as fault:
            raise Unreadable(fault.message, rule="1.1", cure=f"You can name: {', '.join(areas)}") from None

    def form_spaces(self, facts: Mapping[str, str]) -> Sequence[str]:
        return self.game.land.areas

    def build(
        self, position: Position, options: Mapping[str, str], facts: Mapping[str, str], learnt: Collection[str] = ()
    ) -> Map:
        land = self.game.land
        spaces = [
            Space(
                area, self.game.places[area], land.ground(area), _features(position, area), PRINTED, land.at(area),
                SIGNS[land.ground(area)], _stacks(self.game, position, area),
            )
            for area in land.areas
        ]  # fmt: skip
        links = [
            Link(one, other, how, PRINTED)
            for how, ways in (("road", land.road), ("track", land.track))
            for one, others in ways.items()
            for other in others
            if land.areas.index(one) < land.areas.index(other)
        ]
        signs = {**{sign: ground for ground, sign in SIGNS.items()}, "C": "the column", "B": "bands"}
        return Map(self.game.title, AREAS, spaces, links, {"player": "the column", "bands": "the bands"}, signs)


def _features(position: Position, area: str) -> tuple[str, ...]:
    rocks = any(piece.name == "Rocks" for piece in position.at(area))
    return (*(["rockfall"] if rocks else []), *(["scouted"] if position.flag("scouted") == area else []))


def _stacks(game: PassRoad, position: Position, area: str) -> tuple[Stack, ...]:
    def titles(pieces: Sequence[Piece]) -> tuple[str, ...]:
        return tuple(game.piece_title(piece) for piece in pieces)

    here = position.at(area)
    column = position.at(COLUMN) if any(piece.name == "Column" for piece in here) else []
    bands = [piece for piece in here if piece.kind == "band"]
    found = [Stack("player", "C", titles(column))] if column else []
    return (*found, *([Stack("bands", "B", titles(bands))] if bands else []))

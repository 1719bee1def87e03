"""The map as `companion map` and the page draw it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from companion.core.map import AREAS as NEAR
from companion.core.map import PRINTED, GameMap, Link, Map, Space, Stack
from companion.core.position import Position
from companion.core.text import clean, pick_name

from .areas import AREAS

SIGNS = {"open": ".", "quay": "=", "marsh": "~", "wood": "w", "houses": "#"}


class FerryMap(GameMap):
    """[1.1] Thirteen areas."""

    space = "area"

    def read_name(self, text: str) -> str:
        return pick_name(clean(text), list(AREAS), "area", cure=f"You can name: {', '.join(AREAS)}")

    def form_spaces(self, facts: Mapping[str, str]) -> Sequence[str]:
        return list(AREAS)

    def build(
        self, position: Position, options: Mapping[str, str], facts: Mapping[str, str], learnt: Collection[str] = ()
    ) -> Map:
        spaces = [
            Space(area, title, ground, (), PRINTED, cell, SIGNS[ground], self._stacks(position, area))
            for area, (title, ground, cell, _) in AREAS.items()
        ]
        links = [Link(area, other, "", PRINTED) for area, (*_, near) in AREAS.items() for other in near if area < other]
        sides = {"player": "companies", "enemy": "enemies"}
        signs = {**{sign: ground for ground, sign in SIGNS.items()}, "C": "companies", "E": "enemies"}
        return Map(self.game.title, NEAR, spaces, links, sides, signs)

    def _stacks(self, position: Position, area: str) -> tuple[Stack, ...]:
        stacks = []
        for side, letter in (("player", "C"), ("enemy", "E")):
            names = tuple(self.game.piece_title(piece) for piece in position.at(area) if self.game.side(piece) == side)
            stacks += [Stack(side, letter, names)] if names else []
        return tuple(stacks)

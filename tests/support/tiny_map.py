"""The map of the made-up game: four spaces and the paths between them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.core.errors import Unreadable
from companion.core.map import AREAS, LEARNT, TOLD, Column, GameMap, Link, Map, Space, Stack
from companion.core.position import Position
from companion.core.text import clean

SPACES = ("camp", "ford", "hill-1", "hill-2")


class TinyMap(GameMap):
    """[2.1] Ground of each space; paths between two."""

    columns = (Column("ground", "ground"), Column("paths", "path", "/", "easy"))
    example = "camp marsh; paths ford, hill-1 steep"

    def read_name(self, text: str) -> str:
        found = clean(text).casefold()
        if found not in SPACES:
            raise Unreadable(f"the map has no space '{clean(text)}'", rule="2.1", cure=f"You can name: {', '.join(SPACES)}")
        return found

    def form_spaces(self, facts: Mapping[str, str]) -> tuple[str, ...]:
        return SPACES

    def build(
        self, position: Position, options: Mapping[str, str], facts: Mapping[str, str], learnt: Collection[str] = ()
    ) -> Map:
        spaces = []
        for name in SPACES:
            key = f"ground:{name}"
            here = tuple(piece.name for piece in position.at(name) if piece.kind == "unit")
            stacks = (Stack("ours", "U", here),) if here else ()
            source = LEARNT if key in learnt else TOLD if key in facts else ""
            spaces.append(Space(name, ground=facts.get(key, ""), source=source, stacks=stacks))
        links = [
            Link(*self.spaces_of(key), value, LEARNT if key in learnt else TOLD)
            for key, value in facts.items()
            if key.startswith("path:")
        ]
        return Map("The Ford", AREAS, spaces, links, {"ours": "Ours"})

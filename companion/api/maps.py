"""The map of a game as a program sees it: spaces, neighbours, lines of sight."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.core.errors import Unreadable
from companion.core.game import Game
from companion.core.position import Position
from companion.core.text import clean

if TYPE_CHECKING:
    from companion.core.map import Space


class KnownMap:
    """The map as far as it is known, with the pieces on it.

    Attributes:
        spaces: Name -> space, with ``title``, ``ground`` (its terrain), ``features``, ``stacks`` and ``cell``, where it is drawn.
    """

    def __init__(self, game: Game, position: Position, options: Mapping[str, str], facts: Mapping[str, str]) -> None:
        assert game.map is not None
        self._game_map, self._position = game.map, position
        self._map = game.map.build(position, options, facts)
        self.spaces: Mapping[str, Space] = self._map.spaces

    def _check(self, space: str) -> None:
        if space not in self.spaces:
            raise Unreadable(f"the map has no space '{clean(space)}'", cure="See: spaces")

    def neighbours(self, space: str) -> Mapping[str, str]:
        """Return the neighbours of a space, each with what joins or separates them; "" for nothing special.

        Raises:
            Unreadable: There is no such space.
        """
        from companion.views.map_text import adjacent_spaces, linked_spaces

        self._check(space)
        links = linked_spaces(self._map)[space]
        return {name: link.how for name, link in links.items()} | {
            name: "" for name in adjacent_spaces(self._map, space) if name not in links
        }

    def sight(self, space: str, other: str) -> bool | None:
        """Return whether there is a line of sight between two spaces; None if it is not known, or the game has no such rule.

        Raises:
            Unreadable: There is no such space.
        """
        self._check(space)
        self._check(other)
        return self._game_map.sight(self._position, space, other)


def known_map(game: Game, position: Position, options: Mapping[str, str], facts: Mapping[str, str]) -> KnownMap | None:
    """Return the map of a game; None if it has none."""
    return KnownMap(game, position, options, facts) if game.has_map else None

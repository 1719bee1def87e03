"""The games that there are, and what can be said in each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.core import game as core
from companion.games import GAMES
from companion.session.outside import game_id
from companion.session.standing import load_game


class Game(NamedTuple):
    """A game, and the words that it knows.

    Attributes:
        id, title, edition: of the game.
        scenarios, actions, situations: each by its id, with its title; of situations the exact odds can be asked for.
        options: each by its id, with its choices, the usual one first; none: any text.
        policies: for each seat the names of those who can play it in ``simulate``, the usual one first.
    """

    id: str
    title: str
    edition: str
    scenarios: Mapping[str, str]
    options: Mapping[str, tuple[str, ...]]
    actions: Mapping[str, str]
    situations: Mapping[str, str]
    policies: Mapping[str, tuple[str, ...]]


def games() -> tuple[str, ...]:
    """The ids of all games.

    >>> len(games()) >= 5
    True
    """
    return tuple(GAMES)


def loaded_game(name: str) -> core.Game:
    """A game by unique prefix of its id. Raises Unreadable: there is none; BadData: its tables are at fault."""
    return load_game(game_id(name))


def game(name: str) -> Game:
    """What a game knows, by unique prefix of its id.

    Raises:
        Unreadable: there is no such game.
        BadData: its tables are at fault.
    """
    found = loaded_game(name)
    options = {item.id: tuple(sorted(item.choices, key=lambda choice: choice != item.default)) for item in found.options.values()}
    return Game(
        found.id,
        found.title,
        found.edition,
        {item.id: item.title for item in found.scenarios.values()},
        options,
        {item.id: item.title for item in found.actions},
        {item.id: item.title for item in found.situations},
        {seat: tuple(found.players.policies(seat)) for seat in found.players.seats},
    )

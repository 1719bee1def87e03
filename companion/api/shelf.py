"""The games that there are, and what can be said in each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.core import game as core
from companion.games import GAMES
from companion.session.outside import find_plugins, resolve_game_id
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
    """The ids of all games, also of those from outside.

    >>> len(games()) >= 5
    True
    """
    return (*GAMES, *find_plugins().games)


def loaded_game(name: str) -> core.Game:
    """A game by unique prefix of its id. Raises Unreadable: there is none; BadData: its tables are at fault."""
    return load_game(resolve_game_id(name))


def game(name: str) -> Game:
    """What a game knows, by unique prefix of its id.

    Raises:
        Unreadable: there is no such game.
        BadData: its tables are at fault.
    """
    loaded = loaded_game(name)
    options = {one.id: tuple(sorted(one.choices, key=lambda choice: choice != one.default)) for one in loaded.options.values()}
    return Game(
        loaded.id,
        loaded.title,
        loaded.edition,
        {item.id: item.title for item in loaded.scenarios.values()},
        options,
        {item.id: item.title for item in loaded.actions},
        {item.id: item.title for item in loaded.situations},
        {seat: tuple(loaded.players.policies(seat)) for seat in loaded.players.seats},
    )

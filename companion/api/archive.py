"""An archive, in which sessions are begun and found again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from companion.api.session import Keyed, Session, to_answers
from companion.api.values import Answer, text_of
from companion.core import game as core
from companion.core.request import Odds
from companion.games import GAMES
from companion.session import database
from companion.session.controller import SessionController
from companion.session.plugins import find_plugins, resolve_game_id
from companion.session.state import load_game
from companion.session.store import Archive as Store

MEMORY = database.IN_MEMORY
"""In the place of a path: an archive that is gone with the program."""


class Archive:
    """A file of sessions, as ``open_archive`` gives it. Closed by ``close``, or at the end of a ``with``."""

    def __init__(self, store: Store, practice: bool) -> None:
        self._store = store
        self._practice = practice

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file; its sessions can then not be used any more."""
        self._store.close()

    @property
    def path(self) -> str:
        """The file, or ``:memory:``."""
        return self._store.path

    @property
    def sessions(self) -> tuple[str, ...]:
        """The names of all sessions, the oldest first."""
        return tuple(item.name for item in self._store.sessions())

    def session(self, name: str = "") -> Session:
        """A session by unique prefix of its name; the one last used without it. Raises Unreadable: there is none."""
        return Session(SessionController.open(self._store, name))

    def begin(
        self,
        game: str,
        scenario: str = "",
        *,
        options: Mapping[str, Answer] | None = None,
        seed: str | int = "",
        name: str = "",
        dice: str = "computer",
        draws: str = "computer",
        accept: bool = False,
        answers: Keyed = (),
        **keyed: Answer,
    ) -> Session:
        """Begins a session and sets it up; it becomes the one last used.

        Args:
            game, scenario: by unique prefix; without a scenario the game's first.
            answers, keyed, accept: answers to what the set-up asks, as in ``Session.do``.
            options: choices by option.
            seed: what Companion's dice and draws follow from; the same seed and the same answers are the same game. By chance
                without it.
            name: of the session; made from the game without it.
            dice, draws: ``computer`` or ``physical``: who rolls, who draws.

        Raises:
            Unreadable: there is no such game, scenario or option, or the name is taken.
        """
        loaded, chosen = loaded_game(game), {key: text_of(value) for key, value in (options or {}).items()}
        if self._practice:
            from companion.session.facts import install_practice_set, next_practice_name, practice_defaults

            install_practice_set(self._store, loaded)
            suggested, chosen = practice_defaults(loaded, chosen)
            scenario, name = scenario or suggested, name or next_practice_name(self._store)
        given = to_answers((), "", (), accept, answers, keyed)
        return Session(
            SessionController.create(self._store, loaded.id, scenario, chosen, dice, draws, str(seed), name, answers=given)
        )

    def odds(self, game: str, situation: str, *plain: Answer, answers: Keyed = (), **keyed: Answer) -> Odds:
        """Exact chances of a situation of a game, on the table of the session last used if it is of that game.

        Raises:
            QuestionPending: something must be known first; add it by its key.
            Unreadable: there is no such situation, or an answer means nothing.
        """
        from companion.session.inquiry import Inquiry, situation_odds

        inquiry = Inquiry(loaded_game(game), self._store, to_answers(plain, "", (), True, answers, keyed))
        return situation_odds(inquiry, situation)


def open_archive(path: str | os.PathLike[str] = "", *, practice: bool = False) -> Archive:
    """Opens an archive, made where there is none.

    Args:
        path: the file; ``":memory:"`` for one that is gone with the program; without it that of the command line
            (``COMPANION_DB``, or the user's data folder).
        practice: the archive of games with made-up sets, beside that file: what is printed only on the set of a game is then
            made up by us, and nobody is asked for it.

    >>> from companion.api import games
    >>> with open_archive(MEMORY, practice=True) as archive:
    ...     session = archive.begin(games()[1], seed=1)
    ...     session.name, archive.sessions, session.over
    ('made-up-1', ('made-up-1',), '')

    Raises:
        BadData: it is no archive, is from a newer Companion, or cannot be opened.
    """
    file = os.fspath(path)
    if file == MEMORY:
        return Archive(Store(file, database.connect(file)).close_on_collection(), practice)
    if practice:
        from companion.session.facts import practice_path

        file = practice_path(file)
    return Archive(Store.open(file or None).close_on_collection(), practice)


def odds(game: str, situation: str, *plain: Answer, answers: Keyed = (), **keyed: Answer) -> Odds:
    """Exact chances of a situation of a game, without any session.

    >>> from companion.api import games
    >>> odds(games()[0], "whatever")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    companion.core.errors.Unreadable: no situation 'whatever'. ...

    Raises:
        QuestionPending: something must be known first; add it by its key.
        Unreadable: there is no such situation, or an answer means nothing.
    """
    with open_archive(MEMORY) as archive:
        return archive.odds(game, situation, *plain, answers=answers, **keyed)


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

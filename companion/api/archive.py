"""Games, and the archive in which sessions are stored."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from companion.api.review import Exercise, set_of
from companion.api.session import Session
from companion.api.values import Answer, Keyed, text_of, to_answers
from companion.core import game as core
from companion.core.errors import Unreadable
from companion.core.messages import TEXT_USES, Message, MessageCatalogue
from companion.core.request import Odds
from companion.games import GAMES
from companion.session import database
from companion.session.controller import SessionController
from companion.session.messages import catalogue_of, common_catalogue
from companion.session.plugins import find_plugins, resolve_game_id
from companion.session.state import LOADED_GAMES, load_game
from companion.session.store import Archive as Store
from companion.views.vocabulary import Vocabulary, vocabulary_of

MEMORY = database.IN_MEMORY
"""In place of a path: an archive that lasts as long as the program."""


class Archive:
    """A file of sessions, from ``open_archive``. Close it with ``close``, or use it in a ``with`` statement."""

    def __init__(self, store: Store, practice: bool) -> None:
        self._store = store
        self._practice = practice

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; its sessions can no longer be used."""
        self._store.close()

    @property
    def path(self) -> str:
        """The file, or ``:memory:``."""
        return self._store.path

    @property
    def sessions(self) -> tuple[str, ...]:
        """The names of all sessions, oldest first."""
        return tuple(item.name for item in self._store.sessions())

    def session(self, name: str = "") -> Session:
        """Return a session by unique prefix of its name; the last used one by default.

        Raises:
            Unreadable: There is none.
        """
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
        """Begin a session and set it up; it becomes the last used one.

        Args:
            game: By unique prefix.
            scenario: By unique prefix; the game's first by default.
            options: Choices by option.
            seed: Seed of Companion's dice and draws; the same seed and answers give the same game. Random by default.
            name: The name of the session; made from the game by default.
            dice: ``computer`` or ``physical``: who rolls.
            draws: The same: who draws.
            accept: Accept what a question of the set-up suggests.
            answers: Answers to questions of the set-up by key, as in ``Session.do``.
            keyed: The same, for keys that are Python names.

        Raises:
            Unreadable: There is no such game, scenario or option, or the name is taken.
        """
        loaded, chosen = loaded_game(game), {key: text_of(value) for key, value in (options or {}).items()}
        if self._practice:
            from companion.session.facts import install_practice_set, practice_defaults

            install_practice_set(self._store, loaded)
            suggested, chosen = practice_defaults(loaded, chosen)
            scenario, name = scenario or suggested, name or self._store.free_name("made-up")
        if misplaced := [key for key in keyed if key in loaded.options and key not in loaded.question_keys]:
            shown = ", ".join(f'"{key}": "{text_of(keyed[key])}"' for key in misplaced)
            raise Unreadable(
                f"an option, not asked at the set-up: {', '.join(misplaced)}", cure=f"Give it so: options={{{shown}}}"
            )
        given = to_answers((), "", (), accept, answers, keyed)
        return Session(
            SessionController.create(self._store, loaded.id, scenario, chosen, dice, draws, str(seed), name, answers=given)
        )

    def odds(self, game: str, situation: str, *plain: Answer, answers: Keyed = (), **keyed: Answer) -> Odds:
        """Return the exact odds of a situation, on the table of the last used session if it is of that game.

        Raises:
            QuestionPending: Something must be known first; add it by its key.
            Unreadable: There is no such situation, or an answer cannot be read.
        """
        from companion.session.inquiry import Inquiry, situation_odds

        inquiry = Inquiry(loaded_game(game), self._store, to_answers(plain, "", (), True, answers, keyed))
        return situation_odds(inquiry, situation)


def open_archive(path: str | os.PathLike[str] = "", *, practice: bool = False) -> Archive:
    """Open an archive; create it if there is none.

    Args:
        path: The file; ``":memory:"`` for none; by default that of the command line (``COMPANION_DB``, or the file in the user's
            data folder).
        practice: Use the archive for practice beside that file, in which printed facts are made up and never asked for.

    >>> from companion.api import games
    >>> with open_archive(MEMORY, practice=True) as archive:
    ...     session = archive.begin(games()[1], seed=1)
    ...     session.name, archive.sessions, session.over
    ('made-up-1', ('made-up-1',), '')

    Raises:
        BadData: It is no archive, is from a newer version, or cannot be opened.
    """
    file = os.fspath(path)
    if file == MEMORY:
        return Archive(Store(file, database.connect(file)).close_on_collection(), practice)
    if practice:
        from companion.session.database import practice_path

        file = practice_path(file)
    return Archive(Store.open(file or None).close_on_collection(), practice)


def odds(game: str, situation: str, *plain: Answer, answers: Keyed = (), **keyed: Answer) -> Odds:
    """Return the exact odds of a situation of a game, without a session.

    >>> from companion.api import games
    >>> odds(games()[0], "whatever")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    companion.core.errors.Unreadable: no situation 'whatever'. ...

    Raises:
        QuestionPending: Something must be known first; add it by its key.
        Unreadable: There is no such situation, or an answer cannot be read.
    """
    with open_archive(MEMORY) as archive:
        return archive.odds(game, situation, *plain, answers=answers, **keyed)


class Game(NamedTuple):
    """A game and its names.

    Attributes:
        id, title, edition: Of the game.
        scenarios, actions, situations: Id -> title; a situation has exact odds.
        options: Id -> choices, the default first; empty for free text.
        policies: Seat -> names of the policies for ``simulate``, the default first.
        seats: Seat -> title, in the order of the rulebook.
    """

    id: str
    title: str
    edition: str
    scenarios: Mapping[str, str]
    options: Mapping[str, tuple[str, ...]]
    actions: Mapping[str, str]
    situations: Mapping[str, str]
    policies: Mapping[str, tuple[str, ...]]
    seats: Mapping[str, str]


def games() -> tuple[str, ...]:
    """Return the ids of all games, plug-ins included.

    >>> len(games()) >= 5
    True
    """
    return (*GAMES, *find_plugins().games)


def loaded_game(name: str) -> core.Game:
    """Return a game by unique prefix of its id.

    Raises:
        Unreadable: There is none.
        BadData: Its tables have faults.
    """
    return load_game(resolve_game_id(name))


def game(name: str) -> Game:
    """Return the names of a game, given by unique prefix of its id.

    Raises:
        Unreadable: There is no such game.
        BadData: Its tables have faults.
    """
    loaded = loaded_game(name)
    options = {
        option.id: tuple(sorted(option.choices, key=lambda choice: choice != option.default))
        for option in loaded.options.values()
    }
    return Game(
        loaded.id,
        loaded.title,
        loaded.edition,
        {item.id: item.title for item in loaded.scenarios.values()},
        options,
        {item.id: item.title for item in loaded.actions},
        {item.id: item.title for item in loaded.situations},
        {seat: tuple(loaded.players.policies(seat)) for seat in loaded.players.seats},
        dict(loaded.seats),
    )


def exercises(name: str) -> tuple[Exercise, ...]:
    """Return the exercises that come with a game, made with its made-up set; none if it has no set of them.

    >>> found = exercises(games()[0])
    >>> found[0].best == found[0].alternatives[0].text, found[0].best in found[0].right
    (True, True)

    Raises:
        Unreadable: There is no such game.
        BadData: The exercises cannot be read, or the rules have changed.
    """
    return tuple(set_of(loaded_game(name)))


def messages(name: str = "") -> Mapping[str, str]:
    """Return the templates of a game's texts by their ids, the names of their fields in braces; by default those of the program.

    Args:
        name: The game, by unique prefix of its id.

    Raises:
        Unreadable: There is no such game.
        BadData: Its tables have faults.
    """
    catalogue = _catalogue(name) if name else common_catalogue()
    return {template.id: template.text for template in catalogue.templates()}


def message(name: str, text: str) -> Message | None:
    """Return the message of a text that a game or the program has written: the id of its template and what stands in its fields.

    Args:
        name: The game, by unique prefix of its id.
        text: A line, a reason, a prompt, the message or cure of an error.

    Raises:
        Unreadable: There is no such game.
        BadData: Its tables have faults.
    """
    match = _catalogue(name).match(text, *TEXT_USES)
    return match.message if match and (match.letters or match.marks) else None  # two names with a blank between: any text is that


def _catalogue(name: str) -> MessageCatalogue:
    return catalogue_of(LOADED_GAMES.get(name) or loaded_game(name))


def vocabulary(name: str) -> Vocabulary:
    """Return every id of a game with its title: tracks, places, kinds, faces, marks, actions, questions, seats.

    Args:
        name: The game, by unique prefix of its id.

    Raises:
        Unreadable: There is no such game.
        BadData: Its tables have faults.
    """
    return vocabulary_of(loaded_game(name))

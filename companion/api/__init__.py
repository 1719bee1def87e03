"""Companion for programs in Python.

    >>> from companion import api
    >>> with api.open_archive(":memory:", practice=True) as archive:
    ...     session = archive.begin(api.games()[0], seed=1)
    ...     done = session.do(session.legal[0].id)
    ...     session.undo().entry == done.entry
    True

What stands in ``__all__`` is promised: within a major version nothing of it goes or comes to mean something else, and new names,
arguments with a default and attributes may come. Everything else of the package may change with any version.
``companion/docs/developers.md`` shows it at work.

Nothing is printed and nobody is asked: what a rule asks comes back as a ``Question``, and what cannot be done is raised as one of
the errors, all of them a ``CompanionError`` with ``message``, ``rule`` and ``cure``.
"""

from companion.api.archive import MEMORY, Archive, Game, game, games, odds, open_archive
from companion.api.session import Session
from companion.api.simulation import Played, Simulation, simulate
from companion.api.values import Action, Answer, Choice, Done, Line, Question, Strategy, View
from companion.core.errors import (
    Ambiguous,
    BadData,
    CompanionError,
    Illegal,
    Impossible,
    QuestionPending,
    SessionMoved,
    Unreadable,
)
from companion.core.game import Score
from companion.core.position import Piece, Position
from companion.core.request import Odds
from companion.core.statistics import Spread

__all__ = [
    "MEMORY",
    "Action",
    "Ambiguous",
    "Answer",
    "Archive",
    "BadData",
    "Choice",
    "CompanionError",
    "Done",
    "Game",
    "Illegal",
    "Impossible",
    "Line",
    "Odds",
    "Piece",
    "Played",
    "Position",
    "Question",
    "QuestionPending",
    "Score",
    "Session",
    "SessionMoved",
    "Simulation",
    "Spread",
    "Strategy",
    "Unreadable",
    "View",
    "game",
    "games",
    "odds",
    "open_archive",
    "simulate",
]

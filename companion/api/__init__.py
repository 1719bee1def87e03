"""Companion for Python programs.

    >>> from companion import api
    >>> with api.open_archive(":memory:", practice=True) as archive:
    ...     session = archive.begin(api.games()[0], seed=1)
    ...     done = session.do(session.legal[0].id)
    ...     session.undo().entry == done.entry
    True

The names in ``__all__`` are promised: within a major version none is removed or changes its meaning; names, attributes and
arguments with a default may be added. Everything else in the package may change with any version. See
``companion/docs/developers.md``.

Nothing is printed and no input is read: a question is returned as a ``Question``, and an error is raised as a ``CompanionError``
with ``message``, ``rule`` and ``cure``.
"""

from companion.api.archive import MEMORY, Archive, Game, exercises, game, games, message, messages, odds, open_archive, vocabulary
from companion.api.maps import KnownMap
from companion.api.review import (
    Alternative,
    Decision,
    Exercise,
    Expectation,
    Review,
    ReviewAccuracy,
    ReviewMoment,
    ReviewPart,
    ReviewPoint,
)
from companion.api.session import Session
from companion.api.simulation import Played, Simulation, simulate
from companion.api.values import Action, Advice, Answer, Candidate, Choice, Done, Line, Question, Strategy, View
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
from companion.core.game import Score, Track
from companion.core.messages import Message
from companion.core.position import Piece, Position
from companion.core.request import Odds
from companion.core.statistics import Spread
from companion.session.seats import Seat
from companion.views.vocabulary import Vocabulary

__all__ = [
    "MEMORY",
    "Action",
    "Advice",
    "Alternative",
    "Ambiguous",
    "Answer",
    "Archive",
    "BadData",
    "Candidate",
    "Choice",
    "CompanionError",
    "Decision",
    "Done",
    "Exercise",
    "Expectation",
    "Game",
    "Illegal",
    "Impossible",
    "KnownMap",
    "Line",
    "Message",
    "Odds",
    "Piece",
    "Played",
    "Position",
    "Question",
    "QuestionPending",
    "Review",
    "ReviewAccuracy",
    "ReviewMoment",
    "ReviewPart",
    "ReviewPoint",
    "Score",
    "Seat",
    "Session",
    "SessionMoved",
    "Simulation",
    "Spread",
    "Strategy",
    "Track",
    "Unreadable",
    "View",
    "Vocabulary",
    "exercises",
    "game",
    "games",
    "message",
    "messages",
    "odds",
    "open_archive",
    "simulate",
    "vocabulary",
]

"""Questions about odds and advice, which are not recorded: typed answers, the player for what is missing, a progress bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from companion.cli.shell.arguments import pairs
from companion.cli.shell.output import write
from companion.cli.shell.progress import Bar
from companion.core.errors import Unreadable
from companion.core.events import Event
from companion.core.game import Game
from companion.core.procedures import ResolvedReply
from companion.core.request import AnyRequest
from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.session.inquiry import Inquiry
from companion.session.store import Archive
from companion.views.lines import Line
from companion.views.log import event_lines

AskRequest = Callable[[AnyRequest], str]


@contextmanager
def inquiry(
    game: Game,
    archive: Archive,
    words: Sequence[str],
    ask: AskRequest | None,
    session: SessionController | None = None,
    think: str = "",
) -> Iterator[Inquiry]:
    """Yield an inquiry with typed answers, by key or in order.

    Args:
        game: The game.
        archive: Holds the printed facts.
        words: The answers.
        ask: Asks the player; None without a terminal.
        session: The session whose position is taken.
        think: Playouts per candidate move.
    """
    keyed, plain = pairs(words)
    bar = Bar()
    answers = Answers(keyed, plain=plain, accept=True)
    try:
        yield Inquiry(game, archive, answers, (lambda request: _ask(ask, request)) if ask else None, session, think, bar.show)
    finally:
        bar.clear()


def _ask(ask: AskRequest, request: AnyRequest) -> ResolvedReply:
    while True:
        try:
            return request.parse_reply(ask(request), "typed", False)
        except Unreadable as error:
            write([Line(str(error), "error")])


def advice_lines(session: SessionController, events: Sequence[Event]) -> list[Line]:
    """The advice with reasons, candidates and tie-breaks."""
    return event_lines(session.game, events, dict(session.position.pieces), because=True)

"""What is only asked and never recorded, as it is typed: words for answers, the player for what is missing, a bar meanwhile."""

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
from companion.views.events import event_lines
from companion.views.lines import Line

Ask = Callable[[AnyRequest], str]


@contextmanager
def inquiry(
    game: Game, archive: Archive, words: Sequence[str], ask: Ask | None, desk: SessionController | None = None, think: str = ""
) -> Iterator[Inquiry]:
    """An inquiry with the answers that were typed, by key or in order.

    Args:
        game, archive, desk, think: as of an ``Inquiry``.
        words: as they were typed.
        ask: asks the player; None where nobody can be asked.
    """
    keyed, plain = pairs(words)
    bar = Bar()
    answers = Answers(keyed, plain=plain, accept=True)
    try:
        yield Inquiry(game, archive, answers, (lambda request: _asked(ask, request)) if ask else None, desk, think, bar.show)
    finally:
        bar.clear()


def _asked(ask: Ask, request: AnyRequest) -> ResolvedReply:
    while True:
        try:
            return request.parse_reply(ask(request), "typed", False)
        except Unreadable as fault:
            write([Line(str(fault), "error")])


def bot_lines(desk: SessionController, events: Sequence[Event]) -> list[Line]:
    """The advice with every layer: reasons, candidates, tie-breaks."""
    return event_lines(desk.game, events, dict(desk.position.pieces), because=True)

"""The server: a line in, a line out, and in between what others do."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import contextmanager, suppress
from signal import SIGINT, default_int_handler, signal
from typing import Any

from companion.cli.serve import execute, requests
from companion.cli.serve.cache import Keeper
from companion.cli.serve.execute import FAULT, INTERRUPTED, Outcome
from companion.cli.serve.requests import Asked, Id
from companion.cli.serve.streams import MOST, Inbox, Lines, Outbox, taken_over
from companion.cli.shell.archives import open_desk, shown
from companion.cli.shell.output import Unsupported, Unwritable, on_a_line
from companion.cli.shell.preferences import forget
from companion.cli.shell.process import SLOT
from companion.core.errors import CompanionError, Unreadable
from companion.core.values import JsonDict, JsonObject

EACH = 0.2
"""Seconds between two looks at what others do."""


class Server:
    """Answers lines.

    Args:
        put: sends a line.
    """

    def __init__(self, put: Callable[[str], None]) -> None:
        self._put = put
        self._keeper = Keeper()
        self._looked = time.monotonic()
        self.interrupted = False
        """Whether Ctrl-C was pressed while a command ran."""

    # -- answering -----------------------------------------------------------------------------------------------------

    def answer(self, line: bytes | None) -> None:
        """Answer a line; None for one that was too long. An empty one is no request.

        Raises:
            Unwritable: nobody takes the answer.
        """
        if line is not None and not line.strip():
            return
        if time.monotonic() - self._looked > EACH:
            self.look()
        number: Id = None
        try:
            if line is None:
                raise Unreadable(f"the line is longer than {MOST:,} bytes", cure="Put what is so long into a file, and name that")
            fields = requests.parsed(line)
            number = requests.id_of(fields)
            found = self._carried_out(requests.asked(fields, self._key))
        except Exception as fault:  # whatever a line holds, the next one is answered
            found = self._refused(fault)
        self._tell_news()
        self._send(found.document, id=number, exit=found.code)

    def _send(self, document: JsonObject, **head: Any) -> None:
        self._put(on_a_line({key: value for key, value in document.items() if key not in head}, **head))

    def _carried_out(self, asked: Asked) -> Outcome:
        if asked.what == "hello":
            return Outcome(0, _hello())
        if asked.what == "argv":
            forget()  # the player's settings may have been changed meanwhile
        found = execute.outcome(asked.words)
        if found.code in (INTERRUPTED, FAULT):
            self.interrupted = found.code == INTERRUPTED
            self._keeper.renew()
        if asked.what in ("follow", "unfollow") and found.code == 0:
            self._keeper.follow(self._desk(asked.fields), asked.what == "follow")
        self._keeper.settle()
        return found

    @staticmethod
    def _refused(fault: Exception) -> Outcome:
        """A fault that no command has found, as its document."""

        def tell() -> int:
            raise fault

        found = execute.told(tell)
        supported = {"supported": list(requests.SUPPORTED)} if isinstance(fault, Unsupported) else {}
        return Outcome(found.code, {**found.document, **supported})

    def _desk(self, fields: JsonObject) -> Any:
        return open_desk(str(fields.get("db") or ""), str(fields.get("session") or ""))

    def _key(self, fields: JsonObject) -> str:
        """The key of the question that is open in the session of a request. Raises Unreadable: none is."""
        request = self._desk(fields).asking_entry().request
        return request.key if request else ""

    # -- what others do ------------------------------------------------------------------------------------------------

    def look(self) -> None:
        """Tell what others have done. Raises Unwritable: nobody takes it."""
        with suppress(CompanionError):  # an archive that cannot be read just now tells its fault to whoever asks for it
            self._keeper.look()
        self._looked = time.monotonic()
        self._tell_news()

    def _tell_news(self) -> None:
        from companion.views.result import result_data

        while self._keeper.news:
            desk, result = self._keeper.news.pop(0)
            self._send(result_data(desk, result, brief=True), notice="played")
            shown(desk)

    @contextmanager
    def open(self) -> Any:
        """While it lasts, commands of this process keep what they open, and print nothing."""
        before, SLOT.keeper = SLOT.keeper, self._keeper
        try:
            with execute.apart():
                yield self
        finally:
            self._keeper.close()
            SLOT.keeper = before


def _hello() -> JsonDict:
    from companion.games import GAMES
    from companion.session.plugins import find_plugins

    return {
        "supported": list(requests.SUPPORTED),
        "games": [*GAMES, *find_plugins().games],
        "requests": list(requests.FORMS),
        "most": MOST,
    }


def serve(inbox: Inbox, outbox: Outbox) -> int:
    """Answer until the input ends; the exit code: 0, or 130 after Ctrl-C.

    Raises:
        Unwritable: nobody takes the answers any more.
    """
    lines = Lines()
    server = Server(outbox.put)
    with server.open():
        chunk: bytes | None = None
        while chunk != b"":
            chunk = inbox.chunk(EACH)
            if chunk is None:
                server.look()
                continue
            for line in lines.cut(chunk):
                server.answer(line)
                if server.interrupted:
                    return INTERRUPTED
    return 0


def serve_stdio() -> int:
    """The same over the standard input and output. Whoever reads no more, and Ctrl-C, end it without a word."""
    signal(SIGINT, default_int_handler)
    incoming, outgoing = taken_over()
    try:
        return serve(Inbox(incoming), Outbox(outgoing))
    except Unwritable as fault:
        return fault.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED

"""The server: reads requests, sends answers, and in between notices of what others do."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from signal import SIGINT, default_int_handler, signal
from typing import Any

from companion.cli.serve import requests
from companion.cli.serve.execute import FAULT, INTERRUPTED, Outcome, collect, execute, isolated_streams
from companion.cli.serve.requests import Id, Parsed
from companion.cli.serve.streams import MAX_LINE, Inbox, Lines, Outbox, take_over_streams
from companion.cli.shell import preferences
from companion.cli.shell.archives import mark_shown, open_session
from companion.cli.shell.arguments import Runner
from companion.cli.shell.cache import SessionCache
from companion.cli.shell.output import Unsupported, Unwritable, document_line
from companion.cli.shell.process import PROCESS
from companion.core.errors import CompanionError, Unreadable
from companion.core.values import JsonDict, JsonObject
from companion.session.controller import SessionController

POLL_SECONDS = 0.2


class Server:
    """Answers lines.

    Args:
        put: Sends a line.
        runner: Runs commands.
    """

    def __init__(self, put: Callable[[str], None], runner: Runner) -> None:
        self._put = put
        self._runner = runner
        self._cache = SessionCache()
        self._polled = time.monotonic()
        self.interrupted = False
        """Ctrl-C was pressed while a command ran."""

    # -- answering -----------------------------------------------------------------------------------------------------

    def answer(self, line: bytes | None) -> None:
        """Answer a line; None stands for one that was too long. Empty lines are ignored.

        Raises:
            Unwritable: The client has gone.
        """
        if line is not None and not line.strip():
            return
        if time.monotonic() - self._polled > POLL_SECONDS:
            self.poll()
        request_id: Id = None
        try:
            if line is None:
                raise Unreadable(
                    f"the line is longer than {MAX_LINE:,} bytes", cure="Put long content into a file, and name that"
                )
            fields = requests.parse_line(line)
            request_id = requests.request_id(fields)
            outcome = self._run(requests.parse_request(fields, self._open_key))
        except Exception as error:  # whatever a line contains, the next one is answered
            outcome = self._error_outcome(error)
        self._send_news()
        self._send(outcome.document, id=request_id, exit=outcome.code)

    def _send(self, document: JsonObject, **head: Any) -> None:
        self._put(document_line({key: value for key, value in document.items() if key not in head}, **head))

    def _run(self, request: Parsed) -> Outcome:
        if request.kind == "hello":
            return Outcome(0, _hello())
        if request.kind == "argv":
            preferences.reload()  # another process may have changed them
        outcome = execute(request.words, self._runner)
        if outcome.code in (INTERRUPTED, FAULT):
            self.interrupted = outcome.code == INTERRUPTED
            self._cache.reopen_all()
        if request.kind in ("follow", "unfollow") and outcome.code == 0:
            self._cache.follow(self._session(request.fields), request.kind == "follow")
        self._cache.end_command()
        return outcome

    @staticmethod
    def _error_outcome(error: Exception) -> Outcome:
        """The outcome of an error outside of any command."""

        def fail() -> int:
            raise error

        outcome = collect(fail)
        supported = {"supported": list(requests.SUPPORTED)} if isinstance(error, Unsupported) else {}
        return Outcome(outcome.code, {**outcome.document, **supported})

    def _session(self, fields: JsonObject) -> SessionController:
        return open_session(str(fields.get("db") or ""), str(fields.get("session") or ""))

    def _open_key(self, fields: JsonObject) -> str:
        """The key of the open question in the session of a request. Raises Unreadable: none is open."""
        request = self._session(fields).asking_entry().request
        return request.key if request else ""

    # -- what others do ------------------------------------------------------------------------------------------------

    def poll(self) -> None:
        """Send notices of what others have done. Raises Unwritable."""
        with suppress(CompanionError):  # an error of the archive is reported to the next request
            self._cache.poll()
        self._polled = time.monotonic()
        self._send_news()

    def _send_news(self) -> None:
        from companion.views.result import result_data

        while self._cache.news:
            controller, result = self._cache.news.pop(0)
            self._send(result_data(controller, result, brief=True), notice="played")
            mark_shown(controller)

    @contextmanager
    def open(self) -> Iterator[Server]:
        """Meanwhile, commands of this process keep what they open, and print nothing."""
        before, PROCESS.cache = PROCESS.cache, self._cache
        try:
            with isolated_streams():
                yield self
        finally:
            self._cache.close()
            PROCESS.cache = before


def _hello() -> JsonDict:
    from companion.games import GAMES
    from companion.session.plugins import find_plugins

    return {
        "supported": list(requests.SUPPORTED),
        "games": [*GAMES, *find_plugins().games],
        "requests": list(requests.FORMS),
        "most": MAX_LINE,
    }


def serve(inbox: Inbox, outbox: Outbox, runner: Runner) -> int:
    """Answer until the input ends; return 0, or 130 after Ctrl-C.

    Raises:
        Unwritable: The client has gone.
    """
    lines = Lines()
    server = Server(outbox.put, runner)
    with server.open():
        chunk: bytes | None = None
        while chunk != b"":
            chunk = inbox.chunk(POLL_SECONDS)
            if chunk is None:
                server.poll()
                continue
            for line in lines.split(chunk):
                server.answer(line)
                if server.interrupted:
                    return INTERRUPTED
    return 0


def serve_stdio(runner: Runner) -> int:
    """Serve over standard input and output. A client that has gone, or Ctrl-C, ends it silently."""
    signal(SIGINT, default_int_handler)
    incoming, outgoing = take_over_streams()
    try:
        return serve(Inbox(incoming), Outbox(outgoing), runner)
    except Unwritable as error:
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED

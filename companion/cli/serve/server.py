"""The server: reads requests, sends answers, and in between notices of what others do."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from queue import Empty, Queue
from signal import SIGINT, default_int_handler, signal
from threading import Thread
from typing import Any, BinaryIO, NamedTuple

from companion.cli.serve import requests
from companion.cli.shell import process
from companion.cli.shell.archives import mark_shown, open_session, seat_of
from companion.cli.shell.arguments import Runner, common_options_last
from companion.cli.shell.cache import SessionCache
from companion.cli.shell.catalog import COMMANDS, HELP, HOST, MCP, PLAY, SERVE
from companion.cli.shell.fast import fast
from companion.cli.shell.output import SINK, InternalError, Interrupted, Unsupported, Unwritable, document_line, guarded
from companion.cli.shell.process import PROCESS
from companion.core.errors import CompanionError, Unreadable
from companion.core.text import pick_name
from companion.core.values import JsonDict, JsonObject
from companion.session.controller import SessionController
from companion.views.messages import SWITCH


class Outcome(NamedTuple):
    """The exit code of a command, and the document that its `--json` prints."""

    code: int
    document: JsonObject


class _NoInput(io.TextIOBase):
    """Standard input of a command: refused, because its lines are requests to the server."""

    def _refuse(self, *_: object) -> Any:
        raise Unreadable("there is no standard input here: it carries the requests", cure="Name a file instead of -")

    read = readline = readlines = __next__ = _refuse

    @property
    def buffer(self) -> Any:
        return self

    def isatty(self) -> bool:
        return False


@contextmanager
def isolated_streams() -> Iterator[None]:
    """Keep commands from standard input and output; collect what they print."""
    before = sys.stdin, sys.stdout
    sys.stdin, sys.stdout = _NoInput(), io.StringIO()
    SINK.documents = []
    try:
        yield
    finally:
        sys.stdin, sys.stdout = before
        SINK.documents = None


def execute(words: Sequence[str], runner: Runner) -> Outcome:
    """Run a command line as if with `--json`. Call it within `isolated_streams`."""
    return collect(lambda: _run(list(words), runner))


def collect(run: Callable[[], int]) -> Outcome:
    """Run something like a command and return what it printed."""
    assert SINK.documents is not None and isinstance(sys.stdout, io.StringIO)
    documents, text = SINK.documents, sys.stdout
    documents.clear()
    code = guarded(run, True)
    printed = text.getvalue()
    if printed:
        text.seek(0)
        text.truncate()
    if documents:
        return Outcome(code, documents[-1])
    return Outcome(code, {"text": printed} if printed else {})


def _run(words: list[str], runner: Runner) -> int:
    line = common_options_last(words)
    if line[0].startswith("-"):
        code = fast([*line, "--json"] if line == ["--version"] else line)
        return runner.run_words(line) if code is None else code
    command = COMMANDS[pick_name(line[0], list(COMMANDS), "command")]
    if command in (HOST, MCP, PLAY, SERVE):
        cure = "Use: do, answer, undo, status, and every command with --json"
        raise Unreadable(f"'{command.name}' is not for programs", cure=cure)
    rest = line[1:]
    options = {*rest[: rest.index("--")]} if "--" in rest else {*rest}
    if "--json" in command.options and not {"--json", "--help", "-h"} & options:
        rest = ["--json", *rest]
    arguments = command.parse(rest)
    if arguments is None or command is HELP:
        return runner.run_words([command.name, *process.take_options(rest)])
    return runner.call(command, arguments)


# -- the streams ---------------------------------------------------------------------------------------------------------

MAX_LINE = 1_000_000
"""Bytes of a line; a client puts longer content into a file and names it."""

_CHUNK = 65_536
_MAX_QUEUED = 16
"""Chunks read ahead; then the writer blocks."""


class Lines:
    """Splits bytes into lines.

    Args:
        max_line: Bytes of a line; longer ones are discarded.
    """

    def __init__(self, max_line: int = MAX_LINE) -> None:
        self._max_line = max_line
        self._rest = b""
        self._is_too_long = False

    def split(self, chunk: bytes) -> Iterator[bytes | None]:
        """Yield the lines that end in a chunk; None for one that was too long. An empty chunk ends the last line."""
        *whole, self._rest = (self._rest + chunk).split(b"\n")
        if not chunk and (self._rest or self._is_too_long):
            whole, self._rest = [self._rest], b""
        for line in whole:
            yield None if self._is_too_long or len(line) > self._max_line else line
            self._is_too_long = False
        if len(self._rest) > self._max_line:
            self._rest, self._is_too_long = b"", True


class Inbox:
    """Reads the input in a thread, so that waiting for it can time out.

    Args:
        file: The file descriptor; it is not closed.
    """

    def __init__(self, file: int) -> None:
        self._file = file
        self._chunks: Queue[bytes] = Queue(_MAX_QUEUED)
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        chunk = b"begin"
        while chunk:
            try:
                chunk = os.read(self._file, _CHUNK)
            except OSError:  # the terminal has gone
                chunk = b""
            self._chunks.put(chunk)

    def chunk(self, timeout: float) -> bytes | None:
        """Return what was read; b"" at the end, None after the timeout in seconds."""
        try:
            return self._chunks.get(timeout=timeout)
        except Empty:
            return None


def take_over_streams() -> tuple[int, BinaryIO]:
    """Return standard input and output for the server alone; whatever else prints goes to stderr."""
    incoming, outgoing = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return incoming, os.fdopen(outgoing, "wb", buffering=0)


class Outbox:
    """Sends documents, each at once."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def put(self, text: str) -> None:
        """Send a line. Raises Unwritable: the client has gone."""
        rest = memoryview(f"{text}\n".encode())
        try:
            while rest:
                rest = rest[self._file.write(rest) or 0 :]
        except OSError as error:
            raise Unwritable(error) from None


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
        self._seats: dict[tuple[str, int], str] = {}  # that follow a session, by archive and number; others see everything
        self.interrupted = False
        """Ctrl-C was pressed while a command ran."""

    def answer(self, line: bytes | None) -> None:
        """Answer a line; None stands for one that was too long.

        Raises Unwritable: the client has gone.
        """
        if time.monotonic() - self._polled > POLL_SECONDS:
            self.poll()
        request_id: requests.Id = None
        try:
            if line is None:
                cure = "Put long content into a file, and name that"
                raise Unreadable(f"the line is longer than {MAX_LINE:,} bytes", cure=cure)
            fields = requests.parse_line(line)
            request_id = requests.request_id(fields)
            SWITCH.is_on = requests.wants_messages(fields, SWITCH.is_on)
            outcome = self._run(requests.parse_request(fields, self._open_key, self._last_turn))
        except Exception as error:  # whatever a line contains, the next one is answered
            outcome = self._error_outcome(error)
        self._send_news()
        self._send(outcome.document, id=request_id, exit=outcome.code)

    def _send(self, document: JsonObject, **head: Any) -> None:
        self._put(document_line({key: value for key, value in document.items() if key not in head}, **head))

    def _run(self, request: requests.Parsed) -> Outcome:
        if request.kind == "hello":
            return Outcome(0, _hello())
        if request.kind == "argv":
            process.reload_settings()  # another process may have changed them
        outcome = execute(request.words, self._runner)
        if outcome.code in (Interrupted.exit_code, InternalError.exit_code):
            self.interrupted = outcome.code == Interrupted.exit_code
            self._cache.reopen_all()
        if request.kind in ("follow", "unfollow") and outcome.code == 0:
            controller = self._session(request.fields)
            self._cache.follow(controller, request.kind == "follow")
            self._seats[controller.archive.path, controller.info.id] = seat_of(controller, str(request.fields.get("seat") or ""))
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

    def _last_turn(self, fields: JsonObject) -> int:
        """The turn of the last action in the session of a request; 0 if nothing was played."""
        controller = self._session(fields)
        played = controller.history.force[1:]
        return controller.game.players.turn(controller.history.position(played[-1])) if played else 0

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
            seat = self._seats.get((controller.archive.path, controller.info.id), "")
            self._send(result_data(controller, result, brief=True, seat=seat), notice="played")
            mark_shown(controller)

    @contextmanager
    def open(self) -> Iterator[Server]:
        """Meanwhile, commands of this process keep what they open, and print nothing."""
        before, PROCESS.cache = PROCESS.cache, self._cache
        had_messages, SWITCH.is_on = SWITCH.is_on, False
        try:
            with isolated_streams():
                yield self
        finally:
            self._cache.close()
            PROCESS.cache = before
            SWITCH.is_on = had_messages


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
    """Answer until the input ends; return 0, or 130 after Ctrl-C. Raises Unwritable: the client has gone."""
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
                    return Interrupted.exit_code
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
        return Interrupted.exit_code

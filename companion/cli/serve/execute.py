"""Run commands in the process of the server and collect what they print."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from companion.cli.shell import preferences
from companion.cli.shell.arguments import Runner, common_options_last
from companion.cli.shell.catalog import COMMANDS, HELP, PLAY, SERVE
from companion.cli.shell.fast import fast
from companion.cli.shell.output import SINK, guarded
from companion.core.errors import Unreadable
from companion.core.text import pick_name
from companion.core.values import JsonObject

INTERRUPTED = 130
"""Exit code after Ctrl-C."""
FAULT = 70
"""Exit code after a fault in Companion itself."""


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
    if command in (PLAY, SERVE):
        cure = "Use: do, answer, undo, status, and every command with --json"
        raise Unreadable(f"'{command.name}' is not for programs", cure=cure)
    rest = line[1:]
    if "--json" in command.options and "--json" not in rest and not {"--help", "-h"} & {*rest}:
        rest = ["--json", *rest]
    arguments = command.parse(rest)
    if arguments is None or command is HELP:
        return runner.run_words([command.name, *preferences.take_options(rest)])
    return runner.call(command, arguments)

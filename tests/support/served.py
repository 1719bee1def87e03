"""A server in this process, and one in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from companion.cli.serve.server import Server
from companion.cli.shell.app import runner
from companion.cli.shell.output import SINK
from companion.cli.shell.process import PROCESS
from tests.support import shapes


class Client:
    """Asks a server.

    Attributes:
        notices: what it has told without being asked.
    """

    def __init__(self) -> None:
        self.notices: list[Any] = []
        self.answers: list[Any] = []
        self.server = Server(self._take, runner())
        self._number = 0

    def _take(self, line: str) -> None:
        assert "\n" not in line
        document = json.loads(line)
        (self.notices if "notice" in document else self.answers).append(document)

    def line(self, text: str | bytes | None) -> Any:
        """The answer to a line as it is."""
        self.server.answer(text.encode() if isinstance(text, str) else text)
        (answer,) = self.answers
        self.answers.clear()
        for document in (answer, *self.notices):
            found = faults_of(document)
            assert not found, f"{text!r}: {document}\n" + "\n".join(found[:12])
        return answer

    def ask(self, **fields: Any) -> Any:
        """The answer to a request."""
        self._number += 1
        answer = self.line(json.dumps({"id": self._number, **fields}))
        assert answer["id"] == fields.get("id", self._number)
        return answer

    def __call__(self, *argv: str) -> Any:
        """The answer to the shell's own words."""
        return self.ask(argv=list(argv))


def faults_of(document: dict[str, Any]) -> list[str]:
    """What of a line of a server is not as the page of the protocol tells."""
    body = {key: value for key, value in document.items() if key != "id"}
    if "notice" not in document:
        assert {"id", "exit"} <= document.keys()
    if "supported" in body and "error" in body:
        body.pop("supported")
    if "error" not in body:
        body.pop("exit", None)
    return shapes.any_faults(body)


@contextmanager
def served() -> Iterator[Client]:
    """A server in this process."""
    client = Client()
    with client.server.open():
        yield client


@contextmanager
def elsewhere() -> Iterator[None]:
    """What a process of its own does, done in this one: no server keeps anything of it open."""
    kept, PROCESS.cache = PROCESS.cache, None
    taken, SINK.documents = SINK.documents, None
    try:
        yield
    finally:
        PROCESS.cache, SINK.documents = kept, taken


def started(**extra: Any) -> subprocess.Popen[str]:
    """A server in a process of its own."""
    words = [sys.executable, "-m", "companion", "serve", "--stdio"]
    pipe = subprocess.PIPE
    return subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, text=True, bufsize=1, **extra)

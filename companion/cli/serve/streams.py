"""The two streams of a server: lines of bounded size in, one document a line out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from queue import Empty, Queue
from threading import Thread
from typing import BinaryIO

from companion.cli.shell.output import Unwritable

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

"""The two streams of a server: lines of bounded size in, one document a line out, and nothing else on either."""

from __future__ import annotations

import os
from collections.abc import Iterator
from queue import Empty, Queue
from threading import Thread
from typing import BinaryIO

from companion.cli.shell.output import Unwritable

MOST = 1_000_000
"""Bytes of a line; what a client has to say that is longer stands in a file, which it names."""

_CHUNK = 65_536
_AHEAD = 16
"""Chunks that are read ahead; whoever writes more waits."""


class Lines:
    """Bytes cut into lines.

    Args:
        most: bytes of a line. What is longer is not kept, and read over to its end.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._rest = b""
        self._over = False

    def cut(self, chunk: bytes) -> Iterator[bytes | None]:
        """The lines that end in a chunk, without their ends; None for one that was too long. An empty chunk ends the last."""
        *whole, self._rest = (self._rest + chunk).split(b"\n")
        if not chunk and (self._rest or self._over):
            whole, self._rest = [self._rest], b""
        for line in whole:
            yield None if self._over or len(line) > self._most else line
            self._over = False
        if len(self._rest) > self._most:
            self._rest, self._over = b"", True


class Inbox:
    """What comes in, read by a thread of its own, so that whoever waits for it can look elsewhere meanwhile.

    Args:
        file: the number of the open file; it is not closed.
    """

    def __init__(self, file: int) -> None:
        self._file = file
        self._chunks: Queue[bytes] = Queue(_AHEAD)
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        chunk = b"begin"
        while chunk:
            try:
                chunk = os.read(self._file, _CHUNK)
            except OSError:  # a terminal that has gone
                chunk = b""
            self._chunks.put(chunk)

    def chunk(self, seconds: float) -> bytes | None:
        """What has come; b"" at the end, None where nothing comes within so many seconds."""
        try:
            return self._chunks.get(timeout=seconds)
        except Empty:
            return None


def taken_over() -> tuple[int, BinaryIO]:
    """The standard input and output, as the server's alone: from now on nothing else in this process, nor a program that it
    starts, reads from the one or writes to the other; what is printed all the same goes to stderr.
    """
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return incoming, os.fdopen(outgoing, "wb", buffering=0)


class Outbox:
    """Where documents go, each as soon as it is there."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def put(self, text: str) -> None:
        """One line. Raises Unwritable: nobody takes it."""
        left = memoryview(f"{text}\n".encode())
        try:
            while left:
                left = left[self._file.write(left) or 0 :]
        except OSError as fault:
            raise Unwritable(fault) from None

"""The C library that makes system calls fail: compilation, and control from a process that has it loaded."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).with_name("preload.c")

OPEN, WRITE, SYNC, TRUNCATE, UNLINK, MKDIR, RENAME, READ, MMAP = (1 << bit for bit in range(9))
ALL = OPEN | WRITE | SYNC | TRUNCATE | UNLINK | MKDIR | RENAME | READ | MMAP
ROOM = OPEN | WRITE | SYNC | TRUNCATE | MKDIR | RENAME
"""Calls that fail on a full disk."""

EIO, ENOSPC = 5, 28
NEVER = 10**9


class Mode(NamedTuple):
    """A way in which a call fails.

    Attributes:
        name: Its name in the table.
        number: Its number in the library.
        error: The error number that the call returns.
        kinds: The kinds of calls that are counted.
    """

    name: str
    number: int
    error: int
    kinds: int

    @property
    def kills(self) -> bool:
        return self.number in (3, 4)


MODES = (
    Mode("EIO once", 1, EIO, ALL),
    Mode("ENOSPC once", 1, ENOSPC, ROOM),
    Mode("EIO from then on", 2, EIO, ALL),
    Mode("ENOSPC from then on", 2, ENOSPC, ROOM),
    Mode("killed", 3, EIO, ALL),
    Mode("torn and killed", 4, EIO, WRITE),
    Mode("torn and failed", 5, ENOSPC, WRITE),
)


def why_not() -> str:
    """Why calls cannot be made to fail on this machine; "" if they can."""
    if not sys.platform.startswith("linux"):
        return "LD_PRELOAD is used on Linux only"
    return "" if _compiler() else "there is no C compiler"


def _compiler() -> str:
    found = (shutil.which(name) for name in (os.environ.get("CC", ""), "cc", "gcc", "clang") if name)
    return next(filter(None, found), "")


def compiled(folder: Path) -> Path:
    """Compile the library into a folder; its path."""
    target = folder / "preload.so"
    beside = folder / f"preload.{os.getpid()}.so"
    command = [_compiler(), "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", str(beside), str(SOURCE), "-ldl"]
    subprocess.run(command, check=True)
    beside.replace(target)
    return target


class Faults:
    """Controls the library in this process, which was started with it."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None)
        self._library.faults_fired.restype = ctypes.c_char_p
        self._library.faults_counted.restype = ctypes.c_long

    def below(self, root: str) -> None:
        """Count only calls on files in a folder."""
        self._library.faults_root(os.fsencode(root))

    def arm(self, mode: Mode, number: int) -> None:
        """Make the call of a number fail, counted from 1 from now on."""
        self._library.faults_arm(mode.number, ctypes.c_long(number), mode.error, mode.kinds)

    def disarm(self) -> None:
        self._library.faults_arm(0, ctypes.c_long(0), 0, 0)

    @property
    def counted(self) -> int:
        """The number of calls since `arm`."""
        return int(self._library.faults_counted())

    @property
    def fired(self) -> str:
        """The first call that failed, with its file; "" for none."""
        return os.fsdecode(self._library.faults_fired())

    def record(self, descriptor: int) -> None:
        """Record every change of a file or a name to a file descriptor."""
        self._library.faults_record(descriptor)

    def mark(self, word: str) -> None:
        """Write a mark into the record."""
        self._library.faults_mark(os.fsencode(word))

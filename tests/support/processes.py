"""Running something in processes of their own, forked, so that nothing need be imported again."""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

NOBODY = 65534


def in_child(*works: Callable[[], Sequence[str]], nobody: bool = False) -> list[str]:
    """Runs each in a process of its own, all at once; what they return, one after the other.

    Args:
        nobody: without the rights of a superuser, if these tests have them.
    """
    pipes = []
    go_read, go_write = os.pipe()
    for work in works:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            _run(work, write, go_read, nobody)
        os.close(write)
        pipes.append((child, read))
    os.write(go_write, b"x" * len(works))
    told: list[str] = []
    failed = False
    for child, read in pipes:
        with os.fdopen(read) as file:
            text = file.read()
        failed |= os.waitpid(child, 0)[1] != 0
        told += json.loads(text) if text else []
    os.close(go_read)
    os.close(go_write)
    assert not failed, told
    return told


def meet(folder: Path, name: str, count: int) -> None:
    """Waits until as many processes have come here."""
    (folder / f"{name} {os.getpid()}").touch()
    while len(list(folder.glob(f"{name} *"))) < count:
        time.sleep(0.0002)


def _run(work: Callable[[], Sequence[str]], write: int, go: int, nobody: bool) -> None:
    code = 1
    try:
        if nobody and os.geteuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        os.read(go, 1)
        os.write(write, json.dumps(list(work())).encode())
        code = 0
    except BaseException:
        traceback.print_exc(file=sys.stderr)
    finally:
        os._exit(code)

"""Ctrl-C at random moments: how many commands end otherwise than with exit code 130, while several run at once.

python -m tests.measures.interrupts [TRIES] [AT_ONCE]
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from companion.cli.shell.output import Interrupted
from tests.cli.test_interrupts import CTRL_C, HIDE, Terminal, is_clean
from tests.measures.report import long_archive
from tests.support.commands import companion

TRIES, AT_ONCE = 60, 6
SPAN = 0.3
"""Seconds after the bar appeared within which Ctrl-C is pressed."""


class Case(NamedTuple):
    """A command that takes long, and the module that runs it."""

    module: str
    words: tuple[str, ...]
    archive: str


CASES = {
    "bot": Case("tests.support.with_tiny", ("bot",), "rival.sqlite3"),
    "doctor": Case("companion", ("doctor",), "long.sqlite3"),
}


def make_archives(folder: Path) -> None:
    """Write the archives of the cases."""
    os.environ.update(COMPANION_DB=str(folder / CASES["bot"].archive), TINY_GAME="tests.support.tiny_rival")
    from tests.support.with_tiny import register

    register()
    assert companion("new", "tiny", "--seed", "7", "--think", "60000").code == 0
    long_archive(folder / CASES["doctor"].archive, "iraqwar2003", 10_000)


def outcome(folder: Path, name: str, number: int) -> str:
    """Interrupt a command once; return how it ended."""
    case = CASES[name]
    env = {"COMPANION_DB": str(folder / case.archive), "TINY_GAME": "tests.support.tiny_rival"}
    terminal = Terminal(case.module, case.words, folder, env)
    terminal.wait(lambda written: HIDE in written)
    time.sleep(Random(f"{name}/{number}").random() * SPAN)
    terminal.type(CTRL_C)
    code = terminal.exit_code()
    if code != Interrupted.exit_code:
        return f"exit code {code}"
    return "interrupted" if is_clean(terminal.written) else "interrupted, with an error or without its cursor"


def main(tries: int = TRIES, at_once: int = AT_ONCE) -> None:
    with TemporaryDirectory() as name, ProcessPoolExecutor(at_once) as pool:
        folder = Path(name)
        make_archives(folder)
        for case in CASES:
            ends = Counter(pool.map(outcome, [folder] * tries, [case] * tries, range(tries)))
            print(f"{case}: " + ", ".join(f"{count} {end}" for end, count in ends.most_common()))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

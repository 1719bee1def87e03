"""Commands that take long, at a terminal: after a second they show that they work, and Ctrl-C ends them without loss."""

from __future__ import annotations

import os
import select
import shutil
import signal
import sqlite3
import sys
import time
from pathlib import Path

import pytest

from companion.cli.shell.output import Interrupted
from tests.measures.report import long_archive
from tests.support.checkout import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")

PATIENCE = 90.0
"""Seconds that a busy machine may take."""
BAR = "\u2501".encode()
"""A bar is drawn of these."""
CTRL_C = b"\x03"

_COMMANDS: dict[str, list[str]] = {
    "luck": ["luck"],
    "report": ["report", "--luck"],
    "doctor": ["doctor"],
    "repair": ["doctor", "--repair", "repaired.sqlite3"],
}


@pytest.fixture(scope="module")
def long_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with 30,000 actions."""
    path = tmp_path_factory.mktemp("long") / "games.sqlite3"
    long_archive(path, "iraqwar2003", 30_000)
    return path


def _logged(path: Path) -> tuple[str, int]:
    """Whether SQLite finds the archive whole, and how many rows its log has."""
    with sqlite3.connect(path) as file:
        (state,) = file.execute("pragma integrity_check").fetchone()
        (rows,) = file.execute("select count(*) from log").fetchone()
    file.close()
    return state, rows


def _run_and_interrupt(words: list[str], folder: Path, archive: Path) -> tuple[int, bytes]:
    """Run a command at a terminal, press Ctrl-C when a bar is drawn; return the exit code and what it has written."""
    import pty

    child, terminal = pty.fork()
    if not child:
        os.chdir(folder)
        own = {"COMPANION_DB": str(archive), "COMPANION_CACHE": str(folder / "cache"), "PYTHONPATH": str(ROOT), "TERM": "xterm"}
        program = "from companion.cli.shell.main import main; main()"
        os.execve(sys.executable, [sys.executable, "-c", program, *words], {**os.environ, **own})
    written, pressed, until = b"", False, time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                written += os.read(terminal, 65_536)
            except OSError:  # the terminal is closed: the command has ended
                break
        if BAR in written and not pressed:
            os.write(terminal, CTRL_C)
            pressed = True
    if not pressed:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    os.close(terminal)
    assert pressed, written[-2000:]
    return os.waitstatus_to_exitcode(status), written


@pytest.mark.parametrize("name", _COMMANDS)
def test_ctrl_c_ends_a_long_command_without_loss(tmp_path: Path, long_game: Path, name: str) -> None:
    words = _COMMANDS[name]
    archive = tmp_path / "games.sqlite3"
    shutil.copy(long_game, archive)
    before = _logged(archive)
    code, written = _run_and_interrupt(words, tmp_path, archive)

    assert code == Interrupted.exit_code
    assert b"Traceback" not in written and b"Error" not in written
    assert written.rstrip().endswith(b"^C") or b"\x1b[?25h" in written, "the cursor stays hidden"
    assert _logged(archive) == before == ("ok", before[1])
    assert not list(tmp_path.glob("repaired*"))

"""Ctrl-C while the opponent thinks: the best so far is taken, and the game goes on."""

from __future__ import annotations

import io
import os
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from companion.cli.shell.bar import DELAY, Bar
from companion.cli.shell.output import PENDING
from companion.core.procedures import Progress, Thinking
from tests.cli.test_interrupts import CTRL_C, Terminal, is_clean
from tests.support.checkout import ROOT

pytestmark = [pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals"), pytest.mark.slow]

PLAYOUTS = 15_000
"""So many that the rival thinks for several seconds."""
ADVICE_PLAYOUTS = 60_000
"""So many that advice takes as long."""
BAR = "\u2501"
Rows = list[tuple[object, ...]]


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """The archive of a session against the rival, who plays on to decide."""
    archive = tmp_path / "companion.sqlite3"
    monkeypatch.setenv("COMPANION_DB", str(archive))
    monkeypatch.setenv("TINY_GAME", "tests.support.tiny_rival")
    config = tmp_path / "config.toml"
    config.write_text('pause = "off"\n')  # a pseudo-terminal without a size has no room for a page
    monkeypatch.setenv("COMPANION_CONFIG", str(config))
    playouts = ADVICE_PLAYOUTS if "bot" in request.node.callspec.id else PLAYOUTS
    _run(archive, "new", "tiny", "--seed", "7", "--name", "monday", "--think", str(playouts))
    return archive


def _terminal(archive: Path, *words: str) -> Terminal:
    return Terminal("tests.support.with_tiny", words, archive.parent, {"COMPANION_DB": str(archive)})


def _run(archive: Path, *words: str, code: int = 0) -> None:
    """Run a command without a terminal."""
    command = [sys.executable, "-m", "tests.support.with_tiny", *words]
    env = {**os.environ, "COMPANION_DB": str(archive), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == code, done.stderr


def _rows(archive: Path) -> Rows:
    """The log, without the times and whether an answer was typed at the prompt or in a command."""
    columns = "session_id, seq, kind, entry, replace(body, '\"typed\"', '\"scripted\"')"
    with closing(sqlite3.connect(archive)) as file:
        return file.execute(f"SELECT {columns} FROM log ORDER BY session_id, seq").fetchall()


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_bar_broken_by_ctrl_c_is_erased(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    """On Ctrl-C the terminal discards pending output, so the redrawn bar follows the old one and the ^C in the same row."""
    pyte = pytest.importorskip("pyte")
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "xterm-256color")
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    monkeypatch.setattr(written, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    glass = pyte.Screen(width, 5)
    stream = pyte.Stream(glass)

    bar = Bar()
    bar.begin()
    bar.show(Progress(72, 100, ""))
    bar._draw()
    stream.feed(written.getvalue())
    row = glass.display[0].rstrip()
    assert BAR in row
    stream.feed("^C" + row)
    shown = len(written.getvalue())
    bar.end()
    stream.feed(written.getvalue()[shown:].replace("\n", "\r\n"))
    assert not "".join(glass.display).strip()


def test_the_main_thread_never_starts_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C interrupts that thread: a bar interrupted while it started could not be erased, and a fault was reported."""
    monkeypatch.setattr(sys, "stderr", written := io.StringIO())
    monkeypatch.setattr(written, "isatty", lambda: True)
    threads: list[threading.Thread] = []
    monkeypatch.setattr(Bar, "_draw", lambda bar: threads.append(threading.current_thread()))

    bar = Bar()
    bar.begin()
    bar._since -= DELAY
    bar._has_timer = False
    until = time.monotonic() + 60
    while not threads and time.monotonic() < until:
        bar.show(Progress(1, 10, ""))
        time.sleep(0.01)
    bar.end()
    assert threads and threading.main_thread() not in threads


CASES = {"do": ((), ("do", "wager")), "bot": ((), ("bot",)), "answer": (("do", "parley"), ("answer", "3"))}
"""The command before, and the one that is interrupted."""


@pytest.mark.parametrize(("before", "line"), CASES.values(), ids=CASES)
def test_ctrl_c_takes_the_best_so_far_while_the_rival_thinks(table: Path, before: tuple[str, ...], line: tuple[str, ...]) -> None:
    """The command is done, with what was found until then."""
    if before:
        _run(table, *before, code=PENDING)
    logged = _rows(table)
    terminal = _terminal(table, *line)
    terminal.wait(lambda written: Thinking.label.encode() in written)
    terminal.type(CTRL_C)

    assert terminal.exit_code() == 0
    assert is_clean(terminal.written), terminal.written[-2000:]
    assert (_rows(table) == logged) == (line == ("bot",))  # which shows something only


class Typed(NamedTuple):
    """A line at the prompt. ``open``: the action whose question is open then, or ""."""

    line: str
    open: str = ""


AT_PROMPT = (Typed("wager"), Typed("3", open="parley"), Typed("rest & wager"), Typed("/bot"))


@pytest.mark.parametrize("typed", AT_PROMPT, ids=lambda typed: typed.line)
def test_ctrl_c_at_the_prompt_while_the_rival_thinks(table: Path, typed: Typed) -> None:
    """The line is done, with what was found until then, and the session goes on."""
    pytest.importorskip("pexpect")
    pytest.importorskip("pyte")
    from tests.support.screen import Screen

    if typed.open:
        _run(table, "do", typed.open, code=PENDING)
    logged = _rows(table)

    screen = Screen("play", COMPANION_DB=str(table))
    screen.wait("How much do you offer" if typed.open else "[?] action").type(typed.line).see(Thinking.label)
    screen.child.send("\x03")
    screen.wait("supply counts" if typed.line == "/bot" else "The rival:", "[?] action", gone=BAR)
    screen.type("/quit")
    assert "Saved: session monday" in screen.end()
    assert (_rows(table) == logged) == (typed.line == "/bot")

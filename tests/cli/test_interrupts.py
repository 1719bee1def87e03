"""Commands that take long, at a terminal: after a second they show that they work, and Ctrl-C ends them without loss."""

from __future__ import annotations

import _imp
import json
import os
import select
import shutil
import sqlite3
import subprocess
import sys
import time
import weakref
from _thread import start_new_thread
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from companion.cli.shell import output, shared
from companion.cli.shell.app import app
from companion.cli.shell.bar import BAR
from companion.cli.shell.catalog import COMMANDS
from companion.cli.shell.fast import fast
from companion.cli.shell.loading import run_short
from companion.cli.shell.output import Interrupted, guarded, put
from companion.session.controller import SessionController
from companion.session.database import TABLES
from companion.session.store import Archive
from companion.session.transfer import bundle
from companion.session.trusted import ConsentPending
from tests.cli.conftest import Run
from tests.measures.report import long_archive
from tests.support.checkout import ROOT
from tests.support.stuck import MARK
from tests.support.trusted import begin, give_share, play_to_roll

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")

PATIENCE = 90.0
"""Seconds that a busy machine may take."""
CTRL_C = b"\x03"
HIDE, SHOW = b"\x1b[?25l", b"\x1b[?25h"
"""The cursor is hidden while the bar is drawn, which at its beginning is blank where there are no colours."""

_COMMANDS: dict[str, list[str]] = {
    "luck": ["luck"],
    "report": ["report", "--luck"],
    "review": ["review", "--level", "quick"],
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
    with closing(sqlite3.connect(path)) as file:
        (state,) = file.execute("pragma integrity_check").fetchone()
        (rows,) = file.execute("select count(*) from log").fetchone()
    return state, rows


class Terminal:
    """A program at a pseudo-terminal, in a folder of its own."""

    def __init__(self, module: str, words: Sequence[str], folder: Path, env: Mapping[str, str]) -> None:
        import pty

        self.written = b""
        self._child, self._terminal = pty.fork()
        if not self._child:
            os.chdir(folder)
            own = {"COMPANION_CACHE": str(folder / "cache"), "PYTHONPATH": str(ROOT), "TERM": "xterm"}
            os.execve(sys.executable, [sys.executable, "-m", module, *words], {**os.environ, **own, **env})

    def wait(self, ready: Callable[[bytes], bool]) -> None:
        """Read until what has been written is enough, or the program has ended."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and not ready(self.written):
            if select.select([self._terminal], [], [], 0.1)[0]:
                try:
                    self.written += os.read(self._terminal, 65_536)
                except OSError:  # the terminal is closed: the program has ended
                    return

    def type(self, keys: bytes) -> int:
        """Press keys; return how much had been written before."""
        os.write(self._terminal, keys)
        return len(self.written)

    def exit_code(self) -> int:
        """Wait for the end of the program; return its exit code."""
        self.wait(lambda written: False)
        _, status = os.waitpid(self._child, 0)
        os.close(self._terminal)
        return os.waitstatus_to_exitcode(status)


def is_clean(written: bytes) -> bool:
    """True if no error was shown, and the cursor is not left hidden."""
    return not (b"Traceback" in written or b"Error" in written or written.rfind(HIDE) > written.rfind(SHOW))


@pytest.mark.parametrize("name", _COMMANDS)
def test_ctrl_c_ends_a_long_command_without_loss(tmp_path: Path, long_game: Path, name: str) -> None:
    archive = tmp_path / "games.sqlite3"
    shutil.copy(long_game, archive)
    before = _logged(archive)
    terminal = Terminal("companion", _COMMANDS[name], tmp_path, {"COMPANION_DB": str(archive)})
    terminal.wait(lambda written: HIDE in written)
    terminal.type(CTRL_C)

    assert terminal.exit_code() == Interrupted.exit_code
    assert is_clean(terminal.written), terminal.written[-2000:]
    assert _logged(archive) == before == ("ok", before[1])
    assert not list(tmp_path.glob("repaired*"))


def test_ctrl_c_in_a_callback_that_drops_exceptions_is_repeated() -> None:
    """Such as the one that forgets the lock of an imported module: a command went on as if no key had been pressed."""

    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    def run() -> int:
        thing = set[int]()
        watched = weakref.ref(thing, interrupted)
        del thing
        for _ in range(5000):
            assert watched() is None
            time.sleep(0.001)
        return 0

    assert guarded(run, json=False) == Interrupted.exit_code


def test_dropped_ctrl_c_is_repeated_on_a_busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """There the hook could still be running when Ctrl-C was repeated, and it was dropped again."""

    def start(function: Callable[[], None], arguments: tuple[()]) -> None:
        start_new_thread(function, arguments)
        time.sleep(0.1)

    monkeypatch.setattr(output, "start_new_thread", start)
    test_ctrl_c_in_a_callback_that_drops_exceptions_is_repeated()


def test_ctrl_c_in_an_import_does_not_block_imports_in_other_threads() -> None:
    """The thread that draws the bar waited for the import lock forever, and the command waited for that thread."""

    def run() -> int:
        _imp.acquire_lock()  # importlib does not release it if Ctrl-C comes before its try block
        raise KeyboardInterrupt

    assert guarded(run, json=False) == Interrupted.exit_code
    assert not _imp.lock_held()


def test_ctrl_c_in_exec_does_not_change_the_exit_code(tmp_path: Path) -> None:
    """As in importing a module with named tuples or dataclasses: Python ended by the signal."""
    command = "import sys\nfrom companion.cli.shell.output import guarded\n"
    (tmp_path / "ends.py").write_text(command + 'sys.exit(guarded(lambda: exec("raise KeyboardInterrupt"), False))\n')
    env = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"}
    done = subprocess.run([sys.executable, "-m", "ends"], env=env, capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode == Interrupted.exit_code


@pytest.fixture(scope="module")
def slow_to_check(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive whose `integrity_check` takes a minute: a table of its owner has a constraint that is slow to evaluate."""
    path = tmp_path_factory.mktemp("slow") / "games.sqlite3"
    Archive.open(str(path)).close()
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("PRAGMA ignore_check_constraints = ON")
        file.execute("CREATE TABLE own (a CHECK (instr(hex(zeroblob(20000 + a % 2)), 'x') = 0))")
        numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150000)"
        file.execute(f"{numbers} INSERT INTO own SELECT i FROM n")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("words", [["doctor"], ["backup", "copy.sqlite3"]], ids=" ".join)
def test_ctrl_c_ends_the_check_of_the_file(tmp_path: Path, slow_to_check: Path, words: list[str]) -> None:
    """SQLite checks in one statement, in which no line of Python runs."""
    terminal = Terminal("companion", words, tmp_path, {"COMPANION_DB": str(slow_to_check), "TMPDIR": str(tmp_path)})
    terminal.wait(lambda written: HIDE in written)
    terminal.type(CTRL_C)
    since = time.monotonic()

    assert terminal.exit_code() == Interrupted.exit_code
    assert time.monotonic() - since < 15
    assert is_clean(terminal.written), terminal.written[-2000:]
    assert [path.name for path in tmp_path.iterdir() if path.name != "cache"] == []


@pytest.mark.slow
def test_ctrl_c_ends_the_restore_of_a_long_session(tmp_path: Path) -> None:
    archive, document = tmp_path / "games.sqlite3", tmp_path / "notes.json"
    with Archive.open(str(archive)) as opened:
        session = SessionController.create(opened, "fallujahcards", seed="7")
        data = bundle(opened, session.info)
    notes = [
        [len(data["rows"]) + number, "note", 1, {"text": f"{number}"}, "2026-11-28T12:00:00Z"] for number in range(1, 200_000)
    ]
    document.write_text(json.dumps({**data, "rows": [*data["rows"], *notes]}), encoding="utf-8")
    before = _logged(archive)
    terminal = Terminal("companion", ["bundle", "--restore", "notes.json"], tmp_path, {"COMPANION_DB": str(archive)})
    terminal.wait(lambda written: HIDE in written)
    terminal.type(CTRL_C)

    assert terminal.exit_code() == Interrupted.exit_code
    assert is_clean(terminal.written), terminal.written[-2000:]
    assert _logged(archive) == before


# -- every command -------------------------------------------------------------------------------------------------------

WRITE, SYNC = "companion.session.store:Archive._insert", "os:fsync"
OPEN, IDLE = (["do", "fight", "blue"],), ()
"""Commands before: a question is left open, or not."""


class Case(NamedTuple):
    """A command line, the function in which it takes very long, and the commands before it."""

    line: str
    place: str = WRITE
    before: Sequence[list[str]] = IDLE


CASES = {
    "do": Case("do rest"),
    "new": Case("new tiny --scenario day --json"),
    "show": Case("show", "companion.views.board:show"),
    "watch": Case("watch", "companion.session.inquiry:SessionViewer.poll"),
    "host": Case("host --port 0", "companion.web.command:_Announcement.show"),
    "answer": Case("answer no", WRITE, OPEN),
    "status": Case("status", "companion.cli.shell.shared:status_lines"),
    "practice": Case("practice tiny --scenario day --json"),
    "undo": Case("undo"),
    "redo": Case("redo", WRITE, (["undo"],)),
    "amend": Case("amend 3.1 red", WRITE, (["do", "fight", "blue", "no"],)),
    "audit": Case("audit supply=5"),
    "adjust": Case("adjust supply 5"),
    "log": Case("log", "companion.views.log:log_lines"),
    "log --json": Case("log --json", "companion.views.log:log_data"),
    "why": Case("why", "companion.views.log:why_lines"),
    "help": Case("help correcting", "companion.session.files:help_page"),
    "roll": Case("roll 2d6", "companion.core.dice:total_odds"),
    "rule": Case("rule tiny 2.1", "companion.views.reference:find_rules"),
    "chart": Case("chart tiny", "companion.session.state:load_game"),
    "games": Case("games", "companion.session.state:load_game"),
    "summary": Case("summary", "companion.views.result:session_summary"),
    "map": Case("map tiny", "companion.session.state:load_game"),
    "printed": Case("printed tiny set strength:Red 3", "companion.session.store:Archive._insert_fact"),
    "bot": Case("bot", "companion.session.state:SessionState.advised", OPEN),
    "odds": Case("odds", "companion.session.state:SessionState.odds", OPEN),
    "luck": Case("luck", "companion.session.luck:session_luck"),
    "stats": Case("stats", "companion.session.stats:played_tables"),
    "review": Case("review", "companion.session.review:session_review"),
    "drill": Case("drill tiny", "companion.session.exercises:own_exercises"),
    "report": Case("report --out report.md", SYNC),
    "simulate": Case("simulate tiny --games 5 --out games.csv", "companion.session.tally:Tally.add"),
    "use": Case("use monday", "companion.session.store:Archive._use"),
    "note": Case("note tea"),
    "branch": Case("branch copy"),
    "backup": Case("backup copy.sqlite3", "companion.session.backup:find_damage"),
    "bundle": Case("bundle game.json", SYNC),
    "bundle --restore": Case("bundle --restore kept.json", "companion.session.store:Archive._use", (["bundle", "kept.json"],)),
    "bundle --restore --db": Case("bundle --restore kept.json --db other.sqlite3", WRITE, (["bundle", "kept.json"],)),
    "config": Case("config theme light", "companion.session.files:check_setting"),
    "doctor": Case("doctor", "companion.session.doctor:check_archive"),
    "doctor --repair": Case("doctor --repair copy.sqlite3", "companion.session.backup:salvage"),
    "sessions": Case("sessions", "companion.session.store:Archive.times_played"),
    "completions": Case("completions bash", "companion.session.files:shipped_folder"),
    "game": Case("game new harbour", "companion.session.plugins:write_game"),
    "schema": Case("schema", "companion.cli.shell.schema:read_shapes"),
    "tables": Case("tables check", "companion.session.tables:load"),
}
TRUSTED_CASES = {
    "share": Case(f"share {'ab' * 32} --seat nva"),
    "consent": Case("consent yes --seat nva"),
    "verify": Case("verify", "companion.session.verify:verify"),
}
"""In a session with trusted dice, in which a roll waits, and an undo for consent."""
INTERACTIVE = {"play", "serve", "mcp"}
"""They wait for the player, or for another program; `play` has tests of its own."""
KEEPS = {
    "simulate": {"games.csv"},
    "practice": {"companion-practice.sqlite3"},
    "bundle --restore --db": {"other.sqlite3"},
    "game": {"harbour"},
}
"""Files that stay: the games that are finished, an empty archive, and those of a command that had done all its work."""


def test_every_command_has_a_case() -> None:
    assert {name.partition(" ")[0] for name in CASES} | set(TRUSTED_CASES) | INTERACTIVE == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_runs_within_the_bar(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Whichever of the three ways a command is run."""
    seen: list[bool] = []

    def spy(*arguments: object, **named: object) -> int:
        seen.append(BAR.is_running)
        return 0

    command = COMMANDS[name]
    monkeypatch.setattr(command, "run", spy)
    monkeypatch.setattr(shared, "status", spy)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    line = [name, *("1.1" if word.name == "reply" else "x" for word in command.words if word.needed)]
    if fast(line) is None and run_short(line) is None:
        with pytest.raises(SystemExit):
            app(line)
    assert seen == [True]
    assert not BAR.is_running


@pytest.fixture
def played(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of an archive with a session of the made-up game."""
    folder = tmp_path / "table"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COMPANION_DB", str(folder / "companion.sqlite3"))
    run("new", "tiny", "--scenario", "day", "--seed", "7", "--name", "monday")
    run("do", "rest")
    yield folder


def _content(folder: Path) -> tuple[set[str], list[Any]]:
    """The files of a folder, and the rows of its archive without what was shown and when."""
    with closing(sqlite3.connect(folder / "companion.sqlite3")) as file:
        rows = [sorted(file.execute(f"select * from {table}"), key=repr) for table in TABLES]
    names = {path.name for path in folder.iterdir() if path.suffix not in (".history", ".sqlite3-wal", ".sqlite3-shm")}
    return names - {"cache"}, [[row for row in table if row[0] not in ("shown", "used at")] for table in rows]


def _stuck(words: Sequence[str], folder: Path, place: str, **env: str) -> Terminal:
    return Terminal("tests.support.stuck", words, folder, {"STUCK": place, **env})


def _is_stuck_with_bar(start: int = 0) -> Callable[[bytes], bool]:
    """Whether a bar is on the screen at the place where the program hangs; it may have been drawn on the way there."""
    return lambda written: MARK in written[start:] and written.rfind(HIDE, start) > written.rfind(SHOW, start)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_ctrl_c_in_any_command_keeps_nothing_half_done(run: Run, played: Path, name: str) -> None:
    case = CASES[name]
    for words in case.before:
        run(*words, code=3 if words == OPEN[0] else 0)
    before = _content(played)
    terminal = _stuck(case.line.split(), played, case.place)
    terminal.wait(_is_stuck_with_bar())
    terminal.type(CTRL_C)

    if name == "simulate":  # its result waits for a key
        terminal.wait(lambda written: b"--" in written)
        terminal.type(b"q")
    assert terminal.exit_code() == Interrupted.exit_code, terminal.written
    assert is_clean(terminal.written), terminal.written[-2000:]
    files, rows = _content(played)
    assert files - KEEPS.get(name, set()) == before[0]
    assert rows == before[1]
    run("status")


@pytest.mark.slow
@pytest.mark.parametrize("name", TRUSTED_CASES)
def test_ctrl_c_in_a_command_of_trusted_dice(tmp_path: Path, name: str) -> None:
    case, path = TRUSTED_CASES[name], tmp_path / "companion.sqlite3"
    with Archive.open(str(path)) as archive:
        session = begin(archive)
        play_to_roll(session, Random(3), shares=False)
        with pytest.raises(ConsentPending):
            session.undo()
    before = _content(tmp_path)
    terminal = _stuck(case.line.split(), tmp_path, case.place, STUCK_IN_ALL_GAMES="1", COMPANION_DB=str(path))
    terminal.wait(_is_stuck_with_bar())
    terminal.type(CTRL_C)

    assert terminal.exit_code() == Interrupted.exit_code, terminal.written
    assert is_clean(terminal.written), terminal.written[-2000:]
    assert _content(tmp_path) == before
    with Archive.open(str(path)) as archive:
        give_share(SessionController.open(archive), Random(4))  # goes on


@pytest.mark.slow
def test_a_terminal_that_is_read_aloud_gets_one_line_for_the_bar(played: Path) -> None:
    terminal = _stuck(["log"], played, CASES["log"].place, TERM="dumb")
    terminal.wait(lambda written: b"Still working; Ctrl-C stops it" in written and MARK in written)
    terminal.type(CTRL_C)

    assert terminal.exit_code() == Interrupted.exit_code
    assert terminal.written.count(b"Still working") == 1 and HIDE not in terminal.written


def test_no_bar_is_drawn_over_a_pager_of_the_shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """As in `companion log | less`: once there is output, the terminal is the pager's."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with BAR:
        assert BAR.is_running
        put("a line\n")
        assert not BAR.is_running
    assert capsys.readouterr() == ("a line\n", "")


# -- at the prompt -------------------------------------------------------------------------------------------------------

LINES = {
    "no": WRITE,
    "*": "companion.session.state:SessionState.odds",
    "/odds attack strength:Red=2": "companion.session.inquiry:Inquiry.position_and_options",
    "/bot": "companion.session.state:SessionState.advised",
    "/log": "companion.views.log:log_lines",
    "/why": "companion.views.log:why_lines",
    "/show": "companion.views.board:show",
    "/summary": "companion.views.result:session_summary",
    "/undo": WRITE,
    "/back": WRITE,
    "/abort": WRITE,
    "/note tea": WRITE,
    "/adjust supply 5 because of tea": WRITE,
    "/bundle game.json": SYNC,
}
"""What is typed at a question, and the function in which it takes very long."""


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_ctrl_c_in_any_line_comes_back_to_the_open_question(run: Run, played: Path, line: str) -> None:
    """The bar is erased before the prompt, nothing of the line is kept, and the question takes its answer."""
    pytest.importorskip("pexpect")
    pytest.importorskip("pyte")
    from tests.support.screen import Screen

    run(*OPEN[0], code=3)
    before = _content(played)
    screen = Screen("play", STUCK=LINES[line], COMPANION_DB=str(played / "companion.sqlite3"), FOLDER=str(played))
    screen.wait("Another round", "[no] >").type(line).see("\u2501")
    screen.child.send("\x03")
    screen.wait("Nothing done", "[no] >", gone="\u2501")

    assert _content(played) == before
    screen.type("/quit")
    assert "Saved: session monday" in screen.end()
    run("answer", "no")

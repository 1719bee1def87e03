"""The archive is removed, replaced, read-only or on a full or failing disk while a word is typed at the loop."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from companion.cli.repl.commands import SLASH_COMMANDS
from companion.cli.repl.loop import Loop
from companion.core.errors import BadData
from companion.session import database
from companion.session.controller import SessionController
from companion.session.state import SessionState
from companion.session.store import Archive
from tests.cli.test_loop import CTRL_D, Typist
from tests.support.commands import companion

WRITES = ("INSERT", "UPDATE", "DELETE", "CREATE", "COMMIT")
READS = ("SELECT", "WITH", "BEGIN", *WRITES)


class Failing:
    """A connection to an archive whose statements of some kinds fail while `code` is set."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.code = 0
        self.kinds: tuple[str, ...] = ()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        self._check(sql)
        return self.connection.execute(sql, *values)

    def executemany(self, sql: str, rows: Any) -> sqlite3.Cursor:
        self._check(sql)
        return self.connection.executemany(sql, rows)

    def _check(self, sql: str) -> None:
        if self.code and sql.lstrip().upper().startswith(self.kinds):
            error = sqlite3.OperationalError("a statement that fails")
            error.sqlite_errorcode = self.code
            raise error


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Failing]]:
    """Every connection that is opened to an archive."""
    opened: list[Failing] = []
    configure = database._configure

    def failing(*args: Any) -> Any:
        opened.append(Failing(configure(*args)))
        return opened[-1]

    monkeypatch.setattr(database, "_configure", failing)
    yield opened


def remove(archive: Archive, connections: list[Failing]) -> None:
    for end in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.unlink(archive.path + end)


def replace(archive: Archive, connections: list[Failing]) -> None:
    """Put another archive in its place."""
    other = archive.path + ".other"
    Archive.open(other).close()
    remove(archive, connections)
    os.replace(other, archive.path)


def fail(code: int, kinds: tuple[str, ...], archive: Archive, connections: list[Failing]) -> None:
    for connection in connections:
        connection.code, connection.kinds = code, kinds


FAULTS: dict[str, Callable[[Archive, list[Failing]], None]] = {
    "removed": remove,
    "replaced": replace,
    "read-only": lambda *args: fail(sqlite3.SQLITE_READONLY, WRITES, *args),
    "full": lambda *args: fail(sqlite3.SQLITE_FULL, WRITES, *args),
    "failing": lambda *args: fail(sqlite3.SQLITE_IOERR, READS, *args),
}
GONE = ("removed", "replaced")
REFUSED = {"read-only": "is read-only", "full": "is full", "failing": "disk I/O error"}

LINES = {
    "undo": ("/undo", "/undo 2", "/undo to march"),
    "redo": ("/redo",),
    "back": ("/back",),
    "rule": ("/rule 2.1",),
    "why": ("/why",),
    "odds": ("/odds", "/odds duel"),
    "bot": ("/bot", "/bot do"),
    "note": ("/note the bridge was blown",),
    "adjust": ("/adjust supply 3 because seen", "/adjust Red hill-1 because seen"),
    "show": ("/show", "/show score"),
    "log": ("/log", "/log all", "/log undone"),
    "map": ("/map", "/map tell camp marsh; paths ford"),
    "status": ("/status",),
    "summary": ("/summary",),
    "review": ("/review",),
    "verify": ("/verify",),
    "abort": ("/abort",),
    "consent": ("/consent yes",),
    "amend": ("/amend 2.2 hill-1",),
    "dice": ("/dice physical",),
    "draws": ("/draws physical",),
    "think": ("/think 2",),
    "pace": ("/pace never",),
    "audit": ("/audit", "/audit supply 3"),
    "bundle": ("/bundle rescued.json",),
    "answers": ("/answers",),
    "tour": ("/tour",),
    "help": ("/help", "/help keys"),
    "quit": ("/quit",),
    "": ("rest", "scout left", "fight red 2 no", "yes", "2", "", ".", "-", "*", "?", "reports", "sessions", CTRL_D),
}
"""What is typed, by slash command; "" is an answer, an action or a key."""
QUICK = {"undo", "adjust", "map", "quit"}


class Reader(Typist):
    """Remembers how many lines were shown when the archive failed."""

    def mark(self) -> None:
        self.since = len(self.shown)


STATES = {"no question": ("march red; ford", "rest", "/undo", "rest"), "question": ("march red; ford", "rest", "fight red", "2")}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("word", [pytest.param(word, marks=() if word in QUICK else pytest.mark.slow) for word in LINES])
def test_fault_of_the_archive_under_a_word_is_told_in_a_line(
    tiny_game: str, tmp_path: Path, connections: list[Failing], monkeypatch: pytest.MonkeyPatch, word: str, state: str, fault: str
) -> None:
    """The loop goes on, or ends by naming the rescue; nothing is half kept, and what is left is sound."""
    monkeypatch.chdir(tmp_path)
    for number, line in enumerate(LINES[word]):
        path = tmp_path / f"{number}.sqlite3"
        with Archive.open(os.fspath(path)) as archive:
            check(archive, connections, fault, state, line)


def check(archive: Archive, connections: list[Failing], fault: str, state: str, line: str) -> None:
    session = SessionController.create(archive, "tiny", "day", seed="7")

    def strike() -> None:
        FAULTS[fault](archive, connections)
        typist.mark()

    def lift() -> None:
        for connection in connections:
            connection.code = 0

    typist = Reader([*STATES[state], strike, line, "/status", lift, "n", "/note afterwards"])
    loop = Loop(session, typist.ask, typist.tell)
    ended = ""
    try:
        loop.play()
    except BadData as error:
        ended = error.message
    lift()
    shown = [text.text for text in typist.shown[typist.since :]]
    told = "\n".join(shown)
    assert "fault in" not in told and "Traceback" not in told, told
    if fault in GONE:
        assert "was moved, removed or replaced" in ended, (line, told)
        assert "/bundle FILE saves what this window knows" in told, (line, told)
        assert "Saved: session" not in told
        if fault == "replaced":
            with Archive.open(archive.path) as other:
                assert other.sessions() == []
        else:
            assert not os.path.exists(archive.path)
        return
    assert ended == "", (line, ended, told)
    if line.startswith(("/note", "/adjust", "/amend", "/dice")):
        assert REFUSED[fault] in told, (line, told)
    session.refresh()
    again = SessionState.open(archive, session.info.name)
    assert not again.broken
    assert again.position == session.position
    assert any(row.body.get("text") == "afterwards" for row in archive.rows(session.info.id)) or line in ("/quit", CTRL_D)
    assert companion("doctor", "--db", archive.path).code == 0


def test_every_word_of_the_loop_is_tried() -> None:
    assert set(LINES) == {*SLASH_COMMANDS, ""}

"""Many processes at one archive: one order, nothing lost, and whoever was too late is told; those who look on hold up nobody."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.core.errors import BadData, Illegal, SessionMoved
from companion.session.controller import SessionController
from companion.session.inquiry import SessionViewer
from companion.session.store import Archive
from tests.session.test_crash import ACTIONS, answer_to
from tests.support.processes import in_child

HANDS = 8
MOST_WAL = 8_000_000
"""Bytes: twice what SQLite lets it grow to before it takes it in."""
SECONDS = [1.0, pytest.param(60.0, marks=pytest.mark.long)]

Played = dict[str, list[tuple[int, int]]]
"""Of each session the rows of its log, first and last, that calls of this process were told to be kept."""


def go_on(session: SessionController, hand: int) -> None:
    """One thing that a player does."""
    seq = session.history.seq
    if seq % 11 == hand % 11:
        session.note(f"{hand} at {seq}")
    elif len(session.history.force) > 15:
        session.undo(12)
    else:
        try:
            play_on(session, seq)
        except Illegal:  # the cup is empty
            session.undo(1)


def play_on(session: SessionController, seq: int) -> None:
    if session.pending:
        session.reply(answer_to(session.pending, seq), anyway=True)
    else:
        session.begin(ACTIONS[seq % len(ACTIONS)], anyway=True)


def hand(path: str, name: str, number: int, seconds: float) -> list[str]:
    """Plays for so long, and tells what was acknowledged and how often it was told to be too late or to wait."""
    kept: list[tuple[int, int]] = []
    late = held = 0
    until = time.monotonic() + seconds
    with Archive.open(path) as archive:
        session = SessionController.open(archive, name)
        while time.monotonic() < until:
            before = session.history.seq
            try:
                go_on(session, number)
            except SessionMoved as fault:
                assert "the session has moved on" in fault.message
                late += 1
                session.refresh()
                continue
            except BadData as fault:
                assert "another program holds the archive" in fault.message
                held += 1
                continue
            kept.append((before + 1, session.history.seq))
            time.sleep(0.003)  # let others have their turn
    return [json.dumps({"name": name, "kept": kept, "late": late, "held": held})]


def look_on(path: str, seconds: float) -> list[str]:
    """Looks far more often than ``watch`` does; the largest that the -wal was meanwhile."""
    onlooker, most, looks = SessionViewer(path, ""), 0, 0
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        onlooker.poll()
        looks += 1
        most = max(most, os.path.getsize(f"{path}-wal"))
        time.sleep(0.01)
    onlooker.close()
    return [json.dumps({"most": most, "looks": looks})]


def hands(path: str, names: list[str], seconds: float) -> Iterator[dict[str, object]]:
    """So many play at once, and one looks on."""
    works: list[Callable[[], list[str]]] = [
        lambda number=number: hand(path, names[number % len(names)], number, seconds) for number in range(HANDS)
    ]
    yield from map(json.loads, in_child(*works, lambda: look_on(path, seconds)))


@pytest.mark.parametrize("seconds", SECONDS)
@pytest.mark.parametrize("sessions", [1, HANDS])
def test_concurrent_writes_are_ordered_and_kept(tmp_path: Path, tiny_game: str, sessions: int, seconds: float) -> None:
    path, names = str(tmp_path / "archive.sqlite3"), [f"table {number}" for number in range(sessions)]
    start = {}
    with Archive.open(path) as archive:
        for name in names:
            start[name] = SessionController.create(
                archive, "tiny", seed=name, name=name, dice="physical", draws="physical"
            ).history.seq

    *played, looked = hands(path, names, seconds)

    with Archive.open(path) as archive:
        for name in names:
            kept = sorted(tuple(rows) for one in played if one["name"] == name for rows in one["kept"])
            told = [seq for first, last in kept for seq in range(first, last + 1)]
            rows = archive.rows(archive.session(name).id)
            assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
            assert told == list(range(start[name] + 1, len(rows) + 1)), "each row of the log is one that one process was told of"
            assert SessionController.open(archive, name).broken == ""
        assert archive.wrong_summaries() == []
    assert sum(bool(one["kept"]) for one in played) >= (HANDS if seconds > 10 else 2), "nobody is kept out"
    late = sum(one["late"] for one in played)
    assert late > 0 if sessions == 1 else late == 0
    assert looked["looks"] > seconds * 10 and looked["most"] < MOST_WAL


def test_wal_is_checkpointed_while_a_reader_is_open(tmp_path: Path, tiny_game: str) -> None:
    path = str(tmp_path / "archive.sqlite3")
    with Archive.open(path) as archive:
        SessionController.create(archive, "tiny", seed="1")
    onlooker = SessionViewer(path, "")
    with Archive.open(path) as archive:
        session = SessionController.open(archive)
        onlooker.poll()
        for number in range(100):
            session.note(f"{number} " + "x" * 1500)
        grown = os.path.getsize(f"{path}-wal")
    assert 0 < grown < MOST_WAL
    assert os.path.getsize(f"{path}-wal") == 0
    assert (looked := onlooker.poll()) is not None and len(looked.history.notes) == 100
    onlooker.close()


def test_long_reader_blocks_no_writer(tmp_path: Path, tiny_game: str) -> None:
    """Not even at the end; what it keeps from being taken in goes in with the next who is done."""
    path = str(tmp_path / "archive.sqlite3")
    with Archive.open(path) as archive:
        SessionController.create(archive, "tiny", seed="1")
    with Archive.open(path) as reader:
        reader._db.execute("BEGIN")
        reader.sessions()
        begun = time.monotonic()
        with Archive.open(path) as archive:
            SessionController.open(archive).note("written meanwhile")
        assert time.monotonic() - begun < 1.5, "it did not wait for the reader"
        assert os.path.getsize(f"{path}-wal") > 0
        reader._db.execute("COMMIT")
        with Archive.open(path) as archive:
            SessionController.open(archive).note("and once more")
        assert os.path.getsize(f"{path}-wal") == 0

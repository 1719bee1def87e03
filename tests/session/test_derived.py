"""What is kept beside the log goes with it by whatever way it came there, and no view looks at other sessions."""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.session import database
from companion.session.desk import Answers, Desk
from companion.session.store import Archive
from companion.session.transfer import restore
from tests.support.commands import companion

ARCHIVES = Path(__file__).parents[1] / "archives"
KEPT = ("force", "sums", "names", "tracked", "faces")
OF_ONE_SESSION = ("v_entries", "v_replies", "v_decisions", "v_events", "v_moves", "v_rolls", "v_dice", "v_draws")


def unpacked(name: str) -> bytes:
    return gzip.decompress((ARCHIVES / name).read_bytes())


def migrated(path: Path, stem: str) -> None:
    path.write_bytes(unpacked(f"{stem}.sqlite3.gz"))


def taken_over(path: Path, stem: str) -> None:
    with Archive.open(str(path)) as archive:
        restore(archive, unpacked(f"{stem}.bundle.json.gz"))


def kept(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with Archive.open(str(path)):
        pass
    with sqlite3.connect(path) as raw:
        found = {table: sorted(raw.execute(f"SELECT * FROM {table}").fetchall(), key=repr) for table in KEPT}
        assert database.astray(raw) == []
    raw.close()
    return found


@pytest.mark.parametrize("stem", ["266895b/lzalbany-middle", "266895b/phantomfury-over", "fb34692/phantomfury-question"])
def test_a_migration_and_the_triggers_come_to_the_same(tmp_path: Path, stem: str) -> None:
    migrated(tmp_path / "a", stem)
    taken_over(tmp_path / "b", stem)
    found = kept(tmp_path / "a")
    assert found == kept(tmp_path / "b")
    assert all(found.values())


def test_they_follow_what_is_taken_back_and_brought_again(archive: Archive, tiny_game: str) -> None:
    desk = Desk.create(archive, "tiny", seed="7")
    desk.do("march", Answers([("unit", "Red"), ("to", "ford")], dice=[6]))
    desk.do("fight", Answers([("unit", "Blue")], dice=[1, 5]))
    assert archive.astray() == []
    before = archive._read("SELECT session, entry, status FROM v_entries")
    desk.undo(2)
    assert archive.astray() == [] and archive._read("SELECT sum(in_force) FROM force") == [(1,)]
    desk.redo()
    assert archive._read("SELECT session, entry, status FROM v_entries") == before
    desk.amend(2, 3, "2")
    desk.setting(think="3")
    desk.note("so far")
    assert archive.astray() == []


@pytest.mark.parametrize(
    ("table", "sql"),
    [
        ("force", "UPDATE force SET in_force = 0"),
        ("sums", "DELETE FROM sums"),
        ("names", "UPDATE names SET name = 'x'"),
        ("tracked", "DELETE FROM tracked"),
        ("faces", "UPDATE faces SET dice = 99"),
    ],
)
def test_the_doctor_sees_one_that_was_changed_and_mends_it_in_a_copy(
    archive: Archive, tiny_game: str, tmp_path: Path, table: str, sql: str
) -> None:
    desk = Desk.create(archive, "tiny", seed="7")
    desk.do("march", Answers([("unit", "Red"), ("to", "ford")], dice=[6]))
    desk.do("fight", Answers([("unit", "Blue")], dice=[1, 5]))
    assert companion("doctor").code == 0
    archive._write(lambda: archive._db.execute(sql))
    found = companion("doctor")
    assert found.code == 4 and f"The table '{table}' does not go with the log" in found.out
    assert companion("doctor", "--repair", str(tmp_path / "mended")).code == 0


def test_a_body_that_is_no_json_is_in_nobodys_way(archive: Archive, tiny_game: str) -> None:
    Desk.create(archive, "tiny", seed="7")
    for seq, kind in enumerate(("entry", "reply", "adjusted", "done", "change", "setting"), 90):
        archive._db.execute("INSERT INTO log VALUES (1, ?, ?, 9, '{', 't')", (seq, kind))
    assert archive.astray() == []


@pytest.mark.parametrize("view", OF_ONE_SESSION)
def test_a_view_of_one_session_does_not_look_at_others(
    archive: Archive, tiny_game: str, view: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(times: int) -> None:
        for _ in range(times):
            desk = Desk.create(archive, "tiny", seed="7")
            desk.do("march", Answers([("unit", "Red"), ("to", "ford")], dice=[6]))
            desk.do("search", Answers(draws=["Gold"], dice=[6]))

    play(1)
    few = spent(archive, lambda: archive._read(f"SELECT * FROM {view} WHERE session = 'tiny-1'"))
    play(20)
    many = spent(archive, lambda: archive._read(f"SELECT * FROM {view} WHERE session = 'tiny-1'"))
    assert many <= few * 1.2 + 10


def spent(archive: Archive, work: Callable[[], object]) -> int:
    """Instructions of SQLite's machine."""
    count = 0

    def tick() -> None:
        nonlocal count
        count += 1

    archive._db.set_progress_handler(tick, 1)
    work()
    archive._db.set_progress_handler(None, 1)
    return count

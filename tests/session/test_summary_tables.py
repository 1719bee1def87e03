"""What is kept beside the log goes with it by whatever way it came there, and no view looks at other sessions."""

from __future__ import annotations

import gzip
import re
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import closing as closing_of
from pathlib import Path
from typing import Any

import pytest

from companion.cli.shell import archives, bar, process
from companion.core.procedures import Progress, ignore_progress
from companion.session import database, schema, store
from companion.session.controller import Answers, SessionController
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
        assert schema.wrong_summaries(raw, ignore_progress) == []
    raw.close()
    return found


@pytest.mark.parametrize("stem", ["266895b/lzalbany-middle", "266895b/phantomfury-over", "fb34692/phantomfury-question"])
def test_migration_and_triggers_agree(tmp_path: Path, stem: str) -> None:
    migrated(tmp_path / "a", stem)
    taken_over(tmp_path / "b", stem)
    found = kept(tmp_path / "a")
    assert found == kept(tmp_path / "b")
    assert all(found.values())


@pytest.mark.parametrize("stem", ["266895b/lzalbany-middle", "266895b/phantomfury-over", "fb34692/phantomfury-question"])
def test_summaries_of_a_long_log_are_filled_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stem: str) -> None:
    """At the end of the log, not row by row; the triggers are there again for the rows that follow."""
    migrated(tmp_path / "a", stem)
    monkeypatch.setattr(store, "_LONG_LOG", 1)
    taken_over(tmp_path / "b", stem)
    assert kept(tmp_path / "a") == kept(tmp_path / "b")
    with Archive.open(str(tmp_path / "b")) as archive, Archive.open(str(tmp_path / "c")) as fresh:
        assert archive.objects() == fresh.objects()
        SessionController.open(archive).note("tea")
        assert archive.wrong_summaries() == []


class _Interrupted(dict[str, str]):
    """The queries of the summary tables, at which Ctrl-C is pressed."""

    def items(self) -> Any:
        raise KeyboardInterrupt


def test_an_interrupt_in_a_long_log_leaves_the_archive_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    migrated(tmp_path / "a", "266895b/lzalbany-over")
    with Archive.open(str(tmp_path / "a")) as archive:
        before, sessions = archive.objects(), archive.sessions()
        monkeypatch.setattr(store, "_LONG_LOG", 1)
        monkeypatch.setattr(schema, "SUMMARY_QUERIES", _Interrupted())
        with pytest.raises(KeyboardInterrupt):
            archive.branch(sessions[0])
        with pytest.raises(KeyboardInterrupt):
            archive.create(sessions[0]._replace(name="other"), archive.rows(sessions[0].id))
        assert (archive.objects(), archive.sessions()) == (before, sessions)
        monkeypatch.undo()
        SessionController.open(archive).note("tea")
        assert archive.wrong_summaries() == []


@pytest.mark.parametrize("long_log", [1, 2_000])
def test_a_branch_copies_the_rows_and_summaries_as_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, long_log: int) -> None:
    """No row is parsed and written anew, which takes several times as long."""
    migrated(tmp_path / "a", "266895b/lzalbany-over")
    with Archive.open(str(tmp_path / "a")) as archive:
        original = archive.sessions()[0]
        monkeypatch.setattr(store, "_LONG_LOG", long_log)
        monkeypatch.setattr(archive, "rows", None)
        copy = archive.branch(original)
        for table in ("log", *schema.SUMMARY_QUERIES):
            rows = archive._read(f"SELECT * FROM {table} WHERE session_id = ? ORDER BY 1, 2, 3", (original.id,))
            assert [(copy.id, *row[1:]) for row in rows] == archive._read(
                f"SELECT * FROM {table} WHERE session_id = ? ORDER BY 1, 2, 3", (copy.id,)
            )
        assert archive.wrong_summaries() == []


def test_migration_counts_a_clock_that_was_set_back_as_no_time(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    raw = sqlite3.connect(path, isolation_level=None)
    schema.upgrade(raw, database.APPLICATION, 7)
    raw.execute("DROP TRIGGER log_sums")  # as the earlier version made it
    trigger = next(sql for sql in schema._statements("triggers", ";\n\n") if "log_sums" in sql)
    raw.execute(schema._expand(trigger.replace("BETWEEN 0 AND", "<=")))
    raw.execute("INSERT INTO sessions VALUES (1, 'old', 'tiny', 'day', '{}', '7', '', '', NULL, '')")
    for seq, clock in enumerate(("20:00:00", "20:01:00", "18:01:00", "18:02:00"), 1):
        raw.execute("INSERT INTO log VALUES (1, ?, 'note', 0, '{\"text\":\"x\"}', ?)", (seq, f"2026-03-01T{clock}Z"))
    assert raw.execute("SELECT at_table FROM sums").fetchone() == (120 - 7200,)
    raw.close()
    with Archive.open(str(path)) as archive:
        assert archive._read("SELECT at_table FROM v_sessions") == [(120,)]
        archive._db.execute("INSERT INTO log VALUES (1, 5, 'note', 0, '{}', '2026-03-01T10:00:00Z')")
        assert archive._read("SELECT at_table, rows FROM sums") == [(120, 5)] and archive.wrong_summaries() == []


def test_a_session_that_begins_with_a_setting_agrees_with_its_log(archive: Archive, tiny_game: str) -> None:
    """Its first row is the setting: doctor called the archive damaged."""
    session = SessionController.create(archive, "tiny", seed="7", think="50")
    assert archive.wrong_summaries() == [] and archive._read("SELECT think FROM sums") == [("50",)]
    session.setting("physical", "")
    assert archive.wrong_summaries() == [] and archive._read("SELECT think FROM sums") == [("50",)]


def test_migration_counts_a_setting_that_came_first(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    raw = sqlite3.connect(path, isolation_level=None)
    schema.upgrade(raw, database.APPLICATION, 8)
    raw.execute("DROP TRIGGER log_sums")  # as the earlier version made it
    trigger = next(sql for sql in schema._statements("triggers", ";\n\n") if "log_sums" in sql)
    raw.execute(re.sub(r"CASE WHEN NEW.kind = 'setting'.*? END", "NULL", schema._expand(trigger)))
    raw.execute("CREATE TRIGGER log_thought AFTER INSERT ON log WHEN NEW.kind = 'setting' BEGIN SELECT 1; END")
    raw.execute("INSERT INTO sessions VALUES (1, 'old', 'tiny', 'day', '{}', '7', '', '', NULL, '')")
    raw.execute("INSERT INTO log VALUES (1, 1, 'setting', 0, '{\"think\":\"50\"}', '2026-03-01T10:00:00Z')")
    assert raw.execute("SELECT think FROM sums").fetchone() == (None,)
    raw.close()
    with Archive.open(str(path)) as archive:
        assert archive._read("SELECT think FROM sums") == [("50",)] and archive.wrong_summaries() == []
        assert "log_thought" not in archive.objects()


def test_summaries_follow_undo_and_redo(archive: Archive, tiny_game: str) -> None:
    session = SessionController.create(archive, "tiny", seed="7")
    session.do("march", Answers([("unit", "Red"), ("to", "ford")], dice=[6]))
    session.do("fight", Answers([("unit", "Blue")], dice=[1, 5]))
    assert archive.wrong_summaries() == []
    before = archive._read("SELECT session, entry, status FROM v_entries")
    session.undo(2)
    assert archive.wrong_summaries() == [] and archive._read("SELECT sum(in_force) FROM force") == [(1,)]
    session.redo()
    assert archive._read("SELECT session, entry, status FROM v_entries") == before
    session.amend(2, 3, "2")
    session.setting(think="3")
    session.note("so far")
    assert archive.wrong_summaries() == []


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
def test_doctor_finds_and_repairs_a_changed_summary(
    archive: Archive, tiny_game: str, tmp_path: Path, table: str, sql: str
) -> None:
    session = SessionController.create(archive, "tiny", seed="7")
    session.do("march", Answers([("unit", "Red"), ("to", "ford")], dice=[6]))
    session.do("fight", Answers([("unit", "Blue")], dice=[1, 5]))
    assert companion("doctor").code == 0
    archive._write(lambda: archive._db.execute(sql))
    found = companion("doctor")
    assert found.code == 4 and f"The table '{table}' does not agree with the log" in found.out
    assert companion("doctor", "--repair", str(tmp_path / "mended")).code == 0


def test_malformed_body_blocks_nothing(archive: Archive, tiny_game: str) -> None:
    SessionController.create(archive, "tiny", seed="7")
    for seq, kind in enumerate(("entry", "reply", "adjusted", "done", "change", "setting"), 90):
        archive._db.execute("INSERT INTO log VALUES (1, ?, ?, 9, '{', 't')", (seq, kind))
    assert archive.wrong_summaries() == []


@pytest.mark.parametrize("view", OF_ONE_SESSION)
def test_view_of_one_session_reads_no_other(archive: Archive, tiny_game: str, view: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def play(times: int) -> None:
        for _ in range(times):
            session = SessionController.create(archive, "tiny", seed="7")
            session.do("march", Answers([("unit", "Red"), ("to", "ford")], dice=[6]))
            session.do("search", Answers(draws=["Gold"], dice=[6]))

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


_SHOW = bar.Bar.show


def drawn_show(mine: bar.Bar, progress: Progress, label: str = "") -> None:
    """`Bar.show`, and wait until the bar's thread has drawn the bar."""
    _SHOW(mine, progress, label)
    until = time.monotonic() + 60
    while mine.is_running and mine._drawn is None and time.monotonic() < until:
        time.sleep(0.001)


class TestAnOldArchiveOfManySessions:
    """It is brought up to date part by part, and who waits is told how far that is."""

    @pytest.fixture
    def many(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """One of the first schema, seven times the same session and rows of one that is not there, in parts of three sessions."""
        monkeypatch.setattr(schema, "SESSIONS_PER_RANGE", 3)
        path = tmp_path / "many.sqlite3"
        migrated(path, "266895b/phantomfury-over")
        with closing_of(sqlite3.connect(path, isolation_level=None)) as raw:
            columns = [row[1] for row in raw.execute("PRAGMA table_info(sessions)")]
            others = ", ".join(name for name in columns if name not in ("id", "name"))
            for new in range(11, 71, 10):
                raw.execute(
                    f"INSERT INTO sessions (id, name, {others}) SELECT ?, name || ?, {others} FROM sessions LIMIT 1", (new, new)
                )
                raw.execute("INSERT INTO log SELECT ?, seq, kind, entry, body, at FROM log WHERE session_id = 1", (new,))
            raw.execute("INSERT INTO log SELECT 99, seq, kind, entry, body, at FROM log WHERE session_id = 1")
        return path

    def test_each_part_is_reported(self, many: Path) -> None:
        seen: list[tuple[int, int]] = []
        with Archive.open(str(many), lambda progress: seen.append((progress.done, progress.total))) as archive:
            assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]
            assert archive._read("SELECT session_id FROM sums") == [(one,) for one in (1, 11, 21, 31, 41, 51, 61, 99)]
            assert archive._read("SELECT count(DISTINCT session_id) FROM force") == [(8,)]
            assert archive.wrong_summaries() == []

    @pytest.mark.parametrize("session", [1, 31, 61, 99])
    def test_doctor_checks_every_part(self, many: Path, session: int) -> None:
        with Archive.open(str(many)) as archive:
            archive._db.execute("DELETE FROM faces WHERE session_id = ?", (session,))
            archive._db.execute("INSERT INTO names VALUES (?, 'x', 'too much')", (session,))
            assert archive.wrong_summaries() == ["names", "faces"]

    def test_read_only_archive_is_reported(self, many: Path) -> None:
        seen: list[int] = []
        raw = database._connect_to_read(str(many))
        database._upgraded_copy(raw, lambda progress: seen.append(progress.done)).close()
        assert seen == [0, 1, 2, 3]

    def test_progress_bar_is_shown_on_a_terminal_only(
        self, many: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        content = many.read_bytes()
        monkeypatch.setattr(bar, "DELAY", 0.0)
        monkeypatch.setattr(bar.Bar, "show", drawn_show)
        for terminal, shown in ((False, False), (True, True)):
            many.write_bytes(content)
            monkeypatch.setattr(sys.stderr, "isatty", lambda there=terminal: there)
            with bar.BAR:
                archives.existing_archive(str(many))
            process.close_all()
            said = capfd.readouterr()
            assert said.out == "" and ("Updating the archive" in said.err) is shown

    def test_interrupt_restores_cursor_and_archive(
        self, many: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(bar, "DELAY", 0.0)
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        monkeypatch.setenv("TERM", "xterm")

        def interrupted(mine: bar.Bar, progress: Progress, label: str = "") -> None:
            drawn_show(mine, progress, label)
            if progress.done == 2:
                raise KeyboardInterrupt

        monkeypatch.setattr(bar.Bar, "show", interrupted)
        with pytest.raises(KeyboardInterrupt), bar.BAR:
            archives.existing_archive(str(many))
        said = capfd.readouterr().err
        assert "\x1b[?25l" in said and said.rindex("\x1b[?25h") > said.rindex("\x1b[?25l")
        with closing_of(sqlite3.connect(many)) as raw:
            assert raw.execute("PRAGMA user_version").fetchone() == (3,)

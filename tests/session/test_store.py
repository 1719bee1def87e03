"""The archive: its faults, its guards, its views, its migrations."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from freezegun import freeze_time

from companion.core.dice import branch_seed
from companion.core.errors import Ambiguous, BadData, CompanionError, SessionMoved, Unreadable
from companion.core.history import LogRow
from companion.session import database
from companion.session.controller import Answers, SessionController
from companion.session.database import APPLICATION, SCHEMA
from companion.session.inquiry import SessionViewer
from companion.session.schema import MIGRATIONS, upgrade
from companion.session.store import Archive, Session
from tests.support.processes import in_child

PLAIN = Session(0, "", "tiny", "day", {"scenario": "day"}, "7", "", "")
SETUP = [
    LogRow(1, "setting", 0, {"dice": "computer"}, "t"),
    LogRow(2, "entry", 1, {"action": "setup", "args": {}}, "t"),
    LogRow(3, "done", 1, {"events": []}, "t"),
]


@contextmanager
def raw(path: str) -> Iterator[sqlite3.Connection]:
    """The file without Companion; closed at the end, unlike what sqlite3's own context does."""
    connection = sqlite3.connect(path)
    try:
        with connection:
            yield connection
    finally:
        connection.close()


def note(seq: int) -> LogRow:
    return LogRow(seq, "note", 1, {"text": f"note {seq}"}, "t")


@pytest.fixture
def session(archive: Archive) -> Session:
    return archive.create(PLAIN, SETUP)


class TestSessions:
    def test_missing_names_are_generated(self, archive: Archive) -> None:
        assert [archive.create(PLAIN).name for _ in range(3)] == ["tiny-1", "tiny-2", "tiny-3"]

    def test_taken_name_is_refused_and_nothing_is_stored(self, archive: Archive, session: Session) -> None:
        with pytest.raises(Unreadable, match="already a session 'tiny-1'"):
            archive.create(PLAIN._replace(name="tiny-1"), facts={"weather": "fair"})
        assert len(archive.sessions()) == 1 and archive.printed("tiny") == {}

    def test_the_last_used(self, archive: Archive) -> None:
        with pytest.raises(Unreadable, match="no session yet"):
            archive.session()
        first, second = archive.create(PLAIN), archive.create(PLAIN)
        assert archive.session() == second
        archive.use(first)
        assert archive.session() == first
        archive.create(PLAIN._replace(flags="quick"), use=False)
        assert archive.session() == first

    def test_quick_sessions_are_never_the_last_used(self, archive: Archive) -> None:
        assert archive.create(PLAIN._replace(flags="quick"), use=False).name == "quick-1"
        assert archive.last() is None

    def test_by_unique_prefix(self, archive: Archive) -> None:
        found = [archive.create(PLAIN._replace(name=name)) for name in ("winter", "winds", "spring")]
        assert archive.session("wint") == found[0]
        assert archive.session("s") == found[2]
        with pytest.raises(Ambiguous):
            archive.session("win")
        with pytest.raises(Unreadable, match="no session 'x'"):
            archive.session("x")

    def test_session_details_are_read_back(self, archive: Archive) -> None:
        with freeze_time("2026-05-04 03:02:01"):
            made = archive.create(PLAIN._replace(options={"a": "\N{SNOWMAN}"}), SETUP)
        assert made.created == "2026-05-04T03:02:01Z"
        assert archive.session() == made

    def test_branch_copies_the_log(self, archive: Archive, session: Session) -> None:
        copy = archive.branch(session, "try")
        assert copy == session._replace(id=2, name="try", parent=1, seed=branch_seed("7", "try"), created=copy.created)
        assert archive.rows(copy.id) == archive.rows(session.id)
        archive.append(copy.id, 3, [note(4)])
        assert len(archive.rows(session.id)) == 3

    def test_branch_without_a_name_and_of_a_taken_name(self, archive: Archive, session: Session) -> None:
        copy = archive.branch(session)
        assert copy.name == "tiny-2" and copy.seed == branch_seed("7", "tiny-2") and archive.last() == copy
        with pytest.raises(Unreadable, match="already a session 'tiny-2'"):
            archive.branch(session, "tiny-2")
        assert len(archive.sessions()) == 2

    def test_seed_of_a_branch(self) -> None:
        """It never changes: old archives go by it."""
        assert branch_seed("7", "try") == "4bb547695f32"
        seeds = [branch_seed(*pair) for pair in [("7", "try"), ("7", "other"), ("8", "try"), ("7t", "ry"), ("7/try", "")]]
        assert len({*seeds, "7"}) == 6


class TestLog:
    def test_rows_are_read_back_unchanged(self, archive: Archive, session: Session) -> None:
        odd = LogRow(4, "note", 1, {"text": 'tab\tquote" \N{SNOWMAN} \udc80 null'}, "t")
        archive.append(session.id, 3, [odd])
        assert archive.rows(session.id) == [*SETUP, odd]
        assert archive.rows(session.id, after=3) == [odd]

    def test_second_writer_is_refused(self, archive: Archive, session: Session) -> None:
        archive.append(session.id, 3, [note(4)])
        with pytest.raises(SessionMoved, match="moved on") as caught:
            archive.append(session.id, 3, [note(4)], facts={"weather": "fair"})
        assert caught.value.exit_code == 1
        assert len(archive.rows(session.id)) == 4 and archive.printed("tiny") == {}

    @pytest.mark.parametrize("sql", ["UPDATE log SET kind = 'x'", "DELETE FROM log WHERE seq = 1", "DELETE FROM log"])
    def test_log_is_append_only(self, archive: Archive, session: Session, sql: str) -> None:
        with raw(archive.path) as other, pytest.raises(sqlite3.IntegrityError, match="only ever added to"):
            other.execute(sql)

    @pytest.mark.parametrize("sql", ["UPDATE printed SET value = 'x'", "DELETE FROM printed"])
    def test_printed_facts_are_append_only(self, archive: Archive, sql: str) -> None:
        archive.record_facts("tiny", {"weather": "fair"})
        with raw(archive.path) as other, pytest.raises(sqlite3.IntegrityError, match="only ever added to"):
            other.execute(sql)

    def test_types_are_strict(self, archive: Archive, session: Session) -> None:
        with raw(archive.path) as other, pytest.raises(sqlite3.IntegrityError):
            other.execute("INSERT INTO log VALUES (1, 'four', 'note', 1, '{}', 't')")

    def test_a_damaged_row_is_bad_data(self, archive: Archive, session: Session) -> None:
        with raw(archive.path) as other:
            other.execute("INSERT INTO log VALUES (1, 4, 'note', 1, '{', 't')")
        with pytest.raises(BadData, match="damaged"):
            archive.rows(session.id)

    def test_it_is_synced_in_wal(self, archive: Archive) -> None:
        assert archive._read("PRAGMA journal_mode") == [("wal",)]
        assert archive._read("PRAGMA synchronous") == [(2,)]


class TestPrinted:
    def test_latest_fact_counts_and_earlier_ones_stay(self, archive: Archive) -> None:
        archive.record_facts("tiny", {"weather": "fair", "strength:Red": "2"})
        archive.record_facts("tiny", {"weather": "foul"})
        archive.record_facts("tiny", {"weather": "foul"})
        archive.record_facts("other", {"weather": "fair"})
        assert archive.printed("tiny") == {"weather": "foul", "strength:Red": "2"}
        revisions = archive._read("SELECT revision, value FROM printed WHERE game = 'tiny' AND key = 'weather'")
        assert revisions == [(1, "fair"), (2, "foul")]

    def test_empty_value_forgets_a_fact(self, archive: Archive) -> None:
        archive.record_facts("tiny", {"weather": "fair"})
        archive.record_facts("tiny", {"weather": ""})
        assert archive.printed("tiny") == {}
        assert archive._read("SELECT * FROM v_printed") == []

    def test_facts_are_committed_with_rows(self, archive: Archive, session: Session) -> None:
        archive.append(session.id, 3, [note(4)], facts={"weather": "fair"})
        assert archive.printed("tiny") == {"weather": "fair"}


class TestFaults:
    """Each is BadData with exit code 4, a message and a cure, and loses nothing."""

    def fails(self, work: Callable[[], object], words: str) -> None:
        with pytest.raises(BadData, match=words) as caught:
            work()
        assert caught.value.exit_code == 4
        assert caught.value.cure

    def test_locked_by_another(self, archive: Archive, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
        archive._db.execute("PRAGMA busy_timeout = 20")
        other = sqlite3.connect(archive.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        self.fails(lambda: archive.append(session.id, 3, [note(4)]), "another program holds")
        assert archive.rows(session.id) == SETUP
        other.execute("ROLLBACK")
        other.close()
        archive.append(session.id, 3, [note(4)])

    def test_waits_two_seconds_for_a_lock(self, archive: Archive) -> None:
        assert archive._read("PRAGMA busy_timeout") == [(2000,)]

    def test_locked_when_it_is_made(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(database, "LOCK_TIMEOUT", 0.02)
        file = tmp_path / "new.db"
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        self.fails(lambda: Archive.open(str(file)), "another program holds")
        other.close()

    def test_full_disk(self, archive: Archive, session: Session) -> None:
        pages = archive._read("PRAGMA page_count")[0][0]
        archive._db.execute(f"PRAGMA max_page_count = {pages}")
        big = LogRow(4, "note", 1, {"text": "x" * 100_000}, "t")
        self.fails(lambda: archive.append(session.id, 3, [big]), "disk .* is full")
        assert archive.rows(session.id) == SETUP
        archive._db.execute(f"PRAGMA max_page_count = {pages + 1000}")
        archive.append(session.id, 3, [big])
        assert archive.rows(session.id)[-1] == big

    def test_not_sqlite(self, tmp_path: Path) -> None:
        file = tmp_path / "text.db"
        file.write_text("This is a text and no database. " * 50)
        self.fails(lambda: Archive.open(str(file)), "no Companion archive")
        assert file.read_text().startswith("This is")

    def test_file_of_another_program(self, tmp_path: Path) -> None:
        file = str(tmp_path / "other.db")
        with raw(file) as other:
            other.execute("CREATE TABLE sessions (x)")
        self.fails(lambda: Archive.open(file), "another program")
        with raw(file) as other:
            assert other.execute("SELECT count(*) FROM sqlite_master").fetchone() == (1,)

    def test_from_a_newer_version(self, archive: Archive) -> None:
        archive._db.execute(f"PRAGMA user_version = {SCHEMA + 1}")
        self.fails(lambda: Archive.open(archive.path), f"newer Companion .schema {SCHEMA + 1}")

    def test_too_old_sqlite(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 36, 0))
        self.fails(lambda: Archive.open(str(tmp_path / "new.db")), "too old")

    def test_damaged_page(self, archive: Archive, session: Session) -> None:
        archive.append(session.id, 3, [note(seq) for seq in range(4, 600)])
        archive._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        archive.close()
        with open(archive.path, "r+b") as file:
            file.seek(4096)
            file.write(b"\xff" * 200_000)
        self.fails(lambda: Archive.open(archive.path).rows(session.id), "damaged")

    def test_folder_in_place_of_the_archive(self, tmp_path: Path) -> None:
        self.fails(lambda: Archive.open(str(tmp_path)), "is a folder")

    def test_missing_folder_is_created(self, tmp_path: Path) -> None:
        Archive.open(str(tmp_path / "a" / "b" / "c.db")).close()
        assert (tmp_path / "a" / "b" / "c.db").exists()

    def test_folder_that_cannot_be_created(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        self.fails(lambda: Archive.open(str(tmp_path / "file" / "c.db")), "cannot be created")

    def test_an_empty_file_is_a_new_archive(self, tmp_path: Path) -> None:
        (tmp_path / "empty.db").write_bytes(b"")
        with Archive.open(str(tmp_path / "empty.db")) as archive:
            assert archive.sessions() == []

    def test_an_interrupted_write_is_rolled_back(self, archive: Archive, session: Session) -> None:
        def stopped() -> None:
            archive._insert(session.id, [note(4)])
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            archive._write(stopped)
        archive.append(session.id, 3, [note(4)])


class TestReadOnly:
    """As another user, since whoever runs the tests may be allowed everything."""

    def prepared(self, public: Path, file_mode: int, folder_mode: int) -> str:
        path = str(public / "a.db")
        with Archive.open(path) as archive:
            archive.create(PLAIN, SETUP)
        os.chmod(path, file_mode)
        public.chmod(folder_mode)
        return path

    def test_read_only_file_is_read(self, public: Path) -> None:
        path = self.prepared(public, stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH, 0o777)

        def child() -> list[str]:
            with Archive.open(path) as archive:
                told = [str(len(archive.rows(1)))]
                try:
                    archive.append(1, 3, [note(4)])
                except BadData as fault:
                    told += [fault.message, fault.cure, str(fault.exit_code)]
                return told

        rows, message, cure, code = in_child(child, nobody=True)
        assert rows == "3" and "is read-only" in message and "nothing is lost" in cure and code == "4"

    def test_read_only_folder_is_read(self, public: Path) -> None:
        path = self.prepared(public, 0o444, 0o555)

        def child() -> list[str]:
            with Archive.open(path) as archive:
                told = [archive.session().name]
                try:
                    archive.append(1, 3, [note(4)])
                except BadData as fault:
                    told.append(fault.message)
                return told

        name, message = in_child(child, nobody=True)
        assert name == "tiny-1" and "is read-only" in message
        assert os.listdir(public) == ["a.db"]

    def test_session_in_a_read_only_folder_is_followed(self, public: Path) -> None:
        path = self.prepared(public, 0o444, 0o555)

        def child() -> list[str]:
            with closing(SessionViewer(path, "tiny-1")) as viewer:
                before, unchanged = viewer._archive(), viewer._archive()
                assert before is unchanged
                counts = [str(len(before[1].rows(1)))]
                os.write(go, b"x")
                os.read(done, 1)
                return [*counts, str(len(viewer._archive()[1].rows(1)))]

        def writer() -> list[str]:
            os.read(wait, 1)
            with Archive.open(path) as archive:
                archive.append(1, 3, [note(4)])
            os.write(finish, b"x")
            return []

        wait, go = os.pipe()
        done, finish = os.pipe()
        if os.geteuid():
            pytest.skip("only a superuser may write there")
        reader = threading.Thread(target=writer, daemon=True)
        reader.start()
        assert in_child(child, nobody=True) == ["3", "4"]
        reader.join()
        assert os.listdir(public) == ["a.db"]

    def test_read_only_folder_with_a_wal_is_read(self, public: Path) -> None:
        """A process was killed there: SQLite reads its last writes only where it can make a file beside them."""
        path, copy = self.prepared(public, 0o644, 0o777), public / "copy"
        copy.mkdir()
        with Archive.open(path) as archive:
            archive._db.execute("PRAGMA wal_autocheckpoint = 0")
            archive.append(1, 3, [note(4)])
            for name in ("a.db", "a.db-wal"):
                (copy / name).write_bytes((public / name).read_bytes())
        copy.chmod(0o555)

        def child() -> list[str]:
            file = str(copy / "a.db")
            with Archive.open(file) as archive, closing(SessionViewer(file, "")) as viewer:
                assert viewer._archive()[1].rows(1) == archive.rows(1)
                told = [str(len(archive.rows(1)))]
                try:
                    archive.append(1, 4, [note(5)])
                except BadData as fault:
                    told.append(fault.message)
            with closing(database.connect_for_check(file)) as connection:
                return [*told, str(connection.execute("SELECT count(*) FROM log").fetchone()[0])]

        rows, message, checked = in_child(child, nobody=True)
        assert rows == checked == "4" and "is read-only" in message
        assert sorted(os.listdir(copy)) == ["a.db", "a.db-wal"]

    @pytest.mark.parametrize("has_wal", [False, True])
    def test_archive_on_a_full_disk_is_read(self, public: Path, monkeypatch: pytest.MonkeyPatch, has_wal: bool) -> None:
        """SQLite has no room for the file in which processes share the index of the -wal."""
        path, full = self.prepared(public, 0o644, 0o777), public / "full"
        full.mkdir()
        file = str(full / "a.db")
        with Archive.open(path) as archive:
            archive._db.execute("PRAGMA wal_autocheckpoint = 0")
            if has_wal:
                archive.append(1, 3, [note(4)])
            for name in ("a.db", *(["a.db-wal"] if has_wal else [])):
                (full / name).write_bytes((public / name).read_bytes())
        connect = database._connect

        def _no_shared_memory(name: str) -> sqlite3.Connection:
            if name != file:
                return connect(name)
            fault = sqlite3.OperationalError("disk I/O error")
            fault.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
            raise fault

        monkeypatch.setattr(database, "_connect", _no_shared_memory)
        monkeypatch.setattr(database, "_is_full", lambda path: path == file)
        with Archive.open(file) as archive:
            assert len(archive.rows(1)) == 3 + has_wal
            with pytest.raises(BadData, match="is full"):
                archive.append(1, 3 + has_wal, [note(4 + has_wal)])

    def test_no_permission(self, public: Path) -> None:
        path = self.prepared(public, 0o600, 0o755)

        def child() -> list[str]:
            try:
                Archive.open(path)
            except BadData as fault:
                return [fault.message, fault.cure]
            return []

        message, cure = in_child(child, nobody=True)
        assert "cannot be opened" in message and cure

    def test_new_archive_in_a_read_only_folder(self, public: Path) -> None:
        public.chmod(0o555)

        def child() -> list[str]:
            told = []
            for name in ("new.db", "below/new.db"):
                try:
                    Archive.open(str(public / name))
                except BadData as fault:
                    told.append(fault.message)
            return told

        texts = in_child(child, nobody=True)
        assert ["cannot be opened" in text or "cannot be created" in text for text in texts] == [True, True]

    @pytest.mark.parametrize("folder_mode", [0o555, 0o777])
    def test_older_read_only_archive_is_read_unchanged(self, public: Path, folder_mode: int) -> None:
        path = public / "old.db"
        connection = sqlite3.connect(path, isolation_level=None)
        upgrade(connection, APPLICATION, upto=1)
        connection.close()
        path.chmod(0o444)
        public.chmod(folder_mode)
        before = path.read_bytes()

        def child() -> list[str]:
            with Archive.open(str(path)) as archive:
                told = [str(archive.sessions()), str(archive._read("SELECT * FROM v_results"))]
                try:
                    archive.create(PLAIN, SETUP)
                except CompanionError as fault:
                    told.append(fault.message)
                return told

        sessions, results, message = in_child(child, nobody=True)
        assert (sessions, results) == ("[]", "[]") and "is read-only" in message
        assert path.read_bytes() == before


class TestMigrations:
    def old(self, path: str, upto: int) -> None:
        connection = sqlite3.connect(path, isolation_level=None)
        upgrade(connection, APPLICATION, upto)
        connection.execute(
            "INSERT INTO sessions (name, game, scenario, options, seed, created, version)"
            " VALUES ('old', 'tiny', 'day', '{}', '7', 't', '0')"
        )
        connection.execute("INSERT INTO log VALUES (1, 1, 'note', 0, '{\"text\":\"kept\"}', 't')")
        connection.close()

    def test_schema_number_is_the_number_of_migrations(self) -> None:
        assert len(MIGRATIONS) == SCHEMA

    @pytest.mark.parametrize("upto", range(1, SCHEMA))
    def test_older_archive_is_migrated_completely(self, tmp_path: Path, upto: int) -> None:
        path = str(tmp_path / "old.db")
        self.old(path, upto)
        with Archive.open(path) as archive:
            assert archive._read("PRAGMA user_version") == [(SCHEMA,)]
            assert archive.rows(archive.session("old").id)[0].body == {"text": "kept"}
            assert archive._read("SELECT * FROM v_entries") == []

    def test_all_migration_paths_give_the_same_schema(self, tmp_path: Path) -> None:
        self.old(str(tmp_path / "old.db"), 1)
        schemas = []
        for name in ("old.db", "new.db"):
            with Archive.open(str(tmp_path / name)) as archive:
                schemas.append(sorted(archive._read("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")))
        assert schemas[0] == schemas[1]

    def test_failed_migration_leaves_the_file_unchanged(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = str(tmp_path / "old.db")
        self.old(path, 1)
        monkeypatch.setattr("companion.session.schema.VIEWS", {"v_one": "CREATE VIEW v_one AS SELECT 1", "v_two": "CREATE VIEW"})
        with pytest.raises(BadData, match="does not work"):
            Archive.open(path)
        with raw(path) as other:
            assert other.execute("PRAGMA user_version").fetchone() == (1,)
            assert other.execute("SELECT count(*) FROM sqlite_master WHERE name LIKE 'v_%'").fetchone() == (0,)

    def test_two_processes_create_the_archive(self, tmp_path: Path) -> None:
        path = str(tmp_path / "both.db")
        in_child(lambda: [Archive.open(path).path], lambda: [Archive.open(path).path])
        with Archive.open(path) as archive:
            assert archive.sessions() == []


class TestViews:
    """The SQL views agree with the session."""

    @pytest.fixture
    def controller(self, archive: Archive, tiny_game: str) -> SessionController:
        controller = SessionController.create(archive, "tiny", seed="7")
        controller.do("march", Answers([("unit", "Red"), ("to", "ford")], dice=[6]))
        controller.do("search", Answers(draws=["Gold"], dice=[6]))
        controller.do("rest")
        controller.undo()
        controller.amend(2, 3, "2")
        controller.do("fight", Answers([("unit", "Blue")], dice=[1, 5]))
        return controller

    def read(self, controller: SessionController, sql: str) -> list[tuple[object, ...]]:
        with raw(controller.archive.path) as other:
            return other.execute(sql).fetchall()

    def test_entries(self, controller: SessionController) -> None:
        rows = self.read(controller, "SELECT entry, action, status, copy_of FROM v_entries")
        history = controller.history
        assert rows == [(n, e.action, history.status(n), e.copy_of or None) for n, e in history.entries.items()]
        assert {row[2] for row in rows} == {"in force", "taken back", "open"}

    def test_lines(self, controller: SessionController) -> None:
        ((lines,),) = self.read(controller, "SELECT lines FROM v_entries WHERE entry = 2")
        assert lines == "supply 8 -> 7: march\nRed: camp -> ford: march\nRed: hits 1: a six\nturn 0 -> 1: an action was done"
        ((lines,),) = self.read(controller, "SELECT lines FROM v_entries WHERE entry = 1")
        assert lines.endswith("bag: Stone\nThe game begins")

    def test_every_complete_entry_has_lines_and_replies(self, controller: SessionController) -> None:
        rows = self.read(controller, "SELECT entry, args, lines IS NULL FROM v_entries")
        assert {number for number, _, without in rows if without} == {controller.pending_entry}
        assert json.loads(next(args for number, args, _ in rows if number == 2)) == {"unit": "Red", "to": "ford", "toll": "6"}

    def test_replies_by_the_numbers_of_the_log(self, controller: SessionController) -> None:
        rows = self.read(controller, "SELECT entry, reply, key, who FROM v_replies")
        told = [
            (number, place, reply.key, "player" if reply.is_from_player else "companion")
            for number, entry in controller.history.entries.items()
            for place, reply in enumerate(entry.replies, 1)
        ]
        assert rows == told and {row[3] for row in rows} == {"player", "companion"}
        values = self.read(controller, "SELECT key, value FROM v_replies WHERE entry > 4")
        assert values[:3] == [("unit", "Red"), ("to", "ford"), ("toll", "2")] and ("fight", "1, 5") in values

    def test_events_and_moves(self, controller: SessionController) -> None:
        happened = sum(len(entry.events) for entry in controller.history.entries.values() if not entry.is_open)
        assert self.read(controller, "SELECT count(*), count(line) FROM v_events") == [(happened, happened)]
        moves = self.read(controller, "SELECT entry, piece, was, now, in_force FROM v_moves WHERE entry > 1")
        assert moves[0] == (2, "Red", "camp", "ford", 0) and (5, "Red", "camp", "ford", 1) in moves

    def test_each_die_with_its_owner(self, controller: SessionController) -> None:
        """What was typed behind --dice is the player's own, whatever the log calls it."""
        rows = self.read(controller, "SELECT die, face, who FROM v_dice WHERE key = 'fight'")
        assert rows == [(1, 1, "player"), (2, 5, "player")]
        controller.answer(Answers(accept=True))
        controller.do("fight", Answers([("unit", "Blue"), ("go on", "yes")]))
        whose = self.read(controller, "SELECT who, count(*) FROM v_dice WHERE key = 'fight' AND in_force GROUP BY who")
        assert dict(whose) == {"player": 2, "companion": 4}
        assert dict(self.read(controller, "SELECT DISTINCT key, who FROM v_rolls WHERE kind = 'draw'")) == {"find": "player"}

    def test_sessions_with_length_and_result(self, archive: Archive, tiny_game: str) -> None:
        columns = "session, game, parent, entries, taken_back, answers, seconds, open, over, score, verdict"
        with freeze_time("2004-11-08T20:00:00Z") as clock:
            controller = SessionController.create(archive, "tiny", seed="7", name="jolan")
            controller.do("rest")
            clock.tick(90)
            controller.undo()
            controller.do("march", Answers([("unit", "Red")]))
            assert self.read(controller, f"SELECT {columns} FROM v_sessions") == [
                ("jolan", "tiny", None, 2, 1, 1, 90, 1, None, None, None)
            ]
            controller.abort()
            controller.branch("what if")
            clock.tick(3600)
            controller.do("stop")
        rows = self.read(controller, f"SELECT {columns} FROM v_sessions")
        assert rows[0] == ("jolan", "tiny", None, 2, 2, 0, 3690, 0, "the last turn is done", 8, "good")
        assert rows[1][:4] == ("what if", "tiny", "jolan", 1)

    def test_rolls(self, controller: SessionController) -> None:
        rows = self.read(controller, "SELECT entry, key, value, source, in_force FROM v_rolls")
        told = [
            (
                n,
                r.key,
                r.value if isinstance(r.value, str) else json.dumps(r.value, separators=(",", ":")),
                r.source,
                int(n in controller.history.force),
            )
            for n, e in controller.history.entries.items()
            for r in e.replies
            if r.is_random
        ]
        assert sorted(rows) == sorted(told) and len(rows) == 7

    def test_tracks(self, controller: SessionController) -> None:
        expected = []
        for entry in controller.history.in_force:
            if not entry.is_open:
                tracks = controller.history.position(entry.number + 1).tracks
                expected += [(entry.number, track, value) for track, value in sorted(tracks.items())]
        rows = self.read(controller, "SELECT entry, track, value FROM v_tracks")
        assert rows == expected and len(rows) == 9

    def test_two_sessions_do_not_mix(self, controller: SessionController) -> None:
        before = self.read(controller, "SELECT * FROM v_tracks")
        SessionController.create(controller.archive, "tiny", scenario="night", answers=Answers(accept=True))
        after = self.read(controller, "SELECT * FROM v_tracks WHERE session = 'tiny-1'")
        assert before == after


def test_facts_of_another_process_are_read(tmp_path: Path) -> None:
    """Printed facts are not read anew at each question, but whenever anybody has told one."""
    with Archive.open(str(tmp_path / "a.db")) as mine, Archive.open(str(tmp_path / "a.db")) as other:
        assert mine.printed("tiny") == {}
        other.record_facts("tiny", {"toll:x": "3"})
        assert mine.printed("tiny") == {"toll:x": "3"}
        mine.printed("tiny")["toll:x"] = "9"
        assert mine.printed("tiny") == {"toll:x": "3"}
        mine.record_facts("tiny", {"toll:x": "4"})
        assert mine.printed("tiny") == other.printed("tiny") == {"toll:x": "4"}

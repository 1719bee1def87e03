"""Copies of the archive, and what is found wrong with one."""

from __future__ import annotations

import gzip
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from companion.core.errors import BadData, Unreadable
from companion.core.procedures import Progress
from companion.session import database
from companion.session.backup import backup
from companion.session.controller import SessionController
from companion.session.doctor import check_archive
from companion.session.store import Archive
from tests.measures.report import long_archive
from tests.support.commands import companion

OLD = Path(__file__).parents[1] / "archives" / "266895b" / "fallujah2004-middle.sqlite3.gz"


@pytest.fixture
def begun(tiny_game: str) -> Path:
    """The archive of a session with an open question, and of printed facts."""
    assert companion("new", "tiny", "--seed", "1", "--name", "first").code == 0
    companion("do", "march", "Red", "ford")
    companion("printed", "tiny", "set", "depth:north", "4")
    assert companion("do", "fight", "blue").code == 3
    return Path(os.environ["COMPANION_DB"])


def changed(path: Path, sql: str, guarded: bool = True) -> None:
    """What no program of ours does to an archive."""
    with sqlite3.connect(path) as raw:
        if guarded:
            for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                raw.execute(f"DROP TRIGGER {name}")
        raw.execute(sql)
    raw.close()


class TestBackup:
    def test_backup_of_an_open_session_is_complete(self, begun: Path, tmp_path: Path) -> None:
        copy = tmp_path / "copy.sqlite3"
        with Archive.open() as archive:
            session = SessionController.open(archive)
            done = companion("backup", str(copy))
            assert done.code == 0 and "Saved and checked" in done.out and "1 session, " in done.out
            assert companion("status", "--json", "--db", str(copy)).json == companion("status", "--json").json
            session.undo(1)
        assert companion("status", "--json", "--db", str(copy)).json != companion("status", "--json").json
        assert copy.stat().st_mode & 0o077 == 0
        assert [path.name for path in tmp_path.glob("copy*part*")] == []

    def test_file_made_meanwhile_is_not_replaced(self, begun: Path, tmp_path: Path) -> None:
        """Two backups at once to one file: the second is refused."""
        copy = tmp_path / "copy.sqlite3"

        def appears(progress: Progress) -> None:
            copy.write_text("another backup", encoding="utf-8")

        with pytest.raises(Unreadable, match="exists already"):
            backup(str(begun), str(copy), watch=appears)
        assert copy.read_text(encoding="utf-8") == "another backup" and [*tmp_path.glob("copy*part*")] == []

    def test_backup_is_a_snapshot_despite_writers(self, begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A fact is told a page, and the copy neither has one of them nor begins anew for it."""
        monkeypatch.setattr("companion.session.backup.PAGES_PER_STEP", 1)
        seen: list[tuple[int, int]] = []
        with Archive.open() as archive:

            def watch(progress: Progress) -> None:
                seen.append((progress.done, progress.total))
                archive.record_facts("tiny", {"depth:north": str(progress.done)})

            rows = backup(archive.path, str(tmp_path / "copy"), watch=watch).rows
            told = archive.fact_revision("tiny")
        total = seen[0][1]
        assert total > 10 and seen == [(done, total) for done in range(1, total + 1)]
        assert (rows["printed"], told) == (1, 1 + total)

    def test_backup_overwrites_only_with_force(self, begun: Path, tmp_path: Path) -> None:
        copy = tmp_path / "copy.sqlite3"
        copy.write_text("mine")
        refused = companion("backup", str(copy))
        assert refused.code == 2 and "exists already" in refused.err and copy.read_text() == "mine"
        assert companion("backup", str(copy), "--force", "--json").json["rows"]["sessions"] == 1
        assert companion("sessions", "--db", str(copy)).out == companion("sessions").out

    @pytest.mark.parametrize(
        ("where", "said"),
        [(".", "is a folder"), ("archive.sqlite3", "is the archive itself"), ("none/copy.sqlite3", "No such file or directory")],
    )
    def test_says_where_it_cannot_be_written(self, begun: Path, tmp_path: Path, where: str, said: str) -> None:
        refused = companion("backup", str(tmp_path / where), "--force")
        assert refused.code == 2 and said in " ".join(refused.err.split()) and "ame a" in refused.err

    def test_backup_of_a_file_with_an_undecodable_name(
        self, begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        odd = begun.rename(tmp_path / os.fsdecode(b"\xff\xfe"))
        monkeypatch.setenv("COMPANION_DB", os.fspath(odd))
        assert companion("backup", str(tmp_path / "copy")).code == 0
        assert companion("doctor").code == 0

    def test_backup_of_a_missing_archive(self, tmp_path: Path) -> None:
        refused = companion("backup", str(tmp_path / "copy"))
        assert refused.code == 2 and "there is no archive" in refused.err

    def test_no_backup_of_a_damaged_archive(self, begun: Path, tmp_path: Path) -> None:
        _zeroed(begun)
        refused = companion("backup", str(tmp_path / "copy"))
        assert refused.code == 4 and "damaged" in refused.err and "companion doctor" in refused.err
        assert not (tmp_path / "copy").exists()


def _zeroed(path: Path) -> None:
    """The last page of the log is gone."""
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = 'printed'").fetchone()
    raw.close()
    content = bytearray(path.read_bytes())
    content[(page - 1) * 4096 : page * 4096] = bytes(4096)
    path.write_bytes(content)


class TestDoctor:
    def test_finds_nothing_and_changes_nothing(self, begun: Path) -> None:
        before = begun.read_bytes()
        found = companion("doctor")
        assert found.code == 0 and "No faults." in found.out and "schema" in found.out
        assert begun.read_bytes() == before
        told = companion("doctor", "--json").json
        assert told["well"] and told["findings"] == [] and told["rows"]["sessions"] == 1

    @pytest.mark.parametrize(
        ("sql", "said", "cure"),
        [
            ("DELETE FROM log WHERE seq = 3", "Row 3 of its log is missing", "--repair FILE"),
            ("UPDATE log SET body = '{' WHERE seq = 4", "the log of the session is damaged", "--repair FILE"),
            ("UPDATE sessions SET game = 'chess'", "Its game 'chess' is not here", "Install it"),
            ("UPDATE printed SET value = 'deep' WHERE key = 'depth:north'", "'depth:north' is 'deep'", "printed tiny set"),
            ("UPDATE printed SET key = 'height:north' WHERE key = 'depth:north'", "knows no such fact", "printed tiny set"),
            ("DROP VIEW v_entries", "The view 'v_entries' is missing", "--repair FILE"),
            ("CREATE TRIGGER mine BEFORE INSERT ON log BEGIN SELECT 1; END", "'mine' was not made by Companion", "--repair FILE"),
        ],
    )
    def test_says_what_is_wrong_and_what_to_do(self, begun: Path, sql: str, said: str, cure: str) -> None:
        changed(begun, sql)
        found = companion("doctor")
        text = " ".join(found.out.split())
        assert found.code == 4 and said in text and cure in text and "No faults" not in text

    def test_action_that_cannot_continue(self, begun: Path) -> None:
        changed(begun, """UPDATE log SET body = replace(body, '"key":"', '"key":"x') WHERE kind = 'reply' AND entry = 3""")
        found = companion("doctor")
        text = " ".join(found.out.split())
        assert found.code == 4 and "cannot go on" in text and "companion undo --session first" in text

    def test_single_read_error_is_no_damage(self, begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        read, failed = Archive.rows, list[int]()

        def once(archive: Archive, session: int, **how: Any) -> Any:
            if not failed:
                failed.append(session)
                raise BadData("the archive cannot be read or written: disk I/O error")
            return read(archive, session, **how)

        monkeypatch.setattr(Archive, "rows", once)
        found = companion("doctor")
        assert failed and found.code == 0 and "No faults" in found.out

    def test_older_archive_is_sound_and_unchanged(self, tmp_path: Path) -> None:
        path = tmp_path / "old.sqlite3"
        path.write_bytes(content := gzip.decompress(OLD.read_bytes()))
        found = companion("doctor", "--db", str(path))
        assert found.code == 0 and "older Companion" in found.out and "No faults" in found.out
        assert path.read_bytes() == content

    @pytest.mark.parametrize(("content", "code"), [(b"", 0), (b"no archive at all" * 300, 4)])
    def test_file_that_is_no_archive(self, tmp_path: Path, content: bytes, code: int) -> None:
        path = tmp_path / "other"
        path.write_bytes(content)
        found = companion("doctor", "--db", str(path))
        assert found.code == code and found.out + found.err and "Traceback" not in found.err
        assert path.read_bytes() == content


class TestRepair:
    @pytest.mark.parametrize(
        ("harm", "rows", "left"),
        [
            (lambda path: changed(path, "DELETE FROM log WHERE seq = 6"), 5, "the end of the log of first, from row 6 on"),
            (lambda path: changed(path, "UPDATE log SET body = '{' WHERE seq = 4"), 3, "the end of the log of first"),
            (lambda path: changed(path, "DROP VIEW v_entries"), None, ""),
            (lambda path: changed(path, "UPDATE printed SET value = 'deep' WHERE key = 'depth:north'"), None, "'depth:north'"),
            (_zeroed, None, "printed facts"),
        ],
        ids=["a gap", "a spoilt row", "a view", "a fact", "a page"],
    )
    def test_repair_writes_a_copy(
        self, begun: Path, tmp_path: Path, harm: Callable[[Path], None], rows: int | None, left: str
    ) -> None:
        whole = companion("log", "--json").json["entries"]
        harm(begun)
        before, target = begun.read_bytes(), tmp_path / "repaired.sqlite3"
        made = companion("doctor", "--repair", str(target), "--json")
        assert made.code == 0 and made.json["well"]
        assert left in " ".join(one["what"] for one in made.json["findings"])
        told = companion("doctor", "--repair", f"{target}.2").out
        assert ("No faults." in told) is not bool(left)
        assert ("what is listed above is missing from it" in told) is bool(left)
        assert "To use it: companion --db" in told
        assert begun.read_bytes() == before
        with Archive.open(str(target)) as archive:
            kept = archive.rows(archive.session("first").id)
        assert rows in (None, len(kept))
        again = companion("log", "--json", "--db", str(target)).json["entries"]
        assert again[:-1] == whole[: len(again) - 1] and (rows is not None or again == whole)
        assert companion("status", "--db", str(target)).code in (0, 3)

    @pytest.mark.parametrize("table", ["sessions", "log", "printed", "state"])
    def test_single_read_error_loses_no_row(
        self, begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str
    ) -> None:
        failed: list[str] = []

        class Once(sqlite3.Connection):
            def execute(self, sql: str, values: Any = (), /) -> Any:
                found = super().execute(sql, values)
                if f"FROM {table}" in sql and not failed:
                    failed.append(sql)
                    return _cut_off(found)
                return found

        monkeypatch.setattr(database, "connect_for_check", lambda path: sqlite3.connect(path, factory=Once))
        target = tmp_path / "repaired.sqlite3"
        made = companion("doctor", "--repair", str(target))
        assert failed and made.code == 0 and "Left out" not in made.out
        with Archive.open(str(begun)) as old, Archive.open(str(target)) as new:
            assert new.rows(1) == old.rows(1) and new.printed("tiny") == old.printed("tiny")

    def test_repair_overwrites_no_file(self, begun: Path, tmp_path: Path) -> None:
        refused = companion("doctor", "--repair", str(begun))
        assert refused.code == 2 and "exists already" in refused.err

    def test_failed_repair_leaves_no_file(self, begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        target = tmp_path / "repaired.sqlite3"
        with monkeypatch.context() as full:
            full.setattr("companion.session.doctor.sync_file", _full)
            refused = companion("doctor", "--repair", str(target))
        assert refused.code == 4 and "No space left" in " ".join(refused.err.split()) and "nothing is kept" in refused.err
        assert list(tmp_path.glob("repaired*")) == []
        assert companion("doctor", "--repair", str(target)).code == 0


def _cut_off(rows: Iterable[Any]) -> Iterator[Any]:
    """The first row, and then a disk that fails."""
    yield from islice(rows, 1)
    raise sqlite3.OperationalError("disk I/O error")


def _full(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


def test_no_space_for_the_working_copy(begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.mkdtemp", _full)
    refused = companion("doctor")
    assert refused.code == 4 and "no copy of the archive can be made" in refused.err and "TMPDIR" in refused.err


def test_unsynced_copy_is_not_kept(begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.session.files.sync_file", _full)
    refused = companion("backup", str(tmp_path / "copy"))
    assert refused.code == 2 and "No space left" in " ".join(refused.err.split())
    assert list(tmp_path.glob("copy*")) == []


def test_doctor_shows_how_far_it_is_in_a_long_session(tmp_path: Path) -> None:
    """The bar of an archive with one session stood at 0 % to the end."""
    path = tmp_path / "games.sqlite3"
    long_archive(path, "iraqwar2003", 200)
    seen: list[Progress] = []
    assert check_archive(str(path), seen.append).is_sound

    shares = [progress.done / progress.total for progress in seen if progress.total == seen[-1].total]
    assert shares == sorted(shares) and shares[-1] == 1
    assert len([share for share in shares if 0 < share < 0.5]) > 3 < len([share for share in shares if 0.5 < share < 1])

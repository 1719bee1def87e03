"""Damaged rows and files: every command reports them and rescues the rest, and `doctor --repair` makes an archive that opens."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import struct
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from companion.core.errors import BadData, CompanionError
from companion.core.history import ROW_SCHEMAS
from companion.games import GAMES
from companion.session import backup, database, simulation
from companion.session.controller import SessionController
from companion.session.state import SessionState
from companion.session.store import Archive
from tests.support.commands import companion
from tests.support.connections import connected
from tests.support.kept_review import decision, keep_review
from tests.support.trusted import ask_to_undo

DEEP = "[" * 50_000
LONG_NUMBER = "9" * 5_000
INTERNAL = 70
SHARE = "1" * 64


@pytest.fixture
def sound(tiny_game: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """An archive with rows of every kind in three sessions, and with printed facts.

    The second has an open question; the third has trusted dice, and its host is asked for its consent.
    """
    monkeypatch.setitem(GAMES, "tiny", "tests.support.tiny_haggle")
    simulation._load_with_facts.cache_clear()  # another game of this id may have been simulated before
    request.addfinalizer(simulation._load_with_facts.cache_clear)
    for name in ("first", "second"):
        assert companion("new", "tiny", "--seed", "1", "--name", name).code == 0
        companion("do", "march", "Red", "ford")
        companion("note", "seen")
        companion("printed", "tiny", "set", "depth:north", "4")
        companion("do", "march", "Red", "north")
        companion("undo")
        companion("adjust", "Red", "ford", "--why", "moved")
        companion("amend", "1.1", "hill-1")
        companion("do", "roam", "ford", "easy")
        companion("do", "fight", "Blue")
        companion("adjust", "supply", "3", "--why", "seen")
        companion("answer", "yes")
    assert companion("do", "fight", "blue").code == 3
    assert companion("new", "tiny", "--name", "third", "--dice", "trusted").code == 0
    assert companion("do", "fight", "Blue").code == 3
    assert companion("undo").code == 3
    assert companion("consent", "no", "--seat", "blue").code == 3
    assert companion("share", SHARE, "--at", "2.3", "--seat", "blue").code in (0, 3)
    ask_to_undo("blue")
    assert companion("use", "second").code == 0
    assert companion("luck").code == 0
    with Archive.open() as archive:
        session = SessionState.open(archive, "second")
        keep_review(session, "normal", {number: [decision(0, 3.0), decision(1, 2.0)] for number in session.history.force})
    return Path(os.environ["COMPANION_DB"])


def without_guards(path: Path, is_strict: bool = True) -> sqlite3.Connection:
    """A connection to an archive without its triggers, and without the types of its columns unless `is_strict`."""
    raw = sqlite3.connect(path, isolation_level=None)
    for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        raw.execute(f"DROP TRIGGER {name}")
    if not is_strict:
        raw.execute("PRAGMA writable_schema = ON")
        raw.execute("UPDATE sqlite_master SET sql = replace(replace(sql, 'STRICT, ', ''), ' STRICT', '') WHERE type = 'table'")
        raw.close()
        raw = sqlite3.connect(path, isolation_level=None)
    return raw


COLUMNS = {
    "sessions": ("id", "name", "game", "scenario", "options", "seed", "created", "version", "parent", "flags"),
    "log": ("session_id", "seq", "kind", "entry", "body", "at"),
    "printed": ("game", "key", "revision", "value", "at", "source"),
    "state": ("key", "value"),
    "force": ("session_id", "entry", "first", "last", "done", "in_force", "answers", "rolls"),
    "sums": ("session_id", "rows", "others", "notes", "first_at", "last_at", "at_table", "think"),
    "names": ("session_id", "id", "name"),
    "tracked": ("session_id", "track", "entry", "value"),
    "faces": ("session_id", "who", "face", "entry", "dice"),
    "analysis": ("session_id", "kind", "entry", "level", "key", "data"),
    "reviewed": (
        *("session_id", "entry", "reply", "level", "by_person", "rule"),
        *("loss", "loss_error", "win_loss", "win_loss_error", "grade", "best"),
    ),
    "_sqlite_migrations": ("id", "migration_set", "name", "applied_at"),
}
"""Every column that is damaged."""
OFTEN = ("sessions", "log", "log", "log", "log", "printed", "state")
"""The tables that are damaged in two of three cases: the others are rebuilt from the log."""
SEEDS = range(1_200, 2_200)
ODD = (
    None,
    0,
    -1,
    2**63 - 1,
    1.5,
    b"\xff\x00",
    "",
    "{",
    "[]",
    "{}",
    '{"a":1}',
    "null",
    DEEP,
    LONG_NUMBER,
    '"\x01"',
    "x" * 300,
    "NaN",
)


def odd_json(value: Any, chance: random.Random) -> Any:
    """A value with one part of it replaced, removed or added."""
    if isinstance(value, dict) and value and chance.random() < 0.8:
        key = chance.choice(sorted(value))
        changed = dict(value)
        if chance.random() < 0.3:
            del changed[key]
        else:
            changed[key] = odd_json(value[key], chance)
        return changed
    if isinstance(value, list) and value and chance.random() < 0.7:
        index = chance.randrange(len(value))
        return [*value[:index], odd_json(value[index], chance), *value[index + 1 :]]
    return chance.choice([None, True, -1, 10**30, 1.5, "", "odd", [], ["odd"], [[]], {}, {"kind": "odd"}, [{"kind": "said"}]])


def damaged_column(chance: random.Random) -> tuple[str, str]:
    """The table and column to damage."""
    if chance.random() < 2 / 3:
        table = chance.choice(OFTEN)
        return table, chance.choice(COLUMNS[table])
    return chance.choice([(table, column) for table, columns in sorted(COLUMNS.items()) for column in columns])


def damage(path: Path, chance: random.Random) -> str:
    """Change one cell of an archive; what was changed."""
    table, column = damaged_column(chance)
    raw = without_guards(path, chance.random() < 0.5)
    keys = [name for _, name, _, _, _, key in raw.execute(f"PRAGMA table_info({table})") if key]
    rows = raw.execute(f"SELECT {', '.join(keys)} FROM {table}").fetchall()
    if table == "log":
        kind = chance.choice(raw.execute("SELECT DISTINCT kind FROM log ORDER BY kind").fetchall())
        rows = raw.execute(f"SELECT {', '.join(keys)} FROM log WHERE kind = ?", kind).fetchall()
    row = chance.choice(rows)
    where = " AND ".join(f"{key} = ?" for key in keys)
    ((old,),) = raw.execute(f"SELECT {column} FROM {table} WHERE {where}", row).fetchall()
    new = chance.choice(ODD)
    if isinstance(old, str) and old.startswith(("{", "[")) and chance.random() < 0.7:
        new = json.dumps(odd_json(json.loads(old), chance))
    with suppress(sqlite3.Error):  # the table may not take it
        raw.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (new, *row))
    raw.close()
    return f"{table}.{column} of {row}: {str(new)[:80]}"


@contextmanager
def time_limit(seconds: float = 20.0) -> Iterator[None]:
    """Raise an error in a test that would wait for ever."""

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def outcome(*words: str) -> str:
    """The exit code of a command with its message, if it blames Companion or shows a traceback."""
    with time_limit():
        result = companion(*words)
    return f"{words}: {result.code} {result.err}" if result.code == INTERNAL or "Traceback" in result.err + result.out else ""


COMMANDS = (
    *("log", "log --json", "log --rolls", "why", "why --json", "show", "show score", "report", "report --full", "summary"),
    *("report --format html", "stats", "stats --json", "stats --csv", "sessions --json", "status --json", "audit --json"),
    *("bundle", "luck", "bot", "odds", "printed tiny", "printed tiny list", "map tiny", "games tiny", "use second"),
    *("log --session third", "status --json --session third", "verify third", "verify third --json"),
    *(f"share {SHARE} --at 2.4 --seat blue --session third", "consent yes --session third", "undo --session third"),
    *("answer ?", "answer 1", "undo", "redo", "note x", "branch y", "amend 1.1 1", "adjust supply 1 --why x"),
)
"""Commands that read an archive, and some that write a row after that."""


def check_damage(sound: Path, folder: Path, seed: int) -> None:
    chance = random.Random(seed)
    damaged, repaired = folder / f"{seed}.sqlite3", folder / f"{seed}-repaired.sqlite3"
    shutil.copy(sound, damaged)
    what = damage(damaged, chance)
    db = ("--db", str(damaged))
    faults = [
        outcome("sessions", *db),
        outcome("status", *db),
        *(outcome(*command.split(), *db) for command in chance.sample(COMMANDS, 3)),
        outcome("doctor", *db),
        outcome("doctor", "--repair", str(repaired), *db),
    ]
    faults = [fault for fault in faults if fault]
    if repaired.exists():
        with Archive.open(str(repaired)) as archive:
            assert not archive.damaged_sessions(), what
            for info in archive.sessions():
                try:
                    session = SessionController.open(archive, info)
                except CompanionError as fault:
                    faults += [] if "not installed" in str(fault) else [f"{info.name}: {fault}"]
                    continue
                assert not session.broken, what
                session.position  # noqa: B018 - reading it must not fail
        faults += [fault for fault in [outcome("doctor", "--db", str(repaired))] if fault]
    assert not faults, (what, seed, faults)
    damaged.unlink()


def checkpointed(path: Path) -> None:
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw.close()


@pytest.mark.parametrize("part", range(2))
def test_damaged_cells_are_reported_and_repaired(sound: Path, tmp_path: Path, part: int) -> None:
    checkpointed(sound)
    for seed in range(part * 15, part * 15 + 15):
        check_damage(sound, tmp_path, seed)


# the whole set takes minutes, so most parts are marked long
@pytest.mark.slow
@pytest.mark.parametrize("part", [*range(3), *(pytest.param(part, marks=pytest.mark.long) for part in range(3, 20))])
def test_a_thousand_damaged_cells_are_reported_and_repaired(sound: Path, tmp_path: Path, part: int) -> None:
    checkpointed(sound)
    for seed in SEEDS[part::20]:
        check_damage(sound, tmp_path, seed)


def test_every_column_of_the_schema_is_damaged(sound: Path) -> None:
    """Also rows of every kind, and each column by one of the thousand seeds."""
    raw = sqlite3.connect(sound)
    tables = [name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")]
    schema = {table: tuple(column[1] for column in raw.execute(f"PRAGMA table_info({table})")) for table in tables}
    kinds = {kind for (kind,) in raw.execute("SELECT DISTINCT kind FROM log")}
    empty = [table for table in tables if not raw.execute(f"SELECT 1 FROM {table}").fetchone()]
    raw.close()
    assert schema == COLUMNS
    assert kinds == set(ROW_SCHEMAS)
    assert empty == []
    damaged = {damaged_column(random.Random(seed)) for seed in SEEDS}
    assert damaged == {(table, column) for table, columns in COLUMNS.items() for column in columns}


@pytest.mark.parametrize("options", ["{", '{"weather": true}'])
def test_one_damaged_session_does_not_hide_the_others(sound: Path, tmp_path: Path, options: str) -> None:
    with closing(without_guards(sound)) as raw:
        raw.execute("UPDATE sessions SET options = ? WHERE name = 'second'", (options,))
    listed = companion("sessions")
    assert listed.code == 0 and "first" in listed.out and "'second' is damaged" in listed.out
    assert companion("status", "--session", "first").code == 0
    assert companion("status", "--session", "second").code == 4
    assert [row["session"] for row in companion("stats", "--json").json["tables"]["sessions"]] == ["first", "third"]
    found = companion("doctor")
    assert found.code == 4 and "'second' is damaged" in found.out
    repaired = str(tmp_path / "repaired.sqlite3")
    assert "'second' is damaged" in companion("doctor", "--repair", repaired).out
    assert companion("doctor", "--db", repaired).code == 0
    assert companion("log", "--db", repaired, "--session", "first").out == companion("log", "--session", "first").out


def test_repair_cuts_a_log_off_before_a_row_without_its_fields(sound: Path, tmp_path: Path) -> None:
    raw = without_guards(sound)
    raw.execute("UPDATE log SET body = '{\"text\":\"x\"}' WHERE session_id = 1 AND kind = 'done' AND entry = 2")
    raw.close()
    refused = companion("log", "--session", "first")
    assert refused.code == 4 and "damaged" in refused.err and "doctor --repair" in refused.err
    repaired = str(tmp_path / "repaired.sqlite3")
    companion("doctor", "--repair", repaired)
    assert companion("doctor", "--db", repaired).code == 0
    assert companion("status", "--db", repaired, "--session", "first").code == 0


@pytest.mark.parametrize("kind", ["entry", "reply", "done", "change", "note", "adjusted", "trust"])
def test_body_that_is_no_text_is_damage(sound: Path, kind: str) -> None:
    raw = without_guards(sound, is_strict=False)
    raw.execute("UPDATE log SET body = x'ff00' WHERE kind = ?", (kind,)).close()
    raw.close()
    assert [fault for command in COMMANDS for fault in [outcome(*command.split())] if fault] == []
    assert companion("log", "--session", "third" if kind == "trust" else "first").code == 4


def test_damaged_summary_is_damage_and_no_fault_of_companion(sound: Path, tmp_path: Path) -> None:
    with closing(without_guards(sound, is_strict=False)) as raw:
        raw.execute("UPDATE OR IGNORE faces SET face = x'ff00'")
    refused = companion("stats")
    assert refused.code == 4 and "its table 'faces' does not agree with the log" in refused.err
    repaired = str(tmp_path / "repaired.sqlite3")
    companion("doctor", "--repair", repaired)
    assert companion("stats", "--db", repaired).code == companion("doctor", "--db", repaired).code == 0


def test_damaged_setting_of_a_session_is_not_shown(sound: Path) -> None:
    with closing(without_guards(sound)) as raw:
        raw.execute("UPDATE sums SET think = 1.5")
    shown = companion("stats", "--json")
    assert [row["think"] for row in shown.json["tables"]["sessions"]] == ["usual", "usual", "usual"]


SUPER_JOURNAL = bytes.fromhex("d9d505f920a163d7")


def hot_journal(archive: Path, victim: Path) -> bytes:
    """A rollback journal that makes SQLite delete a file when it rolls the archive back."""
    name = str(victim).encode()
    head = SUPER_JOURNAL + struct.pack(">IIIII", 0, 1234, archive.stat().st_size // 4096, 512, 4096)
    locked_page = struct.pack(">I", 0x40000000 // 4096 + 1)
    return head.ljust(512, b"\0") + locked_page + name + struct.pack(">II", len(name), sum(name) & 0xFFFFFFFF) + SUPER_JOURNAL


LOOKS = (
    "status",
    "log",
    "show",
    "report",
    "stats",
    "sessions",
    "note x",
    "undo",
    "do march",
    "map tiny",
    "luck",
    "doctor",
    "backup b",
)


def test_journal_that_would_delete_another_file_is_refused(sound: Path, tmp_path: Path) -> None:
    checkpointed(sound)
    raw = sqlite3.connect(sound)
    assert raw.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
    raw.close()
    victim, journal = tmp_path / "diary.txt", Path(f"{sound}-journal")
    victim.write_text("dear diary", encoding="utf-8")
    content = hot_journal(sound, victim)
    for look in LOOKS:
        journal.write_bytes(content)
        refused = companion(*look.split())
        assert refused.code == 4 and "would delete another file" in refused.err, look
        assert victim.read_text(encoding="utf-8") == "dear diary"
    link = tmp_path / "link.sqlite3"
    link.symlink_to(sound)
    assert companion("status", "--db", str(link)).code == 4 and victim.exists()
    journal.unlink()
    assert companion("status").code == 0


@pytest.mark.skipif(sqlite3.sqlite_version_info >= (3, 41), reason="a newer SQLite follows no such journal")
def test_journal_deletes_a_file_where_nothing_prevents_it(sound: Path, tmp_path: Path) -> None:
    """The journal of the test before is a real one: SQLite alone follows it."""
    checkpointed(sound)
    raw = sqlite3.connect(sound)
    assert raw.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
    raw.close()
    victim = tmp_path / "diary.txt"
    victim.write_text("dear diary", encoding="utf-8")
    Path(f"{sound}-journal").write_bytes(hot_journal(sound, victim))
    raw = sqlite3.connect(sound)
    raw.execute("SELECT count(*) FROM sessions").fetchone()
    raw.close()
    assert not victim.exists()


SIDE_FILES: dict[str, Callable[[Path, Path], None]] = {
    "link": lambda path, other: path.symlink_to(other),
    "pipe": lambda path, _: os.mkfifo(path),
    "folder": lambda path, _: path.mkdir(),
}


@pytest.mark.parametrize("kind", SIDE_FILES)
@pytest.mark.parametrize("end", ["-journal", "-wal", "-shm"])
def test_odd_file_beside_a_database_is_refused_at_once(sound: Path, tmp_path: Path, end: str, kind: str) -> None:
    """Beside the archive, and beside a file of simulated games."""
    checkpointed(sound)
    shutil.copy(sound, other := tmp_path / "other.sqlite3")
    simulated = tmp_path / "games.db"
    simulate = ("simulate", "tiny", "--policy", "random", "--games", "1", "--out", str(simulated))
    assert companion(*simulate).code == 0
    diary = tmp_path / "diary.txt"
    diary.write_text("dear diary", encoding="utf-8")
    for path in (sound, simulated):
        SIDE_FILES[kind](Path(f"{path}{end}"), diary)
    compare = ("stats", "tiny", "--against", str(simulated))
    for words in (*(look.split() for look in LOOKS), simulate, (*compare, "--db", str(other))):
        with time_limit():
            refused = companion(*words)
        assert refused.code == 4 and f"{end} is not a plain file" in refused.err, words
    assert diary.read_text(encoding="utf-8") == "dear diary"


ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"
VIEWS = {
    "log": "CREATE VIEW log AS {} 1 AS session_id, i AS seq, 'note' AS kind, 0 AS entry, '{{}}' AS body, 'x' AS at FROM n",
    "state": "CREATE VIEW state AS {} 'shown' AS key, i AS value FROM n",
    "sessions": "CREATE VIEW sessions AS {} i AS id, i AS name, 'tiny' AS game, '' AS scenario, '{{}}' AS options, '' AS seed,"
    " '' AS created, '' AS version, 0 AS parent, '' AS flags FROM n",
    "printed": "CREATE VIEW printed AS {} 'tiny' AS game, i AS key, 1 AS revision, 'x' AS value, '' AS at,"
    " 'told' AS source FROM n",
}


@pytest.mark.parametrize("table", VIEWS)
def test_endless_view_in_place_of_a_table_is_refused(sound: Path, tmp_path: Path, table: str) -> None:
    raw = without_guards(sound)
    for (view,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'view'").fetchall():
        raw.execute(f"DROP VIEW {view}")
    raw.execute("PRAGMA foreign_keys = OFF")
    raw.execute(f"DROP TABLE {table}")
    raw.execute(VIEWS[table].format(ENDLESS))
    raw.close()
    for words in ("status", "log", "sessions", "note x"):
        refused = companion(*words.split())
        assert refused.code == 4 and f"its '{table}' is not a table" in refused.err, words
    assert f"'{table}' is not a table" in companion("doctor").out
    repaired = str(tmp_path / "repaired.sqlite3")
    assert f"all of '{table}'" in companion("doctor", "--repair", repaired).out
    assert companion("sessions", "--db", repaired).code == 0


def test_generated_column_is_refused_and_a_plain_one_is_ignored(sound: Path) -> None:
    raw = without_guards(sound)
    raw.execute("ALTER TABLE sessions ADD COLUMN classes TEXT DEFAULT (1)")
    assert companion("status", "--session", "first").code == 0 and companion("sessions").code == 0
    raw.execute("ALTER TABLE sessions ADD COLUMN twice TEXT AS (name || name)")
    raw.close()
    assert "its 'sessions' is not a table" in companion("status").err


def test_ctrl_c_stops_a_long_statement(sound: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As itself, not as the clock's message about a statement that never ends."""
    monkeypatch.setattr(database, "_OPCODES", 100_000)
    with time_limit(), Archive.open() as archive:
        Timer(0.2, interrupt_main).start()
        with pytest.raises(KeyboardInterrupt):
            archive._read(f"SELECT count(*) FROM ({ENDLESS} i FROM n)")
        assert archive.sessions()


def test_ctrl_c_stops_a_long_statement_that_no_clock_limits(sound: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as those of `doctor`, which may take minutes; also where an error of SQLite is passed over."""
    monkeypatch.setattr(database, "_OPCODES", 100_000)
    endless = f"SELECT count(*) FROM ({ENDLESS} i FROM n)"
    with time_limit(), Archive.open() as archive:
        for run in (
            lambda: archive.fill(archive._db, lambda source, target: source.execute(endless).fetchall()),
            lambda: list(backup._readable_rows(archive._db, [], "rows", endless)),
        ):
            Timer(0.2, interrupt_main).start()
            with pytest.raises(KeyboardInterrupt):
                run()
        assert archive.sessions()


def test_trigger_that_never_ends_is_stopped(sound: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A branch reads rows while it writes."""
    monkeypatch.setattr(database, "LONGEST_STATEMENT", 0.2)
    monkeypatch.setattr(database, "_OPCODES", 100_000)
    raw = sqlite3.connect(sound)
    for table in ("log", "sessions"):
        raw.execute(f"CREATE TRIGGER evil_{table} AFTER INSERT ON {table} BEGIN SELECT count(*) FROM ({ENDLESS} i FROM n); END")
    raw.commit()
    raw.close()
    with time_limit(), Archive.open() as archive:
        session = SessionController.open(archive, "first")
        with pytest.raises(BadData, match="never ends"):
            session.note("x")
        with pytest.raises(BadData, match="never ends"):
            archive.branch(session.info, "other")
        assert archive.rows(1)[-1].body.get("text") != "x"
    assert companion("status", "--session", "first").code == 0


def test_printed_fact_told_too_often_is_reported(sound: Path, tmp_path: Path) -> None:
    with closing(without_guards(sound)) as raw:
        raw.execute(f"UPDATE printed SET revision = {2**63 - 1}")
    refused = companion("printed", "tiny", "set", "depth:north", "5")
    assert refused.code == 4 and "is damaged" in refused.err
    repaired = str(tmp_path / "repaired.sqlite3")
    assert "printed fact" in companion("doctor", "--repair", repaired).out
    assert companion("doctor", "--db", repaired).code == 0


def test_hostile_file_of_simulated_games_is_refused(sound: Path, tmp_path: Path) -> None:
    """An endless view or trigger, a journal that would delete another file, scores that no game has."""
    simulated, victim = tmp_path / "games.db", tmp_path / "diary.txt"
    simulate = ("simulate", "tiny", "--policy", "random", "--seed", "s", "--games", "2", "--out", str(simulated))
    compare = ("stats", "tiny", "--against", str(simulated))
    assert companion(*simulate).code == companion(*compare).code == 0
    content = simulated.read_bytes()
    for score in ("'x'", "9e999", "x'00'"):
        with connected(simulated, isolation_level=None) as raw:
            raw.execute(f"UPDATE games SET score = {score}")
        assert companion(*compare).code == 4, score
    for hostile in (
        f"CREATE TRIGGER evil AFTER INSERT ON games BEGIN SELECT count(*) FROM ({ENDLESS} i FROM n); END",
        f"DROP TABLE games; CREATE VIEW games AS {ENDLESS} 'tiny' AS series, 'x' AS result, i AS score FROM n",
    ):
        simulated.write_bytes(content)
        with connected(simulated, isolation_level=None) as raw:
            raw.executescript(hostile)
        with time_limit():
            assert companion(*simulate[:-3], "3", *simulate[-2:]).code == 4, hostile
            assert companion(*compare).code == (4 if "VIEW" in hostile else 0)
    simulated.write_bytes(content)
    victim.write_text("dear diary", encoding="utf-8")
    Path(f"{simulated}-journal").write_bytes(hot_journal(simulated, victim))
    assert "would delete another file" in companion(*simulate).err and "would delete another file" in companion(*compare).err
    assert victim.exists()

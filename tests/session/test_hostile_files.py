"""What somebody who means harm may put into a file that Companion reads; companion/docs/security.md lists it with these tests."""

from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
import stat
from html.parser import HTMLParser
from pathlib import Path

import pytest

from companion.core import limits
from companion.core.errors import BadData
from companion.core.text import clean
from companion.session.store import Archive
from companion.session.transfer import restore
from tests.support.commands import Result, companion
from tests.support.connections import connected

ESCAPES = "a\x1b[2J\x1b]0;title\x07b\u202egnp\u2066c\u200fd\x9b31m"
MARKUP = "<script>alert(1)</script>[url=http://x]y[/url]![z](http://x)`"
FORMULAS = ("=cmd|' /C calc'!A0", "+1+1", "-1+1", "@SUM(A1)", "\t=1+1")
QUOTES = "x'); DROP TABLE log; --"


@pytest.fixture
def begun(tiny_game: str) -> Path:
    """The archive of a session."""
    assert companion("new", "tiny", "--seed", "1", "--name", "first").code == 0
    companion("do", "march", "Red", "ford")
    return Path(os.environ["COMPANION_DB"])


def changed(path: Path, sql: str, *values: object) -> None:
    """What no program of ours does to an archive."""
    with connected(path) as raw:
        for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%no_%'").fetchall():
            raw.execute(f"DROP TRIGGER {name}")
        raw.execute(sql, values)
    raw.close()


def everything(*words: str) -> str:
    """All that is shown of the session."""
    looks = ("status", "log", "show", "sessions", "report", "why", "stats"), ("log", "--json"), ("report", "--format", "html")
    told = [companion(*look) for look in ((one,) for one in looks[0])] + [companion(*look) for look in looks[1:]]
    return "".join(one.out + one.err for one in told)


def test_escapes_and_direction_marks_are_not_shown(begun: Path) -> None:
    """As the player types them, and as a hostile archive holds them."""
    companion("note", ESCAPES)
    companion("branch", f"x{ESCAPES}")
    changed(begun, "UPDATE sessions SET name = ? WHERE id = 1", f"y{ESCAPES}")
    changed(begun, "UPDATE log SET body = ? WHERE kind = 'note'", json.dumps({"text": ESCAPES}))
    shown = everything()
    assert "title" in shown and not set(shown) & set("\x1b\x07\x9b\u202e\u2066\u200f")
    assert clean(ESCAPES).isprintable()


class Tags(HTMLParser):
    """The elements of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.links: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]


def test_names_and_notes_are_escaped_in_reports(begun: Path) -> None:
    companion("note", MARKUP)
    changed(begun, "UPDATE sessions SET name = ?", MARKUP)
    page = Tags(companion("report", "--format", "html", "--full").out)
    assert "script" not in page.tags and not any("http://x" in link for link in page.links)
    post = companion("report", "--format", "bbcode", "--full").out
    assert "[url=http://x]" not in post
    text = companion("report", "--full").out
    assert "\\<script>" in text and "![z](" not in text


@pytest.mark.parametrize("name", FORMULAS)
def test_names_are_no_spreadsheet_formulas(begun: Path, name: str) -> None:
    changed(begun, "UPDATE sessions SET name = ?", name)
    rows = list(csv.reader(io.StringIO(companion("stats", "--csv").out)))
    assert len(rows) == 2 and not rows[1][0].lstrip().startswith(("=", "+", "-", "@"))


def test_names_are_not_run_as_sql(begun: Path) -> None:
    assert companion("branch", QUOTES).code == 0
    companion("note", QUOTES)
    assert companion("use", QUOTES).code == 0
    assert companion("log", "--session", QUOTES).code == 0
    assert companion("stats").code == 0 and companion("doctor").code == 0
    assert QUOTES in [one["name"] for one in companion("sessions", "--json").json["sessions"]]


def refused(result: Result) -> None:
    assert result.code in (2, 4) and "Traceback" not in result.err and len(result.err) < 2000, result


@pytest.mark.parametrize(
    "text",
    [
        "a" + ".a" * 3000 + " = 1",
        "a" + ".a" * 100_000 + " = 1",
        "a" + """."a,'" """.strip() * 40_000 + " = 1",
        "[a" + ".a" * 50_000 + "]",
        "x = {a" + ".a" * 50_000 + " = 1}",
        "a = " + "[" * 5000,
        "a = " + "{a = " * 2000,
        "a = " + "9" * 5000,
        "a = " + "1" * 900 + "e" + "9" * 900,
        '[facts]\n"depth:north" = ' + "9" * 6000,
        "a = 1\na = 2",
        "\x00",
    ],
    ids=["dots", "many dots", "quoted", "table", "inline", "lists", "objects", "digits", "exponent", "fact", "twice", "nul"],
)
def test_toml_bomb_is_refused_in_one_line(begun: Path, tmp_path: Path, text: str) -> None:
    path = tmp_path / "facts.toml"
    path.write_text(f'format = 1\ngame = "tiny"\n{text}\n')
    refused(companion("printed", "tiny", "import", str(path)))


@pytest.mark.parametrize("text", ["[" * 100_000, "9" * 10_000, '{"format": NaN}', '"\\ud800"', "{}", "null"])
def test_json_bomb_is_refused_in_one_line(begun: Path, tmp_path: Path, text: str) -> None:
    path = tmp_path / "bundle.json"
    path.write_text(text)
    refused(companion("bundle", "--restore", str(path)))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[" + "[]," * (limits.BUNDLE_PARTS + 1) + "1]", "no JSON object"),
        ('{"rows":[' + "{}," * (limits.BUNDLE_PARTS + 1) + "1]}", f"limits {limits.BUNDLE_PARTS}"),
        ('{"rows":[' + "1," * (limits.BUNDLE_VALUES + 1) + "1]}", f"and {limits.BUNDLE_VALUES}"),
    ],
    ids=["list", "objects", "values"],
)
def test_document_of_many_parts_is_refused_before_it_is_parsed(
    archive: Archive, text: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parsed, 50 MB of them take more than 2 GB of memory."""
    monkeypatch.setattr("companion.session.transfer.json.loads", lambda _: pytest.fail("parsed"))
    for content in (text, text.encode()):
        with pytest.raises(BadData, match=why):
            restore(archive, content)


def test_bundle_cannot_name_files_or_modules(begun: Path, tmp_path: Path) -> None:
    """The name of a game is looked up and not gone to; the name of a session names no file."""
    path = tmp_path / "bundle.json"
    companion("bundle", str(path))
    document = json.loads(path.read_text())
    for game in ("../../etc", "os", "companion.cli", "/etc/passwd"):
        document["session"]["game"] = game
        path.write_text(json.dumps(document))
        refused(companion("bundle", "--restore", str(path)))
    document["session"].update(game="tiny", name="../../../escaped")
    path.write_text(json.dumps(document))
    before = {one.name for one in tmp_path.iterdir()}
    other = ("--db", str(tmp_path / "other.sqlite3"))
    assert companion("bundle", "--restore", str(path), *other).code == 0
    assert companion("report", "--session", "../../../escaped", *other).code == 0
    assert {one.name.partition("-")[0] for one in tmp_path.iterdir()} - before <= {"archive.sqlite3", "other.sqlite3"}


def test_compressed_data_is_not_unpacked(begun: Path, tmp_path: Path) -> None:
    """A file of packed zeros stays as small as it is."""
    import gzip

    path = tmp_path / "bundle.json.gz"
    path.write_bytes(gzip.compress(b"0" * 1_000_000))
    refused(companion("bundle", "--restore", str(path)))
    refused(companion("printed", "tiny", "import", str(path)))


def test_triggers_of_a_foreign_archive_are_confined(begun: Path, tmp_path: Path) -> None:
    """It may spoil what is written to that archive, which the doctor tells; it can load no code and touch no other file."""
    target = tmp_path / "other.sqlite3"
    changed(begun, "CREATE TRIGGER mine AFTER INSERT ON log BEGIN SELECT load_extension('/tmp/x'); END")
    assert companion("note", "anything").code == 4
    changed(begun, "DROP TRIGGER mine")
    with pytest.raises(sqlite3.Error):
        changed(begun, f"CREATE TRIGGER mine AFTER INSERT ON log BEGIN ATTACH '{target}' AS x; END")
    changed(begun, "CREATE TRIGGER mine AFTER INSERT ON log BEGIN INSERT INTO state VALUES ('x', 'y'); END")
    companion("note", "anything")
    assert not target.exists() and "'mine' was not made by Companion" in companion("doctor").out


@pytest.mark.parametrize(
    "words", [("bundle", "OUT"), ("report", "--out", "OUT"), ("backup", "OUT"), ("doctor", "--repair", "OUT")]
)
def test_symbolic_link_in_place_of_a_new_file_is_not_followed(begun: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    precious, link = tmp_path / "precious.txt", tmp_path / "out.html"
    precious.write_text("mine")
    link.symlink_to(precious)
    answer = companion(*(word.replace("OUT", str(link)) for word in words))
    assert answer.code == 2 and "exists already" in answer.err
    assert precious.read_text() == "mine" and link.is_symlink()


@pytest.mark.parametrize("words", [("printed", "tiny", "import"), ("map", "tiny", "import"), ("bundle", "--restore")])
def test_pipe_is_not_read(begun: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    refused(companion(*words, str(pipe)))


@pytest.mark.parametrize(
    "words", [("status",), ("new", "tiny"), ("log",), ("doctor",), ("doctor", "--repair", "x"), ("backup", "x"), ("sessions",)]
)
def test_pipe_in_place_of_the_archive_is_not_read(
    tiny_game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    answer = companion(*words, "--db", str(pipe))
    refused(answer)
    assert "not an archive" in " ".join(answer.err.split())
    assert os.listdir(tmp_path) == ["pipe"]


def test_archive_and_copies_are_private_files(begun: Path, tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        companion("new", "tiny", "--db", str(tmp_path / "new.sqlite3"))
        companion("backup", str(tmp_path / "copy"))
        companion("doctor", "--repair", str(tmp_path / "repaired"))
    finally:
        os.umask(old)
    for name in ("archive.sqlite3", "new.sqlite3", "copy", "repaired"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600, name


def test_tables_are_never_executed(begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A condition in a table is a name that the game knows; any other is a fault, and nothing is imported for it."""
    import shutil

    folder = tmp_path / "tables"
    shutil.copytree(os.environ["COMPANION_TABLES"], folder)
    game = folder / "tiny" / "game.toml"
    game.write_text(game.read_text() + '\n[hooks]\nstart = "os.system"\n')
    monkeypatch.setenv("COMPANION_TABLES", str(folder))
    found = companion("tables", "check", "tiny")
    assert found.code == 4 and "hooks" in found.out + found.err

"""What a player or a file can do wrong: a message of one or two lines, the contract's code, and nothing lost."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from companion.session.store import Archive
from tests.cli.conftest import Run
from tests.support import tiny

ROOT = Path(__file__).parents[2]
WRONG = [
    pytest.param(["new", "chess"], 2, "no game 'chess'", id="game"),
    pytest.param(["new", "tiny", "--scenario", "dusk"], 2, "no scenario 'dusk'", id="scenario"),
    pytest.param(["new", "tiny", "--option", "speed=1"], 2, "no option 'speed'", id="option"),
    pytest.param(["new", "tiny", "--option", "length"], 2, "is not an option", id="option without value"),
    pytest.param(["new", "tiny", "--option", "length=x"], 2, "no choice for 'length' 'x'", id="choice"),
    pytest.param(["new", "tiny", "--option", "length=short", "--option", "length=long"], 2, "given twice", id="option twice"),
    pytest.param(["new", "tiny", "--dice", "loaded"], 2, "no way to roll 'loaded'", id="hand"),
    pytest.param(["new", "tiny", "--name", "monday"], 2, "already a session 'monday'", id="name"),
    pytest.param(["new"], 2, "which game?", id="no game"),
    pytest.param(["do", "fly"], 2, "no action 'fly'", id="action"),
    pytest.param(["do"], 2, "Missing argument 'ACTION'", id="no action"),
    pytest.param(["do", "march", "whom=red"], 2, "not asked for: whom=red", id="key"),
    pytest.param(["do", "march", "green", "ford"], 2, "no such thing 'green'", id="unit"),
    pytest.param(["do", "march", "red", "ford", "--dice", "7"], 2, "a d6 shows no 7", id="die of 7"),
    pytest.param(["do", "fight", "blue", "--dice", "3"], 2, "2 dice needed, and 1 die is left", id="too few dice"),
    pytest.param(["do", "march", "red", "ford", "--dice", "1,2"], 2, "1 die", id="too many dice"),
    pytest.param(["do", "march", "red", "ford", "--dice", "x"], 2, "is not a roll", id="no dice"),
    pytest.param(["do", "march", "red", "ford", "--dice", "1", "--draw", "gold"], 2, "draw gold", id="draw left over"),
    pytest.param(["do", "search", "--draw", "silver"], 2, "no counter", id="unknown counter"),
    pytest.param(["answer", "yes"], 2, "no question is open", id="nothing asked"),
    pytest.param(["undo"], 1, "nothing to take back", id="undo"),
    pytest.param(["undo", "0"], 2, "0 is less than 1", id="undo 0"),
    pytest.param(["undo", "x"], 2, "'x' is no whole number", id="undo x"),
    pytest.param(["show", "s"], 2, "'s' could be", id="ambiguous"),
    pytest.param(["log", "--wrong"], 2, "No such option", id="flag"),
    pytest.param(["dance"], 2, "no command 'dance'", id="command"),
    pytest.param(["status", "--session", "tuesday"], 2, "no session 'tuesday'", id="session"),
    pytest.param(["play"], 2, "play needs a terminal", id="play under a pipe"),
    pytest.param(["completions", "tcsh"], 2, "no shell 'tcsh'", id="shell"),
    pytest.param(["printed", "tiny", "burn"], 2, "no command for printed facts 'burn'", id="printed"),
    pytest.param(["printed", "tiny", "set", "depth:north", "99"], 2, "outside 1 to 9", id="printed value"),
    pytest.param(["printed", "tiny", "set", "colour", "red"], 2, "no printed fact 'colour'", id="printed key"),
    pytest.param(["printed", "tiny", "set", "weather"], 2, "takes a key and a value", id="printed set"),
    pytest.param(["printed", "tiny", "import", "none.toml"], 4, "No such file", id="import"),
    pytest.param(["printed", "tiny", "list", "more"], 2, "no more words", id="printed list"),
    pytest.param(["printed", "tiny", "export", "a.toml", "b.toml"], 2, "printed ... export takes one file", id="export twice"),
    pytest.param(["printed", "tiny", "export", "--anyway"], 2, "no meaning for printed ... export", id="export anyway"),
    pytest.param(["printed", "tiny", "list", "--anyway"], 2, "no meaning for printed ... list", id="list anyway"),
    pytest.param(["printed", "tiny", "import", "anyway", "anyway"], 2, "takes one file", id="anyway is a word like others"),
    pytest.param(["bundle", "--restore"], 2, "restore which file?", id="restore"),
    pytest.param(["adjust", "moon", "3", "--why", "x"], 2, "no track or piece 'moon'", id="adjust"),
]


@pytest.mark.parametrize(("words", "code", "message"), WRONG)
def test_a_fault_has_its_message_and_code_and_changes_nothing(begun: Run, words: list[str], code: int, message: str) -> None:
    before = begun("status", "--json").stdout
    result = begun(*words, code=code)

    assert message in result.stderr
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) <= 3
    assert begun("status", "--json").stdout == before


@pytest.mark.parametrize(
    ("words", "code", "message"), [case for case in WRONG if case.values[0][0] not in ("play", "completions")]
)
def test_with_json_a_fault_is_one_document_and_still_a_message(begun: Run, words: list[str], code: int, message: str) -> None:
    result = begun(*words, "--json", code=code)
    body = json.loads(result.stdout)

    assert body["exit"] == code
    assert message in body["error"]["message"] + body["error"]["cure"]
    assert message in result.stderr


def test_the_cure_stands_on_a_line_of_its_own(begun: Run) -> None:
    assert begun("do", "fly", code=2).stderr.splitlines() == [
        "no action 'fly'",
        "  You can name: march, fight, search, scout, rest, fire, stop, peek, roam",
    ]


def test_a_broken_chart_is_told_with_all_its_faults(begun: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    shutil.copytree(tiny.TABLES, tmp_path / "tables")
    chart = tmp_path / "tables" / "tiny" / "charts" / "find.toml"
    chart.write_text(chart.read_text().replace("die =", "dye =").replace("rule =", "rool ="))
    monkeypatch.setenv("COMPANION_TABLES", str(tmp_path / "tables"))
    result = begun("tables", "check", code=4)
    body = json.loads(begun("tables", "check", "--json", code=4).stdout)

    assert "charts/find.toml" in result.stderr
    assert len(body["error"]["faults"]) >= 3
    assert "find.toml" in begun("chart", "tiny", "find", code=4).stderr


def test_a_malformed_file_of_printed_facts_tells_all_faults(begun: Run, tmp_path: Path) -> None:
    path = tmp_path / "facts.toml"
    path.write_text('game = "tiny"\n[facts]\n"depth:north" = 3\n"colour" = "red"\n"weather" = "mild"\n')
    result = begun("printed", "tiny", "import", str(path), code=4)

    assert [word for word in ("depth:north", "colour", "weather") if word not in result.stderr] == []
    assert json.loads(begun("printed", "tiny", "--json").stdout)["facts"] == {}


def test_files_that_cannot_be_read_or_written(begun: Run, tmp_path: Path) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    large = tmp_path / "large"
    large.write_bytes(b"#" * 1_100_000)

    assert "not UTF-8" in begun("printed", "tiny", "import", str(binary), code=4).stderr
    assert "larger than" in begun("printed", "tiny", "import", str(large), code=4).stderr
    assert "No such file or directory" in begun("bundle", str(tmp_path / "no" / "where"), code=2).stderr


def test_a_file_that_is_no_archive(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("dear owner, " * 100)

    assert "no Companion archive" in run("status", "--db", str(path), code=4).stderr
    assert path.read_text().startswith("dear owner")


@pytest.mark.skipif(os.name == "nt", reason="rights are another matter there")
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_read_only_archive_can_be_looked_at(begun: Run, tmp_path: Path) -> None:
    path = Path(os.environ["COMPANION_DB"])
    path.chmod(0o444)

    assert "Supply 8" in begun("status").stdout
    assert "read-only" in begun("do", "rest", code=4).stderr


def test_an_archive_that_another_program_holds(begun: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.session.database.LOCK_TIMEOUT", 0.01)
    with sqlite3.connect(os.environ["COMPANION_DB"], isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        result = begun("do", "rest", code=4)
        other.execute("ROLLBACK")
    other.close()

    assert "another program holds the archive" in result.stderr
    assert json.loads(begun("status", "--json").stdout)["entry"] == 1


def test_an_entry_that_the_rules_no_longer_understand_can_be_taken_back(begun: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    begun("do", "fight", "blue", code=3)

    async def changed(referee: tiny.Ford) -> None:
        await referee.number("height", "How high", "2.2", 1, 9)

    monkeypatch.setattr(tiny.Ford, "fight", changed)

    assert "asks 'How high' where it used to ask 'unit'" in begun("status").stdout
    assert "take the action back" in begun("do", "rest", code=4).stderr
    begun("undo")
    begun("do", "rest")


def test_a_fault_in_the_rules_is_told_without_a_traceback(begun: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(referee: tiny.Ford) -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr(tiny.Ford, "rest", broken)
    result = begun("do", "rest", code=70)

    assert "a fault in Companion itself: ZeroDivisionError: by nothing (tests/cli/test_user_errors.py line" in result.stderr
    assert "Traceback" not in result.output
    assert json.loads(begun("status", "--json").stdout)["entry"] == 1


def test_control_characters_never_reach_the_screen(begun: Run) -> None:
    begun("note", "look \x1b[31mred\x07 here")
    begun("do", "march", "red", "ford\x1b[2J", "--dice", "1")

    for words in (["log"], ["show", "places"], ["report"], ["why"], ["log", "--json"]):
        assert not set(begun(*words).stdout) & {"\x1b", "\x07"}, words


def test_a_reader_that_has_gone_is_no_fault(begun: Run) -> None:
    """``companion log | head -1`` ends in silence."""
    code = "import sys; sys.argv = ['companion', 'games', 'tiny']; from tests.support import with_tiny; with_tiny.main()"
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        told = child.stderr.read()

    assert (child.returncode, told) == (74, b"")


def test_what_a_command_opened_is_closed(begun: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = []
    close = Archive.close
    monkeypatch.setattr(Archive, "close", lambda self: (closed.append(self), close(self)))
    begun("status")
    begun("do", "fly", code=2)

    assert len(closed) >= 2

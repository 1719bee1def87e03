"""Two processes run a command each on one archive at once: each succeeds or is refused, and nothing acknowledged is lost."""

from __future__ import annotations

import json
import os
import shutil
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

from companion.cli.shell.catalog import COMMANDS
from companion.games import GAMES
from companion.session.store import Archive
from tests.support.commands import companion
from tests.support.processes import in_child
from tests.support.trusted import ask_to_undo

SHARE = "1" * 64
WRITING = {
    "do": "do rest --session first",
    "do, with a question": "do march Red --session third",
    "answer": "answer yes --session second",
    "undo": "undo --session first",
    "undo --reply": "undo --reply --session second",
    "redo": "redo --session third",
    "abort": "undo --session second",
    "amend": "amend 2.2 hill-1 --session first",
    "share": f"share {SHARE} --at 2.3 --seat blue --session fourth",
    "consent": "consent yes --session fifth",
    "adjust": "adjust supply 3 --why seen --session first",
    "note": "note text-of-NAME --session first",
    "new": "new tiny --seed 7 --name new-NAME",
    "branch": "branch branch-NAME --session first",
    "use": "use third",
    "practice": "practice tiny --seed 1",
    "quick battle": "do duel --game tiny 2",
    "printed set": "printed tiny set depth:north 4",
    "printed import": "printed tiny import facts.toml",
    "printed forget": "printed tiny forget depth:south",
    "map tell": "map tiny tell 'camp marsh; paths ford'",
    "config": "config theme dark",
    "bundle": "bundle bundle-NAME.json --session first",
    "bundle --restore": "bundle --restore bundle.json",
    "backup": "backup backup-NAME.sqlite3",
    "backup, one file": "backup backup.sqlite3",
    "doctor": "doctor",
    "doctor --repair": "doctor --repair repaired-NAME.sqlite3",
    "doctor --repair, one file": "doctor --repair repaired.sqlite3",
    "simulate": "simulate tiny --policy random --seed s --games 2 --out games-NAME.csv",
    "review": "review first --level quick",
    "report": "report --out report-NAME.md --session first",
}
"""Commands that write an archive, or a file from it. NAME is the name of the process."""
READING = {
    *(
        "play",
        "show",
        "watch",
        "status",
        "audit",
        "log",
        "why",
        "help",
        "roll",
        "rule",
        "chart",
        "games",
        "summary",
        "bot",
        "odds",
    ),
    *("luck", "stats", "drill", "sessions", "completions", "game", "serve", "mcp", "host", "verify", "schema", "tables"),
}
"""Commands that write no archive, or only by the others; the answers of `drill` are in a file of their own."""
QUICK = (
    ("do", "answer"),
    ("do", "undo"),
    ("amend", "adjust"),
    ("note", "doctor --repair"),
    ("new", "bundle --restore"),
    ("backup, one file", "backup, one file"),
    ("branch", "note"),
)
PAIRS = [
    pytest.param(one, other, id=f"{one} and {other}", marks=() if (one, other) in QUICK else pytest.mark.long)
    for one, other in (*QUICK, *(pair for pair in combinations_with_replacement(WRITING, 2) if pair not in QUICK))
]
REPEATS = 3


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("template")


@pytest.fixture
def folder(tiny_game: str, tmp_path: Path, template: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An archive of five sessions.

    The second has an open question, the third an action undone, the fourth a roll that waits for a share, and in the fifth the
    host is asked for its consent.
    """
    monkeypatch.setitem(GAMES, "tiny", "tests.support.tiny_haggle")
    if not os.listdir(template):
        monkeypatch.chdir(template)
        monkeypatch.setenv("COMPANION_DB", str(template / "archive.sqlite3"))
        for name in ("first", "second", "third"):
            assert companion("new", "tiny", "--seed", "7", "--name", name).code == 0
            companion("do", "march", "Red", "ford")
            companion("do", "rest")
        companion("undo", "--session", "third")
        assert companion("do", "fight", "Blue", "--session", "second").code == 3
        for name in ("fourth", "fifth"):
            assert companion("new", "tiny", "--name", name, "--dice", "trusted").code == 0
            assert companion("do", "fight", "Blue").code == 3
        ask_to_undo("blue")
        companion("use", "third")
        companion("printed", "tiny", "set", "depth:south", "2")
        companion("bundle", "bundle.json", "--session", "first")
        Path("facts.toml").write_text('game = "tiny"\n[facts]\n"depth:north" = "3"\n', encoding="utf-8")
    return template


def run(line: str, name: str, folder: Path) -> list[str]:
    import shlex

    os.chdir(folder)
    os.environ["COMPANION_DB"] = str(folder / "archive.sqlite3")
    os.environ["COMPANION_CONFIG"] = str(folder / "config.toml")
    result = companion(*shlex.split(line.replace("NAME", name)))
    return [json.dumps(result)]


def rows(folder: Path) -> dict[str, list[Any]]:
    """The log of each session."""
    with Archive.open(str(folder / "archive.sqlite3")) as archive:
        return {
            info.name: [[row.kind, row.entry, dict(row.body)] for row in archive.rows(info.id)] for info in archive.sessions()
        }


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_two_writing_commands_at_once_lose_nothing(folder: Path, tmp_path: Path, one: str, other: str) -> None:
    before = rows(folder)
    for repeat in range(REPEATS):
        place = tmp_path / str(repeat)
        shutil.copytree(folder, place)
        lines = WRITING[one], WRITING[other]
        results = [
            json.loads(text)
            for text in in_child(lambda: run(lines[0], "left", place), lambda: run(lines[1], "right", place))  # noqa: B023
        ]
        check(place, before, lines, results)


def check(place: Path, before: dict[str, list[Any]], lines: tuple[str, str], results: list[Any]) -> None:
    for line, (code, out, err) in zip(lines, results, strict=True):
        what = f"{lines}: {line}: {code} {out[-300:]} {err}"
        assert "Traceback" not in out + err and code in (0, 1, 2, 3, 4), what
        if code in (1, 2, 4):
            assert 0 < len(err.splitlines()) <= 4, what
            assert "a fault in" not in err, what
    after = rows(place)
    for name, log in before.items():
        assert after[name][: len(log)] == log, (lines, name)
    for line, name, (code, _, _) in zip(lines, ("left", "right"), results, strict=True):
        if code in (0, 3):
            assert is_kept(place, line.replace("NAME", name), before, after), (lines, line, name, results)
    for end in ("", "-practice"):
        file = place / f"archive{end}.sqlite3"
        assert not file.exists() or companion("doctor", "--db", str(file)).code == 0, lines
    left = [path.name for path in place.iterdir() if ".part" in path.name or path.name.endswith("-journal")]
    assert left == [], lines


def is_kept(place: Path, line: str, before: dict[str, list[Any]], after: dict[str, list[Any]]) -> bool:
    """True if what a command acknowledged is in the files."""
    words = line.split()
    if words[0] in ("do", "answer", "share", "consent", "undo", "redo", "amend", "adjust", "note") and "--game" not in words:
        new = after[words[-1]][len(before[words[-1]]) :]
        if words[0] == "note":
            return any(row[2].get("text") == words[1] for row in new)
        return bool(new)
    if words[0] in ("new", "branch"):
        return words[-1 if words[0] == "new" else 1] in after
    if words[:2] == ["bundle", "--restore"] or "--game" in words:
        return len(after) > len(before)
    if words[0] in ("backup", "bundle") or words[:2] == ["doctor", "--repair"] or "--out" in words:
        file = words[1] if words[0] in ("backup", "bundle") else words[words.index("--out") + 1] if "--out" in words else words[2]
        if not file.endswith(".sqlite3"):
            return (place / file).exists()
        return companion("doctor", "--db", str(place / file)).code == 0
    if words[0] == "practice":
        return (place / "archive-practice.sqlite3").exists()
    return True


def test_every_command_that_writes_is_paired() -> None:
    assert {line.split()[0] for line in WRITING.values()} | READING == set(COMMANDS)

"""companion report: where it is written, and what is said of what cannot be told."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.support.commands import companion


def test_it_goes_into_a_file_that_is_not_there_yet(begun: Run, tmp_path: Path) -> None:
    begun("do", "rest")
    path = tmp_path / "game.md"

    assert begun("report", "--out", os.fspath(path)).stdout.split() == ["Written:", os.fspath(path)]
    assert path.read_text().startswith("# The Ford: By day\n")
    refused = begun("report", "--out", os.fspath(path), code=2).stderr
    assert "exists already" in refused and "--force" in refused
    path.write_text("old")
    begun("report", "--out", os.fspath(path), "--force", "--brief")
    assert "## The log" not in path.read_text()


def test_the_ending_of_the_file_names_the_form(begun: Run, tmp_path: Path) -> None:
    begun("do", "rest")
    path = tmp_path / "game.json"
    told = json.loads(begun("report", "--out", os.fspath(path), "--json").stdout)

    assert told["file"] == os.fspath(path)
    assert json.loads(path.read_text()) == json.loads(begun("report", "--json").stdout)


def test_a_folder_gets_the_pictures_as_files(begun: Run, tmp_path: Path) -> None:
    for _ in range(2):
        begun("do", "rest")
    folder = f"{tmp_path / 'game'}{os.sep}"
    told = begun("report", "--out", folder).stdout
    text = (tmp_path / "game" / "report.md").read_text()
    pictures = re.findall(r"!\[.+?\]\((.+?)\)", text)

    assert " ".join(told.split()) == f"Written: {tmp_path / 'game' / 'report.md'}"
    assert pictures and sorted(pictures) == sorted(path.name for path in (tmp_path / "game").glob("*.svg"))
    assert "holds plot-1.svg already\n  Name another, or add --force" in begun("report", "--out", folder, code=2).stderr
    begun("report", "--out", folder, "--force")


def test_a_post_has_the_tags_of_its_forum(begun: Run) -> None:
    begun("do", "rest")
    text = begun("report", "--format", "bbcode").stdout

    assert text.startswith("[size=20][b]The Ford: By day[/b][/size]\n") and "[c]Item" in text and "[o]" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--out", "/nowhere/at/all.md"), "No such file or directory"),
        (("--out", "/dev/null/folder/"), "Not a directory"),
        (("--brief", "--full"), "exclude each other"),
        (("--from", "7"), "the session has no turn 7"),
        (("--format", "pdf"), "no format 'pdf'"),
    ],
)
def test_what_cannot_be_written_is_said_with_its_cure(begun: Run, words: tuple[str, ...], said: str) -> None:
    begun("do", "rest")

    told = begun("report", *words, code=2)
    assert said in told.stderr and "\n  " in told.stderr and told.stdout == ""


def test_a_session_without_actions_has_no_story_yet(begun: Run) -> None:
    assert "nothing has been played in session monday yet\n  Begin: companion do ACTION" in begun("report", code=2).stderr
    assert json.loads(begun("report", "--json").stdout)["chapters"] == []


def test_a_log_of_a_later_version_is_told_as_such(begun: Run) -> None:
    begun("do", "rest")
    with closing(sqlite3.connect(os.environ["COMPANION_DB"])) as file, file:
        ((session, seq),) = file.execute("select session_id, max(seq) from log group by session_id")
        row = (session, seq + 1, "dream", 2, "{}", "2026-03-01T20:00:00Z")
        file.execute("insert into log (session_id, seq, kind, entry, body, at) values (?, ?, ?, ?, ?, ?)", row)

    told = begun("report", code=4)
    assert "of an unknown kind 'dream'" in told.stderr and "A newer Companion wrote this; update" in told.stderr


def test_the_rolls_of_luck_as_csv_end_well(tiny_game: str) -> None:
    """A row of heads, a row a roll, and the exit code of success."""
    companion("new", "tiny", "--scenario", "day", "--seed", "7", "--name", "monday")

    result = companion("luck", "--csv")

    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines()[0].startswith("session,")

"""What TAB offers in a shell."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli.shell.completion import SHELL_FILES, split_bash
from companion.cli.shell.completion import complete as complete_with
from companion.cli.shell.completion_values import lookup
from companion.cli.shell.fast import fast
from tests.cli.conftest import Run

ROOT = Path(__file__).parents[2]


def complete(request: list[str]) -> list[str]:
    return complete_with(request, lookup)


def words(*request: str) -> list[str]:
    """The candidates for words, without the help on them."""
    return [line.partition("\t")[0] for line in complete(["zsh", *request])]


def test_commands_and_options(only_tiny: str) -> None:
    assert words("st") == ["status", "stats"]
    assert {"do", "answer", "new"} <= set(words(""))
    own = ["--undone", "--last", "--since", "--grep", "--plot", "--follow", "--seat"]
    assert words("log", "--") == [*own, "--session", "--db", "--json", "--theme", "--plain", "--help"]
    assert words("nonsense", "") == []
    assert words("status", "") == []
    assert complete(["zsh", "statu"]) == ["status\tShow where play is and the open question"]


def test_fixed_words(only_tiny: str) -> None:
    assert words("new", "t") == ["tiny"]
    assert words("new", "tiny", "--dice", "") == ["computer", "physical", "trusted"]
    assert words("new", "tiny", "--dice=") == ["--dice=computer", "--dice=physical", "--dice=trusted"]
    assert words("do", "x", "--dice", "") == []
    assert words("report", "--format", "") == ["md", "html", "bbcode", "json"]
    assert words("printed", "tiny", "f") == ["fill", "forget"]
    assert words("tables", "") == ["check"]
    assert words("completions", "") == ["bash", "zsh", "fish"]


def test_words_of_a_game(only_tiny: str) -> None:
    assert words("rule", "tiny", "2.") == ["2.1", "2.2", "2.3", "2.4"]
    assert words("chart", "tiny", "") == ["find"]
    assert words("chart", "tiny", "find", "--on", "") == ["1-3", "4-5", "6"]
    assert words("odds", "tiny", "") == ["round", "attack", "bag"]
    assert words("new", "tiny", "--scenario", "") == ["day", "night"]
    assert words("new", "tiny", "--option", "l") == ["length="]
    assert words("new", "tiny", "--option", "length=") == ["length=short", "length=long"]
    assert words("printed", "tiny", "set", "d") == ["depth:north", "depth:south"]
    assert words("do", "--game", "tiny", "") == ["duel"]


def test_words_of_the_session_in_play(begun: Run) -> None:
    begun("do", "march", "unit=red", "to=ford", "--dice", "6")
    begun("do", "fight", "blue", code=3)

    assert words("do", "f") == ["fight", "fire"]
    assert words("do", "march", "") == ["Blue", "Red", "unit=", "to=", "toll="]
    assert words("do", "march", "to=fo") == ["to=ford"]
    assert words("answer", "") == ["yes", "no", "go on="]
    assert words("answer", "go on=") == ["go on=yes", "go on=no"]
    assert words("use", "") == ["monday"]
    assert words("status", "--session", "m") == ["monday"]
    assert {"supply", "camp", "Red", "score"} <= set(words("show", ""))
    assert {"supply", "Blue"} <= set(words("adjust", ""))
    assert "ford" in words("adjust", "red", "")
    assert words("sho", "sup") == words("show", "sup") == ["supply"]
    assert "supply=" in words("audit", "s")
    assert words("why", "") == ["3", "2", "1"]
    assert words("undo", "--to", "") == ["3", "2", "1"]
    assert "2.2" in words("amend", "")


def test_an_action_offers_what_it_asks_next(begun: Run) -> None:
    """The legal answers and no others; of a list also the next one. What is rolled first tells nothing at a TAB."""
    assert words("do", "fight", "unit=") == ["unit=Red", "unit=Blue"]
    assert words("do", "fight", "unit=b") == ["unit=Blue"]
    assert words("do", "fight", "unit=Red,") == []
    assert words("do", "march", "unit=Red", "") == ["to="]
    assert words("do", "roam", "to=") == ["to=camp", "to=ford", "to=hill-1", "to=hill-2"]
    assert words("do", "roam", "how=") == []
    assert words("do", "fight", "red", "") == ["strength:Red="]
    assert words("do", "scout", "") == []
    assert words("odds", "tiny", "round", "") == ["mine="]
    assert words("odds", "tiny", "attack", "strength:Red=2", "") == []
    assert words("odds", "tiny", "bag", "") == []


def test_files_are_left_to_the_shell_where_one_is_meant_and_nowhere_else(begun: Run) -> None:
    for line in (
        ["bundle", "f"],
        ["log", "--db=f"],
        ["doctor", "--repair", ""],
        ["printed", "tiny", "import", ""],
        ["log", "--db", ""],
        ["report", ">", "f"],
    ):
        assert words(*line) == [SHELL_FILES], line
    for line in (["note", ""], ["new", "tiny", "--option", "length=x"], ["printed", "tiny", "list", ""], ["roll", ""]):
        assert words(*line) == [], line
    begun("printed", "tiny", "set", "depth:north", "4")
    assert words("printed", "tiny", "forget", "") == ["depth:north"]


def test_a_draw_offers_what_the_cup_holds(run: Run) -> None:
    run("new", "tiny", "--draws", "physical")
    run("do", "search", code=3)

    assert words("answer", "--draw", "") == ["Gold", "Stone"]


def test_completion_never_fails(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert fast(["--complete", "zsh", "answer", ""]) == 1
    assert fast(["--complete"]) == 0
    assert capsys.readouterr().err == ""


def test_for_bash_the_line_is_cut_as_bash_cuts_it(only_tiny: str) -> None:
    assert complete(["bash", "companion new tiny --option length=s"]) == ["short"]
    assert complete(["bash", "companion printed tiny set depth:"]) == ["north", "south"]
    assert complete(["bash", "companion st"]) == ["status", "stats"]


def test_words_with_blanks_are_escaped_for_bash(begun: Run) -> None:
    begun("adjust", "new:unit:Old Guard", "camp", "--why", "test")

    assert complete(["bash", "companion show Old"]) == ["Old\\ Guard"]
    assert complete(["bash", "companion show 'Old"]) == ["Old Guard"]


@pytest.mark.parametrize(
    ("line", "parts", "cut", "quoted"),
    [
        ("a b", ["a", "b"], 0, False),
        ("a ", ["a", ""], 0, False),
        ("a 'b c", ["a", "b c"], 0, True),
        ('a "b c" d\\ e', ["a", "b c", "d e"], 0, False),
        ("", [""], 0, False),
        ("a b=c", ["a", "b=c"], 2, False),
        ('a "b=c d', ["a", "b=c d"], 0, True),
        ('a b="c d', ["a", "b=c d"], 2, True),
        ('a b="c d",e', ["a", "b=c d,e"], 5, False),
    ],
)
def test_a_line_is_cut_as_a_shell_cuts_it(line: str, parts: list[str], cut: int, quoted: bool) -> None:
    assert split_bash(line) == (parts, cut, quoted)


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_the_script_works_in_bash(only_tiny: str, tmp_path: Path) -> None:
    """The function that the script defines fills COMPREPLY from the program."""
    program = tmp_path / "companion"
    program.write_text(f'#!/bin/sh\ncd "{ROOT}" && exec "{sys.executable}" -m tests.support.with_tiny "$@"\n')
    program.chmod(0o755)
    script = (
        f'PATH="{tmp_path}:$PATH"; source "{ROOT}/completions/companion.bash"; '
        "COMP_LINE='companion new tiny --scenario n'; COMP_POINT=${#COMP_LINE}; _companion; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)

    assert result.stdout == "night\n"


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_scripts_of_the_other_shells_are_read_without_fault(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")
    subprocess.run([shell, "-n", str(ROOT / "completions" / f"companion.{shell}")], check=True)


def test_a_question_is_found_behind_notes_and_after_an_undo(begun: Run) -> None:
    """Whether one is open is seen by the last row of the log where that is enough, and worked out where it is not."""
    begun("do", "rest")
    begun("note", "a pause")
    assert words("answer", "") == []
    begun("do", "fight", "blue", code=3)
    begun("note", "another")
    asked = words("answer", "")
    begun("undo")
    assert words("answer", "") == []
    begun("do", "fight", "blue", code=3)
    assert words("answer", "") == asked
    assert asked


def test_the_documents_of_the_schema_are_offered(run: Run) -> None:
    assert words("schema", "ste") == ["step"]
    assert "error" in words("schema", "")

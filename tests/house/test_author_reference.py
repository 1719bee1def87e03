"""The reference for authors: its examples are run, its game passes its tests, its tables leave out no method of a referee.

That its commands print what is shown, and that its tables are up to date, is tested with all pages: test_readme.py.
"""

from __future__ import annotations

import doctest
import os
import re
import sys
from pathlib import Path

import pytest

from companion.core import limits
from companion.core.referee import Referee
from companion.session.plugins import PLUGIN_PACKAGE
from companion.session.rule_checks import rule_faults
from companion.session.state import load_game
from companion.testing.table import Table, game_of
from tests.support.author_tables import LEFT_OUT, LISTINGS
from tests.support.commands import companion
from tests.support.pages import DOCS, groups, put_down

PAGE = DOCS / "authors.md"
TEXT = PAGE.read_text(encoding="utf-8")


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the game of the page."""
    folder = tmp_path / "games"
    monkeypatch.setenv("COMPANION_GAMES", os.fspath(folder))
    for shown in (shown for group in groups(PAGE) for shown in group if re.match(r"\w+ games/", shown.command)):
        put_down(shown)
    return folder


def test_examples_of_the_reference_print_what_is_shown(games: Path) -> None:
    """All of them in one session at Python's prompt, in the order of the page."""
    examples = "\n".join(re.findall(r"```pycon\n(.*?)```", TEXT, re.S))
    test = doctest.DocTestParser().get_doctest(examples, {}, "authors.md", os.fspath(PAGE), 0)
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF).run(test, out=report.append)
    assert result.attempted > 60 and result.failed == 0, "".join(report)


@pytest.mark.parametrize("topic", ["authors", "a-game-of-your-own"])
def test_files_can_be_cut_out_of_the_piped_page(topic: str) -> None:
    """`companion help TOPIC | cat` shows each file as it is in the page, between fences, with no row broken."""
    fenced = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.S | re.M)
    piped = re.compile(r"^(?:Changes of )?(games/\S+):\n```\w+\n(.*?)^```$", re.S | re.M)
    shown = piped.findall(companion("help", topic).out)
    page = (DOCS / f"{topic}.md").read_text(encoding="utf-8")
    assert shown == fenced.findall(re.sub(r" +$", "", page, flags=re.M))
    for name, text in shown:
        if name.endswith(".py") and not text.startswith((" ", "-", "+", "@@")):
            compile(text, name, "exec")


def test_game_of_the_reference_passes_its_tests(games: Path) -> None:
    assert rule_faults(load_game("ford")) == []
    game_of.__globals__["_GAMES"].clear()
    code = compile((games / "ford" / "tests" / "test_ford.py").read_text(), "test_ford.py", "exec")
    names: dict[str, object] = {}
    exec(code, names)
    tests = [function for name, function in names.items() if name.startswith("test_")]
    assert len(tests) == 8
    for test in tests:
        test(Table("ford", "raid"))  # type: ignore[operator]
    for name in [name for name in sys.modules if name.startswith(f"{PLUGIN_PACKAGE}.")]:
        del sys.modules[name]


def test_questions_with_one_legal_answer_are_not_among_those_asked(games: Path) -> None:
    game_of.__globals__["_GAMES"].clear()
    table = Table("ford", "raid")
    for squad in ("Ash", "Birch"):
        table.do("move", f"squad={squad}", "to=Hill")
    table.do("move", "to=Hill")
    assert table.asked_for() == ["to"] and [request.key for request in table.asked] == ["squad", "to"]


def test_every_public_method_of_a_referee_is_in_a_table() -> None:
    listed = {name for listing in LISTINGS if listing.source is Referee for name in listing.members}
    public = {name for name, member in vars(Referee).items() if callable(member) and not name.startswith("_")}
    assert public == listed | LEFT_OUT and not listed & LEFT_OUT


def test_every_call_in_the_tables_has_a_description() -> None:
    """Each row of the page says something, and the limits are those of the program."""
    assert not re.findall(r"^\| `[^`]+` \| +\|$", TEXT, re.M)
    for most in (limits.ACTION_CHANGES, limits.ACTION_QUESTIONS, limits.PATH_ROLLS):
        assert f"| {most:,} |" in TEXT
    assert f"| {limits.RULE_SECONDS}; at the table" in TEXT


def test_the_introduction_sends_there() -> None:
    page = (DOCS / "a-game-of-your-own.md").read_text(encoding="utf-8")
    assert "`companion help authors`" in page and "A game can have a map" in page

"""What the author of a game meets before it is right: the check of tables, and faults of its rules."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.support import tiny


@pytest.fixture
def sixth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the made-up game's tables under a name that is in no list of games."""
    folder = tmp_path / "tables" / "convoy"
    shutil.copytree(os.path.join(tiny.TABLES, "tiny"), folder)
    monkeypatch.setenv("COMPANION_TABLES", os.fspath(folder.parent))
    return folder


def test_tables_are_checked_before_there_is_a_game(only_tiny: str, sixth: Path, run: Run) -> None:
    """The first thing that an author has is the tables: they are checked by name."""
    assert run("tables", "check", "conv").stdout == "convoy: no fault\n"
    rules = sixth / "rules.toml"
    rules.write_text(rules.read_text().replace('handling = "automated"', 'handling = "automatic"', 1))

    faults = json.loads(run("tables", "check", "convoy", "--json", code=4).stdout)["error"]["faults"]
    assert faults == ["convoy/rules.toml: rule 1.1.handling: 'automatic' is none of automated, asked, reminder, board, none"]


def rest(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Other lines for a rule of the made-up game, as if they stood in its file from the second line on."""
    source = "\n    ".join(("async def rest(self):", *lines))
    made: dict[str, Any] = {}
    exec(compile(source, tiny.__file__, "exec"), vars(tiny), made)
    monkeypatch.setattr(tiny.Ford, "rest", made["rest"])


def test_a_fault_of_the_rules_names_the_game_the_file_and_the_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The innermost line of the game itself, also where something of the core failed; and what became of the command."""
    rest(monkeypatch, "self.turn()", "self.move('nobody#9', 'ford', '2.1')")
    run("new", "tiny")
    failed = run("do", "rest", code=70).stderr

    assert "a fault in the rules of tiny: there is no piece 'nobody#9' (tests/support/tiny.py line 3)" in " ".join(failed.split())
    assert "What was done before it is saved" in failed
    assert json.loads(run("status", "--json").stdout)["position"]["tracks"]["turn"] == 0


def test_a_forgotten_await_is_a_fault_and_not_only_a_warning(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The question would be skipped, and the rest of the rule be carried out."""
    rest(monkeypatch, "self.turn()", "self.number('lamps', 'How many lamps', '2.4', 0, 3)", "self.turn()")
    run("new", "tiny")
    failed = " ".join(run("do", "rest", code=70).stderr.split())

    assert "a fault in the rules of tiny: a request was used without await: write 'await referee.number(...)'" in failed
    assert "(tests/support/tiny.py line 3)" in failed
    assert json.loads(run("status", "--json").stdout)["position"]["tracks"]["turn"] == 0


def test_a_slip_of_grammar_is_told_with_its_place(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A module that cannot be read at all."""
    package = tmp_path / "convoy_rules.py"
    package.write_text("def make(tables):\n    return (\n")
    monkeypatch.syspath_prepend(tmp_path)
    from companion.games import GAMES

    monkeypatch.setitem(GAMES, "tiny", "convoy_rules")
    failed = run("new", "tiny", code=70).stderr

    assert "a fault in the rules of tiny: SyntaxError: '(' was never closed (convoy_rules.py line 2)" in " ".join(failed.split())

"""What is told to the author of a sixth game is so: the keys of the data files, the template, the steps."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from companion.core import charts
from companion.session import checking

ROOT = Path(__file__).parents[2]
TOLD = (ROOT / "companion" / "docs" / "own_game.md").read_text()

KEYS = {
    "`game.toml`": {*checking._HEAD, *checking._HEAD_MAY, *checking._TRACK, *checking._TRACK_MAY},
    "`rules.toml`": {*checking._RULE, *checking._RULE_MAY},
    "`rulings.toml`": {*checking._RULING, *checking._RULING_MAY},
    "`charts/ID.toml`": set(charts._KEYS),
}


@pytest.mark.parametrize("file", KEYS)
def test_every_key_of_a_file_is_described_and_no_other(file: str) -> None:
    """What the loader takes, one row of a table each."""
    section = TOLD.partition(f"### {file}")[2].partition("\n### ")[0]

    assert set(re.findall(r"^\| `(\w+)` \|", section, re.M)) == KEYS[file]


def test_every_handling_of_a_rule_is_told() -> None:
    row = next(line for line in TOLD.splitlines() if line.startswith("| `handling` |"))

    assert re.findall(r"`(\w+)`", row)[1:] == list(checking.HANDLINGS)


def test_files_and_commands_that_are_named_are_there() -> None:
    """The template, and everything else that an author is sent to."""
    for name in re.findall(r"`((?:tests|companion)/[\w./]+)`", TOLD):
        assert "GAME" in name or (ROOT / name).exists(), name


def test_the_template_passes_the_type_checker() -> None:
    """Copied into a game's folder, it is no worse than the rest: mypy looks at it whenever it looks at the package."""
    checked = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["files"]

    assert {"companion", "tests/support/tiny.py"} <= set(checked)

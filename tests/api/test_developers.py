"""The examples of the page for developers: each is a program of its own, and prints what is shown below it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.test_readme import fits

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "companion" / "docs" / "developers.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^## (.*?)$|```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.M | re.S)
MANY = "200, "
"""Games of the example that takes longest; the quick test plays fewer."""


def examples() -> list[tuple[str, str, str]]:
    """(heading, program, what it prints)."""
    found, heading = [], "Three lines"
    for title, program, printed in EXAMPLES:
        heading = title or heading
        if program:
            found.append((heading, program, printed))
    return found


def run(program: str, folder: Path) -> list[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout.splitlines()


def test_page_has_ten_examples() -> None:
    assert len(examples()) >= 10
    assert len([line for line in examples()[0][1].splitlines() if line]) == 3


@pytest.mark.parametrize(("program", "printed"), [pytest.param(*rest, id=title) for title, *rest in examples()])
def test_example_prints_the_shown_output(program: str, printed: str, tmp_path: Path) -> None:
    if MANY in program:
        few = run(program.replace(MANY, "3, "), tmp_path)
        assert [line.partition(":")[0] for line in few] == [line.partition(":")[0] for line in printed.splitlines()]
    else:
        assert fits(tuple(printed.splitlines()), run(program, tmp_path))


@pytest.mark.long
def test_strategy_is_measured_over_several_games(tmp_path: Path) -> None:
    """The example as it stands, which plays 400 games."""
    (program, printed) = next((program, printed) for _, program, printed in examples() if MANY in program)

    assert fits(tuple(printed.splitlines()), run(program, tmp_path))

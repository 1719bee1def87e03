"""The page about strategies: its script is the shipped example, and its strategy plays."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from companion import api
from companion.games.fallujah2004.ai.valuation import read_valuation
from companion.session.state import load_game
from tests.support.pages import DOCS, ROOT

PAGE = (DOCS / "strategies.md").read_text(encoding="utf-8")
STRATEGY, SCRIPT = re.findall(r"```python\n(.*?)```", PAGE, re.S)
EXAMPLE = ROOT / "tests" / "examples" / "openings.py"


def test_the_script_is_the_shipped_example() -> None:
    assert EXAMPLE.read_text(encoding="utf-8") == SCRIPT
    assert len(SCRIPT.splitlines()) <= 40


def test_the_strategy_of_the_page_plays(tmp_path: Path) -> None:
    (file := tmp_path / "my.py").write_text(STRATEGY, encoding="utf-8")
    run = api.simulate("fallujahcards", 4, policies=f"{file}:hold_back", base="plain", seed=1)

    assert not any(game.error or game.refused for game in run.played)
    assert run.played != api.simulate("fallujahcards", 4, policies="plain", seed=1).played


def test_the_result_names_every_opening_of_the_planner() -> None:
    titles = [opening.title for opening in read_valuation(load_game("fallujah2004").tables.bot).openings]
    shown = re.findall(r"^\| ([^|]*?) \| [\d.]+ ±", PAGE, re.M)

    assert shown and {*shown} <= {*titles}


@pytest.mark.slow
def test_the_script_at_few_games(capsys: pytest.CaptureFixture[str]) -> None:
    """One line an opening: victories, decisive ones, VP beside the first opening on the same luck."""
    script = runpy.run_path(str(EXAMPLE))
    openings = script["find_openings"]()
    script["main"].__globals__["find_openings"] = lambda: openings[:2]
    script["main"](2)
    first, second = capsys.readouterr().out.splitlines()

    assert len(openings) > 5 and first.endswith(openings[0].name.partition(":")[0])
    assert re.fullmatch(r"( *-?[\d.]+ \+- *[\d.]+ +){3}.*", second) and " 0.0 +- 0.0 " in first

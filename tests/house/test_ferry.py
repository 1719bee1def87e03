"""A game that was written from the two pages for authors alone: its own tests, the contract tests, its adviser."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import companion

ROOT = Path(__file__).parents[2]
PROJECT = ROOT / "tests" / "examples" / "ferry"


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of games with the package of the game, as COMPANION_GAMES names it."""
    shutil.copytree(PROJECT / "companion_ferry", tmp_path / "games" / "ferry", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setenv("COMPANION_GAMES", str(tmp_path / "games"))
    return tmp_path / "games"


def run_pytest(folder: Path, games: Path, *words: str) -> tuple[int, str]:
    """The exit code and the output of pytest in a folder."""
    environment = {**os.environ, "COMPANION_GAMES": str(games), "PYTHONPATH": f"{PROJECT}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=240)
    return done.returncode, done.stdout + done.stderr


def test_ferry_has_no_fault(games: Path) -> None:
    assert companion("games", "ferry", "--check").out.strip() == "ferry: no fault"


@pytest.mark.slow
def test_ferry_passes_its_own_tests_and_the_contract(games: Path, tmp_path: Path) -> None:
    shutil.copytree(PROJECT / "tests", tmp_path / "own" / "tests")
    (tmp_path / "own" / "pytest.ini").write_text("[pytest]\ncompanion_game = ferry\ncompanion_tests = tests\n", encoding="utf-8")
    plugin = ("-p", "companion.testing.plugin")
    for words in ((*plugin, "tests"), (*plugin, "--pyargs", "companion.testing", "--game", "ferry")):
        code, said = run_pytest(tmp_path / "own", games, *words)
        assert code == 0, said[-3000:]


@pytest.mark.slow
def test_adviser_of_the_ferry_is_better_than_chance(games: Path) -> None:
    won = {}
    for policy in ("random", "bot"):
        run = companion("simulate", "ferry", "--games", "60", "--seed", "1", "--policy", policy, "--json").json
        won[policy] = sum(result["share"] for result in run["results"] if result["result"] == "won")
    assert won["bot"] > won["random"] + 0.2

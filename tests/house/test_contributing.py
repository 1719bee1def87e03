"""What is told to those who change Companion is so: files, scripts, layers."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from tests.house.test_layers import LAYERS
from tests.support.pages import ROOT

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MAINTENANCE = (ROOT / "companion" / "docs" / "maintenance.md").read_text(encoding="utf-8")
TWO_SCREENS = 96  # of 48 lines
RECIPES = ("rule", "question", "game", "command", "policy")


def test_layers_are_listed_in_order() -> None:
    listed = [layer for layer in re.findall(r"^\| `companion/(\w+)/", PAGE, re.M) if layer in LAYERS]

    assert listed == list(LAYERS)


def test_listed_measures_exist() -> None:
    section = MAINTENANCE.partition("| `python -m tests.measures.`")[2].partition("\n\n")[0]
    listed = {name for row in re.findall(r"^\| (`[^|]*) \|", section, re.M) for name in re.findall(r"`(\w+)`", row)}

    assert listed == {path.stem for path in (ROOT / "tests" / "measures").glob("*.py")} - {"__init__"}


def test_named_files_and_scripts_exist() -> None:
    for name in re.findall(r"`((?:tests|companion|tables|completions)/[\w./]*)`", PAGE + MAINTENANCE):
        assert "GAME" in name or (ROOT / name).exists(), name
    for name in re.findall(r"python -m (tests\.\w+\.\w+)", PAGE + MAINTENANCE):
        assert (ROOT / f"{name.replace('.', '/')}.py").exists(), name


def test_guide_is_two_screens_long() -> None:
    assert len(PAGE.splitlines()) <= TWO_SCREENS


def test_each_recipe_has_five_steps_and_an_example() -> None:
    for name in RECIPES:
        steps = PAGE.partition(f"## Add a {name}\n")[2].partition("\n## ")[0]
        assert re.findall(r"^(\d)\. ", steps, re.M) == list("12345"), name
        assert "Example: " in steps, name


def git(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)


def test_commits_named_as_examples_exist() -> None:
    if shutil.which("git") is None or git("rev-parse").returncode:
        pytest.skip("not a git checkout")
    if git("rev-parse", "--is-shallow-repository").stdout.strip() == "true":
        pytest.skip("the history is not here")
    for commit in re.findall(r"`git show (\w+)`", PAGE):
        assert git("cat-file", "-e", commit).returncode == 0, commit

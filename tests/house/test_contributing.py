"""What is told to those who change Companion is so: files, scripts, layers."""

from __future__ import annotations

import re

from tests.house.test_layers import LAYERS
from tests.support.pages import ROOT

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_layers_are_listed_in_order() -> None:
    listed = [layer for layer in re.findall(r"^\| `companion/(\w+)/", PAGE, re.M) if layer in LAYERS]

    assert listed == list(LAYERS)


def test_listed_measures_exist() -> None:
    section = PAGE.partition("| `python -m tests.measures.`")[2].partition("\n\n")[0]
    listed = {name for row in re.findall(r"^\| (`[^|]*) \|", section, re.M) for name in re.findall(r"`(\w+)`", row)}

    assert listed == {path.stem for path in (ROOT / "tests" / "measures").glob("*.py")} - {"__init__"}


def test_named_files_and_scripts_exist() -> None:
    for name in re.findall(r"`((?:tests|companion|tables|completions)/[\w./]*)`", PAGE):
        assert "GAME" in name or (ROOT / name).exists(), name
    for name in re.findall(r"python -m (tests\.\w+\.\w+)", PAGE):
        assert (ROOT / f"{name.replace('.', '/')}.py").exists(), name

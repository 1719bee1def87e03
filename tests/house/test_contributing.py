"""What is told to those who change Companion is so: files, scripts, layers."""

from __future__ import annotations

import re

from tests.house.test_layers import LAYERS
from tests.support.pages import ROOT

TOLD = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_layers_are_listed_in_order() -> None:
    told = [layer for layer in re.findall(r"^\| `companion/(\w+)/", TOLD, re.M) if layer in LAYERS]

    assert told == list(LAYERS)


def test_listed_measures_exist() -> None:
    section = TOLD.partition("| `python -m tests.measures.`")[2].partition("\n\n")[0]
    told = {name for row in re.findall(r"^\| (`[^|]*) \|", section, re.M) for name in re.findall(r"`(\w+)`", row)}

    assert told == {path.stem for path in (ROOT / "tests" / "measures").glob("*.py")} - {"__init__"}


def test_named_files_and_scripts_exist() -> None:
    for name in re.findall(r"`((?:tests|companion|tables|completions)/[\w./]*)`", TOLD):
        assert "GAME" in name or (ROOT / name).exists(), name
    for name in re.findall(r"python -m (tests\.\w+\.\w+)", TOLD):
        assert (ROOT / f"{name.replace('.', '/')}.py").exists(), name

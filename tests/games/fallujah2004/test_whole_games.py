"""Whole games, as scripts of commands with typed dice and draws."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import companion, run_script

SCRIPTS = Path(__file__).parent / "scripts"


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """The scripts with the place of their files filled in."""
    for path in SCRIPTS.iterdir():
        (tmp_path / path.name).write_text(path.read_text().replace("SCRIPTS", str(SCRIPTS)))
    return tmp_path


def test_a_whole_game_of_vigilant_resolve(scripts: Path) -> None:
    """[7.1, 8.1, 10.4, 6.3] From the first purchase to the count of victory; then every action taken back."""
    run_script(scripts / "vigilant_resolve.txt", scripts)

    undone = companion("undo", "22", "--json").json
    assert undone["position"]["tracks"] == {"ops": 65, "kia": 0, "morale": 1, "operations": 0}
    again = companion("redo", "--json").json
    assert again["position"]["tracks"] == {"ops": 0, "kia": 4, "morale": 3, "operations": 17}


@pytest.mark.slow
def test_a_whole_campaign(scripts: Path) -> None:
    """[30.0, 30.2(1) - 30.2(5)] Two battles, with the OPs, HVTs and leaders that carry over."""
    run_script(scripts / "campaign.txt", scripts)

    leaders = companion("show", "leading", "--json")
    assert "Leader A" in leaders.out

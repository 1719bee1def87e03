"""A whole game, as a script of commands with typed dice and draws."""

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


@pytest.mark.slow
def test_a_whole_game_of_three_turns(scripts: Path) -> None:
    """[3.0, 4.0, 4.3, 15.1] From set-up to the count of victory; then every action taken back, and brought back."""
    run_script(scripts / "three_turns.txt", scripts)

    entries = len(companion("log", "--json").json["entries"]) - 1
    undone = companion("undo", str(entries), "--json").json
    assert undone["position"]["tracks"] == {"turn": 1, "cp": 0, "kuwait": 0, "sahaf": 0}
    again = companion("redo", "--json").json
    assert again["position"]["tracks"]["turn"] == 4
    assert companion("show", "score", "--json").json["score"]["total"] == 19

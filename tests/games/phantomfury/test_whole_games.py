"""A whole game, as a script of commands with typed dice and draws; and the practice map as a file of facts."""

from __future__ import annotations

from pathlib import Path

from tests.support.commands import companion, run_script

SCRIPTS = Path(__file__).parent / "scripts"


def test_a_whole_game_on_the_corner_of_the_practice_map(tmp_path: Path) -> None:
    """[6.0, 8.0, 7.2, 7.2.1] From the set-up to a minor victory in turn 3; then everything is undone and redone."""
    run_script(SCRIPTS / "corner.txt", tmp_path)

    entries = len(companion("log", "--json").json["entries"]) - 1
    undone = companion("undo", str(entries), "--json").json
    assert undone["position"]["tracks"] == {"turn": 1, "phase": 0, "vp": 0, "uav": 0, "ah1w": 0, "fa18": 0}
    again = companion("redo", "--json").json
    assert again["position"]["tracks"] == {"turn": 3, "phase": 5, "vp": 10, "uav": 1, "ah1w": 1, "fa18": 0}
    score = companion("show", "score", "--json").json["score"]
    assert (score["total"], score["verdict"]) == (10, "Minor victory")

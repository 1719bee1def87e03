"""A whole game of ten turns, as a script of commands with typed dice and chits."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import companion, run_script

SCRIPTS = Path(__file__).parent / "scripts"


@pytest.mark.slow
def test_ten_turns(tmp_path: Path) -> None:
    """[3.1, 3.3, 4.1] From the set-up to the final count; then everything is undone and redone."""
    script = tmp_path / "ten_turns.txt"
    script.write_text((SCRIPTS / "ten_turns.txt").read_text().replace("SCRIPTS", str(SCRIPTS)))
    run_script(script, tmp_path)

    entries = len(companion("log", "--json").json["entries"])
    undone = companion("undo", str(entries - 1), "--json").json
    assert undone["position"]["tracks"] == {"turn": 1, "us_vp": 0, "nva_vp": 0, "flares": 8}
    again = companion("redo", "--json").json
    assert again["position"]["tracks"] == {"turn": 10, "us_vp": 10, "nva_vp": 14, "flares": 7}

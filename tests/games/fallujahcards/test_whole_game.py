"""A whole game as a script of commands with typed cards."""

from __future__ import annotations

from pathlib import Path

from tests.support.commands import companion, run_script

SCRIPT = Path(__file__).parent / "scripts" / "patrol.txt"


def test_a_whole_game_with_typed_cards(tmp_path: Path) -> None:
    """[Turn Sequence] From the first card to the score, checked by hand at fixed points; then all of it taken back."""
    run_script(SCRIPT, tmp_path)

    undone = companion("undo", "--to", "1")
    assert "Move 2 x Pillbox from" in undone.out or "Move Pillbox from" in undone.out
    assert sum(companion("show", "deck", "--json").json["places"]["deck"].values()) == 92


def test_the_same_game_when_american_cards_do_not_count(tmp_path: Path) -> None:
    """[Scoring] With ruling C-2 switched the same cards bring 100 - 24 + 66."""
    script = SCRIPT.read_text().replace("--name patrol", "--option elimination=insurgents --name patrol")
    told = tmp_path / "other.txt"
    told.write_text("\n".join(line for line in script.splitlines() if not line.startswith("~")))
    run_script(told, tmp_path)

    score = " ".join(companion("show", "score").out.split())
    assert "The final score is 142" in score
    assert "force 66, do not count" in score

"""A whole game as a script of commands with typed cards."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import companion, run_script

SCRIPT = Path(__file__).parent / "scripts" / "patrol.txt"


def test_a_whole_game_with_typed_cards(tmp_path: Path) -> None:
    """[Turn Sequence] From the first card to the score, checked at fixed points; then all of it undone."""
    run_script(SCRIPT, tmp_path)

    undone = companion("undo", "--to", "1")
    assert "Put back on top of the Deck, in this order from the top: Grunts, Fundamentalists, Pillbox, Ambush" in flat(undone.out)
    assert sum(row["many"] for row in companion("show", "deck", "--json").json["cups"]["deck"]) == 92


@pytest.mark.slow
def test_the_same_game_when_american_cards_do_not_count(tmp_path: Path) -> None:
    """[Scoring] With ruling C-2 switched the same cards bring 100 - 24 + 66."""
    script = SCRIPT.read_text().replace("--name patrol", "--option elimination=insurgents --name patrol")
    changed = tmp_path / "other.txt"
    changed.write_text("\n".join(line for line in script.splitlines() if not line.startswith("~")))
    run_script(changed, tmp_path)

    score = " ".join(companion("show", "score").out.split())
    assert "The final score is 142" in score
    assert "force 66, do not count" in score


def flat(text: str) -> str:
    return " ".join(text.split())


def test_undo_and_redo_tell_the_order_of_the_deck() -> None:
    """[Search, Tactics, Recon] What came off the deck goes back in its order; what Recon has only seen never left it."""
    companion("new", "fallujahcards", "--draws", "physical", "--name", "patrol")
    companion("do", "turn", "--draw", "Mounted Patrol")
    companion("do", "turn", "--draw", "Low Tech Bomb", "disarm=decline")
    companion("do", "turn", "--draw", "Ingenuity", "--draw", "Pillbox", "--draw", "Humvee")
    seen = ["Mortars", "Ambush", "Roof Top", "Grunts", "Sniper Team"]
    draws = [word for card in ("Pioneers", *seen) for word in ("--draw", card)]
    companion("do", "turn", *draws, "recon=Pioneers")
    companion("do", "turn")

    undone = companion("undo", "--to", "1")
    order = "Mounted Patrol, Low Tech Bomb, Ingenuity, Pillbox, Humvee, Pioneers, Mortars"
    assert f"Put back on top of the Deck, in this order from the top: {order}" in flat(undone.out)
    assert "Ambush" not in undone.out

    redone = flat(companion("redo").out)
    assert "Take off the top of the Deck, one after the other: Mounted Patrol to Hand, Low Tech Bomb to" in redone
    assert "Ambush" not in redone.partition("Take off")[2].partition("[")[0]


def test_one_card_goes_back_on_top_reply_by_reply() -> None:
    """[Recon] Without a word of order; cards that Recon has seen stay where they are."""
    companion("new", "fallujahcards", "--draws", "physical", "--name", "patrol")
    companion("do", "turn", "--draw", "Pioneers")

    assert "Put back on top of the Deck: Pioneers" in flat(companion("undo", "--reply").out)

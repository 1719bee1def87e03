"""The log as it is read: above all, what was taken back."""

from __future__ import annotations

from tests.support.commands import companion


def test_an_undo_past_a_roll_says_so(tiny_game: str) -> None:
    """Taking back what dice have decided is marked in the log for ever; taking back anything else is not."""
    for line in (f"new {tiny_game} --seed 1", "do rest", "undo", "do march unit=Red to=ford", "undo"):
        assert companion(*line.split()).code == 0, line
    changes = [line for line in companion("log", "--undone").out.splitlines() if line.startswith("  ~")]

    assert changes == ["  ~  undone: 2", "  ~  undone: 3 (past a roll)"]

"""The measure of the bot: it goes on where it stopped, and what it adjusts by is what it should be."""

from pathlib import Path

import pytest

from tests.measures.cards_bot import adjusted, played


def test_a_measure_that_was_cut_off_goes_on(tmp_path: Path) -> None:
    """[Scoring] Deals of the file are not played again; of a row that was cut off the deal is."""
    out = tmp_path / "deals.csv"
    out.write_text("0,0,1,2,3,4\n1,500,4,5,6,7\n2,0,17")

    first = list(played(2, 0, 1, out))
    assert first[0] == (1, 2, 3, 4) and first[1] != (4, 5, 6, 7)
    rows = out.read_text().splitlines()
    again = list(played(3, 0, 1, out))
    assert again[:2] == first and out.read_text().splitlines()[: len(rows)] == rows


def test_luck_that_others_had_too_is_taken_off() -> None:
    """Scores that are twice another figure less a point: known to be 10 on average, they are 19 on average, and surely so."""
    middle, error = adjusted([1, 3, 5, 7], [1, 2, 3, 4], [10, 10])
    assert middle == pytest.approx(19.0) and error == pytest.approx(0.0)

    middle, error = adjusted([0, 4, 4, 8], [1, 2, 3, 4], [2, 3] * 1000)
    assert middle == pytest.approx(4.0) and error > 0.3


def test_luck_of_other_choices_keeps_its_error() -> None:
    """Two figures of 0 and of 20 are 10 on average, with an error of 10: twice that for scores that are twice as much."""
    assert adjusted([2, 4, 6], [1, 2, 3], [0, 20]) == (pytest.approx(20.0), pytest.approx(20.0))

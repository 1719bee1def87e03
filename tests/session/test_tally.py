"""Counts of simulated games, mirrored pairs and the strength of policies."""

from __future__ import annotations

from math import sqrt

import pytest

from companion.core.errors import Unreadable
from companion.core.statistics import Z95, wilson
from companion.session.simulation import PolicyTime, Series, SimulatedGame, make_series, play_game, shard_numbers
from companion.session.state import load_game
from companion.session.tally import Tally
from companion.views.lines import plain_text
from companion.views.statistics import SimulationRun, simulation_lines

SIDES = {"us": "hard", "nva": "normal"}
STRAIGHT = Series("lzalbany", {}, SIDES, "s")
MIRRORED = STRAIGHT._replace(variants=(STRAIGHT, STRAIGHT._replace(policies={"us": "normal", "nva": "hard"})))


def game(number: int, result: str, score: float) -> SimulatedGame:
    return SimulatedGame(number, result, score, 10, 50, 0.1)


def counted(series: Series, *games: SimulatedGame) -> Tally:
    tally = Tally(series)
    tally.add(games)
    return tally


def test_strength_of_a_side_by_games() -> None:
    """Two won, a draw and a lost: 62.5 % of the points; the margin is the mean score with 1.96 standard errors."""
    games = [game(1, "us", 4.0), game(2, "us", 2.0), game(3, "draw", 0.0), game(4, "nva", -2.0)]
    strength = counted(STRAIGHT, *games).strength()

    assert strength is not None and (strength.first, strength.second, strength.units) == ("us hard", "nva normal", 4)
    assert strength.share == (0.625, *wilson(2.5, 4)) and strength.pairs is None
    assert strength.margin.value == 1.0 and strength.margin.high == pytest.approx(1.0 + Z95 * sqrt(20 / 3 / 4))
    assert strength.elo.value == pytest.approx(88.74, abs=0.01)  # 400 log10(5/3)


def test_strength_of_a_policy_by_mirrored_pairs() -> None:
    """`hard` wins both games, one of two, and none; its pairs are won by 6, tied, and lost by 3 VP a game."""
    games = [
        game(1, "us", 5.0),
        game(2, "nva", -7.0),
        game(3, "us", 2.0),
        game(4, "us", 2.0),
        game(6, "us", 1.0),
        game(5, "nva", -5.0),
    ]
    strength = counted(MIRRORED, *games).strength()

    assert strength is not None and (strength.first, strength.second, strength.units) == ("hard", "normal", 3)
    assert strength.share == (0.5, *wilson(1.5, 3)) and strength.pairs == (0.5, *wilson(1.5, 3))
    assert strength.margin.value == 1.0  # (6 + 0 - 3) / 3
    assert strength.elo.value == 0.0


def test_incomplete_pairs_do_not_count() -> None:
    failed = SimulatedGame(4, "error", None, 0, 0, 0.0, (), "odd")
    strength = counted(MIRRORED, game(1, "us", 5.0), game(2, "nva", -7.0), game(3, "us", 9.0), failed).strength()

    assert strength is not None and strength.units == 1 and strength.margin == (6.0, None, None)


def test_no_strength_where_no_result_names_a_seat() -> None:
    assert counted(STRAIGHT, game(1, "good", 4.0)).strength() is None
    assert counted(Series("tiny", {}, {"player": "plain"}, "s"), game(1, "us", 4.0)).strength() is None


def test_times_are_added_by_seat_or_by_policy() -> None:
    """By seat, or over both seats of a mirrored series."""
    row = game(1, "us", 5.0)._replace(times=(PolicyTime("us", "hard", 2.0, 4), PolicyTime("nva", "normal", 1.0, 3)))
    swapped = row._replace(number=2, times=(PolicyTime("us", "normal", 0.5, 2), PolicyTime("nva", "hard", 1.0, 1)))

    assert counted(STRAIGHT, row).times == {("us", "hard"): (2.0, 4), ("nva", "normal"): (1.0, 3)}
    assert counted(MIRRORED, row, swapped).times == {("", "hard"): (3.0, 5), ("", "normal"): (1.5, 5)}


def test_strength_and_time_are_shown() -> None:
    row = game(1, "us", 5.0)._replace(times=(PolicyTime("us", "hard", 2.0, 4), PolicyTime("nva", "normal", 0.3, 3)))
    tally = counted(MIRRORED, row, game(2, "nva", -7.0), game(3, "us", 5.0), game(4, "us", 6.0))
    series = MIRRORED._replace(options={"scenario": "battle"}, description="mirrored: lzalbany")
    lines = plain_text(simulation_lines(SimulationRun(series, tally, 4, (1, 1), 0, "", False))).splitlines()

    begin = lines.index("Strength of hard against normal, 2 mirrored pairs")
    assert lines[begin + 1].split() == ["pairs", "won", "50.0", "%", "95", "%:", "9.5", "%", "to", "90.5", "%"]
    assert lines[begin + 2].startswith("  games won     75.0 %")
    assert lines[begin + 3].startswith("  margin     +2.8 VP a game") and lines[begin + 4].split()[:3] == ["in", "Elo", "0"]
    assert "Decision  hard 500 ms, normal 100 ms" in lines


def test_mirrored_games_have_the_luck_of_their_pair() -> None:
    """Game 4 is game 2 of the same series with the policies swapped."""
    game_ = load_game("lzalbany")
    mirrored = make_series(game_, "", {}, {"us": "plain", "nva": "random"}, "m", is_mirrored=True)
    swapped = make_series(game_, "", {}, {"us": "random", "nva": "plain"}, "m")
    one, other = play_game(mirrored, 4), play_game(swapped, 2)

    assert (one.number, one[1:5], one.tracks) == (4, other[1:5], other.tracks) and one.error == ""
    assert mirrored.description.startswith("mirrored: lzalbany battle; us: plain; nva: random")
    assert [(time.seat, time.policy) for time in one.times] == [("us", "random"), ("nva", "plain")]
    assert all(time.decisions for time in one.times) and sum(time.seconds for time in one.times) <= one.seconds


def test_a_game_for_one_is_not_mirrored() -> None:
    with pytest.raises(Unreadable, match="no two sides"):
        make_series(load_game("fallujahcards"), "", {}, {}, "m", is_mirrored=True)


@pytest.mark.parametrize(("shard", "numbers"), [((1, 1), [*range(1, 11)]), ((2, 2), [3, 4, 7, 8]), ((3, 3), [5, 6])])
def test_shards_keep_pairs_together(shard: tuple[int, int], numbers: list[int]) -> None:
    assert shard_numbers(10, shard, 2) == numbers

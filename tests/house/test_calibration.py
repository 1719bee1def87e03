"""The measure of calibration: it passes a forecaster that is right, and finds out a bold one."""

from __future__ import annotations

from math import erf, log, sqrt
from pathlib import Path
from random import Random

import pytest

from companion.core.fit import logistic
from companion.core.statistics import wilson
from tests.measures import calibration
from tests.measures.calibration import Forecasts, Kept, bias, brier, faults, gain, read, reliability, save, spread, verdict


def walks(count: int, turns: int = 9, bold: float = 1.0) -> list[Forecasts]:
    """Games whose chance is known: a walk of `turns` fair steps wins above 0; the forecaster multiplies the logit by `bold`.

    The walk starts somewhere, so that chances of all sizes occur.
    """
    random, found = Random(f"{count}/{turns}"), []
    for number in range(count):
        place, chances = random.gauss(0, 3), []
        for turn in range(turns):
            left = turns - turn
            place += random.gauss(0, 1)
            chance = chance_above_0(place, left - 1) if left > 1 else chance_above_0(place, 0.3)
            chances.append((turn * 3 // turns, stretched(chance, bold)))
        won = float(place + random.gauss(0, sqrt(0.3)) > 0)
        found.append(Forecasts.of(number, won, place, True, chances))
    return found


def chance_above_0(place: float, variance: float) -> float:
    """The chance that a normal variable with this variance, added to the place, is above 0."""
    return 0.5 * (1 + erf(place / sqrt(2 * variance)))


def stretched(chance: float, bold: float) -> float:
    """The chance with its logit multiplied."""
    chance = min(max(chance, 1e-9), 1 - 1e-9)
    return logistic(bold * log(chance / (1 - chance)))


def test_the_right_forecaster_passes() -> None:
    games = walks(1500)

    assert faults(games) == [] and len(reliability(games)) == 10


def test_a_bold_forecaster_is_found_out() -> None:
    """A logit multiplied by 2.5 calls 10 % what wins in 29 %."""
    found = faults(walks(1500, bold=2.5))

    assert found and any("called" in fault for fault in found)


def test_a_constant_forecast_is_no_better_than_the_base_rate() -> None:
    games = [Forecasts.of(number, float(number % 2), 0.0, True, [(0, 0.5), (1, 0.5), (2, 0.5)]) for number in range(200)]

    assert faults(games) == [] and verdict([games]) == ["not surely better than the base rate of each phase"]


def test_a_phase_whose_games_all_ended_alike_judges_nothing() -> None:
    """Called 90 % and all won: the base rate knows the end. Calls of 10 % for all that is won are worse."""
    won = [Forecasts.of(number, 1.0, 0.0, True, [(0, 0.9)]) for number in range(9)]
    assert brier(won, [0]).base == 0 and faults(won) == []

    contrary = [Forecasts.of(number, float(number % 2), 0.0, True, [(0, 0.9 - 0.8 * (number % 2))]) for number in range(40)]
    assert "early: worse than the base rate" in faults(contrary)


def test_few_games_show_nothing() -> None:
    """The games of all set-ups count together."""
    assert verdict([walks(40)]) == ["40 games judge, 60 are needed"] and verdict([walks(40), walks(41)]) == []
    assert verdict([]) == ["0 games judge, 60 are needed", "not surely better than the base rate of each phase"]


def test_a_forecaster_that_is_too_hopeful_everywhere_is_found_out() -> None:
    """Calls of 45 and 55 % where 35 and 45 % are won: near enough for each bin, but not for the mean of 1000 games."""
    games = []
    for number in range(1000):
        low = number % 2 == 0
        won = float(number // 2 % 100 < (35 if low else 45))
        games.append(Forecasts.of(number, won, 0.0, True, [(1, 0.45 if low else 0.55)]))
    more, error = bias(games)

    assert more == pytest.approx(-0.1) and error == pytest.approx(sqrt(0.45 * 0.55 / 1000), rel=0.01)
    assert "won -10 points more than called" in faults(games)


def test_brier_score_in_closed_form() -> None:
    """Calls of p that win with q score q (1 - p)^2 + (1 - q) p^2; the base rate scores q (1 - q)."""
    games = [Forecasts.of(number, float(number < 30), 0.0, True, [(0, 0.4), (0, 0.45)]) for number in range(100)]
    found = brier(games)

    expected = [0.3 * (1 - call) ** 2 + 0.7 * call**2 for call in (0.4, 0.45)]
    assert found.positions == 200
    assert found.chance == pytest.approx(sum(expected) / 2) and found.base == pytest.approx(0.3 * 0.7)


def test_a_base_rate_is_that_of_its_phase() -> None:
    """Early positions are of 100 games, half won; late ones of the 50 won ones alone, where always is right."""
    games = [Forecasts.of(n, float(n < 50), 0.0, True, [(0, 0.5), *([(2, 0.9)] if n < 50 else [])]) for n in range(100)]

    assert brier(games, [0]).base == pytest.approx(0.25) and brier(games, [2]).base == 0
    assert brier(games).base == pytest.approx((100 * 0.25 + 50 * 0) / 150)
    assert brier(games, [1]).positions == 0


def test_a_game_counts_once_in_a_decile() -> None:
    """With its first position there, in the order of play; intervals are Wilson's of the games."""
    chances = [(0, 0.52), (0, 0.61), (1, 0.58), (2, 0.57)]
    games = [Forecasts.of(number, float(number < 4), 0.0, True, chances) for number in range(10)]
    table = reliability(games)

    assert sorted(table) == [5, 6] and table[5].games == 10
    assert (table[5].called, table[5].won) == (pytest.approx(0.52), 0.4) and (table[5].low, table[5].high) == wilson(4, 10)
    assert reliability(games, 1)[5].called == pytest.approx(0.58) and 6 not in reliability(games, 1)


def test_gain_is_above_0_for_the_right_forecaster() -> None:
    games = walks(600)
    low, high = gain(games)
    total = brier(games)

    assert 0 < low < total.base - total.chance < high


def test_interval_of_the_gain_in_closed_form() -> None:
    """One position a game, called as it ends or not at all: a mean of independent gains of 1/4 and 0 but for the base rate."""
    games = [Forecasts.of(n, float(n % 2), 0.0, True, [(0, float(n % 2) if n < 100 else 0.5)]) for n in range(400)]
    low, high = gain(games)

    assert (low + high) / 2 == pytest.approx(0.25 * 100 / 400)
    assert (high - low) / 2 == pytest.approx(1.96 * 0.25 * sqrt(0.25 * 0.75 / 400), rel=0.01)


def test_spread_is_of_the_usual_games() -> None:
    scores = [1.0, 3.0, 5.0, 7.0]
    games = [Forecasts(n, 0.0, score, True, ()) for n, score in enumerate(scores)] + [Forecasts(9, 0.0, 99.0, False, ())]
    deviation, error, count = spread(games)

    assert (deviation, error, count) == (pytest.approx(sqrt(20 / 3)), pytest.approx(sqrt(20 / 3) / sqrt(6)), 4)


def test_kept_games_read_as_they_were_written(tmp_path: Path) -> None:
    games = walks(3)
    kept = Kept("map=a", {"seed": "s", "last": 9})
    kept.games = {game.number: game for game in games[:2]} | {2: games[2]._replace(reviewed=(1, 0.25))}
    save(tmp_path / "g.json", [kept])
    (found,) = read(tmp_path / "g.json").values()

    assert (found.key, found.about, found.games) == (kept.key, kept.about, kept.games)
    assert read(tmp_path / "none.json") == {}


def test_a_later_run_goes_on_and_another_fit_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def measured(source: calibration.Source, number: int, level: object = None) -> Forecasts:
        played.append(number)
        return Forecasts(number, 1.0, 0.0, True, ())

    monkeypatch.setattr(calibration, "FOLDER", tmp_path)
    monkeypatch.setattr(calibration, "measure", measured)
    monkeypatch.setattr(calibration, "fit_of", lambda game: "a fit")
    source = calibration.Source("phantomfury", ("scenario=practice",), (), (), "s", 10)
    calibration.run(source, 2, 1e9)
    assert [*calibration.run(source, 3, 1e9).games] == [1, 2, 3] and played == [1, 2, 3]

    monkeypatch.setattr(calibration, "fit_of", lambda game: "another")
    assert [*calibration.run(source, 1, 1e9).games] == [1] and played == [1, 2, 3, 1]

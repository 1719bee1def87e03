"""The fit of the value of positions: it recovers known weights, and a chance that is not calibrated is not taken."""

from __future__ import annotations

import tomllib
from math import log, sqrt
from random import Random

import pytest

from companion.core.errors import BadData
from companion.core.fit import SCORE, WIN, FittedValue, logistic
from companion.core.policies import Players
from companion.session.state import load_game
from tests.measures import fit
from tests.measures.fit import Recorded, Source, judge, record, reliability, toml_part, with_fits
from tests.support.regression import least_squares, logistic_ridge, ridge


def games(count: int, bend: float = 1.0) -> list[Recorded]:
    """Games of three turns: the score is 10 + 3 lead - 2 threat and luck; the chance to win has the logit `bend` (lead - threat).

    The planner's value sees the lead alone.
    """
    random, rows = Random(3), []
    for number in range(count):
        lead, threat = random.gauss(0, 1), random.gauss(0, 1)
        won = float(random.random() < logistic(bend * (lead - threat)))
        score = 10 + 3 * lead - 2 * threat + random.gauss(0, 1)
        rows += [Recorded(number, turn, {"lead": lead, "threat": threat, "map": 4.0}, lead, score, won) for turn in range(3)]
    return rows


def test_ridge_and_logistic_regression_in_closed_form() -> None:
    """Two groups: the logits of 30 of 40 and 12 of 60; the slope shrinks by n / (n + penalty) with deviation 1."""
    rows, won = [[0.0]] * 40 + [[1.0]] * 60, [1.0] * 30 + [0.0] * 10 + [1.0] * 12 + [0.0] * 48
    fitted = logistic_ridge(rows, won, 0.0)
    assert (fitted.chance([0.0]), fitted.chance([1.0])) == (pytest.approx(0.75), pytest.approx(0.2))

    shrunk = ridge([[-1.0], [1.0]] * 5, [-2.0, 2.0] * 5, 10.0)
    assert shrunk.weights[0] == pytest.approx(2 * 10 / (10 + 10)) and shrunk.intercept == pytest.approx(0.0)


def test_least_squares_and_its_errors_in_closed_form() -> None:
    """A line through (0, 1), (1, 2), (2, 4), (3, 4): slope 1.1, rest 0.35, error sqrt(0.35 / 5)."""
    intercept, slope = least_squares([[0], [1], [2], [3]], [1, 2, 4, 4])

    assert (slope.value, intercept.value) == (pytest.approx(1.1), pytest.approx(1.1))
    assert slope.error == pytest.approx(sqrt(0.35 / 5)) and intercept.error == pytest.approx(sqrt(0.35 * (1 / 4 + 2.25 / 5)))


def test_fit_recovers_known_weights_and_is_calibrated() -> None:
    found = judge(games(900))

    score, win = found.fits[SCORE], found.fits[WIN]
    assert score.names == win.names == ("lead", "threat")  # the map is constant
    assert score.linear.weights == (pytest.approx(3, abs=0.2), pytest.approx(-2, abs=0.2))
    assert win.linear.weights == (pytest.approx(1, abs=0.3), pytest.approx(-1, abs=0.3))
    assert found.is_better == {SCORE: True, WIN: True} and found.lines[-1] == "calibrated"


def test_chance_that_is_not_calibrated_is_found_out() -> None:
    """A logit doubled calls 88 % what is won by 73 %."""
    rows = games(2000)

    def bold(one: Recorded) -> float:
        return logistic(2 * (one.features["lead"] - one.features["threat"]))

    def right(one: Recorded) -> float:
        return logistic(one.features["lead"] - one.features["threat"])

    assert not all(one.is_near for one in reliability(rows, bold))
    assert all(one.is_near for one in reliability(rows, right)) and len(reliability(rows, right)) == 10


def test_a_game_counts_once_in_a_bin() -> None:
    """Thirty positions of ten games: Wilson's interval of 5 of 10."""
    rows = [Recorded(number, turn, {}, 0.0, 0.0, float(number < 5)) for number in range(10) for turn in range(3)]
    (only,) = reliability(rows, lambda one: 0.5)

    assert (only.positions, only.games, only.won) == (30, 10, 0.5) and (round(only.low, 3), round(only.high, 3)) == (0.237, 0.763)


def test_few_games_prove_no_calibration() -> None:
    found = judge(games(100))

    assert not found.is_better[WIN] and found.lines[-1] == "NOT known to be calibrated: 30 games judge, 60 are needed"


def test_no_win_without_a_winner() -> None:
    found = judge([one._replace(won=None) for one in games(60)])

    assert WIN not in found.fits and not found.is_better[WIN] and "nobody wins" in found.lines[-1]


def test_written_fit_reads_as_it_was_found() -> None:
    """In place of an older one, behind the other tables; what is no better goes."""
    found = judge(games(300))
    text = "[worth]\nop = 1.6  # VP\n\n[fit.win]\nintercept = 9.0\nold = 1.0\n"
    parts = {kind: toml_part(kind, found.fits[kind], ["map=valley"], "a note") for kind in (SCORE, WIN)}
    written = with_fits(with_fits(text, parts), parts)
    constants = tomllib.loads(written)

    for kind in (SCORE, WIN):
        read = FittedValue.read(constants, kind)
        assert read is not None and read.is_for({"map": "valley"}) and not read.is_for({"map": "practice"})
        assert read.value({"lead": 1.0, "threat": 0.5}) == pytest.approx(
            (found.fits[kind].chance if kind == WIN else found.fits[kind].value)(
                Recorded(0, 0, {"lead": 1.0, "threat": 0.5}, 0, 0, 0)
            ),
            rel=1e-3,
        )
    assert constants["worth"] == {"op": 1.6} and written.startswith("[worth]\nop = 1.6  # VP\n\n[fit.")
    assert with_fits(written, {SCORE: "", WIN: ""}) == "[worth]\nop = 1.6  # VP\n"


def test_fitted_value_with_faults_is_refused() -> None:
    with pytest.raises(BadData) as refused:
        FittedValue.read({"fit": {"win": {"lead": "much"}}}, WIN)
    assert [*refused.value.faults] == ["ai.toml: fit.win.lead: not a number", "ai.toml: fit.win.intercept: missing"]


def test_players_call_the_fitted_chance_before_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The chances of both seats add up to 1; without a fit it is not known."""
    game = load_game("lzalbany")
    players = Players(game)
    position = fit.make_match(fit._series("lzalbany", "map=valley", (), (), "s"), 1).position
    monkeypatch.setattr(Players, "over", lambda self, position: "")
    monkeypatch.setattr(Players, "features", lambda self, position, options, seat: {"lead": 2.0 if seat == "us" else -9.0})
    assert players.win(position, {}, "us") is None

    players._fitted[WIN] = FittedValue(0.0, {"lead": log(3) / 2}, True)
    assert (players.win(position, {}, "us"), players.win(position, {}, "nva")) == (pytest.approx(0.75), pytest.approx(0.25))
    players._fitted[WIN] = FittedValue(0.0, {"lead": 1.0}, True, ("map=valley",))
    assert players.win(position, {"map": "practice"}, "us") is None


def test_turns_of_a_game_are_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once a turn, with the score of the end; the same for the same seed."""
    monkeypatch.setattr(Players, "features", lambda self, position, options, seat: {"turn": float(self.turn(position))})
    source = Source("fallujahcards", ("",), (), (("player", ("plain", "random")),), "s")
    rows = record(source, 2)

    assert rows == record(source, 2) and len({one.score for one in rows}) == 1
    assert [one.turn for one in rows] == sorted({one.turn for one in rows}) and all(one.won is None for one in rows)


@pytest.mark.slow
def test_usual_policies_take_over_at_a_random_turn() -> None:
    """Turns count from then on; where they play from the start, all do."""
    source = Source("phantomfury", ("scenario=practice_small",), (), (("player", ("random",)),), "s", 5)
    played = [fit.play(source, number, lambda match: match.seats["player"].time.policy) for number in range(8)]  # type: ignore[attr-defined]

    assert {one.is_usual for one in played} == {True, False}
    assert {name for one in played for _, name in one.noted} == {"normal"}
    turns = {index: [turn for turn, _ in one.noted] for index, one in enumerate(played) if one.noted}
    assert {found[0] for index, found in turns.items() if played[index].is_usual} == {2}
    assert max(found[0] for found in turns.values()) > 2
    assert all(found == [*range(found[0], found[-1] + 1)] for found in turns.values())


def test_features_are_chosen_by_name() -> None:
    assert judge(games(60), ["lead"]).fits[WIN].names == ("lead",)


def test_a_long_game_counts_with_some_of_its_positions() -> None:
    rows = [Recorded(game, turn, {}, 0.0, 0.0, 1.0) for game, turns in ((1, 30), (2, 3)) for turn in range(turns)]
    found = fit.thinned(rows, 5)

    assert [one.game for one in found].count(1) == 5 and [one for one in found if one.game == 2] == rows[30:]
    assert found == fit.thinned(rows, 5) and all(one in rows for one in found)


def test_each_third_of_a_game_counts_with_as_many_positions() -> None:
    rows = [Recorded(1, turn, {}, 0.0, 0.0, 1.0) for turn in range(1, 91)]
    thirds = [fit.third_of(one.turn, 30) for one in fit.thinned(rows, 4, 30)]

    assert [thirds.count(third) for third in range(3)] == [4, 4, 4]

"""Chances to win before the end of a game: known only where one was fitted, from 0 to 1, and 1 in all for both seats."""

from __future__ import annotations

import pytest

from companion.core.fit import WIN
from companion.games import GAMES
from companion.session.simulation import make_match, make_series
from companion.session.state import load_game
from tests.measures import calibration

FITTED = {
    "fallujah2004": ({"scenario": "vigilant_resolve"}, {"scenario": "phantom_fury"}),
    "iraqwar2003": ({"scenario": "war"},),
    "lzalbany": ({"map": "practice"}, {"map": "valley"}),
    "phantomfury": ({"scenario": "practice"}, {"scenario": "practice_small"}),
}
"""The set-ups whose chance to win is known, by game."""
UNKNOWN = {
    "fallujah2004": ({"scenario": "campaign"},),
    "lzalbany": ({"map": "own"}, {"map": "practice", "handicap": "15"}),
    "phantomfury": ({"scenario": "jolan"}, {"scenario": "practice", "variant": "on"}),
}
"""Some that a fit does not cover."""
RISES_WITH = {
    "fallujah2004": "score_by_certainty",
    "iraqwar2003": "score_by_certainty",
    "lzalbany": "standing_by_certainty",
    "phantomfury": "vp",
}
"""A feature with which the first seat's chance rises."""


@pytest.mark.parametrize("game_id", GAMES)
def test_chance_is_known_for_the_fitted_set_ups_alone(game_id: str) -> None:
    game = load_game(game_id)
    players = game.players
    for options in FITTED.get(game_id, ()):
        assert players.knows_win(game.default_options() | options), options
    for options in UNKNOWN.get(game_id, ()):
        assert not players.knows_win(game.default_options() | options), options
    assert (players.fitted(WIN) is not None) is (game_id in FITTED)


@pytest.mark.parametrize("game_id", FITTED)
def test_chance_is_not_known_with_an_optional_rule(game_id: str) -> None:
    """Nor with another ruling; who plays and what is asked make no difference."""
    game = load_game(game_id)
    players, usual = game.players, game.default_options() | FITTED[game_id][0]
    fitted = players.fitted(WIN)
    assert fitted is not None
    for option in game.options.values():
        others = [choice for choice in (*option.choices, *option.unlisted) if choice != usual[option.id]] or ["7"]
        changes_no_rule = option.id in (*players.seats, *players.table_options)
        if option.id not in fitted.covered_options:
            assert all(players.knows_win(usual | {option.id: other}) is changes_no_rule for other in others), option.id


@pytest.mark.parametrize("game_id", FITTED)
def test_chance_rises_with_the_points(game_id: str) -> None:
    fitted = load_game(game_id).players.fitted(WIN)
    assert fitted is not None
    features = dict.fromkeys(fitted.weights, 0.0)
    chances = [fitted.value(features | {RISES_WITH[game_id]: points}) for points in (-20.0, -1.0, 0.0, 1.0, 20.0)]
    assert chances == sorted(set(chances))


@pytest.mark.parametrize("game_id", FITTED)
def test_chances_that_are_shown_are_calibrated(game_id: str) -> None:
    """By fresh games of each set-up that the fit covers. After a new fit: ``python -m tests.measures.calibration``."""
    fitted = load_game(game_id).players.fitted(WIN)
    assert fitted is not None
    kept = calibration.read(calibration.path_of(game_id))
    assert set(fitted.covers) <= set(kept)
    assert {kept[set_up].about["fit"] for set_up in fitted.covers} == {calibration.fit_of(game_id)}, "another fit was judged"
    assert calibration.verdict([kept[set_up].with_chances() for set_up in fitted.covers]) == []


@pytest.mark.parametrize("game_id", GAMES)
def test_chance_of_every_turn_is_a_probability(game_id: str) -> None:
    """None throughout where it is not known; after the end it is the result."""
    game = load_game(game_id)
    players = game.players
    set_up = dict(FITTED.get(game_id, ({},))[0])
    match = make_match(make_series(game, set_up.pop("scenario", ""), set_up, {"": "plain"}, "chances"), 1)
    match.begin()
    turns = 0
    while not match.over and match.actions < players.max_actions:
        turn = players.turn(match.position)
        match.play(lambda position, turn=turn: players.turn(position) != turn)  # type: ignore[misc]
        chances = [players.win(match.position, match.options, seat) for seat in players.seats]
        turns += 1
        if match.over:
            assert set(chances) <= {None, 0.0, 0.5, 1.0}
        elif game_id not in FITTED:
            assert set(chances) == {None}
        else:
            known = [chance for chance in chances if chance is not None]
            assert len(known) == len(players.seats) and all(0 <= chance <= 1 for chance in known)
            assert len(known) == 1 or sum(known) == pytest.approx(1)
    assert turns > 2

"""Whole games of Fallujah 2004 without people, on the made-up set that comes with the package."""

from __future__ import annotations

from functools import cache

import pytest

from companion.core.game import Game
from companion.core.match import Match
from companion.core.policies import PLAIN, PLAYER, RANDOM, RandomStream
from companion.core.position import Position
from companion.games import make_game
from companion.games.fallujah2004.notation import read_ground
from companion.games.fallujah2004.state import SPACES
from companion.session.facts import practice_facts
from companion.session.simulation import make_series, play_game
from companion.session.tables import load

SCENARIOS = ("vigilant_resolve", "phantom_fury", "campaign")


@cache
def game() -> Game:
    return make_game("fallujah2004", load("fallujah2004"))


@cache
def facts() -> dict[str, str]:
    return practice_facts(game())


def match(policy: str, scenario: str, seed: str, **chosen: str) -> Match:
    """A game, set up."""
    options = {key: option.default for key, option in game().options.items()} | {"scenario": scenario} | chosen
    made = Match(game(), options, {PLAYER: game().players.policy(PLAYER, policy)}, RandomStream(seed), facts(), keep=True)
    made.begin()
    return made


def test_the_made_up_set_describes_a_whole_map() -> None:
    """[3.1, 7.1(1)] Every crossing, twenty Objectives and Mosques, exits of each Base, and no contradiction."""
    grounds = {key.removeprefix("space:"): read_ground(text) for key, text in facts().items() if key.startswith("space:")}
    assert set(grounds) == SPACES
    assert sum(ground.holy for ground in grounds.values()) == 20
    assert game().contradictions(facts()) == []
    for base in ("north base", "south base", "east base", "west base"):
        assert sum(key.startswith("route:") and key.endswith(base) for key in facts()) > 3


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("policy", [PLAIN, RANDOM])
def test_whole_games_end(policy: str, scenario: str) -> None:
    """[8.1, 30.2] Every scenario ends and is scored, without questions about printed facts."""
    for seed in "ab":
        played = match(policy, scenario, seed)
        assert played.play()
        assert played.over and played.position.flag("msr cleared") is not None
        replies = [reply for deed in played.story or () for reply in deed.replies]
        assert not [reply.key for reply in replies if reply.kind == "printed" and reply.source not in ("remembered", "told")]
        if scenario == "campaign":
            actions = [deed.action for deed in played.story or ()]
            assert actions.count("second") == (played.position.flag("battle") == 2)
            assert game().players.turn(played.position) == played.position.track("operations") + 1000 * actions.count("second")


def test_helicopters_alone_play_on() -> None:
    """[8.3, 24.1] With one OP and one gunship left, the default order flies it."""
    played = match(PLAIN, "vigilant_resolve", "a")
    position = played.position
    pieces = {
        key: piece._replace(place="north base") if piece.name == "Joint GS1" else piece for key, piece in position.pieces.items()
    }
    played.position = Position({**position.tracks, "ops": 1}, pieces, {**position.flags, "stage": "play"})
    assert played.play() and played.position.track("operations")


def test_a_player_who_can_afford_nothing_continues_without_recruiting() -> None:
    """[11.1] An Uprising Elsewhere doubles the price of all that is left: J-1 cannot be had for the last OPs."""
    row = play_game(make_series(game(), "campaign", {}, {PLAYER: PLAIN}, "13"), 127)
    assert row.result and not row.error


def test_features_of_a_position_follow_the_table() -> None:
    """[6.1, 8.1] What a fitted value rests on: the points, the OPs, the Nodes left, and no hidden order."""
    played = match(PLAIN, "vigilant_resolve", "a")
    features = game().players.features(played.position, played.options, PLAYER)
    assert features["score"] == -20 and features["ops"] == 65 and features["nodes_left"] == 20
    assert features["troops"] == features["force"] == 0
    played.act()
    bought = game().players.features(played.position, played.options, PLAYER)
    assert bought["ops"] == played.position.track("ops") and bought["troops"] > 5 and set(bought) == set(features)

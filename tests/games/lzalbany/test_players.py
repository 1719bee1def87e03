"""Automatic play: seats, policies, the outcome of a game, and the practice maps."""

from __future__ import annotations

from companion.core.match import Match
from companion.core.policies import RandomStream
from companion.core.position import Position
from companion.core.requests import Choose, Confirm
from companion.games import make_game
from companion.games.lzalbany.areas import AreaMap, MapGraph, practice_areas, practice_flags
from companion.session.tables import load
from tests.games.lzalbany.field import Field
from tests.measures.strength import STATIONARY, StationaryPolicy

GAME = make_game("lzalbany", load("lzalbany"))
PLAYERS = GAME.players


def game(us: str, nva: str, seed: str, where: str = "practice", slips: bool = False) -> Match:
    """A whole game of two policies, by the priorities alone; ``slips``: an easy one slips."""
    policies = {"us": us, "nva": nva}
    own = {seat: StationaryPolicy(PLAYERS) for seat, name in policies.items() if name == STATIONARY}
    policies |= dict.fromkeys(own, "plain")
    options = {key: option.default for key, option in GAME.options.items()} | {"scenario": "battle", "map": where}
    options |= PLAYERS.options_for_policies(policies)
    seats = {s: PLAYERS.policy(s, name) for s, name in policies.items()} | own
    match = Match(GAME, options, seats, RandomStream(seed), {}, think={} if slips else None, keep=True)
    match.begin()
    assert match.play()
    return match


def test_the_deciding_seat_is_set_against_a_computer_side() -> None:
    """[7.3(5), 8.1] The other side may return fire and places its own hits."""
    for nva in ("player", "companion"):
        field = Field(nva=nva)
        request = Confirm("return", "d2 returns fire", "7.3(5)", True)
        asking = field.referee.decide(request, "US", "answer", lambda planner: planner.return_fire(), auto=True)
        asking.send(None)
        assert PLAYERS.asked_seat(request, "nva") == "us"
        asking.close()


def test_a_question_that_no_opponent_answers_has_its_seat_too() -> None:
    """[5.2D, 7.8] McDade joins the US."""
    referee = Field().referee
    assert PLAYERS.asked_seat(referee.for_side("NVA", Choose("spotter", "who sees it", "7.8", [])), "us") == "nva"


def test_results() -> None:
    """[4.1, 4.2, 4.3]"""
    field = Field(10)
    for us, nva, result in ((7, 6, "us"), (6, 7, "nva"), (6, 6, "draw"), (50, 35, "nva")):
        field.set(us_vp=us, nva_vp=nva)
        field.flag(over="turn 10 is over")
        outcome = PLAYERS.outcome(field.position, field.options)
        assert (outcome.result, outcome.score) == (result, us - nva)


def test_policies_go_with_options() -> None:
    """The opponents decide without questions; a seat that the rules treat as a player is asked."""
    proposes = {"opponent": "proposes"}
    assert PLAYERS.options_for_policies({"us": "bot", "nva": "plain"}) == {**proposes, "us": "companion", "nva": "player"}
    assert PLAYERS.options_for_policies({"us": "easy", "nva": "hard"}) == {**proposes, "us": "easy", "nva": "hard"}
    assert PLAYERS.options_for_policies({"us": "normal", "nva": "bot"}) == {**proposes, "us": "normal", "nva": "companion"}
    assert {"random", "plain", "bot", "easy", "normal", "hard"} == set(PLAYERS.policies("us"))


def test_a_stationary_player_never_moves() -> None:
    """[6.2] Except in the retreat, where he must [5.2E]."""
    match = game(STATIONARY, STATIONARY, "stands")
    moves = [reply.value for action in match.story or () for reply in action.replies if reply.key == "moves"]
    assert not [text for text in moves if text != "none" and "off" not in text]


def test_former_opponents_of_old_sessions_are_the_present_one() -> None:
    """[3.1] Their names can be read in old sessions, and the planner decides for them."""
    assert GAME.options["us"].unlisted == ("easy", "normal", "hard", "v1", "still")
    for value in ("v1", "still", "companion"):
        field = Field(us=value)
        referee = field.referee
        assert referee.is_computer("US") and type(referee.data.planner(referee, "US")).__name__ == "Planner"


def test_both_practice_maps_are_consistent() -> None:
    """[2.2, 3.2] Neighbours are mutual; everybody has an area to begin in, with room for the set-up."""
    for which in ("practice", "valley"):
        areas = practice_areas(GAME.tables.counters, which)
        graph = MapGraph(practice_flags(areas))
        where = AreaMap(Position(flags=dict(practice_flags(areas))), graph)
        assert all(area in graph.listed[neighbour] for area, neighbours in graph.listed.items() for neighbour in neighbours)
        starts = [area["start"] for area in areas]
        assert starts.count("us1") * 3 >= 15 and starts.count("nva1") * 3 >= 16 and starts.count("nva2") >= 2
        assert where.edge(next(area["name"] for area in areas if area["edge"] == "east")) == "east"


def test_the_second_map_is_played_on() -> None:
    """By anybody, to the end."""
    for policy in ("random", "bot"):
        match = game(policy, policy, "valley", "valley")
        assert match.over and match.position.flag("next:h3")


def test_old_names_of_choices_are_taken_but_not_offered() -> None:
    """Old sessions hold ``at_once``; opponents for measurements are accepted and not listed."""
    option = GAME.options["opponent"]
    assert option.choices == ("acts", "proposes") and option.unlisted == ("confirm", "at_once")
    for value, once in (("confirm", False), ("proposes", False), ("at_once", True), ("acts", True)):
        assert Field(nva="companion", opponent=value).referee.acts_at_once is once


def test_between_two_actions_both_players_are_named() -> None:
    """[3.3] A phase and a chit are both players' business; a question is one side's."""
    players = GAME.players
    position = Field().position

    assert players.player_name({"players": "Ann, Bob"}, position, None) == "US Ann, NVA Bob"
    assert players.player_name({"players": ""}, position, None) == ""
    asked = Confirm("return", "US in d2: return fire?", "7.3(5)", True)
    asked.seat = "us"
    assert players.player_name({"players": "Ann, Bob"}, position, asked) == "Ann"

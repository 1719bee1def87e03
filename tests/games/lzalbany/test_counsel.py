"""Advice at the pending question: the decision that the opponent would take for that side."""

from __future__ import annotations

import pytest

from companion.core.match import Match
from companion.core.policies import RandomStream
from companion.core.resolver import Answers
from companion.games import make_game
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.session.tables import load
from tests.measures.strength import StationaryPolicy

GAME = make_game("lzalbany", load("lzalbany"))
PLAYERS = GAME.players
PUT = {"a/2-7", "c/2-7", "d/2-7", "us-senior"}


def begun(archive: Archive, **options: str) -> SessionController:
    given = {"map": "practice", "nva": "companion", "opponent": "acts", **options}
    return SessionController.create(archive, "lzalbany", options=given, seed="4", think="0")


def until(session: SessionController, key: str) -> None:
    """Play on by the advice, without rollouts, up to a question."""
    for _ in range(60):
        if session.pending is None:
            session.do("next")
        elif session.pending.key == key:
            return
        else:
            session.answer(Answers(accept=True))
    raise AssertionError(f"'{key}' is not asked")


def test_a_plan_is_compared_by_rollouts_and_reported_with_its_numbers(archive: Archive) -> None:
    """[5.2] Which group, and how: the value of the choice with its error, what decided, what was passed over."""
    session = begun(archive)
    until(session, "group")
    clear = session.counsel("4")
    assert clear is not None and " VP" in clear.because[0] and clear.because[-1].startswith("out: ")
    quick = session.counsel("0")
    assert quick is not None and quick.because[-1].startswith("out: ")


@pytest.mark.long
def test_a_plan_states_the_number_of_its_rollouts(archive: Archive) -> None:
    """[5.2] Where more than one plan is worth thinking about."""
    session = begun(archive)
    until(session, "group")
    while (said := session.counsel("4")) is not None and len(said.because) < 3:
        session.answer(Answers(accept=True))
        until(session, "group")
    assert said is not None and said.rule == "5.2" and said.because[0].endswith("by 4 playouts")


def test_advice_at_the_deployment_needs_start_areas(archive: Archive) -> None:
    """[3.2C] By the start areas of the map; if none are entered there is neither advice nor a random area."""
    session = begun(archive)
    session.do("deploy")
    advice = session.counsel("0")
    assert advice is not None and advice.text.startswith("Advice: 1/A/2-7 ") and "co/A/2-7 > " in advice.text
    own = begun(archive, map="own")
    own.do("deploy")
    assert own.pending is not None and own.pending.key == "a/2-7" and own.counsel("0") is None


@pytest.mark.slow
@pytest.mark.parametrize("seat", PLAYERS.seats)
def test_advice_in_a_players_place_plays_as_well_as_the_opponent(seat: str) -> None:
    """The same decisions whether the rules let it decide or ask it: it beats one that never moves from either seat."""
    other = next(seat_name for seat_name in PLAYERS.seats if seat_name != seat)
    options = {key: option.default for key, option in GAME.options.items()} | {"scenario": "battle", "map": "practice"}
    seats = {seat: PLAYERS.policy(seat, "bot"), other: StationaryPolicy(PLAYERS)}
    scores = []
    for number in range(2):
        match = Match(GAME, options, seats, RandomStream(f"advised/{number}"), {})
        match.begin()
        assert match.play()
        scores.append(PLAYERS.outcome(match.position, options).score * (1 if seat == "us" else -1))
    assert sum(scores) > (-10 if seat == "us" else 30)


def test_a_fire_is_advised_as_the_menu_has_it(archive: Archive) -> None:
    """[7.3(1), 7.4(1)] Origin and target, also of mortars: the advice is one of the choices."""
    session = begun(archive, nva="player", us="companion")
    until(session, "group")
    session.answer(Answers(keyed=[("group", "33 fire")]))
    advised = []
    while session.pending is not None and session.pending.key == "combat":
        advice = session.counsel("0")
        assert advice is not None
        advised.append(advice.text.removeprefix("Advice: "))
        assert advised[-1] in {choice.value for choice in session.pending.legal_choices()}
        assert advised[-1] == "done" or advised[-1].rpartition("> ")[2] in " ".join(advice.because)
        session.answer(Answers(keyed=[("combat", advised[-1])], accept=True))

    assert any(text.startswith("mortar ") for text in advised)

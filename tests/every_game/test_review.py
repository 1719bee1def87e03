"""The review of the first actions of each game: its parts add up, and what it says of decisions fits the log."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.core.policies import PLAIN
from companion.core.review import GameReview, Level, ReviewedDecision
from companion.core.review_playouts import Reviewer, review_game
from companion.core.review_walk import ReviewScope
from companion.games import GAMES
from companion.session import database
from companion.session.controller import SessionController
from companion.session.facts import practice_facts
from companion.session.review import known_facts, played_entries, session_review
from companion.session.simulation import make_series, replay_as_session
from companion.session.state import load_game
from companion.session.store import Archive

ACTIONS = {"fallujah2004": 4, "fallujahcards": 5, "iraqwar2003": 3, "lzalbany": 4, "phantomfury": 4}
"""How many actions are reviewed."""
OTHERS = {"iraqwar2003": {"iraq": "bot"}}
"""Policies of seats besides the plain one, which is for a person."""


@pytest.fixture(scope="module", params=GAMES)
def session(request: pytest.FixtureRequest) -> Iterator[SessionController]:
    """A session of a game that ended after its first actions."""
    game_id = request.param
    series = make_series(load_game(game_id), "", {}, {"": PLAIN, **OTHERS.get(game_id, {})}, "review")
    with Archive(database.IN_MEMORY, database.connect(database.IN_MEMORY)) as archive:
        session = replay_as_session(archive, series, 1).session
        session.undo(len(session.history.force) - 1 - ACTIONS[game_id])
        yield session


@pytest.fixture(scope="module")
def found(session: SessionController) -> GameReview:
    facts, entries = session.log.facts(), list(played_entries(session))
    return review_game(Reviewer(ReviewScope(session.game, session.options, facts, Level(2, 3)), "every game"), "quick", entries)


def test_parts_add_up_in_every_world(found: GameReview) -> None:
    assert not found.skipped and found.points and found.steps
    for world in range(2):
        total = found.start.vp[world] + sum(step.change.vp[world] for step in found.steps)
        assert total == pytest.approx(found.result.vp[world])
    assert sum(share.vp.mean for share in found.shares()) == pytest.approx(found.result.vp_estimate.mean)
    assert {step.part for step in found.steps} <= {"luck", "decisions", "rest"}


def check_decision(session: SessionController, decision: ReviewedDecision) -> None:
    """What is said of a decision fits what the log holds and what the figures are."""
    entry = session.history.find(decision.entry)
    taken = [one for one in decision.alternatives if one.is_taken]
    assert len(taken) == 1 and taken[0].text == decision.taken and decision.alternatives[0].text == decision.best
    assert len({one.text for one in decision.alternatives}) == len(decision.alternatives)
    if decision.reply:
        assert entry.replies[decision.reply - 1].key == decision.key and decision.prompt
    else:
        assert decision.taken.split()[0] == entry.action
    assert decision.alternatives[0].loss.mean == 0 and decision.seat in session.game.players.seats
    if decision.reason:
        assert decision.reason.startswith(decision.best) and f"{abs(taken[0].loss.mean):.1f} VP" in decision.reason


def test_decisions_are_those_of_the_log(session: SessionController, found: GameReview) -> None:
    for decision in found.decisions:
        check_decision(session, decision)


def test_a_replayed_game_is_reviewed_with_the_facts_that_it_was_played_with(session: SessionController) -> None:
    """The archive of a replayed game does not have them, but its log."""
    facts, made_up = known_facts(session), practice_facts(session.game)
    assert not session.log.facts()
    assert all(made_up.get(key, value) == value for key, value in facts.items())
    assert facts or not made_up or session.game.id == "lzalbany"  # where the map of practice is an option


def test_review_of_a_session_is_kept_and_found_again(session: SessionController, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.session.review.LEVELS", {"quick": Level(1, 2)})
    turn = session.game.players.turn(session.position)
    whole = session_review(session, "quick", last=turn)
    monkeypatch.setattr(Reviewer, "review", None)  # nothing is reviewed again
    assert session_review(SessionController.open(session.archive, session.info), "quick", last=turn) == whole

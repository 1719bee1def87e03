"""The review of whole games, and of games with corrections: its parts add up to the result, and it misses no action."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.core.policies import BOT, PLAIN
from companion.core.review import KEY_MOMENTS, GameReview, Level, Worth
from companion.core.review_playouts import CORRECTED, ReviewedEntry, Reviewer
from companion.core.review_walk import COMPANION, PLAYER, PlayedEntry
from companion.games import GAMES
from companion.session import database
from companion.session.controller import Answers, SessionController
from companion.session.review import played_entries, session_review
from companion.session.simulation import make_series, replay_as_session
from companion.session.state import load_game
from companion.session.store import Archive
from tests.every_game.test_review import check_decision

WORLDS = 2
CARDS = "fallujahcards"
LONG = ("iraqwar2003",)
"""Games whose review takes a minute."""
UNDONE, AMENDED = 4, 7
"""Actions of the corrected game; an amended one has another number from then on."""
OTHERS = {"iraqwar2003": {"iraq": BOT}, "lzalbany": {"nva": BOT}}
"""Policies of seats besides the plain one, which is for a person."""


@pytest.fixture(scope="module")
def archive() -> Iterator[Archive]:
    """An archive in memory, whose reviews take few worlds."""
    with pytest.MonkeyPatch.context() as patch, Archive(database.IN_MEMORY, database.connect(database.IN_MEMORY)) as archive:
        patch.setattr("companion.session.review.LEVELS", {"quick": Level(WORLDS, 2)})
        yield archive


def check_sum(session: SessionController, review: GameReview) -> None:
    """Each world adds up to the result, and each action is reviewed or counted."""
    for world in range(WORLDS):
        total = review.start.vp[world] + sum(step.change.vp[world] for step in review.steps)
        assert total == pytest.approx(review.result.vp[world], abs=1e-4)
    assert sum(share.vp.mean for share in review.shares()) == pytest.approx(review.result.vp_estimate.mean, abs=1e-4)
    if review.unit == "win":
        wins = [share.win.mean for share in review.shares() if share.win is not None]
        assert len(wins) == len(review.shares()) and review.result.win_estimate is not None
        assert sum(wins) == pytest.approx(review.result.win_estimate.mean, abs=1e-4)
    numbers = [entry.number for entry in played_entries(session)]
    places = [(point.segment, point.entry) for point in review.points]
    assert places == sorted(places) and {entry for _, entry in places} <= {0, *numbers}
    # an action without a roll and a decision changes nothing of what can be expected
    silent = {entry.number for entry in played_entries(session) if entry.procedure is not None and not entry.replies}
    changed = {step.entry for step in review.steps if step.part in ("luck", "decisions")}
    assert len(set(numbers) - silent - changed) == sum(review.skipped.values())


def check_figures(session: SessionController, review: GameReview) -> None:
    """Accuracies, moments and decisions are what they can be."""
    moments = review.moments()
    assert len(moments) <= KEY_MOMENTS and all(moment.part in ("luck", "decisions") for moment in moments)
    for by_person in (True, False):
        for accuracy in review.accuracies(by_person=by_person):
            assert 0 <= accuracy.mean <= 100 and sum(accuracy.grades.values()) == accuracy.decisions
    for decision in review.decisions:
        check_decision(session, decision)


@pytest.mark.parametrize(
    "game_id", [pytest.param(game, marks=pytest.mark.long if game in LONG else pytest.mark.slow) for game in GAMES]
)
def test_whole_game_adds_up_to_its_final_result(game_id: str, archive: Archive) -> None:
    series = make_series(load_game(game_id), "", {}, {"": PLAIN, **OTHERS.get(game_id, {})}, "whole")
    session = replay_as_session(archive, series, 1).session
    review = session_review(session, "quick")
    score = session.game.players.outcome(session.position, session.options).score
    assert review.is_over and not review.skipped
    assert review.result.vp == pytest.approx([score] * WORLDS)
    assert (review.points[-1].vp.mean, review.points[-1].vp.error) == (pytest.approx(score), 0)
    check_sum(session, review)
    check_figures(session, review)


# -- corrections -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def corrected(archive: Archive) -> SessionController:
    """A game with draws by hand, an undone action, an amended answer, and a correction of the table between two actions."""
    session = SessionController.create(archive, CARDS, seed="corrected")
    for card in ("Grunts", "Rocket Attacks", "Humvee"):
        session.do("turn", Answers(draws=[card]))
    session.undo()
    for _ in range(3):
        take_turn(session)
    session.amend(AMENDED, 2, "decline")
    session.adjust([("Light Attack Vehicle@hand", "casualty")], "it was lost")
    for _ in range(2):
        take_turn(session)
    return session


def take_turn(session: SessionController) -> None:
    """Play a turn with the first answer to each question."""
    session.do("turn", Answers())
    while session.pending is not None:
        session.answer(Answers(plain=[session.pending.legal_choices()[0].value]))


def test_corrected_game_adds_up(corrected: SessionController) -> None:
    review = session_review(corrected, "quick")
    check_sum(corrected, review)
    check_figures(corrected, review)

    assert review.skipped == {CORRECTED: 1}
    assert [share.part for share in review.shares()].count("corrections") == 1
    assert {point.segment for point in review.points} == {0, 1}


def test_correction_begins_a_segment_where_it_was_made(corrected: SessionController) -> None:
    review = session_review(corrected, "quick")
    (adjusted,) = [entry.number for entry in played_entries(corrected) if entry.procedure is None]

    assert [step.entry for step in review.steps if step.part == "corrections"] == [adjusted]
    first = next(point for point in review.points if point.segment == 1)
    assert (first.entry, first.text) == (adjusted, "")
    assert all(point.segment == int(point.entry >= adjusted) for point in review.points)


def test_draws_by_hand_are_luck_by_the_player(corrected: SessionController) -> None:
    review = session_review(corrected, "quick")
    by_hand = [step.entry for step in review.steps if (step.part, step.who) == ("luck", PLAYER)]

    assert by_hand == [2, 3]
    assert {share.who for share in review.shares() if share.part == "luck"} == {PLAYER, COMPANION}


def test_what_was_undone_is_not_reviewed_and_what_was_amended_is_as_it_is_now(corrected: SessionController) -> None:
    review = session_review(corrected, "quick")

    assert UNDONE not in {step.entry for step in review.steps} | {point.entry for point in review.points}
    amended = next(entry.number for entry in played_entries(corrected) if any(reply.key == "destroy" for reply in entry.replies))
    assert [step.text for step in review.steps if step.entry == amended and step.part == "decisions"] == ["destroy=decline"]


def test_review_before_the_corrections_is_used_again(corrected: SessionController, monkeypatch: pytest.MonkeyPatch) -> None:
    session_review(corrected, "quick")
    corrected.undo()
    found = Reviewer.review
    again: list[int] = []

    def review(reviewer: Reviewer, entry: PlayedEntry, start: Worth | None = None) -> ReviewedEntry:
        again.append(entry.number)
        return found(reviewer, entry, start)

    monkeypatch.setattr(Reviewer, "review", review)
    check_sum(corrected, session_review(corrected, "quick"))
    corrected.redo()
    assert again == []


def test_action_during_which_the_table_was_corrected_is_left_out(archive: Archive) -> None:
    session = SessionController.create(archive, CARDS, seed="corrected")
    for card in ("Grunts", "Humvee", "Courtyard"):
        session.do("turn", Answers(draws=[card]))
    assert session.pending is not None
    session.adjust([("Humvee@hand", "casualty")], "it was lost")
    session.answer(Answers(plain=["Grunts"]))
    corrected = session.history.in_force[-1].number
    take_turn(session)
    review = session_review(session, "quick")

    check_sum(session, review)
    assert review.skipped == {CORRECTED: 1}
    assert [step.entry for step in review.steps if step.part == "corrections"] == [corrected]
    assert next(point.entry for point in review.points if point.segment == 1) == corrected

"""Sealed questions: each seat answers its part unseen, in any order; all parts are revealed together."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, SessionMoved, Unreadable
from companion.core.resolver import Answers, TypedValue
from companion.session.controller import SessionController
from companion.session.store import Archive


@pytest.fixture
def session(archive: Archive, ambush_game: str) -> SessionController:
    return SessionController.create(archive, ambush_game, seed="7")


def part(value: str | int) -> Answers:
    """The answer of a seat."""
    return Answers(plain=[TypedValue.of(value) if isinstance(value, int) else value])


def reopened(session: SessionController) -> SessionController:
    """The session as another process finds it."""
    return SessionController.open(session.archive, session.info.name)


def replies(session: SessionController) -> list[tuple[str, str]]:
    """Seat and shown value of each reply of the last entry in force."""
    return [(reply.seat, str(reply.value)) for reply in session.history.in_force[-1].replies]


@pytest.mark.parametrize("order", [("red", "blue"), ("blue", "red")])
def test_parts_are_answered_in_any_order_and_revealed_together(session: SessionController, order: tuple[str, str]) -> None:
    session.begin("orders")
    answers = {"red": "hill", "blue": "wood"}
    number = session.question_number
    first, last = order
    result = session.answer(part(answers[first]), at=number, seat=first)
    assert not result.done and not result.events
    assert replies(session) == [(first, "sealed")] == replies(reopened(session))
    assert session.pending_for(first) is None and session.pending_for(last) is not None
    result = reopened(session).answer(part(answers[last]), at=number, seat=last)
    session.refresh()
    assert result.done and "Red goes to the hill, Blue to the wood" in str(result.events)
    assert replies(session) == [(first, answers[first]), (last, answers[last])]
    assert reopened(session).position == session.position


def test_without_seats_the_parts_are_asked_in_turn(session: SessionController) -> None:
    result = session.do("orders", Answers([("order", "ford"), ("order", "hill")]))
    assert result.done and "Red goes to the ford, Blue to the hill" in str(result.events)


def test_a_seat_answers_only_its_own_part(session: SessionController) -> None:
    session.begin("stakes")
    with pytest.raises(Unreadable, match="not asked for"):
        session.answer(Answers(plain=["3", "4"]), seat="blue")
    session.answer(part(3), seat="blue")
    with pytest.raises(Illegal, match=r"Blue has answered; still asked: Red.*undo --reply --seat blue"):
        session.answer(part(4), seat="blue")
    with pytest.raises(Illegal, match="is not asked"):
        session.answer(part(4), seat="green")


def test_the_same_answer_again_is_harmless_and_another_is_stale(session: SessionController) -> None:
    session.begin("orders")
    number = session.question_number
    session.answer(part("wood"), at=number, seat="blue")
    seq = session.history.seq
    assert session.answer(part("wood"), at=number, seat="blue").repeated and session.history.seq == seq
    with pytest.raises(SessionMoved, match="not open any more"):
        session.answer(part("hill"), at=number, seat="blue")
    assert session.answer(part("hill"), at=number, seat="red").done
    assert session.answer(part("wood"), at=number, seat="blue").repeated
    assert session.answer(part("hill"), at=number, seat="red").repeated


def test_no_guess_is_checked_against_a_part_for_whoever_names_no_seat(session: SessionController) -> None:
    session.begin("orders")
    number = session.question_number
    session.answer(part("wood"), at=number, seat="red")
    for guess in ("wood", "hill"):
        with pytest.raises(SessionMoved):
            session.answer(part(guess), at=number)  # the number of Red's part


def test_a_seat_takes_back_its_own_part_and_the_others_stay_sealed(session: SessionController) -> None:
    session.begin("orders")
    session.answer(part("wood"), seat="red")
    with pytest.raises(Illegal, match="Blue has not answered"):
        session.undo_reply("blue")
    session.undo_reply("red")
    assert replies(session) == []
    session.answer(part("ford"), seat="blue")
    session.answer(part("hill"), seat="red")
    entry = session.history.in_force[-1]
    assert [(reply.seat, reply.value) for reply in entry.replies] == [("blue", "ford"), ("red", "hill")]
    taken_back = session.history.entries[entry.copy_of]
    assert [str(reply.value) for reply in taken_back.replies] == ["sealed"]  # for ever


def test_undo_of_the_first_part_keeps_the_second(session: SessionController) -> None:
    session.begin("stakes")
    session.answer(part(7), seat="blue")
    session.undo_reply("blue")
    session.answer(part(2), seat="blue")
    result = session.answer(part(1), seat="red")
    assert result.done and "Red stakes 1, Blue 2" in str(result.events)


def test_redo_brings_a_part_back_sealed(session: SessionController) -> None:
    session.begin("orders")
    session.answer(part("wood"), seat="red")
    session.undo_reply("red")
    session.redo()
    assert replies(session) == [("red", "sealed")] == replies(reopened(session))
    assert session.answer(part("hill"), seat="blue").done


def test_after_the_reveal_undo_takes_back_the_last_part(session: SessionController) -> None:
    session.begin("orders")
    session.answer(part("wood"), seat="blue")
    session.answer(part("hill"), seat="red")
    session.undo_reply()
    assert replies(session) == [("blue", "sealed")] and session.pending_for("red")
    session.redo()
    assert replies(session) == [("blue", "wood"), ("red", "hill")]


def test_amend_changes_a_revealed_part_of_either_order(session: SessionController) -> None:
    session.begin("stakes")
    session.answer(part(2), seat="blue")
    session.answer(part(5), seat="red")
    assert session.position.track("score") == 1
    number = session.history.force[-1]
    session.amend(number, 1, "9")
    assert session.position.track("score") == -1 and session.position.track("blue_gold") == 99_991
    assert replies(session) == [("blue", "9"), ("red", "5")]
    session.amend(session.history.force[-1], 2, "10")
    assert session.position.track("score") == 1
    assert reopened(session).position == session.position


def test_amend_before_the_reveal_shows_nothing(session: SessionController) -> None:
    session.begin("stakes")
    session.answer(part(2), seat="blue")
    result = session.amend(session.pending_entry, 1, "8")
    assert replies(session) == [("blue", "sealed")] and "8" not in str(result.notes)
    session.answer(part(1), seat="red")
    assert session.position.track("blue_gold") == 99_992


def test_branch_bundle_and_restore_keep_the_parts(session: SessionController, archive: Archive) -> None:
    session.begin("stakes")
    session.answer(part(2), seat="blue")
    copy = SessionController.open(archive, session.branch("copy"))
    copy.answer(part(1), seat="red")
    assert copy.position.track("blue_gold") == 99_998 and session.pending_for("red")

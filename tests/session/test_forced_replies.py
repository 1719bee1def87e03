"""What has one answer is said, not asked: whatever question has a single reply answers itself, and says so."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.core.errors import Impossible, NoEligiblePiece, RuleFault
from companion.core.requests import Choice, Choose, Confirm, Number, Pick
from companion.session.controller import Answers, SessionController
from companion.session.store import Archive
from tests.support import tiny

ALPHA, BRAVO = Choice("alpha", "Alpha Company"), Choice("bravo", "Bravo Company")


@pytest.mark.parametrize(
    ("request_", "only"),
    [
        (Choose("k", "Which", "1", [ALPHA]), "alpha"),
        (Choose("k", "Which", "1", [ALPHA, BRAVO]), None),
        (Number("k", "Many", "1", 2, 2), 2),
        (Number("k", "Many", "1", 1, 2), None),
        (Pick("k", "Which", "1", [ALPHA, BRAVO], 2), ["alpha", "bravo"]),
        (Pick("k", "Which", "1", [ALPHA], 0), None),
        (Pick("k", "Which", "1", [ALPHA], 0, 0), []),
        (Confirm("k", "So", "1"), None),
    ],
)
def test_only_legal_reply_is_forced(request_: Choose | Number | Pick | Confirm, only: object) -> None:
    assert request_.forced_reply() == only


def test_question_without_choices_is_a_fault_of_its_game() -> None:
    with pytest.raises(RuleFault, match="the question 'k' has no choices"):
        Choose("k", "Which", "1", []).forced_reply()


@pytest.fixture
def session(archive: Archive, tiny_game: str) -> SessionController:
    return SessionController.create(archive, tiny_game, seed="7")


@pytest.fixture
def choosing(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes resting ask which company rests, and then how long."""

    def make(*choices: Choice) -> None:
        async def rest(ford: tiny.Ford) -> None:
            who = await ford.choose("who", "Who rests", "1.1", choices)
            hours = await ford.number("hours", "How long", "1.1", 1, 3)
            ford.say(f"{who} rests {hours}", "1.1")

        monkeypatch.setattr(tiny.Ford, "rest", rest)

    return make


def said(session: SessionController) -> str:
    return next(event.text for event in session.events_of(2))  # type: ignore[union-attr]


def test_forced_reply_is_shown_and_stored_with_its_source(session: SessionController, choosing: Callable[..., None]) -> None:
    choosing(ALPHA)
    step = session.do("rest")
    assert step.pending and step.pending.key == "hours"
    assert step.settled == (("who", "Alpha Company"),)
    assert [(reply.key, reply.source) for reply in session.history.entries[2].replies] == [("who", "only")]


@pytest.mark.parametrize("typed", ["alpha", "al", "1"])
def test_naming_the_forced_reply_is_accepted(session: SessionController, choosing: Callable[..., None], typed: str) -> None:
    choosing(ALPHA)
    session.do("rest", Answers(plain=[typed, "2"]))
    assert said(session) == "alpha rests 2"


def test_forced_question_uses_no_plain_answer(session: SessionController, choosing: Callable[..., None]) -> None:
    choosing(ALPHA)
    session.do("rest", Answers(plain=["3"]))
    assert said(session) == "alpha rests 3"


def test_undo_reply_skips_forced_replies(session: SessionController, choosing: Callable[..., None]) -> None:
    choosing(ALPHA)
    session.do("rest")
    session.reply("2")
    assert session.undo_reply().pending is not None
    session.undo_reply()
    assert session.pending is None


def test_two_choices_are_a_question(session: SessionController, choosing: Callable[..., None]) -> None:
    choosing(ALPHA, BRAVO)
    step = session.do("rest")
    assert step.pending and step.pending.key == "who" and step.settled == ()


def test_naming_another_than_the_only_choice_is_refused() -> None:
    """What is in no list can be named, so that it is refused by its rule: never taken for the label of what is offered."""
    one, other = Choice("2", "Squad 2"), Choice("4", "Squad 4")
    for request in (Choose("unit", "Who", "1", [one], None, [other]), Pick("unit", "Who", "1", [one], 1, others=[other])):
        assert request.forced_reply() in ("2", ["2"])
        assert request.is_excluded("4") and not request.is_excluded("2") and not request.is_excluded("squad 2")
        for name in ("4", "Squad 4", "squad 4"):
            assert Answers(plain=[name]).next_is_excluded(request), name
        assert not Answers(plain=["2"]).next_is_excluded(request)
    assert Pick("unit", "Who", "1", [one], 1, others=[other]).read("4") == ["4"]


def test_refusal_names_the_chosen_ineligible_piece() -> None:
    """Where none of several can, the refusal is about the one that was named."""
    fault = NoEligiblePiece(
        "nobody can", "unit", [(("2", "Squad 2"), ("Squad 2 sleeps", "1.1")), (("4", "Squad 4"), ("it eats", "1.2"))], rule="1"
    )

    assert str(fault.refusal_of(Answers([("unit", "squad 4")]).texts_for("unit"))) == "it eats [1.2]"
    assert str(fault.refusal_of(Answers(plain=["2", "8"]).texts_for("unit"))) == "Squad 2 sleeps [1.1]"
    assert fault.refusal_of([]) is fault


def test_ordered_choice_of_all_is_asked() -> None:
    assert Pick("k", "In which order", "1", [ALPHA, BRAVO], 2, ordered=True).forced_reply() is None
    assert Pick("k", "In which order", "1", [ALPHA], 1, ordered=True).forced_reply() == ["alpha"]


@pytest.mark.parametrize("hard", [False, True])
def test_refused_answer_records_no_fact(session: SessionController, monkeypatch: pytest.MonkeyPatch, hard: bool) -> None:
    async def rest(ford: tiny.Ford) -> None:
        await ford.number("hours", "How long", "1.1", 1, 3)
        await ford.choose("who", "Who rests", "1.1", [ALPHA, BRAVO])
        await ford.record_fact("strength:Red", "3", "2.2")
        ford.forbid("nobody rests", "1.1")
        if hard:
            raise Impossible("nor anyway", rule="1.1")

    monkeypatch.setattr(tiny.Ford, "rest", rest)
    step = session.do("rest", Answers(plain=["2", "alpha"]), partial=True)
    assert step.fault is not None and step.pending and step.pending.key == "who"
    assert "strength:Red" not in session.log.facts()

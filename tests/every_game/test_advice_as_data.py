"""A program carries out the data of an advice: `do` and `answer` take it, and it is what the words name."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from companion import api
from companion.core.match import PlannedAction, plan_to_input
from companion.games import GAMES
from companion.session.controller import SessionController
from tests.every_game.test_api import random_answer_of_the_page
from tests.support.commands import companion

STEPS = {"fallujahcards": 40, "iraqwar2003": 30}
OTHERS = 2  # Candidates passed over that are tried at each point
SHOWN_IN_ALL_GAMES = 2  # Candidates that the reasons name
ROUNDED = 0.051  # Figures in words have a decimal


def controller_of(session: api.Session) -> SessionController:
    return session._controller


def carry_out(session: api.Session, action: str, at: str, answers: Any) -> api.Done:
    return session.do(action, answers=answers) if action else session.answer(at=at, answers=answers)


def assert_words_name(session: api.Session, advice: api.Advice) -> None:
    """The first line of the advice names the action or the answer."""
    controller = controller_of(session)
    request = controller.pending
    if request is None and not controller.game.has_bot:
        assert advice[0].text == plan_to_input(PlannedAction(advice.action, advice.answers))
    elif request is None:  # the words say what is decided within the action
        assert advice.action == controller.game.default_action(session.position) or advice[0].text.startswith(advice.action)
    else:
        assert list(advice.answers) == [request.key]
        text = request.to_input(request.check(advice.answers[request.key]))
        assert advice[0].text.partition(": ")[2].startswith(text)


def assert_figures_agree(advice: api.Advice) -> None:
    """The value and the gaps to the others are those of the reasons, as far as they name them."""
    first, *others = advice.candidates
    reasons = "\n".join(advice.reasons)
    (value,) = re.findall(rf"^{re.escape(first.name)}: (?:expected final score )?([-+]?\d+\.\d+)", reasons, re.M)
    assert abs(float(value) - first.value) < ROUNDED
    out = "".join(line for line in advice.reasons if line.startswith(("out: ", "Passed over: ")))
    for other in others:
        for gap in re.findall(rf"(?:: |; ){re.escape(other.name)} ([-+]?\d+\.\d+)", out):
            assert abs(float(gap) - (other.value - first.value)) < ROUNDED, (other, out)
    named = [one for one in advice.candidates if not (one.playouts > 1 and one.gap == one.gap_error == 0) or one is first]
    assert all(candidate.name in reasons for candidate in named[:SHOWN_IN_ALL_GAMES])  # those that go alike are only counted


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_advice_is_carried_out_from_its_data(game: str) -> None:
    """At actions and questions of a practice game; so are the candidates that were passed over."""
    dice, random_answer = random.Random(f"{game} 5"), random_answer_of_the_page()
    carried: dict[bool, int] = {True: 0, False: 0}  # by whether it is an answer
    valued = 0
    with api.open_archive(api.MEMORY, practice=True) as archive:
        session = archive.begin(game, seed=5, accept=True)
        for _ in range(STEPS.get(game, 25)):
            if session.over:
                break
            question = session.question
            try:
                advice = session.advice()
            except (api.Unreadable, api.QuestionPending):
                advice = None
            if advice is None or not (advice.action or advice.answers):
                step(session, random_answer, dice)
                continue
            assert bool(advice.action) == (question is None) and advice.at == (question.at if question else "")
            assert_words_name(session, advice)
            if advice.candidates:
                valued += 1
                first = advice.candidates[0]
                assert (first.action, first.answers, first.value) == (advice.action, advice.answers, advice.value)
                assert_figures_agree(advice)
            for other in advice.candidates[1 : OTHERS + 1]:
                carry_out(session.branch(), other.action, advice.at, other.answers)
            carry_out(session, advice.action, advice.at, advice.answers)
            carried[bool(question)] += 1
    assert carried[False] > 1 and carried[True] > 1 and valued > 1


def step(session: api.Session, random_answer: Any, dice: random.Random) -> None:
    """Go on at random where there is no advice."""
    question = session.question
    try:
        if question:
            session.answer(random_answer(question, dice), at=question.at)
        else:
            session.do(dice.choice(session.legal).id)
    except api.CompanionError:
        if question:
            session.undo()


FIGURE = r"([-+]?[\d.]+)"
WORLDS = 6
PLAYED_ON = 2  # Advices with playouts that are looked at in each game


def assert_sentences_have_the_figures(advice: api.Advice) -> None:
    """Value, chance to win, playouts, gaps and errors: those of the data, as they are rounded."""
    best, *others = advice.candidates
    reasons = "\n".join(advice.reasons)
    found = re.search(rf"^{re.escape(best.name)}: (?:expected final score )?{FIGURE}(?: VP)? \(\+-{FIGURE}\)", reasons, re.M)
    assert found and found.groups()[1] == f"{best.error:.1f}" and abs(float(found[1]) - best.value) < ROUNDED
    assert f"{best.playouts} playouts" in reasons or f"{best.playouts} shuffles" in reasons
    if best.win is not None:
        assert f"wins {best.win:.0%} (+-{100 * best.win_error:.0f})" in reasons
    out = "".join(line for line in advice.reasons if line.startswith(("out: ", "Passed over: ")))
    for other in others:
        for gap, error in re.findall(rf"(?:: |; ){re.escape(other.name)} {FIGURE} \(\+-{FIGURE}\)", out):
            assert other.gap is not None and error == f"{other.gap_error:.1f}" and abs(float(gap) - other.gap) < ROUNDED
    assert (best.gap, best.gap_error) == (0.0, 0.0) and best.win_gap in (0.0, None)


def assert_second_is_explained(advice: api.Advice) -> None:
    """The sentence names a candidate, and has its gap, errors and worlds; the reasons of an opponent have the same sentence."""
    named = [one for one in advice.candidates[1:] if advice.passed_over.startswith(f"{one.name} is passed over: ")]
    assert named
    told = advice.passed_over.removeprefix(f"{named[0].name} is passed over: ")
    fitting = [one for one in named if sentence_of(one) == told or (one.gap == one.gap_error == 0 and "the same came" in told)]
    assert fitting, (told, named)
    if "VP" in "".join(advice.reasons):
        assert advice.passed_over in "\n".join(advice.reasons)


def sentence_of(candidate: api.Candidate) -> str:
    """The same sentence, written from the data as another program might."""
    gap, chance, worlds = (
        candidate.gap or 0.0,
        candidate.win_gap,
        f" in {candidate.playouts} world{'s' * (candidate.playouts != 1)}",
    )
    words = f"{'ahead' if gap > 0 else 'behind'} by {abs(gap):.1f} VP" if gap else "as good in VP"
    words += f" (+-{candidate.gap_error:.1f})" if gap and candidate.playouts > 1 else ""
    if chance is not None:
        percent = f"{abs(100 * chance):.0f} % (+-{100 * candidate.win_gap_error:.0f}) to win"
        same = gap and (chance > 0) == (gap > 0)
        words += f" and {percent}" if same else f", {'ahead' if chance > 0 else 'behind'} by {percent}"
    words += worlds if candidate.playouts else ""
    if gap >= 0:
        return f"{words}: the planner's own values decided"
    return f"{words}, within the error" if abs(gap) < candidate.gap_error - 1e-6 else words


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_sentences_have_the_figures_of_the_data(game: str) -> None:
    """Advice by playouts: what the words say of value, chance, worlds, and the second best is what the data say."""
    dice, random_answer, found = random.Random(f"{game} 6"), random_answer_of_the_page(), 0
    with api.open_archive(api.MEMORY, practice=True) as archive:
        session = archive.begin(game, seed=6, accept=True)
        for _ in range(60):
            if session.over or found == PLAYED_ON:
                break
            try:
                controller_of(session).history.settings["think"] = str(WORLDS)
                advice = session.advice()
            except (api.Unreadable, api.QuestionPending):
                advice = None
            if advice is not None and len(advice.candidates) > 1 and advice.candidates[0].playouts:
                assert_sentences_have_the_figures(advice)
                assert_second_is_explained(advice)
                found += 1
            if advice is None or not (advice.action or advice.answers):
                step(session, random_answer, dice)
                continue
            controller_of(session).history.settings["think"] = "0"
            carry_out(session, advice.action, advice.at, advice.answers)
    assert found == PLAYED_ON


@pytest.mark.parametrize("game", ["fallujahcards", pytest.param("phantomfury", marks=pytest.mark.slow)])
def test_document_of_advice_is_carried_out_by_another_program(game: str) -> None:
    """`bot --json`, then `do` and `answer` with its keys."""
    companion("printed", game, "import", "practice")
    companion("new", game, "--seed", "6")
    for _ in range(6):
        advice = companion("bot", "--think", "0", "--json").json
        words = [f"{key}={','.join(value) if isinstance(value, list) else value}" for key, value in advice["answers"].items()]
        if not (advice["action"] or words):
            companion("answer", "--accept")
            continue
        assert len(advice["candidates"]) != 1 or advice["value"] is not None
        done = companion(*(["do", advice["action"]] if advice["action"] else ["answer", "--at", advice["at"]]), *words, "--json")
        assert done.code in (0, 3), done.json

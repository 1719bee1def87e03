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
    assert all(candidate.name in reasons for candidate in advice.candidates[:SHOWN_IN_ALL_GAMES])


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_advice_is_carried_out_from_its_data(game: str) -> None:
    """At actions and questions of a practice game; so are the candidates that were passed over."""
    dice, random_answer = random.Random(f"{game} 5"), random_answer_of_the_page()
    carried: dict[bool, int] = {True: 0, False: 0}  # by whether it is an answer
    valued = 0
    with api.open_archive(api.MEMORY, practice=True) as archive:
        session = archive.begin(game, seed=5, accept=True)
        controller_of(session).settings["think"] = "0"
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

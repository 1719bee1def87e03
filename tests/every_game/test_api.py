"""A program plays each game by ``companion.api``, going by what is legal and what is asked and by nothing else."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import companion
from companion import api
from companion.games import GAMES

CALLS = 15
PAGE = Path(companion.__file__).parent / "docs" / "developers.md"


def some(asked: api.Question, dice: random.Random) -> api.Answer:
    """Some answer that a question allows."""
    if asked.suggested is not None:
        return asked.suggested
    if asked.kind == "pick":
        return [choice.value for choice in asked.choices[: max(asked.low or 0, min(1, asked.high or 0))]]
    if asked.choices:
        return dice.choice(asked.choices).value
    return dice.randint(asked.low or 0, asked.high or 0)


@pytest.mark.parametrize("game", GAMES)
def test_program_plays_from_legal_actions_and_questions(game: str) -> None:
    """What is refused has changed nothing; and all of it is taken back at the end."""
    dice = random.Random(f"{game} 2")
    went = 0
    with api.open_archive(api.MEMORY, practice=True) as archive:
        session = archive.begin(game, seed=2, accept=True)
        start = session.position
        for _ in range(CALLS):
            asked, before = session.question, session.position
            try:
                done = session.answer(some(asked, dice), at=asked.at) if asked else session.do(dice.choice(session.legal[:3]).id)
            except (api.Illegal, api.Unreadable):
                assert session.position == before and session.question == asked
                if asked and asked.suggested is None:
                    session.undo()
                continue
            went += 1
            assert done.question == session.question and done.over == session.over
        assert went > CALLS / 3
        if session.undo_to(1):
            assert session.position == start


def random_answer_of_the_page() -> Callable[[api.Question, random.Random], api.Answer]:
    """The recipe for a random answer, as the page for developers has it."""
    (source,) = re.findall(r"^def random_answer.*?\n\n", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    names: dict[str, Callable[[api.Question, random.Random], api.Answer]] = {}
    exec(source, names)
    return names["random_answer"]


@pytest.mark.parametrize("game", GAMES)
def test_the_recipe_for_a_random_answer_always_gives_one(game: str) -> None:
    """The bounds and choices of a question are those that can be given; only a rule refuses an answer, by its number."""
    answer, dice = random_answer_of_the_page(), random.Random(f"{game} 4")
    with api.open_archive(api.MEMORY, practice=True) as archive:
        session = archive.begin(game, seed=4, accept=True)
        for _ in range(60):
            asked = session.question
            try:
                session.answer(answer(asked, dice), at=asked.at) if asked else session.do(dice.choice(session.legal).id)
            except api.Illegal as refusal:
                assert refusal.rule
                if asked:
                    session.undo()
            if session.over:
                break

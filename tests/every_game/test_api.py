"""A program plays each game by ``companion.api``, going by what is legal and what is asked and by nothing else."""

from __future__ import annotations

import random

import pytest

from companion import api
from companion.games import GAMES

CALLS = 15


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

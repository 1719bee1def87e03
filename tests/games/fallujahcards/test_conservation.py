"""92 cards are always in exactly one pile, whatever is done."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import CompanionError
from companion.core.requests import Draw
from companion.session.controller import Answers, SessionController
from companion.session.store import Archive

PLACES = ("deck", "hand", "casualty", "elimination", "discard", "target", "top")
OPERATIONS = st.sampled_from(
    ("turn", "turn", "turn", "wrong", "wrong", "undo", "redo", "back", "adjust", "amend", "abort", "stop")
)


@contextmanager
def open_session(seed: int, draws: str) -> Iterator[SessionController]:
    with tempfile.TemporaryDirectory() as folder, Archive.open(os.path.join(folder, "a.sqlite3")) as archive:
        archive._db.execute("PRAGMA synchronous = OFF")  # what is tested here is not the disk
        yield SessionController.create(archive, "fallujahcards", draws=draws, seed=str(seed))


def names(session: SessionController) -> Counter[str]:
    return Counter(card.name for card in session.position.pieces.values())


def answer(session: SessionController, random: Random, wrong: bool) -> None:
    """Answer everything at random; with ``wrong``, now and then a card that cannot be."""
    for _ in range(40):
        request = session.pending
        if request is None:
            return
        if isinstance(request, Draw):
            pool = list(request.others) if wrong and request.others and random.random() < 0.5 else list(request.contents)
            session.reply(random.choice(pool or list(request.others)), anyway=True)
        else:
            choices = [choice.value for choice in (*request.legal_choices(), *(request.others if wrong else ()))]
            session.reply(random.choice(choices), anyway=True)


def operate(session: SessionController, random: Random, operation: str) -> None:
    if operation in ("turn", "wrong"):
        for _ in range(random.randint(1, 12)):
            if session.pending is None:
                session.begin("turn")
            answer(session, random, operation == "wrong")
    elif operation == "stop":
        session.begin("turn")
    elif operation == "undo":
        session.undo(random.randint(1, 3))
    elif operation == "redo":
        session.redo()
    elif operation == "back":
        session.undo_reply()
    elif operation == "abort":
        session.abort()
    elif operation == "adjust":
        card = random.choice(list(session.position.pieces.values()))
        session.adjust([(card.id, random.choice(PLACES[:5]))], "so it lies")
    else:
        entries = [entry for entry in session.history.in_force if entry.replies]
        if entries:
            entry = random.choice(entries)
            number = random.randint(1, len(entry.replies))
            adjusted = entry.action == "adjust" or entry.replies[number - 1].is_adjustment
            # what lies on the table may be put anywhere, in a place of any name; but here it is one of the piles
            text = random.choice(PLACES[:5] if adjusted else ["Grunts", "Pillbox", "Robot", "no", "decline"])
            session.amend(entry.number, number, text, anyway=True)


def conserved(seed: int, operations: list[str]) -> None:
    random = Random(seed)
    with open_session(seed, "physical") as session:
        every = names(session)
        assert sum(every.values()) == 92
        for operation in operations:
            with suppress(CompanionError):  # what is refused has changed nothing
                operate(session, random, operation)
            position = session.position
            assert names(session) == every
            assert {card.place for card in position.pieces.values()} <= set(PLACES)
            assert sum(len(cards) for cards in position.places().values()) == 92
            assert len(position.at("target")) <= 1
            if session.pending is None and not session.broken:
                assert position.at("target") == []
                assert position.flag("phase") is None
            session.game.banner(position, session.options)
            session.game.score(position, session.options)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.lists(OPERATIONS, min_size=6, max_size=16))
def test_no_card_is_lost_or_doubled(seed: int, operations: list[str]) -> None:
    """[The Piles] Turns with right and wrong cards, recorded anyway; undo, redo, amend, abort and adjust."""
    conserved(seed, operations)


@pytest.mark.long
@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10_000), st.lists(OPERATIONS, min_size=6, max_size=24))
def test_no_card_is_lost_or_doubled_at_length(seed: int, operations: list[str]) -> None:
    """[The Piles] The same over many more and longer histories."""
    conserved(seed, operations)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000))
def test_a_whole_random_game_ends(seed: int) -> None:
    """[Scoring] Whatever is chosen, the deck runs out, no hand is too large, and the score adds up."""
    random = Random(seed)
    with open_session(seed, "computer") as session:
        for _ in range(92):
            if session.game.over(session.position):
                break
            session.do("turn", Answers(accept=random.random() < 0.5))
            while session.pending is not None:
                session.reply(random.choice([choice.value for choice in session.pending.legal_choices()]))
            assert len(session.position.at("hand")) <= 4
        position = session.position

        assert session.game.over(position) == "the deck is used up"
        lost = sum(card.number("force") for card in position.at("casualty"))
        won = sum(card.number("force") for card in position.at("elimination"))
        assert session.game.score(position, session.options).total == 100 - lost + won
        assert SessionController.open(session.archive).position == position

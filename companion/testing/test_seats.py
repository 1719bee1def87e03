"""Contract tests of documents: every question and action names the seat that decides, and bounds count what is offered."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

from companion.core.errors import CompanionError
from companion.core.game import Game
from companion.core.policies import random_reply
from companion.core.requests import AnyRequest
from companion.session.controller import SessionController
from companion.session.seats import seats_of
from companion.session.store import Archive
from companion.testing.fixtures import Sit, Start
from companion.views.data import session_data

_STEPS = 40


def play_step(session: SessionController, dice: random.Random) -> None:
    """Answer the open question, or begin an action; an answer that is refused is tried again, or the action is taken back."""
    request = session.pending
    if request is None:
        possible = [action.id for action in session.game.actions if not session.game.obstacle_to(action.id, session.position)]
        with suppress(CompanionError):
            session.begin(dice.choice(possible))
        return
    for _ in range(_STEPS):
        with suppress(CompanionError):
            value = request.suggest if request.suggest is not None else random_reply(request, dice.randrange)
            session.reply(request.to_input(value))
            return
    session.undo()


def test_every_document_names_the_seat_that_decides(game: Game, starts: list[Start], archive: Archive) -> None:
    """Of a question and of each action; no action is listed while a question is open."""
    for number, start in enumerate(starts[:2]):
        session, dice = start(archive), random.Random(number)
        seats = [seat.id for seat in seats_of(game, session.options)]
        assert seats == list(game.seats) == list(game.players.seats), "game.toml and Players name the seats alike"
        for _ in range(_STEPS):
            document = session_data(session, brief=True)
            assert [item["seat"] for item in document["seats"]] == seats
            deciding = [document["pending"]] if document["pending"] else document["legal"]
            for item in deciding:
                assert item["seat"] in seats and item["open_to"] and set(item["open_to"]) <= set(seats), item
            assert not (document["pending"] and document["legal"])
            if document["over"]:
                break
            play_step(session, dice)


def test_bounds_of_a_question_count_what_it_offers(game: Game, starts: list[Start], archive: Archive) -> None:
    """A program that takes as many choices as ``low`` to ``high`` say always has so many."""
    for number, start in enumerate(starts[:2]):
        session, dice = start(archive), random.Random(number)
        for _ in range(_STEPS):
            document = session_data(session, brief=True)
            if (question := document["pending"]) and question["kind"] == "pick":
                assert 0 <= question["low"] <= question["high"] <= len(question["choices"]), question["key"]
            if document["over"]:
                break
            play_step(session, dice)


class Seated:
    """Notes the questions that no seat of the game decides."""

    strangers: set[str]

    def on_question(self: Any, procedure: Any, request: AnyRequest, replies: list[Any], results: list[Any]) -> None:
        seat = self.game.players.asked_seat(request, self.game.acting_seats(self.position)[0])
        if seat not in self.game.seats or request.seat not in ("", *self.game.seats):
            self.strangers.add(f"{request.key} [{request.rule}]: {request.seat or seat}")


def test_every_question_of_random_games_has_a_seat(game: Game, sit: Sit, effort: tuple[int, int]) -> None:
    seeds, turns = effort
    for seed in range(seeds):
        player: Any = sit(seed, type("Seated", (Seated,), {"strangers": set()}))
        for _ in range(turns):
            player.turn()
            if game.over(player.position):
                break
        assert player.strangers == set(), "questions of a seat that the game does not have"

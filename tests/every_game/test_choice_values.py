"""Each choice of a question is accepted by its value, typed or as data, and by its label."""

from __future__ import annotations

import json
from itertools import cycle, islice
from typing import Any

from companion.core.game import Game
from companion.core.requests import Pick, Request
from companion.core.resolver import TypedValue
from companion.testing.player import RandomPlayer

TURNS, MOST = 150, 80
"""Actions of a game, and the questions in them that are checked."""
ENDS = 3  # choices that are checked at either end of a long list


class Reader(RandomPlayer):
    """A random player that checks each question before it is answered."""

    checked = 0

    def on_question(self, procedure: Any, request: Request[Any], replies: list[Any], results: list[Any]) -> None:
        if self.checked < MOST:
            self.checked += 1
            check(request)


def test_every_choice_is_accepted_by_its_value(game: Game) -> None:
    player = Reader(game.id, next(iter(game.scenarios)), 1)
    for _ in range(TURNS):
        if player.checked < MOST:
            player.turn()

    assert player.checked > 10


def reply_of(request: Request[Any], value: str, values: list[str]) -> Any:
    """The reply that a choice stands for; at a question for a list, the shortest list that starts with it."""
    if isinstance(request, Pick):
        index = values.index(value)
        return list(islice(cycle(values[index:] + values[:index]), max(request.low, 1)))
    return {"yes": True, "no": False}[value] if request.kind == "confirm" else request.check(value)


def check(request: Request[Any]) -> None:
    """Check that each choice, its label and the suggestion are read as the replies that they stand for."""
    request.is_list_hidden = False
    described = json.loads(json.dumps(request.describe()))
    values = [choice["value"] for choice in described["choices"]]
    labels = {choice["value"]: choice["label"] for choice in described["choices"]}
    checked = described["choices"] if len(values) < 2 * ENDS else [*described["choices"][:ENDS], *described["choices"][-ENDS:]]
    for choice in checked if not isinstance(request, Pick) or request.high else ():
        reply = reply_of(request, choice["value"], values)
        data = reply if isinstance(reply, list) else choice["value"]
        assert request.read(",".join(reply) if isinstance(reply, list) else choice["value"]) == reply
        assert TypedValue.of(data).to_reply(request) == reply
        if choice["beside"] and (not isinstance(reply, list) or len(reply) == 1):
            values_read = request.read(choice["beside"])
            assert values_read == reply or [labels[value] for value in values_read] == [labels[value] for value in reply]
    if described["suggest"] is not None:
        assert TypedValue.of(described["suggest"]).to_reply(request) == request.check(request.suggest)

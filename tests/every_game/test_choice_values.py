"""What a question offers is taken as another program says it: by its value, typed or as data, and by what stands beside it."""

from __future__ import annotations

import json
from itertools import cycle, islice
from typing import Any

from companion.core.game import Game
from companion.core.requests import Pick, Request
from companion.core.resolver import TypedValue
from companion.testing.player import RandomPlayer

TURNS, MOST = 150, 80
"""Actions of a game, and questions in them, that are looked at; of each question so many choices at the ends of its list."""
ENDS = 3


class Reader(RandomPlayer):
    """A random player who reads each question as another program does."""

    looked = 0

    def look(self, procedure: Any, request: Request[Any], replies: list[Any], come: list[Any]) -> None:
        if self.looked < MOST:
            self.looked += 1
            look(request)


def test_every_choice_is_taken_as_it_is_told(game: Game) -> None:
    player = Reader(game.id, next(iter(game.scenarios)), 1)
    for _ in range(TURNS):
        if player.looked < MOST:
            player.turn()

    assert player.looked > 10


def meant(request: Request[Any], value: str, values: list[str]) -> Any:
    """The reply that a choice stands for: of a list, the shortest one that it is the first of."""
    if isinstance(request, Pick):
        at = values.index(value)
        return list(islice(cycle(values[at:] + values[:at]), max(request.low, 1)))
    return {"yes": True, "no": False}[value] if request.kind == "confirm" else request.check(value)


def look(request: Request[Any]) -> None:
    """Each choice, what is suggested, and what stands beside each, read as they are told."""
    request.is_list_hidden = False
    told = json.loads(json.dumps(request.describe()))
    values = [choice["value"] for choice in told["choices"]]
    labels = {choice["value"]: choice["label"] for choice in told["choices"]}
    tried = told["choices"] if len(values) < 2 * ENDS else [*told["choices"][:ENDS], *told["choices"][-ENDS:]]
    for choice in tried if not isinstance(request, Pick) or request.high else ():
        reply = meant(request, choice["value"], values)
        said = reply if isinstance(reply, list) else choice["value"]
        assert request.read(",".join(reply) if isinstance(reply, list) else choice["value"]) == reply
        assert TypedValue.of(said).to_reply(request) == reply
        if choice["beside"] and (not isinstance(reply, list) or len(reply) == 1):
            found = request.read(choice["beside"])
            assert found == reply or [labels[one] for one in found] == [labels[one] for one in reply]
    if told["suggest"] is not None:
        assert TypedValue.of(told["suggest"]).to_reply(request) == request.check(request.suggest)

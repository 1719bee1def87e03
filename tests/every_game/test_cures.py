"""The examples in the refusal of a bad answer are read as answers at that very question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from companion.core.errors import CompanionError
from companion.core.game import Game
from companion.core.requests import AnyRequest
from companion.testing.fixtures import Sit
from tests.every_game.test_refusals import Naming

BAD = (
    *("zzz", "1, 2, 3", "x > y", "-5", "99999", "a+b+c+d", "zzz zzz zzz zzz", "none, none", "x by y", "q x3", "51"),
    "1 2 3 4 5 6 7 8 9",
)
_EXAMPLE = re.compile(r"\b(?:like this|Like|Type|such as): ?(.+?)(?: \(.*)?$|\bsuch as (.+?)(?: \(.*)?$")
_BOUNDS = re.compile(r"^Type (?:a whole number from )?(\d+) to (\d+)$")


def examples_of(cure: str) -> Iterator[str]:
    """The answers that a cure shows: after "Type it like this", "such as" and so on, the ends of a range, yes and no."""
    if bounds := _BOUNDS.match(cure):
        yield from bounds.groups()
    elif cure == "Type yes or no":
        yield from ("yes", "no")
    elif example := _EXAMPLE.search(cure):
        shown = (example[1] or example[2]).partition(", a base")[0]
        yield from shown.rpartition("such as ")[2].split(", or ")


class Exampled(Naming):
    """Mixin for a random player: gives bad answers and types the examples of the refusals."""

    def on_question(self: Any, procedure: Any, request: AnyRequest, replies: list[Any], results: list[Any]) -> None:
        self.times[request.key] += 1
        if self.times[request.key] > 2 or request.forced_reply() is not None:
            return
        for bad in BAD:
            if refusal := self.refusal(request, bad):
                for example in examples_of(refusal.cure):
                    self.typed += 1
                    if fault := self.refusal(request, example):
                        self.faults[request.key, example, str(fault)] += 1

    def refusal(self: Any, request: AnyRequest, text: str) -> CompanionError | None:
        if request.read_sequence(text):  # for this question and those that follow
            return None
        try:
            self.resolver.parse_reply(request, text, 0, "typed", False)
        except CompanionError as error:
            return error
        return None


def test_the_examples_of_a_refusal_are_answers_to_its_question(game: Game, sit: Sit, effort: tuple[int, int]) -> None:
    typed = 0
    for seed in range(3):
        player: Any = sit(seed, Exampled)
        for _ in range(effort[1]):
            if game.over(player.position):
                break
            player.turn()
        assert sorted(player.faults) == []
        typed += player.typed
    assert typed or game.id == "fallujahcards"  # which asks for cards by name only

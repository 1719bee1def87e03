"""What exists in the game is never refused as a typing error: the answer is acceptance, a rule, or that it is not in play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from companion.core.errors import CompanionError, Illegal
from companion.core.game import Game
from companion.core.requests import AnyRequest, Draw, Pick, Text
from companion.testing.fixtures import Sit

PROBED = 2  # Times that a question is probed by default
KINDS = ("choose", "pick", "text", "draw")
FREE = {  # Texts in a notation of their own, which takes more than names
    "fallujah2004": ("described",)
}


class Naming:
    """Mixin for a random player: types each piece, place and action of the game at each question that names answer.

    ``faults``: what was refused otherwise than by a rule, by question and text.
    """

    probed = PROBED

    def __init__(self, *args: Any, **options: Any) -> None:
        self.faults: Counter[tuple[str, str, str]] = Counter()
        self.typed = 0
        self.times: Counter[str] = Counter()
        super().__init__(*args, **options)

    def on_question(self: Any, procedure: Any, request: AnyRequest, replies: list[Any], results: list[Any]) -> None:
        self.times[request.key] += 1
        if request.kind not in KINDS or self.times[request.key] > self.probed or request.forced_reply() is not None:
            return
        name = getattr(procedure, "where", "setup").rpartition(":")[2]
        for text in self.things(request):
            self.typed += 1
            fault = self.fault_of(procedure, request, replies, results, text)
            if fault:
                self.faults[f"{name} {request.key}", text, fault] += 1

    def things(self: Any, request: AnyRequest) -> Iterator[str]:
        """The names of all pieces, places and actions that are not offered."""
        position = request.referee.position
        offered = {name for choice in request.legal_choices() for name in (choice.value, choice.label)}
        names = dict.fromkeys(piece.name for piece in position.pieces.values())
        names |= dict.fromkeys((*self.game.places, *self.game.player_named_places(position), *position.occupied_places()))
        names |= dict.fromkeys(action.id for action in self.game.actions)
        return (name for name in names if name not in offered)

    def fault_of(self: Any, procedure: Any, request: AnyRequest, replies: list[Any], results: list[Any], text: str) -> str:
        """Why the refusal of a text cites no rule; "" if it does, or if the text is accepted."""
        try:
            reply = self.resolver.parse_reply(request, text, 0, "typed", False)
        except CompanionError as error:
            return refusal_fault(error)
        if isinstance(request, Draw | Text) or (isinstance(request, Pick) and request.high > 1):
            return ""
        run = self._start(procedure, list(results), [])
        try:
            for value in replies:
                run.send(value)
            run.send(reply.value)
        except CompanionError as error:
            return refusal_fault(error)
        finally:
            run.close()
        return ""


def refusal_fault(error: CompanionError) -> str:
    """Why an error is no refusal by a rule; "" if it is one."""
    if isinstance(error, Illegal) and (error.rule or "not in play" in error.message):
        return ""
    return f"{type(error).__name__}: {error}"


def faults_in(sit: Sit, game: Game, seed: int, turns: int, probed: int) -> list[tuple[str, str, str]]:
    player: Any = sit(seed, Naming)
    player.probed = probed
    for _ in range(turns):
        player.turn()
        if game.over(player.position):
            break
    return sorted(player.faults)


def test_what_exists_is_refused_by_a_rule(game: Game, sit: Sit, effort: tuple[int, int]) -> None:
    """A short random game."""
    assert faults_in(sit, game, 1, effort[1], PROBED) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_what_exists_is_refused_by_a_rule_in_long_games(game: Game, sit: Sit, seed: int) -> None:
    assert faults_in(sit, game, seed, 200, 20) == []

"""What an action or a situation would ask next, so that TAB can offer answers to it. Nothing is rolled, drawn or kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from companion.core.errors import CompanionError
from companion.core.game import Game
from companion.core.position import Position
from companion.core.procedures import AnyEffect, AnyProcedure, Progress
from companion.core.request import AnyRequest
from companion.core.resolver import Answers, MissingAnswer, ReplyResolver, drive


class Chance(Exception):
    """From here on dice, counters or a long computation would tell what nobody may know at a TAB."""


class _Asker:
    """Gives the answers that were typed, and stops at the first question that has none.

    Args:
        clerk: for what need not be asked.
        answers: those that were typed.
        key: the question that is wanted; what has a suggestion is passed over on the way there.
    """

    def __init__(self, clerk: ReplyResolver, answers: Answers, key: str) -> None:
        self._clerk = clerk
        self._answers = answers
        self._key = key

    def reply(self, request: AnyRequest) -> Any:
        if request.chance_setting:
            raise Chance(request.prompt)
        given = self._clerk.resolve(request, self._answers, 0, False)
        if given is not None:
            return given.value
        if not self._key or request.key == self._key or request.suggest is None:
            raise MissingAnswer(request)
        return request.suggest

    def run_effect(self, effect: AnyEffect) -> Any:
        if isinstance(effect, Progress):
            raise Chance(effect.key)
        return self._clerk.run_effect(effect).value


def typed(words: Sequence[str]) -> Answers:
    """The answers that stand on a line already."""
    parts = [word.partition("=") for word in words]
    keyed = [(key, value) for key, equals, value in parts if equals]
    return Answers(keyed, plain=[key for key, equals, _ in parts if not equals])


def accepted(request: AnyRequest, names: Iterable[str]) -> list[str]:
    """Those of some names that a question takes for an answer by its notation."""

    def reads(name: str) -> bool:
        with suppress(CompanionError):
            request.read(name)
            return True
        return False

    return list(filter(reads, dict.fromkeys(names)))


def next_question(
    game: Game,
    facts: Mapping[str, str],
    position: Position,
    options: Mapping[str, str],
    run: Callable[[Any], AnyProcedure],
    words: Sequence[str] | Answers,
    key: str = "",
) -> AnyRequest | None:
    """The question that a procedure comes to with the answers typed so far, or the one of that key; None if that cannot be said.

    Args:
        game: whose procedure it is.
        facts: the printed facts that the owner has told.
        position, options: where it is begun.
        run: the procedure.
        words: the answers, by key or in order; or as they were spoken.
        key: of the question that is wanted; "" for the first without an answer.
    """
    referee = game.new_referee(position, options)
    answers = words if isinstance(words, Answers) else typed(words)
    with suppress(CompanionError, Chance):
        try:
            drive(referee, run(referee), _Asker(ReplyResolver(game, lambda: facts, {}, ""), answers, key))
        except MissingAnswer as missing:
            return missing.request
    return None

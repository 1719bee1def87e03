"""The question that an action or situation would ask next, for completion. Nothing is rolled, drawn or recorded."""

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


class Unforeseeable(Exception):
    """Dice, a draw or a long computation comes first, so that the next question must not be looked up."""


class _TypeAhead:
    """Gives the typed answers, and stops at the first question without one.

    Args:
        resolver: Resolves what need not be asked.
        answers: The typed answers.
        key: The question that is wanted; questions with a suggestion are passed over on the way to it.
    """

    def __init__(self, resolver: ReplyResolver, answers: Answers, key: str) -> None:
        self._resolver = resolver
        self._answers = answers
        self._key = key

    def reply(self, request: AnyRequest) -> Any:
        if request.chance_setting:
            raise Unforeseeable(request.prompt)
        given = self._resolver.resolve(request, self._answers, 0, False)
        if given is not None:
            return given.value
        if not self._key or request.key == self._key or request.suggest is None:
            raise MissingAnswer(request)
        return request.suggest

    def run_effect(self, effect: AnyEffect) -> Any:
        if isinstance(effect, Progress):
            raise Unforeseeable(effect.key)
        return self._resolver.run_effect(effect).value


def readable_names(request: AnyRequest, names: Iterable[str]) -> list[str]:
    """The names that the notation of a question accepts."""

    def is_readable(name: str) -> bool:
        with suppress(CompanionError):
            request.read(name)
            return True
        return False

    return list(filter(is_readable, dict.fromkeys(names)))


def next_question(
    game: Game,
    facts: Mapping[str, str],
    position: Position,
    options: Mapping[str, str],
    run: Callable[[Any], AnyProcedure],
    typed: Sequence[str] | Answers,
    key: str = "",
) -> AnyRequest | None:
    """Return the question that a procedure reaches with the answers typed so far; None if it cannot be determined.

    Args:
        game: The game of the procedure.
        facts: The printed facts that the owner has told.
        position: Where the procedure starts.
        options: The options of the session.
        run: The procedure.
        typed: The answers, by key or in order.
        key: The key of the wanted question; "" for the first one without an answer.
    """
    referee = game.new_referee(position, options)
    answers = typed if isinstance(typed, Answers) else _answers(typed)
    with suppress(CompanionError, Unforeseeable):
        try:
            drive(referee, run(referee), _TypeAhead(ReplyResolver(game, lambda: facts, {}, ""), answers, key))
        except MissingAnswer as missing:
            return missing.request
    return None


def _answers(words: Sequence[str]) -> Answers:
    parts = [word.partition("=") for word in words]
    keyed = [(key, value) for key, equals, value in parts if equals]
    return Answers(keyed, plain=[key for key, equals, _ in parts if not equals])

"""What can be begun now, and with what: for other programs, which draw their buttons by it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from companion.core.answering import Answers, Clerk, Missing, drive
from companion.core.effects import Effect, Progress
from companion.core.errors import CompanionError
from companion.core.game import Action, Obstacle
from companion.core.request import Request
from companion.core.thinking import Think
from companion.session.entry import reject_unawaited
from companion.session.standing import SessionState


class ActionState(NamedTuple):
    """An action as it stands now.

    Attributes:
        action: which.
        obstacle: why it cannot be begun; None if it can.
        question: what it asks first, which is what it can be given; None where that is nothing, or cannot be told beforehand.
    """

    action: Action
    obstacle: Obstacle | None = None
    question: Request[Any] | None = None


def action_states(desk: SessionState) -> Iterator[ActionState]:
    """Every action of the game. An open question bars them all; each of the others is begun for trial, and nothing is kept."""
    asked = Obstacle("a question is open", desk.pending.rule, "Answer it") if desk.pending else None
    stuck = Obstacle(desk.broken, "", "Take the action back: companion undo") if desk.broken else None
    barred = asked or stuck
    for action in desk.game.actions:
        obstacle = barred or desk.game.in_the_way(action.id, desk.committed_position)
        yield ActionState(action, obstacle) if obstacle else _tried(desk, action)


class _Unforeseeable(Exception):
    """From here on an opponent thinks, or a long computation runs."""


class _Trial:
    """Answers what nobody need be asked for, and stops at the first question. Nothing is rolled or drawn."""

    def __init__(self, clerk: Clerk) -> None:
        self._clerk = clerk

    def reply(self, request: Request[Any]) -> Any:
        given = None if request.by_chance else self._clerk.supply(request, Answers(), 0, False)
        if given is None:
            raise Missing(request)
        return given.value

    def settle(self, effect: Effect[Any]) -> Any:
        if isinstance(effect, Progress) or effect.kind == Think.kind:
            raise _Unforeseeable
        return self._clerk.settle(effect).value


def _tried(desk: SessionState, action: Action) -> ActionState:
    """An action that is in sequence, begun as far as its first question."""
    referee = desk.game.opened(desk.committed_position, desk.options)
    try:
        with reject_unawaited():
            drive(referee, action.run(referee), _Trial(desk.resolver()))
    except Missing as missing:
        return ActionState(action, None, missing.request)
    except CompanionError as refusal:
        return ActionState(action, Obstacle(refusal.message, refusal.rule, refusal.cure))
    except Exception:  # what cannot be foreseen; or a fault in the rules, which is told when the action is begun
        return ActionState(action)
    return ActionState(action)

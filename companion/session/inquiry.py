"""Procedures that are only asked and never recorded: the odds of a situation, the opponent's advice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from companion.core.errors import CompanionError, Illegal, Unreadable
from companion.core.events import Event
from companion.core.game import Action, Game, Obstacle, Situation
from companion.core.position import Position
from companion.core.procedures import AnyEffect, Procedure, Progress, ResolvedReply
from companion.core.referee import Referee
from companion.core.request import AnyRequest, Odds
from companion.core.resolver import Answers, MissingAnswer, QueryResponder, ReplyResolver, drive
from companion.core.rollouts import RolloutDecision
from companion.core.text import pick_name
from companion.session.controller import SessionController
from companion.session.entry import reject_unawaited
from companion.session.state import SessionState
from companion.session.store import Archive

R = TypeVar("R")


class Inquiry:
    """A procedure whose outcome nobody stores, asked about a table.

    Args:
        game: for its printed facts.
        archive: where the owner's printed facts are.
        answers: to its questions, and options beside those of the session.
        ask: asks the player; None where nobody can be asked.
        session: the session whose table is looked at; None for the one last used, if it is of this game.
        think: playouts a candidate; "" as in the session.
        watch: is shown how far a long computation has come.
    """

    def __init__(
        self,
        game: Game,
        archive: Archive,
        answers: Answers,
        ask: Callable[[AnyRequest], ResolvedReply] | None = None,
        session: SessionController | None = None,
        think: str = "",
        watch: Callable[[Progress], None] = lambda progress: None,
    ) -> None:
        self.game = game
        self.archive = archive
        self.answers = answers
        self.ask = ask
        self.session = session
        self.think = think
        self.watch = watch

    def position_and_options(self) -> tuple[Position, dict[str, str]]:
        """Where chances are asked for: the session that was named or last used, if it is of this game; else an empty table.

        Options among the answers count before those of the session; they are used up by this.
        """
        last = self.archive.last()
        if self.session is None and last is not None and last.game == self.game.id:
            self.session = SessionController.open(self.archive, last)
        if self.session is not None:
            return self.session.position, self.take_options(self.session.options)
        return Position(), self.take_options({})

    def take_options(self, session: Mapping[str, str]) -> dict[str, str]:
        """The options among the answers, over those of a session, over the game's defaults."""
        options = {name: item.default for name, item in self.game.options.items()}
        options["scenario"] = next(iter(self.game.scenarios))
        options |= session
        for key, value in [pair for pair in self.answers.keyed if pair[0] in options]:
            choices = list(self.game.scenarios) if key == "scenario" else self.game.options[key].choices
            options[key] = pick_name(value, choices, f"choice of {key}") if choices else value
            self.answers.keyed.remove((key, value))
        return options

    def run(
        self, position: Position, options: Mapping[str, str], procedure: Callable[[Any], Procedure[R]]
    ) -> tuple[Referee, R | None]:
        """Carry a procedure to its end; what was told on the way is remembered if all of it succeeds.

        Returns:
            The referee, with what happened, and the result.

        Raises:
            Missing: something is missing and nobody can be asked.
            Unreadable: an answer is none, or was not asked for.
        """
        from secrets import token_hex

        facts = self.archive.printed(self.game.id)
        # chance outside of a session: nothing is stored, so nothing need be repeatable
        resolver = ReplyResolver(self.game, lambda: facts, {}, token_hex(8))
        referee = self.game.new_referee(position, options)
        result = drive(referee, procedure(referee), QueryResponder(resolver, self.answers, self.ask, self.watch))
        self.answers.check_all_used(referee, None)
        if resolver.new_facts:
            self.archive.record_facts(self.game.id, resolver.new_facts)
        return referee, result


def find_situation(game: Game, name: str) -> Situation:
    """A situation by unique prefix. Raises Unreadable: the game has no such situation."""
    known = {item.id: item for item in game.situations}
    return known[pick_name(name, list(known), "situation")]


def situation_odds(inquiry: Inquiry, name: str) -> Odds:
    """The odds of a situation, its particulars out of an inquiry.

    Raises:
        Missing: something must be known first, and nobody can be asked.
        Unreadable: there is no such situation, or an answer means nothing.
        Illegal: the game ends in the midst of it.
    """
    situation = find_situation(inquiry.game, name)
    odds: Odds | None
    _, odds = inquiry.run(*inquiry.position_and_options(), situation.run)
    if odds is None:
        raise Illegal("that ends the game; there are no odds of what comes after", rule=situation.rule)
    return odds


def advice(session: SessionController, inquiry: Inquiry) -> list[Event]:
    """What the opponent would do in the position of a desk, as events that nobody records.

    Raises:
        Unreadable: the game gives no such advice.
        Missing: something must be known first, and nobody can be asked.
    """
    game = session.game
    counselled = (
        not game.has_bot or session.pending is not None or game.players.advises_between(session.position, session.options)
    )
    if counselled and (said := session.counsel(inquiry.think)):
        return [said]
    if not game.has_bot:
        raise Unreadable(
            f"{game.title} has no opponent that gives advice: a second side, if it has one, is played by its actions",
            cure="See: companion why",
        )
    referee, _ = inquiry.run(session.position, session.options, game.bot)
    return referee.events


class ActionState(NamedTuple):
    """An action as it stands now.

    Attributes:
        action: which.
        obstacle: why it cannot be begun; None if it can.
        question: what it asks first, which is what it can be given; None where that is nothing, or cannot be told beforehand.
    """

    action: Action
    obstacle: Obstacle | None = None
    question: AnyRequest | None = None


def action_states(session: SessionState) -> Iterator[ActionState]:
    """Every action of the game. An open question bars them all; each of the others is begun for trial, and nothing is kept."""
    asked = Obstacle("a question is open", session.pending.rule, "Answer it") if session.pending else None
    stuck = Obstacle(session.broken, "", "Take the action back: companion undo") if session.broken else None
    barred = asked or stuck
    for action in session.game.actions:
        obstacle = barred or session.game.obstacle_to(action.id, session.committed_position)
        yield ActionState(action, obstacle) if obstacle else _tried(session, action)


class _Unforeseeable(Exception):
    """From here on an opponent thinks, or a long computation runs."""


class _Trial:
    """Answers what nobody need be asked for, and stops at the first question. Nothing is rolled or drawn."""

    def __init__(self, resolver: ReplyResolver) -> None:
        self._clerk = resolver

    def reply(self, request: AnyRequest) -> Any:
        given = None if request.chance_setting else self._clerk.resolve(request, Answers(), 0, False)
        if given is None:
            raise MissingAnswer(request)
        return given.value

    def run_effect(self, effect: AnyEffect) -> Any:
        if isinstance(effect, Progress) or effect.kind == RolloutDecision.kind:
            raise _Unforeseeable
        return self._clerk.run_effect(effect).value


def _tried(session: SessionState, action: Action) -> ActionState:
    """An action that is in sequence, begun as far as its first question."""
    referee = session.game.new_referee(session.committed_position, session.options)
    try:
        with reject_unawaited():
            drive(referee, action.run(referee), _Trial(session.resolver()))
    except MissingAnswer as missing:
        return ActionState(action, None, missing.request)
    except CompanionError as refusal:
        return ActionState(action, Obstacle(refusal.message, refusal.rule, refusal.cure))
    except Exception:  # what cannot be foreseen; or a fault in the rules, which is told when the action is begun
        return ActionState(action)
    return ActionState(action)

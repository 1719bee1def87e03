"""Procedures that are run without being recorded: odds of situations, advice, and what can be begun now."""

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
    """Runs procedures on a table without storing the outcome.

    Args:
        game: The game.
        archive: The archive with the printed facts.
        answers: Answers to questions, and options that override those of the session.
        ask: Asks the player; None if nobody can be asked.
        session: The session whose table is used; by default the last used one, if it is of this game.
        think: Rollouts per candidate; "" for the session's setting.
        watch: Called with the progress of long computations.
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
        """Return the table of the session, or an empty one. Options among the answers take precedence, and are used up."""
        last = self.archive.last()
        if self.session is None and last is not None and last.game == self.game.id:
            self.session = SessionController.open(self.archive, last)
        if self.session is not None:
            return self.session.position, self.take_options(self.session.options)
        return Position(), self.take_options({})

    def take_options(self, session: Mapping[str, str]) -> dict[str, str]:
        """Return the options among the answers, over those of a session, over the game's defaults."""
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
        """Run a procedure to its end; facts entered on the way are recorded if it succeeds.

        Returns:
            The referee with the events, and the result.

        Raises:
            MissingAnswer: A question has no answer, and nobody can be asked.
            Unreadable: An answer cannot be read, or was not asked for.
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
    """Return a situation by unique prefix.

    Raises:
        Unreadable: The game has no such situation.
    """
    situations = {situation.id: situation for situation in game.situations}
    return situations[pick_name(name, list(situations), "situation")]


def situation_odds(inquiry: Inquiry, name: str) -> Odds:
    """Return the odds of a situation.

    Raises:
        MissingAnswer: Something must be known first, and nobody can be asked.
        Unreadable: There is no such situation, or an answer cannot be read.
        Illegal: The game ends during it.
    """
    situation = find_situation(inquiry.game, name)
    odds: Odds | None
    _, odds = inquiry.run(*inquiry.position_and_options(), situation.run)
    if odds is None:
        raise Illegal("that ends the game; there are no odds of what comes after", rule=situation.rule)
    return odds


def advice(session: SessionController, inquiry: Inquiry) -> list[Event]:
    """Return the advice of the game's adviser or opponent, as events to show.

    Raises:
        Unreadable: The game has neither.
        MissingAnswer: Something must be known first, and nobody can be asked.
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
    """An action, and whether it can be begun now.

    Attributes:
        action: The action.
        obstacle: Why it cannot be begun, or None.
        question: Its first question; None if it asks nothing, or if that cannot be told beforehand.
    """

    action: Action
    obstacle: Obstacle | None = None
    question: AnyRequest | None = None


def action_states(session: SessionState) -> Iterator[ActionState]:
    """Yield the state of every action. Each is begun on trial, and nothing is kept; an open question blocks all."""
    asked = Obstacle("a question is open", session.pending.rule, "Answer it") if session.pending else None
    stuck = Obstacle(session.broken, "", "Take the action back: companion undo") if session.broken else None
    barred = asked or stuck
    for action in session.game.actions:
        obstacle = barred or session.game.obstacle_to(action.id, session.committed_position)
        yield ActionState(action, obstacle) if obstacle else _try_action(session, action)


class _Unpredictable(Exception):
    """The opponent would think, or a long computation would run."""


class _Trial:
    """Gives forced and automatic replies, and stops at the first question. Nothing is rolled or drawn."""

    def __init__(self, resolver: ReplyResolver) -> None:
        self._clerk = resolver

    def reply(self, request: AnyRequest) -> Any:
        given = None if request.chance_setting else self._clerk.resolve(request, Answers(), 0, False)
        if given is None:
            raise MissingAnswer(request)
        return given.value

    def run_effect(self, effect: AnyEffect) -> Any:
        if isinstance(effect, Progress) or effect.kind == RolloutDecision.kind:
            raise _Unpredictable
        return self._clerk.run_effect(effect).value


def _try_action(session: SessionState, action: Action) -> ActionState:
    """Begin an action on trial."""
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

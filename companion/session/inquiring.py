"""Procedures that are only asked and never recorded: the odds of a situation, the opponent's advice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from companion.core.answering import Answers, Clerk, Inquirer, drive
from companion.core.effects import Given, Progress
from companion.core.errors import Illegal, Unreadable
from companion.core.events import Event
from companion.core.game import Game, Situation
from companion.core.position import Position
from companion.core.procedures import Procedure
from companion.core.referee import Referee
from companion.core.request import Odds, Request
from companion.core.words import one_of
from companion.session.desk import SessionController
from companion.session.store import Archive

R = TypeVar("R")


class Inquiry:
    """A procedure whose outcome nobody stores, asked about a table.

    Args:
        game: for its printed facts.
        archive: where the owner's printed facts are.
        answers: to its questions, and options beside those of the session.
        ask: asks the player; None where nobody can be asked.
        desk: the session whose table is looked at; None for the one last used, if it is of this game.
        think: playouts a candidate; "" as in the session.
        watch: is shown how far a long computation has come.
    """

    def __init__(
        self,
        game: Game,
        archive: Archive,
        answers: Answers,
        ask: Callable[[Request[Any]], Given] | None = None,
        desk: SessionController | None = None,
        think: str = "",
        watch: Callable[[Progress], None] = lambda progress: None,
    ) -> None:
        self.game = game
        self.archive = archive
        self.answers = answers
        self.ask = ask
        self.desk = desk
        self.think = think
        self.watch = watch

    def position_and_options(self) -> tuple[Position, dict[str, str]]:
        """Where chances are asked for: the session that was named or last used, if it is of this game; else an empty table.

        Options among the answers count before those of the session; they are used up by this.
        """
        last = self.archive.last()
        if self.desk is None and last is not None and last.game == self.game.id:
            self.desk = SessionController.open(self.archive, last)
        if self.desk is not None:
            return self.desk.position, self.take_options(self.desk.options)
        return Position(), self.take_options({})

    def take_options(self, session: Mapping[str, str]) -> dict[str, str]:
        """The options among the answers, over those of a session, over the game's defaults."""
        options = {name: item.default for name, item in self.game.options.items()}
        options["scenario"] = next(iter(self.game.scenarios))
        options |= session
        for key, value in [pair for pair in self.answers.keyed if pair[0] in options]:
            choices = list(self.game.scenarios) if key == "scenario" else self.game.options[key].choices
            options[key] = one_of(value, choices, f"choice of {key}") if choices else value
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
        clerk = Clerk(self.game, lambda: facts, {}, token_hex(8))
        referee = self.game.opened(position, options)
        result = drive(referee, procedure(referee), Inquirer(clerk, self.answers, self.ask, self.watch))
        self.answers.nothing_left(referee, None)
        if clerk.told:
            self.archive.record_facts(self.game.id, clerk.told)
        return referee, result


def find_situation(game: Game, name: str) -> Situation:
    """A situation by unique prefix. Raises Unreadable: the game has no such situation."""
    known = {item.id: item for item in game.situations}
    return known[one_of(name, list(known), "situation")]


def situation_odds(inquiry: Inquiry, name: str) -> Odds:
    """The odds of a situation, its particulars out of an inquiry.

    Raises:
        Missing: something must be known first, and nobody can be asked.
        Unreadable: there is no such situation, or an answer means nothing.
        Illegal: the game ends in the midst of it.
    """
    situation = find_situation(inquiry.game, name)
    _, odds = inquiry.run(*inquiry.position_and_options(), situation.run)
    if odds is None:
        raise Illegal("that ends the game; there are no odds of what comes after", rule=situation.rule)
    return odds


def advice(desk: SessionController, inquiry: Inquiry) -> list[Event]:
    """What the opponent would do in the position of a desk, as events that nobody records.

    Raises:
        Unreadable: the game gives no such advice.
        Missing: something must be known first, and nobody can be asked.
    """
    game = desk.game
    counselled = not game.has_bot or desk.pending is not None or game.players.advises_between(desk.position, desk.options)
    if counselled and (said := desk.counsel(inquiry.think)):
        return [said]
    if not game.has_bot:
        raise Unreadable(
            f"{game.title} has no opponent that gives advice: a second side, if it has one, is played by its actions",
            cure="See: companion why",
        )
    referee, _ = inquiry.run(desk.position, desk.options, game.bot)
    return referee.events

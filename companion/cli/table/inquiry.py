"""Procedures that are only asked and never recorded: the odds of a situation, the opponent's advice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from companion.cli.shell.arguments import pairs
from companion.cli.shell.bar import Bar
from companion.cli.shell.output import write
from companion.core.answering import Answers, Clerk, Inquirer, drive
from companion.core.effects import Given
from companion.core.errors import Illegal, Unreadable
from companion.core.events import Event
from companion.core.game import Game, Situation
from companion.core.position import Position
from companion.core.procedures import Procedure
from companion.core.referee import Referee
from companion.core.request import Odds, Request
from companion.core.words import one_of
from companion.session.desk import Desk
from companion.session.store import Archive
from companion.views.events import event_lines
from companion.views.lines import Line

R = TypeVar("R")
Ask = Callable[[Request[Any]], str]


class Inquiry:
    """A procedure whose outcome nobody stores, asked about a table.

    Args:
        game: for its printed facts.
        archive: where the owner's printed facts are.
        words: answers as they were typed, by key or in order.
        ask: asks the player; None where nobody can be asked.
        desk: the session whose table is looked at; None for the one last used, if it is of this game.
        think: playouts a candidate; "" as in the session.
    """

    def __init__(
        self, game: Game, archive: Archive, words: Sequence[str], ask: Ask | None, desk: Desk | None = None, think: str = ""
    ) -> None:
        self.game = game
        self.archive = archive
        keyed, plain = pairs(words)
        self.answers = Answers(keyed, plain=plain, accept=True)
        self.ask = ask
        self.desk = desk
        self.think = think

    def standing(self) -> tuple[Position, dict[str, str]]:
        """Where chances are asked for: the session that was named or last used, if it is of this game; else an empty table.

        Options among the answers count before those of the session; they are used up by this.
        """
        last = self.archive.last()
        if self.desk is None and last is not None and last.game == self.game.id:
            self.desk = Desk.open(self.archive, last)
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

    def _asked(self, request: Request[Any]) -> Given:
        assert self.ask is not None
        while True:
            try:
                return request.given(self.ask(request), "typed", False)
            except Unreadable as fault:
                write([Line(str(fault), "error")])

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
        bar = Bar()
        try:
            result = drive(
                referee, procedure(referee), Inquirer(clerk, self.answers, self._asked if self.ask else None, bar.show)
            )
        finally:
            bar.clear()
        self.answers.nothing_left(referee, None)
        if clerk.told:
            self.archive.tell(self.game.id, clerk.told)
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
    _, odds = inquiry.run(*inquiry.standing(), situation.run)
    if odds is None:
        raise Illegal("that ends the game; there are no odds of what comes after", rule=situation.rule)
    return odds


def advice(desk: Desk, inquiry: Inquiry) -> list[Event]:
    """What the opponent would do in the position of a desk, as events that nobody records.

    Raises:
        Unreadable: the game gives no such advice.
        Missing: something must be known first, and nobody can be asked.
    """
    game = desk.game
    if (not game.has_bot or desk.pending is not None) and (said := desk.counsel(inquiry.think)):
        return [said]
    if not game.has_bot:
        raise Unreadable(
            f"{game.title} has no opponent that gives advice: a second side, if it has one, is played by its actions",
            cure="See: companion why",
        )
    referee, _ = inquiry.run(desk.position, desk.options, game.bot)
    return referee.events


def bot_lines(desk: Desk, events: Sequence[Event]) -> list[Line]:
    """The advice with every layer: reasons, candidates, tie-breaks."""
    return event_lines(desk.game, events, dict(desk.position.pieces), because=True)

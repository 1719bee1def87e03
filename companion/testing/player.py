"""A player who answers anything at random, within what a question allows: finds crashes and dead ends."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

from companion.core.errors import CompanionError, Illegal, Unreadable
from companion.core.events import Event, fold
from companion.core.game import Action, Game
from companion.core.policies import random_reply
from companion.core.position import Position
from companion.core.procedures import AnyEffect, ProcedureRun
from companion.core.request import AnyRequest
from companion.core.requests import Printed, Text
from companion.core.resolver import ReplyResolver
from companion.session.state import load_game

PATIENCE = 40
"""Refused answers in a row after which an action is given up, as a player would."""


class RandomPlayer:
    """Plays one game; every action is played out or taken back whole.

    Attributes:
        trial: whether a name that the game does not declare is a fault; a measure of speed goes without.
        TOLD: printed facts that are told before the set-up.
        transcripts: of each action its procedure, the position before it, the replies and what came of effects, the events.
    """

    TOLD: ClassVar[Mapping[str, str]] = {}

    def __init__(self, game_id: str, scenario: str, seed: int, **options: str) -> None:
        self.random = Random(seed)
        self.game: Game = load_game(game_id)
        assert scenario in self.game.scenarios, scenario
        self.options = {name: option.default for name, option in self.game.options.items()} | {"scenario": scenario} | options
        self.facts: dict[str, str] = dict(self.TOLD)
        self.clerk = ReplyResolver(self.game, lambda: self.facts, {"dice": "physical", "draws": "physical"}, "")
        self.events: list[Event] = []
        self.position = Position()
        self.trial = True
        self.transcripts: list[tuple[Any, Position, list[Any], list[Event]]] = []
        assert self.play(self.game.setup), "the set-up came to no end"

    def number(self, below: int) -> int:
        """A whole number from 0 up to but without that, by chance."""
        return int(self.random.random() * below)

    def turn(self) -> str:
        """Play one action that nothing stands against; its id, or "" where there is none or it was given up."""
        over = self.game.over(self.position)
        open_to = [
            one for one in self.game.actions if not (one.alone or (over and one.usual)) and one.obstacle(self.position) is None
        ]
        if not open_to:
            return ""
        action: Action = self.random.choice(open_to)
        return action.id if self.play(action.run) else ""

    def play(self, procedure: Any) -> bool:
        """Carry a procedure out; False where it was refused or given up, and nothing is kept."""
        replies: list[Any] = []
        come: list[Any] = []
        try:
            run = self._begun(procedure, [], come)
        except Illegal:
            return False
        refused = 0
        while run.request is not None:
            kept = len(come)
            try:
                self.look(procedure, run.request, replies, come)
                value = self.answer(run.request)
                run.send(value)
                replies.append(value)
                refused = 0
            except CompanionError as fault:
                assert isinstance(fault, Illegal | Unreadable), fault
                refused += 1
                if refused > PATIENCE:
                    return False
                del come[kept:]
                old, come = come, []
                run = self._begun(procedure, old, come)
                for reply in replies:
                    run.send(reply)
        self.transcripts.append((procedure, self.position, [replies, come], run.referee.events))
        self.events += run.referee.events
        self.position = run.referee.position
        return True

    def look(self, procedure: Any, request: AnyRequest, replies: list[Any], come: list[Any]) -> None:
        """A look at each question before it is answered, for players who try more than they do."""

    def _begun(self, procedure: Any, old: list[Any], come: list[Any], position: Position | None = None) -> ProcedureRun[Any]:
        """The procedure on the table. What comes of effects is added to ``come``; the first of them are the old ones."""

        def settle(effect: AnyEffect) -> Any:
            if not effect.stored:
                return effect.default_result()
            value = effect.check(old[len(come)]) if len(come) < len(old) else self.clerk.run_effect(effect).value
            come.append(value)
            return value

        referee = self.game.new_referee(self.position if position is None else position, self.options, self.trial)
        return ProcedureRun(referee, procedure(referee), settle)

    def replayed(self) -> Position:
        """The position when every action is carried out again from its replies alone."""
        position = Position()
        for procedure, start, (replies, come), events in self.transcripts:
            assert position == start
            run = self._begun(procedure, come, [], position)
            for reply in replies:
                assert run.request is not None
                run.send(run.request.check(reply))
            assert run.done
            assert run.referee.events == events
            position = run.referee.position
        return position

    def folded(self) -> Position:
        return fold(self.events)

    def answer(self, request: AnyRequest) -> Any:
        """Some answer that the request accepts; of a question that nobody is asked, the one that there is."""
        if (only := request.forced_reply()) is not None:
            return request.check(only)
        if isinstance(request, Printed):
            return self.printed(request)
        if isinstance(request, Text):
            return request.check(self.text(request))
        return random_reply(request, self.number)

    def text(self, request: Text) -> str:
        """An answer in a notation of its own."""
        return str(random_reply(request, self.number))

    def printed(self, request: Printed) -> str:
        given = self.clerk.automatic_reply(request, 0)
        value = (
            given.value
            if given
            else random_reply(request, self.number)
            if request.notation.choices
            else self.made_up_checked(request)
        )
        self.facts[request.fact] = value
        return str(value)

    def made_up_checked(self, request: Printed) -> str:
        return request.check(self.made_up(request.fact, request.notation.example))

    def made_up(self, fact: str, example: str) -> str:
        """A value for a printed fact whose notation is open: its example. Games may need better ones."""
        return example

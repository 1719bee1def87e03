"""A player who answers anything at random, within what a question allows: finds crashes and dead ends."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.errors import CompanionError, Illegal, Unreadable
from companion.core.events import Event, fold
from companion.core.game import Action, Game
from companion.core.position import Position
from companion.core.procedures import Run
from companion.core.requests import Choose, Confirm, Draw, Known, Number, Pick, Printed, Request, Roll, Tell, Text
from companion.games import make_game
from companion.session.tables import load

PATIENCE = 40
"""Refused answers in a row after which an action is given up, as a player would."""


class RandomPlayer:
    """Plays one game; every action is played out or taken back whole."""

    def __init__(self, game_id: str, scenario: str, seed: int, **options: str) -> None:
        self.random = Random(seed)
        self.game: Game = make_game(game_id, load(game_id))
        self.options = {name: option.default for name, option in self.game.options.items()} | {"scenario": scenario} | options
        self.facts: dict[str, str] = {}
        self.events: list[Event] = []
        self.position = Position()
        self.transcripts: list[tuple[Any, Position, list[Any], list[Event]]] = []
        assert self.play(self.game.setup), "the set-up came to no end"

    def turn(self) -> str:
        """Play one action that nothing stands against; its id, or "" where there is none or it was given up."""
        open_to = [one for one in self.game.actions if one.obstacle(self.position) is None and not one.alone]
        if self.game.over(self.position):
            open_to = [one for one in open_to if not one.usual]
        if not open_to:
            return ""
        action: Action = self.random.choice(open_to)
        return action.id if self.play(action.run) else ""

    def play(self, procedure: Any) -> bool:
        """Carry a procedure out; False where it was refused or given up, and nothing is kept."""
        referee = self.game.referee(self.position, self.options)
        replies: list[Any] = []
        try:
            run = Run(referee, procedure(referee))
        except Illegal:
            return False
        refused = 0
        while run.request is not None:
            try:
                value = self.answer(run.request)
                run.send(value)
                replies.append(value)
                refused = 0
            except CompanionError as fault:
                assert isinstance(fault, Illegal | Unreadable), fault
                refused += 1
                if refused > PATIENCE:
                    return False
                referee = self.game.referee(self.position, self.options)
                run = Run(referee, procedure(referee))
                for kept in replies:
                    run.send(kept)
        self.transcripts.append((procedure, self.position, replies, referee.events))
        self.events += referee.events
        self.position = referee.position
        return True

    def replayed(self) -> Position:
        """The position when every action is carried out again from its replies alone."""
        position = Position()
        for procedure, start, replies, events in self.transcripts:
            referee = self.game.referee(position, self.options)
            assert position == start
            run = Run(referee, procedure(referee))
            for reply in replies:
                assert run.request is not None
                run.send(run.request.check(reply))
            assert run.done
            assert referee.events == events
            position = referee.position
        return position

    def folded(self) -> Position:
        return fold(self.events)

    def answer(self, request: Request[Any]) -> Any:
        """Some answer that the request accepts."""
        pick = self.random
        if isinstance(request, Known):
            return request.check({k.partition(":")[2]: v for k, v in self.facts.items() if k.partition(":")[0] == request.fact})
        if isinstance(request, Tell):
            self.facts[request.fact] = request.value
            return request.check(request.value)
        if isinstance(request, Roll):
            return [pick.randrange(request.lowest, request.lowest + request.sides) for _ in range(request.count)]
        if isinstance(request, Draw):
            return pick.choices(list(request.contents), list(request.contents.values()))[0]
        if isinstance(request, Number):
            return pick.randint(request.low, min(request.high, request.low + 6))
        if isinstance(request, Confirm):
            return pick.random() < 0.5
        if isinstance(request, Choose):
            return pick.choice(request.choices).value
        if isinstance(request, Pick):
            most = min(request.high, len(request.choices), request.low + 3)
            return request.check([one.value for one in pick.sample(request.choices, pick.randint(request.low, most))])
        if isinstance(request, Printed):
            return self.printed(request)
        assert isinstance(request, Text)
        return request.check(self.text(request))

    def printed(self, request: Printed) -> str:
        fact = self.game.fact(request.fact)
        shipped = fact.shipped.get(request.fact.partition(":")[2]) if fact else None
        value = self.facts.get(request.fact) or shipped or request.fallback
        if value is None:
            choices = request.notation.choices
            value = self.random.choice(choices) if choices else self.made_up(request.fact, request.notation.example)
        self.facts[request.fact] = request.check(value)
        return self.facts[request.fact]

    def made_up(self, fact: str, example: str) -> str:
        """A value for a printed fact whose notation is open: its example. Games may need better ones."""
        return example

    def text(self, request: Text) -> str:
        known = [choice.value for choice in request.legal()]
        if known and self.random.random() < 0.9:
            return self.random.choice(known)
        return str(request.suggest or request.notation.example)

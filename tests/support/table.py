"""A table without an archive: actions are played in memory from typed answers, and nothing may be left over."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.cups import seeded_draw
from companion.core.dice import seeded
from companion.core.events import Event, Said
from companion.core.game import Game
from companion.core.position import Position
from companion.core.procedures import Run
from companion.core.referee import Referee
from companion.core.requests import Draw, Known, Odds, Printed, Request, Roll, Tell
from companion.games import make_game
from companion.session.tables import load

_GAMES: dict[tuple[str, str], Game] = {}


def game_of(game_id: str) -> Game:
    """The game, made once a test run for each folder of tables: a Game holds no state."""
    key = (game_id, os.environ.get("COMPANION_TABLES", ""))
    if key not in _GAMES:
        _GAMES[key] = make_game(game_id, load(game_id))
    return _GAMES[key]


class Table:
    """One game on the table.

    Answers are ``key=text`` pairs in order; dice and draws come from the lists, or from the seed where ``seed`` is set.
    """

    def __init__(
        self, game_id: str, scenario: str, facts: Mapping[str, str] | None = None, seed: str = "", **options: str
    ) -> None:
        self.game: Game = game_of(game_id)
        self.options = {name: option.default for name, option in self.game.options.items()} | {"scenario": scenario} | options
        self.facts = dict(facts or {})
        self.seed = seed
        self.random = 0
        self.position = Position()
        self.events: list[Event] = []
        self.asked: list[Request[Any]] = []
        self.set_up()

    def set_up(self) -> None:
        """Play the set-up."""
        self.play(self.game.setup)

    def do(
        self,
        action: str,
        *answers: str,
        dice: Sequence[int] = (),
        draws: Sequence[str] = (),
        anyway: bool = False,
        accept: bool = False,
    ) -> list[Event]:
        """Play one action whole; every answer, die and draw must be used."""
        chosen = next(item for item in self.game.actions if item.id == action)
        return self.play(chosen.run, answers, dice, draws, anyway=anyway, accept=accept)

    def play(
        self,
        procedure: Any,
        answers: Sequence[str] = (),
        dice: Sequence[int] = (),
        draws: Sequence[str] = (),
        anyway: bool = False,
        accept: bool = False,
    ) -> list[Event]:
        referee = self.game.referee(self.position, self.options)
        self.ask(referee, procedure, answers, dice, draws, anyway, accept)
        self.position = referee.position
        self.events = referee.events
        return referee.events

    def odds(self, situation: str, *answers: str) -> Odds:
        """The odds of a situation; suggestions are taken where nothing is answered."""
        chosen = next(item for item in self.game.situations if item.id == situation)
        referee = self.game.referee(self.position, self.options)
        odds = self.ask(referee, chosen.run, answers, (), (), False, True)
        assert isinstance(odds, Odds)
        return odds

    def ask(
        self,
        referee: Referee,
        procedure: Any,
        answers: Sequence[str],
        dice: Sequence[int],
        draws: Sequence[str],
        anyway: bool,
        accept: bool,
    ) -> Any:
        keyed = [answer.partition("=")[::2] for answer in answers]
        faces, names = list(dice), list(draws)
        run = Run(referee, procedure(referee), anyway)
        self.asked = []
        while run.request is not None:
            request = run.request
            self.asked.append(request)
            run.send(self.reply(request, keyed, faces, names, accept), anyway)
        assert not keyed, f"never asked: {keyed}; asked were {[one.key for one in self.asked]}"
        assert not faces, f"dice left over: {faces}; asked were {[one.key for one in self.asked]}"
        assert not names, f"draws left over: {names}"
        return run.result

    def reply(self, request: Request[Any], keyed: list[Any], faces: list[int], names: list[str], accept: bool) -> Any:
        if isinstance(request, Known):
            told = {key.partition(":")[2]: value for key, value in self.facts.items() if key.partition(":")[0] == request.fact}
            return request.check(told)
        if isinstance(request, Tell):
            self.facts[request.fact] = request.value
            return request.check(request.value)
        if isinstance(request, Roll):
            self.random += 1
            if self.seed and not faces:
                return [request.lowest + seeded(self.seed, self.random, part, request.sides) for part in range(request.count)]
            assert len(faces) >= request.count, f"{request.key} needs {request.count} dice, {faces} are left ({request.prompt})"
            rolled = faces[: request.count]
            del faces[: request.count]
            return request.check(rolled)
        if isinstance(request, Draw):
            self.random += 1
            if self.seed and not names:
                return seeded_draw(request.contents, self.seed, self.random)
            assert names, f"{request.key} needs a draw ({request.prompt})"
            return request.read(names.pop(0))
        if isinstance(request, Printed):
            fact = self.game.fact(request.fact)
            shipped = fact.shipped.get(request.fact.partition(":")[2]) if fact else None
            known = self.facts.get(request.fact) or shipped
            if known is not None:
                return request.check(known)
        for number, (key, text) in enumerate(keyed):
            if key == request.key:
                del keyed[number]
                value = request.read(text)
                if isinstance(request, Printed):
                    self.facts[request.fact] = value
                return request.check(value)
        if isinstance(request, Printed) and request.fallback is not None:
            return request.check(request.fallback)
        assert accept and request.suggest is not None, f"nobody answers {request.key}: {request.prompt} {request.expects()}"
        return request.suggest

    @property
    def said(self) -> list[str]:
        """The lines of the last action, each with its rule."""
        return [f"{event.text} [{event.rule}]" for event in self.events if isinstance(event, Said)]

    def track(self, name: str) -> int:
        return self.position.track(name)

    def asked_for(self, *kinds: str) -> list[str]:
        """The keys of the questions of the last action, in order; of these kinds only, where some are named."""
        return [request.key for request in self.asked if not kinds or request.kind in kinds]

    def names_at(self, place: str) -> list[str]:
        return sorted(piece.name for piece in self.position.at(place))

"""A game in memory, without an archive: actions are played from typed answers, all of which must be used."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.errors import Illegal, NoEligiblePiece
from companion.core.events import Event, FlagSet, PieceMade, PieceMarked, Said, TrackMoved
from companion.core.game import Game
from companion.core.position import Position
from companion.core.procedures import FORCED, AnyEffect, start
from companion.core.referee import Referee
from companion.core.requests import AnyRequest, Odds
from companion.core.resolver import Answers, ReplyResolver, drive
from companion.session.controller import SessionController
from companion.session.entry import SETUP, reject_unawaited
from companion.session.state import SessionLog, load_game
from companion.session.store import Archive, Session

_GAMES: dict[tuple[str, ...], Game] = {}


def game_of(game_id: str) -> Game:
    """The game, made once for each folder of tables; a Game holds no state."""
    key = (game_id, *(os.environ.get(name, "") for name in ("COMPANION_TABLES", "COMPANION_GAMES")))
    if key not in _GAMES:
        _GAMES[key] = load_game(game_id)
    return _GAMES[key]


class Table:
    """A game in memory. Answers are ``key=text`` pairs in order; dice and draws come from the lists, or from ``seed``.

    A subclass with ``in_sequence`` false plays any action at any time, for tests of one rule on a position of its own.
    """

    in_sequence = True

    def __init__(
        self, game_id: str, scenario: str, facts: Mapping[str, str] | None = None, seed: str = "", **options: str
    ) -> None:
        self.game: Game = game_of(game_id)
        self.options = self.game.default_options(scenario) | options
        self.facts = dict(facts or {})
        self.seed = seed
        self.random = 0
        self.position = Position()
        self.events: list[Event] = []
        self.asked: list[AnyRequest] = []
        self.forced: list[AnyRequest] = []
        self.effects: list[AnyEffect] = []
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
        """Play one whole action; every answer, die and draw must be used.

        Raises:
            Illegal: It is out of sequence or against the rules, and not `anyway`.
        """
        chosen = next(item for item in self.game.actions if item.id == action)
        if self.in_sequence and not anyway and (obstacle := self.game.obstacle_to(action, self.position)):
            raise Illegal(obstacle.text, rule=obstacle.rule, cure=obstacle.cure)
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
        """Play a procedure, a function of the referee; otherwise as `do`."""
        referee: Referee = self.game.new_referee(self.position, self.options, trial=True)
        self.ask(referee, procedure, answers, dice, draws, anyway, accept)
        self.position = referee.position
        self.events = referee.events
        return referee.events

    def odds(self, situation: str, *answers: str) -> Odds:
        """The odds of a situation; suggestions are taken for questions without an answer."""
        chosen = next(item for item in self.game.situations if item.id == situation)
        referee = self.game.new_referee(self.position, self.options, trial=True)
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
        given = Answers(keyed, dice, draws, accept=accept)
        self.asked, self.forced, self.effects = [], [], []
        try:
            with reject_unawaited():
                result = drive(referee, start(procedure, referee), _Player(self, given, anyway), anyway)
        except NoEligiblePiece as fault:  # as a session does
            raise fault.refusal_of(given.texts_for(fault.key)) from None
        given.check_all_used(referee, None)
        unlisted = {request.key for request in self.asked if not self.game.is_question_key(request.key)}
        assert not unlisted, f"`questions` in game.toml lacks {unlisted}"
        return result

    @property
    def said(self) -> list[str]:
        """The lines of the last action, each with its rule."""
        return [f"{event.text} [{event.rule}]" for event in self.events if isinstance(event, Said)]

    def track(self, name: str) -> int:
        """The value of a track."""
        return self.position.track(name)

    def asked_for(self, *kinds: str) -> list[str]:
        """The keys of the questions, rolls and draws of the last action in order, optionally of some kinds ("choose", "roll").

        Without questions that were answered without asking, because only one answer was legal.
        """
        return [request.key for request in self.asked if (not kinds or request.kind in kinds) and request not in self.forced]

    def names_at(self, place: str) -> list[str]:
        """The names of the pieces in a place, in alphabetical order."""
        return sorted(piece.name for piece in self.position.at(place))


class _Player:
    """Answers with what a test supplies; with a seed Companion rolls and draws the rest."""

    def __init__(self, table: Table, answers: Answers, anyway: bool) -> None:
        setting = "computer" if table.seed else "physical"
        self.table = table
        self.answers = answers
        self.anyway = anyway
        self.resolver = ReplyResolver(table.game, lambda: table.facts, {"dice": setting, "draws": setting}, table.seed)

    def reply(self, request: AnyRequest) -> Any:
        table = self.table
        table.asked.append(request)
        table.random += bool(request.chance_setting)
        accept, self.answers.accept = self.answers.accept, self.answers.accept and not request.chance_setting
        resolved = self.resolver.resolve(request, self.answers, table.random, self.anyway)
        self.answers.accept = accept
        assert resolved is not None, f"no answer to {request.key}: {request.prompt} {request.expects()}"
        if resolved.source == FORCED:
            table.forced.append(request)
        self.resolver.remember(resolved)
        self._remember()
        return resolved.value

    def run_effect(self, effect: AnyEffect) -> Any:
        self.table.effects.append(effect)
        resolved = self.resolver.run_effect(effect)
        self._remember()
        return resolved.value

    def _remember(self) -> None:
        self.table.facts |= self.resolver.new_facts


def made(position: Position) -> list[Event]:
    """Events that build a position from an empty one."""
    events: list[Event] = [TrackMoved(track, 0, value) for track, value in position.tracks.items()]
    events += [FlagSet(flag, None, value) for flag, value in position.flags.items()]
    for piece in position.pieces.values():
        events.append(PieceMade(piece.id, piece.kind, piece.name, piece.place, piece.face, piece.values))
        events += [PieceMarked(piece.id, mark, None, value) for mark, value in piece.marks.items()]
    return events


def session_at(archive: Archive, game_id: str, scenario: str, position: Position, seed: str = "") -> SessionController:
    """A session that begins at a position."""
    game = load_game(game_id)
    info = Session(0, "laid-out", game_id, scenario, game.default_options(scenario), seed, "", "", 0, "")
    session = SessionController(SessionLog(archive, info, game.vocabulary.sets), game)
    batch = session.log.new_batch()
    batch.entry(1, SETUP, {})
    batch.complete(1, made(position))
    session.log.commit(batch)
    assert session.position == position
    return session

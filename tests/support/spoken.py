"""The texts of whole games without people: what is said, why, what is asked, and what is refused."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from companion.core.errors import CompanionError
from companion.core.events import Event, Said
from companion.core.game import Game
from companion.core.history import Reply
from companion.core.match import Match
from companion.core.policies import RandomStream
from companion.core.position import Position
from companion.core.procedures import AnyEffect, ProcedureRun
from companion.core.referee import Referee
from companion.core.request import AnyRequest, evaluate_text
from companion.session.facts import practice_facts
from companion.views.log import event_lines

Texts = dict[str, Counter[str]]
"""Use -> the texts, with how often each occurs."""
WRONG = ("zzz", "99")
"""Typed to every question: an answer to hardly one."""


def played(game: Game, policy: str, seed: int) -> Match:
    """A whole game, each seat by a policy; the scenarios in turn by seed."""
    players = game.players
    options = {
        **game.default_options(),
        **players.practice_options(),
        **players.options_for_policies(dict.fromkeys(players.seats, policy)),
    }
    if seed:
        options["scenario"] = list(game.scenarios)[seed % len(game.scenarios)]
    seats = {seat: players.policy(seat, policy) for seat in players.seats}
    match = Match(game, options, seats, RandomStream(f"spoken/{seed}"), practice_facts(game), keep=True)
    with suppress(CompanionError):  # a game that cannot end: what was played counts
        match.begin()
        match.play()
    return match


def replayed(game: Game, match: Match) -> Iterator[tuple[Position, Referee, list[AnyRequest]]]:
    """Each action of a game: the position before it, its referee at its end, and its questions."""
    position = Position()
    runs = {"setup": game.setup, **{action.id: action.run for action in game.actions}}
    for item in match.story or ():
        referee, replies, questions = game.new_referee(position, match.options), list(item.replies), list[AnyRequest]()
        run: ProcedureRun[Any] = ProcedureRun(referee, runs[item.action](referee), partial(_next, replies))
        while run.request is not None:
            questions.append(run.request)
            run.send(replies.pop(0).value)
        yield position, referee, questions
        position = referee.position


def _next(replies: list[Reply], effect: AnyEffect) -> Any:
    return replies.pop(0).value if effect.stored else effect.default_result()


def texts_of(game: Game, policy: str, seed: int, refused: bool = False) -> Texts:
    """The texts of a game by what they are; with ``refused`` also errors and cures, which takes much longer."""
    texts: Texts = defaultdict(Counter)
    match = played(game, policy, seed)
    for position, referee, questions in replayed(game, match):
        for event in referee.events:
            _add_event(texts, event)
        pieces = dict(position.pieces)
        lines = (line.text for line in event_lines(game, referee.events, pieces))
        texts["change"].update(text for text in lines if text not in texts["line"])
        texts["prompt"].update(question.prompt for question in questions)
        if refused:
            _add_refusals(texts, game, referee, questions)
    return texts


def _add_event(texts: Texts, event: Event) -> None:
    if isinstance(event, Said):
        texts["line"][event.text] += 1
        texts["detail"].update(event.because)
    elif event.why:
        texts["reason"][event.why] += 1


def _add_refusals(texts: Texts, game: Game, referee: Referee, questions: list[AnyRequest]) -> None:
    """What stands against each action at its end, against answers to questions that did not arise, and to wrong answers."""
    for action in game.actions:
        obstacle = game.obstacle_to(action.id, referee.position)
        if obstacle:
            _add_error(texts, obstacle.text, obstacle.cure)
    for text, _, cure in referee.skipped_questions.values():
        _add_error(texts, evaluate_text(text), cure)
    for question in questions:
        for word in WRONG:
            try:
                question.read(word)
            except CompanionError as error:
                _add_error(texts, error.message, error.cure)


def _add_error(texts: Texts, message: str, cure: str) -> None:
    texts["error"][message] += 1
    if cure:
        texts["cure"][cure] += 1

"""No peeking: a refusal with nothing recorded is the same whatever the dice, the draws and the order of hidden counters are."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pytest

from companion.core.errors import CompanionError, Illegal, Unreadable
from companion.core.events import Said
from companion.core.game import Action, Game
from companion.core.match import DecisionPoint, recommend_for
from companion.core.policies import random_reply
from companion.core.position import Piece, Position
from companion.core.procedures import ProcedureRun
from companion.core.requests import AnyRequest
from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.testing.fixtures import Begun, Sit
from companion.testing.player import RandomPlayer
from companion.views.board import occupied_places, place_lines
from companion.views.data import banner_data, map_data, position_data
from companion.views.map_text import known_map
from companion.views.question import default_text, question_lines

SEEDS = ("1", "2", "3")


def tried(session: SessionController, action: str, answers: Answers, seed: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The refusal of an action with the dice and draws of a seed, or "" if it is recorded; it is taken back."""
    made = session.resolver()
    with monkeypatch.context() as patch:
        made.seed = seed
        patch.setattr(session, "resolver", lambda: made)
        last = session.history.next_number
        try:
            session.do(action, answers)
        except (Illegal, Unreadable) as refusal:
            assert session.history.next_number == last, "nothing is recorded"
            return str(refusal)
    if session.pending is not None:
        session.abort()
    elif session.history.next_number > last:
        session.undo()
    return ""


def answered(session: SessionController, action: str, choose: random.Random) -> list[tuple[str, str]]:
    """Random answers to an action, by key as they are typed; it is taken back."""
    keyed: list[tuple[str, str]] = []
    session.do(action)
    for _ in range(20):
        if (request := session.pending) is None:
            break
        text = request.to_input(random_reply(request, lambda below: int(choose.random() * below)))
        try:
            session.answer(Answers([(request.key, text)]))
        except (Illegal, Unreadable):
            continue
        keyed.append((request.key, text))
    if session.pending is not None:
        session.abort()
    else:
        session.undo()
    return keyed


def test_no_refusal_depends_on_what_is_rolled_or_drawn(game: Game, begun: Begun, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither an unknown key nor one that is not asked for tells a hidden result: the action could be tried again."""
    if not game.question_keys:
        pytest.skip("the game does not list the keys of its questions")
    session, choose = begun(2), random.Random(5)
    session.setting(dice="computer", draws="computer")
    while session.pending is not None:
        session.answer(Answers(accept=True, plain=[] if session.pending.default_reply is not None else ["none"]))
    for _ in range(5):
        legal = [
            action.id for action in game.actions if game.obstacle_to(action.id, session.position) is None and not action.ends
        ]
        if not legal:
            break
        for action in choose.sample(legal, min(3, len(legal))):
            unknown = {tried(session, action, Answers([("zzz", "1")], accept=True), seed, monkeypatch) for seed in SEEDS}
            assert len(unknown) == 1 and "" not in unknown, (action, unknown)
            try:
                keyed = answered(session, action, choose)
            except (Illegal, Unreadable):
                continue
            for key in choose.sample(sorted(game.question_keys), min(2, len(game.question_keys))):
                said = {tried(session, action, Answers([*keyed, (key, "none")]), seed, monkeypatch) for seed in SEEDS}
                assert len(said) == 1, (action, keyed, key)
        try:
            session.do(choose.choice(legal), Answers(accept=True), partial=True)
        except CompanionError:
            continue
        if session.pending is not None:
            session.abort()


FACE_DOWN = {"fallujah2004": "concealed"}
"""By game, the kind of counters that lie face down outside a cup."""


def permuted(game: Game, position: Position, seed: int) -> Position:
    """The position with the counters of each cup, and those that lie face down elsewhere, in another order."""
    pieces = list(position.pieces.values())
    hidden = [[piece.place == cup for piece in pieces] for cup in game.cups]
    hidden += [[is_face_down(game, piece) and piece.kind == kind for piece in pieces] for kind in {p.kind for p in pieces}]
    for chosen in hidden:
        indices = [index for index, is_chosen in enumerate(chosen) if is_chosen]
        others = [pieces[index] for index in random.Random(seed).sample(indices, len(indices))]
        for index, piece in zip(indices, others, strict=True):
            pieces[index] = piece
    return Position(position.tracks, {piece.id: piece for piece in pieces}, position.flags)


def is_face_down(game: Game, piece: Piece) -> bool:
    """True for a counter that lies face down: of a kind without a front on the table, or turned over."""
    return piece.kind == FACE_DOWN.get(game.id) or "face down" in game.face_title(piece, piece.face)


def shown(player: RandomPlayer, position: Position) -> list[Any]:
    """What a screen and a program are shown between two actions: banner, places, what is in the cups, map and score."""
    game, options, facts = player.game, player.options, player.facts
    places = {place: sorted(map(repr, pieces)) for place, pieces in position_data(position)["places"].items()}
    lines = [line.text for line in place_lines(game, position, occupied_places(game, position))]
    drawn = [map_data(known_map(game, position, options, facts, ()))] if game.has_map else []
    return [banner_data(game, position, options), places, lines, drawn, game.score(position, options)]


class Witness:
    """Writes down all that an action says, asks, suggests and advises, with the odds at the first question of each key."""

    def __init__(self, player: RandomPlayer, playouts: int = 0) -> None:
        self.player = player
        self.playouts = playouts
        self.weighed: set[str] = set()
        self.compared = 0

    def advice(self, position: Position, run: ProcedureRun[Any] | None = None) -> Any:
        """The advice of the planner, or why there is none: made-up facts may contradict each other."""
        game, options, facts = self.player.game, self.player.options, self.player.facts
        point = DecisionPoint(game, options, facts, position, run and (lambda referee: referee))
        referee, request = (run.referee, run.request) if run else (game.new_referee(position, options), None)
        try:
            advised = recommend_for(point, referee, request, self.playouts, "label", lambda *progress: None)
        except CompanionError as error:
            return str(error)
        # the last digits depend on which battles were forecast before
        return advised and advised._replace(
            candidates=tuple(one._replace(value=one.value and round(one.value, 9)) for one in advised.candidates)
        )

    def heard(self, action: Action, position: Position, replies: Sequence[Any]) -> tuple[list[Any], AnyRequest | None]:
        """What is said in an action with these replies, and its next request, None at its end; nothing is recorded."""
        player, facts, new_facts = self.player, dict(self.player.facts), dict(self.player.resolver.new_facts)
        try:
            run = player._start(action.run, [], [], position)
            for reply in replies:
                run.send(reply)
            heard: list[Any] = [event.text for event in run.referee.events if isinstance(event, Said)]
            if (request := run.request) is not None:
                heard += [request.describe(), default_text(request), [line.text for line in question_lines(request)]]
                heard.append(self.advice(position, run))
                if request.odds is not None and request.key not in self.weighed:
                    heard.append(request.odds())
            run.close()
        except (Illegal, Unreadable) as refusal:
            return [str(refusal)], None
        finally:
            player.facts, player.resolver.new_facts = facts, new_facts
        return heard, request

    def compare(self, action: Action, other: Position) -> None:
        """Raises AssertionError if an action, with the same dice and draws, tells another position from the player's."""
        replies: list[Any] = []
        for _ in range(12):
            here, request = self.heard(action, self.player.position, replies)
            assert self.heard(action, other, replies)[0] == here, (action.id, replies)
            if request is None:
                return
            self.weighed.add(request.key)
            self.compared += 1
            facts = dict(self.player.facts)
            with suppress(Unreadable):  # a random text may not be read
                replies.append(self.player.answer(request))
            self.player.facts = facts


def witness_turns(game: Game, player: RandomPlayer, turns: int) -> int:
    """Compare what is shown, advised and said in some turns of a game; the number of questions compared."""
    witness = Witness(player)
    for turn in range(turns):
        if game.over(player.position):
            break
        other = permuted(game, player.position, turn)
        assert shown(player, other) == shown(player, player.position)
        assert witness.advice(other) == witness.advice(player.position)
        for action in game.actions:
            if not action.alone and action.obstacle(player.position) is None:
                witness.compare(action, other)
        player.turn()
    return witness.compared


def test_nothing_said_depends_on_what_is_hidden(game: Game, sit: Sit) -> None:
    """Banner, score, map, questions, choices, suggestions, odds, advice and refusals: as text and as JSON."""
    if not game.cups:
        pytest.skip("the game has no cups")
    assert witness_turns(game, sit(3), 6)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4, 12))
def test_nothing_said_depends_on_what_is_hidden_in_more_games(game: Game, sit: Sit, seed: int) -> None:
    if not game.cups:
        pytest.skip("the game has no cups")
    assert witness_turns(game, sit(seed), 20)


PLAYOUTS = 4
"""The playouts per candidate, enough that worlds are drawn."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", (1, 2))
def test_advice_by_rollouts_does_not_depend_on_what_is_hidden(game: Game, sit: Sit, seed: int) -> None:
    """With the same seed of the worlds: they start from what the seat knows, not from an order in the cups."""
    if not game.cups:
        pytest.skip("the game has no cups")
    player = sit(seed)
    witness = Witness(player, PLAYOUTS)
    for turn in range(5):
        if game.over(player.position):
            break
        assert witness.advice(permuted(game, player.position, turn)) == witness.advice(player.position)
        player.turn()


def test_every_cup_is_permuted(game: Game, sit: Sit) -> None:
    """In some turn of a game each cup that holds different counters has another order."""
    player, mixed, held = sit(3), set(), set()
    for turn in range(12):
        other = permuted(game, player.position, turn)
        for cup in game.cups:
            names = [[piece.name for piece in position.at(cup)] for position in (player.position, other)]
            mixed |= {cup} if names[0] != names[1] else set()
            held |= {cup} if len(set(names[0])) > 1 else set()
        if game.over(player.position):
            break
        player.turn()
    assert held - mixed == set()

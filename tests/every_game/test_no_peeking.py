"""No peeking: a refusal with nothing recorded is the same whatever the dice, the draws and the order of hidden counters are."""

from __future__ import annotations

import random

import pytest

from companion.core.errors import CompanionError, Illegal, Unreadable
from companion.core.events import Said
from companion.core.game import Game
from companion.core.policies import random_reply
from companion.core.position import Position
from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.testing.fixtures import Begun, Sit

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


def permuted(game: Game, position: Position, seed: int) -> Position:
    """The position with the counters of each cup in another order, and those that lie face down on the map exchanged."""
    pieces = list(position.pieces.values())
    for cup in game.cups:
        places = [index for index, piece in enumerate(pieces) if piece.place == cup]
        mixed = random.Random(seed).sample(places, len(places))
        others = [pieces[index] for index in mixed]
        for index, piece in zip(places, others, strict=True):
            pieces[index] = piece
    return Position(position.tracks, {piece.id: piece for piece in pieces}, position.flags)


def said_before_chance(player: object, action: object, position: Position) -> list[str]:
    """What an action says and asks until chance decides or the player must choose, or why it is refused."""
    try:
        run = player._start(action.run, [], [], position)  # type: ignore[attr-defined]
    except (Illegal, Unreadable) as refusal:
        return [str(refusal)]
    lines = [event.text for event in run.referee.events if isinstance(event, Said)]
    if run.request is not None:
        offered = sorted(choice.label for choice in run.request.legal_choices())
        lines += [run.request.key, run.request.prompt, run.request.expects(), *offered]
    run.close()
    return lines


def test_nothing_said_depends_on_the_order_of_a_cup(game: Game, sit: Sit) -> None:
    """Every action begins alike: the same lines, question, choices and refusals."""
    if not game.cups:
        pytest.skip("the game has no cups")
    player = sit(3)
    for turn in range(10):
        other = permuted(game, player.position, turn)
        assert player.game.banner(other, player.options) == player.game.banner(player.position, player.options)
        for action in game.actions:
            if not action.alone and action.obstacle(player.position) is None:
                assert said_before_chance(player, action, other) == said_before_chance(player, action, player.position), action.id
        player.turn()

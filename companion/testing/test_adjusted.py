"""What every game must bear: that the player puts something right in the middle of an action."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.core.errors import CompanionError, Illegal
from companion.core.game import Game
from companion.core.history import Reply
from companion.core.procedures import ResolvedReply
from companion.session.adjust import adjustment_reply, apply_changes
from companion.session.entry import ReplyMismatch, RunningEntry
from companion.testing.player import PATIENCE, RandomPlayer

ACTIONS = 60


def seen(under: RunningEntry, dice: Random) -> Reply | None:
    """Something that the player sees to be otherwise; None if it is just as believed."""
    game, position = under.game, under.position
    tracks = [track for track in game.tracks.values() if track.high is not None]
    if tracks and dice.random() < 0.6:
        track = dice.choice(tracks)
        change = (f"track:{track.id}", str(dice.randint(track.low or 0, track.high or 0)))
    elif not position.pieces:
        return None
    else:
        piece = dice.choice(list(position.pieces.values()))
        change = (piece.id, f'"{dice.choice(list(position.places()))}"')
    try:
        referee, _ = apply_changes(game, under.options, position, [change], "seen")
    except Illegal:  # what lies there speaks against it
        return None
    assert under.request is not None
    return adjustment_reply([change], "seen", "adjust", under.request.key, referee.events) if referee.events else None


def again(under: RunningEntry) -> RunningEntry:
    """The same entry, run anew from its replies."""
    other = RunningEntry(
        under.game, under.options, under.start, under.number, under.action, under.index, False, under.resolver, under.replies
    )
    other.replay_stored()
    return other


def same(one: RunningEntry, other: RunningEntry) -> None:
    assert one.referee.events == other.referee.events
    assert one.position == other.position and list(one.position.pieces) == list(other.position.pieces)
    assert (one.request and one.request.describe()) == (other.request and other.request.describe())


@pytest.mark.parametrize("seed", range(3))
def test_what_is_put_right_at_any_question_stays_right(game: Game, seed: int) -> None:
    """At any question of random play something is put right: the position is then as the player says, and the same comes of it
    when the entry is run again from its replies; or the rules do not go on from there, and nothing has changed.
    """
    player, dice = RandomPlayer(game.id, list(game.scenarios)[seed % len(game.scenarios)], seed), Random(seed)
    put = 0
    for _ in range(ACTIONS):
        open_to = [one.id for one in game.actions if one.obstacle(player.position) is None and not one.alone]
        if not open_to or game.over(player.position):
            break
        put += act(player, dice, dice.choice(open_to))
    assert put or not player.transcripts[1:]


def act(player: RandomPlayer, dice: Random, action: str) -> int:
    """Plays an action out, or gives it up; how often something was put right."""
    put = refused = 0
    try:
        under = RunningEntry(player.game, player.options, player.position, 2, action, 0, resolver=player.clerk)
    except CompanionError:
        return 0
    while under.request is not None:
        if dice.random() < 0.15 and (reply := seen(under, dice)):
            before, asked = under.position, under.request
            wanted, _ = apply_changes(player.game, player.options, before, [tuple(reply.value["changes"][0])], "seen")
            try:
                at = under.adjust(reply)
                put += 1
                assert under.referee.events[at : at + len(reply.events)] == wanted.events
                if under.request and (under.request.key, under.request.kind) == (asked.key, asked.kind):
                    assert under.position == wanted.position or len(under.referee.events) > at + len(reply.events)
            except ReplyMismatch:
                assert under.position == before and under.request.describe() == asked.describe()
            same(under, again(under))
            continue
        try:
            answer: Any = player.answer(under.request)
            under.send(ResolvedReply(answer, "typed", anyway=bool(under.request.conflict(answer))))
            refused = 0
        except CompanionError:
            refused += 1
            under = again(under)
            if refused > PATIENCE:
                return put
    same(under, again(under))
    player.position = under.position
    return put

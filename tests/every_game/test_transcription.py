"""Contract test of corrections: a position that is written into a fresh session plays on as the one that was reached in play."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any, NamedTuple

import pytest

from companion.core.events import PieceMade
from companion.core.history import EFFECT_KINDS
from companion.core.policies import PLAIN, PLANNER
from companion.core.position import Piece, Position
from companion.games import GAMES
from companion.session import simulation
from companion.session.facts import practice_facts
from companion.testing.player import RandomPlayer
from companion.testing.table import game_of
from tests.support.players import seat
from tests.support.transcription import Sequel, Table, Transcriber, difference, paired, renamed, smallest


def _albany(piece: Piece) -> str:
    """A counter of a company as it is typed: ``A/2-7 1 inf 2-3/1-2``."""
    values = piece.values
    if "company" not in values:
        return piece.name
    label = piece.name.removesuffix(f"/{values['company']}").removesuffix("/Art")
    if values["type"] == "officer":
        return f"{values['company']} {label} officer"
    front, back = (f"{values[f'{side}fire']}-{values[f'{side}melee']}" for side in ("", "back "))
    return f"{values['company']} {label} {values['type']} {front}/{back}"


TABLES = {
    "fallujah2004": Table(("off", "out"), ("uprising", "stage"), ("first",)),
    "fallujahcards": Table(("discard",)),
    "iraqwar2003": Table(("off",)),
    "lzalbany": Table(("out",), described=_albany),
    "phantomfury": Table(("beside the map",)),
}


class Reached(NamedTuple):
    """A position reached in play, the printed facts known then, and the actions that followed."""

    player: RandomPlayer
    position: Position
    facts: dict[str, str]
    sequels: list[Sequel]


class Noting:
    """Mixin for a random player that notes the printed facts known before each action."""

    def play(self: Any, procedure: Any) -> bool:
        before = {**self.facts, **self.resolver.new_facts}
        done: bool = super().play(procedure)  # type: ignore[misc]
        if done:
            self.__dict__.setdefault("noted", []).append(before)
        return done


def reached(game: str, seed: int, turns: int, actions: int = 2) -> Iterator[Reached]:
    """Positions of a random game, one before each action, with the next actions."""
    lawful = {"map": "own" if seed % 3 == 0 else "practice"} if game == "lzalbany" else {}  # so that it makes no corrections
    player: Any = seat(game, seed, Noting, **lawful)
    for _ in range(20 * turns):
        if len(player.transcripts) > turns + actions or player.game.over(player.position):
            break
        player.turn()
    for number, (_, position, _, _) in enumerate(player.transcripts[1 : turns + 1], 1):
        sequels = [Sequel(procedure, *said) for procedure, _, said, _ in player.transcripts[number : number + actions]]
        yield Reached(player, position, player.noted[number], sequels)


def reached_by_policy(name: str, policy: str, seed: str, actions: int = 2) -> Iterator[Reached]:
    """Positions of a game that a policy plays to its end with the made-up set."""
    game = game_of(name)
    match = simulation.make_match(simulation.make_series(game, "", {}, {"": policy}, seed), 1, keep=True)
    assert simulation.play_out(match) == ""
    facts, options = dict(practice_facts(game)), dict(match.options)
    kind = type("Practising", (RandomPlayer,), {"TOLD": facts})
    player: Any = kind(name, options.pop("scenario"), 1, **options)
    runs, position = {action.id: action.run for action in game.actions}, Position()
    player.transcripts.clear()
    for item in match.story or ():
        procedure = runs.get(item.action, game.setup)
        said = [[reply.value for reply in item.replies if (reply.kind in EFFECT_KINDS) == effect] for effect in (False, True)]
        run = player._start(procedure, said[1], [], position)
        for value in said[0]:
            run.send(value)
        player.transcripts.append((procedure, position, said, run.referee.events))
        position = run.referee.position
    for number, (_, before, _, _) in enumerate(player.transcripts[1:], 1):
        sequels = [Sequel(procedure, *said) for procedure, _, said, _ in player.transcripts[number : number + actions]]
        yield Reached(player, before, facts, sequels)


def compared(there: Reached, table: Table, seed: int) -> str:
    """What differs when play goes on from the transcription; "" if nothing does."""
    kind, player, options = type(there.player), there.player, dict(there.player.options)
    fresh = type("Fresh", (kind,), {"TOLD": there.facts})(player.game.id, options.pop("scenario"), seed, **options)
    start, words = fresh.position, player.game.vocabulary
    if any(words.flag_type(flag).fact and flag not in there.position.flags for flag in start.flags):
        start = player.transcripts[1][1]  # the other set-up learned facts that this game does not have yet
    made = Transcriber(player.game, player.options, table, start, there.position).write()
    rest = there.sequels, table.unwritten
    found = difference(player, there.facts, there.position, made.position, made.ids, *rest)
    if not found:
        return ""
    other = renamed(made.position, made.ids)
    names, less = smallest(there.position, other, lambda mixed: difference(player, there.facts, there.position, mixed, {}, *rest))
    shown = [f"{name}: {_part(there.position, name)} / {_part(other, name)}" for name in names]
    return f"{found}\nsmallest: {less}\n" + "\n".join(shown)


def _part(position: Position, name: str) -> object:
    kind, _, key = name.partition(" ")
    return {"flag": position.flags, "track": position.tracks, "piece": position.pieces}[kind].get(key)


@pytest.mark.parametrize("game", GAMES)
def test_a_position_written_by_corrections_plays_on_as_in_the_game_it_was_reached_in(game: str) -> None:
    """Questions, lines, events, score and open actions are the same."""
    for there in islice(reached(game, 1, 40), 0, None, 4):
        assert not compared(there, TABLES[game], 77)


@pytest.mark.parametrize("count", [pytest.param(40, marks=pytest.mark.slow), pytest.param(200, marks=pytest.mark.long)])
@pytest.mark.parametrize("game", GAMES)
def test_many_positions_written_by_corrections_play_on(game: str, count: int) -> None:
    """Of random games, and as many again of games that are played to win."""
    seats = game_of(game).players
    policies = [name for name in (PLAIN, PLANNER) if all(name in seats.policies(seat) for seat in seats.seats)]
    played = chain.from_iterable(reached_by_policy(game, name, seed) for name in policies for seed in "ab")
    positions = chain(
        islice(chain.from_iterable(reached(game, seed, 40) for seed in range(2, 30)), count), islice(played, 0, 3 * count, 3)
    )
    found = [difference for there in positions if (difference := compared(there, TABLES[game], 78))]
    assert not found, "\n\n".join([f"{len(found)} differ", *found[:5]])


def test_the_smallest_difference_is_named_by_piece() -> None:
    """Of many pieces that lie elsewhere only the one that counts is left."""
    there = list(reached("phantomfury", 1, 12, 1))[-1]
    squad, *others = (piece for piece in there.position.of_kind("squad") if "-" in piece.place)
    goal = there.position.with_piece(squad._replace(marks={**squad.marks, "pinned": True}))
    other = there.position
    for piece in goal.at("suspects cup")[:9]:
        other = other.with_piece(piece._replace(face="martyrs"))
    names, found = smallest(goal, other, lambda mixed: difference(there.player, there.facts, goal, mixed, {}, ()))
    assert others and names == [f"piece {squad.id}"] and "banner" in found


def test_a_piece_that_both_make_is_the_same_whatever_its_ids() -> None:
    """The id of the game that was played may be that of another piece in the transcription."""
    made, other = (PieceMade(id=name, piece="control", name="Tunnel", place="box 1") for name in ("tunnel#2", "tunnel#3"))
    ids = {"tunnel#2": "tunnel#1"}
    mine, yours = paired(made, other, ids)
    assert mine == yours
    assert ids["tunnel#3"] == "tunnel#2"

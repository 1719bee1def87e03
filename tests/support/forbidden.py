"""What a rulebook forbids to stand on the table at the end of an action, and random games that are looked at for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from covertable import make

from companion.core.errors import Illegal
from companion.core.events import PieceMoved, fold
from companion.core.game import Game
from companion.core.position import Position
from companion.session.adjust import apply_changes
from companion.testing.player import RandomPlayer

Found = Callable[[Game, Position], list[str]]


class Forbidden(NamedTuple):
    """One thing that must not stand on the table unless the player insisted.

    Attributes:
        rule: that forbids it.
        says: what must not be, in a few words.
        found: what stands there wrongly, one line each.
        example: what is set to what, as by ``adjust``, so that it stands there wrongly.
        options: with which alone it is forbidden, if not with all.
    """

    rule: str
    says: str
    found: Found
    example: Sequence[tuple[str, str]]
    options: Mapping[str, str] = {}


def forbidden_of(game: str) -> Sequence[Forbidden]:
    """The list of a game."""
    listed: Sequence[Forbidden] = import_module(f"tests.games.{game}.forbidden").FORBIDDEN
    return listed


def combinations(game: Game) -> list[dict[str, str]]:
    """Scenario and options so that every two choices of different options come together in one of them at least."""
    factors = {"scenario": list(game.scenarios)} | {one.id: list(one.choices) for one in game.options.values() if one.choices}
    rows: list[dict[str, str]] = make(factors, strength=2)
    return rows


def seated(game: str, seed: int, options: Mapping[str, str]) -> Any:
    """A random player of that game with a scenario and options, after the set-up."""
    return import_module(f"tests.games.{game}.player").sit(seed, **options)


def wrong(player: RandomPlayer, listed: Sequence[Forbidden]) -> list[str]:
    """Everything forbidden that stands on the table of a player."""
    in_force = [one for one in listed if one.options.items() <= player.options.items()]
    return [f"{one.rule}: {one.says}: {what}" for one in in_force for what in one.found(player.game, player.position)]


def looked_at(player: RandomPlayer, listed: Sequence[Forbidden], turns: int) -> Iterator[str]:
    """What is wrong after each action of a game, with the action; it ends with the game, or with the first wrong thing."""
    done = ["set-up"]
    for _ in range(turns):
        faults = wrong(player, listed)
        yield from (f"after {done[-1]} (action {len(done)}): {fault}" for fault in faults)
        if faults or player.game.over(player.position):
            return
        done.append(player.turn() or done[-1])


def put_wrong(player: RandomPlayer, one: Forbidden) -> Position:
    """The position of a player with an example of what is forbidden; what no correction can do is done past it."""
    options = {**player.options, **one.options}
    try:
        return apply_changes(player.game, options, player.position, list(one.example), "an example")[0].position
    except Illegal:
        there = player.position.pieces.values()
        moves = [(piece, place) for name, place in one.example for piece in there if piece.name.endswith(name)]
        return fold([PieceMoved(piece.id, piece.place, place, "", "an example") for piece, place in moves], player.position)

"""Positions that a rulebook forbids between two actions, and random games that are checked for them.

``tests/games/GAME/forbidden.toml`` lists them in tables. A row holds the rule, what is forbidden, a condition, an example, and
the options with which it is forbidden, if not with all. A condition is a Python expression; its names are the parameters of its
table (see ``TABLES``) and those of ``forbidden.py`` beside the list. An example, such as ``Grunts = hand; turn = 3``, holds
changes as ``companion adjust`` makes them, after which the condition is true.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, reduce
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from covertable import make

from companion.core.errors import Illegal, Unreadable
from companion.core.events import PieceMade, PieceMoved, fold
from companion.core.game import Game
from companion.core.position import Position
from companion.session.adjust import apply_changes
from companion.testing.player import RandomPlayer

Faults = Callable[[Game, Position], list[str]]
Condition = Callable[..., Any]


def _pieces(condition: Condition) -> Faults:
    """A fault for each piece for which the condition is true."""
    return lambda game, position: [
        f"{piece.name} at {piece.place}"
        for piece in position.pieces.values()
        if condition(position, piece, piece.kind, piece.place)
    ]


def _crowds(condition: Condition) -> Faults:
    """A fault for each place with more than one piece for which the condition is true."""

    def faults(game: Game, position: Position) -> list[str]:
        counts = Counter(piece.place for piece in position.pieces.values() if condition(position, piece, piece.kind, piece.place))
        return [f"{count} in {place}" for place, count in counts.items() if count > 1]

    return faults


def _position(condition: Condition) -> Faults:
    """A fault if the condition is true of the position; if its value is a list or a set, a fault for each item."""

    def faults(game: Game, position: Position) -> list[str]:
        value = condition(game, position)
        items = value if isinstance(value, list | set) else [value] if value else []
        return ["" if item is True else str(item) for item in items]

    return faults


TABLES: Mapping[str, tuple[str, Callable[[Condition], Faults]]] = {
    "pieces": ("position, piece, kind, place", _pieces),
    "crowds": ("position, piece, kind, place", _crowds),
    "positions": ("game, position", _position),
}
"""For each table of a list: the parameters of its conditions, and what makes a check of one."""


class Forbidden(NamedTuple):
    """One thing that must not be on the table unless the player insisted.

    Attributes:
        rule: The rule that forbids it.
        title: What is forbidden, in a few words.
        faults: Returns a line for each fault in a position.
        example: Changes as ``companion adjust`` makes them, after which there is a fault.
        options: The options with which it is forbidden; empty: with all.
    """

    rule: str
    title: str
    faults: Faults
    example: Sequence[tuple[str, str]]
    options: Mapping[str, str] = {}


@cache
def forbidden_of(game: str) -> Sequence[Forbidden]:
    """Read the list of a game."""
    module = import_module(f"tests.games.{game}.forbidden")
    listed = tomllib.loads(Path(str(module.__file__)).with_suffix(".toml").read_text(encoding="utf-8"))
    forbidden = []
    for table, rows in listed.items():
        parameters, check = TABLES[table]
        for rule, title, expression, example, *options in rows:
            condition = eval(f"lambda {parameters}: {expression}", vars(module))
            chosen = dict(_pairs("; ".join(options)))
            forbidden.append(Forbidden(rule, title, check(condition), _pairs(example), chosen))
    return forbidden


def _pairs(text: str) -> list[tuple[str, str]]:
    """``a = 1; b = 2`` as pairs."""
    pairs = [change.partition(" = ") for change in text.split("; ") if change]
    return [(name, value) for name, _, value in pairs]


def combinations(game: Game) -> list[dict[str, str]]:
    """Scenarios and options in which every two choices of different options occur together at least once."""
    factors = {"scenario": list(game.scenarios)} | {
        option.id: list(option.choices) for option in game.options.values() if option.choices
    }
    rows: list[dict[str, str]] = make(factors, strength=2)
    return rows


def faults_in(player: RandomPlayer, listed: Sequence[Forbidden]) -> list[str]:
    """Everything forbidden in a player's position."""
    in_force = [item for item in listed if item.options.items() <= player.options.items()]
    faults = [(item, fault) for item in in_force for fault in item.faults(player.game, player.position)]
    return [f"{item.rule}: {item.title}{fault and f': {fault}'}" for item, fault in faults]


def faults_in_game(player: RandomPlayer, listed: Sequence[Forbidden], turns: int) -> Iterator[str]:
    """Faults after each action of a random game, with the action. Stops after the first, or at the end of the game."""
    done = ["set-up"]
    for _ in range(turns):
        faults = faults_in(player, listed)
        yield from (f"after {done[-1]} (action {len(done)}): {fault}" for fault in faults)
        if faults or player.game.over(player.position):
            return
        done.append(player.turn() or done[-1])


def with_example(player: RandomPlayer, item: Forbidden) -> Position:
    """A player's position after the example, as one correction or one by one; what none can make is folded in as events."""
    options = {**player.options, **item.options}

    def corrected(position: Position, *changes: tuple[str, str]) -> Position:
        return apply_changes(player.game, options, position, list(changes), "an example")[0].position

    try:
        position = corrected(player.position, *item.example)
        return position if item.faults(player.game, position) else reduce(corrected, item.example, player.position)
    except (Illegal, Unreadable):
        pieces = player.position.pieces.values()
        events: list[PieceMoved | PieceMade] = []
        for name, place in item.example:
            kind = name.removeprefix("new:").split(":")[0].split()[0]
            title, used = name.partition("@")[0], {event.id for event in events}
            others = [piece for piece in pieces if piece.id not in used]
            like = [piece for piece in others if piece.name.endswith(title) or title in piece.name or kind == piece.kind]
            made = name.rpartition(":")[2] if name.startswith("new:") else ""
            if made and not any(piece.name == made for piece in pieces):
                events.append(PieceMade(f"example-{len(events)}", kind, made, place))
            else:
                events += [PieceMoved(piece.id, piece.place, place, "", "an example") for piece in like[:1]]
        return fold(events, player.position)

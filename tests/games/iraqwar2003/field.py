"""Iraq War 2003 with a made-up counter set, and helpers that set up positions."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from companion.core.events import Said
from companion.core.position import Piece, Value
from companion.games.iraqwar2003.facts import MAP_FACTS
from companion.games.iraqwar2003.notation import read_path
from companion.games.iraqwar2003.referee import IraqWarReferee
from companion.games.iraqwar2003.rules.r12_movement import Mover, PathCost, path_cost
from tests.support.table import Table, game_of

SET: dict[str, str] = tomllib.loads((Path(__file__).parent / "scripts" / "made_up_set.toml").read_text())["facts"]
FRONT = {key: value for key, value in SET.items() if key.partition(":")[0] in (*MAP_FACTS, "at")}
"""The map of the made-up set and the starting hexes of its units."""
FACTS = {key: value for key, value in SET.items() if key not in FRONT}
"""The made-up set without a map and without the hexes of units."""
NO_SUPPORT = ("support=none", "counter=none")
PLAIN = ("river=none", "terrain=plain")


def war(facts: dict[str, str] | None = None, seed: str = "", **options: str) -> Table:
    """A game on turn 1, at the Facility Bombing Phase. ``facts`` override those of the made-up set."""
    return Table("iraqwar2003", "war", {**FACTS, **(facts or {})}, seed, **options)


def operations(side: str = "coalition", facts: dict[str, str] | None = None, **options: str) -> Table:
    """A game in the Operation Phase of a side, its units in supply; Iraq with 6 command points."""
    table = war(facts, **options)
    table.do("supply", accept=True)
    if side == "iraq":
        table.do("end")
        table.do("supply", "source=die", dice=[6], accept=True)
    mark(table, "oos", None, *(piece.name for piece in table.position.pieces.values() if piece.mark("oos")))
    return table


def cost_of(way: str, mover: Mover) -> PathCost:
    """The cost of a path by the chart of the game."""
    return path_cost(read_path(way), mover, game_of("iraqwar2003").tables.charts["movement"])


def unit(table: Table, name: str) -> Piece:
    """The piece of a name."""
    return next(piece for piece in table.position.pieces.values() if piece.name == name)


def place(table: Table, name: str) -> str:
    return unit(table, name).place


def put(table: Table, **changes: Value) -> None:
    """Set tracks and flags: ``track_cp=3``, ``flag_storm=True``."""

    async def change(referee: IraqWarReferee) -> None:
        for key, value in changes.items():
            kind, _, name = key.partition("_")
            if kind == "track":
                assert isinstance(value, int)
                referee.set_track(name, value, "15.2", "test")
            else:
                referee.set_flag(name.replace("__", " "), value, "15.2", "test")

    table.play(change)


def mark(table: Table, mark_name: str, value: Value, *names: str) -> None:
    """Put a marker on pieces, or remove it."""

    async def change(referee: IraqWarReferee) -> None:
        for name in names:
            referee.mark(unit(table, name).id, mark_name, value, "7.3", "test")

    table.play(change)


def send(table: Table, where: str, *names: str) -> None:
    """Move pieces to a place."""

    async def change(referee: IraqWarReferee) -> None:
        for name in names:
            referee.move(unit(table, name).id, where, "7.3", "test")

    table.play(change)


def reduce(table: Table, *names: str) -> None:
    """Flip units to their reduced side."""

    async def change(referee: IraqWarReferee) -> None:
        for name in names:
            referee.flip(unit(table, name).id, "reduced", "7.3", "test")

    table.play(change)


def said(table: Table, text: str) -> bool:
    """True if a line of the last action, or a reason, contains the text."""
    return any(
        text in line
        for event in table.events
        if isinstance(event, Said)
        for line in (f"{event.text} [{event.rule}]", *event.because)
    )


def asked(table: Table) -> list[str]:
    """The keys of the questions of the last action that were not answered from memory."""
    return [request.key for request in table.asked if request.kind not in ("known", "tell", "printed")]


def vp(table: Table) -> int:
    return table.game.score(table.position, table.options).total


def attack(table: Table, attackers: str, target: str, *answers: str, dice: Any = (), **more: Any) -> None:
    """Attack with a unit or stack that does not move; by default no river, plain terrain and no air support."""
    keys = [answer.partition("=")[0] for answer in answers]
    defaults = [pair for pair in (*PLAIN, *NO_SUPPORT) if pair.partition("=")[0] not in keys]
    table.do("move", f"units={attackers}", "way=stay", f"attack={target}", *answers, *defaults, dice=dice, accept=True, **more)

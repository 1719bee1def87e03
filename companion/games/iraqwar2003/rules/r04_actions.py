"""[4.1(4)] Who may act in the Operation Phase, and the moved marker when it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.core.game import Obstacle
from companion.core.position import Piece, Position
from companion.games.iraqwar2003.names import ANTI_AIR_UNIT, COALITION, DISRUPTED, IRAQ, MOVED, OUT_OF_SUPPLY, SIDE, SIDE_TITLES
from companion.games.iraqwar2003.referee import IraqWar, on_map, rule_on
from companion.games.iraqwar2003.words.counters import IRAQI, nation, side_of
from companion.games.iraqwar2003.words.places import is_on_map


def can_act(position: Position) -> list[Piece]:
    """Units of the current player that have done nothing yet this player turn, and whose command point is there [11.2]."""
    ready = position.cached_from_pieces(_UNMOVED[str(position.flag(SIDE, COALITION))])
    return _paid_for(position, ready)


def fit_to_act(position: Position) -> list[Piece]:
    """[7.3.1(1)] Those of them who are not disrupted."""
    return _paid_for(position, position.cached_from_pieces(_FIT[str(position.flag(SIDE, COALITION))]))


def _paid_for(position: Position, ready: Sequence[Piece]) -> list[Piece]:
    """[11.2] Those of some units of the current player whose command point is there: only Iraqi ones need any."""
    if position.track("cp") > 0 or position.flag(SIDE, COALITION) == COALITION:
        return list(ready)
    return [piece for piece in ready if nation(piece) != IRAQI]


def _without(pieces: Sequence[Piece], *marks: str) -> list[Piece]:
    """Those that have none of these markers; most have none at all."""
    return [piece for piece in pieces if not piece.marks or not any(map(piece.marks.get, marks))]


_UNMOVED: Mapping[str, Callable[[Position], list[Piece]]] = {
    COALITION: lambda position: _without(on_map(position, COALITION), MOVED),
    IRAQ: lambda position: _without(on_map(position, IRAQ), MOVED),
}
"""The units of a side that have done nothing yet this player turn."""
_FIT: Mapping[str, Callable[[Position], list[Piece]]] = {
    COALITION: lambda position: _without(on_map(position, COALITION), MOVED, DISRUPTED),
    IRAQ: lambda position: _without(on_map(position, IRAQ), MOVED, DISRUPTED),
}
"""Those of them who are not disrupted."""


def check_acting(game: IraqWar, piece: Piece, doing: str) -> None:
    """[4.1(4-1), 12.1(6)] Of the current player, and not done yet."""
    if side_of(piece) != game.side:
        game.forbid(f"{piece.name} belongs to the other player", "4.1(4-1)", f"Name one of the {SIDE_TITLES[game.side]} units")
    if piece.mark(MOVED):
        game.forbid(f"{piece.name} has finished its actions this turn", "12.1(6)", f"It cannot {doing} again")


def unfit(piece: Piece, what: str = "it may not move or attack", rule: str = "7.3.1(1)") -> Obstacle | None:
    """[7.3.1(1)] A disrupted unit neither moves nor attacks, nor does anything else of the kind."""
    return Obstacle(f"{piece.name} is disrupted: {what}", rule, "It may recover: recover") if piece.mark(DISRUPTED) else None


def beyond_recovery(position: Position, piece: Piece) -> Obstacle | None:
    """[7.3.3, 16.4(6)] What recovers is disrupted, in supply, and not the anti-air unit."""
    if not piece.mark(DISRUPTED):
        return Obstacle(f"{piece.name} is not disrupted", "7.3.3", "Name a disrupted unit")
    if piece.mark(OUT_OF_SUPPLY):
        return Obstacle(f"{piece.name} is out of supply: it cannot recover", "7.3.3", "Open its supply line first")
    if piece.number("anti_air") and rule_on(position, ANTI_AIR_UNIT):
        return Obstacle(f"{piece.name}, the anti-air unit, never recovers", "16.4(6)", "Name another unit")
    return None


def finish(game: IraqWar, pieces: Sequence[Piece]) -> None:
    """[4.1(4-3)] The moved marker."""
    there = [now for piece in pieces if is_on_map(now := game.piece(piece.id))]
    game.mark_all(there, MOVED, True, "4.1(4-3)")

"""[4.1(4)] Who may act in the Operation Phase, and the moved marker when it has."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.position import Piece
from companion.games.iraqwar2003.names import MAP, MOVED, SIDE_TITLES
from companion.games.iraqwar2003.referee import IraqWar, on_map
from companion.games.iraqwar2003.words.counters import side_of


def can_act(game: IraqWar) -> list[Piece]:
    """Units of the current player that have done nothing yet this player turn."""
    return [piece for piece in on_map(game.position, game.side) if not piece.mark(MOVED)]


def check_acting(game: IraqWar, piece: Piece, doing: str) -> None:
    """[4.1(4-1), 12.1(6)] Of the current player, and not done yet."""
    if side_of(piece) != game.side:
        game.forbid(f"{piece.name} belongs to the other player", "4.1(4-1)", f"Name a {SIDE_TITLES[game.side]} unit")
    if piece.mark(MOVED):
        game.forbid(f"{piece.name} has finished its actions this turn", "12.1(6)", f"It cannot {doing}")


def finish(game: IraqWar, pieces: Sequence[Piece]) -> None:
    """[4.1(4-3)] The moved marker."""
    for piece in pieces:
        if game.piece(piece.id).place == MAP:
            game.mark(piece.id, MOVED, True, "4.1(4-3)")

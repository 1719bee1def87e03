"""The opponent before, who never moves unless he must [5.2E]: he fires most dice, and decides all else as that one does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.advice import Advice
from companion.core.position import Piece
from companion.games.lzalbany.first import first_advice
from companion.games.lzalbany.first.first_advice import fire_option, said
from companion.games.lzalbany.first.first_view import weigh
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules.r05_retreat import flees
from companion.games.lzalbany.words.orders import NONE


def group_advice(game: LzAlbany, side: str, groups: Sequence[str]) -> Advice[Any] | None:
    """The group that fires best."""
    if flees(game, side):
        return first_advice.group_advice(game, side, groups)
    best = weigh(game, f"{side.casefold()}_activation", [fire_option(game, side, group) for group in groups])
    return best and Advice(best.choice.value, best.name, best.because, best.passed)


def moves_advice(game: LzAlbany, side: str, movers: Sequence[Piece]) -> Advice[Any]:
    """Nobody goes."""
    return first_advice.moves_advice(game, side, movers) if flees(game, side) else said(NONE, NONE, "it never moves")

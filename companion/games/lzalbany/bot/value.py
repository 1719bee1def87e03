"""What a position is worth between two turns."""

from __future__ import annotations

from typing import Any

from companion.games.lzalbany.bot.board import Board
from companion.games.lzalbany.bot.worth import Worth
from companion.games.lzalbany.names import NVA, NVA_VP, OFFICER, UNIT, US, US_VP, WOUNDED
from companion.games.lzalbany.rules.r08_hits import REDUCED
from companion.games.lzalbany.words.counters import side_of, target_of

_THREATS = 0.5
"""How much of what can be done next counts: the other side moves too."""


def standing(game: Any) -> float:
    """[4.1] The US's points less those of the NVA, and what is likely to follow from the hits, officers and areas as they are."""
    board = Board(game)
    value = float(game.position.track(US_VP) - game.position.track(NVA_VP))
    for side, sign in ((US, -1), (NVA, 1)):
        value += sign * sum(_to_come(board.worth, piece) for piece in game.on_map(side, UNIT, OFFICER))
    value -= len(game.on_map(US, WOUNDED))
    threats = {side: sum(board.threat(side, area) for area in board.held(side)) for side in (US, NVA)}
    return value + board.albany(US) + _THREATS * (threats[US] - threats[NVA])


def _to_come(worth: Worth, piece: Any) -> float:
    """What a counter's hits will cost its side beyond the points that they have scored."""
    target = target_of(piece)
    scored = 0 if target.kind == OFFICER or target.hits < REDUCED else 2 if side_of(piece) == US else 1
    return worth.lost(target) - scored

"""Our opponent behind the lines: where a unit would cut the supply of the Coalition's spearheads."""

from __future__ import annotations

from functools import cached_property

from companion.core.events import PieceMoved, apply
from companion.core.position import Piece
from companion.games.iraqwar2003.bot.weighing import constant
from companion.games.iraqwar2003.notation import US, is_western, printed_side
from companion.games.iraqwar2003.referee import IraqWarReferee
from companion.games.iraqwar2003.rules.r09_zones import SOURCES
from companion.games.iraqwar2003.rules.r10_lines import SupplyLines as Supply
from companion.games.iraqwar2003.state import COALITION, OUT_OF_SUPPLY
from companion.games.iraqwar2003.worth import Prospect

SAMPLE = 3
"""Spearheads whose lines are looked at: those of the others run along the same roads."""
TRIED = 10
"""Hexes that are tried at most."""


class Lines:
    """The supply lines of the Coalition's spearheads, and what it is worth to stand on or beside one.

    Args:
        game: on the position. ahead: what it may come to.
    """

    def __init__(self, game: IraqWarReferee, ahead: Prospect) -> None:
        self.game = game
        self.ahead = ahead
        self._worth: dict[str, float] = {}

    @cached_property
    def spearheads(self) -> dict[str, tuple[str, ...]]:
        """[10.0(3)] Of the strongest units far from their source: id -> the line that is open now."""
        source = SOURCES[US]
        away = {one.id: self.ahead.land.distance(one.place, source) or 0 for one in self.ahead.foes if is_western(one)}
        strong = [one for one in self.ahead.foes if away.get(one.id, 0) > 3 and not one.mark(OUT_OF_SUPPLY)]
        strong.sort(key=lambda one: (-printed_side(one).attack, -away[one.id], one.name))
        supply = Supply(self.game.position, COALITION)
        lines = {one.id: supply.of(one) for one in strong[:SAMPLE]}
        return {one: line.hexes for one, line in lines.items() if line.open}

    @cached_property
    def beside(self) -> frozenset[str]:
        """The hexes on these lines and around them, but around their ends."""
        inner = {number for line in self.spearheads.values() for number in line[2:]}
        return frozenset(inner | {there for number in inner for there in self.ahead.land.neighbours(number)})

    @cached_property
    def strength(self) -> int:
        """The attack values of western units that are in supply."""
        return sum(printed_side(one).attack for one in self.ahead.foes if is_western(one) and not one.mark(OUT_OF_SUPPLY))

    def cut_by(self, piece: Piece, number: str) -> float:
        """[10.0(3), 10.0(6)] What it is worth that a unit stands in a hex when the Coalition next checks its supply, in victory
        points: who is cut off then attacks and moves with half.
        """
        if not self.ahead.turns or not self.spearheads or number not in self.beside:
            return 0.0
        if number not in self._worth and len(self._worth) < TRIED:
            after = apply(self.game.position, PieceMoved(piece.id, piece.place, number, "12.1(3)", ""))
            supply = Supply(after, COALITION)
            cut = sum(not supply.of(after.pieces[one]).open for one in self.spearheads)
            self._worth[number] = constant(self.game, "cut") * self.strength * cut / len(self.spearheads)
        return self._worth.get(number, 0.0)

"""What supply is worth to the Coalition: its own lines held and reopened, and the gap in a line that is cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.core.hints import TYPE_CHECKING
from companion.core.position import Piece
from companion.games.iraqwar2003 import notation, state
from companion.games.iraqwar2003.rules import r08_map

if TYPE_CHECKING:
    from companion.games.iraqwar2003.ai.features import Features

_SOURCE = r08_map.SOURCES[notation.US]


class SupplyGap(NamedTuple):
    """The gap in the lines of western units that are cut off.
    | Attributes:
        units: Those units.
        hexes: The hexes that close the shortest line of the strongest.
        enemies: Hexes of enemies in or beside the gap, with the value of driving them out.
    """

    units: tuple[Piece, ...] = ()
    hexes: frozenset[str] = frozenset()
    enemies: Mapping[str, float] = {}


def supply_gap(
    lines: r08_map.SupplyLines, western: Sequence[Piece], foes: Mapping[str, Sequence[Piece]], value: float
) -> SupplyGap:
    """[10.0(3)] The gap in the lines of some western units. ``value``: of an attack point in supply."""
    connected = lines.after(_SOURCE)
    cut_off = tuple(piece for piece in western if not connected.reaches(piece.place))
    if not cut_off:
        return SupplyGap()
    strongest = max(cut_off, key=lambda piece: (notation.printed_side(piece).attack, piece.name))
    line, land = lines.of(strongest).hexes, lines.land
    gap = frozenset(number for number in line if not lines.is_ours(number))
    restored = value * _attack(cut_off)
    around = {neighbour for number in gap for neighbour in land.ashore(number)} | gap
    return SupplyGap(cut_off, gap, {number: restored for number in around if number in foes})


def _attack(pieces: Sequence[Piece]) -> int:
    return sum(notation.printed_side(piece).attack for piece in pieces)


class Supply:
    """[10.0] What it is worth at the next check that some western units end in a hex."""

    def __init__(self, features: Features, pieces: Sequence[Piece]) -> None:
        self._lines = features.supply_lines
        self._start, self._reach = pieces[0].place, features.reach(pieces)
        self._flies = all(piece.values.get("fly") for piece in pieces)
        self._zoned = features.field.zoned
        self._own = r08_map.occupied_hexes(features.position, state.COALITION)
        self._value: float = features.referee.priorities["coalition"]["supply"]
        self._pieces = pieces
        self._gap = features.supply_gap
        others = [piece for piece in features.valuation.western if piece not in pieces]
        alone = not state.others_in(features.position, self._start, pieces)
        self._left = self._start if alone and self._start in self._zoned else ""
        now = self._lines.after(_SOURCE)
        self._after = self._lines.after(_SOURCE, self._left) if self._left else now
        self._supplied = {self._start: now.reaches(self._start)}
        self._behind = [piece for piece in others if now.reaches(piece.place) and not self._after.reaches(piece.place)]
        self._cut_off = [piece for piece in self._gap.units if piece not in pieces]

    @classmethod
    def of(cls, features: Features, pieces: Sequence[Piece]) -> Supply | None:
        """None for Kurdish units, and before the last turn's end."""
        matters = notation.is_western(pieces[0]) and features.valuation.coalition_turns > 1
        return cls(features, pieces) if matters else None

    def value(self, number: str) -> float:
        """The value of an end in victory points: lines reopened, less those cut and its own."""
        lost = _attack(self._behind) if number != self._start else 0
        lost += 0 if self._is_supplied(number) else _attack(self._pieces)
        return self._value * (self._reopened(number) - lost)

    def _reopened(self, number: str) -> int:
        """The attack points of units that are cut off now and would not be."""
        if not self._cut_off or number == self._start or number not in self._reach.spent or not self._is_supplied(number):
            return 0
        path = (number,) if self._flies else self._reach.path(number)
        if self._gap.hexes.isdisjoint(path):
            return 0
        after = self._lines.after(_SOURCE, self._left, path)
        return _attack([piece for piece in self._cut_off if after.reaches(piece.place)])

    def _is_supplied(self, number: str) -> bool:
        """[10.0(3)] Whether a line leads from a hex to the source, over hexes entered on the way to it too."""
        supplied = self._supplied.get(number)
        if supplied is None:
            supplied = self._after.reaches(number)
            if not supplied and number in self._reach.spent and not self._flies:
                supplied = self._along(self._reach.path(number))
            self._supplied[number] = supplied
        return supplied

    def _along(self, path: Sequence[str]) -> bool:
        """[10.0(4)] Whether the hexes entered before the last join it to the source."""
        for entered in reversed(path[:-1]):
            if entered in self._zoned and entered not in self._own:
                return False
            if self._after.reaches(entered):
                return True
        return False

"""The referee of the pass: the words of the rules for what lies on the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.charts import Chart
from companion.core.dice import RollOutcome, summed_rolls
from companion.core.position import Piece, Position
from companion.core.referee import Referee
from companion.core.requests import Choice

from .land import Land

COLUMN, HILLS, CUP, DRAWN, LOST, SCATTERED, ASIDE = "column", "hills", "cup", "drawn", "lost", "scattered", "aside"
REDUCED = "reduced"
SPENT = 4
"""[1.4] Fatigue of a column that does not follow up."""


def pairs() -> tuple[RollOutcome, ...]:
    """[1.6] Two dice, which are added."""
    return summed_rolls(2, lambda face: face)


class Drm(tuple[tuple[str, int], ...]):
    """[1.6] Modifiers, each with its reason."""

    @property
    def total(self) -> int:
        return sum(number for _, number in self)

    def lines(self) -> list[str]:
        """Those that count."""
        return [f"{reason} {number:+d}" for reason, number in self if number]


class Pass(Referee):
    """Carries one action of the game.

    Args:
        land: the map; ``tables``: the numbers of the set-up and the priorities of the bands.
    """

    def __init__(
        self, position: Position, options: Mapping[str, str], charts: Mapping[str, Chart], land: Land, tables: Any
    ) -> None:
        super().__init__(position, options, charts)
        self.land = land
        self.tables = tables

    # -- the column --------------------------------------------------------------------------------------------

    @property
    def marker(self) -> Piece:
        """[1.2] What shows where the column is."""
        return next(piece for piece in self.position.of_kind("marker") if piece.name == "Column")

    @property
    def rockfall(self) -> Piece:
        """[4.5] The marker."""
        return next(piece for piece in self.position.of_kind("marker") if piece.name == "Rocks")

    @property
    def here(self) -> str:
        """[1.2] The area of the column."""
        return self.marker.place

    @property
    def companies(self) -> list[Piece]:
        """[1.2] Those that are not lost."""
        return [piece for piece in self.position.at(COLUMN) if piece.kind == "company"]

    @property
    def wagons(self) -> list[Piece]:
        """[1.2] Those that are not lost."""
        return [piece for piece in self.position.at(COLUMN) if piece.kind == "wagon"]

    def has(self, company: str) -> bool:
        """Whether a company is with the column."""
        return any(piece.name == company for piece in self.companies)

    def strength(self, piece: Piece) -> int:
        """[1.2] Of a company, or of a band [1.3]."""
        return piece.number("strength") - (piece.face == REDUCED)

    def track(self, name: str) -> int:
        return self.position.track(name)

    @property
    def camp(self) -> bool:
        """[6.8] Whether the column is in camp."""
        return bool(self.position.flag("camp"))

    def scouted(self, area: str) -> bool:
        """[6.9] Whether that is the area that is scouted."""
        return self.position.flag("scouted") == area

    # -- the bands ---------------------------------------------------------------------------------------------

    @property
    def bands(self) -> list[Piece]:
        """[5.1] Those that are not scattered, the strongest first, of equals by their letters."""
        found = [piece for piece in self.position.of_kind("band") if piece.place != SCATTERED]
        return sorted(found, key=lambda piece: (-self.strength(piece), piece.name))

    def bands_at(self, area: str) -> list[Piece]:
        """Those that stand in an area."""
        return [piece for piece in self.bands if piece.place == area]

    @property
    def around(self) -> list[Piece]:
        """Those that are adjacent to the column."""
        near = self.land.next[self.here]
        return [piece for piece in self.bands if piece.place in near]

    def scatter(self, band: Piece, rule: str, why: str) -> None:
        """[1.3] Out of the game; the others lose heart."""
        self.move(band.id, SCATTERED, rule, why)
        self.shift_track("resolve", -1, rule, f"{band.name} is scattered")

    def title(self, area: str) -> str:
        """What an area is called."""
        return area.title()

    def choices(self, pieces: Sequence[Piece]) -> list[Choice]:
        """Pieces to choose from, with their strength."""
        return [Choice(piece.id, piece.name, f"strength {self.strength(piece)}") for piece in pieces]

    def area_choices(self, areas: Sequence[str]) -> list[Choice]:
        """Areas to choose from, with who stands there."""
        return [Choice(area, self.title(area), ", ".join(piece.name for piece in self.bands_at(area))) for area in areas]

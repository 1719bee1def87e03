"""What Companion believes is on the board: an immutable value, and the only state of a game."""

from collections.abc import Mapping
from typing import NamedTuple

Value = int | str | bool | None
"""What a printed value, a mark or a flag may hold. JSON and SQL can hold it too."""


class Piece(NamedTuple):
    """A counter, chit, marker or card.

    Attributes:
        id: unique in its session, never used again.
        kind: what it is in the words of its game ("unit", "militia", "ambush").
        name: what is printed on it and what the player types.
        place: where it is; each piece is in exactly one place.
        face: which side is up; "front" unless turned.
        values: what is printed on it, by name.
        marks: markers lying on it, by name; a mark that is off is absent.
    """

    id: str
    kind: str
    name: str
    place: str
    face: str = "front"
    values: Mapping[str, Value] = {}
    marks: Mapping[str, Value] = {}

    def mark(self, name: str, default: Value = None) -> Value:
        return self.marks.get(name, default)

    def number(self, name: str) -> int:
        """A printed value as a whole number; 0 where nothing is printed."""
        value = self.values.get(name)
        return value if isinstance(value, int) else 0


class Position(NamedTuple):
    """Tracks, pieces and flags. ``pieces`` is in order of arrival, so a place is also a pile."""

    tracks: Mapping[str, int] = {}
    pieces: Mapping[str, Piece] = {}
    flags: Mapping[str, Value] = {}

    def track(self, name: str) -> int:
        return self.tracks.get(name, 0)

    def flag(self, name: str, default: Value = None) -> Value:
        return self.flags.get(name, default)

    def at(self, place: str) -> list[Piece]:
        """The pieces in a place, first come first."""
        return [piece for piece in self.pieces.values() if piece.place == place]

    def of_kind(self, kind: str) -> list[Piece]:
        return [piece for piece in self.pieces.values() if piece.kind == kind]

    def places(self) -> dict[str, list[Piece]]:
        """Every place that holds a piece, with its pieces."""
        found: dict[str, list[Piece]] = {}
        for piece in self.pieces.values():
            found.setdefault(piece.place, []).append(piece)
        return found

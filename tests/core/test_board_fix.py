"""The board-fix list: what the hands do, in so many words."""

from __future__ import annotations

from companion.core.board_fix import board_fix
from companion.core.position import Piece, Position, Value


class Words:
    """The words of a made-up game."""

    cups: tuple[str, ...] = ("bag",)
    unchecked_places: tuple[str, ...] = ()

    def track(self, track: str, value: int) -> str:
        return str(value)

    def marker_title(self, track: str) -> str:
        return {"supply": "the Supply marker"}.get(track, "")

    def flag_title(self, flag: str) -> str:
        return {"night": "Night"}.get(flag, "")

    def place_title(self, place: str) -> str:
        return {"camp": "the Camp"}.get(place, place)

    def pile_title(self, place: str) -> str:
        return ""

    def face_title(self, piece: Piece, face: str) -> str:
        return {"front": "fresh side", "back": "tired side"}[face]

    def mark_sentence(self, names: str, count: int, mark: str, value: Value) -> str:
        title = {"hits": "Hits", "with": "With"}.get(mark, "")
        return f"{names}: {title} {value}" if title and value is not None else f"{names}: no {title}" if title else ""

    def piece_fix_lines(self, old: Piece | None, new: Piece | None) -> list[str] | None:
        return None


RED = Piece("red#1", "unit", "Red", "camp")
TWO = [Piece(f"blue#{number}", "unit", "Blue", "camp") for number in (2, 3)]


def fixed(before: list[Piece], after: list[Piece]) -> list[str]:
    return board_fix(
        Position(pieces={piece.id: piece for piece in before}), Position(pieces={piece.id: piece for piece in after}), Words()
    )


def test_pieces_are_flipped_to_the_face_to_show() -> None:
    """Forth and back, each time the new side; two that are alike in one line."""
    assert fixed([RED], [RED._replace(face="back")]) == ["Turn Red to its tired side (the Camp)"]
    assert fixed([RED._replace(face="back")], [RED]) == ["Turn Red to its fresh side (the Camp)"]
    assert fixed(TWO, [one._replace(face="back") for one in TWO]) == ["Turn 2 x Blue to its tired side (the Camp)"]


def test_pieces_are_moved_placed_and_removed() -> None:
    """From where it lies to where it shall lie, and turned there."""
    ford = RED._replace(place="ford", face="back")

    assert fixed([RED], [ford]) == ["Move Red from the Camp to ford", "Turn Red to its tired side (ford)"]
    assert fixed([], [RED]) == ["Put Red in the Camp"]
    assert fixed([RED], []) == ["Take Red off the Camp"]
    assert fixed([RED], [RED]) == []


def test_marks_are_placed_and_removed() -> None:
    """A mark that names a piece does so by the piece's name; one without words is Companion's own."""
    hit = RED._replace(marks={"hits": 1, "secret": True})

    assert fixed([RED], [hit]) == ["Red: Hits 1"]
    assert fixed([hit], [RED]) == ["Red: no Hits"]
    assert fixed([RED, *TWO], [RED._replace(marks={"with": "blue#2"}), *TWO]) == ["Red: With Blue"]


def test_tracks_and_flags_are_set() -> None:
    before, after = (
        Position({"supply": 3, "count": 1}, {}, {"night": None}),
        Position({"supply": 5, "count": 2}, {}, {"night": True}),
    )

    assert board_fix(before, after, Words()) == ["Set the Supply marker from 3 to 5", "Night: from none to yes"]


def test_order_is_map_cups_tracks() -> None:
    before = Position({"supply": 7}, {"a": Piece("a", "unit", "Alpha", "camp"), "b": Piece("b", "unit", "Bravo", "camp")})
    after = Position({"supply": 8}, {"a": Piece("a", "unit", "Alpha", "bag"), "b": Piece("b", "unit", "Bravo", "ford")})

    assert board_fix(before, after, Words()) == [
        "Move Bravo from the Camp to ford",
        "Move Alpha from the Camp to bag",
        "Set the Supply marker from 7 to 8",
    ]

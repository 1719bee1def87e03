"""What each event does to a position: nothing more, and nothing less."""

from __future__ import annotations

from companion.core.events import FlagSet, PieceFlipped, PieceMade, PieceMarked, PieceMoved, Said, TrackMoved, apply, fold

MADE = [PieceMade(f"{name}#1", "unit", name, "camp", values={"fire": 2}) for name in ("red", "blue", "grey")]
START = fold(MADE)


def test_moved_piece_is_last_in_its_place() -> None:
    """A place is a pile: what comes in lies on top, and what came back is no longer where it was in the order."""
    there = apply(START, PieceMoved("red#1", "camp", "ford"))
    back = apply(there, PieceMoved("red#1", "ford", "camp"))

    assert [piece.id for piece in there.at("camp")] == ["blue#1", "grey#1"]
    assert [piece.id for piece in there.at("ford")] == ["red#1"]
    assert [piece.id for piece in back.at("camp")] == ["blue#1", "grey#1", "red#1"]
    assert list(back.places()) == ["camp"]


def test_removed_mark_is_absent() -> None:
    """Put on, changed, taken off; nothing else of the piece changes."""
    marked = apply(START, PieceMarked("red#1", "hits", None, 1))
    worse = apply(marked, PieceMarked("red#1", "hits", 1, 2))

    assert marked.pieces["red#1"].marks == {"hits": 1}
    assert worse.pieces["red#1"].marks == {"hits": 2}
    assert apply(worse, PieceMarked("red#1", "hits", 2, None)).pieces == START.pieces


def test_flipped_piece_stays_in_its_place() -> None:
    turned = apply(START, PieceFlipped("blue#1", "front", "back"))

    assert turned.pieces["blue#1"] == START.pieces["blue#1"]._replace(face="back")
    assert [piece.id for piece in turned.at("camp")] == ["red#1", "blue#1", "grey#1"]


def test_cleared_flag_is_absent() -> None:
    night = apply(START, FlagSet("night", None, True))

    assert night.flag("night") is True
    assert apply(night, FlagSet("night", True, None)) == START
    assert apply(START, Said("so it is")) == START
    assert apply(START, TrackMoved("turn", 0, 3)).track("turn") == 3

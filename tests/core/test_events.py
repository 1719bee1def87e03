"""What each event does to a position: nothing more, and nothing less."""

from __future__ import annotations

from companion.core.events import FlagSet, PieceFlipped, PieceMade, PieceMarked, PieceMoved, Said, TrackMoved, apply, fold

MADE = [PieceMade(f"{name}#1", "unit", name, "camp", values={"fire": 2}) for name in ("red", "blue", "grey")]
START = fold(MADE)


def test_a_piece_that_moves_comes_to_lie_last() -> None:
    """A place is a pile: what comes in lies on top, and what came back is no longer where it was in the order."""
    there = apply(START, PieceMoved("red#1", "camp", "ford"))
    back = apply(there, PieceMoved("red#1", "ford", "camp"))

    assert [piece.id for piece in there.at("camp")] == ["blue#1", "grey#1"]
    assert [piece.id for piece in there.at("ford")] == ["red#1"]
    assert [piece.id for piece in back.at("camp")] == ["blue#1", "grey#1", "red#1"]
    assert list(back.places()) == ["camp"]


def test_a_mark_that_is_off_is_absent() -> None:
    """Put on, changed, taken off; nothing else of the piece changes."""
    marked = apply(START, PieceMarked("red#1", "hits", None, 1))
    worse = apply(marked, PieceMarked("red#1", "hits", 1, 2))

    assert marked.pieces["red#1"].marks == {"hits": 1}
    assert worse.pieces["red#1"].marks == {"hits": 2}
    assert apply(worse, PieceMarked("red#1", "hits", 2, None)).pieces == START.pieces


def test_a_piece_is_turned_and_stays_where_it_is() -> None:
    turned = apply(START, PieceFlipped("blue#1", "front", "back"))

    assert turned.pieces["blue#1"] == START.pieces["blue#1"]._replace(face="back")
    assert [piece.id for piece in turned.at("camp")] == ["red#1", "blue#1", "grey#1"]


def test_a_flag_that_no_longer_holds_is_absent() -> None:
    night = apply(START, FlagSet("night", None, True))

    assert night.flag("night") is True
    assert apply(night, FlagSet("night", True, None)) == START
    assert apply(START, Said("so it is")) == START
    assert apply(START, TrackMoved("turn", 0, 3)).track("turn") == 3

"""What each event does to a position: nothing more, and nothing less."""

from __future__ import annotations

import json

from companion.core.events import (
    FlagSet,
    PieceFlipped,
    PieceMade,
    PieceMarked,
    PieceMoved,
    Said,
    TrackMoved,
    apply,
    decode,
    encode,
    fold,
)
from companion.core.position import Position

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


def test_what_is_looked_up_stays_right_through_changes() -> None:
    """Looking things up on the way changes nothing of what is found later."""
    looked, plain = START, START
    for event in (
        PieceMoved("red#1", "camp", "ford"),
        PieceMade("red#2", "lamp", "red", "ford"),
        PieceMoved("red#1", "ford", "out"),
    ):
        assert looked.at("camp") and looked.of_kind("unit")
        looked, plain = apply(looked, event), apply(plain, event)

    again = fold([*MADE], Position())
    assert again == START
    for place in ("camp", "ford", "out"):
        assert looked.at(place) == plain.at(place) == [piece for piece in plain.pieces.values() if piece.place == place]
    assert looked.of_kind("unit") == [piece for piece in plain.pieces.values() if piece.kind == "unit"]


def test_a_set_that_was_kept_as_words_in_a_text_is_a_set() -> None:
    """Only of a flag that is one today; and what is written now is read as it is."""
    old = {"kind": "flag", "flag": "moved", "was": None, "now": "1 2 a"}
    new = FlagSet("moved", ("1",), ("1", "2"))

    assert decode(old, {"moved"}) == FlagSet("moved", None, ("1", "2", "a"))
    assert decode({**old, "now": ""}, {"moved"}) == FlagSet("moved", None, None)
    assert decode(old) == FlagSet("moved", None, "1 2 a")
    assert decode(json.loads(json.dumps(encode(new))), {"moved"}) == new

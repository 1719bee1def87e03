"""Adjust: what the player sees before them is so."""

from __future__ import annotations

import pytest

from companion.core.errors import Ambiguous, Unreadable
from companion.core.events import FlagSet, PieceFlipped, PieceMade, PieceMarked, PieceMoved, TrackMoved
from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.session.test_controller import same_as_stored


@pytest.fixture
def session(archive: Archive, tiny_game: str) -> SessionController:
    return SessionController.create(archive, "tiny", seed="7")


def adjust(session: SessionController, what: str, value: str) -> tuple[object, ...]:
    step = session.adjust([(what, value)], "seen on the table")
    same_as_stored(session)
    return step.events


@pytest.mark.parametrize(
    ("what", "value", "track", "now"),
    [
        ("supply", "3", "supply", 3),
        ("Supply", "-3", "supply", -3),
        ("su", "20", "supply", 20),
        ("mood", "high", "mood", 2),
        ("mood", "l", "mood", 0),
        ("mood", "0", "mood", 0),
        ("track:turn", "1000", "turn", 1000),
    ],
)
def test_tracks(session: SessionController, what: str, value: str, track: str, now: int) -> None:
    was = session.position.track(track)
    assert adjust(session, what, value) == (TrackMoved(track, was, now, "", "seen on the table"),)


@pytest.mark.parametrize(
    ("what", "value", "words"),
    [
        ("supply", "21", r"Supply cannot stand at 21 .1.1.. It can be: -3 to 20. Like this: companion adjust supply 8"),
        ("turn", "-1", "It can be: 0 or more. Like this: companion adjust turn 0"),
        ("mood", "great", "'great' is not a value of Mood .1.2.. It can be: low, middling, high"),
        ("supply", "much", "It can be: -3 to 20. Like this: companion adjust supply 8"),
        ("track:morale", "1", "no track 'morale'"),
        ("nothing", "1", "no track or piece 'nothing'"),
        ("", "", "nothing to adjust"),
        ("supply", "8", "nothing would change"),
        ("flag:", "yes", "a flag needs a name"),
        ("new:unit", "camp", "which unit\\?.* Like this: new:unit:Red"),
        ("new:", "camp", "a new piece needs a kind, a name and a place. Like this: companion adjust new:unit:Red camp"),
        ("Red.hits", "3", "Red.hits cannot be '3'. It can be: 1 to 2, or none .hits taken."),
        ("Red.hits", "yes", "It can be: 1 to 2"),
        ("Red.tired", "a bit", "It can be: yes, or no"),
        ("Red", "hits", "1 to 2, or none .hits taken.. Like this: companion adjust Red.hits 1"),
        ("Red", "moon", "the game has no place 'moon'. Besides a place there is: Red.hits, Red.tired, Red.face"),
        ("Red.face", "left", "Red has no side 'left'. It has: front, back"),
        ("gold#4.shiny", "yes", "Gold bears no marks. Like this: companion adjust gold#4 "),
        ("Red", "", "a place needs a name. Like this: companion adjust Red Camp"),
        ("Red.speed", "1", "no mark for Red 'speed'"),
        ("Red.face", "", "a face needs a name"),
        ("Red@nowhere", "camp", "no piece is in 'nowhere'"),
        ("Gold@camp", "camp", "no piece in that place 'Gold'"),
    ],
)
def test_impossible_changes_are_refused(session: SessionController, what: str, value: str, words: str) -> None:
    rows = session.archive.rows(session.info.id)
    with pytest.raises(Unreadable, match=words):
        session.adjust([(what, value)], "x")
    assert session.archive.rows(session.info.id) == rows


@pytest.mark.parametrize(
    ("what", "value", "piece", "place"),
    [
        ("Red", "ford", "red#1", "ford"),
        ("r", "far", "red#1", "far bank"),
        ("red#1", "Out of play", "red#1", "out"),
        ("piece:Red", "bag", "red#1", "bag"),
        ("Blue", "ford", "blue#2", "ford"),
        ("Gold@bag", "out", "gold#4", "out"),
        ("blue#3", "ford", "blue#3", "ford"),
        ("Red", '"the fo"', "red#1", "the fo"),
        ("Red", "hill top", "red#1", "hill top"),
    ],
)
def test_pieces(session: SessionController, what: str, value: str, piece: str, place: str) -> None:
    was = session.position.pieces[piece].place
    assert adjust(session, what, value) == (PieceMoved(piece, was, place, "", "seen on the table"),)


def test_new_place_is_reported(session: SessionController) -> None:
    step = session.adjust([("Red", "hill\x1b top")], "x")
    assert step.notes == ("nothing was in 'hill  top' before; taken as it was typed",)
    assert session.adjust([("Blue", "hill")], "x").notes == ()
    assert session.position.pieces["blue#2"].place == "hill  top"


def test_ambiguous_name(session: SessionController) -> None:
    adjust(session, "Blue", "ford")
    with pytest.raises(Ambiguous) as caught:
        session.adjust([("Blue", "out")], "x")
    assert sorted(caught.value.matches) == ["Blue@camp", "Blue@ford"]
    adjust(session, "Blue@ford", "camp")
    adjust(session, "blue#3.hits", "1")
    with pytest.raises(Ambiguous) as caught:
        session.adjust([("Blue", "out")], "x")
    assert sorted(caught.value.matches) == ["blue#2", "blue#3"]


def test_name_of_a_track_and_a_piece(session: SessionController) -> None:
    adjust(session, "new:unit:Support", "camp")
    with pytest.raises(Ambiguous) as caught:
        session.adjust([("sup", "1")], "x")
    assert set(caught.value.matches) == {"track:supply", "piece:Support"} | ({"track:Supply"} & set(caught.value.matches))
    adjust(session, "supply", "1")
    adjust(session, "support", "ford")
    adjust(session, "track:sup", "2")


@pytest.mark.parametrize(
    ("what", "value", "mark", "now"),
    [("Red.hits", "2", "hits", 2), ("Red.h", "1", "hits", 1), ("red#1.tired", "yes", "tired", True)],
)
def test_marks(session: SessionController, what: str, value: str, mark: str, now: object) -> None:
    assert adjust(session, what, value) == (PieceMarked("red#1", mark, None, now, "", "seen on the table"),)
    assert adjust(session, what, "none") == (PieceMarked("red#1", mark, now, None, "", "seen on the table"),)


def test_bare_mark_or_face(session: SessionController) -> None:
    """``51M disrupted`` is no place: the unit bears the mark, and does not leave the map."""
    assert adjust(session, "Red@camp", "tired") == (PieceMarked("red#1", "tired", None, True, "", "seen on the table"),)
    assert adjust(session, "Red", "hits 2") == (PieceMarked("red#1", "hits", None, 2, "", "seen on the table"),)
    assert adjust(session, "Red", "back") == (PieceFlipped("red#1", "front", "back", "", "seen on the table"),)


def test_faces(session: SessionController) -> None:
    adjust(session, "Red.face", "back")
    assert session.position.pieces["red#1"].face == "back"


def test_names_with_a_dot(session: SessionController) -> None:
    adjust(session, "new:unit:1st Bn. Red", "camp")
    adjust(session, "1st Bn. Red", "ford")
    adjust(session, "1st Bn. Red.hits", "1")
    assert session.position.at("ford")[0].marks == {"hits": 1}


def test_flags(session: SessionController) -> None:
    assert adjust(session, "flag:night", "yes") == (FlagSet("night", None, True, "", "seen on the table"),)
    assert adjust(session, "flag:n", "none") == (FlagSet("night", True, None, "", "seen on the table"),)
    session.adjust([("flag:moon", "3")], "x")
    assert session.position.flags == {"moon": 3}
    with pytest.raises(Unreadable, match="no flag 'sun'"):
        session.adjust([("flag:sun", "3")], "x")


def test_new_pieces(session: SessionController) -> None:
    (made,) = adjust(session, "new:un:Green One", "ford")
    assert made == PieceMade("green-one#9", "unit", "Green One", "ford", "front", {}, "", "seen on the table")
    with pytest.raises(Unreadable, match="no kind of piece 'tank'"):
        session.adjust([("new:tank:Green One", "camp")], "x")


def test_several_changes_apply_in_order(session: SessionController) -> None:
    step = session.adjust(
        [("new:unit:Green", "camp"), ("Green.hits", "1"), ("Green", "ford"), ("mood", "low")], "all of it", "audit"
    )
    assert step.fix == ("Put Green in Ford", "Set Mood from middling to low")
    entry = session.history.in_force[-1]
    assert entry.action == "audit" and entry.args["why"] == "all of it"
    assert entry.args["changes"][1] == ["Green.hits", "1"]
    same_as_stored(session)
    session.undo()
    assert not [piece for piece in session.position.pieces.values() if piece.name == "Green"]


def test_one_bad_change_rejects_all(session: SessionController) -> None:
    with pytest.raises(Unreadable):
        session.adjust([("mood", "low"), ("mood", "nine")], "x")
    assert session.position.track("mood") == 1


@pytest.mark.parametrize("why", ["", "  ", "\x00"])
def test_reason_is_required(session: SessionController, why: str) -> None:
    with pytest.raises(Unreadable, match="needs a reason"):
        session.adjust([("mood", "low")], why)


def test_pieces_are_never_lost(session: SessionController) -> None:
    before = set(session.position.pieces)
    for piece in list(session.position.pieces.values()):
        session.adjust([(piece.id, '"the box"')], "clearing up")
    assert set(session.position.pieces) == before
    session.do("march", Answers(plain=["Red", "ford"]))

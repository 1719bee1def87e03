"""Positions, what happens to them, and how events are stored: against plain loops over all pieces."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import BadData, RuleFault
from companion.core.events import (
    EVENT_TYPES,
    VERSIONS,
    Event,
    FlagSet,
    PieceFlipped,
    PieceMade,
    PieceMarked,
    PieceMoved,
    PositionBuilder,
    Said,
    TrackMoved,
    apply,
    decode,
    encode,
    fold,
)
from companion.core.history import ROW_SCHEMAS, History, LogRow
from companion.core.position import FlagReader, Piece, Position, cached_by_values
from companion.core.referee import Referee
from companion.session.schema import VIEWS
from companion.session.state import LogBatch

PLACES = ("camp", "ford", "bag")
KIND = ("unit", "find")


def plays() -> st.SearchStrategy[list[tuple[Any, ...]]]:
    """Made, moved, turned and marked pieces, in any order; the number says which piece."""
    made = st.tuples(st.just("made"), st.sampled_from(KIND), st.sampled_from(PLACES), st.sampled_from(("red", "blue")))
    rest = st.tuples(st.sampled_from(("moved", "flipped", "marked", "look")), st.integers(0, 9), st.sampled_from(PLACES))
    return st.lists(st.one_of(made, rest), max_size=40)


def event_of(play: tuple[Any, ...], position: Position) -> Event | None:
    if play[0] == "made":
        number = len(position.pieces)
        return PieceMade(f"p{number}", play[1], f"Piece {number}", play[2], "front", {"side": play[3]})
    if not position.pieces or play[0] == "look":
        return None
    piece = list(position.pieces.values())[play[1] % len(position.pieces)]
    if play[0] == "moved":
        return PieceMoved(piece.id, piece.place, play[2])
    if play[0] == "flipped":
        return PieceFlipped(piece.id, piece.face, "back" if piece.face == "front" else "front")
    return PieceMarked(piece.id, "hits", piece.mark("hits"), play[1] or None)


def in_camp(piece: Piece) -> str | None:
    """A key of a game: who is in the camp, by name."""
    return piece.name if piece.place == "camp" else None


def agrees(position: Position) -> None:
    pieces = list(position.pieces.values())
    for place in PLACES:
        assert position.at(place) == [piece for piece in pieces if piece.place == place]
        assert position.count(place) == len(position.at(place))
    for kind in KIND:
        assert position.of_kind(kind) == [piece for piece in pieces if piece.kind == kind]
    for side in ("red", "blue", "none"):
        assert position.having("side", side) == [piece for piece in pieces if piece.values.get("side") == side]
    camped = [piece for piece in pieces if piece.place == "camp"]
    for name in ("Piece 0", "Piece 1", "nobody"):
        found = [piece for piece in camped if piece.name == name]
        assert position.pieces_in_group(in_camp, name) == found
        assert position.first_in_group(in_camp, name) == next(iter(found), None)
    assert not position.pieces_in_group(in_camp, None)
    assert sum(len(there) for there in position.places().values()) == len(pieces)


@settings(deadline=None)
@given(plays())
def test_pieces_by_place_match_a_scan(played: list[tuple[Any, ...]]) -> None:
    """At every position, whether it was looked at before or not, and in the order of arrival; older positions stay."""
    position, seen, events = Position(), [], []
    for play in played:
        event = event_of(play, position)
        if event is None:
            agrees(position)
            seen.append(position)
            continue
        events.append(event)
        position = apply(position, event)
    agrees(position)
    for one in seen:
        agrees(one)
    assert fold(events) == position and list(fold(events).pieces) == list(position.pieces)


@pytest.mark.parametrize("every", [1, 7, 60, 150])
def test_rarely_read_values_are_correct(every: int) -> None:
    position = Position(pieces={f"p{n}": Piece(f"p{n}", KIND[n % 2], f"Piece {n}", "camp") for n in range(9)})
    agrees(position)
    for turn in range(1, 200):
        position = apply(position, PieceMoved(f"p{turn * turn % 9}", "", PLACES[turn % 3]))
        if turn % every == 0:
            agrees(position)
    agrees(position)


def test_values_of_flags_are_cached_until_they_change() -> None:
    looks: list[object] = []

    def told(position: Position) -> int:
        looks.append(position.flag("ford"))
        return len(looks)

    position = Position(flags={"ford": "deep"})
    moved = apply(apply(position, TrackMoved("turn", 0, 1)), PieceMade("p1", "unit", "Piece 1", "camp"))
    assert [position.cached_from_flags(told), moved.cached_from_flags(told), position.cached_from_flags(told)] == [1, 1, 1]

    flagged = apply(moved, FlagSet("ford", "deep", "dry"))
    assert [flagged.cached_from_flags(told), moved.cached_from_flags(told)] == [2, 1]
    assert looks == ["deep", "dry"]


def test_values_of_some_flags_survive_changes_of_others() -> None:
    looks: list[object] = []
    depth = FlagReader(lambda position: looks.append(position.flag("ford depth")) or len(looks), ("ford", "bridge"))

    position = Position(flags={"ford depth": "deep"})
    assert position.cached_from_flags(depth) == 1
    position = apply(position, FlagSet("wind", None, "west"))
    assert position.cached_from_flags(depth) == 1
    position = apply(apply(position, FlagSet("ford depth", "deep", "dry")), FlagSet("wind", "west", None))
    assert position.cached_from_flags(depth) == 2 and looks == ["deep", "dry"]


def test_values_of_pieces_are_cached_until_they_change() -> None:
    looks: list[int] = []

    def crowd(position: Position) -> int:
        looks.append(len(position.pieces))
        return len(looks)

    position = apply(Position(), PieceMade("p1", "unit", "Piece 1", "camp"))
    flagged = apply(apply(position, TrackMoved("turn", 0, 1)), FlagSet("ford", None, "dry"))
    assert [position.cached_from_pieces(crowd), flagged.cached_from_pieces(crowd)] == [1, 1]
    moved = apply(flagged, PieceMoved("p1", "camp", "hill"))
    assert [moved.cached_from_pieces(crowd), flagged.cached_from_pieces(crowd), looks] == [2, 1, [1, 1]]


def test_values_of_a_group_are_cached_until_a_piece_changes() -> None:
    looks: list[list[str]] = []

    def names(pieces: Iterable[Piece]) -> tuple[str, ...]:
        looks.append([piece.name for piece in pieces])
        return tuple(looks[-1])

    position = Position(pieces={f"p{n}": Piece(f"p{n}", "unit", f"Piece {n}", "camp") for n in range(2)})
    for number, event in enumerate((PieceMade("q", "marker", "Q", "hill"), PieceMoved("q", "hill", "ford"))):
        assert position.cached_from_group(in_camp, "Piece 0", names) == ("Piece 0",) and number + 1 >= len(looks) == 1
        position = apply(position, event)
    position = apply(position, PieceMarked("p0", "hit", None, True))
    assert position.cached_from_group(in_camp, "Piece 0", names) == ("Piece 0",) and len(looks) == 2
    position = apply(position, PieceMoved("p0", "camp", "ford"))
    assert position.cached_from_group(in_camp, "Piece 0", names) == () and position.cached_from_group(
        in_camp, "Piece 1", names
    ) == ("Piece 1",)


def test_a_line_changes_nothing() -> None:
    position = Position({"ops": 1})

    assert apply(position, Said("a line")) is position


def test_event_of_an_unknown_piece_is_bad_data() -> None:
    with pytest.raises(BadData, match="never made"):
        fold([PieceMoved("x#1", "a", "b")])


# -- how they are stored ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "event",
    [
        TrackMoved("ops", 1, 2, "5.0", "why"),
        FlagSet("moved", None, ("a#1", "b#2"), "12.0"),
        FlagSet("moved", ("a#1",), None),
        FlagSet("stage", "set-up", "play"),
        PieceMade("a#1", "unit", "A", "camp", values={"fire": 3}),
        PieceMarked("a#1", "hits", None, True),
    ],
)
def test_written_events_are_read_back(event: Event) -> None:
    assert decode(encode(event)) == event


@pytest.mark.parametrize(("words", "read"), [("a#1 b#2", ("a#1", "b#2")), ("a#1", ("a#1",)), ("", None), (None, None)])
def test_flag_text_of_an_old_log_is_read_as_a_set(words: str | None, read: Any) -> None:
    """An old row has no version; where the game declares the flag a set, its words are one, and others stay as they are."""
    row = {"kind": "flag", "flag": "moved", "was": None, "now": words, "rule": "12.0"}

    assert decode(row, {"moved"}) == FlagSet("moved", None, read, "12.0")
    assert decode(row, {"other"}) == FlagSet("moved", None, words, "12.0")
    assert VERSIONS["flag"] == 2 and decode({**row, "v": 2, "now": None}, {"moved"}).now is None  # type: ignore[union-attr]


def test_an_old_log_folds_to_sets() -> None:
    rows = [
        LogRow(1, "entry", 1, {"action": "setup", "args": {}}),
        LogRow(2, "done", 1, {"events": [{"kind": "flag", "flag": "moved", "was": None, "now": "a#1 b#2"}]}),
    ]

    assert History(rows, {"moved"}).position().members("moved") == ("a#1", "b#2")
    assert History(rows).position().flag("moved") == "a#1 b#2"


def test_an_event_of_a_later_version_is_refused() -> None:
    with pytest.raises(BadData, match="unknown event 'flag' version 3"):
        decode({"kind": "flag", "v": 3, "flag": "x", "was": None, "now": None})


def test_malformed_row_is_not_written() -> None:
    """What writes rows goes by the same shapes as what reads and what takes them over."""
    draft = LogBatch(0, "")
    with pytest.raises(ValueError, match="does not hold"):
        draft.add("note", 1, {"texts": "x"})
    with pytest.raises(ValueError, match="does not hold"):
        draft.add("note", 1, {})
    draft.add("note", 1, {"text": "x"})
    assert [row.kind for row in draft.rows] == ["note"]


def test_sql_views_read_existing_fields() -> None:
    """Each ``$.field`` in SQL is a field of a row or of an event; ``args`` of an adjustment holds what the row of one does."""
    import re

    fields = {name for shape in ROW_SCHEMAS.values() for name in (*shape.required, *shape.optional)} | {"kind"}
    fields |= {name for kind in EVENT_TYPES.values() for name in kind._fields}
    read = set(re.findall(r"'\$\.(?:args\.)?(\w+)'", "".join(VIEWS.values())))

    assert read and read <= fields


def test_a_mark_and_a_number_of_a_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.core.position._VALUE_NAMES", set())  # what games of other tests have declared
    piece = Piece("a#1", "unit", "A", "camp", values={"fire": 3, "name": "x"}, marks={"hits": 2})

    assert (piece.number("fire"), piece.number("name"), piece.number("none")) == (3, 0, 0)
    assert (piece.mark("hits"), piece.mark("none"), piece.mark("none", 7)) == (2, None, 7)


def test_cached_values_are_not_shared_between_positions() -> None:
    mine, yours = {"a": "b"}, {"a": "b"}
    first = Position({"turn": 1})
    first.cache_for(mine)["seen"] = 3

    assert first.cache_for(mine) == {"seen": 3}
    assert first.with_track("turn", 2).cache_for(mine) == {}
    assert first.changed({"turn": 2}).cache_for(mine) == {}
    assert first.cache_for(yours) == {}


def test_many_flags_equal_single_flags() -> None:
    """Also where something is due after some of them; what is so already happens not at all."""
    start = Position(flags={"a": "1", "b": "2"})
    flags = {"c": "3", "a": "4", "b": "2", "d": None}
    due = [(1, [TrackMoved("turn", 0, 5)])]

    def referee(due: list[tuple[int, list[Event]]]) -> Referee:
        made = Referee(start, {}, {})
        made.schedule(due)
        return made

    for late in ([], due):
        once, each = referee(late), referee(late)
        once.set_flags(flags, "1.1", "why")
        for flag, value in flags.items():
            each.set_flag(flag, value, "1.1", "why")

        assert once.events == each.events
        assert once.position == each.position
        assert list(once.position.flags) == list(each.position.flags) == ["b", "c", "a"]


def test_empty_group_is_cached() -> None:
    seen: list[str] = []

    def none(piece: Piece) -> None:
        seen.append(piece.id)

    position = Position(pieces={str(one): Piece(str(one), "unit", "a", "camp") for one in range(9)})
    assert position.pieces_in_group(none, "x") == []
    assert len(seen) == 9
    moved = apply(position, PieceMoved("3", "camp", "ford"))
    assert moved.pieces_in_group(none, "x") == []
    assert seen[9:] == ["3", "3"]


def test_frequently_read_group_is_updated_in_place() -> None:
    looked: list[str] = []

    def name(piece: Piece) -> str:
        looked.append(piece.id)
        return piece.name

    position = Position(pieces={str(one): Piece(str(one), "unit", "a", "camp") for one in range(50)})
    position.pieces_in_group(name, "a")
    for turn in range(1, 301):
        position = apply(position, PieceMoved(str(turn % 50), "", PLACES[turn % 3]))
        if turn % 7 == 0:
            assert len(position.pieces_in_group(name, "a")) == 50
    assert len(looked) == 50 + 2 * (300 - 300 % 7)


def test_many_marks_and_moves_equal_single_ones() -> None:
    pieces = {one: Piece(one, "unit", one, "camp", marks={"hit": True} if one == "b" else {}) for one in "abc"}
    once, each = Referee(Position(pieces=pieces), {}, {}), Referee(Position(pieces=pieces), {}, {})
    once.mark_all(pieces.values(), "hit", True, "1.1", "why")
    once.move_all([(once.piece("a"), "ford"), (once.piece("b"), "camp"), (once.piece("c"), "bag")], "1.2")
    for one in "abc":
        each.mark(one, "hit", True, "1.1", "why")
    for one, place in zip("abc", ("ford", "camp", "bag"), strict=True):
        each.move(one, place, "1.2")
    assert once.events == each.events and len(once.events) == 4
    assert once.position == each.position and list(once.position.pieces) == list(each.position.pieces) == ["b", "a", "c"]
    assert [piece.id for piece in once.position.at("camp")] == ["b"]
    assert [once.position.cached_from_place(place, tuple) for place in ("ford", "hill")] == [(once.piece("a"),), ()]


def test_piece_set_in_a_position_leaves_its_old_place() -> None:
    """Also if the caller does not give the piece before: as tests of a game set up a position."""
    start = Position(pieces={one: Piece(one, "unit", one, "camp") for one in "ab"})
    assert len(start.at("camp")) == 2
    moved = start.with_piece(start.piece("a")._replace(place="ford"))
    assert [piece.id for piece in moved.at("camp")] == ["b"] and [piece.id for piece in moved.at("ford")] == ["a"]
    builder = PositionBuilder(start).with_piece(start.piece("b")._replace(place="ford"))
    assert [piece.id for piece in builder.position.at("camp")] == ["a"]


def test_piece_from_before_is_changed_as_it_is_now() -> None:
    """A list of pieces that was looked up before an event."""
    referee = Referee(Position(pieces={one: Piece(one, "unit", one, "camp") for one in "ab"}), {}, {})
    before = list(referee.position.at("camp"))
    referee.mark("a", "hit", True, "1.1")
    referee.move("b", "ford", "1.1")
    referee.mark_all(before, "hit", None, "1.2")
    referee.move_all([(piece, "camp") for piece in before], "1.2")
    assert [piece.mark("hit") for piece in referee.position.pieces.values()] == [None, None]
    assert referee.position.count("camp") == 2
    assert referee.events[-1] == PieceMoved("b", "ford", "camp", "1.2")
    with pytest.raises(RuleFault, match="there is no piece 'c'"):
        referee.move_all([(Piece("c", "unit", "c", "camp"), "ford")], "1.2")
    with pytest.raises(RuleFault, match="a piece is given by its id"):
        referee.move(before[0], "ford", "1.2")  # type: ignore[arg-type]


def test_many_new_pieces_equal_single_ones() -> None:
    told = [("Alpha Company", "camp", {"attack": 2}), ("Alpha Company", "ford", {}), ("?", "camp", {"attack": 1})]
    start = Position(pieces={"x": Piece("x", "unit", "X", "camp")})
    once, each = Referee(start, {}, {}), Referee(start, {}, {})
    once.make_all("unit", told, "1.1")
    ids = [each.make("unit", name, place, "1.1", values=values) for name, place, values in told]
    assert once.events == each.events and once.position == each.position
    assert list(once.position.pieces) == ["x", *ids] and len(set(ids)) == 3


def test_a_printed_value_that_no_game_declares_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.core.position._VALUE_NAMES", {"fire"})

    assert Piece("a#1", "unit", "A", "camp").number("fire") == 0
    with pytest.raises(KeyError, match="no piece has a printed value 'fier'"):
        Piece("a#1", "unit", "A", "camp").number("fier")


def test_what_follows_from_printed_values_is_worked_out_again_only_for_other_values() -> None:
    seen: list[str] = []

    @cached_by_values
    def strength(piece: Piece) -> object:
        seen.append(piece.id)
        return piece.values["attack"]

    piece = Piece("a", "unit", "A", "0101", values={"attack": 3})
    assert strength(piece) == strength(piece._replace(place="0202", face="reduced")) == 3
    assert seen == ["a"]
    assert strength(piece._replace(values={"attack": 5})) == 5
    assert strength(piece) == 3

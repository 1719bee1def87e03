"""The list of changes to make on the table after an answer."""

from __future__ import annotations

from companion.core.events import Event, PieceFlipped, PieceMade, PieceMoved, PositionBuilder, Said, TrackMoved
from companion.core.position import Position
from companion.games import make_game
from companion.session.tables import load
from companion.views.lines import plain_text
from companion.views.log import board_change_lines

GAME = make_game("fallujah2004", load("fallujah2004"))


def table(*events: Event) -> Position:
    board = PositionBuilder(Position())
    for event in events:
        event.apply_to(board)
    return board.position


def after(before: Position, *events: Event) -> list[str]:
    board = PositionBuilder(before)
    for event in events:
        event.apply_to(board)
    return plain_text(board_change_lines(GAME, before, board.position, events)).splitlines()


BEFORE = table(
    *(PieceMade(f"opfor#{name}", "opfor", name, "reaction cup") for name in ("Militia", "HVT", "Ambush")),
    *(PieceMade(f"node#{number}", "node", "Node", "somewhere") for number in (1, 2)),
    PieceMade("3/1", "unit", "USMC 3/1", "north base"),
    TrackMoved("ops", 0, 58),
)


def test_moves_of_a_counter_are_one_line_with_the_last_reason() -> None:
    moves = (PieceMoved("3/1", "north base", "2-11", "13.0", "march"), PieceMoved("3/1", "2-11", "3-11", "13.1", "advance"))
    assert after(BEFORE, *moves) == ["On the table: USMC 3/1: North Base -> 3-11: advance [13.1]"]


def test_a_counter_that_returns_is_not_listed() -> None:
    drawn = (
        PieceMoved("opfor#Ambush", "reaction cup", "2-11", "14.3"),
        PieceMoved("opfor#Ambush", "2-11", "reaction cup", "14.3"),
    )
    assert after(BEFORE, *drawn) == []


def test_order_is_map_cups_flips_tracks() -> None:
    output = after(
        BEFORE,
        TrackMoved("ops", 58, 57, "8.1", "operation"),
        PieceFlipped("3/1", "front", "back", "16.3"),
        PieceMoved("opfor#HVT", "reaction cup", "2-11", "14.3"),
        PieceMade("opfor#Intel", "opfor", "Intel", "reaction cup"),
        Said("Place a Node in 2-9.", "7.1", (), "board"),
    )
    assert [line.split(":")[0].strip(" ->") for line in output] == [
        "On the table",
        "Place a Node in 2-9. [7.1]",
        "HVT",
        "Intel -> Reaction cup",
        "USMC 3/1 is at full strength [16.3]",
        "OPs 58 -> 57",
    ]


def test_equal_counters_and_places_with_equal_titles_share_a_line() -> None:
    (line,) = after(BEFORE, *(PieceMoved(f"opfor#{name}", "reaction cup", "2-11", "14.3") for name in ("Militia", "HVT")))
    assert line == "On the table: Militia, HVT: Reaction cup -> 2-11 [14.3]"
    (line,) = after(BEFORE, *(PieceMoved(f"node#{n}", "somewhere", space, "7.1") for n, space in ((1, "2-9"), (2, "3-8"))))
    assert line.endswith("-> 2-9, 3-8 (one each) [7.1]")


def test_a_move_and_a_flip_share_a_line() -> None:
    moved = (PieceMoved("3/1", "north base", "2-11", "13.0"), PieceFlipped("3/1", "front", "back", "16.3", "a hit"))
    (line,) = after(BEFORE, *moved)
    assert line.startswith("On the table: USMC 3/1: North Base -> 2-11; it ") and line.endswith(": a hit [16.3]")


def test_a_track_is_listed_once_and_not_if_it_returns() -> None:
    assert after(BEFORE, TrackMoved("ops", 58, 57), TrackMoved("ops", 57, 55, "14.5")) == ["On the table: OPs 58 -> 55 [14.5]"]
    assert after(BEFORE, TrackMoved("ops", 58, 57), TrackMoved("ops", 57, 58)) == []

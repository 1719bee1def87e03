"""The drawn map: Zones, their links, and units."""

from __future__ import annotations

import pytest

from companion.core.errors import Unreadable
from companion.core.map import Map
from companion.core.position import Position
from companion.games import make_game
from companion.session.tables import load
from companion.views.map_text import find_space, map_lines
from tests.games.phantomfury.board import Board, Practice


def drawn(board: Board) -> Map:
    geography = board.game.map
    assert geography is not None
    return geography.build(board.position, board.options, board.facts)


def test_4_1_4_the_map_shows_control_and_units() -> None:
    """[4.1.4, 5.1, 5.2, 5.3] Control and nature as the ground, and a stack for each kind of unit with its Location."""
    field = Practice()
    field.ours("2")
    field.strong("15")
    field.zone("14")
    field.squad(4, "2-R")
    field.enemy("14-1", "G2/M2")
    field.enemy("15-1", "G2/M3", martyrs=True)
    field.enemy("15-2")
    field.marker("Fanaticism", "15")
    spaces = drawn(field).spaces

    assert [spaces[zone].ground for zone in ("2", "14", "15", "16")] == ["USMC Control", "Activated", "Fortified", ""]
    assert spaces["2"].stacks[0].names == ("Squad 4 at R",)
    assert [stack.side for stack in spaces["15"].stacks] == ["martyrs", "suspects"]
    assert spaces["14"].stacks[0].names == ("Guerillas CF 2 at 1",)
    assert "Fanaticism" in spaces["15"].features and "black circle" in spaces["2"].features


def test_4_1_1_adjacent_and_neighbouring_zones_are_joined() -> None:
    """[4.1.1, 4.1.2, 4.3] By a border, or by the streets between them; a street is drawn where an M1A1 stands in it."""
    field = Practice()
    field.change(field.named("M1A1 1").id, place="street b")
    drawn_map = drawn(field)
    links = {(link.one, link.other): link.how for link in drawn_map.links}

    assert links["2", "3"] == "" and links["14", "15"] == ""
    assert links["2", "14"] == links["13", "14"] == "street"
    assert ("2", "16") not in links
    assert set(drawn_map.neighbours["street b"]) == {"2", "3", "14", "15"}
    assert drawn_map.spaces["street b"].stacks[0].names == ("M1A1 1",)


def test_4_2_a_squad_sees_the_zones_around_it_from_near() -> None:
    """[4.2, 4.2.2, 12.5.1] ``/map squad 12``: each Location from the roof down, its symbols, who is there, and the streets."""
    field = Practice()
    field.zone("14")
    field.squad(12, "14-C", pinned=True)
    field.element(12, "14-C")
    field.enemy("14-1", "G2/M2")
    field.enemy("15-R")
    field.marker("Rubble", "2")
    drawn_map = drawn(field)
    lines = [line.text for line in map_lines(drawn_map, find_space(drawn_map, "squad 12", field.game))]

    assert max(map(len, lines)) <= 80 and len(lines) < 28
    assert drawn_map.spaces["14"].inset == ("R^", "2'", "2", "1    Guerillas CF 2", "C.   Squad 12, Element", "to   b d e f")
    assert any("15" in line and "14 Activated" not in line and "+-" in line for line in lines)
    with pytest.raises(Unreadable, match="a unit on the map"):
        find_space(drawn_map, "squad 1", field.game)
    assert drawn_map.spaces["2"].inset[0] == "R^   rubble" and drawn_map.spaces["15"].inset[0] == "R^   Suspect"


def test_4_1_without_a_session_the_map_shows_entered_facts() -> None:
    """[4.1] All 61 Zones; those entered with their Locations and neighbours."""
    game = make_game("phantomfury", load("phantomfury"))
    geography = game.map
    assert geography is not None
    facts = {"zone:14": "C-1-2-R; door C; adjacent 15; streets b", "section:b": "2 3 14 15"}
    drawn_map = geography.build(Position({}, {}, {}), {}, facts)

    assert len(drawn_map.spaces) == 61 and drawn_map.spaces["14"].features == ("C-1-2-R",)
    assert [name for name, space in drawn_map.spaces.items() if space.source == "told"] == ["14"]
    assert set(drawn_map.neighbours["14"]) == {"15", "2", "3"}
    assert geography.line("14", facts) == f"14 {facts['zone:14']}"
    assert geography.read_line(geography.line("14", facts), {}) == {"zone:14": facts["zone:14"]}

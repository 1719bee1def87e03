"""[3.1] Entering the map, one line a space; its contradictions; and its drawing."""

from __future__ import annotations

import pytest

from companion.core.errors import Unreadable
from companion.core.map import LEARNT, PRINTED, TOLD, GameMap, Map
from companion.core.position import Position
from tests.games.fallujah2004.field import SPACES, Field
from tests.support.table import game_of


def geography() -> GameMap:
    game_map = game_of("fallujah2004").map
    assert game_map
    return game_map


def drawn(facts: dict[str, str], position: Position | None = None, learnt: tuple[str, ...] = ()) -> Map:
    return geography().build(position or Position(), {}, facts, learnt)


@pytest.mark.parametrize(
    ("line", "facts"),
    [
        ("3-8 mosque msr Jolan", {"space:3-8": "mosque msr Jolan"}),
        ("3-7,3-6 op", {"space:3-7": "open", "space:3-6": "open"}),
        ("2-7 none", {"space:2-7": "none"}),
        ("3-9 urban; routes 3-10, 2-9 none", {"space:3-9": "urban", "route:3-9/3-10": "land", "route:2-9/3-9": "none"}),
        ("1-8 routes west base river, east", {"route:1-8/west base": "river", "route:1-8/east base": "land"}),
        ("north base 3-12" + "; routes 4-12", None),
        ("North routes 3-12, 4-12", {"route:3-12/north base": "land", "route:4-12/north base": "land"}),
        ("west base ; routes 1-8 either", {"route:1-8/west base": "either"}),
    ],
)
def test_3_1_a_line_describes_a_space(line: str, facts: dict[str, str] | None) -> None:
    """[13.0, 13.4] What is printed on a space and what joins it to others; a Base has exits alone."""
    if facts is None:
        with pytest.raises(Unreadable, match="North Base has no terrain") as fault:
            geography().read_line(line, {})
        assert fault.value.cure == "Its exits: north routes 3-12"
    else:
        assert geography().read_line(line, {}) == facts


def test_3_1_known_facts_are_written_in_the_form_in_which_they_are_read() -> None:
    """Each line of the template is read back as the same facts."""
    facts = {"space:3-8": "mosque msr Jolan", "route:3-8/3-9": "land", "route:3-8/west base": "river", "route:2-8/3-8": "none"}
    form = geography()
    assert form.line("3-8", facts) == "3-8 mosque msr Jolan; routes 3-9, west base river, 2-8 none"
    assert form.read_line(form.line("3-8", facts), {}) == facts
    assert form.read_line(form.line("west base", facts), {}) == {"route:3-8/west base": "river"}
    names = form.form_spaces({})
    assert (len(names), names[0], names[6], names[65], names[66]) == (70, "1-2", "1-3", "6-12", "north base")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("7-3 urban", "no space '7-3'"),
        ("3-13 urban", "no space '3-13'"),
        ("3-9 urban; routes 3-9", "3-9 cannot be its own neighbour"),
        ("3-9 urban; routes 3-1", "no space '3-1'"),
        ("3-9 urban; routes 3-8 canal", "no route 'canal'"),
        ("3-9 urban; rivers 3-8", "no column 'rivers'"),
        ("3-9 swamp", "no terrain 'swamp'"),
        ("3-9", "has no values of a space"),
        ("3-9 open watr Nord", "'watr' is not a feature of a space"),
    ],
)
def test_3_1_a_line_that_cannot_be_is_refused(line: str, words: str) -> None:
    with pytest.raises(Unreadable, match=words) as fault:
        geography().read_line(line, {})
    assert fault.value.cure


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"space:3-8": "mosque Jolan", "space:4-8": "urban jolan"}, "3-8 and 4-8 are both named Jolan: give each its own name"),
        ({"bridge:main": "1-7"}, "the Main Bridge and the Brooklyn Bridge are both entered at 1-7"),
        ({"space:1-7": "none"}, "the Brooklyn Bridge is entered at 1-7, where the map has no space"),
        ({"bridge:main": "1-8", "space:1-8": "none"}, "the Main Bridge is entered at 1-8, where the map has no space"),
        ({"bridge:main": "1-8", "space:1-6": "urban bridge Main Bridge"}, "at 1-8, and 1-6 has its name"),
        ({"space:1-6": "urban bridge Brooklyn Bridge"}, "the Brooklyn Bridge is entered at 1-7, and 1-6 has its name"),
        (dict.fromkeys(("space:1-6", "space:1-7", "space:1-8"), "open bridge"), "bridges are entered at 1-6, 1-7, 1-8"),
        ({"route:3-8/3-9": "land", "route:3-9/3-8": "none"}, "from 3-8 to 3-9 it is land, and back it is none"),
        ({"route:3-8/3-8": "land"}, "3-8 is entered as its own neighbour"),
        ({"route:3-8/5-9": "land"}, "lie neither on one route nor on one phase line"),
        ({"route:3-8/5-8": "land", "space:4-8": "urban"}, "and 4-8 lies between them"),
        ({"route:3-8/3-7": "land", "space:3-7": "none"}, "and there is no space 3-7"),
        ({"route:3-8/3-1": "land"}, "'3-8/3-1' names no two places"),
        ({"space:7-3": "urban"}, "there is no space '7-3'"),
        ({"route:1-9/west base": "land"}, "it opens on phase lines 6, 8, 10, 11, 12 only"),
        ({"route:east base/west base": "land"}, "from base to base no route is needed"),
        ({"route:3-8/3-9": "bridge", "space:3-8": "open", "space:3-9": "open"}, "joined by a bridge, and neither has one"),
        ({f"space:{3 + n // 11}-{2 + n % 11}": "mosque" for n in range(21)}, "you entered 21 Objective and Mosque spaces"),
    ],
)
def test_3_1_contradictions_of_the_map_are_reported_for_either_order(facts: dict[str, str], words: str) -> None:
    """[7.1(1), 7.2, 13.0, 13.4, 14.7] Whichever fact is entered last."""
    game = game_of("fallujah2004")
    (fault,) = game.contradictions(facts)
    assert words in fault
    for key, value in facts.items():
        facts_before = {name: facts[name] for name in facts if name != key}
        assert words.casefold() in game.contradiction(facts_before, key, value).casefold()


def test_3_1_a_map_that_can_be_has_no_contradiction() -> None:
    facts = {f"space:{space}": text for space, text in SPACES.items()} | {"bridge:main": "1-6", "route:3-8/2-7": "none"}
    assert game_of("fallujah2004").contradictions(facts | {"route:1-8/west base": "river", "route:1-7/2-8": "bridge"}) == []


def test_3_1_the_map_is_drawn_by_routes_and_phase_lines() -> None:
    """[7.2, 13.4] Routes from west to east; the Bases around; what is not known is there, without a source."""
    facts = {"space:3-8": "mosque msr Jolan", "space:2-7": "none", "route:3-8/3-9": "land", "route:1-8/west base": "river"}
    spaces = drawn(facts | {"route:3-8/4-8": "none"}, learnt=("route:3-8/3-9",)).spaces
    assert (len(spaces), "2-7" in spaces) == (69, False)
    jolan = spaces["3-8"]
    assert (jolan.cell, jolan.title, jolan.ground, jolan.source) == ((3, 7), "Jolan", "mosque", TOLD)
    assert jolan.features == ("msr", "no route 4-8")
    assert (spaces["6-12"].cell, spaces["6-12"].source, spaces["6-12"].symbol) == ((6, 11), "", "")
    assert [spaces[f"{side} base"].cell for side in ("north", "south", "west", "east")] == [(3, 0), (3, 12), (0, 6), (7, 6)]
    assert (spaces["1-7"].title, spaces["1-7"].source) == ("Brooklyn Bridge", PRINTED)
    links = {(link.one, link.other): (link.how, link.source) for link in drawn(facts, learnt=("route:3-8/3-9",)).links}
    assert links == {("3-8", "3-9"): ("", LEARNT), ("1-8", "west base"): ("river", TOLD)}


@pytest.mark.parametrize(
    ("routes", "row", "notes"),
    [
        ({}, 1, 1),
        ({"route:3-12/north base": "land"}, 11, 0),
        ({"route:3-3/south base": "land"}, 11, 0),
        ({"route:3-2/north base": "land"}, 1, 0),
        ({"route:3-12/north base": "none"}, 1, 1),
    ],
)
def test_13_4_the_exits_of_the_bases_show_which_way_is_north(routes: dict[str, str], row: int, notes: int) -> None:
    """[3.1] The rulebook says not at which end phase line 2 is; until an exit shows it, that is said."""
    map = drawn(routes)
    assert (map.spaces["3-2"].cell, len(map.notes)) == ((3, row), notes)


def test_3_1_pieces_on_the_map_are_drawn() -> None:
    """[14.7, 20.0, 24.7] Units, Nodes, a blown bridge; the notes count the Nodes in unknown spaces."""
    field = Field()
    field.put("3-8", "3/1", "HT 1")
    field.put("1-6", "Bridge Blown")
    field.node("4-8", "c2")
    shown = geography().build(field.position, field.options, field.facts)
    stacks = {
        name: [(stack.letter, stack.names) for stack in space.stacks] for name, space in shown.spaces.items() if space.stacks
    }
    assert stacks["3-8"] == [("C", ("USMC 3/1", "Joint HT 1")), ("?", ("concealed Node",))]
    assert (stacks["4-8"], stacks["1-6"]) == ([("N", ("C2",))], [("X", ("Bridge Blown",))])
    assert "bridge blown" in shown.spaces["1-6"].features
    assert any(note.startswith("14 concealed Nodes lie") for note in shown.notes)
    assert {stack.letter for space in shown.spaces.values() for stack in space.stacks} <= set(shown.signs)


def test_3_1_a_session_draws_its_own_map() -> None:
    """Facts of the session take precedence over those of the set."""
    field = Field()
    field.flag("space:3-9", "objective Depot")
    assert geography().build(field.position, {}, field.facts).spaces["3-9"].title == "Depot"

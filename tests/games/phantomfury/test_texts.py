"""Small texts: what prompts promise, which counter is meant, summaries and reminders."""

from __future__ import annotations

import pytest

from companion.core.errors import Unreadable
from companion.core.requests import Draw, Request
from companion.games.phantomfury.facts import contradictions
from companion.games.phantomfury.notation import START, read_zone
from companion.games.phantomfury.rules.r03_basics import hit_faces
from tests.games.phantomfury.board import Board
from tests.support.table import Table


def asked(table: Table, key: str) -> Request[object]:
    """The last question of that key."""
    return [question for question in table.asked if question.key == key][-1]


def ready() -> Board:
    """Squad 7 in Zone 14, the start Zones the USMC's."""
    board = Board()
    board.ours("2", "3", "4")
    board.zone("13", "14", "15", "16", "23", "24", "25", "26")
    board.squad(7, "14-C")
    return board


def test_6_2_nine_zones_have_a_black_circle() -> None:
    """[6.2: nine] Neither three nor ten are accepted, and more than nine black circles contradict each other."""
    assert START("9 8 7 6 5 4 3 2 1") == "1 2 3 4 5 6 7 8 9"
    for text in ("2 3 4", "1 2 3 4 5 6 7 8 9 10", "1 1 2 3 4 5 6 7 8"):
        with pytest.raises(Unreadable, match=r"nine Zones have a black circle.*6\.2"):
            START(text)
    told_so = {str(number): read_zone("C; black") for number in range(1, 11)}
    assert [text for text, _ in contradictions(told_so, {})] == [
        "nine Zones have a black circle, not 10 (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)"
    ]
    del told_so["10"]
    assert contradictions(told_so, {}) == []


def test_11_2_4_no_prompt_promises_a_hit_on_9() -> None:
    """[11.2.4, 13.4.2] An unmodified 9 never hits, and below 0 nothing does."""
    assert [hit_faces(need) for need in (-1, 0, 8, 9, 12)] == ["nothing", "0", "0-8", "0-8", "0-8"]
    board = ready()
    board.squad(7, "3-R", caat=True, hero="Medal of Honor")
    board.enemy("15-R", "G1/M1")
    board.do("fire", "unit=7", "target=15-R", "caat=yes", dice=[9])
    assert "hits on 0-8" in asked(board, "fire").prompt
    board = ready()
    board.squad(7, "14-R", caat=True)
    board.enemy("14-2", "G1/M1")
    board.do("assault", "squad=7", "explosives=yes", dice=[9, 9], draws=["2/1/R"])
    assert "hits on 0-8" in asked(board, "assault").prompt


def test_13_4_1_the_suspect_that_is_activated_is_named() -> None:
    """[13.4.1: first] [12.7.3] By its Location; of the Assault no die has been rolled."""
    board = ready()
    board.enemy("14-1")
    board.do("assault", "squad=7", dice=[1])
    assert asked(board, "activate").prompt.startswith("Activate the Suspect at 14-1: ")
    board = ready()
    board.squad(7, "3-C")
    board.enemy("14-1")
    board.do("move", "unit=7", "to=14-C", dice=[9, 0])
    assert asked(board, "wakes").prompt.startswith("Suspect at 14-1: ")


def test_5_1_5_2_a_third_hero_changes_nothing() -> None:
    """[5.1.5.2: never] And it is said."""
    board = ready()
    board.squad(7, "14-C", hero="Medal of Honor")
    board.enemy("14-1", "G1/M1", martyrs=True)
    board.do("assault", "squad=7", dice=[0, 9, 3])

    assert board.says("has the Medal of Honor already: nothing changes")


def test_12_2_3_1_a_squad_left_in_the_street_is_reminded_of() -> None:
    """[12.2.3.1: stop] When Movement ends; not one that cannot move."""
    board = ready()
    board.squad(7, "street s")
    board.squad(8, "street t", pinned=True)
    board.do("end", accept=True)

    assert board.says("Squad 7 has not moved out of street s") and not board.says("Squad 8 has not moved")


def test_13_6_2_1_no_draw_where_no_marker_can_lead_anywhere() -> None:
    """[13.6.2.1] The one free Location of Zone 24 is its Courtyard, where no marker leads: the next route, with one draw."""
    board = ready()
    board.enemy("14-1", "G2/M2")
    for location in ("1", "2", "2'", "R"):
        board.enemy(f"24-{location}")
    board.do("assault", "squad=7", dice=[8, 9], draws=["2/1/R"])

    assert [question.key for question in board.asked if isinstance(question, Draw)] == ["suspect"]
    assert board.enemies("25") == ["2 guerillas 2"]


def test_4_1_7_egress_routes_never_entered_are_asked_when_a_unit_retreats() -> None:
    """[4.1.7] A Zone without any counts as not entered; its other parts stay, and it is asked for once."""
    board = ready()
    board.flag(**{"zone:14": "C-1-2-R 2-2'; door C; roof R; adjacent 15; streets s v"})
    board.enemy("14-1", "G2/M2")
    board.do("assault", "squad=7", "zone:14=egress 24 25", dice=[8, 9], draws=["2/1/R"])

    assert board.enemies("24") and board.facts["zone:14"].endswith("streets s v; egress 24 25")


def test_4_3_the_form_asks_for_both_edges() -> None:
    """[4.3, 13.6.6] The south edge too, without which no unit is Isolated from it."""
    board = Board()
    board.do("zone", "zone=50", "locations=C-1", "streets=zz", "section=50; south", accept=True)

    assert "north or south edge" in asked(board, "section").prompt


def test_14_0_the_changes_of_the_phase_are_summed_up() -> None:
    """[14.1.1, 14.2, 14.4.1, 14.3.4] Five lines at the end, since the draws scroll by."""
    board = ready()
    for zone in ("23", "24", "25"):
        board.change(board.position.at(f"box {zone}")[0].id, place="beside the map")
    board.squad(8, "2-C", pinned=True)
    for where in ("16-R", "13-R"):
        board.enemy(where)
    draws = ["Activated Zone", "2/1/R", "1/2/R", "Activated Strong Point", "2/1/R", "1/2/R", "Activated Zone", "2/1/R", "R/2/1"]
    board.do("end", dice=[9], draws=[*draws, "1/2/R", "1/2/R"])

    assert board.says("Taken: 14.")
    assert board.says("24 Fortified (Suspect at 24-2, Suspect at 24-1)")
    assert board.says("Lost: 3 (Suspect at 3-1), 4 (Suspect at 4-1)")
    assert board.says("Still Pinned: Squad 8.")

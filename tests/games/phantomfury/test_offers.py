"""Every offered choice is legal; an impossible one is refused at once, for the named unit and with the reason."""

from __future__ import annotations

import pytest

from companion.cli.shell.arguments import parse_line
from companion.core.errors import Illegal, Impossible
from companion.core.requests import Pick
from companion.session.store import Archive
from companion.testing.table import session_at
from tests.games.phantomfury.board import Practice
from tests.support.table import Table


def line() -> Practice:
    """Squads 1 and 4 in Zones of the insurgents, Squad 2 in Zone 3 of the USMC; Suspects in Zone 15 and 14."""
    table = Practice()
    table.ours("3")
    table.zone("2", "4", "14", "15")
    table.squad(1, "2-C")
    table.squad(2, "3-C", fired=True)
    table.squad(4, "14-C")
    table.enemy("15-1")
    table.enemy("14-2")
    return table


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("fire 4", "Squad 4 is in Zone 14, which is not under USMC Control"),
        ("fire squad 4", "Squad 4 is in Zone 14, which is not under USMC Control"),
        ("fire 2", "Squad 2 has Fired"),
        ("fire 9", "Squad 9 is not on the map"),
        ("assault 2", "Squad 2 has Fired"),
        ("assault 1", "no enemy is Adjacent to Squad 1 at 2-C"),
        ("fire", "no unit can do that: Squad 1 is in Zone 2, which is not under USMC Control; Squad 2 has Fired"),
    ],
)
def test_8_0_a_refusal_is_about_the_unit_that_was_named(archive: Archive, words: str, why: str) -> None:
    """[11.1, 11.3, 4.2.2] A unit named although none can: one reason; without a name, each unit with its own."""
    table = line()
    session = session_at(archive, "phantomfury", "practice", table.position)
    action, _, rest = words.partition(" ")
    with pytest.raises(Illegal) as caught:
        session.do(action, parse_line(rest), partial=True)

    assert why in caught.value.message


def test_11_1_naming_a_unit_that_cannot_fire_is_refused_even_if_only_one_can(archive: Archive) -> None:
    """[11.1] The one that can is not taken instead, although it is the only one."""
    table = line()
    table.squad(2, "3-C")
    session = session_at(archive, "phantomfury", "practice", table.position)
    with pytest.raises(Illegal, match="Squad 4 is in Zone 14"):
        session.do("fire", parse_line("4; 15-1"), partial=True)

    assert session.do("fire", parse_line("15-1 --dice 9"), partial=True).done


def choices(table: Table, key: str) -> list[str]:
    """The choices that the last action offered at a question."""
    request = next(question for question in table.asked if question.key == key)
    return [choice.value for choice in request.legal_choices()]


def test_10_1_only_units_that_can_enter_are_offered() -> None:
    """[10.1, 10.3, 10.4, 10.2] Battalion and Iraqi squads wait; an M1A1 needs a free Section of the north edge."""
    table = Practice(turn=3, variant="on")
    table.ours("2")
    with pytest.raises(Illegal, match=r"Battalion Reinforcements come from turn 4 on.*10\.3"):
        table.do("reinforce", f"units={table.position.at('battalion box')[0].number('number')}")
    with pytest.raises(Illegal, match=r"IIF squads come the turn after.*10\.4"):
        table.do("reinforce", "units=i1")
    with pytest.raises(Illegal, match=r"M1A1 2: there is room for 1 at the north edge.*12\.2\.3\.2"):
        table.do("reinforce", "units=m1,m2")
    company = [str(piece.number("number")) for piece in table.position.at("company box")]
    table.do("reinforce", f"units={company[0]}", accept=True)

    assert choices(table, "units") == [*sorted(company, key=int), "m1"]


def test_10_1_no_zone_to_come_in_is_said_at_once() -> None:
    """[10.1, 10.4] There is no question about the units that enter, or where."""
    table = Practice(turn=3)
    with pytest.raises(Illegal, match=r"no Reinforcements can come in: .*no Zone with a black circle"):
        table.do("reinforce")
    assert table.asked == []


def test_10_2_a_tank_needs_a_section_of_the_north_edge() -> None:
    """[10.2: beside] Beside a Zone under USMC Control."""
    table = Practice(turn=3)
    table.ours("3")
    with pytest.raises(Illegal, match=r"no Street Section of the north edge.*10\.2"):
        table.do("reinforce", "units=m1")


class Begun(Table):
    """A table set up with the suggestions, on a map whose entries are on floors where Suspects are often placed."""

    def set_up(self) -> None:
        self.facts |= {f"zone:{zone}": "1-2-R; door 1; egress exit" for zone in range(1, 62)}
        self.facts |= {"start": "1 2 3 4 5 6 7 8 9", "insurgents": "2/2 x40", "suspects": "1/2/R x60"}
        self.play(self.game.setup, accept=True)


def test_6_3_which_squad_begins_where_is_the_players() -> None:
    """[6.3: player] The squads drawn are placed freely: it is asked, and the order in which they are named counts."""
    request = next(question for question in Begun("phantomfury", "jolan", seed="x").asked if question.key == "squads")

    assert isinstance(request, Pick)
    assert request.forced_reply() is None
    assert Pick("squads", "Who", "6.3", request.choices, 9, 9).forced_reply() is not None


def test_6_3_an_entry_that_enemies_hold_gives_way_to_the_nearest_location() -> None:
    """[6.3] Ruling C-40: a bare Enter at the squads meets no dead end."""
    table = Begun("phantomfury", "jolan", seed="x")
    places = [piece.place for piece in table.position.of_kind("squad") if "-" in piece.place]

    assert len(places) == 9
    assert {where.partition("-")[2] for where in places} >= {"1", "2"}
    assert not [piece for where in places for piece in table.position.at(where) if piece.kind in ("insurgent", "suspect")]


def test_9_3_missions_are_offered_where_they_can_go() -> None:
    """[9.3] The AH-1W needs an enemy, the F/A-18 distance; each Zone that is listed can be named."""
    table = line()
    table.do("mission", "mission=uav", "zones=15,16", dice=[9, 0])
    assert set(choices(table, "zones")).isdisjoint({"2", "3", "14"})
    table = line()
    table.do("mission", "mission=fa18", "zones=32", dice=[9, 0])
    assert choices(table, "zones") == ["22", "32", "41"]
    with pytest.raises(Illegal, match=r"too close to Zone 16"):
        line().do("mission", "mission=fa18", "zones=16")
    table = Practice()
    table.squad(1, "2-C")
    with pytest.raises(Illegal, match=r"no Zone of the insurgents without USMC units holds an enemy.*9\.3"):
        table.do("mission", "mission=ah1w")


def test_9_3_dragon_eye_says_that_one_zone_will_do() -> None:
    """[9.3] As the prompt says: one Zone, or two next to each other."""
    table = line()
    table.do("mission", "mission=uav", "zones=15", dice=[9, 0])
    request = next(question for question in table.asked if question.key == "zones")

    assert "Which Zone, or which two" in request.prompt


def test_9_3_up_to_two_counters_are_the_players_to_choose() -> None:
    """[9.3] Of two in the Zone one may be left; a single one is not asked about."""
    table = line()
    table.enemy("15-2", "G2/M2")
    table.do("mission", "mission=ah1w", "zones=15", "remove=15-1", dice=[0])
    assert table.enemies("15") == ["2 guerillas 2"]
    table = line()
    table.do("mission", "mission=ah1w", "zones=15", dice=[0])
    assert table.enemies("15") == []


def test_12_1_1_a_move_to_the_same_place_is_refused() -> None:
    """[12.1.1] Refused, and its move of the turn is not spent."""
    table = line()
    with pytest.raises(Impossible, match=r"Squad 4 is at 14-C already.*12\.1\.1"):
        table.do("move", "unit=4", "to=C")
    table.do("move", "unit=4", "to=1")

    assert table.named("Squad 4").place == "14-1"


def test_12_3_1_the_whole_way_is_judged_before_the_first_die() -> None:
    """[12.3.1] A second part that is barred is refused at the order, not after the Defensive Fire of the first."""
    table = line()
    table.squad(2, "3-C")
    table.enemy("15-2", "G2/M2")
    with pytest.raises(Illegal, match=r"15-1 is occupied by the enemy.*12\.3\.1"):
        table.do("move", "unit=2", "to=15-C,1")
    assert [question.kind for question in table.asked if question.chance_setting] == []


def test_12_4_1_a_squad_without_a_legal_move_is_not_offered() -> None:
    """[12.4.1, 12.4.3] Hemmed in by a Suspect, in a Zone that a full squad does not leave: it is not asked where to."""
    table = Practice()
    table.zone("12")
    table.squad(4, "12-1")
    for where in ("12-2", "12-C"):
        table.enemy(where)
    with pytest.raises(Illegal, match=r"Squad 4 at 12-1 can go nowhere"):
        table.do("move")
    table.squad(7, "14-C")
    table.do("move", "unit=7", "to=1")

    assert choices(table, "unit") == ["7"]


def test_12_4_3_leaving_the_map_is_listed_when_it_can_be_done() -> None:
    """[12.4.3] Besides the places still open within the Zone."""
    table = Practice()
    table.zone("12")
    table.squad(1, "12-1", face="reduced")
    table.enemy("12-2")
    table.do("move", "unit=1", "to=withdraw")

    assert choices(table, "to") == ["12-C", "withdraw"]


def test_13_0_a_target_that_cannot_be_entered_is_not_offered() -> None:
    """[13.4.7.2, 12.4.3] A full squad does not leave its Zone of the insurgents: the enemy across the roofs is not for it."""
    table = line()
    table.squad(4, "14-R")
    table.enemy("15-R")
    with pytest.raises(Illegal, match=r"12\.4\.3"):
        table.do("assault", "squad=4", "target=15-R")
    table.do("assault", "squad=4", "target=14-2", dice=[9, 0, 3, 9], draws=["G1/M1"])

    assert choices(table, "target") == ["14-2"]

"""[4.0] to [8.0]: entering the map, the set-up, the turn and victory."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.core.errors import Illegal, Unreadable
from companion.core.notation import read_counter_lots
from companion.games.phantomfury.facts import contradictions
from companion.games.phantomfury.notation import read_location, read_section, read_zone
from companion.games.phantomfury.rules.r14_reorganisation import lost_zones
from companion.games.phantomfury.state import read_marker, read_sides
from companion.games.phantomfury.town import Town
from companion.session.facts import read_file
from tests.games.phantomfury.board import Board, Practice
from tests.support.table import Table, game_of

ZONES = {name: read_zone(text) for name, text in game_of("phantomfury").tables.game["scenario_data"]["practice"]["zones"].items()}
SECTIONS = {
    name: read_section(text) for name, text in game_of("phantomfury").tables.game["scenario_data"]["practice"]["sections"].items()
}
TOWN = Town(ZONES, SECTIONS)


# -- the map -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["practice", "practice_small"])
def test_4_1_our_maps_contradict_neither_themselves_nor_the_rulebook(scenario: str) -> None:
    """[4.1, 4.1.1, 4.1.2, 4.1.7, 4.3.1.1, 4.4] What the examples state holds on the practice maps, as far as they go."""
    data = game_of("phantomfury").tables.game["scenario_data"][scenario]
    zones = {name: read_zone(text) for name, text in data["zones"].items()}
    sections = {name: read_section(text) for name, text in data["sections"].items()}
    town, stated = Town(zones, sections), game_of("phantomfury").tables.charts["stated"]

    assert contradictions(zones, sections) == []
    for name in set(stated.rows) & set(zones):
        for column, have in (
            ("adjacent", zones[name].adjacent),
            ("near", town.near(name)),
            ("block", town.block(name)),
            ("locations", zones[name].locations),
            ("egress", zones[name].egress[:1]),
        ):
            words = [
                word
                for word in stated.text(name, column).split()
                if not word.isdecimal() or column == "locations" or word in zones
            ]
            assert set(words) - {"-"} <= set(have), (name, column)


def test_4_1_2_neighbouring_is_not_adjacent() -> None:
    """[4.1.2: border] [4.1.1] Zone 15 shares streets b and f with Zone 14, and a border: it is Adjacent, and counted once."""
    assert TOWN.adjacent("14") == ("15",)
    assert TOWN.near("14") == ("2", "3", "13", "23", "24", "25")
    assert sorted(TOWN.around("14"), key=int) == ["2", "3", "13", "15", "23", "24", "25"]


def test_4_1_zones_round_trip() -> None:
    """[4.2, 4.2.1, 4.3] A Zone or Section reads back to the same value, in one normal form."""
    for zone in ZONES.values():
        assert read_zone(str(zone)) == zone
    for section in SECTIONS.values():
        assert read_section(str(section)) == section
    assert read_location("2b") == read_location("2\u2032") == "2'"


def test_4_2_2_adjacent_locations() -> None:
    """[4.2.2: arrow, symbols] [12.4.1: adjacent] By arrows, and by like symbols in an Adjacent Zone, not across a street."""
    assert sorted(TOWN.next_to("2-2")) == ["2-1", "2-2'", "2-R"]
    assert sorted(TOWN.next_to("3-R")) == ["2-R", "3-2", "4-R"]
    assert "14-C" not in TOWN.next_to("2-C")
    assert sorted(TOWN.next_to("24-C")) == ["23-C", "24-1", "25-OG"]


def test_4_1_2_1_lines_of_fire_count_for_fire_only() -> None:
    """[4.1.2.1: only] [4.3.1.2] Zone 4 reaches 25, which is neither Adjacent nor Neighbouring; street c fires into it too."""
    assert "25" not in TOWN.around("4")
    table = Practice()
    table.ours("4")
    table.squad(4, "4-C", cf=6)
    table.zone("25")
    table.enemy("25-R")
    table.do("fire", "unit=4", "target=25-R", dice=[9])

    assert "a 9 always misses" in " ".join(table.said)


@pytest.mark.parametrize(
    ("changes", "message", "rule"),
    [
        ({"3": "C; adjacent 2; streets b c"}, "does not name 4|names 3 as Adjacent", "4.1.1"),
        ({"3": "C; adjacent 2 4 14; streets b c"}, "names 14 as Adjacent", "4.1.1"),
        ({"41": "C; adjacent 32; egress 2; streets k"}, "Egress Route to 2", "4.1.7"),
        ({"41": "C; adjacent 32; egress 2"}, "Egress Route to 2", "4.1.7"),
        ({"14": "C; adjacent 15; streets b d e f k"}, "lies at Section k", "4.3.1.1"),
    ],
)
def test_4_1_contradictions_are_named(changes: dict[str, str], message: str, rule: str) -> None:
    """[4.1.1, 4.1.7, 4.3.1.1] Facts that cannot be on one map, with their rule."""
    import re

    named = contradictions({**ZONES, **{name: read_zone(text) for name, text in changes.items()}}, SECTIONS)

    assert [(text, cite) for text, cite in named if re.search(message, text) and cite == rule], named


def test_4_1_a_block_has_three_zones_at_most() -> None:
    """[4.4: three] A fourth Zone that hangs together with the others is named."""
    zones = {one: read_zone(f"C; adjacent {other}") for one, other in [("1", "2"), ("2", "1 3"), ("3", "2 4"), ("4", "3")]}

    assert any(rule == "4.4" and "that of Zone" in text for text, rule in contradictions(zones, {}))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("C-1-5", "not a Location|neither a Location"),
        ("C-1; door R", "symbol is on R"),
        ("C-1; adjacent 62", "no Zone"),
        ("C-1; adjacent 0", "no Zone"),
        ("", "Location"),
        ("C-1; nonsense 3", "part of a Zone"),
        ("counts", "Companion keeps the contents of every Zone"),
        ("C-1; egress 3 4 5 6", "too many"),
        ("C-1; egress 3 exit", "too many"),
        ("C-1 nonsense", "nor a part of a Zone"),
    ],
)
def test_4_2_1_zones_that_cannot_be_read(text: str, message: str) -> None:
    """[4.2.1, 4.1] Each fault with its own words."""
    with pytest.raises(Unreadable, match=message):
        read_zone(text)


def test_4_1_6_ruins_close_the_upper_floors() -> None:
    """[4.1.6: floors] [5.3.2.3] Neither 2 nor R is left, and a squad is refused them."""
    table = Practice()
    table.ours("2")
    table.marker("Rubble", "2")
    table.squad(8, "2-C")

    with pytest.raises(Illegal, match="ruins"):
        table.do("move", "unit=8", "to=2-2")


def test_4_1_4_no_unit_enters_zone_27() -> None:
    """[4.1.4: closed] [12.4.2, 7.1] It is no Zone to be Controlled, and no unit enters it."""
    table = Practice()
    zones = table.position.members("zones")

    assert "27" not in zones
    assert len(zones) == 15


# -- counters ----------------------------------------------------------------------------------------------------------


def test_5_2_1_how_counters_are_entered() -> None:
    """[5.2.1, 5.3.2.2, 6.1.1, 6.1.3] Both sides of a counter, the Locations of a marker, and their numbers."""
    assert read_counter_lots("2/3 x4, 1/2 x6") == [("2/3", 4), ("1/2", 6)]
    assert read_sides("G2/M3") == (2, 3)
    assert read_marker("2/1/r") == "2/1/R"
    for text, read in (("2/5", read_sides), ("2/2", read_marker), ("2/3", read_counter_lots)):
        with pytest.raises(Unreadable):
            read(text)  # type: ignore[operator]


def test_6_1_the_sample_chart_and_the_sample_in_use_are_called_samples() -> None:
    """[6.1, 5.1.1] What the rulebook does not list is ours, and says so at the set-up."""
    table = Practice()
    tables = table.game.tables

    assert "SAMPLE" in tables.counters["note"]
    assert "SAMPLE" in tables.charts["sample"].title


# -- set-up ------------------------------------------------------------------------------------------------------------


def set_up(scenario: str = "practice", seed: str = "s", **options: str) -> Table:
    """A game as it starts, by the seed."""

    class Seeded(Table):
        def set_up(self) -> None:
            self.play(self.game.setup, accept=True)

    return Seeded("phantomfury", scenario, seed=seed, **options)


@pytest.mark.parametrize("seed", ["a", "b", "c", "d"])
def test_6_the_set_up(seed: str) -> None:
    """[6.3: each] [6.3.1: each] [5.1.4.1: start] [6.0, 6.1.2, 6.2, 5.1.6] Cups, start Zones, squads, CAATs, boxes."""
    table = set_up(seed=seed)
    position = table.position
    kinds = Counter(piece.kind for piece in position.pieces.values())
    places = position.places()

    assert position.track("turn") == 1
    assert position.members("start") == ("2", "3", "4", "12")
    assert not [piece for piece in position.of_kind("suspect") if piece.place != "suspects cup"]  # all Activated [6.2]
    on_map = [piece for piece in position.of_kind("squad") if "-" in piece.place]
    assert sorted(piece.place for piece in on_map) == ["12-C", "2-C", "3-C", "4-C"]
    assert (len(places["company box"]), len(places["battalion box"])) == (5, 3)
    assert (len(places["armour box"]), len(places["iraqi box"])) == (1, 3)
    assert [piece.number("cf") for piece in places["iraqi box"]] == [4, 4, 4]
    assert [(piece.mark("ammo"), piece.mark("explosives")) for piece in on_map if piece.mark("caat")] == [(4, True)] * 2
    assert Counter(piece.name for piece in places["zones cup"]) == {"Activated Strong Point": 2, "Activated Zone": 8}
    assert kinds["squad"] == 12
    assert {piece.place for piece in position.of_kind("insurgent") if piece.place != "insurgents cup"} <= {
        f"{zone}-{location}" for zone in ("2", "3", "4", "12") for location in ("1", "2", "2'", "R")
    }


def test_6_1_1_and_6_1_3_every_counter_goes_into_its_container() -> None:
    """[6.1.1: all] [6.1.3: all] As many of each value as were entered; drawn units are on the map or back, Suspects all back."""
    answers = ["insurgents=1/1 x6, 2/3 x7", "suspects=2/1/R x5, R/2/1 x6"]

    class Entered(Table):
        def set_up(self) -> None:
            self.play(self.game.setup, answers, accept=True)

    position = Entered("phantomfury", "practice", seed="s").position
    units = position.of_kind("insurgent")
    assert Counter(piece.name for piece in units) == {"G1/M1": 6, "G2/M3": 7}
    assert {piece.place for piece in units if "-" not in piece.place} == {"insurgents cup"}
    assert Counter(piece.name for piece in position.at("suspects cup")) == {"2/1/R": 5, "R/2/1": 6}


def test_6_1_2_one_to_four_strong_points() -> None:
    """[6.1.2: number, instead] As many Activated Zone markers leave as Strong Points come."""
    game = game_of("phantomfury")

    class Four(Table):
        def set_up(self) -> None:
            self.play(self.game.setup, ["strong_points=4"], accept=True)

    table = Four("phantomfury", "practice", seed="x")
    assert Counter(piece.name for piece in table.position.at("zones cup")) == {"Activated Strong Point": 4, "Activated Zone": 6}
    with pytest.raises((Illegal, Unreadable)):

        class Five(Table):
            def set_up(self) -> None:
                self.play(self.game.setup, ["strong_points=5"], accept=True)

        Five("phantomfury", "practice", seed="x")
    assert game.id == "phantomfury"


def test_15_the_variant_at_set_up() -> None:
    """[15.0: tanks, end] A second M1A1, fewer turns, and the Battalion sooner."""
    table = set_up(variant="on")

    assert len(table.position.at("armour box")) == 2
    assert (table.position.flag("turns"), table.position.flag("battalion turn")) == (8, 4)
    data = table.game.tables.game["scenario_data"]["jolan"]
    assert (data["turns"], data["variant_turns"], data["battalion"], data["variant_battalion"]) == (16, 13, 9, 7)


# -- the turn and victory ----------------------------------------------------------------------------------------------


def test_8_phases_go_on_and_never_back() -> None:
    """[8.0: order] [9.0, 10.0, 11.0, 12.0, 13.0, 14.0] A later Phase closes those before it; the turn ends with
    Reorganisation.
    """
    table = Practice()
    table.ours("2", "3")
    table.squad(8, "2-C")
    table.do("move", "unit=8", "to=1")

    assert table.track("phase") == 3
    for action in ("mission", "reinforce", "fire"):
        obstacle = next(candidate for candidate in table.game.actions if candidate.id == action).obstacle(table.position)
        assert obstacle is not None
    table.do("end", accept=True)

    assert (table.track("turn"), table.track("phase")) == (4, 0)


def everything(table: Practice, *but: str) -> None:
    """All Zones under USMC Control, but these; a squad in Zone 2."""
    table.squad(8, "2-C")
    table.ours(*(zone for zone in table.position.members("zones") if zone not in but))


def test_7_2_victory_at_the_end_of_any_turn() -> None:
    """[7.2: any_turn] [7.2.1: turns] [7.0, 7.2.2] All Zones: 5 VP for each turn not played (ruling C-31), and the level."""
    table = Practice(turn=8)
    everything(table)
    table.set(vp=1)
    table.do("end")

    assert table.track("vp") == 1 + 2 * 5
    assert table.game.score(table.position, table.options).verdict == "Major victory"
    assert table.game.over(table.position)


def test_7_1_the_insurgents_win_on_time() -> None:
    """[7.1: all] A Zone is left at the end of the last turn."""
    table = Practice(turn=10)
    everything(table, "41", "26")
    table.zone("41", "26")
    table.enemy("41-1")
    table.squad(4, "32-R")
    table.set(vp=40)
    table.do("end")

    assert table.game.score(table.position, table.options).verdict == "Insurgent victory"
    assert "the last turn is over" in table.game.over(table.position)


@pytest.mark.parametrize(("left", "enemy", "won"), [(["26"], False, True), (["26"], True, False), (["26", "41"], False, False)])
def test_7_1_only_the_mosque_is_left(left: list[str], enemy: bool, won: bool) -> None:
    """[7.1: mosque] [7.2.1] Empty: won all the same, for 5 VP less; with an enemy in it, or another Zone left too, lost."""
    table = Practice(turn=10)
    everything(table, *left)
    table.zone(*left)
    table.squad(4, "16-R")  # which watches the street to the mosque
    if enemy:
        table.enemy("26-1")
    table.set(vp=4)
    table.do("end")

    assert lost_zones(table.position) == left
    score = table.game.score(table.position, table.options)
    assert (score.total, score.verdict) == ((-1, "Bitter victory") if won else (4, "Insurgent victory"))
    assert (("Zone 26 empty, not under Control x1", -5, "7.1") in score.items) == won


def test_7_2_1_the_scale() -> None:
    """[7.2.1] Every line of the printed scale."""
    chart = game_of("phantomfury").tables.charts["points"]

    assert {name: chart.number(name, "vp") for name in chart.rows} == {
        "guerillas_eliminated": 1,
        "turn_left": 5,
        "battalion_used": -2,
        "caat_eliminated": -2,
        "iif_eliminated": -2,
        "squad_reduced": -2,
        "squad_eliminated": -5,
        "withdrawn": -2,
        "mosque_left": -5,
    }


def test_4_1_import_refuses_a_foreign_file() -> None:
    """[4.1] Facts of another game or with faults are not taken over."""
    game = game_of("phantomfury")
    good = read_file(game, 'game = "phantomfury"\n[facts]\n"zone:2" = "C-1; door C; adjacent 3"\n"start" = "9 2 3 4 5 6 7 8 1"\n')

    assert good == {"zone:2": "C-1; door C; adjacent 3", "start": "1 2 3 4 5 6 7 8 9"}
    with pytest.raises(Exception, match="fault"):
        read_file(game, 'game = "phantomfury"\n[facts]\n"zone:62" = "C-1"\n')


def test_7_0_the_last_turn_is_played() -> None:
    """[7.2: any_turn] [7.0, 8.0] The end of the last turn but one is not the end of the game."""
    table = Practice(turn=9)
    everything(table, "41", "26")
    table.zone("41", "26")
    table.do("end")

    assert (table.track("turn"), table.game.over(table.position)) == (10, "")


# -- conditions and exceptions -----------------------------------------------------------------------------------------


def test_4_1_3_a_zone_is_activated_once() -> None:
    """[4.1.3: once] [14.2: new] Zones that are Activated already draw nothing when the Zone beside them is taken."""
    board = Board()
    board.set(phase=4)
    board.zone("12", "22", "32")
    board.squad(7, "22-C")
    board.do("end")

    assert board.controlled("22")
    assert board.names_at("box 12") == board.names_at("box 32") == ["Activated Zone"]
    assert board.enemies("12") == board.enemies("32") == []


def test_4_1_6_suspects_find_no_upper_floor_in_ruins() -> None:
    """[4.1.6: floors] [5.3.2.3: ruins] Neither R nor 2 is there for a marker: the first goes to 1, and for the second nothing is
    left.
    """
    board = Board()
    board.marker("Rubble", "32")
    draws = ["Activated Zone", "R/2/1", "2/1/R", "Activated Strong Point", "1/2/R", "2/1/R"]
    board.do("mission", "mission=uav", "zones=32 41", dice=[8, 0], draws=draws)

    assert board.enemies("32") == ["1 suspect"]
    assert board.says("Suspect 2/1/R: no free Location for it in Zone 32")
    assert board.enemies("41") == ["1 suspect", "2 suspect"]


def test_4_3_1_2_a_line_of_fire_is_for_fire_and_crossing_only() -> None:
    """[4.3.1.2: only] A unit at the far end of it hinders no Pinned squad in the street from regrouping."""
    board = Board({"section:s": "2 3 14 15; next n t; fire 24"})
    board.set(phase=4)
    board.ours("2", "3")
    board.zone("14", "15", "24")
    board.squad(7, "street s", pinned=True)
    board.enemy("24-1", "G1/M1")
    board.do("end")

    assert not board.mark(7, "pinned") and board.asked_for("roll") == []


def test_5_1_6_1_several_iraqi_squads_in_the_mosque_one_a_location() -> None:
    """[5.1.6.1: location] From one Location of Zone 26 to the next as well as on coming in."""
    board = Board()
    board.set(phase=3)
    board.ours("16")
    board.zone("26")
    board.change("iif-1", place="26-1")
    board.change("iif-2", place="16-C")
    board.enemy("26-2")
    board.do("move", "unit=i2", "to=26-C", dice=[9, 0])
    assert board.at("iif-2") == "26-C"
    board.flag(moved=None)
    with pytest.raises(Illegal, match=r"26-1 is taken.*5\.1\.6\.1"):
        board.do("move", "unit=i2", "to=26-1")


def test_5_1_6_2_phantom_fury_is_not_for_iraqis() -> None:
    """[5.1.6.2: fury] [13.4.3.2: iif] Neither their Fire nor their Assaults have the -1 that USMC squads have
    beside the marker.
    """
    board = Board()
    board.set(phase=2)
    board.ours("3")
    board.zone("15", "26")
    for zone in ("3", "26"):
        board.marker("Phantom Fury", zone)
    board.change("iif-1", place="3-C")
    board.squad(12, "3-1", cf=4)
    board.enemy("15-1", "G1/M1")
    board.do("fire", "unit=i1", "target=15-1", dice=[4])
    assert board.says("(4+1 = 5, CF 4): miss")
    board.do("fire", "unit=12", "target=15-1", dice=[4])
    assert board.says("(4+1-1 = 4, CF 4): HIT")
    board.change("iif-1", place="26-C", marks={})
    board.enemy("26-1", "G2/M2", martyrs=True)
    board.do("assault", "squad=i1", dice=[4, 9])
    assert board.says("(4+1 = 5, CF 4): miss")


def test_6_3_a_start_zone_without_an_entry_symbol_is_asked_for_it() -> None:
    """[6.3] A squad starts at the entry symbol: it is asked for if the Zone was entered without one."""

    class Doorless(Table):
        def set_up(self) -> None:
            self.play(self.game.setup, ["zone:2=door C"], accept=True)

    start = " ".join(str(number) for number in range(2, 11))
    zones = {f"zone:{number}": "C-1-2-R; door C; roof R" for number in range(3, 11)}
    table = Doorless("phantomfury", "jolan", {"start": start, "zone:2": "C-1-2-R; roof R", **zones}, seed="x")

    assert table.facts["zone:2"] == "C-1-2-R; door C; roof R"
    assert [piece.name for piece in table.position.at("2-C") if piece.kind == "squad"]


def test_6_2_a_zero_is_a_dummy_in_a_start_zone() -> None:
    """[4.1.3: circle] [6.2: normal, zero] Eight Suspects, eight times 0: no IED, and no enemy is left."""

    class Zeros(Table):
        def set_up(self) -> None:
            self.play(self.game.setup, dice=[0] * 8, accept=True)

    table = Zeros("phantomfury", "practice", seed="x")

    assert sum("a Dummy in a start Zone" in line for line in table.said) == 8
    assert not [piece for piece in table.position.of_kind("insurgent") if piece.place != "insurgents cup"]
    assert {piece.name for zone in table.position.members("start") for piece in table.position.at(f"box {zone}")} == {
        "Activated Start Zone"
    }


def test_7_2_1_only_guerillas_bring_points() -> None:
    """[7.2.1: guerillas] [11.2.2: kind] Martyrs that are eliminated bring none."""
    for martyrs, points in ((False, 1), (True, 0)):
        board = Board()
        board.set(phase=2)
        board.ours("3")
        board.zone("15")
        board.squad(1, "3-C")
        board.enemy("15-R", "G1/M1", martyrs=martyrs)
        board.do("fire", "unit=1", "target=15-R", dice=[1])
        assert (board.enemies("15"), board.track("vp")) == ([], points)

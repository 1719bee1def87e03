"""[9.0] Missions and the insurgents' Reactions."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from tests.games.phantomfury.field import Field


def called(table: Field) -> str:
    return " ".join(table.said)


# -- Missions ----------------------------------------------------------------------------------------------------------


def test_9_1_missions_go_on_until_one_is_postponed() -> None:
    """[9.0, 9.1, 9.2.1] A success moves the marker and leaves the Phase open; a failure reacts and ends it."""
    table = Field()
    table.activated("13")
    table.suspect("13-1", "13-2")
    table.do("mission", "mission=ah1w", "zones=13", dice=[6])

    assert (table.track("ah1w"), table.names_at("13-1"), table.names_at("13-2")) == (1, [], [])
    table.suspect("13-1")
    table.do("mission", "mission=ah1w", "zones=13", dice=[7, 0])

    assert table.track("ah1w") == 1
    assert "No effect" in called(table)
    with pytest.raises(Illegal, match="Reaction"):
        table.do("mission", "mission=ah1w", "zones=13", dice=[0])


def test_9_2_a_mission_that_is_used_up_is_refused() -> None:
    """[9.2] The F/A-18 comes once a game."""
    table = Field()
    table.set(fa18=1)

    with pytest.raises(Illegal, match="used up"):
        table.do("mission", "mission=fa18", "zones=41", dice=[0])


def test_9_3_dragon_eye_activates_zones_and_their_suspects() -> None:
    """[9.3, 4.1.3, 5.3.5] A Zone not Activated is; in a Fortified one Suspects stay; an IED/Sniper stays as well."""
    table = Field()
    table.do(
        "mission",
        "mission=uav",
        "zones=32,41",
        dice=[8, 0, 3],
        draws=["Activated Zone", "2/1/R", "1/2/R", "Activated Strong Point", "2/1/R", "R/2/1"],
    )

    assert table.kinds_at("32-1") == ["suspect"]  # a 0: it stays
    assert table.kinds_at("32-2") == []  # a Dummy
    assert table.kinds_at("41-2") == table.kinds_at("41-R") == ["suspect"]
    assert "Zone 41 is Fortified" in called(table)
    table.activated("22")
    with pytest.raises(Illegal, match="neither Adjacent nor Neighbouring"):
        table.do("mission", "mission=uav", "zones=22,41", dice=[0])


@pytest.mark.parametrize("many", [1, 2])
def test_9_3_ah1w_takes_up_to_two_counters(many: int) -> None:
    """[9.3] Of three counters in the Zone the player names one or two; removed Guerillas are no VP (ruling C-2)."""
    table = Field()
    table.activated("13")
    table.suspect("13-1")
    table.enemy("13-2", "g2")
    table.enemy("13-R", "m1")
    remove = "13-2" if many == 1 else "13-2,13-R"
    table.do("mission", "mission=ah1w", "zones=13", f"remove={remove}", dice=[0])

    assert (table.kinds_at("13-2"), table.kinds_at("13-1")) == ([], ["suspect"])
    assert table.kinds_at("13-R") == (["insurgent"] if many == 1 else [])
    assert table.track("vp") == 0


@pytest.mark.parametrize(("choice", "hornet", "cobra"), [("fa18", 1, 0), ("both", 1, 1), ("none", 0, 0)])
def test_9_3_ruling_c_2_points_for_strikes(choice: str, hornet: int, cobra: int) -> None:
    """[9.3, 7.2.1] ``air_vp``: "both", "none" or as ruled."""
    table = Field(air_vp=choice)
    table.activated("41", "13")
    table.enemy("41-1", "g1")
    table.enemy("13-1", "g1")
    table.suspect("41-2")
    table.do("mission", "mission=fa18", "zones=41", dice=[4])

    assert table.track("vp") == hornet
    assert table.names_at("41-1") == table.names_at("41-2") == []
    table.do("mission", "mission=ah1w", "zones=13", dice=[0])

    assert table.track("vp") == hornet + cobra


def test_9_3_fa18_leaves_ruins() -> None:
    """[9.3, 4.1.6] The Zone has neither 2 nor R any more; a Suspect for them finds no room there."""
    table = Field()
    table.do("mission", "mission=fa18", "zones=41", dice=[4], draws=["Activated Zone", "2/1/R", "1/2/R"])

    assert "Rubble" in table.names_at("box 41")
    referee = table.game.referee(table.position, table.options)
    assert referee.locations("41") == ("C", "1")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("mission", "zone", "message"),
    [
        ("ah1w", "2", "under USMC Control"),
        ("ah1w", "26", "mosque"),
        ("fa18", "26", "mosque"),
        ("fa18", "14", "too close"),
        ("uav", "13,32", "neither"),
        ("ah1w", "14", "is in Zone 14"),
    ],
)
def test_9_3_zones_that_a_mission_may_not_have(mission: str, zone: str, message: str) -> None:
    """[9.3] USMC Control, USMC units, the mosque, and squads around for the F/A-18."""
    table = Field()
    table.control("2")
    table.squad(8, "2-C" if mission != "ah1w" or zone != "14" else "14-C")
    table.activated("13", "14", "26")
    table.suspect("26-1", "13-1")
    if zone != "14" or mission != "ah1w":
        table.suspect("14-1")

    with pytest.raises(Illegal, match=message):
        table.do("mission", f"mission={mission}", f"zones={zone}", dice=[0])


# -- Reactions ---------------------------------------------------------------------------------------------------------


def react(table: Field, die: int, *answers: str, dice: tuple[int, ...] = (), draws: tuple[str, ...] = ()) -> str:
    """A Mission that fails, with this Reaction."""
    table.do("mission", "mission=uav", "zones=32,41", *answers, dice=[9, die, *dice], draws=draws)
    return called(table)


def test_9_4_reinforcements_replace_weaker_guerillas() -> None:
    """[9.4, 9.4.1, 9.4.2] A higher Guerillas CF replaces the unit, no other; not where a Security Element is (C-37)."""
    table = Field()
    table.activated("13", "14", "23")
    table.enemy("13-1", "g1")
    table.enemy("23-1", "g2")
    table.enemy("14-1", "g1")
    table.squad(8, "14-C")
    table.add("element", "Security Element of Squad 8", "14-C", squad=table.named("Squad 8").id)
    text = react(table, 2, draws=("G3/M3", "G2/M2"))

    assert table.names_at("13-1") == ["G3/M3"]
    assert table.names_at("23-1")[0].startswith("G2")
    assert table.names_at("14-1")[0].startswith("G1")
    assert "1 of 3 Guerillas" in text


def test_9_4_retreat_of_guerillas_beside_squads() -> None:
    """[9.4, 9.4.2, 13.6.1] Those in a Zone with a squad go; those alone, with Fanaticism or by an Element stay (C-38)."""
    table = Field()
    table.activated("13", "14", "15", "23")
    table.squad(8, "14-C")
    table.enemy("14-1", "g2")
    table.squad(4, "13-C")
    table.enemy("13-1", "g1")
    table.marker("13", "Fanaticism")
    table.enemy("23-1", "g1")
    react(table, 4, draws=("2/1/R",))

    assert table.kinds_at("14-1") == []
    assert table.kinds_at("24-2") == ["insurgent"]
    assert table.kinds_at("13-1") == table.kinds_at("23-1") == ["insurgent"]


def test_9_4_the_eagle_of_fallujah_shoots_at_squads_among_insurgents() -> None:
    """[9.4, 11.4.1.1, 11.4.1.2] One die each; none where nobody is around (ruling C-4)."""
    table = Field()
    table.activated("14", "15", "22")
    table.control("2")
    table.squad(8, "14-C", 5)
    table.squad(4, "2-C", 6)
    table.squad(6, "22-C", 4)
    table.suspect("15-1")
    text = react(table, 6, dice=(0,))

    squad = table.named("Squad 8")
    assert (squad.face, squad.mark("pinned")) == ("reduced", True)
    assert not table.named("Squad 4").mark("pinned")
    assert "No enemy around Squad 6" in text
    assert table.track("vp") == -2


def test_9_4_counter_attack_of_the_strongest() -> None:
    """[9.4, 9.4.1] They move next to the squad and Assault without modifiers; the squad stays (ruling C-18)."""
    table = Field()
    table.activated("14")
    table.squad(8, "14-C", 5)
    table.enemy("14-R", "g3")
    table.enemy("14-2", "g1")
    text = react(table, 7, dice=(5, 3))

    assert table.names_at("14-R") == table.names_at("14-1") == []  # a 5 hits CF 5: eliminated at 1, where it had moved
    assert table.kinds_at("14-2") == ["insurgent"]
    assert (table.where("Squad 8"), table.named("Squad 8").face) == ("14-C", "reduced")
    assert table.track("vp") == 1 - 2
    assert "Assaults Squad 8" in text


def test_9_4_counter_attack_not_by_a_security_element() -> None:
    """[9.4.2] A Zone with a Security Element is left out."""
    table = Field()
    table.activated("14")
    squad = table.squad(8, "14-1", 5)
    table.add("element", "Security Element of Squad 8", "14-C", squad=squad)
    table.enemy("14-2", "g3")
    text = react(table, 8)

    assert "Counter-attack in 0 Zones" in text
    assert "Security Element" in " ".join(line for event in table.events for line in getattr(event, "because", ()))


@pytest.mark.parametrize("choice", ["one", "each"])
def test_9_4_hbied_ruling_c_1(choice: str) -> None:
    """[9.4, 4.1.6] ``hbied``: one squad at random, or "each"; 2 and R are deadly, and the Zone lies in Ruins."""
    table = Field(hbied=choice)
    table.control("2", "4")
    table.squad(8, "2-R", 5)
    table.squad(4, "4-C", 6)
    table.activated("13", "16")
    text = react(table, 9, draws=("Squad 8 at 2-R",) if choice == "one" else ())

    assert table.where("Squad 8") == "out of the game"
    assert "Rubble" in table.names_at("box 2")
    assert ("Rubble" in table.names_at("box 4")) == (choice == "each")
    assert table.where("Squad 4") == "4-C"
    assert table.track("vp") == -5
    assert "HBIED" in text


@pytest.mark.parametrize("place", ["26", "16"])
def test_9_4_hbied_spares_the_mosque_and_ruins(place: str) -> None:
    """[9.4] Neither in Zone 26 nor in a Ruins Zone, though both are beside Zones of the insurgents."""
    table = Field()
    table.control(place)
    table.activated("15", "25")
    if place == "26":
        table.iif(1, "26-2")
    else:
        table.squad(8, "16-C")
        table.marker("16", "Rubble")
    before = table.position
    text = react(table, 9)

    assert "no squad is in a Zone that it could happen in" in text
    assert (table.position.pieces, table.track("vp")) == (before.pieces, 0)


def test_9_4_guerillas_in_the_mosque_do_not_retreat() -> None:
    """[9.4, 13.6.1] Beside an IIF squad in Zone 26 they stay where they are."""
    table = Field()
    table.activated("26", "25", "16")
    table.iif(1, "26-2")
    table.enemy("26-1", "g2")
    react(table, 5)

    assert table.kinds_at("26-1") == ["insurgent"]
    assert "they are in Zone 26" in " ".join(line for event in table.events for line in getattr(event, "because", ()))

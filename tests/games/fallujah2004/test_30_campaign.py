"""[30.0] The campaign."""

from __future__ import annotations

import pytest

from companion.games.fallujah2004.referee import FallujahReferee
from companion.games.fallujah2004.rules.r06_scenarios import campaign_verdict
from companion.views.log import event_lines
from tests.games.fallujah2004.field import EVENTS, NODES, Field


def ended(kia: int, *, prepare: object = None, msr: str = "no", **options: str) -> Field:
    """A first battle that ends with a KIA index and no Node on the map."""
    field = Field("campaign", **options)
    if callable(prepare):
        prepare(field)
    field.clear_map()
    field.set(kia=kia)
    field.do("end", f"msr={msr}", "held=0")
    return field


def obstacle(field: Field) -> str:
    reason = next(action for action in field.game.actions if action.id == "second").obstacle(field.position)
    return reason.text if reason else ""


def test_30_0_it_begins_with_vigilant_resolve() -> None:
    """[30.0, 30.2] 65 OPs, Medium morale, the rules of scenario 1."""
    field = Field("campaign")

    assert (field.ops, field.morale, field.position.flag("battle")) == (65, "medium", 1)


@pytest.mark.parametrize("scenario", ["vigilant_resolve", "phantom_fury"])
def test_30_1_a_single_battle_has_no_second(scenario: str) -> None:
    """[30.1] An individual battle is played by itself."""
    field = Field(scenario)
    field.clear_map()
    field.do("end", "msr=no", "held=0")

    assert obstacle(field) == "only the campaign has a second battle"


@pytest.mark.parametrize(("kia", "won"), [(51, True), (50, False), (26, False), (25, False), (-5, False)])
def test_30_2_a_win_ends_the_campaign(kia: int, won: bool) -> None:
    """[30.2: won] 51 points or more win it at once; a draw or a defeat is followed by Phantom Fury (ruling C-34)."""
    field = ended(kia)

    assert any("with it the campaign" in line for line in field.said) is won
    assert obstacle(field) == ("the campaign is won" if won else "")


def test_30_2_not_before_the_first_is_over() -> None:
    """[30.2: won] The second battle waits for the end of the first."""
    assert obstacle(Field("campaign")) == "the second battle follows the end of the first"


@pytest.mark.parametrize(("kia", "ops"), [(12, 92), (-7, 73), (0, 80)])
def test_30_2_3_ops_by_the_first_battles_kia(kia: int, ops: int) -> None:
    """[30.2(4)] [30.2(3): sign] 80 and the KIA of the first battle, whatever its sign (C-33); then KIA is zero."""
    field = ended(kia)
    field.do("second")

    assert field.says(f"makes {ops}", "30.2(3)")
    assert (field.ops, field.kia, field.morale) == (ops, 0, "high")
    assert field.position.flag("battle") == 2
    assert not field.game.over(field.position)


@pytest.mark.parametrize(("switch", "morale"), [("high", "high"), ("carried", "low")])
def test_30_2_morale_at_the_second_battle(switch: str, morale: str) -> None:
    """[30.2, 9.2] High as the scenario says, or as the first battle left it (ruling C-60)."""
    field = ended(0, prepare=lambda field: field.set(morale=0), campaign_morale=switch)
    field.do("second")

    assert field.morale == morale


def test_30_2_1_all_coalition_counters_return() -> None:
    """[30.2(1)] Deployed, reduced, eliminated, deserted; strikes and NetWar used for InfoWar too [19.0]."""
    # [19.0: campaign] [30.2(1): all]

    def prepare(field: Field) -> None:
        field.put("3-9", "3/1")
        field.reduce("3/1")
        field.put("eliminated", "3/5")
        field.put("out", "1 IG")
        field.put("available", "Air Strike (3)")
        field.put("aside", "NetWar")

    field = ended(0, prepare=prepare)
    field.do("second")

    assert {piece.place for piece in field.position.pieces.values() if piece.kind in ("unit", "strike")} == {"recruit"}
    assert field.face("3/1") == "front"


def test_30_2_1_leaders_who_survived_are_kept() -> None:
    """[30.2(1): leaders] They join ground units of the player's choice as these are recruited; a fallen one is in Recruit."""

    def prepare(field: Field) -> None:
        field.put("3-9", "3/1")
        field.lead("Leader A", "3/1")

    field = ended(0, prepare=prepare)
    field.do("second")
    assert (field.place("Leader A"), field.place("Leader B")) == ("kept", "recruit")

    field.do("buy", "buy=HT 1", "at=north base")
    assert "leader" not in field.asked_for()
    field.do("buy", "buy=3/5", "at=north base", "leader=later")
    field.do("buy", "buy=1/8, 3/1", "at=north base", "leader=1/8")
    assert field.find("Leader A").marks == {"with": field.find("1/8").id}


def test_30_2_2_eliminated_hvt_stay_out() -> None:
    """[30.2(2): hvt] All other OPFOR units, events and Nodes are in play again, 20 Nodes concealed on the map."""

    def prepare(field: Field) -> None:
        field.put("hvt box", "HVT 2(3)")
        field.put("in play", "Uprising Elsewhere")
        field.put("out", "Negotiations")
        field.put("captured", "Downed Helicopter")
        field.put("available", "Intel")
        field.node("captured", "c2")
        field.node("3-9", "al_qaeda")

    field = ended(0, prepare=prepare)
    field.do("second")
    concealed = [piece.place for piece in field.position.of_kind("concealed")]

    assert (field.place("HVT 2(3)"), field.place("HVT 3(4)")) == ("out", "reaction cup")
    assert field.count("reaction cup", "event") == sum(EVENTS.values())
    assert field.count("node cup", "node") == sum(NODES.values())
    assert len(concealed) - concealed.count("node pile") - concealed.count("off") == 20
    assert {"3-8", "4-8"} < set(concealed)


def test_30_2_2_the_uprising_is_over() -> None:
    """[30.2(2), 11.1] Its marker is in the cup again, so prices are the printed ones (ruling C-65)."""
    field = ended(0, prepare=lambda field: field.put("in play", "Uprising Elsewhere"))
    field.do("second")
    field.do("buy", "buy=3/1", "at=north base")

    assert field.ops == 79


def test_30_2_the_second_battle_is_counted_anew() -> None:
    """[30.2, 6.1] Nothing of the first battle's count is left: held spaces, MSR, captured Nodes, HVT."""

    def prepare(field: Field) -> None:
        field.put("hvt box", "HVT 2(3)")
        field.node("captured", "c2")
        field.put("captured", "Downed Helicopter")

    field = Field("campaign")
    prepare(field)
    field.clear_map()
    field.do("end", "msr=yes", "held=12")
    field.do("second")
    score = field.game.score(field.position, field.options)

    assert {label: points for label, points, _ in score.items if points} == {"Nodes left on the map": -20}


def test_30_2_the_rules_of_scenario_2_hold_then() -> None:
    """[30.2, 14.5] Negotiations have no effect in the second battle."""
    field = ended(0)
    field.do("second")
    field.put("3-9", "3/1")
    field.set(morale=0)
    field.j3("3/1", "3-10", draws=["Negotiations"])

    assert field.asked_for("roll") == []


@pytest.mark.parametrize(("kia", "text"), [(51, "with it the campaign"), (50, "the campaign is lost")])
def test_30_2_5_the_second_battle_decides(kia: int, text: str) -> None:
    """[30.2(5): second] Win it and the campaign is won."""
    field = ended(0)
    field.do("second")
    field.clear_map()
    field.set(kia=kia)
    field.do("end", "msr=no", "held=0")

    assert any(text in line for line in field.said)
    assert field.says("campaign", "30.2(5)")
    assert obstacle(field) != ""


def test_30_2_the_verdict_by_points() -> None:
    """[30.2, 6.3] The limits of a win."""
    for total, won in ((50, False), (51, True)):
        field = Field("campaign")

        async def verdict(game: FallujahReferee, total: int = total) -> None:
            campaign_verdict(game, total)

        field.play(verdict)
        assert (field.position.flag("campaign") == "won") is won


def test_30_2_the_map_is_cleared_in_a_few_lines() -> None:
    """[30.2] What to do with the counters, and none of the moves in the books."""

    def prepare(field: Field) -> None:
        field.put("3-9", "3/1")
        field.lead("Leader A", "3/1")
        field.put("hvt box", "HVT 2(3)")

    field = ended(0, prepare=prepare)
    before = dict(field.position.pieces)
    field.do("second")
    lines = [line.text for line in event_lines(field.game, field.events, before)]

    assert field.says("Clear the map", "30.2(1)")
    assert field.says("Set aside Leader A:", "30.2(1)")
    assert field.says("Leave out what was eliminated (HVT 2(3)); all other", "30.2(2)")
    assert len(lines) < 20
    assert not [line for line in lines if "-> Node cup" in line or "-> Recruit" in line or "-> Reaction" in line]


def test_30_2_1_a_deserter_is_there_again() -> None:
    """[30.2(1)] All units return: a deserter is out for the scenario (ruling C-44), and can be bought for the second battle."""

    def prepare(field: Field) -> None:
        field.put("out", "1 IG")

    field = ended(0, prepare=prepare)
    field.do("second")
    field.do("buy", "buy=1 IG", "at=north base")

    assert field.place("1 IG") == "north base"


def test_30_2_1_two_kept_leaders_may_join_one_unit() -> None:
    """[30.2(1)] Any ground unit: the second leader is offered the unit of the first too."""

    def prepare(field: Field) -> None:
        field.put("3-9", "3/1", "3/5")
        field.lead("Leader A", "3/1")
        field.lead("Leader B", "3/5")

    field = ended(0, prepare=prepare)
    field.do("second")
    field.do("buy", "buy=1/8", "at=north base", "leader=1/8", "leader=1/8")

    assert field.find("Leader A").marks == field.find("Leader B").marks == {"with": field.find("1/8").id}


def test_30_2_4_the_shares_of_the_players_begin_anew() -> None:
    """[30.2(4), 35.0] KIA is zero, and so is each player's share of it."""

    def prepare(field: Field) -> None:
        field.flag("nodes of Ann", 1)
        field.flag("kia of Ann", 12)

    field = ended(12, prepare=prepare, players="Ann, Bob")
    assert any(note.startswith("Ann: Nodes captured 1, KIA 12") for note in field.game.score(field.position, field.options).notes)
    field.do("second")

    assert not any(note.startswith("Ann") for note in field.game.score(field.position, field.options).notes)


def test_30_2_5_there_is_no_third_battle() -> None:
    """[30.2(5)] The second was not won: the campaign is lost, and that is what is said."""
    field = ended(0)
    field.do("second")
    field.clear_map()
    field.do("end", "msr=no", "held=0")

    assert obstacle(field) == "the second battle was not won: the campaign is lost"

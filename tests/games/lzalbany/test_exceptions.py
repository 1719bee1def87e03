"""Exceptions, second occurrences and empty cases: what a rule says of the one that is easily forgotten."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Unreadable
from companion.games.lzalbany.notation import read_effect
from companion.games.lzalbany.rules.r03_turn import take_effect
from companion.games.lzalbany.rules.r07_mortars import mortar_pool
from companion.games.lzalbany.rules.r08_hits import target_of
from tests.games.lzalbany.field import Field


def clear(field: Field) -> None:
    """Nobody is left to be placed of those who start."""
    for piece in [p for p in field.position.pieces.values() if p.place == "to place"]:
        field.move(piece.id, "eliminated")


# -- [3.2] arrivals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turn", "phase", "action", "orders", "rule"),
    [
        (2, "reinforcement", "reinforce", "b/2-7=1 2 3 co > columbus; rest > e2", "3.2D"),
        (2, "reinforcement", "reinforce", "b/2-7=1 2 3 co > d1; rest > albany", "3.2D"),
        (2, "reinforcement", "reinforce", "b/2-7=1 2 3 co > transition; rest > d1", "3.2D"),
        (2, "reinforcement", "reinforce", "b/2-7=1 2 3 co > c4; rest > d1", "3.2D"),
        (2, "reinforcement", "reinforce", "10/8/66=f2", "3.2F"),
        (2, "reinforcement", "reinforce", "hq/8/66=columbus", "3.2F"),
        (6, "reinforcement", "reinforce", "a/1-5=1 2 3 co > b3; rest > columbus", "3.2D"),
        (1, "deploy", "deploy", "a/2-7=columbus", "3.2C"),
        (1, "deploy", "deploy", "c/2-7=1 2 3 > b2; rest > d2", "3.2C"),
        (1, "deploy", "deploy", "6/8/66=d2", "3.2E"),
    ],
)
def test_3_2_forces_are_placed_where_their_rule_says(turn: int, phase: str, action: str, orders: str, rule: str) -> None:
    """[3.2C, 3.2D, 3.2E, 3.2F] As far as the map tells it, and not among the enemy (ruling C-62)."""
    # [3.2C: areas] [3.2D: airlift] [3.2E: areas] [3.2F: areas]
    field = Field(turn=turn)
    field.flag(phase=phase)
    if turn > 1:
        field.put("c4", "1/1/1/33")

    with pytest.raises(Illegal, match=rf"(may not start in|not sawgrass|arrives in|enemies are).*\[{rule}\]"):
        field.do(action, orders, accept=True)
    field.do(action, accept=True)


def test_3_2_without_facts_of_the_map_any_area_is_accepted() -> None:
    """Where the circles are printed only the player sees; LZ Columbus and the enemy's areas are none of them."""
    field = Field(turn=2, map="own")
    field.flag(phase="reinforcement", **{"terrain:hill": "sawgrass"})
    field.put("ridge", "1/1/1/33")
    clear(field)

    with pytest.raises(Illegal, match=r"enemies are in ridge \[3.2D\]"):
        field.do("reinforce", "b/2-7=1 2 > ridge; rest > hill", "area:ridge=sawgrass")
    with pytest.raises(Illegal, match=r"10/8/66 may not start in LZ Columbus \[3.2F\]"):
        field.do("reinforce", "b/2-7=1 2 3 co > hill; rest > dell", "area:dell=sawgrass", "nva-senior=w", "10/8/66=columbus")
    field.do("reinforce", "b/2-7=1 2 3 co > hill; rest > dell", "area:dell=sawgrass", "nva-senior=w", "10/8/66=w", "hq/8/66=x")
    assert [field.at(name) for name in ("4/B/2-7", "3/10/8/66", "1/HQ/8/66")] == ["dell", "w", "x"]


def test_3_2_d_b_company_is_proposed_together_and_out_of_reach() -> None:
    """Two areas that touch, no enemy next to them, the officer with platoons."""
    field = Field(turn=2)
    field.flag(phase="reinforcement")
    clear(field)
    field.put("c1", "1/1/1/33", "2/1/1/33", "3/1/1/33")
    field.do("reinforce", accept=True)

    where = {field.at(f"{label}/B/2-7") for label in ("1", "2", "3", "4", "mtr")}
    assert len(where) == 2 and field.at("co/B/2-7") in where
    assert all(field.referee.map.adjacent(first, second) for first in where for second in where if first != second)
    assert not any(field.referee.map.adjacent(area, "c1") for area in where)


def test_3_2_d_stacking_holds_for_the_airlift() -> None:
    """[6.4] At the moment of placement, by air too."""
    # [3.2D: stacking] [6.4: stacking]
    field = Field(turn=7)
    field.put("d2", "1/A/2-7", "2/A/2-7")
    field.put("airlift", "1/B/1-5", "2/B/1-5")

    with pytest.raises(Illegal, match=r"4 US units would be in d2, and three is the most when placing \[3.2D\]"):
        field.chit("Dust Off", "dustoff=airlift", "airlift=1/B 2/B > d2")
    field.chit("Dust Off", "dustoff=airlift", "airlift=1/B > d2")
    assert field.at("1/B/1-5") == "d2"


def test_6_4_an_officer_left_behind_is_flown_too() -> None:
    field = Field(turn=7)
    # [6.4: officers]
    field.put("d2", "1/A/2-7", "2/A/2-7", "3/A/2-7")
    field.put("airlift", "co/B/1-5")

    field.chit("Dust Off", "dustoff=airlift", "airlift=co/B > d2")
    assert field.at("co/B/1-5") == "d2"


def test_6_4_a_1_5_may_wait_for_the_airlift() -> None:
    """Ruling C-60."""
    # [3.2D: airlift]
    field = Field(turn=6)
    field.flag(phase="reinforcement")
    clear(field)
    field.do("reinforce", "a/1-5=1 2 > airlift; rest > columbus", accept=True)

    assert [field.at(name) for name in ("1/A/1-5", "3/A/1-5")] == ["airlift", "columbus"]


# -- [3.5] events ----------------------------------------------------------------------------------------------------------


def test_3_5_the_transition_area_is_occupied_too() -> None:
    field = Field()
    field.flag(phase="event")
    field.put("transition", "1/6/8/66")
    field.do("event", "choi:us-1=none", dice=[1])

    assert field.says("US event in Transition Area")


def test_3_5_an_extra_move_into_the_enemy_is_a_melee_at_once() -> None:
    """[7.2] Ruling C-31: in the action that brings the sides together, also where no chit does."""
    field = Field()
    field.flag(phase="event")
    field.put("d2", "1/A/2-7")
    field.put("d1", "1/1/1/33")
    answers = ("event_area=d1", "choi:us-1=move", "event_moves=1/1/1 > d2", "retreat=none", "retreat=none")
    field.do("event", *answers, "event_area=d2", "choi:nva-1=none", dice=[1] + [1] * 6 + [1])

    assert field.says("Melee in d2: NVA 3 dice, US 3 dice. [7.2]")


def test_3_5_a_casualty_without_an_officer_is_not_carried_out() -> None:
    """[3.5: eligible] Nor does anybody roll; with an officer there he does."""
    field = Field()
    field.put("e2", "1/1/1/33")
    field.play(lambda game: take_effect(game, "US", "e2", read_effect("casualty")))
    assert field.says("The event affects nobody. [3.5]")
    field.put("e2", "co/1/1/33")
    field.play(lambda game: take_effect(game, "US", "e2", read_effect("casualty")), dice=[5])
    assert field.says("Officer check for co/1/1/33: 5, a casualty on 6. Safe. [3.5]")


@pytest.mark.parametrize(
    ("area", "units", "hits"), [("columbus", ["1/Art"], 0), ("d2", ["1/A/2-7", "co/C/2-7"], 1), ("d2", ["1/A/2-7"], 0)]
)
def test_3_5_an_impossible_extra_move_is_not_carried_out(area: str, units: list[str], hits: int) -> None:
    """[3.5: eligible] No question for guns [6.2C] and hit platoons without an officer [6.2A]; one for a platoon that can go."""
    field = Field()
    field.put(area, units[0], hits=hits)
    asked = ["event_moves=none"]

    field.play(lambda game: take_effect(game, "NVA", area, read_effect("move")), asked)
    assert field.says("The event affects nobody") == (area == "columbus" or hits == 1)

    field.put(area, *units[1:])
    field.play(lambda game: take_effect(game, "NVA", area, read_effect("move")), asked)
    assert field.says("The event affects nobody") == (area == "columbus")


def test_5_2_e_an_extra_move_at_the_edge_leaves_the_map() -> None:
    """[3.5] [5.2E: edge] In the retreat an event moves the NVA as a chit does: off the map at its edge, and not elsewhere."""
    field = Field()
    field.flag(retreat=True)
    field.put("a3", "1/1/1/33")
    with pytest.raises(Illegal, match=r"the NVA leaves the map from a3 \[5.2E\]"):
        field.play(lambda game: take_effect(game, "US", "a3", read_effect("move")), ["event_moves=1 > a2"])
    field.play(lambda game: take_effect(game, "US", "a3", read_effect("move")), ["event_moves=1 > off"])
    assert field.at("1/1/1/33") == "left"
    field.flag(retreat=False)
    field.put("a3", "1/1/1/33")
    with pytest.raises(Unreadable):
        field.play(lambda game: take_effect(game, "US", "a3", read_effect("move")), ["event_moves=1 > off"])


@pytest.mark.parametrize("marker", ["no fire", "no fire or move", "no move"])
def test_3_5_a_marker_silences_artillery_too(marker: str) -> None:
    """[5.4, 7.5] Ruling D-2."""
    # [3.5: markers]
    field = Field()
    field.put("columbus", "1/Art", "2/Art")
    field.change("1/Art", marks={"incident": marker})
    field.put("d2", "co/A/2-7", "1/A/2-7")
    field.put("d1", "1/1/1/33")

    if marker == "no move":
        field.chit("Artillery", "target=d1", "target=d1", dice=[3, 1, 1, 1, 1] * 2)
    else:
        field.chit("Artillery", "target=d1", dice=[3, 1, 1, 1, 1])
        assert field.says("A marker keeps 1/Art from firing. [3.5]")


# -- [4] points ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("us", "nva", "retreat"), [(29, 33, None), (40, 34, True), (10, 12, None)])
def test_4_1_the_score_includes_what_the_end_of_the_game_counts(us: int, nva: int, retreat: object) -> None:
    """[4.2, 5.2E] With control, wounded left, the retreat that they bring (ruling C-64)."""
    field = Field(turn=10)
    field.set(us_vp=us, nva_vp=nva)
    field.flag(retreat=retreat)
    field.put("albany", "1/A/2-7")
    field.wounded("d2")
    before = field.game.score(field.position, field.options)

    field.flag(phase="administrative")
    field.do("admin")
    after = field.game.score(field.position, field.options)

    assert before.verdict == after.verdict
    assert (field.track("us_vp") >= 30) is (us >= 28)


# -- [6.1, 11.1B] dice -----------------------------------------------------------------------------------------------------


def test_11_1_b_divided_fire_loses_the_die_of_the_night_once() -> None:
    """[7.3(2)] The primary area bears it (ruling C-61)."""
    # [11.1B: once]
    field = Field(turn=9)
    field.put("d2", "1/1/1/33", "2/1/1/33", "3/1/1/33")
    field.put("e2", "1/A/2-7")
    field.put("e3", "2/A/2-7")
    answers = ("combat=d2", "target=e2, e3", "dice=3", "return=no", "return=no")
    field.fire("33", *answers, dice=[1] * 5)

    assert field.says("The NVA fires from d2 at e2 with 2 dice.") and field.says("The NVA fires from d2 at e3 with 3 dice.")


def test_6_1_divided_fire_loses_the_dice_of_over_stacking_once() -> None:
    """By the letter (ruling C-1): of eight dice seven are left."""
    # [6.1: fewer]
    field = Field(over_stacking="dice")
    field.put("d2", "1/1/1/33", "2/1/1/33", "3/1/1/33", "1/HQ/1/33")
    field.put("e2", "1/A/2-7")
    field.put("e3", "2/A/2-7")
    answers = ("combat=d2", "target=e2, e3", "dice=4", "return=no", "return=no")
    field.fire("33", *answers, dice=[1] * 7)

    assert field.says("The NVA fires from d2 at e2 with 3 dice.") and field.says("The NVA fires from d2 at e3 with 4 dice.")


def test_6_1_mortars_lose_the_dice_of_over_stacking_too() -> None:
    """[7.4(2)] By the letter: of two dice one is left, of a single die none, and then nothing is fired."""
    # [6.1: fewer]
    field = Field(over_stacking="dice")
    field.put("b4", "1/Mtr/1/33", "1/1/1/33", "2/1/1/33", "3/1/1/33")
    field.put("d2", "1/A/2-7", "2/A/2-7", "3/A/2-7", "mtr/A/2-7")
    game = field.referee

    assert mortar_pool(game, "NVA", "b4", [field.piece("1/Mtr/1/33")], "e2", 0).dice == 1
    assert mortar_pool(game, "US", "d2", [field.piece("mtr/A/2-7")], "e2", 0).dice == 0
    clear(field)
    field.put("left", "1/Mtr/1/33", "1/1/1/33", "2/1/1/33", "3/1/1/33")
    field.put("d2", "1/A/2-7", "2/A/2-7", "3/A/2-7", "mtr/A/2-7", "co/A/2-7")
    field.put("d1", "1/6/8/66")
    field.fire("ab27", "combat=done")
    assert "mortar d2" not in [choice.value for request in field.asked if request.key == "combat" for choice in request.choices]


@pytest.mark.parametrize(("stack", "more"), [(12, 9), (14, 11), (20, 17)])
def test_6_1_each_unit_over_three_is_a_die(stack: int, more: int) -> None:
    """However many stand in LZ Columbus."""
    # [6.1: massed]
    assert Field().referee.dice_rules.massed_dice(stack) == more


# -- [6.5, 7.4, 7.6(1), 7.8] the map ---------------------------------------------------------------------------------------


def test_6_5_back_from_the_transition_area() -> None:
    """Ruling C-57: to the east edge, and nowhere else."""
    # [6.5: back]
    field = Field()
    field.put("transition", "1/6/8/66")

    with pytest.raises(Illegal, match=r"f3 is not on the east edge \[6.5\]"):
        field.go("66", "moves=1/6 > f3")
    field.go("66", "moves=1/6 > g3")
    assert field.at("1/6/8/66") == "g3"


def test_7_4_the_range_from_lz_columbus() -> None:
    """Ruling C-63: the Transition Area, an east edge area, and on: c2 is the sixth area, b2 the seventh."""
    # [7.4: range]
    field = Field(turn=7)
    field.put("columbus", "mtr/A/1-5")
    field.put("d2", "McDade")
    field.put("b2", "1/1/1/33")
    field.put("c2", "2/1/1/33")

    with pytest.raises(Illegal, match=r"b2 is more than six areas from LZ Columbus \[7.4\]"):
        field.fire("ab15", "officers=none", "combat=mortar columbus", "target=b2")
    field.fire("ab15", "officers=none", "combat=mortar columbus", "target=c2", dice=[1])


def test_7_4_an_unknown_range_is_asked_for_once() -> None:
    """On the owner's map; a player who answers that it is too far chooses again."""
    # [7.4: range]
    field = Field(map="own")
    field.put("hill", "1/Mtr/1/33", "1/1/1/33", "co/1/1/33")
    field.put("blue", "1/A/2-7")
    field.put("green", "2/A/2-7")
    field.flag(**{"los:blue hill": "yes", "los:green hill": "yes"})
    answers = ("combat=mortar hill", "target=blue", "range:blue hill=no", "target=green", "range:green hill=yes", "combat=done")
    field.fire("33", *answers, dice=[1, 1])

    assert field.says("blue is more than six areas from hill. Choose another target, or none. [7.4]")
    assert field.facts == {"range:blue hill": "no", "range:green hill": "yes"}


@pytest.mark.parametrize("chit", ["Gunships", "Skyraider"])
def test_7_6_1_unknown_neighbours_are_asked_for(chit: str) -> None:
    """[7.7] Next to a US platoon the target needs no officer."""
    field = Field(turn=6, map="own")
    field.put("x1", "1/A/2-7")
    field.put("x2", "1/1/1/33")
    if chit == "Gunships":
        field.chit(chit, "gunship=4/2", "target=1/1/1", "next:x2=x1, x3", dice=[1, 1, 1, 1, 1])
    else:
        field.chit(chit, "target=x2", "next:x2=x1, x3", "weapon=bombs", dice=[1] * 6 + [6], accept=True)
    assert field.facts["next:x2"] == "x1, x3"

    field = Field(turn=6, map="own")
    field.put("x1", "1/A/2-7")
    field.put("x2", "1/1/1/33")
    field.chit(chit, *(["gunship=4/2", "target=1/1/1"] if chit == "Gunships" else ["target=x2"]), "next:x2=x3", accept=True)
    assert not field.says("ice") or not field.says("Ground fire")


def test_6_5_no_gunship_attacks_in_the_transition_area() -> None:
    """[7.6(1)] No other weapon does; on an own map there is no question for a line of sight."""
    field = Field(turn=6, map="own")
    field.put("x1", "1/A/2-7", "co/A/2-7")
    field.put("x2", "1/1/1/33")
    field.put("transition", "1/6/8/66")
    field.flag(**{"next:x1": "x2"})

    with pytest.raises(Illegal, match=r"1/6/8/66 is in the Transition Area, and nobody attacks there \[6.5\]"):
        field.chit("Gunships", "gunship=4/2", "target=1/6/8/66")


def test_7_8_facts_of_the_practice_map_do_not_apply_to_the_owners_map() -> None:
    """What an officer in LZ Columbus sees is known there, and no fact is kept for other games."""
    field = Field(turn=6)
    field.put("columbus", "mtr/A/1-5", "co/A/1-5")
    field.put("g3", "1/1/1/33")
    field.fire("ab15")

    assert "spotter" not in field.asked_for()
    assert field.facts == {}


# -- [7.2, 7.3(6)] who is there --------------------------------------------------------------------------------------------


def test_7_2_officers_alone_dispute_no_area() -> None:
    """[5.4B, 7.2B] Ruling D-6: officers of either side hold no unit in place, and can leave again."""
    # [5.4B: guards] [7.2: platoons]
    field = Field()
    field.put("d2", "1/A/2-7", "co/1/1/33")
    field.put("d1", "1/6/8/66")
    field.put("columbus", "1/Art", "co/6/8/66")
    field.put("c2", "1/1/1/33", "co/C/2-7")
    game = field.referee

    assert not [area for area in ("d2", "columbus", "c2") if game.is_disputed(area)]
    field.fire("ab27", "combat=d2", "target=d1", "return=no", "combat=done", dice=[1, 1], accept=True)
    assert field.says("US fires from d2 at d1")
    field.go("cd27", "moves=co/C > d2")
    assert field.at("co/C/2-7") == "d2"
    field.put("columbus", "1/6/8/66", "co/A/1-5")
    field.chit("Artillery")
    assert field.says("nobody guards the artillery: it does not fire. [5.4B]")


def test_7_2_4_and_5_both_sides_may_leave_whichever_survives() -> None:
    """[7.2(5): left] The attacker may retreat after a success, and also if no defender is left."""
    # [7.2(4): left]
    field = Field()
    field.put("c2", "1/1/1/33")
    field.put("d2", "1/A/2-7", "2/A/2-7")
    field.go("33", "moves=1/1/1 > d2", "retreat=none", "retreat=1/1/1 > c2", dice=[1] * 9)
    field.put("c2", "1/1/1/33")
    field.put("d2", "1/A/2-7", "2/A/2-7")
    field.go("ab27", "moves=1/A 2/A > c2", "retreat=1/1/1 > c1", "retreat=1/A 2/A > d2", dice=[1] * 9)

    assert field.at("1/A/2-7") == field.at("2/A/2-7") == "d2"
    assert field.says("The melee in c2 is over.")
    field.put("d2", "1/1/1/33", hits=3)
    field.put("left", "2/A/2-7")
    field.go("33", "retreat=1/A > d1", dice=[1, 1, 6, 1, 1])
    assert (field.at("1/1/1/33"), field.at("1/A/2-7")) == ("eliminated", "d1")


def test_7_2_4_the_default_leaves_only_a_hopeless_melee() -> None:
    """The suggested answer of a defender: one platoon against three goes to a safe area, two against three stay."""
    field = Field()
    field.put("c2", "1/1/1/33", "2/1/1/33", "3/1/1/33")
    field.put("d2", "1/A/2-7")
    field.go("33", "moves=c2 > d2", dice=[1] * 12, accept=True)
    assert field.at("1/A/2-7") in ("e2", "e3", "d1")
    field = Field()
    field.put("c2", "1/1/1/33", "2/1/1/33", "3/1/1/33")
    field.put("d2", "1/A/2-7", "2/A/2-7")
    field.go("33", "moves=c2 > d2", dice=[1] * 15, accept=True)
    assert field.at("1/A/2-7") == "d2"


@pytest.mark.parametrize("hits", [1, 2, 3])
def test_7_2_4_a_hit_platoon_retreats_without_an_officer(hits: int) -> None:
    """[6.2A] Ruling C-66: out of a melee it goes, by a Move it does not."""
    # [7.2(4): hit]
    field = Field()
    field.put("d2", "1/1/1/33")
    field.put("d2", "1/A/2-7", hits=hits)
    field.go("33", "retreat=1/A > e2", "retreat=none", dice=[1] * (5 if hits == 3 else 6))
    assert field.at("1/A/2-7") == "e2"
    with pytest.raises(Illegal, match=r"with no officer of its own in e2 \[6.2A\]"):
        field.go("ab27", "moves=1/A > e3")


def test_7_2_artillery_does_not_retreat() -> None:
    """[6.2C]"""
    field = Field()
    field.put("columbus", "1/A/1-5", "1/Art")
    field.put("columbus", "1/1/1/33", hits=3)
    with pytest.raises(Exception, match="1/Art"):
        field.go("ab15", "retreat=1/Art > g3", dice=[6, 1, 1, 1, 1])


def test_7_3_6_units_that_fired_may_advance() -> None:
    """Of four platoons the two strongest, with the officers who took part; not an officer of another group."""
    # [7.3(6): fired]
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", "3/A/2-7", "4/A/2-7", "co/A/2-7", "co/C/2-7", "McDade")
    field.put("e2", "1/1/1/33", hits=3)
    field.fire("ab27", "combat=d2", "target=e2", "senior=yes", "advance=1/A, McDade", dice=[6, 1, 1, 1, 1, 1])

    offered = next([choice.value for choice in question.choices] for question in field.asked if question.key == "advance")
    assert offered == ["1/A/2-7", "2/A/2-7", "co/A/2-7", "McDade"]
    assert (field.at("McDade"), field.at("2/A/2-7")) == ("e2", "d2")


def test_7_3_6_an_officer_left_does_not_hold_an_area() -> None:
    field = Field()
    # [7.3(6): empty]
    field.put("d2", "1/A/2-7")
    field.put("e2", "co/1/1/33")
    field.put("e2", "1/1/1/33", hits=3)
    field.fire("ab27", "combat=d2", "target=e2", "advance=1/A", dice=[6, 1, 1])

    assert field.at("1/A/2-7") == "e2"


# -- [8, 9, 11] ------------------------------------------------------------------------------------------------------------


def test_8_1_the_own_hits_that_are_suggested_leave_no_wounded_marker() -> None:
    """A fresh platoon is reduced for 2 points before a reduced one is lost for 2 and its marker."""
    field = Field()
    field.put("e2", "2/A/2-7", hits=3)
    field.put("e2", "1/A/2-7", hits=2)
    field.put("e2", "1/1/1/33", "2/1/1/33")
    field.put("e2", "3/A/2-7", hits=3)
    wishes = field.game.referee(field.position, field.options).data.hit_values
    targets = [target_of(field.piece(name)) for name in ("2/A/2-7", "1/A/2-7")]
    assert targets[wishes.owner(targets)].name == "1/A/2-7"
    assert targets[wishes.shooter(targets)].name == "2/A/2-7"


def test_9_2_two_officers_rally_the_same_unit() -> None:
    """[9.2: both] Each one hit; a die does not come on top (ruling C-23)."""
    field = Field()
    field.flag(phase="rally")
    field.put("d2", "1/A/2-7", hits=2)
    field.put("d2", "co/A/2-7", "McDade")
    field.put("c2", "1/1/1/33", hits=2)
    field.put("c2", "co/1/1/33")
    field.do("rally")

    assert (field.hits("1/A/2-7"), field.hits("1/1/1/33")) == (0, 1)
    assert field.says("No NVA unit rolls to rally.")


def test_11_2_the_track_says_how_many_flares_are_left() -> None:
    """A corrected track counts, wherever the counters lie."""
    field = Field(turn=9)
    field.set(flares=1)
    field.put("d2", "1/A/2-7")
    field.put("e2", "1/1/1/33")
    with pytest.raises(Illegal, match=r"2 flares, and this chit lights 1 at most \[11.2\]"):
        field.fire("ab27", "flares=e2, d1")
    field.fire("ab27", "flares=e2", "combat=done")
    assert field.track("flares") == 0
    field.fire("ab27", "combat=done")
    assert "flares" not in field.asked_for()


def test_5_6_the_visibility_chit_is_cited_by_its_own_rule() -> None:
    field = Field(turn=5)
    field.pool("Visibility", "Artillery")
    field.do("chit", draws=["Visibility"])

    assert [event.rule for event in field.events if type(event).__name__ == "PieceMoved"] == ["5.6"]


def test_7_3_4_a_described_fight_checks_the_officer() -> None:
    """Ruling C-11, at a table of forces that are only described."""
    field = Field()
    answers = ("side=US", "attacker=2-3, 2-3", "officers=0", "defender=2-3", "enemy_officers=1", "jungle=no", "home_jungle=no")
    field.do("firefight", *answers, dice=[6, 1, 1, 1, 6, 1, 1], accept=True)

    assert field.says("Officer check")


def test_6_1_six_platoons_are_not_asked_to_fire_at_unknown_terrain() -> None:
    """[7.3(2), 7.3(5)] None of six may fire, nor answer, whatever the ground is; with five one may, and its target's is asked."""
    # [6.1: fewer]
    field = Field(map="own")
    field.flag(**{"next:hill": "ridge"})
    field.put("hill", "1/A/2-7", "2/A/2-7", "3/A/2-7", "mtr/A/2-7", "1/B/2-7", "2/B/2-7")
    field.put("ridge", "1/1/1/33")
    field.fire("ab27")
    assert "combat" not in field.asked_for()
    field.fire("33", "combat=ridge", "target=hill", "area:hill=sawgrass", dice=[1] * 5)
    assert "return" not in field.asked_for() and "area:ridge" not in field.asked_for()
    field.put("out", "2/B/2-7")
    field.fire("ab27", "combat=hill", "target=ridge", "area:ridge=sawgrass", "return=no", dice=[1, 1])


# -- [5.2D, 6.4, 6.5] officers and places ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("units", "asked", "dice"), [(3, True, 14), (4, True, 12), (5, False, 9), (6, False, 6)])
def test_5_2_d_a_senior_is_not_spent_in_an_over_stacked_melee(units: int, asked: bool, dice: int) -> None:
    """[6.1, 10.3] [5.2D: needed] Of four two fight, of five one, and that one has the company's officer."""
    field = Field()
    field.put("e2", *[f"{number}/A/2-7" for number in (1, 2, 3)], "mtr/A/2-7", "co/A/2-7", "McDade", "1/1/1/33")
    field.put("e2", "1/B/2-7", "2/B/2-7")
    for name in ("2/B/2-7", "1/B/2-7", "mtr/A/2-7")[: 6 - units]:
        field.change(name, place="out")
    field.fire("ab27", *(["senior=yes"] if asked else []), accept=True, dice=[1] * dice)
    assert ("senior" in field.asked_for()) is asked
    assert bool(field.piece("McDade").marks.get("acts")) is asked


def test_6_5_an_officer_who_cannot_leave_lz_columbus_is_not_asked() -> None:
    """[10.1] [6.5: shut] Alone with NVA platoons there no answer could be given; without them he goes."""
    field = Field()
    field.put("columbus", "co/A/1-5", "1/1/1/33")
    field.chit("Artillery")
    assert "officers" not in field.asked_for()
    field.put("d1", "1/1/1/33")
    field.chit("Artillery", "officers=co/A > g3")
    assert field.at("co/A/1-5") == "g3"

"""Questions: useless choices are not offered, free ones can be given in advance, and the right side is asked."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.core.procedures import Procedure
from companion.core.requests import Request
from companion.games.lzalbany.referee import AlbanyReferee
from companion.games.lzalbany.rules.r07_fire import FireOptions
from companion.games.lzalbany.rules.r08_hits import NO_OFFICER, take_hits
from tests.games.lzalbany.field import Field
from tests.support.players import seat


def question(field: Field, key: str) -> Request[object]:
    return next(request for request in field.asked if request.key == key)


def offered(field: Field, key: str) -> list[str]:
    return [choice.value for choice in question(field, key).legal_choices()]


def asked(field: Field) -> list[str]:
    return field.asked_for()


# -- [7.8] sight -----------------------------------------------------------------------------------------------------------


def test_7_8_unseen_areas_are_not_offered() -> None:
    """[7.4(1), 7.5(1), 7.6(1), 7.7] On an entered map; there is no question for a mortar without a spotter."""
    field = Field()
    field.put("columbus", "1/Art")
    field.put("d2", "co/A/2-7")
    field.put("d1", "1/1/1/33")
    field.put("a5", "1/6/8/66")
    field.chit("Artillery", "officers=none", "target=none")
    assert offered(field, "target") == ["d1", "none"]
    field = Field()
    field.put("d2", "1/A/2-7")
    field.put("b4", "1/Mtr/1/33")
    field.fire("33", "combat=done")
    assert "combat" not in asked(field)


def test_7_8_a_target_that_proves_unseen_is_chosen_again() -> None:
    """[7.8] On an own map: the answer that no officer sees it is kept, and the question comes without that area."""
    field = Field(map="own")
    field.put("hill", "1/Mtr/1/33")
    field.put("red", "co/1/1/33")
    field.put("blue", "1/A/2-7")
    field.put("green", "2/A/2-7")
    field.facts |= {"range:blue hill": "yes", "range:green hill": "yes"}
    answers = ("officers=none", "combat=mortar hill", "target=blue", "spotter=none", "target=green", "spotter=red")
    field.fire("33", *answers, dice=[1, 1])
    assert field.says("No NVA officer sees blue. Choose another target, or none. [7.8]")
    assert {name: value for name, value in field.facts.items() if name.startswith("los")} == {
        "los:blue red": "no",
        "los:green red": "yes",
    }


@pytest.mark.parametrize(("chit", "area"), [("Artillery", "d1"), ("Skyraider", "transition")])
def test_7_5_a_target_that_is_not_offered_is_refused(chit: str, area: str) -> None:
    """[7.5(1), 7.7] An officer alone is no target of artillery, nor is the Transition Area one of the Skyraider."""
    # [7.5(1): units]
    field = Field()
    field.put("columbus", "1/Art")
    field.put("g3", "co/A/2-7")
    field.put("d2", "co/B/2-7")
    field.put("d1", "co/1/1/33")
    field.put("e2", "1/1/1/33")
    field.put("g4", "2/1/1/33")
    field.put("transition", "1/6/8/66")
    with pytest.raises(Illegal, match="no NVA platoon is in"):
        field.chit(chit, "officers=none", f"target={area}")


@pytest.mark.parametrize(("chit", "suggested"), [("Artillery", "d1"), ("Gunships", "2/1/1/33"), ("Skyraider", "d1")])
def test_support_is_suggested_at_a_target_in_sight(chit: str, suggested: str) -> None:
    """[7.5(1), 7.6(1), 7.7] Most platoons, or most hits of one; `none` would throw the chit away."""
    field = Field(turn=6, facts={"gunship": "4/2"})
    field.put("columbus", "1/Art")
    field.put("d2", "1/A/2-7", "co/A/2-7")
    field.put("d1", "1/1/1/33", "3/1/1/33")
    field.put("d1", "2/1/1/33", hits=2)
    field.put("e2", "1/6/8/66")
    field.chit(chit, "target=none")
    assert [request.suggest for request in field.asked if request.key == "target"] == [suggested]


def test_7_8_fire_that_perhaps_nobody_sees_is_not_suggested() -> None:
    """[7.4, 7.8] On a map without lines of sight a Fire of mortars alone is the player's choice, and done needs an answer."""
    field = Field(map="own", facts={"range:blue hill": "yes"})
    field.put("hill", "1/Mtr/1/33", "co/1/1/33")
    field.put("blue", "1/A/2-7")
    field.chit("NVA Fire/Move", "moves=none", accept=True)
    assert [request.suggest for request in field.asked if request.key == "action"] == ["move"]
    field.fire("33", "combat=done")
    assert [request.suggest for request in field.asked if request.key == "combat"] == [None]
    field.facts["los:blue hill"] = "yes"
    field.flag(**{"los:blue hill": "yes"})
    field.fire("33", "combat=done")
    assert [request.suggest for request in field.asked if request.key == "combat"] == ["mortar hill > blue"]


@pytest.mark.parametrize(("beside", "action", "combat"), [("", "move", None), ("yes", "fire", "hill > blue")])
def test_7_3_fire_at_an_area_that_is_perhaps_not_adjacent_is_not_suggested(beside: str, action: str, combat: str | None) -> None:
    """[7.3] It can be typed; known to be next to the platoon, the area is suggested."""
    facts = {"area:hill": "sawgrass", "area:blue": "sawgrass", **({"beside:blue hill": beside} if beside else {})}
    field = Field(facts=facts, map="own")
    field.put("hill", "1/A/2-7")
    field.put("blue", "1/1/1/33")
    field.chit("US Fire/Move", "combat=done" if beside else "moves=none", accept=True)
    assert [request.suggest for request in field.asked if request.key == "action"] == [action]
    field.fire("ab27", "combat=done")
    assert [request.suggest for request in field.asked if request.key == "combat"] == [combat]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_suggestions_have_an_effect_on_an_entered_map(seed: int) -> None:
    """[7.4, 7.8] Areas and their neighbours are entered, lines of sight are not."""
    from tests.every_game.test_suggestions import wasted

    player = seat("lzalbany", seed, map="own")
    faults: set[tuple[str, str, str]] = set()
    for _ in range(40):
        for action in player.game.actions:
            if not action.look and not action.alone and action.obstacle(player.position) is None:
                faults |= set(wasted(player, action))
        player.turn()
    assert sorted(faults) == []


# -- dice ------------------------------------------------------------------------------------------------------------------


def test_7_3_no_dice_is_no_fire() -> None:
    """[7.3(3), 11.1B] A fresh platoon at night into jungle is refused, and a return without dice is not asked for."""
    field = Field(turn=9)
    field.put("e3", "1/A/2-7")
    field.put("d3", "1/1/1/33")
    field.fire("ab27", "flares=none", "combat=done")
    assert "combat" not in asked(field)
    field = Field(turn=9)
    field.put("d3", "1/A/2-7", "2/A/2-7", "3/A/2-7", "co/A/2-7")
    field.put("e3", "1/1/1/33", "2/1/1/33", "3/1/1/33")
    field.put("e3", "1/1/1/33", hits=3)
    for name in ("2/1/1/33", "3/1/1/33"):
        field.put("a5", name)
    field.fire("ab27", "flares=none", "combat=d3", "target=e3", dice=[1] * 6, accept=True)
    assert "return" not in asked(field)
    assert field.says("has no dice to return fire. [7.3(5)]")


def test_10_3_a_senior_is_not_asked_for_where_he_adds_nothing() -> None:
    """[10.3] One platoon with its own officer: McDade would be spent for nothing."""
    field = Field(seed="1")
    field.put("d2", "1/A/2-7", "co/A/2-7", "McDade")
    field.put("d1", "1/1/1/33")
    field.fire("ab27", "combat=d2", "target=d1", accept=True)
    assert "senior" not in asked(field)
    field = Field(seed="1")
    field.put("d2", "1/A/2-7", "2/A/2-7", "co/A/2-7", "McDade")
    field.put("d1", "1/1/1/33")
    field.fire("ab27", "combat=d2", "target=d1", accept=True)
    assert "senior" in asked(field)


def test_7_3_5_return_fire_can_be_given_always() -> None:
    """[7.3(5)] It costs nothing: one option for the session."""
    field = Field(seed="1", answer_fire="always")
    field.put("d2", "1/A/2-7")
    field.put("d1", "1/1/1/33")
    field.fire("ab27", "combat=d2", "target=d1", accept=True)
    assert "return" not in asked(field)
    assert field.says("NVA fires from d1")


def test_5_2_a_group_and_its_action_are_one_answer() -> None:
    """[5.2, 5.2A] Or two, where the group is named alone."""
    for answers in (["group=33 move"], ["group=33", "action=move"]):
        field = Field()
        field.put("b2", "1/1/1/33")
        field.put("c2", "1/6/8/66")
        field.chit("NVA Fire/Move", *answers, "moves=1/1 > b3")
        assert field.at("1/1/1/33") == "b3"


def test_5_2_e_a_fire_of_the_nva_in_retreat_is_refused_with_its_group() -> None:
    """[5.2E] Its chits are Moves, in one answer as in two."""
    field = Field()
    field.put("b2", "1/1/1/33")
    field.put("c2", "1/6/8/66")
    field.flag(retreat=True)
    for answers in (["group=33", "action=fire"], ["group=33 fire"]):
        with pytest.raises(Illegal, match=r"5\.2E"):
            field.chit("NVA Fire/Move", *answers)
    field.chit("NVA Fire/Move", "group=33 fire", "combat=done", anyway=True, accept=True)
    assert field.says("track of 33 (1, Mtr, HQ): Fire") or field.position.count("box 33 fire") == 1


def test_7_3_1_origin_and_target_are_one_answer() -> None:
    """[7.3(1)] Each area with each target; the area alone is asked for its targets, of which it may have several."""
    field = Field(seed="1", answer_fire="always")
    field.put("d2", "1/A/2-7", "2/A/2-7")
    field.put("d1", "1/1/1/33")
    field.put("c2", "1/6/8/66")
    odds = FireOptions(field.referee, "ab27", set(), set()).odds(field.referee, "US", {})
    assert [head for head, _ in odds.sections if "dice" in head] == ["d2 > c2: Hits (2 dice)", "d2 > d1: Hits (4 dice)"]
    field.fire("ab27", "combat=d2 > c2", accept=True)
    assert field.says("US fires from d2 at c2") and "target" not in asked(field)
    request = next(question for question in field.asked if question.key == "combat")
    assert [choice.value for choice in request.legal_choices()] == ["d2 > c2", "d2 > d1", "done"] and request.odds is not None
    field = Field(seed="1", answer_fire="always")
    field.put("d2", "1/A/2-7", "2/A/2-7")
    field.put("d1", "1/1/1/33")
    field.put("c2", "1/6/8/66")
    field.fire("ab27", "combat=d2", "target=c2, d1", "dice=2", accept=True)
    assert field.says("US fires from d2 at d1")


def test_7_4_mortars_and_their_target_are_one_answer_() -> None:
    """[7.4(1)] As for infantry."""
    field = Field(seed="1")
    field.put("d2", "mtr/A/2-7", "co/A/2-7")
    field.put("d1", "1/1/1/33")
    field.fire("ab27", "combat=mortar d2 > d1", accept=True)
    assert field.says("Mortars fire at d1") and "target" not in asked(field)


def hits_in_d2(field: Field, count: int, *answers: str) -> list[str]:
    """Hits of the NVA on everybody there; the questions that a player is asked about them."""

    def strike(game: AlbanyReferee) -> Procedure[int]:
        return take_hits(game, "NVA", game.pieces("d2", "US"), count, "7.3(4)", "fire", NO_OFFICER)

    field.play(strike, answers, accept=True)
    return [request.key for request in field.asked if request.forced_reply() is None]


def test_8_1_equivalent_targets_are_not_asked_about() -> None:
    """[8.1] Nothing but a label tells them apart; a strength, a hit or a marker does, and two hits can lie in two ways."""
    for second, marks, asks in (
        ("2/A/2-7", {}, 0),
        ("4/A/2-7", {}, 1),
        ("2/A/2-7", {"hits": 1}, 1),
        ("2/A/2-7", {"incident": "no move"}, 1),
    ):
        field = Field()
        field.put("d2", "1/A/2-7", second, "co/A/2-7")
        field.change(second, marks=marks)
        assert len(hits_in_d2(field, 1)) == asks
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7")
    hits_in_d2(field, 1, "first_hit=2/A")
    assert (field.hits("1/A/2-7"), field.hits("2/A/2-7")) == (0, 1)
    field.put("d2", "2/A/2-7")
    assert hits_in_d2(field, 3) == ["hit"]


def test_8_1_hits_can_be_placed_where_they_are_suggested() -> None:
    """[8.1] One option for the session."""
    field = Field(placing="suggested")
    field.put("d2", "1/A/2-7", "4/A/2-7", "co/A/2-7")
    assert hits_in_d2(field, 3) == [] and field.hits("1/A/2-7") + field.hits("4/A/2-7") == 3


def test_7_2_units_without_a_retreat_are_not_asked_where() -> None:
    """[6.5, 7.2(4)] The US in LZ Columbus with the NVA there."""
    field = Field()
    field.put("columbus", "1/A/1-5", "1/1/1/33")
    field.go("ab15", "retreat=none", dice=[1, 1, 1, 1, 1, 1])
    assert asked(field).count("retreat") == 1
    assert field.says("US units do not leave LZ Columbus while NVA are there. [6.5]")


def test_7_2_the_only_melee_is_not_chosen() -> None:
    """[7.2] With nothing else to fire it is fought at once, also after "done" (ruling D-4)."""
    field = Field()
    field.put("d2", "1/A/2-7", "1/1/1/33")
    field.fire("ab27", dice=[1] * 6, accept=True)
    assert "combat" not in asked(field)
    assert field.says("Melee in d2")


def test_5_2_groups_without_counters_are_not_offered() -> None:
    """[5.2, 5.3] Nor can they act twice."""
    field = Field()
    field.put("d1", "1/1/1/33")
    field.chit("NVA Fire/Move", "group=33", "action=move", "moves=none")
    assert offered(field, "action") == ["fire", "move"]
    assert "group" not in [request.key for request in field.asked if request.forced_reply() is None]


@pytest.mark.parametrize(("face", "index"), [(11, 0), (15, 0), (16, 1), (65, 6)])
def test_7_5_4_one_of_seven_areas_is_picked_with_two_dice(face: int, index: int) -> None:
    """[7.5(4)] A d6 has no seven: two dice in order, five throws each, and only the last throw of all is made again."""
    field = Field()
    field.put("columbus", "1/Art")
    field.put("d2", "co/A/2-7")
    names = ["1/1/1/33", "2/1/1/33", "3/1/1/33", "1/6/8/66", "2/6/8/66", "3/6/8/66", "1/7/8/66"]
    field.put("d1", *names)
    field.chit("Artillery", "officers=none", "target=d1", dice=[3, 6, 1, 1, 1, 6, 6, face // 10, face % 10])
    assert [name for name in names if field.hits(name)] == [names[index]]


# -- the opponent ----------------------------------------------------------------------------------------------------------


def test_3_1_the_opponent_acts_at_once() -> None:
    """[3.1] With that option its plans need no confirmation, nor does its extra move [3.5]."""
    field = Field(seed="1", nva="companion", opponent="at_once")
    field.put("d2", "1/A/2-7")
    field.put("d1", "1/1/1/33", "2/1/1/33", "3/1/1/33")
    field.chit("NVA Fire/Move", accept=True)
    assert not {"plan", "target", "moves", "combat"} & set(asked(field))


def test_3_5_an_extra_move_of_the_opponent_is_its_own() -> None:
    """[3.5] It is proposed, and only confirmed by the player."""
    field = Field(turn=2, facts={"choi:us-1": "move"}, nva="companion", opponent="at_once")
    field.flag(phase="event")
    field.put("d2", "1/A/2-7")
    field.put("b2", "1/1/1/33")
    field.do("event", dice=[1, 6], accept=True)
    assert "event_moves" not in asked(field)

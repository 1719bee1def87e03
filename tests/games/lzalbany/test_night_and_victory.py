"""[11.0, 4.0, 3.5] Night, victory, events."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Unreadable
from companion.core.events import TrackMoved
from companion.games.lzalbany.notation import read_effect
from companion.games.lzalbany.rules.r02_map import spotted
from companion.games.lzalbany.rules.r03_turn import take_effect
from companion.games.lzalbany.rules.r04_victory import control
from tests.games.lzalbany.field import Field


def night(turn: int = 9, **options: str) -> Field:
    field = Field(turn=turn, **options)
    field.put("d2", "1/A/2-7", "2/A/2-7", "co/A/2-7")
    field.put("e2", "1/1/1/33")
    return field


def test_attacks_at_night_have_one_die_less() -> None:
    """[11.0, 11.1, 11.1B] Both ways (ruling C-44)."""
    # [11.1B: die]
    field = night()

    field.fire("ab27", "flares=none", "combat=d2", "target=e2", "return=yes", dice=[1] * 5)

    assert field.says("The US fires from d2 at e2 with 4 dice.")
    assert field.says("The NVA fires from e2 at d2 with 1 die.")


def test_flares_cancel_night_effects_for_one_action() -> None:
    """[11.2] For both sides; the marker stays, the number goes down."""
    # [11.1: flare] [11.1B: die]
    field = night()

    field.fire("ab27", "flares=e2", "combat=d2", "target=e2", "return=yes", dice=[1] * 7)

    assert field.says("The US fires from d2 at e2 with 5 dice.")
    assert field.says("The NVA fires from e2 at d2 with 2 dice.")
    assert (field.track("flares"), len(field.position.at("flare track"))) == (7, 7)
    field.fire("ab27", "flares=none", "combat=d2", "target=e2", "return=no", dice=[1] * 4)


@pytest.mark.parametrize(("lit", "shot", "answer"), [("e2", 5, 2), ("d2", 5, 2), ("d1", 4, 1)])
def test_11_2_a_flare_lights_a_combat_for_both_sides(lit: str, shot: int, answer: int) -> None:
    """[11.2: both] At the target or where the fire comes from; an area beside it lights nothing."""
    field = night()

    field.fire("ab27", f"flares={lit}", "combat=d2", "target=e2", "return=yes", dice=[1] * (shot + answer))

    assert field.says(f"The US fires from d2 at e2 with {shot} dice.")
    assert field.says(f"The NVA fires from e2 at d2 with {answer} di")


@pytest.mark.parametrize(("lit", "dice"), [("e2", 2), ("d2", 1)])
def test_11_2_a_flare_over_the_target_lights_mortar_fire(lit: str, dice: int) -> None:
    """[11.2, 11.1B] Not one over the mortars (ruling C-70)."""
    # [11.2: mortars]
    field = Field(turn=9)
    field.put("d2", "co/A/2-7", "mtr/A/2-7", "mtr/B/2-7")
    field.put("e2", "1/1/1/33")

    field.fire("ab27", f"flares={lit}", "combat=mortar d2 > e2", dice=[1] * dice)

    assert field.says(f"Mortars fire at e2 with {dice} di")


def test_flares_are_bounded() -> None:
    """[11.2, 10.3] Two with a chit, in or next to an area with US units or officers."""
    # [10.3: flare] [11.2: two, near]
    with pytest.raises(Illegal, match=r"3 flares, and this chit lights 2 at most \[11.2\]"):
        night().fire("ab27", "flares=d2, e2, e3")
    with pytest.raises(Illegal, match=r"no US unit or officer is in or next to g5 \[11.2\]"):
        night().fire("ab27", "flares=g5")
    with pytest.raises(Unreadable, match="no area 'z9'"):
        night().fire("ab27", "flares=z9")


def test_11_2_a_flare_is_used_once_and_with_us_fire_move_chits_of_the_night_only() -> None:
    """[11.2] No question by day, nor with no flare left; two of two are the last."""
    # [3.8: flares] [11.2: two, once]
    field = night(turn=8)
    field.go("ab27", "moves=none")
    assert "flares" not in field.asked_for()
    field = night()
    for number in range(1, 7):
        field.change(f"Flare {number}", place="flares used")
    field.set(flares=2)
    field.go("ab27", "flares=e2, d1", "moves=none")
    assert {field.at("Flare 7"), field.at("Flare 8")} == {"e2", "d1"}
    field.go("ab27", "moves=none")
    assert "flares" not in field.asked_for()


def test_11_2_a_flare_lights_one_action_only() -> None:
    """[11.2] The next chit finds the area dark again, although the marker is there till the Administrative Phase."""
    # [11.2: action]
    field = night()
    field.fire("ab27", "flares=e2", "combat=d2", "target=e2", "return=no", dice=[1] * 5)
    assert field.says("The US fires from d2 at e2 with 5 dice.")
    field.fire("ab27", "flares=none", "combat=d2", "target=e2", "return=no", dice=[1] * 4)
    assert field.says("The US fires from d2 at e2 with 4 dice.")
    assert len([piece for piece in field.position.at("e2") if piece.kind == "flare"]) == 1


@pytest.mark.parametrize(("burn", "dice"), [("first", 4), ("both", 5)])
def test_11_2_flares_and_the_two_actions_of_adrenaline(burn: str, dice: int) -> None:
    """[11.2, 5.3] Ruling C-68: dark again in the second action, unless it is switched."""
    # [11.2: adrenaline]
    field = night(flare_actions=burn)
    field.pool("US Fire/Move", "Visibility")
    field.change("US Adrenaline", place="box us adrenaline")
    field.box("ab27")
    fire = ("combat=d2", "target=e2", "return=no")

    answers = ("flares=e2", "group=ab27", "action=fire", "adrenaline=yes", *fire, "second=fire", *fire)
    field.do("chit", *answers, draws=["US Fire"], dice=[1] * (5 + dice))

    fired = [line for line in field.said if line.startswith("The US fires")]
    assert fired == ["The US fires from d2 at e2 with 5 dice. [7.3(2)]", f"The US fires from d2 at e2 with {dice} dice. [7.3(2)]"]


def test_nva_chits_bring_no_flares() -> None:
    """[11.2] Ruling C-45."""
    # [11.2: two]
    field = night()
    field.fire("33", "combat=e2", "target=d2", "return=no", dice=[1])

    assert "flares" not in [question.key for question in field.asked]


def test_sight_at_night() -> None:
    """[11.1A] Adjacent areas only."""
    # [11.1A: adjacent]
    field = Field(turn=8)
    field.put("d2", "co/A/2-7")
    for turn, seen in ((8, True), (9, False)):
        field.set(turn=turn)
        referee = field.game.referee(field.position, field.options)
        assert field.ask(referee, lambda game: spotted(game, "US", "f2", "7.8"), (), (), (), False, False) is seen


def test_11_1_a_a_flare_gives_the_sight_of_the_day() -> None:
    """[11.1A, 11.2] Two areas away a mortar has no spotter at night, and one under a flare."""
    # [11.1A: adjacent]
    field = Field(turn=9)
    field.put("d2", "co/A/2-7", "mtr/A/2-7")
    field.put("f2", "1/1/1/33")
    field.put("e2", "1/A/2-7")
    field.put("e2", "mtr/B/2-7")

    field.fire("ab27", "flares=none", "combat=e2", "target=f2", "return=no", dice=[1])
    assert not field.says("Mortars")
    field.fire("ab27", "flares=f2", "combat=mortar d2", "target=f2", "combat=done", dice=[1])
    assert field.says("Mortars fire at f2 with 1 die (mtr/A/2-7).")


def test_no_air_and_no_artillery_at_night() -> None:
    """[11.1C] Dust Off is no attack (ruling D-10)."""
    # [11.1C: dustoff]
    field = night()
    field.put("columbus", "1/Art")
    field.wounded("d2")

    for chit in ("Artillery", "Gunships", "Skyraider"):
        field.chit(chit)
        assert field.says("[11.1C]")
    field.chit("Dust Off", "dustoff=evacuate", "area=d2", dice=[1])
    assert field.track("us_vp") == 2


@pytest.mark.parametrize(("face", "fought"), [(3, True), (4, False)])
def test_spotting_before_a_us_melee(face: int, fought: bool) -> None:
    """[11.1D] The dossier's T12; the NVA always finds."""
    # [11.1D: die, nva]
    field = night()
    answers = ["retreat=none", "retreat=none"] if fought else []

    field.go("ab27", "flares=none", "moves=1/A > e2", *answers, dice=[face, *([1] * 4 if fought else [])])

    assert field.says("Melee in e2") == fought
    if not fought:
        assert field.says("Put the Melee marker in e2.")
        field.go("33", "retreat=none", "retreat=none", dice=[1] * 4)
        assert field.says("Melee in e2: NVA 2 dice, US 2 dice.")


def test_11_1_d_no_spotting_roll_by_day_or_under_a_flare() -> None:
    """[11.1D, 11.2] The melee is fought without a die, with all its dice."""
    # [11.1: flare] [11.1D: flare]
    for turn, answers in ((9, ["flares=e2"]), (8, [])):
        field = night(turn=turn)
        field.go("ab27", *answers, "moves=1/A > e2", dice=[1] * 6, accept=True)
        assert "spotting" not in field.asked_for()
        assert field.says("Melee in e2: US 3 dice, NVA 3 dice.")


def test_instant_victory_of_the_nva() -> None:
    """[4.2] At 35, in the midst of a fight, even in the retreat."""
    # [4.2: moment, retreat]
    field = night(turn=4)
    field.flag(retreat=True)
    field.set(nva_vp=33)
    field.put("d2", "1/A/2-7", hits=2)

    field.fire("ab27", "combat=d2", "target=e2", "return=yes", "first_hit=1/A", dice=[1] * 5 + [6, 1])

    assert field.game.over(field.position) == "the NVA has 35 VP and wins"
    assert field.game.score(field.position, field.options).verdict.startswith("NVA victory at once")


def test_4_2_thirty_four_points_are_not_enough() -> None:
    """[4.2] One short the game goes on; the next point ends it at once."""
    # [4.2: moment]
    field = night(turn=4)
    field.set(nva_vp=32)
    field.put("d2", "1/A/2-7", hits=2)
    fire = ("combat=e2", "target=d2", "first_hit=1/A")

    field.fire("33", *fire, "return=no", dice=[6, 1, 1])
    assert (field.track("nva_vp"), field.game.over(field.position)) == (34, "")
    field.fire("33", *fire, dice=[6, 1])
    assert field.game.over(field.position) == "the NVA has 35 VP and wins"


def test_the_count_is_itemised() -> None:
    """[4.1, 4.1A, 4.1B] Every item with its points, those of the end included."""
    field = Field()
    field.set(us_vp=5, nva_vp=4)
    field.flag(**{"vp:nva eliminated": 4, "vp:nva reduced": 1, "vp:us reduced": 4})
    field.wounded("d2")
    field.put("albany", "1/A/2-7")

    score = field.game.score(field.position, field.options)

    assert [(label, points) for label, points, _ in score.items] == [
        ("US: NVA units eliminated", 4),
        ("US: NVA units reduced", 1),
        ("US: US controls LZ Albany", 2),
        ("NVA: US units reduced", -4),
        ("NVA: Wounded left on the map", -1),
    ]
    assert (score.total, score.verdict) == (2, "US victory (US 7, NVA 5)")


def test_control_of_lz_albany() -> None:
    """[4.1C] By fire strength, then melee (ruling C-28, with its switch)."""
    # [4.1C: most]
    field = Field()
    assert control(field.position, False) == ""
    field.put("albany", "1/A/2-7", "1/1/1/33", "co/A/2-7")
    assert control(field.position, False) == ""
    field.put("albany", "1/A/2-7", hits=3)
    assert control(field.position, False) == "NVA"
    field.put("d2", "1/A/2-7")
    field.put("albany", "at/D/2-7")
    assert (control(field.position, False), control(field.position, True)) == ("US", "NVA")


def test_the_end_of_turn_ten() -> None:
    """[3.8, 4.1C, 4.3] Control and the wounded are counted; a tie is broken by LZ Albany, then by officers."""
    # [3.8: last] [4.3: control, officers]
    field = Field(turn=10)
    field.flag(phase="administrative")
    field.put("albany", "1/A/2-7")
    field.wounded("d2")
    field.set(us_vp=3, nva_vp=4)
    field.flag(**{"vp:nva reduced": 3, "vp:us reduced": 4})

    field.do("admin")

    assert (field.track("us_vp"), field.track("nva_vp")) == (5, 5)
    assert field.says("US victory by control of LZ Albany (US 5, NVA 5). [4.3]")
    assert any("US controls LZ Albany" in event.why for event in field.events if isinstance(event, TrackMoved))
    field.change("1/A/2-7", place="d2")
    field.change("co/A/2-7", face="wounded")
    assert field.game.score(field.position, field.options).verdict == "NVA victory by fewer officer casualties (US 5, NVA 5)"
    field.change("co/A/2-7", face="front")
    assert field.game.score(field.position, field.options).verdict == "Draw (US 5, NVA 5)"


def test_4_1_b_only_wounded_that_are_left_on_the_map_count() -> None:
    """[4.1B, 4.1C] One each at the end, none before it; who was flown out or destroyed does not; nor does LZ Albany before."""
    # [4.1: control] [4.1B: left] [4.1C: end]
    field = Field(turn=10)
    field.put("albany", "1/A/2-7")
    for place, number in (("d2", 1), ("e2", 2), ("evacuated", 3), ("dead", 4)):
        field.wounded(place, f"{number}/C/2-7")
    field.go("ab27", "flares=none", "moves=none")
    assert (field.track("us_vp"), field.track("nva_vp")) == (0, 0)
    field.flag(phase="administrative")

    field.do("admin")

    assert (field.track("us_vp"), field.track("nva_vp")) == (2, 2)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("nofire", "nofire unit"),
        ("hit area 2: mortar shells", "hit area 2: mortar shells"),
        ("NONE", "none"),
        ("oth: draw again", "other: draw again"),
        ("move", "move"),
    ],
)
def test_results_of_the_choi_oi_table(text: str, read: str) -> None:
    """[3.5] As an owner copies them."""
    assert str(read_effect(text)) == read


@pytest.mark.parametrize("text", ["", "banana", "other", "hit 9"])
def test_results_that_cannot_be_read(text: str) -> None:
    """[3.5]"""
    with pytest.raises(Unreadable):
        read_effect(text)


def test_the_event_phase() -> None:
    """[3.5, 2.3] Both pick an enemy area and roll; the table is asked once for each result."""
    # [3.3: ambush] [3.5: each]
    field = Field(map="own")
    field.flag(phase="event")
    field.put("red", "1/A/2-7", "2/A/2-7")
    field.put("blue", "1/1/1/33")

    field.do("event", "event_area=blue", "choi:us-3=nomove", "event_area=red", "choi:nva-5=nofire area", dice=[3, 5])

    assert field.piece("1/1/1/33").marks == {"incident": "no move"}
    assert {field.piece(name).marks.get("incident") for name in ("1/A/2-7", "2/A/2-7")} == {"no fire"}
    assert field.position.flag("phase") == "action"
    assert "Incident markers" in field.game.banner(field.position, field.options).reminders[0]
    assert set(field.facts) == {"choi:us-3", "choi:nva-5"}


def test_effects_of_events() -> None:
    """[3.5] Hits, rally, casualties, an extra move, and results that the player carries out."""
    field = Field()
    field.put("e2", "1/1/1/33", "co/1/1/33")

    field.play(lambda game: take_effect(game, "US", "e2", read_effect("hit 2")))
    assert field.hits("1/1/1/33") == 2
    field.play(lambda game: take_effect(game, "US", "e2", read_effect("rally")))
    assert field.hits("1/1/1/33") == 1
    field.play(lambda game: take_effect(game, "US", "e2", read_effect("casualty")), dice=[6])
    assert field.piece("co/1/1/33").face == "wounded"
    field.put("e2", "co/1/1/33", "1/1/1/33")
    field.change("co/1/1/33", face="front")
    field.play(lambda game: take_effect(game, "US", "e2", read_effect("move")), ["event_moves=all > e1"])
    assert field.at("1/1/1/33") == "e1"
    field.play(lambda game: take_effect(game, "US", "e1", read_effect("other: all drink tea")))
    assert field.says("Do this by hand: all drink tea [3.5]")


def test_3_5_without_an_eligible_unit_an_event_is_not_carried_out() -> None:
    """[3.5] Nobody to rally; a unit with a hit there is one. An area without an enemy cannot be chosen."""
    # [3.5: enemy, eligible]
    field = Field(facts={"choi:us-1": "rally", "choi:nva-1": "none"})
    field.flag(phase="event")
    field.put("d2", "1/A/2-7")
    field.put("e2", "1/1/1/33")
    with pytest.raises(Illegal, match=r"no NVA platoon or unwounded officer is in e3 \[3.5\]"):
        field.do("event", "event_area=e3", dice=[1, 1])
    field.do("event", dice=[1, 1], accept=True)
    assert field.says("The event affects nobody. [3.5]")
    field.flag(phase="event")
    field.put("e2", "1/1/1/33", hits=1)
    field.do("event", dice=[1, 1], accept=True)
    assert field.hits("1/1/1/33") == 0

"""Odds, against computations that know nothing of the procedures."""

from __future__ import annotations

from itertools import product
from math import comb
from pathlib import Path
from shutil import copytree

import pytest

from companion.core.requests import Odds
from companion.games.lzalbany.rules.r06_movement import landing_odds
from companion.games.lzalbany.rules.r07_mortars import mortar_odds
from companion.games.lzalbany.rules.r07_support import artillery_odds, bomb_odds, napalm_odds
from tests.games.lzalbany.field import Field
from tests.games.lzalbany.test_support import guns


def binomial(dice: int, hits: int) -> float:
    return comb(dice, hits) * 5 ** (dice - hits) / 6**dice


def at_least(dice: int, hits: int) -> float:
    return sum(binomial(dice, number) for number in range(hits, dice + 1))


def section(odds: Odds, head: str) -> dict[str, float]:
    return dict(next(rows for title, rows in odds.sections if title.startswith(head)))


def test_hits_are_binomial() -> None:
    """[7.1] Six dice at a fresh unit: each number of hits that finds it, and eliminated on four."""
    odds = Field().odds("bombs", "units=2-3")

    assert section(odds, "Hits") == pytest.approx({**{str(hits): binomial(6, hits) for hits in range(4)}, "4": at_least(6, 4)})
    assert section(odds, "Target") == pytest.approx(
        {"NVA unit 1 reduced or worse": at_least(6, 3), "NVA unit 1 eliminated": at_least(6, 4)}
    )
    assert dict(odds.means)["hits"] == pytest.approx(sum(min(hits, 4) * binomial(6, hits) for hits in range(7)))


def test_the_cap_of_mortars() -> None:
    """[7.4(3)] Three dice at a unit with one hit: one more at most."""
    odds = Field().odds("mortar", "dice=3", "units=2-3/1")

    assert section(odds, "Hits") == pytest.approx({"0": binomial(3, 0), "1": at_least(3, 1)})


def test_friendly_fire_of_mortars() -> None:
    """[7.4(4), 7.4(5)] Two NVA dice at a disputed area: each hits one side or none; one officer is checked."""
    field = Field()
    field.put("b4", "1/Mtr/1/33")
    field.put("e2", "1/1/1/33", "1/C/2-7", "co/C/2-7")
    field.put("e2", "2/1/1/33", hits=2)
    odds = mortar_odds(field.referee, "NVA", "b4", [field.piece("1/Mtr/1/33")], "e2")
    (dice,) = {int(head.split("(")[1].split()[0]) for head, _ in odds.sections if head.startswith("Hits")}
    hit = checked = 0
    for faces in product(range(1, 7), repeat=dice):
        hit += 6 in faces
        checked += 6 in faces or 1 in faces

    assert section(odds, "Hits")["0"] == pytest.approx(1 - hit / 6**dice)
    assert section(odds, "Target")["co/C/2-7 is a casualty"] == pytest.approx(checked / 6**dice / 6)


@pytest.mark.parametrize("night", [False, True])
def test_melee_against_every_roll(night: bool) -> None:
    """[7.2, 11.1B, 11.1D] Two dice against three, each order of faces looked at: one unit a side, each with two hits already.
    At night each side has one die less, and half of all US attacks spot no enemy.
    """
    odds = Field().odds("melee", "side=US", "attacker=2-2/2", "defender=2-3/3", f"night={'yes' if night else 'no'}")
    killed = reduced = out = 0
    us_dice, nva_dice = (1, 2) if night else (2, 3)
    for faces in product(range(1, 7), repeat=us_dice + nva_dice):
        first, second = sum(face == 6 for face in faces[:us_dice]), sum(face == 6 for face in faces[us_dice:])
        killed += first >= 1
        reduced += second >= 1
        out += second >= 2
    every = 6 ** (us_dice + nva_dice) * (2 if night else 1)
    assert section(odds, "Defender")["NVA unit 1 eliminated"] == pytest.approx(killed / every)
    assert section(odds, "Defender")["no defending platoon left"] == pytest.approx(killed / every)
    assert section(odds, "Attacker")["US unit 1 reduced or worse"] == pytest.approx(reduced / every)
    assert section(odds, "Attacker")["US unit 1 eliminated"] == pytest.approx(out / every)


def test_return_fire_depends_on_the_survivors() -> None:
    """[7.3(5)] A unit at two hits: one hit reduces it from two dice to one, two hits silence it."""
    odds = Field().odds("fire", "side=US", "attacker=2-2, 1-1", "defender=2-3/2")
    expected = binomial(3, 0) * 2 / 6 + binomial(3, 1) * 1 / 6

    assert dict(odds.means)["hits by return fire"] == pytest.approx(expected)
    assert section(odds, "Target")["NVA unit 1 eliminated"] == pytest.approx(at_least(3, 2))


@pytest.mark.parametrize("checked", [True, False])
def test_officers_are_checked_in_the_odds_of_fire(checked: bool) -> None:
    """[7.3(4), 7.3(5), 10.3, 10.4] Any hit: a 6 wounds the officer, and the answer loses his die (ruling C-11, and switched)."""
    field = Field(fire_casualties="on" if checked else "off")
    odds = field.odds("fire", "side=US", "attacker=1-1", "defender=3-3", "enemy_officers=1")
    wounded = 1 / 6 * 1 / 6 if checked else 0

    assert section(odds, "Target").get("NVA officer 1 is a casualty", 0) == pytest.approx(wounded)
    assert dict(odds.means)["hits by return fire"] == pytest.approx(
        wounded * sum(min(h, 5) * binomial(3, h) for h in range(4)) + (1 - wounded) * sum(h * binomial(4, h) for h in range(5))
    )


def test_3_5_the_odds_of_fire_leave_out_units_that_may_not_fire() -> None:
    """[7.2A, 7.3(1)] A No Fire marker costs its unit's dice, a No Move marker none; no fire out of a melee or at a distance."""
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7")
    field.put("e2", "1/1/1/33")
    field.put("b3", "1/C/2-7", "2/1/1/33")
    for marker, dice in ((None, 4), ("no move", 4), ("no fire", 2), ("no fire or move", 2)):
        field.change("1/A/2-7", marks={"incident": marker} if marker else {})
        assert field.odds("fire", "area=d2", "target=e2").sections[0][0] == f"Hits ({dice} dice)"
    asked = {
        request.key: [choice.value for choice in request.legal_choices()] for request in field.asked if request.key != "side"
    }
    assert asked == {"area": ["d2", "e2", "described"], "target": ["e2"]}


def test_fire_divided_over_two_areas() -> None:
    """[7.3(2), 7.3(5)] Four dice, two at each area; the survivors of each return fire."""
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7")
    field.put("e2", "1/1/1/33", hits=3)
    field.put("d1", "2/1/1/33", hits=3)
    odds = field.odds("fire", "area=d2", "target=e2, d1")

    for area, name in (("e2", "1/1/1/33"), ("d1", "2/1/1/33")):
        assert section(odds, f"{area}: Target")[f"{name} eliminated"] == pytest.approx(at_least(2, 1))
        back = section(odds, f"{area}: Hits by return fire")
        assert back["0"] == pytest.approx(at_least(2, 1) + binomial(2, 0) * 5 / 6)


@pytest.mark.parametrize("guns_near", [1, 3])
def test_dust_off_under_fire(guns_near: int) -> None:
    """[6.3] Each NVA platoon next to the landing damages it on a 5 or 6, once; then it takes fewer of the wounded."""
    field = Field()
    for number in range(6):
        field.wounded("d2", f"{number}/C/2-7")
    field.put("e2", *[f"{number}/1/1/33" for number in range(1, guns_near + 1)])
    rows = field.game.tables.charts["terrain"]
    whole, hurt = (rows.number(field.referee.map.terrain("d2") or "", row) for row in ("dustoff", "damaged"))
    odds = landing_odds(field.referee, "d2")

    damaged = 1 - (4 / 6) ** guns_near
    assert section(odds, "Dust Off") == pytest.approx({"is damaged by ground fire": damaged})
    assert whole > hurt
    assert dict(odds.means)["wounded markers flown out"] == pytest.approx(whole * (1 - damaged) + hurt * damaged)


def test_odds_leave_out_units_that_have_fired() -> None:
    """[6.1, 7.3(2)] Of four units two fire: after the mortar one, with its officer."""
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", "3/A/2-7", "mtr/A/2-7", "co/A/2-7")
    field.put("e2", "1/1/1/33", "2/1/1/33")

    field.fire("ab27", "combat=mortar d2", "target=e2", "combat=d2", "target=e2", "return=no", dice=[1] * 4)

    request = [question for question in field.asked if question.key == "target"][-1]
    assert request.odds is not None
    assert request.odds().sections[0][0] == "e2: Hits (3 dice)"
    assert field.says("The US fires from d2 at e2 with 3 dice.")


def test_artillery_with_its_scatter() -> None:
    """[7.5(2), 7.5(4)] Off target on a 1; of three units each is as likely."""
    odds = Field().odds("artillery", "dice=4", "units=2-3/3, 2-3, 2-3")

    assert section(odds, "The fire falls") == pytest.approx({"off target": 1 / 6})
    assert section(odds, "Target")["NVA unit 1 eliminated"] == pytest.approx(5 / 18 * at_least(4, 1))
    assert section(odds, "Target")["NVA unit 3 eliminated"] == pytest.approx(5 / 18 * at_least(4, 4))


def test_artillery_endangers_its_own() -> None:
    """[7.5(2), 7.5(4), 7.5(5)] One in six comes down in one of the areas next to the target; a US unit is never reduced there."""
    field = guns()
    around = field.referee.map.listed_neighbours("e2") or ()
    odds = artillery_odds(field.referee, field.piece("1/Art"), "e2")

    hit = 1 / 6 / len(around) * at_least(4, 1)
    assert section(odds, "Next to it") == pytest.approx({"a US counter is hit": hit, "co/A/2-7 is a casualty": hit / 6})


def test_f34_bombs_and_napalm_endanger_their_own() -> None:
    """[7.7A(3), 7.7B(3)] Bombs hit one unit in one of the areas around on 6, napalm one counter in each area around on 6."""
    field = Field()
    field.put("d1", "1/1/1/33")
    field.put("d2", "1/A/2-7", "2/A/2-7")
    field.put("e2", "1/D/2-7")
    around = field.referee.map.listed_neighbours("d1") or ()
    assert {"d2", "e2"} <= set(around)
    assert section(bomb_odds(field.referee, "d1"), "Next to it") == pytest.approx({"a US counter is hit": 2 / len(around) / 6})
    assert section(napalm_odds(field.referee, "d1"), "Next to it") == pytest.approx({"a US counter is hit": 1 - (5 / 6) ** 2})


def test_f34_unknown_areas_around_are_named_as_left_out() -> None:
    """[7.7A(3)] On an own map whose neighbours have not been entered."""
    field = Field(map="own")
    field.put("red", "1/1/1/33")
    assert any("Without collateral damage" in note for note in bomb_odds(field.referee, "red").notes)


def test_f34_friendly_fire_has_rows() -> None:
    """[7.4(4)] A 1 of NVA mortars hits their own side in a disputed area."""
    field = Field()
    field.put("b4", "1/Mtr/1/33")
    field.put("e2", "1/1/1/33", "1/C/2-7")
    odds = mortar_odds(field.referee, "NVA", "b4", [field.piece("1/Mtr/1/33")], "e2")
    (dice,) = {int(head.split("(")[1].split()[0]) for head, _ in odds.sections if head.startswith("Hits")}
    assert section(odds, "Own side there") == pytest.approx({"an NVA counter is hit": at_least(dice, 1)})


def test_f34_a_melee_at_night_has_a_row_for_spotting() -> None:
    """[11.1D] A US attack finds the NVA on 1-3; either side may have no platoon left."""
    odds = Field().odds("melee", "side=US", "attacker=2-2/2", "defender=2-3/3", "night=yes")
    assert section(odds, "Spotting") == pytest.approx({"the US finds the NVA": 1 / 2})
    assert section(odds, "Attacker")["no attacking platoon left"] == section(odds, "Attacker")["US unit 1 eliminated"]


def test_a_massed_target_has_the_dice_of_play() -> None:
    """[6.1, 7.5(3)] Ruling C-38 switched: the odds tell of as many dice as are rolled."""
    for massed, dice in (("most", 4), ("all", 5)):
        field = guns(massed=massed)
        field.put("e2", "2/1/1/33", "3/1/1/33", "1/HQ/1/33")
        field.chit("Artillery", "target=e2", dice=[2, *[1] * dice])
        request = next(question for question in field.asked if question.key == "target")
        assert request.odds is not None
        assert section(request.odds(), f"e2: Hits ({dice} dice)")["0"] == pytest.approx(1 - 5 / 6 * at_least(dice, 1))


def test_a_chart_that_is_changed_is_changed_for_play_and_odds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """[7.5(2), 7.1] The meaning of a die is in one chart only."""
    folder = tmp_path / "tables"
    copytree(Path(__file__).parents[3] / "tables", folder)
    chart = folder / "lzalbany" / "charts" / "die.toml"
    text = chart.read_text(encoding="utf-8")
    chart.write_text(text.replace('"2" = ["-", "-", "on target"', '"2" = ["hit", "-", "off target"'), encoding="utf-8")
    monkeypatch.setenv("COMPANION_TABLES", str(folder))
    field = guns()
    odds = field.odds("artillery", "dice=4", "units=2-3/3")

    assert section(odds, "The fire falls") == pytest.approx({"off target": 2 / 6})
    assert section(odds, "Target")["NVA unit 1 eliminated"] == pytest.approx(4 / 6 * (1 - (4 / 6) ** 4))
    field.chit("Artillery", "target=e2", dice=[2, 4, 2, 6, 1, 1, 5])
    assert field.says("2, OFF TARGET.") and field.says("The fire shifts to d2.")
    assert field.hits("1/A/2-7") == 2


def test_gunship_with_its_damage() -> None:
    """[7.6(2), 7.6(3)] Two infantry units fire first; four dice whole, two damaged."""
    odds = Field().odds("gunship", "units=2-3/3, 2-3")
    damaged = 1 - (5 / 6) ** 2

    assert section(odds, "Gunship")["is damaged first"] == pytest.approx(damaged)
    assert section(odds, "Target")["NVA unit 1 eliminated"] == pytest.approx(
        damaged * at_least(2, 1) + (1 - damaged) * at_least(4, 1)
    )


def test_rally() -> None:
    """[9.1, 9.2] Three that roll and one helped."""
    odds = Field().odds("rally", "helped=1", "dice=3")

    assert section(odds, "Hits taken off") == pytest.approx({str(1 + hits): binomial(3, hits) for hits in range(4)})


def test_rally_of_the_session() -> None:
    """[9.1, 9.2] Two units beside their officer and one away from him."""
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", hits=1)
    field.put("d2", "co/A/2-7")
    field.put("e2", "1/C/2-7", hits=2)

    odds = field.odds("rally", "side=US")
    assert section(odds, "Hits taken off") == pytest.approx({str(1 + hits): binomial(2, hits) for hits in range(3)})


def test_the_other_situations() -> None:
    """[7.3, 7.2, 7.4, 7.7A] Of the session's areas, and described."""
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", "co/A/2-7")
    field.put("e2", "1/1/1/33")

    fire = field.odds("fire", "area=d2", "target=e2")
    assert "Hits (5 dice)" in [title for title, _ in fire.sections]
    described = field.odds("fire", "area=described", "side=US", "attacker=2-3, 2-3", "officers=1", "defender=2-3")
    assert section(described, "Hits") == pytest.approx({**{str(h): binomial(5, h) for h in range(4)}, "4": at_least(5, 4)})
    field.put("e2", "1/C/2-7")
    assert field.odds("melee", "area=e2", "side=US").sections[0][0] == "Hits of the attacker (3 dice)"
    assert [head for head, _ in field.odds("mortar", "dice=2", "units=2-3").sections] == ["Hits (2 dice)"]
    assert field.odds("mortar", "dice=2", "units=2-3, 2-3, 2-3, 2-3").sections[0][0] == "Hits (3 dice)"
    assert field.odds("bombs", "units=2-3, 2-3").sections[0][0] == "Hits (6 dice)"


def test_odds_stand_beside_the_commitments() -> None:
    """[7.3, 7.5, 7.6, 7.7, 6.2] Asked for at the prompt, before anything is rolled."""
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", "co/A/2-7")
    field.put("columbus", "1/Art")
    field.put("e2", "1/1/1/33", hits=3)
    for chit, key, answers, dice in (
        ("US Fire/Move", "target", ("group=ab27", "action=fire", "combat=d2", "target=e2", "advance=none"), [6, 1, 1, 1, 1]),
        ("US Fire/Move", "moves", ("group=ab27", "action=move", "moves=none"), []),
        ("Artillery", "target", ("target=none",), []),
        ("Gunships", "target", ("target=none",), []),
        ("Skyraider", "target", ("target=none",), []),
    ):
        if not field.position.at("e2"):
            field.put("e2", "1/1/1/33", hits=3)
        field.chit(chit, *answers, dice=dice)
        request = next(question for question in field.asked if question.key == key)
        assert request.odds is not None
        rows = [row for _, lines in request.odds().sections for row in lines]
        assert any("eliminated" in label or "left" in label for label, _ in rows), chit
        field.put("e2", "1/1/1/33", hits=3)


def test_a_described_fight_is_resolved_without_a_map() -> None:
    """[7.3, 7.2] With what was to be expected."""
    field = Field()
    described = ["side=US", "attacker=2-3, 2-3", "officers=1", "defender=2-3", "enemy_officers=0"]
    field.do(
        "firefight", *described, "jungle=no", "home_jungle=no", "return=yes", "first_hit=US unit 2", dice=[6, 6, 1, 1, 1, 6, 1, 6]
    )
    assert field.says("NVA unit 1 is at 2 hits.")
    assert field.says("US unit 2 is at 1 hit.")
    assert field.says("Officer check for US officer 1: 6, a casualty on 6. CASUALTY. [7.3(4)]")
    field.do("brawl", "side=US", "attacker=2-3", "officers=0", "defender=2-3/3", "enemy_officers=0", dice=[6, 1, 1, 1, 1, 1])
    assert field.says("NVA unit 1 is ELIMINATED.")

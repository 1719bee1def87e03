"""Each rule has one text: the planner's numbers follow charts, entered facts and ruling switches as the procedures do."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.core.events import Said
from companion.games.lzalbany.ai.planner import Planner
from companion.games.lzalbany.ai.valuation import valuation_of
from companion.games.lzalbany.rules.r04_victory import air_casualty_points
from companion.games.lzalbany.rules.r07_fire import FireOptions
from companion.games.lzalbany.rules.r07_support import GunshipStrength, artillery_dice, gunship_odds, gunships_chit
from companion.games.lzalbany.rules.r08_hits import Target
from tests.games.lzalbany.field import Field
from tests.support.checkout import ROOT

CLOSE = pytest.approx
GUNSHIP = GunshipStrength(4, 2)
Changed = Callable[..., Field]


@pytest.fixture
def changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Changed:
    """A field over tables in which one line of a chart is different."""

    def change(chart: str, old: str, new: str, turn: int = 3) -> Field:
        shutil.copytree(ROOT / "tables" / "lzalbany", tmp_path / "lzalbany")
        path = tmp_path / "lzalbany" / "charts" / f"{chart}.toml"
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new), encoding="utf-8")
        monkeypatch.setenv("COMPANION_TABLES", str(tmp_path))
        return Field(turn)

    return change


def strike(field: Field) -> Field:
    """A platoon of infantry in d3 and a mortar in e1, both next to the US."""
    field.put("d3", "1/1/1/33")
    field.put("e1", "1/Mtr/1/33")
    field.put("d2", "1/A/2-7", "co/A/2-7")
    return field


# -- the gunship -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "strength"), [("4/2", GUNSHIP), ("9/3", GunshipStrength(9, 3))])
def test_7_6_3_the_planner_reads_the_strength_that_was_entered(text: str, strength: GunshipStrength) -> None:
    """[7.6(3)] The value that is announced is that of the entered counter, not of the sample."""
    field = strike(Field(5, {"gunship": text}, us="companion", opponent="acts"))
    best = max(valuation_of(field.referee).gunship(field.piece(name), strength)[0] for name in ("1/1/1/33", "1/Mtr/1/33"))
    events = field.chit("Gunships", dice=[1] * strength.full, accept=True)

    announced = next(event for event in events if isinstance(event, Said) and " aims at " in event.text)
    assert f": {best:+.1f} VP" in announced.because[0]


def test_7_6_2_damage_follows_the_chart_of_the_die(changed: Changed) -> None:
    """[7.6(2)] Damage on 5 and 6, in the odds and in the planner's reason."""
    row = '"5" = ["-", "-", "on target", "-", "not spotted", "survives", "damaged", "-", "-", "-"]'
    field = strike(changed("die", row, row.replace('"damaged", "-"', '"damaged", "damaged"')))
    unit = field.piece("1/1/1/33")

    assert dict(gunship_odds(field.referee, unit, GUNSHIP).sections[0][1])["is damaged first"] == CLOSE(1 / 3)
    assert valuation_of(field.referee).gunship(unit, GUNSHIP)[1] == "33% to be damaged"


@pytest.mark.parametrize(("choice", "points"), [("damage", 2), ("never", 0)])
def test_4_1_b_damage_costs_what_it_scores(choice: str, points: int) -> None:
    """[4.1B, ruling C-19] The danger is weighed with the points of the chart, by the switch."""
    field = strike(Field(5, air_casualty=choice))
    free = strike(Field(5, air_casualty="never"))
    unit = field.piece("1/1/1/33")

    assert air_casualty_points(field.referee) == points
    values = [valuation_of(table.referee).gunship(unit, GUNSHIP)[0] for table in (free, field)]
    assert values[0] - values[1] == CLOSE(points / 6)


def test_7_6_the_odds_beside_each_target_are_its_own() -> None:
    """[7.6] The mean hits beside a choice are those of a gunship at that unit."""
    field = strike(Field(5))
    field.put("d3", "1/1/1/33", hits=3)
    asking = gunships_chit(field.referee)
    request = asking.send(None)
    while request.key != "target":
        request = asking.send("4/2")
    assert request.odds is not None
    odds = request.odds()
    asking.close()

    means = {name: dict(gunship_odds(field.referee, field.piece(name), GUNSHIP).means)["hits"] for name in dict(odds.beside)}
    assert dict(odds.beside) == {name: f"{mean:.1f} hits expected" for name, mean in means.items()}
    assert len(set(means.values())) == 2


# -- fire ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "fires"),
    [
        ({}, True),
        ({"marks": {"incident": "no fire"}}, False),
        ({"values": {"fire": 0}}, False),
        ({"place": "d2"}, False),
        ({"place": "transition"}, False),
    ],
    ids=["ready", "incident", "no strength", "melee", "transition"],
)
def test_7_4_the_planner_fires_the_mortars_that_the_rule_lets_fire(change: dict[str, Any], fires: bool) -> None:
    """[3.5, 5.2A, 7.4] The mortars of a plan are those offered in a Fire activation."""
    field = strike(Field(3))
    field.put("d2", "1/A/2-7")
    field.put("d3", "Man")
    mortar = field.piece("1/Mtr/1/33")
    if "values" in change:
        change = {"values": {**mortar.values, **change["values"]}}
    field.change(mortar.name, **change)
    referee = field.referee

    offered = FireOptions(referee, "33", spent=set(), fought=set()).mortars
    planned = [shot for shot in Planner(referee, "NVA").fire_plan("33").shots if shot.startswith("mortars >")]
    assert bool(offered) == bool(planned) == fires


# -- points ------------------------------------------------------------------------------------------------------------------


def test_4_1_losses_follow_the_victory_chart(changed: Changed) -> None:
    """[4.1] A reduction that scores seven: what hits cost, and what they are still expected to cost."""
    old, new = '"us reduced" = ["US units reduced", "NVA", 2]', '"us reduced" = ["US units reduced", "NVA", 7]'
    plain = valuation_of(Field(10).referee)
    valuation = valuation_of(changed("victory", old, new, turn=10).referee)
    share = 1 - valuation.remaining

    for unit_hits, more in ((2, 0), (3, 5), (4, 5)):
        target = Target("US", hits=unit_hits)
        assert valuation.loss(target) - plain.loss(target) == CLOSE(more * share)
    assert list(valuation.points.unit_points("US")) == [0, 0, 0, 7, 10]
    assert list(plain.points.unit_points("US")) == [0, 0, 0, 2, 5] and list(plain.points.unit_points("NVA")) == [0, 0, 0, 1, 3]


def test_4_1_c_lz_albany_is_worth_its_points(changed: Changed) -> None:
    """[4.1C] Holding LZ Albany is worth a share of its points for that side."""
    field = changed(
        "victory", '"us albany" = ["US controls LZ Albany", "US", 2]', '"us albany" = ["US controls LZ Albany", "US", 6]'
    )
    field.put("albany", "1/A/2-7")
    assert valuation_of(field.referee).albany("US") == CLOSE(6 * (0.25 + 0.075 * 3))
    assert valuation_of(field.referee).albany("NVA") == CLOSE(-6 * (0.25 + 0.075 * 3))


# -- support -----------------------------------------------------------------------------------------------------------------


def test_6_3_dust_off_takes_as_many_as_the_chart_says(changed: Changed) -> None:
    """[6.3] One marker from LZ Albany by the changed chart: worth one, not two."""
    field = changed("terrain", "albany = [0, 3, 2, 3]", "albany = [0, 1, 1, 3]")
    for name in ("1/C/2-7", "2/C/2-7"):
        field.wounded("albany", name)
    assert valuation_of(field.referee).landing("albany") == CLOSE(3.0)


def test_7_5_3_artillery_dice_by_the_ruling() -> None:
    """[7.5(3), ruling C-38] Dice for a massed target, in the attack and in its value."""
    values = {}
    for choice in ("most", "all"):
        field = Field(5, massed=choice)
        field.put("columbus", "1/Art")
        field.put("e2", "1/1/1/33", "2/1/1/33", "3/1/1/33", "1/6/8/66")
        gun = field.piece("1/Art")
        values[choice] = artillery_dice(field.referee, gun, "e2"), valuation_of(field.referee).artillery(gun, "e2")
    assert values["all"][0] == values["most"][0] + 1
    assert values["all"][1] > values["most"][1]


def test_11_1_d_a_melee_at_night_by_the_chance_of_spotting(changed: Changed) -> None:
    """[11.1D] Spotted on two faces: a US melee at night is worth a third."""
    rows = [f'"{face}" = ["-", "-", "on target", "-", "spotted"' for face in (2, 3)]
    field = changed("die", rows[0], rows[0].replace("spotted", "not spotted"), turn=9)
    field.put("d2", "1/A/2-7", "2/A/2-7", "1/1/1/33", hits=2)
    valuation = valuation_of(field.referee)
    dice = valuation.features.melee_dice(
        valuation.features.stack("US", "d2"), valuation.features.stack("NVA", "d2"), "ab27", "d2"
    )
    stacks = [valuation.features.stack(side, "d2") for side in ("NVA", "US")]
    gain = valuation.dice_cost(stacks[0], dice[0]) - valuation.dice_cost(stacks[1], dice[1])
    assert valuation.melee("US", "ab27", "d2") == CLOSE(gain / 3)


def test_7_2_b_artillery_alone_in_columbus_has_no_dice_in_a_melee() -> None:
    """[7.2B] The guns do not answer, for the planner either."""
    field = Field(5)
    field.put("columbus", "1/Art", "1/1/1/33")
    features = valuation_of(field.referee).features
    dice = features.melee_dice(features.stack("NVA", "columbus"), features.stack("US", "columbus"), "", "columbus")

    assert dice[0] > 0 and dice[1] == 0


def test_7_1_the_chances_of_counts_are_binomial() -> None:
    """[7.1] Three dice that each hit on one face of six."""
    referee = Field(3).referee
    chances = referee.die.count_chances(3, "hit")

    assert chances == pytest.approx([125 / 216, 75 / 216, 15 / 216, 1 / 216])
    assert 1 - chances[0] == pytest.approx(referee.die.any_chance(3, "hit"))

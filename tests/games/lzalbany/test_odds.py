"""Odds, against computations that know nothing of the procedures."""

from __future__ import annotations

from itertools import product
from math import comb

import pytest

from companion.core.requests import Odds
from companion.games.lzalbany.chances import Exchange, fire_odds, melee_odds, support_odds
from companion.games.lzalbany.hits import Target
from companion.games.lzalbany.strength import Force
from tests.games.lzalbany.field import Field


def binomial(dice: int, hits: int) -> float:
    return comb(dice, hits) * 5 ** (dice - hits) / 6**dice


def at_least(dice: int, hits: int) -> float:
    return sum(binomial(dice, number) for number in range(hits, dice + 1))


def section(odds: Odds, head: str) -> dict[str, float]:
    return dict(next(rows for title, rows in odds.sections if title.startswith(head)))


def test_hits_are_binomial() -> None:
    """[7.1] Four dice at a fresh unit: each number of hits, and eliminated on four."""
    odds = support_odds("test", "7.4", 4, [Target("NVA")])

    assert section(odds, "Hits") == pytest.approx({str(hits): binomial(4, hits) for hits in range(5)})
    assert section(odds, "Target") == pytest.approx(
        {"NVA unit 1 reduced or worse": at_least(4, 3), "NVA unit 1 eliminated": at_least(4, 4)}
    )
    assert dict(odds.means)["hits"] == pytest.approx(4 / 6)


def test_the_cap_of_mortars() -> None:
    """[7.4(3)] Three dice at a unit with one hit: one more at most."""
    odds = support_odds("test", "7.4", 3, [Target("NVA", hits=1)], cap=2)

    assert section(odds, "Hits") == pytest.approx({"0": binomial(3, 0), "1": at_least(3, 1)})


def test_melee_against_every_roll() -> None:
    """[7.2] Two dice against three, each order of faces looked at: one unit a side, each with two hits already."""
    field = Field()
    ours, theirs = [Target("US", hits=2, melee=2)], [Target("NVA", hits=3, melee=3)]
    odds = melee_odds(field.referee.rules, Force((2,), 0, 1), Force((3,), 0, 1), ours, theirs)
    killed = reduced = out = 0
    for faces in product(range(1, 7), repeat=5):
        first, second = sum(face == 6 for face in faces[:2]), sum(face == 6 for face in faces[2:])
        killed += first >= 1
        reduced += second >= 1
        out += second >= 2
    assert section(odds, "Defender")["NVA unit 1 eliminated"] == pytest.approx(killed / 6**5)
    assert section(odds, "Defender")["no defending platoon left"] == pytest.approx(killed / 6**5)
    assert section(odds, "Attacker")["US unit 1 reduced or worse"] == pytest.approx(reduced / 6**5)
    assert section(odds, "Attacker")["US unit 1 eliminated"] == pytest.approx(out / 6**5)


def test_return_fire_depends_on_who_is_left() -> None:
    """[7.3(5)] A unit at two hits: one hit reduces it from two dice to one, two hits silence it."""
    rules = Field().referee.rules
    exchange = Exchange(Force((2, 1), 0, 2), (Target("US"), Target("US")), (Target("NVA", hits=2),), (True,))
    odds = fire_odds(rules, exchange)
    expected = binomial(3, 0) * 2 / 6 + binomial(3, 1) * 1 / 6

    assert dict(odds.means)["hits by return fire"] == pytest.approx(expected)
    assert section(odds, "Target")["NVA unit 1 eliminated"] == pytest.approx(at_least(3, 2))


def test_artillery_with_its_scatter() -> None:
    """[7.5(2), 7.5(4)] Off target on a 1; of three units each is as likely."""
    odds = Field().odds("artillery", "dice=4", "units=2-3/3, 2-3, 2-3")

    assert section(odds, "The fire falls on") == pytest.approx(
        {"off target": 1 / 6, "this unit": 5 / 18, "another unit": 10 / 18}
    )
    assert section(odds, "This unit")["NVA unit 1 eliminated"] == pytest.approx(5 / 18 * at_least(4, 1))


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
    assert field.odds("mortar", "dice=2", "units=2-3").sections[0][0] == "Hits (2 dice)"
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
        request = next(one for one in field.asked if one.key == key)
        assert request.odds is not None
        rows = [row for _, lines in request.odds().sections for row in lines]
        assert any("eliminated" in label or "left" in label for label, _ in rows), chit
        field.put("e2", "1/1/1/33", hits=3)


def test_a_described_fight_is_resolved_without_a_map() -> None:
    """[7.3, 7.2] With what was to be expected."""
    field = Field()
    described = ["side=US", "attacker=2-3, 2-3", "officers=1", "defender=2-3", "enemy_officers=0"]
    field.do("firefight", *described, "jungle=no", "home_jungle=no", "first_hit=US unit 2", dice=[6, 6, 1, 1, 1, 6, 1])
    assert field.says("NVA unit 1: 2 hits.")
    assert field.says("US unit 2: 1 hit.")
    field.do("brawl", "side=US", "attacker=2-3", "officers=0", "defender=2-3/3", "enemy_officers=0", dice=[6, 1, 1, 1, 1, 1])
    assert field.says("NVA unit 1: removed.")

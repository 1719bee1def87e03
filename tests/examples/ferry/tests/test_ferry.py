"""The rules of the Ferry, and their chances against numbers counted by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from companion_ferry import rules
from companion_ferry.areas import AREAS, FAR

from companion.core.dice import draw_odds
from companion.core.errors import Illegal
from companion.core.odds import distribution
from companion.testing.table import Table


@pytest.fixture
def table():
    return Table("ferry", "winter")


def put(table, name, place, **changes):
    """Put a unit somewhere."""
    piece = next(piece for piece in table.position.pieces.values() if piece.name == name)
    table.position = table.position.with_piece(piece._replace(place=place, **changes), piece)
    return piece.id


def unit(table, name):
    return next(piece for piece in table.position.pieces.values() if piece.name == name)


def bring_home(table):
    """Every company at the Mill or the Church, every enemy far away."""
    for name in rules.COMPANIES:
        put(table, name, "mill")
    for name in rules.ENEMIES:
        put(table, name, "reserve")


def referee(table):
    return table.game.referee(table.position, table.options)


def test_1_1_the_map_is_symmetric():
    """[1.1]"""
    assert len(AREAS) == 13 and len({cell for _, _, cell, _ in AREAS.values()}) == 13
    assert all(area in AREAS[other][3] for area in AREAS for other in AREAS[area][3])
    assert FAR["highway"] == 4


def test_1_2_the_set_up(table):
    """[1.2]"""
    assert table.names_at("station") == ["Ahrens", "Brandt"]
    assert table.names_at("reserve") == ["4th Rifles", "Guards"]
    assert Counter(table.names_at("cup")) == rules.CHITS and sum(rules.CHITS.values()) == 16
    assert table.track("waiting") == 24


@pytest.mark.parametrize(("name", "full", "half"), [("Tanks", 5, 2), ("Ahrens", 3, 1), ("Guards", 4, 2), ("Ernst", 1, 1)])
def test_1_3_steps(table, name, full, half):
    """[1.3]"""
    piece = unit(table, name)
    assert (rules.strength(piece), rules.strength(piece._replace(face="reduced"))) == (full, half)


def test_2_1_one_act_a_turn(table):
    """[2.1, 2.3]"""
    table.do("dig", "unit=Ahrens")
    assert unit(table, "Ahrens").mark("dug")
    with pytest.raises(Illegal, match="Ahrens cannot be chosen"):
        table.do("move", "unit=Ahrens", "to=Market")


def test_2_2_moving(table):
    """[2.2] The Station is full, the Highway held by the enemy."""
    table.do("dig", "unit=Conrad")
    table.do("end", "load=light", dice=[1], draws=["Lull", "Lull"])
    with pytest.raises(Illegal, match="Station cannot be chosen"):
        table.do("move", "unit=Conrad", "to=Station")
    with pytest.raises(Illegal, match="Highway cannot be chosen"):
        table.do("move", "unit=Conrad", "to=Highway")
    table.do("move", "unit=Conrad", "to=Marsh")
    assert not unit(table, "Conrad").mark("dug")


def closed(by):
    """The chances of the assault chart, counted from the 36 rolls."""
    found = Counter()
    for one, two in product(range(1, 7), repeat=2):
        total = one + two + by
        found["repelled" if total <= 4 else "held" if total <= 7 else "shaken" if total <= 10 else "driven"] += Fraction(1, 36)
    return found


@pytest.mark.parametrize("by", range(-6, 11))
def test_3_2_the_assault_chart(table, by):
    """[3.2]"""
    assert rules.chances(referee(table), by) == pytest.approx({name: float(chance) for name, chance in closed(by).items()})


def test_3_1_a_strike(table):
    """[3.1, 3.2] Conrad 2 at 3rd Rifles 3 and Tanks 5 in the open, -6: repelled with 10 or less."""
    sections = dict(table.odds("strike").sections)
    assert [round(36 * chance) for _, chance in sections["Highway at -6"]] == [33, 3, 0, 0]
    table.do("strike", "target=Highway", dice=[1, 1])
    assert unit(table, "Conrad").face == "reduced"


def test_3_1_together(table):
    """[3.1]"""
    bring_home(table)
    put(table, "Ahrens", "market")
    put(table, "Brandt", "market")
    put(table, "Scouts", "station")
    table.do("strike", "target=Station", "units=all", dice=[6, 6])
    assert unit(table, "Scouts").face == "reduced" and FAR[unit(table, "Scouts").place] == 3
    assert all(unit(table, name).mark("done") for name in ("Ahrens", "Brandt"))


def test_3_3_a_turned_unit_is_lost(table):
    """[3.3]"""
    bring_home(table)
    put(table, "Ahrens", "market")
    put(table, "Scouts", "station", face="reduced")
    table.do("strike", "target=Station", dice=[5, 5])
    assert table.names_at("lost") == ["Scouts"]


@pytest.mark.parametrize(("losses", "turned"), [("one", 1), ("each", 2)])
def test_3_3_the_ruling(losses, turned):
    """[3.3]"""
    table = Table("ferry", "winter", losses=losses)
    bring_home(table)
    put(table, "Ahrens", "station")
    put(table, "Brandt", "station")
    put(table, "Tanks", "brickworks")
    put(table, "1st Rifles", "brickworks")
    answers = ["stance=stand", *(["loss=Brandt"] if losses == "one" else [])]  # 8 - 6 - 2 = 0: 9 is shaken
    table.do("end", "load=light", *answers, dice=[1, 4, 5], draws=["Assault", "Lull"])
    assert sum(unit(table, name).face == "reduced" for name in ("Ahrens", "Brandt")) == turned


def test_3_4_a_driven_company_retreats(table):
    """[3.4, 3.5]"""
    bring_home(table)
    put(table, "Ahrens", "cemetery")
    put(table, "Tanks", "marsh")
    table.do(
        "end", "load=light", "stance=stand", "retreat=Church", dice=[1, 6, 3], draws=["Armour", "Lull"]
    )  # 5 - 3 = +2: 11 is driven
    assert table.names_at("cemetery") == ["Tanks"] and "Ahrens" in table.names_at("church")
    assert unit(table, "Ahrens").face == "reduced"


def test_3_4_surrounded(table):
    """[3.4: lost]"""
    bring_home(table)
    put(table, "Dietz", "farm")
    for name, area in (("1st Rifles", "forest"), ("2nd Rifles", "brickworks"), ("Scouts", "orchard")):
        put(table, name, area)
    table.do("end", "load=light", dice=[1, 6, 6], draws=["Rifles", "Lull"])
    assert table.names_at("lost") == ["Dietz"] and "1st Rifles" in table.names_at("farm") + table.names_at("forest")


FERRY = {  # load, ice -> chances of across, back, swamped in sixths: die + load - 2 + ice
    (2, False): (5, 1, 0),
    (3, False): (4, 1, 1),
    (4, False): (3, 1, 2),
    (2, True): (4, 1, 1),
    (3, True): (3, 1, 2),
    (4, True): (2, 1, 3),
}


@pytest.mark.parametrize(("load", "ice"), list(FERRY))
def test_4_2_the_ferry_chart(table, load, ice):
    """[4.2, 4.3]"""
    table.position = table.position.with_flag("ice", ice or None)
    found = rules.ferry_chances(referee(table), load)
    assert tuple(round(6 * found.get(name, 0), 9) for name in rules.FERRY) == FERRY[load, ice]


def test_4_2_expected_points(table):
    """[4.1, 4.2] Full: 4/6 of 3, 1/6 of 2, 1/6 of 1 - 2."""
    assert [mean for _, mean in table.odds("crossing").means] == pytest.approx([11 / 6, 13 / 6, 11 / 6])


def test_4_1_an_overloaded_ferry(table):
    """[4.1, 4.2]"""
    table.do("end", "load=overload", dice=[6], draws=["Lull", "Lull"])
    assert (table.track("waiting"), table.track("across"), table.track("drowned")) == (20, 1, 3)


def test_4_3_ice(table):
    """[4.3] Once: 6 light turns back without ice, and is swamped with it."""
    table.do("end", "load=light", dice=[1], draws=["Ice", "Lull"])
    assert table.position.flag("ice")
    table.do("end", "load=light", dice=[6], draws=["Lull", "Ice"])
    assert table.track("drowned") == 1
    assert table.said[0] == "The ferry with 2: all but one drown [4.2]"


def test_4_4_damage(table):
    """[4.4, 5.5] The load is not asked."""
    table.do("end", "load=light", dice=[1, 4], draws=["Shelling", "Lull"])
    table.do("end", dice=[1], draws=["Lull", "Ice"])
    assert (
        table.track("across") == 4
        and [choice.value for choice in table.asked[0].choices] == ["light"]
        and not table.position.flag("damage")
    )


def test_5_1_the_cup(table):
    """[5.1] At least one Assault in two draws of 16 with 2: 1 - 14*13/(16*15)."""
    assert draw_odds(rules.CHITS, 2)["Assault"] == pytest.approx(1 - 14 * 13 / (16 * 15))
    for chit in tuple(table.position.at("cup")):
        table.position = table.position.with_piece(chit._replace(place="drawn"), chit)
    table.do("end", "load=light", dice=[1], draws=["Lull", "Lull"])
    assert table.names_at("drawn") == ["Lull", "Lull"]


def test_5_2_who_acts(table):
    """[5.2]"""

    def called(chit):
        return [piece.name for piece in rules.called(table.position, chit)]

    assert called("Armour") == ["Tanks", "Scouts"]
    assert called("Rifles") == ["1st Rifles", "2nd Rifles", "3rd Rifles"]
    assert len(called("Assault")) == 5


def test_5_3_priorities(table):
    """[5.3] An empty Landing before everything; no hopeless assault; the nearest area."""
    bring_home(table)
    put(table, "Scouts", "market")
    table.do("end", "load=light", dice=[1], draws=["Armour"])
    assert table.game.over(table.position) == "an enemy stands at the Landing"


def test_5_4_falling_back(table):
    """[5.4, 3.5]"""
    bring_home(table)
    put(table, "Ahrens", "station")
    put(table, "Tanks", "brickworks")
    table.do("end", "load=light", "stance=back", "retreat=Market", dice=[1], draws=["Armour", "Lull"])
    assert table.names_at("market") == ["Ahrens"] and table.names_at("station") == ["Tanks"]


def test_5_5_shelling(table):
    """[5.5] 3/6 nothing, 2/6 damage, 1/6 a group."""

    def shelled():
        quiet = referee(table).hypothetical()

        async def loss():
            await rules.shell(quiet)
            return quiet.position.track("waiting"), bool(quiet.position.flag("damage"))

        return loss()

    assert distribution(shelled) == pytest.approx({(24, False): 3 / 6, (24, True): 2 / 6, (23, False): 1 / 6})


def test_5_6_reserves(table):
    """[5.6, 5.7]"""
    bring_home(table)
    table.do("dig", "unit=Falk")
    draws = [["Lull", "Lull"], ["Ice", "Ice"], *([["Rifles", "Rifles"]] * 2), ["Armour", "Armour"]]
    for turn, drawn in enumerate(draws, 1):
        if turn < 4:
            assert "Guards" in table.names_at("reserve")
        assert table.track("turn") == turn
        table.do("end", "load=light", dice=[1], draws=drawn)
        assert not unit(table, "Falk").mark("done")
    assert "Guards" not in table.names_at("reserve") and table.names_at("forest") == ["4th Rifles"]


def test_6_1_nobody_waits(table):
    """[6.1, 6.2]"""
    table.position = table.position.with_track("waiting", 2).with_track("across", 16).with_track("drowned", 1)
    put(table, "Gerke", "lost")
    table.do("end", dice=[1])
    assert table.game.over(table.position) == "nobody waits"
    score = table.game.score(table.position, table.options)
    assert (score.total, score.verdict) == (18 - 1 - 1, "won")

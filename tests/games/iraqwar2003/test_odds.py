"""Exact odds against computations of their own: closed forms, and every roll of the dice spelt out."""

from __future__ import annotations

import re
from itertools import product

import pytest

from companion.core.errors import Illegal, Unreadable
from companion.core.requests import Odds
from companion.games.iraqwar2003.notation import LADDER
from companion.games.iraqwar2003.odds import CombatForecast, combat_odds, described_attack, flown_odds, shift_chances
from companion.games.iraqwar2003.odds import expected as share_of
from companion.games.iraqwar2003.referee import IraqWarReferee
from companion.games.iraqwar2003.rules.r05_air import Flier, Mission, MissionResult
from companion.games.iraqwar2003.rules.r13_results import CombatResult, CombatValues, attack_value, defence_value
from tests.games.iraqwar2003.field import FACTS, attack, mark, operations, reduce, war
from tests.support.table import Table

near = pytest.approx


def mission(fliers: tuple[Flier, ...], shots: tuple[int, ...], value: int) -> Mission:
    """The first of them bombs with that value, under that fire."""
    return Mission((fliers[0]._replace(shots=shots, worth=value), *fliers[1:]))


def section(odds: Odds, title: str) -> dict[str, float]:
    return next(dict(rows) for heading, rows in odds.sections if heading.startswith(title))


@pytest.mark.parametrize("value", [1, 2, 3, 4, 5])
def test_5_5_hit_and_removal(value: int) -> None:
    """[5.5(5), 5.5(6)] v/6 hits, (v/6) squared removes."""
    fliers = (Flier("bomber", "coalition", "bombing", 0), Flier("foe", "iraq", "intercept", value))
    results = flown_odds(mission(fliers, (), 6))
    removed = sum(chance for flown, chance in results.items() if flown.fates[0] == "removed")
    assert removed == near((value / 6) ** 2)
    assert sum(chance for flown, chance in results.items() if flown.fates[0] == "flying") == near(1 - value / 6)


@pytest.mark.parametrize(("shots", "value"), [((), 5), ((2,), 5), ((3, 2), 4), ((3, 3, 2), 3)])
def test_5_6_anti_air_and_bombs(shots: tuple[int, ...], value: int) -> None:
    """[5.6, 6.3(5), 5.7(1)] Through with the product of all misses; removed by whichever shot hits first."""
    results = flown_odds(mission((Flier("bomber", "coalition", "bombing", 0),), shots, value))
    through, removed = 1.0, 0.0
    for shot in shots:
        removed += through * (shot / 6) ** 2
        through *= 1 - shot / 6
    assert sum(chance for flown, chance in results.items() if flown.done) == near(through * value / 6)
    assert sum(chance for flown, chance in results.items() if flown.fates[0] == "removed") == near(removed)


def brute(bomber: int, escort: int, foe: int, shots: tuple[int, ...], bombing: int) -> tuple[float, float, float]:
    """P(hit), P(bomber removed), P(interceptor removed) by going through the shots in order.

    The escort fires at the interceptor, the interceptor at the bomber, the bomber at the interceptor.
    """
    states = {("flying", "flying", "flying"): 1.0}  # bomber, escort, interceptor
    for value in sorted({bomber, escort, foe} - {0}, reverse=True):
        grown: dict[tuple[str, str, str], float] = {}
        for state, chance in states.items():
            shooting = [at for at, own in enumerate((bomber, escort, foe)) if own == value and state[at] == "flying"]
            aims = [(at, 0 if at == 2 else 2) for at in shooting if state[0 if at == 2 else 2] == "flying"]
            for outcome in product(("miss", "used", "removed"), repeat=len(aims)):
                share, after = chance, list(state)
                for (_, target), what in zip(aims, outcome, strict=True):
                    p = value / 6
                    share *= {"miss": 1 - p, "used": p * (1 - p), "removed": p * p}[what]
                    if what != "miss" and after[target] != "removed":
                        after[target] = what
                key = (after[0], after[1], after[2])
                grown[key] = grown.get(key, 0.0) + share
        states = grown
    hit = lost = foe_lost = 0.0
    for (lead, _, third), chance in states.items():
        foe_lost += chance * (third == "removed")
        lost += chance * (lead == "removed")
        if lead == "flying":
            through, removed = 1.0, 0.0
            for shot in shots:
                removed += through * (shot / 6) ** 2
                through *= 1 - shot / 6
            hit += chance * through * bombing / 6
            lost += chance * removed
    return hit, lost, foe_lost


@pytest.mark.parametrize("bomber", [0, 3, 4])
@pytest.mark.parametrize("escort", [2, 3, 5])
@pytest.mark.parametrize("foe", [1, 2, 3, 4])
@pytest.mark.parametrize("shots", [(), (3, 2)])
def test_5_2_whole_missions_by_brute_force(bomber: int, escort: int, foe: int, shots: tuple[int, ...]) -> None:
    """[5.2, 5.5(1), 5.5(2), 5.5(8)] Escort, interceptor, anti-air fire and bombs, equal values included."""
    fliers = (
        Flier("bomber", "coalition", "bombing", bomber),
        Flier("escort", "coalition", "escort", escort),
        Flier("foe", "iraq", "intercept", foe),
    )
    results = flown_odds(mission(fliers, shots, 4))

    def share(holds) -> float:  # type: ignore[no-untyped-def]
        return sum(chance for flown, chance in results.items() if holds(flown))

    hit, lost, foe_lost = brute(bomber, escort, foe, shots, 4)
    assert sum(results.values()) == near(1)
    assert share(lambda flown: flown.done) == near(hit)
    assert share(lambda flown: flown.fates[0] == "removed") == near(lost)
    assert share(lambda flown: flown.fates[2] == "removed") == near(foe_lost)


def test_the_mission_as_it_is_asked() -> None:
    """[5.2, 5.7(3)] By values or by names; stealth meets nothing; in Baghdad the value is halved."""
    table = war()
    odds = table.odds("mission", "bomber=B-1", "interceptor=MiG-23", "aa=3")
    assert section(odds, "Mission")["the target is hit"] == near(0.5 * 0.5 * 5 / 6)
    assert dict(odds.means)["VP lost to the Coalition"] == near(-2 * (0.25 + 0.5 * 0.25))
    odds = table.odds("mission", "bomber=0-0-4 stealth", "interceptor=3-0-1", "aa=3 3", "city=yes")
    assert section(odds, "Mission")["the target is hit"] == near(2 / 6)
    with pytest.raises(Illegal):
        table.odds("mission", "bomber=none")
    with pytest.raises(Unreadable):
        table.odds("mission", "bomber=B-1", "aa=9")


def test_5_5_3_the_other_aim_has_its_odds_too() -> None:
    """[5.5(3), 5.5(8)] The MiG-23 (3), unless the F-16 (4) hits it first, at the bomber or at the escort: by hand."""
    odds = war().odds("mission", "bomber=B-1", "escort=F-16", "interceptor=MiG-23")
    assert section(odds, "Mission")["the target is hit"] == near(5 / 6 * (1 - 1 / 3 * 1 / 2))
    instead = section(odds, "If the interceptor fires at the escort")
    assert instead == {"the target is hit": near(5 / 6), "B-1: removed from the game": 0.0}
    assert not [
        title for title, _ in war().odds("mission", "bomber=B-1", "interceptor=MiG-23").sections if title.startswith("If")
    ]


def test_15_2_only_what_costs_victory_points_is_counted_as_such() -> None:
    """[15.2] Neither a ship nor an Iraqi bomber: of the latter's odds the American interceptor counts."""
    table = war(ships="as_told")
    assert "VP lost to the Coalition" not in dict(table.odds("mission", "bomber=DDG-1", "aa=3").means)
    assert "VP lost to the Coalition" not in dict(table.odds("mission", "bomber=Su-25", "aa=2").means)
    odds = table.odds("mission", "bomber=Su-25", "interceptor=F-15", "aa=2")
    assert dict(odds.means)["VP lost to the Coalition"] == near(-2 * (1 / 6) * (1 / 6) * 1 / 6)


def test_a_name_that_is_not_known_yet_is_asked_for_and_remembered() -> None:
    """[2.3] Outside of any session too."""
    table = Table("iraqwar2003", "war")
    odds = table.odds("mission", "bomber=Tornado", "air:Tornado=2-2-3")
    assert section(odds, "Mission")["the target is hit"] == near(0.5)
    assert table.facts["air:Tornado"] == "2-2-3"


def test_the_best_target() -> None:
    """[5.7] Sorted by the chance to hit; what a hit is worth is left to the player."""
    odds = war().odds("target", "bomber=B-52", "targets=radio: 3, radar: 3 2, 6A: none, SRG: none halved")
    hits = section(odds, "Hits")
    assert list(hits) == ["6A", "SRG", "radio", "radar"]  # equal chances: the smaller loss first
    assert hits["6A"] == near(4 / 6)
    assert hits["radio"] == near(0.5 * 4 / 6)
    assert hits["SRG"] == near(2 / 6)
    assert hits["radar"] == near(0.5 * 2 / 3 * 4 / 6)
    assert odds.notes[0].startswith("Best: 6A")
    met = war().odds("target", "bomber=B-52", "escort=F-16", "interceptor=MiG-23", "targets=6A: none")
    assert section(met, "Hits")["6A"] == near(brute(0, 4, 3, (), 4)[0])
    assert met.title == "Targets for B-52+F-16 (0-0-4)"
    display = war().odds("target", "bomber=B-52")
    assert next(iter(section(display, "Hits"))) in ("north", "south", "base")


CHART = {name: FACTS[f"crt:{name}"] for name in LADDER}


def described(steps: int = 2, city: bool = False, mission: Mission | None = None) -> dict[CombatResult, float]:
    """Every end of 6 against 4 on the made-up chart."""
    table = war()
    game = table.game.referee(table.position, table.options)
    assert isinstance(game, IraqWarReferee)
    clash = CombatValues((attack_value("a", 6, False, False),), (defence_value("d", 4, False),))
    paper, attack = described_attack(game, clash, steps, city)
    return CombatForecast(paper, attack, CHART, clash).ends(mission)


def by_result(ends: dict[CombatResult, float]) -> dict[str, float]:
    found: dict[str, float] = {}
    for end, share in ends.items():
        found[end.result] = found.get(end.result, 0.0) + share
    return found


def test_13_4_each_result() -> None:
    """[13.4, 13.5(8)] Column 1-1 of the made-up chart: A2R, A1R, A1, A1 D1, -, DR."""
    ends = described()
    assert by_result(ends) == near({"A2R": 1 / 6, "A1R": 1 / 6, "A1": 1 / 6, "A1 D1": 1 / 6, "-": 1 / 6, "DR": 1 / 6})
    assert share_of(ends, lambda end: end.emptied) == near(1 / 6)
    assert share_of(ends, lambda end: end.destroyed) == 0
    assert share_of(ends, lambda end: end.paid) == near(5 / 6)
    assert share_of(ends, lambda end: end.lost) == near(1 / 6)
    assert share_of(ends, lambda end: end.withdrew) == near(1 / 6)  # the other attacker of two steps has been destroyed
    assert share_of(described(city=True), lambda end: end.emptied) == 0
    assert share_of(described(steps=1), lambda end: end.destroyed) == near(1 / 6)


def test_13_3_2_with_support_that_may_be_shot_down() -> None:
    """[13.3(2), 13.3(2-2)] 3 columns with 2/3, none with 1/3: a mixture of columns 1-1 and 4-1."""
    support = Mission((Flier("A-10", "coalition", "support", 0, worth=3, shots=(2,)),))
    assert shift_chances(support) == near({3: 2 / 3, 0: 1 / 3})
    by_hand: dict[str, float] = {}
    for name, share in (("1-1", 1 / 3), ("4-1", 2 / 3)):
        for text in CHART[name].split(", "):
            by_hand[text] = by_hand.get(text, 0.0) + share / 6
    assert by_result(described(mission=support)) == near(by_hand)


def test_13_3_2_1_support_of_both_sides_with_air_combat() -> None:
    """[13.3(2-1), 5.5] Carrier 4 (worth 2) and MiG-23 3 with a Su-20 (worth 1): the figure of 5.5 without the F-15."""
    fliers = (
        Flier("CV", "coalition", "support", 4, worth=2),
        Flier("Su", "iraq", "support", 0, worth=-1, shots=(2,)),
        Flier("MiG", "iraq", "intercept", 3),
    )
    carrier = 4 / 6 + 2 / 6 * 3 / 6  # the MiG is hit, or misses
    sukhoi = 4 / 6
    assert shift_chances(Mission(fliers)) == near(
        {1: carrier * sukhoi, 2: carrier * (1 - sukhoi), -1: (1 - carrier) * sukhoi, 0: (1 - carrier) * (1 - sukhoi)}
    )


def leaves(name: str, steps: int) -> float:
    """The share of the six results of a column that empty the defender's hex, read off the chart by hand."""
    found = 0
    for text in CHART[name].split(", "):
        effect = text.partition("D")[2]
        found += bool(effect) and (effect.endswith("R") or int(effect) >= steps)
    return found / 6


def test_13_3_2_1_declared_support_counts_when_the_other_side_chooses() -> None:
    """[13.3(2-1), 13.3(2-2)] 3 against 4 is 1-2; the A-10 makes it 3-1. A Su-25 (2 columns, under fire of 2) leaves 1-1 with
    2/3; a Su-20 (1 column) 2-1.
    """
    table = operations()
    attack(table, "173", "51M", "support=A-10", "counter=none", dice=[3])
    odds = offered(table, "counter")
    rows = {way: section(odds, f"{way}: outcome")["defender destroyed or retreats"] for way in WAYS}
    strong, steps = leaves("3-1", 2), 2
    assert rows["without support"] == near(strong)
    assert rows["with Su-25"] == near(2 / 3 * leaves("1-1", steps) + 1 / 3 * strong)
    assert rows["with Su-20"] == near(2 / 3 * leaves("2-1", steps) + 1 / 3 * strong)
    assert odds.notes[0] == "Columns that may come up: 3-1, 1-1, 2-1."
    chances = section(offered(table, "support"), "without support: outcome")
    assert chances["defender destroyed or retreats"] == leaves("1-2", steps)


WAYS = ("without support", "with Su-25", "with Su-20")


def test_5_5_declared_escorts_and_16_4_anti_air_fire_count_too() -> None:
    """[5.5, 16.4(3)] The A-10 under the anti-air unit's fire of 2, with an F-15 that meets the Su-25 first."""
    table = operations(anti_air_unit="on")
    attack(table, "173", "51M", "support=A-10+F-15", "aa_unit=yes", "counter=none", dice=[6, 3])
    odds = offered(table, "counter")
    arrives, through = 2 / 3, 1 / 6 * 2 / 3  # the A-10 past the fire; the Su-25 past the F-15's 5 and then the fire of 2
    alone = arrives * leaves("3-1", 2) + (1 - arrives) * leaves("1-2", 2)
    met = arrives * leaves("1-1", 2) + (1 - arrives) * leaves("1-2", 2)
    assert section(odds, "without support: outcome")["defender destroyed or retreats"] == near(alone)
    assert section(odds, "with Su-25: outcome")["defender destroyed or retreats"] == near(through * met + (1 - through) * alone)


def by_hand(name: str, steps: int, city: bool) -> dict[str, float]:
    """The chance of each outcome of a column, from the letters and digits of its six results.

    The attacker has two strength steps and no city.
    """
    counts: dict[str, float] = {}
    for cell in CHART[name].split(", "):
        side = {"A": (0, False), "D": (0, False)}
        for letter, lost, back in re.findall(r"([AD])(\d?)(R?)", cell):
            side[letter] = (int(lost or 0), bool(back))
        (paid, flees), (lost, leaves_hex) = side["A"], side["D"]
        destroyed, gone = lost >= steps, leaves_hex and lost < steps and not city
        happens = {
            "defender destroyed": destroyed,
            "defender retreats": gone,
            "defender destroyed or retreats": destroyed or gone,
            "defender reduced, and stays": 0 < lost < steps and not gone,
            "attacker destroyed": paid >= 2,
            "attacker reduced": paid == 1,
            "attacker retreats": flees and paid < 2,
            "nothing happens": not (paid or flees or lost or gone),
        }
        for outcome, holds in happens.items():
            counts[outcome] = counts.get(outcome, 0) + holds / 6
    return counts


@pytest.mark.parametrize("name", LADDER)
def test_13_4_every_outcome_of_a_result_has_its_row(name: str) -> None:
    """[13.4, 13.4.1, 13.5(8)] Both sides' losses and retreats, in a city and elsewhere, as counted on the chart by hand."""
    table = war()
    referee = table.game.referee(table.position, table.options)
    assert isinstance(referee, IraqWarReferee)
    values = CombatValues((attack_value("a", 12, False, False),), (defence_value("d", 12, False),))
    values = values._replace(left=1 - LADDER.index(name))
    for steps in (1, 2, 3):
        for city in (False, True):
            hypothetical, described_as = described_attack(referee, values, steps, city)
            odds = combat_odds(CombatForecast(hypothetical, described_as, CHART, values), {"here": None})
            assert section(odds, "here: outcome") == near(by_hand(name, steps, city))
            results = section(odds, "here: results")
            assert sum(results.values()) == near(1) and all(" " in text for text in results)


def test_13_4_results_are_told_in_words() -> None:
    """[13.4, 13.5(8)] The code of the chart, what it does, and that units in a city can stay."""
    results = section(
        war().odds("combat", "attack=6", "defence=4", "steps=2", "support=0", "city=yes"), "without support: results"
    )
    assert "DR: the defender retreats; the defender can stay in its city" in results
    assert "A2R: the attacker loses 2 steps and retreats" in results and "no effect" in results


def test_the_combat_as_it_is_asked() -> None:
    """[13.4] With and without support; unknown columns are asked, but only those that can come up."""
    table = war()
    del table.facts["crt:3-1"]
    odds = table.odds("combat", "attack=6", "defence=4", "steps=2", "support=2", "crt:3-1=A1, A1 D1, -, DR, D1R, D2R")
    assert section(odds, "without support: outcome")["defender destroyed or retreats"] == near(1 / 6)
    assert section(odds, "with support: outcome")["defender destroyed or retreats"] == near(3 / 6)
    assert section(odds, "with support: outcome")["defender destroyed"] == near(1 / 6)


@pytest.mark.parametrize(("radios", "more", "less"), [(0, 1, 0), (3, 3 / 6, 2 / 6), (4, 2 / 6, 3 / 6), (6, 0, 5 / 6), (8, 0, 1)])
def test_11_1_radio_against_die(radios: int, more: float, less: float) -> None:
    """[11.1, 11.1(1), 11.1(2)] 3 1/2 on average against what is undestroyed."""
    odds = war().odds("cp", f"radio={radios}")
    rows = section(odds, "Die")
    assert (rows["the die brings more than Radio"], rows["less"]) == near((more, less))
    assert dict(odds.means) == near({"by Radio": radios, "by the die": 3.5})


def test_11_1_the_display_is_looked_at() -> None:
    """[11.1(1)] In a session the undestroyed boxes are suggested."""
    table = war()
    mark(table, "damaged", 0, "comm radio 1")
    assert dict(table.odds("cp").means)["by Radio"] == 3


# -- odds at the questions -----------------------------------------------------------------------------------------------------


def offered(table: Table, key: str) -> Odds:
    """The odds of a question of the last action."""
    request = next(request for request in table.asked if request.key == key)
    assert request.odds is not None
    return request.odds()


def test_a_group_is_chosen_with_the_odds_of_every_bomber() -> None:
    """[5.7(1)] B-1 5 against fire of 3: 5/12; the B-2 flies untouched: 4/6."""
    table = war()
    table.do("facility", "target=radio 1", "group=B-2", "target=done", dice=[1])
    hits = section(offered(table, "group"), "Hits")
    assert hits["B-1"] == near(0.5 * 5 / 6)
    assert hits["B-2"] == near(4 / 6)
    assert "A-10" in hits
    assert "CVN-75" in hits


def test_a_target_is_named_with_the_odds_of_every_unit() -> None:
    """[5.7(1), 6.3] Target and group go in one line: bombing value over six, through the fire of the site; alike together."""
    table = war()
    table.do("facility", "target=radio 1 by F-15", "target=done", "intercept=none", dice=[6, 6])
    request = [request for request in table.asked if request.key == "target"][-1]
    assert request.odds is not None
    odds = request.odds()
    radar = section(odds, "Hits Northern Radar Site, Southern Radar Site, Air Base (anti-air fire 2)")
    assert radar["B-1"] == near(4 / 6 * 5 / 6)
    assert radar["B-2, SSN-1"] == near(4 / 6)
    assert not [name for name in radar if "F-15" in name]  # it flies in another group
    assert section(odds, "Hits Communication Site (anti-air fire 3)")["B-1"] == near(3 / 6 * 5 / 6)
    assert section(odds, "Hits Central Radar Site (anti-air fire 3 2)")["B-1"] == near(3 / 6 * 4 / 6 * 5 / 6)
    lost = section(odds, "Is removed on the way")
    assert lost == {
        "Northern Radar Site, Southern Radar Site, Air Base": near((2 / 6) ** 2),
        "Central Radar Site": near((3 / 6) ** 2 + 3 / 6 * (2 / 6) ** 2),
        "Communication Site": near((3 / 6) ** 2),
    }
    table.do("bomb", "target=done")
    ground = offered(table, "target")
    assert section(ground, "Hits a unit or a road elsewhere")["B-1"] == near(5 / 6)
    assert section(ground, "Hits a unit or a road in Baghdad")["B-1, B-2, B-52"] == near(2 / 6)


def test_7_2_2_the_odds_of_an_iraqi_target_know_the_fire_of_the_west() -> None:
    """[7.2(2), 5.7(3)] At Americans it flies through a shot of 2, at a road through none."""
    table = operations()
    table.do("end")
    table.do("bomb", "target=done")
    odds = offered(table, "target")
    shot = table.game.tables.charts["anti_air"].number("western", "firepower")
    assert section(odds, "Hits an American or British unit elsewhere")["Su-20"] == near((1 - shot / 6) * 2 / 6)
    assert section(odds, "Hits a Kurdish unit or a road elsewhere")["Su-20"] == near(2 / 6)


def test_an_interception_is_chosen_with_its_odds() -> None:
    """[5.4] The hit with and without each interceptor, and its own risk."""
    table = war()
    table.do("bomb", "target=11D", "where=open", "group=B-1+F-15", "target=done", "intercept=none", dice=[1])
    rows = section(offered(table, "intercept"), "1 B-1+F-15 on 11D")
    assert rows["not intercepted: the target is hit"] == near(5 / 6)
    hit, _, risk = brute(0, 5, 3, (), 5)
    assert rows["MiG-23: the target is hit all the same"] == near(hit)
    assert rows["MiG-23 is removed"] == near(risk)


def test_16_2_5_the_odds_of_a_drop_are_those_of_getting_through() -> None:
    """[16.2(5)] Paratroops drop no bombs: 3/6 past the MiG-23, which is not fired at."""
    table = operations(paratroops="on")
    table.do("drop", "unit=173", "escort=none", "intercept=none", "hex=0807", accept=True)
    rows = section(offered(table, "intercept"), "1 173 on the drop")
    assert rows["not intercepted: the unit gets through"] == near(1)
    assert rows["MiG-23: the unit gets through all the same"] == near(0.5)
    assert rows["MiG-23 is removed"] == 0


def test_support_the_die_and_the_source_have_their_odds() -> None:
    """[13.3(2), 13.4, 11.1] At each commitment."""
    table = operations()
    attack(table, "1/3ID", "11D", dice=[5])
    assert section(offered(table, "support"), "with A-10: outcome")["defender destroyed or retreats"] == near(4 / 6)
    shot_down = 2 / 6  # by the Americans' fire; else 6 against 4 is below 1-1, and no result there empties the hex
    assert section(offered(table, "counter"), "with Su-25: outcome")["defender destroyed or retreats"] == near(shot_down / 6)
    assert section(offered(table, "combat"), "as it stands: outcome")["defender destroyed or retreats"] == near(1 / 6)
    table.do("end")
    table.do("supply", "source=radio", accept=True)
    assert dict(offered(table, "source").means)["by Radio"] == 4


def test_a_flown_mission_is_a_value() -> None:
    """Like ends are one end."""
    results = flown_odds(mission((Flier("b", "coalition", "bombing", 0),), (3,), 5))
    assert set(results) == {
        MissionResult(("flying",), True),
        MissionResult(("flying",), False),
        MissionResult(("used",), False),
        MissionResult(("removed",), False),
    }


def test_13_4_1_the_loss_of_one_unit_of_several_has_a_row() -> None:
    """[13.4.1] Two attackers, of which one is reduced already: it can fall while the other stays."""
    table = operations(facts={"crt:1-1": "A1, A1, A2, -, -, DR"})
    reduce(table, "1/3ID")
    attack(table, "1/3ID, 2/3ID", "11D", "with=all", dice=[6])
    request = next(request for request in table.asked if request.key == "combat")
    rows = section(request.odds(), "as it stands: outcome")
    assert "an attacking unit destroyed" in rows and rows["attacker destroyed"] <= rows["an attacking unit destroyed"]

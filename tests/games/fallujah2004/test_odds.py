"""Exact odds against independent arithmetic: closed forms, binomials, or a recurrence written here."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.position import Position
from companion.core.request import complete_odds
from companion.core.requests import Odds
from companion.core.text import plural
from companion.games.fallujah2004.battles import (
    BattleSolver,
    Losses,
    battle_odds,
    chance_of,
    commit_all,
    hit_odds,
    netwar_odds,
    strike_odds,
)
from companion.games.fallujah2004.notation import MOB
from companion.games.fallujah2004.rules.r16_battle import Battle, BattleHost, Conditions, Fighter, Strike, Support, fire_support
from tests.games.fallujah2004.field import Field

CLOSE = pytest.approx
UNSUPPORTED = Support()


def row(odds: Odds, label: str) -> float:
    """The chance of a line, wherever it stands."""
    return next(chance for _, rows in odds.sections for name, chance in rows if name == label)


@pytest.fixture(scope="module")
def field() -> Field:
    return Field()


# -- the small ones ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("margin", range(-6, 7))
@pytest.mark.parametrize("terrain", ["open", "urban"])
def test_tactical_edge(field: Field, margin: int, terrain: str) -> None:
    """[16.1(2)] Of the 36 rolls those with a higher Coalition total, and in the open the ties as well."""
    odds = field.odds("edge", f"coalition={6 + margin}", "opfor=6", f"terrain={terrain}")
    won = sum(us_die + margin > opfor_die for us_die, opfor_die in product(range(1, 7), repeat=2))
    ties = sum(us_die + margin == opfor_die for us_die, opfor_die in product(range(1, 7), repeat=2))

    assert row(odds, "Coalition") == CLOSE((won + (ties if terrain == "open" else 0)) / 36)
    assert row(odds, "Coalition") + row(odds, "OPFOR") == CLOSE(1)


@pytest.mark.parametrize(("held", "percent"), [(5, 4.6), (8, 25.9), (10, 50.0), (11, 62.5), (15, 95.4)])
def test_morale_check(field: Field, held: int, percent: float) -> None:
    """[9.2] 3d6 at or under the held spaces, as the dossier has it."""
    assert round(100 * row(field.odds("morale", f"held={held}"), "lowered"), 1) == percent


@pytest.mark.parametrize(("held", "chance"), [(0, 0.0), (2, 0.0), (3, 1 / 216), (18, 1.0), (20, 1.0)])
def test_morale_check_at_its_ends(field: Field, held: int, chance: float) -> None:
    """[9.2] Never under three held spaces, always from 18."""
    results = dict(field.odds("morale", f"held={held}").sections[0][1])

    assert results["lowered"] == CLOSE(chance)


@pytest.mark.parametrize(
    ("level", "words"),
    [
        (0, ["not lowered: it is low already", "raised"]),
        (1, ["lowered", "raised"]),
        (3, ["lowered", "not raised: it is fanatic already"]),
    ],
)
def test_morale_check_at_an_end_of_the_index(level: int, words: list[str]) -> None:
    """[9.2] Morale cannot drop below Low nor rise above Fanatic, and the odds say so."""
    field = Field()
    field.set(morale=level)

    assert [label for label, _ in field.odds("morale", "held=10").sections[0][1]] == words


@pytest.mark.parametrize("markers", range(1, 9))
def test_isr(field: Field, markers: int) -> None:
    """[12.1] 1 - (1/3)^n."""
    assert row(field.odds("isr", f"markers={markers}"), "revealed") == CLOSE(1 - (1 / 3) ** markers)


@pytest.mark.parametrize("markers", [1, 2, 5, 12])
def test_infowar(field: Field, markers: int) -> None:
    """[19.0] The mean is 1.5 a marker; the extremes are one roll in 6^n."""
    odds = field.odds("infowar", f"markers={markers}")

    assert odds.means[0][1] == CLOSE(1.5 * markers)
    assert row(odds, f"{4 * markers:+d}") == CLOSE(6.0**-markers)
    assert row(odds, f"{-markers:+d}") == CLOSE(6.0**-markers)
    assert sum(chance for _, chance in odds.sections[0][1]) == CLOSE(1)


def test_infowar_of_two_markers(field: Field) -> None:
    """[19.0] All 36 rolls: gains -1, 0, 1, 2, 3, 4."""
    odds = field.odds("infowar", "markers=2")
    gains = [-1, 0, 1, 2, 3, 4]
    for total in range(-2, 9):
        assert row(odds, f"{total:+d}") == CLOSE(sum(a + b == total for a in gains for b in gains) / 36)


@pytest.mark.parametrize("contact", range(7))
@pytest.mark.parametrize("spaces", [1, 3])
def test_infiltration(field: Field, contact: int, spaces: int) -> None:
    """[27.1] (c/6)^n."""
    odds = field.odds("infiltration", f"contact={contact}", f"spaces={spaces}")

    assert row(odds, "passes") == CLOSE((contact / 6) ** spaces)


@pytest.mark.parametrize("picks", [1, 2, 4, 12])
def test_the_next_reaction(field: Field, picks: int) -> None:
    """[14.1] Hypergeometric: 54 counters, of them 32 units and two Mob Attacks, which fight as one [14.5], two Ambushes,
    eight Militia of 1(1).
    """
    odds = field.odds("draw", f"picks={picks}")
    total = len(field.position.at("reaction cup"))
    units = field.count("reaction cup", "opfor") + 2
    assert (total, units) == (54, 34)

    def some(count: int) -> float:
        return 1 - comb(total - count, picks) / comb(total, picks)

    sections = {name: dict(rows) for name, rows in odds.sections}
    several = sections[f"At least one among {plural(picks, 'draw')}"]
    assert several["Ambush"] == CLOSE(some(2))
    assert several["Militia 1(1)"] == CLOSE(some(8))
    assert sections["Among them"]["at least one combat unit"] == CLOSE(some(units))
    assert sections["The next counter is"]["Ambush"] == CLOSE(2 / total)
    assert odds.means[0][1] == CLOSE(picks * units / total)


def test_the_next_reaction_leaves_out_spent_counters() -> None:
    """[14.1] Counters on the map are not in the cup."""
    field = Field()
    field.put("in play", "Uprising Elsewhere")
    odds = field.odds("draw", "picks=1")

    assert "Uprising Elsewhere" not in dict(odds.sections[0][1])
    assert row(odds, "Blow Bridges") == CLOSE(1 / 53)


# -- battles by a recurrence of our own ----------------------------------------------------------------------------


def edge_chance(margin: int, tie_wins: bool) -> float:
    """The chance of the Coalition's Edge."""
    return sum(a + margin > b or (tie_wins and a + margin == b) for a, b in product(range(1, 7), repeat=2)) / 36


def hits_of(fires: tuple[int, ...]) -> list[float]:
    """The distribution of the number of hits of independent dice."""
    chances = [1.0]
    for fire in fires:
        chance = min(max(fire, 0), 6) / 6
        chances = [
            (chances[k] if k < len(chances) else 0.0) * (1 - chance) + (chances[k - 1] * chance if k else 0.0)
            for k in range(len(chances) + 1)
        ]
    return chances


def brute(
    ours: tuple[tuple[int, ...], ...],
    theirs: tuple[int, ...],
    margin: int,
    *,
    open_ground: bool = False,
    strongpoint: bool = False,
    first: int = 0,
) -> dict[tuple[str, int, int], float]:
    """(outcome, strength steps lost, OPFOR units lost) of a battle to its end, units of one contact on each side.

    ``ours``: for each unit the firepower of each strength step that is left, the present one first. Hits are placed
    where the least firepower goes, then the least contact, then what a refit can restore; OPFOR loses its weakest.
    ``first``: what the first round's margin has more.
    """
    factor = 2 if open_ground else 1

    def place(units: tuple[tuple[int, ...], ...], hits: int) -> tuple[tuple[int, ...], ...]:
        left = list(units)
        for _ in range(min(hits, sum(map(len, left)))):
            cost = [(unit[0] - unit[1], 0, 0) if len(unit) > 1 else (unit[0], 3 + margin, 1) for unit in left]
            target = min(range(len(left)), key=lambda k: cost[k])
            left[target : target + 1] = [left[target][1:]] if len(left[target]) > 1 else []
        return tuple(sorted(left))

    def ours_fire(units: tuple[tuple[int, ...], ...], enemy: tuple[int, ...]) -> dict[tuple[int, ...], float]:
        out: dict[tuple[int, ...], float] = {}
        for raw, chance in enumerate(hits_of(tuple(unit[0] for unit in units))):
            kept = (max(raw - 1, 0) if strongpoint else raw) * factor
            rest = tuple(sorted(enemy))[min(kept, len(enemy)) :]
            out[rest] = out.get(rest, 0.0) + chance
        return out

    def theirs_fire(units: tuple[tuple[int, ...], ...], enemy: tuple[int, ...]) -> dict[tuple[tuple[int, ...], ...], float]:
        out: dict[tuple[tuple[int, ...], ...], float] = {}
        for hits, chance in enumerate(hits_of(enemy)):
            rest = place(units, hits)
            out[rest] = out.get(rest, 0.0) + chance
        return out

    @cache
    def a_round(units: tuple[tuple[int, ...], ...], enemy: tuple[int, ...], bonus: int) -> dict:  # type: ignore[type-arg]
        out: dict = {}  # type: ignore[type-arg]
        edge = edge_chance(margin + bonus, open_ground)
        for foe, p in ours_fire(units, enemy).items():
            for us, q in theirs_fire(units, foe).items() if foe else [(units, 1.0)]:
                out[us, foe] = out.get((us, foe), 0.0) + edge * p * q
        for us, p in theirs_fire(units, enemy).items():
            for foe, q in ours_fire(us, enemy).items() if us else [(enemy, 1.0)]:
                out[us, foe] = out.get((us, foe), 0.0) + (1 - edge) * p * q
        return out

    @cache
    def solve(units: tuple[tuple[int, ...], ...], enemy: tuple[int, ...], bonus: int) -> dict:  # type: ignore[type-arg]
        ends: dict = {}  # type: ignore[type-arg]
        here = 0.0
        for (us, foe), p in a_round(units, enemy, bonus).items():
            if not foe or not us:
                key = ("lost" if not us else "won", us, foe)
                ends[key] = ends.get(key, 0.0) + p
            elif (us, foe) == (units, enemy) and not bonus:
                here += p
            else:
                for key, q in solve(us, foe, 0).items():
                    ends[key] = ends.get(key, 0.0) + p * q
        return {key: p / (1 - here) for key, p in ends.items()}

    steps, many = sum(map(len, ours)), len(theirs)
    total: dict[tuple[str, int, int], float] = {}
    for (verdict, us, foe), p in solve(tuple(sorted(ours)), tuple(sorted(theirs)), first).items():
        key = (verdict, steps - sum(map(len, us)), many - len(foe))
        total[key] = total.get(key, 0.0) + p
    return total


def battle(
    ours: tuple[tuple[int, ...], ...],
    theirs: tuple[int, ...],
    margin: int,
    *,
    open_ground: bool = False,
    strongpoint: bool = False,
    first: int = 0,
    support: Support = UNSUPPORTED,
    **more: object,
) -> Fight:
    """The same battle as the procedures see it; the bonus of the first round is the Ambush's and so is negative."""
    coalition = tuple(
        Fighter(unit[0], 3 + margin, len(unit), unit[1] if len(unit) > 1 else 0, 3 + margin if len(unit) > 1 else 0)
        for unit in ours
    )
    opfor = tuple(Fighter(fire, 3, kind="militia") for fire in theirs)
    scene = Conditions(
        "open" if open_ground else "urban", "coalition" if open_ground else "opfor",
        2 if open_ground else 1, strongpoint, event_edge=-first, **more,  # type: ignore[arg-type]
    )  # fmt: skip
    return scene, Battle(coalition, opfor, support)


Fight = tuple[Conditions, Battle]


def paper(field: Field, fight: Fight, stands: bool = True) -> BattleSolver:
    """The battle on paper, with all support that is offered."""
    return BattleSolver(BattleHost(field.game.referee(field.position, field.options), fight[0], stands), fight[1], commit_all)


def results(field: Field, fight: Fight, stands: bool = True) -> dict[tuple[Losses, int], float]:
    """The distribution of (toll, OPs lost to Collateral Damage)."""
    return dict(paper(field, fight, stands).results())


def odds_of(field: Field, fight: Fight) -> Odds:
    """The same as the player sees it."""
    return battle_odds(BattleHost(field.game.referee(field.position, field.options), fight[0]), fight[1])


def same(field: Field, ours: tuple[tuple[int, ...], ...], theirs: tuple[int, ...], margin: int, **conditions: bool | int) -> None:
    """The procedures' distribution is the recurrence's, result by result."""
    chances = {result: chance for (result, _), chance in results(field, battle(ours, theirs, margin, **conditions)).items()}
    expected = brute(ours, theirs, margin, **conditions)  # type: ignore[arg-type]

    assert {key for key, chance in chances.items() if chance > 1e-12} == {key for key, p in expected.items() if p > 1e-12}
    for key, chance in expected.items():
        assert chances.get(key, 0.0) == CLOSE(chance, abs=1e-9), key


@pytest.mark.parametrize(("a", "b", "margin"), [(3, 1, 0), (4, 2, 2), (2, 5, -3), (1, 6, 6)])
def test_one_against_one_in_closed_form(field: Field, a: int, b: int, margin: int) -> None:
    """[16.1, 16.2] With the Edge e, and hit chances p and q: a round is won with ep + (1-e)(1-q)p, lost with
    eq(1-p) + (1-e)q; the battle is won with the first over their sum.
    """
    e = Fraction(sum(x + margin > y for x, y in product(range(1, 7), repeat=2)), 36)
    p, q = Fraction(a, 6), Fraction(b, 6)
    won, lost = e * p + (1 - e) * (1 - q) * p, e * q * (1 - p) + (1 - e) * q
    odds = odds_of(field, battle(((a,),), (b,), margin))

    assert row(odds, "Coalition wins") == CLOSE(float(won / (won + lost)))
    assert row(odds, "Coalition is wiped out") == CLOSE(float(lost / (won + lost)))


def test_one_against_one_by_command(field: Field) -> None:
    """[16.1] The same through the situation that the player asks for: contact 3 and firepower 3 against 1(1)."""
    odds = field.odds("battle", "contact=3", "firepower=3", "opfor=1(1)", "terrain=urban")
    e = Fraction(sum(x + 2 > y for x, y in product(range(1, 7), repeat=2)), 36)
    p, q = Fraction(1, 2), Fraction(1, 6)
    won, lost = e * p + (1 - e) * (1 - q) * p, e * q * (1 - p) + (1 - e) * q

    assert row(odds, "Coalition wins") == CLOSE(float(won / (won + lost)))
    assert dict(odds.means)["KIA change"] == CLOSE(float((won - lost) / (won + lost)))


def test_two_against_two(field: Field) -> None:
    """[16.1, 16.3] Units of firepower 4 and 3 against 3 and 1."""
    same(field, ((4,), (3,)), (3, 1), 1)


def test_the_open_doubles(field: Field) -> None:
    """[16.5] One hit takes two; ties are the Coalition's."""
    same(field, ((3,), (3,)), (2, 2, 1, 1), 0, open_ground=True)


def test_a_strongpoint(field: Field) -> None:
    """[16.8] The first hit of each round is lost."""
    same(field, ((4,), (4,), (3,)), (3, 2), 0, strongpoint=True)


def test_a_strongpoint_in_the_open(field: Field) -> None:
    """[16.5, 16.8] One off, then doubled (ruling C-2)."""
    same(field, ((4,), (4,), (3,)), (3, 2, 2, 1), 0, strongpoint=True, open_ground=True)


def test_a_strongpoint_against_one_unit_cannot_be_won(field: Field) -> None:
    """[16.8] One unit never makes a second hit: with every firepower above zero the battle is lost for certain."""
    odds = odds_of(field, battle(((5,),), (1,), 3, strongpoint=True))

    assert row(odds, "Coalition is wiped out") == CLOSE(1)


def test_two_strength_steps(field: Field) -> None:
    """[16.3, 21.1] Units that are reduced before they are eliminated; each strength step is a KIA."""
    same(field, ((3, 2), (4, 2)), (3, 3), 1)
    same(field, ((4, 4),), (2, 2), -1)


def test_an_ambush_counts_in_the_first_round_only(field: Field) -> None:
    """[16.1(2c), 14.5] Its 1 is gone afterwards (ruling C-20)."""
    same(field, ((3,), (3,)), (3, 2), 0, first=-1)


def test_opfor_that_breaks_off_ends_it_after_a_round(field: Field) -> None:
    """[16.1(4b)] With Break-off the battle is one round; what is left of OPFOR is no KIA."""
    chances = results(field, battle(((3,),), (2,), 0), False)
    e = sum(x > y for x, y in product(range(1, 7), repeat=2)) / 36
    outcome = {verdict: chance_of(chances, verdict) for verdict in ("won", "broke off", "lost")}

    assert outcome["won"] == CLOSE(e * 0.5 + (1 - e) * (2 / 3) * 0.5)
    assert outcome["lost"] == CLOSE(e * 0.5 * (1 / 3) + (1 - e) * (1 / 3))
    assert outcome["broke off"] == CLOSE(0.5 * (2 / 3))


def test_one_round(field: Field) -> None:
    """[16.1(3)] A single round of two against one, by its parts."""
    chances = paper(field, battle(((3,), (3,)), (2,), 0)).next_round()
    e = sum(x > y for x, y in product(range(1, 7), repeat=2)) / 36
    none_hits = 0.25

    assert chances[0, 1] == CLOSE(e * (1 - none_hits) + (1 - e) * (2 / 3) * (1 - none_hits))
    assert chances[1, 1] == CLOSE((1 - e) * (1 / 3) * 0.5)
    assert sum(chances.values()) == CLOSE(1)


def test_collateral_damage(field: Field) -> None:
    """[23.5] Three strikes in a round that cannot hit anything but by their sixes: binomial OPs lost; SOA is clean."""
    strikes = (Strike(0), Strike(0), Strike(0), Strike(0, True))
    fight = battle(((6,),), (0,), 6, collateral=1, support=Support(strikes))  # the Coalition fires first and wins for certain
    ops: dict[int, float] = {}
    for (_, cost), chance in results(field, fight).items():
        ops[cost] = ops.get(cost, 0.0) + chance

    for count in range(4):
        assert ops[count] == CLOSE(comb(3, count) * (1 / 6) ** count * (5 / 6) ** (3 - count))


def test_collateral_damage_by_civilians(field: Field) -> None:
    """[14.5, 23.5] The dice of two units as well; where the terrain does not count, nothing is lost."""
    for here, chance in ((1, 1 - (5 / 6) ** 2), (0, 0.0)):
        fight = battle(((6,), (6,)), (0,), 6, civilians=True, collateral=here)
        lost = sum(p for (_, cost), p in results(field, fight).items() if cost)
        assert lost == CLOSE(chance)


def test_ops_lost_with_the_battle(field: Field) -> None:
    """[17.0] The cost of the Node is part of a lost battle."""
    odds = field.odds("battle", "contact=3", "firepower=3", "opfor=3(3)", "terrain=urban", "node_loss=3")

    assert dict(odds.means)["OPs lost"] == CLOSE(3 * row(odds, "Coalition is wiped out"))


def test_means_and_margins(field: Field) -> None:
    """[16.1, 21.1] The means and the spread of KIA and of strength steps, from the recurrence."""
    ours, theirs = ((3, 2), (4,)), (3, 2)
    odds = odds_of(field, battle(ours, theirs, 1))
    expected = brute(ours, theirs, 1)
    sections = {name: dict(rows) for name, rows in odds.sections}

    assert dict(odds.means)["strength steps lost"] == CLOSE(sum(lost * p for (_, lost, _), p in expected.items()))
    assert dict(odds.means)["KIA change"] == CLOSE(sum((killed - lost) * p for (_, lost, killed), p in expected.items()))
    for change in range(-3, 3):
        chance = sum(p for (_, lost, killed), p in expected.items() if killed - lost == change)
        assert sections["KIA index changes by"].get(str(change), 0.0) == CLOSE(chance, abs=6e-5)
    for steps in range(4):
        chance = sum(p for (_, lost, _), p in expected.items() if lost == steps)
        assert sections["Strength steps lost"].get(str(steps), 0.0) == CLOSE(chance, abs=6e-5)


def test_effect_of_committed_support_on_the_odds(field: Field) -> None:
    """[16.1(2c)] With and without a NetWar marker: the Edge of the first round by one."""
    scene, start = battle(((2,),), (1,), 0, support=Support((), True))
    odds = netwar_odds(BattleHost(field.game.referee(field.position, field.options), scene), start)

    def won(**conditions: int) -> float:
        return sum(p for (verdict, _, _), p in brute(((2,),), (1,), 0, **conditions).items() if verdict == "won")

    assert row(odds, "without the NetWar marker") == CLOSE(won())
    assert row(odds, "with the NetWar marker") == CLOSE(won(first=1))
    assert odds.sections[1][0] == "It is wiped out", "what is not won is lost: no outcome is left out"
    assert dict(odds.sections[1][1]) == {label: CLOSE(1 - chance) for label, chance in odds.sections[0][1]}


def test_the_marker_is_set_against_no_marker_not_against_everything(field: Field) -> None:
    """[16.1(2c)] With strikes at hand: with and without the marker, each with no strike and with all."""
    scene, start = battle(((2,),), (1,), 0, support=Support((Strike(3), Strike(2)), True))
    odds = netwar_odds(BattleHost(field.game.referee(field.position, field.options), scene), start)
    labels = [label for label, _ in odds.sections[0][1]]

    assert labels == [
        f"{netwar} the NetWar marker, {strikes}" for strikes in ("no strike", "all strikes") for netwar in ("without", "with")
    ]
    assert row(odds, labels[0]) < row(odds, labels[1]) < row(odds, labels[3])


def test_each_number_of_strikes_has_its_row(field: Field) -> None:
    """[16.1(3a), 23.2] The strongest first; with the Edge one more strike is one more die against the last unit."""
    scene, start = battle(((0,),), (6,), 0, support=Support((Strike(2, name="Artillery"), Strike(3, name="Air"))))
    odds = strike_odds(BattleHost(field.game.referee(field.position, field.options), scene), start._replace(firing="coalition"))
    rows = dict(odds.sections[0][1])

    assert list(rows) == ["none", "1: Air", "2: Air, Artillery"]
    assert list(rows.values()) == CLOSE([0, 1 / 2, 1 - 1 / 2 * 2 / 3])


def test_known_results_are_not_rolled_again(field: Field) -> None:
    """[16.1(2), 14.5] Odds asked for in the middle of a round start there: with the Edge and the mob's strength of now."""
    stage = BattleHost(field.game.referee(field.position, field.options), Conditions("urban", "opfor"))
    mob = Battle((Fighter(3, 0),), (Fighter(5, 0, kind=MOB),), firing="opfor")
    p, q = 0.5, 5 / 6
    again = chance_of(BattleSolver(stage, mob._replace(firing=None, opfor=(Fighter(0, 0, kind=MOB),))).results(), "won")

    assert chance_of(BattleSolver(stage, mob).results(fire_support), "won") == CLOSE((1 - q) * (p + (1 - p) * again))


def asked_odds(field: Field, key: str) -> Odds:
    """The odds that /odds shows at the question with this key, in the last action."""
    odds = next(request.odds for request in field.asked if request.key == key)
    assert odds
    return odds()


@pytest.mark.parametrize(("chart", "word", "safe"), [("break-off", "breaks off", True), ("stand", "stands", False)])
def test_odds_of_a_commitment_know_the_morale_chart(chart: str, word: str, safe: bool) -> None:
    """[9.3(2), 16.1(3a)] A cell of the Morale Chart that has been told holds for them too: where it says break-off, a unit of
    two strength steps cannot be lost to a single OPFOR unit.
    """
    field = Field(facts={"stand:low:urban": chart})
    field.put("available", "Air Strike (3)")
    field.battle("2-9", "3/1", ["Militia 1(1)"], "strikes=Air Strike (3)", "move_on=no", dice=[6, 1, 1, 1, 3, 3])
    odds = asked_odds(field, "strikes")

    assert odds.notes[1] == f"Assumes OPFOR {word} after each round."
    assert (row(odds, "none") == CLOSE(1)) is safe


def test_odds_of_a_commitment_include_the_cost_of_the_node() -> None:
    """[17.0] A battle lost at a C2 costs three OPs."""
    field = Field()
    field.node("2-9", "c2")
    field.put("available", "Air Strike (3)")
    field.battle("2-9", "3/1", ["Militia 1(1)"], "strikes=none", dice=[6, 1, 1, 3, 3])
    odds = asked_odds(field, "strikes")

    assert dict(odds.means)["OPs lost; none"] == CLOSE(3 * (1 - row(odds, "none")))


def doomed() -> tuple[Conditions, Battle]:
    """An engineer and infantry against a Strongpoint and two units: without the engineer nothing can be hit."""
    scene = Conditions("urban", "opfor", strongpoint=True)
    ours = Fighter(2, 2, engineer=True, name="E1"), Fighter(3, 2, name="I1")
    return scene, Battle(ours, (Fighter(2, 2), Fighter(2, 2)))


def _alone(hit: float, foes: int, edge: float, q: float) -> float:
    """One unit that hits at most one a round against one or two, to the end."""
    if foes == 0:
        return 1.0
    safe, safer = (1 - q) ** foes, (1 - q) ** (foes - 1)
    down = hit * (edge * safer + (1 - edge) * safe)
    stay = (1 - hit) * safe
    return down * _alone(hit, foes - 1, edge, q) / (1 - stay)


def test_the_suggested_hit_does_not_throw_the_battle_away(field: Field) -> None:
    """[16.3, 16.8] The engineer has less firepower; without it the Strongpoint takes every hit of the one unit that is left."""
    scene, start = doomed()
    stage = BattleHost(field.game.referee(field.position, field.options), scene)
    after = start._replace(firing="opfor", second_fire=True)
    odds = hit_odds(stage, after, 1)
    rows = dict(odds.sections[0][1])

    assert list(rows) == ["I1", "E1"]
    assert rows["E1"] == 0
    assert rows["I1"] == CLOSE(_alone(1 / 3, 2, 15 / 36, 1 / 3))
    assert "wins no less" in odds.notes[1]


def test_at_the_table_the_hit_that_wins_is_suggested() -> None:
    """[16.3] Enter gives it to the infantry; where it makes no difference, to the least firepower; several in one answer."""
    field = Field()
    field.node("2-9", "strongpoint")
    field.put("3-9", "1 CE", "A Tank")
    field.reduce("1 CE")
    field.set(morale=1)
    field.j3(
        "1 CE, A Tank",
        "2-9",
        "hit=A Tank",
        "continue=continue",
        draws=["Fedayeen 2(2)", "Fedayeen 2(2)"],
        dice=[1, 6, 1, 4, 6, *[1, 6, 1, 1]],
    )
    hits = [request for request in field.asked if request.key == "hit"]

    assert hits[0].suggest == ["USMC A Tank"]
    shown = hits[0].odds()
    assert hits[0].has_quick_odds  # of one hit, the chance to win stands beside each unit
    assert [unit for unit, _ in shown.beside] == [label for label, _ in shown.sections[0][1]]


def test_a_mob(field: Field) -> None:
    """[14.5] Its strength is anew each round: on average over 0, 1, 2, 3, 4 and 5, in each round by itself."""
    odds = odds_of(field, (Conditions("urban", "opfor"), Battle((Fighter(3, 0),), (Fighter(0, 0, kind=MOB),))))
    e = 15 / 36
    p, q = 0.5, sum(strength / 6 for strength in range(6)) / 6
    won, lost = e * p + (1 - e) * (1 - q) * p, e * q * (1 - p) + (1 - e) * q

    assert row(odds, "Coalition wins") == CLOSE(won / (won + lost))


def test_netwar_and_strikes_in_the_first_round(field: Field) -> None:
    """[16.1(2c), 16.1(3a)] Committed support serves the opening round and no other."""
    fight = battle(((0,),), (0,), 0, support=Support((Strike(3), Strike(2)), True))
    chances = paper(field, fight).next_round()
    assert chances[0, 1] == CLOSE(1 - 0.5 * (2 / 3))

    won = chance_of(results(field, battle(((2,),), (1,), 0, support=Support((), True))), "won")
    assert won == CLOSE(sum(p for (v, _, _), p in brute(((2,),), (1,), 0, first=1).items() if v == "won"))


@settings(max_examples=120, deadline=None, derandomize=True)
@given(
    ours=st.lists(
        st.one_of(
            st.tuples(st.integers(1, 5)),
            st.integers(1, 5).flatmap(lambda front: st.tuples(st.just(front), st.integers(0, front))),
        ),
        min_size=1,
        max_size=3,
    ),
    theirs=st.lists(st.integers(1, 5), min_size=1, max_size=3),
    margin=st.integers(-3, 3),
    open_ground=st.booleans(),
    strongpoint=st.booleans(),
    first=st.sampled_from([0, -1]),
)
def test_small_battles_at_random(
    ours: list[tuple[int, ...]], theirs: list[int], margin: int, open_ground: bool, strongpoint: bool, first: int
) -> None:
    """[16.1 - 16.3, 16.5, 16.8] Whatever the battle, procedures and recurrence agree on every result."""
    same(Field(), tuple(ours), tuple(theirs), margin, open_ground=open_ground, strongpoint=strongpoint, first=first)


def test_a_battle_in_which_nobody_can_hit_ends_by_withdrawal(field: Field) -> None:
    """[16.1(4c), 17.0] It has no end of its own: the Coalition loses no step, and the OPs of the Node."""
    odds = field.odds("battle", "contact=1", "firepower=0", "opfor=0(0)", "node_loss=2")

    assert row(odds, "nobody can hit: the battle is lost") == CLOSE(1)
    assert row(odds, "Coalition wins") == row(odds, "Coalition is wiped out") == 0
    assert dict(odds.means) == {"KIA change": 0, "strength steps lost": 0, "OPs lost": CLOSE(2)}
    assert complete_odds(odds).sections == odds.sections


def test_a_battle_may_come_to_where_nobody_can_hit(field: Field) -> None:
    """[16.1(3a), 16.1(4c)] A strike hits with 1/2 in the first round, and afterwards nobody can."""
    odds = odds_of(field, battle(((0,),), (0,), 0, support=Support((Strike(3),))))

    assert row(odds, "Coalition wins") == CLOSE(1 / 2)
    assert row(odds, "nobody can hit: the battle is lost") == CLOSE(1 / 2)


def test_like_units_are_one_state(field: Field) -> None:
    """[16.1] Eight against eight, two-step units, to the end: every result is a probability, and together they are 1."""
    chances = results(field, battle(((3, 2),) * 4, (2,) * 6, 1))

    assert sum(chances.values()) == CLOSE(1)
    assert all(0 <= chance <= 1 for chance in chances.values())


def test_the_best_placing_of_hits_stands_beside_the_usual_one(field: Field) -> None:
    """[16.3, 16.8] Where they differ, and by how much; where they do not, nothing is said."""
    scene, start = doomed()
    odds = odds_of(field, (scene, start))
    complete = complete_odds(odds)
    usual, best = row(odds, "Coalition wins"), dict(complete.sections[-1][1])["Coalition wins"]

    assert usual < best - 0.1
    assert complete.sections[:-1] == odds.sections, "the other figures do not wait for it"
    assert complete.sections[-1][0] == "If hits are placed with a look ahead"
    alike = odds_of(field, battle(((2,),), (1,), 0))
    assert complete_odds(alike).sections == alike.sections


@pytest.mark.parametrize(("answers", "lost"), [((), 0.3), (("scenario=phantom",), 0.0)])
def test_23_5_a_described_battle_asks_for_its_scenario(answers: tuple[str, ...], lost: float) -> None:
    """[23.5] Without a session, and where the two battles differ: two strikes in an urban space, a sixth each, Vigilant Resolve
    by default, and the note says so. In the open there is no question.
    """
    field = Field()
    field.position = Position()
    answered = ("contact=9", "firepower=6", "opfor=0(0)", "with=air 6, air 0", "morale=stand")
    odds = field.odds("battle", *answered, "terrain=urban", *answers)
    assert dict(odds.means)["OPs lost"] == CLOSE(2 / 6 if lost else 0)
    assert any("Collateral Damage as in" in note for note in odds.notes)

    field.odds("battle", *answered, "terrain=open")
    assert "scenario" not in field.asked_for()


def test_no_outcome_is_too_rare_to_be_listed(field: Field) -> None:
    """[16.5] What is lost and what falls, to the last row: each distribution sums to one, however rare its tails are."""
    odds = field.odds("battle", "contact=2", "firepower=1/1", "opfor=1(2),1(2),1(2),1(2),1(2),1(2)")
    last = [rows for _, rows in odds.sections if rows and all(label.isdecimal() for label, _ in rows)]

    assert last and all(sum(chance for _, chance in rows) == CLOSE(1, abs=1e-7) for rows in last)
    assert any(chance < 5e-5 for rows in last for _, chance in rows)

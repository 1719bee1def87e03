"""Odds against arithmetic of their own: closed forms, and brute force over every die (reference.py)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import isclose

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.requests import Odds
from companion.games.phantomfury.odds import assault_results, descent_results, entry_results, flood_results
from companion.games.phantomfury.referee import FuryReferee
from companion.games.phantomfury.rules.r11_shots import EntryPlace, Street, crossing_results
from companion.games.phantomfury.rules.r13_combat import BOTTOM_UP, NORMAL, TOP_DOWN, TYPES, Scene
from companion.games.phantomfury.state import GUERILLAS, MARTYRS, SUSPECT, Enemy, Fighter
from tests.games.phantomfury.board import Practice
from tests.games.phantomfury.reference import Cup, Foe, Side, against_suspect, against_unit, enter, flood

KINDS = {"g": GUERILLAS, "m": MARTYRS, "s": SUSPECT}
CUP: Cup = (("G1/M1", 2), ("G2/M1", 3), ("G2/M2", 1))


@pytest.fixture(scope="module")
def field() -> Practice:
    return Practice()


def referee(field: Practice) -> FuryReferee:
    referee = field.game.referee(field.position, field.options)
    assert isinstance(referee, FuryReferee)
    return referee


def scene_of(side: Side, *foes: Foe, cup: Cup = ()) -> Scene:
    """The program's own Scene for the same Assault."""
    squad = Fighter(side.cf, side.steps, side.hero, side.element, side.caat, side.pinned, side.iif)
    return Scene(
        squad,
        tuple(Enemy(KINDS[kind], cf) for kind, cf in foes),
        fortified=side.fortified,
        mosque=side.mosque,
        fury=side.fury,
        fanatic=side.fanatic,
        kept=side.kept,
        quiet=side.quiet,
        ways=(float(side.escape),),
        cup=cup or None,
    )


def fate(before: Side, after: Side) -> str:
    if not after.steps:
        return "eliminated"
    if after.steps < before.steps:
        return "reduced"
    if before.caat and not after.caat:
        return "CAAT lost"
    return "Pinned" if after.pinned and not before.pinned else "unharmed"


def same(chances: Mapping[object, float], expected: Mapping[object, float]) -> None:
    keys = {key for key in {*chances, *expected} if max(chances.get(key, 0.0), expected.get(key, 0.0)) > 1e-12}
    assert keys
    for key in keys:
        assert isclose(chances.get(key, 0.0), expected.get(key, 0.0), abs_tol=1e-9), (key, dict(chances), dict(expected))


def reduced(
    before: Side, results: Mapping[tuple[bool, Side], float], words: tuple[str, str] = ("clear", "held")
) -> dict[object, float]:
    chances: dict[object, float] = defaultdict(float)
    for (empty, after), chance in results.items():
        chances[words[0] if empty else words[1], fate(before, after)] += chance
    return dict(chances)


def row(odds: Odds, section: int, label: str) -> float:
    return dict(odds.sections[section][1]).get(label, 0.0)


# -- Fire, the street, regrouping, Missions: closed forms --------------------------------------------------------------


@pytest.mark.parametrize(
    ("cf", "enemy", "roof", "words", "hits"),
    [
        (5, "g2", "no", "nothing", 5),  # +1: a die of 0 to 4
        (5, "g2", "yes", "nothing", 6),
        (5, "m2", "no", "nothing", 4),  # +2
        (5, "m2", "yes", "fortified", 4),  # +2, and Martyrs add nothing there
        (5, "m2", "no", "fortified", 3),  # +3
        (5, "s", "no", "fortified", 5),  # +1 whatever the Zone
        (8, "s", "no", "fury", 9),  # 0: never on a 9
        (12, "g1", "yes", "nothing", 9),
        (6, "m1", "no", "mosque", 4),  # +3 in Zone 26
    ],
)
def test_11_2_fire(field: Practice, cf: int, enemy: str, roof: str, words: str, hits: int) -> None:
    """[11.2, 11.2.1, 11.2.2, 11.2.4] So many of ten faces hit."""
    odds = field.odds("fire", f"cf={cf}", f"enemy={enemy}", f"roof={roof}", f"with={words}")

    assert row(odds, 0, "hit") == pytest.approx(hits / 10)


@pytest.mark.parametrize("units", range(5))
@pytest.mark.parametrize("suspects", range(5))
def test_11_4_2_crossing(units: int, suspects: int) -> None:
    """[11.4.2.1, 11.4.2.3] Two independent dice, each only with an enemy in range; 0 counts."""
    loss = (units + 1) / 10 if units else 0.0
    pinned = (suspects + 1) / 10 if suspects else 0.0

    same(
        crossing_results(Street(units, suspects)),
        {
            (True, True): loss * pinned,
            (True, False): loss * (1 - pinned),
            (False, True): (1 - loss) * pinned,
            (False, False): (1 - loss) * (1 - pinned),
        },
    )


@pytest.mark.parametrize("units", range(4))
def test_11_4_2_2_crossing_with_a_tank(units: int) -> None:
    """[11.4.2.2] Suspects do not count, and a Step Loss is Pinned."""
    pinned = (units + 1) / 10 if units else 0.0

    same(crossing_results(Street(units, 3, True)), {(False, True): pinned, (False, False): 1 - pinned})


@pytest.mark.parametrize(("where", "plus"), [("elsewhere", 0), ("courtyard", 1), ("open", 2), ("street", 2)])
@pytest.mark.parametrize("cf", [3, 5, 6])
def test_14_3_4_regrouping(field: Practice, where: str, plus: int, cf: int) -> None:
    """[14.3.4] A die up to the CF, harder in the Courtyard and in the open; a 9 has no special meaning."""
    good = (cf - plus + 1) / 10
    odds = field.odds("regroup", f"cf={cf}", f"at={where}")

    assert [share for _, share in odds.sections[0][1]] == pytest.approx([good, 1 - (1 - good) ** 2, 1 - (1 - good) ** 3])


@pytest.mark.parametrize(("mission", "good", "times"), [("uav", 0.9, 4), ("ah1w", 0.7, 2), ("fa18", 0.5, 1)])
def test_9_1_missions_in_a_row(field: Practice, mission: str, good: float, times: int) -> None:
    """[9.1, 9.2, 9.3] A geometric row that ends at the first failure; the Reaction shares what fails."""
    odds = field.odds("mission", f"mission={mission}", f"times={times}")
    fails = 1 - good**times

    for count in range(times):
        assert row(odds, 0, f"{count} succeed") == pytest.approx(good**count * (1 - good))
    assert row(odds, 0, f"{times} succeed") == pytest.approx(good**times)
    for title, share in [("No effect", 0.2), ("Counter-attack", 0.2), ("HBIED", 0.1), ("The Eagle of Fallujah", 0.1)]:
        assert row(odds, 1, title) == pytest.approx(fails * share)


# -- Assaults ----------------------------------------------------------------------------------------------------------


def test_13_4_2_assault_closed_form(field: Practice) -> None:
    """[13.4.2] Squad CF 5 against Martyrs CF 1 of a Normal Zone, without Events of either side in the way.

    Without a 0 the squad hits on 1 to 4 (+1), the Martyrs on 1: 4/10 and 1/10 of the dice; what Events do is worked out
    face by face: ours 0, theirs 1 to 9 (9 of 100), theirs 0, ours 1 to 9 (9 of 100), both 0 once.
    """
    side = Side(5, 2)
    ours_zero = 9 / 100  # every Event leaves the unit dead: a 0 hits; the USMC sniper kills CF 1 at once
    theirs_zero = 9 / 100
    hits = 4 / 9  # of the faces 1 to 9
    plain = 1 - ours_zero - theirs_zero - 1 / 100
    clear = plain * hits + ours_zero + 1 / 100 + theirs_zero * (0.2 * hits + 0.2)  # Fanaticism; Suicide Bomber
    results = assault_results(referee(field), scene_of(side, ("m", 1)), NORMAL)

    assert sum(chance for (where, _), chance in results.items() if where == "clear") == pytest.approx(clear)
    assert sum(chance for (_, who), chance in results.items() if who == "eliminated") == pytest.approx(theirs_zero * 0.2)


@pytest.mark.parametrize("form", TYPES)
@pytest.mark.parametrize("explosives", [False, True])
@pytest.mark.parametrize("foe", [("g", 1), ("g", 3), ("m", 1), ("m", 4)])
def test_13_4_assault_of_each_type(field: Practice, form: str, explosives: bool, foe: Foe) -> None:
    """[13.1, 13.2, 13.3, 13.4.4, 13.4.5, 13.4.6, 13.7.1] Every type, with and without explosives."""
    side = Side(5, 2)
    results = assault_results(referee(field), scene_of(side, foe), form, explosives)

    same(results, reduced(side, against_unit(side, foe, form, explosives=explosives)))


@pytest.mark.parametrize("form", [NORMAL, TOP_DOWN, BOTTOM_UP])
@pytest.mark.parametrize("fortified", [False, True])
def test_13_4_1_assault_on_a_suspect(field: Practice, form: str, fortified: bool) -> None:
    """[13.4.1, 5.3.3, 5.3.4, 13.5] Activation, the draw from the cup, then the Assault with +1."""
    side = Side(6, 2, fortified=fortified)
    results = assault_results(referee(field), scene_of(side, ("s", 0), cup=CUP), form)

    same(results, reduced(side, against_suspect(side, form, CUP)))


def test_13_7_1_explosives_without_any_modifier() -> None:
    """[13.7.1] Ruling C-13, switched: no modifier for either side."""
    table = Practice(explosives_drm="both")
    side = Side(5, 2, fanatic=True)
    scene = scene_of(side, ("m", 2))._replace(both=True)
    results = assault_results(referee(table), scene, TOP_DOWN, True)

    same(results, reduced(side, against_unit(side, ("m", 2), TOP_DOWN, explosives=True, both=True)))
    assert results != assault_results(referee(table), scene._replace(both=False), TOP_DOWN, True)


SIDES = st.builds(
    Side,
    cf=st.integers(4, 6),
    steps=st.integers(1, 2),
    hero=st.integers(0, 2),
    element=st.booleans(),
    caat=st.booleans(),
    iif=st.booleans(),
    fortified=st.booleans(),
    mosque=st.booleans(),
    fury=st.booleans(),
    fanatic=st.booleans(),
    kept=st.booleans(),
    quiet=st.booleans(),
    escape=st.booleans(),
)
FOES = st.one_of(st.tuples(st.just("g"), st.integers(1, 3)), st.tuples(st.just("m"), st.integers(1, 4)))


@settings(max_examples=60, deadline=None)
@given(SIDES, FOES, st.sampled_from(TYPES), st.booleans())
def test_13_4_3_any_assault(side: Side, foe: Foe, form: str, explosives: bool) -> None:
    """[13.4.3, 13.4.3.1, 13.4.3.4, 13.4.7.1, 5.1.5.3, 5.1.6.2] Any squad, unit and circumstances."""
    if side.mosque:
        side = side._replace(fortified=True)
    results = assault_results(referee(_shared()), scene_of(side, foe), form, explosives)

    same(results, reduced(side, against_unit(side, foe, form, explosives=explosives)))


_FIELDS: list[Practice] = []


def _shared() -> Practice:
    if not _FIELDS:
        _FIELDS.append(Practice())
    return _FIELDS[0]


# -- Flooding and Defensive Fire ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "foes", [(("g", 1),), (("g", 2), ("g", 1)), (("g", 1), ("m", 1)), (("m", 2), ("g", 3)), (("g", 1), ("g", 2), ("m", 1))]
)
@pytest.mark.parametrize(
    "side", [Side(6, 2), Side(5, 2), Side(6, 1), Side(5, 1, hero=1), Side(6, 2, kept=True), Side(5, 2, escape=False)]
)
def test_13_4_8_flooding_to_its_end(field: Practice, side: Side, foes: tuple[Foe, ...]) -> None:
    """[13.4.8, 13.4.8.1, 13.4.8.2] Zone cleared, squad reduced, squad lost."""
    chances: dict[object, float] = defaultdict(float)
    for result, chance in flood_results(referee(field), scene_of(side, *foes)).items():
        chances[result] += chance

    same(chances, reduced(side, flood(side, foes), ("cleared", "not cleared")))


@pytest.mark.parametrize("foes", [(("g", 1), ("m", 1)), (("m", 1), ("g", 2), ("g", 1))])
@pytest.mark.parametrize("side", [Side(6, 2), Side(5, 2), Side(6, 1), Side(4, 2), Side(6, 2, fortified=True)])
def test_13_4_7_2_a_descent_to_its_end(field: Practice, side: Side, foes: tuple[Foe, ...]) -> None:
    """[13.4.7.2, 13.4.8] The Assault from the roof, whatever the CF; a squad that is full after it must go on."""
    expected: dict[tuple[bool, Side], float] = defaultdict(float)
    for (empty, after), chance in against_unit(side, foes[0], TOP_DOWN).items():
        goes_on = empty and after.steps == 2 and after.now > 4 and not after.fortified
        for end, share in (flood(after, foes[1:]) if goes_on else {(False, after): 1.0}).items():
            expected[end] += chance * share

    same(descent_results(referee(field), scene_of(side, *foes), False), reduced(side, expected, ("cleared", "not cleared")))


@pytest.mark.parametrize(
    "side", [Side(4, 2), Side(5, 1), Side(5, 2, element=True), Side(6, 2, fortified=True), Side(6, 2, pinned=True)]
)
def test_13_4_8_2_too_weak_to_flood(field: Practice, side: Side) -> None:
    """[13.4.8.2, 4.1.5, 11.5] CF 4 or less, a Fortified Zone, a Pinned squad: nothing happens."""
    results = flood_results(referee(field), scene_of(side, ("g", 1)))

    assert list(results.items()) == [(("not cleared", "unharmed"), 1.0)]


def entered(before: Side, after: Side) -> str:
    """Losses first, and Pinned as well."""
    if not after.steps:
        return "eliminated"
    word = fate(before, after._replace(pinned=False))
    if not after.pinned:
        return word
    return "Pinned" if word == "unharmed" else f"{word} and Pinned"


@pytest.mark.parametrize(
    ("entry", "plus"),
    [
        (EntryPlace("C"), 0),
        (EntryPlace("OG"), -1),
        (EntryPlace("OG", tank=True), 1),
        (EntryPlace("C", element=True), 1),
        (EntryPlace("C", ruins=True), 1),
        (EntryPlace("C", element=True, ruins=True), 2),
    ],
)
@pytest.mark.parametrize("fanatic", [False, True])
def test_12_7_2_defensive_fire(field: Practice, entry: EntryPlace, plus: int, fanatic: bool) -> None:
    """[12.7, 12.7.2, 4.1.6] Two units one after another, with every modifier (ruling C-43: they add up)."""
    side = Side(5, 2, fanatic=fanatic, element=entry.element)
    results = entry_results(referee(field), scene_of(side, ("g", 3), ("m", 2)), entry)
    expected: dict[object, float] = defaultdict(float)
    for after, chance in enter(side, (("g", 3), ("m", 2)), plus).items():
        expected[entered(side, after)] += chance

    same(results, expected)


@pytest.mark.parametrize("side", [Side(5, 2), Side(4, 1), Side(6, 2, fortified=True)])
def test_12_7_3_suspects_wake(field: Practice, side: Side) -> None:
    """[12.7.3, 13.5] A unit fires, then a Suspect may wake against the CF of that moment (ruling C-11)."""
    results = entry_results(referee(field), scene_of(side, ("g", 2), ("s", 0), cup=CUP), EntryPlace("C"))
    expected: dict[object, float] = defaultdict(float)
    for after, chance in enter(side, (("g", 2), ("s", 0)), 0, CUP).items():
        expected[entered(side, after)] += chance

    same(results, expected)


def test_13_4_8_flooding_draws_without_return(field: Practice) -> None:
    """[13.4.8, 5.2.1] Working each clash out once gives what playing every Assault whole gives, cup and all."""
    from companion.core.odds import Continued, Finished, round_outcomes
    from companion.games.phantomfury.odds import squad_fate
    from companion.games.phantomfury.rules.r13_combat import Stage, assault_one, may_flood

    whole = Scene(Fighter(6), (Enemy(SUSPECT), Enemy(GUERILLAS, 2, "G2/M2"), Enemy(SUSPECT)), cup=CUP)

    async def play(state: Scene) -> Continued | Finished:
        out = await assault_one(referee(field), state, TOP_DOWN, Stage())
        if out.empty and may_flood(out.scene):
            return Continued(out.scene)
        clear = "cleared" if out.empty and not out.scene.enemies else "not cleared"
        return Finished((clear, squad_fate(whole, out.scene)))

    expected: dict[object, float] = defaultdict(float)
    for (result, _), chance in round_outcomes(whole, play).items():
        expected[result] += chance
    same(flood_results(referee(field), whole), expected)

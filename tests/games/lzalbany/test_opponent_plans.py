"""The solo opponent in positions that its predecessor played badly, and its independence of hidden information."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from companion.core.match import DecisionPoint, Match, compare_by_rollouts, decide_by_rollouts
from companion.core.policies import RandomStream
from companion.core.rollouts import RolloutDecision
from companion.games.lzalbany.ai.features import Features
from companion.games.lzalbany.ai.planner import Lot, Planner
from companion.games.lzalbany.ai.valuation import Valuation, valuation_of
from companion.games.lzalbany.rules.r06_movement import Movers
from companion.games.lzalbany.rules.r07_support import GunshipStrength
from companion.games.lzalbany.rules.r08_hits import Target, target_of
from tests.games.lzalbany.field import Field
from tests.games.lzalbany.test_players import GAME, PLAYERS, game
from tests.measures.strength import STATIONARY


def plan(field: Field, side: str, *groups: str) -> str:
    """Which group does what."""
    recommended = Planner(field.referee, side).group(groups)
    assert recommended is not None
    return f"{recommended.best.decision.group} {recommended.best.decision.action}"


def moves(field: Field, side: str, group: str) -> str:
    return Planner(field.referee, side).moves(Movers(field.referee, side, group).all).best.decision


def stack(field: Field, area: str, company: str, *more: str) -> None:
    field.put(area, *(f"{label}/{company}" for label in ("1", "2", "3", "co")), *more)


def test_a_group_with_mortars_closes_in_and_takes_lz_albany() -> None:
    """[6.2, 4.1C] Neither two mortar dice nor senior officers keep it out of an empty LZ Albany in an adjacent area."""
    field = Field(1)
    stack(field, "b2", "1/1/33", "Man", "An")
    field.put("b3", "1/HQ/1/33", "2/HQ/1/33", "1/Mtr/1/33", "2/Mtr/1/33", "co/HQ/1/33")
    field.put("d2", "1/A/2-7", "2/A/2-7", "co/A/2-7", "McDade")

    assert plan(field, "NVA", "33") == "33 move"
    assert "1/1/1/33 2/1/1/33 3/1/1/33 co/1/1/33 Man An > albany" in moves(field, "NVA", "33")


@pytest.mark.parametrize(("side", "group", "area", "company"), [("US", "ab27", "d3", "A/2-7"), ("NVA", "66", "b2", "6/8/66")])
def test_both_want_lz_albany_at_the_end(side: str, group: str, area: str, company: str) -> None:
    """[4.1C]"""
    field = Field(10)
    stack(field, area, company)
    field.put("a4" if side == "US" else "g3", "1/7/8/66" if side == "US" else "1/C/2-7")
    assert plan(field, side, group) == f"{group} move"
    assert moves(field, side, group).endswith("> albany")


def test_on_turn_1_it_aims_at_officers() -> None:
    """[7.3(4)] At McDade first."""
    field = Field(1)
    field.put("d2", "1/A/2-7", "2/A/2-7", "co/A/2-7", "McDade")
    targets = [target_of(field.piece(name)) for name in ("1/A/2-7", "2/A/2-7", "co/A/2-7", "McDade")]
    recommended = Planner(field.referee, "NVA").hit("first_hit", targets)
    assert recommended is not None and recommended.best.name == "McDade"


def test_a_stack_that_is_hemmed_in_goes_into_the_jungle_with_mcdade() -> None:
    """[7.3(3), 10.2] Three stacks fire at d2, in the open; d3 is jungle behind it."""
    field = Field(2)
    stack(field, "d2", "A/2-7", "McDade")
    for area, company in (("c2", "6/8/66"), ("d1", "7/8/66"), ("albany", "8/8/66")):
        stack(field, area, company)
    assert moves(field, "US", "ab27") == "1/A/2-7 2/A/2-7 3/A/2-7 co/A/2-7 McDade > d3"


def test_two_stacks_fire_at_the_hit_and_seek_no_melee(monkeypatch: pytest.MonkeyPatch) -> None:
    """[7.2] They would mass for a melee if beginning one cost nothing beyond its dice; games say that it does."""
    field = Field(3)
    field.put("d2", "1/A/2-7", "2/A/2-7", hits=2)
    field.put("c2", "1/6/8/66", "co/6/8/66")
    field.put("d1", "1/7/8/66", "2/7/8/66")
    assert plan(field, "NVA", "66") == "66 fire"
    assert "> d2" not in moves(field, "NVA", "66")
    data = field.referee.data
    monkeypatch.setitem(data.side_weights, "NVA", {**data.weights("NVA"), "begun_melee": 0.0})
    data.valuations = None
    assert moves(field, "NVA", "66") == "1/6/8/66 co/6/8/66 1/7/8/66 2/7/8/66 > d2"
    field.put("d2", "1/A/2-7", "2/A/2-7")
    assert "> d2" not in moves(field, "NVA", "66")


def test_a_stack_that_is_hit_is_pulled_back_by_its_officer() -> None:
    """[6.2A] A fresh one stays and fires; a hit one leaves the enemy's reach, and he goes along."""
    for hits, does, goes in ((0, "66 fire", ""), (2, "66 move", "albany")):
        field = Field(4)
        field.put("d2", "1/6/8/66", "2/6/8/66", "3/6/8/66", hits=hits)
        field.put("d2", "co/6/8/66")
        stack(field, "e2", "A/2-7")
        assert plan(field, "NVA", "66") == does
        assert moves(field, "NVA", "66") == (f"1/6/8/66 2/6/8/66 3/6/8/66 co/6/8/66 > {goes}" if goes else "none")


@pytest.mark.parametrize(
    ("turn", "action", "dice", "aimed"), [(1, "fire", 9, True), (4, "fire", 10, False), (4, "move", 14, True)]
)
def test_it_aims_at_officers_when_the_rules_let_it(turn: int, action: str, dice: int, aimed: bool) -> None:
    """[7.2(3b), 7.3(4)] By fire on turn 1 only, in a melee always."""
    field = Field(turn, nva="companion", opponent="proposes")
    stack(field, "c2", "1/1/33")
    field.put("d2", "1/A/2-7", "co/A/2-7")
    where = ["moves=1/1 2/1 3/1 co/1 > d2"] if action == "move" else []
    field.chit("NVA Fire/Move", f"plan=33 {action}", *where, dice=[6] + [1] * (dice - 1), accept=True)
    assert field.says("puts the first hit on co/A/2-7.") is aimed


def test_mortars_do_not_walk_into_contact() -> None:
    """[7.4]"""
    field = Field(3)
    field.put("b4", "1/Mtr/1/33", "2/Mtr/1/33", "co/Mtr/1/33")
    field.put("d3", "1/A/2-7", "2/A/2-7")
    field.put("d4", "3/A/2-7")
    assert moves(field, "NVA", "33") == "none"


def test_adrenaline_waits_for_the_group_that_can_use_it() -> None:
    """[5.3] Not for a mortar and two dice."""
    field = Field(2)
    field.put("a2", "3/10/8/66", "co/10/8/66")
    stack(field, "e2", "6/8/66")
    field.put("d2", "1/A/2-7", "2/A/2-7", "co/A/2-7")
    assert not Planner(field.referee, "NVA").adrenaline("66hq").best.decision
    assert Planner(field.referee, "NVA").adrenaline("66").best.decision


def test_the_artillery_prefers_units_that_it_can_eliminate() -> None:
    """[7.5] Two hit platoons beside its own, not three fresh ones far off."""
    field = Field(2)
    field.put("columbus", "1/Art", "2/Art")
    field.put("b3", "1/6/8/66", "2/6/8/66", "3/6/8/66")
    field.put("c2", "1/7/8/66", hits=2)
    field.put("c2", "2/7/8/66", hits=3)
    field.put("d2", "1/A/2-7", "co/A/2-7")
    recommended = Planner(field.referee, "US").artillery_target(field.piece("1/Art"), ["b3", "c2"])
    assert recommended is not None and recommended.best.decision == "c2"
    assert recommended.lines()[0].startswith("c2: +")


def test_a_gunship_does_not_fly_into_three_platoons() -> None:
    """[7.6(2), 4.1B] Two points for its damage, 42 % likely, are more than four dice bring; a lone mortar is welcome."""
    field = Field(5)
    field.put("e1", "1/Mtr/1/33", hits=2)
    field.put("c2", "1/6/8/66", "2/6/8/66", "3/6/8/66")
    field.put("d2", "1/A/2-7")
    targets = [field.piece(name) for name in ("1/6/8/66", "1/Mtr/1/33")]
    wanted, none = (Planner(field.referee, "US").gunship_target(units, GunshipStrength(4, 2)) for units in (targets, targets[:1]))
    assert wanted is not None and none is not None
    assert (wanted.best.name, none.best.name) == ("1/Mtr/1/33", "none")
    assert "42% to be damaged" in valuation_of(field.referee).gunship(targets[0], GunshipStrength(4, 2))[1]


def test_bad_exchanges_are_declined() -> None:
    """[7.3(5)] One platoon against eight dice in return."""
    field = Field()
    field.put("d2", "1/A/2-7")
    stack(field, "c2", "6/8/66")
    recommended = Planner(field.referee, "US").combat("ab27", ["d2"])
    assert recommended is not None and recommended.best.decision == "done"


def test_it_leaves_a_hopeless_melee_and_stays_in_a_good_one() -> None:
    """[7.2(4)]"""
    field = Field()
    field.put("e2", "4/A/2-7", "1/1/1/33", "2/1/1/33", "3/1/1/33")
    away, stay = (Planner(field.referee, side).retreat("e2") for side in ("US", "NVA"))
    assert away is not None and away.best.decision.startswith("4/A/2-7 > ")
    assert stay is not None and stay.best.decision == "none"


def test_the_wounded_fly_out() -> None:
    """[6.3] Two from LZ Albany, two points each and one that is not lost, rather than one from elsewhere."""
    field = Field(6)
    for name in ("1/C/2-7", "2/C/2-7"):
        field.wounded("albany", name)
    field.wounded("d1", "3/C/2-7")
    recommended = Planner(field.referee, "US").dust_off(["airlift", "evacuate"])
    assert (
        recommended is not None
        and recommended.best.decision == "evacuate"
        and recommended.lines()[0].startswith("evacuate: +6.0 VP")
    )
    assert (area := Planner(field.referee, "US").landing(["d1", "albany"])) and area.best.decision == "albany"


def test_on_the_last_turn_a_hit_costs_its_points() -> None:
    """[4.1] On turn 10 little more than its points counts; a US platoon is worth more than one of the NVA."""
    worth = Valuation(Features(Field(10).referee))
    fresh, hit = Target("US"), Target("US", hits=2)
    assert worth.hit(hit) > 1.5 > 0.2 > worth.hit(fresh)
    assert worth.hit(hit) > worth.hit(Target("NVA", hits=2)) > worth.hit(Target("NVA", hits=1))


def test_trying_moves_leaves_the_board_as_it_was() -> None:
    """A move is weighed on a copy of two stacks, which are put back."""
    field = Field(2)
    stack(field, "d2", "A/2-7")
    stack(field, "c2", "6/8/66")
    board = Features(field.referee)
    before, units = dict(board.stacks["US"]), board.units("US", "d2")
    assert Valuation(board).shift("US", units, "d2", "e2")
    assert {area: stack for area, stack in board.stacks["US"].items() if stack.units} == before


def test_values_are_kept_by_stacks_whatever_the_position() -> None:
    """Counters that came to an area are the stack that was tried there before; kept values are those found anew."""
    before, after = Field(2), Field(2)
    stack(before, "d2", "A/2-7")
    stack(after, "d3", "A/2-7")
    for field in (before, after):
        stack(field, "c2", "6/8/66")
        stack(field, "d4", "7/8/66")
    board = Features(before.referee)
    home = board.stack("US", "d2")
    tried = board.shifted("US", [*home.units, *home.officers], "d2", "d3")["d3"]
    assert tried.units and tried is Features(after.referee).stack("US", "d3")

    def values() -> list[float]:
        valuation = valuation_of(after.referee, "NVA")
        return [valuation.around("NVA", ("c2", goal)) for goal in after.referee.map.neighbours("c2")]

    valuation_of(before.referee, "NVA").around("NVA", ("c2", "d2"))
    kept, data = values(), after.referee.data
    data.stacks = data.valuations = None
    data.shared_values.clear()
    assert values() == kept


@pytest.mark.parametrize(("side", "group"), [("US", "ab27"), ("NVA", "66")])
def test_a_second_round_weighs_again_only_lots_that_are_concerned(monkeypatch: Any, side: str, group: str) -> None:
    """The plan is the one that is found when every lot is weighed in each round, with fewer moves tried."""
    field = Field(3)
    stack(field, "d2", "A/2-7")
    stack(field, "c4", "B/2-7")
    stack(field, "b2", "6/8/66")
    stack(field, "e4", "8/8/66")
    stack(field, "b4", "1/1/33", "Man")
    tried: list[str] = []
    weigh = Planner._move_gain

    def counted(planner: Planner, lot: Lot, goal: str, before: float) -> float:
        tried.append(goal)
        return weigh(planner, lot, goal, before)

    monkeypatch.setattr(Planner, "_move_gain", counted)
    movers = Movers(field.referee, side, group).all
    found, few = Planner(field.referee, side).move_plan(movers), len(tried)
    monkeypatch.setattr(Planner, "_is_settled", lambda planner, lot: False)
    assert Planner(field.referee, side).move_plan(movers) == found and found.summary
    assert few < len(tried) - few


def test_the_reasons_are_few_and_have_numbers() -> None:
    """The value of the proposal, and by how much the others are behind."""
    field = Field()
    stack(field, "e2", "1/1/33")
    stack(field, "d2", "A/2-7")
    recommended = Planner(field.referee, "NVA").group(["33", "66", "66hq"])
    assert recommended is not None
    assert len(recommended.lines()) <= 3 and "VP" in recommended.lines()[0] and recommended.lines()[-1].startswith("out: ")
    assert not any("all alike" in line for line in recommended.lines())


# -- what it may look at -------------------------------------------------------------------------------------------------


def test_the_order_of_the_chits_does_not_change_the_plan() -> None:
    """[3.6] Hidden in the pool: whatever is to come, it decides the same."""
    match = second_turn()
    pieces = dict(match.position.pieces)
    pool = [piece for piece in pieces.values() if piece.place == "pool"]
    reversed_pool = {**{k: p for k, p in pieces.items() if p not in pool}, **{p.id: p for p in reversed(pool)}}
    plans = [
        Planner(GAME.new_referee(match.position.changed(pieces=order), match.options), "NVA").group(["33", "66"])
        for order in (pieces, reversed_pool)
    ]
    assert plans[0] == plans[1] is not None


@pytest.mark.slow
@pytest.mark.parametrize("top", ["US", "NVA"])
def test_rollouts_shuffle_the_pool_whatever_chit_is_on_top(top: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """[3.6] Five chits of twelve are of the US: so are they of 32 sampled draws, within four standard errors."""
    match, drawn, chance = second_turn.__wrapped__(), [], Match.random_reply

    def watched(self: Match, request: Any, *more: Any) -> Any:
        reply = chance(self, request, *more)
        if request.key == "chit":
            drawn.append(reply)
        return reply

    match.play(lambda position: position.flag("phase") == "action")
    pieces = sorted(match.position.pieces.values(), key=lambda p: p.place == "pool" and not p.name.startswith(top))
    point = DecisionPoint(GAME, match.options, {}, match.position.changed(pieces={p.id: p for p in pieces}), seat="us")
    monkeypatch.setattr(PLAYERS, "horizon", 0)
    monkeypatch.setattr(Match, "random_reply", watched)
    for label in range(4):
        compare_by_rollouts(point, "us", ["chit"] * 2, ("one", "the same"), 8, str(label))
    american = sum(not name.startswith("NVA") for name in drawn[::2])
    assert len(drawn) == 64 and drawn[::2] == drawn[1::2]
    assert abs(american - 32 * 5 / 12) < 4 * (32 * 5 / 12 * 7 / 12) ** 0.5


@pytest.mark.slow
def test_rollouts_have_their_own_random_stream() -> None:
    """The same label gives the same rollouts, whatever the dice of the game; another label gives others."""
    match = second_turn()
    thoughts = []
    for seed, label in (("one", "a"), ("two", "a"), ("one", "b")):
        match.luck = RandomStream(seed)
        point = DecisionPoint(GAME, match.options, {}, match.position, _thinking)
        thoughts.append(decide_by_rollouts(point, RolloutDecision("plan", "5.2", "us", ("one", "other")), 2, label).value)
    assert thoughts[0] == thoughts[1] != thoughts[2]


async def _thinking(referee: object) -> None:
    await RolloutDecision("plan", "5.2", "us", ("one", "other"))


@cache
def second_turn() -> Match:
    """A game of two opponents up to turn 2."""
    options = {key: option.default for key, option in GAME.options.items()} | {"scenario": "battle", "map": "practice"}
    options |= PLAYERS.options_for_policies(dict.fromkeys(PLAYERS.seats, "bot"))
    match = Match(GAME, options, {seat: PLAYERS.policy(seat, "bot") for seat in PLAYERS.seats}, RandomStream("peek"), {})
    match.begin()
    match.play(lambda position: PLAYERS.turn(position) >= 2)
    return match


@pytest.mark.parametrize("where", ["practice", "valley"])
def test_it_beats_a_stationary_player(where: str) -> None:
    """One pair with seats swapped; for its strength see tests/measures."""
    first, second = game("bot", STATIONARY, "pair", where), game(STATIONARY, "bot", "pair", where)
    assert PLAYERS.outcome(first.position, first.options).score > PLAYERS.outcome(second.position, second.options).score

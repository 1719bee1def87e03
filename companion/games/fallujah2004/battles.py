"""Exact odds of battles, by the steps of the round that also resolve them on the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import combinations_with_replacement, islice
from typing import Any, NamedTuple

from companion.core.odds import (
    Continued,
    DirectPart,
    Finished,
    ReplyPolicy,
    Rounds,
    RoundsChance,
    distribution,
    distribution_of,
    mean,
    merge,
    paths,
    probability_of,
    suggested_policy,
)
from companion.core.procedures import AnyProcedure
from companion.core.requests import AnyRequest, Odds, Pick
from companion.core.text import format_probability, join_counted, plural
from companion.games.fallujah2004.rules import r16_battle
from companion.games.fallujah2004.rules.r16_battle import Battle, BattleHost, Fighter, Step, Support

Rows = tuple[tuple[str, float], ...]
_NO_SUPPORT = Support()


_ANSWER, _RETURN = len(r16_battle.ROUND) - 3, len(r16_battle.ROUND) - 2
"""The indexes of the steps after the first fire, and after the second."""


class Losses(NamedTuple):
    """The verdict of a battle, "" while it goes on; strength steps lost and OPFOR units killed."""

    verdict: str
    lost: int
    killed: int


class Remainder(NamedTuple):
    """The verdict of a battle, "" while it goes on; the strength steps and the OPFOR units that are left."""

    verdict: str
    steps: int
    units: int


Results = Mapping[tuple[Losses, int], float]
"""The distribution of (losses, OPs lost to Collateral Damage)."""


class Commitment:
    """A decision within a battle, with lazily computed odds; `number`: OPs that a lost battle costs, or hits to place."""

    __slots__ = ("_show", "battle", "number", "stage")

    def __init__(self, stage: BattleHost, battle: Battle, number: int, show: Callable[[BattleHost, Battle, int], Odds]) -> None:
        self.stage = stage
        self.battle = battle
        self.number = number
        self._show = show

    def __call__(self) -> Odds:
        return self._show(self.stage, self.battle, self.number)


def steps_left(battle: Battle) -> int:
    """The strength steps of the Coalition that are left."""
    return sum([fighter.steps for fighter in battle.coalition])


def commit(netwar: bool, strikes: int) -> ReplyPolicy:
    """The policy of committing the NetWar marker or not, and the first `strikes` of the strikes offered."""

    def policy(request: AnyRequest) -> Any:
        if request.key == "netwar":
            return netwar
        if isinstance(request, Pick) and request.key == "strikes":
            return [choice.value for choice in request.choices[:strikes]]
        return suggested_policy(request)

    return policy


_ALL = 99
commit_all = commit(True, _ALL)
"""The policy of committing all support that is offered, and otherwise following suggestions."""


def _left(after: Battle) -> Remainder:
    return Remainder(after.verdict or "", steps_left(after), len(after.opfor))


def _since(start: Battle, left: Remainder) -> Losses:
    return Losses(left.verdict, steps_left(start) - left.steps, len(start.opfor) - left.units)


def _judged(after: Battle) -> Continued | Finished:
    if after.verdict:
        return Finished(_left(after), after.ops)
    ordered = tuple(sorted(after.coalition))
    if after.ops or ordered != after.coalition:
        return Continued(after._replace(coalition=ordered, ops=0), after.ops)
    return Continued(after)


def _verdict(after: Battle) -> Continued | Finished:
    """As `_judged`, if only the verdict matters."""
    if after.verdict:
        return Finished(after.verdict)
    ordered = tuple(sorted(after.coalition))
    return Continued(after._replace(coalition=ordered, ops=0) if after.ops or ordered != after.coalition else after)


async def _round_end(stage: BattleHost, battle: Battle) -> Battle:
    """[16.1(3d), 16.1(4)] The last two steps of a round; nothing is rolled between them."""
    return await r16_battle.continuation(stage, await r16_battle.support_return(stage, battle))


def _parts(stage: BattleHost, policy: ReplyPolicy) -> list[Any]:
    """The steps of a round as parts of its odds, with the same indexes."""
    fire = Fire(stage, policy)
    direct: dict[Step, Any] = {r16_battle.fire: fire, r16_battle.tactical_edge: Edge(stage, policy)}
    parts = [direct.get(part) or partial(part, stage) for part in r16_battle.ROUND[:_RETURN]]
    return [*parts, partial(_round_end, stage)]


class Edge(DirectPart[Battle]):
    """[16.1(2)] The Tactical Edge, rolled once for all battles in which the bonuses are the same and no support is offered."""

    def __init__(self, stage: BattleHost, policy: ReplyPolicy) -> None:
        self._stage = stage
        self._policy = policy
        self._rolled: dict[object, dict[r16_battle.Side | None, float]] = {}

    def outcomes(self, battle: Battle) -> Iterable[tuple[Battle, float]]:
        stage = self._stage
        if battle.support != _NO_SUPPORT:
            return paths(lambda: r16_battle.tactical_edge(stage, battle), self._policy)
        bonuses = r16_battle.edge_bonus(stage.conditions, battle), r16_battle.opfor_bonus(stage.conditions, battle)
        winners = self._rolled.get(bonuses)
        if winners is None:
            rolled = distribution(lambda: r16_battle.tactical_edge(stage, battle), self._policy)
            winners = self._rolled[bonuses] = {after.firing: chance for after, chance in rolled.items()}
        return [(battle._replace(firing=winner), chance) for winner, chance in winners.items()]


class Fire(DirectPart[Battle]):
    """[16.2, 16.3] The fire of a side: volleys and losses, each computed once for all battles in which it is the same."""

    def __init__(self, stage: BattleHost, policy: ReplyPolicy) -> None:
        self._stage = stage
        self._policy = policy
        self._volleys: dict[object, tuple[int, dict[r16_battle.Volley, float]]] = {}
        self._limited: dict[object, dict[r16_battle.Volley, float]] = {}
        self._losses: dict[object, tuple[Fighter, ...]] = {}

    def outcomes(self, battle: Battle) -> Iterator[tuple[Battle, float]]:
        coalition, opfor = battle.coalition, battle.opfor
        if not coalition or not opfor:
            yield battle, 1.0
        elif battle.firing == "coalition":
            firers = coalition, battle.strikes
            for (hits, ops), chance in self._volley(r16_battle.coalition_volley, firers, len(opfor), battle):
                yield r16_battle.after_coalition_fire(battle, self._opfor_left(opfor, hits), ops), chance
        else:
            for (hits, _), chance in self._volley(r16_battle.opfor_volley, opfor, steps_left(battle), battle):
                yield r16_battle.after_opfor_fire(battle, self._coalition_left(battle, hits)), chance

    def _volley(
        self, volley: Callable[[BattleHost, Battle], AnyProcedure], firers: object, most: int, battle: Battle
    ) -> Iterable[tuple[r16_battle.Volley, float]]:
        """The outcomes of a volley; more than `most` hits are as good as `most`."""
        limited = self._limited.get((firers, most))
        if limited is None:
            limit, outcomes = self._volleys.get(firers, (-1, {}))
            if limit < most:
                outcomes = distribution(lambda: volley(self._stage, battle))
                self._volleys[firers] = most, outcomes
            limited = merge((hit if hit.hits <= most else hit._replace(hits=most), chance) for hit, chance in outcomes.items())
            self._limited[firers, most] = limited
        return limited.items()

    def _opfor_left(self, opfor: tuple[Fighter, ...], hits: int) -> tuple[Fighter, ...]:
        left = self._losses.get((opfor, hits))
        if left is None:
            ((left, _),) = paths(lambda: r16_battle.opfor_losses(self._stage, opfor, hits), self._policy)
            self._losses[opfor, hits] = left
        return left

    def _coalition_left(self, battle: Battle, hits: int) -> tuple[Fighter, ...]:
        key = battle if self._stage.compares_hits else battle.coalition
        left = self._losses.get((key, -hits))
        if left is None:
            ((left, _),) = paths(lambda: r16_battle.coalition_losses(self._stage, battle, hits), self._policy)
            self._losses[key, -hits] = left
        return left


def _wins(stage: BattleHost, policy: ReplyPolicy = suggested_policy) -> RoundsChance[Battle]:
    """Solves the chance that the Coalition wins, without the losses."""
    return RoundsChance(*_parts(stage, policy), judge=_verdict, policy=policy, holds=lambda verdict: verdict in r16_battle.WON)


class BattleSolver:
    """Solves a battle from one of its states; partial results are cached."""

    def __init__(self, stage: BattleHost, start: Battle, policy: ReplyPolicy = suggested_policy) -> None:
        self.start = start.canonical()._replace(ops=0)
        self.rounds = Rounds[Battle](*_parts(stage, policy), judge=_judged, policy=policy)

    def results(self, part: Step = r16_battle.ROUND[0], start: Battle | None = None) -> Results:
        """The results from a state (default: the start of the solver), with `part` as the next step of the round."""
        begin = start or self.start
        ends = self.rounds.outcomes(begin, r16_battle.ROUND.index(part)).items()
        return {(_since(begin, left), ops): chance for (left, ops), chance in ends}

    def remainders(self, starts: Mapping[Battle, float]) -> Mapping[tuple[Remainder, int], float]:
        """The distribution of (what is left, OPs lost to Collateral Damage), where each start has a chance."""
        return self.rounds.mixed_outcomes(starts)

    def next_round(self) -> dict[tuple[int, int], float]:
        """The distribution of (strength steps lost, OPFOR units eliminated) of a single round."""
        ends = self.rounds.one_round(self.start).items()
        left = ((after if isinstance(after, Remainder) else _left(after), chance) for (after, _), chance in ends)
        losses = ((_since(self.start, after), chance) for after, chance in left)
        return merge(((loss.lost, loss.killed), chance) for loss, chance in losses)


def chance_of(results: Results, *verdicts: str) -> float:
    """The probability that the battle ends with one of some verdicts."""
    return probability_of(results, lambda result: result[0].verdict in verdicts)


def _rows(numbers: Mapping[int, float]) -> Rows:
    return tuple((str(number), chance) for number, chance in numbers.items())


def _kia(result: tuple[Losses, int]) -> int:
    return result[0].killed - result[0].lost


def _steps(result: tuple[Losses, int]) -> int:
    return result[0].lost


def _means(results: Results, ops_lost: Callable[[Any], int]) -> Rows:
    return (
        ("KIA change", mean(distribution_of(results, _kia))),
        ("strength steps lost", mean(distribution_of(results, _steps))),
        ("OPs lost", mean(distribution_of(results, ops_lost))),
    )


def _ops(loss: int) -> Callable[[tuple[Losses, int]], int]:
    """[17.0, 23.5] Returns the OPs that a result costs; `loss`: those of the Nodes if the battle is lost."""
    return lambda result: result[1] + (loss if result[0].verdict == "lost" else 0)


def strongest_first(battle: Battle) -> Battle:
    """The battle with its strikes sorted by firepower, then those without Collateral Damage first."""
    strikes = tuple(sorted(battle.support.strikes, key=lambda strike: (-strike.fire, not strike.clean)))
    return battle._replace(support=battle.support._replace(strikes=strikes))


def netwar_odds(stage: BattleHost, battle: Battle, loss_ops: int = 0) -> Odds:
    """[16.1(2c)] Compare a battle with and without the NetWar marker, with no strike and with all of them."""
    strikes = {", no strike": 0, ", all strikes": _ALL} if battle.support.strikes else {"": 0}
    policies = [
        (f"{'with' if netwar else 'without'} the NetWar marker{words}", commit(netwar, count))
        for words, count in strikes.items()
        for netwar in (False, True)
    ]
    title = "The battle to its end, with and without NetWar"
    return _compare(stage, strongest_first(battle), r16_battle.ROUND[1], policies, loss_ops, title, "16.1(2c)", ("no", "yes"))


def strike_odds(stage: BattleHost, battle: Battle, loss_ops: int = 0) -> Odds:
    """[16.1(3a)] Compare a battle with each number of strikes, the strongest first."""
    best = strongest_first(battle)
    strikes = best.support.strikes
    policies = [("none", commit(False, 0))]
    for count in range(1, len(strikes) + 1):
        policies.append((f"{count}: {join_counted([strike.name for strike in strikes[:count]])}", commit(False, count)))
    title = "The battle to its end, by the strikes committed now"
    return _compare(stage, best, r16_battle.ROUND[2], policies, loss_ops, title, "16.1(3a)", ())


def _compare(
    stage: BattleHost,
    battle: Battle,
    part: Step,
    policies: Sequence[tuple[str, ReplyPolicy]],
    loss_ops: int,
    title: str,
    rule: str,
    values: Sequence[str],
) -> Odds:
    """A row for each policy, and the mean costs of the first and the last; `values`: the answers of the first policies."""
    solved = [(label, BattleSolver(stage, battle, policy).results(part)) for label, policy in policies]
    ops = _ops(loss_ops)
    means = tuple((f"{name}; {label}", mean) for label, results in (solved[0], solved[-1]) for name, mean in _means(results, ops))
    wins = tuple((label, chance_of(results, *r16_battle.WON)) for label, results in solved)
    beside = tuple((value, f"{format_probability(chance, 1)} won") for value, (_, chance) in zip(values, wins, strict=False))
    notes = ("Support is committed in this round only.", *_notes(stage))
    losses = tuple((label, chance_of(results, "lost")) for label, results in solved)
    return Odds(title, rule, (("The Coalition wins", wins), ("It is wiped out", losses)), means, notes, beside)


def _notes(stage: BattleHost) -> tuple[str, ...]:
    return (
        f"Assumes OPFOR {'stands' if stage.opfor_standing else 'breaks off'} after each round.",
        "The Coalition loses the least firepower and never withdraws; better play wins no less often.",
    )


class HitLookahead(BattleHost):
    """Places hits where the Coalition wins most often; `margin`: the gain for which more than the least firepower is lost."""

    compares_hits = True

    def __init__(self, stage: BattleHost, start: Battle, margin: float = 0.0) -> None:
        super().__init__(stage.referee, stage.conditions, stage.opfor_standing)
        self._solver = _wins(stage)
        self._losses = BattleSolver(stage, start)
        self._margin = margin
        self._chances: tuple[dict[Battle, float], ...] = tuple({} for _ in r16_battle.ROUND)

    def win(self, battle: Battle, hits: Sequence[int]) -> float:
        """The chance to win if the units at these indexes take the hits of OPFOR's fire."""
        return self._win(_after(battle, r16_battle.after_hits(battle.coalition, hits)), _next_part(battle))

    def _win(self, after: Battle, part: int) -> float:
        chance = self._chances[part].get(after)
        if chance is None:
            chance = self._chances[part][after] = self._solver.chance(after, part)
        return chance

    def results(self, battle: Battle, hits: Sequence[int]) -> Results:
        """The results of the battle after these hits, with the losses from then on."""
        after = _after(battle, r16_battle.after_hits(battle.coalition, hits))
        ends = self._losses.rounds.outcomes(after, _next_part(battle)).items()
        return {(_since(after, left), ops): chance for (left, ops), chance in ends}

    def suggested_hits(self, battle: Battle, hits: int) -> tuple[int, ...]:
        least = r16_battle.least_loss(battle.coalition, hits)
        if steps_left(battle) > MOST_STEPS:
            return least
        start, part = _after(battle, ()), _next_part(battle)
        ways = {way: left for left, way in _allocations(battle.coalition, hits)}
        lost = r16_battle.nameless(r16_battle.after_hits(battle.coalition, least))
        wins = {way: self._win(Battle(left, *start[1:]), part) for way, left in {least: lost, **ways}.items()}
        best = max(wins, key=lambda way: wins[way])
        return best if wins[best] > wins[least] + self._margin + 1e-12 else least


def _after(battle: Battle, coalition: Sequence[Fighter]) -> Battle:
    """The battle, without names, after OPFOR's fire has left a force."""
    after = battle._replace(coalition=r16_battle.nameless(coalition), opfor=r16_battle.nameless(battle.opfor))
    return after._replace(firing="coalition", second_fire=True, ops=0)


def _next_part(battle: Battle) -> int:
    """The index of the step that follows OPFOR's fire."""
    return _RETURN if battle.second_fire else _ANSWER


MOST_STEPS = 14
"""The number of strength steps above which looking ahead takes too long."""


def allocations(fighters: Sequence[Fighter], hits: int) -> list[tuple[int, ...]]:
    """The different ways to place some hits, by the indexes of the units; at most 200."""
    return [way for _, way in _allocations(tuple(fighters), hits)]


@lru_cache(maxsize=2048)
def _allocations(fighters: tuple[Fighter, ...], hits: int) -> tuple[tuple[tuple[Fighter, ...], tuple[int, ...]], ...]:
    """The forces, without names, that the ways to place some hits leave, each with the way."""
    ways = combinations_with_replacement(range(len(fighters)), hits)
    able = (way for way in ways if all(way.count(index) <= fighters[index].steps for index in way))
    return tuple({r16_battle.nameless(r16_battle.after_hits(fighters, way)): way for way in islice(able, 200)}.items())


def hit_odds(stage: BattleHost, battle: Battle, hits: int) -> Odds:
    """[16.3] Compare the ways to place the hits, the best first."""
    lookahead = HitLookahead(stage, battle)
    ways = [(join_counted([battle.coalition[index].name for index in way]), way) for way in allocations(battle.coalition, hits)]
    rows = sorted(((label, lookahead.win(battle, way)) for label, way in ways), key=lambda row: -row[1])
    losses = {label: chance_of(lookahead.results(battle, way), "lost") for label, way in ways}
    note = "Later hits lose the least firepower; no more support is committed, no unit withdraws; better play wins no less often."
    notes = (_notes(stage)[0], note)
    title = "Where the hits go, and the battle to its end"
    beside = tuple((label, f"{format_probability(win, 1)} won") for label, win in rows) if hits == 1 else ()
    sections = (
        ("The Coalition wins if they go to", tuple(rows)),
        ("It is wiped out", tuple((label, losses[label]) for label, _ in rows)),
    )
    return Odds(title, "16.3", sections, (), notes, beside)


def battle_odds(stage: BattleHost, battle: Battle, loss_ops: int = 0) -> Odds:
    """The odds of a battle's end: win, KIA change, steps and OPs lost; `loss_ops`: the OPs that a defeat costs by Nodes."""
    supported = ("All support offered is committed in the first round.",) if battle.support != Support() else ()
    results = BattleSolver(stage, battle, commit_all).results()
    sections, means = _sections(results, _ops(loss_ops), _at_best(stage, battle))
    return Odds("Battle to the end", "16.1", sections, means, (*_notes(stage), *supported))


def continuation_odds(stage: BattleHost, battle: Battle, loss_ops: int) -> Odds:
    """[16.1(4c)] The odds of continuing, for one more round and to the end, and the certain cost of withdrawing."""
    solver = BattleSolver(stage, battle._replace(support=Support()))
    sections, means = _sections(solver.results(), _ops(loss_ops), _at_best(stage, battle._replace(support=Support())))
    next_round = solver.next_round()
    sections += (
        ("In the next round: strength steps lost", _rows(distribution_of(next_round, lambda losses: losses[0]))),
        ("In the next round: OPFOR units eliminated", _rows(distribution_of(next_round, lambda losses: losses[1]))),
    )
    certain = f"Withdrawing now loses the battle: no strength step, {plural(loss_ops, 'OP')}, KIA unchanged."
    wins = dict(sections[0][1])["Coalition wins"]
    lost = f"lost, {plural(loss_ops, 'OP')}" if loss_ops else "lost"
    beside = (("continue", f"{format_probability(wins, 1)} won"), ("withdraw", lost))
    return Odds("If you continue to the end", "16.1", sections, means, (certain, *_notes(stage)), beside)


def _at_best(stage: BattleHost, battle: Battle) -> float:
    """The chance to win if hits are placed by looking ahead."""
    start = battle.canonical()._replace(ops=0)
    return _wins(HitLookahead(stage, battle), commit_all).chance(start)


def _sections(results: Results, ops: Callable[[Any], int], best: float) -> tuple[tuple[tuple[str, Rows], ...], Rows]:
    breaks_off, wins = chance_of(results, "broke off"), chance_of(results, *r16_battle.WON)
    outcome = (
        ("Coalition wins", wins),
        *((("the same, hits placed with a look ahead", best),) if best > wins + 5e-4 else ()),
        *((("of these, OPFOR breaks off", breaks_off),) if breaks_off else ()),
        ("Coalition is wiped out", chance_of(results, "lost")),
    )
    return (
        ("Outcome", outcome),
        ("KIA index changes by", _rows(distribution_of(results, _kia))),
        ("Strength steps lost", _rows(distribution_of(results, _steps))),
        ("OPs lost", _rows(distribution_of(results, ops))),
    ), _means(results, ops)

"""Exact odds of battles, by the steps of the round that also resolve them on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import combinations_with_replacement, islice
from math import comb, prod
from typing import Any

from companion.core.named_tuple import NamedTuple
from companion.core.odds import (
    Continued,
    DirectPart,
    Finished,
    ReplyPolicy,
    Rounds,
    RoundsMean,
    RoundsMeans,
    distribution,
    distribution_of,
    mean,
    merge,
    paths,
    probability_of,
    suggested_policy,
)
from companion.core.procedures import AnyProcedure, Progress, ProgressCallback, ignore_progress
from companion.core.request import LongOdds, Sections
from companion.core.requests import AnyRequest, Odds, Pick
from companion.core.text import format_probability, join_counted, plural
from companion.games.fallujah2004.notation import MOB
from companion.games.fallujah2004.rules import r16_battle
from companion.games.fallujah2004.rules.r16_battle import Battle, BattleHost, Conditions, Fighter, Step, Strike, Support

Rows = tuple[tuple[str, float], ...]
_NO_SUPPORT = Support()


_MOB, _EDGE, _SUPPORT, _FIRST_FIRE, _ANSWER, _RETURN = range(len(r16_battle.ROUND) - 1)
"""The indexes of the steps: the second fire is the answer, and the last two are one part."""


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


class Force(tuple[Fighter, ...]):
    """Units in a fixed order. The hash is computed once: battles are looked up by it again and again."""

    _hash: int | None = None

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = super().__hash__()
        return self._hash


def _normalised(after: Battle) -> Battle:
    """The battle that goes on, without the OPs lost so far."""
    coalition, opfor = after.coalition, after.opfor
    if not after.ops and type(coalition) is Force and type(opfor) is Force:
        return after
    coalition = coalition if type(coalition) is Force else Force(sorted(coalition))
    return after._replace(coalition=coalition, opfor=opfor if type(opfor) is Force else Force(opfor), ops=0)


def _judged(after: Battle) -> Continued | Finished:
    return Finished(_left(after), after.ops) if after.verdict else Continued(_normalised(after), after.ops)


def _verdict(after: Battle) -> Continued | Finished:
    """As `_judged`, if only the verdict matters."""
    return Finished(after.verdict) if after.verdict else Continued(_normalised(after))


async def _round_end(stage: BattleHost, battle: Battle) -> Battle:
    """[16.1(3d), 16.1(4)] The last two steps of a round; nothing is rolled between them."""
    return await r16_battle.continuation(stage, await r16_battle.support_return(stage, battle))


def _parts(stage: BattleHost, policy: ReplyPolicy, start: Battle, strikes: bool) -> list[Any]:
    """The steps of a round as parts of its odds, with the same indexes; None for a step that does nothing after this start.

    `strikes`: strikes may be offered in the first round.
    """
    parts: list[Any] = [partial(part, stage) for part in r16_battle.ROUND[:_RETURN]]
    parts[_MOB] = parts[_MOB] if has_mob(start) else None
    parts[_EDGE] = Edge(stage, policy)
    parts[_SUPPORT] = FireSupport(stage, policy) if strikes else None
    parts[_FIRST_FIRE] = parts[_ANSWER] = Fire(stage, policy)
    return [*parts, partial(_round_end, stage)]


def has_mob(battle: Battle) -> bool:
    """True if a Mob Attack takes part [14.5]."""
    return any(fighter.kind == MOB for fighter in battle.opfor)


class Edge(DirectPart[Battle]):
    """[16.1(2)] The Tactical Edge, rolled once for all battles in which the bonuses are the same and no support is offered."""

    def __init__(self, stage: BattleHost, policy: ReplyPolicy) -> None:
        self._stage = stage
        self._policy = policy
        self._rolled: dict[object, dict[r16_battle.Side | None, float]] = {}

    def outcomes(self, battle: Battle) -> Iterable[tuple[Battle, float]]:
        stage = self._stage
        if battle.support != _NO_SUPPORT:
            # a marker counts for the Edge alone: what follows is solved once, with it and without
            left = battle.support._replace(netwar=False)
            rolled = paths(lambda: r16_battle.tactical_edge(stage, battle), self._policy)
            return [(after._replace(support=left, netwar=False), chance) for after, chance in rolled]
        bonuses = r16_battle.edge_bonus(stage.conditions, battle), r16_battle.opfor_bonus(stage.conditions, battle)
        winners = self._rolled.get(bonuses)
        if winners is None:
            distinct = distribution(lambda: r16_battle.tactical_edge(stage, battle), self._policy)
            winners = self._rolled[bonuses] = {after.firing: chance for after, chance in distinct.items()}
        return [(battle._replace(firing=winner), chance) for winner, chance in winners.items()]


class FireSupport(DirectPart[Battle]):
    """[16.1(3a)] The commitment of strikes; nothing changes if none are offered."""

    def __init__(self, stage: BattleHost, policy: ReplyPolicy) -> None:
        self._stage = stage
        self._policy = policy

    def outcomes(self, battle: Battle) -> Iterable[tuple[Battle, float]]:
        if not battle.support.strikes:
            return ((battle, 1.0),)
        return paths(lambda: r16_battle.fire_support(self._stage, battle), self._policy)


_FACTORS: Mapping[object, Callable[[Conditions, Battle], Hashable]] = {
    r16_battle.coalition_volley: r16_battle.coalition_fire_factors,
    r16_battle.opfor_volley: r16_battle.opfor_fire_factors,
}
_VOLLEYS: dict[Hashable, dict[r16_battle.Volley, float]] = {}
"""What a volley depends on, with the most hits that matter -> its outcomes; for the battles of all solvers."""
_MAX_VOLLEYS = 10_000


def _spent(battle: Battle, strikes: tuple[Strike, ...]) -> Battle:
    """The battle with these strikes left to fire, and without the support that no later step reads: equal ends are merged."""
    if battle.support == _NO_SUPPORT and battle.strikes == strikes and not battle.netwar:
        return battle
    return battle._replace(support=_NO_SUPPORT, netwar=False, strikes=strikes)


class Fire(DirectPart[Battle]):
    """[16.2, 16.3] The fire of a side: volleys and losses, each computed once for all battles in which it is the same."""

    def __init__(self, stage: BattleHost, policy: ReplyPolicy) -> None:
        self._stage = stage
        self._policy = policy
        self._limited: dict[object, dict[r16_battle.Volley, float]] = {}
        self._losses: dict[object, tuple[Fighter, ...]] = {}

    def outcomes(self, battle: Battle) -> Iterator[tuple[Battle, float]]:
        coalition, opfor = battle.coalition, battle.opfor
        if not coalition or not opfor:
            yield battle, 1.0
        elif battle.firing == "coalition":
            firers, spent = (coalition, battle.strikes), _spent(battle, ())
            for (hits, ops), chance in self._volley(r16_battle.coalition_volley, firers, len(opfor), battle):
                after = r16_battle.after_coalition_fire(spent, self._opfor_left(opfor, hits), ops)
                # after the second fire nobody fires: as if OPFOR had fired last, so that equal ends of a round are merged
                yield (after._replace(firing="coalition") if battle.second_fire else after), chance
        else:
            spent = _spent(battle, battle.strikes)
            for (hits, _), chance in self._volley(r16_battle.opfor_volley, opfor, steps_left(battle), battle):
                yield r16_battle.after_opfor_fire(spent, self._coalition_left(battle, hits)), chance

    def _volley(
        self, volley: Callable[[BattleHost, Battle], AnyProcedure], firers: object, most: int, battle: Battle
    ) -> Iterable[tuple[r16_battle.Volley, float]]:
        """The outcomes of a volley; more than `most` hits are as good as `most`."""
        limited = self._limited.get((firers, most))
        if limited is None:
            # not from the outcomes with a higher limit: their sums differ in the last digit, and then with what was solved before
            outcomes = self._shared(volley, most, battle)
            limited = merge((hit if hit.hits <= most else hit._replace(hits=most), chance) for hit, chance in outcomes.items())
            self._limited[firers, most] = limited
        return limited.items()

    def _shared(
        self, volley: Callable[[BattleHost, Battle], AnyProcedure], most: int, battle: Battle
    ) -> dict[r16_battle.Volley, float]:
        """The outcomes of a volley of which at most so many hits matter, shared with all solvers."""
        key = most, _FACTORS[volley](self._stage.conditions, battle)
        outcomes = _VOLLEYS.get(key)
        if outcomes is None:
            if len(_VOLLEYS) >= _MAX_VOLLEYS:
                _VOLLEYS.clear()
            outcomes = _VOLLEYS[key] = distribution(lambda: volley(self._stage, battle))
        return outcomes

    def _opfor_left(self, opfor: tuple[Fighter, ...], hits: int) -> tuple[Fighter, ...]:
        left = self._losses.get((opfor, hits))
        if left is None:
            ((units, _),) = paths(lambda: r16_battle.opfor_losses(self._stage, opfor, hits), self._policy)
            left = self._losses[opfor, hits] = Force(units)
        return left

    def _coalition_left(self, battle: Battle, hits: int) -> tuple[Fighter, ...]:
        key = battle if self._stage.compares_hits else battle.coalition
        left = self._losses.get((key, -hits))
        if left is None:
            ((units, _),) = paths(lambda: r16_battle.coalition_losses(self._stage, battle, hits), self._policy)
            left = self._losses[key, -hits] = Force(sorted(units))
        return left


def _won(verdict: str) -> float:
    return float(verdict in r16_battle.WON)


def _worths(left: Remainder) -> tuple[float, ...]:
    """What a forecast is made of: a win, OPFOR units and strength steps left; the OPs lost are the costs."""
    return _won(left.verdict), left.units, left.steps, 0.0


class Forecast(NamedTuple):
    """The expected end of a battle: the chance to win, and mean OPFOR units, strength steps and OPs lost."""

    win: float
    killed: float
    lost: float
    ops: float


class BattleSolver:
    """Solves a battle from one of its states; partial results are cached.

    `strikes`: other states that are solved may be offered strikes, even if the start is not.
    """

    def __init__(self, stage: BattleHost, start: Battle, policy: ReplyPolicy = suggested_policy, strikes: bool = False) -> None:
        start = self.start = start.canonical()._replace(ops=0)
        self._policy = policy
        self._strikes = strikes or bool(start.support.strikes)
        self._parts = _parts(stage, policy, start, self._strikes)
        self.rounds = Rounds[Battle](*self._parts, judge=_judged, policy=policy)
        self._means = RoundsMeans(
            *self._parts, worths=_worths, cost_worths=(0.0, 0.0, 0.0, 1.0), like=self.rounds, judge=_judged, policy=policy
        )

    def _begin(self, start: Battle | None) -> Battle:
        """A state to solve, by default the start. Raises ValueError: it has a mob or strikes, which the start has not."""
        begin = start or self.start
        if (has_mob(begin) and not has_mob(self.start)) or (begin.support.strikes and not self._strikes):
            raise ValueError("a solver for battles without a mob or strikes")
        return begin

    def results(self, part: Step = r16_battle.ROUND[0], start: Battle | None = None) -> Results:
        """The results from a state (default: the start of the solver), with `part` as the next step of the round."""
        begin = self._begin(start)
        ends = self.rounds.outcomes(begin, r16_battle.ROUND.index(part)).items()
        return {(_since(begin, left), ops): chance for (left, ops), chance in ends}

    def forecast(self, part: Step = r16_battle.ROUND[0], start: Battle | None = None) -> Forecast:
        """The means of the results, for which the distributions are not needed; arguments as for `results`."""
        begin = self._begin(start)
        win, units, steps, ops = self._means.means(begin, r16_battle.ROUND.index(part))
        return Forecast(win, len(begin.opfor) - units, steps_left(begin) - steps, ops)

    def remainders(self, starts: Mapping[Battle, float]) -> Mapping[tuple[Remainder, int], float]:
        """The distribution of (what is left, OPs lost to Collateral Damage), where each start has a chance."""
        return self.rounds.mixed_outcomes({self._begin(start): chance for start, chance in starts.items()})

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
    return lambda result: result[1] + (0 if result[0].verdict in r16_battle.WON else loss)


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

    def __init__(self, stage: BattleHost, start: Battle, margin: float = 0.0, watch: ProgressCallback = ignore_progress) -> None:
        super().__init__(stage.referee, stage.conditions, stage.opfor_standing)
        self._stage = stage
        self._parts = _parts(
            stage, commit_all, start, bool(start.support.strikes)
        )  # support that is offered still is committed; hits are placed before any is
        self._solver = self._wins(*self._parts)
        self._losses = BattleSolver(stage, start)
        self._watch = watch
        self._placed = 0
        self._total = _decisions(start)
        self._margin = margin

    def _wins(self, *parts: Any, like: RoundsMean[Battle] | None = None) -> RoundsMean[Battle]:
        return RoundsMean(*parts, worth=_won, like=like, judge=_verdict, policy=commit_all)

    def best(self, start: Battle) -> float:
        """The chance to win from the start of a round if all hits are placed so."""
        fire = Fire(self, commit_all)
        parts = [fire if isinstance(part, Fire) else part for part in self._parts]
        return self._wins(*parts, like=self._solver).mean(start.canonical()._replace(ops=0))

    def win(self, battle: Battle, hits: Sequence[int]) -> float:
        """The chance to win if the units at these indexes take the hits of OPFOR's fire."""
        return self._solver.mean(_after(battle, r16_battle.after_hits(battle.coalition, hits)), _next_part(battle))

    def forecast(self, battle: Battle, hits: Sequence[int]) -> Forecast:
        """The forecast of the battle after these hits, with the losses from then on."""
        after = _after(battle, r16_battle.after_hits(battle.coalition, hits))
        return self._losses.forecast(r16_battle.ROUND[_next_part(battle)], after)

    def wipe_out(self, battle: Battle, hits: Sequence[int]) -> float:
        """The chance that the Coalition is wiped out after these hits."""
        after = _after(battle, r16_battle.after_hits(battle.coalition, hits))
        return chance_of(self._losses.results(r16_battle.ROUND[_next_part(battle)], after), "lost")

    def suggested_hits(self, battle: Battle, hits: int) -> tuple[int, ...]:
        least = r16_battle.least_loss(battle.coalition, hits)
        if steps_left(battle) > MOST_STEPS:
            return least
        self._placed += 1
        self._watch(Progress(min(self._placed, self._total - 1), self._total, "16.3"))
        start, part = _after(battle, ()), _next_part(battle)
        ways = {way: left for left, way in _allocations(battle.coalition, hits)}
        lost = r16_battle.nameless(r16_battle.after_hits(battle.coalition, least))
        wins = {way: self._solver.mean(Battle(left, *start[1:]), part) for way, left in {least: lost, **ways}.items()}
        best = max(wins, key=lambda way: wins[way])
        return best if wins[best] > wins[least] + self._margin + 1e-12 else least


def _decisions(start: Battle) -> int:
    """Roughly how often hits are placed in all the ways that a battle can go: the forces that may be left, and up to six hits."""
    alike = Counter(nameless[:3] for nameless in start.coalition)
    return prod([comb(count + fighter[2], count) for fighter, count in alike.items()], start=6 * (len(start.opfor) + 1))


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
    losses = {label: lookahead.wipe_out(battle, way) for label, way in ways}
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
    sections, means = _sections(results, _ops(loss_ops))
    later = partial(_best_sections, stage, battle, dict(sections[0][1])["Coalition wins"])
    return LongOdds.of(Odds("Battle to the end", "16.1", sections, means, (*_notes(stage), *supported)), later)


def continuation_odds(stage: BattleHost, battle: Battle, loss_ops: int) -> Odds:
    """[16.1(4c)] The odds of continuing, for one more round and to the end, and the certain cost of withdrawing."""
    battle = battle._replace(support=Support())
    solver = BattleSolver(stage, battle)
    sections, means = _sections(solver.results(), _ops(loss_ops))
    next_round = solver.next_round()
    sections += (
        ("In the next round: strength steps lost", _rows(distribution_of(next_round, lambda losses: losses[0]))),
        ("In the next round: OPFOR units eliminated", _rows(distribution_of(next_round, lambda losses: losses[1]))),
    )
    certain = f"Withdrawing now loses the battle: no strength step, {plural(loss_ops, 'OP')}, KIA unchanged."
    wins = dict(sections[0][1])["Coalition wins"]
    lost = f"lost, {plural(loss_ops, 'OP')}" if loss_ops else "lost"
    beside = (("continue", f"{format_probability(wins, 1)} won"), ("withdraw", lost))
    later = partial(_best_sections, stage, battle, wins)
    return LongOdds.of(Odds("If you continue to the end", "16.1", sections, means, (certain, *_notes(stage)), beside), later)


def _best_sections(stage: BattleHost, battle: Battle, wins: float, watch: ProgressCallback) -> Sections:
    """The chance to win if hits are placed by looking ahead; nothing if it is no better than without."""
    best = HitLookahead(stage, battle, watch=watch).best(battle)
    return (("If hits are placed with a look ahead", (("Coalition wins", best),)),) if best > wins + 5e-4 else ()


def _sections(results: Results, ops: Callable[[Any], int]) -> tuple[tuple[tuple[str, Rows], ...], Rows]:
    stuck, breaks_off, wins = chance_of(results, "standoff"), chance_of(results, "broke off"), chance_of(results, *r16_battle.WON)
    outcome = (
        ("Coalition wins", wins),
        *((("of these, OPFOR breaks off", breaks_off),) if breaks_off else ()),
        ("Coalition is wiped out", chance_of(results, "lost")),
        *((("nobody can hit: the battle is lost", stuck),) if stuck else ()),
    )
    return (
        ("Outcome", outcome),
        ("KIA index changes by", _rows(distribution_of(results, _kia))),
        ("Strength steps lost", _rows(distribution_of(results, _steps))),
        ("OPs lost", _rows(distribution_of(results, ops))),
    ), _means(results, ops)

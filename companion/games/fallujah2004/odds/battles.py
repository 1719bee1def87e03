"""Exact odds of battles, from the parts of the round that resolve them on the table too."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from companion.core.odds import Ended, Onward, Policy, Rounds, mean, merged, share, spread, suggested
from companion.core.requests import Odds, Pick, Request
from companion.core.words import plural
from companion.games.fallujah2004.rules.r16_battle import ROUND
from companion.games.fallujah2004.rules.r16_stage import WON, Battle, Part, Stage, Support

Rows = tuple[tuple[str, float], ...]


class Toll(NamedTuple):
    """How a battle stands: its verdict, "" while it goes on, and the losses so far."""

    verdict: str
    lost: int
    killed: int


Results = Mapping[tuple[Toll, int], float]
"""The distribution of (toll, OPs lost to Collateral Damage)."""


def steps_of(battle: Battle) -> int:
    """The strength steps that the Coalition has left."""
    return sum([fighter.steps for fighter in battle.coalition])


def everything(request: Request[Any]) -> Any:
    """The policy of committing all support that is offered; else what is suggested."""
    if request.key == "netwar":
        return True
    if isinstance(request, Pick) and request.key == "strikes":
        return [choice.value for choice in request.choices]
    return suggested(request)


class OnPaper:
    """A battle on paper, from a state of it; what has been worked out serves each further question.

    Args:
        stage: where it is fought; a silent one.
        start: how it stands.
        policy: the player's; hits are placed and support is committed by it.
    """

    def __init__(self, stage: Stage, start: Battle, policy: Policy = suggested) -> None:
        self.start = start.plain()._replace(ops=0)
        parts = {part: partial(part, stage) for part in ROUND}
        self.rounds = Rounds[Battle](*[parts[part] for part in ROUND], judge=self._judge, policy=policy)

    def _toll(self, after: Battle) -> Toll:
        return Toll(after.verdict or "", steps_of(self.start) - steps_of(after), len(self.start.opfor) - len(after.opfor))

    def _judge(self, after: Battle) -> Onward | Ended:
        if after.verdict:
            return Ended(self._toll(after), after.ops)
        ordered = tuple(sorted(after.coalition))
        if after.ops or ordered != after.coalition:
            return Onward(after._replace(coalition=ordered, ops=0), after.ops)
        return Onward(after)

    def to_the_end(self, part: Part = ROUND[0]) -> Results:
        """Until a verdict; ``part``: what comes next in the present round."""
        return self.rounds.settle(self.start, ROUND.index(part))

    def next_round(self) -> dict[tuple[int, int], float]:
        """The distribution of (strength steps lost, OPFOR units eliminated) of a single round."""
        ends = self.rounds.once(self.start).items()
        tolls = ((after if isinstance(after, Toll) else self._toll(after), chance) for (after, _), chance in ends)
        return merged(((toll.lost, toll.killed), chance) for toll, chance in tolls)


def ended(results: Results, *verdicts: str) -> float:
    """The chance that the battle ends so."""
    return share(results, lambda result: result[0].verdict in verdicts)


def _rows(numbers: Mapping[int, float]) -> Rows:
    return tuple((str(number), chance) for number, chance in numbers.items() if chance > 5e-5)


def _kia(result: tuple[Toll, int]) -> int:
    return result[0].killed - result[0].lost


def _steps(result: tuple[Toll, int]) -> int:
    return result[0].lost


def _means(results: Results, ops_lost: Callable[[Any], int]) -> Rows:
    return (
        ("KIA change", mean(spread(results, _kia))),
        ("strength steps lost", mean(spread(results, _steps))),
        ("OPs lost", mean(spread(results, ops_lost))),
    )


def _ops(loss: int) -> Callable[[tuple[Toll, int]], int]:
    """[17.0, 23.5] The OPs that a result costs, with those of the Nodes where the battle is lost."""
    return lambda result: result[1] + (loss if result[0].verdict == "lost" else 0)


def commitment_odds(stage: Stage, battle: Battle, part: Part, loss_ops: int = 0) -> Odds:
    """What committing everything that is offered in the present round changes, against committing nothing."""
    bare = OnPaper(stage, battle._replace(support=Support())).to_the_end(part)
    full = OnPaper(stage, battle, everything).to_the_end(part)
    offered = [strike.name for strike in battle.support.strikes]
    offered += ["NetWar"] if battle.support.netwar and battle.firing is None else []
    ops = _ops(loss_ops)
    return Odds(
        "The battle to its end, with and without support",
        "16.1(3a)",
        (
            (
                "The Coalition wins",
                (("with nothing committed", ended(bare, *WON)), ("with all of it committed", ended(full, *WON))),
            ),
        ),
        (
            *[(f"{label}, nothing committed", value) for label, value in _means(bare, ops)],
            *[(f"{label}, all committed", value) for label, value in _means(full, ops)],
        ),
        (f"All of it: {', '.join(offered)}, in this round only.", *_notes(stage)),
    )


def _notes(stage: Stage) -> tuple[str, ...]:
    return (
        f"OPFOR is taken to {'stand' if stage.stand else 'break off'} after each round.",
        "Hits on the Coalition are placed where the least firepower is lost; it never withdraws.",
    )


def battle_odds(stage: Stage, battle: Battle, loss_ops: int = 0) -> Odds:
    """The battle to its end: win, KIA change, strength steps lost, OPs lost.

    Args:
        loss_ops: OPs that a lost battle costs by the Nodes of the space, from 0.
    """
    supported = ("All support offered is committed in the first round.",) if battle.support != Support() else ()
    sections, means = _sections(OnPaper(stage, battle, everything).to_the_end(), _ops(loss_ops))
    return Odds("Battle to the end", "16.1", sections, means, (*_notes(stage), *supported))


def continuation_odds(stage: Stage, battle: Battle, loss_ops: int) -> Odds:
    """[16.1(4c)] What continuing leads to, in one more round and to the end, beside what withdrawing costs for certain."""
    paper = OnPaper(stage, battle._replace(support=Support()))
    sections, means = _sections(paper.to_the_end(), _ops(loss_ops))
    following = paper.next_round()
    sections += (
        ("In the next round: strength steps lost", _rows(spread(following, lambda toll: toll[0]))),
        ("In the next round: OPFOR units eliminated", _rows(spread(following, lambda toll: toll[1]))),
    )
    certain = f"Withdrawing now loses the battle: no strength step, {plural(loss_ops, 'OP')}, KIA unchanged."
    return Odds("If you continue to the end", "16.1", sections, means, (certain, *_notes(stage)))


def _sections(results: Results, ops: Callable[[Any], int]) -> tuple[tuple[tuple[str, Rows], ...], Rows]:
    breaks_off = ended(results, "broke off")
    outcome = (
        ("Coalition wins", ended(results, *WON)),
        *((("of these, OPFOR breaks off", breaks_off),) if breaks_off else ()),
        ("Coalition is wiped out", ended(results, "lost")),
    )
    return (
        ("Outcome", outcome),
        ("KIA index changes by", _rows(spread(results, _kia))),
        ("Strength steps lost", _rows(spread(results, _steps))),
        ("OPs lost", _rows(spread(results, ops))),
    ), _means(results, ops)

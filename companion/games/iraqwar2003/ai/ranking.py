"""Rank candidates by the priorities of ``ai.toml``, let weaker levels slip, and announce the choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.candidates import Candidate, rank, read_priorities
from companion.core.rollouts import RolloutDecision, level_of
from companion.games.iraqwar2003.referee import IraqWarReferee

MEASURES = ("vp", "rate", "does", "risk", "cost")
"""Measures that priorities may name: value, value per cost, whether anything is done, chance of a loss, cost."""
NOTHING = "nothing more"
DONE = "done"


class Choice(NamedTuple):
    """A chosen candidate and the reasons, a line each."""

    best: Candidate[str]
    lines: tuple[str, ...]


def candidate(
    name: str, answer: str, value: float = 0.0, detail: str = "", risk: float = 0.0, does: bool = True, cost: int = 0
) -> Candidate[str]:
    """A candidate with its measures.

    Args:
        name: The decision in words.
        answer: The decision as it is typed.
        value: In victory points for the side that decides.
        detail: What the value rests on.
        risk: The expected or probable loss of what is sent.
        does: Whether anything is done.
        cost: Command points, or values that could serve elsewhere.
    """
    rate = round(100 * value / max(cost, 1))
    measures = {"vp": round(100 * value), "rate": rate, "does": does, "risk": round(100 * risk), "cost": cost}
    return Candidate(answer, name, value, 0.0, (detail,) if detail else (), measures)


def choose(referee: IraqWarReferee, decision: str, candidates: Sequence[Candidate[str]], source: str = "exact odds") -> Choice:
    """Choose by the priorities of a decision. ``source``: where the values come from."""
    ranking = rank(candidates, read_priorities(referee.priorities, decision, MEASURES))
    return Choice(ranking.best, ranking.lines(source=source, digits=2))


def announce(referee: IraqWarReferee, text: str, rule: str, *reasons: str) -> None:
    """Say what is proposed or done, with the reasons."""
    referee.because = reasons
    referee.say(text, rule, *reasons)


def slips(referee: IraqWarReferee, side: str) -> bool:
    """Return True if Companion plays a side at a level that makes mistakes."""
    return referee.computer_plays(side) and level_of(referee.options, side).slips > 0


async def with_slips(
    referee: IraqWarReferee, key: str, rule: str, side: str, choice: Choice, candidates: Sequence[Candidate[str]]
) -> Choice:
    """The choice, or the worst candidate if the level slips."""
    if not slips(referee, side) or len(candidates) < 2 or not referee.option("opponent"):
        return choice
    worst = min((other for other in candidates if other is not choice.best), key=lambda other: other.value)
    stats = await RolloutDecision(key, rule, side, [choice.best.name, worst.name])
    if not stats.choice:
        return choice
    return Choice(worst, (f"a mistake of the easy level; better is {choice.best.name}", *choice.lines))


async def with_rollouts(
    referee: IraqWarReferee, key: str, rule: str, side: str, choice: Choice, candidates: Sequence[Candidate[str]], most: int = 3
) -> Choice:
    """The choice, unless rollouts show another candidate to be better. ``most``: candidates that are played on."""
    sign = 1 if slips(referee, side) else -1  # a slip to an equal candidate would be no mistake
    others = sorted((other for other in candidates if other is not choice.best), key=lambda other: sign * other.value)
    tried = [choice.best, *others[: most - 1]]
    advising = not referee.computer_plays(side) and level_of(referee.options, side).slips > 0  # advice does not slip
    if len(tried) < 2 or not referee.option("opponent") or advising:
        return choice
    stats = await RolloutDecision(key, rule, side, [one.name for one in tried])
    return Choice(tried[stats.choice], (*choice.lines, *stats.explain()))

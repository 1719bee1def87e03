"""How our opponent weighs what it could do: in victory points, then by the list of its priorities; and how it says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from companion.core.advice import advise, read_priorities
from companion.core.rollouts import RolloutDecision, level_of
from companion.games.iraqwar2003.referee import IraqWarReferee

SHOWN = 4
"""Candidates that were passed over and are named."""


class Option(NamedTuple):
    """Something that our opponent could do.

    Attributes:
        name: it in words. answer: it as it is typed.
        vp: what it is worth to its side, in victory points.
        detail: where that comes from, in words.
        risk: the chance that what it sends is lost.
        does: whether anything is done at all. cost: what it takes, command points or values that could serve elsewhere.
    """

    name: str
    answer: str
    vp: float = 0.0
    detail: str = ""
    risk: float = 0.0
    does: bool = True
    cost: int = 0

    @property
    def title(self) -> str:
        """It with what it is worth: ``MiG-23 at 1 B-52 +0.41``."""
        return f"{self.name} {self.vp:+.2f}"


OPTION_MEASURES: Mapping[str, Callable[[Option], int | bool]] = {
    "vp": lambda one: round(100 * one.vp),
    "rate": lambda one: round(100 * one.vp / max(one.cost, 1)),
    "does": lambda one: one.does,
    "risk": lambda one: round(100 * one.risk),
    "cost": lambda one: one.cost,
}


class Verdict(NamedTuple):
    """What is chosen, and why: its value, what decided, what was passed over and by how much."""

    choice: Option
    lines: tuple[str, ...]


def choose(game: IraqWarReferee, decision: str, options: Sequence[Option], source: str = "exact odds") -> Verdict:
    """The best of some options by the priorities of a decision (bot.toml).

    Args:
        source: where the values come from, in words.
    """
    advice = advise(options, read_priorities(game.priorities, decision, OPTION_MEASURES), OPTION_MEASURES, lambda one: one.name)
    best = advice.choice
    told = [line.rpartition(": ") for line in advice.because if not line.endswith((": all alike", ", skipped"))]
    decided = told[-1][0] if told else "there is nothing else" if len(options) == 1 else "all alike: the first"
    value = f"{best.name}: {best.vp:+.2f} VP by {source}" + (f" ({best.detail})" if best.detail else "")
    return Verdict(best, (value, f"decided by: {decided}", *_passed(best, options)))


def _passed(best: Option, options: Sequence[Option]) -> tuple[str, ...]:
    """The options that were not chosen, the best first, and by how much each is behind."""
    others = sorted((one for one in options if one is not best), key=lambda one: -one.vp)
    named = [f"{one.name} {one.vp - best.vp:+.2f}{f' ({one.detail})' if one.detail else ''}" for one in others[:SHOWN]]
    more = [f"{len(others) - SHOWN} more"] if len(others) > SHOWN else []
    return (f"worse, in VP: {'; '.join([*named, *more])}",) if others else ()


def say_verdict(game: IraqWarReferee, text: str, rule: str, *because: str) -> None:
    """The sentence on what is proposed or done, with the reasons below it."""
    game.because = because
    game.say(text, rule, *because)


async def settled(
    game: IraqWarReferee, key: str, rule: str, side: str, verdict: Verdict, options: Sequence[Option], most: int = 3
) -> tuple[Option, tuple[str, ...]]:
    """What is done in the end: the verdict, unless playing on from it and from the next best shows another to be better.

    Args:
        most: candidates that are played on from.
    """
    sign = 1 if slips(game, side) else -1  # a slip to what is as good costs nothing
    others = sorted((one for one in options if one is not verdict.choice), key=lambda one: sign * one.vp)
    tried = [verdict.choice, *others[: most - 1]]
    advised = not game.computer_plays(side) and level_of(game.options, side).slips > 0  # who advises does not slip
    if len(tried) < 2 or not game.option("opponent") or advised:
        return verdict.choice, verdict.lines
    thought = await RolloutDecision(key, rule, side, [one.name for one in tried])
    return tried[thought.choice], (*verdict.lines, *thought.explain())


def slips(game: IraqWarReferee, side: str) -> bool:
    """Whether our opponent plays that side, and slips at its level."""
    return game.computer_plays(side) and level_of(game.options, side).slips > 0


async def slipped(game: IraqWarReferee, key: str, rule: str, side: str, verdict: Verdict, options: Sequence[Option]) -> Verdict:
    """The verdict; at a level that slips now and then the worst of the options instead."""
    if not slips(game, side) or len(options) < 2 or not game.option("opponent"):
        return verdict
    worst = min((one for one in options if one is not verdict.choice), key=lambda one: one.vp)
    thought = await RolloutDecision(key, rule, side, [verdict.choice.name, worst.name])
    if not thought.choice:
        return verdict
    return Verdict(worst, (f"it slips: {verdict.choice.name} is what it holds best", *verdict.lines))


def constant(game: IraqWarReferee, name: str) -> float:
    """What something is held worth, in victory points (bot.toml, ``[vp]``)."""
    return float(game.priorities["vp"][name])

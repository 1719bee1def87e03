"""How a score compares with those of whole games that Companion has played by itself."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping

from companion.core.values import JsonObject


def score_rank(score: int, measured: JsonObject, options: Mapping[str, str]) -> str:
    """How many of a hundred measured games a score beats; "" under rulings that they were not played by.

    Args:
        measured: ``scores`` of bot.toml: the rulings, and for each policy the scores that 1, 2, ... 99 games of a hundred do not
            reach.
    """
    if any(options.get(ruling, usual) != usual for ruling, usual in measured["rulings"].items()):
        return ""
    told = [f"{bisect_left(scores, score)} of 100 games of '{name}'" for name, scores in measured["policies"].items()]
    return f"Higher than {' and '.join(told)} (middle: {_middles(measured['policies'])})."


def _middles(policies: JsonObject) -> str:
    return ", ".join(str(scores[len(scores) // 2]) for scores in policies.values())

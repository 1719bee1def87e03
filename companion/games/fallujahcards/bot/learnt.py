"""What whole hands are worth, out of bot.toml."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

from companion.core.game import Tables
from companion.games.fallujahcards.bot.hands import Hands, Worth, plain_worth
from companion.games.fallujahcards.bot.policy import Model, Policy


def hands_of(tables: Tables, policy: Policy) -> Hands:
    """As it was learnt, under the rulings by which it was; under others card by card, by the priorities."""
    told, model = tables.bot["worth"], policy.model
    if model.counts_all and model.keeps_tactics:
        return Hands(model, [_worth(model, one) for one in told["at"]])
    return Hands(model, plain_worth(policy, [one["left"] for one in told["at"]]))


def _worth(model: Model, told: Any) -> Worth:
    """The numbers of ``at`` stand in the order of the model's American kinds, and of their pairs."""
    mine = range(model.first_american, len(model.kinds))
    pairs = [[0.0] * len(model.kinds) for _ in model.kinds]
    for (one, other), worth in zip(combinations_with_replacement(mine, 2), told["pairs"], strict=True):
        pairs[one][other] = pairs[other][one] = float(worth)
    return Worth(told["left"], [0.0] * model.first_american + [float(worth) for worth in told["single"]], pairs)

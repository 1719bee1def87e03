"""Values of a position fitted on played games: an expected score, or a chance to win.

The weights are in the tables `[fit.score]` and `[fit.win]` of a game's ``ai.toml``: an ``intercept``, and one for each feature of
`Players.features`. ``covers`` lists the options, such as ``scenario=practice``, of which one must be chosen. ``python -m
tests.measures.fit`` writes them. ``spread`` in `[fit]` is the standard deviation of the final score in usual games, in VP.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp

from companion.core.errors import BadData
from companion.core.hints import Any
from companion.core.named_tuple import NamedTuple

FIT = "fit"  # The table of ai.toml
WIN, SCORE = "win", "score"
SPREAD = "spread"  # The key of the spread of the final score
DEFAULT_SPREAD = 10.0
_INTERCEPT, _COVERS = "intercept", "covers"


class FittedValue(NamedTuple):
    """A value that is linear in the features of a position; a chance is the logistic function of it.

    ``covers``: the options of which one must be chosen; any if there are none.
    """

    intercept: float
    weights: Mapping[str, float]
    is_chance: bool
    covers: tuple[str, ...] = ()

    @classmethod
    def read(cls, constants: Mapping[str, Any], kind: str) -> FittedValue | None:
        """The fitted value ``win`` or ``score`` of the constants of ``ai.toml``; None if there is none.

        Raises BadData: a weight is not a number, or the intercept is missing.
        """
        table = constants.get(FIT, {}).get(kind)
        if table is None:
            return None
        numbers = {name: float(weight) for name, weight in table.items() if isinstance(weight, int | float)}
        faults = [f"ai.toml: fit.{kind}.{name}: not a number" for name in table if name not in (_COVERS, *numbers)]
        faults += [] if _INTERCEPT in table else [f"ai.toml: fit.{kind}.{_INTERCEPT}: missing"]
        if faults:
            raise BadData("the fitted value cannot be used", faults=faults)
        return cls(numbers.pop(_INTERCEPT), numbers, kind == WIN, tuple(table.get(_COVERS, ())))

    def is_for(self, options: Mapping[str, str]) -> bool:
        """True if the value was fitted on games with these options.

        >>> FittedValue(0.0, {}, True, ("length=short",)).is_for({"length": "long"})
        False
        """
        return not self.covers or any(options.get(key) == value for key, _, value in (one.partition("=") for one in self.covers))

    @property
    def covered_options(self) -> frozenset[str]:
        """The options that ``covers`` names."""
        return frozenset([one.partition("=")[0] for one in self.covers])

    def value(self, features: Mapping[str, float]) -> float:
        """The value of a position with these features.

        >>> FittedValue(1.0, {"units": 0.5}, False).value({"units": 4, "turn": 3})
        3.0
        >>> FittedValue(0.0, {"units": 0.5}, True).value({"units": 0})
        0.5

        Raises KeyError: a feature with a weight is missing.
        """
        total = self.intercept + sum([weight * features[name] for name, weight in self.weights.items()])
        return logistic(total) if self.is_chance else total


def logistic(logit: float) -> float:
    """The probability of a logit.

    >>> logistic(0), logistic(-1000), logistic(1000)
    (0.5, 0.0, 1.0)
    """
    if logit < 0:
        odds = exp(max(logit, -700.0))
        return odds / (1 + odds) if logit > -700 else 0.0
    return 1 / (1 + exp(-min(logit, 700.0)))

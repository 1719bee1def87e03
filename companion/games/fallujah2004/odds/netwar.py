"""What NetWar markers may bring, for each number of them, by the procedures that roll for them."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.odds import distribution, distribution_of, mean, probability_of
from companion.core.procedures import Procedure
from companion.core.requests import Odds
from companion.core.text import plural

Looks = Callable[[int], Procedure[tuple[tuple[int, bool], ...]]]
Gains = Callable[[int], Procedure[tuple[tuple[int, int], ...]]]


def isr_chances(look: Looks, held: int) -> Odds:
    """[12.1] Whether so many NetWar markers on one Node reveal it."""

    def found(markers: int) -> float:
        return probability_of(distribution(lambda: look(markers)), lambda looks: any(sees for _, sees in looks))

    rows = tuple((f"with {plural(many, 'marker')}", found(many)) for many in range(1, held + 1))
    return Odds("J-2 ISR: NetWar markers on one Node", "12.1", (("The Node is revealed", rows),))


def infowar_chances(gains: Gains, held: int) -> Odds:
    """[19.0] The OPs that so many markers bring, beside the one that the operation costs."""
    totals = {
        many: distribution_of(distribution(lambda many=many: gains(many)), lambda brought: sum(gain for _, gain in brought))  # type: ignore[misc]
        for many in range(1, held + 1)
    }
    pays = tuple(
        (f"with {plural(many, 'marker')}", probability_of(total, lambda gain: gain > 1)) for many, total in totals.items()
    )
    means = tuple((f"OPs with {plural(many, 'marker')}, less the one spent", mean(total) - 1) for many, total in totals.items())
    return Odds("J-5 InfoWar", "19.0", (("It brings more than the OP that it costs", pays),), means)

"""The bound from above on the best average score: against the slow solution, over every order of small decks."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from statistics import fmean
from typing import Any

import pytest

from companion.games.fallujahcards.ai.features import Cards, DecisionPoint, options
from companion.games.fallujahcards.ai.valuation import PerfectPlay
from tests.games.fallujahcards.brute import Best, Card
from tests.games.fallujahcards.test_odds import numbers, priorities

pytest.importorskip("numpy")

from tests.measures import cards_bound as bound

pytestmark = pytest.mark.slow

DECKS: dict[str, tuple[Card, ...]] = {
    "tactics": (("T", 0), ("G", 3), ("P", 3), ("S", 5), ("N", 0)),
    "recon": (("R", 0), ("G", 2), ("I", 1), ("P", 5), ("A", 5)),
    "plain": (("G", 1), ("G", 5), ("P", 5), ("I", 1), ("N", 0)),
}


def orders(name: str) -> list[Cards]:
    """Every order of a deck, none twice."""
    return sorted(set(permutations(numbers(DECKS[name], priorities()))))


def judged(name: str, kind: type[bound.Judge] = bound.Judge, *, counted: bool = True) -> bound.Judge:
    deck = numbers(DECKS[name], priorities())
    return kind(bound.Hands(priorities().model, deck), deck, recon=True, counted=counted)


class TrueJudge(bound.Judge):
    """V as it is, of decks without Recon and American Tactics."""

    def worth(self, left: int, unseen: Any, part: str = "worth") -> Any:
        columns = [unseen] if unseen.ndim == 1 else list(unseen.T)
        values = [[self._true(hand, column) for hand in self.hands.hands] for column in columns]
        array = self.hands.np.array(values).T
        return array[:, 0] if unseen.ndim == 1 else array

    def _true(self, hand: Cards, unseen: Any) -> float:
        deck = tuple(card for card, count in enumerate(unseen) for _ in range(int(count)))
        self._play = getattr(self, "_play", None) or PerfectPlay(self.hands.model)
        return self._play.search(hand, (), deck)


def optimum(name: str) -> float:
    return Best().search((), (), DECKS[name])


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("name", DECKS)
def test_the_bound_is_no_less_than_the_best_play(name: str, counted: bool) -> None:
    """[Scoring] Over every order of the deck: at least the optimum, and less than with the deck known and no penalty."""
    judge = judged(name, counted=counted)
    bounds = [bound.Relaxed(judge, order).solve() for order in orders(name)]

    assert fmean(bounds) >= optimum(name) - 1e-9
    assert fmean(bounds) <= optimum(name) + 1.5


def test_with_the_true_value_the_bound_is_the_optimum_in_every_order() -> None:
    """[Scoring] V is the value of best play: no order brings more than the optimum."""
    judge = judged("plain", TrueJudge, counted=False)
    bounds = [bound.Relaxed(judge, order).solve() for order in orders("plain")[::11]]

    assert bounds == [pytest.approx(optimum("plain"))] * len(bounds)


def first_option(point: DecisionPoint) -> int:
    return options(point, priorities().model)[0]


def last_option(point: DecisionPoint) -> int:
    return options(point, priorities().model)[-1]


def by_turns(point: DecisionPoint) -> int:
    return options(point, priorities().model)[len(point.deck) % 2 - 1]


@pytest.mark.parametrize("choice", [None, first_option, last_option, by_turns])
@pytest.mark.parametrize("name", DECKS)
def test_penalties_are_nothing_on_average(name: str, choice: Callable[[DecisionPoint], int] | None) -> None:
    """[Scoring] Over every order and every loss, for players who look at once, never, or by V: dual feasibility, exactly."""
    judge, costs, scores = judged(name), [], []
    for order in orders(name):
        deck = bound.Relaxed(judge, order)
        best, before = deck.solve(), len(costs)
        for stroke in range(12 if name != "recon" else 1):  # each card of a hand of 1, 2, 3 or 4 is lost equally often
            score, cost = deck.play(choice or deck.choose, [(stroke + 0.5) / 12])
            costs.append(cost)
            scores.append(score)
        assert fmean(scores[before:]) - fmean(costs[before:]) <= best + 1e-9  # nobody is above the bound, in any order

    assert fmean(costs) == pytest.approx(0.0, abs=1e-6)
    assert choice is not None or fmean(scores) <= optimum(name) + 1e-9

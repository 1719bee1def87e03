"""Numeric card model and decision points for fast playouts. A card is its index in ``CardModel.kinds``, Insurgency first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from companion.core.named_tuple import NamedTuple
from companion.games.fallujahcards.state import Kind, Limits, stops

PASS = -1
"""Choosing to play no card."""


class CardModel:
    """The kinds of cards and what the rules make of them, under rulings C-2 (`counts_all`) and C-7 (`keeps_tactics`)."""

    def __init__(self, kinds: Iterable[Kind], limits: Limits, counts_all: bool, keeps_tactics: bool) -> None:
        self.kinds = tuple(sorted(set(kinds)))
        self.code = {kind: number for number, kind in enumerate(self.kinds)}
        self.limits = limits
        self.counts_all = counts_all
        self.keeps_tactics = keeps_tactics
        self.first_american = sum(not kind.american for kind in self.kinds)
        self.force = tuple(kind.force for kind in self.kinds)
        self.gain = tuple(kind.force if kind.american and counts_all else 0 for kind in self.kinds)
        self.able = tuple(tuple(kind.american and stops(kind, target) for kind in self.kinds) for target in self.kinds)
        self.setback = self._find(lambda kind: not kind.american and kind.settled == "Tactics")
        self.reinforcement = self._find(lambda kind: kind.american and kind.settled == "Tactics")
        self.scout = self._find(lambda kind: kind.looks)

    def _find(self, test: Callable[[Kind], bool]) -> int:
        return next((number for number, kind in enumerate(self.kinds) if test(kind)), PASS)

    def is_target(self, card: int) -> bool:
        """True if a card has to be stopped."""
        return card < self.first_american and card != self.setback

    def options(self, target: int, hand: Sequence[int]) -> list[int]:
        """The kinds in the hand that stop a Target, and PASS."""
        able = self.able[target]
        return [*sorted({card for card in hand if able[card]}), PASS]

    def points(self, target: int, card: int) -> int:
        """The points for a Target that is stopped with a card, or lost with PASS."""
        return -self.force[target] if card == PASS else self.force[target] + self.gain[card]


def hand_without(hand: Sequence[int], card: int) -> tuple[int, ...]:
    """The hand without one card of a kind."""
    index = hand.index(card)
    return (*hand[:index], *hand[index + 1 :])


def hand_with(hand: Sequence[int], *cards: int) -> tuple[int, ...]:
    """The hand with more cards."""
    return tuple(sorted((*hand, *cards)))


class DecisionPoint(NamedTuple):
    """A pending decision: its phase, Target, sorted hand, the cards Recon has shown in order, and the sorted unseen deck."""

    phase: str
    target: int
    hand: Cards
    known: Cards
    deck: Cards


def options(spot: DecisionPoint, model: CardModel) -> list[int]:
    """The different choices, in the order in which equal ones are preferred: a Recon card is discarded last."""
    if spot.phase == "Regroup":
        return sorted(set(spot.hand), key=lambda card: (card == model.scout, card))
    if spot.phase == "Recon":
        return [*([model.scout] if model.scout in spot.hand else []), PASS]
    return model.options(spot.target, spot.hand)


def is_small(spot: DecisionPoint, model: CardModel, most: int, most_look: int) -> bool:
    """True if few enough cards are unseen to consider every order of them."""
    look = model.scout in spot.hand or model.scout in spot.deck or model.scout in spot.known
    return len(spot.deck) <= (most_look if look else most)


Cards = tuple[int, ...]

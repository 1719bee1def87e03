"""A slow reference implementation of the rulebook, against which the fast estimates are checked.

A card is (letter, force). Nothing here is taken from the game: it was written from the rulebook alone.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

Card = tuple[str, int]
Cards = tuple[Card, ...]
AMERICAN = "TGASRD"


def stops(card: Card, target: Card) -> bool:
    letter, force = card
    if target[0] in "IP":
        return letter in "GAS" and force >= target[1]
    return letter == "D" or (letter in "GA" and force >= target[1])


def less(cards: Cards, card: Card) -> Cards:
    index = cards.index(card)
    return cards[:index] + cards[index + 1 :]


class Best:
    """Expected points of best play with the information that the rules allow."""

    def __init__(self, counts_all: bool = True, keeps_tactics: bool = True) -> None:
        self.counts_all = counts_all
        self.keeps_tactics = keeps_tactics

    def gain(self, target: Card, card: Card | None) -> float:
        if card is None:
            return -target[1]
        return target[1] + (card[1] if self.counts_all else 0)

    def next_card(self, known: Cards, deck: Cards, go_on: Callable[[Card, Cards, Cards], float]) -> float:
        if known:
            return go_on(known[0], known[1:], deck)
        return sum(go_on(card, known, less(deck, card)) for card in deck) / len(deck)

    def search(self, hand: Cards, known: Cards, deck: Cards) -> float:
        if not known and not deck:
            return 0.0
        return self.next_card(known, deck, lambda card, known, deck: self.settle(card, hand, known, deck))

    def settle(self, target: Card, hand: Cards, known: Cards, deck: Cards) -> float:
        letter = target[0]
        if letter in "IPX":
            return max(self.play(target, card, hand, known, deck) for card in [*filter(lambda c: stops(c, target), hand), None])
        if letter == "N":
            if not hand:
                return self.recon(hand, known, deck)
            return sum(self.recon(less(hand, lost), known, deck) for lost in hand) / len(hand)
        if letter == "T":
            return self.draw(2, hand + ((target,) if self.keeps_tactics else ()), known, deck)
        return self.recon((*hand, target), known, deck)

    def play(self, target: Card, card: Card | None, hand: Cards, known: Cards, deck: Cards) -> float:
        left = hand if card is None else less(hand, card)
        return self.gain(target, card) + self.recon(left, known, deck)

    def draw(self, more: int, hand: Cards, known: Cards, deck: Cards) -> float:
        if not more or not (known or deck):
            return self.recon(hand, known, deck)
        return self.next_card(
            known,
            deck,
            lambda card, known, deck: self.draw(more - 1, (*hand, card) if card[0] in AMERICAN else hand, known, deck),
        )

    def recon(self, hand: Cards, known: Cards, deck: Cards) -> float:
        best = self.regroup(hand, known, deck)
        if ("R", 0) in hand and deck and len(known) < 5:
            best = max(best, self.look(hand, known, deck))
        return best

    def look(self, hand: Cards, known: Cards, deck: Cards) -> float:
        """Every order in which the cards that are turned up may lie."""
        count = min(5 - len(known), len(deck))
        orders = list(permutations(range(len(deck)), count))
        total = 0.0
        for order in orders:
            seen = tuple(deck[index] for index in order)
            rest = tuple(card for index, card in enumerate(deck) if index not in order)
            total += self.recon(less(hand, ("R", 0)), known + seen, rest)
        return total / len(orders)

    def regroup(self, hand: Cards, known: Cards, deck: Cards) -> float:
        if len(hand) <= 4:
            return self.search(hand, known, deck)
        return max(self.regroup(less(hand, card), known, deck) for card in hand)


class Played(Best):
    """Expected points when a given policy plays: the card against a target, and the card to give up. It never looks."""

    def __init__(
        self, stop: Callable[[Card, Cards, int], Card | None], drop: Callable[[Cards, int], Card], counts_all: bool = True
    ) -> None:
        super().__init__(counts_all)
        self.stop = stop
        self.drop = drop

    def settle(self, target: Card, hand: Cards, known: Cards, deck: Cards) -> float:
        if target[0] in "IPX":
            return self.play(target, self.stop(target, hand, len(known) + len(deck)), hand, known, deck)
        return super().settle(target, hand, known, deck)

    def recon(self, hand: Cards, known: Cards, deck: Cards) -> float:
        return self.regroup(hand, known, deck)

    def regroup(self, hand: Cards, known: Cards, deck: Cards) -> float:
        while len(hand) > 4:
            hand = less(hand, self.drop(hand, len(known) + len(deck)))
        return self.search(hand, known, deck)

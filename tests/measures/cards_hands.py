"""What whole hands are worth in the card game, for the playouts of its bot: ``worth`` of bot.toml.

    python -m tests.measures.cards_hands

The game is solved backwards, one card of the deck after the other, as if every card were drawn from the proportions of the full
deck: for each hand of up to four cards the points that best play brings with n cards left (no Recon card is played, and of two
cards that American Tactics draw one is settled before the other). Single cards and pairs of cards are then fitted to that by
least squares, at some numbers of cards left, each hand with the weight of its chance to be dealt.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from math import comb, prod

from companion.games.fallujahcards.bot.policy import PASS, Model, Policy, added, policy_of, without
from companion.session.tables import load
from tests.measures.cards_bot import full_deck

Hand = tuple[int, ...]
TABLES = load("fallujahcards")
LEFT = (1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 28)


class Solved:
    """Hands, and what they are worth with one more card left at a time."""

    def __init__(self, policy: Policy) -> None:
        model: Model = policy.model
        deck = full_deck(policy)
        self.model = model
        self.chance = {card: deck.count(card) / len(deck) for card in sorted(set(deck))}
        mine = [card for card in self.chance if card >= model.first_american]
        hands = [hand for size in range(6) for hand in combinations_with_replacement(mine, size)]
        self.number = {hand: number for number, hand in enumerate(hands)}
        self.kept = [hand for hand in hands if len(hand) < 5]
        self.less = [sorted({self.number[without(hand, card)] for card in hand}) for hand in hands]
        self.lost = [[self.number[without(hand, card)] for card in hand] for hand in self.kept]
        self.more = {card: [self.number[added(hand, card)] for hand in self.kept] for card in mine}
        self.ways = {
            target: [self._ways(target, hand) for hand in self.kept] for target in self.chance if model.is_target(target)
        }
        self.worth: list[list[float]] = [self._full([0.0] * len(self.kept))]

    def _ways(self, target: int, hand: Hand) -> list[tuple[int, int]]:
        """Points and the hand that is left, for each choice against a Target."""
        options = self.model.options(target, hand)
        return [(self.model.points(target, one), self.number[hand if one == PASS else without(hand, one)]) for one in options]

    def _full(self, worth: list[float]) -> list[float]:
        """The same with the hands that are one card too large."""
        for less in self.less[len(worth) :]:
            worth.append(max(worth[one] for one in less))
        return worth

    def _drawn(self, after: Sequence[float]) -> list[float]:
        """One card drawn by American Tactics."""
        rest = 1.0 - sum(self.chance[card] for card in self.more)
        found = [rest * after[number] for number in range(len(self.kept))]
        for card, more in self.more.items():
            chance = self.chance[card]
            found = [value + chance * after[one] for value, one in zip(found, more, strict=True)]
        return self._full(found)

    def another(self) -> None:
        """One more card left in the deck."""
        after, model = self.worth[-1], self.model
        drawn = self._drawn(self._drawn(self.worth[max(0, len(self.worth) - 3)]))
        found = [0.0] * len(self.kept)
        for card, chance in self.chance.items():
            if card == model.setback:
                now = [sum(after[one] for one in lost) / len(lost) if lost else after[0] for lost in self.lost]
            elif card == model.reinforcement:
                now = [drawn[one] for one in self.more[card]]
            elif card in self.ways:
                now = [max(points + after[one] for points, one in ways) for ways in self.ways[card]]
            else:
                now = [after[one] for one in self.more[card]]
            found = [value + chance * one for value, one in zip(found, now, strict=True)]
        self.worth.append(self._full(found))


def solved(rows: list[list[float]], wanted: list[float]) -> list[float]:
    """The solution of symmetric equations, by elimination."""
    many = len(wanted)
    for at in range(many):
        for row in range(at + 1, many):
            share = rows[row][at] / rows[at][at]
            if share:
                mine = rows[at]
                rows[row] = [value - share * other for value, other in zip(rows[row], mine, strict=True)]
                wanted[row] -= share * wanted[at]
    for at in reversed(range(many)):
        wanted[at] = (wanted[at] - sum(rows[at][other] * wanted[other] for other in range(at + 1, many))) / rows[at][at]
    return wanted


def fitted(state: Solved, left: int) -> list[float]:
    """Single cards in the order of the model, then pairs, that add up to what hands are worth over an empty one."""
    mine = sorted(state.more)
    pairs = list(combinations_with_replacement(mine, 2))
    place = {name: at for at, name in enumerate([*mine, *pairs])}
    deck = {card: round(state.chance[card] * 92) for card in mine}
    rows = [[0.0] * len(place) for _ in place]
    wanted = [0.0] * len(place)
    for at in range(len(place)):
        rows[at][at] = 1e-4
    for number, hand in enumerate(state.kept[1:], 1):
        weight = prod(comb(deck[card], hand.count(card)) for card in set(hand)) / comb(50, len(hand))
        worth = state.worth[left][number] - state.worth[left][0]
        parts = [place[one] for one in (*hand, *combinations(hand, 2))]
        for part in parts:
            wanted[part] += weight * worth
            for other in parts:
                rows[part][other] += weight
    return solved(rows, wanted)


def listed(numbers: Sequence[float], row: int = 18) -> str:
    """As a list of TOML."""
    told = [f"{number:.2f}".replace("-0.00", "0.00") for number in numbers]
    return "\n".join(f"  {', '.join(told[at : at + row])}," for at in range(0, len(told), row))


def main() -> None:
    """Solve, fit and print."""
    state = Solved(policy_of(TABLES, "all", "hand"))
    many = len(state.more)
    for left in range(1, LEFT[-1] + 1):
        state.another()
        if left in LEFT:
            found = fitted(state, left)
            print(f"\n[[worth.at]]\nleft = {left}\nsingle = [\n{listed(found[:many])}\n]\npairs = [\n{listed(found[many:])}\n]")


if __name__ == "__main__":
    main()

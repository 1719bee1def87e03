"""What whole hands are worth, and who plays decks to their end by that, fast: the playouts' own policy.

Two cards that stop the same Targets are worth less together than apart, and a card more or less matters less while many are to
come. A hand here is a sorted tuple; what was worked out once is remembered for every later playout.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from companion.games.fallujahcards.bot.policy import PASS, Model, Policy, added, without

Hand = tuple[int, ...]
MOST_KEPT = 20_000
"""Hands above the limit that a stage remembers: there are some 75,000."""


class Worth(NamedTuple):
    """What cards in the hand are worth from so many cards left in the deck on: each by itself, and what two of them are worth
    more, or less, together.
    """

    left: int
    single: Sequence[float]
    pairs: Sequence[Sequence[float]]


class Stage:
    """The game with about so many cards left: nothing in it is worked out twice."""

    __slots__ = ("_kept", "_model", "_moves", "_told", "_worth")

    def __init__(self, model: Model, told: Worth | None) -> None:
        self._model = model
        self._told = told
        self._worth: dict[Hand, float] = {}
        self._kept: dict[Hand, Hand] = {}
        self._moves: dict[Hand, list[tuple[int, Hand] | None]] = {}

    def worth(self, hand: Hand) -> float:
        """What a hand is worth; nothing at the end."""
        if self._told is None:
            return 0.0
        if (known := self._worth.get(hand)) is None:
            _, single, pairs = self._told
            known = sum(single[card] for card in hand) + sum(pairs[one][other] for one, other in combinations(hand, 2))
            if len(hand) <= self._model.limits.hand:
                self._worth[hand] = known
        return known

    def drop(self, hand: Hand) -> int:
        """The card to give up."""
        return max(sorted(set(hand)), key=lambda card: self.worth(self.kept(without(hand, card))))

    def kept(self, hand: Hand) -> Hand:
        """The hand down to its limit."""
        if len(hand) <= self._model.limits.hand:
            return hand
        if (known := self._kept.get(hand)) is None:
            known = max((self.kept(without(hand, card)) for card in sorted(set(hand))), key=self.worth)
            if len(self._kept) > MOST_KEPT:
                self._kept.clear()
            self._kept[hand] = known
        return known

    def stop(self, target: int, hand: Hand) -> int:
        """The card to play against a Target, or PASS."""
        model = self._model
        return max(
            model.options(target, hand),
            key=lambda card: model.points(target, card) + self.worth(hand if card == PASS else without(hand, card)),
        )

    def move(self, hand: Hand, card: int) -> tuple[int, Hand]:
        """The points of a turn whose Target is no Tactics, and the hand after it."""
        if (moves := self._moves.get(hand)) is None:
            moves = self._moves[hand] = [None] * len(self._model.kinds)
        if (known := moves[card]) is None:
            known = moves[card] = self._moved(hand, card)
        return known

    def _moved(self, hand: Hand, card: int) -> tuple[int, Hand]:
        if card >= self._model.first_american:
            return 0, self.kept(added(hand, card))
        chosen = self.stop(card, hand)
        return self._model.points(card, chosen), hand if chosen == PASS else without(hand, chosen)


class Hands:
    """Plays decks to their end.

    Args:
        model: the game.
        told: what hands are worth, by rising numbers of cards left; the last holds for all above.
    """

    __slots__ = ("_stages", "model")

    def __init__(self, model: Model, told: Sequence[Worth]) -> None:
        self.model = model
        stages = {one.left: Stage(model, one) for one in told} | {0: Stage(model, None)}
        self._stages = [stages[max(left for left in stages if left <= many)] for many in range(max(stages) + 1)]

    def at(self, left: int) -> Stage:
        """The game with that many cards left in the deck."""
        return self._stages[min(left, len(self._stages) - 1)]

    def play(self, hands: Sequence[Hand], deck: list[int], luck: list[float]) -> list[int]:
        """The points that a deck brings from the end of a turn on, for each of some hands. Once all hands are alike, the rest
        is played once.

        Args:
            deck: the next card last; used up.
            luck: numbers from 0 to 1 for the cards lost at random, one for each Insurgent Tactics in the deck; used up.
        """
        stages, most, model = self._stages, len(self._stages) - 1, self.model
        setback, reinforcement = model.setback, model.reinforcement
        first = self.at(len(deck))
        now = [first.kept(hand) for hand in hands]
        points, alike = [0] * len(now), 0
        while deck:
            if len(now) > 1 and now.count(now[0]) == len(now):
                now = now[:1]
            card = deck.pop()
            if card == setback:
                stroke = luck.pop()
                now = [_less(hand, stroke) for hand in now]
            elif card == reinforcement:
                came = self._came(deck)
                stage = stages[min(len(deck), most)]
                now = [stage.kept(added(hand, *came)) for hand in now]
            else:
                left = len(deck)
                move = stages[left if left < most else most].move
                if len(now) == 1:
                    gained, now[0] = move(now[0], card)
                    alike += gained
                else:
                    for at, hand in enumerate(now):
                        gained, now[at] = move(hand, card)
                        points[at] += gained
        return [one + alike for one in points]

    def _came(self, deck: list[int]) -> list[int]:
        """What American Tactics bring into the hand."""
        model = self.model
        drawn = [deck.pop() for _ in range(min(model.limits.drawn, len(deck)))]
        return [card for card in drawn if card >= model.first_american] + [model.reinforcement] * model.keeps_tactics


def _less(hand: Hand, stroke: float) -> Hand:
    """The hand with a card less, at random."""
    lost = int(stroke * len(hand))
    return hand[:lost] + hand[lost + 1 :]


def plain_worth(policy: Policy, left: Sequence[int]) -> list[Worth]:
    """What hands are worth by the priorities: card by card."""
    kinds = range(len(policy.model.kinds))
    nothing = [[0.0] * len(kinds)] * len(kinds)
    return [Worth(many, [policy.keep(card, many) for card in kinds], nothing) for many in left]

"""What whole hands are worth against the cards that are unseen: the game solved backwards, one card of the deck after the other.

It is solved as if each card were drawn from the proportions of the unseen ones, whatever came before it, and as if no Recon card
were played: the hand alone is then the state, and some 2,400 hands are few enough. All of them are worked out at once, column by
column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from operator import itemgetter

from companion.games.fallujahcards.bot.policy import PASS, CardModel, hand_with, hand_without

Hand = tuple[int, ...]
Worth = list[float]
"""Of every hand by its number, those that are one card too large last; behind them that of a hand that cannot be, and nothing."""
Gather = Callable[[Worth], tuple[float, ...]]
NEVER = float("-inf")


def highest(columns: Iterable[Sequence[float]]) -> Sequence[float]:
    """The highest of each row, two columns at a time: far quicker than ``max``."""
    first, *others = columns
    for other in others:
        first = [one if one > two else two for one, two in zip(first, other, strict=True)]
    return first


class HandIndex:
    """Every hand by a number, and what each card makes of it. Cards that can do nothing in the hand are one and the same here.

    Attributes:
        number: of a sorted hand.
        many: hands within the limit; they come first.
        same: for each American card, the one that it counts as.
        more: for each card, the worths of the hands with it; ``used``: of the hands without it.
    """

    def __init__(self, model: CardModel) -> None:
        self.model = model
        most = model.limits.hand
        mine = range(model.first_american, len(model.kinds))
        idle = [card for card in mine if not any(able[card] for able in model.able)]
        self.same = {card: idle[0] if card in idle else card for card in mine}
        kinds = sorted(set(self.same.values()))
        hands = [hand for size in range(most + 2) for hand in combinations_with_replacement(kinds, size)]
        kept = [hand for hand in hands if len(hand) <= most]
        number = {hand: number for number, hand in enumerate(hands)}
        self.many = len(kept)
        never, nothing = len(hands), len(hands) + 1
        self.more = {card: itemgetter(*(number[hand_with(hand, card)] for hand in kept)) for card in kinds}
        self.used = {
            card: itemgetter(*(number[hand_without(hand, card)] if card in hand else never for hand in kept)) for card in kinds
        }
        self._never = never
        self._dropped = self._less(number, hands[self.many :], most + 1, nothing)
        self._lost = self._less(number, kept[1:], most, nothing)
        # of the hands that American Tactics join, those within the limit come first again, as the smaller ones do
        tactics = [hand_with(hand, self.same[model.reinforcement]) for hand in kept]
        self._fits = itemgetter(*(number[hand] for hand in tactics if len(hand) <= most))
        self._joined = self._less(number, [hand for hand in tactics if len(hand) > most], most + 1, nothing)
        self._share = [1 / len(hand) for hand in kept[1:]]
        able = {
            card: [one for one in kinds if model.able[card][one]] for card in range(model.first_american) if model.is_target(card)
        }
        self.able = dict(sorted(able.items(), key=lambda item: len(item[1])))
        dealt = (hand for size in range(most + 2) for hand in combinations_with_replacement(mine, size))
        self.number = {hand: number[tuple(sorted(self.same[card] for card in hand))] for hand in dealt}

    def _less(self, number: Mapping[Hand, int], hands: Iterable[Hand], most: int, nothing: int) -> list[Gather]:
        """The worths of hands without their first card, their second, ..."""
        return [
            itemgetter(*(number[hand[:at] + hand[at + 1 :]] if at < len(hand) else nothing for hand in hands))
            for at in range(most)
        ]

    def full(self, worth: Sequence[float]) -> Worth:
        """[Regroup] What hands within the limit are worth, and those that are one card too large."""
        found = [*worth, *[0.0] * (self._never - self.many), NEVER, 0.0]
        found[self.many : -2] = highest(dropped(found) for dropped in self._dropped)
        return found

    def joined(self, worth: Worth) -> Worth:
        """[Tactics, Regroup] What hands within the limit are worth with American Tactics, and down to the limit again."""
        return [*self._fits(worth), *highest(less(worth) for less in self._joined)]

    def set_back(self, after: Worth) -> Worth:
        """[Tactics] Each card of the hand is as likely to be lost."""
        lost = map(sum, zip(*(lost(after) for lost in self._lost), strict=True))
        return [after[0], *(share * one for share, one in zip(self._share, lost, strict=True))]


class HandSolution:
    """What hands are worth at the end of a turn.

    Args:
        moves: of the model.
        deck: the unseen cards, of whose proportions the next cards are.
        many: for how many cards more it is solved.
        later: what hands are worth with 0, 1, 2, ... cards left, as far as that is known; nothing with none.
    """

    def __init__(self, moves: HandIndex, deck: Sequence[int], many: int, later: Sequence[Worth] = ()) -> None:
        self.moves = moves
        self._chance = {card: deck.count(card) / len(deck) for card in sorted(set(deck))}
        first = moves.model.first_american
        self._other = sum(chance for card, chance in self._chance.items() if card < first)
        self._mine: dict[int, float] = {}
        for card, chance in self._chance.items():
            if card >= first:
                self._mine[moves.same[card]] = self._mine.get(moves.same[card], 0.0) + chance
        self._once: dict[int, Worth] = {}
        """By the number of cards left, what hands are worth before one more is drawn into them."""
        self.worth = [*later] or [moves.full([0.0] * moves.many)]
        """By the number of cards left."""
        for _ in range(many):
            self.worth.append(moves.full(self._another()))

    def _another(self) -> Worth:
        """With one more card left."""
        model, moves, chance = self.moves.model, self.moves, self._chance
        after, tactics = self.worth[-1], model.reinforcement
        found = self._drawn(after, 0.0)
        other = self._other
        self._once[len(self.worth) - 1] = [one + other * same for one, same in zip(found, after, strict=False)]
        parts: list[tuple[float, Sequence[float]]] = []
        if model.setback in chance:
            parts.append((chance[model.setback], moves.set_back(after)))
        if tactics in chance:
            parts.append((chance[tactics], self._reinforced()))
            parts.append((-chance[tactics], moves.more[moves.same[tactics]](after)))
        return self._stopped(after, self._also(found, parts))

    def _drawn(self, now: Worth, other: float) -> Worth:
        """What a card is worth that only joins the hand; ``other``: the chance that it does not, and nothing changes."""
        more = self.moves.more
        return self._also(
            [other * one for one in now[: self.moves.many]], [(p, more[card](now)) for card, p in self._mine.items()]
        )

    @staticmethod
    def _also(found: Worth, parts: Sequence[tuple[float, Sequence[float]]]) -> Worth:
        """Worths with more of them, each by its chance; four at once, which is quicker."""
        parts = [*parts, *[(0.0, found)] * (-len(parts) % 4)]
        for at in range(0, len(parts), 4):
            (p, a), (q, b), (r, c), (s, d) = parts[at : at + 4]
            columns = zip(found, a, b, c, d, strict=False)
            found = [one + p * i + q * j + r * k + s * m for one, i, j, k, m in columns]
        return found

    def _stopped(self, after: Worth, found: Worth) -> Worth:
        """[Destroy, Disarm] Each Target: a card that stops it, or none, whichever is better."""
        force = self.moves.model.force
        for target, best in self._best(after):
            if chance := self._chance.get(target):
                # stopped is the force more than nothing, declined as much less
                twice, sure = 2 * force[target], chance * force[target]
                columns = zip(found, best, after, strict=False)
                found = [worth + sure + chance * (one if one > none - twice else none - twice) for worth, one, none in columns]
        return found

    def _best(self, after: Worth) -> Iterator[tuple[int, Sequence[float]]]:
        """Each Target, and the best that any card does that stops it; what stops one may be part of what stops another."""
        moves, gain = self.moves, self.moves.model.gain
        used: dict[int, Sequence[float]] = {}
        for card in set().union(*moves.able.values()):
            plain = moves.used[card](after)
            used[card] = [gain[card] + one for one in plain] if gain[card] else plain
        best: dict[int, Sequence[float]] = {}
        for target, able in moves.able.items():
            part = next((one for one in reversed(best) if set(moves.able[one]) <= set(able)), PASS)
            fresh = [used[card] for card in able if part == PASS or card not in moves.able[part]]
            best[target] = highest([*fresh, *([best[part]] if part != PASS else [])])
            yield target, best[target]

    def _reinforced(self) -> Sequence[float]:
        """[Tactics] The cards that American Tactics draw; the hand is brought down to its limit after each."""
        moves, model, left = self.moves, self.moves.model, len(self.worth) - 1
        many = min(model.limits.drawn, left)
        now = self.worth[left - many]
        for more in range(many, 0, -1):
            known = self._once.get(left - many) if more == many else None
            drawn = known or self._drawn(now, self._other)
            if more == 1 and model.keeps_tactics:
                return moves.joined(drawn)
            now = moves.full(drawn)
        return moves.more[moves.same[model.reinforcement]](now) if model.keeps_tactics else now

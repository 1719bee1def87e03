"""What whole hands are worth against the cards that are unseen: the game solved backwards, one card of the deck after the other.

It is solved as if each card were drawn from the proportions of the unseen ones, whatever came before it, and as if no Recon card
were played: the hand alone is then the state, and some 2,400 hands are few enough. All of them are worked out at once, column by
column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations_with_replacement
from operator import itemgetter

from companion.games.fallujahcards.bot.policy import PASS, Model, added, without

Hand = tuple[int, ...]
Worth = list[float]
"""Of every hand by its number, those that are one card too large last; behind them that of a hand that cannot be, and nothing."""
Gather = Callable[[Worth], tuple[float, ...]]
NEVER = float("-inf")


class Moves:
    """Every hand by a number, and what each card makes of it.

    Attributes:
        number: of a sorted hand.
        many: hands within the limit; they come first.
        more: for each card, the worths of the hands with it; ``used``: of the hands without it.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        most = model.limits.hand
        mine = range(model.first_american, len(model.kinds))
        hands = [hand for size in range(most + 2) for hand in combinations_with_replacement(mine, size)]
        kept = [hand for hand in hands if len(hand) <= most]
        self.number = {hand: number for number, hand in enumerate(hands)}
        self.many = len(kept)
        never, nothing = len(hands), len(hands) + 1
        self.more = {card: itemgetter(*(self.number[added(hand, card)] for hand in kept)) for card in mine}
        self.used = {
            card: itemgetter(*(self.number[without(hand, card)] if card in hand else never for hand in kept)) for card in mine
        }
        self._dropped = self._less(hands[self.many :], most + 1, nothing)
        self._lost = self._less(kept[1:], most, nothing)
        self._share = [1 / len(hand) for hand in kept[1:]]
        able = {
            card: [one for one in mine if model.able[card][one]] for card in range(model.first_american) if model.is_target(card)
        }
        self.able = dict(sorted(able.items(), key=lambda item: len(item[1])))

    def _less(self, hands: Iterable[Hand], most: int, nothing: int) -> list[Gather]:
        """The worths of hands without their first card, their second, ..."""
        return [
            itemgetter(*(self.number[hand[:at] + hand[at + 1 :]] if at < len(hand) else nothing for hand in hands))
            for at in range(most)
        ]

    def full(self, worth: Sequence[float]) -> Worth:
        """[Regroup] What hands within the limit are worth, and those that are one card too large."""
        found = [*worth, *[0.0] * (len(self.number) - self.many), NEVER, 0.0]
        found[self.many : -2] = map(max, *(dropped(found) for dropped in self._dropped))
        return found

    def set_back(self, after: Worth) -> Worth:
        """[Tactics] Each card of the hand is as likely to be lost."""
        lost = map(sum, zip(*(lost(after) for lost in self._lost), strict=True))
        return [after[0], *(share * one for share, one in zip(self._share, lost, strict=True))]


class Solved:
    """What hands are worth at the end of a turn.

    Args:
        moves: of the model.
        deck: the unseen cards, of whose proportions the next cards are.
        many: for how many cards more it is solved.
        later: what hands are worth with 0, 1, 2, ... cards left, as far as that is known; nothing with none.
    """

    def __init__(self, moves: Moves, deck: Sequence[int], many: int, later: Sequence[Worth] = ()) -> None:
        self.moves = moves
        self._chance = {card: deck.count(card) / len(deck) for card in sorted(set(deck))}
        self.worth = [*later] or [moves.full([0.0] * moves.many)]
        """By the number of cards left."""
        for _ in range(many):
            self.worth.append(moves.full(self._another()))

    def _another(self) -> Worth:
        """With one more card left."""
        found = [0.0] * self.moves.many
        for card, now in self._came(self.worth[-1]):
            chance = self._chance[card]
            found = [worth + chance * one for worth, one in zip(found, now, strict=False)]
        return found

    def _came(self, after: Worth) -> Iterator[tuple[int, Sequence[float]]]:
        """Each card, and what hands are worth when it comes."""
        model = self.moves.model
        yield from self._stopped(after)
        for card in self._chance:
            if card == model.setback:
                yield card, self.moves.set_back(after)
            elif card == model.reinforcement:
                yield card, self._reinforced()
            elif card >= model.first_american:
                yield card, self.moves.more[card](after)

    def _stopped(self, after: Worth) -> Iterator[tuple[int, Worth]]:
        """[Destroy, Disarm] Each Target: a card that stops it, or none, whichever is better."""
        model = self.moves.model
        for target, best in self._best(after):
            if target in self._chance:
                lost, stopped = model.points(target, PASS), model.force[target]
                yield target, [max(lost + none, stopped + one) for none, one in zip(after, best, strict=False)]

    def _best(self, after: Worth) -> Iterator[tuple[int, Sequence[float]]]:
        """Each Target, and the best that any card does that stops it; what stops one may be part of what stops another."""
        moves, gain = self.moves, self.moves.model.gain
        used = {card: [gain[card] + one for one in moves.used[card](after)] for card in set().union(*moves.able.values())}
        best: dict[int, Sequence[float]] = {}
        for target, able in moves.able.items():
            part = next((one for one in reversed(best) if set(moves.able[one]) <= set(able)), PASS)
            fresh = [used[card] for card in able if part == PASS or card not in moves.able[part]]
            columns = [*fresh, best.get(part, [NEVER] * moves.many)]
            best[target] = list(map(max, *columns)) if fresh else columns[0]
            yield target, best[target]

    def _reinforced(self) -> Sequence[float]:
        """[Tactics] The cards that American Tactics draw; the hand is brought down to its limit after each."""
        moves, model, left = self.moves, self.moves.model, len(self.worth) - 1
        many = min(model.limits.drawn, left)
        now = self.worth[left - many]
        other = sum(chance for card, chance in self._chance.items() if card < model.first_american)
        for _ in range(many):
            drawn = [other * one for one in now[: moves.many]]
            for card, chance in self._chance.items():
                if card >= model.first_american:
                    drawn = [worth + chance * one for worth, one in zip(drawn, moves.more[card](now), strict=True)]
            now = moves.full(drawn)
        return moves.more[model.reinforcement](now) if model.keeps_tactics else now

"""Bound the best possible average score of the solo card game from above, and say how far players are from it.

    python -m tests.measures.cards_bound [DECKS] [--runs N] [--value plain|recon|counted] [--wide N] [--jobs N] [--out FILE]

Needs numpy. The bound is an information relaxation with a penalty (Brown, Smith and Sun, Operations Research 58, 2010): the order
of the deck is known, and each card that is turned up, drawn or seen costs V(after it) - E[V(after it)], the expectation being
over the unseen cards. That is 0 on average for every player who does not know the order, whatever the value V, so the average
over decks of the best score less penalties is at least the best average score. The closer V is to the true value, the closer
the bound. Each deck is solved exactly, over every hand and number of cards that Recon has shown; the random losses by Insurgent
Tactics are not known beforehand.

V of a hand, of cards shown and of unseen cards is the best play of the cards shown, then a value of the hand by proportions:
`plain` without Recon, `recon` with the value of looking, `counted` with that and corrected for the proportions of unseen cards.

A player's score less penalties has the mean of the score, and varies with the deck as the bound does: the bound is what it leads
the player `solved` by (see `cards_bot`), plus what `solved` scores in `--wide` other deals. `by V` plays the best card by V at
once; `bot` is played with `--runs` shuffles, and not if they are 0. With FILE, decks are written there, and a measure that was
cut off goes on where it stopped.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Sequence
from csv import reader, writer
from itertools import combinations, combinations_with_replacement
from math import hypot
from os import cpu_count
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.games.fallujahcards.ai.features import PASS, CardModel, Cards, DecisionPoint, hand_with, hand_without, options
from companion.games.fallujahcards.ai.planner import suggestion
from tests.measures.cards_bot import TOLD, WIDE, dealt, full_deck, printed, wide, with_playouts

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray

Choice = Callable[[DecisionPoint], int]
NEVER = -1e9
STEP = 0.05
"""The share of another kind of cards by which V's slopes are measured."""
PARTS = ("worth", "half", "reinforced")
SEQUENCES = 96
"""Sequences of cards by which the value of looking is estimated, one sample for all hands."""


class Hands:
    """All hands within the limit by number, and the effect of each card on an array of their values (first axis)."""

    def __init__(self, model: CardModel, deck: Sequence[int]) -> None:
        import numpy as np

        self.np = np
        self.model = model
        most = model.limits.hand
        kinds = sorted({card for card in (*deck, model.scout, model.reinforcement) if card >= model.first_american})
        self.hands = [hand for size in range(most + 1) for hand in combinations_with_replacement(kinds, size)]
        self.number = number = {hand: index for index, hand in enumerate(self.hands)}
        self.count = never = len(self.hands)
        small = [hand for hand in self.hands if len(hand) < most]
        full = self.hands[len(small) :]
        self._small = len(small)

        def numbers(hands: Iterable[Cards | None]) -> Array:
            return np.array([never if hand is None else number[hand] for hand in hands])

        self.less = {card: numbers(hand_without(hand, card) if card in hand else None for hand in self.hands) for card in kinds}
        self.swapped = {card: numbers(self._swapped(hand, card) for hand in self.hands) for card in kinds}
        self._added = {card: numbers(hand_with(hand, card) for hand in small) for card in kinds}
        self._replaced = {
            card: [numbers(hand_with(hand[:place] + hand[place + 1 :], card) for hand in full) for place in range(most)]
            for card in kinds
        }
        self._lost = [
            numbers(hand[:place] + hand[place + 1 :] if place < len(hand) else None for hand in self.hands)
            for place in range(most)
        ]
        self._share = np.array([1.0 / max(len(hand), 1) for hand in self.hands])

    def _swapped(self, hand: Cards, card: int) -> Cards | None:
        scout = self.model.scout
        return hand_with(hand_without(hand, scout), card) if scout in hand else None

    def padded(self, worth: Array, value: float = NEVER) -> Array:
        """The values with one more, that of an impossible hand."""
        return self.np.concatenate([worth, self.np.full((1, *worth.shape[1:]), value)])

    def add(self, worth: Array, *cards: int) -> Array:
        """[Asset, Regroup] Cards join the hand, and the best cards within the limit are kept."""
        np = self.np
        for card in cards:
            best = worth[self._small :]
            for column in self._replaced[card]:
                best = np.maximum(best, worth.take(column, axis=0))
            worth = np.concatenate([worth.take(self._added[card], axis=0), best])
        return worth

    def set_back(self, worth: Array) -> Array:
        """[Tactics] A random card is lost."""
        wide = self.padded(worth, 0.0)
        total = sum(wide.take(lost, axis=0) for lost in self._lost)
        total = (total.T * self._share).T
        total[0] = worth[0]  # an empty hand loses nothing
        return total

    def stop(self, worth: Array, target: int) -> Array:
        """[Destroy, Disarm] The better of a card that stops the Target, or none."""
        model, wide = self.model, self.padded(worth)
        best = worth + model.points(target, PASS)
        for card, less in self.less.items():
            if model.able[target][card]:
                best = self.np.maximum(best, wide.take(less, axis=0) + model.points(target, card))
        return best

    def any_added(self, worth: Array, chances: Sequence[float]) -> Array:
        """[Tactics] A card drawn by American Tactics, by its chances."""
        first = self.model.first_american
        total = worth * sum(chances[:first])
        for card in range(first, len(chances)):
            if chances[card] > 0:
                total = total + chances[card] * self.add(worth, card)
        return total

    def turn(self, worth: Array, card: int) -> Array:
        """The values before a Target that is no American Tactics card."""
        if self.model.is_target(card):
            return self.stop(worth, card)
        return self.set_back(worth) if card == self.model.setback else self.add(worth, card)


class Values:
    """Values of hands with 0, 1, 2, ... cards left, drawn by fixed proportions.

    `worth`: between two turns; `looks`: just after a look; `reinforced`: before American Tactics draw their cards; `half`: before
    they draw the last one. The latter by the cards left after those drawn.
    """

    def __init__(self, hands: Hands, chances: Sequence[float], count: int, recon: bool) -> None:
        np, model = hands.np, hands.model
        self._hands, self._chances = hands, chances
        cards = [card for card, chance in enumerate(chances) for _ in range(round(chance * 9200))]
        random = Random("looks")
        self._sequences = [[random.choice(cards) for _ in range(model.limits.seen)] for _ in range(SEQUENCES)] if recon else []
        self.worth: list[Array] = []
        self.looks: list[Array] = []
        self.half: list[Array] = []
        self.reinforced: list[Array] = []
        for left in range(count + 1):
            self.worth.append(self._another() if left else np.zeros(hands.count))
            joined = hands.add(self.worth[-1], model.reinforcement) if model.keeps_tactics else self.worth[-1]
            self.half.append(hands.any_added(joined, chances))
            self.reinforced.append(hands.any_added(self.half[-1], chances))
            self.looks.append(self._look() if recon and left else np.full(hands.count, NEVER))

    def _another(self) -> Array:
        hands, model, np = self._hands, self._hands.model, self._hands.np
        after, look = self.worth[-1], hands.padded(self.looks[-1])
        rested = np.maximum(after, look[hands.less[model.scout]])
        total = np.zeros(hands.count)
        for card, chance in enumerate(self._chances):
            if chance <= 0:
                continue
            if card == model.reinforcement:
                value = self.tactics(len(self.worth) - 1)
            elif card >= model.first_american:
                value = np.maximum(hands.add(after, card), look[hands.swapped[card]])
                value = np.maximum(value, look[:-1]) if card == model.scout else value
            else:
                value = hands.turn(rested, card)
            total += chance * value
        return total

    def tactics(self, left: int, first: int | None = None) -> Array:
        """[Tactics] The values before American Tactics draw, with that many cards left, or after the first one drawn."""
        hands, drawn = self._hands, min(self._hands.model.limits.drawn, left)
        if not drawn:
            return hands.add(self.worth[0], hands.model.reinforcement)
        if first is None:
            return self.reinforced[left - drawn] if drawn > 1 else self.half[left - drawn]
        return hands.add(self.half[left - drawn], first) if first >= hands.model.first_american else self.half[left - drawn]

    def _look(self) -> Array:
        """[Recon] The value of a look with the cards left, as many as there are values."""
        left = len(self.worth) - 1
        return sum(self._chain(cards[: min(left, len(cards))], left) for cards in self._sequences) / len(self._sequences)

    def _chain(self, cards: Sequence[int], left: int) -> Array:
        """The values of playing known cards, with that many cards left at their start."""
        model, hands = self._hands.model, self._hands
        values = [self.worth[left - len(cards)]]
        for index in reversed(range(len(cards))):
            card, rest = cards[index], len(cards) - index - 1
            if card != model.reinforcement:
                values.append(hands.turn(values[-1], card))
            elif rest >= model.limits.drawn or left - index - 1 == rest:
                drawn = [held for held in cards[index + 1 : index + 3] if held >= model.first_american]
                values.append(hands.add(values[-1 - min(rest, model.limits.drawn)], card, *drawn))
            else:
                values.append(self.tactics(left - index - 1, cards[index + 1] if rest else None))
        return values[-1]


class Judge:
    """V: the values of hands, by the proportions of the whole deck, corrected for the unseen cards if `counted`."""

    def __init__(self, hands: Hands, deck: Sequence[int], recon: bool = True, counted: bool = True) -> None:
        np = hands.np
        kinds = len(hands.model.kinds)
        self.hands = hands
        self.chances = np.array([deck.count(card) / len(deck) for card in range(kinds)])
        self.values = Values(hands, list(self.chances), len(deck), recon)
        self._slopes: dict[str, Array] = {}
        if counted:
            plain = Values(hands, list(self.chances), len(deck), False) if recon else self.values
            others = [
                Values(hands, list(self._moved(card)), len(deck), False) if card in deck else plain for card in range(kinds)
            ]
            for name in PARTS:
                base = np.array(getattr(plain, name), np.float32)
                self._slopes[name] = np.stack([np.array(getattr(one, name), np.float32) - base for one in others], -1) / STEP

    def _moved(self, card: int) -> Array:
        """The proportions, a step nearer to cards of one kind alone."""
        chances = self.chances * (1 - STEP)
        chances[card] += STEP
        return chances

    def worth(self, left: int, unseen: Array, part: str = "worth") -> Array:
        """The values of hands with `left` cards left, by the counts of unseen cards; several columns of counts give several."""
        worth = getattr(self.values, part)[left]
        if part not in self._slopes or not unseen.any():
            return worth if unseen.ndim == 1 else self.hands.np.repeat(worth[:, None], unseen.shape[1], axis=1)
        more = self._slopes[part][left] @ self._shift(unseen)
        return worth + more if unseen.ndim == 1 else worth[:, None] + more

    def _shift(self, unseen: Array) -> Array:
        return ((unseen / unseen.sum(axis=0)).T - self.chances).T

    def level(self, left: int, unseen: Array) -> Array | float:
        """The part of `worth` that is the same for all hands, about: that of one hand, by the unseen cards."""
        if not self._slopes or not left:
            return 0.0
        return self._slopes["worth"][left][self.hands.count // 2] @ self._shift(unseen)


class Relaxed:
    """One deck with its order known: the penalties, and the best score less penalties."""

    def __init__(self, judge: Judge, order: Sequence[int]) -> None:
        self.judge, self.hands, self.order = judge, judge.hands, list(order)
        self.model = judge.hands.model
        np = self.hands.np
        counts = np.zeros((len(order) + 1, len(self.model.kinds)))
        for index in reversed(range(len(order))):
            counts[index] = counts[index + 1]
            counts[index, order[index]] += 1
        self._unseen = counts
        seen, empty = self.model.limits.seen, [list[Any]() for _ in range(len(order) + 1)]
        self.stacks: list[list[Array]] = [[*part] for part in empty]
        """By position and number of known cards: V for each kind of the card after those."""
        self.known: list[list[Array]] = [[*part] for part in empty]
        """By position and number of known cards: V."""
        self.deltas: list[list[Array]] = [[*part] for part in empty]
        """By position and number of known cards: V with the card after those known, less its expectation."""
        for index in reversed(range(len(order) + 1)):
            self._solve(index, min(seen, len(order) - index))

    def _kinds(self, index: int) -> tuple[list[int], Array]:
        """The kinds that may be at a position, and their chances."""
        unseen = self._unseen[index]
        kinds = [card for card, count in enumerate(unseen) if count]
        return kinds, unseen[kinds] / unseen.sum()

    def _solve(self, index: int, most: int) -> None:
        left = len(self.order) - index
        self.known[index].append(self.judge.worth(left, self._unseen[index]))
        for shown in range(most):
            stack = self._before(index, shown) if shown else self._first(index)
            self.stacks[index].append(stack)
            actual, mean = self._actual(index + shown, stack)
            self.known[index].append(actual)
            self.deltas[index].append(actual - mean)

    def _actual(self, index: int, stack: Array) -> tuple[Array, Array]:
        """The column of the card at a position, and the mean of all."""
        kinds, chances = self._kinds(index)
        return stack[:, kinds.index(self.order[index])], stack @ chances

    def _rests(self, index: int) -> Array:
        """The counts of unseen cards after each kind at a position, one column each."""
        kinds, _ = self._kinds(index)
        rests = self.hands.np.repeat(self._unseen[index][:, None], len(kinds), axis=1)
        rests[kinds, range(len(kinds))] -= 1
        return rests

    def _first(self, index: int) -> Array:
        """V before each kind of a card of which nothing was known."""
        hands, model, kinds, left = self.hands, self.model, self._kinds(index)[0], len(self.order) - index - 1
        bases, rests = self.judge.worth(left, self._rests(index)), self._rests(index)
        columns = []
        for number, card in enumerate(kinds):
            base = hands.np.ascontiguousarray(bases[:, number])
            columns.append(self._tactics(left, rests[:, number]) if card == model.reinforcement else hands.turn(base, card))
        return hands.np.stack(columns, axis=1)

    def _tactics(self, left: int, unseen: Array, first: int | None = None) -> Array:
        """[Tactics] V before American Tactics draw unknown cards, or after the first one; about, by proportions."""
        hands, drawn = self.hands, min(self.model.limits.drawn, left)
        if not drawn:
            return hands.add(self.judge.worth(0, unseen), self.model.reinforcement)
        part = "reinforced" if first is None and drawn > 1 else "half"
        values = self.judge.worth(left - drawn, unseen, part)
        return values if first is None or first < self.model.first_american else hands.add(values, first)

    def _before(self, index: int, shown: int) -> Array:
        """V for each kind of the last of `shown` + 1 known cards."""
        hands, order, model = self.hands, self.order, self.model
        card, last = order[index], index + shown
        if card != model.reinforcement:
            return hands.turn(self.stacks[index + 1][shown - 1], card)
        drawn = min(model.limits.drawn, len(order) - index - 1)
        if shown > drawn:
            return hands.add(self.stacks[index + 1 + drawn][shown - 1 - drawn], *self.mine(order[index + 1 : index + 1 + drawn]))
        columns, rests = [], self._rests(last)
        for number, kind in enumerate(self._kinds(last)[0]):
            cards = [*order[index + 1 : last], kind]
            if len(cards) == drawn:
                columns.append(hands.add(self.judge.worth(len(order) - last - 1, rests[:, number]), *self.mine(cards)))
            else:
                columns.append(self._tactics(len(order) - index - 1, rests[:, number], kind))
        return hands.np.stack(columns, axis=1)

    def mine(self, cards: Sequence[int]) -> list[int]:
        """[Tactics] What American Tactics bring into the hand with those cards drawn."""
        model = self.model
        return [card for card in cards if card >= model.first_american] + [model.reinforcement] * model.keeps_tactics

    # -- American Tactics ---------------------------------------------------------------------------------------------

    def drawn_delta(self, index: int, known: int) -> Array:
        """The penalty for the cards that American Tactics at a position draw, with `known` cards known after it."""
        np, hands, order = self.hands.np, self.hands, self.order
        drawn = min(self.model.limits.drawn, len(order) - index - 1)
        if known >= drawn:
            return np.zeros(hands.count)
        start, after = index + 1 + known, index + 1 + drawn
        # the same for all cards drawn, but for the level: any V gives a bound, and this one needs no hand twice
        base = self.judge.worth(len(order) - after, self._unseen[start])
        sets: dict[Cards, Array] = {}
        total, actual = np.zeros(hands.count), None
        for cards, chance in self._ways(start, drawn - known):
            rest = self._unseen[start].copy()
            for card in cards:
                rest[card] -= 1
            mine = tuple(sorted(self.mine((*order[index + 1 : start], *cards))))
            if mine not in sets:
                sets[mine] = hands.add(sets[mine[1:]] if mine[1:] in sets else hands.add(base, *mine[1:]), mine[0])
            level = self.judge.level(len(order) - after, rest) if after < len(order) else 0.0
            total = total + chance * (sets[mine] + level)
            if cards == tuple(sorted(order[start:after])):
                actual = sets[mine] + level
        assert actual is not None
        return actual - total

    def _ways(self, start: int, count: int) -> list[tuple[Cards, float]]:
        """Every way to draw some cards from a position on, sorted, with its chance."""
        unseen = self._unseen[start]
        ways: dict[Cards, float] = {(): 1.0}
        for number in range(count):
            more: dict[Cards, float] = {}
            for cards, chance in ways.items():
                for kind in range(len(unseen)):
                    if (left := unseen[kind] - cards.count(kind)) > 0:
                        key = tuple(sorted((*cards, kind)))
                        more[key] = more.get(key, 0.0) + chance * left / (unseen.sum() - number)
            ways = more
        return list(ways.items())

    # -- the best score less penalties --------------------------------------------------------------------------------

    def solve(self) -> float:
        """The best score less penalties, above the score at the start."""
        np, hands, order, model = self.hands.np, self.hands, self.order, self.model
        seen = model.limits.seen
        worth: list[list[Array]] = [[] for _ in range(len(order) + 1)]
        worth[-1] = [np.zeros(hands.count)]
        for index in reversed(range(len(order))):
            worth[index] = [self._turn(worth, index, known) for known in range(min(seen, len(order) - index) + 1)]
        self.worth = worth
        return float(worth[0][0][0])

    def looked(self, worth: list[list[Array]], index: int, known: int) -> Array | None:
        """The values of hands that have just looked; None if nothing new would be shown."""
        most = min(self.model.limits.seen, len(self.order) - index)
        if known >= most:
            return None
        return worth[index][most] - self.look_cost(index, known, most)

    def _turn(self, worth: list[list[Array]], index: int, known: int) -> Array:
        np, hands, model = self.hands.np, self.hands, self.model
        card = self.order[index]
        cost = self.deltas[index][0] if not known else 0.0
        after, rest = index + 1, max(known - 1, 0)
        if card == model.reinforcement:
            return self._reinforced(worth, index, rest) - cost
        regrouped, look = worth[after][rest], self.looked(worth, after, rest)
        wide = None if look is None else hands.padded(look)
        if card < model.first_american:
            if wide is not None:
                regrouped = np.maximum(regrouped, wide[hands.less[model.scout]])
            return hands.turn(regrouped, card) - cost
        value = hands.add(regrouped, card)
        if wide is not None:
            value = np.maximum(value, wide[hands.swapped[card]])
            if card == model.scout:
                value = np.maximum(value, look)
        return value - cost

    def _reinforced(self, worth: list[list[Array]], index: int, known: int) -> Array:
        """[Tactics] American Tactics: the cards drawn, a look or none, and the cards that are kept."""
        np, hands, order, model = self.hands.np, self.hands, self.order, self.model
        drawn = min(model.limits.drawn, len(order) - index - 1)
        after, rest = index + 1 + drawn, max(known - drawn, 0)
        cards = self.mine(order[index + 1 : after])
        value = hands.add(worth[after][rest], *cards)
        most = min(model.limits.seen, len(order) - after)
        if rest < most:
            fewer, _ = taken(cards, None, model.scout)
            look = hands.add(worth[after][most], *fewer) - self.look_cost(after, rest, most, fewer)
            value = np.maximum(value, look if model.scout in cards else hands.padded(look)[hands.less[model.scout]])
        return value - self.drawn_delta(index, known)

    def look_cost(self, index: int, known: int, most: int, cards: Sequence[int] = ()) -> Array:
        """The penalty for a look, with further cards in the hand."""
        hands = self.hands
        if not cards:
            return sum(self.deltas[index][known:most])
        cost = hands.np.zeros(hands.count)
        for shown in range(known, most):
            actual, mean = self._actual(index + shown, hands.add(self.stacks[index][shown], *cards))
            cost = cost + actual - mean
        return cost

    # -- a player -----------------------------------------------------------------------------------------------------

    def play(self, choice: Choice, luck: Sequence[float]) -> tuple[int, float]:
        """A player's score above that of the start, and the penalties on the way; `luck`: 0 to 1 for each random loss."""
        model, order = self.model, self.order
        strokes, hand = list(luck), ()
        score, index, known, cost = 0, 0, 0, 0.0

        def point(phase: str, target: int = PASS) -> DecisionPoint:
            return DecisionPoint(phase, target, hand, tuple(order[index : index + known]), tuple(sorted(order[index + known :])))

        while index < len(order):
            cost += 0.0 if known else self._at(self.deltas[index][0], hand)
            card, extra = order[index], [0][:0]
            index, known = index + 1, max(known - 1, 0)
            if card == model.setback and hand:
                lost = int(strokes.pop() * len(hand))
                worth = self.known[index][known]
                left = [hand[:place] + hand[place + 1 :] for place in range(len(hand))]
                cost += self._at(worth, left[lost]) - fmean(self._at(worth, rest) for rest in left)
                hand = left[lost]
            elif card == model.reinforcement:
                drawn = min(model.limits.drawn, len(order) - index)
                cost += self._at(self.drawn_delta(index - 1, known), hand)
                extra = self.mine(order[index : index + drawn])
                index, known = index + drawn, max(known - drawn, 0)
            elif model.is_target(card):
                chosen = choice(point("Destroy" if model.kinds[card].settled == "Destroy" else "Disarm", card))
                score += model.points(card, chosen)
                hand = hand if chosen == PASS else hand_without(hand, chosen)
            elif card != model.setback:
                extra = [card]
            kept, hand = hand, hand_with(hand, *extra)
            most = min(model.limits.seen, len(order) - index)
            if model.scout in hand and known < most and choice(point("Recon")) != PASS:
                extra, kept = taken(extra, kept, model.scout)
                cost += self._at(self.look_cost(index, known, most, extra), kept)
                hand, known = hand_without(hand, model.scout), most
            while len(hand) > model.limits.hand:
                hand = hand_without(hand, choice(point("Regroup")))
        return score, cost

    def _at(self, worth: Array, hand: Cards) -> float:
        return float(worth[self.hands.number[hand]])

    def choose(self, point: DecisionPoint) -> int:
        """The best card by V at once; a look if V with one by the whole deck's proportions is higher."""
        model, number, known = self.model, self.hands.number, len(point.known)
        left = known + len(point.deck)
        worth = self.known[len(self.order) - left][known]
        if point.phase == "Recon":
            rest = hand_without(point.hand, model.scout)
            if known:
                return model.scout if len(point.hand) > model.limits.hand else PASS
            looks, usual = self.judge.values.looks[left], self.judge.values.worth[left]
            look = max(looks[number[kept]] for kept in self._kept(rest))
            return model.scout if look > max(usual[number[kept]] for kept in self._kept(point.hand)) else PASS
        if point.phase == "Regroup":
            best = max(self._kept(point.hand), key=lambda kept: worth[number[kept]])
            return next(card for card in point.hand if point.hand.count(card) > best.count(card))
        ways = {option: point.hand if option == PASS else hand_without(point.hand, option) for option in options(point, model)}
        return max(ways, key=lambda option: model.points(point.target, option) + float(worth[number[ways[option]]]))

    def _kept(self, hand: Cards) -> list[Cards]:
        """The hands within the limit that may be kept of a hand."""
        return sorted(set(combinations(hand, min(len(hand), self.model.limits.hand))))


def taken(extra: Sequence[int], hand: Cards | None, card: int) -> tuple[list[int], Cards]:
    """Cards without one of a kind: taken from the further cards if it is among them, otherwise from the hand, if given."""
    if card not in extra:
        return list(extra), hand_without(hand, card) if hand else ()
    index = extra.index(card)
    return [*extra[:index], *extra[index + 1 :]], hand or ()


class Row(NamedTuple):
    """A deck: the best score less penalties, and of each player the score and the score less penalties."""

    bound: float
    solved: float
    solved_less: float
    by_v: float
    by_v_less: float
    bot: float = 0.0
    bot_less: float = 0.0


def one_deck(judge: Judge, number: int, runs: int) -> Row:
    """The deck of that number, the same as that of `cards_bot`."""
    policy, values = printed()
    order, luck = dealt(policy, f"deal {number}")
    deck, base = Relaxed(judge, order[::-1]), policy.model.limits.base
    players: list[Choice] = [lambda point: suggestion(point, values, TOLD["at_once"]), deck.choose]
    if runs:
        players.append(with_playouts(runs))
    scores = [base + deck.solve()]
    for player in players:
        score, cost = deck.play(player, luck)
        scores += [base + score, base + score - cost]
    return Row(*scores)


def decks(number: int, runs: int, value: str, out: Path | None) -> Iterator[Row]:
    """Every deck; those that the file holds are not solved again."""
    kind = f"bound {value} {runs}"
    lines = out.read_text().splitlines() if out and out.exists() else []
    done = {int(row[0]): Row(*map(float, row[2:])) for row in reader(lines) if row[1] == kind}
    policy, _ = printed()
    judge: Judge | None = None
    for index in range(number):
        if index not in done:
            if judge is None:
                deck = full_deck(policy)
                judge = Judge(Hands(policy.model, deck), deck, value != "plain", value == "counted")
            done[index] = one_deck(judge, index, runs)
            if out:
                with out.open("a", newline="") as file:
                    writer(file, lineterminator="\n").writerow((index, kind, *(round(cell, 4) for cell in done[index])))
        yield done[index]


def averaged(values: Sequence[float]) -> str:
    """The mean and its standard error."""
    return f"{fmean(values):7.2f} (+-{stdev(values) / len(values) ** 0.5:.2f})"


def main(number: int, runs: int, value: str, many: int, jobs: int, out: Path | None) -> None:
    """Solve and print."""
    rows = list(decks(number, runs, value, out))
    print(f"{number} decks, V {value}; standard errors in brackets")
    print(f"best score less penalties  {averaged([row.bound for row in rows])}")
    for name, title in (("solved", "solved"), ("by_v", "by V"), ("bot", f"bot, {runs} shuffles")):
        if name == "bot" and not runs:
            continue
        score, less = ([getattr(row, field) for row in rows] for field in (name, f"{name}_less"))
        costs = [whole - part for whole, part in zip(score, less, strict=True)]
        behind = [row.bound - part for row, part in zip(rows, less, strict=True)]
        print(f"{title:<18} {averaged(score)}, penalties {averaged(costs)}, below the bound by {averaged(behind)}")
    if many:
        scores = [players.solved for players in wide(many, jobs, out)]
        gaps = [row.bound - row.solved_less for row in rows]
        error = hypot(stdev(gaps) / len(gaps) ** 0.5, stdev(scores) / len(scores) ** 0.5)
        middle = fmean(scores) + fmean(gaps)
        print(f"solved in {many} other deals: {averaged(scores)}")
        print(f"bound: {middle:.2f} (+-{error:.2f}), and with 95 % at most {middle + 1.645 * error:.2f}")


def read_command_line() -> None:
    """What the command line asks for."""
    words = ArgumentParser()
    words.add_argument("number", type=int, nargs="?", default=100, metavar="DECKS")
    words.add_argument("--runs", type=int, default=0)
    words.add_argument("--value", choices=("plain", "recon", "counted"), default="counted")
    words.add_argument("--wide", type=int, default=WIDE, dest="many")
    words.add_argument("--jobs", type=int, default=cpu_count())
    words.add_argument("--out", type=Path, metavar="FILE")
    main(**vars(words.parse_args()))


if __name__ == "__main__":
    read_command_line()

"""Whole-hand values against the unseen cards, solved backwards card by card.

Cards are drawn by the proportions of the unseen cards and Recon is not played, so that the hand is the whole state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from operator import itemgetter

from companion.core.game import Tables
from companion.games.fallujahcards.ai.features import PASS, CardModel, hand_with, hand_without
from companion.games.fallujahcards.state import kind_of

Hand = tuple[int, ...]

Worth = list[float]
"""The value of each hand by its number, hands above the limit last; then that of an impossible hand, and 0."""

Gather = Callable[[Worth], tuple[float, ...]]
"""Selects the values of some hands."""

NEVER = float("-inf")


def highest(columns: Iterable[Sequence[float]]) -> Sequence[float]:
    """The highest value of each row, two columns at a time: far quicker than ``max``."""
    best, *others = columns
    for other in others:
        best = [a if a > b else b for a, b in zip(best, other, strict=True)]
    return best


class HandIndex:
    """Numbers all hands, those within the limit first, and the effect of each card; idle cards count as one kind (`same`)."""

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
        self.kept_count = len(kept)
        never, nothing = len(hands), len(hands) + 1
        self.more = {card: itemgetter(*(number[hand_with(hand, card)] for hand in kept)) for card in kinds}
        self.used = {
            card: itemgetter(*(number[hand_without(hand, card)] if card in hand else never for hand in kept)) for card in kinds
        }
        self._never = never
        self._dropped = self._less(number, hands[self.kept_count :], most + 1, nothing)
        self._lost = self._less(number, kept[1:], most, nothing)
        # of the hands that American Tactics join, those within the limit come first again, as the smaller ones do
        tactics = [hand_with(hand, self.same[model.reinforcement]) for hand in kept]
        self._fits = itemgetter(*(number[hand] for hand in tactics if len(hand) <= most))
        self._joined = self._less(number, [hand for hand in tactics if len(hand) > most], most + 1, nothing)
        self._share = [1 / len(hand) for hand in kept[1:]]
        able = {
            target: [card for card in kinds if model.able[target][card]]
            for target in range(model.first_american)
            if model.is_target(target)
        }
        self.able = dict(sorted(able.items(), key=lambda item: len(item[1])))
        dealt = (hand for size in range(most + 2) for hand in combinations_with_replacement(mine, size))
        self.number = {hand: number[tuple(sorted(self.same[card] for card in hand))] for hand in dealt}

    def _less(self, number: Mapping[Hand, int], hands: Iterable[Hand], most: int, nothing: int) -> list[Gather]:
        """Selectors of the values of hands without their first card, their second, ..."""
        return [
            itemgetter(*(number[hand[:index] + hand[index + 1 :]] if index < len(hand) else nothing for hand in hands))
            for index in range(most)
        ]

    def full(self, worth: Sequence[float]) -> Worth:
        """[Regroup] Add the values of hands one card above the limit to those of hands within it."""
        values = [*worth, *[0.0] * (self._never - self.kept_count), NEVER, 0.0]
        values[self.kept_count : -2] = highest(dropped(values) for dropped in self._dropped)
        return values

    def joined(self, worth: Worth) -> Worth:
        """[Tactics, Regroup] The values of hands within the limit after American Tactics join them and one card is discarded."""
        return [*self._fits(worth), *highest(less(worth) for less in self._joined)]

    def set_back(self, after: Worth) -> Worth:
        """[Tactics] The average values of hands that lose a random card."""
        totals = map(sum, zip(*(lost(after) for lost in self._lost), strict=True))
        return [after[0], *(share * total for share, total in zip(self._share, totals, strict=True))]


class HandSolution:
    """The values of hands at the end of a turn, by the proportions of `deck`, for `count` more cards than `later` covers."""

    def __init__(self, moves: HandIndex, deck: Sequence[int], count: int, later: Sequence[Worth] = ()) -> None:
        self.moves = moves
        self._chance = {card: deck.count(card) / len(deck) for card in sorted(set(deck))}
        first = moves.model.first_american
        self._other = sum(chance for card, chance in self._chance.items() if card < first)
        self._mine: dict[int, float] = {}
        for card, chance in self._chance.items():
            if card >= first:
                self._mine[moves.same[card]] = self._mine.get(moves.same[card], 0.0) + chance
        self._once: dict[int, Worth] = {}
        """The values of hands before one more card is drawn into them, by the number of cards left."""
        self.worth = [*later] or [moves.full([0.0] * moves.kept_count)]
        """The values of hands, by the number of cards left."""
        for _ in range(count):
            self.worth.append(moves.full(self._another()))

    def _another(self) -> Worth:
        """The values of hands within the limit with one more card left."""
        model, moves, chance = self.moves.model, self.moves, self._chance
        after, tactics = self.worth[-1], model.reinforcement
        values = self._drawn(after, 0.0)
        other = self._other
        self._once[len(self.worth) - 1] = [value + other * same for value, same in zip(values, after, strict=False)]
        parts: list[tuple[float, Sequence[float]]] = []
        if model.setback in chance:
            parts.append((chance[model.setback], moves.set_back(after)))
        if tactics in chance:
            parts.append((chance[tactics], self._reinforced()))
            parts.append((-chance[tactics], moves.more[moves.same[tactics]](after)))
        return self._stopped(after, self._add(values, parts))

    def _drawn(self, now: Worth, other: float) -> Worth:
        """The values of hands that a drawn card joins; `other`: the chance that it does not, and nothing changes."""
        unchanged = [other * value for value in now[: self.moves.kept_count]]
        return self._add(unchanged, [(chance, self.moves.more[card](now)) for card, chance in self._mine.items()])

    @staticmethod
    def _add(values: Worth, parts: Sequence[tuple[float, Sequence[float]]]) -> Worth:
        """Values plus others, each times its chance; four at once, which is quicker."""
        parts = [*parts, *[(0.0, values)] * (-len(parts) % 4)]
        for index in range(0, len(parts), 4):
            (p, a), (q, b), (r, c), (s, d) = parts[index : index + 4]
            columns = zip(values, a, b, c, d, strict=False)
            values = [value + p * i + q * j + r * k + s * m for value, i, j, k, m in columns]
        return values

    def _stopped(self, after: Worth, values: Worth) -> Worth:
        """[Destroy, Disarm] Add the values for each Target: the better of a card that stops it, or none."""
        force = self.moves.model.force
        for target, best in self._best(after):
            if chance := self._chance.get(target):
                # a Target that is stopped brings its force, and costs it otherwise
                twice, sure = 2 * force[target], chance * force[target]
                columns = zip(values, best, after, strict=False)
                values = [
                    value + sure + chance * (stop if stop > none - twice else none - twice) for value, stop, none in columns
                ]
        return values

    def _best(self, after: Worth) -> Iterator[tuple[int, Sequence[float]]]:
        """Each Target, and the highest values after it is stopped; reuses the cards that also stop an earlier Target."""
        moves, gain = self.moves, self.moves.model.gain
        used: dict[int, Sequence[float]] = {}
        for card in set().union(*moves.able.values()):
            plain = moves.used[card](after)
            used[card] = [gain[card] + value for value in plain] if gain[card] else plain
        best: dict[int, Sequence[float]] = {}
        for target, able in moves.able.items():
            part = next((earlier for earlier in reversed(best) if set(moves.able[earlier]) <= set(able)), PASS)
            fresh = [used[card] for card in able if part == PASS or card not in moves.able[part]]
            best[target] = highest([*fresh, *([best[part]] if part != PASS else [])])
            yield target, best[target]

    def _reinforced(self) -> Sequence[float]:
        """[Tactics] The values after American Tactics; the hand is brought down to its limit after each card drawn."""
        moves, model, left = self.moves, self.moves.model, len(self.worth) - 1
        count = min(model.limits.drawn, left)
        now = self.worth[left - count]
        for more in range(count, 0, -1):
            cached = self._once.get(left - count) if more == count else None
            drawn = cached or self._drawn(now, self._other)
            if more == 1 and model.keeps_tactics:
                return moves.joined(drawn)
            now = moves.full(drawn)
        return moves.more[moves.same[model.reinforcement]](now) if model.keeps_tactics else now


MOST_KEPT = 20_000
"""Hands above the limit that a stage caches, of some 75,000."""

MOST_NEAR = 2
"""Solutions by unseen cards that are cached: the same are unseen within a turn, and while cards shown by Recon come."""


class StageValues:
    """Cached values and moves of hands with a certain number of cards left."""

    __slots__ = ("_kept", "_model", "_moves", "_number", "_worth")

    def __init__(self, moves: HandIndex, worth: Worth) -> None:
        self._model: CardModel = moves.model
        self._number = moves.number
        self._worth = worth
        self._kept: dict[Hand, Hand] = {}
        self._moves: dict[Hand, list[tuple[int, Hand] | None]] = {}

    def worth(self, hand: Hand) -> float:
        """The value of a hand; of one that a correction made too large, the value after discarding."""
        if (number := self._number.get(hand)) is None:
            number = self._number[self.kept(hand)]
        return self._worth[number]

    def drop(self, hand: Hand) -> int:
        """The card to discard."""
        return max(self._discards(hand), key=lambda card: self.worth(self.kept(hand_without(hand, card))))

    def _discards(self, hand: Hand) -> list[int]:
        """The kinds that can be discarded, in the order in which equal ones are preferred."""
        # a Recon card comes last: it is worth more than these values, which leave Recon out
        return sorted(set(hand), key=lambda card: (card == self._model.scout, card))

    def kept(self, hand: Hand) -> Hand:
        """The hand down to its limit."""
        if len(hand) <= self._model.limits.hand:
            return hand
        if (kept := self._kept.get(hand)) is None:
            kept = max((self.kept(hand_without(hand, card)) for card in self._discards(hand)), key=self.worth)
            if len(self._kept) > MOST_KEPT:
                self._kept.clear()
            self._kept[hand] = kept
        return kept

    def stop(self, target: int, hand: Hand) -> int:
        """The card to play against a Target, or PASS."""
        model = self._model
        return max(
            model.options(target, hand),
            key=lambda card: model.points(target, card) + self.worth(hand if card == PASS else hand_without(hand, card)),
        )

    def move(self, hand: Hand, card: int) -> tuple[int, Hand]:
        """The points of a turn whose Target is not a Tactics card, and the hand after it."""
        if (moves := self._moves.get(hand)) is None:
            moves = self._moves[hand] = [None] * len(self._model.kinds)
        if (move := moves[card]) is None:
            move = moves[card] = self._moved(hand, card)
        return move

    def _moved(self, hand: Hand, card: int) -> tuple[int, Hand]:
        if card >= self._model.first_american:
            return 0, self.kept(hand_with(hand, card))
        chosen = self.stop(card, hand)
        return self._model.points(card, chosen), hand if chosen == PASS else hand_without(hand, chosen)


class HandValues:
    """Values hands and plays decks; `stages`: the values with 0, 1, 2, ... cards left, the last one for all above."""

    __slots__ = ("_moves", "_near", "_stages", "_whole", "model")

    def __init__(self, moves: HandIndex, whole: HandSolution, stages: Sequence[StageValues]) -> None:
        self.model = moves.model
        self._moves = moves
        self._whole = whole
        self._stages = stages
        self._near: dict[Hand, HandValues] = {}

    def against(self, deck: Hand, ahead: int) -> HandValues:
        """The same by the proportions of the unseen cards, from `ahead` cards before the end of the whole deck's solution."""
        if not ahead or not deck:
            return self
        if (values := self._near.get(deck)) is None:
            whole = self._whole.worth
            first = max(0, min(len(deck) - ahead, len(whole) - 1))
            near = HandSolution(self._moves, deck, min(ahead, len(deck)), whole[: first + 1]).worth[first + 1 :]
            later = near if len(deck) <= first + ahead else near[-1:]
            stages = [*map(self.at, range(first + 1)), *(StageValues(self._moves, worth) for worth in later)]
            values = HandValues(self._moves, self._whole, stages)
            if len(self._near) >= MOST_NEAR:
                del self._near[next(iter(self._near))]
            self._near[deck] = values
        return values

    def at(self, left: int) -> StageValues:
        """The values with that many cards left in the deck."""
        return self._stages[min(left, len(self._stages) - 1)]

    def hand(self, hand: Hand, left: int) -> float:
        """The value of a hand."""
        return self.at(left).worth(hand)

    def stop(self, target: int, hand: Hand, left: int) -> int:
        """The card to play against a Target, or PASS."""
        return self.at(left).stop(target, hand)

    def drop(self, hand: Hand, left: int) -> int:
        """The card to discard."""
        return self.at(left).drop(hand)

    def play(self, hands: Sequence[Hand], deck: list[int], luck: list[float], whole: bool) -> list[int]:
        """The points of a deck (next card last, consumed) for each hand; `luck`: 0 to 1 for each random loss. Unless
        `whole`, it stops once all hands are alike, and only leads count."""
        first = self.at(len(deck))
        now = [first.kept(hand) for hand in hands]
        points = [0] * len(now)
        stages, most, setback, reinforcement = self._stages, len(self._stages) - 1, self.model.setback, self.model.reinforcement
        while deck:
            alike = now[0]
            for hand in now:
                if hand != alike:
                    break
            else:
                break
            card = deck.pop()
            if card == setback:
                chance = luck.pop()
                now = [_without_random_card(hand, chance) for hand in now]
            elif card == reinforcement:
                drawn = self._reinforcements(deck)
                stage = stages[min(len(deck), most)]
                now = [stage.kept(hand_with(hand, *drawn)) for hand in now]
            else:
                left = len(deck)
                move = stages[left if left < most else most].move
                for index, hand in enumerate(now):
                    gained, now[index] = move(hand, card)
                    points[index] += gained
        if whole and deck:
            rest, _ = self.follow(now[0], deck, luck, 0)
            return [score + rest for score in points]
        return points

    def follow(self, hand: Hand, deck: list[int], luck: list[float], left: int) -> tuple[int, Hand]:
        """Play a deck (consumed) with a hand until `left` cards are left: the points, and the hand then."""
        stages, most, setback, reinforcement = self._stages, len(self._stages) - 1, self.model.setback, self.model.reinforcement
        hand, points = self.at(len(deck)).kept(hand), 0
        while len(deck) > left:
            card = deck.pop()
            if card == setback:
                hand = _without_random_card(hand, luck.pop())
            elif card == reinforcement:
                drawn = self._reinforcements(deck)
                hand = stages[min(len(deck), most)].kept(hand_with(hand, *drawn))
            else:
                gained, hand = stages[min(len(deck), most)].move(hand, card)
                points += gained
        return points, hand

    def _reinforcements(self, deck: list[int]) -> list[int]:
        """The cards that American Tactics bring into the hand; they are taken off the deck."""
        model = self.model
        drawn = [deck.pop() for _ in range(min(model.limits.drawn, len(deck)))]
        return [card for card in drawn if card >= model.first_american] + [model.reinforcement] * model.keeps_tactics


def _without_random_card(hand: Hand, chance: float) -> Hand:
    """The hand without the card that a number from 0 to 1 selects."""
    lost = int(chance * len(hand))
    return hand[:lost] + hand[lost + 1 :]


def solve_hands(tables: Tables, model: CardModel) -> HandValues:
    """Solve the values of hands by the proportions of the whole deck, as far back as ``playouts`` of ai.toml says."""
    moves, types = HandIndex(model), tables.charts["types"]
    cards = [(model.code[kind_of(card["type"], card.get("force", 0), types)], card["count"]) for card in tables.counters["card"]]
    deck = [code for code, count in cards for _ in range(count)]
    whole = HandSolution(moves, deck, tables.bot["playouts"]["whole"])
    return HandValues(moves, whole, [StageValues(moves, worth) for worth in whole.worth])

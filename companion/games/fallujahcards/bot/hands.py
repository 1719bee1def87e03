"""Who plays decks to their end by what whole hands are worth, fast: the bot's own judgement, and that of its playouts.

Two cards that stop the same Targets are worth less together than apart, and a card more or less matters less while many are to
come. A hand here is a sorted tuple; what was worked out once is remembered for every later playout.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.game import Tables
from companion.games.fallujahcards.bot.policy import PASS, CardModel, hand_with, hand_without
from companion.games.fallujahcards.bot.solved import Hand, HandIndex, HandSolution, Worth
from companion.games.fallujahcards.state import kind_of

MOST_KEPT = 20_000
"""Hands above the limit that a stage remembers: there are some 75,000."""
MOST_NEAR = 2
"""Solutions by unseen cards that are remembered: within a turn, and while shown cards come, the same are unseen."""


class StageValues:
    """The game with about so many cards left: nothing in it is worked out twice."""

    __slots__ = ("_kept", "_model", "_moves", "_number", "_worth")

    def __init__(self, moves: HandIndex, worth: Worth) -> None:
        self._model: CardModel = moves.model
        self._number = moves.number
        self._worth = worth
        self._kept: dict[Hand, Hand] = {}
        self._moves: dict[Hand, list[tuple[int, Hand] | None]] = {}

    def worth(self, hand: Hand) -> float:
        """What a hand is worth; nothing at the end. One that a correction made larger is worth what will stay of it."""
        if (number := self._number.get(hand)) is None:
            number = self._number[self.kept(hand)]
        return self._worth[number]

    def drop(self, hand: Hand) -> int:
        """The card to give up."""
        return max(self._given_up(hand), key=lambda card: self.worth(self.kept(hand_without(hand, card))))

    def _given_up(self, hand: Hand) -> list[int]:
        """What can be given up; of equal cards the first is, and a Recon card last, which is worth more than is seen here."""
        return sorted(set(hand), key=lambda card: (card == self._model.scout, card))

    def kept(self, hand: Hand) -> Hand:
        """The hand down to its limit."""
        if len(hand) <= self._model.limits.hand:
            return hand
        if (known := self._kept.get(hand)) is None:
            known = max((self.kept(hand_without(hand, card)) for card in self._given_up(hand)), key=self.worth)
            if len(self._kept) > MOST_KEPT:
                self._kept.clear()
            self._kept[hand] = known
        return known

    def stop(self, target: int, hand: Hand) -> int:
        """The card to play against a Target, or PASS."""
        model = self._model
        return max(
            model.options(target, hand),
            key=lambda card: model.points(target, card) + self.worth(hand if card == PASS else hand_without(hand, card)),
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
            return 0, self.kept(hand_with(hand, card))
        chosen = self.stop(card, hand)
        return self._model.points(card, chosen), hand if chosen == PASS else hand_without(hand, chosen)


class HandValues:
    """Judges hands, and plays decks on.

    Args:
        moves: of the model; ``whole``: by the proportions of the whole deck.
        stages: the game with 0, 1, 2, ... cards left; the last holds for all above.
    """

    __slots__ = ("_moves", "_near", "_stages", "_whole", "model")

    def __init__(self, moves: HandIndex, whole: HandSolution, stages: Sequence[StageValues]) -> None:
        self.model = moves.model
        self._moves = moves
        self._whole = whole
        self._stages = stages
        self._near: dict[Hand, HandValues] = {}

    def against(self, deck: Hand, ahead: int) -> HandValues:
        """The same by the proportions of the unseen cards, from so many cards before the whole deck's solution ends. What hands
        are worth to each other hardly changes further back: the last stage holds for all that is before it.

        Args:
            deck: the unseen cards.
        """
        if not ahead or not deck:
            return self
        if (known := self._near.get(deck)) is None:
            whole = self._whole.worth
            first = max(0, min(len(deck) - ahead, len(whole) - 1))
            near = HandSolution(self._moves, deck, min(ahead, len(deck)), whole[: first + 1]).worth[first + 1 :]
            later = near if len(deck) <= first + ahead else near[-1:]
            known = HandValues(
                self._moves, self._whole, [*map(self.at, range(first + 1)), *(StageValues(self._moves, one) for one in later)]
            )
            if len(self._near) >= MOST_NEAR:
                del self._near[next(iter(self._near))]
            self._near[deck] = known
        return known

    def at(self, left: int) -> StageValues:
        """The game with that many cards left in the deck."""
        return self._stages[min(left, len(self._stages) - 1)]

    def hand(self, hand: Hand, left: int) -> float:
        """What a hand is worth."""
        return self.at(left).worth(hand)

    def stop(self, target: int, hand: Hand, left: int) -> int:
        """The card to play against a Target, or PASS."""
        return self.at(left).stop(target, hand)

    def drop(self, hand: Hand, left: int) -> int:
        """The card to give up."""
        return self.at(left).drop(hand)

    def play(self, hands: Sequence[Hand], deck: list[int], luck: list[float], whole: bool) -> list[int]:
        """The points that a deck brings from the end of a turn on, for each of some hands. Once all hands are alike, the rest
        is the same for all.

        Args:
            deck: the next card last; used up as far as it was played.
            luck: numbers from 0 to 1 for the cards lost at random, one for each Insurgent Tactics in the deck; used up likewise.
            whole: the deck is played to its end; else only until all hands are alike, and only leads are to be relied on.
        """
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
                stroke = luck.pop()
                now = [_less(hand, stroke) for hand in now]
            elif card == reinforcement:
                came = self._came(deck)
                stage = stages[min(len(deck), most)]
                now = [stage.kept(hand_with(hand, *came)) for hand in now]
            else:
                left = len(deck)
                move = stages[left if left < most else most].move
                for at, hand in enumerate(now):
                    gained, now[at] = move(hand, card)
                    points[at] += gained
        if whole and deck:
            rest, _ = self.follow(now[0], deck, luck, 0)
            return [one + rest for one in points]
        return points

    def follow(self, hand: Hand, deck: list[int], luck: list[float], left: int) -> tuple[int, Hand]:
        """The points that a deck brings a hand until no more than so many cards are left, and the hand then."""
        stages, most, setback, reinforcement = self._stages, len(self._stages) - 1, self.model.setback, self.model.reinforcement
        hand, points = self.at(len(deck)).kept(hand), 0
        while len(deck) > left:
            card = deck.pop()
            if card == setback:
                hand = _less(hand, luck.pop())
            elif card == reinforcement:
                came = self._came(deck)
                hand = stages[min(len(deck), most)].kept(hand_with(hand, *came))
            else:
                gained, hand = stages[min(len(deck), most)].move(hand, card)
                points += gained
        return points, hand

    def _came(self, deck: list[int]) -> list[int]:
        """What American Tactics bring into the hand."""
        model = self.model
        drawn = [deck.pop() for _ in range(min(model.limits.drawn, len(deck)))]
        return [card for card in drawn if card >= model.first_american] + [model.reinforcement] * model.keeps_tactics


def _less(hand: Hand, stroke: float) -> Hand:
    """The hand with a card less, at random."""
    lost = int(stroke * len(hand))
    return hand[:lost] + hand[lost + 1 :]


def solve_hands(tables: Tables, model: CardModel) -> HandValues:
    """By the proportions of the whole deck; how far back it is solved, ``playouts`` of bot.toml says."""
    moves, types = HandIndex(model), tables.charts["types"]
    cards = [(model.code[kind_of(card["type"], card.get("force", 0), types)], card["count"]) for card in tables.counters["card"]]
    deck = [code for code, count in cards for _ in range(count)]
    whole = HandSolution(moves, deck, tables.bot["playouts"]["whole"])
    return HandValues(moves, whole, [StageValues(moves, worth) for worth in whole.worth])

"""The game in numbers, for thousands of shuffles a second: the same rules as in ``rules``, which a test holds them to.

A card is a small number, its kind's place in ``Model.kinds``: Insurgency kinds first. A hand is a list or a sorted tuple
of them. Points are what the score gains or loses from here on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from companion.core.game import Tables
from companion.games.fallujahcards.state import Kind, Limits, kind_of, limits, stops

PASS = -1
"""Choosing to play no card."""


class CardModel:
    """The kinds of cards and what the rules make of them.

    Args:
        kinds: of all cards; twice is once.
        limits: the numbers of the rules.
        counts_all: whether American cards in the Elimination Pile count (ruling C-2).
        keeps_tactics: whether American Tactics goes to the hand (ruling C-7).
    """

    __slots__ = (
        "able",
        "code",
        "counts_all",
        "first_american",
        "force",
        "gain",
        "keeps_tactics",
        "kinds",
        "limits",
        "reinforcement",
        "scout",
        "setback",
    )

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
        """Whether a card has to be stopped."""
        return card < self.first_american and card != self.setback

    def options(self, target: int, hand: Sequence[int]) -> list[int]:
        """The kinds in the hand that stop a Target, and PASS."""
        able = self.able[target]
        return [*sorted({card for card in hand if able[card]}), PASS]

    def points(self, target: int, card: int) -> int:
        """What stopping a Target with a card brings, or with PASS costs."""
        return -self.force[target] if card == PASS else self.force[target] + self.gain[card]


def hand_without(hand: Sequence[int], card: int) -> tuple[int, ...]:
    """The hand with one card of that kind less."""
    at = hand.index(card)
    return (*hand[:at], *hand[at + 1 :])


def hand_with(hand: Sequence[int], *cards: int) -> tuple[int, ...]:
    """The hand with more cards."""
    return tuple(sorted((*hand, *cards)))


class Priorities:
    """The priorities of ``bot.toml``: which card to play and which to give up, at once and without looking ahead.

    Args:
        model: the game.
        keep: for each kind, what it is worth in the hand beyond what it gains when it is played.
        horizon: how many cards of the deck halve that worth; above 0.
    """

    __slots__ = ("_keep", "horizon", "model")

    def __init__(self, model: CardModel, keep: Sequence[float], horizon: float) -> None:
        self.model = model
        self.horizon = horizon
        self._keep = tuple(worth + gain for worth, gain in zip(keep, model.gain, strict=True))

    def keep(self, card: int, left: int) -> float:
        """What a card is worth in the hand with that many cards left in the deck."""
        return self._keep[card] * left / (left + self.horizon)

    def hand(self, hand: Iterable[int], left: int) -> float:
        """What a hand is worth."""
        return sum(self._keep[card] for card in hand) * left / (left + self.horizon)

    def stop(self, target: int, hand: Sequence[int], left: int) -> int:
        """The card to play against a Target, or PASS."""
        points, keep = self.model.points, self.keep
        return max(
            self.model.options(target, hand), key=lambda card: points(target, card) - (0.0 if card == PASS else keep(card, left))
        )

    def drop(self, hand: Sequence[int], left: int) -> int:
        """The card to give up; towards the end, where none is worth anything any more, the weakest."""
        return min(sorted(set(hand)), key=lambda card: (self.keep(card, left), self._keep[card]))


def read_priorities(tables: Tables, elimination: str, american_tactics: str) -> Priorities:
    """The priorities of ``bot.toml`` under rulings C-2 and C-7."""
    types, head = tables.charts["types"], tables.game
    kinds = [kind_of(card["type"], card.get("force", 0), types) for card in tables.counters["card"]]
    model = CardModel(kinds, limits(head), elimination == "all", american_tactics == "hand")
    keep = [0.0] * len(model.kinds)
    for letter, told in tables.bot["keep"].items():
        if letter != "rule":
            for force, worth in enumerate(told, 1) if isinstance(told, list) else [(0, told)]:
                keep[model.code[kind_of(letter, force, types)]] = float(worth)
    return Priorities(model, keep, float(tables.bot["fade"]["horizon"]))

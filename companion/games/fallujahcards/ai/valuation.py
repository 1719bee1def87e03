"""The value of hands: fixed priorities, and perfect play as far as the cards are known."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.core.game import Tables
from companion.core.hints import Protocol
from companion.core.values import JsonObject
from companion.games.fallujahcards.ai.features import PASS, CardModel, Cards, hand_with, hand_without
from companion.games.fallujahcards.state import kind_of, limits


class Priorities:
    """Fixed priorities of ``ai.toml``; `keep`: value of each kind in the hand, halved with `horizon` cards left (above 0)."""

    __slots__ = ("_keep", "horizon", "model")

    def __init__(self, model: CardModel, keep: Sequence[float], horizon: float) -> None:
        self.model = model
        self.horizon = horizon
        self._keep = tuple(worth + gain for worth, gain in zip(keep, model.gain, strict=True))

    def keep(self, card: int, left: int) -> float:
        """The value of a card in the hand with that many cards left in the deck."""
        return self._keep[card] * left / (left + self.horizon)

    def hand(self, hand: Iterable[int], left: int) -> float:
        """The value of a hand."""
        return sum(self._keep[card] for card in hand) * left / (left + self.horizon)

    def stop(self, target: int, hand: Sequence[int], left: int) -> int:
        """The card to play against a Target, or PASS."""
        points, keep = self.model.points, self.keep
        return max(
            self.model.options(target, hand), key=lambda card: points(target, card) - (0.0 if card == PASS else keep(card, left))
        )

    def drop(self, hand: Sequence[int], left: int) -> int:
        """The card to discard; the weakest when no card has a value any more."""
        return min(sorted(set(hand)), key=lambda card: (self.keep(card, left), self._keep[card]))


def read_priorities(tables: Tables, elimination: str, american_tactics: str) -> Priorities:
    """The priorities of ``ai.toml`` under rulings C-2 and C-7."""
    types, head = tables.charts["types"], tables.game
    kinds = [kind_of(card["type"], card.get("force", 0), types) for card in tables.counters["card"]]
    model = CardModel(kinds, limits(head), elimination == "all", american_tactics == "hand")
    keep = [0.0] * len(model.kinds)
    for letter, values in tables.bot["keep"].items():
        if letter != "rule":
            for force, value in enumerate(values, 1) if isinstance(values, list) else [(0, values)]:
                keep[model.code[kind_of(letter, force, types)]] = float(value)
    return Priorities(model, keep, float(tables.bot["fade"]["horizon"]))


class Valuation(Protocol):
    """Values of hands and quick decisions by them: `Priorities` or `HandValues`; `left`: cards left in the deck."""

    @property
    def model(self) -> CardModel:
        """The cards and rules."""

    def hand(self, hand: Cards, left: int) -> float:
        """The value of a hand."""

    def stop(self, target: int, hand: Cards, left: int) -> int:
        """The card to play against a Target, or PASS."""

    def drop(self, hand: Cards, left: int) -> int:
        """The card to discard."""


class KnownCardsPlay:
    """The expected points of best play through the `known` cards; then, with `beyond` cards left, a valuation judges the hand."""

    def __init__(self, judge: Valuation, known: Sequence[int], beyond: int) -> None:
        self.model = judge.model
        self._judge = judge
        self._known = tuple(known)
        self._beyond = beyond
        self._values: list[dict[Cards, float]] = [{} for _ in range(len(known) + 1)]

    def regroup(self, hand: Cards, index: int) -> float:
        """[Regroup] The value of discarding down to the limit and playing on with the known card of that index."""
        values = self._values[index]
        if (value := values.get(hand)) is None:
            if len(hand) > self.model.limits.hand:
                value = max([self.regroup(hand_without(hand, card), index) for card in set(hand)])
            elif index < len(self._known):
                value = self._turn(self._known[index], hand, index + 1)
            else:
                value = self._judge.hand(hand, self._beyond) if self._beyond else 0.0
            values[hand] = value
        return value

    def stop(self, target: int, option: int, hand: Cards, index: int) -> float:
        """[Destroy, Disarm] The value of playing a card against a Target, or PASS."""
        return self.model.points(target, option) + self.regroup(hand if option == PASS else hand_without(hand, option), index)

    def _turn(self, card: int, hand: Cards, index: int) -> float:
        """[Tactics, Asset, Destroy, Disarm] The value of a Target and the play after it."""
        model = self.model
        if model.is_target(card):
            return max([self.stop(card, option, hand, index) for option in model.options(card, hand)])
        if card == model.setback:
            share = 1.0 / len(hand) if hand else 0.0
            after = [share * hand.count(lost) * self.regroup(hand_without(hand, lost), index) for lost in set(hand)]
            return sum(after) if hand else self.regroup(hand, index)
        if card == model.reinforcement:
            drawn = self._known[index : index + model.limits.drawn]
            kept = [code for code in drawn if code >= model.first_american] + [card] * model.keeps_tactics
            return self.regroup(hand_with(hand, *kept), index + len(drawn))
        return self.regroup(hand_with(hand, card), index)


class PerfectPlay:
    """The expected points of best play to the end; a state is the hand, the known cards in order, and the sorted unseen cards."""

    def __init__(self, model: CardModel) -> None:
        self.model = model
        self._known: dict[tuple[str, Cards, Cards, Cards], float] = {}

    # -- the phases --------------------------------------------------------------------------------------------

    def search(self, hand: Cards, known: Cards, deck: Cards) -> float:
        """[Search] The value of play from the start of a turn."""
        if not known and not deck:
            return 0.0
        state = ("search", hand, known, deck)
        if state not in self._known:
            self._known[state] = sum(chance * self.turn(card, hand, *rest) for chance, card, *rest in self._drawn(known, deck))
        return self._known[state]

    def turn(self, card: int, hand: Cards, known: Cards, deck: Cards) -> float:
        """[Tactics, Asset, Destroy, Disarm] The value of a Target and the play after it."""
        model = self.model
        if model.is_target(card):
            return max(self.stop(card, option, hand, known, deck) for option in model.options(card, hand))
        if card == model.setback:
            if not hand:
                return self.recon(hand, known, deck)
            share = 1.0 / len(hand)
            return sum(share * hand.count(lost) * self.recon(hand_without(hand, lost), known, deck) for lost in set(hand))
        if card == model.reinforcement:
            mine = (card,) if model.keeps_tactics else ()
            return self._reinforced(model.limits.drawn, hand_with(hand, *mine), known, deck)
        return self.recon(hand_with(hand, card), known, deck)

    def stop(self, target: int, option: int, hand: Cards, known: Cards, deck: Cards) -> float:
        """[Destroy, Disarm] The value of playing a card against a Target, or PASS."""
        left = hand if option == PASS else hand_without(hand, option)
        return self.model.points(target, option) + self.recon(left, known, deck)

    def recon(self, hand: Cards, known: Cards, deck: Cards) -> float:
        """[Recon] The better value of looking or not; a look that shows nothing new only costs a card."""
        if self.model.scout not in hand or not deck or len(known) >= self.model.limits.seen:
            return self.regroup(hand, known, deck)
        state = ("recon", hand, known, deck)
        if state not in self._known:
            self._known[state] = max(self.regroup(hand, known, deck), self.look(hand, known, deck))
        return self._known[state]

    def look(self, hand: Cards, known: Cards, deck: Cards) -> float:
        """[Recon] The value of playing a Recon card."""
        return self._seen(hand_without(hand, self.model.scout), known, deck)

    def regroup(self, hand: Cards, known: Cards, deck: Cards) -> float:
        """[Regroup] The value of discarding down to the limit and playing on."""
        if len(hand) <= self.model.limits.hand:
            return self.search(hand, known, deck)
        state = ("regroup", hand, known, deck)
        if state not in self._known:
            self._known[state] = max(self.regroup(hand_without(hand, card), known, deck) for card in set(hand))
        return self._known[state]

    # -- chance ------------------------------------------------------------------------------------------------

    def _drawn(self, known: Cards, deck: Cards) -> Iterator[tuple[float, int, Cards, Cards]]:
        """Each next card with its chance, and the known and unseen cards after it."""
        if known:
            yield 1.0, known[0], known[1:], deck
            return
        for card in sorted(set(deck)):
            yield deck.count(card) / len(deck), card, known, hand_without(deck, card)

    def _reinforced(self, more: int, hand: Cards, known: Cards, deck: Cards) -> float:
        """[Tactics] The value before American Tactics draw that many further cards."""
        if not more or not (known or deck):
            return self.recon(hand, known, deck)
        first = self.model.first_american
        return sum(
            chance * self._reinforced(more - 1, hand_with(hand, card) if card >= first else hand, *rest)
            for chance, card, *rest in self._drawn(known, deck)
        )

    def _seen(self, hand: Cards, known: Cards, deck: Cards) -> float:
        """[Recon] The value while unseen cards are shown, one at a time."""
        if len(known) >= self.model.limits.seen or not deck:
            return self.recon(hand, known, deck)
        state = ("seen", hand, known, deck)
        if state not in self._known:
            self._known[state] = sum(
                deck.count(card) / len(deck) * self._seen(hand, (*known, card), hand_without(deck, card)) for card in set(deck)
            )
        return self._known[state]


def score_rank(score: int, measured: JsonObject, options: Mapping[str, str]) -> str:
    """The share of measured games (``scores`` of ai.toml) that a score beats; "" if they were played under other rulings."""
    if any(options.get(ruling, usual) != usual for ruling, usual in measured["rulings"].items()):
        return ""
    policies = measured["policies"]
    shares = [f"{bisect_left(scores, score)} of 100 games of '{name}'" for name, scores in policies.items()]
    medians = [str(scores[len(scores) // 2]) for scores in policies.values()]
    return f"Higher than {' and '.join(shares)} (middle: {', '.join(medians)})."

"""The referee of the card game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from companion.core.game import Tables
from companion.core.position import Piece, Position, Value
from companion.core.referee import Referee
from companion.core.requests import Choice
from companion.games.fallujahcards.ai.features import PASS, CardModel, DecisionPoint
from companion.games.fallujahcards.ai.planner import suggestion
from companion.games.fallujahcards.ai.solver import HandValues
from companion.games.fallujahcards.ai.valuation import Priorities
from companion.games.fallujahcards.rules.r1_scoring import total
from companion.games.fallujahcards.state import (
    DECK,
    DECLINE,
    HAND,
    NO,
    NO_CARD,
    PHASE,
    TARGET,
    TOP,
    Kind,
    Limits,
    card_title,
    kind_of,
    type_of,
)


class CardReferee(Referee):
    """Carries out the phases of a turn; `policy` suggests defaults, `hands` values whole hands, `kinds` is a cache."""

    def __init__(
        self,
        position: Position,
        options: Mapping[str, str],
        tables: Tables,
        policy: Callable[[], Priorities],
        hands: Callable[[], HandValues],
        limits: Limits,
        kinds: dict[tuple[Value, Value], Kind],
    ) -> None:
        super().__init__(position, options, tables.charts)
        self.tables = tables
        self.limits = limits
        self.priorities = policy
        self.hand_values = hands
        self._kinds = kinds

    # -- what is where -----------------------------------------------------------------------------------------

    @property
    def hand(self) -> list[Piece]:
        return self.position.at(HAND)

    @property
    def known_cards(self) -> list[Piece]:
        """The cards on top of the deck that Recon has shown, the next one first."""
        return self.position.at(TOP)

    @property
    def left(self) -> int:
        """Cards left in the deck, seen ones among them."""
        return self.position.count(DECK) + self.position.count(TOP)

    @property
    def score(self) -> int:
        return total(self.position, self.options, self.limits)

    def kind(self, card: Piece) -> Kind:
        """The kind of a card; `NO_CARD` for a piece that is not on the card list."""
        printed = card.values.get("type"), card.values.get("force")
        if printed not in self._kinds:
            letter = type_of(card)
            self._kinds[printed] = kind_of(letter, card.number("force"), self.chart("types")) if letter else NO_CARD
        return self._kinds[printed]

    def phase(self, name: str | None) -> None:
        """Record the current phase; None between two turns."""
        self.set_flag(PHASE, name, name or "Turn Sequence")

    # -- cards by name -----------------------------------------------------------------------------------------

    def choices(self, cards: list[Piece], hint: Callable[[Piece], str]) -> list[Choice]:
        """Cards to choose from; two of one name are one choice."""
        return list({card.name: Choice(card.name, card.name, partial(hint, card)) for card in cards}.values())

    def held(self, name: str) -> Piece:
        """A card of that name in the hand."""
        return next(card for card in self.hand if card.name == name)

    async def next_card(self, key: str, prompt: str, rule: str) -> Piece:
        """The next card of the deck: the one that Recon has shown, or one that is drawn. It is not moved."""
        if self.known_cards:
            return self.known_cards[0]
        return await self.drawn(key, prompt, rule, DECK)

    async def drawn(self, key: str, prompt: str, rule: str, place: str) -> Piece:
        """A card drawn from the deck or, at random, from the hand. It is not moved."""

        def elsewhere() -> list[str]:
            return sorted(
                {card.name for card in self.position.pieces.values() if type_of(card) and card.place not in (TOP, TARGET)}
            )

        name = await self.draw(key, prompt, rule, place, elsewhere, "card", place)
        for card in self.position.at(place):
            if card.name == name:
                return card
        return await self._misplaced(name, place, rule)

    async def _misplaced(self, name: str, place: str, rule: str) -> Piece:
        """A card that the player sees where Companion does not have it: the table is right, so it is taken from where
        Companion has it, and some other card must be there.
        """
        pieces = self.position.pieces.values()
        cards = {card.place: card for card in pieces if card.name == name and card.place not in (TOP, TARGET)}
        where = next(iter(cards))
        if len(cards) > 1:
            known = [Choice(spot, spot, self.place_title(spot)) for spot in cards]
            where = await self.choose("misplaced", f"From where do you take {name} instead?", rule, known, where)
        title = self.place_title(where)
        self.say(
            f"Recorded anyway: Companion had {name} in the {title}. Some other card must be there: if it was taken for {name}, "
            f"put right where {name} was named: amend ACTION.ANSWER CARD (see the log); else, once you know which: "
            f"adjust CARD {where}",
            rule,
            tone="warning",
        )
        return cards[where]

    def place_title(self, place: str) -> str:
        titles: Mapping[str, str] = self.tables.game["places"]
        return titles.get(place, place)

    # -- decisions ---------------------------------------------------------------------------------------------

    def codes(self, cards: list[Piece], model: CardModel) -> tuple[int, ...]:
        """The model's numbers of some cards, in their order; what is not a card of the list is left out."""
        found = [model.code.get(self.kind(card), PASS) for card in cards]
        return tuple(number for number in found if number != PASS)

    def decision_point(self) -> DecisionPoint | None:
        """The pending decision; None if there is none."""
        phase = self.position.flag(PHASE)
        if phase not in ("Destroy", "Disarm", "Recon", "Regroup"):
            return None
        model = self.priorities().model
        target = self.codes(self.position.at(TARGET), model)
        hand = tuple(sorted(code for code in self.codes(self.hand, model) if code >= model.first_american))
        if not hand or (not target and phase in ("Destroy", "Disarm")):
            return None  # nothing but pieces that are no cards of the list
        return DecisionPoint(
            str(phase),
            target[-1] if target else PASS,
            hand,
            self.codes(self.known_cards, model),
            tuple(sorted(self.codes(self.position.at(DECK), model))),
        )

    def suggested_card(self, otherwise: str) -> str:
        """The name of the card that the priorities choose, or `otherwise` if they play none."""
        spot = self.decision_point()
        option = PASS if spot is None else suggestion(spot, self.priorities(), self.tables.bot["playouts"]["at_once"])
        names = self.cards_of(option) if option != PASS else []
        return names[0].name if names else otherwise

    def answer_of(self, spot: DecisionPoint, option: int) -> str:
        """The answer to the question of a decision that a number of the model stands for."""
        if option != PASS:
            return self.cards_of(option)[0].name
        return NO if spot.phase == "Recon" else DECLINE

    def cards_of(self, option: int) -> list[Piece]:
        """The cards in the hand that a number of the model stands for, each name once."""
        model = self.priorities().model
        cards = [card for card in self.hand if self.codes([card], model) == (option,)]
        return list({card.name: card for card in cards}.values())

    @staticmethod
    def list_cards(cards: list[Piece]) -> str:
        return ", ".join(card_title(card) for card in cards) or "none"

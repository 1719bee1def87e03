"""The referee of the card game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from companion.core.game import Tables
from companion.core.position import Piece, Position, Value
from companion.core.referee import Referee
from companion.core.requests import Choice
from companion.games.fallujahcards import state
from companion.games.fallujahcards.ai.features import PASS, CardModel, DecisionPoint
from companion.games.fallujahcards.ai.planner import suggestion
from companion.games.fallujahcards.ai.solver import HandValues
from companion.games.fallujahcards.ai.valuation import Priorities
from companion.games.fallujahcards.rules.r1_scoring import total


class CardReferee(Referee):
    """Carries out the phases of a turn; `priorities` suggest defaults, `hand_values` values whole hands, `kinds` is a cache."""

    def __init__(
        self,
        position: Position,
        options: Mapping[str, str],
        tables: Tables,
        priorities: Callable[[], Priorities],
        hand_values: Callable[[], HandValues],
        limits: state.Limits,
        kinds: dict[tuple[Value, Value], state.Kind],
    ) -> None:
        super().__init__(position, options, tables.charts)
        self.tables = tables
        self.limits = limits
        self.priorities = priorities
        self.hand_values = hand_values
        self._kinds = kinds

    # -- what is where -----------------------------------------------------------------------------------------

    @property
    def hand(self) -> list[Piece]:
        return self.position.at(state.HAND)

    @property
    def known_cards(self) -> list[Piece]:
        """The cards on top of the deck that Recon has shown, the next one first."""
        return self.position.at(state.TOP)

    @property
    def left(self) -> int:
        """The number of cards left in the deck, including those that Recon has shown."""
        return self.position.count(state.DECK) + self.position.count(state.TOP)

    @property
    def score(self) -> int:
        return total(self.position, self.options, self.limits)

    def kind(self, card: Piece) -> state.Kind:
        """The kind of a card; `NO_CARD` for a piece that is not on the card list."""
        printed = card.values.get("type"), card.values.get("force")
        if printed not in self._kinds:
            letter = state.type_of(card)
            self._kinds[printed] = state.kind_of(letter, card.number("force"), self.chart("types")) if letter else state.NO_CARD
        return self._kinds[printed]

    def described(self, card: Piece) -> str:
        """The type and force of a card: ``G4 Infantry``, ``R Recon``."""
        code = state.card_code(card)
        return f"{code} {self.chart('types').text(state.type_of(card), 'title')}" if state.type_of(card) else code

    def phase(self, name: state.Phase | None) -> None:
        """Record the current phase; None between turns."""
        self.set_flag(state.PHASE, name, name or "Turn Sequence")

    # -- cards by name -----------------------------------------------------------------------------------------

    def choices(self, cards: Iterable[Piece], hint: Callable[[Piece], str]) -> list[Choice]:
        """Choices of cards, one for each name."""
        return list({card.name: Choice(card.name, card.name, partial(hint, card)) for card in cards}.values())

    def held(self, name: str) -> Piece:
        """A card of that name in the hand."""
        return next(card for card in self.hand if card.name == name)

    async def next_card(self, key: str, prompt: str, rule: str) -> Piece:
        """The next card of the deck: the one that Recon has shown, or one that is drawn. It is not moved."""
        return self.known_cards[0] if self.known_cards else await self.drawn(key, prompt, rule, state.DECK)

    async def drawn(self, key: str, prompt: str, rule: str, place: str) -> Piece:
        """A card drawn from the deck or, at random, from the hand. It is not moved."""

        def elsewhere() -> list[str]:
            return sorted({card.name for card in self._hidden_cards() if state.type_of(card)})

        name = await self.draw(key, prompt, rule, place, elsewhere, "card", place)
        for card in self.position.at(place):
            if card.name == name:
                return card
        return await self._misplaced(name, rule)

    def _hidden_cards(self) -> Iterator[Piece]:
        return (card for card in self.position.pieces.values() if card.place not in (state.TOP, state.TARGET))

    async def _misplaced(self, name: str, rule: str) -> Piece:
        """A card that the player sees where Companion does not have it, taken from where Companion has it."""
        cards = {card.place: card for card in self._hidden_cards() if card.name == name}
        source = next(iter(cards))
        if len(cards) > 1:
            choices = [Choice(place, place, self.place_title(place)) for place in cards]
            source = await self.choose("misplaced", f"From where do you take {name} instead?", rule, choices, source)
        # the table is right: some other card must be where Companion had this one
        text = f"Recorded anyway: Companion had {name} in the {self.place_title(source)}. Some other card must be there. "
        text += f"If you entered that card as {name}, correct it: amend ACTION.ANSWER CARD (see the log); "
        text += f"otherwise, once you know the card: adjust CARD {source}"
        self.say(text, rule, tone="warning")
        return cards[source]

    def place_title(self, place: str) -> str:
        titles: Mapping[str, str] = self.tables.game["places"]
        return titles.get(place, place)

    # -- decisions ---------------------------------------------------------------------------------------------

    def codes(self, cards: list[Piece], model: CardModel) -> tuple[int, ...]:
        """The model's codes of some cards, in their order, without pieces that are not on the card list."""
        codes = (model.code.get(self.kind(card), PASS) for card in cards)
        return tuple(code for code in codes if code != PASS)

    def decision_point(self) -> DecisionPoint | None:
        """The pending decision; None if there is none."""
        phase = self.position.flag(state.PHASE)
        if phase not in ("Destroy", "Disarm", "Recon", "Regroup"):
            return None
        model = self.priorities().model
        target = self.codes(self.position.at(state.TARGET), model)
        hand = tuple(sorted(code for code in self.codes(self.hand, model) if code >= model.first_american))
        if not hand or (not target and phase in ("Destroy", "Disarm")):
            return None  # only pieces that are not on the card list
        known, deck = self.codes(self.known_cards, model), self.codes(self.position.at(state.DECK), model)
        return DecisionPoint(str(phase), target[-1] if target else PASS, hand, known, tuple(sorted(deck)))

    def suggested_card(self, otherwise: str) -> str:
        """The name of the card that the priorities choose, or `otherwise` if they play none."""
        spot = self.decision_point()
        option = PASS if spot is None else suggestion(spot, self.priorities(), self.tables.bot["playouts"]["at_once"])
        names = self.cards_of(option) if option != PASS else []
        return names[0].name if names else otherwise

    def answer_of(self, spot: DecisionPoint, option: int) -> str:
        """The answer to the question of a decision, by the code of the choice."""
        if option != PASS:
            return self.cards_of(option)[0].name
        return state.NO if spot.phase == "Recon" else state.DECLINE

    def cards_of(self, option: int) -> list[Piece]:
        """The cards in the hand with a code of the model, one for each name."""
        model = self.priorities().model
        cards = [card for card in self.hand if self.codes([card], model) == (option,)]
        return list({card.name: card for card in cards}.values())

    @staticmethod
    def list_cards(cards: list[Piece]) -> str:
        return ", ".join(state.card_title(card) for card in cards) or "none"

"""The table of the card game: the deck, the Target, the hand and the three piles [The Piles]."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from companion.core.map import GRID, PRINTED, GameMap, Map, Space, Stack
from companion.core.position import Piece, Position
from companion.core.text import pick_name
from companion.games.fallujahcards.state import (
    AMERICAN,
    CASUALTY,
    DECK,
    DISCARD,
    ELIMINATION,
    HAND,
    INSURGENCY,
    MINE,
    TARGET,
    TOP,
    TYPES,
    card_code,
    card_title,
    type_of,
)

_AT = {DECK: (0, 0), TOP: (1, 0), TARGET: (2, 0), HAND: (0, 1), CASUALTY: (0, 2), ELIMINATION: (1, 2), DISCARD: (2, 2)}
"""Column and row of each place: what comes, what the player holds, and what is out of play."""
_NAMES = {TOP: "Seen", CASUALTY: "Casualties", ELIMINATION: "Eliminated", DISCARD: "Discarded"}
"""What is short enough to be drawn, of those whose title is not."""
_OPEN = (TOP, TARGET, HAND)
"""Where each card counts by itself; in a pile only how many there are of each side."""
_LETTERS = {AMERICAN: "a", INSURGENCY: "i"}
"""For the cards of a pile, unlike those of the types of cards."""
_SCORED = (CASUALTY, ELIMINATION)


class CardMap(GameMap):
    """The piles: nothing of them is printed on a map, so that nothing can be told."""

    space = "pile"

    def read_name(self, text: str) -> str:
        """A place by its name. Raises Unreadable: there is none."""
        return pick_name(text, [self._name(place) for place in _AT], self.space)

    def form_spaces(self, facts: Mapping[str, str]) -> Sequence[str]:
        return ()

    def build(
        self, position: Position, options: Mapping[str, str], facts: Mapping[str, str], learnt: Collection[str] = ()
    ) -> Map:
        sides = {AMERICAN: AMERICAN, INSURGENCY: INSURGENCY}
        signs = dict.fromkeys(_LETTERS.values(), "cards")
        return Map(self.game.title, GRID, [self._pile(position, place) for place in _AT], (), sides, signs)

    def _name(self, place: str) -> str:
        return _NAMES.get(place) or self.game.place_title(place)

    def _pile(self, position: Position, place: str) -> Space:
        """A place with how many cards lie there, and their force where it scores; of the deck nobody knows more."""
        cards = position.at(place)
        told = [str(len(cards)) if cards else "empty"]
        told += [f"force {sum(card.number('force') for card in cards)}"] if place in _SCORED and cards else []
        stacks = () if place == DECK else _stacks(cards, place)
        return Space(self._name(place), ", ".join(told), "", (), PRINTED, _AT[place], "", stacks)


def _stacks(cards: Sequence[Piece], place: str) -> tuple[Stack, ...]:
    """The cards by side and type, the strongest first; each with its letter and force, those of a pile as one."""
    named: dict[tuple[str, str], list[Piece]] = {}
    for card in sorted(cards, key=lambda card: (TYPES.find(type_of(card)), -card.number("force"))):
        side = AMERICAN if type_of(card) in MINE else INSURGENCY
        named.setdefault((side, card_code(card) if place in _OPEN else _LETTERS[side]), []).append(card)
    return tuple(Stack(side, letter, tuple(map(card_title, some))) for (side, letter), some in named.items())

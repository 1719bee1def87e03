"""The table of the card game: the deck, the Target, the hand and the three piles [The Piles]."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from companion.core.map import GRID, PRINTED, GameMap, Map, Space, Stack
from companion.core.position import Piece, Position
from companion.core.text import pick_name
from companion.games.fallujahcards import state

_CELLS = {
    state.DECK: (0, 0),
    state.TOP: (1, 0),
    state.TARGET: (2, 0),
    state.HAND: (0, 1),
    state.CASUALTY: (0, 2),
    state.ELIMINATION: (1, 2),
    state.DISCARD: (2, 2),
}
"""Column and row of each place."""
_NAMES = {state.TOP: "Seen", state.CASUALTY: "Casualties", state.ELIMINATION: "Eliminated", state.DISCARD: "Discarded"}
"""Short names for places whose title is too long to be drawn."""
_OPEN = (state.TOP, state.TARGET, state.HAND)
"""Places where each card is drawn; of a pile only the number of cards of each side is."""
_LETTERS = {state.AMERICAN: "a", state.INSURGENCY: "i"}
"""Letters for the cards of a pile, unlike those of the card types."""
_SCORED = (state.CASUALTY, state.ELIMINATION)


class CardMap(GameMap):
    """The piles of cards. There is no printed map, so no facts can be entered."""

    space = "pile"

    def read_name(self, text: str) -> str:
        """Read the name of a place. Raises `Unreadable` if there is none of that name."""
        return pick_name(text, [self._name(place) for place in _CELLS], self.space)

    def form_spaces(self, facts: Mapping[str, str]) -> Sequence[str]:
        return ()

    def build(
        self, position: Position, options: Mapping[str, str], facts: Mapping[str, str], learnt: Collection[str] = ()
    ) -> Map:
        sides, signs = {side: side for side in _LETTERS}, dict.fromkeys(_LETTERS.values(), "cards")
        return Map(self.game.title, GRID, [self._pile(position, place) for place in _CELLS], (), sides, signs)

    def _name(self, place: str) -> str:
        return _NAMES.get(place) or self.game.place_title(place)

    def _pile(self, position: Position, place: str) -> Space:
        """A place with the number of its cards, and their total force if the pile is scored."""
        cards = position.at(place)
        facts = [str(len(cards)) if cards else "empty"]
        facts += [f"force {sum(card.number('force') for card in cards)}"] if place in _SCORED and cards else []
        stacks = () if place == state.DECK else _stacks(cards, place)
        return Space(self._name(place), ", ".join(facts), "", (), PRINTED, _CELLS[place], "", stacks)


def _stacks(cards: Sequence[Piece], place: str) -> tuple[Stack, ...]:
    """Stacks of cards by side and type, the strongest first; the cards of a pile by side only."""
    stacks: dict[tuple[str, str], list[Piece]] = {}
    for card in sorted(cards, key=lambda card: (state.TYPES.find(state.type_of(card)), -card.number("force"))):
        side = state.AMERICAN if state.type_of(card) in state.MINE else state.INSURGENCY
        stacks.setdefault((side, state.card_code(card) if place in _OPEN else _LETTERS[side]), []).append(card)
    return tuple(Stack(side, letter, tuple(map(state.card_title, group))) for (side, letter), group in stacks.items())

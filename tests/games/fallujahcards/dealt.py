"""A table of the card game with chosen cards in the hand and in the deck."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.game import Score
from companion.core.position import Piece
from companion.core.referee import Referee
from tests.support.table import Table


class Dealt(Table):
    """One game; cards are named.

    Args:
        hand: cards in the hand, first come first.
        deck: the cards that are left in the deck; None for all that are nowhere else. The others are out, in the Discard Pile.
        top: cards on top of the deck that Recon has seen, in their order.
    """

    def __init__(
        self,
        hand: Sequence[str] = (),
        deck: Sequence[str] | None = None,
        top: Sequence[str] = (),
        casualty: Sequence[str] = (),
        elimination: Sequence[str] = (),
        seed: str = "",
        **options: str,
    ) -> None:
        super().__init__("fallujahcards", "patrol", seed=seed, **options)
        places = {"hand": hand, "top": top, "casualty": casualty, "elimination": elimination}
        for place, names in places.items():
            for name in names:
                self.put(name, place)
        if deck is not None:
            kept = [self.put(name, "kept").id for name in deck]
            for card in self.position.at("deck"):
                self.put(card.name, "discard")
            for card_id in kept:
                self.move(card_id, "deck")

    def put(self, name: str, place: str) -> Piece:
        """Take a card of that name out of the deck and lay it somewhere."""
        card = next(card for card in self.position.at("deck") if card.name == name)
        self.move(card.id, place)
        return card

    def move(self, card_id: str, place: str) -> None:
        referee = Referee(self.position, {}, {})
        referee.move(card_id, place, "Search")
        self.position = referee.position

    def turn(self, *answers: str, draws: Sequence[str] = (), accept: bool = False) -> None:
        self.do("turn", *answers, draws=draws, accept=accept)

    @property
    def score(self) -> Score:
        return self.game.score(self.position, self.options)

    @property
    def hand(self) -> list[str]:
        return [card.name for card in self.position.at("hand")]

    def keys(self) -> list[str]:
        """The questions of the last action, in order."""
        return [request.key for request in self.asked]

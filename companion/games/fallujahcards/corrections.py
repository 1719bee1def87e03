"""Manual corrections: cards of the list and cards of the player's own."""

from __future__ import annotations

from companion.core.corrections import Corrections, NewPiece, piece_put
from companion.core.errors import Unreadable
from companion.core.events import Event
from companion.core.game import Obstacle
from companion.core.position import Position
from companion.core.text import matching_names
from companion.games.fallujahcards.state import AMERICAN, HAND, TARGET, card_title, type_of


class CardCorrections(Corrections):
    """The manual corrections of the card game."""

    def objection(self, event: Event, position: Position) -> Obstacle | None:
        """[Search, Tactics] There is one Target, and only American cards join the hand."""
        put = piece_put(event, position)
        if put is None:
            return None
        card, place = put
        if place == TARGET and (lying := [other for other in position.at(TARGET) if other.id != card.id]):
            cure = f'Put that one where it is first: companion adjust "{lying[0].name}@target" discard'
            return Obstacle(f"{lying[0].name} is the Target already", "Search", cure)
        types = self.game.tables.charts["types"]
        if place != HAND or not type_of(card) or types.text(type_of(card), "side") == AMERICAN:
            return None
        return Obstacle(f"only American cards join the hand, and {card.name} is not one", "Tactics", "See: companion show places")

    def read_new_piece(self, kind: str, text: str, position: Position) -> NewPiece:
        """A card of the list or a custom one (``new:infantry:Rangers G5``) [Card List]. Raises `Unreadable`."""
        known = {piece.name: piece for piece in position.of_kind(kind)}
        matches = matching_names(text, known) if text else []
        if len(matches) == 1:
            return NewPiece(matches[0], known[matches[0]].values)
        types = self.game.tables.charts["types"]
        letter = next((row for row in types.rows if types.text(row, "title").casefold() == kind), "")
        if not letter and text:
            return NewPiece(text)
        name, _, printed = text.rpartition(" ")
        if name and printed[:1].upper() == letter and printed[1:] in ("", *"123456789"):
            return NewPiece(name, {"type": letter, **({"force": int(printed[1:])} if printed[1:] else {})})
        example = next((card_title(card) for card in known.values()), f"NAME {letter}1")
        raise Unreadable(f"'{text}' is not a card of {kind}", rule="Card List", cure=f"Type it like this: new:{kind}:{example}")

"""Names for the conditions of ``forbidden.toml``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from companion.core.position import Piece, Position

AMERICAN, INSURGENCY = "TGASRD", "NIPX"
COPIES = {"I": 2, "P": 2, "X": 2, "G": 2, "A": 2, "N": 1, "T": 1, "R": 1, "D": 1}
CARDS = {"N": 8, "I": 14, "P": 10, "X": 10, "T": 8, "G": 10, "A": 10, "S": 10, "R": 7, "D": 5}
FORCES = {"N": 0, "I": 40, "P": 30, "X": 30, "T": 0, "G": 30, "A": 30, "S": 30, "R": 0, "D": 0}
"""Cards and force of each type, added up from the card list."""


def type_of(card: Piece) -> str:
    return str(card.values.get("type", ""))


def count(position: Position, place: str, types: str) -> int:
    """The cards of these types in a place."""
    return sum(type_of(card) in tuple(types) for card in position.at(place))


def excess(position: Position, types: str, over: str) -> int:
    """By how many the eliminated cards of these types outnumber those of the others."""
    return max(0, count(position, "elimination", types) - count(position, "elimination", over))


def forces_not_met(position: Position, targets: str, able: str, always: str = "") -> list[str]:
    """For each force: more eliminated Targets of at least that force than cards of at least that force to take them."""
    pile = position.at("elimination")

    def strong(types: str, force: int) -> int:
        return sum(type_of(card) in tuple(types) and card.number("force") >= force for card in pile)

    spare = count(position, "elimination", always)
    return [f"Targets of force {force}" for force in range(1, 6) if strong(targets, force) > strong(able, force) + spare]


def cards_out(position: Position) -> int:
    """Cards that have left the deck."""
    return len(position.pieces) - position.count("deck") - position.count("top")


def tactics_out(position: Position) -> int:
    """American Tactics that have left the deck; each draws two cards at most."""
    return sum(type_of(card) == "T" and card.place not in ("deck", "top") for card in position.pieces.values())


def differing(position: Position, expected: dict[str, int], number: Iterable[tuple[str, int]]) -> list[str]:
    """The types whose numbers do not add up to what is expected."""
    totals = Counter[str]()
    for card_type, value in number:
        totals[card_type] += value
    return [f"{card_type}: {totals[card_type]}" for card_type, total in expected.items() if totals[card_type] != total]


def wrong_copies(position: Position) -> list[str]:
    copies = Counter((card.name, type_of(card)) for card in position.pieces.values())
    expected = {key: COPIES.get(key[1], 2 if key[0] == "Sniper Team" else 1) for key in copies}
    return [f"{number} x {key[0]}" for key, number in copies.items() if number != expected[key]]

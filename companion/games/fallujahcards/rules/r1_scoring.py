"""[Scoring] The score, itemised, as if the game ended now."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.game import Score
from companion.core.position import Position
from companion.core.words import plural
from companion.games.fallujahcards.names import CASUALTY, DECK, ELIMINATION, MINE, PHASE, THEIRS, TOP, TYPES
from companion.games.fallujahcards.words.cards import Limits, type_of


def ended(position: Position) -> bool:
    """Whether the deck is used up and the last turn is done (ruling C-5)."""
    left = position.count(DECK) + position.count(TOP)
    return bool(position.pieces) and not left and position.flag(PHASE) is None


def force_in(position: Position, place: str, types: str) -> tuple[int, int]:
    """[The Piles] How many cards of some types are in a pile, and their force."""
    cards = [piece for piece in position.at(place) if type_of(piece) in tuple(types)]
    return len(cards), sum(piece.number("force") for piece in cards)


def count(position: Position, options: Mapping[str, str], limits: Limits) -> Score:
    """The score; card types are told from the letters of the card list."""
    lost, lost_force = force_in(position, CASUALTY, TYPES)
    beaten, beaten_force = force_in(position, ELIMINATION, THEIRS)
    spent, spent_force = force_in(position, ELIMINATION, MINE)
    counted = spent_force if options.get("elimination", "all") == "all" else 0
    items = (
        ("at the start", limits.base, "Scoring"),
        (f"Casualty Pile: {plural(lost, 'card')}", -lost_force, "Scoring"),
        (f"Elimination Pile: {plural(beaten, 'Insurgency card')}", beaten_force, "Scoring"),
        (f"Elimination Pile: {plural(spent, 'American card')}", counted, "Scoring"),
    )
    total = sum(points for _, points, _ in items)
    verdict = f"The final score is {total}" if ended(position) else f"{total} if the game ended now"
    other = limits.base - lost_force - beaten_force - counted
    notes = [f"With eliminations taken off instead of added (ruling C-1): {other}"]
    if not counted and spent_force:
        notes.append(f"The American cards in the Elimination Pile, force {spent_force}, do not count (ruling C-2)")
    return Score(items, total, verdict, "Scoring", tuple(notes))

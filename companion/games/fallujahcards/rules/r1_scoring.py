"""[Scoring] The score, itemised, as if the game ended now."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.core.game import Score
from companion.core.position import Position, Value
from companion.core.text import plural
from companion.games.fallujahcards.state import CASUALTY, DECK, ELIMINATION, MINE, PHASE, TARGET, THEIRS, TOP, TYPES, Limits


def is_over(position: Position) -> bool:
    """True if the deck is used up and the last turn is done (ruling C-5)."""
    left = position.count(DECK) + position.count(TOP) + position.count(TARGET)
    return bool(position.pieces) and not left and position.flag(PHASE) is None


_ALL, _THEIRS, _MINE = frozenset(TYPES), frozenset(THEIRS), frozenset(MINE)


def forces_in(position: Position, place: str, types: Collection[Value]) -> list[int]:
    """[The Piles] The force of each card of some types in a pile."""
    return [card.number("force") for card in position.at(place) if card.values.get("type") in types]


def total(position: Position, options: Mapping[str, str], limits: Limits) -> int:
    """[Scoring] The score; which cards of the Elimination Pile count is a ruling (C-2)."""
    counting = _ALL if options.get("elimination", "all") == "all" else _THEIRS
    return limits.base - sum(forces_in(position, CASUALTY, _ALL)) + sum(forces_in(position, ELIMINATION, counting))


def count(position: Position, options: Mapping[str, str], limits: Limits) -> Score:
    """[Scoring] The score, item by item."""
    score = total(position, options, limits)
    lost = forces_in(position, CASUALTY, _ALL)
    beaten, spent = forces_in(position, ELIMINATION, _THEIRS), forces_in(position, ELIMINATION, _MINE)
    counted = score - (limits.base - sum(lost) + sum(beaten))
    items = (
        ("at the start", limits.base, "Scoring"),
        (f"Casualty Pile: {plural(len(lost), 'card')}", -sum(lost), "Scoring"),
        (f"Elimination Pile: {plural(len(beaten), 'Insurgency card')}", sum(beaten), "Scoring"),
        (f"Elimination Pile: {plural(len(spent), 'American card')}", counted, "Scoring"),
    )
    verdict = f"The final score is {score}" if is_over(position) else f"{score} if the game ended now"
    other = limits.base - sum(lost) - sum(beaten) - counted
    notes = [f"With eliminations taken off instead of added (ruling C-1): {other}"]
    if not counted and any(spent):
        notes.append(f"The American cards in the Elimination Pile, force {sum(spent)}, do not count (ruling C-2)")
    return Score(items, score, verdict, "Scoring", tuple(notes))

"""What the rules of the card game forbid to lie on the table between two turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from companion.core.position import Piece, Position
from tests.support.forbidden import Forbidden, Found

AMERICAN, INSURGENCY = "TGASRD", "NIPX"
COPIES = {"I": 2, "P": 2, "X": 2, "G": 2, "A": 2, "N": 1, "T": 1, "R": 1, "D": 1}
CARDS = {"N": 8, "I": 14, "P": 10, "X": 10, "T": 8, "G": 10, "A": 10, "S": 10, "R": 7, "D": 5}
FORCES = {"N": 0, "I": 40, "P": 30, "X": 30, "T": 0, "G": 30, "A": 30, "S": 30, "R": 0, "D": 0}
"""Cards and force of each type, added up from the card list by hand."""


def kind(card: Piece) -> str:
    return str(card.values.get("type", ""))


def of(position: Position, place: str, types: str) -> list[Piece]:
    return [card for card in position.at(place) if kind(card) in tuple(types)]


def everywhere(position: Position, types: str) -> list[Piece]:
    return [card for card in position.pieces.values() if kind(card) in tuple(types)]


def none_in(place: str, types: str) -> Found:
    """No card of these types in a place."""
    return lambda game, position: [f"{card.name} in {place}" for card in of(position, place, types)]


def told(says: Callable[[Position], Iterable[str]]) -> Found:
    return lambda game, position: list(says(position))


def too_many_held(position: Position) -> list[str]:
    return [f"{position.count('hand')} in the hand"] if position.count("hand") > 4 else []


def left_as_target(position: Position) -> list[str]:
    return [card.name for card in position.at("target")]


def in_pairs(position: Position) -> list[str]:
    mine, theirs = of(position, "elimination", AMERICAN), of(position, "elimination", INSURGENCY)
    return [] if len(mine) == len(theirs) else [f"{len(mine)} American cards for {len(theirs)} Targets"]


def force(cards: Iterable[Piece], least: int) -> int:
    return sum(card.number("force") >= least for card in cards)


def destroyed_by_less(position: Position) -> list[str]:
    """Of any force, no more Targets than cards of that force at least that could destroy or neutralize them."""
    pile = {types: of(position, "elimination", types) for types in ("IP", "GAS", "X", "GA", "D", "IPX")}
    found = []
    for least in range(1, 6):
        if force(pile["IP"], least) > force(pile["GAS"], least):
            found.append(f"Insurgents and Positions of force {least} and more")
    return found


def neutralized_by_less(position: Position) -> list[str]:
    bombs, able = of(position, "elimination", "X"), of(position, "elimination", "GA")
    always = len(of(position, "elimination", "D"))
    return [f"Explosives of force {least}" for least in range(1, 6) if force(bombs, least) > force(able, least) + always]


def all_by_less(position: Position) -> list[str]:
    """Both sorts of Targets together: one American card takes one Target only."""
    targets, able = of(position, "elimination", "IPX"), of(position, "elimination", "GAS")
    always = len(of(position, "elimination", "D"))
    return [f"Targets of force {least}" for least in range(1, 6) if force(targets, least) > force(able, least) + always]


def more(position: Position, types: str, than: str) -> list[str]:
    one, other = of(position, "elimination", types), of(position, "elimination", than)
    return [f"{len(one)} of {types}, {len(other)} of {than}"] if len(one) > len(other) else []


def another_deck(position: Position) -> list[str]:
    return [] if len(position.pieces) == 92 else [f"{len(position.pieces)} cards"]


def other_types(position: Position) -> list[str]:
    counted = Counter(map(kind, position.pieces.values()))
    return [f"{counted[letter]} of {letter}" for letter, many in CARDS.items() if counted[letter] != many]


def other_forces(position: Position) -> list[str]:
    sums = {letter: sum(card.number("force") for card in everywhere(position, letter)) for letter in FORCES}
    return [f"{letter}: {sums[letter]}" for letter, many in FORCES.items() if sums[letter] != many]


def other_copies(position: Position) -> list[str]:
    names = Counter((card.name, kind(card)) for card in position.pieces.values())
    return [
        f"{many} x {name}"
        for (name, letter), many in names.items()
        if many != COPIES.get(letter, 2 if name == "Sniper Team" else 1)
    ]


def too_many_seen(position: Position) -> list[str]:
    return [f"{position.count('top')} known"] if position.count("top") > 5 else []


def seen_by_nobody(position: Position) -> list[str]:
    return ["known cards, and no Recon card was played"] if position.count("top") and not of(position, "discard", "R") else []


def turned(position: Position) -> tuple[int, int]:
    """Turns, and cards that have left the deck."""
    return position.track("turn"), len(position.pieces) - position.count("deck") - position.count("top")


def too_few_turned_up(position: Position) -> list[str]:
    turns, out = turned(position)
    return [f"{out} cards out after {turns} turns"] if out < turns else []


def too_many_drawn(position: Position) -> list[str]:
    """Each American Tactics that has left the deck brings two cards at the most."""
    turns, out = turned(position)
    tactics = sum(card.place not in ("deck", "top") for card in everywhere(position, "T"))
    return [f"{out} cards out after {turns} turns, {tactics} Tactics"] if out > turns + 2 * tactics else []


def thrown_away(position: Position) -> list[str]:
    """A Target is discarded only where American Tactics drew it, two at the most with each."""
    tactics = sum(card.place not in ("deck", "top") for card in everywhere(position, "T"))
    many = len(of(position, "discard", "IPX"))
    return [f"{many} Targets discarded, {tactics} Tactics"] if many > 2 * tactics else []


def in_a_phase(position: Position) -> list[str]:
    return [str(position.flag("phase"))] if position.flag("phase") is not None else []


def refilled(position: Position) -> list[str]:
    """The Discard Pile never goes back: what is out stays out."""
    turns, _ = turned(position)
    return ["turns were played, and the deck is whole"] if turns and position.count("deck") == len(position.pieces) else []


def not_lost(position: Position) -> list[str]:
    """An Insurgent Tactics card that has left the deck lies in the Discard Pile."""
    return [f"{card.name} in {card.place}" for card in everywhere(position, "N") if card.place not in ("deck", "top", "discard")]


FORBIDDEN = (
    Forbidden(
        "Regroup",
        "more than four cards in the hand",
        told(too_many_held),
        [(card, "hand") for card in ("Grunts", "Humvee", "Robot", "Mortars", "Predators")],
    ),
    Forbidden("Turn Sequence", "a Target between two turns", told(left_as_target), [("Grunts", "target")]),
    Forbidden("Turn Sequence", "a phase between two turns", told(in_a_phase), [("flag:phase", "Recon")]),
    Forbidden("Destroy", "an American casualty", none_in("casualty", AMERICAN), [("Grunts", "casualty")]),
    Forbidden("Tactics", "Insurgent Tactics among the casualties", none_in("casualty", "N"), [("Ambush", "casualty")]),
    Forbidden("Tactics", "Insurgent Tactics anywhere but in the Discard Pile", told(not_lost), [("Ambush", "hand")]),
    Forbidden("Asset", "Insurgents or Positions in the hand", none_in("hand", "IP"), [("Pillbox", "hand")]),
    Forbidden("Asset", "Explosives in the hand", none_in("hand", "X"), [("Car Bomb", "hand")]),
    Forbidden("The Piles", "a Target destroyed with nothing, or with two cards", told(in_pairs), [("Pillbox", "elimination")]),
    Forbidden("Destroy", "Tactics in the Elimination Pile", none_in("elimination", "NT"), [("Ingenuity", "elimination")]),
    Forbidden("Recon", "Recon in the Elimination Pile", none_in("elimination", "R"), [("Predators", "elimination")]),
    Forbidden(
        "Destroy",
        "Insurgents or Positions destroyed by too little force",
        told(destroyed_by_less),
        [("Pillbox", "elimination"), ("Grunts", "elimination")],
    ),
    Forbidden(
        "Disarm",
        "Explosives neutralized by too little force",
        told(neutralized_by_less),
        [("Roadside Bomb", "elimination"), ("AC-130 Slayer", "elimination")],
    ),
    Forbidden(
        "The Piles",
        "more Targets than cards that could take them",
        told(all_by_less),
        [("Roadside Bomb", "elimination"), ("Pillbox", "elimination"), ("Mounted Patrol", "elimination")],
    ),
    Forbidden(
        "Destroy",
        "a Disarm card spent on what is no bomb",
        told(lambda position: more(position, "D", "X")),
        [("Robot", "elimination"), ("Courtyard", "elimination")],
    ),
    Forbidden(
        "Disarm",
        "Support spent on a bomb",
        told(lambda position: more(position, "S", "IP")),
        [("Mortars", "elimination"), ("Low Tech Bomb", "elimination")],
    ),
    Forbidden("Card List", "a deck of another size", told(another_deck), [("new:infantry:Grunts", "hand")]),
    Forbidden("The Deck", "more or fewer cards of a type", told(other_types), [("new:infantry:Grunts", "hand")]),
    Forbidden("Card List", "another force than is printed", told(other_forces), [("new:infantry:Rangers G5", "hand")]),
    Forbidden("Card List", "another number of copies", told(other_copies), [("new:infantry:Grunts", "hand")]),
    Forbidden(
        "Recon",
        "more than five known cards",
        told(too_many_seen),
        [(card, "top") for card in ("Grunts", "Humvee", "Robot", "Mortars", "Predators", "Pillbox")],
    ),
    Forbidden("Recon", "known cards without a Recon card in the Discard Pile", told(seen_by_nobody), [("Grunts", "top")]),
    Forbidden("Search", "a turn without a card turned up", told(too_few_turned_up), [("turn", "3")]),
    Forbidden("Tactics", "more than two cards drawn by American Tactics", told(too_many_drawn), [("Grunts", "hand")]),
    Forbidden("Tactics", "a Target in the Discard Pile that nobody drew", told(thrown_away), [("Pillbox", "discard")]),
    Forbidden("The Piles", "a deck that was shuffled anew", told(refilled), [("turn", "3")]),
)

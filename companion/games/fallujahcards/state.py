"""Places, flags and cards of the position, and what the rules read from a card."""

from collections.abc import Mapping

from companion.core.charts import Chart
from companion.core.hints import Literal
from companion.core.named_tuple import NamedTuple
from companion.core.position import Piece, Value
from companion.core.values import JsonObject

DECK, TOP, TARGET, HAND = "deck", "top", "target", "hand"
PILES = CASUALTY, ELIMINATION, DISCARD = "casualty", "elimination", "discard"
PHASE = "phase"
"""The flag that holds the current phase."""
INSURGENCY, AMERICAN = "Insurgency", "American"
MINE, THEIRS = "TGASRD", "NIPX"
TYPES = THEIRS + MINE
"""The letters of the card list, in its order."""
DECLINE, NO = "decline", "no"
"""The answers for playing no card against a Target, and no Recon card."""

Phase = Literal["Search", "Tactics", "Destroy", "Disarm", "Recon", "Regroup"]
StoppingPhase = Literal["Destroy", "Disarm"]


class Limits(NamedTuple):
    """The numbers of the rules: the score at the start, cards drawn by American Tactics, seen by Recon, and kept."""

    base: int
    drawn: int
    seen: int
    hand: int


class Kind(NamedTuple):
    """A card as the rules see it.

    Attributes:
        settled: The phase in which it is dealt with as a Target.
        destroys: It destroys a Target of at most its force.
        disarms: Whether it neutralizes explosives: never, of at most its force, or always.
        looks: It is a Recon card.
    """

    american: bool
    settled: str
    destroys: bool
    disarms: str
    looks: bool
    force: int


NO_CARD = Kind(False, "", False, "no", False, 0)
"""A piece that is not on the card list, to which no rule applies."""

_LETTERS: Mapping[Value, str] = {letter: letter for letter in TYPES}


def limits(head: JsonObject) -> Limits:
    """The numbers of the rules in game.toml."""
    return Limits(**head["setup"])


def type_of(card: Piece) -> str:
    """The letter of a card's type; "" for a piece that is not a card of the list."""
    return _LETTERS.get(card.values.get("type"), "")


def kind_of(letter: str, force: int, types: Chart) -> Kind:
    """The kind of a card of that type and force."""
    row = dict(zip(types.columns, types.rows[letter], strict=True))
    return Kind(row["side"] == AMERICAN, str(row["settled"]), bool(row["destroys"]), str(row["disarms"]), letter == "R", force)


def stops(card: Kind, target: Kind) -> bool:
    """[Destroy, Disarm] True if a card from the hand stops a Target."""
    if target.settled == "Destroy":
        return card.destroys and card.force >= target.force
    if target.settled == "Disarm":
        return card.disarms == "always" or (card.disarms == "force" and card.force >= target.force)
    return False


def card_code(card: Piece) -> str:
    """A card in two characters: ``G4``, ``R``."""
    return f"{type_of(card)}{card.number('force') or ''}" or card.kind


def card_title(card: Piece) -> str:
    """A card by name: ``Grunts G1``."""
    return f"{card.name} {card_code(card)}"

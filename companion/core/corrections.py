"""Manual corrections: what a player can set beyond tracks, places and marks, in the words of each game."""

from collections.abc import Callable, Iterable, Mapping

from companion.core.errors import Unreadable
from companion.core.events import Event, PieceMade, PieceMoved
from companion.core.hints import TYPE_CHECKING, ClassVar, Generic
from companion.core.named_tuple import NamedTuple
from companion.core.position import Piece, Position, Value
from companion.core.procedures import RefereeT
from companion.core.text import matching_names, pick_name
from companion.core.vocabulary import FRONT

if TYPE_CHECKING:
    from companion.core.game import Game, Obstacle


class NewPiece(NamedTuple):
    """A piece to be created: name, printed values, and the side that is up."""

    name: str
    values: Mapping[str, Value] = {}
    face: str = FRONT


def one_name(title: str, values: Mapping[str, Value] = {}) -> Callable[[str, Position], NewPiece]:
    """A reader for a kind of counters that all have one name: the name or nothing is typed, and other texts are refused."""
    return lambda text, position: NewPiece(pick_name(text or title, [title], "counter of this kind"), values)


def piece_put(event: Event, position: Position) -> tuple[Piece, str] | None:
    """The piece that an event moves or makes, and the place where it comes to lie; None for any other event."""
    if isinstance(event, PieceMoved):
        return position.pieces[event.id], event.now
    if isinstance(event, PieceMade):
        return Piece(event.id, event.piece, event.name, event.place, values=event.values), event.place
    return None


CupContents = Mapping[str, tuple[tuple[str, ...], str]]
"""Cup -> (the kinds of pieces that it holds, the rule that says so)."""


class Corrections(Generic[RefereeT]):
    """The corrections of a game; each game derives its own. ``cups``: the kinds of pieces that each cup holds, with the rule."""

    cups: ClassVar[CupContents] = {}

    def __init__(self, game: "Game") -> None:
        self.game = game

    def face_names(self, piece: Piece) -> tuple[str, ...]:
        """The faces of a piece."""
        return (FRONT, *sorted(self.game.vocabulary.faces.exact - {FRONT}))

    def is_in_play(self, piece: Piece) -> bool:
        """True if the piece is preferred among several of its name."""
        return True

    def find_place(self, text: str, position: Position) -> str:
        """The place that a text means in the game's own notation; "" if none."""
        return ""

    def further_places(self, position: Position) -> Iterable[str]:
        """Names of places that only ``find_place`` reads; a misspelt one is suggested."""
        return ()

    def place_for(self, kind: str, text: str, position: Position) -> str:
        """The place that a text means for a piece of this kind, where that differs from other pieces; else ""."""
        return ""

    def read_member(self, flag: str, text: str, position: Position) -> str:
        """The member of a flag that is a set. Raises Unreadable."""
        return text

    def read_new_piece(self, kind: str, text: str, position: Position) -> NewPiece:
        """Read a new piece from its name or description; by default one like another known piece of its kind.

        Raises Unreadable: there can be no such piece; the cure shows an example.
        """
        pieces = {piece.name: piece for piece in position.of_kind(kind)}
        matches = matching_names(text, pieces) if text else list(pieces)
        if len(matches) == 1:
            return NewPiece(matches[0], pieces[matches[0]].values)
        if text and not any(piece.values for piece in pieces.values()):
            return NewPiece(text)
        like = f"new:{kind}:{next(iter(pieces))}" if pieces else f"new:{kind}:NAME"
        raise Unreadable(f"'{text}' is no {kind} that the game knows" if text else f"which {kind}?", cure=f"Like this: {like}")

    def objection(self, event: Event, position: Position) -> "Obstacle | None":
        """What the position itself says against a correction, or None."""
        return None

    def apply_in_words(self, referee: RefereeT, what: str, value: str, why: str) -> bool:
        """Apply a correction in the game's own words, such as who controls a place; return False if it is none.

        Raises Unreadable: its value is impossible.
        """
        return False

    def apply_consequences(self, referee: RefereeT, why: str) -> None:
        """Apply what the rules require at once after tracks were corrected."""

    def apply_fact(self, referee: RefereeT, kind: str, name: str, value: str) -> bool:
        """Update the position after a printed fact changed: its kind, the part after the colon, its value.

        Returns False if the position holds no such facts, because they are looked up each time.
        """
        return False

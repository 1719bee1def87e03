"""What a player can put right by hand beyond tracks, places and marks: a game has its own way of writing a counter, of naming a
place, and of what follows from a correction.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Generic, NamedTuple

from companion.core.errors import Unreadable
from companion.core.events import Event
from companion.core.position import Piece, Position, Value
from companion.core.procedures import RefereeT
from companion.core.text import matching_names
from companion.core.vocabulary import FRONT

if TYPE_CHECKING:
    from companion.core.game import Game, Obstacle


class NewPiece(NamedTuple):
    """A piece that is about to come into the game: what is printed on it, and the side that is up."""

    name: str
    values: Mapping[str, Value] = {}
    face: str = FRONT


CupContents = Mapping[str, tuple[tuple[str, ...], str]]
"""What cups hold."""


class Corrections(Generic[RefereeT]):
    """Those of a game; each game derives its own class and fills in what it needs.

    Args:
        game: whose they are.

    Attributes:
        cups: of each cup the kinds of pieces that it holds, and the rule that says so: whatever else lay there would be drawn
            one day.
    """

    cups: ClassVar[CupContents] = {}

    def __init__(self, game: "Game") -> None:
        self.game = game

    def face_names(self, piece: Piece) -> tuple[str, ...]:
        """The sides that a piece has."""
        return (FRONT, *sorted(self.game.vocabulary.faces.exact - {FRONT}))

    def is_in_play(self, piece: Piece) -> bool:
        """Whether a piece is where a player means one of its name, among several."""
        return True

    def find_place(self, text: str, position: Position) -> str:
        """The place that a text means in the game's own notation; "" where it is none."""
        return ""

    def read_member(self, flag: str, text: str, position: Position) -> str:
        """What a text means in a flag that is a set. Raises Unreadable: nothing that can be in it."""
        return text

    def read_new_piece(self, kind: str, text: str, position: Position) -> NewPiece:
        """A piece of a kind as a player names or describes it. Without a notation of the game's own, one like another of its
        kind that the game knows.

        Raises:
            Unreadable: it can be none; the cure shows one that can.
        """
        known = {piece.name: piece for piece in position.of_kind(kind)}
        found = matching_names(text, known) if text else list(known)
        if len(found) == 1:
            return NewPiece(found[0], known[found[0]].values)
        if text and not any(piece.values for piece in known.values()):
            return NewPiece(text)
        like = f"new:{kind}:{next(iter(known))}" if known else f"new:{kind}:NAME"
        raise Unreadable(f"'{text}' is no {kind} that the game knows" if text else f"which {kind}?", cure=f"Like this: {like}")

    def objection(self, event: Event, position: Position) -> "Obstacle | None":
        """What on the table itself speaks against a correction."""
        return None

    def apply_in_words(self, referee: RefereeT, what: str, value: str, why: str) -> bool:
        """Carry out a correction in the game's own words, such as who controls a place; False where it is none of them.

        Raises:
            Unreadable: it is one, and cannot be.
        """
        return False

    def apply_consequences(self, referee: RefereeT, why: str) -> None:
        """What the rules bring on at once from where the tracks stand after a correction."""

    def apply_fact(self, referee: RefereeT, kind: str, name: str, value: str) -> bool:
        """Let the position follow a printed fact that is told anew: its kind, what stands after the colon, its value.

        Returns:
            Whether the position holds such facts; what is looked up afresh each time needs nothing.
        """
        return False

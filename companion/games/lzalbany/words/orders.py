"""Who goes where, in one line: ``b3 > b4; 1/A mtr/A > c2; rest > albany``.

Before the arrow stand counters by unique prefix, a company, an area (everything there that may go), ``all`` or ``rest``;
behind it an area. Parts are separated by semicolons or commas.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from companion.core.errors import Ambiguous, Unreadable
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.text import clean, matching_names
from companion.core.text import normalised as loosely
from companion.games.lzalbany.words.counters import company_of

NONE = "none"

loose = lru_cache(maxsize=4096)(loosely)


class Order(NamedTuple):
    """One counter and where it goes."""

    piece: Piece
    to: str


ReadPlace = Callable[[str], str]


class _Roll:
    """Who may still be ordered, found quickly by name."""

    def __init__(
        self, pieces: Sequence[Piece], apart: Sequence[str], names: Mapping[str, Sequence[Piece]], places: Mapping[str, str]
    ) -> None:
        self.left = {piece.id: piece for piece in pieces}
        self.apart = apart
        self.names = names
        self.places = places

    def take(self, token: str) -> list[Piece]:
        """The counters that one word before the arrow means; they are then no longer left.

        Raises:
            Unreadable: none, or one that was named before.
            Ambiguous: several single ones.
        """
        found = self._meant(token)
        for piece in found:
            del self.left[piece.id]
        return found

    def _meant(self, token: str) -> list[Piece]:
        word = loose(token)
        named = self.names.get(word)
        if named:
            twin = next((piece for piece in named if piece.id in self.left), None)
            if twin is None:
                raise Unreadable(f"{named[0].name} is named twice", rule="6.2")
            return [twin]
        common = [piece for piece in self.left.values() if piece.id not in self.apart]
        if word in ("all", "rest"):
            return common
        place = self.places.get(word)
        there = [piece for piece in common if piece.place == place]
        if there:
            return there
        company = self._company(word, common)
        if company:
            return [piece for piece in common if company_of(piece) == company]
        return [self._by_prefix(token)]

    @staticmethod
    def _company(word: str, pieces: Sequence[Piece]) -> str:
        """The company that a word means: its full name, or what stands before its first stroke where there are several."""
        companies = list(dict.fromkeys(company_of(piece) for piece in pieces if company_of(piece)))
        short = [name for name in companies if loose(name).partition("/")[0] == word] if len(companies) > 1 else []
        found = [name for name in companies if loose(name) == word] or short
        return found[0] if len(found) == 1 else ""

    def _by_prefix(self, token: str) -> Piece:
        pieces = list(self.left.values())
        names = matching_names(token, [piece.name for piece in pieces])
        if len(names) > 1:
            raise Ambiguous(token, names)
        if names:
            return next(piece for piece in pieces if piece.name == names[0])
        gone = matching_names(token, [named[0].name for named in self.names.values()])
        if len(gone) == 1:
            raise Unreadable(f"{gone[0]} is named twice", rule="6.2")
        shown = ", ".join(piece.name for piece in pieces[:10]) or "nobody is left"
        raise Unreadable(f"no counter '{clean(token)}' can be ordered", rule="6.2", cure=f"You can name {shown}")


def _by_place(orders: Sequence[Order]) -> dict[str, list[Order]]:
    found: dict[str, list[Order]] = {}
    for order in orders:
        found.setdefault(order.to, []).append(order)
    return found


def orders_text(orders: Sequence[Order]) -> str:
    """The normal form: full names, one part for each place."""
    places = _by_place(orders).items()
    return "; ".join([f"{' '.join([order.piece.name for order in there])} > {place}" for place, there in places]) or NONE


def orders_of(notation: Notation) -> Orders | None:
    """The orders that a notation reads; None where it reads something else."""
    reader = getattr(notation.read, "__self__", None)
    return reader if isinstance(reader, Orders) else None


class Orders:
    """The orders that may be given to these counters. A text is read once, and its normal form, which repeats every name,
    not at all where it cannot but mean the same.

    Args:
        pieces: who may be ordered (also an attribute).
        place: reads what stands behind the arrow.
        home: where everybody goes when there is no arrow at all, as in a set-up: the text is the place then.
        apart: ids of counters that no area, company, ``all`` or ``rest`` means, but only their names.
    """

    def __init__(self, pieces: Sequence[Piece], place: ReadPlace, home: str = "", apart: Sequence[str] = ()) -> None:
        self.pieces = pieces
        self._place = place
        self._home = home
        self._apart = apart
        self._known: dict[str, list[Order]] = {}

    @property
    def notation(self) -> Notation:
        """What reads a text into its normal form."""
        example = self._home or f"{self.pieces[0].name if self.pieces else '1/A/2-7'} > b4; rest > c2"
        return Notation("orders", example, self._normal)

    def read(self, text: str) -> list[Order]:
        """What a text orders, each counter at most once.

        Raises:
            Unreadable: a part is not of the form, a counter is named twice or cannot be ordered.
            Ambiguous: a word fits several counters.
        """
        if text not in self._known:
            self._known[text] = self._read(text)
        return self._known[text]

    def _read(self, text: str) -> list[Order]:
        if text.strip().casefold() in ("", "-", NONE):
            return []
        if self._home and ">" not in text:
            return [Order(piece, self._place(text)) for piece in self.pieces]
        orders: list[Order] = []
        places = {loose(place): place for place in dict.fromkeys([piece.place for piece in self.pieces])}
        roll = _Roll(self.pieces, self._apart, self._names, places)
        for part in (item.strip() for item in text.replace(",", ";").split(";")):
            if not part:
                continue
            who, arrow, to = part.partition(">")
            if not arrow or not to.strip() or not who.strip():
                raise Unreadable(
                    f"'{clean(part)}' does not say who goes where", rule="6.2", cure="Type it like this: b3 > b4; 1/A > c2"
                )
            goal = self._place(to.strip())
            orders += [Order(piece, goal) for token in who.split() for piece in roll.take(token)]
        return orders

    @cached_property
    def _names(self) -> dict[str, list[Piece]]:
        found: dict[str, list[Piece]] = {}
        for piece in self.pieces:
            found.setdefault(loose(piece.name), []).append(piece)
        return found

    def _normal(self, text: str) -> str:
        return self.text(self.read(text))

    def text(self, orders: Sequence[Order]) -> str:
        """The normal form of some of the orders that may be given."""
        normal = orders_text(orders)
        if normal not in self._known and self._plain(orders):
            self._known[normal] = [order for there in _by_place(orders).values() for order in there]
        return normal

    def _plain(self, orders: Sequence[Order]) -> bool:
        """Whether the normal form of some orders is read as it was meant: each name is one word that no other counter has,
        and each place reads as itself.
        """
        names = " ".join([order.piece.name for order in orders])
        return (
            len(self._names) == len(self.pieces)
            and len(names.split()) == len(orders)
            and not any(mark in names for mark in ",;>")
            and all(self._place(place) == place for place in _by_place(orders))
        )

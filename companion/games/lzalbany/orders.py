"""Who goes where, in one line: ``b3 > b4; 1/A mtr/A > c2; rest > albany``.

Before the arrow stand counters by unique prefix, a company, an area (everything there that may go), ``all`` or ``rest``;
behind it an area. Parts are separated by semicolons or commas.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.core.errors import Ambiguous, Unreadable
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.words import clean, fitting, loose

NONE = "none"


class Order(NamedTuple):
    """One counter and where it goes."""

    piece: Piece
    to: str


ReadPlace = Callable[[str], str]


def _meant(token: str, left: Sequence[Piece], apart: Sequence[str]) -> list[Piece]:
    """The counters that one word before the arrow means; those whose ids are ``apart`` only by their own names.

    Raises:
        Unreadable: none.
        Ambiguous: several single ones.
    """
    word = loose(token)
    exact = [piece for piece in left if loose(piece.name) == word]
    if exact:
        return exact[:1]
    common = [piece for piece in left if piece.id not in apart]
    if word in ("all", "rest"):
        return common
    there = [piece for piece in common if loose(piece.place) == word]
    if there:
        return there
    companies = list(dict.fromkeys(str(piece.values.get("company")) for piece in common if piece.values.get("company")))
    company = [name for name in companies if loose(name) == word] or [
        name for name in companies if loose(name).startswith(word + "/")
    ]
    if len(company) == 1:
        return [piece for piece in common if piece.values.get("company") == company[0]]
    names = fitting(token, [piece.name for piece in left])
    if len(names) == 1:
        return [next(piece for piece in left if piece.name == names[0])]
    if names:
        raise Ambiguous(token, names)
    shown = ", ".join(piece.name for piece in left[:10]) or "nobody is left"
    raise Unreadable(f"no counter '{clean(token)}' can be ordered", cure=f"There is: {shown}")


def read_orders(text: str, pieces: Sequence[Piece], place: ReadPlace, home: str = "", apart: Sequence[str] = ()) -> list[Order]:
    """The orders that a text gives, each counter at most once.

    Args:
        pieces: who may be ordered.
        place: reads what stands behind the arrow.
        home: where everybody goes when there is no arrow at all, as in a set-up: the text is the place then.
        apart: ids of counters that no area, company, ``all`` or ``rest`` means, but only their names.

    Raises:
        Unreadable: a part is not of the form, a counter is named twice or cannot be ordered.
        Ambiguous: a word fits several counters.
    """
    if text.strip().casefold() in ("", "-", NONE):
        return []
    if home and ">" not in text:
        return [Order(piece, place(text)) for piece in pieces]
    orders: list[Order] = []
    for part in (item.strip() for item in text.replace(",", ";").split(";")):
        if not part:
            continue
        who, arrow, to = part.partition(">")
        if not arrow or not to.strip() or not who.strip():
            raise Unreadable(f"'{clean(part)}' says not who goes where", rule="6.2", cure="Type it like this: b3 > b4; 1/A > c2")
        goal = place(to.strip())
        for token in who.split():
            gone = {order.piece.id for order in orders}
            left = [piece for piece in pieces if piece.id not in gone]
            taken = [piece for piece in pieces if loose(piece.name) == loose(token) and piece.id in gone]
            if taken:
                raise Unreadable(f"{taken[0].name} is named twice", rule="6.2")
            orders += [Order(piece, goal) for piece in _meant(token, left, apart)]
    return orders


def orders_text(orders: Sequence[Order]) -> str:
    """The normal form: full names, one part for each place."""
    places = dict.fromkeys(order.to for order in orders)
    parts = [f"{' '.join(order.piece.name for order in orders if order.to == place)} > {place}" for place in places]
    return "; ".join(parts) or NONE


def orders_notation(pieces: Sequence[Piece], place: ReadPlace, home: str = "", apart: Sequence[str] = ()) -> Notation:
    """The notation of orders to these counters."""
    first = pieces[0].name if pieces else "1/A/2-7"
    example = home or f"{first} > b4; rest > c2"
    return Notation("orders", example, lambda text: orders_text(read_orders(text, pieces, place, home, apart)))

"""The short label beside each item of a list: typed, it is that item and no other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count, product

from companion.core.words import loose

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def labels(items: Sequence[Sequence[str]], others: Iterable[str] = ()) -> tuple[str, ...]:
    """A label for each item of a list, in its order: its number, unless something there is itself called by a number.

    Where each item is called by a number, that is its label; where only some are, letters with which no name begins.

    Args:
        items: of each item the names by which it goes, the shortest first.
        others: names that are in no list and mean something here all the same.

    >>> labels([["USMC 3/5"], ["USMC 1/8"]])
    ('1', '2')
    >>> labels([["12", "Squad 12"], ["4", "Squad 4"]])
    ('12', '4')
    >>> labels([["4", "Squad 4"], ["b1", "Tank"], ["Ammunition"]])
    ('c', 'd', 'e')
    """
    called = [loose(name) for names in items for name in names] + [loose(name) for name in others]
    if not any(name.isdecimal() for name in called):
        return tuple(str(number) for number in range(1, len(items) + 1))
    if all(names[0].isdecimal() for names in items):
        return tuple(names[0] for names in items)
    words = {word for name in called for word in name.split()}
    free = (label for label in _letters() if not any(word.startswith(label) for word in words))
    return tuple(next(free) for _ in items)


def _letters() -> Iterator[str]:
    """a to z, aa to zz, and so on."""
    return ("".join(letters) for length in count(1) for letters in product(_LETTERS, repeat=length))

"""The short label beside each item of a list: typed, it is that item and no other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count


def labels(items: Sequence[Sequence[str]], others: Iterable[str] = ()) -> tuple[str, ...]:
    """A label for each item of a list, in its order: its place in the list, unless something there goes by a number.

    Where each item goes by a number of its own, that is its label, lest 4 be Squad 5; where only some do, its place behind a
    point, which one hand finds on the number pad.

    Args:
        items: of each item the names by which it goes, the shortest first.
        others: names that are in no list and mean something here all the same.

    >>> labels([["USMC 3/5"], ["USMC 1/8"]])
    ('1', '2')
    >>> labels([["Squad 12"], ["Squad 4"]])
    ('12', '4')
    >>> labels([["4", "Squad 4"], ["b1", "Tank"], ["Ammunition"]])
    ('.1', '.2', '.3')
    """
    words = [{word for name in names for word in name.casefold().split()} for names in items]
    besides = {word for name in others for word in name.casefold().split()}
    numbers = [[word for word in own if word.isdecimal()] for own in words]
    if not any(numbers) and not any(word.isdecimal() for word in besides):
        return tuple(str(number) for number in range(1, len(items) + 1))
    found = [own[0] for own in numbers if len(own) == 1]
    if len(set(found)) == len(items) and not besides & set(found):
        return tuple(found)
    return point_labels(len(items), besides.union(*words))


def point_labels(many: int, used: Iterable[str] = ()) -> tuple[str, ...]:
    """So many labels of a point and a number, none of which is a word that is ``used``.

    >>> point_labels(2)
    ('.1', '.2')
    """
    taken = set(used)
    free = (f".{number}" for number in count(1) if f".{number}" not in taken)
    return tuple(label for _, label in zip(range(many), free, strict=False))

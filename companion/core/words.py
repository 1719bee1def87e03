"""Reading what a hurried hand types: unique prefixes, lists, plain text without control characters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from companion.core.errors import Ambiguous, Unreadable

_LOOSE = str.maketrans({"_": " ", "-": " "})


def clean(text: str) -> str:
    """The text without control characters, so that a name can neither move a cursor nor colour a screen.

    >>> clean("Alpha\\x1b[31m")
    'Alpha [31m'
    """
    plain = text if text.isprintable() else "".join(ch if ch.isprintable() else " " for ch in text)
    return plain.strip()


@lru_cache(maxsize=4096)
def loose(text: str) -> str:
    """The form in which names are compared: no case, hyphens and underscores as spaces."""
    return " ".join(text.casefold().translate(_LOOSE).split())


def fitting(text: str, names: Iterable[str]) -> list[str]:
    """The names that ``text`` may mean: an exact one alone, else prefixes, else starts of a later word.

    >>> names = ["Sniper", "Sniper Team", "Air Strike"]
    >>> fitting("sniper", names), fitting("sn", names), fitting("str", names)
    (['Sniper'], ['Sniper', 'Sniper Team'], ['Air Strike'])
    """
    wanted = loose(text)
    pool = list(dict.fromkeys(names))
    exact = [name for name in pool if name == text] or [name for name in pool if loose(name) == wanted]
    if exact:
        return exact
    if not wanted:
        return []
    starts = [name for name in pool if loose(name).startswith(wanted)]
    if starts:
        return starts
    return [name for name in pool if f" {wanted}" in f" {loose(name)}"]


def one_of(text: str, names: Sequence[str], what: str, *, cure: str = "") -> str:
    """The one name that ``text`` means.

    Raises:
        Unreadable: nothing fits.
        Ambiguous: several names fit.
    """
    found = fitting(text, names)
    if len(found) == 1:
        return found[0]
    if found:
        raise Ambiguous(text, found)
    known = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    raise Unreadable(f"no {what} '{clean(text)}'", cure=cure or (f"There is: {known}" if names else "There is none"))


def split_list(text: str) -> list[str]:
    """The parts of a typed list: commas or semicolons between them; without either, the whole text is one part.

    >>> split_list("2 air, Alpha Company; 3-8")
    ['2 air', 'Alpha Company', '3-8']
    """
    return [part.strip() for part in text.replace(";", ",").split(",") if part.strip()]


def counted(text: str, names: Iterable[str] = ()) -> tuple[int, str]:
    """``2 air``, ``2x air`` and ``2 x air`` as 2 and ``air``; anything else as 1 and itself. At most 99.

    ``names``: what can be named; a text that fits one of them as it stands is a name (``4 MP`` is no four MPs).

    >>> counted("2 air"), counted("2x air"), counted("4 MP", ["4 MP"]), counted("air")
    ((2, 'air'), (2, 'air'), (1, '4 MP'), (1, 'air'))
    """
    if fitting(text, names):
        return 1, text.strip()
    head, _, tail = text.strip().partition(" ")
    number = head.removesuffix("x")
    name = tail.strip().removeprefix("x ").strip()
    return (int(number), name) if number.isdecimal() and len(number) < 3 and name else (1, text.strip())


def plural(count: int, noun: str, many: str = "") -> str:
    """``1 hit``, ``2 hits``.

    >>> plural(1, "die", "dice"), plural(3, "die", "dice")
    ('1 die', '3 dice')
    """
    return f"{count} {noun if count == 1 else many or noun + 's'}"

"""How a typed value is read: a name, an example to show, and the reader itself."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.core import limits
from companion.core.errors import Unreadable
from companion.core.text import clean, pick_name, plural

MANY = 100
"""Counters of one kind that no cup holds more of."""

MOST = limits.FACT
"""Characters that a value may have: Python reads no whole number with more digits than that."""


class Notation(NamedTuple):
    """A way of writing a value.

    Attributes:
        name: what it is called in messages.
        example: one that can be typed as it stands.
        read: text to the normal form of the text; raises Unreadable.
        choices: where only a few texts are possible, those.
        doubt: refuses what can be read and looks like a slip, where it is typed; what was kept once is not doubted.
        told: a value in words, so that the player sees what was understood; "" where it says no more than the value.
        slash: what ``/`` of the number pad stands for between two parts, " > " or the like; "" for nothing but itself.
    """

    name: str
    example: str
    read: Callable[[str], str]
    choices: tuple[str, ...] = ()
    check_doubtful: Callable[[str], None] = lambda text: None
    describe: Callable[[str], str] = lambda value: ""
    slash: str = ""

    def __call__(self, text: str) -> str:
        """The normal form of a text, which is read without control characters, as a bundle and a screen will have it. Raises
        Unreadable: it is none, or longer than any, or looks like a slip.
        """
        if len(text) > MOST:
            raise Unreadable(
                f"{len(text)} characters are too many for '{self.name}', at most {MOST}", cure=f"Like this: {self.example}"
            )
        said = clean(text)
        self.check_doubtful(said)
        return self.read(said)


def fixed_words(name: str, choices: Sequence[str]) -> Notation:
    """A notation of a few fixed words, each by unique prefix.

    >>> fixed_words("terrain", ["urban", "open"]).read("u")
    'urban'
    """
    return Notation(name, choices[0], lambda text: pick_name(text, choices, name), tuple(choices))


def whole_number(name: str, low: int, high: int) -> Notation:
    """A notation of whole numbers within bounds (both included).

    >>> whole_number("strength", 1, 9).read(" 07 ")
    '7'
    """

    def read(text: str) -> str:
        try:
            number = int(text)
        except ValueError:
            raise Unreadable(f"'{clean(text)}' is not a whole number", cure=f"Type {low} to {high}") from None
        if not low <= number <= high:
            raise Unreadable(f"{number} is outside {low} to {high}")
        return str(number)

    return Notation(name, str(max(low, 1)), read)


def read_counter_lots(text: str, example: str = "VALUES x6, VALUES x4") -> list[tuple[str, int]]:
    """``1(1) x6, 2(1) x4``: what is printed, and how many counters bear it, 0 to 60.

    >>> read_counter_lots("1(1) x6, 2(1) x4")
    [('1(1)', 6), ('2(1)', 4)]

    Raises:
        Unreadable: a number is missing or out of range; the cure shows the example.
    """
    lots: list[tuple[str, int]] = []
    for part in text.split(","):
        values, times, count = part.strip().rpartition("x")
        if not times or not count.strip().isdecimal() or int(count) > 60:
            raise Unreadable(f"'{clean(part)}' says no number of counters", cure=f"Type it like this: {example}")
        lots.append((values.strip(), int(count)))
    return lots


def describe_lots(value: str) -> str:
    """How many counters some lots are, and a doubt where no set has so many.

    >>> describe_lots("1(1) x6, 2(1) x4"), describe_lots("1(1) x60, 2(1) x60")
    ('10 counters', '120 counters: is that right?')
    """
    many = sum(count for _, count in read_counter_lots(value))
    return plural(many, "counter") + (": is that right?" if many > MANY else "")


def free_text(name: str, example: str) -> Notation:
    """Any text of one line that is not empty."""

    def read(text: str) -> str:
        said = clean(text)
        if not said:
            raise Unreadable(f"{name} is empty", cure=f"Type it like this: {example}")
        return said[:200]

    return Notation(name, example, read)

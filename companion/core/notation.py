"""Notations: how typed values are read and shown."""

from collections.abc import Callable, Sequence

from companion.core import limits
from companion.core.errors import Unreadable
from companion.core.named_tuple import NamedTuple
from companion.core.text import clean, pick_name, plural

MANY = 100  # Maximum number of counters of one kind in a cup
DIGITS = tuple("1234567890")
LOT_KEYS = (*DIGITS, " x", ", ")  # To tap lots of counters together, with the keys of the printed values
MOST = limits.FACT  # Maximum characters of a value; Python reads no whole number with more digits


class Notation(NamedTuple):
    """A way of writing a value. ``read`` returns the normal form of a text, or raises Unreadable.

    ``choices`` are all possible values, if there are few. ``check_doubtful`` raises Unreadable for typed values that look like a
    slip; stored ones are not checked. ``describe`` returns the value in words, or "" if that adds nothing. ``slash`` is what
    ``/`` on the number pad stands for between two parts. ``words`` are what a screen without keys offers to tap: parts of a
    value, with ``between`` from one to the next, or whole values if ``between`` is None.
    """

    name: str
    example: str
    read: Callable[[str], str]
    choices: tuple[str, ...] = ()
    check_doubtful: Callable[[str], None] = lambda text: None
    describe: Callable[[str], str] = lambda value: ""
    slash: str = ""
    words: tuple[str, ...] = ()
    between: str | None = None

    def __call__(self, text: str) -> str:
        """The normal form of a typed text without control characters. Raises Unreadable: it is invalid, too long, or doubtful."""
        if len(text) > MOST:
            fault = f"{len(text)} characters are too many for '{self.name}', at most {MOST}"
            raise Unreadable(fault, cure=f"Like this: {self.example}")
        value = clean(text)
        self.check_doubtful(value)
        return self.read(value)


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

    few = high - low < len(DIGITS)
    words = tuple(map(str, range(low, high + 1))) if few else DIGITS
    return Notation(name, str(max(low, 1)), read, words=words, between=None if few else "")


def read_counter_lots(
    text: str, example: str = "VALUES x6, VALUES x4", read: Callable[[str], object] = str
) -> list[tuple[str, int]]:
    """Parse ``1(1) x6, 2(1) x4``: printed values and the number of counters with each, 0 to 60. Raises Unreadable.

    ``read`` parses the values of one lot.

    >>> read_counter_lots("1(1) x6, 2(1) x4")
    [('1(1)', 6), ('2(1)', 4)]
    """
    lots: list[tuple[str, int]] = []
    for part in text.split(","):
        values, times, count = part.strip().rpartition("x")
        if not times or not count.strip().isdecimal() or int(count) > 60:
            raise Unreadable(f"'{clean(part)}' has no number of counters", cure=f"Type it like this: {example}")
        try:
            lots.append((str(read(values.strip())), int(count)))
        except Unreadable as error:
            raise Unreadable(error.message, rule=error.rule, cure=f"Type it like this: {example}") from None
    return lots


def describe_lots(value: str) -> str:
    """The total number of counters, and a doubt if it is too large for any set.

    >>> describe_lots("1(1) x6, 2(1) x4"), describe_lots("1(1) x60, 2(1) x60")
    ('10 counters', '120 counters: is that right?')
    """
    total = sum(count for _, count in read_counter_lots(value))
    return plural(total, "counter") + (": is that right?" if total > MANY else "")


def free_text(name: str, example: str) -> Notation:
    """Any non-empty text of one line."""

    def read(text: str) -> str:
        value = clean(text)
        if not value:
            raise Unreadable(f"{name} is empty", cure=f"Type it like this: {example}")
        return value[:200]

    return Notation(name, example, read)

"""[13.4] How the Combat Results Chart and its results are written."""

from typing import NamedTuple

from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.words import clean, plural

LADDER = ("1-2", "1-1", *(f"{number}-1" for number in range(2, 11)))
"""The columns from the defender's best to the attacker's best [13.3(9)]."""
FACES = 6
NOTHING = "-"
EFFECTS = ("R", "1R", "2R", "3R", "4R", "5R", "1", "2", NOTHING)
"""What may stand behind the letter of a side, in the rulebook's order; the chart ``results`` says what each does."""
UNKNOWN = "?"
"""A cell that nobody has told."""


class Result(NamedTuple):
    """A cell of the chart: the effect on each side."""

    attacker: str
    defender: str

    def __str__(self) -> str:
        parts = [f"{letter}{effect}" for letter, effect in (("A", self.attacker), ("D", self.defender)) if effect != NOTHING]
        return " ".join(parts) or NOTHING


def cell_text(cell: str) -> str:
    """A cell in words: ``D1R: the defender loses 1 step and retreats``."""
    if cell in (NOTHING, UNKNOWN):
        return "no effect" if cell == NOTHING else "not known"
    result = read_result(cell)
    parts = [f"the {who} {_suffers(effect)}" for who, effect in zip(("attacker", "defender"), result, strict=True)]
    return f"{cell}: {', '.join(part for part in parts if not part.endswith(' '))}"


def _suffers(effect: str) -> str:
    """What an effect does to a side; "" for nothing."""
    if effect == NOTHING:
        return ""
    steps = effect.removesuffix("R")
    lost = f"loses {plural(int(steps), 'step')}" if steps else ""
    return " and ".join(filter(None, [lost, "retreats" if effect.endswith("R") else ""]))


def read_result(text: str) -> Result:
    """``-``, ``AR``, ``A1``, ``D2R``, ``A1 D1R``. Raises Unreadable: it is none of these."""
    plain = clean(text).upper().replace(" ", "").replace("/", "")
    if plain in (NOTHING, "NE"):
        return Result(NOTHING, NOTHING)
    head, found, tail = plain.partition("D")
    attacker = head[1:] if head.startswith("A") else "" if head else NOTHING
    defender = tail if found else NOTHING
    if not plain or attacker not in EFFECTS or defender not in EFFECTS:
        raise Unreadable(
            f"'{clean(text)}' is not a result", rule="13.4", cure="Type it as the chart has it: - or A1 or D2R or A1 D1R"
        )
    return Result(attacker, defender)


def read_column(text: str) -> str:
    """Six results with commas between, ``?`` for one that is not known yet.

    Raises:
        Unreadable: not six, or one of them is no result.
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != FACES:
        raise Unreadable(f"{len(parts)} results given, 6 needed", rule="13.4", cure="One for each face, with commas between")
    return ", ".join(UNKNOWN if part == UNKNOWN else str(read_result(part)) for part in parts)


COLUMN = Notation("column of results", "A2R, A1, -, D1, D1R, D2R", read_column)


def cell_notation(face: int) -> Notation:
    """One result, or a whole column of six in which that of the face rolled is told."""

    def read(text: str) -> str:
        if "," not in text:
            return str(read_result(text))
        column = read_column(text)
        read_result(column.split(", ")[face - 1])
        return column

    return Notation("result", "D1R", read)

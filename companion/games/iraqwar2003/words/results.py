"""[13.3, 13.4] The Combat Results Chart: its columns, how odds become one, and how its results are written."""

from __future__ import annotations

from typing import NamedTuple

from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.words import clean

LADDER = ("1-2", "1-1", *(f"{number}-1" for number in range(2, 11)))
"""The columns from the defender's best to the attacker's best [13.3(9)]."""
NOTHING = "-"
UNKNOWN = "?"
FAR = 10**6


class Effect(NamedTuple):
    """What a result does to one side: strength steps lost, and whether it retreats."""

    steps: int = 0
    retreat: bool = False

    def __str__(self) -> str:
        return f"{self.steps or ''}{'R' if self.retreat else ''}"


class Result(NamedTuple):
    """A cell of the chart [13.4]."""

    attacker: Effect
    defender: Effect

    def __str__(self) -> str:
        parts = [f"{letter}{effect}" for letter, effect in (("A", self.attacker), ("D", self.defender)) if any(effect)]
        return " ".join(parts) or NOTHING


def _effect(text: str) -> Effect | None:
    number = text.removesuffix("R")
    if text in ("", "R0") or (number and (not number.isdecimal() or not 1 <= int(number) <= 5)):
        return None
    return Effect(int(number or 0), text.endswith("R"))


def read_result(text: str) -> Result:
    """``-``, ``AR``, ``A1``, ``D2R``, ``A1 D1R``.

    A retreat alone [13.4(1)], losses with a retreat [13.4(2), 13.4(3), 13.4(4), 13.4(5), 13.4(6)], losses alone
    [13.4(7), 13.4(8)], nothing [13.4(9)].

    Raises:
        Unreadable: it is none of these.
    """
    plain = clean(text).upper().replace(" ", "").replace("/", "")
    if plain in (NOTHING, "NE"):
        return Result(Effect(), Effect())
    head, found, tail = plain.partition("D")
    attacker = _effect(head[1:]) if head.startswith("A") else Effect() if not head else None
    defender = _effect(tail) if found else Effect()
    if attacker is None or defender is None or not plain:
        raise Unreadable(
            f"'{clean(text)}' is no result", rule="13.4", cure="Type it as the chart has it: - or A1 or D2R or A1 D1R"
        )
    return Result(attacker, defender)


def read_column(text: str) -> str:
    """Six results with commas between, ``?`` for one that is not known yet.

    Raises:
        Unreadable: not six, or one of them is no result.
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 6:
        raise Unreadable(f"{len(parts)} results given, 6 needed", rule="13.4", cure="One for each face, with commas between")
    return ", ".join(UNKNOWN if part == UNKNOWN else str(read_result(part)) for part in parts)


def read_cell(text: str) -> str:
    """One result, or a whole column of six."""
    return read_column(text) if "," in text else str(read_result(text))


COLUMN = Notation("column of results", "A2R, A1, -, D1, D1R, D2R", read_column)
CELL = Notation("result", "D1R", read_cell)


def ladder_index(attack: int, defence: int) -> int:
    """Where a ratio stands on the endless ladder ..., 1-3, 1-2, 1-1, 2-1, ...: 0 is 1-2 [13.3(1)] (rulings C-9, C-10, C-36).

    Fractions are dropped in the defender's favour. An attack of nothing is below everything, a defence of nothing above.
    """
    if attack <= 0:
        return -FAR
    if defence <= 0:
        return FAR
    return attack // defence if attack >= defence else 2 - -(-defence // attack)


def column(attack: int, defence: int, shift: int = 0) -> str:
    """The column for combat values and a shift (positive: for the attacker): shifted first, then clamped [13.3(9)]."""
    return LADDER[min(max(ladder_index(attack, defence) + shift, 0), len(LADDER) - 1)]


def ratio_text(attack: int, defence: int) -> str:
    """The ratio before any shift, as it is read aloud."""
    index = ladder_index(attack, defence)
    if index == -FAR:
        return "nothing"
    if index == FAR:
        return "everything"
    return f"{index}-1" if index > 0 else f"1-{2 - index}"

"""[2.4] Counters as an owner types them: one line a company, such as ``1 inf 2-3/1-2, mtr mortar 1-1/1-1, co officer``."""

from __future__ import annotations

from typing import NamedTuple

from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.position import Value
from companion.core.text import clean, pick_name

KINDS = ("inf", "hmg", "mortar", "artillery", "officer")
COMPANIES = (
    "A/2-7",
    "C/2-7",
    "D/2-7",
    "US senior",
    "B/2-7",
    "US artillery",
    "A/1-5",
    "B/1-5",
    "1/1/33",
    "Mtr/1/33",
    "HQ/1/33",
    "6/8/66",
    "7/8/66",
    "8/8/66",
    "NVA senior",
    "10/8/66",
    "HQ/8/66",
)
SENIORS = ("US senior", "NVA senior")
EXAMPLE = "1 inf 2-3/1-2, mtr mortar 1-1/1-1, co officer"


class Counter(NamedTuple):
    """What is printed on one counter: fire and melee strength, at full strength and reduced; an officer has none."""

    label: str
    kind: str
    fire: int = 0
    melee: int = 0
    back_fire: int = 0
    back_melee: int = 0

    def __str__(self) -> str:
        if self.kind == "officer":
            return f"{self.label} officer"
        return f"{self.label} {self.kind} {self.fire}-{self.melee}/{self.back_fire}-{self.back_melee}"

    def name(self, company: str) -> str:
        """What the player types: ``1/A/2-7``; a senior officer by his own name."""
        if company in SENIORS:
            return self.label
        return f"{self.label}/Art" if company == "US artillery" else f"{self.label}/{company}"


def _strengths(text: str) -> tuple[int, int]:
    fire, dash, melee = text.partition("-")
    if not dash or not fire.isdecimal() or not melee.isdecimal() or max(int(fire), int(melee)) > 12:
        raise Unreadable(
            f"'{clean(text)}' is not fire-melee", rule="2.4", cure="Type strengths like this: 2-3/1-2, reduced behind the stroke"
        )
    return int(fire), int(melee)


def read_counter(text: str) -> Counter:
    """``1 inf 2-3/1-2`` or ``co officer``.

    Raises:
        Unreadable: it is not of that form.
    """
    words = clean(text).split()
    if len(words) < 2:
        raise Unreadable(
            f"'{clean(text)}' lacks a part: label, kind, strengths", rule="2.4", cure=f"Type it like this: {EXAMPLE}"
        )
    kind = pick_name(words[1], KINDS, "kind of counter")
    label = words[0][:12]
    if any(ch in label for ch in ">;,"):
        raise Unreadable(f"'{clean(label)}' cannot be a label", rule="2.4")
    if kind == "officer":
        return Counter(label, kind)
    front, slash, back = (words[2] if len(words) > 2 else "").partition("/")
    if len(words) != 3 or not slash:
        raise Unreadable(f"'{clean(text)}' needs both sides of the counter", rule="2.4", cure=f"Type it like this: {EXAMPLE}")
    return Counter(label, kind, *_strengths(front), *_strengths(back))


def read_company(text: str) -> list[Counter]:
    """All counters of a company.

    Raises:
        Unreadable: one of them cannot be read, or two have one label.
    """
    found = [read_counter(part) for part in text.split(",") if part.strip()]
    labels = [counter.label.casefold() for counter in found]
    if not found or len(found) > 12 or len(set(labels)) != len(labels):
        raise Unreadable("a company has 1 to 12 counters, each with a label of its own", rule="2.4", cure=f"Such as: {EXAMPLE}")
    return found


COMPANY = Notation("counters of a company", EXAMPLE, lambda text: ", ".join(map(str, read_company(text))))
COUNTER = Notation("counter", "1 inf 2-3/1-2", lambda text: str(read_counter(text)))


def values_of(counter: Counter, company: str, side: str, group: str) -> dict[str, Value]:
    """The printed values as the piece holds them."""
    values: dict[str, Value] = {"side": side, "company": company, "group": group, "type": counter.kind}
    if counter.kind == "officer":
        return {**values, "senior": company in SENIORS}
    return {
        **values,
        "fire": counter.fire,
        "melee": counter.melee,
        "back fire": counter.back_fire,
        "back melee": counter.back_melee,
    }


def read_gunship(text: str) -> str:
    """``4/2``: the fire strength of a gunship, and damaged.

    Raises:
        Unreadable: it is not of that form.
    """
    full, slash, damaged = clean(text).replace(" ", "").partition("/")
    if not slash or not full.isdecimal() or not damaged.isdecimal() or not 0 <= int(damaged) <= int(full) <= 12:
        raise Unreadable(f"'{clean(text)}' is not the strength of a gunship", rule="7.6(3)", cure="Type it like this: 4/2")
    return f"{int(full)}/{int(damaged)}"


GUNSHIP = Notation("gunship", "4/2", read_gunship)

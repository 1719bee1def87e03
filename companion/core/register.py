"""The rule register as a value: one entry a rule."""

from typing import NamedTuple


class Rule(NamedTuple):
    """One entry of the rule register."""

    number: str
    title: str
    gist: str
    handling: str
    reason: str = ""
    see: tuple[str, ...] = ()
    errata: str = ""
    rulings: tuple[str, ...] = ()

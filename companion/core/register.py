"""The rule register as a value: one entry a rule."""

from typing import NamedTuple


class Clause(NamedTuple):
    """One condition or exception of a rule.

    Attributes:
        key: the word by which tests name it: ``[16.8: engineer]``.
        says: what it says, in our own words.
        tests: the test functions that tell right from wrong; none where it is left to the player.
        left: of a clause that Companion leaves to the player, what the player sees to.
    """

    key: str
    says: str
    tests: tuple[str, ...] = ()
    left: str = ""


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
    clauses: tuple[Clause, ...] = ()

"""A roll whose chances are known, for tests of whatever tells of luck."""

from typing import NamedTuple


class Rolled(NamedTuple):
    """What was rolled for, what it brings on average and brought, in which unit, how much that could come
    is no better, and whose gain it is.
    """

    title: str
    expected: float
    actual: float
    unit: str
    percentile: float
    side: str = "us"

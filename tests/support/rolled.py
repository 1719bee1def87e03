"""A roll with known chances, for tests of reports."""

from collections.abc import Mapping

from companion.core.luck import RollLuck
from companion.session.luck import WeighedRoll


def rolled(key: str, actual: float, chances: Mapping[float, float]) -> WeighedRoll:
    """Return a roll that gained `actual` VP. `chances`: gain in VP -> probability."""
    luck = RollLuck(0.0, chances, actual)
    return WeighedRoll(2, 1, 1, key, "", True, (1,), luck, luck, "us")

"""The number of keys to enter the whole map: the towns of ``tests.measures.map_entry``, complete."""

from __future__ import annotations

import pytest

from tests.measures.map_entry import FURTHER, ZONES, build, typed


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "further"), [(1, FURTHER), (2, 1.0)])
def test_4_1_a_zone_takes_thirty_keys_at_most(seed: int, further: float) -> None:
    """[4.1, 4.3.1.1] Lines of Zones, and those on the streets; what is known then is the town, ``next`` and edges included."""
    lines, more = typed(build(seed, further))
    assert len(lines) == ZONES and sum(len(line) + 1 for line in (*lines, *more)) / ZONES <= 30

"""Candidates kept by all that they depend on: games played on from a point come to the same positions again and again."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import NamedTuple

from companion.core.candidates import Candidate
from companion.core.charts import Chart
from companion.core.digests import PositionDigests
from companion.core.values import JsonObject
from companion.games.iraqwar2003.referee import IraqWarReferee

_MOST = 1_000
"""Decisions whose candidates are kept: each has up to fifty, with their reasons."""
_MOST_TABLES = 8
"""Sets of constants, such as those of the plans of a side."""


class ReadFacts(Mapping[str, str]):
    """Facts that remember which of them were looked up, those that are not there (None) included.

    >>> facts = ReadFacts({"3-1": "D1", "4-1": "D2"})
    >>> facts["3-1"], "5-1" in facts, facts.read, facts.are_all_read
    ('D1', False, {'3-1': 'D1', '5-1': None}, False)
    """

    def __init__(self, facts: Mapping[str, str]) -> None:
        self._facts = facts
        self.read: dict[str, str | None] = {}
        self.are_all_read = False

    def __getitem__(self, name: str) -> str:
        value = self.read[name] = self._facts.get(name)
        if value is None:
            raise KeyError(name)
        return value

    def __iter__(self) -> Iterator[str]:
        self.are_all_read = True
        return iter(self._facts)

    def __len__(self) -> int:
        self.are_all_read = True
        return len(self._facts)

    def __bool__(self) -> bool:
        return True  # whether there are any makes no difference beside those that are looked up


class _Tables(NamedTuple):
    """Charts and constants, which stay as long as this does, and what was found with them."""

    charts: Mapping[str, Chart]
    priorities: JsonObject
    found: dict[Hashable, list[tuple[Mapping[str, str | None], tuple[Candidate[str], ...]]]]


class KeptCandidates:
    """The candidates of orders by position, options and printed facts, for the tables that they were worked out with.

    Columns of the Combat Results Chart become known one after the other, in a sampled world others than in the next. Only those
    count that were looked up.
    """

    def __init__(self) -> None:
        self._digests = PositionDigests()
        self._by_tables: dict[tuple[int, int], _Tables] = {}

    def of(
        self,
        referee: IraqWarReferee,
        which: Hashable,
        terrain: Mapping[str, str],
        columns: Mapping[str, str],
        compute: Callable[[Mapping[str, str]], list[Candidate[str]]],
    ) -> list[Candidate[str]]:
        """The candidates that are computed from the position, or those that were from an equal one.

        Args:
            which: What they are computed for, besides the position.
            terrain: The known columns of the Terrain Effect Chart.
            columns: Those of the Combat Results Chart, which are given to ``compute``.
        """
        tables = id(referee.charts), id(referee.priorities)
        if tables not in self._by_tables:
            if len(self._by_tables) >= _MOST_TABLES:
                self._by_tables.clear()
            self._by_tables[tables] = _Tables(referee.charts, referee.priorities, {})
        kept = self._by_tables[tables].found
        if len(kept) >= _MOST:
            kept.clear()
        key = self._digests.of(referee.position), which, tuple(terrain.items()), tuple(referee.options.items())
        found = kept.setdefault(key, [])
        for read, candidates in found:
            if all(columns.get(name) == cells for name, cells in read.items()):
                return list(candidates)
        facts = ReadFacts(columns)
        computed = compute(facts)
        if not facts.are_all_read:
            found.append((facts.read, tuple(computed)))
        return computed


CANDIDATES = KeptCandidates()

"""Bodies of log rows that are read when somebody looks into them: a quick command looks into few."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.core.errors import BadData


def read_bodies(texts: Sequence[str]) -> list[Any]:
    """Rows of the log, all at one go: that takes a quarter of the time of one by one."""
    try:
        return list(json.loads(f"[{','.join(texts)}]"))
    except ValueError as fault:
        raise BadData(f"the log of the session is damaged: {fault}", cure="Go back to a copy of the archive") from None


class Later:
    """Rows of the log that are read when somebody looks into one of them."""

    __slots__ = ("_read", "_texts")

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._read: list[Any] | None = None

    def __getitem__(self, at: int) -> Any:
        if self._read is None:
            self._read = read_bodies(self._texts)
        return self._read[at]


class Unread(Mapping[str, Any]):
    """The body of a row of the log, read when somebody looks into it."""

    __slots__ = ("_at", "_bodies")

    def __init__(self, bodies: Later, at: int) -> None:
        self._bodies = bodies
        self._at = at

    def __getitem__(self, key: str) -> Any:
        return self._bodies[self._at][key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._bodies[self._at])

    def __len__(self) -> int:
        return len(self._bodies[self._at])

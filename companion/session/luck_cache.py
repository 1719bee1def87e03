"""The luck of rolls that were weighed before, kept in the cache folder: a file for each session, which may be lost."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from json import dumps, loads
from typing import Any, NamedTuple

from companion import __version__
from companion.core.history import Entry
from companion.core.luck import RollLuck
from companion.session.database import IN_MEMORY
from companion.session.files import cache_folder
from companion.session.state import SessionState

UNIT = "VP"


class WeighedRoll(NamedTuple):
    """A roll and its luck.

    Attributes:
        entry, reply: The numbers that ``amend`` takes.
        key, rule: Of the question.
        vp: Its values in victory points.
        value: Its values by the opponent's valuation of the board.
        side: The seat that the points count for.
    """

    entry: int
    reply: int
    turn: int
    key: str
    rule: str
    by_player: bool
    faces: tuple[int, ...]
    vp: RollLuck
    value: RollLuck
    side: str

    @property
    def title(self) -> str:
        """What was rolled for, in words."""
        return self.key.replace("_", " ")

    @property
    def expected(self) -> float:
        """The VP that it gains on average."""
        return self.vp.expected - self.vp.before

    @property
    def actual(self) -> float:
        """The VP that it gained."""
        return self.vp.actual - self.vp.before

    @property
    def unit(self) -> str:
        return UNIT

    @property
    def percentile(self) -> float:
        """The share of outcomes that gain less, plus half of those that gain the same, from 0 to 1."""
        return self.vp.percentile


class LuckCache:
    """The weighed rolls of a session, by a hash of what their luck depends on: rules, facts and the play so far."""

    def __init__(self, session: SessionState, runs: int) -> None:
        archive, game = session.archive, session.game
        self._entries: dict[str, Any] = {}
        self._is_changed = False
        self._file = ""
        self._key = _hash(__version__, _newest_rules(game.id), game.id, dict(session.options), dict(session.log.facts()), runs)
        if archive.path != IN_MEMORY:
            name = _hash(archive.path, session.info.id, session.info.created, session.info.seed)
            self._file = os.path.join(cache_folder(), "luck", f"{name}.json")
            with suppress(OSError, ValueError):
                with open(self._file, encoding="utf-8") as file:
                    found = loads(file.read())
                self._entries = found if isinstance(found, dict) else {}

    def pass_entry(self, entry: Entry) -> str:
        """Return the key of the next entry in force."""
        replies = [(reply.key, reply.kind, reply.value, reply.anyway) for reply in entry.replies]
        self._key = _hash(self._key, entry.number, entry.action, entry.is_open, entry.anyway, replies)
        return self._key

    def find(self, key: str) -> tuple[list[WeighedRoll], Counter[str]] | None:
        """Return the rolls of an entry and the number skipped by reason; None if they are not known or cannot be read."""
        with suppress(KeyError, TypeError, ValueError):
            rolls, skipped = self._entries[key]
            return [_roll(*row) for row in rolls], Counter({str(reason): int(count) for reason, count in skipped.items()})
        return None

    def add(self, key: str, rolls: Sequence[WeighedRoll], skipped: Mapping[str, int]) -> None:
        """Keep the rolls of an entry."""
        data = [[*roll[:6], roll.faces, _luck_data(roll.vp), _luck_data(roll.value), roll.side] for roll in rolls]
        self._entries[key] = [data, dict(skipped)]
        self._is_changed = True

    def write(self) -> None:
        """Write what is new; faults of the disk are ignored."""
        if self._file and self._is_changed:
            with suppress(OSError):
                os.makedirs(os.path.dirname(self._file), exist_ok=True)
                temporary = f"{self._file}.{os.getpid()}"
                with open(temporary, "w", encoding="utf-8") as file:
                    file.write(dumps(self._entries))
                os.replace(temporary, self._file)


def _hash(*parts: Any) -> str:
    return sha256(dumps(parts, default=str).encode()).hexdigest()[:24]


def _newest_rules(game: str) -> int:
    """Return when a loaded module of a game, or of the parts that all share, was changed last."""
    names = [name for name in sys.modules if name.startswith(("companion.core.", game)) or f".{game}" in name]
    files = [getattr(sys.modules[name], "__file__", None) for name in names]
    return max((os.stat(file).st_mtime_ns for file in files if file and os.path.exists(file)), default=0)


def _luck_data(luck: RollLuck) -> list[Any]:
    return [luck.before, list(luck.chances.items()), luck.actual]


def _roll(
    entry: int, reply: int, turn: int, key: str, rule: str, by_player: bool, faces: list[int], vp: Any, value: Any, side: str
) -> WeighedRoll:
    return WeighedRoll(entry, reply, turn, key, rule, by_player, tuple(map(int, faces)), _luck(*vp), _luck(*value), side)


def _luck(before: float, chances: list[tuple[float, float]], actual: float) -> RollLuck:
    return RollLuck(float(before), {float(worth): float(chance) for worth, chance in chances}, float(actual))

"""Load ``tables/<game>/``: plain data, checked once and cached as JSON.

Parsing all TOML files of a game takes several times as long as a quick command may take. Parsed tables without faults are cached
in the user's cache folder, one line per part, until a file changes; a part is decoded when first read. A cache that is missing,
damaged or not writable is ignored.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress

from companion import __version__
from companion.core.errors import BadData, Unreadable
from companion.core.game import Clause, Rule, Ruling, Tables
from companion.core.hints import TYPE_CHECKING, Any, TypeVar
from companion.core.text import clean
from companion.core.values import JsonDict, JsonObject, read_json
from companion.session.files import PARTS, cache_folder, game_folder, read_cache, table_files, write_cache
from companion.session.shipped import is_packed, lasting_path, size_and_time

if TYPE_CHECKING:
    from companion.core.charts import Chart

T = TypeVar("T")

_FORMAT = 1


def check(game_id: str) -> list[str]:
    """Return every fault in the files of a game, each as ``file: key: what``.

    Raises:
        BadData: There are no such tables.
    """
    from companion.session.table_checks import examine_tables

    return examine_tables(game_folder(game_id))[1]


def load(game_id: str, outside: str = "") -> Tables:
    """Return the tables of a game.

    Args:
        outside: The folder of a plug-in's tables.

    Raises:
        BadData: There are none, or they have faults; all are listed.
    """
    folder = outside or game_folder(game_id)
    stamp = _cache_key(folder)
    path = _cache_path(folder)
    lines = read_cache(path, stamp)
    if lines is None or len(lines) != len(PARTS):
        import json

        parts = _parse(game_id, folder, bool(outside))
        with suppress(TypeError, ValueError):  # a date, which JSON does not know
            write_cache(path, stamp, [json.dumps(parts[part]).encode() for part in PARTS])
        return _make_tables(lambda part: parts[part])

    def part_of(part: str) -> Any:
        try:
            return read_json(lines[PARTS.index(part)].decode())
        except ValueError:  # damaged on the disk: read the files themselves
            return _parse(game_id, folder, bool(outside))[part]

    return _make_tables(part_of)


def _parse(game_id: str, folder: str, outside: bool) -> JsonDict:
    from companion.session.table_checks import examine_tables

    parts, faults = examine_tables(folder, outside)
    if faults:
        count = f"{len(faults)} faults" if len(faults) > 1 else "a fault"
        raise BadData(f"the tables of {game_id} have {count}", faults=faults, cure=f"See: companion tables check {game_id}")
    return parts


# -- the cache ---------------------------------------------------------------------------------------------------------


def _cache_key(folder: str) -> bytes:
    """Return the cache key: version, folder, and name, size and time of each file."""
    parts: list[Any] = [__version__, _FORMAT, lasting_path(folder)]
    try:
        for name in [""] if is_packed(folder) else table_files(folder):  # one size and time for all
            parts.append([name, *size_and_time(os.path.join(folder, name))])
    except OSError as fault:
        raise BadData(f"the tables in {folder} cannot be read: {fault.strerror}") from None
    return repr(parts).encode()


def _cache_path(folder: str) -> str:
    """Return a cache file for each folder; two folders that share one are only parsed more often."""
    place = "".join(char if char.isalnum() else "-" for char in lasting_path(folder)[-100:])
    return os.path.join(cache_folder(), f"tables-{place.strip('-')}.json")


# -- the parts, each built when first read -----------------------------------------------------------------------------


class LazyMapping(Mapping[str, T]):
    """A mapping that is built when first read."""

    __slots__ = ("_items", "_make")

    def __init__(self, make: Callable[[], dict[str, T]]) -> None:
        self._make = make
        self._items: dict[str, T] | None = None

    def _all(self) -> dict[str, T]:
        if self._items is None:
            self._items = self._make()
        return self._items

    def __getitem__(self, key: str) -> T:
        return self._all()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


class Charts(Mapping[str, "Chart"]):
    """The charts of a game, each built when first read."""

    __slots__ = ("_built", "_raw")

    def __init__(self, raw: Callable[[], JsonDict]) -> None:
        self._raw = LazyMapping(raw)
        self._built: dict[str, Chart] = {}

    def __getitem__(self, key: str) -> Chart:
        if key not in self._built:
            if key not in self._raw:
                raise Unreadable(f"no chart '{clean(key)}'", cure=f"You can name: {', '.join(self._raw)}")
            from companion.core.charts import build_chart

            chart, faults = build_chart(key, self._raw[key], f"charts/{key}.toml")
            if chart is None:
                raise BadData(f"the chart '{key}' has faults", faults=faults)
            self._built[key] = chart
        return self._built[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._raw)

    def __len__(self) -> int:
        return len(self._raw)

    def __contains__(self, key: object) -> bool:
        return key in self._built or key in self._raw


def _make_ruling(item: JsonObject) -> Ruling:
    return Ruling(
        item["id"],
        tuple(item["rules"]),
        item["question"],
        item["answer"],
        item.get("option", ""),
        tuple(item.get("choices", ())),
        item.get("meaning", {}),
    )


def _make_rule(item: JsonObject) -> Rule:
    def clause(key: str, body: JsonObject) -> Clause:
        tests = body.get("test", ())
        return Clause(key, body["says"], (tests,) if isinstance(tests, str) else tuple(tests), body.get("left", ""))

    return Rule(
        item["number"],
        item["title"],
        item["gist"],
        item["handling"],
        item.get("reason", ""),
        tuple(item.get("see", ())),
        item.get("errata", ""),
        tuple(item.get("rulings", ())),
        tuple(clause(key, body) for key, body in item.get("clauses", {}).items()),
    )


def _make_tables(part: Callable[[str], Any]) -> Tables:
    return Tables(
        game=part("game"),
        charts=Charts(lambda: part("charts")),
        rules=LazyMapping(lambda: {item["number"]: _make_rule(item) for item in part("rules").get("rule", [])}),
        rulings=LazyMapping(lambda: {item["id"]: _make_ruling(item) for item in part("rulings").get("ruling", [])}),
        counters=LazyMapping(lambda: part("counters")),
        bot=LazyMapping(lambda: part("bot")),
        report=LazyMapping(lambda: part("report")),
        messages=LazyMapping(lambda: part("messages")),
    )

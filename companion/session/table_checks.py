"""Check the table files of a game: every fault of every file at once, each as ``file: key: what``."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.core import charts, limits
from companion.core.events import EVENT_TYPES
from companion.core.text import plural
from companion.core.values import JsonDict, JsonObject
from companion.core.vocabulary import FRONT, NameSet
from companion.session.files import PARTS, read_bounded, table_files

API_VERSION = 1
"""The version of the plug-in interface: keys of table files, and what games use of ``companion.core``. Raised when one of them
goes or changes its meaning."""


class Key(NamedTuple):
    """One key of a table file: the type of its value, what it is (for authors), and whether it is required."""

    kind: type | tuple[type, ...]
    says: str
    needed: bool = False


Keys = Mapping[str, Key]

HANDLINGS = ("automated", "asked", "reminder", "board", "none")
"""How a rule of the register can be handled."""
NAMED = ("places", "kinds", "faces", "marks", "flags")
"""The keys that declare names."""
_OF_CHART: Mapping[str, type] = {"names": list, "columns": dict, "rows": dict, "cites": dict}
_KINDS: Mapping[str, tuple[type | tuple[type, ...], str]] = {
    "text": (str, "text"),
    "table": (dict, "a table"),
    "list": (list, "a list"),
    "number": (int, "a whole number"),
    "truth": (bool, "true or false"),
    "any": (object, "text or a list"),
    "texts": ((str, list), "text or a list"),
}
WORDS = dict(_KINDS.values())
"""Type of a value, in words."""


def _read_keys() -> dict[str, Keys]:
    """Return the keys of each kind of table, from ``table_keys.toml``; those of charts are declared with them."""
    import tomllib

    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "table_keys.toml"), "rb") as file:
        tables = tomllib.load(file)
    keys: dict[str, Keys] = {
        name: {key: Key(_KINDS[spec["kind"]][0], spec["says"], spec.get("needed", False)) for key, spec in table.items()}
        for name, table in tables.items()
    }
    required = ("title", "rule", "source", "columns", "rows")
    return keys | {"chart": {key: Key(_OF_CHART.get(key, str), says, key in required) for key, says in charts.KEYS.items()}}


KEYS = _read_keys()
"""Kind of table -> its keys."""


def examine_tables(folder: str, outside: bool = False) -> tuple[JsonDict, list[str]]:
    """Return the parsed parts of a game's tables, and every fault.

    The parts are complete only without faults. A plug-in (`outside`) declares its interface version; if that is newer than this
    program, nothing else is checked, since it may all mean something else.
    """
    parts, faults = _read(folder)
    api = (parts["game"] or {}).get("api", None if outside else API_VERSION)
    if isinstance(api, int) and api > API_VERSION:
        return parts, [f"game.toml: api: {api} is newer than this Companion, which knows {API_VERSION}: update Companion"]
    if outside and parts["game"] is not None and api is None:
        faults.append(f"game.toml: api: is missing: write api = {API_VERSION}")
    numbers = {item["number"] for item in _items(parts["rules"], "rule") if isinstance(item.get("number"), str)}
    rulings = {item["id"] for item in _items(parts["rulings"], "ruling") if isinstance(item.get("id"), str)}
    cited = Citations(numbers)
    faults += _check_game(parts["game"], cited) if parts["game"] is not None else []
    faults += _check_rules(parts["rules"], rulings, cited)
    faults += _check_rulings(parts["rulings"], cited)
    faults += _check_charts(parts["charts"], cited)
    faults += _check_counters(parts["counters"], cited)
    faults += [fault for where, cite in _cites(parts["bot"]) for fault in cited.fault("bot.toml", where, cite)]
    faults += report_faults(parts["report"], parts["game"] or {}, numbers)
    return parts, faults


def _read(folder: str) -> tuple[JsonDict, list[str]]:
    """Parse every file; ``game`` is None if it cannot be parsed, so that it is not reported as empty too."""
    import tomllib

    parts: JsonDict = {part: {} for part in PARTS}
    faults: list[str] = []
    files = table_files(folder)
    if len(files) > limits.TABLES:
        return parts, [f"{folder}: {plural(len(files), 'file')} of tables, at most {limits.TABLES}"]
    for needed in ("game.toml", "rules.toml"):
        if needed not in files:
            faults.append(f"{needed}: file: is missing")
            parts["game"] = parts["game"] if needed != "game.toml" else None
    for name in files:
        try:
            data = tomllib.loads(read_bounded(os.path.join(folder, name), limits.TABLE).decode())
        except (ValueError, RecursionError) as fault:
            faults.append(f"{name}: syntax: {fault}")
            data = None
        except OSError as fault:
            faults.append(f"{name}: file: cannot be read: {fault.strerror}")
            data = None
        stem = name[: -len(".toml")]
        stem = "bot" if stem == "ai" else stem  # "bot.toml" is the former name of the file, and still read
        if stem.startswith("charts/"):
            if data is not None:
                parts["charts"][stem[len("charts/") :]] = data
        elif stem not in PARTS or stem == "charts":
            faults.append(f"{name}: file: nothing reads it")
        elif data is not None or stem == "game":
            parts[stem] = data
    return parts, faults


class Citations:
    """The rule numbers of the register; checks citations."""

    def __init__(self, numbers: set[str]) -> None:
        self.numbers = numbers

    def fault(self, name: str, key: str, cite: object) -> list[str]:
        """Return the faults of one citation: none or one."""
        if not isinstance(cite, str) or not cite:
            return [f"{name}: {key}: a rule number is quoted text, not {cite!r}"]
        if cite not in self.numbers:
            return [f"{name}: {key}: there is no rule {cite} in rules.toml"]
        return []

    def faults(self, name: str, key: str, cites: object) -> list[str]:
        """Return the faults of a list of citations."""
        return [fault for cite in cites for fault in self.fault(name, key, cite)] if isinstance(cites, list) else []


def _items(data: object, key: str) -> list[JsonDict]:
    items = data.get(key) if isinstance(data, dict) else None
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _check_keys(name: str, where: str, data: object, known: Keys) -> list[str]:
    """Return unknown, missing and wrongly typed keys of one table."""
    if not isinstance(data, dict):
        return [f"{name}: {where or 'file'}: is no table"]
    lead = f"{where}." if where else ""
    faults = [f"{name}: {lead}{key}: unknown key" for key in data if key not in known]
    faults += [f"{name}: {lead}{key}: is missing" for key, spec in known.items() if spec.needed and key not in data]
    for key, spec in known.items():
        if key in data:
            faults += [f"{name}: {lead}{key}: {what}" for what in _type_faults(key, data[key], spec.kind)]
    return faults


def _type_faults(key: str, value: object, kind: type | tuple[type, ...]) -> list[str]:
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        return [f"must be {WORDS[kind]}, not {value!r}"]
    if isinstance(value, str) and not value.strip() and key != "default":
        return ["is empty"]
    if isinstance(value, list) and not all(isinstance(item, str) and item for item in value):
        return ["must be a list of texts"]
    if isinstance(value, list) and len(set(value)) != len(value):
        return ["names the same thing twice"]
    return []


def _tables_below(name: str, data: JsonObject, key: str) -> Iterator[tuple[str, Any]]:
    below = data.get(key)
    if isinstance(below, dict):
        for item, body in below.items():
            yield f"{key}.{item}", body


def _check_game(data: JsonObject, cited: Citations) -> list[str]:
    name = "game.toml"
    faults = _check_keys(name, "", data, KEYS["game"])
    for where, body in _tables_below(name, data, "tracks"):
        faults += _check_keys(name, where, body, KEYS["track"]) or _check_track(name, where, body)
        faults += _check_cite(name, where, body, cited)
    for where, body in _tables_below(name, data, "scenarios"):
        faults += _check_keys(name, where, body, KEYS["scenario"]) + _check_cite(name, where, body, cited)
    if isinstance(data.get("scenarios"), dict) and not data["scenarios"]:
        faults.append(f"{name}: scenarios: there must be one at least")
    for where, body in _tables_below(name, data, "options"):
        faults += _check_keys(name, where, body, KEYS["option"]) or _check_option(name, where, body)
        faults += _check_cite(name, where, body, cited)
    for table in ("practice", "alone"):
        for key, value in data.get(table, {}).items() if isinstance(data.get(table), dict) else ():
            known = data.get("scenarios", {}) if key == "scenario" else data.get("options", {}).get(key, {}).get("choices", [])
            faults += [] if value in known else [f"{name}: {table}.{key}: there is no {value!r}"]
    for sort in NAMED:
        for where, title in _tables_below(name, data, sort):
            if sort in ("flags", "marks") and isinstance(title, dict):
                faults += _check_keys(name, where, title, KEYS["form"])
            elif not isinstance(title, str) or not title:
                faults.append(f"{name}: {where}: a title is text, not {title!r}")
            elif where.count("*") > 1:
                faults.append(f"{name}: {where}: a family has one *")
    return faults


def _check_cite(name: str, where: str, body: object, cited: Citations) -> list[str]:
    """Check the ``rule`` of a table; a missing one is reported elsewhere."""
    return cited.fault(name, f"{where}.rule", body["rule"]) if isinstance(body, dict) and "rule" in body else []


def _check_track(name: str, where: str, body: JsonObject) -> list[str]:
    low, high, names = body.get("low"), body.get("high"), body.get("names", [])
    if low is not None and high is not None and low > high:
        return [f"{name}: {where}: low {low} is above high {high}"]
    if names and (high is None or high - (low or 0) + 1 != len(names)):
        return [f"{name}: {where}.names: {len(names)} names do not fit {low or 0} to {high}"]
    return []


def _check_option(name: str, where: str, body: JsonObject) -> list[str]:
    choices, default = body.get("choices", []), body.get("default")
    if "choices" in body and len(choices) < 2:
        return [f"{name}: {where}.choices: a choice needs two at least"]
    if choices and default not in choices:
        return [f"{name}: {where}.default: must be one of the choices, not {default!r}"]
    return []


def _duplicates(name: str, key: str, values: Sequence[object]) -> list[str]:
    seen: set[str | None] = set()
    faults = []
    for value in values:
        if isinstance(value, str) and value in seen:
            faults.append(f"{name}: {key} {value}: there twice")
        seen.add(value if isinstance(value, str) else None)
    return faults


def _check_list(name: str, data: JsonObject, key: str) -> list[str]:
    faults = [f"{name}: {other}: unknown key" for other in data if other != key]
    items = data.get(key, [])
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        faults.append(f"{name}: {key}: must be a list of tables")
    return faults


def _check_rules(data: JsonObject, rulings: set[str], cited: Citations) -> list[str]:
    name = "rules.toml"
    faults = _check_list(name, data, "rule")
    items = _items(data, "rule")
    faults += _duplicates(name, "rule", [item.get("number") for item in items])
    for number, item in enumerate(items, 1):
        where = f"rule {item['number']}" if isinstance(item.get("number"), str) else f"rule no. {number} of the file"
        faults += _check_keys(name, where, item, KEYS["rule"])
        handling = item.get("handling")
        if isinstance(handling, str) and handling not in HANDLINGS:
            faults.append(f"{name}: {where}.handling: '{handling}' is none of {', '.join(HANDLINGS)}")
        if handling == "none" and "reason" not in item:
            faults.append(f"{name}: {where}.reason: is missing, and nothing handles the rule")
        faults += cited.faults(name, f"{where}.see", item.get("see"))
        faults += [
            f"{name}: {where}.rulings: there is no ruling {ruling!r}"
            for ruling in item.get("rulings", ())
            if ruling not in rulings
        ]
        for key, clause in _tables_below(name, item, "clauses"):
            faults += _check_clause(name, f"{where}.{key}", clause, handling)
    return faults


def _check_clause(name: str, where: str, clause: object, handling: object) -> list[str]:
    faults = _check_keys(name, where, clause, KEYS["clause"])
    if isinstance(clause, dict) and not isinstance(clause.get("test", ""), str | list):
        faults.append(f"{name}: {where}.test: must be the name of a test, or a list of them")
    key = where.rpartition(".")[2]
    if not key.isidentifier() or key != key.lower():
        faults.append(f"{name}: {where}: is called by one lower-case word")
    if handling in ("reminder", "board", "none"):
        faults.append(f"{name}: {where}: the rule is neither automated nor asked")
    if isinstance(clause, dict) and ("test" in clause) == ("left" in clause):
        faults.append(f"{name}: {where}: has a test, or says what is left to the player")
    return faults


def _check_rulings(data: JsonObject, cited: Citations) -> list[str]:
    name = "rulings.toml"
    faults = _check_list(name, data, "ruling")
    items = _items(data, "ruling")
    faults += _duplicates(name, "ruling", [item.get("id") for item in items])
    faults += _duplicates(name, "option", [item.get("option") for item in items if item.get("option")])
    for number, item in enumerate(items, 1):
        where = f"ruling {item['id']}" if isinstance(item.get("id"), str) else f"ruling no. {number} of the file"
        faults += _check_keys(name, where, item, KEYS["ruling"])
        if item.get("rules") == []:
            faults.append(f"{name}: {where}.rules: names no rule")
        faults += cited.faults(name, f"{where}.rules", item.get("rules"))
        faults += _check_switch(name, where, item)
    return faults


def _check_switch(name: str, where: str, item: JsonObject) -> list[str]:
    choices, meaning = item.get("choices"), item.get("meaning")
    if "option" not in item:
        extra = [key for key in ("choices", "meaning") if key in item]
        return [f"{name}: {where}.{key}: without an option nothing switches it" for key in extra]
    if not isinstance(choices, list) or len(choices) < 2:
        return [f"{name}: {where}.choices: a switch needs two choices at least"]
    if not isinstance(meaning, dict):
        return [f"{name}: {where}.meaning: is missing: each choice needs one"]
    faults = [f"{name}: {where}.meaning.{choice}: is missing" for choice in choices if choice not in meaning]
    faults += [f"{name}: {where}.meaning.{key}: there is no such choice" for key in meaning if key not in choices]
    return faults + [
        f"{name}: {where}.meaning.{key}: must be text" for key, text in meaning.items() if not isinstance(text, str) or not text
    ]


def _check_charts(charts: JsonObject, cited: Citations) -> list[str]:
    faults: list[str] = []
    for chart_id, data in charts.items():
        name = f"charts/{chart_id}.toml"
        faults += _check_chart(chart_id, data, name)
        if isinstance(data.get("rule"), str):
            faults += cited.fault(name, "rule", data["rule"])
        cites = data.get("cites", {})
        for row, cite in cites.items() if isinstance(cites, dict) else ():
            faults += cited.fault(name, f"cites.{row}", cite) if isinstance(cite, str) else []
    return faults


def _check_chart(chart_id: str, data: JsonObject, name: str) -> list[str]:
    try:
        return charts.build_chart(chart_id, data, name)[1]
    except (TypeError, ValueError, AttributeError, KeyError) as fault:  # a table where a text should be, and the like
        return [f"{name}: file: is not a valid chart ({fault})"]


def _check_counters(data: JsonObject, cited: Citations) -> list[str]:
    """Check what holds for every game: counts, names, and lists of tables."""
    name = "counters.toml"
    faults = [fault for where, cite in _cites(data) for fault in cited.fault(name, where, cite)]
    for where, body in _all_tables(data):
        count = body.get("count", 0)
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            faults.append(f"{name}: {where}.count: must be a whole number from 0, not {count!r}")
        if "name" in body and (not isinstance(body["name"], str) or not body["name"]):
            faults.append(f"{name}: {where}.name: must be text, not {body['name']!r}")
    for key, value in data.items():
        if isinstance(value, list) and not all(isinstance(item, dict) for item in value):
            faults.append(f"{name}: {key}: must be a list of tables")
    return faults


def _all_tables(data: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    for key, value in data.items():
        if isinstance(value, dict):
            yield key, value
        elif isinstance(value, list):
            for number, item in enumerate(value, 1):
                if isinstance(item, dict):
                    yield f"{key} no. {number}", item


def _cites(data: object, where: str = "") -> Iterator[tuple[str, object]]:
    """Yield every ``rule`` at any depth, with its path."""
    if isinstance(data, dict):
        for key, value in data.items():
            path = f"{where}.{key}" if where else key
            if key == "rule" and not isinstance(value, dict | list):
                yield path, value
            else:
                yield from _cites(value, path)
    elif isinstance(data, list):
        for number, item in enumerate(data, 1):
            yield from _cites(item, f"{where} no. {number}")


_REPORT = "report.toml"
_WORDS: Mapping[str, frozenset[str]] = {
    "said": frozenset({"text"}),
    "made": frozenset({"names", "to", "why"}),
    "moved": frozenset({"names", "from", "to", "why"}),
    "flipped": frozenset({"names", "face", "at", "why"}),
    "marked": frozenset({"names", "mark", "now", "at", "why"}),
    "track": frozenset({"title", "was", "now", "why"}),
    "flag": frozenset({"title", "now", "why"}),
}
"""Kind of event -> the placeholders that its template may use."""


def report_faults(data: JsonObject, game: JsonObject, numbers: set[str]) -> list[str]:
    """Return every fault of ``report.toml``."""
    faults = [f"{_REPORT}: {key}: unknown key" for key in data if key not in ("chapters", "sentence", "plot")]
    tracks = game.get("tracks", {})
    faults += _check_chapters(data.get("chapters", {}), tracks)
    for number, body in enumerate(_items(data, "sentence"), 1):
        faults += _check_report_keys(f"sentence no. {number}", body, KEYS["sentence"]) or list(
            _check_sentence(f"sentence no. {number}", body, game, numbers)
        )
    for number, body in enumerate(_items(data, "plot"), 1):
        where = f"plot no. {number}"
        faults += _check_report_keys(where, body, KEYS["plot"]) or [
            f"{_REPORT}: {where}.{key}: there is no {name!r}"
            for key, known in (("tracks", tracks), ("cups", game.get("cups", ())))
            for name in body.get(key, ())
            if name not in known
        ]
    return faults + [
        f"{_REPORT}: {key}: must be a list of tables"
        for key in ("sentence", "plot")
        if key in data and len(_items(data, key)) != (len(data[key]) if isinstance(data[key], list) else -1)
    ]


def _check_report_keys(where: str, body: JsonObject, known: Keys) -> list[str]:
    """Return unknown keys, and values of a wrong type."""
    faults = [f"{_REPORT}: {where}.{key}: unknown key" for key in body if key not in known]
    for key, value in body.items():
        wanted = known[key].kind if key in known else object
        if not isinstance(value, wanted) or (wanted is int and not _counts(value)):
            faults.append(f"{_REPORT}: {where}.{key}: {value!r} is of the wrong type")
        elif isinstance(value, list) and not (value and all(isinstance(item, str) for item in value)):
            faults.append(f"{_REPORT}: {where}.{key}: must be a list of texts")
    return faults


def _counts(value: object) -> bool:
    """True for a whole number from 1."""
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _check_chapters(body: object, tracks: JsonObject) -> list[str]:
    if not isinstance(body, dict):
        return [f"{_REPORT}: chapters: must be a table"]
    faults = _check_report_keys("chapters", body, KEYS["chapters"])
    if body and body.get("track") not in tracks:
        faults.append(f"{_REPORT}: chapters.track: there is no track {body.get('track')!r}")
    return faults


def _check_sentence(where: str, body: JsonObject, game: JsonObject, numbers: set[str]) -> Iterator[str]:
    """Yield names in a template that do not exist."""
    words = _WORDS.get(body.get("on", ""))
    if words is None or not (body.get("text") or body.get("loss")):
        yield f"{_REPORT}: {where}: needs a text, and to be on one of {', '.join(EVENT_TYPES)}"
        return
    known: dict[str, Container[str]] = {
        "rule": numbers,
        **dict.fromkeys(("from", "to"), NameSet(game.get("places", ()))),
        "kind": NameSet(game.get("kinds", ())),
        "mark": NameSet(game.get("marks", ())),
        "face": NameSet((FRONT, *game.get("faces", ()))),
        "track": set(game.get("tracks", ())),
        "flag": NameSet(game.get("flags", ())),
    }
    for key, there in known.items():
        value = body.get(key, ())
        for name in [value] if isinstance(value, str) else value:
            if name not in there and not (name.endswith("*") and key != "rule"):
                yield f"{_REPORT}: {where}.{key}: there is no {name!r}"
    for word in (part.partition("}")[0] for part in body.get("text", "").split("{")[1:]):
        if "/" not in word and word not in words:
            yield f"{_REPORT}: {where}.text: {{{word}}} is none of {', '.join(sorted(words))}"

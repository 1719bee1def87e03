"""Examining the files of a game: every fault of every file at once, each as ``file: key: what``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.core import limits
from companion.core.charts import build_chart
from companion.core.words import plural
from companion.session import bounded, keys
from companion.session.checking_report import report_faults
from companion.session.folders import PARTS, table_files

API_VERSION = 1
"""The interface that a game from outside is written for: the keys of its data files, and what it uses of ``companion.core``. It
is raised when something of them goes or means something else."""


def examine_tables(folder: str, outside: bool = False) -> tuple[dict[str, Any], list[str]]:
    """The parts of a game's tables as they were read, and every fault that they have.

    The parts are whole only where there is no fault. A game from ``outside`` says for which interface it is written; with a newer
    one nothing else is looked at, since it may all mean something else.
    """
    parts, faults = _read(folder)
    api = (parts["game"] or {}).get("api", None if outside else API_VERSION)
    if isinstance(api, int) and api > API_VERSION:
        return parts, [f"game.toml: api: {api} is newer than this Companion, which knows {API_VERSION}: update Companion"]
    if outside and parts["game"] is not None and api is None:
        faults.append(f"game.toml: api: is missing: write api = {API_VERSION}")
    numbers = {item["number"] for item in _listed(parts["rules"], "rule") if isinstance(item.get("number"), str)}
    rulings = {item["id"] for item in _listed(parts["rulings"], "ruling") if isinstance(item.get("id"), str)}
    cited = Citations(numbers)
    faults += _game(parts["game"], cited) if parts["game"] is not None else []
    faults += _rules(parts["rules"], rulings, cited)
    faults += _rulings(parts["rulings"], cited)
    faults += _charts(parts["charts"], cited)
    faults += _counters(parts["counters"], cited)
    faults += [fault for where, cite in _cites(parts["bot"]) for fault in cited.fault("bot.toml", where, cite)]
    faults += report_faults(parts["report"], parts["game"] or {}, numbers)
    return parts, faults


def _read(folder: str) -> tuple[dict[str, Any], list[str]]:
    """Every file parsed. ``game`` is None where it could not be, so that it is not called empty as well."""
    import tomllib

    parts: dict[str, Any] = {part: {} for part in PARTS}
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
            data = tomllib.loads(bounded.read_bounded(os.path.join(folder, name), limits.TABLE).decode())
        except (ValueError, RecursionError) as fault:
            faults.append(f"{name}: syntax: {fault}")
            data = None
        except OSError as fault:
            faults.append(f"{name}: file: cannot be read: {fault.strerror}")
            data = None
        stem = name[: -len(".toml")]
        if stem.startswith("charts/"):
            if data is not None:
                parts["charts"][stem[len("charts/") :]] = data
        elif stem not in PARTS or stem == "charts":
            faults.append(f"{name}: file: nothing reads it")
        elif data is not None or stem == "game":
            parts[stem] = data
    return parts, faults


class Citations:
    """The rule numbers of the register, and what is wrong with a citation."""

    def __init__(self, numbers: set[str]) -> None:
        self.numbers = numbers

    def fault(self, name: str, key: str, cite: Any) -> list[str]:
        """The faults of one citation: none, or one."""
        if not isinstance(cite, str) or not cite:
            return [f"{name}: {key}: a rule number is quoted text, not {cite!r}"]
        if cite not in self.numbers:
            return [f"{name}: {key}: there is no rule {cite} in rules.toml"]
        return []

    def faults(self, name: str, key: str, cites: Any) -> list[str]:
        """The faults of a list of citations."""
        return [fault for cite in cites for fault in self.fault(name, key, cite)] if isinstance(cites, list) else []


def _listed(data: Any, key: str) -> list[dict[str, Any]]:
    items = data.get(key) if isinstance(data, dict) else None
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _shape(name: str, where: str, data: Any, known: keys.Keys) -> list[str]:
    """Faults of one table: keys unknown, missing or of a wrong type."""
    if not isinstance(data, dict):
        return [f"{name}: {where or 'file'}: is no table"]
    lead = f"{where}." if where else ""
    faults = [f"{name}: {lead}{key}: unknown key" for key in data if key not in known]
    faults += [f"{name}: {lead}{key}: is missing" for key, one in known.items() if one.needed and key not in data]
    for key, one in known.items():
        if key in data:
            faults += [f"{name}: {lead}{key}: {what}" for what in _misfits(key, data[key], one.kind)]
    return faults


def _misfits(key: str, value: Any, kind: type | tuple[type, ...]) -> list[str]:
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        return [f"must be {keys.WORDS[kind]}, not {value!r}"]
    if isinstance(value, str) and not value.strip() and key != "default":
        return ["is empty"]
    if isinstance(value, list) and not all(isinstance(item, str) and item for item in value):
        return ["must be a list of texts"]
    if isinstance(value, list) and len(set(value)) != len(value):
        return ["names the same thing twice"]
    return []


def _tables_below(name: str, data: Mapping[str, Any], key: str) -> Iterator[tuple[str, Any]]:
    below = data.get(key)
    if isinstance(below, dict):
        for item, body in below.items():
            yield f"{key}.{item}", body


def _game(data: Mapping[str, Any], cited: Citations) -> list[str]:
    name = "game.toml"
    faults = _shape(name, "", data, keys.GAME)
    for where, body in _tables_below(name, data, "tracks"):
        faults += _shape(name, where, body, keys.TRACK) or _track(name, where, body)
        faults += _cite_of(name, where, body, cited)
    for where, body in _tables_below(name, data, "scenarios"):
        faults += _shape(name, where, body, keys.SCENARIO) + _cite_of(name, where, body, cited)
    if isinstance(data.get("scenarios"), dict) and not data["scenarios"]:
        faults.append(f"{name}: scenarios: there must be one at least")
    for where, body in _tables_below(name, data, "options"):
        faults += _shape(name, where, body, keys.OPTION) or _option(name, where, body)
        faults += _cite_of(name, where, body, cited)
    for table in ("practice", "alone"):
        for key, value in data.get(table, {}).items() if isinstance(data.get(table), dict) else ():
            known = data.get("scenarios", {}) if key == "scenario" else data.get("options", {}).get(key, {}).get("choices", [])
            faults += [] if value in known else [f"{name}: {table}.{key}: there is no {value!r}"]
    for sort in keys.NAMED:
        for where, title in _tables_below(name, data, sort):
            if sort in ("flags", "marks") and isinstance(title, dict):
                faults += _shape(name, where, title, keys.FORM)
            elif not isinstance(title, str) or not title:
                faults.append(f"{name}: {where}: a title is text, not {title!r}")
            elif where.count("*") > 1:
                faults.append(f"{name}: {where}: a family has one *")
    return faults


def _cite_of(name: str, where: str, body: Any, cited: Citations) -> list[str]:
    """Checks the ``rule`` of a table; that it is missing is said elsewhere."""
    return cited.fault(name, f"{where}.rule", body["rule"]) if isinstance(body, dict) and "rule" in body else []


def _track(name: str, where: str, body: Mapping[str, Any]) -> list[str]:
    low, high, names = body.get("low"), body.get("high"), body.get("names", [])
    if low is not None and high is not None and low > high:
        return [f"{name}: {where}: low {low} is above high {high}"]
    if names and (high is None or high - (low or 0) + 1 != len(names)):
        return [f"{name}: {where}.names: {len(names)} names do not fit {low or 0} to {high}"]
    return []


def _option(name: str, where: str, body: Mapping[str, Any]) -> list[str]:
    choices, default = body.get("choices", []), body.get("default")
    if "choices" in body and len(choices) < 2:
        return [f"{name}: {where}.choices: a choice needs two at least"]
    if choices and default not in choices:
        return [f"{name}: {where}.default: must be one of the choices, not {default!r}"]
    return []


def _doubles(name: str, key: str, values: Sequence[Any]) -> list[str]:
    seen: set[Any] = set()
    faults = []
    for value in values:
        if isinstance(value, str) and value in seen:
            faults.append(f"{name}: {key} {value}: there twice")
        seen.add(value if isinstance(value, str) else None)
    return faults


def _list_of(name: str, data: Mapping[str, Any], key: str) -> list[str]:
    faults = [f"{name}: {other}: unknown key" for other in data if other != key]
    items = data.get(key, [])
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        faults.append(f"{name}: {key}: must be a list of tables")
    return faults


def _rules(data: Mapping[str, Any], rulings: set[str], cited: Citations) -> list[str]:
    name = "rules.toml"
    faults = _list_of(name, data, "rule")
    items = _listed(data, "rule")
    faults += _doubles(name, "rule", [item.get("number") for item in items])
    for at, item in enumerate(items, 1):
        where = f"rule {item['number']}" if isinstance(item.get("number"), str) else f"rule no. {at} of the file"
        faults += _shape(name, where, item, keys.RULE)
        handling = item.get("handling")
        if isinstance(handling, str) and handling not in keys.HANDLINGS:
            faults.append(f"{name}: {where}.handling: '{handling}' is none of {', '.join(keys.HANDLINGS)}")
        if handling == "none" and "reason" not in item:
            faults.append(f"{name}: {where}.reason: is missing, and nothing handles the rule")
        faults += cited.faults(name, f"{where}.see", item.get("see"))
        faults += [
            f"{name}: {where}.rulings: there is no ruling {ruling!r}"
            for ruling in item.get("rulings", ())
            if ruling not in rulings
        ]
        for key, clause in _tables_below(name, item, "clauses"):
            faults += _clause(name, f"{where}.{key}", clause, handling)
    return faults


def _clause(name: str, where: str, clause: Any, handling: Any) -> list[str]:
    faults = _shape(name, where, clause, keys.CLAUSE)
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


def _rulings(data: Mapping[str, Any], cited: Citations) -> list[str]:
    name = "rulings.toml"
    faults = _list_of(name, data, "ruling")
    items = _listed(data, "ruling")
    faults += _doubles(name, "ruling", [item.get("id") for item in items])
    faults += _doubles(name, "option", [item.get("option") for item in items if item.get("option")])
    for at, item in enumerate(items, 1):
        where = f"ruling {item['id']}" if isinstance(item.get("id"), str) else f"ruling no. {at} of the file"
        faults += _shape(name, where, item, keys.RULING)
        if item.get("rules") == []:
            faults.append(f"{name}: {where}.rules: names no rule")
        faults += cited.faults(name, f"{where}.rules", item.get("rules"))
        faults += _switch(name, where, item)
    return faults


def _switch(name: str, where: str, item: Mapping[str, Any]) -> list[str]:
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
        f"{name}: {where}.meaning.{key}: must be text" for key, told in meaning.items() if not isinstance(told, str) or not told
    ]


def _charts(charts: Mapping[str, Any], cited: Citations) -> list[str]:
    faults: list[str] = []
    for chart_id, data in charts.items():
        name = f"charts/{chart_id}.toml"
        faults += _chart(chart_id, data, name)
        if isinstance(data.get("rule"), str):
            faults += cited.fault(name, "rule", data["rule"])
        cites = data.get("cites", {})
        for row, cite in cites.items() if isinstance(cites, dict) else ():
            faults += cited.fault(name, f"cites.{row}", cite) if isinstance(cite, str) else []
    return faults


def _chart(chart_id: str, data: Mapping[str, Any], name: str) -> list[str]:
    try:
        return build_chart(chart_id, data, name)[1]
    except (TypeError, ValueError, AttributeError, KeyError) as fault:  # a table where a text should be, and the like
        return [f"{name}: file: has not the form of a chart ({fault})"]


def _counters(data: Mapping[str, Any], cited: Citations) -> list[str]:
    """Only what holds for every game: whole numbers of counters, named, in tables or lists of tables."""
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


def _all_tables(data: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for key, value in data.items():
        if isinstance(value, dict):
            yield key, value
        elif isinstance(value, list):
            for at, item in enumerate(value, 1):
                if isinstance(item, dict):
                    yield f"{key} no. {at}", item


def _cites(data: Any, where: str = "") -> Iterator[tuple[str, Any]]:
    """Every ``rule`` at any depth, with the path to it."""
    if isinstance(data, dict):
        for key, value in data.items():
            path = f"{where}.{key}" if where else key
            if key == "rule" and not isinstance(value, dict | list):
                yield path, value
            else:
                yield from _cites(value, path)
    elif isinstance(data, list):
        for at, item in enumerate(data, 1):
            yield from _cites(item, f"{where} no. {at}")

"""Check the table files of a game: every fault of every file at once, each as ``file: key: what``.

The checks of one file yield its faults without the name of the file.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from companion.core import charts, limits
from companion.core.events import EVENT_TYPES
from companion.core.hints import Any
from companion.core.messages import entry_faults
from companion.core.named_tuple import NamedTuple
from companion.core.text import plural
from companion.core.values import JsonDict, JsonObject
from companion.core.vocabulary import FRONT, NameSet
from companion.session.files import PARTS, read_bounded, read_toml, shipped_folder, table_files
from companion.session.shipped import is_folder, read_text, shipped_path

API_VERSION = 1
"""The version of the plug-in interface: keys of table files, and what games use of ``companion.core``. Raised when one of them
is removed or changes its meaning."""


class Key(NamedTuple):
    """One key of a table file: the kind of its value (see `WORDS`), its meaning (for authors), and whether it is required."""

    kind: str
    says: str
    needed: bool = False


Keys = Mapping[str, Key]

HANDLINGS = ("automated", "asked", "reminder", "board", "none")
"""How a rule of the register can be handled."""
NAMED = ("places", "kinds", "faces", "marks", "flags")
"""The keys that declare names."""
_CHART_KINDS = {"names": "list", "columns": "table", "rows": "table", "cites": "table"}
_TYPES: Mapping[str, tuple[type, ...]] = {
    "text": (str,),
    "table": (dict,),
    "list": (list,),
    "names": (list,),
    "number": (int,),
    "count": (int,),
    "truth": (bool,),
    "texts": (str, list),
}
WORDS = {
    "text": "text",
    "table": "a table",
    "list": "a list",
    "names": "a list, not empty",
    "number": "a whole number",
    "count": "a whole number from 1",
    "truth": "true or false",
    "texts": "text or a list",
}
"""Kind of value -> what it must be, in words."""


def _read_keys() -> dict[str, Keys]:
    """Return the keys of each kind of table, from ``table_keys.toml``; those of charts are declared with them."""
    tables = tomllib.loads(read_text(shipped_path("session", "table_keys.toml")))
    keys: dict[str, Keys] = {name: {key: Key(**fields) for key, fields in table.items()} for name, table in tables.items()}
    required = ("title", "rule", "source", "columns", "rows")
    chart = {key: Key(_CHART_KINDS.get(key, "text"), says, key in required) for key, says in charts.KEYS.items()}
    return keys | {"chart": chart}


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
    if parts["game"] is not None:
        faults += _in_file("game.toml", _check_game(parts["game"], cited))
    faults += _in_file("rules.toml", _check_rules(parts["rules"], rulings, cited))
    faults += _in_file("rulings.toml", _check_rulings(parts["rulings"], cited))
    for chart_id, data in parts["charts"].items():
        name = f"charts/{chart_id}.toml"
        faults += _chart_faults(chart_id, data, name)
        faults += _in_file(name, _check_chart_citations(data, cited))
    faults += _in_file("counters.toml", _check_counters(parts["counters"], cited))
    faults += _in_file(_AI_FILES[_OLD_AI_FILE in table_files(folder)], cited.faults_below(parts["bot"]))
    faults += _in_file("messages.toml", _check_messages(parts["messages"]))
    faults += report_faults(parts["report"], parts["game"] or {}, numbers)
    if not faults:
        ai_file = _AI_FILES[_OLD_AI_FILE in table_files(folder)]
        faults += dict.fromkeys(_value_faults(parts, {} if outside else _shipped_parts(folder), ai_file))  # each once
    return parts, faults


# Values that only the game's own rules read have no keys of their own: a value of another type would fail in the rules.


def _shipped_parts(folder: str) -> JsonDict:
    """Return the tables that come with Companion for a folder of changed ones; none for the shipped folder itself."""
    shipped = os.path.join(shipped_folder("tables"), os.path.basename(folder))
    is_same = shipped == folder or (os.path.isdir(shipped) and os.path.samefile(shipped, folder))
    return _read(shipped)[0] if is_folder(shipped) and not is_same else {}


def _value_faults(parts: JsonObject, shipped: JsonObject, ai_file: str) -> Iterator[str]:
    """Yield the values of a type that the rules do not expect: another than in the shipped table, or in another scenario."""
    for part, name in (("game", "game.toml"), ("counters", "counters.toml"), ("bot", ai_file)):
        yield from _in_file(name, _type_differences(parts[part], [shipped.get(part, {})]))
    for scenario, data in _tables_below(parts["game"], "scenario_data"):
        others = [other for key, other in _tables_below(parts["game"], "scenario_data") if key != scenario]
        yield from _in_file("game.toml", _type_differences(data, others, f"{scenario}."))


def _type_differences(data: object, references: Iterable[object], where: str = "") -> Iterator[str]:
    expected: dict[str, set[type]] = {}
    for reference in references:
        for path, value in _values_below(reference):
            expected.setdefault(path, set()).add(type(value))
    for path, value in _values_below(data):
        types = expected.get(path, {type(value)})
        if type(value) not in types and not (type(value) is int and float in types):
            words = " or ".join(sorted(_TYPE_WORDS.get(kind, kind.__name__) for kind in types))
            yield f"{where}{path}: must be {words}, not {value!r}"


_TYPE_WORDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


def _values_below(data: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Yield every value that is no table or list, with its path; the items of a list have the same path."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _values_below(value, f"{path}.{key}" if path else key)
    elif isinstance(data, list):
        for value in data:
            yield from _values_below(value, path)
    else:
        yield path, data


_OLD_AI_FILE = "bot.toml"  # the former name of the file, and still read
_AI_FILES = ("ai.toml", _OLD_AI_FILE)


def _in_file(name: str, faults: Iterable[str]) -> Iterator[str]:
    return (f"{name}: {fault}" for fault in faults)


def _read(folder: str) -> tuple[JsonDict, list[str]]:
    """Parse every file; ``game`` is None if it cannot be parsed, so that it is not reported as empty too."""
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
            data = read_toml(read_bounded(os.path.join(folder, name), limits.TABLE).decode())
        except (ValueError, RecursionError) as fault:
            faults.append(f"{name}: syntax: {fault}")
            data = None
        except OSError as fault:
            faults.append(f"{name}: file: cannot be read: {fault.strerror}")
            data = None
        stem = "bot" if name in _AI_FILES else name[: -len(".toml")]
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

    def __init__(self, numbers: Container[str]) -> None:
        self.numbers = numbers

    def faults(self, key: str, cite: object) -> Iterator[str]:
        """Yield the faults of one citation: none or one."""
        if not isinstance(cite, str) or not cite:
            yield f"{key}: a rule number is quoted text, not {cite!r}"
        elif cite not in self.numbers:
            yield f"{key}: there is no rule {cite} in rules.toml"

    def list_faults(self, key: str, cites: object) -> Iterator[str]:
        """Yield the faults of a list of citations."""
        for cite in cites if isinstance(cites, list) else ():
            yield from self.faults(key, cite)

    def rule_faults(self, where: str, body: object) -> Iterator[str]:
        """Yield the faults of the ``rule`` of a table; a missing one is reported elsewhere."""
        if isinstance(body, dict) and "rule" in body:
            yield from self.faults(f"{where}.rule", body["rule"])

    def faults_below(self, data: object, where: str = "") -> Iterator[str]:
        """Yield the faults of every ``rule`` at any depth."""
        if isinstance(data, dict):
            for key, value in data.items():
                path = f"{where}.{key}" if where else key
                if key == "rule" and not isinstance(value, dict | list):
                    yield from self.faults(path, value)
                else:
                    yield from self.faults_below(value, path)
        elif isinstance(data, list):
            for number, item in enumerate(data, 1):
                yield from self.faults_below(item, f"{where} no. {number}")


def _items(data: object, key: str) -> list[JsonDict]:
    items = data.get(key) if isinstance(data, dict) else None
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _check_keys(where: str, data: object, keys: Keys) -> Iterator[str]:
    """Yield unknown, missing and wrongly typed keys of one table."""
    if not isinstance(data, dict):
        yield f"{where or 'file'}: is no table"
        return
    lead = f"{where}." if where else ""
    yield from (f"{lead}{key}: unknown key" for key in data if key not in keys)
    yield from (f"{lead}{key}: is missing" for key, spec in keys.items() if spec.needed and key not in data)
    for key, spec in keys.items():
        if key in data and (fault := _type_fault(key, data[key], spec.kind)):
            yield f"{lead}{key}: {fault}"


def _type_fault(key: str, value: object, kind: str) -> str:
    wrong_type = not isinstance(value, _TYPES[kind]) or (isinstance(value, bool) and kind != "truth")
    if wrong_type or (kind == "count" and isinstance(value, int) and value < 1):
        return f"must be {WORDS[kind]}, not {value!r}"
    if isinstance(value, str) and not value.strip() and key != "default":
        return "is empty"
    if isinstance(value, list):
        if not value and kind != "list":
            return "is empty"
        if not all(isinstance(item, str) and item for item in value):
            return "must be a list of texts"
        if len(set(value)) != len(value):
            return "names the same thing twice"
    return ""


def _tables_below(data: JsonObject, key: str) -> Iterator[tuple[str, Any]]:
    below = data.get(key)
    if isinstance(below, dict):
        for item, body in below.items():
            yield f"{key}.{item}", body


def _check_game(data: JsonObject, cited: Citations) -> Iterator[str]:
    yield from _check_keys("", data, KEYS["game"])
    for where, body in _tables_below(data, "tracks"):
        yield from list(_check_keys(where, body, KEYS["track"])) or _check_track(where, body)
        yield from cited.rule_faults(where, body)
    for where, body in _tables_below(data, "scenarios"):
        yield from _check_keys(where, body, KEYS["scenario"])
        yield from cited.rule_faults(where, body)
    if data.get("scenarios") == {}:
        yield "scenarios: there must be one at least"
    for where, body in _tables_below(data, "options"):
        yield from list(_check_keys(where, body, KEYS["option"])) or _check_option(where, body)
        yield from cited.rule_faults(where, body)
    for where, title in _tables_below(data, "seats"):
        if not isinstance(title, str) or not title:
            yield f"{where}: a title is text, not {title!r}"
    for table in ("practice", "alone"):
        for key, value in data.get(table, {}).items() if isinstance(data.get(table), dict) else ():
            allowed = data.get("scenarios", {}) if key == "scenario" else _choices(data.get("options"), key)
            if value not in allowed:
                yield f"{table}.{key}: there is no {value!r}"
    places = NameSet(data["places"]) if isinstance(data.get("places"), dict) else ()
    for key in ("cups", "aside") if "kinds" in data else ():
        names = data.get(key) if isinstance(data.get(key), list) else ()
        yield from (f"{key}: there is no place {name!r}" for name in names or () if name not in places)
    for sort in NAMED:
        for where, title in _tables_below(data, sort):
            if sort in ("flags", "marks") and isinstance(title, dict):
                yield from _check_keys(where, title, KEYS["form"])
            elif not isinstance(title, str) or not title:
                yield f"{where}: a title is text, not {title!r}"
            elif where.count("*") > 1:
                yield f"{where}: a family has one *"


def _check_messages(data: JsonObject) -> Iterator[str]:
    for id, body in data.items():
        yield from list(_check_keys(id, body, KEYS["message"])) or entry_faults(id, body, data)


def _choices(options: object, name: str) -> Sequence[object]:
    """Return the choices of an option; none if it, or they, are not what they must be."""
    option = options.get(name) if isinstance(options, dict) else None
    choices = option.get("choices") if isinstance(option, dict) else None
    return choices if isinstance(choices, list) else ()


def _check_track(where: str, body: JsonObject) -> Iterator[str]:
    low, high, names = body.get("low"), body.get("high"), body.get("names", [])
    if low is not None and high is not None and low > high:
        yield f"{where}: low {low} is above high {high}"
    elif names and (high is None or high - (low or 0) + 1 != len(names)):
        yield f"{where}.names: {len(names)} names do not fit {low or 0} to {high}"
    unknown = [end for end in body.get("open", ()) if end not in ("low", "high") or end not in body]
    yield from (f"{where}.open: must name bounds of the track, not {end!r}" for end in unknown)


def _check_option(where: str, body: JsonObject) -> Iterator[str]:
    choices, default = body.get("choices", []), body.get("default")
    if "choices" in body and len(choices) < 2:
        yield f"{where}.choices: a choice needs two at least"
    elif choices and default not in choices:
        yield f"{where}.default: must be one of the choices, not {default!r}"


def _check_list(data: JsonObject, key: str) -> Iterator[str]:
    """Yield the faults of a file that holds one list of tables."""
    yield from (f"{name}: unknown key" for name in data if name != key)
    items = data.get(key, [])
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        yield f"{key}: must be a list of tables"


def _duplicates(items: list[JsonDict], key: str, title: str) -> Iterator[str]:
    values = [item[key] for item in items if isinstance(item.get(key), str)]
    return (f"{title} {value}: there twice" for index, value in enumerate(values) if value and value in values[:index])


def _check_rules(data: JsonObject, rulings: Container[str], cited: Citations) -> Iterator[str]:
    yield from _check_list(data, "rule")
    items = _items(data, "rule")
    yield from _duplicates(items, "number", "rule")
    for number, item in enumerate(items, 1):
        where = f"rule {item['number']}" if isinstance(item.get("number"), str) else f"rule no. {number} of the file"
        yield from _check_keys(where, item, KEYS["rule"])
        handling = item.get("handling")
        if isinstance(handling, str) and handling not in HANDLINGS:
            yield f"{where}.handling: '{handling}' is none of {', '.join(HANDLINGS)}"
        if handling == "none" and "reason" not in item:
            yield f"{where}.reason: is missing, and nothing handles the rule"
        yield from cited.list_faults(f"{where}.see", item.get("see"))
        named = item.get("rulings")
        for ruling in named if isinstance(named, list) else ():
            if ruling not in rulings:
                yield f"{where}.rulings: there is no ruling {ruling!r}"
        for key, clause in _tables_below(item, "clauses"):
            yield from _check_clause(f"{where}.{key}", clause, handling)


def _check_clause(where: str, clause: object, handling: object) -> Iterator[str]:
    yield from _check_keys(where, clause, KEYS["clause"])
    key = where.rpartition(".")[2]
    if not key.isidentifier() or key != key.lower():
        yield f"{where}: the name of a clause is one lower-case word"
    if handling in ("reminder", "board", "none"):
        yield f"{where}: only a rule that is automated or asked has clauses"
    if isinstance(clause, dict) and ("test" in clause) == ("left" in clause):
        yield f"{where}: needs either a test, or what is left to the player"


def _check_rulings(data: JsonObject, cited: Citations) -> Iterator[str]:
    yield from _check_list(data, "ruling")
    items = _items(data, "ruling")
    yield from _duplicates(items, "id", "ruling")
    yield from _duplicates(items, "option", "option")
    for number, item in enumerate(items, 1):
        where = f"ruling {item['id']}" if isinstance(item.get("id"), str) else f"ruling no. {number} of the file"
        yield from _check_keys(where, item, KEYS["ruling"])
        yield from cited.list_faults(f"{where}.rules", item.get("rules"))
        yield from _check_switch(where, item)


def _check_switch(where: str, item: JsonObject) -> Iterator[str]:
    choices, meaning = item.get("choices"), item.get("meaning")
    if "option" not in item:
        yield from (f"{where}.{key}: without an option nothing switches it" for key in ("choices", "meaning") if key in item)
    elif not isinstance(choices, list) or len(choices) < 2:
        yield f"{where}.choices: a switch needs two choices at least"
    elif not isinstance(meaning, dict):
        yield f"{where}.meaning: is missing: each choice needs one"
    else:
        yield from (f"{where}.meaning.{choice}: is missing" for choice in choices if choice not in meaning)
        yield from (f"{where}.meaning.{key}: there is no such choice" for key in meaning if key not in choices)
        texts = (key for key, text in meaning.items() if not isinstance(text, str) or not text)
        yield from (f"{where}.meaning.{key}: must be text" for key in texts)


def _chart_faults(chart_id: str, data: JsonObject, name: str) -> list[str]:
    try:
        return charts.build_chart(chart_id, data, name)[1]
    except (TypeError, ValueError, AttributeError, KeyError) as fault:  # for example a table in place of a text
        return [f"{name}: file: is not a valid chart ({fault})"]


def _check_chart_citations(data: JsonObject, cited: Citations) -> Iterator[str]:
    if isinstance(data.get("rule"), str):
        yield from cited.faults("rule", data["rule"])
    for where, cite in _tables_below(data, "cites"):
        yield from cited.faults(where, cite) if isinstance(cite, str) else ()


def _check_counters(data: JsonObject, cited: Citations) -> Iterator[str]:
    """Check what holds for every game: counts, names, and lists of tables."""
    yield from cited.faults_below(data)
    for where, body in _all_tables(data):
        count = body.get("count", 0)
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            yield f"{where}.count: must be a whole number from 0, not {count!r}"
        if "name" in body and (not isinstance(body["name"], str) or not body["name"]):
            yield f"{where}.name: must be text, not {body['name']!r}"
    for key, value in data.items():
        if isinstance(value, list) and not all(isinstance(item, dict) for item in value):
            yield f"{key}: must be a list of tables"


def _all_tables(data: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    for key, value in data.items():
        if isinstance(value, dict):
            yield key, value
        elif isinstance(value, list):
            yield from ((f"{key} no. {number}", item) for number, item in enumerate(value, 1) if isinstance(item, dict))


# -- report.toml -------------------------------------------------------------------------------------------------------

_PLACEHOLDERS: Mapping[str, frozenset[str]] = {
    "said": frozenset({"text", "opponents"}),
    "made": frozenset({"names", "to", "why"}),
    "moved": frozenset({"names", "from", "to", "why"}),
    "flipped": frozenset({"names", "face", "at", "why"}),
    "marked": frozenset({"names", "mark", "now", "at", "why"}),
    "track": frozenset({"title", "was", "now", "why"}),
    "flag": frozenset({"title", "now", "why"}),
}
"""Kind of event -> the placeholders that its template may use."""


def report_faults(data: JsonObject, game: JsonObject, numbers: Container[str]) -> list[str]:
    """Return every fault of ``report.toml``."""
    return list(_in_file("report.toml", _check_report(data, game, numbers)))


def _check_report(data: JsonObject, game: JsonObject, numbers: Container[str]) -> Iterator[str]:
    yield from (f"{key}: unknown key" for key in data if key not in ("chapters", "decisive", "sentence", "plot"))
    tracks, chapters, decisive = game.get("tracks", {}), data.get("chapters", {}), data.get("decisive", [])
    if not isinstance(decisive, list):
        yield "decisive: must be a list of tracks"
    else:
        yield from (f"decisive: there is no track {track!r}" for track in decisive if str(track) not in tracks)
    yield from _check_keys("chapters", chapters, KEYS["chapters"])
    if chapters and isinstance(chapters, dict) and chapters.get("track") not in tracks:
        yield f"chapters.track: there is no track {chapters.get('track')!r}"
    for number, body in enumerate(_items(data, "sentence"), 1):
        where = f"sentence no. {number}"
        yield from list(_check_keys(where, body, KEYS["sentence"])) or _check_sentence(where, body, game, numbers)
    for number, body in enumerate(_items(data, "plot"), 1):
        where = f"plot no. {number}"
        yield from list(_check_keys(where, body, KEYS["plot"])) or [
            f"{where}.{key}: there is no {name!r}"
            for key, declared in (("tracks", tracks), ("cups", game.get("cups", ())))
            for name in body.get(key, ())
            if name not in declared
        ]
    for key in ("sentence", "plot"):
        if key in data and (not isinstance(data[key], list) or not all(isinstance(item, dict) for item in data[key])):
            yield f"{key}: must be a list of tables"


def _check_sentence(where: str, body: JsonObject, game: JsonObject, numbers: Container[str]) -> Iterator[str]:
    """Yield names in a template that do not exist."""
    placeholders = _PLACEHOLDERS.get(body["on"])
    if placeholders is None or not (body.get("text") or body.get("loss") or body.get("skip")):
        yield f"{where}: needs a text, and to be on one of {', '.join(EVENT_TYPES)}"
        return
    places = NameSet(game.get("places", ()))
    declared: dict[str, Container[str]] = {
        "rule": numbers,
        "from": places,
        "to": places,
        "kind": NameSet(game.get("kinds", ())),
        "mark": NameSet(game.get("marks", ())),
        "face": NameSet((FRONT, *game.get("faces", ()))),
        "track": set(game.get("tracks", ())),
        "flag": NameSet(game.get("flags", ())),
    }
    for key, names in declared.items():
        value = body.get(key, ())
        for name in [value] if isinstance(value, str) else value:
            if name not in names and not (name.endswith("*") and key != "rule"):
                yield f"{where}.{key}: there is no {name!r}"
    for word in (part.partition("}")[0] for part in body.get("text", "").split("{")[1:]):
        if "/" not in word and word not in placeholders:
            yield f"{where}.text: {{{word}}} is none of {', '.join(sorted(placeholders))}"

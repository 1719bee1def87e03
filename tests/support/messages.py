"""Write the catalogues of messages: ``tables/GAME/messages.toml``, and ``tables/messages.toml`` of the program itself.

``python -m tests.support.messages --write`` reads the source and updates them. An id is made once, from the function that writes
the text, and kept: an entry whose words were changed is recognised by its fields, or else by its place in the function.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from companion.core.messages import ANY, NUMBER, USES
from companion.games import GAMES
from tests.support.message_pieces import Call, Resolved, Scope, Slot, Text, called
from tests.support.message_texts import Source

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "companion"
TABLES = ROOT / "tables"
COMMAND = "python -m tests.support.messages --write"
_HEAD = """# The texts that {what} writes, as templates with ids that stay: companion help translating
# Written by {command}. Ids, and the names of fields, are kept there when words change.
"""
_PARTS = ("core", "session", "views", "cli", "api", "web", "testing")

# what is said: name of the function -> index of the argument, or of the first of several
_LINES = {"say": 0, "instruct": 0, "say_to": 1, "Said": 0}
_DETAILS = {"say": 2, "say_to": 3}
_REASONS = {
    "set_track": 3,
    "shift_track": 3,
    "set_flag": 3,
    "set_flags": 2,
    "make": 4,
    "move": 3,
    "flip": 3,
    "mark": 4,
    "mark_all": 4,
    "move_all": 2,
}
_PROMPTS = ("number", "confirm", "choose", "pick", "text", "roll", "draw", "printed")
_ERRORS = {"forbid": (0, 2), "skip_question": (1, 3), "Obstacle": (0, 2), "refusal": (0, 2)}
MODULES = {path.stem for path in PACKAGE.rglob("*.py")}
_NAME_WORDS = 3
_METHODS = {
    **dict.fromkeys(("track_sentence", "mark_sentence", "flip_sentence"), "change"),  # of a game: what an event says
    "expects": "cure",
    "over": "part",
}
_ATTRIBUTES = {"over_cure": "cure"}  # of a game
_EVENT_LINES = ("change_line", "_piece_line")  # functions of views/log.py that write the lines of events


def files_of(game: str) -> list[Path]:
    """The source files of a game; "": of the program itself."""
    if game:
        return sorted((PACKAGE / "games" / game).rglob("*.py"))
    return sorted(path for part in _PARTS for path in (PACKAGE / part).rglob("*.py"))


@cache
def subclasses(base: str) -> frozenset[str]:
    """The names of a class and of all that derive from it, such as all exceptions of Companion."""
    bases: dict[str, list[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        for name, above in re.findall(r"^class (\w+)\(([^)]*)\)", path.read_text(encoding="utf-8"), re.M):
            bases[name] = re.findall(r"\w+", above.partition("[")[0])
    found = {base}
    while more := {name for name, above in bases.items() if name not in found and found & set(above)}:
        found |= more
    return frozenset(found)


@cache
def described() -> Mapping[str, ast.ClassDef]:
    """The classes by which a game describes itself, such as its score."""
    nodes = ast.parse((PACKAGE / "core" / "game.py").read_text(encoding="utf-8")).body
    return {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}


def uses_of(source: Source, game: str) -> Iterator[tuple[str, Resolved]]:
    """Every text that is used, with what it is used as."""
    for call in source.every_call:
        yield from _used(source, call, game)
    for name, use in _METHODS.items():
        for method in source.functions.get(name, ()):
            if method.owner:
                yield use, source.returned(method)
    for name, functions in source.functions.items():
        if name.endswith("_cure"):
            yield from (("cure", source.returned(function)) for function in functions)
    for definition in source.classes.values():
        for item in definition.body:
            if isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name) and item.targets[0].id in _ATTRIBUTES:
                yield _ATTRIBUTES[item.targets[0].id], source.texts(item.value, Scope(source.modules[0]))
    for method in source.functions.get("prompt", ()):  # of a request, with what it puts around its text
        if method.owner in subclasses("Request"):
            yield "prompt", source.returned(method)


def _used(source: Source, call: Call, game: str) -> Iterator[tuple[str, Resolved]]:
    name, args, scope = called(call.node), call.node.args, call.scope
    keywords = {keyword.arg: keyword.value for keyword in call.node.keywords}

    def given(index: int, keyword: str) -> Iterator[Resolved]:
        if keyword in keywords:
            yield source.texts(keywords[keyword], scope)
        else:
            yield from positional(index)

    def positional(index: int) -> Iterator[Resolved]:
        for place, arg in enumerate(args[: index + 1]):
            if isinstance(arg, ast.Starred):
                yield source.texts(arg.value, scope, (index - place,))
                return
        if index < len(args):
            yield source.texts(args[index], scope)

    if name in _LINES:
        yield from (("line", found) for found in given(_LINES[name], "text"))
    if name in _DETAILS:
        for arg in args[_DETAILS[name] :]:
            yield "detail", source.elements(arg.value, scope) if isinstance(arg, ast.Starred) else source.texts(arg, scope)
    if name == "Said" and "because" in keywords:
        yield "detail", source.elements(keywords["because"], scope)
    if name in _REASONS and (game or scope.module.name.startswith("companion.core")):
        yield from (("reason", found) for found in given(_REASONS[name], "why"))
    elif "why" in keywords:
        yield "reason", source.texts(keywords["why"], scope)
    asks = game or scope.module.name.startswith("companion.core")
    if (asks and name in _PROMPTS and len(args) + len(keywords) >= 3) or name in subclasses("Request"):
        yield from (("prompt", found) for found in given(1, "prompt"))
    if name in _ERRORS:
        text, cure = _ERRORS[name]
        yield from (("error", found) for found in given(text, "text"))
        yield from (("cure", found) for found in given(cure, "cure"))
    if name in subclasses("CompanionError") or (name == "__init__" and scope.owner in subclasses("CompanionError")):
        yield from (("error", found) for found in given(0, "message"))
    if "cure" in keywords and name not in _ERRORS:
        yield "cure", source.texts(keywords["cure"], scope)
    if name == "Line" and scope.name in _EVENT_LINES and scope.module.name == "companion.views.log":
        yield from (("change", found) for found in given(0, "text"))


class Catalogue:
    """The entries of one file while they are made: one for each text, with its uses and places."""

    def __init__(self) -> None:
        self.texts: dict[str, Text] = {}
        self.uses: dict[str, set[str]] = {}
        self.places: dict[str, list[str]] = {}
        self.parts: dict[str, dict[int, tuple[list[str], bool]]] = {}

    def add(self, text: Text, use: str) -> str:
        """Add a text and the parts of its fields; return the key of its entry."""
        key = skeleton_of(text)
        is_new = key not in self.texts
        self.texts.setdefault(key, text)
        self.uses.setdefault(key, set()).add(use)
        if text.place not in self.places.setdefault(key, []):
            self.places[key].append(text.place)
        slots = [piece for piece in text.pieces if isinstance(piece, Slot)]
        if is_new:
            self.parts[key] = {}
        for index, slot in enumerate(slots):
            if slot.parts:
                self._add_parts(key, index, slot)
        return key

    def _add_parts(self, key: str, index: int, slot: Slot) -> None:
        keys, is_open = self.parts[key].get(index, ([], slot.is_open))
        for part in slot.parts:
            if is_name(part):
                is_open = True
                continue
            inner = self.add(part, "part") if part.pieces else ""
            if inner not in keys and inner != key:
                keys.append(inner)
        self.parts[key][index] = keys, is_open or slot.is_open


def is_name(text: Text) -> bool:
    """True for a name that a module defines, such as that of an area: it is no message."""
    first = text.pieces[0] if len(text.pieces) == 1 else ""
    if not isinstance(first, str) or text.place.rpartition(".")[2] not in MODULES:
        return False
    return first[:1].isupper() and first.count(" ") < _NAME_WORDS and not any(char in first for char in ".,:;?!")


def skeleton_of(text: Text) -> str:
    """What makes a text: its literals, and which of its fields are numbers; its place too, if it has no words of its own."""
    return ("" if text.letters else f"{_short(text.place)}: ") + "".join(
        piece.replace("{", "{{").replace("}", "}}") if isinstance(piece, str) else "{#}" if piece.is_number else "{}"
        for piece in text.pieces
    )


def collect(game: str) -> Catalogue:
    """Every text of a game that is used."""
    source, catalogue = Source(files_of(game), ROOT, described(), bool(game)), Catalogue()
    for use, resolved in uses_of(source, game):
        for text in resolved.texts:
            if text.letters or (is_joined(text) and (game or use in ("change", "line", "prompt"))):
                catalogue.add(text, use)
    for text in chart_texts(game):
        for use in ("line", "detail", "reason", "part"):
            catalogue.add(text, use)
    return catalogue


def is_joined(text: Text) -> bool:
    """True for a text without words of its own that joins others, such as a name and its value."""
    marks = "".join(piece for piece in text.pieces if isinstance(piece, str)).strip()
    has_value = any(isinstance(piece, Slot) and (piece.parts or piece.is_number) for piece in text.pieces)
    return len(text.pieces) > 1 and (bool(marks) or has_value)


def chart_texts(game: str) -> Iterator[Text]:
    """The sentences in the charts of a game; single words are titles."""
    for path in sorted((TABLES / game / "charts").glob("*.toml")) if game else ():
        rows = tomllib.loads(path.read_text(encoding="utf-8")).get("rows", {})
        for value in _strings(rows):
            if value.count(" ") > 1 and value[:1].isalpha():
                yield Text((value,), f"charts.{path.stem}")


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _strings(item)


def template_of(text: Text, names: Sequence[str]) -> str:
    """The text as it is written in a catalogue, with these names of its fields."""
    order = iter(names)
    return "".join(
        piece.replace("{", "{{").replace("}", "}}") if isinstance(piece, str) else "{" + next(order) + "}"
        for piece in text.pieces
    )


def entries_of(game: str, before: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The entries of a game's catalogue by id; those of ``before`` keep their ids and the names of their fields."""
    catalogue = collect(game)
    ids, names = _kept(catalogue, before)
    for key, text in sorted(catalogue.texts.items(), key=lambda item: (item[1].place, item[0])):
        if key not in ids:
            ids[key] = _new_id(text, ids.values(), before)
            names[key] = [piece.name for piece in text.pieces if isinstance(piece, Slot)]
    entries: dict[str, dict[str, Any]] = {}
    for key in sorted(ids, key=lambda key: ids[key]):
        text, fields = catalogue.texts[key], dict[str, Any]()
        for index, slot in enumerate(piece for piece in text.pieces if isinstance(piece, Slot)):
            parts, is_open = catalogue.parts[key].get(index, ([], True))
            if slot.is_number:
                fields[names[key][index]] = NUMBER
            elif parts:
                listed = sorted((ids[part] if part else "" for part in parts), key=lambda id: (not id, id))
                fields[names[key][index]] = [*listed, *([ANY] if is_open else [])]
        entries[ids[key]] = {
            "text": template_of(text, names[key]),
            "use": [use for use in USES if use in catalogue.uses[key]],
            "at": sorted(_short(place) for place in catalogue.places[key]),
            **({"fields": fields} if fields else {}),
        }
    return entries


def _short(place: str) -> str:
    """A place without the folders that all places of its catalogue share."""
    parts = place.removeprefix("companion.").split(".")
    return ".".join(parts[2:] if parts[0] == "games" else parts)


def _kept(catalogue: Catalogue, before: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """The ids and field names of entries that were there: with the same words, or with other words at the same place."""
    from companion.core.messages import Field, make_template

    ids: dict[str, str] = {}
    names: dict[str, list[str]] = {}
    old: dict[str, str] = {}
    fields: dict[str, list[str]] = {}
    for id, body in before.items():
        template = make_template(id, body)
        fields[id] = [field.name for field in template.fields]
        words = "".join(piece for piece in template.pieces if isinstance(piece, str))
        head = "" if any(map(str.isalnum, words)) else f"{body['at'][0]}: "
        key = head + "".join(
            ("{#}" if piece.is_number else "{}") if isinstance(piece, Field) else piece.replace("{", "{{").replace("}", "}}")
            for piece in template.pieces
        )
        old[key] = id
    for key in catalogue.texts:
        if key in old:
            ids[key], names[key] = old[key], fields[old[key]]
    free = {id: body for id, body in before.items() if id not in ids.values()}
    for key, text in catalogue.texts.items():
        if key in ids:
            continue
        places = {_short(place) for place in catalogue.places[key]}
        slots = [piece.name for piece in text.pieces if isinstance(piece, Slot)]
        fitting = [id for id, body in free.items() if places & set(body["at"])]
        same = [id for id in fitting if fields[id] == slots] or [id for id in fitting if len(fields[id]) == len(slots)]
        chosen = same[0] if same else fitting[0] if len(fitting) == 1 else ""
        if chosen:
            del free[chosen]
            ids[key], names[key] = chosen, fields[chosen] if len(fields[chosen]) == len(slots) else slots
    return ids, names


def _new_id(text: Text, taken: Iterable[str], before: Mapping[str, Any]) -> str:
    stem = text.place.rpartition(".")[2].strip("_") or "text"
    every, number, id = {*taken, *before}, 1, stem
    while id in every:
        number += 1
        id = f"{stem}_{number}"
    return id


def path_of(game: str) -> Path:
    return TABLES / game / "messages.toml" if game else TABLES / "messages.toml"


def read(game: str) -> dict[str, Any]:
    path = path_of(game)
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def written(game: str) -> str:
    """The catalogue of a game as it should be, as TOML."""
    blocks = [_HEAD.format(what=game or "the program itself", command=COMMAND)]
    for id, body in entries_of(game, read(game)).items():
        lines = [f"[{id}]", f"text = {_quoted(body['text'])}", f"use = {_list(body['use'])}", f"at = {_list(body['at'])}"]
        if "fields" in body:
            inner = ", ".join(f"{name} = {_list(v) if isinstance(v, list) else _quoted(v)}" for name, v in body["fields"].items())
            lines.append(f"fields = {{ {inner} }}")
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


def _list(items: Sequence[str]) -> str:
    return "[" + ", ".join(map(_quoted, items)) + "]"


def main() -> None:
    for game in ["", *GAMES]:
        text, path = written(game), path_of(game)
        is_new = not path.exists() or path.read_text(encoding="utf-8") != text
        if is_new and "--write" in sys.argv:
            path.write_text(text, encoding="utf-8")
        count = text.count("\n[")
        print(f"{path.relative_to(ROOT)}: {count} messages{', out of date' if is_new else ''}")


if __name__ == "__main__":
    main()

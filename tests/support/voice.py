"""Faults that a script can find in the texts of the program: leaked keys, wrong plurals, doubled signs, missing full stops.

Lines come from four sources: the string literals of a part's modules (placeholders stand as ``{}``), the texts of its tables,
what is said, asked and told in games that a random player plays, and what refuses an answer in them.

``python -m tests.support.voice PART`` prints what a part still says wrongly, with ``--play`` in play too; with ``--write`` it
becomes the list of what is known to be wrong, which the test only lets grow shorter.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from companion.core.errors import CompanionError
from companion.core.requests import Request
from companion.games import GAMES
from companion.views.lines import SEPARATORS
from companion.views.log import event_lines
from companion.views.question import question_lines

NARROW = 1
"""Columns on which no two choices of a list stand side by side."""
ROOT = Path(__file__).parents[2]
SHARED = "shared"
"""The part that is no game's own."""
PARTS = (SHARED, *GAMES)
_PLAYED = "in play, "

_MODULES = ("core", "session", "views", "cli")
_MANY = (
    "hits|units|dice|squads|columns|hexes|counters|points|steps|OPs|VPs|markers|cards|spaces|strikes|losses|turns|rounds|entries|"
    "answers|sessions|pieces|actions|values|cells|areas|stages|chits|days|weeks|games|files|operations|places|questions|"
    "sides|events|companies|Zones|Nodes"
)
_ONE = "hit|unit|die|squad|column|hex|counter|marker|card|space|strike|loss|turn|round|entry|answer|session|roll|piece|area|chit"


class Line(NamedTuple):
    """A text that the program can print.

    Attributes:
        where: the file, or what was played.
        text: with ``{}`` for each placeholder.
            kind: "text" or "prompt" of a module; "gist", "ruling" or "table" of the data files; "asked" or "played" in a game.
    """

    where: str
    text: str
    kind: str


class Fault(NamedTuple):
    """A way of speaking that a line must not have.

    Attributes:
        name: in a few words.
        kinds: of the lines that it concerns; none: all.
        found: what of a text is wrong; "" for nothing.
    """

    name: str
    kinds: tuple[str, ...]
    found: Callable[[str], str]


def _pattern(pattern: str, flags: int = 0) -> Callable[[str], str]:
    compiled = re.compile(pattern, flags)

    def found(text: str) -> str:
        match = compiled.search(text)
        return match.group() if match else ""

    return found


def _unasked(text: str) -> str:
    """A prompt that begins as a question and does not end as one."""
    asks = re.match(r"(Who|Which|What|Where|How|Whose|When|Do|Does|Is|Are|Will|To which|At which|In which|From which)\b", text)
    return "" if not asks or "?" in text else asks.group()


def _bare(text: str) -> str:
    """A gist that is no sentence: a heading, or one that does not end."""
    text = text.strip()
    words = text.split()
    short = len(words) < 2 or (len(words) == 2 and words[0] in ("A", "An", "The", "No", "Not", "None"))
    return text if text and (short or text[-1] not in '.?!)"') else ""


def _unended(text: str) -> str:
    """A ruling that does not end as a sentence does."""
    return text if text.strip()[-1:] not in (*".?!)", '"') else ""


_KEY = r"(?<![\w/.:=-])(?!made_up|companion_)[a-z]+(?:_[a-z0-9]+)+\b(?![=.\w]|/|\()"
_ONE_MANY = rf"(?<![\w/.,()+\-]) ?(?<![A-Z]\w )(?<![a-z] )\b1 (?:{_MANY})\b"
_MANY_ONE = rf"(?<![\w/.()+\-])(?:[02-9]|\d\d) (?:{_ONE})\b(?=$|[.,;:)]| (?:is|are|of|in|at|to|on)\b)"
_NUMBERED = rf"(?<!of )(?<!to )(?<!many )(?<!the )(?<![-:'/#])\{{\}} (?:{_MANY})\b"
_SIGNS = r"(?<!\.)\.\.(?!\.)|,,|;;|(?<=[a-z]) [,;](?= )|(?<=\w)\(\)(?!\w)| \.$|\.;|[.!]:"
_VALUE = r"^(?!.* -> )[^:]+: (?:[\w ]*\b(?:yes|off)|[a-z]+ \d+)(?=$|:)"
_SUBJECT = r"^(?:And|Or|But|Is|Are|Has|Have|Was|Does|Cannot|May|Must|Can)\b"

FAULTS = (
    Fault("inner key", (), _pattern(_KEY)),
    Fault("shown request key", ("text",), _pattern(r"'\{[\w.]*\.key\}'")),
    Fault("a relation instead of dice", (), _pattern(r"[<>]=")),
    Fault("singular and plural in brackets", (), _pattern(r"\w\(e?s\)")),
    Fault("1 with a plural", (), _pattern(_ONE_MANY)),
    Fault("many with a singular", (), _pattern(_MANY_ONE)),
    Fault("a number without plural()", ("text", "prompt"), _pattern(_NUMBERED)),
    Fault("doubled or misplaced signs", ("text", "prompt", "gist", "played"), _pattern(_SIGNS)),
    Fault("doubled blank", ("prompt", "gist", "played"), _pattern(r"(?<=\w)  +(?=\w)")),
    Fault("a mark with its value", ("played",), _pattern(_VALUE)),
    Fault("a question that does not ask", ("prompt",), _unasked),
    Fault("no sentence", ("gist",), _bare),
    Fault("no end", ("ruling",), _unended),
    Fault("no subject", ("gist",), _pattern(_SUBJECT)),
)


def sides_fault(sides: Iterable[str]) -> Fault:
    """Sides of a game are names. ``sides``: as they are written."""
    small = "|".join(re.escape(side.lower()) for side in sides)
    return Fault(
        "a side in small letters",
        (),
        _pattern(rf"(?<![\w=/:'\"_.-])(?:{small})\b(?![=\w:/'\"_-]|\.\w)") if small else lambda text: "",
    )


# -- what is in the modules ------------------------------------------------------------------------------------------


def _flat(node: ast.AST) -> str | None:
    """A literal with ``{}`` for what is put into it; where that is the key of a question, it is told."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(_part(value) for value in node.values)
    return None


def _part(value: ast.expr) -> str:
    if isinstance(value, ast.Constant):
        return str(value.value)
    inner = ast.unparse(value.value) if isinstance(value, ast.FormattedValue) else ""
    return f"{{{inner}}}" if re.fullmatch(r"(?:self\.)?(?:request|roll|one)\.key", inner) else "{}"


_OF_PYTHON = {"ValueError", "TypeError", "KeyError", "RuntimeError", "AssertionError"}
"""Exceptions of the language: none that reaches a player, who is told by those of ours."""


def _unread(tree: ast.AST) -> set[int]:
    """Literals that no player reads: docstrings, types, pieces of longer literals, what a mistake in the program raises."""
    found: set[int] = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for one in body if isinstance(body, list) else ():
            if isinstance(one, ast.Expr):
                found.add(id(one.value))
        types = (getattr(node, "annotation", None), getattr(node, "returns", None))
        found |= {id(part) for kind in types if isinstance(kind, ast.AST) for part in ast.walk(kind)}
        if isinstance(node, ast.JoinedStr):
            found |= {id(part) for part in node.values}
        if isinstance(node, ast.Compare | ast.Subscript):
            found |= {id(part) for part in ast.iter_child_nodes(node)}
        if isinstance(node, ast.Raise) and getattr(getattr(node.exc, "func", None), "id", "") in _OF_PYTHON:
            found |= {id(part) for part in ast.walk(node)}
    return found


_ASKS = {"choose", "confirm", "pick", "number", "text", "roll", "draw", "printed"}
_REQUESTS = {"Choose", "Confirm", "Pick", "Number", "Text", "Roll", "Draw", "Printed"}


def _prompts(tree: ast.AST) -> set[int]:
    """The literals that are put to the player as questions: the second argument of what asks."""
    found: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and len(node.args) > 1:
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in _ASKS | _REQUESTS:
                found |= {id(part) for part in ast.walk(node.args[1]) if isinstance(part, ast.Constant | ast.JoinedStr)}
    return found


_FOR_MACHINES = re.compile(r"\s*(?:SELECT|INSERT|CREATE|ALTER|PRAGMA|DROP|WITH|UPDATE|DELETE)\b|\s*#|#|\\\\")
"""How a text begins that is written for a database, a shell or a pattern."""


def module_lines(path: Path) -> Iterator[Line]:
    """The texts of a module: literals of more than one word."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    unread, prompts = _unread(tree), _prompts(tree)
    for node in ast.walk(tree):
        text = None if id(node) in unread else _flat(node)
        if text and " " in text.strip() and not _FOR_MACHINES.match(text):
            yield Line(path.relative_to(ROOT).as_posix(), text, "prompt" if id(node) in prompts else "text")


def source_lines(part: str) -> Iterator[Line]:
    """The texts of all modules of a part."""
    folders = [f"games/{part}"] if part != SHARED else _MODULES
    for folder in folders:
        for path in sorted((ROOT / "companion" / folder).rglob("*.py")):
            if path.name != "__init__.py":  # lists of rules and functions, for readers of the source
                yield from module_lines(path)


PRACTICE = "practice.toml"
"""A made-up set: values in the notation of the game, and no sentences."""

# -- what is in the tables -------------------------------------------------------------------------------------------

_KINDS = {"gist": "gist", "question": "ruling", "answer": "ruling", "meaning": "ruling"}


def table_lines(part: str) -> Iterator[Line]:
    """The texts of a game's data files: gists and rulings are whole sentences."""
    import tomllib

    for path in sorted((ROOT / "tables" / part).rglob("*.toml")) if part != SHARED else ():
        if path.name == PRACTICE:
            continue
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        yield from _said_in(path.relative_to(ROOT).as_posix(), data, "")


def _said_in(where: str, data: Any, key: str) -> Iterator[Line]:
    if isinstance(data, dict):
        for name, value in data.items():
            yield from _said_in(where, value, "meaning" if key == "meaning" else name)
    elif isinstance(data, list):
        for value in data:
            yield from _said_in(where, value, key)
    elif isinstance(data, str) and (" " in data.strip() or key == "gist"):
        yield Line(where, data, _KINDS.get(key, "table"))


# -- what is said in play --------------------------------------------------------------------------------------------


class Listener:
    """Mixed into a random player: keeps every question that is put and every refusal."""

    def look(self, procedure: Any, request: Request[Any], replies: list[Any], come: list[Any]) -> None:
        asked = self.__dict__.setdefault("asked", {})
        if request.prompt not in asked:
            asked[request.prompt] = [part for line in question_lines(request, NARROW) for part in line.text.split(SEPARATORS[-1])]

    def answer(self, request: Request[Any]) -> Any:
        try:
            return super().answer(request)  # type: ignore[misc]
        except CompanionError as fault:
            self.__dict__.setdefault("refused", set()).add(str(fault))
            raise


def played_lines(part: str, seeds: Iterable[int] = (1, 2), turns: int = 40) -> Iterator[Line]:
    """What is said and asked in random games of a part."""
    if part == SHARED:
        return
    sit = import_module(f"tests.games.{part}.player").sit
    for seed in seeds:
        player = sit(seed, Listener)
        for _ in range(turns):
            player.turn()
        yield from _told(player, seed)


def _told(player: Any, seed: int) -> Iterator[Line]:
    where = f"a random game, seed {seed}"
    for _, position, _, events in player.transcripts:
        pieces = dict(position.pieces)
        for line in event_lines(player.game, events, pieces, because=True):
            yield Line(where, line.text, "played")
    for _, (first, *rest) in sorted(player.__dict__.get("asked", {}).items()):
        yield Line(where, first, "prompt")
        yield from (Line(where, text, "asked") for text in rest)
    yield from (Line(where, text, "played") for text in sorted(player.__dict__.get("refused", ())))


# -- what is wrong ---------------------------------------------------------------------------------------------------


def own(part: str) -> Any:
    """What a game says of its own way of speaking: ``SIDES``, and ``KEPT``, the texts that stay as they are; None: nothing."""
    name = f"tests.games.{part}.voice"
    try:
        return import_module(name)
    except ModuleNotFoundError as fault:
        if not name.startswith(fault.name or "?"):
            raise
        return None


def faults_of(part: str) -> tuple[Fault, ...]:
    """The ways of speaking that a part must not have."""
    return (*FAULTS, sides_fault(getattr(own(part), "SIDES", ())))


def counted_alike(text: str) -> str:
    """A fault of a line that is said in play, whatever its numbers."""
    return re.sub(r"\d+", "N", text)


def wrong(lines: Iterable[Line], faults: Iterable[Fault], kept: Iterable[str] = ()) -> list[str]:
    """``FAULT: text`` for each line that speaks wrongly, once, in order."""
    found: dict[str, None] = {}
    stays = set(kept)
    rules = tuple(faults)
    for line in lines:
        for fault in rules:
            if (not fault.kinds or line.kind in fault.kinds) and line.text not in stays and fault.found(line.text):
                found[f"{fault.name}: {' '.join(line.text.split())}"] = None
    return sorted(found)


def still_wrong(part: str) -> list[str]:
    """What a part still says wrongly in its modules and tables."""
    return wrong((*source_lines(part), *table_lines(part)), faults_of(part), getattr(own(part), "KEPT", ()))


def list_of(part: str) -> Path:
    """The file with what of a part is known to be wrong."""
    return ROOT / "tests" / ("house" if part == SHARED else f"games/{part}") / "unvoiced.txt"


def played_wrong(part: str) -> list[str]:
    """What a part says wrongly in play, numbers aside."""
    found = wrong(played_lines(part), faults_of(part), getattr(own(part), "KEPT", ()))
    return sorted({f"{_PLAYED}{counted_alike(line)}" for line in found})


def known(part: str) -> list[str]:
    """What of a part is known to be wrong; nothing once its list is gone."""
    path = list_of(part)
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def main(args: list[str]) -> None:
    """Print what parts still say wrongly, or write it to their lists."""
    for part in [arg for arg in args if arg in PARTS] or PARTS:
        found = still_wrong(part) + (played_wrong(part) if "--play" in args or "--write" in args else [])
        if "--write" in args and found:
            list_of(part).write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
        elif "--write" in args:
            list_of(part).unlink(missing_ok=True)
        else:
            sys.stdout.write("".join(f"{part}: {line}\n" for line in found))


if __name__ == "__main__":
    main(sys.argv[1:])

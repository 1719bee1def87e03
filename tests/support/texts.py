"""Faults that a script can find in the texts of the program: leaked keys, wrong plurals, doubled signs, missing full stops.

Lines come from four sources: the string literals of a part's modules (with ``{}`` for placeholders), the texts of its tables,
and the questions, results and refusals of games that a random player plays.

``python -m tests.support.texts [--play] [PART]...`` prints the faults of parts, with ``--play`` also of games.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from companion.core.errors import CompanionError
from companion.core.requests import Request
from companion.games import GAMES
from companion.views.lines import SEPARATORS
from companion.views.log import event_lines
from companion.views.question import question_lines
from tests.house.source import nodes_of
from tests.support.players import seat

NARROW = 1
"""Columns on which no two choices of a list stand side by side."""
ROOT = Path(__file__).parents[2]
SHARED = "shared"  # the part outside the games
PARTS = (SHARED, *GAMES)

_MODULES = ("core", "session", "views", "cli")
_PLURALS = (
    "hits|units|dice|squads|columns|hexes|counters|points|steps|OPs|VPs|markers|cards|spaces|strikes|losses|turns|rounds|entries|"
    "answers|sessions|pieces|actions|values|cells|areas|stages|chits|days|weeks|games|files|operations|places|questions|"
    "sides|events|companies|Zones|Nodes"
)
_SINGULARS = (
    "hit|unit|die|squad|column|hex|counter|marker|card|space|strike|loss|turn|round|entry|answer|session|roll|piece|area|chit"
)


KINDS = ("text", "prompt", "gist", "ruling", "table", "asked", "played")


class Line(NamedTuple):
    """A text that the program can print.

    Attributes:
        source: The file, or the game that was played.
        text: The text, with ``{}`` for each placeholder.
        kind: "text" or "prompt" of a module; "gist", "ruling" or "table" of the data files; "asked" or "played" in a game.
    """

    source: str
    text: str
    kind: str


class Fault(NamedTuple):
    """A fault of a text.

    Attributes:
        name: What is wrong, in a few words.
        kinds: The kinds of lines that are checked for it; none: all.
        find: Returns the wrong part of a text, or "".
    """

    name: str
    kinds: tuple[str, ...]
    find: Callable[[str], str]


def _pattern(pattern: str, flags: int = 0) -> Callable[[str], str]:
    compiled = re.compile(pattern, flags)

    def find(text: str) -> str:
        match = compiled.search(text)
        return match.group() if match else ""

    return find


def _unasked(text: str) -> str:
    """A prompt that begins as a question and has no question mark."""
    asks = re.match(r"(Who|Which|What|Where|How|Whose|When|Do|Does|Is|Are|Will|To which|At which|In which|From which)\b", text)
    return "" if not asks or "?" in text else asks.group()


def _bare(text: str) -> str:
    """A gist that is a heading or has no full stop."""
    text = text.strip()
    words = text.split()
    short = len(words) < 2 or (len(words) == 2 and words[0] in ("A", "An", "The", "No", "Not", "None"))
    return text if text and (short or text[-1] not in '.?!)"') else ""


def _unended(text: str) -> str:
    """A ruling without a full stop."""
    return text if text.strip()[-1:] not in (*".?!)", '"') else ""


_KEY = r"(?<![\w/.:=-])(?!made_up|companion_)[a-z]+(?:_[a-z0-9]+)+\b(?![=.\w]|/|\()"
_ONE_MANY = rf"(?<![\w/.,()+\-]) ?(?<![A-Z]\w )(?<![a-z] )\b1 (?:{_PLURALS})\b"
_MANY_ONE = rf"(?<![\w/.()+\-])(?:[02-9]|\d\d) (?:{_SINGULARS})\b(?=$|[.,;:)]| (?:is|are|of|in|at|to|on)\b)"
_NUMBERED = rf"(?<!of )(?<!to )(?<!many )(?<!the )(?<![-:'/#])\{{\}} (?:{_PLURALS})\b"
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
    """The fault of writing the name of a side in small letters."""
    small = "|".join(re.escape(side.lower()) for side in sides)
    return Fault(
        "a side in small letters",
        (),
        _pattern(rf"(?<![\w=/:'\"_.-])(?:{small})\b(?![=\w:/'\"_-]|\.\w)") if small else lambda text: "",
    )


# -- what is in the modules ------------------------------------------------------------------------------------------


def _flat(node: ast.AST) -> str | None:
    """A literal with ``{}`` for each placeholder, except the key of a question, which is kept."""
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


_BUILT_IN = {"ValueError", "TypeError", "KeyError", "RuntimeError", "AssertionError"}
"""Exceptions that a player never sees: those shown are of the program's own types."""


def _unshown(nodes: Iterable[ast.AST]) -> set[int]:
    """Literals that are not shown: docstrings, types, parts of longer literals, messages of built-in exceptions."""
    unshown: set[int] = set()
    for node in nodes:
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            if isinstance(statement, ast.Expr):
                unshown.add(id(statement.value))
        types = (getattr(node, "annotation", None), getattr(node, "returns", None))
        unshown |= {id(part) for kind in types if isinstance(kind, ast.AST) for part in ast.walk(kind)}
        if isinstance(node, ast.JoinedStr):
            unshown |= {id(part) for part in node.values}
        if isinstance(node, ast.Compare | ast.Subscript):
            unshown |= {id(part) for part in ast.iter_child_nodes(node)}
        if isinstance(node, ast.Raise) and getattr(getattr(node.exc, "func", None), "id", "") in _BUILT_IN:
            unshown |= {id(part) for part in ast.walk(node)}
    return unshown


_ASKS = {"choose", "confirm", "pick", "number", "text", "roll", "draw", "printed"}
_REQUESTS = {"Choose", "Confirm", "Pick", "Number", "Text", "Roll", "Draw", "Printed"}


def _prompts(nodes: Iterable[ast.AST]) -> set[int]:
    """The literals that are questions to the player: the second argument of a call that asks."""
    prompts: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Call) and len(node.args) > 1:
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in _ASKS | _REQUESTS:
                prompts |= {id(part) for part in ast.walk(node.args[1]) if isinstance(part, ast.Constant | ast.JoinedStr)}
    return prompts


_NOT_PROSE = re.compile(r"\s*(?:SELECT|INSERT|CREATE|ALTER|PRAGMA|DROP|WITH|UPDATE|DELETE)\b|\s*#|#|\\\\")
"""The beginning of a text in SQL, of a comment or of a pattern."""


def module_lines(path: Path) -> Iterator[Line]:
    """The texts of a module: literals of more than one word."""
    nodes = nodes_of(path)
    unshown, prompts = _unshown(nodes), _prompts(nodes)
    for node in nodes:
        text = None if id(node) in unshown else _flat(node)
        if text and " " in text.strip() and not _NOT_PROSE.match(text):
            yield Line(path.relative_to(ROOT).as_posix(), text, "prompt" if id(node) in prompts else "text")


def source_lines(part: str) -> Iterator[Line]:
    """The texts in all modules of a part."""
    folders = [f"games/{part}"] if part != SHARED else _MODULES
    for folder in folders:
        for path in sorted((ROOT / "companion" / folder).rglob("*.py")):
            if path.name != "__init__.py":  # lists of rules and functions, for readers of the source
                yield from module_lines(path)


MESSAGES = "messages.toml"  # made from the source, whose texts are checked there
PRACTICE = "practice.toml"  # a made-up set: values in the notation of the game, no sentences

# -- what is in the tables -------------------------------------------------------------------------------------------

_KINDS = {"gist": "gist", "question": "ruling", "answer": "ruling", "meaning": "ruling"}


def table_lines(part: str) -> Iterator[Line]:
    """The texts of a game's data files: gists and rulings are whole sentences."""
    for path in sorted((ROOT / "tables" / part).rglob("*.toml")) if part != SHARED else ():
        if path.name == MESSAGES:
            continue
        if path.name == PRACTICE:
            continue
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        yield from _texts_in(path.relative_to(ROOT).as_posix(), data, "")


def _texts_in(source: str, data: Any, key: str) -> Iterator[Line]:
    if isinstance(data, dict):
        for name, value in data.items():
            yield from _texts_in(source, value, "meaning" if key == "meaning" else name)
    elif isinstance(data, list):
        for value in data:
            yield from _texts_in(source, value, key)
    elif isinstance(data, str) and (" " in data.strip() or key == "gist"):
        yield Line(source, data, _KINDS.get(key, "table"))


# -- what is said in play --------------------------------------------------------------------------------------------


class Listener:
    """Mixin for a random player that keeps every question and every refusal."""

    def on_question(self, procedure: Any, request: Request[Any], replies: list[Any], results: list[Any]) -> None:
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
    """The results, questions and refusals of random games of a part."""
    if part == SHARED:
        return
    for seed in seeds:
        player = seat(part, seed, Listener)
        for _ in range(turns):
            player.turn()
        yield from _lines_of(player, seed)


def _lines_of(player: Any, seed: int) -> Iterator[Line]:
    source = f"a random game, seed {seed}"
    for _, position, _, events in player.transcripts:
        pieces = dict(position.pieces)
        for line in event_lines(player.game, events, pieces, because=True):
            yield Line(source, line.text, "played")
    for _, (first, *rest) in sorted(player.__dict__.get("asked", {}).items()):
        yield Line(source, first, "prompt")
        yield from (Line(source, text, "asked") for text in rest)
    yield from (Line(source, text, "played") for text in sorted(player.__dict__.get("refused", ())))


# -- faults ----------------------------------------------------------------------------------------------------------


@cache
def _own() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def faults_in(lines: Iterable[Line], faults: Iterable[Fault], accepted: Iterable[str] = ()) -> list[str]:
    """``FAULT: text`` for each line with a fault, once, in order."""
    checks = tuple(faults)
    shown = {(line.kind, line.text) for line in lines} - {(kind, text) for text in accepted for kind in KINDS}
    return sorted(
        {
            f"{fault.name}: {' '.join(text.split())}"
            for kind, text in shown
            for fault in checks
            if (not fault.kinds or kind in fault.kinds) and fault.find(text)
        }
    )


def _faults_of(part: str, lines: Iterable[Line]) -> list[str]:
    own = _own().get(part, {})
    return faults_in(lines, (*FAULTS, sides_fault(own.get("sides", ()))), own.get("accepted", ()))


def source_faults(part: str) -> list[str]:
    """The faults in a part's modules and tables."""
    return _faults_of(part, (*source_lines(part), *table_lines(part)))


def played_faults(part: str) -> list[str]:
    """The faults in random games of a part."""
    return _faults_of(part, played_lines(part))


def main(args: list[str]) -> None:
    """Print the faults of some parts, or of all."""
    for part in [arg for arg in args if arg in PARTS] or PARTS:
        faults = source_faults(part) + (played_faults(part) if "--play" in args else [])
        sys.stdout.write("".join(f"{part}: {fault}\n" for fault in faults))


if __name__ == "__main__":
    main(sys.argv[1:])

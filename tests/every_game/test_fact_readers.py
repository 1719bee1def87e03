"""Every kind of fact that can be told is read by the rules: what nothing reads would be accepted without effect."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import pytest

import companion.games
from companion.games import GAMES
from tests.support.table import game_of

_NOT_RULES = ("map.py", "corrections.py", "notation.py", "facts.py")
"""Modules that take in, draw and check facts; their functions count where a rule calls them."""
ILLUSTRATIONS = {"figure"}
"""Kinds that the player is not asked for: values that the rulebook's own figures show."""


def sources_of(game: str) -> dict[str, str]:
    """The modules of a game: path below its folder to text."""
    folder = Path(companion.games.__file__).parent / game
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*.py")}


def unread_kinds(sources: Mapping[str, str], kinds: Collection[str]) -> set[str]:
    """The kinds of facts that no function reads that a rule can reach by the names that it uses."""
    units = [(path, node) for path, text in sources.items() for node in _units(ast.parse(text))]
    by_name: dict[str, list[ast.AST]] = {}
    for _, node in units:
        for name in _names_of(node):
            by_name.setdefault(name, []).append(node)
    waiting = [node for path, node in units if Path(path).name not in _NOT_RULES and not path.startswith("ai")]
    seen = {id(node) for node in waiting}
    read: set[str] = set()
    while waiting:
        node = waiting.pop()
        read |= _reads(node)
        for name in _used(node):
            following = [other for other in by_name.get(name, ()) if id(other) not in seen]
            seen |= {id(other) for other in following}
            waiting += following
    return set(kinds) - read


def _units(tree: ast.Module) -> Iterator[ast.AST]:
    """The functions and methods of a module, and its other statements one by one."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from node.body
        else:
            yield node


def _names_of(node: ast.AST) -> Iterator[str]:
    """The names that a function or an assignment defines."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield node.name
    for target in getattr(node, "targets", [getattr(node, "target", None)]):
        yield from (part.id for part in ast.walk(target) if isinstance(part, ast.Name)) if target is not None else ()


def _used(node: ast.AST) -> set[str]:
    """The names and attributes that a function uses."""
    names = [part.id for part in ast.walk(node) if isinstance(part, ast.Name)]
    return {*names, *(part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute))}


def _reads(node: ast.AST) -> set[str]:
    """The texts by which a function asks for a kind of fact, or puts together or takes apart a key of one."""
    parts = list(ast.walk(node))
    if any(isinstance(part, ast.Call) and getattr(part.func, "id", "") == "Fact" for part in parts):  # the list of kinds itself
        return set()
    strings = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    arguments = [argument for part in parts if isinstance(part, ast.Call) and _asks_for_facts(part) for argument in part.args]
    arguments += [side for part in parts if isinstance(part, ast.Compare) for side in (part.left, *part.comparators)]
    named = {argument.value for argument in arguments if isinstance(argument, ast.Constant) and isinstance(argument.value, str)}
    return named | {text.partition(":")[0] for text in strings if ":" in text}


def _asks_for_facts(call: ast.Call) -> bool:
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    return any(word in name.lower() for word in ("fact", "printed", "told", "flag"))


@pytest.mark.parametrize("game", GAMES)
def test_what_can_be_told_is_read(game: str) -> None:
    """A kind of fact without a reader among the rules would be taken from the player and then forgotten."""
    kinds = {fact.id for fact in game_of(game).facts} - ILLUSTRATIONS
    assert unread_kinds(sources_of(game), kinds) == set()


def test_a_kind_that_no_rule_reads_is_found() -> None:
    """The railroad of Iraq War 2003 without the rule that goes along it, though the map still keeps and draws it."""
    sources = sources_of("iraqwar2003")
    cut = {path: re.sub(r"\bhas_rails|along_rails\b", "ground", text) for path, text in sources.items() if path != "facts.py"}
    assert unread_kinds({**cut, "facts.py": sources["facts.py"]}, ["rail", "road", "hex"]) == {"rail"}

"""The order inside the layers: no circles, no game in another, and one text of each rule."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from companion.games import GAMES

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "companion"
PATHS = sorted(PACKAGE.rglob("*.py"))
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in PATHS}


def name_of(path: Path) -> str:
    """The module of a file, as it is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {name_of(path): path for path in PATHS}


def executed(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node but what only a type checker sees: an import for types alone makes no circle, since nothing runs it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            continue
        yield node
        yield from executed(node)


def imported(path: Path) -> set[str]:
    """The modules of the package that a file imports anywhere, inside functions too."""
    found = set()
    for node in executed(TREES[path]):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {one if one in NAMES else str(node.module) for one in inner}
    return found & set(NAMES)


def reached(start: str, graph: Mapping[str, set[str]]) -> set[str]:
    """Everything that a module imports by any way."""
    found: set[str] = set()
    ahead = list(graph[start])
    while ahead:
        one = ahead.pop()
        if one not in found:
            found.add(one)
            ahead += graph[one]
    return found


GRAPH = {name: imported(path) for name, path in NAMES.items()}


@pytest.mark.parametrize("module", sorted(NAMES))
def test_no_module_reaches_itself(module: str) -> None:
    """No two modules import each other, directly or in a ring, at the top or inside functions."""
    back = sorted(one for one in GRAPH[module] if module in reached(one, GRAPH))

    assert back == []


def game_of(module: str) -> str:
    parts = module.split(".")
    return parts[2] if parts[1:2] == ["games"] and len(parts) > 2 else ""


def test_no_game_imports_another() -> None:
    pairs = [(module, one) for module, uses in GRAPH.items() for one in uses if game_of(module) and game_of(one)]

    assert [pair for pair in pairs if game_of(pair[0]) != game_of(pair[1])] == []


def gives_odds(node: ast.AST) -> bool:
    """Whether this is a function whose result is exact chances."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.returns is None:
        return False
    return ast.unparse(node.returns) in ("Odds", "Odds | None")


def rolls(node: ast.AST) -> bool:
    """Whether dice are asked for in there: ``Roll(...)`` or ``....roll(...)``."""
    calls = (one.func for one in ast.walk(node) if isinstance(one, ast.Call))
    return any(
        (isinstance(func, ast.Name) and func.id == "Roll") or (isinstance(func, ast.Attribute) and func.attr in ("roll", "Roll"))
        for func in calls
    )


IN_GAMES = [name for name in NAMES if game_of(name)]


@pytest.mark.parametrize("module", sorted(IN_GAMES))
def test_odds_play_the_rule_and_do_not_say_it_again(module: str) -> None:
    """A function that gives odds asks for no dice of its own, nor does anything in a module of odds: the rules do."""
    tree = TREES[NAMES[module]]
    whole = any(part.startswith(("odds", "chances", "situations")) for part in module.split(".")[3:])
    own = [tree] if whole else [node for node in ast.walk(tree) if gives_odds(node)]

    assert [ast.unparse(node)[:80] for node in own if rolls(node)] == []


def test_a_cure_names_a_command_of_the_shell_in_full() -> None:
    """The loop turns ``companion adjust`` into ``/adjust``, and knows no other form: a bare ``adjust X`` works nowhere."""
    words = "|".join(["new", "printed", "adjust", "undo", "amend", "audit", "show", "log"])
    bare = re.compile(rf'(cure=f?"[^"]*|Obstacle\([^)]*)(?<!companion )(?<![\w/])({words}) (new:|set |{"|".join(GAMES)})')
    found = [f"{path.name}: {line.strip()}" for path in PATHS for line in path.read_text().splitlines() if bare.search(line)]

    assert found == []

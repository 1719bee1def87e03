"""The order inside the layers: no import cycles, no game in another, files of a readable size, one text of each rule."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

from companion.games import GAMES
from tests.house.source import MODULES, PATHS, ROOT, executed, game_of, nodes_of, text_of, tree_of

LONGEST = 700
"""Lines of one module."""


def imported_modules(module: str) -> set[str]:
    """The modules of the package that a module imports anywhere, inside functions too."""
    names = set()
    for node in executed(tree_of(MODULES[module])):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= {name if name in MODULES else str(node.module) for name in inner}
    return names & set(MODULES)


GRAPH = {module: imported_modules(module) for module in MODULES}


def cycles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """The groups of modules that import each other, directly or in a ring (Tarjan's algorithm)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    groups: list[list[str]] = []

    def visit(module: str) -> None:
        index[module] = low[module] = len(index)
        stack.append(module)
        for other in sorted(graph[module]):
            if other not in index:
                visit(other)
                low[module] = min(low[module], low[other])
            elif other in stack:
                low[module] = min(low[module], index[other])
        if low[module] == index[module]:
            group = stack[stack.index(module) :]
            del stack[stack.index(module) :]
            if len(group) > 1:
                groups.append(sorted(group))

    for module in sorted(graph):
        if module not in index:
            visit(module)
    return groups


def test_cycles_are_found() -> None:
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]
    assert cycles({"a": {"b"}, "b": set()}) == []


def test_no_modules_import_each_other() -> None:
    """Neither at the top nor inside functions."""
    assert cycles(GRAPH) == []


def test_no_game_imports_another() -> None:
    pairs = [(module, other) for module, uses in GRAPH.items() for other in uses if game_of(module) and game_of(other)]

    assert [pair for pair in pairs if game_of(pair[0]) != game_of(pair[1])] == []


def test_the_folders_of_the_checkout_are_where_packagers_look() -> None:
    names = ("pyproject.toml", "README.md", "companion", "tables", "tests", "completions")

    assert [name for name in names if not (ROOT / name).exists()] == []
    assert {path.suffix for path in (ROOT / "completions").iterdir()} == {".1", ".bash", ".fish", ".zsh"}


def test_no_module_is_too_long() -> None:
    lengths = {path.relative_to(ROOT).as_posix(): text_of(path).count("\n") for path in PATHS}

    assert {path: lines for path, lines in lengths.items() if lines > LONGEST} == {}


def gives_odds(node: ast.AST) -> bool:
    """True for a function that returns exact odds."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.returns is None:
        return False
    return ast.unparse(node.returns) in ("Odds", "Odds | None")


def rolls(node: ast.AST) -> bool:
    """True if a node asks for dice: ``Roll(...)`` or ``referee.roll(...)``."""
    functions = (inner.func for inner in ast.walk(node) if isinstance(inner, ast.Call))
    return any(
        (isinstance(func, ast.Name) and func.id == "Roll") or (isinstance(func, ast.Attribute) and func.attr in ("roll", "Roll"))
        for func in functions
    )


def test_odds_play_the_rule_and_do_not_restate_it() -> None:
    """A function that returns odds asks for no dice of its own, nor does a module of odds: the rules do."""
    faults = []
    for module, path in MODULES.items():
        if not game_of(module):
            continue
        of_odds = any(part.startswith(("odds", "situations")) for part in module.split(".")[3:])
        nodes = [tree_of(path)] if of_odds else [node for node in nodes_of(path) if gives_odds(node)]
        faults += [f"{module}: {ast.unparse(node)[:80]}" for node in nodes if rolls(node)]

    assert faults == []


def dispatches_by_text(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Calls of ``getattr`` with a name put together at run time."""
    for node in nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != "getattr":
            continue
        if len(node.args) > 1 and isinstance(node.args[1], ast.JoinedStr):
            yield ast.unparse(node)


def test_no_dispatch_by_text() -> None:
    """Neither ``getattr(x, f"on_{kind}")`` nor ``"module:function"``: an editor and mypy cannot follow either."""
    reference = re.compile(r'"[a-z_]+(?:\.[a-z0-9_]+)*:[a-z_]+"')
    facts = {'"orientation:low"'}  # the key of a printed fact
    faults = [f"{module}: {call}" for module, path in MODULES.items() for call in dispatches_by_text(nodes_of(path))]
    for module, path in MODULES.items():
        texts = set(reference.findall(text_of(path))) - facts if game_of(module) else set()
        faults += [f"{module}: {text}" for text in sorted(texts)]

    assert faults == []


def test_cures_name_full_shell_commands() -> None:
    """The prompt turns ``companion adjust`` into ``/adjust`` and accepts no other form."""
    words = "|".join(["new", "printed", "adjust", "undo", "amend", "audit", "show", "log"])
    bare = re.compile(rf'(cure=f?"[^"]*|Obstacle\([^)]*)(?<!companion )(?<![\w/])({words}) (new:|set |{"|".join(GAMES)})')
    faults = [f"{path.name}: {line.strip()}" for path in PATHS for line in text_of(path).splitlines() if bare.search(line)]

    assert faults == []

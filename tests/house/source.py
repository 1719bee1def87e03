"""The package's modules, parsed once for all tests of its structure."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "companion"
PATHS = sorted(PACKAGE.rglob("*.py"))


def module_name(path: Path) -> str:
    """The name by which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in PATHS}


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(text_of(path))


@cache
def nodes_of(path: Path) -> Sequence[ast.AST]:
    """All nodes of a file, in the order of ``ast.walk``."""
    return list(ast.walk(tree_of(path)))


def layer_of(path: Path) -> str:
    """The folder below the package: ``core``, ``games`` ..."""
    return path.relative_to(PACKAGE).parts[0]


def game_of(module: str) -> str:
    """The id of the game that a module belongs to; empty outside the games."""
    parts = module.split(".")
    return parts[2] if parts[1:2] == ["games"] and len(parts) > 2 else ""


def executed(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those below ``if TYPE_CHECKING``, which never run."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            continue
        yield node
        yield from executed(node)


@cache
def imports(path: Path, top_only: bool = False) -> list[str]:
    """The modules and names that a file imports; with ``top_only`` not those inside functions."""
    names = []
    for node in tree_of(path).body if top_only else nodes_of(path):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


@cache
def calls(path: Path) -> set[str]:
    """The plain names that a file calls."""
    return {node.func.id for node in nodes_of(path) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}

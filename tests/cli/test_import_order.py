"""The rooms of the command line: each uses only itself and those before it, and what must be quick loads no later one."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

CLI = Path(__file__).parents[2] / "companion" / "cli"
ROOMS = ("shell", "repl", "serve", "mcp", "commands")
MODULES = sorted(path for room in ROOMS for path in (CLI / room).glob("*.py"))


def rooms_used(path: Path) -> set[str]:
    """The rooms that a module imports anything of, inside functions too."""
    nodes = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.ImportFrom)]
    names = [f"{node.module}.{alias.name}".split(".") for node in nodes for alias in node.names]
    return {parts[2] for parts in names if parts[:2] == ["companion", "cli"] and len(parts) > 2}


def test_every_module_of_the_command_line_is_in_a_room() -> None:
    assert {path.relative_to(CLI).parts[0] for path in CLI.rglob("*.py")} == {"__init__.py", *ROOMS}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_a_room_uses_only_those_before_it(path: Path) -> None:
    assert rooms_used(path) <= set(ROOMS[: ROOMS.index(path.parent.name) + 1])

"""The layers: each part imports only what stands below it, and only the games know what a game is called."""

from __future__ import annotations

import ast
import os
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "companion"
LAYERS = ("core", "games", "session", "views", "api", "cli")
MODULES = sorted(PACKAGE.rglob("*.py"))
ABOUT = {"schema.py": {"sqlite_utils"}, "markdown.py": {"rich", "re"}, "rule_map.py": {"re"}}
"""Modules that are about a library, and are themselves imported only where it is needed."""
HEAVY_AT_TOP = {
    "dataclasses",
    "pathlib",
    "re",
    "inspect",
    "subprocess",
    "msgspec",
    "sqlite_utils",
    "tomllib",
    "platformdirs",
    "rich",
    "jinja2",
    "markupsafe",
}
CLI_ONLY = {"typer", "questionary", "prompt_toolkit"}


@cache
def text_of(path: Path) -> str:
    """A file as it stands."""
    return path.read_text(encoding="utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    """A file as it is parsed."""
    return ast.parse(text_of(path))


@cache
def imports(path: Path, top_only: bool = False) -> list[str]:
    """The modules that a file imports; those inside functions too unless ``top_only``."""
    tree = tree_of(path)
    nodes = tree.body if top_only else list(ast.walk(tree))
    found = []
    for node in nodes:
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found += [f"{node.module}.{name.name}" for name in node.names]
    return found


@cache
def calls(path: Path) -> set[str]:
    """The plain names that a file calls."""
    nodes = ast.walk(tree_of(path))
    return {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}


def layer(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_what_stands_below_it(path: Path) -> None:
    mine = layer(path)
    if mine not in LAYERS:
        return
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "companion" and len(parts) > 1 and parts[1] in LAYERS:
            assert LAYERS.index(parts[1]) <= LAYERS.index(mine), f"{mine} imports {name}"


@pytest.mark.parametrize("path", [path for path in MODULES if layer(path) in ("core", "games")], ids=lambda path: path.name)
def test_the_rules_reach_no_file_no_clock_no_chance_and_no_screen(path: Path) -> None:
    forbidden = {"os", "io", "sys", "sqlite3", "time", "datetime", "secrets", "socket", "typer", "rich", "sqlite_utils"}
    names = imports(path)

    assert {name.split(".")[0] for name in names} & forbidden == set()
    # a generator that is given its seed is a function like any other; anything else of that module is chance
    assert {name for name in names if name.startswith("random")} <= {"random.Random"}
    assert "Random()" not in text_of(path)
    assert {"print", "open", "input", "eval", "exec"} & calls(path) == set()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_heavy_is_imported_before_it_is_needed(path: Path) -> None:
    if layer(path) == "testing":
        return
    tops = {name.split(".")[0] for name in imports(path, top_only=True)}
    allowed = ABOUT.get(path.name, set())

    assert tops & (HEAVY_AT_TOP - allowed) == set()
    if layer(path) != "cli":
        assert {name.split(".")[0] for name in imports(path)} & CLI_ONLY == set()


@cache
def game_words() -> set[str]:
    """Ids of games, of their scenarios, options, tracks, places, charts and actions that are no plain English words."""
    from companion.games import GAMES, make_game
    from companion.session.tables import load

    words = set(GAMES)
    for name in GAMES:
        tables = load(name)
        game = make_game(name, tables)
        ids = [*game.scenarios, *game.tracks, *game.places, *tables.charts, *(action.id for action in game.actions)]
        words |= {word for word in ids if "_" in word or any(char.isdigit() for char in word)}
        words |= {part for word in game.title.casefold().split() for part in [word.strip(":,()")] if len(part) > 5}
    return words - {"battle", "fighting"}


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if layer(path) in ("core", "session", "views", "api", "cli", "testing")],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_no_game_is_named_outside_the_games(path: Path) -> None:
    text = text_of(path).casefold()
    extra = {"fallujah", "coalition", "opfor", "insurgent", "marines", "iraq", "recruit box", "mosque", "netwar"}
    found = {word for word in game_words() | extra if word in text and re.search(rf"\b{re.escape(word)}\b", text)}

    assert found == set()


def test_one_module_alone_knows_how_pages_are_made() -> None:
    """The engine of templates is loaded for a page and for nothing else."""
    makes = [path.name for path in MODULES if {name.split(".")[0] for name in imports(path)} & {"jinja2", "markupsafe"}]

    assert makes == ["render.py"]


def test_sql_is_in_the_archive_alone() -> None:
    allowed = {"store.py", "database.py", "schema.py", "reading.py", "derived.py", "queries.py"}
    pattern = re.compile(r"\b(SELECT .* FROM|INSERT INTO|CREATE TABLE|PRAGMA)\b")

    assert [path.name for path in MODULES if pattern.search(text_of(path)) and path.name not in allowed] == []


def test_there_are_no_dataclasses_and_no_prints() -> None:
    for path in MODULES:
        assert "print" not in calls(path), path
        assert not any(name.startswith("dataclasses") for name in imports(path)), path


def test_every_module_says_what_it_is_for() -> None:
    assert [os.fspath(path) for path in MODULES if not ast.get_docstring(tree_of(path))] == []

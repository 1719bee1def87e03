"""The layers: each part imports only from the parts below it, and only the games contain what belongs to one game."""

from __future__ import annotations

import ast
import os
import re

from tests.house.source import PATHS, ROOT, calls, imports, layer_of, text_of, tree_of

LAYERS = ("core", "games", "session", "views", "api", "cli", "web")
ABOUT = {"schema.py": {"sqlite_utils"}, "table_checks.py": {"tomllib"}, "markdown.py": {"rich", "re"}, "rule_map.py": {"re"}}
"""Modules that are about a library, and are themselves imported only where they are needed."""
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
WEB = {"starlette", "uvicorn", "segno", "anyio"}
"""Imported by the web server, which no other command loads."""
CLI_ONLY = {"typer", "questionary", "prompt_toolkit"}


def roots(names: list[str]) -> set[str]:
    return {name.split(".")[0] for name in names}


def test_modules_import_only_from_lower_layers() -> None:
    faults = []
    for path in PATHS:
        if layer_of(path) not in LAYERS:
            continue
        for name in imports(path):
            parts = name.split(".")
            imported = parts[1] if parts[0] == "companion" and len(parts) > 1 else ""
            if imported in LAYERS and LAYERS.index(imported) > LAYERS.index(layer_of(path)):
                faults.append(f"{path.relative_to(ROOT)} imports {name}")

    assert faults == []


def test_rules_use_no_file_clock_random_or_screen() -> None:
    forbidden = {"os", "io", "sys", "sqlite3", "time", "datetime", "secrets", "socket", "typer", "rich", "sqlite_utils"}
    faults = []
    for path in PATHS:
        if layer_of(path) not in ("core", "games"):
            continue
        names = imports(path)
        where = path.relative_to(ROOT)
        faults += [f"{where} imports {name}" for name in sorted(roots(names) & forbidden)]
        # a generator with a seed is a pure function; everything else of that module is chance
        faults += [f"{where} imports {name}" for name in names if name.startswith("random") and name != "random.Random"]
        faults += [f"{where} uses Random() without a seed"] * ("Random()" in text_of(path))
        faults += [f"{where} calls {name}" for name in sorted({"print", "open", "input", "eval", "exec"} & calls(path))]

    assert faults == []


def test_nothing_heavy_is_imported_at_the_top_of_a_module() -> None:
    faults = []
    for path in PATHS:
        if layer_of(path) == "testing":
            continue
        names = roots(imports(path))
        heavy = roots(imports(path, top_only=True)) & (HEAVY_AT_TOP - ABOUT.get(path.name, set()))
        for_terminals = names & CLI_ONLY if layer_of(path) != "cli" else set()
        for_the_web = names & WEB if layer_of(path) != "web" else set()
        faults += [f"{path.relative_to(ROOT)} imports {name}" for name in sorted(heavy | for_terminals | for_the_web)]

    assert faults == []


def game_words() -> set[str]:
    """Ids of games, scenarios, tracks, places, charts and actions that are no plain English words."""
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


_HELP_EXAMPLE = re.compile(r"^ *(Example|Two answers at once): companion .*$", re.MULTILINE)


def test_no_game_is_named_outside_the_games() -> None:
    """Except in the examples of help texts: each is typed by a test in a session of the game that it names."""
    extra = {"fallujah", "coalition", "opfor", "insurgent", "marines", "iraq", "recruit box", "mosque", "netwar"}
    words = game_words() | extra
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, sorted(words)))})\b")
    layers = ("core", "session", "views", "api", "cli", "web", "testing")
    faults = {
        f"{path.relative_to(ROOT)}: {word}"
        for path in PATHS
        if layer_of(path) in layers
        for word in pattern.findall(_HELP_EXAMPLE.sub("", text_of(path)).casefold())
    }

    assert sorted(faults) == []


def test_only_one_module_uses_the_template_engine() -> None:
    """One of the report and one of the screen, each inside a function: it is loaded for a page and for nothing else."""
    users = [path.relative_to(ROOT).as_posix() for path in PATHS if roots(imports(path)) & {"jinja2", "markupsafe"}]

    assert users == ["companion/views/report/render.py", "companion/views/screen/templates.py"]


def test_only_the_server_of_a_language_model_uses_its_protocol() -> None:
    """It is an extra, and takes half a second to load."""
    users = [path.relative_to(ROOT).as_posix() for path in PATHS if "mcp" in roots(imports(path))]

    assert users == ["companion/cli/mcp/server.py"]


SQL_MODULES = 7
"""Modules of the session that contain SQL, at most."""


def test_sql_is_only_in_the_archive() -> None:
    pattern = re.compile(r"\b(SELECT .* FROM|INSERT INTO|CREATE TABLE|PRAGMA)\b")
    users = [path for path in PATHS if pattern.search(text_of(path))]

    assert [str(path) for path in users if layer_of(path) != "session"] == []
    assert len(users) <= SQL_MODULES, [path.name for path in users]


def test_there_are_no_dataclasses_and_no_prints() -> None:
    assert [str(path) for path in PATHS if "print" in calls(path)] == []
    assert [str(path) for path in PATHS if any(name.startswith("dataclasses") for name in imports(path))] == []


def test_every_module_has_a_docstring() -> None:
    assert [os.fspath(path) for path in PATHS if not ast.get_docstring(tree_of(path))] == []

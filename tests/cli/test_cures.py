"""Commands that messages name as the cure: each exists with its options, and is accepted in the situation of its message."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import companion
from companion.cli.shell.app import app
from tests.support.commands import companion as run

PACKAGE = Path(companion.__file__).parent
_COMMAND = re.compile(r"""companion ((?:"[^"]*"|'[^']*'|[^;:()"']|:(?! ))+?)(?=$|[;()]|: |\. [A-Z]| or [a-z]|, )""")
_CURE_AT = {"Obstacle": 2, "forbid": 2, "skip_question": 3}
"""The position of the cure among the arguments of a call."""


def _text_of(node: ast.AST) -> str:
    """The text of a literal, ``{}`` for what is filled in; "" for another node."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return ""


def _texts(node: ast.AST) -> Iterator[str]:
    """The texts of the literals in an expression, not the pieces between what is filled in."""
    if text := _text_of(node):
        yield text
    else:
        for child in ast.iter_child_nodes(node):
            yield from _texts(child)


def _cures(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            at = _CURE_AT.get(name, len(node.args))
            for given in (*(key.value for key in node.keywords if key.arg == "cure"), *node.args[at : at + 1]):
                yield from _texts(given)
        elif isinstance(node, ast.Assign) and any(map(_is_cure, node.targets)):
            yield from _texts(node.value)
        elif isinstance(node, ast.FunctionDef) and node.name.endswith("_cure"):
            for child in ast.walk(node):
                if isinstance(child, ast.Return) and child.value:
                    yield from _texts(child.value)


def _is_cure(target: ast.AST) -> bool:
    """True for a variable, constant or attribute that is called so: ``cure``, ``_RESCUE_CURE``, ``error.cure``."""
    name = getattr(target, "id", getattr(target, "attr", ""))
    return str(name).casefold().endswith("cure")


def commands_of(cure: str) -> list[str]:
    """The commands in a cure, without the program's name."""
    return [found.partition(" > ")[0].strip().rstrip(".,") for found in _COMMAND.findall(cure)]


@cache
def all_cures() -> dict[str, str]:
    """The cures of the package, each with its file."""
    found: dict[str, str] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for cure in _cures(ast.parse(path.read_text(encoding="utf-8"))):
            found[cure] = path.relative_to(PACKAGE).as_posix()
    return found


def templates() -> dict[str, str]:
    """The cures that name a command."""
    return {cure: path for cure, path in all_cures().items() if commands_of(cure)}


def test_each_command_in_a_message_exists_with_its_options() -> None:
    """The command line reads it, with anything in place of what is filled in."""
    group: Any = get_command(app)
    faults = []
    for cure, path in templates().items():
        for command in commands_of(cure):
            name, *words = shlex.split(command.replace("{}", "x"))
            if name in ("x", "COMMAND"):
                continue
            try:
                group.get_command(None, name).make_context(name, words)
            except SystemExit:
                pass
            except Exception as error:
                if type(error).__name__ != "Exit":  # --help
                    faults.append((path, command, str(error)))
    assert faults == []


BEGUN = ("printed fallujah2004 import practice", "new fallujah2004 --scenario vigilant_resolve --name april --seed 7")
WRONG = (
    *("new", "practice", "redo", "why 99", "answer yes", "show zzz", "help zzz", "serve", "audit", "undo", "log --undone"),
    *("status --session none", "rule fallujah2004 99.99", "stats fallujah2004", "luck april april", "branch 99", "amend 9.1 x"),
    *("printed fallujah2004 set zzz 1", "printed fallujah2004 import", "map fallujah2004 import"),
    *("adjust flag:zzz 1 --why x", "adjust 3/1 nowhere --why x", "adjust zzz 1 --why x", "bundle", "tables", "game new"),
    *("new fallujah2004 --name april", "odds fallujah2004 zzz", "printed", "use none", "verify none"),
    *("host --revoke", "host --revoke --lan"),
)
"""What is wrong in the session of April, where nothing has been done."""
FILLED = {"GAME": "fallujah2004", "FILE": "saved.toml", "ID": "mine", "WHAT=VALUE": "ops=30", "ACTION": "wait"}


def pattern_of(template: str) -> re.Pattern[str]:
    """The pattern of a cure's text; what is filled in last reaches as far as the message."""
    return re.compile(".*".join(map(re.escape, template.split("{}"))), re.DOTALL)


def test_commands_named_in_a_message_are_accepted_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is typed right after its message; each cure is shown in these situations or in those of the table."""
    monkeypatch.chdir(tmp_path)
    from tests.cli.cure_situations import SITUATIONS
    from tests.cli.test_cures_at_the_prompt import AT_PROMPT

    in_place = {situation.cure for situation in (*SITUATIONS, *AT_PROMPT)}
    assert in_place - set(all_cures()) - set(_hints()) == set()
    untyped, refused = {cure: path for cure, path in templates().items() if cure not in in_place}, []
    for number, wrong in enumerate(WRONG):
        monkeypatch.setenv("COMPANION_DB", str(tmp_path / f"archive-{number}"))
        (tmp_path / "saved.toml").unlink(missing_ok=True)
        for line in (*BEGUN, "printed fallujah2004 export saved.toml"):
            run(*shlex.split(line))
        failed = run(*shlex.split(wrong))
        message = " ".join(failed.err.split())
        for template in [cure for cure in untyped if failed.code and pattern_of(cure).search(message)]:
            del untyped[template]
        for command in commands_of(message) if failed.code else ():
            line = " ".join(FILLED.get(word, word) for word in command.split())
            if line.split()[0] in ("play", "serve", "host", "COMMAND", "do"):
                continue
            done = run(*shlex.split(line))
            if done.code not in (0, 3):
                refused.append((wrong, line, done.err))
    assert refused == []
    assert {cure: path for cure, path in untyped.items() if cure not in CURES_ELSEWHERE} == {}


CURES_ELSEWHERE = {
    "On the machine of the host: companion review {}. Then look here again": "on a page of the host; typed in test_review.py",
    "To try it again: companion games {} --check": "in the contract tests; typed in tests/house/test_contract_plugin.py",
}

HINTS_ELSEWHERE = {
    "Waiting for a client on standard input; Ctrl-C ends. See: companion help mcp\n": "tests/mcp/test_stdio.py types it",
    "<companion session {} of {}>": "not a command",
    "companion session": "the name of a format",
    "Decide these again: companion drill {} --own": "tests/cli/test_review.py types it",
    "companion trusted dice 1": "hashed with each number",
    "companion play": "behind 'Back with:'; the prompt is left in test_loop.py",
    "Nothing was written. To write: companion completions {} --install": "typed in test_completions_install.py",
    "{} more answers and actions: companion log": "at the prompt, when others have done more than fits",
    "companion adjust ": "the beginning of lines that test_contract.py types",
    "companion status": "in the contract tests of games",
    "Like this: companion adjust": "in the contract tests of games",
    "Check it: companion games {} --check": "in the contract tests of games",
    "as `companion games ID --check` lists": "in the contract tests of games",
    "{}: its set-up; set the position again: companion adjust WHAT VALUE": "a form; the damage is made in test_maintenance.py",
    "; the map is entered another way: companion map {} edit": "behind a form that is filled in at a terminal",
    "Done. What is known: companion printed {}{}": "the same",
    "In brackets: how many values are printed only on your set. Each is asked once, when a rule first needs it, and kept for"
    " every game; most have a sample value until you copy them: companion printed GAME fill": "beside a menu; test_menus.py",
    '{}companion adjust "flag:{}" VALUE': "after the questions of the final count",
    "enter the counters again: companion printed fallujah2004": "needs a set with fewer than 20 Nodes",
    "and {} rows more: companion show places": "below the summary of a long set-up",
    "Not in the rulebook. What each choice does, and who wins how often with it: companion help opponents": "beside a menu",
}
"""Texts that name no command, or one that is not typed here, with the reason."""


@cache
def _hints() -> dict[str, str]:
    """The texts of the package that are no cure and name a command, each with its file; docstrings are no texts."""
    cures, hints = set(all_cures()), {}
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        skipped = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        skipped |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            text = "" if id(node) in skipped else _text_of(node)
            if "companion " in text and text not in cures and commands_of(text):
                hints[re.sub(r"\{\w+\}", "{}", text)] = path.relative_to(PACKAGE).as_posix()
    return hints


def test_each_command_named_in_another_line_is_typed() -> None:
    """In its situation, in the test of the cures."""
    from tests.cli.hint_situations import HINTS
    from tests.cli.test_cures_at_the_prompt import AT_PROMPT

    hints = _hints()
    typed = {situation.cure for situation in (*HINTS, *AT_PROMPT)}
    assert {situation.cure for situation in HINTS} | set(HINTS_ELSEWHERE) <= set(hints)
    assert {text: path for text, path in hints.items() if text not in typed and text not in HINTS_ELSEWHERE} == {}

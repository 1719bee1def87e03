"""The fast lane stays fast: what it must not import, and that it says the same as the slow one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli.shell.fast import fast
from companion.cli.shell.loading import run_short
from companion.cli.shell.output import PENDING
from companion.core.hints import HAS_TYPING
from companion.games import GAMES
from tests.cli.conftest import Run
from tests.support.commands import companion

ROOT = Path(__file__).parents[2]
HEAVY = (
    "typer",
    "rich",
    "sqlite_utils",
    "questionary",
    "prompt_toolkit",
    "dataclasses",
    "tomllib",
    "pathlib",
    "inspect",
    "platformdirs",
)


def heavy(*words: str) -> list[str]:
    """The heavy modules that a command line brings in."""
    return loaded(HEAVY, *words)


def loaded(modules: tuple[str, ...], *words: str) -> list[str]:
    """Those of some modules that a command line brings in, in an interpreter of its own."""
    code = (
        "import sys, os; os._exit = sys.exit; from tests.support import with_tiny; with_tiny.register(); "
        "before = set(sys.modules);"
        f"sys.argv = ['companion', *{list(words)!r}];"
        "from companion.cli.shell.main import main\n"
        "try: main()\n"
        "except SystemExit as leave: assert not leave.code, leave.code\n"
        f"print('|', *sorted(set({modules!r}) & (set(sys.modules) - before)))"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout.rpartition("|")[2].split()


@pytest.mark.parametrize(
    "words",
    [
        ["status"],
        ["status", "--json"],
        [],
        ["--help"],
        ["--complete", "bash", "companion st"],
        ["--complete", "bash", "companion do f"],
        ["--complete", "bash", "companion answer "],
    ],
    ids=" ".join,
)
def test_the_fast_lane_imports_nothing_heavy(begun: Run, words: list[str]) -> None:
    begun("do", "rest", "--json")  # the cache of messages is written by the first document

    assert heavy(*words) == []


def quick(words: list[str]) -> int | None:
    """A command line without Typer."""
    code = fast(words)
    return run_short(words) if code is None else code


SHORT = (["rule", "tiny"], ["chart", "tiny"], ["sessions"], ["sessions", "--json"], ["games", "tiny"], ["why"], ["use", "mon"])


@pytest.mark.parametrize("words", [*SHORT, ["roll", "2d6"], ["note", "a pause for tea"], ["branch", "other"]], ids=" ".join)
def test_short_commands_do_not_import_typer(begun: Run, words: list[str]) -> None:
    begun("do", "rest")

    assert loaded(("typer", "rich", "prompt_toolkit"), *words) == []


def test_the_status_loads_nothing_of_what_plays(begun: Run) -> None:
    """What answers, what tells events, and what other programs read is loaded where it is needed."""
    unneeded = ("companion.core.resolver", "companion.session.entry", "companion.views.data", "companion.views.log")

    assert loaded(unneeded, "status") == []
    assert loaded(unneeded) == []


@pytest.mark.parametrize("game", ["fallujah2004", "fallujahcards", "lzalbany"])
def test_where_no_question_is_open_no_kind_of_question_is_loaded(game: str) -> None:
    """The status of a session without an open question loads neither requests nor the referee nor the controller."""
    assert companion("new", game, "--seed", "1").code == 0
    unneeded = {"companion.core.requests", "companion.core.referee", "companion.cli.shell.cache", "companion.session.advance"}
    shown = f"print('|', *{unneeded!r} & set(sys.modules))"
    code = f"import sys; from companion.cli.shell.fast import fast; fast(['status']); {shown}"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=os.environ, capture_output=True, text=True, check=True)

    assert result.stdout.rpartition("|")[2].split() == []


@pytest.mark.skipif(HAS_TYPING, reason="named tuples need typing")
@pytest.mark.parametrize("game", list(GAMES))
def test_a_status_does_not_import_typing(game: str) -> None:
    """It takes two thirds of the time of a bare interpreter; the modules that a status loads use `core.hints` instead."""
    assert companion("new", game, "--seed", "1").code in (0, PENDING)
    unneeded = {"typing", "re", "enum", "fractions"}
    shown = f"print('|', *{unneeded!r} & set(sys.modules) - before)"
    code = f"from companion.cli.shell.fast import fast; fast(['status']); fast(['status', '--json']); {shown}"
    code = f"import sys; before = set(sys.modules); {code}"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=os.environ, capture_output=True, text=True, check=True)

    assert result.stdout.rpartition("|")[2].split() == []


def test_help_needs_no_core_at_all() -> None:
    code = "import sys; from companion.cli.shell.fast import fast; fast(['--help']); print('|', 'companion.core' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert result.stdout.endswith("| False\n")


@pytest.mark.parametrize(
    "words",
    [["status"], ["status", "--json"], ["status", "--session", "mon"], ["status", "--session=mon"], [], *SHORT, ["note", "tea"]],
)
def test_the_fast_lane_says_what_typer_says(begun: Run, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert quick(words) == 0
    assert capsys.readouterr().out == begun(*(words or ["status"])).stdout


@pytest.mark.parametrize(
    "words",
    [
        ["status", "--wrong"],
        ["status", "--session"],
        ["status", "--json=1"],
        ["status", "x"],
        ["log"],
        ["roll"],
        ["note", "--help"],
    ],
)
def test_the_fast_lane_leaves_everything_else_to_typer(words: list[str]) -> None:
    assert quick(words) is None


def test_a_short_command_that_is_refused_says_what_typer_says(begun: Run, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["roll", "2x6"], ["rule", "nogame"], ["chart", "tiny", "nochart"], ["use", "nosession"]):
        slow = companion(*words)
        assert quick(words) == slow.code != 0
        assert capsys.readouterr().err == slow.err


def test_a_fault_in_the_fast_lane_has_its_code(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert fast(["status"]) == 2
    assert "there is no archive" in capsys.readouterr().err


def watched(register: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A command line in an interpreter of its own, where a text that is compiled is a fault."""
    code = (
        f"import builtins, os, sys; os._exit = sys.exit; sys.argv = ['companion', *{words!r}]\n{register}\n"
        "from companion.cli.shell.main import main\n"
        "really = compile\n"
        "def watched(source, name, *rest, **more):\n"
        "    assert name != '<string>', source\n"
        "    return really(source, name, *rest, **more)\n"
        "builtins.compile = watched\n"
        "main()"
    )
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "words", [["status"], ["--complete", "bash", "companion do f"], ["--complete", "bash", "companion answer "]], ids=" ".join
)
def test_the_fast_lane_compiles_nothing(begun: Run, words: list[str]) -> None:
    """The first call of ``compile`` costs as many instructions as a quarter of a bare start; a NamedTuple whose annotations
    are texts calls it.
    """
    result = watched("from tests.support import tiny, with_tiny; with_tiny.register()", *words)

    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("game", list(GAMES))
def test_the_fast_lane_compiles_nothing_of_any_game(game: str) -> None:
    assert companion("new", game, "--seed", "1").code in (0, 3)

    result = watched("", "status")

    assert result.returncode == 0, result.stderr

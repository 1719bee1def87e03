"""TAB in a real bash, zsh and fish: what stands on the line after it, and what is said of what could stand there."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

pexpect = pytest.importorskip("pexpect")

ROOT = Path(__file__).parents[2]
SHOWN = "\x14"
"""Ctrl-T shows the line as it is."""

SHELLS = {
    "bash": (
        ["--norc", "--noprofile"],
        [
            "bind 'set enable-bracketed-paste off'",
            "show() { printf '\\n<%s>\\n' \"$READLINE_LINE\"; }",
            "bind -x '\"\\C-t\": show'",
        ],
    ),
    "zsh": (
        ["-f", "-i"],
        [
            *("unset zle_bracketed_paste", "autoload -Uz compinit", "compinit -D -u"),
            *('show() { print -r -- "\n<$BUFFER>"; zle reset-prompt }', "zle -N show", "bindkey '^T' show"),
        ],
    ),
    "fish": (["--no-config", "-i"], ["function fish_prompt; echo '> '; end", "bind \\ct 'printf \"\\n<%s>\\n\" (commandline)'"]),
}
"""How each is begun without anybody's settings, and what shows its line."""

LINES = {
    "companion statu": "companion status ",
    "true && companion statu": "true && companion status ",
    "companion do mar": "companion do march ",
    "companion do march unit=R": "companion do march unit=Red ",
    "companion do march unit=r": "companion do march unit=Red ",
    "companion do march R": "companion do march Red ",
    'companion do march "unit=R': 'companion do march "unit=Red" ',
    "companion do march 'unit=R": "companion do march 'unit=Red' ",
    'companion do march unit="R': 'companion do march unit="Red" ',
    'companion show "Old': 'companion show "Old Guard" ',
    "companion show \"O'H": 'companion show "O\'Hara (1st)" ',
    'companion do march "unit=Old G': 'companion do march "unit=Old Guard" ',
    "companion do march unit=Old\\ ": "companion do march unit=Old\\ Guard ",
    "companion do march unit=Red ": "companion do march unit=Red to=",
    "companion do march 'unit=Old Guard' ": "companion do march 'unit=Old Guard' to=",
    "companion do march unit=Red,": "companion do march unit=Red,",
    "companion do march to=f": "companion do march to=f",
    "companion amend 4.1 ": "companion amend 4.1 ",
    "companion amend 4.1 fo": "companion amend 4.1 ford ",
    "companion odds tiny round ": "companion odds tiny round mine=",
    "companion odds tiny round fac": "companion odds tiny round fac",
    "companion new tiny --option length=s": "companion new tiny --option length=short ",
    "companion new tiny --dice=p": "companion new tiny --dice=physical ",
    "companion printed tiny set depth:n": "companion printed tiny set depth:north ",
    "companion printed tiny import fac": "companion printed tiny import facts.toml ",
    "companion map tiny import fac": "companion map tiny import facts.toml ",
    "companion status --db fac": "companion status --db facts.toml ",
    "companion status --db=fac": "companion status --db=facts.toml ",
    "companion simulate tiny --out fac": "companion simulate tiny --out facts.toml ",
    "companion report > fac": "companion report > facts.toml ",
    "companion note fac": "companion note fac",
    "companion new tiny --seed fac": "companion new tiny --seed fac",
    "./bin/companion statu": "./bin/companion status ",
}
"""Lines, and what they are when TAB has been pressed behind them."""

ITS_OWN = {"zsh": {'companion do march unit="R': "companion do march unit=Red "}}
"""A shell that lays out quotes in its own way."""

Tab = Callable[..., str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the program in ``bin``, beside one file."""
    program = tmp_path / "bin" / "companion"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m tests.support.with_tiny "$@"\n')
    program.chmod(0o755)
    (tmp_path / "facts.toml").write_text("")
    return tmp_path


class Typing:
    """A shell at a terminal that has read the completion script."""

    def __init__(self, shell: str, folder: Path) -> None:
        if not shutil.which(shell):
            pytest.skip(f"{shell} is not installed: its TAB is not tried")
        begun, settings = SHELLS[shell]
        own = {name: str(folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
        environment: Any = {
            **os.environ,
            **own,
            "PS1": "> ",
            "TERM": "xterm" if shell == "fish" else "dumb",
            "INPUTRC": os.devnull,
        }
        environment["PATH"] = f"{folder}/bin:{os.environ['PATH']}"
        self.child = pexpect.spawn(shell, begun, cwd=folder, env=environment, encoding="utf-8", timeout=60)
        self.child.setwinsize(50, 300)
        self.child.sendline("; ".join([*settings, f"source {shlex.quote(f'{ROOT}/completions/companion.{shell}')}"]))
        self.child.sendline("echo re''ady")
        self.child.expect_exact("ready")

    def tab(self, line: str, presses: int = 1) -> str:
        """What a line becomes when TAB is pressed behind it."""
        self.child.send(line + "\t" * presses + SHOWN)
        self.child.expect(r"\n<([^\n]*)>")
        self.child.send("\x15")
        return str(self.child.match[1])

    def list(self, line: str) -> str:
        """What is shown when TAB is pressed behind a line that could go on in several ways."""
        self.tab(line, 2)
        return str(self.child.before)


@pytest.fixture
def typing(folder: Path, begun: Run) -> Iterator[Callable[[str], Typing]]:
    """A shell, by its name, in a session with a unit of two words and one that is no word at all."""
    begun("adjust", "new:unit:Old Guard", "camp", "--why", "test")
    begun("adjust", "new:unit:O'Hara (1st)", "camp", "--why", "test")
    opened: list[Typing] = []

    def one(shell: str) -> Typing:
        opened.append(Typing(shell, folder))
        return opened[-1]

    yield one
    for typing in opened:
        typing.child.close(force=True)


@pytest.mark.slow
@pytest.mark.parametrize("shell", SHELLS)
def test_lines_after_tab(typing: Callable[[str], Typing], begun: Run, shell: str) -> None:
    begun("do", "roam", "to=hill-1", "how=easy")
    at = typing(shell)

    assert {line: at.tab(line) for line in LINES} == LINES | ITS_OWN.get(shell, {})


@pytest.mark.slow
@pytest.mark.parametrize("shell", SHELLS)
def test_what_is_listed_is_legal_and_the_newer_shells_say_what_it_is(typing: Callable[[str], Typing], shell: str) -> None:
    at = typing(shell)
    units, commands, answers = at.list("companion do march unit="), at.list("companion s"), at.list("companion odds tiny ")

    assert all(name in units for name in ("Red", "Blue", "Guard", "Hara"))
    assert "Gold" not in units and "supply" not in units
    assert all(name in commands for name in ("status", "show", "sessions"))
    assert "facts.toml" not in answers
    if shell != "bash":
        assert "where play is" in commands.casefold()
        assert "The next draw" in answers


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_put_where_the_shell_finds_it(run: Run, folder: Path, shell: str) -> None:
    own = {name: str(folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
    said = run("completions", shell, "--install", **own).stdout
    path = Path(json.loads(run("completions", shell, "--install", "--json", **own).stdout)["path"])

    assert path.is_relative_to(folder)
    assert path.read_text() == run("completions", shell).stdout
    assert "fish" in said or "source" in said
    (folder / "taken").write_text("")
    blocked = run("completions", shell, "--install", code=2, **{name: str(folder / "taken") for name in own}).stderr
    assert f"companion completions {shell} > FILE" in blocked

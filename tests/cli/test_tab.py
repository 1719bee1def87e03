"""TAB in a real bash: what stands on the line after it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run

pexpect = pytest.importorskip("pexpect")
pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")

ROOT = Path(__file__).parents[2]
SHOWN = "\x14"
"""Ctrl-T shows the line as it is."""

Tab = Callable[[str], str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the program in ``bin``, beside one file."""
    program = tmp_path / "bin" / "companion"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m tests.support.with_tiny "$@"\n')
    program.chmod(0o755)
    (tmp_path / "facts.toml").write_text("")
    return tmp_path


@pytest.fixture
def tab(folder: Path) -> Iterator[Tab]:
    """What a line becomes when TAB is pressed behind it."""
    environment = {**os.environ, "PS1": "> ", "TERM": "dumb", "INPUTRC": os.devnull, "PATH": f"{folder}/bin:{os.environ['PATH']}"}
    child = pexpect.spawn("bash", ["--norc", "--noprofile"], cwd=folder, env=environment, encoding="utf-8", timeout=60)
    child.setwinsize(50, 300)
    child.sendline(f'bind "set enable-bracketed-paste off"; source "{ROOT}/completions/companion.bash"')
    child.sendline("show() { printf '\\n<%s>\\n' \"$READLINE_LINE\"; }; bind -x '\"\\C-t\": show'; echo re''ady")
    child.expect_exact("ready")

    def press(line: str) -> str:
        child.send(f"{line}\t{SHOWN}")
        child.expect(r"\n<([^\n]*)>")
        child.send("\x15")
        return str(child.match[1])

    yield press
    child.close(force=True)


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("companion stat", "companion status "),
        ("companion do mar", "companion do march "),
        ("companion do march unit=R", "companion do march unit=Red "),
        ("companion do march R", "companion do march Red "),
        ('companion do march "unit=R', 'companion do march "unit=Red" '),
        ("companion do march 'unit=R", "companion do march 'unit=Red' "),
        ('companion do march unit="R', 'companion do march unit="Red" '),
        ('companion show "Old', 'companion show "Old Guard" '),
        ('companion do march "unit=Old G', 'companion do march "unit=Old Guard" '),
        ("companion do march unit=Old\\ ", "companion do march unit=Old\\ Guard "),
        ("companion do march unit=Red ", "companion do march unit=Red to="),
        ("companion odds tiny round ", "companion odds tiny round mine="),
        ("companion new tiny --option length=s", "companion new tiny --option length=short "),
        ("companion printed tiny set depth:n", "companion printed tiny set depth:north "),
        ("companion printed tiny import fac", "companion printed tiny import facts.toml "),
        ("companion status --db fac", "companion status --db facts.toml "),
        ("companion report > fac", "companion report > facts.toml "),
        ("companion note fac", "companion note fac"),
        ("companion new tiny --seed fac", "companion new tiny --seed fac"),
        ("./bin/companion stat", "./bin/companion status "),
    ],
)
def test_a_line_after_tab(begun: Run, tab: Tab, line: str, after: str) -> None:
    begun("adjust", "new:unit:Old Guard", "camp", "--why", "test")

    assert tab(line) == after

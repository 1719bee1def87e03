"""Commands as a user types them, run in this process; and scripts of them with what must hold in between."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from tests.support.shapes import hold


class Result(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def companion(*argv: str) -> Result:
    """Run ``companion`` with these words, without a terminal."""
    from companion.cli.shell.main import main

    out, err = io.StringIO(), io.StringIO()
    code = 0
    # a quick command ends the process, and this is ours
    ours = (
        patch.object(sys, "argv", ["companion", *argv]),
        patch.object(os, "_exit", sys.exit),
        patch("companion.cli.shell.main.signal"),
    )
    with ours[0], ours[1], ours[2], contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    if "--help" not in argv:
        hold(list(argv), out.getvalue())
    return Result(code, out.getvalue(), err.getvalue())


def run_script(path: Path, folder: Path) -> list[Result]:
    """Carry out a script of commands.

    A line is a comment (``#``), a command (``companion ...``, with ``[N]`` before it where it must exit with N and
    ``xN`` after that where it is given N times; ``;;`` stands between commands that are given in turn), or what must
    hold after it: ``= ops 64, kia 1`` for tracks, ``~ text`` for something the last command printed.
    ``HELP_FOLDER`` in a command stands for the folder of the test's own files.
    """
    results: list[Result] = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        where = f"{path.name} line {number}: {line}"
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("="):
            _tracks(line[1:], where)
        elif line.startswith("~"):
            said = " ".join((results[-1].out + results[-1].err).split())
            assert line[1:].strip() in said, f"{where}\n{results[-1].out}{results[-1].err}"
        else:
            results += _command(line, where, folder)
    return results


def _command(line: str, where: str, folder: Path) -> list[Result]:
    expected, times = 0, 1
    words = shlex.split(line.replace("FOLDER", os.fspath(folder)))
    if words[0].startswith("["):
        expected = int(words.pop(0).strip("[]"))
    if words[0].startswith("x") and words[0][1:].isdecimal():
        times = int(words.pop(0)[1:])
    results = []
    for command in _commands(words) * times:
        assert command[0] == "companion", where
        results.append(companion(*command[1:]))
        assert results[-1].code == expected, f"{where}\nexit {results[-1].code}\n{results[-1].out}{results[-1].err}"
    return results


def _commands(words: list[str]) -> list[list[str]]:
    if ";;" not in words:
        return [words]
    end = words.index(";;")
    return [words[:end], *_commands(words[end + 1 :])]


def _tracks(text: str, where: str) -> None:
    position = companion("status", "--json").json["position"]
    for part in text.split(","):
        name, value = part.split()
        assert position["tracks"][name] == int(value), f"{where}: {name} is {position['tracks'][name]}"

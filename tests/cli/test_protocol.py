"""What is told to the authors of other programs is so: the keys of every JSON document."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from companion.cli.shell.catalog import COMMANDS
from companion.core import errors, events
from companion.core.requests import Request
from tests.cli.conftest import Run
from tests.support.commands import companion

TOLD = (Path(__file__).parents[2] / "companion" / "docs" / "protocol.md").read_text()
HEAD = {"companion", "protocol"}


def keys(section: str) -> set[str]:
    """The keys in the first column of the table below a heading."""
    rows = re.findall(r"^\| (`[^|]*) \|", TOLD.partition(f"\n## {section}\n")[2].partition("\n## ")[0], re.M)
    return {key for row in rows for key in re.findall(r"`(\w+)`", row)}


def document(run: Run, *words: str, code: int = 0) -> dict:
    return json.loads(run(*words, "--json", code=code).stdout)


def test_where_play_is(begun: Run) -> None:
    assert set(document(begun, "status")) == HEAD | keys("Where play is")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("new", "tiny"), 0),
        (("do", "fight"), 3),
        (("undo",), 0),
        (("redo",), 0),
        (("amend", "2.1", "stone"), 0),
        (("adjust", "supply", "3", "--why", "x"), 0),
        (("audit", "supply=3"), 0),
    ],
    ids=str,
)
def test_a_step(begun: Run, words: tuple[str, ...], code: int) -> None:
    begun("do", "search", "--draw", "gold", "--dice", "1")
    if words == ("redo",):
        begun("undo")

    assert set(document(begun, *words, code=code)) == HEAD | keys("Where play is") | keys("A step")


@pytest.mark.parametrize("words", ["march", "march red", "march red ford", "search", "fight red", "scout 1"])
def test_a_question(run: Run, words: str) -> None:
    run("new", "tiny", "--dice", "physical", "--draws", "physical")
    asked = document(run, "do", *words.split(), code=3)["pending"]

    assert set(asked) <= keys("A question")
    assert {"at", "kind", "key", "prompt", "rule", "hint", "expects", "enter"} <= set(asked)


EVERY_OTHER = [
    *("log", "log --undone", "why", "show", "show score", "show tracks", "show camp", "show red", "show facts", "show cups"),
    *("show flags", "show setup", "show options", "show rulings", "audit", "odds", "odds tiny round 1", "sessions", "use monday"),
    *("branch b", "note x", "games", "games tiny", "chart tiny", "chart tiny find", "chart tiny find --on 5", "rule tiny 2.1"),
    *("roll 2d6", "printed tiny", "printed tiny set weather foul", "printed tiny export", "report", "bundle", "tables check"),
    *("completions bash", "--version", "simulate tiny --games 3"),
]


@pytest.mark.parametrize("words", EVERY_OTHER)
def test_every_other_document(begun: Run, words: str) -> None:
    """The row of the command in the table holds every key that it prints."""
    begun("do", "fight", "blue", "--dice", "1,1", code=3)
    printed = set(companion(*words.split(), "--json").json) - HEAD
    table = TOLD.partition("\n## Every other document\n")[2].partition("\n## ")[0]
    rows = {name: row for names, row in re.findall(r"^\| (`[^|]*) \| (.*) \|$", table, re.M) for name in names.split(", ")}
    command = max((name for name in rows if words.replace("tiny", "GAME").startswith(name.strip("`"))), key=len)

    assert printed <= set(re.findall(r"`(\w+)`", rows[command]))


def test_every_command_that_prints_is_told() -> None:
    told = {name.split()[0] for line in TOLD.splitlines() for name in re.findall(r"`([a-z-]+)(?: \w+)?`", line)}

    assert set(COMMANDS) - {"play"} <= told


def test_every_kind_of_question_is_told() -> None:
    row = next(line for line in TOLD.splitlines() if line.startswith("| `kind` | `choose`"))
    kinds = {one.kind for one in _below(Request) if one.kind}

    assert set(re.findall(r"`(\w+)`", row)) - {"kind"} == kinds


def test_every_kind_of_fault_is_told(begun: Run) -> None:
    told = TOLD.partition("The kinds are ")[2].partition("\n\n")[0]
    kinds = {one.kind for one in _below(errors.CompanionError)}

    assert set(re.findall(r"`([a-z_]+)`", told)) == kinds
    assert set(document(begun, "undo", "9", code=1)) == HEAD | keys("A fault")


def test_every_kind_of_event_is_told() -> None:
    told = TOLD.partition("\n## Events\n")[2]
    rows = {kind: set(re.findall(r"`(\w+)`", fields)) for kind, fields in re.findall(r"^\| `(\w+)` \| (.*) \|$", told, re.M)}

    assert rows == {kind: set(one._fields) - {"rule", "why"} for kind, one in events.KINDS.items()}


def _below(kind: type) -> list[type]:
    from companion.cli.shell import output
    from companion.core import answering, match, requests

    assert output and answering and match and requests
    return [one for below in kind.__subclasses__() for one in (below, *_below(below))]

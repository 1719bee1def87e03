"""What is told to the authors of other programs is so: every JSON document is as protocol.md says, and all of that is printed."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from typing import Any

import jsonschema_rs
import pytest

from companion.cli.shell import schema
from companion.cli.shell.catalog import COMMANDS
from companion.cli.shell.output import guarded
from companion.core import errors, events
from companion.core.requests import Request
from companion.views.theme import MEANINGS
from tests.cli.conftest import Run
from tests.support.shapes import PROMISED, documents, faults
from tests.support.shapes import told as told_now

TOLD = schema.read_shapes(schema.protocol_page())


def document(run: Run, *words: str, code: int = 0) -> dict:
    return json.loads(run(*words, "--json", code=code).stdout)


EVERY = [
    *("status", "watch", "new tiny", "practice tiny", "do rest", "undo", "redo", "amend 2.1 stone", "adjust supply 3 --why x"),
    *("audit", "audit supply=3", "answer no --accept", "do fight blue --dice 1,1", "do fire", "do search --accept"),
    *("log", "log --undone", "log --plot", "why", "summary", "show", "show score", "show tracks", "show camp", "show red"),
    *("show facts", "show cups", "show flags", "show setup", "show options", "show rulings", "odds", "odds tiny round 1"),
    *("odds tiny round", "bot", "sessions", "use monday", "branch b", "note x", "games", "games tiny", "chart tiny"),
    *("chart tiny find", "chart tiny find --on 5", "rule tiny 2.1", "roll 2d6", "printed tiny", "printed tiny set weather foul"),
    *("printed tiny export", "printed tiny fill", "printed tiny forget weather", "printed tiny export FILE.toml", "report"),
    *(
        "report --luck",
        "report --out FILE.html",
        "luck",
        "luck --decisions",
        "stats",
        "drill --stats",
        "config",
        "bundle",
        "bundle FILE.json",
    ),
    *("bundle --restore BUNDLE", "backup FILE.db", "doctor", "map tiny", "map tiny camp", "map tiny export", "tables check"),
    *(
        "map tiny tell 'camp marsh; paths ford'",
        "completions bash",
        "completions fish --dry-run",
        "schema",
        "schema step",
        "--version",
    ),
    *("simulate tiny --games 3", "undo 99", "nonsense", "help", "help protocol", "help do", "games --path"),
    *("review --level quick", "review --level quick --out FILE.md", "report --review"),
    *(
        "game new harbour --folder",
        "games --messages",
        "use monday",
        "answer no --accept",
        "do stop",
        "stats",
        "status",
        "report",
    ),
]
"""Command lines that bring about every document."""


@pytest.fixture
def printed(begun: Run, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What every command line prints after a few moves, by the documents that it may be."""
    import shlex

    begun("do", "search", "--draw", "gold", "--dice", "1")
    begun("bundle", str(tmp_path / "a.json"))

    monkeypatch.setenv("COMPANION_GAMES", str(tmp_path / "games"))

    def one(line: str) -> tuple[tuple[str, ...], dict]:
        words = shlex.split(line.replace("FILE", str(tmp_path / "b")).replace("BUNDLE", str(tmp_path / "a.json")))
        from tests.support.commands import companion

        return words, companion(*words, "--json").json

    return one


def test_every_document_that_is_told_is_printed_as_it_is_told(printed: Any) -> None:
    """Each command line is held against the schema as it is run; here, that none of the documents is left out."""
    found = set()
    for line in EVERY:
        words, data = printed(line)
        if "exit" in data:
            found.add(schema.ERROR)
        else:
            found |= {name for name in documents(words) if not faults_of(name, data)}

    assert data["over"] and printed("stats")[1]["tables"]["results"]
    # the made-up game has no opponent; those of the games are asked in tests/every_game
    served = {*TOLD.commands["serve"]}  # tests/cli/test_serve.py
    # and it has one seat, so that its dice cannot be trusted: tests/session/test_verify.py
    # and a host runs until it is stopped: tests/web/test_command.py
    # and it has no set of exercises: tests/cli/test_drill.py
    elsewhere = {"advice", "verification", "hosted", "revoked", "exercises", "drilled"} | served
    assert found | elsewhere == {schema.ERROR, *(name for told in TOLD.commands.values() for name in told)}


def faults_of(name: str, data: dict) -> list:
    from tests.support.shapes import _validator

    return list(_validator(name).iter_errors(data))


def test_every_command_that_prints_is_told() -> None:
    assert set(TOLD.commands) == set(COMMANDS) - {"play", "mcp"} | {"--version"}


def test_what_is_not_told_is_a_fault_in_the_tests_and_none_to_other_programs(begun: Run) -> None:
    body = document(begun, "do", "fight", "blue", "--dice", "1,1", code=3)
    public = jsonschema_rs.Draft202012Validator(document(begun, "schema", "step"))
    more, less, other = deepcopy(body), deepcopy(body), document(begun, "undo")
    more["pending"]["news"] = 1
    del less["banner"]["stage"]
    other["legal"][0]["possible"] = "yes"

    assert [public.is_valid(one) for one in (body, more, less, other)] == [True, True, False, False]
    assert not faults(["do"], body)
    assert "news" in faults(["do"], more)[0]
    assert faults(["do"], less)[0] == 'step: banner: "stage" is a required property'
    assert "legal.0.possible" in faults(["do"], other)[0]


def test_what_was_promised_is_kept() -> None:
    """What a client of protocol 1 goes by is there with its type; only more may have come: a key, a shape, a value of a list."""
    promised, now = json.loads(PROMISED.read_text()), told_now()
    broken = [
        f"{shape}.{key}"
        for shape, keys in promised.items()
        for key, was in keys.items()
        if not kept(was, now.get(shape, {}).get(key))
    ]

    assert not broken, "raise PROTOCOL in output.py, or let them be as they were"


def kept(was: Any, now: Any) -> bool:
    """Whether a key or an alias is as it was, or has more values of a list."""
    if now is None or isinstance(was, list) != isinstance(now, list):
        return False
    if isinstance(was, list):
        return (now[0] or not was[0]) and kept(was[1], now[1])
    if "enum" in was and "enum" in now:
        return set(was["enum"]) <= set(now["enum"])
    return bool(was == now)


def test_ctrl_c_is_told_as_a_document_too(capsys: pytest.CaptureFixture[str]) -> None:
    def run() -> int:
        raise KeyboardInterrupt

    code = guarded(run, True)
    data = json.loads(capsys.readouterr().out)

    assert (code, data["exit"], data["error"]["kind"], data["error"]["kept"]) == (130, 130, "interrupted", "unknown")
    assert not faults(["do"], data)


def test_the_schema_is_one_by_its_own_rules(begun: Run) -> None:
    whole = document(begun, "schema")

    assert whole["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert jsonschema_rs.meta.is_valid(whole)
    assert whole["commands"]["do"] == ["step"]
    assert document(begun, "schema", "err")["$ref"] == "#/$defs/error"
    assert jsonschema_rs.Draft202012Validator(whole).is_valid(document(begun, "nonsense", code=2))
    assert "no document 'x" in begun("schema", "xyz", code=2).stderr


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        ("### one\n\n| `a` | text | x |\n", "no such type: text"),
        ("### one\n\n| `a` | list of `two` | x |\n", "no such shape: two"),
        ("| `do` | `step` |\n", "no such shape: step"),
        ("### one\n\nType: any.\n\n### one\n\nType: any.\n", "a shape is defined twice: one"),
        ("### one\n\nType: any.\n\n## x y\n\n| `do` | `one` |\n| `do` | `one` |\n", "a command is listed twice"),
        ("### one\n\nWith the keys of `two`.\n\n| `a` | string | x |\n", "no such shape: two"),
    ],
)
def test_a_page_that_cannot_be_read_is_a_fault(page: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        schema.read_shapes(page)


def test_every_type_of_the_page_is_read() -> None:
    table = '| key | type | what it is |\n| `a`?, `b` | list of map of "x" or null | c |'
    page = f"### one\n\nTold.\n\n{table}\n\n### two\n\nType: integer or `one`.\n"
    found = schema.read_shapes(page).schemas

    assert found["one"]["required"] == ["b"]
    assert found["one"]["properties"]["a"] == {
        "description": "c",
        "anyOf": [{"type": "array", "items": {"type": "object", "additionalProperties": {"const": "x"}}}, {"type": "null"}],
    }
    assert found["two"]["anyOf"] == [{"type": "integer"}, {"$ref": "#/$defs/one"}]


def told(shape: str, key: str) -> set[str]:
    """The values that a key can have."""
    return set(TOLD.schemas[shape]["properties"][key]["enum"])


def rows(heading: str, head: str) -> set[str]:
    """The first column of a second table below a heading."""
    part = schema.protocol_page().partition(f"\n### {heading}\n")[2].partition("\n##")[0]
    return set(re.findall(r"^\| `(\w+)` \|", part.partition(f"| {head} |")[2], re.M))


def test_every_kind_of_question_is_told() -> None:
    kinds = {one.kind for one in below(Request) if one.kind}

    assert told("argument", "kind") == rows("argument", "kind | what is read") == kinds


def test_every_kind_of_fault_is_told() -> None:
    kinds = {one.kind for one in below(errors.CompanionError)}

    assert told("fault", "kind") == rows("fault", "kind | what it says") == kinds
    assert {one.kept for one in below(errors.CompanionError)} == told("fault", "kept")


def test_every_tone_is_told() -> None:
    assert told("line", "tone") == set(MEANINGS)


def test_every_kind_of_event_is_told() -> None:
    kinds = [one["$ref"].rpartition("/")[2] for one in TOLD.schemas["event"]["anyOf"]]
    keys = {kind: set(TOLD.schemas[kind]["properties"]) - {"kind"} for kind in kinds}

    assert {kind: found - {"name", "messages"} for kind, found in keys.items()} == {
        kind: set(one._fields) - {"name"} for kind, one in events.EVENT_TYPES.items()
    }
    assert all(TOLD.schemas[kind]["properties"]["kind"] == {"description": "", "const": kind} for kind in kinds)


def below(kind: type) -> list[type]:
    from companion.cli.shell import output
    from companion.core import match, requests, resolver
    from companion.session import trusted
    from companion.web import play

    assert output and resolver and match and requests and trusted and play
    return [one for under in kind.__subclasses__() for one in (under, *below(under))]


def test_no_document_has_a_key_of_an_answer_of_the_server() -> None:
    """`error` says that the command failed, and `id` and `exit` stand before a document."""
    documents = {name for command, told in TOLD.commands.items() if command != "serve" for name in told} - {schema.ERROR}
    taken = {(name, key) for name in documents for key in ("id", "exit", "error") if key in told_now().get(name, {})}

    assert not taken

"""The tools: what is offered, what each call gives, and how it is refused."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.cli.mcp import summary
from companion.cli.mcp.tools import TOOLS
from tests.session.test_hostile_files import changed
from tests.support.commands import companion
from tests.support.model import connected

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("made_up")]

READING = {"state", "legal", "odds", "advice", "rule", "log"}
FILES = {"path", "file", "folder", "db", "archive", "session", "argv", "command", "out"}


def rows(db: str) -> list[tuple[Any, ...]]:
    """The log of an archive."""
    with closing(sqlite3.connect(db)) as connection:
        return connection.execute("SELECT * FROM log").fetchall()


async def test_at_most_twelve_tools_and_none_takes_a_file(db: str) -> None:
    async with connected(db) as model:
        listed = (await model.client.list_tools()).tools

    assert [tool.name for tool in listed] == [tool.name for tool in TOOLS] and len(listed) <= 12
    assert {name for tool in listed for name in tool.input_schema["properties"]} & FILES == set()
    assert all(tool.input_schema["additionalProperties"] is False for tool in listed)
    inputs = sum(len(json.dumps(tool.input_schema)) + len(tool.description or "") for tool in listed)
    assert inputs < 10_000, "the context of a small model has room for other things too"


async def test_annotations_say_what_a_call_does(db: str) -> None:
    async with connected(db) as model:
        tools = {tool.name: tool.annotations for tool in (await model.client.list_tools()).tools}

    notes = {name: note for name, note in tools.items() if note is not None}
    assert {name for name, note in notes.items() if note.read_only_hint} == READING
    assert {name for name, note in notes.items() if note.idempotent_hint} == READING | {"answer"}
    assert not any(note.destructive_hint or note.open_world_hint for note in notes.values()) and len(notes) == len(TOOLS)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_game_from_the_beginning(db: str, mode: str) -> None:
    async with connected(db, mode) as model:
        missing = await model.refused("state")
        assert missing["error"]["cure"] == "Begin one: new GAME" and not Path(db).exists()
        begun = await model.call("new", game="tiny", seed="7", name="monday")
        assert begun["session"] == "monday" and {"action": "rest", "title": "Rest"} in begun["actions"]
        asked = await model.call("do", action="fight", values={"unit": "Red"}, dice=[])
        assert asked["question"]["key"] == "strength:Red" and "actions" not in asked
        fought = await model.call("answer", at=asked["question"]["at"], value=2, dice=[5, 1])
        assert fought["happened"][0] == "1 hits [2.2]" and fought["question"]["key"] == "go on"
        odds = await model.call("odds")
        assert odds["outcomes"][0]["chances"]
        done = await model.call("answer", at=fought["question"]["at"], value=False, accept=True)
        assert "question" not in done and done["happened"][-1] == "Turn 0 -> 1: an action was done [1.3]"
        shown = await model.call("state", show=["Red", "supply"])
        assert any("Red" in row for row in shown["shown"])
        undone = await model.call("undo")
        assert "Turn Red to its front" in " ".join(undone["table"])
        assert "Turn Red to its back" in " ".join((await model.call("redo"))["table"])
        logged = await model.call("log", last=1)
        assert logged["entries"][0]["action"] == "fight" and logged["entries"][0]["answers"]["2.3"].startswith("fight: 5, 1")
        assert (await model.call("log", before=2))["entries"][0]["action"] == "setup"


async def test_the_same_answer_again_does_nothing(db: str) -> None:
    async with connected(db) as model:
        await model.call("new", game="tiny", seed="7")
        asked = await model.call("do", action="march")
        first = await model.call("answer", at=asked["question"]["at"], value="Red")
        before = rows(db)
        again = await model.call("answer", at=asked["question"]["at"], value="Red")
        assert rows(db) == before and again["repeated"] and again["question"] == first["question"]
        other = await model.refused("answer", at=asked["question"]["at"], value="Blue")
        assert other["error"]["kind"] == "stale" and other["question"] == first["question"] and rows(db) == before


async def test_a_refusal_has_the_rule_the_cure_and_the_question(db: str) -> None:
    async with connected(db) as model:
        await model.call("new", game="tiny", seed="7")
        await model.call("adjust", changes={"supply": 0}, why="all is eaten")
        asked = await model.call("do", action="march", values={"unit": "Red"})
        refused = await model.refused("answer", at=asked["question"]["at"], value="ford")
        assert (refused["error"]["kind"], refused["error"]["rule"]) == ("illegal", "1.1")
        assert refused["error"]["cure"].startswith("Rest first") and refused["question"]["at"] == asked["question"]["at"]
        assert model.texts[-1].startswith("there is no supply left [1.1]\nRest first")
        insisted = await model.call("answer", at=asked["question"]["at"], value="ford", anyway=True, accept=True)
        assert insisted["figures"]["Supply"] == "-1"
        pending = await model.call("do", action="march")
        busy = await model.refused("do", action="rest")
        assert busy["error"]["kind"] == "pending" and busy["question"]["at"] == pending["question"]["at"]


BAD_CALLS: tuple[tuple[str, dict[str, Any], str, str], ...] = (
    ("do", {}, "do needs 'action'", "Its id"),
    ("do", {"action": 3}, "'action' must be text", "Its id"),
    ("do", {"action": "rest", "db": "/tmp/x"}, "do has no argument 'db'", "It takes: action"),
    ("do", {"action": "zzz"}, "zzz", "rest"),
    ("do", {"action": "fight", "dice": ["5"]}, "'dice' must be a list; each must be a whole number", "Faces"),
    ("do", {"action": "x" * 201}, "'action' must be shorter: at most 200", "Its id"),
    ("answer", {"at": "2.1"}, "the call has no answer", "Give value"),
    ("answer", {"at": "x", "value": "y"}, "'x' is not the number of a question", "12.3"),
    ("answer", {"at": "9.9", "value": "y"}, "question 9.9 is not open any more", "state"),
    ("undo", {"count": True}, "'count' must be a whole number", "How many"),
    ("undo", {"count": 0}, "'count' must be from 1 to 1000", "How many"),
    ("undo", {"count": 2, "to": 1}, "exclude each other", "one of them"),
    ("undo", {"count": 99}, "nothing to take back", "log"),
    ("redo", {"count": 1}, "redo has no argument 'count'", "It takes none"),
    ("adjust", {"changes": {}, "why": "x"}, "'changes' is empty", "TRACK"),
    ("adjust", {"changes": {"zzz": 3}, "why": "x"}, "zzz", ""),
    ("adjust", {"changes": {"supply": 99}, "why": "x"}, "Supply cannot stand at 99", "It can be: -3 to 20"),
    ("adjust", {"changes": {"supply": 3}}, "adjust needs 'why'", "reason"),
    ("odds", {}, "no question is open", "Name a situation"),
    ("odds", {"situation": "zzz"}, "zzz", ""),
    ("rule", {"text": "99.99"}, "99.99", ""),
    ("new", {"game": "zzz"}, "zzz", "tiny"),
    ("new", {"game": "tiny", "dice": "trusted"}, "'dice' must be one of computer, physical", "Who rolls"),
    ("state", {"show": ["zzz"]}, "zzz", ""),
    ("legal", {"action": "zzz"}, "zzz", ""),
    ("dance", {}, "there is no tool 'dance' here", "You can call: state"),
)
"""Calls with what their refusal says, and its cure."""


async def test_a_bad_call_is_refused_with_the_cure(db: str) -> None:
    async with connected(db) as model:
        await model.call("new", game="tiny", seed="7")
        before = rows(db)
        for tool, arguments, message, cure in BAD_CALLS:
            error = (await model.refused(tool, **arguments))["error"]
            assert message in error["message"] and cure in error.get("cure", ""), (tool, arguments, error)
        assert rows(db) == before


ODD = ("", " ", "-", "--", "--help", "=", "a=b", "\x1b[2J", "\u202ex", "a\nb", "\0", "\ud800", "x" * 5000, "9" * 400, "[" * 200)


@pytest.mark.slow
async def test_odd_text_in_any_argument_is_refused_or_taken_as_text(db: str, tmp_path: Path) -> None:
    """It is never an option of a command, never ends the server, and never comes back as it is."""
    other = tmp_path / "other.sqlite3"
    texts = (*ODD, f"--db={other}", f"--out={other}", f"db={other}", "--session=none")
    usual = {"action": "march", "at": "2.1", "changes": {"supply": 3}, "why": "x", "text": "1", "game": "tiny"}
    async with connected(db) as model:
        await model.call("new", game="tiny", seed="7")
        for tool in TOOLS:
            needed = {key: usual[key] for key in tool.required}
            for field, schema in tool.fields.items():
                for text in texts:
                    forms: dict[str, Any] = {"array": [text], "object": {"supply": text}}
                    value = forms.get(schema.get("type", ""), text)
                    result = await model.client.call_tool(tool.name, {**needed, field: value})
                    shown = result.content[0].text + json.dumps(result.structured_content, ensure_ascii=False)
                    assert "a fault in" not in shown and "Usage" not in shown, (tool.name, field, text[:20], shown)
                    assert not set(shown) & set("\x1b\u202e\0"), (tool.name, field, text[:20])
        assert (await model.call("state"))["game"] == "tiny"
    assert sorted(path.name for path in tmp_path.iterdir() if "other" in path.name) == []


async def test_read_only_offers_what_reads_and_changes_nothing(db: str) -> None:
    async with connected(db) as model:
        await model.call("new", game="tiny", seed="7")
        asked = await model.call("do", action="march")
    before = rows(db)
    async with connected(db, read_only=True) as model:
        listed = (await model.client.list_tools()).tools
        assert {tool.name for tool in listed} == READING
        for name in sorted({tool.name for tool in TOOLS} - READING):
            refused = await model.refused(name, action="rest", at=asked["question"]["at"], value="Red")
            assert refused["error"]["message"] == f"there is no tool '{name}' here"
        assert (await model.call("state"))["question"] == asked["question"]
        await model.call("legal")
        await model.call("log")
        await model.call("rule", text="2.1")
    assert rows(db) == before


async def test_a_server_of_one_session_does_nothing_in_another(db: str) -> None:
    async with connected(db) as model:
        for name in ("monday", "tuesday"):
            await model.call("new", game="tiny", seed="7", name=name)
    async with connected(db, session="monday") as model:
        assert "new" not in {tool.name for tool in (await model.client.list_tools()).tools}
        assert (await model.call("do", action="rest"))["session"] == "monday"
    async with connected(db) as model:
        state = await model.call("state")
        assert state["session"] == "tuesday"
        assert [item["entry"] for item in (await model.call("log"))["entries"]] == [1]


async def test_legal_lists_what_a_state_cuts(db: str) -> None:
    async with connected(db) as model:
        await model.call("new", game="tiny", seed="7")
        first = await model.call("legal", action="march")
        assert first["question"]["choices"] == ["red#1", "blue#2", "blue#3"] and first["question"]["about"]["red#1"] == "Red"
        assert [item["action"] for item in (await model.call("legal", prefix="res"))["actions"]] == ["rest"]
        await model.call("do", action="march")
        narrowed = await model.call("legal", prefix="red")
        assert narrowed["question"]["choices"] == ["red#1"]


def test_long_lists_are_cut_with_the_number_of_the_others() -> None:
    choices = [
        {"value": f"unit {number}", "label": f"Unit {number}", "hint": "in the north", "beside": ""} for number in range(60)
    ]
    question = {"kind": "choose", "key": "unit", "prompt": "Which", "rule": "2", "choices": choices, "suggest": None}
    cut = summary.question_data({**question, "expects": "", "enter": ""})
    whole = summary.question_data({**question, "expects": "", "enter": ""}, summary.MAX_LISTED, "unit 5")

    left = 60 - len(cut["choices"])
    assert 5 < len(cut["choices"]) < 40 and cut["more"] == f"and {left} more; ask legal with a prefix"
    assert whole["choices"] == [f"unit {number}" for number in (5, *range(50, 60))] and "more" not in whole
    assert whole["about"]["unit 5"] == "Unit 5; in the north"


@pytest.mark.usefixtures("with_rival")
async def test_advice_is_given_as_arguments_of_the_next_call(db: str) -> None:
    async with connected(db) as model:
        await model.call("new", game="tiny", seed="7")
        advice = await model.call("advice")
        assert advice["action"] == "rest" and model.texts[-1].endswith("Call: do rest")
        done = await model.call("do", action=advice["action"], values=advice.get("answers", {}))
        assert done["figures"]["Supply"] == "9"


async def test_rules_are_found_by_number_and_by_words(db: str) -> None:
    async with connected(db) as model:
        missing = await model.refused("rule", text="2.1")
        assert missing["error"]["cure"]
        by_number = await model.call("rule", text="2.1", game="tiny")
        assert by_number["rules"][0]["number"] == "2.1" and by_number["rules"][0]["lines"]


async def test_what_others_do_meanwhile_is_told_once(db: str) -> None:
    async with connected(db) as one, connected(db) as other:
        await one.call("new", game="tiny", seed="7")
        await other.call("state")
        asked = await one.call("do", action="march")
        at = asked["question"]["at"]
        await one.call("answer", at=at, value="Red")
        refused = await other.refused("answer", at=at, value="Blue")
        assert refused["error"]["kind"] == "stale" and refused["question"]["key"] == "to"
        await other.call("answer", at=refused["question"]["at"], value="ford", accept=True)
        state = await one.call("state")
        assert any("ford" in text.casefold() for text in state["meanwhile"])
        assert "meanwhile" not in await one.call("state")


async def test_text_from_the_archive_has_no_control_characters(db: str) -> None:
    escapes = "ti\x1b[31mtle\x07 \u202eand\u2066 more"
    async with connected(db) as model:
        await model.call("new", game="tiny", seed="7", name="monday")
    companion("note", "tea", "--db", db)
    changed(Path(db), "UPDATE sessions SET name = ?", escapes)
    changed(Path(db), "UPDATE log SET body = ? WHERE kind = 'note'", json.dumps({"text": escapes}))
    async with connected(db) as model:
        shown = [await model.call("state"), await model.call("log")]
        texts = "".join(model.texts) + json.dumps(shown, ensure_ascii=False)
        assert "more" in texts and not set(texts) & set("\x1b\x07\u202e\u2066")

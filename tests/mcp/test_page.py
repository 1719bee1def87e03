"""The page shows what is offered, and conversations that can be had."""

from __future__ import annotations

import re

import pytest

from companion.cli.mcp.tools import TOOLS
from tests.support import transcripts

PAGE = transcripts.PAGE.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_conversations_are_as_they_are_now() -> None:
    """If this fails: python -m tests.support.transcripts --write"""
    assert transcripts.renewed_page() == PAGE


def test_the_page_lists_every_tool_with_its_arguments() -> None:
    table = PAGE.partition("| tool |")[2].partition("\n\n")[0]
    rows = [line.split("|") for line in table.splitlines()[2:]]
    named = {name: set(re.findall(r"`(\w+)`", row[3])) for row in rows for name in re.findall(r"`(\w+)`", row[1])}
    shared = {"values", "dice", "draw", "accept", "anyway"}

    assert list(named) == [tool.name for tool in TOOLS]
    for tool in TOOLS:
        if tool.name == "redo":
            continue
        told = named[tool.name] | (shared if tool.name == "answer" else set())
        assert told - {"do"} == set(tool.fields) or tool.name == "undo", tool.name

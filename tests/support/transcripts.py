"""Conversations of a language model with `companion mcp`, for its page: carried out by the client of the protocol's SDK.

``python -m tests.support.transcripts --write`` writes them anew into the page.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import textwrap
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.support.model import Model, connected

PAGE = Path(__file__).parents[2] / "companion" / "docs" / "mcp.md"
WIDTH = 110


class Transcript:
    """A conversation, written down as it is carried out."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.rows: list[str] = []

    def say(self, who: str, text: str) -> None:
        self.rows += [*textwrap.wrap(f"{who}: {text}", WIDTH, subsequent_indent="  "), ""]

    async def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool; the call and its text become rows."""
        data = await self.model.call(name, **arguments)
        self.rows += textwrap.wrap(f"-> {name} {json.dumps(arguments)}" if arguments else f"-> {name}", WIDTH)
        for number, line in enumerate(self.model.texts[-1].split("\n")):
            lead = "   " if number else "<- "
            self.rows += textwrap.wrap(lead + line, WIDTH, subsequent_indent="     ", drop_whitespace=True)
        self.rows.append("")
        return data


async def secretary(talk: Transcript) -> None:
    """Record an attack that the player describes in a sentence."""
    model = talk.model
    await model.call("new", game="fallujah2004", seed="7")
    await model.call("do", action="buy", values={"buy": "3/1, 3/5, 1/8, CEB, 36C, 3 air", "at": "east"})
    await model.call("adjust", changes={"USMC 3/1": "6-11", "USMC CEB": "6-11"}, why="where they stand")
    talk.say("Player", "3/1 and the engineers attack the mosque at 5-11 with two strikes.")
    await talk.call("legal", action="j3")
    fires = await talk.call("do", action="j3", values={"force": "USMC 3/1, USMC CEB", "to": "5-11"})
    hit = await talk.call("answer", at=fires["question"]["at"], value="2 x Air Strike")
    talk.say(
        "Model", "A Node of Al Qaeda, and Fedayeen, Jihadists and Heavy Weapons. They hit once: does 3/1 or CEB take it? [16.3]"
    )
    talk.say("Player", "The engineers.")
    await talk.call("answer", at=hit["question"]["at"], value="USMC CEB")
    talk.say(
        "Model",
        "Won. Turn CEB over, take the three OPFOR counters and the Node off 5-11, put both strikes back into the Recruit box. "
        "OPs 60, KIA +2.",
    )


async def opponent(talk: Transcript) -> None:
    """Decide for a seat, up to the next decision of the player."""
    state = await talk.call("state")
    await talk.call("rule", text="5.2")
    asked = await talk.call("answer", at=state["question"]["at"], value="33 move")
    asked = await talk.call("answer", at=asked["question"]["at"], value="b2 > c2")
    while asked.get("question", {}).get("seat") == "nva":
        asked = await talk.call("answer", at=asked["question"]["at"], accept=True)
    assert asked["turn_of"] == "us"


async def begin_albany(db: str) -> None:
    """Begin the game of the second conversation, up to the first decision of the model's seat."""
    async with connected(db, practice=True) as model:
        state = await model.call("new", game="lzalbany", seed="4", options={"nva": "player"})
        while state.get("question", {}).get("key") != "group":
            question = state.get("question")
            if question:
                state = await model.call("answer", at=question["at"], accept=True)
            else:
                state = await model.call("do", action="next")


def written(conversation: Callable[[Transcript], Awaitable[None]]) -> str:
    """A conversation as a block of a page, in an archive of its own."""
    with tempfile.TemporaryDirectory() as folder:
        db = os.path.join(folder, "transcript-practice.sqlite3")
        with patch.dict(os.environ, {"COMPANION_CONFIG": os.path.join(folder, "config.toml")}):
            return asyncio.run(_written(conversation, db))


async def _written(conversation: Callable[[Transcript], Awaitable[None]], db: str) -> str:
    seat = {}
    if conversation is opponent:
        await begin_albany(db)
        seat = {"session": "made-up-1", "seat": "nva"}
    async with connected(db, practice=True, **seat) as model:
        talk = Transcript(model)
        await conversation(talk)
    return "\n".join(["```text", *talk.rows[:-1], "```"])


def renewed_page() -> str:
    """The page with the conversations as they are now."""
    text = PAGE.read_text(encoding="utf-8")
    for conversation in (secretary, opponent):
        begin, end = f"<!-- {conversation.__name__} -->", f"<!-- /{conversation.__name__} -->"
        assert begin in text and end in text
        text = f"{text.partition(begin)[0]}{begin}\n{written(conversation)}\n{end}{text.partition(end)[2]}"
    return text


def main() -> None:
    text = renewed_page()
    if text != PAGE.read_text(encoding="utf-8"):
        sys.stdout.write(f"{PAGE.name} is out of date\n")
        if "--write" in sys.argv:
            PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

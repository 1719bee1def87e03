"""A language model's side of `companion mcp`: the SDK's client, over a server in this process or in one of its own."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from mcp import Client, StdioServerParameters

from companion.cli.mcp.calls import SessionTools
from companion.cli.mcp.server import make_server
from companion.cli.shell.app import runner


class Model:
    """Calls tools.

    Attributes:
        client: The SDK's client; it holds every result against the output schema of its tool.
        texts: The text of every result.
    """

    def __init__(self, client: Client) -> None:
        self.client = client
        self.texts: list[str] = []

    async def call(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """The data of a call that is not refused."""
        result = await self.client.call_tool(name, arguments)
        self.texts.append(result.content[0].text)
        assert not result.is_error, self.texts[-1]
        return dict(result.structured_content)

    async def refused(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """The data of a call that is refused."""
        result = await self.client.call_tool(name, arguments)
        self.texts.append(result.content[0].text)
        assert result.is_error, self.texts[-1]
        assert "Traceback" not in self.texts[-1] and result.structured_content["error"]["kind"] != "fault", self.texts[-1]
        return dict(result.structured_content)


@contextmanager
def unwrapped() -> Iterator[None]:
    """A failure within the task groups of the SDK as it is."""
    try:
        yield
    except BaseExceptionGroup as group:
        error: BaseException = group
        while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
            (error,) = error.exceptions
        raise error from None


@asynccontextmanager
async def connected(db: str, mode: str = "auto", **options: Any) -> AsyncIterator[Model]:
    """A server in this process."""
    tools = SessionTools(runner(), db, **options)
    try:
        with unwrapped():
            async with Client(make_server(tools), mode=mode) as client:
                yield Model(client)
    finally:
        tools.close()


def command(*words: str, env: Mapping[str, str] = {}) -> StdioServerParameters:
    """What a client starts the server with."""
    arguments = ["-m", "companion", "mcp", *words]
    return StdioServerParameters(command=sys.executable, args=arguments, env={**os.environ, **env})


@asynccontextmanager
async def launched(*words: str, env: Mapping[str, str] = {}) -> AsyncIterator[Model]:
    """A server in a process of its own."""
    with unwrapped():
        async with Client(command(*words, env=env)) as client:
            yield Model(client)


class LegalPlayer:
    """Plays by what each state offers, and knows nothing of the game.

    Args:
        seed: Of its choices.
        preferred: Actions that it begins where they are legal.
    """

    def __init__(self, seed: int, preferred: Sequence[str] = ()) -> None:
        self.chance = random.Random(seed)
        self.preferred = preferred

    def next_call(self, state: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """The next tool and its arguments; no tool if the game is over."""
        question = state.get("question")
        if question:
            return "answer", {"at": question["at"], **self._reply(question)}
        actions = [item["action"] for item in state.get("actions", [])]
        wanted = [name for name in self.preferred if name in actions] or actions
        return ("do", {"action": self.chance.choice(wanted)}) if wanted and not state.get("over") else ("", {})

    def _reply(self, question: Mapping[str, Any]) -> dict[str, Any]:
        choices = question.get("choices", [])
        if question["kind"] in ("roll", "draw") or ("suggest" in question and self.chance.random() < 0.7):
            return {"accept": True}
        if question["kind"] == "number":
            return {"value": self.chance.randint(question["low"], question["high"])}
        if question["kind"] == "pick":
            most = min(question["high"], len(choices))
            return {"value": self.chance.sample(choices, self.chance.randint(question["low"], most))}
        if choices:
            return {"value": self.chance.choice(choices)}
        return {"accept": True} if "suggest" in question else {"value": question.get("example", "yes")}

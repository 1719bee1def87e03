"""Resources and prompts: what can be read, by which address, and what cannot."""

from __future__ import annotations

import pytest
from mcp import MCPError, types

from companion.cli.mcp.prompts import PROMPTS
from companion.session.files import help_topics
from tests.support.model import connected

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("made_up")]


async def test_every_listed_resource_can_be_read(db: str) -> None:
    async with connected(db) as model:
        listed = (await model.client.list_resources()).resources
        uris = [str(resource.uri) for resource in listed]
        assert {f"companion://help/{topic}" for topic in help_topics()} <= set(uris)
        assert {"companion://games", "companion://rules/tiny", "companion://charts/tiny"} <= set(uris)
        for resource in listed:
            (content,) = (await model.client.read_resource(resource.uri)).contents
            assert isinstance(content, types.TextResourceContents) and len(content.text) > 20, resource.uri
            assert content.mime_type == resource.mime_type


async def test_rules_and_charts_are_read_by_templates(db: str) -> None:
    async def text(uri: str) -> str:
        return str((await model.client.read_resource(uri)).contents[0].text)

    async with connected(db) as model:
        templates = {item.uri_template for item in (await model.client.list_resource_templates()).resource_templates}
        assert {"companion://rules/{game}/{number}", "companion://charts/{game}/{chart}", "companion://help/{topic}"} <= templates
        assert (await text("companion://rules/tiny/2.1")).startswith("2.1  March\nA unit goes where it likes.")
        assert "2.1  March (asked)" in await text("companion://rules/tiny")
        chart = await text("companion://charts/tiny/find")
        assert "supply" in chart and (await text("companion://charts/tiny")).startswith("find: ")
        assert (await text("companion://help/mcp")).startswith("# ")


NOTHING = (
    *("companion://rules/tiny/99", "companion://rules/zzz", "companion://charts/tiny/zzz", "companion://help/zzz"),
    *("companion://help/../../pyproject.toml", "companion://help/..%2F..%2Fsecurity", "companion://help//etc/passwd"),
    *("companion://", "companion://rules", "companion://rules/tiny/2.1/x", "file:///etc/passwd", "http://example.org/"),
    *("companion://help/%00", "companion://games/%2e%2e", "companion://help/" + "x" * 5000),
)
"""Addresses at which there is nothing."""


async def test_nothing_else_can_be_read(db: str) -> None:
    async with connected(db) as model:
        for uri in NOTHING:
            with pytest.raises(MCPError) as refused:
                await model.client.read_resource(uri)
            message = refused.value.message
            assert len(message) < 700 and message.isprintable() and "fault" not in message, uri


async def test_arguments_of_templates_are_completed(db: str) -> None:
    async with connected(db) as model:
        rule = types.ResourceTemplateReference(uri="companion://rules/{game}/{number}")
        games = await model.client.complete(rule, {"name": "game", "value": "ti"})
        numbers = await model.client.complete(rule, {"name": "number", "value": "2."}, context_arguments={"game": "tiny"})
        page = types.ResourceTemplateReference(uri="companion://help/{topic}")
        topics = await model.client.complete(page, {"name": "topic", "value": "mc"})
        await model.call("new", game="ambush")
        seats = await model.client.complete(types.PromptReference(name="opponent"), {"name": "seat", "value": "r"})

    assert games.completion.values == ["tiny"] and topics.completion.values == ["mcp"] and seats.completion.values == ["red"]
    assert "2.1" in numbers.completion.values and all(number.startswith("2.") for number in numbers.completion.values)


async def test_prompts_tell_a_model_its_part(db: str) -> None:
    async with connected(db) as model:
        prompts = (await model.client.list_prompts()).prompts
        assert [prompt.name for prompt in prompts] == list(PROMPTS) == ["secretary", "opponent"]
        secretary = (await model.client.get_prompt("secretary")).messages[0].content
        opponent = (await model.client.get_prompt("opponent", {"seat": "blue\x1b[31m {x}"})).messages[0].content
        with pytest.raises(MCPError, match="needs 'seat'"):
            await model.client.get_prompt("opponent")
        with pytest.raises(MCPError, match="zzz"):
            await model.client.get_prompt("zzz")
        assert model.client.instructions and "Never invent a die" in model.client.instructions

    assert isinstance(secretary, types.TextContent) and "Do not guess" in secretary.text
    assert isinstance(opponent, types.TextContent) and "You play the seat blue [31m {x} in" in opponent.text

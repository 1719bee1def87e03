"""The server: the tools, resources and prompts as the Model Context Protocol has them, over standard input and output."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from signal import SIGINT, default_int_handler, signal
from typing import Any, TypeVar

from mcp import MCPError, types
from mcp.server import Server
from mcp.server.stdio import stdio_server

from companion import __version__
from companion.cli.mcp import prompts, resources
from companion.cli.mcp.calls import SessionTools
from companion.cli.mcp.tools import Tool
from companion.cli.shell.output import Interrupted
from companion.core.errors import CompanionError

T = TypeVar("T")


def make_server(tools: SessionTools) -> Server[dict[str, Any]]:
    """A server of the tools. Calls are carried out one after the other."""

    def within(work: Callable[[], T]) -> T:
        """Do something that reads games or the archive. Raises MCPError: it cannot be done."""
        try:
            with tools.entered():
                return work()
        except CompanionError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from None

    async def list_tools(_: Any, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_tool(tool) for tool in tools.tools.values()])

    async def call_tool(_: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        result = tools.call(params.name, params.arguments or {})
        if tools.interrupted:
            raise KeyboardInterrupt
        text = types.TextContent(type="text", text=result.text)
        return types.CallToolResult(content=[text], structured_content=result.data, is_error=result.is_error)

    async def list_resources(_: Any, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        listed = [
            types.Resource(uri=item.uri, name=item.name, description=item.description, mime_type=item.kind)
            for item in within(resources.listed)
        ]
        return types.ListResourcesResult(resources=listed)

    async def list_templates(_: Any, __: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
        listed = [
            types.ResourceTemplate(uri_template=item.uri, name=item.name, description=item.description, mime_type=item.kind)
            for item in resources.TEMPLATES
        ]
        return types.ListResourceTemplatesResult(resource_templates=listed)

    async def read_resource(_: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        text, kind = within(lambda: resources.read(uri))
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=kind, text=text)])

    async def list_prompts(_: Any, __: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[_prompt(prompt) for prompt in prompts.PROMPTS.values()])

    async def get_prompt(_: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        text = within(lambda: prompts.filled(params.name, params.arguments or {}))
        content = types.TextContent(type="text", text=text)
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=content)])

    async def complete(_: Any, params: types.CompleteRequestParams) -> types.CompleteResult:
        given = dict(params.context.arguments or {}) if params.context else {}
        if isinstance(params.ref, types.PromptReference):
            found = within(tools.seats) if params.argument.name == "seat" else []
            found = [seat for seat in found if seat.startswith(params.argument.value)]
        else:
            found = within(lambda: resources.completions(params.argument.name, params.argument.value, given))
        return types.CompleteResult(completion=types.Completion(values=found))

    return Server(
        "companion",
        version=__version__,
        title="Companion",
        instructions=prompts.INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
        on_completion=complete,
    )


def _tool(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.result,
        annotations=types.ToolAnnotations(
            read_only_hint=not tool.writes,
            destructive_hint=False,  # nothing is ever deleted
            idempotent_hint=tool.is_idempotent,
            open_world_hint=False,
        ),
    )


def _prompt(prompt: prompts.Prompt) -> types.Prompt:
    arguments = [
        types.PromptArgument(name=item.name, description=item.description, required=item.required) for item in prompt.arguments
    ]
    return types.Prompt(name=prompt.name, title=prompt.title, description=prompt.description, arguments=arguments)


def serve_stdio(tools: SessionTools) -> int:
    """Serve over standard input and output until the input ends; return 0, or 130 after Ctrl-C."""
    signal(SIGINT, default_int_handler)
    try:
        _run(_serve(make_server(tools)))
    except KeyboardInterrupt:
        return Interrupted.exit_code
    finally:
        tools.close()
    return 0


def _run(work: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner() as runner:
        runner.run(work)


async def _serve(server: Server[dict[str, Any]]) -> None:
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())

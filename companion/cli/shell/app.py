"""The Typer application, built from the table of commands. A command's module is imported when the command is called."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from companion.cli.shell.arguments import Runner, common_options_last
from companion.cli.shell.catalog import COMMANDS, GROUPS, HELP, MCP, SERVE, Command, Parameter
from companion.cli.shell.loading import load_function
from companion.cli.shell.output import guarded, put
from companion.core.errors import Unreadable
from companion.core.text import pick_name


def call(command: Command, arguments: dict[str, Any]) -> int:
    """Call the function that implements a command; return its exit code."""
    if command is HELP:
        arguments = {**arguments, "usage": usage}
    elif command in (MCP, SERVE):
        arguments = {**arguments, "runner": runner()}
    return load_function(command)(**arguments)


def runner() -> Runner:
    """The application, for a server."""
    return Runner(call, run_words)


_OTHER_NAMES = {"advise": "bot", "hint": "bot"}
"""Names that players try, which no list shows."""


class _CtrlC(Exception):
    """KeyboardInterrupt on its way through Typer, which would end the command silently."""


class Commands(TyperGroup):
    """The group of all commands."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        name = pick_name(_OTHER_NAMES.get(cmd_name, cmd_name), list(COMMANDS), "command")
        if name not in self.commands:
            self.commands[name] = _typer_command(COMMANDS[name])
        return self.commands[name]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the commands under the headings of their groups."""
        for group in GROUPS:
            with formatter.section(group.title):
                formatter.write_dl([(command.name.ljust(11), command.help) for command in group.commands])

    def main(  # type: ignore[override]  # the other parameters are Typer's own and are passed on
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> Any:
        """Run one command line and exit with its code."""
        words = list(sys.argv[1:] if args is None else args)

        sys.exit(guarded(lambda: self.run(words, **extra), "--json" in words))

    def run(self, args: Sequence[str], **extra: Any) -> int:
        """Run one command line; return its exit code. Raises CompanionError: the command line is wrong, or the command fails."""
        extra["standalone_mode"] = False
        try:
            with _captured_help(args):
                code = super().main(args=common_options_last(args), prog_name="companion", **extra)
        except _CtrlC:
            raise KeyboardInterrupt from None
        except Exception as error:
            # Typer contains its own copy of click; only click's usage errors have this method
            if not hasattr(error, "format_message"):
                raise
            raise _usage_error(error) from None
        return code if isinstance(code, int) else 0


def _typer_command(command: Command) -> Any:
    """The click command that Typer builds from a row of the table."""
    from inspect import Parameter as Argument
    from inspect import Signature

    implementation = load_function(command)

    def function(**arguments: Any) -> int:
        try:
            return call(command, {**command.defaults(), **{key: value for key, value in arguments.items() if value is not None}})
        except KeyboardInterrupt:
            raise _CtrlC from None

    def argument(parameter: Parameter) -> Argument:
        default = Argument.empty if parameter.needed else None if parameter.many else parameter.default
        return Argument(parameter.name, Argument.KEYWORD_ONLY, default=default, annotation=_annotation(parameter))

    function.__doc__ = implementation.__doc__
    function.__signature__ = Signature([argument(parameter) for parameter in command.parameters])  # type: ignore[attr-defined]
    function.__annotations__ = {parameter.name: _annotation(parameter) for parameter in command.parameters}
    group = typer.Typer(add_completion=False, rich_markup_mode=None)
    settings = {"ignore_unknown_options": True} if command.negatives else {}
    group.command(command.name, short_help=command.help, context_settings=settings)(function)
    return get_command(group)


def _annotation(parameter: Parameter) -> Any:
    """A parameter's type and help, as Typer reads them."""
    kind: Any = list[parameter.kind] if parameter.many else parameter.kind  # type: ignore[name-defined]
    if not parameter.needed and (parameter.many or parameter.default is None):
        kind = kind | None
    settings: dict[str, Any] = {
        "metavar": parameter.metavar or None,
        "help": parameter.help,
        "min": parameter.low,
        "show_default": False,
    }
    return Annotated[kind, typer.Option(parameter.option, **settings) if parameter.option else typer.Argument(**settings)]


@contextmanager
def _captured_help(args: Sequence[str]) -> Iterator[None]:
    """Print Typer's help the way all output is printed, so that a write error is reported."""
    if not {"--help", "-h"} & set(args):
        yield
        return
    with redirect_stdout(io.StringIO()) as text:
        yield
    import re  # not at the top: the fast commands do without it

    put(re.sub(r"\s+\[x>=\d+\]", "", text.getvalue()))


def _usage_error(error: Any) -> Unreadable:
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "companion"
    message = error.format_message().rstrip(".").replace("is not a valid int range", "is no whole number")
    value, found, least = message.partition(" is not in the range x")
    message = f"{value} is less than {least.strip('>=')}" if found else message
    return Unreadable(message, cure=f"See: {path} --help")


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from companion.cli.shell.fast import version

        raise typer.Exit(version(False))


@app.callback()
def companion(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """A referee for the tabletop wargame on your table.

    Without a command: resume the last session on a terminal, or print its status.
    Commands on a session take --session NAME and --db PATH; commands that print take --json.
    """


def _commands() -> Commands:
    group = get_command(app)
    assert isinstance(group, Commands)
    return group


def run_words(args: Sequence[str]) -> int:
    """Run one command line without ending the process; return its exit code. Raises CompanionError."""
    return _commands().run(args)


def usage(name: str) -> str:
    """What `companion NAME --help` prints."""
    group = _commands()
    parent = group.context_class(group, info_name="companion")
    command = group.get_command(parent, name)
    with command.context_class(command, info_name=name, parent=parent) as context:
        return str(command.get_help(context))

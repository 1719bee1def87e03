"""The Typer app. Each command is a module that is imported when it is asked for; faults are caught in one place."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from importlib import import_module
from signal import SIGINT, default_int_handler, signal
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from companion.cli.shell.catalog import COMMANDS, COMMON, FLAGS
from companion.cli.shell.output import guarded, on_terminal, put
from companion.core.errors import Unreadable
from companion.core.text import pick_name


def hoisted(args: Sequence[str]) -> list[str]:
    """The arguments with the common options behind the command, so that they may also stand before it."""
    front: list[str] = []
    rest = list(args)
    while rest and rest[0].partition("=")[0] in COMMON:
        words = 1 if "=" in rest[0] or rest[0] in FLAGS else 2
        front += rest[:words]
        rest = rest[words:]
    if not rest:
        rest = ["play"] if on_terminal() and "--json" not in front else ["status"]
    return [rest[0], *front, *rest[1:]] if front else rest


class Lazy(TyperGroup):
    """The group of all commands: knows their names, and imports one when it is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        cmd_name = pick_name(cmd_name, list(COMMANDS), "command")
        if cmd_name not in self.commands:
            entry = COMMANDS[cmd_name]
            module = import_module(f"companion.cli.commands.{entry.module}")
            one = typer.Typer(add_completion=False, rich_markup_mode=None)
            settings = getattr(module, "SETTINGS", {}).get(cmd_name, {})
            one.command(cmd_name, short_help=entry.help, context_settings=settings)(getattr(module, cmd_name))
            self.commands[cmd_name] = get_command(one)
        return self.commands[cmd_name]

    def main(  # type: ignore[override]  # the other parameters are Typer's own and are passed on
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> Any:
        """Run one command line and leave with its exit code."""
        given = list(sys.argv[1:] if args is None else args)

        def run() -> int:
            signal(SIGINT, default_int_handler)  # from here on there is somebody to catch it
            return self.carried_out(given, **extra)

        sys.exit(guarded(run, "--json" in given))

    def carried_out(self, args: Sequence[str], **extra: Any) -> int:
        """Carry out one command line; returns its exit code.

        Raises:
            CompanionError: whatever is wrong with it, or with what it is to do.
        """
        extra["standalone_mode"] = False
        try:
            with self._helped(args):
                code = super().main(args=hoisted(args), prog_name="companion", **extra)
        except Exception as fault:
            # Typer carries its own click; whatever its faults are called there, they and no others can tell themselves
            if not hasattr(fault, "format_message"):
                raise
            raise self._misuse(fault) from None
        return code if isinstance(code, int) else 0

    @staticmethod
    @contextmanager
    def _helped(args: Sequence[str]) -> Iterator[None]:
        """A help that Typer prints goes the way of all output: it says so itself where that can take no more."""
        if not {"--help", "-h"} & set(args):
            yield
            return
        with redirect_stdout(io.StringIO()) as told:
            yield
        put(told.getvalue())

    @staticmethod
    def _misuse(fault: Any) -> Unreadable:
        context = getattr(fault, "ctx", None)
        path = context.command_path if context else "companion"
        return Unreadable(fault.format_message().rstrip("."), cure=f"See: {path} --help")


app = typer.Typer(
    cls=Lazy,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _tell_version(wanted: bool) -> None:
    if wanted:
        from companion.cli.shell.fast import version

        raise typer.Exit(version(False))


@app.callback()
def companion(
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """A referee beside the physical wargame on the table.

    Without a command: resume the last session on a terminal, or print its status.
    Every command that touches a session takes --session NAME and --db PATH; every command that prints takes --json.
    """


def carried_out(args: Sequence[str]) -> int:
    """Carry out one command line in a process that does not end with it. Raises CompanionError: it cannot be."""
    group = get_command(app)
    assert isinstance(group, Lazy)
    return group.carried_out(args)

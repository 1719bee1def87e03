"""Finds the function that implements a command, and runs short commands without importing Typer.

A command's module is imported when the command is called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.cli.shell import catalog
from companion.cli.shell.catalog import COMMANDS, Command

_SHORT = ("branch", "chart", "games", "note", "roll", "rule", "sessions", "use", "why")
"""Commands that print something and end."""


def run_short(argv: Sequence[str]) -> int | None:
    """Run a short command; return its exit code, or None if Typer must run the command line."""
    if not argv or argv[0] not in _SHORT:
        return None
    command = COMMANDS[argv[0]]
    arguments = command.parse(argv[1:])
    if arguments is None:
        return None
    from companion.cli.shell.output import guarded

    return guarded(lambda: load_function(command)(**arguments), "--json" in argv)


def load_function(command: Command) -> Callable[..., int]:
    """Import the module that implements a command; return the function."""
    if command.run is None:
        _import(command)
    assert command.run is not None
    return command.run


def _import(command: Command) -> None:
    if command is catalog.HOST:
        __import__(catalog.HOST_MODULE)  # by name: the server is a layer above
    elif command in (catalog.SHARE, catalog.CONSENT, catalog.VERIFY):
        import companion.cli.commands.trusted
    elif command in catalog.AT_TABLE.commands:
        import companion.cli.commands.play
    elif command in catalog.CORRECTING.commands:
        import companion.cli.commands.correct
    elif command is catalog.ROLL:
        import companion.cli.commands.dice
    elif command in catalog.LOOKING_UP.commands:
        import companion.cli.commands.lookup
    elif command in catalog.YOUR_SET.commands:
        import companion.cli.commands.your_set
    elif command is catalog.REVIEW:
        import companion.cli.commands.review
    elif command is catalog.SIMULATE:
        import companion.cli.commands.simulate
    elif command is catalog.DRILL:
        import companion.cli.commands.drill
    elif command in catalog.ANALYSIS.commands:
        import companion.cli.commands.analysis
    elif command in catalog.ARCHIVE.commands:
        import companion.cli.commands.archive
    else:
        import companion.cli.commands.author  # noqa: F401

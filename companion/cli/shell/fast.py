"""The fast path: `status`, `--help`, `--version` and completion run without importing Typer, which takes 50 ms.

Shells complete at every TAB, and prompts and status bars call `status`. Other commands that print something and end run
in `loading`; every other command line, and any mistake in these, goes to Typer.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence


def fast(argv: Sequence[str]) -> int | None:
    """Run a command line; return its exit code, or None if Typer must run it."""
    words = list(argv)
    if words and words[0] == "--complete":
        return _complete(words[1:])
    if words in (["--help"], ["-h"]):
        return _help()
    if words and words[0] == "--version" and words[1:] in ([], ["--json"]):
        return version(len(words) > 1)
    if words and words[0] == "status":
        del words[0]
    elif words or (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    return _status(words)


def _status(words: list[str]) -> int | None:
    from companion.cli.shell.output import guarded
    from companion.cli.shell.shared import status

    if words in ([], ["--json"]):  # as status bars and programs call it: the table of commands need not be imported
        as_json = bool(words)
        return guarded(lambda: status(brief=False, session="", db="", json=as_json), as_json)
    from companion.cli.shell.catalog import STATUS

    arguments = STATUS.parse(words)
    return None if arguments is None else guarded(lambda: status(**arguments), arguments["json"])


def _help() -> int:
    from companion.session.shipped import read_text, shipped_path

    text = read_text(shipped_path("cli", "shell", "help.txt"))
    try:
        sys.stdout.write(text)
    except OSError as error:
        from companion.cli.shell.process import report_unwritable

        return report_unwritable(error)
    return 0


def version(as_json: bool) -> int:
    """Print the version; return 0."""
    from companion import __version__
    from companion.cli.shell.output import guarded, put, write_json

    def run() -> int:
        if as_json:
            write_json({})
        else:
            put(f"Companion {__version__}\n")
        return 0

    return guarded(run, as_json)


def _complete(words: Sequence[str]) -> int:
    """Print completions; return 1 instead of failing, because a traceback would be printed over the line being typed."""
    from companion.cli.shell.completion import Completion, PartialLine, complete

    def lookup(kind: str, line: PartialLine) -> Iterable[Completion]:
        from companion.cli.shell.completion_values import lookup

        return lookup(kind, line)

    try:
        sys.stdout.write("".join(f"{line}\n" for line in complete(words, lookup)))
    except Exception:
        return 1
    return 0

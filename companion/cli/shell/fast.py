"""The fast lane: what must answer at once is done before Typer is imported, which alone takes 50 ms.

A shell asks for completions at every TAB, a prompt or a status bar asks for ``status``, and ``--help`` is read by people
who are waiting: none of them needs a parser of options with types. Whatever is not exactly one of these goes to Typer,
which then says what is wrong with it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence


def fast(argv: Sequence[str]) -> int | None:
    """Answer here if it can be done; returns the exit code, or None where Typer must."""
    if argv and argv[0] == "--complete":
        return _complete(argv[1:])
    if list(argv) in (["--help"], ["-h"]):
        return _help()
    if argv and argv[0] == "--version" and list(argv[1:]) in ([], ["--json"]):
        return version(len(argv) > 1)
    words = list(argv)
    if words and words[0] == "status":
        words = words[1:]
    elif words or (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    options = _options(words) if words else {}
    return None if options is None else _status(options)


def _options(words: list[str]) -> dict[str, str] | None:
    """The options of ``status``, or None for anything that is not one of them."""
    from companion.cli.shell.catalog import COMMANDS, FLAGS

    found: dict[str, str] = {}
    while words:
        name, equals, value = words.pop(0).partition("=")
        if name not in COMMANDS["status"].options or (equals and name in FLAGS):
            return None
        if name not in FLAGS and not equals:
            if not words:
                return None
            value = words.pop(0)
        found[name] = value
    return found


def _help() -> int:
    with open(os.path.join(os.path.dirname(__file__), "help.txt"), encoding="utf-8") as file:
        text = file.read()
    try:
        sys.stdout.write(text)
    except OSError as fault:
        from companion.cli.shell.process import unwritten

        return unwritten(fault)
    return 0


def version(as_json: bool) -> int:
    """Print which Companion this is."""
    from companion import __version__
    from companion.cli.shell.output import guarded, put, write_json

    def run() -> int:
        if as_json:
            write_json({})
        else:
            put(f"Companion {__version__}\n")
        return 0

    return guarded(run, as_json)


def _status(options: dict[str, str]) -> int:
    from companion.cli.shell.output import guarded
    from companion.cli.shell.status import status

    as_json = "--json" in options
    return guarded(lambda: status(options.get("--db", ""), options.get("--session", ""), as_json, "--brief" in options), as_json)


def _complete(words: Sequence[str]) -> int:
    """Completion never fails: at worst it has nothing to offer."""
    from companion.cli.shell.completion import Offer, Typed, complete

    def found(kind: str, typed: Typed) -> Iterable[Offer]:
        from companion.cli.shell.completion_values import offers

        return offers(kind, typed)

    try:
        sys.stdout.write("".join(f"{line}\n" for line in complete(words, found)))
    except Exception:
        # a shell that asks for completions must not be answered with a traceback over the line being typed
        return 1
    return 0

"""The entry point: the fast lane first, and Typer only when it is needed."""

from __future__ import annotations

import gc
import os
import sys
from _signal import SIG_DFL, SIGINT, signal  # type: ignore[import-not-found]  # ``signal`` loads enum


def main() -> None:
    """Run one command line and leave with its exit code."""
    gc.disable()  # a quick command is over before there is anything to collect
    signal(SIGINT, SIG_DFL)  # until there is something to tell: Ctrl-C ends it without a word
    from companion.cli.shell.fast import fast

    _open_streams()
    if sys.argv[1:2] != ["--complete"] and any(word.startswith(("--theme", "--plain")) for word in sys.argv):
        _look()
    code = fast(sys.argv[1:])
    if code is not None:
        try:
            sys.stdout.flush()
        except OSError as fault:
            from companion.cli.shell.process import unwritten

            code = code or unwritten(fault)
        os._exit(code)  # tearing the interpreter down takes as long as a quick command did, and everything is closed
    gc.enable()
    from companion.cli.shell.app import app

    app()


def _look() -> None:
    """Take what says how it should look out of the command line, since every command understands that."""
    from companion.cli.shell.output import write_fault
    from companion.cli.shell.preferences import taken
    from companion.core.errors import CompanionError

    try:
        sys.argv[1:] = taken(sys.argv[1:])
    except CompanionError as fault:
        sys.exit(write_fault(fault, "--json" in sys.argv))


def _open_streams() -> None:
    """A stream that whoever started us has closed leads nowhere; what a terminal cannot show becomes a question mark."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open as long as the process
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


if __name__ == "__main__":
    main()

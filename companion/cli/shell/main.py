"""The entry point: the fast path first, then Typer."""

from __future__ import annotations

import gc
import os
import sys
from _signal import SIG_DFL, SIGINT, signal  # type: ignore[import-not-found]  # the module signal imports enum


def main() -> None:
    """Run one command line and exit with its code."""
    gc.disable()  # most commands end before a collection would free anything
    signal(SIGINT, SIG_DFL)  # until there is something to report, Ctrl-C ends the process silently
    from companion.cli.shell.fast import fast

    _open_streams()
    if sys.argv[1:2] != ["--complete"] and any(word.startswith(("--theme", "--plain")) for word in sys.argv):
        _read_looks()
    code = fast(sys.argv[1:])
    if code is None and sys.argv[1:]:
        from companion.cli.shell.loading import run_short

        code = run_short(sys.argv[1:])
    if code is not None:
        try:
            sys.stdout.flush()
        except OSError as error:
            from companion.cli.shell.process import report_unwritable

            code = code or report_unwritable(error)
        os._exit(code)  # everything is closed, and tearing down the interpreter takes as long as a fast command
    gc.enable()
    from companion.cli.shell.app import app

    app()


def _read_looks() -> None:
    """Remove `--theme` and `--plain`, which every command takes, from the command line and apply them."""
    from companion.cli.shell.output import write_error
    from companion.cli.shell.process import take_options
    from companion.core.errors import CompanionError

    try:
        sys.argv[1:] = take_options(sys.argv[1:])
    except CompanionError as error:
        sys.exit(write_error(error, "--json" in sys.argv))


def _open_streams() -> None:
    """Replace closed standard streams by the null device, and characters that a terminal cannot show by question marks."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - stays open until exit
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


if __name__ == "__main__":
    main()

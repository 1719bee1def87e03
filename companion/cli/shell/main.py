"""The entry point: the fast lane first, and Typer only when it is needed."""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """Run one command line and leave with its exit code."""
    gc.disable()  # a quick command is over before there is anything to collect
    from companion.cli.shell.fast import fast

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    code = fast(sys.argv[1:])
    if code is not None:
        _leave(code)
        return
    gc.enable()
    from companion.cli.shell.app import app

    app()


def _leave(code: int) -> None:
    """Leave at once: tearing the interpreter down takes as long as a quick command did, and everything is closed."""
    try:
        sys.stdout.flush()
    except OSError:
        code = code or 1  # nobody reads on
    os._exit(code)


if __name__ == "__main__":
    main()

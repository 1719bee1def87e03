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
    if code is None:
        gc.enable()
        from companion.cli.shell.app import app

        app()
    if sys.argv[1:2] == ["--complete"]:
        sys.stdout.flush()
        os._exit(code or 0)  # nothing was written, and tearing the interpreter down takes as long as the answer did
    sys.exit(code)


if __name__ == "__main__":
    main()

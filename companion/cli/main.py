"""The entry point: the fast lane first, and Typer only when it is needed."""

from __future__ import annotations

import sys


def main() -> None:
    """Run one command line and leave with its exit code."""
    from companion.cli.fast import fast

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    code = fast(sys.argv[1:])
    if code is None:
        from companion.cli.app import app

        app()
    sys.exit(code)


if __name__ == "__main__":
    main()

"""The program with the made-up game, one function of which never returns: as a command that takes very long.

    STUCK=module:function python -m tests.support.stuck WORDS

With STUCK_IN_ALL_GAMES the games of the package are there, and not the made-up one.

The function first does its work, so that Ctrl-C comes when everything is done and nothing is kept or said yet.
"""

from __future__ import annotations

import os
import time
from importlib import import_module
from typing import Any

MARK = b"[stuck]"
"""Written to standard error when the function is reached."""


def _stick(place: str) -> None:
    """Replace the function."""
    module, _, path = place.partition(":")
    *outer, name = path.split(".")
    owner: Any = import_module(module)
    for part in outer:
        owner = getattr(owner, part)
    original = getattr(owner, name)

    def stuck(*arguments: Any, **named: Any) -> None:
        original(*arguments, **named)
        os.write(2, MARK)
        while True:
            time.sleep(0.01)

    setattr(owner, name, stuck)


def main() -> None:
    from companion.cli.shell import bar
    from tests.support.with_tiny import main as companion
    from tests.support.with_tiny import register

    if "STUCK_IN_ALL_GAMES" in os.environ:
        from companion.cli.shell.main import main as companion  # type: ignore[assignment]
    else:
        register()
    bar.DELAY = 0.1
    _stick(os.environ["STUCK"])
    companion()


if __name__ == "__main__":
    main()

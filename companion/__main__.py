"""``python -m companion``, and the start of an executable."""

from __future__ import annotations

import sys


def run_helper_process() -> None:
    """In an executable, run a process of `multiprocessing`, which starts the executable with words of its own, and exit.

    Return if this is none: everything else is a command.
    """
    words = sys.argv[1:]
    if words[:1] == ["--multiprocessing-fork"]:
        from multiprocessing.spawn import freeze_support

        freeze_support()
    if words[-2:-1] != ["-c"]:
        return
    for name in ("resource_tracker", "forkserver"):
        if f"from multiprocessing.{name} import main" in words[-1]:
            import ast
            from importlib import import_module

            *_, call = (node for node in ast.walk(ast.parse(words[-1])) if isinstance(node, ast.Call))
            values = [ast.literal_eval(value) for value in call.args]
            named = {key: value for word in call.keywords for key, value in _named(word.arg, ast.literal_eval(word.value))}
            import_module(f"multiprocessing.{name}").main(*values, **named)
            sys.exit()


def _named(key: str | None, value: object) -> list[tuple[str, object]]:
    """Return an argument given by name, or those of a ``**`` dictionary."""
    return list(value.items()) if key is None and isinstance(value, dict) else [(str(key), value)]


if getattr(sys, "frozen", False):
    run_helper_process()

from companion.cli.shell.main import main  # noqa: E402 - a helper process need not load it

if __name__ == "__main__":
    main()

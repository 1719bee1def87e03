"""Contract tests for authors of games: ``pytest --pyargs companion.testing --game ID``.

The shipped games pass the same tests (``tests/every_game``). `Table` plays an action in memory from typed answers, `RandomPlayer`
plays at random. Only this package needs pytest.

In an author's ``pyproject.toml``, under ``[tool.pytest.ini_options]``:

- ``companion_game = "ID"``: the game, so that ``pytest`` needs no option;
- ``companion_tests = "tests"``: the folder of the author's tests, which cite rules too;
- ``companion_expected = ["test_name: reason"]``: contract tests that the game is known to fail, with the reason; one that passes
  is reported as a failure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def game_named(config: pytest.Config) -> str:
    """The id of the game under test; empty if none is named, and then the plug-in does nothing."""
    return str(config.getoption("--game") or config.getini("companion_game"))

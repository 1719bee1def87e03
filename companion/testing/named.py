"""Which game the contract tests look at."""

from __future__ import annotations

import pytest


def game_named(config: pytest.Config) -> str:
    """The id of the game, or "" where none is named: then the plug-in does nothing."""
    return str(config.getoption("--game") or config.getini("companion_game"))

"""Fixtures for tests of `companion mcp`: the made-up games as the only ones, and the event loop."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games import GAMES
from tests.support import tiny


@pytest.fixture
def anyio_backend() -> str:
    """The event loop of asyncio, as the server has it."""
    return "asyncio"


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The made-up games as the only ones."""
    for name in list(GAMES):
        monkeypatch.delitem(GAMES, name)
    monkeypatch.setitem(GAMES, "tiny", "tests.support.tiny")
    monkeypatch.setitem(GAMES, "ambush", "tests.support.ambush")
    monkeypatch.setenv("COMPANION_TABLES", tiny.TABLES)


@pytest.fixture
def with_rival(made_up: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The made-up game with an adviser."""
    monkeypatch.setitem(GAMES, "tiny", "tests.support.tiny_rival")


@pytest.fixture
def db(tmp_path: Path) -> str:
    """The path of an archive that does not exist yet."""
    return str(tmp_path / "archive.sqlite3")

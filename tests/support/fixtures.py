"""Fixtures for tests that want an archive of their own and the made-up game."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games import GAMES
from companion.session.store import Archive
from tests.support import tiny


@pytest.fixture(scope="session")
def read_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables that were read are kept for the tests that come after: reading them takes longer than most tests."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def own_files(tmp_path: Path, read_tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test touches the archive, the cache, the settings or the games of whoever runs it."""
    monkeypatch.setenv("COMPANION_DB", str(tmp_path / "archive.sqlite3"))
    monkeypatch.setenv("COMPANION_CACHE", str(read_tables))
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("COMPANION_GAMES", str(tmp_path / "games"))
    monkeypatch.delenv("COMPANION_TABLES", raising=False)


@pytest.fixture
def tiny_game(monkeypatch: pytest.MonkeyPatch) -> str:
    """Makes the made-up game one of the games; its id."""
    monkeypatch.setitem(GAMES, "tiny", "tests.support.tiny")
    monkeypatch.setenv("COMPANION_TABLES", tiny.TABLES)
    return "tiny"


@pytest.fixture
def ambush_game(monkeypatch: pytest.MonkeyPatch) -> str:
    """Makes the made-up game of sealed questions and hidden pieces one of the games; its id."""
    monkeypatch.setitem(GAMES, "ambush", "tests.support.ambush")
    monkeypatch.setenv("COMPANION_TABLES", tiny.TABLES)
    return "ambush"


@pytest.fixture
def archive(own_files: None) -> Iterator[Archive]:
    with Archive.open() as opened:
        yield opened


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that other users can get into, unlike those of pytest."""
    folder = Path(tempfile.mkdtemp(prefix="companion-test-"))
    folder.chmod(0o777)
    yield folder
    folder.chmod(0o777)
    shutil.rmtree(folder)

"""Fixtures for tests of the command line: the made-up game as the only one, and a runner."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from freezegun import freeze_time
from typer.testing import CliRunner, Result

from companion.cli.shell.app import app
from companion.games import GAMES
from tests.support import tiny
from tests.support.shapes import hold

Run = Callable[..., Result]
Clock = Callable[[], object]


@pytest.fixture
def only_tiny(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The made-up game as the only one."""
    for name in list(GAMES):
        monkeypatch.delitem(GAMES, name)
    monkeypatch.setitem(GAMES, "tiny", "tests.support.tiny")
    monkeypatch.setenv("COMPANION_TABLES", tiny.TABLES)
    yield "tiny"


@pytest.fixture
def clock() -> Iterator[Clock]:
    """Lets a minute pass."""
    with freeze_time("2026-03-01 20:00") as frozen:
        yield lambda: frozen.tick(60)


@pytest.fixture
def run(only_tiny: str) -> Run:
    """Runs one command line and returns its result; ``code`` is what it must leave with."""
    runner = CliRunner()

    def one(*words: str, code: int = 0, **extra: str) -> Result:
        result = runner.invoke(app, list(words), env=extra)
        assert result.exit_code == code, result.output
        hold(words, result.stdout)
        return result

    return one


@pytest.fixture
def begun(run: Run) -> Run:
    """The same, with a session of the made-up game that has just been set up."""
    run("new", "tiny", "--seed", "7", "--name", "monday")
    return run

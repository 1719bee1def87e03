"""How an executable starts: its helper processes are those of `multiprocessing`, everything else is a command."""

from __future__ import annotations

import multiprocessing.forkserver
import multiprocessing.resource_tracker
import multiprocessing.spawn
import sys
from typing import Any

import pytest

from companion.__main__ import run_helper_process


@pytest.mark.parametrize(
    ("module", "command", "expected"),
    [
        ("resource_tracker", "from multiprocessing.resource_tracker import main;main(5)", ((5,), {})),
        (
            "forkserver",
            "from multiprocessing.forkserver import main; main(7, 8, ['__main__'], **{'sys_path': ['a'], 'main_path': None})",
            ((7, 8, ["__main__"]), {"sys_path": ["a"], "main_path": None}),
        ),
    ],
)
def test_helper_process_gets_its_arguments(monkeypatch: pytest.MonkeyPatch, module: str, command: str, expected: Any) -> None:
    """They come as a line of Python, which an executable does not interpret."""
    calls = []
    monkeypatch.setattr(getattr(multiprocessing, module), "main", lambda *values, **named: calls.append((values, named)))
    monkeypatch.setattr(sys, "argv", ["companion", "-B", "-I", "-c", command])
    with pytest.raises(SystemExit):
        run_helper_process()

    assert calls == [expected]


def test_worker_process_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(multiprocessing.spawn, "spawn_main", lambda **named: calls.append(named))
    monkeypatch.setattr(sys, "argv", ["companion", "--multiprocessing-fork", "tracker_fd=5", "pipe_handle=7"])
    with pytest.raises(SystemExit):
        run_helper_process()

    assert calls == [{"tracker_fd": 5, "pipe_handle": 7}]


@pytest.mark.parametrize("words", [[], ["status"], ["note", "-c"], ["note", "-c", "import os"], ["-c", "print(1)"]])
def test_everything_else_is_a_command(monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["companion", *words])

    run_helper_process()

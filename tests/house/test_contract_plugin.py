"""The contract tests as an author has them: ``pytest --pyargs companion.testing --game ID``, for a game that is none of ours."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.session.test_plugins import Put, games, put
from tests.support.commands import companion as run

__all__ = ["games", "put"]


def contract(folder: Path, *words: str, settings: str = "") -> tuple[int, str]:
    """What pytest says of it in a project with these settings; a few tests of it only, since each needs a process."""
    (folder / "pyproject.toml").write_text(f"[tool.pytest.ini_options]\n{settings}")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "companion.testing.plugin"]
    done = subprocess.run(
        [*command, "--pyargs", "companion.testing", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ},
    )
    return done.returncode, done.stdout + done.stderr


FEW = ("-k", "data_loads or ids_are_unique or undo_to_the_start")


@pytest.mark.slow
def test_plug_in_game_is_tested(put: Put, tmp_path: Path) -> None:
    put()
    code, said = contract(tmp_path, "--game", "harb", *FEW)

    assert (code, "3 passed" in said) == (0, True), said


@pytest.mark.slow
def test_broken_contract_fails_by_name(put: Put, tmp_path: Path) -> None:
    """Named with a reason beforehand it is expected, and must not be kept by and by; without a reason nothing goes."""
    put(change=lambda text: text.replace('@action("wait", "Wait', '@action("have rest", "Wait'))
    code, said = contract(tmp_path, *FEW, settings='companion_game = "harbour"')
    assert code == 1 and "FAILED" in said and "test_ids_are_unique_and_typeable" in said

    name = "test_ids_are_unique_and_typeable"
    code, said = contract(tmp_path, *FEW, settings=f'companion_game = "harbour"\ncompanion_expected = ["{name}: two words"]')
    assert (code, "2 passed" in said and "1 xfailed" in said) == (0, True), said

    code, said = contract(tmp_path, *FEW, settings=f'companion_game = "harbour"\ncompanion_expected = ["{name}"]')
    assert code == 4 and f"companion_expected: {name}: say why" in said


@pytest.mark.slow
def test_rules_that_fail_are_one_error_with_a_cure(put: Put, tmp_path: Path) -> None:
    """Instead of a traceback for each test; the command that the cure names lists the same fault."""
    put(change=lambda text: text.replace("return Banner(", "return 1 / 0 and Banner(", 1))
    code, said = contract(tmp_path, "--game", "harbour")
    assert code != 0 and "fail in games played for trial" in said and "Traceback" not in said
    assert "To try it again: companion games harbour --check" in said

    done = run("games", "harbour", "--check")
    assert done.code != 0 and "harbour/game.py" in done.out + done.err, done

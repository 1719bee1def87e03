"""The game that ``companion game new`` writes: which files, that they are played, and that they pass every test as they are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.session.test_plugins import games
from tests.support.commands import companion

__all__ = ["games"]

RULES = ["__init__.py", "game.py", "rules.py"]
DATA = [f"tables/{name}.toml" for name in ("charts/storm", "game", "rules", "rulings")]


def listed(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_game_for_the_user_folder(games: Path) -> None:
    """It is played at once."""
    written = companion("game", "new", "quay_2", "--folder", "--json").json

    assert written["folder"] == str(games / "quay_2")
    assert written["files"] == listed(games / "quay_2") == sorted([*RULES, *DATA, "pytest.ini", "tests/test_rules.py"])
    assert companion("games", "quay_2", "--check").out == "quay_2: no fault\n"
    assert companion("new", "quay_2", "--seed", "1").code == 0
    assert companion("do", "sail", "course=sea", "--dice", "3", "--draw", "Calm").code == 0
    assert "skeleton" not in "".join(path.read_text() for path in (games / "quay_2").rglob("*.*") if path.suffix != ".pyc")


def test_installable_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = companion("game", "new", "quay_2").out

    inside = [f"companion_quay_2/{name}" for name in (*RULES, *DATA)]
    assert listed(tmp_path / "quay_2") == sorted([*inside, "README.md", "pyproject.toml", "tests/test_rules.py"])
    assert "$ pip install -e quay_2" in said
    assert 'name = "companion-quay-2"' in (tmp_path / "quay_2" / "pyproject.toml").read_text()


def test_removed_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    refused = companion("game", "new", "quay_2")
    assert refused.code == 4 and "has been removed" in refused.err


def test_failure_leaves_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where a disk fails as what was made on the way is cleared away."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("shutil.rmtree", lambda *_, **__: None)
    assert companion("game", "new", "quay_2").code == 0
    assert os.listdir(tmp_path) == ["quay_2"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Quay", "'Quay' cannot be the id of a game"),
        ("my game", "cannot be the id of a game"),
        ("../away", "cannot be the id of a game"),
        ("lzalbany", "the id 'lzalbany' is taken by a game of Companion"),
        ("here", "exists already"),
        ("", "what is the game called?"),
    ],
)
def test_invalid_ids_are_refused(games: Path, name: str, told: str) -> None:
    """Nothing is written then."""
    (games / "here").mkdir()
    refused = companion("game", "new", name, "--folder")

    assert refused.code == 2
    assert told in " ".join(refused.err.split())
    assert listed(games) == []


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The distribution, installed by pip in place of where it would be; nothing is fetched."""
    monkeypatch.chdir(tmp_path)
    companion("game", "new", "quay")
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-build-isolation", "--no-deps"]
    subprocess.run([*pip, "--target", "site", "./quay"], check=True, timeout=120, env={**os.environ, "PIP_NO_INPUT": "1"})
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    return tmp_path / "quay"


def carried_out(folder: Path, *words: str) -> str:
    command = [sys.executable, "-m", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


PYTEST = ("pytest", "-q", "-p", "no:cacheprovider", "-p", "companion.testing.plugin")


@pytest.mark.slow
def test_template_installs_and_passes_its_tests(installed: Path) -> None:
    """Its own, and a law of every sort."""
    assert "quay" in carried_out(installed, "companion", "games")
    laws = "test_rules or register or data_loads or undo_to_the_start or offered_can_be_given or function_of_its_seed"
    said = carried_out(installed, *PYTEST, "--pyargs", ".", "companion.testing", "-k", f"({laws}) and not long")
    assert " passed" in said and "failed" not in said


@pytest.mark.long
def test_template_passes_lint_and_types(installed: Path) -> None:
    """Every law and the type checker."""
    assert " passed" in carried_out(installed, *PYTEST, "--pyargs", ".", "companion.testing")
    assert "Success" in carried_out(installed, "mypy", "--strict", "companion_quay", "tests")

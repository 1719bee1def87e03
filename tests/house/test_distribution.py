"""What is installed carries its tables, wherever it is installed."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from companion import __version__
from companion.games import GAMES
from tests.house.source import executed

ROOT = Path(__file__).parents[2]
SAID = {
    "--version": f"Companion {__version__}",
    "tables check": "phantomfury: no fault",
    "new fallujah2004": "OPs 65",
    "practice lzalbany": "made up by us",
    "help lzalbany": "How strong the opponent is",
    "completions bash --install": "TAB in bash",
}
"""What an installed Companion is asked, and something of what it says."""
DOCS = ROOT / "companion" / "docs"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from this checkout, with the build backend that is installed, so that no network is needed."""
    out = tmp_path_factory.mktemp("dist")
    built("wheel", out)
    return next(out.glob("*.whl"))


def built(form: str, folder: Path) -> None:
    words = [sys.executable, "-m", "hatchling", "build", "-t", form, "-d", str(folder)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True, timeout=120)


def test_wheel_contains_the_tables_of_every_game(wheel: Path) -> None:
    """Every file under tables/ is in the wheel, as package data."""
    names = set(zipfile.ZipFile(wheel).namelist())
    files = [path.relative_to(ROOT / "tables").as_posix() for path in (ROOT / "tables").rglob("*.toml")]

    assert files
    assert {f"companion/_tables/{name}" for name in files} <= names
    assert {f"companion/_tables/{game}/practice.toml" for game in GAMES if game != "fallujahcards"} <= names
    assert {f"companion/{name}" for name in ("py.typed", "views/map.css", "views/plot.css", "views/report/page.html")} <= names
    assert {f"companion/views/review.{kind}" for kind in ("css", "html", "js")} <= names
    assert {f"companion/docs/{page.name}" for page in DOCS.glob("*.md")} <= names
    shared = {name.partition(".data/data/")[2] for name in names}
    assert {"share/bash-completion/completions/companion", "share/zsh/site-functions/_companion"} <= shared
    assert {"share/fish/vendor_completions.d/companion.fish", "share/man/man1/companion.1"} <= shared
    assert {f"companion/_completions/companion.{kind}" for kind in ("1", "bash", "fish", "zsh")} <= names


@pytest.mark.slow
def test_sdist_contains_build_files_and_tests(tmp_path: Path) -> None:
    """A packager needs nothing but that."""
    built("sdist", tmp_path)
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}

    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split("\n")
    assert {name for name in listed if (ROOT / name).is_file()} - {".gitignore", ".gitattributes"} <= names
    assert {"pyproject.toml", "CHANGELOG.md", "CONTRIBUTING.md", "noxfile.py", "companion/py.typed"} <= names


@pytest.mark.slow
def test_imports_and_dependencies_agree() -> None:
    """What another package happens to bring in may be gone with its next version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    package = ROOT / "companion"
    authors = [*(package / "testing").glob("*.py"), *(package / "skeleton" / "project").rglob("*.py")]
    model = [*(package / "cli" / "mcp").glob("*.py")]
    plays = {*package.rglob("*.py")} - {*authors, *model}

    assert imported(plays) == declared(project["dependencies"])
    assert imported(model) == declared(project["optional-dependencies"]["mcp"])
    assert imported(authors) == declared(project["optional-dependencies"]["authors"])


def declared(names: list[str]) -> set[str]:
    return {re.split(r"[<>=\[;]", name)[0].replace("-", "_") for name in names}


def imported(paths: Iterable[Path]) -> set[str]:
    """What files import that is neither ours nor Python's."""
    trees = [ast.parse(path.read_text()) for path in paths]
    nodes = [node for tree in trees for node in executed(tree)]  # names for a type checker need no installation
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    return {name.partition(".")[0] for name in names} - {"companion", *sys.stdlib_module_names}


@pytest.mark.slow
def test_installed_wheel_runs_from_any_folder(wheel: Path, tmp_path: Path) -> None:
    """Unpacked beside no checkout, a command finds its tables, practice sets and pages, and starts a game."""
    site = tmp_path / "site"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(site), str(wheel)],
        check=True,
        capture_output=True,
        timeout=120,
    )
    environment = {**os.environ, "PYTHONPATH": str(site), "COMPANION_DB": str(tmp_path / "a.sqlite3"), "HOME": str(tmp_path)}
    environment.pop("COMPANION_TABLES", None)
    run = [sys.executable, "-c", "import companion, sys; assert sys.argv[1] in companion.__file__, companion.__file__;"]
    run[-1] += "from companion.cli.shell.main import main; sys.argv = sys.argv[1:]; main()"

    for words, told in SAID.items():
        done = subprocess.run(
            [*run, str(site), *words.split()],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), words
        assert told in done.stdout, words

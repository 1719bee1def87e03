"""Every Python that Companion knows, as far as it is there: ``nox``, ``nox -s tests-3.12 -- tests/core``, ``nox -s wheel``."""

import json
import os
import re
from pathlib import Path

import nox

PYTHONS = ["3.11", "3.12", "3.13", "3.14"]

nox.options.sessions = ["lint", "tests"]
nox.options.error_on_missing_interpreters = False  # a Python that is not there is skipped, and said so
nox.options.reuse_existing_virtualenvs = True


@nox.session(python=PYTHONS[0], venv_backend="venv")
def lint(session: nox.Session) -> None:
    """What .ci/run looks at before the tests."""
    session.install("-e", ".[test]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")
    session.run("companion", "tables", "check")


@nox.session(python=PYTHONS, venv_backend="venv")
def tests(session: nox.Session) -> None:
    """The tests, or those that are named behind ``--``."""
    session.install("-e", ".[test]")
    session.run("pytest", *(session.posargs or ["-n", "auto"]))


@nox.session(python=PYTHONS[0], venv_backend="uv")
def lowest(session: nox.Session) -> None:
    """The tests with the oldest version of each dependency that pyproject.toml allows; uv chooses them."""
    session.install("--resolution", "lowest-direct", "-e", ".[test]")
    session.run("pytest", *(session.posargs or ["-n", "auto"]))


@nox.session(python=PYTHONS, venv_backend="venv")
def wheel(session: nox.Session) -> None:
    """The wheel as a player gets it, without a checkout: it starts a game, knows its pages and its practice sets."""
    session.install("--force-reinstall", ".")
    session.chdir(session.create_tmp())
    own = {"COMPANION_DB": "wheel.sqlite3", "COMPANION_CONFIG": "config.toml"}
    for words in ("--version", "tables check", "practice lzalbany", "help lzalbany", "completions bash"):
        session.run("companion", *words.split(), env=own, silent=True)


@nox.session(python=PYTHONS[0], venv_backend="venv")
def site(session: nox.Session) -> None:
    """The site, in build/site; ``-- pictures`` takes the pictures of the page for phones first, which needs Chromium."""
    session.install("-e", ".[site,test]" if "pictures" in session.posargs else ".[site]")
    if "pictures" in session.posargs:
        session.run("python", "-m", "tests.support.page_screens", "build/page_screens")
    session.run("python", "-m", "mkdocs", "build", "--strict", env={"NO_MKDOCS_2_WARNING": "1"})


@nox.session(venv_backend="venv")
def packages(session: nox.Session) -> None:
    """The wheel and the sdist, in dist/packages."""
    session.install("build")
    session.run("python", "-m", "build", "--outdir", "dist/packages")


@nox.session(venv_backend="venv")
def sbom(session: nox.Session) -> None:
    """What Companion and all that it needs are, as a bill of materials in CycloneDX's form, in dist/packages."""
    session.install("cyclonedx-bom>=5")
    clean = Path(session.create_tmp()) / "clean"
    session.run("python", "-m", "venv", "--clear", "--without-pip", str(clean))
    python = str(clean / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    session.run("python", "-m", "pip", "--python", python, "install", "-q", ".")
    Path("dist/packages").mkdir(parents=True, exist_ok=True)
    words = ["--pyproject", "pyproject.toml", "--output-reproducible", "--output-format", "JSON", "--spec-version", "1.6"]
    bill = Path("dist/packages") / "companion.cdx.json"
    session.run("cyclonedx-py", "environment", *words, "--output-file", str(bill), python)
    content = json.loads(bill.read_text(encoding="utf-8"))
    version = re.search(r'__version__ = "(.*)"', Path("companion/__init__.py").read_text(encoding="utf-8"))
    content["metadata"]["component"]["version"] = version[1] if version else ""  # pyproject.toml leaves it to that file
    bill.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


@nox.session(venv_backend="venv")
def executable(session: nox.Session) -> None:
    """Companion as an executable for this system, tried without Python, in dist/executable; ``-- --quick``: a folder only."""
    session.install("pyinstaller>=6.10", "packaging")
    session.install("--force-reinstall", "--no-deps", ".")
    session.install(".")
    session.run("python", "-m", "tests.support.executable", "dist/executable", *session.posargs)

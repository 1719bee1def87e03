"""Companion as one zip file, made by Python's zipapp: every file that it reads is found inside."""

from __future__ import annotations

import compileall
import os
import shutil
import sys
import zipapp
from pathlib import Path
from py_compile import PycInvalidationMode

import pytest

from tests.support.checkout import ROOT
from tests.support.distributions import copy_pure, run_time_distributions
from tests.support.installed import Installed, environment, try_out


@pytest.fixture(scope="module")
def zip_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package with its tables, as in the wheel, and the pure parts of what it needs."""
    folder = tmp_path_factory.mktemp("zip")
    stage = folder / "stage"
    shutil.copytree(ROOT / "companion", stage / "companion", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("tables", "completions"):
        shutil.copytree(ROOT / name, stage / "companion" / f"_{name}")
    for needed in run_time_distributions():
        if needed.name != "tabletop-companion":
            copy_pure(needed, stage)
    compileall.compile_dir(stage, quiet=2, legacy=True, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
    target = folder / "companion.pyz"
    zipapp.create_archive(stage, target, main="companion.cli.shell.main:main", compressed=True)
    return target


@pytest.mark.slow
def test_zip_file_does_all_that_an_installed_companion_does(zip_file: Path, tmp_path: Path) -> None:
    """With nothing but the standard library beside it."""
    zipped = Installed([sys.executable, "-S", "-I", str(zip_file)], environment(tmp_path, os.environ), tmp_path)
    try_out(zipped, sys.stdout.write)

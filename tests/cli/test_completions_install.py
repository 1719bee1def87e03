"""``companion completions --install``: where the files go, what the dry run says, and that each shell finds them there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.cli.commands import archive
from tests.cli.conftest import Run

ROOT = Path(__file__).parents[2]
SCRIPTS = {
    "bash": "data/bash-completion/completions/companion",
    "zsh": "data/zsh/site-functions/_companion",
    "fish": "config/fish/completions/companion.fish",
}
MAN_PAGE = "data/man/man1/companion.1"
LOADED = {
    "bash": "source {script}; complete -p companion",
    "zsh": "autoload -Uz compinit; compinit -D -u; source {script}; print $_comps[companion]",
    "fish": "complete -C 'companion statu'",
}
"""What shows, in a new shell that did as the next step says, that TAB has the script."""
POSIX = pytest.mark.skipif(os.name != "posix", reason="without man")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


def rows(text: str) -> str:
    return " ".join(text.split())


@POSIX
@pytest.mark.parametrize("shell", SCRIPTS)
def test_dry_run_writes_nothing_and_says_what_would_be_written(run: Run, home: Path, shell: str) -> None:
    script, page = home / SCRIPTS[shell], home / MAN_PAGE
    before = sorted(home.rglob("*"))

    said = run("completions", shell, "--dry-run").stdout
    assert sorted(home.rglob("*")) == before
    assert [said.count("(new)"), "Nothing was written" in said] == [2, True]
    assert str(script) in said.replace("\n", "") and str(page) in said.replace("\n", "")

    run("completions", shell, "--install")
    assert script.read_text(encoding="utf-8") == run("completions", shell).stdout
    page.write_text("an older one")
    said = rows(run("completions", shell, "--install", "--dry-run").stdout)
    assert "(as it is)" in said and "(would be replaced)" in said
    assert page.read_text() == "an older one"


@POSIX
def test_install_replaces_an_older_man_page(run: Run, home: Path) -> None:
    page = home / MAN_PAGE
    page.parent.mkdir(parents=True)
    page.write_text("an older one")

    assert "man companion:" in run("completions", "fish", "--install").stdout
    assert page.read_text(encoding="utf-8") == (ROOT / "completions" / "companion.1").read_text(encoding="utf-8")


@POSIX
def test_json_names_the_files(run: Run, home: Path) -> None:
    document = json.loads(run("completions", "zsh", "--dry-run", "--json").stdout)
    assert (document["path"], document["man_page"]) == (str(home / SCRIPTS["zsh"]), str(home / MAN_PAGE))
    assert document["written"] is False and not (home / "data").exists()

    assert json.loads(run("completions", "zsh", "--install", "--json").stdout)["written"] is True
    assert (home / SCRIPTS["zsh"]).exists()


@POSIX
def test_script_is_installed_even_if_the_man_page_cannot_be(run: Run, home: Path) -> None:
    (home / "data").mkdir()
    (home / "data" / "man").write_text("a file where a folder should be")

    said = rows(run("completions", "bash", "--install", code=2).stderr)
    assert "TAB is installed all the same" in said and "It works in the next bash" in said
    assert (home / SCRIPTS["bash"]).exists()


def test_no_man_page_where_there_is_no_man(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "_has_man", lambda: False)
    document = json.loads(run("completions", "bash", "--install", "--json").stdout)

    assert (document["path"], "man_page" in document) == (str(home / SCRIPTS["bash"]), False)
    assert not (home / "data" / "man").exists()


@POSIX
@pytest.mark.slow
@pytest.mark.parametrize("shell", SCRIPTS)
def test_new_shell_finds_the_script(run: Run, home: Path, shell: str) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    program = home / "bin" / "companion"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec python -m tests.support.with_tiny "$@"\n')
    program.chmod(0o755)
    run("completions", shell, "--install")

    command = LOADED[shell].format(script=home / SCRIPTS[shell])
    environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    done = subprocess.run([shell, "-c", command], capture_output=True, text=True, timeout=60, check=False, env=environment)

    assert (done.returncode, done.stderr) == (0, "")
    assert {"bash": "companion", "zsh": "_companion", "fish": "status"}[shell] in done.stdout

"""Whether the tests would notice: one small slip after another, each in a copy of the tree. Run by hand.

    python -m tests.measures.mutate [--jobs N] [--check] [WORD]...

Each mutation is a piece of text that stands exactly once below a folder of the package, what is put in its place, and the
nearest tests. Those that no test notices are printed at the end. ``--check`` only looks whether every text is where it is
said to be; words choose the mutations whose folder or note contains one of them.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.measures.mutations import MUTATIONS, Mutation

ROOT = Path(__file__).parents[2]
LIMIT = 600
"""Seconds for the tests of one mutation; one that makes them endless is noticed."""
TREE = ("companion", "tables", "tests", "completions", ".ci", "README.md", "LICENSE", "pyproject.toml")


class Lost(Exception):
    """A text that is not where it is said to be, or is there twice."""


def place(mutation: Mutation, root: Path) -> Path:
    """The one file below the folder that holds the text once."""
    start = root / "companion" / mutation.where
    files = [start] if start.is_file() else sorted(start.rglob("*.py"))
    found = [path for path in files for _ in range(path.read_text(encoding="utf-8").count(mutation.text))]
    if len(found) != 1:
        raise Lost(f"{mutation.where}: {mutation.note}: found {len(found)} times: {mutation.text[:70]!r}")
    return found[0]


def copied(folder: Path) -> Path:
    """The tree as far as tests need it."""
    for name in TREE:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".hypothesis"))
        else:
            shutil.copy(source, folder / name)
    return folder


def noticed(mutation: Mutation, root: Path) -> str:
    """What noticed it: the first test that failed, or ``time``; "" where nothing did."""
    path = place(mutation, root)
    before = path.read_text(encoding="utf-8")
    path.write_text(before.replace(mutation.text, mutation.instead), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.fspath(root), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist"]
    try:
        done = subprocess.run(
            [*command, *mutation.tests.split()],
            cwd=root,
            env=environment,
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "time"
    finally:
        path.write_text(before, encoding="utf-8")
    if done.returncode not in (0, 1):
        raise Lost(f"{mutation.note}: pytest ended with {done.returncode}\n{done.stdout[-600:]}{done.stderr[-600:]}")
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return (failed or [""])[0] if done.returncode else ""


def run(chosen: Iterable[Mutation], jobs: int) -> list[Mutation]:
    """Every mutation in turn; those that survive."""
    survivors: list[Mutation] = []
    trees: SimpleQueue[Path] = SimpleQueue()

    def one(mutation: Mutation) -> None:
        root, start = trees.get(), time.perf_counter()
        try:
            by = noticed(mutation, root)
        finally:
            trees.put(root)
        if not by and not mutation.same:
            survivors.append(mutation)
        verdict = by[:110] if by else f"the same: {mutation.same}" if mutation.same else "SURVIVED"
        sys.stdout.write(f"{time.perf_counter() - start:5.0f} s  {mutation.where}: {mutation.note}\n         {verdict}\n")
        sys.stdout.flush()

    with tempfile.TemporaryDirectory() as name:
        for number in range(jobs):
            folder = Path(name, str(number))
            folder.mkdir()
            trees.put(copied(folder))
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(one, chosen))
    return survivors


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("words", nargs="*")
    given = parser.parse_args()
    chosen = [one for one in MUTATIONS if not given.words or any(word in f"{one.where} {one.note}" for word in given.words)]
    lost = []
    for mutation in chosen:
        try:
            place(mutation, ROOT)
        except Lost as fault:
            lost.append(str(fault))
    if lost or given.check:
        sys.exit("\n".join(lost) or f"{len(chosen)} mutations, every text is where it is said to be" if lost else 0)
    survivors = run(chosen, given.jobs)
    same = sum(bool(one.same) for one in chosen)
    sys.stdout.write(f"{len(chosen)} mutations, {same} of them without effect, {len(survivors)} survived\n")
    for mutation in survivors:
        sys.stdout.write(f"  {mutation.where}: {mutation.note}\n")


if __name__ == "__main__":
    main()

"""Draw small changes of the code at random and check that the tests notice them.

    python -m tests.measures.mutate [--seed S] [--count N] [--jobs N] [--list] [FOLDER ...]

Folders are relative to ``companion/``; by default all of it. Each mutation replaces one operator or constant in a copy of the
tree and runs the tests of its part, nearest first. Survivors are printed at the end: write a test for each, or give the reason
why no test can see it in `EQUIVALENT`.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
LIMIT = 600
"""Seconds for the tests of one mutation; one that makes them endless is noticed."""
TREE = (
    "companion",
    "tables",
    "tests",
    "completions",
    ".ci",
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "LICENSE",
    "pyproject.toml",
)
OPERATORS: dict[type, str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.Div: "*",
    ast.FloorDiv: "*",
}
OF_PLANNERS = ("planner", "opponent", "bot", "advis", "polic", "captain", "coalition", "level", "player", "counsel", "values")
"""Words in the names of the tests of a game's planners."""
EQUIVALENT: dict[str, str] = {}
"""Survivors that change nothing a test could see, ``path: source``, with the reason."""


class Mutation(NamedTuple):
    """One change: the expression of a node, and what is put in its place.

    Attributes:
        path: The file, relative to ``companion/``.
        line: Its first line; ``start`` and ``end`` are offsets in the file.
    """

    path: str
    line: int
    start: int
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before} -> {self.after}"


def changed(node: ast.AST) -> str:
    """The source of a node with one operator or constant replaced; empty for a node that is not mutated."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in OPERATORS:
        return f"(({ast.unparse(node.left)}) {OPERATORS[type(node.ops[0])]} ({ast.unparse(node.comparators[0])}))"
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS and not holds_text(node):
        return f"(({ast.unparse(node.left)}) {OPERATORS[type(node.op)]} ({ast.unparse(node.right)}))"
    if isinstance(node, ast.BoolOp):
        return f"({ast.unparse(ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values))})"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return f"bool({ast.unparse(node.operand)})"
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return str(not node.value)
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return repr(node.value + 1)
    return ""


def holds_text(node: ast.BinOp) -> bool:
    """True if an operand is a text, a list or a tuple, for which an operator means something else."""
    parts = (node.left, node.right)
    return any(isinstance(part, ast.JoinedStr | ast.List | ast.Tuple | ast.ListComp) for part in parts) or any(
        isinstance(part, ast.Constant) and isinstance(part.value, str) for part in parts
    )


def nodes_of(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of function bodies, without annotations, docstrings, f-strings and raised errors."""
    for field, value in ast.iter_fields(tree):
        if field in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for node in value if isinstance(value, list) else [value]:
            if isinstance(node, ast.AST) and not isinstance(node, ast.JoinedStr | ast.Raise | ast.Assert):
                yield node
                yield from nodes_of(node)


def mutations_of(path: Path) -> list[Mutation]:
    """Every mutation of a file."""
    text = path.read_text(encoding="utf-8")
    encoded = text.encode()
    starts = [0]
    for line in encoded.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    mutations = []
    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for node in (inner for statement in function.body for inner in (statement, *nodes_of(statement))):
            after = changed(node)
            if not after or not isinstance(node, ast.expr):
                continue
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
            before = encoded[start:end].decode()
            if "\n" not in before:
                name = path.relative_to(ROOT / "companion").as_posix()
                mutations.append(Mutation(name, node.lineno, start, end, before, after))
    return sorted(set(mutations))


def drawn(folders: list[str], seed: str, count: int) -> list[Mutation]:
    """Some mutations below folders, by chance: first a file by its length, then a place in it."""
    paths = sorted({path for folder in folders for path in (ROOT / "companion" / folder).rglob("*.py")})
    every = [mutation for path in paths if "testing" not in path.parts for mutation in mutations_of(path)]
    return random.Random(seed).sample(every, min(count, len(every)))


def tests_for(path: str) -> list[list[str]]:
    """The tests that should notice a mutation, nearest first; each list is one run."""
    part, *rest = path.split("/")
    if part != "games" or len(rest) < 2:
        return [
            [f"tests/{part}", f"companion/{part}"] if part in ("core", "api") else [f"tests/{part}"],
            # the wheel is built from a repository, which the copy is not
            ["tests/every_game", "tests/house", "--ignore=tests/house/test_distribution.py"],
        ]
    folder = ROOT / "tests" / "games" / rest[0]
    near = sorted(
        str(item.relative_to(ROOT)) for item in folder.glob("test_*.py") if any(word in item.name for word in OF_PLANNERS)
    )
    whole = [str(folder.relative_to(ROOT))]
    games = ["tests/every_game/test_planner_games.py", "-k", rest[0]]
    return [games, near, whole, ["tests/every_game"]] if rest[1] == "ai" and near else [whole, ["tests/every_game"]]


def copied(folder: Path) -> Path:
    """A copy of the tree as far as tests need it."""
    for name in TREE:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".hypothesis"))
        elif source.exists():
            shutil.copy(source, folder / name)
    return folder


def noticed(mutation: Mutation, root: Path) -> str:
    """The first test that failed, or ``time``; empty if none did."""
    path = root / "companion" / mutation.path
    before = path.read_bytes()
    path.write_bytes(before[: mutation.start] + mutation.after.encode() + before[mutation.end :])
    environment = {**os.environ, "PYTHONPATH": os.fspath(root), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider", "-m", "not long"]
    try:
        for tests in tests_for(mutation.path):
            run = subprocess.run(
                [*command, *tests], cwd=root, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False
            )
            if run.returncode not in (0, 1, 2):  # 2: a module does not import any more
                raise RuntimeError(f"{mutation}: pytest ended with {run.returncode}\n{run.stdout[-800:]}")
            if run.returncode:
                failed = [line for line in run.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
                return (failed or [f"pytest ended with {run.returncode}"])[0]
    except subprocess.TimeoutExpired:
        return "time"
    finally:
        path.write_bytes(before)
    return ""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", default=[""], help="below companion/")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="only print the mutations")
    chosen = parser.parse_args(arguments)
    mutations = drawn(chosen.folders, chosen.seed, chosen.count)
    if chosen.list:
        sys.stdout.write("".join(f"{mutation}\n" for mutation in mutations))
        return 0
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        free: SimpleQueue[Path] = SimpleQueue()
        for number in range(chosen.jobs):
            (Path(folder) / str(number)).mkdir()
            free.put(copied(Path(folder) / str(number)))

        def tried(mutation: Mutation) -> tuple[Mutation, str]:
            root = free.get()
            try:
                return mutation, noticed(mutation, root)
            finally:
                free.put(root)

        with ThreadPoolExecutor(chosen.jobs) as pool:
            for mutation, by in pool.map(tried, mutations):
                same = EQUIVALENT.get(f"{mutation.path}: {mutation.before}", "")
                sys.stdout.write(f"{'killed ' if by else 'equal  ' if same else 'SURVIVED'} {mutation}  {by or same}\n")
                sys.stdout.flush()
                survivors += [mutation] if not by and not same else []
    sys.stdout.write(f"{len(mutations)} mutations, {len(survivors)} survived\n")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

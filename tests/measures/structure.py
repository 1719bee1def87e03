"""Print the size and shape of the package: files, lines, imports, `Any`, and the calls of one roll and one decision.

    python -m tests.measures.structure [--calls] [CHECKOUT]

The figures are read from the source of a checkout, by default this one. ``--calls`` plays in this process and therefore counts
the package that is importable.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[2]


def source_figures(root: Path) -> dict[str, str]:
    """The figures of a checkout's package by their titles."""
    paths = sorted((root / "companion").rglob("*.py"))
    texts = [path.read_text(encoding="utf-8") for path in paths]
    modules = {".".join(path.relative_to(root).with_suffix("").parts) for path in paths}
    lines = sum(text.count("\n") for text in texts)
    trees = [ast.parse(text) for text in texts]
    imports = sum(import_lines(tree) for tree in trees)
    longest = max(text.count("\n") for text in texts)
    return {
        "files": str(len(texts)),
        "lines": str(lines),
        "lines a file": str(round(lines / len(texts))),
        "longest file, lines": str(longest),
        "import lines": f"{imports} ({100 * imports / lines:.2f} %)",
        "comment lines": str(sum(comment_lines(text) for text in texts)),
        "Any": str(sum(map(uses_of_any, trees))),
        "type: ignore": str(sum(text.count("type: ignore") for text in texts)),
        "comparisons with string literals": str(sum(map(text_comparisons, trees))),
        '"module:function" strings': str(sum(function_strings(text, modules) for text in texts)),
        "getattr with a computed name": str(sum(map(text_dispatch, trees))),
        "enumerations and Literal types": str(sum(map(closed_sets, trees))),
        "parameters named game that are a referee": str(sum(map(referees_named_game, trees))),
    }


def import_lines(tree: ast.Module) -> int:
    """The number of lines of import statements, including those in functions."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes)


def comment_lines(text: str) -> int:
    """The number of lines that hold only a comment."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sum(token.type == tokenize.COMMENT and token.line.lstrip().startswith("#") for token in tokens)


def uses_of_any(tree: ast.Module) -> int:
    """The number of times `Any` is used or imported."""
    loads = sum(isinstance(node, ast.Name) and node.id == "Any" for node in ast.walk(tree))
    imported = sum(alias.name == "Any" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names)
    return loads + imported


def function_strings(text: str, modules: Collection[str]) -> int:
    """The number of strings such as ``"rules.r07_air:bombs"`` whose first part is the end of a module's name."""
    named = re.findall(r'"([a-z_]+(?:\.[a-z0-9_]+)*):[a-z_]+"', text)
    return sum(any(f".{module}".endswith(f".{name}") for module in modules) for name in named)


def text_comparisons(tree: ast.Module) -> int:
    """The number of comparisons with a string literal."""
    compares = (node for node in ast.walk(tree) if isinstance(node, ast.Compare))
    return sum(any(holds_text(part) for part in (node.left, *node.comparators)) for node in compares)


def holds_text(node: ast.expr) -> bool:
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return any(isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value != "" for part in parts)


def text_dispatch(tree: ast.Module) -> int:
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "getattr")
    return sum(len(call.args) > 1 and isinstance(call.args[1], ast.JoinedStr) for call in calls)


def closed_sets(tree: ast.Module) -> int:
    """The number of Enum classes and `Literal` types."""
    enums = sum(
        isinstance(node, ast.ClassDef) and any("Enum" in ast.unparse(base) for base in node.bases) for node in ast.walk(tree)
    )
    literals = sum(isinstance(node, ast.Subscript) and getattr(node.value, "id", "") == "Literal" for node in ast.walk(tree))
    return enums + literals


def referees_named_game(tree: ast.Module) -> int:
    """The number of parameters named ``game`` that are annotated with another type than `Game`."""
    arguments = (node for node in ast.walk(tree) if isinstance(node, ast.arg) and node.arg == "game" and node.annotation)
    return sum(not re.search(r"Game\b|\bstr\b|\bAny\b", ast.unparse(argument.annotation or argument)) for argument in arguments)


def counted(action: Callable[[], object]) -> tuple[int, int, int]:
    """Run an action; return the numbers of calls into the package, of functions called and of their files."""
    functions: set[object] = set()
    files: set[str] = set()
    calls = 0

    def profile(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        code = getattr(frame, "f_code", None)
        if event == "call" and code is not None and "/companion/" in code.co_filename:
            calls += 1
            functions.add(code)
            files.add(code.co_filename)

    sys.setprofile(profile)
    try:
        action()
    finally:
        sys.setprofile(None)
    return calls, len(functions), len(files)


def call_figures() -> dict[str, str]:
    """The calls of one typed roll of LZ Albany and of one decision of Phantom Fury's planner, with warm caches."""
    from companion import api

    with api.open_archive(":memory:", practice=True) as archive:
        battle = archive.begin("lzalbany", seed=1, dice="physical", options={"nva": "player", "us": "player"})
        for _ in range(2):
            battle.do("brawl", side="US", attacker="4-3", officers=0, defender="4-3", enemy_officers=0)
            roll = counted(partial(battle.answer, dice=[1] * (battle.question.dice if battle.question else 0)))
            while battle.question is not None:
                battle.answer(accept=True)
        assault = archive.begin("phantomfury", seed=1, accept=True)
        assault.advice()
        decision = counted(assault.advice)
    text = "{} calls of {} functions in {} files"
    return {"one typed roll": text.format(*roll), "one decision of a planner": text.format(*decision)}


def main(arguments: list[str]) -> None:
    roots = [Path(argument) for argument in arguments if not argument.startswith("-")] or [ROOT]
    for root in roots:
        for name, figure in source_figures(root).items():
            sys.stdout.write(f"{name:45}{figure}\n")
    if "--calls" in arguments:
        for name, figure in call_figures().items():
            sys.stdout.write(f"{name:45}{figure}\n")


if __name__ == "__main__":
    main(sys.argv[1:])

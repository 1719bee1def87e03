"""Rule citations in the source, tables and tests of a game."""

from __future__ import annotations

import ast
import io
import tokenize
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from companion.core.rule_map import RULE_NUMBER, cited_clauses, cited_rules


class ClauseTold(NamedTuple):
    """A clause named by a test."""

    rule: str
    clause: str
    test: str


class Citation(NamedTuple):
    """A cited rule and its place."""

    rule: str
    where: str


@cache
def tests_in(folder: Path) -> list[tuple[str, str]]:
    """The name and source of every test function in a folder, without decorators."""
    tests = []
    for path in sorted(folder.rglob("test_*.py")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for node in ast.walk(ast.parse("\n".join(lines))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                tests.append((node.name, "\n".join(lines[node.lineno - 1 : node.end_lineno])))
    return tests


def clauses_told(folder: Path, known: Iterable[str]) -> list[ClauseTold]:
    """Every clause that a test in a folder names."""
    names = list(known)
    return [ClauseTold(rule, key, name) for name, source in tests_in(folder) for rule, key in cited_clauses(source, names)]


@cache
def _texts(path: Path) -> list[tuple[int, str, bool]]:
    """Line number, text and is-comment of every string literal and comment in a module."""
    source = path.read_text(encoding="utf-8")
    constants = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    texts = [(node.lineno, node.value, False) for node in constants if isinstance(node.value, str)]
    tokens = tokenize.generate_tokens(io.StringIO(source).readline) if "#" in source else ()
    return texts + [(token.start[0], token.string, True) for token in tokens if token.type == tokenize.COMMENT]


def in_source(folder: Path, known: Iterable[str], lenient: bool = False) -> list[Citation]:
    """Citations in a Python file or folder: in brackets, or as a string literal that is exactly a rule.

    ``lenient`` ignores literals that only look like a rule and are not in the register, as tests contain many numbers.
    """
    names = set(known)
    citations: list[Citation] = []
    for path in sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]:
        for line, text, is_comment in _texts(path):
            where = f"{path}:{line}"
            citations += [Citation(rule, where) for rule in cited_rules(text, names)]
            if not is_comment and (text in names or (RULE_NUMBER.fullmatch(text) and not lenient)):
                citations.append(Citation(text, where))
    return citations


def _rules_in(data: Any) -> Iterator[str]:
    """Every ``rule`` and every value of ``cites`` at any depth of parsed TOML."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            if key == "rule" and isinstance(value, str):
                yield value
            elif key == "cites" and isinstance(value, Mapping):
                yield from (cite for cite in value.values() if isinstance(cite, str))
            else:
                yield from _rules_in(value)
    elif isinstance(data, list):
        for item in data:
            yield from _rules_in(item)


def in_tables(folder: Path) -> list[Citation]:
    """Citations in the tables of a game, except in the register and the rulings."""
    paths = [path for path in sorted(folder.rglob("*.toml")) if path.name not in ("rules.toml", "rulings.toml")]
    return [Citation(rule, str(path)) for path in paths for rule in _rules_in(tomllib.loads(path.read_text(encoding="utf-8")))]

"""The map of rules to code, made from the source of each game and kept in the docstring of its package.

    python -m tests.support.rule_map [--write] [GAME]...

A rule is carried out by the functions whose docstring opens with it; where there are none, by those that cite it in a
string: first those among the rules, last, and only for want of others, those that list, show or weigh.
"""

from __future__ import annotations

import ast
import sys
import textwrap
import tomllib
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from companion.core.rulemap import BEGIN, END
from companion.games import GAMES
from companion.testing.citations import in_brackets
from tests.support.checkout import ROOT

MOST = 3
WIDTH = 120
LINE = 130
GLUE = "~"
"""Holds a rule and its functions on one line, as long as the map is being written."""
LAST = ("__init__", "game", "byhand", "odds", "bot", "chances", "situations", "advice", "lookahead", "estimate", "facts", "words")
"""Modules that name a rule oftener than they carry it out."""


class Function(NamedTuple):
    """A function or method: its name as ``module:Class.method``, what its docstring opens with, and what it cites anywhere
    with how often.
    """

    name: str
    opens: tuple[str, ...]
    cites: Counter[str]

    @property
    def rank(self) -> int:
        """Whether it is among the rules (0), elsewhere (1), or where rules are listed, shown and weighed (2)."""
        parts = self.name.partition(":")[0].split(".")
        return 0 if parts[0] == "rules" else 2 if set(parts) & set(LAST) else 1

    @property
    def inner(self) -> bool:
        return self.name.replace(".", ":").rpartition(":")[2].startswith("_")


def rules_of(game: str) -> list[str]:
    """The rules of the register, in its order."""
    data = tomllib.loads((ROOT / "tables" / game / "rules.toml").read_text(encoding="utf-8"))
    return [rule["number"] for rule in data["rule"]]


def folder_of(game: str) -> Path:
    return ROOT / Path(*GAMES[game].split("."))


def functions(folder: Path, known: list[str]) -> list[Function]:
    """Every function of a game's modules, those inside another one with it."""
    found: list[Function] = []
    for path in sorted(folder.rglob("*.py")):
        module = ".".join(path.relative_to(folder).with_suffix("").parts)
        for name, node in _defined(ast.parse(path.read_text(encoding="utf-8"))):
            doc = ast.get_docstring(node) or ""
            opening = doc[: doc.index("]") + 1] if doc.startswith("[") and "]" in doc else ""
            found.append(Function(f"{module}:{name}", tuple(in_brackets(opening, known)), _cited(node, known)))
    return found


def _defined(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            inner = (one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))
            yield from ((f"{node.name}.{one.name}", one) for one in inner)


def _cited(node: ast.AST, known: list[str]) -> Counter[str]:
    names = set(known)
    texts = [one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return Counter([text for text in texts if text in names] + [rule for text in texts for rule in in_brackets(text, names)])


def map_of(game: str) -> dict[str, tuple[str, ...]]:
    """Each rule that code carries out, in the register's order, with at most three functions."""
    known = rules_of(game)
    every = functions(folder_of(game), known)
    found: dict[str, tuple[str, ...]] = {}
    for rule in known:
        opened = sorted(
            (one for one in every if rule in one.opens), key=lambda one: (one.rank, one.opens.index(rule), one.inner, one.name)
        )
        citing = sorted(
            (one for one in every if one.cites[rule]), key=lambda one: (one.rank, -one.cites[rule], one.inner, one.name)
        )
        best = next((some for some in (_carried(opened), _carried(citing), opened, citing) if some), [])
        names = [one.name for one in best[:MOST]]
        while len(names) > 1 and len(", ".join((rule, *names))) > WIDTH:
            names.pop()
        if names:
            found[rule] = tuple(names)
    return found


def _carried(some: list[Function]) -> list[Function]:
    """Those that do more than list, show or weigh."""
    return [one for one in some if one.rank < 2]


def write_map(rules: dict[str, tuple[str, ...]]) -> str:
    """The map as it stands in the docstring: an entry a module, those of the rules first, with its rules in their order.

    A rule stands with the module of its first function; neighbours that the same functions carry out stand together.

    >>> print(write_map({"16.7": ("rules.combat:withdraw", "odds:refuge"), "16.8": ("rules.combat:hit",)}).splitlines()[1])
    rules.combat  16.7: withdraw, odds:refuge; 16.8: hit
    """
    modules: dict[str, list[tuple[str, str]]] = {}
    for rule, names in rules.items():
        module = names[0].partition(":")[0]
        modules.setdefault(module, []).append((rule, ", ".join(name.removeprefix(f"{module}:") for name in names)))
    entries = [(module, modules[module]) for module in sorted(modules, key=lambda name: (not name.startswith("rules."), name))]
    return "\n".join([BEGIN, *(_entry(module, items) for module, items in entries), END])


def _entry(module: str, items: list[tuple[str, str]]) -> str:
    alike = groupby(items, key=lambda item: item[1])
    whole = "; ".join(f"{', '.join(rule for rule, _ in some)}: {names}".replace(" ", GLUE) for names, some in alike)
    lines = textwrap.wrap(f"{module}  {whole}", LINE, subsequent_indent="    ", break_on_hyphens=False, break_long_words=False)
    return "\n".join(lines).replace(GLUE, " ")


def with_map(source: str, rules: dict[str, tuple[str, ...]]) -> str:
    """The source of a package with the map in its docstring."""
    doc = ast.get_docstring(ast.parse(source), clean=False) or ""
    before, _, rest = doc.partition(BEGIN)
    after = rest.partition(END)[2]
    mapped = f"{before.rstrip()}\n\n{write_map(rules)}{after.rstrip() or chr(10)}"
    return source.replace(f'"""{doc}"""', f'"""{mapped.rstrip()}\n"""', 1)


def main() -> None:
    for game in [word for word in sys.argv[1:] if not word.startswith("-")] or list(GAMES):
        path = folder_of(game) / "__init__.py"
        if "--write" in sys.argv:
            path.write_text(with_map(path.read_text(encoding="utf-8"), map_of(game)), encoding="utf-8")
        else:
            sys.stdout.write(f"{game}\n{write_map(map_of(game))}\n")


if __name__ == "__main__":
    main()

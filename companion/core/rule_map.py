"""Find the functions that carry out each rule of a game, from the source of the game's package.

A rule is carried out by the functions whose docstring opens with its number. A rule without such a function is listed with
the functions that cite it in a string. Functions in ``rules/`` come first; those that only list, show or value rules come last.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from companion.core.named_tuple import NamedTuple

MOST = 3  # Functions listed for one rule
LAST = frozenset({"__init__", "game", "corrections", "odds", "situations", "ai", "facts", "notation"})
"""Modules and folders that cite a rule more often than they carry it out."""

_BRACKETS = re.compile(r"\[([^\[\]]+)\]")
RULE_NUMBER = re.compile(r"\d+\.\d+(?:\(\w+\))*")
_CLAUSE = re.compile(r"\[([^\[\]:]+): ([a-z][a-z0-9_, ]*)\]")


def cited_rules(text: str, rules: Iterable[str]) -> Iterator[str]:
    """The rules cited in a text: ``[16.8]``, ``[14.5, 14.7]``, ``[18.1 - 18.3]`` (both ends), ``[Search]``; nothing else."""
    names = set(rules)
    yield from (rule for rule, _ in cited_clauses(text, names))
    for inside in _BRACKETS.findall(text):
        parts = [part.strip() for part in re.split(r",| - ", inside)]
        if all(part in names or RULE_NUMBER.fullmatch(part) for part in parts):
            yield from parts


def cited_clauses(text: str, rules: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The clauses cited in a text, each with its rule: ``[16.8: engineer]``, ``[16.8: engineer, bridge]``."""
    names = set(rules)
    for rule, keys in _CLAUSE.findall(text):
        if rule in names or RULE_NUMBER.fullmatch(rule):
            yield from ((rule, key.strip()) for key in keys.split(","))


class Function(NamedTuple):
    """A function or method, named ``module:function`` or ``module:Class.method`` relative to the game's package.

    ``opens`` are the rules that its docstring opens with; ``cites`` counts how often it cites each rule.
    """

    name: str
    opens: tuple[str, ...]
    cites: Counter[str]

    @property
    def rank(self) -> int:
        """0 in ``rules/``, 2 in a module of `LAST`, 1 elsewhere."""
        parts = self.name.partition(":")[0].strip(".").split(".")
        return 0 if parts[0] == "rules" else 2 if set(parts) & LAST else 1

    @property
    def is_private(self) -> bool:
        return self.name.replace(".", ":").rpartition(":")[2].startswith("_")


def functions_of(sources: Iterable[tuple[str, str]], rules: Sequence[str]) -> list[Function]:
    """Every function of some modules, given by name and source; a function inside another one counts as part of it."""
    functions: list[Function] = []
    for module, source in sources:
        for name, node in _definitions(ast.parse(source)):
            doc = ast.get_docstring(node) or ""
            opening = doc[: doc.index("]") + 1] if doc.startswith("[") and "]" in doc else ""
            functions.append(Function(f"{module}:{name}", tuple(cited_rules(opening, rules)), _citations(node, rules)))
    return functions


def rule_map(sources: Iterable[tuple[str, str]], rules: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Each rule that code carries out, in the order of the register, with at most `MOST` functions.

    >>> source = '''
    ... def withdraw(referee):
    ...     "[16.7] Leave the battle."
    ... def hit(referee):
    ...     referee.say("A hit", "16.8")
    ... '''
    >>> rule_map([("rules.combat", source)], ["16.7", "16.8", "16.9"])
    {'16.7': ('rules.combat:withdraw',), '16.8': ('rules.combat:hit',)}
    """
    functions = functions_of(sources, rules)
    carried_out: dict[str, tuple[str, ...]] = {}
    for rule in rules:
        opened = sorted(
            (function for function in functions if rule in function.opens),
            key=lambda function: (function.rank, function.opens.index(rule), function.is_private, function.name),
        )
        citing = sorted(
            (function for function in functions if function.cites[rule]),
            key=lambda function: (function.rank, -function.cites[rule], function.is_private, function.name),
        )
        best = next((group for group in (_acting(opened), _acting(citing), opened, citing) if group), [])
        if best:
            carried_out[rule] = tuple(function.name for function in best[:MOST])
    return carried_out


def _acting(functions: list[Function]) -> list[Function]:
    """Those that do more than list, show or value rules."""
    return [function for function in functions if function.rank < 2]


def _definitions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            methods = (item for item in node.body if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef))
            yield from ((f"{node.name}.{method.name}", method) for method in methods)


def _citations(node: ast.AST, rules: Sequence[str]) -> Counter[str]:
    names = set(rules)
    texts = [item.value for item in ast.walk(node) if isinstance(item, ast.Constant) and isinstance(item.value, str)]
    return Counter([text for text in texts if text in names] + [rule for text in texts for rule in cited_rules(text, names)])

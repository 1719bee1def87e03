"""The modules of a game, or of the program: functions and calls by name, and what is assigned to names."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.support.message_pieces import Call, Each, Module, Resolved, Scope, called, fields_of, own_nodes


class SourceFiles:
    """All modules of a game, or of the program: their functions by name and their calls by name.

    Args:
        files: The modules.
        root: The folder that their names begin in.
        known: Classes of other modules that are called here.
        follow_fields: Follow the fields of named tuples, and methods of any object, by their names alone. The program has too
            many of the same name.
    """

    def __init__(self, files: Iterable[Path], root: Path, known: Mapping[str, ast.ClassDef], follow_fields: bool = True) -> None:
        self.modules: list[Module] = []
        self.functions: dict[str, list[Scope]] = {}
        self.calls: dict[str, list[Call]] = {}
        self.every_call: list[Call] = []
        self.classes: dict[str, ast.ClassDef] = {}
        self._bodies: dict[int, list[ast.AST]] = {}
        self._pairs: dict[int, list[tuple[ast.expr, ast.expr | None]]] = {}
        self._seen: dict[Any, None] = {}
        self._follow_fields = follow_fields
        self._cache: dict[Any, Resolved] = {}
        for path in sorted(files):
            self._read(path, root)
        self.classes |= dict(known)
        self._fields = {name: list(fields_of(definition)) for name, definition in self.classes.items()}
        self._classes_with: dict[str, list[str]] = {}
        for name, definition in self.classes.items() if follow_fields else ():
            for attribute, annotation in fields_of(definition).items():  # the fields of texts alone
                if "str" in annotation or "Text" in annotation:
                    self._classes_with.setdefault(attribute, []).append(name)

    def _read(self, path: Path, root: Path) -> None:
        name = ".".join(path.relative_to(root).with_suffix("").parts)
        module = Module(name, ast.parse(path.read_text(encoding="utf-8")))
        self.modules.append(module)
        for node in module.tree.body:
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        module.values[target.id] = node.value
                    elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                        pairs = zip(target.elts, node.value.elts, strict=False)
                        module.values |= {name.id: value for name, value in pairs if isinstance(name, ast.Name)}
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
                module.values[node.target.id] = node.value
        self._walk(module.tree, Scope(module))

    def _walk(self, node: ast.AST, scope: Scope) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef):
                self.classes[child.name] = child
                self._walk(child, Scope(scope.module, scope.node, scope.above, child.name))
            elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                inner = Scope(scope.module, child, scope, scope.owner)
                self.functions.setdefault(child.name, []).append(inner)
                self._walk(child, inner)
            elif isinstance(child, ast.Lambda):
                self._walk(child, Scope(scope.module, child, scope, scope.owner))
            else:
                if isinstance(child, ast.Call):
                    call = Call(child, scope)
                    self.every_call.append(call)
                    self.calls.setdefault(called(child), []).append(call)
                self._walk(child, scope)

    def _assigned(self, scope: Scope) -> list[tuple[ast.expr, ast.expr | None]]:
        """The targets of a function with their values; None for what cannot be followed."""
        node = scope.node
        if node is None or isinstance(node, ast.Lambda):
            return []
        if id(node) in self._pairs:
            return self._pairs[id(node)]
        if id(node) not in self._bodies:
            self._bodies[id(node)] = list(own_nodes(node))
        pairs: list[tuple[ast.expr, ast.expr | None]] = []
        for item in self._bodies[id(node)]:
            if isinstance(item, ast.Assign):
                pairs += [(target, item.value) for target in item.targets]
            elif (isinstance(item, ast.AnnAssign) and item.value is not None) or isinstance(item, ast.NamedExpr):
                pairs.append((item.target, item.value))
            elif isinstance(item, ast.For | ast.AsyncFor):
                pairs.append((item.target, Each(item.iter)))
            elif isinstance(item, ast.With | ast.AsyncWith):
                pairs += [(one.optional_vars, None) for one in item.items if one.optional_vars is not None]
        self._pairs[id(node)] = pairs
        return pairs

    def _imported(self, module: Module) -> dict[str, str]:
        if not module.imports:
            for node in ast.walk(module.tree):
                if isinstance(node, ast.ImportFrom) and node.module:
                    module.imports |= {(item.asname or item.name): node.module.rpartition(".")[2] for item in node.names}
        return module.imports

    def _argument(self, call: Call, name: str, positional: Sequence[str], is_method: bool) -> ast.expr | None:
        for keyword in call.node.keywords:
            if keyword.arg == name:
                return keyword.value
        args = call.node.args[1:] if called(call.node) == "partial" else call.node.args
        order = positional[1:] if is_method else positional
        if name not in order or any(isinstance(arg, ast.Starred) for arg in args[: order.index(name) + 1]):
            return None
        return args[order.index(name)] if order.index(name) < len(args) else None

    def _functions(self, node: ast.Call | ast.expr, scope: Scope) -> list[Scope]:
        """The functions that a call may mean: of the same module, of the module named before it, or methods of that name."""
        function = node.func if isinstance(node, ast.Call) else node
        if isinstance(function, ast.Name):
            found = self.functions.get(function.id, [])
            own = [item for item in found if item.module is scope.module]
            if own:
                return own
            origin = self._imported(scope.module).get(function.id, "")
            return [item for item in found if origin and item.module.name.rpartition(".")[2] == origin]
        if isinstance(function, ast.Attribute):
            found = self.functions.get(function.attr, [])
            if isinstance(function.value, ast.Name):
                named = [item for item in found if item.module.name.rpartition(".")[2] == function.value.id and not item.owner]
                if named:
                    return named
                if function.value.id in self._imported(scope.module) and function.value.id.islower():
                    return []
            is_self = isinstance(function.value, ast.Name) and function.value.id == "self"
            follows = self._follow_fields or function.attr.endswith("_sentence")
            return [item for item in found if item.owner and (follows or (is_self and item.owner == scope.owner))]
        return []

    def _literal(self, node: ast.expr, scope: Scope) -> ast.expr | None:
        if isinstance(node, ast.Name):
            around: Scope | None = scope
            while around is not None:
                for target, value in self._assigned(around):
                    if isinstance(target, ast.Name) and target.id == node.id:
                        return value
                around = around.above
            return scope.module.values.get(node.id)
        return node

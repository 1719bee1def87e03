"""The templates of the texts that the source writes, found by reading it: where a text goes back to, through names and calls.

A text is followed from where it is used (``say``, an error, a prompt) to the literals that it is made of: local variables, values
of parameters at each call, what functions of the same game return, alternatives and lists. What cannot be followed is an open
field.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence

from tests.support.message_pieces import (
    NOTHING,
    OPEN,
    Call,
    Each,
    Resolved,
    Scope,
    Slot,
    Text,
    called,
    field_name,
    is_class_call,
    is_closed,
    merged,
    own_nodes,
    partial_of,
    renamed,
    returns_number,
    unique,
    unpacked,
)
from tests.support.message_source import SourceFiles

Path_ = tuple[int, ...]
"""The way into a tuple: the first element of a pair is (0,)."""

_DEEPEST = 60
_MOST = 40  # templates of one expression; with more it is an open field
_NUMBERS = {"len", "int", "sum", "abs", "signed", "round", "count"}
_VIEWS = (".views.log.", "_sentence")
"""The lines of events join names alone, and are parts of those with a reason."""
_TRIMS = {"strip", "rstrip", "lstrip", "removesuffix", "removeprefix"}
_NAMES = {"name", "id", "title", "key", "rule", "place", "side", "value", "kind", "face", "piece", "label", "action"}
_SAME = {"evaluate_text", "clean", "str", "shorten", "LazyText", "cast", "tuple", "list", "sorted", "reversed", "dict.fromkeys"}


class Source(SourceFiles):
    """Follows texts through the modules."""

    # -- what an expression can be -------------------------------------------------------------------------------------

    def _resolve_once(self, key: tuple[int, Path_, int], depth: int, resolve: Callable[[], Resolved]) -> Resolved:
        """Return what is cached for a key, or resolve it; a key that is being resolved further out adds nothing to itself."""
        if key in self._cache:
            return self._cache[key]
        if key in self._seen:
            return NOTHING
        if depth > _DEEPEST:
            return OPEN
        self._seen[key] = None
        try:
            resolved = resolve()
        finally:
            del self._seen[key]
        if len(resolved.texts) > _MOST:
            resolved = Resolved(resolved.texts[:_MOST], True)
        self._cache[key] = resolved
        return resolved

    def texts(self, node: ast.expr, scope: Scope, path: Path_ = (), depth: int = 0) -> Resolved:
        """What an expression can be, or an element of a tuple of it."""
        return self._resolve_once(
            (id(node), path, id(scope.node)), depth, lambda: unpacked(self._texts(node, scope, path, depth + 1))
        )

    def _texts(self, node: ast.expr, scope: Scope, path: Path_, depth: int) -> Resolved:
        place = f"{scope.module.name}.{scope.name}" if scope.name else scope.module.name
        match node:
            case ast.Constant(value=str() as value) if not path:
                return Resolved([Text((value,) if value else (), place)])
            case ast.Constant(value=None):
                return NOTHING
            case ast.JoinedStr() if not path:
                return Resolved([self._joined(node, scope, place, depth)])
            case ast.IfExp():
                return self.texts(node.body, scope, path, depth) + self.texts(node.orelse, scope, path, depth)
            case ast.BoolOp():
                return self._sum(self.texts(value, scope, path, depth) for value in node.values)
            case ast.BinOp(op=ast.Add()) if not path:
                return self._product(node, scope, place, depth)
            case ast.Await() | ast.NamedExpr():
                return self.texts(node.value, scope, path, depth)
            case ast.Lambda():
                return self.texts(node.body, Scope(scope.module, node, scope, scope.owner), path, depth)
            case ast.Tuple() | ast.List() if path and not any(isinstance(item, ast.Starred) for item in node.elts):
                return self.texts(node.elts[path[0]], scope, path[1:], depth) if path[0] < len(node.elts) else OPEN
            case ast.Name():
                return self._named(node.id, scope, path, depth)
            case ast.Call():
                return self._called(node, scope, path, depth)
            case ast.Subscript():
                return self._subscript(node, scope, path, depth)
            case ast.Attribute():
                return self._attribute(node, scope, path, depth)
        return OPEN

    def _sum(self, parts: Iterable[Resolved]) -> Resolved:
        total = Resolved([])
        for part in parts:
            total = total + part
        return total

    def _joined(self, node: ast.JoinedStr, scope: Scope, place: str, depth: int) -> Text:
        pieces: list[str | Slot] = []
        names: set[str] = set()
        for value in node.values:
            if isinstance(value, ast.Constant):
                pieces.append(str(value.value))
            elif isinstance(value, ast.FormattedValue):
                slot = self._slot(value, scope, names, depth)
                pieces += slot.pieces if isinstance(slot, Text) else [slot]
        return Text(tuple(merged(pieces)), place)

    def _slot(self, value: ast.FormattedValue, scope: Scope, names: set[str], depth: int) -> Slot | Text:
        """The field of a part of an f-string; its text, if there is one only."""
        form = value.format_spec
        if form is not None:
            spec = "".join(str(item.value) for item in ast.walk(form) if isinstance(item, ast.Constant))
            return Slot(unique(field_name(value.value), names), spec.endswith(("d", "f", "+", ",")))
        return self._slot_of(value.value, scope, names, depth)

    def _slot_of(self, node: ast.expr, scope: Scope, names: set[str], depth: int) -> Slot | Text:
        if self.is_number(node, scope):
            return Slot(unique(field_name(node), names), True)
        resolved = self.texts(node, scope, (), depth)
        if (
            not resolved.is_open
            and len(resolved.texts) == 1
            and all(isinstance(piece, str) for piece in resolved.texts[0].pieces)
        ):
            return resolved.texts[0]
        parts = tuple(
            text
            for text in resolved.texts
            if text.letters or not text.pieces or is_closed(text) or any(view in text.place for view in _VIEWS)
        )
        is_open = resolved.is_open or len(parts) < len(resolved.texts) or not parts
        return Slot(unique(field_name(node), names), False, parts, is_open)

    def is_number(self, node: ast.expr, scope: Scope) -> bool:
        match node:
            case ast.Constant(value=value):
                return isinstance(value, int | float)
            case ast.Call():
                name = called(node)
                if name in _NUMBERS:
                    return True
                found = self._functions(node, scope)
                return bool(found) and all(returns_number(item.node) for item in found)
            case ast.BinOp(op=ast.Sub() | ast.Mult() | ast.FloorDiv() | ast.Div()):
                return True
            case ast.BinOp(op=ast.Add()):
                return self.is_number(node.left, scope) and self.is_number(node.right, scope)
            case ast.IfExp():
                return self.is_number(node.body, scope) and self.is_number(node.orelse, scope)
            case ast.UnaryOp():
                return True
            case ast.Name():
                return self._is_number_name(node.id, scope)
        return False

    def _is_number_name(self, name: str, scope: Scope | None) -> bool:
        while scope is not None:
            if scope.node is not None:
                args = scope.node.args
                for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs):
                    if arg.arg == name:
                        return arg.annotation is not None and ast.unparse(arg.annotation) in ("int", "float")
                values = [value for target, value in self._assigned(scope) if isinstance(target, ast.Name) and target.id == name]
                if values:
                    key = (id(scope.node), (), name)
                    if key in self._seen:
                        return False
                    self._seen[key] = None
                    try:
                        return all(value is not None and self.is_number(value, scope) for value in values)
                    finally:
                        del self._seen[key]
            scope = scope.above
        return False

    def _product(self, node: ast.BinOp, scope: Scope, place: str, depth: int) -> Resolved:
        """The texts of a sum of two: of each pair of them, or a field where one cannot be followed."""
        sides = []
        names: set[str] = set()
        for side in (node.left, node.right):
            resolved = self.texts(side, scope, (), depth)
            if resolved.is_open or len(resolved.texts) > 3:
                slot = self._slot_of(side, scope, names, depth)
                sides.append([slot.pieces if isinstance(slot, Text) else (slot,)])
            else:
                sides.append([text.pieces for text in resolved.texts])
        return Resolved([Text(tuple(merged(renamed([*a, *b]))), place) for a in sides[0] for b in sides[1]])

    # -- names -----------------------------------------------------------------------------------------------------------

    def _named(self, name: str, scope: Scope, path: Path_, depth: int) -> Resolved:
        around: Scope | None = scope
        while around is not None:
            if around.node is not None:
                args = around.node.args
                if name in [arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)]:
                    return self._parameter(name, around, path, depth)
                found = [self._target(target, value, name, path, around, depth) for target, value in self._assigned(around)]
                known = [item for item in found if item is not None]
                if known:
                    return self._added(self._sum(known), name, around, depth)
            around = around.above
        if name in scope.module.values:
            return self.texts(scope.module.values[name], Scope(scope.module), path, depth)
        if name in self.functions and not path:  # a lazy text: the function that makes it
            return self._returned(self._functions(ast.Name(name), scope), path, depth)
        if name in self._imported(scope.module):
            for module in self.modules:
                if name in module.values and module.name.endswith(self._imported(scope.module)[name]):
                    return self.texts(module.values[name], Scope(module), path, depth)
        return OPEN

    def _target(
        self, target: ast.expr, value: ast.expr | None, name: str, path: Path_, scope: Scope, depth: int
    ) -> Resolved | None:
        """What an assignment gives a name; None if it does not."""
        if isinstance(target, ast.Name):
            if target.id != name:
                return None
            if value is None:
                return OPEN
            return (
                self.elements(value.node, scope, path, depth)
                if isinstance(value, Each)
                else self.texts(value, scope, path, depth)
            )
        if isinstance(target, ast.Tuple | ast.List):
            for index, item in enumerate(target.elts):
                if isinstance(item, ast.Starred):
                    continue
                if isinstance(item, ast.Name) and item.id == name:
                    if value is None:
                        return OPEN
                    if isinstance(value, Each):
                        return self.elements(value.node, scope, (index, *path), depth)
                    return self.texts(value, scope, (index, *path), depth)
                if isinstance(item, ast.Tuple) and any(isinstance(one, ast.Name) and one.id == name for one in item.elts):
                    return OPEN
        return None

    def _added(self, texts: Resolved, name: str, scope: Scope, depth: int) -> Resolved:
        """The texts of a name with and without what each ``name += ...`` puts behind them."""
        added = [
            item.value
            for item in self._bodies.get(id(scope.node), ())
            if isinstance(item, ast.AugAssign) and isinstance(item.target, ast.Name) and item.target.id == name
        ]
        for value in added:
            more = self.texts(value, scope, (), depth)
            endings = (
                [text.pieces for text in more.texts]
                if not more.is_open
                else [(Slot(field_name(value), parts=tuple(more.texts)),)]
            )
            longer = [Text(tuple(merged([*text.pieces, *ending])), text.place) for text in texts.texts for ending in endings]
            texts = texts + Resolved(longer, texts.is_open)
        return texts

    def _parameter(self, name: str, scope: Scope, path: Path_, depth: int) -> Resolved:
        """What the calls of a function give for a parameter."""
        node = scope.node
        assert node is not None
        if isinstance(node, ast.Lambda):
            return OPEN
        args = node.args
        positional = [arg.arg for arg in (*args.posonlyargs, *args.args)]
        total = Resolved([])
        defaults = dict(zip(reversed(positional), reversed(args.defaults), strict=False))
        defaults |= {arg.arg: value for arg, value in zip(args.kwonlyargs, args.kw_defaults, strict=True) if value is not None}
        if name in defaults:
            total += self.texts(defaults[name], scope, path, depth)
        is_method = positional[:1] == ["self"]
        calls = self.calls.get(node.name, []) + [
            call for call in self.calls.get("partial", ()) if partial_of(call.node) == node.name
        ]
        if node.name == "__init__":
            calls = self.calls.get(scope.owner, [])
        if not calls:
            return OPEN
        for call in calls:
            given = self._argument(call, name, positional, is_method and not is_class_call(call.node, scope.owner))
            if given is not None:
                total += self.texts(given, call.scope, path, depth)
            elif any(isinstance(arg, ast.Starred) for arg in call.node.args):
                total += self._starred(call, positional.index(name) if name in positional else -1, is_method, path, depth)
        reassigned = [self._target(target, value, name, path, scope, depth) for target, value in self._assigned(scope)]
        return self._added(total + self._sum(item for item in reassigned if item is not None), name, scope, depth)

    def _starred(self, call: Call, index: int, is_method: bool, path: Path_, depth: int) -> Resolved:
        """What ``f(*pair)`` gives for a parameter."""
        args = call.node.args
        star = next(number for number, arg in enumerate(args) if isinstance(arg, ast.Starred))
        within = index - is_method - star
        if index < 0 or within < 0:
            return OPEN
        return self.texts(args[star].value, call.scope, (within, *path), depth)  # type: ignore[attr-defined]

    # -- calls -----------------------------------------------------------------------------------------------------------

    def _called(self, node: ast.Call, scope: Scope, path: Path_, depth: int) -> Resolved:
        name = called(node)
        if name == "plural" and not path and len(node.args) >= 2:
            return self._plural(node, scope, depth)
        if name in _SAME and node.args:
            return self.texts(node.args[0], scope, path, depth)
        if name == "partial" and node.args:
            return self._returned(self._functions(node.args[0], scope), path, depth)
        if name in _TRIMS and isinstance(node.func, ast.Attribute):
            return self._trimmed(self.texts(node.func.value, scope, path, depth), name, node)
        if name == "capitalize" and isinstance(node.func, ast.Attribute):
            return self._capitalized(self.texts(node.func.value, scope, path, depth))
        if name in ("next", "min", "max") and node.args:
            default = self.texts(node.args[1], scope, path, depth) if name == "next" and len(node.args) > 1 else NOTHING
            return self.elements(node.args[0], scope, path, depth) + default
        if name == "get" and isinstance(node.func, ast.Attribute):
            values = self._values(node.func.value, scope, path, depth)
            return values + (self.texts(node.args[1], scope, path, depth) if len(node.args) > 1 else NOTHING)
        if name in self.classes and path:
            return self._of_class(node, name, scope, path, depth)
        return self._returned(self._functions(node, scope), path, depth)

    def _of_class(self, node: ast.Call, name: str, scope: Scope, path: Path_, depth: int) -> Resolved:
        """A field of a named tuple by its index."""
        fields = self._fields[name]
        if path[0] >= len(fields):
            return OPEN
        given = self._argument(Call(node, scope), fields[path[0]], fields, False)
        return self.texts(given, scope, path[1:], depth) if given is not None else OPEN

    def _returned(self, functions: Sequence[Scope], path: Path_, depth: int) -> Resolved:
        if not functions:
            return OPEN
        total = Resolved([], any(function.owner for function in functions) and not self._follow_fields)  # a game may override it
        for function in functions:
            if function.node is None or isinstance(function.node, ast.Lambda):
                return OPEN
            if id(function.node) not in self._bodies:
                self._bodies[id(function.node)] = list(own_nodes(function.node))
            for item in self._bodies[id(function.node)]:
                if isinstance(item, ast.Return) and item.value is not None:
                    total += self.texts(item.value, function, path, depth)
        return total

    def returned(self, function: Scope) -> Resolved:
        """What a function returns."""
        return self._returned([function], (), 0)

    def _plural(self, node: ast.Call, scope: Scope, depth: int) -> Resolved:
        """``plural(count, noun, many)`` as two templates; a noun that cannot be followed is a field."""
        place = f"{scope.module.name}.{scope.name}"
        name = field_name(node.args[0])
        count = Slot(name if name.isidentifier() else "count", True)
        nouns: list[tuple[str | Slot, ...]] = []
        for argument in node.args[1:3]:
            resolved = self.texts(argument, scope, (), depth)
            nouns += [text.pieces for text in resolved.texts] if not resolved.is_open else [(Slot("noun"),)]
        if len(node.args) < 3:
            nouns += [(*noun, "s") for noun in list(nouns)]
        return Resolved([Text(tuple(merged([count, " ", *noun])), place) for noun in dict.fromkeys(nouns)])

    def _trimmed(self, resolved: Resolved, name: str, node: ast.Call) -> Resolved:
        chars = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else " "
        texts = []
        for text in resolved.texts:
            pieces = list(text.pieces)
            if pieces and isinstance(pieces[0], str) and name in ("strip", "lstrip"):
                pieces[0] = pieces[0].lstrip(str(chars))
            if pieces and isinstance(pieces[-1], str) and name in ("strip", "rstrip"):
                pieces[-1] = pieces[-1].rstrip(str(chars))
            if pieces and isinstance(pieces[-1], str) and name == "removesuffix":
                pieces[-1] = pieces[-1].removesuffix(str(chars))
            texts.append(Text(tuple(piece for piece in pieces if piece), text.place))
        return Resolved(texts, resolved.is_open)

    def _capitalized(self, resolved: Resolved) -> Resolved:
        texts = []
        for text in resolved.texts:
            first = text.pieces[0] if text.pieces else None
            pieces = (first[:1].upper() + first[1:], *text.pieces[1:]) if isinstance(first, str) else text.pieces
            texts.append(Text(pieces, text.place))
        return Resolved(texts, resolved.is_open)

    def _values(self, node: ast.expr, scope: Scope, path: Path_, depth: int) -> Resolved:
        """The values of a dict literal that a name stands for."""
        literal = self._literal(node, scope)
        if isinstance(literal, ast.Dict):
            return self._sum(self.texts(value, Scope(scope.module), path, depth) for value in literal.values)
        return OPEN

    def _subscript(self, node: ast.Subscript, scope: Scope, path: Path_, depth: int) -> Resolved:
        index = node.slice
        literal = self._literal(node.value, scope)
        if isinstance(literal, ast.Dict):
            return self._values(node.value, scope, path, depth)
        if isinstance(literal, ast.Tuple | ast.List) and not isinstance(index, ast.Constant):
            return self._sum(self.texts(item, scope, path, depth) for item in literal.elts)
        if isinstance(index, ast.Constant) and isinstance(index.value, int) and index.value >= 0:
            return self.texts(node.value, scope, (index.value, *path), depth)
        return OPEN

    def _attribute(self, node: ast.Attribute, scope: Scope, path: Path_, depth: int) -> Resolved:
        """A constant of another module of the game, ``state.NAME``; a field that is given where its class is called."""
        if isinstance(node.value, ast.Name):
            for module in self.modules:
                if module.name.rpartition(".")[2] == node.value.id and node.attr in module.values:
                    return self.texts(module.values[node.attr], Scope(module), path, depth)
        return OPEN if node.attr in _NAMES else self._given_to_classes(node.attr, path, depth, self.texts)

    def _given_to_classes(self, attribute: str, path: Path_, depth: int, follow: Callable[..., Resolved]) -> Resolved:
        """What the calls of classes give for a field of this name."""
        total = Resolved([], True)
        for name in self._classes_with.get(attribute, ()):
            for call in self.calls.get(name, ()):
                given = self._argument(call, attribute, self._fields[name], False)
                if given is not None:
                    total += follow(given, call.scope, path, depth)
        return total

    # -- elements of lists -------------------------------------------------------------------------------------------------

    def elements(self, node: ast.expr, scope: Scope, path: Path_ = (), depth: int = 0) -> Resolved:
        """What the elements of a list or another iterable can be."""
        return self._resolve_once(
            (id(node), (-1, *path), id(scope.node)), depth, lambda: self._elements(node, scope, path, depth + 1)
        )

    def _elements(self, node: ast.expr, scope: Scope, path: Path_, depth: int) -> Resolved:
        match node:
            case ast.Tuple() | ast.List() | ast.Set():
                return self._sum(
                    self.elements(item.value, scope, path, depth)
                    if isinstance(item, ast.Starred)
                    else self.texts(item, scope, path, depth)
                    for item in node.elts
                )
            case ast.Dict() if not path:
                return self._sum(self.texts(item, scope, path, depth) for item in node.keys if item is not None)
            case ast.Dict() if path[0] == 1:
                return self._sum(self.texts(item, scope, path[1:], depth) for item in node.values)
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
                return self.texts(node.elt, scope, path, depth)
            case ast.IfExp():
                return self.elements(node.body, scope, path, depth) + self.elements(node.orelse, scope, path, depth)
            case ast.BoolOp():
                return self._sum(self.elements(value, scope, path, depth) for value in node.values)
            case ast.BinOp(op=ast.Add()):
                return self.elements(node.left, scope, path, depth) + self.elements(node.right, scope, path, depth)
            case ast.Await() | ast.NamedExpr():
                return self.elements(node.value, scope, path, depth)
            case ast.Call():
                return self._called_elements(node, scope, path, depth)
            case ast.Name():
                return self._list(node.id, scope, path, depth)
            case ast.Attribute():
                return self._given_to_classes(node.attr, path, depth, self.elements)
        return OPEN

    def _called_elements(self, node: ast.Call, scope: Scope, path: Path_, depth: int) -> Resolved:
        name = called(node)
        if name in _SAME | {"filter"} and node.args:
            return self.elements(node.args[-1], scope, path, depth)
        if name == "map" and len(node.args) > 1:
            return self._returned(self._functions(node.args[0], scope), path, depth)
        if name in ("values", "items") and isinstance(node.func, ast.Attribute):
            literal = self._literal(node.func.value, scope)
            if isinstance(literal, ast.Dict):
                inner = path[1:] if name == "items" and path[:1] == (1,) else path
                return self._sum(self.texts(value, scope, inner, depth) for value in literal.values)
        total = Resolved([])
        functions = self._functions(node, scope)
        for function in functions:
            if function.node is None or isinstance(function.node, ast.Lambda):
                return OPEN
            if id(function.node) not in self._bodies:
                self._bodies[id(function.node)] = list(own_nodes(function.node))
            for item in self._bodies[id(function.node)]:
                if isinstance(item, ast.Return) and item.value is not None:
                    total += self.elements(item.value, function, path, depth)
                elif isinstance(item, ast.Yield) and item.value is not None:
                    total += self.texts(item.value, function, path, depth)
                elif isinstance(item, ast.YieldFrom):
                    total += self.elements(item.value, function, path, depth)
        return total if functions else OPEN

    def _list(self, name: str, scope: Scope, path: Path_, depth: int) -> Resolved:
        """The elements of a list by its name: at its assignment, and what is added to it."""
        around: Scope | None = scope
        while around is not None:
            node = around.node
            if node is not None and not isinstance(node, ast.Lambda):
                pairs = [
                    (target, value)
                    for target, value in self._assigned(around)
                    if isinstance(target, ast.Name) and target.id == name
                ]
                indexed = [
                    (index, value)
                    for target, value in self._assigned(around)
                    if isinstance(target, ast.Tuple)
                    for index, item in enumerate(target.elts)
                    if isinstance(item, ast.Name) and item.id == name
                ]
                starred = [
                    (index, value)
                    for target, value in self._assigned(around)
                    if isinstance(target, ast.Tuple) and value is not None
                    for index, item in enumerate(target.elts)
                    if isinstance(item, ast.Starred) and isinstance(item.value, ast.Name) and item.value.id == name
                ]
                args = node.args
                names = [
                    arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs, *([args.vararg] if args.vararg else []))
                ]
                if pairs or name in names or indexed or starred:
                    total = self._sum(
                        self.elements(value, around, path, depth) for _, value in pairs if isinstance(value, ast.expr)
                    )
                    total += self._appended(name, around, path, depth)
                    for index, value in indexed:
                        total += self._indexed_elements(value, index, around, path, depth)
                    for index, value in starred:
                        more = [self.texts(value, around, (place,), depth) for place in range(index, index + 4)]
                        total += Resolved([text for item in more for text in item.texts])
                    if name in names:
                        total += self._list_parameter(name, around, path, depth)
                    return total
            around = around.above
        if name in scope.module.values:
            return self.elements(scope.module.values[name], Scope(scope.module), path, depth)
        return OPEN

    def _indexed_elements(self, value: ast.expr | None, index: int, scope: Scope, path: Path_, depth: int) -> Resolved:
        """The elements of a list within a tuple that is assigned."""
        if isinstance(value, ast.Await):
            value = value.value
        if isinstance(value, ast.Tuple) and index < len(value.elts):
            return self.elements(value.elts[index], scope, path, depth)
        total = Resolved([])
        for function in self._functions(value, scope) if isinstance(value, ast.Call) else ():
            for item in own_nodes(function.node) if function.node is not None else ():
                if isinstance(item, ast.Return) and isinstance(item.value, ast.Tuple) and index < len(item.value.elts):
                    total += self.elements(item.value.elts[index], function, path, depth)
        return total if total.texts else OPEN

    def _appended(self, name: str, scope: Scope, path: Path_, depth: int) -> Resolved:
        total = Resolved([])
        for item in self._bodies.get(id(scope.node), ()):
            match item:
                case ast.AugAssign(target=ast.Name(id=target)) if target == name:
                    total += self.elements(item.value, scope, path, depth)
                case ast.Call(func=ast.Attribute(value=ast.Name(id=target), attr="append")) if target == name:
                    total += self.texts(item.args[0], scope, path, depth)
                case ast.Call(func=ast.Attribute(value=ast.Name(id=target), attr="extend")) if target == name:
                    total += self.elements(item.args[0], scope, path, depth)
                case ast.Call(func=ast.Attribute(value=ast.Name(id=target), attr="insert")) if target == name:
                    total += self.texts(item.args[1], scope, path, depth)
        return total

    def _list_parameter(self, name: str, scope: Scope, path: Path_, depth: int) -> Resolved:
        node = scope.node
        assert node is not None and not isinstance(node, ast.Lambda)
        args = node.args
        positional = [arg.arg for arg in (*args.posonlyargs, *args.args)]
        is_method = positional[:1] == ["self"]
        total = Resolved([])
        for call in self.calls.get(node.name, []) if node.name != "__init__" else self.calls.get(scope.owner, []):
            if args.vararg and args.vararg.arg == name:
                first = len(positional) - is_method
                for arg in call.node.args[first:]:
                    total += (
                        self.elements(arg.value, call.scope, path, depth)
                        if isinstance(arg, ast.Starred)
                        else self.texts(arg, call.scope, path, depth)
                    )
                continue
            given = self._argument(call, name, positional, is_method)
            total += self.elements(given, call.scope, path, depth) if given is not None else NOTHING
        return total

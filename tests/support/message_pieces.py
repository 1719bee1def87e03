"""Templates of texts that are found in the source, and what is read of a function or an expression without following it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

_OF_FIRST = {
    *(
        "plural",
        "title",
        "str",
        "len",
        "int",
        "abs",
        "clean",
        "signed",
        "sorted",
        "sum",
        "map",
        "filter",
        "fromkeys",
        "get",
        "next",
    ),
    *("evaluate_text", "min", "max", "list", "tuple", "set", "round", "dict", "reversed", "place_title", "enumerate"),
}
"""Functions that give a field the name of what they are given."""


@dataclass(frozen=True)
class Slot:
    """A field of a template: its name, whether it is a number, its alternatives and whether there may be others."""

    name: str
    is_number: bool = False
    parts: tuple[Text, ...] = ()
    is_open: bool = True


@dataclass(frozen=True)
class Text:
    """A template: literals and fields, and the place that it was written at."""

    pieces: tuple[str | Slot, ...]
    place: str = field(default="", compare=False)

    @property
    def skeleton(self) -> str:
        return "".join(piece if isinstance(piece, str) else "\0" for piece in self.pieces)

    @property
    def letters(self) -> int:
        return sum(char.isalnum() for piece in self.pieces if isinstance(piece, str) for char in piece)


@dataclass
class Resolved:
    """What an expression can be: templates, and whether it can be something else."""

    texts: list[Text]
    is_open: bool = False

    def __add__(self, other: Resolved) -> Resolved:
        texts = list(dict.fromkeys([*self.texts, *other.texts]))
        return Resolved(texts, self.is_open or other.is_open)


OPEN = Resolved([], True)
NOTHING = Resolved([], False)


@dataclass
class Scope:
    """A function with its module and the functions around it."""

    module: Module
    node: Function | None = None
    above: Scope | None = None
    owner: str = ""

    @property
    def name(self) -> str:
        if self.node is None or isinstance(self.node, ast.Lambda):
            return self.above.name if self.above else ""
        return self.node.name


@dataclass
class Module:
    """A file with its functions and module-level values."""

    name: str
    tree: ast.Module
    values: dict[str, ast.expr] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    """Name -> the last part of the module or of the name that it is imported from."""


@dataclass
class Call:
    node: ast.Call
    scope: Scope


class Each(ast.expr):
    """The value of a loop's variable: each element of an expression."""

    def __init__(self, node: ast.expr) -> None:
        super().__init__()
        self.node = node


def fields_of(definition: ast.ClassDef) -> dict[str, str]:
    """The fields of a named tuple with their types."""
    nodes = (item for item in definition.body if isinstance(item, ast.AnnAssign))
    return {node.target.id: ast.unparse(node.annotation) for node in nodes if isinstance(node.target, ast.Name)}


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function without those of functions in it; comprehensions are its own."""
    for child in ast.iter_child_nodes(function):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        yield child
        if isinstance(child, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp):
            for generator in child.generators:
                yield ast.For(generator.target, generator.iter, [], [])
        yield from own_nodes(child)


def called(node: ast.Call) -> str:
    """The name of what is called, without what stands before it."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""


def partial_of(node: ast.Call) -> str:
    first = node.args[0] if node.args else None
    return first.attr if isinstance(first, ast.Attribute) else first.id if isinstance(first, ast.Name) else ""


def is_class_call(node: ast.Call, owner: str) -> bool:
    """True for ``Class.method(instance, ...)``."""
    return isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id == owner


def returns_number(node: Function | None) -> bool:
    annotation = None if node is None or isinstance(node, ast.Lambda) else node.returns
    return annotation is not None and ast.unparse(annotation) in ("int", "float")


def is_closed(text: Text) -> bool:
    """True if each field is a number or one of its parts; a text of names alone is no message."""
    slots = [piece for piece in text.pieces if isinstance(piece, Slot)]
    return any(slot.parts for slot in slots) and all(slot.is_number or not slot.is_open for slot in slots)


def field_name(node: ast.expr) -> str:
    """The name of a field by its expression: of the variable, of the attribute, or of what is called."""
    match node:
        case ast.Name():
            return node.id.strip("_").lower() or "value"
        case ast.Attribute():
            inner = field_name(node.value) if node.attr in ("name", "title", "text", "id") else ""
            return inner if inner and inner not in ("self", "value") else node.attr.strip("_").lower()
        case ast.Call():
            name = called(node)
            if name in _OF_FIRST and node.args:
                return field_name(node.args[-1] if name in ("map", "filter") else node.args[0])
            if name == "join" and node.args:
                return field_name(node.args[0])
            if name in (
                "capitalize",
                "title",
                "casefold",
                "strip",
                "rstrip",
                "lower",
                "upper",
                "replace",
                "removesuffix",
                "partition",
            ):
                return field_name(node.func.value)  # type: ignore[attr-defined]
            return name.strip("_").lower() or "value"
        case ast.Subscript() | ast.Starred() | ast.Await() | ast.NamedExpr():
            return field_name(node.value)
        case ast.IfExp():
            return field_name(node.test)
        case ast.BoolOp():
            return field_name(node.values[0])
        case ast.Compare() | ast.BinOp():
            return field_name(node.left)
        case ast.UnaryOp():
            return field_name(node.operand)
        case ast.ListComp() | ast.GeneratorExp():
            return field_name(node.elt)
    return "value"


def unique(name: str, names: set[str]) -> str:
    """The name, with a number if it is taken."""
    free = name if name.isidentifier() else "value"
    stem, number = free, 2
    while free in names:
        free, number = f"{stem}_{number}", number + 1
    names.add(free)
    return free


def unpacked(resolved: Resolved) -> Resolved:
    """The alternatives of a field in place of a text that is nothing but this field."""
    texts: list[Text] = []
    is_open = resolved.is_open
    for text in resolved.texts:
        only = text.pieces[0] if len(text.pieces) == 1 else None
        if isinstance(only, Slot) and not only.is_number:
            texts += only.parts
            is_open = is_open or only.is_open
        else:
            texts.append(text)
    return Resolved(list(dict.fromkeys(texts)), is_open)


def renamed(pieces: Sequence[str | Slot]) -> list[str | Slot]:
    """The pieces with a name of its own for each field."""
    names: set[str] = set()
    return [
        piece if isinstance(piece, str) else Slot(unique(piece.name, names), piece.is_number, piece.parts, piece.is_open)
        for piece in pieces
    ]


def merged(pieces: Iterable[str | Slot]) -> list[str | Slot]:
    """Neighbouring literals as one, each field with a name of its own."""
    joined: list[str | Slot] = []
    for piece in pieces:
        if isinstance(piece, str) and joined and isinstance(joined[-1], str):
            joined[-1] += piece
        elif piece != "":
            joined.append(piece)
    return renamed(joined)

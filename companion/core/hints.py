"""The names of `typing` for annotations and the bases of classes, without the cost of importing it.

Before Python 3.13 `typing` imports `re`, and alone it takes two thirds of the time that a bare interpreter takes to start. The
modules that a status loads import these names from here; what they are bound to at run time says nothing of the types.
"""

TYPE_CHECKING = False


class _Annotated:
    field: int


try:
    from _collections import _tuplegetter  # type: ignore[import-not-found]  # noqa: F401 - CPython has what `named_tuple` needs
except ImportError:
    HAS_TYPING = True
else:
    HAS_TYPING = "__annotations__" not in vars(_Annotated)  # from Python 3.14 on they are not in the body of a class

if TYPE_CHECKING or HAS_TYPING:
    from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Literal, NoReturn, Protocol, Self, TypeVar, cast
else:

    class Generic:
        """A base that takes any parameters."""

        __slots__ = ()

        def __class_getitem__(cls, parameters):
            return cls

    class Protocol(Generic):
        """A base of classes that are only named in annotations."""

        __slots__ = ()

    class ClassVar(Generic):
        """A name that annotations use with parameters."""

    class Final(Generic):
        """As `ClassVar`."""

    class Literal(Generic):
        """As `ClassVar`."""

    Any = NoReturn = Self = object

    def TypeVar(name, *constraints, **settings):
        """Return what can stand for any type."""
        return object

    def cast(kind, value):
        """Return the value."""
        return value


__all__ = [
    "HAS_TYPING",
    "TYPE_CHECKING",
    "Any",
    "ClassVar",
    "Final",
    "Generic",
    "Literal",
    "NoReturn",
    "Protocol",
    "Self",
    "TypeVar",
    "cast",
]

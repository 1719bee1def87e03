"""Our named tuples are those of ``typing``, made faster."""

import pickle
import typing
from typing import Any, Generic, TypeVar

import pytest

from companion.core import named_tuple

T = TypeVar("T")


def _classes(base: Any) -> tuple[Any, Any, Any, Any]:
    class Pair(base):
        first: int
        second: str = "b"

        @property
        def both(self) -> str:
            return f"{self.first}{self.second}"

    class Holder(base, Generic[T]):
        held: T

    class Child(Pair):
        pass

    class Wide(base):
        a: int
        b: int
        c: int
        d: int
        e: int
        f: int
        g: int
        h: int
        i: int
        j: int
        k: int
        m: int
        n: int
        o: int = 15

    return Pair, Holder, Child, Wide


def _raised(work: Any) -> str:
    with pytest.raises((TypeError, ValueError, AttributeError)) as error:
        work()
    return f"{error.type.__name__}: {error.value}".partition("<locals>.")[2] or f"{error.type.__name__}: {error.value}"


@pytest.mark.parametrize(
    "work",
    [
        lambda pair, *_: (pair(1), pair(1, "x"), pair(second="x", first=2), pair(*(1, "y"))),
        lambda pair, *_: (pair._fields, pair._field_defaults, pair.__match_args__, pair.__slots__, pair.__annotations__),
        lambda pair, *_: (pair(1).first, pair(1).both, pair(1)._asdict(), pair(3)._replace(second="c"), pair._make((4, "d"))),
        lambda pair, *_: (repr(pair(1)), pair(1) == (1, "b"), hash(pair(1)), pair(1).__getnewargs__(), [*pair(1)]),
        lambda pair, *_: (hasattr(pair(1), "__dict__"), type(pair), pair.__module__),
        lambda pair, *_: pair.__new__.__annotations__["first"],
        lambda pair, holder, child, wide: (
            holder("x").held,
            holder[int](3),
            child(1)._replace(first=2),
            hasattr(child(1), "__dict__"),
        ),
        lambda pair, holder, child, wide: (
            child(5).both,
            repr(child(5)),
            wide(*range(13)),
            wide(*range(14)).o,
            tuple(wide(*range(13))),
        ),
        lambda pair, *_: _raised(pair),
        lambda pair, *_: _raised(lambda: pair(1, "a", 3)),
        lambda pair, *_: _raised(lambda: pair(1, third=3)),
        lambda pair, *_: _raised(lambda: pair(1)._replace(third=3)),
        lambda pair, *_: _raised(lambda: pair._make((1,))),
        lambda pair, *_: _raised(lambda: setattr(pair(1), "first", 2)),
    ],
)
def test_they_do_what_those_of_typing_do(work: Any) -> None:
    assert repr(work(*_classes(named_tuple.NamedTuple))) == repr(work(*_classes(typing.NamedTuple)))


class Stored(named_tuple.NamedTuple):
    number: int
    text: str = ""


def test_they_are_pickled_and_matched() -> None:
    assert pickle.loads(pickle.dumps(Stored(3, "x"))) == Stored(3, "x") and type(pickle.loads(pickle.dumps(Stored(3)))) is Stored
    match Stored(4):
        case Stored(number, text):
            assert (number, text) == (4, "")


def test_a_field_without_a_default_does_not_follow_one_with_a_default() -> None:
    with pytest.raises(TypeError, match="default"):

        class Wrong(named_tuple.NamedTuple):
            first: int = 1
            second: str

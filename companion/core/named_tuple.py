"""`NamedTuple` as in `typing`, made in a fifth of the time: a short command makes dozens of these classes when it starts."""

from companion.core.hints import HAS_TYPING, TYPE_CHECKING

__all__ = ["NamedTuple"]

if TYPE_CHECKING or HAS_TYPING:
    from typing import NamedTuple
else:
    from _collections import _tuplegetter
    from types import FunctionType

    _tuple_new = tuple.__new__

    # `collections.namedtuple` compiles such a function for each class; here it is copied, with the names of the fields
    _MAKERS = (
        lambda _cls: _tuple_new(_cls, ()),
        lambda _cls, a: _tuple_new(_cls, (a,)),
        lambda _cls, a, b: _tuple_new(_cls, (a, b)),
        lambda _cls, a, b, c: _tuple_new(_cls, (a, b, c)),
        lambda _cls, a, b, c, d: _tuple_new(_cls, (a, b, c, d)),
        lambda _cls, a, b, c, d, e: _tuple_new(_cls, (a, b, c, d, e)),
        lambda _cls, a, b, c, d, e, f: _tuple_new(_cls, (a, b, c, d, e, f)),
        lambda _cls, a, b, c, d, e, f, g: _tuple_new(_cls, (a, b, c, d, e, f, g)),
        lambda _cls, a, b, c, d, e, f, g, h: _tuple_new(_cls, (a, b, c, d, e, f, g, h)),
        lambda _cls, a, b, c, d, e, f, g, h, i: _tuple_new(_cls, (a, b, c, d, e, f, g, h, i)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j: _tuple_new(_cls, (a, b, c, d, e, f, g, h, i, j)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k: _tuple_new(_cls, (a, b, c, d, e, f, g, h, i, j, k)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m: _tuple_new(_cls, (a, b, c, d, e, f, g, h, i, j, k, m)),
    )

    def _maker(count):
        if count < len(_MAKERS):
            return _MAKERS[count]
        from collections import namedtuple

        return namedtuple("Wide", [f"field{number}" for number in range(count)]).__new__

    class _Fields(tuple):
        """The methods of every named tuple."""

        __slots__ = ()

        @classmethod
        def _make(cls, values):
            made = _tuple_new(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **changes):
            made = _tuple_new(type(self), map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"Got unexpected field names: {list(changes)!r}")
            return made

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            return (
                f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in zip(self._fields, self, strict=True))})"
            )

        def __getnewargs__(self):
            return tuple(self)

    class _NamedTupleMaker(type):
        """Makes a plain class, as `typing` does."""

        def __new__(cls, name, bases, body):
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            if fields[len(fields) - len(defaults) :] != tuple(defaults):
                raise TypeError(f"{name}: a field without a default follows one with a default")
            code = _maker(len(fields)).__code__
            code = code.replace(co_name="__new__", co_qualname=f"{name}.__new__", co_varnames=("_cls", *fields))
            body["__new__"] = FunctionType(code, globals(), "__new__", tuple(defaults.values()))
            body["__new__"].__annotations__ = dict(body.get("__annotations__", ()))
            body.update({field: _tuplegetter(index, f"Alias for field number {index}") for index, field in enumerate(fields)})
            body.update(_fields=fields, _field_defaults=defaults, __match_args__=fields, __slots__=())
            return type(name, tuple(_Fields if base is NamedTuple else base for base in bases), body)

    NamedTuple = type.__new__(_NamedTupleMaker, "NamedTuple", (), {})

"""Driving a procedure: a coroutine that yields requests and is sent replies. No asyncio, a few lines."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from companion.core.effects import Effect

if TYPE_CHECKING:
    from companion.core.referee import Referee
    from companion.core.request import Request

R = TypeVar("R")

if TYPE_CHECKING:
    Procedure = Coroutine[Request[Any] | Effect[Any], Any, R]
else:  # what only looks at a game loads no questions
    Procedure = Coroutine[Any, Any, R]

EffectHandler = Callable[[Effect[Any]], Any]
"""Carries an effect out and returns what comes of it."""


class GameOver(Exception):
    """The game ends in the midst of an action; what has happened so far stands."""


async def until_game_over(procedure: Callable[[Any], Procedure[R]], referee: Any) -> R | None:
    """Run a procedure; None if the game ends in the middle of it."""
    try:
        return await procedure(referee)
    except GameOver:
        return None


@cache
def _loaded(package: str, where: str) -> Callable[[Any], Procedure[Any]]:
    from importlib import import_module

    module, _, name = where.partition(":")
    function: Callable[[Any], Procedure[Any]] = getattr(import_module(f"{package}.{module}"), name)
    return function


class Named:
    """A procedure of a game's folder by name, ``module:function``. Its module is loaded when it is first carried out, so that
    a look at the status loads no rules. The game may end in the midst of it.
    """

    __slots__ = ("package", "where")

    def __init__(self, package: str, where: str) -> None:
        self.package = package
        self.where = where

    def __call__(self, referee: Any) -> Procedure[Any]:
        return self._run(referee)

    def found(self) -> Callable[[Any], Procedure[Any]]:
        """The function itself."""
        return _loaded(self.package, self.where)

    async def _run(self, referee: Any) -> Any:
        try:
            return await self.found()(referee)
        except GameOver:
            return None


class ProcedureRun(Generic[R]):
    """A procedure under way. ``request`` is what it waits for; None when it is done.

    Args:
        referee: what the procedure holds in its hands.
        procedure: the coroutine.
        books: carries out what the procedure does outside the table; without them, it is as if nobody kept any.
        anyway: insist on what it does before its first question.
    """

    __slots__ = ("_books", "_procedure", "referee", "request", "result")

    def __init__(
        self, referee: Referee, procedure: Procedure[R], books: EffectHandler | None = None, anyway: bool = False
    ) -> None:
        self.referee = referee
        self.request: Request[Any] | None = None
        self.result: R | None = None
        self._procedure = procedure
        self._books = books or Effect.default_result
        self._advance(None, anyway)

    def send(self, value: Any, anyway: bool = False) -> None:
        """Give a reply that the request has checked, and go on to the next request or to the end."""
        self._advance(value, anyway)

    def _advance(self, value: Any, anyway: bool) -> None:
        self.referee.anyway = anyway
        try:
            found = self._procedure.send(value)
            while isinstance(found, Effect):
                found = self._procedure.send(self._books(found))
            self.request = found
        except StopIteration as end:
            self.request = None
            self.result = end.value
            self._let_go()
        except BaseException:
            self._let_go()
            raise

    def _let_go(self) -> None:
        """Forget the books, which mostly know this run in turn: such a circle would lie about until the collector of garbage
        comes round, with all that it holds.
        """
        self._books = Effect.default_result

    @property
    def done(self) -> bool:
        return self.request is None

    def close(self) -> None:
        self._procedure.close()
        self._let_go()

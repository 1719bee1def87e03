"""Driving a procedure: a coroutine that yields requests and is sent replies. No asyncio, a few lines."""

from collections.abc import Callable, Coroutine, Generator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple, TypeVar, cast

from companion.core.errors import Unreadable
from companion.core.values import ReplyValue

if TYPE_CHECKING:
    from companion.core.referee import Referee
    from companion.core.request import AnyRequest

T = TypeVar("T")

Source = Literal[
    "typed",
    "scripted",
    "suggested",
    "computer",
    "only",
    "remembered",
    "rulebook",
    "sample",
    "learnt",
    "priorities",
    "playouts",
    "tried",
]
"""Where a reply comes from, as it is stored."""

INFERRED: Source = "learnt"
"""Reply source: play has shown a printed fact of the map."""

FORCED: Source = "only"
"""Reply source: the question had exactly one legal answer."""


class ResolvedReply(NamedTuple):
    """A reply before it is sent: its value, where it comes from, and a printed fact that it tells (key, value)."""

    value: ReplyValue
    source: Source
    new_fact: tuple[str, str] | None = None
    anyway: bool = False


class Effect(Generic[T]):
    """One of the kinds below.

    Attributes:
        key: stable name, as it stands in the log.
        rule: the rule that needs it.
    """

    kind: ClassVar[str] = ""
    stored: ClassVar[bool] = True
    __slots__ = ("key", "rule")

    def __init__(self, key: str, rule: str) -> None:
        self.key = key
        self.rule = rule

    def __await__(self) -> "Generator[Effect[T], Any, T]":
        found = yield self
        return cast(T, found)

    def resolve(self, facts: Mapping[str, str]) -> ResolvedReply:
        """What comes of it, by the printed facts that are known (full key -> value)."""
        raise NotImplementedError

    def default_result(self) -> T:
        """What comes of it where nobody keeps any books."""
        return cast(T, self.resolve({}).value)

    def check(self, value: ReplyValue) -> T:
        """What was stored, if it can be that. Raises Unreadable."""
        raise NotImplementedError

    def _invalid(self, value: ReplyValue) -> Unreadable:
        return Unreadable(f"{str(value)[:80]!r} is not what '{self.key}' gives", rule=self.rule)


AnyEffect = Effect[Any]
"""An effect whatever its result."""


class KnownFacts(Effect[Mapping[str, str]]):
    """Everything that the owner has told of one kind of printed fact: key after the colon -> value."""

    kind = "known"
    __slots__ = ("fact",)

    def __init__(self, fact: str, rule: str) -> None:
        super().__init__(f"known {fact}", rule)
        self.fact = fact

    def resolve(self, facts: Mapping[str, str]) -> ResolvedReply:
        lead = f"{self.fact}:"
        return ResolvedReply({key[len(lead) :]: value for key, value in facts.items() if key.startswith(lead)}, "remembered")

    def check(self, value: ReplyValue) -> Mapping[str, str]:
        if not isinstance(value, Mapping) or not all(isinstance(item, str) for item in value.values()):
            raise self._invalid(value)
        return dict(value)


class RecordFact(Effect[str]):
    """A printed fact that the player has just typed in passing: it is remembered."""

    kind = "tell"
    __slots__ = ("fact", "value")

    def __init__(self, fact: str, value: str, rule: str) -> None:
        super().__init__(f"tell {fact}", rule)
        self.fact = fact
        self.value = value

    def resolve(self, facts: Mapping[str, str]) -> ResolvedReply:
        return ResolvedReply(self.value, "remembered", (self.fact, self.value))

    def check(self, value: ReplyValue) -> str:
        if value != self.value:
            raise Unreadable(f"it tells another '{self.fact}'", rule=self.rule)
        return self.value


class InferFact(RecordFact):
    """A printed fact of the map that play has shown, such as that two spaces are neighbours since a piece went from one to the
    other: it is remembered as learnt, and forgotten when the entry is taken back.
    """

    kind = "learn"
    __slots__ = ()

    def __init__(self, fact: str, value: str, rule: str) -> None:
        super().__init__(fact, value, rule)
        self.key = f"learn {fact}"

    def resolve(self, facts: Mapping[str, str]) -> ResolvedReply:
        return ResolvedReply(self.value, INFERRED, (self.fact, self.value))


class Progress(Effect[None]):
    """How far a long computation has come: ``done`` parts of ``total``. It changes nothing and is never stored; whoever drives
    may show it. Only for procedures that are asked and not recorded (odds, advice).
    """

    kind = "progress"
    stored = False
    __slots__ = ("done", "total")

    def __init__(self, done: int, total: int, rule: str) -> None:
        super().__init__("progress", rule)
        self.done = done
        self.total = total

    def resolve(self, facts: Mapping[str, str]) -> ResolvedReply:
        return ResolvedReply(None, "remembered")

    def check(self, value: ReplyValue) -> None:
        return None


ProgressCallback = Callable[[Progress], None]
"""Is told how far a long piece of work has come."""


def ignore_progress(progress: Progress) -> None:
    """Nobody waits for it."""


R = TypeVar("R")

if TYPE_CHECKING:
    Procedure = Coroutine[AnyRequest | AnyEffect, Any, R]
else:  # what only looks at a game loads no questions
    Procedure = Coroutine[Any, Any, R]

AnyProcedure = Procedure[Any]
"""A procedure whatever its result."""

RuleFunction = Callable[[Any], AnyProcedure]
"""Makes a procedure for a referee of the game."""

if TYPE_CHECKING:
    from typing_extensions import TypeVar as DefaultTypeVar

    RefereeT = DefaultTypeVar("RefereeT", bound=Referee, default=Any)
else:  # typing.TypeVar has no default before Python 3.13
    RefereeT = TypeVar("RefereeT")

EffectHandler = Callable[[AnyEffect], Any]
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
def _loaded(package: str, where: str) -> RuleFunction:
    from importlib import import_module

    module, _, name = where.partition(":")
    function: RuleFunction = getattr(import_module(f"{package}.{module}"), name)
    return function


class Named:
    """A procedure of a game's folder by name, ``module:function``. Its module is loaded when it is first carried out, so that
    a look at the status loads no rules. The game may end in the midst of it.
    """

    __slots__ = ("package", "where")

    def __init__(self, package: str, where: str) -> None:
        self.package = package
        self.where = where

    def __call__(self, referee: Any) -> AnyProcedure:
        return self._run(referee)

    def found(self) -> RuleFunction:
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
        self, referee: "Referee", procedure: Procedure[R], books: EffectHandler | None = None, anyway: bool = False
    ) -> None:
        self.referee = referee
        self.request: AnyRequest | None = None
        self.result: R | None = None
        self._procedure = procedure
        self._books = books or Effect.default_result
        self._advance(None, anyway)

    def send(self, value: ReplyValue, anyway: bool = False) -> None:
        """Give a reply that the request has checked, and go on to the next request or to the end."""
        self._advance(value, anyway)

    def _advance(self, value: ReplyValue, anyway: bool) -> None:
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

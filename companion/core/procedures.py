"""Procedures and effects: coroutines that yield requests and effects, and are sent their results. No asyncio.

A procedure awaits a request to ask for a decision, a roll or a value, and an effect for what needs no answer: looking up
or recording printed facts, reporting progress. Results of effects are stored with the entry, so that a replay does not
depend on facts recorded later.
"""

from collections.abc import Callable, Coroutine, Generator, Mapping

from companion.core.errors import NoPossibleAnswer, RuleFault, Unreadable, add_context
from companion.core.hints import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar, cast
from companion.core.named_tuple import NamedTuple
from companion.core.values import ReplyValue

if TYPE_CHECKING:
    from companion.core.referee import Referee
    from companion.core.request import AnyRequest

T = TypeVar("T")

PlayerSource = Literal["typed", "scripted", "suggested"]
FactSource = Literal["remembered", "rulebook", "sample", "learnt"]
Source = Literal[PlayerSource, FactSource, "computer", "trusted", "only", "priorities", "playouts", "tried"]
"""Where a reply comes from, as it is stored."""

INFERRED: Literal["learnt"] = "learnt"  # Play has shown a printed fact of the map
FORCED: Source = "only"  # The question had exactly one legal answer
TRUSTED: Literal["trusted"] = "trusted"  # Rolled or drawn from the nonces of all seats


class ResolvedReply(NamedTuple):
    """A reply before it is sent: its value, its source, and the printed fact (key, value) that it records."""

    value: ReplyValue
    source: Source
    new_fact: tuple[str, str] | None = None
    anyway: bool = False


class Effect(Generic[T]):
    """Base class of effects. ``key`` is a stable name, as stored in the log."""

    kind: ClassVar[str] = ""
    stored: ClassVar[bool] = True
    __slots__ = ("key", "rule")

    def __init__(self, key: str, rule: str) -> None:
        self.key = key
        self.rule = rule

    def __await__(self) -> "Generator[Effect[T], Any, T]":
        result = yield self
        return cast(T, result)

    def resolve(self, facts: Mapping[str, str]) -> ResolvedReply:
        """Compute the result from the known facts (full key -> value)."""
        raise NotImplementedError

    def default_result(self) -> T:
        """The result where nothing is recorded."""
        return cast(T, self.resolve({}).value)

    def check(self, value: ReplyValue) -> T:
        """Return a stored value if it is a possible result. Raises Unreadable."""
        raise NotImplementedError

    def _invalid(self, value: ReplyValue) -> Unreadable:
        return Unreadable(f"{str(value)[:80]!r} is not what '{self.key}' gives", rule=self.rule)


AnyEffect = Effect[Any]
"""An effect of any result type."""


class KnownFacts(Effect[Mapping[str, str]]):
    """Look up all recorded facts of one kind: key after the colon -> value."""

    kind = "known"
    __slots__ = ("fact",)

    def __init__(self, fact: str, rule: str) -> None:
        super().__init__(f"known {fact}", rule)
        self.fact = fact

    def resolve(self, facts: Mapping[str, str]) -> ResolvedReply:
        prefix = f"{self.fact}:"
        values = {key.removeprefix(prefix): value for key, value in facts.items() if key.startswith(prefix)}
        return ResolvedReply(values, "remembered")

    def check(self, value: ReplyValue) -> Mapping[str, str]:
        if not isinstance(value, Mapping) or not all(isinstance(item, str) for item in value.values()):
            raise self._invalid(value)
        return dict(value)


class RecordFact(Effect[str]):
    """Record a printed fact that the player has just typed."""

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
            raise Unreadable(f"it records another '{self.fact}'", rule=self.rule)
        return self.value


class InferFact(RecordFact):
    """Record a fact of the map inferred from play, such as two spaces being neighbours; retracted when the entry is undone."""

    kind = "learn"
    __slots__ = ()

    def __init__(self, fact: str, value: str, rule: str) -> None:
        super().__init__(fact, value, rule)
        self.key = f"learn {fact}"

    def resolve(self, facts: Mapping[str, str]) -> ResolvedReply:
        return ResolvedReply(self.value, INFERRED, (self.fact, self.value))


class Progress(Effect[None]):
    """Report progress: ``done`` of ``total`` parts. Never stored; only for procedures that are not recorded (odds, advice)."""

    kind = "progress"
    stored = False
    label = ""  # what is done, if it is not what the player asked for
    __slots__ = ("done", "total")

    def __init__(self, done: int, total: int, rule: str) -> None:
        super().__init__("progress", rule)
        self.done = done
        self.total = total

    def resolve(self, facts: Mapping[str, str]) -> ResolvedReply:
        return ResolvedReply(None, "remembered")

    def check(self, value: ReplyValue) -> None:
        return None


class Thinking(Progress):
    """The progress of a decision by rollouts."""

    label = "Thinking; Ctrl-C takes the best so far"
    __slots__ = ()


ProgressCallback = Callable[[Progress], None]
"""Called with the progress of a long computation. It may raise `Enough`."""


class Enough(Exception):
    """Raised by a progress callback: the computation ends with what it has found so far."""


def ignore_progress(progress: Progress) -> None:
    """Do nothing."""


R = TypeVar("R")

if TYPE_CHECKING:
    Procedure = Coroutine[AnyRequest | AnyEffect, Any, R]
else:  # commands that only show a game import no requests
    Procedure = Coroutine

AnyProcedure = Procedure[Any]
"""A procedure of any result type."""

RuleFunction = Callable[[Any], AnyProcedure]
"""Makes a procedure; gets a referee of the game."""

if TYPE_CHECKING:
    from typing_extensions import TypeVar as DefaultTypeVar

    RefereeT = DefaultTypeVar("RefereeT", bound=Referee, default=Any)
else:  # typing.TypeVar has no default before Python 3.13
    RefereeT = TypeVar("RefereeT")

EffectHandler = Callable[[AnyEffect], Any]
"""Runs an effect and returns its result."""


class GameOver(Exception):
    """Raised when the game ends in the middle of an action; events so far are kept."""


async def until_game_over(procedure: Callable[[Any], Procedure[R]], referee: Any) -> R | None:
    """Run a procedure; return None if the game ends in the middle of it."""
    try:
        return await start(procedure, referee)
    except GameOver:
        return None


def start(procedure: Callable[[Any], Procedure[R]], referee: Any) -> Procedure[R]:
    """Return a procedure, not yet run. Raises RuleFault: it is a plain function."""
    started = procedure(referee)
    if not hasattr(started, "send"):
        raise RuleFault.of(procedure, f"'{getattr(procedure, '__name__', procedure)}' is no 'async def': it returned {started!r}")
    return started


class ProcedureRun(Generic[R]):
    """A running procedure; ``request`` is the pending request, None when it is done.

    ``run_effect`` runs effects; by default each gives its default result. ``anyway`` insists on what comes before the first
    question.
    """

    __slots__ = ("_procedure", "_run_effect", "referee", "request", "result")

    def __init__(
        self, referee: "Referee", procedure: Procedure[R], run_effect: EffectHandler = Effect.default_result, anyway: bool = False
    ) -> None:
        self.referee = referee
        self.request: AnyRequest | None = None
        self.result: R | None = None
        self._procedure = procedure
        self._run_effect = run_effect
        self._advance(None, anyway)

    def send(self, value: ReplyValue, anyway: bool = False) -> None:
        """Send a checked reply and continue to the next request or the end."""
        self._advance(value, anyway)

    def _advance(self, value: ReplyValue, anyway: bool) -> None:
        self.referee.anyway = anyway
        try:
            awaited = self._procedure.send(value)
            while isinstance(awaited, Effect):
                if awaited.stored and (fault := self.referee.count_question()):
                    self._procedure.throw(RuleFault(f"'{awaited.key}' {fault} [{awaited.rule}]"))
                awaited = self._procedure.send(self._run_effect(awaited))
            # raised inside, so that the traceback shows the line of the rules
            if fault := awaited.dead_end():
                self._procedure.throw(NoPossibleAnswer(awaited.named(fault)))
            if fault := self.referee.count_question():
                self._procedure.throw(RuleFault(awaited.named(fault)))
            self.request = awaited
            awaited.referee = self.referee
            awaited.seat = awaited.seat or self.referee.seat
        except StopIteration as end:
            self.request = None
            self.result = end.value
            self._release()
        except BaseException as error:
            if self.request is not None and isinstance(error, Exception):
                add_context(error, question=self.request.key)
            self._release()
            raise

    def _release(self) -> None:
        """Release the effect handler, which usually refers to this run: break the reference cycle."""
        self._run_effect = Effect.default_result

    def turn_to(self, seat: str) -> None:
        """Put the part of a seat next, if the question is sealed and its part is open."""
        sealed = self.request.sealed if self.request is not None else None
        if sealed is not None and (part := sealed.turn_to(seat)):
            self.request, part.referee = part, self.referee

    @property
    def place(self) -> tuple[str, int] | None:
        """The file and line of the rule that asks the pending request."""
        awaiting: Any = self._procedure
        place = None
        while (frame := getattr(awaiting, "cr_frame", None)) is not None:
            if frame.f_globals.get("__name__") != "companion.core.referee":  # that only makes the request
                place = frame.f_code.co_filename, frame.f_lineno
            awaiting = awaiting.cr_await
        return place

    @property
    def done(self) -> bool:
        return self.request is None

    def close(self) -> None:
        self._procedure.close()
        self._release()

"""What a procedure does outside the table without asking anybody: it looks at what the owner has told, remembers a printed
fact, says how far it has come. Like a request it is awaited, and what came of it is stored with the entry, so that a replay
does not depend on what is told meanwhile.
"""

from collections.abc import Callable, Generator, Mapping
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar, cast

from companion.core.errors import Unreadable

T = TypeVar("T")

INFERRED = "learnt"
"""The source of what play has shown."""


class ResolvedReply(NamedTuple):
    """A reply before it is sent: its value, where it comes from, and a printed fact that it tells (key, value)."""

    value: Any
    source: str
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

    def check(self, value: Any) -> T:
        """What was stored, if it can be that. Raises Unreadable."""
        raise NotImplementedError

    def _invalid(self, value: Any) -> Unreadable:
        return Unreadable(f"{str(value)[:80]!r} is not what '{self.key}' gives", rule=self.rule)


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

    def check(self, value: Any) -> Mapping[str, str]:
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

    def check(self, value: Any) -> str:
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

    def check(self, value: Any) -> None:
        return None


ProgressCallback = Callable[[Progress], None]
"""Is told how far a long piece of work has come."""


def ignore_progress(progress: Progress) -> None:
    """Nobody waits for it."""

"""The exceptions of Companion. Each message says what is wrong, which rule or file says so, and the cure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.core.hints import Any, Self
from companion.core.values import JsonObject

_LONGEST = 600  # Maximum characters of a message; it may quote input of any length


def shorten(text: str) -> str:
    """Cut the middle out of a message that is too long."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 2 :]}"


class CompanionError(Exception):
    """Base class of faults that a player or a file can cause, shown in one or two lines without a traceback.

    ``kind`` is a stable word for other programs. ``kept`` says what was saved of the work: ``nothing``, ``all`` or ``unknown``.
    """

    exit_code = 2
    kind = "error"
    kept = "nothing"

    def __init__(self, message: str, *, rule: str = "", cure: str = "") -> None:
        super().__init__(message)
        self.message = shorten(message)
        self.rule = rule
        self.cure = shorten(cure)
        self.fitting: tuple[str, ...] = ()
        """The keys of the answers before it that fit."""
        self.question: JsonObject | None = None
        """The open question as plain data, where the fault is about it and another program is told."""

    def __str__(self) -> str:
        cited = f"{self.message} [{self.rule}]" if self.rule else self.message
        return f"{cited}. {self.cure}" if self.cure else cited


class Illegal(CompanionError):
    """The rules do not allow it. The player may insist, since the table counts."""

    exit_code = 1
    kind = "illegal"


class Impossible(Illegal):
    """Refused even if the player insists: there is nothing that could be recorded."""

    kind = "impossible"


Refused = tuple[Sequence[str], tuple[str, str] | Impossible]
"""The names of something, and why it is refused: (reason, rule), or an error that no player can insist against."""


class NoEligiblePiece(Illegal):
    """No piece can take the action. ``key``: the question that would name a piece. ``each``: why each cannot; may be lazy."""

    def __init__(
        self, message: str, key: str, each: Sequence[Refused] | Callable[[], Sequence[Refused]], *, rule: str, cure: str = ""
    ) -> None:
        super().__init__(message, rule=rule, cure=cure)
        self.key = key
        self.each = each

    def refusal_of(self, named: Sequence[str]) -> Illegal:
        """The error for the named piece; without a name, this error."""
        words = {word.strip().casefold() for word in named}
        for names, refusal in self.each() if callable(self.each) else self.each:
            if any(name.casefold() in words for name in names):
                return refusal if isinstance(refusal, Impossible) else Illegal(refusal[0], rule=refusal[1], cure=self.cure)
        return self


class SessionMoved(CompanionError):
    """The session has changed: another process wrote to it, or the question is no longer open."""

    exit_code = 1
    kind = "stale"


class Unreadable(CompanionError):
    """Typed text cannot be understood. ``text``: the name in it that fits nothing, if one is to blame."""

    kind = "unreadable"
    text = ""


class Miscounted(Unreadable):
    """Each name typed is understood, but there are too few or too many, or one of them comes twice."""


class Excluded(Impossible, Unreadable):
    """What was typed is no answer, and names something of the game that the rules exclude here."""


class Misspelt(Unreadable):
    """A name is not known, and similar ones are."""

    def __init__(self, message: str, text: str, similar: Sequence[str], cure: str) -> None:
        super().__init__(message, cure=cure)
        self.text = text
        self.similar = tuple(similar)


class Ambiguous(Unreadable):
    """Typed text fits several things."""

    kind = "ambiguous"

    def __init__(self, text: str, matches: Sequence[str], cure: str = "Type a few letters more") -> None:
        shown = ", ".join(matches[:8]) + (", ..." if len(matches) > 8 else "")
        super().__init__(f"'{text}' could be {shown}", cure=cure)
        self.text = text
        self.matches = tuple(matches)


class RuleFault(Exception):
    """A fault in the rules of a game that its author must correct; the player can do nothing about it.

    ``place`` is its file and line where the traceback does not show them.
    """

    def __init__(self, message: str, place: tuple[str, int] | None = None) -> None:
        super().__init__(shorten(message))
        self.place = place

    @classmethod
    def of(cls, function: Callable[..., Any], message: str) -> Self:
        """A fault of a function that is no longer in the traceback."""
        code = getattr(function, "__code__", None)
        return cls(message, (code.co_filename, code.co_firstlineno) if code else None)


class NoPossibleAnswer(RuleFault):
    """The rules ask a question that has no possible answer.

    For an action that the player insists on it is a refusal: the rules need not foresee one that is out of sequence.
    """


def add_context(fault: Exception, *, action: str = "", question: str = "") -> None:
    """Note on a fault of the rules in which action it occurred, or after which question; the first note of each sort counts."""
    text = f"in the action '{action}'" if action else f"after the question '{question}'"
    if not isinstance(fault, CompanionError) and not any(note[:6] == text[:6] for note in context_of(fault)):
        fault.add_note(text)


def context_of(fault: BaseException) -> list[str]:
    """The notes on an error that say where in the game it occurred."""
    return [note for note in getattr(fault, "__notes__", ()) if note.startswith(("in the action '", "after the question '"))]


class QuestionPending(CompanionError):
    """A question is open; everything so far is saved."""

    exit_code = 3
    kind = "pending"


class BadData(CompanionError):
    """A file cannot be used: tables, printed facts, the archive."""

    exit_code = 4
    kind = "bad_data"

    def __init__(self, message: str, *, faults: Sequence[str] = (), rule: str = "", cure: str = "") -> None:
        super().__init__(message, rule=rule, cure=cure)
        self.faults = tuple(map(shorten, faults))

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *(f"  {fault}" for fault in self.faults)])

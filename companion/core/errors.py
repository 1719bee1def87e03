"""The one error tree. Each error says what is wrong, which rule or file says so, and the cure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.core.values import JsonObject

_LONGEST = 600
"""Characters of a message: what was typed into it may be a whole book."""


def shorten(text: str) -> str:
    """A message without the middle of what is too long to be read."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 2 :]}"


class CompanionError(Exception):
    """Any fault that a player or a file can cause; shown in one or two lines, never as a traceback. Other programs go by its
    ``kind``, a word that stays.
    """

    exit_code = 2
    kind = "error"
    kept = "nothing"
    """What is kept of what was to be done: ``nothing`` or ``all`` of it, or ``unknown``."""

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
    """Readable, but the rules do not allow it. The player may insist: the board is the truth."""

    exit_code = 1
    kind = "illegal"


class Impossible(Illegal):
    """Refused whatever the player insists on: there is nothing that could be recorded."""

    kind = "impossible"


Refused = tuple[Sequence[str], tuple[str, str]]
"""The names of something, and why it cannot: (why, rule)."""


class NoEligiblePiece(Illegal):
    """An action that none of the player's things can take.

    Attributes:
        key: the question that would name one.
        each: the names by which each goes, with the reason why that one cannot: (why, rule); or what works them out.
    """

    def __init__(
        self, message: str, key: str, each: Sequence[Refused] | Callable[[], Sequence[Refused]], *, rule: str, cure: str = ""
    ) -> None:
        super().__init__(message, rule=rule, cure=cure)
        self.key = key
        self.each = each

    def refusal_of(self, named: Sequence[str]) -> Illegal:
        """The same for the one that was named, where one was."""
        words = {word.strip().casefold() for word in named}
        for names, (why, rule) in self.each() if callable(self.each) else self.each:
            if any(name.casefold() in words for name in names):
                return Illegal(why, rule=rule, cure=self.cure)
        return self


class SessionMoved(CompanionError):
    """Play is not where it was taken to be: somebody else wrote to this session, or the question is not open any more."""

    exit_code = 1
    kind = "stale"


class Unreadable(CompanionError):
    """What was typed cannot be understood."""

    kind = "unreadable"


class Ambiguous(Unreadable):
    """What was typed fits more than one thing."""

    kind = "ambiguous"

    def __init__(self, text: str, matches: Sequence[str]) -> None:
        shown = ", ".join(matches[:8]) + (", ..." if len(matches) > 8 else "")
        super().__init__(f"'{text}' could be {shown}", cure="Type a few letters more")
        self.text = text
        self.matches = tuple(matches)


class QuestionPending(CompanionError):
    """A question is open; everything so far is saved."""

    exit_code = 3
    kind = "pending"


class BadData(CompanionError):
    """A file that Companion was given cannot be used: tables, printed facts, the archive."""

    exit_code = 4
    kind = "bad_data"

    def __init__(self, message: str, *, faults: Sequence[str] = (), rule: str = "", cure: str = "") -> None:
        super().__init__(message, rule=rule, cure=cure)
        self.faults = tuple(map(shorten, faults))

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *(f"  {fault}" for fault in self.faults)])

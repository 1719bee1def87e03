"""A session in which each call answers for some seats only: those of a browser's link, or of a program that plays one seat."""

from __future__ import annotations

from collections.abc import Callable, Collection

from companion.core.errors import CompanionError
from companion.core.procedures import ResolvedReply
from companion.core.request import AnyRequest
from companion.core.resolver import Answers, ReplyResolver
from companion.session.controller import SessionController
from companion.session.seats import answering_seats, open_to


class Forbidden(CompanionError):
    """The role, or the seat, may not do this."""

    kind = "forbidden"


class SeatResolver(ReplyResolver):
    """Gives prepared answers only to questions of some seats; only the suggestion that is shown can be accepted."""

    may_answer: Callable[[AnyRequest], bool]

    def resolve(
        self, request: AnyRequest, answers: Answers, index: int, anyway: bool, asked: bool = False
    ) -> ResolvedReply | None:
        if not self.may_answer(request):
            answers, asked = Answers(), False
        answers.accept = answers.accept and asked
        return super().resolve(request, answers, index, anyway, asked)


class SeatSession(SessionController):
    """A session in which each call answers for some seats only.

    Attributes:
        answering: The seats that the current call answers for.
    """

    answering: Collection[str] = ()

    def is_open_to(self, seats: Collection[str], request: AnyRequest | None) -> bool:
        """True if one of some seats answers a question; without one, begins the next action."""
        if request is not None:
            return not set(seats).isdisjoint(answering_seats(self, request))
        return not set(seats).isdisjoint(open_to(self.game, self.options, self.game.acting_seats(self.position)))

    def resolver(self, think: str = "") -> ReplyResolver:
        settings = {**self.settings, "think": think} if think else self.settings
        resolver = SeatResolver(self.game, self.log.facts, settings, self.info.seed, self.watch)
        resolver.jobs = self.jobs
        resolver.may_answer = lambda request: self.is_open_to(self.answering, request)
        return resolver

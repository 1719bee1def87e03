"""Driving a procedure: a coroutine that yields requests and is sent replies. No asyncio, a few lines."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, Generic, TypeVar

from companion.core.referee import Referee
from companion.core.requests import Request

R = TypeVar("R")

Procedure = Coroutine[Request[Any], Any, R]


class Run(Generic[R]):
    """A procedure under way. ``request`` is what it waits for; None when it is done."""

    def __init__(self, referee: Referee, procedure: Procedure[R], anyway: bool = False) -> None:
        self.referee = referee
        self.request: Request[Any] | None = None
        self.result: R | None = None
        self._procedure = procedure
        self._advance(None, anyway)

    def send(self, value: Any, anyway: bool = False) -> None:
        """Give a reply that the request has checked, and go on to the next request or to the end."""
        self._advance(value, anyway)

    def _advance(self, value: Any, anyway: bool) -> None:
        self.referee.anyway = anyway
        try:
            self.request = self._procedure.send(value)
        except StopIteration as end:
            self.request = None
            self.result = end.value

    @property
    def done(self) -> bool:
        return self.request is None

    def close(self) -> None:
        self._procedure.close()

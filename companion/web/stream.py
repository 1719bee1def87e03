"""Server-sent events: each change of the session, to every page that is open."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable

from companion.web.play import Document

SILENCE_SECONDS = 15.0
"""After so long without a change a comment is sent, which shows that the host is still there."""


_ALIVE = b": \nevent: alive\ndata: {}\n\n"
"""The script of a page sees events, not comments."""


class Changes:
    """Wakes the streams. Used in the thread of the event loop; `notify` in any."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._event = asyncio.Event()
        self.has_ended = False
        self.open: Counter[str] = Counter()
        """The number of streams of each role."""

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Name the event loop that the streams run in."""
        self._loop = loop

    def notify(self) -> None:
        """Wake every stream, from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake)

    def end(self) -> None:
        """End every stream."""
        self.has_ended = True
        self.notify()

    def _wake(self) -> None:
        event, self._event = self._event, asyncio.Event()
        event.set()

    @property
    def next(self) -> asyncio.Event:
        """Set at the next change."""
        return self._event


def event_text(document: Document) -> bytes:
    """Return a document as one event."""
    return f"id: {document.seq}\ndata: {document.text}\n\n".encode()


async def events(
    changes: Changes,
    document: Callable[[], Awaitable[Document]],
    is_allowed: Callable[[], bool],
    seen: tuple[int, int] | None,
    lifetime: float,
) -> AsyncIterator[bytes]:
    """Yield the state now and after each change, only the newest if there were several.

    Args:
        document: Returns the current state.
        is_allowed: False as soon as the link was revoked.
        seen: The version that the page has, or None.
        lifetime: Seconds after which the stream ends; the page opens another.
    """
    end = time.monotonic() + lifetime
    yield b"retry: 1000\n\n"
    while True:
        change = changes.next
        if changes.has_ended or not is_allowed():
            yield b"event: %s\ndata: {}\n\n" % (b"ended" if changes.has_ended else b"revoked")
            return
        current = await document()
        if current.version != seen:
            seen = current.version
            yield event_text(current)
        left = end - time.monotonic()
        if left <= 0:
            return
        try:
            await asyncio.wait_for(change.wait(), min(left, SILENCE_SECONDS))
        except TimeoutError:
            yield _ALIVE

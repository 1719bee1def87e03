"""Links and their tokens: who may watch, and who may answer for which seat. They last as long as the host."""

from __future__ import annotations

import hmac
from collections.abc import Collection, Iterable
from hashlib import sha256
from secrets import compare_digest, token_bytes, token_urlsafe
from typing import NamedTuple

WATCH = "watch"
"""The role that only watches; no seat has this id."""
_TOKEN_BYTES = 16


class Role(NamedTuple):
    """What a link allows.

    Attributes:
        id: The id of the seat, or `WATCH`.
        title: The title of the seat.
        player: The name of its player, or "".
    """

    id: str
    title: str
    player: str = ""

    @property
    def plays(self) -> bool:
        """True if it answers for a seat."""
        return self.id != WATCH

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats that it answers for."""
        return (self.id,) if self.plays else ()


WATCHER = Role(WATCH, "Watch")


class Links:
    """The current token of each role.

    Args:
        roles: Each gets one token.
    """

    def __init__(self, roles: Iterable[Role]) -> None:
        self.roles = {role.id: role for role in roles}
        self._key = token_bytes(32)
        self._tokens = {role: _new_token() for role in self.roles}

    def token(self, role: str) -> str:
        """Return the token of a role."""
        return self._tokens[role]

    def renew(self, roles: Collection[str] = ()) -> list[str]:
        """Give roles new tokens, by default all, so that the old links and cookies end; return the ids of those changed."""
        renewed = [role for role in self.roles if not roles or role in roles]
        self._tokens |= {role: _new_token() for role in renewed}
        return renewed

    def role_of_token(self, token: str) -> Role | None:
        """Return the role of a token, or None."""
        return self._find(token, self._tokens.items())

    def cookie(self, role: str) -> str:
        """Return the cookie of a role. It follows from the token, which cannot be computed from it."""
        return hmac.new(self._key, self._tokens[role].encode(), sha256).hexdigest()

    def role_of_cookie(self, cookie: str) -> Role | None:
        """Return the role of a cookie, or None."""
        return self._find(cookie, [(role, self.cookie(role)) for role in self.roles])

    def _find(self, secret: str, secrets: Iterable[tuple[str, str]]) -> Role | None:
        """Compare with every secret, so that the time does not tell which one is like it."""
        given = secret.encode("utf-8", "replace")
        found = [role for role, known in secrets if compare_digest(given, known.encode())]
        return self.roles[found[0]] if found else None


def _new_token() -> str:
    return token_urlsafe(_TOKEN_BYTES)

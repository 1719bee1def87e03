"""Addresses under which the page is reached."""

from __future__ import annotations

from typing import NamedTuple


class Address(NamedTuple):
    """An address under which the page is reached.

    Attributes:
        scheme: `http` or `https`.
        host: As browsers send it: with the port, unless it is the usual one.
    """

    scheme: str
    host: str

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.host}"

    @property
    def is_secure(self) -> bool:
        return self.scheme == "https"

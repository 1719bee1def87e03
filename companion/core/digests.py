"""Digests of positions, by which results are kept that depend on a whole position."""

from __future__ import annotations

from hashlib import blake2b

from companion.core.position import Piece, Position

_MOST_PIECES = 20_000
_SIZE = 16  # bytes: two positions of the same digest do not occur


class PositionDigests:
    """Digests of many positions that share most of their pieces.

    >>> digests, position = PositionDigests(), Position({"turn": 1}, {"a": Piece("a", "unit", "A", "b2")})
    >>> digests.of(position) == digests.of(Position({"turn": 1}, {"a": Piece("a", "unit", "A", "b2")}))
    True
    >>> digests.of(position) == digests.of(position.with_track("turn", 2))
    False
    """

    def __init__(self) -> None:
        self._texts: dict[int, tuple[Piece, bytes]] = {}  # each value keeps its piece, and so the key, alive
        self._flags: tuple[object, bytes] = None, b""

    def of(self, position: Position) -> bytes:
        """The digest of all of a position, the order of its pieces included."""
        if len(self._texts) > _MOST_PIECES:
            self._texts.clear()
        texts, parts = self._texts, []
        for piece in position.pieces.values():
            known = texts.get(id(piece))
            if known is None:
                known = texts[id(piece)] = piece, repr(piece).encode()
            parts.append(known[1])
        if self._flags[0] is not position.flags:
            self._flags = position.flags, repr(position.flags).encode()
        parts += self._flags[1], repr(position.tracks).encode()
        return blake2b(b"\n".join(parts), digest_size=_SIZE).digest()

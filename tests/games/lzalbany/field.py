"""A battle on the practice map with counters placed directly, so that a test starts where its rule does.

Sawgrass there: b3 b4 c1 c4 c5 d1 d2 e1 e2 e3 f2 f3 g3; jungle: a1-a5 b1 b2 c2 d3 d4 e4 e5 f1 g1 g2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.position import Piece, Position
from companion.games.lzalbany.referee import AlbanyReferee
from tests.support.table import Table


class Field(Table):
    """A table of LZ Albany in the Action Phase, with the counters where a test puts them."""

    def __init__(self, turn: int = 3, facts: Mapping[str, str] | None = None, seed: str = "", **options: str) -> None:
        super().__init__("lzalbany", "battle", facts, seed, **{"map": "practice", **options})
        self.set(turn=turn)
        self.flag(phase="action")

    # -- laying out ------------------------------------------------------------------------------------------------

    def set(self, **tracks: int) -> None:
        self.position = self.position.changed(tracks={**self.position.tracks, **tracks})

    def flag(self, **flags: Any) -> None:
        self.position = self.position.changed(flags={**self.position.flags, **flags})

    def piece(self, name: str) -> Piece:
        """The counter of that name; of several chits the first."""
        return next(p for p in self.position.pieces.values() if p.name == name)

    def change(self, name: str, **changes: Any) -> None:
        old = self.piece(name)
        self.position = self.position.changed(pieces={**self.position.pieces, old.id: old._replace(**changes)})

    def put(self, place: str, *names: str, hits: int = 0) -> None:
        """Counters into an area; of units with 1 or 2 hits, or 3: reduced."""
        for name in names:
            face = "reduced" if hits == 3 else "front"
            self.change(name, place=place, face=face, marks={"hits": hits} if hits in (1, 2) else {})

    def pool(self, *names: str) -> None:
        """Exactly these chits in the pool."""
        for piece in self.position.of_kind("chit"):
            self.move(piece.id, "to come")
        for name in names:
            chit = next(p for p in self.position.of_kind("chit") if p.name == name and p.place != "pool")
            self.move(chit.id, "pool")

    def box(self, group: str, count: int = 1, name: str = "") -> None:
        """Chits on a group's track."""
        name = name or ("US Fire/Move" if group in ("ab15", "ab27", "cd27") else "NVA Fire/Move")
        for _ in range(count):
            chit = next(p for p in self.position.of_kind("chit") if p.name == name and p.place == "to come")
            self.move(chit.id, f"box {group} fire")

    def move(self, piece: str, place: str) -> None:
        old = self.position.pieces[piece]
        self.position = self.position.changed(pieces={**self.position.pieces, piece: old._replace(place=place)})

    def wounded(self, place: str, name: str = "1/C/2-7") -> str:
        """A wounded marker in an area; its name."""
        marker = Piece(f"w-{name}", "wounded", f"W:{name}", place, values={"side": "US"})
        self.position = self.position.changed(pieces={**self.position.pieces, marker.id: marker})
        return marker.name

    # -- playing ---------------------------------------------------------------------------------------------------

    def play(self, procedure: Any, answers: Sequence[str] = (), *lots: Any, **more: Any) -> list[Any]:
        """As at any table; lone officers stay [10.1], the strongest fire [6.1], where a test does not say otherwise."""
        try:
            return super().play(procedure, answers, *lots, **more)
        except AssertionError as fault:
            key = self.asked[-1].key if self.asked else ""
            if key not in ("officers", "firing") or not str(fault).startswith("no answer to"):
                raise
            value = "none" if key == "officers" else ", ".join(self.asked[-1].suggest)
            return self.play(procedure, [*answers, f"{key}={value}"], *lots, **more)

    def chit(self, name: str, *answers: str, **more: Any) -> list[Any]:
        """Draw that chit out of a pool that holds another one too, so that the phase goes on."""
        self.pool(name, "Visibility")
        return self.do("chit", *answers, draws=[name], **more)

    def fire(self, group: str, *answers: str, **more: Any) -> list[Any]:
        side = "US" if group in ("ab15", "ab27", "cd27") else "NVA"
        return self.chit(f"{side} Fire/Move", f"group={group}", "action=fire", *answers, **more)

    def go(self, group: str, *answers: str, **more: Any) -> list[Any]:
        side = "US" if group in ("ab15", "ab27", "cd27") else "NVA"
        return self.chit(f"{side} Fire/Move", f"group={group}", "action=move", *answers, **more)

    # -- looking ---------------------------------------------------------------------------------------------------

    def at(self, name: str) -> str:
        return self.piece(name).place

    def hits(self, name: str) -> int:
        """Hits on a unit; 3 where it is reduced."""
        piece = self.piece(name)
        return 3 if piece.face == "reduced" else int(piece.marks.get("hits") or 0)

    def says(self, text: str) -> bool:
        """True if a line of the last action contains the text."""
        return any(text in line for line in self.said)

    @property
    def referee(self) -> AlbanyReferee:
        referee = self.game.referee(self.position, self.options)
        assert isinstance(referee, AlbanyReferee)
        return referee

    @property
    def board(self) -> Position:
        return self.position

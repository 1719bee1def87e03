"""A situation laid out by hand on the practice map, so that a test begins where its rule does.

The practice map is made up, but holds what the rulebook's own examples state: 2, 3, 4 in the north, 14, 15, 16 opposite,
13 beside them, 23, 24, 25 behind, 26 the mosque; 12, 22, 32, 41 in the west. Streets: b between 2 3 14 15, and so on.
"""

from __future__ import annotations

from typing import Any

from companion.core.position import Piece
from companion.games.phantomfury.words.counters import GUERILLAS, MARTYRS, sides
from companion.games.phantomfury.words.town import box
from tests.support.table import Table

SEED = "field"


class Field(Table):
    """A table of Phantom Fury with nothing on the map but what a test puts there; turn 3, Support Phase."""

    def __init__(self, scenario: str = "practice", turn: int = 3, **options: str) -> None:
        super().__init__("phantomfury", scenario, seed=SEED, **options)
        self.seed = ""
        self.clear()
        self.set(turn=turn, vp=0)

    def set_up(self) -> None:
        """Play the set-up with dice and draws of the seed and every suggestion."""
        self.play(self.game.setup, accept=True)

    def clear(self) -> None:
        """Enemies back into their cups, squads beside the map, no marker but the Start Zones'."""
        cups = {"insurgent": "insurgents cup", "suspect": "suspects cup"}
        for piece in list(self.position.pieces.values()):
            if piece.kind in cups:
                self.change(piece.id, place=cups[piece.kind], face="front", marks={})
            elif piece.kind == "squad" and "-" in piece.place:
                self.change(piece.id, place="beside the map", face="front", marks={})

    # -- laying out ------------------------------------------------------------------------------------------------

    def set(self, **tracks: int) -> None:
        self.position = self.position.changed(tracks={**self.position.tracks, **tracks})

    def flag(self, **flags: Any) -> None:
        self.position = self.position.changed(flags={**self.position.flags, **flags})

    def tell(self, zone: str, text: str) -> None:
        """Other words for a Zone of the map."""
        self.position = self.position.changed(flags={**self.position.flags, f"zone:{zone}": text})

    def change(self, piece: str, **what: Any) -> None:
        old = self.position.pieces[piece]
        self.position = self.position.changed(pieces={**self.position.pieces, piece: old._replace(**what)})

    def add(self, kind: str, name: str, place: str, face: str = "front", **values: Any) -> Piece:
        """A piece of the test's own."""
        piece = Piece(f"test-{len(self.position.pieces)}", kind, name, place, face, values)
        self.position = self.position.changed(pieces={**self.position.pieces, piece.id: piece})
        return piece

    def named(self, name: str) -> Piece:
        return next(piece for piece in self.position.pieces.values() if piece.name == name)

    def squad(self, number: int, place: str, cf: int = 5, face: str = "front", **marks: Any) -> str:
        """Squad of that number with that printed CF; ``caat=True`` brings Ammo 4 and Explosives. Returns its id."""
        there = next(piece for piece in self.position.of_kind("squad") if piece.number("number") == number)
        if marks.get("caat"):
            marks = {"ammo": 4, "explosives": True, **marks}
        self.change(there.id, place=place, face=face, marks=marks, values={"number": number, "cf": cf})
        return there.id

    def iif(self, number: int, place: str) -> str:
        there = next(piece for piece in self.position.of_kind("iif") if piece.number("number") == number)
        self.change(there.id, place=place)
        return there.id

    def tank(self, place: str) -> str:
        there = self.position.of_kind("tank")[0]
        self.change(there.id, place=place)
        return there.id

    def suspect(self, *places: str) -> None:
        """A Suspect out of the cup into each place."""
        for place in places:
            self.change(self.position.at("suspects cup")[-1].id, place=place)

    def enemy(self, place: str, text: str) -> str:
        """``g2`` or ``m3``: a counter with that CF, on that side, out of the cup. Returns its id."""
        kind = GUERILLAS if text[0] == "g" else MARTYRS
        cup = self.position.at("insurgents cup")
        there = next(piece for piece in cup if sides(piece.name)[kind] == int(text[1]))
        self.change(there.id, place=place, face="front" if kind == GUERILLAS else "martyrs")
        return there.id

    def activated(self, *zones: str, name: str = "Activated Zone") -> None:
        """Activate Zones without placing anything; all but start Zones need it."""
        for zone in zones:
            if not any(piece.kind == "control" for piece in self.position.at(box(zone))):
                self.add("control", name, box(zone))

    def control(self, *zones: str) -> None:
        """Zones under USMC Control."""
        self.activated(*zones)
        for zone in zones:
            marker = next(piece for piece in self.position.at(box(zone)) if piece.kind == "control")
            self.change(marker.id, face="usmc")

    def marker(self, zone: str, name: str) -> None:
        """``Fanaticism``, ``Phantom Fury``, ``Rubble`` or ``No Insurgents Event`` in a Zone."""
        self.add("marker", name, box(zone))

    # -- looking ---------------------------------------------------------------------------------------------------

    def where(self, name: str) -> str:
        return self.named(name).place

    def controlled(self, zone: str) -> bool:
        return any(piece.kind == "control" and piece.face == "usmc" for piece in self.position.at(box(zone)))

    def kinds_at(self, place: str) -> list[str]:
        """The kinds of what is in a place: ``squad``, ``suspect``, ``insurgent`` and so on."""
        return sorted(piece.kind for piece in self.position.at(place))

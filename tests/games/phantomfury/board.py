"""A board with counters placed directly, so that a test starts where its rule does: no set-up is played.

The map is that of the rulebook's examples as far as they state it (4.1.1, 4.1.2, 4.4, the examples of 9 to 13 and turn 3);
what they leave open is made up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.position import Piece, Position, Value
from companion.games.phantomfury.referee import FuryReferee
from tests.support.table import Table

ZONES = {
    "2": "C-1-2-R 1-1' 2-2'; door C; roof R; adjacent 3; streets n s u; egress 14; black",
    "3": "C-1-2-R; door C; roof R; adjacent 2 4; streets n s t; egress 15 14; black",
    "4": "C-1-2-R; door C; roof R; adjacent 3; streets n t; egress 16; black",
    "13": "C-1-2-R; door C; roof R; streets u; egress 2",
    "14": "C-1-2-R 2-2'; door C; roof R; adjacent 15; streets s v; egress 24 25",
    "15": "C-1-2-R; door C; roof R; adjacent 14 16; streets s; egress 14",
    "16": "OG-C-1-2-R; door OG C; roof R; adjacent 15; streets t x; egress 15",
    "23": "C-1-2-R; door C; streets v; egress exit",
    "24": "C-1-2-R 2-2'; door C; streets v; egress exit",
    "25": "C-1-2-R; door C; streets v; egress exit",
    "26": "C-1-2; door C; streets x; egress exit",
    "12": "C-1-2-R; door C; streets y; egress 22; black",
    "22": "C-1-2-R; door C; roof R; adjacent 32; streets y; egress 32",
    "32": "C-1-2-R; door C; roof R; adjacent 22 41; near none; egress 41",
    "41": "C-1-2-R; door C; roof R; adjacent 32; near none; egress 32",
}
SECTIONS = {
    "n": "2 3 4; next s t; north",
    "s": "2 3 14 15; next n t",
    "t": "3 4 16; next n s",
    "u": "2 13",
    "v": "14 23 24 25; south",
    "x": "16 26",
    "y": "12 22",
}
SQUADS = {1: 6, 4: 6, 8: 5, 12: 5, 6: 4, 7: 5}
CUP = ["G1/M1", "G2/M2", "G2/M3", "G3/M2", "G3/M4"]


class Board(Table):
    """A table of Phantom Fury with nothing on its map; every Zone is of the insurgents and not Activated."""

    def __init__(self, facts: Mapping[str, str] | None = None, seed: str = "", turn: int = 3, **options: str) -> None:
        self.turn = turn
        self.extra = dict(facts or {})
        super().__init__("phantomfury", "jolan", {}, seed, **options)

    def set_up(self) -> None:
        flags: dict[str, Value] = {f"zone:{zone}": text for zone, text in ZONES.items()}
        flags |= {f"section:{name}": text for name, text in SECTIONS.items()}
        flags |= {"zones": tuple(sorted(ZONES, key=int)), "start": ("2", "3", "4", "12"), "turns": 16, "battalion turn": 9}
        flags |= self.extra
        tracks = {"turn": self.turn, "phase": 0, "vp": 0, "uav": 0, "ah1w": 0, "fa18": 0}
        self.position = Position(tracks, {}, flags)
        for name in CUP:
            for number in range(3):
                self.add(f"{name}-{number}", "insurgent", name, "insurgents cup")
        for marker in ("2/1/R", "1/2/R", "R/2/1"):
            for number in range(8):
                self.add(f"{marker}-{number}", "suspect", marker, "suspects cup")
        for number in range(24):
            name = "Activated Strong Point" if number < 2 else "Activated Zone"
            self.add(f"zone-{number}", "control", name, "zones cup")
        for number, cf in SQUADS.items():
            self.add(f"squad-{number}", "squad", f"Squad {number}", "company box", values={"number": number, "cf": cf})
        for number in (1, 2):
            self.add(f"iif-{number}", "iif", f"IIF {number}", "iraqi box", values={"number": number, "cf": 4})
        self.add("m1a1", "tank", "M1A1 1", "armour box", values={"number": 1, "cf": 8})

    # -- laying out ------------------------------------------------------------------------------------------------

    def add(self, id: str, kind: str, name: str, place: str, face: str = "front", **more: Any) -> str:
        piece = Piece(id, kind, name, place, face, more.get("values", {}), more.get("marks", {}))
        self.position = self.position.changed(pieces={**self.position.pieces, id: piece})
        return id

    def change(self, id: str, **changes: Any) -> None:
        old = self.position.pieces[id]
        self.position = self.position.changed(pieces={**self.position.pieces, id: old._replace(**changes)})

    def flag(self, **flags: Any) -> None:
        self.position = self.position.changed(flags={**self.position.flags, **flags})

    def set(self, **tracks: int) -> None:
        self.position = self.position.changed(tracks={**self.position.tracks, **tracks})

    def squad(self, number: int, where: str, face: str = "front", cf: int = 0, **marks: Value) -> None:
        """A squad; ``caat=True`` comes with Ammo 4 and Explosives unless they are given; ``cf``: another than printed."""
        if marks.get("caat"):
            marks = {"ammo": 4, "explosives": True, **marks}
        marks = {name: value for name, value in marks.items() if value is not None}
        piece = self.named(f"Squad {number}")
        values = {**piece.values, "cf": cf or piece.number("cf")}
        self.change(piece.id, place=where, face=face, marks=marks, values=values)

    def named(self, name: str) -> Piece:
        return next(piece for piece in self.position.pieces.values() if piece.name == name)

    def enemy(self, where: str, name: str = "", martyrs: bool = False) -> str:
        """An Insurgents unit by its counter (``G2/M3``), or a Suspect; its id."""
        kind = "insurgent" if name else "suspect"
        cup = "insurgents cup" if name else "suspects cup"
        piece = next(counter for counter in self.position.at(cup) if counter.kind == kind and (not name or counter.name == name))
        self.change(piece.id, place=where, face="martyrs" if martyrs else "front")
        return piece.id

    def zone(self, *zones: str, ours: bool = False, name: str = "Activated Zone") -> None:
        """Activated Zones; ``ours``: under USMC Control."""
        for zone in zones:
            marked = [piece for piece in self.position.at(f"box {zone}") if piece.kind == "control"]
            spare = [piece for piece in self.position.at("zones cup") if piece.name == "Activated Zone"]
            markers = [piece.id for piece in [*marked, *spare]] or [self.add(f"control-{zone}", "control", name, "zones cup")]
            self.change(markers[0], place=f"box {zone}", name=name, face="usmc" if ours else "front")

    def ours(self, *zones: str) -> None:
        self.zone(*zones, ours=True, name="Activated Start Zone")

    def strong(self, *zones: str) -> None:
        self.zone(*zones, name="Activated Strong Point")

    def marker(self, name: str, zone: str, face: str = "front") -> None:
        self.add(f"{name}-{zone}", "marker", name, f"box {zone}", face)

    def element(self, number: int, where: str) -> None:
        values = {"squad": f"squad-{number}"}
        self.add(f"element-{number}", "element", f"Security Element of Squad {number}", where, values=values)

    # -- looking ---------------------------------------------------------------------------------------------------

    def at(self, id: str) -> str:
        return self.position.pieces[id].place

    def enemies(self, zone: str) -> list[str]:
        """``2 Guerillas 3``, ``R suspect``: the enemy counters of a Zone by Location."""
        counters = []
        for piece in self.position.pieces.values():
            head, _, location = piece.place.partition("-")
            if head != zone or piece.kind not in ("insurgent", "suspect"):
                continue
            if piece.kind == "suspect":
                counters.append(f"{location} suspect")
            else:
                side = 0 if piece.face == "front" else 1
                counters.append(f"{location} {('guerillas', 'martyrs')[side]} {piece.name.split('/')[side][1:]}")
        return sorted(counters)

    def says(self, text: str) -> bool:
        """True if a line of the last action contains the text."""
        return any(text in line for line in self.said)

    def mark(self, number: int, name: str) -> Value:
        return self.position.pieces[f"squad-{number}"].marks.get(name)

    def controlled(self, zone: str) -> bool:
        return any(piece.kind == "control" and piece.face == "usmc" for piece in self.position.at(f"box {zone}"))

    @property
    def referee(self) -> FuryReferee:
        referee = self.game.referee(self.position, self.options)
        assert isinstance(referee, FuryReferee)
        return referee


class Practice(Board):
    """A table on the practice map, which is made up: set up by its own rules, then cleared of all that came onto the map."""

    def __init__(self, turn: int = 3, **options: str) -> None:
        self.turn = turn
        Table.__init__(self, "phantomfury", "practice", seed="field", **options)
        self.seed = ""

    def set_up(self) -> None:
        """Dice and draws of the seed and every suggestion; enemies back into their cups, squads beside the map."""
        self.play(self.game.setup, accept=True)
        homes = {"insurgent": "insurgents cup", "suspect": "suspects cup", "squad": "beside the map"}
        for piece in list(self.position.pieces.values()):
            if piece.kind in homes and (piece.kind != "squad" or "-" in piece.place):
                self.change(piece.id, place=homes[piece.kind], face="front", marks={})
        self.set(turn=self.turn, vp=0)

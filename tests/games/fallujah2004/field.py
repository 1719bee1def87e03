"""Fallujah on a small map with counters of our own, and short ways to put them where a test wants them.

The map, by route and phase line::

        1                 2            3               4                5               6
     6  Main Bridge msr   urban msr    open msr        urban msr        Cloverleaf msr
     7  Brooklyn Bridge   -            open            -                -
     8  urban water       urban        Jolan (mosque)  Market (obj.)    Askari (mosque) urban
     9  open water        urban        urban           urban            open
    10  -                 open         open            open             objective
    11  -                 urban        urban           mosque           urban
    12  -                 urban        open            objective        urban

There are 20 concealed Nodes: one each at the six Mosque and Objective spaces above, the others at spaces not told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.core.events import Event, PieceMoved, TrackMoved
from companion.core.position import Piece, Position
from companion.games.fallujah2004.referee import FallujahReferee
from companion.games.fallujah2004.state import BASES, on_map
from tests.support.table import Table

SPACES = {
    "1-6": "urban msr bridge water Main Bridge",
    "2-6": "urban msr",
    "3-6": "open msr",
    "4-6": "urban msr",
    "5-6": "urban msr Cloverleaf",
    "1-7": "urban bridge water Brooklyn Bridge",
    "2-7": "none",
    "3-7": "open",
    "1-8": "urban water",
    "2-8": "urban",
    "3-8": "mosque Jolan",
    "4-8": "objective Market",
    "5-8": "mosque Askari",
    "6-8": "urban",
    "1-9": "open water",
    "2-9": "urban",
    "3-9": "urban",
    "4-9": "urban",
    "5-9": "open",
    "2-10": "open",
    "3-10": "open",
    "4-10": "open",
    "5-10": "objective",
    "2-11": "urban",
    "3-11": "urban",
    "4-11": "mosque",
    "5-11": "urban",
    "2-12": "urban",
    "3-12": "open",
    "4-12": "objective",
    "5-12": "urban",
}
HOLY = tuple(space for space, text in SPACES.items() if text.split()[0] in ("mosque", "objective"))

ROSTER = (
    "USMC 3/1 inf bn 3(3)3/2(2)3",
    "USMC 3/5 inf bn 4(2)2/2(2)2",
    "USMC 1/8 inf bn 3(3)3/2(2)3",
    "USMC 1 CE eng bn 2(2)3/1(1)3",
    "USMC 1 AT amtrac bn 2(2)3/1(2)3",
    "USMC 2 AT amtrac bn 2(2)3/1(2)3",
    "USMC A Tank armor coy 4(2)3/flag",
    "USMC B Tank armor coy 4(2)3/flag",
    "USMC C Tank armor coy 4(2)3/flag",
    "USMC B LAR recon coy 3(3)4/flag",
    "USMC 1 FR sof coy 3(4)3/flag",
    "USMC 2 FR sof coy 2(3)3/flag",
    "USMC SS sniper plt 1(4)3/flag",
    "US Army 2-7 Cav mech bn 4(2)3/3(2)3",
    "US Army 1-5 Inf stryker bn 4(3)4/2(3)4",
    "US Army 9 Arm aeng bn 3(2)3/2(2)3",
    "US Army 4 MP mp coy 1(2)3/flag",
    "British 1 BW inf bn 3(3)3/2(2)3",
    "Iraqi 1 IG inf bn 2(2)2/1(1)2",
    "Iraqi 2 IG inf bn 2(1)2/1(1)2",
    "Iraqi 36 Cdo sof coy 2(3)3/flag",
    "Joint HT 1 transport bn 1(2)air/flag",
    "Joint HT 2 transport bn 1(2)air/flag",
    "Joint HG 1 gunship bn 3(3)air/flag",
    "Joint HS 1 sofhelo bn 2(3)air/flag",
    "Joint FOB 1 fob bn 1(1)0/flag",
    "Joint FOB 2 fob bn 1(1)0/flag",
)

NODES = {"abandoned_position": 4, "al_qaeda": 3, "arms_cache": 4, "c2": 4, "hostage_house": 3, "ied_factory": 3, "strongpoint": 3}
OPFOR = {
    "hvt": "2(3) x1, 3(4) x1",
    "jihadists": "3(2) x4",
    "fedayeen": "2(2) x4",
    "militia": "1(1) x8, 0(0) x4",
    "heavy_weapons": "4(1) x2, 6(1) x8",
}
EVENTS = {
    "ambush": 2,
    "blow_bridges": 1,
    "civilians": 1,
    "deception": 2,
    "downed_helicopter": 1,
    "intel": 2,
    "iraqis_balk": 1,
    "martyrs": 2,
    "media_wars": 1,
    "mob_attack": 2,
    "morale_check": 2,
    "negotiations": 2,
    "rear_area_raid": 2,
    "uprising_elsewhere": 1,
}
STRIKES = {"air": "(3) x4, (6) x2", "soa": "(4) x2", "artillery": "(2) x4", "netwar": "x8"}

ROUTES = (("3-9", "3-11"), ("2-8", "2-5"), ("2-9", "2-5"), ("3-9", "4-8"), ("4-8", "5-9"))
"""Neighbours of this map that do not lie side by side on a route or a phase line; besides, each base is joined to each space."""

FACTS = {
    **{f"space:{space}": text for space, text in SPACES.items()},
    **{f"route:{space}/{base}": "land" for space in SPACES for base in BASES},
    **{f"route:{space}/{other}": "land" for space, other in ROUTES},
    **{f"unit:{text.rsplit(' ', 3)[0]}": text for text in ROSTER},
    **{f"nodes:{kind}": str(count) for kind, count in NODES.items()},
    **{f"opfor:{kind}": lots for kind, lots in OPFOR.items()},
    **{f"events:{kind}": str(count) for kind, count in EVENTS.items()},
    **{f"strikes:{kind}": lots for kind, lots in STRIKES.items()},
    "leaders": "2",
    "bridge:main": "1-6",
    **{
        f"stand:{morale}:{terrain}": "stand"
        for morale in ("low", "medium", "high", "fanatic")
        for terrain in ("open", "urban", "objective", "mosque")
    },
}

HARMLESS = "Militia 0(0)"
"""An OPFOR unit that never hits: contact and firepower 0."""
DEADLY = "Heavy Weapons 6(1)"
"""An OPFOR unit that always hits."""

_STARTS: dict[tuple[Any, ...], Position] = {}


class Field(Table):
    """Fallujah on the map above, by default in Vigilant Resolve."""

    def __init__(
        self, scenario: str = "vigilant_resolve", facts: Mapping[str, str] | None = None, seed: str = "", **options: str
    ) -> None:
        super().__init__("fallujah2004", scenario, {**FACTS, **(facts or {})}, seed, **options)

    def set_up(self) -> None:
        """The set-up; played once for all tests that start from the same one."""
        key = (*sorted(self.options.items()), *sorted(self.facts.items()))
        if key not in _STARTS:
            self.play(self.game.setup)
            _STARTS[key] = self.position
        self.position = _STARTS[key]

    # -- the board as a test wants it --------------------------------------------------------------------------

    def put(self, place: str, *names: str) -> None:
        """Units, strikes (``Air Strike (3)``) or leaders from wherever they are to a place; who is there already, stays."""

        async def lay(game: FallujahReferee) -> None:
            for name in names:
                for piece in self.named(name, game.position, besides=place)[:1]:
                    game.move(piece.id, place, "8.2")

        self.play(lay)

    def reduce(self, *names: str) -> None:
        """Turn units to their reduced side."""

        async def turn(game: FallujahReferee) -> None:
            for name in names:
                game.flip(self.find(name).id, "reduced", "16.3")

        self.play(turn)

    def lead(self, leader: str, unit: str) -> None:
        """Put a leader with a unit."""

        async def join(game: FallujahReferee) -> None:
            game.mark(self.find(leader).id, "with", self.find(unit).id, "29.1")
            game.move(self.find(leader).id, "leading", "29.1")

        self.play(join)

    def node(self, space: str, kind: str) -> Piece:
        """A revealed Node of a kind in a space, instead of a concealed one there."""
        chosen = next(piece for piece in self.position.at("node cup") if piece.values["node"] == kind)

        async def lay(game: FallujahReferee) -> None:
            token = next((piece for piece in game.position.at(space) if piece.kind == "concealed"), None)
            if token:
                game.move(token.id, "off", "20.2")
            game.move(chosen.id, space, "20.2")

        self.play(lay)
        return self.position.pieces[chosen.id]

    def conceal(self, *spaces: str) -> None:
        """A concealed Node from the pile in each space."""

        async def lay(game: FallujahReferee) -> None:
            for space in spaces:
                game.move(game.position.at("node pile")[0].id, space, "20.0")

        self.play(lay)

    def clear(self, *spaces: str) -> None:
        """No Node in these spaces any more."""

        async def lift(game: FallujahReferee) -> None:
            for space in spaces:
                for piece in game.position.at(space):
                    if piece.kind in ("concealed", "node"):
                        game.move(piece.id, "off" if piece.kind == "concealed" else "node cup", "20.3")

        self.play(lift)

    def clear_map(self) -> None:
        """No Node on the map at all: concealed ones gone, revealed ones captured."""

        async def lift(game: FallujahReferee) -> None:
            for piece in game.position.of_kind("concealed"):
                game.move(piece.id, "off", "20.3")
            for piece in game.position.of_kind("node"):
                if on_map(piece.place):
                    game.move(piece.id, "captured", "20.3")

        self.play(lift)

    def set(self, **tracks: int) -> None:
        """Tracks to values."""

        async def shift(game: FallujahReferee) -> None:
            for track, value in tracks.items():
                game.set_track(track, value, "3.3", "test")

        self.play(shift)

    def flag(self, name: str, value: Any) -> None:
        async def raise_flag(game: FallujahReferee) -> None:
            game.set_flag(name, value, "5.0")

        self.play(raise_flag)

    # -- looking -----------------------------------------------------------------------------------------------

    def named(self, name: str, position: Position, besides: str = "") -> list[Piece]:
        """The pieces whose name is this or ends with it, without those in the place ``besides``."""
        fit = [piece for piece in position.pieces.values() if piece.name == name]
        fit = fit or [piece for piece in position.pieces.values() if piece.name.endswith(f" {name}")]
        assert fit, f"no {name}"
        return [piece for piece in fit if piece.place != besides]

    def find(self, name: str) -> Piece:
        """The first piece of a name."""
        return self.named(name, self.position)[0]

    def place(self, name: str) -> str:
        return self.find(name).place

    def face(self, name: str) -> str:
        return self.find(name).face

    def count(self, place: str, kind: str) -> int:
        return sum(piece.kind == kind for piece in self.position.at(place))

    @property
    def ops(self) -> int:
        return self.track("ops")

    @property
    def kia(self) -> int:
        return self.track("kia")

    @property
    def morale(self) -> str:
        return ("low", "medium", "high", "fanatic")[self.track("morale")]

    def says(self, text: str, rule: str) -> bool:
        """True if a line of the last action contains the text and cites the rule."""
        return any(text in line and line.endswith(f"[{rule}]") for line in self.said)

    def moved(self, event_track: str) -> list[tuple[int, str]]:
        """What moved a track in the last action: by how much, and the rule."""
        return [(e.now - e.was, e.rule) for e in self.events if isinstance(e, TrackMoved) and e.track == event_track]

    def went(self, name: str) -> list[tuple[str, str, str]]:
        """Where pieces of a name went in the last action: from, to, rule."""
        ids = {piece.id for piece in self.position.pieces.values() if piece.name == name or piece.name.endswith(f" {name}")}
        return [(e.was, e.now, e.rule) for e in self.events if isinstance(e, PieceMoved) and e.id in ids]

    @property
    def eliminated(self) -> list[str]:
        """The OPFOR units that the last action eliminated, in order."""
        fallen = [e.id for e in self.events if isinstance(e, PieceMoved) and e.why == "eliminated"]
        return [self.position.pieces[piece].name for piece in fallen]

    # -- playing -----------------------------------------------------------------------------------------------

    def j3(
        self, force: str, to: str, *answers: str, draws: Sequence[str] = (), dice: Sequence[int] = (), anyway: bool = False
    ) -> list[Event]:
        """One Offensive Action."""
        return self.do("j3", f"force={force}", f"to={to}", *answers, draws=draws, dice=dice, anyway=anyway)

    def battle(
        self,
        space: str,
        force: str,
        opfor: Iterable[str],
        *answers: str,
        dice: Sequence[int] = (),
        events: Sequence[str] = (),
        start: str = "3-9",
    ) -> list[Event]:
        """A J-3 into a space whose reaction brings these events and OPFOR units; morale is set to pick as many."""
        names = [*events, *opfor]
        extra = sum(name in ("Ambush", "Martyrs") for name in events)
        self.set(morale=len(names) - extra - 1)
        self.put(start, *force.split(", "))
        return self.j3(force, space, *answers, draws=names, dice=dice)

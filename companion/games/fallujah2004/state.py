"""[4.0] Places, kinds, flags and marks of the position, and what a piece is."""

from __future__ import annotations

from companion.core.position import Piece, Position

WEST_BASE = "west base"
BASES = ("north base", "south base", "east base", WEST_BASE)
ROUTES = range(1, 7)
LINES = range(2, 13)
SPACE_ORDER = tuple(f"{route}-{line}" for route in ROUTES for line in LINES)
SPACES = frozenset(SPACE_ORDER)
UNIT_PLACES = SPACES | frozenset(BASES)
"""The places of Coalition units that are recruited and not lost."""
ALL_ROUTES = "all"
LAND, BRIDGE, EITHER, RIVER, NO_ROUTE = "land", "bridge", "either", "river", "none"

RECRUIT = "recruit"
AVAILABLE = "available"
ELIMINATED = "eliminated"
HVT_BOX = "hvt box"
CAPTURED = "captured"
IN_PLAY = "in play"
NODE_CUP = "node cup"
REACTION_CUP = "reaction cup"
DISPLAY = "battle"
NODE_PILE = "node pile"
UNOPENED = "unopened"
OUT = "out"
ASIDE = "aside"
OFF = "off"
LEADING = "leading"
KEPT = "kept"

UNIT = "unit"
STRIKE = "strike"
LEADER = "leader"
OPFOR = "opfor"
EVENT = "event"
NODE = "node"
CONCEALED = "concealed"
MARKER = "marker"

FULL = "front"
REDUCED = "reduced"

WITH = "with"
FIRST = "first"

CLEARED = "the map is cleared"
"""The reason of moves between the two battles of the campaign, which are not narrated one by one."""

STAGE = "stage"
BATTLE = "battle"
CAMPAIGN = "campaign"
OVER = "over"
PLAYER = "player"
QUARTERS = "quarters"
MSR_CLEARED = "msr cleared"
HOLY_HELD = "holy held"

SHARES = ("nodes of ", "kia of ")
"""Prefixes of flags for each player's captured Nodes and KIA [35.0]."""

SPACE = "space:"
NAME = "name:"
"""Prefixes of flags for the ground and the printed name of a space."""


def on_map(place: str) -> bool:
    """True if a place is a space of the map (bases are not)."""
    return place in SPACES


def space_flag(space: str) -> str:
    """The flag for the ground of a space."""
    return SPACE + space


def name_flag(space: str) -> str:
    """The flag for the printed name of a space."""
    return NAME + space


def option_flag(option: str) -> str:
    """The flag for an option of the session."""
    return f"option {option}"


AIR_STRIKE = "air"
AMTRAC = "amtrac"
ARTILLERY = "artillery"
ENGINEERS = ("engineer", "armored_engineer")
FOB = "fob"
INFANTRY = "infantry"
NETWAR = "netwar"
SOA = "soa"
SOF = "sof"
SOF_HELICOPTER = "helicopter_sof"
TRANSPORT = "helicopter_transport"


def type_of(piece: Piece) -> str:
    """The type that is printed on a unit, a strike or an OPFOR unit [4.2, 4.3, 4.6]."""
    printed = piece.values.get("type")
    return printed if isinstance(printed, str) else ""


def event_of(piece: Piece) -> str:
    """Which Event an Event marker is [4.7]; "" for anything else."""
    printed = piece.values.get("event")
    return printed if isinstance(printed, str) else ""


def node_of(piece: Piece) -> str:
    """The row of the Node chart; a Downed Helicopter has one too [14.7]."""
    return str(piece.values.get("node") or event_of(piece))


def steps_left(piece: Piece) -> int:
    """Strength steps that the unit can still lose [16.3]."""
    return 1 if piece.face == REDUCED else piece.number("steps")


def is_helicopter(piece: Piece) -> bool:
    """A helicopter combat unit [24.0]."""
    return type_of(piece).startswith("helicopter")


def is_engineer(piece: Piece) -> bool:
    """[26.0] Engineers, armored ones included (ruling C-28)."""
    return type_of(piece) in ENGINEERS


def is_sof(piece: Piece) -> bool:
    """Special Operations Forces on the ground [27.0]."""
    return type_of(piece) == SOF


def is_iraqi(piece: Piece) -> bool:
    """An Iraqi Government unit [4.1]."""
    return piece.values.get("nation") == "Iraqi"


def is_ground(piece: Piece) -> bool:
    """A ground combat unit, Forward Operations Bases included [24.7, 28.0]."""
    return not is_helicopter(piece)


def is_fob(piece: Piece) -> bool:
    """A Forward Operations Base [28.0]."""
    return type_of(piece) == FOB


def is_amtrac(piece: Piece) -> bool:
    """An amphibian tractor [25.0]."""
    return type_of(piece) == AMTRAC


def is_battalion(piece: Piece) -> bool:
    """A battalion, which has its own stacking limit [8.2] and column in the Unit Cost Chart."""
    return piece.values.get("size") == "bn"


def is_netwar(piece: Piece) -> bool:
    """A NetWar marker, or an Intel marker, which is used as one [14.5, 22.0]."""
    return type_of(piece) == NETWAR or event_of(piece) == "intel"


def is_mob(piece: Piece) -> bool:
    """A Mob Attack."""
    return event_of(piece) == "mob_attack"


def fights(piece: Piece) -> bool:
    """An OPFOR combat unit; a Mob Attack is treated as one [14.5]."""
    return piece.kind == OPFOR or is_mob(piece)


def is_helicopter_down(piece: Piece) -> bool:
    """The Downed Helicopter [14.7]."""
    return event_of(piece) == "downed_helicopter"


def is_node(piece: Piece) -> bool:
    """A Node that is face up, or a Downed Helicopter, which counts as one."""
    return piece.kind == NODE or is_helicopter_down(piece)


def lies_concealed(piece: Piece) -> bool:
    """A concealed Node on the map [20.0], in a space that was visited or not."""
    return piece.kind == CONCEALED and piece.place not in (NODE_PILE, OFF)


def lies_open(piece: Piece) -> bool:
    """A revealed Node on the map [20.2], not the Downed Helicopter."""
    return piece.kind == NODE and on_map(piece.place)


def is_set_up(position: Position) -> bool:
    """[7.1(2)] True during the set-up: no operation is counted, and no unit is on the map itself."""
    begun = position.track("operations") or any(on_map(unit.place) for unit in position.of_kind(UNIT))
    return position.flag(STAGE) == "set-up" and not begun


def is_uprising(position: Position) -> bool:
    """[11.1, 14.5] True while Uprising Elsewhere lies in the Events in Play box: combat units cost double."""
    return any(event_of(piece) == "uprising_elsewhere" for piece in position.at(IN_PLAY))

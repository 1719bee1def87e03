"""Names used in a position of LZ Albany (sides, kinds, places, flags, marks) and the properties of its counters.

``game.toml`` describes each place, flag and mark.
"""

from __future__ import annotations

from companion.core.charts import Chart
from companion.core.hints import Literal
from companion.core.position import Piece, Position

Side = Literal["US", "NVA"]
US: Side = "US"
NVA: Side = "NVA"
SIDES: tuple[Side, Side] = (US, NVA)
US_GROUPS = ("ab15", "ab27", "cd27")
GROUPS = (*US_GROUPS, "33", "66", "66hq")

Phase = Literal["deploy", "reinforcement", "event", "action", "rally", "administrative", "over"]
PHASES: tuple[Phase, ...] = ("deploy", "reinforcement", "event", "action", "rally", "administrative", "over")
"""[3.3] The phases in order; the set-up before, the end of the game after them."""

# Kinds of pieces, their faces and the types of units.

TargetKind = Literal["unit", "officer", "wounded"]
"""The kinds of pieces that take hits [8.1]; a wounded US unit is a marker."""
UNIT: TargetKind = "unit"
OFFICER: TargetKind = "officer"
WOUNDED: TargetKind = "wounded"
CHIT, FLARE = "chit", "flare"
FRONT, REDUCED_SIDE, WOUNDED_SIDE = "front", "reduced", "wounded"
INFANTRY = ("inf", "hmg")
MORTAR, ARTILLERY = "mortar", "artillery"

# Places beside the map.

POOL, TO_COME, TO_PLACE, AIRLIFT = "pool", "to come", "to place", "airlift"
FLARE_TRACK, FLARES_USED = "flare track", "flares used"
ELIMINATED, DEAD, EVACUATED, LEFT, OUT = "eliminated", "dead", "evacuated", "left", "out"
SPENT = "box spent"
BOXES = "box "
"""Prefix of every box that holds drawn chits."""
BOXES_PER_GROUP = 2
"""[5.2] Activations of a unit group in a turn."""

Action = Literal["fire", "move"]
FIRE: Action = "fire"
MOVE: Action = "move"

NVA_ADRENALINE = "NVA Adrenaline"
COMPANION = "companion"
"""Option value of a side that Companion plays."""

REDUCED, REMOVED = 3, 4
"""[8.2] The hits with which a unit is reduced and removed."""


def track_box(group: str, action: str) -> str:
    """The box on a group's track for chits played as Fire or Move."""
    return f"{BOXES}{group} {action}"


def adrenaline_box(side: Side) -> str:
    """The box in which a side keeps its Adrenaline chit."""
    return f"{BOXES}{side.casefold()} adrenaline"


def support_box(chit: str) -> str:
    """The box of a support chit, by its row in the chart of chits."""
    return f"{BOXES}{chit.replace(' ', '')}"


VISIBILITY_BOX = support_box("visibility")

# Tracks, flags, marks.

TURN, US_VP, NVA_VP, FLARES = "turn", "us_vp", "nva_vp", "flares"
PHASE, RETREAT, OVER, COUNTED = "phase", "retreat", "over", "counted"
PairKind = Literal["los", "beside", "range"]
"""Facts on two areas: a line of sight, whether they are adjacent (if neither has its list of neighbours), mortar range."""
MAP_WHOLE, MAP_PRACTICE = "map whole", "map practice"
NAMED_AREA = "named:"
HITS, INCIDENT, ACTS = "hits", "incident", "acts"
INCIDENTS = (NO_FIRE, NO_MOVE, NOTHING) = ("no fire", "no move", "no fire or move")


def vp_track(side: Side) -> str:
    """The track of a side's victory points."""
    return US_VP if side == US else NVA_VP


def points_flag(item: str) -> str:
    """Points scored so far for one item of the victory point schedules."""
    return f"vp:{item}"


def named_flag(area: str) -> str:
    """Set for an area that a player has named and not described."""
    return f"{NAMED_AREA}{area}"


def terrain_flag(area: str) -> str:
    """The terrain of an area."""
    return f"terrain:{area}"


def edge_flag(area: str) -> str:
    """The map edge at an area: ``edge`` or ``east``."""
    return f"edge:{area}"


def next_flag(area: str) -> str:
    """The areas next to an area, comma-separated."""
    return f"next:{area}"


def start_flag(area: str) -> str:
    """The circle or dot printed in an area."""
    return f"start:{area}"


def style_flag(side: Side) -> str:
    """How Companion sets up a side, where it has chosen by rollouts."""
    return f"style:{side.casefold()}"


def pair_flag(kind: PairKind, first: str, second: str) -> str:
    """What is known of two areas, in either order."""
    return f"{kind}:{' '.join(sorted((first, second)))}"


def phase_of(position: Position) -> Phase | None:
    """The phase that the position is in; None before the set-up."""
    current = position.flag(PHASE)
    return next((phase for phase in PHASES if phase == current), None)


def target_kind(piece: Piece) -> TargetKind:
    """The kind of a platoon, officer or Wounded marker as a target."""
    return OFFICER if piece.kind == OFFICER else WOUNDED if piece.kind == WOUNDED else UNIT


def is_night(turns: Chart, turn: int) -> bool:
    """[11.0] True for a night turn, by the chart of turns."""
    return str(turn) in turns.rows and turns.text(str(turn), "light") == "night"


def enemy(side: Side) -> Side:
    """The other side."""
    return NVA if side == US else US


def side_of(piece: Piece) -> Side:
    """The side of a platoon, officer, Wounded marker or chit. US for a flare, which has none."""
    return NVA if piece.values.get("side") == NVA else US


def company_of(piece: Piece) -> str:
    """The company of a counter [9.2], for example ``A/2-7``."""
    return str(piece.values.get("company") or "")


def group_of(piece: Piece) -> str:
    """The unit group of a counter [5.2]."""
    return str(piece.values.get("group"))


def type_of(piece: Piece) -> str:
    """``inf``, ``hmg``, ``mortar``, ``artillery`` or ``officer``."""
    return str(piece.values.get("type") or "")


def is_infantry(piece: Piece) -> bool:
    """True for an infantry platoon, heavy machine guns included."""
    return type_of(piece) in INFANTRY


def is_artillery(piece: Piece) -> bool:
    """True for the artillery of LZ Columbus."""
    return type_of(piece) == ARTILLERY


def is_unwounded(piece: Piece) -> bool:
    """False only for a wounded officer."""
    return piece.kind != OFFICER or piece.face == FRONT


def holds_area(piece: Piece) -> bool:
    """True for a platoon or an unwounded officer."""
    return piece.kind == UNIT or (piece.kind == OFFICER and piece.face == FRONT)


def needs_carrying(piece: Piece) -> bool:
    """[6.3, 10.4] True for a wounded marker or a wounded officer."""
    return piece.kind == WOUNDED or not is_unwounded(piece)


def is_senior(piece: Piece) -> bool:
    """[5.2D] True for an officer of no unit group."""
    return piece.kind == OFFICER and bool(piece.values.get("senior"))


def activations(piece: Piece) -> int:
    """How often an officer was activated by himself this turn."""
    count = piece.marks.get(ACTS)
    return count if isinstance(count, int) else 0


def may_fire(piece: Piece) -> bool:
    """[3.5] False if an incident marker forbids a counter to fire."""
    return piece.marks.get(INCIDENT) not in (NO_FIRE, NOTHING)


def may_move(piece: Piece) -> bool:
    """[3.5] False if an incident marker forbids a counter to move."""
    return piece.marks.get(INCIDENT) not in (NO_MOVE, NOTHING)


def hits_on(piece: Piece) -> int:
    """The hits of a counter: 0 to 3 for a unit, 0 or 1 for an officer, 4 for a wounded marker."""
    if piece.kind == WOUNDED:
        return REMOVED
    if piece.face != FRONT:
        return 1 if piece.kind == OFFICER else REDUCED
    hits = piece.marks.get(HITS)
    return hits if isinstance(hits, int) else 0


def strength(piece: Piece, what: str) -> int:
    """The current ``fire`` or ``melee`` strength of a unit."""
    return piece.number(what if piece.face == FRONT else f"back {what}")

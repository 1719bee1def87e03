"""[2.4] What a counter is, read off its piece."""

from __future__ import annotations

from companion.core.position import Piece
from companion.games.lzalbany.names import ACTS, FRONT, HITS, INCIDENT, NO_FIRE, NO_MOVE, NOTHING, NVA, OFFICER, UNIT, US, WOUNDED
from companion.games.lzalbany.rules.r08_hits import REDUCED, Target

INFANTRY = ("inf", "hmg")
MORTAR, ARTILLERY = "mortar", "artillery"


def enemy(side: str) -> str:
    """The other side."""
    return NVA if side == US else US


def side_of(piece: Piece) -> str:
    """``US`` or ``NVA``; "" for what belongs to nobody."""
    return str(piece.values.get("side") or "")


def company_of(piece: Piece) -> str:
    """The organisation that a counter belongs to [9.2]: ``A/2-7``."""
    return str(piece.values.get("company") or "")


def type_of(piece: Piece) -> str:
    """``inf``, ``hmg``, ``mortar``, ``artillery`` or ``officer``."""
    return str(piece.values.get("type") or "")


def is_infantry(piece: Piece) -> bool:
    """Whether a counter is a platoon of infantry, heavy machineguns included."""
    return type_of(piece) in INFANTRY


def is_artillery(piece: Piece) -> bool:
    """Whether a counter is one of the guns of LZ Columbus."""
    return type_of(piece) == ARTILLERY


def healthy(piece: Piece) -> bool:
    """An officer who is not wounded, or any other counter."""
    return piece.kind != OFFICER or piece.face == FRONT


def fights(piece: Piece) -> bool:
    """A platoon or an unwounded officer: what makes an area disputed (ruling D-6)."""
    return piece.kind == UNIT or (piece.kind == OFFICER and piece.face == FRONT)


def needs_carrying(piece: Piece) -> bool:
    """[6.3, 10.4] A wounded marker or a wounded officer."""
    return piece.kind == WOUNDED or not healthy(piece)


def is_senior(piece: Piece) -> bool:
    """[5.2D] An officer of no unit group."""
    return piece.kind == OFFICER and bool(piece.values.get("senior"))


def acts(piece: Piece) -> int:
    """How often an officer was activated by himself this turn."""
    done = piece.marks.get(ACTS)
    return done if isinstance(done, int) else 0


def may_fire(piece: Piece) -> bool:
    """[3.5] Whether no incident marker keeps a counter from firing."""
    return piece.marks.get(INCIDENT) not in (NO_FIRE, NOTHING)


def may_move(piece: Piece) -> bool:
    """[3.5] Whether no incident marker keeps a counter from moving."""
    return piece.marks.get(INCIDENT) not in (NO_MOVE, NOTHING)


def hits_on(piece: Piece) -> int:
    """Hits that a counter bears: of a unit 0 to 3, of an officer 0 or 1, of a wounded marker 4."""
    if piece.kind == WOUNDED:
        return 4
    if piece.face != FRONT:
        return 1 if piece.kind == OFFICER else REDUCED
    marked = piece.marks.get(HITS)
    return marked if isinstance(marked, int) else 0


def strength(piece: Piece, what: str) -> int:
    """The fire or melee strength of a unit as it stands."""
    return piece.number(what if piece.face == FRONT else f"back {what}")


def target_of(piece: Piece) -> Target:
    """The counter as hits see it."""
    told, hits = piece.number, hits_on(piece)
    strengths = told("fire"), told("melee"), told("back fire"), told("back melee")
    return Target(side_of(piece), piece.kind, hits, *strengths, piece.id, piece.name)

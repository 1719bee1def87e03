"""[12.2.2] One squad a Location under USMC Control when the Movement Phase ends: what would leave squads together for good, and
who can still make room.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.core.position import Piece
from companion.games.phantomfury.names import BROUGHT_BACK
from companion.games.phantomfury.pieces import controlled
from companion.games.phantomfury.referee import MOVEMENT, Fury
from companion.games.phantomfury.rules.r12_paths import reachable
from companion.games.phantomfury.words.counters import short
from companion.games.phantomfury.words.town import section_of, zone_of
from companion.games.phantomfury.words.zones import MOSQUE


class Post(NamedTuple):
    """A squad that counts for stacking, what it occupies, and whether it can still move."""

    squad: Piece
    where: str
    free: bool


class Ends(NamedTuple):
    """The best possible end of the Movement Phase.

    Attributes:
        over: The number of squads that remain too many in a Location.
        stuck: Squads without a Location of their own that have not moved.
        movers: Squads that must move for it.
    """

    over: int
    stuck: tuple[Piece, ...]
    movers: tuple[Piece, ...]


def settled(referee: Fury, squad: Piece, where: str) -> Piece | None:
    """[12.2.2] A squad in a Location under USMC Control that cannot move any more, so that no other may end there."""
    held = referee.seen("held", lambda: _held(referee)).get(where)
    if not held or not _limited(referee, where):
        return None
    return next((piece for piece in held if piece.id != squad.id), None)


def _held(referee: Fury) -> dict[str, list[Piece]]:
    """The squads that cannot move any more, by place."""
    by_place: dict[str, list[Piece]] = {}
    for squad in referee.squads():
        if referee.held(squad):
            by_place.setdefault(squad.place, []).append(squad)
    return by_place


def crowding(referee: Fury, squad: Piece, goal: str) -> tuple[str, str, str] | None:
    """[12.2.2] Why a squad may not end its movement at a place, or stay there: (why, rule, cure). Given what all others can
    still do, it would leave more squads together than necessary.
    """
    other = settled(referee, squad, goal) if goal != squad.place else None
    if other:
        return f"{other.name} is at {goal} and moves no more this turn; a Location holds one squad", "12.2.2", "Stop elsewhere"
    where = _alone(referee, goal)
    if where not in _others(referee, squad) and not _shared(referee, squad):
        return None
    now = referee.seen(("ends", squad.id, where), lambda: _ends(referee, squad, where))
    if not now.over:
        return None
    best = referee.seen(("ends", squad.id), lambda: _ends(referee, squad))
    if now.over <= best.over:
        return None
    stuck = [piece for piece in now.stuck if piece.id != squad.id] or [
        post.squad for post in _posts(referee) if post.squad.place == goal and post.squad.id != squad.id
    ]
    first = [piece for piece in best.movers if piece.id != squad.id]
    cure = f"First make room with {referee.piece_names(first)}, or stop elsewhere" if first else "Stop elsewhere"
    return f"with {squad.name} at {goal}, {referee.piece_names(stuck)} could not be alone in a Location any more", "12.2.2", cure


def open_to(referee: Fury, squad: Piece, goals: Iterable[str]) -> list[str]:
    """[12.2.2] The goals at which a squad may end its movement."""
    return [goal for goal in goals if crowding(referee, squad, goal) is None]


def end_movement(referee: Fury) -> None:
    """[12.2.2] Check stacking at the end of Movement: one squad in a Location under USMC Control, not counting those brought
    back from a street. If no squad can make room any more, they stay with a message (ruling C-67).
    """
    if referee.position.track("phase") > MOVEMENT:
        return
    _in_streets(referee)
    shared = _together(referee)
    movers = _ends(referee).movers if shared else ()
    for where, squads in shared.items():
        who, able = referee.piece_names(squads), [squad for squad in squads if squad in movers]
        if not _crowded(referee, squads):
            referee.say(f"{who} stay together in {where}: one came back with casualties.", "12.5.3")
        elif able:
            cure = f"Move on: {referee.piece_names(able)}" if len(able) < len(squads) else "Move one of them on"
            referee.forbid(f"{who} end the Movement Phase in {where}; a Location holds one squad", "12.2.2", cure)
        else:
            referee.say(f"{who} stay together in {where}: nobody there can make room any more.", "12.2.2", tone="warning")


def _in_streets(referee: Fury) -> None:
    """[12.2.3.1] A reminder of squads that could have left a street."""
    for squad in referee.squads():
        if section_of(squad.place) and not referee.held(squad):
            who = f"{squad.name} has not moved out of {squad.place}"
            referee.say(f"{who}; a squad does not stay in a street of its own will.", "12.2.3.1", tone="reminder")


def _together(referee: Fury) -> dict[str, list[Piece]]:
    """The Locations under USMC Control with several squads."""
    by_place: dict[str, list[Piece]] = {}
    for squad in referee.squads():
        if _limited(referee, squad.place):
            by_place.setdefault(squad.place, []).append(squad)
    return {where: squads for where, squads in by_place.items() if len(squads) > 1}


def _crowded(referee: Fury, squads: Sequence[Piece]) -> bool:
    """[12.5.3] True if too many squads are together, not counting those brought back from a street."""
    back = referee.members(BROUGHT_BACK)
    return sum(short(squad) not in back for squad in squads) > 1


def _alone(referee: Fury, where: str) -> str:
    """[12.2.1.1, 12.2.2] What a squad occupies: its Location, or in a Zone of the insurgents the whole Zone."""
    zone = zone_of(where)
    return where if zone in ("", MOSQUE) or controlled(referee.position, zone) else zone


def _limited(referee: Fury, where: str) -> bool:
    """True for a Location under USMC Control."""
    zone = zone_of(where)
    return bool(zone) and controlled(referee.position, zone)


def _posts(referee: Fury) -> list[Post]:
    """The squads that count, without those brought back from a street [12.5.3]."""

    def look() -> list[Post]:
        back = referee.members(BROUGHT_BACK)
        return [
            Post(squad, _alone(referee, squad.place), referee.held(squad) is None)
            for squad in referee.squads()
            if not back or short(squad) not in back
        ]

    return referee.seen("posts", look)


def _others(referee: Fury, squad: Piece) -> set[str]:
    return referee.seen(("others", squad.id), lambda: {leg.where for leg in _posts(referee) if leg.squad.id != squad.id})


def _shared(referee: Fury, squad: Piece) -> bool:
    """True if any of the other squads are together."""

    def look() -> bool:
        posts = _posts(referee)
        return len(_others(referee, squad)) < len(posts) - any(post.squad.id == squad.id for post in posts)

    return referee.seen(("shared", squad.id), look)


def _ends(referee: Fury, squad: Piece | None = None, goal: str = "") -> Ends:
    """The best end of the Movement Phase.

    Args:
        squad: A squad whose movement lies ahead, even if it is noted as moving.
        goal: What this squad occupies at its end; "": free choice.
    """
    mover = squad.id if squad else ""
    owner: dict[str, Piece | None] = {}
    over = 0
    free: list[tuple[Piece, str]] = []
    for piece, stands, may in _posts(referee):
        where, able = (goal or stands, not goal) if piece.id == mover else (stands, may)
        if able:
            free.append((piece, where))
        else:
            over += where in owner and _limited(referee, where)
            owner[where] = None
    waiting = [piece for piece, where in free if owner.setdefault(where, piece) is not piece and _limited(referee, where)]
    stuck = tuple([piece for piece in waiting if not _placed(referee, piece, owner, set())])
    ends = {piece.id: where for where, piece in owner.items() if piece is not None}
    movers = tuple([piece for piece, where in free if ends.get(piece.id, where) != where])
    return Ends(over + len(stuck), stuck, movers)


def _placed(referee: Fury, squad: Piece, owner: dict[str, Piece | None], seen: set[str]) -> bool:
    """Find a squad a place of its own, moving others if necessary; updates ``owner``. Returns whether it succeeded."""
    for where in referee.seen(("goals", squad.id), lambda: _goals(referee, squad)):
        if where in seen:
            continue
        seen.add(where)
        holder = owner.get(where, squad)
        if holder is squad or (holder is not None and _placed(referee, holder, owner, seen)):
            owner[where] = squad
            return True
    return False


def _goals(referee: Fury, squad: Piece) -> list[str]:
    """What a squad can occupy at the end: its place and those it can reach, except beside a squad that was brought back."""
    back = referee.members(BROUGHT_BACK)
    shut = {_alone(referee, squad.place) for squad in referee.squads() if short(squad) in back} if back else ()
    ways = [where for where in dict.fromkeys(_alone(referee, spot) for spot in reachable(referee, squad)) if where not in shut]
    return [_alone(referee, squad.place), *ways]

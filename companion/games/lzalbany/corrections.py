"""Manual corrections: new counters, and the consequences of facts entered anew."""

from __future__ import annotations

from contextlib import suppress
from typing import ClassVar

from companion.core.charts import Chart
from companion.core.corrections import Corrections, CupContents, NewPiece, piece_put
from companion.core.errors import Unreadable
from companion.core.events import Event, FlagSet, PieceMoved, TrackMoved
from companion.core.game import Obstacle
from companion.core.position import Piece, Position
from companion.core.procedures import GameOver
from companion.core.text import matching_names
from companion.games.lzalbany import notation, state
from companion.games.lzalbany.areas import COLUMBUS, FACT_RULES, TRANSITION, is_area
from companion.games.lzalbany.referee import AlbanyReferee
from companion.games.lzalbany.rules import r02_map
from companion.games.lzalbany.rules.r04_victory import RETREAT_AT


class AlbanyCorrections(Corrections):
    """The manual corrections of LZ Albany."""

    cups: ClassVar[CupContents] = {state.POOL: ((state.CHIT,), "5.1")}

    def face_names(self, piece: Piece) -> tuple[str, ...]:
        """The sides of a counter (2.4, 8.2, 10.4)."""
        backs: dict[str, str] = {state.UNIT: state.REDUCED_SIDE, state.OFFICER: state.WOUNDED_SIDE}
        back = backs.get(piece.kind)
        return (state.FRONT, back) if back else (state.FRONT,)

    def is_in_play(self, piece: Piece) -> bool:
        return is_area(piece.place)

    def objection(self, event: Event, position: Position) -> Obstacle | None:
        """Each kind of counter lies in places of its own (5.2 - 5.6, 6.2C, 6.5, 11.2)."""
        put = piece_put(event, position)
        if put is None:
            return None
        piece, to = put
        return _chit_objection(piece, to) if piece.kind == state.CHIT else _counter_objection(piece, to)

    def read_new_piece(self, kind: str, text: str, position: Position) -> NewPiece:
        """A counter of a company (``A/2-7 1 inf 2-3/1-2``), a wounded marker, or a chit like another (2.4, 8.2, 5.1).

        Raises Unreadable.
        """
        if kind == state.WOUNDED:
            number = len(position.of_kind(state.WOUNDED)) + 1
            return NewPiece(text or f"Wounded {number}", {"side": state.US})
        if kind in (state.UNIT, state.OFFICER):
            return _new_counter(kind, text, position, self.game.tables.charts["organisations"])
        known = {piece.name: piece for piece in position.of_kind(kind)}
        names = matching_names(text, known)
        if len(names) != 1:
            raise Unreadable(f"'{text}' is no {kind} of the game", rule="5.1", cure=f"You can name {', '.join(known)}")
        if kind == state.FLARE:  # all eight are in the game from the set-up on
            cure = f'Move it: companion adjust "{names[0]}" AREA'
            raise Unreadable(f"{names[0]} is in the game already", rule="11.2", cure=cure)
        return NewPiece(names[0], known[names[0]].values)

    def apply_consequences(self, referee: AlbanyReferee, why: str) -> None:
        """The consequences of points (4.2), of the retreat (5.2E) and of flares (11.2)."""
        events = list(referee.events)
        tracks = {event.track for event in events if isinstance(event, TrackMoved)}
        moved = [referee.piece(event.id) for event in events if isinstance(event, PieceMoved)]
        if any(isinstance(event, FlagSet) and event.flag == state.RETREAT and event.now for event in events):
            referee.remove_nva_adrenaline()
        elif state.US_VP in tracks and referee.nva_retreats and referee.position.track(state.US_VP) < RETREAT_AT:
            text = f"The NVA still retreats, which begins at {RETREAT_AT} VP. If it does not: adjust flag:retreat no"
            referee.say(f"{text}.", "5.2E", tone="reminder")
        if state.FLARES in tracks:
            _move_flares(referee, why)
        elif any(piece.kind == state.FLARE for piece in moved):
            referee.set_track(state.FLARES, referee.position.count(state.FLARE_TRACK), "11.2", why)
        with suppress(GameOver):
            referee.check_milestones()

    def apply_fact(self, referee: AlbanyReferee, kind: str, name: str, value: str) -> bool:
        """Store a new map fact (2.2, 7.4, 7.8) on the position; False for other facts and on a practice map."""
        if kind not in FACT_RULES or referee.position.flag(state.MAP_PRACTICE):
            return False
        r02_map.record_fact(referee, kind, name, value)
        return True


def _chit_objection(chit: Piece, to: str) -> Obstacle | None:
    """Why a chit does not lie in a place: its boxes are those of its kind and side (5.2A, 5.3, 5.4, 5.5, 5.6)."""
    side, kind = state.side_of(chit), str(chit.values.get("chit"))
    if kind in ("us", "nva"):
        groups = [group for group in state.GROUPS if (group in state.US_GROUPS) == (side == state.US)]
        own = [state.track_box(group, action) for group in groups for action in (state.FIRE, state.MOVE)] + [state.SPENT]
        rule = "5.2A"
    elif kind.endswith("adrenaline"):
        own, rule = [state.adrenaline_box(side), state.SPENT], "5.3"
    else:
        own, rule = [state.support_box(kind)], {"artillery": "5.4", "visibility": "5.6"}.get(kind, "5.5")
    if to in (*own, state.POOL, state.TO_COME, state.OUT):
        return None
    return Obstacle(f"{chit.name} does not lie there", rule, f"It lies in: {', '.join((state.POOL, *own))}")


def _counter_objection(piece: Piece, to: str) -> Obstacle | None:
    """Why a platoon, officer, wounded marker or flare does not lie in a place (5.2A, 6.2C, 6.5, 11.2)."""
    if to.startswith(state.BOXES):
        return Obstacle(f"{piece.name} is no chit, and only chits lie there", "5.2A", "Name an area")
    if piece.kind == state.FLARE:
        if is_area(to) or to in (state.FLARE_TRACK, state.FLARES_USED, state.OUT):
            return None
        return Obstacle(f"{piece.name} does not lie there", "11.2", f"Name an area, {state.FLARE_TRACK} or {state.FLARES_USED}")
    if to in (state.FLARE_TRACK, state.FLARES_USED):
        return Obstacle(f"{piece.name} is no flare", "11.2", "Name an area")
    if to == TRANSITION and state.side_of(piece) == state.US:
        return Obstacle("no US counter goes to the Transition Area", "6.5", f"Name another area, or {COLUMBUS}")
    if state.is_artillery(piece) and is_area(to) and to != COLUMBUS:
        return Obstacle(f"{piece.name} is artillery, which does not leave LZ Columbus", "6.2C", f"Name {COLUMBUS}")
    return None


def _move_flares(referee: AlbanyReferee, why: str) -> None:
    """Put as many flares on their track as it counts (11.2); others are used, unless they lie on the map."""
    on_track, used = (list(referee.position.at(place)) for place in (state.FLARE_TRACK, state.FLARES_USED))
    more = referee.position.track(state.FLARES) - len(on_track)
    for flare in used[: max(0, more)]:
        referee.move(flare.id, state.FLARE_TRACK, "11.2", why)
    for flare in on_track[: max(0, -more)]:
        referee.move(flare.id, state.FLARES_USED, "11.2", why)


def _new_counter(kind: str, text: str, position: Position, organisations: Chart) -> NewPiece:
    example = "new:unit:A/2-7 1 inf 2-3/1-2" if kind == state.UNIT else "new:officer:A/2-7 co officer"
    company = next((name for name in notation.COMPANIES if text.casefold().startswith(f"{name.casefold()} ")), "")
    if not company:
        cure = f"Company, then the counter: {example}. Companies: {', '.join(notation.COMPANIES)}"
        raise Unreadable(f"'{text}' names no company", rule="2.4", cure=cure)
    counter = notation.read_counter(text[len(company) :])
    if (counter.type == state.OFFICER) != (kind == state.OFFICER):
        raise Unreadable(f"'{counter}' is no {kind}", rule="2.4", cure=f"Type it like this: {example}")
    name = counter.name(company)
    if any(piece.name == name and piece.kind == kind for piece in position.pieces.values()):
        cure = f"Move it: companion adjust {name} AREA; other strengths: strength"
        raise Unreadable(f"{name} is in the game already", rule="2.4", cure=cure)
    side, group = organisations.text(company, "side"), organisations.text(company, "group")
    values = notation.values_of(counter, company, side, group)
    return NewPiece(name, {**values, "turn": organisations.number(company, "turn")})

"""Manual corrections: new counters, and the effects of a corrected space."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from companion.core.charts import Chart
from companion.core.corrections import Corrections, CupContents, NewPiece, one_name
from companion.core.errors import Impossible, Unreadable
from companion.core.events import Event, FlagSet, PieceMade, PieceMarked, PieceMoved, TrackMoved
from companion.core.game import Game, Obstacle
from companion.core.position import Piece, Position, Value
from companion.core.text import clean, matching_names, pick_name
from companion.games.fallujah2004 import notation, state
from companion.games.fallujah2004.facts import BRIDGES, EVENT_KINDS, NODE_KINDS, OPFOR_KINDS, STRIKE_KINDS
from companion.games.fallujah2004.referee import FallujahReferee, all_known, concealed_at, deployed, ground_at, unit_words
from companion.games.fallujah2004.rules import r06_scenarios, r09_opfor

_LETTERS = "ABCDEFGHIJKLMNOPQRST"


def _unit(text: str, position: Position) -> NewPiece:
    if not notation.looks_like_unit(text):
        cure = f"Like this: new:unit:{notation.UNIT.example} recruit"
        raise Unreadable(f"'{text}' is not a unit's counter", rule="4.2", cure=cure)
    unit = notation.read_unit(text)
    return NewPiece(unit.title, notation.unit_values(unit))


def _strike(text: str, position: Position) -> NewPiece:
    word, _, printed = text.replace("(", " ").replace(")", " ").partition(" ")
    kind = pick_name(word, STRIKE_KINDS, "kind of strike", cure=f"Like this: new:strike:air 3; kinds: {', '.join(STRIKE_KINDS)}")
    fire = int(printed) if printed.strip().isdecimal() else 0
    if not 0 <= fire <= 9:
        raise Unreadable(f"no strike has a firepower of {fire}", rule="4.3", cure="Like this: new:strike:air 3")
    title = r06_scenarios.STRIKE_NAMES[kind]
    return NewPiece(f"{title} ({fire})" if fire else title, {"type": kind, "fire": fire})


def _leader(text: str, position: Position) -> NewPiece:
    taken = {piece.name for piece in position.of_kind(state.LEADER)}
    free = next((f"Leader {letter}" for letter in _LETTERS if f"Leader {letter}" not in taken), "Leader")
    return NewPiece(text or free, {"edge": 1})


def _opfor(text: str, position: Position) -> NewPiece:
    words = text.split()
    if len(words) < 2:
        raise Unreadable(f"'{text}' is not an OPFOR counter", rule="4.6", cure="Like this: new:opfor:militia 1(1)")
    kind = pick_name(" ".join(words[:-1]), OPFOR_KINDS, "OPFOR unit", cure=f"It can be: {', '.join(OPFOR_KINDS)}")
    insurgent = notation.read_insurgent(words[-1])
    title = kind.replace("_", " ").title() if kind != "hvt" else "HVT"
    return NewPiece(f"{title} {insurgent}", {"type": kind, "fire": insurgent.fire, "contact": insurgent.contact})


def _titled(kind: str, text: str, kinds: tuple[str, ...], chart: Chart) -> NewPiece:
    """A counter that is described by its name alone, by its row in a chart (4.5, 4.7)."""
    titles = {chart.text(row, "title"): row for row in kinds}
    if not text:
        raise Unreadable(f"which {kind}?", rule=chart.rule, cure=f"Like this: new:{kind}:{next(iter(titles))}")
    title = pick_name(text, list(titles), kind)
    return NewPiece(title, {kind: titles[title]})


_MAKERS: dict[str, Callable[[str, Position], NewPiece]] = {
    state.UNIT: _unit,
    state.STRIKE: _strike,
    state.LEADER: _leader,
    state.OPFOR: _opfor,
    state.CONCEALED: one_name("concealed Node"),
    state.MARKER: one_name("Bridge Blown", {"marker": "bridge"}),
}
_TITLED = {state.EVENT: EVENT_KINDS, state.NODE: NODE_KINDS}


def new_piece(kind: str, text: str, position: Position, charts: Mapping[str, Chart]) -> NewPiece:
    """A counter like a known one or as printed (4.0); each unit and leader exists once. Raises `Unreadable` for others."""
    made = _made(kind, text, position, charts)
    if kind in (state.UNIT, state.LEADER) and any(piece.name == made.name for piece in position.of_kind(kind)):
        cure = f"Move it: companion adjust '{made.name}' SPACE"
        raise Unreadable(f"{made.name} is in the game already", rule="4.0", cure=cure)
    return made


def _made(kind: str, text: str, position: Position, charts: Mapping[str, Chart]) -> NewPiece:
    known: dict[str, Piece] = {piece.name: piece for piece in position.of_kind(kind)}
    matches = matching_names(text, known) if text else []
    if len(matches) == 1 and kind != state.LEADER:
        values: dict[str, Value] = dict(known[matches[0]].values)
        return NewPiece(matches[0], values)
    if kind in _TITLED:
        return _titled(kind, text, _TITLED[kind], charts[f"{kind}s"])
    return _MAKERS[kind](text, position)


def place_named(text: str, position: Position) -> str:
    """A space by route and phase line or by its printed name (3.1); "" for other texts, such as a unit 1/8."""
    if (space := notation.grid_name(text)) and ("/" not in text or clean(text).casefold() not in unit_words(position)):
        return space
    spaces = {str(name): flag.removeprefix(state.NAME) for flag, name in position.flags.items() if flag.startswith(state.NAME)}
    matches = matching_names(text, spaces)
    return spaces[matches[0]] if len(matches) == 1 else ""


def correct_space(referee: FallujahReferee, space: str, ground: str) -> None:
    """Record new ground of a space; its Node from the set-up comes or goes with it (3.1, 7.1(1))."""
    before = ground_at(referee.position, space)
    referee.learn_space(space, ground, "3.1")
    after = ground_at(referee.position, space)
    if after is None or (before is not None and before.holy == after.holy):
        return
    if after.holy:
        referee.place_first_node(space)
        return
    for token in referee.position.of_kind(state.CONCEALED):
        if token.marks.get(state.FIRST) != space:
            continue
        if token.place == space:
            referee.move(token.id, state.UNOPENED, "7.1(1)", "its Node lies in another space")
            referee.mark(token.id, state.FIRST, None, "7.1(1)")
        else:
            text = f"A Node was revealed at {referee.title(space)} because of the earlier entry; take it back: "
            referee.say(f"{text}undo, or adjust NODE 'node cup'.", "20.2", tone="warning")


_BOXES = {
    state.UNIT: (*state.BASES, state.RECRUIT, state.ELIMINATED, state.OUT, state.DISPLAY),
    state.STRIKE: (state.RECRUIT, state.AVAILABLE, state.ASIDE, state.OUT),
    state.LEADER: (*state.BASES, state.RECRUIT, state.LEADING, state.KEPT, state.ELIMINATED, state.OUT),
    state.OPFOR: (state.REACTION_CUP, state.HVT_BOX, state.OUT, state.DISPLAY),
    state.EVENT: (state.REACTION_CUP, state.OUT, state.DISPLAY),
    state.NODE: (state.NODE_CUP, state.CAPTURED, state.OUT, state.DISPLAY),
    state.CONCEALED: (state.NODE_PILE, state.UNOPENED, state.OFF),
    state.MARKER: (state.OFF, state.OUT),
}
"""The places of each kind of counter besides the spaces of the map; leaders there are with a unit."""

_EVENT_BOXES = {
    "uprising_elsewhere": (state.IN_PLAY,),
    "intel": (state.AVAILABLE, state.ASIDE),
    "downed_helicopter": (state.CAPTURED,),
}
"""The further places of some events (14.5, 14.7)."""
_ON_MAP_EVENTS = ("downed_helicopter", "mob_attack")


def _misplaced(game: Game[Any], position: Position, kind: str, event: str, place: str) -> Obstacle | None:
    """Why a counter would have no effect in a place (4.0), or cannot lie there (3.1); None if it belongs there."""
    if state.on_map(place) and position.flag(state.space_flag(place)) == notation.NO_SPACE:
        cure = f"If it has: companion adjust fact:space:{place} 'urban NAME'"
        return Obstacle(f"by your map there is no space {place}", "3.1", cure)
    boxes = (*_BOXES[kind], *_EVENT_BOXES.get(event, ()))
    on_map = kind not in (state.STRIKE, state.EVENT) or event in _ON_MAP_EVENTS
    if place in boxes or (on_map and state.on_map(place)):
        return None
    names = [*(["a space"] if on_map else []), *map(game.place_title, boxes)]
    cure = f"It can be in: {', '.join(name for name in names if name != game.place_title(state.DISPLAY))}"
    return Obstacle(f"such a counter is never in '{game.place_title(place)}'", "14.5" if event else "4.0", cure)


def settle_leader(referee: FallujahReferee, leader: Piece, last: Event | None, why: str) -> None:
    """Let a corrected leader be with the one unit of his place, or leave his unit (29.1). Raises `Impossible`."""
    unit = referee.position.pieces.get(str(leader.marks.get(state.WITH)))
    if leader.place in state.UNIT_PLACES:
        units = [piece for piece in referee.units_at(leader.place) if not state.is_fob(piece)]
        if unit not in units:
            unit = units[0] if len(units) == 1 else None
        if unit is None:
            text = f"{referee.piece_names(units)} are" if units else "no unit is"
            like = [piece.name for piece in units or deployed(referee.position)]
            cure = f'Name his unit: companion adjust "{leader.name}.with" "{like[0]}"' if like else "Put his unit there first"
            raise Impossible(
                f"{leader.name} is with one unit, and {text} at {referee.title(leader.place)}", rule="29.1", cure=cure
            )
        referee.mark(leader.id, state.WITH, unit.id, "29.1", why)
        referee.move(leader.id, state.LEADING, "29.1", f"with {unit.name}")
    elif unit and unit.place not in state.UNIT_PLACES and isinstance(last, PieceMarked):
        cure = f'First: companion adjust "{unit.name}" SPACE'
        raise Impossible(f"{unit.name} is {referee.location(unit)}, and nobody leads it there", rule="29.1", cure=cure)
    elif unit and unit.place not in state.UNIT_PLACES:
        r09_opfor.lose_leader(referee, unit)
    elif unit and leader.place != state.LEADING and isinstance(last, PieceMoved):
        referee.mark(leader.id, state.WITH, None, "29.1", why)
    elif unit and leader.place != state.LEADING:
        referee.move(leader.id, state.LEADING, "29.1", f"with {unit.name}")
    elif not unit and leader.place == state.LEADING and isinstance(last, PieceMoved | PieceMade):
        cure = "Name the space of his unit, or the unit: companion adjust LEADER.with UNIT"
        raise Impossible(f"{leader.name} is with no unit yet", rule="29.1", cure=cure)
    elif not unit and leader.place == state.LEADING:
        referee.move(leader.id, state.RECRUIT, "29.1", why)


def settle_node(referee: FallujahReferee, node: Piece, was: str, why: str) -> None:
    """Take the face-down counter away whose identity a corrected Node is, or give it back (20.2)."""
    tokens = referee.position.of_kind(state.CONCEALED)
    if state.on_map(node.place) and was in (state.NODE_CUP, ""):
        ground = ground_at(referee.position, node.place)
        unseen = (state.NODE_PILE,) if ground and not ground.holy else (state.UNOPENED, state.NODE_PILE)
        places = (node.place, *(unseen if was else ()))
        if token := next((token for place in places for token in tokens if token.place == place), None):
            if token.place == state.UNOPENED:
                referee.mark(token.id, state.FIRST, node.place, "7.1(1)", why)
            referee.move(token.id, state.OFF, "20.2", f"{node.name} lies there")
    elif node.place == state.NODE_CUP and state.on_map(was):
        for token in [token for token in tokens if token.place == state.OFF][:1]:
            referee.move(token.id, state.NODE_PILE, "20.2", why)


def check_node(referee: FallujahReferee, node: Piece) -> None:
    """A corrected Node lies alone, but for a Downed Helicopter (7.2). Raises `Impossible`."""
    for other in referee.position.at(node.place) if state.on_map(node.place) else ():
        if other.id != node.id and other.kind in (state.NODE, state.CONCEALED):
            cup = state.NODE_CUP if other.kind == state.NODE else state.NODE_PILE
            cure = f'Take that one away first: companion adjust "{other.name}@{other.place}" "{cup}"'
            raise Impossible(f"{other.name} lies at {referee.title(node.place)} already", rule="7.2", cure=cure)


def check_bridge(referee: FallujahReferee, marker: Piece) -> None:
    """A corrected Bridge Blown marker lies in the space of a bridge, once (14.7). Raises `Impossible`."""
    space = marker.place
    ground = ground_at(referee.position, space)
    if not state.on_map(space):
        return
    if ground and "bridge" not in ground.features and space != notation.BROOKLYN and ground.name not in BRIDGES.values():
        entered = ground._replace(features=ground.features | {"bridge"})
        cure = f"If there is one: companion adjust fact:space:{space} '{entered}'"
        raise Impossible(f"no bridge is at {referee.title(space)}", rule="14.7", cure=cure)
    if any(other.kind == state.MARKER and other.id != marker.id for other in referee.position.at(space)):
        raise Impossible(f"the bridge at {referee.title(space)} is blown already", rule="14.7", cure="Name the other bridge")


def warn_of_unit(referee: FallujahReferee, unit: Piece) -> None:
    """Say that the Node under a corrected unit lies face up (20.2(a))."""
    if state.on_map(unit.place) and concealed_at(referee.position, unit.place):
        node = min((piece.name for piece in referee.position.at(state.NODE_CUP)), default="C2")
        text = f"{unit.name} is with a concealed Node at {referee.title(unit.place)}, which is revealed then. Say which it is: "
        referee.say(f'{text}companion adjust "{node}" {unit.place}', "20.2(a)", tone="warning")


def settle_count(referee: FallujahReferee, why: str) -> None:
    """Withdraw the answers of the final count that the corrected table gives by itself (6.1, 6.2); say which others stay."""
    position, corrected = referee.position, {event.flag for event in referee.events if isinstance(event, FlagSet)}
    decided = {
        state.HOLY_HELD: all_known(position),
        state.MSR_CLEARED: r06_scenarios.judged_msr(position, referee.option("node_denies_control") == "yes") is not None,
    }
    for flag, is_decided in decided.items():
        value = position.flag(flag)
        if value is None or flag in corrected:
            continue
        if is_decided:
            referee.set_flag(flag, None, "6.1", why)
        else:
            shown = "yes" if value is True else "no" if value is False else value
            text = f"The count has {_ANSWERS[flag]}: {shown}, as you answered. If that has changed: "
            referee.say(f'{text}companion adjust "flag:{flag}" VALUE', "6.1", tone="reminder")


_COUNTED = (state.UNIT, state.OPFOR, state.NODE, state.CONCEALED)
"""The kinds of counters that hold a space or may deny control of it [5.0]."""
_ANSWERS = {state.HOLY_HELD: "Mosque and Objective spaces held", state.MSR_CLEARED: "MSR cleared"}


class FallujahCorrections(Corrections):
    """The manual corrections of Fallujah 2004."""

    cups: ClassVar[CupContents] = {
        state.REACTION_CUP: ((state.OPFOR, state.EVENT), "3.4"),
        state.NODE_CUP: ((state.NODE,), "3.4"),
    }

    def face_names(self, piece: Piece) -> tuple[str, ...]:
        """Only units of two strength steps have a reduced side (4.2)."""
        two = piece.kind == state.UNIT and piece.number("steps") > 1
        return (state.FULL, state.REDUCED) if two else (state.FULL,)

    def is_in_play(self, piece: Piece) -> bool:
        return piece.place in state.UNIT_PLACES or piece.place == state.AVAILABLE

    def find_place(self, text: str, position: Position) -> str:
        return place_named(text, position)

    def read_new_piece(self, kind: str, text: str, position: Position) -> NewPiece:
        return new_piece(kind, text, position, self.game.tables.charts)

    def objection(self, event: Event, position: Position) -> Obstacle | None:
        """[4.0] A counter where it has no effect is refused."""
        if isinstance(event, PieceMoved):
            piece = position.pieces[event.id]
            return _misplaced(self.game, position, piece.kind, state.event_of(piece), event.now)
        if isinstance(event, PieceMade):
            return _misplaced(self.game, position, event.piece, str(event.values.get("event", "")), event.place)
        return None

    def apply_consequences(self, referee: FallujahReferee, why: str) -> None:
        """[7.2, 14.7, 20.2, 29.1] Leaders are with units; a Node takes the place of a concealed one; bridges are blown once."""
        last: dict[str, Event] = {}
        was: dict[str, str] = {}
        for event in referee.events:
            if isinstance(event, PieceMoved | PieceMade | PieceMarked):
                last[event.id] = event
                was.setdefault(event.id, event.was if isinstance(event, PieceMoved) else "")
        for leader in referee.position.of_kind(state.LEADER):
            if leader.id in last or leader.marks.get(state.WITH) in last:
                settle_leader(referee, leader, last.get(leader.id), why)
        for node in referee.position.of_kind(state.NODE):
            if node.id in was:
                settle_node(referee, node, was[node.id], why)
        for piece_id in was:
            if (piece := referee.position.pieces.get(piece_id)) and (check := self._checks.get(piece.kind)):
                check(referee, piece)
        if any(isinstance(event, TrackMoved) and event.track == "ops" for event in referee.events):
            self._note_last_ops(referee)
        if self.game.over(referee.position) and any(piece.kind in _COUNTED for piece in map(referee.piece, was)):
            settle_count(referee, why)

    _checks: ClassVar[Mapping[str, Callable[[FallujahReferee, Piece], None]]] = {
        state.NODE: check_node,
        state.CONCEALED: check_node,
        state.MARKER: check_bridge,
        state.UNIT: warn_of_unit,
    }

    def _note_last_ops(self, referee: FallujahReferee) -> None:
        """Say that the game is over without OPs (8.1(a))."""
        if referee.ops <= 0 and not self.game.over(referee.position):
            referee.say("No OPs are left, which ends the game: companion do end", "8.1(a)", tone="reminder")

    def apply_fact(self, referee: FallujahReferee, kind: str, name: str, value: str) -> bool:
        """Apply a corrected space (3.1); other facts are read when needed, or only at the set-up."""
        if kind == "space":
            correct_space(referee, notation.grid_name(name) or name, value)
        return kind == "space"

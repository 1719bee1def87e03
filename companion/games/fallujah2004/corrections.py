"""Manual corrections: new counters, and the effects of a corrected space."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from companion.core.charts import Chart
from companion.core.corrections import Corrections, CupContents, NewPiece
from companion.core.errors import Unreadable
from companion.core.position import Piece, Position, Value
from companion.core.text import clean, matching_names, pick_name
from companion.games.fallujah2004 import notation, state
from companion.games.fallujah2004.facts import EVENT_KINDS, NODE_KINDS, OPFOR_KINDS, STRIKE_KINDS
from companion.games.fallujah2004.referee import FallujahReferee, ground_at, unit_words
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
    state.CONCEALED: lambda text, position: NewPiece("concealed Node"),
    state.MARKER: lambda text, position: NewPiece("Bridge Blown", {"marker": "bridge"}),
}
_TITLED = {state.EVENT: EVENT_KINDS, state.NODE: NODE_KINDS}


def new_piece(kind: str, text: str, position: Position, charts: Mapping[str, Chart]) -> NewPiece:
    """A counter like a known one or as printed (4.0); each unit exists once. Raises `Unreadable` for others."""
    made = _made(kind, text, position, charts)
    if kind == state.UNIT and any(piece.name == made.name for piece in position.of_kind(kind)):
        cure = f"Move it: companion adjust '{made.name}' recruit"
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
        r09_opfor.open_space(referee, space)
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

    def apply_fact(self, referee: FallujahReferee, kind: str, name: str, value: str) -> bool:
        """Apply a corrected space (3.1); other facts are read when needed, or only at the set-up."""
        if kind == "space":
            correct_space(referee, notation.grid_name(name) or name, value)
        return kind == "space"

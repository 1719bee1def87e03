"""What one answer changed on the table: each counter and marker once, from where to where, in the order of hands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.core.events import Event, PieceFlipped, PieceMade, PieceMarked, PieceMoved, Said, TrackMoved
from companion.core.events import FlagSet as FlagEvent
from companion.core.game import Game
from companion.core.position import Piece, Position
from companion.views.emphasis import capitalise_verdicts
from companion.views.events import change_line, mark_display, names_text
from companion.views.lines import Line

_MAP, _CUPS, _MARKS, _TRACKS = range(4)
_TITLE = "On the table:"
_NAMES = "{}"
"""Stands for the names until all are known of which the same is said."""

_OfPiece = PieceMade | PieceMoved | PieceFlipped | PieceMarked


class _PieceChange(NamedTuple):
    """What is done with a piece.

    Attributes:
        hands: where in the order of hands.
        origin: where it was; "" where it stays, or was nowhere.
        goal: where it goes; "" where it stays.
        turned: how it is turned and marked, as sentences on it; ``turned_all``: on several.
        rule: of the last event that did it; ``why``: the last reason that was given.
    """

    hands: int
    origin: str
    goal: str
    turned: tuple[str, ...]
    turned_all: tuple[str, ...]
    rule: str
    why: str


def table_list(texts: Sequence[Line]) -> list[Line]:
    """The list under its title."""
    return [Line(_TITLE, "title"), *(line.with_lead(f"  {line.lead}") for line in texts)] if texts else []


def board_change_lines(game: Game, before: Position, after: Position, events: Sequence[Event]) -> list[Line]:
    """What to move, turn, mark and set, after what the rules order in words.

    Args:
        game: its words, and which events are told.
        before, after: the position, and as the events left it.
        events: what happened between them.
    """
    orders = [
        Line(event.text, "board", event.rule, "-> ") for event in events if isinstance(event, Said) and event.tone == "board"
    ]
    told = [event for event in events if not isinstance(event, Said) and game.told(event)]
    lines = [
        (act.hands, _change_order(names, many, goals, act))
        for (names, many, act), goals in _piece_changes(game, before, after, told).items()
    ]
    lines += [(_TRACKS, line) for line in _track_lines(game, told)]
    ordered = [*orders, *(line for _, line in sorted(lines, key=lambda one: one[0]))]
    return [ordered[0].with_lead(f"{_TITLE} ")] if len(ordered) == 1 else table_list(ordered)


def _change_order(names: str, many: int, goals: Sequence[str], act: _PieceChange) -> Line:
    way = f"{act.origin} -> {', '.join(goals)}" if act.origin else f"-> {', '.join(goals)}"
    each = " (one each)" if len(goals) > 1 else ""
    marked = [
        text.replace(_NAMES, names, 1) if not (at or goals[0]) else text.replace(_NAMES, _pronoun(many))
        for at, text in _numbered_turns(many, act)
    ]
    told = [f"{names}{' ' if way.startswith('->') else ': '}{way}{each}"] if goals[0] else []
    return Line("; ".join([*told, *marked]), "board", act.rule, "-> ").with_reason(capitalise_verdicts(act.why))


def _pronoun(many: int) -> str:
    return "it" if many == 1 else "they"


def _numbered_turns(many: int, act: _PieceChange) -> Iterable[tuple[int, str]]:
    return enumerate(act.turned if many == 1 else act.turned_all)


def _piece_changes(
    game: Game, before: Position, after: Position, told: Iterable[Event]
) -> dict[tuple[str, int, _PieceChange], list[str]]:
    """Everything that is done with pieces: their names, how many they are and what it is, but for the places that they go to."""
    by_piece: dict[str, list[_OfPiece]] = {}
    for event in told:
        if not isinstance(event, TrackMoved | FlagEvent | Said):
            by_piece.setdefault(event.id, []).append(event)
    alike: dict[_PieceChange, list[str]] = {}
    for piece_id, own in by_piece.items():
        piece = after.pieces.get(piece_id)
        if piece and (act := _piece_change(game, before.pieces.get(piece_id), piece, own, after.pieces)):
            alike.setdefault(act, []).append(piece.name)
    found: dict[tuple[str, int, _PieceChange], list[str]] = {}
    for act, names in alike.items():
        found.setdefault((names_text(game, names), len(names), act._replace(goal="")), []).append(act.goal)
    return found


def _piece_change(
    game: Game, old: Piece | None, new: Piece, own: Sequence[_OfPiece], pieces: Mapping[str, Piece]
) -> _PieceChange | None:
    goes = old is None or old.place != new.place
    turned, turned_all = (tuple(_turns_and_marks(game, old, new, pieces, many)) for many in (1, 2))
    if not goes and not turned:
        return None
    hands = _CUPS if new.place in (*game.cups, *game.aside) else _MAP if goes else _MARKS
    origin, goal = (game.place_title(old.place) if old else "", game.place_title(new.place)) if goes else ("", "")
    why = next((event.why for event in reversed(own) if event.why), "")
    return _PieceChange(hands, origin, goal, turned, turned_all, own[-1].rule, why)


def _turns_and_marks(game: Game, old: Piece | None, new: Piece, pieces: Mapping[str, Piece], many: int) -> Iterable[str]:
    """How a piece is turned and marked otherwise than before, said of so many."""
    if old is not None and old.face != new.face:
        yield game.turned(_NAMES, many, new, new.face)
    for mark in dict.fromkeys((*(old.marks if old else ()), *new.marks)):
        now = new.mark(mark)
        text = game.marked(_NAMES, many, mark, mark_display(now, pieces)) if (old.mark(mark) if old else None) != now else ""
        if text:
            yield text


def _shared_text(texts: Iterable[str]) -> str:
    """The text that all share; "" where they differ."""
    found = set(texts)
    return found.pop() if len(found) == 1 else ""


def _track_lines(game: Game, told: Iterable[Event]) -> list[Line]:
    """Tracks and flags that are not as they were, each once."""
    latest: dict[str, list[TrackMoved | FlagEvent]] = {}
    for event in told:
        if isinstance(event, TrackMoved) and game.marker_title(event.track):
            latest.setdefault(f"track {event.track}", []).append(event)
        elif isinstance(event, FlagEvent):
            latest.setdefault(f"flag {event.flag}", []).append(event)
    lines = []
    for own in latest.values():
        first, last = own[0], own[-1]
        if first.was == last.now and len(own) > 1:
            continue
        line = change_line(game, last._replace(was=first.was, why=""))  # type: ignore[arg-type]
        why = _shared_text(event.why for event in own)
        lines += [line._replace(tone="board", lead="-> ").with_reason(why)] if line else []
    return lines

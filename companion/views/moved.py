"""What one answer changed on the table: each counter and marker once, from where to where, in the order of hands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.core.events import Event, PieceFlipped, PieceMade, PieceMarked, PieceMoved, Said, TrackMoved
from companion.core.events import FlagSet as FlagEvent
from companion.core.game import Game
from companion.core.position import Piece, Position
from companion.views.events import changed_line, names_text
from companion.views.lines import Line
from companion.views.say import named

_MAP, _CUPS, _MARKS, _TRACKS = range(4)
_TITLE = "On the table:"

_OfPiece = PieceMade | PieceMoved | PieceFlipped | PieceMarked


class _Act(NamedTuple):
    """What is done with a piece.

    Attributes:
        hands: where in the order of hands.
        origin: where it was; "" where it stays, or was nowhere.
        goal: where it goes; "" where it stays.
        turned: how it is turned and marked.
        rule: of the last event that did it; ``why``: the last reason that was given.
    """

    hands: int
    origin: str
    goal: str
    turned: str
    rule: str
    why: str


def on_table(texts: Sequence[Line]) -> list[Line]:
    """The list under its title."""
    return [Line(_TITLE, "title"), *(line._replace(lead=f"  {line.lead}") for line in texts)] if texts else []


def moved_lines(game: Game, before: Position, after: Position, events: Sequence[Event]) -> list[Line]:
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
    lines = [(act.hands, _line(names, goals, act)) for (names, act), goals in _acts(game, before, after, told).items()]
    lines += [(_TRACKS, line) for line in _markers(game, told)]
    ordered = [*orders, *(line for _, line in sorted(lines, key=lambda one: one[0]))]
    return [ordered[0]._replace(lead=f"{_TITLE} ")] if len(ordered) == 1 else on_table(ordered)


def _line(names: str, goals: Sequence[str], act: _Act) -> Line:
    way = [f"{act.origin} -> " if act.origin else "-> ", ", ".join(goals)] if goals[0] else []
    each = " (one each)" if len(goals) > 1 else ""
    text = ", ".join(filter(None, ["".join(way) + each, act.turned]))
    between = " " if text.startswith("->") else ": "
    return Line(f"{names}{between}{text}" + (f": {act.why}" if act.why else ""), "board", act.rule, "-> ")


def _acts(game: Game, before: Position, after: Position, told: Iterable[Event]) -> dict[tuple[str, _Act], list[str]]:
    """Everything that is done with pieces: their names and what it is, but for the places that they go to."""
    by_piece: dict[str, list[_OfPiece]] = {}
    for event in told:
        if not isinstance(event, TrackMoved | FlagEvent | Said):
            by_piece.setdefault(event.id, []).append(event)
    alike: dict[_Act, list[str]] = {}
    for piece_id, own in by_piece.items():
        piece = after.pieces.get(piece_id)
        if piece and (act := _act(game, before.pieces.get(piece_id), piece, own, after.pieces)):
            alike.setdefault(act, []).append(piece.name)
    found: dict[tuple[str, _Act], list[str]] = {}
    for act, names in alike.items():
        found.setdefault((names_text(names), act._replace(goal="")), []).append(act.goal)
    return found


def _act(game: Game, old: Piece | None, new: Piece, own: Sequence[_OfPiece], pieces: Mapping[str, Piece]) -> _Act | None:
    goes = old is None or old.place != new.place
    turned = [f"turned to its {game.face_title(new, new.face)}"] if old is not None and old.face != new.face else []
    turned += _marks(game, old, new, pieces)
    if not goes and not turned:
        return None
    hands = _CUPS if new.place in (*game.cups, *game.aside) else _MAP if goes else _MARKS
    origin, goal = (game.place_title(old.place) if old else "", game.place_title(new.place)) if goes else ("", "")
    return _Act(
        hands, origin, goal, ", ".join(turned), own[-1].rule, next((event.why for event in reversed(own) if event.why), "")
    )


def _marks(game: Game, old: Piece | None, new: Piece, pieces: Mapping[str, Piece]) -> list[str]:
    found = []
    for mark in dict.fromkeys((*(old.marks if old else ()), *new.marks)):
        now = new.mark(mark)
        title = game.mark_title(mark)
        if title and (old.mark(mark) if old else None) != now:
            found.append(title if now is True else f"{title} " + ("off" if now in (None, False) else named(now, pieces)))
    return found


def _same(texts: Iterable[str]) -> str:
    """The text that all share; "" where they differ."""
    found = set(texts)
    return found.pop() if len(found) == 1 else ""


def _markers(game: Game, told: Iterable[Event]) -> list[Line]:
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
        line = changed_line(game, last._replace(was=first.was, why=_same(event.why for event in own)))  # type: ignore[arg-type]
        lines += [line._replace(tone="board", lead="-> ")] if line else []
    return lines

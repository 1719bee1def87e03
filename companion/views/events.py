"""Events as lines: what happened, what to do on the table, and the emphasis of verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import NamedTuple

from companion.core.errors import BadData
from companion.core.events import (
    Event,
    FlagSet,
    PieceFlipped,
    PieceMade,
    PieceMarked,
    PieceMoved,
    PositionBuilder,
    Said,
    TrackMoved,
)
from companion.core.events import FlagSet as FlagEvent
from companion.core.game import Game
from companion.core.position import NO_PIECE, Piece, Position, Value
from companion.core.words import contains_words
from companion.views.lines import LEADS, Line, Span
from companion.views.phrases import counted_names, value_text

_PLAYED = "player"
"""What the option of a seat says that a person plays; a seat without such an option is a person's."""

_ENDS = {"WON": "won", "LOST": "lost"}
"""The player's verdicts."""
_HARM = (
    *("ELIMINATED", "DESTROYED", "KILLED", "REDUCED", "PINNED", "DISRUPTED", "WOUNDED", "DAMAGED", "SHOT DOWN", "REMOVED"),
    *("STEP LOSS", "RETREATS", "BROKEN", "GONE", "DEAD"),
)
_BESIDES = ("HIT", "HITS", "MISS", "MISSES", "DRAW", "DRAWN", "NOBODY")
_VERDICTS = (*_ENDS, *_HARM, *_BESIDES)
_SPOKEN = ("eliminated", "destroyed", "killed", "shot down")
_STOPS = (". ", "; ")


def capitalise_verdicts(text: str) -> str:
    """A reason with its verdict in capitals: ``eliminated`` is ELIMINATED."""
    for word in _SPOKEN:
        text = text.replace(word, word.upper())
    return text


class Emphasis:
    """Gives verdicts their look.

    Args:
        game, options: of the session.
        pieces: that lines may name.
    """

    def __init__(self, game: Game, options: Mapping[str, str], *pieces: Mapping[str, Piece]) -> None:
        self._game, self._options, self._pieces = game, options, pieces

    @cached_property
    def _own(self) -> str:
        """The seat of the one person who plays; "" where there are two."""
        people = [seat for seat in self._game.players.seats if self._options.get(seat, _PLAYED) == _PLAYED]
        return people[0] if len(people) == 1 else ""

    @cached_property
    def _sides(self) -> Mapping[str, str]:
        """Name of a piece -> its side, of all that have one."""
        found = {piece.name: self._game.side(piece) for pieces in self._pieces for piece in pieces.values()}
        return {name: side for name, side in found.items() if side}

    def lines(self, lines: Iterable[Line]) -> list[Line]:
        """The lines with their verdicts set off."""
        return [self._line(line) if any(word in line.text for word in _VERDICTS) else line for line in lines]

    def _line(self, line: Line) -> Line:
        lead = len(line.lead)
        found = [
            Span(lead + at, lead + at + len(word), self._tone(line.text, at, word))
            for at, word in _words_in(line.text, _VERDICTS)
        ]
        return line._replace(spans=tuple(_overlay(line.spans, found)))

    def _tone(self, text: str, at: int, word: str) -> str:
        """The tone of a verdict: where two people play, neither side's."""
        if word in _BESIDES or not self._own:
            return "key"
        return _ENDS[word] if word in _ENDS else self._harm(_sentence(text, at))

    def _harm(self, sentence: str) -> str:
        """The tone of harm, by whom a sentence names: of both sides, or of none, it is neither good nor bad."""
        sides = {self._sides[name] for _, name in _words_in(sentence, self._sides)}
        return "key" if len(sides) != 1 else "loss" if sides == {self._own} else "gain"


def _words_in(text: str, words: Iterable[str]) -> list[tuple[int, str]]:
    """Which of some words stand in a text, and where: whole, and of one within another only the longer."""
    found: dict[int, str] = {}
    taken: set[int] = set()
    for word in sorted(words, key=len, reverse=True):
        at = text.find(word)
        while at >= 0:
            if _is_whole_word(text, at, at + len(word)) and at not in taken:
                found[at] = word
                taken.update(range(at, at + len(word)))
            at = text.find(word, at + 1)
    return sorted(found.items())


def _is_whole_word(text: str, start: int, end: int) -> bool:
    """Whether a part of a text is no part of a word or a number."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (before.isalnum() or after.isalnum() or after == "/")


def _sentence(text: str, at: int) -> str:
    """The sentence of a text that a place is in."""
    begin = max(text.rfind(stop, 0, at) + 1 for stop in _STOPS)
    ends = [end for stop in _STOPS if (end := text.find(stop, at)) >= 0]
    return text[begin : min(ends, default=len(text))]


def _overlay(spans: Iterable[Span], upper: Iterable[Span]) -> Iterator[Span]:
    """Spans with others over them, from the left; what is beneath shows on both sides of them."""
    left = list(spans)
    for above in upper:
        while left and left[0].end <= above.start:
            yield left.pop(0)
        if left and left[0].start < above.start:
            yield left[0]._replace(end=above.start)
        while left and left[0].end <= above.end:
            left.pop(0)
        if left and left[0].start < above.end:
            left[0] = left[0]._replace(start=above.end)
        yield above
    yield from left


_ROOM = 400
"""Characters that names may take before only their number is told."""


def apply_event(event: Event, board: PositionBuilder) -> None:
    """An event on a board of which lines speak. What was taken back may speak of pieces that there are no more."""
    with suppress(BadData):
        event.apply_to(board)


def apply_events(events: Iterable[Event], pieces: MutableMapping[str, Piece]) -> None:
    """Bring the pieces that lines speak of up to date with events that are not told."""
    board = PositionBuilder(Position({}, pieces))
    for event in events:
        apply_event(event, board)
    pieces.update(board.pieces)


def _name(piece_id: str, pieces: Mapping[str, Piece]) -> str:
    return pieces[piece_id].name if piece_id in pieces else piece_id.partition("#")[0]


def _with_reason(text: str, why: str) -> str:
    return f"{text}: {why}" if why and not contains_words(text, why) else text


def _group_key(event: Event) -> tuple[object, ...] | None:
    """What events must share to be told in one line, or None for one that stands alone."""
    if isinstance(event, PieceMade):
        return ("made", event.place, event.rule, event.why)
    if isinstance(event, PieceMoved):
        return ("moved", event.was, event.now, event.rule, event.why)
    if isinstance(event, PieceMarked):
        return ("marked", event.mark, event.now, event.rule, event.why)
    if isinstance(event, PieceFlipped):
        return ("flipped", event.was, event.now, event.rule, event.why)
    return None


def event_groups(events: Iterable[Event]) -> list[list[Event]]:
    """Runs of neighbouring events that one line can tell."""
    found: list[list[Event]] = []
    key: tuple[object, ...] | None = None
    for event in events:
        this = _group_key(event)
        if this is None or this != key:
            found.append([])
        key = this
        found[-1].append(event)
    return found


def said_line(event: Said) -> Line:
    """A line that a procedure said, with the marker of its tone."""
    return Line(event.text, event.tone, event.rule, LEADS.get(event.tone, ""))


def change_line(game: Game, event: TrackMoved | FlagSet) -> Line | None:
    """The line of a track or a flag; None where it has no words."""
    if isinstance(event, TrackMoved):
        title = game.track_title(event.track)
        text = game.track_sentence(event.track, event.was, event.now)
    else:
        title = game.flag_title(event.flag)
        text = title if event.now is True else f"{title}: {value_text(event.now)}"
    return Line(_with_reason(text, event.why), "track", event.rule) if title else None


def _group_names(game: Game, events: list[Event], pieces: Mapping[str, Piece]) -> str:
    return names_text(game, [_name(event.id, pieces) for event in events if not isinstance(event, Said | TrackMoved | FlagSet)])


def names_text(game: Game, names: Sequence[str]) -> str:
    """Names of pieces, each once; of very many only the number."""
    shown = counted_names(names)
    return shown if len(shown) <= _ROOM else f"{len(names)} {game.pieces_noun}"


def mark_display(value: Value, pieces: Mapping[str, Piece]) -> Value:
    """What a mark says, a piece by its name."""
    return pieces[value].name if isinstance(value, str) and value in pieces else value


def _piece_line(game: Game, events: list[Event], pieces: Mapping[str, Piece]) -> Line | None:
    """One line on pieces to which the same has happened."""
    first = events[0]
    names = _group_names(game, events, pieces)
    if isinstance(first, PieceMade):
        text = f"{game.place_title(first.place)}: {names}"
    elif isinstance(first, PieceMoved):
        text = f"{names}: {game.place_title(first.was)} -> {game.place_title(first.now)}"
    elif isinstance(first, PieceFlipped):
        text = game.flip_sentence(names, len(events), pieces.get(first.id, NO_PIECE), first.now)
    elif isinstance(first, PieceMarked):
        text = game.mark_sentence(names, len(events), first.mark, mark_display(first.now, pieces))
    else:
        return None
    return Line(_with_reason(text, first.why), "", first.rule) if text else None


def event_lines(game: Game, events: Iterable[Event], pieces: MutableMapping[str, Piece], because: bool = False) -> list[Line]:
    """The lines of some events.

    Args:
        game: for the words.
        events: in their order.
        pieces: the pieces before the first event, by id; left as they are after the last.
        because: show the layer below each explanation as well.
    """
    lines: list[Line] = []
    board = PositionBuilder(Position({}, pieces))
    for group in event_groups(events):
        for event in group:
            apply_event(event, board)
        first = group[0]
        if not game.is_narrated(first):
            continue
        if isinstance(first, Said):
            lines.append(said_line(first))
            lines += [Line(reason, "dim", "", "    - ") for reason in first.because] if because else []
            continue
        line = change_line(game, first) if isinstance(first, TrackMoved | FlagSet) else _piece_line(game, group, board.pieces)
        if line:
            lines.append(line)
    pieces.update(board.pieces)
    return lines


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
    told = [event for event in events if not isinstance(event, Said) and game.is_narrated(event)]
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
    hands = _CUPS if new.place in (*game.cups, *game.unchecked_places) else _MAP if goes else _MARKS
    origin, goal = (game.place_title(old.place) if old else "", game.place_title(new.place)) if goes else ("", "")
    why = next((event.why for event in reversed(own) if event.why), "")
    return _PieceChange(hands, origin, goal, turned, turned_all, own[-1].rule, why)


def _turns_and_marks(game: Game, old: Piece | None, new: Piece, pieces: Mapping[str, Piece], many: int) -> Iterable[str]:
    """How a piece is turned and marked otherwise than before, said of so many."""
    if old is not None and old.face != new.face:
        yield game.flip_sentence(_NAMES, many, new, new.face)
    for mark in dict.fromkeys((*(old.marks if old else ()), *new.marks)):
        now = new.mark(mark)
        text = (
            game.mark_sentence(_NAMES, many, mark, mark_display(now, pieces)) if (old.mark(mark) if old else None) != now else ""
        )
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

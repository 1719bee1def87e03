"""Events as lines: what happened, what to do on the table, and the highlighting of verdicts."""

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
from companion.core.game import Game
from companion.core.position import NO_PIECE, Piece, Position, Value
from companion.core.text import contains_words
from companion.views.lines import LEADS, Line, Span
from companion.views.phrases import counted_names, value_text
from companion.views.theme import Tone, tone_named

_PLAYER = "player"  # option value of a seat played by a person; seats without an option are played by people
_END_TONES: dict[str, Tone] = {"WON": "won", "LOST": "lost"}  # verdict -> tone
_HARM = (
    *("ELIMINATED", "DESTROYED", "KILLED", "REDUCED", "PINNED", "DISRUPTED", "WOUNDED", "DAMAGED", "SHOT DOWN", "REMOVED"),
    *("STEP LOSS", "RETREATS", "BROKEN", "GONE", "DEAD"),
)
_NEUTRAL = ("HIT", "HITS", "MISS", "MISSES", "DRAW", "DRAWN", "NOBODY")
_VERDICTS = (*_END_TONES, *_HARM, *_NEUTRAL)
_CAPITALISED = ("eliminated", "destroyed", "killed", "shot down")
_STOPS = (". ", "; ")


def capitalise_verdicts(text: str) -> str:
    """Return a reason with its verdict in capitals, such as ELIMINATED."""
    for word in _CAPITALISED:
        text = text.replace(word, word.upper())
    return text


class Emphasis:
    """Gives verdicts in lines a tone: good or bad for the one person who plays.

    Args:
        game, options: Of the session.
        pieces: Pieces that lines may name.
    """

    def __init__(self, game: Game, options: Mapping[str, str], *pieces: Mapping[str, Piece]) -> None:
        self._game, self._options, self._pieces = game, options, pieces

    @cached_property
    def _own_seat(self) -> str:
        """The seat of the only person who plays; "" if there are two."""
        people = [seat for seat in self._game.players.seats if self._options.get(seat, _PLAYER) == _PLAYER]
        return people[0] if len(people) == 1 else ""

    @cached_property
    def _sides(self) -> Mapping[str, str]:
        """Name of a piece -> its side, if it has one."""
        sides = {piece.name: self._game.side(piece) for pieces in self._pieces for piece in pieces.values()}
        return {name: side for name, side in sides.items() if side}

    def lines(self, lines: Iterable[Line]) -> list[Line]:
        """Return the lines with spans over their verdicts."""
        return [self._line(line) if any(word in line.text for word in _VERDICTS) else line for line in lines]

    def _line(self, line: Line) -> Line:
        lead = len(line.lead)
        spans = [
            Span(lead + start, lead + start + len(word), self._tone(line.text, start, word))
            for start, word in _words_in(line.text, _VERDICTS)
        ]
        return line._replace(spans=tuple(_overlay(line.spans, spans)))

    def _tone(self, text: str, start: int, word: str) -> Tone:
        """Return the tone of a verdict; neutral if two people play."""
        if word in _NEUTRAL or not self._own_seat:
            return "key"
        return _END_TONES[word] if word in _END_TONES else self._harm_tone(_sentence(text, start))

    def _harm_tone(self, sentence: str) -> Tone:
        """Return the tone of a loss by the sides named in its sentence; neutral unless exactly one is named."""
        sides = {self._sides[name] for _, name in _words_in(sentence, self._sides)}
        return "key" if len(sides) != 1 else "loss" if sides == {self._own_seat} else "gain"


def _words_in(text: str, words: Iterable[str]) -> list[tuple[int, str]]:
    """Return the positions of whole words in a text; of nested matches only the longest."""
    words_at: dict[int, str] = {}
    taken: set[int] = set()
    for word in sorted(words, key=len, reverse=True):
        start = text.find(word)
        while start >= 0:
            if _is_whole_word(text, start, start + len(word)) and start not in taken:
                words_at[start] = word
                taken.update(range(start, start + len(word)))
            start = text.find(word, start + 1)
    return sorted(words_at.items())


def _is_whole_word(text: str, start: int, end: int) -> bool:
    """True if a slice of a text is not part of a longer word or number."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (before.isalnum() or after.isalnum() or after == "/")


def _sentence(text: str, index: int) -> str:
    begin = max(text.rfind(stop, 0, index) + 1 for stop in _STOPS)
    ends = [end for stop in _STOPS if (end := text.find(stop, index)) >= 0]
    return text[begin : min(ends, default=len(text))]


def _overlay(spans: Iterable[Span], upper: Iterable[Span]) -> Iterator[Span]:
    """Merge spans, `upper` ones covering the others."""
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


_MAX_NAMES_LENGTH = 400  # longest list of names; longer ones are replaced by their count


def apply_event(event: Event, board: PositionBuilder) -> None:
    """Apply an event to a board. Events on unknown pieces are ignored, since undone entries may have them."""
    with suppress(BadData):
        event.apply_to(board)


def apply_events(events: Iterable[Event], pieces: MutableMapping[str, Piece]) -> None:
    """Update the pieces with events that are not shown."""
    board = PositionBuilder(Position({}, pieces))
    for event in events:
        apply_event(event, board)
    pieces.update(board.pieces)


def _name(piece_id: str, pieces: Mapping[str, Piece]) -> str:
    return pieces[piece_id].name if piece_id in pieces else piece_id.partition("#")[0]


def _with_reason(text: str, why: str) -> str:
    return f"{text}: {why}" if why and not contains_words(text, why) else text


def _group_key(event: Event) -> tuple[object, ...] | None:
    """Return what events must share to be shown in one line; None if an event stands alone."""
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
    """Group neighbouring events that one line can show."""
    groups: list[list[Event]] = []
    key: tuple[object, ...] | None = None
    for event in events:
        event_key = _group_key(event)
        if event_key is None or event_key != key:
            groups.append([])
        key = event_key
        groups[-1].append(event)
    return groups


def said_line(event: Said) -> Line:
    """Return a line that a procedure printed."""
    return Line(event.text, tone_named(event.tone), event.rule, LEADS.get(event.tone, ""))


def change_line(game: Game, event: TrackMoved | FlagSet) -> Line | None:
    """Return the line of a track or flag; None if it has no title."""
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
    """Return names, each once; only their number if there are too many."""
    shown = counted_names(names)
    return shown if len(shown) <= _MAX_NAMES_LENGTH else f"{len(names)} {game.pieces_noun}"


def mark_display(value: Value, pieces: Mapping[str, Piece]) -> Value:
    """Return the value of a mark, with the name of a piece in place of its id."""
    return pieces[value].name if isinstance(value, str) and value in pieces else value


def _piece_line(game: Game, events: list[Event], pieces: Mapping[str, Piece]) -> Line | None:
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
    """Return the lines of some events.

    Args:
        game: Gives titles and phrases.
        events: In order.
        pieces: Pieces before the first event, by id; updated to those after the last.
        because: Include the reasons behind each line.
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


_MAP_ORDER, _CUP_ORDER, _MARK_ORDER, _TRACK_ORDER = range(4)
_TITLE = "On the table:"
_NAMES = "{}"  # placeholder for names until all pieces with the same change are known

_PieceEvent = PieceMade | PieceMoved | PieceFlipped | PieceMarked


class _PieceChange(NamedTuple):
    """The change of a piece.

    Attributes:
        order: Order in which a player makes the changes on the table.
        origin: Old place; "" if it stays or is new.
        destination: New place; "" if it stays.
        sentences, plural_sentences: New face and marks as sentences, for one piece and for several.
        rule, why: Of the last event, and the last reason given.
    """

    order: int
    origin: str
    destination: str
    sentences: tuple[str, ...]
    plural_sentences: tuple[str, ...]
    rule: str
    why: str


def table_list(texts: Sequence[Line]) -> list[Line]:
    """Return the list of changes under its title."""
    return [Line(_TITLE, "title"), *(line.with_lead(f"  {line.lead}") for line in texts)] if texts else []


def board_change_lines(game: Game, before: Position, after: Position, events: Sequence[Event]) -> list[Line]:
    """Return what to move, turn, mark and set, after what the rules print for the table.

    Args:
        game: Gives titles, and decides which events are shown.
        before, after: The position before and after the events.
        events: In order.
    """
    orders = [
        Line(event.text, "board", event.rule, "-> ") for event in events if isinstance(event, Said) and event.tone == "board"
    ]
    events_shown = [event for event in events if not isinstance(event, Said) and game.is_narrated(event)]
    lines = [
        (change.order, _change_line(names, count, goals, change))
        for (names, count, change), goals in _piece_changes(game, before, after, events_shown).items()
    ]
    lines += [(_TRACK_ORDER, line) for line in _track_lines(game, events_shown)]
    ordered = [*orders, *(line for _, line in sorted(lines, key=lambda item: item[0]))]
    return [ordered[0].with_lead(f"{_TITLE} ")] if len(ordered) == 1 else table_list(ordered)


def _change_line(names: str, count: int, goals: Sequence[str], change: _PieceChange) -> Line:
    route = f"{change.origin} -> {', '.join(goals)}" if change.origin else f"-> {', '.join(goals)}"
    each = " (one each)" if len(goals) > 1 else ""
    marked = [
        text.replace(_NAMES, names, 1) if not (number or goals[0]) else text.replace(_NAMES, _pronoun(count))
        for number, text in _numbered_sentences(count, change)
    ]
    texts = [f"{names}{' ' if route.startswith('->') else ': '}{route}{each}"] if goals[0] else []
    return Line("; ".join([*texts, *marked]), "board", change.rule, "-> ").with_reason(capitalise_verdicts(change.why))


def _pronoun(count: int) -> str:
    return "it" if count == 1 else "they"


def _numbered_sentences(count: int, change: _PieceChange) -> Iterable[tuple[int, str]]:
    return enumerate(change.sentences if count == 1 else change.plural_sentences)


def _piece_changes(
    game: Game, before: Position, after: Position, events: Iterable[Event]
) -> dict[tuple[str, int, _PieceChange], list[str]]:
    """Group identical changes: (names, count, change without destination) -> destinations."""
    by_piece: dict[str, list[_PieceEvent]] = {}
    for event in events:
        if not isinstance(event, TrackMoved | FlagSet | Said):
            by_piece.setdefault(event.id, []).append(event)
    names_by_change: dict[_PieceChange, list[str]] = {}
    for piece_id, piece_events in by_piece.items():
        piece = after.pieces.get(piece_id)
        if piece and (change := _piece_change(game, before.pieces.get(piece_id), piece, piece_events, after.pieces)):
            names_by_change.setdefault(change, []).append(piece.name)
    grouped: dict[tuple[str, int, _PieceChange], list[str]] = {}
    for change, names in names_by_change.items():
        grouped.setdefault((names_text(game, names), len(names), change._replace(destination="")), []).append(change.destination)
    return grouped


def _piece_change(
    game: Game, old: Piece | None, new: Piece, events: Sequence[_PieceEvent], pieces: Mapping[str, Piece]
) -> _PieceChange | None:
    is_moved = old is None or old.place != new.place
    turned, turned_all = (tuple(_change_sentences(game, old, new, pieces, count)) for count in (1, 2))
    if not is_moved and not turned:
        return None
    hands = _CUP_ORDER if new.place in (*game.cups, *game.unchecked_places) else _MAP_ORDER if is_moved else _MARK_ORDER
    origin, goal = (game.place_title(old.place) if old else "", game.place_title(new.place)) if is_moved else ("", "")
    why = next((event.why for event in reversed(events) if event.why), "")
    return _PieceChange(hands, origin, goal, turned, turned_all, events[-1].rule, why)


def _change_sentences(game: Game, old: Piece | None, new: Piece, pieces: Mapping[str, Piece], count: int) -> Iterable[str]:
    """Yield the changes of face and marks as sentences for one or several pieces."""
    if old is not None and old.face != new.face:
        yield game.flip_sentence(_NAMES, count, new, new.face)
    for mark in dict.fromkeys((*(old.marks if old else ()), *new.marks)):
        now = new.mark(mark)
        text = (
            game.mark_sentence(_NAMES, count, mark, mark_display(now, pieces)) if (old.mark(mark) if old else None) != now else ""
        )
        if text:
            yield text


def _shared_text(texts: Iterable[str]) -> str:
    distinct = set(texts)
    return distinct.pop() if len(distinct) == 1 else ""


def _track_lines(game: Game, events: Iterable[Event]) -> list[Line]:
    """Return each changed track and flag once."""
    latest: dict[str, list[TrackMoved | FlagSet]] = {}
    for event in events:
        if isinstance(event, TrackMoved) and game.marker_title(event.track):
            latest.setdefault(f"track {event.track}", []).append(event)
        elif isinstance(event, FlagSet):
            latest.setdefault(f"flag {event.flag}", []).append(event)
    lines = []
    for changes in latest.values():
        first, last = changes[0], changes[-1]
        if first.was == last.now and len(changes) > 1:
            continue
        if isinstance(first, TrackMoved) and isinstance(last, TrackMoved):
            last = last._replace(was=first.was)
        line = change_line(game, last._replace(why=""))
        why = _shared_text(event.why for event in changes)
        lines += [line._replace(tone="board", lead="-> ").with_reason(why)] if line else []
    return lines

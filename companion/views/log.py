"""Events, entries and the log as lines, and the explanation of one entry (`why`)."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import suppress
from functools import cached_property

from companion.core.errors import BadData, Unreadable
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
from companion.core.hints import TYPE_CHECKING
from companion.core.history import EFFECT_KINDS, Entry, EntryStatus, History, Reply
from companion.core.named_tuple import NamedTuple
from companion.core.position import NO_PIECE, Piece, Position, Value
from companion.core.text import clean, contains_words
from companion.core.values import JsonDict
from companion.views.data import entry_data, piece_names
from companion.views.lines import (
    LEADS,
    Line,
    Span,
    adjustment_text,
    counted_names,
    line_texts,
    named_value_text,
    source_text,
    value_text,
)
from companion.views.theme import Tone, tone_named

if TYPE_CHECKING:
    from datetime import datetime


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
    """Colours the verdicts in lines: good or bad for the only person who plays.

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
    """Apply an event to a board, ignoring events on unknown pieces, which undone entries may have."""
    with suppress(BadData):
        event.apply_to(board)


def apply_events(events: Iterable[Event], pieces: MutableMapping[str, Piece]) -> None:
    """Update the pieces with events that are not shown."""
    board = PositionBuilder(Position({}, pieces))
    for event in events:
        apply_event(event, board)
    pieces.update(board.pieces)


def _with_reason(text: str, why: str) -> str:
    return f"{text}: {why}" if why and not contains_words(text, why) else text


def _group_key(event: Event) -> tuple[object, ...] | None:
    """Return what events must share to be shown in one line; None if an event has a line to itself."""
    if isinstance(event, PieceMade):
        return (PieceMade, event.place, event.rule, event.why)
    if isinstance(event, PieceMoved | PieceFlipped):
        return (type(event), event.was, event.now, event.rule, event.why)
    if isinstance(event, PieceMarked):
        return (PieceMarked, event.mark, event.now, event.rule, event.why)
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


def _is_silent(game: Game, event: Event) -> bool:
    """True for a track, flag or mark that has no line."""
    if isinstance(event, TrackMoved | FlagSet):
        return not (game.is_narrated(event) and change_line(game, event))
    return isinstance(event, PieceMarked) and not (game.is_narrated(event) and game.mark_sentence("", 1, event.mark, event.now))


def _joined_moves(game: Game, groups: Sequence[list[Event]], pieces: Mapping[str, Piece]) -> list[list[Event]]:
    """Join neighbouring groups that each move one piece of the same name from the same place, such as markers out of a cup."""
    names = {id: piece.name for id, piece in pieces.items()}
    names |= {event.id: event.name for group in groups for event in group if isinstance(event, PieceMade)}
    joined: list[list[Event]] = []
    last_key, last = None, list[Event]()
    for group in groups:
        first, key = group[0], None
        joined.append(group)
        if _is_silent(game, first):
            continue
        if len(group) == 1 and isinstance(first, PieceMoved) and first.id in names and game.is_narrated(first):
            key = (names[first.id], first.was, first.rule, first.why)
        if key and key == last_key:
            last += joined.pop()
        else:
            last_key, last = key, group
    return joined


def change_line(game: Game, event: TrackMoved | FlagSet) -> Line | None:
    """Return the line of a track or flag; None if it has no title."""
    if isinstance(event, TrackMoved):
        title = game.track_title(event.track)
        text = game.track_sentence(event.track, event.was, event.now)
    else:
        title = game.flag_title(event.flag)
        text = title if event.now is True else f"{title}: {value_text(event.now)}"
    return Line(_with_reason(text, event.why), "track", event.rule) if title else None


def names_text(game: Game, names: Sequence[str]) -> str:
    """Return names, each once; only their number if there are too many."""
    shown = counted_names(names)
    return shown if len(shown) <= _MAX_NAMES_LENGTH else f"{len(names)} {game.pieces_noun}"


def mark_display(value: Value, pieces: Mapping[str, Piece]) -> Value:
    """Return the value of a mark, with the name of a piece in place of its id."""
    return pieces[value].name if isinstance(value, str) and value in pieces else value


def _piece_line(game: Game, events: list[Event], pieces: Mapping[str, Piece]) -> Line | None:
    first = events[0]
    ids = [event.id for event in events if not isinstance(event, Said | TrackMoved | FlagSet)]
    names = names_text(game, [pieces[id].name if id in pieces else id.partition("#")[0] for id in ids])
    if isinstance(first, PieceMade):
        text = f"{game.place_title(first.place)}: {names}"
    elif isinstance(first, PieceMoved):
        goals = [game.place_title(event.now) for event in events if isinstance(event, PieceMoved)]
        each = " (one each)" if len(set(goals)) > 1 else ""
        text = f"{names}: {game.place_title(first.was)} -> {', '.join(dict.fromkeys(goals))}{each}"
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
    for group in _joined_moves(game, event_groups(events), board.pieces):
        for event in group:
            apply_event(event, board)
        first = group[0]
        if not game.is_narrated(first):
            continue
        if isinstance(first, Said):
            lines.append(Line(first.text, tone_named(first.tone), first.rule, LEADS.get(first.tone, "")))
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
        is_sample: The counters are made from sample values.
    """

    order: int
    origin: str
    destination: str
    sentences: tuple[str, ...]
    plural_sentences: tuple[str, ...]
    rule: str
    why: str
    is_sample: bool = False


def table_list(texts: Sequence[Line]) -> list[Line]:
    """Return the list of changes under its title."""
    return [Line(_TITLE, "title"), *(line.with_lead(f"  {line.lead}") for line in texts)] if texts else []


def board_change_lines(
    game: Game, before: Position, after: Position, events: Sequence[Event], samples: Collection[str] = ()
) -> list[Line]:
    """Return what to move, turn, mark and set, after what the rules print for the table.

    Args:
        game: Gives titles, and decides which events are shown.
        before, after: The position before and after the events.
        events: In order.
        samples: Keys of the printed facts of which sample values are in use; what is made from them is marked.
    """
    orders = [
        Line(event.text, "board", event.rule, "-> ") for event in events if isinstance(event, Said) and event.tone == "board"
    ]
    events_shown = [event for event in events if not isinstance(event, Said) and game.is_narrated(event)]
    lines = [
        (change.order, _change_line(names, count, goals, change))
        for (names, count, change), goals in _piece_changes(game, before, after, events_shown, samples).items()
    ]
    lines += [(_TRACK_ORDER, line) for line in _track_lines(game, events_shown)]
    ordered = [*orders, *(line for _, line in sorted(lines, key=lambda item: item[0]))]
    return [ordered[0].with_lead(f"{_TITLE} ")] if len(ordered) == 1 else table_list(ordered)


def _change_line(names: str, count: int, goals: Sequence[str], change: _PieceChange) -> Line:
    route = f"{change.origin} -> {', '.join(goals)}" if change.origin else f"-> {', '.join(goals)}"
    each = " (one each)" if len(goals) > 1 else ""
    texts = [f"{names}{' ' if route.startswith('->') else ': '}{route}{each}"] if goals[0] else []
    pronoun, sentences = ("it", change.sentences) if count == 1 else ("they", change.plural_sentences)
    for sentence in sentences:
        texts.append(sentence.replace(_NAMES, pronoun) if texts else sentence.replace(_NAMES, names, 1))
    text = "; ".join(texts) + (" (sample)" if change.is_sample else "")
    return Line(text, "board", change.rule, "-> ").with_reason(capitalise_verdicts(change.why))


def _piece_changes(
    game: Game, before: Position, after: Position, events: Iterable[Event], samples: Collection[str]
) -> dict[tuple[str, int, _PieceChange], list[str]]:
    """Group identical changes: (names, count, change without destination) -> destinations."""
    by_piece: dict[str, list[_PieceEvent]] = {}
    for event in events:
        if not isinstance(event, TrackMoved | FlagSet | Said):
            by_piece.setdefault(event.id, []).append(event)
    names_by_change: dict[_PieceChange, list[str]] = {}
    for piece_id, piece_events in by_piece.items():
        piece = after.pieces.get(piece_id)
        old = before.pieces.get(piece_id)
        if piece and (change := _piece_change(game, old, piece, piece_events, after.pieces)):
            change = change._replace(is_sample=bool(samples) and game.printed_key(piece, old is None) in samples)
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
        was, now = old.mark(mark) if old else None, new.mark(mark)
        if was != now and (text := game.mark_sentence(_NAMES, count, mark, mark_display(now, pieces))):
            yield text


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
        reasons = {event.why for event in changes}
        if line := change_line(game, last._replace(why="")):
            lines.append(line._replace(tone="board", lead="-> ").with_reason(reasons.pop() if len(reasons) == 1 else ""))
    return lines


_MAX_PRINTED_LISTED = 3  # longest run of printed values that is listed one by one
_OWN_ACTIONS = {"setup": "Set-up", "adjust": "Adjust", "audit": "Audit"}
CHANGE_TITLES = {
    "undo": "undone",
    "look": "a look",
    "reply": "an answer undone",
    "redo": "redone",
    "amend": "amended",
    "unamend": "amendment undone",
    "abort": "aborted",
}


def action_title(game: Game, action: str) -> str:
    """Return the title of an action."""
    for item in game.actions:
        if item.id == action:
            return f"{action} - {item.title}"
    return _OWN_ACTIONS.get(action, action)


def action_rule(game: Game, action: str) -> str:
    """Return the rule of an action; "" for Companion's own actions."""
    return next((item.rule for item in game.actions if item.id == action), "")


def reply_line(entry: Entry, place: int, reply: Reply, pieces: Mapping[str, Piece]) -> Line:
    """Return a reply with its number for `amend` and its source; a correction with its reason."""
    if reply.is_adjustment:
        return Line(f"{adjustment_text(reply)}: {reply.value['why']}", "", "", f"     {entry.number}.{place} ")
    text = f"{reply.key} = {named_value_text(reply.value, pieces)} ({source_text(reply.source)})"
    if reply.anyway:
        text += ", recorded anyway"
    return Line(text, "", reply.rule, f"     {entry.number}.{place} ")


def entry_heading(game: Game, entry: Entry, status: EntryStatus) -> Line:
    """Return the heading of an entry."""
    text = action_title(game, entry.action)
    why = entry.args.get("why") if isinstance(entry.args, Mapping) else None
    text += f": {why}" if why else ""
    text += f" (replaces {entry.copy_of})" if entry.copy_of else ""
    text += " (recorded anyway)" if entry.anyway else ""
    text += " (open)" if status == "open" else ""
    mark = "x" if status == "taken back" else " "
    return Line(text, "title", action_rule(game, entry.action), f"{mark}{entry.number:>3}  ")


def _reply_lines(entry: Entry, pieces: Mapping[str, Piece], full: bool) -> list[Line]:
    """Return the replies of an entry; long runs of known printed values become one line."""
    lines: list[Line] = []
    run: list[int] = []
    for place, reply in enumerate([*entry.replies, None], 1):
        if reply is not None and not full and reply.kind == "printed" and not reply.is_from_player:
            run.append(place)
            continue
        if len(run) > _MAX_PRINTED_LISTED:
            sources = list(dict.fromkeys(source_text(entry.replies[index - 1].source) for index in run))
            text = f"{len(run)} printed values ({', '.join(sources)})"
            lines.append(Line(text, "", "", f"     {entry.number}.{run[0]}-{run[-1]} "))
        else:
            lines += [reply_line(entry, index, entry.replies[index - 1], pieces) for index in run]
        run = []
        # an opponent prints its reasons itself, so its "think" replies are left out
        if reply is not None and reply.kind != "think" and (full or reply.kind not in EFFECT_KINDS):
            lines.append(reply_line(entry, place, reply, pieces))
    return lines


def entry_lines(game: Game, entry: Entry, status: EntryStatus, pieces: dict[str, Piece], because: bool = False) -> list[Line]:
    """Return a whole entry. `pieces` are those before it by id, and are updated."""
    lines = [entry_heading(game, entry, status), *_reply_lines(entry, pieces, because)]
    events = event_lines(game, entry.events or (), pieces, because)
    lines += [line._replace(lead="     " + line.lead) for line in events]
    if status == "taken back":
        lines = [line._replace(tone="gone" if line.tone == "title" else "dim", lead="x" + line.lead[1:]) for line in lines]
    return lines


def log_lines(
    game: Game,
    history: History,
    undone: bool = False,
    last: int = 0,
    under_way: Sequence[Event] = (),
    only: Container[int] | None = None,
) -> list[Line]:
    """Return the log in force, or its last entries; with `undone` everything.

    `under_way`: events of the open entry so far. `only`: numbers of the entries to show, None for all.
    """
    listed = set(_listed_entries(history, undone, last, only))
    notes: dict[int, list[Line]] = {}
    for note in history.notes:
        notes.setdefault(note.entry, []).append(Line(note.text, "reminder", "", "     note: "))
    pieces: dict[str, Piece] = {}
    lines: list[Line] = []
    for number in sorted(history.entries):
        entry = history.entries[number]
        if history.status(number) == "open":
            entry = entry._replace(events=tuple(under_way))
        if number in listed:
            lines += entry_lines(game, entry, history.status(number), pieces)
            lines += notes.get(number, ())
        else:
            apply_events(entry.events or (), pieces)
    if undone:
        lines += change_lines(history)
    return lines


def _listed_entries(history: History, undone: bool, last: int, only: Container[int] | None) -> list[int]:
    numbers = [number for number in sorted(history.entries) if undone or history.is_in_force(number)]
    numbers = [number for number in numbers if only is None or number in only]
    return numbers[-last:] if last else numbers


def log_data(
    history: History, undone: bool = False, last: int = 0, only: Container[int] | None = None, game: Game | None = None
) -> JsonDict:
    """Return the log as JSON data. `game`: for the messages of its texts."""
    listed = _listed_entries(history, undone, last, only)
    names = piece_names(history)
    body: JsonDict = {
        "entries": [entry_data(history.entries[number], history, names, game) for number in listed],
        "notes": [{"entry": note.entry, "text": note.text, "at": note.at} for note in history.notes],
    }
    if undone:
        body["changes"] = [{"take": list(item.take), "give": list(item.give), "how": item.how} for item in history.changes]
    return body


def change_lines(history: History, first: int = 0) -> list[Line]:
    """Return every undo, redo, amend and abort from index `first` on."""
    lines: list[Line] = []
    for change in history.changes[first:]:
        taken = ", ".join(map(str, change.take))
        given = ", ".join(map(str, change.give))
        text = CHANGE_TITLES.get(change.how, change.how) + ": "
        text += f"{taken} -> {given}" if taken and given else (taken or given)
        if any(history.entries[number].has_random_reply for number in change.take):
            text += " (past a roll)"
        lines.append(Line(text, "dim", "", "  ~  "))
    return lines


def why_lines(game: Game, history: History, entry: Entry) -> list[Line]:
    """Return an entry with all reasons, conditions and candidates."""
    pieces = dict(history.position(before=entry.number).pieces)
    return entry_lines(game, entry, history.status(entry.number), pieces, because=True)


_SECONDS = {"m": 60, "h": 3600, "d": 86_400}  # unit -> seconds


def entries_since(history: History, when: str, now: str) -> set[int]:
    """Return the numbers of the entries since a moment.

    Args:
        history: Of the session.
        when: Number of an entry, a day, a time of today or of a day, or an age: `90m`, `2h`, `3d`.
        now: Current time in UTC.

    Raises:
        Unreadable: `when` is none of these.
    """
    text = when.strip().casefold()
    if text.isdecimal() and text.isascii():
        return {number for number in history.entries if number >= int(text)}
    from datetime import datetime

    moment = _moment(text, datetime.fromisoformat(now))
    times = {number: entry.at for number, entry in history.entries.items() if entry.at}
    return {number for number, time in times.items() if datetime.fromisoformat(time) >= moment}


def _moment(text: str, now: datetime) -> datetime:
    from datetime import datetime, timedelta

    count, letter = text[:-1], text[-1:]
    if letter in _SECONDS and count.isdecimal() and len(count) < 7:
        return now - timedelta(seconds=int(count) * _SECONDS[letter])
    for candidate in (text, f"{now.astimezone().date()} {text}"):
        try:
            return datetime.fromisoformat(candidate.upper()).astimezone()
        except (ValueError, OverflowError):
            continue
    cure = "An action (12), a day (2026-03-01), a time (20:30) or how long ago (90m, 2h, 3d)"
    raise Unreadable(f"'{clean(text)}' names neither a time nor an action", cure=cure)


def entries_containing(game: Game, history: History, words: str) -> set[int]:
    """Return the numbers of the entries with some text in a line or note, ignoring case."""
    search = words.casefold()
    pieces: dict[str, Piece] = {}
    numbers = {note.entry for note in history.notes if search in note.text.casefold()}
    for number in sorted(history.entries):
        if _contains(entry_lines(game, history.entries[number], history.status(number), pieces), search):
            numbers.add(number)
    return numbers


def _contains(lines: Iterable[Line], search: str) -> bool:
    return any(search in text.casefold() for text in line_texts(lines))


class ShownLog(NamedTuple):
    """The part of a log that was shown: complete entries, and numbers of notes and corrections."""

    entries: frozenset[int]
    notes: int
    changes: int

    @classmethod
    def of(cls, history: History) -> ShownLog:
        """Return a marker for the whole log."""
        done = frozenset(number for number, entry in history.entries.items() if not entry.is_open)
        return cls(done, len(history.notes), len(history.changes))


def new_log_lines(game: Game, history: History, shown: ShownLog, words: str = "") -> tuple[list[Line], ShownLog]:
    """Return the lines that are new since `shown`, and the new marker.

    Args:
        game, history: Of the session.
        shown: What was shown before.
        words: Show only entries and notes with this text; "" for all.
    """
    now, search = ShownLog.of(history), words.casefold()
    lines: list[Line] = []
    for number in sorted(now.entries - shown.entries):
        if history.is_in_force(number):
            pieces = dict(history.position(before=number).pieces)
            new_lines = entry_lines(game, history.entries[number], history.status(number), pieces)
            lines += new_lines if _contains(new_lines, search) else []
    notes = [note.text for note in history.notes[shown.notes :] if search in note.text.casefold()]
    changed = change_lines(history, shown.changes) if not words else []
    return [*lines, *changed, *(Line(text, "reminder", "", "     note: ") for text in notes)], now

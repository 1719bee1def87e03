"""The story of a session: events as sentences, the play by turns or operations, and the moments that decided the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import CompanionError
from companion.core.events import (
    EVENT_TYPES,
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
from companion.core.history import Entry, History
from companion.core.position import Piece, Position
from companion.core.values import JsonObject
from companion.views.lines import adjustment_text, value_text

if TYPE_CHECKING:
    from companion.session.luck import WeighedRoll

_MAX_NAMES = 8  # most names listed in a sentence
_TEMPLATE_KEYS = ("rule", "from", "to", "kind", "mark", "face", "track", "flag", "now")
"""Fields of an event that a template may compare."""
_DEFAULT_WEIGHT = 1  # weight of a sentence without one

DEFAULT_TEMPLATES: tuple[JsonObject, ...] = (
    {"on": "said", "text": "{text}"},
    {"on": "made", "text": "{names} {comes/come} into play: {to}"},
    {"on": "moved", "text": "{names} {goes/go} from {from} to {to}"},
    {"on": "flipped", "text": "{names} {is/are} turned: {face}"},
)
"""Templates of a game that has none."""


class Sentence(NamedTuple):
    """A sentence. `weight`: lightest sentences are left out first. `losses`: steps or pieces lost, by side."""

    text: str
    weight: int = _DEFAULT_WEIGHT
    losses: tuple[tuple[str, int], ...] = ()


class _MatchedEvent(NamedTuple):
    """An event that matches a template."""

    names: str
    fields: Mapping[str, str]


class SentenceTemplate:
    """A sentence of `report.toml`.

    Args:
        body: Its table in the file.
    """

    def __init__(self, body: JsonObject) -> None:
        self.on: str = body["on"]
        self.text: str = body.get("text", "")
        self.weight: int = body.get("weight", _DEFAULT_WEIGHT)
        self.loss: str = body.get("loss", "")
        self._why: str = body.get("why", "")
        self._contains: str = body.get("contains", "")
        is_new = self.on == "made"
        fields = {"from": "was", "to": "place" if is_new else "now", "face": "now", "kind": "piece" if is_new else "kind"}
        self._wanted = [(fields.get(key, key), _Pattern(body[key])) for key in _TEMPLATE_KEYS if key in body]
        self._printed = [(key, _Pattern(value)) for key, value in body.get("values", {}).items()]

    def fits(self, event: Event, piece: Piece | None) -> bool:
        """True if the template matches an event of its kind. `piece`: the piece before the event."""
        if self._why and not getattr(event, "why", "").startswith(self._why):
            return False
        if self._contains and not (isinstance(event, Said) and self._contains in event.text):
            return False
        for field, pattern in self._wanted:
            if not pattern.fits(getattr(piece if field == "kind" else event, field, None)):
                return False
        values = piece.values if piece else getattr(event, "values", {})
        return all(pattern.fits(values.get(key)) for key, pattern in self._printed)


class _Pattern:
    """Values that a template matches; one ending in `*` matches a prefix."""

    def __init__(self, patterns: str | Sequence[str]) -> None:
        texts = (patterns,) if isinstance(patterns, str) else patterns
        self._exact = frozenset(texts)
        self._begins = tuple(text[:-1] for text in texts if text.endswith("*"))

    def fits(self, value: Any) -> bool:
        text = value if isinstance(value, str) else "" if value is None else value_text(value)
        return text in self._exact or (bool(self._begins) and text.startswith(self._begins))


Templates = Mapping[type, Sequence[tuple[int, SentenceTemplate]]]
"""Templates with their index in the file, by type of event."""


def sentence_templates(game: Game) -> Templates:
    """Return the templates of a game; the first that matches is used."""
    templates = [SentenceTemplate(body) for body in game.tables.report.get("sentence", DEFAULT_TEMPLATES)]
    return {
        kind: [(index, template) for index, template in enumerate(templates) if template.on == name]
        for name, kind in EVENT_TYPES.items()
    }


def entry_sentences(
    game: Game, templates: Templates, events: Iterable[Event], before: Position
) -> tuple[list[Sentence], Position]:
    """Return the sentences of an entry, and the position after it.

    Args:
        game: Gives titles.
        templates: By type of event.
        events: Of the entry.
        before: The position before the entry.
    """
    board = PositionBuilder(before)
    groups: dict[tuple[int, int], tuple[SentenceTemplate, list[tuple[Event, Piece | None]]]] = {}
    keys_of_moves: dict[tuple[int, str], tuple[int, int]] = {}
    spoken = 0  # events between the same spoken sentences are grouped; all moves of a piece are joined
    for event in events:
        piece = _piece_of(event, board)
        fitting = next(((index, candidate) for index, candidate in templates[type(event)] if candidate.fits(event, piece)), None)
        event.apply_to(board)
        if fitting:
            index, template = fitting
            spoken += isinstance(event, Said)
            key = (index, spoken)
            if isinstance(event, PieceMoved):
                key = keys_of_moves.setdefault((index, event.id), key)
            groups.setdefault(key, (template, []))[1].append((event, _piece_of(event, board)))
    lost = {
        event.id
        for template, matches in groups.values()
        if template.loss
        for event, _ in matches
        if isinstance(event, PieceMoved)
    }
    sentences = [
        sentence for template, matches in groups.values() for sentence in _sentences(game, template, matches, lost, board.pieces)
    ]
    return sentences, board.position


def _piece_of(event: Event, board: PositionBuilder) -> Piece | None:
    """Return the piece of an event as it is on the board, or None."""
    return None if isinstance(event, TrackMoved | FlagSet | Said) else board.pieces.get(event.id)


def _sentences(
    game: Game,
    template: SentenceTemplate,
    events: Sequence[tuple[Event, Piece | None]],
    lost: Container[str],
    pieces: Mapping[str, Piece],
) -> list[Sentence]:
    """Return one sentence for all pieces with the same change. The reduction of a piece that is lost later is only counted."""
    told = [
        (event, piece) for event, piece in events if not (isinstance(event, PieceFlipped) and template.loss and event.id in lost)
    ]
    names_by_fields: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for name, fields in _matched_events(game, told, pieces):
        used = tuple((key, value) for key, value in fields.items() if f"{{{key}}}" in template.text)
        names_by_fields.setdefault(used, []).append(name)
    texts = [_filled_template(template.text, dict(used), names) for used, names in names_by_fields.items()]
    sentences = [Sentence(text, template.weight) for text in texts or [""]]
    if template.loss:
        count = len({event.id if isinstance(event, PieceMoved) else number for number, (event, _) in enumerate(events)})
        sentences[0] = sentences[0]._replace(losses=((template.loss, count),))
    return sentences


def _matched_events(game: Game, events: Sequence[tuple[Event, Piece | None]], pieces: Mapping[str, Piece]) -> list[_MatchedEvent]:
    """Return what happened to each piece, its moves joined into one."""
    result: dict[object, _MatchedEvent] = {}
    for number, (event, piece) in enumerate(events):
        key = event.id if isinstance(event, PieceMoved) else number
        new = _MatchedEvent(piece.name if piece else "", _fields(game, event, piece, pieces))
        old = result.get(key)
        result[key] = new if old is None else new._replace(fields={**new.fields, "from": old.fields["from"]})
    return list(result.values())


def _opponents(game: Game, event: Said, pieces: Mapping[str, Piece]) -> str:
    """Return the pieces that the reasons of a line begin with, such as `A and B against C: `; "" unless of two sides."""
    sides = {piece.name: game.side(piece) for piece in pieces.values()}
    names_by_side: dict[str, list[str]] = {}
    for reason in event.because:
        name = reason.partition(":")[0]
        if sides.get(name):
            names_by_side.setdefault(sides[name], []).append(name)
    return f"{' against '.join(map(name_list, names_by_side.values()))}: " if len(names_by_side) == 2 else ""


def _fields(game: Game, event: Event, piece: Piece | None, pieces: Mapping[str, Piece]) -> dict[str, str]:
    if isinstance(event, Said):
        return {"text": event.text, "opponents": _opponents(game, event, pieces)}
    if isinstance(event, PieceMade):
        return {"to": game.place_title(event.place), "why": event.why}
    if isinstance(event, PieceMoved):
        return {"from": game.place_title(event.was), "to": game.place_title(event.now), "why": event.why}
    if isinstance(event, PieceFlipped):
        face = game.face_title(piece, event.now) if piece else event.now
        return {"face": face, "at": game.place_title(piece.place) if piece else "", "why": event.why}
    if isinstance(event, PieceMarked):
        place = game.place_title(piece.place) if piece else ""
        return {"mark": game.mark_title(event.mark), "now": value_text(event.now), "at": place, "why": event.why}
    if isinstance(event, TrackMoved):
        was, now = (game.track(event.track, value) for value in (event.was, event.now))
        return {"title": game.track_title(event.track), "was": was, "now": now, "why": event.why}
    return {"title": game.flag_title(event.flag) or event.flag.partition(":")[2], "now": value_text(event.now), "why": event.why}


def _filled_template(text: str, fields: Mapping[str, str], names: Sequence[str]) -> str:
    """Fill in a template; `{is/are}` depends on the number of names."""
    import re

    several = len(names) > 1
    filled = re.sub(r"\{([^{}/]*)/([^{}/]*)\}", lambda match: match[2] if several else match[1], text)
    filled = re.sub(r"\{(\w+)\}", lambda match: name_list(names) if match[1] == "names" else fields.get(match[1], ""), filled)
    return as_sentence(filled)


def as_sentence(text: str) -> str:
    """Return a text with a capital at its start and a full stop.

    >>> as_sentence("the bridge is gone"), as_sentence("Is it? "), as_sentence("")
    ('The bridge is gone.', 'Is it?', '')
    """
    plain = text.strip()
    word = plain.partition(" ")[0]
    first = plain[:1].upper() + plain[1:] if word.isalpha() and word.islower() else plain
    return first if not first or first[-1] in ".!?:" else f"{first}."


def name_list(names: Sequence[str]) -> str:
    """Join names as in a sentence, each once.

    >>> name_list(["A"]), name_list(["A", "B", "A"]), name_list(["A", "B", "C"])
    ('A', '2 x A and B', 'A, B and C')
    """
    counts = Counter(names)
    texts = [name if count == 1 else f"{count} x {name}" for name, count in counts.items()]
    if len(texts) > _MAX_NAMES:
        more = sum(list(counts.values())[_MAX_NAMES - 1 :])
        texts = [*texts[: _MAX_NAMES - 1], f"{more} more"]
    return " and ".join(filter(None, [", ".join(texts[:-1]), texts[-1]])) if texts else ""


_TURN = "turn"
_MAX_SENTENCES = 14  # most sentences of a chapter, unless all are wanted
_CORRECTION_WEIGHT = 9  # weight of a sentence that is never left out


_NO_TEMPLATES: Templates = dict.fromkeys(EVENT_TYPES.values(), ())  # templates that produce no sentence


class ChapterForm(NamedTuple):
    """How the play of a game is divided into chapters.

    Attributes:
        track: Track that numbers the chapters; "" for a single chapter.
        first: The action that moves the track belongs to the next chapter.
        each: Values per chapter.
        title: With `{value}`.
        opening: Title of what comes before the first value.
        most: Most sentences of a chapter.
    """

    track: str = ""
    first: bool = False
    each: int = 1
    title: str = ""
    opening: str = ""
    most: int = _MAX_SENTENCES


class ReportEntry(NamedTuple):
    """An entry of the log in a report.

    Attributes:
        entry: The entry.
        sentences: What it did.
        after: The position after it.
        points: The score after it; None if it cannot be counted.
        notes: The player's notes.
    """

    entry: Entry
    sentences: tuple[Sentence, ...]
    after: Position
    points: int | None
    notes: tuple[str, ...]


def entry_losses(item: ReportEntry) -> Counter[str]:
    """Return the steps or pieces lost in an entry, by side."""
    losses = Counter[str]()
    for sentence in item.sentences:
        for side, lost in sentence.losses:
            losses[side] += lost
    return losses


class Chapter(NamedTuple):
    """Entries under a heading. `number`, `last`: its first and last turn or operation."""

    number: int
    last: int
    title: str
    before: Position
    entries: tuple[ReportEntry, ...]

    @property
    def after(self) -> Position:
        """The position at the end of the chapter."""
        return self.entries[-1].after


def chapter_form(game: Game) -> ChapterForm:
    """Return how the play is divided: by the game's tables, or by turns."""
    settings: JsonObject = game.tables.report.get("chapters", {})
    return ChapterForm(**settings) if settings else ChapterForm(_TURN if _TURN in game.tracks else "")


def chapter_title(game: Game, form: ChapterForm, number: int, last: int) -> str:
    """Return the heading of a chapter."""
    if not form.track:
        return "The play"
    if number < (game.tracks[form.track].low or 0) + (1 if form.first else 0) and form.opening:
        return form.opening
    value = str(number) if number == last else f"{number} to {last}"
    title = form.title or f"{game.track_title(form.track)} {{value}}"
    return title.replace("{value}", value)


def setup_position(history: History) -> Position:
    """Return the position after the set-up."""
    entry = history.in_force[0]
    board = PositionBuilder(Position())
    for event in entry.events or ():
        event.apply_to(board)
    return board.position


def chapters(game: Game, history: History, options: Mapping[str, str]) -> list[Chapter]:
    """Return the complete entries in force by chapter, without the set-up."""
    form, templates = chapter_form(game), sentence_templates(game)
    before = setup_position(history)
    result: list[Chapter] = []
    notes = _notes(history)
    for entry in history.in_force[1:]:
        if entry.events is None:
            continue
        item = _report_entry(game, templates, entry, before, options, notes)
        numbered_by = item.after if form.first else before
        value = numbered_by.track(form.track) if form.track else 0
        number = value if form.each == 1 or value < 1 else (value - 1) // form.each * form.each + 1
        if result and result[-1].number == number:
            result[-1] = result[-1]._replace(last=max(value, result[-1].last), entries=(*result[-1].entries, item))
        else:
            result.append(Chapter(number, value, "", before, (item,)))
        before = item.after
    return [chapter._replace(title=chapter_title(game, form, chapter.number, chapter.last)) for chapter in result]


def _notes(history: History) -> dict[int, list[str]]:
    by_entry: dict[int, list[str]] = {}
    for note in history.notes:
        by_entry.setdefault(note.entry, []).append(note.text)
    return by_entry


def _report_entry(
    game: Game,
    templates: Templates,
    entry: Entry,
    before: Position,
    options: Mapping[str, str],
    notes: Mapping[int, Sequence[str]],
) -> ReportEntry:
    used = _NO_TEMPLATES if entry.action in ("adjust", "audit") else templates
    sentences, after = entry_sentences(game, used, entry.events or (), before)
    sentences = [*_correction_sentences(game, entry), *sentences]
    return ReportEntry(entry, tuple(sentences), after, _points(game, after, options), tuple(notes.get(entry.number, ())))


def _correction_sentences(game: Game, entry: Entry) -> list[Sentence]:
    """Return the corrections of an entry, with their reasons."""
    corrections = [
        (adjustment_text(reply).partition(" ")[2], reply.value["why"]) for reply in entry.replies if reply.is_adjustment
    ]
    if entry.action in ("adjust", "audit"):
        changes = entry.args.get("changes", ())
        texts = [f"{game.track_title(what) if what in game.tracks else what} = {value}" for what, value in changes]
        corrections.append((", ".join(texts), str(entry.args.get("why", ""))))
    return [
        Sentence(as_sentence(f"Corrected: {what}{f' ({why})' if why else ''}"), _CORRECTION_WEIGHT) for what, why in corrections
    ]


def _points(game: Game, position: Position, options: Mapping[str, str]) -> int | None:
    try:
        return game.score(position, options).total
    except CompanionError:  # a correction has no row on a chart
        return None


def paragraphs(chapter: Chapter, most: int) -> list[tuple[ReportEntry, str]]:
    """Return the text of each entry. The sentences with the least weight are left out first.

    Args:
        chapter: The chapter.
        most: Most sentences; 0 for all.
    """
    sentences = [
        (item, number, sentence) for item in chapter.entries for number, sentence in enumerate(item.sentences) if sentence.text
    ]
    order = sorted(range(len(sentences)), key=lambda index: (-sentences[index][2].weight, sentences[index][1], index))
    kept = set(order[:most] if most else order)
    texts: dict[int, list[str]] = {}
    for index, (item, _, sentence) in enumerate(sentences):
        if index in kept:
            texts.setdefault(item.entry.number, []).append(sentence.text)
    return [(item, " ".join(texts.get(item.entry.number, ()))) for item in chapter.entries]


def track_changes(game: Game, form: ChapterForm, before: Position, after: Position) -> list[tuple[str, int, int]]:
    """Return each changed track with its old and new value, except the track that numbers the chapters."""
    tracks = [track for track in game.tracks if track != form.track and game.marker_title(track)]
    return [(track, before.track(track), after.track(track)) for track in tracks if before.track(track) != after.track(track)]


def track_changes_text(game: Game, changes: Sequence[tuple[str, int, int]]) -> str:
    """Return the changes, such as `OPs 30 to 27, KIA 0 to 2`."""
    return ", ".join(
        f"{game.track_title(track)} {game.track(track, was)} to {game.track(track, now)}" for track, was, now in changes
    )


_MAX_MOMENTS = 3  # most swings, and most rolls, that are reported
_MIN_SWING = 0.2  # least swing, as a share of the figure's whole range
_MAX_RARE_CHANCE = 0.05  # most likely roll that counts as unlikely


Rolls = Mapping[int, Sequence["WeighedRoll"]]
"""Rolls with known chances, by entry."""


class Moment(NamedTuple):
    """A decisive moment. `entry`: number of its entry. `chapter`: index of its chapter."""

    entry: int
    chapter: int
    text: str


def swings(game: Game, chapters: Sequence[Chapter]) -> list[Moment]:
    """Return the largest swings of the score, or of a track that `report.toml` names as decisive, in order of play."""
    candidates = [swing for track in game.tables.report.get("decisive", ()) for swing in _track_swings(game, track, chapters)]
    candidates += _score_swings(chapters)
    largest_by_entry: dict[int, tuple[float, Moment]] = {}
    for share, moment in candidates:
        if share >= _MIN_SWING and share > largest_by_entry.get(moment.entry, (0.0, moment))[0]:
            largest_by_entry[moment.entry] = (share, moment)
    largest = sorted(largest_by_entry.values(), key=lambda item: -item[0])[:_MAX_MOMENTS]
    return sorted((moment for _, moment in largest), key=lambda moment: (moment.chapter, moment.entry))


def _numbered_entries(chapters: Sequence[Chapter]) -> Iterable[tuple[int, ReportEntry]]:
    return ((index, item) for index, chapter in enumerate(chapters) for item in chapter.entries)


def _track_swings(game: Game, track: str, chapters: Sequence[Chapter]) -> list[tuple[float, Moment]]:
    values = [chapters[0].before.track(track)] if chapters else []
    scored = [(index, item, item.after.track(track)) for index, item in _numbered_entries(chapters)]
    title = game.track_title(track)
    return _changes_of(values, scored, lambda was, now: f"{title} {game.track(track, was)} to {game.track(track, now)}")


def _score_swings(chapters: Sequence[Chapter]) -> list[tuple[float, Moment]]:
    scored = [(index, item, item.points) for index, item in _numbered_entries(chapters) if item.points is not None]
    first = [scored[0][2]] if scored else []
    return _changes_of(first, scored, lambda was, now: f"the score went from {was} to {now}")


def _changes_of(
    first: list[int], values: Sequence[tuple[int, ReportEntry, int]], text: Callable[[int, int], str]
) -> list[tuple[float, Moment]]:
    """Return each change of a figure with its share of the figure's range."""
    series = [*first, *(value for _, _, value in values)]
    extent = max(series, default=0) - min(series, default=0)
    changes = []
    for was, (index, item, now) in zip(series, values, strict=False):
        if was != now and item.entry.action not in ("adjust", "audit"):
            changes.append((abs(now - was) / extent, Moment(item.entry.number, index, text(was, now))))
    return changes


def unlikely_rolls(chapters: Sequence[Chapter], rolls: Rolls) -> list[Moment]:
    """Return the rolls furthest from their expectation, in order of play."""
    moments = []
    for index, item in _numbered_entries(chapters):
        for roll in rolls.get(item.entry.number, ()):
            tail = min(roll.percentile, 1 - roll.percentile)
            if tail <= _MAX_RARE_CHANCE:
                text = f"against the odds: {roll.title}: {roll.actual:g} {roll.unit}, {roll.expected:.1f} to be expected"
                moments.append((tail, Moment(item.entry.number, index, text)))
    rarest = sorted(moments, key=lambda pair: pair[0])[:_MAX_MOMENTS]
    return sorted((moment for _, moment in rarest), key=lambda moment: (moment.chapter, moment.entry))

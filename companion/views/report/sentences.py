"""Events of an entry as sentences, by the templates of its game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

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
from companion.core.position import Piece, Position
from companion.core.values import JsonObject
from companion.views.phrases import value_text

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
        is_new = self.on == "made"
        fields = {"from": "was", "to": "place" if is_new else "now", "face": "now", "kind": "piece" if is_new else "kind"}
        self._wanted = [(fields.get(key, key), _Pattern(body[key])) for key in _TEMPLATE_KEYS if key in body]
        self._printed = [(key, _Pattern(value)) for key, value in body.get("values", {}).items()]

    def fits(self, event: Event, piece: Piece | None) -> bool:
        """True if the template matches an event of its kind. `piece`: the piece before the event."""
        if self._why and not getattr(event, "why", "").startswith(self._why):
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
    for number, event in enumerate(events):
        piece = _piece_of(event, board)
        fitting = next(((index, candidate) for index, candidate in templates[type(event)] if candidate.fits(event, piece)), None)
        event.apply_to(board)
        if fitting:
            index, template = fitting
            events_told = groups.setdefault((index, number if isinstance(event, Said) else -1), (template, []))[1]
            events_told.append((event, _piece_of(event, board)))
    sentences = [clause for template, events_told in groups.values() for clause in _sentences(game, template, events_told)]
    return sentences, board.position


def _piece_of(event: Event, board: PositionBuilder) -> Piece | None:
    """Return the piece of an event as it is on the board, or None."""
    return None if isinstance(event, TrackMoved | FlagSet | Said) else board.pieces.get(event.id)


def _sentences(game: Game, template: SentenceTemplate, events: Sequence[tuple[Event, Piece | None]]) -> list[Sentence]:
    """Return one sentence for all pieces with the same change."""
    names_by_fields: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for name, fields in _matched_events(game, events):
        used = tuple((key, value) for key, value in fields.items() if f"{{{key}}}" in template.text)
        names_by_fields.setdefault(used, []).append(name)
    lost = sum(map(len, names_by_fields.values()))
    sentences = [
        Sentence(_filled_template(template.text, dict(used), names), template.weight) for used, names in names_by_fields.items()
    ]
    if template.loss and sentences:
        sentences[0] = sentences[0]._replace(losses=((template.loss, lost),))
    return sentences


def _matched_events(game: Game, events: Sequence[tuple[Event, Piece | None]]) -> list[_MatchedEvent]:
    """Return what happened to each piece, its moves joined into one."""
    result: dict[object, _MatchedEvent] = {}
    for number, (event, piece) in enumerate(events):
        key = event.id if isinstance(event, PieceMoved) else number
        new = _MatchedEvent(piece.name if piece else "", _fields(game, event, piece))
        old = result.get(key)
        result[key] = new if old is None else new._replace(fields={**new.fields, "from": old.fields["from"]})
    return list(result.values())


def _fields(game: Game, event: Event, piece: Piece | None) -> dict[str, str]:
    if isinstance(event, Said):
        return {"text": event.text}
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
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    texts = [name if count == 1 else f"{count} x {name}" for name, count in counts.items()]
    if len(texts) > _MAX_NAMES:
        more = sum(list(counts.values())[_MAX_NAMES - 1 :])
        texts = [*texts[: _MAX_NAMES - 1], f"{more} more"]
    return " and ".join(filter(None, [", ".join(texts[:-1]), texts[-1]])) if texts else ""

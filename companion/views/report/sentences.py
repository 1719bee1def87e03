"""What happened as sentences: the events of an entry, told by the templates of its game."""

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
from companion.views.phrases import value_text

_MOST_NAMES = 8
"""Names that a sentence tells one by one."""
_TEMPLATE_KEYS = ("rule", "from", "to", "kind", "mark", "face", "track", "flag", "now")
"""What a template may ask of an event."""
_DEFAULT_WEIGHT = 1
"""The weight of a sentence that says nothing of its own."""

DEFAULT_TEMPLATES: tuple[Mapping[str, Any], ...] = (
    {"on": "said", "text": "{text}"},
    {"on": "made", "text": "{names} {comes/come} into play: {to}"},
    {"on": "moved", "text": "{names} {goes/go} from {from} to {to}"},
    {"on": "flipped", "text": "{names} {is/are} turned: {face}"},
)
"""The templates of a game that has none of its own."""


class Sentence(NamedTuple):
    """A sentence. ``weight``: what is left out first has the least; ``losses``: strength steps or pieces lost, by side."""

    text: str
    weight: int = _DEFAULT_WEIGHT
    losses: tuple[tuple[str, int], ...] = ()


class _ToldEvent(NamedTuple):
    """An event that a template tells."""

    names: str
    fields: Mapping[str, str]


class SentenceTemplate:
    """One sentence of ``report.toml``.

    Args:
        body: as it is written there.
    """

    def __init__(self, body: Mapping[str, Any]) -> None:
        self.on: str = body["on"]
        self.text: str = body.get("text", "")
        self.weight: int = body.get("weight", _DEFAULT_WEIGHT)
        self.loss: str = body.get("loss", "")
        self._why: str = body.get("why", "")
        made = self.on == "made"
        fields = {"from": "was", "to": "place" if made else "now", "face": "now", "kind": "piece" if made else "kind"}
        self._wanted = [(fields.get(key, key), _Pattern(body[key])) for key in _TEMPLATE_KEYS if key in body]
        self._printed = [(key, _Pattern(value)) for key, value in body.get("values", {}).items()]

    def fits(self, event: Event, piece: Piece | None) -> bool:
        """Whether the template tells an event of its kind. ``piece``: to which it happens, as it was before."""
        if self._why and not getattr(event, "why", "").startswith(self._why):
            return False
        for field, wanted in self._wanted:
            if not wanted.fits(getattr(piece if field == "kind" else event, field, None)):
                return False
        values = piece.values if piece else getattr(event, "values", {})
        return all(wanted.fits(values.get(key)) for key, wanted in self._printed)


class _Pattern:
    """The values that a template asks for: these, and what begins as one that ends with ``*``."""

    def __init__(self, told: str | Sequence[str]) -> None:
        every = (told,) if isinstance(told, str) else told
        self._exact = frozenset(every)
        self._begins = tuple(one[:-1] for one in every if one.endswith("*"))

    def fits(self, value: Any) -> bool:
        text = value if isinstance(value, str) else "" if value is None else value_text(value)
        return text in self._exact or (bool(self._begins) and text.startswith(self._begins))


Templates = Mapping[type, Sequence[tuple[int, SentenceTemplate]]]
"""Templates with their places in the file, by the kind of event that they tell."""


def sentence_templates(game: Game) -> Templates:
    """Those of a game, in the order in which the first that fits is taken."""
    every = [SentenceTemplate(body) for body in game.tables.report.get("sentence", DEFAULT_TEMPLATES)]
    return {kind: [(at, one) for at, one in enumerate(every) if one.on == name] for name, kind in EVENT_TYPES.items()}


def entry_sentences(game: Game, known: Templates, events: Iterable[Event], before: Position) -> tuple[list[Sentence], Position]:
    """The sentences of an entry, in the order in which what they tell began, and the position after it.

    Args:
        game: for its words.
        known: its templates, by kind.
        events: of the entry.
        before: the position before it.
    """
    board = PositionBuilder(before)
    found: dict[tuple[int, int], tuple[SentenceTemplate, list[tuple[Event, Piece | None]]]] = {}
    for number, event in enumerate(events):
        piece = _piece_of(event, board)
        fitting = next(((at, one) for at, one in known[type(event)] if one.fits(event, piece)), None)
        event.apply_to(board)
        if fitting:
            at, template = fitting
            own = found.setdefault((at, number if isinstance(event, Said) else -1), (template, []))[1]
            own.append((event, _piece_of(event, board)))
    told = [clause for template, own in found.values() for clause in _sentences(game, template, own)]
    return told, board.position


def _piece_of(event: Event, board: PositionBuilder) -> Piece | None:
    """The piece to which an event happens, as it is on the board; None where it is none, or nobody knows it."""
    return None if isinstance(event, TrackMoved | FlagSet | Said) else board.pieces.get(event.id)


def _sentences(game: Game, template: SentenceTemplate, own: Sequence[tuple[Event, Piece | None]]) -> list[Sentence]:
    """One sentence for all to which the same has happened."""
    alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for name, fields in _told_events(game, own):
        used = tuple((key, value) for key, value in fields.items() if f"{{{key}}}" in template.text)
        alike.setdefault(used, []).append(name)
    lost = sum(map(len, alike.values()))
    told = [Sentence(_filled_template(template.text, dict(used), names), template.weight) for used, names in alike.items()]
    if template.loss and told:
        told[0] = told[0]._replace(losses=((template.loss, lost),))
    return told


def _told_events(game: Game, own: Sequence[tuple[Event, Piece | None]]) -> list[_ToldEvent]:
    """What happened to each piece, all its moves as one."""
    found: dict[object, _ToldEvent] = {}
    for number, (event, piece) in enumerate(own):
        key = event.id if isinstance(event, PieceMoved) else number
        new = _ToldEvent(piece.name if piece else "", _fields(game, event, piece))
        old = found.get(key)
        found[key] = new if old is None else new._replace(fields={**new.fields, "from": old.fields["from"]})
    return list(found.values())


def _fields(game: Game, event: Event, piece: Piece | None) -> dict[str, str]:
    """The words that a template can use."""
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
        at = game.place_title(piece.place) if piece else ""
        return {"mark": game.mark_title(event.mark), "now": value_text(event.now), "at": at, "why": event.why}
    if isinstance(event, TrackMoved):
        was, now = (game.track(event.track, value) for value in (event.was, event.now))
        return {"title": game.track_title(event.track), "was": was, "now": now, "why": event.why}
    return {"title": game.flag_title(event.flag) or event.flag.partition(":")[2], "now": value_text(event.now), "why": event.why}


def _filled_template(text: str, fields: Mapping[str, str], names: Sequence[str]) -> str:
    """A template with its words put in; ``{is/are}`` by how many there are."""
    import re

    several = len(names) > 1
    told = re.sub(r"\{([^{}/]*)/([^{}/]*)\}", lambda one: one[2] if several else one[1], text)
    told = re.sub(r"\{(\w+)\}", lambda one: name_list(names) if one[1] == "names" else fields.get(one[1], ""), told)
    return as_sentence(told)


def as_sentence(text: str) -> str:
    """A text that begins and ends as a sentence does.

    >>> as_sentence("the bridge is gone"), as_sentence("Is it? "), as_sentence("")
    ('The bridge is gone.', 'Is it?', '')
    """
    plain = text.strip()
    word = plain.partition(" ")[0]
    first = plain[:1].upper() + plain[1:] if word.isalpha() and word.islower() else plain
    return first if not first or first[-1] in ".!?:" else f"{first}."


def name_list(names: Sequence[str]) -> str:
    """Names as they are read aloud, each once.

    >>> name_list(["A"]), name_list(["A", "B", "A"]), name_list(["A", "B", "C"])
    ('A', '2 x A and B', 'A, B and C')
    """
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    told = [name if count == 1 else f"{count} x {name}" for name, count in counts.items()]
    if len(told) > _MOST_NAMES:
        more = sum(list(counts.values())[_MOST_NAMES - 1 :])
        told = [*told[: _MOST_NAMES - 1], f"{more} more"]
    return " and ".join(filter(None, [", ".join(told[:-1]), told[-1]])) if told else ""

"""What happened as sentences: the events of an entry, told by the templates of its game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from typing import Any, NamedTuple

from companion.core.events import (
    Board,
    Event,
    FlagSet,
    PieceFlipped,
    PieceMade,
    PieceMarked,
    PieceMoved,
    Said,
    TrackMoved,
    encode,
)
from companion.core.game import Game
from companion.core.position import Piece, Position
from companion.views.events import happen
from companion.views.say import value_text

_MOST_NAMES = 8
"""Names that a sentence tells one by one."""
_COMPARED = ("rule", "from", "to", "kind", "mark", "face", "track", "flag", "now")
"""What a template may ask of an event."""
_LESSER = 1
"""The weight of a sentence that says nothing of its own."""

USUAL: tuple[Mapping[str, Any], ...] = (
    {"on": "said", "text": "{text}"},
    {"on": "made", "text": "{names} {comes/come} into play: {to}"},
    {"on": "moved", "text": "{names} {goes/go} from {from} to {to}"},
    {"on": "flipped", "text": "{names} {is/are} turned: {face}"},
)
"""The templates of a game that has none of its own."""


class Clause(NamedTuple):
    """A sentence. ``weight``: what is left out first has the least; ``losses``: strength steps or pieces lost, by side."""

    text: str
    weight: int = _LESSER
    losses: tuple[tuple[str, int], ...] = ()


class _Found(NamedTuple):
    """An event that a template tells."""

    names: str
    fields: Mapping[str, str]


class Template:
    """One sentence of ``report.toml``.

    Args:
        body: as it is written there.
    """

    def __init__(self, body: Mapping[str, Any]) -> None:
        self.on: str = body["on"]
        self.text: str = body.get("text", "")
        self.weight: int = body.get("weight", _LESSER)
        self.loss: str = body.get("loss", "")
        self._why: str = body.get("why", "")
        self._wanted = {key: _several(body[key]) for key in _COMPARED if key in body}
        self._printed = {key: _several(value) for key, value in body.get("values", {}).items()}

    def fits(self, kind: str, body: Mapping[str, Any], piece: Piece | None) -> bool:
        """Whether the template tells an event of that kind. ``body``: as it is stored; ``piece``: to which it happens."""
        if kind != self.on or not str(body.get("why", "")).startswith(self._why):
            return False
        printed = piece.values if piece else body.get("values", {})
        return all(_fits(_value(key, body, piece), wanted) for key, wanted in self._wanted.items()) and all(
            _fits(value_text(printed.get(key, "")), wanted) for key, wanted in self._printed.items()
        )


def templates(game: Game) -> list[Template]:
    """Those of a game, in the order in which the first that fits is taken."""
    return [Template(body) for body in game.tables.report.get("sentence", USUAL)]


def _several(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _value(key: str, body: Mapping[str, Any], piece: Piece | None) -> str:
    """What a template compares of an event."""
    if key == "kind":
        return piece.kind if piece else str(body.get("piece", ""))
    stored = {"from": "was", "to": "place" if "place" in body else "now", "face": "now"}.get(key, key)
    value = body.get(stored)
    return "" if value is None else value_text(value)


def _fits(value: str, wanted: Iterable[str]) -> bool:
    """Whether a value is one of those that are wanted, or begins as one that ends with ``*``."""
    return any(value.startswith(one[:-1]) if one.endswith("*") else value == one for one in wanted)


def clauses(game: Game, known: Sequence[Template], events: Iterable[Event], pieces: MutableMapping[str, Piece]) -> list[Clause]:
    """The sentences of an entry, in the order in which what they tell began.

    Args:
        game: for its words.
        known: its templates.
        events: of the entry.
        pieces: those before it, by id; left as they are after it.
    """
    board = Board(Position({}, pieces))
    found: dict[tuple[int, int], list[tuple[Event, Piece | None]]] = {}
    for number, event in enumerate(events):
        piece = board.pieces.get(event.id) if not isinstance(event, TrackMoved | FlagSet | Said) else None
        body = encode(event)
        at = next((at for at, template in enumerate(known) if template.fits(body["kind"], body, piece)), None)
        happen(event, board)
        if at is not None:
            now = board.pieces.get(event.id) if not isinstance(event, TrackMoved | FlagSet | Said) else None
            found.setdefault((at, number if isinstance(event, Said) else -1), []).append((event, now))
    pieces.update(board.pieces)
    return [clause for (at, _), own in found.items() for clause in _sentences(game, known[at], own)]


def _sentences(game: Game, template: Template, own: Sequence[tuple[Event, Piece | None]]) -> list[Clause]:
    """One sentence for all to which the same has happened."""
    alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for name, fields in _journeys(game, own):
        used = tuple((key, value) for key, value in fields.items() if f"{{{key}}}" in template.text)
        alike.setdefault(used, []).append(name)
    lost = sum(map(len, alike.values()))
    told = [Clause(_sentence(template.text, dict(used), names), template.weight) for used, names in alike.items()]
    if template.loss and told:
        told[0] = told[0]._replace(losses=((template.loss, lost),))
    return told


def _journeys(game: Game, own: Sequence[tuple[Event, Piece | None]]) -> list[_Found]:
    """What happened to each piece, all its moves as one."""
    found: dict[object, _Found] = {}
    for number, (event, piece) in enumerate(own):
        key = event.id if isinstance(event, PieceMoved) else number
        new = _Found(piece.name if piece else "", _fields(game, event, piece))
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


def _sentence(text: str, fields: Mapping[str, str], names: Sequence[str]) -> str:
    """A template with its words put in; ``{is/are}`` by how many there are."""
    import re

    several = len(names) > 1
    told = re.sub(r"\{([^{}/]*)/([^{}/]*)\}", lambda one: one[2] if several else one[1], text)
    told = re.sub(r"\{(\w+)\}", lambda one: listed(names) if one[1] == "names" else fields.get(one[1], ""), told)
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


def listed(names: Sequence[str]) -> str:
    """Names as they are read aloud, each once.

    >>> listed(["A"]), listed(["A", "B", "A"]), listed(["A", "B", "C"])
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

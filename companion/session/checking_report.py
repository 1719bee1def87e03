"""Examining ``report.toml``: how a game's play falls into chapters, and by which templates its events are told."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any

from companion.core.events import KINDS
from companion.core.vocabulary import FRONT, Names
from companion.session import keys

_NAME = "report.toml"
_WORDS: Mapping[str, frozenset[str]] = {
    "said": frozenset({"text"}),
    "made": frozenset({"names", "to", "why"}),
    "moved": frozenset({"names", "from", "to", "why"}),
    "flipped": frozenset({"names", "face", "at", "why"}),
    "marked": frozenset({"names", "mark", "now", "at", "why"}),
    "track": frozenset({"title", "was", "now", "why"}),
    "flag": frozenset({"title", "now", "why"}),
}
"""Kind of event -> the words that its template may use."""


def report_faults(data: Mapping[str, Any], game: Mapping[str, Any], numbers: set[str]) -> list[str]:
    """Every fault of the file.

    Args:
        data: as it was read.
        game: ``game.toml``, whose names it uses.
        numbers: of all rules.
    """
    faults = [f"{_NAME}: {key}: unknown key" for key in data if key not in ("chapters", "sentence", "plot")]
    tracks = game.get("tracks", {})
    faults += _chapters(data.get("chapters", {}), tracks)
    for at, body in enumerate(_tables(data, "sentence"), 1):
        faults += _shape(f"sentence no. {at}", body, keys.SENTENCE) or list(_sentence(f"sentence no. {at}", body, game, numbers))
    for at, body in enumerate(_tables(data, "plot"), 1):
        where = f"plot no. {at}"
        faults += _shape(where, body, keys.PLOT) or [
            f"{_NAME}: {where}.{key}: there is no {name!r}"
            for key, known in (("tracks", tracks), ("cups", game.get("cups", ())))
            for name in body.get(key, ())
            if name not in known
        ]
    return faults + [
        f"{_NAME}: {key}: must be a list of tables"
        for key in ("sentence", "plot")
        if key in data and len(_tables(data, key)) != (len(data[key]) if isinstance(data[key], list) else -1)
    ]


def _tables(data: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    found = data.get(key, [])
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def _shape(where: str, body: Mapping[str, Any], known: keys.Keys) -> list[str]:
    """Keys that nobody knows, and values that are of another type."""
    faults = [f"{_NAME}: {where}.{key}: unknown key" for key in body if key not in known]
    for key, value in body.items():
        wanted = known[key].kind if key in known else object
        if not isinstance(value, wanted) or (wanted is int and not _counts(value)):
            faults.append(f"{_NAME}: {where}.{key}: {value!r} is not of the kind that stands there")
        elif isinstance(value, list) and not (value and all(isinstance(one, str) for one in value)):
            faults.append(f"{_NAME}: {where}.{key}: must be a list of texts")
    return faults


def _counts(value: Any) -> bool:
    """Whether a value is a whole number from 1."""
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _chapters(body: Any, tracks: Mapping[str, Any]) -> list[str]:
    if not isinstance(body, dict):
        return [f"{_NAME}: chapters: must be a table"]
    faults = _shape("chapters", body, keys.CHAPTERS)
    if body and body.get("track") not in tracks:
        faults.append(f"{_NAME}: chapters.track: there is no track {body.get('track')!r}")
    return faults


def _sentence(where: str, body: Mapping[str, Any], game: Mapping[str, Any], numbers: set[str]) -> Iterator[str]:
    """What a template names that there is not."""
    words = _WORDS.get(body.get("on", ""))
    if words is None or not (body.get("text") or body.get("loss")):
        yield f"{_NAME}: {where}: needs a text, and to be on one of {', '.join(KINDS)}"
        return
    known: dict[str, Container[str]] = {
        "rule": numbers,
        **dict.fromkeys(("from", "to"), Names(game.get("places", ()))),
        "kind": Names(game.get("kinds", ())),
        "mark": Names(game.get("marks", ())),
        "face": Names((FRONT, *game.get("faces", ()))),
        "track": set(game.get("tracks", ())),
        "flag": Names(game.get("flags", ())),
    }
    for key, there in known.items():
        value = body.get(key, ())
        for name in [value] if isinstance(value, str) else value:
            if name not in there and not (name.endswith("*") and key != "rule"):
                yield f"{_NAME}: {where}.{key}: there is no {name!r}"
    for word in _placeholders(body.get("text", "")):
        if "/" not in word and word not in words:
            yield f"{_NAME}: {where}.text: {{{word}}} is none of {', '.join(sorted(words))}"


def _placeholders(text: str) -> list[str]:
    return [part.partition("}")[0] for part in text.split("{")[1:]]

"""Completions that depend on the archive, on a game's tables, or on the session in play."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from companion.cli.shell.closing import close_all
from companion.cli.shell.complete import Offer, Typed
from companion.cli.shell.opening import load_game, look_archive, open_standing
from companion.core.game import Game
from companion.core.request import Request
from companion.session.standing import Standing


def _desk(typed: Typed) -> Standing:
    return open_standing(typed.options.get("--db", ""), typed.options.get("--session", ""))


def _game(typed: Typed) -> Game:
    return load_game(typed.words[0])


def _sessions(typed: Typed) -> Iterable[Offer]:
    return [Offer(item.name, item.game) for item in look_archive(typed.options.get("--db", "")).sessions()]


def _actions(typed: Typed) -> Iterable[Offer]:
    if typed.options.get("--game"):
        return [Offer(item.id, item.title) for item in load_game(typed.options["--game"]).actions if item.alone]
    archive = look_archive(typed.options.get("--db", ""))
    info = archive.session(typed.options.get("--session", ""))
    return [Offer(item.id, item.title) for item in load_game(info.game).actions]


def _choices(request: Request[Any] | None, lead: str = "") -> list[Offer]:
    """The legal answers to a question, each behind ``lead``."""
    found = request.legal() if request else []
    return [Offer(lead + choice.value, choice.label if choice.label != choice.value else choice.more) for choice in found]


def _asked(typed: Typed) -> Request[Any] | None:
    """The question that is open; where the log says at once that there is none, nothing more is read."""
    archive = look_archive(typed.options.get("--db", ""))
    info = archive.session(typed.options.get("--session", ""))
    return None if archive.at_rest(info.id) else Standing.open(archive, info).pending


def _pending(typed: Typed) -> Iterable[Offer]:
    pending = _asked(typed)
    key, equals, _ = typed.current.partition("=")
    if pending is None:
        return []
    if equals:
        return _choices(pending, f"{key}=") if key == pending.key else []
    return [*_choices(pending), Offer(f"{pending.key}=", pending.prompt)]


def _answers(typed: Typed) -> Iterable[Offer]:
    """The keys that the same action has asked for before in this session; behind a key, what was answered or can be named."""
    if typed.command == "odds":
        return []
    desk = _desk(typed)
    key, equals, _ = typed.current.partition("=")
    asked: dict[str, list[str]] = {}
    for entry in desk.history.entries.values():
        for reply in entry.replies:
            if reply.by_hand and not reply.adjusted and (not typed.words or entry.action.startswith(typed.words[0])):
                asked.setdefault(reply.key, []).append(str(reply.value) if isinstance(reply.value, str | int) else "")
    if not equals:
        return [Offer(f"{name}=") for name in asked]
    names = [*asked.get(key, []), *desk.game.places, *(piece.name for piece in desk.position.pieces.values())]
    return [Offer(f"{key}={name}") for name in dict.fromkeys(filter(None, names))]


def _table(typed: Typed) -> Iterable[Offer]:
    """Tracks, places and pieces; for ``show`` also the parts of the table."""
    from companion.views.board import PARTS

    desk = _desk(typed)
    position, game = desk.position, desk.game
    parts = [Offer(part) for part in PARTS] if typed.command == "show" else []
    tracks = [Offer(name, track.title) for name, track in game.tracks.items()]
    places = [Offer(name, game.place_title(name)) for name in position.places()] if typed.command == "show" else []
    pieces = dict.fromkeys(piece.name for piece in position.pieces.values())
    return [*parts, *tracks, *places, *(Offer(name) for name in pieces)]


def _differences(typed: Typed) -> Iterable[Offer]:
    return [Offer(f"{offer.word}=", offer.help) for offer in _table(typed)]


def _value(typed: Typed) -> Iterable[Offer]:
    """Where a piece may be put."""
    desk = _desk(typed)
    return [Offer(name, desk.game.place_title(name)) for name in {**desk.game.places, **desk.position.places()}]


def _entries(typed: Typed) -> Iterable[Offer]:
    return [Offer(str(entry.number), entry.action) for entry in reversed(_desk(typed).history.in_force)]


def _replies(typed: Typed) -> Iterable[Offer]:
    entries = reversed(_desk(typed).history.in_force)
    return [
        Offer(f"{entry.number}.{place}", reply.key)
        for entry in entries
        for place, reply in enumerate(entry.replies, 1)
        if reply.by_hand
    ]


def _charts(typed: Typed) -> Iterable[Offer]:
    return [Offer(item.id, item.title) for item in _game(typed).tables.charts.values()]


def _rows(typed: Typed) -> Iterable[Offer]:
    """The rows of the chart that was named."""
    return [Offer(row) for row in _game(typed).tables.charts[typed.words[1]].rows]


def _rules(typed: Typed) -> Iterable[Offer]:
    return [Offer(rule.number, rule.title) for rule in _game(typed).tables.rules.values()]


def _situations(typed: Typed) -> Iterable[Offer]:
    return [Offer(item.id, item.title) for item in _game(typed).situations]


def _facts(typed: Typed) -> Iterable[Offer]:
    game = _game(typed)
    return [Offer(key, fact.title) for fact in game.facts for key in (fact.all_keys() or (f"{fact.id}:",))]


def _scenarios(typed: Typed) -> Iterable[Offer]:
    return [Offer(item.id, item.title) for item in _game(typed).scenarios.values()]


def _options(typed: Typed) -> Iterable[Offer]:
    game = _game(typed)
    name, equals, _ = typed.current.partition("=")
    if equals and name in game.options:
        return [Offer(f"{name}={choice}") for choice in game.options[name].choices]
    return [Offer(f"{item.id}=", item.title) for item in game.options.values()]


def _draws(typed: Typed) -> Iterable[Offer]:
    pending = _asked(typed)
    return _choices(pending) if pending and pending.by_chance == "draws" else []


OFFERS: dict[str, Callable[[Typed], Iterable[Offer]]] = {
    "session": _sessions,
    "action": _actions,
    "answer": _answers,
    "choice": _pending,
    "table": _table,
    "table=": _differences,
    "value": _value,
    "entry": _entries,
    "--to": _entries,
    "reply": _replies,
    "chart": _charts,
    "--on": _rows,
    "rule": _rules,
    "situation": _situations,
    "fact": _facts,
    "--scenario": _scenarios,
    "--option": _options,
    "--draw": _draws,
}
"""Kind of word -> what it can be."""


def offers(kind: str, typed: Typed) -> list[Offer]:
    """The candidates of a kind; what was opened for them is closed again."""
    try:
        return list(OFFERS[kind](typed)) if kind in OFFERS else []
    finally:
        close_all()

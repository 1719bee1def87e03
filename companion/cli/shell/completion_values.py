"""Completions that depend on the archive, on a game's tables, or on the session in play."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from companion.cli.shell.archives import facts_archive, load_game, look_archive, open_standing
from companion.cli.shell.catalog import VALUES
from companion.cli.shell.completion import FILES, Offer, Typed
from companion.cli.shell.process import close_all
from companion.core.game import Game
from companion.core.history import Entry, Reply
from companion.core.position import Position
from companion.core.text import matching_names, pick_name
from companion.session.state import SessionState

if TYPE_CHECKING:
    from companion.core.request import AnyRequest, Choice


def _desk(typed: Typed) -> SessionState:
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


def _choices(request: AnyRequest | None, lead: str = "", value: str = "") -> list[Offer]:
    """The legal answers to a question, each behind ``lead``; of a list also the next one behind those in ``value``, as long as
    one more may be named.
    """
    found = request.legal_choices() if request else []
    if request and request.accepts_list and "," in value:
        named, _, last = value.rpartition(",")
        taken = [one.strip().casefold() for one in named.split(",")]
        lead += f"{named},{last[: len(last) - len(last.lstrip())]}"
        full = len(taken) >= getattr(request, "high", len(value))
        found = [one for one in found if not full and not {one.value.casefold(), one.label.casefold()} & {*taken}]
    return [Offer(lead + _word(choice), choice.label if choice.label != _word(choice) else choice.hint_text) for choice in found]


def _word(choice: Choice) -> str:
    """What is typed for a choice: a piece goes by its name, not by the id that only programs know."""
    return choice.label if "#" in choice.value else choice.value


def _asked(typed: Typed) -> AnyRequest | None:
    """The question that is open; where the log says at once that there is none, nothing more is read."""
    archive = look_archive(typed.options.get("--db", ""))
    info = archive.session(typed.options.get("--session", ""))
    return None if archive.is_at_rest(info.id) else SessionState.open(archive, info).pending


def _of_question(request: AnyRequest, current: str) -> list[Offer]:
    """The answers to a question, plain or behind its key; and its key."""
    key, equals, value = current.partition("=")
    if equals:
        return _choices(request, f"{key}=", value) if key == request.key else []
    return [*_choices(request, "", current), Offer(f"{request.key}=", request.prompt)]


def _pending(typed: Typed) -> Iterable[Offer]:
    """The answers to the open question; behind ``amend`` and a reply, those to the question that it answered."""
    if typed.command == "amend":
        from companion.session.amend import question_at

        entry, _, reply = typed.words[0].partition(".")
        return _choices(question_at(_desk(typed), int(entry), int(reply)), "", typed.current)
    pending = _asked(typed)
    return _of_question(pending, typed.current) if pending else []


def _answers(typed: Typed) -> Iterable[Offer]:
    """The answers to what the action or the situation asks next; and the keys that the action has asked for before."""
    key, equals, _ = typed.current.partition("=")
    request = (_of_situation if typed.command == "odds" else _of_action)(typed, key if equals else "")
    offers = _of_question(request, typed.current) if request else []
    if typed.command == "odds":
        return offers
    desk = _desk(typed)
    if equals and request and request.key == key:
        from companion.cli.shell.typeahead import accepted

        free = request.kind == "text" and not offers
        return [Offer(f"{key}={name}") for name in accepted(request, _places(desk))] if free else offers
    if equals:
        return [Offer(f"{key}={value}") for value in _before(desk, typed, key)]
    asked = dict.fromkeys(reply.key for entry in desk.history.entries.values() for reply in _by_hand(entry, typed))
    taken = {word.partition("=")[0] for word in typed.words if "=" in word} | {request.key if request else ""}
    return [*offers, *(Offer(f"{name}=") for name in asked if name not in taken)]


def _of_action(typed: Typed, key: str) -> AnyRequest | None:
    """What the action asks next. ``key``: of the question that is wanted, or "" for the next."""
    from companion.cli.shell.typeahead import next_question

    desk = _desk(typed)
    found = matching_names(typed.words[0], [action.id for action in desk.game.actions]) if typed.words else []
    if len(found) != 1 or typed.command == "bot":
        return None
    action = next(action for action in desk.game.actions if action.id == found[0])
    return next_question(desk.game, desk.log.facts(), desk.position, desk.options, action.run, typed.words[1:], key)


def _of_situation(typed: Typed, key: str) -> AnyRequest | None:
    """The same of a situation, at the table of the session in use where that is of the game."""
    from companion.cli.shell.typeahead import next_question

    game = _game(typed)
    known = {item.id: item for item in game.situations}
    situation = known[pick_name(typed.words[1], list(known), "situation")]
    archive = facts_archive(typed.options.get("--db", ""))
    last = archive.last()
    desk = SessionState.open(archive, last) if last and last.game == game.id else None
    options = desk.options if desk else {**{name: item.default for name, item in game.options.items()}, "scenario": ""}
    position = desk.position if desk else Position()
    return next_question(game, archive.printed(game.id), position, options, situation.run, typed.words[2:], key)


def _by_hand(entry: Entry, typed: Typed) -> list[Reply]:
    fits = not typed.words or entry.action.startswith(typed.words[0])
    return [reply for reply in entry.replies if fits and reply.is_from_player and not reply.is_adjustment]


def _before(desk: SessionState, typed: Typed, key: str) -> Iterable[str]:
    """What was answered under a key before, where a question or a roll without an answer stands before its question."""
    replies = [reply for entry in desk.history.in_force for reply in _by_hand(entry, typed) if reply.key == key]
    named = {True: "yes", False: "no"}
    return dict.fromkeys(
        named[reply.value] if isinstance(reply.value, bool) else str(reply.value)
        for reply in reversed(replies)
        if isinstance(reply.value, str | int) and "#" not in str(reply.value)
    )


def _places(desk: SessionState) -> Iterable[str]:
    """Where something can be, where a question takes a text: the spaces that are known, or else the places that there are."""
    game = desk.game
    known = game.map.form_spaces(desk.log.facts()) if game.map else ()
    return dict.fromkeys(known or [*game.places, *desk.position.places()])


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
        if reply.is_from_player
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
    """The keys of printed facts; to withdraw one, those that were told; for what reads or writes a file, the files."""
    game, word = _game(typed), typed.words[1]
    if word in ("export", "import"):
        return [Offer(FILES)]
    if word == "forget":
        return [Offer(key, value) for key, value in facts_archive(typed.options.get("--db", "")).printed(game.id).items()]
    return [Offer(key, fact.title) for fact in game.facts for key in (fact.all_keys() or (f"{fact.id}:",)) if word == "set"]


def _where(typed: Typed) -> Iterable[Offer]:
    """What can be done with the map, and its spaces."""
    return [*(Offer(verb) for verb in VALUES["map"]), *_spaces(typed)]


def _spaces(typed: Typed) -> Iterable[Offer]:
    game = _game(typed)
    if game.map is None:
        return []
    return [Offer(name) for name in game.map.form_spaces(facts_archive(typed.options.get("--db", "")).printed(game.id))]


def _telling(typed: Typed) -> Iterable[Offer]:
    """Spaces to be told of; for what reads or writes a file, the files."""
    verb = typed.words[1]
    return _spaces(typed) if verb == "tell" else [Offer(FILES)] if verb in ("import", "export") else []


def _scenarios(typed: Typed) -> Iterable[Offer]:
    return [Offer(item.id, item.title) for item in _game(typed).scenarios.values()]


def _options(typed: Typed) -> Iterable[Offer]:
    game = _game(typed)
    name, equals, _ = typed.current.partition("=")
    if equals and name in game.options:
        return [Offer(f"{name}={choice}") for choice in game.options[name].choices]
    return [Offer(f"{item.id}=", item.title) for item in game.options.values()]


def _policies(typed: Typed) -> Iterable[Offer]:
    """The seats of a game; behind one of them, and at first too, its policies."""
    players = _game(typed).players
    seat, equals, _ = typed.current.partition("=")
    if equals and seat in players.seats:
        return [Offer(f"{seat}={name}") for name in players.policies(seat)]
    every = dict.fromkeys(name for one in players.seats for name in players.policies(one))
    return [*(Offer(f"{one}=") for one in players.seats), *(Offer(name, "every seat") for name in every)]


def _draws(typed: Typed) -> Iterable[Offer]:
    pending = _asked(typed)
    return _choices(pending) if pending and pending.chance_setting == "draws" else []


def _settings(typed: Typed) -> Iterable[Offer]:
    from companion.session.config import SETTINGS

    return [Offer(key, one.title) for key, one in SETTINGS.items()]


def _wanted(typed: Typed) -> Iterable[Offer]:
    """The values of the setting that was named."""
    from companion.session.config import SETTINGS

    return [Offer(word) for word in SETTINGS[pick_name(typed.words[0], tuple(SETTINGS), "setting")].values]


def _documents(typed: Typed) -> Iterable[Offer]:
    """The shapes that the schema has."""
    from companion.cli.shell.schema import page, read

    return [Offer(name, str(schema["description"])) for name, schema in read(page()).schemas.items()]


def _topics(typed: Typed) -> Iterable[Offer]:
    """The pages of help."""
    from companion.session.files import help_topics

    return [] if typed.words else [Offer(name, title) for name, title in help_topics().items()]


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
    "where": _where,
    "telling": _telling,
    "setting": _settings,
    "wanted": _wanted,
    "document": _documents,
    "topic": _topics,
    "--scenario": _scenarios,
    "--option": _options,
    "--policy": _policies,
    "--draw": _draws,
}
"""Kind of word -> what it can be."""


def offers(kind: str, typed: Typed) -> list[Offer]:
    """The candidates of a kind; what was opened for them is closed again."""
    try:
        return list(OFFERS[kind](typed)) if kind in OFFERS else []
    finally:
        close_all()

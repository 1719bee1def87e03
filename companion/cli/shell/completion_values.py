"""Completions that depend on the archive, on a game's tables, or on the session in use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress

from companion.cli.shell.archives import existing_archive, existing_or_empty_archive, load_game, view_session
from companion.cli.shell.catalog import MAP_VERBS
from companion.cli.shell.completion import SHELL_FILES, Completion, PartialLine
from companion.cli.shell.process import close_all
from companion.core.errors import CompanionError
from companion.core.game import Game, Scenario, Situation
from companion.core.hints import TYPE_CHECKING, Any
from companion.core.history import Entry, Reply
from companion.core.position import Position
from companion.core.procedures import AnyEffect, AnyProcedure, Progress
from companion.core.text import matching_names, pick_name
from companion.session.state import SessionState

if TYPE_CHECKING:
    from companion.core.charts import Chart
    from companion.core.request import AnyRequest, Choice
    from companion.core.resolver import Answers, ReplyResolver
    from companion.session.store import Archive

Completer = Callable[[PartialLine], Iterable[Completion]]

COMPLETERS: dict[str, Completer] = {}
"""Completions by kind of word, as the table of commands names the kinds."""


def lookup(kind: str, line: PartialLine) -> list[Completion]:
    """Return the completions of a kind, and close what was opened for them."""
    try:
        return list(COMPLETERS[kind](line)) if kind in COMPLETERS else []
    finally:
        close_all()


def _completes(kind: str) -> Callable[[Completer], Completer]:
    """Register the completer of a kind of word."""

    def register(completer: Completer) -> Completer:
        COMPLETERS[kind] = completer
        return completer

    return register


def _db(line: PartialLine) -> str:
    return line.options.get("--db", "")


def _session(line: PartialLine) -> SessionState:
    return view_session(_db(line), line.options.get("--session", ""))


def _game(line: PartialLine) -> Game:
    return load_game(line.words[0])


def _archive(line: PartialLine) -> Archive:
    return existing_archive(_db(line))


@_completes("session")
def _sessions(line: PartialLine) -> Iterable[Completion]:
    return [Completion(item.name, item.game) for item in _archive(line).sessions()]


@_completes("seat")
def _seats(line: PartialLine) -> Iterable[Completion]:
    return [Completion(seat, title) for seat, title in _session(line).game.seats.items()]


@_completes("entry")
def _entries(line: PartialLine) -> Iterable[Completion]:
    return [Completion(str(entry.number), entry.action) for entry in reversed(_session(line).history.in_force)]


@_completes("reply")
def _replies(line: PartialLine) -> Iterable[Completion]:
    return [
        Completion(f"{entry.number}.{number}", reply.key)
        for entry in reversed(_session(line).history.in_force)
        for number, reply in enumerate(entry.replies, 1)
        if reply.is_from_player
    ]


@_completes("action")
def _actions(line: PartialLine) -> Iterable[Completion]:
    if line.options.get("--game"):
        return [Completion(item.id, item.title) for item in load_game(line.options["--game"]).actions if item.alone]
    info = _archive(line).session(line.options.get("--session", ""))
    return [Completion(item.id, item.title) for item in load_game(info.game).actions]


@_completes("choice")
def _open_answers(line: PartialLine) -> Iterable[Completion]:
    """Answers to the open question; for `amend`, to the question that the named reply answered."""
    if line.command == "amend":
        from companion.session.corrections import question_at

        entry, _, reply = line.words[0].partition(".")
        return _legal_answers(question_at(_session(line), int(entry), int(reply)), "", line.current)
    request = _open_question(line)
    return _answers_or_key(request, line.current) if request else []


@_completes("--draw")
def _draws(line: PartialLine) -> Iterable[Completion]:
    request = _open_question(line)
    return _legal_answers(request) if request and request.chance_setting == "draws" else []


@_completes("answer")
def _next_answers(line: PartialLine) -> Iterable[Completion]:
    """Answers to the next question of the action or situation, and keys that the action has asked for before."""
    key, equals, _ = line.current.partition("=")
    request = (_next_of_situation if line.command == "odds" else _next_of_action)(line, key if equals else "")
    answers = _answers_or_key(request, line.current) if request else []
    if line.command == "odds":
        return answers
    session = _session(line)
    if equals and request and request.key == key:
        is_free_text = request.kind == "text" and not answers
        return [Completion(f"{key}={name}") for name in readable_names(request, _places(session))] if is_free_text else answers
    if equals:
        return [Completion(f"{key}={value}") for value in _former_answers(session, line, key)]
    keys = dict.fromkeys(reply.key for entry in session.history.entries.values() for reply in _typed_replies(entry, line))
    used = {word.partition("=")[0] for word in line.words if "=" in word} | {request.key if request else ""}
    return [*answers, *(Completion(f"{name}=") for name in keys if name not in used)]


def _open_question(line: PartialLine) -> AnyRequest | None:
    """The open question. The position is not rebuilt if the last row of the log shows that there is none."""
    archive = _archive(line)
    info = archive.session(line.options.get("--session", ""))
    return None if archive.is_at_rest(info.id) else SessionState.open(archive, info).pending


def _answers_or_key(request: AnyRequest, current: str) -> list[Completion]:
    """The answers to a question, plain or after its key; and the key."""
    key, equals, value = current.partition("=")
    if equals:
        return _legal_answers(request, f"{key}=", value) if key == request.key else []
    return [*_legal_answers(request, "", current), Completion(f"{request.key}=", request.prompt)]


def _legal_answers(request: AnyRequest | None, lead: str = "", value: str = "") -> list[Completion]:
    """The legal answers to a question, each after `lead`.

    If the answer is a list, and `value` names some items already, the next item is offered unless the list is full.
    """
    choices = request.legal_choices() if request else []
    if request and request.accepts_list and "," in value:
        named, _, last = value.rpartition(",")
        items = [item.strip().casefold() for item in named.split(",")]
        lead += f"{named},{last[: len(last) - len(last.lstrip())]}"
        is_full = len(items) >= getattr(request, "high", len(value))
        choices = [] if is_full else [item for item in choices if not {item.value.casefold(), item.label.casefold()} & {*items}]
    return [Completion(lead + _word(item), item.label if item.label != _word(item) else item.hint_text) for item in choices]


def _word(choice: Choice) -> str:
    """The text to type for a choice: a piece's name instead of its id."""
    return choice.label if "#" in choice.value else choice.value


def _next_of_action(line: PartialLine, key: str) -> AnyRequest | None:
    """The next question of the action, or the one with this key."""
    session = _session(line)
    names = matching_names(line.words[0], [action.id for action in session.game.actions]) if line.words else []
    if len(names) != 1 or line.command == "bot":
        return None
    action = next(action for action in session.game.actions if action.id == names[0])
    answers = _answers(line.words[1:])
    return next_question(session.game, session.log.facts(), session.position, session.options, action.run, answers, key)


def _next_of_situation(line: PartialLine, key: str) -> AnyRequest | None:
    """The same for a situation, in the position of the session in use if that is of the game."""
    game = _game(line)
    situations = {item.id: item for item in game.situations}
    situation = situations[pick_name(line.words[1], list(situations), "situation")]
    archive = existing_or_empty_archive(_db(line))
    last = archive.last()
    session = SessionState.open(archive, last) if last and last.game == game.id else None
    options = session.options if session else {**{name: item.default for name, item in game.options.items()}, "scenario": ""}
    position = session.position if session else Position()
    return next_question(game, archive.printed(game.id), position, options, situation.run, _answers(line.words[2:]), key)


def _typed_replies(entry: Entry, line: PartialLine) -> list[Reply]:
    """The replies of an entry that the player typed, if it is of the action on the line."""
    is_named = not line.words or entry.action.startswith(line.words[0])
    return [reply for reply in entry.replies if is_named and reply.is_from_player and not reply.is_adjustment]


def _former_answers(session: SessionState, line: PartialLine, key: str) -> Iterable[str]:
    """What was answered to a key before, for questions that only come after another one."""
    replies = [reply for entry in session.history.in_force for reply in _typed_replies(entry, line) if reply.key == key]
    words = {True: "yes", False: "no"}
    return dict.fromkeys(
        words[reply.value] if isinstance(reply.value, bool) else str(reply.value)
        for reply in reversed(replies)
        if isinstance(reply.value, str | int) and "#" not in str(reply.value)
    )


def _places(session: SessionState) -> Iterable[str]:
    """The spaces of the map, or else the places of the game: answers to a question that takes a text."""
    game = session.game
    spaces = game.map.form_spaces(session.log.facts()) if game.map else ()
    return dict.fromkeys(spaces or [*game.places, *session.position.places()])


@_completes("table")
def _table(line: PartialLine) -> Iterable[Completion]:
    """Tracks and pieces; for `show` also places and the parts of the table."""
    from companion.views.board import PARTS

    session = _session(line)
    position, game = session.position, session.game
    parts = [Completion(part) for part in PARTS] if line.command == "show" else []
    tracks = [Completion(name, track.title) for name, track in game.tracks.items()]
    places = [Completion(name, game.place_title(name)) for name in position.places()] if line.command == "show" else []
    pieces = dict.fromkeys(piece.name for piece in position.pieces.values())
    return [*parts, *tracks, *places, *(Completion(name) for name in pieces)]


@_completes("table=")
def _differences(line: PartialLine) -> Iterable[Completion]:
    return [Completion(f"{item.word}=", item.help) for item in _table(line)]


@_completes("value")
def _piece_places(line: PartialLine) -> Iterable[Completion]:
    session = _session(line)
    places = {**session.game.places, **session.position.places()}
    return [Completion(name, session.game.place_title(name)) for name in places]


def _titles(items: Iterable[Chart | Scenario | Situation]) -> Iterable[Completion]:
    return [Completion(item.id, item.title) for item in items]


COMPLETERS["chart"] = lambda line: _titles(_game(line).tables.charts.values())
COMPLETERS["situation"] = lambda line: _titles(_game(line).situations)
COMPLETERS["--scenario"] = lambda line: _titles(_game(line).scenarios.values())


@_completes("--on")
def _rows(line: PartialLine) -> Iterable[Completion]:
    return [Completion(row) for row in _game(line).tables.charts[line.words[1]].rows]


@_completes("rule")
def _rules(line: PartialLine) -> Iterable[Completion]:
    return [Completion(rule.number, rule.title) for rule in _game(line).tables.rules.values()]


@_completes("--option")
def _options(line: PartialLine) -> Iterable[Completion]:
    game = _game(line)
    name, equals, _ = line.current.partition("=")
    if equals and name in game.options:
        return [Completion(f"{name}={choice}") for choice in game.options[name].choices]
    return [Completion(f"{item.id}=", item.title) for item in game.options.values()]


@_completes("--seat")
def _new_seats(line: PartialLine) -> Iterable[Completion]:
    return [Completion(seat, title) for seat, title in _game(line).seats.items()]


@_completes("--policy")
def _policies(line: PartialLine) -> Iterable[Completion]:
    """The seats of a game and all policies; after a seat, its policies."""
    players = _game(line).players
    seat, equals, _ = line.current.partition("=")
    if equals and seat in players.seats:
        return [Completion(f"{seat}={name}") for name in players.policies(seat)]
    every = dict.fromkeys(name for seat in players.seats for name in players.policies(seat))
    return [*(Completion(f"{seat}=") for seat in players.seats), *(Completion(name, "every seat") for name in every)]


@_completes("fact")
def _facts(line: PartialLine) -> Iterable[Completion]:
    """Keys of printed facts; those already told for `forget`; files for `import` and `export`."""
    game, verb = _game(line), line.words[1]
    if verb in ("export", "import"):
        return [Completion(SHELL_FILES)]
    if verb == "forget":
        return [Completion(key, value) for key, value in existing_or_empty_archive(_db(line)).printed(game.id).items()]
    return [Completion(key, fact.title) for fact in game.facts for key in (fact.all_keys() or (f"{fact.id}:",)) if verb == "set"]


@_completes("space")
def _map_words(line: PartialLine) -> Iterable[Completion]:
    return [*(Completion(verb) for verb in MAP_VERBS), *_spaces(line)]


@_completes("map argument")
def _map_arguments(line: PartialLine) -> Iterable[Completion]:
    verb = line.words[1]
    return _spaces(line) if verb == "tell" else [Completion(SHELL_FILES)] if verb in ("import", "export") else []


def _spaces(line: PartialLine) -> Iterable[Completion]:
    game = _game(line)
    if game.map is None:
        return []
    return [Completion(name) for name in game.map.form_spaces(existing_or_empty_archive(_db(line)).printed(game.id))]


@_completes("setting")
def _settings(line: PartialLine) -> Iterable[Completion]:
    from companion.session.files import SETTINGS

    return [Completion(key, setting.title) for key, setting in SETTINGS.items()]


@_completes("setting value")
def _setting_values(line: PartialLine) -> Iterable[Completion]:
    from companion.session.files import SETTINGS

    return [Completion(word) for word in SETTINGS[pick_name(line.words[0], tuple(SETTINGS), "setting")].values]


@_completes("document")
def _documents(line: PartialLine) -> Iterable[Completion]:
    from companion.cli.shell.schema import protocol_page, read_shapes

    return [Completion(name, str(schema["description"])) for name, schema in read_shapes(protocol_page()).schemas.items()]


@_completes("topic")
def _topics(line: PartialLine) -> Iterable[Completion]:
    from companion.session.files import help_topics

    return [] if line.words else [Completion(name, title) for name, title in help_topics().items()]


# -- the next question ----------------------------------------------------------------------------------------------------


class _Unforeseeable(Exception):
    """Dice, a draw or a long computation comes first, so that the next question must not be looked up."""


class _TypeAhead:
    """Gives the typed answers, and stops at the first question without one.

    Args:
        resolver: Resolves what need not be asked.
        answers: The typed answers.
        key: The question that is wanted; questions with a suggestion are passed over on the way to it.
    """

    def __init__(self, resolver: ReplyResolver, answers: Answers, key: str) -> None:
        self._resolver = resolver
        self._answers = answers
        self._key = key

    def reply(self, request: AnyRequest) -> Any:
        from companion.core.resolver import MissingAnswer

        if request.chance_setting:
            raise _Unforeseeable(request.prompt)
        given = self._resolver.resolve(request, self._answers, 0, False)
        if given is not None:
            return given.value
        if not self._key or request.key == self._key or request.suggest is None:
            raise MissingAnswer(request)
        return request.suggest

    def run_effect(self, effect: AnyEffect) -> Any:
        if isinstance(effect, Progress):
            raise _Unforeseeable(effect.key)
        return self._resolver.run_effect(effect).value


def readable_names(request: AnyRequest, names: Iterable[str]) -> list[str]:
    """The names that the notation of a question accepts."""

    def is_readable(name: str) -> bool:
        with suppress(CompanionError):
            request.read(name)
            return True
        return False

    return list(filter(is_readable, dict.fromkeys(names)))


def next_question(
    game: Game,
    facts: Mapping[str, str],
    position: Position,
    options: Mapping[str, str],
    run: Callable[[Any], AnyProcedure],
    answers: Answers,
    key: str = "",
) -> AnyRequest | None:
    """Return the question that a procedure reaches with the answers typed so far; None if it cannot be determined.

    Args:
        game: The game of the procedure.
        facts: The printed facts that the owner has told.
        position: Where the procedure starts.
        options: The options of the session.
        run: The procedure.
        answers: The answers typed so far.
        key: The key of the wanted question; "" for the first one without an answer.
    """
    from companion.core.resolver import MissingAnswer, ReplyResolver, drive

    referee = game.new_referee(position, options)
    with suppress(CompanionError, _Unforeseeable):
        try:
            drive(referee, run(referee), _TypeAhead(ReplyResolver(game, lambda: facts, {}, ""), answers, key))
        except MissingAnswer as missing:
            return missing.request
    return None


def _answers(words: Sequence[str]) -> Answers:
    """The answers of words, by key or in order."""
    from companion.core.resolver import Answers

    parts = [word.partition("=") for word in words]
    keyed = [(key, value) for key, equals, value in parts if equals]
    return Answers(keyed, plain=[key for key, equals, _ in parts if not equals])

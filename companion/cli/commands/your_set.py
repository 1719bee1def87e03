"""Commands on what only your own components show: map and printed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from companion.cli.shell import catalog
from companion.cli.shell.archives import existing_or_empty_archive, load_game, named_or_used_game, open_archive
from companion.cli.shell.arguments import plain_words
from companion.cli.shell.files import STANDARD, edit_map, read_text, write_new
from companion.cli.shell.output import PENDING, error_lines, height, on_terminal, put, show, width, write
from companion.cli.shell.shared import understood_lines, update_lines
from companion.core.errors import BadData, Illegal, Unreadable
from companion.core.game import Fact, Game
from companion.core.position import Position
from companion.core.text import clean, pick_name, plural
from companion.core.values import JsonDict
from companion.session import facts
from companion.session.state import SessionState
from companion.session.store import Archive
from companion.views.lines import Line, table_lines


@catalog.MAP
def map(game: str, words: Sequence[str], form: str, anyway: bool, session: str, db: str, json: bool) -> int:
    """Show the map as far as it is known, with the pieces on it; or enter it. Without a game, that of the session in use.

    Example: companion map fallujah2004 tell "2-11 open"
    """
    loaded, words = named_or_used_game(game, words, db, session, partial(_check_map_words, db))
    verb, *rest = plain_words(words) or [""]
    if verb not in catalog.MAP_VERBS:
        _refuse(anyway, "--anyway", "showing the map", "tell, edit and import")
        return _show_map(loaded, " ".join([verb, *rest]).strip(), form or "text", session, db, json)
    _refuse(bool(form), "--format", f"map ... {verb}", "showing the map: companion map GAME [PLACE]")
    if verb == "export":
        _refuse(anyway, "--anyway", "map ... export", "tell, edit and import")
        _refuse(bool(session), "--session", "map ... export", "showing the map, tell, edit and import")
        return _export_map(loaded, existing_or_empty_archive(db), rest, json)
    archive = open_archive(db)
    known = archive.printed(loaded.id)
    entering = _MapInput(loaded, archive, known, anyway, session and archive.session(session).name, json)
    if verb == "tell":
        return _store_map(entering, _parse_lines(loaded, rest, known), "what you told")
    if verb == "import":
        return _import_map(entering, rest)
    if rest and on_terminal():
        raise Unreadable("map ... edit takes no more words", cure=f"Like this: companion map {loaded.id} edit")
    return _edit_map(entering)


def _check_map_words(db: str, game: Game, words: Sequence[str]) -> None:
    """Raise Unreadable if the words neither begin with a verb nor name a place of the map."""
    from companion.views.map_text import find_space, known_map

    text = " ".join(plain_words(words))
    if text and words[0] not in catalog.MAP_VERBS:
        known = existing_or_empty_archive(db).printed(game.id)
        find_space(known_map(game, Position(), {}, known, ()), text, game, known)


def _refuse(given: bool, option: str, what: str, where: str) -> None:
    """Raise Unreadable if an option is given that has no meaning there."""
    if given:
        raise Unreadable(f"{option} has no meaning for {what}", cure=f"It belongs to {where}")


class _MapInput(NamedTuple):
    """Where told facts of the map go, and how the result is shown.

    Attributes:
        known: The facts told before.
        anyway: Record facts that contradict each other.
        session: The session that is updated; "" for the one in use.
    """

    game: Game
    archive: Archive
    known: Mapping[str, str]
    anyway: bool
    session: str
    json: bool


def _parse_lines(game: Game, words: Sequence[str], known: Mapping[str, str]) -> dict[str, str]:
    """The facts of lines, which may be quoted or not."""
    geography = facts.geography_of(game)
    if not words:
        raise Unreadable(
            "tell which line?", cure=f'Like this: companion map {game.id} tell "{facts.example_line(geography, known)}"'
        )
    text = ("\n" if all(" " in word for word in words) else " ").join(words)
    return facts.from_typed(game, text, known)


def _import_map(entering: _MapInput, words: Sequence[str]) -> int:
    """Store the facts of a file: a spreadsheet (.csv), TOML (.toml), or lines."""
    game, known = entering.game, entering.known
    if len(words) != 1:
        raise Unreadable("map ... import takes one file", cure=f"Like this: companion map {game.id} import FILE")
    path, name = words[0], clean(words[0])
    facts.geography_of(game)
    text = read_text(path)
    if path.casefold().endswith(".toml"):
        return _store_map(entering, facts.read_file(game, text, name, known), name)
    read = facts.from_sheet if path.casefold().endswith((".csv", ".tsv")) else facts.from_lines
    return _store_map(entering, read(game, text, known, name), name)


@contextmanager
def _anyway_hint() -> Iterator[None]:
    """Add to a refusal of facts that contradict each other how to record them all the same."""
    try:
        yield
    except (Illegal, facts.Contradiction) as error:
        error.cure += "; or, if your components say so: --anyway"
        raise


def _store_map(entering: _MapInput, told: Mapping[str, str], name: str) -> int:
    """Store facts, and show how the new ones were understood and how the session changes."""
    game, archive = entering.game, entering.archive
    with _anyway_hint():
        new = facts.take_over(archive, game, told, name, entering.anyway)
    lines = understood_lines(game, new)
    after = update_lines(archive, game, told, new, entering.session)
    nothing = "Nothing new: all of it was known" if told or not name else f"{name} says nothing about the map"
    head = Line(f"Remembered: {plural(len(new), 'fact')} of the map" if new else nothing)
    data = {"game": game.id, "facts": dict(new), "notes": [line.text for line in after]}
    show(entering.json, lambda: data, lambda: [head, *lines, *after])
    return 0


def _edit_map(entering: _MapInput) -> int:
    """Edit the map in the player's editor; mistakes are shown there again, to be corrected.

    Raises BadData: the player left the mistakes as they are.
    """
    game, known, geography = entering.game, entering.known, facts.geography_of(entering.game)
    form = shown = facts.as_form(game, known)
    mistake: BadData | None = None
    while True:
        text = edit_map(shown, game.id)
        if text == shown and mistake:
            raise mistake
        if text == form:
            return _store_map(entering, {}, "")
        try:
            others = {key: known[key] for key in known if not geography.spaces_of(key)}
            told = facts.from_lines(game, text, others, "the form")
            removed = {key: "" for key in known if geography.spaces_of(key) and key not in told}
            changed = {key: value for key, value in told.items() if known.get(key) != value}
            return _store_map(entering, {**changed, **removed}, "the form" if changed or removed else "")
        except BadData as error:
            mistake, shown = error, form_with_mistakes(text, error)


def form_with_mistakes(text: str, error: BadData) -> str:
    """The form with its mistakes at the top instead of those shown before."""
    import re

    rows = text.splitlines()
    lines = [line for line in rows if not line.startswith("#!")]
    heads = [f"{error.message}: correct it, or leave it as it is", *error.faults]
    shift = len(heads) - (len(rows) - len(lines))  # line numbers refer to the form as it will be shown
    heads = [re.sub(r"\bline (\d+)", lambda match: f"line {int(match[1]) + shift}", head) for head in heads]
    return "\n".join([*(f"#! {clean(head)}" for head in heads), *lines]) + "\n"


def _export_map(game: Game, archive: Archive, words: Sequence[str], json: bool) -> int:
    """Print what is known of the map as lines, or write it to a new file in the form of its ending: csv, toml or lines."""
    known = archive.printed(game.id)
    path = words[0] if words else STANDARD
    if len(words) > 1:
        raise Unreadable("map ... export takes one file", cure=f"Like this: companion map {game.id} export map.csv")
    ending = os.path.splitext(path)[1].casefold()
    text = {".csv": facts.as_sheet, ".toml": facts.as_table}.get(ending, facts.as_form)(game, known)
    return _export(game, path, text, {"map": text.splitlines()}, json)


def _export(game: Game, path: str, text: str, content: JsonDict, json: bool) -> int:
    """Write a text to a new file or to standard output, there as the content of a document if JSON is wanted; return 0."""
    if path != STANDARD:
        written = write_new(path, text)
        show(json, lambda: {"game": game.id, "file": written}, lambda: [Line(f"Written: {written}")])
    elif json:
        show(True, lambda: {"game": game.id, **content}, list)
    else:
        put(text)
    return 0


def _show_map(game: Game, place: str, form: str, session: str, db: str, json: bool) -> int:
    """Show the map, or the surroundings of a place, with the pieces of the session if that is of the game.

    With `json` a document is printed, in which a picture is one key more.
    """
    from companion.views.map_text import SCREEN_ROWS, find_space, known_map, last_moved_space, map_lines

    form = pick_name(form, ("text", "svg", "json"), "form")
    archive = existing_or_empty_archive(db)
    info = archive.session(session) if session else archive.last()
    state = SessionState.open(archive, info) if info and info.game == game.id else None
    options = state.options if state else {name: item.default for name, item in game.options.items()}
    position = state.position if state else Position()
    known = archive.printed(game.id)
    map = known_map(game, position, options, known, archive.inferred_facts(game.id))
    space = find_space(map, place, game, known) if place else ""
    picture: JsonDict = {}
    if form == "svg":
        from companion.views.map_svg import map_svg

        picture = {"svg": map_svg(map, space)}
        if not json:
            put(picture["svg"])
            return 0

    def data() -> JsonDict:
        from companion.views.data import map_data

        return {"game": game.id, "session": state.info.name if state else None, **map_data(map, space), **picture}

    def lines() -> list[Line]:
        around = last_moved_space(state, map) if state else ""
        rows = map_lines(map, space, width(), (height() or SCREEN_ROWS) - (state is None), around)
        return rows if state else [*rows, Line(f"The session in use is not of {game.id}: no pieces shown", "dim")]

    show(json or form == "json", data, lines)
    return 0


@catalog.PRINTED
def printed(game: str, what: str, words: Sequence[str], anyway: bool, db: str, json: bool) -> int:
    """Enter values that are printed on your map, counters and aids, and not in the rulebook. Each is asked only once.

    Example: companion printed fallujah2004 set stand:medium:open break-off
    """
    verb = pick_name(what, catalog.PRINTED_VERBS, "command for printed facts")
    loaded, plain = load_game(game), plain_words(words)
    if anyway and verb not in ("set", "import"):
        raise Unreadable(
            f"--anyway has no meaning for printed ... {verb}",
            cure="It belongs to printed ... set and import: store facts although they contradict each other",
        )
    if verb in ("list", "fill") and plain:
        raise Unreadable(f"printed ... {verb} takes no more words", cure="See: companion printed --help")
    if verb == "list":
        return _list_facts(loaded, existing_or_empty_archive(db), json)
    if verb == "export":
        return _export_facts(loaded, existing_or_empty_archive(db), plain, json)
    archive = open_archive(db)
    if verb == "fill":
        return _fill_facts(loaded, archive, json)
    if verb == "set":
        return _set_fact(loaded, archive, plain, anyway, json)
    if verb == "import":
        return _import_facts(loaded, archive, plain, anyway, json)
    return _forget_fact(loaded, archive, plain, json)


def _list_facts(game: Game, archive: Archive, json: bool) -> int:
    from companion.views.reference import fact_lines

    known = archive.printed(game.id)
    show(
        json,
        lambda: {"game": game.id, "facts": known, "missing": [item.key for item in facts.missing_facts(game, known)]},
        lambda: fact_lines(game, known, archive.inferred_facts(game.id)),
    )
    return 0


def _set_fact(game: Game, archive: Archive, words: Sequence[str], anyway: bool, json: bool) -> int:
    """Store one fact: KEY VALUE."""
    if len(words) < 2:
        raise Unreadable("printed ... set takes a key and a value", cure=f"Like this: companion printed {game.id} set KEY VALUE")
    with _anyway_hint():
        key, value = facts.set_fact(archive, game, words[0], " ".join(words[1:]), anyway)
    understood = game.fact_in_words(key, value)
    after = [*([Line(understood, "reminder", "", "* ")] if understood else []), *update_lines(archive, game, {key: value})]
    notes = [line.text for line in after]
    show(
        json,
        lambda: {"game": game.id, "facts": {key: value}, **({"notes": notes} if notes else {})},
        lambda: [Line(f"Remembered: {key} = {value}"), *after],
    )
    return 0


def _export_facts(game: Game, archive: Archive, words: Sequence[str], json: bool) -> int:
    """Print all facts as TOML, or write them to a new file."""
    if len(words) > 1:
        raise Unreadable("printed ... export takes one file", cure=f"Like this: companion printed {game.id} export set.toml")
    path = words[0] if words else STANDARD
    return _export(game, path, facts.export_text(archive, game), {"facts": archive.printed(game.id)}, json)


def _import_facts(game: Game, archive: Archive, words: Sequence[str], anyway: bool, json: bool) -> int:
    """Store all facts of a TOML file, or none if it has a mistake; `practice` is the made-up set unless a file is called so."""
    if len(words) != 1:
        raise Unreadable("printed ... import takes one file", cure=f"Like this: companion printed {game.id} import FILE")
    path = words[0]
    if path == "practice" and not os.path.exists(path):
        path = facts.practice_set_file(game)
        if not path:
            raise Unreadable(f"{game.title} has no made-up set", cure=f"See what it asks for: companion printed {game.id}")
    with _anyway_hint():
        told = facts.import_text(archive, game, read_text(path), words[0], anyway)
    is_map = game.map is not None and all(game.map.spaces_of(key) for key in told)
    after = [*(understood_lines(game, told) if is_map else ()), *update_lines(archive, game, told)]
    show(json, lambda: {"game": game.id, "facts": told}, lambda: [Line(f"Remembered: {plural(len(told), 'fact')}"), *after])
    return 0


def _forget_fact(game: Game, archive: Archive, words: Sequence[str], json: bool) -> int:
    """Withdraw one fact, so that it is asked again: KEY."""
    if len(words) != 1:
        raise Unreadable("printed ... forget takes one key", cure=f"Like this: companion printed {game.id} forget KEY")
    key = facts.withdraw_fact(archive, game, words[0])
    show(json, lambda: {"game": game.id, "forgotten": key}, lambda: [Line(f"Forgotten: {key}")])
    return 0


def _fill_facts(game: Game, archive: Archive, json: bool) -> int:
    """Ask for all missing facts; without a terminal, list them and return 3 if there are any."""
    if json or not on_terminal():
        missing = facts.missing_facts(game, archive.printed(game.id))
        rows = [(item.key, f"{item.fact.title}, like this: {item.fact.notation.example}") for item in missing]
        show(
            json,
            lambda: {"game": game.id, "missing": [item.key for item in missing]},
            lambda: table_lines(rows) or [Line("Nothing is missing")],
        )
        return PENDING if missing else 0
    from companion.cli.repl.menus import ask_until_done

    ask_until_done(lambda: ask_facts(game, archive))
    of_map = game.map is not None and bool(game.map.columns)
    hint = f"; the map is entered another way: companion map {game.id} edit" if of_map else ""
    write([Line(f"Done. What is known: companion printed {game.id}{hint}", "dim")])
    return 0


def missing_off_map(game: Game, archive: Archive) -> list[facts.FactLine]:
    """The values that are missing, without those of the map, which is asked for as it is reached."""
    of_map = {column.fact for column in game.map.columns} if game.map else set()
    return [item for item in facts.missing_facts(game, archive.printed(game.id)) if item.fact.id not in of_map]


def ask_facts(game: Game, archive: Archive) -> bool:
    """Ask for all values that are not of the map, one by one; each is stored as soon as it is typed. `-` goes one back.

    Returns:
        False if the player left before the last one.

    Raises:
        StepBack: `-` at the first one.
    """
    from companion.cli.repl.menus import ask_fact, ask_in_order, ask_more_keys, confirm_anyway
    from companion.views.reference import is_open_ended

    def ask(fact: Fact, key: str, known: str = "") -> None:
        while value := ask_fact(fact, key, archive.printed(game.id).get(key, known)):
            try:
                facts.set_fact(archive, game, key, value)
            except Illegal as error:
                write(error_lines(error))
                if not confirm_anyway():
                    continue
                facts.set_fact(archive, game, key, value, anyway=True)
            return

    def ask_more(fact: Fact) -> None:
        while name := ask_more_keys(fact):
            ask(fact, f"{fact.id}:{name}")

    of_map = {column.fact for column in game.map.columns} if game.map else set()
    listed = facts.list_facts(game, archive.printed(game.id))
    questions: list[Callable[[], None]] = []
    for fact in game.facts:
        if fact.id in of_map:
            continue
        items = [item for item in listed if item.fact.id == fact.id and item.source != "told"]
        for index, item in enumerate(items):
            questions.append(partial(_ask_below_title, fact if index == 0 else None, partial(ask, fact, item.key, item.value)))
        if is_open_ended(fact):
            questions.append(partial(_ask_below_title, None if items else fact, partial(ask_more, fact)))
    try:
        ask_in_order(questions)
    except (KeyboardInterrupt, EOFError):
        write([Line("What you typed is stored", "dim")])
        return False
    return True


def _ask_below_title(fact: Fact | None, question: Callable[[], None]) -> None:
    if fact is not None:
        write([Line(fact.title, "title", fact.rule)])
    question()

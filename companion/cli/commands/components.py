"""The command on printed facts, what only the owner's own components say: list, fill in one sitting, set one, export, import."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from companion.cli.commands.options import PLAIN, Anyway, Db, GameName, Json
from companion.cli.shell.afterwards import echo_lines, follow_lines
from companion.cli.shell.archives import facts_archive, load_game, open_archive
from companion.cli.shell.arguments import plain_words
from companion.cli.shell.catalog import VALUES
from companion.cli.shell.files import STANDARD, read_text, write_new
from companion.cli.shell.output import PENDING, on_terminal, put, show, write
from companion.core.errors import Unreadable
from companion.core.game import Fact, Game
from companion.core.text import pick_name, plural
from companion.session import facts
from companion.session.facts import practice_set_file
from companion.session.store import Archive
from companion.views.lines import Line, table_lines
from companion.views.reference import fact_lines, is_open_ended

SETTINGS = {"printed": PLAIN}


def printed(
    game: GameName,
    what: Annotated[
        str, typer.Argument(metavar="[list|fill|set|export|import|forget]", help="What to do; list otherwise.")
    ] = "list",
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[KEY VALUE | FILE]", help="For set, forget, export and import.")
    ] = None,
    anyway: Anyway = False,
    db: Db = "",
    json: Json = False,
) -> None:
    """What is printed on your map, counters and aids, and nowhere in the rulebook: told once, remembered for ever.

    Example: companion printed GAME set KEY VALUE
    """
    word = pick_name(what, VALUES["printed"], "command for printed facts")
    raise typer.Exit(carry_out(word, load_game(game), _archive(db, word), plain_words(words), anyway, json))


def _archive(db: str, word: str) -> Archive:
    """A look makes no archive; what remembers something makes the usual one."""
    return facts_archive(db) if word in ("list", "export") else open_archive(db)


def _none(words: Sequence[str], what: str) -> None:
    if words:
        raise Unreadable(f"printed ... {what} takes no more words", cure="See: companion printed --help")


def list_facts(game: Game, archive: Archive, words: Sequence[str], as_json: bool) -> int:
    """What is known and what is missing."""
    _none(words, "list")
    known = archive.printed(game.id)
    show(
        as_json,
        lambda: {"game": game.id, "facts": known, "missing": keys_of(facts.missing_facts(game, known))},
        lambda: fact_lines(game, known, archive.inferred_facts(game.id)),
    )
    return 0


def set_fact(game: Game, archive: Archive, words: Sequence[str], as_json: bool, anyway: bool = False) -> int:
    """Tell one fact: KEY VALUE; ``anyway`` also one that contradicts another. A session that goes by an older one is named."""
    if len(words) < 2:
        raise Unreadable("printed ... set takes a key and a value", cure=f"Like this: companion printed {game.id} set KEY VALUE")
    key, value = facts.set_fact(archive, game, words[0], " ".join(words[1:]), anyway)
    told = game.fact_in_words(key, value)
    after = [*([Line(told, "reminder", "", "* ")] if told else []), *follow_lines(archive, game, {key: value})]
    notes = [line.text for line in after]
    show(
        as_json,
        lambda: {"game": game.id, "facts": {key: value}, **({"notes": notes} if notes else {})},
        lambda: [Line(f"Remembered: {key} = {value}"), *after],
    )
    return 0


def export_facts(game: Game, archive: Archive, words: Sequence[str], as_json: bool) -> int:
    """Everything that is known, as TOML: to stdout or to a new file."""
    text = facts.export_text(archive, game)
    to_stdout = not words or list(words) == [STANDARD]
    if to_stdout and not as_json:
        put(text)
    elif to_stdout:
        show(True, lambda: {"game": game.id, "facts": archive.printed(game.id)}, list)
    else:
        path = write_new(words[0], text)
        show(as_json, lambda: {"game": game.id, "file": path}, lambda: [Line(f"Written: {path}")])
    return 0


_PRACTICE = "practice"


def import_facts(game: Game, archive: Archive, words: Sequence[str], as_json: bool, anyway: bool = False) -> int:
    """Tell everything that a TOML file holds, or nothing where it has a fault; ``anyway`` takes contradictions over. ``practice``
    is a made-up set of ours, unless a file is called so.
    """
    if len(words) != 1:
        raise Unreadable("printed ... import takes one file", cure=f"Like this: companion printed {game.id} import FILE")
    path = words[0]
    if path == _PRACTICE and not os.path.exists(path):
        path = practice_set_file(game)
        if not path:
            raise Unreadable(f"{game.title} has no made-up set", cure="See what it asks for: companion printed " + game.id)
    told = facts.import_text(archive, game, read_text(path), words[0], anyway)
    of_map = game.map is not None and all(map(game.map.spaces_of, told))
    after = [*(echo_lines(game, told) if of_map else ()), *follow_lines(archive, game, told)]
    show(as_json, lambda: {"game": game.id, "facts": told}, lambda: [Line(f"Remembered: {plural(len(told), 'fact')}"), *after])
    return 0


def forget_fact(game: Game, archive: Archive, words: Sequence[str], as_json: bool) -> int:
    """Withdraw one fact, so that it is asked for again: KEY."""
    if len(words) != 1:
        raise Unreadable("printed ... forget takes one key", cure=f"Like this: companion printed {game.id} forget KEY")
    key = facts.withdraw_fact(archive, game, words[0])
    show(as_json, lambda: {"game": game.id, "forgotten": key}, lambda: [Line(f"Forgotten: {key}")])
    return 0


def keys_of(items: Sequence[facts.FactLine]) -> list[str]:
    """The keys of listed facts."""
    return [item.key for item in items]


def fill_facts(game: Game, archive: Archive, words: Sequence[str], as_json: bool) -> int:
    """Ask for everything in one sitting; without a terminal, list what is missing and leave with 3."""
    _none(words, "fill")
    if as_json or not on_terminal():
        lacking = facts.missing_facts(game, archive.printed(game.id))
        rows = [(item.key, f"{item.fact.title}, like this: {item.fact.notation.example}") for item in lacking]
        show(
            as_json,
            lambda: {"game": game.id, "missing": keys_of(lacking)},
            lambda: table_lines(rows) or [Line("Nothing is missing")],
        )
        return PENDING if lacking else 0
    mapped = {column.fact for column in game.map.columns} if game.map else set()
    for fact in game.facts:
        if fact.id not in mapped:
            _sit_down(game, archive, fact)
    map_too = f"; the map is entered another way: companion map {game.id} edit" if mapped else ""
    write([Line(f"Done; companion printed lists what is known{map_too}", "dim")])
    return 0


def _sit_down(game: Game, archive: Archive, fact: Fact) -> None:
    """Ask for the values of one kind; each is kept as soon as it is typed."""
    from companion.cli.repl.menus import ask_fact, more_keys

    write([Line(fact.title, "title", fact.rule)])
    for item in facts.list_facts(game, archive.printed(game.id)):
        if item.fact.id == fact.id and item.source != "told":
            _tell(game, archive, item.key, ask_fact(fact, item.key, item.value))
    while is_open_ended(fact):
        name = more_keys(fact)
        if not name:
            return
        _tell(game, archive, f"{fact.id}:{name}", ask_fact(fact, name, ""))


def _tell(game: Game, archive: Archive, key: str, value: str) -> None:
    if value:
        facts.set_fact(archive, game, key, value)


RUN: dict[str, Callable[[Game, Archive, Sequence[str], bool], int]] = {
    "list": list_facts,
    "fill": fill_facts,
    "set": set_fact,
    "export": export_facts,
    "import": import_facts,
    "forget": forget_fact,
}
"""What each word after the game does."""


def carry_out(word: str, game: Game, archive: Archive, words: Sequence[str], anyway: bool, as_json: bool) -> int:
    """Do what a word after the game says; returns the exit code.

    Raises:
        Unreadable: the words behind it mean nothing to it, or ``anyway`` does.
    """
    if word == "import":
        return import_facts(game, archive, words, as_json, anyway)
    if word == "set":
        return set_fact(game, archive, words, as_json, anyway)
    if anyway:
        raise Unreadable(
            f"--anyway means nothing to printed ... {word}",
            cure="It belongs to printed ... set and import: tell facts although they contradict each other",
        )
    return RUN[word](game, archive, words, as_json)

"""The command on the map: a look at it, and telling it by lines, in an editor, from a file or a spreadsheet."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer

from companion.cli.commands.options import PLAIN, Anyway, Db, Json, Session
from companion.cli.shell.afterwards import echo, follow_lines
from companion.cli.shell.arguments import plain_words
from companion.cli.shell.catalog import VALUES
from companion.cli.shell.editor import edited
from companion.cli.shell.files import STANDARD, read_text, write_new
from companion.cli.shell.opening import facts_archive, load_game, open_archive
from companion.cli.shell.output import put, show
from companion.core.errors import BadData, Unreadable
from companion.core.game import Game
from companion.core.words import clean, plural
from companion.session import mapping
from companion.session.printed import import_text, take_over
from companion.session.store import Archive
from companion.views.lines import Line

SETTINGS = {"map": PLAIN}
GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game by unique prefix; see: companion games")]
_MOST = 24
"""Lines of what was understood that are shown; of more there is a count."""


def map(
    game: GameName,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PLACE | tell LINE... | edit | import FILE | export [FILE]]", help="What to do; a look otherwise."
        ),
    ] = None,
    form: Annotated[str, typer.Option("--format", metavar="text|svg|json", help="The form of a look.")] = "text",
    anyway: Anyway = False,
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """The map, as far as it has been told or learnt from play, with what stands on it; or tell it.

    Example: companion map GAME tell "LINE"
    """
    verb, *rest = plain_words(words) or [""]
    found = load_game(game)
    if verb not in VALUES["map"]:
        from companion.cli.shell.picture import drawn

        raise typer.Exit(drawn(found, " ".join([verb, *rest]).strip(), "json" if json else form, session, db))
    if anyway and verb == "export":
        raise Unreadable("--anyway means nothing to map ... export", cure="It belongs to tell, edit and import")
    raise typer.Exit(_carry_out(verb, found, rest, anyway, db, json))


def _carry_out(verb: str, game: Game, words: Sequence[str], anyway: bool, db: str, as_json: bool) -> int:
    if verb == "export":
        return export(game, facts_archive(db), words, as_json)
    archive = open_archive(db)
    known = archive.printed(game.id)
    if verb == "tell":
        return _keep(game, archive, _told(game, words, known), "what you told", anyway, as_json)
    if verb == "import":
        return _import(game, archive, words, known, anyway, as_json)
    if words:
        raise Unreadable("map ... edit takes no more words", cure=f"Like this: companion map {game.id} edit")
    return edit(game, archive, known, anyway, as_json)


def _told(game: Game, words: Sequence[str], known: Mapping[str, str]) -> dict[str, str]:
    """What a line tells, which may be quoted or not."""
    geography = mapping.geography_of(game)
    if not words:
        raise Unreadable("tell which line?", cure=f'Like this: companion map {game.id} tell "{geography.example}"')
    lines = list(words) if all(" " in word for word in words) else [" ".join(words)]
    if len(lines) == 1 and " | " not in lines[0]:
        return geography.read(lines[0], known)
    return mapping.from_lines(game, "\n".join(lines), known, "what you told")


def _import(game: Game, archive: Archive, words: Sequence[str], known: Mapping[str, str], anyway: bool, as_json: bool) -> int:
    """Tell everything that a file holds: a spreadsheet (.csv), TOML (.toml), or lines."""
    if len(words) != 1:
        raise Unreadable("map ... import takes one file", cure=f"Like this: companion map {game.id} import FILE")
    path, name = words[0], clean(words[0])
    mapping.geography_of(game)
    text = read_text(path)
    if path.casefold().endswith(".toml"):
        return told(game, archive, import_text(archive, game, text, name, anyway), as_json)
    read = mapping.from_sheet if path.casefold().endswith((".csv", ".tsv")) else mapping.from_lines
    return _keep(game, archive, read(game, text, known, name), name, anyway, as_json)


def _keep(game: Game, archive: Archive, found: Mapping[str, str], name: str, anyway: bool, as_json: bool) -> int:
    return told(game, archive, take_over(archive, game, found, name, anyway), as_json)


def told(game: Game, archive: Archive, new: Mapping[str, str], as_json: bool) -> int:
    """Say what was understood of what is new, and how the session in use follows."""
    lines = [Line(text) for text in echo(game, new)]
    if len(lines) > _MOST:
        lines = [*lines[:_MOST], Line(f"and {len(lines) - _MOST} more: companion map {game.id}", "dim")]
    after = follow_lines(archive, game, new)
    head = Line(f"Remembered: {plural(len(new), 'fact')} of the map" if new else "Nothing new: all of it was known")
    data = {"game": game.id, "facts": dict(new), "notes": [line.text for line in after]}
    show(as_json, lambda: data, lambda: [head, *lines, *after])
    return 0


def edit(game: Game, archive: Archive, known: Mapping[str, str], anyway: bool, as_json: bool) -> int:
    """The map in the player's editor, with what is known filled in; what cannot be is shown there again, to be put right.

    Raises:
        BadData: it was left as it cannot be.
    """
    geography = mapping.geography_of(game)
    form = shown = mapping.as_form(game, known)
    wrong: BadData | None = None
    while True:
        text = edited(shown, game.id)
        if text == shown and wrong:
            raise wrong
        if text == form:
            return told(game, archive, {}, as_json)
        try:
            found = mapping.from_lines(game, text, {key: known[key] for key in known if not geography.spaces_of(key)}, "the form")
            gone = {key: "" for key in known if geography.spaces_of(key) and key not in found}
            changed = {key: value for key, value in found.items() if known.get(key) != value}
            return _keep(game, archive, {**changed, **gone}, "the form", anyway, as_json)
        except BadData as fault:
            wrong, shown = fault, with_faults(text, fault)


def with_faults(text: str, fault: BadData) -> str:
    """A form with what is wrong with it said at its head; what was said there before goes."""
    lines = [line for line in text.splitlines() if not line.startswith("#!")]
    heads = [f"{fault.message}: put it right, or empty the file to leave", *(str(one) for one in fault.faults)]
    return "\n".join([*(f"#! {clean(head)}" for head in heads), *lines]) + "\n"


def export(game: Game, archive: Archive, words: Sequence[str], as_json: bool) -> int:
    """What is known of the map: as lines to stdout, or to a new file in the form that its name ends in: csv, toml or another."""
    known = archive.printed(game.id)
    path = words[0] if words else STANDARD
    if len(words) > 1:
        raise Unreadable("map ... export takes one file", cure=f"Like this: companion map {game.id} export map.csv")
    end = os.path.splitext(path)[1].casefold()
    text = {".csv": mapping.as_sheet, ".toml": mapping.as_table}.get(end, mapping.as_form)(game, known)
    if path == STANDARD and not as_json:
        put(text)
    elif path == STANDARD:
        show(True, lambda: {"game": game.id, "map": text.splitlines()}, list)
    else:
        written = write_new(path, text)
        show(as_json, lambda: {"game": game.id, "file": written}, lambda: [Line(f"Written: {written}")])
    return 0

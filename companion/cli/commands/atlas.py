"""The command on the map: a look at it, and telling it by lines, in an editor, from a file or a spreadsheet."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Annotated, NamedTuple

import typer

from companion.cli.commands.options import PLAIN, Anyway, Db, Json, Session
from companion.cli.shell.afterwards import echo_lines, follow_lines
from companion.cli.shell.archives import facts_archive, load_game, open_archive
from companion.cli.shell.arguments import plain_words
from companion.cli.shell.catalog import VALUES
from companion.cli.shell.files import STANDARD, edited, read_text, write_new
from companion.cli.shell.output import put, show
from companion.core.errors import BadData, Unreadable
from companion.core.game import Game
from companion.core.text import clean, plural
from companion.session import map_facts
from companion.session.facts import read_file, take_over
from companion.session.store import Archive
from companion.views.lines import Line

SETTINGS = {"map": PLAIN}
GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game by unique prefix; see: companion games")]


def map(
    game: GameName,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PLACE | tell LINE... | edit | import FILE | export [FILE]]", help="What to do; a look otherwise."
        ),
    ] = None,
    form: Annotated[str, typer.Option("--format", metavar="text|svg|json", help="The form of a look.")] = "",
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

        _only(anyway, "--anyway", "a look at the map", "tell, edit and import")
        raise typer.Exit(drawn(found, " ".join([verb, *rest]).strip(), "json" if json else form or "text", session, db))
    _only(bool(form), "--format", f"map ... {verb}", "a look: companion map GAME [PLACE]")
    raise typer.Exit(_carry_out(verb, found, rest, anyway, session, db, json))


def _only(given: bool, option: str, what: str, where: str) -> None:
    """Raises Unreadable: an option is given to what it means nothing to."""
    if given:
        raise Unreadable(f"{option} means nothing to {what}", cure=f"It belongs to {where}")


def _carry_out(verb: str, game: Game, words: Sequence[str], anyway: bool, session: str, db: str, as_json: bool) -> int:
    if verb == "export":
        _only(anyway, "--anyway", "map ... export", "tell, edit and import")
        _only(bool(session), "--session", "map ... export", "a look, tell, edit and import")
        return export(game, facts_archive(db), words, as_json)
    archive = open_archive(db)
    known, session = archive.printed(game.id), session and archive.session(session).name
    if verb == "tell":
        return _keep(Telling(game, archive, anyway, session, as_json), _told(game, words, known), "what you told")
    if verb == "import":
        return _import(Telling(game, archive, anyway, session, as_json), words, known)
    if words:
        raise Unreadable("map ... edit takes no more words", cure=f"Like this: companion map {game.id} edit")
    return edit(Telling(game, archive, anyway, session, as_json), known)


class Telling(NamedTuple):
    """What is to be done with what is told: of which game, where it is kept, whether the player insists, the session that
    follows ("": the one in use), and how it is shown.
    """

    game: Game
    archive: Archive
    anyway: bool
    session: str
    as_json: bool


def _told(game: Game, words: Sequence[str], known: Mapping[str, str]) -> dict[str, str]:
    """What a line tells, which may be quoted or not."""
    geography = map_facts.geography_of(game)
    if not words:
        raise Unreadable("tell which line?", cure=f'Like this: companion map {game.id} tell "{geography.example}"')
    text = ("\n" if all(" " in word for word in words) else " ").join(words)
    return map_facts.from_typed(game, text, known)


def _import(telling: Telling, words: Sequence[str], known: Mapping[str, str]) -> int:
    """Tell everything that a file holds: a spreadsheet (.csv), TOML (.toml), or lines."""
    game = telling.game
    if len(words) != 1:
        raise Unreadable("map ... import takes one file", cure=f"Like this: companion map {game.id} import FILE")
    path, name = words[0], clean(words[0])
    map_facts.geography_of(game)
    text = read_text(path)
    if path.casefold().endswith(".toml"):
        return _keep(telling, read_file(game, text, name, known), name)
    read = map_facts.from_sheet if path.casefold().endswith((".csv", ".tsv")) else map_facts.from_lines
    return _keep(telling, read(game, text, known, name), name)


def _keep(telling: Telling, found: Mapping[str, str], name: str) -> int:
    """Remember what was told; say what was understood of what is new, and how the session follows."""
    game, archive, anyway, session, as_json = telling
    new = take_over(archive, game, found, name, anyway)
    lines = echo_lines(game, new)
    after = follow_lines(archive, game, found, new, session)
    nothing = "Nothing new: all of it was known" if found or not name else f"{name} tells nothing of the map"
    head = Line(f"Remembered: {plural(len(new), 'fact')} of the map" if new else nothing)
    data = {"game": game.id, "facts": dict(new), "notes": [line.text for line in after]}
    show(as_json, lambda: data, lambda: [head, *lines, *after])
    return 0


def edit(telling: Telling, known: Mapping[str, str]) -> int:
    """The map in the player's editor, with what is known filled in; what cannot be is shown there again, to be put right.

    Raises:
        BadData: it was left as it cannot be.
    """
    game, geography = telling.game, map_facts.geography_of(telling.game)
    form = shown = map_facts.as_form(game, known)
    wrong: BadData | None = None
    while True:
        text = edited(shown, game.id)
        if text == shown and wrong:
            raise wrong
        if text == form:
            return _keep(telling, {}, "")
        try:
            found = map_facts.from_lines(
                game, text, {key: known[key] for key in known if not geography.spaces_of(key)}, "the form"
            )
            gone = {key: "" for key in known if geography.spaces_of(key) and key not in found}
            changed = {key: value for key, value in found.items() if known.get(key) != value}
            return _keep(telling, {**changed, **gone}, "the form" if changed or gone else "")
        except BadData as fault:
            wrong, shown = fault, with_faults(text, fault)


def with_faults(text: str, fault: BadData) -> str:
    """A form with what is wrong with it said at its head; what was said there before goes."""
    import re

    rows = text.splitlines()
    lines = [line for line in rows if not line.startswith("#!")]
    heads = [f"{fault.message}: put it right, or leave it as it is", *fault.faults]
    down = len(heads) - (len(rows) - len(lines))  # the faults are named by the lines of the form as it is shown now
    heads = [re.sub(r"\bline (\d+)", lambda found: f"line {int(found[1]) + down}", head) for head in heads]
    return "\n".join([*(f"#! {clean(head)}" for head in heads), *lines]) + "\n"


def export(game: Game, archive: Archive, words: Sequence[str], as_json: bool) -> int:
    """What is known of the map: as lines to stdout, or to a new file in the form that its name ends in: csv, toml or another."""
    known = archive.printed(game.id)
    path = words[0] if words else STANDARD
    if len(words) > 1:
        raise Unreadable("map ... export takes one file", cure=f"Like this: companion map {game.id} export map.csv")
    end = os.path.splitext(path)[1].casefold()
    text = {".csv": map_facts.as_sheet, ".toml": map_facts.as_table}.get(end, map_facts.as_form)(game, known)
    if path == STANDARD and not as_json:
        put(text)
    elif path == STANDARD:
        show(True, lambda: {"game": game.id, "map": text.splitlines()}, list)
    else:
        written = write_new(path, text)
        show(as_json, lambda: {"game": game.id, "file": written}, lambda: [Line(f"Written: {written}")])
    return 0

"""The command on printed facts: what only the owner's own components say."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.catalog import VALUES
from companion.cli.options import PLAIN, Anyway, Db, GameName, Json
from companion.cli.place import load_game, open_archive
from companion.cli.words import plain_words
from companion.core.words import one_of

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
    from companion.cli.facts import carry_out

    word = one_of(what, VALUES["printed"], "command for printed facts")
    raise typer.Exit(carry_out(word, load_game(game), open_archive(db), plain_words(words), anyway, json))

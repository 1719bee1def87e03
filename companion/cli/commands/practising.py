"""A game without its set: begun, or gone on with, in the archive of practice."""

from __future__ import annotations

from collections.abc import Sequence

from companion.cli.commands.playing import play_on
from companion.cli.commands.start import asked_for, opening, options_of
from companion.cli.repl.menus import choose_game
from companion.cli.shell.archives import load_game, open_archive
from companion.cli.shell.output import on_terminal, write
from companion.core.errors import Unreadable
from companion.session.controller import SessionController
from companion.session.facts import install_practice_set, next_practice_name, practice_defaults, practice_path
from companion.views.lines import Line

MADE_UP = "Practice: what is printed only on the set is made up by us, and is not the published set"
WARNED = (Line(MADE_UP, "warning", "", "! "),)
"""What practice begins with."""


def practise(
    db: str,
    game: str,
    scenario: str,
    options: Sequence[str],
    seed: str,
    as_json: bool,
    brief: bool = False,
    another: bool = False,
) -> int:
    """Begin a game with a made-up set, and play it where there is a terminal; without a game, go on with the last, or with
    ``another`` ask for one.

    Returns:
        0, or 3 where a question is left pending.

    Raises:
        Unreadable: no game is named, and there is nobody to ask.
    """
    path = practice_path(db)
    archive = open_archive(path)
    asks = on_terminal() and not as_json
    if not as_json:
        write(WARNED)
    if not game and not another and archive.last() is not None and asks:
        return play_on(archive, "")
    if not game and not asks:
        raise Unreadable("practise which game?", cure="companion practice GAME; see: companion games")
    loaded = load_game(game or choose_game(None))
    install_practice_set(archive, loaded)
    (suggest, chosen), dice, draws = practice_defaults(loaded, options_of(options)), "", ""
    if asks and not scenario:
        scenario, chosen, dice, draws = asked_for(loaded, chosen, dice, draws, suggest, fixed=not options)
    hands = dice or "computer", draws or "computer"
    desk = SessionController.create(archive, loaded.id, scenario or suggest, chosen, *hands, seed, next_practice_name(archive))
    code = opening(desk, as_json, asks, brief)
    return play_on(archive, "", greet=False) if asks and not code else code

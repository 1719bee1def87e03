"""Starting a session, and the list of those there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.cli.commands.finishing import finish
from companion.cli.repl.menus import choose_game, choose_hands, choose_options, choose_scenario
from companion.cli.shell import preferences
from companion.cli.shell.archives import facts_archive, kept, load_game, open_archive, shown
from companion.cli.shell.output import PENDING, on_terminal, show, write
from companion.core.errors import Unreadable
from companion.core.game import Game
from companion.core.text import clean
from companion.core.values import JsonDict
from companion.session.controller import Answers, Result, SessionController
from companion.session.facts import missing_facts
from companion.session.store import Archive
from companion.views.banner import SAMPLE_NOTE, banner_lines, session_heading
from companion.views.lines import BLANK, Line, table_lines
from companion.views.result import result_data, result_lines


def options_of(given: Sequence[str]) -> dict[str, str]:
    """``K=V`` words as options; the desk checks them against the game.

    Raises:
        Unreadable: a word is no pair, or an option comes twice.
    """
    found: dict[str, str] = {}
    for word in given:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise Unreadable(f"'{clean(word)}' is not an option", cure="Like this: --option NAME=CHOICE")
        if key in found:
            raise Unreadable(f"the option '{clean(key)}' is given twice", cure="Give it once")
        found[key] = value
    return found


def start(
    db: str,
    game: str,
    scenario: str,
    options: Sequence[str],
    dice: str,
    draws: str,
    seed: str,
    name: str,
    given: Answers,
    anyway: bool,
    as_json: bool,
    think: str = "",
    at_table: bool = False,
    brief: bool = False,
) -> int:
    """Make a session and set it up; on a terminal what is missing is asked for, and play goes on there.

    Returns:
        0, or 3 where the set-up left a question pending.
    """
    asks = on_terminal() and not as_json
    if not game:
        if not asks:
            raise Unreadable("which game?", cure="companion new GAME; see: companion games")
        known = facts_archive(db)
        game = choose_game(lambda game: len(missing_facts(game, known.printed(game.id))))
    loaded = load_game(game)
    given_options, wanted = options_of(options), _preferred_options(loaded)
    dice, draws = dice or preferences.chosen("dice"), draws or preferences.chosen("draws")
    if asks and not scenario:
        scenario, given_options, dice, draws = asked_for(loaded, given_options, dice, draws)
    chosen = wanted | given_options
    archive = open_archive(db)
    hands = dice or "computer", draws or "computer"
    desk = SessionController.create(
        archive, loaded.id, scenario, chosen, *hands, seed, name, answers=given, anyway=anyway, think=think
    )
    return opening(desk, as_json, at_table, brief)


def _preferred_options(game: Game) -> dict[str, str]:
    """The options that the player wants in every game which has them."""
    wanted = {key: preferences.chosen(key) for key in ("opponent",) if key in game.options}
    return {key: value for key, value in wanted.items() if value in game.options[key].choices}


def asked_for(
    game: Game, chosen: Mapping[str, str], dice: str, draws: str, suggest: str = "", fixed: bool = False
) -> tuple[str, dict[str, str], str, str]:
    """Ask for what the command line leaves open: (scenario, options, dice, draws).

    Args:
        game: which.
        chosen: the options that were named; with any, no others are asked for, unless they are ``fixed``.
        dice, draws: who rolls and draws; "" where it was not said.
        suggest: the scenario that Enter takes, if not the first.
        fixed: whether the options are those of the practice and not the player's.
    """
    scenario = choose_scenario(game, suggest)
    options = choose_options(game, chosen) if fixed or not chosen else dict(chosen)
    if not (dice or draws):
        dice, draws = choose_hands(game)
    return scenario, options, dice, draws


def opening(desk: SessionController, as_json: bool, at_table: bool = False, brief: bool = False) -> int:
    """Show a session that was just made, and ask on a terminal what its set-up still needs.

    Args:
        desk: the session.
        as_json: one JSON document, and nobody is asked.
        at_table: whether the loop comes next, at whose foot the figures stand.
        brief: the document goes without the position.
    """
    result = desk.opening
    assert result is not None  # a desk that was just created has one
    kept(desk)
    if result.pending and not as_json and on_terminal():
        return finish(desk, result, as_json)
    show(
        as_json,
        lambda: result_data(desk, result, brief),
        lambda: [session_heading(desk.info.name, desk.game, desk.options.get("scenario", "")), *result_lines(desk, result)],
        whole=True,
    )
    if not as_json:
        write([line for line in standing_lines(desk, result) if line.tone != "track" or not at_table])
    shown(desk)
    return PENDING if result.pending else 0


def standing_lines(desk: SessionController, result: Result) -> list[Line]:
    """What must be read whatever else was: a warning about samples, and where play is."""
    lines = [Line(SAMPLE_NOTE.format(game=desk.game.id), "warning", "", "! ")] if desk.samples() else []
    return lines if result.pending else [*lines, BLANK, *banner_lines(desk.game, desk.position, desk.options)]


def sessions_data(archive: Archive) -> JsonDict:
    """Every session as plain data."""
    last = archive.last()
    items = [
        {"name": item.name, "game": item.game, "scenario": item.scenario, "created": item.created, "in_use": item == last}
        for item in archive.sessions()
    ]
    return {"sessions": items}


def sessions_lines(archive: Archive) -> list[Line]:
    """Every session, one a line."""
    rows = [
        ("*" if item["in_use"] else "", item["name"], item["game"], item["scenario"], str(item["created"])[:16].replace("T", " "))
        for item in sessions_data(archive)["sessions"]
    ]
    return table_lines(rows) or [Line("No session yet: companion new GAME", "dim")]

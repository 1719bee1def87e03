"""Start a session: the options of the command line, the menus for what is missing, and its first screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from companion.cli.commands.results import finish
from companion.cli.repl.menus import (
    HANDS,
    RULES,
    TYPE_VALUES,
    StepBack,
    choose_game,
    choose_hands,
    choose_options,
    choose_setup,
    choose_values,
)
from companion.cli.shell.archives import existing_or_empty_archive, load_game, mark_shown, open_archive
from companion.cli.shell.output import PENDING, height, on_terminal, show, width, write
from companion.cli.shell.process import PROCESS, chosen_setting
from companion.core.errors import Unreadable
from companion.core.events import Said
from companion.core.game import Game
from companion.core.resolver import Answers
from companion.core.text import clean
from companion.session.controller import Result, SessionController
from companion.session.database import is_practice_path
from companion.session.facts import install_practice_set, missing_facts, practice_defaults
from companion.session.store import Archive
from companion.views.banner import SAMPLE_NOTE, banner_lines, session_heading
from companion.views.lines import BLANK, Line, row_count
from companion.views.result import result_data, result_lines

PRACTICE_WARNING = "Practice: what is printed only on the set is made up by us, and is not the published set"


class Setup(NamedTuple):
    """What a player can choose about a new session; "" where nothing was said."""

    scenario: str
    options: dict[str, str]
    dice: str
    draws: str

    def with_hands(self) -> Setup:
        """The set-up in which Companion rolls and draws where nothing else was said."""
        return self._replace(dice=self.dice or "computer", draws=self.draws or "computer")


def parse_options(words: Sequence[str]) -> dict[str, str]:
    """Read `K=V` words. Whether the game has such options is checked when the session is created.

    Raises Unreadable: a word is not a pair, or an option is given twice.
    """
    options: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise Unreadable(f"'{clean(word)}' is not an option", cure="Like this: --option NAME=CHOICE")
        if key in options:
            raise Unreadable(f"the option '{clean(key)}' is given twice", cure="Give it once")
        options[key] = value
    return options


def start(
    db: str,
    game: str,
    setup: Setup,
    seed: str,
    name: str,
    answers: Answers,
    *,
    anyway: bool = False,
    json: bool = False,
    think: str = "",
    at_table: bool = False,
    brief: bool = False,
    seat: str = "",
) -> int:
    """Create a session and set it up, asking on a terminal; return 0, or 3 if the set-up leaves a question open."""
    asks = on_terminal() and not json
    if not game and not asks:
        raise Unreadable("which game?", cure="companion new GAME; see: companion games")
    archive = existing_or_empty_archive(db)
    setup = setup._replace(dice=setup.dice or chosen_setting("dice"), draws=setup.draws or chosen_setting("draws"))

    def choose() -> str:
        return choose_game(lambda game: len(missing_facts(game, archive.printed(game.id))))

    def complete(loaded: Game) -> Setup:
        while asks and not setup.scenario:
            completed = ask_setup(loaded, setup)
            with suppress(StepBack):
                offer_values(loaded, open_archive(db))
                return completed
        return setup

    loaded, setup = _game_and_setup(game, choose, complete)
    setup = setup._replace(options=_preferred_options(loaded) | setup.options)
    controller = SessionController.create(
        open_archive(db), loaded.id, *setup.with_hands(), seed, name, answers=answers, anyway=anyway, think=think, seat=seat
    )
    return show_new_session(controller, json, at_table=at_table, brief=brief)


def _game_and_setup(game: str, choose: Callable[[], str], complete: Callable[[Game], Setup]) -> tuple[Game, Setup]:
    """The game, by its name or chosen, with its set-up; `-` at the first question of the set-up chooses the game again.

    Raises StepBack: `-` at the first question of all.
    """
    while True:
        loaded = load_game(game or choose())
        try:
            return loaded, complete(loaded)
        except StepBack:
            if game:
                raise


def _preferred_options(game: Game) -> dict[str, str]:
    """Options from the player's settings that the game has."""
    options = {key: chosen_setting(key) for key in ("opponent",) if key in game.options}
    return {key: value for key, value in options.items() if value in game.options[key].choices}


def ask_setup(game: Game, setup: Setup, suggested: str = "", *, always_options: bool = False) -> Setup:
    """Ask for what the command line left open.

    Args:
        game: The game.
        setup: What is chosen already.
        suggested: The scenario that Enter takes; by default the first.
        always_options: Ask for options even if some are set: they come from the practice set, not from the player.
    """

    asks_options, asks_hands = bool(game.options) and (always_options or not setup.options), not (setup.dice or setup.draws)
    while True:
        hands = setup.with_hands()[2:] if asks_hands else None
        chosen = choose_setup(game, setup.options if asks_options else None, hands, suggested)
        with suppress(StepBack):
            if chosen == RULES:
                setup = setup._replace(options=choose_options(game, setup.options))
            elif chosen == HANDS:
                dice, draws = choose_hands(game)
                setup = setup._replace(dice=dice, draws=draws)
            else:
                return setup._replace(scenario=chosen)


def offer_values(game: Game, archive: Archive) -> None:
    """Offer to type the values of the player's set that are missing, until all were asked for or sample values are chosen.

    Raises StepBack: `-` at that question.
    """
    from companion.cli.commands.your_set import ask_facts, missing_off_map

    while (count := len(missing_off_map(game, archive))) and choose_values(game, count) == TYPE_VALUES:
        with suppress(StepBack):
            if ask_facts(game, archive):
                return


def show_new_session(controller: SessionController, json: bool, *, at_table: bool = False, brief: bool = False) -> int:
    """Show a session that was just created, and on a terminal ask what its set-up still needs; return 0, or 3 if that is open.

    Args:
        controller: The session.
        json: Print one JSON document, and ask nothing.
        at_table: The prompt follows, whose status bar shows the figures.
        brief: Leave the position out of the document.
    """
    result = controller.opening
    assert result is not None  # every new session has one
    if PROCESS.cache:
        PROCESS.cache.adopt(controller)
    is_practice = at_table and is_practice_path(controller.archive.path)
    if is_practice:  # nothing lies on a table
        said = (event for event in result.events if isinstance(event, Said) and event.tone != "board")
        result = result._replace(events=tuple(said))
    if result.pending and not json and on_terminal():
        return finish(controller, result, json)
    heading = session_heading(controller.info.name, controller.game, controller.options.get("scenario", ""))
    lines = [] if json else [heading, *result_lines(controller, result)]
    if is_practice:
        lines = [line for line in lines if result.events or line is heading]
        lines.append(Line("All is set up for you, with nothing to place: /show tells what lies where", "dim"))
    # a list that is a few rows longer than the screen is not paged: its beginning is a glance back
    whole = not at_table or row_count(lines, width()) <= 1.25 * height()
    show(json, lambda: result_data(controller, result, brief), lambda: lines, whole)
    if not json:
        write([line for line in closing_lines(controller, result) if line.tone != "track" or not at_table])
    mark_shown(controller)
    return PENDING if result.pending else 0


def closing_lines(controller: SessionController, result: Result) -> list[Line]:
    """The last lines about a new session: a warning about sample values, and where play is."""
    note = SAMPLE_NOTE.format(game=controller.game.id)
    lines = [Line(note, "warning", "", "! ")] if controller.samples() else []
    if result.pending:
        return lines
    return [*lines, BLANK, *banner_lines(controller.game, controller.position, controller.options)]


def start_practice(
    archive: Archive, game: str, scenario: str, options: Mapping[str, str], seed: str, *, json: bool = False, brief: bool = False
) -> int:
    """Create a session with a made-up set of components; return 0, or 3 if a question is left open.

    Raises Unreadable: no game is named, and there is no terminal to ask at.
    """
    asks = on_terminal() and not json
    if not game and not asks:
        raise Unreadable("practise which game?", cure="companion practice GAME; see: companion games")

    def complete(loaded: Game) -> Setup:
        if install_practice_set(archive, loaded) and not json:
            write([Line(PRACTICE_WARNING, "warning", "", "! ")])
        suggested, defaults = practice_defaults(loaded, dict(options))
        setup = Setup(scenario, defaults, "", "")
        if asks and not scenario:
            return ask_setup(loaded, setup, suggested, always_options=not options)
        return setup._replace(scenario=scenario or suggested)

    loaded, setup = _game_and_setup(game, lambda: choose_game(None), complete)
    controller = SessionController.create(archive, loaded.id, *setup.with_hands(), seed, archive.free_name("made-up"))
    return show_new_session(controller, json, at_table=asks, brief=brief)

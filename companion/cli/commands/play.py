"""Commands at the table: do, new, play, show, watch, answer, status, practice."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from companion.cli.commands.results import anyway_hint, finish
from companion.cli.shell import archives, catalog, output, shared
from companion.cli.shell.archives import (
    load_game,
    mark_shown,
    open_archive,
    open_session,
    seen_by,
    session_archive,
    session_archives,
)
from companion.cli.shell.arguments import Words, parse_answers
from companion.cli.shell.output import on_terminal
from companion.cli.shell.process import CLEANUP, PROCESS, is_plain
from companion.core.errors import Unreadable
from companion.core.resolver import Answers
from companion.core.text import matching_names
from companion.session.controller import SessionController, play_single_action
from companion.session.database import archive_exists, archive_path, practice_path
from companion.views.lines import WIDTH, Line

if TYPE_CHECKING:
    from companion.session.store import Archive

_WATCH_ROWS = 40
"""Rows of the screen that a single picture is laid out for; it is shown as a whole."""


@catalog.DO
def do(
    action: str,
    words: Words,
    dice: Words,
    draw: Words,
    anyway: bool,
    accept: bool,
    game: str,
    seat: str,
    brief: bool,
    session: str,
    db: str,
    json: bool,
) -> int:
    """Carry out an action.

    Answers are given by key, or in order; dice and draws in order. A question left over is asked on a terminal; otherwise
    it stays open and the exit code is 3.

    Example: companion do buy "3/1, 1/8" at=north
    """
    if game and session:
        raise Unreadable("--game and --session exclude each other", cure="--game is for an action without a session")
    answers = parse_answers(words, dice, draw, accept)
    archive = session_archive(db, session) if _has_session(db) else open_archive(db)
    single = _game_of_single_action(archive, action, game, session)
    if single:
        with anyway_hint():
            controller, result = play_single_action(archive, single, action, answers, anyway=anyway)
    else:
        controller = archives.session_of(archive, session)
        with anyway_hint(controller if json else None):
            seat = archives.seat_of(controller, seat)
            result = controller.do(action, answers, anyway, seat=seat)
    return finish(controller, result, json, is_named=bool(single or session), brief=brief, seat=seat)


def _has_session(db: str) -> bool:
    """True if an archive with sessions is there: the given one, the usual one, or that of the practice games."""
    paths = (archive_path(db),) if db or PROCESS.cache else (archive_path(None), practice_path(""))
    return any(map(archive_exists, paths)) and any(archive.sessions() for archive in session_archives(db))


def _script_cure(db: str, session: str) -> str:
    """The command that goes on with a session where `play` has no terminal."""
    if not _has_session(db):
        return "In a script: companion new GAME"
    if archives.session_of(session_archive(db, session), session).pending is not None:
        return "In a script: companion answer"
    return "In a script: companion do ACTION"


def _game_of_single_action(archive: Archive, action: str, game: str, session: str) -> str:
    """The game of an action that is played without a session; "" if the session in use is meant.

    Without any session, it is the first game that has such an action.
    """
    if game:
        return load_game(game).id
    if session or archive.last() is not None:
        return ""
    for plugins in (False, True):
        for loaded in archives.load_games(plugins)[0]:
            if matching_names(action, [item.id for item in loaded.actions if item.alone]):
                return loaded.id
    return ""


@catalog.ANSWER
def answer(
    words: Words,
    dice: Words,
    draw: Words,
    anyway: bool,
    accept: bool,
    at: str,
    seat: str,
    brief: bool,
    session: str,
    db: str,
    json: bool,
) -> int:
    """Answer the open question.

    An answer that names its question neither by number nor by key is refused if another question is open than this
    terminal has shown. An answer to a numbered question is recorded once; repeating it does nothing.
    Where several seats answer unseen, --seat names the one that answers.

    Example: companion answer 2-11
    """
    controller = open_session(db, session)
    answers = parse_answers(words, dice, draw, accept)
    seat = archives.seat_of(controller, seat)
    with anyway_hint(controller if json else None, seat):
        if not (at or seat):
            archives.check_question_shown(controller, answers)
        result = controller.answer(answers, anyway, at, seat)
    return finish(controller, result, json, is_named=bool(session), brief=brief, seat=seat)


@catalog.NEW
def new(
    game: str,
    words: Words,
    scenario: str,
    option: Words,
    dice: str,
    seat: str,
    draws: str,
    seed: str,
    think: str,
    name: str,
    replay: str,
    policy: Words,
    base: Words,
    fixed: Words,
    draw: Words,
    anyway: bool,
    accept: bool,
    brief: bool,
    db: str,
    json: bool,
) -> int:
    """Start a session and set it up. On a terminal, you are asked for what is not given, and play begins.

    Example: companion new fallujah2004 --scenario vigilant_resolve --name april
    """
    from companion.cli.commands.start import Setup, parse_options, start
    from companion.cli.repl.menus import ask_until_done

    if replay:
        from companion.cli.commands.simulate import SeriesOptions, refuse_with_replay, replay_game

        refuse_with_replay({"--seed": seed, "--dice": dice, "--draws": draws, "--draw": draw, "KEY=VALUE": words})
        return replay_game(db, game, replay, SeriesOptions(scenario, option, policy, think, base=base, fixed=fixed), name, json)
    for option_name, given in (("--policy", policy), ("--base", base), ("--set", fixed)):
        if given:
            raise Unreadable(f"{option_name} is for a simulated game", cure="Name the game: --replay GAME/SEED/INDEX")
    setup = Setup(scenario, parse_options(option), dice, draws)
    answers = parse_answers(words, [], draw, accept)
    asks = on_terminal() and not json
    code = ask_until_done(
        lambda: start(
            db, game, setup, seed, name, answers, anyway=anyway, json=json, think=think, at_table=asks, brief=brief, seat=seat
        )
    )
    return _play_on(open_archive(db), "", greet=False) if asks and not code else code


@catalog.PLAY
def play(seat: str, session: str, db: str) -> int:
    """Play at the prompt: type actions and answers, with prefixes, TAB, ? and /help.

    Other screens can play the same session: another prompt, a browser (companion host), commands. What they do is shown at once.
    With --seat only one side is played here: the decisions of the others are waited for.

    Example: companion play
    """
    if not on_terminal():
        raise Unreadable("play needs a terminal", cure=_script_cure(db, session))
    if session or seat:
        return _play_on(session_archive(db, session), session, seat=seat)
    if not _has_session(db):
        return _first_session(db)
    return _first_session(db) if PROCESS.is_bare else _play_on(session_archive(db), "")


@catalog.PRACTICE
def practice(game: str, scenario: str, option: Words, seed: str, brief: bool, db: str, json: bool) -> int:
    """Play a game without its set, with made-up components. Without GAME, continue your practice game.

    Practice has an archive of its own: its values never mix with those that you copied from your set.

    Example: companion practice fallujah2004
    """
    from companion.cli.commands.start import parse_options, start_practice
    from companion.cli.repl.menus import ask_until_done, choose_running, running_games

    archive = open_archive(practice_path(db))
    asks = on_terminal() and not json
    if asks and (running := running_games([archive], load_game(game).id if game else "")):
        chosen = ask_until_done(lambda: choose_running(running, game))
        if chosen is not None:
            return _play_on(archive, chosen.name)
    options = parse_options(option)
    code = ask_until_done(lambda: start_practice(archive, game, scenario, options, seed, json=json, brief=brief))
    return _play_on(archive, "", greet=False) if asks and not code else code


def _first_session(db: str) -> int:
    """Ask whether to go on with a running game, to practise or to play with the set, and play; return the exit code."""
    from companion.cli.repl.menus import RunningGame, StepBack, ask_until_done, choose_way, running_games

    opened = session_archives(db) if _has_session(db) else []
    running = running_games(opened)
    while True:
        way = ask_until_done(lambda: choose_way(running))
        if isinstance(way, RunningGame):
            return _play_on(session_archive(db, way.name) if not way.made_up else opened[-1], way.name)
        with suppress(StepBack):
            return _begin(db, *way)


def _begin(db: str, way: str, game: str) -> int:
    """Begin a game as chosen in the first menu. Raises StepBack: back to that menu."""
    from companion.cli.commands.start import Setup, start, start_practice
    from companion.cli.repl.menus import OWN_SET

    if way == OWN_SET:
        code = start(db, "", Setup("", {}, "", ""), "", "", Answers(), at_table=True)
        return code or _play_on(open_archive(db), "", greet=False)
    archive = open_archive(practice_path(db))
    code = start_practice(archive, game, "", {}, "")
    return code or _play_on(archive, "", greet=False)


def _play_on(archive: Archive, session: str, greet: bool = True, seat: str = "") -> int:
    """Play a session until the player leaves; return 0.

    Args:
        greet: Begin by showing where play is.
        seat: The only seat that is played here, by unique prefix; "" for every seat.
    """
    from companion.cli.repl.own_seat import pick_seat
    from companion.cli.repl.terminal import terminal_loop

    info = archive.session(session)
    controller = SessionController.open(archive, info)
    own_seat = pick_seat(controller, seat)
    archive.use(info)
    try:
        terminal_loop(controller, own_seat).play(greet, f"companion play --seat {own_seat}" if own_seat else "companion")
    finally:
        mark_shown(controller)
    return 0


@catalog.STATUS
def status(seat: str, brief: bool, session: str, db: str, json: bool) -> int:
    """Show where play is: stage, tracks, cups, reminders, and the open question.

    Example: companion status --json
    """
    return shared.status(brief, session, db, json, seat)


@catalog.SHOW
def show(what: Words, seat: str, session: str, db: str, json: bool) -> int:
    """Show the recorded position, or parts of it.

    Example: companion show score
    """
    from companion.views.board import show as show_part

    controller = seen_by(open_session(db, session), seat)
    parts = [show_part(controller, word) for word in what or ["overview"]]
    lines = [line for part in parts for line in part.lines()]
    output.show(
        json,
        lambda: {"session": controller.info.name, **{key: value for part in parts for key, value in part.data().items()}},
        lambda: lines,
    )
    return 0


@catalog.WATCH
def watch(big: bool, brief: bool, session: str, db: str, json: bool) -> int:
    """Follow a session on a second terminal without writing to it; q leaves. Without a terminal, print one picture.

    By default it follows the session that was played last, practice games included. For phones and tablets: companion host.

    Example: companion watch --big
    """
    from companion.session.inquiry import SessionViewer
    from companion.views.dashboard import dashboard, snapshot, with_odds
    from companion.views.data import session_data

    viewer = SessionViewer(session_archive(db, session).path if db or _has_session(db) else db, session)
    CLEANUP.append(viewer.close)
    if on_terminal() and not json and not is_plain():
        from companion.cli.repl.watch import WatchScreen

        WatchScreen(viewer, big).run()
        return 0
    state = viewer.poll()
    assert state is not None  # the first poll always returns the session

    def lines() -> list[Line]:
        board = dashboard(with_odds(snapshot(state)), WIDTH, _WATCH_ROWS, "", big)
        return [Line("", "", "", row.text) for row in (*board.pinned, *board.body)]

    output.show(json, lambda: session_data(state, brief), lines)
    return 0

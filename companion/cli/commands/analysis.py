"""Commands on the opponent and on results: bot, odds, luck, stats, report."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.cli.shell import catalog
from companion.cli.shell.archives import (
    load_game,
    load_games,
    open_archive,
    open_session,
    seen_by,
    session_archive,
    session_archives,
)
from companion.cli.shell.arguments import pairs, parse_between, parse_jobs, plain_words
from companion.cli.shell.bar import BAR
from companion.cli.shell.output import PENDING, document_of, on_terminal, put, show, write, write_json
from companion.cli.shell.process import no_garbage_collection
from companion.cli.shell.shared import advice_lines, inquiry, later_odds, reviewed
from companion.core.errors import Impossible, Unreadable
from companion.core.request import complete_odds
from companion.core.resolver import Answers, MissingAnswer
from companion.core.text import clean, pick_name
from companion.core.values import JsonDict
from companion.session.database import is_practice_path
from companion.session.inquiry import Inquiry, advice, find_situation, situation_odds
from companion.views import data as views_data
from companion.views import log, question
from companion.views.banner import session_heading
from companion.views.lines import BLANK, Line
from companion.views.messages import event_lines_data

if TYPE_CHECKING:
    from companion.core.game import Game
    from companion.core.request import AnyRequest, Odds
    from companion.session.state import SessionState
    from companion.session.stats import Table
    from companion.session.store import Archive
    from companion.views.report.report import Report


@catalog.ODDS
def odds(game: str, situation: str, words: Sequence[str], seat: str, session: str, db: str, json: bool) -> int:
    """Calculate exact odds by playing the rules with every outcome of the dice. Suggested answers are taken where none is given.

    Without a game: the odds of the open question. Where the position matters (a cup, a deck), that of the session in use
    is taken.

    Example: companion odds fallujah2004 battle contact=3 firepower=4,3/2,3 "opfor=2(1),1(1),mob"
    """
    if not game:
        return _show_odds(seen_by(open_session(db, session), seat).odds(), json)
    if not situation:
        names = ", ".join(item.id for item in load_game(game).situations)
        raise Unreadable("odds of what?", cure=f"You can name: {names}")
    loaded = load_game(game)
    archive = _archive_of_game(loaded, session, db)
    table = _session_of_game(archive, loaded, session, seat)
    try:
        result = situation_odds(inquiry(loaded, archive, plain_words(words), _asker(json), table), situation)
    except MissingAnswer as missing:
        if json:
            return _show_missing(missing, json)
        return _show_needed(loaded, archive, situation, words, table)
    return _show_odds(result, json)


def _show_odds(odds: Odds, json: bool) -> int:
    show(json, lambda: views_data.odds_data(complete_odds(odds)), lambda: question.odds_lines(odds), later=later_odds(odds))
    return 0


def _show_needed(game: Game, archive: Archive, name: str, words: Sequence[str], session: SessionState | None) -> int:
    """Show all values that the odds of a situation need or can take, and a command line with an example of each; return 3."""
    situation, (keyed, plain) = find_situation(game, name), pairs(plain_words(words))
    needed = Inquiry(game, archive, Answers(keyed, plain=plain), session=session).open_questions(situation.run)
    write(question.needed_value_lines(situation.title, situation.rule, needed))
    added = [f"{value.request.key}={value.example}" for value in needed if not value.is_optional]
    write([Line("Like this:", "title")])
    # not laid out in rows, so that the line can be copied
    put(" ".join(map(quoted, ["companion", "odds", game.id, situation.id, *words, *added])) + "\n")
    return PENDING


@catalog.BOT
def bot(words: Sequence[str], think: str, jobs: str, seat: str, session: str, db: str, json: bool) -> int:
    """Show what the opponent would do now, its reasons, and the other candidates. Nothing is recorded.

    Example: companion bot
    """
    controller = seen_by(open_session(db, session), seat)
    if jobs:
        number = parse_jobs(jobs)
        controller.jobs = lambda: number
    try:
        asking = inquiry(controller.game, controller.archive, plain_words(words), _asker(json), think=think)
        advised = advice(controller, asking)
    except MissingAnswer as missing:
        return _show_missing(missing, json)

    def data() -> JsonDict:
        names = {piece.id: piece.name for piece in controller.position.pieces.values()}
        lines = log.event_lines(controller.game, advised.events, dict(controller.position.pieces))
        said = [views_data.event_data(event, names, controller.game) for event in advised.events]
        return {
            "session": controller.info.name,
            "advice": said,
            "lines": event_lines_data(lines, advised.events, controller.game),
            **views_data.advice_data(advised, controller.game),
        }

    show(json, data, lambda: advice_lines(controller, advised.events))
    return 0


def _show_missing(missing: MissingAnswer, json: bool) -> int:
    """Show a question that could not be asked; return 3."""
    request = missing.request
    hint = Line(f"Add: {request.key}=VALUE", "dim")
    show(json, lambda: {"pending": request.describe()}, lambda: [*question.question_lines(request), hint])
    return PENDING


_BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789=,./:+-_")


def quoted(word: str) -> str:
    """A word as shells take it: in quotes if it holds a character with a meaning there."""
    return word if word and set(word) <= _BARE else f'"{word}"'


def _asker(json: bool) -> Callable[[AnyRequest], str] | None:
    """Asks the player a question; None without a terminal."""
    if json or not on_terminal():
        return None
    from companion.cli.repl.terminal import ask_once

    return ask_once


def _archive_of_game(game: Game, session: str, db: str) -> Archive:
    """The archive of the named session, else of the one last played if it is of the game, else the usual one."""
    with suppress(Unreadable):  # there may be no archive yet
        archive = session_archive(db, session)
        last = archive.last()
        if session or (last is not None and last.game == game.id):
            return archive
    return open_archive(db)


def _session_of_game(archive: Archive, game: Game, session: str, seat: str) -> SessionState | None:
    """The named session as a seat sees it, which must be of the game; with a seat by default the last one; None if none is named.

    Raises Unreadable: there is no such session, or it is of another game.
    """
    if not (session or seat):
        return None
    from companion.session.controller import SessionController

    info = archive.session(session)
    if info.game != game.id:
        raise Unreadable(f"the session {info.name} is not of {game.title}", cure="See: companion sessions")
    return seen_by(SessionController.open(archive, info), seat)


_MAX_SECONDS = 86_400


@catalog.LUCK
def luck(name: str, seconds: str, decisions: bool, details: bool, csv: bool, session: str, db: str, json: bool) -> int:
    """Show whether the dice helped or hurt, in VP, and how they fell.

    Example: companion luck april
    """
    from companion.session.luck import decision_losses, session_luck
    from companion.views import luck as luck_view

    if name and session:
        raise Unreadable("the session is named twice", cure="Name it once: companion luck SESSION")
    limit = parse_between(seconds, "number of seconds", 0, _MAX_SECONDS)
    controller = open_session(db, name or session)
    game = controller.game
    if not game.has_dice:
        began = len(controller.history.force) > 1  # the first entry is the set-up
        cure = "What its cards did: companion report" if began else "Begin, and see what its cards did: companion do ACTION"
        raise Impossible(f"{game.title} has no dice", cure=cure)
    result = session_luck(controller, limit)
    losses = decision_losses(controller, limit) if decisions and not csv else None
    if csv:
        rows = [[controller.info.name, *luck_view.roll_cells(roll)] for roll in result.rolls]
        put(views_data.csv_text(("session", *luck_view.ROLL_COLUMNS), rows))
        return 0
    dice = luck_view.dice_groups(luck_view.dice_rolls(controller.history.in_force), game.die, game.selecting_keys)
    is_open = not game.over(controller.committed_position)
    losses_data = {} if losses is None else {"decisions": [loss._asdict() for loss in losses]}
    losses_lines = [] if losses is None else [BLANK, *luck_view.decision_lines(losses)]
    about = {"session": controller.info.name, "game": game.id, "open": is_open}
    heading = [session_heading(controller.info.name, game, controller.options.get("scenario", ""))]
    if is_open:
        heading.append(Line("The game is not over: this is how it stands now", "dim"))

    def lines() -> list[Line]:
        if details:
            return [*heading, BLANK, *luck_view.luck_lines(game, result), *losses_lines, BLANK, *luck_view.dice_lines(dice)]
        plain_dice = luck_view.plain_dice_lines("rolled by", luck_view.own_dice(dice))
        hint = Line("Each roll and the statistics: companion luck --details", "dim")
        return [*heading, BLANK, *luck_view.plain_luck_lines(game, result), *losses_lines, BLANK, *plain_dice, BLANK, hint]

    show(json, lambda: {**about, "dice": luck_view.dice_data(dice), **luck_view.luck_data(game, result), **losses_data}, lines)
    return 0


@catalog.STATS
def stats(game: str, against: str, practice: bool, details: bool, plot: bool, csv: bool, sql: bool, db: str, json: bool) -> int:
    """Show how your games went: results, scores and dice. Practice games never mix with those of your own set.

    Example: companion stats fallujahcards --against games.csv
    """
    from companion.games import GAMES
    from companion.session.plugins import resolve_game_id
    from companion.session.stats import read_simulated, sql_script
    from companion.views.statistics import Shown, statistics_data, statistics_lines

    game_id = resolve_game_id(game) if game else ""
    apart = {loaded.id: loaded.selecting_keys for loaded in load_games(False)[0]}
    if sql:
        put(sql_script(game_id, apart))
        return 0
    if against and not game_id:
        raise Unreadable("--against needs a game", cure="companion stats GAME --against FILE")
    tables, made_up, has_practice = _played(game_id, practice, db, apart)
    sessions = tables["sessions"]
    if csv:
        put(views_data.csv_text(sessions.columns, sessions.rows))
        return 0
    simulated = read_simulated(against, game_id) if against else None
    separate = has_practice and not made_up
    remark = [Line("Your practice games are not counted here: companion stats --practice", "dim")] if separate else []
    rolled = {row[0] for row in tables["dice"].rows}
    dice = {loaded.id: loaded.die for loaded in load_games(not rolled <= {*GAMES})[0]} if rolled else {}
    show(
        json,
        lambda: {"game": game_id, "made_up": made_up, **statistics_data(tables, dice, simulated)},
        lambda: [*statistics_lines(tables, dice, simulated, Shown(made_up, details, plot)), *remark],
    )
    return 0


def _played(
    game_id: str, practice: bool, db: str, apart: Mapping[str, Collection[str]]
) -> tuple[Mapping[str, Table], bool, bool]:
    """Return the tables of the player's games, else of the practice games; whether these are shown, and whether there are any.

    Dice of the questions in `apart` are not counted.

    Raises Impossible: nothing was played.
    """
    from companion.session.stats import played_tables

    found = {}
    for archive in session_archives(db):
        tables = played_tables(archive.path, game_id, BAR.show, apart)
        if tables["sessions"].rows:
            found[is_practice_path(archive.path)] = tables
    made_up = True if practice else min(found, default=False)
    if made_up not in found:
        of = f"{'practice ' if practice else ''}game {f'of {game_id} ' if game_id else ''}"
        cure = f"companion {'practice' if practice else 'new'} {game_id or 'GAME'}"
        raise Impossible(f"no {of}was played yet", cure=f"Begin one: {cure}")
    return found[made_up], made_up, True in found


_FORM_OF_ENDING = {"htm": "html", "markdown": "md", "bb": "bbcode", "txt": "bbcode"}
EXISTS_CURE = "Name another, or add --force to overwrite it"


@catalog.REPORT
def report(
    style: str,
    out: str,
    first: int,
    last: int,
    brief: bool,
    full: bool,
    luck: bool,
    review: bool,
    force: bool,
    session: str,
    db: str,
    json: bool,
) -> int:
    """Write the whole session as a document: the result, the story by turns or operations, the set-up and the log.

    Example: companion report --out game.md
    """
    from companion.views.report.render import report_data, report_text, session_report
    from companion.views.report.report import Extent

    if brief and full:
        raise Unreadable("--brief and --full exclude each other", cure="Use one of them")
    form = document_form(style, out, json)
    with no_garbage_collection():
        controller = open_session(db, session)
        document = session_report(controller, Extent(first, last, brief, full), luck)
    if review and document.chapters:
        document = document._replace(review=reviewed(controller, first=first, last=last))
    with no_garbage_collection():
        path = _write_report(controller, document, form, out, force) if out else ""
        text = report_text(controller, document, form) if not out and form != "json" else ""
        if out:
            show(json, lambda: {"session": controller.info.name, "file": path}, lambda: [Line(f"Written: {path}")])
        elif form == "json":
            write_json(report_data(document))
        else:
            put(text)
    return 0


def document_form(style: str, out: str, json: bool) -> str:
    """The form that is named; else that of the file's ending; else JSON or Markdown."""
    from companion.views.report.render import FORMS

    ending = out.rpartition(".")[2].casefold()
    ending = _FORM_OF_ENDING.get(ending, ending)
    if style:
        return pick_name(style, FORMS, "format")
    if ending in FORMS:
        return ending
    return "json" if json and not out else "md"


def _write_report(state: SessionState, report: Report, form: str, out: str, force: bool) -> str:
    """Write a report to a file, or to a folder with its pictures; return the report's path.

    Raises Unreadable: a file exists already, or cannot be written.
    """
    from companion.cli.shell.files import write_new
    from companion.views.report.render import report_data, report_text

    if form == "md" and (out.endswith(os.sep) or os.path.isdir(out)):
        return _write_with_pictures(state, report, out, force)
    text = document_of(report_data(report)) if form == "json" else report_text(state, report, form)
    return write_new(out, text, force, EXISTS_CURE)


def _write_with_pictures(state: SessionState, report: Report, folder: str, force: bool) -> str:
    """Write a report in Markdown and the files of its pictures to a folder, which is created if missing."""
    from companion.cli.shell.files import new_folder, write_new
    from companion.views.report.document import Picture
    from companion.views.report.render import report_blocks, report_md

    blocks = report_blocks(state, report, True)
    files = {f"{block.name}.svg": block.svg for block in blocks if isinstance(block, Picture)}
    files["report.md"] = report_md(blocks, True)
    existing = [name for name in files if os.path.lexists(os.path.join(folder, name))]
    if existing and not force:
        raise Unreadable(f"{clean(folder)} holds {existing[0]} already", cure=EXISTS_CURE)
    with new_folder(folder) as path:
        for name, text in files.items():
            write_new(os.path.join(path, name), text, force, EXISTS_CURE)
    return os.path.abspath(os.path.join(folder, "report.md"))

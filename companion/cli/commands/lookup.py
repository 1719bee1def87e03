"""Commands that look things up: log, why, help, rule, chart, games, summary."""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Iterator, Mapping, Sequence

from companion.cli.commands.dice import random_faces
from companion.cli.shell import catalog
from companion.cli.shell.archives import (
    existing_or_empty_archive,
    load_game,
    load_games,
    named_or_used_game,
    open_session,
    seen_by,
    view_session,
)
from companion.cli.shell.arguments import parse_action_number
from companion.cli.shell.bar import BAR
from companion.cli.shell.output import colours, flush, show, width, write
from companion.cli.shell.process import CLEANUP
from companion.cli.shell.screen import help_page_lines
from companion.core.dice import faces_text
from companion.core.errors import Unreadable
from companion.core.game import Game
from companion.core.hints import TYPE_CHECKING
from companion.core.text import clean, matching_names, pick_name
from companion.core.values import JsonDict
from companion.games import GAMES
from companion.session.files import games_folder, help_page, help_topics
from companion.session.state import SessionState
from companion.views import log as log_views
from companion.views import reference
from companion.views.lines import BLANK, Line, lines_data, table_lines, verbatim_line

if TYPE_CHECKING:
    from companion.core.charts import Chart
    from companion.session.inquiry import SessionViewer
    from companion.views.plot import Plot

_POLL_SECONDS = 0.5


@catalog.LOG
def log(
    count: int,
    undone: bool,
    last: int,
    since: str,
    grep: str,
    plot: bool,
    follow: bool,
    seat: str,
    session: str,
    db: str,
    json: bool,
) -> int:
    """List what was done, action by action, with every answer and its source.

    Example: companion log --since 2h --grep bridge
    """
    if follow and (json or plot):
        raise Unreadable("--follow prints lines", cure="A program asks again: companion log --since ACTION --json")
    if follow and seat:
        raise Unreadable("--follow and --seat exclude each other", cure="Ask again: companion log --seat SEAT --since ACTION")
    controller = seen_by(open_session(db, session), seat)
    if plot:
        plots = list(_plots(controller))
        data = {"session": controller.info.name, "plots": [_plot_data(plot) for plot in plots]}
        show(json, lambda: data, lambda: _plot_lines(plots))
        return 0
    open_events = controller.events_of(controller.pending_entry) if controller.pending else ()
    selected = _selected_entries(controller, since, grep)

    def lines() -> list[Line]:
        return log_views.log_lines(controller.game, controller.history, undone, count or last, open_events, selected)

    if follow:
        write(lines())
        _follow(db, controller, grep)
        return 0
    show(
        json,
        lambda: {
            "session": controller.info.name,
            **log_views.log_data(controller.history, undone, count or last, selected, controller.game),
        },
        lines,
    )
    return 0


def _selected_entries(state: SessionState, since: str, grep: str) -> Container[int] | None:
    """The entries selected by `--since` and `--grep`; None for all."""
    from companion.session.store import utc_now

    if not since and not grep:
        return None
    entries = set(state.history.entries)
    entries &= log_views.entries_since(state.history, since, utc_now()) if since else entries
    return entries & log_views.entries_containing(state.game, state.history, grep) if grep else entries


def _plots(state: SessionState) -> Iterator[Plot]:
    from companion.views.report.document import report_plots
    from companion.views.report.report import build_report

    report = build_report(state.info.name, state.game, state.history, state.options)
    return (picture.plot for picture in report_plots(report))


def _plot_lines(plots: Sequence[Plot]) -> list[Line]:
    from companion.views.plot import plot_lines

    lines = [line for plot in plots for line in (BLANK, *plot_lines(plot, width()))]
    return lines[1:] or [Line("Nothing has changed yet", "dim")]


def _plot_data(plot: Plot) -> JsonDict:
    return {
        "title": plot.title,
        "x": plot.x,
        "low": plot.low,
        "high": plot.high,
        "series": [{"name": series.name, "points": [list(point) for point in series.points]} for series in plot.series],
    }


def _follow(db: str, state: SessionState, grep: str) -> None:
    """Print what is done from now on, until Ctrl-C."""
    from time import sleep

    from companion.session.inquiry import SessionViewer

    viewer = SessionViewer(db, state.info.name)
    CLEANUP.append(viewer.close)
    BAR.end()
    follow_log(viewer, state, grep, lambda: sleep(_POLL_SECONDS))


def follow_log(viewer: SessionViewer, state: SessionState, grep: str, pause: Callable[[], None]) -> None:
    """Print new entries, notes and corrections after each pause.

    Args:
        viewer: Polls the session.
        state: The session as printed so far.
        grep: Only entries that contain this text; "" for all.
        pause: Waits; KeyboardInterrupt in it ends the function.
    """
    shown = log_views.ShownLog.of(state.history)
    try:
        flush()
        while True:
            changed = viewer.poll()
            if changed is not None:
                lines, shown = log_views.new_log_lines(changed.game, changed.history, shown, grep)
                write(lines)
                flush()
            pause()
    except KeyboardInterrupt:
        return


@catalog.WHY
def why(entry: str, seat: str, session: str, db: str, json: bool) -> int:
    """Explain an action: each condition, each candidate, each source.

    Example: companion why 2
    """
    from companion.views.data import entry_data, piece_names

    controller = seen_by(open_session(db, session), seat)
    history = controller.history
    shown = history.find(parse_action_number(entry) if entry else history.force[-1])
    shown = shown._replace(events=controller.events_of(shown.number))
    show(
        json,
        lambda: {"session": controller.info.name, **entry_data(shown, history, piece_names(history), controller.game)},
        lambda: log_views.why_lines(controller.game, history, shown),
    )
    return 0


@catalog.SUMMARY
def summary(turn: int | None, session: str, db: str, json: bool) -> int:
    """Summarise a turn on one screen; after the last one, the result with the score by item.

    Example: companion summary
    """
    from companion.views.result import find_turn, session_summary

    state = view_session(db, session)
    span = find_turn(state, turn)
    lines = session_summary(state, span)
    data = {"session": state.info.name, "turn": span.turn, "entries": list(span.numbers)}
    show(json, lambda: {**data, "lines": lines_data(lines)}, lambda: lines)
    return 0


@catalog.HELP
def help(topic: Sequence[str], json: bool, usage: Callable[[str], str]) -> int:
    """Read a page: a game, the table, correcting, other programs ...; without TOPIC, list the pages.

    Example: companion help correcting
    """
    topics, words = help_topics(), " ".join(topic)
    if not words:
        rows = [{"topic": name, "title": title} for name, title in topics.items()]
        show(json, lambda: {"topics": rows}, lambda: _topic_lines(topics))
        return 0
    name = _page_or_command(words, list(topics))
    if name in topics:
        show(
            json,
            lambda: {"topic": name, "title": topics[name], "text": help_page(name)},
            lambda: help_page_lines(name, width(), quoted=not colours(), whole_code=not sys.stdout.isatty()),
        )
    else:
        text = usage(name)
        show(json, lambda: {"command": name, "text": text}, lambda: [verbatim_line(row) for row in text.split("\n")])
    return 0


def _page_or_command(words: str, pages: Sequence[str]) -> str:
    """The page or command with this prefix; pages go first.

    Raises Unreadable: there is none, or (Ambiguous) there are several.
    """
    if words in catalog.COMMANDS and words not in pages:
        return words
    for names in (list(pages), list(catalog.COMMANDS)):
        if matching_names(words, names):
            return pick_name(words, names, "page")
    cure = "Pages: companion help. Options of a command: companion COMMAND --help"
    raise Unreadable(f"no page of help is called '{clean(words)}'", cure=cure)


def _topic_lines(topics: Mapping[str, str]) -> list[Line]:
    games = [(name, title) for name, title in topics.items() if name in GAMES]
    others = [(name, title) for name, title in topics.items() if name not in GAMES]
    head = [Line("The games", "title"), *table_lines(games, indent="  "), BLANK, Line("Pages", "title")]
    return [
        *head,
        *table_lines(others, indent="  "),
        BLANK,
        Line("One of them, by its first letters: companion help TOPIC", "dim"),
    ]


@catalog.GAMES
def games(game: str, path: bool, check: bool, messages: bool, db: str, json: bool) -> int:
    """List the games; of one, its scenarios, options, actions, charts, and how many values are to be copied from your set.

    Example: companion games
    """
    if path:
        folder = games_folder()
        show(json, lambda: {"path": folder}, lambda: [Line(folder)])
    elif check:
        from companion.cli.commands.author import checked_tables

        show(json, lambda: checked_tables(game), lambda: [Line(f"{name}: no fault") for name in checked_tables(game)["games"]])
    elif messages:
        from companion.views.messages import catalogue_data, catalogue_lines

        named = load_game(game) if game else None
        show(json, lambda: catalogue_data(named), lambda: catalogue_lines(named))
    elif game:
        loaded = load_game(game)
        missing = reference.missing_counts(loaded, existing_or_empty_archive(db).printed(loaded.id))
        show(json, lambda: reference.game_data(loaded, missing), lambda: reference.game_lines(loaded, missing))
    else:
        show(json, _games_data, _games_lines)
    return 0


def _games_data() -> JsonDict:
    loaded, errors = load_games()
    games = [{"id": game.id, "title": game.title, "scenarios": list(game.scenarios)} for game in loaded]
    faults = {name: f"{': '.join([error.message, *error.faults[:1]])}. {error.cure}" for name, error in errors.items()}
    return {"games": games, "faults": faults}


def _games_lines() -> list[Line]:
    data = _games_data()
    rows = [(item["id"], f"{item['title']}: {', '.join(item['scenarios'])}") for item in data["games"]]
    errors = [Line(error, "warning", "", "! ") for error in data["faults"].values()]
    return [*table_lines(rows), *errors, BLANK, Line("More of one: companion games GAME", "dim")]


@catalog.CHART
def chart(game: str, name: str, roll: bool, on: str, json: bool) -> int:
    """Show a chart, or its result for a number, a row or a roll.

    Example: companion chart fallujah2004 mob_attack --on 5
    """
    loaded = load_game(game)
    charts = loaded.tables.charts
    if not name:
        show(
            json,
            lambda: {"charts": [reference.chart_data(chart) for chart in charts.values()]},
            lambda: table_lines([(item.id, f"{item.title} [{item.rule}]") for item in charts.values()]),
        )
        return 0
    chart = charts[pick_name(name, list(charts), "chart")]
    if roll or on:
        key, rolled = _chart_row(chart, on)
        cells = dict(zip(chart.columns, chart.rows[chart.row(key)], strict=True))
        show(
            json,
            lambda: {"chart": chart.id, "rolled": rolled, "row": chart.row(key), "rule": chart.cite(key), "result": cells},
            lambda: reference.chart_row_lines(chart, key, rolled),
        )
    else:
        show(json, lambda: reference.chart_data(chart), lambda: reference.chart_lines(chart))
    return 0


def _chart_row(chart: Chart, on: str) -> tuple[str, str]:
    """The number or row to look up, named by the player or rolled, and a description of it.

    Raises Unreadable: the chart has no such row, or no die.
    """
    if on:
        return on, chart.row(on)
    if chart.dice is None:
        raise Unreadable(f"the {chart.title} is not rolled on", rule=chart.rule, cure="Look a row up: --on ROW")
    faces = random_faces(chart.dice.number, chart.dice.sides)
    total = sum(faces) + chart.dice.plus
    return str(total), f"rolled {faces_text(faces)}" + (f" = {total}" if len(faces) > 1 or chart.dice.plus else "")


@catalog.RULE
def rule(game: str, words: Sequence[str], code: bool, json: bool) -> int:
    """Look up a rule in our own words, how it is handled, its errata and rulings.

    Without a game, the rules of that of the session in use are looked up.

    Example: companion rule fallujah2004 16.5
    """
    from companion.games import carried_out_by

    def check(used: Game, said: Sequence[str]) -> object:
        return said and reference.find_rules(used, " ".join(said))

    loaded, words = named_or_used_game(game, words, "", "", check)
    text = " ".join(words)
    rules = reference.find_rules(loaded, text) if text else list(loaded.tables.rules.values())
    functions = carried_out_by(loaded) if code or json else {}
    show(
        json,
        lambda: {"rules": [{**reference.rule_data(loaded, item), "code": functions.get(item.number, [])} for item in rules]},
        lambda: reference.code_lines(rules, functions) if code else reference.rule_search_lines(loaded, rules, text),
    )
    return 0

"""Parts of commands that the shell and the prompt share: status, the audit, told facts, and questions about odds and advice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

from companion.cli.shell.archives import mark_shown, seat_of, seen_by, view_session
from companion.cli.shell.output import show, write
from companion.core.errors import Unreadable
from companion.core.hints import TYPE_CHECKING
from companion.core.text import clean, split_list
from companion.core.values import JsonDict
from companion.session.state import SessionState
from companion.views.banner import session_heading, session_status_lines
from companion.views.lines import Line

if TYPE_CHECKING:
    from companion.core.events import Event
    from companion.core.game import Game
    from companion.core.procedures import ResolvedReply
    from companion.core.request import AnyRequest, Odds
    from companion.session.inquiry import Inquiry
    from companion.session.store import Archive
    from companion.views.review import SessionReview

    AskRequest = Callable[[AnyRequest], str]

ADJUST_REASON, AUDIT_REASON = "moved by hand", "audit: as it lies on the table"
"""The reasons recorded with an adjustment for which none is given, and with that of an audit."""

AUDIT_HELP = "Enter: all right. What differs, in one line: WHAT VALUE, WHAT VALUE"

_MAX_FACT_LINES = 24


def reviewed(
    session: SessionState, level: str = "", *, first: int = 0, last: int = 0, seat: str = "", jobs: int = 1
) -> SessionReview:
    """Review a session, with a progress bar.

    Args:
        session: The session.
        level: Of the review; "" for the closest one that takes no longer than a quick one, by what is kept.
        first, last: Turns; 0: without a limit.
        seat: Compare only its decisions.
        jobs: Number of processes.

    Raises:
        Impossible: Nothing was played, or nothing in those turns.
        Unreadable: The first turn is after the last one.
        Interrupted: Ctrl-C; what was computed is kept.
    """
    from companion.cli.shell.output import Interrupted
    from companion.cli.shell.process import release_import_lock
    from companion.session.review import closest_level, session_review
    from companion.views import review as view

    if first > last > 0:
        raise Unreadable(f"--from {first} is after --to {last}", cure=f"Swap them: --from {last} --to {first}")
    if not level:
        level = closest_level(session)
    try:
        result = session_review(session, level, first=first, last=last, seat=seat, jobs=jobs)
    except KeyboardInterrupt:
        release_import_lock()
        stopped = Interrupted("stopped: what was computed is kept", cure="The same command goes on there")
        stopped.kept = "all"
        raise stopped from None
    return view.session_review(session, result, first, last)


def status(brief: bool, session: str, db: str, json: bool, seat: str = "") -> int:
    """Print where play is and the open question, as a seat sees it; return 0."""
    whole = view_session(db, session)
    state = seen_by(whole, seat)

    def data() -> JsonDict:
        from companion.views.data import session_data

        return session_data(whole, brief, seat_of(whole, seat))

    show(json, data, lambda: [*status_lines(state), *_continue_lines(state, bool(session))])
    if state.pending is not None:
        mark_shown(state)
    return 0


def _continue_lines(state: SessionState, is_named: bool) -> list[Line]:
    """The command that answers the open question; it names the session unless that is the one in use."""
    if state.pending is None:
        return []
    from companion.views.question import continue_line

    return [continue_line(state.pending, state.question_number, state.info.name if is_named else "")]


def status_lines(state: SessionState) -> list[Line]:
    """The banner with the session's name, reminders, and the open question."""
    has_samples = bool(state.samples())
    lines = [session_heading(state.info.name, state.game, state.options.get("scenario", ""))]
    if state.broken:
        return [*lines, Line(state.broken, "error", "", "! ")]
    entry = state.history.open_entry
    lines += session_status_lines(state.game, state.position, state.options, state.pending, has_samples, entry)
    if state.is_trusted:
        from companion.views.trusted import consent_lines

        lines += consent_lines(state)
    return lines


def adjust_examples(state: SessionState) -> str:
    """Lines of this session that can be typed: a track to its value, a piece to its place."""
    from companion.session.adjust import quoted

    game, position = state.game, state.position
    on_table = [track for track in game.tracks if game.marker_title(track)]
    names = Counter(piece.name for piece in position.pieces.values())
    lying = [piece for piece in position.pieces.values() if piece.place not in game.cups and names[piece.name] == 1]
    lying = [piece for piece in lying if game.corrections.is_in_play(piece)] or lying
    pairs = [(track, game.track(track, position.track(track)).removeprefix("+")) for track in on_table[:1]]
    pairs += [(piece.name, game.place_title(piece.place)) for piece in lying[:1]]
    lines = ["companion adjust " + " ".join(quoted(word) for word in pair) for pair in pairs]
    return f"Like this: {', or '.join(lines)}"


def audit_lines(state: SessionState) -> list[Line]:
    """What should lie on the table, and how to name differences."""
    from companion.views.board import setup_lines

    return [*setup_lines(state, full=False), Line(AUDIT_HELP, "dim")]


def parse_differences(state: SessionState, text: str) -> list[tuple[str, str]]:
    """Read pairs of thing and value from a line such as `kia 2, 3/1 2-10`.

    Raises Unreadable: a part names nothing on the table, or an impossible value.
    """
    return [_parse_pair(state, part) for part in split_list(text)]


def _parse_pair(state: SessionState, part: str) -> tuple[str, str]:
    """Read one pair. The longest row of words that names something is the name; the rest is the value."""
    from companion.session.adjust import apply_changes

    name, equals, value = part.partition("=")
    if equals:
        return name.strip(), value.strip()
    words = part.split()
    first_error = Unreadable(f"'{clean(part)}' names nothing on the table", cure=AUDIT_HELP)
    for count in range(len(words) - 1, 0, -1):
        pair = " ".join(words[:count]), " ".join(words[count:])
        try:
            apply_changes(state.game, state.options, state.position, [pair], AUDIT_REASON)
        except Unreadable as error:
            first_error = error
        else:
            return pair
    raise first_error


def understood_texts(game: Game, facts: Mapping[str, str]) -> list[str]:
    """Each fact as it was understood; an empty one was withdrawn."""
    texts = {key: game.fact_in_words(key, value) or f"{key} = {value}" for key, value in facts.items() if value}
    return [texts.get(key, f"Forgotten: {key}") for key in facts]


def understood_lines(game: Game, facts: Mapping[str, str]) -> list[Line]:
    """The first of these texts as lines, and a count of the others."""
    lines = [Line(text) for text in understood_texts(game, facts)]
    rest = Line(f"and {len(lines) - _MAX_FACT_LINES} more: companion map {game.id}", "dim")
    return [*lines[:_MAX_FACT_LINES], rest] if len(lines) > _MAX_FACT_LINES else lines


def update_lines(
    archive: Archive, game: Game, facts: Mapping[str, str], new: Collection[str] | None = None, session: str = ""
) -> list[Line]:
    """Update a session by facts that were told, and return the lines that report it.

    Args:
        archive: The archive of the session.
        game: The game of the facts.
        facts: What was told.
        new: Those of the facts that were not known before; None: all.
        session: The session's name; "" for the one in use.
    """
    from companion.session.controller import update_session
    from companion.views.result import result_lines

    update = update_session(archive, game, facts, new, session)
    if update is None:
        return []
    if update.result is None:
        return [Line(update.fault, "reminder", "", "* ")]
    return [Line(f"Session {update.session.info.name} is updated:", "dim"), *result_lines(update.session, update.result)]


def inquiry(
    game: Game,
    archive: Archive,
    words: Sequence[str],
    ask: AskRequest | None,
    session: SessionState | None = None,
    think: str = "",
) -> Inquiry:
    """Return an inquiry about odds or advice, which is not recorded, with a progress bar.

    Args:
        game: The game.
        archive: Holds the printed facts.
        words: The answers, by key or in order.
        ask: Asks the player for what is missing; None without a terminal.
        session: The session whose position is taken.
        think: Playouts per candidate move.
    """
    from companion.cli.shell.arguments import pairs
    from companion.cli.shell.bar import BAR
    from companion.core.resolver import Answers
    from companion.session.inquiry import Inquiry

    keyed, plain = pairs(words)
    answers = Answers(keyed, plain=plain, accept=True)
    return Inquiry(game, archive, answers, partial(_ask, ask) if ask else None, session, think, BAR.show)


def later_odds(odds: Odds) -> Callable[[], list[Line]] | None:
    """Return a function that makes the lines of the sections that take long, with a progress bar; None if there are none."""
    from companion.cli.shell.bar import BAR
    from companion.core.request import LongOdds
    from companion.views.question import odds_section_lines

    if not isinstance(odds, LongOdds):
        return None
    later = odds.later

    return lambda: [line for title, chances in later(BAR.show) for line in odds_section_lines(title, chances)]


def _ask(ask: AskRequest, request: AnyRequest) -> ResolvedReply:
    while True:
        try:
            return request.parse_reply(ask(request), "typed", False)
        except Unreadable as error:
            write([Line(str(error), "error")])


def advice_lines(session: SessionState, events: Sequence[Event]) -> list[Line]:
    """The advice with reasons, candidates and tie-breaks."""
    from companion.views.log import event_lines

    return event_lines(session.game, events, dict(session.position.pieces), because=True)

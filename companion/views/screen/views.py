"""The panes of the page that are asked for: log, rules, odds, notes, map, review."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.core.errors import CompanionError, Unreadable
from companion.core.request import Odds, complete_odds
from companion.core.resolver import Answers, MissingAnswer, TypedValue
from companion.core.review import GameReview
from companion.core.text import clean, plural
from companion.session.state import SessionState
from companion.views.lines import Line, percent
from companion.views.log import entry_lines
from companion.views.question import needed_value_lines, visible_chances
from companion.views.reference import find_rules, rule_search_lines
from companion.views.screen.lines import ShownLine, shown_line
from companion.views.screen.roles import Role, is_mine, seats_of_role
from companion.views.screen.state import screen_of
from companion.views.screen.templates import fragment

LOG_ENTRIES = 30
"""Most entries in one piece of the log."""

MAX_WORDS = 200
"""Most characters of a search."""


class _ShownEntry(NamedTuple):
    number: int
    lines: tuple[ShownLine, ...]
    undo: str


def log_view(session: SessionState, role: Role, start: str = "") -> str:
    """Return the log with the newest entry first, each with what an undo to it takes back.

    Args:
        session: The session.
        role: The seats that it answers for; without any it cannot undo.
        start: The number of the newest entry to show; "" for the last one.

    Raises:
        Unreadable: `start` is not a number.
    """
    history, game = session.history, session.game
    first = _number(start) if start else history.next_number
    numbers = [number for number in reversed(history.force) if number <= first]
    shown, rest = numbers[:LOG_ENTRIES], numbers[LOG_ENTRIES:]
    entries, plays = [], bool(seats_of_role(session, role))
    for number in shown:
        entry = history.entries[number]
        if history.status(number) == "open":
            entry = entry._replace(events=tuple(session.events_of(number)))
        pieces = dict(history.position(before=number).pieces)
        lines = entry_lines(game, entry, history.status(number), pieces)
        lines += [Line(note.text, "reminder", "", "note: ") for note in history.notes if note.entry == number]
        entries.append(_ShownEntry(number, tuple(map(shown_line, lines)), _later(session, number) if plays else ""))
    return fragment("log", {"entries": entries, "earlier": rest[0] if rest else 0})


def _later(session: SessionState, number: int) -> str:
    """Return what an undo to an entry takes back; "" if it takes nothing."""
    try:
        take = session.history.plan_undo_to(number).take
    except CompanionError:
        return ""
    rolls = sum(reply.is_random for item in take for reply in session.history.entries[item].replies)
    what = f"action {take[0]}" if len(take) == 1 else f"{plural(len(take), 'action')}, {take[0]} to {take[-1]}"
    return f"{what}, with {plural(rolls, 'roll or draw', 'rolls and draws')}" if rolls else what


def _number(text: str) -> int:
    if not (text.isdecimal() and text.isascii() and len(text) < 10):
        raise Unreadable(f"'{clean(text)[:60]}' is not the number of an action", cure="Give a number, such as 12")
    return int(text)


def rules_view(session: SessionState, words: str = "") -> str:
    """Return a rule of the register, or the rules with some words; all of them without words.

    Raises:
        Unreadable: There is none.
    """
    game = session.game
    text = clean(words)[:MAX_WORDS]
    rules = find_rules(game, text) if text else list(game.tables.rules.values())
    is_one = bool(text) and (rules[0].number == text or len(rules) == 1)
    lines = rule_search_lines(game, rules[:1], text) if is_one else []
    listed = rules[1:] if is_one else rules
    rows = [{"kind": "rule", "value": rule.number, "title": rule.title} for rule in listed]
    see = [number for rule in rules[:1] for number in rule.see if number in game.tables.rules] if is_one else []
    rows += [{"kind": "rule", "value": number, "title": game.tables.rules[number].title} for number in see]
    return fragment("rule_list", {"lines": list(map(shown_line, lines)), "rules": rows})


def odds_view(session: SessionState, situation: str = "", values: Mapping[str, str] | None = None) -> str:
    """Return the odds of the open question or of a situation, and the situations that can be asked for.

    A situation whose odds need more values is shown with what they are.
    """
    try:
        odds = _situation_odds(session, situation, values or {}) if situation else _question_odds(session)
    except CompanionError as error:  # a value is still unknown, or there is nothing to ask about now
        odds = [Line(error.message, "error", error.rule), *([Line(error.cure, "dim")] if error.cure else [])]
    lines = odds if isinstance(odds, list) else [Line(odds.title, "title", odds.rule)]
    offers = [{"value": item.id, "title": item.title, "rule": item.rule} for item in session.game.situations]
    sections, means, notes = ([], [], []) if isinstance(odds, list) else _shown_odds(odds)
    body = {"lines": list(map(shown_line, lines)), "sections": sections, "means": means, "notes": notes}
    return fragment("odds", {**body, "situations": offers})


class _Section(NamedTuple):
    """Chances with their heading; `rarer`: how many are not listed."""

    title: str
    chances: list[tuple[str, float, str]]
    rarer: int


def _shown_odds(odds: Odds) -> tuple[list[_Section], list[tuple[str, str]], list[ShownLine]]:
    """Return sections, means and notes of odds for the template."""
    sections = []
    for title, chances in odds.sections:
        listed = [(clean(label), chance, percent(chance)) for label, chance in visible_chances(chances)]
        sections.append(_Section(clean(title), listed, len(chances) - len(listed)))
    means = [(clean(label), f"{mean:.2f}") for label, mean in odds.means]
    return sections, means, [shown_line(Line(note, "dim")) for note in odds.notes]


def _question_odds(session: SessionState) -> Odds | list[Line]:
    request = session.pending
    if request is None or request.odds is None:
        return [Line("No odds at this question" if request else "No question is open", "dim")]
    return complete_odds(session.odds())


def _situation_odds(session: SessionState, name: str, values: Mapping[str, str]) -> Odds | list[Line]:
    from companion.session.inquiry import Inquiry, find_situation, situation_odds

    situation = find_situation(session.game, name)
    answers = Answers([(key, TypedValue.of(value)) for key, value in values.items()], accept=True)
    inquiry = Inquiry(session.game, session.archive, answers, session=session)
    try:
        return complete_odds(situation_odds(inquiry, situation.id))
    except MissingAnswer:
        return needed_value_lines(situation.title, situation.rule, inquiry.open_questions(situation.run))


def notes_view(session: SessionState) -> str:
    """Return the notes, the newest first."""
    notes = [Line(note.text, "reminder", "", f"{note.entry}  ") for note in reversed(session.history.notes)]
    return fragment("lines", [shown_line(line) for line in notes or [Line("No notes yet", "dim")]])


def map_view(session: SessionState, role: Role) -> str:
    """Return the map, with the choices of the open question if the role may answer it."""
    shown = screen_of(session).map_html(is_mine(session, role))
    return shown or fragment("lines", [shown_line(Line("Nothing is known of a map", "dim"))])


def review_view(session: SessionState, review: GameReview) -> str:
    """Return the review in short, with the way to its page."""
    from companion.views.review import review_lines, session_review

    return fragment("review", [shown_line(line) for line in review_lines(session_review(session, review))])

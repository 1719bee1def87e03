"""What other processes did in a session, in one line for each action, answer and correction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.core.history import ADJUSTED, LOOK, Entry, LogRow
from companion.core.requests import AnyRequest
from companion.core.text import clean
from companion.core.values import ReplyValue
from companion.session.state import SessionState
from companion.views.lines import Line, named_value_text
from companion.views.log import CHANGE_TITLES, action_title
from companion.views.question import prompt_line

_LEAD = "Elsewhere - "
_MAX_LINES = 8
_MAX_ACTIONS = 3
_PLAYER = ("typed", "scripted", "suggested")


def news_lines(session: SessionState, rows: Sequence[LogRow], question: AnyRequest | None) -> list[Line]:
    """Return who did what; what it did on the table is in the result.

    Args:
        session: The session after it.
        rows: The rows of the log that were written.
        question: The question that was open before, or None.
    """
    texts = list(_texts(session, rows, question))
    hidden = len(texts) - _MAX_LINES
    if hidden > 0:
        texts = [f"{hidden} more answers and actions: companion log", *texts[hidden:]]
    return [Line(text, "reminder", "", _LEAD) for text in texts]


def not_sent_line(typed: Sequence[str], rows: Sequence[LogRow], question: AnyRequest | None) -> Line:
    """Return why what was typed was not sent. The other arguments are those of `news_lines`."""
    kinds = {row.kind for row in rows}
    typed = ["what you typed"] if question is not None and question.sealed else typed
    if question is None:
        why = "the session has moved on: it was played elsewhere"
    elif "change" in kinds:
        why = "its question was taken back elsewhere"
    elif "reply" in kinds:
        why = "its question was answered elsewhere first"
    else:
        why = "the table was changed elsewhere"
    return Line(f"{', '.join(typed)}: {why}", "reminder", "", "Not sent - ")


def _texts(session: SessionState, rows: Iterable[LogRow], question: AnyRequest | None) -> Iterator[str]:
    entries, copies = session.history.entries, set[int]()
    for row in rows:
        body = row.body
        if row.kind == "entry" and body.get("hidden"):
            copies.add(row.entry)
        elif row.kind == "entry":
            question = None
            yield action_title(session.game, body["action"])
        elif row.kind == "reply" and row.entry not in copies and body.get("left"):
            yield f"{session.game.seats[body['seat']]} has answered, unseen"
        elif row.kind == "reply" and row.entry not in copies and body["source"] in _PLAYER:
            yield _answer_text(session, question, body["key"], body["value"])
            question = None
        elif row.kind == ADJUSTED and row.entry not in copies:
            yield action_title(session.game, body["action"])
        elif row.kind == "change" and body["how"] != LOOK:
            numbers = body["give"] if body["how"] == "redo" else body["take"]
            question = None
            yield f"{CHANGE_TITLES.get(body['how'], body['how'])}: {_action_names(entries, numbers)}"
        elif row.kind == "note":
            yield f"note: {clean(body['text'])}"
        elif row.kind == "trust" and body["step"] == "ask":
            from companion.session.trusted import is_asked

            how = ". Allow or refuse it: /consent yes or no" if is_asked(session) else ""
            yield f"{session.game.seats[body['seat']]} asks to {clean(body['value'])}{how}"
        elif row.kind == "trust" and body["step"] == "consent":
            yield f"{session.game.seats[body['seat']]} {'allows' if body['value'] == 'yes' else 'refuses'} it"
        elif row.kind == "setting":
            yield ", ".join(f"{key}: {value}" for key, value in body.items())


def _answer_text(session: SessionState, question: AnyRequest | None, key: str, value: ReplyValue) -> str:
    """Return an answer; with the prompt if it is to the question that was open."""
    if question is not None and question.key == key:
        return f"{prompt_line(question).text.partition('?')[0].rstrip(':')}: {question.display(value)}"
    return f"{key.replace('_', ' ')}: {named_value_text(value, session.position.pieces)}"


def _action_names(entries: Mapping[int, Entry], numbers: Sequence[int]) -> str:
    """Return the numbers and names of actions."""
    names = [f"action {number} {entries[number].action}" for number in numbers[:_MAX_ACTIONS] if number in entries]
    more = len(numbers) - _MAX_ACTIONS
    return ", ".join([*names, *([f"and {more} more"] if more > 0 else [])])

"""Turns as they are typed at the table, through the loop of ``companion play``, with their prompts and keystrokes counted.

``tests/games/GAME/turns.toml`` holds a table for each turn, under its title; ``starts.py`` beside it makes the sessions in which
they begin. What is typed is given by the key of the question, so the same data play a program that asks more or fewer questions:
an answer whose question is not asked is not typed, and where a bare Enter gives the same answer, a bare Enter is typed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from itertools import islice, repeat, takewhile
from pathlib import Path
from typing import Any, NamedTuple

from companion.cli.repl.loop import Loop
from companion.cli.repl.prompt import Prompt
from companion.core.errors import CompanionError
from companion.core.history import Entry, Reply
from companion.core.request import Request
from companion.core.text import labels
from companion.session.controller import SessionController
from companion.session.store import Archive


class Turn(NamedTuple):
    """A turn, or a whole game.

    Attributes:
        title: Its title in the table of the page.
        start: Makes the session in which it begins: a function of ``starts.py``, ``session``, with its arguments.
        lines: What is typed at ``action >``, in order, ``repeat`` times. The turn ends when all are typed and no question
            is open, or with the game.
        answers: What is typed at a question, by its key (``fire``, ``pick``, ``space:2-11``), or else by its kind (``roll``,
            ``draw``): a text every time, or a list in order. A question without an answer left gets a bare Enter.
        at_most: The prompts and the keystrokes (Enter included) that it may take; (0, 0): no limit.
        pad: Whether it is played on the number pad too, to the same end.
        before: The prompts and keystrokes in the version of commit 266895b, which ``companion/docs/table.md`` compares with
            those of today; (0, 0): not shown there.
    """

    title: str
    start: Callable[[Archive], SessionController]
    lines: Sequence[str]
    answers: Mapping[str, str | Sequence[str]] = {}
    at_most: tuple[int, int] = (0, 0)
    pad: bool = False
    before: tuple[int, int] = (0, 0)


class Count(NamedTuple):
    """Prompts and keystrokes of a turn, and how often each question was answered."""

    prompts: int
    keys: int
    asked: Mapping[str, int]
    session: SessionController


def turns_of(game: str) -> Sequence[Turn]:
    """The turns of a game that are counted; none for a game without a list."""
    return [_turn(game, title, row) for title, row in _rows(game).items()]


def _rows(game: str) -> dict[str, Any]:
    path = Path(__file__).parents[1] / "games" / game / "turns.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _turn(game: str, title: str, row: dict[str, Any]) -> Turn:
    start = {"session": row["start"]} if isinstance(row["start"], str) else dict(row["start"])
    session = getattr(import_module(f"tests.games.{game}.starts"), start.pop("session"))
    limits = {key: (row[key][0], row[key][1]) for key in ("at_most", "before") if key in row}
    lines = row.get("lines", []) * row.get("repeat", 1)
    return Turn(title, partial(session, **start), lines, row.get("answers", {}), pad=row.get("pad", False), **limits)


class _Player:
    """Types a turn. Raises AssertionError if a prompt is repeated because the answer was refused."""

    def __init__(self, turn: Turn, session: SessionController) -> None:
        self.session = session
        self.lines = list(turn.lines)
        self.answers = {key: repeat(texts) if isinstance(texts, str) else iter(texts) for key, texts in turn.answers.items()}
        self.asked: dict[str, int] = {}
        self.typed: list[str] = []
        self.shown: list[str] = []
        self._last: Any = None

    def ask(self, prompt: Prompt) -> str:
        pending = self.session.pending
        if pending is None and (not self.lines or self.session.game.over(self.session.position)):
            self.lines = []
            raise EOFError
        at = (prompt.text, self.session.history.seq)
        again = at == self._last and pending is not None and bool(pending.chance_setting) and self.typed[-1] == ""
        assert at != self._last or again, f"{prompt.text} after {self.typed[-1:]}: " + "\n".join(self.shown[-12:])
        self._last = at
        if pending is None:
            self.typed.append(self._action(prompt))
        elif again:  # the second Enter leaves the roll or draw to Companion
            self.typed.append("")
        else:
            self.asked[pending.key] = self.asked.get(pending.key, 0) + 1
            texts = self.answers.get(pending.key if pending.key in self.answers else pending.kind)
            given = list(filter(None, islice(texts or (), getattr(pending, "remaining", 1))))
            self.typed.append(_or_enter(pending, " ".join(given) if pending.kind == "roll" else ",".join(given)))
        return self.typed[-1]

    def _action(self, prompt: Prompt) -> str:
        """The next line; a bare Enter where that is the action that the prompt suggests."""
        line = self.lines.pop(0)
        usual = re.match(r"\[(\w+)\]|.*\[(\w+)\] > $", prompt.text)
        return "" if usual and line and (usual[1] or usual[2] or "").startswith(line) else line

    def tell(self, lines: Sequence[Any]) -> None:
        self.shown += [line.text for line in lines]


def _or_enter(request: Any, text: str) -> str:
    """The text to type for an answer: nothing if a bare Enter gives the same."""
    if request.chance_setting or request.suggest is None or not text:
        return text
    try:
        return "" if request.read(text) == request.check(request.suggest) else text
    except Exception:  # the loop says what is wrong with it
        return text


def typed(turn: Turn, archive: Archive) -> Count:
    """Play a turn through the loop."""
    session = turn.start(archive)
    session.setting(think="0")  # rollouts of the opponent take time and change nothing that is typed
    player = _Player(turn, session)
    Loop(session, player.ask, player.tell).play(greet=False)
    assert not player.lines and session.pending is None, player.shown[-12:]
    return Count(len(player.typed), sum(len(line) + 1 for line in player.typed), player.asked, session)


PAD = frozenset("0123456789.+-*/")
"""The keys of a number pad besides Enter."""


class Padded(NamedTuple):
    """Prompts and keystrokes of a turn on the number pad.

    Attributes:
        letters: Questions that needed a letter, by key, and what was typed.
    """

    prompts: int
    keys: int
    letters: Mapping[str, str]
    session: SessionController


class _Hand:
    """Replays the entries of another session on the number pad, answer by answer."""

    def __init__(self, session: SessionController, entries: Sequence[Entry]) -> None:
        self.session = session
        self.entries = list(entries)
        self.typed: list[str] = []
        self.letters: dict[str, str] = {}
        self.shown: list[str] = []
        self._after_list = ""
        self._replies: list[Reply] = []
        self._last: Any = None

    def ask(self, prompt: Prompt) -> str:
        pending = self.session.pending
        at = (prompt.text, self.session.history.seq)
        again = at == self._last and (self.typed[-1].isdecimal() if pending is None else self.typed[-1] == "")
        if pending is None and not self.entries and not again:
            raise EOFError
        listed = at == self._last and self.typed[-1] == "/"
        assert at != self._last or again or listed, f"{prompt.text} after {self.typed[-1:]}: " + "\n".join(self.shown[-12:])
        self._last = at
        if listed and pending is not None:
            text = self._after_list
        else:
            text = "" if again else self._action(prompt) if pending is None else self._answer(pending)
            if pending is not None and pending.is_list_hidden and pending.list_numbers(text):
                text, self._after_list = "/", text  # lists the numbers first
        if not PAD.issuperset(text):
            self.letters[pending.key if pending else "action"] = text
        self.typed.append(text)
        return text

    def _action(self, prompt: Prompt) -> str:
        entry = self.entries.pop(0)
        self._replies = list(entry.replies)
        names = [action.id for action in self.session.game.actions]
        usual = re.search(r"\[(\S+)\] action > $", prompt.text)
        numbers = labels([(name,) for name in names])
        return "" if usual and usual[1] == entry.action else numbers[names.index(entry.action)]

    def _answer(self, asked: Request[Any]) -> str:
        at = next((at for at, reply in enumerate(self._replies) if reply.key == asked.key), None)
        assert at is not None, f"{asked.key} was not asked before: {[reply.key for reply in self._replies]}"
        reply = self._replies[at]
        del self._replies[: at + 1]
        if reply.is_random and reply.source == "computer":
            return ""
        if not asked.chance_setting and asked.suggest is not None and asked.check(asked.suggest) == reply.value:
            return ""
        hidden, asked.is_list_hidden = asked.is_list_hidden, False  # it is listed first
        several = list(takewhile(lambda reply: reply.source != "computer", [reply, *self._alike(asked)]))
        text = ("" if asked.kind == "roll" else "+").join(on_pad(asked, reply.value) for reply in several)
        asked.is_list_hidden = hidden
        return text

    def _alike(self, asked: Request[Any]) -> list[Reply]:
        """The replies that are typed together with this one; they are taken off the list."""
        alike = [reply for reply in self._replies if reply.key == asked.key][: getattr(asked, "remaining", 1) - 1]
        for reply in alike:
            self._replies.remove(reply)
        return alike

    def tell(self, lines: Sequence[Any]) -> None:
        self.shown += [line.text for line in lines]


def on_pad(asked: Request[Any], value: Any) -> str:
    """A reply as typed on the number pad; with letters if it must be."""
    rows = {choice.value: label for choice, label in zip(asked.legal_choices(), asked.labels(), strict=False)}
    if isinstance(value, bool):
        return "1" if value else "2"
    if isinstance(value, list | tuple):
        if asked.chance_setting:
            return "".join(map(str, value))
        return "+".join(rows.get(one, one) for one in value) or "0"
    if value in rows:
        return rows[value]
    named = {choice.name.casefold(): rows.get(choice.value, choice.name) for choice in asked.legal_choices()}
    said = str(value).replace(",", " ").replace("+", " ")
    parts = [[named.get(word.casefold(), word) for word in part.split()] for part in said.split(" > ")]
    ways = ("/".join(map("+".join, parts)), *rows.values(), " > ".join(map(" ".join, parts)))
    return next((text for text in ways if _means(asked, text, value)), str(value))


def _means(asked: Request[Any], text: str, value: Any) -> bool:
    with suppress(CompanionError):
        return bool(asked.read(text) == value)
    return False


def padded(turn: Turn, archive: Archive, count: Count) -> Padded:
    """Replay a turn on the number pad: each action by its number, each answer at its question."""
    session = turn.start(archive)
    session.setting(think="0")
    first = session.history.next_number if session.pending is None else session.history.next_number - 1
    hand = _Hand(session, [entry for entry in count.session.history.in_force if entry.number >= first])
    if session.pending is not None:
        hand._replies = list(hand.entries.pop(0).replies)
    Loop(session, hand.ask, hand.tell).play(greet=False)
    assert not hand.entries and session.pending is None, hand.shown[-12:]
    return Padded(len(hand.typed), sum(len(line) + 1 for line in hand.typed), hand.letters, session)

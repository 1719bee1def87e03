"""The terminal: prompt_toolkit reads lines, everything else is written plainly."""

from __future__ import annotations

import asyncio
import os
import select
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cached_property

from prompt_toolkit import PromptSession, auto_suggest, completion, filters, history, layout
from prompt_toolkit.application import get_app
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.styles import Style

from companion.cli.repl.commands import command_choices
from companion.cli.repl.keys import hold_keys
from companion.cli.repl.loop import Loop
from companion.cli.repl.prompt import Interrupted, Prompt, completions
from companion.cli.shell.archives import thinking_cores
from companion.cli.shell.bar import BAR
from companion.cli.shell.output import PENDING, colours, flush, put, width, write
from companion.cli.shell.process import colour_column, is_plain
from companion.cli.shell.screen import read_line, read_pager_key, read_secret
from companion.core.errors import CompanionError
from companion.core.requests import AnyRequest, Choice
from companion.core.text import clean
from companion.session.controller import Result, SessionController
from companion.views.lines import Line, ansi_text, plain_text
from companion.views.question import question_lines
from companion.views.theme import DEFAULT_COLOURS, for_prompt

_POLL_SECONDS = 0.2
"""Seconds between two looks whether the session was changed elsewhere."""
_MENU_TONES = (
    ("completion-menu.completion", ""),
    ("completion-menu.completion.current", "question"),
    ("completion-menu.meta.completion", "dim"),
    ("completion-menu.meta.completion.current", "key"),
)


def _style() -> Style:
    """The colours of the theme.

    The status bar is not reversed: a bar across the screen breaks into two rows when the screen gets narrower, and one of
    them stays.
    """
    column = colour_column()
    menu = [(name, f"{DEFAULT_COLOURS} {for_prompt(tone, column)}".strip()) for name, tone in _MENU_TONES]
    return Style([("bottom-toolbar", "noreverse"), ("completion-menu", DEFAULT_COLOURS), *menu])


class PromptCompleter(completion.Completer):
    """Completes slash commands, and what the current prompt accepts."""

    def __init__(self) -> None:
        self.prompt = Prompt("")

    def get_completions(self, document: Document, complete_event: completion.CompleteEvent) -> Iterable[completion.Completion]:
        """The completions of the text before the cursor."""
        for item in completions(document.text_before_cursor, self.prompt, command_choices()):
            yield completion.Completion(item.value, -item.length, display_meta=item.help)


class Terminal:
    """Asks and tells. The history of typed lines is kept beside the archive."""

    def __init__(self, archive_path: str = "") -> None:
        self.completer = PromptCompleter()
        self.plain_session: PromptSession[str] | None = None
        self._path = archive_path

    @cached_property
    def session(self) -> PromptSession[str]:
        """The line editor; not created on a plain terminal."""
        session: PromptSession[str] = PromptSession(
            history=_history(self._path),
            completer=self.completer,
            complete_while_typing=False,
            reserve_space_for_menu=6,
            auto_suggest=auto_suggest.AutoSuggestFromHistory(),
            style=_style(),
        )
        _always_show_status_bar(session)
        return session

    def ask(self, prompt: Prompt) -> str:
        """Return what was typed. Raises EOFError on Ctrl-D, KeyboardInterrupt on Ctrl-C.

        Answers to prompts without completions (a yes, a page) are not kept in the history.
        """
        if prompt.page:
            return read_pager_key(prompt.text)
        if prompt.secret:
            return read_secret(prompt.text)
        if is_plain():
            return _read_line(prompt)
        if prompt.choices is list:
            self.plain_session = self.plain_session or PromptSession()
            with BAR.paused():
                return self.plain_session.prompt(prompt.text)
        self.completer.prompt = prompt
        self.session.bottom_toolbar = _painter(prompt.status_bar) if prompt.status_bar else None
        session, has_news = self.session, prompt.has_news

        def begin() -> None:
            if has_news is not None:
                session.app.create_background_task(_interrupt_on_news(session, has_news))

        try:
            with BAR.paused():
                return session.prompt(prompt.text, default=prompt.typed, pre_run=begin)
        finally:
            session.app.erase_when_done = False

    def tell(self, lines: Sequence[Line]) -> None:
        write(lines)

    def size(self) -> tuple[int, int]:
        """Rows and columns; no rows on a plain terminal, which has no status bar."""
        if is_plain():
            return 0, width()
        try:
            return os.get_terminal_size().lines, width()
        except OSError:
            return 24, width()


async def _interrupt_on_news(session: PromptSession[str], has_news: Callable[[], bool]) -> None:
    """End the prompt and erase it when the session is changed elsewhere."""
    try:
        while not has_news():
            await asyncio.sleep(_POLL_SECONDS)
        reason: Exception = Interrupted(session.default_buffer.text)
    except CompanionError as error:
        reason = error
    if session.app.future is not None and not session.app.future.done():
        session.app.erase_when_done = True
        session.app.exit(exception=reason)


def _read_line(prompt: Prompt) -> str:
    """Read a line without redrawing anything; raise Interrupted when the session is changed elsewhere."""
    if prompt.has_news is None or os.name == "nt":
        return read_line(prompt.text)
    put((f"Type again what you had begun: {prompt.typed}\n" if prompt.typed else "") + prompt.text)
    flush()
    with BAR.paused():
        while not select.select([sys.stdin], [], [], _POLL_SECONDS)[0]:
            if prompt.has_news():
                put("\n")
                with hold_keys() as keys:
                    raise Interrupted(clean(keys(0)))
    return read_line("")


def _painter(status_bar: Callable[[int, int], Sequence[Line]]) -> Callable[[], ANSI]:
    """Paint the status bar for the size that the screen has then."""

    def paint() -> ANSI:
        size = get_app().output.get_size()
        lines = status_bar(size.rows, size.columns)
        return ANSI(ansi_text(lines, size.columns, colour_column()) if colours() else plain_text(lines, size.columns))

    return paint


def _always_show_status_bar(session: PromptSession[str]) -> None:
    """Show the status bar even on terminals that never report the cursor's row."""
    *_, bar = session.layout.container.get_children()
    if isinstance(bar, layout.ConditionalContainer):
        bar.filter = filters.Condition(lambda: session.bottom_toolbar is not None) & ~filters.is_done


class _SafeHistory(history.FileHistory):
    """The history of typed lines; I/O errors on its file are ignored."""

    def load_history_strings(self) -> Iterable[str]:
        try:
            return list(super().load_history_strings())
        except OSError:
            return []

    def store_string(self, string: str) -> None:
        with suppress(OSError):
            super().store_string(string)


def _history(archive_path: str) -> history.History:
    """The history of typed lines, in memory if its file cannot be written. Only the player may read the file."""
    if not archive_path:
        return history.InMemoryHistory()
    path = archive_path + ".history"
    try:
        os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
    except OSError:
        return history.InMemoryHistory()
    return _SafeHistory(path)


def terminal_loop(session: SessionController, seat: str = "") -> Loop:
    """The prompt loop of a session at the terminal. `seat`: the only one that is played there."""
    session.watch, session.jobs = BAR.show, thinking_cores
    terminal = Terminal(session.archive.path)
    return Loop(session, terminal.ask, terminal.tell, terminal.size, hold_keys, seat)


def finish_entry(session: SessionController, result: Result) -> int:
    """Ask for what an entry still needs; return 0, or 3 if the player left it open."""
    return 0 if terminal_loop(session).finish_entry(result) else PENDING


def ask_once(request: AnyRequest) -> str:
    """Ask one question outside of any session."""
    terminal = Terminal()
    terminal.tell(question_lines(request))
    choices: Callable[[], Sequence[Choice]] = request.legal_choices
    return terminal.ask(Prompt("> ", choices))

"""The real terminal: prompt_toolkit for the line being typed, plain writing for everything else."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cached_property

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, is_done
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.layout import ConditionalContainer
from prompt_toolkit.styles import Style

from companion.cli.repl.commands import meta_choices
from companion.cli.repl.completion import offers
from companion.cli.repl.loop import Loop
from companion.cli.repl.prompt import Prompt
from companion.cli.shell import preferences
from companion.cli.shell.output import PENDING, colours, width, write
from companion.cli.shell.pager import at_a_key, line_of
from companion.core.request import AnyRequest
from companion.core.requests import Choice
from companion.session.controller import Result, SessionController
from companion.views.lines import Line, ansi_text, plain_text
from companion.views.question import question_lines
from companion.views.theme import DEFAULT_COLOURS, for_prompt

_PLACES = (
    ("completion-menu.completion", ""),
    ("completion-menu.completion.current", "question"),
    ("completion-menu.meta.completion", "dim"),
    ("completion-menu.meta.completion.current", "key"),
)
"""What prompt_toolkit draws besides the line that is typed, with the tone of each."""


def _style() -> Style:
    """The colours of the theme. A bar across the whole screen is broken into two rows where the screen gets narrower, and one
    of them would stay, so the foot is none.
    """
    column = preferences.column()
    menu = [(place, f"{DEFAULT_COLOURS} {for_prompt(tone, column)}".strip()) for place, tone in _PLACES]
    return Style([("bottom-toolbar", "noreverse"), ("completion-menu", DEFAULT_COLOURS), *menu])


class Completions(Completer):
    """What TAB offers: the slash commands, or what the prompt says can be typed."""

    def __init__(self) -> None:
        self.prompt = Prompt("")

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """The completions of what stands before the cursor."""
        for offer in offers(document.text_before_cursor, self.prompt, meta_choices()):
            yield Completion(offer.value, -offer.length, display_meta=offer.more)


class Terminal:
    """Asks and tells. The history of what was typed lies beside the archive."""

    def __init__(self, archive_path: str = "") -> None:
        self.completer = Completions()
        self.aside: PromptSession[str] | None = None
        self._path = archive_path

    @cached_property
    def session(self) -> PromptSession[str]:
        """What draws the line that is typed; a plain terminal never sees it."""
        made: PromptSession[str] = PromptSession(
            history=_history(self._path),
            completer=self.completer,
            complete_while_typing=False,
            reserve_space_for_menu=6,
            auto_suggest=AutoSuggestFromHistory(),
            style=_style(),
        )
        _steady(made)
        return made

    def ask(self, prompt: Prompt) -> str:
        """What was typed. Raises EOFError on Ctrl-D, KeyboardInterrupt on Ctrl-C.

        What is typed at a prompt that offers nothing (a yes, a page) is not kept in the history.
        """
        if prompt.page:
            return at_a_key(prompt.text)
        if preferences.plain():
            if prompt.begun:
                write([Line(f"Typed before, and not taken yet: {prompt.begun}", "dim")])
            return line_of(prompt.text)
        if prompt.choices is list:
            self.aside = self.aside or PromptSession()
            return self.aside.prompt(prompt.text, default=prompt.begun)
        self.completer.prompt = prompt
        self.session.bottom_toolbar = _painted(prompt.foot) if prompt.foot else None
        return self.session.prompt(prompt.text, default=prompt.begun)

    def tell(self, lines: Sequence[Line]) -> None:
        write(lines)

    def size(self) -> tuple[int, int]:
        """Rows and columns; of a plain terminal no rows, since nothing stands at its foot."""
        if preferences.plain():
            return 0, width()
        try:
            return os.get_terminal_size().lines, width()
        except OSError:
            return 24, width()


def _painted(foot: Callable[[int, int], Sequence[Line]]) -> Callable[[], ANSI]:
    """The foot as it is at each paint, for the screen as it is then."""

    def paint() -> ANSI:
        size = get_app().output.get_size()
        lines = foot(size.rows, size.columns)
        return ANSI(ansi_text(lines, size.columns, preferences.column()) if colours() else plain_text(lines, size.columns))

    return paint


def _steady(session: PromptSession[str]) -> None:
    """See to it that the foot is there even where a terminal never says on which row it stands."""
    *_, foot = session.layout.container.get_children()
    if isinstance(foot, ConditionalContainer):
        foot.filter = Condition(lambda: session.bottom_toolbar is not None) & ~is_done


class _Kept(FileHistory):
    """The lines typed before, for the player's eyes only; a disk that fails costs the history and nothing else."""

    def load_history_strings(self) -> Iterable[str]:
        try:
            return list(super().load_history_strings())
        except OSError:
            return []

    def store_string(self, string: str) -> None:
        with suppress(OSError):
            super().store_string(string)


def _history(archive_path: str) -> History:
    """The lines typed before; only in memory where their file cannot be written."""
    if not archive_path:
        return InMemoryHistory()
    path = archive_path + ".history"
    try:
        os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
    except OSError:
        return InMemoryHistory()
    return _Kept(path)


def at_terminal(desk: SessionController) -> Loop:
    """The loop of a session at the terminal."""
    from companion.cli.shell.progress import Bar

    desk.watch = Bar().show
    terminal = Terminal(desk.archive.path)
    return Loop(desk, terminal.ask, terminal.tell, terminal.size)


def finish_entry(desk: SessionController, result: Result) -> int:
    """Ask for what an entry still needs. Returns 0, or 3 where the player left it pending."""
    return 0 if at_terminal(desk).finish_entry(result) else PENDING


def ask_once(request: AnyRequest) -> str:
    """One question outside of any session."""
    terminal = Terminal()
    terminal.tell(question_lines(request))
    choices: Callable[[], Sequence[Choice]] = request.legal_choices
    return terminal.ask(Prompt("> ", choices))

"""The prompt loop: reads a line, runs it, shows the result. Independent of the terminal, so that it can be tested."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple, TypeVar

from companion.cli.repl import actions
from companion.cli.repl import prompt as prompts
from companion.cli.repl.commands import Leave, as_slash_commands, further_choices, is_independent, run_command, run_shell_command
from companion.cli.repl.following import Follower
from companion.cli.repl.own_seat import OwnSeat
from companion.cli.repl.prompt import (
    KEY_HELP,
    Ask,
    HoldKeys,
    Interrupted,
    Prompt,
    Tell,
    Tour,
    command_of,
    no_keys,
    shell_command_of,
)
from companion.cli.shell.arguments import parse_line
from companion.cli.shell.output import error_lines, internal_error
from companion.cli.shell.process import release_import_lock, setting
from companion.cli.shell.screen import show_pages
from companion.cli.shell.shared import status_lines
from companion.core.errors import Ambiguous, CompanionError, Illegal, Impossible, Misspelt, SessionMoved, Unreadable
from companion.core.position import Position
from companion.core.requests import AnyRequest, Choice, Confirm, Printed
from companion.core.resolver import Answers
from companion.core.text import clean, matching_names, natural_key, plural
from companion.session.controller import Result, SessionController
from companion.views.banner import banner_with_result
from companion.views.dashboard import field_values, status_bar_height, status_bar_lines
from companion.views.lines import BLANK, Line, row_count, table_lines
from companion.views.news import news_lines, not_sent_line
from companion.views.question import default_text, legal_answer_lines, question_lines, shown_choices
from companion.views.result import placement_lines, play_lines, turn_end_lines

T = TypeVar("T")


class _Menu(NamedTuple):
    """The meanings of an ambiguous word, from which a number picks."""

    line: str
    word: str
    matches: tuple[str, ...]


_PAUSE = 0.3
"""Seconds without a key after which what is typed belongs to the question that came meanwhile."""
_NEWCOMER_ACTIONS = 3
"""A session with fewer actions, set-up included, shows the hint about the tour."""


def _with_slash_commands(line: Line) -> Line:
    """Name commands in a line as they are typed at the prompt."""
    text = as_slash_commands(line.text)
    return line if text == line.text else line._replace(text=text, spans=())


class Loop:
    """Interactive play of a session.

    Args:
        session: The session.
        ask: Shows a prompt and returns what was typed. Raises EOFError at the end, KeyboardInterrupt on Ctrl-C.
        tell: Shows lines.
        size: Rows and columns of the screen; 0 rows for no limit.
        hold_keys: Keeps keys off the screen while it shows what was done elsewhere.
        seat: The seat that is played here; "" for every seat.

    Attributes:
        next_line: A command that is run instead of asking at the next prompt.
    """

    def __init__(
        self,
        session: SessionController,
        ask: Ask,
        tell: Tell,
        size: Callable[[], tuple[int, int]] = lambda: (0, 80),
        hold_keys: HoldKeys = no_keys,
        seat: str = "",
    ) -> None:
        self.session = session
        self._ask = ask
        self.tell: Tell = lambda lines: tell([_with_slash_commands(line) for line in lines])
        self.size = size
        self.next_line = ""
        self._menu: _Menu | None = None
        self._tour: Tour | None = None
        self._shown_question: object = None
        self._numbers_shown: Sequence[str] = ()  # numbers of the question's list that are on the screen
        self._figures: tuple[object, Mapping[str, str]] = (None, {})
        self._waiting: Answers | None = None  # answers by key to questions that were not asked yet
        self._has_warned = False
        self._listed: int | None = None  # the state at which the open actions were listed
        self.pace = setting("pace")
        self._has_played = False  # the last line typed was an answer or an action, so that play may go on by itself
        self._hold_keys = hold_keys
        self._follower = Follower(session)
        self._own_seat = OwnSeat(session, seat)
        self._line = ""  # the part of a line that is being run
        self._typed = ""  # what the next prompt begins with
        self._enter_again: object = None  # a question or an action that a second Enter leaves to Companion or carries out

    # -- the loop ----------------------------------------------------------------------------------------------

    def play(self, greet: bool = True, back: str = "companion play") -> None:
        """Prompt until the player leaves. Everything is saved at every moment.

        Args:
            greet: Begin by showing where play is.
            back: The command that continues the session.
        """
        if greet:
            self.tell(self._without_figures(status_lines(self.session)))
        if len(self.session.history.force) < _NEWCOMER_ACTIONS:
            self.tell([Line("New here? /tour explains each thing as it comes up", "dim")])
        self._mark_question_shown()
        while self.once() or self._stays_for_lost_archive():
            pass
        self.session.archive.require_in_place()
        self.tell([Line(f"Saved: session {self.session.info.name}. Back with: {back}", "dim")])

    def _stays_for_lost_archive(self) -> bool:
        """Say once that the archive was removed or replaced, so that the player can rescue the session before leaving."""
        if self._has_warned or self.session.archive.is_in_place():
            return False
        self._has_warned = True
        what = "the archive was moved, removed or replaced: what was played since is not in it"
        self.tell([Line(what, "warning"), Line("/bundle FILE saves what this window knows; /quit again leaves", "dim")])
        return True

    def finish_entry(self, result: Result) -> bool:
        """Prompt until the open entry is complete or taken back; return False if the player left before."""
        self.show(result)
        while self.session.pending is not None:
            if not self.once():
                return False
        return True

    def once(self) -> bool:
        """Prompt once and run what was typed; return False when the player leaves."""
        try:
            text = self._next_text()
        except EOFError:
            return False
        except KeyboardInterrupt:
            return self._interrupted()
        except Interrupted as interruption:
            self._line, is_entered = interruption.typed, False
        else:
            self._line, self.next_line, is_entered = text, "", True
        seq = self.session.history.seq
        try:
            if (not self._follower.poll() or self._take_news(is_entered)) and is_entered:
                self._run_actions(self._pick_from_menu(self._line))
        except Leave:
            return False
        except EOFError:
            self._stop(seq)
        except KeyboardInterrupt:
            release_import_lock()
            with suppress(CompanionError):
                self.session.reload()  # it may have been stopped between writing and taking over what was written
            self._stop(seq)
        except Ambiguous as error:
            self._show_menu(text, error)
        except SessionMoved as error:
            if not self._follower.has_news:
                self.tell(error_lines(error))
                self.reopen()
            elif self._take_news():
                self.next_line = self._line
        except CompanionError as error:
            self.tell(error_lines(error))
        except Exception as error:  # a fault in a rule must not end the evening; nothing of this line is kept
            self.tell(error_lines(internal_error(error)))
            self.session.refresh()
        self._follower.mark_own()
        return True

    def _next_text(self) -> str:
        """The next line to run: a command that waits, "" where play goes on by itself, else what is typed."""
        goes_on = not self.next_line and self._goes_on_alone()
        if not goes_on:
            self._show_question()
            self._show_actions()
            self._show_tour()
        elif (pending := self.session.pending) is not None:
            self.tell([Line(f"{pending.prompt.rstrip(':')}: {default_text(pending)}", "dim")])
        return "" if goes_on else clean(self.next_line or self._ask(self._prompt()))

    def _take_news(self, is_entered: bool = True) -> bool:
        """Show what was done elsewhere; return True if the line means the same as before.

        Args:
            is_entered: The line was entered. If it was not, or the same question is open on a changed table, it comes back at the
                next prompt; a line to another question does not.
        """
        news, line = self._follower.news(), self._line
        assert news is not None
        if news.in_use:
            self.tell(
                [Line(f"Elsewhere - {news.in_use} is the session in use now; here you play {self.session.info.name}", "reminder")]
            )
        if news.is_same_place:
            self.tell(news_lines(self.session, news.rows, news.question))
            self._follower.mark_seen()
            self._shown_question, self._typed = self._question_id(), "" if is_entered else line
            self._listed = None if self.session.pending else self.session.history.seq
            return True
        with self._hold_keys() as keys:
            line += keys(0)  # before a page can take them
            waiting = self._waiting.unused() if self._waiting else []
            self._menu, self._enter_again, self._has_played = None, None, False
            self.tell([BLANK, *news_lines(self.session, news.rows, news.question)])
            self._show_result(news.result)
            self._follower.mark_seen()
            self._show_question()
            self._show_actions()
            line = clean(line + keys(_PAUSE))
        if is_entered and is_independent(line):
            return True
        if news.is_same_question:
            self._typed = line
        elif line or is_entered or waiting:
            self.tell([not_sent_line([*filter(None, [line]), *waiting] or ["Enter"], news.rows, news.question)])
        return False

    def _stop(self, seq: int) -> None:
        """Report that a line was stopped. `seq`: the end of the log before it."""
        self._has_played = False
        is_kept = self.session.history.seq != seq
        self.tell([Line("Stopped: what was done before is kept. See /status" if is_kept else "Nothing done", "dim")])

    def _show_actions(self) -> None:
        """List the actions that are open, on a screen, once each time an action is asked for, unless the player turned it off."""
        state = None if self.session.pending else self.session.history.seq
        is_new, self._listed = state is not None and state != self._listed, state
        if not is_new or self.next_line or not self.size()[0] or setting("actions") == "off" or self._own_seat.waits_for():
            return
        self.tell(actions.open_action_lines(self.session, self.size()[1]))

    def _is_computer_turn(self, position: Position) -> bool:
        game = self.session.game
        return not game.over(position) and game.players.is_computer_turn(position, self.session.options)

    def _goes_on_alone(self) -> bool:
        """True if only Enter is needed in the opponent's part of a turn, and the pace is `never`.

        Not behind a command: what was undone would be done again. Not twice at the same place: a refusal waits for the player.
        """
        session, pending = self.session, self.session.pending
        if self.pace != "never" or not self._has_played or not self._is_computer_turn(session.position):
            return False
        self._has_played = False
        if pending is None:
            return bool(actions.usual_action(self.session))
        players = session.game.players
        asked = players.asked_seat(pending, players.acting_seat(session.position) if players.seats_alternate else "")
        return pending.suggest is not None and not pending.chance_setting and players.is_computer(asked, session.options)

    def start_tour(self) -> None:
        """Explain each thing as it comes up, for a few actions."""
        self._tour = Tour(self.session)

    def _show_tour(self) -> None:
        if self._tour is not None:
            self.tell(self._tour.lines(actions.usual_action(self.session)))
            self._tour = None if self._tour.over else self._tour

    # -- what was typed ----------------------------------------------------------------------------------------

    def _run_actions(self, text: str) -> None:
        """Run a line, or several actions with `&` between them, each when the one before is done."""
        is_command = command_of(text) is not None or shell_command_of(text) is not None
        can_act = self.session.pending is None and not is_command
        first, *rest = [part.strip() for part in text.split(" & ")] if can_act else [text]
        while True:
            self._line = first
            seq, remaining = self.session.history.seq, " & ".join(rest)
            try:
                self._run_line(first)
            except CompanionError:
                if rest:
                    self.tell([Line(f"Not done: {remaining}", "reminder")])
                raise
            if not rest:
                return
            if self.session.pending is not None or self.session.history.seq == seq:
                self.tell([Line(f"Not done: {remaining}", "reminder")])
                return
            first = rest.pop(0)

    def _run_line(self, text: str) -> None:
        entered, self._enter_again, self._has_played = self._enter_again, None, False
        if (command := command_of(text)) is not None:
            if text in prompts.LIST_KEYS and self.session.pending is not None and self.session.pending.accepts_list:
                self.tell([Line(prompts.LIST_KEYS[text], "dim")])
            run_command(self, command)
        elif (shell_command := shell_command_of(text)) is not None:
            run_shell_command(self, shell_command)
        elif self._own_seat.waits_for() and prompts.is_bare_command(text):
            run_command(self, text)
        else:
            seq, text = self.session.history.seq, self._own_seat.check(prompts.without_shell(text))
            if (pending := self.session.pending) is not None and pending.sealed:
                self._reply_sealed(text, pending)
            elif pending is not None:
                self._reply(text, pending, entered)
            else:
                self._act(text, entered)
            self._has_played = self.session.history.seq != seq

    def _reply(self, text: str, request: AnyRequest, entered: object) -> None:
        """Answer the open question. `entered`: what a second Enter does."""
        is_left_to_companion = not (text or request.waits_for) and bool(request.chance_setting) and request.can_be_automatic()
        if is_left_to_companion and entered != self._question_id():
            self._enter_again = self._question_id()
            self.tell([Line(f"Enter again: Companion {request.kind}s. Or: {request.expects()}", "dim")])
            return
        try:
            self._check_numbers_shown(request, text)
            if is_left_to_companion:
                self.tell([Line(f"Companion {request.kind}s", "dim")])
            self._send_reply(text, self._waiting)
        except Ambiguous:
            raise
        except Unreadable as error:
            if not text:
                self.page(self.legal_lines())
                return
            if prompts.is_bare_command(text):
                run_command(self, text)
                return
            first, following = prompts.split_answers(request, text)
            if not first:
                self.tell(error_lines(prompts.with_first_answer(error, request, text)))
                return
            self._check_numbers_shown(request, first)
            series = [value for key, value in following.keyed if key == request.key]
            taken = f"in this order: {', '.join([first, *series])}" if series else f"{request.prompt.rstrip(':')}: {first}"
            self.tell([Line(taken, "dim", "", "Taken - ")])
            self._send_reply(first, prompts.joined(following, self._waiting))

    def _reply_sealed(self, text: str, request: AnyRequest) -> None:
        """Answer a part of a sealed question. Nothing that was typed is shown, not even a word that is no answer."""
        if prompts.is_readable(request, text):
            self._send_reply(text, None)
        elif not prompts.is_bare_command(text):
            raise Unreadable("that is no answer", rule=request.rule, cure=request.expects())
        else:
            run_command(self, text)

    def _check_numbers_shown(self, request: AnyRequest, text: str) -> None:
        """Refuse the number of a list item that is not on the screen. Raises Unreadable."""
        unseen = [number for number in request.list_numbers(text) if number not in self._numbers_shown]
        if unseen:
            cure = f"? shows the list with its numbers. {request.expects()}"
            raise Unreadable(f"'{clean(text)}': no list with number {unseen[0]} is on the screen", rule=request.rule, cure=cure)

    def _send_reply(self, text: str, waiting: Answers | None) -> None:
        self.show(self.insist(lambda anyway: self.session.reply(text, anyway, waiting)))

    def _act(self, text: str, entered: object) -> None:
        """Begin an action; the usual one by Enter, or by an answer to its first question. `entered`: what a second Enter does."""
        usual = actions.usual_action(self.session)
        if not text and isinstance(entered, str):
            text = entered
        action, rest = actions.split_action(self.session, text or usual)
        if not action:
            self.page(self.legal_lines())
            return
        names = matching_names(action, self.session.game.action_names(action))
        if not names and prompts.is_bare_command(action):
            run_command(self, text)
            return
        action = names[0] if len(names) == 1 else action
        answers = parse_line(rest if names else text)
        if names:
            self._answers_first_question(action, answers)
        elif usual and self._answers_first_question(usual, answers):
            self._require_own_luck(usual, text)
            action = usual
        else:
            action, rest = actions.split_title(self.session, text)
            answers = parse_line(rest)
            self._answers_first_question(action, answers)
        if text.isdecimal() and any(item.ends for item in self.session.game.actions if item.id == action):
            self._enter_again = action
            self.tell([Line(f"{text} is {action}, which ends a phase or turn. Enter again does it; or type its name", "dim")])
            return
        try:
            result = self.insist(lambda anyway: self.session.do(action, answers.copy(), anyway, partial=True))
            self.show(result._replace(taken=()) if result and len(answers.plain) < 2 else result)
        except Ambiguous:
            raise
        except Unreadable as error:
            if isinstance(error, Misspelt) and len(error.similar) == 1 and error.text in rest:
                self._enter_again = f"{action} {rest.replace(error.text, error.similar[0], 1)}"
                error.cure = f"Did you mean {error.similar[0]}? Enter does: {self._enter_again}"
                raise
            if action not in actions.action_names(self.session) and not self.session.game.action_hint(action):
                error.cure = f"{error.cure if isinstance(error, Misspelt) else ''} These are open:".lstrip()
                self.tell([*error_lines(error), *actions.open_action_lines(self.session, self.size()[1])])
                return
            if line := prompts.with_semicolons(self.session, action, rest):
                error.cure = f"One answer at a time; several like this: {line}"
            raise

    def _answers_first_question(self, action: str, answers: Answers) -> bool:
        """True if the first part of a line answers the first question of an action; it then has the key of that question."""
        first = answers.plain[0] if answers.plain else ""
        request = self.session.first_question(action) if first else None
        if request is None or isinstance(request, Confirm | Printed):
            return False
        if request.list_numbers(first) or not prompts.is_readable(request, first):
            return False
        answers.keyed.insert(0, (request.key, answers.plain.pop(0)))
        return True

    def _require_own_luck(self, action: str, text: str) -> None:
        """Refuse what Companion rolls or draws if the action was not typed: a wrong word would be the card that is turned up.

        Raises Unreadable.
        """
        request = self.session.first_question(action)
        if request is not None and actions.is_automatic(self.session, request):
            cure = f"If you did it on the table: {action} {text}; or always: /{request.chance_setting} physical"
            raise Unreadable(f"'{clean(text)}' is not taken: Companion {request.kind}s", rule=request.rule, cure=cure)

    def insist(self, call: Callable[[bool], T], refused: type[CompanionError] = Illegal) -> T | None:
        """Make a call; if it raises what can be insisted on, ask whether to record it anyway.

        Returns:
            The result; None if the player did not insist. Anything but yes or no is the next line.
        """
        try:
            return call(False)
        except Impossible:
            raise
        except refused as error:
            self.tell(error_lines(error))
            help_text = "y or 1: record it against the rule. n, 0 or Enter: not"
            typed = self.ask_line(Prompt("Record it anyway? (y/N) "), help_text) or ""
            if typed.casefold() in ("y", "yes", "1"):
                return call(True)
            if typed.casefold() not in ("", "n", "no", "0", "2"):
                self.next_line = typed
            return None

    def _interrupted(self) -> bool:
        """Handle Ctrl-C: at a question, keep it for later or take its action back; elsewhere show a hint."""
        self._menu = None
        if self.session.pending is None:
            self.tell([Line("Ctrl-D or /quit leaves; everything is saved", "dim")])
            return True
        prompt = Prompt("Keep it for later and leave (k), take it back (t), or go on (Enter)? > ")
        try:
            answer = self.ask_line(prompt, "k: leave, the question stays open. t: take the whole action back") or ""
        except (EOFError, KeyboardInterrupt):
            return False
        if answer.casefold() == "t":
            self.next_line = "/abort"
        elif answer.casefold() != "k":
            self.next_line = answer or self.next_line
        return answer.casefold() != "k"

    # -- ambiguity ---------------------------------------------------------------------------------------------

    def _show_menu(self, text: str, error: Ambiguous) -> None:
        """Show a numbered menu of the meanings of an ambiguous word."""
        titles = {action.id: f"{action.title} [{action.rule}]" for action in self.session.game.actions}
        are_actions = set(error.matches) <= set(titles) and self.session.pending is None
        matches = tuple(sorted(error.matches, key=natural_key)) if are_actions else error.matches
        self._menu = _Menu(text, error.text, matches)
        shown_titles = titles if are_actions else {}
        listed = [(f"{number:>2}", match, shown_titles.get(match, "")) for number, match in enumerate(matches, 1)]
        rows = table_lines(listed, "", "  ")
        self.page([Line(f"'{error.text}' could be:", "question"), *rows, Line("Type a number, or a few letters more", "dim")])

    def _pick_from_menu(self, text: str) -> str:
        """The line, with the ambiguous word replaced, if a number of the menu was typed."""
        menu, self._menu = self._menu, None
        if menu is None or not text.isdecimal() or not 1 <= int(text) <= len(menu.matches):
            return text
        match = menu.matches[int(text) - 1]
        if menu.line == menu.word or menu.word not in menu.line:
            return match
        is_answer = self.session.pending is not None and not menu.line.startswith("/")
        return menu.line.replace(menu.word, match if is_answer else shlex.quote(match), 1)

    # -- showing -----------------------------------------------------------------------------------------------

    def show(self, result: Result | None) -> None:
        """Show what happened, on one screen with the next question; after a complete action, with the banner."""
        if result is None:
            return
        self._follower.mark_seen()
        self._show_result(result)

    def _show_result(self, result: Result) -> None:
        self._waiting = result.left if result.pending else None
        unseen = [f"'{part}'" for part in (self._waiting.plain if self._waiting else ()) if result.fault is None]
        dropped = self._waiting.drop_series(result.pending) if self._waiting and result.fault else []
        if self._waiting:
            self._waiting.plain.clear()
        session = self.session
        turn_end = turn_end_lines(session, result)
        following = self._question_lines(session.pending) if session.pending else []
        if result.done or (not session.pending and not result.events):
            following = self._banner_lines(bool(turn_end) and not session.game.over(result.before))
        rows, columns = self.size()
        lines = play_lines(session, result)
        if result.fix:
            self.page(lines)
        elif self.pace == "line" and rows and self._is_computer_turn(result.before):
            self.page(lines, by_line=True)
        else:
            if rows and result.done:
                lines += placement_lines(session, result, rows, columns)
            self.tell([*lines, *self._scrolled_hint(lines, following)])
        if turn_end:
            self.page(turn_end)
        if not session.pending:
            self.tell([BLANK, *following] if lines else following)
        if unseen:
            why = "this question was not on the screen when you typed it"
            self.tell([Line(f"Not taken: {', '.join(unseen)}: {why}", "reminder")])
        unused = result.left.unused() if result.left and not result.pending else []
        if unused:
            self.tell([Line(f"Not asked for: {', '.join(unused)}", "reminder")])
        if result.fault:
            behind = f", those behind it are not: {', '.join(dropped)}" if dropped else ""
            self.tell([*error_lines(result.fault), Line(f"The answers before it are kept{behind}", "dim")])

    def ask_request(self, request: AnyRequest) -> str:
        """Ask a question that belongs to no entry."""
        self.tell(self._question_lines(request))
        typed = self.ask_line(Prompt("> ", request.legal_choices), "", request)
        if typed is None:
            raise KeyboardInterrupt
        return typed

    def ask_line(self, prompt: Prompt, help_text: str, request: AnyRequest | None = None) -> str | None:
        """Ask for something within a command.

        Args:
            help_text: What ``?`` shows.
            request: The question, if it is one of the rules.

        Returns:
            What was typed; None if the player went back, or typed a command, which is run next.
        """
        while True:
            typed = clean(self._ask(prompt))
            command = command_of(typed) or shell_command_of(typed)
            if command == "answers":
                self.tell(legal_answer_lines(request, self.size()[1]) if request else [Line(help_text), Line(KEY_HELP, "dim")])
            elif command == "odds":
                self.tell([Line("There are no odds here", "dim")])
            elif command is None:
                return typed
            else:
                self.next_line = "" if command == "back" else typed
                self.tell([Line("Nothing done", "dim")])
                return None

    def page(self, lines: Sequence[Line], by_line: bool = False, later: Callable[[], Sequence[Line]] | None = None) -> None:
        """Show lines by screens, or one by one. `q`, `-` or Ctrl-C stops; a command is run next, and anything else is dropped.

        A question that was not shown yet may follow, so that nothing typed here is an answer.
        """
        rows, columns = self.size()
        room = 1 if by_line else max(rows - 2, 4) if rows else 0
        typed = show_pages(lines, room, columns, self.tell, lambda text: self._ask(Prompt(text, page=True)), later)
        command = command_of(typed)
        if command == "back":
            return  # out of the pages only
        if command is not None or shell_command_of(typed) is not None:
            self.next_line = typed
        elif typed:
            self.tell([Line(f"Not taken: '{typed}', typed while this was shown. Type it again", "reminder")])

    def _banner_lines(self, has_result: bool = False) -> list[Line]:
        """Where play is, between two actions, without the result of the game if that was just shown."""
        session = self.session
        return self._without_figures(banner_with_result(session.game, session.position, session.options, has_result))

    def _without_figures(self, lines: Sequence[Line]) -> list[Line]:
        """Drop the figures if the status bar shows them."""
        return [line for line in lines if line.tone != "track" or not self.size()[0]]

    def _scrolled_hint(self, lines: Sequence[Line], following: Sequence[Line]) -> list[Line]:
        """A hint if the first lines have scrolled off the screen."""
        rows, columns = self.size()
        scrolled = row_count([*lines, *following], columns) + status_bar_height(rows, columns) + 3 - rows
        if not (rows and lines) or scrolled <= 0:
            return []
        return [Line(f"The first {plural(scrolled, 'row has', 'rows have')} scrolled off the screen: /why shows them", "dim")]

    def reopen(self) -> None:
        """Read the session again, because another process has changed it."""
        self.session.refresh()
        self._waiting = None
        self.tell(status_lines(self.session))
        self._mark_question_shown()

    def _mark_question_shown(self) -> None:
        self._shown_question, pending = self._question_id(), self.session.pending
        self._numbers_shown = ()
        if pending:
            self._numbers_shown = pending.labels()[: shown_choices(pending, self.size()[1])]
            pending.is_list_hidden = not self._numbers_shown

    def _question_id(self) -> object:
        pending = self.session.pending
        return None if pending is None else (pending.key, pending.prompt, self.session.history.seq)

    def _show_question(self) -> None:
        """Show the open question once; not again after a typing error or a look at something else."""
        question = self._question_id()
        if self.session.pending is not None and question != self._shown_question:
            self.tell(self._question_lines(self.session.pending))
            self._mark_question_shown()
        self._shown_question = question

    def _question_lines(self, request: AnyRequest) -> list[Line]:
        return question_lines(request, self.size()[1], prompted=True)

    def legal_lines(self) -> list[Line]:
        """What `?` lists: all answers, or all actions."""
        pending = self.session.pending
        if pending is not None:
            self._numbers_shown, pending.is_list_hidden = pending.labels(), False
            return [*question_lines(pending)[:1], *legal_answer_lines(pending, self.size()[1]), Line(KEY_HELP, "dim")]
        rows = actions.action_list_lines(self.session)
        return [*rows, Line("/ lists the slash commands; /help says what they do", "dim")]

    # -- the prompt --------------------------------------------------------------------------------------------

    def _prompt(self) -> Prompt:
        pending, name = self.session.pending, self._own_seat.prompt_name()
        name, other = f"{name} " if name else "", self._own_seat.waits_for()
        waiting = f"{name}waits for {self._own_seat.title(other)} > " if other else ""
        if pending is None:
            usual = actions.usual_action(self.session)
            text = waiting or f"{name}[{usual or '?'}] action > "
            return self._following(Prompt(text, lambda: self._first_words(usual), True, self._further, self._status_bar()))
        text, secret = waiting or name + prompts.question_text(pending), pending.sealed is not None
        prompt = Prompt(text, pending.legal_choices, False, self._further, self._status_bar(), secret=secret)
        return self._following(prompt)

    def _following(self, prompt: Prompt) -> Prompt:
        """The prompt with what it begins with, and how it notices what is done elsewhere."""
        typed, self._typed = self._typed, ""
        return prompt._replace(typed=typed, has_news=self._follower.poll)

    def _first_words(self, usual: str) -> Sequence[Choice]:
        """Completions of a first word: the actions, and what the player can answer to the first question of the usual one."""
        request = self.session.first_question(usual) if usual else None
        is_own = request is not None and not actions.is_automatic(self.session, request)
        return [*actions.action_choices(self.session), *(request.legal_choices() if request and is_own else ())]

    def _status_bar(self) -> Callable[[int, int], Sequence[Line]] | None:
        """The status bar for the next prompt; None without a screen."""
        if not self.size()[0]:
            return None
        session = self.session
        banner, figures, pending = session.game.banner(session.position, session.options), self._figures_before(), session.pending
        return lambda rows, columns: status_bar_lines(banner, figures, pending, rows, columns)

    def _figures_before(self) -> Mapping[str, str]:
        """The figures of the banner before the open or last action."""
        history = self.session.history
        if history.seq != self._figures[0]:
            figures: dict[str, str] = {}
            if len(history.force) > 1:  # before the set-up there are none
                position = history.position(before=history.force[-1])
                figures = field_values(self.session.game.banner(position, self.session.options))
            self._figures = (history.seq, figures)
        return self._figures[1]

    def _further(self, line: str) -> Sequence[Choice]:
        """Completions after some words: of a slash command, or of an action's next question."""
        if line.startswith("/"):
            return further_choices(self, line[1:])
        words, key = prompts.split_key(line)
        name, rest = actions.split_action(self.session, " ".join(words))
        names = matching_names(name, actions.action_names(self.session))
        return prompts.action_choices(self.session, names[0], parse_line(rest), key) if len(names) == 1 else ()

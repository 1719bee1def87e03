"""The loop at the table: a prompt, what is typed at it, and what comes of it. It knows no terminal, so it can be tested."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from companion.cli.repl.commands import KEYPAD, Leave, at_table, meta_further, run_meta
from companion.cli.repl.completion import of_action, parted
from companion.cli.repl.prompt import Ask, Prompt, Tell
from companion.cli.repl.tour import Tour
from companion.cli.shell.arguments import split, spoken
from companion.cli.shell.output import failure, fault_lines
from companion.cli.shell.pager import paged
from companion.cli.shell.status import status_lines
from companion.core.errors import Ambiguous, CompanionError, Illegal, Impossible, SessionMoved, Unreadable
from companion.core.request import AnyRequest
from companion.core.requests import Choice, Choose, Printed, Roll, Text
from companion.core.resolver import Answers, count_understood
from companion.core.text import clean, labels, matching_names, natural_key
from companion.session.controller import Result, SessionController
from companion.views.banner import banner_with_result
from companion.views.lines import BLANK, Line, row_count, table_lines
from companion.views.question import legal_answer_lines, prompt_default, question_lines
from companion.views.result import placement_lines, play_lines
from companion.views.status_bar import field_values, status_bar_height, status_bar_lines
from companion.views.summary import turn_end_lines


class _Menu(NamedTuple):
    """Something ambiguous that was typed, and what it may mean: a number picks."""

    line: str
    part: str
    matches: tuple[str, ...]


_BARE = ("help", "quit", "exit", "q", "undo", "redo", "back", "save", *KEYPAD)
"""Commands of the table that need no slash where nothing else has their name: those that a newcomer types so."""


def _bare(text: str) -> bool:
    return text.strip().casefold().split(" ")[0] in _BARE


def _at_table(line: Line) -> Line:
    """A line with the commands as they are typed at the table."""
    text = at_table(line.text)
    return line if text == line.text else line._replace(text=text, spans=())


_NEW = 3
"""Actions, the set-up among them, below which a session has only begun."""


class Loop:
    """Play at the table.

    Args:
        desk: the session.
        ask: shows a prompt and returns what was typed. Raises EOFError at the end, KeyboardInterrupt on Ctrl-C.
        tell: shows lines.
        size: rows and columns of the screen; (0, 80) for no limit.
    """

    def __init__(
        self, desk: SessionController, ask: Ask, tell: Tell, size: Callable[[], tuple[int, int]] = lambda: (0, 80)
    ) -> None:
        self.desk = desk
        self._ask = ask
        self.tell: Tell = lambda lines: tell([_at_table(line) for line in lines])
        self.size = size
        self._menu: _Menu | None = None
        self._tour: Tour | None = None
        self._asked: object = None
        self.ahead = ""
        self._begun = ""
        self._before: tuple[object, Mapping[str, str]] = (None, {})
        self._waiting: Answers | None = None

    # -- the loop ----------------------------------------------------------------------------------------------

    def play(self, greet: bool = True, back: str = "companion play") -> None:
        """Prompt until the player leaves. Everything is saved at every moment.

        Args:
            greet: begin with where play is; not where that was just shown.
            back: the command that goes on with it.
        """
        if greet:
            self.tell(self._without_figures(status_lines(self.desk)))
        if len(self.desk.history.force) < _NEW:
            self.tell([Line("New here? /tour says a word on each thing as it comes up, for one turn", "dim")])
        self._asked = self._question_mark()
        while self.once():
            pass
        self.tell([Line(f"Saved: session {self.desk.info.name}. Back with: {back}", "dim")])

    def finish_entry(self, result: Result) -> bool:
        """Prompt until the open entry is complete or taken back; False where the player left before."""
        self.show(result)
        while self.desk.pending is not None:
            if not self.once():
                return False
        return True

    def once(self) -> bool:
        """One prompt and all that comes of it; False when the player leaves."""
        self._show_question()
        self._guide()
        try:
            text = clean(self.ahead or self.ask(self._prompt()))
        except EOFError:
            return False
        except KeyboardInterrupt:
            return self._interrupted()
        self.ahead = ""
        try:
            self._in_turn(self._picked(text))
        except Leave:
            return False
        except (EOFError, KeyboardInterrupt):
            self.tell([Line("Nothing done", "dim")])
        except Ambiguous as fault:
            self._offer(text, fault)
        except SessionMoved as fault:
            self.tell(fault_lines(fault))
            self.reopen()
        except CompanionError as fault:
            self.tell(fault_lines(fault))
        except Exception as fault:  # a fault in a rule must not end an evening at the table: nothing of this line is kept
            self.tell(fault_lines(failure(fault)))
            self.desk.refresh()
        return True

    def tour(self) -> None:
        """Begin to say a word on each thing as it comes up, for the length of a turn."""
        self._tour = Tour(self.desk)

    def _guide(self) -> None:
        """What the tour says here."""
        if self._tour is not None:
            self.tell(self._tour.lines())
            self._tour = None if self._tour.over else self._tour

    def _in_turn(self, text: str) -> None:
        """Several actions in one line, with ``&`` between them, each once the one before is done; anything else as it is."""
        free = self.desk.pending is None and not text.startswith("/")
        first, *rest = [part.strip() for part in text.split(" & ")] if free else [text]
        while True:
            before, waits = self.desk.history.seq, " & ".join(rest)
            try:
                self._take(first)
            except CompanionError:
                self._later(waits)
                raise
            if not rest:
                return
            if self.desk.pending is not None or self.desk.history.seq == before:
                self.tell([Line(f"Not done: {waits}", "reminder")])
                return
            first = rest.pop(0)

    def _take(self, text: str) -> None:
        if text.startswith("/") and text not in ("/?", "/+"):
            run_meta(self, text[1:])
        elif text in ("?", "+", "/?", "/+"):
            self.page(self._legal())
        elif self.desk.pending is not None:
            self._reply(text)
        else:
            self._act(text)

    def _reply(self, text: str) -> None:
        try:
            self._give(text, self._waiting)
        except Unreadable:
            asked = self.desk.pending
            first, behind = several(asked, text, self._waiting)
            if first:
                self._give(first, behind)
                return
            if not _bare(text) or (asked and asked.accepts_list and text in KEYPAD):
                raise
            run_meta(self, text)

    def _give(self, text: str, waiting: Answers | None) -> None:
        self.show(self.insist(lambda anyway: self.desk.reply(text, anyway, waiting)))

    def _act(self, text: str) -> None:
        """Take an action; a bare Enter is the usual one, and what answers its first question is said to it. Where none is usual,
        Enter names those that are open.
        """
        usual = self._usual()
        action, rest = self._split(text or usual)
        if not action:
            able = ", ".join(item.value for item in self._actions() if not item.hint)
            self.tell([Line(f"Enter alone takes no action here. Open: {able}; ? says what they are", "dim")])
            return
        known = matching_names(action, self._names())
        if not known and _bare(action):
            run_meta(self, text)
            return
        said = spoken(rest if known or not usual else split(text))
        if not known and usual and self._begins(usual, said):
            action = usual
        self.show(self.insist(lambda anyway: self.desk.do(action, said.copy(), anyway, partial=True)))

    def _begins(self, action: str, said: Answers) -> bool:
        """Whether what was said answers the first question of an action; then it is said to that."""
        asked = self.desk.first_question(action)
        if asked is None or not said.plain or not count_understood(asked, said.plain):
            return False
        said.keyed.insert(0, (asked.key, " ".join(said.plain)))
        said.plain.clear()
        return True

    def _names(self) -> list[str]:
        return [action.id for action in self.desk.game.actions]

    def _usual(self) -> str:
        """The action that a bare Enter takes now; "" for none."""
        usual = self.desk.game.default_action(self.desk.position)
        return usual if usual and not self.desk.game.obstacle_to(usual, self.desk.position) else ""

    def _split(self, text: str) -> tuple[str, list[str]]:
        """The action, by the number beside it or of as many words as fit one, and the answers behind it."""
        words = split(text) or [""]
        names = self._names()
        for many in range(len(words), 1, -1):
            if matching_names(" ".join(words[:many]), names):
                return " ".join(words[:many]), words[many:]
        numbered = dict(zip(labels([(name,) for name in names]), names, strict=True))
        return numbered.get(words[0], words[0]), words[1:]

    def insist(self, call: Callable[[bool], Result]) -> Result | None:
        """Make a call; where the rules say no, ask whether to record it anyway. None: the player did not insist, and
        what was typed instead of a yes or no is the next line.
        """
        try:
            return call(False)
        except Impossible:
            raise
        except Illegal as fault:
            self.tell(fault_lines(fault))
            typed = self.ask(Prompt("Record it anyway? (y/N) ")).strip()
            if typed.casefold() in ("y", "yes", "1"):
                return call(True)
            if typed.casefold() not in ("n", "no", "2"):
                self._later(typed)
            return None

    def _interrupted(self) -> bool:
        """Ctrl-C: at a question, keep it for later or take its entry back; elsewhere only a hint."""
        self._menu = None
        if self.desk.pending is None:
            self.tell([Line("Ctrl-D or /quit leaves; everything is saved", "dim")])
            return True
        try:
            answer = self.ask(Prompt("Keep it for later and leave (k), take it back (t), or go on (Enter)? > ")).strip()
        except (EOFError, KeyboardInterrupt):
            return False
        if answer.casefold() == "t":
            self.show(self.desk.abort())
        elif answer.casefold() != "k":
            self._later(answer)
        return answer.casefold() != "k"

    # -- ambiguity ---------------------------------------------------------------------------------------------

    def _offer(self, text: str, fault: Ambiguous) -> None:
        """A numbered menu of what an ambiguous word may mean."""
        titles = {action.id: f"{action.title} [{action.rule}]" for action in self.desk.game.actions}
        actions = set(fault.matches) <= set(titles) and self.desk.pending is None
        matches = tuple(sorted(fault.matches, key=natural_key)) if actions else fault.matches
        self._menu = _Menu(text, fault.text, matches)
        rows = table_lines(
            [(f"{number:>2}", match, titles[match] if actions else "") for number, match in enumerate(matches, 1)], "", "  "
        )
        self.page([Line(f"'{fault.text}' could be:", "question"), *rows, Line("Type a number, or a few letters more", "dim")])

    def _picked(self, text: str) -> str:
        """What was typed, with a number out of the menu put where the ambiguous word stood."""
        menu, self._menu = self._menu, None
        if menu is None or not text.isdecimal() or not 1 <= int(text) <= len(menu.matches):
            return text
        match = menu.matches[int(text) - 1]
        if menu.line == menu.part or menu.part not in menu.line:
            return match
        whole = self.desk.pending is not None and not menu.line.startswith("/")
        return menu.line.replace(menu.part, match if whole else shlex.quote(match), 1)

    # -- showing -----------------------------------------------------------------------------------------------

    def show(self, result: Result | None) -> None:
        """What happened, on one screen with the question that follows; after a complete entry, the banner."""
        if result is None:
            return
        self._waiting = result.left if result.pending else None
        desk = self.desk
        ended = turn_end_lines(desk, result)
        after = self._question(desk.pending) if desk.pending else []
        if result.done or (not desk.pending and not result.events):
            after = self._where(bool(ended) and not desk.game.over(result.before))
        rows, columns = self.size()
        lines = play_lines(desk, result)
        if result.fix:
            self.page(lines)
        else:
            if rows and result.done:
                lines += placement_lines(desk, result, rows, columns)
            self.tell([*lines, *self._gone(lines, after)])
        if ended:
            self.page(ended)
        if not desk.pending:
            self.tell([BLANK, *after] if lines else after)
        unused = result.left.unused() if result.left and not result.pending else []
        if unused:
            self.tell([Line(f"Not asked for: {', '.join(unused)}", "reminder")])
        if result.fault:
            self.tell([*fault_lines(result.fault), Line("What was typed before it is kept", "dim")])

    def ask_request(self, request: AnyRequest) -> str:
        """A question that belongs to no entry."""
        self.tell(self._question(request))
        return self.ask(Prompt("> ", request.legal_choices))

    def page(self, lines: Sequence[Line]) -> None:
        """Show lines a screen at a time; ``q`` or Ctrl-C stops, and anything else that is typed waits for the next prompt."""
        rows, columns = self.size()
        room = max(rows - 2, 4) if rows else 0
        self._later(paged(lines, room, columns, self.tell, lambda text: self._ask(Prompt(text, page=True))))

    def ask(self, prompt: Prompt) -> str:
        """Show a prompt, with what was typed at the one before and did not answer it. Raises as ``Ask`` does."""
        begun, self._begun = self._begun, ""
        return self._ask(prompt._replace(begun=begun))

    def _later(self, typed: str) -> None:
        """What was typed where something else was asked: a command is carried out, anything else stands at the next prompt, where
        Enter gives it, lest it answer a question that nobody had seen.
        """
        self.ahead, self._begun = (typed, "") if typed.startswith("/") else ("", typed)

    def _where(self, counted: bool = False) -> list[Line]:
        """Where play is, between two actions: without its figures where those stand at the foot of the screen, and without the
        verdict where the game has just been ``counted``.
        """
        desk = self.desk
        return self._without_figures(banner_with_result(desk.game, desk.position, desk.options, counted))

    def _without_figures(self, lines: Sequence[Line]) -> list[Line]:
        """Lines without the banner's figures, where those stand at the foot of the screen."""
        return [line for line in lines if line.tone != "track" or not self.size()[0]]

    def _gone(self, lines: Sequence[Line], after: Sequence[Line]) -> list[Line]:
        """A word on the head of what has gone off the screen, whose end is on it."""
        rows, columns = self.size()
        gone = row_count([*lines, *after], columns) + status_bar_height(rows, columns) + 3 - rows
        if not rows or gone <= 0:
            return []
        return [Line(f"The first {gone} rows have gone off the screen: /why shows them", "dim")]

    def reopen(self) -> None:
        """Read the session anew, because somebody else has played on."""
        self.desk.refresh()
        self._waiting = None
        self.tell(status_lines(self.desk))
        self._asked = self._question_mark()

    def _question_mark(self) -> object:
        pending = self.desk.pending
        return None if pending is None else (pending.key, pending.prompt, self.desk.history.seq)

    def _show_question(self) -> None:
        """The question, once: not again after a typing error or a look at something."""
        mark = self._question_mark()
        if self.desk.pending is not None and mark != self._asked:
            self.tell(self._question(self.desk.pending))
        self._asked = mark

    def _question(self, request: AnyRequest) -> list[Line]:
        """A question, for the screen as it is now."""
        return question_lines(request, self.size()[1], prompted=True)

    def _prompt(self) -> Prompt:
        pending = self.desk.pending
        if pending is None:
            usual = self._usual()
            text = self._whose() + (f"[{usual}] action > " if usual else "action > ")
            return Prompt(text, lambda: self._begun_by(usual), True, self._further, self._foot())
        suggested = prompt_default(pending)
        text = self._whose() + (f"[{suggested}] > " if suggested else "> ")
        return Prompt(text, pending.legal_choices, False, self._further, self._foot())

    def _whose(self) -> str:
        """The name of who decides, before the prompt, where the players have told their names."""
        desk = self.desk
        name = desk.options.get("players") and desk.game.players.player_name(desk.options, desk.position, desk.pending)
        return f"{name} " if name else ""

    def _begun_by(self, usual: str) -> Sequence[Choice]:
        """What TAB offers for a first word: the actions, and what answers the first question of the usual one."""
        first = self.desk.first_question(usual) if usual else None
        return [*self._actions(), *(first.legal_choices() if first else ())]

    def _foot(self) -> Callable[[int, int], Sequence[Line]] | None:
        """The foot of the screen while a prompt waits; none where nobody sees it."""
        if not self.size()[0]:
            return None
        desk = self.desk
        banner, before, asked = desk.game.banner(desk.position, desk.options), self._figures_before(), desk.pending
        return lambda rows, columns: status_bar_lines(banner, before, asked, rows, columns)

    def _figures_before(self) -> Mapping[str, str]:
        """The banner's figures before the action that is open, or else before the last one."""
        history = self.desk.history
        if history.seq != self._before[0]:
            found: dict[str, str] = {}
            if len(history.force) > 1:  # nobody wants to know what was before the set-up
                banner = self.desk.game.banner(history.position(before=history.force[-1]), self.desk.options)
                found = field_values(banner)
            self._before = (history.seq, found)
        return self._before[1]

    def _further(self, line: str) -> Sequence[Choice]:
        """What TAB offers behind the words of a line: what a slash command takes, or what an action asks next."""
        if line.startswith("/"):
            return meta_further(self, line[1:])
        words, key = parted(line)
        name, rest = self._split(" ".join(words))
        found = matching_names(name, self._names())
        return of_action(self.desk, found[0], rest, key) if len(found) == 1 else ()

    def _actions(self) -> list[Choice]:
        """The actions, each by the number that it always has; those that can be taken now first."""
        desk = self.desk
        over = bool(desk.game.over(desk.position))
        choices = []
        for action in desk.game.actions:
            obstacle = action.obstacle(desk.position)
            barred = obstacle.text if obstacle else "the game is over" if over and action.usual else ""
            choices.append(Choice(action.id, f"{action.title} [{action.rule}]", f"not now: {barred}" if barred else ""))
        return sorted(choices, key=lambda choice: bool(choice.hint))

    def _legal(self) -> list[Line]:
        """What ``?`` lists."""
        if self.desk.pending is not None:
            return [*question_lines(self.desk.pending)[:1], *legal_answer_lines(self.desk.pending, self.size()[1])]
        numbers = dict(zip(self._names(), labels([(name,) for name in self._names()]), strict=True))
        wide = max(map(len, numbers.values()))
        rows, barred = [], dict[str, list[str]]()
        for item in self._actions():
            if item.hint:
                barred.setdefault(item.hint_text, []).append(item.value)
            else:
                rows.append(Line(item.label, "", "", f"  {numbers[item.value].rjust(wide)}  {item.value.ljust(12)} "))
        rows += [Line(f"{', '.join(names)}: {why}", "dim", "", "  ") for why, names in barred.items()]
        return [*rows, Line("/ lists the commands of the table; /help says what they do", "dim")]


def several(asked: AnyRequest | None, text: str, waiting: Answers | None) -> tuple[str, Answers | None]:
    """What answers the open question, and the rest for those that come next: as many words as the question understands, or of
    a list at a question that is asked again, ``1+3`` or ``a, c``, the first.

    Args:
        asked: the open question.
        text: what was typed, which is no answer as a whole.
        waiting: what still waits for its question from a line before.

    Returns:
        The answer and what then waits; "" where the line is none of this.
    """
    values = asked.read_sequence(text) if isinstance(asked, Choose) else []
    if asked and values:
        return values[0], _before(Answers([(asked.key, value) for value in values[1:]]), waiting)
    said = spoken(split(text))
    many = 0 if asked is None or isinstance(asked, Text | Printed) else count_understood(asked, said.plain)
    if not 0 < many < len(said.plain) or (isinstance(asked, Roll) and said.plain[many].isdecimal()):
        return "", None  # dice too many are a slip
    first: Sequence[str] = said.plain[:many]
    del said.plain[:many]
    return " ".join(first), _before(said, waiting)


def _before(said: Answers, waiting: Answers | None) -> Answers:
    """What was said now, before what waits already."""
    old = waiting or Answers()
    said.plain, said.keyed = said.plain + old.plain, said.keyed + old.keyed
    said.dice, said.draws = said.dice + old.dice, said.draws + old.draws
    said.spoken = said.spoken or old.spoken
    return said

"""Prompts: what is asked for, what a typed line means, TAB completion, and the tour. Independent of the terminal.

    -        one question back; at a prompt within a command, out of that command
    .        take back the last action
    *        the exact odds of the open question
    ?        help, and all that can be answered here
    /word    a command; so is a command of the shell that has the same name here: companion undo
    a; b     an answer to this question, and one to the next; anything else is one answer

These keys are never an answer, at no prompt. ``none`` or ``0`` is none of a list, ``all`` or ``+`` is all of it.
A number at a list is the item with that number on the screen, as long as the list was shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

from companion.cli.shell.arguments import parse_answers, parse_line, split
from companion.cli.shell.completion_values import next_question, readable_names
from companion.core.errors import Ambiguous, CompanionError, Unreadable
from companion.core.requests import AnyRequest, Choice, Confirm, Draw, Number, Printed, Request, Roll, Text
from companion.core.resolver import Answers
from companion.core.text import matching_names, normalised
from companion.session.controller import SessionController
from companion.views.board import occupied_places
from companion.views.lines import Line
from companion.views.question import prompt_default


class Prompt(NamedTuple):
    """A prompt of the loop. Everything that is a function is called only when it is needed.

    Attributes:
        text: Shown before the cursor.
        choices: Completions.
        first_word: The choices are for the first word only.
        further: Completions after some words, the first of them an action or a slash command, or after a key with `=`.
        status_bar: Lines at the foot of the screen for a number of rows and columns.
        page: The prompt of the pager, where one key goes on.
        typed: Text to begin with.
        has_news: Called several times a second while the prompt waits; True ends it by Interrupted.
        secret: What is typed is neither shown nor kept in the history.
    """

    text: str
    choices: Callable[[], Sequence[Choice]] = list
    first_word: bool = False
    further: Callable[[str], Sequence[Choice]] = lambda line: ()
    status_bar: Callable[[int, int], Sequence[Line]] | None = None
    page: bool = False
    typed: str = ""
    has_news: Callable[[], bool] | None = None
    secret: bool = False


class Interrupted(Exception):
    """The session was changed elsewhere while a prompt waited. `typed`: what was typed there and not entered."""

    def __init__(self, typed: str) -> None:
        super().__init__(typed)
        self.typed = typed


Ask = Callable[[Prompt], str]
"""Shows a prompt and returns what was typed. Raises EOFError at the end, KeyboardInterrupt on Ctrl-C, Interrupted on news."""

KeysUntilPause = Callable[[float], str]
"""Returns the keys typed until there are none for so many seconds."""
HoldKeys = Callable[[], AbstractContextManager[KeysUntilPause]]
"""Keeps keys off the screen for a while."""


def no_keys() -> AbstractContextManager[KeysUntilPause]:
    """A `HoldKeys` where there is no keyboard."""
    return nullcontext(lambda seconds: "")


Tell = Callable[[Sequence[Line]], None]
"""Shows lines."""


# -- the grammar ----------------------------------------------------------------------------------------------------------

KEYS = {"-": "back", ".": "undo", "*": "odds", "?": "answers"}
"""Keys that mean a command at every prompt, with or without a slash."""

LIST_KEYS = {"-": "- is one question back; none of a list is none or 0", "*": "* is the odds; all of a list is all or +"}
"""Keys that had another meaning at a list, with what they mean now."""

KEY_HELP = "- back, . undo, * odds, ? answers; none or 0, all or +; a; b gives two answers"

BARE_WORDS = (
    *("help", "quit", "exit", "q", "undo", "redo", "back", "save", "advise", "hint", "bot", "cancel", "abort"),
    *("adjust", "answers", "log", "note", "odds", "rule", "show", "status", "summary", "why"),
)
"""Commands that also work without a slash, unless something else has the name: newcomers type them so."""

_SHELL = "companion"


def command_of(text: str) -> str | None:
    """The command that a line stands for, without its slash; None if it is an answer or an action."""
    if text in KEYS:
        return KEYS[text]
    if text.startswith("/"):
        return KEYS.get(text[1:], text[1:])
    return None


def shell_command_of(text: str) -> str | None:
    """The command of the shell that a line is, without the name of the program; None if it is none."""
    head, _, rest = text.partition(" ")
    if head.casefold() != _SHELL or rest.startswith(("do ", "answer ")):
        return None
    return rest.strip() or "status"


def without_shell(text: str) -> str:
    """An action or an answer that was typed as in the shell: ``companion do move`` is ``move``."""
    for beginning in (f"{_SHELL} do ", f"{_SHELL} answer "):
        text = text.removeprefix(beginning)
    return text


def is_bare_command(text: str) -> bool:
    """True if a line begins with a command that needs no slash."""
    return text.strip().casefold().partition(" ")[0] in BARE_WORDS


def question_text(request: AnyRequest) -> str:
    """The text before the cursor at a question: whose unseen answer it is, and the default."""
    unseen, default = f"{request.seat.title()}, unseen " if request.sealed else "", prompt_default(request)
    return unseen + (f"[{default}] > " if default else "> ")


def split_answers(request: AnyRequest, text: str) -> tuple[str, Answers]:
    """Split a line that is no answer as a whole into the answer to the open question and those that follow.

    Several answers to a question that is asked repeatedly are numbers of the list on the screen, so that they are read now.

    Returns:
        The first answer, "" if the line holds only one; and the others.
    """
    if values := request.read_sequence(text):
        return values[0], Answers([(request.key, value) for value in values[1:]], is_line=True)
    first, semicolon, rest = text.partition(";")
    if not semicolon or isinstance(request, Confirm | Printed):
        return "", Answers()
    return first.strip(), parse_line(rest)


def is_readable(request: AnyRequest, text: str) -> bool:
    """True if a text is an answer to a question, or the beginning of several."""
    try:
        request.read(text)
    except Ambiguous:
        return True
    except Unreadable:
        return False
    return True


def with_first_answer(error: Unreadable, request: AnyRequest, text: str) -> Unreadable:
    """The refusal of a text; if its first words are an answer, with these words."""
    words = text.split()
    is_list = request.accepts_list and ("," in text or "+" in text)  # whose own refusal says which part of it is wrong
    for count in range(len(words) - 1, 0, -1):
        first = " ".join(words[:count])
        if not (request.chance_setting or is_list) and ";" not in text and is_readable(request, first):
            error.cure = f"One answer at a time: {first}. Those to later questions stand behind a semicolon"
            break
    return error


def joined(answers: Answers, waiting: Answers | None) -> Answers:
    """Answers, and behind them those that wait already."""
    if waiting:
        answers.keyed += waiting.keyed
        answers.dice += waiting.dice
        answers.draws += waiting.draws
    return answers


def with_semicolons(session: SessionController, action: str, text: str) -> str:
    """The line of an action with semicolons between its answers; "" if they are not one answer to each of its first questions."""
    words, answers, parts = text.split(), Answers(), list[str]()
    run = next((item.run for item in session.game.actions if item.id == action), None)
    while run is not None and words and ";" not in text and "=" not in text:
        request = _next_question(session, run, answers.copy(), "")
        if request is None or isinstance(request, Confirm | Printed):
            return ""
        names = (" ".join(words[:count]) for count in range(len(words), 0, -1))
        part = next((name for name in names if is_readable(request, name) and not request.list_numbers(name)), "")
        if not part:
            return ""
        parts.append(part)
        answers.keyed.append((request.key, part))
        words = words[len(part.split()) :]
    return f"{action} {'; '.join(parts)}" if len(parts) > 1 else ""


# -- completion -----------------------------------------------------------------------------------------------------------


class Completion(NamedTuple):
    """A completion.

    Attributes:
        length: Characters before the cursor that it replaces.
        value: The text to insert.
        help: A description.
    """

    length: int
    value: str
    help: str


def completions(text: str, prompt: Prompt, commands: Sequence[Choice]) -> list[Completion]:
    """Return the completions of the text before the cursor at a prompt, with the slash commands in `commands`."""
    line = text.lstrip()
    head, blank, rest = line.partition(" ")
    if blank and (prompt.first_word or line.startswith("/")):
        names = [] if line.startswith("/") else [choice for choice in prompt.choices() if " " in choice.name]
        return _matching(line.rstrip(), names) or _after_first_word(head, rest, prompt.further)
    if line.startswith("/"):
        return _matching(line, commands)
    return _matching(line.rpartition(",")[2].lstrip(), prompt.choices())


def _after_first_word(head: str, rest: str, further: Callable[[str], Sequence[Choice]]) -> list[Completion]:
    """Completions after the first word: of a key's value, of the words being typed, or of the next question.

    At the table a semicolon ends the answer to a question.
    """
    done, semicolon, current = rest.rpartition(";")
    before, equals, value = current.rpartition("=")
    if equals and before[-1:].strip():
        return _matching(value.rpartition(",")[2].lstrip(), further(f"{head} {done}{semicolon}{before}="), value)
    if not head.startswith("/"):
        item = current.lstrip()
        offered = further(f"{head} {done}")
        return _matching(item.rpartition(",")[2].lstrip(), offered, item) or _keys_after(head, rest, further)
    words, longest = rest.split(" "), list[Completion]()
    for count in range(len(words)):
        end = " ".join(words[count:])
        last_item = end.rpartition(",")[2].lstrip()
        matches = _matching(last_item, further(" ".join([head, *words[:count]])), end)
        if matches and not _is_complete(end, matches):
            return matches
        longest = longest or matches
    return longest


def _keys_after(head: str, rest: str, further: Callable[[str], Sequence[Choice]]) -> list[Completion]:
    """The key of the next question, if its beginning stands behind a complete answer: `march red t`."""
    words, _, last = rest.rpartition(" ")
    return [item for item in _matching(last, further(f"{head} {words}")) if words and item.value.endswith("=")]


def _is_complete(text: str, matches: Sequence[Completion]) -> bool:
    """True if a text with a blank after it names a completion, so that the next word is wanted."""
    name = normalised(text.rpartition(",")[2])
    return text.endswith(" ") and bool(name) and (len(matches) == 1 or any(normalised(item.value) == name for item in matches))


def _matching(word: str, choices: Sequence[Choice], items: str = "") -> list[Completion]:
    """The choices that begin with a word, without those listed before it in `items`."""
    listed = [name for name in map(str.strip, items.split(",")[:-1]) if name]
    by_text: dict[str, Choice] = {}
    for choice in choices:
        by_text.setdefault(choice.value, choice)
        by_text.setdefault(choice.label, choice)
    names = matching_names(word, by_text) if word not in ("", "/") else list(by_text)
    return [
        Completion(len(word), choice.name, _description(choice))
        for choice in dict.fromkeys(by_text[name] for name in names)
        if not any(matching_names(name, (choice.name, choice.value)) for name in listed)
    ]


def _description(choice: Choice) -> str:
    label = choice.label if choice.label not in (choice.value, choice.name) else ""
    return " ".join(filter(None, [label, choice.hint_text]))


# -- choices -------------------------------------------------------------------------------------------------------------


def request_choices(session: SessionController, request: AnyRequest | None, *, keyed: bool) -> list[Choice]:
    """The answers to a question (places for a free text), and its key unless the key is typed already."""
    if request is None:
        return []
    choices = request.legal_choices() or (_readable_places(session, request) if isinstance(request, Text) else [])
    return [*choices, *([] if keyed else [Choice(f"{request.key}=", f"{request.key}=", request.prompt)])]


def _readable_places(session: SessionController, request: Text) -> list[Choice]:
    return [choice for choice in place_choices(session) if readable_names(request, [choice.value])]


def place_choices(session: SessionController) -> list[Choice]:
    """The places of the game, and those that are occupied."""
    game = session.game
    occupied = [game.place_title(place) for place in occupied_places(game, session.position)]
    return [Choice(title, title) for title in dict.fromkeys([*game.places.values(), *occupied])]


def action_choices(session: SessionController, action: str, answers: Answers, key: str = "") -> list[Choice]:
    """Answers to the next question of an action after some answers, or to the one with this key."""
    if not answers.unused() and not key:
        request = session.first_question(action)
        return request_choices(session, request, keyed=request is None or bool(request.chance_setting))
    run = next(item.run for item in session.game.actions if item.id == action)
    return request_choices(session, _next_question(session, run, answers, key), keyed=bool(key))


def situation_choices(session: SessionController, line: str) -> list[Choice]:
    """The situations with odds; after one of them, the answers to its next question."""
    words, key = split_key(line)
    situations = {item.id: item for item in session.game.situations}
    if not words:
        return [Choice(item.id, item.id, item.title) for item in situations.values()]
    names = matching_names(words[0], situations)
    if len(names) != 1:
        return []
    request = _next_question(session, situations[names[0]].run, parse_answers(words[1:]), key)
    return request_choices(session, request, keyed=bool(key))


def split_key(line: str) -> tuple[list[str], str]:
    """Split a line into words, and the key at its end whose value is being typed."""
    words = split(line)
    return (words[:-1], words[-1][:-1]) if words and words[-1].endswith("=") else (words, "")


def _next_question(session: SessionController, run: Callable[[Any], Any], answers: Answers, key: str) -> AnyRequest | None:
    facts = session.log.facts()
    try:
        return next_question(session.game, facts, session.position, session.options, run, answers, key)
    except CompanionError:
        return None


# -- the tour ------------------------------------------------------------------------------------------------------------

_TOUR_TEXTS = {
    "action": "An action: its number in the list, first letters of its name, or a word of what it does. ? lists them.",
    "choice": "A question: answer with the number beside a line or the first letters of a name. ? lists all answers.",
    "several": "Several at once: 1,3 or 1+3, or names with commas; all (or +), none (or 0).",
    "number": "A number, within the bounds shown.",
    "names": "A line of names, or their first letters, in the form shown. ? lists them.",
    "text": "Copy what is on your table, in the form shown; values printed on your set are asked only once.",
    "roll": "A roll: type the dice of your table, such as 3 5; Enter twice lets Companion roll. /dice changes who rolls.",
    "draw": "A draw: type the name of what you drew; Enter twice lets Companion draw. /draws changes who draws.",
    "odds": "Before you commit yourself: * shows the exact odds of this question.",
    "result": "Each line says what happened and, at its end, by which rule: /rule shows it, /why the reasons."
    " The foot of the screen shows what has changed: before > now.",
    "undo": "A slip? - is one question back, . takes back the whole action; both say what to put back on the"
    " table. /redo restores it. /adjust sets anything to what you see there.",
    "end": "That was the tour. /help lists the rest; /show: what lies where; /log: what was done. /quit leaves, all is saved.",
}
_TOUR_ACTIONS, _MAX_TOUR_ACTIONS = 3, 8
"""The tour ends after so many actions; without any question among them, after the larger number."""


class Tour:
    """Which texts were shown.

    Args:
        session: The session in which the tour begins.
    """

    def __init__(self, session: SessionController) -> None:
        self._session = session
        self._shown: set[str] = set()
        self._first = len(session.history.force) - (session.pending is not None)
        self.over = False

    def lines(self, usual: str) -> list[Line]:
        """The texts to show before the next prompt, and the next key; sets `over` after the last one.

        Args:
            usual: The action that Enter takes, or "".
        """
        keys = [key for key in self._current_keys() if key not in self._shown]
        self._shown.update(keys)
        self.over = "end" in keys
        texts = [Line(_TOUR_TEXTS[key], "board", "", "  > ") for key in keys]
        return [*texts, Line(self._next_key(usual), "board", "", "  > Next: ")]

    def _current_keys(self) -> list[str]:
        """The keys of the texts that fit now, in order."""
        request = self._session.pending
        done = len(self._session.history.force) - (request is not None) - self._first
        after = [key for key, minimum in (("result", 1), ("undo", 2)) if done >= minimum]
        if request is not None:
            return [*after, *_question_keys(request)]
        is_over = done >= (_TOUR_ACTIONS if self._shown - {"action", *after} else _MAX_TOUR_ACTIONS)
        return [*after, "end" if is_over else "action"]

    def _next_key(self, usual: str) -> str:
        """The key that leads on."""
        request = self._session.pending
        if request is None:
            title = next((item.title.partition(":")[0] for item in self._session.game.actions if item.id == usual), "")
            return f"Enter does {usual}: {title}" if usual else "the number of an action in the list"
        if request.chance_setting:
            return f"your {'dice' if isinstance(request, Roll) else 'draw'}, or Enter twice"
        default, expected = prompt_default(request), request.expects()
        return f"Enter takes {default}" if default else f"{expected[:1].lower()}{expected[1:]}. ? lists all answers"


def _question_keys(request: Request[object]) -> list[str]:
    """The keys of the texts about a question."""
    if isinstance(request, Roll):
        return ["roll"]
    if isinstance(request, Draw):
        return ["draw"]
    if isinstance(request, Text | Printed):
        kind = "names" if request.legal_choices() else "text"
    else:
        kind = "number" if isinstance(request, Number) else "choice"
    several = ["several"] if request.accepts_list and kind == "choice" else []
    return [kind, *several, *(["odds"] if request.odds else [])]

"""The grammar of every prompt: what is typed, and what it means.

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

from companion.core.request import AnyRequest
from companion.core.requests import Choose, Confirm, Printed
from companion.core.resolver import Answers

KEYS = {"-": "back", ".": "undo", "*": "odds", "?": "answers"}
"""Keys that mean a command at every prompt, with or without a slash."""

LIST_KEYS = {"-": "- is one question back; none of a list is none or 0", "*": "* is the odds; all of a list is all or +"}
"""Keys that had another meaning at a list, with what they mean now."""

KEY_HELP = "- back, . undo, * odds, ? answers; none or 0, all or +; a; b gives two answers"

BARE_WORDS = ("help", "quit", "exit", "q", "undo", "redo", "back", "save")
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


def split_answers(request: AnyRequest, text: str) -> tuple[str, Answers]:
    """Split a line that is no answer as a whole into the answer to the open question and those that follow.

    Several answers to a question that is asked repeatedly are numbers of the list on the screen, so that they are read now.

    Returns:
        The first answer, "" if the line holds only one; and the others.
    """
    from companion.cli.shell.arguments import parse_line

    values = request.read_sequence(text) if isinstance(request, Choose) else []
    if values:
        return values[0], Answers([(request.key, value) for value in values[1:]], is_line=True)
    first, semicolon, rest = text.partition(";")
    if not semicolon or isinstance(request, Confirm | Printed):
        return "", Answers()
    return first.strip(), parse_line(rest)

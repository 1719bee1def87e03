"""TAB completion at the prompt: completes every word of a line, with a description. Independent of the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from companion.cli.repl.prompt import Prompt
from companion.cli.shell.arguments import parse_answers, split
from companion.cli.shell.typeahead import next_question, readable_names
from companion.core.errors import CompanionError
from companion.core.request import AnyRequest
from companion.core.requests import Choice, Text
from companion.core.resolver import Answers
from companion.core.text import matching_names, normalised
from companion.session.controller import SessionController
from companion.views.board import occupied_places


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
    """Return the completions of a line.

    Args:
        text: The line up to the cursor.
        prompt: The prompt at which it is typed.
        commands: The slash commands.
    """
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
        found = _matching(last_item, further(" ".join([head, *words[:count]])), end)
        if found and not _is_complete(end, found):
            return found
        longest = longest or found
    return longest


def _keys_after(head: str, rest: str, further: Callable[[str], Sequence[Choice]]) -> list[Completion]:
    """The key of the next question, if its beginning stands behind a complete answer: `march red t`."""
    words, _, last = rest.rpartition(" ")
    return [found for found in _matching(last, further(f"{head} {words}")) if words and found.value.endswith("=")]


def _is_complete(text: str, found: Sequence[Completion]) -> bool:
    """True if a text with a blank after it names a completion, so that the next word is wanted."""
    name = normalised(text.rpartition(",")[2])
    return text.endswith(" ") and bool(name) and (len(found) == 1 or any(normalised(one.value) == name for one in found))


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
    return request_choices(
        session, _next_question(session, situations[names[0]].run, parse_answers(words[1:]), key), keyed=bool(key)
    )


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

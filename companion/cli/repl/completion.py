"""What TAB offers at the table: any word of any line, each with a word on what it is. It knows no terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from companion.cli.repl.prompt import Prompt
from companion.cli.shell.arguments import split, spoken
from companion.cli.shell.typeahead import accepted, next_question
from companion.core.errors import CompanionError
from companion.core.request import AnyRequest
from companion.core.requests import Choice, Text
from companion.core.text import matching_names, normalised
from companion.session.controller import SessionController
from companion.views.board import occupied_places


class Offer(NamedTuple):
    """One way to go on.

    Attributes:
        length: characters before the cursor that it takes the place of.
        value: what is put there.
        more: a word on what it is.
    """

    length: int
    value: str
    more: str


def offers(text: str, prompt: Prompt, commands: Sequence[Choice]) -> list[Offer]:
    """What the end of a line may become.

    Args:
        text: what stands before the cursor.
        prompt: at which it is typed.
        commands: those with a slash.
    """
    line = text.lstrip()
    head, blank, rest = line.partition(" ")
    if blank and (prompt.first_word or line.startswith("/")):
        several = [] if line.startswith("/") else [choice for choice in prompt.choices() if " " in choice.name]
        return _fit(line.rstrip(), several) or _behind(head, rest, prompt.further)
    if line.startswith("/"):
        return _fit(line, commands)
    return _fit(line.rpartition(",")[2].lstrip(), prompt.choices())


def _behind(head: str, rest: str, further: Callable[[str], Sequence[Choice]]) -> list[Offer]:
    """What stands behind the first word: where it names something, what is asked next there, and what begins as the rest does."""
    before, equals, value = rest.rpartition("=")
    if equals and before[-1:].strip():
        return _fit(value.rpartition(",")[2].lstrip(), further(f"{head} {before}="), value)
    words, whole = rest.split(" "), list[Offer]()
    for many in range(len(words)):
        end = " ".join(words[many:])
        named = end.rpartition(",")[2].lstrip()
        found = _fit(named, further(" ".join([head, *words[:many]])), end)
        if found and not _named(end, found):
            return found
        whole = whole or found
    return whole


def _named(text: str, found: Sequence[Offer]) -> bool:
    """Whether a text with a blank behind it names one of the offers, so that the next word is wanted."""
    named = normalised(text.rpartition(",")[2])
    return text.endswith(" ") and bool(named) and (len(found) == 1 or any(normalised(offer.value) == named for offer in found))


def _fit(word: str, choices: Sequence[Choice], taken: str = "") -> list[Offer]:
    """The choices that a word begins, without those that are named before it in the same list."""
    already = [name for name in map(str.strip, taken.split(",")[:-1]) if name]
    by_text: dict[str, Choice] = {}
    for choice in choices:
        by_text.setdefault(choice.value, choice)
        by_text.setdefault(choice.label, choice)
    names = matching_names(word, by_text) if word not in ("", "/") else list(by_text)
    found = dict.fromkeys(by_text[name] for name in names)
    return [
        Offer(len(word), choice.name, _about(choice))
        for choice in found
        if not any(matching_names(name, (choice.name, choice.value)) for name in already)
    ]


def _about(choice: Choice) -> str:
    return " ".join(filter(None, [choice.label if choice.label not in (choice.value, choice.name) else "", choice.hint_text]))


def of_request(desk: SessionController, request: AnyRequest | None, keyed: bool) -> list[Choice]:
    """The answers to a question, for a free text the places that there are; and its key, where that could stand before them."""
    if request is None:
        return []
    found = request.legal_choices() or (_places(desk, request) if isinstance(request, Text) else [])
    return [*found, *([] if keyed else [Choice(f"{request.key}=", f"{request.key}=", request.prompt)])]


def _places(desk: SessionController, request: Text) -> list[Choice]:
    return [choice for choice in place_choices(desk) if accepted(request, [choice.value])]


def place_choices(desk: SessionController) -> list[Choice]:
    """Where something can be: the places of the game, and those where something is."""
    used = map(desk.game.place_title, occupied_places(desk.game, desk.position))
    return [Choice(title, title) for title in dict.fromkeys([*desk.game.places.values(), *used])]


def of_action(desk: SessionController, action: str, words: Sequence[str], key: str = "") -> list[Choice]:
    """What an action asks next behind the answers that were typed; with a key, the answers to that question."""
    if not words and not key:
        asked = desk.first_question(action)
        return of_request(desk, asked, asked is None or bool(asked.chance_setting))
    run = next(one.run for one in desk.game.actions if one.id == action)
    return of_request(desk, _next(desk, run, words, key), bool(key))


def of_situation(desk: SessionController, line: str) -> list[Choice]:
    """The situations whose odds can be asked for; behind one of them what it asks next."""
    words, key = parted(line)
    known = {item.id: item for item in desk.game.situations}
    found = matching_names(words[0], known) if words else []
    if not words:
        return [Choice(item.id, item.id, item.title) for item in known.values()]
    return of_request(desk, _next(desk, known[found[0]].run, words[1:], key), bool(key)) if len(found) == 1 else []


def parted(line: str) -> tuple[list[str], str]:
    """The words of a line, and the key whose value comes next, if any."""
    words = split(line)
    return (words[:-1], words[-1][:-1]) if words and words[-1].endswith("=") else (words, "")


def _next(desk: SessionController, run: Callable[[Any], Any], words: Sequence[str], key: str) -> AnyRequest | None:
    try:
        return next_question(desk.game, desk.log.facts(), desk.position, desk.options, run, spoken(words), key)
    except CompanionError:
        return None

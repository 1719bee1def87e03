"""Messages beside the English texts of JSON documents, for clients that speak another language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from companion.core.events import Event, Said
from companion.core.game import Game
from companion.core.messages import Field, Match, Message, MessageCatalogue, Template
from companion.core.values import JsonDict
from companion.session.messages import catalogue_of, common_catalogue, find_anywhere
from companion.views.lines import Line, line_data


class _Switch:
    """Whether documents have messages: to find them takes about as long as the rest of an answer of ``serve``."""

    is_on = True


SWITCH = _Switch()
WITH_REASON = "companion.with_reason"
"""The id of the line of a change with its reason."""
KEY = "messages"
"""The key of an object that holds the messages of its texts, each under the name of its text."""


def with_messages(body: JsonDict, game: Game | None, **uses: str) -> JsonDict:
    """Return an object of a document with the messages of its texts, if they have any.

    Args:
        body: The object.
        game: Whose texts they are; None to leave messages out.
        uses: The names of the texts, each with what it is: ``text="line"``. Of a list each item is looked up, and
            is named with its index: ``because.0``.
    """
    return _with_messages(body, catalogue_of(game).match, uses) if game and SWITCH.is_on else body


def event_lines_data(lines: Iterable[Line], events: Iterable[Event], game: Game) -> list[JsonDict]:
    """Return the lines of events as JSON data with their messages."""
    if not SWITCH.is_on:
        return [line_data(line) for line in lines]
    listed = list(events)
    said = {event.text for event in listed if isinstance(event, Said)}
    reasons = {event.why for event in listed if not isinstance(event, Said) and event.why}
    return [
        with_messages(line_data(line), game, text="line") if line.text in said else _change_data(line, reasons, game)
        for line in lines
    ]


def _change_data(line: Line, reasons: Iterable[str], game: Game) -> JsonDict:
    """Return the line of a change; behind a colon it has the reason of its event, if the rest does not say that already."""
    reason = next((reason for reason in reasons if line.text.endswith(f": {reason}")), "")
    if not reason:
        return with_messages(line_data(line), game, text="change")
    catalogue, change = catalogue_of(game), line.text.removesuffix(f": {reason}")
    arguments = {"text": catalogue.find(change, "change") or change, "why": catalogue.find(reason, "reason") or reason}
    return {**line_data(line), KEY: {"text": Message(WITH_REASON, line.text, arguments).data()}}


def with_error_messages(body: JsonDict) -> JsonDict:
    """Return an error with the messages of its texts; it may come from any game or from the program."""
    return _with_messages(body, find_anywhere, {"message": "error", "cure": "cure"}) if SWITCH.is_on else body


def _with_messages(body: JsonDict, find: Callable[..., Match | None], uses: Mapping[str, str]) -> JsonDict:
    messages = {name: message.data() for name, message in _messages(body, find, uses)}
    return {**body, KEY: messages} if messages else body


def _messages(body: JsonDict, find: Callable[..., Match | None], uses: Mapping[str, str]) -> Iterator[tuple[str, Message]]:
    for name, use in uses.items():
        value = body.get(name, "")
        for key, text in ((name, value),) if isinstance(value, str) else ((f"{name}.{n}", item) for n, item in enumerate(value)):
            match = find(text, use) if text else None
            if match:
                yield key, match.message


def catalogue_data(game: Game | None) -> JsonDict:
    """Return the catalogue of a game, or of the program, as JSON data."""
    catalogue = _own_catalogue(game)
    return {"game": game.id if game else "", "templates": [_template_data(item) for item in catalogue.templates()]}


def _own_catalogue(game: Game | None) -> MessageCatalogue:
    return catalogue_of(game) if game else common_catalogue()


def _template_data(template: Template) -> JsonDict:
    return {
        "id": template.id,
        "text": template.text,
        "uses": list(template.uses),
        "fields": [_field_data(field) for field in template.fields],
    }


def _field_data(field: Field) -> JsonDict:
    return {"field": field.name, "number": field.is_number, "parts": list(field.parts), "open": field.is_open}


def catalogue_lines(game: Game | None) -> list[Line]:
    """Return the catalogue of a game, or of the program, as lines."""
    return [Line(template.text, "", "", f"{template.id}  ") for template in _own_catalogue(game).templates()]

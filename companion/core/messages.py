"""Find the message of a text: the stable id of its template in a catalogue, and what stands in its fields.

Rules write plain English. A catalogue lists the templates of these texts, so that a text is matched when another program reads
it: play and simulation cost nothing, and games of older versions have messages too. Regular expressions would do the same, but
their import and compilation take longer than a short command may.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence

from companion.core.hints import Any
from companion.core.named_tuple import NamedTuple
from companion.core.values import JsonDict, JsonObject

ANY = "*"
"""Among the parts of a field: other texts are possible too."""
NUMBER = "number"
"""The declaration of a field that is a whole or decimal number."""
USES = ("line", "change", "detail", "reason", "error", "cure", "prompt", "part")
"""What the text of a message is; ``change``: a line of an event that changes something; ``part``: the field of another."""
TEXT_USES = USES[:-1]
"""The uses of whole texts."""

_MOST_STEPS = 1000  # of the search for one template; a text that needs more has no message
_MOST_WAYS = 10  # in which a template fits a text, of which the one with the most letters is taken
_DEEPEST = 5  # parts within parts
_LEAST_LETTERS = 4  # of literal text in a message, so that names and numbers are none
_MOST_KEPT = 4096  # texts whose messages are kept
_LONGEST = 1200  # characters of a text that is searched
_SIGNS = "+-"


class Message(NamedTuple):
    """A text as the id of its template and the texts of its fields; a field can be a message itself."""

    id: str
    text: str
    arguments: Mapping[str, str | Message]

    def data(self) -> JsonDict:
        """The message as plain data; its text stands beside it, those of its fields are given."""
        return {
            "id": self.id,
            "arguments": {
                name: value if isinstance(value, str) else {"text": value.text, **value.data()}
                for name, value in self.arguments.items()
            },
        }


class Field(NamedTuple):
    """A field of a template.

    Attributes:
        name: The name of the argument.
        is_number: It is a number.
        parts: Ids of the messages that it can be; "" for no text.
        is_open: It can be another text than one of the parts.
    """

    name: str
    is_number: bool = False
    parts: tuple[str, ...] = ()
    is_open: bool = True


class Template(NamedTuple):
    """A text with fields.

    ``letters`` and ``marks`` (no blanks) count the literal ones; ``chunk`` is the longest literal piece, ``head`` and ``tail``
    those at its ends, "" for a field. ``has_parts``: a field can be a message, whose letters count too; ``is_closed``: no field
    can be any text.
    """

    id: str
    text: str
    pieces: tuple[str | Field, ...]
    uses: tuple[str, ...]
    letters: int
    marks: int
    chunk: str
    head: str
    tail: str
    has_parts: bool
    is_closed: bool
    field_count: int

    @property
    def fields(self) -> tuple[Field, ...]:
        return tuple(piece for piece in self.pieces if isinstance(piece, Field))


def split_template(text: str) -> list[tuple[str, str]]:
    """Split a template into literal texts, each with the name of the field behind it; the last has none.

    Raises:
        ValueError: A brace is not closed, or not doubled.

    >>> split_template("{unit} fires: {roll}, hit {{sic}}")
    [('', 'unit'), (' fires: ', 'roll'), (', hit {sic}', '')]
    """
    split: list[tuple[str, str]] = []
    literal, rest = "", text
    while rest:
        brace = min((place for place in (rest.find("{"), rest.find("}")) if place >= 0), default=-1)
        if brace < 0:
            literal, rest = literal + rest, ""
        elif rest[brace : brace + 2] in ("{{", "}}"):
            literal, rest = literal + rest[: brace + 1], rest[brace + 2 :]
        else:
            name, closed, after = rest[brace + 1 :].partition("}")
            if rest[brace] == "}" or not closed or not name.isidentifier():
                raise ValueError(f"a brace without a field in '{text}'; a brace of the text is doubled")
            split.append((literal + rest[:brace], name))
            literal, rest = "", after
    return [*split, (literal, "")]


def make_template(id: str, body: JsonObject, prefix: str = "") -> Template:
    """Make a template from its entry in a catalogue; ``prefix`` is put before all ids.

    Raises:
        ValueError: Its text is malformed.
    """
    declared: JsonObject = body.get("fields", {})
    pieces: list[str | Field] = []
    for literal, name in split_template(body["text"]):
        pieces += [literal] if literal else []
        pieces += [_make_field(name, declared.get(name), prefix)] if name else []
    literals = [piece for piece in pieces if isinstance(piece, str)]
    chunk = max(literals, key=len, default="")
    head, tail = (piece if isinstance(piece, str) else "" for piece in (pieces[0], pieces[-1])) if pieces else ("", "")
    has_parts = any(not isinstance(piece, str) and piece.parts for piece in pieces)
    uses, letters = tuple(body.get("use", ())), sum(map(_letters, literals))
    marks = sum(len(literal.replace(" ", "")) for literal in literals) - letters
    is_closed = not any(not isinstance(piece, str) and piece.is_open and not piece.is_number for piece in pieces)
    return Template(
        prefix + id,
        body["text"],
        tuple(pieces),
        uses,
        letters,
        marks,
        chunk,
        head,
        tail,
        has_parts,
        is_closed,
        len(pieces) - len(literals),
    )


def _make_field(name: str, declared: Any, prefix: str) -> Field:
    if declared is None or declared == NUMBER:
        return Field(name, declared == NUMBER)
    parts = tuple(part and prefix + part for part in declared if part != ANY)
    return Field(name, False, parts, ANY in declared)


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))


_Rest = tuple[Any, "_Rest"] | None  # what is still to be matched: a piece, or the end of a part, and the rest behind it
_Trace = tuple[Any, "_Trace"] | None  # what was matched, the last first


class Match(NamedTuple):
    """A message that fits a text. The better one has more literal letters, then other literal characters, then fewer fields.

    ``is_whole``: each field that can be a message is one.
    """

    letters: int
    message: Message
    marks: int
    fields: int
    is_whole: bool

    @property
    def rank(self) -> tuple[int, int, int]:
        return self.letters, self.marks, self.fields


class _Budget:
    """The steps that a search may still take, and whether each field can be any text."""

    __slots__ = ("any_text", "steps")

    def __init__(self, steps: int, any_text: bool) -> None:
        self.steps = steps
        self.any_text = any_text


class _End(NamedTuple):
    """The end of a part that was found in a field."""

    field: Field


class _Found(NamedTuple):
    """A text found in a field, the start of a part in it, or no text (``part`` is None)."""

    field: Field
    text: str = ""
    part: Template | None = None


class MessageCatalogue:
    """The templates of a game, or of the program itself.

    Args:
        entries: Id -> entry of ``messages.toml``.
        prefix: What stands before the ids in documents, in front of a point: the id of the game.
        common: Returns the catalogue of the program, which is searched too.
    """

    def __init__(
        self, entries: Mapping[str, JsonObject], prefix: str, common: Callable[[], MessageCatalogue] | None = None
    ) -> None:
        self._entries = entries
        self._prefix = f"{prefix}."
        self._made: dict[str, Template] = {}
        self._common = common
        self._found: dict[tuple[str, tuple[str, ...]], Match | None] = {}
        self._by_use: dict[tuple[str, ...], list[Template]] = {}

    def find(self, text: str, *uses: str) -> Message | None:
        """Return the message of a text, if one fits; ``uses``: only of these kinds, also of the program."""
        match = self.match(text, *uses)
        return match and match.message

    def match(self, text: str, *uses: str) -> Match | None:
        """Return the match of a text with the most literal letters, if one fits; ``uses``: only of these kinds."""
        key = (text, uses)
        if key not in self._found:
            if len(self._found) > _MOST_KEPT:
                self._found.clear()
            self._found[key] = self._best(text, uses) if len(text) <= _LONGEST else None
        return self._found[key]

    def _best(self, text: str, uses: tuple[str, ...]) -> Match | None:
        best = self._search(text, uses)
        if self._common and uses and (best is None or 2 * best.letters < _letters(text)):
            other = self._common()._search(text, uses)
            best = other if other and (best is None or other.rank > best.rank) else best
        best = best or self._search(text, uses, True)
        return best and best._replace(message=self._with_messages(best.message, len(text)))

    def fill(self, message: Message) -> str:
        """Return the text of a message. Raises KeyError: no catalogue has it, or an argument is missing."""
        values = {
            name: value if isinstance(value, str) else value._replace(text=self.fill(value))
            for name, value in message.arguments.items()
        }
        return _filled(self.template(message.id), values)

    def template(self, id: str) -> Template:
        """Return a template by its id, with what stands before it. Raises KeyError: there is none."""
        if id.startswith(self._prefix) or self._common is None:
            return self._own(id.removeprefix(self._prefix))
        return self._common().template(id)

    def templates(self) -> Iterator[Template]:
        """Yield its own templates, in the order of the file."""
        return map(self._own, self._entries)

    def _own(self, name: str) -> Template:
        """A template by its id in the file; each is made when first needed, since one document needs few."""
        if name not in self._made:
            self._made[name] = make_template(name, self._entries[name], self._prefix)
        return self._made[name]

    def _candidates(self, uses: tuple[str, ...]) -> list[Template]:
        """The templates of some uses, those with the most letters first."""
        if uses not in self._by_use:
            fitting = [
                name for name, body in self._entries.items() if not uses or any(use in uses for use in body.get("use", ()))
            ]
            self._by_use[uses] = sorted(map(self._own, fitting), key=lambda template: -template.letters)
        return self._by_use[uses]

    def _search(self, text: str, uses: tuple[str, ...], any_text: bool = False) -> Match | None:
        """The best match of a text. ``any_text``: each field can be any text, in templates with words of their own."""
        best: Match | None = None
        for template in self._candidates(uses):
            if template.chunk not in text or not (text.startswith(template.head) and text.endswith(template.tail)):
                continue
            if any_text and template.letters < _LEAST_LETTERS:
                continue
            if best and best.letters > template.letters and not (template.has_parts and (template.letters or template.is_closed)):
                continue
            found = self._match(template, text, any_text)
            if not found or (not uses and found.letters < _LEAST_LETTERS and template.text != text):
                continue
            if best is None or found.rank > best.rank:
                best = found
        return best

    def _match(self, template: Template, text: str, any_text: bool) -> Match | None:
        """Return how a template fits a text best; None if it does not."""
        best: Match | None = None
        ways = self._run(_rest_of(template.pieces, None), text, 0, None, 0, _Budget(_MOST_STEPS, any_text))
        for number, (trace,) in enumerate(ways):
            found: list[_Found | _End] = []
            node: _Trace = trace
            while node is not None:
                found.append(node[0])
                node = node[1]
            built = self._build(template, iter(found[::-1]))
            if best is None or built.rank > best.rank:
                best = built
            if built.is_whole or number >= _MOST_WAYS:
                break
        return best

    def _run(self, rest: _Rest, text: str, position: int, trace: _Trace, depth: int, budget: _Budget) -> Iterator[tuple[_Trace]]:
        """Yield the ways in which the rest of a template fits the text from a position on."""
        budget.steps -= 1
        if budget.steps < 0:
            return
        if rest is None:
            if position == len(text):
                yield (trace,)
            return
        piece, behind = rest
        if isinstance(piece, str):
            if text.startswith(piece, position):
                yield from self._run(behind, text, position + len(piece), trace, depth, budget)
        elif isinstance(piece, _End):
            yield from self._run(behind, text, position, (piece, trace), depth - 1, budget)
        else:
            yield from self._run_field(piece, behind, text, position, trace, depth, budget)

    def _run_field(
        self, field: Field, behind: _Rest, text: str, position: int, trace: _Trace, depth: int, budget: _Budget
    ) -> Iterator[tuple[_Trace]]:
        if field.is_number:
            end = _end_of_number(text, position)
            if end > position:
                found = _Found(field, text[position:end])
                yield from self._run(behind, text, end, (found, trace), depth, budget)
            return
        if depth < _DEEPEST:
            for part in field.parts:
                template = self.template(part) if part else None
                if template and template.chunk in text:
                    rest = _rest_of(template.pieces, (_End(field), behind))
                    yield from self._run(rest, text, position, (_Found(field, part=template), trace), depth + 1, budget)
        if "" in field.parts:
            yield from self._run(behind, text, position, (_Found(field), trace), depth, budget)
        if field.is_open or budget.any_text:
            for end in _ends(behind, text, position):
                found = _Found(field, text[position:end])
                yield from self._run(behind, text, end, (found, trace), depth, budget)

    def _build(self, template: Template, found: Iterator[_Found | _End]) -> Match:
        """Return the match of what was found, up to the end of its template."""
        arguments: dict[str, str | Message] = {}
        letters, marks, is_whole = template.letters, template.marks, True
        for item in found:
            if isinstance(item, _End):
                break
            if item.part is not None:
                inner = self._build(item.part, found)
                letters, marks, is_whole = letters + inner.letters, marks + inner.marks, is_whole and inner.is_whole
                arguments[item.field.name] = inner.message
            else:
                arguments[item.field.name] = item.text
                marks += item.field.is_number
                is_whole = is_whole and not (item.field.parts and item.text)
        message = Message(template.id, _filled(template, arguments), arguments)
        return Match(letters, message, marks, -template.field_count, is_whole)

    def _with_messages(self, message: Message, length: int) -> Message:
        """Return the message with the messages that its open fields hold, in place of their texts."""
        values: dict[str, str | Message] = {}
        for name, value in message.arguments.items():
            if not isinstance(value, str):
                values[name] = self._with_messages(value, length)
            else:  # names and numbers are no messages, nor is a text part of itself
                values[name] = (" " in value and len(value) < length and self.find(value)) or value
        return message._replace(arguments=values)


def _filled(template: Template, values: Mapping[str, str | Message]) -> str:
    texts = {name: value if isinstance(value, str) else value.text for name, value in values.items()}
    return "".join(piece if isinstance(piece, str) else texts[piece.name] for piece in template.pieces)


def _rest_of(pieces: Sequence[Any], behind: _Rest) -> _Rest:
    rest = behind
    for piece in reversed(pieces):
        rest = (piece, rest)
    return rest


def _end_of_number(text: str, position: int) -> int:
    """Return where a number ends that begins at a position; the position itself if none does.

    >>> [_end_of_number(text, 0) for text in ("12, hit", "-3", "+1.5.", "x", "-")]
    [2, 2, 4, 0, 0]
    """
    end = position + (text[position : position + 1] in tuple(_SIGNS))
    first = end
    while text[end : end + 1].isdecimal():
        end += 1
    if end > first and text[end : end + 1] in (".", ",") and text[end + 1 : end + 2].isdecimal():
        end += 1
        while text[end : end + 1].isdecimal():
            end += 1
    return end if end > first else position


def _ends(behind: _Rest, text: str, position: int) -> Iterator[int]:
    """Yield where an open field can end: before each occurrence of the literal text behind it, else anywhere, longest first."""
    following, rest = None, behind
    while rest is not None and following is None:
        following, rest = (None, rest[1]) if isinstance(rest[0], _End) else rest
    if following is None:
        yield len(text)
    elif isinstance(following, str):
        end = text.find(following, position + 1)
        while end >= 0:
            yield end
            end = text.find(following, end + 1)
        if text.startswith(following, position):
            yield position
    else:
        yield from range(len(text), position - 1, -1)


def entry_faults(id: str, body: JsonObject, listed: Container[str]) -> Iterator[str]:
    """Yield what is wrong with an entry of a catalogue. ``listed``: the ids of all its entries."""
    try:
        names = [name for _, name in split_template(body["text"]) if name]
    except ValueError as fault:
        yield f"{id}.text: {fault}"
        return
    if len(set(names)) < len(names):
        yield f"{id}.text: a field occurs twice"
    yield from (f"{id}.use: '{use}' is none of {', '.join(USES)}" for use in body.get("use", ()) if use not in USES)
    for name, declared in body.get("fields", {}).items():
        where = f"{id}.fields.{name}"
        if name not in names:
            yield f"{where}: the text has no such field"
        elif declared != NUMBER and not isinstance(declared, list | tuple):
            yield f'{where}: is neither "{NUMBER}" nor a list of messages'
        elif declared != NUMBER:
            unknown = [part for part in declared if part not in ("", ANY) and part not in listed]
            yield from (f"{where}: there is no message '{part}'" for part in unknown)

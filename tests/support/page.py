"""Reads the fragments of the page strictly, and plays a session by nothing but what can be tapped in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from html.parser import HTMLParser
from random import Random

from companion.core.errors import Illegal, Unreadable
from companion.core.resolver import Answers, TypedValue
from companion.session.controller import SessionController
from companion.session.facts import install_practice_set, practice_defaults
from companion.session.store import Archive
from companion.views.screen.state import screen_data

VOID = {"input"}
TAGS = {
    *(
        "p",
        "span",
        "b",
        "ul",
        "li",
        "section",
        "div",
        "h3",
        "details",
        "summary",
        "button",
        "label",
        "input",
        "output",
        "progress",
    ),
    *("svg", "g", "title", "rect", "polygon", "text", "line"),
}
SHAPES = {"rect", "polygon", "line"}
NAMED = {"button", "input", "progress", "svg"}
MOST_TEXT = 4_000
HOWS = ("data-value", "data-toggle", "data-add")


class Element:
    """An element with its attributes, its parts, and its parent."""

    def __init__(self, tag: str, attributes: Mapping[str, str], parent: Element | None) -> None:
        self.tag = tag
        self.attributes = attributes
        self.parent = parent
        self.parts: list[Element | str] = []

    def walk(self) -> Iterator[Element]:
        yield self
        for part in self.parts:
            if isinstance(part, Element):
                yield from part.walk()

    @property
    def text(self) -> str:
        return "".join(part if isinstance(part, str) else part.text for part in self.parts)

    def find(self, attribute: str) -> list[Element]:
        """The elements with an attribute, in order."""
        return [element for element in self.walk() if attribute in element.attributes]

    @property
    def name(self) -> str:
        """The accessible name."""
        label = self.attributes.get("aria-label", "")
        if label or self.tag != "input":
            return label or self.text.strip()
        return self.parent.text.strip() if self.parent and self.parent.tag == "label" else ""


class _Reader(HTMLParser):
    """Builds elements; whatever is not closed in order, or not allowed on the page, is a fault."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.root = self.at = Element("root", {}, None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, names)
        assert tag in TAGS, tag
        assert not [name for name in names if name.startswith("on") or name in ("style", "href", "src")], (tag, names)
        element = Element(tag, {name: value or "" for name, value in attrs}, self.at)
        self.at.parts.append(element)
        if tag not in VOID:
            self.at = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in SHAPES, tag
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.at.parent is not None, f"</{tag}> closes nothing"
        assert self.at.tag == tag, f"</{tag}> closes <{self.at.tag}>"
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        assert not {"<", "&"} & {*data}, f"not escaped: {data}"
        self.at.parts.append(data)

    def handle_entityref(self, name: str) -> None:
        self.at.parts.append(unescape(f"&{name};"))

    def handle_charref(self, name: str) -> None:
        self.at.parts.append(unescape(f"&#{name};"))

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(f"a declaration: {decl}")


def parsed(html: str) -> Element:
    """A fragment as elements; anything not well-formed or not allowed is an assertion error."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert reader.at is reader.root, f"<{reader.at.tag}> is not closed"
    check(reader.root)
    return reader.root


def check(root: Element) -> None:
    """Check what holds for every fragment: names of controls, unique ids, no control in another, lengths."""
    ids = Counter(element.attributes["id"] for element in root.find("id"))
    assert not [id for id, times in ids.items() if times > 1]
    checks = Counter(element.attributes["data-check"] for element in root.find("data-check"))
    assert not [id for id, times in checks.items() if times > 1], checks
    for element in root.walk():
        attributes = element.attributes
        is_button = element.tag == "button" or attributes.get("role") == "button"
        if element.tag == "button":
            assert attributes.get("type") == "button"
        if is_button:
            assert not [inner for inner in element.walk() if inner is not element and _is_control(inner)], "a control in a button"
            assert any(name.startswith("data-") for name in attributes), attributes
        if _is_control(element) or element.tag in NAMED:
            assert element.name, (element.tag, attributes)
            assert len(element.name) <= MOST_TEXT
        assert all(text.isprintable() or text.isspace() for text in attributes.values() if text), attributes
        assert all(len(part) <= MOST_TEXT for part in element.parts if isinstance(part, str))


def _is_control(element: Element) -> bool:
    return element.tag in ("button", "input") or element.attributes.get("role") == "button"


def practice_session(archive: Archive, game_id: str, seed: str, **options: str) -> SessionController:
    """A session with the made-up set of a game."""
    from companion.session.state import load_game

    game = load_game(game_id)
    install_practice_set(archive, game)
    scenario, defaults = practice_defaults(game, options)
    return SessionController.create(archive, game_id, scenario, defaults, seed=seed)


class Tapper:
    """Plays by what can be tapped, at random; counts what the rules refuse of what was made of several parts.

    Attributes:
        free: Refused texts and lists, of which not every combination is legal.
        taps: The number of taps.
        kinds: How often each kind of control was used.
    """

    def __init__(self, session: SessionController, seed: int, role: str = "all", usual: float = 0.7) -> None:
        self.session = session
        self.random = Random(seed)
        self.role = role
        self.usual = usual
        self.free: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.taps = 0
        self._refused = 0

    def step(self) -> bool:
        """Look at the page and answer or act; False at the end."""
        state = screen_data(self.session, self.role)
        page = {name: parsed(html) for name, html in state.items() if name != "speak"}
        questions = page["question"].find("data-question")
        if questions:
            assert len(questions) == 1
            self._answer(questions[0], page["map"])
            return True
        actions = page["question"].find("data-action")
        if not actions or self.session.game.over(self.session.position):
            return False
        self._act(self._one_of(actions))
        return True

    def _one_of(self, buttons: Sequence[Element]) -> Element:
        suggested = [button for button in buttons if "suggested" in button.attributes.get("class", "")]
        return self.random.choice(suggested if suggested and self.random.random() < self.usual else list(buttons))

    def _act(self, button: Element) -> None:
        self.taps += 1
        self.kinds["action"] += 1
        try:
            self.session.do(button.attributes["data-action"])
        except Illegal as refusal:
            self._note_refusal(f"do {button.attributes['data-action']}: {refusal}")

    def _answer(self, question: Element, map: Element) -> None:
        at, kind = question.attributes["data-at"], question.attributes["data-kind"]
        assert at == self.session.question_number
        assert self.session.pending is not None and question.attributes["data-key"] == self.session.pending.key
        assert question.find("data-value") or question.find("data-send") or question.find("data-die"), "nothing can be answered"
        if self._refused > 12:
            self._give_up()
            return
        drawn = [item for how in HOWS for item in map.find(how)]
        listed = {(how, item.attributes[how]) for how in HOWS for item in question.find(how)}
        on_map = {(how, item.attributes[how]) for how in HOWS for item in map.find(how)}
        assert on_map <= listed, "what can be tapped on the map is in the list, too"
        getattr(self, f"_on_{kind}")(question, at, drawn)

    def _give_up(self) -> None:
        self._refused = 0
        if self.session.history.open_entry and self.session.history.open_entry.number == self.session.history.force[0]:
            raise AssertionError("the set-up cannot be answered")
        self.session.abort()

    def _send(self, at: str, value: object, is_whole: bool) -> None:
        """Send an answer as the page does. `is_whole`: it is offered as it is, so that it must be accepted."""
        self.taps += 1
        key = self.session.pending.key if self.session.pending else ""
        try:
            self.session.answer(Answers([(key, TypedValue.of(value))]), at=at)  # type: ignore[arg-type]
            self._refused = 0
        except (Illegal, Unreadable) as refusal:
            assert not is_whole, f"{key} = {value}: {refusal}"
            self._note_refusal(f"{key} = {value}: {refusal}")

    def _note_refusal(self, text: str) -> None:
        self._refused += 1
        self.free[text] += 1

    def _tap(self, question: Element, at: str, drawn: Sequence[Element]) -> None:
        """Tap a choice, on the map or in the list."""
        on_map = [item for item in drawn if "data-value" in item.attributes]
        if on_map and self.random.random() < 0.4:
            self.kinds["map"] += 1
            button = self.random.choice(on_map)
        else:
            self.kinds["choice"] += 1
            button = self._one_of(question.find("data-value"))
        self._send(at, button.attributes["data-value"], question.attributes["data-kind"] not in ("text", "printed"))

    _on_choose = _on_confirm = _tap

    def _on_number(self, question: Element, at: str, drawn: Sequence[Element]) -> None:
        if question.find("data-value"):
            self._tap(question, at, drawn)
            return
        self.kinds["number"] += 1
        (field,) = question.find("data-number")
        low, high, value = (int(field.attributes[name]) for name in ("min", "max", "value"))
        number = value if self.random.random() < self.usual else self.random.randint(low, min(high, low + 50))
        assert low <= value <= high
        self._send(at, str(number), True)

    def _on_pick(self, question: Element, at: str, drawn: Sequence[Element]) -> None:
        self.kinds["pick"] += 1
        toggles = question.find("data-toggle")
        least, most = int(question.attributes["data-least"]), int(question.attributes["data-most"])
        pressed = [item.attributes["data-toggle"] for item in toggles if item.attributes["aria-pressed"] == "true"]
        assert question.find("data-send") and 0 <= least <= most <= len(toggles)
        if not (least <= len(pressed) <= most) or self._refused or self.random.random() > self.usual:
            count = self.random.randint(least, most)
            pressed = [item.attributes["data-toggle"] for item in self.random.sample(toggles, count)]
        self.taps += len(pressed)
        self._send(at, pressed, False)

    def _on_roll(self, question: Element, at: str, drawn: Sequence[Element]) -> None:
        (tray,) = question.find("data-dice")
        count, low, high = (int(tray.attributes[f"data-{name}"]) for name in ("dice", "low", "high"))
        if self.random.random() < 0.3:
            self.kinds["computer"] += 1
            self._send_default(question, at)
            return
        self.kinds["dice"] += 1
        keys = [int(key.attributes["data-die"]) for key in tray.find("data-die")]
        assert keys == list(range(low, high + 1)) or (not keys and tray.find("data-text"))
        faces = [self.random.randint(low, high) for _ in range(count)]
        self.taps += count
        self.session.answer(Answers(dice=faces), at=at)

    def _on_draw(self, question: Element, at: str, drawn: Sequence[Element]) -> None:
        if question.find("data-computer") and self.random.random() < 0.5:
            self.kinds["computer"] += 1
            self._send_default(question, at)
            return
        self.kinds["draw"] += 1
        self.session.answer(Answers(draws=[self._one_of(question.find("data-value")).attributes["data-value"]]), at=at)

    def _send_default(self, question: Element, at: str) -> None:
        assert question.find("data-computer") and at == self.session.question_number
        self.taps += 1
        self.session.reply("")

    def _on_text(self, question: Element, at: str, drawn: Sequence[Element]) -> None:
        names, adds = question.find("data-value"), question.find("data-add")
        if names and (self._refused or self.random.random() < 0.8):
            self._tap(question, at, drawn)
            return
        self.kinds["text"] += 1
        (field,) = question.find("data-text")
        value = field.attributes["value"] or field.attributes["placeholder"]
        if adds and (self._refused or self.random.random() < 0.6):
            chosen = self.random.sample(adds, 1 if self._refused else min(len(adds), self.random.randint(1, 3)))
            value = field.attributes["data-between"].join(item.attributes["data-add"] for item in chosen)
        self._send(at, value, False)

    def _on_printed(self, question: Element, at: str, drawn: Sequence[Element]) -> None:
        self._on_text(question, at, drawn)

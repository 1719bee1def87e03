"""Requests: what a procedure awaits from outside. The base class, and what chance decides: rolls and draws.

``await request`` hands the request to the driver of the procedure and returns the reply. A reply is plain data (text,
whole number, truth value, or a list of them) and is stored in the log as it is. ``check`` accepts from the log, scripts
and other programs exactly what ``read`` returns for typed text. What the player decides is in ``requests``.
"""

# no future import of annotations: a NamedTuple compiles annotations that are texts, and a status loads this module
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import partial

from companion.core.dice import RollOutcome, count_by_name, nth_counter, ordered_rolls, seeded_draw, seeded_number
from companion.core.errors import Ambiguous, Illegal, Unreadable
from companion.core.hints import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast
from companion.core.named_tuple import NamedTuple
from companion.core.position import Piece
from companion.core.procedures import ProgressCallback, ResolvedReply, Source, ignore_progress
from companion.core.text import clean, labels, matching_names, natural_key, no_match, pick_name, plural
from companion.core.values import JsonDict, ReplyValue

if TYPE_CHECKING:
    from companion.core.candidates import Recommendation
    from companion.core.referee import Referee
    from companion.core.sealed import Sealed

T = TypeVar("T")


Sections = tuple[tuple[str, tuple[tuple[str, float], ...]], ...]
"""Headings of odds, each with its lines."""


class Odds(NamedTuple):
    """Exact chances: headings with their lines (label, probability), expected values by label, and notes.

    ``beside`` is a short text shown beside each choice of the question, by its value.
    """

    title: str
    rule: str
    sections: Sections
    means: tuple[tuple[str, float], ...] = ()
    notes: tuple[str, ...] = ()
    beside: tuple[tuple[str, str], ...] = ()


Later = Callable[[ProgressCallback], Sections]
"""Computes sections of odds that take long."""


class LongOdds(Odds):
    """Odds with sections that take long, so that the others can be shown before."""

    later: Later

    @classmethod
    def of(cls, odds: Odds, later: Later) -> "LongOdds":
        """The same odds with such sections."""
        long_odds = cls(*odds)
        long_odds.later = later
        return long_odds

    def _replace(self, **changes: Any) -> "LongOdds":
        return LongOdds.of(Odds(*self)._replace(**changes), self.later)


def complete_odds(odds: Odds) -> Odds:
    """The odds with the sections that take long among the others."""
    if not isinstance(odds, LongOdds):
        return odds
    return Odds(*odds)._replace(sections=(*odds.sections, *odds.later(ignore_progress)))


WhyNot = Callable[[str], tuple[str, str] | None]
"""Why a name cannot be chosen: (reason, rule), or None."""

LazyText = str | Callable[[], str]
"""A text, or a function that makes it when it is shown: exact odds ask thousands of questions that are never shown."""


def evaluate_text(text: LazyText) -> str:
    """Evaluate a lazy text."""
    return text if isinstance(text, str) else text()


class Choice(NamedTuple):
    """One answer that can be chosen: the value that is stored, the label that is shown, and an optional hint."""

    value: str
    label: str
    hint: LazyText = ""

    @property
    def name(self) -> str:
        """The text typed for it; for a piece its name instead of its id."""
        return self.label if "#" in self.value else self.value

    @property
    def hint_text(self) -> str:
        """The hint as text."""
        return evaluate_text(self.hint)

    def data(self, beside: str) -> JsonDict:
        """The choice as plain data; ``beside`` is the label in the list that selects it."""
        return {"value": self.value, "label": self.label, "hint": self.hint_text, "beside": beside}


class Request(Generic[T]):
    """A question with a stable key.

    Attributes:
        prompt: The text shown, without the rule number; may be lazy.
        typing_hint: How to type an answer: the end of the prompt, in brackets, where answers are typed; may be lazy.
        suggest: The reply of a bare Enter, or None if the player must type something; may be lazy.
        table_default: The reply of a bare Enter where nothing is suggested; may be lazy. Policies and scripts do not take it.
        odds: Computes the chances of a commitment, or None.
        is_list_hidden: True where the list of choices is too long for the screen and was not asked for.
        has_quick_odds: True if the odds take less than a tenth of a second; they are then shown beside the choices.
        asked_side: The side that is asked, where each side belongs to a player; else "".
        seat: The seat that decides, or rolls; "" where any seat may.
        advice: Computes what the game's opponent would answer, or None. The decisions of its candidates are replies.
        is_announced: True if the procedure says a reply that is not asked for, so that it is not listed besides.
        sealed: The sealed question that this is a part of, or None.
        why_not: Returns why a typed name cannot be chosen, as (reason, rule), or None; called only when a name fits no choice.
        referee: The referee of the procedure that asks, or None before it is asked.
        waits_for: The seats whose share a trusted roll or draw waits for; set where a session shows it.
    """

    kind: ClassVar[str] = ""
    former_kind: ClassVar[str] = ""
    """An earlier kind whose stored replies answer this one too."""
    chance_setting: ClassVar[str] = ""
    """The setting that says who rolls or draws, ``dice`` or ``draws``; "" for a decision."""
    is_name_visible: ClassVar[bool] = False
    """True if the player reads the name off the table, so that no long list of names is shown."""
    accepts_list: ClassVar[bool] = False
    """True if several names separated by commas, or free text, can be typed."""
    __slots__ = (
        *("_prompt", "_suggest", "advice", "asked_side", "has_quick_odds", "is_announced", "is_list_hidden"),
        *("key", "odds", "referee", "rule", "sealed", "seat", "table_default", "typing_hint", "waits_for", "why_not"),
    )

    def __init__(self, key: str, prompt: LazyText, rule: str, suggest: ReplyValue = None) -> None:
        self.key = key
        self._prompt = prompt
        self.typing_hint: LazyText = ""
        self.rule = rule
        self._suggest = suggest
        self.odds: Callable[[], Odds] | None = None
        self.has_quick_odds = False
        self.is_announced = False
        self.is_list_hidden = False
        self.asked_side = ""
        self.seat = ""
        self.sealed: Sealed | None = None
        self.table_default: ReplyValue | Callable[[], ReplyValue] = None
        self.advice: Callable[[], Recommendation[Any] | None] | None = None
        self.why_not: WhyNot | None = None
        self.referee: Referee | None = None
        self.waits_for: tuple[str, ...] = ()

    @property
    def prompt(self) -> str:
        hint = evaluate_text(self.typing_hint)
        return f"{self.prompt_to_tap} ({hint})" if hint else self.prompt_to_tap

    @property
    def prompt_to_tap(self) -> str:
        """The prompt on a screen where answers are tapped."""
        return evaluate_text(self._prompt)

    def dead_end(self) -> str:
        """Why no answer to the question is possible, a fault of the rules; "" if one is."""
        return ""

    def named(self, fault: str) -> str:
        """What is wrong with the question, for the author of the rules."""
        return f"the question '{self.key}' {fault}: {self.prompt} [{self.rule}]"

    def prefix_prompt(self, label: str) -> None:
        """Begin the prompt with a label that sets the question apart, such as ``Yours``."""
        prompt = self._prompt
        self._prompt = lambda: f"{label}: {evaluate_text(prompt)}"

    @property
    def suggest(self) -> ReplyValue:
        if callable(self._suggest):
            self._suggest = self._suggest()
        return self._suggest

    @suggest.setter
    def suggest(self, value: ReplyValue) -> None:
        self._suggest = value

    @property
    def default_reply(self) -> ReplyValue:
        """The reply of a bare Enter: the suggestion, else `table_default`; None if the player must type something."""
        if self.suggest is not None:
            return self.suggest
        if callable(self.table_default):
            self.table_default = self.table_default()
        return self.table_default

    def __await__(self) -> "Generator[Request[T], Any, T]":
        reply = yield self
        return self.result(reply)

    def result(self, value: ReplyValue) -> T:
        """Convert a stored reply to what the procedure receives."""
        return cast(T, value)

    def read(self, text: str) -> ReplyValue:
        """Return the reply that typed text means. Raises Unreadable."""
        raise NotImplementedError

    def _is_readable(self, text: str) -> bool:
        try:
            self.read(text)
        except Unreadable:
            return False
        return True

    def read_sequence(self, text: str) -> list[str]:
        """The texts for this question and those of the same key that follow; empty if the text does not answer several."""
        return []

    def check(self, value: ReplyValue) -> ReplyValue:
        """Return the value if it is a possible reply. Raises Unreadable."""
        raise NotImplementedError

    def invalid_reply(self, value: ReplyValue) -> Unreadable:
        """The error for a value that cannot be a reply."""
        error = Unreadable(f"{clean(str(value))!r} is not an answer to '{self.prompt}'", rule=self.rule, cure=self.expects())
        error.text = clean(str(value))
        return error

    def parse_reply(self, text: str, source: Source, anyway: bool) -> ResolvedReply:
        """Return the reply that typed text means, with its source. Raises Unreadable, and Illegal as `accept_reply` does."""
        return self.accept_reply(self.read(text), source, anyway)

    def accept_reply(self, value: ReplyValue, source: Source, anyway: bool) -> ResolvedReply:
        """Return a reply that `check` has accepted. Raises Illegal: it contradicts the position and `anyway` is not set."""
        return ResolvedReply(value, source)

    def conflict(self, value: ReplyValue) -> str:
        """Why a stored reply contradicts the current position; "" if it does not."""
        return ""

    def is_excluded(self, text: str) -> bool:
        """True if the text names a choice the rules exclude."""
        return False

    def forced_reply(self) -> ReplyValue:
        """The only legal reply; None if there are several or chance decides."""
        return None

    def weighted_replies(self) -> list[tuple[ReplyValue, float]]:
        """The possible replies of a roll or draw with their probabilities; empty for a decision."""
        return []

    def can_be_automatic(self) -> bool:
        """False for a draw from an empty cup, which Companion cannot make."""
        return True

    def seeded_reply(self, seed: str, index: int) -> ReplyValue:
        """Roll or draw: a function of the seed and the index among the random replies in force."""
        raise ValueError(f"'{self.key}' is not left to chance")

    def default_hint(self) -> str:
        """What a bare Enter does besides taking the suggestion, in a few words; "" if something must be typed."""
        return ""

    def hint(self) -> str:
        """A further line shown below the question."""
        return ""

    def legal_choices(self) -> list[Choice]:
        """The legal answers, for ``?`` and completion."""
        return []

    def display(self, value: ReplyValue) -> str:
        """Format a reply as the question shows it."""
        shown = {choice.value: choice.label for choice in self.legal_choices()}
        return ", ".join(shown.get(str(item), str(item)) for item in (value if isinstance(value, list) else [value])) or "none"

    def to_input(self, value: ReplyValue) -> str:
        """Format a reply so that it can be typed and is read as the same reply."""
        texts = (self.display(value), *self.aliases(value))
        return next((text for text in texts if self._means(text, value)), texts[0])

    def aliases(self, value: ReplyValue) -> Sequence[str]:
        """Other texts for a reply, plainest first."""
        return (str(value),)

    def _means(self, text: str, value: ReplyValue) -> bool:
        """True if the text is read as this reply or an equal one."""
        try:
            return self.display(self.read(text)) == self.display(value)
        except (Unreadable, NotImplementedError):
            return False

    def labels(self) -> tuple[str, ...]:
        """The number beside each legal choice that selects it; empty if numbers mean something else here."""
        return ()

    def list_numbers(self, text: str) -> list[str]:
        """The numbers in a text that select choices by their number in the list; neither a name nor a count (``2 air``)."""
        parts = [part.split() for part in text.replace("+", ",").split(",")]
        numbers = [word for words in parts if all(map(str.isdecimal, words)) for word in words]
        if not numbers:
            return []
        names = {word for choice in self.legal_choices() for word in f"{choice.value} {choice.label}".casefold().split()}
        return [number for number in numbers if number in self.labels() and number not in names]

    def grouped_choices(self) -> Sequence[tuple[str, Sequence[str]]]:
        """The choices for the screen in groups, each with its heading; empty to list them one by one."""
        return ()

    def expects(self) -> str:
        """What to type, in a few words."""
        return ""

    def describe(self) -> JsonDict:
        """The question as plain data, for other programs."""
        return {
            "kind": self.kind,
            "key": self.key,
            "prompt": self.prompt,
            "rule": self.rule,
            "whose": self.asked_side,
            "choices": self.choices_data(),
            "suggest": self.suggest,
            "hint": self.hint(),
            "expects": self.expects(),
            "enter": "" if self.waits_for else self.default_hint(),
            **({"sealed": self._sealed_data(self.sealed)} if self.sealed else {}),
        }

    def _sealed_data(self, sealed: "Sealed") -> JsonDict:
        """The seats of the sealed question that this is a part of, and those that have not answered."""
        return {"seats": list(sealed.parts), "open": list(sealed.open_seats)}

    def choices_data(self) -> list[JsonDict]:
        """The legal choices as plain data, each with its label."""
        choices = self.legal_choices()
        labels = self.labels() or ("",) * len(choices)
        return [choice.data(label) for choice, label in zip(choices, labels, strict=True)]


AnyRequest = Request[Any]
"""A request of any reply type."""


class OtherSeat(Request[None]):
    """Stands for a question to other seats: says who answers, and takes no answer."""

    kind = "sealed"
    __slots__ = ()

    def __init__(self, request: AnyRequest, text: str) -> None:
        super().__init__(request.key, text, request.rule)
        self.seat, self.asked_side = request.seat, request.asked_side
        self.sealed = request.sealed

    def accept_reply(self, value: ReplyValue, source: Source, anyway: bool) -> ResolvedReply:
        raise Illegal(self.prompt, rule=self.rule)

    def parse_reply(self, text: str, source: Source, anyway: bool) -> ResolvedReply:
        raise Illegal(self.prompt, rule=self.rule)


NONE_WORDS = ("none", "0")  # Typed for none of the things that a question offers


def choose_one(text: str, choices: Sequence[Choice], what: str, besides: Sequence[Choice] = ()) -> str:
    """Return the value of the choice that the text means: by its label in the list, its value or its name; ``0`` is none.

    ``besides`` are choices that are not listed and can be named too; their names are never taken for a label. Raises Unreadable.
    """
    label = text.strip().casefold()
    for choice, own_label in zip(choices, choice_labels(choices, besides), strict=True):
        if own_label == label:
            return choice.value
    by_text: dict[str, str] = {}
    for choice in choices:
        by_text.setdefault(choice.value, choice.value)
        by_text.setdefault(choice.label, choice.value)
    names = matching_names(text, by_text) or ([NONE_WORDS[0]] if label in NONE_WORDS and NONE_WORDS[0] in by_text else [])
    values = list(dict.fromkeys(by_text[name] for name in names))
    if len(values) == 1:
        return values[0]
    if values:
        raise Ambiguous(text, [choice.name for choice in choices if choice.value in values])
    raise no_match(text, what, [choice.name for choice in choices])


def choice_labels(choices: Sequence[Choice], besides: Sequence[Choice] = ()) -> tuple[str, ...]:
    """The label beside each choice of a list."""
    return labels([(choice.value, choice.label) for choice in choices], [choice.value for choice in besides])


# -- rolls and draws ---------------------------------------------------------------------------------------------------
# Companion rolls or draws, or the player types the result.

Outcomes = Callable[[], tuple[RollOutcome, ...]]
"""Returns the rolls that a rule tells apart, each with its weight; called only for exact odds."""

_EXAMPLE = (2, 4, 1, 3, 5, 0)  # indices of the faces of an example


class Roll(Request[tuple[int, ...]]):
    """Dice of ``sides`` faces, the lowest face being ``lowest``. Enter: Companion rolls. Digits: the player rolled.

    ``outcomes`` are the rolls that the rule distinguishes, for exact odds; by default every order of faces counts.
    ``remaining`` is the number of rolls with this key that come, this one included: they can be typed together.
    """

    kind = "roll"
    chance_setting = "dice"
    __slots__ = ("count", "lowest", "outcomes", "remaining", "sides")

    def __init__(
        self,
        key: str,
        prompt: LazyText,
        rule: str,
        count: int = 1,
        sides: int = 6,
        lowest: int = 1,
        outcomes: Outcomes | None = None,
    ) -> None:
        super().__init__(key, prompt, rule)
        self.count = count
        self.sides = sides
        self.lowest = lowest
        self.outcomes = outcomes
        self.remaining = 1

    def result(self, value: ReplyValue) -> tuple[int, ...]:
        return tuple(value)

    def _faces(self, text: str) -> list[str]:
        """The faces in a text; those of dice with one digit need nothing between them."""
        parts = text.replace(",", " ").split()
        return list(parts[0]) if len(parts) == 1 and self.lowest + self.sides <= 10 else parts

    def read_sequence(self, text: str) -> list[str]:
        faces, size = self._faces(text), self.count
        rolls = [" ".join(faces[index : index + size]) for index in range(0, len(faces), size)]
        return rolls if 1 < len(rolls) <= self.remaining and all(map(self._is_readable, rolls)) else []

    def read(self, text: str) -> list[int]:
        try:
            return self.check([int(part) for part in self._faces(text)])
        except ValueError:
            raise Unreadable(f"'{clean(text)}' is not a roll", rule=self.rule, cure=self.expects()) from None

    def check(self, value: ReplyValue) -> list[int]:
        faces = [value] if isinstance(value, int) and not isinstance(value, bool) else value
        if not isinstance(faces, list | tuple) or not all(isinstance(face, int) for face in faces):
            raise self.invalid_reply(value)
        high = self.lowest + self.sides - 1
        for face in faces:
            if not self.lowest <= face <= high:
                raise Unreadable(f"a d{self.sides} shows no {face}", rule=self.rule, cure=self.expects())
        if len(faces) != self.count:
            text = f"{plural(len(faces), 'die', 'dice')} given, {self.count} needed"
            raise Unreadable(text, rule=self.rule, cure=self.expects())
        return list(faces)

    def dead_end(self) -> str:
        return "" if self.sides > 0 < self.count else f"rolls {plural(self.count, f'd{self.sides}')}"

    def weighted_replies(self) -> list[tuple[ReplyValue, float]]:
        total = self.sides**self.count
        return [(outcome.faces, outcome.weight / total) for outcome in self.distinct_outcomes()]

    def distinct_outcomes(self) -> tuple[RollOutcome, ...]:
        """Every outcome the rule distinguishes, with its weight out of ``sides ** count``."""
        return self.outcomes() if self.outcomes else ordered_rolls(self.count, self.sides, self.lowest)

    def seeded_reply(self, seed: str, index: int) -> list[int]:
        return [self.lowest + seeded_number(seed, index, die, self.sides) for die in range(self.count)]

    def default_hint(self) -> str:
        return "Companion rolls. Or type your own dice"

    def expects(self) -> str:
        dice = f"{plural(self.count, 'die', 'dice')} of {self.lowest} to {self.lowest + self.sides - 1}"
        total = self.count * self.remaining
        faces = (_EXAMPLE[die % len(_EXAMPLE)] % self.sides + self.lowest for die in range(total))
        return f"Type {dice}{f', or all {total}' if self.remaining > 1 else ''}, such as {' '.join(map(str, faces))}"

    def describe(self) -> JsonDict:
        return {**super().describe(), "count": self.count, "sides": self.sides, "lowest": self.lowest}


CupContents = Mapping[str, int] | Sequence[Piece]
"""The content of a cup: counts by name, or the counters themselves, counted on demand."""


def _counts(lying: CupContents) -> dict[str, int]:
    return dict(lying) if isinstance(lying, Mapping) else count_by_name(lying)


def _in_order(contents: Mapping[str, int]) -> list[tuple[str, int]]:
    """The content in the order of listing; the order of the counts themselves decides what a seed draws."""
    return sorted(contents.items(), key=lambda item: natural_key(item[0]))


def _chances(prompt: LazyText, rule: str, lying: CupContents, thing: str) -> Odds:
    """The chances of the next draw; a function, since a request that refers to itself would be a reference cycle."""
    contents = _counts(lying)
    total = sum(contents.values())
    rows = tuple((name, count / total) for name, count in _in_order(contents) if count)
    return Odds(evaluate_text(prompt), rule, ((f"The {thing} is", rows),))


class Draw(Request[str]):
    """One counter drawn from a cup. Enter: Companion draws. A name: the player drew it.

    ``contents`` is what the cup holds as far as known. ``others`` are names that exist and are not in it; naming one asks the
    player back. ``thing`` and ``holder`` are the nouns for the counter and the cup. ``remaining`` is the number of draws with
    this key that come, this one included: they can be typed together.
    """

    kind = "draw"
    chance_setting = "draws"
    is_name_visible = True
    __slots__ = ("_counted", "_lying", "_others", "cup", "holder", "remaining", "thing")

    def __init__(
        self,
        key: str,
        prompt: LazyText,
        rule: str,
        cup: str,
        contents: CupContents,
        others: Sequence[str] | Callable[[], Sequence[str]] = (),
        thing: str = "counter",
        holder: str = "cup",
    ) -> None:
        super().__init__(key, prompt, rule)
        self.cup = cup
        self._lying = contents
        self._counted: dict[str, int] | None = None
        self._others = others
        self.thing = thing
        self.holder = holder
        self.remaining = 1
        self.odds = partial(_chances, prompt, rule, contents, thing)

    @property
    def contents(self) -> dict[str, int]:
        """The number of counters of each name."""
        if self._counted is None:
            self._counted = _counts(self._lying)
        return self._counted

    def dead_end(self) -> str:
        return "" if self._lying or self.others else f"draws from '{self.cup}', which is empty"

    def random_counter(self, number: Callable[[int], int]) -> str:
        """A random counter, all equally likely; from an empty cup, any other name."""
        lying = self._lying
        if not lying:
            return self.others[number(len(self.others))]
        if isinstance(lying, Mapping):
            return nth_counter(lying, number(sum(lying.values())))
        return lying[number(len(lying))].name

    def ordered_names(self) -> list[str]:
        """The name of every counter in the cup, in the order in which `random_counter` numbers them."""
        if isinstance(self._lying, Mapping):
            return [name for name, count in self._lying.items() for _ in range(count)]
        return [counter.name for counter in self._lying]

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(name for name in (self._others() if callable(self._others) else self._others) if name not in self.contents)

    def _choices(self) -> list[Choice]:
        return [Choice(name, name, f"{count} in the {self.holder}") for name, count in _in_order(self.contents)]

    def read(self, text: str) -> str:
        try:
            others = [Choice(name, name) for name in self.others]
            return choose_one(text, self._choices(), f"{self.thing} in the {self.holder}", others)
        except Ambiguous:
            raise
        except Unreadable:
            if not matching_names(text, self.others):
                raise
            return pick_name(text, self.others, self.thing)

    def read_sequence(self, text: str) -> list[str]:
        parts = [part.strip() for part in text.replace(";", ",").replace("+", ",").split(",")]
        parts = text.split() if len(parts) == 1 else parts
        try:
            return [self.read(part) for part in parts] if 1 < len(parts) <= self.remaining else []
        except Unreadable:
            return []

    def check(self, value: ReplyValue) -> str:
        if isinstance(value, str) and (value in self.contents or value in self.others):
            return value
        raise self.invalid_reply(value)

    def accept_reply(self, value: ReplyValue, source: Source, anyway: bool) -> ResolvedReply:
        against = value not in self.contents
        if against and not anyway:
            raise Illegal(f"the {self.holder} has no more {value}", rule=self.rule)
        return ResolvedReply(value, source, None, against)

    def conflict(self, value: ReplyValue) -> str:
        return "" if value in self.contents else f"no longer finds {value} in the {self.holder}"

    def weighted_replies(self) -> list[tuple[ReplyValue, float]]:
        total = sum(self.contents.values())
        return [(name, count / total) for name, count in self.contents.items()]

    def can_be_automatic(self) -> bool:
        return bool(self.contents)

    def forced_reply(self) -> str | None:
        """The only name left in the cup, as far as known."""
        names = [name for name, count in self.contents.items() if count]
        return names[0] if len(names) == 1 else None

    def is_excluded(self, text: str) -> bool:
        return not matching_names(text, self.contents) and bool(matching_names(text, self.others))

    def seeded_reply(self, seed: str, index: int) -> str:
        if not self.contents:
            raise Illegal(f"the {self.holder} is empty", rule=self.rule, cure=f"Name the {self.thing} that you drew")
        return seeded_draw(self.contents, seed, index)

    def legal_choices(self) -> list[Choice]:
        return self._choices()

    def labels(self) -> tuple[str, ...]:
        return choice_labels(self._choices(), [Choice(name, name) for name in self.others])

    def default_hint(self) -> str:
        return f"Companion draws. Or type the {self.thing} that you drew{self._at_once()}"

    def expects(self) -> str:
        return f"Type the name of the {self.thing} that you drew{self._at_once()}"

    def _at_once(self) -> str:
        return f", or all {self.remaining} with commas between" if self.remaining > 1 else ""

    def describe(self) -> JsonDict:
        return {**super().describe(), "cup": self.cup}

    def choices_data(self) -> list[JsonDict]:
        return [{**choice, "many": self.contents[choice["value"]]} for choice in super().choices_data()]

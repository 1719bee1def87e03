"""What the player is asked: choices, numbers, texts, printed facts. Rolls and draws are in ``request``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.core.errors import Ambiguous, Impossible, Miscounted, NoPossibleAnswer, Unreadable
from companion.core.hints import ClassVar, TypeVar, cast
from companion.core.notation import Notation
from companion.core.procedures import ResolvedReply, Source
from companion.core.request import (
    NONE_WORDS,
    AnyRequest,
    Choice,
    Draw,
    LazyText,
    Odds,
    Request,
    Roll,
    choice_labels,
    choose_one,
    evaluate_text,
)
from companion.core.text import clean, join_counted, matching_names, no_match, normalised, split_count
from companion.core.values import JsonDict, ReplyValue

__all__ = [
    "AnyRequest",
    "Choice",
    "Choose",
    "Confirm",
    "Draw",
    "LazyText",
    "Number",
    "Odds",
    "Pick",
    "Printed",
    "Request",
    "Roll",
    "Text",
]

ALL_WORDS = ("all", "+")  # Typed for all of the things that a question offers

T = TypeVar("T")

Choices = Sequence[Choice] | Callable[[], Sequence[Choice]]
"""The choices, or a function that makes them."""


def choice_names(choices: Sequence[Choice]) -> list[str]:
    """The values and labels of all choices."""
    return [name for choice in choices for name in (choice.value, choice.label)]


def _between(text: str, rows: Mapping[str, Choice]) -> str:
    """Replace ``+`` between labels (``1+3``, typed on a number pad) by commas."""
    parts = text.split("+")
    return ",".join(parts) if len(parts) > 1 and all(part.strip().casefold() in rows for part in parts) else text


def _is_whole_name(text: str, choice: Choice) -> bool:
    """True if the text is the value or the label of a choice, not a part of it."""
    return clean(text).casefold() in (choice.value.casefold(), choice.label.casefold())


class Decision(Request[T]):
    """A question that a player answers.

    Attributes:
        implied_reply: The reply that the position implies: it is not asked, but another one is accepted.
    """

    __slots__ = ("implied_reply",)

    def __init__(self, key: str, prompt: LazyText, rule: str, suggest: ReplyValue = None) -> None:
        super().__init__(key, prompt, rule, suggest)
        self.implied_reply: ReplyValue = None

    def forced_reply(self) -> ReplyValue:
        return self.implied_reply


class Selection(Decision[T]):
    """A question with a list of choices.

    Args:
        choices: May be lazy.
        others: Choices that can be named but are not offered; the procedure refuses them by their rule. May be lazy.
    """

    __slots__ = ("_choices", "_others")

    def __init__(
        self, key: str, prompt: LazyText, rule: str, choices: Choices, suggest: ReplyValue = None, others: Choices = ()
    ) -> None:
        super().__init__(key, prompt, rule, suggest)
        self._choices = choices
        self._others = others

    @property
    def choices(self) -> tuple[Choice, ...]:
        if type(self._choices) is not tuple:
            self._choices = tuple(self._choices() if callable(self._choices) else self._choices)
        return self._choices

    @property
    def others(self) -> tuple[Choice, ...]:
        if type(self._others) is not tuple:
            self._others = tuple(self._others() if callable(self._others) else self._others)
        return self._others

    def is_excluded(self, text: str) -> bool:
        # a prefix or a list number never matches: otherwise unit 1 would be refused and unit 12, or the first in the list, act
        excluded = any(_is_whole_name(text, choice) for choice in self.others)
        return excluded and not any(_is_whole_name(text, choice) for choice in self.choices)


_NO_CHOICE = "has no choices"


class Choose(Selection[str]):
    """One of a few choices.

    Args:
        what: The noun for one choice in messages.

    Attributes:
        is_repeatable: True if the same question follows for the others, so that several can be named at once.
    """

    kind = "choose"
    __slots__ = ("is_repeatable", "what")

    def __init__(
        self,
        key: str,
        prompt: LazyText,
        rule: str,
        choices: Choices,
        suggest: str | Callable[[], str] | None = None,
        others: Choices = (),
        what: str = "answer",
    ) -> None:
        super().__init__(key, prompt, rule, choices, suggest, others)
        self.what = what
        self.is_repeatable = False

    def dead_end(self) -> str:
        return _NO_CHOICE if not (callable(self._choices) or self._choices or self.others) else ""

    @property
    def choices(self) -> tuple[Choice, ...]:
        made = self._choices
        if type(made) is tuple and made:
            return made
        code = getattr(made, "__code__", None)
        choices = super().choices
        if not choices and not self.others:
            place = (code.co_filename, code.co_firstlineno) if code else None
            raise NoPossibleAnswer(self.named(_NO_CHOICE), place)
        return choices

    def read_sequence(self, text: str) -> list[str]:
        """The replies of ``a; c`` for this question and its repetitions; empty if it is no such list."""
        parts = [part.strip() for part in text.split(";")] if self.is_repeatable else []
        replies = [self.read(part) for part in parts] if all(map(self._is_readable, parts)) else []
        return replies if len(set(replies)) == len(replies) > 1 else []

    def read(self, text: str) -> str:
        if self.is_excluded(text):
            return next(choice.value for choice in self.others if _is_whole_name(text, choice))
        try:
            return choose_one(text, self.choices, self.what, self.others)
        except Ambiguous:
            raise
        except Unreadable:
            names = matching_names(text, choice_names(self.others))
            values = {choice.value for choice in self.others if choice.value in names or choice.label in names}
            if len(values) != 1:
                raise
            return values.pop()

    def check(self, value: ReplyValue) -> str:
        for choice in self.choices:
            if choice.value == value:
                return choice.value
        if any(choice.value == value for choice in self.others):
            return cast(str, value)
        raise self.invalid_reply(value)

    def forced_reply(self) -> str | None:
        choices = self.choices
        return choices[0].value if len(choices) == 1 else self.implied_reply

    def legal_choices(self) -> list[Choice]:
        return list(self.choices)

    def aliases(self, value: ReplyValue) -> Sequence[str]:
        """The name, else the label in the list."""
        beside = zip(self.choices, self.labels(), strict=True)
        return [text for choice, label in beside if choice.value == value for text in (choice.name, label)] or [str(value)]

    def labels(self) -> tuple[str, ...]:
        return choice_labels(self.choices, self.others)

    def expects(self) -> str:
        return "Type " + " or ".join(choice.name for choice in self.choices[:6])


class Number(Decision[int]):
    """A whole number within bounds, both included."""

    kind = "number"
    __slots__ = ("high", "low")

    def __init__(self, key: str, prompt: LazyText, rule: str, low: int, high: int, suggest: int | None = None) -> None:
        super().__init__(key, prompt, rule, suggest)
        self.low = low
        self.high = high

    def dead_end(self) -> str:
        return f"allows {self.low} to {self.high}" if self.low > self.high else ""

    def read(self, text: str) -> int:
        try:
            return self.check(int(text))
        except ValueError:
            raise Unreadable(f"'{clean(text)}' is not a whole number", rule=self.rule, cure=self.expects()) from None

    def check(self, value: ReplyValue) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.invalid_reply(value)
        if not self.low <= value <= self.high:
            raise Unreadable(f"{value} is outside {self.low} to {self.high}", rule=self.rule, cure=self.expects())
        return value

    def forced_reply(self) -> int | None:
        return self.low if self.low == self.high else self.implied_reply

    def expects(self) -> str:
        return f"Type a whole number from {self.low} to {self.high}"

    def describe(self) -> JsonDict:
        return {**super().describe(), "low": self.low, "high": self.high}


class Confirm(Decision[bool]):
    """Yes or no."""

    kind = "confirm"
    __slots__ = ()

    _WORDS: ClassVar[dict[str, bool]] = dict.fromkeys(("yes", "true", "1"), True) | dict.fromkeys(
        ("no", "false", "0", "2"), False
    )

    def read(self, text: str) -> bool:
        meanings = {self._WORDS[word] for word in self._WORDS if text and word.startswith(text.casefold())}
        if len(meanings) != 1:
            raise Unreadable(f"'{clean(text)}' is neither yes nor no", rule=self.rule, cure=self.expects())
        return meanings.pop()

    def check(self, value: ReplyValue) -> bool:
        if not isinstance(value, bool):
            raise self.invalid_reply(value)
        return value

    def legal_choices(self) -> list[Choice]:
        return [Choice("yes", "yes"), Choice("no", "no")]

    def display(self, value: ReplyValue) -> str:
        return "yes" if value else "no"

    def labels(self) -> tuple[str, ...]:
        return ("1", "2")

    def expects(self) -> str:
        return "Type yes or no"


class Pick(Selection[tuple[str, ...]]):
    """Several of the offered things, each at most as often as it is offered.

    Args:
        ordered: The order in which they are named counts.
        whole: All of them can be taken together.
    """

    kind = "pick"
    accepts_list = True
    __slots__ = ("_whole", "high", "low", "ordered")

    def __init__(
        self,
        key: str,
        prompt: LazyText,
        rule: str,
        choices: Choices,
        low: int = 0,
        high: int | None = None,
        suggest: Sequence[str] | Callable[[], Sequence[str]] | None = None,
        others: Choices = (),
        ordered: bool = False,
        whole: bool = True,
    ) -> None:
        suggested = list(suggest) if isinstance(suggest, Sequence) else suggest
        super().__init__(key, prompt, rule, choices, suggested, others if callable(others) else tuple(others))
        self.low = low
        if high is None:
            high = len(self.choices) + (_MOST_NUMBERS if callable(others) else len(others))
        self.high = high
        self.ordered = ordered
        self._whole = whole

    @property
    def most(self) -> int:
        """The most choices that can be given; `high` may count more, which the procedure refuses by its rule."""
        return min(self.high, len(self.choices))

    @property
    def allows_all(self) -> bool:
        return self._whole and self.high >= len(self.choices)

    def result(self, value: ReplyValue) -> tuple[str, ...]:
        return tuple(value)

    def read(self, text: str) -> list[str]:
        words = text.casefold().strip()
        rows = dict(zip(self.labels(), self.legal_choices(), strict=True))
        if words in ALL_WORDS:
            return self.check([choice.value for choice in self.choices])
        if words in ("", *NONE_WORDS) and words not in rows:
            return self.check([])
        taken: list[str] = []
        parts = [part.strip() for part in _between(text, rows).split(",") if part.strip()]
        for part in parts:
            for count, name in self._parts(part, rows, len(parts) == 1):
                for _ in range(count):
                    taken.append(self._next(name, rows, taken))
        return self.check(taken)

    def _parts(self, part: str, rows: Mapping[str, Choice], whole: bool) -> list[tuple[int, str]]:
        """Split the text between two commas into counted names; without any comma, names or labels separated by blanks."""
        words = part.casefold().split()
        if (whole or len(words) == 1) and all(word in rows for word in words):
            return [(1, word) for word in words]
        names = choice_names([*self.choices, *self.others])
        count, name = split_count(part, names)
        is_one = count > 1 or not whole or matching_names(name, names) or self._is_piece(part)
        several = [] if is_one else self._names(words, names)
        return [(1, name_part) for name_part in several] or [(count, name)]

    def _is_piece(self, text: str) -> bool:
        """Return True for the name of a piece of the game, whose words name no others."""
        pieces = self.referee.position.pieces.values() if self.referee else ()
        return any(normalised(piece.name) == normalised(text) for piece in pieces)

    def _names(self, words: list[str], names: Sequence[str]) -> list[str]:
        """Split words into names, each as long as possible; empty if a word fits no name."""
        found_names: list[str] = []
        while words:
            count = next((size for size in range(len(words), 0, -1) if matching_names(" ".join(words[:size]), names)), 0)
            if not count:
                return []
            found_names.append(" ".join(words[:count]))
            words = words[count:]
        return found_names

    def _next(self, name: str, rows: Mapping[str, Choice], taken: Sequence[str]) -> str:
        """The choice that a label or name means; among equal ones the first not taken yet."""
        row = rows.get(name.strip().casefold())
        alike = [choice for choice in self.choices if choice.label == row.label] if row else self._called(name)
        left = [choice.value for choice in alike if choice.value not in taken]
        if left:
            return left[0]
        excess = "twice" if len(alike) == 1 else f"more often than the {len(alike)} there"
        raise Miscounted(f"{alike[0].label} is named {excess}", rule=self.rule)

    def _called(self, name: str) -> list[Choice]:
        """The choices of a name, and all choices with the same label. Raises Unreadable."""
        fit = matching_names(name, choice_names([*self.choices, *self.others]))
        if len(fit) == 1:  # the name of one that is excluded is not taken for the beginning of another name
            pool: Sequence[Choice] = (*self.choices, *self.others)
        else:
            is_offered = matching_names(name, choice_names(self.choices)) and not self.is_excluded(name)
            pool = self.choices if is_offered else self.others
            fit = matching_names(name, choice_names(pool))
        matches = [choice for choice in pool if choice.value in fit or choice.label in fit]
        kinds = list(dict.fromkeys(choice.label for choice in matches))
        if len(kinds) > 1:
            raise Ambiguous(name, kinds)
        if not matches:
            raise no_match(name, "such thing", [choice.label for choice in self.legal_choices()])
        return [*matches, *(choice for choice in pool if choice.label == matches[0].label and choice not in matches)]

    def check(self, value: ReplyValue) -> list[str]:
        if not isinstance(value, list | tuple):
            raise self.invalid_reply(value)
        allowed = [choice.value for choice in (*self.choices, *self.others)]
        for item in value:
            if item not in allowed:
                raise self.invalid_reply(item)
        if len(set(value)) != len(value):
            raise Miscounted("the same one is named twice", rule=self.rule)
        if not self.low <= len(value) <= self.high:
            bounds = str(self.low) if self.low >= self.most else f"{self.low} to {self.most}"
            raise Miscounted(f"{len(value)} named, {bounds} needed", rule=self.rule, cure=self.expects())
        return list(value)

    def forced_reply(self) -> list[str] | None:
        if self.high == 0:
            return []
        everything = [choice.value for choice in self.choices]
        certain: list[str] | None = self.implied_reply
        return everything if self.low == len(everything) and not (self.ordered and self.low > 1) else certain

    def legal_choices(self) -> list[Choice]:
        """The choices; equal ones appear once, with their number as a hint."""
        alike: dict[str, list[Choice]] = {}
        for choice in self.choices:
            alike.setdefault(choice.label, []).append(choice)
        return [
            first if first.hint or not rest else first._replace(hint=f"{len(rest) + 1} there") for first, *rest in alike.values()
        ]

    def input_name(self, value: str) -> str:
        """The name typed for one choice."""
        return next((choice.name for choice in self.choices if choice.value == value), value)

    def display(self, value: ReplyValue) -> str:
        labels = {choice.value: choice.label for choice in self.choices}
        return join_counted([labels.get(item, item) for item in value]) or "none"

    def aliases(self, value: ReplyValue) -> Sequence[str]:
        """The names, else the labels in the list."""
        labels = {choice.value: choice.label for choice in self.choices}
        beside = {row.label: label for row, label in zip(self.legal_choices(), self.labels(), strict=False)}
        return [
            join_counted(list(map(self.input_name, value))),
            join_counted([beside.get(labels.get(item, item), item) for item in value]),
        ]

    def labels(self) -> tuple[str, ...]:
        return choice_labels(self.legal_choices(), self.others)

    def expects(self) -> str:
        if self.high == 1:
            return "Type one of them" if self.low else "Type one of them, or none"
        alike = len({choice.label for choice in self.choices}) < len(self.choices)
        words = [*(["all"] if self.allows_all else []), *(["none"] if not self.low else [])]
        some = "Names or numbers, commas between" + (" (2 x: two of a kind)" if alike else "")
        return some + (f". Or: {', '.join(words)}" if words else "")

    def describe(self) -> JsonDict:
        return {**super().describe(), "low": self.low, "high": self.most}

    def choices_data(self) -> list[JsonDict]:
        """Every choice, equal ones with the same label."""
        own = dict(zip((choice.label for choice in self.legal_choices()), self.labels(), strict=False))
        return [choice.data(own.get(choice.label, "")) for choice in self.choices]


_MOST_NUMBERS = 100
"""The numbers that are tried for the items of a list are below this."""


def _signed(text: str, rows: Mapping[str, str], plus: str, slash: str) -> str:
    """Replace labels in a text by names, and the signs of the number pad by those of the notation."""
    words, word = [], ""
    for letter in [*text, " "]:
        if letter in "+/ ":
            words += [rows.get(word, word), {"+": plus, "/": slash}.get(letter, letter)]
            word = ""
        else:
            word += letter
    return "".join(words).strip()


class Text(Decision[str]):
    """A text in a notation of its own: a space, a counter's values, a path. The known names may be lazy.

    Attributes:
        sample: The example of an answer, if it shall be another than the suggestion or the first of the known names; may be lazy.
    """

    kind = "text"
    is_name_visible = True
    accepts_list = True
    __slots__ = ("_known", "notation", "sample")

    def __init__(
        self,
        key: str,
        prompt: LazyText,
        rule: str,
        notation: Notation,
        known: Sequence[Choice] | Callable[[], Sequence[Choice]] = (),
        suggest: str | Callable[[], str] | None = None,
    ) -> None:
        super().__init__(key, prompt, rule, suggest)
        self.is_list_hidden = True  # what is typed in the shell was typed without the list
        self.notation = notation
        self.sample: LazyText = ""
        self._known = known if callable(known) else tuple(known)

    @property
    def known(self) -> tuple[Choice, ...]:
        if callable(self._known):
            self._known = tuple(self._known())
        return self._known

    def read(self, text: str) -> str:
        slash = self.notation.slash or "/"
        ways = [text.strip()]
        if "+" in text or "/" in text:
            ways += [_signed(text, {}, sign, slash) for sign in (", ", " ", "+")]
        rows: dict[str, str] = {}
        if not text.strip("0123456789+ ") and not self.is_list_hidden:  # else the names, which may take long, are not needed
            rows = {label: choice.name for label, choice in zip(self.labels(), self.legal_choices(), strict=False)}
        if rows and text.strip() and all(number in rows for number in text.replace("+", " ").split()):
            ways = [_signed(text, rows, sign, slash) for sign in (", ", " ", "+")]
        word = text.strip().casefold()
        ways += NONE_WORDS[:1] if word in NONE_WORDS else ALL_WORDS[:1] if word in ALL_WORDS else ()
        return self._first_that_fits(ways)

    def _first_that_fits(self, texts: Sequence[str]) -> str:
        """The first text that can be read; on the number pad ``+`` stands for the separator of the notation.

        If none can, the error of one that a rule refuses comes before that of one without a meaning.
        """
        faults: list[Unreadable | Impossible] = []
        for text in texts:
            try:
                return self.notation(text)
            except (Unreadable, Impossible) as fault:
                faults.append(fault)
        raise next((fault for fault in faults if isinstance(fault, Impossible)), faults[0])

    def check(self, value: ReplyValue) -> str:
        if not isinstance(value, str):
            raise self.invalid_reply(value)
        return self.notation.read(clean(value))

    def legal_choices(self) -> list[Choice]:
        return list(self.known) or [Choice(word, word) for word in self.notation.choices]

    def labels(self) -> tuple[str, ...]:
        """Numbers that the notation does not read itself; none where it reads all of them, or where the names are numbers."""
        choices = self.legal_choices()
        if all(choice.name.isdecimal() for choice in choices):
            return ()
        read, free = [], 0
        for number in map(str, range(1, _MOST_NUMBERS)):
            if free == len(choices):
                break
            if self._reads(number):
                read.append(number)
            else:
                free += 1
        letters = "".join(f" {choice.name}" for choice in choices)
        beyond = set("".join(letter if letter.isdecimal() else " " for letter in letters).split()).difference(read)
        read += sorted(number for number in beyond if self._reads(number))
        return choice_labels(choices, [Choice(number, number) for number in read]) if free == len(choices) else ()

    def _reads(self, text: str) -> bool:
        try:
            self.notation(text)
        except (Unreadable, Impossible):
            return False
        return True

    def list_numbers(self, text: str) -> list[str]:
        return [] if self.is_list_hidden and self._reads(text) else super().list_numbers(text)

    def expects(self) -> str:
        return f"Type it like this: {self.example}"

    @property
    def example(self) -> str:
        """An answer that can be given here: the sample, else the suggestion, the first of the list, or the notation's."""
        if sample := evaluate_text(self.sample):
            return sample
        if self.default_reply is not None:
            return str(self.default_reply)
        choices = self.legal_choices()
        return choices[0].name if choices else self.notation.example

    def describe(self) -> JsonDict:
        return {**super().describe(), "notation": self.notation.name, "example": self.example}


class Printed(Request[str]):
    """A value printed on the components, asked once and then remembered; always a text in its notation.

    Args:
        fallback: A sample value. If set, the question is not asked and the reply has the source "sample".
    """

    kind = "printed"
    __slots__ = ("fact", "fallback", "notation")

    def __init__(self, fact: str, prompt: LazyText, rule: str, notation: Notation, fallback: str | None = None) -> None:
        super().__init__(fact, prompt, rule)
        self.fact = fact
        self.notation = notation
        self.fallback = fallback

    def read(self, text: str) -> str:
        return self.notation(text)

    def check(self, value: ReplyValue) -> str:
        if not isinstance(value, str):
            raise self.invalid_reply(value)
        return self.notation.read(clean(value))

    def accept_reply(self, value: ReplyValue, source: Source, anyway: bool) -> ResolvedReply:
        return ResolvedReply(value, "typed", (self.fact, value))

    def hint(self) -> str:
        return "Asked once; kept for every game."

    def legal_choices(self) -> list[Choice]:
        return [Choice(word, word) for word in self.notation.choices]

    @property
    def example(self) -> str:
        """A value that can be given."""
        return self.notation.example

    def expects(self) -> str:
        return f"Copy it from the components like this: {self.notation.example}"

    def describe(self) -> JsonDict:
        return {**super().describe(), "fact": self.fact, "example": self.notation.example}


class Allot(Pick):
    """Distribute hits among targets: the reply names each target once for every hit it takes, in order.

    Args:
        rows: Returns the targets with the number of hits that each can take.
    """

    former_kind = Choose.kind
    __slots__ = ()

    def __init__(
        self,
        key: str,
        prompt: LazyText,
        rule: str,
        rows: Callable[[], Sequence[tuple[Choice, int]]],
        number: int,
        suggest: Callable[[], Sequence[str]],
        others: Sequence[Choice] = (),
    ) -> None:
        def choices() -> list[Choice]:
            return [target._replace(value=_nth(target.value, hit)) for target, most in rows() for hit in range(min(most, number))]

        def suggested() -> list[str]:
            names = list(suggest())
            return [_nth(name, names[:index].count(name)) for index, name in enumerate(names)]

        super().__init__(key, prompt, rule, choices, 1, number, suggested, others)

    def result(self, value: ReplyValue) -> tuple[str, ...]:
        return tuple(item.partition(_MARK)[0] for item in value)

    def display(self, value: ReplyValue) -> str:
        """The names without labels, which say what a hit leaves of a target."""
        return join_counted([self.input_name(item) for item in value])

    def input_name(self, value: str) -> str:
        return super().input_name(value.partition(_MARK)[0])

    def check(self, value: ReplyValue) -> list[str]:
        # a stored reply to a Choose, which asked for one hit at a time, is one name
        return super().check([value] if isinstance(value, str) else value)


_MARK = " #"


def _nth(value: str, before: int) -> str:
    return f"{value}{_MARK}{before + 1}" if before else value

"""The base of all requests: what a procedure awaits from outside. The kinds of them are in ``requests``.

``await request`` hands the request to whoever drives the procedure and returns the reply. A reply is plain data
(text, whole number, truth value, or a list of them): it goes to the log as it is, and ``check`` accepts from the log,
from a script and from another program exactly what ``read`` makes of the keyboard.
"""

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar, cast

from companion.core.errors import Ambiguous, Unreadable
from companion.core.procedures import ResolvedReply, Source
from companion.core.text import clean, labels, matching_names, no_match
from companion.core.values import JsonDict, ReplyValue

if TYPE_CHECKING:
    from companion.core.advice import Advice

T = TypeVar("T")


class Odds(NamedTuple):
    """Exact chances, ready to be shown.

    Attributes:
        title: what was asked.
        rule: the rule that is played.
        sections: headings with their lines, each a label and a probability from 0 to 1.
        means: expected values by label.
        notes: what was assumed.
        beside: what stands beside each choice of the question, by its value, in two or three words.
    """

    title: str
    rule: str
    sections: tuple[tuple[str, tuple[tuple[str, float], ...]], ...]
    means: tuple[tuple[str, float], ...] = ()
    notes: tuple[str, ...] = ()
    beside: tuple[tuple[str, str], ...] = ()


LazyText = str | Callable[[], str]
"""A text, or what works it out when it is shown: exact odds ask thousands of questions that nobody reads."""


class Choice(NamedTuple):
    """One answer that can be chosen: what is stored, what is shown, and a word more, which may be worked out when it is."""

    value: str
    label: str
    hint: LazyText = ""

    @property
    def name(self) -> str:
        """What is typed for it: of a piece its name, since nobody types its id."""
        return self.label if "#" in self.value else self.value

    @property
    def hint_text(self) -> str:
        """The word more."""
        return self.hint if isinstance(self.hint, str) else self.hint()


class Request(Generic[T]):
    """A question with a stable key.

    Attributes:
        key: stable name of the question; scripts answer by it.
        prompt: what is shown, without the rule number; worked out only when it is shown.
        rule: the rule that asks.
        suggest: the reply that a bare Enter gives, or None where the player must say something; like the prompt, it may be
            worked out when somebody looks at it.
        odds: where a commitment is asked for, what works out the chances of it.
        at_once: whether these take no longer than a glance, a tenth of a second: then they stand beside the choices.
        whose: the side that is asked, where each side is a player's; else "".
        seat: the seat that decides, where the rules say which; else "".
        advice: where an opponent of ours could decide it, what works out what that would answer; candidates are replies.
    """

    kind: ClassVar[str] = ""
    former_kind: ClassVar[str] = ""
    """Another kind, whose stored replies answer this one too."""
    chance_setting: ClassVar[str] = ""
    """Where chance decides: the setting that says who does it, ``dice`` or ``draws``."""
    is_name_visible: ClassVar[bool] = False
    """Whether the player has the name before them, on the table, and need not be shown a long list of all."""
    accepts_list: ClassVar[bool] = False
    """Whether several can be named, with commas between, or anything that is in no list."""
    __slots__ = ("_prompt", "_suggest", "advice", "asked_side", "has_quick_odds", "key", "odds", "rule", "seat")

    def __init__(self, key: str, prompt: LazyText, rule: str, suggest: ReplyValue = None) -> None:
        self.key = key
        self._prompt = prompt
        self.rule = rule
        self._suggest = suggest
        self.odds: Callable[[], Odds] | None = None
        self.has_quick_odds = False
        self.asked_side = ""
        self.seat = ""
        self.advice: Callable[[], Advice[Any] | None] | None = None

    @property
    def prompt(self) -> str:
        return self._prompt if isinstance(self._prompt, str) else self._prompt()

    @property
    def suggest(self) -> ReplyValue:
        if callable(self._suggest):
            self._suggest = self._suggest()
        return self._suggest

    @suggest.setter
    def suggest(self, value: ReplyValue) -> None:
        self._suggest = value

    def __await__(self) -> "Generator[Request[T], Any, T]":
        reply = yield self
        return self.result(reply)

    def result(self, value: ReplyValue) -> T:
        """What the procedure receives for a stored reply."""
        return cast(T, value)

    def read(self, text: str) -> ReplyValue:
        """The reply that typed text means. Raises Unreadable."""
        raise NotImplementedError

    def check(self, value: ReplyValue) -> ReplyValue:
        """The reply, if it can be one. Raises Unreadable."""
        raise NotImplementedError

    def parse_reply(self, text: str, source: Source, anyway: bool) -> ResolvedReply:
        """The reply that typed text means, with where it comes from.

        Raises:
            Unreadable: it means none.
            Illegal: it goes against what Companion believes, and nobody insisted.
        """
        return self.accept_reply(self.read(text), source, anyway)

    def accept_reply(self, value: ReplyValue, source: Source, anyway: bool) -> ResolvedReply:
        """A reply that can be one, with where it comes from.

        Raises:
            Illegal: it goes against what Companion believes, and nobody insisted.
        """
        return ResolvedReply(value, source)

    def conflict(self, value: ReplyValue) -> str:
        """Why a stored reply that can be one goes against what Companion believes now; "" if it does not."""
        return ""

    def is_excluded(self, text: str) -> bool:
        """Whether a text names something that is not offered, which the procedure refuses by its rule."""
        return False

    def forced_reply(self) -> ReplyValue:
        """The one reply that can be given, where there is just one; None where there are several, or where chance decides."""
        return None

    def weighted_replies(self) -> list[tuple[ReplyValue, float]]:
        """The replies that chance may give, each with its probability; none where a player decides."""
        return []

    def can_be_automatic(self) -> bool:
        """Whether Companion can roll or draw, where chance decides: not out of an empty cup."""
        return True

    def seeded_reply(self, seed: str, index: int) -> ReplyValue:
        """What Companion rolls or draws: a function of the seed and of the place among the random replies in force."""
        raise ValueError(f"'{self.key}' is not left to chance")

    def default_hint(self) -> str:
        """A few words on what a bare Enter does, beyond what is suggested; "" where something must be typed."""
        return ""

    def hint(self) -> str:
        """A word more for the player, beneath the question."""
        return ""

    def legal_choices(self) -> list[Choice]:
        """What can be answered, for ``?`` and completion."""
        return []

    def display(self, value: ReplyValue) -> str:
        """A reply as its question shows it."""
        shown = {choice.value: choice.label for choice in self.legal_choices()}
        return ", ".join(shown.get(str(one), str(one)) for one in (value if isinstance(value, list) else [value])) or "none"

    def to_input(self, value: ReplyValue) -> str:
        """A reply as it can be typed: as its question shows it where that is read as the same, else in other words that are."""
        ways = (self.display(value), *self.aliases(value))
        return next((text for text in ways if self._means(text, value)), ways[0])

    def aliases(self, value: ReplyValue) -> Sequence[str]:
        """Other words for a reply, the plainest first."""
        return (str(value),)

    def _means(self, text: str, value: ReplyValue) -> bool:
        """Whether a text is read as a reply, or as one that is alike."""
        try:
            return self.display(self.read(text)) == self.display(value)
        except (Unreadable, NotImplementedError):
            return False

    def labels(self) -> tuple[str, ...]:
        """What stands beside each legal choice and selects it; none where a label could be taken for something else."""
        return ()

    def expects(self) -> str:
        """A few words on what to type."""
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
            "enter": self.default_hint(),
        }

    def choices_data(self) -> list[JsonDict]:
        """Each legal choice as plain data, with what stands beside it on a screen."""
        choices = self.legal_choices()
        own = self.labels() or ("",) * len(choices)
        return [choice_data(choice, label) for choice, label in zip(choices, own, strict=True)]


AnyRequest = Request[Any]
"""A request whatever its reply."""


def choice_data(choice: Choice, beside: str) -> JsonDict:
    """A choice as plain data: what is answered, what is shown, a word more, and what stands beside it and selects it."""
    return {"value": choice.value, "label": choice.label, "hint": choice.hint_text, "beside": beside}


def invalid_reply(request: AnyRequest, value: ReplyValue) -> Unreadable:
    """The complaint about a value that cannot be a reply to this request."""
    return Unreadable(f"{clean(str(value))!r} is not an answer to '{request.prompt}'", rule=request.rule, cure=request.expects())


def choose_one(text: str, choices: Sequence[Choice], what: str, besides: Sequence[Choice] = ()) -> str:
    """The value of the choice that ``text`` means: by the label beside it in the list, by value, by name.

    ``besides``: choices that are in no list and can be named too; their names are never taken for a label.

    Raises:
        Unreadable: none fits.
        Ambiguous: several fit.
    """
    label = text.strip().casefold()
    for at, own in enumerate(choice_labels(choices, besides)):
        if own == label:
            return choices[at].value
    by_text: dict[str, str] = {}
    for choice in choices:
        by_text.setdefault(choice.value, choice.value)
        by_text.setdefault(choice.label, choice.value)
    found = list(dict.fromkeys(by_text[name] for name in matching_names(text, by_text)))
    if len(found) == 1:
        return found[0]
    if found:
        raise Ambiguous(text, [choice.name for choice in choices if choice.value in found])
    raise no_match(text, what, [choice.name for choice in choices])


def choice_labels(choices: Sequence[Choice], besides: Sequence[Choice] = ()) -> tuple[str, ...]:
    """The label that stands beside each choice of a list."""
    return labels([(choice.value, choice.label) for choice in choices], [choice.value for choice in besides])

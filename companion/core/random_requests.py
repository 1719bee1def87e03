"""Requests that chance decides: dice, and draws from a cup. Companion rolls or draws, or the player types the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from companion.core.dice import count_by_name, nth_counter, seeded_draw
from companion.core.errors import Ambiguous, Illegal, Unreadable
from companion.core.position import Piece
from companion.core.procedures import ResolvedReply, Source
from companion.core.request import Choice, LazyText, Odds, Request, choice_labels, choose_one, text_of
from companion.core.text import clean, matching_names, natural_key, pick_name, plural
from companion.core.values import JsonDict, ReplyValue

if TYPE_CHECKING:
    from companion.core.dice import RollOutcome

    Outcomes = Callable[[], tuple[RollOutcome, ...]]
else:  # a question that is only looked at needs no dice
    Outcomes = Callable
"""Works out the rolls that a rule tells apart, each with its weight; asked only for exact odds."""


_EXAMPLE = (2, 4, 1, 3, 5, 0)  # indices of the faces of an example


class Roll(Request[tuple[int, ...]]):
    """Dice of ``sides`` faces, the lowest face being ``lowest``. Enter: Companion rolls. Digits: the player rolled.

    ``outcomes`` are the rolls that the rule distinguishes, for exact odds; by default every order of faces counts.
    """

    kind = "roll"
    chance_setting = "dice"
    __slots__ = ("count", "lowest", "outcomes", "sides")

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

    def result(self, value: ReplyValue) -> tuple[int, ...]:
        return tuple(value)

    def read(self, text: str) -> list[int]:
        parts = text.replace(",", " ").split()
        if len(parts) == 1 and len(parts[0]) > 1 and self.lowest + self.sides <= 10:
            parts = list(parts[0])
        try:
            return self.check([int(part) for part in parts])
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

    def weighted_replies(self) -> list[tuple[ReplyValue, float]]:
        total = self.sides**self.count
        return [(outcome.faces, outcome.weight / total) for outcome in self.distinct_outcomes()]

    def distinct_outcomes(self) -> tuple[RollOutcome, ...]:
        """Every outcome the rule distinguishes, with its weight out of ``sides ** count``."""
        from companion.core.dice import ordered_rolls

        return self.outcomes() if self.outcomes else ordered_rolls(self.count, self.sides, self.lowest)

    def seeded_reply(self, seed: str, index: int) -> list[int]:
        from companion.core.dice import seeded_number

        return [self.lowest + seeded_number(seed, index, die, self.sides) for die in range(self.count)]

    def default_hint(self) -> str:
        return "Companion rolls. Or type your own dice"

    def expects(self) -> str:
        dice = f"{plural(self.count, 'die', 'dice')} of {self.lowest} to {self.lowest + self.sides - 1}"
        faces = (_EXAMPLE[die % len(_EXAMPLE)] % self.sides + self.lowest for die in range(self.count))
        return f"Type {dice}, such as {' '.join(map(str, faces))}"

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
    return Odds(text_of(prompt), rule, ((f"The {thing} is", rows),))


class Draw(Request[str]):
    """One counter drawn from a cup. Enter: Companion draws. A name: the player drew it.

    ``contents`` is what the cup holds as far as known. ``others`` are names that exist and are not in it; naming one asks the
    player back. ``thing`` and ``holder`` are the nouns for the counter and the cup.
    """

    kind = "draw"
    chance_setting = "draws"
    is_name_visible = True
    __slots__ = ("_counted", "_lying", "_others", "cup", "holder", "thing")

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
        self.odds = partial(_chances, prompt, rule, contents, thing)

    @property
    def contents(self) -> dict[str, int]:
        """The number of counters of each name."""
        if self._counted is None:
            self._counted = _counts(self._lying)
        return self._counted

    def random_counter(self, number: Callable[[int], int]) -> str:
        """A random counter, all equally likely; from an empty cup, any other name."""
        lying = self._lying
        if not lying:
            return self.others[number(len(self.others))]
        if isinstance(lying, Mapping):
            return nth_counter(lying, number(sum(lying.values())))
        return lying[number(len(lying))].name

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

    def check(self, value: ReplyValue) -> str:
        if value in self.contents or value in self.others:
            return cast(str, value)
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
        return f"Companion draws. Or type the {self.thing} that you drew"

    def expects(self) -> str:
        return f"Type the name of the {self.thing} that you drew"

    def describe(self) -> JsonDict:
        return {**super().describe(), "cup": self.cup}

    def choices_data(self) -> list[JsonDict]:
        return [{**choice, "many": self.contents[choice["value"]]} for choice in super().choices_data()]

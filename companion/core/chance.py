"""The requests that chance decides: dice, and draws out of a cup. Each can be left to Companion or answered by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from companion.core.cups import counted, nth, seeded_draw
from companion.core.effects import Given
from companion.core.errors import Ambiguous, Illegal, Unreadable
from companion.core.position import Piece
from companion.core.request import Choice, Odds, Request, Words, beside, choose_one, wrong
from companion.core.words import clean, fitting, natural, one_of, plural

if TYPE_CHECKING:
    from companion.core.dice import Outcome

    Outcomes = Callable[[], tuple[Outcome, ...]]
else:  # a question that is only looked at needs no dice
    Outcomes = Callable
"""Works out the rolls that a rule tells apart, each with its weight; asked only for exact odds."""


class Roll(Request[tuple[int, ...]]):
    """Dice, each of ``sides`` faces from ``lowest``. Enter: Companion rolls. Digits: the player rolled.

    ``outcomes`` tells exact odds which rolls the rule can tell apart. Without it every order of faces counts for
    itself.
    """

    kind = "roll"
    by_chance = "dice"
    __slots__ = ("count", "lowest", "outcomes", "sides")

    def __init__(
        self,
        key: str,
        prompt: Words,
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

    def result(self, value: Any) -> tuple[int, ...]:
        return tuple(value)

    def read(self, text: str) -> list[int]:
        parts = text.replace(",", " ").split()
        if len(parts) == 1 and len(parts[0]) > 1 and self.lowest + self.sides <= 10:
            parts = list(parts[0])
        try:
            return self.check([int(part) for part in parts])
        except ValueError:
            raise Unreadable(f"'{clean(text)}' is not a roll", rule=self.rule, cure=self.expects()) from None

    def check(self, value: Any) -> list[int]:
        faces = [value] if isinstance(value, int) and not isinstance(value, bool) else value
        if not isinstance(faces, list | tuple) or not all(isinstance(face, int) for face in faces):
            raise wrong(self, value)
        high = self.lowest + self.sides - 1
        for face in faces:
            if not self.lowest <= face <= high:
                raise Unreadable(f"a d{self.sides} shows no {face}", rule=self.rule, cure=self.expects())
        if len(faces) != self.count:
            raise Unreadable(
                f"{plural(len(faces), 'die', 'dice')} given, {self.count} needed", rule=self.rule, cure=self.expects()
            )
        return list(faces)

    def branches(self) -> list[tuple[Any, float]]:
        total = self.sides**self.count
        return [(outcome.faces, outcome.weight / total) for outcome in self.told_apart()]

    def told_apart(self) -> tuple[Outcome, ...]:
        """Every outcome that the rule can tell apart, with its weight; of ``sides ** count`` in all."""
        from companion.core.dice import orders

        return self.outcomes() if self.outcomes else orders(self.count, self.sides, self.lowest)

    def chance(self, seed: str, index: int) -> list[int]:
        from companion.core.dice import seeded

        return [self.lowest + seeded(seed, index, die, self.sides) for die in range(self.count)]

    def enter(self) -> str:
        return "Companion rolls. Or type your own dice"

    def expects(self) -> str:
        dice = f"{plural(self.count, 'die', 'dice')} of {self.lowest} to {self.lowest + self.sides - 1}"
        return f"Type {dice}, such as {' '.join(['3', '5', '2', '4', '6', '1'][: self.count])}"

    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "count": self.count, "sides": self.sides, "lowest": self.lowest}


Lying = Mapping[str, int] | Sequence[Piece]
"""What is in a cup: how many counters of each name, or the counters themselves, to be counted when somebody looks."""


def _counts(lying: Lying) -> dict[str, int]:
    return dict(lying) if isinstance(lying, Mapping) else counted(lying)


def _in_order(contents: Mapping[str, int]) -> list[tuple[str, int]]:
    """What is in a cup as it is listed; the order of the counts themselves decides what a seed draws."""
    return sorted(contents.items(), key=lambda item: natural(item[0]))


def _chances(prompt: Words, rule: str, lying: Lying, thing: str) -> Odds:
    """What the next one is, by what is believed to be in the cup. It knows no question, which would know itself by it: only
    the collector of garbage ends such a circle, and all that hangs on it.
    """
    contents = _counts(lying)
    total = sum(contents.values())
    rows = tuple((name, count / total) for name, count in _in_order(contents) if count)
    return Odds(prompt if isinstance(prompt, str) else prompt(), rule, ((f"The {thing} is", rows),))


class Draw(Request[str]):
    """One counter out of a cup. Enter: Companion draws. A name: the player drew it.

    ``contents`` says what Companion believes to be in the cup, how many of each name; ``others`` are names that exist in
    the game but not in this cup now, so that naming one is a question and not a crash. ``thing`` and ``holder`` are the
    words for what is drawn and what it is drawn from.
    """

    kind = "draw"
    by_chance = "draws"
    by_name = True
    __slots__ = ("_counted", "_lying", "_others", "cup", "holder", "thing")

    def __init__(
        self,
        key: str,
        prompt: Words,
        rule: str,
        cup: str,
        contents: Lying,
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
        """How many counters of each name there are."""
        if self._counted is None:
            self._counted = _counts(self._lying)
        return self._counted

    def any(self, number: Callable[[int], int]) -> str:
        """One of the counters by chance, each as likely as any other; of an empty cup, in which the player may have found
        something, any other name. ``number``: gives a whole number from 0 up to but without another.
        """
        lying = self._lying
        if not lying:
            return self.others[number(len(self.others))]
        if isinstance(lying, Mapping):
            return nth(lying, number(sum(lying.values())))
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
            if not fitting(text, self.others):
                raise
            return one_of(text, self.others, self.thing)

    def check(self, value: Any) -> str:
        if value in self.contents or value in self.others:
            return cast(str, value)
        raise wrong(self, value)

    def taken(self, value: Any, source: str, anyway: bool) -> Given:
        against = value not in self.contents
        if against and not anyway:
            raise Illegal(f"the {self.holder} has no more {value}", rule=self.rule)
        return Given(value, source, None, against)

    def misfit(self, value: Any) -> str:
        return "" if value in self.contents else f"no longer finds {value} in the {self.holder}"

    def branches(self) -> list[tuple[Any, float]]:
        total = sum(self.contents.values())
        return [(name, count / total) for name, count in self.contents.items()]

    def can_be_left(self) -> bool:
        return bool(self.contents)

    def chance(self, seed: str, index: int) -> str:
        if not self.contents:
            raise Illegal(f"the {self.holder} is empty", rule=self.rule, cure=f"Name the {self.thing} that you drew")
        return seeded_draw(self.contents, seed, index)

    def legal(self) -> list[Choice]:
        return self._choices()

    def labels(self) -> tuple[str, ...]:
        return beside(self._choices(), [Choice(name, name) for name in self.others])

    def enter(self) -> str:
        return f"Companion draws. Or type the {self.thing} that you drew"

    def expects(self) -> str:
        return f"Type the name of the {self.thing} that you drew"

    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "cup": self.cup}

    def offered(self) -> list[dict[str, Any]]:
        return [{**choice, "many": self.contents[choice["value"]]} for choice in super().offered()]

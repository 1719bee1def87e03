"""Advice: what an opponent of ours proposes, with its reasons and the candidates that it passed over.

An opponent decides by a list of priorities, as players of solitaire games know it: each narrows the candidates down,
one that fits none of them is skipped, and the first left at the end is chosen. The list is data (``bot.toml``); what a
priority looks at is the name of a measure, a Python function of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from companion.core.errors import BadData
from companion.core.values import JsonObject

C = TypeVar("C")

Measure = Callable[[C], int | bool]
"""What a priority looks at in a candidate."""

KEEPS = ("true", "false", "highest", "lowest")


class Priority(NamedTuple):
    """One line of the list.

    Attributes:
        measure: the name of what is looked at.
        keep: which candidates stay: those for which it is ``true`` or ``false``, or has the ``highest`` or ``lowest`` value.
        text: the priority in words, for the player.
    """

    measure: str
    keep: str
    text: str


class Passed(NamedTuple):
    """A candidate that was passed over, and the priority that did it."""

    name: str
    why: str


class Advice(NamedTuple, Generic[C]):
    """What is proposed.

    Attributes:
        choice: the candidate chosen.
        name: it, in words.
        because: each priority with what it did, in order.
        passed: the candidates that were passed over.
        rivals: what else is worth playing on from, each with its name.
        others: whatever else could be done, however little it is worth, each with its name: what who plays badly slips to.
    """

    choice: C
    name: str
    because: tuple[str, ...]
    passed: tuple[Passed, ...]
    rivals: tuple[tuple[C, str], ...] = ()
    others: tuple[tuple[C, str], ...] = ()

    def lines(self) -> tuple[str, ...]:
        """The layer below the proposal, for ``why``."""
        return (*self.because, *(f"{one.name}: out ({one.why})" for one in self.passed))


def read_priorities(data: Any, decision: str, measures: JsonObject) -> tuple[Priority, ...]:
    """The priorities of one decision: ``[[decision]]`` tables with measure, keep and text.

    Raises:
        BadData: all faults at once: a missing or unknown key, a measure that the game does not have.
    """
    faults: list[str] = []
    found: list[Priority] = []
    for number, item in enumerate(data.get(decision, ()), 1):
        where = f"bot.toml: {decision} {number}"
        if set(item) != {"measure", "keep", "text"}:
            faults.append(f"{where}: has {', '.join(sorted(item))}; needs measure, keep and text")
            continue
        if item["measure"] not in measures:
            faults.append(f"{where}: measure: unknown measure '{item['measure']}'")
        if item["keep"] not in KEEPS:
            faults.append(f"{where}: keep: '{item['keep']}' is none of {', '.join(KEEPS)}")
        found.append(Priority(item["measure"], item["keep"], item["text"]))
    if not found and not faults:
        faults.append(f"bot.toml: {decision}: no priority")
    if faults:
        raise BadData(f"the priorities of '{decision}' cannot be used", faults=faults)
    return tuple(found)


def advise(
    candidates: Sequence[C], priorities: Sequence[Priority], measures: Mapping[str, Measure[C]], name_of: Callable[[C], str]
) -> Advice[C]:
    """Choose among candidates, of which there is at least one; what is left at the end goes by their order."""
    left = list(candidates)
    because: list[str] = []
    passed: list[Passed] = []
    for priority in priorities:
        if len(left) == 1:
            break
        kept = _kept(left, priority, measures[priority.measure])
        gone = [one for one in left if one not in kept]
        if not kept or not gone:
            because.append(f"{priority.text}: {'none fits, skipped' if not kept else 'all alike'}")
            continue
        because.append(f"{priority.text}: {', '.join(map(name_of, kept))}")
        ahead = _first_of([name_of(one) for one in kept])
        passed += [Passed(name_of(one), f"behind {ahead}: {priority.text}") for one in gone]
        left = kept
    passed += [Passed(name_of(one), "equal; the first is taken") for one in left[1:]]
    return Advice(left[0], name_of(left[0]), tuple(because), tuple(passed))


def _first_of(names: Sequence[str]) -> str:
    """Who is ahead: one by name, of many the first."""
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def _kept(left: Sequence[C], priority: Priority, measure: Measure[C]) -> list[C]:
    if priority.keep in ("true", "false"):
        return [one for one in left if bool(measure(one)) == (priority.keep == "true")]
    values = [int(measure(one)) for one in left]
    best = max(values) if priority.keep == "highest" else min(values)
    return [one for one, value in zip(left, values, strict=True) if value == best]

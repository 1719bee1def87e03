"""The positions of a log: a look back costs what lies between, whatever was played before."""

from __future__ import annotations

from random import Random

import pytest

from companion.core import history as module
from companion.core.events import TrackMoved, encode, fold
from companion.core.history import History, LogRow


class Written:
    """A log of entries that each move a track and roll a die."""

    def __init__(self) -> None:
        self.history = History()
        self.rows = 0

    def row(self, kind: str, entry: int, body: dict[str, object]) -> None:
        self.rows += 1
        self.history.add(LogRow(self.rows, kind, entry, body))

    def entry(self, number: int, hidden: bool = False) -> None:
        self.row("entry", number, {"action": "x", "args": {}, **({"hidden": True, "copy_of": 1} if hidden else {})})
        self.row("reply", number, {"key": "k", "kind": "roll", "value": [1], "source": "computer"})
        self.row("done", number, {"events": [encode(TrackMoved(f"t{number % 7}", 0, number))]})

    def change(self, take: list[int], give: list[int], how: str = "undo") -> None:
        self.row("change", 0, {"take": take, "give": give, "how": how})


def plainly(history: History, before: int = 10**9) -> object:
    return fold([event for entry in history.in_force if entry.number < before for event in entry.events or ()])


def test_positions_match_their_events_after_any_undo() -> None:
    """Undo, redo, copies that take the place of entries: at every entry, and the count of rolls with it."""
    log, chance = Written(), Random(5)
    for number in range(1, 120):
        log.entry(number)
    number = 119
    for _ in range(60):
        for _ in range(chance.randrange(30)):
            number += 1
            log.entry(number)
        force = log.history.force
        take = force[-chance.randrange(1, min(40, len(force))) :]
        if chance.random() < 0.4:
            number += 1
            log.entry(number, hidden=True)
            log.change(take, [number], "amend")
        else:
            log.change(take, [])
            assert log.history.position() == plainly(log.history)
            if chance.random() < 0.7:
                log.change([], take, "redo")
        for before in (None, chance.choice(force), chance.choice(force)):
            assert log.history.position(before) == plainly(log.history, before or 10**9)
            assert log.history.random_index(before) == sum(one < (before or 10**9) for one in log.history.force)


def test_undo_does_not_fold_the_whole_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 2,000 entries the last few are folded once the log has been read."""
    log = Written()
    for number in range(1, 2001):
        log.entry(number)
    log.history.position()
    folded: list[int] = []

    def counted(events: object, start: object = None) -> object:
        found = list(events)  # type: ignore[call-overload]
        folded.append(len(found))
        return fold(found, start)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "fold", counted)
    log.change([1999, 2000], [])
    log.history.position()
    log.history.position(before=1990)

    assert sum(folded) <= 40

"""A player who does anything at any time: what is stored and what is in memory never part."""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test

from companion.core.errors import CompanionError, Illegal
from companion.core.events import PieceMade, fold
from companion.core.history import History
from companion.core.position import Position
from companion.core.requests import Choose, Confirm, Draw, Number, Pick, Printed, Request, Roll, Text
from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.session.store import Archive

WORDS = st.sampled_from(
    ["", "yes", "no", "left", "Red", "Blue", "blue#3", "ford", "far bank", "out", "Gold", "Stone", "1", "2", "6", "12", "x"]
)
ACTIONS = st.sampled_from(["march", "fight", "search", "scout", "rest", "fire", "stop", "duel"])

AMENDED = {
    "unit": ["Red", "blue#2"],
    "to": ["ford", "camp", "far bank"],
    "toll": ["1", "6"],
    "go on": ["yes", "no"],
    "way": ["left", "right"],
    "find": ["Gold", "Stone"],
    "luck": ["1", "6"],
    "look": ["1", "6"],
}
"""Answers that an amend may give, by the key of the question."""


def fitting(request: Request[Any], data: st.DataObject) -> str:
    """An answer that the question takes, as a player would type it."""
    if isinstance(request, Roll):
        faces = st.integers(request.lowest, request.lowest + request.sides - 1)
        return " ".join(map(str, data.draw(st.lists(faces, min_size=request.count, max_size=request.count))))
    if isinstance(request, Draw):
        return data.draw(st.sampled_from([*request.contents, *request.others]))
    if isinstance(request, Number):
        return str(data.draw(st.integers(request.low, request.high)))
    if isinstance(request, Confirm):
        return data.draw(st.sampled_from(["yes", "no"]))
    if isinstance(request, Pick | Choose):
        return data.draw(st.sampled_from([choice.value for choice in request.choices]))
    if isinstance(request, Printed):
        return data.draw(st.sampled_from(request.notation.choices or ("1", "2", "3")))
    assert isinstance(request, Text)
    return data.draw(st.sampled_from(["ford", "camp", "far bank"]))


State = tuple[tuple[int, ...], Position, list[str], dict[str, Any] | None]
"""What is in force, what lies where and in which order, and what is asked."""


class Table(RuleBasedStateMachine):
    """A session, and what always holds of it."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.mkdtemp()
        self.archive = Archive.open(os.path.join(self.folder, "a.db"))
        self.archive._db.execute("PRAGMA synchronous = OFF")  # what is tested here is not the disk

    def teardown(self) -> None:
        self.archive.close()
        shutil.rmtree(self.folder)

    @initialize(scenario=st.sampled_from(["day", "night"]), dice=st.sampled_from(["computer", "physical"]))
    def begin(self, scenario: str, dice: str) -> None:
        self.session = SessionController.create(
            self.archive, "tiny", scenario, seed="7", dice=dice, draws=dice, answers=Answers(accept=True)
        )
        self.start = self.session.position
        assert not self.session.pending
        self.went_on()

    # What undo and redo must do, told apart from how they do it: each state is left for another, and found again.

    def state(self) -> State:
        session = self.session
        pending = session.pending
        return tuple(session.history.force), session.position, list(session.position.pieces), pending and pending.describe()

    def went_on(self) -> None:
        self.undone: list[State] = []
        self.amended: dict[tuple[int, ...], State] = {}

    def play(self, work: Any, *values: Any, **named: Any) -> None:
        if self.attempt(work, *values, **named):
            self.went_on()

    def take_back(self, work: Any, *values: Any) -> bool:
        before = self.state()
        done = self.attempt(work, *values)
        if done:
            self.undone.append(before)
        return done

    def attempt(self, work: Any, *values: Any, **named: Any) -> bool:
        """What is refused must have changed nothing. Whether it was done."""
        rows, position = self.session.archive.rows(self.session.info.id), self.session.position
        try:
            step = work(*values, **named)
        except CompanionError:
            assert self.session.archive.rows(self.session.info.id) == rows
            assert self.session.position == position
            return False
        if step is not None:
            assert step.after == self.session.position and step.pending is self.session.pending
            assert step.before == position
        return True

    # -- what a player does, with what must come of it ---------------------------------------------------------

    def undo(self, count: int) -> None:
        force = tuple(self.session.history.force)
        if self.take_back(self.session.undo, count):
            if count == 1 and force in self.amended:
                assert self.state() == self.amended[force]
            else:
                assert self.state()[0] == force[:-count]

    def redo(self) -> None:
        done = self.attempt(self.session.redo)
        assert done == bool(self.undone)
        if done:
            assert self.state() == self.undone.pop()

    def amend(self, entry: int, number: int, text: str, anyway: bool) -> None:
        before = self.state()
        if self.attempt(self.session.amend, entry, number, text, anyway):
            self.undone.clear()
            self.amended[tuple(self.session.history.force)] = before

    def reply(self, data: st.DataObject, anyway: bool) -> None:
        self.play(self.session.reply, fitting(self.session.pending, data), anyway)

    # -- what always holds -------------------------------------------------------------------------------------

    @invariant()
    def stored_is_live(self) -> None:
        if not hasattr(self, "session"):
            return
        again = SessionController.open(self.archive, self.session.info)
        history = again.history
        assert history.entries == self.session.history.entries and history.force == self.session.history.force
        assert history.redos == self.session.history.redos and history._amends == self.session.history._amends
        assert again.position == self.session.position and again.committed_position == self.session.committed_position
        assert list(again.position.pieces) == list(self.session.position.pieces)
        assert again.broken == self.session.broken == ""
        mine, stored = self.session.pending, again.pending
        assert (mine and mine.describe()) == (stored and stored.describe())
        assert again.settings == self.session.settings

    @invariant()
    def one_open_entry_and_it_is_the_last(self) -> None:
        if hasattr(self, "session"):
            assert [entry.number for entry in self.session.history.in_force if entry.is_open] == (
                [self.session.pending_entry] if self.session.pending_entry else []
            )

    @invariant()
    def pieces_are_conserved(self) -> None:
        if hasattr(self, "session"):
            made = [
                event.id
                for n in self.session.history.force
                for event in self.session.events_of(n)
                if isinstance(event, PieceMade)
            ]
            assert sorted(made) == sorted(self.session.position.pieces) and len(set(made)) == len(made)

    @invariant()
    def the_base_is_the_fold_of_the_events(self) -> None:
        if hasattr(self, "session"):
            whole = [event for entry in self.session.history.in_force for event in entry.events or ()]
            assert self.session.committed_position == fold(whole)

    @invariant()
    def nothing_is_ever_deleted(self) -> None:
        if hasattr(self, "session"):
            rows = self.archive.rows(self.session.info.id)
            assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
            assert History(rows).next_number == len(History(rows).entries) + 1

    @invariant()
    def all_taken_back_is_the_set_up(self) -> None:
        if hasattr(self, "session") and len(self.session.history.force) > 1 and self.session.history.force[0] == 1:
            copy = SessionController.open(self.archive, self.session.info)
            plan = copy.history.plan_undo_to(1)
            left = [number for number in copy.history.force if number not in plan.take]
            assert copy.history.position(before=2) == self.start and left == [1]


class Player(Table):
    """Everything that a player can do, in any order."""

    @rule(action=ACTIONS, plain=st.lists(WORDS, max_size=3), dice=st.lists(st.integers(1, 6), max_size=4), anyway=st.booleans())
    def do(self, action: str, plain: list[str], dice: list[int], anyway: bool) -> None:
        self.play(self.session.do, action, Answers(plain=plain, dice=dice), anyway)

    @rule(action=ACTIONS, anyway=st.booleans())
    def accept(self, action: str, anyway: bool) -> None:
        self.play(self.session.do, action, Answers(accept=True), anyway)

    @precondition(lambda self: self.session.pending)
    @rule(text=WORDS, anyway=st.booleans())
    def reply_with_anything(self, text: str, anyway: bool) -> None:
        self.play(self.session.reply, text, anyway)

    @precondition(lambda self: self.session.pending)
    @rule(data=st.data(), anyway=st.booleans())
    def replies(self, data: st.DataObject, anyway: bool) -> None:
        self.reply(data, anyway)

    @precondition(lambda self: self.session.pending)
    @rule(data=st.data())
    def reply_more(self, data: st.DataObject) -> None:
        for _ in range(3):
            if self.session.pending:
                self.reply(data, True)

    @rule(count=st.integers(1, 3))
    def undoes(self, count: int) -> None:
        self.undo(count)

    @rule(number=st.integers(1, 12))
    def undo_to(self, number: int) -> None:
        self.take_back(self.session.undo_to, number)

    @rule()
    def undo_reply(self) -> None:
        self.take_back(self.session.undo_reply)

    @rule()
    def redoes(self) -> None:
        self.redo()

    @rule()
    def abort(self) -> None:
        self.take_back(self.session.abort)

    @precondition(lambda self: any(entry.replies for entry in self.session.history.in_force))
    @rule(data=st.data(), text=WORDS, fits=st.booleans(), anyway=st.booleans())
    def amends(self, data: st.DataObject, text: str, fits: bool, anyway: bool) -> None:
        entry = data.draw(st.sampled_from([entry for entry in self.session.history.in_force if entry.replies]))
        number = data.draw(st.integers(1, len(entry.replies)))
        known = AMENDED.get(entry.replies[number - 1].key)
        text = data.draw(st.sampled_from(known)) if known and fits else text
        self.amend(entry.number, number, text, anyway)

    @rule(
        what=st.sampled_from(["supply", "mood", "Red", "blue#2", "Red.hits", "Stone@bag", "flag:night", "new:unit:Green"]),
        value=st.sampled_from(["0", "2", "ford", "bag", "yes", "none"]),
    )
    def adjust(self, what: str, value: str) -> None:
        self.play(self.session.adjust, [(what, value)], "seen")

    @rule(dice=st.sampled_from(["computer", "physical"]))
    def setting(self, dice: str) -> None:
        self.attempt(self.session.setting, dice, dice)

    @rule()
    def note(self) -> None:
        self.attempt(self.session.note, "noted")

    @rule()
    def close_and_open(self) -> None:
        self.session = SessionController.open(self.archive, self.session.info)


class Amender(Table):
    """A player who amends more than plays, and goes to and fro over it. Everything is of one rule, so that no example leaves
    the amends out.
    """

    @initialize(scenario=st.just("day"), dice=st.just("computer"))
    def begin(self, scenario: str, dice: str) -> None:
        super().begin(scenario, dice)
        for action in ("march red ford", "search", "scout left"):
            name, *words = action.split()
            self.session.do(name, Answers(plain=words))

    @rule(data=st.data())
    def does(self, data: st.DataObject) -> None:
        data.draw(st.sampled_from(MOVES))(self, data)

    def amends(self, data: st.DataObject) -> None:
        found = [
            (entry.number, number, reply)
            for entry in self.session.history.in_force
            for number, reply in enumerate(entry.replies, 1)
            if reply.key in AMENDED
        ]
        if found:
            entry, number, reply = data.draw(st.sampled_from(found))
            self.amend(entry, number, data.draw(st.sampled_from(AMENDED[reply.key])), True)

    def to_and_fro(self, data: st.DataObject) -> None:
        """Straight after an amend, and past it."""
        many = data.draw(st.integers(1, 4))
        for _ in range(data.draw(st.integers(1, 2))):
            for _ in range(many):
                self.undo(1)
            for _ in range(many):
                self.redo()

    def undo_one(self, data: st.DataObject) -> None:
        self.undo(1)

    def redo_one(self, data: st.DataObject) -> None:
        self.redo()

    def undo_some(self, data: st.DataObject) -> None:
        self.take_back(self.session.undo_to, data.draw(st.sampled_from(self.session.history.force)))
        self.undo(1)

    def undo_reply(self, data: st.DataObject) -> None:
        self.take_back(self.session.undo_reply)

    def goes_on(self, data: st.DataObject) -> None:
        if self.session.pending:
            self.reply(data, True)
        else:
            self.play(self.session.do, data.draw(st.sampled_from(["march", "search", "scout", "rest"])), Answers(), True)

    def adjust(self, data: st.DataObject) -> None:
        self.play(self.session.adjust, [("supply", str((self.session.position.track("supply") + 3) % 8))], "seen")

    def note(self, data: st.DataObject) -> None:
        self.attempt(self.session.note, "noted")


MOVES = [
    *[Amender.amends] * 4,
    *[Amender.to_and_fro] * 2,
    Amender.undo_one,
    Amender.redo_one,
    Amender.undo_some,
    Amender.undo_reply,
    *[Amender.goes_on] * 2,
    Amender.adjust,
    Amender.note,
]
"""What the amender does, the more often the more often it stands here."""


def test_random_player(tiny_game: str) -> None:
    run_state_machine_as_test(
        Player,
        settings=settings(
            max_examples=25, stateful_step_count=18, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
        ),
    )


@pytest.mark.slow
def test_random_amends_undos_and_redos(tiny_game: str) -> None:
    run_state_machine_as_test(
        Amender,
        settings=settings(
            max_examples=15, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
        ),
    )


@pytest.mark.long
def test_random_amends_undos_and_redos_for_long(tiny_game: str) -> None:
    run_state_machine_as_test(
        Amender,
        settings=settings(max_examples=400, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)),
    )


@pytest.mark.long
def test_random_player_for_long(tiny_game: str) -> None:
    run_state_machine_as_test(
        Player,
        settings=settings(max_examples=1500, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)),
    )


def test_undo_everything_and_redo(archive: Archive, tiny_game: str) -> None:
    """Whatever was played: taking it back one by one comes to the set-up, bringing it back to the end."""
    session = SessionController.create(archive, "tiny", seed="11")
    positions = [session.position]
    for action in ["march", "search", "fight", "rest", "search", "march"]:
        session.do(
            action, Answers(plain=["Blue", "ford"] if action == "march" else ["Blue"] if action == "fight" else [], accept=True)
        )
        positions.append(session.position)
    for position in reversed(positions[:-1]):
        session.undo()
        assert session.position == position
    with pytest.raises(Illegal):
        session.undo()
    for position in positions[1:]:
        session.redo()
        assert session.position == position

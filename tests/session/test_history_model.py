"""The history of a log against a plain model of it: lists of states, without a log, without rows and without copies.

The game is the small one of the road. What its rules do stands here once more, and so does what undo, redo, amend,
adjust and branch mean: each leaves a state for another. Nothing of it is read off the log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import ClassVar, NamedTuple

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test

from companion.core.errors import CompanionError
from companion.games import GAMES
from companion.session.controller import SessionController
from tests.support import tiny
from tests.support.fuzzing.player import in_memory

ATTACK = {1: 0, 2: 0, 3: 0, 4: 1, 5: 1, 6: 2}
BOUNDS = {"fuel": (0, 8), "trucks": (0, 6), "way": (0, 10), "day": (0, 10**9)}
"""Trucks lost by the die, and the ends of the tracks."""

Tracks = dict[str, int]


class Answer(NamedTuple):
    """An answer, or under the name of a track what was put right there."""

    key: str
    value: str

    @property
    def adjusts(self) -> bool:
        return self.key in BOUNDS


class Deed(NamedTuple):
    """An entry: its number, what was done, and the answers so far."""

    number: int
    action: str
    answers: tuple[Answer, ...] = ()


State = tuple[Deed, ...]


class Refused(Exception):
    """The rules do not allow it."""


def put(tracks: Tracks, track: str, value: int) -> None:
    low, high = BOUNDS[track]
    tracks[track] = max(low, min(high, value))


def begun(action: str, tracks: Tracks) -> None:
    """Whether a deed can be begun at all."""
    over = tracks["way"] >= 10 or not tracks["trucks"]
    if action != "adjust" and (over or (action == "rest" and tracks["fuel"] >= 8)):
        raise Refused("the game is over, or the tanks are full")


def course(action: str, tracks: Tracks) -> Iterator[str]:
    """[1] to [4], as a generator that asks by key; answers are sent as texts."""
    if action == "drive":
        if not tracks["fuel"]:
            raise Refused("no fuel")
        road = yield "road"
        put(tracks, "fuel", tracks["fuel"] - 1)
        far = int((yield "far"))
        put(tracks, "way", tracks["way"] + (far if road == "main" else far // 2))
        if road == "main":
            lost = ATTACK[int((yield "attack"))]  # meanwhile trucks may have been put right
            put(tracks, "trucks", tracks["trucks"] - lost)
    elif action == "rest":
        put(tracks, "fuel", tracks["fuel"] + 2)
    put(tracks, "day", tracks["day"] + 1)


def followed(deed: Deed, tracks: Tracks) -> tuple[Tracks, str, tuple[Answer, ...], tuple[Answer, ...]]:
    """The tracks after a deed as far as its answers go, what it asks then ("" nothing), the answers that had a place in it, and
    those that were left over.
    """
    now, left, taken = dict(tracks), list(deed.answers), []
    if deed.action == "adjust":
        for answer in left:
            put(now, answer.key, int(answer.value))
        return now, "", deed.answers, ()
    while left and left[0].adjusts:  # before anything has happened it is as if it had always been so
        taken.append(left.pop(0))
        put(now, taken[-1].key, int(taken[-1].value))
    asking = course(deed.action, now)
    try:
        key = next(asking)
        while left and (left[0].adjusts or left[0].key == key):
            answer = left.pop(0)
            taken.append(answer)
            if answer.adjusts:
                put(now, answer.key, int(answer.value))
            else:
                key = asking.send(answer.value)  # type: ignore[attr-defined]
    except StopIteration:
        key = ""
    return now, key, tuple(taken), tuple(left)


class Model:
    """What a session is to a player.

    Attributes:
        now: what is in force.
        undone: states that redo goes to, the next one last, each with the amend that it is the end of.
        amends: states before and after an amend that undo takes back as a whole.
        last: the highest number that was ever given.
    """

    def __init__(self) -> None:
        self.now: State = (Deed(1, "setup"),)
        self.undone: list[tuple[State, tuple[State, State] | None]] = []
        self.amends: list[tuple[State, State]] = []
        self.last = 1

    def copy(self) -> Model:
        other = Model()
        other.now, other.undone, other.amends, other.last = self.now, list(self.undone), list(self.amends), self.last
        return other

    def tracks(self, state: State | None = None) -> Tracks:
        found = {"fuel": 8, "trucks": 6, "way": 0, "day": 0}
        for deed in (self.now if state is None else state)[1:]:
            found = followed(deed, found)[0]
        return found

    @property
    def asks(self) -> str:
        deed = self.now[-1]
        return "" if deed.action in ("setup", "adjust") else followed(deed, self.tracks(self.now[:-1]))[1]

    def went_on(self, state: State) -> None:
        self.now = state
        self.undone.clear()
        self.amends.clear()

    def new(self) -> int:
        self.last += 1
        return self.last

    # -- what a player does ------------------------------------------------------------------------------------

    def do(self, action: str, answers: tuple[Answer, ...] = ()) -> None:
        if self.asks:
            raise Refused("a question is open")
        begun(action, self.tracks())
        followed(Deed(0, action, answers), self.tracks())
        self.went_on((*self.now, Deed(self.new(), action, answers)))

    def more(self, answer: Answer) -> None:
        """One more answer, or something put right, at the open question."""
        deed = self.now[-1]._replace(answers=(*self.now[-1].answers, answer))
        followed(deed, self.tracks(self.now[:-1]))
        self.went_on((*self.now[:-1], deed))

    def undo(self, count: int) -> None:
        if count == 1 and self.amends and self.amends[-1][1] == self.now:
            before, after = self.amends.pop()
            self.undone.append((after, (before, after)))
            self.now = before
            return
        if not 1 <= count < len(self.now):
            raise Refused("not as many")
        self.undone.append((self.now, None))
        self.now = self.now[:-count]

    def undo_reply(self) -> None:
        deed = self.now[-1]
        if deed.action == "adjust" or not deed.answers:
            self.undo(1)
            return
        self.undone.append((self.now, None))
        self.now = (*self.now[:-1], Deed(self.new(), deed.action, deed.answers[:-1]))

    def abort(self) -> None:
        if not self.asks:
            raise Refused("nothing is open")
        self.undone.append((self.now, None))
        self.now = self.now[:-1]

    def note(self) -> None:
        """It changes nothing."""

    def redo(self) -> None:
        if not self.undone:
            raise Refused("nothing to bring back")
        self.now, amend = self.undone.pop()
        if amend:
            self.amends.append(amend)

    def amend(self, place: int, at: int, value: str) -> None:
        """Another answer, and all the others once more: what is not asked any more is let go, but for what was put right, which
        then stands by itself; where something else is asked, or the rules refuse, all ends there.
        """
        before, last = self.now, self.last
        changed = before[place]
        answers = list(changed.answers)
        answers[at] = Answer(answers[at].key, value)
        state = list(before[:place])
        for deed in (changed._replace(answers=tuple(answers)), *before[place + 1 :]):
            was_open = deed is before[-1] and bool(self.asks)
            try:
                if len(state) > place:
                    begun(deed.action, self.tracks(tuple(state)))
                _, key, taken, left = followed(deed, self.tracks(tuple(state)))
            except Refused:
                break
            state.append(Deed(self.new(), deed.action, taken))
            if key and (left or not (was_open or (deed.number == before[-1].number and self.asks))):
                break
            for answer in left if not key else ():
                if answer.adjusts:
                    state.append(Deed(self.new(), "adjust", (answer,)))
        if len(state) == place:
            self.last = last
            raise Refused("not even the first")
        self.now = tuple(state)
        self.undone.clear()
        self.amends.append((before, self.now))


class Sessions(RuleBasedStateMachine):
    """Sessions and their models: a branch is one more of each."""

    calls: ClassVar[Counter[str]] = Counter()
    """What was done and not refused, by name; of answers by the question."""

    @initialize()
    def begin(self) -> None:
        self.archive = in_memory()
        session = SessionController.create(self.archive, "convoy", seed="1", dice="physical")
        self.tables = [(session, Model())]
        self.at = 0

    def teardown(self) -> None:
        if hasattr(self, "archive"):
            self.archive.close()

    @property
    def session(self) -> SessionController:
        return self.tables[self.at][0]

    @property
    def model(self) -> Model:
        return self.tables[self.at][1]

    def both(self, call: object, told: object, *values: object) -> None:
        """Call the session and the model alike: both accept or both refuse."""
        name = self.model.asks if told == self.model.more else getattr(told, "__name__", "")
        try:
            told(*values)  # type: ignore[operator]
        except Refused:
            refused, name = True, "refused"
        else:
            refused = False
        self.calls[name] += 1
        try:
            call()  # type: ignore[operator]
        except CompanionError as fault:
            assert refused, fault
        else:
            assert not refused

    # -- what a player does ------------------------------------------------------------------------------------

    @rule(action=st.sampled_from(["drive", "drive", "rest"]))
    def does(self, action: str) -> None:
        self.both(lambda: self.session.do(action), self.model.do, action)

    @precondition(lambda self: self.model.asks)
    @rule(road=st.sampled_from(["main", "side"]), face=st.integers(1, 6))
    def answers(self, road: str, face: int) -> None:
        text = road if self.model.asks == "road" else str(face)
        self.both(lambda: self.session.reply(text), self.model.more, Answer(self.model.asks, text))

    @precondition(lambda self: not self.model.asks)
    @rule(road=st.sampled_from(["main", "side"]), far=st.integers(1, 6), attack=st.integers(1, 6))
    def drives_all_day(self, road: str, far: int, attack: int) -> None:
        """Question by question, one is seldom on the road for long enough to be attacked."""
        self.does("drive")
        for face in (0, far, attack):
            if self.model.asks:
                self.answers(road, face)

    @rule(count=st.integers(0, 4))
    def undo(self, count: int) -> None:
        self.both(lambda: self.session.undo(count), self.model.undo, count)

    @rule(back=st.integers(1, 4))
    def undo_to(self, back: int) -> None:
        if back < len(self.model.now):
            number = self.model.now[-1 - back].number
            amends, self.model.amends = self.model.amends, []  # it goes to an entry, whatever an amend has led to
            self.both(lambda: self.session.undo_to(number), self.model.undo, back)
            self.model.amends = amends

    @rule()
    def undo_reply(self) -> None:
        self.both(self.session.undo_reply, self.model.undo_reply)

    @rule()
    def abort(self) -> None:
        self.both(self.session.abort, self.model.abort)

    @rule()
    def redo(self) -> None:
        self.both(self.session.redo, self.model.redo)

    @rule(track=st.sampled_from(["fuel", "trucks", "way"]), value=st.integers(0, 6))
    def adjust(self, track: str, value: int) -> None:
        if self.model.tracks()[track] == value:
            return
        answer = Answer(track, str(value))
        told = (self.model.more, answer) if self.model.asks else (self.model.do, "adjust", (answer,))
        self.both(lambda: self.session.adjust([(track, str(value))], "seen"), *told)

    @rule(back=st.integers(0, 4), at=st.integers(0, 3), road=st.sampled_from(["main", "side"]), face=st.integers(1, 6))
    def amend(self, back: int, at: int, road: str, face: int) -> None:
        now = self.model.now
        answered = [place for place, deed in enumerate(now) if deed.answers and deed.action != "adjust"][-5:]
        if not answered:
            return
        place = answered[-1 - back % len(answered)]
        deed = now[place]
        at %= len(deed.answers)
        text = road if deed.answers[at].key == "road" else str(face)
        self.both(lambda: self.session.amend(deed.number, at + 1, text), self.model.amend, place, at, text)

    @rule()
    def note(self) -> None:
        self.both(lambda: self.session.note("noted"), self.model.note)

    @rule()
    def close_and_open(self) -> None:
        self.tables[self.at] = SessionController.open(self.archive, self.session.info), self.model

    @precondition(lambda self: len(self.tables) < 3)
    @rule()
    def branch(self) -> None:
        copy = SessionController.open(self.archive, self.session.branch())
        self.tables.append((copy, self.model.copy()))
        self.calls["branch"] += 1

    @precondition(lambda self: len(self.tables) > 1)
    @rule(at=st.integers(0, 2))
    def another(self, at: int) -> None:
        self.at = at % len(self.tables)

    # -- what always holds -------------------------------------------------------------------------------------

    @invariant()
    def they_agree(self) -> None:
        if not hasattr(self, "tables"):
            return
        session, model = self.tables[self.at]
        assert [(entry.number, entry.action) for entry in session.history.in_force] == [deed[:2] for deed in model.now]
        assert dict(session.position.tracks) == model.tracks()
        assert (session.pending.key if session.pending else "") == model.asks
        assert session.history.next_number == model.last + 1


@pytest.fixture
def road(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "convoy", "tests.support.convoy")
    monkeypatch.setenv("COMPANION_TABLES", tiny.TABLES)


EVERYTHING = {"do", "road", "far", "attack", "undo", "undo_reply", "abort", "redo", "amend", "note", "branch", "refused"}


def run(examples: int, length: int, derandomize: bool) -> Counter[str]:
    """So many sessions; what was done in them."""
    Sessions.calls = Counter()
    quiet = list(HealthCheck)
    run_state_machine_as_test(
        Sessions,
        settings=settings(
            max_examples=examples, stateful_step_count=length, deadline=None, suppress_health_check=quiet, derandomize=derandomize
        ),
    )
    return Sessions.calls


def test_log_matches_a_list_of_states(road: None) -> None:
    """A share of it."""
    done = run(50, 40, True)
    assert done.total() > 1000 and min(done[name] for name in EVERYTHING) > 3, done


@pytest.mark.long
def test_log_matches_a_list_of_states_for_long(road: None) -> None:
    """50,000 operations."""
    done: Counter[str] = Counter()
    while done.total() < 50_000:
        done += run(400, 60, False)
    assert min(done[name] for name in EVERYTHING) > 500, done

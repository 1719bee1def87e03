"""One session of the fuzz: a function of its seed, but for those in which other processes join in."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from random import Random
from typing import Any, NamedTuple

from companion.core.errors import BadData, Illegal, QuestionPending, SessionMoved, Unreadable
from companion.core.game import Game
from companion.core.procedures import ResolvedReply
from companion.core.resolver import Answers
from companion.session.controller import Result, SessionController, update_open_session
from companion.session.database import IN_MEMORY, connect
from companion.session.entry import resume_entry
from companion.session.facts import practice_facts, set_fact, withdraw_fact
from companion.session.state import load_game
from companion.session.store import Archive
from companion.testing.player import MOST, offered
from tests.support.fuzzing import answers
from tests.support.fuzzing.witness import AGAIN, PROBE, Broken, Witness, holds, ranges_cover

CAP = 2_500
"""Calls after which a session that has not ended is let be."""
PATIENCE, STUCK = 15, 5
"""Refused answers in a row after which an action is given up, and how often that may happen until the session is: on a table of
which too much is garbage nothing can be answered any more.
"""
OTHER = 0.07
"""The share of calls that do not go on with the game, while it lasts."""
AFTER = 6
"""Calls that are still made when the game is over."""
SECONDS = 20.0
"""Of the processor, for one call."""
THINKING, THOUGHTFUL = 16, 250
"""Of so many sessions an opponent plays on from what it may do before it decides, which takes as long as a hundred calls; such a
session has no more calls than this.
"""
TRAIL = 40
"""Calls of which a fault tells."""

ALLOWED = (Illegal, Unreadable, QuestionPending)
"""What a call may be refused with by a player's doing."""


class Fault(NamedTuple):
    """What was found.

    Attributes:
        seed: of the session.
        kind: its class and where it was raised.
        told: all of it, with the last calls.
    """

    seed: str
    kind: str
    told: str


class Tally(NamedTuple):
    """What came of a session.

    Attributes:
        seed: as given.
        game: its id.
        decisions: actions that were begun and answers that were given by hand, as far as they were accepted.
        calls: on desks.
        refused: of these.
        corrections: undo, redo, amend, adjust and the like that were carried out.
        ended: 1 where the game came to its end by play; ``adjusted``: where an adjustment had ended it.
        seconds: of the processor.
        kinds: calls by name; ``looks``: checks by name.
        fault: what was found, or None.
    """

    seed: str
    game: str
    decisions: int
    calls: int
    refused: int
    corrections: int
    ended: int
    adjusted: int
    seconds: float
    kinds: dict[str, int]
    looks: dict[str, int]
    fault: Fault | None


class TooLong(BaseException):
    """A call that does not come back."""


def _too_long(number: int, frame: Any) -> None:
    raise TooLong(f"a call took {SECONDS} s")


@contextmanager
def watched() -> Iterator[None]:
    """A call that takes too long is broken off."""
    before = signal.signal(signal.SIGVTALRM, _too_long)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@cache
def _empty() -> sqlite3.Connection:
    """An archive with nothing in it, to be copied: making one anew takes as long as a hundred calls."""
    return connect(IN_MEMORY)


def in_memory() -> Archive:
    """An archive of nothing that is gone with the process."""
    connection = sqlite3.connect(IN_MEMORY, isolation_level=None)
    _empty().backup(connection)
    return Archive(IN_MEMORY, connection)


@cache
def _facts(game: str) -> dict[str, str]:
    """What the made-up set tells."""
    return practice_facts(load_game(game))


class Fuzzer:
    """Plays one session.

    Args:
        seed: of everything: ``game/number``.
        cap: calls at most.
        say: is told each call, for whoever runs a seed again.
    """

    def __init__(self, seed: str, cap: int = CAP, say: Callable[[str], None] | None = None) -> None:
        self.seed = seed
        self.cap = cap
        self.say = say
        self.chance = Random(seed)
        self.game: Game = load_game(seed.partition("/")[0])
        self.decisions = self.calls = self.refusals = self.corrections = self.adjusted = 0
        self.kinds: Counter[str] = Counter()
        self.trail: list[str] = []
        self.in_a_row = self.given_up = 0
        self.thinks = False
        self.hopeless = False
        """Whether nothing can be answered any more."""
        self.over_for = 0
        self.undone = 0
        self.witness: Witness
        self.looks: dict[str, int] = {}
        wild, crowd = self.chance.random(), self.chance.random()
        self.tame = wild < 0.3
        """Nothing is adjusted, insisted on or told anew: then every offered answer must be taken."""
        self.crowd = crowd < 0.06
        self.strange = False
        """Whether something has been put on the table that the rules might never have led to."""

    # -- the whole of it ---------------------------------------------------------------------------------------

    def run(self) -> Tally:
        """The session, and what came of it; a fault is part of that."""
        begun, fault = time.process_time(), None
        with watched(), tempfile.TemporaryDirectory(prefix="fuzz") as folder:
            try:
                with self._archive(folder) as archive:
                    self._play(archive)
            except (Exception, TooLong) as found:
                fault = self._fault(found)
        ended = int(fault is None and bool(self.over_for) and not self.adjusted)
        looks = self.witness.looks if hasattr(self, "witness") else {}
        return Tally(
            self.seed,
            self.game.id,
            self.decisions,
            self.calls,
            self.refusals,
            self.corrections,
            ended,
            int(bool(self.over_for) and bool(self.adjusted)),
            time.process_time() - begun,
            dict(self.kinds),
            dict(looks),
            fault,
        )

    def _archive(self, folder: str) -> Archive:
        archive = Archive.open(os.path.join(folder, "a.sqlite3")) if self.crowd else in_memory()
        archive._db.execute("PRAGMA synchronous = OFF")  # the disk is the matter of the faults
        return archive

    def _fault(self, found: BaseException) -> Fault:
        frames = traceback.extract_tb(found.__traceback__)
        own = [frame for frame in frames if "/companion/" in frame.filename] or list(frames)
        where = f"{os.path.basename(own[-1].filename)}:{own[-1].name}" if own else ""
        kind = (
            f"{type(found).__name__} {where} {str(found)[:80]}"
            if not isinstance(found, Broken)
            else f"Broken: {str(found)[:100]}"
        )
        told = "".join(traceback.format_exception(found))[-6_000:]
        return Fault(self.seed, kind, told + "\n" + "\n".join(self.trail[-TRAIL:]))

    def _play(self, archive: Archive) -> None:
        self._lay_out(archive)
        self.session = self._begun(archive)
        self.archive = archive
        self.witness = Witness(self.session, Random(f"{self.seed}/witness"))
        while self.calls < self.cap and self.over_for < AFTER and not self.hopeless:
            self._step()
        self.witness.ended()

    # -- the beginning -----------------------------------------------------------------------------------------

    def _lay_out(self, archive: Archive) -> None:
        """The made-up set, all of it or a part, or nothing."""
        facts, how = _facts(self.game.id), self.chance.random()
        if how < 0.75:
            archive.record_facts(self.game.id, facts)
        elif how < 0.9:
            archive.record_facts(self.game.id, {key: value for key, value in facts.items() if self.chance.random() < 0.7})

    def _options(self) -> dict[str, str]:
        """Options and rulings at random; half the sessions are played as most owners would."""
        usual = self.game.players.practice_options() if self.chance.random() < 0.6 else {}
        found = dict(usual)
        odd, seats = self.chance.choice((0.0, 0.1, 0.3, 0.6)), self.game.players.seats
        for option in self.game.options.values():
            ways = (*option.choices, *option.unlisted)
            if ways and self.chance.random() < (odd / 3 if option.id in seats else odd):
                found[option.id] = self.chance.choice(ways)
            elif not ways and self.chance.random() < odd:
                found[option.id] = self.chance.choice(("", ", ".join(("Ann", "Bob", "Cid")[: len(seats)]), "Ann"))
        return found

    def _begun(self, archive: Archive) -> SessionController:
        chance = self.chance
        while True:
            options = self._options()
            scenario = options.pop("scenario", "") or chance.choice(list(self.game.scenarios))
            ways = {"dice": chance.choice(("computer", "computer", "physical")), "draws": chance.choice(("computer", "physical"))}
            self.thinks = chance.random() * THINKING < 1
            self.cap = min(self.cap, THOUGHTFUL) if self.thinks else self.cap
            think = chance.choice(("1", "2")) if self.thinks else "0"
            self.note(f"new {self.game.id} {scenario} {options} {ways} think={think} tame={self.tame} crowd={self.crowd}")
            self.calls += 1
            try:
                signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
                return SessionController.create(
                    archive,
                    self.game.id,
                    scenario,
                    options,
                    **ways,
                    seed=self.seed,
                    think=think,
                    name=self.seed.replace("/", "-"),
                )
            except ALLOWED as refusal:
                self.refusals += 1
                self.note(f"  refused: {refusal}")

    # -- a call ------------------------------------------------------------------------------------------------

    def note(self, text: str) -> None:
        self.trail.append(text[:400])
        del self.trail[: -3 * TRAIL]
        if self.say:
            self.say(text)

    def call(self, name: str, work: Callable[..., Any], *values: Any, moves: bool = True, **named: Any) -> Any:
        """One call on the desk, with everything that must hold after it; None where it was refused, else what it returned, or
        True where that is nothing.
        """
        session = self.session
        seq, position, pending = session.history.seq, session.position, session.pending
        self.calls += 1
        self.kinds[name] += 1
        self.note(f"{self.calls}: {name} {values!r}{named or ''}"[:300])
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        try:
            result = work(*values, **named)
        except ALLOWED as refusal:
            self.refusals += 1
            self.note(f"  refused: {refusal.message[:150]}")
            self.witness.complained(refusal)
            self.witness.refused(seq, position, pending)
            return None
        self.witness.accepted(result if isinstance(result, Result) else None, position)
        return True if result is None else result

    def played(self, name: str, work: Callable[..., Any], *values: Any, **named: Any) -> bool:
        """A call that goes on with the game; whether it was accepted."""
        history = self.session.history
        entry, given = history.next_number, 0
        if (opened := history.open_entry) is not None:
            entry, given = opened.number, sum(reply.is_from_player for reply in opened.replies)
        result = self.call(name, work, *values, **named)
        if result is None:
            self.in_a_row += 1
            return False
        self.in_a_row, self.undone = 0, 0
        if (found := self.session.history.entries.get(entry)) is not None:
            self.decisions += (opened is None) + sum(reply.is_from_player for reply in found.replies) - given
        if isinstance(result, Result) and result.fault is not None:
            self.witness.complained(result.fault)
        if isinstance(result, Result) and result.done and entry in self.session.history.force and self.witness.one_in(AGAIN):
            self.witness.again(entry)
        return True

    def corrected(self, name: str, work: Callable[..., Any], *values: Any, **named: Any) -> Any:
        """A call that takes back, brings back or puts right."""
        result = self.call(name, work, *values, **named)
        if result is not None:
            self.corrections += 1
            self.in_a_row = 0
        return result

    def _step(self) -> None:
        session, chance = self.session, self.chance
        over = session.pending is None and bool(self.game.players.over(session.position))
        self.over_for = self.over_for + 1 if over else 0
        if self.in_a_row > PATIENCE:
            self._give_up()
        elif chance.random() < (OTHER if not over else 0.8):
            self._other()
        elif session.pending is not None:
            self._reply()
        else:
            self._act()

    def _give_up(self) -> None:
        """What is refused again and again is taken back; a set-up that cannot be answered ends the session."""
        self.in_a_row = 0
        self.given_up += 1
        self.hopeless |= self.given_up > STUCK
        if self.session.pending is None or self.session.pending_entry == self.session.history.force[0]:
            if self.session.pending is not None and not self.strange and self.corrected("undo --reply", self.session.undo_reply):
                return
            if not self.corrected("undo", self.session.undo, 1):
                self.hopeless = True
            return
        self.corrected("abort", self.session.abort)

    # -- going on ----------------------------------------------------------------------------------------------

    def _act(self) -> None:
        session, chance = self.session, self.chance
        usual = answers.action(session, chance) if chance.random() < 0.92 else ""
        action = usual or chance.choice([*(one.id for one in self.game.actions if not one.alone or chance.random() < 0.1), "x"])
        anyway = not self.tame and chance.random() < 0.03
        how = chance.random()
        if how < 0.8:
            self.played("do", session.do, action, None, anyway)
        elif how < 0.9:
            self.played("do --accept", session.do, action, Answers(accept=True), anyway)
        else:
            self.played("do with answers", session.do, action, self._answers(), anyway, chance.random() < 0.5)
        self.strange |= anyway

    def _answers(self) -> Answers:
        """Answers as they might be brought along."""
        session, chance = self.session, self.chance
        request = session.pending
        plain = [self._text()] if request is not None and chance.random() < 0.8 else []
        plain += [answers.garbage(chance) for _ in range(chance.choice((0, 0, 0, 1, 2)))]
        keyed = [(request.key, self._text())] if request is not None and chance.random() < 0.3 else []
        dice = [chance.randint(1, 6) for _ in range(chance.choice((0, 0, 1, 2, 6)))]
        draws = [answers.garbage(chance)] if chance.random() < 0.05 else []
        return Answers(keyed, dice, draws, plain, chance.random() < 0.4, chance.random() < 0.3)

    def _text(self) -> str:
        """An answer to the open question, mostly one that fits."""
        session, chance = self.session, self.chance
        request, how = session.pending, chance.random()
        assert request is not None
        if how < 0.86:
            return answers.typed(request, answers.fitting(session, chance), chance)
        if how < 0.91:
            return answers.amount(request, chance)
        return answers.garbage(chance) if how < 0.96 else ""

    def _reply(self) -> None:
        session, chance = self.session, self.chance
        request, how = session.pending, chance.random()
        assert request is not None
        anyway = not self.tame and chance.random() < 0.03
        self.strange |= anyway
        if self.tame and not self.strange and self.witness.one_in(PROBE):
            self._probe()
        if how < 0.12 and self.tame and (value := answers.offer(request, chance)) is not None:
            self._offered(request, value)
        elif how < 0.88:
            self.played("reply", session.reply, self._text(), anyway)
        elif how < 0.92:
            self.played("reply and more", session.reply, self._text(), anyway, self._answers())
        elif how < 0.98:
            self.played("answer", session.answer, self._answers(), anyway)
        else:
            self.played("do at a question", session.do, chance.choice(self.game.actions).id)

    def _offered(self, request: Any, value: Any) -> None:
        """An answer that is offered is taken."""
        self.witness.counted("offers")
        text = answers.typed(request, value, self.chance)
        taken = self.played("offered", self.session.reply, text)
        holds(taken or not self.tame, f"'{text[:60]}' is offered at '{request.key}' [{request.rule}] and refused")

    def _probe(self) -> None:
        """Every answer that is offered, or some of many, is taken on a copy of the table."""
        session = self.session
        entry, request = session.history.open_entry, session.pending
        assert entry is not None and request is not None
        if request.forced_reply() is not None or request.kind == "printed":
            return
        self.witness.counted("probes")
        values = offered(request)
        for value in values if len(values) <= MOST else self.chance.sample(values, MOST):
            index = session.history.random_index(entry.number)
            under = resume_entry(self.game, session.options, session.committed_position, entry, index, session.resolver())
            assert under.request is not None
            try:
                read = under.request.read(value) if request.kind == "text" else value
                under.send(ResolvedReply(under.request.check(read), "typed"))
            except ALLOWED as refusal:
                raise Broken(
                    f"'{value}' is offered at '{request.key}' [{request.rule}] and refused: {refusal.message}"
                ) from refusal

    # -- everything else ---------------------------------------------------------------------------------------

    def _other(self) -> None:
        ways = _TAME if self.tame else _WILD
        self.chance.choice(ways)(self)

    def undo(self) -> None:
        self.undone += self.corrected("undo", self.session.undo, 1) is not None

    def there_and_back(self) -> None:
        """What an undo has taken a redo brings back to the letter."""
        session, chance = self.session, self.chance
        many = chance.choice((1, 1, 1, 2, 3, 8))
        before = self._state()
        name, work, values = chance.choice(
            (
                ("undo", session.undo, (many,)),
                ("undo --reply", session.undo_reply, ()),
                ("undo --to", session.undo_to, (self._some_entry(),)),
            )
        )
        if self.corrected(name, work, *values) is None:
            return
        if chance.random() < 0.25:
            self.call("note", session.note, "noted in between")
        holds(self.corrected("redo", session.redo) is not None, f"what '{name}' took could not be brought back")
        holds(self._state() == before, f"'{name}' and redo lead elsewhere")

    def _state(self) -> Any:
        session = self.session
        pending = session.pending
        return list(session.history.force), session.position, list(session.position.pieces), pending and pending.describe()

    def _some_entry(self) -> int:
        force = self.session.history.force
        return self.chance.choice(force[-8:])

    def undo_to(self) -> None:
        number = self._some_entry() if self.chance.random() < 0.9 else self.chance.choice((0, -1, 10**6, 1))
        self.corrected("undo --to", self.session.undo_to, number)

    def undo_reply(self) -> None:
        self.corrected("undo --reply", self.session.undo_reply)

    def undo_many(self) -> None:
        self.corrected("undo N", self.session.undo, self.chance.choice((0, -1, 2, 3, 4, 10**9)))

    def redo(self) -> None:
        self.corrected("redo", self.session.redo)

    def abort(self) -> None:
        if self.chance.random() < 0.4:
            self.corrected("abort", self.session.abort)

    def amend(self) -> None:
        """One old answer is changed; undo takes the amend back as a whole."""
        session, chance = self.session, self.chance
        entries = [entry for entry in session.history.in_force[-4:] if entry.replies]
        if not entries:
            return
        entry = chance.choice(entries)
        number = chance.randint(1, len(entry.replies))
        old = entry.replies[number - 1]
        text = chance.choice((str(old.value), answers.garbage(chance), "1", "yes", "no", "none", "2", "6"))
        if old.kind == "roll" and isinstance(old.value, list):
            text = " ".join(str(chance.randint(1, 6)) for _ in old.value)
        elif (request := session.pending) is not None and request.key == old.key:
            text = answers.typed(request, answers.fitting(session, chance), chance)
        before = self._state()
        if self.corrected("amend", session.amend, entry.number, number, text, not self.tame and chance.random() < 0.2) is None:
            return
        if chance.random() < 0.6:
            amended = self._state()
            holds(self.corrected("undo", session.undo, 1) is not None, "an amend could not be taken back")
            holds(self._state() == before, "taking an amend back leads elsewhere")
            if chance.random() < 0.5:
                holds(self.corrected("redo", session.redo) is not None, "an amend could not be brought back")
                holds(self._state() == amended, "bringing an amend back leads elsewhere")

    def adjust(self) -> None:
        """Something is put right; mostly it is taken back, lest every game be of another world."""
        session, chance = self.session, self.chance
        changes = [answers.change(session, chance) for _ in range(chance.choice((1, 1, 1, 2, 3)))]
        was_over = bool(self.game.over(session.position))
        before = self._state()
        why = chance.choice(("seen", "seen", "forgot to move it", "", answers.garbage(chance)))
        inside = session.pending is not None
        if self.corrected("adjust", session.adjust, changes, why) is None:
            return
        if bool(self.game.over(session.position)) != was_over or chance.random() < 0.7:
            if inside:
                self.corrected("abort", session.abort)
                self.strange |= session.history.open_entry is not None
            elif self.corrected("undo", session.undo, 1) is not None:
                holds(self._state() == before, "taking an adjustment back leads elsewhere")
            return
        self.strange = True

    def tell(self) -> None:
        """A printed fact is told anew or forgotten; the session follows, as after ``companion printed``."""
        session, chance = self.session, self.chance
        found = answers.fact(session, chance)
        if found is None:
            return
        self.calls += 1
        self.strange = True
        self.kinds["printed"] += 1
        self.note(f"{self.calls}: printed {found}")
        try:
            if chance.random() < 0.2:
                withdraw_fact(session.archive, self.game, found[0])
                return
            key, value = set_fact(session.archive, self.game, *found, anyway=chance.random() < 0.5)
        except ALLOWED as refusal:
            self.refusals += 1
            self.witness.complained(refusal)
            return
        if chance.random() < 0.5:
            position = session.position
            followed = update_open_session(session, {key: value})
            if followed is not None and followed.result is not None:
                self.corrections += 1
                self.witness.accepted(followed.result, position)

    def setting(self) -> None:
        chance = self.chance
        words = ("computer", "physical", "c", "", "nobody")
        think = chance.choice(("", "", "1" if self.thinks else "0", "0", "x"))
        self.call("setting", self.session.setting, chance.choice(words), chance.choice(words), think)

    def remark(self) -> None:
        self.call("note", self.session.note, answers.garbage(self.chance))

    def branch(self) -> None:
        """The copy is played on in the place of the session; or let be."""
        session, chance = self.session, self.chance
        if chance.random() < 0.7:
            return
        name = chance.choice(("", f"b{self.calls}", session.info.name))
        before, rows = self._state(), len(session.archive.rows(session.info.id))
        info = self.call("branch", session.branch, name)
        if info is None:
            return
        other = SessionController.open(session.archive, info)
        pending = other.pending
        holds(
            (list(other.history.force), other.position, list(other.position.pieces), pending and pending.describe()) == before,
            "a branch stands elsewhere",
        )
        holds(len(session.archive.rows(session.info.id)) == rows, "a branch has written to the session")
        if chance.random() < 0.5:
            self.session = other
            self.witness.begin(other)

    def reopen(self) -> None:
        """Companion is left and started anew."""
        self.kinds["reopen"] += 1
        self.session = self.witness.session = self.witness.reopened()

    def second_window(self) -> None:
        """Another desk plays on first; this one is told so, and keeps nothing."""
        session = self.session
        other = self.witness.reopened()
        fuzzed, self.session, self.witness.session = session, other, other
        seq = other.history.seq
        self._step_once()
        moved = self.session.history.seq != seq or self.session.info.id != fuzzed.info.id
        if not moved or self.session.info.id != fuzzed.info.id:
            return
        self.calls += 1
        self.kinds["second window"] += 1
        self.note(f"{self.calls}: the first window goes on")
        try:
            fuzzed.note("from the first window")
        except SessionMoved:
            self.refusals += 1
        else:
            raise Broken("a window has written over another")
        holds(fuzzed.history.seq == self.session.history.seq, "a window that was told does not know what the other has done")
        holds(fuzzed.position == self.session.position, "a window that was told stands elsewhere")
        if self.chance.random() < 0.5:
            self.session = self.witness.session = fuzzed

    def _step_once(self) -> None:
        if self.session.pending is not None:
            self._reply()
        else:
            self._act()

    def others(self) -> None:
        """Another process plays on the same session at the same time: one order, and nothing that was acknowledged is lost."""
        if not self.crowd or self.chance.random() < 0.5:
            return
        self.kinds["processes"] += 1
        session, seed = self.session, self.chance.random()
        begin = session.history.seq
        read, write = os.pipe()
        child = os.fork()
        if not child:
            os.close(read)
            told = "fault"
            try:
                with Archive.open(session.archive.path) as archive:
                    archive._db.execute("PRAGMA synchronous = OFF")
                    told = json.dumps(_crowding(SessionController.open(archive, session.info.name), Random(seed), 4))
            except BaseException:
                told = traceback.format_exc()
            os.write(write, told.encode())
            os._exit(0)
        os.close(write)
        mine = _crowding(session, self.chance, 4)
        with os.fdopen(read, "rb") as pipe:
            told = pipe.read().decode()
        os.waitpid(child, 0)
        self.calls += 8
        holds(told.startswith("["), f"a process that played beside this one has failed: {told[-400:]}")
        session.refresh()
        theirs = [(first, last) for first, last in json.loads(told)]
        holds(ranges_cover([*mine, *theirs], begin, session.history.seq), "an acknowledged reply of two processes is lost")
        self.witness.stored()
        self.strange = True


def _crowding(session: SessionController, chance: Random, many: int) -> list[tuple[int, int]]:
    """Some calls beside another process; the rows that each of them has written."""
    found = []
    for _ in range(many):
        before = session.history.seq
        try:
            if session.pending is not None:
                session.reply(answers.typed(session.pending, answers.fitting(session, chance), chance))
            elif chance.random() < 0.5 and (action := answers.action(session, chance)):
                session.do(action, Answers(accept=True))
            else:
                chance.choice((lambda: session.undo(1), session.redo, lambda: session.note("beside")))()
        except SessionMoved:
            continue
        except BadData as busy:
            if "holds the archive" not in busy.message:
                raise
        except ALLOWED:
            continue
        else:
            found.append((before, session.history.seq))
    return found


_TAME: tuple[Callable[[Fuzzer], None], ...] = (
    *([Fuzzer.undo] * 6 + [Fuzzer.there_and_back] * 14 + [Fuzzer.redo] * 6 + [Fuzzer.undo_to] * 4 + [Fuzzer.undo_reply] * 8),
    *([Fuzzer.undo_many] * 6 + [Fuzzer.abort] * 4 + [Fuzzer.amend] * 8 + [Fuzzer.setting] * 6 + [Fuzzer.remark] * 6),
    *([Fuzzer.branch] * 2 + [Fuzzer.others] * 2 + [Fuzzer.reopen, Fuzzer.second_window]),
)
_WILD = (*_TAME, *[Fuzzer.adjust] * 20, *[Fuzzer.tell] * 4)

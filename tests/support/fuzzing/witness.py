"""What must hold of a session after every call on its desk, however it was played.

Every check goes by what is stored, read back from the archive: what a desk has in memory is never compared with itself alone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Any

from companion.cli.shell.output import error_lines
from companion.cli.shell.shared import status_lines
from companion.core.errors import CompanionError
from companion.core.events import PieceMade, fold
from companion.core.history import Entry, History
from companion.core.position import Position
from companion.core.request import Request
from companion.session.adjust import apply_changes
from companion.session.controller import Result, SessionController
from companion.session.entry import RunningEntry
from companion.session.transfer import bundle, read_document
from companion.views.banner import game_over_lines
from companion.views.board import show
from companion.views.dashboard import dashboard, field_values, snapshot, status_bar_lines
from companion.views.data import session_data
from companion.views.lines import plain_text
from companion.views.log import change_lines, log_data, log_lines, why_lines
from companion.views.question import legal_answer_lines, question_lines
from companion.views.report.document import document
from companion.views.report.render import report_bbcode, report_data, report_html, report_md
from companion.views.report.report import build_report
from companion.views.result import result_data, result_lines, turn_ended_by, turn_lines

PARTS = ("overview", "cups", "facts", "score", "pieces", "tracks", "flags", "options", "places", "rulings")
"""What ``companion show`` shows."""

ANSWER, SCREEN, LOG, AGAIN, PROBE = 12, 160, 1000, 12, 100
"""Of so many calls one is looked at so: what the command prints; status, foot, dashboard and the JSON document; log, why, show
and another desk over the same archive; the entry run again from its replies; all offers of the question."""

END = 16
"""Of so many sessions one is reported, listed and bundled at its end."""

COMMITTED = "SELECT max(seq) FROM log WHERE session_id = ?"


class Broken(AssertionError):
    """Something that must hold does not."""


def holds(what: bool, told: str) -> None:
    """Raises Broken: it does not."""
    if not what:
        raise Broken(told)


def as_json(data: Any) -> str:
    """As ``--json`` prints it, on one line: that takes a fifth of the time."""
    return json.dumps(data, default=list)


def asked(request: Request[Any] | None) -> tuple[str, str] | None:
    """Which question it is."""
    return None if request is None else (request.key, request.kind)


class Witness:
    """Looks at a desk after each call.

    Args:
        desk: as it stands after its set-up was begun.
        number: gives what is looked at when.

    Attributes:
        looks: how often each kind of check was made.
    """

    def __init__(self, session: SessionController, chance: Random) -> None:
        self.chance = chance
        self.looks: dict[str, int] = {}
        self.game = session.game
        self.bounds = [(track.id, track.low, track.high) for track in session.game.tracks.values()]
        self.begin(session)

    def begin(self, session: SessionController) -> None:
        """Look at another session from here on."""
        self.session = session
        self.shadow = History((), self.game.vocabulary.sets)
        self.after: dict[int, tuple[int, Position]] = {}
        self.questions: dict[tuple[int, int], tuple[str, str] | None] = {}
        self.whole = 64
        self._folded = 0
        self._first = ""
        self.stored()

    def counted(self, what: str) -> None:
        self.looks[what] = self.looks.get(what, 0) + 1

    def one_in(self, many: int) -> bool:
        return self.chance.random() * many < 1

    # -- after each call ---------------------------------------------------------------------------------------

    def refused(self, seq: int, position: Position, request: Request[Any] | None) -> None:
        """A call that was refused has changed nothing, in the archive nor at the desk."""
        session = self.session
        holds(session.history.seq == seq == self.committed(), "a refused call has written to the log")
        holds(session.position is position or session.position == position, "a refused call has changed the position")
        holds(asked(session.pending) == asked(request), "a refused call has changed the question")

    def committed(self) -> int:
        """The number of the last row in the archive."""
        return int(self.session.archive._db.execute(COMMITTED, (self.session.info.id,)).fetchone()[0] or 0)

    def accepted(self, result: Result | None, position: Position) -> None:
        """A call that was carried out: what is stored is what the desk has."""
        session = self.session
        self.stored()
        if result is not None:
            holds(result.after is session.position or result.after == session.position, "the result ends at another position")
            holds(result.before is position or result.before == position, "the result begins at another position")
            holds(result.pending is session.pending, "the result has another question")
            if self.one_in(ANSWER):
                self.told(result)
        if self.one_in(SCREEN):
            self.screens(result)
        if self.one_in(LOG):
            self.logs()
        if len(self.session.history.entries) >= self.whole:
            self.whole *= 2
            self.reopened()

    def stored(self) -> None:
        """The rows that have come since, read back and folded: they lead to where the desk stands."""
        session, shadow = self.session, self.shadow
        rows = session.archive.rows(session.info.id, shadow.seq)
        holds([row.seq for row in rows] == list(range(shadow.seq + 1, shadow.seq + 1 + len(rows))), "the log has a gap")
        for row in rows:
            shadow.add(row)
        live = session.history
        holds(live.seq == shadow.seq, "the session is not at the end of the log")
        holds(live.force == shadow.force, "what is in force is not what the log says")
        holds(live.redos == shadow.redos, "what can be brought back is not what the log says")
        holds(live.settings == shadow.settings, "the settings are not those of the log")
        holds(len(live.changes) == len(shadow.changes) and len(live.notes) == len(shadow.notes), "a change or a note is lost")
        self._bases()
        self._open()
        self._table(session.position)

    def _bases(self) -> None:
        """The position after each complete entry in force: folded when the entry is first seen, and the same ever after."""
        force, entries, after = self.shadow.force, self.shadow.entries, self.after
        done = len(force) - bool(force and entries[force[-1]].is_open)
        known = done
        while known and force[known - 1] not in after:
            known -= 1
        holds(all(not entries[number].is_open for number in force[max(known - 1, 0) : done]), "an entry before the last is open")
        for at in range(known, done):
            before = force[at - 1] if at else 0
            after[force[at]] = before, self._fold(entries[force[at]], after[before][1] if at else Position())
        for before, number in pairwise([0, *force[max(done - 3, 0) : done]][-3:]):
            holds(before == 0 or after[number][0] == before, f"entry {number} follows another one than before")
        base = self.session.committed_position
        if done:
            last = force[done - 1]
            holds(base is after[last][1] or base == after[last][1], f"the position after entry {last} is not that of its events")
            after[last] = after[last][0], base  # the very same value, so that the next comparison costs nothing

    def _fold(self, entry: Entry, start: Position) -> Position:
        events = list(entry.events.board_changes()) if hasattr(entry.events, "board_changes") else list(entry.events or ())
        made = [event.id for event in events if isinstance(event, PieceMade)]
        holds(not start.pieces.keys() & set(made) and len(set(made)) == len(made), "a piece was made twice")
        found = fold(events, start)
        holds(len(found.pieces) == len(start.pieces) + len(made), "a piece is lost")
        self._folded += 1
        return found

    def _open(self) -> None:
        """The open entry: its replies are those of the log, and they lead to the same question each time."""
        session = self.session
        holds(not session.broken, f"the open entry cannot go on: {session.broken}")
        entry, pending = session.history.open_entry, session.pending
        holds((entry is None) == (pending is None), "a question without an entry, or an entry without a question")
        if entry is None:
            return
        stored = self.shadow.entries[entry.number]
        holds(stored.replies == entry.replies, "the replies of the open entry are not those of the log")
        place = (entry.number, len(entry.replies))
        holds(self.questions.setdefault(place, asked(pending)) == asked(pending), f"{place} asks something else than before")

    def _table(self, position: Position) -> None:
        for track, low, high in self.bounds:
            value = position.tracks.get(track)
            if value is not None and ((low is not None and value < low) or (high is not None and value > high)):
                raise Broken(f"the track {track} stands at {value}, beyond {low}..{high}")

    # -- more than what is in memory ---------------------------------------------------------------------------

    def reopened(self) -> SessionController:
        """Another desk, that reads the log from its first row and folds it from its first event, stands at the same place."""
        self.counted("reopened")
        session = self.session
        other = SessionController.open(
            session.archive, session.archive.session(session.info.name) if session.info.name else session.info
        )
        live, read = session.history, other.history
        holds(read.entries == live.entries, "the entries read back are others")
        holds(read.force == live.force and read.redos == live.redos and read._amends == live._amends, "another force read back")
        holds(read.notes == live.notes and read.settings == live.settings, "other notes or settings read back")
        holds(
            other.committed_position == session.committed_position and other.position == session.position,
            "reopened, the session stands elsewhere",
        )
        holds(list(other.position.pieces) == list(session.position.pieces), "reopened, the pieces lie in another order")
        mine, theirs = session.pending, other.pending
        holds((mine and mine.describe()) == (theirs and theirs.describe()), "reopened, another question is open")
        position = session.position
        places = [piece.id for pieces in position.places().values() for piece in pieces]
        holds(sorted(places) == sorted(position.pieces), "a piece is in no place, or in two")
        return other

    def again(self, number: int) -> None:
        """An entry in force, run once more from its replies: the same events."""
        session, entry = self.session, self.session.history.entries[number]
        if entry.is_open or not self._runs(entry):
            return
        self.counted("run again")
        at = session.history.force.index(number)
        start = self.after[session.history.force[at - 1]][1] if at else Position()
        index = session.history.random_index(number)
        under = RunningEntry.from_entry(session.game, session.options, start, entry, index)
        under.replay_stored()
        holds(under.request is None, f"entry {number} '{entry.action}' run again asks for more")
        holds(
            under.referee.events == list(entry.events or ()), f"entry {number} '{entry.action}' run again comes to other events"
        )

    def _runs(self, entry: Entry) -> bool:
        if entry.action not in ("adjust", "audit"):
            return not entry.args.get("quick")
        at = self.session.history.force.index(entry.number)
        start = self.after[self.session.history.force[at - 1]][1]
        changes = [(str(what), str(value)) for what, value in entry.args["changes"]]
        referee, _ = apply_changes(self.game, self.session.options, start, changes, entry.args["why"])
        holds(referee.events == list(entry.events or ()), f"adjustment {entry.number} made again comes to other events")
        return False

    def copied(self) -> None:
        """A bundle of the session, as text and read again, holds the same."""
        self.counted("bundle")
        session = self.session
        about, rows = read_document(json.dumps(bundle(session.archive, session.info)))
        holds(about["seed"] == session.info.seed, "a bundle has another seed")
        other = History(rows, self.game.vocabulary.sets)
        holds(
            other.force == session.history.force and other.position() == session.committed_position,
            "a bundle read again leads elsewhere",
        )

    # -- views -------------------------------------------------------------------------------------------------

    def told(self, result: Result) -> None:
        """What the command prints."""
        self.counted("answers")
        plain_text(result_lines(self.session, result))

    def complained(self, fault: CompanionError) -> None:
        """What the command says on being refused."""
        text = plain_text(error_lines(fault))
        holds(bool(fault.message) and len(text) < 6_000, f"a refusal of {len(text)} characters")
        holds("\x1b" not in text, "a refusal moves the cursor")

    def screens(self, result: Result | None) -> None:
        """Status, the question with all its answers, the foot, the second screen, the JSON document of a step."""
        self.counted("screens")
        session, game = self.session, self.game
        plain_text(status_lines(session))
        banner = game.banner(session.position, session.options)
        status_bar_lines(banner, field_values(banner), session.pending, 24, 80)
        holds(len(dashboard(snapshot(session), 80, 24).rows(24)) <= 24, "the second screen is too high")
        if session.pending:
            plain_text(question_lines(session.pending, 60))
            plain_text(legal_answer_lines(session.pending))
        as_json(result_data(session, result) if result else session_data(session))
        game.score(session.position, session.options)

    def logs(self) -> None:
        """The log, why, and every part of show; and a desk that reads it all anew."""
        self.counted("logs")
        session, history = self.session, self.session.history
        plain_text(log_lines(self.game, history, undone=True))
        plain_text(change_lines(history))
        as_json(log_data(history, undone=True))
        for number in history.force[-2:]:
            plain_text(why_lines(self.game, history, history.entries[number]._replace(events=session.events_of(number))))
        for part in PARTS:
            both = show(session, part)
            plain_text(both.lines())
            as_json(both.data())
        self.reopened()

    def report(self) -> None:
        """The report in every form, and the tally of a turn."""
        self.counted("reports")
        session, history = self.session, self.session.history
        found = build_report(session.info.name, self.game, history, session.options)
        blocks = document(found)
        report_md(blocks)
        report_html(blocks)
        report_bbcode(blocks)
        as_json(report_data(found))
        plain_text(game_over_lines(self.game, session.position, session.options))
        for number in history.force[-5:]:
            if (spell := turn_ended_by(self.game, history, number)) is not None:
                plain_text(turn_lines(self.game, history, session.options, spell))

    def ended(self) -> None:
        """At the end of a session: the whole log read and folded anew; and every view of it of one session in so many."""
        self.reopened()
        if self.one_in(END):
            self.screens(None)
            self.logs()
            self.report()
            self.copied()


def ranges_cover(parts: Sequence[tuple[int, int]], begin: int, end: int) -> bool:
    """Whether the rows that several have written lie end to end, each once."""
    at = begin
    for first, last in sorted(parts):
        if first != at:
            return False
        at = last
    return at == end

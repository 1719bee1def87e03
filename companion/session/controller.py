"""The desk: runs the actions of one session, one committed transaction at a time.

Everything that a call does happens in memory first: answers are read and checked, the procedure goes on, automatic
replies follow. Only when all of it has succeeded are the rows written, in one transaction, and only then does the caller
see the next question. Whatever fails leaves the session as it was.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from companion.core import limits
from companion.core.errors import CompanionError, Illegal, NoEligiblePiece, SessionMoved, Unreadable
from companion.core.events import FlagSet
from companion.core.game import Game
from companion.core.position import Position
from companion.core.request import AnyRequest
from companion.core.resolver import Answers
from companion.core.text import clean, pick_name
from companion.session.advance import Advance, Result, advance, begin_advance
from companion.session.entry import SETUP, RunningEntry, retry_insisting
from companion.session.log import SessionLog
from companion.session.state import SessionState, fill_options, load_game, roll_mode, think_budget
from companion.session.store import Archive, Session

__all__ = ["Answers", "Result", "SessionController", "play_single_action"]


class SessionController(SessionState):
    """One session, open and ready to be played. See ``SessionState`` for what can be looked at."""

    # -- making one --------------------------------------------------------------------------------------------

    @classmethod
    def create(
        cls,
        archive: Archive,
        game_id: str,
        scenario: str = "",
        options: Mapping[str, str] | None = None,
        dice: str = "computer",
        draws: str = "computer",
        seed: str = "",
        name: str = "",
        *,
        answers: Answers | None = None,
        anyway: bool = False,
        think: str = "",
    ) -> SessionController:
        """Begins a session: runs the set-up as entry 1 and makes it the last used.

        Args:
            archive: where it is stored.
            resolve_game_id, scenario: by unique prefix; without a scenario the first one.
            options: choices by option, each by unique prefix; the others get their defaults.
            dice, draws: ``computer`` or ``physical``.
            seed: any text; without one Companion takes one by chance.
            name: unique in the archive; without one it is made from the game.
            answers: for questions of the set-up.
            anyway: insist where the rules refuse.
            think: playouts a candidate for the decisions of an opponent; "" as many as the game takes by itself.

        Raises:
            Unreadable: no such game, scenario, option or choice, or the name is taken.
        """
        session = cls._unsaved(archive, game_id, scenario, options or {}, seed, name, "")
        session._stage_settings(dice, draws, think)
        batch = session.log.new_batch()
        batch.entry(1, SETUP, {})
        running = RunningEntry(session.game, session.options, Position(), 1, SETUP, 0, resolver=session.resolver())
        session.opening = advance(session, Advance(running, batch, Position(), 0), answers or Answers(), anyway)
        return session

    @classmethod
    def _unsaved(
        cls, archive: Archive, game_id: str, scenario: str, options: Mapping[str, str], seed: str, name: str, flags: str
    ) -> SessionController:
        from companion.session.plugins import resolve_game_id as read_game_id

        game = load_game(read_game_id(game_id))
        found = fill_options(game, scenario, options)
        info = Session(
            0,
            limits.limit_length(clean(name), limits.NAME, "name"),
            game.id,
            found["scenario"],
            found,
            limits.limit_length(clean(seed), limits.SEED, "seed") or random_seed(),
            "",
            "",
            0,
            flags,
        )
        return cls(SessionLog(archive, info, game.vocabulary.sets, last_used=not flags), game)

    def _stage_settings(self, dice: str, draws: str, think: str = "") -> None:
        batch = self.log.new_batch()
        batch.add(
            "setting", 0, {"dice": roll_mode(dice), "draws": roll_mode(draws)} | ({"think": think_budget(think)} if think else {})
        )
        self.log.stage(batch)

    # -- playing -----------------------------------------------------------------------------------------------

    def do(self, action_text: str, answers: Answers | None = None, anyway: bool = False, patient: bool = False) -> Result:
        """Runs an action as far as the answers go.

        Args:
            action_text: the action, by unique prefix.
            answers: what was brought along; all of it must be used, and all of it is kept, or nothing.
            anyway: insist where the action is out of sequence or the rules refuse an answer.
            patient: keep the answers before one that is not taken, and let those wait whose question has not come yet.

        Raises:
            QuestionPending: an earlier question is open.
            Unreadable: there is no such action, an answer means nothing, or answers are left over.
            Illegal: out of sequence or against the rules, and nobody insisted.
            SessionMoved: somebody else played on meanwhile.
        """
        self.require_no_question()
        action = pick_name(action_text, [action.id for action in self.game.actions], "action")
        position, number = self.committed_position, self.history.next_number
        index = self.history.random_index()

        def begun(insisted: bool) -> RunningEntry:
            return RunningEntry(self.game, self.options, position, number, action, index, insisted, self.resolver())

        insisted = False
        try:
            obstacle = self.game.obstacle_to(action, position)
            if obstacle:
                raise Illegal(obstacle.text, rule=obstacle.rule, cure=obstacle.cure)
            running = begun(False)
        except Illegal as fault:
            refusal = fault.refusal_of(answers.texts_for(fault.key)) if isinstance(fault, NoEligiblePiece) and answers else fault
            running, insisted = retry_insisting(refusal, lambda: begun(True)), True
            if not anyway:
                raise refusal from None
        batch = self.log.new_batch()
        batch.entry(number, action, {}, insisted)
        return advance(self, Advance(running, batch, position, 0), answers or Answers(), anyway, patient=patient)

    def first_question(self, action: str) -> AnyRequest | None:
        """What an action would ask first if it were taken now; None if it is refused or asks nothing. Nothing is kept."""
        number, index, resolver = self.history.next_number, self.history.random_index(), self.resolver()
        resolver.uses_rollouts = False
        try:
            return RunningEntry(self.game, self.options, self.committed_position, number, action, index, False, resolver).request
        except CompanionError:
            return None

    def begin(self, action_text: str, anyway: bool = False) -> Result:
        """Begins an action and stops at its first question. See ``do``."""
        return self.do(action_text, None, anyway)

    def answer(self, answers: Answers | None = None, anyway: bool = False, at: str = "") -> Result:
        """Goes on with the open question as far as the answers go. All of it is kept, or nothing.

        Args:
            answers: what was brought along.
            anyway: insist where the rules refuse.
            at: the number of the question that is meant; "" for whichever is open. What has been answered to it before is told
                again, and not done again.

        Raises:
            Illegal: the rules refuse an answer and nobody insisted.
            Unreadable: no question is open, an answer means nothing, or answers are left over.
            SessionMoved: another question is open than the one that is meant, or somebody else played on meanwhile.
        """
        if at and at != self.question_number:
            from companion.session.advance import repeated_answer

            return repeated_answer(self, at, answers or Answers(), anyway)
        try:
            return advance(self, begin_advance(self), answers or Answers(), anyway, asked=True)
        except SessionMoved:
            if not at:
                raise
            return self.answer(answers, anyway, at)  # somebody was quicker: perhaps with the same answer, or with a note

    def reply(self, text: str, anyway: bool = False, waiting: Answers | None = None) -> Result:
        """Answers the open question as typed; an empty text is a bare Enter. Committed when this returns, with those of the
        ``waiting`` answers whose questions come then.

        Raises:
            Unreadable: it means nothing.
            Illegal: the rules refuse it, and nobody insisted.
        """
        running = self.asking_entry()
        assert running.request is not None
        given = self.resolver().parse_reply(running.request, text, running.next_roll, "typed", anyway)
        step = begin_advance(self)  # only now: a mistyped word costs no re-run
        step.entry.send(given, anyway)
        return advance(self, step, waiting or Answers(), patient=True)

    def note(self, text: str) -> None:
        """Writes something down beside the last entry. Raises Unreadable: it is empty, or too long."""
        said = limits.limit_length(clean(text), limits.NOTE, "note")
        if not said:
            raise Unreadable("the note is empty")
        batch = self.log.new_batch()
        batch.add("note", self.history.force[-1] if self.history.force else 0, {"text": said})
        self.log.commit(batch)

    def setting(self, dice: str = "", draws: str = "", think: str = "") -> None:
        """Changes who rolls and draws by default, ``computer`` or ``physical``, and how far an opponent thinks: playouts a
        candidate, or ``usual``; what is empty stays.

        Raises:
            Unreadable: it is none of them.
        """
        body = {key: roll_mode(value) for key, value in (("dice", dice), ("draws", draws)) if value}
        body |= {"think": think_budget(think)} if think else {}
        if body:
            batch = self.log.new_batch()
            batch.add("setting", 0, body)
            self.log.commit(batch)

    def branch(self, name: str = "") -> Session:
        """Copies the session at its head, to try something; the copy becomes the last used. Returns it.

        The copy keeps every die and draw of the log. What is rolled and drawn from there on comes from a seed of its own,
        which follows from the old one and the copy's name, so that trying something does not show what the dice have in
        store for the session that was copied.
        """
        self.refresh()
        return self.archive.branch(self.info, limits.limit_length(clean(name), limits.NAME, "name"))

    # -- correcting --------------------------------------------------------------------------------------------

    def undo(self, count: int = 1) -> Result:
        """Takes the last entries back; as long as an amend is the last thing that was done, the amend. The set-up stays."""
        from companion.session import undo

        return undo.apply_change(self, self.history.plan_undo(count))

    def undo_to(self, number: int) -> Result:
        """Takes back every entry after the one of that number."""
        from companion.session import undo

        return undo.apply_change(self, self.history.plan_undo_to(number))

    def undo_reply(self) -> Result:
        """Takes back the last reply that was given by hand; without one, the entry."""
        from companion.session import undo

        return undo.undo_reply(self)

    def redo(self) -> Result:
        """Brings back what the last undo took."""
        from companion.session import undo

        return undo.apply_change(self, self.history.plan_redo())

    def abort(self) -> Result:
        """Takes the open entry back."""
        from companion.session import undo

        return undo.abort(self)

    def amend(
        self, entry: int, reply_no: int, text: str, anyway: bool = False, also: Mapping[tuple[int, int], str] | None = None
    ) -> Result:
        """Changes one old reply (counted from 1), with it later ones (``also``, by entry and number: two cards named in the
        wrong order), and replays from there as far as the later replies fit.
        """
        from companion.session import amend

        return amend.amend(self, entry, reply_no, text, anyway, also or {})

    def adjust(self, changes: Sequence[tuple[str, str]], why: str, action: str = "adjust") -> Result:
        """Sets tracks, pieces and flags to what is on the table: as an entry, or within the open one, whose question is then
        asked anew. See ``adjusting.py``.

        Raises:
            Unreadable: something means nothing, cannot be, or there is no reason.
            Illegal: the open entry does not go on from such a table.
        """
        from companion.session.adjust import adjust

        return adjust(self, changes, why, action)


def random_seed() -> str:
    """A seed that nobody can foresee."""
    import os

    return os.urandom(6).hex()


def play_single_action(
    archive: Archive,
    game_id: str,
    action_text: str,
    answers: Answers | None = None,
    *,
    options: Mapping[str, str] | None = None,
    dice: str = "computer",
    draws: str = "computer",
    seed: str = "",
    anyway: bool = False,
) -> tuple[SessionController, Result]:
    """Runs an action that makes sense by itself (a described battle) in a session of its own, with no set-up.

    The session is named ``quick-1`` and so on and does not become the last used. Nothing is stored if it fails.

    Raises:
        Illegal: the action needs a session.
        Unreadable: as ``SessionController.do``.
    """
    session = SessionController._unsaved(archive, game_id, "", options or {}, seed, "", "quick")
    names = [action.id for action in session.game.actions]
    chosen = pick_name(action_text, names, "action")
    if not next(action for action in session.game.actions if action.id == chosen).alone:
        raise Illegal(f"'{chosen}' needs a session", cure=f"Begin one: companion new {session.game.id}")
    session._stage_settings(dice, draws)
    batch = session.log.new_batch()
    batch.entry(1, SETUP, {"quick": True})
    batch.complete(1, ())
    session.log.stage(batch)
    return session, session.do(chosen, answers, anyway)


UPDATE_REASON = "entered again"


class FactUpdate(NamedTuple):
    """How the session in use follows.

    Attributes:
        desk: the session.
        result: what came of it; None where it cannot.
        fault: why it cannot, and what to do; "" where it does.
    """

    session: SessionController
    result: Result | None
    fault: str = ""


def update_session(
    archive: Archive, game: Game, facts: Mapping[str, str], new: Collection[str] | None = None, session: str = ""
) -> FactUpdate | None:
    """Let a session go by printed facts that were told anew; None where it is of another game or goes by nothing of it.

    Args:
        archive: of the session.
        game: whose facts they are.
        facts: what was told, by full key; what was withdrawn ("") is let be.
        new: those of them that were not known before; None: all. The others count where the session goes by another value.
        session: by unique prefix; "" for the one in use.

    Raises:
        Unreadable: there is no such session.
    """
    last = archive.session(session) if session else archive.last()
    return (
        update_open_session(SessionController.open(archive, last), facts, new)
        if last is not None and last.game == game.id
        else None
    )


def update_open_session(
    session: SessionController, facts: Mapping[str, str], new: Collection[str] | None = None
) -> FactUpdate | None:
    """The same of a session that is open; None where it goes by nothing of it."""
    fresh = facts if new is None else new
    changes = [(f"fact:{key}", value) for key, value in facts.items() if value and _concerns(session, key, value, key in fresh)]
    if not changes:
        return None
    echoed = {session.game.fact_in_words(key, value) for key, value in facts.items()}
    try:
        result = session.adjust(changes, UPDATE_REASON)
        return FactUpdate(session, result._replace(notes=tuple(note for note in result.notes if note not in echoed)))
    except CompanionError as fault:
        what, value = changes[0]
        more = " ..." if len(changes) > 1 else ""
        told = f"Session {session.info.name} goes by what was entered before, since {fault.message}"
        return FactUpdate(session, None, f"{told}; there: companion adjust '{what}' '{value}'{more} --why TEXT")


def _concerns(session: SessionController, key: str, value: str, new: bool) -> bool:
    """Whether the session goes by a fact otherwise, or by a new one of the map that it has not heard of."""
    game = session.game
    kind, _, name = key.partition(":")
    referee = game.new_referee(session.position, session.options)
    try:
        game.corrections.apply_fact(referee, kind, name, value)
    except CompanionError:
        return True  # it does not fit what the session has been told otherwise: it will say so
    of_map = new and game.map is not None and bool(game.map.spaces_of(key))
    return any(of_map or not isinstance(event, FlagSet) or event.was is not None for event in referee.events)

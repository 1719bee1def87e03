"""Play one session: run actions, take answers, correct. Each call is one committed transaction.

A call first works in memory: answers are read and checked, the procedure runs, forced and automatic replies follow. Its rows are
written only if all of that succeeds, and before the caller sees the next question. A call that raises changes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence

from companion.core import limits
from companion.core.errors import CompanionError, Illegal, Impossible, NoEligiblePiece, SessionMoved, Unreadable
from companion.core.events import FlagSet
from companion.core.game import Game
from companion.core.named_tuple import NamedTuple
from companion.core.position import Position
from companion.core.procedures import TRUSTED
from companion.core.request import AnyRequest
from companion.core.resolver import Answers
from companion.core.text import clean, matching_names, pick_name
from companion.session.advance import Advance, Result, advance, asked_part, begin_advance, repeated_answer
from companion.session.entry import SETUP, RunningEntry, retry_insisting
from companion.session.state import SessionLog, SessionState, fill_options, load_game, new_roll_mode, roll_mode, think_budget
from companion.session.store import Archive, Session

__all__ = ["Answers", "Result", "SessionController", "play_single_action"]


class SessionController(SessionState):
    """One session, open for playing. ``SessionState`` has what can be read."""

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
        seat: str = "",
    ) -> SessionController:
        """Begin a session: run the set-up as entry 1, and make it the last used session.

        Args:
            game_id, scenario: By unique prefix; the first scenario by default.
            options: Choices by option, each by unique prefix; defaults for the others.
            dice, draws: ``computer`` or ``physical``; ``trusted`` dice, then the draws are trusted too.
            seed: Any text; random by default.
            name: Unique in the archive; made from the game by default.
            anyway: Accept answers that the rules refuse.
            think: Rollouts per candidate for the opponent's decisions; "" for the game's default.
            seat: With trusted dice the seat that is played on this machine; by default the first that a player has.

        Raises:
            Unreadable: No such game, scenario, option or choice, the name is taken, or trusted dice have no second player.
        """
        session = cls._new_unsaved(archive, game_id, scenario, options or {}, seed, name, "")
        session._stage_settings(dice, draws, think, seat)
        batch = session.log.new_batch()
        batch.entry(1, SETUP, {})
        running = RunningEntry(session.game, session.options, Position(), 1, SETUP, 0, resolver=session.resolver())
        session.opening = advance(session, Advance(running, batch, Position(), 0), answers or Answers(), anyway)
        return session

    @classmethod
    def _new_unsaved(
        cls, archive: Archive, game_id: str, scenario: str, options: Mapping[str, str], seed: str, name: str, flags: str
    ) -> SessionController:
        from companion.session.plugins import resolve_game_id

        game = load_game(resolve_game_id(game_id))
        chosen = fill_options(game, scenario, options)
        name = limits.limit_length(clean(name), limits.NAME, "name")
        seed = limits.limit_length(clean(seed), limits.SEED, "seed") or random_seed()
        info = Session(0, name, game.id, chosen["scenario"], chosen, seed, flags=flags)
        return cls(SessionLog(archive, info, game.vocabulary.sets, last_used=not flags), game)

    def _stage_settings(self, dice: str, draws: str, think: str = "", seat: str = "") -> None:
        batch = self.log.new_batch()
        budget = {"think": think_budget(think)} if think else {}
        if new_roll_mode(dice) == TRUSTED:
            from companion.session.trusted import trusted_settings

            modes = trusted_settings(self.game, self.options, roll_mode(draws), seat)
        elif seat:
            raise Unreadable("--seat is for trusted dice", cure="Add --dice trusted, or leave --seat out")
        else:
            modes = {"dice": roll_mode(dice), "draws": roll_mode(draws)}
        batch.add("setting", 0, {**modes, **budget})
        self.log.stage(batch)

    # -- playing -----------------------------------------------------------------------------------------------

    def do(
        self, action_text: str, answers: Answers | None = None, anyway: bool = False, partial: bool = False, seat: str = ""
    ) -> Result:
        """Run an action as far as the answers go.

        Args:
            answers: Answers to its questions. All must be used, and all are kept or none, unless `partial` is set.
            anyway: Accept an action out of sequence and answers that the rules refuse.
            partial: If an answer is refused, keep those accepted before it; keep unused answers for later questions.
            seat: The seat whose part of a sealed question is answered; "" for the seats in turn.

        Raises:
            QuestionPending: A question is open.
            Unreadable: There is no such action, or an answer cannot be read or was not asked for.
            Illegal: Out of sequence, or against the rules.
            SessionMoved: Another process has played on.
        """
        self.require_no_question()
        names, hint = self.game.action_names(action_text), self.game.action_hint(action_text)
        by_title = "" if matching_names(action_text, names) else self.game.action_by_title(action_text, self.committed_position)
        action = by_title or pick_name(action_text, names, "action", cure=hint)
        position, number = self.committed_position, self.history.next_number
        index = self.history.random_index()

        def start(insist: bool) -> RunningEntry:
            return RunningEntry(self.game, self.options, position, number, action, index, insist, self.resolver())

        try:
            obstacle = self.game.obstacle_to(action, position)
            if obstacle:
                raise Illegal(obstacle.text, rule=obstacle.rule, cure=obstacle.cure)
            running = start(insist=False)
        except Illegal as fault:
            refusal = fault.refusal_of(answers.texts_for(fault.key)) if isinstance(fault, NoEligiblePiece) and answers else fault
            running = retry_insisting(refusal, lambda: start(insist=True))
            if not anyway:
                raise refusal from None
        batch = self.log.new_batch()
        batch.entry(number, action, {}, running.anyway)
        return advance(self, Advance(running, batch, position, 0), answers or Answers(), anyway, partial=partial, seat=seat)

    def first_question(self, action: str) -> AnyRequest | None:
        """Return the first question of an action if it were begun now; None if it is refused or asks nothing. Nothing is kept."""
        number, index, resolver = self.history.next_number, self.history.random_index(), self.resolver()
        resolver.uses_rollouts = False
        try:
            return RunningEntry(self.game, self.options, self.committed_position, number, action, index, False, resolver).request
        except CompanionError:
            return None

    def begin(self, action_text: str, anyway: bool = False) -> Result:
        """Begin an action and stop at its first question. See `do`."""
        return self.do(action_text, None, anyway)

    def answer(self, answers: Answers | None = None, anyway: bool = False, at: str = "", seat: str = "") -> Result:
        """Answer the open question, and further ones as far as the answers go. All are kept or none.

        Args:
            anyway: Accept answers that the rules refuse.
            at: The number of the question that is meant; "" for the open one. An answer committed before is only reported again.
            seat: The seat that answers its part of a sealed question; "" for the seats in turn.

        Raises:
            Illegal: The rules refuse an answer, or the seat has no part to answer.
            Unreadable: No question is open, or an answer cannot be read or was not asked for.
            SessionMoved: Another question is open than `at`, or another process has played on.
        """
        part, is_open = asked_part(self, at, seat)
        if not is_open:
            return repeated_answer(self, at, answers or Answers(), anyway, seat)
        try:
            step = begin_advance(self)
            return advance(self, step, answers or Answers(), anyway, question_shown=True, seat=part if at else seat)
        except SessionMoved:
            if not at:
                raise
            return self.answer(answers, anyway, at, seat)  # another process wrote first: perhaps the same answer, or only a note

    def reply(self, text: str, anyway: bool = False, waiting: Answers | None = None) -> Result:
        """Answer the open question with typed text; "" stands for a bare Enter.

        Args:
            anyway: Accept an answer that the rules refuse.
            waiting: Answers to give to the questions that follow.

        Raises:
            Unreadable: The text cannot be read.
            Illegal: The rules refuse it.
        """
        running = self.asking_entry()
        assert running.request is not None
        reply = self.resolver().parse_reply(running.request, text, running.next_roll, "typed", anyway)
        step = begin_advance(self)  # only now: a mistyped word costs no re-run
        step.entry.send(reply, anyway)
        return advance(self, step, waiting or Answers(), partial=True)

    def note(self, text: str) -> None:
        """Write a note beside the last entry.

        Raises:
            Unreadable: It is empty or too long.
        """
        note = limits.limit_length(clean(text), limits.NOTE, "note")
        if not note:
            raise Unreadable("the note is empty")
        batch = self.log.new_batch()
        batch.add("note", self.history.force[-1] if self.history.force else 0, {"text": note})
        self.log.commit(batch)

    def setting(self, dice: str = "", draws: str = "", think: str = "") -> None:
        """Change who rolls and draws by default, and how far an opponent thinks; "" leaves a setting as it is.

        Args:
            dice, draws: ``computer`` or ``physical``.
            think: Rollouts per candidate, or ``usual``.

        Raises:
            Unreadable: A value is none of these.
            Illegal: The dice are trusted, and stay so.
        """
        if self.is_trusted and (dice or draws):
            from companion.session.trusted import require_free_setting

            require_free_setting(self)
        body = {key: roll_mode(value) for key, value in (("dice", dice), ("draws", draws)) if value}
        body |= {"think": think_budget(think)} if think else {}
        if body:
            batch = self.log.new_batch()
            batch.add("setting", 0, body)
            self.log.commit(batch)

    def branch(self, name: str = "") -> Session:
        """Copy the session at its head; the copy becomes the last used one. Return it.

        The copy keeps all dice and draws of the log. Later ones follow from a new seed, so that trying something does not reveal
        the dice of the original. With trusted dice, Companion rolls and draws in the copy: no other seat has a share in it.
        """
        self.refresh()
        settings = {"dice": "computer", "draws": "computer"} if self.is_trusted else None
        return self.archive.branch(self.info, limits.limit_length(clean(name), limits.NAME, "name"), settings)

    def share(self, at: str, seat: str, nonce: str) -> Result:
        """Take the share of a seat for a trusted roll. See ``shares.share``."""
        from companion.session.shares import share

        return share(self, at, seat, nonce)

    def consent(self, seat: str, allow: bool) -> Result:
        """Allow or refuse a change across a trusted roll, for a seat that is asked. See ``corrections.allow_change``."""
        from companion.session import corrections

        return corrections.allow_change(self, seat, allow)

    # -- correcting --------------------------------------------------------------------------------------------

    def undo(self, count: int = 1) -> Result:
        """Take back the last entries, or the last amend if nothing was done since. The set-up stays."""
        from companion.session import corrections

        return corrections.apply_change(self, self.history.plan_undo(count))

    def undo_to(self, number: int) -> Result:
        """Take back every entry after that number."""
        from companion.session import corrections

        return corrections.apply_change(self, self.history.plan_undo_to(number))

    def undo_reply(self, seat: str = "") -> Result:
        """Take back the player's last answer, or the entry if it has none.

        Args:
            seat: At a sealed question, the seat that takes back its own part; "" for the last part that was given.
        """
        from companion.session import corrections

        return corrections.undo_reply(self, seat)

    def redo(self) -> Result:
        """Restore what the last undo took back."""
        from companion.session import corrections

        return corrections.apply_change(self, self.history.plan_redo())

    def abort(self) -> Result:
        """Take the open entry back."""
        from companion.session import corrections

        return corrections.abort(self)

    def amend(
        self, entry: int, reply_no: int, text: str, anyway: bool = False, also: Mapping[tuple[int, int], str] | None = None
    ) -> Result:
        """Change an old reply (counted from 1), and replay the later ones from there as far as they fit.

        Args:
            anyway: Accept an answer that the rules refuse.
            also: New answers to later replies, by entry and reply number.
        """
        from companion.session import corrections

        return corrections.amend(self, entry, reply_no, text, anyway, also or {})

    def adjust(self, changes: Sequence[tuple[str, str]], why: str, action: str = "adjust", anyway: bool = False) -> Result:
        """Set tracks, pieces and flags to what is on the table, as an entry or within the open one. See ``adjust.adjust``."""
        from companion.session.adjust import adjust

        return adjust(self, changes, why, action, anyway)


def random_seed() -> str:
    """Return an unpredictable seed."""
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
    """Run an action that needs no set-up (a described battle) in a session of its own.

    The session is named ``quick-1`` and so on, and does not become the last used one. Nothing is stored if the action fails.

    Raises:
        Illegal: The action needs a session.
        Unreadable: As ``SessionController.do``.
    """
    session = SessionController._new_unsaved(archive, game_id, "", options or {}, seed, "", "quick")
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
"""The reason that is logged where printed facts have been entered again."""


class FactUpdate(NamedTuple):
    """The update of a session by printed facts that were entered again: its result, or why it failed, with the cure."""

    session: SessionController
    result: Result | None
    fault: str = ""


def update_session(
    archive: Archive, game: Game, facts: Mapping[str, str], new: Collection[str] | None = None, session: str = ""
) -> FactUpdate | None:
    """Apply printed facts to a session that was begun with other values, as an entry; None if none of them concerns it.

    Args:
        facts: The values entered, by full key; withdrawn ones ("") are ignored.
        new: The keys not known before; None for all. The others are applied only if the session uses another value.
        session: By unique prefix; "" for the last used one.

    Raises:
        Unreadable: There is no such session.
    """
    last = archive.session(session) if session else archive.last()
    if last is None or last.game != game.id:
        return None
    return update_open_session(SessionController.open(archive, last), facts, new)


def update_open_session(
    session: SessionController, facts: Mapping[str, str], new: Collection[str] | None = None, anyway: bool = False
) -> FactUpdate | None:
    """Apply printed facts to a session that is open, as `update_session`. ``anyway``: also if they contradict others."""
    new = facts if new is None else new
    affected = [key for key, value in facts.items() if value and _is_affected(session, key, value, key in new)]
    changes = [(f"fact:{key}", facts[key]) for key in affected]
    if not changes:
        return None
    echoed = {session.game.fact_in_words(key, value) for key, value in facts.items()}
    try:
        result = session.adjust(changes, UPDATE_REASON, anyway=anyway)
        return FactUpdate(session, result._replace(notes=tuple(note for note in result.notes if note not in echoed)))
    except CompanionError as fault:
        what, value = changes[0]
        more = " ..." if len(changes) > 1 else ""
        insist = " --anyway" if isinstance(fault, Illegal) and not isinstance(fault, Impossible) else ""
        fault_text = f"Session {session.info.name} keeps what was entered before, since {fault.message}"
        return FactUpdate(session, None, f'{fault_text}; there: companion adjust "{what}" "{value}"{more} --why TEXT{insist}')


def _is_affected(session: SessionController, key: str, value: str, new: bool) -> bool:
    """True if a fact would change the session, or is a new fact of its map."""
    game = session.game
    kind, _, name = key.partition(":")
    referee = game.new_referee(session.position, session.options)
    try:
        game.corrections.apply_fact(referee, kind, name, value)
    except CompanionError:
        return True  # it contradicts other facts of the session: the adjustment reports that
    of_map = new and game.map is not None and bool(game.map.spaces_of(key))
    return any(of_map or not isinstance(event, FlagSet) or event.was is not None for event in referee.events)

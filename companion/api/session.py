"""One session: what can be done in it, what is asked, and what each call did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.api.maps import KnownMap, known_map
from companion.api.review import Exercise, Review, own_of, review_of
from companion.api.values import (
    Action,
    Advice,
    Answer,
    Done,
    Keyed,
    Question,
    advice_of,
    lines_of,
    question_of,
    text_of,
    to_answers,
)
from companion.core.errors import Unreadable
from companion.core.game import Score
from companion.core.position import Position
from companion.core.request import AnyRequest, Odds, complete_odds
from companion.core.resolver import Answers
from companion.core.text import clean, pick_name
from companion.session.advance import Result, recorded_entry
from companion.session.controller import SessionController
from companion.session.seats import Seat, acting_seat, asked_seat, seats_of


class Session:
    """One play of one game, from ``Archive.begin`` or ``Archive.session``.

    A call is committed when it returns; a call that raises changes nothing. Only after BadData for a failing disk may it have
    been kept: open the session again to see.

    >>> from companion.api import games, open_archive
    >>> session = open_archive(":memory:").begin(games()[2], seed=1)
    >>> before = session.position
    >>> done = session.do(session.legal[0].id, accept=True)
    >>> done.complete, session.undo().entry == done.entry, session.position == before
    (True, True, True)
    """

    def __init__(self, session: SessionController) -> None:
        self._controller = session
        self._opening = self._done(session.opening) if session.opening else None

    def __repr__(self) -> str:
        return f"<companion session {self.name!r} of {self.game}>"

    # -- looking -----------------------------------------------------------------------------------------------

    @property
    def opening(self) -> Done | None:
        """The result of the set-up; None if the session was not begun by this object."""
        return self._opening

    @property
    def name(self) -> str:
        """Its name in the archive and on the command line."""
        return self._controller.info.name

    @property
    def game(self) -> str:
        """The id of its game."""
        return self._controller.game.id

    @property
    def seed(self) -> str:
        """The seed of Companion's dice and draws."""
        return self._controller.info.seed

    @property
    def options(self) -> Mapping[str, str]:
        """Every option with its choice; the scenario under ``scenario``."""
        return dict(self._controller.options)

    @property
    def position(self) -> Position:
        """The table: ``tracks``, ``flags``, ``pieces``, ``track(id)``, ``flag(name)``, ``at(place)``. Immutable."""
        return self._controller.position

    @property
    def question(self) -> Question | None:
        """The open question, or None."""
        return self._question(self._controller.pending)

    def question_for(self, seat: str) -> Question | None:
        """The open question as a seat is asked it: of a sealed one its part, None if it has answered."""
        return self._question(self._controller.pending_for(seat))

    def visible(self, seat: str) -> Position:
        """The table as a seat sees it."""
        return self._controller.game.visible(self._controller.position, seat)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The sides that decide, in the order of the rulebook, with who plays them."""
        return seats_of(self._controller.game, self._controller.options)

    @property
    def actions(self) -> tuple[Action, ...]:
        """All actions of the game, each with why it cannot be begun now; ``legal`` are those that can."""
        asked, seat = self._controller.pending, acting_seat(self._controller)
        actions = []
        for action in self._controller.game.actions:
            obstacle = self._controller.game.obstacle_to(action.id, self._controller.position)
            why, cure = (obstacle.text, obstacle.cure) if obstacle else ("", "")
            why, cure = ("a question is open", "Answer it") if asked else (why, cure)
            actions.append(Action(action.id, action.title, action.rule, why, cure, seat))
        return tuple(actions)

    @property
    def legal(self) -> tuple[Action, ...]:
        """The actions that can be begun now. The rules may still refuse one when it is begun."""
        return tuple(action for action in self.actions if not action.why)

    @property
    def map(self) -> KnownMap | None:
        """The map as far as it is known, made at each use; None if the game has none."""
        session = self._controller
        return known_map(session.game, session.position, session.options, session.log.facts())

    @property
    def stage(self) -> str:
        """Turn and phase, in words."""
        return self._controller.game.banner(self._controller.position, self._controller.options).stage

    @property
    def over(self) -> str:
        """Why the game is over; "" while it goes on."""
        return self._controller.game.over(self._controller.position)

    @property
    def score(self) -> Score:
        """The score as if the game ended now."""
        return self._controller.game.score(self._controller.position, self._controller.options)

    def refresh(self) -> None:
        """Read what other programs have played in this session."""
        self._controller.refresh()

    # -- playing -----------------------------------------------------------------------------------------------

    def do(
        self,
        action: str,
        *plain: Answer,
        dice: Answer = "",
        draws: Sequence[str] = (),
        accept: bool = False,
        anyway: bool = False,
        answers: Keyed = (),
        **keyed: Answer,
    ) -> Done:
        """Begin an action, and answer its questions as far as the answers go.

        Args:
            action: By unique prefix.
            plain: Answers in the order of the questions.
            dice: Dice that you rolled, for the rolls in order; without them Companion rolls, or asks if you roll yourself.
            draws: What you drew, in order.
            accept: Accept what a question suggests.
            anyway: Accept what the rules refuse.
            answers: Answers by the key of their question, if a key is no Python name or occurs twice.
            keyed: Answers by the key of their question.

        Raises:
            QuestionPending: A question is open.
            Illegal: The rules refuse it.
            Unreadable: An answer cannot be read, or was not asked for.
            SessionMoved: Another program has played on; see ``refresh``.
        """
        return self._done(self._controller.do(action, to_answers(plain, dice, draws, accept, answers, keyed), anyway))

    def answer(
        self,
        *plain: Answer,
        at: str = "",
        dice: Answer = "",
        draws: Sequence[str] = (),
        accept: bool = False,
        anyway: bool = False,
        seat: str = "",
        answers: Keyed = (),
        **keyed: Answer,
    ) -> Done:
        """Answer the open question, and further ones as far as the answers go. See ``do``.

        Args:
            at: The ``at`` of the question that is meant: no other is answered. Sending an answer again is safe: nothing is done a
                second time.
            seat: The seat that answers its part of a sealed question; without it the seats answer in turn.

        Raises:
            SessionMoved: The question ``at`` is no longer open, and was answered otherwise.
            Illegal, Unreadable: As in ``do``, or no question is open.
        """
        given = to_answers(plain, dice, draws, accept, answers, keyed)
        return self._done(self._controller.answer(given, anyway, at, seat))

    def setting(self, dice: str = "", draws: str = "") -> None:
        """Set who rolls and draws from now on, ``computer`` or ``physical``; "" changes nothing.

        Raises:
            Unreadable: A value is neither.
        """
        self._controller.setting(dice, draws)

    def note(self, text: str) -> None:
        """Write a note beside the last entry; it appears in the report.

        Raises:
            Unreadable: It is empty.
        """
        self._controller.note(text)

    def branch(self, name: str = "") -> Session:
        """Return a copy of the session, to try something; its dice differ from here on."""
        return Session(SessionController.open(self._controller.archive, self._controller.branch(name)))

    # -- correcting --------------------------------------------------------------------------------------------

    def undo(self, count: int = 1) -> Done:
        """Take back the last entries.

        Raises:
            Impossible: There are not so many.
        """
        return self._done(self._controller.undo(count))

    def undo_to(self, entry: int) -> Done:
        """Take back every entry after that one.

        Raises:
            Impossible: It is not in force.
        """
        return self._done(self._controller.undo_to(entry))

    def undo_answer(self, seat: str = "") -> Done:
        """Take back the last answer of the player; at a sealed question that of a seat, which stays unseen.

        Raises:
            Impossible: There is none.
        """
        return self._done(self._controller.undo_reply(seat))

    def redo(self) -> Done:
        """Restore what the last undo took back.

        Raises:
            Impossible: Play has gone on since.
        """
        return self._done(self._controller.redo())

    def amend(self, at: str, answer: Answer) -> Done:
        """Change an old answer (``"12.3"``: the third of entry 12), and replay the later ones from there.

        Raises:
            Unreadable: There is no such answer, or the new one cannot be read.
            Illegal: The rules refuse it.
        """
        entry, dot, number = at.partition(".")
        if not (dot and entry.isdecimal() and number.isdecimal()):
            raise Unreadable(f"'{clean(at)}' is no answer of the log", cure="Give ACTION.ANSWER, such as 12.3")
        return self._done(self._controller.amend(int(entry), int(number), text_of(answer)))

    def adjust(self, changes: Mapping[str, Answer], why: str, anyway: bool = False) -> Done:
        """Set tracks, pieces and flags to what is on the table: ``{"fuel": 3, "Red": "ford"}``.

        Args:
            changes: What is set, and its value.
            why: The reason, for the log.
            anyway: Set what the rules of the game refuse, and tracks beyond their ends.

        Raises:
            Unreadable: A change cannot be read or cannot exist, or there is no reason.
            Illegal: The rules refuse it, it sets a track beyond its ends, or the open action cannot go on from such a table.
        """
        pairs = [(what, text_of(value)) for what, value in changes.items()]
        return self._done(self._controller.adjust(pairs, why, anyway=anyway))

    # -- asking ------------------------------------------------------------------------------------------------

    def odds(self, situation: str = "", *plain: Answer, answers: Keyed = (), **keyed: Answer) -> Odds:
        """Return exact odds: at the open question, or of a situation on this table.

        Raises:
            Illegal: The question has none.
            QuestionPending: Something must be known first; add it by its key.
            Unreadable: No question is open, there is no such situation, or an answer cannot be read.
        """
        if not situation:
            return complete_odds(self._controller.odds())
        from companion.session.inquiry import Inquiry, situation_odds

        given = to_answers(plain, "", (), True, answers, keyed)
        inquiry = Inquiry(self._controller.game, self._controller.archive, given, session=self._controller)
        return complete_odds(situation_odds(inquiry, situation))

    def advice(self) -> Advice:
        """Return the advice of the game's opponent or adviser, in words and as data that can be carried out.

        Raises:
            Unreadable: The game has none.
        """
        from companion.session.inquiry import Inquiry, advice

        advised = advice(
            self._controller,
            Inquiry(self._controller.game, self._controller.archive, Answers(accept=True), session=self._controller),
        )
        return advice_of(self._controller.game, advised, self._controller.position.pieces)

    def review(self, level: str = "normal", *, first: int = 0, last: int = 0, seat: str = "", jobs: int = 1) -> Review:
        """Return what each decision cost, what the dice did, and how both add up to the result.

        It takes seconds for a turn of a short game, and minutes for one of a long game. What was computed is kept in the archive
        beside the log, where the same call and ``companion review`` find it again; nothing of the session changes.

        Args:
            level: ``quick``, ``normal`` or ``deep``: in how many sampled worlds.
            first: The first turn; 0 for the beginning.
            last: The last one; 0 for the end.
            seat: Compare only the decisions of this seat.
            jobs: Processes.

        Raises:
            Unreadable: There is no such level or seat, or there are too many jobs.
            Impossible: Nothing was played, or nothing in these turns.
        """
        from companion.session.review import session_review
        from companion.session.worker_pool import MAX_JOBS

        if not 1 <= jobs <= MAX_JOBS:
            raise Unreadable(f"{jobs} jobs cannot run", cure=f"Give 1 to {MAX_JOBS}")
        found = session_review(self._controller, level, first=first, last=last, seat=seat, jobs=jobs)
        return review_of(self._controller, found, first, last)

    def exercises(self) -> tuple[Exercise, ...]:
        """Return the mistakes that reviews of this session have found, as decisions to be made again."""
        return tuple(own_of(self._controller))

    def report(self, form: str = "md", first: int = 0, last: int = 0, *, brief: bool = False, full: bool = False) -> str:
        """Return the session as a document.

        Args:
            form: ``md``, ``html`` (one page with pictures) or ``bbcode``.
            first: The first turn or operation; 0 for the beginning.
            last: The last one; 0 for the end.
            brief: The story alone.
            full: Every sentence and each reason.

        Raises:
            Unreadable: There is no such form, nothing has been played, or there are no such turns.
        """
        from companion.views.report.render import TEXTS, session_report
        from companion.views.report.render import report_text as written
        from companion.views.report.report import Extent

        return written(
            self._controller, session_report(self._controller, Extent(first, last, brief, full)), pick_name(form, TEXTS, "form")
        )

    def _question(self, request: AnyRequest | None) -> Question | None:
        session = self._controller
        return question_of(request, session.question_number, asked_seat(session, request)) if request else None

    def _done(self, result: Result) -> Done:
        session = self._controller
        return Done(
            recorded_entry(session, result),
            result.done,
            lines_of(session.game, result.events, result.before.pieces),
            self._question(result.pending),
            session.game.over(result.after),
            result.fix,
            result.notes,
            result.settled,
            result.repeated,
        )

"""One session: what can be done in it, what is asked, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.api.values import Action, Answer, Done, Line, ProgramAnswer, Question, faces_of, lines_of, question_of, text_of
from companion.core.errors import Unreadable
from companion.core.game import Score
from companion.core.position import Position
from companion.core.request import Odds
from companion.core.resolver import Answers
from companion.core.text import clean, pick_name
from companion.core.values import JsonObject
from companion.session.advance import Result
from companion.session.controller import SessionController

Keyed = Mapping[str, Answer] | Iterable[tuple[str, Answer]]
"""Answers by the key of their question; in pairs where a key comes twice."""


class Session:
    """One play of one game, as ``Archive.begin`` or ``Archive.session`` gives it. What a call has done is on the disk when it
    returns; a call that raises has done nothing.

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
        """What the set-up did; None of a session that was not begun here."""
        return self._opening

    @property
    def name(self) -> str:
        """Its name, by which ``Archive.session`` and the command line know it."""
        return self._controller.info.name

    @property
    def game(self) -> str:
        """The id of its game."""
        return self._controller.game.id

    @property
    def seed(self) -> str:
        """What the dice and draws of Companion follow from."""
        return self._controller.info.seed

    @property
    def options(self) -> Mapping[str, str]:
        """Every option with its choice, the scenario under ``scenario``."""
        return dict(self._controller.options)

    @property
    def position(self) -> Position:
        """What lies on the table: ``tracks``, ``flags``, ``pieces``, ``track(id)``, ``flag(name)``, ``at(place)``; it never
        changes, the next one is another value.
        """
        return self._controller.position

    @property
    def question(self) -> Question | None:
        """The question that is open, or None."""
        request = self._controller.pending
        return question_of(request, self._controller.question_number) if request else None

    @property
    def actions(self) -> tuple[Action, ...]:
        """Everything that the game lets do, each with what stands against it now; ``legal`` are those with nothing."""
        asked = self._controller.pending
        found = []
        for action in self._controller.game.actions:
            obstacle = self._controller.game.obstacle_to(action.id, self._controller.position)
            why, cure = (obstacle.text, obstacle.cure) if obstacle else ("", "")
            why, cure = ("a question is open", "Answer it") if asked else (why, cure)
            found.append(Action(action.id, action.title, action.rule, why, cure))
        return tuple(found)

    @property
    def legal(self) -> tuple[Action, ...]:
        """The actions that can be begun now. The rules may still refuse one as it is begun."""
        return tuple(action for action in self.actions if not action.why)

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
        """The count of victory as if the game ended now."""
        return self._controller.game.score(self._controller.position, self._controller.options)

    def refresh(self) -> None:
        """Take in what others have played in this session meanwhile."""
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
        """Begins an action, and goes on as far as the answers go.

        Args:
            action: by unique prefix.
            plain: answers in the order of the questions.
            dice: what you rolled, for the rolls as they come; without them Companion rolls, or asks where you roll by hand.
            draws: what you drew, in order.
            accept: take what a question suggests.
            anyway: insist where the rules refuse.
            answers, keyed: answers by the key of their question; ``answers`` where a key is no name in Python, or comes twice.

        Raises:
            QuestionPending: a question is open already.
            Illegal: the rules refuse it.
            Unreadable: something means nothing, or was not asked for.
            SessionMoved: somebody else has played on; see ``refresh``.
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
        answers: Keyed = (),
        **keyed: Answer,
    ) -> Done:
        """Goes on with the open question as far as the answers go. See ``do``.

        Args:
            at: the ``at`` of the question that is meant: no other is answered, and an answer that it has had already does nothing
                a second time.

        Raises:
            SessionMoved: the question ``at`` is not open any more, and has been answered otherwise.
            Illegal, Unreadable: as in ``do``, or no question is open.
        """
        given = to_answers(plain, dice, draws, accept, answers, keyed)
        return self._done(self._controller.answer(given, anyway, at))

    def setting(self, dice: str = "", draws: str = "") -> None:
        """Who rolls and who draws from now on, ``computer`` or ``physical``; what is empty stays. Raises Unreadable."""
        self._controller.setting(dice, draws)

    def note(self, text: str) -> None:
        """Writes something down beside the last entry; it stands in the report. Raises Unreadable: it is empty."""
        self._controller.note(text)

    def branch(self, name: str = "") -> Session:
        """A copy of the session as it is, to try something; its dice from here on are others."""
        return Session(SessionController.open(self._controller.archive, self._controller.branch(name)))

    # -- correcting --------------------------------------------------------------------------------------------

    def undo(self, count: int = 1) -> Done:
        """Takes the last entries back. Raises Impossible: there are not as many."""
        return self._done(self._controller.undo(count))

    def undo_to(self, entry: int) -> Done:
        """Takes back every entry after that one. Raises Impossible: it is not in force."""
        return self._done(self._controller.undo_to(entry))

    def undo_answer(self) -> Done:
        """Takes back the last answer that was given by hand. Raises Impossible: there is none."""
        return self._done(self._controller.undo_reply())

    def redo(self) -> Done:
        """Brings back what the last undo took. Raises Impossible: play has gone on since."""
        return self._done(self._controller.redo())

    def amend(self, at: str, answer: Answer) -> Done:
        """Changes an old answer (``"12.3"``: the third of entry 12) and plays on from there with the later ones.

        Raises:
            Unreadable: there is no such answer, or it means nothing there.
            Illegal: the rules do not let it stand.
        """
        entry, dot, number = at.partition(".")
        if not (dot and entry.isdecimal() and number.isdecimal()):
            raise Unreadable(f"'{clean(at)}' is no answer of the log", cure="Give ACTION.ANSWER, such as 12.3")
        return self._done(self._controller.amend(int(entry), int(number), text_of(answer)))

    def adjust(self, changes: Mapping[str, Answer], why: str) -> Done:
        """Sets tracks, pieces and flags to what lies on the table: ``{"fuel": 3, "Red": "ford"}``.

        Raises:
            Unreadable: something means nothing, cannot be, or there is no reason.
            Illegal: the open question does not go on from such a table.
        """
        return self._done(self._controller.adjust([(what, text_of(value)) for what, value in changes.items()], why))

    # -- asking ------------------------------------------------------------------------------------------------

    def odds(self, situation: str = "", *plain: Answer, answers: Keyed = (), **keyed: Answer) -> Odds:
        """Exact chances: those that the open question offers, or of a situation of the game on this table.

        Raises:
            Illegal: the question offers none.
            QuestionPending: something must be known first; add it by its key.
            Unreadable: no question is open, there is no such situation, or an answer means nothing.
        """
        if not situation:
            return self._controller.odds()
        from companion.session.inquiry import Inquiry, situation_odds

        given = to_answers(plain, "", (), True, answers, keyed)
        return situation_odds(
            Inquiry(self._controller.game, self._controller.archive, given, session=self._controller), situation
        )

    def advice(self) -> tuple[Line, ...]:
        """What the opponent or the adviser of the game would do now. Raises Unreadable: the game has none."""
        from companion.session.inquiry import Inquiry, advice

        events = advice(
            self._controller,
            Inquiry(self._controller.game, self._controller.archive, Answers(accept=True), session=self._controller),
        )
        return lines_of(self._controller.game, events, self._controller.position.pieces)

    def report(self, form: str = "md", first: int = 0, last: int = 0, *, brief: bool = False, full: bool = False) -> str:
        """The whole session as a document.

        Args:
            form: ``md``, ``html`` (one page with its pictures) or ``bbcode``.
            first, last: turns or operations; 0: from the beginning, to the end.
            brief: the story alone; ``full``: every sentence and each reason.

        Raises:
            Unreadable: there is no such form, nothing has been played, or there are no such turns.
        """
        from companion.views.report.render import TEXTS, session_report
        from companion.views.report.render import report_text as written
        from companion.views.report.report import Extent

        return written(
            self._controller, session_report(self._controller, Extent(first, last, brief, full)), pick_name(form, TEXTS, "form")
        )

    def _done(self, result: Result) -> Done:
        session = self._controller
        return Done(
            result.entry,
            result.done,
            lines_of(session.game, result.events, result.before.pieces),
            question_of(result.pending, session.question_number) if result.pending else None,
            session.game.over(result.after),
            result.fix,
            result.notes,
            result.settled,
            result.repeated,
        )


def to_answers(
    plain: Sequence[Answer], dice: Answer, draws: Sequence[str], accept: bool, answers: Keyed, keyed: JsonObject
) -> Answers:
    """Everything that a call brings to answer with."""
    pairs = [*(answers.items() if isinstance(answers, Mapping) else answers), *keyed.items()]
    return Answers(
        [(key, ProgramAnswer.of(value)) for key, value in pairs],
        faces_of(dice),
        [draws] if isinstance(draws, str) else list(draws),
        [ProgramAnswer.of(one) for one in plain],
        accept,
    )

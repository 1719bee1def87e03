"""A session as it stands: its history, the position that follows from it, and the question that is open.

What is worked out from the history is worked out when somebody asks, so that a quick command pays for no more than it shows.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from companion.core.errors import BadData, Illegal, QuestionPending, SessionMoved, Unreadable
from companion.core.events import Event
from companion.core.game import Game
from companion.core.history import History, Note, Reply, Row
from companion.core.position import Position
from companion.core.requests import Odds, Request
from companion.core.words import one_of
from companion.games import make_game
from companion.session import tables
from companion.session.answers import Clerk
from companion.session.store import Archive, Session, now
from companion.session.underway import Draft, Underway, again

HOWS = ("computer", "physical")


class Step(NamedTuple):
    """What one call did.

    Attributes:
        before, after: the working positions, with the open entry as far as it is.
        events: what came about since the previous question.
        pending: the question that is open now.
        entry: the entry that the call was about.
        done: whether that entry is complete.
        fix: what to put right on the table, after anything that takes back, brings back or corrects.
        notes: what else the player should know.
    """

    before: Position
    after: Position
    events: tuple[Event, ...]
    pending: Request[Any] | None
    entry: int
    done: bool
    fix: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def how(text: str) -> str:
    """``computer`` or ``physical``, by unique prefix.

    Raises:
        Unreadable: it is neither.
    """
    return one_of(text, HOWS, "way to roll or draw")


def load_game(game_id: str) -> Game:
    """A game by its id, over its tables.

    Raises:
        BadData: its tables are at fault.
    """
    return make_game(game_id, tables.load(game_id))


class Standing:
    """A session as it stands.

    Attributes:
        archive: where it is stored.
        info: its name, game, seed and options as stored.
        game: its game.
        history: the fold of its log.
        options: the scenario under ``scenario``, and every option.
        opening: what the set-up did, on a desk that has just been created.
    """

    def __init__(self, archive: Archive, info: Session, game: Game, history: History) -> None:
        self.archive = archive
        self.info = info
        self.game = game
        self.history = history
        defaults = {key: option.default for key, option in game.options.items()}
        self.options: dict[str, str] = {**defaults, "scenario": info.scenario, **info.options}
        self.opening: Step | None = None
        self._live: Underway | None = None
        self._base: Position | None = None
        self._broken: str | None = None
        self._staged: list[Row] = []
        self._use = True

    @classmethod
    def open(cls, archive: Archive, session: Session | str = "") -> Self:
        """Opens a stored session, given itself or by name; without a name the last used.

        Raises:
            Unreadable: there is none of that name.
            BadData: its game, its tables or its log cannot be read.
        """
        info = archive.session(session) if isinstance(session, str) else session
        return cls(archive, info, load_game(info.game), History(archive.rows(info.id)))

    # -- looking -----------------------------------------------------------------------------------------------

    @property
    def base(self) -> Position:
        """The position after all complete entries in force."""
        if self._base is None:
            self._base = self.history.position()
        return self._base

    @property
    def broken(self) -> str:
        """Why the open entry cannot go on, or "". Then only taking it back helps."""
        self._under()
        return self._broken or ""

    @property
    def position(self) -> Position:
        """The working position: all complete entries, and the open one as far as it is."""
        under = self._under()
        return under.position if under else self.base

    @property
    def pending(self) -> Request[Any] | None:
        """The question that is open, or None."""
        under = self._under()
        return under.request if under else None

    @property
    def pending_entry(self) -> int:
        """The number of the open entry, or 0."""
        entry = self.history.open_entry
        return entry.number if entry else 0

    @property
    def settings(self) -> dict[str, str]:
        """``dice`` and ``draws``: who rolls and draws by default."""
        return {"dice": "computer", "draws": "computer", **self.history.settings}

    def events_of(self, number: int) -> tuple[Event, ...]:
        """The events of an entry; those of the open one as far as it is."""
        entry = self.history.find(number)
        if entry.events is not None:
            return entry.events
        under = self._under() if number == self.pending_entry else None
        return tuple(under.referee.events) if under else ()

    def notes_of(self, number: int) -> list[Note]:
        """What the player wrote down while that entry was the last."""
        return [note for note in self.history.notes if note.entry == number]

    def samples(self) -> list[Reply]:
        """The replies in force that rest on a sample of ours instead of the owner's set."""
        return [reply for entry in self.history.in_force for reply in entry.replies if reply.source == "sample"]

    def odds(self) -> Odds:
        """The exact odds that the open question offers.

        Raises:
            Unreadable: no question is open.
            Illegal: it offers none.
        """
        request = self.pending
        if request is None:
            raise Unreadable("no question is open", cure="Ask for a situation: companion odds GAME SITUATION")
        if request.odds is None:
            raise Illegal(f"there are no odds for '{request.key}'", rule=request.rule)
        return request.odds()

    def clerk(self) -> Clerk:
        """Who answers without asking, for this session as it is now."""
        return Clerk(self.game, lambda: self.archive.printed(self.game.id), self.settings, self.info.seed)

    def refresh(self) -> None:
        """Read what others have written to this session meanwhile."""
        for row in self.archive.rows(self.info.id, self.history.seq):
            self.history.add(row)
        self._forget()

    # -- inside --------------------------------------------------------------------------------------------------

    def _under(self) -> Underway | None:
        """The open entry, re-run from its replies when it is first needed; None without one, or if it is broken."""
        entry = self.history.open_entry
        if entry is None or self._broken:
            return None
        if self._live is None:
            try:
                self._live = again(self.game, self.options, self.base, entry, self.history.random_index(entry.number))
            except BadData as fault:
                self._broken = str(fault)
        return self._live

    def _take_up(self) -> Underway:
        """The open entry, to be carried on. Until that is committed it counts as not re-run."""
        under = self._under()
        if self._broken:
            raise BadData(self._broken)
        if under is None:
            raise Unreadable("no question is open", cure="See what can be done: companion status")
        self._live = None
        return under

    def _nothing_open(self) -> None:
        if self.history.open_entry is None:
            return
        request = self.pending
        if self._broken or request is None:
            raise BadData(self._broken or "the open entry has no question")
        raise QuestionPending(
            f"a question is open: {request.prompt}",
            rule=request.rule,
            cure="Answer it: companion answer; or take the entry back: companion undo",
        )

    def _forget(self) -> None:
        """What was worked out from the history has changed."""
        self._live = self._base = self._broken = None

    def _draft(self) -> Draft:
        return Draft(self.history.seq, now())

    def _stage(self, draft: Draft) -> None:
        """Rows of a session that is not stored yet: they are written with its first commit."""
        self._staged += draft.rows
        for row in draft.rows:
            self.history.add(row)

    def _stage_settings(self, dice: str, draws: str) -> None:
        draft = self._draft()
        draft.add("setting", 0, {"dice": how(dice), "draws": how(draws)})
        self._stage(draft)

    def _commit(self, draft: Draft) -> None:
        """Writes a draft, and takes it into the history. The first one of a new session stores that too."""
        try:
            if self.info.id:
                self.archive.append(self.info.id, self.history.seq, draft.rows, draft.facts)
            else:
                self.info = self.archive.create(self.info, [*self._staged, *draft.rows], draft.facts, self._use)
        except SessionMoved:
            self.refresh()
            raise
        for row in draft.rows:
            self.history.add(row)

"""The state of a session: its history, the position that follows from it, and the open question.

Values derived from the history are computed when first read, so that a quick command pays only for what it shows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from companion.core.errors import BadData, CompanionError, Illegal, QuestionPending, SessionMoved, Unreadable
from companion.core.events import Event, Said, encode
from companion.core.game import Game
from companion.core.hints import TYPE_CHECKING, Any, Literal, Self
from companion.core.history import ADJUSTED, ROW_SCHEMAS, Change, Entry, History, LogRow, Reply, RowKind
from companion.core.position import Position
from companion.core.procedures import TRUSTED, InferFact, Progress
from companion.core.sealed import SEALED, unsealed
from companion.core.text import clean, pick_name
from companion.core.values import JsonDict, JsonObject
from companion.games import GAMES, make_game
from companion.session import tables
from companion.session.database import is_practice_path
from companion.session.store import Archive, Session, utc_now

if TYPE_CHECKING:
    from companion.core.match import AdvisedMove
    from companion.core.request import AnyRequest, Odds
    from companion.core.resolver import ReplyResolver
    from companion.core.trusted import TrustStep
    from companion.session.advance import Result
    from companion.session.entry import RunningEntry

RollMode = Literal["computer", "physical", "trusted"]
ROLL_MODES: tuple[RollMode, ...] = ("computer", "physical")
"""Who rolls or draws by default. Trusted dice are chosen when a session is begun, and stay."""

USUAL = "usual"
MAX_PLAYOUTS = 100_000


def roll_mode(text: str) -> str:
    """Return one of `ROLL_MODES` by unique prefix; raise Unreadable if it is none."""
    return pick_name(text, ROLL_MODES, "way to roll or draw")


def new_roll_mode(text: str) -> str:
    """Return the way to roll of a new session by unique prefix; raise Unreadable if it is none."""
    return pick_name(text, (*ROLL_MODES, TRUSTED), "way to roll")


def think_budget(text: str) -> str:
    """Return a number of playouts per candidate, or ``usual`` for the game's default; raise Unreadable if it is neither."""
    word = text.strip().casefold()
    if word == USUAL or (word.isdecimal() and word.isascii() and int(word) <= MAX_PLAYOUTS):
        return word
    cure = f"0 to {MAX_PLAYOUTS} (0: by its priorities alone), or {USUAL}"
    raise Unreadable(f"'{clean(text)}' is not a number of playouts", cure=cure)


LOADED_GAMES: dict[str, Game] = {}
"""The games that this process has loaded, by id; the last one of each."""


def load_game(game_id: str) -> Game:
    """Return a game with its tables.

    Raises:
        BadData: The tables or the plug-in have faults.
        Unreadable: The game is not installed.
    """
    if game_id in GAMES:
        game = make_game(game_id, tables.load(game_id))
    else:
        from companion.session import plugins

        game = plugins.load_plugin(game_id)
    LOADED_GAMES[game_id] = game
    return game


def resolve_ids(given: Mapping[str, str], ids: Sequence[str], what: str) -> dict[str, str]:
    """Replace the keys of a mapping, given by unique prefix, with the ids they stand for.

    Raises:
        Unreadable: There is no such id, or it is given twice.
    """
    resolved: dict[str, str] = {}
    for key, value in given.items():
        resolved_id = pick_name(key, ids, what)
        if resolved_id in resolved:
            raise Unreadable(f"the {what} '{resolved_id}' is given twice", cure="Give it once")
        resolved[resolved_id] = value
    return resolved


def fill_options(game: Game, scenario: str, given: Mapping[str, str]) -> dict[str, str]:
    """Return every option of a game with its choice; the scenario under ``scenario``.

    Args:
        scenario: By unique prefix; the first by default.
        given: Choices by option, each by unique prefix; defaults for the others.

    Raises:
        Unreadable: No such scenario, option or choice, or an option is given twice.
    """
    filled = game.default_options(scenario and pick_name(scenario, list(game.scenarios), "scenario"))
    for key, value in resolve_ids(given, list(game.options), "option").items():
        option = game.options[key]
        what = f"choice for '{option.id}'"
        is_listed = value in option.unlisted or not option.choices
        filled[option.id] = clean(value)[:200] if is_listed else pick_name(value, option.choices, what)
    return filled


def human_seats(game: Game, options: Mapping[str, str]) -> list[str]:
    """Return the seats that players have, in the order of the game."""
    return [seat for seat in game.players.seats if not game.players.is_computer(seat, options)]


class SessionState:
    """The state of a session, to be read.

    Attributes:
        options: Every option with its choice; the scenario under ``scenario``.
        opening: The result of the set-up, if the session was created by this object.
        watch: Called with the progress of long computations.
        jobs: Returns the number of cores that an opponent and the adviser think on.
        seat: The seat that plays through this object; "" for the one at the host.
    """

    def __init__(self, log: SessionLog, game: Game) -> None:
        self.log = log
        self.game = game
        self.options: dict[str, str] = {**game.default_options(log.info.scenario), **log.info.options}
        self.opening: Result | None = None
        self.seat = ""
        self._host_seat = ""
        self.watch: Callable[[Progress], None] = lambda progress: None
        self.jobs: Callable[[], int] = lambda: 1
        self._running: RunningEntry | None = None
        self._committed: Position | None = None
        self._broken = ""
        self._cached_seq = -1

    @classmethod
    def open(cls, archive: Archive, session: Session | str = "") -> Self:
        """Open a stored session, given itself or by name; the last used one by default.

        Raises:
            Unreadable: There is no session of that name.
            BadData: Its game, tables or log cannot be read.
        """
        info = archive.session(session) if isinstance(session, str) else session
        try:
            game = load_game(info.game)
        except Unreadable:
            what = f"session '{info.name}' is of the game '{clean(info.game)}', which is not installed"
            raise BadData(what, cure="Install that game again: the session is kept. The others: companion sessions") from None
        return cls(SessionLog(archive, info, game.vocabulary.sets), game)

    @property
    def archive(self) -> Archive:
        return self.log.archive

    @property
    def info(self) -> Session:
        return self.log.info

    @property
    def history(self) -> History:
        return self.log.history

    @property
    def committed_position(self) -> Position:
        """The position after all complete entries in force."""
        self._check_cache()
        if self._committed is None:
            self._committed = self.history.position()
        return self._committed

    @property
    def broken(self) -> str:
        """Why the open entry cannot go on, or ""; then it can only be taken back."""
        self.running_entry()
        return self._broken

    @property
    def position(self) -> Position:
        """The working position: all complete entries, and the open one as far as it has come."""
        running = self.running_entry()
        return running.position if running else self.committed_position

    @property
    def pending(self) -> AnyRequest | None:
        """The open question, or None."""
        running = self.running_entry()
        request = running.request if running else None
        if request is not None and request.chance_setting and self.is_trusted:
            request.waits_for = self._missing_shares(request)
        return request

    def pending_for(self, seat: str) -> AnyRequest | None:
        """The open question as a seat is asked it: of a sealed one its part, None if it has answered or is not asked."""
        running = self.running_entry()
        return running.request_for(seat) if running else None

    @property
    def question_number(self) -> str:
        """The number of the open question, ENTRY.REPLY; "" without one."""
        entry = self.history.open_entry
        return f"{entry.number}.{len(entry.replies) + 1}" if entry else ""

    @property
    def pending_entry(self) -> int:
        """The number of the open entry, or 0."""
        return self.history.open_entry.number if self.history.open_entry else 0

    @property
    def settings(self) -> dict[str, str]:
        """Who rolls and draws by default, and how far an opponent thinks."""
        return {"dice": "computer", "draws": "computer", "think": USUAL, **self.history.settings}

    @property
    def is_trusted(self) -> bool:
        """True if rolls and draws follow from the nonces of all seats."""
        return self.history.settings.get("dice") == TRUSTED

    @property
    def host_seat(self) -> str:
        """With trusted dice the seat that is played with this archive; "" without them."""
        settings = self.history.settings
        if not self._host_seat and self.is_trusted:
            self._host_seat = self.archive.own_seat(settings["uid"]) or settings.get("host", "")
        return self._host_seat

    @property
    def waits_for(self) -> tuple[str, ...]:
        """The seats whose share or reveal the open roll or draw waits for; none if the dice are not trusted."""
        request = self.pending if self.is_trusted else None
        return request.waits_for if request else ()

    def _missing_shares(self, request: AnyRequest) -> tuple[str, ...]:
        if not self.resolver().is_trusted(request):
            return ()
        return self.history.trust.waits_for(self.question_number, human_seats(self.game, self.options), self.host_seat)

    def events_of(self, number: int) -> Sequence[Event]:
        """Return the events of an entry; of the open one, as far as it has come."""
        entry = self.history.find(number)
        if entry.events is not None:
            return entry.events
        running = self.running_entry() if number == self.pending_entry else None
        return tuple(running.referee.events) if running else ()

    def events_in(self, numbers: Iterable[int]) -> list[Event]:
        """Return the events of several entries, in the order of the log."""
        return [event for number in sorted(set(numbers)) for event in self.events_of(number)]

    def samples(self) -> list[Reply]:
        """Return the replies in force that use a sample value in place of the player's own set; none in practice."""
        if is_practice_path(self.archive.path):
            return []
        return [reply for entry in self.history.in_force for reply in entry.replies if reply.source == "sample"]

    def sample_keys(self) -> set[str]:
        """Return the keys of the printed facts of which sample values are in use, and the kinds of which nothing is known."""
        if is_practice_path(self.archive.path):
            return set()
        facts = self.log.facts()
        known = {key.partition(":")[0] for key in facts}
        unknown = {fact.id for fact in self.game.facts if not fact.all_keys() and fact.id not in known}
        return {reply.key for reply in self.samples()} | unknown

    def odds(self) -> Odds:
        """Return the exact odds at the open question.

        Raises:
            Unreadable: No question is open.
            Illegal: The question has no odds.
        """
        request = self.pending
        if request is None:
            raise Unreadable("no question is open", cure="Ask for a situation: companion odds GAME SITUATION")
        if request.odds is None:
            raise Illegal("no odds here: nothing is chosen at this question", rule=request.rule, cure="Ask where you choose")
        return request.odds()

    def counsel(self, think: str = "") -> Said | None:
        """Return the advice of `advised` in words."""
        move = self.advised(think)
        return move.said if move else None

    def advised(self, think: str = "") -> AdvisedMove | None:
        """Return the advice for the open question or the next action, with what to type; None if the game has no adviser.

        Args:
            think: Rollouts per candidate; "" for the session's setting.

        Raises:
            Unreadable: It is not a number.
        """
        from companion.core.match import AdvisedMove, DecisionPoint, recommend_for
        from companion.core.rollouts import LEVELS, NORMAL
        from companion.session.thinking import limited, on_cores

        resolver = self.resolver(think_budget(think) if think else "")
        running = self.running_entry() if self.history.open_entry is not None else None
        if not running and self.game.over(self.committed_position):
            story = [entry.events or () for entry in self.history.in_force]
            if said := self.game.players.review(story, self.options, resolver.chosen_playouts(), self.watch):
                return AdvisedMove(said)
        label = f"{self.info.seed}/{self.history.next_number}/{len(running.replies) if running else 0}"
        if running:
            request = self.pending
            point, referee = running.decision_point(request), running.referee
        else:
            point = DecisionPoint(self.game, self.options, resolver.known_facts(), self.committed_position)
            referee, request = self.game.new_referee(self.committed_position, self.options), None
        chosen = resolver.chosen_playouts()
        with limited(self.watch, LEVELS[NORMAL].seconds if chosen is None else None) as watch:
            return recommend_for(point, referee, request, chosen, label, watch, on_cores(self.jobs()))

    def game_result(self, position: Position) -> JsonDict:
        """Return reason, turn and score of a finished game, as stored in the log; empty while the game goes on."""
        over = self.game.over(position)
        if not over:
            return {}
        about = {"over": over, "turn": self.game.players.turn(position)}
        try:
            score = self.game.score(position, self.options)
        except CompanionError:  # no chart has a row for what an adjustment put on the table; play goes on
            return about
        return {**about, "total": score.total, "verdict": score.verdict}

    def resolver(self, think: str = "") -> ReplyResolver:
        """Return a resolver with the session's settings; `think` overrides the one for rollouts."""
        from companion.core.resolver import ReplyResolver

        settings = {**self.settings, "think": think} if think else self.settings
        resolver = ReplyResolver(self.game, self.log.facts, settings, self.info.seed, self.watch)
        resolver.jobs = self.jobs
        return resolver

    def refresh(self) -> None:
        """Read the rows that other processes have written."""
        self.log.refresh()

    def reload(self) -> None:
        """Read the whole session again, after a call on it was interrupted at any place."""
        self.log.reload()
        self.invalidate()

    # -- the open entry ------------------------------------------------------------------------------------------

    def running_entry(self) -> RunningEntry | None:
        """Return the open entry, re-run from its replies when first needed; None without one or if it is broken.

        For reading only: use `take_running_entry` to advance it.
        """
        self._check_cache()
        entry = self.history.open_entry
        if entry is None or self._broken:
            return None
        if self._running is None:
            from companion.session.entry import resume_entry

            index = self.history.random_index(entry.number)
            try:
                self._running = resume_entry(self.game, self.options, self.committed_position, entry, index, self.resolver())
            except BadData as fault:
                self._broken = str(fault)
        return self._running

    def asking_entry(self) -> RunningEntry:
        """Return the open entry, which has a question.

        Raises:
            Unreadable: No entry is open.
            BadData: The open entry is broken.
        """
        running = self.running_entry()
        if self._broken:
            raise BadData(self._broken)
        if running is None:
            raise Unreadable("no question is open", cure="See what can be done: companion status")
        return running

    def take_running_entry(self) -> RunningEntry:
        """Return `asking_entry` for the caller to advance. Unless it is handed back, it is re-run from the log when next read."""
        running = self.asking_entry()
        running.resolver = self.resolver()
        self._running = None
        return running

    def return_running_entry(self, running: RunningEntry, is_look: bool = False) -> None:
        """Take over an entry whose rows are committed; one that only looked at the table (`is_look`) is out of force again."""
        self._committed = running.position if running.request is None and not is_look else running.start
        self._running = running if running.request else None
        self._broken, self._cached_seq = "", self.history.seq

    def require_no_question(self) -> None:
        """Raise QuestionPending if a question is open, or BadData if the open entry is broken."""
        if self.history.open_entry is None:
            return
        request = self.pending
        if self._broken or request is None:
            raise BadData(self._broken or "the open action has no question")
        cure = "Answer it: companion answer; or take the action back: companion undo"
        if self.history.open_entry.number == self.history.force[0]:
            cure = f"Answer it: companion answer; or begin again: companion new {self.game.id}"
        raise QuestionPending(f"a question is open: {request.prompt}", rule=request.rule, cure=cure)

    def invalidate(self) -> None:
        """Recompute everything from the history when it is next read."""
        self._cached_seq = -1

    def _check_cache(self) -> None:
        """Invalidate cached values if the history has moved on."""
        if self._cached_seq != self.history.seq:
            self._running, self._committed, self._broken, self._cached_seq = None, None, "", self.history.seq


# -- the log of a session ----------------------------------------------------------------------------------------------


class LogBatch:
    """Rows to append to the log at one time, and what to record with them.

    Attributes:
        facts: Printed facts, by full key.
        secrets: Nonces of the host that are not revealed yet, by session and question; "" removes one.
    """

    __slots__ = ("at", "facts", "rows", "secrets", "seq")

    def __init__(self, seq: int, at: str) -> None:
        self.seq = seq
        self.at = at
        self.rows: list[LogRow] = []
        self.facts: Mapping[str, str] = {}
        self.secrets: dict[str, str] = {}

    def add(self, kind: RowKind, entry: int, body: JsonObject) -> None:
        """Add one row; raise ValueError if its body does not have the fields of its kind."""
        schema = ROW_SCHEMAS[kind]
        if not (schema.required.keys() <= body.keys() and body.keys() <= {*schema.required, *schema.optional}):
            raise ValueError(f"a row of the kind '{kind}' does not hold {', '.join(body)}")
        self.rows.append(LogRow(self.seq + len(self.rows) + 1, kind, entry, body, self.at))

    def entry(self, number: int, action: str, args: JsonObject, anyway: bool = False) -> None:
        """Open an entry."""
        self.add("entry", number, {"action": action, "args": dict(args), **({"anyway": True} if anyway else {})})

    def copy(self, number: int, original: Entry, anyway: bool = False) -> None:
        """Open an entry that replaces another one; it stays out of force until a change brings it in."""
        body: JsonDict = {"action": original.action, "args": dict(original.args), "copy_of": original.number, "hidden": True}
        self.add("entry", number, {**body, "anyway": True} if anyway else body)

    def replies(self, number: int, replies: Iterable[Reply]) -> None:
        """Add replies; an adjustment made at a question is a row of kind ``adjusted``, with its events."""
        for reply in replies:
            if reply.is_adjustment:
                events = [encode(event) for event in reply.events]
                self.add(ADJUSTED, number, {"action": reply.key, **reply.value, "events": events})
                continue
            body = {"key": reply.key, "kind": reply.kind, "value": reply.value, "source": reply.source, "rule": reply.rule}
            if reply.seat:
                body |= {"seat": reply.seat, "left": reply.left}
            if reply.left:  # the views of the archive read `value`
                body |= {"value": SEALED, "part": unsealed(reply.value)}
            self.add("reply", number, {**body, "anyway": True} if reply.anyway else body)

    def complete(self, number: int, events: Sequence[Event], result: JsonObject | None = None) -> None:
        """Complete an entry; `result` says how the game ended with it, if it did."""
        body: JsonDict = {"events": [encode(event) for event in events]}
        self.add("done", number, {**body, "result": dict(result)} if result else body)

    def trust(self, number: int, at: str, step: TrustStep, seat: str, value: str, **more: Any) -> None:
        """Record a step of trusted dice, or of a change that needs consent."""
        self.add("trust", number, {"at": at, "step": step, "seat": seat, "value": value, **more})

    def change(self, change: Change, rolled: bool) -> None:
        """Record which entries leave and enter force; `rolled`: a roll or draw is taken back."""
        body: JsonDict = {"take": list(change.take), "give": list(change.give), "how": change.how}
        self.add("change", max(change.take, default=0), {**body, "past_roll": True} if rolled else body)


class SessionLog:
    """The log of a session in the archive.

    Args:
        info: The session as stored; with id 0 it is stored by the first commit.
        sets: The flags of its game that hold sets.
        last_used: Make a session that is stored the last used one.

    Attributes:
        foreign_rows: The number of rows that other processes have written since it was opened.
    """

    def __init__(self, archive: Archive, info: Session, sets: Collection[str], last_used: bool = True) -> None:
        self.archive = archive
        self.info = info
        self._sets = sets
        self.history = self._read()
        self.foreign_rows = 0
        self._staged: list[LogRow] = []
        self._last_used = last_used

    def _read(self) -> History:
        try:
            return History(self.archive.rows(self.info.id, unread=("done",)) if self.info.id else (), self._sets)
        except (KeyError, TypeError, AttributeError, ValueError):
            from companion.session.row_checks import require_sound

            require_sound(self.archive, self.info)
            raise

    def reload(self) -> None:
        """Read the whole log again."""
        self.history = self._read()

    def facts(self) -> Mapping[str, str]:
        """Return the printed facts of the game, by full key."""
        return self.archive.printed(self.info.game)

    def new_batch(self) -> LogBatch:
        """Return an empty batch that continues the log."""
        return LogBatch(self.history.seq, utc_now())

    def stage(self, batch: LogBatch) -> None:
        """Add rows to a session that is not stored yet; its first commit writes them."""
        self._staged += batch.rows
        self._fold(batch.rows)

    def commit(self, batch: LogBatch) -> None:
        """Write a batch and fold it into the history; store a new session first.

        Raises:
            SessionMoved: Another process has written meanwhile. Its rows are read, and the batch is dropped.
        """
        try:
            if self.info.id:
                facts_change = self._changes_inferred_facts(batch.rows)
                self.archive.append(self.info.id, self.history.seq, batch.rows, batch.facts, facts_change, batch.secrets)
            else:
                rows = [*self._staged, *batch.rows]
                self.info = self.archive.create(self.info, rows, batch.facts, self._last_used, batch.secrets)
        except SessionMoved:
            self.refresh()
            raise
        self._fold(batch.rows)

    def _changes_inferred_facts(self, rows: Sequence[LogRow]) -> bool:
        """True if entries that inferred a fact leave or enter force; the archive would need a full scan to find out."""
        moved = {number for row in rows if row.kind == "change" for number in (*row.body["take"], *row.body["give"])}
        kinds = (reply.kind for number in moved if (entry := self.history.entries.get(number)) for reply in entry.replies)
        return bool(moved) and (InferFact.kind in kinds or any(row.body.get("kind") == InferFact.kind for row in rows))

    def refresh(self) -> None:
        """Read the rows that other processes have written."""
        rows = self.archive.rows(self.info.id, self.history.seq)
        self.foreign_rows += len(rows)
        self._fold(rows)

    def _fold(self, rows: Iterable[LogRow]) -> None:
        for row in rows:
            self.history.add(row)

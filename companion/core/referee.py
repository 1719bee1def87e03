"""The referee: holds the position during an action, asks, changes and explains. Each game derives its own."""

from __future__ import annotations

from collections.abc import Callable, Container, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from companion.core.errors import Illegal, Impossible, RuleFault, Unreadable
from companion.core.events import (
    Event,
    FlagSet,
    PieceFlipped,
    PieceMade,
    PieceMarked,
    PieceMoved,
    PositionBuilder,
    Said,
    Tone,
    TrackMoved,
    apply,
    fast_new,
)
from companion.core.hints import TYPE_CHECKING, Any, Self, TypeVar
from companion.core.limits import ACTION_CHANGES, ACTION_QUESTIONS
from companion.core.notation import Notation
from companion.core.position import FlagValue, Piece, Position, Value
from companion.core.procedures import InferFact, KnownFacts, RecordFact
from companion.core.request import Outcomes, evaluate_text
from companion.core.requests import AnyRequest, Choice, Choose, Confirm, Draw, LazyText, Number, Pick, Printed, Roll, Text
from companion.core.sealed import Sealed
from companion.core.text import normalised

if TYPE_CHECKING:
    from companion.core.charts import Chart
    from companion.core.rerun import RerunCache

T = TypeVar("T")


def _endless() -> RuleFault:
    return RuleFault(f"the action does not end: it makes more than {ACTION_CHANGES:,} changes and lines")


class Referee:
    """Runs one action from its first question to its last event.

    Attributes:
        skipped_questions: Questions that the rules did not let arise, and why.
        equivalent: The answers to those that mean the same as not being asked, such as ``none``.
        anyway: The player insists on the last reply.
        bounds: Lowest and highest value of each track (None: unbounded); empty if the game declares no tracks.
        places: The declared places, among them every cup; None if the game declares none.
        flags: The declared flags; None if the game declares none.
        pinned: Pieces (by id), tracks and places that the action relies on until its end.
        event_check: Returns what an event names that the game does not declare, or ""; gets the event and the position before it.
            Set for games from outside and in trials.
        quiet: True if no explanations are written.
        recording: False on a hypothetical position, where events change the position and are not kept.
        seat: The seat of rolls and questions that name none: the one that acts in this part of the rules; "" if any may.
        rerun: Results of an earlier run of the same action; None if it runs once.
    """

    rerun: RerunCache | None = None

    def __init__(self, position: Position, options: Mapping[str, str], charts: Mapping[str, Chart]) -> None:
        self.position = position
        self.options = options
        self.charts = charts
        self.events: list[Event] = []
        self.skipped_questions: dict[str, tuple[LazyText, str, str]] = {}
        self.equivalent: dict[str, tuple[str, ...]] = {}
        self.anyway = False
        self.seat = ""
        self.bounds: Mapping[str, tuple[int | None, int | None]] = {}
        self.pinned: set[str] = set()
        self.places: Container[str] | None = None
        self.flags: Container[str] | None = None
        self.event_check: Callable[[Event, Position], str] | None = None
        self.quiet = False
        self.recording = True
        self._due: list[tuple[int, Sequence[Event]]] = []
        self._changes = self._questions = 0

    def count_question(self) -> str:
        """Count a question or look-up; return what is wrong if the action asks without end, else ""."""
        self._questions += 1
        return f"is one of more than {ACTION_QUESTIONS:,} of an action" if self._questions > ACTION_QUESTIONS else ""

    @contextmanager
    def acting_as(self, seat: str) -> Iterator[None]:
        """Within it, rolls and questions that name no seat are those of this one."""
        before, self.seat = self.seat, seat
        try:
            yield
        finally:
            self.seat = before

    def hypothetical(self, position: Position | None = None) -> Self:
        """A quiet referee of the same game and options on a position, by default the current one; it keeps no events."""
        referee = self.with_position(self.position if position is None else position)
        referee.bounds, referee.places, referee.flags = self.bounds, self.places, self.flags
        referee.quiet = True
        referee.recording = False
        return referee

    def with_position(self, position: Position) -> Self:
        """A new referee of the same game and options on a position. A game with another constructor overrides this."""
        return type(self)(position, self.options, self.charts)

    def emit(self, event: Event) -> None:
        """Apply an event and record it."""
        if self.event_check is not None and (fault := self.event_check(event, self.position)):
            raise RuleFault(fault)
        if self.recording:
            self.events.append(event)
        self._changes += 1
        if self._changes > ACTION_CHANGES:
            raise _endless()
        self.position = event.apply_to(self.position)
        if self._due:
            self._catch_up()

    def _emit_all(self, events: Sequence[Event]) -> None:
        """Apply independent events at once, copying each table once."""
        if len(events) < 2 or self.event_check is not None or self._due:
            for event in events:
                self.emit(event)
            return
        self._changes += len(events)
        if self._changes > ACTION_CHANGES:
            raise _endless()
        board = PositionBuilder(self.position)
        for event in events:
            event.apply_to(board)
        if self.recording:
            self.events += events
        self.position = board.position

    def pin(self, *names: str) -> None:
        """Mark pieces (by id), tracks and places that the action relies on: edits to them while it runs are rejected."""
        self.pinned.update(names)

    def schedule(self, due: Sequence[tuple[int, Sequence[Event]]]) -> None:
        """Set outside events (corrections made while a question was open), each to be applied after a number of events."""
        self._due = list(due)
        self._catch_up()

    def _catch_up(self) -> None:
        while self._due and self._due[0][0] <= len(self.events):
            for event in self._due.pop(0)[1]:
                self.events.append(event)
                self.position = apply(self.position, event)

    def say(self, text: LazyText, rule: str, *because: LazyText, tone: Tone = "") -> None:
        """Write a line of explanation, with details below it; a lazy text is not evaluated if the referee is quiet.

        ``tone``: "" for a result, "board" for an instruction, "reminder" or "warning".
        """
        if self.quiet:
            self._changes += 1
            if self._changes > ACTION_CHANGES:
                raise _endless()
        else:
            self.emit(Said(evaluate_text(text), rule, tuple(map(evaluate_text, because)), tone))

    def say_to(self, seats: Sequence[str], text: str, rule: str, *because: str) -> None:
        """Write a line that only these seats may read."""
        if not self.quiet:
            self.emit(Said(text, rule, because, seats=tuple(seats)))

    def instruct(self, text: LazyText, rule: str) -> None:
        """Write an instruction: what the player does on the table now."""
        self.say(text, rule, tone="board")

    def set_track(self, track: str, value: int, rule: str, why: str) -> None:
        """Set a track; a marker stops at the end of its track. Raises RuleFault: the game has no such track."""
        if self.bounds:
            if track not in self.bounds:
                raise RuleFault(f"the game has no track '{track}'")
            low, high = self.bounds[track]
            value = value if low is None else max(low, value)
            value = value if high is None else min(high, value)
        was = self.position.track(track)
        if value != was or track not in self.position.tracks:
            self.emit(fast_new(TrackMoved, (track, was, value, rule, why)))
        else:
            self._changes += 1
            if self._changes > ACTION_CHANGES:
                raise _endless()

    def shift_track(self, track: str, by: int, rule: str, why: str) -> None:
        """Move a track by some spaces."""
        if by:
            self.set_track(track, self.position.track(track) + by, rule, why)

    def set_flag(self, flag: str, value: FlagValue, rule: str, why: str = "") -> None:
        """Set a flag; None removes it. Raises RuleFault: the game has no such flag."""
        was = self.position.flags.get(flag)
        if was is None:
            self._check_flag(flag)
        if was != value:
            self.emit(fast_new(FlagSet, (flag, was, value, rule, why)))

    def _check_flag(self, flag: str) -> None:
        """Check a flag that is not set: nothing would change if a misspelt one was removed."""
        if self.flags is not None and flag not in self.flags:
            raise RuleFault(f"the game has no flag '{flag}'")

    def set_flags(self, flags: Mapping[str, FlagValue], rule: str, why: str = "") -> None:
        """Set many flags at once."""
        held = self.position.flags
        if self.event_check is not None:
            for flag, value in flags.items():
                self.set_flag(flag, value, rule, why)
            return
        for flag in flags:
            if flag not in held:
                self._check_flag(flag)
        changes = [(flag, was, now, rule, why) for flag, now in flags.items() if (was := held.get(flag)) != now]
        self._emit_all([fast_new(FlagSet, change) for change in changes])

    def add_member(self, flag: str, member: str, rule: str) -> None:
        """Add a member to a flag that is a set."""
        members = self.position.members(flag)
        if member not in members:
            self.set_flag(flag, (*members, member), rule)

    def make(
        self,
        kind: str,
        name: str,
        place: str,
        rule: str,
        why: str = "",
        values: Mapping[str, Value] | None = None,
        face: str = "front",
    ) -> str:
        """Create a piece; return its id."""
        stem = normalised(name).replace(" ", "-") or kind
        piece_id = f"{stem}#{len(self.position.pieces) + 1}"
        self.emit(fast_new(PieceMade, (piece_id, kind, name, place, face, values or {}, rule, why)))
        return piece_id

    def make_all(self, kind: str, pieces: Iterable[tuple[str, str, Mapping[str, Value]]], rule: str) -> None:
        """Create many pieces of a kind at once, each given by name, place and printed values."""
        first = len(self.position.pieces) + 1
        new = [
            (f"{normalised(name).replace(' ', '-') or kind}#{number}", kind, name, place, "front", values, rule, "")
            for number, (name, place, values) in enumerate(pieces, first)
        ]
        self._emit_all([fast_new(PieceMade, piece) for piece in new])

    def move(self, piece: str, place: str, rule: str, why: str = "") -> None:
        """Move a piece, given by its id, to a place, where it lies last."""
        was = self.piece(piece).place
        if was != place:
            self.emit(fast_new(PieceMoved, (piece, was, place, rule, why)))

    def flip(self, piece: str, face: str, rule: str, why: str = "") -> None:
        """Turn a piece, given by its id, to a face."""
        was = self.piece(piece).face
        if was != face:
            self.emit(PieceFlipped(piece, was, face, rule, why))

    def mark(self, piece: str, mark: str, value: Value, rule: str, why: str = "") -> None:
        """Put a mark with a value on a piece, given by its id; None removes it."""
        was = self.piece(piece).marks.get(mark)
        if was != value:
            self.emit(fast_new(PieceMarked, (piece, mark, was, value, rule, why)))

    def mark_all(self, pieces: Iterable[Piece], mark: str, value: Value, rule: str, why: str = "") -> None:
        """Put the same mark on many pieces at once, whatever they bore when they were looked up."""
        marked = [(piece.id, self.piece(piece.id).marks.get(mark)) for piece in pieces]
        changes = [(piece_id, mark, was, value, rule, why) for piece_id, was in marked if was != value]
        self._emit_all([fast_new(PieceMarked, change) for change in changes])

    def move_all(self, places: Iterable[tuple[Piece, str]], rule: str, why: str = "") -> None:
        """Move many pieces at once, each to its place, wherever they were when they were looked up."""
        moves = [(self.piece(piece.id), place) for piece, place in places]
        changes = [(piece.id, piece.place, place, rule, why) for piece, place in moves if piece.place != place]
        self._emit_all([fast_new(PieceMoved, change) for change in changes])

    def forbid(self, text: str, rule: str, cure: str = "") -> None:
        """Raise Illegal by a rule; if the player insists ("anyway"), record a warning instead."""
        if not self.anyway:
            raise Illegal(text, rule=rule, cure=cure)
        self.say(f"Recorded anyway: {text}", rule, tone="warning")

    def skip_question(self, key: str, text: LazyText, rule: str, cure: str = "", equivalent: tuple[str, ...] = ()) -> None:
        """Note that the rules do not let a question arise; other answers than those equivalent to not being asked are refused."""
        self.skipped_questions[key] = text, rule, cure
        self.equivalent[key] = equivalent

    def refusal(self, key: str) -> Impossible:
        """The error for an answer to a skipped question; insisting is not possible."""
        text, rule, cure = self.skipped_questions[key]
        cure = cure or "Where the table shows otherwise: adjust"
        return Impossible(evaluate_text(text), rule=rule, cure=cure)

    def members(self, flag: str) -> tuple[str, ...]:
        """The members of a flag that is a set, in order of arrival."""
        return self.position.members(flag)

    def option(self, name: str) -> str:
        """The value of an option of the session; "" if there is no such option. The scenario is ``scenario``."""
        return self.options.get(name, "")

    def chart(self, chart_id: str) -> Chart:
        """A chart by its id. Raises RuleFault: the game has none of that id."""
        try:
            return self.charts[chart_id]
        except (KeyError, Unreadable):
            raise RuleFault(f"the game has no chart '{chart_id}': {', '.join(self.charts)}") from None

    def piece(self, piece: str) -> Piece:
        """A piece by its id. Raises RuleFault: it does not exist."""
        try:
            return self.position.pieces[piece]
        except KeyError:
            raise RuleFault(f"there is no piece '{piece}'") from None
        except TypeError:
            raise RuleFault(f"a piece is given by its id, not as {piece!r}") from None

    def piece_names(self, pieces: Iterable[Piece]) -> str:
        """The names of pieces, separated by commas; ``none`` if there are none."""
        return ", ".join(piece.name for piece in pieces) or "none"

    def reuse(self, compute: Callable[[], T]) -> T:
        """The result of a computation that changes nothing; computed once where an action is run again and again."""
        return compute() if self.rerun is None else self.rerun.reuse(compute)

    def reuse_procedure(self, procedure: Callable[[], Coroutine[Any, Any, T]]) -> Coroutine[Any, Any, T]:
        """The result of a procedure that changes nothing but this referee, run as rarely as for `reuse`."""
        return procedure() if self.rerun is None else self.rerun.reuse_procedure(self, procedure)

    # Coroutines, not the request classes themselves: Python warns about a coroutine that is not awaited, see `reject_unawaited`.

    async def number(self, key: str, prompt: str, rule: str, low: int, high: int, suggest: int | None = None) -> int:
        """Ask for a whole number within bounds, both included."""
        return await Number(key, prompt, rule, low, high, suggest)

    async def confirm(self, key: str, prompt: str, rule: str, suggest: bool | None = None) -> bool:
        """Ask yes or no."""
        return await Confirm(key, prompt, rule, suggest)

    async def choose(self, key: str, prompt: str, rule: str, choices: Sequence[Choice], suggest: str | None = None) -> str:
        """Ask for one of the choices; return its value. Not asked if there is only one."""
        return await Choose(key, prompt, rule, choices, suggest)

    async def pick(
        self,
        key: str,
        prompt: str,
        rule: str,
        choices: Sequence[Choice],
        low: int = 0,
        high: int | None = None,
        suggest: Sequence[str] | None = None,
    ) -> tuple[str, ...]:
        """Ask for some of the choices; not asked if there are none."""
        if not choices and low == 0:
            return ()
        return await Pick(key, prompt, rule, choices, low, high, suggest)

    async def text(
        self, key: str, prompt: str, rule: str, notation: Notation, known: Sequence[Choice] = (), suggest: str | None = None
    ) -> str:
        """Ask for a text in a notation; `known` are answers that are listed."""
        return await Text(key, prompt, rule, notation, known, suggest)

    async def roll(
        self, key: str, prompt: str, rule: str, count: int = 1, sides: int = 6, lowest: int = 1, outcomes: Outcomes | None = None
    ) -> tuple[int, ...]:
        """Roll dice and return the faces, as a tuple also for one die; not asked if there are none to roll."""
        if count == 0:
            return ()
        return await Roll(key, prompt, rule, count, sides, lowest, outcomes)

    async def draw(
        self,
        key: str,
        prompt: str,
        rule: str,
        cup: str,
        others: Sequence[str] | Callable[[], Sequence[str]] = (),
        thing: str = "counter",
        holder: str = "cup",
    ) -> str:
        """Draw a counter from a cup and return its name; the rule moves the piece. `others`: names that are not in the cup."""
        if self.places is not None and cup not in self.places:
            raise RuleFault(f"the game has no cup '{cup}'")
        return await Draw(key, prompt, rule, cup, self.position.at(cup), others, thing, holder)

    async def sealed(self, parts: Mapping[str, AnyRequest]) -> dict[str, Any]:
        """Ask several seats at once, each a question of its own (seat -> request); return the answers by seat.

        No seat sees the answer of another before all are there. The answers do not depend on each other: what they must fulfil
        is checked by the requests, since a refusal after the reveal would tell the last seat what the others have answered.
        """
        return await Sealed(parts)

    async def printed(self, fact: str, prompt: str, rule: str, notation: Notation, fallback: str | None = None) -> str:
        """A value printed on the components, asked once and kept for every game; `fallback` is used instead of asking."""
        return await Printed(fact, prompt, rule, notation, fallback)

    async def known_facts(self, fact: str, rule: str) -> Mapping[str, str]:
        """All recorded facts of one kind: the part of the key after the colon -> value."""
        return await KnownFacts(fact, rule)

    async def record_fact(self, fact: str, value: str, rule: str) -> str:
        """Record a printed fact that the player has just typed."""
        return await RecordFact(fact, value, rule)

    async def infer_fact(self, fact: str, value: str, rule: str) -> str:
        """Record a fact of the map inferred from play; retracted when the entry is undone."""
        return await InferFact(fact, value, rule)

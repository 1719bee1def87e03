"""The description of a game: its words, actions, situations, facts and rulings.

Annotations are evaluated here and in ``events`` and ``position``: a NamedTuple with annotations as text compiles each of
them, which the fastest commands cannot afford. For the same reason nothing here imports requests.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property, partial

from companion.core.errors import RuleFault
from companion.core.events import Event, PieceMade, PieceMoved
from companion.core.hints import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar
from companion.core.named_tuple import NamedTuple
from companion.core.notation import Notation
from companion.core.position import ANY_VALUE, Piece, Position, Value, declare_values
from companion.core.procedures import AnyProcedure, Procedure, RefereeT, RuleFunction, until_game_over
from companion.core.values import JsonDict, JsonObject
from companion.core.vocabulary import PLAYER, Vocabulary


class Clause(NamedTuple):
    """A condition or exception of a rule; tests name it by its key: ``[16.8: engineer]``. ``left``: what the player sees to."""

    key: str
    says: str
    tests: tuple[str, ...] = ()
    left: str = ""


class Rule(NamedTuple):
    """An entry of the rule register."""

    number: str
    title: str
    gist: str
    handling: str
    reason: str = ""
    see: tuple[str, ...] = ()
    errata: str = ""
    rulings: tuple[str, ...] = ()
    clauses: tuple[Clause, ...] = ()


if TYPE_CHECKING:
    from companion.core.charts import Chart
    from companion.core.corrections import Corrections
    from companion.core.map import GameMap
    from companion.core.policies import Players
    from companion.core.request import AnyRequest
else:
    Chart = Any


class Track(NamedTuple):
    """A named number with bounds (None: none) and optional names of its values. ``on_table`` is False if it has no marker.

    ``open`` names the bounds, ``low`` or ``high``, that limit only what is recorded: no end is printed there.
    """

    id: str
    title: str
    rule: str
    low: int | None = None
    high: int | None = None
    names: tuple[str, ...] = ()
    on_table: bool = True
    open: tuple[str, ...] = ()

    def display(self, value: int) -> str:
        low = self.low or 0
        return self.names[value - low] if self.names and 0 <= value - low < len(self.names) else str(value)


class TrackEnds(NamedTuple):
    """The lowest and highest value of a track in the game that is played; None: no end is printed."""

    low: int | None = None
    high: int | None = None

    def allow(self, value: int) -> bool:
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def __str__(self) -> str:
        if self.low is None:
            return "any number" if self.high is None else f"{self.high} or less"
        return f"{self.low} or more" if self.high is None else f"{self.low} to {self.high}"


class Scenario(NamedTuple):
    """A set-up of the game."""

    id: str
    title: str
    rule: str


class Option(NamedTuple):
    """An optional rule, a ruling that can be switched, or a setting of who plays and how. Without choices any text is valid.

    ``unlisted`` choices are accepted and not offered, such as those of old sessions.
    """

    id: str
    title: str
    rule: str = ""
    choices: tuple[str, ...] = ()
    default: str = ""
    ruling: str = ""
    unlisted: tuple[str, ...] = ()


class Obstacle(NamedTuple):
    """Why an action is out of sequence now."""

    text: str
    rule: str
    cure: str = ""


class Action(NamedTuple):
    """An action of the player. Its id is what is typed; unique prefixes are accepted.

    ``obstacle`` returns what stands against it in a position, or None; the player may insist. ``alone``: it makes sense without a
    session. An action that is not ``usual`` is allowed after the end of the game. ``look``: it leaves no trace in the log, and
    undo passes over it. ``ends``: it ends a phase or a turn, so that a stray number must not begin it.
    """

    id: str
    title: str
    rule: str
    run: Callable[[Any], Procedure[None]]
    obstacle: Callable[[Position], Obstacle | None] = lambda position: None
    alone: bool = False
    usual: bool = True
    look: bool = False
    ends: bool = False


class Situation(NamedTuple):
    """A situation whose exact odds can be asked for. Its procedure asks for the particulars and returns the odds."""

    id: str
    title: str
    rule: str
    run: RuleFunction


M = TypeVar("M", bound=Callable[..., AnyProcedure])
_REGISTERED = "_registered_as"


def action(
    id: str,
    title: str,
    *,
    rule: str,
    when: Callable[[Position], Obstacle | None] = lambda position: None,
    alone: bool = False,
    usual: bool = True,
    look: bool = False,
    ends: bool = False,
) -> Callable[[M], M]:
    """Register a method of a game as an action; it gets the referee. The arguments are the fields of `Action`.

    The method imports its rule module inside, so that commands that only read a position load no rules.

        @action("rally", "Rally Phase", rule="3.7", when=in_phase("rally"))
        async def rally(self, referee: HarbourReferee) -> None:
            from harbour.rules.r09_rally import rally_phase

            await rally_phase(referee)
    """

    def register(method: M) -> M:
        setattr(method, _REGISTERED, Action(id, title, rule, method, when, alone, usual, look, ends))
        return method

    return register


def situation(id: str, title: str, *, rule: str) -> Callable[[M], M]:
    """Register a method of a game as a situation whose exact odds can be asked for; it gets the referee, returns the odds."""

    def register(method: M) -> M:
        setattr(method, _REGISTERED, Situation(id, title, rule, method))
        return method

    return register


class Fact(NamedTuple):
    """A kind of printed fact.

    A full key is the id and, unless the fact is single, a colon and one of the keys (any, if these are empty).
    ``rulebook_values`` are the values stated in the rulebook, by the part after the colon.
    """

    id: str
    title: str
    rule: str
    notation: Notation
    keys: tuple[str, ...] = ()
    single: bool = False
    rulebook_values: Mapping[str, str] = {}

    def all_keys(self) -> tuple[str, ...]:
        """All full keys; empty if any key is possible."""
        return (self.id,) if self.single else tuple(f"{self.id}:{key}" for key in self.keys)


class Score(NamedTuple):
    """The victory count: items of (label, points, rule), and the verdict."""

    items: tuple[tuple[str, int, str], ...]
    total: int
    verdict: str
    rule: str
    notes: tuple[str, ...] = ()


class Field(NamedTuple):
    """A figure of a banner, with a stable key for other programs.

    Where the value is more than a number, ``number`` is the number shown, or ``numbers`` its several numbers by stable names.
    """

    key: str
    label: str
    value: str
    number: int | None = None
    numbers: Mapping[str, int] = {}


class Banner(NamedTuple):
    """The state of play shown above the prompt: stage, figures, reminders."""

    stage: str
    fields: tuple[Field, ...]
    reminders: tuple[str, ...] = ()


class Ruling(NamedTuple):
    """Our decision where the rulebook is silent or contradicts itself."""

    id: str
    rules: tuple[str, ...]
    question: str
    answer: str
    option: str = ""
    choices: tuple[str, ...] = ()
    meaning: Mapping[str, str] = {}


class Tables(NamedTuple):
    """The checked content of ``tables/<game>/``."""

    game: JsonObject
    charts: Mapping[str, Chart]
    rules: Mapping[str, Rule]
    rulings: Mapping[str, Ruling]
    counters: JsonObject
    bot: JsonObject
    report: JsonObject
    messages: Mapping[str, JsonObject] = {}


def _fields(table: JsonObject) -> JsonDict:
    """The keys of a TOML table as keyword arguments; lists become tuples."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}


class Game(Generic[RefereeT]):
    """The description of a game, made from its tables; it holds no state. Each game derives its own.

    A game names its referee in brackets: ``class HarbourGame(Game["HarbourReferee"])``. ``package`` is the module whose ``make``
    made it. The content of ``unchecked_places`` is not checked, such as counters out of play. ``practice`` is a scenario and
    options that need nothing from the owner's set; None if there are none.
    """

    id: str = ""
    package: str = ""
    is_from_outside: bool = False
    """True for a game that is not part of Companion; set when it is loaded."""

    has_dice: bool = True
    """False if the game has no dice."""

    over_cure: str = ""
    """The cure of "the game is over", for a player whose table shows otherwise."""

    value_names: tuple[str, ...] = (ANY_VALUE,)
    """The names of the values printed on its pieces; `Piece.number` refuses others."""

    pieces_noun: str = "counters"
    """The plural noun for pieces."""

    die: tuple[int, int] = (6, 1)
    """The number of faces of its dice, and the lowest face."""

    named_place_flag: str = ""
    """Prefix of the flags that hold places only the player knows; "" if the game lists all places."""

    if not TYPE_CHECKING:

        def __class_getitem__(cls, referee):
            # `Game["Umpire"]` must neither import the referee nor compile its name when a status is shown
            return cls

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        declare_values(self.value_names)
        head = tables.game
        self.title: str = head["title"]
        self.edition: str = head["edition"]
        self.tracks = {key: Track(key, **_fields(table)) for key, table in head["tracks"].items()}
        self.scenarios = {key: Scenario(key, **_fields(table)) for key, table in head["scenarios"].items()}
        self.options = {key: Option(key, **_fields(table)) for key, table in head.get("options", {}).items()}
        for ruling in tables.rulings.values():
            if ruling.option:
                switch = ruling.question, ruling.rules[0], ruling.choices, ruling.choices[0], ruling.id
                self.options[ruling.option] = Option(ruling.option, *switch)
        self.vocabulary = Vocabulary(head)
        names = self.vocabulary.places.exact
        self.places: dict[str, str] = {key: title for key, title in head.get("places", {}).items() if key in names}
        self.bounds = {track.id: (track.low, track.high) for track in self.tracks.values()}
        self.cups: tuple[str, ...] = tuple(head.get("cups", ()))
        self.question_keys: frozenset[str] = frozenset(head.get("questions", ()))
        self.selecting_keys: frozenset[str] = frozenset(head.get("selecting", ()))
        self.unchecked_places: tuple[str, ...] = tuple(head.get("aside", ()))
        self.practice: Mapping[str, str] | None = head.get("practice")
        self.alone: Mapping[str, str] = head.get("alone", {})
        self.alone_text: str = head.get("alone_text", "")

    def is_question_key(self, key: str) -> bool:
        """False if the game lists the keys of its questions without this one; names of pieces and facts are not listed."""
        return not self.question_keys or not key.isidentifier() or key in self.question_keys

    def default_options(self, scenario: str = "") -> dict[str, str]:
        """Every option with its default, and a scenario, the first one by default."""
        return {option.id: option.default for option in self.options.values()} | {
            "scenario": scenario or next(iter(self.scenarios))
        }

    def new_referee(self, position: Position, options: Mapping[str, str], trial: bool = False) -> RefereeT:
        """A referee with the bounds of the tracks.

        In a trial, and always in a game from outside, a change that names what the game does not declare raises RuleFault.
        """
        referee = self.referee(position, options)
        referee.bounds = self.bounds
        if self.vocabulary.is_complete:
            referee.places, referee.flags = self.vocabulary.places, self.vocabulary.flags
        if trial or self.is_from_outside:
            referee.event_check = self.event_fault
        return referee

    def event_fault(self, event: Event, position: Position) -> str:
        """What the event names that the game does not declare, in words; "" if nothing."""
        fault = self.vocabulary.event_fault(event, lambda: self.player_named_places(position))
        if not fault and isinstance(event, PieceMoved | PieceMade):
            return self.place_fault(event.now if isinstance(event, PieceMoved) else event.place, position)
        return fault

    def place_fault(self, place: str, position: Position) -> str:
        """Why a declared place is not on the map of this position, in words; "" if it is."""
        return ""

    @cached_property
    def corrections(self) -> "Corrections":
        """The manual corrections of the game, loaded at first use."""
        return self.make_corrections()

    @cached_property
    def map(self) -> "GameMap | None":
        """The map of the game, loaded at first use; None if it has no map."""
        return self.make_map()

    @property
    def has_map(self) -> bool:
        """True if the game has a map. Does not load it."""
        return type(self).make_map is not Game.make_map

    @cached_property
    def players(self) -> "Players":
        """The seats and policies of the game, loaded at first use."""
        return self.make_players()

    @cached_property
    def seats(self) -> Mapping[str, str]:
        """The sides that decide, id -> title, in the order of the rulebook; `Players.seats` where the tables declare none."""
        declared: Mapping[str, str] | None = self.tables.game.get("seats")
        if declared is None and type(self).make_players is not Game.make_players:
            return {seat: seat.title() for seat in self.players.seats}
        return declared or {PLAYER: "Player"}

    def acting_seats(self, position: Position) -> Sequence[str]:
        """The seats that may begin the next action; several in a phase of all players."""
        return tuple(self.seats)

    def make_corrections(self) -> "Corrections":
        """Build the manual corrections. A game with corrections of its own overrides this and imports them inside."""
        from companion.core.corrections import Corrections

        return Corrections(self)

    def make_map(self) -> "GameMap | None":
        """Build the map. A game with a map overrides this and imports it inside."""
        return None

    def make_players(self) -> "Players":
        """Build the seats and policies. A game with policies of its own overrides this and imports them inside."""
        from companion.core.policies import Players

        return Players(self)

    @property
    def hides(self) -> bool:
        """True if a seat does not see everything."""
        return type(self).visible is not Game.visible

    def visible(self, position: Position, seat: str) -> Position:
        """The position as a seat sees it: without what only another seat may know (see `Position.without`). Usually all of it."""
        return position

    def why_not(self, request: "AnyRequest", name: str) -> tuple[str, str] | None:
        """Why a typed name cannot be chosen at a question without a reason of its own: (reason, rule), or None."""
        return None

    def player_named_places(self, position: Position) -> Collection[str]:
        """Places of a position that the game cannot list, since the player names them."""
        return ()

    def referee(self, position: Position, options: Mapping[str, str]) -> RefereeT:
        """Make the game's own referee on a position."""
        raise NotImplementedError

    def setup(self, referee: RefereeT) -> Procedure[None]:
        """The procedure that sets up the scenario."""
        raise NotImplementedError

    @property
    def actions(self) -> Sequence[Action]:
        """The actions in the order of the game's methods that `action` decorates."""
        return self._registered[0]

    @cached_property
    def _registered(self) -> tuple[tuple[Action, ...], tuple[Situation, ...]]:
        """The decorated methods in the order of their definition, base classes first."""
        names = dict.fromkeys(name for part in reversed(type(self).__mro__) for name in vars(part))
        items: list[Action | Situation] = []
        for name in names:
            item: Action | Situation | None = getattr(getattr(type(self), name), _REGISTERED, None)
            if item is not None:
                items.append(item._replace(run=partial(until_game_over, getattr(self, name))))
        actions = tuple([item for item in items if isinstance(item, Action)])
        return actions, tuple([item for item in items if isinstance(item, Situation)])

    def default_action(self, position: Position) -> str:
        """The usual action, or "". It ends no phase while another action is open, unless that is all there is to do."""
        return ""

    def action_names(self, text: str) -> list[str]:
        """The ids of the actions that a text can mean: those that only resolve something described need their full name."""
        word = text.strip().casefold()
        return [action.id for action in self.actions if not action.alone or action.id == word]

    def action_by_title(self, text: str, position: Position) -> str:
        """The id of the action whose title has the first letters of its words; of several, of the only one that is possible now.

        "" for none and for fewer than three letters. Raises Ambiguous: several have them.
        """
        from companion.core.errors import Ambiguous
        from companion.core.text import matching_names

        titles = {item.title: item.id for item in self.actions if not item.alone}
        actions = [titles[title] for title in matching_names(text, titles)] if len(text) > 2 else []
        possible = [item for item in actions if not self.obstacle_to(item, position)] or actions
        if len(possible) > 1:
            raise Ambiguous(text, possible)
        return possible[0] if possible else ""

    def action_hint(self, text: str) -> str:
        """What to do instead, if a text is a term of the rules but no action; "" otherwise."""
        return ""

    def table_action(self, position: Position) -> str:
        """The action of a bare Enter at a terminal, where policies follow `default_action`."""
        return self.default_action(position)

    @property
    def situations(self) -> Sequence[Situation]:
        """The situations in the order of the game's methods that `situation` decorates."""
        return self._registered[1]

    whole_map_facts: ClassVar[Mapping[str, str]] = {}
    """Facts that say that the whole map is told, so that nothing is asked about it; recorded with a made-up set for play."""

    @property
    def facts(self) -> Sequence[Fact]:
        """The kinds of printed facts."""
        return ()

    @property
    def has_bot(self) -> bool:
        """True if the game has an opponent that gives advice, besides what the procedures automate."""
        return False

    def bot(self, referee: RefereeT) -> Procedure[None]:
        """Say what the opponent would do, with its reasons."""
        raise NotImplementedError

    def banner(self, position: Position, options: Mapping[str, str]) -> Banner:
        """The state of play shown above the prompt."""
        raise NotImplementedError

    def score(self, position: Position, options: Mapping[str, str]) -> Score:
        """The victory count if the game ended now."""
        raise NotImplementedError

    def over(self, position: Position) -> str:
        """Why the game is over, or ""."""
        return ""

    def obstacle_to(self, action: str, position: Position) -> Obstacle | None:
        """What stands against an action: the game is over, or the action is out of sequence."""
        chosen = next((item for item in self.actions if item.id == action), None)
        if chosen is None:
            return None
        over = self.over(position) if chosen.usual else ""
        obstacle = Obstacle(f"the game is over: {over}", "", self.over_cure) if over else chosen.obstacle(position)
        if not isinstance(obstacle, Obstacle | None):
            raise RuleFault.of(chosen.obstacle, f"what stands against '{action}' is no Obstacle: {obstacle!r}")
        return obstacle

    def track(self, track: str, value: int) -> str:
        return self.tracks[track].display(value) if track in self.tracks else str(value)

    def track_ends(self, track: str, position: Position, facts: Mapping[str, str]) -> TrackEnds:
        """The ends that a track has in this game, within its bounds. ``facts``: what is printed on the player's components."""
        definition = self.tracks[track]
        low, high = (None if end in definition.open else getattr(definition, end) for end in ("low", "high"))
        return TrackEnds(low, high)

    def track_title(self, track: str) -> str:
        return self.tracks[track].title if track in self.tracks else ""

    def marker_title(self, track: str) -> str:
        """The title of a track with a marker on the table; "" for a count without one."""
        return self.track_title(track) if track not in self.tracks or self.tracks[track].on_table else ""

    def flag_title(self, flag: str) -> str:
        """The title of a flag that shows on the table; "" for others."""
        return ""

    def place_title(self, place: str) -> str:
        """The title of a place, by default that in ``game.toml``."""
        return self.places.get(place, place)

    def is_narrated(self, event: Event) -> bool:
        """False for an event that is not told by itself, because a line tells several together."""
        return True

    def printed_key(self, piece: Piece, is_new: bool) -> str:
        """The key of the printed fact that says what is on a counter, and for a new one how many there are; "" if none does."""
        return ""

    def pile_title(self, place: str) -> str:
        """The title of a pile whose order counts; "" if the place is none."""
        return ""

    def face_title(self, piece: Piece, face: str) -> str:
        """The title of a side of a piece."""
        return face

    def mark_title(self, mark: str) -> str:
        """The title of a mark; "" for one that is not shown."""
        return mark

    def mark_sentence(self, names: str, count: int, mark: str, value: Value) -> str:
        """What a mark says about the named pieces, without a full stop: ``A has Fired``; "" for a mark that is not shown.

        The value is the new one, a piece by its name; None or False: removed.
        """
        title = self.mark_title(mark)
        text = title if value is True else f"no {title}" if value is None or value is False else f"{title} {value}"
        return f"{names}: {text}" if title else ""

    def flip_sentence(self, names: str, count: int, piece: Piece, face: str) -> str:
        """That pieces like this one show another face, without a full stop."""
        return f"{names} {'turns to its' if count == 1 else 'turn to their'} {self.face_title(piece, face)}"

    def track_sentence(self, track: str, was: int, now: int) -> str:
        """That a track moved or was set, without a full stop."""
        shown = self.track(track, now)
        return f"{self.track_title(track)} {shown if was == now else f'{self.track(track, was)} -> {shown}'}"

    def piece_fix_lines(self, old: Piece | None, new: Piece | None) -> list[str] | None:
        """The game's own lines for correcting a piece ("{}": its name); None: the usual lines; empty: nothing to do."""
        return None

    def piece_title(self, piece: Piece) -> str:
        """The name of a piece with its printed values, for lists."""
        return piece.name

    def side(self, piece: Piece) -> str:
        """The owner of a piece: a seat, or the name of an enemy that nobody plays; "" for neutral pieces."""
        return ""

    def mark_names(self, piece: Piece) -> Mapping[str, tuple[Value, ...]]:
        """The marks that the piece can bear, with their values besides None; without values: as declared."""
        return {}

    def contradictions(self, facts: Mapping[str, str]) -> list[str]:
        """Contradictions among printed facts (full key -> value), in words with their rule."""
        return []

    def contradiction(self, facts: Mapping[str, str], key: str, value: str) -> str:
        """The contradiction that one more fact introduces, in words; "" if none."""
        before = self.contradictions(facts)
        return next((fault for fault in self.contradictions({**facts, key: value}) if fault not in before), "")

    def fact_in_words(self, key: str, value: str) -> str:
        """A printed fact in words: ``2-11: open, water``; "" if that adds nothing to key and value."""
        fact = self.fact(key)
        text = fact.notation.describe(value) if fact else ""
        return f"{key.partition(':')[2] or key}: {text}" if text else ""

    def fact(self, key: str) -> Fact | None:
        """The kind of a full key such as ``space:3-8``."""
        head, colon, _ = key.partition(":")
        for fact in self.facts:
            if fact.id == head and fact.single != bool(colon):
                return fact
        return None

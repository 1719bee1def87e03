"""What a game is to the rest of the program: its words, its actions and its questions, as one value.

Annotations are evaluated here, and in ``events`` and ``position``: a NamedTuple compiles each annotation that is text, and
the quickest commands would pay for that. They pay for no kind of question either, where none is open.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from companion.core.events import Event, PieceMade, PieceMoved
from companion.core.notation import Notation
from companion.core.position import Piece, Position, Value
from companion.core.procedures import AnyProcedure, Named, Procedure, RefereeT, RuleFunction, until_game_over
from companion.core.values import JsonObject
from companion.core.vocabulary import Vocabulary


class Clause(NamedTuple):
    """One condition or exception of a rule.

    Attributes:
        key: the word by which tests name it: ``[16.8: engineer]``.
        says: what it says, in our own words.
        tests: the test functions that tell right from wrong; none where it is left to the player.
        left: of a clause that Companion leaves to the player, what the player sees to.
    """

    key: str
    says: str
    tests: tuple[str, ...] = ()
    left: str = ""


class Rule(NamedTuple):
    """One entry of the rule register."""

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
    from companion.core.game import Rule
    from companion.core.map import GameMap
    from companion.core.policies import Players
    from companion.core.request import Odds

    Chances = Procedure[Odds]
else:
    Chances = AnyProcedure


class Track(NamedTuple):
    """A named number with bounds (both included; None: unbounded) and, where it has them, names for its values.

    ``on_table``: a marker shows it on the physical game; False for a count that only Companion keeps.
    """

    id: str
    title: str
    rule: str
    low: int | None = None
    high: int | None = None
    names: tuple[str, ...] = ()
    on_table: bool = True

    def display(self, value: int) -> str:
        low = self.low or 0
        return self.names[value - low] if self.names and 0 <= value - low < len(self.names) else str(value)


class Scenario(NamedTuple):
    """One way to set the game up."""

    id: str
    title: str
    rule: str


class Option(NamedTuple):
    """An optional rule, a ruling of ours that can be switched, or a word on who plays and how. No choices: any text.

    Attributes:
        rule: that brings it in; "" where none stands behind it, as behind the level of play.
        unlisted: further choices that nobody is offered: what old sessions hold, and what is there to be measured against.
    """

    id: str
    title: str
    rule: str
    choices: tuple[str, ...]
    default: str
    ruling: str = ""
    unlisted: tuple[str, ...] = ()


class Obstacle(NamedTuple):
    """Why an action is out of sequence now."""

    text: str
    rule: str
    cure: str = ""


class Action(NamedTuple):
    """What the player can say.

    Attributes:
        id: what is typed; unique prefixes of it are read too.
        title: a few words.
        rule: the rule that it carries out.
        run: the procedure; gets the game's own referee.
        obstacle: what stands against it in a position, or None. Never refuses an owner who insists.
        alone: whether it makes sense without a session of one's own (a described battle).
        usual: False where it may also be given when the game is over.
        look: it only says what lies on the table; the log keeps nothing of it, so that undo goes past it.
    """

    id: str
    title: str
    rule: str
    run: Callable[[Any], Procedure[None]]
    obstacle: Callable[[Position], Obstacle | None] = lambda position: None
    alone: bool = False
    usual: bool = True
    look: bool = False


class Situation(NamedTuple):
    """Something whose exact odds can be asked for. Its procedure asks for the particulars and returns the odds."""

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
) -> Callable[[M], M]:
    """Register a method of a game as an action; it gets the referee. The arguments are the fields of `Action`.

    The method imports its rule module inside, so that commands that only read a position load no rules.

        @action("rally", "Rally Phase", rule="3.7", when=in_phase("rally"))
        async def rally(self, referee: HarbourReferee) -> None:
            from harbour.rules.r09_rally import rally_phase

            await rally_phase(referee)
    """

    def register(method: M) -> M:
        setattr(method, _REGISTERED, Action(id, title, rule, method, when, alone, usual, look))
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

    Attributes:
        id: the key, or what stands before the colon of the key.
        title: what it is and where on the components it is printed.
        rule: the rule that refers to it.
        notation: how its values are typed; each value of the kind is read by it.
        keys: what may stand after the colon, where that is a fixed list; an empty tuple: anything may.
        single: there is no colon: the id is the whole key.
        shipped: values that the rulebook's own text states, by what stands after the colon.
    """

    id: str
    title: str
    rule: str
    notation: Notation
    keys: tuple[str, ...] = ()
    single: bool = False
    rulebook_values: Mapping[str, str] = {}

    def all_keys(self) -> tuple[str, ...]:
        """The full keys that an owner can be asked for in one sitting; () where the list is open."""
        return (self.id,) if self.single else tuple(f"{self.id}:{key}" for key in self.keys)


class Score(NamedTuple):
    """The count of victory, itemised: (label, points, rule) and the verdict."""

    items: tuple[tuple[str, int, str], ...]
    total: int
    verdict: str
    rule: str
    notes: tuple[str, ...] = ()


class Field(NamedTuple):
    """One figure of a banner: the name that other programs know it by, which never changes, and what is shown.

    Attributes:
        number: what is shown as a number, where there is one and it does not stand alone in ``value``.
        numbers: the numbers of a figure that has several, by names that never change either.
    """

    key: str
    label: str
    value: str
    number: int | None = None
    numbers: Mapping[str, int] = {}


class Banner(NamedTuple):
    """What stands over a prompt: where play is, the tracks and cups, and anything that must not be forgotten."""

    stage: str
    fields: tuple[Field, ...]
    reminders: tuple[str, ...] = ()


class Ruling(NamedTuple):
    """A decision of ours where the rulebook is silent or contradicts itself."""

    id: str
    rules: tuple[str, ...]
    question: str
    answer: str
    option: str = ""
    choices: tuple[str, ...] = ()
    meaning: Mapping[str, str] = {}


class Tables:
    """Everything that was read from ``tables/<game>/``: plain data, checked."""

    __slots__ = ("bot", "charts", "counters", "game", "report", "rules", "rulings")

    def __init__(
        self,
        game: JsonObject,
        charts: "Mapping[str, Chart]",
        rules: "Mapping[str, Rule]",
        rulings: Mapping[str, Ruling],
        counters: JsonObject,
        bot: JsonObject,
        report: JsonObject,
    ) -> None:
        self.game = game
        self.charts = charts
        self.rules = rules
        self.rulings = rulings
        self.counters = counters
        self.bot = bot
        self.report = report


class Game(Generic[RefereeT]):
    """A game. One object a game, made from its tables; it holds no state.

    Each game derives its own class and fills in what is below.

    Attributes:
        package: the module whose ``make`` made it.
        aside: the places of which nobody checks what lies there, such as counters that are out of the game.
        practice: scenario and options of a game that needs nothing from the owner's set; None where there is none.
    """

    id: str = ""
    package: str = ""
    facts_in: str = ""
    """The module of the game's folder whose ``FACTS`` are its kinds of printed facts; "" where it has none."""

    has_dice: bool = True
    """Whether the game has dice."""

    pieces_noun: str = "counters"
    """What many pieces together are called."""

    die: tuple[int, int] = (6, 1)
    """How many faces its dice have, and the lowest of them."""

    by_hand: str = ""
    """The module of the game's folder whose ``Own`` are its ``Corrections``; "" where the usual ones do."""

    map_in: str = ""
    """The module of the game's folder whose ``Own`` is its ``Geography``; "" where it has no map."""

    players_in: str = ""
    """The module of the game's folder whose ``Own`` are its ``Players``; "" where the usual ones do."""

    named_place_flag: str = ""
    """Before the name of the flag that tells of a place which only the player knows; "" where the game lists all places."""

    if not TYPE_CHECKING:

        def __class_getitem__(cls, referee):
            # `Game["Umpire"]` must neither import the referee nor compile its name when a status is shown
            return cls

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        head = tables.game
        self.title: str = head["title"]
        self.edition: str = head["edition"]
        self.tracks: dict[str, Track] = {
            key: Track(
                key,
                item["title"],
                item["rule"],
                item.get("low"),
                item.get("high"),
                tuple(item.get("names", ())),
                item.get("on_table", True),
            )
            for key, item in head["tracks"].items()
        }
        self.scenarios: dict[str, Scenario] = {
            key: Scenario(key, item["title"], item["rule"]) for key, item in head["scenarios"].items()
        }
        self.options: dict[str, Option] = {
            key: Option(
                key,
                item["title"],
                item.get("rule", ""),
                tuple(item.get("choices", ())),
                item.get("default", ""),
                unlisted=tuple(item.get("unlisted", ())),
            )
            for key, item in head.get("options", {}).items()
        }
        for ruling in tables.rulings.values():
            if ruling.option:
                self.options[ruling.option] = Option(
                    ruling.option, ruling.question, ruling.rules[0], ruling.choices, ruling.choices[0], ruling.id
                )
        self.vocabulary = Vocabulary(head)
        self.places: dict[str, str] = {
            key: title for key, title in head.get("places", {}).items() if key in self.vocabulary.places.exact
        }
        self.bounds = {track.id: (track.low, track.high) for track in self.tracks.values()}
        self.cups: tuple[str, ...] = tuple(head.get("cups", ()))
        self.unchecked_places: tuple[str, ...] = tuple(head.get("aside", ()))
        self.practice: Mapping[str, str] | None = head.get("practice")
        self.alone: Mapping[str, str] = head.get("alone", {})
        self.alone_text: str = head.get("alone_text", "")

    # -- the rules ---------------------------------------------------------------------------------------------

    def new_referee(self, position: Position, options: Mapping[str, str], trial: bool = False) -> RefereeT:
        """The game's referee, who keeps the bounds of its tracks.

        Args:
            position, options: where an action starts.
            trial: whether a name that the game does not declare is a fault of the rules, to be raised at once.
        """
        referee = self.referee(position, options)
        referee.bounds = self.bounds
        if trial:
            referee.event_check = lambda event: self.event_fault(event, referee.position)
        return referee

    def event_fault(self, event: Event, position: Position) -> str:
        """What of an event on a position the game does not know, in words; "" where it knows all of it."""
        fault = self.vocabulary.event_fault(event, lambda: self.player_named_places(position))
        if not fault and isinstance(event, PieceMoved | PieceMade):
            return self.place_fault(event.now if isinstance(event, PieceMoved) else event.place, position)
        return fault

    def place_fault(self, place: str, position: Position) -> str:
        """Why a place that the game has by its name is not on this map, in words; "" where it is."""
        return ""

    @cached_property
    def corrections(self) -> "Corrections":
        """The manual corrections of the game, loaded at first use."""
        return self.make_corrections()

    @cached_property
    def map(self) -> "GameMap | None":
        """The map of the game, loaded at first use; None if it has no map."""
        return self.make_map()

    @cached_property
    def players(self) -> "Players":
        """The seats and policies of the game, loaded at first use."""
        return self.make_players()

    def make_corrections(self) -> "Corrections":
        """Build the manual corrections. A game with corrections of its own overrides this and imports them inside."""
        from companion.core.corrections import Corrections

        made: Corrections = self._module(self.by_hand).Own(self) if self.by_hand else Corrections(self)
        return made

    def make_map(self) -> "GameMap | None":
        """Build the map. A game with a map overrides this and imports it inside."""
        made: GameMap | None = self._module(self.map_in).Own(self) if self.map_in else None
        return made

    def make_players(self) -> "Players":
        """Build the seats and policies. A game with policies of its own overrides this and imports them inside."""
        from companion.core.policies import Players

        made: Players = self._module(self.players_in).Own(self) if self.players_in else Players(self)
        return made

    def _module(self, where: str) -> Any:
        """A module of the game's own folder."""
        from importlib import import_module

        return import_module(f"{self._home}.{where}")

    @cached_property
    def _home(self) -> str:
        """The package that is the game's own folder: that of its class, or its class's module itself."""
        from importlib import import_module

        name = type(self).__module__
        return name if hasattr(import_module(name), "__path__") else name.rpartition(".")[0]

    def player_named_places(self, position: Position) -> Collection[str]:
        """The places of a position that the game cannot list, since its player names them."""
        return ()

    def procedure(self, where: str) -> Named:
        """A procedure of the game's own folder, ``module:function``, loaded when it is first carried out."""
        return Named(self._home, where)

    def referee(self, position: Position, options: Mapping[str, str]) -> RefereeT:
        """The game's own referee on a position."""
        raise NotImplementedError

    def setup(self, referee: RefereeT) -> Procedure[None]:
        """The procedure of the first entry: puts everything where the scenario says."""
        raise NotImplementedError

    @property
    def actions(self) -> Sequence[Action]:
        """The actions in the order of the game's methods that `action` decorates."""
        return self._registered_actions

    @cached_property
    def _registered_actions(self) -> tuple[Action, ...]:
        return tuple([item._replace(run=run) for item, run in self._registered() if isinstance(item, Action)])

    @cached_property
    def _registered_situations(self) -> tuple[Situation, ...]:
        return tuple([item._replace(run=run) for item, run in self._registered() if isinstance(item, Situation)])

    def _registered(self) -> Iterator[tuple[Action | Situation, RuleFunction]]:
        """The decorated methods in the order of their definition, base classes first."""
        names = dict.fromkeys(name for part in reversed(type(self).__mro__) for name in vars(part))
        for name in names:
            item = getattr(getattr(type(self), name), _REGISTERED, None)
            if item is not None:
                yield item, partial(until_game_over, getattr(self, name))

    def default_action(self, position: Position) -> str:
        """The action that a bare Enter takes, or "" where none is the obvious next. It ends nothing while another action is
        open, unless the rules leave nothing else to be done.
        """
        return ""

    @property
    def situations(self) -> Sequence[Situation]:
        """The situations in the order of the game's methods that `situation` decorates."""
        return self._registered_situations

    @property
    def facts(self) -> Sequence[Fact]:
        facts: Sequence[Fact] = self._module(self.facts_in).FACTS if self.facts_in else ()
        return facts

    @property
    def has_bot(self) -> bool:
        """Whether there is an opponent that gives advice on request, beside what the procedures automate."""
        return False

    def bot(self, referee: RefereeT) -> Procedure[None]:
        """Says what the opponent would do, with its reasons."""
        raise NotImplementedError

    # -- the words ---------------------------------------------------------------------------------------------

    def banner(self, position: Position, options: Mapping[str, str]) -> Banner:
        """What stands over a prompt."""
        raise NotImplementedError

    def score(self, position: Position, options: Mapping[str, str]) -> Score:
        """The count of victory if the game ended now."""
        raise NotImplementedError

    def over(self, position: Position) -> str:
        """Why the game is over, or "" while it goes on."""
        return ""

    def obstacle_to(self, action: str, position: Position) -> Obstacle | None:
        """What stands against an action in a position: the game is over, or the action is out of sequence."""
        found = next((one for one in self.actions if one.id == action), None)
        if found is None:
            return None
        over = self.over(position) if found.usual else ""
        return Obstacle(f"the game is over: {over}", "") if over else found.obstacle(position)

    def track(self, track: str, value: int) -> str:
        return self.tracks[track].display(value) if track in self.tracks else str(value)

    def track_title(self, track: str) -> str:
        return self.tracks[track].title if track in self.tracks else ""

    def marker_title(self, track: str) -> str:
        """The words for a track whose marker lies on the table; "" for a count that only Companion keeps."""
        return self.track_title(track) if track not in self.tracks or self.tracks[track].on_table else ""

    def flag_title(self, flag: str) -> str:
        """The words for a flag that shows on the table; "" for one that does not."""
        return ""

    def place_title(self, place: str) -> str:
        return self.places.get(place, place)

    def is_narrated(self, event: Event) -> bool:
        """Whether a line tells an event; False where a few words say together what many events do in the books."""
        return True

    def pile_title(self, place: str) -> str:
        """The words for the pile in that place whose order counts, so that what goes back lies on top of it; "": it is none."""
        return ""

    def face_title(self, piece: Piece, face: str) -> str:
        return face

    def mark_title(self, mark: str) -> str:
        """The words for a mark; "" for one that only Companion keeps, and that is not shown."""
        return mark

    def mark_sentence(self, names: str, many: int, mark: str, value: Value) -> str:
        """What a mark says of some pieces, as a sentence without its stop: ``A has Fired``; "" for a mark that is not shown.

        Args:
            names: of the pieces, or a pronoun; ``many``: how many they are.
            value: what it says now, a piece by its name; None or False: it came off.
        """
        title = self.mark_title(mark)
        said = title if value is True else f"no {title}" if value is None or value is False else f"{title} {value}"
        return f"{names}: {said}" if title else ""

    def flip_sentence(self, names: str, many: int, piece: Piece, face: str) -> str:
        """That some pieces like this one show another face, as a sentence without its stop."""
        return f"{names} {'turns to its' if many == 1 else 'turn to their'} {self.face_title(piece, face)}"

    def track_sentence(self, track: str, was: int, now: int) -> str:
        """That a track moved, or was set, as the table says it."""
        shown = self.track(track, now)
        return f"{self.track_title(track)} {shown if was == now else f'{self.track(track, was)} -> {shown}'}"

    def piece_fix_lines(self, old: Piece | None, new: Piece | None) -> list[str] | None:
        """The game's own words for what to do on the table with a piece that differs, each text with "{}" for its name.

        For pieces whose place is known to the player otherwise than to Companion; an empty list: nothing is to be done.
        None: the usual words.
        """
        return None

    def piece_title(self, piece: Piece) -> str:
        """The piece with what is printed on it, for lists."""
        return piece.name

    def side(self, piece: Piece) -> str:
        """Whose a piece is: one of the seats of its players, or the name of an enemy that nobody plays; "" for nobody's."""
        return ""

    def mark_names(self, piece: Piece) -> Mapping[str, tuple[Value, ...]]:
        """The marks that a piece can bear, with their values besides None; no values: as the marks are declared."""
        return {}

    def contradictions(self, facts: Mapping[str, str]) -> list[str]:
        """What cannot be true together among printed facts (full key -> value, each in its notation), in words with its rule."""
        return []

    def contradiction(self, told: Mapping[str, str], key: str, value: str) -> str:
        """What one more fact contradicts of those that were told, in words; "" where it brings no contradiction."""
        before = self.contradictions(told)
        return next((fault for fault in self.contradictions({**told, key: value}) if fault not in before), "")

    def fact_in_words(self, key: str, value: str) -> str:
        """A printed fact in words (full key, value in its notation): ``2-11: open, water``; "" where they say no more."""
        fact = self.fact(key)
        told = fact.notation.describe(value) if fact else ""
        return f"{key.partition(':')[2] or key}: {told}" if told else ""

    def fact(self, key: str) -> Fact | None:
        """The kind of a full key such as ``space:3-8``."""
        head, colon, _ = key.partition(":")
        for fact in self.facts:
            if fact.id == head and fact.single != bool(colon):
                return fact
        return None

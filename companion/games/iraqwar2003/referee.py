"""The referee of Iraq War 2003: queries and questions shared by all procedures."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache, partial

from companion.core.charts import Chart
from companion.core.dice import grouped_rolls
from companion.core.errors import Impossible, Unreadable
from companion.core.events import Said
from companion.core.game import Obstacle
from companion.core.hints import TYPE_CHECKING, Any, Self, TypeVar
from companion.core.notation import Notation
from companion.core.position import FlagValue, Piece, Position, Value
from companion.core.procedures import AnyProcedure, ProcedureRun
from companion.core.referee import Referee
from companion.core.request import WhyNot
from companion.core.requests import Choice, Decision, Pick
from companion.core.text import clean, matching_names, natural_key, pick_name, plural, split_list
from companion.core.values import JsonObject
from companion.core.vocabulary import PLAYER
from companion.games.iraqwar2003 import notation, state
from companion.games.iraqwar2003.facts import FIGURES
from companion.games.iraqwar2003.rules import r15_control

if TYPE_CHECKING:
    from companion.core.candidates import Recommendation
    from companion.games.iraqwar2003.ai.planner import Planner

T = TypeVar("T")
Excluded = Callable[[Piece], tuple[str, str] | None]
"""Why a unit cannot be chosen: the reason, with ``{}`` for its name, and the rule."""
_DESCRIBED = "@2231"
_VALUE_WORDS = {"air": "air combat", "bombing": "bombing"}


def is_rule_on(position: Position, name: str) -> bool:
    """[16.0] Return True if an optional rule is in force; the set-up stores this in the position."""
    return position.flag(state.option_flag(name)) == state.ON


def _side_on_map(piece: Piece) -> Hashable:
    return notation.side_of(piece) if state.is_on_map(piece) else None


def _air_side(piece: Piece) -> Hashable:
    return notation.side_of(piece) if piece.kind == state.AIR else None


def units_on_map_of(position: Position, side: state.Side | None = None) -> list[Piece]:
    """Ground combat units on the map, of one side or of both."""
    return position.pieces_in_group(_side_on_map, side) if side else state.units_on_map(position)


def side_units_in(position: Position, side: state.Side, place: str) -> list[Piece]:
    """Ground combat units of a side in a hex; empty for an unknown hex."""
    return [piece for piece in state.units_in(position, place) if notation.side_of(piece) == side]


def derived_from_side(position: Position, side: state.Side, look: Callable[[Iterable[Piece]], T]) -> T:
    """A value derived from a side's units on the map, cached until one of them changes."""
    return position.cached_from_group(_side_on_map, side, look)


def reinforcements_due(position: Position) -> list[Piece]:
    """[16.8(1)] Units off the map that arrive this turn."""
    return [piece for piece in position.at(state.OFF_MAP) if piece.number("turn") == position.track("turn")]


def not_in_play(position: Position, unit: notation.Unit) -> Obstacle | None:
    """[2.2.10, 2.7, 16.8(1)] Why a unit cannot be on the map: its option is off, or it arrives later."""
    turkish = unit.nation == notation.TURKISH
    option = state.TURKEY if turkish else state.REINFORCEMENTS
    if (turkish or unit.turn) and not is_rule_on(position, option):
        cure = f"It is in a game with --option {option}=on"
        return Obstacle(f"{unit.name} is not in this game", "2.7" if turkish else "2.2.10", cure)
    if unit.turn > position.track("turn"):
        return Obstacle(f"{unit.name} arrives on turn {unit.turn}", "16.8(1)", "Enter it, and it comes by itself: units")
    return None


def boxes(position: Position, kind: str = "", site: str = "") -> list[Piece]:
    """Facility boxes, optionally of one kind and one site."""
    if not site:
        return position.having("box", kind) if kind else position.of_kind(state.BOX)
    pieces = position.at(state.site_place(site))
    return [piece for piece in pieces if kind in ("", piece.values.get("box"))]


def intact(pieces: Iterable[Piece]) -> list[Piece]:
    """The boxes without a damaged marker."""
    return [piece for piece in pieces if piece.mark(state.DAMAGED) is None]


def used_up(position: Position) -> int:
    """Air Fields used this turn: units in the Iraqi Used box and markers of removed ones (ruling C-18)."""
    return len(position.at(state.used_box(state.IRAQ)))


def radar_works(position: Position, sector: str) -> bool:
    """[5.8.1(2), 6.1.1(2)] True if Iraq can intercept in a sector: one intact or unknown Radar is enough."""
    radars = [piece for piece in boxes(position, notation.RADAR) if notation.sector_of(piece) == sector]
    return not radars or bool(intact(radars))


class IraqWarReferee(Referee):
    """Runs the procedures of Iraq War 2003.
    | Args:
        priorities: The content of ``ai.toml``.
        make_planner: Builds the planner of a referee. Injected, because planners import the rules.
    | Attributes:
        because: The reasons of the planner's last decision, until they are shown.
        columns: On a hypothetical position, the known columns of the Combat Results Chart; None asks the session.
    """

    because: tuple[str, ...] = ()

    def __init__(
        self,
        position: Position,
        options: Mapping[str, str],
        charts: Mapping[str, Chart],
        priorities: JsonObject | None = None,
        make_planner: Callable[[IraqWarReferee], Planner] | None = None,
    ) -> None:
        super().__init__(position, options, charts)
        self.priorities = priorities or {}
        self._make_planner = make_planner
        self.columns: Mapping[str, str] | None = None

    def with_position(self, position: Position) -> Self:
        referee = type(self)(position, self.options, self.charts, self.priorities, self._make_planner)
        referee.columns = self.columns
        return referee

    @property
    def planner(self) -> Planner:
        """The planner of Companion's sides, on this position."""
        assert self._make_planner, "this referee has no planner"
        return self._make_planner(self)

    async def known_facts(self, fact: str, rule: str) -> Mapping[str, str]:
        if self.columns is None:
            return await super().known_facts(fact, rule)
        return self.columns if fact == "crt" else {}

    # -- whose turn --------------------------------------------------------------------------------------------

    @property
    def side(self) -> state.Side:
        """[4.0] The current player."""
        return state.current_side(self.position)

    @property
    def phase(self) -> state.Phase:
        """[4.1] The phase of the player turn."""
        return state.current_phase(self.position)

    @property
    def turn(self) -> int:
        return self.position.track("turn")

    def has_rule(self, name: str) -> bool:
        """[16.0] Return True if an optional rule is in force; before the set-up, as the options say."""
        if state.option_flag(name) in self.position.flags:
            return is_rule_on(self.position, name)
        return state.ON in (self.option(name), self.option("recommended") if name in state.RECOMMENDED else "")

    def computer_plays(self, side: state.Side) -> bool:
        """Return True if Companion decides for a side."""
        return self.option(side) not in ("", PLAYER)

    def decide(self, request: Decision[Any], side: state.Side, choice: Any) -> None:
        """Set the planner's choice for a side that Companion plays: as the suggestion, or as the certain answer if it acts."""
        request.suggest, request.seat = choice, side
        if not self.computer_plays(side):
            self._set_apart(request)
            return
        because, self.because = self.because, ()
        if self.option("opponent") == state.ACTS:
            request.implied_reply = choice
            request.is_announced = bool(because)  # a planner that gives reasons has said what it does
        else:
            request.advice = lambda: _recommended(choice, because)

    async def ask_own(self, side: state.Side, request: Decision[T], choice: Any) -> T:
        """Ask a side's question; where Companion plays the side, it chooses."""
        if self.computer_plays(side):
            self.decide(request, side, choice)
        return await request

    async def ask_side(self, side: state.Side, request: Decision[T]) -> T:
        """Ask a side that need not be the current player."""
        request.seat = side
        if not self.computer_plays(side):
            self._set_apart(request)
        return await request

    def _set_apart(self, request: Decision[Any]) -> None:
        """Mark a player's decision in the player turn of Companion's side, where most prompts need only Enter."""
        if self.computer_plays(self.side):
            request.prefix_prompt("Yours")

    def offer_advice(self, request: Decision[Any], propose: Callable[[IraqWarReferee], AnyProcedure]) -> None:
        """Attach the planner's answer to a question; it is computed on request, on a separate referee."""
        request.advice = lambda: self._advice(propose)

    def _advice(self, propose: Callable[[IraqWarReferee], AnyProcedure]) -> Recommendation[Any] | None:
        """The planner's answer, None if it would have to ask a question first."""
        table = self.with_position(self.position)
        run = ProcedureRun(table, propose(table))
        if run.request is not None:
            run.close()
            return None
        because = tuple(line for event in table.events if isinstance(event, Said) for line in event.because)
        return _recommended(run.result, because)

    async def die(self, key: str, prompt: str, rule: str) -> tuple[int, str]:
        """Roll a die and look its face up in a column of the chart ``die``; returns the face and its meaning."""
        chart = self.chart("die")
        outcomes = partial(grouped_rolls, 1, 6, 1, lambda faces: chart.text(faces[0], key))
        (face,) = await self.roll(key, prompt, rule, outcomes=outcomes)
        return face, chart.text(face, key)

    # -- the Air Operation Display -----------------------------------------------------------------------------

    async def enter_display(self) -> None:
        """[2.1.2] Ask once for the values printed on the Air Operation Display."""
        for name in notation.SITES:
            if not boxes(self.position, site=name):
                key, site_notation = notation.site_fact(name)
                is_radar_site = name in notation.SECTORS
                parts = "firepower of each AA Fire box, with blanks between" if is_radar_site else "sector, AA firepowers, boxes"
                entered = await self.printed(key, f"{notation.SITE_TITLES[name]}: {parts}", "6.1.2", site_notation)
                self.place_site(name, notation.read_site(entered, is_radar_site))

    def place_site(self, name: str, site: notation.Site) -> None:
        """Lay out the boxes of a site."""
        sector = site.sector or name
        for title, (kind, fire) in notation.box_names(name, site).items():
            values: dict[str, Value] = {"box": kind, "site": name, "sector": sector, **({"fire": fire} if fire else {})}
            self.make(state.BOX, title, state.site_place(name), "6.1.1", values=values)

    def aa_shots(self, site: str) -> tuple[int, ...]:
        """[6.3(1), 6.3(3)] One shot per undamaged AA Fire box of a site [5.6.1(2), 6.1.1(1), 6.3(2)]."""
        return tuple(piece.number("fire") for piece in intact(boxes(self.position, "aa", site)))

    def airfields_left(self) -> int:
        """[5.8.2(1), 6.1.1(4)] Iraqi air units that can still be used this turn."""
        return max(len(intact(boxes(self.position, "airfield"))) - used_up(self.position), 0)

    # -- air units ---------------------------------------------------------------------------------------------

    def air_units(self, side: state.Side, place: str = "available") -> list[Piece]:
        """Air, carrier and naval units in a side's Available box; ``any``: also used and removed ones."""
        if place == "any":
            return self.position.pieces_in_group(_air_side, side)
        return [piece for piece in self.position.at(state.available_box(side)) if piece.kind == state.AIR]

    async def air_values(self, piece: Piece) -> notation.AirValues:
        """[2.3] The values printed on an air unit, asked for once."""
        cached = self.known_values(piece)
        if cached:
            return cached
        stem = piece.name.partition(" (")[0]
        figures = rulebook_figures(stem, str(piece.values.get("type")))
        shown = ", ".join(f"{_VALUE_WORDS[value_name]} {value}" for value_name, value in figures.items())
        prompt = f"{stem}: air combat-ground support-bombing, and stealth for a white silhouette"
        prompt += f" (the rulebook shows {shown})" if shown else ""
        like, values = self._last_of_kind(piece)
        prompt += f"; same: {values}, as {like}" if like else ""
        values_read = notation.read_air(await self.printed(f"air:{stem}", prompt, "2.3", notation.air_notation(values)))
        for value_name, value in figures.items():
            entered = getattr(values_read, value_name)
            if int(value) != entered:
                text = f"{stem}: {_VALUE_WORDS[value_name]} {entered}, though the rulebook shows {value}."
                self.say(text, "5.5", tone="warning")
        self.set_flag(state.air_flag(stem), str(values_read), "2.3")
        return self.known_values(piece) or values_read

    def _last_of_kind(self, piece: Piece) -> tuple[str, str]:
        """For a ship or carrier the last one of its kind with known values, and the values; else "" and ""."""
        kind, last = str(piece.values.get("type")), ("", "")
        for unit in self.position.of_kind(state.AIR) if kind != "air" else ():
            text = self._values_text(unit)
            if str(unit.values.get("type")) == kind and isinstance(text, str):
                last = unit.name, text
        return last

    def _values_text(self, piece: Piece) -> FlagValue:
        """The values of an air unit in their notation, as on its roster or as entered later."""
        return piece.values.get("values") or self.position.flag(_values_flag(piece.name))

    def known_values(self, piece: Piece) -> notation.AirValues | None:
        """The values of an air unit, None if unknown; paratroops in flight have none [16.2(5)]."""
        if piece.kind == state.UNIT:
            return _NO_VALUES
        text = self._values_text(piece)
        if not isinstance(text, str):
            return None
        white = notation.is_naval(piece) and self.option("ships") != "as_told"  # (ruling C-46)
        return _read_stealthy(text) if white else notation.read_air(text)

    def enforce(self, obstacle: Obstacle | None) -> None:
        """Refuse if there is an obstacle; a player may insist, which is recorded."""
        if obstacle:
            self.forbid(*obstacle)

    def points(self, row: str) -> str:
        """[15.2] Victory points of a chart row with their sign: ``-2 VP``."""
        return f"{self.chart('victory').number(row, 'vp'):+d} VP"

    def air_choices(self, pieces: Iterable[Piece]) -> list[Choice]:
        return [Choice(piece.name, piece.name, partial(self._air_text, piece)) for piece in pieces]

    def _air_text(self, piece: Piece) -> str:
        return str(self.known_values(piece) or "")

    # -- ground units ------------------------------------------------------------------------------------------

    def names_with_verb(self, pieces: Sequence[Piece], singular: str, plural: str) -> str:
        """The names of pieces and the verb in their number: ``1/3ID advances``."""
        return f"{self.piece_names(pieces)} {singular if len(pieces) == 1 else plural}"

    def unit_choices(self, pieces: Iterable[Piece]) -> list[Choice]:
        cached = _CHOICES.get
        return [entry[1] if (entry := cached(piece.id)) and entry[0] is piece else _unit_choice(piece) for piece in pieces]

    def ordered_unit_choices(self, pieces: Iterable[Piece]) -> list[Choice]:
        """Choices of units in natural order: the 2nd before the 11th."""
        return self.unit_choices(natural_order(pieces))

    async def pick_units(
        self, key: str, prompt: str, rule: str, pieces: Sequence[Piece], excluded: Excluded = lambda piece: None
    ) -> list[Piece]:
        """Ask which of some units are meant; not asked if there are none. ``excluded``: why another unit on the map is not."""
        if not pieces:
            return []
        request = Pick(key, prompt, rule, self.unit_choices(pieces), suggest=[])
        request.why_not = self.excluded_unit(excluded)
        chosen = await request
        return [piece for piece in pieces if piece.name in chosen]

    def excluded_unit(self, excluded: Excluded) -> WhyNot:
        """Why a named unit on the map cannot be chosen, its name in place of ``{}``."""

        def why_not(name: str) -> tuple[str, str] | None:
            names = [piece.name for piece in state.units_on_map(self.position)]
            fitting = matching_names(name, names)
            unit = state.unit_named(self.position, fitting[0]) if len(fitting) == 1 else None
            reason = excluded(unit) if unit else None
            return (reason[0].format(fitting[0]), reason[1]) if reason else None

        return why_not

    def unit_list(
        self, pieces: Sequence[Piece], side: state.Side, low: int = 0, high: int = 99, described: str = _DESCRIBED
    ) -> Notation:
        """Notation of units: names or prefixes (also not offered), described counters, hexes, ``@2231``, ``none``, ``all``.

        Args:
            described: What follows in the example of a described unit: symbols on its counter, and where it stands.
        """

        def read(text: str) -> str:
            plain, offered = clean(text), [piece.name for piece in pieces]
            if state.is_none(plain):
                parts: list[str] = []
            elif plain.casefold() == "all":
                parts = offered
            else:
                parts = [unit_name for part in split_list(plain) for unit_name in self._units(part, offered, side)]
            if len({state.split_place(part)[0] for part in parts}) != len(parts) or not low <= len(parts) <= high:
                raise _count_error(len(parts), low, high)
            return ", ".join(parts) or state.NONE

        if pieces:
            return Notation("units", pieces[0].name, read)
        return Notation("units", self.described_example(side, described) if low else state.NONE, read)

    def described_example(self, side: state.Side, described: str) -> str:
        """A counter that is not in the game yet, with what follows its printed values."""
        examples = (notation.unit_example(side, number) for number in range(6, 100))
        unknown = (text for text in examples if not state.unit_named(self.position, text.split()[1]))
        return f"{next(unknown)} {described}".strip()

    def _units(self, text: str, offered: Sequence[str], side: state.Side) -> list[str]:
        """The units that one part of a list means: those in a hex, or one unit with its place."""
        if state.is_hex(text):
            in_hex = [piece.name for piece in state.units_in(self.position, text) if notation.side_of(piece) == side]
            if not in_hex:
                cure = f"Name them with their hex: {offered[0] if offered else 'UNIT'} @{text}"
                raise Unreadable(f"Companion knows of no {state.SIDE_TITLES[side]} unit in {text}", rule="2.1.1(1)", cure=cure)
            return in_hex
        if text in offered:
            return [text]
        name, place = state.split_place(text)
        normal = notation.as_printed(name) if notation.looks_like_unit(name) else self._named(name, offered)
        return [state.with_place(normal, place)]

    def _named(self, text: str, offered: Sequence[str]) -> str:
        """Resolve a unit name, offered units first."""
        if text in offered:
            return text
        if not matching_names(text, offered):
            others = [piece.name for piece in self.position.of_kind(state.UNIT) if piece.name not in offered]
            if matching_names(text, others):
                return pick_name(text, others, "unit")
        return pick_name(text, offered, "unit", cure=_naming_cure(offered, self.described_example(state.COALITION, "")))

    async def ask_units(
        self,
        key: str,
        prompt: str,
        rule: str,
        pieces: Sequence[Piece],
        side: state.Side,
        low: int = 0,
        high: int = 99,
        suggest: str | None = None,
        described: str = _DESCRIBED,
    ) -> list[Piece]:
        """Ask for units by name; units described for the first time enter the game."""
        choices = [*([Choice(state.NONE, "none of them")] if not low else []), *self.ordered_unit_choices(pieces)]
        readable = self.unit_list(pieces, side, low, high, described)
        return await self.units_named(await self.text(key, prompt, rule, readable, choices, suggest))

    async def units_named(self, text: str) -> list[Piece]:
        """[2.1.1(1), 2.2.5] The units of a normalised list; described units enter the game, and given places are recorded."""
        pieces: list[Piece] = []
        for part in split_list(text) if text != state.NONE else ():
            name, place = state.split_place(part)
            if notation.looks_like_unit(name):
                piece = await self.described(name)
            else:
                unit = state.unit_named(self.position, name)
                assert unit
                piece = unit
            pieces.append(self.place_at(piece, place))
        for piece in pieces:
            if not state.is_on_map(piece):
                self.forbid(f"{piece.name} is not on the map", "2.1.1(1)", "Name another unit")
        return [piece for number, piece in enumerate(pieces) if piece not in pieces[:number]]

    def place_at(self, piece: Piece, place: str) -> Piece:
        """[2.1.1(1), 15.2] Record the hex of a unit on the map, and that it holds the VP place there; "" changes nothing."""
        if place and state.is_on_map(piece):
            self.move(piece.id, place, "2.1.1(1)", "where it stands")
            r15_control.hold_places(self, [place], "where it stands")
            r15_control.leave_hex(self, piece, piece.place, "where it stands")
        return self.piece(piece.id)

    async def described(self, text: str) -> Piece:
        """[2.2.10] Enter a described unit on the map, or refuse it."""
        unit = notation.read_unit(text)
        self.enforce(not_in_play(self.position, unit))
        return await self.enter(unit)

    async def enter(self, unit: notation.Unit, place: str = state.MAP, remembered: bool = False) -> Piece:
        """[2.2] Add a ground unit and remember its printed values; an existing unit of that name is returned."""
        existing = state.unit_named(self.position, unit.name)
        if existing and notation.nation(existing) == unit.nation:
            if existing.values != notation.unit_values(unit):
                self.say(f"{unit.name} was entered before with other values: {unit_text(existing)} holds.", "2.2", tone="warning")
            return existing
        if existing:
            cure = f"Name this one {unit.nation}-{unit.name}, for example"
            raise Impossible(f"another unit is called {unit.name}", rule="2.2.5", cure=cure)
        if not remembered:
            await self.record_fact(f"unit:{unit.name}", str(unit), "2.2")
        return self.piece(self.make(state.UNIT, unit.name, place, "2.2", values=notation.unit_values(unit)))


def rulebook_figures(name: str, kind: str) -> dict[str, str]:
    """[5.5, 5.7] Values of a unit that the rulebook shows: ``air`` and ``bombing``."""
    figures: dict[str, str] = {}
    for key, value in FIGURES.items():
        owner, _, value_name = key.partition(" ")
        if name.casefold() == owner.casefold() or (owner == kind == "carrier"):
            figures[value_name] = value
    return figures


_NO_VALUES = notation.AirValues(0, 0, 0)


@lru_cache(maxsize=256)
def _values_flag(name: str) -> str:
    """The flag with the values of an air unit; units of one kind share it."""
    return state.air_flag(name.partition(" (")[0])


@lru_cache(maxsize=256)
def _read_stealthy(text: str) -> notation.AirValues:
    """Read air values as those of a white silhouette."""
    return notation.read_air(text)._replace(stealth=True)


_RANKS: dict[str, int] = {}
"""Cache: rank of each unit name in natural order, because numbers sort faster than names."""


def natural_order(pieces: Iterable[Piece]) -> list[Piece]:
    """Sort units by name in natural order."""
    units = list(pieces)
    try:
        ranks = [_RANKS[piece.name] for piece in units]
    except KeyError:
        old = _RANKS if len(_RANKS) < _MOST_CHOICES else ()
        keys = {name: natural_key(name) for name in [*old, *(piece.name for piece in units)]}
        places = {key: place for place, key in enumerate(sorted(set(keys.values())))}
        ranked = {name: places[key] for name, key in keys.items()}
        _RANKS.clear()
        _RANKS.update(ranked)
        ranks = [ranked[piece.name] for piece in units]
    return [units[index] for index in sorted(range(len(units)), key=ranks.__getitem__)]


_CHOICES: dict[str, tuple[Piece, Choice]] = {}
"""Cache: unit id to the piece and its choice."""
_MOST_CHOICES = 1_000


def _unit_choice(piece: Piece) -> Choice:
    if len(_CHOICES) >= _MOST_CHOICES:
        _CHOICES.clear()
    choice = Choice(piece.name, piece.name, partial(unit_text, piece))
    _CHOICES[piece.id] = piece, choice
    return choice


_SHOWN = (state.DISRUPTED, state.OUT_OF_SUPPLY, state.MOVED)


def counter_text(piece: Piece) -> str:
    """Nation and values of a ground unit."""
    return f"{notation.NATION_TITLES.get(notation.nation(piece), notation.nation(piece))} {notation.printed_side(piece)}"


def unit_text(piece: Piece) -> str:
    """Values, face, place and marks of a ground unit, for lists."""
    text = f"{counter_text(piece)}{' reduced' if piece.face == 'reduced' else ''}"
    text += f" @{piece.place}" if state.is_hex(piece.place) else ""
    return " ".join([text, *(mark for mark in _SHOWN if mark in piece.marks)]) if piece.marks else text


def _naming_cure(names: Sequence[str], example: str) -> str:
    listed = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
    described = f"describe one as on its counter: {example}"
    return f"You can name {listed}; or {described}" if names else f"No unit has been entered yet; {described}"


def _count_error(count: int, low: int, high: int) -> Unreadable:
    bounds = f"{low} or more" if high >= 99 else str(low) if low == high else f"{low} to {high}"
    text = f"{plural(count, 'unit')} named, or one twice; {bounds} needed"
    return Unreadable(text, rule="2.2.5", cure="Name each once, with commas")


def _recommended(choice: Any, reasons: tuple[str, ...]) -> Recommendation[Any]:
    """A choice without alternatives, as advice."""
    from companion.core.candidates import Candidate, Recommendation

    return Recommendation(Candidate(choice, str(choice), reasons=reasons))

"""The referee of LZ Albany: lookups, points, hits, dice and decisions that all its procedures share."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial

from companion.core.candidates import Recommendation
from companion.core.dice import RollOutcome
from companion.core.game import Tables
from companion.core.hints import TYPE_CHECKING, Any, Self, TypeVar, cast
from companion.core.notation import Notation
from companion.core.odds import distribution
from companion.core.position import Piece, Position
from companion.core.procedures import GameOver
from companion.core.referee import Referee
from companion.core.requests import Choice, LazyText, Request, Roll
from companion.core.rollouts import choose_by_rollouts, level_of
from companion.core.text import matching_names
from companion.games.lzalbany import state
from companion.games.lzalbany.areas import TRANSITION, AreaMap, is_area, title
from companion.games.lzalbany.notation import decision_text
from companion.games.lzalbany.rules.r04_victory import LAST_TURN, RETREAT_AT, WIN_AT, count, handicap
from companion.games.lzalbany.rules.r07_melee import DiceRules, Die, Stacking
from companion.games.lzalbany.rules.r08_hits import FirstHitKind, HitPlacer, HitRules, HitValues, Target, place_hits

if TYPE_CHECKING:
    from companion.games.lzalbany.ai.features import Features, StackCache
    from companion.games.lzalbany.ai.planner import Planner
    from companion.games.lzalbany.ai.valuation import SharedValues, Valuation

T = TypeVar("T")
D = TypeVar("D")

_CACHE_SIZE = 10_000
"""Placements of hits that are kept."""
_UNKNOWN = {"area": "sawgrass", "next": "elsewhere"}
"""What a hypothetical position assumes of an unknown map: open ground, next to an empty area."""

Limit = int | Callable[[], int]
"""The highest count of a roll that makes a difference; a function is evaluated only for exact odds."""


def _by_place(piece: Piece) -> Hashable:
    return piece.place, piece.values.get("side")


def _units_by_place(piece: Piece) -> Hashable:
    return (piece.place, piece.values.get("side")) if piece.kind == state.UNIT else None


def _on_map_by_side(piece: Piece) -> Hashable:
    return piece.values.get("side") if is_area(piece.place) else None


def _on_map_by_kind(piece: Piece) -> Hashable:
    return (piece.values.get("side"), piece.kind) if is_area(piece.place) else None


def _on_map_by_group(piece: Piece) -> Hashable:
    return piece.values.get("group") if is_area(piece.place) else None


def _held_by(side: state.Side) -> Callable[[Position], list[str]]:
    return lambda position: position.cached_from_group(_on_map_by_side, side, _held)


def _held(pieces: Iterable[Piece]) -> list[str]:
    return sorted({piece.place for piece in pieces if state.holds_area(piece)})


_HELD: Mapping[str, Callable[[Position], list[str]]] = {side: _held_by(side) for side in state.SIDES}


def _disputed(position: Position) -> frozenset[str]:
    """[7.2] Areas with platoons of both sides."""
    us, nva = [position.cached_from_group(_on_map_by_kind, (side, state.UNIT), _places) for side in state.SIDES]
    return us & nva - {TRANSITION}


def _places(pieces: Iterable[Piece]) -> frozenset[str]:
    return frozenset([piece.place for piece in pieces])


class GameData:
    """Shared by all referees of the game: tables, charts read once, the planner and caches.

    `rollout_range`: VP behind the best candidate up to which another one is worth a rollout; `hard_range` at level ``hard``.
    """

    def __init__(self, tables: Tables, planner: Callable[[AlbanyReferee, state.Side], Planner]) -> None:
        self.charts = tables.charts
        self.counters = tables.counters
        self.ai = tables.bot
        self.rollout_range, self.hard_range = (float(tables.bot["rollout"][key]) for key in ("range", "hard_range"))
        self.planner = planner
        self.die = Die(tables.charts["die"])
        self.hit_values = HitValues(tables.charts["victory"])
        self.stacking = Stacking(tables.charts["stacking"])
        self.jungle = -tables.charts["terrain"].number("jungle", "fire")
        self.groups: Mapping[str, list[str]] = {
            side: [g for g in state.GROUPS if tables.charts["groups"].text(g, "side") == side] for side in state.SIDES
        }
        self.valuations: tuple[tuple[object, ...], Features, dict[state.Side | None, Valuation]] | None = None
        self.shared_values: dict[tuple[object, ...], SharedValues] = {}
        self.stacks: StackCache | None = None
        self.side_weights: dict[state.Side | None, Mapping[str, float]] = {}
        self._rules: tuple[Mapping[str, str], tuple[DiceRules, HitRules]] | None = None
        self._placed: dict[Hashable, tuple[Target | None, ...]] = {}

    def weights(self, side: state.Side | None) -> Mapping[str, float]:
        """The weights of the planner of a side, or those that both sides share."""
        if side not in self.side_weights:
            shared: Mapping[str, float] = self.ai["weights"]
            self.side_weights[side] = {**shared, **self.ai["sides"][side.casefold()]} if side else shared
        return self.side_weights[side]

    def rules(self, options: Mapping[str, str]) -> tuple[DiceRules, HitRules]:
        """The rules on stacking [6.1] and on placing hits [8.1] with these options; the last ones are cached."""
        if self._rules is None or self._rules[0] is not options:
            dice_rules = DiceRules(self.stacking, options.get("over_stacking", "") != "dice", self.jungle)
            hit_rules = HitRules(options.get("wounded_hits", "") == "last", options.get("own_officers", "") == "free")
            self._rules = options, (dice_rules, hit_rules)
        return self._rules[1]

    def placed_hits(
        self, targets: tuple[Target, ...], hits: int, first: tuple[FirstHitKind, ...], cap: int, rules: HitRules
    ) -> tuple[Target | None, ...]:
        """[8.1] The targets after hits that are placed without questions; cached."""
        key = targets, hits, first, cap, rules
        if key not in self._placed:
            if len(self._placed) > _CACHE_SIZE:
                self._placed.clear()
            (self._placed[key],) = distribution(lambda: place_hits(targets, hits, HitPlacer(self.hit_values, rules), first, cap))
        return self._placed[key]


class AlbanyReferee(Referee):
    """Runs the procedures of LZ Albany.

    Attributes:
        data: What all referees of the game share.
        interactive: False on a hypothetical position: each question gets the suggested answer.
        lit_areas: [11.2] Areas with flares that burn in the current action.
        has_adrenaline: [5.3] The current activation has two actions.
        acting_officers: [5.2D] Ids of the officers activated with the current chit.
        acting_side: [5.2] The side whose Fire/Move chit is played; "" at other times.
    """

    def __init__(self, position: Position, options: Mapping[str, str], data: GameData) -> None:
        super().__init__(position, options, data.charts)
        self.data = data
        self.die = data.die
        self.dice_rules, self.hit_rules = data.rules(options)
        self.interactive = True
        self._map: AreaMap | None = None
        self.lit_areas: frozenset[str] = frozenset()
        self.has_adrenaline = False
        self.acting_officers: set[str] = set()
        self.acting_side = ""
        self._night = -1, False

    def with_position(self, position: Position) -> Self:
        referee = AlbanyReferee(position, self.options, self.data)
        referee.interactive = False
        referee.lit_areas, referee.has_adrenaline = self.lit_areas, self.has_adrenaline
        referee.acting_officers = set(self.acting_officers)
        return cast("Self", referee)

    def limited_to(self, places: Iterable[str]) -> Self:
        """A hypothetical position with only the pieces in some places, for exact odds."""
        kept = set(places)
        pieces = {piece.id: piece for piece in self.position.pieces.values() if piece.place in kept}
        return self.hypothetical(self.position.changed(pieces=pieces))

    @property
    def turn(self) -> int:
        return self.position.track(state.TURN)

    @property
    def phase(self) -> state.Phase | None:
        """The current phase; None before the set-up."""
        return state.phase_of(self.position)

    def enter_phase(self, phase: state.Phase, rule: str) -> None:
        self.set_flag(state.PHASE, phase, rule)

    @property
    def night(self) -> bool:
        """[11.0] True on a night turn."""
        turn = self.turn
        if self._night[0] != turn:
            self._night = turn, state.is_night(self.chart("turns"), turn)
        return self._night[1]

    def is_dark(self, *areas: str) -> bool:
        """[11.1, 11.2] True if night affects an attack: no flare burns in one of its areas (ruling C-70)."""
        return self.night and not self.lit_areas.intersection(areas)

    @property
    def nva_retreats(self) -> bool:
        """[5.2E] True once the NVA must leave the map."""
        return bool(self.position.flag(state.RETREAT))

    def is_computer(self, side: state.Side) -> bool:
        """True if Companion plays a side."""
        return self.recording and self.option(side.casefold()) != "player"

    @property
    def acts_at_once(self) -> bool:
        """True if the opponent acts at once; otherwise the player confirms its larger decisions."""
        return self.option("opponent") in ("acts", "at_once")

    @property
    def map(self) -> AreaMap:
        """The map as far as it is known."""
        known, flags = self._map, self.position.flags
        if known is None or known.flags is not flags or known.position.pieces is not self.position.pieces:
            known = self._map = AreaMap(self.position)
        return known

    def pieces(self, area: str, side: state.Side, *kinds: str) -> list[Piece]:
        """Counters of a side in an area, of these kinds or of any."""
        pieces = self.position.pieces_in_group(_by_place, (area, side))
        return [piece for piece in pieces if piece.kind in kinds] if kinds else pieces

    def units(self, area: str, side: state.Side) -> list[Piece]:
        """Platoons of a side in an area; only they count for stacking [6.1]."""
        return self.position.pieces_in_group(_units_by_place, (area, side))

    def unit_count(self, area: str, side: state.Side) -> int:
        """The number of platoons of a side in an area."""
        return self.position.count_in_group(_units_by_place, (area, side))

    def officers(self, area: str, side: state.Side) -> list[Piece]:
        """Unwounded officers of a side in an area."""
        return [piece for piece in self.pieces(area, side, state.OFFICER) if state.is_unwounded(piece)]

    def held_areas(self, side: state.Side) -> list[str]:
        """Areas with platoons or unwounded officers of a side, in alphabetical order."""
        return list(self.position.cached_from_pieces(_HELD[side]))

    def is_present(self, area: str, side: state.Side) -> bool:
        """True if platoons or unwounded officers of a side are in an area."""
        return area in self.position.cached_from_pieces(_HELD[side])

    def is_disputed(self, area: str) -> bool:
        """[7.2] True if both sides have platoons in an area (ruling D-6); never in the Transition Area [6.5]."""
        return area in self.position.cached_from_pieces(_disputed)

    def on_map(self, side: state.Side, *kinds: str) -> list[Piece]:
        """Counters of a side in the areas of the map, of these kinds."""
        if len(kinds) == 1:
            return self.position.pieces_in_group(_on_map_by_kind, (side, kinds[0]))
        return [piece for piece in self.position.pieces_in_group(_on_map_by_side, side) if piece.kind in kinds]

    def group(self, group: str) -> list[Piece]:
        """[5.2B, 5.2C] Counters of a unit group on the map."""
        return self.position.pieces_in_group(_on_map_by_group, group)

    def group_title(self, group: str) -> str:
        """The title of a unit group; some counters, such as the artillery and those of senior officers, belong to none."""
        return self.chart("groups").text(group, "title") if group in state.GROUPS else "no unit group"

    def used_boxes(self, group: str) -> int:
        """[5.2] Fire/Move chits on a group's track."""
        return self.position.count(state.track_box(group, state.FIRE)) + self.position.count(state.track_box(group, state.MOVE))

    def counter_called(self, text: str, side: str = "", group: str = "") -> Piece | None:
        """The platoon, officer or Wounded marker that a typed name means, of several the likeliest; None if none is meant."""
        kinds = (state.UNIT, state.OFFICER, state.WOUNDED)
        named = {piece.name: piece for piece in self.position.pieces.values() if piece.kind in kinds}

        def unlikeliness(name: str) -> tuple[bool, ...]:
            piece, is_whole = named[name], name.casefold().startswith(f"{text.strip().casefold()}/")
            return not is_area(piece.place), state.group_of(piece) != group, state.side_of(piece) != side, not is_whole

        return min((named[name] for name in matching_names(text, named)), key=lambda p: unlikeliness(p.name), default=None)

    def area_called(self, text: str) -> str:
        """The area of the map that a typed name means; "" if none."""
        word = text.strip().casefold()
        return next((area for area in self.map.areas() if word in (area.casefold(), title(area).casefold())), "")

    def occupants(self, area: str, side: state.Side) -> str:
        """The names of the counters of a side in an area."""
        return self.piece_names(self.pieces(area, side))

    def area_choices(self, areas: Iterable[str], side: state.Side) -> list[Choice]:
        """Areas as choices, each with the counters of a side there."""
        return [Choice(area, title(area), partial(self.occupants, area, side)) for area in areas]

    def award(self, item: str, why: str, times: int = 1) -> None:
        """[4.1] Score an item of the schedules, with its immediate consequences [4.2, 5.2E]; not on a hypothetical position."""
        if not self.recording:
            return
        chart = self.chart("victory")
        side, points = chart.text(item, "side"), chart.number(item, "points") * times
        if points <= 0:
            return
        rule = chart.cite(item)
        flag = state.points_flag(item)
        scored = self.position.flag(flag)
        self.set_flag(flag, (scored if isinstance(scored, int) else 0) + points, rule)
        self.shift_track(state.US_VP if side == state.US else state.NVA_VP, points, rule, why)
        self.check_milestones()

    def check_milestones(self) -> None:
        """[4.2, 5.2E] Begin the NVA retreat or end the game by points. Raises GameOver if the NVA has won."""
        if self.position.track(state.US_VP) >= RETREAT_AT and not self.nva_retreats:
            self.set_flag(state.RETREAT, True, "5.2E", f"the US has {self.position.track(state.US_VP)} VP")
            self.say("The NVA RETREATS: from now on all its chits are Moves towards a map edge.", "5.2E")
            self.remove_nva_adrenaline()
            self.award("retreat", "the NVA retreats")
        if self.nva_has_won and not self.position.flag(state.OVER):
            self.finish_nva_victory()
            raise GameOver

    def remove_nva_adrenaline(self) -> None:
        """[5.2E] Take the NVA's Adrenaline out of the game if it has not been drawn."""
        for chit in self.position.of_kind(state.CHIT):
            if chit.name == state.NVA_ADRENALINE and chit.place in (state.POOL, state.TO_COME):
                self.move(chit.id, state.OUT, "5.2E", "NVA retreat")

    @property
    def nva_has_won(self) -> bool:
        """[4.2] True if the NVA has enough points to win at once."""
        return self.position.track(state.NVA_VP) >= WIN_AT

    def finish_nva_victory(self) -> None:
        """[4.2] End the game by NVA points."""
        self.finish(f"the NVA has {WIN_AT} VP and wins", "4.2")
        if handicap(self.options):
            score = count(self.position, self.chart("victory"), self.options)
            self.say(f"{score.verdict}.", "4.2", *score.notes)

    def finish(self, reason: str, rule: str) -> None:
        """End the game."""
        self.set_flag(state.OVER, reason, rule)
        self.enter_phase("over", rule)
        self.say(f"The game ends: {reason}.", rule)

    def apply_hits(self, before: Sequence[Target], after: Sequence[Target | None], rule: str, why: str) -> None:
        """[8.2] Change the counters from one state to another."""
        for old, new in zip(before, after, strict=True):
            if old != new:
                self._apply(old, new, rule, why)

    def _apply(self, old: Target, new: Target | None, rule: str, why: str) -> None:
        if old.kind == state.OFFICER:
            self.wound_officer(old.id, rule, why)
            if new is None and old.hits == 0:
                self.wound_officer(old.id, rule, why)
        elif old.kind == state.WOUNDED:
            self.destroy_wounded(old.id, rule, why)
        else:
            self._hit_unit(old, new, rule, why)

    def _hit_unit(self, old: Target, new: Target | None, rule: str, why: str) -> None:
        hits = new.hits if new else state.REDUCED + 1
        if old.hits < state.REDUCED <= hits:
            self.mark(old.id, state.HITS, None, "8.2", why)
            self.flip(old.id, state.REDUCED_SIDE, "8.2", why)
            self.award(f"{old.side.casefold()} reduced", f"{old.name} is reduced")
        elif hits < state.REDUCED:
            self.mark(old.id, state.HITS, hits, "8.2", why)
        if hits <= state.REDUCED:
            return
        area = self.piece(old.id).place
        self.move(old.id, state.ELIMINATED, "8.2", why)
        if old.side == state.US:
            marker = self.make(state.WOUNDED, f"W:{old.name}", area, "8.2", f"wounded marker of {old.name}", {"side": state.US})
        self.award(f"{old.side.casefold()} eliminated", f"{old.name} is eliminated")
        if old.side == state.US and new is None:
            self.destroy_wounded(marker, rule, why)

    def destroy_wounded(self, marker: str, rule: str, why: str) -> None:
        """[8.2, 8.4] Remove a wounded marker from the game."""
        self.move(marker, state.DEAD, rule, why)
        self.award("wounded destroyed", f"{self.piece(marker).name} is lost")

    def wound_officer(self, officer: str, rule: str, why: str) -> None:
        """[10.4] A casualty: wounded the first time, dead the second."""
        piece = self.piece(officer)
        if state.is_unwounded(piece):
            self.flip(officer, state.WOUNDED_SIDE, "10.4", why)
            return
        self.move(officer, state.DEAD, "10.4", why)
        if state.side_of(piece) == state.US:
            self.award("mcdade" if state.is_senior(piece) else "us officer", f"{piece.name} is dead")
        elif piece.name.casefold() == "man":
            self.award("man", "Commander Man is dead")

    async def volley(
        self, key: str, prompt: LazyText, rule: str, dice: int, limit: Limit, *columns: str, side: state.Side | None = None
    ) -> tuple[int, ...]:
        """Roll the dice of an attack; no roll without dice. `side` rolls, by default the one that acts.

        `limit` is the highest count that makes a difference, for exact odds: what there is to hit. `columns` of the chart of the
        die are counted, by default hits.
        """
        if dice <= 0:
            return ()

        def outcomes() -> tuple[RollOutcome, ...]:
            return self.die.outcomes(dice, limit if isinstance(limit, int) else limit(), *(columns or ("hit",)))

        roll = Roll(key, prompt, rule, dice, outcomes=outcomes)
        return await (self.for_side(side, roll) if side else roll)

    def count(self, faces: Sequence[int], column: str = "hit") -> int:
        """[7.1] How many dice hit, or show the result that another column counts."""
        return self.die.count(faces, column)

    async def printed(self, fact: str, prompt: str, rule: str, notation: Notation, fallback: str | None = None) -> str:
        if not self.recording:
            return fallback or _UNKNOWN[fact.partition(":")[0]]
        return await super().printed(fact, prompt, rule, notation, fallback)

    def side_acts(self, side: state.Side) -> AbstractContextManager[None]:
        """Within it, rolls and questions that name no side are those of this one."""
        return self.acting_as(side.casefold())

    def for_side(self, side: state.Side, request: Request[T]) -> Request[T]:
        """A question with the seat of the side that decides it."""
        request.seat = side.casefold()
        return request

    async def decide(
        self,
        request: Request[T],
        side: state.Side,
        decision: str,
        plan: Callable[[Planner], Recommendation[D] | None],
        *,
        auto: bool,
        rivals: int = 0,
        value: Callable[[D], Any] = lambda choice: choice,
    ) -> T:
        """Put a question to a side.

        If Companion plays the side, its choice is announced with the reasons and suggested to the player, or taken at once.

        Args:
            decision: The kind of decision, for the announcement.
            auto: A small decision, which the opponent always takes at once.
            rivals: How many candidates besides the best are worth a rollout; at level ``hard`` all that are near the best.
            value: Converts the planner's decision into a reply.
        """
        self.for_side(side, request)
        is_computer = self.is_computer(side)
        recommendation = self.reuse(lambda: self._recommended(plan, side, rivals, value)) if is_computer else None
        if not is_computer:
            request.advice = lambda: self._recommended(plan, side, rivals, value)
        solitaire = any(map(self.is_computer, state.SIDES))
        if self.interactive and not self.quiet and not solitaire and not request.prompt.startswith(side):
            request.asked_side = side
        if not is_computer and self.acting_side == state.enemy(side) and self.is_computer(self.acting_side):
            request.prefix_prompt("Yours")
        if recommendation is None:
            return await request if self.interactive else request.result(request.suggest)
        if level_of(self.options, side.casefold()).slips:
            recommendation = recommendation.with_rivals(len(recommendation.others))
        chosen = await choose_by_rollouts(recommendation, request.key, request.rule, side.casefold())
        name, request.suggest = chosen.best.name, chosen.best.decision
        at_once = auto or self.acts_at_once
        words = self.data.ai["words"]
        kind = request.key if request.key in words["phrases"] else decision
        self.say(lambda: decision_text(words, side, kind, name, not at_once), request.rule, *chosen.brief())
        return request.result(request.check(request.suggest)) if at_once else await request

    def is_thorough(self, side: state.Side) -> bool:
        """True if Companion plays a side at level ``hard``: all good candidates are compared, and several sets of moves."""
        return self.is_computer(side) and level_of(self.options, side.casefold()).times > 1

    async def choose_style(self, side: state.Side) -> None:
        """[3.2] Let Companion choose how it sets up its side, by playouts of whole games where the best way is not known."""
        seat = side.casefold()
        if not self.is_computer(side) or level_of(self.options, seat).slips:
            return
        recommendation = self.reuse(lambda: self.data.planner(self, side).set_up())
        chosen = await choose_by_rollouts(recommendation, "setup", "3.2", seat, LAST_TURN)
        if chosen.best.decision != recommendation.best.decision:
            self.set_flag(state.style_flag(side), chosen.best.decision, "3.2")
        if chosen.stats:
            self.say(f"The {side} sets up: {chosen.best.name}.", "3.2", *chosen.lines())

    def _recommended(
        self, plan: Callable[[Planner], Recommendation[D] | None], side: state.Side, rivals: int, value: Callable[[D], Any]
    ) -> Recommendation[Any] | None:
        recommendation = plan(self.data.planner(self, side))
        if recommendation is None:
            return None
        if rivals and self.is_thorough(side):
            return recommendation.with_rivals(len(recommendation.others), self.data.hard_range).convert(value)
        return recommendation.with_rivals(rivals, self.data.rollout_range).convert(value)

"""The referee of LZ Albany: the words that all its procedures share."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from companion.core.advice import Advice
from companion.core.game import Tables
from companion.core.odds import distribution
from companion.core.position import GroupKey, Piece, Position
from companion.core.procedures import GameOver
from companion.core.referee import Referee
from companion.core.requests import Choice, LazyText, Request, Roll
from companion.core.rollouts import RolloutDecision, level_of
from companion.games.lzalbany.names import (
    CHIT,
    COMPANION,
    DEAD,
    ELIMINATED,
    FIRE,
    GROUPS,
    HITS,
    MOVE,
    NVA,
    NVA_VP,
    OFFICER,
    OUT,
    OVER,
    PHASE,
    POOL,
    REDUCED_SIDE,
    RETREAT,
    SIDES,
    TO_COME,
    TURN,
    UNIT,
    US,
    US_VP,
    WOUNDED,
    WOUNDED_SIDE,
    points_flag,
    track_box,
)
from companion.games.lzalbany.rules.r06_stacking import Rules, Stacking
from companion.games.lzalbany.rules.r07_dice import Die
from companion.games.lzalbany.rules.r08_hits import REDUCED, Placing, Target, Ways, Wishes, place_hits
from companion.games.lzalbany.words import areas
from companion.games.lzalbany.words.areas import Map, is_area, title
from companion.games.lzalbany.words.counters import fights, healthy, is_senior, side_of
from companion.games.lzalbany.words.decisions import decided

T = TypeVar("T")

RETREAT_AT, WIN_AT = 30, 35


_MANY = 10_000
"""Cases that are remembered at a time."""


Adviser = Callable[..., Advice[Any] | None]


Most = int | Callable[[], int]
"""How much of what a roll counts makes a difference; worked out only where exact odds ask."""


def _counter(piece: Piece) -> Hashable:
    return piece.place, piece.values.get("side")


def _platoon(piece: Piece) -> Hashable:
    return (piece.place, piece.values.get("side")) if piece.kind == UNIT else None


def _side_on_map(piece: Piece) -> Hashable:
    return piece.values.get("side") if is_area(piece.place) else None


def _kind_on_map(piece: Piece) -> Hashable:
    return (piece.values.get("side"), piece.kind) if is_area(piece.place) else None


def _group_on_map(piece: Piece) -> Hashable:
    return piece.values.get("group") if is_area(piece.place) else None


_COUNTERS: GroupKey = _counter
_PLATOONS: GroupKey = _platoon
_SIDES_ON_MAP: GroupKey = _side_on_map
_KINDS_ON_MAP: GroupKey = _kind_on_map
_GROUPS_ON_MAP: GroupKey = _group_on_map


def _held(side: str) -> Callable[[Position], list[str]]:
    return lambda position: position.cached_from_group(_SIDES_ON_MAP, side, _fought_for)


def _fought_for(pieces: Iterable[Piece]) -> list[str]:
    return sorted({piece.place for piece in pieces if fights(piece)})


_HELD = {side: _held(side) for side in SIDES}
"""Areas with platoons or unwounded officers of a side, in alphabetical order."""


def _disputed(position: Position) -> frozenset[str]:
    """[7.2] Areas with platoons of both sides."""
    ours, theirs = [position.cached_from_group(_KINDS_ON_MAP, (side, UNIT), _places) for side in SIDES]
    return ours & theirs - {areas.TRANSITION}


def _places(pieces: Iterable[Piece]) -> frozenset[str]:
    return frozenset([piece.place for piece in pieces])


class Book:
    """What all referees of the game share: its tables, the charts of dice and stacking read once, and whoever plays for our
    opponent: ``advise(opponent, decision, game, side, ...)`` is its proposal, and ``seen`` the position that it weighed last.
    """

    def __init__(self, tables: Tables, advise: Adviser) -> None:
        self.charts = tables.charts
        self.counters = tables.counters
        self.priorities = tables.bot
        self.advise = advise
        self.die = Die(tables.charts["die"])
        self.wishes = Wishes(tables.charts["victory"])
        self.stacking = Stacking(tables.charts["stacking"])
        self.jungle = -tables.charts["terrain"].number("jungle", "fire")
        self.groups = {side: [g for g in GROUPS if tables.charts["groups"].text(g, "side") == side] for side in SIDES}
        self.seen: Any = None
        self._switched: tuple[Mapping[str, str] | None, tuple[Rules, Ways]] = None, (Rules(self.stacking, True, 0), Ways())
        self._placed: dict[Any, tuple[Target | None, ...]] = {}

    def switched(self, options: Mapping[str, str]) -> tuple[Rules, Ways]:
        """What the switches make of stacking [6.1] and of where hits may go [8.1]; those of the same options are known."""
        if self._switched[0] is not options:
            rules = Rules(self.stacking, options.get("over_stacking", "") != "dice", self.jungle)
            ways = Ways(options.get("wounded_hits", "") == "last", options.get("own_officers", "") == "free")
            self._switched = options, (rules, ways)
        return self._switched[1]

    def placed(
        self, targets: tuple[Target, ...], hits: int, first: Sequence[str], cap: int, ways: Ways
    ) -> tuple[Target | None, ...]:
        """[8.1] Where hits go when nobody is asked, each case worked out once."""
        key = targets, hits, tuple(first), cap, ways
        if key not in self._placed:
            if len(self._placed) > _MANY:
                self._placed.clear()
            (self._placed[key],) = distribution(lambda: place_hits(targets, hits, Placing(self.wishes, ways), first, cap))
        return self._placed[key]


class LzAlbany(Referee):
    """Carries the procedures of LZ Albany. This one sits at the table; for others of its kind see ``paper``.

    Args:
        position, options: as for every referee.
        book: what the referees of the game share.
    """

    def __init__(self, position: Position, options: Mapping[str, str], book: Book) -> None:
        super().__init__(position, options, book.charts)
        self.book = book
        self.die = book.die
        self.rules, self.ways = book.switched(options)
        self.asks = True
        self._map: Map | None = None
        self.lit: frozenset[str] = frozenset()
        self.rapid = False
        self.acting: set[str] = set()
        self._night = -1, False

    # -- time --------------------------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        return self.position.track(TURN)

    @property
    def phase(self) -> str:
        """``deploy``, ``reinforcement``, ``event``, ``action``, ``rally``, ``administrative`` or ``over``."""
        return str(self.position.flag(PHASE) or "")

    @property
    def night(self) -> bool:
        """[11.0] Whether this is a night turn."""
        turn = self.turn
        if self._night[0] != turn:
            self._night = turn, self.chart("turns").text(str(turn), "light") == "night"
        return self._night[1]

    def dark(self, *areas: str) -> bool:
        """[11.1, 11.2] Whether night has its effects on an attack: no flare burns at either end of it (ruling C-70)."""
        return self.night and not self.lit.intersection(areas)

    @property
    def retreat(self) -> bool:
        """[5.2E] Whether the NVA must leave."""
        return bool(self.position.flag(RETREAT))

    def played(self, side: str) -> bool:
        """Whether the opponent of ours plays a side."""
        return self.option(side.casefold()) != "player"

    @property
    def at_once(self) -> bool:
        """Whether our opponent carries out all that it proposes, or lets the player confirm what is larger."""
        return self.option("opponent") in ("acts", "at_once")

    # -- what is where -----------------------------------------------------------------------------------------

    @property
    def map(self) -> Map:
        """The map as far as it has been told."""
        seen, flags = self._map, self.position.flags
        if seen is None or seen.flags is not flags or seen.position.pieces is not self.position.pieces:
            seen = self._map = Map(self.position)
        return seen

    def pieces(self, area: str, side: str, *kinds: str) -> list[Piece]:
        """Counters of a side in an area, of these kinds or of any."""
        there = self.position.pieces_in_group(_COUNTERS, (area, side))
        return [piece for piece in there if piece.kind in kinds] if kinds else there

    def units(self, area: str, side: str) -> list[Piece]:
        """Platoons of a side in an area; they alone count for stacking [6.1]."""
        return self.position.pieces_in_group(_PLATOONS, (area, side))

    def stack(self, area: str, side: str) -> int:
        """How many they are."""
        return self.position.count_in_group(_PLATOONS, (area, side))

    def officers(self, area: str, side: str) -> list[Piece]:
        """Unwounded officers of a side in an area."""
        return [piece for piece in self.pieces(area, side, OFFICER) if healthy(piece)]

    def held(self, side: str) -> list[str]:
        """Areas with platoons or unwounded officers of a side, in alphabetical order."""
        return list(self.position.cached_from_pieces(_HELD[side]))

    def present(self, area: str, side: str) -> bool:
        """Whether platoons or unwounded officers of a side are in an area."""
        return area in self.position.cached_from_pieces(_HELD[side])

    def disputed(self, area: str) -> bool:
        """[7.2] Whether both sides have platoons in an area (ruling D-6); never in the Transition Area [6.5]."""
        return area in self.position.cached_from_pieces(_disputed)

    def _on_map(self, side: str) -> list[Piece]:
        return self.position.pieces_in_group(_SIDES_ON_MAP, side)

    def on_map(self, side: str, *kinds: str) -> list[Piece]:
        """Counters of a side that are in some area."""
        if len(kinds) == 1:
            return self.position.pieces_in_group(_KINDS_ON_MAP, (side, kinds[0]))
        return [piece for piece in self._on_map(side) if piece.kind in kinds]

    def group(self, group: str) -> list[Piece]:
        """Counters of a unit group on the map."""
        return self.position.pieces_in_group(_GROUPS_ON_MAP, group)

    def group_title(self, group: str) -> str:
        return self.chart("groups").text(group, "title")

    def used_boxes(self, group: str) -> int:
        """[5.2] How many Fire/Move chits lie on a group's track."""
        return self.position.count(track_box(group, FIRE)) + self.position.count(track_box(group, MOVE))

    def here(self, area: str, side: str) -> str:
        """Who of a side is in an area, for a choice."""
        return self.piece_names(self.pieces(area, side))

    def area_choices(self, found: Iterable[str], side: str) -> list[Choice]:
        return [Choice(area, title(area), partial(self.here, area, side)) for area in found]

    # -- points ------------------------------------------------------------------------------------------------

    def award(self, item: str, why: str, times: int = 1) -> None:
        """[4.1] Points of the schedule, and what they bring on at once [4.2, 5.2E]."""
        chart = self.chart("victory")
        side, many = chart.text(item, "side"), chart.number(item, "points") * times
        if many <= 0:
            return
        rule = chart.cite(item)
        flag = points_flag(item)
        was = self.position.flag(flag)
        self.set_flag(flag, (was if isinstance(was, int) else 0) + many, rule)
        self.shift_track(US_VP if side == US else NVA_VP, many, rule, why)
        self.milestones()

    def milestones(self) -> None:
        """[4.2, 5.2E] What the points bring on at once. Raises GameOver: the NVA has won."""
        if self.position.track(US_VP) >= RETREAT_AT and not self.retreat:
            self.set_flag(RETREAT, True, "5.2E", f"the US has {self.position.track(US_VP)} VP")
            self.say("The NVA RETREATS: from now on all its chits are Moves towards a map edge.", "5.2E")
            for chit in self.position.of_kind(CHIT):
                if chit.name == "NVA Adrenaline" and chit.place in (POOL, TO_COME):
                    self.move(chit.id, OUT, "5.2E", "NVA retreat")
            self.award("retreat", "the NVA retreats")
        if self.position.track(NVA_VP) >= WIN_AT and not self.position.flag(OVER):
            self.finish("the NVA has 35 VP and wins", "4.2")
            raise GameOver

    def finish(self, reason: str, rule: str) -> None:
        """The game ends here."""
        self.set_flag(OVER, reason, rule)
        self.set_flag(PHASE, "over", rule)
        self.say(f"The game ends: {reason}.", rule)

    # -- hits --------------------------------------------------------------------------------------------------

    def apply_hits(self, before: Sequence[Target], after: Sequence[Target | None], rule: str, why: str) -> None:
        """[8.2] Let what was worked out on small values happen to the counters."""
        for old, new in zip(before, after, strict=True):
            if old != new:
                self._apply(old, new, rule, why)

    def _apply(self, old: Target, new: Target | None, rule: str, why: str) -> None:
        if old.kind == OFFICER:
            self.wound_officer(old.id, rule, why)
            if new is None and old.hits == 0:
                self.wound_officer(old.id, rule, why)
        elif old.kind == WOUNDED:
            self.destroy_wounded(old.id, rule, why)
        else:
            self._hit_unit(old, new, rule, why)

    def _hit_unit(self, old: Target, new: Target | None, rule: str, why: str) -> None:
        now = new.hits if new else REDUCED + 1
        if old.hits < REDUCED <= now:
            self.mark(old.id, HITS, None, "8.2", why)
            self.flip(old.id, REDUCED_SIDE, "8.2", why)
            self.award(f"{old.side.casefold()} reduced", f"{old.name} is reduced")
        elif now < REDUCED:
            self.mark(old.id, HITS, now, "8.2", why)
        if now <= REDUCED:
            return
        area = self.piece(old.id).place
        self.move(old.id, ELIMINATED, "8.2", why)
        if old.side == US:
            marker = self.make(WOUNDED, f"W:{old.name}", area, "8.2", f"{old.name} is eliminated", {"side": US})
        self.award(f"{old.side.casefold()} eliminated", f"{old.name} is eliminated")
        if old.side == US and new is None:
            self.destroy_wounded(marker, rule, why)

    def destroy_wounded(self, marker: str, rule: str, why: str) -> None:
        """[8.2, 8.4] A wounded marker leaves the game."""
        self.move(marker, DEAD, rule, why)
        self.award("wounded destroyed", f"{self.piece(marker).name} is lost")

    def wound_officer(self, officer: str, rule: str, why: str) -> None:
        """[10.4] A casualty: wounded the first time, dead the second."""
        piece = self.piece(officer)
        if healthy(piece):
            self.flip(officer, WOUNDED_SIDE, "10.4", why)
            return
        self.move(officer, DEAD, "10.4", why)
        if side_of(piece) == US:
            self.award("mcdade" if is_senior(piece) else "us officer", f"{piece.name} is dead")
        elif piece.name.casefold() == "man":
            self.award("man", "Commander Man is dead")

    # -- dice ----------------------------------------------------------------------------------------------------

    async def volley(self, key: str, prompt: LazyText, rule: str, dice: int, most: Most, *columns: str) -> tuple[int, ...]:
        """Roll the dice of one attack; none where there are none. For exact odds only what the columns of the die count
        matters (hits, unless others are named), each up to ``most``: beyond it there is nothing to hit.
        """
        if dice <= 0:
            return ()
        counted = columns or ("hit",)
        return await Roll(
            key, prompt, rule, dice, outcomes=lambda: self.die.outcomes(dice, most if isinstance(most, int) else most(), *counted)
        )

    def count(self, faces: Sequence[int], column: str = "hit") -> int:
        """[7.1] How many dice hit, or show what another column of the die counts."""
        return self.die.count(faces, column)

    # -- who decides -----------------------------------------------------------------------------------------------

    async def ask(self, request: Request[T]) -> T:
        """A question to a player."""
        return await request

    def put(self, side: str, request: Request[T]) -> Request[T]:
        """A question, with the side that decides it."""
        request.seat = side.casefold()
        return request

    async def decide(
        self, request: Request[T], side: str, decision: str, *about: Any, auto: bool, value: Callable[[Any], Any] = lambda it: it
    ) -> T:
        """A question to a side. Where our opponent plays it, its proposal is said with its reasons and suggested; the small
        ones (``auto``) are then carried out at once.

        Args:
            decision: the opponent's name for what is to be decided; about: what it looks at.
            value: the reply that its choice stands for.
        """
        self.put(side, request)
        played = self.played(side)
        advice = self.book.advise(self.option(side.casefold()), decision, self, side, *about) if played else None
        if not played:
            request.advice = lambda: self._counsel(value, decision, side, *about)
        told = self.asks and not self.quiet
        if told and not self.played(US) and not self.played(NVA) and not request.prompt.startswith(side):
            request.asked_side = side
        if advice is None:
            return await self.ask(request)
        choice, name, lines = await self._weighed(request, side, advice)
        request.suggest = value(choice)
        at_once = auto or self.at_once
        self.say(lambda: decided(side, decision, request.key, name, not at_once), request.rule, *lines)
        return request.result(request.check(request.suggest)) if at_once else await request

    def _counsel(self, value: Callable[[Any], Any], decision: str, side: str, *about: Any) -> Advice[Any] | None:
        """What our opponent would reply in the place of a side's player."""
        advice = self.book.advise(COMPANION, decision, self, side, *about)
        if advice is None:
            return None
        rivals = tuple((value(choice), name) for choice, name in advice.rivals)
        return advice._replace(choice=value(advice.choice), rivals=rivals)

    async def _weighed(self, request: Request[T], side: str, advice: Advice[Any]) -> tuple[Any, str, tuple[str, ...]]:
        """What is proposed after playing on from it and from what comes near it, its name, and why."""
        slips = level_of(self.options, side.casefold()).slips
        options = [(advice.choice, advice.name), *(advice.others if slips else advice.rivals)]
        if len(options) < 2:
            return advice.choice, advice.name, advice.lines()
        thought = await RolloutDecision(request.key, request.rule, side.casefold(), [name for _, name in options])
        slip = (f"it slips: {advice.name} is what it holds best",) if thought.choice and not thought.rows else ()
        return *options[thought.choice], thought.explain() or (*slip, *advice.lines())

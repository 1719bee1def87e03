"""The referee of LZ Albany: the words that all its procedures share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from companion.core.advice import Advice
from companion.core.charts import Chart
from companion.core.position import Piece, Position
from companion.core.referee import Referee
from companion.core.requests import Choice, Request
from companion.games.lzalbany import areas
from companion.games.lzalbany.areas import Map, is_area, title
from companion.games.lzalbany.hits import OFFICER, REDUCED, UNIT, WOUNDED, Target
from companion.games.lzalbany.strength import Rules

T = TypeVar("T")

SIDES = ("US", "NVA")
GROUPS = ("ab15", "ab27", "cd27", "33", "66", "66hq")
RETREAT_AT, WIN_AT = 30, 35
INFANTRY = ("inf", "hmg")


class GameOver(Exception):
    """The game ended in the middle of a procedure [4.2]."""


def enemy(side: str) -> str:
    """The other side."""
    return "NVA" if side == "US" else "US"


def side_of(piece: Piece) -> str:
    """``US`` or ``NVA``; "" for what belongs to nobody."""
    return str(piece.values.get("side") or "")


def healthy(piece: Piece) -> bool:
    """An officer who is not wounded, or any other counter."""
    return piece.kind != OFFICER or piece.face == "front"


def is_senior(piece: Piece) -> bool:
    """[5.2D] An officer of no unit group."""
    return piece.kind == OFFICER and bool(piece.values.get("senior"))


def hits_on(piece: Piece) -> int:
    """Hits that a counter bears: of a unit 0 to 3, of an officer 0 or 1, of a wounded marker 4."""
    if piece.kind == WOUNDED:
        return 4
    if piece.face != "front":
        return 1 if piece.kind == OFFICER else REDUCED
    marked = piece.marks.get("hits")
    return marked if isinstance(marked, int) else 0


def strength(piece: Piece, what: str) -> int:
    """The fire or melee strength of a unit as it stands."""
    return piece.number(what if piece.face == "front" else f"back {what}")


def target_of(piece: Piece) -> Target:
    """The counter as hits see it."""
    fire, melee, back_fire, back_melee = (piece.number(name) for name in ("fire", "melee", "back fire", "back melee"))
    return Target(side_of(piece), piece.kind, hits_on(piece), fire, melee, back_fire, back_melee, piece.id, piece.name)


class LzAlbany(Referee):
    """Carries the procedures of LZ Albany.

    Args:
        position, options, charts: as for every referee.
        counters: our sample roster and practice map.
        priorities: of the opponent, as ``bot.toml`` has them.
    """

    def __init__(
        self,
        position: Position,
        options: Mapping[str, str],
        charts: Mapping[str, Chart],
        counters: Mapping[str, Any],
        priorities: Mapping[str, Any],
    ) -> None:
        super().__init__(position, options, charts)
        self.counters = counters
        self.priorities = priorities
        self.lit: frozenset[str] = frozenset()
        self.rapid = False

    # -- time --------------------------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        return self.position.track("turn")

    @property
    def phase(self) -> str:
        """``deploy``, ``reinforcement``, ``event``, ``action``, ``rally``, ``administrative`` or ``over``."""
        return str(self.position.flag("phase") or "")

    @property
    def night(self) -> bool:
        """[11.0] Whether this is a night turn."""
        return self.chart("turns").text(str(self.turn), "light") == "night"

    def dark(self, area: str) -> bool:
        """[11.1, 11.2] Whether night has its effects on an attack on an area: no flare burns there in this action."""
        return self.night and area not in self.lit

    @property
    def retreat(self) -> bool:
        """[5.2E] Whether the NVA must leave."""
        return bool(self.position.flag("retreat"))

    def played(self, side: str) -> bool:
        """Whether the opponent of ours plays a side."""
        return self.option(side.casefold()) == "companion"

    # -- what is where -----------------------------------------------------------------------------------------

    @property
    def map(self) -> Map:
        return Map(self.position)

    @property
    def rules(self) -> Rules:
        return Rules(self.chart("stacking"), self.option("over_stacking") != "dice")

    def pieces(self, area: str, side: str, *kinds: str) -> list[Piece]:
        """Counters of a side in an area, of these kinds or of any."""
        return [piece for piece in self.position.at(area) if side_of(piece) == side and (not kinds or piece.kind in kinds)]

    def units(self, area: str, side: str) -> list[Piece]:
        """Platoons of a side in an area; they alone count for stacking [6.1]."""
        return self.pieces(area, side, UNIT)

    def officers(self, area: str, side: str) -> list[Piece]:
        """Unwounded officers of a side in an area."""
        return [piece for piece in self.pieces(area, side, OFFICER) if healthy(piece)]

    def fighters(self, area: str, side: str) -> list[Piece]:
        """Platoons and unwounded officers: what makes an area disputed (ruling D-6)."""
        return [*self.units(area, side), *self.officers(area, side)]

    def disputed(self, area: str) -> bool:
        """[7.2] Whether both sides have somebody in an area; never in the Transition Area [6.5]."""
        return area != areas.TRANSITION and all(self.fighters(area, side) for side in SIDES)

    def held(self, side: str) -> list[str]:
        """Areas with platoons or unwounded officers of a side, in alphabetical order."""
        return sorted(
            {p.place for p in self.position.pieces.values() if side_of(p) == side and is_area(p.place) and self._fights(p)}
        )

    @staticmethod
    def _fights(piece: Piece) -> bool:
        return piece.kind == UNIT or (piece.kind == OFFICER and healthy(piece))

    def on_map(self, side: str, *kinds: str) -> list[Piece]:
        """Counters of a side that are in some area."""
        return [p for p in self.position.pieces.values() if side_of(p) == side and p.kind in kinds and is_area(p.place)]

    def group(self, group: str) -> list[Piece]:
        """Counters of a unit group on the map."""
        return [p for p in self.position.pieces.values() if p.values.get("group") == group and is_area(p.place)]

    def group_title(self, group: str) -> str:
        return self.chart("groups").text(group, "title")

    def used_boxes(self, group: str) -> int:
        """[5.2] How many Fire/Move chits lie on a group's track."""
        return sum(len(self.position.at(f"box {group} {action}")) for action in ("fire", "move"))

    def fallen(self, side: str) -> int:
        """[4.3] Officers of a side that are casualties, wounded or dead."""
        return sum(side_of(p) == side and (p.place == "dead" or p.face != "front") for p in self.position.of_kind(OFFICER))

    def names(self, pieces: Iterable[Piece]) -> str:
        return ", ".join(piece.name for piece in pieces) or "none"

    def here(self, area: str, side: str) -> str:
        """Who of a side is in an area, for a choice."""
        return self.names(self.pieces(area, side))

    def area_choices(self, found: Iterable[str], side: str) -> list[Choice]:
        return [Choice(area, area if area == title(area) else title(area), self.here(area, side)) for area in found]

    # -- points ------------------------------------------------------------------------------------------------

    def award(self, item: str, why: str, times: int = 1) -> None:
        """[4.1] Points of the schedule, and what they bring on at once [4.2, 5.2E]."""
        chart = self.chart("victory")
        side, many = chart.text(item, "side"), chart.number(item, "points") * times
        if many <= 0:
            return
        rule = chart.cite(item)
        flag = f"vp:{item}"
        was = self.position.flag(flag)
        self.set_flag(flag, (was if isinstance(was, int) else 0) + many, rule)
        self.shift("us_vp" if side == "US" else "nva_vp", many, rule, why)
        self._milestones()

    def _milestones(self) -> None:
        if self.position.track("us_vp") >= RETREAT_AT and not self.retreat:
            self.set_flag("retreat", True, "5.2E", f"US at {self.position.track('us_vp')} VP")
            self.say("The NVA must retreat: all their chits are Moves towards a map edge.", "5.2E")
            for chit in self.position.of_kind("chit"):
                if chit.name == "NVA Adrenaline":
                    self.move(chit.id, "out", "5.2E", "NVA retreat")
            self.award("retreat", "the NVA retreat")
        if self.position.track("nva_vp") >= WIN_AT and not self.position.flag("over"):
            self.finish("the NVA has 35 VP and wins", "4.2")
            raise GameOver

    def finish(self, reason: str, rule: str) -> None:
        """The game ends here."""
        self.set_flag("over", reason, rule)
        self.set_flag("phase", "over", rule)
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
            self.mark(old.id, "hits", None, "8.2", why)
            self.flip(old.id, "reduced", "8.2", why)
            self.award("us reduced" if old.side == "US" else "nva reduced", f"{old.name} reduced")
        elif now < REDUCED:
            self.mark(old.id, "hits", now, "8.2", why)
        if now <= REDUCED:
            return
        area = self.piece(old.id).place
        self.move(old.id, "eliminated", "8.2", why)
        if old.side == "US":
            marker = self.make(WOUNDED, f"W:{old.name}", area, "8.2", f"{old.name} eliminated", {"side": "US"})
        self.award("us eliminated" if old.side == "US" else "nva eliminated", f"{old.name} eliminated")
        if old.side == "US" and new is None:
            self.destroy_wounded(marker, rule, why)

    def destroy_wounded(self, marker: str, rule: str, why: str) -> None:
        """[8.2, 8.4] A wounded marker leaves the game."""
        self.move(marker, "dead", rule, why)
        self.award("wounded destroyed", f"{self.piece(marker).name} destroyed")

    def wound_officer(self, officer: str, rule: str, why: str) -> None:
        """[10.4] A casualty: wounded the first time, dead the second."""
        piece = self.piece(officer)
        if healthy(piece):
            self.flip(officer, "wounded", "10.4", why)
            return
        self.move(officer, "dead", "10.4", why)
        if side_of(piece) == "US":
            self.award("mcdade" if is_senior(piece) else "us officer", f"{piece.name} dead")
        elif piece.name.casefold() == "man":
            self.award("man", "Commander Man dead")

    # -- the opponent ------------------------------------------------------------------------------------------

    async def decide(
        self, request: Request[T], side: str, advise: Callable[[], Advice[Any] | None], value: Callable[[Any], Any], auto: bool
    ) -> T:
        """A question to a side. Where our opponent plays it, the proposal is said with its reasons and suggested; the small
        ones (``auto``) are then carried out at once.
        """
        if not self.played(side):
            return await request
        advice = advise()
        if advice is None:
            return await request
        request.suggest = value(advice.choice)
        self.say(f"{side} opponent, {request.key.replace('_', ' ')}: {advice.name}.", request.rule, *advice.lines())
        return request.result(request.check(request.suggest)) if auto else await request

"""What our player of the Coalition does next in its Operation Phase: one stack after the other, each with what is best for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import NamedTuple

from companion.core.position import Piece
from companion.core.rollouts import DecisionStats, RolloutDecision
from companion.core.text import plural
from companion.games.iraqwar2003.bot.supports import Stakes, stakes_of
from companion.games.iraqwar2003.bot.weighing import SHOWN, say_verdict
from companion.games.iraqwar2003.coalition.ground import FAR, LEFT, Blow, Sight, guards, is_kurdish, strength, travel
from companion.games.iraqwar2003.land import KUWAIT
from companion.games.iraqwar2003.notation import BRITISH, IRAQI, STAY, UNKNOWN_RESULT, nation, printed_side, steps_left
from companion.games.iraqwar2003.odds import CombatForecast, expected
from companion.games.iraqwar2003.referee import IraqWarReferee
from companion.games.iraqwar2003.rules.r04_sequence import recovery_obstacle, units_to_act
from companion.games.iraqwar2003.rules.r05_air_combat import SUPPORT, Flier, Mission
from companion.games.iraqwar2003.rules.r09_zones import SOURCES, units_in_hexes
from companion.games.iraqwar2003.rules.r12_movement import Reach
from companion.games.iraqwar2003.rules.r13_combat import nationality_obstacle
from companion.games.iraqwar2003.rules.r13_results import Attack
from companion.games.iraqwar2003.state import COALITION, IRAQ, NONE, units_in
from companion.games.iraqwar2003.worth import turns_left

DONE = "done"
TRIED = 3
"""Candidates that are played on from."""
WEIGHED = 6
"""Attacks of one stack that are worked out."""
NEARER = 0.08
"""What it is worth to come by half a movement point nearer to a place, for each of its victory points."""
WORN = 0.5
"""The part of a place's victory points that its whole garrison is worth."""
LEFT_ALONE = 0.5
"""The part of a place's victory points that is feared for, where the last unit leaves it with enemies near."""
CLOSE = 3
"""Hexes from the enemy at which a stack acts before those behind it."""
WEAK = 8
"""The attack below which a stack is no spearhead, and leaves the hexes beside the enemy to others."""
IN_THE_WAY = 0.6
"""What that costs it, in victory points."""
GUARD = 4
"""The attack of the strongest unit that is left behind to guard a place."""
NEAR = 4
"""Hexes from which an enemy may come back to a place."""
ASTRAY = 0.5
"""What it costs a guard to be half a movement point away from its post, in victory points."""
BEHIND = 0.8
"""What a hex with enemies in the rear is worth beyond its terrain: they come back to what counts, and cut supply lines."""
GATHERED = 0.3
"""What it is worth to Kurds to end where each fellow stands, in victory points."""
HURT = 0.6
"""Victory points that an attack on a stack as strong as its own defence is expected to cost it."""


class Course(NamedTuple):
    """Something that a stack may do: the order as it is typed, and what it is worth to the Coalition."""

    text: str
    vp: float
    detail: str


async def orders(game: IraqWarReferee) -> list[Course]:
    """[4.1(4)] What the Coalition may do next, the best by our estimate first: one thing where it is plain; nothing where the map
    is not told.
    """
    tired = [piece for piece in units_to_act(game.position) if not recovery_obstacle(game.position, piece)]
    if tired:
        return [Course(f"recover {game.piece_names(tired)}", 0.0, "it takes nothing but the phase")]
    sight = Sight(game, {**LEFT, **{name: int(text) for name, text in (await game.known_facts("terrain", "13.3(5)")).items()}})
    if not units_in_hexes(game.position, COALITION) or not sight.front.land.how:
        return []
    posts = guards(sight)
    stacks = _apart(sight.stacks(), posts)
    if not stacks:
        return [Course(DONE, 0.0, "everybody has acted")]
    stack = min(stacks, key=lambda pieces: (sight.foes_near(pieces[0].place) > CLOSE, -strength(pieces), pieces[0].name))
    post = posts.get(stack[0].id, "")
    return sorted(_courses(sight, stack, await game.known_facts("crt", "13.4"), post), key=lambda one: -one.vp)


async def propose_order(game: IraqWarReferee) -> str:
    """[4.1(4)] The next order of the Coalition: ``recover 11Av``, ``1/3ID, 2/3ID > 3138 3137 > 3135``, ``done``; "" where the map
    is not told.
    """
    found = await orders(game)
    tried = found[:TRIED]
    if not tried:
        return ""
    thought = (
        await RolloutDecision("order", "12.1(1)", COALITION, [one.text for one in tried]) if len(tried) > 1 else DecisionStats(0)
    )
    best = tried[thought.choice]
    if len(found) > 1:
        lines = thought.explain() or reasons(found)
        say_verdict(game, f"The Coalition orders {best.text}.", "4.1(4)", *lines)
    return best.text


def reasons(found: Sequence[Course]) -> tuple[str, ...]:
    """Why the first of some orders is taken where nobody plays on: its value, what decided, what was passed over and by how
    much.
    """
    best, *others = found
    value = f"{best.text}: {best.vp:+.2f} VP by exact odds and our estimate ({best.detail})"
    if not others:
        return value, "decided by: there is nothing else"
    rows = [f"{one.text} {one.vp - best.vp:+.2f} ({one.detail})" for one in others[:SHOWN]]
    more = [f"{len(others) - SHOWN} more"] if len(others) > SHOWN else []
    return value, "decided by: the most victory points", f"worse, in VP: {'; '.join([*rows, *more])}"


def _apart(stacks: Sequence[list[Piece]], posts: Mapping[str, str]) -> list[list[Piece]]:
    """The stacks without the guards, who act alone."""
    alone = [[piece] for stack in stacks for piece in stack if piece.id in posts]
    others = [[piece for piece in stack if piece.id not in posts] for stack in stacks]
    return [*alone, *filter(None, others)]


def _courses(sight: Sight, stack: Sequence[Piece], told: Mapping[str, str], post: str) -> Iterator[Course]:
    """What a stack may do, each with its worth; one stays behind where a place that counts is in danger.

    Args:
        post: the hex that it guards; "" for all others.
    """
    pieces = free(sight, stack)
    view = _View(sight, pieces, post)
    reach = sight.field.reach(pieces)
    names = sight.game.piece_names(pieces)
    ends = sorted(reach.spent, key=lambda number: (-view.worth(number), reach.spent[number], number))
    for number in ends[:TRIED]:
        way = " ".join(reach.path(number)) or STAY
        walked = view.taken(reach.path(number))
        yield Course(f"{names} > {way} > {NONE}", view.worth(number) + walked, f"place {view.worth(number) + walked:+.2f}")
    yield from _attacks(sight, pieces, reach, told, view, names)


def _attacks(
    sight: Sight, pieces: Sequence[Piece], reach: Reach, told: Mapping[str, str], view: _View, names: str
) -> Iterator[Course]:
    best: dict[str, Blow] = {}
    for blow in sight.blows(pieces, reach):
        known = best.get(blow.target)
        if known is None or (blow.at, view.worth(blow.base)) > (known.at, view.worth(known.base)):
            best[blow.target] = blow
    goals = view.goals
    ranked = sorted(best.values(), key=lambda blow: (-blow.at - 2 * goals.get(blow.target, 0), blow.target))
    for blow in ranked[:WEIGHED]:
        columns = _columns(sight.game, blow.attack)
        stakes = stakes_of(sight.game, blow.attack, COALITION)
        worn = WORN * goals.get(blow.target, 0) / _steps(sight, blow.target)
        stakes = stakes._replace(hex=stakes.hex + _more(sight, blow.target), steps=stakes.steps + worn)
        gain = _fought(sight.game, blow, stakes, columns, told)
        path = reach.path(blow.base)
        total = gain + view.taken(path) + max(view.worth(blow.base), 0.5 * (view.worth(blow.base) + view.worth(blow.target)))
        detail = f"combat {gain:+.2f} with {plural(columns, 'column')}"
        yield Course(f"{names} > {' '.join(path) or STAY} > {blow.target}", total, detail)


def _steps(sight: Sight, target: str) -> int:
    """[13.4.1] The strength steps in a hex, 1 at least."""
    return max(sum(map(steps_left, sight.field.foes[target])), 1)


def _more(sight: Sight, target: str) -> float:
    """[15.2] What a hex is worth beyond its terrain: Kuwait is 2 victory points a turn, a supply line is a turn's attacks."""
    if sight.front.land.in_area(target, KUWAIT):
        return 2.0
    return BEHIND if sight.is_rear(target) else 0.0


def _columns(game: IraqWarReferee, attack: Attack) -> int:
    """[13.3(2), 16.5] Columns that the strongest unit still ready brings, of those that may support these ground units."""
    ready = (piece for piece in game.air_units(COALITION) if not nationality_obstacle(game, attack, piece))
    return max((values.support for piece in ready if (values := game.known_values(piece))), default=0)


def _fought(game: IraqWarReferee, blow: Blow, stakes: Stakes, columns: int, told: Mapping[str, str]) -> float:
    """[13.4] What an attack comes to with that much support; by the column alone where the chart is not told."""
    mission = Mission((Flier("support", COALITION, SUPPORT, 0, True, columns),)) if columns else None
    ends = CombatForecast(game, blow.attack, told).ends(mission)
    if any(end.result == UNKNOWN_RESULT for end in ends):
        return 0.3 * (blow.at + columns - 4) * (1 + stakes.hex)
    return expected(ends, stakes.value)


def free(sight: Sight, stack: Sequence[Piece]) -> list[Piece]:
    """Who of a stack can go: the weakest stays in a place that counts while enemies are near and nobody else is there."""
    place = stack[0].place
    counts = sight.front.land.place(place) in sight.game.chart("places").rows
    others = len(units_in(sight.position, place)) > len(stack)
    if not counts or others or len(stack) < 2 or sight.foes_near(place) > NEAR:
        return list(stack)
    weakest = min(stack, key=lambda piece: (printed_side(piece).attack, piece.name))
    if printed_side(weakest).attack > GUARD:
        return list(stack)
    return [piece for piece in stack if piece is not weakest]


class _View:
    """What the hexes are worth to some units of the Coalition."""

    def __init__(self, sight: Sight, pieces: Sequence[Piece], post: str = "") -> None:
        self.sight = sight
        self.post = post
        self.pieces = pieces
        self.start = pieces[0].place
        self.goals = sight.rear() if pieces and nation(pieces[0]) == BRITISH else sight.goals()
        self.left = turns_left(sight.position, COALITION)
        self.defence = sum(printed_side(piece).defence for piece in pieces)
        self.ways = {goal: travel(sight.front, goal) for goal in self.goals}
        foes = [one for one in units_in_hexes(sight.position, IRAQ) if nation(one) == IRAQI]
        self.foes = [(one.place, min(printed_side(one).move, 3), printed_side(one).attack) for one in foes]
        self._known: dict[str, float] = {}
        power = 1.0 if pieces and is_kurdish(pieces) else 0.5
        self.aim = min(self.goals, key=lambda one: (self._far(one, self.start) / self.goals[one] ** power, one), default="")

    def _far(self, goal: str, number: str) -> int:
        return self.ways[goal].get(number, FAR)

    def worth(self, number: str) -> float:
        """Of ending there: nearer to what counts, not beside a strong enemy, not away from what is left alone."""
        if self.post:
            return -ASTRAY * travel(self.sight.front, self.post).get(number, FAR)
        if number not in self._known:
            self._known[number] = self._nearer(number) - self._danger(number) - self._deserted(number) + self._joined(number)
        return self._known[number]

    def _joined(self, number: str) -> float:
        """[13.2(2)] That Kurds come together, who are too weak one by one: only who stands in one hex attacks together."""
        if not is_kurdish(self.pieces) or self._keeps_source():
            return 0.0
        fellows = [one for one in units_in(self.sight.position, number) if one not in self.pieces]
        return GATHERED * len(fellows)

    def taken(self, path: Sequence[str]) -> float:
        """[15.2] The places that a way leads through."""
        return sum(0.8 * self.goals.get(number, 0) for number in path)

    def _nearer(self, number: str) -> float:
        if not self.aim or self._keeps_source():
            return 0.0
        gained = self._far(self.aim, self.start) - self._far(self.aim, number)
        return NEARER * gained * sqrt(self.goals[self.aim])

    def _keeps_source(self) -> bool:
        """[10.0(2)] Whether they are the last Kurds at a source of supply, who do not leave it."""
        if not is_kurdish(self.pieces) or self.start not in SOURCES.values():
            return False
        return len(units_in(self.sight.position, self.start)) == len(self.pieces)

    def _danger(self, number: str) -> float:
        """What enemies who may attack there next turn are likely to cost; Kurds cost no victory points."""
        land = self.sight.front.land
        beside = number in self.sight.field.zoned and strength(self.pieces) < WEAK
        near = sum(attack for place, far, attack in self.foes if (land.distance(place, number) or FAR) <= far)
        friends = sum(printed_side(one).defence for one in units_in(self.sight.position, number) if one not in self.pieces)
        ratio = near / max(self.defence + friends, 1) / 2
        if is_kurdish(self.pieces):
            return 0.2 * max(ratio - 0.7, 0.0)
        return HURT * max(ratio - 0.7, 0.0) + IN_THE_WAY * beside

    def _deserted(self, number: str) -> float:
        """[15.2] What is feared for where nobody stays behind."""
        places = self.sight.game.chart("places")
        name = self.sight.front.land.place(self.start)
        if number == self.start or name not in places.rows or self.sight.foes_near(self.start) > NEAR:
            return 0.0
        stays = len(units_in(self.sight.position, self.start)) > len(self.pieces)
        return 0.0 if stays else LEFT_ALONE * places.number(name, "vp")

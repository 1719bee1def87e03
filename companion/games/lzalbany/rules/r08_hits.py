"""[8.0, 10.0] Hits: what they do and score, who places them, random selection of a unit; officers and their casualties."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from itertools import accumulate
from operator import attrgetter

from companion.core.charts import Chart
from companion.core.dice import summed_rolls
from companion.core.errors import Unreadable
from companion.core.hints import TYPE_CHECKING, Literal
from companion.core.named_tuple import NamedTuple
from companion.core.position import Piece
from companion.core.requests import Allot, Choice, Choose, Confirm, Roll
from companion.core.text import die_range, plural
from companion.games.lzalbany import notation, state
from companion.games.lzalbany.areas import is_area, title

if TYPE_CHECKING:
    from companion.games.lzalbany.referee import AlbanyReferee


class Target(NamedTuple):
    """The properties of a counter that hits depend on.

    The kind is ``unit``, ``officer`` or ``wounded`` (a marker; a US unit becomes one with its fourth hit). The hits are 0 to 3
    for a unit (3: reduced), 4 for a wounded marker, 0 or 1 for an officer.
    """

    side: state.Side
    kind: state.TargetKind = state.UNIT
    hits: int = 0
    fire: int = 2
    melee: int = 3
    back_fire: int = 1
    back_melee: int = 2
    id: str = ""
    name: str = ""

    @property
    def strength(self) -> int:
        """Current fire and melee strength together."""
        if self.kind != state.UNIT:
            return 0
        return self.back_fire + self.back_melee if self.hits >= state.REDUCED else self.fire + self.melee

    @property
    def loss(self) -> int:
        """The strength that one more hit takes from it."""
        after = self.struck()
        return self.strength - (after.strength if after else 0)

    def struck(self) -> Target | None:
        """[8.2, 10.4] The counter after one more hit; None if it is gone."""
        if self.kind == state.OFFICER:
            return self._replace(hits=1) if self.hits == 0 else None
        if self.kind == state.WOUNDED:
            return None
        if self.hits + 1 < state.REMOVED:
            return self._replace(hits=self.hits + 1)
        return self._replace(kind=state.WOUNDED, hits=state.REMOVED) if self.side == state.US else None

    def room(self, cap: int) -> int:
        """How many more hits it can take if no unit may have more than `cap` (0: no limit)."""
        gone = state.REMOVED + (self.side == state.US or self.kind == state.WOUNDED)
        if cap:
            return max(0, min(gone, cap) - self.hits) if self.kind == state.UNIT else 0
        return max(0, (2 if self.kind == state.OFFICER else gone) - self.hits)


def target_of(piece: Piece) -> Target:
    """The properties of a piece that hits depend on."""
    number = piece.number
    strengths = number("fire"), number("melee"), number("back fire"), number("back melee")
    return Target(state.side_of(piece), state.target_kind(piece), state.hits_on(piece), *strengths, piece.id, piece.name)


def state_text(target: Target) -> str:
    """The state of a counter: ``2 hits``, ``reduced``, ``wounded marker``."""
    if target.kind == state.OFFICER:
        return "officer, wounded" if target.hits else "officer"
    return {0: "no hits", state.REDUCED: "reduced", state.REMOVED: "wounded marker"}.get(target.hits, plural(target.hits, "hit"))


def scored_item(target: Target) -> str:
    """[4.1] The item of the schedules that one more hit on a counter scores; "" for none."""
    side = target.side.casefold()
    if target.kind == state.OFFICER:
        return "us officer" if target.side == state.US and target.hits == 1 else ""
    if target.kind == state.WOUNDED:
        return "wounded destroyed"
    return {state.REDUCED - 1: f"{side} reduced", state.REDUCED: f"{side} eliminated"}.get(target.hits, "")


class HitValues:
    """[4.1] What hits score by the victory point schedules, and the placement that follows from it."""

    def __init__(self, victory: Chart) -> None:
        self._points = {item: victory.number(item, "points") for item in victory.rows}
        self._unit_points: Mapping[str, Sequence[int]] = {side: self._cumulative_points(side) for side in state.SIDES}

    def item(self, item: str) -> int:
        """[4.1] The points of an item of the schedules."""
        return self._points[item]

    def points(self, target: Target) -> int:
        """[4.1] Points that the next hit scores, with those of a wounded marker that it leaves on the map or removes."""
        item = scored_item(target)
        left = {"us eliminated": 1, "wounded destroyed": -1}.get(item, 0) * self._points.get("wounded left", 0)
        return self._points.get(item, 0) + left

    def unit_points(self, side: state.Side) -> Sequence[int]:
        """[4.1] Points that a unit of a side has cost, by its number of hits, 0 to 4."""
        return self._unit_points[side]

    def _cumulative_points(self, side: state.Side) -> Sequence[int]:
        return tuple(accumulate((self.points(Target(side, hits=hits)) for hits in range(state.REMOVED)), initial=0))

    def shooter(self, targets: Sequence[Target]) -> int:
        """The index of a shooter's hit: most points, then strength lost, hits, strength."""

        def gain(index: int) -> tuple[int, ...]:
            return (*self._harm(targets[index]), targets[index].hits, targets[index].strength)

        return max(range(len(targets)), key=gain)

    def owner(self, targets: Sequence[Target]) -> int:
        """The index of an owner's hit: fewest points, then least strength lost, a unit with hits, the weakest."""

        def cost(index: int) -> tuple[int, ...]:
            return (*self._harm(targets[index]), -targets[index].hits, targets[index].strength)

        return min(range(len(targets)), key=cost)

    def owners(self, targets: Sequence[Target], count: int, cap: int) -> list[str]:
        """The names of the counters that take an owner's next hits, one name a hit."""
        left, names = list(targets), []
        for _ in range(count):
            index = self.owner(left)
            names.append(left[index].name)
            rest = left[index].struck()
            left[index : index + 1] = [rest] if rest and rest.room(cap) else []
        return names

    def _harm(self, target: Target) -> tuple[int, int]:
        return self.points(target), target.loss


class AttackResult(NamedTuple):
    """The result of an attack without an answer: dice, hits taken, and whether it was off target or the aircraft damaged."""

    dice: int
    hits: int
    impaired: bool = False


ELSEWHERE = -1
"""The answer of a `HitPlacer` that recorded the hit on a counter that is not among the targets."""
FirstHitKind = state.TargetKind | Literal["owner's officer"]
OWNERS: Literal["owner's officer"] = "owner's officer"
"""Among the kinds for the first hit: officers can be hit, and the owner places every hit."""
ANYBODY: tuple[FirstHitKind, ...] = (state.UNIT, state.WOUNDED, state.OFFICER)
NO_OFFICER: tuple[FirstHitKind, ...] = (state.UNIT, state.WOUNDED)
"""The kinds of counters on which a shooter may place the first hit."""


class HitRules(NamedTuple):
    """The switches of the rulings on hits: `wounded_last` is ruling D-9, `officers_too` C-58."""

    wounded_last: bool = False
    officers_too: bool = False


DEFAULT_HIT_RULES = HitRules()


class HitPlacer:
    """Chooses where hits go. This class follows `HitValues` and asks no questions.

    `shooter` and `owner` return an index into `targets` followed by `barred`: counters that this hit may not be placed on,
    unless a player insists. `named` counters take the owner's next hits, if they were given together.
    """

    def __init__(self, values: HitValues, rules: HitRules = DEFAULT_HIT_RULES) -> None:
        self.values = values
        self.rules = rules
        self.named: list[str] = []

    async def shooter(self, targets: Sequence[Target], number: int, hits: int, barred: Sequence[Target]) -> int:
        """The target of a hit that the firing side places."""
        return self.values.shooter(targets)

    async def owner(self, targets: Sequence[Target], number: int, hits: int, barred: Sequence[Target]) -> int:
        """The target of a hit that the owner places."""
        return self.values.owner(targets)

    def forced(self, targets: Sequence[Target], barred: Sequence[Target], by_shooter: bool) -> None:
        """Called for a hit that is placed without a question because there is no choice."""


async def place_hits(
    targets: Sequence[Target], hits: int, placer: HitPlacer, first: Sequence[FirstHitKind] = (), cap: int = 0
) -> tuple[Target | None, ...]:
    """[8.1] The targets after some hits, in their order; None for one that is gone.

    Args:
        first: The kinds on which the firing side may place the first hit; empty if the owner places all. Officers take hits
            only if they are among them.
        cap: The most hits that a unit may have afterwards, 0 for no limit; excess hits are lost.
    """
    now: list[Target | None] = list(targets)
    kinds = _open_kinds(targets, first)
    for number in range(1, hits + 1):
        able = [index for index, target in enumerate(now) if target and target.room(cap) and target.kind in kinds]
        if placer.rules.wounded_last and any(_kind(now[index]) == state.UNIT for index in able):
            able = [index for index in able if _kind(now[index]) != state.WOUNDED]
        aimed = [index for index in able if number == 1 and _kind(now[index]) in first]
        others = [index for index in able if _kind(now[index]) != state.OFFICER]
        allowed = aimed or (able if placer.rules.officers_too else others or able)
        if not allowed:
            break
        offered = [target for index in allowed if (target := now[index])]
        closed = [index for index, target in enumerate(now) if target and index not in allowed]
        barred = [target for index in closed if (target := now[index])]
        if not placer.named and (len(allowed) == 1 or hits - number + 1 >= room_of([target for target in now if target], cap)):
            choice = 0
            placer.forced(offered, barred, bool(aimed))
        else:
            choice = await (placer.shooter if aimed else placer.owner)(offered, number, hits, barred)
        if choice != ELSEWHERE:
            now[(allowed + closed)[choice]] = (offered + barred)[choice].struck()
    return tuple(now)


def _kind(target: Target | None) -> state.TargetKind | None:
    return target.kind if target else None


def _open_kinds(targets: Sequence[Target], first: Sequence[FirstHitKind]) -> tuple[state.TargetKind, ...]:
    """The kinds that can take hits: officers if they can be aimed at, wounded markers if units are present (ruling D-9)."""
    guarded = any(target.kind == state.UNIT for target in targets)
    officers = (state.OFFICER,) if state.OFFICER in first or OWNERS in first else ()
    return state.UNIT, *officers, *((state.WOUNDED,) if guarded else ())


def room_of(targets: Iterable[Target], cap: int = 0) -> int:
    """How many hits a group of targets can take."""
    return sum(target.room(cap) for target in targets)


def room(targets: Sequence[Piece], cap: int = 0) -> Callable[[], int]:
    """How many hits counters can take; evaluated only for exact odds."""
    return lambda: room_of(map(target_of, targets), cap)


class PlayerHitPlacer(HitPlacer):
    """Asks the side that places a hit; `rule` is the step that says who does, `cap` as in `place_hits`."""

    def __init__(self, referee: AlbanyReferee, shooter: state.Side, rule: str, cap: int = 0) -> None:
        super().__init__(referee.data.hit_values, referee.hit_rules)
        self.referee = referee
        self.side, self.foe = shooter, state.enemy(shooter)
        self.rule = rule
        self.cap = cap

    async def shooter(self, targets: Sequence[Target], number: int, hits: int, barred: Sequence[Target]) -> int:
        choices = [Choice(target.name, target.name, state_text(target)) for target in targets]
        best, others = targets[self.values.shooter(targets)].name, self._others(targets, barred)
        prompt = f"{self.side}: on whom do you place hit 1 of {hits}?"
        request = Choose("first_hit", prompt, self.rule, choices, best, others, "counter there")
        request.why_not = partial(_why_not_hit, self.referee, self.foe, targets[0].id, self.rule)
        request.implied_reply = best if self._is_settled(targets) else None
        # "first_hit", not `request.key`: the request holds this function
        chosen = await self.referee.decide(
            request, self.side, "hit", lambda planner: planner.hit("first_hit", targets), auto=True, value=attrgetter("name")
        )
        return self._index(chosen, targets, barred)

    async def owner(self, targets: Sequence[Target], number: int, hits: int, barred: Sequence[Target]) -> int:
        if not self.named:
            request = self._owner_request(targets, number, hits, barred)

            def names(target: Target) -> list[str]:
                return [target.name]

            named = await self.referee.decide(
                request, self.foe, "hit", lambda planner: planner.hit("hit", targets), auto=True, value=names
            )
            self.named = list(named)
        return self._index(self.named.pop(0), targets, barred)

    def _owner_request(self, targets: Sequence[Target], number: int, hits: int, barred: Sequence[Target]) -> Allot:
        count = min(hits - number + 1, room_of(targets, self.cap))
        which = f"hit {number} of {hits}" if count == 1 else f"hits {number} to {number + count - 1} of {hits}"

        def rows() -> list[tuple[Choice, int]]:
            return [(Choice(target.name, target.name, state_text(target)), target.room(self.cap)) for target in targets]

        prompt = f"{self.foe}: who takes {which}?"
        others = self._others(targets, barred)
        request = Allot("hit", prompt, self.rule, rows, count, lambda: self.values.owners(targets, count, self.cap), others)
        request.typing_hint = "" if count == 1 else "two on one: 2 x NAME"
        request.why_not = partial(_why_not_hit, self.referee, self.foe, targets[0].id, self.rule)
        request.implied_reply = request.suggest if self._is_settled(targets, count) else None
        return request

    def _is_settled(self, targets: Sequence[Target], count: int = 1) -> bool:
        """True if no question is needed: by an option of the player, or because all targets are alike."""
        return self.referee.option("placing") == "suggested" or (count == 1 and self._are_alike(targets))

    def _are_alike(self, targets: Sequence[Target]) -> bool:
        counters = [(target._replace(id="", name=""), self.referee.piece(target.id)) for target in targets]
        states = [(target, dict(piece.values), piece.marks.get(state.INCIDENT)) for target, piece in counters]
        return targets[0].kind != state.OFFICER and all(item == states[0] for item in states)

    def forced(self, targets: Sequence[Target], barred: Sequence[Target], by_shooter: bool) -> None:
        for target in barred:
            key = "first_hit" if by_shooter else "hit"
            self.referee.skip_question(key, self._refusal(target), self.rule, f"It goes to {targets[0].name}")

    def _refusal(self, target: Target) -> str:
        """That a counter of the area cannot take a hit, and why."""
        if target.kind == state.OFFICER:
            why = "officers are hit only where the firing side aims at them"
        elif not target.room(self.cap):
            why = "it has as many as it can get here"
        else:
            why = "platoons take it first" if self.rules.wounded_last else "no platoon is with it"
        return f"{target.name} ({state_text(target)}) cannot take this hit: {why}"

    def _others(self, targets: Sequence[Target], barred: Sequence[Target]) -> list[Choice]:
        closed = [target.name for target in barred]
        present = [*(target.name for target in targets), *closed]
        return [Choice(name, name) for name in (*closed, *self._elsewhere(present))]

    def _index(self, chosen: str, targets: Sequence[Target], barred: Sequence[Target]) -> int:
        names, closed = [target.name for target in targets], [target.name for target in barred]
        if chosen in names:
            return names.index(chosen)
        if chosen in closed:
            self.referee.forbid(self._refusal(barred[closed.index(chosen)]), self.rule, "Choose another counter")
            return len(names) + closed.index(chosen)
        self.referee.forbid(f"{chosen} is not there", self.rule, "Choose a counter that is, or say where it is: arrange")
        before = target_of(self._elsewhere([*names, *closed])[chosen])
        self.referee.apply_hits((before,), (before.struck(),), self.rule, "as the player says")
        return ELSEWHERE

    def _elsewhere(self, present: Sequence[str]) -> dict[str, Piece]:
        if self.referee.is_computer(self.side) and self.referee.is_computer(self.foe):
            return {}
        pieces = self.referee.on_map(self.foe, state.UNIT, state.OFFICER, state.WOUNDED)
        return {piece.name: piece for piece in pieces if piece.name not in present}


def _why_not_hit(referee: AlbanyReferee, side: state.Side, target: str, rule: str, name: str) -> tuple[str, str] | None:
    """[8.1] Why a counter that is named takes no hit where a target of a side is, with the rule."""
    piece, area = referee.counter_called(name, side), referee.piece(target).place
    if piece is None or not is_area(piece.place):
        return None
    if state.side_of(piece) != side:
        return f"{piece.name} is one of the {state.side_of(piece)}'s counters, and the {side} takes these hits", rule
    if piece.place != area:
        return f"{piece.name} is in {title(piece.place)}, and these hits fall on {title(area)}", rule
    return f"{piece.name} is not among those in {title(area)} that these hits fall on", rule


async def take_hits(
    referee: AlbanyReferee,
    shooter: state.Side,
    targets: Sequence[Piece],
    hits: int,
    rule: str,
    why: str,
    first: Sequence[FirstHitKind] = (),
    cap: int = 0,
) -> int:
    """[8.1] Place and apply hits; returns how many were taken."""
    before = tuple(target_of(referee.piece(piece.id)) for piece in targets)
    if referee.interactive:
        after = await place_hits(before, hits, PlayerHitPlacer(referee, shooter, rule, cap), first, cap)
    else:
        after = referee.data.placed_hits(before, hits, tuple(first), cap, referee.hit_rules)
    referee.apply_hits(before, after, rule, why)
    taken = sum(new.hits - old.hits if new else old.room(0) for old, new in zip(before, after, strict=True))
    if taken < hits:
        referee.say(f"{plural(hits - taken, 'hit')} too many: no counter is left to take more.", rule)
    return taken


_DIE = 6


def _die_sides(count: int) -> int:
    return _DIE if count in (2, 3, 6) else count


def chosen_by(face: int, count: int) -> int:
    """[7.5(4)] The index that a die selects: of two 1-3 and 4-6, of three 1-2, 3-4 and 5-6, and so on."""
    return (face - 1) * count // _die_sides(count)


class _Selecting(Roll):
    """A die that selects one of 4 or 5: a higher face of the die that the player rolled selects nobody."""

    __slots__ = ()

    def read(self, text: str) -> list[int]:
        if text.strip().isdecimal() and self.sides < int(text) <= _DIE:
            raise Unreadable(f"{text.strip()} selects nobody", rule=self.rule, cure="Roll again and type that")
        return super().read(text)


async def one_at_random(referee: AlbanyReferee, key: str, what: str, names: Sequence[str], rule: str) -> int:
    """The index of one of several, each equally likely; no roll for a single one."""
    count = len(names)
    if count <= 1:
        return 0
    if count > _DIE and referee.interactive:
        return await _two_dice(referee, key, what, names, rule)
    sides = _die_sides(count)
    span = max(1, sides // count)
    faces = [die_range(index * span + 1, (index + 1) * span) for index in range(count)]
    table = ", ".join(f"{face} {name}" for face, name in zip(faces, names, strict=True))
    again = "" if sides == _DIE else f" (roll again above {count})"
    outcomes = partial(summed_rolls, 1, lambda face: chosen_by(face, count), sides)
    (face,) = await _Selecting(key, f"Which {what}? {table}{again}", rule, 1, sides, outcomes=outcomes)
    index = chosen_by(face, count)
    referee.say(f"Die {face}: it falls on {names[index]}.", rule, f"{what}: {table}")
    return index


async def _two_dice(referee: AlbanyReferee, key: str, what: str, names: Sequence[str], rule: str) -> int:
    span = _DIE * _DIE // len(names)

    def pair(number: int) -> str:
        return f"{number // _DIE + 1}{number % _DIE + 1}"

    ends = [(pair(index * span), pair(index * span + span - 1)) for index in range(len(names))]
    table = ", ".join(f"{low}{'' if low == high else f'-{high}'} {name}" for (low, high), name in zip(ends, names, strict=True))
    again = "" if span * len(names) == _DIE * _DIE else f" (above {ends[-1][1]}: roll again)"
    while True:
        first, second = await Roll(key, f"Which {what}? Two dice in order: {table}{again}", rule, 2)
        index = (_DIE * (first - 1) + second - 1) // span
        if index < len(names):
            referee.say(f"Dice {first}{second}: it falls on {names[index]}.", rule, f"{what}: {table}")
            return index


def check_carried(referee: AlbanyReferee, orders: Sequence[notation.Order]) -> None:
    """[6.3, 8.4A, 10.4] The wounded go only where a platoon of their area goes."""
    carrying = {(order.piece.place, order.to) for order in orders if order.piece.kind == state.UNIT}
    for piece, to in orders:
        if state.needs_carrying(piece) and (piece.place, to) not in carrying:
            text = f"nobody carries {piece.name} from {title(piece.place)} to {title(to)}"
            referee.forbid(text, "8.4A", "A platoon of the area must make the same move")


SENIOR_ACTS = 2


def can_join(referee: AlbanyReferee, officer: Piece) -> bool:
    """[5.2D, 10.1] True if a senior officer can act with units: twice a turn (ruling C-6), and throughout one chit."""
    return state.is_senior(officer) and (
        officer.id in referee.acting_officers
        or state.activations(officer) < SENIOR_ACTS
        or referee.option("seniors") == "any_number"
    )


def activate(referee: AlbanyReferee, officer: Piece, rule: str) -> None:
    """[5.2D, 10.1] Count the activation of an officer, once for each chit."""
    if officer.id not in referee.acting_officers:
        referee.mark(officer.id, state.ACTS, state.activations(officer) + 1, rule, "activated")
        referee.acting_officers.add(officer.id)


async def joining(referee: AlbanyReferee, side: state.Side, area: str, unled: int) -> list[Piece]:
    """[5.2D, 10.1] The senior officers who act with the units in their area; those acting with this chit are not asked.

    Args:
        unled: Units that act without an officer; each officer counts for one of them [10.3].
    """
    able = [officer for officer in referee.officers(area, side) if can_join(referee, officer)]
    able.sort(key=lambda officer: officer.id not in referee.acting_officers)
    joined: list[Piece] = []
    for officer in able:
        acts_already = officer.id in referee.acting_officers
        if len(joined) < unled and (acts_already or referee.is_computer(side) or await _wants_to_join(referee, officer)):
            activate(referee, officer, "5.2D")
            joined.append(officer)
    return joined


async def _wants_to_join(referee: AlbanyReferee, officer: Piece) -> bool:
    number = state.activations(officer) + 1
    often = f"{number}" if referee.option("seniors") == "any_number" else f"{number} of {SENIOR_ACTS}"
    request = Confirm("senior", f"Does {officer.name} act with them? ({often} this turn)", "5.2D", True)
    return await referee.for_side(state.side_of(officer), request)


def leaders_of(referee: AlbanyReferee, unit: Piece, fit: bool = True) -> list[Piece]:
    """[6.2A, 10.3] The officers who let a hit unit move: of its company, or senior, in its area; not `fit`: wounded ones too."""
    side = state.side_of(unit)
    officers = referee.officers(unit.place, side) if fit else referee.pieces(unit.place, side, state.OFFICER)
    return [officer for officer in officers if state.is_senior(officer) or state.company_of(officer) == state.company_of(unit)]


def must_lead_along(referee: AlbanyReferee) -> bool:
    """[10.3] True if the officer who lets a hit unit move goes with it (ruling C-55)."""
    return referee.option("leading") != "area"


def check_led(referee: AlbanyReferee, orders: Sequence[notation.Order]) -> None:
    """[10.3] An officer makes the same move as each hit unit that he lets move."""
    going = {(order.piece.id, order.to) for order in orders}
    for unit, to in orders if must_lead_along(referee) else ():
        leaders = leaders_of(referee, unit) if unit.kind == state.UNIT and state.hits_on(unit) else []
        if leaders and not any((officer.id, to) in going for officer in leaders):
            text = f"{unit.name} is hit, and no officer of its own goes along to {title(to)}"
            referee.forbid(text, "10.3", f"Send him too: {unit.name} {leaders[0].name} > {to}")


def able_together(referee: AlbanyReferee, stack: Sequence[Piece]) -> list[Piece]:
    """[6.2A, 8.4A, 10.3] The counters of a stack that may make the same move: hit units are led, the wounded are carried."""
    ids = {piece.id for piece in stack}
    movable = [p for p in stack if p.kind == state.UNIT and state.may_move(p) and not state.is_artillery(p)]
    units = [p for p in movable if not state.hits_on(p) or any(leader.id in ids for leader in leaders_of(referee, p))]
    return [p for p in stack if p in units or (units if state.needs_carrying(p) else p.kind == state.OFFICER)]


async def casualty_die(referee: AlbanyReferee, officer: Piece, rule: str) -> None:
    """[10.4] One die for an officer: a casualty on a 6. His own side rolls it, as in the rulebook's example of a third chit."""
    prompt, owner = f"Officer check for {officer.name}: a casualty on 6", state.side_of(officer)
    faces = await referee.volley("casualty", prompt, rule, 1, 1, "casualty", side=owner)
    is_hit = bool(referee.count(faces, "casualty"))
    verdict = "CASUALTY" if is_hit else "Safe"
    referee.say(f"Officer check for {officer.name}: {faces[0]}, a casualty on 6. {verdict}.", rule)
    if is_hit:
        referee.wound_officer(officer.id, rule, "officer check")


async def officer_check(referee: AlbanyReferee, area: str, sides: Sequence[str], rule: str, each: bool = False) -> None:
    """[10.4] Check an officer of these sides in an area, chosen at random, or each of them."""
    officers = [piece for piece in referee.position.at(area) if piece.kind == state.OFFICER and state.side_of(piece) in sides]
    if not officers:
        return
    if each:
        for officer in officers:
            await casualty_die(referee, officer, rule)
        return
    owners = {state.side_of(officer) for officer in officers}
    with referee.side_acts(owners.pop()) if len(owners) == 1 else nullcontext():
        index = await one_at_random(referee, "officer", f"officer in {title(area)}", [officer.name for officer in officers], rule)
    await casualty_die(referee, officers[index], rule)

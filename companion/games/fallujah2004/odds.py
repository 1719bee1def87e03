"""[10.1] Odds of an offensive: the reaction to a force by the content of the Reaction cup, and the end of the battle.

The reaction runs by its own procedures on hypothetical positions; equal positions are merged. Which combat units are picked makes
no difference before the battle, so that only then it is decided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import comb
from typing import Literal, NamedTuple, TypeVar

from companion.core.dice import cup_contents, draw_odds
from companion.core.errors import Impossible, Unreadable
from companion.core.notation import Notation
from companion.core.odds import (
    Continued,
    ReplyPolicy,
    distribution,
    distribution_of,
    mean,
    merge,
    paths,
    probability_of,
    suggested_policy,
)
from companion.core.position import Piece, Position
from companion.core.procedures import Progress
from companion.core.requests import Choice, Odds, Pick
from companion.core.text import plural
from companion.games.fallujah2004 import battles, notation, state
from companion.games.fallujah2004.battles import battle_odds
from companion.games.fallujah2004.notation import TERRAINS
from companion.games.fallujah2004.referee import FallujahReferee, deployed, nodes_at
from companion.games.fallujah2004.rules import (
    r08_forces,
    r09_opfor,
    r10_operations,
    r13_movement,
    r13_routes,
    r14_reaction,
    r16_battle,
    r16_combat,
    r16_described,
)
from companion.games.fallujah2004.rules.r14_reaction import Step
from companion.games.fallujah2004.rules.r16_battle import Battle, BattleHost, Fighter, Support

_CUPS = (state.REACTION_CUP, state.AVAILABLE)
_NEGLIGIBLE = 1e-15
"""The chance up to which a reaction is ignored."""
_REACTIONS = 0.3
"""Roughly the part of the work that the reactions are; the rest are the battles."""
_PLENTY = 10_000
"""OPs that no event takes to zero."""
_PICKING = frozenset({"ambush", "martyrs"})
"""The events with extra picks."""
_ANY = "any"
"""The name and type of a combat unit of the cup, until it is decided which it is."""


class OffensivePlan(NamedTuple):
    """An offensive: its space, force, whether an FOB is near, and the Morale Chart as entered, by level and terrain."""

    space: str
    terrain: str
    force: tuple[str, ...]
    fob: bool
    chart: Mapping[str, str]


class Encounter(NamedTuple):
    """The result of a reaction: the battle (None if there is none), its cost so far, and the OPs of Nodes if won or lost."""

    battle: r16_combat.BattleStart | None
    alive: bool
    steps: int
    kia: int
    gain: int
    loss: int


class Outcome(NamedTuple):
    """The end of an offensive, the strength steps lost, and the change of KIA."""

    end: Literal["won", "unopposed", "lost"]
    steps: int
    kia: int


class OutcomeDistribution(NamedTuple):
    """Each outcome with its chance, and the OPs lost on average."""

    outcomes: Mapping[Outcome, float]
    ops: float


class Share(NamedTuple):
    """The chance of a result, and its OPs times that chance."""

    chance: float
    ops: float


Key = TypeVar("Key")


def _add(shares: dict[Key, Share], key: Key, more: Share) -> None:
    before = shares.get(key)
    shares[key] = Share(before.chance + more.chance, before.ops + more.ops) if before else more


class Field(NamedTuple):
    """What a reaction has changed so far: a hypothetical position with the counters picked back in the cup, and the effects."""

    position: Position
    effects: r14_reaction.Effects


class Hand(NamedTuple):
    """A reaction in progress: the index of its field, the picks not looked at yet, the combat units, and what the cup holds.

    Counters are looked at one by one, as each order of picks is equally likely; an event is carried out as soon as it is seen.
    `seen` and `back` count the counters of each kind that have been seen, and those of them that have gone back to the cup,
    and are empty when nothing more is picked;
    `events` are the kinds picked by other events and not carried out yet.
    """

    field: int
    due: int
    units: int
    seen: tuple[int, ...] = ()
    back: tuple[int, ...] = ()
    events: tuple[str, ...] = ()


class EventResult(NamedTuple):
    """A result of an event: the index of the field after it, its extra picks, and whether it goes back to the cup."""

    field: int
    extra: int
    returns: bool


def _irrelevant_events(referee: FallujahReferee) -> Iterator[str]:
    """Events that change nothing for the force now, and do not return to the cup before the last pick."""
    yield from ("blow_bridges", "downed_helicopter", "uprising_elsewhere")
    if not any(map(state.is_iraqi, deployed(referee.position))):
        yield "iraqis_balk"
    if not referee.first_scenario:
        yield "negotiations"
    if referee.netwar():
        yield "intel"


def _in_order(events: Sequence[str]) -> tuple[str, ...]:
    """The same events in a fixed order, as far as the order makes no difference."""
    # the order matters at an extra pick: only events that have gone back before it can be picked
    ordered: list[str] = []
    since: list[str] = []
    for event in events:
        if event in _PICKING:
            ordered += [*sorted(since), event]
            since = []
        else:
            since.append(event)
    return (*ordered, *sorted(since))


def _plus(counts: tuple[int, ...], index: int, by: int = 1) -> tuple[int, ...]:
    """The counts with another number at an index."""
    return (*counts[:index], counts[index] + by, *counts[index + 1 :])


def _kind(counter: Piece) -> str:
    """The kind of a counter of the cup: which event, or any combat unit."""
    return _ANY if counter.kind == state.OPFOR else state.event_of(counter)


class OffensiveAnalysis:
    """The odds of a planned offensive; the position is not changed. `unseen`: a concealed Node lies in the space."""

    def __init__(self, referee: FallujahReferee, plan: OffensivePlan) -> None:
        self.game = referee
        self.plan = plan
        self.start = self._start()
        self.unseen = False
        self._drawn: dict[int, dict[tuple[Fighter, ...], float]] = {}
        cup = Counter(map(_kind, self.start.at(state.REACTION_CUP)))
        self._kinds, self._counts, self._size = tuple(cup), tuple(cup.values()), sum(cup.values())
        self._fields: list[Field] = []
        self._field_indexes: dict[object, int] = {}
        self._event_results: dict[tuple[int, str], dict[EventResult, Share]] = {}
        self._following: dict[Hand, dict[Hand, Share]] = {}
        self._places = plan.space, state.AVAILABLE

    def _on(self, position: Position) -> FallujahReferee:
        referee = FallujahReferee(position, self.game.options, self.game.charts)
        referee.quiet, referee.recording = True, False
        return referee

    def _start(self) -> Position:
        """The position as the force arrives: combat units of the cup all alike, Deceptions for events that change nothing, and no
        Node for a Raid, to save dice.
        """
        game = self._on(self.game.position)
        for piece_id in self.plan.force:
            game.move(piece_id, self.plan.space, "13.0")
        irrelevant = list(_irrelevant_events(game))
        for piece in game.position.at(state.REACTION_CUP):
            if state.event_of(piece) in irrelevant:
                game.move(piece.id, state.OUT, "14.5")
                game.make(state.EVENT, "Deception", state.REACTION_CUP, "14.5", values={"event": "deception"})
            elif piece.kind == state.OPFOR:
                game.move(piece.id, state.OUT, "14.1")
                game.make(state.OPFOR, _ANY, state.REACTION_CUP, "14.1", values={"type": _ANY, "fire": 0, "contact": 0})
        for piece in game.position.at(state.NODE_PILE):
            game.move(piece.id, state.OFF, "14.7")
        game.set_track("ops", _PLENTY, "8.1", "")
        game.set_track("kia", 0, "21.1", "")
        return game.position

    async def _entered(self) -> tuple[Hand, tuple[str, ...]] | None:
        """[14.1] The reaction after the force enters and Nodes take effect, and the ids of the Nodes; None without a reaction.

        The Nodes are set aside: the picks do not depend on which Nodes they are.
        """
        game, space = self._on(self.start), self.plan.space
        if await r14_reaction.enter_space(game, space, [game.piece(piece_id) for piece_id in self.plan.force]) is None:
            return None
        self.unseen = not nodes_at(self.start, space) and bool(nodes_at(game.position, space))
        due = r14_reaction.new_picks(game, space).due if self._force(game) else 0
        nodes = tuple(piece.id for piece in nodes_at(game.position, space))
        for node in nodes:
            game.move(node, state.OFF, "20.2")
        nothing = (0,) * len(self._kinds)
        return Hand(self._field(game, r14_reaction.Effects(space)), due, 0, nothing, nothing), nodes

    def _field(self, referee: FallujahReferee, effects: r14_reaction.Effects) -> int:
        """The index of a field; fields are equal if the battle and later events cannot tell them apart."""
        position = referee.position
        tracks = position.track("morale"), position.track("kia")
        pieces = (tuple(sorted([piece.name + piece.face for piece in position.at(place)])) for place in self._places)
        others = r09_opfor.holy_occupied(referee), sum(map(state.is_iraqi, deployed(position)))
        key = (effects, tracks, others, *pieces)
        if key not in self._field_indexes:
            self._field_indexes[key] = len(self._fields)
            self._fields.append(Field(position, effects))
        return self._field_indexes[key]

    async def _carry_out(self, index: int, kind: str) -> Continued:
        """[14.3(2)] An event on a field, and the OPs that it costs."""
        field = self._fields[index]
        game = self._on(field.position)
        event = next(piece for piece in field.position.at(state.REACTION_CUP) if state.event_of(piece) == kind)
        game.move(event.id, state.DISPLAY, "14.1")
        effects = await r14_reaction.carry_out(game, game.piece(event.id), field.effects)
        if effects.returns:
            game.move(event.id, state.REACTION_CUP, "14.5")
        after = self._field(game, effects._replace(negotiations=0, extra=0, returns=True))
        result = EventResult(after, effects.extra, r14_reaction.returns_at_once(game, effects))
        return Continued(result, field.position.track("ops") - game.ops + effects.negotiations)

    def _force(self, referee: FallujahReferee) -> list[Piece]:
        return [piece for piece in map(referee.piece, self.plan.force) if piece.place == self.plan.space]

    def _encounter(self, index: int, units: int, nodes: Sequence[str]) -> Encounter:
        """The encounter of a field and some combat units, with the Nodes of the space."""
        field = self._fields[index]
        game = self._on(field.position)
        picked = [piece.id for piece in game.position.at(state.REACTION_CUP) if piece.kind == state.OPFOR][:units]
        hand = r14_reaction.Picks(0, 0, field.effects, units=tuple(picked))
        for node in nodes:
            game.move(node, self.plan.space, "20.2")
        plan, force = self.plan, self._force(game)
        steps_before = sum(state.steps_left(self.start.pieces[piece_id]) for piece_id in plan.force)
        lost = steps_before - sum(map(state.steps_left, force))
        events = r14_reaction.finish_picks(game, hand).bonuses
        battle = None
        if force and r16_combat.opfor_at(game, plan.space):
            battle = r16_combat.battle_start(game, plan.space, plan.terrain, force, events, plan.fob, plan.chart)
            offered = r16_combat.support(game, plan.space)
            nameless = tuple(strike._replace(id="", name="") for strike in offered.strikes)
            fight = battle.battle._replace(support=Support(nameless, offered.netwar)).canonical()
            battle = battle._replace(battle=battles.strongest_first(fight))
        gain = self._ops_of(game, lambda: r09_opfor.capture(game, plan.space, force))
        loss = -self._ops_of(game, lambda: r09_opfor.lose_battle(game, plan.space))
        return Encounter(battle, bool(force), lost, game.position.track("kia"), gain, loss)

    @staticmethod
    def _ops_of(referee: FallujahReferee, procedure: Callable[[], object]) -> int:
        """The OPs that a procedure brings; the position is restored."""
        position, before = referee.position, referee.ops
        procedure()
        gained, referee.position = referee.ops - before, position
        return gained

    async def encounters(self) -> dict[Encounter, Share] | None:
        """The possible encounters; None if nothing reacts [14.1(1)]."""
        before: dict[Encounter, Share] = {}
        done = 0.0
        for entry, chance in merge(paths(self._entered)).items():
            if entry is None:
                return None
            await self._progress(0.0, _REACTIONS, done)
            done += chance
            for (field, units), part in self._reactions(entry[0]).items():
                _add(before, self._encounter(field, units, entry[1]), Share(chance * part.chance, chance * part.ops))
        encounters: dict[Encounter, Share] = {}
        for met, share in before.items():
            for encounter, likely in self._units_decided(met):
                _add(encounters, encounter, Share(share.chance * likely, share.ops * likely))
        return encounters

    def _units_decided(self, met: Encounter) -> Iterator[tuple[Encounter, float]]:
        """The encounters with each of the combat units that may have been picked."""
        fight = met.battle.battle if met.battle else None
        known = [fighter for fighter in fight.opfor if fighter.kind != _ANY] if fight else []
        if met.battle is None or fight is None or len(known) == len(fight.opfor):
            yield met, 1.0
            return
        for units, likely in self._units(len(fight.opfor) - len(known)).items():
            battle = met.battle._replace(battle=fight._replace(opfor=tuple(sorted([*known, *units]))))
            yield met._replace(battle=battle), likely

    def _units(self, count: int) -> dict[tuple[Fighter, ...], float]:
        """The combat units that so many picks among those of the cup may be, and how likely."""
        if count not in self._drawn:
            cup = self.game.position.at(state.REACTION_CUP)
            fighters = [r16_combat.insurgent(piece)._replace(id="", name="") for piece in cup if piece.kind == state.OPFOR]
            picks: dict[tuple[Fighter, ...], int] = {(): 1}
            for fighter, number in Counter(fighters).items():
                grown: dict[tuple[Fighter, ...], int] = {}
                for units, ways in picks.items():
                    for taken in range(min(number, count - len(units)) + 1):
                        grown[(*units, *[fighter] * taken)] = ways * comb(number, taken)
                picks = grown
            total = comb(len(fighters), count)
            self._drawn[count] = {units: ways / total for units, ways in picks.items() if len(units) == count}
        return self._drawn[count]

    def _reactions(self, start: Hand) -> dict[tuple[int, int], Share]:
        """The fields and numbers of combat units that a reaction leads to."""
        complete: dict[tuple[int, int], Share] = {}
        current = {start: Share(1.0, 0.0)}
        while current:  # Ambush and Martyrs may pick each other again, ever less likely
            following: dict[Hand, Share] = {}
            for hand, (chance, ops) in current.items():
                if r14_reaction.next_step(hand.due, 0, False, hand.events) is Step.END:
                    _add(complete, (hand.field, hand.units), Share(chance, ops))
                    continue
                for after, part in self._after_counter(hand).items():
                    if chance * part.chance > _NEGLIGIBLE:
                        _add(following, after, Share(chance * part.chance, ops * part.chance + chance * part.ops))
            current = following
        return complete

    def _after_counter(self, hand: Hand) -> dict[Hand, Share]:
        """[14.3] The reaction after the next counter: a pick by morale is looked at first, then the events picked by events."""
        following = self._following.get(hand)
        if following is None:
            following = self._following[hand] = {}
            field, due, units, seen, back, events = hand
            if r14_reaction.next_step(due, 0, False, events) is Step.PICK:
                unseen = self._size - sum(seen)
                for index, count in enumerate(self._counts):
                    if left := count - seen[index]:
                        after = Hand(field, due - 1, units, _plus(seen, index), back, events)
                        self._add_seen(following, after, index, left / unseen)
                if not unseen:
                    _add(following, hand._replace(due=0), Share(1.0, 0.0))
            else:
                self._add_seen(following, hand._replace(events=events[1:]), self._kinds.index(events[0]), 1.0)
        return following

    def _add_seen(self, following: dict[Hand, Share], hand: Hand, index: int, chance: float) -> None:
        """Add what follows when a counter of the kind of that index is the next."""
        kind = self._kinds[index]
        if kind in (_ANY, "deception"):
            _add(following, self._with_counter(hand, kind), Share(chance, 0.0))
            return
        for result, part in self._results_of(hand.field, kind).items():
            for after, likely in self._completed(hand, index, result):
                ends = not after.due and _PICKING.isdisjoint(after.events)  # what the cup holds makes no difference
                _add(
                    following,
                    after._replace(seen=(), back=()) if ends else after,
                    Share(chance * part.chance * likely, chance * part.ops * likely),
                )

    def _completed(self, hand: Hand, index: int, result: EventResult) -> Iterable[tuple[Hand, float]]:
        """[14.3] The hands after an event that was carried out, of the kind of that index: extra picks made, itself back."""
        hands: Iterable[tuple[Hand, float]] = ((hand._replace(field=result.field), 1.0),)
        extra, carried_out = result.extra, True
        # the picks by morale are made before any event; those due are only not looked at yet
        while (step := r14_reaction.next_step(0, extra, carried_out, ())) is not Step.END:
            if step is Step.EXTRA:
                hands = merge((after, likely * share) for one, likely in hands for after, share in self._picked(one)).items()
                extra -= 1
                continue
            if result.returns and hand.back:
                hands = [(one._replace(back=_plus(one.back, index)), likely) for one, likely in hands]
            carried_out = False
        return hands

    def _picked(self, hand: Hand) -> Iterator[tuple[Hand, float]]:
        """[14.3] The hand after one more pick from the cup: of the unseen counters but those due, or of those that are back.

        The counters due are any of the unseen ones, so that each of these is equally likely to be the one picked.
        """
        field, due, units, seen, back, events = hand
        unseen = self._size - sum(seen)
        size = unseen - due + sum(back)
        if not size:
            yield hand, 1.0
            return
        for index, kind in enumerate(self._kinds):
            fresh = self._counts[index] - seen[index]
            if fresh and unseen > due:
                after = Hand(field, due, units, _plus(seen, index), back, events)
                yield self._with_counter(after, kind), fresh / unseen * (unseen - due) / size
            if back[index]:
                after = Hand(field, due, units, seen, _plus(back, index, -1), events)
                yield self._with_counter(after, kind), back[index] / size

    @staticmethod
    def _with_counter(hand: Hand, kind: str) -> Hand:
        """The hand with one more combat unit, or an event to be carried out; a Deception changes nothing."""
        if kind == _ANY:
            return hand._replace(units=hand.units + 1)
        return hand if kind == "deception" else hand._replace(events=_in_order((*hand.events, kind)))

    def _results_of(self, field: int, kind: str) -> dict[EventResult, Share]:
        """The results of an event on a field, with the OPs that they cost."""
        results = self._event_results.get((field, kind))
        if results is None:
            results = self._event_results[field, kind] = {}
            for after, chance in paths(lambda: self._carry_out(field, kind)):
                _add(results, after.state, Share(chance, chance * after.cost))
        return results

    @staticmethod
    async def _progress(first: float, last: float, done: float) -> None:
        """Report a fraction of the part of the work between two fractions of the whole."""
        await Progress(round(100 * (first + (last - first) * done)), 100, "10.1")

    async def outcomes(self, encounters: Mapping[Encounter, Share], supported: bool, last: bool) -> OutcomeDistribution:
        """The outcomes; `supported`: all available support is committed in the first round, or none; `last`: no others follow."""
        outcomes: dict[Outcome, float] = {}
        ops = sum([share.ops for share in encounters.values()])
        half = (1.0 + _REACTIONS) / 2
        begin, end = (half if supported else _REACTIONS), (1.0 if last else half)
        solved, total = 0.0, sum([share.chance for share in encounters.values()])
        for outcome, lost, chance in self._ends(encounters, supported):
            outcomes[outcome] = outcomes.get(outcome, 0.0) + chance
            ops += chance * lost
            solved += chance
            await self._progress(begin, end, solved / total)
        return OutcomeDistribution(outcomes, ops)

    def _ends(self, encounters: Mapping[Encounter, Share], supported: bool) -> Iterator[tuple[Outcome, int, float]]:
        """The outcomes of the encounters, with the OPs that each costs and its chance; battles that differ in their units only
        are solved together.
        """
        alike: dict[object, list[tuple[r16_combat.BattleStart, Encounter, float]]] = {}
        for met, share in encounters.items():
            if met.battle is None:
                outcome = Outcome("unopposed" if met.alive else "lost", met.steps, met.kia)
                yield outcome, -met.gain if met.alive else 0, share.chance
                continue
            start = met.battle
            key = start.scene, start.stand, bool(start.battle.support.strikes), battles.has_mob(start.battle)
            alike.setdefault(key, []).append((start, met, share.chance))
        for group in alike.values():
            yield from self._solved(group, supported)

    def _solved(
        self, group: Sequence[tuple[r16_combat.BattleStart, Encounter, float]], supported: bool
    ) -> Iterator[tuple[Outcome, int, float]]:
        """The outcomes of encounters under the same conditions, by one solver, which is dropped afterwards to save memory."""
        first = group[0][0]
        policy: ReplyPolicy = battles.commit_all if supported else suggested_policy
        solver = battles.BattleSolver(BattleHost(self.game, first.scene, first.stand), first.battle, policy)
        starts: dict[tuple[int, int, int, int], dict[Battle, float]] = {}
        for start, met, chance in group:
            steps, units = battles.steps_left(start.battle), len(start.battle.opfor)
            mixed = starts.setdefault((met.steps + steps, met.kia - steps + units, met.gain, met.loss), {})
            mixed[start.battle] = mixed.get(start.battle, 0.0) + chance
        for (steps, kia, gain, loss), mixed in starts.items():
            for (left, ops), chance in solver.remainders(mixed).items():
                won = left.verdict in r16_battle.WON
                outcome = Outcome("won" if won else "lost", steps - left.steps, kia + left.steps - left.units)
                yield outcome, ops + (-gain if won else loss), chance


async def going_in_odds(referee: FallujahReferee, plan: OffensivePlan, title: str) -> Odds:
    """[10.1] The odds of an offensive into a space: units met, result, losses."""
    analysis = OffensiveAnalysis(referee, plan)
    encounters = await analysis.encounters()
    if encounters is None:
        return Odds(title, "14.1(1)", (("OPFOR", (("does not react: units are there already", 1.0),)),))
    offered = r16_combat.support(referee, plan.space) != Support()
    results = {"": await analysis.outcomes(encounters, supported=False, last=not offered)}
    if offered:
        results[", all support"] = await analysis.outcomes(encounters, supported=True, last=True)
    unsupported = results[""].outcomes
    sections = (
        ("OPFOR units met", _rows(merge((_met_units(met), part.chance) for met, part in encounters.items()))),
        ("The force", tuple(row for label, result in results.items() for row in _verdicts(result.outcomes, label))),
        ("Strength steps lost", _rows(distribution_of(unsupported, lambda outcome: outcome.steps))),
        ("KIA index changes by", _rows(distribution_of(unsupported, lambda outcome: outcome.kia))),
    )
    means = tuple(row for label, result in results.items() for row in _means(result, label))
    return Odds(title, "10.1", sections, means, _notes(referee, plan, offered, analysis.unseen))


def _met_units(met: Encounter) -> int:
    return len(met.battle.battle.opfor) if met.battle else 0


def _rows(numbers: Mapping[int, float]) -> tuple[tuple[str, float], ...]:
    return tuple((str(number), chance) for number, chance in sorted(numbers.items()))


def _verdicts(outcomes: Mapping[Outcome, float], label: str) -> list[tuple[str, float]]:
    rows = [(f"wins its battle{label}", probability_of(outcomes, lambda outcome: outcome.end == "won"))]
    if not label:
        rows.append(("meets no unit", probability_of(outcomes, lambda outcome: outcome.end == "unopposed")))
    return [*rows, (f"is lost{label}", probability_of(outcomes, lambda outcome: outcome.end == "lost"))]


def _means(result: OutcomeDistribution, label: str) -> Sequence[tuple[str, float]]:
    return (
        (f"KIA change{label}", mean(distribution_of(result.outcomes, lambda outcome: outcome.kia))),
        (f"strength steps lost{label}", mean(distribution_of(result.outcomes, lambda outcome: outcome.steps))),
        (f"OPs, without the one that it costs{label}", 0.0 - result.ops),
    )


def _notes(referee: FallujahReferee, plan: OffensivePlan, offered: bool, unseen: bool) -> tuple[str, ...]:
    response = _RESPONSES.get(plan.chart.get(f"{referee.morale}:{plan.terrain}", ""))
    assumed = f"No Morale Chart for {referee.morale}: assumes OPFOR stands"
    stance = f"At {referee.morale} morale OPFOR {response}" if response else assumed
    return (
        f"{stance} in {plan.terrain}; the force never withdraws and loses the least firepower.",
        "Random spaces lie elsewhere; the OPs last; no leader appears; the force goes no farther.",
        *(("All support: every strike and one NetWar in the first round, including those from Intel.",) if offered else ()),
        *(("The Node there is any that is still concealed.",) if unseen else ()),
    )


_RESPONSES = {"stand": "stands", "break-off": "breaks off"}


async def tactical_edge_odds(referee: FallujahReferee) -> Odds:
    """[16.1(2)] The odds of the Tactical Edge, given both bonuses."""
    ours = await referee.number("coalition", "What does the Coalition add? (contact, leader, NetWar, FOB)", "16.1(2)", 0, 15)
    theirs = await referee.number("opfor", "What does OPFOR add? (contact, Node, event)", "16.1(2)", 0, 15)
    terrain = await referee.choose("terrain", "Terrain", "16.5", [Choice(word, word) for word in TERRAINS], "urban")
    stage = BattleHost(referee, r16_combat.conditions(referee, terrain))
    battle = Battle((Fighter(0, ours),), (Fighter(0, theirs),))
    results = distribution(lambda: r16_battle.tactical_edge(stage, battle))
    first = probability_of(results, lambda after: after.firing == "coalition")
    return Odds("Tactical Edge", "16.1(2)", (("Who fires first", (("Coalition", first), ("OPFOR", 1.0 - first))),))


async def morale_odds(referee: FallujahReferee) -> Odds:
    """[9.2] The odds that a morale check lowers or raises OPFOR morale."""
    prompt = "How many Mosque and Objective spaces hold Coalition units?"
    held = await referee.number("held", prompt, "9.2", 0, 20, r09_opfor.holy_occupied(referee))
    falls = probability_of(distribution(lambda: r09_opfor.roll_morale(held)), lambda result: result[1] < 0)
    rows = (_morale_result(referee, "lowered", -1), falls), (_morale_result(referee, "raised", 1), 1.0 - falls)
    return Odds("Morale check", "9.2", (("OPFOR morale is", rows),))


def _morale_result(referee: FallujahReferee, word: str, by: int) -> str:
    """[9.2] The label of a result, which is different at the lowest and highest level."""
    level = referee.position.tracks.get("morale")
    stuck = level is not None and r09_opfor.level_after(level, by) == level
    return f"not {word}: it is {referee.morale} already" if stuck else word


async def isr_odds(referee: FallujahReferee) -> Odds:
    """[12.1] The odds that NetWar markers on one Node reveal it."""
    markers = await referee.number("markers", "How many NetWar markers go on the Node?", "12.1", 1, 12, 1)
    revealed = r10_operations.isr_chance(referee, markers)
    return Odds("J-2 ISR", "12.1", (("The Node", (("revealed", revealed), ("stays concealed", 1.0 - revealed))),))


async def infowar_odds(referee: FallujahReferee) -> Odds:
    """[19.0] The OPs that an InfoWar brings."""
    markers = await referee.number("markers", "How many NetWar markers do you commit?", "19.0", 1, 12, 1)
    totals = r10_operations.infowar_totals(referee, markers)
    rows = tuple((f"{total:+d}", chance) for total, chance in totals.items())
    return Odds("J-5 InfoWar", "19.0", (("OPs", rows),), (("OPs, before the one that the operation costs", mean(totals)),))


async def infiltration_odds(referee: FallujahReferee) -> Odds:
    """[27.1] The odds that SOF pass a number of Node spaces."""
    contact = await referee.number("contact", "What is the lowest contact in the SOF force?", "27.1", 0, 9)
    spaces = await referee.number("spaces", "How many Node spaces does it pass?", "27.1", 1, 6, 1)
    passes = probability_of(distribution(lambda: r13_movement.roll_infiltration(contact)), lambda result: result[1]) ** spaces
    return Odds("SOF infiltration", "27.1", (("The force", (("passes", passes), ("is stopped", 1.0 - passes))),))


async def draw_odds_of(referee: FallujahReferee) -> Odds:
    """[14.1] The odds of the next reaction, given the content of the Reaction cup."""
    counts = cup_contents(referee.position, state.REACTION_CUP)
    if not counts:
        text = "the Reaction cup is empty, or no session is in play"
        raise Impossible(text, rule="14.1", cure="Start one: companion new fallujah2004")
    number = await referee.number("picks", "How many counters are drawn?", "14.1", 1, 12, r09_opfor.picks(referee))
    total = sum(counts.values())
    units = sum(state.fights(piece) for piece in referee.position.at(state.REACTION_CUP))
    fight = draw_odds({"unit": units, "event": total - units}, number)["unit"]
    sections = (
        ("The next counter is", tuple((name, count / total) for name, count in counts.items())),
        (f"At least one among {plural(number, 'draw')}", tuple(draw_odds(counts, number).items())),
        ("Among them", (("at least one combat unit", fight), ("no combat unit", 1.0 - fight))),
    )
    means = (("combat units", min(number, total) * units / total),)
    return Odds("Next reaction", "14.1", sections, means, ("Extra draws of Ambush, Martyrs and an Arms Cache are not counted.",))


async def offensive_odds_of(referee: FallujahReferee) -> Odds:
    """[10.1] The odds of a J-3 into a space before it begins: reaction, battle, costs."""
    movers = [piece for piece in deployed(referee.position) if not state.is_fob(piece)]
    if not movers:
        raise Impossible("no Coalition unit is on the map or in a base", rule="8.3", cure="Recruit some first: j1")
    space = await _ask_entered_space(referee)
    force = await _ask_force(referee, space, [piece for piece in movers if piece.place != space] or movers)
    terrain = (await referee.ground(space, "16.5")).terrain
    bonus = await r16_combat.fob_bonus(referee, space)
    plan = OffensivePlan(space, terrain, tuple(piece.id for piece in force), bonus, await referee.known_facts("stand", "9.3(2)"))
    return await going_in_odds(referee, plan, f"J-3 into {referee.title(space)}: {referee.piece_names(force)}")


async def _ask_entered_space(referee: FallujahReferee) -> str:
    """[13.0] The space that the force goes into; a path, as a J-3 takes it, leads into its last space."""
    names = await referee.place_names()

    def read(text: str) -> str:
        try:
            return notation.read_space(text, names, False)
        except Unreadable:
            *passed, last = [word.replace("_", " ") for word in text.split() if word != "water"] or [text]
            for space in passed:
                notation.read_space(space, names, True)
            if not passed and last == text:
                raise
            return notation.read_space(last, names, False)

    spaces = Notation("space", "3-8", read, words=state.SPACE_ORDER)
    return await referee.text("to", "Into which space?", "13.0", spaces, referee.space_choices())


async def _ask_force(referee: FallujahReferee, space: str, movers: Sequence[Piece]) -> list[Piece]:
    """[8.3] Ask for the force; not if a single unit is near."""
    routes = await r13_routes.known_routes(referee)
    starts = dict.fromkeys(piece.place for piece in movers)
    near = [start for start in starts if routes.may_be_joined(start, space)] or list(starts)
    suggested = [piece.name for piece in movers if piece.place == near[0]]
    request = Pick("force", "Which units go in?", "8.3", referee.unit_choices(movers), 1, suggest=suggested)
    request.implied_reply = suggested if len(near) == 1 and len(suggested) == 1 else None
    force = referee.by_name(await request, movers)
    referee.check(r08_forces.force_fault(referee, force))
    return force


async def battle_odds_of(referee: FallujahReferee) -> Odds:
    """[16.1] A described battle to its end."""
    scene, battle, by = await r16_described.describe(referee)
    stand = await r16_combat.ask_response(referee, "What does the OPFOR Morale Chart print here?", "9.3(2)", "stand") == "stand"
    loss = await referee.number("node_loss", "How many OPs does the Node cost if the battle is lost?", "17.0", 0, 9, 0)
    odds = battle_odds(BattleHost(referee, scene, stand), battle, loss)
    return odds._replace(notes=(*odds.notes, f"Collateral Damage as in {by} (scenario=...).")) if by else odds

"""[10.1] Odds of an offensive: the reaction to a force by the content of the Reaction cup, and the end of the battle.

The reaction runs by its own procedures on hypothetical positions; equal positions are merged. Which combat units are picked makes
no difference before the battle, so that only then it is decided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import comb
from typing import Literal, NamedTuple, TypeVar

from companion.core.dice import cup_contents, draw_odds
from companion.core.errors import Impossible
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
from companion.core.requests import Choice, Odds, Pick
from companion.core.text import plural
from companion.games.fallujah2004 import battles, state
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
)
from companion.games.fallujah2004.rules.r16_battle import Battle, BattleHost, Conditions, Fighter, Support

_CUPS = (state.REACTION_CUP, state.AVAILABLE)
_NEGLIGIBLE = 1e-9
"""The chance up to which a reaction is ignored."""
_PLENTY = 10_000
"""OPs that no event takes to zero."""
_PICKING = ("ambush", "martyrs")
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


class ReactionState:
    """A reaction in progress on a hypothetical position; equal if counters of the same names are in the same places."""

    __slots__ = ("_key", "hand", "position")

    def __init__(self, position: Position, hand: r14_reaction.Picks) -> None:
        self.position = position
        self.hand = _in_order(position, hand)
        picked = (tuple(position.pieces[counter].name for counter in pile) for pile in (self.hand.events, self.hand.units))
        tracks = position.track("morale"), position.track("kia")
        places = [hand.effects.space, state.AVAILABLE]
        counts: tuple[int, ...] = ()
        if hand.due or any(state.event_of(position.pieces[event]) in _PICKING for event in hand.events):
            places.append(state.REACTION_CUP)  # what lies there only matters while something may be picked
            counts = len(hand.deceptions), len(hand.waiting), hand.due
        pieces = (tuple(sorted([piece.name + piece.face for piece in position.at(place)])) for place in places)
        self._key = (*picked, *counts, hand.effects, *tracks, *pieces)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ReactionState) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


def _irrelevant_events(referee: FallujahReferee) -> Iterator[str]:
    """Events that change nothing for the force now, and do not return to the cup before the last pick."""
    yield from ("blow_bridges", "downed_helicopter", "uprising_elsewhere")
    if not any(map(state.is_iraqi, deployed(referee.position))):
        yield "iraqis_balk"
    if not referee.first_scenario:
        yield "negotiations"
    if referee.netwar():
        yield "intel"


def _in_order(position: Position, hand: r14_reaction.Picks) -> r14_reaction.Picks:
    """The same hand in a fixed order, as far as the order makes no difference."""

    def name(counter: str) -> str:
        return position.pieces[counter].name

    # the order matters at an extra pick: only events that have gone back before it can be picked
    events: list[str] = []
    since: list[str] = []
    for event in hand.events:
        if state.event_of(position.pieces[event]) in _PICKING:
            events += [*sorted(since, key=name), event]
            since = []
        else:
            since.append(event)
    units = tuple(sorted(hand.units, key=name))
    return hand._replace(events=(*events, *sorted(since, key=name)), units=units, deceptions=tuple(sorted(hand.deceptions)))


class OffensiveAnalysis:
    """The odds of a planned offensive; the position is not changed. `unseen`: a concealed Node lies in the space."""

    def __init__(self, referee: FallujahReferee, plan: OffensivePlan) -> None:
        self.game = referee
        self.plan = plan
        self.start = self._start()
        self.unseen = False
        self._drawn: dict[int, dict[tuple[Fighter, ...], float]] = {}
        self._following: dict[ReactionState, dict[ReactionState, Share]] = {}
        self._solvers: dict[tuple[Conditions, bool, bool], battles.BattleSolver] = {}

    def _on(self, position: Position) -> FallujahReferee:
        return FallujahReferee(position, self.game.options, self.game.charts)

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

    async def _entered(self) -> tuple[ReactionState, tuple[str, ...]] | None:
        """[14.1] The state after the force enters and Nodes take effect, and the ids of the Nodes; None without a reaction.

        The Nodes are set aside: the picks do not depend on which Nodes they are.
        """
        game, space = self._on(self.start), self.plan.space
        if await r14_reaction.enter_space(game, space, [game.piece(piece_id) for piece_id in self.plan.force]) is None:
            return None
        self.unseen = not nodes_at(self.start, space) and bool(nodes_at(game.position, space))
        hand = r14_reaction.Picks(0, 0, r14_reaction.Effects(space))
        if self._force(game):
            hand = r14_reaction.new_picks(game, space)
        nodes = tuple(piece.id for piece in nodes_at(game.position, space))
        for node in nodes:
            game.move(node, state.OFF, "20.2")
        return ReactionState(game.position, hand), nodes

    async def _play(self, reaction: ReactionState) -> Continued:
        """[14.3] The next pick or event, and the OPs that it costs."""
        game = self._on(reaction.position)
        hand = await r14_reaction.next_pick(game, reaction.hand)
        negotiations = hand.effects.negotiations
        hand = hand._replace(effects=hand.effects._replace(negotiations=0))
        return Continued(ReactionState(game.position, hand), reaction.position.track("ops") - game.ops + negotiations)

    def _force(self, referee: FallujahReferee) -> list[Piece]:
        return [piece for piece in map(referee.piece, self.plan.force) if piece.place == self.plan.space]

    def _encounter(self, reaction: ReactionState, nodes: Sequence[str]) -> Encounter:
        """The encounter after a reaction, with the Nodes of the space."""
        game, hand = self._on(reaction.position), reaction.hand
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

    def encounters(self) -> dict[Encounter, Share] | None:
        """The possible encounters; None if nothing reacts [14.1(1)]."""
        before: dict[Encounter, Share] = {}
        for entry, chance in merge(paths(self._entered)).items():
            if entry is None:
                return None
            for reaction, part in self._reactions(entry[0]).items():
                _add(before, self._encounter(reaction, entry[1]), Share(chance * part.chance, chance * part.ops))
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

    def _reactions(self, start: ReactionState) -> dict[ReactionState, Share]:
        """The completed reactions that a state leads to."""
        complete: dict[ReactionState, Share] = {}
        current = {start: Share(1.0, 0.0)}
        while current:  # Ambush and Martyrs may pick each other again, ever less likely
            following: dict[ReactionState, Share] = {}
            for reaction, (chance, ops) in current.items():
                if not (reaction.hand.due or reaction.hand.events):
                    _add(complete, reaction, Share(chance, ops))
                    continue
                for after, part in self._after_pick(reaction).items():
                    if chance * part.chance > _NEGLIGIBLE:
                        _add(following, after, Share(chance * part.chance, ops * part.chance + chance * part.ops))
            current = following
        return complete

    def _after_pick(self, reaction: ReactionState) -> dict[ReactionState, Share]:
        following = self._following.get(reaction)
        if following is None:
            following = self._following[reaction] = {}
            for after, chance in paths(lambda: self._play(reaction)):
                _add(following, after.state, Share(chance, chance * after.cost))
        return following

    def outcomes(self, encounters: Mapping[Encounter, Share], supported: bool) -> OutcomeDistribution:
        """The outcomes; `supported`: all available support is committed in the first round, or none."""
        outcomes: dict[Outcome, float] = {}
        ops = 0.0
        for encounter, (chance, before) in encounters.items():
            ops += before
            for outcome, lost, part in self._outcomes(encounter, supported):
                outcomes[outcome] = outcomes.get(outcome, 0.0) + chance * part
                ops += chance * part * lost
        return OutcomeDistribution(outcomes, ops)

    def _outcomes(self, met: Encounter, supported: bool) -> Iterator[tuple[Outcome, int, float]]:
        """Each outcome of an encounter, with the OPs that it costs and its chance."""
        if met.battle is None:
            yield Outcome("unopposed" if met.alive else "lost", met.steps, met.kia), -met.gain if met.alive else 0, 1.0
            return
        results = self._solver(met.battle, supported).results(start=met.battle.battle)
        for (losses, ops), chance in results.items():
            won = losses.verdict in r16_battle.WON
            outcome = Outcome("won" if won else "lost", met.steps + losses.lost, met.kia + losses.killed - losses.lost)
            yield outcome, ops + (-met.gain if won else met.loss), chance

    def _solver(self, start: r16_combat.BattleStart, supported: bool) -> battles.BattleSolver:
        key = start.scene, start.stand, supported
        if key not in self._solvers:
            policy: ReplyPolicy = battles.commit_all if supported else suggested_policy
            self._solvers[key] = battles.BattleSolver(BattleHost(self.game, start.scene, start.stand), start.battle, policy)
        return self._solvers[key]


def going_in_odds(referee: FallujahReferee, plan: OffensivePlan, title: str) -> Odds:
    """[10.1] The odds of an offensive into a space: units met, result, losses."""
    analysis = OffensiveAnalysis(referee, plan)
    encounters = analysis.encounters()
    if encounters is None:
        return Odds(title, "14.1(1)", (("OPFOR", (("does not react: units are there already", 1.0),)),))
    offered = r16_combat.support(referee, plan.space) != Support()
    results = {"": analysis.outcomes(encounters, supported=False)}
    if offered:
        results[", all support"] = analysis.outcomes(encounters, supported=True)
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
    space = await referee.space("to", "Into which space?", "13.0")
    force = await _ask_force(referee, space, [piece for piece in movers if piece.place != space] or movers)
    terrain = (await referee.ground(space, "16.5")).terrain
    bonus = await r16_combat.fob_bonus(referee, space)
    plan = OffensivePlan(space, terrain, tuple(piece.id for piece in force), bonus, await referee.known_facts("stand", "9.3(2)"))
    return going_in_odds(referee, plan, f"J-3 into {referee.title(space)}: {referee.piece_names(force)}")


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
    scene, battle, by = await r16_combat.describe(referee)
    stand = await r16_combat.ask_response(referee, "What does the OPFOR Morale Chart print here?", "9.3(2)", "stand") == "stand"
    loss = await referee.number("node_loss", "How many OPs does the Node cost if the battle is lost?", "17.0", 0, 9, 0)
    odds = battle_odds(BattleHost(referee, scene, stand), battle, loss)
    return odds._replace(notes=(*odds.notes, f"Collateral Damage as in {by} (scenario=...).")) if by else odds

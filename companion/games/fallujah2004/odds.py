"""[10.1] Odds of an offensive: the reaction to a force by the content of the Reaction cup, and the end of the battle.

The reaction runs by its own procedures on hypothetical positions; equal positions are merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

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
    r14_reaction,
    r16_battle,
    r16_combat,
)
from companion.games.fallujah2004.rules.r16_battle import Battle, BattleHost, Conditions, Fighter, Support

_CUPS = (state.REACTION_CUP, state.AVAILABLE)
_REST = 1e-9
"""What is so unlikely is left out."""
_PLENTY = 10_000
"""OPs that no event takes to zero."""


class OffensivePlan(NamedTuple):
    """An offensive: where, with whom, whether an FOB is near, and the Morale Chart as entered, by level and terrain."""

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
    """How it ends: ``won``, ``unopposed`` or ``lost``; strength steps lost, and the change of KIA."""

    end: str
    steps: int
    kia: int


class OutcomeDistribution(NamedTuple):
    """Each outcome with its chance, and the OPs lost on average."""

    outcomes: Mapping[Outcome, float]
    ops: float


class Share(NamedTuple):
    """The chance of something, and the OPs that it takes, times that chance."""

    chance: float
    ops: float


def _add(found: dict[Any, Share], key: object, more: Share) -> None:
    known = found.get(key)
    found[key] = Share(known.chance + more.chance, known.ops + more.ops) if known else more


class ReactionState:
    """A reaction under way, on a table of its own. Those are equal in which counters of the same names lie in the same places."""

    __slots__ = ("_key", "hand", "position")

    def __init__(self, position: Position, hand: r14_reaction.Picks) -> None:
        self.position = position
        self.hand = _in_order(position, hand)
        self._key = (
            *(tuple(position.pieces[one].name for one in pile) for pile in (self.hand.events, self.hand.units)),
            *(len(pile) for pile in (hand.deceptions, hand.waiting)),
            hand.due,
            hand.total,
            hand.effects,
            position.track("morale"),
            position.track("kia"),
            *(
                tuple(sorted(map(_seen, position.at(place))))
                for place in (hand.effects.space, state.REACTION_CUP, state.AVAILABLE)
            ),
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ReactionState) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


def _quiet(referee: FallujahReferee) -> Iterator[str]:
    """Events that change nothing where the force is, now, and do not return to the cup before the last pick."""
    yield from ("blow_bridges", "downed_helicopter", "uprising_elsewhere")
    if not any(map(state.is_iraqi, deployed(referee.position))):
        yield "iraqis_balk"
    if not referee.first_scenario:
        yield "negotiations"
    if referee.netwar():
        yield "intel"


def _seen(piece: Piece) -> tuple[str, str]:
    return piece.name, piece.face


def _in_order(position: Position, hand: r14_reaction.Picks) -> r14_reaction.Picks:
    """The same hand, sorted where the order makes no difference: only what has gone back before an extra pick can be picked."""

    def name(one: str) -> str:
        return position.pieces[one].name

    events: list[str] = []
    calm: list[str] = []
    for one in hand.events:
        calm.append(one)
        if state.event_of(position.pieces[one]) in ("ambush", "martyrs"):
            events += [*sorted(calm[:-1], key=name), one]
            calm = []
    units = tuple(sorted(hand.units, key=name))
    return hand._replace(events=(*events, *sorted(calm, key=name)), units=units, deceptions=tuple(sorted(hand.deceptions)))


class OffensiveAnalysis:
    """The odds of a planned offensive; the position is not changed. `unseen`: a concealed Node lies in the space."""

    def __init__(self, referee: FallujahReferee, plan: OffensivePlan) -> None:
        self.game = referee
        self.plan = plan
        self.start = self._laid_out()
        self.unseen = False
        self._known: dict[ReactionState, dict[ReactionState, Share]] = {}
        self._papers: dict[tuple[Conditions, bool, bool], battles.BattleSolver] = {}

    def _on(self, position: Position) -> FallujahReferee:
        return FallujahReferee(position, self.game.options, self.game.charts)

    def _laid_out(self) -> Position:
        """The table as the force arrives. What happens elsewhere needs no dice: it is a Deception, and a Raid finds no Node."""
        game = self._on(self.game.position)
        for one in self.plan.force:
            game.move(one, self.plan.space, "13.0")
        quiet = list(_quiet(game))
        for piece in game.position.at(state.REACTION_CUP):
            if state.event_of(piece) in quiet:
                game.move(piece.id, state.OUT, "14.5")
                game.make(state.EVENT, "Deception", state.REACTION_CUP, "14.5", values={"event": "deception"})
        for piece in game.position.at(state.NODE_PILE):
            game.move(piece.id, state.OFF, "14.7")
        game.set_track("ops", _PLENTY, "8.1", "")
        game.set_track("kia", 0, "21.1", "")
        return game.position

    async def _entered(self) -> tuple[ReactionState, tuple[str, ...]] | None:
        """[14.1] The force in the space, with what a Node there does at once; None where nothing reacts. The Nodes (their ids)
        are laid aside: the picks are the same whichever they are.
        """
        game, space = self._on(self.start), self.plan.space
        if await r14_reaction.enter_space(game, space, [game.piece(one) for one in self.plan.force]) is None:
            return None
        self.unseen = not nodes_at(self.start, space) and bool(nodes_at(game.position, space))
        hand = (
            r14_reaction.new_picks(game, space)
            if self._force(game)
            else r14_reaction.Picks(0, 0, r14_reaction.Effects(space=space))
        )
        lying = tuple(piece.id for piece in nodes_at(game.position, space))
        for one in lying:
            game.move(one, state.OFF, "20.2")
        return ReactionState(game.position, hand), lying

    async def _play(self, reaction: ReactionState) -> Continued:
        """[14.3] The next pick or event, and the OPs that it takes."""
        game = self._on(reaction.position)
        hand = await r14_reaction.next_pick(game, reaction.hand)
        talks = hand.effects.negotiations
        hand = hand._replace(effects=hand.effects._replace(negotiations=0))
        return Continued(ReactionState(game.position, hand), reaction.position.track("ops") - game.ops + talks)

    def _force(self, referee: FallujahReferee) -> list[Piece]:
        return [piece for piece in map(referee.piece, self.plan.force) if piece.place == self.plan.space]

    def _met(self, reaction: ReactionState, lying: Sequence[str]) -> Encounter:
        """What the force meets after a reaction, with the Nodes that lie there."""
        game, hand = self._on(reaction.position), reaction.hand
        for one in lying:
            game.move(one, self.plan.space, "20.2")
        plan, force = self.plan, self._force(game)
        lost = sum(state.steps_left(self.start.pieces[one]) for one in plan.force) - sum(map(state.steps_left, force))
        events = r14_reaction.finish_picks(game, hand).circumstances
        battle = None
        if force and r16_combat.opfor_at(game, plan.space):
            battle = r16_combat.battle_start(game, plan.space, plan.terrain, force, events, plan.fob, plan.chart)
            offered = r16_combat.support(game, plan.space)
            nameless = tuple(strike._replace(id="", name="") for strike in offered.strikes)
            fight = battle.battle._replace(support=Support(nameless, offered.netwar)).canonical()
            battle = battle._replace(battle=battles.strongest_first(fight))
        kia = game.position.track("kia")
        return Encounter(
            battle, bool(force), lost, kia, self._ops(game, lambda: r09_opfor.capture(game, plan.space, force)), self._loss(game)
        )

    @staticmethod
    def _ops(referee: FallujahReferee, done: Callable[[], object]) -> int:
        """The OPs that something brings, which is done on the table and undone."""
        position, before = referee.position, referee.ops
        done()
        gained, referee.position = referee.ops - before, position
        return gained

    def _loss(self, referee: FallujahReferee) -> int:
        return -self._ops(referee, lambda: r09_opfor.lose_battle(referee, self.plan.space))

    def meets(self) -> dict[Encounter, Share] | None:
        """What the force meets; None where nothing reacts [14.1(1)]."""
        found: dict[Encounter, Share] = {}
        for entry, chance in merge(paths(self._entered)).items():
            if entry is None:
                return None
            for reaction, part in self._settled(entry[0]).items():
                _add(found, self._met(reaction, entry[1]), Share(chance * part.chance, chance * part.ops))
        return found

    def _settled(self, start: ReactionState) -> dict[ReactionState, Share]:
        """What a reaction leads to. Ambush and Martyrs may pick each other again and again, less and less likely."""
        found: dict[ReactionState, Share] = {}
        front = {start: Share(1.0, 0.0)}
        while front:
            after: dict[ReactionState, Share] = {}
            for reaction, (chance, ops) in front.items():
                if not (reaction.hand.due or reaction.hand.events):
                    _add(found, reaction, Share(chance, ops))
                    continue
                for there, part in self._leads_to(reaction).items():
                    if chance * part.chance > _REST:
                        _add(after, there, Share(chance * part.chance, ops * part.chance + chance * part.ops))
            front = after
        return found

    def _leads_to(self, reaction: ReactionState) -> dict[ReactionState, Share]:
        known = self._known.get(reaction)
        if known is None:
            known = self._known[reaction] = {}
            for out, chance in paths(lambda: self._play(reaction)):
                _add(known, out.state, Share(chance, chance * out.cost))
        return known

    def ends(self, meets: Mapping[Encounter, Share], supported: bool) -> OutcomeDistribution:
        """How it ends; ``supported``: all support that is available is committed in the first round, or none."""
        found: dict[Outcome, float] = {}
        ops = 0.0
        for met, (chance, before) in meets.items():
            ops += before
            for outcome, lost, part in self._ends(met, supported):
                found[outcome] = found.get(outcome, 0.0) + chance * part
                ops += chance * part * lost
        return OutcomeDistribution(found, ops)

    def _ends(self, met: Encounter, supported: bool) -> Iterator[tuple[Outcome, int, float]]:
        """Each way in which it ends, with the OPs that the battle takes and its chance."""
        if met.battle is None:
            yield Outcome("unopposed" if met.alive else "lost", met.steps, met.kia), -met.gain if met.alive else 0, 1.0
            return
        begun = met.battle.battle
        for (toll, ops), chance in self._paper(met.battle, supported).results(start=begun).items():
            won = toll.verdict in r16_battle.WON
            outcome = Outcome("won" if won else "lost", met.steps + toll.lost, met.kia + toll.killed - toll.lost)
            yield outcome, ops + (-met.gain if won else met.loss), chance

    def _paper(self, begun: r16_combat.BattleStart, supported: bool) -> battles.BattleSolver:
        key = begun.scene, begun.stand, supported
        if key not in self._papers:
            policy: ReplyPolicy = battles.commit_all if supported else suggested_policy
            self._papers[key] = battles.BattleSolver(BattleHost(self.game, begun.scene, begun.stand), begun.battle, policy)
        return self._papers[key]


def going_in_odds(referee: FallujahReferee, plan: OffensivePlan, title: str) -> Odds:
    """[10.1] What a force meets, wins and loses in a space, before it goes in."""
    inquiry = OffensiveAnalysis(referee, plan)
    meets = inquiry.meets()
    if meets is None:
        return Odds(title, "14.1(1)", (("OPFOR", (("does not react: units are there already", 1.0),)),))
    offered = r16_combat.support(referee, plan.space) != Support()
    ways = {"": False, ", all support": True} if offered else {"": False}
    ends = {words: inquiry.ends(meets, supported) for words, supported in ways.items()}
    plain = ends[""].outcomes
    sections = (
        ("OPFOR units met", _rows(merge((_met_units(met), part.chance) for met, part in meets.items()))),
        ("The force", tuple(row for words, found in ends.items() for row in _verdicts(found.outcomes, words))),
        ("Strength steps lost", _rows(distribution_of(plain, lambda end: end.steps))),
        ("KIA index changes by", _rows(distribution_of(plain, lambda end: end.kia))),
    )
    means = tuple(row for words, found in ends.items() for row in _means(found, words))
    return Odds(title, "10.1", sections, means, _notes(referee, plan, offered, inquiry.unseen))


def _met_units(met: Encounter) -> int:
    return len(met.battle.battle.opfor) if met.battle else 0


def _rows(numbers: Mapping[int, float]) -> tuple[tuple[str, float], ...]:
    return tuple((str(number), chance) for number, chance in sorted(numbers.items()))


def _verdicts(found: Mapping[Outcome, float], words: str) -> list[tuple[str, float]]:
    rows = [(f"wins its battle{words}", probability_of(found, lambda end: end.end == "won"))]
    if not words:
        rows.append(("meets nobody", probability_of(found, lambda end: end.end == "unopposed")))
    return [*rows, (f"is lost{words}", probability_of(found, lambda end: end.end == "lost"))]


def _means(found: OutcomeDistribution, words: str) -> Sequence[tuple[str, float]]:
    return (
        (f"KIA change{words}", mean(distribution_of(found.outcomes, lambda end: end.kia))),
        (f"strength steps lost{words}", mean(distribution_of(found.outcomes, lambda end: end.steps))),
        (f"OPs, without the one that it costs{words}", 0.0 - found.ops),
    )


def _notes(referee: FallujahReferee, plan: OffensivePlan, offered: bool, unseen: bool) -> tuple[str, ...]:
    told = _DOES.get(plan.chart.get(f"{referee.morale}:{plan.terrain}", ""))
    says = f"At {referee.morale} morale OPFOR {told}" if told else f"No Morale Chart for {referee.morale}: assumes OPFOR stands"
    return (
        f"{says} in {plan.terrain}; the force never withdraws and loses the least firepower.",
        "Random spaces lie elsewhere; the OPs last; no leader appears; the force goes no farther.",
        *(("All support: every strike and one NetWar in the first round, the ones that Intel brings too.",) if offered else ()),
        *(("The Node there is any that is still hidden.",) if unseen else ()),
    )


_DOES = {"stand": "stands", "break-off": "breaks off"}


async def tactical_edge_odds(referee: FallujahReferee) -> Odds:
    """[16.1(2)] The odds of the Tactical Edge, given both bonuses."""
    ours = await referee.number("coalition", "What does the Coalition add? (contact, leader, NetWar, FOB)", "16.1(2)", 0, 15)
    theirs = await referee.number("opfor", "What does OPFOR add? (contact, Node, event)", "16.1(2)", 0, 15)
    terrain = await referee.choose("terrain", "Terrain", "16.5", [Choice(word, word) for word in TERRAINS], "urban")
    stage = BattleHost(referee, r16_combat.conditions(referee, terrain))
    battle = Battle((Fighter(0, ours),), (Fighter(0, theirs),))
    first = probability_of(
        distribution(lambda: r16_battle.tactical_edge(stage, battle)), lambda after: after.firing == "coalition"
    )
    return Odds("Tactical Edge", "16.1(2)", (("Who fires first", (("Coalition", first), ("OPFOR", 1.0 - first))),))


async def morale_odds(referee: FallujahReferee) -> Odds:
    """[9.2] The odds that a morale check lowers or raises OPFOR morale."""
    held = await referee.number(
        "held", "How many Mosque and Objective spaces hold Coalition units?", "9.2", 0, 20, r09_opfor.holy_occupied(referee)
    )
    falls = probability_of(distribution(lambda: r09_opfor.roll_morale(held)), lambda result: result[1] < 0)
    rows = (_way(referee, "lowered", -1), falls), (_way(referee, "raised", 1), 1.0 - falls)
    return Odds("Morale check", "9.2", (("OPFOR morale is", rows),))


def _way(referee: FallujahReferee, word: str, by: int) -> str:
    """[9.2] What a result does; nothing, where the level of the session can go no further."""
    level = referee.position.tracks.get("morale")
    stuck = level is not None and r09_opfor.level_after(level, by) == level
    return f"not {word}: it is {referee.morale} already" if stuck else word


async def isr_odds(referee: FallujahReferee) -> Odds:
    """[12.1] The odds that NetWar markers on one Node reveal it."""
    markers = await referee.number("markers", "How many NetWar markers go on the Node?", "12.1", 1, 12, 1)
    found = r10_operations.isr_chance(referee, markers)
    return Odds("J-2 ISR", "12.1", (("The Node", (("revealed", found), ("stays concealed", 1.0 - found))),))


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
        raise Impossible(
            "the Reaction cup is empty, or no session is in play", rule="14.1", cure="Start one: companion new fallujah2004"
        )
    number = await referee.number("picks", "How many counters are drawn?", "14.1", 1, 12, r09_opfor.picks(referee))
    total = sum(counts.values())
    units = sum(state.fights(piece) for piece in referee.position.at(state.REACTION_CUP))
    fight = draw_odds({"unit": units, "event": total - units}, number)["unit"]
    return Odds(
        "Next reaction",
        "14.1",
        (
            ("The next counter is", tuple((name, count / total) for name, count in counts.items())),
            (f"At least one among {plural(number, 'draw')}", tuple(draw_odds(counts, number).items())),
            ("Among them", (("at least one combat unit", fight), ("no combat unit", 1.0 - fight))),
        ),
        (("combat units", min(number, total) * units / total),),
        ("Extra draws of Ambush, Martyrs and an Arms Cache are not counted.",),
    )


async def offensive_odds_of(referee: FallujahReferee) -> Odds:
    """[10.1] The odds of a J-3 into a space before it begins: reaction, battle, costs."""
    movers = [piece for piece in deployed(referee.position) if not state.is_fob(piece)]
    if not movers:
        raise Impossible("no Coalition unit is on the map or in a base", rule="8.3", cure="Recruit some first: j1")
    space = await referee.space("to", "Into which space?", "13.0")
    force = await _who_goes(referee, space, [piece for piece in movers if piece.place != space] or movers)
    terrain = (await referee.ground(space, "16.5")).terrain
    bonus = await r16_combat.fob_bonus(referee, space)
    plan = OffensivePlan(space, terrain, tuple(piece.id for piece in force), bonus, await referee.known_facts("stand", "9.3(2)"))
    return going_in_odds(referee, plan, f"J-3 into {referee.title(space)}: {referee.piece_names(force)}")


async def _who_goes(referee: FallujahReferee, space: str, movers: Sequence[Piece]) -> list[Piece]:
    """[8.3] The force: those of the nearest space, if there is one; otherwise it is asked."""
    known = await r13_movement.known_routes(referee)
    starts = dict.fromkeys(piece.place for piece in movers)
    near = [start for start in starts if known.may_be_joined(start, space)] or list(starts)
    found = [piece.name for piece in movers if piece.place == near[0]]
    request = Pick("force", "Which units go in?", "8.3", referee.unit_choices(movers), 1, suggest=found)
    request.implied_reply = found if len(near) == 1 and len(found) == 1 else None
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

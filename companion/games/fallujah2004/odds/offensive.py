"""[10.1] Before going in: what a force meets in a space, by what the Reaction cup holds, and how the battle ends.

The reaction is carried out by its own procedures on a table of its own, pick by pick and event by event; tables that are alike
are one. The battles to which it leads are fought on paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.odds import Continued, ReplyPolicy, distribution_of, mean, merge, paths, probability_of, suggested_policy
from companion.core.position import Piece, Position
from companion.core.request import Odds
from companion.games.fallujah2004 import state
from companion.games.fallujah2004.odds.battles import BattleSolver, commit_all, strongest_first
from companion.games.fallujah2004.referee import FallujahReferee, deployed, nodes_at
from companion.games.fallujah2004.rules import r20_nodes as nodes
from companion.games.fallujah2004.rules.r14_reaction import Effects, Picks, enter_space, finish_picks, new_picks, next_pick
from companion.games.fallujah2004.rules.r16_battle import WON, BattleHost, Conditions, Support
from companion.games.fallujah2004.rules.r16_combat import BattleStart, battle_start, opfor_at, support
from companion.games.fallujah2004.state import event_of, is_iraqi, steps_left

_CUPS = (state.REACTION_CUP, state.AVAILABLE)
_REST = 1e-9
"""What is so unlikely is left out."""
_PLENTY = 10_000
"""OPs that no event takes to zero."""


class OffensivePlan(NamedTuple):
    """What goes in where, and what has been told of it.

    Attributes:
        space, terrain: where.
        force: ids of the units.
        fob: an FOB is in the space or adjacent.
        chart: what has been told of the Morale Chart, by level and terrain.
    """

    space: str
    terrain: str
    force: tuple[str, ...]
    fob: bool
    chart: Mapping[str, str]


class Encounter(NamedTuple):
    """What a reaction leads to: the battle (None: nobody comes, or nobody is left), what it cost before that, and what the
    Nodes of the space bring when they are captured, or cost when the battle is lost, in OPs.
    """

    battle: BattleStart | None
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

    def __init__(self, position: Position, hand: Picks) -> None:
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
    if not any(map(is_iraqi, deployed(referee.position))):
        yield "iraqis_balk"
    if not referee.first_scenario:
        yield "negotiations"
    if referee.netwar():
        yield "intel"


def _seen(piece: Piece) -> tuple[str, str]:
    return piece.name, piece.face


def _in_order(position: Position, hand: Picks) -> Picks:
    """The same hand, sorted where the order makes no difference: only what has gone back before an extra pick can be picked."""

    def name(one: str) -> str:
        return position.pieces[one].name

    events: list[str] = []
    calm: list[str] = []
    for one in hand.events:
        calm.append(one)
        if event_of(position.pieces[one]) in ("ambush", "martyrs"):
            events += [*sorted(calm[:-1], key=name), one]
            calm = []
    units = tuple(sorted(hand.units, key=name))
    return hand._replace(events=(*events, *sorted(calm, key=name)), units=units, deceptions=tuple(sorted(hand.deceptions)))


class OffensiveAnalysis:
    """A force that would go into a space.

    Args:
        game: at the table as it is; nothing of it is changed.
        plan: who goes where.

    Attributes:
        unseen: a Node lies there that nobody has seen.
    """

    def __init__(self, referee: FallujahReferee, plan: OffensivePlan) -> None:
        self.game = referee
        self.plan = plan
        self.start = self._laid_out()
        self.unseen = False
        self._known: dict[ReactionState, dict[ReactionState, Share]] = {}
        self._papers: dict[tuple[Conditions, bool, bool], BattleSolver] = {}

    def _on(self, position: Position) -> FallujahReferee:
        return FallujahReferee(position, self.game.options, self.game.charts)

    def _laid_out(self) -> Position:
        """The table as the force arrives. What happens elsewhere needs no dice: it is a Deception, and a Raid finds no Node."""
        game = self._on(self.game.position)
        for one in self.plan.force:
            game.move(one, self.plan.space, "13.0")
        quiet = list(_quiet(game))
        for piece in game.position.at(state.REACTION_CUP):
            if event_of(piece) in quiet:
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
        if await enter_space(game, space, [game.piece(one) for one in self.plan.force]) is None:
            return None
        self.unseen = not nodes_at(self.start, space) and bool(nodes_at(game.position, space))
        hand = new_picks(game, space) if self._force(game) else Picks(0, 0, Effects(space=space))
        lying = tuple(piece.id for piece in nodes_at(game.position, space))
        for one in lying:
            game.move(one, state.OFF, "20.2")
        return ReactionState(game.position, hand), lying

    async def _play(self, reaction: ReactionState) -> Continued:
        """[14.3] The next pick or event, and the OPs that it takes."""
        game = self._on(reaction.position)
        hand = await next_pick(game, reaction.hand)
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
        lost = sum(steps_left(self.start.pieces[one]) for one in plan.force) - sum(map(steps_left, force))
        events = finish_picks(game, hand).circumstances
        battle = None
        if force and opfor_at(game, plan.space):
            battle = battle_start(game, plan.space, plan.terrain, force, events, plan.fob, plan.chart)
            offered = support(game, plan.space)
            nameless = tuple(strike._replace(id="", name="") for strike in offered.strikes)
            fight = battle.battle._replace(support=Support(nameless, offered.netwar)).canonical()
            battle = battle._replace(battle=strongest_first(fight))
        kia = game.position.track("kia")
        return Encounter(
            battle, bool(force), lost, kia, self._ops(game, lambda: nodes.capture(game, plan.space, force)), self._loss(game)
        )

    @staticmethod
    def _ops(referee: FallujahReferee, done: Callable[[], object]) -> int:
        """The OPs that something brings, which is done on the table and undone."""
        position, before = referee.position, referee.ops
        done()
        gained, referee.position = referee.ops - before, position
        return gained

    def _loss(self, referee: FallujahReferee) -> int:
        return -self._ops(referee, lambda: nodes.lose_battle(referee, self.plan.space))

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
            won = toll.verdict in WON
            outcome = Outcome("won" if won else "lost", met.steps + toll.lost, met.kia + toll.killed - toll.lost)
            yield outcome, ops + (-met.gain if won else met.loss), chance

    def _paper(self, begun: BattleStart, supported: bool) -> BattleSolver:
        key = begun.scene, begun.stand, supported
        if key not in self._papers:
            policy: ReplyPolicy = commit_all if supported else suggested_policy
            self._papers[key] = BattleSolver(BattleHost(self.game, begun.scene, begun.stand), begun.battle, policy)
        return self._papers[key]


def going_in_odds(referee: FallujahReferee, plan: OffensivePlan, title: str) -> Odds:
    """[10.1] What a force meets, wins and loses in a space, before it goes in."""
    inquiry = OffensiveAnalysis(referee, plan)
    meets = inquiry.meets()
    if meets is None:
        return Odds(title, "14.1(1)", (("OPFOR", (("does not react: units are there already", 1.0),)),))
    offered = support(referee, plan.space) != Support()
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

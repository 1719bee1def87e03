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
from companion.games.fallujah2004 import names
from companion.games.fallujah2004.odds.battles import OnPaper, everything, ready
from companion.games.fallujah2004.pieces import event_of, is_iraqi, steps_left
from companion.games.fallujah2004.referee import Fallujah, deployed, nodes_at
from companion.games.fallujah2004.rules import r20_nodes as nodes
from companion.games.fallujah2004.rules.r14_events import Effects
from companion.games.fallujah2004.rules.r14_reaction import Hand, closed, entered, onward, opened
from companion.games.fallujah2004.rules.r16_combat import Opening, opening, opfor_at, support
from companion.games.fallujah2004.rules.r16_stage import WON, Scene, Stage, Support

_CUPS = (names.REACTION_CUP, names.AVAILABLE)
_REST = 1e-9
"""What is so unlikely is left out."""
_PLENTY = 10_000
"""OPs that no event takes to zero."""


class Plan(NamedTuple):
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


class Met(NamedTuple):
    """What a reaction leads to: the battle (None: nobody comes, or nobody is left), what it cost before that, and what the
    Nodes of the space bring when they are captured, or cost when the battle is lost, in OPs.
    """

    battle: Opening | None
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


class Ends(NamedTuple):
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


class Standing:
    """A reaction under way, on a table of its own. Those are equal in which counters of the same names lie in the same places."""

    __slots__ = ("_key", "hand", "position")

    def __init__(self, position: Position, hand: Hand) -> None:
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
                for place in (hand.effects.space, names.REACTION_CUP, names.AVAILABLE)
            ),
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Standing) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


def _quiet(game: Fallujah) -> Iterator[str]:
    """Events that change nothing where the force is, now, and do not return to the cup before the last pick."""
    yield from ("blow_bridges", "downed_helicopter", "uprising_elsewhere")
    if not any(map(is_iraqi, deployed(game.position))):
        yield "iraqis_balk"
    if not game.first_scenario:
        yield "negotiations"
    if game.netwar():
        yield "intel"


def _seen(piece: Piece) -> tuple[str, str]:
    return piece.name, piece.face


def _in_order(position: Position, hand: Hand) -> Hand:
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


class GoingIn:
    """A force that would go into a space.

    Args:
        game: at the table as it is; nothing of it is changed.
        plan: who goes where.

    Attributes:
        unseen: a Node lies there that nobody has seen.
    """

    def __init__(self, game: Fallujah, plan: Plan) -> None:
        self.game = game
        self.plan = plan
        self.start = self._laid_out()
        self.unseen = False
        self._known: dict[Standing, dict[Standing, Share]] = {}
        self._papers: dict[tuple[Scene, bool, bool], OnPaper] = {}

    def _on(self, position: Position) -> Fallujah:
        return Fallujah(position, self.game.options, self.game.charts)

    def _laid_out(self) -> Position:
        """The table as the force arrives. What happens elsewhere needs no dice: it is a Deception, and a Raid finds no Node."""
        game = self._on(self.game.position)
        for one in self.plan.force:
            game.move(one, self.plan.space, "13.0")
        quiet = list(_quiet(game))
        for piece in game.position.at(names.REACTION_CUP):
            if event_of(piece) in quiet:
                game.move(piece.id, names.OUT, "14.5")
                game.make(names.EVENT, "Deception", names.REACTION_CUP, "14.5", values={"event": "deception"})
        for piece in game.position.at(names.NODE_PILE):
            game.move(piece.id, names.OFF, "14.7")
        game.set_track("ops", _PLENTY, "8.1", "")
        game.set_track("kia", 0, "21.1", "")
        return game.position

    async def _entered(self) -> tuple[Standing, tuple[str, ...]] | None:
        """[14.1] The force in the space, with what a Node there does at once; None where nothing reacts. The Nodes (their ids)
        are laid aside: the picks are the same whichever they are.
        """
        game, space = self._on(self.start), self.plan.space
        if await entered(game, space, [game.piece(one) for one in self.plan.force]) is None:
            return None
        self.unseen = not nodes_at(self.start, space) and bool(nodes_at(game.position, space))
        hand = opened(game, space) if self._force(game) else Hand(0, 0, Effects(space=space))
        lying = tuple(piece.id for piece in nodes_at(game.position, space))
        for one in lying:
            game.move(one, names.OFF, "20.2")
        return Standing(game.position, hand), lying

    async def _play(self, state: Standing) -> Continued:
        """[14.3] The next pick or event, and the OPs that it takes."""
        game = self._on(state.position)
        hand = await onward(game, state.hand)
        talks = hand.effects.negotiations
        hand = hand._replace(effects=hand.effects._replace(negotiations=0))
        return Continued(Standing(game.position, hand), state.position.track("ops") - game.ops + talks)

    def _force(self, game: Fallujah) -> list[Piece]:
        return [piece for piece in map(game.piece, self.plan.force) if piece.place == self.plan.space]

    def _met(self, state: Standing, lying: Sequence[str]) -> Met:
        """What the force meets after a reaction, with the Nodes that lie there."""
        game, hand = self._on(state.position), state.hand
        for one in lying:
            game.move(one, self.plan.space, "20.2")
        plan, force = self.plan, self._force(game)
        lost = sum(steps_left(self.start.pieces[one]) for one in plan.force) - sum(map(steps_left, force))
        events = closed(game, hand).circumstances
        battle = None
        if force and opfor_at(game, plan.space):
            battle = opening(game, plan.space, plan.terrain, force, events, plan.fob, plan.chart)
            offered = support(game, plan.space)
            nameless = tuple(strike._replace(id="", name="") for strike in offered.strikes)
            fight = battle.battle._replace(support=Support(nameless, offered.netwar)).plain()
            battle = battle._replace(battle=ready(fight))
        kia = game.position.track("kia")
        return Met(
            battle, bool(force), lost, kia, self._ops(game, lambda: nodes.capture(game, plan.space, force)), self._loss(game)
        )

    @staticmethod
    def _ops(game: Fallujah, done: Callable[[], object]) -> int:
        """The OPs that something brings, which is done on the table and undone."""
        position, before = game.position, game.ops
        done()
        gained, game.position = game.ops - before, position
        return gained

    def _loss(self, game: Fallujah) -> int:
        return -self._ops(game, lambda: nodes.lost_battle(game, self.plan.space))

    def meets(self) -> dict[Met, Share] | None:
        """What the force meets; None where nothing reacts [14.1(1)]."""
        found: dict[Met, Share] = {}
        for entry, chance in merge(paths(self._entered)).items():
            if entry is None:
                return None
            for state, part in self._settled(entry[0]).items():
                _add(found, self._met(state, entry[1]), Share(chance * part.chance, chance * part.ops))
        return found

    def _settled(self, start: Standing) -> dict[Standing, Share]:
        """What a reaction leads to. Ambush and Martyrs may pick each other again and again, less and less likely."""
        found: dict[Standing, Share] = {}
        front = {start: Share(1.0, 0.0)}
        while front:
            after: dict[Standing, Share] = {}
            for state, (chance, ops) in front.items():
                if not (state.hand.due or state.hand.events):
                    _add(found, state, Share(chance, ops))
                    continue
                for there, part in self._leads_to(state).items():
                    if chance * part.chance > _REST:
                        _add(after, there, Share(chance * part.chance, ops * part.chance + chance * part.ops))
            front = after
        return found

    def _leads_to(self, state: Standing) -> dict[Standing, Share]:
        known = self._known.get(state)
        if known is None:
            known = self._known[state] = {}
            for out, chance in paths(lambda: self._play(state)):
                _add(known, out.state, Share(chance, chance * out.cost))
        return known

    def ends(self, meets: Mapping[Met, Share], supported: bool) -> Ends:
        """How it ends; ``supported``: all support that is available is committed in the first round, or none."""
        found: dict[Outcome, float] = {}
        ops = 0.0
        for met, (chance, before) in meets.items():
            ops += before
            for outcome, lost, part in self._ends(met, supported):
                found[outcome] = found.get(outcome, 0.0) + chance * part
                ops += chance * part * lost
        return Ends(found, ops)

    def _ends(self, met: Met, supported: bool) -> Iterator[tuple[Outcome, int, float]]:
        """Each way in which it ends, with the OPs that the battle takes and its chance."""
        if met.battle is None:
            yield Outcome("unopposed" if met.alive else "lost", met.steps, met.kia), -met.gain if met.alive else 0, 1.0
            return
        begun = met.battle.battle
        for (toll, ops), chance in self._paper(met.battle, supported).to_the_end(start=begun).items():
            won = toll.verdict in WON
            outcome = Outcome("won" if won else "lost", met.steps + toll.lost, met.kia + toll.killed - toll.lost)
            yield outcome, ops + (-met.gain if won else met.loss), chance

    def _paper(self, begun: Opening, supported: bool) -> OnPaper:
        key = begun.scene, begun.stand, supported
        if key not in self._papers:
            policy: ReplyPolicy = everything if supported else suggested_policy
            self._papers[key] = OnPaper(Stage(self.game, begun.scene, begun.stand), begun.battle, policy)
        return self._papers[key]


def going_in_odds(game: Fallujah, plan: Plan, title: str) -> Odds:
    """[10.1] What a force meets, wins and loses in a space, before it goes in."""
    inquiry = GoingIn(game, plan)
    meets = inquiry.meets()
    if meets is None:
        return Odds(title, "14.1(1)", (("OPFOR", (("does not react: units are there already", 1.0),)),))
    offered = support(game, plan.space) != Support()
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
    return Odds(title, "10.1", sections, means, _notes(game, plan, offered, inquiry.unseen))


def _met_units(met: Met) -> int:
    return len(met.battle.battle.opfor) if met.battle else 0


def _rows(numbers: Mapping[int, float]) -> tuple[tuple[str, float], ...]:
    return tuple((str(number), chance) for number, chance in sorted(numbers.items()))


def _verdicts(found: Mapping[Outcome, float], words: str) -> list[tuple[str, float]]:
    rows = [(f"wins its battle{words}", probability_of(found, lambda end: end.end == "won"))]
    if not words:
        rows.append(("meets nobody", probability_of(found, lambda end: end.end == "unopposed")))
    return [*rows, (f"is lost{words}", probability_of(found, lambda end: end.end == "lost"))]


def _means(found: Ends, words: str) -> Sequence[tuple[str, float]]:
    return (
        (f"KIA change{words}", mean(distribution_of(found.outcomes, lambda end: end.kia))),
        (f"strength steps lost{words}", mean(distribution_of(found.outcomes, lambda end: end.steps))),
        (f"OPs, without the one that it costs{words}", 0.0 - found.ops),
    )


def _notes(game: Fallujah, plan: Plan, offered: bool, unseen: bool) -> tuple[str, ...]:
    told = _DOES.get(plan.chart.get(f"{game.morale}:{plan.terrain}", ""))
    says = f"At {game.morale} morale OPFOR {told}" if told else f"No Morale Chart for {game.morale}: assumes OPFOR stands"
    return (
        f"{says} in {plan.terrain}; the force never withdraws and loses the least firepower.",
        "Random spaces lie elsewhere; the OPs last; no leader appears; the force goes no farther.",
        *(("All support: every strike and one NetWar in the first round, the ones that Intel brings too.",) if offered else ()),
        *(("The Node there is any that is still hidden.",) if unseen else ()),
    )


_DOES = {"stand": "stands", "break-off": "breaks off"}

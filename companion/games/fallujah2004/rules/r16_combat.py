"""[15.0, 16.0] Combat on the table and described combat: the forces and conditions of a battle, and withdrawal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import cast

from companion.core.errors import Impossible
from companion.core.named_tuple import NamedTuple
from companion.core.notation import Notation
from companion.core.position import NO_PIECE, Piece
from companion.core.requests import Choice, Choose, Confirm, Pick, Text
from companion.core.text import die_range, plural
from companion.games.fallujah2004 import notation, state
from companion.games.fallujah2004.referee import FallujahReferee, deployed, nodes_at
from companion.games.fallujah2004.rules import r08_forces, r09_opfor, r13_routes, r16_battle
from companion.games.fallujah2004.rules.r16_battle import (
    Battle,
    BattleHost,
    Conditions,
    Fighter,
    OddsOf,
    Side,
    Step,
    Strike,
    Support,
)


async def withdraw(referee: FallujahReferee, space: str, present: Sequence[Piece], odds: OddsOf = None) -> set[str]:
    """[16.7] Withdraw some, none or all units one space, to Coalition units or a base; helicopters may evacuate [16.9].

    Returns the ids of the units that leave the battle; `odds` shows the odds of staying.
    """
    names = [piece.name for piece in present]
    request = Pick("withdraw", "Which units withdraw?", "16.7", referee.unit_choices(present), suggest=names)
    request.odds = odds
    request.implied_reply = names if len(names) == 1 else None
    leaving = referee.by_name(await request, present)
    if not leaving:
        referee.say("No unit withdraws; the battle goes on.", "16.7")
        return set()
    refuge = await _refuge(referee, space, leaving)
    if not refuge:
        referee.say("No unit can withdraw: the battle goes on.", "16.7")
        return set()
    evacuated = await evacuate(referee, space, leaving, present)
    for piece in leaving:
        if piece not in evacuated:
            referee.move(piece.id, refuge, "16.7", "withdraws")
    return {piece.id for piece in leaving}


async def _refuge(referee: FallujahReferee, space: str, leaving: Sequence[Piece]) -> str:
    """[16.7] Ask for the adjacent haven to which a force withdraws, by land without crossing a river [13.3]; "" for none."""
    from companion.games.fallujah2004.rules.r13_movement import amtrac_faults

    allowed = havens(referee, space)
    on_ground = [piece for piece in leaving if not state.is_helicopter(piece)]
    dry = bool(on_ground and amtrac_faults(referee, on_ground))
    while True:
        routes = await r13_routes.known_routes(referee)
        refuge = await _ask_refuge(referee, space, routes, dry)
        if refuge == "none":
            return ""
        if refuge not in allowed:
            text = f"there is no Coalition unit in {referee.title(refuge)}"
            referee.forbid(text, "16.7", "Withdraw to Coalition units or a base")
        referee.check(r13_routes.route_fault(referee, routes, [(space, refuge)], dry))
        if await r13_routes.confirm_route(referee, routes, [(space, refuge)], dry):
            return refuge


def havens(referee: FallujahReferee, space: str) -> list[str]:
    """[16.7] The other spaces with a Coalition combat unit, and the Bases."""
    spaces = sorted({piece.place for piece in deployed(referee.position) if state.on_map(piece.place) and piece.place != space})
    return [*spaces, *state.BASES]


def in_reach(referee: FallujahReferee, space: str, routes: r13_routes.RouteMap, dry: bool) -> list[str]:
    """[16.7] The havens that are adjacent, or may be by the known routes; `dry`: the force cannot cross a river."""
    able = [place for place in havens(referee, space) if not r13_routes.route_fault(referee, routes, [(space, place)], dry)]
    return [place for place in able if routes.may_be_joined(space, place)]


async def cannot_withdraw(referee: FallujahReferee, space: str, present: Sequence[Piece]) -> bool:
    """[16.7] True if none of these units can withdraw by the known routes: they stay and fight."""
    from companion.games.fallujah2004.rules.r13_movement import amtrac_faults

    crosses = any(state.is_helicopter(piece) or not amtrac_faults(referee, [piece]) for piece in present)
    return not in_reach(referee, space, await r13_routes.known_routes(referee), dry=not crosses)


async def _ask_refuge(referee: FallujahReferee, space: str, routes: r13_routes.RouteMap, dry: bool) -> str:
    """[16.7] Ask for the place to withdraw to, among those in reach; a single one known to be adjacent is not asked."""
    names = await referee.place_names()
    near = in_reach(referee, space, routes, dry)
    choices = [Choice(place, referee.title(place)) for place in near] + [Choice("none", "none is adjacent")]

    def read(text: str) -> str:
        if text.strip().casefold() == "none":
            return "none"
        place = notation.read_space(text, names)
        if place == space:
            raise Impossible("the units are there already", rule="16.7", cure="Name an adjacent space or a base")
        return place

    prompt = "Where do they withdraw? (an adjacent space with a Coalition unit, or a base; none: they stay and fight)"
    request = Text("refuge", prompt, "16.7", Notation("space", "3-8", read, words=(*state.SPACE_ORDER, *state.BASES)), choices)
    if len(near) < 2 and all(routes.are_joined(space, place) for place in near):
        request.implied_reply = near[0] if near else "none"
    return await request


async def evacuate(referee: FallujahReferee, space: str, leaving: Sequence[Piece], force: Sequence[Piece]) -> list[Piece]:
    """[16.9] Ask which light unit (never Iraqi) each transport helicopter flies to a base; the pieces that leave so.

    The helicopter withdraws too, or is on station outside the battle [24.2]. Switch: SOF helicopters as well (ruling C-72).
    """
    gone: list[Piece] = []
    fighting_on = {piece.id for piece in force} - {piece.id for piece in leaving}
    stacked = [piece for piece in referee.units_at(space) if piece.id not in fighting_on]
    light = [piece for piece in leaving if not r08_forces.rider_fault(referee, piece)]
    lifters = (state.TRANSPORT, state.SOF_HELICOPTER) if referee.option("evacuation") == "any_lift" else (state.TRANSPORT,)
    for helicopter in [piece for piece in stacked if state.type_of(piece) in lifters]:
        sof_only = state.type_of(helicopter) == state.SOF_HELICOPTER
        riders = [piece for piece in light if piece not in gone and (not sof_only or state.is_sof(piece))]
        if not riders:
            continue
        prompt, choices = f"{helicopter.name} may fly one light unit to a base. Which?", referee.name_choices(riders)
        names = await referee.pick("evacuate", prompt, "16.9", choices, high=1, suggest=())
        for piece in referee.by_name(names, riders):
            base = await referee.choose("base", "To which base?", "16.9", [Choice(base, base.title()) for base in state.BASES])
            referee.move(piece.id, base, "16.9", "evacuated")
            referee.move(helicopter.id, base, "16.9", "evacuates")
            gone += [piece, helicopter]
    return gone


class EventBonuses(NamedTuple):
    """The effects of the reaction's events on the battle [14.5]."""

    ambush: bool = False
    civilians: bool = False
    martyrs: bool = False


def fighter(referee: FallujahReferee, piece: Piece) -> Fighter:
    """A Coalition unit as it enters a battle; helicopters fight like the rest [24.4]."""
    side, steps = notation.side_of(piece), state.steps_left(piece)
    back = piece.number("back fire"), piece.number("back contact")
    has_leader = bool(referee.leaders_with([piece]))
    return Fighter(side.fire, side.contact, steps, *back, state.is_engineer(piece), has_leader, "", piece.id, piece.name)


def insurgent(piece: Piece) -> Fighter:
    """An OPFOR counter as it enters a battle; a Mob Attack has contact 0 and its strength is rolled [14.5]."""
    kind = notation.MOB if state.is_mob(piece) else state.type_of(piece)
    return Fighter(piece.number("fire"), piece.number("contact"), kind=kind, id=piece.id, name=piece.name)


def opfor_at(referee: FallujahReferee, space: str) -> list[Piece]:
    """OPFOR combat units in a space; Nodes neither fire nor are hit [16.4]."""
    return [piece for piece in referee.position.at(space) if state.fights(piece)]


def collateral_here(referee: FallujahReferee, terrain: str, first: bool) -> bool:
    """[23.5] True if Collateral Damage costs OPs in this terrain; `first`: in scenario 1."""
    return bool(referee.chart("terrain").cell(terrain, "collateral_s1" if first else "collateral_s2"))


async def fob_bonus(referee: FallujahReferee, space: str) -> bool:
    """[28.2] True if an FOB is in the space or an adjacent one; asked if not known, and recorded."""
    if any(state.is_fob(piece) for piece in referee.units_at(space)):
        return True
    fobs = [piece.place for piece in deployed(referee.position) if state.is_fob(piece) and state.on_map(piece.place)]
    if not fobs:
        return False
    routes = await r13_routes.known_routes(referee)
    near = [place for place in fobs if routes.are_joined(space, place)]
    possible = [place for place in fobs if routes.may_be_joined(space, place)]
    where = ", ".join(referee.title(place) for place in near or possible or fobs)
    request = Confirm("fob", f"Is {referee.title(space)} adjacent to the FOB at {where}?", "28.2")
    request.implied_reply = True if near else None if possible else False
    adjacent = await request
    if not adjacent:
        await r13_routes.learn_apart(referee, space, near or possible)
    elif len(possible) == 1 and not near:
        await r13_routes.learn_joined(referee, routes, space, possible[0])
    return adjacent


class ReportedBattle(BattleHost):
    """A battle whose results are reported and go on the tracks for KIA and OPs."""

    def __init__(self, referee: FallujahReferee, scene: Conditions, stand: bool = True) -> None:
        super().__init__(referee, scene, stand)
        self.game = referee

    def loss_ops(self) -> int:
        """[17.0] The OPs that losing the battle costs."""
        return 0

    def _silent(self) -> BattleHost:
        return BattleHost(self.game, self.conditions, self.opfor_standing)

    def support_odds(self, battle: Battle, part: Step) -> OddsOf:
        from companion.games.fallujah2004 import battles  # a status asks for first questions only, without odds

        shown = battles.netwar_odds if part is r16_battle.tactical_edge else battles.strike_odds
        return battles.Commitment(self._silent(), battle, self.loss_ops(), shown)

    def suggested_hits(self, battle: Battle, hits: int) -> tuple[int, ...]:
        """[16.3] The least loss, unless it throws away a battle that another could win."""
        from companion.games.fallujah2004 import battles

        return battles.HitLookahead(self._silent(), battle, margin=0.01).suggested_hits(battle, hits)

    def hit_odds(self, battle: Battle, hits: int) -> OddsOf:
        from companion.games.fallujah2004 import battles

        return battles.Commitment(self._silent(), battle, hits, battles.hit_odds)

    async def continue_or_withdraw(self, battle: Battle) -> Battle:
        """[16.1(4c)] The player decides; /odds shows what either leads to."""
        from companion.games.fallujah2004 import battles

        choices = [Choice("continue", "continue"), Choice("withdraw", "withdraw")]
        request = Choose("continue", "OPFOR stands. Do you fight on or withdraw?", "16.1(4c)", choices)
        odds = request.odds = battles.Commitment(self._silent(), battle, self.loss_ops(), battles.continuation_odds)
        request.has_quick_odds = True
        if await self.cannot_withdraw(battle):
            request.implied_reply = "continue"
            self.game.say("No Coalition unit and no base is adjacent: the force fights on.", "16.7")
        return battle if await request == "continue" else await self.withdraw(battle, odds)

    async def cannot_withdraw(self, battle: Battle) -> bool:
        """[16.7] True if no unit can withdraw by the known routes."""
        return False

    async def withdraw(self, battle: Battle, odds: OddsOf) -> Battle:
        """[16.7] The battle without the units that leave it; ``odds`` shows the odds of staying."""
        return battle._replace(coalition=())

    def on_edge(self, battle: Battle, roll: Sequence[int], coalition: int, opfor: int, winner: Side) -> None:
        if self.game.quiet:
            return
        scene = self.conditions
        lead = max(battle.coalition, key=lambda fighter: fighter.contact)
        enemy = max(battle.opfor, key=lambda fighter: fighter.contact)
        ours = [str(lead.contact), *(["1 leader"] if any(fighter.leader for fighter in battle.coalition) else [])]
        ours += (["1 NetWar"] if battle.netwar else []) + (["1 FOB"] if scene.fob else [])
        theirs = [str(enemy.contact), *(["1 Node"] if scene.node_edge else [])]
        theirs += ["1 event"] if scene.event_edge and battle.first_round else []
        totals = coalition + roll[0], opfor + roll[1]
        tie = f", a tie in {scene.terrain}" if totals[0] == totals[1] else ""
        text = f"Tactical Edge: Coalition {'+'.join(ours)}+{roll[0]} = {totals[0]}, "
        text += f"OPFOR {'+'.join(theirs)}+{roll[1]} = {totals[1]}{tie}. {_SIDES[winner]} fires first."
        because = [f"the Coalition leads with {lead.name or 'its best'}, contact {lead.contact}"]
        because.append(f"OPFOR leads with {enemy.name or 'its best'}, contact {enemy.contact}")
        if tie:
            because.append(f"equal totals in {scene.terrain} go to {_SIDES[scene.tie]} (Terrain Effects Chart)")
        self.game.say(text, "16.1(2)", *because)

    def on_mob(self, fighter: Fighter, face: int, strength: int) -> None:
        result = f"it hits on {die_range(1, strength)}" if strength else "it cannot hit"
        self.game.say(f"{fighter.name} rolls {face}: {result} in this round.", "14.5")

    def on_strikes(self, strikes: Sequence[Strike]) -> None:
        self.game.say(f"You commit {', '.join(strike.name for strike in strikes)}.", "16.1(3a)")

    def on_fire(
        self, side: Side, firers: Sequence[Fighter | Strike], faces: Sequence[int], raw: int, hits: int, battle: Battle
    ) -> None:
        if self.game.quiet:
            return
        verdicts = [(firer, face, "HIT" if face <= firer.fire else "miss") for firer, face in zip(firers, faces, strict=True)]
        shots = ", ".join(f"{firer.name} {face} {verdict}" for firer, face, verdict in verdicts)
        text = f"{_SIDES[side]} fires: {shots}. {plural(raw, 'hit')}"
        because = [f"{firer.name}: {face}, needs {die_range(1, firer.fire, 6)}, {verdict}" for firer, face, verdict in verdicts]
        rule = "16.2"
        engineer = any(fighter.engineer for fighter in battle.coalition)
        if side == "coalition" and raw:
            changes = []
            if self.conditions.strongpoint and engineer:
                because.append("an engineer fires too, so the Strongpoint gives nothing [26.0]")
            elif self.conditions.strongpoint:
                changes.append("the Strongpoint takes 1 off")
                rule = "16.8"
            if self.conditions.factor > 1:
                changes.append("doubled in the open")
                rule = "16.5"
            text += f", {' and '.join(changes)}: {hits}" if changes else ""
        self.game.say(text + ".", rule, *because)

    def on_opfor_loss(self, fighter: Fighter) -> None:
        self.game.kia(1, "21.1", f"{fighter.name} eliminated")

    def on_coalition_hit(self, fighter: Fighter, left: Fighter | None) -> None:
        self.game.kia(-1, "21.1", f"{fighter.name} {'reduced' if left else 'eliminated'}")

    def on_collateral(self, count: int, ops: int) -> None:
        if ops:
            self.game.shift_track("ops", -ops, "23.5", f"Collateral Damage: {plural(count, 'die', 'dice')} of 6")
        else:
            self.game.say("A die of 6: no Collateral Damage in this terrain and scenario.", "23.5")

    def response(self) -> str:
        """What decides OPFOR's response, as the beginning of a message."""
        return ""

    def on_end(self, battle: Battle) -> None:
        assert battle.verdict
        text, rule, *because = _ENDS[battle.verdict]
        self.game.say((self.response() if battle.verdict == "broke off" else "") + text, rule, *because)


_SIDES = {"coalition": "Coalition", "opfor": "OPFOR"}
_ENDS = {
    "won": ("WON. No OPFOR unit is left.", "16.1(6)", "one side is eliminated [16.1(4a)]"),
    "lost": ("LOST. No unit of the force is left.", "16.1(6)", "one side is eliminated [16.1(4a)]"),
    "broke off": ("OPFOR breaks off. WON.", "16.1(4b)"),
    "withdrew": ("LOST. The whole force has withdrawn.", "16.7"),
    "standoff": ("LOST. Neither side can hit, and no unit can withdraw: the force stays.", "16.1(5)", "ruling C-77"),
}


class TableBattle(ReportedBattle):
    """A battle between pieces on the map; the player reads the Morale Chart."""

    def __init__(self, referee: FallujahReferee, space: str, scene: Conditions, stand: bool, martyrs: bool) -> None:
        super().__init__(referee, scene, stand)
        self.space = space
        self.martyrs = martyrs
        self.netwar_used = False
        self._marker = NO_PIECE

    async def play(self, step: Step, battle: Battle) -> Battle:
        """Play a round, or a step of it; its result is reused where the action has run before."""
        battle, self.netwar_used, self._marker = await self.game.reuse_procedure(partial(self._play, step, battle))
        return battle

    async def _play(self, step: Step, battle: Battle) -> tuple[Battle, bool, Piece]:
        return await step(self, battle), self.netwar_used, self._marker

    def loss_ops(self) -> int:
        return r09_opfor.battle_loss_ops(self.game.chart("nodes"), nodes_at(self.game.position, self.space))

    def support(self, battle: Battle) -> Support:
        """[12.3] One NetWar marker a round, or by a switch one a battle (ruling C-21)."""
        offered = support(self.game, self.space)
        return offered._replace(netwar=False) if self.netwar_used and self.game.option("netwar") == "per_battle" else offered

    def response(self) -> str:
        return "Martyrs: " if self.martyrs else f"Morale {self.game.morale}, {self.conditions.terrain}: "

    async def commit_netwar(self) -> None:
        (self._marker,) = await choose_markers(self.game, 1)

    async def opfor_stands(self, battle: Battle) -> bool:
        """[9.3(2), 14.5] By the Morale Chart, or Martyrs."""
        stand = self.martyrs or await r09_opfor.stands(self.game, self.conditions.terrain)
        if stand:
            self.game.say(f"{self.response()}OPFOR stands.", "16.1(4b)")
        return stand

    async def cannot_withdraw(self, battle: Battle) -> bool:
        return await cannot_withdraw(self.game, self.space, self._pieces(battle))

    async def withdraw(self, battle: Battle, odds: OddsOf) -> Battle:
        gone = await withdraw(self.game, self.space, self._pieces(battle), odds)
        return battle._replace(coalition=tuple(fighter for fighter in battle.coalition if fighter.id not in gone))

    def _pieces(self, battle: Battle) -> list[Piece]:
        return [self.game.piece(fighter.id) for fighter in battle.coalition]

    def on_opfor_loss(self, fighter: Fighter) -> None:
        self.game.move(fighter.id, state.HVT_BOX if fighter.kind == "hvt" else state.REACTION_CUP, "16.3", "eliminated")
        super().on_opfor_loss(fighter)

    def on_coalition_hit(self, fighter: Fighter, left: Fighter | None) -> None:
        r09_opfor.hit_unit(self.game, self.game.piece(fighter.id), "16.3", "hit")

    def on_support_spent(self, strikes: Sequence[Strike], netwar: bool) -> None:
        for strike in strikes:
            self.game.move(strike.id, state.RECRUIT, "23.1", "used")
        if netwar:
            self.netwar_used = True
            put_back(self.game, self._marker, state.RECRUIT, "16.1(3d)", "used")

    def on_end(self, battle: Battle) -> None:
        super().on_end(battle)
        return_opfor(self.game, self.space)


async def choose_markers(referee: FallujahReferee, count: int) -> list[Piece]:
    """[14.5, 22.0] Choose the markers that serve as NetWar; asked if some may be Intel, which return to the Reaction cup."""
    markers = referee.netwar()
    intel = [piece for piece in markers if piece.kind == state.EVENT]
    printed = [piece for piece in markers if piece not in intel]
    low, high = max(0, count - len(printed)), min(count, len(intel))
    intel_count = high
    if low < high and count == 1:
        prompt = "Spend an Intel marker? It goes back to the Reaction cup. (no: a printed NetWar marker)"
        intel_count = int(await referee.confirm("intel", prompt, "22.0", suggest=True))
    elif low < high:
        prompt = f"How many of the {count} are Intel markers? They go back to the Reaction cup."
        intel_count = await referee.number("intel", prompt, "22.0", low, high, high)
    return [*intel[:intel_count], *printed[: count - intel_count]]


def put_back(referee: FallujahReferee, netwar: Piece, box: str, rule: str, why: str) -> None:
    """Move a used NetWar marker to a box [22.0]; an Intel marker that served as one returns to its cup [14.5]."""
    intel = netwar.kind == state.EVENT
    referee.move(netwar.id, state.REACTION_CUP if intel else box, "14.5" if intel else rule, why)


def unsupported(referee: FallujahReferee, space: str) -> bool:
    """[31.0] True if Iraqi units in a space rule out Fire Support and NetWar there."""
    return referee.option("joint") == "on" and referee.first_scenario and any(map(state.is_iraqi, referee.units_at(space)))


def support(referee: FallujahReferee, space: str) -> Support:
    """The support that may be committed in a space [16.1(2c), 16.1(3a)]."""
    if unsupported(referee, space):
        return Support()
    strikes = tuple(
        Strike(piece.number("fire"), state.type_of(piece) == state.SOA, piece.id, piece.name)
        for piece in referee.available(state.AIR_STRIKE, state.SOA, state.ARTILLERY)
    )
    return Support(strikes, bool(referee.netwar()))


def strike_fault(referee: FallujahReferee, piece: Piece) -> tuple[str, str]:
    """[22.0, 23.1, 33.0] Why a strike is not among those to be committed, where others are: (why, rule)."""
    if state.is_netwar(piece):
        return f"{piece.name} adds to the Tactical Edge, and is no Fire Support", "22.0"
    if piece.place != state.AVAILABLE:
        return f"{piece.name} is {referee.location(piece)}, not in the Available box", "23.1"
    return f"{piece.name} takes no part in an Interdiction", "33.0"


def return_opfor(referee: FallujahReferee, space: str) -> None:
    """[16.3] Surviving OPFOR units go back into the Reaction cup."""
    for piece in opfor_at(referee, space):
        referee.move(piece.id, state.REACTION_CUP, "16.3", "survived")


def conditions(
    referee: FallujahReferee,
    terrain: str,
    *,
    strongpoint: bool = False,
    fob: bool = False,
    node_edge: int = 0,
    ambush: bool = False,
    civilians: bool = False,
    first: bool | None = None,
) -> Conditions:
    """[16.1(1)] The conditions of a battle by the Terrain Effects Chart; `first`: scenario 1 applies if there is no session."""
    chart = referee.chart("terrain")
    anywhere = civilians and referee.option("civilians") == "any_terrain"
    return Conditions(
        terrain,
        cast(Side, chart.text(terrain, "tie")),
        chart.number(terrain, "hits_factor"),
        strongpoint,
        fob,
        node_edge,
        int(ambush),
        civilians,
        int(anywhere or collateral_here(referee, terrain, referee.first_scenario if first is None else first)),
    )


def conditions_at(referee: FallujahReferee, space: str, terrain: str, events: EventBonuses, fob: bool) -> Conditions:
    """[16.1(1)] The conditions of a battle in a space with its Nodes; `fob`: an FOB is in or beside it [28.2]."""
    return conditions(
        referee,
        terrain,
        strongpoint=r09_opfor.is_strongpoint(referee, space),
        fob=fob,
        node_edge=r09_opfor.node_edge(referee, space),
        ambush=events.ambush,
        civilians=events.civilians,
    )


async def fight(referee: FallujahReferee, space: str, force: Sequence[Piece], events: EventBonuses) -> Battle:
    """[16.1(1), 16.1(5)] Announce a battle, and play its rounds to the verdict."""
    begun = await referee.reuse_procedure(partial(_begin, referee, space, force, events))
    return await r16_battle.play_rounds(TableBattle(referee, space, begun.scene, begun.stand, events.martyrs), begun.battle)


async def _begin(referee: FallujahReferee, space: str, force: Sequence[Piece], events: EventBonuses) -> BattleStart:
    """[16.1(1)] Announce a battle."""
    terrain = (await referee.ground(space, "16.5")).terrain
    bonus = await fob_bonus(referee, space)
    begun = battle_start(referee, space, terrain, force, events, bonus, await referee.known_facts("stand", "9.3(2)"))
    enemy = ", ".join(fighter.name for fighter in begun.battle.opfor)
    referee.say(f"Battle at {referee.title(space)} ({terrain}): {referee.piece_names(force)} against {enemy}.", "16.1(1)")
    return begun


class BattleStart(NamedTuple):
    """The start of a battle: its conditions, whether OPFOR stands as far as the Morale Chart is known, and the sides."""

    scene: Conditions
    stand: bool
    battle: Battle


def battle_start(
    referee: FallujahReferee,
    space: str,
    terrain: str,
    force: Sequence[Piece],
    events: EventBonuses,
    fob: bool,
    chart: Mapping[str, str],
) -> BattleStart:
    """[16.1(1)] The start of a battle; `chart`: the known part of the Morale Chart, by level and terrain."""
    scene = conditions_at(referee, space, terrain, events, fob)
    fighters = tuple(fighter(referee, referee.piece(piece.id)) for piece in force)
    enemies = tuple(insurgent(piece) for piece in opfor_at(referee, space))
    stand = events.martyrs or r09_opfor.known_stand(referee.morale, terrain, chart)
    return BattleStart(scene, stand, Battle(fighters, enemies))


class DescribedBattle(ReportedBattle):
    """A battle that is only described: the Morale Chart is asked for each time, and only the whole force can withdraw."""

    async def opfor_stands(self, battle: Battle) -> bool:
        return await ask_response(self.game, "Does OPFOR stand or break off, by its Morale Chart?", "16.1(4b)") == "stand"


async def ask_response(referee: FallujahReferee, prompt: str, rule: str, suggest: str | None = None) -> str:
    """[9.3(2)] Ask for a cell of the Morale Chart."""
    choices = [Choice("stand", "OPFOR stands"), Choice("break-off", "OPFOR breaks off")]
    return await referee.choose("morale", prompt, rule, choices, suggest)

"""[15.0 - 17.0] Combat on the table: the battle display, continuation, withdrawal, winning and losing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.dice import summed
from companion.core.errors import Impossible
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Odds
from companion.core.words import plural
from companion.games.fallujah2004 import nodes, spaces
from companion.games.fallujah2004.battle import MOB, Battle, Display, Fighter, OddsOf, Strike, Support, fight_round
from companion.games.fallujah2004.chances import battle_odds, commitment_odds, next_round
from companion.games.fallujah2004.counters import is_engineer, is_helicopter, is_iraqi, side_of, steps_left
from companion.games.fallujah2004.morale import stands
from companion.games.fallujah2004.referee import Fallujah, deployed, nodes_at, on_map
from companion.games.fallujah2004.spaces import read_ground


class Circumstances(NamedTuple):
    """What the reaction brought on this battle [14.5]."""

    ambush: bool = False
    civilians: bool = False
    martyrs: bool = False


def fighter(game: Fallujah, piece: Piece) -> Fighter:
    """A Coalition unit as it enters a battle; helicopters fight like the rest [24.4]."""
    side = side_of(piece)
    return Fighter(
        side.fire,
        side.contact,
        steps_left(piece),
        piece.number("back fire"),
        piece.number("back contact"),
        is_engineer(piece),
        bool(game.leaders_with([piece])),
        "",
        piece.id,
        piece.name,
    )


def insurgent(piece: Piece) -> Fighter:
    """An OPFOR counter as it enters a battle; a Mob Attack has contact 0 and its strength is rolled [14.5]."""
    mob = piece.values.get("event") == "mob_attack"
    kind = MOB if mob else str(piece.values.get("type"))
    return Fighter(piece.number("fire"), piece.number("contact"), kind=kind, id=piece.id, name=piece.name)


def opfor_at(game: Fallujah, space: str) -> list[Piece]:
    """OPFOR combat units in a space, Mob Attacks among them; Nodes neither fire nor are hit [16.4]."""
    return [piece for piece in game.position.at(space) if piece.kind == "opfor" or piece.values.get("event") == "mob_attack"]


def collateral_here(game: Fallujah, terrain: str) -> bool:
    """[23.5] Whether Collateral Damage costs OPs in this terrain in the present scenario."""
    column = "collateral_s1" if game.first_scenario else "collateral_s2"
    return bool(game.chart("terrain").cell(terrain, column))


def fob_near(game: Fallujah, space: str) -> bool:
    """[28.2] A Forward Operations Base in the space; one in an adjacent space has to be asked for."""
    return any(piece.values.get("type") == "fob" for piece in game.units_at(space))


async def _fob_bonus(game: Fallujah, space: str) -> bool:
    if fob_near(game, space):
        return True
    elsewhere = [piece.place for piece in deployed(game.position) if piece.values.get("type") == "fob" and on_map(piece.place)]
    if not elsewhere:
        return False
    where = ", ".join(game.title(place) for place in elsewhere)
    return await game.confirm("fob", f"Is {game.title(space)} adjacent to the FOB at {where}", "28.2")


async def begin_battle(game: Fallujah, space: str, force: Sequence[Piece], events: Circumstances) -> Battle:
    """[16.1(1)] Everything face up on the Battle display."""
    terrain = (await game.ground(space, "16.5")).terrain
    chart = game.chart("terrain")
    counts = collateral_here(game, terrain) or (events.civilians and game.option("civilians") == "any_terrain")
    battle = Battle(
        tuple(fighter(game, game.piece(piece.id)) for piece in force),
        tuple(insurgent(piece) for piece in opfor_at(game, space)),
        terrain,
        chart.text(terrain, "tie"),
        chart.number(terrain, "hits_factor"),
        nodes.is_strongpoint(game, space),
        await _fob_bonus(game, space),
        nodes.edge(game, space),
        int(events.ambush),
        events.civilians,
        int(counts),
    )
    enemy = ", ".join(f"{one.name}" for one in battle.opfor)
    game.say(f"Battle at {game.title(space)} ({terrain}): {game.names(force)} against {enemy}.", "16.1(1)")
    return battle


class TableDisplay(Display):
    """The Battle display on the table: says each result and lets its losses happen."""

    def __init__(self, game: Fallujah) -> None:
        self.game = game

    def odds(self, battle: Battle, support: Support) -> OddsOf:
        return lambda: commitment_odds(self.game, battle, support)

    def edge(self, battle: Battle, roll: Sequence[int], netwar: bool, coalition: int, opfor: int, winner: str) -> None:
        ours = max(fighter.contact for fighter in battle.coalition)
        lead = next(fighter for fighter in battle.coalition if fighter.contact == ours)
        theirs = max(battle.opfor, key=lambda fighter: fighter.contact)
        parts = [str(ours), *(["1 leader"] if any(f.leader for f in battle.coalition) else [])]
        parts += (["1 NetWar"] if netwar else []) + (["1 FOB"] if battle.fob else [])
        enemy = [str(theirs.contact), *(["1 Node"] if battle.node_edge else [])]
        enemy += ["1 event"] if battle.event_edge and battle.round == 1 else []
        totals = coalition + roll[0], opfor + roll[1]
        tie = f", tie in {battle.terrain}" if totals[0] == totals[1] else ""
        side = "Coalition" if winner == "coalition" else "OPFOR"
        self.game.say(
            f"Tactical Edge: Coalition {'+'.join(parts)}+{roll[0]} = {totals[0]}, "
            f"OPFOR {'+'.join(enemy)}+{roll[1]} = {totals[1]}{tie} -> {side}",
            "16.1(2)",
            f"lead unit {lead.name or 'of the force'}: contact {ours}, the highest of the force",
            f"OPFOR leads with {theirs.name or 'its best'}: contact {theirs.contact}",
            *([f"equal totals in {battle.terrain} go to {battle.tie} (Terrain Effects Chart)"] if tie else []),
        )

    def mob(self, fighter: Fighter, face: int, strength: int) -> None:
        self.game.say(f"{fighter.name or 'Mob Attack'}: {face}, so its strength this round is {strength}.", "14.5")

    def committed(self, strikes: Sequence[Strike]) -> None:
        if strikes:
            self.game.say(f"Committed: {', '.join(strike.name for strike in strikes)}.", "16.1(3a)")

    def fired(
        self, side: str, firers: Sequence[Fighter | Strike], faces: Sequence[int], raw: int, hits: int, battle: Battle
    ) -> None:
        shots = [f"{one.name or 'unit'} {face}{'*' if face <= one.fire else ''}" for one, face in zip(firers, faces, strict=True)]
        text = f"{'Coalition' if side == 'coalition' else 'OPFOR'} fires: {', '.join(shots)}: {plural(raw, 'hit')}"
        because = [
            f"{one.name or 'unit'}: {face} {'<=' if face <= one.fire else '>'} {one.fire}"
            for one, face in zip(firers, faces, strict=True)
        ]
        rule = "16.2"
        if side == "coalition" and hits != raw:
            changes = []
            if battle.strongpoint and raw and not any(one.engineer for one in battle.coalition):
                changes.append("the Strongpoint takes 1 off")
                rule = "16.8"
            if battle.factor > 1:
                changes.append("doubled in the open")
                rule = "16.5"
            text += f", {' and '.join(changes)}: {hits}"
        elif side == "coalition" and battle.strongpoint and raw and any(one.engineer for one in battle.coalition):
            because.append("an engineer fires too, so the Strongpoint gives nothing [26.0]")
        if not raw:
            text += ", no effect"
        self.game.say(text + ".", rule, *because)

    def opfor_lost(self, fighter: Fighter) -> None:
        if not fighter.id:
            self.game.kia(1, "21.1", f"{fighter.name or 'OPFOR unit'} eliminated")
            return
        hvt = fighter.kind == "hvt"
        self.game.move(fighter.id, "hvt box" if hvt else "reaction cup", "16.3", "eliminated")
        self.game.kia(1, "21.1", f"{fighter.name} eliminated")

    def coalition_hit(self, fighter: Fighter, left: Fighter | None) -> None:
        if fighter.id:
            nodes.hit_unit(self.game, self.game.piece(fighter.id), "16.3", "hit")
        else:
            self.game.kia(-1, "21.1", f"{fighter.name or 'unit'} {'reduced' if left else 'eliminated'}")

    def collateral(self, count: int, ops: int) -> None:
        if ops:
            self.game.shift("ops", -ops, "23.5", f"Collateral Damage: {plural(count, 'die', 'dice')} of 6")
        else:
            self.game.say("A firing die of 6: no Collateral Damage in this terrain and scenario.", "23.5")

    def spent(self, strikes: Sequence[Strike], netwar: bool) -> None:
        for strike in strikes:
            if strike.id:
                self.game.move(strike.id, "recruit", "23.1", "used")
        if netwar and self.game.available("netwar"):
            spend_netwar(self.game, "12.2")


def spend_netwar(game: Fallujah, rule: str) -> None:
    """One NetWar marker goes back to the Recruit box; an Intel marker used as one returns to its cup [14.5, 22.0]."""
    held = game.available("netwar")
    intel = [piece for piece in held if piece.kind == "event"]
    piece = (intel or held)[0]
    game.move(piece.id, "reaction cup" if piece.kind == "event" else "recruit", rule, "used")


def support(game: Fallujah, space: str, netwar_used: bool) -> Support:
    """What may be committed this round [16.1(2c), 16.1(3a)] (ruling C-21): nothing beside Iraqi units under 31.0."""
    if game.option("joint") == "on" and game.first_scenario and any(is_iraqi(piece) for piece in game.units_at(space)):
        return Support()
    strikes = tuple(
        Strike(piece.number("fire"), piece.values.get("type") == "soa", piece.id, piece.name)
        for piece in game.available("air", "soa", "artillery")
    )
    return Support(strikes, bool(game.available("netwar")) and not netwar_used)


class Outcome(NamedTuple):
    """How a battle ended: won or not, and the units of the force that are still there."""

    won: bool
    force: tuple[str, ...]


async def fight(game: Fallujah, space: str, force: Sequence[Piece], events: Circumstances) -> Outcome:
    """[16.1, 16.1(5)] Rounds until one side alone is left in the space; after each the continuation [16.1(4)]."""
    battle = await begin_battle(game, space, force, events)
    display = TableDisplay(game)
    netwar_used = False
    while True:
        held = len(game.available("netwar"))
        done = await fight_round(game, battle, support(game, space, netwar_used), display)
        battle = done.battle
        if game.option("netwar") == "per_battle" and len(game.available("netwar")) < held:
            netwar_used = True
        if not battle.opfor:
            game.say("No OPFOR unit is left: the Coalition wins the battle.", "16.1(6)", "one side is gone [16.1(4a)]")
            return Outcome(True, tuple(one.id for one in battle.coalition))
        if not battle.coalition:
            game.say("No unit of the force is left: the battle is lost.", "16.1(6)", "one side is gone [16.1(4a)]")
            return_opfor(game, space)
            return Outcome(False, ())
        if not (events.martyrs or await stands(game, battle.terrain)):
            game.say(f"Morale {game.morale}, {battle.terrain}: OPFOR breaks off; the Coalition wins the battle.", "16.1(4b)")
            return_opfor(game, space)
            return Outcome(True, tuple(one.id for one in battle.coalition))
        reason = "Martyrs" if events.martyrs else f"Morale {game.morale}, {battle.terrain}"
        game.say(f"{reason}: OPFOR stands.", "16.1(4b)")
        battle = await continue_or_withdraw(game, space, battle)
        if not battle.coalition:
            game.say("The whole force has withdrawn: the battle is lost.", "16.7")
            return_opfor(game, space)
            return Outcome(False, ())


def return_opfor(game: Fallujah, space: str) -> None:
    """[16.3] Surviving OPFOR units go back into the Reaction cup."""
    for piece in opfor_at(game, space):
        game.move(piece.id, "reaction cup", "16.3", "survived")


def _loss_ops(game: Fallujah, space: str) -> int:
    chart = game.chart("nodes")
    return -sum(chart.number(nodes.node_kind(piece), "loss_ops") for piece in nodes_at(game.position, space))


async def continue_or_withdraw(game: Fallujah, space: str, battle: Battle) -> Battle:
    """[16.1(4c)] The player decides; /odds shows what either leads to."""
    request = Choose(
        "continue",
        "OPFOR stands. Continue or withdraw",
        "16.1(4c)",
        [Choice("continue", "continue"), Choice("withdraw", "withdraw")],
    )
    request.odds = lambda: continuation_odds(game, space, battle)
    if await request == "continue":
        return battle
    return await withdraw(game, space, battle)


def continuation_odds(game: Fallujah, space: str, battle: Battle) -> Odds:
    """What continuing leads to, beside what withdrawing costs for certain."""
    loss = _loss_ops(game, space)
    odds = battle_odds(game, battle, True, Support(), loss)
    certain = f"Withdrawing now loses the battle: no strength step, {plural(loss, 'OP')}, KIA unchanged."
    sections = (*odds.sections, *next_round(game, battle))
    return odds._replace(title="If you continue to the end", sections=sections, notes=(certain, *odds.notes))


async def withdraw(game: Fallujah, space: str, battle: Battle) -> Battle:
    """[16.7] Some, none or all units one space back, to Coalition units or a base; helicopters may evacuate [16.9]."""
    present = [game.piece(one.id) for one in battle.coalition]
    names = await game.pick(
        "withdraw", "Which units withdraw", "16.7", game.unit_choices(present), suggest=[p.name for p in present]
    )
    leaving = game.by_name(names, present)
    if not leaving:
        game.say("Nobody withdraws; the battle goes on.", "16.7")
        return battle
    refuge = await _refuge(game, space)
    if not refuge:
        game.say("There is nowhere to go: no withdrawal, and the battle goes on.", "16.7")
        return battle
    evacuated = await evacuate(game, space, leaving, present)
    for piece in leaving:
        if piece not in evacuated:
            game.move(piece.id, refuge, "16.7", "withdraws")
    gone = {piece.id for piece in leaving}
    return battle._replace(coalition=tuple(one for one in battle.coalition if one.id not in gone))


async def _refuge(game: Fallujah, space: str) -> str:
    """[16.7] The adjacent space with a Coalition combat unit, or the base, to which the force goes back; "" for none."""
    held = sorted({piece.place for piece in deployed(game.position) if on_map(piece.place) and piece.place != space})
    names = await game.place_names()
    choices = [Choice(place, game.title(place)) for place in [*held, *spaces.BASES]] + [Choice("none", "none is adjacent")]

    def read(text: str) -> str:
        if text.strip().casefold() == "none":
            return "none"
        place = spaces.read_space(text, names)
        if place == space:
            raise Impossible("that is where they are", rule="16.7", cure="Name an adjacent space or a base")
        return place

    prompt = "Withdraw to which adjacent space with a Coalition unit, or base (none: there is none, they stay and fight)"
    refuge = await game.text("refuge", prompt, "16.7", Notation("space", "3-8", read), choices)
    if refuge == "none":
        return ""
    if refuge not in held and refuge not in spaces.BASES:
        game.forbid(f"there is no Coalition unit in {game.title(refuge)}", "16.7", "Withdraw to Coalition units or a base")
    return refuge


async def evacuate(game: Fallujah, space: str, leaving: Sequence[Piece], force: Sequence[Piece]) -> list[Piece]:
    """[16.9] Each transport helicopter stacked with those who withdraw may fly one light unit (never Iraqi) to a base:
    one that withdraws with them, or one on station that is no part of the battle [24.2].
    """
    gone: list[Piece] = []
    fighting_on = {piece.id for piece in force} - {piece.id for piece in leaving}
    stacked = [piece for piece in game.units_at(space) if piece.id not in fighting_on]
    for helicopter in [piece for piece in stacked if piece.values.get("type") in ("helicopter_transport", "helicopter_sof")]:
        sof_only = helicopter.values.get("type") == "helicopter_sof"
        riders = [
            piece
            for piece in leaving
            if piece not in gone
            and not is_helicopter(piece)
            and game.unit_class(piece) == "light"
            and not is_iraqi(piece)
            and (not sof_only or piece.values.get("type") == "sof")
        ]
        if not riders:
            continue
        choices = [Choice(piece.name, piece.name) for piece in riders]
        names = await game.pick(
            "evacuate", f"{helicopter.name} may fly one light unit to a base: which", "16.9", choices, high=1, suggest=()
        )
        for piece in game.by_name(names, riders):
            base = await game.choose("base", "To which base", "16.9", [Choice(base, base.title()) for base in spaces.BASES])
            game.move(piece.id, base, "16.9", "evacuated")
            game.move(helicopter.id, base, "16.9", "evacuates")
            gone += [piece, helicopter]
    return gone


async def leader_check(game: Fallujah, force: Sequence[Piece]) -> None:
    """[29.1] After a battle won: 2 or 12 on two dice brings a leader."""
    roll = await game.roll("leader_check", "Leader check: 2 or 12 brings one", "29.1", 2, outcomes=lambda: summed(2, int))
    total = sum(roll)
    if game.chart("leader").text(total, "leader") != "leader":
        game.say(f"Leader check: {total}, none.", "29.1")
        return
    free = [piece for piece in game.position.at("recruit") if piece.kind == "leader"]
    if not free or not force:
        game.say(f"Leader check: {total}, but no leader is left to recruit.", "29.1", "ruling C-40")
        return
    leader = free[0]
    if len(free) > 1:
        name = await game.choose(
            "which_leader", "Which leader", "29.1", [Choice(one.name, one.name) for one in free], free[0].name
        )
        leader = next(one for one in free if one.name == name)
    choices = [Choice(piece.name, piece.name) for piece in force]
    chosen = choices[0].value
    if len(choices) > 1:
        chosen = await game.choose("leader", f"{leader.name} appears: with which unit", "29.1", choices)
    unit = next(piece for piece in force if piece.name == chosen)
    game.say(f"Leader check: {total}: {leader.name} joins {unit.name}.", "29.1")
    game.mark(leader.id, "with", unit.id, "29.1")
    game.move(leader.id, "leading", "29.1", f"with {unit.name}")


def terrain_of(game: Fallujah, space: str) -> str:
    """The terrain of a space that was told."""
    text = game.position.flag(f"space:{space}")
    return read_ground(text).terrain if isinstance(text, str) else ""

"""[10.0, 12.0, 18.0, 19.0, 32.0, 33.0] The operations: J-3 offensive, J-2 ISR, J-5 InfoWar, J-4 logistics, and the options."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.core.dice import RollOutcome, summed_rolls
from companion.core.errors import Impossible, Unreadable
from companion.core.game import Obstacle
from companion.core.notation import Notation
from companion.core.odds import distribution, distribution_of, mean, probability_of
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Confirm, Number, Odds, Roll, Text
from companion.core.text import plural, split_list
from companion.games.fallujah2004 import notation, state
from companion.games.fallujah2004.referee import FallujahReferee, blown_bridges, concealed_at, deployed, nodes_at, open_nodes
from companion.games.fallujah2004.rules import r08_forces, r09_opfor, r13_movement, r14_reaction, r16_battle, r16_combat


def _movers(referee: FallujahReferee, moved: Sequence[str] = ()) -> list[Piece]:
    """[8.3] The units that may still move; FOBs never do [28.1]. Raises `Impossible` if there are none."""
    movers = [piece for piece in deployed(referee.position) if not state.is_fob(piece) and piece.id not in moved]
    if not movers and not moved:
        raise Impossible("no Coalition unit is on the map or in a base", rule="8.3", cure="Recruit some first: j1")
    return movers


async def offensive(referee: FallujahReferee) -> None:
    """[10.1, 10.2] J-3 for one OP: one force moves, meets the reaction, fights, captures [10.1(1) - 10.1(4)]."""
    force, arrival = await referee.reuse_procedure(partial(_move_out, referee))
    negotiations = await arrive(referee, force, arrival)
    finish_offensive(referee, negotiations)


async def _move_out(referee: FallujahReferee) -> tuple[list[Piece], r13_movement.Arrival | None]:
    """[10.1(1)] Choose a force and move it; the force, and where it arrived."""
    movers = _movers(referee)
    referee.begin_operation("J-3 offensive", "10.1")
    force = await r08_forces.choose_force(referee, movers)
    move = await referee.reuse_procedure(partial(r13_movement.ask_move, referee, force))
    return force, await r13_movement.move_force(referee, force, move)


async def networked(referee: FallujahReferee) -> None:
    """[32.0] Several forces, never Iraqi, move to one space for one OP and one NetWar marker."""
    if not referee.netwar():
        raise Impossible("no NetWar marker is in the Available box", rule="32.0(1)", cure="Recruit one: j1")
    if all(map(state.is_iraqi, _movers(referee))):
        raise Impossible("only Iraqi units are there, and they take no part", rule="32.0", cure="Recruit others: j1")
    referee.begin_operation("J-3 networked", "32.0(2)")
    for marker in await r16_combat.choose_markers(referee, 1):
        r16_combat.put_back(referee, marker, state.RECRUIT, "32.0(1)", "used")
    moved: list[str] = []
    ends: dict[str, list[str]] = {}
    target = ""
    while not moved or await _another(referee, target, _movers(referee, moved)):
        force = await r08_forces.choose_force(referee, _movers(referee, moved), partial(networked_fault, referee, target))
        move = await r13_movement.ask_move(referee, force, "32.0(3)", join=target)
        arrival = await r13_movement.move_force(referee, force, move)
        moved += [piece.id for piece in force]
        if arrival:
            target = target or arrival.space
            ends.setdefault(arrival.space, []).extend(piece.id for piece in force)
        if len(ends) > 1 and referee.option("noticed") == "ends":
            break
    negotiations = 0
    for space, ids in ends.items():  # several if an infiltration failed (C-71); no force moves on (C-63)
        negotiations += await arrive(referee, [referee.piece(piece_id) for piece_id in ids], r13_movement.Arrival(space, 0))
    finish_offensive(referee, negotiations)


async def _another(referee: FallujahReferee, target: str, movers: Sequence[Piece]) -> bool:
    """[32.0(3)] Ask for another force, if one can join."""
    request = Confirm("more", f"Another force to {referee.title(target)}?", "32.0(3)", False)
    faults = [networked_fault(referee, target, [piece]) for piece in movers]
    request.implied_reply = False if all(faults) else None
    more = await request
    if more and all(faults):
        fault = next(filter(None, faults), Obstacle("every unit has moved", "32.0(3)"))
        raise Impossible(fault.text, rule=fault.rule, cure="Say no")
    return more


def networked_fault(referee: FallujahReferee, target: str, force: Sequence[Piece]) -> Obstacle | None:
    """[32.0, 32.0(3)] Why a force can take no part in a networked operation; ``target``: where the others have gone, or ""."""
    if any(map(state.is_iraqi, force)):
        return Obstacle("Iraqi units take no part in networked operations", "32.0", "Leave them out")
    if not target:
        return None
    start = force[0].place
    if start == target:
        return Obstacle(f"{force[0].name} is in {referee.title(target)} already", "32.0(3)", "Name units that move there")
    by_air = any(map(state.is_helicopter, force))
    fault = None if by_air or target in state.BASES else r13_movement.base_exit_fault(start, [target])
    return fault or r08_forces.stack_fault(referee, target, force)


async def arrive(referee: FallujahReferee, force: Sequence[Piece], arrival: r13_movement.Arrival | None) -> int:
    """[10.1(2) - 10.1(4)] Reaction, combat and capture where the force stopped, and further movement after a win.

    Returns the OPs that Negotiations cost at the end [14.5].
    """
    negotiations = 0
    while arrival and arrival.space not in state.BASES:
        present = [referee.piece(piece.id) for piece in force if referee.piece(piece.id).place == arrival.space]
        reaction = await referee.reuse_procedure(partial(r14_reaction.react, referee, arrival.space, present))
        negotiations += reaction.negotiations
        if not (reaction.happened and reaction.survivors):
            break
        onward = await referee.reuse_procedure(partial(resolve, referee, present, reaction, arrival))
        if not onward:
            break
        force = [referee.piece(piece_id) for piece_id in onward]
        arrival = r13_movement.remaining(referee, arrival, force)
        arrival = await referee.reuse_procedure(partial(_move_on, referee, force, arrival))
    return negotiations


async def _move_on(
    referee: FallujahReferee, force: Sequence[Piece], arrival: r13_movement.Arrival
) -> r13_movement.Arrival | None:
    """[14.1] Move a force on after a battle; where it arrives."""
    move = await r13_movement.ask_move(referee, force, "14.1", arrival)
    return await r13_movement.move_force(referee, force, move, arrival)


async def resolve(
    referee: FallujahReferee, force: Sequence[Piece], reaction: r14_reaction.Reaction, arrival: r13_movement.Arrival
) -> tuple[str, ...]:
    """[10.1(3), 10.1(4), 17.0] Fight if OPFOR is there, and capture; the ids of a force that moves on, or ()."""
    space = arrival.space
    survivors = tuple(piece.id for piece in force if referee.piece(piece.id).place == space)
    if not survivors:
        stays = "; the Node stays, face up" if nodes_at(referee.position, space) else ""
        referee.say(f"Nothing is left of the force: no battle{stays}.", "15.0", "ruling C-61")
        r16_combat.return_opfor(referee, space)
        return ()
    fought = bool(r16_combat.opfor_at(referee, space))
    if fought:
        fighters = [referee.piece(piece_id) for piece_id in survivors]
        battle = await r16_combat.fight(referee, space, fighters, reaction.bonuses)
        survivors = tuple(fighter.id for fighter in battle.coalition)
        if not battle.won:
            r09_opfor.lose_battle(referee, space)
            return ()
    elif nodes_at(referee.position, space):
        referee.say("The Node is undefended: you capture it without a battle.", "10.1(4)", "ruling C-1")
    winners = [referee.piece(piece_id) for piece_id in survivors]
    captured = r09_opfor.capture(referee, space, winners)
    if not fought:
        return ()
    await referee.reuse_procedure(partial(r08_forces.leader_check, referee, winners))
    if captured or not winners:
        return ()
    remaining = r13_movement.remaining(referee, arrival, winners)
    left = await r13_movement.points_left(referee, remaining)
    if left <= 0:
        return ()
    referee.moving_force, referee.points_left, referee.has_msr_point = winners, remaining.left, left > remaining.left
    points = "any distance" if left >= notation.AIR else plural(left, "movement point")
    on_msr = "" if left == remaining.left else ", on the MSR only" if left == 1 else ", one of them on the MSR only"
    prompt = f"{points[:1].upper()}{points[1:]} left{on_msr}. Move on?"
    more = await referee.confirm("move_on", prompt, "14.1", suggest=False)
    return survivors if more else ()


def finish_offensive(referee: FallujahReferee, negotiations: int) -> None:
    """End a J-3: apply what Negotiations cost, then check for the end of the game [8.1]."""
    if negotiations:
        referee.shift_track("ops", -negotiations, "14.5", "Negotiations")
    referee.end_operation()


async def interdict(referee: FallujahReferee) -> None:
    """[33.0] Air strikes alone against a revealed Node: one round, no reaction, no OPs, no VP."""
    if fault := interdiction_fault(referee):
        raise Impossible(fault.text, rule=fault.rule, cure=fault.cure)
    targets = [space for space in _revealed(referee) if not no_interdiction(referee, space)]
    referee.begin_operation("J-3 interdiction", "33.0")
    space = await referee.choose_space("Which Node do you interdict?", "33.0", targets)
    node = await _target(referee, space)
    strikes = r16_combat.support(referee, space).strikes
    air = [strike for strike in strikes if state.type_of(referee.piece(strike.id)) != state.ARTILLERY]
    strikes = await r16_battle.ask_strikes(air, least=1)
    faces = await referee.roll("fire", f"Interdiction. In this order: {r16_battle.firer_list(strikes)}", "33.0", len(strikes))
    hits = r16_battle.raw_hits(strikes, faces)
    referee.say(f"Interdiction: {' '.join(map(str, faces))}: {'the Node is ELIMINATED' if hits else 'no effect'}.", "33.0")
    if 6 in faces:
        terrain = (await referee.ground(space, "23.5")).terrain
        r16_battle.collateral_damage(r16_combat.ReportedBattle(referee, r16_combat.conditions(referee, terrain)), strikes, faces)
    for strike in strikes:
        referee.move(strike.id, state.RECRUIT, "23.1", "used")
    if hits:
        referee.move(node, state.OUT, "33.0", "eliminated by interdiction")
    referee.end_operation()


def _revealed(referee: FallujahReferee) -> list[str]:
    """The spaces with a Node that lies face up."""
    return sorted({piece.place for piece in open_nodes(referee.position) if state.on_map(piece.place)})


def interdiction_fault(referee: FallujahReferee) -> Obstacle | None:
    """[31.0, 33.0] Why no Node can be attacked by air strikes now; None if one can."""
    if not (revealed := _revealed(referee)):
        return Obstacle("no revealed Node is on the map", "33.0", "Reveal one first: j2")
    if not referee.available(state.AIR_STRIKE, state.SOA):
        return Obstacle("no air strike is in the Available box", "33.0", "Recruit some: j1")
    if all(no_interdiction(referee, space) for space in revealed):
        return Obstacle("no fire support is used where Iraqi units are", "31.0", "Move them away first: j3")
    return None


def no_interdiction(referee: FallujahReferee, space: str) -> Obstacle | None:
    """[31.0, 33.0] Why air strikes cannot attack a Node in a space; None if they can."""
    if nodes_at(referee.position, space):
        text = f"no fire support is used at {referee.title(space)}, where Iraqi units are"
        return Obstacle(text, "31.0") if r16_combat.unsupported(referee, space) else None
    if concealed_at(referee.position, space):
        return Obstacle(f"the Node at {referee.title(space)} lies face down", "33.0")
    return Obstacle(f"no Node lies at {referee.title(space)}", "33.0")


async def _target(referee: FallujahReferee, space: str) -> str:
    """[33.0] The id of the Node that is attacked; asked if a Downed Helicopter lies with another Node."""
    nodes = nodes_at(referee.position, space)
    if len(nodes) == 1:
        return nodes[0].id
    choices = [Choice(piece.id, piece.name) for piece in nodes]
    return await referee.choose("node", f"Which Node at {referee.title(space)}?", "33.0", choices)


def isr_chance(referee: FallujahReferee, markers: int) -> float:
    """[12.1] The chance that NetWar markers on one Node reveal it."""
    return probability_of(distribution(lambda: roll_isr(referee, markers)), lambda looks: any(sees for _, sees in looks))


def infowar_totals(referee: FallujahReferee, markers: int) -> dict[int, float]:
    """[19.0] The distribution of the OPs that markers bring, without the OP that the operation costs."""
    return distribution_of(distribution(lambda: roll_infowar(referee, markers)), lambda brought: sum(gain for _, gain in brought))


def isr_chances(referee: FallujahReferee, available: int) -> Odds:
    """[12.1] The chance to reveal a Node, for each number of markers."""
    rows = tuple((f"with {plural(markers, 'marker')}", isr_chance(referee, markers)) for markers in range(1, available + 1))
    return Odds("J-2 ISR: NetWar markers on one Node", "12.1", (("The Node is revealed", rows),))


def infowar_chances(referee: FallujahReferee, available: int) -> Odds:
    """[19.0] The OPs that each number of markers brings, compared with the OP that the operation costs."""
    pays, means = [], []
    for markers in range(1, available + 1):
        totals, label = infowar_totals(referee, markers), f"with {plural(markers, 'marker')}"
        pays.append((label, probability_of(totals, lambda gain: gain > 1)))
        means.append((f"OPs {label}, less the one spent", mean(totals) - 1))
    return Odds("J-5 InfoWar", "19.0", (("It brings more than the OP that it costs", tuple(pays)),), tuple(means))


def _markers(referee: FallujahReferee) -> int:
    held = len(referee.netwar())
    if not held:
        raise Impossible("no NetWar marker is in the Available box", rule="22.0", cure="Recruit some: j1")
    return held


def _targets_notation(names: notation.SpaceNames, held: int) -> Notation:
    def read(text: str) -> str:
        parts = split_list(text)
        if len(parts) == 1:
            parts = [word for word in text.split() if notation.grid_name(word)] or parts
        targets = [notation.read_space(part, names, bases=False) for part in parts]
        if not 1 <= len(targets) <= held:
            text = f"{plural(len(targets), 'marker')} placed, {held} available"
            raise Unreadable(text, rule="12.1", cure="Name a space for each marker")
        return ", ".join(targets)

    return Notation("spaces", "3-8, 3-8, 4-6", read, words=state.SPACE_ORDER, between=", ")


async def isr(referee: FallujahReferee) -> None:
    """[12.0] J-2: NetWar markers on concealed Nodes; 3 to 6 reveals, without a reaction [14.4]."""
    held = _markers(referee)
    if not any(state.lies_concealed(piece) for piece in referee.position.of_kind(state.CONCEALED)):
        raise Impossible("no concealed Node is on the map", rule="12.1")
    referee.begin_operation("J-2 ISR", "12.0")
    targets = await _targets(referee, held)
    markers = await r16_combat.choose_markers(referee, len(targets))
    shown = ", ".join(referee.title(space) for space in targets)
    looks = await roll_isr(referee, len(targets), shown)
    for space, marker, (face, sees) in zip(targets, markers, looks, strict=True):
        r16_combat.put_back(referee, marker, state.RECRUIT, "12.2", "used")
        if not sees:
            referee.say(f"ISR at {referee.title(space)}: {face}, the Node stays concealed.", "12.1")
        elif concealed_at(referee.position, space):
            referee.say(f"ISR at {referee.title(space)}: {face}, the Node is revealed.", "12.1")
            await r09_opfor.reveal(referee, space, "20.2(b)")
        else:
            referee.say(f"ISR at {referee.title(space)}: {face}, but nothing is concealed there any more.", "12.1")
    referee.end_operation()


class NodeQuestion(Text):
    """Spaces with a concealed Node, listed in rows."""

    is_name_visible = False
    __slots__ = ()

    def grouped_choices(self) -> list[tuple[str, list[str]]]:
        spaces = [f"{label} {choice.label}" for label, choice in zip(self.labels(), self.legal_choices(), strict=True)]
        return [("", spaces)] if spaces else []


async def _targets(referee: FallujahReferee, held: int) -> list[str]:
    """[12.1] Ask for a space with a concealed Node for each marker that is placed."""
    names = await referee.place_names()
    spaces = (space for space in r09_opfor.node_spaces(referee) if not r16_combat.unsupported(referee, space))
    choices = [Choice(space, referee.title(space)) for space in spaces if concealed_at(referee.position, space)]
    prompt = f"On which Nodes do you place NetWar? Up to {plural(held, 'marker')}, a space for each"
    request = NodeQuestion("nodes", prompt, "12.1", _targets_notation(names, held), choices)
    request.odds = lambda: isr_chances(referee, held)
    targets = (await request).split(", ")
    for space in dict.fromkeys(targets):
        await referee.ground(space, "12.1")
        r09_opfor.open_space(referee, space)
        if not r09_opfor.has_node(referee, space):
            referee.forbid(f"no Node lies at {referee.title(space)}", "12.1", "Name spaces with a concealed Node")
        elif r16_combat.unsupported(referee, space):
            referee.forbid(f"Iraqi units are at {referee.title(space)}: no NetWar is used there", "31.0", "Name other spaces")
        elif not concealed_at(referee.position, space):
            text = f"the Node at {referee.title(space)} lies face up already"
            referee.forbid(text, "12.1", "Name spaces with a concealed Node")
    return targets


async def roll_isr(referee: FallujahReferee, markers: int, where: str = "") -> tuple[tuple[int, bool], ...]:
    """[12.1] Roll one die for each NetWar marker: the face, and whether it reveals the Node."""
    chart = referee.chart("netwar")

    def reveals(face: int) -> bool:
        return chart.text(face, "isr") == "reveal"

    def outcomes() -> tuple[RollOutcome, ...]:
        return summed_rolls(markers, lambda face: int(reveals(face)))  # odds are only for markers on one Node

    faces = await Roll("isr", lambda: f"ISR, one die each: {where}", "12.1", markers, outcomes=outcomes)
    return tuple((face, reveals(face)) for face in faces)


async def roll_infowar(referee: FallujahReferee, markers: int) -> tuple[tuple[int, int], ...]:
    """[19.0] Roll all dice of an InfoWar: each face with the OPs that it brings."""
    chart = referee.chart("netwar")

    def gain(face: int) -> int:
        return chart.number(face, "infowar")

    def prompt() -> str:
        return f"InfoWar: {plural(markers, 'die', 'dice')} together"

    faces = await Roll("infowar", prompt, "19.0", markers, outcomes=lambda: summed_rolls(markers, gain))
    return tuple((face, gain(face)) for face in faces)


async def infowar(referee: FallujahReferee) -> None:
    """[19.0] J-5: commit NetWar markers, roll them all together, move the OPs by the sum."""
    held = _markers(referee)
    referee.begin_operation("J-5 InfoWar", "19.0")
    request = Number("markers", "How many NetWar markers do you commit?", "19.0", 1, held)
    request.table_default = held
    request.odds = lambda: infowar_chances(referee, held)
    markers = await r16_combat.choose_markers(referee, await request)
    brought = await roll_infowar(referee, len(markers))
    for piece in markers:
        if referee.option("intel_infowar") == "aside":
            referee.move(piece.id, state.ASIDE, "19.0", "used for InfoWar")
        else:
            r16_combat.put_back(referee, piece, state.ASIDE, "19.0", "used for InfoWar")
    total = sum(gain for _, gain in brought)
    shown = " ".join(str(face) for face, _ in brought)
    referee.say(f"InfoWar: {shown}. OPs {total:+d}.", "19.0", *(f"{face}: {gain:+d}" for face, gain in brought))
    referee.shift_track("ops", total, "19.0", "InfoWar")
    referee.end_operation()


FOB_COST = 3
"""OPs by the Unit Cost Chart; they replace the OP of the operation unless ruling C-6 is switched."""


def is_refit_place(referee: FallujahReferee, place: str) -> bool:
    """[18.3] True if reduced units can be refitted in a place: a Base, or a space with an FOB or Amtrac."""
    return place in state.BASES or any(state.is_fob(unit) or state.is_amtrac(unit) for unit in referee.units_at(place))


def refit_places(referee: FallujahReferee) -> dict[str, list[Piece]]:
    """[18.3] The places where reduced units can be refitted, with those units."""
    places: dict[str, list[Piece]] = {}
    for piece in deployed(referee.position):
        if piece.face == state.REDUCED and is_refit_place(referee, piece.place):
            places.setdefault(piece.place, []).append(piece)
    return places


def no_refit_at(referee: FallujahReferee, place: str) -> Obstacle | None:
    """[18.3] Why no unit can be refitted in a place; None if one can."""
    if not is_refit_place(referee, place):
        return Obstacle(f"{referee.title(place)} is no Base, and neither an FOB nor an Amtrac is there", "18.3")
    if any(piece.face == state.REDUCED for piece in referee.units_at(place)):
        return None
    return Obstacle(f"no reduced unit is at {referee.title(place)}", "18.3")


def bridges(referee: FallujahReferee) -> list[str]:
    """[18.4] The blown bridges with an engineer in their space."""
    return [space for space in blown_bridges(referee.position) if not no_repair_at(referee, space)]


def no_repair_at(referee: FallujahReferee, space: str) -> Obstacle | None:
    """[18.4] Why no bridge can be repaired in a space; None if one can."""
    if space not in blown_bridges(referee.position):
        return Obstacle(f"no bridge is blown at {referee.title(space)}", "18.4")
    return None if any(map(state.is_engineer, referee.units_at(space))) else _no_engineer(referee, space, "18.4")


def _no_engineer(referee: FallujahReferee, space: str, rule: str) -> Obstacle:
    return Obstacle(f"no engineer is at {referee.title(space)}", rule, "Move one there first: j3")


def _engineers(referee: FallujahReferee) -> list[Piece]:
    return [piece for piece in deployed(referee.position) if state.is_engineer(piece) and state.on_map(piece.place)]


def sites(referee: FallujahReferee) -> list[str]:
    """[18.5] The spaces where an FOB can be built: with an engineer, and without an FOB [8.2]."""
    spaces = {piece.place for piece in _engineers(referee)}
    return sorted(space for space in spaces if not no_site_at(referee, space))


def no_site_at(referee: FallujahReferee, space: str) -> Obstacle | None:
    """[8.2, 18.5] Why no FOB can be built in a space; None if one can."""
    units = referee.units_at(space)
    if any(map(state.is_fob, units)):
        return Obstacle(f"an FOB is at {referee.title(space)} already", "8.2")
    return None if any(map(state.is_engineer, units)) else _no_engineer(referee, space, "18.5")


def fob_cost(referee: FallujahReferee) -> int:
    """The OPs that building an FOB costs, including that of the operation."""
    return FOB_COST + 1 if referee.option("fob_surcharge") == "extra" else FOB_COST


def _no_refit(referee: FallujahReferee) -> Obstacle | None:
    if refit_places(referee):
        return None
    return Obstacle("no reduced unit is in a base or beside an FOB or Amtrac", "18.3", "Move it there first: j3")


def _no_repair(referee: FallujahReferee) -> Obstacle | None:
    if bridges(referee):
        return None
    if blown := " or ".join(map(referee.title, blown_bridges(referee.position))):
        return Obstacle(f"no engineer is at {blown}", "18.4", "Move one there first: j3")
    return Obstacle("no bridge is blown", "18.4")


def fob_fault(referee: FallujahReferee) -> Obstacle | None:
    """[18.5] Why no FOB can be built now; None if one can."""
    engineers = _engineers(referee)
    if not _spare(referee):
        return Obstacle("no FOB counter is left", "11.2")
    if not engineers:
        return Obstacle("no engineer is on the map", "18.5", "Move one to the site first: j3")
    if not sites(referee):
        text = f"an FOB is in the space of {referee.piece_names(engineers)} already"
        return Obstacle(text, "8.2", "Move the engineer first: j3")
    if fob_cost(referee) > referee.ops:
        return Obstacle(f"building an FOB costs {plural(fob_cost(referee), 'OP')}, and {referee.ops} are left", "18.5")
    return None


def _spare(referee: FallujahReferee) -> list[Piece]:
    return [piece for piece in referee.position.at(state.RECRUIT) if state.is_fob(piece)]


async def logistics(referee: FallujahReferee) -> None:
    """[18.0] Carry out a refit, a repair or the building of an FOB, whichever are possible now."""
    kinds = {
        "refit": ("refit reduced units", _no_refit(referee), refit),
        "bridge": ("repair a blown bridge", _no_repair(referee), repair),
        "fob": ("build an FOB", fob_fault(referee), build),
    }
    able = [Choice(kind, title) for kind, (title, fault, _) in kinds.items() if not fault]
    barred = {kind: fault for kind, (_, fault, _) in kinds.items() if fault}
    if not able:
        raise Impossible("; ".join(fault.text for fault in barred.values()), rule="18.0", cure="Move units first: j3")
    others = [Choice(kind, kinds[kind][0]) for kind in barred]
    kind = await Choose("kind", "J-4: what do you do?", "18.0", able, others=others)
    if fault := barred.get(kind):
        raise Impossible(fault.text, rule=fault.rule, cure=fault.cure)
    await kinds[kind][2](referee)
    referee.end_operation()


async def refit(referee: FallujahReferee) -> None:
    """[18.1 - 18.3] Restore every qualified unit of one place for one OP (ruling C-47). KIA does not change."""
    places = refit_places(referee)
    choices = [Choice(where, f"{referee.title(where)}: {referee.piece_names(units)}") for where, units in places.items()]
    place = await referee.choose("at", "Where do you refit?", "18.3", choices)
    referee.begin_operation("J-4 refit", "18.2")
    rule = "18.3(a)" if place in state.BASES else "18.3(b)"
    for piece in places[place]:
        referee.flip(piece.id, state.FULL, rule, "refit")
    referee.say(f"Refit at {referee.title(place)}: {referee.piece_names(places[place])}. The KIA index stays.", rule)


async def repair(referee: FallujahReferee) -> None:
    """[18.4] Repair a bridge with an engineer in its space, for one OP in all."""
    place = await referee.choose_space("Which bridge do you repair?", "18.4", bridges(referee))
    referee.begin_operation("J-4 bridge repair", "18.4")
    marker = next(piece for piece in referee.position.of_kind(state.MARKER) if piece.place == place)
    referee.move(marker.id, state.OFF, "18.4", "bridge repaired")


async def build(referee: FallujahReferee) -> None:
    """[18.5] Build an FOB in a space with an engineer, for three OPs (switch fob_surcharge: plus that of the operation)."""
    place = await referee.choose_space("Where do you build the FOB?", "18.5", sites(referee))
    referee.begin_operation("J-4 building an FOB", "18.5", fob_cost(referee))
    referee.move(_spare(referee)[0].id, place, "18.5", "built")

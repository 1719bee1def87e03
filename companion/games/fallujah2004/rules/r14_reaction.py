"""[14.0] OPFOR reaction: the picks, the fourteen events, and carrying them out in order."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from companion.core.position import Piece
from companion.core.procedures import GameOver
from companion.core.text import plural
from companion.games.fallujah2004 import notation, state
from companion.games.fallujah2004.facts import EVENT_KINDS
from companion.games.fallujah2004.referee import FallujahReferee, blown_bridges, deployed, ground_at
from companion.games.fallujah2004.rules import r09_opfor, r16_combat


class Effects(NamedTuple):
    """Accumulated effects of events; `extra`: picks the last event calls for; `back`: it returns to the cup when done."""

    space: str
    ambush: bool = False
    civilians: bool = False
    martyrs: bool = False
    negotiations: int = 0
    extra: int = 0
    back: bool = True


def _say(referee: FallujahReferee, piece: Piece) -> None:
    chart = referee.chart("events")
    kind = state.event_of(piece)
    referee.say(f"{piece.name}: {chart.text(kind, 'effect')}", chart.cite(kind))


async def carry_out(referee: FallujahReferee, piece: Piece, effects: Effects) -> Effects:
    """[14.3(2)] Carry out one event and put its marker where it goes, unless it returns to the cup."""
    kind = state.event_of(piece)
    _say(referee, piece)
    effects = await _EVENTS[kind](referee, piece, effects._replace(extra=referee.chart("events").number(kind, "extra_picks")))
    disposition = referee.chart("events").text(kind, "disposition")
    if disposition == "remove":
        referee.move(piece.id, state.OUT, "14.5", "removed from play")
    elif disposition == "remains":
        referee.move(piece.id, state.IN_PLAY, "14.5", "remains in play")
    return effects._replace(back=disposition == "return" and referee.piece(piece.id).place == state.DISPLAY)


def lose_ops(referee: FallujahReferee, count: int, why: str) -> None:
    """Move the OPs for a Reaction marker; at zero or less the game ends at once [10.4]. Raises GameOver."""
    referee.shift_track("ops", count, "10.4", why)
    if count < 0 and referee.ops <= 0:
        referee.finish(f"{why} took the OPs to {referee.ops}", "10.4")
        clear_away(referee)
        raise GameOver


def clear_away(referee: FallujahReferee) -> None:
    """[10.4] Return all picked counters to the Reaction cup without carrying them out."""
    for piece in list(referee.position.pieces.values()):
        if piece.place == state.DISPLAY or (notation.on_map(piece.place) and state.fights(piece)):
            referee.move(piece.id, state.REACTION_CUP, "10.4", "the game is over")


async def ambush(referee: FallujahReferee, piece: Piece, effects: Effects) -> Effects:
    """Ambush: one more pick, and 1 for OPFOR on the Edge of the first round."""
    return effects._replace(ambush=True)


async def blow_bridges(referee: FallujahReferee, piece: Piece, effects: Effects) -> Effects:
    """[14.7] One die for each bridge without a Coalition unit; 5 or 6 blows it (ruling C-3)."""
    for key, name in (("brooklyn", "Brooklyn Bridge"), ("main", "Main Bridge")):
        space = await _bridge(referee, key, name)
        if referee.units_at(space):
            referee.say(f"{name}: {referee.piece_names(referee.units_at(space))} hold it, no die.", "14.7")
            continue
        if space in blown_bridges(referee.position):
            referee.say(f"{name}: blown already.", "14.7")
            continue
        face = (await referee.roll("bridge", f"{name}: blown on 5-6", "14.7"))[0]
        if referee.chart("blow_bridges").text(face, "result") != "blown":
            referee.say(f"{name}: {face}, needs 5-6. It holds.", "14.7")
            continue
        free = [marker for marker in referee.position.of_kind(state.MARKER) if marker.place == state.OFF]
        marker = free[0].id if free else referee.make(state.MARKER, "Bridge Blown", state.OFF, "4.8", values={"marker": "bridge"})
        referee.say(f"{name}: {face}, needs 5-6. BLOWN: the route west of it is now a river route.", "14.7")
        referee.move(marker, space, "14.7", f"{name} blown")
    return effects


async def _bridge(referee: FallujahReferee, key: str, name: str) -> str:
    """[14.7] Where a bridge is: in the space that was told with that name, or as the owner says."""
    named = (await referee.place_names()).by_name().get(name, "")
    ground = ground_at(referee.position, named) if named else None
    if ground and "bridge" in ground.features:
        return named
    return await referee.printed(
        f"bridge:{key}", f"In which space is the {name}, by route and phase line?", "14.7", notation.GRID
    )


async def civilians(referee: FallujahReferee, piece: Piece, effects: Effects) -> Effects:
    """Civilians: every Coalition firing die of 6 here is Collateral Damage."""
    return effects._replace(civilians=True)


async def deception(referee: FallujahReferee, piece: Piece, effects: Effects) -> Effects:
    """Deception: nothing [14.3(1)]."""
    return effects


async def downed_helicopter(referee: FallujahReferee, piece: Piece, effects: Effects) -> Effects:
    """[14.7] A random space; it acts as a Node there, together with any that lies there (ruling C-16)."""
    space = await random_space(referee, "Downed Helicopter", again_on_node=False)
    if not space:
        return effects
    referee.move(piece.id, space, "14.7", "crashed")
    referee.instruct(f"Place the Downed Helicopter at {referee.title(space)}.", "14.7")
    if referee.units_at(space):
        referee.say(f"You hold that space: {_then(space, effects)}.", "14.7", "rulings C-15, C-16")
    return effects


def _then(space: str, effects: Effects) -> str:
    """[14.1(2)] The consequence of a Node that turns up under Coalition units (ruling C-15)."""
    return "this reaction goes on" if space == effects.space else "the next force to enter triggers the reaction"


async def intel(referee: FallujahReferee, piece: Piece, effects: Effects) -> Effects:
    """Intel: kept and used as a NetWar marker."""
    referee.move(piece.id, state.AVAILABLE, "14.5", "kept as a NetWar marker")
    return effects


async def iraqis_balk(referee: FallujahReferee, piece: Piece, effects: Effects) -> Effects:
    """One die for each Iraqi Government infantry unit on the map or in a base (ruling C-44)."""
    present = [unit for unit in deployed(referee.position) if state.is_iraqi(unit) and state.type_of(unit) == state.INFANTRY]
    if not present:
        referee.say("No Iraqi Government infantry is in play: no effect.", "14.5")
        return effects
    faces = await referee.roll(
        "balk", f"Iraqis Balk: one die each for {referee.piece_names(present)}, who deserts on 5-6", "14.5", len(present)
    )
    for unit, face in zip(present, faces, strict=True):
        if referee.chart("iraqis_balk").text(face, "result") == "deserts":
            referee.say(f"{unit.name}: {face}, it DESERTS. No KIA.", "14.5")
            r09_opfor.lose_leader(referee, unit)
            referee.move(unit.id, state.OUT, "14.5", "deserted")
        else:
            referee.say(f"{unit.name}: {face}, it stays.", "14.5")
    return effects


async def martyrs(referee: FallujahReferee, piece: Piece, effects: Effects) -> Effects:
    """Martyrs: one more pick; OPFOR stands in this battle."""
    return effects._replace(martyrs=True)


async def media_wars(referee: FallujahReferee, piece: Piece, effects: Effects) -> Effects:
    """Media Wars: one die of OPs, gained when odd and lost when even."""
    face = (await referee.roll("media", "Media Wars, one die: odd wins that many OPs, even loses them", "14.5"))[0]
    lose_ops(referee, referee.chart("media_wars").number(face, "ops"), f"Media Wars, {face} rolled")
    return effects


async def mob_attack(referee: FallujahReferee, piece: Piece, effects: Effects) -> Effects:
    """Mob Attack: a combat unit whose strength is rolled each round."""
    referee.move(piece.id, effects.space, "14.5", "fights as a unit")
    return effects


async def morale(referee: FallujahReferee, piece: Piece, effects: Effects) -> Effects:
    """Morale Check [9.2]."""
    await r09_opfor.morale_check(referee, "event")
    return effects


async def negotiations(referee: FallujahReferee, piece: Piece, effects: Effects) -> Effects:
    """Scenario 1: one die of OPs, taken when the J-3 is over; with no OPs left another counter is picked (ruling C-5)."""
    if not referee.first_scenario:
        referee.say("Negotiations have no effect in Phantom Fury.", "14.5")
        return effects
    if referee.ops <= 0:
        referee.say("You have no OPs to lose: Negotiations goes aside, draw another counter.", "14.5", "ruling C-5")
        return effects._replace(extra=1)
    face = (await referee.roll("negotiations", "Negotiations, one die: that many OPs are lost as this J-3 ends", "14.5"))[0]
    referee.say(f"Negotiations: you lose {plural(face, 'OP')} when this J-3 is over.", "14.5")
    return effects._replace(negotiations=effects.negotiations + face)


async def rear_area_raid(referee: FallujahReferee, piece: Piece, effects: Effects) -> Effects:
    """[14.7] A concealed Node from the cup onto a random space."""
    tokens = referee.position.at(state.NODE_PILE)
    if not tokens:
        referee.say("No Node is left in the cup: no effect.", "14.7")
        return effects
    space = await random_space(referee, "Rear Area Raid", again_on_node=True)
    if not space:
        return effects
    referee.move(tokens[0].id, space, "14.7", "Rear Area Raid")
    referee.instruct(f"Place a Node from the cup, face down, at {referee.title(space)}.", "14.7")
    if referee.units_at(space):
        referee.say(f"You hold that space, so the Node is revealed; {_then(space, effects)}.", "20.2(a)", "ruling C-14")
        fresh = await r09_opfor.reveal(referee, space, "20.2(a)")
        await r09_opfor.revealed_effects(referee, fresh, space, referee.units_at(space))
    return effects


async def uprising_elsewhere(referee: FallujahReferee, piece: Piece, effects: Effects) -> Effects:
    """Uprising Elsewhere: combat units cost double from now on [11.1]."""
    referee.set_flag(state.UPRISING, True, "14.5", "Uprising Elsewhere")
    return effects


async def random_space(referee: FallujahReferee, what: str, again_on_node: bool) -> str:
    """[7.2] One die for the route, two for the phase line; rolled again where there is no such space, or a Node would meet a
    Node. "" without a roll where no space is left (ruling C-76).
    """
    while _room(referee, again_on_node):
        faces = await referee.roll("location", f"{what}, where? One die for the route, then two for the phase line", "7.2", 3)
        space = f"{faces[0]}-{faces[1] + faces[2]}"
        shown = f"{space}, Brooklyn Bridge" if space == notation.BROOKLYN else space
        referee.say(
            f"{what}: {faces[0]} and {faces[1]}+{faces[2]} = {shown}.", "7.2", "1d6 the route [7.2(1)], 2d6 the line [7.2(2)]"
        )
        if not await _exists(referee, space):
            referee.say(f"There is no space {space}: roll again.", "7.2")
            continue
        r09_opfor.open_space(referee, space)
        if again_on_node and r09_opfor.has_node(referee, space):
            referee.say(f"{referee.title(space)} holds a Node already: roll again.", "7.2")
            continue
        return space
    referee.say(f"{what}: no space is left for it on the map; no effect.", "7.2", "ruling C-76")
    return ""


def _room(referee: FallujahReferee, again_on_node: bool) -> bool:
    """True if the map has, as far as is known, a space that the dice can name: for a Node, one without a Node."""

    def may_be(space: str) -> bool:
        return referee.position.flag(state.space_flag(space)) != notation.NO_SPACE

    return any(may_be(space) and not (again_on_node and r09_opfor.has_node(referee, space)) for space in notation.SPACES)


async def _exists(referee: FallujahReferee, space: str) -> bool:
    """True if the map has a space at a crossing; what is printed there is asked once."""
    return (await referee.ground(space, "7.2", may_lack=True)).terrain != notation.NO_SPACE


Event = Callable[[FallujahReferee, Piece, Effects], Awaitable[Effects]]

_EVENTS: dict[str, Event] = {
    "ambush": ambush,
    "blow_bridges": blow_bridges,
    "civilians": civilians,
    "deception": deception,
    "downed_helicopter": downed_helicopter,
    "intel": intel,
    "iraqis_balk": iraqis_balk,
    "martyrs": martyrs,
    "media_wars": media_wars,
    "mob_attack": mob_attack,
    "morale_check": morale,
    "negotiations": negotiations,
    "rear_area_raid": rear_area_raid,
    "uprising_elsewhere": uprising_elsewhere,
}


class Reaction(NamedTuple):
    """The result of a reaction, if one happened [14.1]; `negotiations`: OPs taken at the end of the J-3."""

    happened: bool
    circumstances: r16_combat.EventBonuses = r16_combat.EventBonuses()
    negotiations: int = 0
    survivors: bool = True


async def react(referee: FallujahReferee, space: str, force: Sequence[Piece]) -> Reaction:
    """[14.1] Boots on the ground, a Node, or neither; then the picks."""
    node = await enter_space(referee, space, force)
    if node is None:
        return Reaction(False)
    if not any(referee.piece(piece.id).place == space for piece in force):
        referee.say("Nothing is left of the force: no reaction and no battle; the Node stays, face up.", "14.1(2)", "ruling C-59")
        return Reaction(True, survivors=False)
    return await carry_out_picks(referee, space, node)


async def enter_space(referee: FallujahReferee, space: str, force: Sequence[Piece]) -> bool | None:
    """[14.1(1), 14.1(2)] Whether the picks are those of a Node, which is turned up; None where there is no reaction."""
    await referee.ground(space, "14.1")
    r09_opfor.open_space(referee, space)
    ids = {piece.id for piece in force}
    others = [piece for piece in referee.units_at(space) if piece.id not in ids]
    boots = [piece for piece in others if state.is_ground(piece)]
    node = r09_opfor.has_node(referee, space)
    if not reacts(referee, space, others):
        referee.say(f"OPFOR does not react: {referee.piece_names(boots)} held the space already.", "14.1(1)")
        return None
    if boots:
        referee.say("A Node lies under your units: entering its space brings a reaction all the same.", "14.1(2)", "ruling C-15")
    if others and not boots:
        referee.say(f"{referee.piece_names(others)} alone does not prevent the reaction.", "24.7", "ruling C-8")
    await r09_opfor.revealed_effects(referee, await r09_opfor.reveal(referee, space, "20.2(a)"), space, force)
    return node


def reacts(referee: FallujahReferee, space: str, present: Sequence[Piece]) -> bool:
    """[14.1(1), 14.1(2)] True if OPFOR reacts to an entering force: a Node is there, or no ground unit was `present` before."""
    return r09_opfor.has_node(referee, space) or not any(map(state.is_ground, present))


def pick_count(referee: FallujahReferee, space: str) -> int:
    """[9.3(1), 14.1] The counters that a reaction in a space picks: by morale, and for the Nodes there."""
    return r09_opfor.picks(referee) + r09_opfor.extra_picks(referee, space)


class Picks(NamedTuple):
    """[14.3] The picks of a reaction while they are made and carried out, each by its id.

    Attributes:
        due: how many of the picks by morale and Node are still to be made, of ``total``.
        events: those not carried out yet, in the order picked.
        units: OPFOR combat units that were picked.
        deceptions: Deceptions that were picked.
        waiting: events that go back after the last pick, by a switch (ruling C-18).
        effects: what the events add up to.
    """

    due: int
    total: int
    effects: Effects
    events: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    deceptions: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()

    def with_counter(self, piece: Piece) -> Picks:
        """With one more counter."""
        if piece.kind == state.OPFOR:
            return self._replace(units=(*self.units, piece.id))
        assert state.event_of(piece) in EVENT_KINDS
        if state.event_of(piece) == "deception":
            return self._replace(deceptions=(*self.deceptions, piece.id))
        return self._replace(events=(*self.events, piece.id))


async def carry_out_picks(referee: FallujahReferee, space: str, node: bool) -> Reaction:
    """[14.1(2), 14.1(3), 14.3] Pick by morale, then Deceptions, events in the order picked, combat units."""
    count = r09_opfor.picks(referee)
    extra = r09_opfor.extra_picks(referee, space)
    referee.say(
        f"OPFOR reacts: {referee.morale} morale, {plural(count, 'counter')}{f', Arms Cache {extra} more' if extra else ''}.",
        "14.1(2)" if node else "14.1(3)",
        f"OPFOR Morale Chart: {referee.morale} morale draws {count} [9.3(1)]",
    )
    hand = new_picks(referee, space)
    while hand.due or hand.events:
        hand = await next_pick(referee, hand)
    return finish_picks(referee, hand)


def new_picks(referee: FallujahReferee, space: str) -> Picks:
    """[9.3(1), 14.1] The picks that a reaction in a space brings, none of them made."""
    count = pick_count(referee, space)
    return Picks(count, count, Effects(space=space))


async def next_pick(referee: FallujahReferee, hand: Picks) -> Picks:
    """[14.3] The next pick; when all are made, the next event with its extra picks (ruling C-18)."""
    if not hand.due:
        return await _carried_out(referee, hand)
    piece = await pick(referee, f"Draw {hand.total - hand.due + 1} of {hand.total} from the Reaction cup", "14.1")
    return hand._replace(due=hand.due - 1).with_counter(piece) if piece else hand._replace(due=0)


async def pick(referee: FallujahReferee, prompt: str, rule: str) -> Piece | None:
    """One counter out of the Reaction cup, onto the battle display; None where the cup is empty."""
    if not referee.position.at(state.REACTION_CUP):
        referee.say("The Reaction cup is empty: nothing more is drawn.", rule)
        return None
    name = await referee.draw("pick", prompt, rule, state.REACTION_CUP, lambda: _counters(referee))
    found = next((piece for piece in referee.position.at(state.REACTION_CUP) if piece.name == name), None)
    if found is None:
        found = _unknown_counter(referee, name)
    referee.move(found.id, state.DISPLAY, rule, "drawn")
    return referee.piece(found.id)


def _counters(referee: FallujahReferee) -> list[str]:
    """The names of all counters that may be in the Reaction cup."""
    events = [str(row[0]) for row in referee.chart("events").rows.values()]
    return events + sorted({piece.name for piece in referee.position.of_kind(state.OPFOR)})


def _unknown_counter(referee: FallujahReferee, name: str) -> Piece:
    """A counter that the player drew although the cup should not hold it; the table is right, so it is made."""
    titles = {str(cells[0]): kind for kind, cells in referee.chart("events").rows.items()}
    if name in titles:
        return referee.piece(
            referee.make(
                state.EVENT,
                name,
                state.REACTION_CUP,
                "4.7",
                "drawn; Companion thought there were none left",
                {"event": titles[name]},
            )
        )
    like = next(piece for piece in referee.position.of_kind(state.OPFOR) if piece.name == name)
    return referee.piece(
        referee.make(state.OPFOR, name, state.REACTION_CUP, "4.6", "drawn; Companion thought there were none left", like.values)
    )


async def extra_picks(referee: FallujahReferee, event: Piece, count: int) -> list[Piece]:
    """[14.3] The further counters that an event calls for, fewer where the cup runs out."""
    found = [await pick(referee, f"{event.name}: draw one more counter", "14.3") for _ in range(count)]
    return [piece for piece in found if piece is not None]


async def _carried_out(referee: FallujahReferee, hand: Picks) -> Picks:
    """[14.3(2)] One event, with the picks that it calls for, before it goes back (ruling C-18)."""
    event = referee.piece(hand.events[0])
    effects = await carry_out(referee, event, hand.effects)
    hand = hand._replace(events=hand.events[1:])
    for more in await extra_picks(referee, event, effects.extra):
        hand = hand.with_counter(more)
    if effects.back and referee.option("returns") == "after_picks":
        hand = hand._replace(waiting=(*hand.waiting, event.id))
    elif effects.back:
        referee.move(event.id, state.REACTION_CUP, "14.5", "done")
    return hand._replace(effects=effects._replace(extra=0))


def finish_picks(referee: FallujahReferee, hand: Picks) -> Reaction:
    """[14.3(1), 14.3(3)] Deceptions and what waited go back, and the combat units are deployed."""
    for one in hand.deceptions:
        referee.say("Deception: no effect.", "14.3(1)")
        referee.move(one, state.REACTION_CUP, "14.3(1)", "after all draws")
    for one in hand.waiting:
        referee.move(one, state.REACTION_CUP, "14.5", "after all draws")
    for one in hand.units:
        referee.move(one, hand.effects.space, "14.3(3)", "deployed")
    if not r16_combat.opfor_at(referee, hand.effects.space):
        referee.say("No OPFOR combat unit appears.", "14.3(3)")
    effects = hand.effects
    circumstances = r16_combat.EventBonuses(effects.ambush, effects.civilians, effects.martyrs)
    return Reaction(True, circumstances, effects.negotiations)

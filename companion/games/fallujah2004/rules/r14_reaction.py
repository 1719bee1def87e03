"""[14.0] OPFOR reaction: the picks, the fourteen events, and carrying them out in order."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from enum import Enum
from functools import lru_cache, partial
from typing import NamedTuple

from companion.core.dice import RollOutcome, grouped_rolls
from companion.core.position import FlagReader, Piece, Position
from companion.core.procedures import GameOver
from companion.core.text import plural
from companion.games.fallujah2004 import notation, state
from companion.games.fallujah2004.referee import FallujahReferee, blown_bridges, deployed, ground_at
from companion.games.fallujah2004.rules import r09_opfor, r16_combat


class Effects(NamedTuple):
    """Accumulated effects of events.

    Attributes:
        space: The space of the reaction.
        bonuses: The effects on the battle.
        negotiations: OPs lost when the J-3 is over.
        extra: Picks that the latest event calls for.
        returns: The latest event returns to the cup when it is done.
    """

    space: str
    bonuses: r16_combat.EventBonuses = r16_combat.EventBonuses()
    negotiations: int = 0
    extra: int = 0
    returns: bool = True


async def carry_out(referee: FallujahReferee, piece: Piece, effects: Effects) -> Effects:
    """[14.3(2)] Carry out one event and put its marker where it goes, unless it returns to the cup."""
    kind, chart = state.event_of(piece), referee.chart("events")
    referee.say(f"{piece.name}: {chart.text(kind, 'effect')}", chart.cite(kind))
    effects = await _EVENTS[kind](referee, piece, effects._replace(extra=chart.number(kind, "extra_picks")))
    disposition = chart.text(kind, "disposition")
    if disposition == "remove":
        referee.move(piece.id, state.OUT, "14.5", "removed from play")
    elif disposition == "remains":
        referee.move(piece.id, state.IN_PLAY, "14.5", "remains in play")
    return effects._replace(returns=disposition == "return" and referee.piece(piece.id).place == state.DISPLAY)


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
        if piece.place == state.DISPLAY or (state.on_map(piece.place) and state.fights(piece)):
            referee.move(piece.id, state.REACTION_CUP, "10.4", "the game is over")


async def affect_battle(referee: FallujahReferee, piece: Piece, effects: Effects) -> Effects:
    """Ambush, Civilians, Martyrs: record the effect on the battle; their further picks are in the chart."""
    return effects._replace(bonuses=effects.bonuses._replace(**{state.event_of(piece): True}))


async def blow_bridges(referee: FallujahReferee, piece: Piece, effects: Effects) -> Effects:
    """[14.7] One die for each bridge without a Coalition unit; 5 or 6 blows it (ruling C-3)."""
    for key, name in (("brooklyn", "Brooklyn Bridge"), ("main", "Main Bridge")):
        space = await _bridge(referee, key, name)
        if holders := referee.units_at(space):
            referee.say(f"{name}: {referee.piece_names(holders)} hold it, no die.", "14.7")
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
    """[14.7] The space of a bridge: the known space with its name, or as the player answers."""
    named = (await referee.place_names()).by_name().get(name, "")
    ground = ground_at(referee.position, named) if named else None
    if ground and "bridge" in ground.features:
        return named
    prompt = f"In which space is the {name}, by route and phase line?"
    return await referee.printed(f"bridge:{key}", prompt, "14.7", notation.GRID)


async def downed_helicopter(referee: FallujahReferee, piece: Piece, effects: Effects) -> Effects:
    """[14.7] Crash in a random space, as a Node beside any that is already there (ruling C-16)."""
    space = await random_space(referee, "Downed Helicopter", again_on_node=False)
    if not space:
        return effects
    referee.move(piece.id, space, "14.7", "crashed")
    referee.instruct(f"Place the Downed Helicopter at {referee.title(space)}.", "14.7")
    if referee.units_at(space):
        referee.say(f"You hold that space: {_then(space, effects)}.", "14.7", "rulings C-15, C-16")
    return effects


def _then(space: str, effects: Effects) -> str:
    """[14.1(2)] The consequence of a Node that is revealed under Coalition units (ruling C-15)."""
    return "this reaction goes on" if space == effects.space else "the next force to enter triggers the reaction"


async def intel(referee: FallujahReferee, piece: Piece, effects: Effects) -> Effects:
    """Intel: keep it as a NetWar marker."""
    referee.move(piece.id, state.AVAILABLE, "14.5", "kept as a NetWar marker")
    return effects


async def iraqis_balk(referee: FallujahReferee, piece: Piece, effects: Effects) -> Effects:
    """One die for each Iraqi Government infantry unit on the map or in a base (ruling C-44)."""
    present = [unit for unit in deployed(referee.position) if state.is_iraqi(unit) and state.type_of(unit) == state.INFANTRY]
    if not present:
        referee.say("No Iraqi Government infantry is in play: no effect.", "14.5")
        return effects
    prompt = f"Iraqis Balk: one die each, a 5 or 6 deserts: {referee.piece_names(present)}"
    faces = await referee.roll("balk", prompt, "14.5", len(present))
    for unit, face in zip(present, faces, strict=True):
        if referee.chart("iraqis_balk").text(face, "result") == "deserts":
            referee.say(f"{unit.name}: {face}, it DESERTS. No KIA.", "14.5")
            r09_opfor.lose_leader(referee, unit)
            referee.move(unit.id, state.OUT, "14.5", "deserted")
        else:
            referee.say(f"{unit.name}: {face}, it stays.", "14.5")
    return effects


async def media_wars(referee: FallujahReferee, piece: Piece, effects: Effects) -> Effects:
    """Media Wars: one die of OPs, gained if odd and lost if even."""
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
    """Scenario 1: one die of OPs, lost when the J-3 is over; with no OPs left another counter is picked (ruling C-5)."""
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
    """[14.7] Place a concealed Node from the cup in a random space."""
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
    return effects  # by its marker, which remains in play


async def random_space(referee: FallujahReferee, what: str, again_on_node: bool) -> str:
    """[7.2] Roll for a space; "" without a roll if no space is left (ruling C-76).

    Args:
        what: The event, for the messages.
        again_on_node: Roll again for a space with a Node.
    """
    while _has_room(referee, again_on_node):
        missing = referee.position.cached_from_flags(_MISSING)
        prompt = f"{what}, where? One die for the route, then two for the phase line"
        faces = await referee.roll("location", prompt, "7.2", 3, outcomes=partial(location_outcomes, missing))
        space = _rolled_space(faces)
        shown = f"{space}, Brooklyn Bridge" if space == notation.BROOKLYN else space
        referee.say(
            f"{what}: {faces[0]} and {faces[1]}+{faces[2]} = {shown}.", "7.2", "1d6 the route [7.2(1)], 2d6 the line [7.2(2)]"
        )
        if (await referee.ground(space, "7.2", may_lack=True)).terrain == notation.NO_SPACE:
            referee.say(f"There is no space {space}: roll again.", "7.2")
            continue
        r09_opfor.open_space(referee, space)
        if again_on_node and r09_opfor.has_node(referee, space):
            referee.say(f"{referee.title(space)} holds a Node already: roll again.", "7.2")
            continue
        return space
    referee.say(f"{what}: no space is left for it on the map; no effect.", "7.2", "ruling C-76")
    return ""


def _rolled_space(faces: tuple[int, ...]) -> str:
    """[7.2] The space named by one die for the route and two for the phase line."""
    return f"{faces[0]}-{faces[1] + faces[2]}"


@lru_cache(maxsize=64)
def location_outcomes(missing: frozenset[str]) -> tuple[RollOutcome, ...]:
    """[7.2] The rolls for a space, merged by the space that they name; those for one that the map lacks are all rolled again."""

    def read(faces: tuple[int, ...]) -> str:
        space = _rolled_space(faces)
        return notation.NO_SPACE if space in missing else space

    return grouped_rolls(3, 6, 1, read)


def _missing(position: Position) -> frozenset[str]:
    """The spaces that the map is known to lack."""
    return frozenset(space for space in state.SPACES if position.flag(state.space_flag(space)) == notation.NO_SPACE)


_MISSING = FlagReader(_missing, (state.SPACE,))


def _has_room(referee: FallujahReferee, without_node: bool) -> bool:
    """True if the known map has a space that the dice can name, or one without a Node."""
    position = referee.position
    spaces = (space for space in state.SPACES if position.flag(state.space_flag(space)) != notation.NO_SPACE)
    return any(not (without_node and r09_opfor.has_node(referee, space)) for space in spaces)


Event = Callable[[FallujahReferee, Piece, Effects], Awaitable[Effects]]

_EVENTS: dict[str, Event] = {
    "ambush": affect_battle,
    "blow_bridges": blow_bridges,
    "civilians": affect_battle,
    "downed_helicopter": downed_helicopter,
    "intel": intel,
    "iraqis_balk": iraqis_balk,
    "martyrs": affect_battle,
    "media_wars": media_wars,
    "mob_attack": mob_attack,
    "morale_check": morale,
    "negotiations": negotiations,
    "rear_area_raid": rear_area_raid,
    "uprising_elsewhere": uprising_elsewhere,
}


class Reaction(NamedTuple):
    """The result of a reaction, if one happened [14.1]; `negotiations`: OPs lost at the end of the J-3."""

    happened: bool
    bonuses: r16_combat.EventBonuses = r16_combat.EventBonuses()
    negotiations: int = 0
    survivors: bool = True


async def react(referee: FallujahReferee, space: str, force: Sequence[Piece]) -> Reaction:
    """[14.1] Determine whether OPFOR reacts to a force in a space, and carry out its picks."""
    node = await enter_space(referee, space, force)
    if node is None:
        return Reaction(False)
    if not any(referee.piece(piece.id).place == space for piece in force):
        referee.say("Nothing is left of the force: no reaction and no battle; the Node stays, face up.", "14.1(2)", "ruling C-59")
        return Reaction(True, survivors=False)
    return await carry_out_picks(referee, space, node)


async def enter_space(referee: FallujahReferee, space: str, force: Sequence[Piece]) -> bool | None:
    """[14.1(1), 14.1(2)] Reveal the Nodes of the space; True if a Node causes the picks, None if there is no reaction."""
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
        referee.say("A Node lies under your units: entering its space triggers a reaction anyway.", "14.1(2)", "ruling C-15")
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


class Step(Enum):
    """A step of a reaction."""

    PICK = "the next pick by morale and Node"
    EXTRA = "the next extra pick of the event that was carried out"
    GO_BACK = "the event that was carried out goes back to the cup, if it does"
    EVENT = "the next event is carried out"
    END = "nothing more is picked"


def next_step(due: int, extra: int, carried_out: bool, events: Sequence[str]) -> Step:
    """[14.3] The next step of a reaction (ruling C-18). Used by play and by the odds of an offensive.

    Args:
        due: Picks by morale and Node still to be made.
        extra: Extra picks of the event that was carried out, still to be made.
        carried_out: An event was carried out and is not back yet.
        events: Events not carried out yet, in the order picked.
    """
    if due:
        return Step.PICK
    if extra:
        return Step.EXTRA
    if carried_out:
        return Step.GO_BACK
    return Step.EVENT if events else Step.END


class Picks(NamedTuple):
    """[14.3] The picks of a reaction in progress; counters by their ids.

    Attributes:
        due: picks by morale and Node still to be made, of ``total``.
        effects: the accumulated effects of the events; their ``extra`` picks are still to be made.
        latest: the event that was carried out last, and whether it is ``carried_out`` and not back yet.
        events: events not carried out yet, in the order picked.
        units: OPFOR combat units that were picked.
        deceptions: Deceptions that were picked.
        waiting: events that go back after the last pick, by a switch (ruling C-18).
    """

    due: int
    total: int
    effects: Effects
    latest: str = ""
    carried_out: bool = False
    events: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    deceptions: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()

    def with_counter(self, piece: Piece) -> Picks:
        """Add a counter."""
        if piece.kind == state.OPFOR:
            return self._replace(units=(*self.units, piece.id))
        if state.event_of(piece) == "deception":
            return self._replace(deceptions=(*self.deceptions, piece.id))
        return self._replace(events=(*self.events, piece.id))


async def carry_out_picks(referee: FallujahReferee, space: str, node: bool) -> Reaction:
    """[14.1(2), 14.1(3), 14.3] Make the picks, carry out their events in order, and deploy the combat units."""
    count = r09_opfor.picks(referee)
    extra = r09_opfor.extra_picks(referee, space)
    referee.say(
        f"OPFOR reacts: {referee.morale} morale, {plural(count, 'counter')}{f', Arms Cache {extra} more' if extra else ''}.",
        "14.1(2)" if node else "14.1(3)",
        f"OPFOR Morale Chart: {referee.morale} morale draws {count} [9.3(1)]",
    )
    hand = new_picks(referee, space)
    while (step := next_step(hand.due, hand.effects.extra, hand.carried_out, hand.events)) is not Step.END:
        hand = await referee.reuse_procedure(partial(_STEPS[step], referee, hand))
    return finish_picks(referee, hand)


def new_picks(referee: FallujahReferee, space: str) -> Picks:
    """[9.3(1), 14.1] The picks of a reaction in a space, all still to be made."""
    count = pick_count(referee, space)
    return Picks(count, count, Effects(space=space))


async def _pick_due(referee: FallujahReferee, hand: Picks) -> Picks:
    """[14.1] Make the next pick by morale and Node; an empty cup ends them."""
    piece = await pick(referee, f"Draw {hand.total - hand.due + 1} of {hand.total} from the Reaction cup", "14.1")
    return hand._replace(due=hand.due - 1).with_counter(piece) if piece else hand._replace(due=0)


async def _pick_extra(referee: FallujahReferee, hand: Picks) -> Picks:
    """[14.3] Make the next extra pick of the event that was carried out."""
    event = referee.piece(hand.latest)
    counter = await pick(referee, f"{event.name}: draw one more counter", "14.3")
    hand = hand._replace(effects=hand.effects._replace(extra=hand.effects.extra - 1))
    return hand.with_counter(counter) if counter else hand


async def _go_back(referee: FallujahReferee, hand: Picks) -> Picks:
    """[14.5] Return the event that was carried out to the cup, at once or after all picks, unless it stays out of the cup."""
    event = hand.latest
    if returns_at_once(referee, hand.effects):
        referee.move(event, state.REACTION_CUP, "14.5", "done")
    elif hand.effects.returns:
        hand = hand._replace(waiting=(*hand.waiting, event))
    return hand._replace(carried_out=False)


async def _carry_out_next(referee: FallujahReferee, hand: Picks) -> Picks:
    """[14.3(2)] Carry out the next event."""
    event, *others = hand.events
    effects = await carry_out(referee, referee.piece(event), hand.effects)
    return hand._replace(effects=effects, latest=event, carried_out=True, events=tuple(others))


_STEPS = {Step.PICK: _pick_due, Step.EXTRA: _pick_extra, Step.GO_BACK: _go_back, Step.EVENT: _carry_out_next}


async def pick(referee: FallujahReferee, prompt: str, rule: str) -> Piece | None:
    """Draw a counter from the Reaction cup and put it on the Battle display; None if the cup is empty."""
    if not referee.position.at(state.REACTION_CUP):
        referee.say("The Reaction cup is empty: nothing more is drawn.", rule)
        return None
    name = await referee.draw("pick", prompt, rule, state.REACTION_CUP, lambda: _counters(referee))
    counters = (piece for piece in referee.position.at(state.REACTION_CUP) if piece.name == name)
    counter = next(counters, None) or _missing_counter(referee, name)
    referee.move(counter.id, state.DISPLAY, rule, "drawn")
    return referee.piece(counter.id)


def _counters(referee: FallujahReferee) -> list[str]:
    """The names of all counters that may be in the Reaction cup."""
    events = [str(row[0]) for row in referee.chart("events").rows.values()]
    return events + sorted({piece.name for piece in referee.position.of_kind(state.OPFOR)})


def _missing_counter(referee: FallujahReferee, name: str) -> Piece:
    """Make a counter that the player drew although the cup should not hold it."""
    titles = {str(cells[0]): kind for kind, cells in referee.chart("events").rows.items()}
    why = "drawn; Companion thought there were none left"
    if name in titles:
        return referee.piece(referee.make(state.EVENT, name, state.REACTION_CUP, "4.7", why, {"event": titles[name]}))
    same = next(piece for piece in referee.position.of_kind(state.OPFOR) if piece.name == name)
    return referee.piece(referee.make(state.OPFOR, name, state.REACTION_CUP, "4.6", why, same.values))


def returns_at_once(referee: FallujahReferee, effects: Effects) -> bool:
    """True if the latest event goes back to the cup before the next one is carried out (ruling C-18)."""
    return effects.returns and referee.option("returns") != "after_picks"


def finish_picks(referee: FallujahReferee, hand: Picks) -> Reaction:
    """[14.3(1), 14.3(3)] Return Deceptions and waiting events to the cup, and deploy the combat units."""
    effects = hand.effects
    for counter in hand.deceptions:
        referee.say("Deception: no effect.", "14.3(1)")
        referee.move(counter, state.REACTION_CUP, "14.3(1)", "after all draws")
    for counter in hand.waiting:
        referee.move(counter, state.REACTION_CUP, "14.5", "after all draws")
    for counter in hand.units:
        referee.move(counter, effects.space, "14.3(3)", "deployed")
    if not r16_combat.opfor_at(referee, effects.space):
        referee.say("No OPFOR combat unit appears.", "14.3(3)")
    return Reaction(True, effects.bonuses, effects.negotiations)

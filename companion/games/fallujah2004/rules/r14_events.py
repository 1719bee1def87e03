"""[14.5, 14.7] The fourteen Event markers, one function each, in the order of the event table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from companion.core.position import Piece
from companion.core.procedures import GameOver
from companion.core.text import plural
from companion.games.fallujah2004 import names
from companion.games.fallujah2004.pieces import INFANTRY, event_of, fights, is_iraqi, type_of
from companion.games.fallujah2004.referee import Fallujah, blown_bridges, deployed, ground_at
from companion.games.fallujah2004.rules import r20_nodes as nodes
from companion.games.fallujah2004.rules.r09_morale import morale_check
from companion.games.fallujah2004.words import spaces
from companion.games.fallujah2004.words.spaces import on_map


class Effects(NamedTuple):
    """What the events of one reaction add up to.

    ``extra``: picks that the last event calls for; ``back``: whether it returns to the cup when done.
    """

    space: str
    ambush: bool = False
    civilians: bool = False
    martyrs: bool = False
    negotiations: int = 0
    extra: int = 0
    back: bool = True


def _say(game: Fallujah, piece: Piece) -> None:
    chart = game.chart("events")
    kind = event_of(piece)
    game.say(f"{piece.name}: {chart.text(kind, 'effect')}", chart.cite(kind))


async def carry_out(game: Fallujah, piece: Piece, effects: Effects) -> Effects:
    """[14.3(2)] Carry out one event and put its marker where it goes, unless it returns to the cup."""
    kind = event_of(piece)
    _say(game, piece)
    effects = await _EVENTS[kind](game, piece, effects._replace(extra=game.chart("events").number(kind, "extra_picks")))
    disposition = game.chart("events").text(kind, "disposition")
    if disposition == "remove":
        game.move(piece.id, names.OUT, "14.5", "removed from play")
    elif disposition == "remains":
        game.move(piece.id, names.IN_PLAY, "14.5", "remains in play")
    return effects._replace(back=disposition == "return" and game.piece(piece.id).place == names.DISPLAY)


def lose_ops(game: Fallujah, count: int, why: str) -> None:
    """A Reaction marker moves the OPs; at zero or less the game ends at once [10.4]. Raises GameOver: it did."""
    game.shift_track("ops", count, "10.4", why)
    if count < 0 and game.ops <= 0:
        game.finish(f"{why} took the OPs to {game.ops}", "10.4")
        clear_away(game)
        raise GameOver


def clear_away(game: Fallujah) -> None:
    """[10.4] Nothing that was picked is carried out any more: the counters go back into the Reaction cup."""
    for piece in list(game.position.pieces.values()):
        if piece.place == names.DISPLAY or (on_map(piece.place) and fights(piece)):
            game.move(piece.id, names.REACTION_CUP, "10.4", "the game is over")


async def ambush(game: Fallujah, piece: Piece, effects: Effects) -> Effects:
    """Ambush: one more pick, and 1 for OPFOR on the Edge of the first round."""
    return effects._replace(ambush=True)


async def blow_bridges(game: Fallujah, piece: Piece, effects: Effects) -> Effects:
    """[14.7] One die for each bridge without a Coalition unit; 5 or 6 blows it (ruling C-3)."""
    for key, name in (("brooklyn", "Brooklyn Bridge"), ("main", "Main Bridge")):
        space = await _bridge(game, key, name)
        if game.units_at(space):
            game.say(f"{name}: {game.piece_names(game.units_at(space))} hold it, no die.", "14.7")
            continue
        if space in blown_bridges(game.position):
            game.say(f"{name}: blown already.", "14.7")
            continue
        face = (await game.roll("bridge", f"{name}: blown on 5-6", "14.7"))[0]
        if game.chart("blow_bridges").text(face, "result") != "blown":
            game.say(f"{name}: {face}, needs 5-6. It holds.", "14.7")
            continue
        free = [marker for marker in game.position.of_kind(names.MARKER) if marker.place == names.OFF]
        marker = free[0].id if free else game.make(names.MARKER, "Bridge Blown", names.OFF, "4.8", values={"marker": "bridge"})
        game.say(f"{name}: {face}, needs 5-6. BLOWN: the route west of it is now a river route.", "14.7")
        game.move(marker, space, "14.7", f"{name} blown")
    return effects


async def _bridge(game: Fallujah, key: str, name: str) -> str:
    """[14.7] Where a bridge is: in the space that was told with that name, or as the owner says."""
    named = (await game.place_names()).told().get(name, "")
    ground = ground_at(game.position, named) if named else None
    if ground and "bridge" in ground.features:
        return named
    return await game.printed(f"bridge:{key}", f"In which space is the {name}, by route and phase line?", "14.7", spaces.GRID)


async def civilians(game: Fallujah, piece: Piece, effects: Effects) -> Effects:
    """Civilians: every Coalition firing die of 6 here is Collateral Damage."""
    return effects._replace(civilians=True)


async def deception(game: Fallujah, piece: Piece, effects: Effects) -> Effects:
    """Deception: nothing [14.3(1)]."""
    return effects


async def downed_helicopter(game: Fallujah, piece: Piece, effects: Effects) -> Effects:
    """[14.7] A random space; it acts as a Node there, together with any that lies there (ruling C-16)."""
    space = await random_space(game, "Downed Helicopter", again_on_node=False)
    if not space:
        return effects
    game.move(piece.id, space, "14.7", "crashed")
    game.instruct(f"Place the Downed Helicopter at {game.title(space)}.", "14.7")
    if game.units_at(space):
        game.say(f"You hold that space: {_then(space, effects)}.", "14.7", "rulings C-15, C-16")
    return effects


def _then(space: str, effects: Effects) -> str:
    """[14.1(2)] What comes of a Node that turns up under Coalition units (ruling C-15)."""
    return "this reaction goes on" if space == effects.space else "the next force to enter triggers the reaction"


async def intel(game: Fallujah, piece: Piece, effects: Effects) -> Effects:
    """Intel: kept and used as a NetWar marker."""
    game.move(piece.id, names.AVAILABLE, "14.5", "kept as a NetWar marker")
    return effects


async def iraqis_balk(game: Fallujah, piece: Piece, effects: Effects) -> Effects:
    """One die for each Iraqi Government infantry unit on the map or in a base (ruling C-44)."""
    present = [unit for unit in deployed(game.position) if is_iraqi(unit) and type_of(unit) == INFANTRY]
    if not present:
        game.say("No Iraqi Government infantry is in play: no effect.", "14.5")
        return effects
    faces = await game.roll(
        "balk", f"Iraqis Balk: one die each for {game.piece_names(present)}, who deserts on 5-6", "14.5", len(present)
    )
    for unit, face in zip(present, faces, strict=True):
        if game.chart("iraqis_balk").text(face, "result") == "deserts":
            game.say(f"{unit.name}: {face}, it DESERTS. No KIA.", "14.5")
            nodes.lose_leader(game, unit)
            game.move(unit.id, names.OUT, "14.5", "deserted")
        else:
            game.say(f"{unit.name}: {face}, it stays.", "14.5")
    return effects


async def martyrs(game: Fallujah, piece: Piece, effects: Effects) -> Effects:
    """Martyrs: one more pick; OPFOR stands in this battle."""
    return effects._replace(martyrs=True)


async def media_wars(game: Fallujah, piece: Piece, effects: Effects) -> Effects:
    """Media Wars: one die of OPs, gained when odd and lost when even."""
    face = (await game.roll("media", "Media Wars, one die: odd wins that many OPs, even loses them", "14.5"))[0]
    lose_ops(game, game.chart("media_wars").number(face, "ops"), f"Media Wars, {face} rolled")
    return effects


async def mob_attack(game: Fallujah, piece: Piece, effects: Effects) -> Effects:
    """Mob Attack: a combat unit whose strength is rolled each round."""
    game.move(piece.id, effects.space, "14.5", "fights as a unit")
    return effects


async def morale(game: Fallujah, piece: Piece, effects: Effects) -> Effects:
    """Morale Check [9.2]."""
    await morale_check(game, "event")
    return effects


async def negotiations(game: Fallujah, piece: Piece, effects: Effects) -> Effects:
    """Scenario 1: one die of OPs, taken when the J-3 is over; with no OPs left another counter is picked (ruling C-5)."""
    if not game.first_scenario:
        game.say("Negotiations have no effect in Phantom Fury.", "14.5")
        return effects
    if game.ops <= 0:
        game.say("You have no OPs to lose: Negotiations goes aside, draw another counter.", "14.5", "ruling C-5")
        return effects._replace(extra=1)
    face = (await game.roll("negotiations", "Negotiations, one die: that many OPs are lost as this J-3 ends", "14.5"))[0]
    game.say(f"Negotiations: you lose {plural(face, 'OP')} when this J-3 is over.", "14.5")
    return effects._replace(negotiations=effects.negotiations + face)


async def rear_area_raid(game: Fallujah, piece: Piece, effects: Effects) -> Effects:
    """[14.7] A concealed Node from the cup onto a random space."""
    tokens = game.position.at(names.NODE_PILE)
    if not tokens:
        game.say("No Node is left in the cup: no effect.", "14.7")
        return effects
    space = await random_space(game, "Rear Area Raid", again_on_node=True)
    if not space:
        return effects
    game.move(tokens[0].id, space, "14.7", "Rear Area Raid")
    game.instruct(f"Place a Node from the cup, face down, at {game.title(space)}.", "14.7")
    if game.units_at(space):
        game.say(f"You hold that space, so the Node is revealed; {_then(space, effects)}.", "20.2(a)", "ruling C-14")
        fresh = await nodes.reveal(game, space, "20.2(a)")
        await nodes.revealed_effects(game, fresh, space, game.units_at(space))
    return effects


async def uprising_elsewhere(game: Fallujah, piece: Piece, effects: Effects) -> Effects:
    """Uprising Elsewhere: combat units cost double from now on [11.1]."""
    game.set_flag(names.UPRISING, True, "14.5", "Uprising Elsewhere")
    return effects


async def random_space(game: Fallujah, what: str, again_on_node: bool) -> str:
    """[7.2] One die for the route, two for the phase line; rolled again where there is no such space, or a Node would meet a
    Node. "" without a roll where no space is left (ruling C-76).
    """
    while _room(game, again_on_node):
        faces = await game.roll("location", f"{what}, where? One die for the route, then two for the phase line", "7.2", 3)
        space = f"{faces[0]}-{faces[1] + faces[2]}"
        shown = f"{space}, Brooklyn Bridge" if space == spaces.BROOKLYN else space
        game.say(
            f"{what}: {faces[0]} and {faces[1]}+{faces[2]} = {shown}.", "7.2", "1d6 the route [7.2(1)], 2d6 the line [7.2(2)]"
        )
        if not await _exists(game, space):
            game.say(f"There is no space {space}: roll again.", "7.2")
            continue
        nodes.open_space(game, space)
        if again_on_node and nodes.has_node(game, space):
            game.say(f"{game.title(space)} holds a Node already: roll again.", "7.2")
            continue
        return space
    game.say(f"{what}: no space is left for it on the map; no effect.", "7.2", "ruling C-76")
    return ""


def _room(game: Fallujah, again_on_node: bool) -> bool:
    """Whether the map has, as far as is known, a space that the dice can name: for a Node, one without a Node."""

    def may_be(space: str) -> bool:
        return game.position.flag(names.space_flag(space)) != spaces.NO_SPACE

    return any(may_be(space) and not (again_on_node and nodes.has_node(game, space)) for space in spaces.SPACES)


async def _exists(game: Fallujah, space: str) -> bool:
    """Whether the map has a space at a crossing; what is printed there is asked once."""
    return (await game.ground(space, "7.2", may_lack=True)).terrain != spaces.NO_SPACE


Event = Callable[[Fallujah, Piece, Effects], Awaitable[Effects]]

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

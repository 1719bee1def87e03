"""[4.1.3, 5.3] Activation of Zones and Suspect markers, and placement of markers."""

from __future__ import annotations

from companion.core.position import Piece
from companion.core.requests import Draw
from companion.games.phantomfury.names import CONTROL, INSURGENTS_CUP, PLAIN, STRONG, SUSPECT, SUSPECTS_CUP, ZONES_CUP
from companion.games.phantomfury.pieces import fortified, is_ours, marker_of
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.rules.r03_die import on_chart
from companion.games.phantomfury.words.counters import GUERILLAS, enemy_text, priorities
from companion.games.phantomfury.words.town import box, place
from companion.games.phantomfury.words.zones import CLOSED, MOSQUE

DUMMY = "dummy"
AMBUSH = "ied"
"""The result that is an IED in an Assault or Defensive Fire, and a Sniper after Fire."""


def free_location(referee: Fury, zone: str, marker: str) -> str:
    """[5.3.2.2, 5.3.2.3] The Location that a Suspect marker assigns; "" if none of its Locations is free."""
    locations = referee.locations(zone)
    for location in priorities(marker):
        where = place(zone, location)
        if (
            location in locations
            and referee.enemy_at(where) is None
            and not any(is_ours(piece) for piece in referee.position.at(where))
        ):
            return where
    return ""


async def draw_marker(referee: Fury, zone: str, rule: str) -> Piece:
    """Draw a Suspect marker for a Zone; it stays in the cup until it is placed [6.1.3]."""
    request = Draw("suspect", f"Suspect marker for Zone {zone}", rule, SUSPECTS_CUP, referee.cup(SUSPECTS_CUP), thing="marker")
    name = await request
    held = next((piece for piece in referee.position.at(SUSPECTS_CUP) if piece.name == name), None)
    return held or referee.take_from(SUSPECTS_CUP, name, SUSPECTS_CUP, rule)


async def place_suspect(referee: Fury, zone: str, rule: str) -> bool:
    """[5.3.2] Draw and place a Suspect marker. Returns False if there is no room and it goes back."""
    if not referee.cup(SUSPECTS_CUP):
        referee.say(f"No Suspect marker is left for Zone {zone}.", "5.3.2")
        return False
    marker = await draw_marker(referee, zone, rule)
    where = free_location(referee, zone, marker.name)
    if not where:
        referee.say(f"Suspect {marker.name}: no free Location for it in Zone {zone}; it goes back.", "5.3.2.3")
        return False
    referee.move(marker.id, where, "5.3.2.2", "a Suspect, by its marker")
    return True


async def activate_zone(referee: Fury, zone: str, rule: str) -> None:
    """[4.1.3] Draw the nature of a Zone and place its Suspects, once a game."""
    if zone == CLOSED or marker_of(referee.position, zone) is not None:
        return
    await referee.zone(zone, rule)
    if zone == MOSQUE:
        referee.make(CONTROL, STRONG, box(zone), "4.1.5", "the mosque is Fortified")
    elif not referee.cup(ZONES_CUP):
        referee.make(CONTROL, PLAIN, box(zone), "4.1.3", "no marker is left in the cup: Normal")
    else:
        name = await Draw("nature", f"Activation of Zone {zone}", "4.1.3", ZONES_CUP, referee.cup(ZONES_CUP), thing="marker")
        referee.take_from(ZONES_CUP, name, box(zone), "4.1.3", "Fortified: no Flooding" if name == STRONG else "Normal")
    for _ in range(3 if zone == MOSQUE else 2):
        await place_suspect(referee, zone, "5.3.2.1")


async def roll_activation(referee: Fury, text: str, strong: bool) -> tuple[int, str]:
    """[5.3.3, 5.3.4] Roll for a Suspect: (face, what it is)."""
    column, rule = ("fortified", "5.3.4") if strong else ("normal", "5.3.3")
    return await on_chart(referee, "activation", column, "activate", f"Activate {text}", rule)


async def activate_suspect(referee: Fury, suspect: Piece, zone: str, ambush: str) -> str:
    """[5.3.3 - 5.3.5] Activate one Suspect on the map and return the result.

    Args:
        ambush: What happens on IED/Sniper: ``keep`` leaves the marker, ``dummy`` treats it as a Dummy, ``shot`` leaves it
        until the Sniper has been counted [11.4.1.1].
    """
    strong = fortified(referee.position, zone)
    where = suspect.place
    face, result = await roll_activation(referee, f"the Suspect at {where}", strong)
    rule = "5.3.4" if strong else "5.3.3"
    if result == AMBUSH and ambush == "keep":
        referee.say(f"Suspect at {where}: {face}, IED/Sniper: it stays, as if not Activated.", "9.3")
        return result
    if result == AMBUSH and ambush == DUMMY:
        referee.say(f"Suspect at {where}: {face}, a Dummy in a start Zone.", "6.2")
        result = DUMMY
    elif result == AMBUSH:
        referee.say(f"Suspect at {where}: {face}, IED/Sniper.", rule)
    elif result == DUMMY:
        referee.say(f"Suspect at {where}: {face}, a Dummy.", rule)
    if result == AMBUSH and ambush == "shot":
        return result
    remove_suspect(referee, suspect)
    if result in (DUMMY, AMBUSH):
        return result
    if not referee.cup(INSURGENTS_CUP):
        referee.say(f"Suspect at {where}: {face}, but no Insurgents counter is left.", rule)
        return DUMMY
    await draw_insurgent(referee, where, result, rule, f"Suspect at {where}: {face}, ")
    return result


def remove_suspect(referee: Fury, suspect: Piece) -> None:
    """[5.3.5] Return an Activated Suspect to its cup."""
    referee.move(suspect.id, SUSPECTS_CUP, "5.3.5", "Activated")


async def draw_insurgent(referee: Fury, where: str, kind: str, rule: str, lead: str) -> Piece:
    """Draw an Insurgents unit and place it on its Guerillas or Martyrs side."""
    name = await Draw(
        "insurgent", f"Insurgents unit for {where} ({kind.title()} side)", rule, INSURGENTS_CUP, referee.cup(INSURGENTS_CUP)
    )
    return place_insurgent(referee, name, kind, where, rule, lead)


def place_insurgent(referee: Fury, name: str, kind: str, where: str, rule: str, lead: str) -> Piece:
    """Place a drawn Insurgents unit on its Guerillas or Martyrs side."""
    piece = referee.take_from(INSURGENTS_CUP, name, where, rule, kind.title())
    referee.flip(piece.id, "front" if kind == GUERILLAS else kind, rule)
    piece = referee.piece(piece.id)
    referee.say(f"{lead}{enemy_text(piece)} ({name}) at {where}.", rule)
    return piece


def suspects_in(referee: Fury, zone: str) -> list[Piece]:
    """The Suspects in a Zone, in the order of its Locations."""
    order = (
        {place(zone, location): index for index, location in enumerate(referee.town.zones[zone].locations)}
        if zone in referee.town.zones
        else {}
    )
    suspects = [piece for piece in referee.enemies_in(zone) if piece.kind == SUSPECT]
    return sorted(suspects, key=lambda piece: order.get(piece.place, 99))

"""[18.0] J-4 Logistics: refit, bridge repair, Forward Operations Bases."""

from __future__ import annotations

from companion.core.errors import Impossible
from companion.core.game import Obstacle
from companion.core.position import Piece
from companion.core.requests import Choice, Choose
from companion.core.text import plural
from companion.games.fallujah2004.notation import BASES, on_map
from companion.games.fallujah2004.referee import FallujahReferee, blown_bridges, deployed
from companion.games.fallujah2004.state import FULL, MARKER, OFF, RECRUIT, REDUCED, is_amtrac, is_engineer, is_fob

FOB_COST = 3
"""Unit Cost Chart; in place of the OP of the operation unless the switch says otherwise (ruling C-6)."""


def is_refit_place(referee: FallujahReferee, place: str) -> bool:
    """[18.3] True if reduced units can be refitted in a place: a Base, or a space with an FOB or Amtrac."""
    return place in BASES or any(is_fob(unit) or is_amtrac(unit) for unit in referee.units_at(place))


def refit_places(referee: FallujahReferee) -> dict[str, list[Piece]]:
    """[18.3] Where reduced units could be refitted: each base, each space with an FOB or Amtrac, with those units."""
    found: dict[str, list[Piece]] = {}
    for piece in deployed(referee.position):
        if piece.face != REDUCED:
            continue
        if is_refit_place(referee, piece.place):
            found.setdefault(piece.place, []).append(piece)
    return found


def bridges(referee: FallujahReferee) -> list[str]:
    """[18.4] The blown bridges at which an engineer stands."""
    return [space for space in blown_bridges(referee.position) if any(map(is_engineer, referee.units_at(space)))]


def sites(referee: FallujahReferee) -> list[str]:
    """[18.5] Where a Forward Operations Base can be built: an engineer stands there, and none has been built yet [8.2]."""
    found = {piece.place for piece in deployed(referee.position) if is_engineer(piece) and on_map(piece.place)}
    return sorted(space for space in found if not any(map(is_fob, referee.units_at(space))))


def fob_cost(referee: FallujahReferee) -> int:
    """The OPs that building one takes, that of the operation included."""
    return FOB_COST + 1 if referee.option("fob_surcharge") == "extra" else FOB_COST


def _no_refit(referee: FallujahReferee) -> Obstacle | None:
    if refit_places(referee):
        return None
    return Obstacle("no reduced unit is in a base or beside an FOB or Amtrac", "18.3", "Move it there first: j3")


def _no_repair(referee: FallujahReferee) -> Obstacle | None:
    blown = " or ".join(map(referee.title, blown_bridges(referee.position)))
    if bridges(referee):
        return None
    return (
        Obstacle(f"no engineer is at {blown}", "18.4", "Move one there first: j3")
        if blown
        else Obstacle("no bridge is blown", "18.4")
    )


def fob_fault(referee: FallujahReferee) -> Obstacle | None:
    """[18.5] Why no Forward Operations Base can be built now; None where one can."""
    engineers = [piece for piece in deployed(referee.position) if is_engineer(piece) and on_map(piece.place)]
    if not _spare(referee):
        return Obstacle("no FOB counter is left", "11.2")
    if not engineers:
        return Obstacle("no engineer is on the map", "18.5", "Move one to the site first: j3")
    if not sites(referee):
        return Obstacle(
            f"an FOB is in the space of {referee.piece_names(engineers)} already", "8.2", "Move the engineer first: j3"
        )
    if fob_cost(referee) > referee.ops:
        return Obstacle(f"building an FOB costs {plural(fob_cost(referee), 'OP')}, and {referee.ops} are left", "18.5")
    return None


def _spare(referee: FallujahReferee) -> list[Piece]:
    return [piece for piece in referee.position.at(RECRUIT) if is_fob(piece)]


async def logistics(referee: FallujahReferee) -> None:
    """[18.0] One of refit, repair and building, as far as they can be done now."""
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
    """[18.1 - 18.3] One OP restores every qualified unit of one place (ruling C-47). KIA stays as it is."""
    places = refit_places(referee)
    choices = [Choice(where, f"{referee.title(where)}: {referee.piece_names(units)}") for where, units in places.items()]
    place = await referee.choose("at", "Where do you refit?", "18.3", choices)
    referee.begin_operation("J-4 refit", "18.2")
    rule = "18.3(a)" if place in BASES else "18.3(b)"
    for piece in places[place]:
        referee.flip(piece.id, FULL, rule, "refit")
    referee.say(f"Refit at {referee.title(place)}: {referee.piece_names(places[place])}. The KIA index stays.", rule)


async def repair(referee: FallujahReferee) -> None:
    """[18.4] An engineer in the space of the bridge; one OP in all."""
    place = await referee.choose_space("Which bridge do you repair?", "18.4", bridges(referee))
    referee.begin_operation("J-4 bridge repair", "18.4")
    marker = next(piece for piece in referee.position.of_kind(MARKER) if piece.place == place)
    referee.move(marker.id, OFF, "18.4", "bridge repaired")


async def build(referee: FallujahReferee) -> None:
    """[18.5] An engineer in the space; three OPs in all (switch fob_surcharge: three more than the operation)."""
    place = await referee.choose_space("Where do you build the FOB?", "18.5", sites(referee))
    referee.begin_operation("J-4 building an FOB", "18.5", fob_cost(referee))
    referee.move(_spare(referee)[0].id, place, "18.5", "built")

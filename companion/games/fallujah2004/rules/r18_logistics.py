"""[18.0] J-4 Logistics: refit, bridge repair, Forward Operations Bases."""

from __future__ import annotations

from companion.core.errors import Impossible
from companion.core.position import Piece
from companion.core.requests import Choice
from companion.games.fallujah2004.names import FULL, MARKER, OFF, RECRUIT, REDUCED
from companion.games.fallujah2004.pieces import is_amtrac, is_engineer, is_fob
from companion.games.fallujah2004.referee import Fallujah, blown_bridges, deployed
from companion.games.fallujah2004.rules.r08_forces import check_stacking
from companion.games.fallujah2004.words.spaces import BASES, on_map

FOB_COST = 3
"""Unit Cost Chart; in place of the OP of the operation unless the switch says otherwise (ruling C-6)."""


def refit_places(game: Fallujah) -> dict[str, list[Piece]]:
    """[18.3] Where reduced units could be refitted: each base, each space with an FOB or Amtrac, with those units."""
    found: dict[str, list[Piece]] = {}
    for piece in deployed(game.position):
        if piece.face != REDUCED:
            continue
        hosts = [unit for unit in game.units_at(piece.place) if is_fob(unit) or is_amtrac(unit)]
        if piece.place in BASES or hosts:
            found.setdefault(piece.place, []).append(piece)
    return found


async def logistics(game: Fallujah) -> None:
    """[18.0] One of refit, repair and building."""
    kinds = [Choice("refit", "refit reduced units"), Choice("bridge", "repair a blown bridge"), Choice("fob", "build an FOB")]
    kind = await game.choose("kind", "J-4: refit, bridge or fob", "18.0", kinds)
    if kind == "refit":
        await refit(game)
    elif kind == "bridge":
        await repair(game)
    else:
        await build(game)
    game.end_operation()


async def refit(game: Fallujah) -> None:
    """[18.1 - 18.3] One OP restores every qualified unit of one place (ruling C-47). KIA stays as it is."""
    places = refit_places(game)
    if not places:
        raise Impossible("no reduced unit is in a base or beside an FOB or Amtrac", rule="18.3", cure="Move it there first: j3")
    place = next(iter(places))
    if len(places) > 1:
        choices = [Choice(where, f"{game.title(where)}: {game.names(units)}") for where, units in places.items()]
        place = await game.choose("at", "Refit where", "18.3", choices)
    game.begin_operation("J-4 refit", "18.2")
    rule = "18.3(a)" if place in BASES else "18.3(b)"
    for piece in places[place]:
        game.flip(piece.id, FULL, rule, "refit")
    game.say(f"Refit at {game.title(place)}: {game.names(places[place])}. The KIA index stays.", rule)


async def repair(game: Fallujah) -> None:
    """[18.4] An engineer in the space of the bridge; one OP in all."""
    bridges = blown_bridges(game.position)
    if not bridges:
        raise Impossible("no bridge is blown", rule="18.4")
    place = await game.one_space("Repair which bridge", "18.4", bridges)
    if not any(is_engineer(piece) for piece in game.units_at(place)):
        game.forbid(f"no engineer is at {game.title(place)}", "18.4", "Move one there first: j3")
    game.begin_operation("J-4 bridge repair", "18.4")
    marker = next(piece for piece in game.position.of_kind(MARKER) if piece.place == place)
    game.move(marker.id, OFF, "18.4", "bridge repaired")


async def build(game: Fallujah) -> None:
    """[18.5] An engineer in the space; three OPs in all (switch fob_surcharge: three more than the operation)."""
    spare = [piece for piece in game.position.at(RECRUIT) if is_fob(piece)]
    if not spare:
        raise Impossible("no FOB counter is left", rule="11.2")
    sites = sorted({piece.place for piece in deployed(game.position) if is_engineer(piece) and on_map(piece.place)})
    if not sites:
        raise Impossible("no engineer is on the map", rule="18.5", cure="Move one to the site first: j3")
    place = await game.one_space("Build the FOB where", "18.5", sites)
    surcharge = game.option("fob_surcharge") == "extra"
    game.begin_operation("J-4 building an FOB", "18.5", FOB_COST + 1 if surcharge else FOB_COST)
    game.move(spare[0].id, place, "18.5", "built")
    check_stacking(game, place)

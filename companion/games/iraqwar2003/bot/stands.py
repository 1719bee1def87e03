"""Where our opponent's units go and who of them falls when a combat has been fought, for either side that it plays."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.position import Piece
from companion.games.iraqwar2003.land import KUWAIT, land_of
from companion.games.iraqwar2003.notation import printed_side, side_of, steps_left
from companion.games.iraqwar2003.referee import IraqWarReferee
from companion.games.iraqwar2003.rules.r09_zones import units_in_hexes
from companion.games.iraqwar2003.state import COALITION, IRAQ, control_flag, hex_of


def least_missed(pieces: Sequence[Piece]) -> Piece:
    """[13.4.1] The Iraqi unit that takes a loss: the one whose side loses least by it, defence first; it costs no points."""

    def missed(piece: Piece) -> tuple[int, int]:
        now = printed_side(piece)
        back = printed_side(piece._replace(face="reduced")) if steps_left(piece) > 1 else now._replace(attack=0, defence=0)
        return 2 * (now.defence - back.defence) + now.attack - back.attack, now.attack

    return min(pieces, key=missed)


def points_in(game: IraqWarReferee, number: str) -> int:
    """[15.2] The victory points of what lies in a hex; 0 where nothing that counts is known to."""
    place, chart = land_of(game.position).place(number), game.chart("places")
    return chart.number(place, "vp") if place in chart.rows else 0


def shelter(game: IraqWarReferee, pieces: Sequence[Piece], hexes: Sequence[str]) -> str:
    """[13.5(2)] Of hexes that the rule puts first alike the one to retreat to: what counts, a city, away from the enemy."""
    land, foe = land_of(game.position), COALITION if side_of(pieces[0]) == IRAQ else IRAQ
    enemies = [one.place for one in units_in_hexes(game.position, foe)]

    def good(number: str) -> tuple[int, bool, int]:
        near = sum((land.distance(number, enemy) or 9) <= 2 for enemy in enemies)
        return points_in(game, number), bool(land.is_city(number)), -near

    return max(hexes, key=good)


def pursuers(game: IraqWarReferee, able: Sequence[Piece], number: str) -> list[Piece]:
    """[13.6(1)] Who advances into an empty hex: everybody for what counts and for Kuwait, though one stays in what counts; else
    the Coalition, where that brings it nearer to what it does not hold.
    """
    if not able or not number:
        return []
    side, base = side_of(able[0]), hex_of(able)
    counts = points_in(game, number) or (side == IRAQ and land_of(game.position).in_area(number, KUWAIT))
    if not counts and not (side == COALITION and _nearer(game, base, number)):
        return []
    return list(able[1:] if points_in(game, base) and len(able) > 1 else [] if points_in(game, base) and not counts else able)


def _nearer(game: IraqWarReferee, base: str, number: str) -> bool:
    """Whether a hex is nearer than another to a place that Iraq holds."""
    land, places = land_of(game.position), game.chart("places").rows
    aims = [land.hex_of(place) for place in places if game.position.flag(control_flag(place), IRAQ) == IRAQ]
    away = [(land.distance(number, aim), land.distance(base, aim)) for aim in aims if aim and base]
    return any(there is not None and here is not None and there < here for there, here in away)

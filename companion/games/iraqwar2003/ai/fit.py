"""Plain features of a position for values that are fitted to played games; the same for both sides, from the Coalition's view."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

from companion.core.charts import Chart
from companion.core.position import Position
from companion.core.values import JsonObject
from companion.games.iraqwar2003 import notation, state
from companion.games.iraqwar2003.ai.valuation import current_attack, turns_left
from companion.games.iraqwar2003.facts import land_of
from companion.games.iraqwar2003.rules import r08_map, r15_victory


def position_features(position: Position, charts: Mapping[str, Chart], data: JsonObject) -> dict[str, float]:
    """The features by name. ``data``: the content of ``ai.toml``."""
    land, near, strong = land_of(position), data["features"]["near"], data["features"]["strong"]
    turns = turns_left(position, state.COALITION, data["outlook"])
    score, certainty = float(r15_victory.count_points(position, charts).total), 1 / sqrt(turns + data["features"]["settled"])
    western = [(piece.place, current_attack(piece)) for piece in r08_map.units_in_hexes(position, state.COALITION)]
    iraqis = [
        (piece.place, notation.printed_side(piece).attack, notation.printed_side(piece).defence)
        for piece in r08_map.units_in_hexes(position, state.IRAQ)
        if notation.is_iraqi(piece)
    ]
    reached = garrisons = unguarded = threatened = held = 0.0
    for place, number, vp in r15_victory.located_points(position, charts):
        distances = land.distances(number)
        own = sum([attack for there, attack in western if (distances[there] or 0) <= near])
        theirs = sum([attack for there, attack, _ in iraqis if (distances[there] or 0) <= near])
        if r15_victory.is_iraqi(position, place):
            defence = sum([defence for there, _, defence in iraqis if there == number])
            reached += vp * min(own / strong, 1.0)
            garrisons += vp * defence
            unguarded += vp * (not defence)
        else:
            held += vp
            threatened += vp * min(theirs / strong, 1.0) * (not any(there == number for there, _ in western))
    return {
        "score": score,
        "held": held,
        "turns": float(turns),
        "reached": reached,
        "reached_by_turns": reached * turns,
        "garrisons": garrisons,
        "unguarded": unguarded,
        "threatened": threatened,
        "attack": float(sum([attack for _, attack in western])),
        "attack_by_turns": float(sum([attack for _, attack in western]) * turns),
        "iraqi_attack": float(sum([attack for _, attack, _ in iraqis])),
        "iraqi_defence": float(sum([defence for _, _, defence in iraqis])),
        "certainty": certainty,
        "score_by_certainty": score * certainty,
        "reached_by_certainty": reached * certainty,
    }

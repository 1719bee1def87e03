"""M1A1s as the captain uses them: they fire, or go where squads will cross and where there is something to fire at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.core.match import Plan
from companion.core.position import Piece
from companion.games.phantomfury.captain.sight import Option, Sight
from companion.games.phantomfury.names import FIRED
from companion.games.phantomfury.words.counters import short
from companion.games.phantomfury.words.town import location_of, section_of, street
from companion.games.phantomfury.words.zones import MOSQUE


def tank_options(sight: Sight) -> Iterator[Option]:
    """[12.6] An M1A1 that has not Fired goes on where another street is better."""
    game = sight.game
    for tank in game.tanks():
        if game.held(tank) is None and not tank.mark(FIRED) and _better(sight, tank):
            yield Option(
                1.0, Plan("move", {"unit": short(tank)}), f"{tank.name} moves", "to cover the squads that cross [11.4.2.2]"
            )


def _better(sight: Sight, tank: Piece) -> bool:
    here = use(sight, section_of(tank.place), tank)
    return any(use(sight, name, tank) > here for name in sight.game.town.sections)


def use(sight: Sight, section: str, tank: Piece) -> float:
    """[11.4.2.2, 11.1.3] What an M1A1 does in a street: Suspects that it covers squads from, and targets not on roofs."""
    game = sight.game
    told = game.town.sections.get(section)
    if told is None or not any(zone in sight.ours for zone in told.zones):
        return 0.0
    other = game.tank_in(street(section))
    if other is not None and other.id != tank.id:
        return 0.0
    squads = sum(len(game.squads_in(zone)) for zone in told.zones if zone in sight.ours)
    free = [zone for zone in told.beside if zone not in sight.ours and not sight.held(zone)]
    foes = [one for zone in free for one in game.enemies_in(zone)]
    aims = sum(location_of(one.place) != "R" for one in foes)
    return aims + len(foes) * min(squads, 1) + 0.1 * squads + 0.5 * (MOSQUE in free)


def tank_goal(sight: Sight, tank: Piece, typed: Sequence[str]) -> str | None:
    """Of the places that an M1A1 can end in, as they are typed, the best; None where none is better than where it is."""
    here = use(sight, section_of(tank.place), tank)
    found = {one: use(sight, one, tank) for one in typed if one in sight.game.town.sections}
    better = max(found, key=lambda one: found[one], default="")
    return better if better and found[better] > here else None

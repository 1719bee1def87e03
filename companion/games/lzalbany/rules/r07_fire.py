"""[7.3, 7.4] A Fire activation: ranged infantry fire and mortars, area by area; melee where an area is disputed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from companion.core.position import Piece
from companion.core.requests import Choice, Choose
from companion.games.lzalbany.names import OFFICER, UNIT, US
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules import r02_map as ground
from companion.games.lzalbany.rules.r06_movement import melees
from companion.games.lzalbany.rules.r07_infantry import Fire, in_vain, infantry_fire, ranged_targets
from companion.games.lzalbany.rules.r07_melee import melee
from companion.games.lzalbany.rules.r07_mortars import mortar_choices, mortar_fire, mortar_targets
from companion.games.lzalbany.words.areas import TRANSITION, title
from companion.games.lzalbany.words.counters import MORTAR, enemy, healthy, is_infantry, may_fire, strength, type_of

DONE = "done"
MELEE = "melee"


class Guns:
    """[5.2A] What an activated group can still do in a Fire activation.

    Attributes:
        infantry, mortars: units that have not fired, by area.
        close: disputed areas whose melee has not been fought.
    """

    def __init__(self, game: LzAlbany, group: str, spent: set[str], fought: set[str]) -> None:
        self.infantry: dict[str, list[Piece]] = {}
        self.mortars: dict[str, list[Piece]] = {}
        units = [p for p in game.group(group) if p.kind == UNIT]
        for piece in units:
            if piece.id in spent or not may_fire(piece) or strength(piece, "fire") == 0:
                continue
            if game.disputed(piece.place) or piece.place == TRANSITION:
                continue
            if is_infantry(piece):
                self.infantry.setdefault(piece.place, []).append(piece)
            elif type_of(piece) == MORTAR:
                self.mortars.setdefault(piece.place, []).append(piece)
        self.close = sorted({p.place for p in units if game.disputed(p.place)} - fought)

    def choices(self, game: LzAlbany, side: str, used: Mapping[str, int]) -> list[Choice]:
        """What can be chosen next. ``used``: units of each area that have fired."""
        found = [
            Choice(area, title(area) if title(area) != area else area, partial(_firing, game, units))
            for area, units in sorted(self.infantry.items())
            if any(
                not in_vain(game, Fire(side, area, (place,), units, officers(game, units, area), used.get(area, 0)))
                for place in ranged_targets(game, side, area)
            )
        ]
        found += [
            Choice(f"{MORTAR} {area}", f"{MORTAR} {title(area)}", partial(game.names, units))
            for area, units in sorted(self.mortars.items())
            if mortar_choices(game, side, area, units, used.get(area, 0))
        ]
        found += [Choice(f"{MELEE} {area}", f"{MELEE} {title(area)}", partial(game.here, area, side)) for area in self.close]
        return found

    def blind(self, game: LzAlbany, side: str) -> tuple[str, str] | None:
        """[7.8, 7.4, 7.4(1), 7.4(2)] Why mortars that are left do not fire."""
        if not self.mortars:
            return None
        where = ", ".join(map(title, sorted(self.mortars)))
        if any(mortar_targets(game, side, area) for area in self.mortars):
            return f"no die is left for the mortars in {where}", "7.4(2)"
        if any(game.units(area, enemy(side)) and ground.in_sight(game, side, area) for area in game.held(enemy(side))):
            close = ", or in a melee" if side == US else ""
            return f"whom {side} officers see is out of range of the mortars in {where}{close}", "7.4"
        return f"no {side} officer sees a target for the mortars in {where}", "7.8"


def officers(game: LzAlbany, units: Sequence[Piece], area: str) -> list[Piece]:
    """Unwounded officers of the units' group with them."""
    group = str(units[0].values.get("group"))
    return [p for p in game.group(group) if p.kind == OFFICER and healthy(p) and p.place == area]


def _firing(game: LzAlbany, units: list[Piece]) -> str:
    return f"fire: {game.names(units)}"


async def fire_action(game: LzAlbany, side: str, group: str) -> None:
    """[7.3, 7.4, 7.2] One Fire activation; in disputed areas melee takes its place, and none is left out (ruling D-4)."""
    spent: set[str] = set()
    fought: set[str] = set()
    used: dict[str, int] = {}
    while True:
        guns = Guns(game, group, spent, fought)
        choices = guns.choices(game, side, used)
        if not choices or (len(choices) == 1 and guns.close):
            text, rule = guns.blind(game, side) or ("nothing else can be fired", "7.3(1)")
            game.skip("combat", text, rule, as_good=(DONE, *(one.value for one in choices)))
            break
        asked = f"{side}: {game.group_title(group)} fires, from where"
        request = Choose("combat", asked, "7.3(1)", [*choices, Choice(DONE, "done")], choices[0].value)
        values = [choice.value for choice in choices]
        chosen = await game.decide(request, side, "combat", side, group, values, auto=True)
        kind, _, area = chosen.rpartition(" ")
        if chosen == DONE:
            break
        if kind == MELEE:
            fought.add(area)
            spent |= {piece.id for piece in game.group(group) if piece.place == area}
            await melee(game, side, area, game.group(group))
            continue
        units = guns.mortars[area] if kind == MORTAR else guns.infantry[area]
        if kind == MORTAR:
            used[area] = used.get(area, 0) + await mortar_fire(game, side, area, units, used.get(area, 0))
        else:
            fired = await infantry_fire(game, side, area, units, officers(game, units, area), used.get(area, 0))
            used[area] = used.get(area, 0) + fired
        spent |= {piece.id for piece in units}
    if not spent and not fought:
        game.say(f"{game.group_title(group)} does not fire.", "5.2A")
    await melees(game, side, game.group(group), sorted(fought))

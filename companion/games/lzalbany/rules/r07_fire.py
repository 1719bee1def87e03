"""[7.3, 7.4] A Fire activation: ranged infantry fire and mortars, area by area; melee where an area is disputed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from companion.core.position import Piece, Position
from companion.core.requests import Choice, Choose, Odds
from companion.games.lzalbany.names import COMPANION, OFFICER, UNIT, US
from companion.games.lzalbany.odds.ends import chosen_odds
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules import r02_map as ground
from companion.games.lzalbany.rules.r06_movement import melees
from companion.games.lzalbany.rules.r07_infantry import Fire, fire_odds, in_vain, infantry_fire, ranged_targets
from companion.games.lzalbany.rules.r07_melee import melee
from companion.games.lzalbany.rules.r07_mortars import mortar_choices, mortar_fire, mortar_odds, mortar_targets
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
        self._found: tuple[tuple[Position, str, dict[str, int]], tuple[list[Fire], list[Fire]]] | None = None
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

    def fires(self, game: LzAlbany, side: str, used: Mapping[str, int]) -> list[Fire]:
        """What infantry can do next, at one area each. ``used``: units of each area that have fired."""
        return self._once(game, side, used)[0]

    def barrages(self, game: LzAlbany, side: str, used: Mapping[str, int]) -> list[Fire]:
        """What mortars can do next."""
        return self._once(game, side, used)[1]

    def _once(self, game: LzAlbany, side: str, used: Mapping[str, int]) -> tuple[list[Fire], list[Fire]]:
        """Both, worked out once for as long as nothing happens."""
        now = (game.position, side, dict(used))
        if self._found is None or self._found[0][0] is not game.position or self._found[0][1:] != now[1:]:
            self._found = now, (self._fires(game, side, used), self._barrages(game, side, used))
        return self._found[1]

    def _fires(self, game: LzAlbany, side: str, used: Mapping[str, int]) -> list[Fire]:
        found = [
            Fire(side, area, (place,), units, officers(game, units, area), used.get(area, 0))
            for area, units in sorted(self.infantry.items())
            for place in ranged_targets(game, side, area)
        ]
        return [fire for fire in found if not in_vain(game, fire)]

    def _barrages(self, game: LzAlbany, side: str, used: Mapping[str, int]) -> list[Fire]:
        return [
            Fire(side, area, (place,), units, (), used.get(area, 0))
            for area, units in sorted(self.mortars.items())
            for place in mortar_choices(game, side, area, units, used.get(area, 0))
        ]

    def choices(self, game: LzAlbany, side: str, used: Mapping[str, int]) -> list[Choice]:
        """From where anybody can do something next, and in which melee."""
        found = [Choice(fire.area, title(fire.area), partial(_firing, game, fire.units)) for fire in self.fires(game, side, used)]
        found += [
            Choice(f"{MORTAR} {fire.area}", f"{MORTAR} {title(fire.area)}", partial(game.piece_names, fire.units))
            for fire in self.barrages(game, side, used)
        ]
        return list({choice.value: choice for choice in [*found, *self._melees(game, side)]}.values())

    def _melees(self, game: LzAlbany, side: str) -> list[Choice]:
        return [Choice(f"{MELEE} {area}", f"{MELEE} {title(area)}", partial(game.here, area, side)) for area in self.close]

    def shots(self, game: LzAlbany, side: str, used: Mapping[str, int]) -> list[Choice]:
        """From where at what anybody can fire next, and in which melee."""
        found = [_shot(game, fire, "") for fire in self.fires(game, side, used)]
        found += [_shot(game, fire, f"{MORTAR} ") for fire in self.barrages(game, side, used)]
        return [*found, *self._melees(game, side)]

    def odds(self, game: LzAlbany, side: str, used: Mapping[str, int]) -> Odds:
        """The chances of each of these fires."""
        parts = {_value(fire): fire_odds(game, fire, _way(fire)) for fire in self.fires(game, side, used)}
        for fire in self.barrages(game, side, used):
            odds = mortar_odds(game, side, fire.area, fire.units, fire.targets[0], fire.used)
            parts[_value(fire, f"{MORTAR} ")] = odds._replace(title=f"{MORTAR} {_way(fire)}")
        return chosen_odds("Fire", "7.3", parts)

    def blind(self, game: LzAlbany, side: str) -> tuple[str, str] | None:
        """[7.8, 7.4, 7.4(1), 7.4(2)] Why mortars that are left do not fire."""
        if not self.mortars:
            return None
        where = ", ".join(map(title, sorted(self.mortars)))
        if any(mortar_targets(game, side, area) for area in self.mortars):
            return f"no die is left for the mortars in {where}", "7.4(2)"
        if any(game.units(area, enemy(side)) and ground.in_sight(game, side, area) for area in game.held(enemy(side))):
            close = ", or in a melee" if side == US else ""
            return f"all that {side} officers see is out of range of the mortars in {where}{close}", "7.4"
        return f"no {side} officer sees a target for the mortars in {where}", "7.8"


def officers(game: LzAlbany, units: Sequence[Piece], area: str) -> list[Piece]:
    """Unwounded officers of the units' group with them."""
    group = str(units[0].values.get("group"))
    return [p for p in game.group(group) if p.kind == OFFICER and healthy(p) and p.place == area]


def _firing(game: LzAlbany, units: Sequence[Piece]) -> str:
    return game.piece_names(units)


def _way(fire: Fire) -> str:
    return f"{title(fire.area)} > {title(fire.targets[0])}"


def _shot(game: LzAlbany, fire: Fire, what: str) -> Choice:
    """A fire at one area, to be chosen: ``c2 > d2``."""
    return Choice(_value(fire, what), f"{what}{_way(fire)}", partial(_at, game, fire))


def _value(fire: Fire, what: str = "") -> str:
    return f"{what}{fire.area} > {fire.targets[0]}"


def _at(game: LzAlbany, fire: Fire) -> str:
    return f"{game.piece_names(fire.units)} at {game.here(fire.targets[0], enemy(fire.side))}"


async def _next_combat(
    game: LzAlbany, side: str, group: str, guns: Guns, choices: Sequence[Choice], used: Mapping[str, int]
) -> str:
    """[7.3(1)] From where at what; an area that a player names alone is asked for its targets, of which it may have several."""
    done = Choice(DONE, "done")
    asked = f"{side}: {game.group_title(group)} fires. From where"
    if game.played(side):
        request = Choose("combat", f"{asked}?", "7.3(1)", [*choices, done], choices[0].value)
        request.is_repeatable = True
        return await game.decide(request, side, "combat", group, [choice.value for choice in choices], auto=True)
    shots = guns.shots(game, side, used)
    alone = [choice for choice in choices if choice not in shots]
    request = Choose("combat", f"{asked} at what?", "7.3(1)", [*shots, done], shots[0].value, alone, "fire")
    request.odds = lambda: guns.odds(game, side, used)
    request.has_quick_odds = request.is_repeatable = True

    def aimed(value: str) -> str:
        advice = game.book.advise(COMPANION, "aim", game, side, group, value)
        shot = f"{value} > {advice.choice}" if advice else value
        return shot if shot in {choice.value for choice in shots} else value

    return await game.decide(request, side, "combat", group, [one.value for one in choices], auto=True, value=aimed)


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
            game.skip_question("combat", text, rule, as_good=(DONE, *(one.value for one in choices)))
            break
        chosen = await _next_combat(game, side, group, guns, choices, used)
        where, _, target = chosen.partition(" > ")
        kind, _, area = where.rpartition(" ")
        if chosen == DONE:
            break
        if kind == MELEE:
            fought.add(area)
            spent |= {piece.id for piece in game.group(group) if piece.place == area}
            await melee(game, side, area, game.group(group))
            continue
        units = guns.mortars[area] if kind == MORTAR else guns.infantry[area]
        if kind == MORTAR:
            used[area] = used.get(area, 0) + await mortar_fire(game, side, area, units, used.get(area, 0), target)
        else:
            fired = await infantry_fire(game, side, area, units, officers(game, units, area), used.get(area, 0), target)
            used[area] = used.get(area, 0) + fired
        spent |= {piece.id for piece in units}
    if not spent and not fought:
        game.say(f"{game.group_title(group)} does not fire.", "5.2A")
    await melees(game, side, game.group(group), sorted(fought))

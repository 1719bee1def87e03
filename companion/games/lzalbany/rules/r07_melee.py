"""[7.2] Melee, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from companion.core.position import Piece
from companion.core.requests import Odds, Text
from companion.core.text import plural
from companion.games.lzalbany import state
from companion.games.lzalbany.areas import COLUMBUS, title
from companion.games.lzalbany.notation import NONE, volley_text
from companion.games.lzalbany.odds.outcomes import PLACED, enumerate_outcomes
from companion.games.lzalbany.rules.r02_map import (
    announce_new_area,
    cannot_leave,
    check_exit,
    infer_adjacency,
    neighbours,
    orders_for,
)
from companion.games.lzalbany.rules.r04_victory import columbus_points
from companion.games.lzalbany.rules.r07_dice import Force, Pool, melee_pool
from companion.games.lzalbany.rules.r08_hits import ANYBODY, check_carried, room, take_hits
from companion.games.lzalbany.rules.r10_officers import joining
from companion.games.lzalbany.state import enemy, holds_area, is_artillery, is_senior, is_unwounded, strength

if TYPE_CHECKING:
    from companion.games.lzalbany.referee import AlbanyReferee


def answers_in_melee(area: str, defenders: Sequence[Piece]) -> bool:
    """[7.2B] False for artillery alone in LZ Columbus."""
    return not (area == COLUMBUS and all(map(is_artillery, defenders)))


def _attack(units: Sequence[Piece], officers: int, stack: int) -> Force:
    """[7.2(1)] The activated units of the attacker."""
    return Force(tuple(strength(piece, "melee") for piece in units), officers, stack)


def _defence(referee: AlbanyReferee, side: str, area: str) -> Force:
    """[7.2(2), 7.2B] All defenders."""
    units = referee.units(area, side)
    if not answers_in_melee(area, units):
        return Force((), 0, len(units))
    return Force(tuple(strength(piece, "melee") for piece in units), len(referee.officers(area, side)), len(units))


def melee_pools(referee: AlbanyReferee, side: str, area: str, units: Sequence[Piece], officers: int) -> tuple[Pool, Pool]:
    """[7.2(1), 7.2(2)] The dice of both sides if these units of a side attack in an area, from there or from elsewhere."""
    foe, dark = enemy(side), referee.is_dark(area)
    stack = len({piece.id for piece in (*referee.units(area, side), *units)})
    attack = melee_pool(referee.dice_rules, _attack(units, officers, stack), referee.unit_count(area, foe), dark)
    return attack, melee_pool(referee.dice_rules, _defence(referee, foe, area), stack, dark)


async def melees(referee: AlbanyReferee, side: str, activated: Sequence[Piece], fought: Sequence[str] = ()) -> None:
    """[7.2] A melee in every disputed area with activated platoons, except where it was fought already."""
    for area in sorted({p.place for p in activated if p.kind == state.UNIT}):
        if area not in fought and referee.is_disputed(area):
            await melee(referee, side, area, activated)


async def melee(referee: AlbanyReferee, side: str, area: str, activated: Sequence[Piece]) -> None:
    """[7.2] A melee in a disputed area, begun by a side.

    Args:
        referee: The referee.
        side: The attacker.
        area: The disputed area.
        activated: The units and officers that act; those not in the area do not count.
    """
    if await clash(referee, side, area, activated) is not NO_MELEE:
        await _retreats(referee, side, area)


class Round(NamedTuple):
    """A round of melee: the dice of attacker and defender, and the hits that each scored."""

    dice: int = 0
    against: int = 0
    hits: int = 0
    losses: int = 0


NO_MELEE = Round()


async def clash(referee: AlbanyReferee, side: str, area: str, activated: Sequence[Piece]) -> Round:
    """[7.2(1), 7.2(2), 7.2(3), 7.2(3b)] Both sides roll at once and place hits; NO_MELEE if no enemy is spotted [11.1D]."""
    present = {piece.id for piece in referee.pieces(area, side)}
    units = [referee.piece(p.id) for p in activated if p.id in present and p.kind == state.UNIT]
    if not await _spotted(referee, side, area):
        return NO_MELEE
    if side == state.NVA and area == COLUMBUS and columbus_points(referee):
        referee.award("columbus", "the NVA begins a melee in LZ Columbus")
    helpers = [
        p
        for p in activated
        if p.id in present and p.kind == state.OFFICER and is_unwounded(referee.piece(p.id)) and not is_senior(p)
    ]
    able = min(len(units), referee.dice_rules.may_fire(referee.unit_count(area, side)))
    helpers += await joining(referee, side, area, able - len(helpers))
    attack, defence = melee_pools(referee, side, area, units, len(helpers))
    foe = enemy(side)
    attack_dice, defence_dice = (plural(force.dice, "die", "dice") for force in (attack, defence))
    referee.say(
        f"Melee in {title(area)}: {side} {attack_dice}, {foe} {defence_dice}.",
        "7.2",
        *(f"{side}: {line}" for line in attack.because),
        *(f"{foe}: {line}" for line in defence.because),
    )
    attackers, defenders = referee.pieces(area, side), referee.pieces(area, foe)
    attack_hits = await _strike(referee, "melee", "7.2(1)", side, attack.dice, defenders)
    defence_hits = await _strike(referee, "defence", "7.2(2)", foe, defence.dice, attackers)
    hits = await _place(referee, side, defenders, attack_hits)
    losses = await _place(referee, foe, attackers, defence_hits)
    return Round(attack.dice, defence.dice, hits, losses)


async def _spotted(referee: AlbanyReferee, side: str, area: str) -> bool:
    """[11.1D] At night a US attack must spot the NVA first."""
    if side != state.US or not referee.is_dark(area):
        return True
    faces = await referee.volley("spotting", "Spotting: the NVA is found on 1-3", "11.1D", 1, 1, "spotting")
    if referee.count(faces, "spotting"):
        referee.say(f"Spotting: {faces[0]}, found on 1-3. The US finds the NVA.", "11.1D")
        return True
    referee.say(f"Spotting: {faces[0]}, found on 1-3. The US finds nobody: no melee.", "11.1D")
    referee.instruct(f"Put the Melee marker in {title(area)}.", "11.1D")
    return False


async def _strike(referee: AlbanyReferee, key: str, rule: str, side: str, dice: int, targets: Sequence[Piece]) -> int:
    faces = await referee.volley(key, f"The {side} in the melee: hits on 6", rule, dice, room(targets))
    hits = referee.count(faces)
    if dice:
        referee.say(volley_text(f"The {side}", faces, hits), "7.2(3)")
    return hits


async def _place(referee: AlbanyReferee, shooter: str, targets: Sequence[Piece], hits: int) -> int:
    """[7.2(3b)] The shooter places the first hit, officers included; the owner places the rest."""
    return await take_hits(referee, shooter, targets, hits, "7.2(3b)", "melee", ANYBODY) if hits else 0


# -- retreats ----------------------------------------------------------------------------------------------------------


async def _retreats(referee: AlbanyReferee, side: str, area: str) -> None:
    """[7.2(4), 7.2(5), 7.2(6)] The defender may retreat, then the attacker; otherwise the area stays disputed."""
    for who, rule in ((enemy(side), "7.2(4)"), (side, "7.2(5)")):
        await retreat(referee, who, area, rule)
    if referee.is_disputed(area):
        referee.say(f"{title(area)} stays disputed: the melee goes on when units there are next activated.", "7.2(6)")
    else:
        referee.say(f"The melee in {title(area)} is over.", "7.2")


async def retreat(referee: AlbanyReferee, side: str, area: str, rule: str) -> None:
    """[7.2(4), 7.2(5)] Survivors, hit or not, may go to adjacent areas without enemies (rulings C-33, C-66)."""
    movable = [piece for piece in referee.pieces(area, side) if not is_artillery(piece)]
    if not any(map(holds_area, movable)):
        text = f"the {side} has nobody in {title(area)} who could leave"
        referee.skip_question("retreat", text, rule, "They stay", as_good=(NONE,))
        return
    refuges = _refuges(referee, side, area)
    if refuges is not None and not refuges:
        in_columbus = area == COLUMBUS
        text = f"the {side} in {title(area)} can go nowhere"
        text = "US units do not leave LZ Columbus while NVA are there" if in_columbus else text
        referee.skip_question("retreat", text, "6.5" if in_columbus else rule, "They stay", as_good=(NONE,))
        referee.say(f"{text}.", "6.5" if in_columbus else rule)
        return
    reader = orders_for(referee, movable)
    request = Text(
        "retreat",
        lambda: f"{side}: who retreats from {title(area)}, and where? ({referee.piece_names(movable)})",
        rule,
        reader.notation,
        suggest=partial(suggested_retreat, referee, side, area),
    )
    head = f"The next melee in {title(area)}, begun by the {side}"
    request.odds = lambda: melee_odds(referee, side, area, movable, head)
    if referee.is_computer(side):
        await neighbours(referee, area, rule)
    text = await referee.decide(request, side, "retreat", lambda planner: planner.retreat(area), auto=True)
    orders = reader.read(text)
    goals = dict.fromkeys(order.to for order in orders)
    for to in goals:
        _check_refuge(referee, side, area, to, rule)
        if area == COLUMBUS:
            await check_exit(referee, side, to)
    check_carried(referee, orders)
    await infer_adjacency(referee, [(area, order.to) for order in orders], rule)
    for to in goals:
        announce_new_area(referee, to)
    for order in orders:
        referee.move(order.piece.id, order.to, rule, "retreat")


def suggested_retreat(referee: AlbanyReferee, side: str, area: str) -> str:
    """The retreat that is suggested to a player: stay unless outnumbered more than two to one in dice, else the safest refuge."""
    units = referee.units(area, side)
    attack, defence = melee_pools(referee, side, area, units, len(referee.officers(area, side)))
    foe, area_map = enemy(side), referee.map
    refuges = [] if area == COLUMBUS else [p for p in area_map.neighbours(area) if not referee.unit_count(p, foe)]
    if not refuges or (units and 2 * attack.dice >= defence.dice):
        return NONE

    def danger(place: str) -> tuple[bool, int, int]:
        crowded = len(units) > max(0, referee.data.stacking.limit - referee.unit_count(place, side))
        threats = sum(bool(referee.units(other, foe)) for other in area_map.neighbours(place))
        return crowded, threats, -referee.unit_count(place, side)

    leaving = [p for p in referee.pieces(area, side) if (units or holds_area(p)) and not is_artillery(p)]
    return f"{' '.join(p.name for p in leaving)} > {min(refuges, key=danger)}"


def _refuges(referee: AlbanyReferee, side: str, area: str) -> list[str] | None:
    """[7.2(4), 6.5] The areas to which a side can retreat; None if unknown."""
    if area == COLUMBUS:
        return [] if cannot_leave(referee, side, area) else None
    around = referee.map.listed_neighbours(area)
    return None if around is None else [place for place in around if not referee.unit_count(place, enemy(side))]


def _check_refuge(referee: AlbanyReferee, side: str, area: str, to: str, rule: str) -> None:
    if referee.unit_count(to, enemy(side)):
        referee.forbid(f"enemies are in {title(to)}", rule, "Retreat to an adjacent area without any")
    if area != COLUMBUS and referee.map.adjacent(area, to) is False:
        referee.forbid(f"{title(to)} is not next to {title(area)}", rule, "Retreat to an adjacent area")


# -- odds --------------------------------------------------------------------------------------------------------------


def melee_odds(referee: AlbanyReferee, side: str, area: str, attackers: Sequence[Piece], head: str) -> Odds:
    """The odds of one round of melee begun by these counters of a side, wherever they are now."""
    table = referee.limited_to({area, *(piece.place for piece in attackers)})
    for piece in attackers:
        table.move(piece.id, area, "7.2")
    outcomes = enumerate_outcomes(table, lambda copy, _: clash(copy, side, area, attackers))
    attack_dice, defence_dice = (plural(outcomes.most(field), "die", "dice") for field in ("dice", "against"))
    foe = enemy(side)
    sections = (
        (f"Hits of the attacker ({attack_dice})", outcomes.numbers("hits")),
        (f"Hits of the defender ({defence_dice})", outcomes.numbers("losses")),
        ("Defender", (*outcomes.fates(table.pieces(area, foe)), ("no defending platoon left", outcomes.cleared(foe)))),
        ("Attacker", outcomes.fates(table.pieces(area, side))),
    )
    means = (("hits on the defender", outcomes.mean("hits")), ("hits on the attacker", outcomes.mean("losses")))
    return Odds(head, "7.2", sections, means, (f"{PLACED} Before any retreat.",))

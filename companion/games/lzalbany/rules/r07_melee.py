"""[7.2] Melee, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from companion.core.position import Piece
from companion.core.requests import Confirm, Odds, Text
from companion.core.text import plural
from companion.games.lzalbany.names import ACTS, NVA, OFFICER, UNIT, US, points_flag
from companion.games.lzalbany.odds.ends import PLACED, play_out
from companion.games.lzalbany.odds.paper import on_paper
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules import r02_map as ground
from companion.games.lzalbany.rules.r06_stacking import Force, Pool, melee_pool
from companion.games.lzalbany.rules.r06_ways import check_carried, check_exit, shut_in
from companion.games.lzalbany.rules.r08_hits import ANYBODY
from companion.games.lzalbany.rules.r08_placing import room, take_hits
from companion.games.lzalbany.words.areas import COLUMBUS, title
from companion.games.lzalbany.words.counters import acts, enemy, fights, healthy, is_artillery, is_senior, side_of, strength
from companion.games.lzalbany.words.decisions import volley_text
from companion.games.lzalbany.words.orders import NONE

SENIOR_ACTS = 2


def can_join(game: LzAlbany, officer: Piece) -> bool:
    """[5.2D, 10.1] Whether a senior officer can act with units: twice a turn (ruling C-6), and with all that one chit lets do."""
    return is_senior(officer) and (
        officer.id in game.acting or acts(officer) < SENIOR_ACTS or game.option("seniors") == "any_number"
    )


def activate(game: LzAlbany, officer: Piece, rule: str) -> None:
    """[5.2D, 10.1] An officer acts by himself; what else he does with the same chit belongs to it."""
    if officer.id not in game.acting:
        game.mark(officer.id, ACTS, acts(officer) + 1, rule, "activated")
        game.acting.add(officer.id)


async def joining(game: LzAlbany, side: str, area: str, alone: int) -> list[Piece]:
    """[5.2D, 10.1] Senior officers who act with the units in their area; who acts already with this chit is not asked. Only while
    a unit is without an officer, since one alone counts for each [10.3].

    Args:
        alone: the units that act without an officer of their own.
    """
    able = sorted((p for p in game.officers(area, side) if can_join(game, p)), key=lambda p: p.id not in game.acting)
    found: list[Piece] = []
    for officer in able:
        if len(found) < alone and (officer.id in game.acting or game.played(side) or await _asked(game, officer)):
            activate(game, officer, "5.2D")
            found.append(officer)
    return found


async def _asked(game: LzAlbany, officer: Piece) -> bool:
    often = f"{acts(officer) + 1}" if game.option("seniors") == "any_number" else f"{acts(officer) + 1} of {SENIOR_ACTS}"
    request = Confirm("senior", f"Does {officer.name} act with them? ({often} this turn)", "5.2D", True)
    return await game.put(side_of(officer), request)


def _attack(units: Sequence[Piece], officers: int, stack: int) -> Force:
    """[7.2(1)] The activated units of an attacker."""
    return Force(tuple(strength(piece, "melee") for piece in units), officers, stack)


def _defence(game: LzAlbany, side: str, area: str) -> Force:
    """[7.2(2), 7.2B] All defenders; artillery alone in LZ Columbus does not answer."""
    units = game.units(area, side)
    if area == COLUMBUS and all(map(is_artillery, units)):
        return Force((), 0, len(units))
    return Force(tuple(strength(piece, "melee") for piece in units), len(game.officers(area, side)), len(units))


def pools(game: LzAlbany, side: str, area: str, units: Sequence[Piece], officers: int) -> tuple[Pool, Pool]:
    """The dice of both sides when these units of a side attack in an area, where they are or to which they are coming."""
    theirs, dark = enemy(side), game.dark(area)
    stack = len({piece.id for piece in (*game.units(area, side), *units)})
    attack = melee_pool(game.rules, _attack(units, officers, stack), game.stack(area, theirs), dark)
    return attack, melee_pool(game.rules, _defence(game, theirs, area), stack, dark)


async def melee(game: LzAlbany, side: str, area: str, activated: Sequence[Piece]) -> None:
    """[7.2] One melee in a disputed area, begun by the activated units of a side.

    Args:
        activated: units and officers that act; those who are not in the area any more do not count.
    """
    if await clash(game, side, area, activated) is not NO_MELEE:
        await _retreats(game, side, area)


class Round(NamedTuple):
    """What a round of melee was: the dice of attacker and defender, and the hits of each that found a target."""

    dice: int = 0
    against: int = 0
    hits: int = 0
    losses: int = 0


NO_MELEE = Round()


async def clash(game: LzAlbany, side: str, area: str, activated: Sequence[Piece]) -> Round:
    """[7.2(1), 7.2(2), 7.2(3), 7.2(3b)] Both sides roll at once and place hits; NO_MELEE where no enemy is found [11.1D]."""
    here = {piece.id for piece in game.pieces(area, side)}
    units = [game.piece(piece.id) for piece in activated if piece.id in here and piece.kind == UNIT]
    if not await _found(game, side, area):
        return NO_MELEE
    _columbus_points(game, side, area)
    helpers = [p for p in activated if p.id in here and p.kind == OFFICER and healthy(game.piece(p.id)) and not is_senior(p)]
    able = min(len(units), game.rules.may_fire(game.stack(area, side)))
    helpers += await joining(game, side, area, able - len(helpers))
    attack, defence = pools(game, side, area, units, len(helpers))
    theirs = enemy(side)
    game.say(
        f"Melee in {title(area)}: {side} {plural(attack.dice, 'die', 'dice')}, {theirs} {plural(defence.dice, 'die', 'dice')}.",
        "7.2",
        *(f"{side}: {line}" for line in attack.because),
        *(f"{theirs}: {line}" for line in defence.because),
    )
    ours, others = game.pieces(area, side), game.pieces(area, theirs)
    first = await _strike(game, "melee", "7.2(1)", side, attack.dice, others)
    second = await _strike(game, "defence", "7.2(2)", theirs, defence.dice, ours)
    hits, losses = await _hits(game, side, others, first), await _hits(game, theirs, ours, second)
    return Round(attack.dice, defence.dice, hits, losses)


async def _found(game: LzAlbany, side: str, area: str) -> bool:
    """[11.1D] At night a US attack must spot the NVA first."""
    if side != US or not game.dark(area):
        return True
    faces = await game.volley("spotting", "Spotting: the NVA is found on 1-3", "11.1D", 1, 1, "spotting")
    if game.count(faces, "spotting"):
        game.say(f"Spotting: {faces[0]}, found on 1-3. The US finds the NVA.", "11.1D")
        return True
    game.say(f"Spotting: {faces[0]}, found on 1-3. The US finds nobody: no melee.", "11.1D")
    game.instruct(f"Put the Melee marker in {title(area)}.", "11.1D")
    return False


def _columbus_points(game: LzAlbany, side: str, area: str) -> None:
    """[4.1B] The first melee that the NVA begins in LZ Columbus scores (ruling C-20)."""
    if side == NVA and area == COLUMBUS and not game.position.flag(points_flag("columbus")):
        game.award("columbus", "the NVA begins a melee in LZ Columbus")


async def _strike(game: LzAlbany, key: str, rule: str, side: str, dice: int, targets: Sequence[Piece]) -> int:
    faces = await game.volley(key, f"The {side} in the melee: hits on 6", rule, dice, room(targets))
    hits = game.count(faces)
    if dice:
        game.say(volley_text(f"The {side}", faces, hits), "7.2(3)")
    return hits


async def _hits(game: LzAlbany, shooter: str, targets: Sequence[Piece], hits: int) -> int:
    """[7.2(3b)] The shooter places the first hit, officers included; the owner places the rest."""

    return await take_hits(game, shooter, targets, hits, "7.2(3b)", "melee", ANYBODY) if hits else 0


async def _retreats(game: LzAlbany, side: str, area: str) -> None:
    """[7.2(4), 7.2(5), 7.2(6)] First the defender may leave, then the attacker; otherwise the area stays disputed."""
    for who, rule in ((enemy(side), "7.2(4)"), (side, "7.2(5)")):
        await retreat(game, who, area, rule)
    if game.disputed(area):
        game.say(f"{title(area)} stays disputed: the melee goes on when units there are next activated.", "7.2(6)")
    else:
        game.say(f"The melee in {title(area)} is over.", "7.2")


async def retreat(game: LzAlbany, side: str, area: str, rule: str) -> None:
    """[7.2(4), 7.2(5)] Survivors of a side, hit or not, may go to adjacent areas without enemies (rulings C-33, C-66)."""
    movable = [piece for piece in game.pieces(area, side) if not is_artillery(piece)]
    if not any(map(fights, movable)):
        game.skip_question(
            "retreat", f"the {side} has nobody in {title(area)} who could leave", rule, "They stay", as_good=(NONE,)
        )
        return
    if (refuges := _refuges(game, side, area)) is not None and not refuges:
        shut = area == COLUMBUS
        text = "US units do not leave LZ Columbus while NVA are there" if shut else f"the {side} in {title(area)} can go nowhere"
        game.skip_question("retreat", text, "6.5" if shut else rule, "They stay", as_good=(NONE,))
        game.say(f"{text}.", "6.5" if shut else rule)
        return
    given = ground.orders_to(game, movable)
    request = Text(
        "retreat",
        lambda: f"{side}: who retreats from {title(area)}, and where? ({game.piece_names(movable)})",
        rule,
        given.notation,
        suggest=partial(suggested_retreat, game, side, area),
    )
    request.odds = lambda: melee_odds(game, side, area, movable, f"The next melee in {title(area)}, begun by the {side}")
    if game.played(side):
        await ground.neighbours(game, area, rule)
    text = await game.decide(request, side, "retreat", area, auto=True)
    orders = given.read(text)
    for to in dict.fromkeys(order.to for order in orders):
        _check_refuge(game, side, area, to, rule)
        if area == COLUMBUS:
            await check_exit(game, side, to)
    check_carried(game, orders)
    await ground.learn_beside(game, [(area, order.to) for order in orders], rule)
    for to in dict.fromkeys(order.to for order in orders):
        ground.say_new(game, to)
    for order in orders:
        game.move(order.piece.id, order.to, rule, "retreat")


def suggested_retreat(game: LzAlbany, side: str, area: str) -> str:
    """The retreat that is suggested to a player: stay unless outnumbered more than two to one in dice, else the safest refuge."""
    units = game.units(area, side)
    attack, defence = pools(game, side, area, units, len(game.officers(area, side)))
    refuges = [] if area == COLUMBUS else [place for place in game.map.beside(area) if not game.stack(place, enemy(side))]
    if not refuges or (units and 2 * attack.dice >= defence.dice):
        return NONE

    def danger(place: str) -> tuple[bool, int, int]:
        crowded = len(units) > max(0, game.book.stacking.limit - game.stack(place, side))
        threats = sum(bool(game.units(beside, enemy(side))) for beside in game.map.beside(place))
        return crowded, threats, -game.stack(place, side)

    leaving = [p for p in game.pieces(area, side) if (units or fights(p)) and not is_artillery(p)]
    return f"{' '.join(p.name for p in leaving)} > {min(refuges, key=danger)}"


def _refuges(game: LzAlbany, side: str, area: str) -> list[str] | None:
    """[7.2(4), 6.5] Where a side can retreat to; None where that is not known."""
    if area == COLUMBUS:
        return [] if shut_in(game, side, area) else None
    around = game.map.next_to(area)
    return None if around is None else [there for there in around if not game.stack(there, enemy(side))]


def _check_refuge(game: LzAlbany, side: str, area: str, to: str, rule: str) -> None:
    if game.stack(to, enemy(side)):
        game.forbid(f"enemies are in {title(to)}", rule, "Retreat to an adjacent area without any")
    if area != COLUMBUS and game.map.adjacent(area, to) is False:
        game.forbid(f"{title(to)} is not next to {title(area)}", rule, "Retreat to an adjacent area")


def melee_odds(game: LzAlbany, side: str, area: str, attackers: Sequence[Piece], head: str) -> Odds:
    """One round of melee that a side begins in an area with these of its counters, wherever they are now."""
    paper = on_paper(game, {area, *(piece.place for piece in attackers)})
    for piece in attackers:
        paper.move(piece.id, area, "7.2")
    ends = play_out(paper, lambda table, _: clash(table, side, area, attackers))
    sections = (
        (f"Hits of the attacker ({plural(ends.most('dice'), 'die', 'dice')})", ends.numbers("hits")),
        (f"Hits of the defender ({plural(ends.most('against'), 'die', 'dice')})", ends.numbers("losses")),
        ("Defender", (*ends.fates(paper.pieces(area, enemy(side))), ("no defending platoon left", ends.cleared(enemy(side))))),
        ("Attacker", ends.fates(paper.pieces(area, side))),
    )
    means = (("hits on the defender", ends.mean("hits")), ("hits on the attacker", ends.mean("losses")))
    return Odds(head, "7.2", sections, means, (f"{PLACED} Before any retreat.",))

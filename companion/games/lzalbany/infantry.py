"""[7.3] Ranged infantry fire: strength, jungle, hits, return fire, advance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.dice import faces_text
from companion.core.position import Piece
from companion.core.requests import Choice, Confirm, Number, Odds, Pick, Text
from companion.core.words import plural
from companion.games.lzalbany import ground
from companion.games.lzalbany.areas import TRANSITION, title
from companion.games.lzalbany.chances import Exchange, fire_odds, join_odds
from companion.games.lzalbany.hits import OFFICER, UNIT, Target, count_sixes, room_of, volley
from companion.games.lzalbany.melee import joining
from companion.games.lzalbany.placing import officer_check, take_hits
from companion.games.lzalbany.referee import INFANTRY, LzAlbany, enemy, is_senior, strength, target_of
from companion.games.lzalbany.strength import Force, Pool, fire_pools, unit_dice

NO_FIRE = ("no fire", "no fire or move")


def ranged_targets(game: LzAlbany, side: str, area: str) -> list[str]:
    """[7.3, 7.2A] Adjacent undisputed areas with enemy platoons or officers, as far as is known."""
    return [
        place
        for place in game.held(enemy(side))
        if place not in (area, TRANSITION) and not game.disputed(place) and game.map.adjacent(area, place) is not False
    ]


def force_of(game: LzAlbany, side: str, area: str, units: Sequence[Piece], officers: int) -> Force:
    """Who fires from an area."""
    return Force(tuple(strength(p, "fire") for p in units), officers, len(game.units(area, side)))


async def infantry_fire(game: LzAlbany, side: str, area: str, units: Sequence[Piece], helpers: Sequence[Piece], used: int) -> int:
    """[7.3(1)] All activated infantry of one area at one or more adjacent areas; returns how many units fired."""
    from companion.games.lzalbany.bot import target_advice

    targets = game.area_choices(ranged_targets(game, side, area), enemy(side))
    known = [choice.value for choice in targets]
    request = Text(
        "target",
        f"{game.names(units)} in {title(area)} fire at (several: the primary one first)",
        "7.3(1)",
        ground.areas_notation(game),
        targets,
        known[0] if known else None,
    )
    request.odds = lambda: _odds(game, side, area, units, len(helpers), known)
    text = await game.decide(request, side, lambda: target_advice(game, side, known, "fire", area), str, auto=False)
    chosen = text.split(", ")
    await _legal(game, side, area, chosen)
    officers = len(helpers) + len(await joining(game, side, area))
    force = force_of(game, side, area, units, officers)
    shares = await _shares(game, side, force, chosen, used)
    told = [await _told(game, side, place) for place in chosen]
    pools = fire_pools(game.rules, force, told, shares, used)
    for place, pool in zip(chosen, pools, strict=True):
        await _shoot(game, Shot(side, area, place, pool, place == chosen[0], "fire", "7.3(4)"))
    await _answers(game, side, area, chosen)
    await _advance(game, side, area, chosen[0], units)
    return min(len(units), game.rules.may_fire(force.stack, used))


async def _legal(game: LzAlbany, side: str, area: str, targets: Sequence[str]) -> None:
    for place in targets:
        if not game.fighters(place, enemy(side)):
            game.forbid(f"no enemy is in {title(place)}", "7.3(1)", "Choose another target")
        if game.disputed(place):
            game.forbid(f"{title(place)} is disputed, and nobody fires into it", "7.2A", "Choose another target")
        adjacent = game.map.adjacent(area, place)
        if adjacent is False:
            game.forbid(f"{title(place)} is not next to {title(area)}", "7.3", "Infantry fires at adjacent areas")


async def _told(game: LzAlbany, side: str, place: str) -> tuple[int, bool, bool]:
    jungle = await ground.terrain_of(game, place, "7.3(3)") == "jungle"
    return len(game.units(place, enemy(side))), jungle, game.dark(place)


async def _shares(game: LzAlbany, side: str, force: Force, targets: Sequence[str], used: int) -> list[int]:
    """[7.3(2)] How the dice are divided over several areas; the last one gets the rest."""
    left = sum(unit_dice(game.rules, force, used)[0])
    shares: list[int] = []
    for number, place in enumerate(targets[:-1]):
        fair = left // (len(targets) - number)
        many = await Number("dice", f"Dice of strength at {title(place)}, of {left}", "7.3(2)", 0, 40, fair)
        if many > left:
            game.forbid(f"{many} dice at {title(place)}, and the strength is {left}", "7.3(2)", f"At most {left}")
        shares.append(min(many, left))
        left -= shares[-1]
    return shares


class Shot(NamedTuple):
    """One roll of infantry fire: who, from where to where, with which dice, and whether the firer places the first hit."""

    side: str
    origin: str
    place: str
    pool: Pool
    primary: bool
    key: str
    rule: str


async def _shoot(game: LzAlbany, shot: Shot) -> None:
    """[7.3(4)] Dice at one area; the firer places the first hit in the primary one, the owner all others."""
    dice, victims = shot.pool.dice, game.pieces(shot.place, enemy(shot.side))
    head = f"{shot.side} fires from {title(shot.origin)} at {title(shot.place)}"
    game.say(f"{head}: {plural(dice, 'die', 'dice')}.", "7.3(2)", *shot.pool.because)
    most = room_of([target_of(piece) for piece in victims])
    faces = await volley(shot.key, f"Dice of the {shot.side} at {title(shot.place)}", shot.rule, dice, most)
    hits = count_sixes(faces)
    if dice:
        game.say(f"{faces_text(faces)}: {plural(hits, 'hit')} in {title(shot.place)}.", shot.rule)
    if not hits:
        return
    aim = game.turn == 1

    def may_aim(target: Target) -> bool:
        return target.kind != OFFICER or aim

    await take_hits(game, shot.side, victims, hits, shot.rule, "infantry fire", may_aim if shot.primary else None)
    if game.option("fire_casualties") != "off":
        await officer_check(game, shot.place, (enemy(shot.side),), "7.3(4)")


def answering(game: LzAlbany, side: str, area: str) -> list[Piece]:
    """[7.3(5)] Infantry of a side in an area that may return fire."""
    return [
        piece
        for piece in game.units(area, side)
        if piece.values.get("type") in INFANTRY and piece.marks.get("incident") not in NO_FIRE and strength(piece, "fire")
    ]


async def _answers(game: LzAlbany, side: str, area: str, targets: Sequence[str]) -> None:
    """[7.3(5)] The survivors of each target area fire back at the firing area."""
    from companion.games.lzalbany.bot import answer_advice

    theirs = enemy(side)
    for place in targets:
        units = answering(game, theirs, place)
        if not units or not game.fighters(area, side):
            continue
        request = Confirm(
            "return", f"{theirs} in {title(place)} returns fire at {title(area)} ({game.names(units)})", "7.3(5)", True
        )
        if not await game.decide(request, theirs, lambda: answer_advice(game, theirs), bool, auto=True):
            continue
        force = force_of(game, theirs, place, units, len(game.officers(place, theirs)))
        jungle = await ground.terrain_of(game, area, "7.3(3)") == "jungle"
        dark = game.dark(area) and place not in game.lit
        (pool,) = fire_pools(game.rules, force, [(len(game.units(area, side)), jungle, dark)], ())
        await _shoot(game, Shot(theirs, place, area, pool, True, "return_fire", "7.3(5)"))


async def _advance(game: LzAlbany, side: str, area: str, primary: str, units: Sequence[Piece]) -> None:
    """[7.3(6)] Into a primary area that is empty of enemy units."""
    from companion.games.lzalbany.bot import advance_advice

    ready = [game.piece(p.id) for p in units if game.piece(p.id).place == area and game.piece(p.id).kind == UNIT]
    if game.fighters(primary, enemy(side)) or not ready:
        return
    ready += [p for p in game.officers(area, side) if not is_senior(p)]
    choices = [Choice(piece.name, piece.name) for piece in ready]
    request = Pick("advance", f"{title(primary)} is empty of the enemy: who advances into it", "7.3(6)", choices, suggest=())
    names = await game.decide(request, side, lambda: advance_advice(game, side, primary, ready), list, auto=True)
    moved = [piece for piece in ready if piece.name in names]
    for piece in moved:
        game.move(piece.id, primary, "7.3(6)", "advance")


def exchange(game: LzAlbany, side: str, area: str, units: Sequence[Piece], officers: int, place: str) -> Exchange:
    """The fire from one area at another as odds see it; terrain that was never told counts as open."""
    theirs = enemy(side)
    there = game.pieces(place, theirs)
    able = {piece.id for piece in answering(game, theirs, place)}
    return Exchange(
        force_of(game, side, area, units, officers),
        tuple(target_of(piece) for piece in game.pieces(area, side)),
        tuple(target_of(piece) for piece in there),
        tuple(piece.id in able for piece in there),
        len(game.officers(place, theirs)),
        game.map.terrain(place) == "jungle",
        game.map.terrain(area) == "jungle",
        game.dark(place),
        game.dark(area) and place not in game.lit,
        game.turn == 1,
    )


def _odds(game: LzAlbany, side: str, area: str, units: Sequence[Piece], officers: int, targets: Sequence[str]) -> Odds:
    parts = [fire_odds(game.rules, exchange(game, side, area, units, officers, place), title(place)) for place in targets]
    return join_odds(f"Fire from {title(area)}", "7.3", parts)

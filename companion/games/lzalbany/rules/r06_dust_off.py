"""[5.5C, 6.3, 6.4] Dust Off: the wounded out, or reinforcements in."""

from __future__ import annotations

from companion.core.dice import faces_text
from companion.core.odds import distribution, probability_of
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Odds, Pick, Text
from companion.core.text import plural
from companion.games.lzalbany.names import AIRLIFT, EVACUATED, NVA, OFFICER, UNIT, US, WOUNDED
from companion.games.lzalbany.odds.ends import join_odds
from companion.games.lzalbany.odds.paper import on_paper
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules import r02_map as ground
from companion.games.lzalbany.rules.r06_ways import check_stacks
from companion.games.lzalbany.rules.r07_air import air_casualty
from companion.games.lzalbany.rules.r08_placing import take_hits
from companion.games.lzalbany.words.areas import TRANSITION, title
from companion.games.lzalbany.words.counters import hits_on, needs_carrying
from companion.games.lzalbany.words.orders import NONE, Order

EVACUATE, LIFT, NOTHING = "evacuate", "airlift", "none"


def casualties(game: LzAlbany, area: str) -> tuple[list[Piece], list[Piece]]:
    """Wounded markers and wounded officers of the US in an area."""
    officers = [p for p in game.pieces(area, US, OFFICER) if needs_carrying(p)]
    return game.pieces(area, US, WOUNDED), officers


def landing_areas(game: LzAlbany) -> list[str]:
    """Areas with somebody to fly out."""
    return sorted({piece.place for piece in game.on_map(US, WOUNDED, OFFICER) if needs_carrying(piece)})


def hot(game: LzAlbany, area: str) -> bool:
    """[6.3] An un-hit NVA platoon keeps Dust Off from landing (ruling C-52)."""
    return any(not hits_on(p) for p in game.units(area, NVA))


async def dustoff_chit(game: LzAlbany) -> None:
    """[5.5C] It evacuates or it airlifts, one of the two a turn (ruling C-46)."""
    waiting = game.position.at(AIRLIFT)
    choices = [Choice(EVACUATE, "evacuate wounded", ", ".join(map(title, landing_areas(game))))] if landing_areas(game) else []
    choices += [Choice(LIFT, "airlift reinforcements", game.piece_names(waiting))] if waiting else []
    if not choices:
        game.say("Dust Off has nobody to fly.", "5.5C")
        return
    request = Choose(
        "dustoff", "Does Dust Off evacuate or airlift?", "5.5C", [*choices, Choice(NOTHING, "none")], choices[0].value
    )
    options = [choice.value for choice in choices]
    chosen = await game.decide(request, US, "dustoff", options, auto=False)
    if chosen == EVACUATE:
        await evacuate(game)
    elif chosen == LIFT:
        await airlift(game)


async def evacuate(game: LzAlbany) -> None:
    """[6.3, 8.4B] Land, take ground fire, and fly out as many as there is room for."""
    areas = [a for a in landing_areas(game) if not hot(game, a)]
    barred = [Choice(a, title(a)) for a in landing_areas(game) if hot(game, a)]
    if not areas:
        game.say("Dust Off cannot land: NVA platoons without a hit are in every area with wounded.", "6.3")
        return
    request = Choose(
        "area", "Where does Dust Off land?", "6.3", game.area_choices(areas, US), areas[0], others=barred, what="area"
    )
    request.odds = lambda: join_odds("Dust Off", "6.3", [landing_odds(game, area) for area in areas])
    area = await game.decide(request, US, "landing", areas, auto=False)
    if hot(game, area):
        game.forbid(f"NVA platoons without a hit are in {title(area)}", "6.3", "Land elsewhere")
    terrain = await ground.terrain_of(game, area, "6.3")
    damaged = await _ground_fire(game, area)
    room = game.chart("terrain").number(terrain, "damaged" if damaged else "dustoff")
    markers, officers = casualties(game, area)
    game.say(
        f"Dust Off can take {plural(room, 'wounded marker')} and any wounded officers from {title(area)} ({terrain}).", "6.3"
    )
    chosen = await _who(game, markers, room)
    for piece in [*chosen, *officers]:
        game.move(piece.id, EVACUATED, "8.4B", "Dust Off")
    if chosen:
        game.award("evacuated", f"Dust Off flies {game.piece_names(chosen)} out", len(chosen))


async def _who(game: LzAlbany, markers: list[Piece], room: int) -> list[Piece]:
    """[6.3] The wounded who fly out."""
    if len(markers) <= room:
        return markers
    if game.played(US):
        return markers[:room]
    choices = [Choice(piece.id, piece.name) for piece in markers]
    suggest = [piece.id for piece in markers[:room]]
    request = Pick("evacuate", f"Which wounded fly out? ({room} at most)", "6.3", choices, high=room, suggest=suggest)
    chosen = await game.put(US, request)
    return [piece for piece in markers if piece.id in chosen]


async def _ground_fire(game: LzAlbany, area: str) -> bool:
    """[6.3] One die for each NVA unit next to the landing; a 5 or 6 damages it, once (ruling C-18)."""
    units = [p for place in await ground.near_enemies(game, area, NVA, "6.3") for p in game.units(place, NVA)]
    if not units:
        return False
    asked = f"Fire at Dust Off, a die each: damaged on 5-6 ({game.piece_names(units)})"
    faces = await game.volley("hot_zone", asked, "6.3", len(units), 1, "dustoff")
    hurt = game.count(faces, "dustoff") > 0
    game.say(f"Fire at Dust Off: {faces_text(faces)}, damaged on 5-6. {'DAMAGED' if hurt else 'No damage'}.", "6.3")
    if hurt:
        air_casualty(game, "Dust Off is damaged")
    return hurt


async def airlift(game: LzAlbany) -> None:
    """[6.4] Reinforcements to one area without NVA, as many as the terrain takes; officers do not count."""
    waiting = game.position.at(AIRLIFT)
    given = ground.orders_to(game, waiting, home="b3")
    request = Text(
        "airlift", f"Whom does Dust Off fly in, and where? ({game.piece_names(waiting)})", "6.4", given.notation, suggest=NONE
    )
    orders = given.read(await game.decide(request, US, "lift", waiting, auto=False))
    goals = list(dict.fromkeys(order.to for order in orders))
    if len(goals) > 1:
        game.forbid("one Dust Off lands in one area", "6.4", "Name one area")
    for area in goals:
        landing = [order.piece for order in orders if order.to == area]
        await _land(game, area, landing)


async def _land(game: LzAlbany, area: str, landing: list[Piece]) -> None:
    if game.stack(area, NVA):
        game.forbid(f"NVA units are in {title(area)}", "6.4", "Land elsewhere")
    if area == TRANSITION:
        game.forbid(f"no US unit goes to the {title(area)}", "6.5", "Land elsewhere")
    terrain = await ground.terrain_of(game, area, "6.4")
    room = game.chart("terrain").number(terrain, "airlift")
    units = [p for p in landing if p.kind == UNIT]
    if len(units) > room:
        game.forbid(
            f"{plural(len(units), 'unit')} named, and {room} can land in {title(area)} ({terrain})", "6.4", f"Name {room}"
        )
    check_stacks(game, US, [Order(piece, area) for piece in landing], "3.2D")
    for piece in landing:
        game.move(piece.id, area, "6.4", "airlift")
    if not await ground.near_enemies(game, area, NVA, "6.4") or not units:
        return
    asked = f"Hot landing, a die each: hit on 6 ({game.piece_names(units)})"
    faces = await game.volley("hot_landing", asked, "6.4", len(units), len(units), "landing")
    rolled = ", ".join(f"{piece.name} {face}" for piece, face in zip(units, faces, strict=True))
    game.say(f"Hot landing, hit on 6: {rolled}.", "6.4")
    for piece, face in zip(units, faces, strict=True):
        if game.count((face,), "landing"):
            await take_hits(game, NVA, [piece], 1, "6.4", "hot landing")


def landing_odds(game: LzAlbany, area: str) -> Odds:
    """[6.3] Whether Dust Off is damaged where it lands, and the wounded that it then takes."""
    around = game.map.beside(area)
    paper = on_paper(game, (area, *around))
    damaged = probability_of(distribution(lambda: _ground_fire(paper, area)), bool)
    chart, terrain = game.chart("terrain"), game.map.terrain(area) or "jungle"
    whole, hurt = (min(chart.number(terrain, row), len(casualties(game, area)[0])) for row in ("dustoff", "damaged"))
    rows = (("is damaged by ground fire", damaged),)
    means = (("wounded markers flown out", whole * (1 - damaged) + hurt * damaged),)
    note = "" if game.map.terrain(area) else f"Assumes that {title(area)} is jungle: its terrain has not been entered."
    return Odds(title(area), "6.3", (("Dust Off", rows),), means, (note,) if note else ())

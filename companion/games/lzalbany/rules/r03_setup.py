"""[3.2, 3.4] Set-up and reinforcements: what comes into the game, when, and where it is put."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.position import FlagReader, FlagValue, Piece, Position, Value
from companion.core.requests import Text
from companion.games.lzalbany.names import (
    AIRLIFT,
    CHIT,
    FLARE,
    FLARE_TRACK,
    NVA,
    NVA_VP,
    OFFICER,
    PHASE,
    POOL,
    TO_COME,
    TO_PLACE,
    TURN,
    UNIT,
    US,
    US_VP,
    start_flag,
)
from companion.games.lzalbany.names import FLARES as FLARES_LEFT
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules import r02_map as ground
from companion.games.lzalbany.rules.r06_ways import check_stacks, room_in
from companion.games.lzalbany.words.areas import ALBANY, COLUMBUS, SAWGRASS, TRANSITION, is_area, title
from companion.games.lzalbany.words.counters import company_of, enemy
from companion.games.lzalbany.words.orders import Order
from companion.games.lzalbany.words.roster import COMPANIES, COMPANY, read_company, values_of

FLARES = 8
FLOWN = ("A/1-5", "B/1-5")
SAWGRASS_COMPANY, DOT = "B/2-7", "dot"


async def set_up(game: LzAlbany) -> None:
    """[3.2] Everything into its box; where the forces stand is asked by the first action."""
    game.set_track(TURN, 1, "3.2A", "set-up")
    for track in (US_VP, NVA_VP):
        game.set_track(track, 0, "3.2A", "set-up")
    game.set_track(FLARES_LEFT, FLARES, "3.2A", "set-up")
    for number in range(1, FLARES + 1):
        game.make(FLARE, f"Flare {number}", FLARE_TRACK, "3.2A")
    make_chits(game)
    await make_counters(game)
    await ground.load_map(game)
    game.set_flag(PHASE, "deploy", "3.2")
    game.say("Now place the forces: deploy, or next.", "3.2", tone="reminder")


def make_chits(game: LzAlbany) -> None:
    """[3.2B, 5.1] All action chits; those of turn 1 in the pool, the others on the Turn Track."""
    chart = game.chart("chits")
    for chit in chart.rows:
        lots = (
            (chart.number(chit, "turn"), chart.number(chit, "count")),
            (chart.number(chit, "later"), chart.number(chit, "more")),
        )
        for turn, count in lots:
            for _ in range(count):
                values: dict[str, Value] = {"side": chart.text(chit, "side"), "turn": turn, "chit": chit}
                game.make(CHIT, chart.text(chit, "title"), POOL if turn == 1 else TO_COME, "3.2B", values=values)


async def make_counters(game: LzAlbany) -> None:
    """[2.4] The platoons and officers, as the owner has told them, or of our sample."""
    chart = game.chart("organisations")
    samples = {lot["company"]: lot["counters"] for lot in game.book.counters["roster"]}
    for company in COMPANIES:
        told = await game.printed(f"roster:{company}", f"Which counters has {company}?", "2.4", COMPANY, samples[company])
        side, group, turn = chart.text(company, "side"), chart.text(company, "group"), chart.number(company, "turn")
        for counter in read_company(told):
            values = values_of(counter, company, side, group)
            arrives = 2 if company == "NVA senior" and counter.label.casefold() not in ("man", "an", "a") else turn
            kind = OFFICER if counter.kind == OFFICER else UNIT
            place = TO_PLACE if arrives == 1 else TO_COME
            game.make(kind, counter.name(company), place, chart.cite(company), values={**values, "turn": arrives})


async def deploy(game: LzAlbany) -> None:
    """[3.2C, 3.2E] Both sides place what they start with."""
    await _place_all(game)
    game.set_flag(PHASE, "event", "3.3")
    game.say("Turn 1 begins with the ambush: the US has no Event Phase and no Rally Phase.", "3.3")


async def reinforce(game: LzAlbany) -> None:
    """[3.4] Chits into the pool, units onto the map."""
    chart = game.chart("organisations")
    chits = [p for p in game.position.at(TO_COME) if p.kind == CHIT and p.number("turn") <= game.turn]
    chits = [p for p in chits if not (game.retreat and p.name == "NVA Adrenaline")]
    for chit in chits:
        game.move(chit.id, POOL, "5.1", f"turn {game.turn}")
    arrivals = [p for p in game.position.at(TO_COME) if "company" in p.values and p.number("turn") <= game.turn]
    for piece in arrivals:
        game.move(piece.id, TO_PLACE, chart.cite(company_of(piece)), f"turn {game.turn}")
    if not chits and not arrivals:
        game.say(f"No reinforcements on turn {game.turn}.", "3.4")
    await _place_all(game)
    game.set_flag(PHASE, "event", "3.4")


async def _place_all(game: LzAlbany) -> None:
    """Ask company by company where its counters go."""
    chart = game.chart("organisations")
    for company in COMPANIES:
        waiting = [p for p in game.position.at(TO_PLACE) if company_of(p) == company]
        if not waiting:
            continue
        side, rule = chart.text(company, "side"), chart.cite(company)
        if company == "US artillery":
            _put(game, [Order(piece, COLUMBUS) for piece in waiting], rule)
            continue
        await _place_company(game, company, waiting, side, rule)


async def _place_company(game: LzAlbany, company: str, waiting: Sequence[Piece], side: str, rule: str) -> None:
    flown = company in FLOWN
    given = ground.orders_to(game, waiting, *((AIRLIFT,) if flown else ()), home="b3")
    first, _, later = game.chart("organisations").text(company, "where").partition("; on turn 2 ")
    where = later if later and game.turn > 1 else first
    key = company.casefold().replace(" ", "-")
    request = Text(
        key,
        f"Where does {company} go, {_ways(where)}? {game.piece_names(waiting)} (one area, or 1 2 > b3; rest > b4)",
        rule,
        given.notation,
        suggest=COLUMBUS if flown else _proposal(game, side, company, waiting),
    )
    orders = given.read(await game.decide(request, side, "deploy", company, waiting, auto=False))
    left = [piece for piece in waiting if piece.id not in {order.piece.id for order in orders}]
    if left:
        game.forbid(
            f"{game.piece_names(left)} of {company} {'has' if len(left) == 1 else 'have'} no area yet", rule, "Add: ; rest > AREA"
        )
    await _check_places(game, company, side, _lot(side, waiting), orders, rule)
    check_stacks(game, side, orders, rule)
    _put(game, orders, rule)


async def _check_places(game: LzAlbany, company: str, side: str, lot: str, orders: Sequence[Order], rule: str) -> None:
    """[3.2C, 3.2D, 3.2E, 3.2F] Where a company may be placed: as its rule says, as far as the map is told, and not among the
    enemy (ruling C-62).
    """
    starts, dots = _starts(game, lot), _starts(game, DOT)
    for area in dict.fromkeys(order.to for order in orders):
        where = title(area) if is_area(area) else area
        if company in FLOWN:
            if area not in (COLUMBUS, AIRLIFT):
                not_there = f"{company} arrives in LZ Columbus or by airlift, not in {where}"
                game.forbid(not_there, rule, f"Name {COLUMBUS} or {AIRLIFT}")
            continue
        if area in (COLUMBUS, TRANSITION):
            game.forbid(f"{company} may not start in {where}", rule, "Name another area")
        elif company == SAWGRASS_COMPANY:
            if await ground.terrain_of(game, area, "3.2D") != SAWGRASS:
                game.forbid(f"{where} is not sawgrass, and {company} arrives in sawgrass", rule, "Name another area")
            elif dots and area not in dots:
                game.forbid(f"{where} has no green dot", rule, _there_is(game, area, dots, DOT))
        elif starts and area not in starts:
            game.forbid(f"{company} may not start in {where}", rule, _there_is(game, area, starts, lot))
        if game.stack(area, enemy(side)):
            game.forbid(f"enemies are in {where}", rule, "Name another area")


def _there_is(game: LzAlbany, area: str, starts: Sequence[str], lot: str) -> str:
    """Where one can be placed instead; or how to tell of one circle more on a map of one's own."""
    more = "" if game.option("map") != "own" else f"; if it has one: companion map lzalbany tell {area} start {lot}"
    return f"It can go to {', '.join(starts)}{more}"


def _put(game: LzAlbany, orders: Sequence[Order], rule: str) -> None:
    for area in dict.fromkeys(order.to for order in orders):
        ground.say_new(game, area)
        there = [order.piece for order in orders if order.to == area]
        for piece in there:
            game.move(piece.id, area, rule)


def _lot(side: str, waiting: Sequence[Piece]) -> str:
    """The start areas of those who arrive, as a map may tell them."""
    return "us1" if side == US else "nva2" if waiting[0].number("turn") == 2 else "nva1"


def _circles(position: Position) -> dict[FlagValue, list[str]]:
    """[3.2] The start areas of each lot, as they were told."""
    found: dict[FlagValue, list[str]] = {}
    for flag, lot in position.flags.items():
        if flag.startswith(_START):
            found.setdefault(lot, []).append(flag.removeprefix(_START))
    return found


_START = start_flag("")
_CIRCLES = FlagReader(_circles, (_START,))


def _starts(game: LzAlbany, lot: str) -> list[str]:
    return game.position.cached_from_flags(_CIRCLES).get(lot, [])


def free_areas(game: LzAlbany, side: str, company: str, waiting: Sequence[Piece]) -> dict[str, int]:
    """[3.2, 6.1] Start areas without enemies, as far as the map tells them, with the units that each has room for."""
    starts = _clearings(game) if company == SAWGRASS_COMPANY else _starts(game, _lot(side, waiting))
    return {area: room_in(game, area, side) for area in starts if not game.units(area, enemy(side))}


def _ways(where: str) -> str:
    """Where a company arrives, as part of a question."""
    return where if where.startswith(("by ", "in ")) else f"to {where}"


def _proposal(game: LzAlbany, side: str, company: str, waiting: Sequence[Piece]) -> str | None:
    """Where a company could stand: start areas with room, on a map that tells them; its officer goes with the first platoons."""
    room = free_areas(game, side, company, waiting)
    parts: list[str] = []
    left = [piece for piece in waiting if piece.kind == UNIT]
    officers = [piece for piece in waiting if piece.kind != UNIT]
    for area in room:
        taken, left = left[: room[area]], left[room[area] :]
        group = taken + (officers if taken or (not left and not parts) else [])
        officers = [] if group else officers
        if group:
            parts.append(f"{' '.join(piece.name for piece in group)} > {area}")
    return None if left or officers or not parts else "; ".join(parts)


def _clearings(game: LzAlbany) -> list[str]:
    """[3.2D] Sawgrass for B/2-7, with a dot where dots are told: first the area next to the fewest enemies, near LZ Albany; then
    the others, those that touch it and fewest enemies first, so that the company keeps together.
    """
    where = game.map
    dots = _starts(game, DOT) or where.known()
    free = [a for a in dots if where.terrain(a) == SAWGRASS and not game.stack(a, NVA) and room_in(game, a, US)]

    def danger(area: str) -> int:
        return sum(bool(game.units(there, NVA)) for there in where.beside(area))

    free.sort(key=lambda area: (danger(area), where.distance(area, ALBANY)))
    first = free[:1]

    def apart(area: str) -> tuple[bool, int, int]:
        return danger(area) > danger(first[0]), where.distance(first[0], area), danger(area)

    return first + sorted(free[1:], key=apart)

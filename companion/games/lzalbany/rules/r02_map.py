"""[2.2, 2.4, 7.8] The map and the counters as the player enters them, lines of sight, and manual placement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from companion.core.hints import TYPE_CHECKING
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice, Choose
from companion.games.lzalbany import areas, notation, state
from companion.games.lzalbany.areas import is_area, title

if TYPE_CHECKING:
    from companion.games.lzalbany.referee import AlbanyReferee

OFF_MAP = "off"
NO_CHOICE = Choice(notation.NONE, notation.NONE)


def record_fact(referee: AlbanyReferee, kind: str, name: str, value: str) -> None:
    """Store a map fact on the position."""
    for flag, stored in areas.flags_of(kind, name, value).items():
        referee.set_flag(flag, stored, areas.FACT_RULES[kind])


async def load_map(referee: AlbanyReferee) -> None:
    """[2.2] Store everything that the owner has entered of the map; or a practice map."""
    if referee.option("map") != "own":
        for flag, flag_value in areas.practice_flags(areas.practice_areas(referee.data.counters, referee.option("map"))).items():
            referee.set_flag(flag, flag_value, "2.2")
        referee.say("This is an invented practice map, not the published one.", "2.2", tone="warning")
        return
    for kind, rule in areas.FACT_RULES.items():
        for name, value in (await referee.known_facts(kind, rule)).items():
            record_fact(referee, kind, name, value)


async def terrain_of(referee: AlbanyReferee, area: str, rule: str) -> str:
    """``jungle``, ``sawgrass``, ``albany`` or ``columbus``; asked once if unknown."""
    known = referee.map.terrain(area)
    if known:
        return known
    prompt = f"What is the terrain of {title(area)}? (and edge or east at a map edge)"
    answer = await referee.printed(f"area:{area}", prompt, rule, areas.GROUND)
    record_fact(referee, "area", area, answer)
    return referee.map.terrain(area)


async def edge_of(referee: AlbanyReferee, area: str, rule: str) -> str:
    """``edge``, ``east`` or ""; asked with the terrain."""
    if area in areas.NAMED:
        return ""
    await terrain_of(referee, area, rule)
    return referee.map.edge(area)


async def neighbours(referee: AlbanyReferee, area: str, rule: str) -> tuple[str, ...]:
    """All areas adjacent to an area; asked once if not all are known."""
    listed = referee.map.listed_neighbours(area)
    if listed is not None:
        return listed
    known = referee.map.neighbours(area)
    prompt = f"Which areas are next to {title(area)}?" + (f" (known so far: {', '.join(map(title, known))})" if known else "")
    answer = await referee.printed(f"next:{area}", prompt, rule, areas.LIST)
    lost = [other for other in known if other not in answer.split(", ")]
    record_fact(referee, "next", area, answer)
    if lost:
        cure = f"companion map lzalbany tell {area} next {', '.join((answer, *lost))}"
        referee.say(f"Until now {', '.join(map(title, lost))} lay next to {title(area)}. If so: {cure}", "6.2", tone="warning")
    return referee.map.listed_neighbours(area) or ()


async def infer_adjacency(referee: AlbanyReferee, pairs: Iterable[tuple[str, str]], rule: str) -> None:
    """[6.2, 7.3] Record areas as adjacent because units moved or fired from one to the other."""
    for first, second in dict.fromkeys((min(pair), max(pair)) for pair in pairs):
        on_grid = all(is_area(area) and area not in areas.OFF_GRID for area in (first, second))
        if on_grid and first != second and referee.map.adjacent(first, second) is None:
            value = await referee.infer_fact(state.pair_flag("beside", first, second), areas.BESIDE.read("yes"), rule)
            record_fact(referee, "beside", f"{first} {second}", value)
            referee.say(f"So {title(first)} and {title(second)} are next to each other.", rule, tone="reminder")


async def adjacent_enemies(referee: AlbanyReferee, area: str, side: state.Side, rule: str) -> list[str]:
    """Areas adjacent to an area that hold platoons of a side."""
    return [place for place in await neighbours(referee, area, rule) if referee.unit_count(place, side)]


async def is_adjacent_to_any(referee: AlbanyReferee, places: Sequence[str], area: str, rule: str) -> bool:
    """[7.6(1), 7.7] True if an area is adjacent to one of several; its neighbours are asked if unknown."""
    if any(referee.map.adjacent(place, area) for place in places):
        return True
    if all(referee.map.adjacent(place, area) is not None for place in places):
        return False
    await neighbours(referee, area, rule)
    return any(referee.map.adjacent(place, area) for place in places)


def cannot_leave(referee: AlbanyReferee, side: state.Side, area: str) -> bool:
    """[6.5] True if a side cannot leave an area: the US does not leave LZ Columbus while NVA units are there."""
    return area == areas.COLUMBUS and side == state.US and bool(referee.units(areas.COLUMBUS, state.NVA))


async def check_exit(referee: AlbanyReferee, side: state.Side, to: str) -> None:
    """[6.5] LZ Columbus is left for the east edge, by the US only while no NVA units are there."""
    if cannot_leave(referee, side, areas.COLUMBUS):
        referee.forbid("US units do not leave LZ Columbus while NVA are there", "6.5", "Fight them there")
    if await edge_of(referee, to, "6.5") != "east":
        referee.forbid(f"{title(to)} is not on the east edge", "6.5", "Leave LZ Columbus for an area on the east edge")


def in_sight(referee: AlbanyReferee, side: state.Side, area: str) -> bool | None:
    """[7.8, 11.1A] True if an officer of a side sees an area; None if unknown."""
    dark, unknown = referee.is_dark(area), False
    for post in _observers(referee, side):
        seen = (post == area or referee.map.adjacent(post, area)) if dark else referee.map.sight(post, area)
        if seen:
            return True
        unknown = unknown or seen is None
    return None if unknown else False


async def spotted(referee: AlbanyReferee, side: state.Side, area: str, rule: str) -> bool:
    """[7.8, 10.3] True if an unwounded officer of a side sees an area; asked if unknown."""
    return bool(await spotter(referee, side, area, rule))


async def spotter(referee: AlbanyReferee, side: state.Side, area: str, rule: str) -> str:
    """The area of an officer who sees another area; "" if none does."""
    posts = _observers(referee, side)
    if referee.is_dark(area):
        posts = [post for post in posts if post == area or await _is_adjacent(referee, post, area)]
        return posts[0] if posts else ""
    unknown: list[str] = []
    for post in posts:
        seen = referee.map.sight(post, area)
        if seen:
            return post
        if seen is None:
            unknown.append(post)
    return await _ask_sight(referee, side, unknown, area) if unknown else ""


def _observers(referee: AlbanyReferee, side: state.Side) -> list[str]:
    key = _observers, side
    cache = referee.position.cache_for(referee.options)
    if key not in cache:
        cache[key] = sorted({piece.place for piece in referee.on_map(side, state.OFFICER) if piece.face == state.FRONT})
    return list(cache[key])


def fullest(referee: AlbanyReferee, areas: Iterable[str], foe: state.Side) -> str:
    """The area with most platoons of a side, suggested as a target; `notation.NONE` without an area."""
    return max(areas, key=lambda area: referee.unit_count(area, foe), default=notation.NONE)


async def confirm_sight(referee: AlbanyReferee, side: state.Side, area: str, rule: str) -> bool:
    """[7.8] True if a target is in sight; False if the player has just said that it is not. Raises Illegal if that was known."""
    known = in_sight(referee, side, area)
    if await spotted(referee, side, area, rule):
        return True
    if known is False:
        referee.forbid(*unseen(referee, side, area), "Choose another target")
        return True
    text, rule = unseen(referee, side, area)
    referee.say(f"{text[0].upper()}{text[1:]}. Choose another target, or none.", rule)
    return False


def unseen(referee: AlbanyReferee, side: state.Side, area: str) -> tuple[str, str]:
    """[7.8, 11.1A] That no officer of a side sees an area, with the rule."""
    if referee.is_dark(area):
        return f"by night officers see adjacent areas only, and no {side} officer is next to {title(area)}", "11.1A"
    return f"no {side} officer sees {title(area)}", "7.8"


async def in_range(referee: AlbanyReferee, area: str, target: str, limit: int) -> bool:
    """[7.4] True if mortars in an area reach another; asked once if unknown."""
    known = referee.map.within(area, target, limit)
    if known is not None:
        return known
    flag = state.pair_flag("range", area, target)
    prompt = f"Are {title(area)} and {title(target)} within {limit} areas of each other?"
    answer = await referee.printed(flag, prompt, "7.4", areas.IN_RANGE)
    referee.set_flag(flag, answer, "7.4")
    return answer == "yes"


async def _is_adjacent(referee: AlbanyReferee, post: str, area: str) -> bool:
    known = referee.map.adjacent(post, area)
    return area in await neighbours(referee, post, "11.1A") if known is None else known


async def _ask_sight(referee: AlbanyReferee, side: state.Side, posts: Sequence[str], area: str) -> str:
    choices = [Choice(post, post if post == title(post) else title(post), "an officer is there") for post in posts]
    prompt = f"Which officer sees {title(area)}? (up to 3 areas, not across jungle)"
    request = Choose("spotter", prompt, "7.8", [*choices, NO_CHOICE], notation.NONE)
    request.why_not = partial(_why_no_spotter, referee, side, area)
    answer = await referee.for_side(side, request)
    for post in posts if answer == "none" else [answer]:
        flag = state.pair_flag("los", post, area)
        await referee.record_fact(flag, areas.SIGHT.read("no" if answer == "none" else "yes"), "7.8")
        referee.set_flag(flag, "no" if answer == "none" else "yes", "7.8")
    return "" if answer == "none" else answer


def _why_no_spotter(referee: AlbanyReferee, side: state.Side, area: str, name: str) -> tuple[str, str] | None:
    """[7.8] Why no officer in a place that is named sees an area, with the rule."""
    post = referee.area_called(name)
    if not post:
        return None
    if post not in _observers(referee, side):
        return f"no {side} officer who could see anything is in {title(post)}", "7.8"
    return f"the officer in {title(post)} is known not to see {title(area)}", "7.8"


def area_reader(referee: AlbanyReferee, *extra: str) -> Callable[[str], str]:
    """A function that reads an area, or one of some further words for a place."""
    area_map = referee.map

    def read(text: str) -> str:
        word = text.strip().casefold()
        return word if word in extra else areas.read_area(text, area_map.areas(), area_map.is_complete())

    return read


def orders_for(
    referee: AlbanyReferee, pieces: Sequence[Piece], *extra: str, home: str = "", apart: Sequence[str] = ()
) -> notation.Orders:
    """Orders for these counters over the areas of the map and further words for a place."""
    return notation.Orders(pieces, area_reader(referee, *extra), home, apart)


def order_choices(
    reader: notation.Orders,
    goals: Callable[[str], Iterable[str]],
    able: Callable[[Sequence[Piece]], Sequence[Piece]],
    hint: Callable[[str], str] = lambda area: "",
) -> list[Choice]:
    """The legal orders of one stack, or of one counter that moves by its own name; empty if no legal goal is known.

    Args:
        reader: The reader of the orders, with the counters.
        goals: Returns the areas to which counters may go from a place.
        able: The counters of a stack that may go together.
        hint: What to say of an area as a goal.
    """
    common = [piece for piece in reader.pieces if piece.id not in reader.apart]
    stacks = [[piece for piece in common if piece.place == place] for place in dict.fromkeys(piece.place for piece in common)]
    choices: list[Choice] = []
    for stack in [*stacks, *([piece] for piece in reader.pieces if piece.id in reader.apart)]:
        going = able(stack)
        is_whole = going == stack and stack[0].id not in reader.apart
        who = stack[0].place if is_whole else " ".join(piece.name for piece in going)
        for to in goals(stack[0].place) if going else ():
            choices.append(Choice(f"{who} > {to}", f"{who} > {to}", hint(to)))
    return [*choices, NO_CHOICE] if choices else []


def areas_notation(referee: AlbanyReferee, nothing: str = "") -> Notation:
    """One or more areas separated by commas, in the order given; or a word for none."""
    reader = area_reader(referee)

    def read(text: str) -> str:
        if nothing and text.strip().casefold() in ("", "-", nothing):
            return nothing
        return areas.read_list(", ".join(reader(part) for part in text.replace(";", ",").split(",") if part.strip()))

    return Notation("areas", "b3", read)


def announce_new_area(referee: AlbanyReferee, area: str) -> None:
    """Announce an area that is named for the first time, so that a typing error is noticed, and store its name."""
    if is_area(area) and area not in referee.map.areas():
        referee.set_flag(state.named_flag(area), True, "2.2")
        referee.say(f"{title(area)} is a new name on your map.", "2.2", tone="reminder")


async def arrange(referee: AlbanyReferee) -> None:
    """[2.2] Place counters as they are on the table, without rules of movement."""
    kinds = (state.UNIT, state.OFFICER, state.WOUNDED)
    pieces = [p for p in referee.position.pieces.values() if p.kind in kinds and p.place != state.OUT]
    reader = orders_for(referee, pieces)
    orders = reader.read(await notation.OrderRequest("where", "Who is where on your board?", "2.2", reader.notation))
    for area in dict.fromkeys(order.to for order in orders):
        announce_new_area(referee, area)
    for order in orders:
        referee.move(order.piece.id, order.to, "2.2", "as on the board")
    for to in dict.fromkeys(order.to for order in orders):
        referee.say(f"In {title(to)} now: {referee.piece_names(o.piece for o in orders if o.to == to)}.", "2.2")


async def counter(referee: AlbanyReferee) -> None:
    """[2.4] Replace a counter by one with other strengths, or add one that is not in the roster."""
    companies = [Choice(company, company) for company in notation.COMPANIES]
    company = await referee.choose("company", "Which company does the counter belong to?", "2.4", companies)
    prompt = "What is printed on it? (label, kind, fire-melee, after a slash the reduced fire-melee)"
    printed = notation.read_counter(await referee.text("counter", prompt, "2.4", notation.COUNTER))
    name = printed.name(company)
    old = next((p for p in referee.position.pieces.values() if p.name == name and p.place != state.OUT), None)
    chart = referee.chart("organisations")
    if old:
        area = old.place
        referee.move(old.id, state.OUT, "2.4", "replaced")
    else:
        area = await referee.text("area", f"Which area is {name} in?", "2.2", Notation("area", "b3", area_reader(referee)))
        announce_new_area(referee, area)
    values = notation.values_of(printed, company, chart.text(company, "side"), chart.text(company, "group"))
    kind = state.OFFICER if printed.type == "officer" else state.UNIT
    values |= {"turn": old.number("turn") if old else 1}
    new = referee.make(kind, name, area, "2.4", values=values, face=old.face if old else state.FRONT)
    for mark, value in (old.marks if old else {}).items():
        referee.mark(new, mark, value, "2.4", "as before")
    where = title(area) if is_area(area) else area
    referee.say(f"{name} is in {where}, with {printed}.", "2.4")

"""[2.2] Asking for the map: each thing once, remembered for ever; and who can be seen [7.8]."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice, Choose
from companion.games.lzalbany.names import FRONT, OFFICER, beside_flag, named_flag, range_flag, sight_flag
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.words.areas import (
    BESIDE,
    GROUND,
    IN_RANGE,
    LIST,
    NAMED,
    NAMED_BESIDE,
    SIGHT,
    is_area,
    read_area,
    read_list,
    title,
)
from companion.games.lzalbany.words.orders import Orders
from companion.games.lzalbany.words.telling import RULES, flags_of, practice_areas, practice_flags

OFF = "off"


def follow(game: LzAlbany, kind: str, name: str, value: str) -> None:
    """Write on the position what was told of the map."""
    for flag, told in flags_of(kind, name, value).items():
        game.set_flag(flag, told, RULES[kind])


async def load_map(game: LzAlbany) -> None:
    """[2.2] Everything that the owner has told of the map; or our practice map."""
    if game.option("map") != "own":
        practice_map(game)
        return
    for kind, rule in RULES.items():
        for name, told in (await game.known_facts(kind, rule)).items():
            follow(game, kind, name, told)


def practice_map(game: LzAlbany) -> None:
    """Lay out our made-up practice map."""
    for flag, told in practice_flags(practice_areas(game.book.counters, game.option("map"))).items():
        game.set_flag(flag, told, "2.2")
    game.say("This is our made-up practice map, not the published one.", "2.2", tone="warning")


async def terrain_of(game: LzAlbany, area: str, rule: str) -> str:
    """``jungle``, ``sawgrass``, ``albany``, ``columbus``; asked once where it is not known."""
    known = game.map.terrain(area)
    if known:
        return known
    told = await game.printed(
        f"area:{area}", f"What is the terrain of {title(area)}? (and edge or east at a map edge)", rule, GROUND
    )
    follow(game, "area", area, told)
    return game.map.terrain(area)


async def edge_of(game: LzAlbany, area: str, rule: str) -> str:
    """``edge``, ``east`` or ""; asked with the terrain."""
    if area in NAMED:
        return ""
    await terrain_of(game, area, rule)
    return game.map.edge(area)


async def neighbours(game: LzAlbany, area: str, rule: str) -> tuple[str, ...]:
    """The areas next to one; asked once where they are not all known."""
    known = game.map.next_to(area)
    if known is not None:
        return known
    some = game.map.beside(area)
    asked = f"Which areas are next to {title(area)}?" + (f" (known so far: {', '.join(map(title, some))})" if some else "")
    told = await game.printed(f"next:{area}", asked, rule, LIST)
    lost = [one for one in some if one not in told.split(", ")]
    follow(game, "next", area, told)
    if lost:
        cure = f"companion map lzalbany tell {area} next {', '.join((told, *lost))}"
        game.say(f"Until now {', '.join(map(title, lost))} lay next to {title(area)}. If so: {cure}", "6.2", tone="warning")
    return game.map.next_to(area) or ()


async def learn_beside(game: LzAlbany, pairs: Iterable[tuple[str, str]], rule: str) -> None:
    """[6.2, 7.3] What went from one area into another, or fired at it, shows that they are neighbours; it is learnt."""
    for one, other in dict.fromkeys((min(pair), max(pair)) for pair in pairs):
        areas = all(is_area(area) and area not in NAMED_BESIDE for area in (one, other))
        if areas and one != other and game.map.adjacent(one, other) is None:
            value = await game.infer_fact(beside_flag(one, other), BESIDE.read("yes"), rule)
            follow(game, "beside", f"{one} {other}", value)
            game.say(f"So {title(one)} and {title(other)} are next to each other.", rule, tone="reminder")


async def near_enemies(game: LzAlbany, area: str, side: str, rule: str) -> list[str]:
    """Areas next to one that hold platoons of a side."""
    return [there for there in await neighbours(game, area, rule) if game.stack(there, side)]


def in_sight(game: LzAlbany, side: str, area: str) -> bool | None:
    """[7.8, 11.1A] Whether an officer of a side sees an area, as far as is known; None where somebody must be asked."""
    where, posts = game.map, _posts(game, side)
    dark, unknown = game.dark(area), False
    for post in posts:
        seen = (post == area or where.adjacent(post, area)) if dark else where.sight(post, area)
        if seen:
            return True
        unknown = unknown or seen is None
    return None if unknown else False


async def spotted(game: LzAlbany, side: str, area: str, rule: str) -> bool:
    """[7.8, 10.3] Whether an unwounded officer of a side has an area in his line of sight; asked where nobody knows."""
    return bool(await spotter(game, side, area, rule))


async def spotter(game: LzAlbany, side: str, area: str, rule: str) -> str:
    """The area of an officer who sees another; "" where none does."""
    posts = _posts(game, side)
    if game.dark(area):
        posts = [post for post in posts if post == area or await _adjacent(game, post, area)]
        return posts[0] if posts else ""
    unknown: list[str] = []
    for post in posts:
        seen = game.map.sight(post, area)
        if seen:
            return post
        if seen is None:
            unknown.append(post)
    return await _ask_sight(game, side, unknown, area) if unknown else ""


def _posts(game: LzAlbany, side: str) -> list[str]:
    """Where a side has unwounded officers."""
    key = _posts, side
    known = game.position.cache_for(game.options)
    if key not in known:
        known[key] = sorted({piece.place for piece in game.on_map(side, OFFICER) if piece.face == FRONT})
    return list(known[key])


async def seen_after_all(game: LzAlbany, side: str, area: str, rule: str) -> bool:
    """[7.8] Whether a target is in sight; a player who has just said that nobody sees it chooses again.

    Raises:
        Illegal: it was known before that nobody does.
    """
    known = in_sight(game, side, area)
    if await spotted(game, side, area, rule):
        return True
    if known is False:
        game.forbid(f"no {side} officer sees {title(area)}", "7.8", "Choose another target")
        return True
    game.say(f"No {side} officer sees {title(area)}. Choose another target, or none.", "7.8")
    return False


async def in_range(game: LzAlbany, area: str, target: str, most: int) -> bool:
    """[7.4] Whether mortars of an area reach another; asked once where the map that was told does not say."""
    known = game.map.within(area, target, most)
    if known is not None:
        return known
    flag = range_flag(area, target)
    told = await game.printed(flag, f"Are {title(area)} and {title(target)} within {most} areas of each other?", "7.4", IN_RANGE)
    game.set_flag(flag, told, "7.4")
    return told == "yes"


async def next_door(game: LzAlbany, posts: Sequence[str], area: str, rule: str) -> bool:
    """[7.6(1), 7.7] Whether an area is next to one of several; its neighbours are asked for where nobody knows."""
    if any(game.map.adjacent(post, area) for post in posts):
        return True
    if all(game.map.adjacent(post, area) is not None for post in posts):
        return False
    await neighbours(game, area, rule)
    return any(game.map.adjacent(post, area) for post in posts)


async def _adjacent(game: LzAlbany, post: str, area: str) -> bool:
    known = game.map.adjacent(post, area)
    return area in await neighbours(game, post, "11.1A") if known is None else known


async def _ask_sight(game: LzAlbany, side: str, posts: Sequence[str], area: str) -> str:
    choices = [Choice(post, post if post == title(post) else title(post), "an officer is there") for post in posts]
    asked = f"Which officer sees {title(area)}? (up to 3 areas, not across jungle)"
    found = await game.put(side, Choose("spotter", asked, "7.8", [*choices, Choice("none", "none")], "none"))
    for post in posts if found == "none" else [found]:
        flag = sight_flag(post, area)
        await game.record_fact(flag, SIGHT.read("no" if found == "none" else "yes"), "7.8")
        game.set_flag(flag, "no" if found == "none" else "yes", "7.8")
    return "" if found == "none" else found


def place_reader(game: LzAlbany, *extra: str) -> Callable[[str], str]:
    """Reads an area as a player types it; ``extra`` are further words that can stand for a place."""
    where = game.map

    def read(text: str) -> str:
        word = text.strip().casefold()
        return word if word in extra else read_area(text, where.known(), where.whole())

    return read


def orders_to(game: LzAlbany, pieces: Sequence[Piece], *extra: str, home: str = "", apart: Sequence[str] = ()) -> Orders:
    """Orders to these counters, over the areas of this map and further words that can stand for a place."""
    return Orders(pieces, place_reader(game, *extra), home, apart)


def areas_notation(game: LzAlbany, nothing: str = "") -> Notation:
    """One area or several with commas between, in the order in which they are named; or a word for none."""
    reader = place_reader(game)

    def read(text: str) -> str:
        if nothing and text.strip().casefold() in ("", "-", nothing):
            return nothing
        return read_list(", ".join(reader(part) for part in text.replace(";", ",").split(",") if part.strip()))

    return Notation("areas", "b3", read)


def say_new(game: LzAlbany, area: str) -> None:
    """Say that an area is named for the first time, so that a slip of the pen is seen, and keep its name."""
    if is_area(area) and area not in game.map.known():
        game.set_flag(named_flag(area), True, "2.2")
        game.say(f"{title(area)} is a new name on your map.", "2.2", tone="reminder")

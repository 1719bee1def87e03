"""[2.2] What the printed facts of the map are on a position, and what of them cannot be true together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.core.errors import Unreadable
from companion.core.map import one_way_links
from companion.core.position import Position
from companion.core.text import natural_key
from companion.core.values import JsonObject
from companion.games.lzalbany.names import (
    MAP_PRACTICE,
    MAP_WHOLE,
    beside_flag,
    edge_flag,
    next_flag,
    range_flag,
    sight_flag,
    start_flag,
    terrain_flag,
)
from companion.games.lzalbany.words.areas import MORTAR_AREAS, NAMED, NAMED_BESIDE, SIGHT_AREAS, Map, Told, read_area, title

Flags = dict[str, str | bool | None]
RULES = {"area": "2.2", "next": "2.2", "los": "7.8", "range": "7.4", "beside": "6.2", "start": "3.2"}
"""The kinds of fact that the map is told in, each with the rule that asks for it."""
_OF_PAIRS = {"beside": beside_flag, "los": sight_flag, "range": range_flag}


def areas_in(name: str) -> tuple[str, ...]:
    """The areas that the key of a fact names behind its colon."""
    words = name.casefold().replace("lz ", "").split()
    return tuple(_area(word) for word in words)


def _area(word: str) -> str:
    try:
        return read_area(word)
    except Unreadable:
        return word


def flags_of(kind: str, name: str, value: str) -> Flags:
    """What a fact of the map is on a position; nothing where it names no area, or where two are needed not two."""
    areas = areas_in(name)
    if kind in _OF_PAIRS:
        return {_OF_PAIRS[kind](*areas): value} if len(areas) == 2 else {}
    if len(areas) != 1:
        return {}
    if kind == "area":
        terrain, _, edge = value.partition(" ")
        return {terrain_flag(areas[0]): terrain, edge_flag(areas[0]): edge or None}
    return {next_flag(areas[0]) if kind == "next" else start_flag(areas[0]): value}


def told_flags(facts: Mapping[str, str], kinds: Iterable[str] = tuple(RULES)) -> Flags:
    """What printed facts (full keys) of these kinds are on a position."""
    split = [(*key.partition(":")[::2], value) for key, value in facts.items()]
    return {flag: told for kind, name, value in split if kind in kinds for flag, told in flags_of(kind, name, value).items()}


def practice_areas(counters: JsonObject, which: str) -> Sequence[JsonObject]:
    """The areas of a made-up practice map of ours, out of the tables; none of a map of one's own."""
    found: Sequence[JsonObject] = counters[{"practice": "area"}.get(which, which)] if which not in ("", "own") else ()
    return found


def practice_flags(areas: Iterable[JsonObject]) -> Flags:
    """Our made-up practice map on a position, out of the tables."""
    found: Flags = {}
    for area in areas:
        name = area["name"]
        if name not in NAMED:
            found |= flags_of("area", name, f"{area['terrain']} {area['edge']}".strip())
        found |= {next_flag(name): area["next"], start_flag(name): area["start"] or None}
    return {**found, MAP_WHOLE: True, MAP_PRACTICE: True}


def contradictions(facts: Mapping[str, str]) -> list[str]:
    """What cannot be true together among printed facts of the map (full key -> value), each with its cure."""
    told = Told(told_flags(facts, ("next",)))
    return [*_named(facts), *_spelled(facts), *_lists(told), *_pairs(facts)]


def _named(facts: Mapping[str, str]) -> list[str]:
    """[6.3, 6.5] The areas that the rules name are as they say; nobody is next to itself."""
    found = []
    for key, value in facts.items():
        kind, _, name = key.partition(":")
        areas = areas_in(name) if kind in RULES else ()
        if kind in ("area", "start") and set(areas) & set(NAMED):
            found.append(f"the rules give the ground of {title(areas[0])} [6.3, 6.5]: leave {key} out")
        elif kind in _OF_PAIRS and len(set(areas)) != 2:
            found.append(f"{key} must name two areas [{RULES[kind]}]: like {kind}:b3 c4")
        elif kind == "next" and set(areas) & set(NAMED_BESIDE):
            found.append(f"{title(areas[0])} has no neighbours, only the ways of 6.5 [6.5]: leave {key} out")
        elif kind == "next":
            found += _of_list(areas, value.split(", "))
    return found


def _of_list(areas: tuple[str, ...], others: list[str]) -> list[str]:
    found = []
    for area in areas:
        if area in others:
            rest = ", ".join(one for one in others if one != area)
            found.append(f"{title(area)} cannot be its own neighbour [2.2]: {area} next {rest}")
        for other in sorted(set(others) & set(NAMED_BESIDE)):
            cure = f"leave it out, and enter the map edge instead, such as {area} jungle east"
            found.append(f"{title(other)} has no neighbours, and {title(area)} names it [6.5]: {cure}")
    return found


def _spelled(facts: Mapping[str, str]) -> list[str]:
    """[2.2] Two names that are one but for a hyphen or a nought."""
    named = {area for key in facts if key.partition(":")[0] in RULES for area in areas_in(key.partition(":")[2])}
    named |= {other for key, value in facts.items() if key.startswith("next:") for other in value.split(", ")}
    plain: dict[tuple[tuple[int, str], ...], list[str]] = {}
    for name in sorted(named):
        plain.setdefault(natural_key(name), []).append(name)
    return [
        f"{' and '.join(names)} look like one area under two names [2.2]: enter everything for {names[0]}"
        for names in plain.values()
        if len(names) > 1
    ]


def _lists(told: Told) -> list[str]:
    """[6.2] Whoever is next to an area has it for a neighbour."""
    found = []
    for one, other in one_way_links(told.next):
        both = ", ".join((*told.next[one], other))
        less = ", ".join(area for area in told.next[other] if area != one)
        cure = f"{one} next {both}" + (f", or {other} next {less}" if less else "")
        found.append(f"{title(other)} has {title(one)} next to it, and {title(one)} not {title(other)} [6.2]: {cure}")
    return found


def _pairs(facts: Mapping[str, str]) -> list[str]:
    """[6.2, 7.4, 7.8] What is told of two areas against what follows from their neighbours."""
    lists = _map_of(facts, "next")
    known = _map_of(facts, "area", "next", "beside")
    found = []
    for (one, other), told in Told(told_flags(facts, ("beside",))).pairs("beside"):
        found += _against(told, lists.adjacent(one, other), f"beside:{one} {other}", "6.2", "the neighbours that were entered")
    for (one, other), told in Told(told_flags(facts, ("los",))).pairs("los"):
        found += _against(told, known.sight(one, other), f"los:{one} {other}", "7.8", _far(known, one, other, SIGHT_AREAS))
    for (one, other), told in Told(told_flags(facts, ("range",))).pairs("range"):
        within = known.within(one, other, MORTAR_AREAS)
        found += _against(told, within, f"range:{one} {other}", "7.4", _far(known, one, other, MORTAR_AREAS))
    return found


def _map_of(facts: Mapping[str, str], *kinds: str) -> Map:
    return Map(Position(flags=told_flags(facts, kinds)))


def _against(told: str, follows: bool | None, key: str, rule: str, why: str) -> list[str]:
    if follows is None or follows == (told == "yes"):
        return []
    return [f"{key} was entered as {told}, against {why} [{rule}]: leave it out, or enter the neighbours again"]


def _far(known: Map, one: str, other: str, most: int) -> str:
    far = known.told.ranges(one).get(other)
    return f"the way of {far} from neighbour to neighbour" if far else f"neighbours by which it is more than {most}"

"""What the rules of LZ Albany forbid to stand on the table at the end of an action."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from companion.core.position import Piece, Position
from companion.games.lzalbany.areas import is_area
from companion.games.lzalbany.state import GROUPS, track_box
from tests.support.forbidden import Forbidden, Found

US_GROUPS = ("ab15", "ab27", "cd27")
BETWEEN = ("deploy", "reinforcement", "event")
"""Phases before the Action Phase: everything of the turn before has been cleared away."""
AFTER = ("rally", "administrative")
NIGHT = 9


def told(says: Callable[[Position], Iterable[str]]) -> Found:
    return lambda game, position: list(says(position))


def where(kind: str, wrong: Callable[[Piece, Position], bool]) -> Found:
    """Counters of a kind that stand where, or as, they must not."""
    return told(lambda position: [f"{p.name} in {p.place}" for p in position.of_kind(kind) if wrong(p, position)])


def anybody(wrong: Callable[[Piece, Position], bool]) -> Found:
    """Platoons, officers and wounded markers that stand where, or as, they must not."""
    kinds = ("unit", "officer", "wounded")
    return told(lambda at: [f"{p.name} in {p.place}" for kind in kinds for p in at.of_kind(kind) if wrong(p, at)])


def side(piece: Piece) -> str:
    return str(piece.values.get("side", ""))


def phase(position: Position) -> str:
    return str(position.flag("phase"))


def turn(position: Position) -> int:
    return position.track("turn")


def company(piece: Piece) -> str:
    return str(piece.values.get("company", ""))


def there(position: Position, area: str, kind: str, whose: str) -> list[Piece]:
    return [p for p in position.at(area) if p.kind == kind and side(p) == whose]


def areas(position: Position) -> set[str]:
    return {piece.place for piece in position.pieces.values() if is_area(piece.place)}


# -- the wounded -----------------------------------------------------------------------------------------------------------


def beside_the_living(position: Position) -> list[str]:
    alive = {f"W:{p.name}" for p in position.of_kind("unit") if is_area(p.place)}
    return [p.name for p in position.of_kind("wounded") if p.name in alive]


def markers_and_losses(position: Position) -> list[str]:
    """Each US platoon that is eliminated leaves one marker, be it on the map, flown out or destroyed."""
    markers, lost = len(position.of_kind("wounded")), len(there(position, "eliminated", "unit", "US"))
    return [] if markers == lost else [f"{markers} markers, {lost} platoons lost"]


def left_to_the_enemy(position: Position) -> list[str]:
    """By day a marker with nobody of its own beside it does not outlive the Action Phase among NVA platoons."""
    if phase(position) not in AFTER or turn(position) >= NIGHT:
        return []
    alone = [p for p in position.of_kind("wounded") if not guarded(position, p.place)]
    return [f"{p.name} in {p.place}" for p in alone if there(position, p.place, "unit", "NVA")]


def guarded(position: Position, area: str) -> bool:
    return bool(there(position, area, "unit", "US") or there(position, area, "officer", "US"))


def under_a_flare(position: Position) -> list[str]:
    if phase(position) not in AFTER or turn(position) < NIGHT:
        return []
    lit = {p.place for p in position.of_kind("flare")}
    return [p.name for p in position.of_kind("wounded") if p.place in lit and there(position, p.place, "unit", "NVA")]


# -- chits and flares ------------------------------------------------------------------------------------------------------


def full_tracks(position: Position) -> list[str]:
    used = {group: sum(position.count(track_box(group, way)) for way in ("fire", "move")) for group in GROUPS}
    return [f"{many} on the track of {group}" for group, many in used.items() if many > 2]


def other_tracks(position: Position) -> list[str]:
    boxes = [(group, track_box(group, way)) for group in GROUPS for way in ("fire", "move")]
    own = {group: "US Fire/Move" if group in US_GROUPS else "NVA Fire/Move" for group in GROUPS}
    return [f"{p.name} on the track of {group}" for group, box in boxes for p in position.at(box) if p.name != own[group]]


def too_early(piece: Piece, position: Position) -> bool:
    return piece.place not in ("to come", "out") and piece.number("turn") > turn(position)


def too_late(piece: Piece, position: Position) -> bool:
    due = piece.place in ("to come", "to place") and piece.number("turn") <= turn(position)
    spared = piece.name == "NVA Adrenaline" and bool(position.flag("retreat"))
    return due and not spared and phase(position) not in ("deploy", "reinforcement")


def wrong_box(piece: Piece, position: Position) -> bool:
    """A chit that is no Fire/Move chit lies in the box that is named after it, or is spent, if it has been drawn."""
    kind = str(piece.values.get("chit"))
    named = " ".join(kind.split()) if "adrenaline" in kind else kind.replace(" ", "")
    spent = ("box spent",) if "adrenaline" in kind or kind in ("us", "nva") else ()
    return kind not in ("us", "nva") and piece.place.startswith("box ") and piece.place not in (f"box {named}", *spent)


def flares_on_the_map(position: Position) -> int:
    return sum(is_area(p.place) for p in position.of_kind("flare"))


def flares_and_chits(position: Position) -> list[str]:
    chits = sum(p.name == "US Fire/Move" and p.place.startswith("box ") for p in position.of_kind("chit"))
    many = flares_on_the_map(position)
    return [f"{many} flares, {chits} chits"] if many > 2 * chits else []


def flares_and_track(position: Position) -> list[str]:
    left = position.count("flare track")
    return [] if position.track("flares") == left else [f"{left} on the track, which says {position.track('flares')}"]


# -- points ----------------------------------------------------------------------------------------------------------------


def points(position: Position, *items: str) -> int:
    held = [position.flag(f"vp:{item}") for item in items]
    return sum(one for one in held if isinstance(one, int))


def scored(item: str, each: int, many: Callable[[Position], int]) -> Found:
    """An item that has brought other points than so many for each."""

    def found(position: Position) -> list[str]:
        has, should = points(position, item), each * many(position)
        return [] if has == should else [f"{has} points, {should} by what is on the table"]

    return told(found)


def reduced(whose: str) -> Callable[[Position], int]:
    return lambda position: sum(p.face == "reduced" and side(p) == whose for p in position.of_kind("unit"))


def in_box(place: str, kind: str, whose: str, *names: str) -> Callable[[Position], int]:
    """How many of a kind and side lie in a box; of these names, where some are given."""
    return lambda position: sum(not names or p.name in names for p in there(position, place, kind, whose))


def track_and_items(track: str, *items: str) -> Found:
    def found(position: Position) -> list[str]:
        has, should = position.track(track), points(position, *items)
        return [] if has == should else [f"{track} {has}, its items {should}"]

    return told(found)


def counted_too_early(position: Position) -> list[str]:
    early = points(position, "us albany", "nva albany", "wounded left")
    return [f"{early} points"] if early and phase(position) != "over" else []


# -- where counters stand --------------------------------------------------------------------------------------------------


def crowded(position: Position) -> list[str]:
    if (turn(position), phase(position)) != (1, "event"):
        return []
    stacks = {(area, whose): len(there(position, area, "unit", whose)) for area in areas(position) for whose in ("US", "NVA")}
    return [f"{many} {whose} in {area}" for (area, whose), many in stacks.items() if many > 3]


def met_too_early(position: Position) -> list[str]:
    if (turn(position), phase(position)) != (1, "event"):
        return []
    return [a for a in sorted(areas(position)) if there(position, a, "unit", "US") and there(position, a, "unit", "NVA")]


def off_circles(position: Position) -> list[str]:
    """Who is not in an area with a circle of his side, where the map tells of such."""
    if (turn(position), phase(position)) != (1, "event"):
        return []
    told = {flag.partition(":")[2]: lot for flag, lot in position.flags.items() if flag.startswith("start:") and lot}
    lots = {"US": "us1", "NVA": "nva1"}
    pieces = [p for kind in ("unit", "officer") for p in position.of_kind(kind) if is_area(p.place)]
    return [f"{p.name} in {p.place}" for p in pieces if lots[side(p)] in told.values() and told.get(p.place) != lots[side(p)]]


def chits_left(position: Position) -> list[str]:
    many = position.count("pool")
    return [f"{many} in the pool"] if many and phase(position) in AFTER else []


FORBIDDEN = (
    Forbidden(
        "6.2C",
        "artillery outside LZ Columbus",
        where("unit", lambda p, at: p.values["type"] == "artillery" and is_area(p.place) and p.place != "columbus"),
        [("1/Art", "d2")],
    ),
    Forbidden(
        "6.5",
        "the US in the Transition Area",
        anybody(lambda p, at: side(p) == "US" and p.place == "transition"),
        [("1/A/2-7", "transition")],
    ),
    Forbidden(
        "6.4",
        "others than 1-5 waiting for the airlift",
        anybody(lambda p, at: p.place == "airlift" and not company(p).endswith("1-5")),
        [("1/A/2-7", "airlift")],
    ),
    Forbidden(
        "3.2C",
        "more than three platoons in an area before turn 1 is played",
        told(crowded),
        [*((f"{one}/A/2-7", "d2") for one in "1234"), ("flag:phase", "event")],
    ),
    Forbidden(
        "3.2E",
        "both sides in an area before turn 1 is played",
        told(met_too_early),
        [("1/A/2-7", "d2"), ("1/1/1/33", "d2"), ("flag:phase", "event")],
    ),
    Forbidden(
        "3.2C",
        "a counter outside its circles before turn 1 is played",
        told(off_circles),
        [("1/A/2-7", "b2"), ("flag:phase", "event")],
    ),
    Forbidden(
        "3.2D",
        "a counter in play before its turn",
        anybody(lambda p, at: p.kind != "wounded" and too_early(p, at)),
        [("1/B/1-5", "columbus")],
    ),
    Forbidden(
        "3.4",
        "a counter that has not come in on its turn",
        anybody(lambda p, at: p.kind != "wounded" and too_late(p, at)),
        [("flag:phase", "event")],
    ),
    Forbidden("5.1", "a chit in play before its turn", where("chit", too_early), [("Skyraider", "pool")]),
    Forbidden(
        "3.2F", "a chit that has not come in on its turn", where("chit", too_late), [("turn", "2"), ("flag:phase", "event")]
    ),
    Forbidden("3.6", "chits in the pool after the Action Phase", told(chits_left), [("flag:phase", "rally")]),
    Forbidden(
        "3.8",
        "drawn chits before the Action Phase",
        where("chit", lambda p, at: p.place.startswith("box ") and phase(at) in BETWEEN),
        [("NVA Adrenaline", "box nva adrenaline")],
    ),
    Forbidden(
        "3.5",
        "incident markers of the turn before",
        where("unit", lambda p, at: bool(p.marks.get("incident")) and phase(at) == "reinforcement"),
        [("flag:phase", "reinforcement"), ("1/A/2-7.incident", "no fire")],
    ),
    Forbidden(
        "5.2D",
        "activations of officers before the Action Phase",
        where("officer", lambda p, at: bool(p.marks.get("acts")) and phase(at) in BETWEEN),
        [("McDade.acts", "1")],
    ),
    Forbidden(
        "10.1",
        "a unit officer who has acted by himself twice",
        where("officer", lambda p, at: not p.values.get("senior") and p.marks.get("acts") == 2),
        [("co/A/2-7.acts", "2")],
    ),
    Forbidden(
        "5.2",
        "a third chit on a group's track",
        told(full_tracks),
        [(f"nva-fire/move#{number}", "box 33 move") for number in (9, 10, 11)],
    ),
    Forbidden("5.2A", "another chit on a group's track", told(other_tracks), [("US Adrenaline", "box ab27 fire")]),
    Forbidden("5.5", "a chit in another's box", where("chit", wrong_box), [("Skyraider", "box artillery")]),
    Forbidden(
        "5.2E",
        "NVA Adrenaline in the pool in the retreat",
        where("chit", lambda p, at: p.name == "NVA Adrenaline" and p.place == "pool" and bool(at.flag("retreat"))),
        [("flag:retreat", "yes"), ("NVA Adrenaline", "pool")],
    ),
    Forbidden(
        "4.1A",
        "a retreat without thirty points and its own three",
        told(lambda at: [f"US {at.track('us_vp')}"] if at.flag("retreat") and at.track("us_vp") < 33 else []),
        [("flag:retreat", "yes")],
    ),
    Forbidden(
        "2.3",
        "a counter among chits, flares or points",
        anybody(lambda p, at: p.place.startswith("box ") or p.place in ("pool", "flare track", "flares used")),
        [("1/A/2-7", "pool")],
    ),
    Forbidden(
        "5.3",
        "a chit on the map or among the losses",
        where("chit", lambda p, at: is_area(p.place) or p.place in ("eliminated", "dead", "evacuated", "left")),
        [("US Adrenaline", "d2")],
    ),
    Forbidden(
        "8.3",
        "a reduced platoon with hit markers",
        where("unit", lambda p, at: p.face == "reduced" and bool(p.marks.get("hits"))),
        [("1/A/2-7.face", "reduced"), ("1/A/2-7.hits", "2")],
    ),
    Forbidden(
        "8.2",
        "a platoon eliminated that was not reduced",
        where("unit", lambda p, at: p.place == "eliminated" and p.face != "reduced"),
        [("1/A/2-7", "eliminated")],
    ),
    Forbidden(
        "8.2",
        "officers or wounded among the platoons that are eliminated",
        anybody(lambda p, at: p.place == "eliminated" and p.kind != "unit"),
        [("co/A/2-7", "eliminated")],
    ),
    Forbidden("8.1", "a platoon among the dead", where("unit", lambda p, at: p.place == "dead"), [("1/A/2-7", "dead")]),
    Forbidden(
        "8.4",
        "a wounded marker of a platoon that is there",
        told(beside_the_living),
        [("1/A/2-7", "d2"), ("new:wounded:W:1/A/2-7", "d2")],
    ),
    Forbidden("8.2", "more or fewer wounded markers than losses", told(markers_and_losses), [("new:wounded:W1", "d2")]),
    Forbidden(
        "8.4C",
        "wounded left to the NVA after a day's Action Phase",
        told(left_to_the_enemy),
        [("flag:phase", "rally"), ("1/1/1/33", "d2"), ("new:wounded:W1", "d2")],
    ),
    Forbidden(
        "11.2",
        "wounded among the NVA under a flare after a night's Action Phase",
        told(under_a_flare),
        [("turn", "9"), ("flag:phase", "rally"), ("1/1/1/33", "d2"), ("new:wounded:W1", "d2"), ("Flare 1", "d2")],
    ),
    Forbidden(
        "10.4",
        "an officer dead who was not wounded",
        where("officer", lambda p, at: p.place == "dead" and p.face != "wounded"),
        [("co/A/2-7", "dead")],
    ),
    Forbidden(
        "6.3",
        "others than US wounded flown out",
        anybody(lambda p, at: p.place == "evacuated" and (side(p) != "US" or (p.kind != "wounded" and p.face != "wounded"))),
        [("1/A/2-7", "evacuated")],
    ),
    Forbidden(
        "5.2E",
        "somebody off the map without the retreat, or of the US",
        anybody(lambda p, at: p.place == "left" and (side(p) == "US" or not at.flag("retreat"))),
        [("1/1/1/33", "left")],
    ),
    Forbidden(
        "11.2",
        "flares over the map by day",
        told(lambda at: [f"{flares_on_the_map(at)} flares"] if flares_on_the_map(at) and turn(at) < NIGHT else []),
        [("Flare 1", "d2")],
    ),
    Forbidden("11.2", "more than two flares for a chit", told(flares_and_chits), [("turn", "9"), ("Flare 1", "d2")]),
    Forbidden("11.2", "a Flares track that does not count the flares", told(flares_and_track), [("flares", "3")]),
    Forbidden(
        "3.8",
        "flares used up before the first night was over",
        where("flare", lambda p, at: p.place == "flares used" and turn(at) <= NIGHT),
        [("Flare 1", "flares used")],
    ),
    Forbidden(
        "3.8",
        "flares over the map before the Action Phase",
        where("flare", lambda p, at: is_area(p.place) and phase(at) in BETWEEN),
        [("Flare 1", "d2")],
    ),
    Forbidden(
        "3.1",
        "a phase after the end of the game",
        told(lambda at: [phase(at)] if at.flag("over") and phase(at) != "over" else []),
        [("flag:over", "the end")],
    ),
    Forbidden(
        "4.2",
        "thirty-five NVA points and the game goes on",
        told(lambda at: [phase(at)] if at.track("nva_vp") >= 35 and phase(at) != "over" else []),
        [("nva_vp", "35"), ("flag:over", "the end"), ("flag:phase", "action")],
    ),
    Forbidden(
        "4.1",
        "US points that are not those of its schedule",
        track_and_items("us_vp", "man", "nva eliminated", "nva reduced", "evacuated", "us albany", "retreat"),
        [("us_vp", "5")],
    ),
    Forbidden(
        "4.1B",
        "NVA points that are not those of its schedule",
        track_and_items(
            "nva_vp",
            *("mcdade", "us officer", "us eliminated", "us reduced", "wounded destroyed", "wounded left"),
            *("air", "nva albany", "columbus"),
        ),
        [("nva_vp", "5")],
    ),
    Forbidden(
        "4.1A",
        "NVA losses that were not scored",
        scored("nva eliminated", 2, in_box("eliminated", "unit", "NVA")),
        [("1/1/1/33", "eliminated")],
    ),
    Forbidden(
        "4.1A",
        "reduced NVA platoons that were not scored",
        scored("nva reduced", 1, reduced("NVA")),
        [("1/1/1/33.face", "reduced")],
    ),
    Forbidden(
        "4.1B",
        "US losses that were not scored",
        scored("us eliminated", 2, in_box("eliminated", "unit", "US")),
        [("1/A/2-7", "eliminated")],
    ),
    Forbidden(
        "4.1B", "reduced US platoons that were not scored", scored("us reduced", 2, reduced("US")), [("1/A/2-7.face", "reduced")]
    ),
    Forbidden(
        "4.1A", "the death of Man not scored", scored("man", 2, in_box("dead", "officer", "NVA", "Man")), [("Man", "dead")]
    ),
    Forbidden(
        "4.1B", "McDade's death not scored", scored("mcdade", 2, in_box("dead", "officer", "US", "McDade")), [("McDade", "dead")]
    ),
    Forbidden(
        "4.1B",
        "wounded destroyed and not scored",
        scored("wounded destroyed", 2, in_box("dead", "wounded", "US")),
        [("new:wounded:W1", "dead")],
    ),
    Forbidden(
        "4.1A",
        "wounded flown out and not scored",
        scored("evacuated", 2, in_box("evacuated", "wounded", "US")),
        [("new:wounded:W1", "evacuated")],
    ),
    Forbidden(
        "4.1B",
        "a second melee in LZ Columbus scored",
        told(lambda at: [f"{points(at, 'columbus')} points"] if points(at, "columbus") > 2 else []),
        [("flag:vp:columbus", "4")],
    ),
    Forbidden("4.1C", "the points of the end before it", told(counted_too_early), [("flag:vp:us albany", "2")]),
    Forbidden(
        "4.1C",
        "LZ Albany controlled by both",
        told(lambda at: ["both"] if points(at, "us albany") and points(at, "nva albany") else []),
        [("flag:vp:us albany", "2"), ("flag:vp:nva albany", "2")],
    ),
)

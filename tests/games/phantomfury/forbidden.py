"""What the rulebook of Phantom Fury forbids to stand on the table at the end of an action."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

from companion.core.game import Game
from companion.core.position import Piece, Position
from companion.games.phantomfury.referee import ASSAULT, RUINED, SUPPORT, FuryReferee, last_turn
from companion.games.phantomfury.state import (
    enemies_in,
    is_controlled,
    is_squad,
    location_of,
    marker_of,
    on_map,
    section_of,
    short,
    squads_in,
    zone_of,
)
from companion.games.phantomfury.town import town_of
from tests.support.forbidden import Forbidden, Found

Pieces = Callable[[Position], Sequence[Piece]]
SIXTEEN = "new:squad:16"
"""A squad of the examples, which are put on the map of the small scenario."""
MOSQUE = ("flag:zones", "2 3 14 15 24 26")
"""Zone 26 is on the map."""


def squads(position: Position) -> list[Piece]:
    return [one for one in position.pieces.values() if is_squad(one)]


def out_there(*kinds: str) -> Pieces:
    return lambda position: [one for kind in kinds for one in position.of_kind(kind) if on_map(one)]


ENEMIES, ELEMENTS, TANKS, IIF = out_there("insurgent", "suspect"), out_there("element"), out_there("tank"), out_there("iif")
SQUADS = out_there("squad", "iif")


def each(choose: Pieces, wrong: Callable[[Position, Piece], object]) -> Found:
    """A fault of single pieces."""
    return lambda game, position: [f"{one.name} at {one.place}" for one in choose(position) if wrong(position, one)]


def together(choose: Pieces, wrong: Callable[[Position, str], object]) -> Found:
    """Several of these pieces in a place of a kind."""

    def found(game: Game, position: Position) -> list[str]:
        where = [one.place for one in choose(position)]
        return [f"{where.count(one)} in {one}" for one in dict.fromkeys(where) if where.count(one) > 1 and wrong(position, one)]

    return found


def in_zones(wrong: Callable[[Position, str], object]) -> Found:
    """A fault of Zones."""
    return lambda game, position: [f"Zone {zone}" for zone in position.members("zones") if wrong(position, zone)]


def once(wrong: Callable[[Position], object]) -> Found:
    """A fault of the whole table."""
    return lambda game, position: [f"turn {position.track('turn')}: {wrong(position)}"] if wrong(position) else []


def at_dawn(found: Found, first: int = 1) -> Found:
    """What the last Reorganisation Phase should have put right: looked for before anything has happened in the turn."""

    def look(game: Game, position: Position) -> list[str]:
        fresh = position.track("phase") == SUPPORT and not position.flag("support over") and position.track("turn") >= first
        return found(game, position) if fresh and not game.over(position) else []

    return look


def markers(position: Position, zone: str, name: str, kind: str = "marker") -> int:
    """How many markers of that name lie in the Control box of a Zone; all of a kind where none is named."""
    return sum(one.kind == kind and name in ("", one.name) for one in position.at(f"box {zone}"))


def doubled(name: str) -> Found:
    return in_zones(lambda position, zone: markers(position, zone, name) > 1)


# -- places ------------------------------------------------------------------------------------------------------------


def in_ruins(position: Position, piece: Piece) -> bool:
    return location_of(piece.place) in RUINED and markers(position, zone_of(piece.place), "Rubble") > 0


def in_27(position: Position, piece: Piece) -> bool:
    return zone_of(piece.place) == "27" or piece.place == "box 27"


def crowded(position: Position, zone: str) -> bool:
    return zone != "26" and not is_controlled(position, zone) and len(squads_in(position, zone)) > 1


def stacked(game: Game, position: Position) -> list[str]:
    """[12.2.2, 12.5.3] Together after the Movement Phase, though one of them could have moved on in its Zone (ruling C-67). Those
    brought back out of a street do not count; and after a squad has moved by an Assault it is unknown.
    """
    referee = game.referee(position, {})
    assert isinstance(referee, FuryReferee)
    back = position.members("brought back")
    held = {one.place for one in SQUADS(position)}
    roomy = {zone for zone in map(zone_of, held) if zone and any(f"{zone}-{one}" not in held for one in referee.locations(zone))}
    free = {one.place for one in SQUADS(position) if zone_of(one.place) in roomy and not referee.no_movement(one)}
    found = together(lambda now: [one for one in SQUADS(now) if short(one) not in back], lambda now, where: where in free)
    return found(game, position) if position.track("phase") == ASSAULT and not position.members("assaulted") else []


def where_no_iraqi_goes(position: Position, piece: Piece) -> bool:
    zone = zone_of(piece.place)
    return bool(zone) and zone != "26" and not is_controlled(position, zone)


# -- markers and what is with squads -----------------------------------------------------------------------------------


def wrong_nature(position: Position, zone: str) -> bool:
    marker = marker_of(position, zone)
    due = "Activated Strong Point" if zone == "26" else "Activated Start Zone" if zone in position.members("start") else ""
    return marker is not None and bool(due) and marker.name != due


def quiet_for_nothing(position: Position, zone: str) -> bool:
    return markers(position, zone, "No Insurgents Event") > 0 and zone not in {zone_of(one.place) for one in ELEMENTS(position)}


def apart(position: Position, element: Piece) -> bool:
    owner = position.pieces.get(str(element.values.get("squad")))
    return owner is not None and on_map(owner) and zone_of(owner.place) != zone_of(element.place)


def alone(position: Position, element: Piece) -> bool:
    return element.values.get("squad") not in {one.id for one in SQUADS(position)}


def not_the_only_one(position: Position, element: Piece) -> bool:
    return sum(one.values.get("squad") == element.values.get("squad") for one in ELEMENTS(position)) > 1


def loose_munitions(position: Position, squad: Piece) -> bool:
    return not squad.mark("caat") and bool(squad.mark("ammo") or squad.mark("explosives"))


def spent(position: Position, squad: Piece) -> bool:
    return bool(squad.mark("caat")) and not squad.mark("ammo") and not squad.mark("explosives")


def caats(position: Position) -> str:
    many = sum(bool(one.mark("caat")) for one in squads(position))
    return f"{many} CAATs" if many > 4 else ""


# -- what should have happened, or not yet -----------------------------------------------------------------------------


def not_taken(position: Position, zone: str) -> bool:
    return not is_controlled(position, zone) and bool(squads_in(position, zone)) and not enemies_in(position, zone)


def no_contact(position: Position) -> list[str]:
    town, zones = position.cached_from_flags(town_of), position.members("zones")
    around = set(chain.from_iterable(town.around(one) for one in zones if is_controlled(position, one)))
    return [f"Zone {one}" for one in zones if one in around and marker_of(position, one) is None]


def pinned_by_nobody(position: Position, squad: Piece) -> bool:
    town, zone = position.cached_from_flags(town_of), zone_of(squad.place)
    around = town.around(zone) if zone else town.sections[section_of(squad.place)].zones
    return bool(squad.mark("pinned")) and not any(enemies_in(position, one) for one in around)


def too_many_squads(position: Position) -> str:
    many = len(SQUADS(position))
    return f"{many} squads" if position.track("turn") == 1 and many > len(position.members("start")) else ""


def too_early(position: Position, piece: Piece) -> bool:
    return position.track("turn") < 2


def battalion_too_early(position: Position) -> bool:
    since = position.flag("battalion turn")
    return bool(position.flag("tally battalion_used")) and isinstance(since, int) and position.track("turn") < since


def iraqis_too_early(position: Position, piece: Piece) -> bool:
    since = position.flag("mosque reached")
    return not isinstance(since, int) or position.track("turn") <= since


def points_apart(game: Game, position: Position) -> list[str]:
    return [title for title, _, _ in game.score(position, {}).items if title.startswith("manual corrections")]


def won(position: Position) -> bool:
    return all(is_controlled(position, one) for one in position.members("zones"))


FORBIDDEN = (
    # places
    Forbidden("4.1.4", "anything in Zone 27", each(lambda now: list(now.pieces.values()), in_27), [("M1A1 1", "27-OG")]),
    Forbidden(
        "4.1.6",
        "a piece in 2, 2' or R of Ruins",
        each(out_there("squad", "insurgent", "element"), in_ruins),
        [(SIXTEEN, "24-2"), ("new:marker:Rubble", "box 24")],
    ),
    Forbidden(
        "5.1.6.1", "an IIF squad in a Zone of the insurgents but 26", each(IIF, where_no_iraqi_goes), [("new:iif:1", "14-C")]
    ),
    Forbidden(
        "5.1.6.1",
        "two IIF squads in a Location of Zone 26",
        together(IIF, lambda now, where: zone_of(where) == "26" and not is_controlled(now, "26")),
        [MOSQUE, ("new:iif:1", "26-C"), ("new:iif:2", "26-C")],
    ),
    Forbidden(
        "5.3.2.2", "an enemy in a street", each(ENEMIES, lambda now, one: section_of(one.place)), [("new:suspect", "street b")]
    ),
    Forbidden(
        "12.2.1.1", "two squads in a Zone of the insurgents", in_zones(crowded), [(SIXTEEN, "14-1"), ("new:squad:17", "14-C")]
    ),
    Forbidden(
        "12.2.1.2",
        "two enemies in a Location",
        together(ENEMIES, lambda now, where: True),
        [("new:suspect", "14-1"), ("new:insurgent:G1/M1", "14-1")],
    ),
    Forbidden(
        "12.2.2",
        "squads in one Location after the Movement Phase",
        stacked,
        [("control 14", "usmc"), (SIXTEEN, "14-C"), ("new:squad:17", "14-C"), ("phase", "4")],
    ),
    Forbidden(
        "12.2.3.2",
        "two squads in a Street Section",
        together(SQUADS, lambda now, where: section_of(where)),
        [(SIXTEEN, "street b"), ("new:squad:17", "street b")],
    ),
    Forbidden(
        "12.2.3.2",
        "two M1A1s in a Street Section",
        together(TANKS, lambda now, where: section_of(where)),
        [("M1A1 1", "street b"), ("new:tank:2 8", "street b")],
    ),
    Forbidden(
        "12.4.2",
        "a USMC squad in Zone 26",
        each(out_there("squad"), lambda now, one: zone_of(one.place) == "26"),
        [MOSQUE, (SIXTEEN, "26-C")],
    ),
    Forbidden(
        "12.6.2",
        "an M1A1 in a Location that is no Open Ground",
        each(TANKS, lambda now, one: zone_of(one.place) and location_of(one.place) != "OG"),
        [("M1A1 1", "14-C")],
    ),
    Forbidden(
        "13.6.3",
        "an enemy in a Zone under USMC Control",
        in_zones(lambda now, zone: is_controlled(now, zone) and enemies_in(now, zone)),
        [("new:suspect", "14-1"), ("control 14", "usmc")],
    ),
    # markers and what is with squads
    Forbidden(
        "4.1.3",
        "two Activation markers on a Zone",
        in_zones(lambda now, zone: markers(now, zone, "", "control") > 1),
        [("new:control:Activated Zone", "box 2")],
    ),
    Forbidden(
        "4.1.5",
        "a nature that Zone 26 or a start Zone has not",
        in_zones(wrong_nature),
        [MOSQUE, ("new:control:Activated Zone", "box 26")],
    ),
    Forbidden("4.1.6", "Rubble twice", doubled("Rubble"), [("new:marker:Rubble", "box 24"), ("new:marker:Rubble", "box 24")]),
    Forbidden("5.1.4.1", "munitions without a CAAT", each(squads, loose_munitions), [(SIXTEEN, "14-C"), ("Squad 16.ammo", "2")]),
    Forbidden(
        "5.1.4.3",
        "marks on a squad off the map",
        each(squads, lambda now, one: not on_map(one) and one.marks),
        [(SIXTEEN, "company box"), ("Squad 16.hero", "Silver Star")],
    ),
    Forbidden(
        "5.1.6.2",
        "a Hero or a CAAT with an IIF squad",
        each(lambda now: now.of_kind("iif"), lambda now, one: one.mark("hero") or one.mark("caat")),
        [("new:iif:1", "3-C"), ("IIF 1.hero", "Silver Star")],
    ),
    Forbidden(
        "6.1.1",
        "what does not belong in the Insurgents cup",
        each(lambda now: now.at("insurgents cup"), lambda now, one: one.kind != "insurgent"),
        [("M1A1 1", "insurgents cup")],
    ),
    Forbidden(
        "6.1.3",
        "what does not belong in the Suspects cup",
        each(lambda now: now.at("suspects cup"), lambda now, one: one.kind != "suspect"),
        [("M1A1 1", "suspects cup")],
    ),
    Forbidden(
        "6.3",
        "reduced Reinforcements",
        each(squads, lambda now, one: one.place in ("company box", "battalion box", "iraqi box") and one.face != "front"),
        [(SIXTEEN, "company box"), ("Squad 16.face", "reduced")],
    ),
    Forbidden(
        "6.3.1",
        "more than four CAATs",
        once(caats),
        [change for number in range(16, 21) for change in ((f"new:squad:{number}", "14-C"), (f"Squad {number}.caat", "yes"))],
    ),
    Forbidden(
        "11.5",
        "a squad Pinned and Fired",
        each(squads, lambda now, one: one.mark("pinned") and one.mark("fired")),
        [(SIXTEEN, "14-C"), ("Squad 16.fired", "yes"), ("Squad 16.pinned", "yes")],
    ),
    Forbidden(
        "12.3.2.1",
        "a Security Element in no Courtyard and on no Rooftop",
        each(ELEMENTS, lambda now, one: location_of(one.place) not in ("C", "R")),
        [(SIXTEEN, "14-C"), ("new:element:16", "14-1")],
    ),
    Forbidden(
        "12.3.2.1",
        "two Security Elements of a squad",
        each(ELEMENTS, not_the_only_one),
        [(SIXTEEN, "14-C"), ("new:element:16", "14-C"), ("new:element:16", "14-C")],
    ),
    Forbidden(
        "12.3.2.2",
        "a squad in another Zone than its Security Element",
        each(ELEMENTS, apart),
        [(SIXTEEN, "14-C"), ("new:element:16", "24-C")],
    ),
    Forbidden(
        "13.4.3.3",
        "Fanaticism in a Zone under USMC Control",
        in_zones(lambda now, zone: is_controlled(now, zone) and markers(now, zone, "Fanaticism")),
        [("control 14", "usmc"), ("new:marker:Fanaticism", "box 14")],
    ),
    Forbidden(
        "13.4.3.3",
        "Fanaticism twice",
        doubled("Fanaticism"),
        [("new:marker:Fanaticism", "box 14"), ("new:marker:Fanaticism", "box 14")],
    ),
    Forbidden(
        "13.6.4",
        "No Insurgents Event without a Security Element",
        in_zones(quiet_for_nothing),
        [("new:marker:No Insurgents Event", "box 14")],
    ),
    Forbidden(
        "13.6.4",
        "No Insurgents Event twice",
        doubled("No Insurgents Event"),
        [("new:marker:No Insurgents Event", "box 14"), ("new:marker:No Insurgents Event", "box 14")],
    ),
    # what should have happened, or not yet
    Forbidden("7.0", "a turn after the last one", once(lambda now: now.track("turn") > last_turn(now)), [("turn", "6")]),
    Forbidden(
        "7.2",
        "no victory though every Zone is taken",
        at_dawn(once(won)),
        [(f"control {zone}", "usmc") for zone in (2, 3, 14, 15, 24)],
    ),
    Forbidden("7.2.1", "points that nothing counts", points_apart, [("vp", "5")]),
    Forbidden("10.1", "Company Reinforcements in turn 1", once(too_many_squads), [(SIXTEEN, "14-C")]),
    Forbidden("10.2", "an M1A1 in turn 1", each(TANKS, too_early), [("M1A1 1", "street nw")]),
    Forbidden(
        "10.3", "Battalion Reinforcements before their turn", once(battalion_too_early), [("flag:tally battalion_used", "1")]
    ),
    Forbidden(
        "10.4", "IIF squads before the turn after Zone 26 was reached", each(IIF, iraqis_too_early), [("new:iif:1", "3-C")]
    ),
    Forbidden(
        "14.1.1",
        "a Zone with a squad and no enemy that was not taken",
        at_dawn(in_zones(not_taken), 2),
        [(SIXTEEN, "14-C"), ("turn", "2")],
    ),
    Forbidden(
        "14.2", "a Zone beside one under USMC Control that was not Activated", at_dawn(once(no_contact)), [("control 2", "usmc")]
    ),
    Forbidden(
        "14.3.1",
        "a Security Element left in a Zone under USMC Control",
        at_dawn(each(ELEMENTS, lambda now, one: is_controlled(now, zone_of(one.place)))),
        [("control 14", "usmc"), (SIXTEEN, "14-C"), ("new:element:16", "14-C")],
    ),
    Forbidden(
        "14.3.2",
        "a Security Element without its squad",
        at_dawn(each(ELEMENTS, alone)),
        [(SIXTEEN, "company box"), ("new:element:16", "14-C")],
    ),
    Forbidden(
        "14.3.3",
        "a Fired unit in a new turn",
        at_dawn(each(out_there("squad", "iif", "tank"), lambda now, one: one.mark("fired"))),
        [(SIXTEEN, "14-C"), ("Squad 16.fired", "yes")],
    ),
    Forbidden(
        "14.3.4",
        "a squad Pinned with no enemy around",
        at_dawn(each(SQUADS, pinned_by_nobody)),
        [(SIXTEEN, "24-C"), ("Squad 16.pinned", "yes")],
    ),
    Forbidden(
        "14.3.5", "a CAAT that has spent everything", at_dawn(each(squads, spent)), [(SIXTEEN, "14-C"), ("Squad 16.caat", "yes")]
    ),
)

"""What the rules of Iraq War 2003 forbid to lie on the table at the end of an action."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from companion.core.position import Piece, Position
from tests.games.iraqwar2003.field import FACTS
from tests.support.forbidden import Forbidden, Found

SIDES = ("coalition", "iraq")
WEST = ("us", "british", "kdp", "puk")
TURNS, FIELDS, RADIOS, MARKERS = int(FACTS["turns"]), 3, 4, 8
BONUS = ("Mosul", "Kirkuk", "Tikrit")
ON_TURN = (("flag:phase", "operations"),)
IRAQI_TURN = (("flag:side", "iraq"), ("flag:phase", "operations"))


def told(says: Callable[[Position], Iterable[str]]) -> Found:
    return lambda game, position: list(says(position))


def where(position: Position, kind: str, wrong: Callable[[Piece], object]) -> list[str]:
    """The pieces of a kind that are wrong, by name."""
    return [f"{piece.name} in {piece.place}" for piece in position.of_kind(kind) if wrong(piece)]


def kept(kind: str, *places: str) -> Found:
    """No piece of a kind anywhere but in these places; ``map`` is the hexes too."""
    return told(lambda position: where(position, kind, lambda piece: not (piece.place in places or in_hex(piece, places))))


def in_hex(piece: Piece, places: Iterable[str] = ("map",)) -> bool:
    return "map" in places and len(piece.place) == 4 and piece.place.isdecimal()


def on_map(piece: Piece) -> bool:
    return piece.place == "map" or in_hex(piece)


def by_flag(name: str, wrong: Callable[[Position], bool] = lambda position: True) -> Found:
    """A flag that is not to be set."""
    return told(lambda position: [name] if position.flag(name) not in (None, "no") and wrong(position) else [])


def side_of(piece: Piece) -> str:
    return SIDES[piece.values.get("nation") not in WEST]


def side(position: Position) -> str:
    return str(position.flag("side"))


def phase(position: Position) -> str:
    return str(position.flag("phase"))


def acting(position: Position) -> bool:
    return phase(position) == "operations"


def on(position: Position, option: str) -> bool:
    return position.flag(f"option {option}") == "on"


def air(position: Position, wrong: Callable[[Piece], object]) -> list[str]:
    return where(position, "air", wrong)


def units(position: Position, wrong: Callable[[Piece], object]) -> list[str]:
    return where(position, "unit", wrong)


def in_the_wrong_box(position: Position) -> list[str]:
    return air(position, lambda piece: piece.place in [f"{other} {box}" for box in ("available", "used")
                                                       for other in SIDES if other != side_of(piece)])  # fmt: skip


def used_at_the_start(position: Position) -> list[str]:
    """Between the end of a turn and the first phase of the next nothing but ships is used."""
    started = phase(position) == "facility"
    return air(position, lambda piece: started and piece.place.endswith("used") and piece.values.get("type") != "naval")


def flown(position: Position) -> int:
    return sum(piece.kind == "air" for piece in position.at("iraq used"))


def fields_before(position: Position) -> int:
    """Air Fields that stood when the turn began."""
    now = position.track("turn")
    return sum(box.values.get("box") == "airfield" and box.mark("damaged") in (None, now) for box in position.of_kind("box"))


def too_many_flown(position: Position) -> list[str]:
    return [f"{flown(position)} for {FIELDS}"] if flown(position) > FIELDS else []


def flown_without_fields(position: Position) -> list[str]:
    return [f"{flown(position)} used"] if flown(position) and not fields_before(position) else []


def flown_for_lost_fields(position: Position) -> list[str]:
    many, fields = flown(position), fields_before(position)
    return [f"{many} for {fields}"] if 0 < fields < many else []


def moved_outside(position: Position) -> list[str]:
    return units(position, lambda piece: piece.mark("moved") and not acting(position))


def moved_by_others(position: Position) -> list[str]:
    return units(position, lambda piece: piece.mark("moved") and side_of(piece) != side(position))


def acted_disrupted(position: Position) -> list[str]:
    return units(position, lambda piece: piece.mark("moved") and piece.mark("disrupted"))


def points_of_the_other(position: Position) -> list[str]:
    return [f"{position.track('cp')} CP"] if position.track("cp") and side(position) != "iraq" else []


def points_too_early(position: Position) -> list[str]:
    early = side(position) == "iraq" and not acting(position)
    return [f"{position.track('cp')} CP"] if early and position.track("cp") else []


def too_many_points(position: Position) -> list[str]:
    return [f"{position.track('cp')} CP"] if position.track("cp") > max(6, RADIOS) else []


def points_by_radio_without_saddam(position: Position) -> list[str]:
    found = position.flag("saddam") == "found"
    return [f"{position.track('cp')} CP"] if found and position.track("cp") > 6 else []


def facility_of_iraq(position: Position) -> list[str]:
    return ["the phase"] if side(position) == "iraq" and phase(position) == "facility" else []


def beyond_the_last_turn(position: Position) -> list[str]:
    late = position.track("turn") > TURNS and position.flag("over") is None
    return [f"turn {position.track('turn')} of {TURNS}"] if late else []


def over_too_early(position: Position) -> list[str]:
    return ["it is over"] if position.flag("over") is not None and position.track("turn") <= TURNS else []


def early_reinforcements(position: Position) -> list[str]:
    now = position.track("turn")
    return units(position, lambda piece: on_map(piece) and piece.number("turn") > now)


def reinforcements_without_the_option(position: Position) -> list[str]:
    return units(position, lambda piece: on_map(piece) and piece.number("turn") and not on(position, "reinforcements"))


def turks_without_the_option(position: Position) -> list[str]:
    return units(
        position,
        lambda piece: (on_map(piece) or piece.place == "removed") and nation(piece) == "turkey" and not on(position, "turkey"),
    )


def nation(piece: Piece) -> str:
    return str(piece.values.get("nation"))


def marked_off_the_map(position: Position) -> list[str]:
    return units(position, lambda piece: piece.place == "off map" and (piece.marks or piece.face != "front"))


def markers_without_the_palace(position: Position) -> list[str]:
    return where(position, "palace", lambda piece: not on(position, "palace"))


def too_many_markers(position: Position) -> list[str]:
    many = len(position.of_kind("palace"))
    return [f"{many} markers"] if many > MARKERS else []


def too_many_uncovered(position: Position) -> list[str]:
    gone = where(position, "palace", lambda piece: piece.place != "palace")
    return gone if len(gone) > position.track("turn") else []


def minister_gone(position: Position) -> list[str]:
    return where(position, "palace", lambda piece: piece.values.get("palace") == "sahaf" and piece.place != "palace")


def saddam_twice(position: Position) -> list[str]:
    found = position.flag("saddam") == "found"
    return where(position, "palace", lambda piece: found and piece.values.get("palace") == "saddam" and piece.place == "palace")


def saddam_unseen(position: Position) -> list[str]:
    unsaid = position.flag("saddam") != "found"
    return where(position, "palace", lambda piece: unsaid and piece.values.get("palace") == "saddam" and piece.place != "palace")


def seen_markers(position: Position) -> list[str]:
    return where(position, "palace", lambda piece: piece.place == "palace" and piece.face != "back")


def damaged_later(position: Position) -> list[str]:
    now = position.track("turn")
    return where(position, "box", lambda box: isinstance(turn := box.mark("damaged"), int) and turn > now)


def out_of_its_site(position: Position) -> list[str]:
    return where(position, "box", lambda box: box.place not in (f"{box.values.get('site')} site", "off"))


def destroyed_twice(position: Position) -> list[str]:
    return [name for name, many in Counter(piece.name for piece in position.at("roads")).items() if many > 1]


def bonuses(position: Position) -> list[str]:
    return [name.partition(":")[2] for name in position.flags if name.startswith("kurdish bonus:")]


def bonus_too_early(position: Position) -> list[str]:
    return bonuses(position) if position.track("turn") <= 2 else []


def bonus_elsewhere(position: Position) -> list[str]:
    return [place for place in bonuses(position) if place not in BONUS]


def too_long_in_kuwait(position: Position) -> list[str]:
    times = position.track("kuwait")
    return [f"{times} times"] if times >= position.track("turn") else []


def too_many_conferences(position: Position) -> list[str]:
    times = position.track("sahaf")
    return [f"{times} conferences"] if times > position.track("turn") else []


def conferences_without_the_palace(position: Position) -> list[str]:
    return ["a conference"] if position.track("sahaf") and not on(position, "palace") else []


def stacks(position: Position) -> dict[str, list[Piece]]:
    """The ground units in each hex that is told."""
    return {place: found for place, pieces in position.places().items() if (found := [one for one in pieces if in_hex(one)])}


def overfull(position: Position) -> list[str]:
    sizes = {place: sum(1 + bool(nation(one) == "iraq" and one.values.get("big")) for one in them)
             for place, them in stacks(position).items()}  # fmt: skip
    return [f"{size} in {place}" for place, size in sizes.items() if size > 3]


def mixed(position: Position, what: Callable[[Piece], str]) -> list[str]:
    return [place for place, them in stacks(position).items() if len({what(one) for one in them} - {""}) > 1]


def without(option: str) -> Callable[[Position], bool]:
    return lambda position: not on(position, option)


FORBIDDEN = (
    Forbidden("2.1.3", "an air unit in a box of the other side", told(in_the_wrong_box), [("MiG-23", "coalition available")]),
    Forbidden(
        "2.1.4",
        "an air unit outside its boxes",
        kept("air", "coalition available", "coalition used", "iraq available", "iraq used", "removed", "off"),
        [("F-15", "map")],
    ),
    Forbidden("2.1.1(1)", "a ground unit in a box", kept("unit", "map", "off map", "removed", "off"), [("1/3ID", "roads")]),
    Forbidden("8.1", "more units in a hex than its limit", told(overfull), [("11D", "2231"), ("51M", "2231")]),
    Forbidden("8.1(3)", "two nations in a hex", told(lambda position: mixed(position, nation)),
              [("1/3ID", "2231"), ("7Arm", "2231")]),
    Forbidden("8.1(1)", "two divisions in a hex",
              told(lambda position: mixed(position, lambda one: str(one.values.get("division", "")))),
              [("1/3ID", "2231"), ("RCT1", "2231")]),
    Forbidden("12.1(4)", "units of both sides in a hex", told(lambda position: mixed(position, side_of)),
              [("1/3ID", "2231"), ("SF1", "2231")]),
    Forbidden("4.3(1)", "an air unit used before a turn has begun", told(used_at_the_start), [("F-15", "coalition used")]),
    Forbidden(
        "5.8.2(1)",
        "more Iraqi air units used than there are Air Fields",
        told(too_many_flown),
        [("flag:phase", "bombing"), *((name, "iraq used") for name in ("MiG-23", "MiG-25", "Su-20", "Su-25"))],
    ),
    Forbidden(
        "6.4(4)",
        "more Iraqi air units used than there are Air Fields left",
        told(flown_for_lost_fields),
        [("turn", "2"), ("base airfield 1.damaged", "1"), ("base airfield 2.damaged", "1"),
         ("MiG-23", "iraq used"), ("MiG-25", "iraq used")],
    ),
    Forbidden(
        "5.8.2(2)",
        "an Iraqi air unit used without an Air Field",
        told(flown_without_fields),
        [("turn", "2"), *((f"base airfield {number}.damaged", "1") for number in (1, 2, 3)), ("MiG-23", "iraq used")],
    ),
    Forbidden(
        "2.6",
        "a damaged marker for an air unit elsewhere than in the Iraqi Used box",
        kept("marker", "iraq used", "off"),
        [("new:marker:Damaged marker", "coalition used")],
    ),
    Forbidden("4.1(4-3)", "a moved marker outside the Operation Phase", told(moved_outside), [("1/3ID.moved", "yes")]),
    Forbidden(
        "4.1(4-1)", "a moved marker on a unit of the other player", told(moved_by_others), [*ON_TURN, ("SRG1.moved", "yes")]
    ),
    Forbidden(
        "7.3.1(1)",
        "a disrupted unit that has acted",
        told(acted_disrupted),
        [*ON_TURN, ("1/3ID.disrupted", "yes"), ("1/3ID.moved", "yes")],
    ),
    Forbidden("11.3", "command points in the Coalition's player turn", told(points_of_the_other), [("cp", "3")]),
    Forbidden(
        "4.2(2)",
        "command points before the Iraqi Supply Check",
        told(points_too_early),
        [("flag:side", "iraq"), ("flag:phase", "bombing"), ("cp", "3")],
    ),
    Forbidden("11.1", "more command points than Radios or the die bring", told(too_many_points), [*IRAQI_TURN, ("cp", "9")]),
    Forbidden(
        "16.1(4)",
        "more command points than the die brings",
        told(points_by_radio_without_saddam),
        [*IRAQI_TURN, ("flag:saddam", "found"), ("cp", "9")],
    ),
    Forbidden("4.2(1)", "a Facility Bombing Phase of Iraq", told(facility_of_iraq), [("flag:side", "iraq")]),
    Forbidden("2.1.5(1)", "a turn beyond the last", told(beyond_the_last_turn), [("turn", "5")]),
    Forbidden("15.1", "an end before the last turn", told(over_too_early), [("flag:over", "somebody gave up")]),
    Forbidden("16.8(1)", "a reinforcement before its turn", told(early_reinforcements), [("4ID", "3241")]),
    Forbidden("2.2.10", "a reinforcement without the option", told(reinforcements_without_the_option), [("4ID", "map")],
              {"reinforcements": "off"}),
    Forbidden("16.10", "the Turkish unit without the option", told(turks_without_the_option),
              [("new:unit:turkey TRK 4-4-4", "0803")], {"turkey": "off"}),
    Forbidden("2.2.12", "a marker or a loss on a unit that has not come yet", told(marked_off_the_map), [("4ID.oos", "yes")]),
    Forbidden("2.7", "a palace marker without the option", told(markers_without_the_palace), [("new:palace:dummy", "palace")],
              {"palace": "off"}),
    Forbidden("16.1(1)", "more than eight palace markers", told(too_many_markers), [("new:palace:dummy", "palace")],
              {"palace": "on"}),
    Forbidden("16.1", "more palace markers uncovered than there were turns", told(too_many_uncovered),
              [("Sadam Husein", "off"), ("I.M. Sahaf", "off")], {"palace": "on"}),
    Forbidden("16.1(6)", "the minister out of the game", told(minister_gone), [("I.M. Sahaf", "off")], {"palace": "on"}),
    Forbidden("16.1(3)", "Saddam Hussein found, and still among the markers", told(saddam_twice), [("flag:saddam", "found")],
              {"palace": "on"}),
    Forbidden("16.1(5)", "Saddam Hussein uncovered and not found", told(saddam_unseen), [("Sadam Husein", "off")],
              {"palace": "on"}),
    Forbidden("16.1(2)", "a palace marker whose back can be seen", told(seen_markers), [("I.M. Sahaf.face", "front")],
              {"palace": "on"}),
    Forbidden("6.4", "a box destroyed on a turn to come", told(damaged_later), [("comm radio 1.damaged", "5")]),
    Forbidden("6.1.2", "a box outside its site", told(out_of_its_site), [("comm radio 1", "base site")]),
    Forbidden("14.3", "the roads of a hex destroyed twice", told(destroyed_twice),
              [("new:roads:roads of 1722", "roads"), ("new:roads:roads of 1722", "roads")]),
    Forbidden("14.2", "a marker of destroyed roads that lies on no hex", kept("roads", "roads", "off"),
              [("new:roads:roads of 1722", "map")]),
    Forbidden("16.6(3)", "air units grounded when the segment is over", by_flag("grounded"), [("flag:grounded", "yes")]),
    Forbidden("16.6(2)", "a sand storm without the option", by_flag("storm", without("sand_storms")), [("flag:storm", "yes")],
              {"sand_storms": "off"}),
    Forbidden("16.2(1)", "a drop without the option", by_flag("dropped", without("paratroops")), [("flag:dropped", "yes")],
              {"paratroops": "off", "recommended": "off"}),
    Forbidden("16.7(2)", "the railroad used outside the Iraqi Operation Phase",
              by_flag("rail", lambda position: side(position) != "iraq" or not acting(position)), [("flag:rail", "yes")]),
    Forbidden("16.7", "the railroad used without the option", by_flag("rail", without("railway")),
              [*IRAQI_TURN, ("flag:rail", "yes")], {"railway": "off"}),
    Forbidden("15.2", "Iraqis in Kuwait at the end of more turns than there were", told(too_long_in_kuwait), [("kuwait", "1")]),
    Forbidden("15.2", "a Kurdish bonus before the end of turn 2", told(bonus_too_early), [("flag:kurdish bonus:Mosul", "yes")]),
    Forbidden("15.2", "a Kurdish bonus for another place", told(bonus_elsewhere), [("flag:kurdish bonus:Najaf", "yes")]),
    Forbidden("16.1(6)", "more press conferences than turns", told(too_many_conferences), [("sahaf", "2")], {"palace": "on"}),
    Forbidden("16.0", "a press conference without the palace", told(conferences_without_the_palace), [("sahaf", "1")],
              {"palace": "off"}),
)  # fmt: skip

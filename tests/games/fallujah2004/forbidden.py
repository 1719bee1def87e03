"""What the rules of Fallujah 2004 forbid to stand on the table between two actions.

The limits of 8.2 for battalions, companies and helicopters are not among it: a withdrawal may break them, and nothing that
stands on the table tells a withdrawal from a move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from companion.core.position import Piece, Position
from companion.games.fallujah2004.notation import BASES, on_map
from tests.games.fallujah2004.field import SPACES
from tests.support.forbidden import Forbidden, Found

BRIDGES = ("1-6", "1-7")
REMOVED = ("blow_bridges", "iraqis_balk", "negotiations")
"""The events that leave the game when they are done [14.5]."""


def event(piece: Piece) -> str:
    return str(piece.values.get("event", ""))


def kind_of(piece: Piece) -> str:
    return str(piece.values.get("type", ""))


def told(says: Callable[[Position], Iterable[str]]) -> Found:
    return lambda game, position: list(says(position))


def any_such(wrong: Callable[[Piece], bool]) -> Found:
    """No piece of which that is so."""
    return told(lambda position: [f"{piece.name} at {piece.place}" for piece in position.pieces.values() if wrong(piece)])


def nothing_but(place: str, right: Callable[[Piece], bool]) -> Found:
    """Every piece in a place is one of these."""
    return any_such(lambda piece: piece.place == place and not right(piece))


def twice(position: Position, piled: Callable[[Piece], bool]) -> list[str]:
    """The spaces with more than one such piece."""
    places = Counter(piece.place for piece in position.pieces.values() if on_map(piece.place) and piled(piece))
    return [f"{many} in {place}" for place, many in places.items() if many > 1]


def is_node(piece: Piece) -> bool:
    return piece.kind in ("node", "concealed")


def is_fob(piece: Piece) -> bool:
    return kind_of(piece) == "fob"


def unseen_under_units(position: Position) -> list[str]:
    units = {piece.place for piece in position.of_kind("unit") if on_map(piece.place)}
    return sorted(units & {piece.place for piece in position.of_kind("concealed")})


def turned_up_twice(position: Position) -> list[str]:
    """Every Node that somebody has seen was concealed before."""
    seen = sum(piece.place != "node cup" for piece in position.of_kind("node"))
    turned = sum(piece.place == "off" for piece in position.of_kind("concealed"))
    return [f"{seen} seen, {turned} turned up"] if seen != turned else []


def leaders_astray(position: Position) -> list[str]:
    """A leader is with a unit that is in play, or in a box."""
    found = []
    for leader in position.of_kind("leader"):
        unit = position.pieces.get(str(leader.marks.get("with", "")))
        in_play = unit is not None and (on_map(unit.place) or unit.place in BASES)
        if (leader.place == "leading") != in_play:
            found.append(f"{leader.name} at {leader.place}, with {unit.name if unit else 'nobody'}")
    return found


def kept_too_soon(position: Position) -> list[str]:
    second = position.flag("campaign") and position.flag("battle") == 2
    return [] if second else [piece.name for piece in position.at("kept")]


def fallen_out(position: Position) -> list[str]:
    """OPFOR units are out of play for the second battle of a campaign only, and of them only HVT."""
    second = position.flag("campaign") and position.flag("battle") == 2
    return [one.name for one in position.of_kind("opfor") if one.place == "out" and not (second and kind_of(one) == "hvt")]


def on_the_map_too_soon(position: Position) -> list[str]:
    if position.flag("stage") != "set-up":
        return []
    return [piece.name for piece in position.of_kind("unit") if on_map(piece.place) or piece.place == "eliminated"]


def uprising_and_its_marker(position: Position) -> list[str]:
    marker = any(event(piece) == "uprising_elsewhere" for piece in position.at("in play"))
    return [] if marker == bool(position.flag("uprising")) else [f"flag {position.flag('uprising')}, marker {marker}"]


def penniless(position: Position) -> list[str]:
    at_play = position.flag("stage") == "play" and not position.flag("over")
    return [f"{position.track('ops')} OPs"] if at_play and position.track("ops") <= 0 else []


def over_by_halves(position: Position) -> list[str]:
    over = bool(position.flag("over"))
    return [f"{position.flag('stage')}"] if (position.flag("stage") == "over") != over else []


def judged_too_soon(position: Position) -> list[str]:
    judged = [flag for flag in ("msr cleared", "holy held") if position.flag(flag) is not None]
    return [] if position.flag("over") else judged


def won_and_going_on(position: Position) -> list[str]:
    return ["campaign"] if position.flag("campaign") == "won" and not position.flag("over") else []


def moved_by_itself(position: Position) -> list[str]:
    """A Node of the set-up stays in its space until it is turned up."""
    tokens = [piece for piece in position.of_kind("concealed") if piece.marks.get("first") and piece.place != "off"]
    return [f"from {piece.marks['first']} to {piece.place}" for piece in tokens if piece.marks["first"] != piece.place]


def off_the_map(position: Position) -> list[str]:
    return [f"{piece.name} at {piece.place}" for piece in position.pieces.values() if SPACES.get(piece.place) == "none"]


FORBIDDEN = (
    Forbidden("8.2", "two FOBs in a space", told(lambda position: twice(position, is_fob)), [("FOB 1", "3-9"), ("FOB 2", "3-9")]),
    Forbidden("3.1", "a counter where the map has no space", told(off_the_map), [("3/1", "2-7")]),
    Forbidden(
        "13.4",
        "anything but Coalition units in a Base",
        any_such(lambda piece: piece.place in BASES and piece.kind != "unit"),
        [("Militia 1(1)", "north base")],
    ),
    Forbidden(
        "28.0", "an FOB in a Base", any_such(lambda piece: is_fob(piece) and piece.place in BASES), [("FOB 1", "east base")]
    ),
    Forbidden(
        "15.0",
        "OPFOR units on the map after the battle",
        any_such(lambda piece: piece.kind == "opfor" and on_map(piece.place)),
        [("Militia 1(1)", "3-9")],
    ),
    Forbidden(
        "14.5",
        "an event on the map that is not the Downed Helicopter",
        any_such(lambda piece: event(piece) not in ("", "downed_helicopter") and on_map(piece.place)),
        [("Mob Attack", "3-9")],
    ),
    Forbidden("16.1(1)", "a counter left on the Battle display", nothing_but("battle", lambda piece: False), [("3/1", "battle")]),
    Forbidden(
        "20.2(a)", "a concealed Node under Coalition units", told(unseen_under_units), [("flag:stage", "play"), ("3/1", "3-8")]
    ),
    Forbidden("7.2", "two Nodes in a space", told(lambda position: twice(position, is_node)), [("C2", "3-8")]),
    Forbidden("20.2", "a Node seen that was not turned up, or the reverse", told(turned_up_twice), [("C2", "3-9")]),
    Forbidden("20.1", "a Node of the set-up in another space", told(moved_by_itself), [("concealed Node@3-8", "3-9")]),
    Forbidden(
        "20.3",
        "anything but Nodes in the Captured Nodes box",
        nothing_but("captured", lambda piece: piece.kind == "node" or event(piece) == "downed_helicopter"),
        [("Ambush", "captured")],
    ),
    Forbidden(
        "33.0",
        "a Node out of play without an interdiction",
        any_such(lambda piece: piece.place == "out" and (is_node(piece) or event(piece) == "downed_helicopter")),
        [("C2", "out")],
        {"interdiction": "off"},
    ),
    Forbidden(
        "14.7",
        "a blown bridge where no bridge is",
        any_such(lambda piece: piece.kind == "marker" and piece.place not in ("off", *BRIDGES)),
        [("Bridge Blown", "3-9")],
    ),
    Forbidden(
        "18.4",
        "one bridge blown twice",
        told(lambda position: twice(position, lambda piece: piece.kind == "marker")),
        [("Bridge Blown", "1-7"), ("Bridge Blown@off", "1-7")],
    ),
    Forbidden(
        "16.3",
        "anything but HVT in the HVT box",
        nothing_but("hvt box", lambda piece: kind_of(piece) == "hvt"),
        [("Militia 1(1)", "hvt box")],
    ),
    Forbidden(
        "21.1",
        "anything but units in the Eliminated box",
        nothing_but("eliminated", lambda piece: piece.kind == "unit"),
        [("Militia 1(1)", "eliminated")],
    ),
    Forbidden(
        "23.1",
        "a strike that is neither available nor to be recruited",
        any_such(
            lambda piece: (
                piece.kind == "strike"
                and piece.place not in ("recruit", "available", *(["aside"] * (kind_of(piece) == "netwar")))
            )
        ),
        [("SOA Airstrike", "3-9")],
    ),
    Forbidden(
        "19.0",
        "anything but NetWar set aside",
        nothing_but("aside", lambda piece: kind_of(piece) == "netwar"),
        [("Intel", "aside")],
        options={"intel_infowar": "returns"},
    ),
    Forbidden(
        "19.0",
        "anything but NetWar and Intel set aside",
        nothing_but("aside", lambda piece: kind_of(piece) == "netwar" or event(piece) == "intel"),
        [("Media Wars", "aside")],
    ),
    Forbidden(
        "22.0",
        "an event in the Available box that does not serve as NetWar",
        nothing_but("available", lambda piece: piece.kind == "strike" or event(piece) == "intel"),
        [("Ambush", "available")],
    ),
    Forbidden(
        "11.2",
        "OPFOR in the Recruit box",
        nothing_but("recruit", lambda piece: piece.kind in ("unit", "strike", "leader")),
        [("Militia 1(1)", "recruit")],
    ),
    Forbidden(
        "14.0",
        "anything but OPFOR units and events in the Reaction cup",
        nothing_but("reaction cup", lambda piece: piece.kind in ("opfor", "event")),
        [("3/1", "reaction cup")],
    ),
    Forbidden(
        "14.3",
        "an event in play that does not remain",
        nothing_but("in play", lambda piece: event(piece) == "uprising_elsewhere"),
        [("Ambush", "in play")],
    ),
    Forbidden(
        "14.3(2)",
        "an event out of play that returns to its cup",
        any_such(lambda piece: event(piece) not in ("", "downed_helicopter", *REMOVED) and piece.place == "out"),
        [("Ambush", "out")],
    ),
    Forbidden("11.1", "double prices without Uprising Elsewhere", told(uprising_and_its_marker), [("flag:uprising", "yes")]),
    Forbidden(
        "30.2(2)", "an OPFOR unit out of play that was no HVT of the first battle", told(fallen_out), [("Militia 1(1)", "out")]
    ),
    Forbidden(
        "18.3",
        "a unit out of play that did not desert",
        any_such(
            lambda piece: (
                piece.kind == "unit"
                and piece.place == "out"
                and (piece.values["nation"], kind_of(piece)) != ("Iraqi", "infantry")
            )
        ),
        [("3/1", "out")],
    ),
    Forbidden(
        "29.1", "a leader without a unit in play", told(leaders_astray), [("Leader A", "leading"), ("Leader A.with", "3/1")]
    ),
    Forbidden(
        "29.0",
        "a leader anywhere but with his unit, to be recruited or kept",
        any_such(lambda piece: piece.kind == "leader" and piece.place not in ("leading", "recruit", "kept")),
        [("Leader A", "eliminated")],
    ),
    Forbidden("30.2(1)", "a kept leader outside a campaign's second battle", told(kept_too_soon), [("Leader A", "kept")]),
    Forbidden("7.1(2)", "a unit on the map before the first operation", told(on_the_map_too_soon), [("3/1", "3-10")]),
    Forbidden("8.1(a)", "play that goes on without OPs", told(penniless), [("ops", "0"), ("flag:stage", "play")]),
    Forbidden("8.1", "a game that is over and goes on, or the reverse", told(over_by_halves), [("flag:stage", "over")]),
    Forbidden("6.2", "a count that was judged before the end", told(judged_too_soon), [("flag:msr cleared", "yes")]),
    Forbidden("30.2", "a campaign that is won and goes on", told(won_and_going_on), [("flag:campaign", "won")]),
)

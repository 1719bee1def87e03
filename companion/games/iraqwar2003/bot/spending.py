"""Where the map is not told: how to spend command points, from what the player says that units could do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from companion.core.advice import advise, read_priorities
from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice
from companion.core.text import clean, pick_name, split_list
from companion.games.iraqwar2003.bot.weighing import say_verdict
from companion.games.iraqwar2003.notation import LADDER, TURKISH, nation
from companion.games.iraqwar2003.referee import IraqWarReferee, units_on_map_of
from companion.games.iraqwar2003.rules.r04_sequence import disruption_obstacle, recovery_obstacle
from companion.games.iraqwar2003.state import IRAQ, MOVED, NONE, control_flag, is_none

KINDS = ("attack", "retake", "recover", "block", "kuwait", "road", "repair", "move")
"""What an Iraqi unit may be able to do, as the player tells it."""


_DOES = {
    "attack": "attacks",
    "retake": "retakes",
    "recover": "recovers",
    "block": "blocks the way",
    "kuwait": "goes into Kuwait",
    "road": "destroys roads",
    "repair": "repairs roads",
    "move": "moves",
}


class Deed(NamedTuple):
    """Something that an Iraqi unit could do, as the player told it.

    Attributes:
        points: victory points at stake. free: it needs no command point [16.10(1)].
        against: why it is not to be done, "" where it may be.
    """

    kind: str
    unit: str
    column: str
    place: str
    points: int
    urgency: int
    free: bool = False
    against: str = ""

    @property
    def able(self) -> bool:
        return not self.against

    @property
    def title(self) -> str:
        return " ".join(filter(None, [self.kind, self.unit, self.column, self.place]))

    @property
    def sentence(self) -> str:
        """It as somebody does it: ``51M attacks at 3-1``."""
        at = f"at {self.column}" if self.column else ""
        return " ".join(filter(None, [self.unit, _DOES[self.kind], at, self.place]))


DEED_MEASURES: Mapping[str, Callable[[Deed], int | bool]] = {
    "able": lambda deed: deed.able,
    "points": lambda deed: deed.points,
    "hopeless": lambda deed: deed.kind == "attack" and LADDER.index(deed.column or LADDER[0]) < LADDER.index("1-1"),
    "urgency": lambda deed: deed.urgency,
    "column": lambda deed: LADDER.index(deed.column) if deed.column else 0,
}


def _read_deed(text: str, units: Sequence[str], places: Sequence[str]) -> str:
    words = clean(text).split()
    kind = pick_name(words[0], KINDS, "deed", cure=f"Each begins with one of {', '.join(KINDS)}") if words else ""
    if len(words) < 2:
        raise Unreadable(f"'{clean(text)}' names no unit", rule="11.2", cure="Type: attack 6A 3-1, retake SF1 Najaf")
    many = next((many for many in range(len(words), 1, -1) if " ".join(words[1:many]) in units), 2)
    unit = pick_name(" ".join(words[1:many]), units, "Iraqi unit")
    odds = next((word for word in words[many:] if word in LADDER), "")
    rest = " ".join(word for word in words[many:] if word not in LADDER)
    place = pick_name(rest, places, "column or VP place") if rest else ""
    return " ".join(filter(None, [kind, unit, odds, place]))


def deeds_notation(units: Sequence[str], places: Sequence[str]) -> Notation:
    """``attack 6A 3-1 Najaf, recover RG1, block SF2``: what units could do; a column or a VP place behind it."""

    def read(text: str) -> str:
        if is_none(clean(text)):
            return NONE
        return ", ".join(_read_deed(part, units, places) for part in split_list(text))

    example = f"attack {units[0]} 3-1, retake {units[-1]} {places[-1]}" if units else NONE
    return Notation("what Iraqi units could do", example, read)


def _deed(game: IraqWarReferee, text: str, pieces: Sequence[Piece]) -> Deed:
    words = text.split(" ")
    kind = words.pop(0)
    piece = next(one for one in sorted(pieces, key=lambda one: -len(one.name)) if " ".join(words).startswith(one.name))
    rest = " ".join(words)[len(piece.name) :].split()
    odds = next((word for word in rest if word in LADDER), "")
    place = " ".join(word for word in rest if word not in LADDER)
    against = recovery_obstacle(game.position, piece) if kind == "recover" else disruption_obstacle(piece)
    late = "the unit has acted this turn" if piece.mark(MOVED) else ""
    held = game.position.flag(control_flag(place), IRAQ) == IRAQ
    idle = f"{place} is not lost" if kind == "retake" and place and held else ""
    why = late or (against.text if against else idle)
    turkish = nation(piece) == TURKISH
    points = 0 if turkish else _at_stake(game, kind, place)
    return Deed(kind, piece.name, odds, place, points, int(game.priorities["urgency"][kind]), turkish, why)


def _at_stake(game: IraqWarReferee, kind: str, place: str) -> int:
    """[15.2] Victory points that a deed takes from the Coalition, or, by who stays in its way, keeps from it."""
    if not place:
        return -game.chart("victory").number("kuwait", "vp") if kind == "kuwait" else 0
    held = game.position.flag(control_flag(place), IRAQ) != IRAQ
    return game.chart("places").number(place, "vp") if held == (kind in ("retake", "attack")) else 0


def _beside(deed: Deed, done: Deed) -> Deed:
    """[15.2] A deed when another is done: the same place, and Kuwait, count once."""
    same = (deed.place == done.place) if deed.place or done.place else deed.kind == done.kind == "kuwait"
    return deed._replace(points=0) if same and done.points else deed


async def propose_spending(game: IraqWarReferee) -> None:
    """[11.2] How to spend the command points, from what the player says is possible on the board."""
    pieces = units_on_map_of(game.position, IRAQ)
    places = list(game.chart("places").rows)
    points = game.position.track("cp")
    prompt = f"What could Iraqi units do? ({', '.join(KINDS)}, each with its unit, then odds column or VP place)"
    notation = deeds_notation([piece.name for piece in pieces], places)
    text = await game.text("deeds", prompt, "11.2", notation, [Choice(NONE, "nothing of that kind")])
    left = [_deed(game, part, pieces) for part in split_list(text)] if text != NONE else []
    priorities = read_priorities(game.priorities, "spend", DEED_MEASURES)
    if not left:
        game.say(f"Iraq has nothing to do that is worth a command point; {points} CP stay unspent.", "11.2")
    while paid := [deed for deed in left if deed.able and (points or deed.free)]:
        advice = advise(paid, priorities, DEED_MEASURES, lambda deed: deed.title)
        done = advice.choice
        what, rule = ("free of CP", "16.10(1)") if done.free else (f"next of {points} CP", "11.2")
        say_verdict(game, f"{done.sentence} ({what}).", rule, *advice.lines())
        points -= not done.free
        left = [_beside(deed, done) for deed in left if deed.unit != done.unit]
    for deed in left:
        game.say(f"Iraq does not spend on it: {deed.sentence}; {deed.against or 'no command point is left'}.", "11.3")

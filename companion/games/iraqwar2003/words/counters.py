"""[2.2 - 2.5] Counters: how air units, ground combat units and sites are written, and what is printed on them."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.position import Piece, Value
from companion.core.words import clean, pick_name
from companion.games.iraqwar2003.names import COALITION, IRAQ

US, BRITISH, KDP, PUK, IRAQI, TURKISH = "us", "british", "kdp", "puk", "iraq", "turkey"
KURDISH = (KDP, PUK)
SIDE_OF = dict.fromkeys((US, BRITISH, *KURDISH), COALITION) | dict.fromkeys((IRAQI, TURKISH), IRAQ)
_SIDE_OF: Mapping[Value, str] = dict(SIDE_OF.items())
"""The same for whatever a counter holds."""
NATIONS = tuple(SIDE_OF)
NATION_TITLES = {US: "American", BRITISH: "British", KDP: "Kurd (KDP)", PUK: "Kurd (PUK)", IRAQI: "Iraqi", TURKISH: "Turkish"}
_AIR_CURE = "Type air combat-ground support-bombing like this: 5-2-4, and stealth behind it for a white silhouette"
_UNIT_CURE = "Type it like this: us 1/3ID 6-5-8/4-3-8 div:3ID (values of the front/back; no back: one strength step)"


class AirValues(NamedTuple):
    """The bottom row of an air, carrier or naval unit, and whether its silhouette is white [2.3, 2.4.4, 2.5.4]."""

    air: int
    support: int
    bombing: int
    stealth: bool = False

    def __str__(self) -> str:
        return f"{self.air}-{self.support}-{self.bombing}" + (" stealth" if self.stealth else "")


def _numbers(text: str, count: int, high: int) -> list[int] | None:
    parts = text.split("-")
    if len(parts) != count or not all(part.isdecimal() and len(part) < 3 for part in parts):
        return None
    found = [int(part) for part in parts]
    return found if max(found) <= high else None


@lru_cache(maxsize=256)
def read_air(text: str) -> AirValues:
    """``5-2-4`` or ``0-0-5 stealth``; each value from 0 to 9. Raises Unreadable: it is not of that form."""
    words = clean(text).split()
    numbers = _numbers(words[0], 3, 9) if words else None
    if numbers is None or len(words) > 2 or (len(words) == 2 and not "stealth".startswith(words[1].casefold())):
        raise Unreadable(f"'{clean(text)}' does not give the values of an air unit", rule="2.3", cure=_AIR_CURE)
    return AirValues(numbers[0], numbers[1], numbers[2], len(words) == 2)


AIR = Notation("air values", "5-2-4", lambda text: str(read_air(text)))


def air_like(last: str) -> Notation:
    """Air values, where ``same`` means those of another unit; "" where there is none."""

    def read(text: str) -> str:
        word = clean(text).casefold()
        return last if last and word and "same".startswith(word) else str(read_air(text))

    return AIR._replace(read=read)


class Side(NamedTuple):
    """One side of a ground counter: attack, defence and movement value."""

    attack: int
    defence: int
    move: int

    def __str__(self) -> str:
        return f"{self.attack}-{self.defence}-{self.move}"


class Unit(NamedTuple):
    """What is printed on a ground combat unit [2.2].

    Attributes:
        back: the reduced side, or None for a unit of one strength step [2.2.12].
        division: the division of a unit with a coloured designation box; "" for all others [2.2.2.1].
        fly: white movement value [2.2.8]. white: white attack value [2.2.6]. para: paratroop symbol [2.2.1].
        big: division-scale [2.2.4]. anti_air: firepower, 0 for none. range: its shot range.
        artillery: support value; back_artillery: that of the reduced side, None for the attack value there [2.2.6].
        turn: reinforcement turn, 0 for none [2.2.10].
    """

    nation: str
    name: str
    front: Side
    back: Side | None = None
    division: str = ""
    fly: bool = False
    white: bool = False
    para: bool = False
    big: bool = False
    anti_air: int = 0
    artillery: int = 0
    range: int = 0
    turn: int = 0
    back_artillery: int | None = None

    def __str__(self) -> str:
        words = [self.nation, self.name, f"{self.front}/{self.back}" if self.back else str(self.front)]
        words += [f"div:{self.division}"] if self.division else []
        words += [word for word in ("fly", "white", "para", "big") if getattr(self, word)]
        words += [f"aa:{self.anti_air}"] if self.anti_air else []
        back = f"/{self.back_artillery}" if self.back_artillery is not None else ""
        words += [f"art:{self.artillery}{back}@{self.range}"] if self.range else []
        words += [f"turn:{self.turn}"] if self.turn else []
        return " ".join(words)


@lru_cache(maxsize=1024)
def _sides(text: str) -> tuple[Side, Side | None] | None:
    front, slash, back = text.partition("/")
    first, second = _numbers(front, 3, 30), _numbers(back, 3, 30) if slash else None
    if first is None or (slash and second is None):
        return None
    return Side(*first), Side(*second) if second else None


@lru_cache(maxsize=1024)
def looks_like_unit(text: str) -> bool:
    """Whether the text holds a counter's values, so that it describes a unit and does not name one."""
    return any(_sides(word) for word in text.split()[1:])


@lru_cache(maxsize=1024)
def read_unit(text: str) -> Unit:
    """``us 1/3ID 6-5-8/4-3-8 div:3ID fly``: nation, name, front/back, then what else is printed.

    Words: ``div:NAME``, ``fly``, ``white``, ``para``, ``big``, ``aa:2``, ``art:4@2`` (support value 4, range 2),
    ``art:4/2@2`` (2 on the back), ``turn:4``.

    Raises:
        Unreadable: a part is missing or unknown.
    """
    words = clean(text).replace(",", " ").split()
    at = next((number for number, word in enumerate(words) if number > 1 and _sides(word)), 0)
    if not at:
        raise Unreadable(f"'{clean(text)}' lacks a nation, a name or values", rule="2.2", cure=_UNIT_CURE)
    sides = _sides(words[at])
    assert sides
    name = " ".join(words[1:at])[:40]
    if ":" in name:
        raise Unreadable("a unit's name holds no colon", rule="2.2.5", cure=_UNIT_CURE)
    unit = Unit(pick_name(words[0], NATIONS, "nation"), name, *sides)
    for word in words[at + 1 :]:
        unit = _extra(unit, word)
    return unit


@lru_cache(maxsize=1024)
def as_printed(text: str) -> str:
    """A described unit in its normal form."""
    return str(read_unit(text))


def _extra(unit: Unit, word: str) -> Unit:
    """The unit with one more thing that is printed on it."""
    key, colon, value = word.partition(":")
    if not colon:
        flag = pick_name(word, ("fly", "white", "para", "big"), "word on a counter")
        flags: dict[str, Any] = {flag: True}
        return unit._replace(**flags)
    key = pick_name(key, ("div", "aa", "art", "turn"), "word on a counter")
    if key == "div" and value:
        return unit._replace(division=value[:20])
    if key == "art":
        support, _, reach = value.partition("@")
        sides = support.split("/")[: 2 if unit.back else 1]
        good = "/".join(sides) == support and all(side.isdecimal() and int(side) <= 30 for side in sides)
        if good and reach.isdecimal() and 1 <= int(reach) <= 10:
            return unit._replace(
                artillery=int(sides[0]), back_artillery=int(sides[1]) if len(sides) > 1 else None, range=int(reach)
            )
    elif key == "aa" and value.isdecimal() and 1 <= int(value) <= 6:
        return unit._replace(anti_air=int(value))
    elif key == "turn" and value.isdecimal() and 1 <= int(value) <= 40:
        return unit._replace(turn=int(value))
    raise Unreadable(f"'{clean(word)}' is nothing on a counter", rule="2.2.9", cure="Like this: div:3ID, aa:2, art:4@2, turn:4")


def example_of(side: str) -> str:
    """A described unit of that side."""
    return "us 1/3ID 6-5-8/4-3-8 div:3ID" if side == COALITION else "iraq 6A 3-4-4/2-2-4 big"


UNIT = Notation("unit", example_of(COALITION), as_printed)
"""One described unit."""


def unit_values(unit: Unit) -> dict[str, Value]:
    """The printed values of a unit as its piece holds them; what is not printed is left out."""
    values: dict[str, Value] = {
        "nation": unit.nation,
        "attack": unit.front.attack,
        "defence": unit.front.defence,
        "move": unit.front.move,
        "steps": 2 if unit.back else 1,
    }
    if unit.back:
        values |= {"back attack": unit.back.attack, "back defence": unit.back.defence, "back move": unit.back.move}
    if unit.back_artillery is not None:
        values["back artillery"] = unit.back_artillery
    more = {name: getattr(unit, name) for name in ("division", "fly", "white", "para", "big", "anti_air")}
    more |= {"artillery": unit.artillery, "range": unit.range, "turn": unit.turn}
    return values | {name: value for name, value in more.items() if value}


def printed_side(piece: Piece) -> Side:
    """The values on the side of a unit that is up [2.2.12]."""
    if piece.face == "reduced":
        return Side(piece.number("back attack"), piece.number("back defence"), piece.number("back move"))
    return Side(piece.number("attack"), piece.number("defence"), piece.number("move"))


def artillery_value(piece: Piece) -> int:
    """[16.3(2)] The support value on the side that is up: where that of the back is not told, it is the attack value [2.2.6]."""
    if piece.face != "reduced":
        return piece.number("artillery")
    return piece.number("back artillery" if "back artillery" in piece.values else "back attack")


def steps_left(piece: Piece) -> int:
    """Strength steps that the unit can still lose [13.4.1]."""
    return 1 if piece.face == "reduced" else piece.number("steps")


def nation(piece: Piece) -> str:
    """One of NATIONS [2.2.11]."""
    return str(piece.values.get("nation"))


def side_of(piece: Piece) -> str:
    """``coalition`` or ``iraq``, of ground units and air units alike."""
    return _SIDE_OF.get(piece.values.get("nation"), IRAQ)


def is_naval(piece: Piece) -> bool:
    """A destroyer or submarine [2.5]; carriers are air units [2.4]."""
    return piece.values.get("type") == "naval"


def counts_for_victory(piece: Piece) -> bool:
    """[15.2, 2.4] An American or British air unit; carriers count, ships that fire missiles do not (ruling C-12)."""
    return is_western(piece) and not is_naval(piece)


def division_of(piece: Piece) -> str:
    """The division of a unit with a coloured designation box; "" for all others [2.2.2.1]."""
    return str(piece.values.get("division", ""))


def divisions_of(pieces: Iterable[Piece]) -> list[str]:
    """The divisions among some units, each once."""
    return list(dict.fromkeys(filter(None, map(division_of, pieces))))


def is_western(piece: Piece) -> bool:
    """American or British: their losses cost victory points, and they have anti-air fire [7.2(2), 15.2]."""
    return nation(piece) in (US, BRITISH)

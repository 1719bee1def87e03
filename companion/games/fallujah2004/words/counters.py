"""[4.0] Counters: how Coalition units and OPFOR counters are written, and what is printed on them."""

from typing import NamedTuple

from companion.core.errors import Unreadable
from companion.core.notation import Notation, describe_lots, read_counter_lots
from companion.core.position import Value
from companion.core.text import clean, pick_name

AIR = 99
"""The movement of a unit with the infinity sign [4.2]."""

NATIONS = {
    "usmc": "USMC",
    "usn": "USMC",
    "us": "US Army",
    "army": "US Army",
    "british": "British",
    "uk": "British",
    "iraqi": "Iraqi",
    "ig": "Iraqi",
    "joint": "Joint",
}
TYPES = {
    "infantry": "infantry",
    "engineer": "engineer",
    "mechanized": "mechanized",
    "stryker": "stryker",
    "armor": "armor",
    "recon": "armored_recon",
    "aeng": "armored_engineer",
    "amtrac": "amtrac",
    "sof": "sof",
    "sniper": "sniper",
    "mp": "military_police",
    "transport": "helicopter_transport",
    "gunship": "helicopter_gunship",
    "sofhelo": "helicopter_sof",
    "fob": "fob",
}
SHORT = {kind: word for word, kind in TYPES.items()} | {"infantry": "inf", "engineer": "eng", "mechanized": "mech"}
SIZES = {"bn": "bn", "battalion": "bn", "coy": "coy", "company": "coy", "plt": "plt", "platoon": "plt"}


class Side(NamedTuple):
    """One side of a Coalition counter, written F(C)M: firepower, contact, movement (AIR for the infinity sign)."""

    fire: int
    contact: int
    move: int

    def __str__(self) -> str:
        return f"{self.fire}({self.contact}){'air' if self.move == AIR else self.move}"


class Unit(NamedTuple):
    """What is printed on a Coalition combat unit [4.2].

    ``back`` is the reduced side, None for a flag (a unit of one strength step); ``back_known`` is False until the
    owner has said which.
    """

    nation: str
    name: str
    kind: str
    size: str
    front: Side
    back: Side | None = None
    back_known: bool = True

    @property
    def title(self) -> str:
        return f"{self.nation} {self.name}"

    def __str__(self) -> str:
        back = f"/{self.back or 'flag'}" if self.back_known else ""
        return f"{self.nation} {self.name} {SHORT[self.kind]} {self.size} {self.front}{back}"


def read_side(text: str) -> Side:
    """``4(2)2`` or ``2(3)air``. Raises Unreadable: it is not of that form."""
    fire, _, rest = text.partition("(")
    contact, _, move = rest.partition(")")
    flies = move.casefold() in ("air", "inf", "\u221e")
    try:
        side = Side(int(fire), int(contact), AIR if flies else int(move))
    except ValueError:
        raise Unreadable(
            f"'{clean(text)}' is not firepower(contact)movement", rule="4.2", cure="Type it like this: 4(2)2, or 2(3)air"
        ) from None
    if not (0 <= side.fire <= 9 and 0 <= side.contact <= 9 and (flies or 0 <= side.move <= 20)):
        raise Unreadable(f"no counter has the values {clean(text)}", rule="4.2")
    return side


def read_unit(text: str) -> Unit:
    """``USMC 3/1 inf bn 4(2)2/2(2)2``: nation, name, type, size, front, and the back or ``flag``.

    Raises:
        Unreadable: a part is missing or unknown.
    """
    words = clean(text).split()
    cure = "Type it like this: USMC 3/1 inf bn 4(2)2/2(2)2, or /flag for a back with a flag"
    if words[:2] and " ".join(words[:2]).casefold() == "us army":
        words = ["army", *words[2:]]
    if len(words) < 5:
        raise Unreadable(f"'{clean(text)}' lacks a part: nation, name, type, size, values", rule="4.2", cure=cure)
    nation = NATIONS[pick_name(words[0], list(NATIONS), "nation")]
    size = SIZES[pick_name(words[-2], list(SIZES), "size")]
    kind = TYPES[pick_name(words[-3], list(TYPES), "unit type")]
    front, slash, back = words[-1].partition("/")
    return Unit(
        nation,
        " ".join(words[1:-3])[:40],
        kind,
        size,
        read_side(front),
        read_side(back) if slash and back.casefold() != "flag" else None,
        bool(slash),
    )


def looks_like_unit(text: str) -> bool:
    """Whether the text ends in a counter's values, so that it describes a unit and does not name one."""
    last = text.split()[-1:] or [""]
    return "(" in last[0][1:] and len(text.split()) >= 5


UNIT = Notation("unit", "USMC 3/1 inf bn 4(2)2/2(2)2", lambda text: str(read_unit(text)))
BACK = Notation(
    "back of a counter", "2(2)2", lambda text: "flag" if "flag".startswith(text.casefold() or "?") else str(read_side(text))
)


def unit_values(unit: Unit) -> dict[str, Value]:
    """The printed values of a unit as its piece holds them."""
    values: dict[str, Value] = {
        "nation": unit.nation,
        "type": unit.kind,
        "size": unit.size,
        "fire": unit.front.fire,
        "contact": unit.front.contact,
        "move": unit.front.move,
        "steps": 2 if unit.back else 1,
    }
    if unit.back:
        values |= {"back fire": unit.back.fire, "back contact": unit.back.contact, "back move": unit.back.move}
    return values


MOB = "mob"
"""A Mob Attack in the place of an OPFOR unit [14.5]."""


class Insurgent(NamedTuple):
    """The values of an OPFOR combat unit, written F(C) [4.6]."""

    fire: int
    contact: int

    def __str__(self) -> str:
        return f"{self.fire}({self.contact})"


def read_insurgent(text: str) -> Insurgent:
    """``2(1)``. Raises Unreadable: it is not of that form."""
    fire, _, rest = text.strip().partition("(")
    try:
        values = Insurgent(int(fire), int(rest.rstrip(") ") or "x"))
    except ValueError:
        raise Unreadable(f"'{clean(text)}' is not firepower(contact)", rule="4.6", cure="Type it like this: 2(1)") from None
    if not (0 <= values.fire <= 9 and 0 <= values.contact <= 9):
        raise Unreadable(f"no OPFOR unit has the values {clean(text)}", rule="4.6")
    return values


def _read_opfor_lots(text: str) -> str:
    return ", ".join(f"{read_insurgent(values)} x{count}" for values, count in read_counter_lots(text, "1(1) x6, 2(1) x4"))


def _read_strike_lots(text: str) -> str:
    parts = []
    for values, count in read_counter_lots(text, "1(1) x6, 2(1) x4"):
        inner = values.strip("() ")
        if inner and not inner.isdecimal():
            raise Unreadable(f"'{clean(values)}' is not a strike's firepower", rule="4.3", cure="Type it like this: (3) x4")
        parts.append(f"({inner}) x{count}" if inner else f"x{count}")
    return ", ".join(parts)


OPFOR_LOTS = Notation("OPFOR counters", "1(1) x6, 2(1) x4", _read_opfor_lots, describe=describe_lots)
STRIKE_LOTS = Notation("strike counters", "(3) x4", _read_strike_lots, describe=describe_lots)

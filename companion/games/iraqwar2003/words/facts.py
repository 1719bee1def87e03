"""What is printed only on the components of Iraq War 2003, and how the owner tells it."""

from __future__ import annotations

from collections.abc import Collection

from companion.core.errors import Unreadable
from companion.core.game import Fact
from companion.core.notation import Notation, whole_number
from companion.core.words import clean, plural, split_list
from companion.games.iraqwar2003.words.counters import AIR, UNIT, read_air
from companion.games.iraqwar2003.words.land import AREA, BORDER, GIVEN, GROUND, JOINED, LOW, START, WATER
from companion.games.iraqwar2003.words.results import COLUMN, LADDER
from companion.games.iraqwar2003.words.sites import BASE, COMM, RADAR_SITE, SECTORS, SITE

ROSTERS = ("us", "british", "carriers", "naval", "iraqi")
TERRAINS = ("swamp", "minor_city", "major_city", "mega_city", "other")
PALACE_KINDS = ("saddam", "sahaf", "dummy")

FIGURES = {"F-15 air": "5", "carrier air": "4", "MiG-23 air": "3", "Su-20 air": "0", "B-1 bombing": "5"}
"""What the figures and examples of the rulebook show of printed values [5.5, 5.7]."""


def _roster_entry(part: str) -> str:
    """``F-15`` or ``F-15 5-2-4``: a name, and its values if they are told with it."""
    words = part.split()
    for many in (2, 1):
        if len(words) > many:
            try:
                return f"{' '.join(words[:-many])} {read_air(' '.join(words[-many:]))}"
            except Unreadable:
                continue
    return part


def roster_parts(text: str, roster: str = "", others: Collection[str] = ()) -> list[tuple[str, str]]:
    """Name and values ("" where they are not told) of each unit of a list; a name that comes twice is numbered.

    Args:
        roster: the list, which stands before a name that is among ``others``, those of the units of other lists.
    """
    found: list[tuple[str, str]] = []
    seen: dict[str, int] = {}
    for part in split_list(clean(text)):
        words = _roster_entry(part).split()
        many = next((count for count in (2, 1) if len(words) > count and _is_air(" ".join(words[-count:]))), 0)
        name = " ".join(words[: len(words) - many])[:40]
        name = f"{roster} {name}" if name in others else name
        seen[name] = seen.get(name, 0) + 1
        found.append((name if seen[name] == 1 else f"{name} ({seen[name]})", " ".join(words[len(words) - many :])))
    return found


def _is_air(text: str) -> bool:
    try:
        read_air(text)
    except Unreadable:
        return False
    return True


def _read_roster(text: str) -> str:
    parts = [_roster_entry(part) for part in split_list(clean(text))]
    if not 1 <= len(parts) <= 40 or any(sign in text for sign in "+:#"):
        told = f"{plural(len(parts), 'unit')} named, or a sign among + : #"
        raise Unreadable(told, rule="3.0", cure="Type names with commas between")
    return ", ".join(parts)


def _doubt_roster(text: str) -> None:
    """Values that are not three numbers would become a part of the name. Raises Unreadable."""
    for name, _ in roster_parts(text):
        last = name.split()[-1] if name.split() else ""
        if " " in name and last.replace("-", "").isdecimal() and "-" in last:
            cure = "Three numbers, like this: F-15 5-2-4; a name that ends so has no blank before it"
            raise Unreadable(f"'{last}' does not give the values of an air unit", rule="2.3", cure=cure)


def _told_roster(value: str) -> str:
    parts = roster_parts(value)
    return f"{plural(len(parts), 'unit')}, {sum(bool(values) for _, values in parts)} of them with values"


ROSTER = Notation(
    "list of units", "F-15 5-2-4, F-18, B-2 0-0-4 stealth", _read_roster, check_doubtful=_doubt_roster, describe=_told_roster
)
TURNS = whole_number("number of turns", 2, 40)._replace(example="10")

FACTS = (
    Fact("turns", "Number of boxes on the Turn Track", "2.1.5(1)", TURNS, single=True),
    Fact("radar", "AA Fire (and Radar) boxes of each radar site on the Air Operation Display", "6.1.2", RADAR_SITE, SECTORS),
    Fact("site", "Sector and boxes of the Communication Site and of the Air Base", "6.1.2", SITE, (COMM, BASE)),
    Fact("roster", "Names of the air, carrier and naval units, with commas between", "3.0", ROSTER, ROSTERS),
    Fact("air", "Air units by name: air combat-ground support-bombing, stealth for a white silhouette", "2.3", AIR),
    Fact("figure", "Air values that the rulebook's figures show", "5.5", whole_number("value", 0, 9), (), False, FIGURES),
    Fact("unit", "Ground combat units by name, as printed on the counter", "2.2", UNIT),
    Fact("crt", "Combat Results Chart: the six results of a column, die 1 to 6", "13.4", COLUMN, LADDER),
    Fact(
        "terrain",
        "Terrain Effect Chart: columns left (the number before L) by terrain of the defender",
        "13.3(5)",
        whole_number("number of columns", 0, 5),
        (*TERRAINS, "mountain", "plain"),
        False,
        {"mountain": "1", "plain": "0"},
    ),
    Fact("orientation", "Which of the two hexes of Baghdad lies half a hex lower", "2.1", LOW),
    Fact("hex", "Terrain and name of a hex of the map", "2.1.1(2)", GROUND, rulebook_values=GIVEN),
    Fact("side", "Water between two neighbouring hexes", "12.2", WATER),
    Fact("road", "Whether a road crosses the side between two neighbouring hexes", "12.4", JOINED),
    Fact("rail", "Whether the railroad crosses the side between two neighbouring hexes", "16.7", JOINED),
    Fact("area", "All hexes of Kuwait and of the two Kurdish areas", "3.0", AREA),
    Fact("border", "Hexes that a border of air sectors runs through, from west to east", "2.1.1(4)", BORDER),
    Fact("at", "Hex where a ground combat unit begins, by its name", "3.0", START),
    Fact("palace", "How many Presidential Palace markers of each kind", "16.1(1)", whole_number("markers", 0, 8), PALACE_KINDS),
)

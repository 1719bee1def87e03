"""[2.1.2, 6.1] The Air Operation Display: sites, their sectors and their facility boxes, as they are written."""

from collections.abc import Mapping
from typing import NamedTuple

from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.words import clean, pick_name, plural
from companion.games.iraqwar2003.names import PALACE

NORTH, CENTRAL, SOUTH = SECTORS = ("north", "central", "south")
COMM, BASE = "comm", "base"
SITES = (*SECTORS, COMM, BASE)
"""The five sites of [6.1.2]; the first three are the radar sites of their sectors."""
RADARS = 2
"""Radar boxes of a radar site: the rules speak of both [5.4.1(2), 6.4(2)]."""
AA, RADAR, RADIO, AIRFIELD = BOXES = ("aa", "radar", "radio", "airfield")
SITE_TITLES = {
    NORTH: "Northern Radar Site",
    CENTRAL: "Central Radar Site",
    SOUTH: "Southern Radar Site",
    COMM: "Communication Site",
    BASE: "Air Base",
    PALACE: "Presidential Palace",
}
_RADAR_CURE = "Type the firepowers of the AA Fire boxes like this: 3 2 (two boxes; the two Radars go without saying)"
_CURE = "Type sector, AA firepowers and boxes like this: central aa 3 2 radio 4 (two AA Fire boxes, of 3 and of 2)"


class Site(NamedTuple):
    """A site: its air sector, the firepower of each AA Fire box, and how many other boxes it has."""

    sector: str
    fire: tuple[int, ...] = ()
    radar: int = 0
    radio: int = 0
    airfield: int = 0

    def __str__(self) -> str:
        words = [self.sector] if self.sector else []
        words += ["aa", *map(str, self.fire)] if self.fire else []
        for box in (RADAR, RADIO, AIRFIELD):
            many = int(getattr(self, box))
            words += [box, str(many)] if many else []
        return " ".join(words)


def read_site(text: str, radar_site: bool = False) -> Site:
    """``central aa 3 radio 4``: the sector, the AA firepowers, and the number of each kind of box.

    The sector of a radar site is in its name, and it has two Radars unless something else is said; numbers alone are its AA
    firepowers.

    Raises:
        Unreadable: a number without a kind of box, no sector, or no box at all.
    """
    words = clean(text).casefold().replace(",", " ").split()
    sector = ""
    counts: dict[str, list[int]] = {}
    kind = AA if radar_site and words and words[0].isdecimal() else ""
    if kind:
        counts[kind] = []
    for word in words:
        if word.isdecimal():
            if not kind or int(word) > 30 or (kind == AA and not 1 <= int(word) <= 6):
                raise Unreadable(f"'{word}' belongs to no box", rule="6.1.1", cure=_RADAR_CURE if radar_site else _CURE)
            counts[kind].append(int(word))
        elif any(found.startswith(word) for found in SECTORS) and not kind:
            sector = pick_name(word, SECTORS, "sector")
        else:
            kind = pick_name(word, BOXES, "kind of box")
            counts.setdefault(kind, [])
    if not any(counts.values()) or not (sector or radar_site):
        lacks = "boxes" if sector or radar_site else "a sector"
        raise Unreadable(f"'{clean(text)}' lacks {lacks}", rule="6.1.1", cure=_RADAR_CURE if radar_site else _CURE)
    radar = sum(counts[RADAR]) if RADAR in counts else RADARS if radar_site else 0
    return Site(sector, tuple(counts.get(AA, ())), radar, sum(counts.get(RADIO, ())), sum(counts.get(AIRFIELD, ())))


def _doubt(text: str) -> None:
    """A radar site has AA Fire boxes and Radars. Raises Unreadable: it is told with others."""
    site = read_site(text, True)
    if site.radio or site.airfield:
        other = RADIO if site.radio else AIRFIELD
        raise Unreadable(f"a radar site has no {other} box", rule="6.1.2", cure=_RADAR_CURE)


def _told(value: str) -> str:
    site = read_site(value, True)
    fire = f"AA Fire of {', '.join(map(str, site.fire))}" if site.fire else "no AA Fire box"
    return f"{fire}; {plural(site.radar, 'Radar')}"


RADAR_SITE = Notation("radar site", "3 2", lambda text: str(read_site(text, True)), check_doubtful=_doubt, describe=_told)
SITE = Notation("site", "central aa 3 radio 4", lambda text: str(read_site(text)))
AIR_BASE = SITE._replace(example="central aa 2 airfield 6")


def site_fact(name: str) -> tuple[str, Notation]:
    """The key of the printed fact of a site, and how it is told."""
    if name in SECTORS:
        return f"radar:{name}", RADAR_SITE
    return f"site:{name}", AIR_BASE if name == BASE else SITE


def kind_of(box: Piece) -> str:
    """What a box is: one of BOXES."""
    return str(box.values.get("box"))


def site_of(box: Piece) -> str:
    """The site that a box belongs to."""
    return str(box.values.get("site"))


def sector_of(box: Piece) -> str:
    """The air sector of its site."""
    return str(box.values.get("sector"))


def box_names(name: str, site: Site) -> Mapping[str, tuple[str, int]]:
    """The boxes of a site by the name that is typed, each with its kind and its AA firepower (0 for others)."""
    found: dict[str, tuple[str, int]] = {}
    for number, fire in enumerate(site.fire, 1):
        found[f"{name} aa {number}" if len(site.fire) > 1 else f"{name} aa"] = (AA, fire)
    for kind in (RADAR, RADIO, AIRFIELD):
        for number in range(1, int(getattr(site, kind)) + 1):
            found[f"{name} {kind} {number}"] = (kind, 0)
    return found

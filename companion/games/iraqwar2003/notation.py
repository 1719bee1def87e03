"""How counters, sites, combat results and movement paths are typed [2.2 - 2.5, 6.1, 12.0, 13.4]."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from companion.core.errors import Unreadable
from companion.core.named_tuple import NamedTuple
from companion.core.notation import DIGITS, Notation
from companion.core.position import Piece, Value
from companion.core.text import clean, pick_name, plural
from companion.core.values import JsonDict
from companion.games.iraqwar2003 import state

US, BRITISH, KDP, PUK, IRAQI, TURKISH = "us", "british", "kdp", "puk", "iraq", "turkey"
KURDISH = (KDP, PUK)
NATIONS = (US, BRITISH, *KURDISH, IRAQI, TURKISH)
_COALITION = frozenset((US, BRITISH, *KURDISH))
NATION_TITLES = {US: "American", BRITISH: "British", KDP: "Kurd (KDP)", PUK: "Kurd (PUK)", IRAQI: "Iraqi", TURKISH: "Turkish"}
_AIR_CURE = "Type air combat-ground support-bombing like this: 5-2-4, and stealth behind it for a white silhouette"
_UNIT_CURE = "Type it like this: us 1/3ID 6-5-8/4-3-8 div:3ID (values of the front/back; no back: one strength step)"


class AirValues(NamedTuple):
    """[2.3, 2.4.4, 2.5.4] The values of an air, carrier or naval unit, and whether its silhouette is white."""

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
    values = [int(part) for part in parts]
    return values if max(values) <= high else None


@lru_cache(maxsize=256)
def read_air(text: str) -> AirValues:
    """Read ``5-2-4`` or ``0-0-5 stealth``, each value 0 to 9. Raises Unreadable."""
    words = clean(text).split()
    numbers = _numbers(words[0], 3, 9) if words else None
    if numbers is None or len(words) > 2 or (len(words) == 2 and not "stealth".startswith(words[1].casefold())):
        raise Unreadable(f"'{clean(text)}' does not give the values of an air unit", rule="2.3", cure=_AIR_CURE)
    return AirValues(numbers[0], numbers[1], numbers[2], len(words) == 2)


AIR_NOTATION = Notation("air values", "5-2-4", lambda text: str(read_air(text)), words=(*DIGITS, "-", " stealth"), between="")


def air_notation(last: str) -> Notation:
    """Notation of air values in which ``same`` repeats the values given, if any."""

    def read(text: str) -> str:
        word = clean(text).casefold()
        return last if last and word and "same".startswith(word) else str(read_air(text))

    return AIR_NOTATION._replace(read=read)


class CounterSide(NamedTuple):
    """One side of a ground counter: attack, defence and movement value."""

    attack: int
    defence: int
    move: int

    def __str__(self) -> str:
        return f"{self.attack}-{self.defence}-{self.move}"


class Unit(NamedTuple):
    """[2.2] The values printed on a ground combat unit.

    Attributes:
        back: The reduced side, None for a unit of one strength step [2.2.12].
        division: The division of a unit with a coloured designation box, else "" [2.2.2.1].
        fly: White movement value [2.2.8]. white: White attack value [2.2.6]. para: Paratroop symbol [2.2.1].
        big: Division scale [2.2.4]. anti_air: Firepower, 0 for none. range: Artillery range.
        artillery: Support value. back_artillery: That of the reduced side, None for its attack value [2.2.6].
        turn: Reinforcement turn, 0 for none [2.2.10].
    """

    nation: str
    name: str
    front: CounterSide
    back: CounterSide | None = None
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
def _sides(text: str) -> tuple[CounterSide, CounterSide | None] | None:
    front, slash, back = text.partition("/")
    first, second = _numbers(front, 3, 30), _numbers(back, 3, 30) if slash else None
    if first is None or (slash and second is None):
        return None
    return CounterSide(*first), CounterSide(*second) if second else None


@lru_cache(maxsize=1024)
def looks_like_unit(text: str) -> bool:
    """Return True if the text contains counter values, so that it describes a unit instead of naming one."""
    return any(_sides(word) for word in text.split()[1:])


@lru_cache(maxsize=1024)
def read_unit(text: str) -> Unit:
    """Read ``us 1/3ID 6-5-8/4-3-8 div:3ID fly``: nation, name, front/back, other symbols. Raises Unreadable.
    | Symbols: ``div:NAME``, ``fly``, ``white``, ``para``, ``big``, ``aa:2``, ``art:4@2`` (support value 4, range 2),
    ``art:4/2@2`` (2 on the back), ``turn:4``.
    """
    words = clean(text).replace(",", " ").split()
    index = next((number for number, word in enumerate(words) if number > 1 and _sides(word)), 0)
    if not index:
        raise Unreadable(f"'{clean(text)}' lacks a nation, a name or values", rule="2.2", cure=_UNIT_CURE)
    sides = _sides(words[index])
    assert sides
    name = " ".join(words[1:index])[:40]
    if ":" in name:
        raise Unreadable("a unit's name holds no colon", rule="2.2.5", cure=_UNIT_CURE)
    unit = Unit(pick_name(words[0], NATIONS, "nation"), name, *sides)
    for word in words[index + 1 :]:
        unit = _with_symbol(unit, word)
    return unit


@lru_cache(maxsize=1024)
def as_printed(text: str) -> str:
    """Normalise the text of a described unit."""
    return str(read_unit(text))


def _with_symbol(unit: Unit, word: str) -> Unit:
    """The unit with one more printed symbol."""
    key, colon, value = word.partition(":")
    if not colon:
        flag = pick_name(word, ("fly", "white", "para", "big"), "word on a counter")
        flags: JsonDict = {flag: True}
        return unit._replace(**flags)
    key = pick_name(key, ("div", "aa", "art", "turn"), "word on a counter")
    if key == "div" and value:
        return unit._replace(division=value[:20])
    if key == "art":
        support, _, reach = value.partition("@")
        sides = support.split("/")[: 2 if unit.back else 1]
        good = "/".join(sides) == support and all(side.isdecimal() and int(side) <= 30 for side in sides)
        if good and reach.isdecimal() and 1 <= int(reach) <= 10:
            back = int(sides[1]) if len(sides) > 1 else None
            return unit._replace(artillery=int(sides[0]), back_artillery=back, range=int(reach))
    elif key == "aa" and value.isdecimal() and 1 <= int(value) <= 6:
        return unit._replace(anti_air=int(value))
    elif key == "turn" and value.isdecimal() and 1 <= int(value) <= 40:
        return unit._replace(turn=int(value))
    cure = "Like this: div:3ID, aa:2, art:4@2, turn:4"
    raise Unreadable(f"'{clean(word)}' is not printed on a counter", rule="2.2.9", cure=cure)


def unit_example(side: state.Side, number: int = 6) -> str:
    """An example of a described unit of a side."""
    return f"us {number}/3ID 6-5-8/4-3-8 div:3ID" if side == state.COALITION else f"{state.IRAQ} {number}A 3-4-4/2-2-4 big"


UNIT_NOTATION = Notation("unit", unit_example(state.COALITION), as_printed)


def unit_values(unit: Unit) -> dict[str, Value]:
    """The printed values of a unit as its piece holds them; absent symbols are left out."""
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
    symbols = {name: getattr(unit, name) for name in ("division", "fly", "white", "para", "big", "anti_air")}
    symbols |= {"artillery": unit.artillery, "range": unit.range, "turn": unit.turn}
    return values | {name: value for name, value in symbols.items() if value}


def printed_side(piece: Piece) -> CounterSide:
    """[2.2.12] The values on the face-up side."""
    key = piece.id, piece.face
    cached = _SIDES.get(key)
    if cached is None or cached[0] is not piece.values:
        if len(_SIDES) >= _MOST_SIDES:
            _SIDES.clear()
        cached = _SIDES[key] = piece.values, _printed_side(piece)
    return cached[1]


_SIDES: dict[tuple[str, str], tuple[Mapping[str, Value], CounterSide]] = {}
"""Cache: the printed values of a piece, and those of one side of it."""
_MOST_SIDES = 1_000


def _printed_side(piece: Piece) -> CounterSide:
    if piece.face == "reduced":
        return CounterSide(piece.number("back attack"), piece.number("back defence"), piece.number("back move"))
    return CounterSide(piece.number("attack"), piece.number("defence"), piece.number("move"))


def artillery_value(piece: Piece) -> int:
    """[16.3(2)] The support value on the face-up side; for an unknown back it is the attack value [2.2.6]."""
    if piece.face != "reduced":
        return piece.number("artillery")
    return piece.number("back artillery" if "back artillery" in piece.values else "back attack")


def steps_left(piece: Piece) -> int:
    """[13.4.1] The strength steps that a unit has left."""
    if piece.face == "reduced":
        return 1
    steps = piece.values.get("steps")
    return steps if isinstance(steps, int) else piece.number("steps")


def nation(piece: Piece) -> str:
    """[2.2.11] One of NATIONS."""
    return str(piece.values.get("nation"))


def side_of(piece: Piece) -> state.Side:
    """The side of a ground or air unit."""
    return state.COALITION if piece.values.get("nation") in _COALITION else state.IRAQ


def is_iraqi(piece: Piece) -> bool:
    """True for a unit of Iraq itself; the Turkish unit is only on its side [16.10]."""
    return piece.values.get("nation") == IRAQI


def is_turkish(piece: Piece) -> bool:
    """[16.10] True for the Turkish unit."""
    return piece.values.get("nation") == TURKISH


def is_kurdish(piece: Piece) -> bool:
    """True for a unit of either Kurdish army."""
    return piece.values.get("nation") in KURDISH


def is_naval(piece: Piece) -> bool:
    """[2.5] True for a destroyer or submarine; carriers are air units [2.4]."""
    return piece.values.get("type") == "naval"


def counts_for_victory(piece: Piece) -> bool:
    """[15.2, 2.4] True for an American or British air unit; carriers count, missile ships do not (ruling C-12)."""
    return is_western(piece) and not is_naval(piece)


def division_of(piece: Piece) -> str:
    """[2.2.2.1] The division of a unit with a coloured designation box, else ""."""
    return str(piece.values.get("division", ""))


def divisions_of(pieces: Iterable[Piece]) -> list[str]:
    """The distinct divisions of some units."""
    return list(dict.fromkeys(filter(None, map(division_of, pieces))))


def is_western(piece: Piece) -> bool:
    """True for American and British units, which cost victory points and have anti-air fire [7.2(2), 15.2]."""
    return nation(piece) in (US, BRITISH)


# -- [2.1.2, 6.1] Sites of the Air Operation Display -------------------------------------------------------------------

NORTH, CENTRAL, SOUTH = SECTORS = ("north", "central", "south")
COMM, BASE = "comm", "base"
SITES = (*SECTORS, COMM, BASE)
"""[6.1.2] The five sites; the first three are the radar sites of their sectors."""
RADARS = 2
"""Radar boxes of a radar site; the rules mention both [5.4.1(2), 6.4(2)]."""
AA, RADAR, RADIO, AIRFIELD = BOXES = ("aa", "radar", "radio", "airfield")
SITE_TITLES = {
    NORTH: "Northern Radar Site",
    CENTRAL: "Central Radar Site",
    SOUTH: "Southern Radar Site",
    COMM: "Communication Site",
    BASE: "Air Base",
    state.PALACE: "Presidential Palace",
}
_RADAR_CURE = "Type the firepowers of the AA Fire boxes like this: 3 2 (two boxes; the two Radars go without saying)"
_CURE = "Type sector, AA firepowers and boxes like this: central aa 3 2 radio 4 (two AA Fire boxes, of 3 and of 2)"


class Site(NamedTuple):
    """A site: its air sector, the firepower of each AA Fire box, and the number of other boxes."""

    sector: str
    fire: tuple[int, ...] = ()
    radar: int = 0
    radio: int = 0
    airfield: int = 0

    def __str__(self) -> str:
        words = [self.sector] if self.sector else []
        words += ["aa", *map(str, self.fire)] if self.fire else []
        for box in (RADAR, RADIO, AIRFIELD):
            count = int(getattr(self, box))
            words += [box, str(count)] if count else []
        return " ".join(words)


def read_site(text: str, radar_site: bool = False) -> Site:
    """Read ``central aa 3 radio 4``: sector, AA firepowers, number of boxes of each kind. Raises Unreadable.
    | For a radar site the sector is implied, numbers alone are AA firepowers, and two Radars are the default.
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
        elif any(candidate.startswith(word) for candidate in SECTORS) and not kind:
            sector = pick_name(word, SECTORS, "sector")
        else:
            kind = pick_name(word, BOXES, "kind of box")
            counts.setdefault(kind, [])
    if not any(counts.values()) or not (sector or radar_site):
        lacks = "boxes" if sector or radar_site else "a sector"
        raise Unreadable(f"'{clean(text)}' lacks {lacks}", rule="6.1.1", cure=_RADAR_CURE if radar_site else _CURE)
    radar = sum(counts[RADAR]) if RADAR in counts else RADARS if radar_site else 0
    return Site(sector, tuple(counts.get(AA, ())), radar, sum(counts.get(RADIO, ())), sum(counts.get(AIRFIELD, ())))


def _check_radar_site(text: str) -> None:
    """Reject Radio and Air Field boxes at a radar site. Raises Unreadable."""
    site = read_site(text, True)
    if site.radio or site.airfield:
        box = RADIO if site.radio else AIRFIELD
        raise Unreadable(f"a radar site has no {box} box", rule="6.1.2", cure=_RADAR_CURE)


def _describe_radar_site(value: str) -> str:
    site = read_site(value, True)
    fire = f"AA Fire of {', '.join(map(str, site.fire))}" if site.fire else "no AA Fire box"
    return f"{fire}; {plural(site.radar, 'Radar')}"


RADAR_SITE = Notation(
    "radar site",
    "3 2",
    lambda text: str(read_site(text, True)),
    check_doubtful=_check_radar_site,
    describe=_describe_radar_site,
    words=(*map(str, range(1, 7)), RADAR),
    between=" ",
)
SITE_NOTATION = Notation(
    "site",
    "central aa 3 radio 4",
    lambda text: str(read_site(text)),
    words=(*SECTORS, *BOXES, *map(str, range(1, 13))),
    between=" ",
)
AIR_BASE = SITE_NOTATION._replace(example="central aa 2 airfield 6")


def site_fact(name: str) -> tuple[str, Notation]:
    """The key and the notation of the printed fact of a site."""
    if name in SECTORS:
        return f"radar:{name}", RADAR_SITE
    return f"site:{name}", AIR_BASE if name == BASE else SITE_NOTATION


def kind_of(box: Piece) -> str:
    """The kind of a box, one of BOXES."""
    return str(box.values.get("box"))


def site_of(box: Piece) -> str:
    """The site of a box."""
    return str(box.values.get("site"))


def sector_of(box: Piece) -> str:
    """The air sector of a box."""
    return str(box.values.get("sector"))


def box_names(name: str, site: Site) -> Mapping[str, tuple[str, int]]:
    """The boxes of a site: name to kind and AA firepower (0 for other boxes)."""
    names: dict[str, tuple[str, int]] = {}
    for number, fire in enumerate(site.fire, 1):
        names[f"{name} aa {number}" if len(site.fire) > 1 else f"{name} aa"] = (AA, fire)
    for kind in (RADAR, RADIO, AIRFIELD):
        for number in range(1, int(getattr(site, kind)) + 1):
            names[f"{name} {kind} {number}"] = (kind, 0)
    return names


# -- [13.4] Combat Results Chart ---------------------------------------------------------------------------------------

LADDER = ("1-2", "1-1", *(f"{number}-1" for number in range(2, 11)))
"""[13.3(9)] The columns of the Combat Results Chart, best for the defender first."""
FACES = 6
NOTHING = "-"
EFFECTS = ("R", "1R", "2R", "3R", "4R", "5R", "1", "2", NOTHING)
"""Effects after the letter of a side, in the rulebook's order; see the chart ``results``."""
UNKNOWN_RESULT = "?"
"""A cell that is not known."""


class ChartResult(NamedTuple):
    """A cell of the chart: the effect on each side."""

    attacker: str
    defender: str

    def __str__(self) -> str:
        parts = [f"{letter}{effect}" for letter, effect in (("A", self.attacker), ("D", self.defender)) if effect != NOTHING]
        return " ".join(parts) or NOTHING


def cell_text(cell: str) -> str:
    """A cell in words: ``D1R: the defender loses 1 step and retreats``."""
    if cell in (NOTHING, UNKNOWN_RESULT):
        return "no effect" if cell == NOTHING else "not known"
    result = read_result(cell)
    parts = [f"the {side} {_effect_text(effect)}" for side, effect in zip(("attacker", "defender"), result, strict=True)]
    return f"{cell}: {', '.join(part for part in parts if not part.endswith(' '))}"


def _effect_text(effect: str) -> str:
    """An effect in words, "" for none."""
    if effect == NOTHING:
        return ""
    steps = effect.removesuffix("R")
    lost = f"loses {plural(int(steps), 'step')}" if steps else ""
    return " and ".join(filter(None, [lost, "retreats" if effect.endswith("R") else ""]))


@lru_cache(maxsize=256)
def read_result(text: str) -> ChartResult:
    """Read ``-``, ``AR``, ``A1``, ``D2R`` or ``A1 D1R``. Raises Unreadable."""
    plain = clean(text).upper().replace(" ", "").replace("/", "")
    if plain in (NOTHING, "NE"):
        return ChartResult(NOTHING, NOTHING)
    head, separator, tail = plain.partition("D")
    attacker = head[1:] if head.startswith("A") else "" if head else NOTHING
    defender = tail if separator else NOTHING
    if not plain or attacker not in EFFECTS or defender not in EFFECTS:
        cure = "Type it as the chart has it: - or A1 or D2R or A1 D1R"
        raise Unreadable(f"'{clean(text)}' is not a result", rule="13.4", cure=cure)
    return ChartResult(attacker, defender)


def read_column(text: str) -> str:
    """Read six results separated by commas, ``?`` for an unknown one. Raises Unreadable."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != FACES:
        raise Unreadable(f"{len(parts)} results given, 6 needed", rule="13.4", cure="One for each face, with commas between")
    return ", ".join(UNKNOWN_RESULT if part == UNKNOWN_RESULT else str(read_result(part)) for part in parts)


_RESULT_KEYS = ("A", "D", "1", "2", "3", "4", "5", "R", NOTHING, " ", UNKNOWN_RESULT, ", ")
COLUMN_NOTATION = Notation("column of results", "A2R, A1, -, D1, D1R, D2R", read_column, words=_RESULT_KEYS, between="")


def cell_notation(face: int) -> Notation:
    """Notation of one result, or of a whole column that includes the face rolled."""

    def read(text: str) -> str:
        if "," not in text:
            return str(read_result(text))
        column = read_column(text)
        read_result(column.split(", ")[face - 1])
        return column

    return Notation("result", "D1R", read, words=_RESULT_KEYS, between="")


# -- [12.0] Movement paths ---------------------------------------------------------------------------------------------

FEATURES = ("plain", "road", "zoc", "river", "large", "swamp", "mountain", "sea", "lake", "city", "port", "enemy", "edge")
"""Features of a hex or of the side crossed; ``river``: minor river, ``large``: large river, ``sea``: no land."""
STAY = "stay"
MAX_HEXES = 40
"""Maximum number of hexes in a path."""

Features = frozenset[str]
"""The features of one hex."""
_NOTHING: Features = frozenset()


class Path(NamedTuple):
    """A movement path: features of start hex ``at`` and entered hexes; ``numbers``: their digits, "" where not given."""

    start: Features
    hexes: tuple[Features, ...]
    at: str = ""
    numbers: tuple[str, ...] = ()

    @property
    def from_zoc(self) -> bool:
        """Whether the path starts in an enemy zone of control."""
        return "zoc" in self.start

    @property
    def off_road(self) -> bool:
        """[12.4(1)] Whether the start hex is said to have no road; every city has one [12.4(2)]."""
        return bool(self.start - {"zoc"}) and not self.start & {"road", "city"}

    @property
    def end(self) -> str:
        """The last hex, "" if its digits were not given."""
        return self.numbers[-1] if self.numbers else ""

    def title(self, index: int) -> str:
        """One hex of the path as text: its digits and features."""
        return f"{self.numbers[index] if self.numbers else ''} {features_text(self.hexes[index])}".strip()

    def __str__(self) -> str:
        start = f"{self.at} {features_text(self.start)}".strip()
        parts = [f"from {start}"] if start else []
        parts += [self.title(index) for index in range(len(self.hexes))]
        return ", ".join(parts) if self.hexes else ", ".join([*parts, STAY])


@lru_cache(maxsize=1024)
def features_text(words: Features) -> str:
    """Features in their fixed order."""
    return " ".join(word for word in FEATURES if word in words)


@lru_cache(maxsize=1024)
def read_path(text: str) -> Path:
    """Read ``from zoc, road, zoc river, city`` or ``2332 2331 road, 2231``; ``stay`` is the empty path. Raises Unreadable."""
    numbers = text.replace(",", " ").split()
    if numbers and len(numbers) <= MAX_HEXES and all(map(state.is_hex, numbers)):
        return Path(_NOTHING, (_NOTHING,) * len(numbers), "", tuple(map(state.place_of, numbers)))
    parts = [part.split() for part in clean(text).casefold().replace("+", " ").replace(";", ",").split(",") if part.strip()]
    start: tuple[str, Features] = ("", frozenset())
    hexes: list[tuple[str, Features]] = []
    if parts and parts[0][0] in ("from", "start"):
        start, *hexes = _read_hexes(parts.pop(0)[1:]) or [start]
    if parts and "stay".startswith(parts[0][0]) and len(parts[0][0]) > 1:
        parts.pop(0)
    hexes += [item for part in parts for item in _read_hexes(part)]
    if len(hexes) > MAX_HEXES:
        raise Unreadable(f"{plural(len(hexes), 'hex', 'hexes')} in a way are too many", rule="12.1(2)")
    words = tuple(words for _, words in hexes)
    return Path(start[1], words, start[0], tuple(number for number, _ in hexes))


def _read_hexes(words: list[str]) -> list[tuple[str, Features]]:
    """Read the hexes between two commas: each starts with its digits, followed by its features; or features alone."""
    hexes: list[tuple[str, set[str]]] = []
    for word in words:
        if word[:1].isdecimal():
            if len(hexes) == 1 and not hexes[0][0]:
                hexes[0] = state.place_of(word), hexes[0][1]
            else:
                hexes.append((state.place_of(word), set()))
        else:
            hexes = hexes or [("", set())]
            hexes[-1][1].add(pick_name(word, FEATURES, "feature of a hex"))
    return [(number, frozenset(words - {"plain"} if len(words) > 1 else words)) for number, words in hexes]


def read_features(text: str, count: int) -> tuple[Features, ...]:
    """Read ``road, river``: the features of a number of hexes, or one entry for all of them. Raises Unreadable."""
    path = read_path(text)
    if any(map(state.is_hex, path.numbers)) or len(path.hexes) not in (1, count):
        cure = f"Give words for {count}, with commas between, or one for all alike: road"
        raise Unreadable(f"'{clean(text)}' says nothing of {count} hexes", rule="12.2", cure=cure)
    return path.hexes * (count if len(path.hexes) == 1 else 1)


@lru_cache(maxsize=1024)
def _normal_path(text: str) -> str:
    return str(read_path(text))


PATH = Notation("way", "2332 2331", _normal_path, words=FEATURES, between=", ")

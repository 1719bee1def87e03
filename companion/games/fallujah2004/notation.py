"""[3.1, 4.0] How counters and spaces are written, and what is printed on them."""

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache

from companion.core.errors import Ambiguous, Unreadable
from companion.core.named_tuple import NamedTuple
from companion.core.notation import LOT_KEYS, Notation, describe_lots, fixed_words, read_counter_lots
from companion.core.position import Piece, Value
from companion.core.text import clean, matching_names, misspelt_name, pick_name
from companion.games.fallujah2004 import state

MORALE = ("low", "medium", "high", "fanatic")
STAND = fixed_words("OPFOR response", ("stand", "break-off"))
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

    def described(self) -> str:
        """The values with their names."""
        return f"fire {self.fire}, contact {self.contact}, {'flies' if self.move == AIR else f'move {self.move}'}"


def side_of(piece: Piece) -> Side:
    """The values on the side of a unit that is up."""
    if piece.face == state.REDUCED:
        return Side(piece.number("back fire"), piece.number("back contact"), piece.number("back move"))
    return Side(piece.number("fire"), piece.number("contact"), piece.number("move"))


class Unit(NamedTuple):
    """The printed values of a Coalition unit [4.2]; `back`: None for a flag (one step); `back_known`: it has been entered."""

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
    """Read ``4(2)2`` or ``2(3)air``. Raises `Unreadable`."""
    fire, _, rest = text.partition("(")
    contact, _, move = rest.partition(")")
    flies = move.casefold() in ("air", "inf", "\u221e")
    try:
        side = Side(int(fire), int(contact), AIR if flies else int(move))
    except ValueError:
        message, cure = f"'{clean(text)}' is not firepower(contact)movement", "Type it like this: 4(2)2, or 2(3)air"
        raise Unreadable(message, rule="4.2", cure=cure) from None
    if not (0 <= side.fire <= 9 and 0 <= side.contact <= 9 and (flies or 0 <= side.move <= 20)):
        raise Unreadable(f"no counter has the values {clean(text)}", rule="4.2")
    return side


def read_unit(text: str) -> Unit:
    """Read ``USMC 3/1 inf bn 4(2)2/2(2)2``: nation, name, type, size, front, and the back or ``flag``. Raises `Unreadable`."""
    words = clean(text).split()
    cure = "Type it like this: USMC 3/1 inf bn 4(2)2/2(2)2, or /flag for a back with a flag"
    if words[:2] and " ".join(words[:2]).casefold() == "us army":
        words = ["army", *words[2:]]
    if len(words) < 5:
        raise Unreadable(f"'{clean(text)}' lacks a part: nation, name, type, size, values", rule="4.2", cure=cure)
    nation = NATIONS[pick_name(words[0], list(NATIONS), "nation")]
    size = SIZES[pick_name(words[-2], list(SIZES), "size")]
    kind = TYPES[pick_name(words[-3], list(TYPES), "unit type")]
    front_text, slash, back_text = words[-1].partition("/")
    front = read_side(front_text)
    back = read_side(back_text) if slash and back_text.casefold() != "flag" else None
    return Unit(nation, " ".join(words[1:-3])[:40], kind, size, front, back, bool(slash))


def looks_like_unit(text: str) -> bool:
    """True if the text ends in a counter's values, so that it describes a unit and does not name one."""
    last = text.split()[-1:] or [""]
    return "(" in last[0][1:] and len(text.split()) >= 5


def _read_back(text: str) -> str:
    return "flag" if "flag".startswith(text.casefold() or "?") else str(read_side(text))


UNIT = Notation("unit", "USMC 3/1 inf bn 4(2)2/2(2)2", lambda text: str(read_unit(text)))
BACK = Notation("back of a counter", "2(2)2", _read_back)


def unit_values(unit: Unit) -> dict[str, Value]:
    """The values of a unit's piece."""
    values: dict[str, Value] = {"nation": unit.nation, "type": unit.kind, "size": unit.size, **unit.front._asdict()}
    values["steps"] = 2 if unit.back else 1
    if unit.back:
        values |= {f"back {name}": value for name, value in unit.back._asdict().items()}
    return values


MOB = "mob"
"""The kind of a Mob Attack that fights as an OPFOR unit [14.5]."""


class Insurgent(NamedTuple):
    """The values of an OPFOR combat unit, written F(C) [4.6]."""

    fire: int
    contact: int

    def __str__(self) -> str:
        return f"{self.fire}({self.contact})"


def read_insurgent(text: str) -> Insurgent:
    """Read ``2(1)``. Raises `Unreadable`."""
    fire, _, rest = text.strip().partition("(")
    try:
        values = Insurgent(int(fire), int(rest.rstrip(") ") or "x"))
    except ValueError:
        raise Unreadable(f"'{clean(text)}' is not firepower(contact)", rule="4.6", cure="Type it like this: 2(1)") from None
    if not (0 <= values.fire <= 9 and 0 <= values.contact <= 9):
        raise Unreadable(f"no OPFOR unit has the values {clean(text)}", rule="4.6")
    return values


def _read_opfor_lots(text: str) -> str:
    lots = read_counter_lots(text, "1(1) x6, 2(1) x4", read_insurgent)
    return ", ".join(f"{values} x{count}" for values, count in lots)


def _read_strike_lots(text: str) -> str:
    parts = []
    for values, count in read_counter_lots(text, "(3) x4"):
        inner = values.strip("() ")
        if inner and not inner.isdecimal():
            raise Unreadable(f"'{clean(values)}' is not a strike's firepower", rule="4.3", cure="Type it like this: (3) x4")
        parts.append(f"({inner}) x{count}" if inner else f"x{count}")
    return ", ".join(parts)


OPFOR_LOTS = Notation(
    "OPFOR counters", "1(1) x6, 2(1) x4", _read_opfor_lots, describe=describe_lots, words=("(", ")", *LOT_KEYS), between=""
)
STRIKE_LOTS = Notation(
    "strike counters", "(3) x4", _read_strike_lots, describe=describe_lots, words=("(", ")", *LOT_KEYS), between=""
)


TERRAINS = ("open", "urban", "objective", "mosque")
NO_SPACE = "none"
"""The fact of a crossing without a space."""
FEATURES = ("msr", "bridge", "water")
BROOKLYN = "1-7"
"""[7.2] The space of the Brooklyn Bridge, by the printed example of random location."""

WEST_ENTRIES = (6, 8, 10, 11, 12)
"""[13.4] Phase lines by which the West Base opens on the map (ruling C-12)."""


class Ground(NamedTuple):
    """What is printed on a space."""

    terrain: str
    features: frozenset[str]
    name: str = ""

    @property
    def holy(self) -> bool:
        """A Mosque or an Objective [6.1, 9.2]."""
        return self.terrain in ("objective", "mosque")

    def __str__(self) -> str:
        head = self.name.partition(" ")[0].casefold()
        name = f'"{self.name}"' if head in FEATURES or misspelt_name(head, FEATURES) else self.name
        return " ".join([self.terrain, *(word for word in FEATURES if word in self.features), name]).strip()


@lru_cache(maxsize=1024)
def read_ground(text: str) -> Ground:
    """Read ``mosque msr Jolan``: terrain, any of msr, bridge and water, and a name (quoted if ambiguous). Raises `Unreadable`."""
    words = clean(text).replace(",", " ").split()
    if not words:
        raise Unreadable("a space needs its terrain", rule="3.1", cure="Type it like this: mosque msr Jolan")
    if words == [NO_SPACE]:
        return Ground(NO_SPACE, frozenset())
    terrain = pick_name(words[0], TERRAINS, "terrain")
    features: set[str] = set()
    rest = words[1:]
    while rest and rest[0].casefold() in FEATURES:
        features.add(rest.pop(0).casefold())
    return Ground(terrain, frozenset(features), " ".join(rest).replace('"', "")[:40])


def _check_name(text: str) -> None:
    """Raise `Unreadable` for a name that begins with a feature, or with a misspelt one."""
    words = clean(text).replace(",", " ").split()[1:]
    while words and words[0].casefold() in FEATURES:
        word = words.pop(0)
        if words and word.istitle():
            cure = f'Its name: "{" ".join([word, *words])}", in quotation marks. A feature: {word.casefold()}, in small letters'
            raise Unreadable(f"'{word}' is a feature, or begins the name of the space", rule="3.1", cure=cure)
    if words and (meant := misspelt_name(words[0], FEATURES)):
        cure = f'Did you mean {meant}? If its name begins so, put that in quotation marks: "{" ".join(words)}"'
        raise Unreadable(f"'{words[0]}' is not a feature of a space", rule="3.1", cure=cure)


def _describe_ground(value: str) -> str:
    """``mosque, MSR, name Jolan``."""
    ground = read_ground(value)
    if ground.terrain == NO_SPACE:
        return "the map has no such space"
    features = ["MSR" if word == "msr" else word for word in FEATURES if word in ground.features]
    return ", ".join([ground.terrain, *features, *([f"name {ground.name}"] if ground.name else [])])


def _read_ground(text: str) -> str:
    return str(read_ground(text))


GROUND = Notation(
    "space",
    "mosque msr Jolan",
    _read_ground,
    check_doubtful=_check_name,
    describe=_describe_ground,
    words=(*TERRAINS, *FEATURES, NO_SPACE),
    between=" ",
)


def grid_name(text: str) -> str:
    """A route and phase line in its normal form (``3-8``); "" for other texts."""
    if text in state.SPACES:
        return text
    route, dash, line = text.strip().replace("/", "-").partition("-")
    if dash and route.isdecimal() and line.isdecimal() and 1 <= int(route) <= 6 and 2 <= int(line) <= 12:
        return f"{int(route)}-{int(line)}"
    return ""


def read_grid(text: str) -> str:
    """Read a route and phase line. Raises `Unreadable`."""
    if name := grid_name(text):
        return name
    cure = "Type route 1 to 6, a hyphen, phase line 2 to 12: 3-8"
    raise Unreadable(f"there is no space '{clean(text)}'", rule="3.1", cure=cure)


GRID = Notation("route and phase line", "3-8", read_grid, words=state.SPACE_ORDER)


@lru_cache(maxsize=256)
def route_and_line(space: str) -> tuple[int, int]:
    """Route and phase line of a space of the map."""
    route, _, line = space.partition("-")
    return int(route), int(line)


def _pair_order(place: str) -> tuple[bool, tuple[int, int], str]:
    """Spaces by route and phase line, then bases by name."""
    is_space = state.on_map(place)
    return not is_space, route_and_line(place) if is_space else (0, 0), place


def pair_key(place: str, other: str) -> str:
    """Two places in a fixed order: ``3-9/3-10``, ``1-6/west base``."""
    return "/".join(sorted((place, other), key=_pair_order))


def between(space: str, other: str) -> list[str]:
    """The crossings between two spaces on the same route or phase line."""
    (route, line), (route2, line2) = sorted((route_and_line(space), route_and_line(other)))
    lines = [f"{route}-{number}" for number in range(line + 1, line2)] if route == route2 else []
    return lines or [f"{number}-{line}" for number in range(route + 1, route2)]


def north_line(routes: Mapping[str, str]) -> int:
    """[13.4] The northern phase line by the known exits of the North and South Base; 0 if unknown."""
    high_is_north = set()
    for key, route in routes.items():
        if not key.endswith(" base"):
            continue
        space, _, base = key.partition("/")
        if route not in ("", state.NO_ROUTE) and base in ("north base", "south base") and state.on_map(space):
            offset = route_and_line(space)[1] - state.LINES[len(state.LINES) // 2]
            if offset:
                high_is_north.add((offset > 0) == (base == "north base"))
    return (state.LINES[-1] if high_is_north.pop() else state.LINES[0]) if len(high_is_north) == 1 else 0


def read_place(text: str) -> str:
    """Read a space by route and phase line, or a base: ``north``. Raises `Unreadable`."""
    base = matching_names(text, state.BASES) if text.strip()[:1].isalpha() else []
    return base[0] if len(base) == 1 else read_grid(text)


"""The key of the fact ``none`` that no further route joins spaces that do not lie side by side: the map is entered whole."""
ROUTE = fixed_words("route", (state.LAND, state.BRIDGE, state.EITHER, state.RIVER, state.NO_ROUTE))
"""[13.3] A route by a bridge is a river route while the bridge is blown; ``either``: by land or by the bridge at its end."""


class SpaceNames:
    """Names of spaces and units, looked up lazily; `lacks`: True if the map has no space at a crossing, as far as known."""

    __slots__ = ("_names", "_read_names", "lacks", "units")

    def __init__(
        self,
        read_names: Callable[[], Mapping[str, str]],
        units: Callable[[], Collection[str]] = tuple,
        lacks: Callable[[str], bool] = lambda crossing: False,
    ) -> None:
        self._read_names = read_names
        self._names: Mapping[str, str] | None = None
        self.units = units
        self.lacks = lacks

    def by_name(self) -> Mapping[str, str]:
        """Printed name -> route and phase line."""
        if self._names is None:
            self._names = self._read_names()
        return self._names


def not_a_unit(text: str, units: Callable[[], Collection[str]]) -> None:
    """Raise `Unreadable` for a unit such as ``1/8``; a space may be typed with a slash too."""
    name = clean(text).strip()
    if "/" in name and name.casefold() in units():
        space = grid_name(name)
        cure = f"The space is typed {space}; the units of one force are one list: A, B" if space else "Name a space"
        raise Unreadable(f"{name} is a unit, not a space", rule="3.1", cure=cure)


def read_space(text: str, names: SpaceNames, bases: bool = True) -> str:
    """Read a space by route and phase line or printed name, or a base by unique prefix. Raises `Unreadable` or `Ambiguous`."""
    not_a_unit(text, names.units)
    if crossing := grid_name(text):
        return crossing
    places = {**names.by_name(), **({base: base for base in state.BASES} if bases else {})}
    matches = matching_names(text, places)
    fitting = list(dict.fromkeys(places[name] for name in matches))
    if len(fitting) > 1:
        raise Ambiguous(text, matches)
    if fitting:
        return fitting[0]
    cure = "Type route-phase line such as 3-8, a base, or a name that you have entered"
    raise Unreadable(f"no space '{clean(text)}'", rule="3.1", cure=cure)

"""Names and readings of the position (declared in game.toml), and of counters and enemies [5.0]."""

# Annotations are evaluated: a NamedTuple would compile each postponed one at start-up.
from functools import lru_cache

from companion.core.errors import Unreadable
from companion.core.hints import Literal
from companion.core.named_tuple import NamedTuple
from companion.core.notation import LOT_KEYS, Notation, describe_lots, read_counter_lots
from companion.core.position import Piece, Position
from companion.core.text import clean, pick_name
from companion.games.phantomfury.notation import LOCATIONS, MOSQUE, read_location

# Kinds of pieces, and faces
SQUAD, IIF, TANK = "squad", "iif", "tank"
INSURGENT = "insurgent"
SUSPECT: Literal["suspect"] = "suspect"
CONTROL, MARKER, ELEMENT = "control", "marker", "element"
REDUCED, USMC = "reduced", "usmc"
LATER = "0030"
"""The second side of a Phantom Fury marker [14.5]."""

# Places
INSURGENTS_CUP, SUSPECTS_CUP = "insurgents cup", "suspects cup"
ZONES_CUP, SQUADS_CUP = "zones cup", "squads cup"
CUPS = {INSURGENTS_CUP: INSURGENT, SUSPECTS_CUP: SUSPECT, ZONES_CUP: CONTROL, SQUADS_CUP: SQUAD}
"""The cups, each with the kind of piece that belongs in it."""
DRAWN = "drawn"
COMPANY, BATTALION, ARMOUR, IRAQI = "company box", "battalion box", "armour box", "iraqi box"
OUT, OFF = "out of the game", "beside the map"
STREET = "street "
"""Prefix of the place of a Street Section."""
BOX = "box "
"""Prefix of the place of a Zone's Control box."""

# Markers by name
PLAIN, STRONG, START_ZONE = "Activated Zone", "Activated Strong Point", "Activated Start Zone"
FURY, FANATICISM = "Phantom Fury", "Fanaticism"
NO_EVENT, RUBBLE = "No Insurgents Event", "Rubble"
ZONE_MARKERS = (FURY, FANATICISM, NO_EVENT, RUBBLE)

# Marks on units
FIRED, PINNED, HERO = "fired", "pinned", "hero"
CAAT, AMMO, EXPLOSIVES = "caat", "ammo", "explosives"

# Flags
ZONES, START_ZONES, LATE = "zones", "start", "late"
MOVED, ASSAULTED, BROUGHT_BACK = "moved", "assaulted", "brought back"
SUPPORT_OVER, OVER, WINNER = "support over", "over", "winner"
Winner = Literal["usmc", "insurgents"]
TURNS, BATTALION_TURN, MOSQUE_REACHED = "turns", "battalion turn", "mosque reached"
TOLD_ZONE = "zone:"
"""Prefix of the flag with what is printed on a Zone."""
TOLD_SECTION = "section:"
"""Prefix of the flag with the surroundings of a Street Section."""
TALLY = "tally "
"""Prefix of the flag that counts how often a row of the chart of points was scored [7.2.1]."""
MISSIONS = {"uav": "UAV", "ah1w": "AH-1W", "fa18": "F/A-18"}
"""The track of each Mission (also its row in the chart) with a short name [9.2.1]."""


def is_squad(piece: Piece) -> bool:
    """True for a USMC or IIF squad [5.1.6]."""
    return piece.kind in (SQUAD, IIF)


def is_ours(piece: Piece) -> bool:
    """True for a squad or an M1A1, which has a squad with it: no enemy shares its Location [5.1.3, 12.2.1.2] (ruling C-77)."""
    return is_squad(piece) or piece.kind == TANK


def on_map(piece: Piece) -> bool:
    """True if a piece is in a Location or a Street Section."""
    return bool(zone_of(piece.place) or section_of(piece.place))


_SIDES = {SQUAD: USMC, IIF: USMC, INSURGENT: SUSPECT, SUSPECT: SUSPECT}
"""The stacks of a Zone: all squads, all enemies; other kinds of pieces separately."""


def stack_of(piece: Piece) -> tuple[str, str] | None:
    """The stack that a piece belongs to: (side or kind, Zone)."""
    zone = zone_of(piece.place)
    return (_SIDES.get(piece.kind, piece.kind), zone) if zone else None


def kind_on_map(piece: Piece) -> str | None:
    """The kind of a piece that is on the map."""
    return piece.kind if on_map(piece) else None


def marked_zone(piece: Piece) -> str:
    """The Zone that a marker is about, in its Control box or (as told in earlier versions) in a Location; else ""."""
    return piece.place[len(BOX) :] if piece.place.startswith(BOX) else zone_of(piece.place)


def in_zone(piece: Piece) -> str | None:
    """The name of a marker that lies in a Zone."""
    return piece.name if piece.kind == MARKER and marked_zone(piece) else None


def _control(piece: Piece) -> str | None:
    """The Control box of an Activation/Control marker."""
    return piece.place if piece.kind == CONTROL and piece.place.startswith(BOX) else None


def _usmc(piece: Piece) -> str | None:
    """The Zone that a marker puts under USMC Control."""
    return piece.place[len(BOX) :] if piece.face == USMC and _control(piece) else None


def enemy_place(piece: Piece) -> str | None:
    """The place of an enemy counter."""
    return piece.place if piece.kind in (INSURGENT, SUSPECT) else None


def winner(position: Position) -> Winner | None:
    """[7.0] The side that won; None before the end."""
    flag = position.flag(WINNER)
    return "usmc" if flag == "usmc" else "insurgents" if flag else None


def squads_in(position: Position, zone: str) -> list[Piece]:
    """The squads in a Zone, USMC before IIF."""
    return _with_last(IIF, position.pieces_in_group(stack_of, (USMC, zone)))


def enemies_in(position: Position, zone: str) -> list[Piece]:
    """The Insurgents units, then the Suspects, in a Zone."""
    return _with_last(SUSPECT, position.pieces_in_group(stack_of, (SUSPECT, zone)))


def _with_last(last: str, pieces: list[Piece]) -> list[Piece]:
    """The pieces, those of one kind last."""
    return sorted(pieces, key=lambda piece: piece.kind == last) if len(pieces) > 1 else pieces


def marker_of(position: Position, zone: str) -> Piece | None:
    """The Activation/Control marker of a Zone; None before its Activation [4.1.4]."""
    return position.first_in_group(_control, box(zone))


def is_controlled(position: Position, zone: str) -> bool:
    """True if the Zone is under USMC Control; otherwise the insurgents Control it [4.1.4]."""
    return position.has_group(_usmc, zone)


def is_fortified(position: Position, zone: str) -> bool:
    """[4.1.5] True if a Zone is Fortified: the mosque, and Zones with a Strong Point."""
    marker = marker_of(position, zone)
    return zone == MOSQUE or (marker is not None and marker.name == STRONG)


def zone_marker(position: Position, zone: str, name: str) -> Piece | None:
    """The marker of that name in a Zone, if any."""
    return next((piece for piece in position.pieces_in_group(in_zone, name) if marked_zone(piece) == zone), None)


def element_of(position: Position, squad: Piece) -> Piece | None:
    """The detached Security Element of a squad, if any [12.3.2]."""
    elements = position.pieces_in_group(kind_on_map, ELEMENT)
    return next((piece for piece in elements if piece.values.get("squad") == squad.id and zone_of(piece.place)), None)


@lru_cache(maxsize=4096)
def box(zone: str) -> str:
    """The place of a Zone's Control box, with its markers [4.1.4]."""
    return BOX + zone


@lru_cache(maxsize=4096)
def street(section: str) -> str:
    """The place of a Street Section."""
    return STREET + section


def place(zone: str, location: str) -> str:
    """The place of a Location: ``14-2'``."""
    return f"{zone}-{location}"


@lru_cache(maxsize=4096)
def zone_of(where: str) -> str:
    """The Zone of a Location; "" for a Street Section, a cup or a box beside the map."""
    zone, dash, location = where.partition("-")
    return zone if dash and location in LOCATIONS else ""


@lru_cache(maxsize=4096)
def location_of(where: str) -> str:
    """The Location of a place in a Zone: ``2'`` of ``14-2'``; "" elsewhere."""
    zone, dash, location = where.partition("-")
    return location if dash and location in LOCATIONS and zone else ""


@lru_cache(maxsize=4096)
def section_of(where: str) -> str:
    """The name of a Street Section that is a place; "" elsewhere."""
    return where[len(STREET) :] if where.startswith(STREET) else ""


EnemyKind = Literal["suspect", "guerillas", "martyrs", "dummy", "ied"]
"""What an enemy is [5.2.1, 5.3.3]; a Dummy or an IED shows only when a Suspect is Activated."""
GUERILLAS: EnemyKind = "guerillas"
MARTYRS: EnemyKind = "martyrs"
DUMMY: EnemyKind = "dummy"
AMBUSH: EnemyKind = "ied"
"""The result that is an IED in an Assault or Defensive Fire, and a Sniper after Fire."""
FACES: dict[str, EnemyKind] = {"front": GUERILLAS, "martyrs": MARTYRS}
"""The face of an Insurgents counter -> the type of unit that it shows [5.2.1]."""
HEROES = {"Silver Star": 1, "Medal of Honor": 2}
"""[5.1.5.3] The CF bonus of a Hero, by the side of the marker."""


class Fighter(NamedTuple):
    """A squad: full CF, steps left (0: eliminated), bonus of its Hero, markers; ``element``: its Security Element is detached."""

    cf: int
    steps: int = 2
    hero: int = 0
    element: bool = False
    caat: bool = False
    pinned: bool = False
    iif: bool = False
    spent: bool = False

    @property
    def now(self) -> int:
        """The current CF [5.1.1.1, 5.1.5.3, 12.3.2.2]."""
        return self.cf - int(self.steps == 1) + self.hero - int(self.element)


class Enemy(NamedTuple):
    """A Suspect, or an Insurgents unit; once Activated perhaps a Dummy or an IED. ``fresh``: it was a Suspect until now."""

    kind: EnemyKind
    cf: int = 0
    name: str = ""
    fresh: bool = False


def fighter(squad: Piece, element: bool = False) -> Fighter:
    """The value of a squad, from its counter and markers."""
    return Fighter(
        squad.number("cf"),
        1 if squad.face == REDUCED else 2,
        HEROES.get(str(squad.mark(HERO)), 0),
        element,
        bool(squad.mark(CAAT)),
        bool(squad.mark(PINNED)),
        squad.kind == IIF,
        spent(squad),
    )


def spent(squad: Piece) -> bool:
    """[5.1.4.3] True if the CAAT of a squad has neither Ammo nor Explosives left."""
    return bool(squad.mark(CAAT)) and not squad.mark(AMMO) and not squad.mark(EXPLOSIVES)


def insurgent_name(guerillas: int, martyrs: int) -> str:
    """The name of a counter: ``G2/M3`` has 2 on its Guerillas side and 3 on its Martyrs side."""
    return f"G{guerillas}/M{martyrs}"


@lru_cache(maxsize=256)
def sides(name: str) -> dict[str, int]:
    """The CF of both sides of a counter, by its name; 0 if the name has none."""
    guerillas, _, martyrs = name.partition("/")
    front, back = guerillas[1:], martyrs[1:]
    return {GUERILLAS: int(front) if front.isdecimal() else 0, MARTYRS: int(back) if back.isdecimal() else 0}


def kind_of(piece: Piece) -> EnemyKind:
    """The kind of an enemy counter: Guerillas, Martyrs or Suspect."""
    return SUSPECT if piece.kind == SUSPECT else FACES.get(piece.face, GUERILLAS)


def cf_of(piece: Piece) -> int:
    """The CF on the visible side of an Insurgents counter; 0 for a Suspect."""
    return 0 if piece.kind == SUSPECT else sides(piece.name)[kind_of(piece)]


def enemy_text(piece: Piece) -> str:
    """An enemy counter in words: ``Guerillas CF 2``, ``Suspect``."""
    kind = kind_of(piece)
    return "Suspect" if kind == SUSPECT else f"{kind.title()} CF {cf_of(piece)}"


def read_sides(text: str) -> tuple[int, int]:
    """Read ``2/3``: the CF of the Guerillas and the Martyrs side, each 1 to 4 [5.2.1]. Raises Unreadable."""
    front, slash, back = text.strip().upper().replace("G", "").replace("M", "").partition("/")
    if not slash or not front.isdecimal() or not back.isdecimal() or not (1 <= int(front) <= 4 and 1 <= int(back) <= 4):
        raise Unreadable(f"'{clean(text)}' is not an Insurgents counter", rule="5.2.1", cure="Guerillas CF/Martyrs CF: 2/3")
    return int(front), int(back)


@lru_cache(maxsize=256)
def priorities(marker: str) -> tuple[str, ...]:
    """[5.3.2.2] The Locations of a Suspect marker in order; each level is followed by its primes."""
    return tuple(location for level in marker.split("/") for location in LOCATIONS if location.rstrip("'") == level)


_LEVELS = ("OG", "C", "1", "2", "R")


def read_marker(text: str) -> str:
    """Read ``2/1/R``: the bottom of a Suspect marker [5.3.2.2]. Raises Unreadable."""
    levels = [part.strip().upper() for part in text.split("/") if part.strip()]
    if not levels or len(set(levels)) != len(levels) or any(level not in _LEVELS for level in levels):
        raise Unreadable(f"'{clean(text)}' is not a Suspect marker", rule="5.3.2.2", cure="Type its Locations like this: 2/1/R")
    return "/".join(levels)


def _read_insurgents(text: str) -> str:
    lots = read_counter_lots(text, "2/3 x4, 1/2 x6", lambda sides: "{}/{}".format(*read_sides(sides)))
    return ", ".join(f"{sides} x{count}" for sides, count in lots)


def _read_suspects(text: str) -> str:
    return ", ".join(f"{marker} x{count}" for marker, count in read_counter_lots(text, "2/1/R x8, 1/2/R x6", read_marker))


INSURGENT_LOTS = Notation(
    "Insurgents counters", "2/3 x4, 1/2 x6", _read_insurgents, describe=describe_lots, words=("/", *LOT_KEYS), between=""
)
SUSPECT_LOTS = Notation(
    "Suspect markers",
    "2/1/R x8, 1/2/R x6",
    _read_suspects,
    describe=describe_lots,
    words=("OG", "C", "R", "/", *LOT_KEYS),
    between="",
)


_SHORT = {SQUAD: "", IIF: "i", TANK: "m"}


def short(piece: Piece) -> str:
    """What the player types for a unit: ``4``, ``i2``, ``m1``."""
    return f"{_SHORT.get(piece.kind, piece.kind)}{piece.values.get('number', '')}"


NOTHING = "nothing"
CIRCUMSTANCES = ("fortified", "mosque", "fury", "fanaticism", "element", "quiet", "caat", "reduced", "iif", "trapped")


def read_enemy(text: str) -> Enemy:
    """Read ``s``, ``g2``, ``m3``: a Suspect, Guerillas CF 2, Martyrs CF 3. Raises Unreadable."""
    plain = clean(text).casefold()
    if plain in ("s", SUSPECT):
        return Enemy(SUSPECT)
    if len(plain) == 2 and plain[0] in "gm" and plain[1] in "1234":
        return Enemy(GUERILLAS if plain[0] == "g" else MARTYRS, int(plain[1]))
    raise Unreadable(f"'{clean(text)}' is not an enemy", rule="5.2.1", cure="Type s, or g2, or m3")


def short_enemy(enemy: Enemy) -> str:
    """An enemy as it is typed."""
    return "s" if enemy.kind == SUSPECT else f"{enemy.kind[0]}{enemy.cf}"


def _read_enemies(text: str) -> str:
    parts = []
    for part in clean(text).replace(" ", ",").split(","):
        if part:
            location, _, enemy = part.rpartition(":")
            parts.append((f"{read_location(location)}:" if location else "") + short_enemy(read_enemy(enemy)))
    if not 1 <= len(parts) <= 8:
        raise Unreadable(f"{len(parts)} enemies described, 1 to 8 wanted", rule="13.4.8")
    return ",".join(parts)


def _read_words(text: str) -> str:
    plain = clean(text).casefold()
    if plain in ("", NOTHING, "none", "-"):
        return NOTHING
    return ", ".join(dict.fromkeys(pick_name(word, CIRCUMSTANCES, "circumstance") for word in plain.replace(",", " ").split()))


def listed(text: str) -> list[tuple[str, Enemy]]:
    """Enemies with their Locations, as typed; Location 1 where none is named."""
    parts = (part.rpartition(":") for part in text.split(","))
    return [(location or "1", read_enemy(enemy)) for location, _, enemy in parts]


ENEMY = Notation("enemy", "g2", lambda text: short_enemy(read_enemy(text)))
ENEMIES = Notation("enemies with their Locations", "2':s,1:g2", _read_enemies)
EXTRAS = Notation("circumstances", "fortified, fury", _read_words)

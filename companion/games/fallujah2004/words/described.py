"""A battle in words: firepowers, OPFOR units and circumstances, for one that is only described [16.0]."""

from __future__ import annotations

from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.words import clean, one_of
from companion.games.fallujah2004.words.counters import MOB, read_insurgent

CIRCUMSTANCES = ("leader", "fob", "engineer", "netwar", "node", "ambush", "civilians", "strongpoint", "air", "artillery", "soa")


def read_fires(text: str) -> list[tuple[int, int, int]]:
    """``4,3/2,3``: firepower of each unit; ``3/2`` is a unit of two strength steps with 2 on its reduced side.

    Returns (firepower, strength steps, reduced firepower) a unit.

    Raises:
        Unreadable: a part is no firepower, or there are none or more than twelve.
    """
    found = []
    for part in clean(text).replace(" ", ",").split(","):
        if not part:
            continue
        front, slash, back = part.partition("/")
        if not front.isdecimal() or (slash and not back.isdecimal()) or int(front) > 9 or int(back or 0) > 9:
            raise Unreadable(f"'{part}' is no firepower", rule="4.2", cure="Type them like this: 4,3/2,3")
        found.append((int(front), 2 if slash else 1, int(back or 0)))
    if not 1 <= len(found) <= 12:
        raise Unreadable(f"{len(found)} units described, 1 to 12 needed", rule="4.2")
    return found


def _read_enemy(text: str) -> str:
    parts = [part.strip() for part in clean(text).replace(" ", ",").split(",") if part.strip()]
    if not 1 <= len(parts) <= 12:
        raise Unreadable(f"{len(parts)} OPFOR units described, 1 to 12 needed", rule="4.6")
    return ",".join(MOB if part.casefold() == MOB else str(read_insurgent(part)) for part in parts)


def _read_extras(text: str) -> str:
    if clean(text).casefold() in ("", "nothing", "none", "-"):
        return "nothing"
    out = []
    for part in clean(text).split(","):
        words = part.split()
        if not words:
            continue
        word = one_of(words[0], CIRCUMSTANCES, "circumstance")
        if word in ("air", "artillery", "soa"):
            if len(words) != 2 or not words[1].isdecimal() or not 0 <= int(words[1]) <= 9:
                raise Unreadable(f"a strike needs its firepower: {word} 3", rule="4.3")
            word += f" {words[1]}"
        out.append(word)
    return ", ".join(out)


FIRES = Notation("firepowers", "4,3/2,3", lambda text: ",".join(f"{f}/{b}" if s == 2 else str(f) for f, s, b in read_fires(text)))
ENEMY = Notation("OPFOR units", "2(1),1(1),mob", _read_enemy)
EXTRAS = Notation("circumstances", "leader, netwar, air 3", _read_extras)

"""How the enemies of an Assault and its circumstances are typed: ``2':s,1:g2``, ``fortified, fury``."""

from __future__ import annotations

from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.text import clean, pick_name
from companion.games.phantomfury.names import SUSPECT
from companion.games.phantomfury.rules.r13_scene import Enemy
from companion.games.phantomfury.words.counters import GUERILLAS, MARTYRS
from companion.games.phantomfury.words.locations import read_location

NOTHING = "nothing"
CIRCUMSTANCES = ("fortified", "mosque", "fury", "fanaticism", "element", "quiet", "caat", "reduced", "iif", "trapped")


def read_enemy(text: str) -> Enemy:
    """Read ``s``, ``g2``, ``m3``: a Suspect, Guerillas CF 2, Martyrs CF 3.

    Raises:
        Unreadable: The text is none of these.
    """
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
    enemies = []
    for part in text.split(","):
        location, _, enemy = part.rpartition(":")
        enemies.append((location or "1", read_enemy(enemy)))
    return enemies


ENEMY = Notation("enemy", "g2", lambda text: short_enemy(read_enemy(text)))
ENEMIES = Notation("enemies with their Locations", "2':s,1:g2", _read_enemies)
EXTRAS = Notation("circumstances", "fortified, fury", _read_words)

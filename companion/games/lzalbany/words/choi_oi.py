"""[3.5] What a result of the Choi Oi Table is, as an owner copies it from the map."""

from __future__ import annotations

from typing import NamedTuple

from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.text import clean, pick_name, plural
from companion.games.lzalbany.names import NO_FIRE, NO_MOVE, NOTHING

KINDS = ("none", "nofire", "nomove", "nothing", "hit", "rally", "casualty", "move", "other")
MARKERS = {"nofire": NO_FIRE, "nomove": NO_MOVE, "nothing": NOTHING}
SCOPES = ("unit", "area")


class Effect(NamedTuple):
    """One result.

    Attributes:
        kind: none; nofire, nomove, nothing (the incident markers); hit, rally (hits on or off); casualty (an officer);
            move (an extra move); other (the text says).
        scope: one unit of the chosen area, or all of them.
        number: hits, 1 or more.
        text: the table's own words, as the owner shortened them.
    """

    kind: str
    scope: str = "unit"
    number: int = 1
    text: str = ""

    def __str__(self) -> str:
        words = [self.kind]
        if self.kind not in ("none", "other", "casualty", "move"):
            words.append(self.scope)
        if self.kind in ("hit", "rally") and self.number != 1:
            words.append(str(self.number))
        return " ".join(words) + (f": {self.text}" if self.text else "")

    @property
    def words(self) -> str:
        """What the result does, for the line of the event."""
        who = "a platoon" if self.scope == "unit" else "each platoon"
        many = plural(self.number, "hit")
        does = {
            "none": "nothing happens",
            "nofire": f"{who} may not fire",
            "nomove": f"{who} may not move",
            "nothing": f"{who} may neither fire nor move",
            "hit": f"{who} takes {many}",
            "rally": f"{who} recovers {many}",
            "casualty": "an officer is checked",
            "move": "an extra move",
        }
        return does.get(self.kind, "as the table says") + (f" ({self.text})" if self.text else "")


def read_effect(text: str) -> Effect:
    """``nofire unit``, ``hit area 2: mortar shells``, ``other: draw again``.

    Raises:
        Unreadable: it begins with none of the kinds.
    """
    head, _, said = clean(text).partition(":")
    words = head.split()
    if not words:
        raise Unreadable("a result is empty", rule="3.5", cure="Type it like this: nofire unit, or other: in your words")
    kind = pick_name(words[0], KINDS, "kind of result")
    scope, number = "unit", 1
    for word in words[1:]:
        if word.isdecimal() and 1 <= int(word) <= 6:
            number = int(word)
        else:
            scope = pick_name(word, SCOPES, "scope of a result")
    if kind == "other" and not said.strip():
        raise Unreadable("say what the table says", rule="3.5", cure="Type it like this: other: in your words")
    return Effect(kind, scope, number, said.strip()[:120])


EFFECT = Notation("result", "nofire unit", lambda text: str(read_effect(text)))

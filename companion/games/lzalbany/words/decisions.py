"""What an opponent of ours decides, and what dice do, as a referee says it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.dice import faces_text
from companion.core.text import plural

_NONE = ("none", "done", "no", "stay")
"""The names of choices by which nothing is done."""

_DOES = {
    "group": "lets {}",
    "combat": "fires from {}",
    "target": "aims at {}",
    "event_area": "has its event in {}",
    "unit_target": "sends the gunship at {}",
    "first_hit": "puts the first hit on {}",
    "hit": "takes a hit on {}",
    "answer": "returns fire",
    "adrenaline": "plays its Adrenaline",
    "flare": "lights a flare over {}",
    "landing": "lands Dust Off in {}",
    "lift": "flies reinforcements to {}",
    "moves": "moves {}",
    "advance": "advances with {}",
    "retreat": "retreats {}",
    "deploy": "places {}",
    "rally": "rallies {}",
    "weapon": "drops {}",
}
_NOT = {
    "combat": "ceases fire",
    "target": "aims at nothing",
    "unit_target": "keeps the gunship back",
    "answer": "does not return fire",
    "adrenaline": "keeps its Adrenaline",
    "flare": "lights no flare",
    "lift": "flies nobody in",
    "moves": "moves nobody",
    "advance": "does not advance",
    "retreat": "stays",
    "dustoff": "does not send Dust Off",
}
_DUST_OFF = {"evacuate": "sends Dust Off for the wounded", "airlift": "sends Dust Off with reinforcements"}


def decided(side: str, decision: str, key: str, name: str, asked: bool = False) -> str:
    """The sentence on what an opponent decides: ``The NVA aims at d2.``

    Args:
        side: whose opponent it is.
        decision: what is decided, by the opponent's name for it; ``key``: the question that it answers.
        name: what it takes, by its own name for that.
        asked: whether the player is asked to confirm it.
    """
    sentence = f"{side} {_does(key if key in _DOES else decision, name)}."
    return f"Proposal: the {sentence}" if asked else f"The {sentence}"


def _does(what: str, name: str) -> str:
    if name in _NONE:
        return _NOT.get(what, name)
    if what == "dustoff":
        return _DUST_OFF.get(name, name)
    kind, _, area = name.partition(" ")
    if what == "combat" and kind in ("mortar", "melee"):
        return f"fires its mortars in {area}" if kind == "mortar" else f"fights the melee in {area}"
    return _DOES.get(what, "chooses {}").format(name)


def hits_text(hits: int) -> str:
    """The verdict of dice.

    >>> hits_text(0), hits_text(1), hits_text(4)
    ('no hit', '1 HIT', '4 HITS')
    """
    return plural(hits, "HIT", "HITS") if hits else "no hit"


def volley_text(who: str, faces: Sequence[int], hits: int, where: str = "") -> str:
    """What was rolled, what was needed, and what came of it; without ``who`` the line goes on from the one before.

    >>> volley_text("Bombs on d2", (6, 1, 6), 2), volley_text("", (1, 2), 0, "d2")
    ('Bombs on d2: 6 1 6, hits on 6. 2 HITS.', '1 2, hits on 6. No hit on d2.')
    """
    rolled = f"{faces_text(faces)}, hits on 6. " if faces else "no dice. "
    verdict = hits_text(hits)
    return f"{who}{': ' if who else ''}{rolled}{verdict[0].upper()}{verdict[1:]}{f' on {where}' if where else ''}."

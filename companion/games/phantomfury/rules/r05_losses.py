"""[5.1] Losses of squads: Pinned, reduced, eliminated; and [5.2] swapping Insurgents counters."""

from __future__ import annotations

from companion.core.position import Piece
from companion.core.requests import Choice, Choose
from companion.games.phantomfury.names import AMMO, CAAT, EXPLOSIVES, FIRED, HERO, INSURGENTS_CUP, OUT, PINNED, REDUCED, SQUAD
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.words.counters import GUERILLAS, cf_of, enemy_text, kind_of, sides, spent


def pin(referee: Fury, squad: Piece, rule: str, why: str) -> None:
    """[11.5] Pin a squad; a Fired marker is replaced. Pinning it again changes nothing."""
    if referee.piece(squad.id).mark(PINNED):
        referee.say(f"{squad.name} is Pinned already.", "11.5")
        return
    referee.mark(squad.id, FIRED, None, "11.5")
    referee.mark(squad.id, PINNED, True, rule, why)
    referee.say(f"{squad.name} is PINNED.", "11.5", why)


async def ask_loss(caat: bool, cheap: bool, name: str = "The squad") -> str:
    """[5.1.1.2] Ask whether the squad or its CAAT takes a Step Loss.

    Args:
        cheap: Suggest the CAAT: the squad would be eliminated, or the CAAT has nothing left.
    """
    if not caat:
        return "squad"
    choices = [Choice("squad", "the squad"), Choice("caat", "its CAAT")]
    return await Choose(
        "loss", f"{name} takes a Step Loss: itself or its CAAT?", "5.1.1.2", choices, "caat" if cheap else "squad"
    )


async def step_loss(referee: Fury, squad: Piece, rule: str, why: str) -> str:
    """Apply a Step Loss to a squad or its CAAT. Returns ``squad``, ``caat``, or ``lost`` for an eliminated squad."""
    squad = referee.piece(squad.id)
    who = await ask_loss(bool(squad.mark(CAAT)), squad.face == REDUCED or spent(squad), squad.name)
    return apply_loss(referee, squad, who, rule, why)


def apply_loss(referee: Fury, squad: Piece, who: str, rule: str, why: str) -> str:
    """[5.1.1.1, 5.1.4.3] Apply a Step Loss to the squad or the CAAT that was chosen."""
    squad = referee.piece(squad.id)
    if who == "caat":
        referee.say(f"{squad.name} LOSES its CAAT.", "5.1.4.3", why)
        remove_caat(referee, squad, "5.1.4.3")
        referee.points("caat_eliminated", "7.2.1", "CAAT support eliminated")
        return "caat"
    if squad.face == REDUCED:
        eliminate(referee, squad, rule, why)
        return "lost"
    referee.flip(squad.id, REDUCED, "5.1.1.1", why)
    referee.say(f"{squad.name} takes a STEP LOSS: CF {referee.cf(squad)}.", "5.1.1.1", why)
    if squad.kind == SQUAD:
        referee.points("squad_reduced", "7.2.1", f"{squad.name} reduced")
    return "squad"


def remove_caat(referee: Fury, squad: Piece, rule: str) -> None:
    """Remove a CAAT with its Ammo and Explosives markers from the map [5.1.4.3]."""
    for mark in (CAAT, AMMO, EXPLOSIVES):
        referee.mark(squad.id, mark, None, rule)


def eliminate(referee: Fury, squad: Piece, rule: str, why: str) -> None:
    """[5.1.1.1] Remove a squad from the game with its CAAT (no Victory Points) and its Hero [5.1.4.3, 5.1.5.1]."""
    remove_from_map(referee, squad, rule, why)
    referee.say(f"{squad.name} is ELIMINATED.", "5.1.1.1", why)
    referee.points(f"{squad.kind}_eliminated", "7.2.1", f"{squad.name} eliminated")


def remove_from_map(referee: Fury, squad: Piece, rule: str, why: str) -> None:
    """Remove a squad permanently, with everything stacked with it."""
    remove_caat(referee, squad, rule)
    for mark in (HERO, FIRED, PINNED):
        referee.mark(squad.id, mark, None, rule)
    referee.move(squad.id, OUT, rule, why)


def eliminate_enemy(referee: Fury, unit: Piece, rule: str, why: str) -> None:
    """[5.2.1] Return an Insurgents unit to its cup; Guerillas score a Victory Point [7.2.1]."""
    text, where = enemy_text(unit), unit.place
    guerillas = kind_of(unit) == GUERILLAS
    referee.move(unit.id, INSURGENTS_CUP, "5.2.1", "eliminated")
    referee.flip(unit.id, "front", "5.2.1")
    referee.say(f"{text} at {where} ELIMINATED.", rule, why)
    if guerillas:
        referee.points("guerillas_eliminated", "7.2.1", "Guerillas eliminated")


async def swap(referee: Fury, unit: Piece, cf: int, rule: str, why: str) -> Piece:
    """Replace a unit by one of the same type with another CF from the cup [13.4.3]. If the cup has none, the unit stays
    unchanged (ruling C-57).
    """
    kind = kind_of(unit)
    names = [name for name in referee.cup(INSURGENTS_CUP) if sides(name)[kind] == cf]
    if not names:
        referee.say(f"The cup has no {kind.title()} of CF {cf}: {enemy_text(unit)} stays.", rule, why)
        return unit
    name = names[0]
    if len(names) > 1:
        choices = [Choice(counter, counter) for counter in names]
        name = await Choose("counter", f"Which counter with {kind.title()} CF {cf}?", rule, choices, names[0])
    new = referee.take_from(INSURGENTS_CUP, name, unit.place, rule, why)
    referee.flip(new.id, unit.face, rule)
    referee.move(unit.id, INSURGENTS_CUP, rule, "replaced")
    referee.flip(unit.id, "front", rule)
    referee.say(f"{enemy_text(unit)} at {unit.place} is replaced by CF {cf_of(referee.piece(new.id))} ({name}).", rule, why)
    return referee.piece(new.id)

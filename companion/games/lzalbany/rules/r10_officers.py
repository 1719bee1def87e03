"""[10.0] Officers: activation of senior officers, leading hit units, casualties."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.core.position import Piece
from companion.core.requests import Confirm
from companion.games.lzalbany.areas import title
from companion.games.lzalbany.notation import Order
from companion.games.lzalbany.rules.r08_hits import one_at_random
from companion.games.lzalbany.state import ACTS, OFFICER, UNIT, activations, company_of, hits_on, is_senior, side_of

if TYPE_CHECKING:
    from companion.games.lzalbany.referee import AlbanyReferee

SENIOR_ACTS = 2


def can_join(referee: AlbanyReferee, officer: Piece) -> bool:
    """[5.2D, 10.1] True if a senior officer can act with units: twice a turn (ruling C-6), and throughout one chit."""
    return is_senior(officer) and (
        officer.id in referee.acting_officers or activations(officer) < SENIOR_ACTS or referee.option("seniors") == "any_number"
    )


def activate(referee: AlbanyReferee, officer: Piece, rule: str) -> None:
    """[5.2D, 10.1] Count the activation of an officer, once for each chit."""
    if officer.id not in referee.acting_officers:
        referee.mark(officer.id, ACTS, activations(officer) + 1, rule, "activated")
        referee.acting_officers.add(officer.id)


async def joining(referee: AlbanyReferee, side: str, area: str, unled: int) -> list[Piece]:
    """[5.2D, 10.1] The senior officers who act with the units in their area; those acting with this chit are not asked.

    Args:
        unled: Units that act without an officer; each officer counts for one of them [10.3].
    """
    able = sorted(
        (p for p in referee.officers(area, side) if can_join(referee, p)), key=lambda p: p.id not in referee.acting_officers
    )
    joined: list[Piece] = []
    for officer in able:
        acts_already = officer.id in referee.acting_officers
        if len(joined) < unled and (acts_already or referee.is_computer(side) or await _wants_to_join(referee, officer)):
            activate(referee, officer, "5.2D")
            joined.append(officer)
    return joined


async def _wants_to_join(referee: AlbanyReferee, officer: Piece) -> bool:
    number = activations(officer) + 1
    often = f"{number}" if referee.option("seniors") == "any_number" else f"{number} of {SENIOR_ACTS}"
    request = Confirm("senior", f"Does {officer.name} act with them? ({often} this turn)", "5.2D", True)
    return await referee.for_side(side_of(officer), request)


def leaders_of(referee: AlbanyReferee, unit: Piece) -> list[Piece]:
    """[6.2A, 10.3] The officers who let a hit unit move: of its company, or senior, in its area."""
    officers = referee.officers(unit.place, side_of(unit))
    return [officer for officer in officers if is_senior(officer) or company_of(officer) == company_of(unit)]


def must_lead_along(referee: AlbanyReferee) -> bool:
    """[10.3] True if the officer who lets a hit unit move goes with it (ruling C-55)."""
    return referee.option("leading") != "area"


def check_led(referee: AlbanyReferee, orders: Sequence[Order]) -> None:
    """[10.3] An officer makes the same move as each hit unit that he lets move."""
    going = {(order.piece.id, order.to) for order in orders}
    for unit, to in orders:
        leaders = leaders_of(referee, unit) if unit.kind == UNIT and hits_on(unit) and must_lead_along(referee) else []
        if leaders and not any((officer.id, to) in going for officer in leaders):
            referee.forbid(
                f"{unit.name} is hit, and no officer of its own goes along to {title(to)}",
                "10.3",
                f"Send him too: {unit.name} {leaders[0].name} > {to}",
            )


async def casualty_die(referee: AlbanyReferee, officer: Piece, rule: str) -> None:
    """[10.4] One die for an officer: a casualty on a 6."""
    faces = await referee.volley("casualty", f"Officer check for {officer.name}: a casualty on 6", rule, 1, 1, "casualty")
    if referee.count(faces, "casualty"):
        referee.say(f"Officer check for {officer.name}: {faces[0]}, safe on 1-5. CASUALTY.", rule)
        referee.wound_officer(officer.id, rule, "officer check")
    else:
        referee.say(f"Officer check for {officer.name}: {faces[0]}, safe on 1-5.", rule)


async def officer_check(referee: AlbanyReferee, area: str, sides: Sequence[str], rule: str, each: bool = False) -> None:
    """[10.4] Check an officer of these sides in an area, chosen at random, or each of them."""
    officers = [piece for piece in referee.position.at(area) if piece.kind == OFFICER and side_of(piece) in sides]
    if not officers:
        return
    if each:
        for officer in officers:
            await casualty_die(referee, officer, rule)
        return
    index = await one_at_random(referee, "officer", f"officer in {title(area)}", [officer.name for officer in officers], rule)
    await casualty_die(referee, officers[index], rule)

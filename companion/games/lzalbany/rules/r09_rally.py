"""[9.0] Rally: officers first, then a die for each other hit unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Odds
from companion.core.text import plural
from companion.games.lzalbany import state
from companion.games.lzalbany.areas import is_area
from companion.games.lzalbany.odds.outcomes import enumerate_outcomes
from companion.games.lzalbany.state import company_of, hits_on, is_senior, is_unwounded, side_of

if TYPE_CHECKING:
    from companion.games.lzalbany.referee import AlbanyReferee

NOBODY = "none"


async def rally_phase(referee: AlbanyReferee) -> None:
    """[3.7] Both sides rally; the US not on turn 1."""
    for side in state.SIDES:
        if side == state.US and not referee.chart("turns").cell(str(referee.turn), "us_rally"):
            referee.say("Turn 1: the US has no Rally Phase.", "3.3")
            continue
        await rally(referee, side)
    referee.set_flag(state.PHASE, "administrative", "3.7")


def can_rally(unit: Piece) -> bool:
    """[9.0, 8.3] True for a unit with one or two hits; reduced units do not rally."""
    return 0 < hits_on(unit) < state.REDUCED


def hit_units(referee: AlbanyReferee, side: str) -> list[Piece]:
    """[9.0] The units of a side that can rally."""
    return [p for p in referee.on_map(side, state.UNIT) if can_rally(p)]


def helped_by(officer: Piece, units: Sequence[Piece]) -> list[Piece]:
    """[9.2, 10.3] Units that an officer can help: of his company in his area; for a senior officer any of his side there."""
    return [p for p in units if p.place == officer.place and (is_senior(officer) or company_of(p) == company_of(officer))]


class Rallied(NamedTuple):
    """How many hits were removed."""

    off: int


async def rally(referee: AlbanyReferee, side: str) -> Rallied:
    """[9.1, 9.2] Rally one side; a unit helped by an officer does not roll (ruling C-23), but two officers can help one unit."""
    helped: list[str] = []
    officers = [p for p in referee.position.of_kind(state.OFFICER) if side_of(p) == side and is_area(p.place) and is_unwounded(p)]
    for officer in sorted(officers, key=is_senior):
        near = helped_by(officer, referee.units(officer.place, side))
        able = [p for p in near if can_rally(p)]
        unit = await _choose_unit(referee, side, officer, able, [p for p in near if p not in able])
        if unit is None:
            continue
        helped.append(unit.id)
        _recover(referee, unit, "9.2", f"{officer.name} rallies {unit.name}")
    rolling = [p for p in hit_units(referee, side) if p.id not in helped]
    if not rolling:
        referee.say(f"No {side} unit rolls to rally.", "9.1")
        return Rallied(len(helped))
    dice = len(rolling)
    faces = await referee.volley("rally", lambda: _prompt(referee, side, rolling), "9.1", dice, dice, "rally")
    rolled = ", ".join(f"{piece.name} {face}" for piece, face in zip(rolling, faces, strict=True))
    referee.say(f"{side} rally, needs 6: {rolled}.{'' if referee.count(faces, 'rally') else ' Nobody recovers.'}", "9.1")
    for piece, face in zip(rolling, faces, strict=True):
        if referee.count((face,), "rally"):
            _recover(referee, piece, "9.1", f"{piece.name} rallies")
    return Rallied(len(helped) + referee.count(faces, "rally"))


def _prompt(referee: AlbanyReferee, side: str, rolling: Sequence[Piece]) -> str:
    return f"{side} rally, a die each, recovers on 6: {referee.piece_names(rolling)}"


async def _choose_unit(
    referee: AlbanyReferee, side: str, officer: Piece, able: Sequence[Piece], unable: Sequence[Piece]
) -> Piece | None:
    """The unit that an officer helps; asked if there are several, refused for a reduced unit [8.3]."""
    if not able:
        for unit in [p for p in unable if hits_on(p) == state.REDUCED]:
            text = f"{unit.name} is reduced and does not rally"
            referee.skip_question("rally_unit", text, "8.3", "Where your board shows otherwise: adjust")
        return None
    if len(able) == 1:
        return able[0]
    choices = [Choice(p.name, p.name, plural(hits_on(p), "hit")) for p in able]
    best = max(able, key=hits_on)
    request = Choose(
        "rally_unit",
        f"{side}: whom does {officer.name} rally?",
        "9.2",
        [*choices, Choice(NOBODY, "none")],
        best.name,
        others=[Choice(p.name, p.name) for p in unable],
        what="hit unit",
    )
    name = await referee.decide(
        request, side, "rally", lambda planner: planner.rally(able), auto=True, value=lambda piece: piece.name
    )
    if name == NOBODY:
        return None
    unit = next(p for p in [*able, *unable] if p.name == name)
    if unit in unable:
        referee.forbid(f"{name} is reduced or has no hits, and does not rally", "8.3", "Choose a unit with one or two hits")
        return None
    return unit


def _recover(referee: AlbanyReferee, unit: Piece, rule: str, text: str) -> None:
    left = hits_on(unit) - 1
    referee.mark(unit.id, state.HITS, left or None, rule, text)
    referee.say(f"{text}: {plural(left, 'hit')} left." if left else f"{text}: no hit left.", rule)


def rally_odds(referee: AlbanyReferee, side: str) -> Odds:
    """The hits that a Rally Phase of one side removes."""
    outcomes = enumerate_outcomes(referee.hypothetical(), lambda table, _: rally(table, side))
    return Odds("Rally", "9.0", (("Hits taken off", outcomes.numbers("off")),), (("hits taken off", outcomes.mean("off")),))

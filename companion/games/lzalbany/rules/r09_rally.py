"""[9.0] Rally: officers first, then a die for each other hit unit."""

from __future__ import annotations

from typing import NamedTuple

from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Odds
from companion.core.text import plural
from companion.games.lzalbany.names import HITS, OFFICER, PHASE, SIDES, UNIT, US
from companion.games.lzalbany.odds.ends import play_out
from companion.games.lzalbany.odds.paper import Paper
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules.r08_hits import REDUCED
from companion.games.lzalbany.words.areas import is_area
from companion.games.lzalbany.words.counters import company_of, healthy, hits_on, is_senior, side_of

NOBODY = "none"


async def rally_phase(game: LzAlbany) -> None:
    """[3.7] Both sides rally; the US not on turn 1."""
    for side in SIDES:
        if side == US and not game.chart("turns").cell(str(game.turn), "us_rally"):
            game.say("Turn 1: the US has no Rally Phase.", "3.3")
            continue
        await rally(game, side)
    game.set_flag(PHASE, "administrative", "3.7")


def hit_units(game: LzAlbany, side: str) -> list[Piece]:
    """[9.0, 8.3] Units with one or two hits; reduced ones do not rally."""
    return [p for p in game.on_map(side, UNIT) if hits_on(p) in (1, 2)]


def whom(officer: Piece, units: list[Piece]) -> list[Piece]:
    """[9.2, 10.3] Units that an officer can help: of his company in his area; a senior officer any of his side there."""
    return [p for p in units if p.place == officer.place and (is_senior(officer) or company_of(p) == company_of(officer))]


class Rallied(NamedTuple):
    """How many hits came off."""

    off: int


async def rally(game: LzAlbany, side: str) -> Rallied:
    """[9.1, 9.2] One side; a unit that an officer helps does not roll (ruling C-23), but a second officer can help it too."""
    helped: list[str] = []
    officers = [p for p in game.position.of_kind(OFFICER) if side_of(p) == side and is_area(p.place) and healthy(p)]
    for officer in sorted(officers, key=is_senior):
        near = whom(officer, game.units(officer.place, side))
        able = [p for p in near if hits_on(p) in (1, 2)]
        unit = await _choice(game, side, officer, able, [p for p in near if p not in able])
        if unit is None:
            continue
        helped.append(unit.id)
        _recover(game, unit, "9.2", f"{officer.name} rallies {unit.name}")
    rolling = [p for p in hit_units(game, side) if p.id not in helped]
    if not rolling:
        game.say(f"No {side} unit rolls to rally.", "9.1")
        return Rallied(len(helped))
    many = len(rolling)
    faces = await game.volley("rally", lambda: _asked(game, side, rolling), "9.1", many, many, "rally")
    rolled = ", ".join(f"{piece.name} {face}" for piece, face in zip(rolling, faces, strict=True))
    game.say(f"{side} rally, needs 6: {rolled}.{'' if game.count(faces, 'rally') else ' Nobody recovers.'}", "9.1")
    for piece, face in zip(rolling, faces, strict=True):
        if game.count((face,), "rally"):
            _recover(game, piece, "9.1", f"{piece.name} rallies")
    return Rallied(len(helped) + game.count(faces, "rally"))


def _asked(game: LzAlbany, side: str, rolling: list[Piece]) -> str:
    return f"{side} rally, a die each, recovers on 6: {game.piece_names(rolling)}"


async def _choice(game: LzAlbany, side: str, officer: Piece, able: list[Piece], reduced: list[Piece]) -> Piece | None:
    """Whom an officer helps; asked where there are several, refused for a reduced unit [8.3]."""
    if not able:
        for unit in [p for p in reduced if hits_on(p) == REDUCED]:
            game.skip_question(
                "rally_unit", f"{unit.name} is reduced and does not rally", "8.3", "Where your board shows otherwise: adjust"
            )
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
        others=[Choice(p.name, p.name) for p in reduced],
        what="hit unit",
    )
    name = await game.decide(request, side, "rally", able, auto=True, value=lambda piece: piece.name)
    if name == NOBODY:
        return None
    unit = next(p for p in [*able, *reduced] if p.name == name)
    if unit in reduced:
        game.forbid(f"{name} is reduced or has no hits, and does not rally", "8.3", "Choose a unit with one or two hits")
        return None
    return unit


def _recover(game: LzAlbany, unit: Piece, rule: str, text: str) -> None:
    left = hits_on(unit) - 1
    game.mark(unit.id, HITS, left or None, rule, text)
    game.say(f"{text}: {plural(left, 'hit')} left." if left else f"{text}: no hit left.", rule)


def rally_odds(paper: Paper, side: str) -> Odds:
    """A Rally Phase of one side, on paper."""
    ends = play_out(paper, lambda table, _: rally(table, side))
    return Odds("Rally", "9.0", (("Hits taken off", ends.numbers("off")),), (("hits taken off", ends.mean("off")),))

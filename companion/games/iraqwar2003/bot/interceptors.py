"""Our opponent in the air against bombing groups and drops: who intercepts what, weighed in victory points."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.odds import mean
from companion.core.position import Piece
from companion.games.iraqwar2003.bot.weighing import Option, choose, constant, say_verdict, slipped
from companion.games.iraqwar2003.notation import AIRFIELD, RADAR, RADIO, counts_for_victory, kind_of, printed_side, sector_of
from companion.games.iraqwar2003.odds import command_point_chances, interception_gain
from companion.games.iraqwar2003.referee import IraqWarReferee, boxes, intact
from companion.games.iraqwar2003.rules.r05_air_combat import PlannedMission, airfield_obstacle, interception_obstacle
from companion.games.iraqwar2003.rules.r11_command_points import DIE, radio_points
from companion.games.iraqwar2003.state import AIR, BOX, IRAQ, NONE, PALACE
from companion.games.iraqwar2003.worth import turns_left


def plane_worth(game: IraqWarReferee, piece: Piece) -> float:
    """What the loss of an Iraqi air unit costs Iraq: what it would do in the turns after this; nothing on the last."""
    values = game.known_values(piece)
    strength = (values.air + 2 * values.support) / 4 if values else 1.0
    return constant(game, "air_unit") * strength * min(turns_left(game.position, IRAQ) - 1, 3)


def kill_worth(game: IraqWarReferee, piece: Piece) -> float:
    """[15.2] What an air unit of the Coalition that is removed costs it, and that it is gone."""
    if piece.kind != AIR or not counts_for_victory(piece):
        return 0.0
    return -game.chart("victory").number("air", "vp") + constant(game, "enemy_air_unit") * (turns_left(game.position, IRAQ) - 1)


def target_worth(game: IraqWarReferee, plan: PlannedMission) -> float:
    """What a hit on the target of a group costs Iraq in the turns to come."""
    left = turns_left(game.position, IRAQ)
    if plan.kind == PALACE:
        return float(game.chart("victory").number("saddam", "vp")) / max(len(game.position.at(PALACE)), 1)
    if plan.kind != BOX:
        unit = printed_side(game.piece(plan.id)) if plan.kind == "unit" else None
        return constant(game, plan.kind) * (unit.defence if unit else 1)
    kind = kind_of(game.piece(plan.id))
    if kind == RADIO:
        return _radio_worth(game) * max(left - 1, 0)
    if kind == AIRFIELD:
        fields, planes = len(intact(boxes(game.position, AIRFIELD))), len(game.air_units(IRAQ))
        return constant(game, "airfield") * left * (1.0 if fields <= planes else 0.3)
    if kind == RADAR:
        radars = [one for one in boxes(game.position, RADAR) if sector_of(one) == sector_of(game.piece(plan.id))]
        return constant(game, "radar") * left * (1.0 if len(intact(radars)) == 1 else 0.5)
    return constant(game, "aa") * left


def _radio_worth(game: IraqWarReferee) -> float:
    """[11.1] What a Radio box brings a turn: nothing while the die brings more anyway."""
    dice, radios = mean(command_point_chances(game, DIE)), radio_points(game)
    return constant(game, "command_point") * max(max(radios, dice) - max(radios - 1, dice), 0.1)


async def propose_interception(game: IraqWarReferee, plans: Sequence[PlannedMission]) -> str:
    """[5.2(2)] Which groups to intercept with what, in the notation of the question; ``none``."""
    ready = game.air_units(IRAQ) if game.airfields_left() else []
    for piece in [*ready, *(one for plan in plans for one in plan.group.pieces)]:
        await game.air_values(piece)
    chosen: list[tuple[int, Piece]] = []
    lines: list[str] = []
    while True:
        options = dict(_pairings(game, plans, chosen))
        verdict = await slipped(game, "intercept", "5.2(2)", IRAQ, choose(game, "intercept", list(options)), list(options))
        lines += [f"{'then ' if lines else ''}{verdict.lines[0]}", *verdict.lines[1:]]
        found = options[verdict.choice]
        if found is None:
            break
        chosen.append(found)
    text = ", ".join(f"{number} {piece.name}" for number, piece in sorted(chosen, key=lambda one: one[0])) or NONE
    met = ", ".join(f"group {number} with {piece.name}" for number, piece in sorted(chosen, key=lambda one: one[0]))
    say_verdict(game, f"Iraq intercepts {met or 'nobody'}.", "5.2(2)", *lines)
    return text


def _pairings(
    game: IraqWarReferee, plans: Sequence[PlannedMission], chosen: Sequence[tuple[int, Piece]]
) -> list[tuple[Option, tuple[int, Piece] | None]]:
    """What may still be intercepted, and by whom, beside what has been chosen; and nothing."""
    stay: list[tuple[Option, tuple[int, Piece] | None]] = [(Option("nobody", NONE, does=False), None)]
    if airfield_obstacle(game, len(chosen) + 1):
        return stay
    taken, met = {piece.id for _, piece in chosen}, {number for number, _ in chosen}
    ready = [(piece, values) for piece in game.air_units(IRAQ) if (values := game.known_values(piece)) and piece.id not in taken]
    able = [piece for piece, values in ready if values.air]
    for number, plan in enumerate(plans, 1):
        if number not in met and not interception_obstacle(game, plan, IRAQ):
            found = [(_option(game, number, plan, piece), (number, piece)) for piece in able]
            stay += [(option, pair) for option, pair in found if option]
    return stay


def _option(game: IraqWarReferee, number: int, plan: PlannedMission, piece: Piece) -> Option | None:
    gain = interception_gain(game, plan, piece)
    if gain is None:
        return None
    vp = gain.stopped * target_worth(game, plan) + gain.kills * kill_worth(game, plan.lead) - gain.risk * plane_worth(game, piece)
    saved, killed, lost = (round(100 * share) for share in (gain.stopped, gain.kills, gain.risk))
    detail = f"target safe {saved} %, {plan.lead.name} lost {killed} %, {piece.name} lost {lost} %"
    return Option(f"{piece.name} meets group {number} ({plan.group.title})", f"{number} {piece.name}", vp, detail, gain.risk)

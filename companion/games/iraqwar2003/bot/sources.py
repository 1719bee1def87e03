"""Our opponent's command points: by the Radio boxes or by the die."""

from __future__ import annotations

from companion.core.odds import mean
from companion.games.iraqwar2003.bot.weighing import Option, choose, constant, say_verdict
from companion.games.iraqwar2003.notation import RADIO
from companion.games.iraqwar2003.odds import command_point_chances
from companion.games.iraqwar2003.referee import IraqWarReferee
from companion.games.iraqwar2003.rules.r11_command_points import sources


def propose_source(game: IraqWarReferee) -> str:
    """[11.1] ``radio`` or ``die``: the method with the higher expectation; of two alike the certain one."""
    worth = constant(game, "command_point")
    points = {source: mean(command_point_chances(game, source)) for source in sources(game)}
    options = [
        Option(source, source, points[source] * worth, f"{points[source]:g} CP on average", float(source != RADIO))
        for source in sorted(points)
    ]
    verdict = choose(game, "source", options)
    how = "its Radio boxes" if verdict.choice.name == RADIO else f"the {verdict.choice.name}"
    say_verdict(game, f"Iraq takes its command points by {how}.", "11.1", *verdict.lines)
    return verdict.choice.answer

"""The command roll, which needs no archive and no game: in a module of its own, so that it starts at once."""

from __future__ import annotations

from companion.cli.shell import catalog
from companion.cli.shell.output import show
from companion.core.dice import faces_text, parse_dice, total_odds
from companion.views.lines import Line, percent


@catalog.ROLL
def roll(dice: str, json: bool) -> int:
    """Roll dice, outside of any session.

    Example: companion roll 2d6+1
    """
    parsed = parse_dice(dice)
    faces = random_faces(parsed.number, parsed.sides)
    total = sum(faces) + parsed.plus
    weights = total_odds(parsed)
    chance = sum(weight for value, weight in weights.items() if value >= total) / sum(weights.values())
    show(
        json,
        lambda: {"dice": str(parsed), "faces": faces, "total": total, "chance_of_at_least": chance},
        lambda: [Line(f"{parsed}: {faces_text(faces)} = {total}", "title"), Line(f"{total} or more: {percent(chance)}", "dim")],
    )
    return 0


def random_faces(count: int, sides: int) -> list[int]:
    """Roll dice outside of any session, without a seed."""
    from random import SystemRandom

    source = SystemRandom()
    return [source.randrange(sides) + 1 for _ in range(count)]

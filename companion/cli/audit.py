"""The audit: what should be on the table, and one adjustment for all that differs."""

from __future__ import annotations

from collections.abc import Sequence

from companion.cli.output import on_terminal, show, write
from companion.cli.steps import finish
from companion.session.desk import Desk
from companion.views import board
from companion.views.data import position_data
from companion.views.lines import Line

WHY = "audit: as it lies on the table"


def audit(desk: Desk, changes: Sequence[tuple[str, str]], as_json: bool) -> int:
    """Show what should be where; with changes, or with what a player marks on a terminal, adjust to it.

    Returns:
        The exit code.
    """
    if not changes:
        if as_json or not on_terminal():
            lines = [*board.setup_lines(desk.game, desk.position), Line("Different? companion audit WHAT=VALUE ...", "dim")]
            show(as_json, lambda: {"session": desk.info.name, "position": position_data(desk.position)}, lambda: lines)
            return 0
        write(board.setup_lines(desk.game, desk.position))
        changes = ask_differences(desk)
    if not changes:
        write([Line("Everything is as it should be")])
        return 0
    return finish(desk, desk.adjust(list(changes), WHY, action="audit"), as_json)


def ask_differences(desk: Desk) -> list[tuple[str, str]]:
    """What the player marks as different, with its value on the table."""
    from companion.cli.menus import ask_value, tick

    game, position = desk.game, desk.position
    things = [
        (f"{game.track_title(track)}: {game.track(track, position.track(track))}", track)
        for track in game.tracks
        if game.track_title(track)
    ]
    for place in board.used_places(game, position):
        if place not in game.cups:
            things += [(f"{piece.name} in {game.place_title(place)}", piece.id) for piece in position.at(place)]
    if not things:
        return []
    wrong = tick("Mark what is different on the table (Space marks, Enter goes on)", things)
    labels = {value: label for label, value in things}
    asked = [(what, ask_value(f"{labels[what]} - on the table it is:")) for what in wrong]
    return [(what, value) for what, value in asked if value]

"""What a whole game needs that nobody is asked for: the made-up set of ours."""

from __future__ import annotations

from companion.core.game import Game
from companion.session.folders import practice_set
from companion.session.printed import read_file


def practice_facts(game: Game) -> dict[str, str]:
    """The printed facts of the made-up set that comes with the package, by full key; none where the game needs none.

    Raises:
        BadData: the file has faults.
    """
    path = practice_set(game.id)
    if not path:
        return {}
    with open(path, "rb") as file:
        return read_file(game, file.read(), path)

"""What a whole game needs that nobody is asked for: the made-up set of ours, and the archive where it stands for a real one."""

from __future__ import annotations

import os
from collections.abc import Mapping

from companion.core.game import Game
from companion.games import GAMES
from companion.session.database import archive_path
from companion.session.folders import PRACTICE, game_folder
from companion.session.printed import read_file
from companion.session.store import Archive

_MARK = "-practice"


def practice_facts(game: Game) -> dict[str, str]:
    """The printed facts of the made-up set that comes with the package, by full key; none where the game needs none.

    Raises:
        BadData: the file has faults.
    """
    path = practice_set_file(game)
    if not path:
        return {}
    with open(path, "rb") as file:
        return read_file(game, file.read(), path)


def practice_set_file(game: Game) -> str:
    """The file of the made-up set of a game, beside its tables; "" where there is none."""
    path = os.path.join(_tables(game.id), PRACTICE)
    return path if os.path.isfile(path) else ""


def _tables(game_id: str) -> str:
    if game_id in GAMES:
        return game_folder(game_id)
    from companion.session.outside import tables_folder

    return tables_folder(game_id)


def practice_path(path: str) -> str:
    """The archive of games with made-up sets, beside the archive of that path ("" for the usual one): what is made up never
    comes to stand among what was copied from a real set.
    """
    stem, end = os.path.splitext(archive_path(path or None))
    return stem + end if stem.endswith(_MARK) else f"{stem}{_MARK}{end}"


def last_played_archive() -> str:
    """The usual archive or the one of practice beside it, whichever was written last: that is where somebody plays."""
    return max((archive_path(None), practice_path("")), key=_written)


def _written(path: str) -> float:
    """When an archive was written last, with what SQLite has not taken into its file yet; 0 where there is none."""
    times = [os.stat(file).st_mtime for file in (path, f"{path}-wal") if os.path.isfile(file)]
    return max(times, default=0.0)


def is_practice(archive: Archive) -> bool:
    """Whether it is one of those."""
    return os.path.splitext(archive.path)[0].endswith(_MARK)


def install_practice_set(archive: Archive, game: Game) -> None:
    """Tell an archive of practice the made-up set of a game. Raises BadData: the file has faults."""
    known, facts = archive.printed(game.id), practice_facts(game)
    new = {key: value for key, value in facts.items() if known.get(key) != value}
    if new:
        archive.record_facts(game.id, new)


def next_practice_name(archive: Archive) -> str:
    """The name of the next practice session: it says at every look that the set is made up."""
    taken = {item.name for item in archive.sessions()}
    return next(name for name in map("made-up-{}".format, range(1, len(taken) + 2)) if name not in taken)


def practice_defaults(game: Game, options: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """The scenario of a game for practice ("" for the first), and its options with those that were chosen."""
    found = dict(game.players.practice())
    scenario = found.pop("scenario", "")
    return scenario, {**found, **game.alone, **options}

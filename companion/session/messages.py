"""The catalogues of messages of the program and of the games, each loaded when a text is first looked up."""

from __future__ import annotations

import os
from functools import lru_cache

from companion import __version__
from companion.core.game import Game
from companion.core.messages import Match, MessageCatalogue
from companion.core.named_tuple import NamedTuple
from companion.core.values import JsonDict, read_json
from companion.session.files import cache_folder, read_cache, read_toml, shipped_folder, write_cache
from companion.session.shipped import lasting_path, read_text, size_and_time
from companion.session.state import LOADED_GAMES

PROGRAM = "companion"
"""What stands before the ids of the program's own messages."""

_FILE = "messages.toml"


@lru_cache(maxsize=1)
def common_catalogue() -> MessageCatalogue:
    """Return the catalogue of the program itself."""
    return MessageCatalogue(common_entries(), PROGRAM)


def common_entries() -> JsonDict:
    """Return the entries of the program's catalogue, from the cache if the file has not changed."""
    path = os.path.join(shipped_folder("tables"), _FILE)
    stamp = repr([__version__, lasting_path(path), *size_and_time(path)]).encode()
    cache = os.path.join(cache_folder(), "messages.json")
    lines = read_cache(cache, stamp)
    if lines and len(lines) == 1:
        try:
            entries: JsonDict = read_json(lines[0].decode())
            return entries
        except ValueError:  # damaged on the disk
            pass
    import json

    entries = read_toml(read_text(path))
    write_cache(cache, stamp, [json.dumps(entries).encode()])
    return entries


class _Kept(NamedTuple):
    """The catalogue of the last game of an id; another one with the same entries uses it too."""

    game: Game
    entries: JsonDict
    catalogue: MessageCatalogue


_KEPT: dict[str, _Kept] = {}


def catalogue_of(game: Game) -> MessageCatalogue:
    """Return the catalogue of a game, which searches that of the program too."""
    kept = _KEPT.get(game.id)
    if kept is None or kept.game is not game:
        entries = dict(game.tables.messages)
        is_same = kept is not None and kept.entries == entries
        catalogue = kept.catalogue if kept and is_same else MessageCatalogue(entries, game.id, common_catalogue)
        kept = _KEPT[game.id] = _Kept(game, entries, catalogue)
    return kept.catalogue


def find_anywhere(text: str, use: str) -> Match | None:
    """Return the best match of a text among the games loaded so far and the program, for a text of unknown origin."""
    catalogues = [catalogue_of(game) for game in LOADED_GAMES.values()] or [common_catalogue()]
    matches = [match for catalogue in catalogues if (match := catalogue.match(text, use))]
    return max(matches, key=lambda match: match.rank, default=None)

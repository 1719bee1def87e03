"""The table of ``companion.testing`` for tests of one rule: actions are played out of sequence."""

from companion.testing.table import Table as AuthorsTable
from companion.testing.table import game_of

__all__ = ["Table", "game_of"]


class Table(AuthorsTable):
    """A game in memory on which any action can be played at any time."""

    in_sequence = False

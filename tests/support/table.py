"""The table of ``companion.testing``, by the name under which the tests of our games know it."""

from companion.testing.table import Table, game_of

__all__ = ["Table", "game_of"]

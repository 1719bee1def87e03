"""Fixtures for all tests."""

from tests.support.fixtures import archive, own_files, read_tables, tiny_game

__all__ = ["archive", "own_files", "read_tables", "tiny_game"]

collect_ignore_glob = ["measures/*", "support/*"]
"""Nothing to be tested there, and its modules are not imported to look for examples in docstrings."""

"""Fixtures for all tests."""

import os

from tests.support.fixtures import ambush_game, archive, own_files, public, read_tables, tiny_game

__all__ = ["ambush_game", "archive", "own_files", "public", "read_tables", "tiny_game"]


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: tests in a terminal mostly wait for it."""
    return (os.cpu_count() or 1) + 1


collect_ignore_glob = ["measures/*", "support/*", "examples/passroad/*", "examples/ferry/*"]
"""Nothing to be tested there, and its modules are not imported to look for examples in docstrings. The game of the examples has
tests of its own, which are run once it is installed.
"""

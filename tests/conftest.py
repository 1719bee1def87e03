"""Fixtures for all tests."""

from tests.support.fixtures import archive, own_files, tiny_game

__all__ = ["archive", "own_files", "tiny_game"]

"""Whole games without people: every seat, by every policy."""

from companion.testing.test_whole_games import *  # noqa: F403

"""Simulated games: the same rows whoever plays them, and each of them can be looked at as a session."""

from companion.testing.test_simulated import *  # noqa: F403

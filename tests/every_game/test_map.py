"""The map of every game that has one: what is told comes back as it was told; what cannot be is refused; what is drawn."""

from companion.testing.test_map import *  # noqa: F403

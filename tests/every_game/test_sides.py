"""Each game says whose a piece is, so that a loss of one's own is never shown as a gain."""

from companion.testing.test_sides import *  # noqa: F403

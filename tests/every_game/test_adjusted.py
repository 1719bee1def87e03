"""What every game must bear: that the player puts something right in the middle of an action."""

from companion.testing.test_adjusted import *  # noqa: F403

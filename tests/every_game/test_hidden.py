"""No document of a seat names what it does not see."""

from companion.testing.test_hidden import *  # noqa: F403

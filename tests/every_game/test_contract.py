"""What holds for every game, whatever it is: a sixth one gets these tests for nothing."""

from companion.testing.test_contract import *  # noqa: F403

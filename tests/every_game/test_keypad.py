"""One hand on the number pad: digits, point, signs and Enter play every game."""

from companion.testing.test_keypad import *  # noqa: F403

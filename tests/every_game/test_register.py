"""The rule register: what it says Companion does, a procedure does and a test shows."""

from companion.testing.test_register import *  # noqa: F403

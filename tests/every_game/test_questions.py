"""Whatever is offered can be given, and nothing is asked that has one answer: each offer of random games is tried on a copy."""

from companion.testing.test_questions import *  # noqa: F403

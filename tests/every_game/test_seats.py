"""Every question and every action of a document names the seat that decides."""

from companion.testing.test_seats import *  # noqa: F403

"""Two players at one table: each prompt says who decides, by name."""

from companion.testing.test_named_players import *  # noqa: F403

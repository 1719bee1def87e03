"""Companion's players of both sides, which the rulebook does not have; constants and priorities in ``ai.toml``."""

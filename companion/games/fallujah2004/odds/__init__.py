"""Exact odds: what the rules themselves come to, put together for the player."""

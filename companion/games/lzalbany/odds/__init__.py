"""Fights away from the table: on paper for exact odds, and described ones. No rule stands here."""

"""Companion: a referee and bookkeeper at the edge of the wargame table."""

__version__ = "1.0.0"

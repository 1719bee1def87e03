"""Companion: a referee and bookkeeper at the edge of the wargame table."""

__version__ = "0.1.0"

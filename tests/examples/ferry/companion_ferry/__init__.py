"""The Ferry: a rearguard holds a river town while a ferry takes refugees over."""

from .game import Ferry

make = Ferry

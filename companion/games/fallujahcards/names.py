"""The places, the flag and the sides, each named once."""

from __future__ import annotations

DECK, TOP, TARGET, HAND = "deck", "top", "target", "hand"
CASUALTY, ELIMINATION, DISCARD = "casualty", "elimination", "discard"
PHASE = "phase"
"""The flag that says which phase is being played."""
INSURGENCY, AMERICAN = "Insurgency", "American"
MINE, THEIRS = "TGASRD", "NIPX"
TYPES = THEIRS + MINE
"""The letters of the card list, in its order."""
DECLINE, NO = "decline", "no"
"""The answers of who plays no card against a Target, and no Recon card."""

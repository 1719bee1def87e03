"""How Phantom Fury speaks: its sides are names, and the texts that stay as they are."""

SIDES = ("USMC", "IIF", "Guerillas", "Martyrs")

KEPT: tuple[str, ...] = ()

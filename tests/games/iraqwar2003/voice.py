"""How Iraq War 2003 speaks: its sides are names, and the texts that stay as they are."""

SIDES = ("Iraq", "Iraqi", "Coalition", "American", "British")

KEPT: tuple[str, ...] = ()

"""How Fallujah 2004 speaks: its sides are names, and the texts that stay as they are."""

SIDES = ("Coalition", "OPFOR", "USMC")

KEPT: tuple[str, ...] = ()

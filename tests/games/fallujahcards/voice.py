"""How FALLUJAH, the card game speaks: its sides are names, and the texts that stay as they are."""

SIDES: tuple[str, ...] = ()

KEPT: tuple[str, ...] = ()

"""How LZ Albany speaks: its sides are names, and the texts that stay as they are."""

SIDES = ("US", "NVA")

KEPT: tuple[str, ...] = ()

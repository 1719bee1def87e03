"""How LZ Albany speaks: its sides are names, and the texts that stay as they are."""

SIDES = ("US", "NVA")

KEPT = (
    # keys, which nobody sees
    *(f"nva {key}" for key in ("adrenaline", "albany", "eliminated", "reduced")),
    *(f"us {key}" for key in ("adrenaline", "albany", "eliminated", "officer", "reduced")),
    # six areas, always
    "Are {} and {} within {} areas of each other?",
)

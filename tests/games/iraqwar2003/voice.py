"""How Iraq War 2003 speaks: its sides are names, and the texts that stay as they are."""

SIDES = ("Iraq", "Iraqi", "Coalition", "American", "British")

EXAMPLES = ("iraq 6A 3-4-4/2-2-4", "iraq 6A 3-4-4/2-2-4 big", "us 1/3ID 6-5-8/4-3-8 div:3ID, iraq 6A 3-4-4/2-2-4 big")

KEPT = (
    # how a unit is typed: its side is a key there
    *EXAMPLES,
    *(f"Type it like this: {example}" for example in EXAMPLES),
    # a side stands before the units, no number
    "Name one of the {} units",
    "Where do the {} units retreat?",
    "Which {} units are out of supply?{}",
    "Which {} units intercept which groups? ({})",
)

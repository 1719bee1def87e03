"""The names under which the game keeps what it keeps; ``game.toml`` says what each of them is."""

RECRUIT = "recruit"
AVAILABLE = "available"
ELIMINATED = "eliminated"
HVT_BOX = "hvt box"
CAPTURED = "captured"
IN_PLAY = "in play"
NODE_CUP = "node cup"
REACTION_CUP = "reaction cup"
DISPLAY = "battle"
NODE_PILE = "node pile"
UNOPENED = "unopened"
OUT = "out"
ASIDE = "aside"
OFF = "off"
LEADING = "leading"
KEPT = "kept"

UNIT = "unit"
STRIKE = "strike"
LEADER = "leader"
OPFOR = "opfor"
EVENT = "event"
NODE = "node"
CONCEALED = "concealed"
MARKER = "marker"

FULL = "front"
REDUCED = "reduced"

WITH = "with"
FIRST = "first"

CLEARED = "the map is cleared"
"""Why pieces move between the two battles of the campaign: said in a few lines for all of them."""

STAGE = "stage"
BATTLE = "battle"
CAMPAIGN = "campaign"
OVER = "over"
PLAYER = "player"
UPRISING = "uprising"
QUARTERS = "quarters"
MSR_CLEARED = "msr cleared"
HOLY_HELD = "holy held"


SHARES = ("nodes of ", "kia of ")
"""Before a player: what he has captured, and the KIA of his operations [35.0]."""

SPACE = "space:"
NAME = "name:"
"""Before a space: what was told of it, and the name that is printed on it."""


def space_flag(space: str) -> str:
    """What was told of a space."""
    return SPACE + space


def name_flag(space: str) -> str:
    """The printed name of a space."""
    return NAME + space


def option_flag(option: str) -> str:
    """An option, as the session has it."""
    return f"option {option}"

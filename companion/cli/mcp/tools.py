"""The table of tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.cli.mcp import schemas
from companion.cli.mcp.schemas import answers, truth, whole, words
from companion.core.values import JsonDict


class Tool(NamedTuple):
    """A tool.

    Attributes:
        name, title, description: As clients show them.
        fields: The schemas of its arguments.
        required: The arguments that must be given.
        result: The schema of its result.
        writes: True if it changes the session.
        is_idempotent: True if the same call again changes nothing more.
        whole_table: True if it is not for one seat alone.
    """

    name: str
    title: str
    description: str
    fields: Mapping[str, JsonDict]
    required: Sequence[str]
    result: JsonDict
    writes: bool = False
    is_idempotent: bool = True
    whole_table: bool = False

    @property
    def input_schema(self) -> JsonDict:
        """The schema of its arguments."""
        return schemas.arguments(self.fields, self.required)


_GIVEN: Mapping[str, JsonDict] = {
    "values": answers("Answers to further questions, by key."),
    "dice": {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": 100},
        "maxItems": 100,
        "description": "Faces that the player rolled, in order. Leave out: Companion rolls. Never invent them.",
    },
    "draw": {
        "type": "array",
        "items": {"type": "string", "maxLength": 200},
        "maxItems": 100,
        "description": "Counters that the player drew, in order.",
    },
    "accept": truth("Accept what questions suggest where nothing is given; at a roll or draw Companion rolls or draws."),
    "anyway": truth("Record what the rules refuse. Only if the player says that the table is right."),
}

STATE = Tool(
    "state",
    "Where play is",
    "Where play is: stage, figures, the open question or the legal actions. show adds parts of the table.",
    {
        "show": {
            "type": "array",
            "items": {"type": "string", "maxLength": 100},
            "maxItems": 8,
            "description": "tracks, places, pieces, cups, flags, score, facts, options, rulings, "
            "or the name of a track, place or piece.",
        }
    },
    (),
    schemas.STATE,
)
LEGAL = Tool(
    "legal",
    "What is legal",
    "All answers to the open question; without one all actions, also why others are impossible. prefix narrows a long list.",
    {
        "action": words("Only this action, with all answers to its first question."),
        "prefix": words("Only what begins with this text, or has it in its label."),
    },
    (),
    schemas.LEGAL,
)
DO = Tool(
    "do",
    "Begin an action",
    "Begin a legal action, with as many of its answers as are known. Questions left over are in the result.",
    {"action": words("Its id, from state or legal."), **_GIVEN},
    ("action",),
    schemas.NEXT_STATE,
    writes=True,
    is_idempotent=False,
)
ANSWER = Tool(
    "answer",
    "Answer the open question",
    "Answer the question with the number at, and further ones by values. Repeating a call does nothing a second time.",
    {
        "at": words("The number of the question, as in the last result.", 40),
        "value": {**schemas.ANSWER, "description": "The answer: one of the choices, a number, yes or no, or a list for a pick."},
        **_GIVEN,
    },
    ("at",),
    schemas.NEXT_STATE,
    writes=True,
)
UNDO = Tool(
    "undo",
    "Take back",
    "Take back the last action, or several, or one answer. Nothing is deleted: redo restores it. The result lists the changes "
    "to make on the table.",
    {
        "count": whole("How many actions; 1 by default.", 1, 1000),
        "to": whole("Take back everything after this action, by its number in the log.", 1, 1_000_000),
        "reply": truth("Only the last answer."),
    },
    (),
    schemas.NEXT_STATE,
    writes=True,
    is_idempotent=False,
)
REDO = Tool(
    "redo", "Restore", "Restore what the last undo took back.", {}, (), schemas.NEXT_STATE, writes=True, is_idempotent=False
)
ADJUST = Tool(
    "adjust",
    "Correct the record",
    "Set tracks and pieces to what lies on the table, when the player says that the record is wrong. It is logged.",
    {
        "changes": answers("What is set, and its value: a track, a piece (its place), PIECE.face, PIECE.MARK, flag:NAME."),
        "why": words("The reason, for the log.", 500),
        "anyway": _GIVEN["anyway"],
    },
    ("changes", "why"),
    schemas.NEXT_STATE,
    writes=True,
    is_idempotent=False,
    whole_table=True,
)
ODDS = Tool(
    "odds",
    "Exact odds",
    "Exact chances: of the open question, or of a situation with its values.",
    {
        "situation": words("The id of a situation; without it the open question."),
        "values": answers("What the situation asks for, by key. What the session knows need not be given."),
    },
    (),
    schemas.ODDS,
)
ADVICE = Tool(
    "advice",
    "Companion's advice",
    "What Companion's own player would do now, its value and the alternatives. It can take some seconds.",
    {"values": answers("What it asks for, by key.")},
    (),
    schemas.ADVICE,
)
RULE = Tool(
    "rule",
    "Look up a rule",
    "Rules of the game by number or words, in our own words, with the rulings.",
    {"text": words("A rule number such as 16.8, or words that all occur."), "game": words("A game; by default the session's.")},
    ("text",),
    schemas.RULES,
)
LOG = Tool(
    "log",
    "What was done",
    "The last actions, with answers and what happened.",
    {
        "last": whole("How many; 3 by default.", 1, 50),
        "before": whole("Only actions with a smaller number than this.", 1, 1_000_000),
    },
    (),
    schemas.LOG,
)
NEW = Tool(
    "new",
    "Begin a session",
    "Begin a session of a game, which becomes the one in use. The resource companion://games lists scenarios and options.",
    {
        "game": words("The id of a game."),
        "scenario": words("The id of a scenario; by default the first."),
        "options": answers("Choices by option."),
        "seed": words("The same seed gives the same dice; random by default.", 100),
        "name": words("Its name; made from the game by default.", 60),
        "dice": {"type": "string", "enum": ["computer", "physical"], "description": "Who rolls by default."},
        "draws": {"type": "string", "enum": ["computer", "physical"], "description": "Who draws by default."},
        "values": answers("Answers for the set-up, by key."),
    },
    ("game",),
    schemas.NEXT_STATE,
    writes=True,
    is_idempotent=False,
    whole_table=True,
)

TOOLS = (STATE, LEGAL, DO, ANSWER, UNDO, REDO, ADJUST, ODDS, ADVICE, RULE, LOG, NEW)
"""All tools; at most twelve, since each takes room in the context of a model."""


_PRACTICE = ("game", "scenario", "options", "seed")
"""Arguments of `new` in an archive of practice games."""


def offered(read_only: bool, seat: str, session: str, practice: bool) -> list[Tool]:
    """The tools that a server offers.

    Args:
        read_only: Nothing can be changed.
        seat: Only this seat sees and answers; "" for all.
        session: The only session; "" for the one in use.
        practice: The archive is one of practice games.
    """
    begin = NEW._replace(fields={key: NEW.fields[key] for key in _PRACTICE}) if practice else NEW
    tools = [begin if tool is NEW else tool for tool in TOOLS if not (session and tool is NEW)]
    return [tool for tool in tools if not (read_only and tool.writes) and not (seat and tool.whole_table)]

"""JSON Schemas of the tools' arguments and results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.values import JsonDict

TEXT: JsonDict = {"type": "string"}
INTEGER: JsonDict = {"type": "integer"}
NUMBER: JsonDict = {"type": "number"}
TRUTH: JsonDict = {"type": "boolean"}
TEXTS: JsonDict = {"type": "array", "items": TEXT}
ANSWER: JsonDict = {
    "anyOf": [
        {"type": "string", "maxLength": 2000},
        INTEGER,
        TRUTH,
        {"type": "array", "items": {"anyOf": [TEXT, INTEGER]}, "maxItems": 200},
    ]
}
"""An answer: text, a whole number, yes or no as a truth value, or a list."""


def words(description: str, longest: int = 200, **more: object) -> JsonDict:
    """A text argument."""
    return {"type": "string", "maxLength": longest, "description": description, **more}


def whole(description: str, low: int, high: int) -> JsonDict:
    """A whole number argument."""
    return {"type": "integer", "minimum": low, "maximum": high, "description": description}


def truth(description: str) -> JsonDict:
    """A yes or no argument."""
    return {"type": "boolean", "description": description}


def answers(description: str) -> JsonDict:
    """An object of answers by the key of their question."""
    return {"type": "object", "additionalProperties": ANSWER, "description": description}


def arguments(fields: Mapping[str, JsonDict], required: Sequence[str] = ()) -> JsonDict:
    """The schema of the arguments of a tool: no other fields are accepted."""
    return {"type": "object", "properties": dict(fields), "required": list(required), "additionalProperties": False}


def record(description: str, fields: Mapping[str, JsonDict], required: Sequence[str] = ()) -> JsonDict:
    """The schema of an object in a result; further keys may be added in later versions."""
    return {"type": "object", "description": description, "properties": dict(fields), "required": list(required)}


def described(schema: JsonDict, description: str) -> JsonDict:
    """The same schema with a description."""
    return {**schema, "description": description}


def bare(schema: JsonDict) -> JsonDict:
    """The same schema without descriptions, for a tool whose result another tool describes."""
    parts = {key: value for key, value in schema.items() if key != "description"}
    for key in ("items", "additionalProperties"):
        if isinstance(parts.get(key), dict):
            parts[key] = bare(parts[key])
    if "properties" in parts:
        parts["properties"] = {name: bare(value) for name, value in parts["properties"].items()}
    return parts


QUESTION = record(
    "The open question.",
    {
        "at": described(TEXT, "Its number; give it to answer."),
        "seat": described(TEXT, "The seat that decides."),
        "open_to": described(TEXTS, "The seats that can answer, if not only that one."),
        "waits_for": described(TEXTS, "Seats whose share of a trusted roll is missing: nobody answers."),
        "kind": TEXT,
        "key": described(TEXT, "The key of its answer in values."),
        "prompt": TEXT,
        "rule": TEXT,
        "choices": described(TEXTS, "What can be answered; each is legal."),
        "about": {"type": "object", "additionalProperties": TEXT, "description": "A few words on choices."},
        "more": described(TEXT, "How many choices are left out."),
        "suggest": described(ANSWER, "What accept gives."),
        "low": INTEGER,
        "high": INTEGER,
        "dice": described(TEXT, "Of a roll: number and sides of the dice."),
        "expects": TEXT,
        "example": TEXT,
        "accept": described(TEXT, "What accept does at a roll or a draw."),
    },
    ["kind", "key", "prompt"],
)
_ACTION = record(
    "An action.",
    {"action": TEXT, "title": TEXT, "asks": described(TEXT, "Key and text of its first question.")},
    ["action", "title"],
)
_OBSTACLE = record(
    "An action that is not possible now.", {"action": TEXT, "title": TEXT, "why": TEXT, "rule": TEXT, "cure": TEXT}, ["action"]
)

STATE = record(
    "Where play is.",
    {
        "session": TEXT,
        "game": TEXT,
        "stage": TEXT,
        "turn_of": described(TEXT, "The seat that decides now, in a game of several seats."),
        "figures": {"type": "object", "additionalProperties": TEXT, "description": "Tracks and cups by label."},
        "happened": described(TEXTS, "What the call did, with the rules in brackets."),
        "repeated": described(TRUTH, "The answer was recorded before: nothing was done now."),
        "meanwhile": described(TEXTS, "What other screens have done since the last call."),
        "table": described(TEXTS, "What to change on the table after a correction."),
        "notes": TEXTS,
        "reminders": TEXTS,
        "question": QUESTION,
        "actions": {"type": "array", "items": _ACTION, "description": "What can be begun now."},
        "more": described(TEXT, "How many actions are left out."),
        "over": described(TEXT, "Why the game is over."),
        "broken": described(TEXT, "Why the open action cannot go on."),
        "waits": described(TEXT, "A correction that waits for the consent of other seats."),
        "shown": described(TEXTS, "The parts that were asked for."),
    },
    ["session", "game", "stage"],
)

NEXT_STATE = described(bare(STATE), "A state, as of the tool state.")

LEGAL = record(
    "What can be done now.",
    {
        "question": QUESTION,
        "actions": {"type": "array", "items": _ACTION},
        "impossible": {"type": "array", "items": _OBSTACLE},
        "more": TEXT,
    },
)

ODDS = record(
    "Exact odds.",
    {
        "title": TEXT,
        "rule": TEXT,
        "outcomes": {
            "type": "array",
            "items": record(
                "A group of outcomes.", {"title": TEXT, "chances": {"type": "object", "additionalProperties": NUMBER}}
            ),
            "description": "Chances from 0 to 1.",
        },
        "means": {"type": "object", "additionalProperties": NUMBER},
        "choices": {"type": "object", "additionalProperties": TEXT, "description": "The odds of each choice of the question."},
        "notes": TEXTS,
    },
    ["title"],
)

ADVICE = record(
    "What Companion's own player would do.",
    {
        "lines": TEXTS,
        "action": described(TEXT, "The action for do; left out if a question is open."),
        "at": described(TEXT, "The open question, for answer."),
        "answers": {"type": "object", "additionalProperties": ANSWER, "description": "For values of do or answer."},
        "value": described(NUMBER, "In VP for the side that decides."),
        "reasons": TEXTS,
        "passed_over": TEXT,
        "candidates": {
            "type": "array",
            "items": record("A decision that was compared.", {"name": TEXT, "value": NUMBER, "error": NUMBER, "win": NUMBER}),
        },
    },
    ["lines"],
)

RULES = record(
    "Entries of the rule register.",
    {
        "rules": {
            "type": "array",
            "items": record("A rule in our own words.", {"number": TEXT, "title": TEXT, "lines": TEXTS}, ["number", "title"]),
        },
        "more": TEXT,
    },
    ["rules"],
)

LOG = record(
    "The last actions, oldest first.",
    {
        "session": TEXT,
        "entries": {
            "type": "array",
            "items": record(
                "An action.",
                {
                    "entry": INTEGER,
                    "action": TEXT,
                    "title": TEXT,
                    "status": TEXT,
                    "answers": {"type": "object", "additionalProperties": TEXT, "description": "By number of the question."},
                    "lines": TEXTS,
                    "notes": TEXTS,
                    "more": TEXT,
                },
                ["entry", "action", "status"],
            ),
        },
    },
    ["session", "entries"],
)

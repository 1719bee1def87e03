"""Documents of commands, shortened to what a model needs: small data, and the same as text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.core.text import clean
from companion.core.values import JsonDict, JsonObject

MAX_LIST = 700
"""Characters of the choices or actions in a state."""
MAX_LISTED = 6000
"""Characters of a list that was asked for."""
MAX_HAPPENED = 1600
"""Characters of what happened, in a state."""
MAX_SHOWN = 4000
"""Characters of the parts of the table that were asked for."""
_MAX_LINE = 240
_MAX_HINT = 60


def cleaned(value: Any) -> Any:
    """The same data without control characters in its texts: they may come from an archive that someone else wrote."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {clean(key): cleaned(item) for key, item in value.items()}
    return [cleaned(item) for item in value] if isinstance(value, list | tuple) else value


def compact(data: JsonObject) -> JsonDict:
    """Data without what is empty."""
    return {key: value for key, value in data.items() if value not in ("", None, [], {}, False)}


def shortened(text: str, most: int = _MAX_LINE) -> str:
    """A text of so many characters at most."""
    return text if len(text) <= most else text[: most - 3].rstrip() + "..."


def line_text(line: Mapping[str, str]) -> str:
    """A line with its rule."""
    return shortened(line["text"], _MAX_LINE) + (f" [{line['rule']}]" if line["rule"] else "")


def first_items(items: Sequence[Any], most: int) -> tuple[list[Any], int]:
    """The first items that fit into so many characters, at least one, and the number of those left out."""
    room, kept = most, list[Any]()
    for item in items:
        room -= len(item if isinstance(item, str) else json.dumps(item)) + 4
        if room < 0 and kept:
            break
        kept.append(item)
    return kept, len(items) - len(kept)


_SAME = ("do", "answer", "undo", "redo", "adjust", "odds", "rule", "log", "new")
_TOOLS = {"status": "state", "bot": "advice", **{name: name for name in _SAME}}
"""The tool of each command that has one."""
_OPTIONS = ("anyway", "accept", "at", "dice", "draw", "to", "reply")
"""Options that are arguments of a tool."""


def in_words_of_tools(text: str) -> str:
    """A cure that names a command or an option, with the tool or the argument in its place.

    >>> in_words_of_tools("See: companion status; or, if it lies so on the table: --anyway")
    'See: state; or, if it lies so on the table: anyway'
    """
    import re

    text = re.sub(rf"\bcompanion ({'|'.join(_TOOLS)})\b", lambda found: _TOOLS[found[1]], text)
    return re.sub(rf"(?<!\S)--({'|'.join(_OPTIONS)})\b", r"\1", text)


def texts_within(texts: Iterable[str], most: int, more: str) -> list[str]:
    """Texts of so many characters at most; `more` says where the others are, after their number."""
    kept, left = first_items(list(texts), most)
    return [*kept, f"and {left} more{more}"] if left else kept


# -- questions and actions -------------------------------------------------------------------------------------------------


def has_prefix(prefix: str, *texts: str) -> bool:
    """True if a text begins with the prefix, or has it within."""
    wanted = prefix.strip().casefold()
    return any(wanted in text.casefold() for text in texts)


def question_data(question: JsonObject, most: int = MAX_LIST, prefix: str = "") -> JsonDict:
    """A question, with as many of its choices as fit.

    Args:
        question: As in the documents of commands.
        most: Characters of the choices.
        prefix: Only choices with this text.
    """
    wanted = [item for item in question["choices"] if has_prefix(prefix, item["value"], item["label"])]
    about = {item["value"]: _about(item) for item in wanted}
    sized = [item["value"] + about[item["value"]] for item in wanted]
    kept, left = first_items(sized, most)
    choices = [item["value"] for item in wanted[: len(kept)]]
    rolls = f"{question['count']}d{question['sides']}" if question.get("sides") else ""
    if rolls and question.get("lowest", 1) != 1:
        rolls += f", faces from {question['lowest']}"
    seat = question.get("seat", "")
    return compact(
        {
            "at": question.get("at", ""),
            "seat": seat,
            "open_to": question["open_to"] if question.get("open_to", [seat]) != [seat] else [],
            "waits_for": question.get("waits_for", []),
            "kind": question["kind"],
            "key": question["key"],
            "prompt": shortened(question["prompt"], 300),
            "rule": question["rule"],
            "choices": choices,
            "about": {value: about[value] for value in choices if about[value]},
            "more": f"and {left} more; ask legal with a prefix" if left else "",
            "suggest": _suggestion(question),
            "dice": rolls,
            "expects": "" if question["choices"] and question["kind"] == "choose" else shortened(question["expects"]),
            "example": question.get("example", ""),
            "accept": question["enter"],
        }
    ) | {key: question[key] for key in ("low", "high") if key in question}


def _about(choice: JsonObject) -> str:
    """What a choice says beside its value."""
    label = choice["label"] if choice["label"] != choice["value"] else ""
    left = f"{choice['many']} left" if "many" in choice else ""
    return shortened("; ".join(filter(None, [label, choice["hint"], left, choice.get("odds", "")])), _MAX_HINT)


def _suggestion(question: JsonObject) -> Any:
    suggested = question["suggest"]
    return "no" if suggested is False else "yes" if suggested is True else suggested


def action_data(way: JsonObject) -> JsonDict:
    """An action that is possible."""
    asked = way.get("arguments") or []
    asks = f"{asked[0]['key']}: {asked[0]['prompt']}" if asked else ""
    return compact({"action": way["action"], "title": way["title"], "asks": shortened(asks, _MAX_HINT)})


def possible(document: JsonObject, seat: str) -> list[JsonObject]:
    """The actions that are possible now, for one seat if any."""
    return [way for way in document["legal"] if way["possible"] and (not seat or seat in way["open_to"])]


def state_data(document: JsonObject, seat: str = "") -> JsonDict:
    """The state in a document of the kind `step`.

    Args:
        document: The document.
        seat: Actions only of this seat; "" for all.
    """
    asked, is_over = document["pending"], bool(document["over"]) and not document["pending"]
    ways = [] if is_over else [action_data(way) for way in possible(document, seat)]
    actions, left = first_items(ways, MAX_LIST)
    seats = [item["seat"] for item in document["seats"]]
    deciding = asked["seat"] if asked else document["legal"][0]["seat"] if document["legal"] else ""
    fixes = bool(document["fix"])
    waiting = document["asks"]
    return compact(
        {
            "session": document["session"],
            "game": document["game"],
            "stage": document["banner"]["stage"],
            "turn_of": deciding if len(seats) > 1 and not is_over else "",
            "figures": {item["label"]: shortened(item["shown"], _MAX_HINT) for item in document["banner"]["fields"]},
            "repeated": document["repeated"],
            "happened": texts_within(map(line_text, document["lines"]), MAX_HAPPENED, ": see log"),
            "table": texts_within(document["fix"], MAX_HAPPENED, ": see state with show places"),
            "notes": [] if fixes else [shortened(note) for note in document["notes"]],
            "reminders": [shortened(text) for text in document["banner"]["reminders"]],
            "question": question_data(asked) if asked else None,
            "actions": actions,
            "more": f"and {left} more; ask legal with a prefix" if left else "",
            "over": document["over"],
            "broken": document["broken"],
            "waits": waiting["text"] if waiting else "",
        }
    )


def legal_data(document: JsonObject, action: str, prefix: str, seat: str = "") -> JsonDict:
    """What can be done now, in a document of the kind `step`.

    Args:
        document: The document.
        action: The id of the only action that is wanted; "" for all.
        prefix: Only choices or actions with this text.
        seat: Actions only of this seat; "" for all.
    """
    if document["pending"]:
        return {"question": question_data(document["pending"], MAX_LISTED, prefix)}
    ways = possible(document, seat)
    if action:
        asked = [way["arguments"][0] for way in ways if way["action"] == action and way.get("arguments")]
        shown = [way for way in document["legal"] if way["action"] == action]
        question = question_data(asked[0], MAX_LISTED, prefix) if asked else None
    else:
        shown, question = [way for way in document["legal"] if has_prefix(prefix, way["action"], way["title"])], None
    kept, left = first_items([action_data(way) for way in shown if way in ways], MAX_LISTED)
    refused, _ = first_items([_obstacle(way) for way in shown if not way["possible"]], MAX_LISTED // 2)
    more = f"and {left} more; give a prefix" if left else ""
    return compact({"question": question, "actions": kept, "impossible": refused, "more": more})


def _obstacle(way: JsonObject) -> JsonDict:
    against = way["against"]
    about = {key: shortened(against[key]) for key in ("why", "rule", "cure")}
    return compact({"action": way["action"], "title": way["title"], **about})


# -- other documents -------------------------------------------------------------------------------------------------------


def odds_data(document: JsonObject) -> JsonDict:
    """The odds in a document of the kind `odds`."""
    return compact(
        {
            "title": document["title"],
            "rule": document["rule"],
            "outcomes": [
                {
                    "title": section["title"],
                    "chances": {item["label"]: round(item["chance"], 4) for item in section["chances"][:40]},
                }
                for section in document["sections"]
            ],
            "means": {item["label"]: round(item["mean"], 3) for item in document["means"]},
            "choices": {item["value"]: _brings(item) for item in document["beside"]},
            "notes": [shortened(note) for note in document["notes"]],
        }
    )


def _brings(item: JsonObject) -> str:
    return shortened(", ".join(str(value) for key, value in item.items() if key != "value"), 120)


def advice_data(document: JsonObject) -> JsonDict:
    """The advice in a document of the kind `advice`."""
    return compact(
        {
            "lines": texts_within(map(line_text, document["lines"]), MAX_HAPPENED, ""),
            "action": document["action"],
            "at": document["at"],
            "answers": document["answers"],
            "reasons": [shortened(reason) for reason in document["reasons"][:6]],
            "passed_over": shortened(document["passed_over"]),
            "candidates": [_candidate(item) for item in document["candidates"][:6]],
        }
    ) | ({} if document["value"] is None else {"value": round(document["value"], 2)})


def _candidate(item: JsonObject) -> JsonDict:
    figures = {key: round(item[key], 2) for key in ("value", "error", "win") if item[key] is not None}
    return {"name": shortened(item["name"]), **figures}


# -- the same as text ------------------------------------------------------------------------------------------------------


def question_text(question: JsonObject) -> list[str]:
    """A question as lines."""
    head = " ".join(filter(None, ["Question", question.get("at", ""), f"({question['key']})"]))
    asked = f", for {question['seat']}" if question.get("seat") else ""
    lines = [f"{head}{asked}: {question['prompt']}" + (f" [{question['rule']}]" if question.get("rule") else "")]
    about = question.get("about", {})
    choices = [f"{value} ({about[value]})" if value in about else value for value in question.get("choices", [])]
    if choices:
        lines.append(f"  {'; '.join(choices)}" + (f" {question['more']}" if "more" in question else ""))
    bounds = f"{question['low']} to {question['high']}" if {"low", "high"} <= question.keys() else ""
    given = [bounds, question.get("dice", ""), question.get("expects", ""), question.get("accept", "")]
    lines += [f"  {text}" for text in given if text]
    suggested = question.get("suggest")
    if suggested is not None:
        lines.append(f"  Suggested: {', '.join(map(str, suggested)) if isinstance(suggested, list) else suggested}")
    return lines


def actions_text(actions: Iterable[JsonObject], more: str = "") -> list[str]:
    """Actions as lines."""
    texts = [f"  {item['action']}: {item['title']}" for item in actions]
    return ["Actions:", *texts, *([f"  {more}"] if more else [])] if texts else []


def state_text(state: JsonObject) -> str:
    """A state as text."""
    figures = ", ".join(f"{label} {shown}" for label, shown in state.get("figures", {}).items())
    turn = f" {state['turn_of']} decides." if "turn_of" in state else ""
    lines = [
        *(["Recorded before; nothing was done now."] if state.get("repeated") else []),
        *(f"Meanwhile: {text}" for text in state.get("meanwhile", [])),
        *(f"On the table: {text}" for text in state.get("table", [])),
        *state.get("happened", []),
        *(f"Note: {text}" for text in state.get("notes", [])),
        f"{state['session']}: {state['stage']}.{turn} {figures}".rstrip(),
        *(f"Remember: {text}" for text in state.get("reminders", [])),
        *state.get("shown", []),
        *([f"Stuck: {state['broken']}"] if "broken" in state else []),
        *([f"Waits for consent: {state['waits']}"] if "waits" in state else []),
        *([f"The game is over: {state['over']}"] if "over" in state else []),
        *(question_text(state["question"]) if "question" in state else []),
        *actions_text(state.get("actions", []), state.get("more", "")),
    ]
    return "\n".join(lines)


def legal_text(legal: JsonObject) -> str:
    """What can be done, as text."""
    lines = [
        *actions_text(legal.get("actions", []), legal.get("more", "")),
        *(question_text(legal["question"]) if "question" in legal else []),
        *(f"Not possible: {item['action']}: {item.get('why', '')}" for item in legal.get("impossible", [])),
    ]
    return "\n".join(lines) or "Nothing"


def odds_text(odds: JsonObject) -> str:
    """Odds as text."""
    lines = [odds["title"] + (f" [{odds['rule']}]" if "rule" in odds else "")]
    for section in odds.get("outcomes", []):
        chances = ", ".join(f"{label} {100 * chance:.1f}%" for label, chance in section["chances"].items())
        lines.append(f"{section['title']}: {chances}" if section["title"] else chances)
    lines += [f"On average {label}: {mean:g}" for label, mean in odds.get("means", {}).items()]
    lines += [f"{value}: {text}" for value, text in odds.get("choices", {}).items()]
    return "\n".join([*lines, *odds.get("notes", [])])


def advice_text(advice: JsonObject) -> str:
    """An advice as text."""
    named = [f"{item['name']}: {item['value']:+g} VP" for item in advice.get("candidates", [])]
    answers = ", ".join(f"{key}={_shown(value)}" for key, value in advice.get("answers", {}).items())
    call = f"do {advice['action']}" if "action" in advice else f"answer {advice['at']}" if "at" in advice else ""
    lines = [*advice["lines"], *advice.get("reasons", []), advice.get("passed_over", ""), *named]
    return "\n".join(filter(None, [*lines, f"Call: {call} {answers}".rstrip() if call else ""]))


def _shown(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def rules_text(found: JsonObject) -> str:
    """Entries of the register as text."""
    lines = []
    for rule in found["rules"]:
        lines += [f"{rule['number']} {rule['title']}", *(f"  {text}" for text in rule.get("lines", []))]
    return "\n".join([*lines, *([found["more"]] if "more" in found else [])])


def error_text(error: JsonObject, question: JsonObject | None) -> str:
    """A refusal as text: what is wrong, the rule, the cure, and the open question."""
    lines = [error["message"] + (f" [{error['rule']}]" if "rule" in error else ""), error.get("cure", "")]
    return "\n".join(filter(None, [*lines, *error.get("faults", []), *(question_text(question) if question else [])]))

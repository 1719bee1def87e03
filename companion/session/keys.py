"""The keys of a game's data files: what each must be, and what it says. The checks go by this, and what authors are told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.core import advice, charts


class Key(NamedTuple):
    """One key of a table.

    Attributes:
        kind: what its value must be.
        says: what it is, for authors.
        needed: whether it must be there.
    """

    kind: type | tuple[type, ...]
    says: str
    needed: bool = False


Keys = Mapping[str, Key]

_OF_CHART: Mapping[str, type] = {"names": list, "columns": dict, "rows": dict, "cites": dict}
HANDLINGS = ("automated", "asked", "reminder", "board", "none")
"""How a rule of the register can be handled."""

GAME: Keys = {
    "api": Key(int, "the interface that a game from outside is written for: `1`"),
    "title": Key(str, "of the game", True),
    "edition": Key(str, "publisher, year, version of the rules", True),
    "tracks": Key(dict, "`[tracks.ID]`: the named numbers", True),
    "scenarios": Key(dict, "`[scenarios.ID]`: one at least", True),
    "places": Key(dict, 'id = title: where pieces can be; `"zone *"` declares a family'),
    "kinds": Key(dict, "id = title: what pieces there are; with it the game declares all its names, and tests refuse any other"),
    "faces": Key(dict, "id = title: sides of a piece besides `front`"),
    "marks": Key(dict, "id = title, or a table: markers that lie on pieces"),
    "flags": Key(dict, "id = title, or a table: anything else that is remembered"),
    "cups": Key(list, "the places that hide what is in them"),
    "options": Key(dict, "`[options.ID]`: optional rules"),
    "setup": Key(dict, "numbers of the set-up; only the game's own rules read it"),
    "scenario_data": Key(dict, "what differs between scenarios; only the game's own rules read it"),
    "aside": Key(list, "the places of which nobody checks what lies there"),
    "practice": Key(dict, "scenario and options of a game that needs nothing from the owner's set; the menu offers it"),
    "alone": Key(dict, "options of such a game besides, by which Companion plays the other side"),
    "alone_text": Key(str, "how the menu offers that"),
}
NAMED = ("places", "kinds", "faces", "marks", "flags")
"""Those of them that declare names."""

TRACK: Keys = {
    "title": Key(str, "of the track", True),
    "rule": Key(str, "that it comes from", True),
    "low": Key(int, "its lowest value; without it there is none"),
    "high": Key(int, "its highest value; without it there is none"),
    "names": Key(list, "of its values, from the lowest on"),
    "on_table": Key(bool, "`false` for a count that only Companion keeps"),
}
SCENARIO: Keys = {"title": Key(str, "of the scenario", True), "rule": Key(str, "that sets it up", True)}
OPTION: Keys = {
    "title": Key(str, "of the option", True),
    "rule": Key(str, "that it is about; none where it says who plays, and how"),
    "choices": Key(list, "two at least; without it any text goes"),
    "default": Key(str, "what holds unless something else is chosen"),
    "unlisted": Key(list, "choices that nobody is offered: what old sessions hold"),
}
FORM: Keys = {
    "text": Key(str, "its title", True),
    "words": Key(list, "it is one of these words"),
    "low": Key(int, "it is a number, this at least"),
    "high": Key(int, "it is a number, this at most"),
    "yes": Key(bool, "`true`: it holds or does not"),
    "off": Key(str, "the word for that it does not"),
    "truth": Key(bool, "`true`: yes and no are two answers, and none is a third"),
    "set": Key(bool, "`true`: it is a set of words"),
    "piece": Key(list, "it names a piece of one of these kinds"),
    "fact": Key(str, "it keeps a printed fact of this kind"),
}
RULE: Keys = {
    "number": Key(str, "as the rulebook counts, or its heading", True),
    "title": Key(str, "a few words of yours", True),
    "gist": Key(str, "one or two sentences in your own words", True),
    "handling": Key(str, f"{', '.join(f'`{word}`' for word in HANDLINGS[:-1])} or `{HANDLINGS[-1]}`", True),
    "reason": Key(str, "why nothing handles it; with `none` only"),
    "see": Key(list, "other rules"),
    "errata": Key(str, "what has been corrected"),
    "rulings": Key(list, "ids in `rulings.toml`; each names this rule too"),
    "clauses": Key(dict, "its conditions and exceptions, each `KEY = { ... }`"),
}
CLAUSE: Keys = {
    "says": Key(str, "the condition in your own words", True),
    "test": Key(object, "the test function that tells right from wrong, or a list of them; it names the clause: `[2: fuel]`"),
    "left": Key(str, "instead: what the player sees to, since Companion does not"),
}
RULING: Keys = {
    "id": Key(str, "such as `C-7`", True),
    "rules": Key(list, "that it decides on", True),
    "question": Key(str, "that the rulebook leaves open", True),
    "answer": Key(str, "what is played", True),
    "option": Key(str, "the name by which it can be switched, if it can"),
    "choices": Key(list, "of the switch; the first is in force unless switched"),
    "meaning": Key(dict, '`{ choice = "what it means" }`, for each'),
}
COUNTER: Keys = {
    "name": Key(str, "of the counter"),
    "count": Key(int, "how many there are"),
    "rule": Key(str, "that tells of it"),
}
CHART: Keys = {
    name: Key(_OF_CHART.get(name, str), says, name in ("title", "rule", "source", "columns", "rows"))
    for name, says in charts.KEYS.items()
}
PRIORITY: Keys = {
    "measure": Key(str, "the name of what is looked at, a function of the game", True),
    "keep": Key(str, f"which candidates stay: {', '.join(f'`{word}`' for word in advice.KEEPS)}", True),
    "text": Key(str, "the priority in words", True),
}
CHAPTERS: Keys = {
    "track": Key(str, "the track whose values are the chapters"),
    "first": Key(bool, "`true`: the action that moves the track belongs to what follows"),
    "each": Key(int, "so many values a chapter; 1 without it"),
    "title": Key(str, "of a chapter, with `{value}` in it"),
    "opening": Key(str, "the title of what comes before the first"),
    "most": Key(int, "sentences that a chapter may have"),
}
SENTENCE: Keys = {
    "on": Key(str, "the kind of event: `said`, `made`, `moved`, `flipped`, `marked`, `track`, `flag`", True),
    "text": Key(str, "the sentence; in braces what the event brings: `{names}`, `{from}`, `{to}`, `{now}` ... or `{is/are}`"),
    "loss": Key(str, "whose loss it is"),
    "why": Key(str, "only events whose reason begins so"),
    "rule": Key((str, list), "only events of these rules"),
    "from": Key((str, list), "only pieces that come from there"),
    "to": Key((str, list), "only pieces that go there"),
    "kind": Key((str, list), "only pieces of these kinds"),
    "mark": Key((str, list), "only these marks"),
    "face": Key((str, list), "only these faces"),
    "track": Key((str, list), "only these tracks"),
    "flag": Key((str, list), "only these flags"),
    "now": Key((str, list), "only what comes to these values; `*` at the end for what begins so"),
    "values": Key(dict, "only pieces with these values"),
    "weight": Key(int, "what counts less is left out first where a chapter is long"),
}
PLOT: Keys = {
    "title": Key(str, "of the plot"),
    "tracks": Key(list, "that it shows"),
    "cups": Key(list, "of which it shows how many are in them"),
    "count": Key(bool, "`true`: it shows the count of victory"),
}


WORDS: Mapping[type | tuple[type, ...], str] = {
    str: "text",
    dict: "a table",
    list: "a list",
    int: "a whole number",
    bool: "true or false",
    object: "text or a list",
    (str, list): "text or a list",
}
"""What a value must be, in words."""

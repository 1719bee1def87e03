"""The tables of the reference for authors: signature and first sentence of each method, from the docstrings of the classes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from companion.core import candidates, dice, graph, hexes, notation, odds
from companion.core.charts import Chart
from companion.core.corrections import Corrections
from companion.core.game import Game
from companion.core.map import GameMap
from companion.core.policies import DecisionContext, Players, Policy
from companion.core.position import Piece, Position
from companion.core.referee import Referee
from companion.core.requests import Choose, Confirm, Draw, Number, Pick, Printed, Roll, Text
from companion.testing.table import Table


class Listing(NamedTuple):
    """A table: its name in the page, where its members are, and their names."""

    name: str
    source: Any
    members: tuple[str, ...]


def _listing(name: str, source: Any, members: str) -> Listing:
    return Listing(name, source, tuple(members.split()))


LISTINGS = (
    _listing("rolls", Referee, "roll draw"),
    _listing("questions", Referee, "choose confirm number pick text sealed"),
    _listing("tracks", Referee, "set_track shift_track set_flag set_flags add_member members"),
    _listing("pieces", Referee, "make make_all piece move move_all flip mark mark_all piece_names"),
    _listing("saying", Referee, "say instruct say_to forbid skip_question"),
    _listing("looking up", Referee, "option chart"),
    _listing("printed", Referee, "printed known_facts record_fact infer_fact"),
    _listing("hypothetical", Referee, "hypothetical with_position acting_as pin reuse"),
    _listing("position", Position, "track flag members piece at of_kind having count places occupied_places without"),
    _listing("piece", Piece, "mark number"),
    _listing("chart", Chart, "number text cell cite"),
    _listing("notations", notation, "fixed_words whole_number free_text"),
    _listing("dice", dice, "summed_rolls grouped_rolls draw_odds cup_contents"),
    _listing("odds", odds, "distribution paths probability_of distribution_of mean merge round_outcomes"),
    _listing("graphs", graph, "distances reachable shortest_path cheapest"),
    _listing("hexes", hexes, "neighbours distance"),
    _listing("game", Game, "referee setup banner score over default_action make_map make_players make_corrections"),
    _listing(
        "words",
        Game,
        "side piece_title place_title flag_title mark_title mark_names mark_sentence face_title flip_sentence track_sentence "
        "pile_title is_narrated action_hint action_names why_not",
    ),
    _listing(
        "special", Game, "facts contradictions visible acting_seats place_fault player_named_places track_ends table_action"
    ),
    _listing("map", GameMap, "read_name form_spaces build sight"),
    _listing(
        "corrections",
        Corrections,
        "face_names is_in_play find_place place_for read_member read_new_piece objection apply_in_words apply_consequences "
        "apply_fact",
    ),
    _listing("policy", Policy, "act reply has_advice reply_after_refusal"),
    _listing("context", DecisionContext, "explain choose compare_by_rollouts slips"),
    _listing(
        "players",
        Players,
        "policies adviser outcome rollout_policy turn value win sample_hidden acting_seat practice_options made_up_fact",
    ),
    _listing("ranking", candidates, "rank read_priorities read_constants"),
    _listing("table", Table, "do play odds track names_at asked_for said"),
)
"""Every table of the page; `left_out` lists what of a referee is not for authors."""

REQUESTS = (Choose, Pick, Number, Confirm, Text, Printed, Roll, Draw)

LEFT_OUT = {"count_question", "emit", "schedule", "refusal", "reuse_procedure"}
"""Public methods of a referee that only Companion calls."""


def tables() -> Iterator[tuple[str, str]]:
    """Name and text of each table."""
    for listing in LISTINGS:
        rows = [_row(getattr(listing.source, name), name) for name in listing.members]
        yield listing.name, "\n".join(["| call | what it does |", "| --- | --- |", *rows])
    rows = [_row(request, request.__name__) for request in REQUESTS]
    yield "requests", "\n".join(["| request | what it asks |", "| --- | --- |", *rows])


def _row(member: Any, name: str) -> str:
    function = member.fget if isinstance(member, property) else member
    call = name if isinstance(member, property) else f"{name}({_arguments(member)})"
    return f"| `{call}` | {first_sentence(inspect.getdoc(function) or '')} |"


def _arguments(function: Any) -> str:
    """The parameters with their defaults, without annotations."""
    parts, star = [], False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not star:
            parts, star = [*parts, "*"], True
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            star = True
        prefix = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        default = "" if parameter.default is inspect.Parameter.empty else f"={_default(parameter.default)}"
        parts.append(f"{prefix}{parameter.name}{default}")
    return ", ".join(parts)


def _default(value: Any) -> str:
    return "..." if callable(value) or len(repr(value)) > 20 else repr(value)


def first_sentence(text: str) -> str:
    """The first sentence of a docstring on one line, with Markdown's quotes.

    >>> first_sentence("Roll dice; see ``count``.\\n\\nMore.")
    'Roll dice; see `count`.'
    """
    paragraph = " ".join(text.partition("\n\n")[0].split()).replace("``", "`").replace("|", "\\|")
    return re.split(r"(?<=[.:])\s(?=[A-Z`])", paragraph)[0]

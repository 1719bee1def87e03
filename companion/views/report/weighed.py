"""What the rolls of each action brought, beside what was to be expected of them."""

from __future__ import annotations

from companion.views.log import action_title
from companion.views.report.blocks import Block, Table, paragraph
from companion.views.report.telling import Report

_LUCK_HEAD = ("Action", "Rolls", "Expected", "Brought", "Difference")


def luck_tables(report: Report) -> list[Block]:
    """A table with a row an action whose rolls were weighed, and all of them together; a table for each unit."""
    rolls = [roll for own in report.rolls.values() for roll in own]
    return [block for unit in dict.fromkeys(roll.unit for roll in rolls) for block in _luck_table(report, unit)]


def _luck_table(report: Report, unit: str) -> list[Block]:
    rows: list[tuple[str, ...]] = []
    total, expected, actual = 0, 0.0, 0.0
    for number, entry in enumerate(report.history.in_force):
        own = [roll for roll in report.rolls.get(entry.number, ()) if roll.unit == unit]
        if own and entry.number in _reported_entries(report):
            hoped, came = sum(roll.expected for roll in own), sum(roll.actual for roll in own)
            rows.append(
                (f"{number}. {action_title(report.game, entry.action).partition(' - ')[0]}", *_luck_cells(len(own), hoped, came))
            )
            total, expected, actual = total + len(own), expected + hoped, actual + came
    if not rows:
        return []
    said = f"What the rolls of each action brought in {unit}, and what they bring on average."
    return [
        paragraph(said),
        Table(_LUCK_HEAD, (*rows, ("All", *_luck_cells(total, expected, actual))), frozenset(range(1, 5)), True),
    ]


def _reported_entries(report: Report) -> frozenset[int]:
    return frozenset(scene.entry.number for chapter in report.chapters for scene in chapter.entries)


def _luck_cells(rolls: int, expected: float, actual: float) -> tuple[str, ...]:
    return (str(rolls), *(f"{round(value, 1) + 0.0:+.1f}" for value in (expected, actual, actual - expected)))

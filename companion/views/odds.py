"""Exact chances as aligned percentages with bars, and the score."""

from __future__ import annotations

from companion.core.game import Score
from companion.core.requests import Odds
from companion.views.lines import BLANK, Line, table_lines

_BAR = 24
_TINY = 0.00005


def percent(chance: float) -> str:
    """Format a chance, such as `12.3 %`; only impossible and certain results read as 0 % and 100 %."""
    if 0 < chance < 0.0005:
        return "<0.1 %"
    if 0.9995 <= chance < 1 - 1e-12:
        return ">99.9 %"
    return f"{100 * chance:.1f} %"


def bar(chance: float) -> str:
    """Return an ASCII bar."""
    return "#" * round(_BAR * chance)


def odds_lines(odds: Odds) -> list[Line]:
    """Return title, chances by section, expected values and assumptions."""
    lines = [Line(odds.title, "title", odds.rule)]
    for title, chances in odds.sections:
        visible = [(label, chance) for label, chance in chances if chance >= _TINY or len(chances) <= 8]
        lines += [BLANK, Line(title)]
        rows = [(label, percent(chance).rjust(7), bar(chance)) for label, chance in visible]
        lines += table_lines(rows, indent="  ")
        if len(visible) < len(chances):
            lines.append(Line(f"and {len(chances) - len(visible)} rarer ones", "dim", "", "  "))
    if odds.means:
        lines += [BLANK, Line("On average")]
        lines += table_lines([(label, f"{mean:.2f}") for label, mean in odds.means], indent="  ")
    return lines + [Line(note, "dim") for note in odds.notes]


def score_lines(score: Score) -> list[Line]:
    """Return the itemised score and its verdict."""
    rows = [(f"{points:+d}".rjust(5), f"{label} [{rule}]" if rule else label) for label, points, rule in score.items]
    lines = table_lines(rows)
    lines.append(Line("in total", "title", score.rule, f"{score.total:+d}".rjust(5) + "  "))
    lines.append(Line(score.verdict, "title"))
    return lines + [Line(note, "dim") for note in score.notes]

"""[3.0] The ten-sided die, 0 to 9: rolls, modifiers, hits."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache, partial

from companion.core.charts import Chart
from companion.core.dice import RollOutcome
from companion.core.odds import merge
from companion.core.requests import LazyText, Odds, Roll
from companion.core.text import die_range
from companion.games.phantomfury.referee import FuryReferee

FACES = range(10)
Lines = tuple[tuple[str, int], ...]
"""Modifiers, each with its label."""


@lru_cache(maxsize=1024)
def _merged_outcomes(results: tuple[Hashable, ...]) -> tuple[RollOutcome, ...]:
    """The outcomes of a die, faces with equal results merged."""
    return tuple(RollOutcome((results.index(result),), results.count(result)) for result in dict.fromkeys(results))


async def d10(
    key: str, prompt: LazyText, rule: str, read: Callable[[int], Hashable], names: Callable[[], Sequence[str]] | None = None
) -> int:
    """Roll one die.

    Args:
        read: The result of a face; odds merge faces with equal results.
        names: The result of each face in words, for the odds shown with the question.
    """
    roll = Roll(key, prompt, rule, sides=10, lowest=0, outcomes=lambda: _merged_outcomes(tuple(map(read, FACES))))
    if names is not None:
        roll.odds = partial(_odds, prompt, rule, names)
    return (await roll)[0]


def _odds(prompt: LazyText, rule: str, names: Callable[[], Sequence[str]]) -> Odds:
    """Odds of the results of a die."""
    chances = merge((name, 1 / len(FACES)) for name in names())
    title = prompt if isinstance(prompt, str) else prompt()
    return Odds(title, rule, (("The result is", tuple(sorted(chances.items(), key=lambda item: -item[1]))),))


def chart_column(referee: FuryReferee, chart: str, column: str) -> tuple[str, ...]:
    """The entries of a chart column, by face."""
    return referee.cached_chart((chart, column), lambda: tuple(referee.chart(chart).text(face, column) for face in FACES))


def face_chances(referee: FuryReferee, chart: str, column: str) -> dict[str, float]:
    """The chance of each entry of a chart column."""
    results = chart_column(referee, chart, column)
    return {result: results.count(result) / len(FACES) for result in dict.fromkeys(results)}


async def on_chart(referee: FuryReferee, chart: str, column: str, key: str, prompt: LazyText, rule: str) -> tuple[int, str]:
    """Roll one die on a chart. Returns the face and the entry of the column."""
    results = chart_column(referee, chart, column)
    named = "title" if "title" in referee.chart(chart).columns else column
    face = await d10(key, prompt, rule, results.__getitem__, lambda: chart_column(referee, chart, named))
    return face, results[face]


def modifiers(referee: FuryReferee, chart: str, column: str, *applies: str) -> Lines:
    """The modifiers of the chart rows that apply."""
    return referee.cached_chart((chart, column, applies), lambda: _modifiers(referee.chart(chart), column, applies))


def _modifiers(chart: Chart, column: str, applies: tuple[str, ...]) -> Lines:
    lines = ((chart.text(row, "when"), chart.number(row, column)) for row in chart.rows if row in applies)
    return tuple(line for line in lines if line[1])


def total(lines: Lines) -> int:
    """The sum of modifiers."""
    return sum([value for _, value in lines]) if lines else 0


def modifiers_text(lines: Lines) -> str:
    """Modifiers in words: ``+1 against Martyrs, -1 Top-Down``."""
    return ", ".join(f"{value:+d} {label}" for label, value in lines) or "none"


def die_text(face: int, lines: Lines) -> str:
    """A die with its modifiers: ``5+1-1 = 5``."""
    return f"{face}{''.join(f'{value:+d}' for _, value in lines)}" + (f" = {face + total(lines)}" if lines else "")


def hit_faces(need: int) -> str:
    """[11.2.4, 13.4.2] The faces that hit, in words: ``0-5``; at most 8, since an unmodified 9 never hits."""
    return die_range(0, need, 8)


def hits(face: int, modifier: int, cf: int) -> bool:
    """[11.2.2, 11.2.4, 13.4.2] True if the final result is at most the CF and the die is not an unmodified 9."""
    return face != 9 and face + modifier <= cf

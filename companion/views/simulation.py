"""What many games came to: results with their intervals, scores, a histogram, lengths and speed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from companion.core.statistics import Bin, Spread, bins, spread, wilson
from companion.session.simulating import Series
from companion.session.tally import Tally
from companion.views.lines import BLANK, WIDTH, Line, table_lines
from companion.views.odds import percent

_BAR_WIDTH = 50
_BESIDE = 6
"""Blanks before and between the cells of a row of the histogram."""
_MOST = 8
"""Results that are listed; the rest are counted."""


class SimulationRun(NamedTuple):
    """What was to be played, and how far that went.

    Attributes:
        series, tally: what was played, and its count, with that which a file already held.
        games: how many games were wanted, of shard ``shard``.
        kept: how many of them a file already held.
        out: that file, or "".
        stopped: Ctrl-C.
    """

    series: Series
    tally: Tally
    games: int
    shard: tuple[int, int]
    kept: int
    out: str
    stopped: bool


def simulation_lines(run: SimulationRun, width: int = WIDTH) -> list[Line]:
    """For people; ``width``: columns of the screen."""
    return [
        *_run_heading(run),
        *_result_lines(run.tally),
        *_score_histogram(run.tally, width),
        *_length_lines(run.tally),
        *_failure_lines(run),
    ]


def _run_heading(run: SimulationRun) -> list[Line]:
    tally = run.tally
    shard = "" if run.shard == (1, 1) else f", shard {run.shard[0]}/{run.shard[1]}"
    lines = [Line(f"{_game_count(tally.games)}{shard}, seed {run.series.seed}", "title"), Line(run.series.description, "dim")]
    if run.kept:
        lines.append(Line(f"{run.kept:,} of them stood in {run.out} already", "dim"))
    if run.stopped:
        more = "; the same command goes on from there" if run.out else ""
        lines.append(Line(f"Stopped after {tally.games:,} of {run.games:,} games{more}", "warning", "", "! "))
    return lines


def _game_count(many: int) -> str:
    return f"{many:,} {'game' if many == 1 else 'games'}"


def _result_lines(tally: Tally) -> list[Line]:
    found = sorted(tally.results.items(), key=lambda item: (-item[1], item[0]))
    rows = [(result, f"{count:,}".rjust(7), *_result_share(count, tally.completed)) for result, count in found[:_MOST]]
    more = [Line(f"and {len(found) - _MOST:,} rarer ones", "dim", "", "  ")] if len(found) > _MOST else []
    return [BLANK, Line("Results"), *table_lines(rows, indent="  "), *more] if rows else []


def _result_share(count: int, of: int) -> tuple[str, str]:
    low, high = map(percent, wilson(count, of))
    return percent(count / of).rjust(7), f"95 %: {low} to {high}"


def _score_histogram(tally: Tally, width: int) -> list[Line]:
    if not tally.scores:
        return []
    found = spread(tally.scores)
    error = f" (+-{found.error:.2f})" if tally.completed > 1 else ""  # one game tells nothing of how far others are off
    lines = [BLANK, Line(f"Score: mean {found.mean:.2f}{error}; {_quartile_text(found)}")]
    parts = bins(tally.scores)
    heads = [(label, f"{part.many:,}".rjust(7)) for label, part in zip(bin_labels(parts), parts, strict=True)]
    room = min(width - sum(map(len, heads[0])) - _BESIDE, _BAR_WIDTH)
    most = max(part.many for part in parts)
    rows = [(*head, "#" * _bar_length(room * part.many / most)) for head, part in zip(heads, parts, strict=True)]
    return [*lines, *table_lines(rows, indent="  ")]


def _bar_length(long: float) -> int:
    """What has come at all shows."""
    return max(round(long), 1) if long else 0


def _quartile_text(found: Spread) -> str:
    middle = ", ".join(f"{value:g}" for value in (found.lower, found.median, found.upper))
    return f"quartiles {middle}; from {found.least:g} to {found.greatest:g}"


def bin_labels(parts: Sequence[Bin]) -> list[str]:
    """What each bin holds, in words: ``3`` or ``-10 to -6``, all of one width."""
    single = all(part.high - part.low == 1 for part in parts)
    texts = [f"{part.low:g}" if single else f"{part.low:g} to {part.high - 1:g}" for part in parts]
    return [text.rjust(max(map(len, texts))) for text in texts]


def _length_lines(tally: Tally) -> list[Line]:
    if not tally.turns:
        return []
    found = spread(tally.turns)
    each = tally.decisions / tally.games
    rows = [
        ("Length", f"turns: {found.mean:.1f} on average, {found.least:g} to {found.greatest:g}; {each:,.0f} decisions a game")
    ]
    if tally.seconds:
        rows.append(("Speed", f"{tally.decisions / tally.seconds:,.0f} decisions a second and core; {_game_time(tally)} a game"))
    return [BLANK, *table_lines(rows)]


def _game_time(tally: Tally) -> str:
    each = tally.seconds / tally.games
    return f"{each:.1f} s" if each >= 1 else f"{1000 * each:.1f} ms"


def _failure_lines(run: SimulationRun) -> list[Line]:
    tally = run.tally
    if not tally.failed:
        return []
    lines = [BLANK, Line(f"{_game_count(tally.failed)} failed", "warning", "", "! ")]
    lines += table_lines([(f"{run.series.seed}/{row.number}", row.error) for row in tally.faults], indent="  ")
    if tally.failed > len(tally.faults):
        lines.append(Line(f"and {tally.failed - len(tally.faults):,} more", "dim", "", "  "))
    return [*lines, Line(f"Look at the first: {replay_command(run.series, tally.faults[0].number)}", "dim")]


def replay_command(series: Series, index: int) -> str:
    """The command that makes a game of a series a session."""
    from shlex import quote

    words = [
        "companion",
        "new",
        "--replay",
        quote(f"{series.game}/{series.seed}/{index}"),
        "--scenario",
        series.options["scenario"],
    ]
    words += [word for seat, name in series.policies.items() for word in ("--policy", f"{seat}={name}")]
    words += [word for key, value in series.given for word in ("--option", quote(f"{key}={value}"))]
    return " ".join([*words, *(["--think", str(series.think)] if series.think else [])])


def simulation_data(run: SimulationRun) -> dict[str, Any]:
    """For other programs."""
    series, tally = run.series, run.tally
    return {
        "game": series.game,
        "options": dict(series.options),
        "policies": dict(series.policies),
        "seed": series.seed,
        "think": series.think,
        "shard": list(run.shard),
        "wanted": run.games,
        "games": tally.games,
        "stopped": run.stopped,
        "out": run.out,
        "results": [_result_data(result, count, tally.completed) for result, count in sorted(tally.results.items())],
        "score": spread(tally.scores)._asdict() if tally.scores else None,
        "histogram": [part._asdict() for part in bins(tally.scores)],
        "turns": spread(tally.turns)._asdict() if tally.turns else None,
        "decisions": tally.decisions,
        "seconds": round(tally.seconds, 3),
        "failed": tally.failed,
        "failures": [{"index": row.number, "seed": series.seed, "error": row.error} for row in tally.faults],
    }


def _result_data(result: str, count: int, of: int) -> dict[str, Any]:
    low, high = wilson(count, of)
    return {"result": result, "games": count, "share": count / of, "low": low, "high": high}

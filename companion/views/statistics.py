"""Statistics of many games: of a simulation, and of all sessions of a player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, repeat
from typing import Any, NamedTuple

from companion.core.statistics import Bin, DiceSample, Spread, analyse_dice, histogram, summarise, trend, wilson
from companion.core.text import plural
from companion.core.values import JsonDict
from companion.session.simulation import Series, Tally
from companion.session.stats import SimulatedScores, Table
from companion.views.lines import BLANK, WIDTH, Line, aligned_cells, percent, table_lines
from companion.views.luck import dice_verdict
from companion.views.plot import Plot, PlotSeries, plot_lines, sparkline

_BAR_WIDTH = 50
_CELL_GAPS = 6  # blanks around the cells of a histogram row
_MAX_RESULTS = 8  # most results listed


class SimulationRun(NamedTuple):
    """A simulation and its progress.

    Attributes:
        series, tally: The series, and its totals including games from a file.
        games: Number of games requested, of shard `shard`.
        resumed: Number of games read from the file.
        path: The file, or "".
        stopped: Interrupted by Ctrl-C.
    """

    series: Series
    tally: Tally
    games: int
    shard: tuple[int, int]
    resumed: int
    path: str
    stopped: bool


def simulation_lines(run: SimulationRun, width: int = WIDTH) -> list[Line]:
    """Return the results of a simulation. `width`: columns of the screen."""
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
    if run.resumed:
        lines.append(Line(f"{run.resumed:,} of them read from {run.path}", "dim"))
    if run.stopped:
        more = "; the same command goes on from there" if run.path else ""
        lines.append(Line(f"Stopped after {tally.games:,} of {run.games:,} games{more}", "warning", "", "! "))
    return lines


def _game_count(count: int) -> str:
    return f"{count:,} {'game' if count == 1 else 'games'}"


def _result_lines(tally: Tally) -> list[Line]:
    results = sorted(tally.results.items(), key=lambda item: (-item[1], item[0]))
    rows = [(result, f"{count:,}".rjust(7), *_result_share(count, tally.completed)) for result, count in results[:_MAX_RESULTS]]
    more = [Line(f"and {len(results) - _MAX_RESULTS:,} rarer ones", "dim", "", "  ")] if len(results) > _MAX_RESULTS else []
    return [BLANK, Line("Results"), *table_lines(rows, indent="  "), *more] if rows else []


def _result_share(count: int, of: int) -> tuple[str, str]:
    low, high = map(percent, wilson(count, of))
    return percent(count / of).rjust(7), f"95 %: {low} to {high}"


def _score_histogram(tally: Tally, width: int) -> list[Line]:
    if not tally.scores:
        return []
    scores = summarise(tally.scores)
    error = f" (+-{scores.error:.2f})" if tally.completed > 1 else ""  # one game has no spread
    lines = [BLANK, Line(f"Score: mean {scores.mean:.2f}{error}; {_quartile_text(scores)}")]
    parts = histogram(tally.scores)
    heads = [(label, f"{part.many:,}".rjust(7)) for label, part in zip(bin_labels(parts), parts, strict=True)]
    room = min(width - sum(map(len, heads[0])) - _CELL_GAPS, _BAR_WIDTH)
    most = max(part.many for part in parts)
    rows = [(*head, "#" * _bar_length(room * part.many / most)) for head, part in zip(heads, parts, strict=True)]
    return [*lines, *table_lines(rows, indent="  ")]


def _bar_length(long: float) -> int:
    """Round up to 1, so that every result is visible."""
    return max(round(long), 1) if long else 0


def _quartile_text(scores: Spread) -> str:
    middle = ", ".join(f"{value:g}" for value in (scores.lower, scores.median, scores.upper))
    return f"quartiles {middle}; from {scores.least:g} to {scores.greatest:g}"


def bin_labels(parts: Sequence[Bin]) -> list[str]:
    """Return the labels of bins, such as `3` or `-10 to -6`, with equal widths."""
    single = all(part.high - part.low == 1 for part in parts)
    texts = [f"{part.low:g}" if single else f"{part.low:g} to {part.high - 1:g}" for part in parts]
    return [text.rjust(max(map(len, texts))) for text in texts]


def _length_lines(tally: Tally) -> list[Line]:
    if not tally.turns:
        return []
    turns = summarise(tally.turns)
    decisions = tally.decisions / tally.games
    rows = [
        (
            "Length",
            f"turns: {turns.mean:.1f} on average, {turns.least:g} to {turns.greatest:g}; {decisions:,.0f} decisions a game",
        )
    ]
    if tally.seconds:
        rows.append(("Speed", f"{tally.decisions / tally.seconds:,.0f} decisions a second and core; {_game_time(tally)} a game"))
    return [BLANK, *table_lines(rows)]


def _game_time(tally: Tally) -> str:
    seconds = tally.seconds / tally.games
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"


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
    """Return the command that turns a simulated game into a session."""
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


def simulation_data(run: SimulationRun) -> JsonDict:
    """Return the results of a simulation as JSON data."""
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
        "out": run.path,
        "results": [_result_data(result, count, tally.completed) for result, count in sorted(tally.results.items())],
        "score": summarise(tally.scores)._asdict() if tally.scores else None,
        "histogram": [part._asdict() for part in histogram(tally.scores)],
        "turns": summarise(tally.turns)._asdict() if tally.turns else None,
        "decisions": tally.decisions,
        "seconds": round(tally.seconds, 3),
        "failed": tally.failed,
        "failures": [{"index": row.number, "seed": series.seed, "error": row.error} for row in tally.faults],
    }


def _result_data(result: str, count: int, of: int) -> JsonDict:
    low, high = wilson(count, of)
    return {"result": result, "games": count, "share": count / of, "low": low, "high": high}


Tables = Mapping[str, Table]
Dice = Mapping[str, tuple[int, int]]
"""Game -> number of faces of its dice, and the lowest face."""

SHOWN = ("games", "results", "scenarios", "options", "levels")
_HISTOGRAM_WIDTH = 40
_CELL_WIDTH = 22  # widest cell of a table
_LAST_SCORES = 40  # number of scores in the sparkline


def statistics_lines(tables: Tables, dice: Dice, against: SimulatedScores | None, plot: bool) -> list[Line]:
    """Return the statistics of all sessions, for an 80-column screen."""
    lines = _session_counts(tables)
    for name in SHOWN:
        lines += _table_lines(name, tables[name])
    for game, scores in scores_by_game(tables).items():
        lines += _score_lines(game, scores, against)
        lines += [BLANK, *plot_lines(_plot(game, scores))] if plot and len(scores) > 1 else []
    return [*lines, *_dice_lines(tables, dice), *_newer_lines(tables)]


def _session_counts(tables: Tables) -> list[Line]:
    sessions = tables["sessions"].data()
    over = sum(row["over"] is not None for row in sessions)
    going = len(sessions) - over
    lines = [Line(f"{plural(len(sessions), 'session')}, {over} over", "title")]
    return (
        [*lines, Line(f"{going} of them unfinished, or finished by an older version: counted under Games only", "dim")]
        if going
        else lines
    )


def _table_lines(name: str, source: Table) -> list[Line]:
    """Return a table; results with their share of the game and a 95 % interval."""
    if not source.rows:
        return []
    rows = [list(map(_cell, row)) for row in source.rows]
    head = [column.replace("_", " ") for column in source.columns]
    if name == "results":
        games = Counter[str]()
        for game, _, count, _ in source.rows:
            games[game] += count
        head = [*head, "share", "95 %"]
        rows = [[*cells, *_share_cells(row[2], games[row[0]])] for cells, row in zip(rows, source.rows, strict=True)]
    left = sum(isinstance(cell, str) for cell in source.rows[0])
    return [BLANK, Line(source.title, "title"), *(Line(row, "", "", "  ") for row in aligned_cells([head, *rows], left))]


def _share_cells(count: int, of: int) -> tuple[str, str]:
    low, high = wilson(count, of)
    return percent(count / of), f"{100 * low:.0f} to {100 * high:.0f} %"


def _cell(cell: Any) -> str:
    return "-" if cell is None else f"{cell:g}" if isinstance(cell, float) else str(cell)[:_CELL_WIDTH]


def scores_by_game(tables: Tables) -> dict[str, list[float]]:
    """Return the scores of each game, in the order played."""
    scores: dict[str, list[float]] = {}
    for row in tables["scores"].data():
        scores.setdefault(row["game"], []).append(row["score"])
    return scores


def _score_lines(game: str, scores: Sequence[float], against: SimulatedScores | None) -> list[Line]:
    counts = Counter(scores)
    middle = summarise(counts)
    lines = [BLANK, Line(f"Scores of {game}", "title")]
    lines.append(
        Line(f"{sparkline(scores[-_LAST_SCORES:])}  the last {min(len(scores), _LAST_SCORES)}, in order", "track", "", "  ")
    )
    mean = f"mean {middle.mean:.1f} (+-{middle.error:.1f}), median {middle.median:g}, {middle.least:g} to {middle.greatest:g}"
    lines.append(Line(f"{mean}, over {plural(len(scores), 'game')}", "", "", "  "))
    if len(scores) > 2:
        slope, error = trend(scores)
        lines.append(Line(f"from one game to the next {slope:+.2f} (+-{error:.2f})", "", "", "  "))
    lines += _histogram(counts, against)
    return [*lines, *([Line(text, "", "", "  ") for text in _comparison_texts(scores, against)] if against else [])]


def _histogram(counts: Counter[float], against: SimulatedScores | None) -> list[Line]:
    """Return a histogram of the scores, with the shares of simulated games."""
    both = counts + Counter(dict(against.scores)) if against else counts
    parts = histogram(both)
    mine, theirs = sum(counts.values()), sum(against.scores.values()) if against else 0
    rows = []
    for label, part in zip(bin_labels(parts), parts, strict=True):
        played = sum(count for value, count in counts.items() if part.low <= value < part.high)
        drawn = "#" * round(_HISTOGRAM_WIDTH * played / mine)
        rows.append((label, str(played).rjust(5), *([percent((part.many - played) / theirs).rjust(7)] if theirs else []), drawn))
    return table_lines(rows, indent="  ")


def _comparison_texts(scores: Sequence[float], against: SimulatedScores) -> list[str]:
    data = comparison_data(scores, against)
    if data is None:
        return ["No game of the series has a score"]
    apart = f": {abs(data['difference']) / data['error']:.1f} standard errors" if data["error"] else ""
    return [
        f"Simulated: {against.description}; mean {data['mean']:.1f} over {plural(data['games'], 'game')}.",
        f"Yours are {data['difference']:+.1f} (+-{data['error']:.1f}) beside that{apart};"
        f" {percent(data['below'])} of the simulated games are below your mean.",
    ]


def comparison_data(scores: Sequence[float], against: SimulatedScores) -> JsonDict | None:
    """Compare the scores with simulated ones, as JSON data; None if the simulation has no scores."""
    if not against.scores:
        return None
    mine, theirs = summarise(Counter(scores)), summarise(against.scores)
    count = sum(against.scores.values())
    below = sum(games for value, games in against.scores.items() if value < mine.mean) / count
    error = (mine.error**2 + theirs.error**2) ** 0.5
    return {"games": count, "mean": theirs.mean, "difference": mine.mean - theirs.mean, "error": error, "below": below}


def _plot(game: str, scores: Sequence[float]) -> Plot:
    return Plot(
        f"Scores of {game}", "games", (PlotSeries("VP", tuple((number, score) for number, score in enumerate(scores, 1))),)
    )


def dice_distributions(tables: Tables, dice: Dice) -> list[tuple[str, str, DiceSample]]:
    """Return the distribution of the dice by game and by who rolled."""
    faces: dict[tuple[str, str], dict[int, int]] = {}
    for game, who, face, count in tables["dice"].rows:
        faces.setdefault((game, who), {})[face] = count
    result = []
    for (game, who), counts in faces.items():
        sides, lowest = dice.get(game, (6, 1))
        rolled = list(
            chain.from_iterable(repeat(face, count) for face, count in counts.items() if lowest <= face < lowest + sides)
        )
        if rolled:
            result.append((game, who, analyse_dice(rolled, sides, lowest)))
    return result


def _dice_lines(tables: Tables, dice: Dice) -> list[Line]:
    lines: list[Line] = []
    for game, who, fallen in dice_distributions(tables, dice):
        counts = " ".join(f"{face}: {count}" for face, count in enumerate(fallen.counts, fallen.lowest))
        whose = "yours" if who == "player" else "Companion's"
        lines.append(Line(f"{counts}; mean {fallen.mean:.3f}, of fair ones {fallen.expected:g}", "", "", f"  {game}, {whose}: "))
        lines.append(Line(dice_verdict(fallen), "dim", "", "    "))
    return [BLANK, Line("Dice of all sessions", "title"), *lines] if lines else []


def _newer_lines(tables: Tables) -> list[Line]:
    """Return a warning about sessions written by a newer version, which are not counted."""
    rows = tables["newer"].rows
    names = ", ".join(dict.fromkeys(session for session, *_ in rows))
    return (
        [BLANK, Line(f"Not counted, written by a newer Companion: {names}. Update Companion", "warning", "", "! ")]
        if rows
        else []
    )


def statistics_data(tables: Tables, dice: Dice, against: SimulatedScores | None) -> JsonDict:
    """Return the statistics of all sessions as JSON data."""
    scores = scores_by_game(tables)
    return {
        "tables": {"sessions": _session_data(tables), **{name: tables[name].data() for name in SHOWN}},
        "scores": {game: _score_data(values, against) for game, values in scores.items()},
        "dice": [
            {"game": game, "who": who, **sample._asdict(), "counts": list(sample.counts), "said": dice_verdict(sample)}
            for game, who, sample in dice_distributions(tables, dice)
        ],
        "newer": tables["newer"].data(),
    }


def _session_data(tables: Tables) -> list[JsonDict]:
    import json

    rows = tables["sessions"].data()
    return [{**row, "options": json.loads(row["options"]), "open": bool(row["open"])} for row in rows]


def _score_data(scores: Sequence[float], against: SimulatedScores | None) -> JsonDict:
    counts = Counter(scores)
    slope, error = trend(scores) if len(scores) > 2 else (None, None)
    return {
        **summarise(counts)._asdict(),
        "games": len(scores),
        "trend": slope,
        "trend_error": error,
        "histogram": [part._asdict() for part in histogram(counts)],
        "simulated": comparison_data(scores, against) if against else None,
    }

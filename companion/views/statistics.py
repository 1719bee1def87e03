"""Results of many games: a simulation, and all sessions of a player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, repeat
from typing import Any, NamedTuple

from companion.core.significance import DiceSample, analyse_dice
from companion.core.statistics import Bin, Spread, histogram, summarise, trend, wilson
from companion.core.words import plural
from companion.session.simulation import Series, Tally
from companion.session.stats import SimulatedScores, Table
from companion.views.lines import BLANK, WIDTH, Line, table_lines
from companion.views.luck import aligned_cells, dice_verdict
from companion.views.odds import percent
from companion.views.plot import Plot, PlotSeries, plot_lines, sparkline

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
    found = summarise(tally.scores)
    error = f" (+-{found.error:.2f})" if tally.completed > 1 else ""  # one game tells nothing of how far others are off
    lines = [BLANK, Line(f"Score: mean {found.mean:.2f}{error}; {_quartile_text(found)}")]
    parts = histogram(tally.scores)
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
    found = summarise(tally.turns)
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
        "score": summarise(tally.scores)._asdict() if tally.scores else None,
        "histogram": [part._asdict() for part in histogram(tally.scores)],
        "turns": summarise(tally.turns)._asdict() if tally.turns else None,
        "decisions": tally.decisions,
        "seconds": round(tally.seconds, 3),
        "failed": tally.failed,
        "failures": [{"index": row.number, "seed": series.seed, "error": row.error} for row in tally.faults],
    }


def _result_data(result: str, count: int, of: int) -> dict[str, Any]:
    low, high = wilson(count, of)
    return {"result": result, "games": count, "share": count / of, "low": low, "high": high}


Tables = Mapping[str, Table]
Dice = Mapping[str, tuple[int, int]]
"""Game -> faces of its dice, and the lowest."""

SHOWN = ("games", "results", "scenarios", "options", "levels")
_HISTOGRAM_WIDTH = 40
_WIDEST = 22
"""Characters of a word in a table."""
_LAST_SCORES = 40
"""Scores of the last games that stand in the line of blocks."""


def statistics_lines(found: Tables, dice: Dice, against: SimulatedScores | None, plot: bool) -> list[Line]:
    """For people, 80 columns wide."""
    lines = _session_counts(found)
    for name in SHOWN:
        lines += _table_lines(name, found[name])
    for game, scores in scores_by_game(found).items():
        lines += _score_lines(game, scores, against)
        lines += [BLANK, *plot_lines(_plot(game, scores))] if plot and len(scores) > 1 else []
    return [*lines, *_dice_lines(found, dice), *_newer_lines(found)]


def _session_counts(found: Tables) -> list[Line]:
    sessions = found["sessions"].data()
    over = sum(one["over"] is not None for one in sessions)
    going = len(sessions) - over
    lines = [Line(f"{plural(len(sessions), 'session')}, {over} over", "title")]
    return (
        [*lines, Line(f"{going} of them still on, or ended by an older Companion: told under Games alone", "dim")]
        if going
        else lines
    )


def _table_lines(name: str, found: Table) -> list[Line]:
    """A table; of results each share of a game's own with its 95 % interval."""
    if not found.rows:
        return []
    rows = [list(map(_cell, row)) for row in found.rows]
    head = [column.replace("_", " ") for column in found.columns]
    if name == "results":
        games = Counter[str]()
        for game, _, many, _ in found.rows:
            games[game] += many
        head = [*head, "share", "95 %"]
        rows = [[*cells, *_share_cells(row[2], games[row[0]])] for cells, row in zip(rows, found.rows, strict=True)]
    left = sum(isinstance(cell, str) for cell in found.rows[0])
    return [BLANK, Line(found.title, "title"), *(Line(row, "", "", "  ") for row in aligned_cells([head, *rows], left))]


def _share_cells(many: int, of: int) -> tuple[str, str]:
    low, high = wilson(many, of)
    return percent(many / of), f"{100 * low:.0f} to {100 * high:.0f} %"


def _cell(cell: Any) -> str:
    return "-" if cell is None else f"{cell:g}" if isinstance(cell, float) else str(cell)[:_WIDEST]


def scores_by_game(found: Tables) -> dict[str, list[float]]:
    """The scores of each game in the order in which they were played."""
    scores: dict[str, list[float]] = {}
    for row in found["scores"].data():
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
    """Bars of what was played, with the share of what was simulated beside them."""
    both = counts + Counter(dict(against.scores)) if against else counts
    parts = histogram(both)
    mine, theirs = sum(counts.values()), sum(against.scores.values()) if against else 0
    rows = []
    for label, part in zip(bin_labels(parts), parts, strict=True):
        own = sum(many for value, many in counts.items() if part.low <= value < part.high)
        drawn = "#" * round(_HISTOGRAM_WIDTH * own / mine)
        rows.append((label, str(own).rjust(5), *([percent((part.many - own) / theirs).rjust(7)] if theirs else []), drawn))
    return table_lines(rows, indent="  ")


def _comparison_texts(scores: Sequence[float], against: SimulatedScores) -> list[str]:
    """The scores against those of a series."""
    told = comparison_data(scores, against)
    if told is None:
        return ["No game of the series has a score"]
    apart = f": {abs(told['difference']) / told['error']:.1f} standard errors" if told["error"] else ""
    return [
        f"Simulated: {against.description}; mean {told['mean']:.1f} over {plural(told['games'], 'game')}.",
        f"Yours are {told['difference']:+.1f} (+-{told['error']:.1f}) beside that{apart};"
        f" {percent(told['below'])} of the simulated games are below your mean.",
    ]


def comparison_data(scores: Sequence[float], against: SimulatedScores) -> dict[str, Any] | None:
    """The same as plain data; None where the series has no scores."""
    if not against.scores:
        return None
    mine, theirs = summarise(Counter(scores)), summarise(against.scores)
    many = sum(against.scores.values())
    below = sum(count for value, count in against.scores.items() if value < mine.mean) / many
    error = (mine.error**2 + theirs.error**2) ** 0.5
    return {"games": many, "mean": theirs.mean, "difference": mine.mean - theirs.mean, "error": error, "below": below}


def _plot(game: str, scores: Sequence[float]) -> Plot:
    return Plot(f"Scores of {game}", "games", (PlotSeries("VP", tuple((at, score) for at, score in enumerate(scores, 1))),))


def dice_distributions(found: Tables, dice: Dice) -> list[tuple[str, str, DiceSample]]:
    """How the dice of all sessions fell, by game and by who rolled them."""
    faces: dict[tuple[str, str], dict[int, int]] = {}
    for game, who, face, many in found["dice"].rows:
        faces.setdefault((game, who), {})[face] = many
    told = []
    for (game, who), counts in faces.items():
        sides, lowest = dice.get(game, (6, 1))
        ours = list(chain.from_iterable(repeat(face, many) for face, many in counts.items() if lowest <= face < lowest + sides))
        if ours:
            told.append((game, who, analyse_dice(ours, sides, lowest)))
    return told


def _dice_lines(found: Tables, dice: Dice) -> list[Line]:
    lines: list[Line] = []
    for game, who, fallen in dice_distributions(found, dice):
        counts = " ".join(f"{face}: {many}" for face, many in enumerate(fallen.counts, fallen.lowest))
        whose = "yours" if who == "player" else "Companion's"
        lines.append(Line(f"{counts}; mean {fallen.mean:.3f}, of fair ones {fallen.expected:g}", "", "", f"  {game}, {whose}: "))
        lines.append(Line(dice_verdict(fallen), "dim", "", "    "))
    return [BLANK, Line("Dice of all sessions", "title"), *lines] if lines else []


def _newer_lines(found: Tables) -> list[Line]:
    """Sessions with rows that this Companion does not know: what stands in them is not counted."""
    rows = found["newer"].rows
    names = ", ".join(dict.fromkeys(session for session, *_ in rows))
    return (
        [BLANK, Line(f"A newer Companion wrote in {names}: what it wrote is not counted. Update", "warning", "", "! ")]
        if rows
        else []
    )


def statistics_data(found: Tables, dice: Dice, against: SimulatedScores | None) -> dict[str, Any]:
    """For other programs."""
    scores = scores_by_game(found)
    return {
        "tables": {"sessions": _session_data(found), **{name: found[name].data() for name in SHOWN}},
        "scores": {game: _score_data(some, against) for game, some in scores.items()},
        "dice": [
            {"game": game, "who": who, **one._asdict(), "counts": list(one.counts), "said": dice_verdict(one)}
            for game, who, one in dice_distributions(found, dice)
        ],
        "newer": found["newer"].data(),
    }


def _session_data(found: Tables) -> list[dict[str, Any]]:
    """A row a session, its options by their ids."""
    import json

    rows = found["sessions"].data()
    return [{**row, "options": json.loads(row["options"]), "open": bool(row["open"])} for row in rows]


def _score_data(scores: Sequence[float], against: SimulatedScores | None) -> dict[str, Any]:
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

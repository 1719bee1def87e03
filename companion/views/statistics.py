"""Statistics of many games: of a simulation, and of all sessions of a player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.statistics import Bin, DiceSample, analyse_dice, histogram, summarise, trend, wilson
from companion.core.text import plural, signed
from companion.core.values import JsonDict
from companion.session.simulation import Series
from companion.session.stats import SimulatedScores, Table
from companion.session.tally import Estimate, Strength, Tally
from companion.views.lines import BLANK, WIDTH, Line, aligned_cells, percent, table_lines, truncate
from companion.views.luck import DiceRow, dice_verdict, plain_dice_lines
from companion.views.plot import Plot, PlotSeries, plot_lines, sparkline

_BAR_WIDTH = 50
_CELL_GAPS = 6  # blanks around the cells of a histogram row
_MAX_RESULTS = 8  # most results listed
_MAX_REFUSALS = 3  # most refused answers listed


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
        *_strength_lines(run),
        *_length_lines(run.tally),
        *_fixed_lines(run),
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
    rows = []
    for result, count in results[:_MAX_RESULTS]:
        low, high = map(percent, wilson(count, tally.completed))
        rows.append((result, f"{count:,}".rjust(7), percent(count / tally.completed).rjust(7), f"95 %: {low} to {high}"))
    more = [Line(f"and {len(results) - _MAX_RESULTS:,} rarer ones", "dim", "", "  ")] if len(results) > _MAX_RESULTS else []
    return [BLANK, Line("Results"), *table_lines(rows, indent="  "), *more] if rows else []


def _score_histogram(tally: Tally, width: int) -> list[Line]:
    if not tally.scores:
        return []
    scores = summarise(tally.scores)
    error = f" (+-{scores.error:.2f})" if tally.completed > 1 else ""  # one game has no spread
    quartiles = ", ".join(f"{value:g}" for value in (scores.lower, scores.median, scores.upper))
    extremes = f"from {scores.least:g} to {scores.greatest:g}"
    lines = [BLANK, Line(f"Score: mean {scores.mean:.2f}{error}; quartiles {quartiles}; {extremes}")]
    parts = histogram(tally.scores)
    heads = [(label, f"{part.many:,}".rjust(7)) for label, part in zip(bin_labels(parts), parts, strict=True)]
    room = min(width - sum(map(len, heads[0])) - _CELL_GAPS, _BAR_WIDTH)
    most = max(part.many for part in parts)
    # a bar of at least 1, so that every result is visible
    bars = ["#" * max(round(room * part.many / most), 1 if part.many else 0) for part in parts]
    return [*lines, *table_lines([(*head, bar) for head, bar in zip(heads, bars, strict=True)], indent="  ")]


def bin_labels(parts: Sequence[Bin]) -> list[str]:
    """Return the labels of bins, such as `3` or `-10 to -6`, with equal widths."""
    single = all(part.high - part.low == 1 for part in parts)
    texts = [f"{part.low:g}" if single else f"{part.low:g} to {part.high - 1:g}" for part in parts]
    return [text.rjust(max(map(len, texts))) for text in texts]


def _strength_lines(run: SimulationRun) -> list[Line]:
    """Return how strong the first policy of a game for two is against the second."""
    strength = run.tally.strength()
    if strength is None:
        return []
    rows = [("pairs won", *_share_texts(strength.pairs))] if strength.pairs else []
    rows.append(("games won", *_share_texts(strength.share)))
    rows.append(("margin", *_signed_texts(strength.margin, 1, " VP a game")))
    rows.append(("in Elo", *_signed_texts(strength.elo, 0)))
    what = f"{strength.units:,} {'mirrored pair' if strength.pairs else 'game'}{'' if strength.units == 1 else 's'}"
    note = "" if strength.pairs else "Policy and side together; --mirrored tells the policy from the side."
    return [
        BLANK,
        Line(f"Strength of {strength.first} against {strength.second}, {what}"),
        *table_lines([(name, value.rjust(9), interval) for name, value, interval in rows], indent="  "),
        *([Line(note, "dim", "", "  ")] if note else []),
    ]


def _share_texts(share: Estimate) -> tuple[str, str]:
    value, low, high = (percent(part or 0.0) for part in share)
    return value, f"95 %: {low} to {high}"


def _signed_texts(estimate: Estimate, digits: int, unit: str = "") -> tuple[str, str]:
    """Return a value and its interval with signs; what is unknown is empty, what is infinite open."""
    if estimate.value is None and estimate.low is None and estimate.high is None:
        return "-", ""
    low, value, high = (
        end if part is None else signed(part, digits)
        for end, part in (("below", estimate.low), ("-", estimate.value), ("above", estimate.high))
    )
    if estimate.low is None and estimate.high is None:
        return f"{value}{unit}", ""
    if estimate.low is None or estimate.high is None:
        return value, f"95 %: {f'below {high}' if estimate.low is None else f'above {low}'}"
    return f"{value}{unit}", f"95 %: {low} to {high}"


def _time_rows(tally: Tally) -> list[tuple[str, str]]:
    """Return the time a decision of each policy."""
    texts = []
    for (seat, policy), (seconds, decisions) in tally.times.items():
        if decisions:
            each = seconds / decisions
            text = f"{each:.2f} s" if each >= 1 else f"{1000 * each:.{1 if each < 0.01 else 0}f} ms"
            texts.append(f"{seat} {policy} {text}".strip())
    return [("Decision", ", ".join(texts))] if texts else []


def _length_lines(tally: Tally) -> list[Line]:
    if not tally.turns:
        return []
    turns = summarise(tally.turns)
    length = f"turns: {turns.mean:.1f} on average, {turns.least:g} to {turns.greatest:g}"
    rows = [("Length", f"{length}; {tally.decisions / tally.games:,.0f} decisions a game")]
    if tally.seconds:
        seconds = tally.seconds / tally.games
        time = f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"
        rows.append(("Speed", f"{tally.decisions / tally.seconds:,.0f} decisions a second and core; {time} a game"))
    rows += _time_rows(tally)
    if tally.refused:
        rows.append(("Refused", f"{plural(tally.refused, 'answer')} of the policies; others replaced them"))
    return [BLANK, *table_lines(rows), *_policy_lines(tally)]


def _policy_lines(tally: Tally) -> list[Line]:
    """Return what the author of a policy must know: answers that were refused, and planned ones that no question asked for."""
    refusals = sorted(tally.refusals, key=lambda text: (-tally.refusals[text], text))[:_MAX_REFUSALS]
    return [Line(text, "warning", "", "! ") for text in [*refusals, *map(never_asked, tally.never_asked())]]


def never_asked(planned: str) -> str:
    """Return that a planned answer, given as ``ACTION KEY``, was never asked for."""
    action, _, key = planned.partition(" ")
    return f"planned actions '{action}' answer the question '{key}', which never came"


def _fixed_lines(run: SimulationRun) -> list[Line]:
    """Return what became of the fixed answers: in how many games each was used, and why not in the others."""
    if not run.series.fixed or not run.tally.games:
        return []
    lines = [BLANK]
    for typed, faults in _unused_by_answer(run).items():
        used = run.tally.games - sum(faults.values())
        lines.append(Line(f"Set {typed}: in {used:,} of {_game_count(run.tally.games)}"))
        lines += [Line(f"{_game_count(count)}: {why}", "warning", "", "! ") for why, count in faults.items()]
    return lines


def _unused_by_answer(run: SimulationRun) -> dict[str, Counter[str]]:
    """Return how often each fixed answer was not used, by the reason."""
    by_answer: dict[str, Counter[str]] = {answer.typed: Counter() for answer in run.series.fixed}
    for text, count in run.tally.unused.most_common():
        typed = max((typed for typed in by_answer if text.startswith(f"{typed}: ")), key=len, default="")
        if typed:
            by_answer[typed][text.removeprefix(f"{typed}: ")] += count
    return by_answer


def _failure_lines(run: SimulationRun) -> list[Line]:
    tally = run.tally
    if not tally.failed:
        return []
    lines = [BLANK, Line(f"{_game_count(tally.failed)} failed", "warning", "", "! ")]
    lines += table_lines([(f"{run.series.seed}/{row.number}", row.error) for row in tally.faults], indent="  ")
    if tally.failed > len(tally.faults):
        lines.append(Line(f"and {tally.failed - len(tally.faults):,} more", "dim", "", "  "))
    replay = replay_command(run.series, tally.faults[0].number)
    return [*lines, Line(f"Look at the first: {replay}", "dim")] if replay else lines


def replay_command(series: Series, index: int) -> str:
    """Return the command that turns a simulated game into a session; "" if none can."""
    from shlex import quote

    series, index = series.variant(index)
    if series.start is not None or not all(own.source for own in series.own.values()):
        return ""
    policies = {seat: series.own[seat].source if seat in series.own else name for seat, name in series.policies.items()}
    game = quote(f"{series.game}/{series.seed}/{index}")
    words = ["companion", "new", "--replay", game, "--scenario", series.options["scenario"]]
    words += [word for seat, name in policies.items() for word in ("--policy", quote(f"{seat}={name}"))]
    words += [word for seat in series.own for word in ("--base", f"{seat}={series.policies[seat]}")]
    words += [word for answer in series.fixed for word in ("--set", quote(answer.typed))]
    words += [word for key, value in series.given for word in ("--option", quote(f"{key}={value}"))]
    return " ".join([*words, *(["--think", str(series.think)] if series.think else [])])


def simulation_data(run: SimulationRun) -> JsonDict:
    """Return the results of a simulation as JSON data."""
    series, tally = run.series, run.tally
    return {
        "game": series.game,
        "options": dict(series.options),
        "policies": series.names,
        "base": {seat: series.policies[seat] for seat in series.own},
        "from": series.start.label if series.start else "",
        "seed": series.seed,
        "think": series.think,
        "mirrored": bool(series.variants),
        "shard": list(run.shard),
        "wanted": run.games,
        "games": tally.games,
        "stopped": run.stopped,
        "out": run.path,
        "results": [_result_data(result, count, tally.completed) for result, count in sorted(tally.results.items())],
        "score": summarise(tally.scores)._asdict() if tally.scores else None,
        "histogram": [part._asdict() for part in histogram(tally.scores)],
        "strength": _strength_data(tally.strength()),
        "turns": summarise(tally.turns)._asdict() if tally.turns else None,
        "decisions": tally.decisions,
        "times": [
            {"seat": seat, "policy": policy, "seconds": round(seconds, 3), "decisions": decisions}
            for (seat, policy), (seconds, decisions) in tally.times.items()
        ],
        "seconds": round(tally.seconds, 3),
        "refused": tally.refused,
        "refusals": sorted(tally.refusals),
        "never_asked": list(tally.never_asked()),
        "set": [
            {"answer": typed, "used": tally.games - sum(faults.values()), "unused": dict(faults)}
            for typed, faults in _unused_by_answer(run).items()
        ],
        "failed": tally.failed,
        "failures": [{"index": row.number, "seed": series.seed, "error": row.error} for row in tally.faults],
    }


def _strength_data(strength: Strength | None) -> JsonDict | None:
    if strength is None:
        return None
    return {key: value._asdict() if isinstance(value, Estimate) else value for key, value in strength._asdict().items()}


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


class Shown(NamedTuple):
    """Which statistics are shown: of practice games only (`made_up`), with all tables (`details`) and a plot of the scores."""

    made_up: bool = False
    details: bool = False
    plot: bool = False


def plain_statistics_lines(tables: Tables, dice: Dice, shown: Shown) -> list[Line]:
    """Return the games, their results and dice in plain words."""
    played = sum(row["sessions"] for row in tables["games"].data())
    finished = sum(row["finished"] for row in tables["games"].data())
    kind = "practice game" if shown.made_up else "game"
    branches = len(tables["sessions"].rows) - played
    apart = f" {plural(branches, 'branch', 'branches')} not counted." if branches else ""
    lines = [Line(f"{plural(played, kind)}, {finished or 'none'} finished.{apart}", "title"), BLANK]
    scores = scores_by_game(tables)
    rows = [["game", "games", "finished", "hours", "average score", "highest", "last"]]
    for row in tables["games"].data():
        values = scores.get(row["game"], [])
        figures = [f"{sum(values) / len(values):.1f}", f"{max(values):g}", f"{values[-1]:g}"] if values else ["-"] * 3
        rows.append([row["game"], str(row["sessions"]), str(row["finished"]), _cell(row["hours"]), *figures])
    lines += [Line(row, "", "", "  ") for row in aligned_cells(rows)]
    results: dict[str, list[str]] = {}
    for row in tables["results"].data():
        results.setdefault(row["game"], []).append(f"{row['games']} x {row['result']}")
    lines += [BLANK, Line("Results", "title")] if results else []
    lines += [Line(", ".join(texts), "", "", f"  {game}: ") for game, texts in results.items()]
    lines += _dice_lines(tables, dice, shown)
    return [*lines, *_newer_lines(tables), BLANK, Line("Scenarios, options, scores and tests: companion stats --details", "dim")]


def statistics_lines(tables: Tables, dice: Dice, against: SimulatedScores | None, shown: Shown) -> list[Line]:
    """Return the statistics of all sessions, for an 80-column screen."""
    if not (shown.details or shown.plot or against):
        return plain_statistics_lines(tables, dice, shown)
    lines = _session_counts(tables, shown)
    for name in SHOWN:
        lines += _table_lines(name, tables[name])
    for game, scores in scores_by_game(tables).items():
        lines += _score_lines(game, scores, against)
        if shown.plot and len(scores) > 1:
            series = PlotSeries("VP", tuple(enumerate(scores, 1)))
            lines += [BLANK, *plot_lines(Plot(f"Scores of {game}", "games", (series,)))]
    return [*lines, *_dice_lines(tables, dice, shown), *_newer_lines(tables)]


def _session_counts(tables: Tables, shown: Shown) -> list[Line]:
    sessions = tables["sessions"].data()
    over = sum(row["finished"] for row in tables["games"].data())
    played = sum(row["sessions"] for row in tables["games"].data())
    lines = [Line(f"{plural(played, 'practice game' if shown.made_up else 'game')}, {over or 'none'} finished", "title")]
    if branches := len(sessions) - played:
        lines.append(Line(f"{plural(branches, 'branch', 'branches')} not counted", "dim"))
    if unfinished := played - over:
        lines.append(Line(f"{unfinished} unfinished, or finished by an older version: counted under Games only", "dim"))
    return lines


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
    return "-" if cell is None else f"{cell:g}" if isinstance(cell, float) else truncate(str(cell), _CELL_WIDTH)


def scores_by_game(tables: Tables) -> dict[str, list[float]]:
    """Return the scores of each game, in the order played."""
    scores: dict[str, list[float]] = {}
    for row in tables["scores"].data():
        scores.setdefault(row["game"], []).append(row["score"])
    return scores


def _score_lines(game: str, scores: Sequence[float], against: SimulatedScores | None) -> list[Line]:
    counts = Counter(scores)
    middle = summarise(counts)
    last = scores[-_LAST_SCORES:]
    lines = [BLANK, Line(f"Scores of {game}", "title")]
    lines.append(Line(f"{sparkline(last)}  the last {len(last)}, in order", "track", "", "  "))
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
        f"Your mean differs by {data['difference']:+.1f} (+-{data['error']:.1f}){apart};"
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


def dice_distributions(tables: Tables, dice: Dice) -> list[tuple[str, str, DiceSample]]:
    """Return the distribution of the dice by game and by who rolled."""
    faces: dict[tuple[str, str], dict[int, int]] = {}
    for game, who, face, count in tables["dice"].rows:
        faces.setdefault((game, who), {})[face] = count
    result = []
    for (game, who), counts in faces.items():
        sides, lowest = dice.get(game, (6, 1))
        rolled = [face for face, count in counts.items() if lowest <= face < lowest + sides for _ in range(count)]
        if rolled:
            result.append((game, who, analyse_dice(rolled, sides, lowest)))
    return result


def _dice_lines(tables: Tables, dice: Dice, shown: Shown) -> list[Line]:
    """Return a table for each kind of die, by game and by who rolled."""
    rows_by_die: dict[tuple[int, int], list[DiceRow]] = {}
    for game, who, sample in dice_distributions(tables, dice):
        rows = rows_by_die.setdefault((sample.lowest, len(sample.counts)), [])
        rows.append((f"{game}, {'you' if who == 'player' else 'Companion'}", sample))
    tables_of_dice = (plain_dice_lines("rolled in, by", rows, details=shown.details) for rows in rows_by_die.values())
    return [line for lines in tables_of_dice for line in (BLANK, Line("Dice", "title"), *lines)]


def _newer_lines(tables: Tables) -> list[Line]:
    """Return a warning about sessions written by a newer version, which are not counted."""
    names = ", ".join(dict.fromkeys(session for session, *_ in tables["newer"].rows))
    note = f"Not counted, written by a newer Companion: {names}. Update Companion"
    return [BLANK, Line(note, "warning", "", "! ")] if names else []


def statistics_data(tables: Tables, dice: Dice, against: SimulatedScores | None) -> JsonDict:
    """Return the statistics of all sessions as JSON data."""
    import json

    scores, rows = scores_by_game(tables), tables["sessions"].data()
    sessions = [{**row, "options": json.loads(row["options"]), "open": bool(row["open"])} for row in rows]
    return {
        "tables": {"sessions": sessions, **{name: tables[name].data() for name in SHOWN}},
        "scores": {game: _score_data(values, against) for game, values in scores.items()},
        "dice": [
            {"game": game, "who": who, **sample._asdict(), "counts": list(sample.counts), "said": dice_verdict(sample)}
            for game, who, sample in dice_distributions(tables, dice)
        ],
        "newer": tables["newer"].data(),
    }


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

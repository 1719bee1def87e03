"""What there is to look up: games with their scenarios and options, the rule register, charts, printed facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.charts import Chart
from companion.core.errors import Unreadable
from companion.core.game import Fact, Game, Rule
from companion.core.words import clean, loose
from companion.views.lines import BLANK, Line, columns


def _section(title: str, rows: Sequence[Sequence[str]]) -> list[Line]:
    return [BLANK, Line(title, "title"), *(Line(text, "", "", "  ") for text in columns(rows))] if rows else []


def _option_section(game: Game) -> list[Line]:
    lines = [BLANK, Line("Options (new --option NAME=CHOICE; the first or marked choice is the default)", "title")]
    for option in game.options.values():
        choices = " | ".join(f"*{choice}" if choice == option.default else choice for choice in option.choices) or "any text"
        lines.append(Line(f"{option.title}: {choices}", "", option.rule, f"  {option.id}  "))
        ruling = game.tables.rulings.get(option.ruling)
        if ruling:
            lines += [Line(f"{choice}: {text}", "dim", "", "    ") for choice, text in ruling.meaning.items()]
    return lines if game.options else []


def game_lines(game: Game, missing: Mapping[str, int]) -> list[Line]:
    """Everything that a game offers. ``missing``: how many values of each printed fact are still to be copied."""
    lines = [Line(f"{game.title} ({game.id})", "title"), Line(game.edition, "dim")]
    lines += _section("Scenarios", [(item.id, f"{item.title} [{item.rule}]") for item in game.scenarios.values()])
    lines += _option_section(game)
    lines += _section("Actions", [(item.id, f"{item.title} [{item.rule}]") for item in game.actions])
    lines += _section("Odds of", [(item.id, f"{item.title} [{item.rule}]") for item in game.situations])
    lines += _section("Charts", [(item.id, f"{item.title} [{item.rule}]") for item in game.tables.charts.values()])
    lines += _section("Still to be copied from your set", [(key, str(count)) for key, count in missing.items()])
    switched = sum(bool(item.option) for item in game.tables.rulings.values())
    counts = f"{len(game.tables.rules)} rules in the register, {len(game.tables.rulings)} rulings, {switched} of them options"
    return [*lines, BLANK, Line(counts)]


def game_data(game: Game, missing: Mapping[str, int]) -> dict[str, Any]:
    """The same as plain data."""
    return {
        "id": game.id,
        "title": game.title,
        "edition": game.edition,
        "scenarios": [dict(item._asdict()) for item in game.scenarios.values()],
        "options": [{**item._asdict(), "choices": list(item.choices)} for item in game.options.values()],
        "actions": [{"id": item.id, "title": item.title, "rule": item.rule} for item in game.actions],
        "situations": [{"id": item.id, "title": item.title, "rule": item.rule} for item in game.situations],
        "charts": [{"id": item.id, "title": item.title, "rule": item.rule} for item in game.tables.charts.values()],
        "missing": dict(missing),
        "rulings": [{**item._asdict(), "meaning": dict(item.meaning)} for item in game.tables.rulings.values()],
    }


def find_rules(game: Game, words: str) -> list[Rule]:
    """The rules that a number or some words mean: the rule itself with its cases, else every rule with all the words.

    Raises:
        Unreadable: there is none.
    """
    rules = game.tables.rules
    number = words.strip()
    if number in rules:
        return [rules[number], *(rule for key, rule in rules.items() if _below(number, key))]
    found = [rule for key, rule in rules.items() if _below(number, key)]
    if not found:
        wanted = loose(words).split()
        found = [rule for rule in rules.values() if wanted and all(word in _searched(rule) for word in wanted)]
    if not found:
        raise Unreadable(
            f"no rule of {game.title} is numbered or speaks of '{clean(words)}'", cure=f"See: companion rule {game.id}"
        )
    return found


def _below(number: str, key: str) -> bool:
    """Whether a rule number is a case of another: 16.8(2) of 16.8, 16.8 of 16 and of 16.0."""
    if key == number:
        return False
    stem = number.removesuffix(".0")
    return key.startswith((stem + ".", stem + "(")) if stem else False


def _searched(rule: Rule) -> str:
    return loose(f"{rule.title} {rule.gist} {rule.errata}")


def rule_lines(game: Game, rule: Rule) -> list[Line]:
    """One entry of the register, whole."""
    lines = [Line(rule.title, "title", "", f"{rule.number}  "), Line(rule.gist)]
    handled = f"Handled: {rule.handling}" + (f" - {rule.reason}" if rule.reason else "")
    lines.append(Line(handled, "track"))
    if rule.errata:
        lines.append(Line(f"Errata: {rule.errata}", "reminder"))
    for ruling_id in rule.rulings or [key for key, item in game.tables.rulings.items() if rule.number in item.rules]:
        ruling = game.tables.rulings.get(ruling_id)
        if ruling:
            lines.append(Line(f"{ruling.question} {ruling.answer}", "board", "", f"Ruling {ruling.id}: "))
    if rule.see:
        lines.append(Line(f"See also {', '.join(rule.see)}", "dim"))
    return lines


def rule_data(game: Game, rule: Rule) -> dict[str, Any]:
    """One entry of the register as plain data."""
    rulings = rule.rulings or [key for key, item in game.tables.rulings.items() if rule.number in item.rules]
    return {**rule._asdict(), "see": list(rule.see), "rulings": list(rulings)}


def rules_list(rules: Sequence[Rule]) -> list[Line]:
    """Number and title, one a line."""
    return [Line(text) for text in columns([(rule.number, f"{rule.title} ({rule.handling})") for rule in rules])]


def chart_lines(chart: Chart, marked: str = "") -> list[Line]:
    """A chart as a table; one row may be marked."""
    head = f" ({chart.dice})" if chart.dice else ""
    lines = [Line(f"{chart.title}{head}", "title", chart.rule)]
    names = [name for name in chart.columns if name != "title"]
    wordy = len(names) > 4 or any(len(str(cell)) > 24 for cells in chart.rows.values() for cell in cells[:-1])
    if wordy:
        for key in chart.rows:
            lines += _row_lines(chart, key, marked)
    else:
        rows = [["", str(chart.dice or ""), *chart.columns]]
        rows += [[">" if key == marked else "", key, *map(_cell, chart.rows[key])] for key in chart.rows]
        lines += [Line(text, "title" if not number else "") for number, text in enumerate(columns(rows, 1))]
    return [*lines, Line(chart.note, "dim")] if chart.note else lines


def _cell(cell: Any) -> str:
    return {True: "yes", False: "no"}[cell] if isinstance(cell, bool) else str(cell)


def _row_lines(chart: Chart, key: str, marked: str = "") -> list[Line]:
    cells = ", ".join(f"{name} {_cell(cell)}" for name, cell in zip(chart.columns, chart.rows[key], strict=True))
    return [Line(cells, "board" if key == marked else "", chart.cites.get(key, ""), f"{'>' if key == marked else ' '} {key}  ")]


def result_lines(chart: Chart, key: str, rolled: str) -> list[Line]:
    """What a chart says for a number that was rolled or named."""
    row = chart.row(key)
    return [Line(f"{chart.title}: {rolled}", "title", chart.cite(key)), *_row_lines(chart, row)]


def chart_data(chart: Chart) -> dict[str, Any]:
    """A chart as plain data: each row by its key, each cell by its column."""
    return {
        "id": chart.id,
        "title": chart.title,
        "rule": chart.rule,
        "source": chart.source,
        "die": str(chart.dice) if chart.dice else None,
        "rows": {key: dict(zip(chart.columns, cells, strict=True)) for key, cells in chart.rows.items()},
    }


def fact_lines(facts: Sequence[Fact], known: Mapping[str, str]) -> list[Line]:
    """Every printed fact: what is known, and what is still to be copied."""
    lines: list[Line] = []
    for fact in facts:
        lines.append(Line(f"{fact.title}", "title", fact.rule))
        keys = list(fact.all_keys()) or sorted(key for key in known if key.partition(":")[0] == fact.id)
        rows = []
        for key in keys:
            shipped = fact.shipped.get(key.partition(":")[2] or key, "")
            value = known.get(key) or (f"{shipped} (from the rulebook)" if shipped else "-")
            rows.append((key, value))
        lines += [Line(text, "", "", "  ") for text in columns(rows)]
        if not fact.all_keys():
            lines.append(Line(f"any number of {fact.id}:NAME, like this: {fact.notation.example}", "dim", "", "  "))
    return lines


def missing_counts(facts: Sequence[Fact], known: Mapping[str, str]) -> dict[str, int]:
    """How many values of each kind of fact nobody has told yet; kinds with an open list count only where empty."""
    counts: dict[str, int] = {}
    for fact in facts:
        keys = fact.all_keys()
        lacking = [key for key in keys if key not in known and (key.partition(":")[2] or key) not in fact.shipped]
        if lacking:
            counts[fact.id] = len(lacking)
        elif not keys and not any(key.partition(":")[0] == fact.id for key in known):
            counts[fact.id] = 1
    return counts

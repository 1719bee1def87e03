"""Pages of the site that no file of ``companion/docs`` holds: the front page, commands, rule registers, rulings, charts, APIs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from companion import api
from companion.cli.shell import schema
from companion.cli.shell.catalog import COMMANDS, GROUPS, Command, Parameter
from companion.core.game import Game, Rule, Ruling
from companion.games import GAMES
from companion.session.state import load_game
from companion.views.lines import plain_text
from companion.views.reference import chart_lines
from tests.support.command_texts import command_text, words_of

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "companion" / "docs"
FLAT = "/rules.md"
"""The end of the path of a page whose table of contents lists chapters only."""

PICTURES = ROOT / "build" / "page_screens"
PHONES = {"a question": "{}-phone.png", "the map": "{}-phone-map.png", "the log on a small phone": "{}-small-log.png"}
"""The pictures of a game that the site shows."""

HANDLED = {
    "automated": "Companion does it.",
    "asked": "Companion asks you, because it is on your table or printed on your components.",
    "reminder": "Companion reminds you of it.",
    "board": "It happens on the board and is left to you.",
    "none": "There is nothing to do.",
}
"""What the words of a rule register mean."""


def navigation() -> dict[str, list[Any]]:
    """The generated parts of the navigation, by the word that stands for them in ``mkdocs.yml``."""
    titles = {"rules": "Rules", "rulings": "Rulings", "charts": "Charts", "contents": "Scenarios, options, actions"}
    games = [
        {
            load_game(game).title: [
                {"Guide": f"{game}.md"},
                *({title: f"games/{game}/{name}.md"} for name, title in titles.items()),
            ]
        }
        for game in GAMES
    ]
    groups = [{group.title: [{command.name: f"commands/{command.name}.md"} for command in group.commands]} for group in GROUPS]
    phones = ["phones.md"] if pictures() else []
    return {
        "GAMES": [{"All games": "games/index.md"}, *games],
        "COMMANDS": [{"All commands": "commands/index.md"}, *groups],
        "PHONES": phones,
    }


@cache
def generated_pages() -> Mapping[str, str]:
    """Every generated page, by its path below the folder of pages."""
    pages = {"index.md": front_page(), "changes.md": changes()}
    pages["commands/index.md"] = command_list()
    pages |= {f"commands/{name}.md": command_page(command) for name, command in COMMANDS.items()}
    pages["games/index.md"] = game_list()
    for game in map(load_game, GAMES):
        pages[f"games/{game.id}/rules.md"] = register(game)
        pages[f"games/{game.id}/rulings.md"] = rulings(game)
        pages[f"games/{game.id}/charts.md"] = charts(game)
        pages[f"games/{game.id}/contents.md"] = contents(game)
    if pictures():
        pages["phones.md"] = phone_gallery()
    pages["reference/api.md"] = api_reference()
    pages["reference/authors.md"] = authors_reference()
    return pages


def assets() -> dict[str, str]:
    """Styles and scripts."""
    folder = Path(__file__).parent / "assets"
    return {f"assets/{path.name}": path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}


def pictures() -> dict[str, Path]:
    """The pictures of the page of ``companion host``, as far as ``tests.support.page_screens`` has made them."""
    paths = (PICTURES / name.format(game) for game in GAMES for name in PHONES.values())
    return {f"screens/phones/{path.name}": path for path in paths if path.exists()}


# -- front page ------------------------------------------------------------------------------------------------------------


def front_page() -> str:
    """The README, with links at the names of games and pages in its tables."""
    text = (ROOT / "README.md").read_text(encoding="utf-8").replace("](companion/docs/", "](")
    rows = [re.sub(r"`([\w-]+)`", _page_link, row) if row.startswith("| ") else row for row in text.split("\n")]
    return "---\nhide: [navigation]\n---\n" + "\n".join(rows)


def _page_link(name: re.Match[str]) -> str:
    return f"[{name[0]}]({name[1]}.md)" if (DOCS / f"{name[1]}.md").exists() else name[0]


def changes() -> str:
    """The changelog."""
    return (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def phone_gallery() -> str:
    """Pictures of the page of ``companion host`` for each game."""
    rows = ["# The page on a phone\n", "`companion host` shows a session to phones and tablets. Pictures of each game.\n"]
    paths = pictures()
    for game in map(load_game, GAMES):
        shown = {title: f"screens/phones/{name.format(game.id)}" for title, name in PHONES.items()}
        images = [f"![{game.title}: {title}]({path}){{ .phone }}" for title, path in shown.items() if path in paths]
        rows += [f"## {escaped(game.title)}\n", "\n".join(images) + "\n"]
    return "\n".join(rows)


# -- commands --------------------------------------------------------------------------------------------------------------


def command_list() -> str:
    """Every command by group."""
    rows = [
        "# Commands\n",
        "Every command with its words and options. At the prompt most of them are typed with a slash: `/undo 2`.\n",
    ]
    for group in GROUPS:
        rows += [f"## {group.title}\n", "| command | what it does |", "|---|---|"]
        rows += [f"| [`{command.name}`]({command.name}.md) | {command.help} |" for command in group.commands]
        rows.append("")
    return "\n".join(rows)


def command_page(command: Command) -> str:
    """Usage, description, words, options, example and JSON documents of a command."""
    text = command_text(command)
    usage = " ".join(filter(None, ["companion", command.name, "[OPTIONS]" if command.options else "", words_of(command)]))
    rows = [f"# companion {command.name}\n", *(f"{escaped(paragraph)}\n" for paragraph in text.paragraphs)]
    rows += [f"```text\n{usage}\n```\n", "## Example\n", f"```console\n$ {text.example}\n```\n"]
    if command.words:
        rows += ["## Words\n", "| word | what it is |", "|---|---|"]
        rows += [f"| {code(word.metavar)} | {parameter_text(word)} |" for word in command.words]
        rows.append("")
    if command.options:
        rows += ["## Options\n", "| option | what it does |", "|---|---|"]
        rows += [f"| {code(option_usage(option))} | {parameter_text(option)} |" for option in command.options.values()]
        rows.append("")
    rows += list(further(command))
    return "\n".join(rows)


def option_usage(option: Parameter) -> str:
    """An option with the word that stands for its value."""
    return f"{option.option} {option.metavar}".rstrip()


def parameter_text(parameter: Parameter) -> str:
    """The help of a word or option, its fixed values and its smallest number."""
    parts = [escaped(parameter.help)]
    unnamed = [value for value in parameter.values if value not in parameter.metavar]
    if unnamed:
        parts.append(f"Values: {', '.join(map(code, unnamed))}.")
    if parameter.low:
        parts.append(f"At least {parameter.low}.")
    return " ".join(parts)


def further(command: Command) -> Iterator[str]:
    """Links to the JSON documents of a command, and to the pages that show it."""
    documents = shapes().commands.get(command.name, ())
    pages = [
        path for path in sorted(DOCS.glob("*.md")) if re.search(rf"companion {command.name}\b", path.read_text(encoding="utf-8"))
    ]
    if not (documents or pages):
        return
    yield "## See also\n"
    if documents:
        links = ", ".join(f"[`{name}`](../protocol.md#{name})" for name in documents)
        yield f"- JSON: {links}, and [`error`](../protocol.md#error)"
    yield from (f"- [{title_of(path)}](../{path.name})" for path in pages)


@cache
def shapes() -> schema.Shapes:
    """The documents of each command."""
    return schema.read_shapes(schema.protocol_page())


@cache
def title_of(path: Path) -> str:
    """The heading of a page."""
    return path.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")


# -- games -----------------------------------------------------------------------------------------------------------------


def game_list() -> str:
    """Every game with its pages."""
    rows = ["# Games\n", "| game | id | pages |", "|---|---|---|"]
    for game in map(load_game, GAMES):
        links = f"[rules]({game.id}/rules.md), [rulings]({game.id}/rulings.md), [charts]({game.id}/charts.md)"
        rows.append(f"| [{game.title}](../{game.id}.md) | `{game.id}` | {links} |")
    return "\n".join([*rows, ""])


def register(game: Game) -> str:
    """The rule register, with a heading for each chapter and each rule."""
    counts = {word: sum(rule.handling == word for rule in game.tables.rules.values()) for word in HANDLED}
    rows = [
        f"# The rules of {game.title}\n",
        "Every rule in our own words, in the order of the rulebook, and how Companion handles it.\n",
    ]
    rows += ["| handled | rules | what it means |", "|---|---:|---|"]
    rows += [f"| {word} | {counts[word]} | {text} |" for word, text in HANDLED.items() if counts[word]]
    rows.append("")
    for chapter, rules in groupby(game.tables.rules.values(), key=lambda rule: chapter_of(rule.number)):
        for index, rule in enumerate(rules):
            if not index and rule.number not in (chapter, f"{chapter}.0"):
                rows.append(f"## {chapter}\n")
            rows += rule_section(game, rule, "##" if rule.number in (chapter, f"{chapter}.0") else "###")
    return "\n".join(rows)


def chapter_of(number: str) -> str:
    """The chapter of a rule: 16 of 16.8(2); the whole name of a rule without a number."""
    match = re.match(r"\d+", number)
    return match[0] if match else number


def anchor(number: str) -> str:
    """The anchor of a rule on the page of its register."""
    return "r" + re.sub(r"[^a-z0-9.]+", "-", number.casefold()).strip("-")


def rule_section(game: Game, rule: Rule, level: str) -> list[str]:
    """One rule of the register."""
    name = rule.title if rule.title == rule.number or not rule.number[:1].isdigit() else f"{rule.number} {rule.title}"
    rows = [f"{level} {escaped(name)} {{ #{anchor(rule.number)} }}\n", f"{escaped(rule.gist)}\n"]
    clauses = [
        f"- {escaped(clause.says)}" + (f" Left to you: {escaped(clause.left)}" if clause.left else "") for clause in rule.clauses
    ]
    rows += [*clauses, ""] if clauses else []
    notes = [f"Handled: {rule.handling}." + (f" {escaped(rule.reason)}" if rule.reason else "")]
    if rule.errata:
        notes.append(f"Errata: {escaped(rule.errata)}")
    concerned = [key for key, ruling in game.tables.rulings.items() if key in rule.rulings or rule.number in ruling.rules]
    if concerned:
        notes.append(f"Rulings: {', '.join(f'[{key}](rulings.md#{anchor(key)})' for key in concerned)}.")
    if rule.see:
        notes.append(f"See also {', '.join(rule_link(game, number, '') for number in rule.see)}.")
    return [*rows, "  \n".join(notes) + "\n{ .handled }\n"]


def rule_link(game: Game, number: str, page: str) -> str:
    """A link to a rule in the register, or its number if the register has none of that number."""
    return f"[{escaped(number)}]({page}#{anchor(number)})" if number in game.tables.rules else escaped(number)


def rulings(game: Game) -> str:
    """Every ruling of a game, with the rules that it concerns and its option."""
    rows = [f"# Rulings on {game.title}\n", "Decisions of ours where the rulebook is silent or contradicts itself.\n"]
    for ruling in game.tables.rulings.values():
        rows += ruling_section(game, ruling)
    return "\n".join(rows)


def ruling_section(game: Game, ruling: Ruling) -> list[str]:
    """One ruling."""
    links = ", ".join(rule_link(game, number, "rules.md") for number in ruling.rules)
    rows = [
        f"## {ruling.id} {{ #{anchor(ruling.id)} }}\n",
        f"**{escaped(ruling.question.strip())}** {escaped(ruling.answer.strip())}\n",
    ]
    if ruling.option:
        rows.append(f"Option `{ruling.option}`, by default `{ruling.choices[0]}`:\n")
        rows += [
            f"- `{choice}`" + (f": {escaped(ruling.meaning[choice])}" if choice in ruling.meaning else "")
            for choice in ruling.choices
        ]
        rows.append("")
    return [*rows, f"Rules: {links}.\n{{ .handled }}\n"]


def charts(game: Game) -> str:
    """Every chart of a game, as ``companion chart`` shows it."""
    rows = [f"# Charts of {game.title}\n", f"As `companion chart {game.id}` shows them.\n"]
    for chart in game.tables.charts.values():
        _, *lines = chart_lines(chart)  # the first is the title
        rows += [f"## {escaped(chart.title)}\n", f"`{chart.id}`, rule {rule_link(game, chart.rule, 'rules.md')}\n"]
        rows += [f"```text\n{plain_text(lines)}\n```\n"]
    return "\n".join(rows)


def contents(game: Game) -> str:
    """Scenarios, options, actions, odds and printed values of a game."""
    rows = [f"# Scenarios, options and actions of {game.title}\n", f"{escaped(game.edition)}\n"]
    seats = [(f"`{seat}`", title) for seat, title in game.seats.items()]
    rows += table("Seats", ("id", "side"), seats)
    rows += table("Scenarios", ("id", "scenario", "rule"), _titled(game, game.scenarios.values()))
    options = [
        (
            f"`{option.id}`",
            escaped(option.title),
            ", ".join(map(code, option.choices)) or "any text",
            code(option.default) if option.default else "",
        )
        for option in game.options.values()
    ]
    rows += table("Options", ("id", "option", "choices", "default"), options)
    rows += table("Actions", ("id", "action", "rule"), _titled(game, game.actions))
    rows += table("Exact odds", ("situation", "odds of", "rule"), _titled(game, game.situations))
    facts = [(f"`{fact.id}`", escaped(fact.title), rule_link(game, fact.rule, "rules.md")) for fact in game.facts]
    rows += table("Values printed on the components", ("id", "what it is", "rule"), facts)
    return "\n".join(rows)


def _titled(game: Game, items: Any) -> list[tuple[str, ...]]:
    return [(f"`{item.id}`", escaped(item.title), rule_link(game, item.rule, "rules.md")) for item in items]


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A heading and a table; nothing without rows."""
    if not rows:
        return []
    head = [f"## {title}\n", f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    return [*head, *(f"| {' | '.join(row)} |" for row in rows), ""]


# -- references ------------------------------------------------------------------------------------------------------------

API_PARTS = {
    "companion.api.archive": "Archives and games",
    "companion.api.session": "Sessions",
    "companion.session.seats": "Sessions",
    "companion.api.values": "Questions, answers, results",
    "companion.core.position": "Positions",
    "companion.core.game": "Positions",
    "companion.api.maps": "Positions",
    "companion.views.vocabulary": "Positions",
    "companion.api.review": "Reviews",
    "companion.api.simulation": "Whole games",
    "companion.core.statistics": "Whole games",
    "companion.core.request": "Odds",
    "companion.core.errors": "Errors",
    "companion.core.messages": "Messages",
}
"""The heading of the reference for the names of each module."""
AUTHORS_PARTS = {
    "The description of a game": ("companion.core.game", ("Game", "action", "Banner", "Field", "Obstacle", "Situation", "Fact")),
    "The referee": ("companion.core.referee", ("Referee",)),
    "Questions": ("companion.core.requests", ("Choose", "Confirm", "Number", "Pick", "Printed", "Choice")),
    "Opponents": ("companion.core.policies", ("Players", "Policy", "DecisionContext")),
    "Tests": ("companion.testing.table", ("Table",)),
}
"""The classes that the rules of a game use."""


def api_reference() -> str:
    """The names of ``companion.api``, by topic."""
    rows = ["# Reference of companion.api\n", "Every promised name. [Companion in Python](../developers.md) introduces them.\n"]
    topics: dict[str, list[str]] = {topic: [] for topic in API_PARTS.values()}
    tree = ast.parse(Path(api.__file__).read_text(encoding="utf-8"))
    modules = {alias.name: node.module for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    for name in api.__all__:
        topics[API_PARTS[modules[name]]] += [f"{modules[name]}.{name}"]
    for topic, names in topics.items():
        rows += [f"## {topic}\n", *(f"::: {name}\n" for name in names)]
    return "\n".join(rows)


def authors_reference() -> str:
    """The classes that the rules of a game use."""
    rows = ["# Reference of classes for authors\n", "[A game of your own](../a-game-of-your-own.md) shows how they are used.\n"]
    for topic, (module, names) in AUTHORS_PARTS.items():
        rows += [f"## {topic}\n", *(f"::: {module}.{name}\n" for name in names)]
    return "\n".join(rows)


# -- texts -----------------------------------------------------------------------------------------------------------------


def code(text: str) -> str:
    """Text as code."""
    return f"`{text}`"


def escaped(text: str) -> str:
    """Text without Markdown of its own; what it has in backquotes stays code."""
    parts = re.split(r"(`[^`]+`)", " ".join(text.split()))
    return "".join(part if part.startswith("`") else re.sub(r"([\\*_<>|\[\]{}])", r"\\\1", part) for part in parts)

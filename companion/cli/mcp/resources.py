"""The resources: games, rule registers, charts and pages, by address."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote

from companion.cli.shell.archives import load_game, load_games
from companion.core.errors import CompanionError, Unreadable
from companion.core.game import Game
from companion.core.text import clean, pick_name
from companion.session.files import help_page, help_topics
from companion.views.lines import Line, plain_text
from companion.views.reference import chart_lines, find_rules, game_lines, rule_list_lines, rule_search_lines

SCHEME = "companion://"
MARKDOWN, PLAIN = "text/markdown", "text/plain"
_WIDTH = 110
_MAX_URI = 300


class Resource(NamedTuple):
    """A text that can be read by its address, or a pattern of addresses."""

    uri: str
    name: str
    description: str
    kind: str = PLAIN


TEMPLATES = (
    Resource(f"{SCHEME}games/{{game}}", "game", "A game: scenarios, options, actions, situations, charts."),
    Resource(f"{SCHEME}rules/{{game}}", "rules", "The rule register of a game: numbers and titles."),
    Resource(f"{SCHEME}rules/{{game}}/{{number}}", "rule", "A rule in our own words, with rulings and errata."),
    Resource(f"{SCHEME}charts/{{game}}", "charts", "The charts of a game."),
    Resource(f"{SCHEME}charts/{{game}}/{{chart}}", "chart", "A chart."),
    Resource(f"{SCHEME}help/{{topic}}", "page", "A page of Companion's manual.", MARKDOWN),
)


def listed() -> list[Resource]:
    """The resources that a client lists; rules and charts are found by the templates."""
    games = [(game.id, game.title) for game in load_games()[0]]
    return [
        Resource(f"{SCHEME}games", "games", "All games with their scenarios."),
        *(Resource(f"{SCHEME}games/{game}", f"{game}", f"{title}: scenarios, options, actions.") for game, title in games),
        *(Resource(f"{SCHEME}rules/{game}", f"{game}-rules", f"{title}: the rule register.") for game, title in games),
        *(Resource(f"{SCHEME}charts/{game}", f"{game}-charts", f"{title}: the charts.") for game, title in games),
        *(Resource(f"{SCHEME}help/{topic}", topic, title, MARKDOWN) for topic, title in help_topics().items()),
    ]


def read(uri: str) -> tuple[str, str]:
    """The text and the kind of a resource. Raises Unreadable: there is none with this address."""
    if not uri.startswith(SCHEME) or len(uri) > _MAX_URI:
        raise Unreadable(f"'{clean(uri)[:100]}' is not an address of Companion", cure=f"They begin with {SCHEME}")
    head, *rest = [unquote(part) for part in uri.removeprefix(SCHEME).split("/")]
    if not all(rest) or (head, len(rest)) not in _SIZES:
        known = ", ".join(template.uri for template in TEMPLATES)
        raise Unreadable(f"there is nothing at '{clean(uri)[:100]}'", cure=f"Like one of these: {known}")
    if head == "help":
        return help_page(pick_name(rest[0], list(help_topics()), "page")), MARKDOWN
    if not rest:
        return plain_text(_games(), _WIDTH), PLAIN
    return plain_text(_READERS[head](load_game(rest[0]), rest[1:]), _WIDTH), PLAIN


_SIZES = {("games", 0), ("games", 1), ("rules", 1), ("rules", 2), ("charts", 1), ("charts", 2), ("help", 1)}
"""The first word of an address, and how many follow."""


def _games() -> Iterator[Line]:
    for game in load_games()[0]:
        yield Line(f"{game.id}: {game.title}. Scenarios: {', '.join(game.scenarios)}")


def _game(game: Game, _: Sequence[str]) -> Iterable[Line]:
    return game_lines(game, {})


def _rules(game: Game, number: Sequence[str]) -> Iterable[Line]:
    if not number:
        return rule_list_lines(list(game.tables.rules.values()))
    return rule_search_lines(game, find_rules(game, number[0]), number[0])


def _charts(game: Game, name: Sequence[str]) -> Iterable[Line]:
    charts = game.tables.charts
    if not charts:
        return [Line(f"{game.title} has no charts")]
    if not name:
        return [Line(f"{chart.id}: {chart.title}", "", chart.rule) for chart in charts.values()]
    return chart_lines(charts[pick_name(name[0], list(charts), "chart")])


_READERS: Mapping[str, Callable[[Game, Sequence[str]], Iterable[Line]]] = {"games": _game, "rules": _rules, "charts": _charts}

MAX_COMPLETIONS = 100


def completions(argument: str, text: str, given: Mapping[str, str]) -> list[str]:
    """What an argument of a template can be.

    Args:
        argument: `game`, `number`, `chart` or `topic`.
        text: What was typed of it.
        given: The arguments before it.
    """
    try:
        names = _names(argument, given.get("game", ""))
    except CompanionError:
        return []
    return [quote(name, safe="()") for name in names if name.casefold().startswith(text.casefold())][:MAX_COMPLETIONS]


def _names(argument: str, game: str) -> list[str]:
    if argument == "game":
        return [loaded.id for loaded in load_games()[0]]
    if argument == "topic":
        return list(help_topics())
    if argument in ("number", "chart") and game:
        tables = load_game(game).tables
        return list(tables.rules if argument == "number" else tables.charts)
    return []

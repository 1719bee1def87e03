"""Menus for a terminal: game, scenario, options, printed facts, the audit. Nobody is asked under a pipe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.cli.shell.opening import load_games
from companion.core.errors import Unreadable
from companion.core.game import Fact, Game
from companion.session.standing import Standing
from companion.views import board

AUDITED = "audit: as it lies on the table"
"""The reason of an adjustment to what a player marked as different."""


def _asked(kind: str, text: str, choices: Sequence[tuple[str, Any]] = (), **more: Any) -> Any:
    """The answer to a question of one of questionary's kinds, with its choices as (title, value); Ctrl-C leaves the command."""
    import questionary

    if choices:
        more["choices"] = [questionary.Choice(title, value) for title, value in choices]
    answer = getattr(questionary, kind)(text, **more).ask()
    if answer is None:
        raise KeyboardInterrupt
    return answer


def choose_game() -> str:
    """A game from the list; with only one there is nothing to ask."""
    games, _ = load_games()
    if len(games) == 1:
        return games[0].id
    return str(_asked("select", "Which game?", [(game.title, game.id) for game in games]))


def choose_scenario(game: Game) -> str:
    """A scenario from the list."""
    if len(game.scenarios) == 1:
        return next(iter(game.scenarios))
    choices = [(item.title, item.id) for item in game.scenarios.values()]
    return str(_asked("select", f"{game.title}: which scenario?", choices))


def choose_options(game: Game) -> dict[str, str]:
    """The options that the player wants otherwise than by default."""
    choices = [(f"{item.title} [{item.default or 'none'}]", item.id) for item in game.options.values() if item.choices]
    if not choices:
        return {}
    changed = _asked("checkbox", "Options to change (Space marks, Enter goes on)", choices)
    return {name: _choice_of(game, name) for name in changed}


def choose_hands() -> tuple[str, str]:
    """Who rolls the dice and who draws the counters by default: (dice, draws)."""
    choices = [
        ("Companion rolls and draws", ("computer", "computer")),
        ("I roll and draw on the table (Enter leaves one to Companion)", ("physical", "physical")),
        ("I roll, Companion draws", ("physical", "computer")),
        ("Companion rolls, I draw", ("computer", "physical")),
    ]
    dice, draws = _asked("select", "Dice and draws, unless a single one says otherwise:", choices)
    return str(dice), str(draws)


def _choice_of(game: Game, name: str) -> str:
    item = game.options[name]
    meaning = game.tables.rulings[item.ruling].meaning if item.ruling in game.tables.rulings else {}
    choices = [(f"{word}: {meaning[word]}" if word in meaning else word, word) for word in item.choices]
    return str(_asked("select", item.title, choices))


def ask_fact(fact: Fact, key: str, known: str) -> str:
    """The value of a printed fact as typed; "" leaves it as it is."""

    def valid(text: str) -> bool | str:
        if not text.strip():
            return True
        try:
            fact.notation(text)
        except Unreadable as fault:
            return str(fault)
        return True

    example = known or f"like {fact.notation.example}"
    return str(_asked("text", f"{key} ({example}; Enter leaves it):", validate=valid)).strip()


def more_keys(fact: Fact) -> str:
    """One more key of a fact whose list is open; "" when there are no more."""
    return str(_asked("text", f"{fact.title} - name of another one (Enter: no more):")).strip()


def ask_differences(desk: Standing) -> list[tuple[str, str]]:
    """What the player marks as different, with its value on the table."""
    game, position = desk.game, desk.position
    things = [
        (f"{game.track_title(track)}: {game.track(track, position.track(track))}", track)
        for track in game.tracks
        if game.track_title(track)
    ]
    for place in board.used_places(game, position):
        if place not in game.cups:
            things += [(f"{piece.name} in {game.place_title(place)}", piece.id) for piece in position.at(place)]
    if not things:
        return []
    wrong = _asked("checkbox", "Mark what is different on the table (Space marks, Enter goes on)", things)
    labels = {value: label for label, value in things}
    asked = [(what, str(_asked("text", f"{labels[what]} - on the table it is:")).strip()) for what in wrong]
    return [(what, value) for what, value in asked if value]

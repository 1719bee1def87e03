"""Menus for a terminal: game, scenario, options, printed facts, the audit. Nobody is asked under a pipe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.cli.shell.opening import load_game
from companion.core.errors import Unreadable
from companion.core.game import Fact, Game
from companion.games import GAMES
from companion.session.standing import Standing
from companion.views import board

AUDITED = "audit: as it lies on the table"
"""The reason of an adjustment to what a player marked as different."""


def _asked(question: Any) -> Any:
    """The answer to a questionary question; Ctrl-C leaves the command."""
    answer = question.ask()
    if answer is None:
        raise KeyboardInterrupt
    return answer


def choose_game() -> str:
    """A game from the list; with only one there is nothing to ask."""
    import questionary

    if len(GAMES) == 1:
        return next(iter(GAMES))
    choices = [questionary.Choice(load_game(name).title, name) for name in GAMES]
    return str(_asked(questionary.select("Which game?", choices=choices)))


def choose_scenario(game: Game) -> str:
    """A scenario from the list."""
    import questionary

    if len(game.scenarios) == 1:
        return next(iter(game.scenarios))
    choices = [questionary.Choice(item.title, item.id) for item in game.scenarios.values()]
    return str(_asked(questionary.select(f"{game.title}: which scenario?", choices=choices)))


def choose_options(game: Game) -> dict[str, str]:
    """The options that the player wants otherwise than by default."""
    import questionary

    if not game.options:
        return {}
    choices = [
        questionary.Choice(f"{item.title} [{item.default or 'none'}]", item.id) for item in game.options.values() if item.choices
    ]
    if not choices:
        return {}
    changed = _asked(questionary.checkbox("Options to change (Space marks, Enter goes on)", choices=choices))
    return {name: _choice_of(game, name) for name in changed}


def choose_hands() -> tuple[str, str]:
    """Who rolls the dice and who draws the counters by default: (dice, draws)."""
    import questionary

    choices = [
        questionary.Choice("Companion rolls and draws", ("computer", "computer")),
        questionary.Choice("I roll and draw on the table (Enter leaves one to Companion)", ("physical", "physical")),
        questionary.Choice("I roll, Companion draws", ("physical", "computer")),
        questionary.Choice("Companion rolls, I draw", ("computer", "physical")),
    ]
    dice, draws = _asked(questionary.select("Dice and draws, unless a single one says otherwise:", choices=choices))
    return str(dice), str(draws)


def _choice_of(game: Game, name: str) -> str:
    import questionary

    item = game.options[name]
    meaning = game.tables.rulings[item.ruling].meaning if item.ruling in game.tables.rulings else {}
    choices = [questionary.Choice(f"{word}: {meaning[word]}" if word in meaning else word, word) for word in item.choices]
    return str(_asked(questionary.select(item.title, choices=choices, default=None)))


def ask_fact(fact: Fact, key: str, known: str) -> str:
    """The value of a printed fact as typed; "" leaves it as it is."""
    import questionary

    def valid(text: str) -> bool | str:
        if not text.strip():
            return True
        try:
            fact.notation.read(text)
        except Unreadable as fault:
            return str(fault)
        return True

    example = known or f"like {fact.notation.example}"
    return str(_asked(questionary.text(f"{key} ({example}; Enter leaves it):", validate=valid))).strip()


def more_keys(fact: Fact) -> str:
    """One more key of a fact whose list is open; "" when there are no more."""
    import questionary

    return str(_asked(questionary.text(f"{fact.title} - name of another one (Enter: no more):"))).strip()


def tick(prompt: str, things: Sequence[tuple[str, str]]) -> list[str]:
    """The values of the things that were marked, of (label, value) pairs."""
    import questionary

    return list(_asked(questionary.checkbox(prompt, choices=[questionary.Choice(label, value) for label, value in things])))


def ask_value(label: str) -> str:
    """A value as typed; "" leaves the thing as it is."""
    import questionary

    return str(_asked(questionary.text(label))).strip()


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
    wrong = tick("Mark what is different on the table (Space marks, Enter goes on)", things)
    labels = {value: label for label, value in things}
    asked = [(what, ask_value(f"{labels[what]} - on the table it is:")) for what in wrong]
    return [(what, value) for what, value in asked if value]

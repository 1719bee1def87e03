"""What the menus of a start offer. Questionary's own looks are not tested here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from companion.cli.shell import opening
from companion.cli.table import menus
from companion.games import GAMES

ALL = [opening.load_game(name) for name in GAMES]


class Chooser:
    """Picks by words from whatever is offered, and keeps what was."""

    def __init__(self, *picks: str) -> None:
        self.picks = list(picks)
        self.seen: list[list[str]] = []

    def __call__(self, kind: str, text: str, choices: Sequence[tuple[str, Any]] = (), **more: Any) -> Any:
        self.seen.append([title for title, value in choices])
        pick = self.picks.pop(0)
        return next(value for title, value in choices if value is not None and title.startswith(pick)) if choices else pick


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.id)
def test_enter_plays_as_published_and_rulings_of_ours_stand_apart(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    chooser = Chooser("Play as published")
    monkeypatch.setattr(menus, "_asked", chooser)

    assert menus.choose_options(game, {}) == {}
    (shown,) = chooser.seen
    assert shown[0] == "Play as published"
    ruled = [f"{item.title}: {item.default}" for item in game.options.values() if item.ruling]
    assert shown[len(shown) - len(ruled) :] == ruled
    assert all(f"{item.title}: {item.default or 'none'}" in shown for item in game.options.values())


def test_an_option_that_is_marked_is_on_and_players_have_names(monkeypatch: pytest.MonkeyPatch) -> None:
    game = opening.load_game("fallujah2004")
    chooser = Chooser("Interdiction", "Multi-player", "Ann, Bo", "Interdiction", "Interdiction", "Play with")
    monkeypatch.setattr(menus, "_asked", chooser)

    assert menus.choose_options(game, {}) == {"interdiction": "on", "players": "Ann, Bo"}
    assert [shown[0] for shown in chooser.seen if shown][1] == "Play with: interdiction on"


def test_a_long_entry_keeps_its_value_at_any_width() -> None:
    """The last word of an entry says what is chosen now; the title before it is cut."""
    for room in (32, 72):
        for game in ALL:
            for item in game.options.values():
                cut = menus._cut(f"{item.title}: {item.default or 'none'}", room)
                assert len(cut) <= room
                assert cut.endswith(f": {item.default or 'none'}")


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.id)
def test_who_rolls_is_asked_only_where_there_are_dice(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    chooser = Chooser("Companion")
    monkeypatch.setattr(menus, "_asked", chooser)

    assert menus.choose_hands(game) == ("computer", "computer")
    assert any("roll" in title for title in chooser.seen[0]) is game.rolls


@pytest.mark.parametrize("game", [game for game in ALL if game.practice is not None], ids=lambda game: game.id)
def test_a_practice_game_is_offered_and_needs_nothing_from_the_set(
    game: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    from companion.session.desk import Desk
    from companion.session.store import Archive

    with Archive.open(str(tmp_path / "p.sqlite3")) as archive:
        options = {key: value for key, value in game.practice.items() if key != "scenario"}
        desk = Desk.create(archive, game.id, game.practice.get("scenario", ""), options, seed="1")
        assert desk.pending is None or desk.pending.kind != "printed"
    picked = Chooser("To practise" if options else game.scenarios[game.practice["scenario"]].title if game.practice else "")
    monkeypatch.setattr(menus, "_asked", picked)
    assert menus.choose_scenario(game)[1] == options


def test_who_has_chosen_options_already_is_not_asked_whether_to_practise(monkeypatch: pytest.MonkeyPatch) -> None:
    """LZ Albany has one scenario: with its map named on the command line there is nothing left to ask."""
    monkeypatch.setattr(menus, "_asked", Chooser())

    assert menus.choose_scenario(opening.load_game("lzalbany"), practice=False) == ("battle", {})

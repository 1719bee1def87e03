"""What the questions of a start offer, and the first minutes of a newcomer."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from companion.cli.commands.start import Setup, ask_setup
from companion.cli.repl import menus
from companion.cli.repl.prompt import Prompt
from companion.cli.shell import archives
from companion.cli.shell.archives import session_archives
from companion.core.requests import Choice
from companion.games import GAMES
from companion.session.facts import practice_defaults
from companion.views.board import option_lines
from companion.views.lines import plain_text
from tests.cli.conftest import Clock
from tests.support.commands import companion

ALL = [archives.load_game(name) for name in GAMES]


class Chooser:
    """Types at whatever is asked, and keeps what was offered."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *typed: str) -> None:
        self.typed = list(typed)
        self.offered: list[list[Choice]] = []
        self.prompts: list[str] = []
        monkeypatch.setattr(menus, "_terminal", lambda: self)

    def ask(self, prompt: Prompt) -> str:
        self.offered.append(list(prompt.choices()))
        self.prompts.append(prompt.text)
        return self.typed.pop(0)


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.id)
def test_one_menu_begins_with_enter_and_changes_rules_and_dice_first(
    game: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A scenario's number begins too; `-` in the menu of the rules or the dice leads back to this one, and `?` shows it again."""
    suggested, options = practice_defaults(game, {})
    setup = Setup("", options, "", "")
    Chooser(monkeypatch, "")
    begun = ask_setup(game, setup, suggested, always_options=True)
    assert begun == setup._replace(scenario=suggested or next(iter(game.scenarios)))

    steps = ["?", *(["rules", "-"] if game.options else []), "dice", "-", "dice", "2", ""]
    chooser = Chooser(monkeypatch, *steps)
    begun = ask_setup(game, setup, suggested, always_options=True)
    assert begun.options == options and begun.draws == "physical" and not chooser.typed
    assert capsys.readouterr().out.count(f"? {game.title}: begin") >= 2
    with pytest.raises(menus.StepBack):
        Chooser(monkeypatch, "-")
        ask_setup(game, setup, suggested, always_options=True)


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.id)
def test_the_options_of_the_rules_are_listed_before_the_rulings(
    game: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not game.options:
        return
    chooser = Chooser(monkeypatch, "")
    assert menus.choose_options(game, {}) == {}

    go_on, *items = chooser.offered[0]
    ruled = [item.id for item in game.options.values() if item.ruling]
    assert go_on.label == "Go on with the rules as published"
    assert {item.value for item in items} == set(game.options)
    assert [item.value for item in items[len(items) - len(ruled) :]] == ruled


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.id)
def test_an_option_that_no_rule_stands_behind_cites_none(
    game: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Level, handicap, and whether an opponent acts or proposes, are in no rulebook; each other option has its rule."""
    ours = {"level", "opponent", "handicap"} & set(game.options)
    assert ours == {item.id for item in game.options.values() if not item.rule}
    lines = plain_text(option_lines(game, {}), 200).splitlines()
    for row in lines[-len(game.options) :] if game.options else ():
        assert row.rstrip().endswith("]") == (row.split()[0] not in ours)
    if game.options:
        Chooser(monkeypatch, "")
        menus.choose_options(game, {})
        told = capsys.readouterr().out
        assert (f"{len(ours)} on how we play" in " ".join(told.split())) == bool(ours) and "[]" not in told


def test_an_option_that_is_picked_takes_its_other_value_and_players_have_names(monkeypatch: pytest.MonkeyPatch) -> None:
    game = archives.load_game("fallujah2004")
    chooser = Chooser(monkeypatch, "inter", "", "players", "Ann, Bo", "4", "", "")

    assert menus.choose_options(game, {}) == {"interdiction": "off", "players": "Ann, Bo"}
    assert chooser.offered[-1][0].label == "Go on with interdiction off, players Ann, Bo"


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.id)
def test_each_option_says_what_it_changes(game: Any) -> None:
    assert [item.id for item in game.options.values() if not menus.option_explanation(game, item)] == []


@pytest.mark.parametrize(
    ("typed", "wrong"), [("9", "9 is not in the list"), ("zzz", "'zzz' fits nothing here"), ("0", "0 is not")]
)
def test_what_means_nothing_is_asked_again(
    typed: str, wrong: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chooser = Chooser(monkeypatch, typed, "6")

    assert menus.choose_way([]) == (menus.OWN_SET, "")
    assert chooser.prompts == ["[1] > ", "[1] > "]
    assert wrong in capsys.readouterr().out


def test_how_much_a_game_asks_and_when_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    Chooser(monkeypatch, "3")
    assert menus.choose_game(lambda game: 48 if game.id == "fallujah2004" else 0) == "fallujahcards"
    said = " ".join(capsys.readouterr().out.split())

    assert "Fallujah 2004: City Fighting in Iraq (48 values)" in said
    assert "Fallujah: the solo card game (none)" in said
    assert "Each is asked once, when a rule first needs it" in said


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.id)
def test_who_rolls_is_asked_only_where_there_are_dice(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    chooser = Chooser(monkeypatch, "")

    assert menus.choose_hands(game) == ("computer", "computer")
    assert any("roll" in choice.label for choice in chooser.offered[0]) is game.has_dice


@pytest.mark.parametrize("game_id", GAMES)
def test_every_game_is_practised_in_one_line(game_id: str) -> None:
    """Its set-up asks for nothing that is printed, nothing comes among the values of the player's set; it is called made up."""
    done = companion("practice", game_id, "--seed", "1", "--json")
    answer = json.loads(done.out)
    known = json.loads(companion("printed", game_id, "--json").out)["facts"]

    assert answer["session"] == "made-up-1"
    assert not answer["pending"] or answer["pending"]["kind"] != "printed"
    assert known == {}
    assert json.loads(companion("status", "--json").out)["session"] == "made-up-1"
    is_warned = companion("practice", game_id).out.startswith("! Practice: ")
    assert is_warned == (game_id != "fallujahcards")  # all its cards are published


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.id)
def test_in_a_practice_game_for_two_companion_plays_the_other_side(game: Any) -> None:
    """One side is left to the newcomer; an option that is named stays as it is named."""
    if len(game.players.seats) < 2 or "opponent" not in game.options:
        return
    (ours,) = (option for option, value in game.alone.items() if option in game.players.seats)
    (mine,) = (seat for seat in game.players.seats if seat != ours)

    usual = json.loads(companion("practice", game.id, "--seed", "1", "--json").out)["options"]
    named = json.loads(companion("practice", game.id, "--option", f"{ours}=player", "--json").out)["options"]

    assert {option: usual[option] for option in game.alone} == game.alone
    assert game.alone[ours] != "player" == usual[mine]
    assert (named[ours], named["opponent"]) == ("player", game.alone["opponent"])


def test_practice_goes_on_in_its_own_archive(tmp_path: Path) -> None:
    from companion.session.database import practice_path

    companion("practice", "fallujahcards", "--json")
    path = practice_path("")

    assert practice_path(path) == path
    assert companion("sessions", "--db", path).out.split()[1] == "made-up-1"
    assert companion("practice").code == 2


def test_the_first_menu_offers_every_running_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """By name, place in the game and time; the last played one on Enter; those of the player's own set too."""
    companion("practice", "fallujahcards", "--json")
    companion("practice", "fallujah2004", "--json")
    companion("new", "fallujahcards", "--name", "patrol", "--json")
    chooser = Chooser(monkeypatch, "", "4", "2")
    running = menus.running_games(session_archives(""))

    assert {(item.name, item.made_up) for item in running} == {("patrol", False), ("made-up-2", True), ("made-up-1", True)}
    assert menus.choose_way(running) == running[0]
    assert menus.choose_way(running) == (menus.PRACTICE, "")
    labels = [choice.label for choice in chooser.offered[0]]
    assert {"Go on with Fallujah, Turn 0", "Go on with Fallujah 2004, Set-up"} <= set(labels)
    assert all(
        re.fullmatch(r"[\w-]+, 20\d\d-\d\d-\d\d \d\d:\d\d(, made-up set)?", one.hint_text) for one in chooser.offered[0][:3]
    )
    practised = menus.choose_running(running[:1], running[0].name)
    assert practised is None and chooser.offered[-1][-1].label == "Begin anew"


def test_every_command_finds_a_practice_game(clock: Clock) -> None:
    """The last played session is meant, whichever archive holds it; a name is looked for in both."""
    companion("new", "fallujahcards", "--name", "patrol", "--seed", "1", "--json")
    clock()
    companion("practice", "fallujahcards", "--seed", "1", "--json")

    assert json.loads(companion("status", "--json").out)["session"] == "made-up-1"
    assert "made-up-1" in companion("watch").out and "patrol" in companion("watch", "--session", "patrol").out
    for command in (["do", "turn"], ["report"], ["log"], ["show"], ["watch", "--session", "made-up-1"], ["undo"]):
        assert companion(*command).code == 0, command
    clock()
    assert companion("use", "patrol").code == 0
    assert json.loads(companion("status", "--json").out)["session"] == "patrol"
    clock()
    assert companion("use", "made-up-1").code == 0
    assert json.loads(companion("status", "--json").out)["session"] == "made-up-1"
    rows = [row.split() for row in companion("sessions").out.splitlines()]
    assert [(row[0], row[-1]) for row in rows] == [("patrol", rows[0][-1]), ("*", "set")]
    assert {item["name"]: item["made_up"] for item in json.loads(companion("sessions", "--json").out)["sessions"]} == {
        "patrol": False,
        "made-up-1": True,
    }


def test_at_a_terminal_practice_offers_to_go_on_with_the_game_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.cli.commands import play

    companion("practice", "fallujahcards", "--json")
    monkeypatch.setattr(play, "on_terminal", lambda: True)
    played: list[str] = []
    monkeypatch.setattr(play, "_play_on", lambda archive, session, greet=True: played.append(session) or 0)
    Chooser(monkeypatch, "")

    play.practice("fallujahcards", "", [], "", False, "", False)
    assert played == ["made-up-1"]


def test_a_game_against_companion_is_offered_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in (game for game in ALL if game.alone):
        chooser = Chooser(monkeypatch, "")
        menus.choose_setup(game, {**(game.practice or {}), **game.alone}, None)
        assert chooser.offered[0][-1].label == f"Rules: {game.alone_text}" != "Rules: "


def test_a_newcomer_chooses_a_game_or_the_own_set_in_the_first_menu(monkeypatch: pytest.MonkeyPatch) -> None:
    chooser = Chooser(monkeypatch, "", "phantom", "play")

    assert menus.choose_way([]) == (menus.PRACTICE, chooser.offered[0][0].value)
    assert menus.choose_way([]) == (menus.PRACTICE, "phantomfury")
    assert menus.choose_way([]) == (menus.OWN_SET, "")

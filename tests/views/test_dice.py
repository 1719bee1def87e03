"""The distribution of dice: groups, sample sizes, careful conclusions."""

from __future__ import annotations

import re

import pytest

from companion.core.policies import RANDOM
from companion.core.requests import Roll
from companion.core.statistics import analyse_dice
from companion.games import GAMES
from companion.session.controller import Answers, SessionController
from companion.session.simulation import make_match, make_series, play_out
from companion.session.state import load_game
from companion.session.store import Archive
from companion.views.lines import plain_text
from companion.views.luck import DiceRoll, dice_data, dice_groups, dice_lines, dice_verdict, plain_dice_verdict
from tests.support.commands import companion


def dice_roll(*faces: int, who: str = "you", key: str = "fire") -> DiceRoll:
    return DiceRoll(1, key, "7.3", who, faces)


def test_dice_are_grouped_by_owner_place_and_purpose() -> None:
    result = dice_groups([dice_roll(1, 2), dice_roll(3, who="Companion", key="close_fight")], (6, 1))
    output = {(item.by, item.name): item.distribution.counts[:3] for item in result}

    assert output == {
        ("all", "all"): (1, 1, 1),
        ("who", "you"): (1, 1, 0),
        ("who", "Companion"): (0, 0, 1),
        ("place", "first"): (1, 0, 1),
        ("place", "second"): (0, 1, 0),
        ("purpose", "fire [7.3]"): (1, 1, 0),
        ("purpose", "close fight [7.3]"): (0, 0, 1),
    }


def test_few_dice_allow_no_conclusion() -> None:
    assert dice_verdict(analyse_dice([1, 2, 3, 4, 5, 6] * 8)).startswith("48 dice: too few to say.")


@pytest.mark.parametrize("faces", [[6] * 40, [1, 2, 3, 4, 5, 6] * 8, [1, 2, 3, 4, 5, 6] * 400, [6] * 5])
def test_verdict_gives_the_sample_size_and_calls_no_die_unfair(faces: list[int]) -> None:
    text = plain_text(dice_lines(dice_groups([dice_roll(*faces)], (6, 1))))

    assert not re.search("unfair|loaded|cheat|crooked", text)
    assert f"{len(faces)} dice" in dice_verdict(analyse_dice(faces))
    assert all(len(row) <= 80 for row in text.splitlines())


def test_plain_words_judge_no_few_dice_and_call_no_die_unfair() -> None:
    assert plain_dice_verdict(analyse_dice([6] * 5)) == "too few dice to judge"
    assert plain_dice_verdict(analyse_dice([1, 2, 3, 4, 5, 6] * 8)) == "nothing unusual"
    assert plain_dice_verdict(analyse_dice([6] * 40)).endswith("which proves nothing")


def test_many_fair_dice_are_unremarkable() -> None:
    assert "nothing out of the way" in dice_verdict(analyse_dice([1, 2, 3, 4, 5, 6] * 400))


def test_dice_with_other_faces_are_counted_apart() -> None:
    (whole, *_) = dice_groups([dice_roll(1, 0, 6)], (6, 1))

    assert (whole.distribution.dice, whole.other_dice) == (2, 1)


def test_dice_that_select_one_of_several_are_counted_apart() -> None:
    """A die of four faces that picks a unit says nothing of how a d6 falls; nor does one that was rolled again above four."""
    rolls = [dice_roll(1, 6), dice_roll(3, key="victim"), dice_roll(4, who="Companion", key="victim")]
    groups = dice_groups(rolls, (6, 1), {"victim"})

    output = {(item.by, item.name): (item.distribution.dice, item.other_dice) for item in groups if item.by != "place"}
    assert output == {("all", "all"): (2, 2), ("who", "you"): (2, 1), ("purpose", "fire [7.3]"): (2, 0)}
    assert "2 dice of other kinds left out" in plain_text(dice_lines(groups))


def test_no_dice_rolled() -> None:
    assert plain_text(dice_lines([])) == "No dice were rolled yet"


@pytest.mark.parametrize("game_id", GAMES)
def test_every_game_rolls_its_declared_die(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[tuple[int, int]] = set()
    selecting: set[tuple[int, int]] = set()
    made = Roll.__init__

    def record(self: Roll, *args: object, **kwargs: object) -> None:
        made(self, *args, **kwargs)  # type: ignore[arg-type]
        (selecting if self.key in game.selecting_keys else seen).add((self.sides, self.lowest))

    monkeypatch.setattr(Roll, "__init__", record)
    game = load_game(game_id)
    match = make_match(make_series(game, "", {}, {"": RANDOM}, "dice"), 1)
    monkeypatch.setattr(match.players, "max_actions", 60)
    play_out(match)

    assert seen == ({game.die} if game.has_dice else set())
    assert {lowest for _, lowest in selecting} <= {1}


def test_luck_command_shows_all_groups(archive: Archive, tiny_game: str) -> None:
    session = SessionController.create(archive, "tiny", seed="7", name="april")
    session.do("march", Answers([("unit", "Red"), ("to", "ford")], dice=[6]))
    session.do("search", Answers(draws=["Gold"]))
    output = companion("luck", "april", "--json").json

    assert output["open"] is True
    assert {(item["by"], item["name"]): item["dice"] for item in output["dice"] if item["by"] in ("all", "who")} == {
        ("all", "all"): 2,
        ("who", "you"): 1,
        ("who", "Companion"): 1,
    }
    assert "2 dice: too few to say" in companion("luck", "--details").out
    assert "not over" in companion("luck").out


def test_undone_rolls_do_not_count(archive: Archive, tiny_game: str) -> None:
    session = SessionController.create(archive, "tiny", seed="7", name="april")
    session.do("march", Answers([("unit", "Red"), ("to", "ford")], dice=[6]))
    session.undo()

    assert dice_data(dice_groups([], session.game.die)) == companion("luck", "--json").json["dice"] == []
    assert "No dice were rolled yet" in companion("luck").out


def test_unknown_session(archive: Archive, tiny_game: str) -> None:
    SessionController.create(archive, "tiny", name="april")

    assert companion("luck", "may").code == 2
    assert companion("luck", "april", "--session", "april").code == 2

"""Whole games by the interface in Python, by the game's policies and by strategies from outside."""

from __future__ import annotations

from typing import Any

import pytest

from companion import api
from companion.core.statistics import wilson
from companion.session.simulation import make_series, play_game
from companion.session.state import load_game

GAMES = 12


def test_simulate_gives_the_games_of_the_command(tiny_game: str) -> None:
    run = api.simulate("tiny", GAMES, seed=5, policies="random")
    rows = [play_game(make_series(load_game("tiny"), "", {}, {"": "random"}, "5"), number) for number in range(1, GAMES + 1)]

    assert [(one.number, one.result, one.score, one.turns) for one in run.played] == [row[:4] for row in rows]
    assert sum(run.results.values()) == GAMES
    most = next(iter(run.results))
    assert run.share(most) == (run.results[most] / GAMES, *wilson(run.results[most], GAMES))
    assert run.scores.mean == pytest.approx(sum(row.score or 0 for row in rows) / GAMES)
    assert run.policies == {"player": "random"}


def test_strategy_may_leave_decisions_to_the_policy(tiny_game: str) -> None:
    """Who always rests has 8 supplies and one more a turn, up to 20 [1.1]."""
    seen: list[api.View] = []

    def rest(view: api.View) -> str:
        seen.append(view)
        return "rest"

    run = api.simulate("tiny", 2, policies={"player": rest}, seed=1)

    assert [(one.result, one.score, one.error) for one in run.played] == [("good", 20, ""), ("good", 20, "")]
    assert run.policies == {"player": "own"}
    assert seen[0].question is None and "rest" in seen[0].actions and "fire" not in seen[0].actions
    assert (
        api.simulate("tiny", 3, policies=lambda view: None, seed=1).played
        == api.simulate("tiny", 3, policies="plain", seed=1).played
    )


def test_strategy_answers_by_lists_and_text(tiny_game: str) -> None:
    """Three marches at one supply each leave five of eight [2.1]."""

    def roam(view: api.View) -> api.Answer | None:
        if view.question is None:
            return "march" if view.position.track("turn") < 3 else "stop"
        return [view.question.choices[0].value] if view.question.kind == "pick" else "hill-1"

    run = api.simulate("tiny", 2, policies=roam, seed=1)

    assert [(one.score, one.error) for one in run.played] == [(5, ""), (5, "")]


def test_failing_strategy_fails_only_its_game(tiny_game: str) -> None:
    def wrong(view: api.View) -> str:
        if view.number(4) == 0:
            raise RuntimeError("no idea")
        return "stop"

    results = api.simulate("tiny", 20, policies=wrong, seed=2).results

    assert set(results) == {"error", "good"} or set(results) == {"error", "bad"}


def test_unknown_names_are_reported(tiny_game: str) -> None:
    with pytest.raises(api.Unreadable):
        api.simulate("tiny", 1, policies={"rival": "random"})
    with pytest.raises(api.Unreadable):
        api.simulate("tiny", 1, policies=lambda view: None, jobs=2)
    with pytest.raises(api.Unreadable):
        assert api.simulate("tiny", 1, policies={"player": lambda view: "dance"}).scores


@pytest.mark.parametrize("wrong", [{"games": 0}, {"games": 10**7}, {"jobs": 0}, {"jobs": 1000}, {"think": -1}])
def test_number_of_games_is_bounded(tiny_game: str, wrong: dict[str, int]) -> None:
    with pytest.raises(api.Unreadable) as no:
        api.simulate("tiny", **wrong)  # type: ignore[arg-type]

    assert no.value.cure.startswith("Give ")


def test_a_strategy_sees_the_map() -> None:
    """P22: neighbours, terrain and lines of sight, without which it cannot move."""
    seen: list[tuple[Any, ...]] = []

    def looking(view: api.View) -> None:
        if not seen and view.map is not None:
            space = view.map.spaces["d2"]
            seen.append((space.ground, "d3" in view.map.neighbours("d2"), view.map.sight("d2", "d3"), view.map.sight("a1", "g3")))

    api.simulate("lzalbany", 1, policies=looking, seed=1)

    assert seen == [("sawgrass", True, True, False)]


def test_a_session_shows_its_map() -> None:
    session = api.open_archive(":memory:", practice=True).begin("fallujah2004", seed=1)

    assert session.map is not None
    space = next(iter(session.map.spaces))
    assert session.map.neighbours(space) and session.map.sight(space, space) is None
    with pytest.raises(api.Unreadable, match="the map has no space 'nowhere'"):
        session.map.neighbours("nowhere")

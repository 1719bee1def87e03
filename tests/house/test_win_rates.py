"""The win rates of the games for one in the page on strength: written by ``tests.measures.strength``, and whole."""

from __future__ import annotations

import re

import pytest

from companion.core.policies import PLANNER, PLAYER
from companion.core.rollouts import LEVELS
from companion.games import make_game
from companion.session.tables import load
from tests.measures.strength import RATES, WON, Rate, rate_line, rates, share
from tests.support.pages import DOCS

SHARE = re.compile(r"([\d.]+) % \(([\d.]+) to ([\d.]+)\)")


def rows(game: str) -> list[list[str]]:
    """The cells of each line of a page's win rates."""
    page = (DOCS / "strength.md").read_text(encoding="utf-8")
    lines = page.partition(f"<!-- {game} rates -->\n")[2].partition(f"\n<!-- /{game} rates -->")[0].splitlines()
    assert "\n".join(lines[:2]) == RATES
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[2:]]


@pytest.mark.parametrize("game", list(WON))
def test_every_row_comes_from_the_script(game: str) -> None:
    """Who plays what, and shares that are those of whole games, with Wilson's interval."""
    known = {
        (f"`{one.scenario}`", f"`{one.policy}`", f"`{one.level}`" * (one.policy == PLANNER), str(one.think)) for one in rates()
    }
    for *who, seed, games, won, score, ends in rows(game):
        assert tuple(who) in known and seed.isalnum() and re.fullmatch(r"-?[\d.]+ \+- [\d.]+", score)
        counts = {}
        for part in ends.split("; "):
            name, _, told = part.partition(re.search(r"[\d.]+ %", part)[0])  # type: ignore[index]
            counts[name.strip()] = round(float(SHARE.search(part)[1]) * int(games) / 100)  # type: ignore[index]
            assert share(counts[name.strip()], int(games)) in part and told
        assert sum(counts.values()) == int(games)
        assert won == share(sum(many for name, many in counts.items() if name in WON[game]), int(games))


@pytest.mark.parametrize("game", list(WON))
def test_every_scenario_has_its_rates(game: str) -> None:
    """By the planner, who is the adviser, in every scenario."""
    found = {(scenario, policy) for scenario, policy, *_ in rows(game)}
    assert {(f"`{scenario}`", f"`{PLANNER}`") for scenario in make_game(game, load(game)).scenarios} <= found


@pytest.mark.parametrize("game", list(WON))
def test_measured_policies_exist(game: str) -> None:
    """Every policy of the game's player, and every level."""
    players = make_game(game, load(game)).players
    some = [one for one in rates() if one.game == game]
    assert {one.policy for one in some} == set(players.policies(PLAYER)) - set(LEVELS)
    assert {one.level for one in some} == set(LEVELS)


def test_opponents_page_states_the_error_rate_of_easy() -> None:
    """For each game for one its own share, and that of decisions in the middle of an action."""
    page = " ".join((DOCS / "opponents.md").read_text(encoding="utf-8").split())
    for game in (make_game(game, load(game)) for game in WON):
        assert f"for {game.players.slip_percent} of 100 actions in {game.title.partition(':')[0]} " in page
    assert f"in {LEVELS['easy'].slips} of 100 decisions" in page


def test_table_row_counts_games() -> None:
    """Two of four won: 50 %, and Wilson's interval of that by hand."""
    line = rate_line(Rate("phantomfury", "jolan", PLANNER), "7", [("major victory", 12), ("insurgent victory", 0)] * 2)
    assert "| 4 | 50.0 % (15.0 to 85.0) | 6.0 +- " in line
    assert line.endswith("| insurgent victory 50.0 % (15.0 to 85.0); major victory 50.0 % (15.0 to 85.0) |")

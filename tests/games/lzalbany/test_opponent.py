"""Our solo opponent: its proposals, its reasons, and whole games of it against itself."""

from __future__ import annotations

import pytest

from companion.core.events import Said
from companion.core.requests import Choice, Choose
from companion.games.lzalbany.ai.planner import Planner
from companion.games.lzalbany.rules.r06_movement import Movers
from companion.views.question import prompt_line
from tests.games.lzalbany.field import Field
from tests.support.table import Table

MADE_UP = {
    "area:north": "jungle edge",
    "area:west": "sawgrass edge",
    "area:mid": "sawgrass",
    "area:ridge": "jungle",
    "area:gate": "sawgrass east",
    "next:north": "west, mid, albany",
    "next:west": "north, albany, ridge",
    "next:albany": "north, west, mid, ridge",
    "next:mid": "north, albany, ridge, gate",
    "next:ridge": "west, albany, mid, gate",
    "next:gate": "mid, ridge",
    **{f"choi:{side}-{face}": "none" for side in ("us", "nva") for face in range(1, 7)},
}
"""A made-up list of seven areas, as an owner enters them."""


def play(table: Table) -> int:
    """Both opponents to the end, as if Enter were pressed at everything; the number of actions."""
    for count in range(1, 400):
        table.do("next", accept=True)
        if table.game.over(table.position):
            return count
    raise AssertionError("the game came to no end")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_whole_game_against_itself(seed: int) -> None:
    """[3.1] On the practice map; ends by the rules, and every proposal has its reasons."""
    table = Table("lzalbany", "battle", seed=f"itself {seed}", map="practice", us="companion", nva="companion")
    play(table)
    score = table.game.score(table.position, table.options)

    assert table.track("turn") == 10 or table.track("nva_vp") >= 35
    assert score.verdict
    assert sum(points for _, points, _ in score.items) == score.total == table.track("us_vp") - table.track("nva_vp")


@pytest.mark.parametrize("seed", range(2))
def test_a_whole_game_on_a_made_up_list_of_areas(seed: int) -> None:
    """[2.2] Areas and neighbours as printed facts; sight is taken as the questions suggest."""
    table = Table("lzalbany", "battle", MADE_UP, seed=f"made up {seed}", us="companion", nva="companion")
    where = {
        "a/2-7": "1 2 3 co > mid; rest > albany",
        "c/2-7": "1 2 3 co > gate; rest > albany",
        "d/2-7": "1 2 3 co > ridge; rest > albany",
        "us-senior": "mid",
        "1/1/33": "north",
        "mtr/1/33": "west",
        "hq/1/33": "west",
        "6/8/66": "left1",
        "7/8/66": "left2",
        "8/8/66": "left3",
        "nva-senior": "north",
    }
    table.do("deploy", *[f"{key}={value}" for key, value in where.items()], anyway=True)
    table.facts |= {f"next:left{number}": "west, north" for number in (1, 2, 3)}
    table.facts |= {f"area:left{number}": "jungle edge" for number in (1, 2, 3)}
    for _ in range(400):
        answers = []
        if table.position.flag("phase") == "reinforcement" and table.track("turn") == 2:
            answers = ["b/2-7=mid", "nva-senior=north", "10/8/66=left1", "hq/8/66=left2"]
        table.do("next", *answers, accept=True, anyway=True)
        if table.game.over(table.position):
            break

    assert table.game.over(table.position)


def test_a_proposal_is_played_like_a_typed_action() -> None:
    """[5.2] It is suggested with its reasons and what it passed over, and another answer is taken just as well."""
    field = Field(nva="companion", opponent="proposes")
    field.put("e2", "1/1/1/33", "2/1/1/33")
    field.put("d2", "1/A/2-7", hits=3)
    field.put("a1", "1/6/8/66", hits=3)

    events = field.chit("NVA Fire/Move", dice=[6, 1, 1, 1, 1, 1, 1, 1], accept=True)
    proposal = next(event for event in events if isinstance(event, Said) and event.text.startswith("Proposal: "))
    assert proposal.text == "Proposal: the NVA lets 33 (1,Mtr,HQ) move."
    assert proposal.because[0].startswith("33 (1,Mtr,HQ) move: +") and "e2 > d2" in proposal.because[1]
    assert proposal.because[2].startswith("out: 33 (1,Mtr,HQ) fire -") and len(proposal.because) == 3
    assert field.at("1/A/2-7") == "eliminated"
    field.put("e2", "1/1/1/33")
    field.chit("NVA Fire/Move", "plan=33 move", "moves=1/1/1 > e1", accept=True)
    assert field.at("1/1/1/33") == "e1"


def test_the_few_questions_of_an_opponent_without_a_map() -> None:
    """[2.2] The neighbours of its units are asked for once."""
    field = Field(map="own", nva="companion", opponent="proposes")
    field.put("red", "1/1/1/33")
    field.put("blue", "1/A/2-7")

    field.chit(
        "NVA Fire/Move",
        "next:red=blue, green",
        "plan=33 fire",
        "area:blue=sawgrass",
        "area:red=jungle",
        dice=[1, 1, 1],
        accept=True,
    )
    assert field.facts["next:red"] == "blue, green"
    assert field.says("The NVA fires from red at blue with 2 dice.")


def test_in_the_retreat_the_opponent_moves_to_the_edge() -> None:
    """[5.2E]"""
    field = Field()
    field.flag(retreat=True)
    field.put("c4", "1/1/1/33")
    field.put("a4", "2/1/1/33")
    planner = Planner(field.referee, "NVA")
    group = planner.group(["33"])
    assert group is not None and group.best.decision.action == "move"
    orders = planner.moves(Movers(field.referee, "NVA", "33").all).best.decision
    assert "2/1/1/33 > off" in orders
    assert "1/1/1/33 > c5" in orders


def test_advice_on_request() -> None:
    """[5.2] The bot command says what each side would do with its next chit, and why."""
    field = Field()
    field.put("e2", "1/1/1/33", "2/1/1/33")
    field.put("d2", "1/A/2-7", "2/A/2-7", "co/A/2-7")

    field.play(field.game.bot)

    assert field.said[0] == "The US would let A,B/2-7 move. [5.2A]"
    assert "The US would move 1/A/2-7 2/A/2-7 co/A/2-7 > albany. [6.2]" in field.said
    assert any(line.startswith("The NVA counts on e2 > d2 (4 dice, 5 in return)") for line in field.said)
    assert field.events[0].because  # type: ignore[union-attr]


def test_advice_leaves_out_a_group_whose_boxes_are_full() -> None:
    """[5.2] A group acts twice a turn."""
    field = Field()
    field.put("e2", "1/1/1/33")
    field.put("d2", "1/A/2-7")
    field.box("ab27", 2)

    field.play(field.game.bot)

    assert "The US has no group that can act. [5.2]" in field.said


@pytest.mark.parametrize(("nva", "asked_side"), [("player", "US"), ("companion", "")])
def test_the_prompt_names_the_side_with_two_players(nva: str, asked_side: str) -> None:
    """[7.3(1)] A prompt such as "C,D/2-7 fires: from where" says no side; against our opponent there is only one to ask."""
    field = Field(nva=nva)
    request = Choose("combat", "C,D/2-7 fires: from where", "7.3(1)", [Choice("c2", "c2"), Choice("c3", "c3")])
    asking = field.game.new_referee(field.position, field.options).decide(
        request, "US", "combat", lambda planner: None, auto=False
    )
    asking.send(None)

    assert request.asked_side == asked_side
    assert prompt_line(request).text.startswith("US: C,D" if asked_side else "C,D")
    asking.close()

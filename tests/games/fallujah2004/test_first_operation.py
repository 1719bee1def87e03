"""The first operation at the table: what Enter does at each prompt, and how the questions are listed."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from companion.cli.repl.loop import Loop
from companion.cli.repl.prompt import Prompt
from companion.core.requests import AnyRequest
from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.session.facts import install_practice_set
from companion.session.state import load_game
from companion.session.store import Archive
from companion.views.lines import Line, row_count
from companion.views.question import question_lines
from tests.games.fallujah2004.field import Field


@pytest.fixture
def practice(archive: Archive) -> SessionController:
    install_practice_set(archive, load_game("fallujah2004"))
    return SessionController.create(archive, "fallujah2004", "vigilant_resolve", seed="1", think="0")


def test_enter_alone_leads_from_the_set_up_to_a_battle(practice: SessionController) -> None:
    """Six prompts: buy, what, where, the offensive, the force, the space. Each shows what Enter does, on less than 20 rows."""
    prompts: list[str] = []
    shown: list[Line] = []
    screens: list[int] = []

    def ask(prompt: Prompt) -> str:
        prompts.append(prompt.text)
        if any("Battle at" in line.text for line in shown):
            raise EOFError
        screens.append(row_count(shown, 80) + 1)
        shown.clear()
        return ""

    def tell(lines: Sequence[Line]) -> None:
        shown.extend(lines)

    Loop(practice, ask, tell, lambda: (24, 80)).play(greet=False)
    assert prompts[0] == "[buy] action > "
    assert [prompt for prompt in prompts if "action" in prompt] == ["[buy] action > ", "[j3] action > "]
    assert len(prompts) == 7, "the last one is asked within the battle"
    assert all(re.match(r"\[[^?]", prompt) for prompt in prompts)
    assert max(screens) < 20


def asked_at(practice: SessionController, action: str, *plain: str) -> AnyRequest:
    pending = practice.do(action, Answers(plain=list(plain)), partial=True).pending
    assert pending is not None
    return pending


def test_what_can_be_recruited_is_listed_with_prices_on_one_screen(practice: SessionController) -> None:
    """[11.1] Each counter once, with its number, behind its price and its printed values; a number of the list orders it."""
    asked = asked_at(practice, "buy")
    lines = question_lines(asked, 80, prompted=True)
    text = "\n".join(f"{line.lead}{line.text}" for line in lines)

    assert row_count(lines, 80) <= 18
    assert "1/4 OP 40 Artillery Strike (2) x4" in text
    assert "   3 OP SOF helicopter 2(3)air: 11 Joint SH1 | stryker 4(3)5: 19 US Army S1, 20 S2, 21 S3" in text
    assert "3(2)4 on a unit is fire 3, contact 2, move 4" in text
    for number, choice in zip(asked.labels(), asked.legal_choices(), strict=True):
        assert len(re.findall(rf"\b{number} (.* )?{re.escape(choice.label.split(' ')[-1])}", text)) == 1
    asked.is_list_hidden = False
    assert asked.read("40+29") == "Artillery Strike (2), USMC 3/1"


def test_policies_and_scripts_see_no_suggestion_where_enter_only_helps_the_player(practice: SessionController) -> None:
    """What a bare Enter does at the first questions changes no simulated game, and no script that accepts suggestions."""
    asked = asked_at(practice, "buy")
    assert (asked.suggest, asked.describe()["suggest"]) == (None, None)
    assert asked.default_reply == "US Army 1Arm, USMC 1Tk, USMC 3/5, USMC 3/7"
    practice.abort()
    accepting = practice.do("buy", Answers(accept=True), partial=True)
    assert accepting.pending is not None and accepting.pending.key == "buy"
    practice.reply("3/1")
    practice.reply("north")
    assert practice.game.default_action(practice.position) == ""


def test_enter_takes_what_makes_sense_between_operations() -> None:
    """[8.1, 10.1] An offensive with units, recruiting without; nothing at the end of OPs or Nodes."""
    field = Field()
    assert field.game.table_action(field.position) == "buy"
    field.put("available", "NetWar")
    assert field.game.table_action(field.position) == "j1"
    field.put("3-9", "3/1")
    assert field.game.table_action(field.position) == "j3"
    field.set(ops=0)
    assert field.game.table_action(field.position) == ""
    field.set(ops=5)
    field.clear_map()
    assert field.game.table_action(field.position) == ""


def test_units_of_the_force_are_offered_with_named_values() -> None:
    """[4.2, 8.3] Each figure beside a unit has its name; Enter takes the largest stack that can operate together."""
    field = Field()
    field.put("3-9", "3/1", "3/5")
    field.put("2-9", "1/8")
    field.reduce("3/1")
    field.set(morale=0)
    field.j3("3/5", "3-10", draws=["Deception"])
    (asked,) = [request for request in field.asked if request.key == "force"]
    hints = {choice.value: choice.hint_text for choice in asked.legal_choices()}

    assert hints["USMC 3/1"] == "reduced: fire 2, contact 2, move 3, 3-9"
    assert hints["USMC 1/8"].startswith("fire 3, contact 3, move 3, 2-9")
    assert asked.default_reply == ["USMC 3/1", "USMC 3/5"]


def test_the_offered_force_leaves_out_what_cannot_operate_with_it() -> None:
    """[8.2, 24.5, 31.0] No helicopter that cannot lift the rest, no third battalion, no Iraqi units with the others."""
    field = Field(joint="on")
    field.put("3-9", "HT 1", "3/1", "3/5", "1/8", "1 IG")
    field.set(morale=0)
    field.j3("3/1", "3-10", draws=["Deception"])
    (asked,) = [request for request in field.asked if request.key == "force"]
    assert asked.default_reply == ["USMC 3/1", "USMC 3/5"]


def test_the_nodes_that_netwar_can_look_at_are_listed_with_numbers(practice: SessionController) -> None:
    """[12.1, 19.0] All twenty on the screen, and the number of one names it; for InfoWar Enter commits every marker."""
    practice.do("buy", Answers(plain=["2 netwar"]))
    asked = asked_at(practice, "j2")
    lines = question_lines(asked, 80, prompted=True)
    assert "1 2-5 Date Market | 2 2-7" in lines[1].text, lines[1].text
    assert row_count(lines, 80) <= 8
    asked.is_list_hidden = False
    assert asked.read("1") == "2-5"
    practice.abort()
    assert asked_at(practice, "j5").default_reply == 2

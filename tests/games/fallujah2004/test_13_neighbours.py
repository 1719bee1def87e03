"""[13.0, 13.4, 16.7, 28.2] What follows from the map as it is known is said and not asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from random import Random

import pytest

from companion.core.errors import CompanionError, Illegal
from companion.core.policies import random_reply
from companion.core.requests import AnyRequest, Text
from companion.core.resolver import Answers, TypedValue
from companion.core.values import ReplyValue
from companion.session.controller import SessionController
from companion.session.facts import install_practice_set
from companion.session.state import load_game
from companion.session.store import Archive
from tests.games.fallujah2004.field import FACTS, HARMLESS, SPACES, Field

WON = (3, 3)
NO_ROUTES = {key: "" for key in FACTS if key.startswith("route:")}
"""No routes are known."""


def stood(field: Field, force: str, *answers: str, to: str = "3-10", start: str = "3-9", rest: tuple[int, ...] = ()) -> Field:
    """A battle of one round without losses, and then the answers given."""
    field.put(start, force)
    field.set(morale=0)
    field.j3(force, to, *answers, draws=[HARMLESS], dice=[6, 1, 6, 6, *rest])
    return field


def only(field: Field, key: str) -> list[object]:
    return [request.forced_reply() for request in field.asked if request.key == key]


def test_16_7_withdrawal_is_not_asked_if_no_unit_can_withdraw() -> None:
    """[16.7: none] No Coalition unit and no base is next to 3-10: they stay and fight, and that is said."""
    field = Field(facts=NO_ROUTES)
    field.put("5-9", "1/8")
    stood(field, "3/1", "move_on=no", rest=(6, 1, 1, *WON))
    assert (only(field, "continue"), field.asked_for("text")) == (["continue"], ["to"])
    assert field.says("No Coalition unit and no base is adjacent: the force fights on.", "16.7")


STANDS = {**NO_ROUTES, **dict.fromkeys(("stand:low:urban", "stand:low:mosque", "stand:low:open"), "stand")}


def standoff(*answers: str, dice: Sequence[int], support: Sequence[str] = ()) -> Field:
    """3/1 alone against a Militia of 0(0) at a Strongpoint, which takes the only hit off; no Coalition unit is adjacent."""
    field = Field(facts=STANDS)
    field.put("5-9", "1/8")
    field.put("available", *support)
    field.node("3-10", "strongpoint")
    field.battle("3-10", "3/1", [HARMLESS], *answers, dice=dice)
    return field


def test_16_1_5_a_battle_in_which_nobody_can_hit_ends() -> None:
    """[16.1(5): standoff] [16.7, 17.0] After one round it is lost: the force stays, and so does the Node (ruling C-77)."""
    field = standoff(dice=(6, 1, 1, 1))
    assert field.says("LOST. Neither side can hit, and no unit can withdraw", "16.1(5)")
    assert sorted(field.names_at("3-10")) == ["Strongpoint", "USMC 3/1"], "the Militia is back in the cup"


def test_16_1_5_a_strike_that_can_hit_goes_on() -> None:
    """[16.1(5): standoff] With a strike Available two hits are possible: the next round follows, in which it is committed."""
    field = standoff("strikes=none", "strikes=air", dice=(6, 1, 1, 1, 6, 1, 1, 1, *WON), support=["Air Strike (6)"])
    assert not any("Neither side can hit" in line for line in field.said)
    assert field.asked_for().count("strikes") == 2


def test_16_7_the_only_place_to_go_is_not_asked_for() -> None:
    """[16.7: adjacent] 3-9, from where they came, is known to be adjacent, and others are there: it is the only one."""
    field = Field(facts=NO_ROUTES)
    field.put("3-9", "1/8")
    stood(field, "3/1", "continue=withdraw")
    assert (only(field, "refuge"), field.place("3/1")) == (["3-9"], "3-9")

    field = Field(facts=NO_ROUTES)
    field.put("2-10", "1/8")
    stood(field, "3/1", "continue=withdraw", "refuge=2-10")
    assert only(field, "refuge") == [None], "2-10 lies beside it; whether a route leads there is unknown"


def test_16_7_an_answer_outside_the_offered_places_is_accepted() -> None:
    """[16.7: adjacent] The board is the truth: a route of which Companion does not know may lead there."""
    field = Field(facts=NO_ROUTES)
    field.put("5-9", "1/8")
    stood(field, "3/1", "continue=withdraw", "refuge=5-9", "joined=yes")
    assert field.place("3/1") == "5-9"
    assert field.facts["route:3-10/5-9"] == "land"


@pytest.mark.parametrize(("fob", "known"), [("5-11", False), ("4-9", False), ("4-10", None), ("2-9", False)])
def test_28_2_an_fob_that_cannot_be_adjacent_is_not_asked_about(fob: str, known: bool | None) -> None:
    """[28.2: near] Two spaces away, or aslant off the MSR, it is no neighbour; beside the space only the board shows it."""
    field = Field(facts=NO_ROUTES)
    field.put(fob, "FOB 1")
    stood(field, "3/1", *(["fob=no"] if known is None else []), "continue=continue", "move_on=no", rest=(6, 1, 1, *WON))
    assert only(field, "fob") == [known]


def test_13_0_a_route_runs_on_where_the_map_has_no_space() -> None:
    """[3.1] [13.0: route] 2-7 is none: from 2-6 to 2-8 is one step that is not asked about, and learnt; from 3-6 to 3-8 two."""
    field = Field(facts=NO_ROUTES)
    field.set(morale=0)
    field.clear_map()
    field.put("2-6", "3/1")
    field.j3("3/1", "2-8", draws=["Deception"])
    assert ("joined" in field.asked_for(), field.facts["route:2-6/2-8"]) == (False, "land")
    field.put("3-6", "3/5")
    field.j3("3/5", "3-8", "joined=no", "to=3-6")
    assert field.facts["route:3-6/3-8"] == "none"


@pytest.mark.parametrize(("exit", "asked"), [("3-12/north base", True), ("3-3/north base", False), ("", False)])
def test_13_4_which_way_is_north_tells_where_a_base_opens(exit: str, asked: bool) -> None:
    """[13.4: others] 3-6 has spaces beyond it towards line 12 alone: no way out of the North Base, once that lies there."""
    field = Field(facts=NO_ROUTES | ({f"route:{exit}": "land"} if exit else {}))
    field.clear_map()
    field.set(morale=0)
    field.put("north base", "3/1")
    field.j3("3/1", "3-6", *(["joined=yes"] if asked else []), draws=["Deception"])
    assert ("joined" in field.asked_for()) == asked


def test_6_2_the_msr_of_a_complete_map_is_not_asked_for() -> None:
    """[6.2: every] The whole map is entered, and each space of the MSR is held by ground units."""
    whole = {f"space:{route}-{line}": "none" for route in range(1, 7) for line in range(2, 13)}
    field = Field(facts={**whole, **{f"space:{space}": text for space, text in SPACES.items()}})
    for space in whole:
        field.flag(space, field.facts[space])
    for space, unit in (("1-6", "3/1"), ("2-6", "3/5"), ("3-6", "1/8"), ("4-6", "1 CE"), ("5-6", "1 BW")):
        field.put(space, unit)
    field.clear_map()
    field.do("end")
    assert only(field, "msr") == [True]
    assert ("MSR cleared", 5, "6.2") in field.game.score(field.position, field.options).items


@pytest.mark.parametrize(
    ("ground", "words"),
    [
        ("urban bridge Brooklyn Bridge", "1-7 and 5-12 are both named Brooklyn Bridge"),
        ("urban Jolan", "3-8 and 5-12 are both named Jolan"),
    ],
)
def test_3_1_a_contradiction_is_refused_at_the_question_too(ground: str, words: str) -> None:
    """[7.2] The space is asked for while a force moves. A player who insists is believed."""
    for anyway in (False, True):
        field = Field()
        field.flag("space:5-12", None)
        del field.facts["space:5-12"]
        field.set(morale=0)
        field.put("5-11", "3/1")
        if anyway:
            field.j3("3/1", "5-12", f"space:5-12={ground}", draws=["Deception"], anyway=True)
            assert field.facts["space:5-12"] == ground
            continue
        with pytest.raises(Illegal, match=words):
            field.j3("3/1", "5-12", f"space:5-12={ground}", draws=["Deception"])


def test_13_0_neighbours_come_first_and_practice_asks_nothing_about_the_board(archive: Archive) -> None:
    """[13.0] The spaces beside the base are offered with their terrain; a way that the made-up map lacks is refused."""
    install_practice_set(archive, load_game("fallujah2004"))
    session = SessionController.create(archive, "fallujah2004", "vigilant_resolve", seed="1", draws="physical", dice="physical")
    session.do("buy", Answers(plain=["3/1, 1/8"], keyed=[("at", "north base")]))
    asked = session.do("j3", Answers(plain=["all"]), partial=True).pending

    assert isinstance(asked, Text)
    choices = [(choice.value, choice.hint_text) for choice in asked.legal_choices()]
    assert choices[:4] == [("1-10", "open water"), ("2-11", "open water"), ("3-12", "open"), ("4-12", "objective, Node")]
    assert [value for value, _ in choices[-3:]] == ["south base", "east base", "west base"]
    assert asked.prompt == "From North Base to which space or Base?", "a force that leaves a base stops in the first space"
    assert (asked.expects(), asked.default_reply, asked.suggest) == ("Type it like this: 4-12", "4-12", None)
    again = session.reply("3-8")
    assert any("No route joins North Base and 3-8 Government Center" in str(event) for event in again.events)
    assert again.pending is not None and again.pending.key == "to"


_BOARD = ("space:", "route:", "bridge:", "joined", "river", "fob")
"""How the keys of questions begin that only the board answers."""


@pytest.mark.parametrize("games", [range(4), pytest.param(range(4, 30), marks=pytest.mark.slow)])
def test_random_practice_games_ask_nothing_about_the_board_and_their_examples_are_legal(archive: Archive, games: range) -> None:
    """[13.0, 25.1] No printed fact is asked for; the examples in a question for a route, and each default, are accepted."""
    install_practice_set(archive, load_game("fallujah2004"))
    examples: Counter[str] = Counter()
    for seed in games:
        chance = Random(seed)
        scenario = ("vigilant_resolve", "phantom_fury", "campaign")[seed % 3]
        session = SessionController.create(archive, "fallujah2004", scenario, seed=str(seed), think="0")
        for _ in range(24):
            action = session.game.table_action(session.position)
            if not action or chance.random() < 0.2:
                action = chance.choice(["j1", "j2", "j3", "j4", "j5"])
            with suppress(CompanionError):  # impossible now
                session.do(action, Answers(), partial=True)
            refused = 0
            while (asked := session.pending) is not None:
                assert not asked.key.startswith(_BOARD), asked.prompt
                example = _example_or_default(asked, chance)
                try:
                    session.reply(TypedValue.of(random_reply(asked, chance.randrange) if example is None else example))
                    examples[asked.key] += example is not None
                except CompanionError as error:
                    assert example is None, f"{asked.prompt} > {example}: {error}"
                    refused += 1
                    if refused > 12:
                        session.abort()
    assert {"buy", "at", "force", "to"} <= set(examples)


def _example_or_default(asked: AnyRequest, chance: Random) -> ReplyValue:
    """An example from the prompt, or the reply of a bare Enter; None to answer at random."""
    if chance.random() < 0.4:
        return None
    examples = asked.prompt.partition(" (")[2].rstrip(")") if asked.key == "to" else ""
    return chance.choice(examples.replace("by water: ", "").split("; ")) if examples else asked.default_reply

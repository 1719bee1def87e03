"""Texts at the table: examples, defaults, labels of figures, and which side a question is for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.core.errors import Illegal, Unreadable
from companion.core.events import Said
from companion.core.requests import Allot, Choice, Roll
from companion.core.resolver import Answers
from companion.games.lzalbany.notation import OrderRequest
from companion.games.lzalbany.odds import settled
from companion.games.lzalbany.rules.r06_movement import Movers, check_orders
from companion.games.lzalbany.rules.r07_fire import Fire, fire_odds
from companion.games.lzalbany.rules.r07_melee import melee_odds
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.views.question import default_text, prompt_line, question_lines
from companion.views.result import play_lines
from tests.games.lzalbany.field import Field
from tests.support.players import seat


def begun(archive: Archive, **options: str) -> SessionController:
    """Turn 1 against the NVA of Companion, both sides placed."""
    chosen = {"map": "practice", "nva": "companion", **options}
    session = SessionController.create(archive, "lzalbany", "battle", chosen, draws="physical", seed="ia drang")
    session.setting(think="0")
    for _ in range(2):
        session.do("next", Answers(accept=True))
    return session


def prompts(session: SessionController, chits: int) -> Iterator[tuple[str, str]]:
    """The key and the prompt line of each question of some chits; Enter at each."""
    for _ in range(chits):
        session.do("next")
        while (request := session.pending) is not None:
            yield request.key, prompt_line(request).text
            session.answer(Answers([(request.key, "")]))


@pytest.mark.parametrize("count", range(1, 25))
def test_f27_an_example_of_dice_has_as_many_as_are_asked(count: int) -> None:
    """The example is a roll that the question takes."""
    roll = Roll("melee", "The NVA in the melee: hits on 6", "7.2(1)", count)
    assert len(roll.read(roll.expects().partition("such as ")[2])) == count


def test_f27_a_pool_of_one_kind_of_chit_is_not_asked(archive: Archive) -> None:
    """[3.6] On turn 1 the pool holds NVA Fire/Move alone: drawn chits are said, not asked."""
    session = begun(archive)
    result = session.do("next")
    assert ("chit", "NVA Fire/Move") in result.settled
    assert "chit" not in [key for key, _ in prompts(session, 3)]


@pytest.mark.parametrize("answers", [Answers([("chit", "Art")]), Answers(plain=["Artillery"]), Answers(draws=["Artillery"])])
def test_f27_another_chit_than_the_last_kind_can_be_named(archive: Archive, answers: Answers) -> None:
    """[3.6] The pool of the table may hold what Companion does not expect: it is refused first, and taken if insisted on."""
    session = begun(archive)
    with pytest.raises(Illegal, match="the pool has no more Artillery"):
        session.do("next", answers.copy())
    result = session.do("next", answers.copy(), anyway=True)
    assert any(isinstance(event, Said) and event.text == "Drawn: Artillery." for event in result.events)


@pytest.mark.parametrize("word", ["fire", "firef", "move", "att", "brawl the", "bra"])
def test_f26_calculators_need_their_full_name(archive: Archive, word: str) -> None:
    """[3.6, 5.2] Terms of the rules that are no action say when units act; a fight that is only described is named in full."""
    session = begun(archive)
    with pytest.raises(Unreadable) as refused:
        session.do(word)
    if word in ("fire", "move", "att"):
        assert "when a Fire/Move chit of your side is drawn" in refused.value.cure
    session.do("firefight")
    assert session.pending is not None and session.pending.key == "side"


@pytest.mark.parametrize("seed", range(3))
def test_f18_the_default_action_is_possible(seed: int) -> None:
    """[3.3] In random games; after the end there is no default."""
    player = seat("lzalbany", seed)
    actions = {action.id: action for action in player.game.actions}
    for _ in range(60):
        default = player.game.default_action(player.position)
        assert bool(default) is not bool(player.game.over(player.position))
        if not default:
            break
        assert actions[default].obstacle(player.position) is None
        player.turn()


def test_f28_a_question_of_the_player_in_the_opponents_part_is_set_apart(archive: Archive) -> None:
    """[7.3(5), 8.1] Return fire and hits are the player's; proposals of the opponent are not marked."""
    seen = dict(prompts(begun(archive, opponent="proposes"), 4))
    assert seen["return"].startswith("Yours: US in ") and seen["first_hit"].startswith("Yours: US: ")
    assert seen["hit"].startswith("Yours: ") and not seen["target"].startswith("Yours")


def test_f28_the_opponent_acts_unless_it_is_asked_to_propose(archive: Archive) -> None:
    """[3.1] So that all questions of its chits are the player's decisions."""
    assert all(text.startswith("Yours: ") for _, text in prompts(begun(archive), 4))


def test_f21_each_figure_beside_a_choice_has_a_label(archive: Archive) -> None:
    """[5.2, 7.3] Hits are expected ones, and a group has used chits."""
    session, shown = begun(archive, opponent="proposes"), ""
    for _ in range(3):
        session.do("next")
        while (request := session.pending) is not None:
            shown += "\n".join(line.text for line in question_lines(request, prompted=True)) + "\n"
            session.answer(Answers([(request.key, "")]))
    assert "(0 of 2 chits used, 7 units)" in shown and "acted" not in shown
    assert " hits expected, " in shown and " hits, " not in shown


def test_f37_the_suggestion_is_not_the_example_once_more(archive: Archive) -> None:
    """[6.2] Long orders are shown once."""
    session = begun(archive, opponent="proposes")
    session.do("next")
    while (request := session.pending) is not None and request.key != "moves":
        session.answer(Answers([(request.key, "")]))
    assert session.pending is not None
    text = "\n".join(line.text for line in question_lines(session.pending, prompted=True))
    assert text.count(str(session.pending.suggest)) == 1


def test_f24_the_example_of_a_set_up_can_be_typed(archive: Archive) -> None:
    """[3.2C, 3.2E] For each company of the first turn; the areas where it can begin are listed before it."""
    session = SessionController.create(archive, "lzalbany", "battle", {"map": "practice"}, seed="ia drang")
    session.do("next")
    tried = 0
    while (request := session.pending) is not None:
        with pytest.raises(Unreadable) as refused:
            request.read("b33")
        assert refused.value.cure == request.expects()
        example = request.expects().partition("or apart: ")[2]
        tried += bool(example)
        session.answer(Answers([(request.key, example)]))
    assert tried >= 5 and session.position.flag("phase") == "event"


def test_f24_units_left_out_of_a_placement_can_be_added_as_the_refusal_says(archive: Archive) -> None:
    """[3.2C] What it says to add makes the answer complete."""
    session = SessionController.create(archive, "lzalbany", "battle", {"map": "practice"}, seed="ia drang")
    session.do("deploy")
    with pytest.raises(Illegal) as refused:
        session.answer(Answers([("a/2-7", "1 > d2")]))
    session.answer(Answers([("a/2-7", f"1 > d2{refused.value.cure.removeprefix('Add: ')}")]))
    assert session.pending is not None and session.pending.key == "c/2-7"


@pytest.mark.parametrize("side", ["US", "NVA"])
def test_f24_moves_list_where_each_stack_can_go(side: str) -> None:
    """[6.2, 6.2A, 6.5, 10.3] Every order of the list and the example are legal; a hit unit without an officer is left out."""
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", "co/A/2-7")
    field.put("d2", "mtr/A/2-7", hits=2)
    field.put("e3", "1/B/2-7", hits=1)
    field.put("g3", "2/B/2-7", "McDade")
    field.put("d3", "1/1/1/33", "2/1/1/33")
    field.put("g4", "3/1/1/33", "Man")
    group = "ab27" if side == "US" else "33"
    field.go(group, "moves=none")
    moves = next(request for request in field.asked if request.key == "moves")
    assert isinstance(moves, OrderRequest)
    orders = [choice.value for choice in moves.legal_choices()]
    assert ("d2 > d1" if side == "US" else "g4 > transition") in orders
    assert not any(order.startswith("e3") for order in orders)
    assert moves.example in moves.expects() and "; " in moves.example
    assert len(orders) <= 12 or all(order.partition(" > ")[0] in moves.hint() for order in orders[:-1])
    referee = field.referee
    reader = Movers(referee, side, group).orders(referee, side)
    for order in [*orders, moves.example]:
        settled(check_orders(referee, side, reader.read(order)))
    with pytest.raises(Illegal):
        settled(check_orders(referee, side, reader.read("d2 > e5" if side == "US" else "d3 > e5")))


def test_f24_flares_name_the_areas_that_they_can_light() -> None:
    """[11.2] In or next to US units; an area of the NVA is the example."""
    field = Field(turn=10)
    field.set(flares=8)
    field.put("d2", "1/A/2-7")
    field.put("d1", "1/1/1/33")
    field.put("a5", "1/6/8/66")
    field.go("ab27", "flares=none", "moves=none")
    flares = next(request for request in field.asked if request.key == "flares")
    assert flares.expects() == "Type it like this: d1"
    assert "d2" in flares.hint() and "a5" not in flares.hint()


def test_f24_a_retreat_lists_the_refuges() -> None:
    """[7.2(4)] Each can be named by its number; areas with enemies are left out, and a refusal shows an order that is legal."""
    field = Field()
    field.put("d2", "1/A/2-7", "co/A/2-7")
    field.put("d1", "1/1/1/33")
    field.put("d3", "2/1/1/33", "3/1/1/33")
    field.go("33", "moves=1/1/1/33 > d2", "retreat=none", "retreat=none", dice=[1] * 7)
    request = next(request for request in field.asked if request.key == "retreat")
    orders = [choice.value for choice in request.legal_choices()]
    assert "d2 > e2" in orders and "d2 > d3" not in orders and orders[-1] == "none"
    request.is_list_hidden = False
    number = request.labels()[orders.index("d2 > e2")]
    assert request.read(number) == request.read("d2 > e2") == "1/A/2-7 co/A/2-7 > e2"
    with pytest.raises(Unreadable) as refused:
        request.read("fire")
    assert refused.value.cure == request.expects()


def test_f22_a_repeated_question_is_numbered(archive: Archive) -> None:
    """[7.3(1), 7.4(3), 7.5(2)] Fires of an activation are numbered, and dice say who fires, from where, at what."""
    session = SessionController.create(archive, "lzalbany", "battle", {"map": "practice"}, dice="physical", seed="a")
    session.setting(think="0")
    counted = {"fire", "mortar", "combat", "artillery", "accuracy", "melee", "defence", "retreat", "rally_unit"}
    for _ in range(16):
        session.do("next")
        seen: list[tuple[str, str, str]] = []
        turn = ""
        while (request := session.pending) is not None:
            turn = str(len(seen)) if request.key in ("group", "action", "second") else turn
            seen += [(turn, request.key, request.prompt)] if request.key in counted else []
            session.answer(Answers([(request.key, "")]))
        assert len(seen) == len(set(seen)), seen


def test_f21_chits_and_letters_are_explained_where_they_are_first_met(archive: Archive) -> None:
    """[3.6, 2.4, 3.5] Chits when the Action Phase begins; letters of described units at their question; a label at the die."""
    session = begun(archive)
    said = [event.text for event in session.events_of(session.history.force[-1]) if isinstance(event, Said)]
    assert any("lets one group of its side fire or move" in text for text in said)
    assert any(text.startswith("NVA event in d2: die ") for text in said)
    session.do("firefight", Answers([("side", "US")]), partial=True)
    assert session.pending is not None and "/3 if reduced" in session.pending.prompt


def test_f21_hits_on_one_unit_are_suggested_as_they_are_typed() -> None:
    """[8.1] Two hits on one unit are `2 x` its name."""
    request = Allot("hit", "Who takes hits 1 to 2 of 2?", "8.1", lambda: [(Choice("at", "at"), 2)], 2, lambda: ["at", "at"])
    assert default_text(request) == "2 x at"
    assert request.read(default_text(request)) == request.suggest


@pytest.mark.parametrize("side", ["US", "NVA"])
def test_f34_odds_have_a_row_for_own_losses(side: str) -> None:
    """[7.2, 7.3] Each platoon that return fire or a melee can reduce is named with its chance."""
    field = Field(seed="1")
    field.put("d2", "1/A/2-7", "2/A/2-7", hits=2)
    field.put("d1", "1/1/1/33", "2/1/1/33", hits=2)
    origin, place = ("d2", "d1") if side == "US" else ("d1", "d2")
    own = field.referee.units(origin, side)
    fire = dict(fire_odds(field.referee, Fire(side, origin, (place,), own)).sections)
    assert {f"{unit.name} reduced or worse" for unit in own} <= set(dict(fire["Firing side"]))
    melee = dict(melee_odds(field.referee, side, place, own, "Melee").sections)
    assert {f"{unit.name} reduced or worse" for unit in own} <= set(dict(melee["Attacker"]))


@pytest.mark.parametrize("track", ["us_vp", "nva_vp"])
def test_f12_points_outside_the_track_are_refused(archive: Archive, track: str) -> None:
    """[4.1] With the ends that it has."""
    session = begun(archive)
    with pytest.raises(Unreadable, match="Companion records 0 to 199"):
        session.adjust([(track, "200")], "by mistake")


def test_f37_a_chit_that_was_not_asked_is_said_once(archive: Archive) -> None:
    """[3.6] The line on the draw is enough."""
    session = begun(archive)
    lines = [line.text for line in play_lines(session, session.do("next"))]
    assert "Drawn: NVA Fire/Move." in lines and not any(text.startswith("chit: ") for text in lines)

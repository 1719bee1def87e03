"""Each decision and each roll belongs to the side that the rules name."""

from __future__ import annotations

from typing import Any

from companion.core.requests import AnyRequest
from companion.session.state import load_game
from companion.testing.fixtures import seated
from tests.games.lzalbany.field import Field

SHARED = ("2.2", "2.4", "3.6")
"""Rules whose questions are no side's: what is on the board and on the counters, and the draw of a chit."""


def seats(field: Field, *keys: str) -> list[tuple[str, str]]:
    """The questions of the last action with these keys, each with its seat."""
    return [(request.key, request.seat) for request in field.asked if request.key in keys]


def test_7_2_both_roll_and_place_the_first_hit_and_the_owner_the_others() -> None:
    """[7.2(3), 7.2(3b), 7.2(4), 7.2(5)] The defender decides first whether to retreat."""
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7")
    field.put("e2", "1/1/1/33", "2/1/1/33")
    hit = ("first_hit=1/1/1/33", "hit=2/1/1/33", "first_hit=1/A", "hit=2/A")
    field.go("ab27", "moves=d2 > e2", *hit, "retreat=none", "retreat=none", dice=[6, 6, 1, 1, 1, 1, 6, 6, 1, 1, 1, 1])

    assert seats(field, "group", "action", "moves") == [("group", "us"), ("action", "us"), ("moves", "us")]
    assert seats(field, "melee", "defence") == [("melee", "us"), ("defence", "nva")]
    assert seats(field, "first_hit", "hit") == [("first_hit", "us"), ("hit", "nva"), ("first_hit", "nva"), ("hit", "us")]
    assert seats(field, "retreat") == [("retreat", "nva"), ("retreat", "us")]


def test_7_3_5_the_target_decides_on_return_fire_rolls_it_and_places_its_first_hit() -> None:
    """[7.3(4), 7.3(5), 7.3(6)] The firer advances."""
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7")
    field.put("e2", "1/1/1/33", "2/1/1/33")
    hits = ("first_hit=1/1/1/33", "return=yes", "first_hit=1/A")
    field.fire("ab27", "combat=d2", "target=e2", *hits, "combat=done", dice=[6, 1, 1, 1, 6, 1, 1, 1])

    assert seats(field, "combat", "target") == [("combat", "us"), ("target", "us")]
    assert seats(field, "fire", "return", "return_fire") == [("fire", "us"), ("return", "nva"), ("return_fire", "nva")]
    assert seats(field, "first_hit") == [("first_hit", "us"), ("first_hit", "nva")]


def test_7_4_3_the_target_places_the_hits_of_mortars() -> None:
    field = Field()
    field.put("d2", "mtr/A/2-7", "co/A/2-7")
    field.put("e2", "1/1/1/33", "2/1/1/33")
    field.fire("ab27", "combat=mortar d2 > e2", "hit=1/1/1/33", "combat=done", dice=[6])

    assert seats(field, "mortar", "hit") == [("mortar", "us"), ("hit", "nva")]


def test_10_4_an_officers_own_side_rolls_for_him() -> None:
    """[7.3(4)] As in the example of play, where the US rolls for its officer after the return fire."""
    field = Field()
    field.put("d2", "1/A/2-7")
    field.put("e2", "1/1/1/33", "co/1/1/33", "Man")
    field.fire("ab27", "combat=d2", "target=e2", "return=no", "combat=done", dice=[6, 1, 1, 1])

    assert seats(field, "officer", "casualty") == [("officer", "nva"), ("casualty", "nva")]


def test_3_5_each_side_chooses_and_rolls_its_event() -> None:
    field = Field(facts={"choi:us-1": "none", "choi:nva-1": "none"})
    field.flag(phase="event")
    field.put("d2", "1/A/2-7")
    field.put("e2", "1/1/1/33", "2/1/1/33")
    field.put("e3", "3/A/2-7")
    field.do("event", "event_area=e2", "event_area=d2", dice=[1, 1])

    us, nva = [("event_area", "us"), ("choi_oi", "us")], [("event_area", "nva"), ("choi_oi", "nva")]
    assert seats(field, "event_area", "choi_oi") == us + nva


def test_3_7_each_side_rolls_its_rally_and_an_officer_helps_his_own() -> None:
    field = Field()
    field.flag(phase="rally")
    field.put("d2", "1/A/2-7", hits=1)
    field.put("e2", "1/1/1/33", hits=1)
    field.do("rally", dice=[1, 1])

    assert seats(field, "rally") == [("rally", "us"), ("rally", "nva")]


def test_3_6_either_player_draws_the_next_chit() -> None:
    field = Field()
    field.put("d2", "1/A/2-7")
    field.chit("US Adrenaline")

    assert seats(field, "chit") == [("chit", "")]


class Noting:
    """Notes the questions of rules that belong to a side and name none."""

    open_questions: set[tuple[str, str]]

    def on_question(self, procedure: Any, request: AnyRequest, replies: list[Any], results: list[Any]) -> None:
        if not request.seat and request.rule not in SHARED:
            self.open_questions.add((request.key, request.rule))


def test_every_question_of_random_games_has_a_side() -> None:
    """P13: of 159 questions of a game 142 named no side."""
    found: set[tuple[str, str]] = set()
    for seed in range(2):
        player = seated(load_game("lzalbany"), seed, type("Noting", (Noting,), {"open_questions": found}))
        for _ in range(40):
            player.turn()

    assert found == set()

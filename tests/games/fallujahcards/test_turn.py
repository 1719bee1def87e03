"""The phases of a turn, each by its rule."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Unreadable
from companion.core.events import PieceMoved
from tests.games.fallujahcards.dealt import Dealt


def test_search_turns_up_the_top_card() -> None:
    """[Search] The card that is drawn from the deck is the Target of the turn."""
    table = Dealt()
    table.turn(draws=["Grunts"])

    assert table.hand == ["Grunts"]
    assert table.track("turn") == 1
    assert table.keys() == ["card"]


def test_asset_goes_to_the_hand() -> None:
    """[Asset] Every American Target that is no Tactics card, whatever its type. [Asset: american]"""
    table = Dealt()
    for name in ("Humvee", "Mortars", "Robot"):
        table.turn(draws=[name])
    table.turn("recon=no", draws=["Predators"])

    assert table.hand == ["Humvee", "Mortars", "Robot", "Predators"]


# -- Tactics -----------------------------------------------------------------------------------------------------------


def test_t5_insurgent_tactics_cost_a_random_card() -> None:
    """[Tactics] The Target and one card of three go to the Discard Pile. [Tactics: random]"""
    table = Dealt(hand=["Grunts", "Humvee", "Robot"])
    table.turn(draws=["Ambush", "Humvee"])

    assert table.names_at("discard") == ["Ambush", "Humvee"]
    assert table.hand == ["Grunts", "Robot"]
    assert table.keys() == ["card", "lost"]
    assert table.score.total == 100


def test_insurgent_tactics_against_one_card_or_none_ask_nothing() -> None:
    """[Tactics] One card is lost without a draw; with an empty hand only the Target goes (ruling C-9). [Tactics: empty]"""
    table = Dealt(hand=["Grunts"])
    table.turn(draws=["Ambush"])
    assert table.names_at("discard") == ["Ambush", "Grunts"]

    table.turn(draws=["Urban Combat"])
    assert table.names_at("discard") == ["Ambush", "Grunts", "Urban Combat"]
    assert "The hand is empty: no card is lost with it. [Tactics]" in table.said


def test_t6_american_tactics_draw_two() -> None:
    """[Tactics] Humvee to the hand, Pillbox to the Discard Pile without a casualty, Coordination to the hand. [Tactics: drawn]"""
    table = Dealt()
    table.turn(draws=["Coordination", "Humvee", "Pillbox"])

    assert table.hand == ["Humvee", "Coordination"]
    assert table.names_at("discard") == ["Pillbox"]
    assert table.names_at("casualty") == []
    assert table.score.total == 100
    assert len(table.position.at("deck")) == 89


def test_cards_drawn_by_tactics_do_nothing_themselves() -> None:
    """[Tactics] Neither side's Tactics cards chain (ruling C-8). [Tactics: only]"""
    table = Dealt(hand=["Grunts", "Humvee"])
    table.turn(draws=["Coordination", "Ingenuity", "Ambush"])

    assert table.hand == ["Grunts", "Humvee", "Ingenuity", "Coordination"]
    assert table.names_at("discard") == ["Ambush"]
    assert table.keys() == ["card", "drawn", "drawn"]


def test_american_tactics_with_a_short_deck() -> None:
    """[Tactics] The remaining cards are drawn (ruling C-6). [Tactics: short]"""
    table = Dealt(deck=["Coordination", "Grunts"])
    table.turn(draws=["Coordination", "Grunts"])
    assert table.hand == ["Grunts", "Coordination"]
    assert "Only 1 card is left of the 2 to be drawn. [Tactics]" in table.said

    table = Dealt(deck=["Coordination"])
    table.turn(draws=["Coordination"])
    assert table.hand == ["Coordination"]


def test_american_tactics_can_be_discarded_instead() -> None:
    """[Asset] Ruling C-7, switched. [Asset: tactics]"""
    table = Dealt(american_tactics="discard")
    table.turn(draws=["Coordination", "Grunts", "Humvee"])

    assert table.hand == ["Grunts", "Humvee"]
    assert table.names_at("discard") == ["Coordination"]


def test_a_setback_takes_from_the_whole_hand() -> None:
    """[Tactics] The hand may hold more than four in a turn; every card of it can be lost (ruling C-10). [Tactics: whole]"""
    table = Dealt(hand=["Grunts", "Humvee", "Robot", "Mortars", "Sniper Team"])
    table.turn(draws=["Ambush", "Sniper Team"])

    assert [request.contents for request in table.asked if request.key == "lost"] == [
        {"Grunts": 1, "Humvee": 1, "Mortars": 1, "Robot": 1, "Sniper Team": 1}
    ]
    assert len(table.hand) == 4


# -- Destroy and Disarm ------------------------------------------------------------------------------------------------


def test_t2_equal_force_destroys() -> None:
    """[Destroy] Jihadists 4 against a Rifle Squad 4: both to the Elimination Pile, 8 points. [Destroy: force, both]"""
    table = Dealt(hand=["Marine Rifle Squad"])
    table.turn("destroy=Marine", draws=["Jihadists"])

    assert table.names_at("elimination") == ["Jihadists", "Marine Rifle Squad"]
    assert table.score.total == 108
    assert "Jihadists I4 destroyed with Marine Rifle Squad G4: score 100 -> 108. [Destroy]" in table.said


def test_t3_too_little_force_is_a_casualty() -> None:
    """[Destroy] Pillbox 5 against a best card of 4: no question. [Destroy: less]"""
    table = Dealt(hand=["Marine Rifle Squad", "Grunts"])
    table.turn(draws=["Pillbox"])

    assert table.names_at("casualty") == ["Pillbox"]
    assert table.hand == ["Marine Rifle Squad", "Grunts"]
    assert table.score.total == 95
    assert table.keys() == ["card"]


def test_t4_support_does_not_disarm_and_a_robot_does() -> None:
    """[Disarm] Car Bomb 3: AC-130 5 is not offered, Robot is, and counts 0. [Disarm: support, disarm]"""
    table = Dealt(hand=["AC-130 Slayer", "Robot"])
    with pytest.raises(Illegal, match="Support does not disarm"):
        table.turn("disarm=AC-130", draws=["Car Bomb"])
    table.turn("disarm=Robot", draws=["Car Bomb"])

    assert table.names_at("elimination") == ["Car Bomb", "Robot"]
    assert table.score.total == 103


@pytest.mark.parametrize(
    ("target", "key", "card"), [("Roof Top", "destroy", "Grunts"), ("Improvised Explosive Device", "disarm", "Grunts")]
)
def test_a_target_may_be_let_through(target: str, key: str, card: str) -> None:
    """[Destroy, Disarm] Declined though able: a casualty (rulings C-11, C-14). [Destroy: may] [Disarm: may]"""
    table = Dealt(hand=[card, "Humvee", "Mounted Patrol"])
    table.turn(f"{key}=decline", draws=[target])

    assert table.names_at("casualty") == [target]
    assert len(table.hand) == 3
    assert table.score.total == 98


def test_only_cards_that_are_enough_are_offered_each_name_once() -> None:
    """[Destroy] Of two cards of a name one choice; Tactics, Recon and Disarm cards never (ruling C-12)."""
    table = Dealt(hand=["SMAW Launcher", "SMAW Launcher", "Grunts", "Robot", "Artillery"])
    table.turn("destroy=SMAW", draws=["Tight Alley"])

    request = next(request for request in table.asked if request.key == "destroy")
    assert [choice.value for choice in request.legal_choices()] == ["SMAW Launcher", "Artillery", "decline"]
    assert table.hand == ["SMAW Launcher", "Grunts", "Robot", "Artillery"]


def test_forces_are_not_added_up() -> None:
    """[Destroy] One card, or none: two of 3 do not stop a 4. [Destroy: single]"""
    table = Dealt(hand=["SMAW Launcher", "SMAW Launcher"])
    table.turn(draws=["Jihadists"])

    assert table.names_at("casualty") == ["Jihadists"]


def test_too_weak_a_card_is_refused_by_the_rule_and_recorded_on_request() -> None:
    """[Destroy] The board is the truth: with "anyway" both cards go, with a warning."""
    table = Dealt(hand=["Grunts", "Mounted Patrol"])
    with pytest.raises(Illegal, match="Grunts G1 is too weak for Tight Alley P3: force 1 against 3") as refused:
        table.turn("destroy=Grunts", draws=["Tight Alley"])
    assert refused.value.rule == "Destroy"
    assert refused.value.cure == "Play Mounted Patrol, or decline"

    table.do("turn", "destroy=Grunts", draws=["Tight Alley"], anyway=True)
    assert table.names_at("elimination") == ["Grunts", "Tight Alley"]
    assert any(line.startswith("Recorded anyway: Grunts G1 is too weak") for line in table.said)


def test_a_card_that_is_not_held_cannot_be_played_or_discarded() -> None:
    """[Regroup] It is refused, and what is held is named."""
    table = Dealt(hand=["Grunts", "Humvee", "Robot", "Mortars"])
    with pytest.raises(Unreadable, match=r"Spotters is not in the hand, but in: Deck \[Regroup\]") as fault:
        table.turn("discard=Spotters", draws=["Artillery"])

    assert "Grunts, Humvee, Robot, Mortars, Artillery" in str(fault.value)


def test_a_card_that_never_comes_into_the_hand_is_refused_by_that_rule() -> None:
    """[Asset, The Piles] Insurgency cards do not, and cards in the piles stay there."""
    table = Dealt(hand=["Grunts", "Humvee", "Robot", "Mortars"])
    with pytest.raises(Unreadable, match=r"Pillbox is an Insurgency card, and only American cards .* \[Asset\]"):
        table.turn("discard=Pillbox", draws=["Artillery"])
    table.turn("discard=Mortars", draws=["Artillery"])
    with pytest.raises(Unreadable, match=r"Mortars is not in the hand, but in: Discard Pile \[The Piles\]"):
        table.turn("discard=Mortars", draws=["Spotters"])


# -- Recon and Regroup -------------------------------------------------------------------------------------------------


def test_recon_shows_five_cards_that_then_come_in_order() -> None:
    """[Recon] They need no question any more; the Recon card is discarded (ruling C-15). [Search: top] [Recon: five]"""
    table = Dealt(hand=["Grunts", "Predators"])
    seen = ["Humvee", "Mortars", "Spotters", "Courtyard", "Artillery"]
    table.turn("recon=Predators", draws=["Fire Support Team", *seen])

    assert [card.name for card in table.position.at("top")] == seen
    assert table.names_at("discard") == ["Predators"]
    for name in seen[:2]:
        table.turn()
        assert table.hand[-1] == name
        assert table.keys() == []


def test_recon_comes_after_the_target_of_the_turn() -> None:
    """[Recon] Ruling C-16: a Recon card that was just found may be played at once, after what the Target brought.
    [Turn Sequence: order]
    """
    table = Dealt(hand=["Grunts", "Predators"])
    table.turn("destroy=Grunts", "recon=no", draws=["Courtyard"])
    assert table.keys() == ["card", "destroy", "recon"]

    table = Dealt(deck=["Dragon Eyes", "Grunts", "Humvee"])
    table.turn("recon=Dragon", draws=["Dragon Eyes", "Humvee", "Grunts"])
    assert [card.name for card in table.position.at("top")] == ["Humvee", "Grunts"]


def test_several_recon_cards_in_a_turn() -> None:
    """[Recon] Any number; where there is nothing new to see, there is no question, but one may be played (ruling C-15).
    [Recon: many]
    """
    table = Dealt(hand=["Predators", "Pioneers"], top=["Grunts", "Humvee", "Mortars"])
    table.turn("recon=Predators", draws=["Robot", "Spotters", "Ambush"])
    assert [card.name for card in table.position.at("top")] == ["Humvee", "Mortars", "Robot", "Spotters", "Ambush"]
    assert table.keys() == ["recon", "seen", "seen", "seen", "recon"]
    assert table.asked[-1].forced_reply() == "no"
    assert table.hand == ["Pioneers", "Grunts"]

    table = Dealt(hand=["Predators", "Pioneers"], top=["Grunts", "Humvee", "Mortars"])
    table.turn("recon=Predators", "recon=Pioneers", draws=["Robot", "Spotters", "Ambush"])
    assert table.hand == ["Grunts"]


def test_american_tactics_draw_the_seen_cards_first() -> None:
    """[Recon] Seen cards are the top of the deck for every draw. [Tactics: seen]"""
    table = Dealt(top=["Coordination", "Grunts"])
    table.turn(draws=["Humvee"])

    assert table.hand == ["Grunts", "Humvee", "Coordination"]
    assert table.keys() == ["drawn"]


def test_recon_with_an_empty_deck_is_not_asked() -> None:
    """[Recon] There is nothing to look at. [Recon: empty]"""
    table = Dealt(hand=["Predators"], deck=["Grunts"])
    table.turn(draws=["Grunts"])

    assert table.keys() == ["card"]
    assert table.hand == ["Predators", "Grunts"]


def test_recon_with_a_card_of_another_type_is_refused() -> None:
    """[Recon] Only Recon cards look. [Recon: only]"""
    table = Dealt(hand=["Predators", "Grunts"])
    with pytest.raises(Illegal, match="Grunts G1 is no Recon card"):
        table.turn("recon=Grunts", draws=["Humvee"])


def test_t7_a_hand_of_five_discards_one() -> None:
    """[Regroup] The player chooses (ruling C-17). [Regroup: four]"""
    table = Dealt(hand=["Grunts", "Humvee", "Robot", "Mortars"])
    table.turn("discard=Robot", draws=["Artillery"])

    assert table.hand == ["Grunts", "Humvee", "Mortars", "Artillery"]
    assert table.names_at("discard") == ["Robot"]


def test_a_hand_of_seven_discards_three_one_by_one() -> None:
    """[Regroup] After American Tactics. [Regroup: choice]"""
    table = Dealt(hand=["Grunts", "Humvee", "Robot", "Mortars"])
    table.turn("discard=Coord", "discard=Gr", "discard=Mortars", draws=["Coordination", "Artillery", "Grunts"])

    assert table.hand == ["Humvee", "Robot", "Artillery", "Grunts"]
    assert table.keys() == ["card", "drawn", "drawn", "discard", "discard", "discard"]


# -- the end -----------------------------------------------------------------------------------------------------------


def test_the_last_turn_is_played_to_its_end() -> None:
    """[Scoring] Ruling C-5: the game is over when the next Target is missing, not before. [Scoring: end]"""
    table = Dealt(hand=["Grunts", "Humvee", "Robot", "Mortars"], deck=["Fundamentalists"])
    table.turn("destroy=Humvee", draws=["Fundamentalists"])

    assert table.game.over(table.position) == "the deck is used up"
    assert "The deck is used up: the game ends with a score of 102. [Scoring]" in table.said


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_t9_turns_of_a_game(seed: str) -> None:
    """[Turn Sequence] Each turn takes one card, or three with American Tactics as the Target; fewer at the very end."""
    table = Dealt(seed=seed)
    tactics = short = 0
    while not table.game.over(table.position):
        before = left(table)
        table.turn(accept=True)
        target = next(event.id for event in table.events if isinstance(event, PieceMoved) and event.now == "target")
        taken = before - left(table)
        if table.position.pieces[target].values["type"] == "T":
            tactics += 1
            short += 3 - taken
            assert taken == 3 or left(table) == 0
        else:
            assert taken == 1

    assert 76 <= table.track("turn") <= 87
    assert table.track("turn") == 92 - 2 * tactics + short
    assert len(table.position.pieces) == 92
    assert table.position.flag("phase") is None


def left(table: Dealt) -> int:
    return len(table.position.at("deck")) + len(table.position.at("top"))


def test_the_last_card_put_down_as_the_target_still_has_its_turn() -> None:
    """[Search, Scoring] With an empty deck the game is over only after that turn."""
    table = Dealt(deck=["Grunts"])
    table.put("Grunts", "target")
    assert not table.game.over(table.position)
    table.turn()

    assert table.hand == ["Grunts"]
    assert table.game.over(table.position) == "the deck is used up"

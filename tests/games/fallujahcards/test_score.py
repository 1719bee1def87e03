"""The score, itemised."""

from __future__ import annotations

import pytest

from companion.core.events import FlagSet, PieceMoved, fold
from companion.games import make_game
from companion.session.tables import load
from tests.games.fallujahcards.dealt import Dealt
from tests.support.players import seat

FIVES = ["Suicide Bomber", "Suicide Bomber", "Pillbox", "Pillbox", "Roadside Bomb", "Roadside Bomb"]
FOURS = ["Jihadists", "Jihadists", "Concrete House", "Concrete House", "Radio Controlled Bomb", "Radio Controlled Bomb"]


def test_t8_both_readings_of_the_score() -> None:
    """[Scoring] C = 34 and E = 106 make 172; with eliminations taken off they would make -40 (ruling C-1).
    [Scoring: elimination]
    """
    american = ["M1 Abrams Tank", "M1 Abrams Tank", "Mounted Patrol", "Mounted Patrol", "AC-130 Slayer", "Fire Support Team"]
    american += ["Light Attack Vehicle", "Light Attack Vehicle", "Marine Rifle Squad", "Marine Rifle Squad"]
    american += ["F/A-18 Fighters", "Forward Air Controller"]  # 54
    beaten = [*FOURS, "Insurgents", "Insurgents", "Tight Alley", "Tight Alley", "Car Bomb", "Car Bomb", "Rocket Attacks"]  # 45
    beaten += ["Rocket Attacks", "Terrorists", "Terrorists"]  # 52
    lost = [*FIVES, "Roof Top", "Roof Top"]  # 34
    table = Dealt(casualty=lost, elimination=[*american, *beaten])

    assert [(label, points) for label, points, _ in table.score.items] == [
        ("at the start", 100),
        ("Casualty Pile: 8 cards", -34),
        ("Elimination Pile: 16 Insurgency cards", 52),
        ("Elimination Pile: 12 American cards", 54),
    ]
    assert table.score.total == 172
    assert table.score.notes == ("With eliminations taken off instead of added (ruling C-1): -40",)
    assert table.score.verdict == "172 if the game ended now"


def test_american_cards_may_be_left_out() -> None:
    """[Scoring] Ruling C-2, switched: only the Insurgency cards of the Elimination Pile count. [Scoring: elimination]"""
    table = Dealt(elimination=["Jihadists", "M1 Abrams Tank"], casualty=["Courtyard"])
    table.options["elimination"] = "insurgents"

    assert table.score.total == 100 - 1 + 4


def test_cards_without_a_force_count_nothing() -> None:
    """[Card List] A dash is 0 (ruling C-3), also for a Disarm card in the Elimination Pile. [Scoring: dash]"""
    assert Dealt(elimination=["Robot"], casualty=["Ambush"]).score.total == 100


def test_cards_in_the_hand_and_the_discard_pile_score_nothing() -> None:
    """[The Piles] Only two of the three piles are scored. [Scoring: piles]"""
    assert Dealt(hand=["M1 Abrams Tank"], deck=[]).score.total == 100


def test_the_banner_fits_and_lists_every_card_left() -> None:
    """[The Deck] One digit a card behind its type: at the start 42 and 50, two rows each; hand and seen cards by name."""
    game = make_game("fallujahcards", load("fallujahcards"))
    table = Dealt()
    fields = {field.label: field.value for field in game.banner(table.position, table.options).fields}
    assert (
        fields["Insurgency left 42, by force:"]
        == "Tactics x8, Insurgents 55443333222211, Position 5544332211, Explosives 5544332211"
    )
    american = "Tactics x8, Infantry 5544332211, Armor 5544332211, Support 5544332211, Recon x7, Disarm x5"
    assert fields["American left 50, by force:"] == american
    assert all(len(f"{label} {value}") <= 2 * 78 for label, value in fields.items())

    table = Dealt(hand=["Grunts", "Robot"], top=["Pillbox", "Predators"])
    banner = game.banner(table.position, table.options)
    assert ("hand", "Hand 2:", "Grunts G1, Robot D") in [field[:3] for field in banner.fields]
    assert banner.reminders == ("Next, as Recon has seen: Pillbox P5, Predators R [Recon]",)


def test_the_banner_of_an_empty_deck_has_no_empty_list() -> None:
    """[Scoring] Nothing of either side is left, and no colon waits for forces."""
    table = Dealt(deck=["Grunts"])
    table.turn(draws=["Grunts"])
    fields = {field.label: field.value for field in table.game.banner(table.position, table.options).fields}

    assert (fields["Insurgency left"], fields["American left"]) == ("0", "0")


@pytest.mark.parametrize("seed", range(3))
def test_the_running_score_is_the_score_if_the_deck_were_used_up_now(seed: int) -> None:
    """[Scoring] At every position of a random game."""
    player = seat("fallujahcards", seed)
    while not player.game.over(player.position):
        left = [*player.position.at("deck"), *player.position.at("top")]
        events = [PieceMoved(card.id, card.place, "discard") for card in left]
        ended = fold([*events, FlagSet("phase", player.position.flag("phase"), None)], player.position)
        assert player.game.over(ended)
        assert player.game.score(ended, player.options).total == player.game.score(player.position, player.options).total
        player.turn()

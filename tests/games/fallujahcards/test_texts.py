"""How cards are named on the screen."""

from __future__ import annotations

from tests.games.fallujahcards.dealt import Dealt


def test_letters_of_cards_are_explained_beside_each_choice() -> None:
    """[Card List] Where a card can be chosen, its type stands in words behind the letter and force; so does the Target's."""
    table = Dealt(hand=["Mounted Patrol", "Artillery"])
    table.turn("destroy=decline", draws=["Rocket"])
    (asked,) = [request for request in table.asked if request.key == "destroy"]
    assert asked.prompt == "Rocket Attacks I3 Insurgents: play a card against it"
    assert [choice.hint_text for choice in asked.legal_choices()] == [
        "G5 Infantry: score +8",
        "S3 Support: score +6",
        "to the Casualty Pile: score -3",
    ]

"""Bad input: a clear message, the exit code of the contract, nothing lost."""

from __future__ import annotations

import pytest

from tests.support.commands import Result, companion


@pytest.fixture
def physical() -> None:
    companion("new", "fallujahcards", "--draws", "physical", "--name", "mine")


def do(*words: str) -> Result:
    return companion("do", "turn", *words)


def draws(*names: str) -> list[str]:
    return [word for name in names for word in ("--draw", name)]


def places() -> dict[str, int]:
    shown = companion("status", "--json").json["position"]["places"]
    return {place: len(cards) for place, cards in shown.items()}


def words(result: Result) -> str:
    return " ".join((result.out + result.err).split())


@pytest.mark.usefixtures("physical")
class TestACardThatIsOut:
    """[Search] The deck holds two of a name at most; the table is right all the same."""

    def test_it_is_a_question(self) -> None:
        do(*draws("Grunts"))
        do(*draws("Grunts"))
        third = do(*draws("Grunts"))

        assert third.code == 1
        assert "the deck has no more Grunts [Search]" in words(third)
        assert places() == {"deck": 90, "hand": 2}

    def test_on_request_it_is_taken_from_where_companion_has_it(self) -> None:
        do(*draws("Robot"))
        do(*draws("Pillbox"))
        do(*draws("Pillbox"))
        again = do("--anyway", *draws("Pillbox"))

        assert again.code == 0
        assert "Companion had Pillbox in the Casualty Pile. Some other card must be there." in words(again)
        assert "If you entered that card as Pillbox, correct it: amend ACTION.ANSWER CARD" in words(again)
        assert places() == {"deck": 89, "hand": 1, "casualty": 2}

    def test_where_two_are_out_in_two_places_it_is_asked_which(self) -> None:
        do(*draws("Robot"))
        do(*draws("Coordination", "Humvee", "Low Tech"))
        do("disarm=Robot", *draws("Low Tech"))
        asked = do("--anyway", *draws("Low Tech"))
        assert asked.code == 3
        assert "From where do you take Low Tech Bomb instead?" in words(asked)

        done = companion("answer", "elimination", "disarm=Humvee")
        assert done.code == 0
        assert sum(places().values()) == 92
        assert places()["elimination"] == 3
        assert places()["discard"] == 1

    def test_it_can_be_put_right(self) -> None:
        """Later the player finds which card it was: the two change places."""
        do(*draws("Pillbox"))
        do(*draws("Pillbox"))
        do("--anyway", *draws("Pillbox"))
        mended = companion("adjust", "Jihadists", "casualty", "--why", "that one was misread")

        assert mended.code == 0
        assert places() == {"deck": 89, "casualty": 3}
        assert companion("show", "score", "--json").json["score"]["total"] == 100 - 5 - 5 - 4

    def test_a_lost_card_that_is_not_held(self) -> None:
        """[Tactics] The random card of the hand."""
        do(*draws("Grunts"))
        do(*draws("Humvee"))
        refused = do(*draws("Ambush", "Robot"))
        assert refused.code == 1
        assert "the hand has no more Robot [Tactics]" in words(refused)

        recorded = do("--anyway", *draws("Ambush", "Robot"))
        assert recorded.code == 0
        assert "Companion had Robot in the Deck" in words(recorded)
        assert places() == {"deck": 88, "hand": 2, "discard": 2}


@pytest.mark.usefixtures("physical")
class TestWordsThatMeanNothing:
    """Exit code 2, what there is instead, and nothing is kept."""

    def test_no_such_card(self) -> None:
        result = do(*draws("Tiger Tank"))
        assert result.code == 2
        assert "no card in the deck 'Tiger Tank'" in words(result)

    def test_two_cards_begin_so(self) -> None:
        result = do(*draws("Mort"))
        assert result.code == 2
        assert "'Mort' could be Mortar Attacks, Mortars" in words(result)

    def test_a_discard_that_is_not_held(self) -> None:
        for name in ("Grunts", "Humvee", "Robot", "Mortars"):
            do(*draws(name))
        result = do("discard=Pillbox", *draws("Artillery"))

        assert result.code == 1
        assert "You can name: Grunts, Humvee, Robot, Mortars, Artillery" in words(result)
        assert places() == {"deck": 88, "hand": 4}

    def test_an_answer_that_nothing_asked(self) -> None:
        result = do("destory=Grunts", *draws("Humvee"))
        assert result.code == 2
        assert "not asked for: destory=Grunts" in words(result)


@pytest.mark.usefixtures("physical")
class TestAgainstTheRules:
    """Exit code 1, with the rule."""

    def test_nothing_in_the_hand_is_enough(self) -> None:
        """[Destroy] There is no question then, and the refusal says why."""
        do(*draws("Grunts"))
        result = do("destroy=Grunts", *draws("Pillbox"))

        assert result.code == 1
        assert "Pillbox P5: no card in the hand can destroy it; the hand holds Grunts G1 [Destroy]" in words(result)
        assert places() == {"deck": 91, "hand": 1}

    def test_a_target_that_is_none(self) -> None:
        """[Disarm] Explosives only."""
        do(*draws("Robot"))
        result = do("disarm=Robot", *draws("Pillbox"))
        assert (result.code, "the Target is Pillbox P5 [Disarm]" in words(result)) == (1, True)

    def test_recon_without_a_recon_card(self) -> None:
        """[Recon] It has to be held."""
        result = do("recon=Predators", *draws("Grunts"))
        assert (result.code, "no Recon card is in the hand [Recon]" in words(result)) == (1, True)

    def test_a_discard_within_the_limit(self) -> None:
        """[Regroup] Only what is too many goes. [Regroup: four]"""
        result = do("discard=Grunts", *draws("Grunts"))
        assert (result.code, "the hand holds 1 card, and 4 may stay [Regroup]" in words(result)) == (1, True)


def test_a_script_with_too_little_is_left_at_the_question(physical: None) -> None:
    """Exit code 3; the answer can come later, and Enter is Companion's draw."""
    result = do()
    assert result.code == 3
    assert "Turn up the top card of the deck [Search]" in words(result)
    assert "64 names; ? lists them" in words(result)

    assert companion("answer", "--draw", "Grunts").code == 0
    assert places() == {"deck": 91, "hand": 1}


def test_draws_are_mixed_card_by_card() -> None:
    """[Search] Companion deals, and one card is named all the same; the others come from the seed as before."""
    companion("new", "fallujahcards", "--seed", "1", "--name", "dealt")
    first = companion("do", "turn", "--accept").out
    companion("undo")
    companion("do", "turn", "--draw", "Grunts")
    companion("undo")

    assert companion("do", "turn", "--accept").out == first


def test_a_piece_that_is_no_card_of_the_list_stops_nothing(physical: None) -> None:
    """A card added by the player to the deck is resolved manually."""
    companion("adjust", "new:other:Promo Card", "deck", "--why", "a gift")
    result = do(*draws("Promo"))

    assert result.code == 0
    assert "Promo Card is not a card of the list: settle it as you see fit. [Tactics]" in words(result)
    assert places() == {"deck": 92, "discard": 1}
    assert companion("odds", "fallujahcards", "next").code == 0


def test_a_hand_of_pieces_that_are_no_cards_can_still_be_discarded(physical: None) -> None:
    """[Regroup] Without a suggestion that means anything, but without a crash; and there are no odds for it."""
    for number in range(4):
        companion("adjust", f"new:other:Promo {number}", "hand", "--why", "a gift")
    companion("adjust", "new:other:Promo 4", "deck", "--why", "a gift")
    companion("do", "turn", "--draw", "Promo 4")
    companion("adjust", "Promo 4", "hand", "--why", "kept")
    result = do(*draws("Ambush", "Promo 1"))
    assert result.code == 0

    companion("adjust", "Promo 1", "hand", "--why", "kept")
    result = do(*draws("Coordination", "Pillbox", "Courtyard"))
    assert result.code == 3
    assert companion("bot").code == 0
    assert companion("answer", "Promo 2", "Promo 3").code == 0
    assert places()["hand"] == 4


class TestAHandThatWasPutRight:
    """[Tactics] The hand holds American cards alone, and after a correction as many as the player likes."""

    def test_an_insurgency_card_is_refused(self) -> None:
        companion("new", "fallujahcards", "--name", "mine")
        refused = companion("adjust", "Roof Top", "hand", "--why", "so it lies")

        assert refused.code == 1 and "only American cards join the hand, and Roof Top is not one [Tactics]" in words(refused), (
            words(refused)
        )
        assert places() == {"deck": 92}

    def test_a_larger_one_is_advised(self) -> None:
        companion("new", "fallujahcards", "--name", "mine", "--draws", "physical")
        hand = ("AC-130 Slayer", "Cobra Helicopter Gunships", "F/A-18 Fighters", "Mortars", "Robot", "Pioneers", "Disposal Team")
        for name in hand:
            companion("adjust", name, "hand", "--why", "so it lies")
        do(*draws("Roof Top"))

        asked = companion("status", "--json").json["pending"]
        assert places()["hand"] == len(hand)
        assert asked["key"] == "destroy" and companion("bot").code == 0


def test_a_card_that_was_put_down_as_the_target_is_the_target_of_the_turn() -> None:
    """[Search] No second card is turned up beside it, and a second Target is refused."""
    companion("new", "fallujahcards", "--name", "mine", "--draws", "physical")
    companion("adjust", "Predators", "target", "--why", "turned up already")
    refused = companion("adjust", "Humvee", "target", "--why", "x")
    assert refused.code == 1 and "Predators is the Target already [Search]" in words(refused)
    turned = companion("do", "turn", "recon=no")
    assert turned.code == 0 and "Predators R lies face up: it is the Target. [Search]" in words(turned)
    assert places() == {"deck": 91, "hand": 1}

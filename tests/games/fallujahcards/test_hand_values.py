"""Values of whole hands, against an independent slow solution and manual calculation."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from companion.games.fallujahcards.ai.features import PASS, DecisionPoint
from companion.games.fallujahcards.ai.planner import suggestion
from companion.games.fallujahcards.ai.solver import HandIndex, HandSolution, solve_hands
from tests.games.fallujahcards.brute import Card, Cards, stops
from tests.games.fallujahcards.test_odds import CARDS, TABLES, number, numbers, priorities


@cache
def moves(elimination: str = "all", american_tactics: str = "hand") -> HandIndex:
    return HandIndex(priorities(elimination, american_tactics).model)


class Slow:
    """Best play where each card is drawn from the same deck anew, and no Recon card is played."""

    def __init__(self, deck: Cards, counts_all: bool, keeps_tactics: bool) -> None:
        self.deck = deck
        self.counts_all = counts_all
        self.keeps_tactics = keeps_tactics

    def worth(self, hand: Cards, left: int) -> float:
        if len(hand) > 4:
            return max(self.worth(hand[:index] + hand[index + 1 :], left) for index in range(len(hand)))
        return sum(self.turn(card, hand, left - 1) for card in self.deck) / len(self.deck) if left else 0.0

    def turn(self, card: Card, hand: Cards, left: int) -> float:
        letter, force = card
        smaller = [hand[:index] + hand[index + 1 :] for index in range(len(hand))]
        if letter == "N":
            return sum(self.worth(rest, left) for rest in smaller) / len(smaller) if smaller else self.worth(hand, left)
        if letter == "T":
            return self.drawn(min(2, left), (*hand, card) if self.keeps_tactics else hand, left - min(2, left))
        if letter in "GASRD":
            return self.worth((*hand, card), left)
        played = [
            force + (played_card[1] if self.counts_all else 0) + self.worth(rest, left)
            for played_card, rest in zip(hand, smaller, strict=True)
            if stops(played_card, card)
        ]
        return max(-force + self.worth(hand, left), *played) if played else -force + self.worth(hand, left)

    def drawn(self, more: int, hand: Cards, left: int) -> float:
        """American Tactics; the hand is brought down to its limit before each card."""
        if len(hand) > 4:
            return max(self.drawn(more, hand[:index] + hand[index + 1 :], left) for index in range(len(hand)))
        if not more:
            return self.worth(hand, left)
        hands = [(*hand, card) if card[0] in "TGASRD" else hand for card in self.deck]
        return sum(self.drawn(more - 1, larger, left) for larger in hands) / len(hands)


@pytest.mark.parametrize(("elimination", "american_tactics"), [("all", "hand"), ("insurgents", "discard")])
@pytest.mark.parametrize("seed", range(6))
def test_hands_have_the_value_of_the_slow_solution(elimination: str, american_tactics: str, seed: int) -> None:
    """[Tactics, Destroy, Disarm, Regroup] Hands of up to four cards, up to three cards before the end."""
    random = Random(seed)
    cards = random.sample(CARDS, 12)
    deck, hand = (*cards[:6], ("T", 0)), tuple(card for card in cards[6:] if card[0] in "GASRDT")[:4]
    policy = priorities(elimination, american_tactics)
    solved = HandSolution(moves(elimination, american_tactics), numbers(deck, policy), 3)
    slow = Slow(deck, elimination == "all", american_tactics == "hand")

    for left in range(4):
        place = solved.moves.number[tuple(sorted(numbers(hand, policy)))]
        assert solved.worth[left][place] == pytest.approx(slow.worth(hand, left))


def test_a_hand_worked_out_by_hand() -> None:
    """[Destroy] Grunts and the Patrol, two cards to come, each a Courtyard of 1 or a Pillbox of 5.

    One card: the Patrol stops either, (6 + 10) / 2 = 8; Grunts alone the Courtyard, (2 - 5) / 2 = -1.5. Two: a Courtyard is left
    to Grunts, 2 + 8; a Pillbox to the Patrol, 10 - 1.5: 9.25.
    """
    policy = priorities()
    solved = HandSolution(moves(), numbers([("P", 1), ("P", 5)], policy), 2)

    def worth(left: int, *hand: Card) -> float:
        return solved.worth[left][solved.moves.number[tuple(sorted(numbers(hand, policy)))]]

    assert (worth(1, ("G", 1), ("G", 5)), worth(1, ("G", 1)), worth(2, ("G", 1), ("G", 5))) == (8.0, -1.5, 9.25)


def test_cards_that_can_do_nothing_are_worth_the_same_and_recon_is_given_up_last() -> None:
    """[Regroup] American Tactics and Recon are alike in the solution; of both, Recon stays, which can still look."""
    policy = priorities()
    hands = solve_hands(TABLES, policy.model)
    tactics, scout = number(("T", 0), policy), number(("R", 0), policy)
    rest = tuple(sorted(numbers([("G", 5), ("G", 4), ("S", 5)], policy)))

    assert hands.hand(tuple(sorted((*rest, tactics))), 12) == hands.hand(tuple(sorted((*rest, scout))), 12)
    for known in ((), numbers([("N", 0)], policy)):
        point = DecisionPoint(
            "Regroup", PASS, tuple(sorted((*rest, tactics, scout))), known, tuple(sorted(numbers(CARDS[:30], policy)))
        )
        assert suggestion(point, hands, 4) == tactics


def test_unseen_cards_decide() -> None:
    """[Destroy] Jihadists of 4: the Patrol of 5 is kept while Targets of 5 may come, and goes once none is left."""
    policy = priorities()
    hands = solve_hands(TABLES, policy.model)
    target, hand = number(("I", 4), policy), tuple(sorted(numbers([("G", 4), ("G", 5)], policy)))
    rest: Cards = (("I", 4), ("I", 2), ("P", 3), ("P", 1), ("X", 4), ("X", 2), ("S", 3), ("G", 2), ("N", 0))
    for unseen, chosen in (((*rest, ("P", 5), ("X", 5)), ("G", 4)), (rest, ("G", 5))):
        deck = tuple(sorted(numbers(unseen, policy)))

        assert suggestion(DecisionPoint("Destroy", target, hand, (), deck), hands.against(deck, 8), 4) == number(chosen, policy)
    assert hands.stop(target, hand, len(rest)) == number(("G", 4), policy)


def test_before_the_end_hands_are_valued_by_unseen_cards() -> None:
    """[Scoring] Of the last sixteen cards the whole deck tells; what is unseen, of eight before those, and of all before."""
    hands = solve_hands(TABLES, priorities().model)
    deck = tuple(sorted(numbers(CARDS[:40], priorities())))
    near = hands.against(deck, 8)

    assert near.at(16) is hands.at(16) and near.at(5) is hands.at(5)
    assert near.at(17) is not hands.at(17) and near.at(17) is near.at(40) is near.at(60)
    assert hands.against(deck, 8) is near and hands.against(deck, 0) is hands


def test_near_the_end_the_unseen_cards_tell_of_the_next_eight() -> None:
    """[Scoring] Twelve cards unseen: the last four by the whole deck, each of the eight before by its own number of cards."""
    hands = solve_hands(TABLES, priorities().model)
    deck = tuple(sorted(numbers(CARDS[:12], priorities())))
    near = hands.against(deck, 8)

    assert near.at(4) is hands.at(4)
    assert len({id(near.at(left)) for left in range(5, 13)}) == 8
    assert near.at(40) is near.at(12)

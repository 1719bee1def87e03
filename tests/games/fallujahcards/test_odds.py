"""The estimates against independent solutions and against the procedures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

import pytest

from companion.core.errors import Illegal
from companion.core.events import PieceMoved
from companion.core.procedures import ProcedureRun, Progress
from companion.core.requests import Draw
from companion.games import make_game
from companion.games.fallujahcards.ai.features import PASS, DecisionPoint, options
from companion.games.fallujahcards.ai.planner import (
    Playouts,
    choose,
    decide,
    evaluate,
    exact,
    is_clear,
    suggestion,
    valued_option,
)
from companion.games.fallujahcards.ai.solver import HandValues, solve_hands
from companion.games.fallujahcards.ai.valuation import Priorities, read_priorities
from companion.games.fallujahcards.odds import decision_odds
from companion.games.fallujahcards.referee import CardReferee
from companion.games.fallujahcards.rules.r3_turn import turn
from companion.games.fallujahcards.state import kind_of, type_of
from companion.session.tables import load
from tests.games.fallujahcards.brute import Best, Card, Cards, Played, stops
from tests.games.fallujahcards.dealt import Dealt

TABLES = load("fallujahcards")
TYPES = TABLES.charts["types"]
CARDS: list[Card] = [(card["type"], card.get("force", 0)) for card in TABLES.counters["card"] for _ in range(card["count"])]


@cache
def priorities(elimination: str = "all", american_tactics: str = "hand") -> Priorities:
    return read_priorities(TABLES, elimination, american_tactics)


@cache
def by_hands(elimination: str = "all", american_tactics: str = "hand") -> HandValues:
    return solve_hands(TABLES, priorities(elimination, american_tactics).model)


def number(card: Card, policy: Priorities) -> int:
    return policy.model.code[kind_of(*card, TYPES)]


def numbers(cards: Sequence[Card], policy: Priorities) -> tuple[int, ...]:
    return tuple(number(card, policy) for card in cards)


def a_spot(
    random: Random, phase: str, unseen: int, known: int, policy: Priorities
) -> tuple[DecisionPoint, Card | None, Cards, Cards, Cards]:
    """A random decision, for the estimates and for the slow solution."""
    deck = random.sample(CARDS, len(CARDS))
    target = next(card for card in deck if card[0] in {"Destroy": "IP", "Disarm": "X"}.get(phase, "N"))
    deck.remove(target)
    must = ("R", 0) if phase == "Recon" else ("G", 5)
    deck.remove(must)
    size = 5 if phase == "Regroup" else random.randint(2, 4)
    others = [card for card in deck if card[0] in "TGASRD"][: size - 1]
    for card in others:
        deck.remove(card)
    hand, top, rest = (must, *others), tuple(deck[:known]), tuple(deck[known : known + unseen])
    point = DecisionPoint(
        phase,
        number(target, policy) if phase in ("Destroy", "Disarm") else PASS,
        tuple(sorted(numbers(hand, policy))),
        numbers(top, policy),
        tuple(sorted(numbers(rest, policy))),
    )
    return point, target, hand, top, rest


def slow(
    best: Best, point: DecisionPoint, policy: Priorities, target: Card | None, hand: Cards, top: Cards, rest: Cards
) -> dict[int, float]:
    """Every choice by the slow solution."""
    if point.phase == "Recon":
        return {PASS: best.regroup(hand, top, rest), policy.model.scout: best.look(hand, top, rest)}
    if point.phase == "Regroup":
        given_up = {number(card, policy): card for card in hand}
        left = {
            option: tuple(card for index, card in enumerate(hand) if index != hand.index(gone))
            for option, gone in given_up.items()
        }
        return {option: best.regroup(kept, top, rest) for option, kept in left.items()}
    assert target is not None
    able: dict[int, Card | None] = {number(card, policy): card for card in hand if stops(card, target)}
    return {option: best.play(target, card, hand, top, rest) for option, card in {**able, PASS: None}.items()}


# -- exact -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", ["Destroy", "Disarm", "Recon", "Regroup"])
@pytest.mark.parametrize(("elimination", "american_tactics"), [("all", "hand"), ("insurgents", "discard")])
@pytest.mark.parametrize("seed", range(8))
def test_few_cards_are_solved_exactly(phase: str, elimination: str, american_tactics: str, seed: int) -> None:
    """[Scoring] Best play over every order of up to four unseen cards, behind up to two known ones, as the slow solution."""
    random = Random(f"{phase}{seed}")
    policy = priorities(elimination, american_tactics)
    case = a_spot(random, phase, random.randint(1, 4 if phase != "Recon" else 3), random.randint(0, 2), policy)
    best = Best(elimination == "all", american_tactics == "hand")
    wanted = slow(best, case[0], policy, *case[1:])

    values = {estimate.decision: estimate.value for estimate in exact(case[0], policy, options(case[0], policy.model)[0])}

    assert values == pytest.approx(wanted)


def test_a_decision_worked_out_by_hand() -> None:
    """[Destroy] Grunts or the Patrol against a Courtyard of 1, when one more card comes, a Pillbox or a second Courtyard.

    Grunts now: 1 + 1, then the Patrol stops either: (5 + 5 + 1 + 5) / 2 = 8 more. The Patrol now: 1 + 5, then Grunts stop
    only the Courtyard: (-5 + 1 + 1) / 2 = -1.5 more. Declined: -1, and the Patrol afterwards: 8.
    """
    policy = priorities()
    hand = numbers([("G", 1), ("G", 5)], policy)
    one_of_two = []
    for last in (("P", 5), ("P", 1)):
        point = DecisionPoint("Destroy", number(("P", 1), policy), tuple(sorted(hand)), (), numbers([last], policy))
        one_of_two.append({estimate.decision: estimate.value for estimate in exact(point, policy, PASS)})

    mean = {option: (one_of_two[0][option] + one_of_two[1][option]) / 2 for option in one_of_two[0]}

    assert mean == {number(("G", 1), policy): 10.0, number(("G", 5), policy): 4.5, PASS: 7.0}


# -- playouts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", ["Destroy", "Disarm", "Regroup"])
@pytest.mark.parametrize("seed", range(4))
def test_playouts_estimate_the_value_of_the_policy(phase: str, seed: int) -> None:
    """[Scoring] The mean lies within four standard errors of the policy's exact value over every order of five cards."""
    policy = priorities()
    kinds = {number(card, policy): card for card in CARDS}

    def stop(target: Card, hand: Cards, left: int) -> Card | None:
        chosen = by_hands().at(left).stop(number(target, policy), tuple(sorted(numbers(hand, policy))))
        return None if chosen == PASS else next(card for card in hand if number(card, policy) == chosen)

    def drop(hand: Cards, left: int) -> Card:
        chosen = by_hands().at(left).drop(tuple(sorted(numbers(hand, policy))))
        return next(card for card in hand if number(card, policy) == chosen)

    case = a_spot(Random(f"{phase}{seed}"), phase, 5, 0, policy)
    wanted = slow(Played(stop, drop), case[0], policy, *case[1:])
    playouts = Playouts(case[0], by_hands(), options(case[0], policy.model)[0], 1500)
    playouts.run(1500)

    assert set(kinds) == set(range(len(policy.model.kinds)))
    for estimate in playouts.estimates():
        assert estimate.value == pytest.approx(wanted[estimate.decision], abs=4 * estimate.error + 1e-9)


@pytest.mark.parametrize(("given_up", "points"), [(("R", 0), 2), (("G", 1), -1), (("S", 5), 2)])
def test_a_hand_two_cards_too_large_is_down_to_its_limit_before_the_next_card(given_up: Card, points: int) -> None:
    """[Regroup, Disarm] Recon, Grunts and four Supports, and one card to come, Explosives of 1, which Grunts alone stop.

    Four Supports for one card to come are too many, two of them together being worth less than one: with Recon or a Support
    given up another Support goes, or Recon, and Grunts stop the Explosives: 1 + 1. Grunts given up: nothing stops them: -1.
    """
    policy = priorities()
    hand = tuple(sorted(numbers([("R", 0), ("G", 1), ("S", 3), ("S", 4), ("S", 5), ("S", 5)], policy)))
    playouts = Playouts(DecisionPoint("Regroup", PASS, hand, (), numbers([("X", 1)], policy)), by_hands(), hand[0], 2)
    playouts.run(2)

    worth = {estimate.decision: (estimate.value, estimate.error) for estimate in playouts.estimates()}

    assert worth[number(given_up, policy)] == (points, 0.0)


@pytest.mark.parametrize("phase", ["Destroy", "Disarm", "Recon", "Regroup"])
@pytest.mark.parametrize("known", [0, 2])
def test_leads_do_not_change_once_the_hands_are_equal(phase: str, known: int) -> None:
    """[Scoring] Shuffles that are cut off there give the same leads and errors as those that are played to the end."""
    policy = priorities()
    point = a_spot(Random(f"{phase}{known}"), phase, 40, known, policy)[0]
    leads = []
    for full in (60, 2):
        playouts = Playouts(point, by_hands(), options(point, policy.model)[0], full)
        playouts.run(60)
        estimates = playouts.estimates()
        leads.append([(option.decision, option.measures["lead"], option.measures["lead_error"]) for option in estimates])

    assert leads[0] == leads[1] and any(lead for _, lead, _ in leads[0])


def a_pillbox() -> tuple[DecisionPoint, int]:
    """A Pillbox of 5 and the Patrol, which is plainly to be played."""
    policy = priorities()
    patrol = number(("G", 5), policy)
    unseen = tuple(sorted(numbers(CARDS[20:80], policy)))
    return DecisionPoint("Destroy", number(("P", 5), policy), (number(("G", 1), policy), patrol), (), unseen), patrol


def test_a_choice_that_fell_behind_is_dropped() -> None:
    """[Destroy] To decline is soon behind, and no more shuffles are its; the reference is never left out."""
    point, patrol = a_pillbox()
    playouts = Playouts(point, by_hands(), patrol, 20)
    playouts.run(50)

    assert not playouts.drop(0.5)
    first = playouts.estimates()
    playouts.run(50)
    again = playouts.estimates()
    assert [estimate.measures["lead"] for estimate in again] == [estimate.measures["lead"] for estimate in first]
    assert [estimate.measures["lead_error"] for estimate in again] == [estimate.measures["lead_error"] for estimate in first]
    assert [estimate.measures["playouts"] for estimate in again] == [100 if one.decision == patrol else 50 for one in again]

    worse = Playouts(point, by_hands(), PASS, 20)
    worse.run(50)
    assert worse.drop(0.5)


@pytest.mark.parametrize("budget", [300, 30])
def test_shuffles_stop_when_nothing_can_catch_up(budget: int) -> None:
    """[Destroy] A decision that is plain takes one batch, one that is not the whole budget; the same every time."""
    point, patrol = a_pillbox()
    settings = TABLES.bot["playouts"]

    plain = decide(point, priorities(), by_hands(), settings, budget, lambda progress: None)

    assert (plain.option, plain.runs) == (patrol, min(settings["batch"], budget))
    assert decide(point, priorities(), by_hands(), settings, budget, lambda progress: None) == plain
    runs = [evaluate(point, by_hands(), settings, budget, PASS, lambda progress: None) for _ in range(2)]
    assert runs[0] == runs[1] and runs[0][1] == budget


def test_a_clear_choice_is_recognised_by_the_whole_deck() -> None:
    """[Destroy] The Patrol for a Pillbox of 5 is clear, for a Courtyard of 1 it is not; with known cards nothing is."""
    pillbox, patrol = a_pillbox()
    courtyard = pillbox._replace(target=number(("P", 1), priorities()), hand=(patrol,))

    assert is_clear(pillbox, by_hands(), 2.0) and not is_clear(courtyard, by_hands(), 2.0)
    assert not is_clear(pillbox._replace(known=(patrol,)), by_hands(), 2.0)


def test_playouts_see_ahead_through_known_cards() -> None:
    """[Recon] With a Pillbox known to be next, the Patrol is kept for it."""
    table = Dealt(hand=["Marine Rifle Squad", "Mounted Patrol"], top=["Jihadists", "Pillbox"])
    table.turn(accept=True)

    assert table.hand == ["Mounted Patrol"]


def test_the_same_position_has_the_same_odds() -> None:
    """Seeded from the position: asking twice tells nothing new."""
    table = Dealt(hand=["SMAW Launcher", "Mounted Patrol", "Artillery"])
    first, second = odds_at(table, ["Rocket Attacks"]), odds_at(table, ["Rocket Attacks"])

    assert first == second
    assert [label for label, _ in first.means] == sorted(
        (label for label, _ in first.means), key=dict(first.means).get, reverse=True
    )


def odds_at(table: Dealt, draws: list[str]):
    """The odds of the first choice of a turn."""
    run, _ = to_choice(table, draws)
    assert run.request is not None
    assert run.request.odds is not None
    return run.request.odds()


def to_choice(table: Dealt, draws: list[str]) -> tuple[ProcedureRun, CardReferee]:
    referee = table.game.referee(table.position, table.options)
    run = ProcedureRun(referee, turn(referee))
    while isinstance(run.request, Draw):
        run.send(run.request.read(draws.pop(0)))
    return run, referee


def test_the_odds_of_a_choice_have_a_title() -> None:
    """[Destroy] Each legal choice by name with its standard error, the next card by type, and how sure it is."""
    table = Dealt(hand=["SMAW Launcher", "Mounted Patrol", "Artillery"])
    odds = odds_at(table, ["Rocket Attacks"])
    labels = [label for label, _ in odds.means]

    assert {label.partition(":")[0] for label in labels} == {
        "play SMAW Launcher (G3)",
        "play Mounted Patrol (G5)",
        "play Artillery (S3)",
        "decline (Rocket Attacks I3 is a casualty)",
    }
    assert all("expected final score (+-" in label for label in labels)
    assert all(120 < mean < 230 for _, mean in odds.means)
    assert labels[-1].startswith("decline")
    assert odds.rule == "Destroy"
    assert odds.sections == ()
    assert odds.notes[0].startswith("From 1500 shuffles of the 88 unseen cards")
    assert "these scores are low" in odds.notes[1]
    assert odds.notes[-1] == "What the next card may be: /odds next"


def test_few_unseen_cards_make_the_odds_exact() -> None:
    """[Scoring] No error is shown then, and the note says so."""
    table = Dealt(hand=["Grunts", "Mounted Patrol"], deck=["Courtyard", "Pillbox"])
    odds = odds_at(table, ["Courtyard"])

    assert dict(odds.means) == {
        "play Grunts (G1): expected final score": 112.0,
        "play Mounted Patrol (G5): expected final score": 101.0,
        "decline (Courtyard P1 is a casualty): expected final score": 109.0,
    }
    assert odds.notes[0] == "Exact: best play over every order of the 1 unseen card."


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hand", "draws", "key"),
    [
        (["Grunts", "Humvee"], ["Courtyard"], "destroy"),
        (["Grunts", "Robot"], ["Low Tech Bomb"], "disarm"),
        (["Predators"], ["Humvee"], "recon"),
        (["Grunts", "Humvee", "Robot", "Mortars"], ["Artillery"], "discard"),
    ],
)
def test_every_decision_offers_odds_and_a_suggestion(hand: list[str], draws: list[str], key: str) -> None:
    """[Destroy, Disarm, Recon, Regroup] At the prompt, and the suggestion is one of the legal choices."""
    run, referee = to_choice(Dealt(hand=hand), draws)
    request = run.request
    assert request is not None
    assert request.key == key
    assert request.suggest in [choice.value for choice in request.legal_choices()]
    assert request.odds is not None
    assert len(request.odds().means) == len(request.legal_choices())
    assert decision_odds(referee).title == f"{referee.position.flag('phase')}: what each choice leads to"


def test_a_recon_card_that_has_to_go_anyway_is_played() -> None:
    """[Recon] With five in the hand a look is free; with fewer the card is kept against setbacks."""
    policy = priorities()
    deck = tuple(sorted(numbers(CARDS[:40], policy)))
    four = numbers([("R", 0), ("G", 1), ("A", 2), ("S", 3)], policy)
    five = (*four, number(("G", 5), policy))

    assert suggestion(DecisionPoint("Recon", PASS, tuple(sorted(four)), (), deck), policy, 4) == PASS
    assert suggestion(DecisionPoint("Recon", PASS, tuple(sorted(five)), (), deck), policy, 4) == policy.model.scout


# -- the fast model is the rules ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("elimination", "american_tactics"), [("all", "hand"), ("insurgents", "discard")])
@pytest.mark.parametrize("seed", range(6))
def test_the_fast_model_plays_by_the_procedures(elimination: str, american_tactics: str, seed: int) -> None:
    """[Turn Sequence] The same shuffle, the same luck and the same choices give the same score, to the point."""
    random = Random(seed)
    policy = priorities(elimination, american_tactics)
    game = make_game("fallujahcards", TABLES)
    table = Dealt(american_tactics=american_tactics)
    table.options["elimination"] = elimination
    cards = random.sample(table.position.at("deck"), 92)
    luck = [random.random() for _ in range(8)]
    order, strokes = [card.name for card in cards], list(luck)
    while not game.over(table.position):
        referee = game.referee(table.position, table.options)
        run = ProcedureRun(referee, turn(referee))
        while run.request is not None:
            run.send(answer(run.request, referee, policy, by_hands(elimination, american_tactics), order, strokes))
        target = next(event.id for event in referee.events if isinstance(event, PieceMoved) and event.now == "target")
        if len(table.position.at("hand")) < 2 and type_of(referee.piece(target)) == "N":
            strokes.pop()  # no card is lost, or the only one, without a question
        table.position = referee.position

    deck = [policy.model.code[referee.kind(card)] for card in reversed(cards)]
    points = by_hands(elimination, american_tactics).play([()], deck, luck, True)[0]

    assert game.score(table.position, table.options).total == 100 + points
    assert order == []


def answer(request, referee: CardReferee, policy: Priorities, hands: HandValues, order: list[str], luck: list[float]):
    """The decision of the fast model at a question of the procedures."""
    if isinstance(request, Draw):
        if request.cup == "deck":
            return request.read(order.pop(0))
        cards = sorted(referee.hand, key=lambda card: referee.codes([card], policy.model))
        return cards[int(luck.pop() * len(cards))].name
    if request.key == "recon":
        return "no"
    hand, stage = tuple(sorted(referee.codes(referee.hand, policy.model))), hands.at(referee.left)
    if request.key == "discard":
        return referee.cards_of(stage.drop(hand))[0].name
    target = referee.codes(referee.position.at("target"), policy.model)[0]
    chosen = stage.stop(target, hand)
    return "decline" if chosen == PASS else referee.cards_of(chosen)[0].name


# -- situations and the bot --------------------------------------------------------------------------------------------


def test_the_next_card_by_type_is_counted() -> None:
    """[Search] From what the deck holds: of 92 cards 14 Insurgents; of those seen by Recon none is unknown."""
    odds = Dealt().odds("next")
    chances = dict(odds.sections[0][1])
    assert chances["I Insurgents"] == pytest.approx(14 / 92)
    assert chances["R Recon"] == pytest.approx(7 / 92)
    assert dict(odds.sections[1][1])["American"] == pytest.approx(50 / 92)
    assert dict(odds.sections[1][1])["a Target that it cannot stop"] == pytest.approx(34 / 92)
    assert dict(odds.sections[2][1])["5"] == pytest.approx(6 / 92)

    odds = Dealt(hand=["SMAW Launcher"], deck=["Pillbox", "Courtyard", "Car Bomb", "Robot"], top=["Ambush"]).odds("next")
    assert odds.sections[0][0] == "The card after the 1 known one is"
    assert dict(odds.sections[1][1])["a Target that the hand can stop"] == pytest.approx(2 / 4)
    assert odds.notes == ("The next cards, in order: Ambush N.",)


def test_no_odds_without_a_deck_and_without_a_decision() -> None:
    """[Search] Each says why."""
    with pytest.raises(Illegal, match="the deck is empty"):
        Dealt(deck=[]).odds("next")
    with pytest.raises(Illegal, match="nothing is to be decided now"):
        Dealt().odds("decision")


def test_more_playouts_make_the_error_smaller_and_tell_how_far_they_are() -> None:
    """[Scoring] ``odds fallujahcards decision runs=N``."""
    _, referee = to_choice(Dealt(hand=["SMAW Launcher", "Mounted Patrol"]), ["Rocket Attacks"])
    table = Dealt()
    table.position = referee.position
    few, many = table.odds("decision", "runs=200"), table.odds("decision", "runs=1200")

    assert [effect.done for effect in table.effects if isinstance(effect, Progress)] == [500, 1000, 1200]
    assert error(many.means[0][0]) < error(few.means[0][0])


def error(label: str) -> float:
    return float(label.partition("+-")[2].rstrip(")"))


def test_the_bot_keeps_to_its_priorities_unless_another_choice_is_surely_better() -> None:
    """Two standard errors: less could be chance."""
    own = valued_option(3, 10.0, 0.5, 0.0, 0.0, True)
    ahead = valued_option(4, 10.3, 0.5, 0.3, 0.2, False)

    assert choose([own, ahead], 2.0) is own
    assert choose([own, valued_option(4, 10.3, 0.5, 0.3, 0.1, False)], 2.0).decision == 4
    assert choose([own, valued_option(4, 10.3, 0.5, 0.3, 0.0, False)], 2.0).decision == 4

"""The review of a finished game."""

from __future__ import annotations

from bisect import bisect_left

import pytest

from companion.core.events import Event, FlagSet, PieceMade, Said, TrackMoved
from companion.core.match import Match
from companion.core.policies import PLAIN, RandomStream
from companion.core.position import Position
from companion.core.procedures import ProcedureRun
from companion.core.requests import Draw
from companion.games.fallujahcards.ai.policies import deck_order, played_decisions
from companion.games.fallujahcards.ai.valuation import score_rank
from companion.games.fallujahcards.rules.r3_turn import turn
from tests.games.fallujahcards.dealt import Dealt
from tests.support.commands import companion

MEASURED = {"rulings": {"elimination": "all"}, "policies": {"plain": list(range(101, 200))}}


def one_turn(table: Dealt, *replies: str) -> list[Event]:
    """The events of a turn, whose draws and decisions are answered in order."""
    referee = table.game.new_referee(table.position, table.options)
    run, left = ProcedureRun(referee, turn(referee)), list(replies)
    while run.request is not None:
        reply = left.pop(0)
        run.send(run.request.read(reply) if isinstance(run.request, Draw) else run.request.check(reply))
    assert not left
    table.position = referee.position
    return referee.events


def test_a_score_is_ranked_among_games_that_were_measured() -> None:
    """[Scoring] 150 beats the games that ended below 150: those under the 49 scores 101 to 149."""
    assert score_rank(150, MEASURED, {"elimination": "all"}) == "Higher than 49 of 100 games of 'plain' (middle: 150)."
    assert "Higher than 0 of 100" in score_rank(90, MEASURED, {}) and "Higher than 99 of 100" in score_rank(250, MEASURED, {})
    assert score_rank(150, MEASURED, {"elimination": "insurgents"}) == ""


def test_the_shipped_distribution_is_that_of_pressing_enter() -> None:
    """[Scoring] Of 60 games of another seed, about half lie below the middle: 30 +- 4 is one standard error."""
    table = Dealt()
    plain = table.game.tables.bot["scores"]["policies"]["plain"]
    assert len(plain) == 99 and plain == sorted(plain)
    ranks = []
    for index in range(60):
        match = Match(
            table.game, table.options, {"player": table.game.players.policy("player", PLAIN)}, RandomStream(f"rank {index}"), {}
        )
        match.begin()
        match.play()
        ranks.append(bisect_left(plain, table.game.score(match.position, table.options).total))
    assert 16 <= sum(rank < 50 for rank in ranks) <= 44
    assert min(ranks) < 25 and max(ranks) > 75


def test_decisions_are_found_in_the_events_of_a_game() -> None:
    """[Destroy, Recon, Regroup] What was played, declined, looked with and given up, with the hand as it was then."""
    table = Dealt(hand=["Grunts", "Mounted Patrol", "Predators"])
    start = table.position
    seen = ["Humvee", "Robot", "Artillery", "Pillbox", "Courtyard"]
    story = [
        one_turn(table, "Courtyard", "Mounted Patrol", "no"),
        one_turn(table, "Roof Top", "no"),
        one_turn(table, "Mortars", "Predators", *seen),
        one_turn(table),
        one_turn(table),
        one_turn(table, "Mortars"),
    ]

    model = table.game.referee(start, {}).priorities().model  # type: ignore[attr-defined]
    met = list(played_decisions(table.game, table.options, [made(start), *story]))
    names = [(decision.spot.phase, model.kinds[decision.option].force if decision.option >= 0 else "pass") for decision in met]
    assert names == [("Destroy", 5), ("Recon", "pass"), ("Recon", "pass"), ("Recon", 0), ("Regroup", 1)]
    assert [len(decision.spot.hand) for decision in met[:4]] == [3, 2, 2, 3]
    assert len(met[0].spot.deck) == 88 and len(met[4].spot.known) == 2
    assert deck_order(story, start) == []  # not all cards have come


def made(start: Position) -> list[Event]:
    """A set-up that leads to a position."""
    cards: list[Event] = [
        PieceMade(card.id, card.kind, card.name, card.place, values=card.values) for card in start.pieces.values()
    ]
    tracks = [TrackMoved(name, 0, value) for name, value in start.tracks.items()]
    return [*cards, *tracks, *(FlagSet(name, None, value) for name, value in start.flags.items())]


def whole_game(seed: str) -> tuple[Dealt, list[list[Event]], list[str]]:
    """A game in which Enter is pressed, with the order of its cards."""
    table = Dealt()
    referee = table.game.new_referee(Position(), table.options)
    run = ProcedureRun(referee, table.game.setup(referee))
    assert run.done
    story, number, order = [list(referee.events)], RandomStream(seed).randbelow, []
    position = referee.position
    while not table.game.over(position):
        referee = table.game.new_referee(position, table.options)
        run = ProcedureRun(referee, turn(referee))
        while (request := run.request) is not None:
            if isinstance(request, Draw):
                cards = position_cards(referee, request)
                name = cards[number(len(cards))]
                order += [name] if request.cup == "deck" else []
                run.send(request.read(name))
            else:
                run.send(request.check(request.forced_reply() or request.suggest))
        position = referee.position
        story.append(list(referee.events))
    table.position = position
    return table, story, order


def position_cards(referee, request: Draw) -> list[str]:  # type: ignore[no-untyped-def]
    return [card.name for card in referee.position.at("deck" if request.cup == "deck" else "hand")]


@pytest.mark.slow
def test_a_review_of_a_whole_game() -> None:
    """[Scoring] The order of the deck is known at its end; without a budget the bot does what Enter does, and scores the same
    but for what Insurgent Tactics cost.
    """
    table, story, order = whole_game("a")
    shown = []
    score = table.game.score(table.position, table.options).total

    review = table.game.players.review(story, table.options, 0, shown.append)

    assert isinstance(review, Said)
    assert deck_order(story[1:], Dealt().position) == order and len(order) == 92
    assert review.text.startswith(f"You score {score}; the bot, with the same cards, ")
    assert abs(int(review.text.rstrip(".").rpartition(" ")[2]) - score) < 60
    assert review.because[0] == score_rank(score, table.game.tables.bot["scores"], table.options)
    assert "by its priorities alone" in review.because[1]
    assert shown[-1].done == shown[-1].total and len(shown) > 60


def test_the_costliest_decision_is_named() -> None:
    """[Destroy] A game of one Courtyard and a Pillbox: the Patrol against the Courtyard leaves Grunts to the Pillbox."""
    table = Dealt(hand=["Grunts", "Mounted Patrol"], deck=["Courtyard", "Pillbox"])
    start = table.position
    story = [one_turn(table, "Courtyard", "Mounted Patrol"), one_turn(table, "Pillbox")]

    review = table.game.players.review([made(start), *story], table.options, 0, lambda progress: None)

    assert review is not None and review.text == "You score 101; the bot, with the same cards, 112."
    assert review.because[-1] == "Turn 1, Destroy: play Mounted Patrol (G5); better: play Grunts (G1), +11.0"


def test_the_bot_is_not_dealt_cards_that_did_not_come_by_the_rules() -> None:
    """[Search] After a manual move of a card out of the deck, the order of the deck is unknown."""
    _, story, _ = whole_game("b")
    moved = next(event for event in story[1] if getattr(event, "was", "") == "deck")
    story[1][story[1].index(moved)] = moved._replace(now="casualty")

    assert deck_order(story[1:], Dealt().position) == []


@pytest.mark.slow
def test_a_game_that_is_over_says_how_it_compares() -> None:
    """[Scoring] At once with the last card; the rest when the bot is asked."""
    companion("new", "fallujahcards", "--seed", "5", "--name", "p", "--think", "0")
    while "The deck is used up" not in (done := companion("do", "turn", "--accept")).out:
        assert not done.code
    text = " ".join(done.out.split())
    assert "of 100 games of 'plain'" in text and "what cost most: companion bot" in text

    review = " ".join(companion("bot").out.split())
    assert "the bot, with the same cards," in review and "by its priorities alone" in review
    assert "better:" in review or "No decision can be shown" in review

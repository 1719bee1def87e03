"""The bot: what it is asked, what it may know, and what it tells."""

from __future__ import annotations

import random

import pytest

from companion.core.events import Said
from companion.core.match import Match
from companion.core.policies import BOT, PLAIN, RANDOM, DecisionContext, RandomStream
from companion.core.position import Position
from companion.core.procedures import ProcedureRun
from companion.core.requests import Draw
from companion.core.rollouts import LEVELS, DecisionStats
from companion.games.fallujahcards.referee import CardReferee
from companion.games.fallujahcards.rules.r3_turn import turn
from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.games.fallujahcards.dealt import Dealt


def to_choice(table: Dealt, draws: list[str]) -> tuple[ProcedureRun[None], CardReferee]:
    referee = table.game.new_referee(table.position, table.options)
    assert isinstance(referee, CardReferee)
    run = ProcedureRun(referee, turn(referee))
    while isinstance(run.request, Draw):
        run.send(run.request.read(draws.pop(0)))
    return run, referee


def asked(table: Dealt, draws: list[str], budget: int) -> tuple[str, list[str]]:
    """The bot's answer at the first decision of a turn, and its reasons."""
    run, referee = to_choice(table, draws)
    players = table.game.players
    context = DecisionContext(
        table.game, table.options, "player", referee, run.request, RandomStream("test").randbelow, lambda *_: DecisionStats(0)
    )
    context.playouts = budget
    return players.policy("player", BOT).reply(context), context.reasons


def test_the_bot_says_what_it_would_do_and_what_it_passed_over() -> None:
    """[Destroy] Where few cards are unseen: the Patrol is kept for the Pillbox; 112 = 100 + 1 + 1 + 5 + 5."""
    answer, why = asked(Dealt(hand=["Grunts", "Mounted Patrol"], deck=["Courtyard", "Pillbox"]), ["Courtyard"], 10)

    assert answer == "Grunts"
    assert why == [
        "play Grunts (G1): expected final score 112.0. Exact: best play over every order of the 1 unseen card.",
        "Passed over: decline (Courtyard P1 is a casualty) -3.0; play Mounted Patrol (G5) -11.0",
    ]


def test_reasons_are_three_lines_with_values_and_errors() -> None:
    """[Destroy] The value of the choice, the reason, and the alternatives with their differences."""
    answer, why = asked(Dealt(hand=["SMAW Launcher", "Mounted Patrol", "Artillery"]), ["Rocket Attacks"], 300)

    assert answer in ("Artillery", "SMAW Launcher")
    assert len(why) == 3
    assert why[0].startswith(f"play {answer} (") and "(+-" in why[0] and "shuffles of the 88 unseen cards, the same" in why[0]
    assert "Hand values alone recommend" in why[1]
    assert "decline (Rocket Attacks I3 is a casualty) -" in why[2] and why[2].count("(+-") == 3


def test_the_easy_level_errs_in_a_fifth_of_its_decisions() -> None:
    """[Destroy] It then takes any other choice; an adviser never errs, and no other level does."""
    run, referee = to_choice(Dealt(hand=["SMAW Launcher", "Mounted Patrol", "Artillery"]), ["Rocket Attacks"])
    game, options = Dealt().game, Dealt().options

    def answers(level: str, *, advises: bool = False) -> list[str]:
        luck, policy, found = RandomStream("slips").randbelow, game.players.policy("player", level), []
        for _ in range(200):
            context = DecisionContext(game, options, "player", referee, run.request, luck, lambda *_: DecisionStats(0))
            context.level, context.is_advising = LEVELS[level], advises
            found.append(policy.reply(context))
        return found

    usual = set(answers("normal"))
    assert len(usual) == 1 and set(answers("easy", advises=True)) == usual == set(answers("hard"))
    erring = answers("easy")
    assert 25 <= sum(answer not in usual for answer in erring) <= 55
    assert len(set(erring)) == 4  # each card, and to decline


def test_without_a_budget_the_bot_follows_the_suggestion() -> None:
    """[Destroy] The priorities alone, even where few cards are unseen."""
    table = Dealt(hand=["Grunts", "Mounted Patrol"], deck=["Courtyard", "Pillbox", "Humvee", "Car Bomb", "Ambush", "Robot"])
    run, _ = to_choice(table, ["Courtyard"])
    assert run.request is not None

    assert asked(table, ["Courtyard"], 0) == (run.request.suggest, ["play Grunts (G1): by the priorities"])


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_deck_is_nothing_to_it(seed: int) -> None:
    """[Search] The cards of the deck lie in another order, and other cards of the same kind are on top: the same choice, and
    the same numbers, for it knows which cards are unseen and no more.
    """
    table = Dealt(hand=["SMAW Launcher", "Mounted Patrol", "Artillery", "Predators"])
    first = asked(table, ["Rocket Attacks"], 60)
    pieces = list(table.position.pieces.items())
    random.Random(seed).shuffle(pieces)
    hand = [card.id for card in table.position.at("hand")]
    pieces.sort(key=lambda item: hand.index(item[0]) if item[0] in hand else -1)
    table.position = Position(table.position.tracks, dict(pieces), table.position.flags)

    assert asked(table, ["Rocket Attacks"], 60) == first


def test_the_seed_of_a_session_does_not_change_the_advice(archive: Archive) -> None:
    """[Search] Two sessions that will deal other cards, with the same cards on the table so far: the same advice."""
    advice = []
    for seed in ("one", "two"):
        session = SessionController.create(archive, "fallujahcards", draws="physical", seed=seed, name=seed, think="60")
        for card in ("mounted", "artillery", "rocket"):
            session.do("turn", _drawn(card))
        assert session.pending is not None
        advice.append(session.counsel())
    assert isinstance(advice[0], Said) and advice[0] == advice[1]
    assert advice[0].text in ("Advice: Artillery", "Advice: Mounted Patrol")


def _drawn(card: str):  # type: ignore[no-untyped-def]
    from companion.core.resolver import Answers

    return Answers(draws=[card])


@pytest.mark.parametrize("policy", [PLAIN, RANDOM, BOT])
def test_each_policy_plays_the_deck_out(policy: str) -> None:
    """[Scoring] The game ends when the deck is used up, without a winner."""
    table = Dealt()
    match = Match(table.game, table.options, {"player": table.game.players.policy("player", policy)}, RandomStream("7"), {})
    match.begin()
    first = table.game.players.outcome(match.position, table.options)
    match.play()
    last = table.game.players.outcome(match.position, table.options)

    assert (first.result, last.result) == ("unfinished", "played out")
    assert last.score == table.game.score(match.position, table.options).total != first.score == 100


def test_a_position_is_worth_its_score_and_the_hand() -> None:
    """[Scoring] Of a game that is over, the score alone; with cards to come a strong hand is worth more than a weak one."""
    players = Dealt().game.players
    values = []
    for hand, deck in ((["Grunts"], None), (["Mounted Patrol"], None), (["Mounted Patrol"], [])):
        table = Dealt(hand=hand, deck=deck)
        values.append(players.value(table.position, table.options, "player"))

    assert values[1] > values[0] > values[2] == 100

"""What our opponent advises the player of a side at the question that is open, and to whom questions are put."""

from __future__ import annotations

import re

import pytest

from companion.core.events import PieceMarked, Said, apply
from companion.core.policies import PLAIN
from companion.core.requests import Choose, Text
from companion.core.resolver import Answers
from companion.games.iraqwar2003.ai.valuation import announce
from companion.games.iraqwar2003.referee import units_on_map_of
from companion.games.iraqwar2003.state import COALITION, IRAQ, OPERATIONS
from companion.session.controller import SessionController
from companion.session.inquiry import Inquiry, advice
from companion.session.store import Archive
from tests.games.iraqwar2003.test_players import FACTS, GAME, match


def open_session(archive: Archive, **options: str) -> SessionController:
    archive.record_facts("iraqwar2003", FACTS)
    return SessionController.create(archive, "iraqwar2003", options=options, seed="4")


def test_the_player_of_the_coalition_is_told_where_bombs_pay(archive: Archive) -> None:
    """[6.2] The groups that our opponent would send, with their worth by exact odds, and no other opponent in the game."""
    session = open_session(archive)
    session.do("facility")
    said = session.counsel("0")
    assert said is not None and said.text.startswith("Advice: base airfield ") and said.text.endswith(", done")
    worth, decided, passed, kept = said.because
    assert worth.startswith("VP by exact odds: base airfield ") and decided.startswith("each group goes where it adds most")
    gaps = [float(gap) for gap in re.findall(r" ([+-][0-9.]+)(?:;|$)", passed)]
    assert passed.startswith("out: ") and len(gaps) == 3 and max(gaps) <= 0
    assert kept.startswith("kept for ground support: ") and "A-10" in kept
    sent = re.findall(r"(\S+) \+[0-9.]+", worth)
    assert sent and not set(sent) & set(kept.partition(": ")[2].split(", "))


def test_the_player_of_iraq_is_told_whom_to_intercept(archive: Archive) -> None:
    """[5.2(2)] What is worth it, what decided, and what was passed over; what is asked is the player's all the same."""
    session = open_session(archive)
    session.do("facility", Answers(keyed=[("target", "base airfield 1 by B-52, done")]))
    assert session.pending is not None and session.pending.key == "intercept"
    before = session.position
    said = session.counsel("0")
    assert (
        said is not None
        and said.text == "Advice: 1 MiG-23 (MiG-23 meets B-52)"
        and any("VP by exact odds" in line for line in said.because)
    )
    assert session.position == before and session.pending.suggest == "none"


def test_nothing_is_advised_where_our_opponent_has_no_answer(archive: Archive) -> None:
    """[12.2] What Enter gives is no advice."""
    session = open_session(archive)
    session.do("facility", Answers(keyed=[("target", "done")]))
    session.do("bomb", Answers(keyed=[("target", "done")]))
    session.do("supply")
    session.do("move", Answers(keyed=[("units", "1/3ID")]))
    assert session.pending is not None and session.counsel("0") is None


@pytest.mark.parametrize("key", ["loss", "retreat", "ignore", "one", "further", "counter", "intercept"])
def test_who_is_asked_is_whose_units_they_are(key: str) -> None:
    """[13.4.1, 13.5, 5.2(2)] Losses and retreats are the owner's, whoever's turn it is."""
    request = Choose(key, "a question", "13.4.1", [])
    request.seat = IRAQ
    assert GAME.players.asked_seat(request, COALITION) == IRAQ
    request.seat = COALITION
    assert GAME.players.asked_seat(request, IRAQ) == COALITION


def asked_in(coalition: str, iraq: str, turns: int) -> set[tuple[str, str, str]]:
    """The questions that were put in a game: key, whose turn it was, who was asked."""
    played, found = match(coalition, iraq, "whose"), set()
    usual = played.players.asked_seat

    def noted(request, acting):  # type: ignore[no-untyped-def]
        found.add((request.key, acting, usual(request, acting)))
        return usual(request, acting)

    played.players.asked_seat = noted
    try:
        played.play(lambda position: position.track("turn") == turns)
    finally:
        del played.players.asked_seat
    return found


def test_each_side_answers_for_its_own_units_in_whole_games() -> None:
    """[13.4.1, 13.5] Who does not move is asked too, and he alone for supports and interceptors in reply."""
    found = asked_in(PLAIN, PLAIN, 10)
    assert any(key in ("loss", "retreat", "ignore") and acting != seat for key, acting, seat in found)
    assert all(acting != seat for key, acting, seat in found if key in ("counter", "intercept"))


def test_where_companion_plays_a_side_its_losses_and_retreats_are_its_own() -> None:
    """[13.4.1, 13.5] The player is asked nothing of them: nothing is put to Iraq but what only the table shows."""
    found = asked_in(PLAIN, "bot", 6)
    theirs = ("loss", "retreat", "ignore", "one", "further", "counter", "intercept", "units", "target", "source")
    assert found and not [one for one in found if one[2] == IRAQ and one[0] in theirs]


def told_and_supplied(archive: Archive, **options: str) -> SessionController:
    """The first Operation Phase of the Coalition."""
    session = open_session(archive, **options)
    session.do("facility", Answers(keyed=[("target", "done")], accept=True))
    session.do("bomb", Answers(keyed=[("target", "done")], accept=True))
    session.do("supply", Answers(accept=True))
    return session


@pytest.mark.slow
@pytest.mark.parametrize(("think", "many"), [("0", 0), ("2", 2), ("", 1)])
def test_the_player_of_the_coalition_is_told_whom_to_order(
    archive: Archive, think: str, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[4.1(4)] Between two actions and at the question alike: the order with its worth in VP, what decided, what was passed over
    and by how much; played on, with the error. Taken as it is told, it is carried out.
    """
    session = told_and_supplied(archive)
    assert session.game.players.advice_playouts == 8
    monkeypatch.setattr(session.game.players, "advice_playouts", 1)
    (between,) = advice(session, Inquiry(session.game, archive, Answers(), session=session, think=think))
    assert isinstance(between, Said)
    order = re.fullmatch(r"move units='(.+)'", between.text)
    assert order and " > " in order[1]
    worth, decided, passed = between.because
    if not many:
        assert worth.startswith(f"{order[1]}: ") and worth.endswith(" VP by exact odds and our estimate")
        assert decided.startswith(("combat ", "place ")) and passed.startswith("out: ")
        gaps = [float(gap) for gap in re.findall(r" ([+-][0-9.]+)(?:;|$)", passed)]
        assert gaps and gaps == sorted(gaps, reverse=True) and max(gaps) <= 0
    else:
        assert re.search(rf"VP \(\+-[0-9.]+\) by {many} playouts?", worth) and passed.startswith("out: ")
    before = session.position
    session.do("move")
    at_the_question = session.counsel(think)
    assert at_the_question is not None and at_the_question.text.startswith("Advice: ") and session.position == before
    session.answer(Answers(keyed=[("units", order[1])], accept=True))
    moved = {piece.name for piece in session.position.pieces.values() if piece.mark("moved")}
    assert moved == set(order[1].partition(" > ")[0].split(", "))


def test_whoever_is_disrupted_is_advised_to_recover(archive: Archive) -> None:
    """[7.3.3] There is nothing to weigh."""
    session = told_and_supplied(archive)
    session.adjust([("11Av.disrupted", "yes")], "bombed")
    said = session.counsel("0")
    assert said is not None and said.text == "move units='recover 11Av'"
    assert said.because[-1] == "it costs only the phase"


def test_between_two_actions_only_the_player_of_the_coalition_is_advised(archive: Archive) -> None:
    """[4.1(4), 4.2] Not before the Operation Phase, not on Iraq's turn, and not where our opponent plays that side."""
    players = GAME.players
    session = told_and_supplied(archive)
    assert players.advises_between(session.position, session.options)
    assert not players.advises_between(session.position, {**session.options, "coalition": "bot"})
    session.do("end", Answers(accept=True))
    assert not players.advises_between(session.position, session.options)
    assert not players.advises_between(match(PLAIN, PLAIN, "a").position, session.options)


@pytest.mark.parametrize(("level", "worlds"), [("normal", 0), ("hard", 4)])
def test_at_the_hard_level_it_plays_on_and_else_goes_by_its_priorities(
    archive: Archive, level: str, worlds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it saw of each candidate is stored with the order; with no word of ``think`` in the session."""
    session = open_session(archive, coalition="bot", opponent="acts", level=level)
    assert session.game.players.default_playouts({"level": "hard"}) == 2
    monkeypatch.setattr(session.game.players, "advice_playouts", 4)
    for action in ("facility", "bomb", "supply", "move"):
        session.do(action, Answers(accept=True))
    (thought,) = [reply for reply in session.history.in_force[-1].replies if reply.kind == "think" and reply.key == "think order"]
    assert [row[5] for row in thought.value[1:]] == [worlds] * (3 if worlds else 0)
    assert thought.source == ("playouts" if worlds else "priorities")


def test_what_our_opponent_proposes_it_explains_when_it_is_asked(archive: Archive) -> None:
    """[5.2(2), 11.1, 11.2] At each question of its own: the value, what decided, what was passed over; between two the next."""
    session = open_session(archive, iraq="bot")
    session.do("facility", Answers(keyed=[("target", "base airfield 1 by B-52, done")]))
    first = session.counsel("0")
    assert first is not None and first.text == "Advice: 1 MiG-23 (MiG-23 meets B-52)"
    assert "VP by exact odds" in first.because[0] and first.because[1].startswith("the most victory points; ")
    assert first.because[2].startswith("out: MiG-25 meets group 1 (B-52) -")
    assert first.because[3] == "then no unit: 0.00 VP by exact odds"
    session.answer(Answers(accept=True))
    session.do("bomb", Answers(keyed=[("target", "done")]))
    session.do("supply")
    session.do("end")
    session.do("bomb", Answers(accept=True))
    session.do("supply")
    source = session.counsel("0")
    assert source is not None and source.text == "Advice: the Radio boxes" and len(source.because) == 3
    session.answer(Answers(accept=True))
    session.do("move")
    order = session.counsel("0")
    assert session.pending is not None and order is not None
    assert order.text.startswith("Advice: ") and "VP by our estimate and exact odds" in order.because[0]


def test_what_is_decided_without_a_choice_borrows_no_reasons(archive: Archive) -> None:
    """[13.2(1)] The reasons of one decision are not told as those of the next."""
    game = GAME.new_referee(match(PLAIN, PLAIN, "a").position, {"iraq": "bot", "opponent": "proposes"})
    announce(game, "Iraq does this.", "11.2", "because of that")
    for expected in (("because of that",), ()):
        request = Choose("one", "a question", "13.2(1)", [], "none")
        game.decide(request, IRAQ, "none")
        assert request.advice is not None
        found = request.advice()
        assert found is not None and found.brief() == expected


def test_4_1_4_enter_ends_a_player_turn_in_which_nobody_is_left_to_act(archive: Archive) -> None:
    """[4.1(4)] Units move while one can; whoever may recover yet is thought of first."""
    played = match(PLAIN, PLAIN, "a")
    played.play(lambda position: position.flag("phase") == OPERATIONS)
    position = played.position
    assert GAME.default_action(position) == "move"
    for piece in units_on_map_of(position, COALITION):
        position = apply(position, PieceMarked(piece.id, "moved", None, piece.name != "1/3ID"))
    assert GAME.default_action(position) == "move"
    (last,) = [piece for piece in units_on_map_of(position, COALITION) if piece.name == "1/3ID"]
    tired = apply(position, PieceMarked(last.id, "disrupted", None, True))
    assert GAME.default_action(tired) == ""
    assert GAME.default_action(apply(tired, PieceMarked(last.id, "moved", None, True))) == "end"


def test_12_1_1_the_question_who_acts_says_how_it_is_answered(archive: Archive) -> None:
    """[12.1(1)] Its example can be typed, and it says how one ends."""
    session = open_session(archive)
    session.do("facility", Answers(keyed=[("target", "done")]))
    session.do("bomb", Answers(keyed=[("target", "done")]))
    session.do("supply")
    session.do("move")
    assert isinstance(session.pending, Text) and "or done" in session.pending.prompt
    assert session.pending.check(session.pending.notation.example).endswith(" > road, road")

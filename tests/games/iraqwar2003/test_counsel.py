"""The advice of the planner at the open question, and the seat that each question is put to."""

from __future__ import annotations

import re

import pytest

from companion.core.events import PieceMarked, Said, apply
from companion.core.policies import PLAIN
from companion.core.requests import Choose, Text
from companion.core.resolver import Answers
from companion.games.iraqwar2003.ai.valuation import announce
from companion.games.iraqwar2003.referee import units_on_map_of
from companion.games.iraqwar2003.state import COALITION, IRAQ, OPERATIONS, PLAN
from companion.session import thinking
from companion.session.controller import SessionController
from companion.session.inquiry import Inquiry, advice
from companion.session.store import Archive
from tests.games.iraqwar2003.test_players import FACTS, GAME, match


def open_session(archive: Archive, **options: str) -> SessionController:
    archive.record_facts("iraqwar2003", FACTS)
    return SessionController.create(archive, "iraqwar2003", options=options, seed="4")


def test_the_coalition_is_advised_on_bombing(archive: Archive) -> None:
    """[6.2] The groups that the planner would send, with their value by exact odds, while people play both sides."""
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


def test_iraq_is_advised_on_interception(archive: Archive) -> None:
    """[5.2(2)] The value, what decided, and what was passed over; the player still decides."""
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


def test_no_advice_where_the_planner_has_no_answer(archive: Archive) -> None:
    """[12.2] The suggestion of the question is not advice."""
    session = open_session(archive)
    session.do("facility", Answers(keyed=[("target", "done")]))
    session.do("bomb", Answers(keyed=[("target", "done")]))
    session.do("supply")
    session.do("move", Answers(keyed=[("units", "1/3ID")]))
    assert session.pending is not None and session.counsel("0") is None


@pytest.mark.parametrize("key", ["loss", "retreat", "ignore", "one", "further", "counter", "intercept"])
def test_the_owner_of_the_units_is_asked(key: str) -> None:
    """[13.4.1, 13.5, 5.2(2)] The owner decides losses and retreats in either player turn."""
    request = Choose(key, "a question", "13.4.1", [])
    request.seat = IRAQ
    assert GAME.players.asked_seat(request, COALITION) == IRAQ
    request.seat = COALITION
    assert GAME.players.asked_seat(request, IRAQ) == COALITION


def asked_in(coalition: str, iraq: str, turns: int) -> set[tuple[str, str, str]]:
    """The questions of a game: key, acting seat, seat that was asked."""
    played, questions = match(coalition, iraq, "whose"), set()
    usual = played.players.asked_seat

    def noted(request, acting):  # type: ignore[no-untyped-def]
        questions.add((request.key, acting, usual(request, acting)))
        return usual(request, acting)

    played.players.asked_seat = noted
    try:
        played.play(lambda position: position.track("turn") == turns)
    finally:
        del played.players.asked_seat
    return questions


def test_each_side_answers_for_its_own_units_in_whole_games() -> None:
    """[13.4.1, 13.5] The side that does not move is asked too; only it is asked for support and interceptors in reply."""
    questions = asked_in(PLAIN, PLAIN, 10)
    assert any(key in ("loss", "retreat", "ignore") and acting != seat for key, acting, seat in questions)
    assert all(acting != seat for key, acting, seat in questions if key in ("counter", "intercept"))


def test_the_planner_decides_losses_and_retreats_of_its_side() -> None:
    """[13.4.1, 13.5] Iraq is asked only for what is visible on the table alone."""
    questions = asked_in(PLAIN, "bot", 6)
    decisions = ("loss", "retreat", "ignore", "one", "further", "counter", "intercept", "units", "target", "source")
    assert questions and not [key for key, _, seat in questions if seat == IRAQ and key in decisions]


def supplied_desk(archive: Archive, **options: str) -> SessionController:
    """A session in the first Operation Phase of the Coalition."""
    session = open_session(archive, **options)
    session.do("facility", Answers(keyed=[("target", "done")], accept=True))
    session.do("bomb", Answers(keyed=[("target", "done")], accept=True))
    session.do("supply", Answers(accept=True))
    return session


@pytest.mark.slow
@pytest.mark.parametrize(("think", "playouts"), [("0", 0), ("2", 2), ("", 1)])
def test_the_coalition_is_advised_on_orders(archive: Archive, think: str, playouts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """[4.1(4)] Between two actions and at the question: the order, its value in VP, what decided, the margin over the others;
    with the error by rollouts. The advised order can be carried out as it is.
    """
    session = supplied_desk(archive)
    monkeypatch.setattr(thinking, "monotonic", lambda: 0.0)  # no limit in seconds
    assert session.game.players.advice_playouts == 8
    monkeypatch.setattr(session.game.players, "advice_playouts", 1)
    (between,) = advice(session, Inquiry(session.game, archive, Answers(), session=session, think=think)).events
    assert isinstance(between, Said)
    order = re.fullmatch(r"move units='(.+)'", between.text)
    assert order and " > " in order[1]
    worth, decided, passed = between.because
    if not playouts:
        assert worth.startswith(f"{order[1]}: ") and worth.endswith(" VP by exact odds and our estimate")
        assert decided.startswith(("combat ", "place ")) and passed.startswith("out: ")
        gaps = [float(gap) for gap in re.findall(r" ([+-][0-9.]+)(?:;|$)", passed)]
        assert gaps and gaps == sorted(gaps, reverse=True) and max(gaps) <= 0
    else:
        assert re.search(rf"VP \(\+-[0-9.]+\) by {playouts} playouts?", worth) and passed.startswith("out: ")
    before = session.position
    session.do("move")
    at_the_question = session.counsel(think)
    assert at_the_question is not None and at_the_question.text.startswith("Advice: ") and session.position == before
    session.answer(Answers(keyed=[("units", order[1])], accept=True))
    moved = {piece.name for piece in session.position.pieces.values() if piece.mark("moved")}
    assert moved == set(order[1].partition(" > ")[0].split(", "))


def test_disrupted_units_are_advised_to_recover(archive: Archive) -> None:
    """[7.3.3] Recovery costs the Coalition nothing else."""
    session = supplied_desk(archive)
    session.adjust([("11Av.disrupted", "yes")], "bombed")
    said = session.counsel("0")
    assert said is not None and said.text == "move units='recover 11Av'"
    assert said.because[-1] == "it costs only the phase"


def test_between_two_actions_only_the_player_of_the_coalition_is_advised(archive: Archive) -> None:
    """[4.1(4), 4.2] Not before the Operation Phase, on Iraq's turn, or where the planner plays that side."""
    players = GAME.players
    session = supplied_desk(archive)
    assert players.advises_between(session.position, session.options)
    assert not players.advises_between(session.position, {**session.options, "coalition": "bot"})
    session.do("end", Answers(accept=True))
    assert not players.advises_between(session.position, session.options)
    assert not players.advises_between(match(PLAIN, PLAIN, "a").position, session.options)


@pytest.mark.slow
@pytest.mark.parametrize(("level", "thoughts"), [("normal", 0), ("hard", 1)])
def test_only_the_hard_level_chooses_a_plan_by_rollouts(
    archive: Archive, level: str, thoughts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[4.1(4)] At the first order of the turn; the statistics of each plan are stored, and the plan is followed by all orders."""
    session = open_session(archive, coalition=level, opponent="acts")
    monkeypatch.setattr(session.game.players, "horizon", 1)
    for action in ("facility", "bomb", "supply", "move", "move"):
        session.do(action, Answers(accept=True))
    found = [reply for entry in session.history.in_force for reply in entry.replies if reply.kind == "think"]
    assert [reply.key for reply in found] == ["think plan"] * thoughts
    plan = str(session.position.flag(PLAN) or "")
    names = list(session.game.tables.bot["plans"]["coalition"])
    for reply in found:
        assert reply.source == "playouts" and len(reply.value) == 1 + len(names) and sum(row[5] for row in reply.value[1:])
        assert plan == f"coalition 1 {names[reply.value[0]]}"
    assert bool(plan) == bool(thoughts)


def test_the_planner_explains_its_proposals(archive: Archive) -> None:
    """[5.2(2), 11.1, 11.2] At each question of its side: the value, what decided, what was passed over."""
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


def test_reasons_are_not_kept_for_the_next_decision(archive: Archive) -> None:
    """[13.2(1)] The reasons of one decision are not shown for the next."""
    game = GAME.new_referee(match(PLAIN, PLAIN, "a").position, {"iraq": "bot", "opponent": "proposes"})
    announce(game, "Iraq does this.", "11.2", "because of that")
    for expected in (("because of that",), ()):
        request = Choose("one", "a question", "13.2(1)", [], "none")
        game.decide(request, IRAQ, "none")
        assert request.advice is not None
        recommendation = request.advice()
        assert recommendation is not None and recommendation.brief() == expected


def test_4_1_4_enter_ends_a_player_turn_when_all_units_have_acted(archive: Archive) -> None:
    """[4.1(4)] The default action is to move while a unit can; disrupted units must recover first."""
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


def test_12_1_1_the_order_question_shows_its_notation(archive: Archive) -> None:
    """[12.1(1)] Its example can be typed, and it says how to end the turn."""
    session = open_session(archive)
    session.do("facility", Answers(keyed=[("target", "done")]))
    session.do("bomb", Answers(keyed=[("target", "done")]))
    session.do("supply")
    session.do("move")
    assert isinstance(session.pending, Text) and "or done" in session.pending.prompt
    assert session.pending.check(session.pending.notation.example).endswith(" > road, road")

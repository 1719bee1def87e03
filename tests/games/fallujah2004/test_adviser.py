"""The adviser of Fallujah 2004 at each question: its advice can be typed as shown, and its numbers are right."""

from __future__ import annotations

import re
from collections import defaultdict
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

import pytest

from companion.cli.repl.loop import Loop
from companion.cli.repl.prompt import Prompt
from companion.cli.shell.arguments import split
from companion.core.errors import Unreadable
from companion.core.events import Said
from companion.core.match import AdvisedMove, DecisionPoint, Match, PlannedAction, recommend_for
from companion.core.policies import PLANNER, PLAYER, RANDOM, DecisionContext, Policy, RandomStream
from companion.core.position import Position
from companion.core.request import Request
from companion.core.text import format_probability
from companion.games.fallujah2004.ai.operations import works
from companion.games.fallujah2004.ai.planner import ON_THE_TABLE
from companion.games.fallujah2004.ai.valuation import read_valuation
from companion.games.fallujah2004.battles import Commitment
from companion.games.fallujah2004.referee import nodes_at
from companion.games.fallujah2004.state import REACTION_CUP, fights, is_engineer, is_iraqi, on_map, type_of
from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.games.fallujah2004.test_planner import carried_out, scouted
from tests.games.fallujah2004.test_policies import facts, game, match

OPTIONS = {"networked": "on", "interdiction": "on"}
RECKONED = ("force", "to", "netwar", "strikes", "hit", "continue", "move_on", "at")
"""Questions that are always answered with a value in VP, or by what is known of too many to reckon."""


class Told(NamedTuple):
    """An advice, its position, and whether the question accepted it as shown."""

    request: Request[Any] | None
    said: Said
    position: Position
    taken: bool


def taken(request: Request[Any], advised: AdvisedMove) -> bool:
    """True if an advised answer can be typed as shown; its meaning may follow in brackets."""
    with suppress(Unreadable):
        meant = request.display(request.read(advised.input_text)).removeprefix(advised.input_text).strip()
        return advised.said.text in (f"Advice: {advised.input_text}", f"Advice: {advised.input_text} ({meant})")
    return False


class Asking(Policy):
    """Plays as another policy does, and asks the adviser before each decision."""

    def __init__(self, other: Policy) -> None:
        super().__init__(other.players)
        self.other = other
        self.told: list[Told] = []

    def _ask(self, context: DecisionContext) -> None:
        point = DecisionPoint(context.game, context.options, context.facts, context.position)
        advised = recommend_for(point, context.referee, context.request, 0, "advice", lambda progress: None)
        assert advised is not None
        self.told.append(
            Told(context.request, advised.said, context.position, context.request is not None and taken(context.request, advised))
        )

    def act(self, context: DecisionContext) -> Any:
        self._ask(context)
        return self.other.act(context)

    def reply(self, context: DecisionContext) -> Any:
        self._ask(context)
        return self.other.reply(context)

    def reply_after_refusal(self, context: DecisionContext, times: int) -> Any:
        return self.other.reply_after_refusal(context, times)


@cache
def asked() -> tuple[Told, ...]:
    """The advice in some games: random ones, which reach every question, and one of the planner."""
    advice: list[Told] = []
    for policy, seed in ((RANDOM, "a"), (RANDOM, "b"), (RANDOM, "c"), (PLANNER, "a")):
        asking = Asking(game().players.policy(PLAYER, policy))
        options = {key: option.default for key, option in game().options.items()} | OPTIONS | {"scenario": "vigilant_resolve"}
        played = Match(game(), options, {PLAYER: asking}, RandomStream(seed), facts())
        played.begin()
        assert played.play()
        advice += asking.told
    return (*advice, *_begun())


def _begun() -> list[Told]:
    """The advice in operations that the player begins, at each point of a game."""
    played, asking = match(PLANNER, "vigilant_resolve", "c"), Asking(game().players.policy(PLAYER, RANDOM))
    actions = {action.id: action for action in game().actions}
    while not played.over and played.actions < 12:
        played.act()
        for action in ("j1", "j2", "j4", "j5"):
            position = built(played.position) if action == "j4" else played.position
            aside = Match(game(), played.options, {PLAYER: asking}, RandomStream("aside"), facts(), position)
            aside.run_action(actions[action].run, action)
    return asking.told


def built(position: Position) -> Position:
    """The position with an engineer on the map and a reduced unit in a Base, so that J-4 offers a choice."""
    units = [piece for piece in position.of_kind("unit") if piece.place == "east base"]
    engineer, other = next(filter(is_engineer, units), None), next((unit for unit in units if not is_engineer(unit)), None)
    if engineer is None or other is None:
        return position
    changed = {engineer.id: engineer._replace(place="6-9"), other.id: other._replace(face="reduced")}
    return position.changed(pieces={**position.pieces, **changed})


def by_key() -> dict[str, list[Told]]:
    """By the key of the question; "" between two operations."""
    advice = defaultdict(list)
    for item in asked():
        advice[item.request.key if item.request else ""].append(item)
    return advice


@pytest.mark.slow
def test_every_question_of_an_operation_is_come_to() -> None:
    assert {*RECKONED, "", "buy", "withdraw", "refuge", "markers", "kind", "nodes"} <= set(by_key())


@pytest.mark.slow
def test_an_advised_answer_is_accepted_as_shown() -> None:
    """No full stop, no values of units, none of Python's words."""
    answers = [item for item in asked() if item.said.text.startswith("Advice: ")]
    assert [item.said.text for item in answers if not item.taken] == []
    assert len(answers) > 200


@pytest.mark.slow
def test_an_advised_operation_is_accepted_as_shown() -> None:
    """[10.1] As it is typed: the action, and its answers by key."""
    ids = {action.id for action in game().actions}
    plans = [split(item.said.text) for item in by_key()[""]]
    for action, *answers in plans:
        assert action in ids and all(re.fullmatch(r"[a-z_]+=[^.]*[^. ]|[a-z_]+=.*\)", answer) for answer in answers)
    assert {action for action, *_ in plans} >= {"buy", "j3", "j5"}


def test_advice_is_three_lines_with_a_value_and_a_reason() -> None:
    """Value in VP, what decided with its chances, what was passed over and by how much."""
    for key in RECKONED:
        reckoned = 0
        for item in by_key()[key]:
            assert item.request is not None
            assert 1 <= len(item.said.because) <= 3, (key, item.said)
            if len(item.said.because) > 1:
                reckoned += 1
                value, why, *passed = item.said.because
                assert re.search(r": [+-]?[0-9.]+ VP by our estimate \[", value), value
                assert re.search(r"[0-9]", why) or "reaction" in why or "nobody" in why, why
                gaps = [float(gap) for gap in re.findall(r" ([+-]?[0-9]+\.[0-9])(?:;|$)", "".join(passed))]
                assert (key in ("hit", "netwar", "strikes") or all(gap <= 0 for gap in gaps)) and (gaps or not passed)
        assert reckoned, key


def test_placing_counters_on_the_board_is_not_advised() -> None:
    """[6.1, 6.2, 13.0] The MSR, spaces held, what a route joins: only the player can see it on the map."""
    seen = [item for key in ON_THE_TABLE for item in by_key().get(key, ())]
    assert seen and all(item.said.text.startswith("Nothing to decide") for item in seen)


def test_no_nought_has_a_sign_and_nothing_likely_is_certain() -> None:
    reasons = "\n".join(line for item in asked() for line in item.said.because)
    assert not re.search(r"[+-]0\.0 VP|[+-]0 |[+-]0\.0$", reasons, re.M)
    assert ">99% to win" in reasons


def chance(odds: Any, label: str) -> float:
    """The chance to win in a row of the odds; another section says how likely the Coalition is wiped out."""
    (chance_to_win,) = [
        value for title, rows in odds.sections if title != "It is wiped out" for row, value in rows if row == label
    ]
    return float(chance_to_win)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "row"), [("strikes", "none"), ("netwar", "without the NetWar marker, no strike"), ("continue", "Coalition wins")]
)
def test_advised_chances_equal_the_odds(key: str, row: str) -> None:
    """[16.1] Another part of the program works them out at the same question."""
    compared = 0
    for item in by_key()[key][:40]:
        if item.request is None or not isinstance(item.request.odds, Commitment):
            continue
        odds = item.request.odds()
        labels = [label for _, rows in odds.sections for label, _ in rows]
        if row not in labels or (key == "strikes" and not item.said.text.endswith(": none")):
            continue
        assert f"{format_probability(chance(odds, row))} to win" in item.said.because[1]
        compared += 1
    assert compared > 3


def test_a_value_of_a_battle_is_its_kia_its_steps_and_its_nodes() -> None:
    """[21.1, 6.1, 20.3] By hand, from what is told: each OPFOR unit its KIA and what it brings as an HVT, each strength step its
    KIA and 1.3 VP more, an OP 1.6 VP, the Nodes by the chance to win.
    """
    pattern = r"([0-9]+)% to win, KIA ([+-]?[0-9.]+), ([0-9.]+) strength steps lost(?:, OPs -([0-9.]+))?"
    compared = 0
    for item in by_key()["continue"]:
        value, why = item.said.because[:2]
        stated, valued = re.search(pattern, why), re.search(r"continue(?:: | )([+-]?[0-9.]+)", value)
        if stated is None or valued is None or ">" in why or "<" in why:
            continue
        win, kia, lost = int(stated[1]) / 100, float(stated[2]), float(stated[3])
        units = [piece for piece in item.position.pieces.values() if fights(piece)]
        (space,) = {piece.place for piece in units if on_map(piece.place)}
        cup = [piece for piece in units if piece.place == REACTION_CUP]
        kill = 1 + sum(piece.number("contact") for piece in cup if type_of(piece) == "hvt") / len(cup)
        node = read_valuation(game().tables.bot).nodes(game().tables.charts["nodes"], nodes_at(item.position, space))
        worth = (kia + lost) * kill - lost * 2.3 - float(stated[4] or 0) * 1.6 + win * node.won - (1 - win) * node.lost
        assert float(valued[1]) == pytest.approx(worth, abs=0.4)
        compared += 1
    assert compared > 5


def test_the_force_advised_is_that_of_the_operation_advised() -> None:
    """[8.3, 10.1] After j3 alone, the advised force and its reasons are the same as before."""
    before: Told | None = None
    compared = 0
    for item in asked():
        if item.request is None:
            before = item
        elif item.request.key == "force" and item.request.rule == "8.3" and before and before.said.text.startswith("j3 force="):
            plan = dict(answer.split("=", 1) for answer in split(before.said.text)[1:])
            if "stay where" in before.said.because[0]:
                continue
            assert item.said.text.removeprefix("Advice: ") == plan["force"]
            compared += 1
            before = None
    assert compared > 3


def test_a_plan_is_typed_with_its_answers() -> None:
    from companion.core.match import plan_to_input

    assert plan_to_input(PlannedAction("j5", {"markers": 1})) == "j5 markers=1"
    assert plan_to_input(PlannedAction("j3", {"force": ["A 1", "B"], "to": "3-8"})) == "j3 force='A 1, B' to=3-8"
    assert plan_to_input(PlannedAction("go", {"all": True})) == "go all=yes"


def test_of_a_game_that_is_over_nothing_is_advised() -> None:
    """[8.1(a)] Not even to declare its end once more."""
    played = match(RANDOM, "vigilant_resolve", "a")
    assert played.play()
    point = DecisionPoint(played.game, played.options, facts(), played.position)
    advised = recommend_for(point, game().new_referee(played.position, played.options), None, 0, "over", lambda progress: None)
    assert advised is not None and not advised.input_text and advised.said.text.startswith("Nothing more to do: ")


def test_a_bridge_is_repaired_by_its_engineer_and_worth_as_much_as_there_are_nodes() -> None:
    """[18.4] The order is a legal one; our guess of it is the same for each Node on the map."""
    played = match(PLANNER, "vigilant_resolve", "c")
    while played.actions < 2:
        played.act()
    position = played.position
    marker = next(piece for piece in position.pieces.values() if piece.name == "Bridge Blown")
    engineer = next(filter(is_engineer, position.of_kind("unit")))
    changed = {marker.id: marker._replace(place="1-7"), engineer.id: engineer._replace(place="1-7")}
    blown = position.changed(pieces={**position.pieces, **changed})
    scout = scouted(played, blown)
    (offer,) = [offer for offer in works(scout, ()) if offer.decision.rule == "18.4"]
    assert offer.value == pytest.approx(0.2 * len(scout.node_spaces))
    after = carried_out(played, blown, offer)
    assert after.pieces[marker.id].place != "1-7" and after.track("ops") == blown.track("ops") - 1


def test_the_second_force_of_a_networked_operation_is_sent_after_the_first() -> None:
    """[32.0(3)] All of them must end in one space: that of the first, and nowhere else."""
    asking = Asking(game().players.policy(PLAYER, PLANNER))
    played = match(PLANNER, "vigilant_resolve", "c", networked="on")
    while played.actions < 2:
        played.act()
    units = [piece for piece in played.position.of_kind("unit") if piece.place == "east base" and not is_iraqi(piece)]
    moved = {units[0].id: units[0]._replace(place="6-8")}
    position = played.position.changed(pieces={**played.position.pieces, **moved})
    action = next(action for action in game().actions if action.id == "networked")
    aside = Match(game(), played.options, {PLAYER: asking}, RandomStream("both"), facts(), position)
    plan = PlannedAction("networked", {"force": [units[1].name], "to": "6-7", "more": True})
    assert aside.run_action(action.run, "networked", plan=plan)
    second = [item for item in asking.told if item.request and (item.request.key, item.request.rule) == ("to", "32.0(3)")]
    assert second and all(
        item.said.text == "Advice: 6-7 (Power House)" and item.said.because[0].startswith("to 6-7 ") for item in second
    )


@pytest.mark.slow
@pytest.mark.parametrize(("scenario", "seed"), [("campaign", "8")])
def test_a_whole_game_follows_the_adviser(archive: Archive, scenario: str, seed: str) -> None:
    """[8.1(a)] A player who types only /bot do finishes the game and wins: all advice is accepted as shown."""
    archive.record_facts(game().id, facts())
    session = SessionController.create(archive, game().id, scenario, seed=seed)
    session.setting(think="0")
    typed: list[str] = []
    faults: list[str] = []

    def ask(prompt: Prompt) -> str:
        if len(typed) > 500 or (session.pending is None and session.game.players.over(session.position)):
            raise EOFError
        seen = session.pending is not None and session.pending.key in ON_THE_TABLE
        typed.append("no" if seen else "/bot do")
        return typed[-1]

    Loop(session, ask, lambda lines: faults.extend(line.text for line in lines if line.tone == "error")).play()
    assert session.game.over(session.position) and not faults
    assert session.game.score(session.position, session.options).verdict.endswith("Victory")
    assert typed.count("/bot do") > 60 and typed.count("no") <= 4

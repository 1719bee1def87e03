"""The planner asks the rules: a changed chart cell, a told fact or a switched ruling changes its numbers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from companion.core.game import Game
from companion.core.match import Match
from companion.core.policies import PLANNER, PLAYER, RandomStream
from companion.core.position import Position
from companion.core.requests import Choice, Odds, Pick
from companion.games import make_game
from companion.games.fallujah2004.ai import planner
from companion.games.fallujah2004.ai.features import Features
from companion.games.fallujah2004.ai.operations import building, others
from companion.games.fallujah2004.ai.policies import FallujahPlayers
from companion.games.fallujah2004.ai.valuation import BattleForecasts, cup_of, read_valuation
from companion.games.fallujah2004.battles import Commitment, Forecast
from companion.games.fallujah2004.referee import deployed
from companion.games.fallujah2004.rules import r16_combat
from companion.games.fallujah2004.rules.r13_movement import Arrival, Move, is_msr, move_fault, movement_value
from companion.games.fallujah2004.rules.r16_battle import ROUND, Battle, BattleHost, Fighter, Step, Strike, Support
from companion.games.fallujah2004.state import is_engineer, is_fob, is_helicopter
from companion.session.facts import practice_facts
from companion.session.tables import load
from tests.support.checkout import ROOT


def started(game: Game, **chosen: str) -> Match:
    """A game after the set-up."""
    options = {key: option.default for key, option in game.options.items()} | {"scenario": "vigilant_resolve"} | chosen
    players = {PLAYER: game.players.policy(PLAYER, PLANNER)}
    match = Match(game, options, players, RandomStream("c"), practice_facts(game), keep=True)
    match.begin()
    while match.actions < 2:
        match.act()
    return match


def features_of(
    match: Match, position: Position, facts: dict[str, str] | None = None, options: dict[str, str] | None = None
) -> Features:
    game = match.game
    players = game.players
    assert isinstance(players, FallujahPlayers)
    facts = practice_facts(game) if facts is None else facts
    referee = game.new_referee(position, {**match.options, **(options or {})})
    known_map = players._maps.get(position, facts)
    valuation = read_valuation(game.tables.bot)
    return Features(referee, known_map, BattleForecasts(referee.hypothetical()), valuation, facts)  # type: ignore[arg-type]


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the tables, which a test may change."""
    shutil.copytree(ROOT / "tables" / "fallujah2004", tmp_path / "fallujah2004")
    monkeypatch.setenv("COMPANION_TABLES", str(tmp_path))
    yield tmp_path / "fallujah2004"


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_chart_cell_changes_the_value_of_infowar(tables: Path) -> None:
    """[19.0] A face of 6 that brings 10 OPs instead of 4 adds 1 OP a marker to J-5."""
    match = started(make_game("fallujah2004", load("fallujah2004")))

    def value(game: Game) -> float:
        match.game = game
        features = features_of(match, match.position)
        (offer,) = [offer for offer in others(features) if offer.decision.plan.action == "j5"]
        return offer.value / len(features.referee.netwar())

    before = value(match.game)
    change(tables / "charts" / "netwar.toml", '"6" = ["reveal", 4]', '"6" = ["reveal", 10]')
    assert value(make_game("fallujah2004", load("fallujah2004"))) - before == pytest.approx(1.6)


def test_a_chart_cell_changes_the_typical_unit_of_the_cup(tables: Path) -> None:
    """[14.5] Six mobs alone in the cup: their average strength is 2.5, and 7 with a chart of 7 throughout."""
    match = started(make_game("fallujah2004", load("fallujah2004")))
    pieces = match.position.pieces
    mob = next(piece for piece in pieces.values() if piece.name == "Mob Attack")
    others_out = {key: piece._replace(place="out") if piece.place == "reaction cup" else piece for key, piece in pieces.items()}
    position = Position(match.position.tracks, {**others_out, mob.id: mob._replace(place="reaction cup")}, match.position.flags)
    assert cup_of(position, match.game.tables.charts["mob_attack"]).typical.fire == 2
    chart = tables / "charts" / "mob_attack.toml"
    for face in range(1, 7):
        change(chart, f'"{face}" = [{face % 6}]', f'"{face}" = [7]')
    assert cup_of(position, load("fallujah2004").charts["mob_attack"]).typical.fire == 7


def test_a_chart_cell_changes_the_value_of_a_node(tables: Path) -> None:
    """[20.3, 17.0] C2 with 2 VP and 1 OP more, and a loss of 5 OPs."""
    game = make_game("fallujah2004", load("fallujah2004"))
    (c2, *_) = [piece for piece in started(game).position.pieces.values() if piece.name == "C2"]
    valuation = read_valuation(game.tables.bot)
    before = valuation.nodes(game.tables.charts["nodes"], [c2])
    change(tables / "charts" / "nodes.toml", 'c2 = ["C2", 3, -3, 4,', 'c2 = ["C2", 4, -5, 6,')
    after = valuation.nodes(load("fallujah2004").charts["nodes"], [c2])
    assert after.won - before.won == pytest.approx(2 + 1.6)
    assert after.lost - before.lost == pytest.approx(2 * 1.6)


def test_a_told_fact_changes_what_an_offensive_can_expect() -> None:
    """[9.3(2)] A force wins more often where OPFOR breaks off than where it stands."""
    match = started(make_game("fallujah2004", load("fallujah2004")))
    facts = dict(practice_facts(match.game))
    force = [piece for piece in deployed(match.position) if not is_fob(piece) and not is_helicopter(piece)][:1]
    wins = {}
    for cell in ("stand", "break-off"):
        features = features_of(match, match.position, facts | {key: cell for key in facts if key.startswith("stand:")})
        wins[cell] = [features.approach(force, space, exact).forecast.win for space in ("3-8", "4-9") for exact in (True, False)]
    assert all(high > low for high, low in zip(wins["break-off"], wins["stand"], strict=True))


def test_a_switched_ruling_changes_the_value_of_an_fob() -> None:
    """[18.5] With `fob_surcharge` an FOB costs an OP more (ruling C-6)."""
    match = started(make_game("fallujah2004", load("fallujah2004")))
    engineer = next(piece for piece in match.position.of_kind("unit") if is_engineer(piece))
    moved = match.position.changed(pieces={**match.position.pieces, engineer.id: engineer._replace(place="4-9")})
    values = {}
    for choice in ("included", "extra"):
        (offer,) = [
            offer
            for offer in building(features_of(match, moved, options={"fob_surcharge": choice}))
            if offer.decision.plan.answers["at"] == "4-9"
        ]
        values[choice] = offer.value
    assert values["included"] - values["extra"] == pytest.approx(1.6)


def test_every_path_that_the_planner_finds_is_a_legal_move() -> None:
    """[13.0 to 13.4] `reach` offers no path that the procedure refuses, from a Base and from the map."""
    match = started(make_game("fallujah2004", load("fallujah2004")))
    movers = [piece for piece in deployed(match.position) if not is_fob(piece) and not is_helicopter(piece)]
    checked = 0
    for start in ("north base", "west base", "3-8", "4-9", "2-10"):
        unit = movers[0]
        pieces = {**match.position.pieces, unit.id: unit._replace(place=start)}
        features = features_of(match, match.position.changed(pieces=pieces))
        referee = features.referee
        force = [referee.piece(unit.id)]
        paths = features.map.reach(start, movement_value(referee, force), features.node_spaces, features.blown)
        for path in paths.values():
            with pytest.raises(StopIteration) as end:
                move_fault(referee, force, Move("ground", path)).send(None)  # type: ignore[attr-defined]
            fault = end.value.value
            assert fault is None or fault.rule == "8.2", (start, path, fault)
            checked += 1
    assert checked > 20


def test_every_path_that_the_planner_finds_after_a_battle_is_legal() -> None:
    """[13.2, 14.1] With the point of the MSR no path leaves the MSR that needs it, and some path uses it."""
    match = started(make_game("fallujah2004", load("fallujah2004")))
    unit = next(piece for piece in deployed(match.position) if not is_fob(piece) and not is_helicopter(piece))
    longest = {False: 0, True: 0}
    for start, off_msr in product(("5-8", "6-8", "4-8"), ((), ("2-10",))):
        pieces = {**match.position.pieces, unit.id: unit._replace(place=start)}
        features = features_of(match, match.position.changed(pieces=pieces))
        force = [features.referee.piece(unit.id)]
        trail = (*off_msr, start)
        along_msr = all(is_msr(features.map.ground(space)) for space in trail)
        arrival = Arrival(start, 1, trail, tuple(force))
        for path in features.map.reach(start, 1, features.node_spaces, features.blown, along_msr).values():
            with pytest.raises(StopIteration) as end:
                move_fault(features.referee, force, Move("ground", path), arrival).send(None)  # type: ignore[attr-defined]
            fault = end.value.value
            assert fault is None or fault.rule == "8.2", (start, path, fault)
            longest[along_msr] = max(longest[along_msr], len(path))
    assert longest == {False: 1, True: 2}


def test_strikes_that_cannot_pay_are_not_forecast(monkeypatch: pytest.MonkeyPatch) -> None:
    """[16.1(3a)] Without advice the choice is the same, from fewer forecasts: a battle can be won no better than without loss."""
    match = started(make_game("fallujah2004", load("fallujah2004")))
    features = features_of(match, match.position)
    asked: list[int] = []
    committed = Features.committed

    def counted(self: Features, decision: Commitment, netwar: bool = False, strikes: int = 0, step: Step = ROUND[0]) -> Forecast:
        asked.append(strikes)
        return committed(self, decision, netwar, strikes, step)

    monkeypatch.setattr(Features, "committed", counted)
    offered = tuple(Strike(fire, name=f"Air Strike ({fire})", id=f"s{number}") for number, fire in enumerate((4, 3, 3, 2, 2, 1)))
    choices = [Choice(strike.id, strike.name) for strike in offered]
    counts = {False: 0, True: 0}
    for ours, theirs in product(range(1, 5), range(1, 5)):
        battle = Battle((Fighter(3, 2, 2, 2, 1),) * ours, (Fighter(2, 2),) * theirs, Support(offered), firing="coalition")
        stage = BattleHost(features.referee.hypothetical(), r16_combat.conditions(features.referee, "urban"))
        chosen = {}
        for is_advising in counts:
            request = Pick("strikes", "Which strikes", "16.1(3a)", choices)
            request.odds = Commitment(stage, battle, 0, lambda *_: Odds("", "", ()))
            context = match.context(PLAYER, features.referee, request, lambda: pytest.fail("no rollouts"))
            context.is_advising = is_advising
            asked.clear()
            answer = planner.strikes(context, features)
            chosen[is_advising] = answer and planner.decision_of(answer)
            counts[is_advising] += len(asked)
        assert chosen[False] == chosen[True]
    assert counts[False] < counts[True] * 0.8

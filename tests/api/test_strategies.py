"""Strategies on top of a policy, what they see, strategies in files, fixed answers, and games that go on from a session."""

from __future__ import annotations

import gc
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion import api
from companion.api import strategies
from companion.session.store import Archive

QUICK = (
    ("fallujah2004", "plain"),
    ("phantomfury", "planner"),
    ("phantomfury", "random"),
    ("fallujahcards", "bot"),
    ("fallujahcards", "random"),
    ("iraqwar2003", "random"),
    ("lzalbany", "plain"),
    ("lzalbany", "hard"),
)


def nothing(view: api.View) -> None:
    """Leave every decision to the policy below."""


@pytest.mark.parametrize(("game", "base"), QUICK)
def test_a_strategy_that_leaves_everything_open_plays_the_games_of_its_base(game: str, base: str) -> None:
    own = api.simulate(game, 1, policies=nothing, base=base, seed="base")

    assert own.played == api.simulate(game, 1, policies=base, seed="base").played and not own.played[0].error
    assert set(own.policies.values()) == {"own"}


@pytest.mark.slow
@pytest.mark.parametrize("game", ["fallujah2004", "phantomfury", "fallujahcards", "iraqwar2003", "lzalbany"])
def test_the_same_with_every_policy(game: str) -> None:
    for base in next(iter(api.game(game).policies.values())):
        own = api.simulate(game, 2, policies=nothing, base=base, seed="base")
        assert own.played == api.simulate(game, 2, policies=base, seed="base").played, base


def test_a_base_keeps_its_level() -> None:
    """A hard bot runs five times as many playouts, a weak one makes mistakes."""
    by_level = {}
    for level in ("easy", "normal", "hard"):
        own = api.simulate("phantomfury", 1, policies=nothing, base=level, seed=2, think=1)
        assert own.played == api.simulate("phantomfury", 1, policies=level, seed=2, think=1).played
        by_level[level] = own.played
    assert by_level["easy"] != by_level["normal"] != by_level["hard"]


def test_as_many_playouts_as_in_a_session() -> None:
    usual = api.simulate("phantomfury", 1, policies="normal", seed=1, think="usual")

    assert usual.played != api.simulate("phantomfury", 1, policies="normal", seed=1).played
    with pytest.raises(api.Unreadable, match="some playouts cannot be played"):
        api.simulate("phantomfury", 1, think="some")


def test_a_strategy_on_top_of_another_policy() -> None:
    """What it leaves open is decided by that policy, and what another seat does is not."""
    asked: set[str] = set()

    def watching(view: api.View) -> None:
        asked.add(view.seat)

    own = api.simulate("lzalbany", 1, policies={"us": watching, "nva": "plain"}, base={"us": "random"}, seed=1)
    again = api.simulate("lzalbany", 1, policies={"us": watching, "nva": "plain"}, otherwise="random", seed=1)

    assert own == again
    assert own.played == api.simulate("lzalbany", 1, policies={"us": "random", "nva": "plain"}, seed=1).played
    assert own.policies == {"us": "own", "nva": "plain"} and asked == {"us"}


def test_a_base_that_is_none() -> None:
    for wrong, why in (
        ({"base": "nonesuch"}, "no policy of 'us' 'nonesuch'"),
        ({"base": {"nva": "plain"}}, "no strategy plays 'nva'"),
        ({"base": "plain", "otherwise": "plain"}, "two names of one argument"),
        ({"base": "plain", "policies": "plain"}, "no strategy plays"),
    ):
        with pytest.raises(api.Unreadable, match=why):
            api.simulate("lzalbany", 1, **{"policies": {"us": nothing}, **wrong})  # type: ignore[arg-type]


def test_a_strategy_answers_what_the_plan_of_its_base_answers() -> None:
    """The planner of Fallujah 2004 begins an action together with its answers; each is a question to the strategy."""
    asked: list[str] = []

    def west(view: api.View) -> str | None:
        if view.question is not None:
            asked.append(view.question.key)
        return "west base" if asked[-1:] == ["at"] and view.question else None

    (played,) = api.simulate("fallujah2004", 1, policies=west, seed=1).played
    (usual,) = api.simulate("fallujah2004", 1, seed=1).played

    assert asked[:2] == ["buy", "at"] and {"force", "to"} <= {*asked}
    assert usual.opening.endswith("at='east base'") and played.opening == usual.opening.replace("east base", "west base")


def test_an_answer_that_is_refused_is_replaced_by_that_of_the_base() -> None:
    """So that the game is the same, and the refusals are counted."""
    asked: list[str] = []

    def nonsense(view: api.View) -> str | None:
        if view.question is None or view.question.key != "force":
            return None
        asked.append(view.question.key)
        return "nonsense"

    (played,) = api.simulate("fallujah2004", 1, policies=nonsense, seed=1).played
    (usual,) = api.simulate("fallujah2004", 1, seed=1).played

    assert asked and played.refused == len(asked) + usual.refused
    assert played._replace(refused=0) == usual._replace(refused=0)


def test_no_reference_cycles_pile_up() -> None:
    """Neither by views nor by refusals."""
    from companion.core.overrides import FixedAnswer
    from companion.session.simulation import OwnPolicy, make_series, play_game
    from companion.session.state import load_game

    def nonsense(view: api.View) -> str | None:
        return "nonsense" if view.question and view.question.key == "destroy" else None

    own = {"player": OwnPolicy("own", partial(strategies.StrategyPolicy, nonsense))}
    fixed = [FixedAnswer("destroy", "nonsense")]
    series = make_series(load_game("fallujahcards"), "", {}, {}, "left", own=own, fixed=fixed)
    assert play_game(series, 1).refused
    gc.collect()
    gc.disable()
    try:
        assert play_game(series, 2).refused
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_candidates_of_the_base_with_values_and_reasons() -> None:
    """To look at them changes nothing; one can be returned."""
    seen: list[tuple[api.Candidate, ...]] = []

    def looking(view: api.View) -> None:
        if len(seen) < 12:
            seen.append(view.candidates)

    (own,) = api.simulate("fallujah2004", 1, policies=looking, seed=1).played
    assert (own,) == api.simulate("fallujah2004", 1, seed=1).played
    first = seen[0]
    assert len(first) > 2 and {one.action for one in first} == {"buy"} and all(one.reasons for one in first)
    assert first[0].value > first[1].value and {*first[0].answers} == {"buy", "at"} and first[0].gap == 0
    assert any(one and not one[0].action for one in seen)  # at a question too

    def second(view: api.View) -> api.Candidate | None:
        return view.candidates[1] if "buy" in view.actions and not view.position.at("available") else None

    (other,) = api.simulate("fallujah2004", 1, policies=second, seed=1).played
    assert str(first[1].answers["buy"]) in other.opening and not other.refused


def test_candidates_of_a_question_and_of_a_policy_that_compares_nothing() -> None:
    seen: dict[str, list[tuple[api.Candidate, ...]]] = {"bot": [], "plain": []}
    for base, found in seen.items():

        def better(view: api.View, found: list[tuple[api.Candidate, ...]] = found) -> api.Candidate | None:
            if view.question is None or not (candidates := view.candidates):
                return None
            found.append(candidates)
            return candidates[0]

        own = api.simulate("fallujahcards", 1, policies=better, base=base, seed=3, think=2)
        assert own.played[0].refused == 0 and not own.played[0].error

    assert seen["bot"] and not seen["plain"]
    candidates = seen["bot"][0]
    assert len(candidates) > 1 and all({*one.answers} == {*candidates[0].answers} and not one.action for one in candidates)
    assert candidates[0].playouts > 0 or candidates[0].error == 0


def test_a_candidate_of_another_decision_is_refused() -> None:
    kept: list[api.Candidate] = []

    def stale(view: api.View) -> api.Candidate | None:
        if view.question is None:
            kept.extend(view.candidates[:1])
            return None
        return kept[0] if view.question.key == "markers" else None

    assert api.simulate("fallujah2004", 1, policies=stale, seed=1).played[0].refused >= 1


def test_odds_of_a_situation_and_of_a_question() -> None:
    titles: set[str] = set()
    refused: list[str] = []

    def asking(view: api.View) -> None:
        if len(refused) == 3:
            return
        titles.add(view.odds("next").title)
        try:
            titles.add(view.odds().title)
        except api.Illegal as no:
            refused.append(no.message)

    (own,) = api.simulate("fallujahcards", 1, policies=asking, seed=1).played

    assert (own,) == api.simulate("fallujahcards", 1, seed=1).played
    assert titles and refused
    with pytest.raises(api.Unreadable):
        api.View("us", api.Position(), None, (), lambda below: 0).odds("next")


def test_a_class_is_made_anew_for_each_game(tiny_game: str) -> None:
    class Counting:
        def __init__(self) -> None:
            self.turn = 0

        def __call__(self, view: api.View) -> str:
            self.turn += 1
            return "rest" if self.turn < 3 else "stop"

    run = api.simulate("tiny", 3, policies=Counting, seed=1)  # type: ignore[arg-type]

    assert [(one.turns, one.error) for one in run.played] == [(run.played[0].turns, "")] * 3


# -- in a file ---------------------------------------------------------------------------------------------------------

RESTS = "def strategy(view):\n    return 'rest' if view.position.track('turn') < 4 else None\n"


@pytest.fixture
def rests(tmp_path: Path) -> Path:
    (file := tmp_path / "my.py").write_text(RESTS, encoding="utf-8")
    return file


def test_a_strategy_in_a_file_is_played_by_several_processes(rests: Path) -> None:
    (cards := rests.parent / "cards.py").write_text(
        "def holds(view):\n"
        "    options = [one.value for one in view.question.choices] if view.question else ()\n"
        "    return 'decline' if 'decline' in options else None\n",
        encoding="utf-8",
    )
    one = api.simulate("fallujahcards", 5, policies=f"{cards}:holds", base="plain", seed=1)
    two = api.simulate("fallujahcards", 5, policies=f"{cards}:holds", base="plain", seed=1, jobs=2)

    assert one == two and one.policies == {"player": "cards.py:holds"}
    assert one.played != api.simulate("fallujahcards", 5, policies="plain", seed=1).played


@pytest.mark.parametrize(
    ("text", "name", "why"),
    [
        (None, "strategy", "cannot be read"),
        (RESTS, "other", "has no function 'other'. It has: strategy"),
        ("x = 1\n", "x", r"Define it: def x\(view\)"),
        ("def (:\n", "strategy", r"cannot be loaded: SyntaxError: .* \(line 1\)"),
        ("\n1 / 0\n", "strategy", r"ZeroDivisionError: division by zero \(line 2\)"),
    ],
)
def test_a_file_that_cannot_be_used(tiny_game: str, tmp_path: Path, text: str | None, name: str, why: str) -> None:
    if text is not None:
        (tmp_path / "my.py").write_text(text, encoding="utf-8")
    with pytest.raises(api.Unreadable, match=why):
        api.simulate("tiny", 1, policies=f"{tmp_path / 'my.py'}:{name}")


def test_a_file_without_its_function(tiny_game: str, rests: Path) -> None:
    with pytest.raises(api.Unreadable, match="names no strategy"):
        api.simulate("tiny", 1, policies=str(rests))


def test_a_file_that_changes_during_a_run_is_refused(rests: Path) -> None:
    strategy = strategies.StrategyFile.read(f"{rests}:strategy")
    rests.write_text(f"{RESTS}# changed\n", encoding="utf-8")

    with pytest.raises(api.Unreadable, match="is not the file that the run began with"):
        strategy.load()


# -- fixed answers -----------------------------------------------------------------------------------------------------


def test_fixed_answers_are_given_once_and_in_order(tiny_game: str) -> None:
    """The planned answers of a strategy give way to them too."""

    def march(view: api.View) -> str | None:
        return ("march" if view.position.track("turn") < 4 else "stop") if view.question is None else None

    run = api.simulate("tiny", 2, policies=march, seed=1, answers=[("to", "ford"), ("to", "hill-2"), ("player.to", "hill-3")])

    assert all("to=ford" in one.opening and not one.unused and not one.error for one in run.played)


def test_fixed_answers_that_are_refused_or_not_asked_are_reported() -> None:
    answers = {"buy": "USMC 99", "at": "west base", "campaign": "x"}
    with pytest.raises(api.Unreadable, match="has no question 'campain'"):
        api.simulate("fallujah2004", 1, answers={"campain": "x"})
    (played,) = api.simulate("fallujah2004", 1, seed=1, answers={key: answers[key] for key in ("buy", "at")}).played

    assert played.unused == ("buy=USMC 99: refused: no counter in the Recruit box 'USMC 99'",)
    assert played.opening.endswith("at='west base'") and played.refused == 1
    (cards,) = api.simulate("fallujahcards", 1, seed=1, answers={"destroy": "nonesuch", "player.disarm": "none such"}).played
    assert [text.partition(": ")[2].partition(":")[0] for text in cards.unused] == ["refused"] * 2


# -- from a session ----------------------------------------------------------------------------------------------------


def advanced(game: str, actions: int) -> api.Session:
    """A session in which the usual policy has played some actions."""
    from companion.session.controller import SessionController
    from companion.session.facts import install_practice_set
    from companion.session.simulation import make_series, replay_as_session
    from companion.session.state import load_game

    archive = api.open_archive(api.MEMORY, practice=True)
    loaded = load_game(game)
    install_practice_set(archive._store, loaded)
    replayed = replay_as_session(archive._store, make_series(loaded, "", {}, {}, "from"), 1, "april").session
    replayed.undo_to(actions)
    session = api.Session(SessionController.open(archive._store, "april"))
    session.kept = archive  # type: ignore[attr-defined]
    return session


def rows(store: Archive) -> list[Any]:
    return [tuple(row) for row in store.rows(store.session("april").id)]


@pytest.mark.parametrize("game", ["fallujah2004", "phantomfury", "fallujahcards", "lzalbany"])
def test_games_go_on_from_a_session(game: str) -> None:
    """From its position, with dice of their own; the session is not changed."""
    session = advanced(game, 5)
    store = session._controller.archive
    before, position = rows(store), session.position
    base = {"fallujahcards": "bot", "phantomfury": "planner"}.get(game, "plain")

    run = api.simulate(game, 3, start=session, seed=1, policies=nothing, base=base)

    assert run.played == api.simulate(game, 3, start=session, seed=1, policies=base).played
    assert not any(one.error for one in run.played) and len({one.decisions for one in run.played}) > 1
    assert all(one.turns >= position.track("turn") for one in run.played)
    assert rows(store) == before and session.position == position


def test_games_go_on_from_an_earlier_action_and_from_an_open_question() -> None:
    session = advanced("fallujah2004", 9)
    force = next(piece.name for piece in session.position.of_kind("unit") if piece.place.endswith("base"))
    earlier = api.simulate("fallujah2004", 2, start=session, entry=4, seed=1)
    session.undo_to(4)
    assert earlier.played == api.simulate("fallujah2004", 2, start=session, seed=1).played

    done = session.do("j3", answers={"force": [force]})
    assert done.question is not None and done.question.key == "to"
    asked: list[tuple[str, Any]] = []

    def looking(view: api.View) -> None:
        asked.append((view.question.key if view.question else "", view.position.track("ops")))

    run = api.simulate("fallujah2004", 1, start=session, policies=looking, seed=1)
    assert asked[0][0] == "to" and not run.played[0].error
    assert run.played[0].opening.startswith("j3 to=")  # without what the session has answered


def test_several_processes_play_on_from_a_session() -> None:
    session = advanced("fallujahcards", 30)
    one = api.simulate("fallujahcards", 4, start=session, seed=1, policies="bot")

    assert one == api.simulate("fallujahcards", 4, start=session, seed=1, policies="bot", jobs=2)


def test_a_position_that_cannot_be_played_on_from() -> None:
    session = advanced("fallujahcards", 5)
    session.undo()
    for given, why in (
        ({"entry": 5}, "is itself taken back"),
        ({"entry": 500}, "no action 500"),
        ({"scenario": "patrol"}, "has its scenario and options"),
        ({"options": {"level": "hard"}}, "has its scenario and options"),
    ):
        with pytest.raises((api.Impossible, api.Unreadable), match=why):
            api.simulate("fallujahcards", 1, start=session, **given)
    with pytest.raises(api.Unreadable, match="is one of fallujahcards, not of lzalbany"):
        api.simulate("lzalbany", 1, start=session)
    while not session.over:
        session.do("turn", accept=True)
    with pytest.raises(api.Impossible, match="the game is over"):
        api.simulate("fallujahcards", 1, start=session)


# -- results -----------------------------------------------------------------------------------------------------------


def test_a_frame() -> None:
    pytest.importorskip("pandas")
    run = api.simulate("fallujahcards", 4, seed=1, answers={"destroy": "nonesuch"})
    frame = run.frame()

    assert list(frame.index) == [1, 2, 3, 4] and frame["score"].mean() == run.scores.mean
    assert set(frame["refused"]) == {1} and frame["unused"].str.contains("destroy=nonesuch: refused").all()


def test_no_frame_without_pandas(tiny_game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(api.Unreadable, match="needs pandas") as no:
        api.simulate("tiny", 1, policies="random").frame()
    assert no.value.cure == 'pip install "tabletop-companion[frame]"'

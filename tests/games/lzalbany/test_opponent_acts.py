"""The opponent in whole games: its set-up, its actions or proposals, and its reasons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from companion.core.events import Said
from companion.core.request import Request
from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.games.lzalbany.test_counsel import begun
from tests.support.table import Table

_NUMBERS = ("lets", "fires", "aims", "puts", "takes", "moves", "retreats", "stays", "places", "rallies", "plays", "ceases")
"""What every game of it holds, by the word that says so; each with a value in VP."""
_OTHERS = ("keeps", "has", "sends", "drops", "lands", "lights", "flies", "advances", "does", "returns")

_BOUND = ("it arrives there", "the NVA retreats by the shortest way [5.2E]")
"""Where there is nothing to choose."""


def explained_decisions(seed: str) -> Iterator[tuple[str, Said]]:
    """The explained decisions of both opponents in a whole game, each with its verb."""
    table = Table("lzalbany", "battle", seed=seed, map="practice", us="companion", nva="companion", opponent="acts")
    while not table.game.over(table.position):
        for event in table.do("next", accept=True):
            if isinstance(event, Said) and event.because and not event.because[0].startswith("strengths"):
                the, side, word, *_ = [*event.text.split(), "", ""]
                if the == "The" and side in ("US", "NVA"):
                    yield word.rstrip("."), event


@pytest.mark.slow
def test_every_kind_of_decision_is_explained_in_three_lines_with_its_value() -> None:
    """[3.1] The value of the choice in VP, and the candidates passed over."""
    seen = set()
    for seed in ("reasons 1", "reasons 2"):
        for word, line in explained_decisions(seed):
            if word not in (*_NUMBERS, *_OTHERS):
                continue
            seen.add(word)
            assert 1 <= len(line.because) <= 3, line
            if word in _NUMBERS and line.because[0] not in _BOUND:
                assert " VP" in line.because[0], line
    assert set(_NUMBERS) <= seen


def suggested(request: Request[Any]) -> Answers:
    """The default answer to a question."""
    return Answers(keyed=[(request.key, request.display(request.check(request.suggest)))])


def test_the_opponent_sets_itself_up(archive: Archive) -> None:
    """[3.2E] Without questions, on its start areas, each infantry company in one area with its officer, without over-stacking."""
    session = begun(archive)
    answered = []
    session.do("deploy")
    while session.pending is not None:
        answered.append(session.pending.key)
        session.answer(suggested(session.pending))
    assert answered == ["a/2-7", "c/2-7", "d/2-7", "us-senior"]
    pieces = [piece for piece in session.position.pieces.values() if piece.values.get("side") == "NVA"]
    units = [piece for piece in pieces if piece.kind == "unit" and session.position.flag(f"start:{piece.place}") == "nva1"]
    assert len(units) == 16 and len({piece.place for piece in units}) >= 6
    for company in ("1/1/33", "6/8/66", "7/8/66", "8/8/66"):
        assert len({piece.place for piece in pieces if piece.values.get("company") == company}) == 1
    assert not any("to be placed" in piece.place for piece in pieces)


@pytest.mark.parametrize(("opponent", "asked"), [("acts", 0), ("proposes", 1)])
def test_the_opponent_acts_or_proposes(archive: Archive, opponent: str, asked: int) -> None:
    """[3.1] The plan of a chit: carried out, or put to the player as what Enter takes."""
    session = begun(archive, opponent=opponent)
    plans = 0
    for _ in range(40):
        if session.position.flag("phase") == "rally":
            break
        if session.pending is None:
            session.do("next")
        else:
            plans += session.pending.key == "plan"
            session.answer(suggested(session.pending))
    assert (plans > 0) is bool(asked)


@pytest.mark.parametrize("former", ["v1", "still"])
def test_a_session_with_a_former_opponent_goes_on(archive: Archive, former: str) -> None:
    """[3.1] An open question of an old session is asked again when it is opened, and the present opponent decides the rest."""
    session = begun(archive, nva=former, opponent="proposes")
    for _ in range(2):
        session.do("next", Answers(accept=True))
    session.do("next")
    assert session.pending is not None
    again = SessionController.open(archive)
    assert again.pending is not None and again.pending.key == session.pending.key
    again.answer(Answers(accept=True))
    assert again.pending is None

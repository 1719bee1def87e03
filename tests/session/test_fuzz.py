"""A share of the fuzz: each game, watched after every call. The whole of it is ``tests.measures.fuzz``."""

from __future__ import annotations

import pytest

from companion.games import GAMES
from tests.support.fuzzing.player import Fuzzer


@pytest.mark.parametrize("game", GAMES)
def test_random_calls_keep_the_session_consistent(game: str) -> None:
    """A few hundred calls by chance: see the measure for what must hold after each of them."""
    done = Fuzzer(f"{game}/share", cap=120).run()

    assert done.fault is None, done.fault.told
    assert done.decisions > 20


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("number", range(12))
def test_random_calls_keep_the_session_consistent_for_long(game: str, number: int) -> None:
    """Sessions to their end."""
    done = Fuzzer(f"{game}/long {number}").run()

    assert done.fault is None, done.fault.told

"""Advice on orders can be carried out."""

from __future__ import annotations

import pytest

from companion.core.resolver import Answers
from companion.games.iraqwar2003.ai import policies
from companion.session.store import Archive
from tests.games.iraqwar2003.starts import supplied


def test_advice_on_orders_plays_them_in_their_normal_form(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """[4.1(4), 13.2] An order that attacks a hex is normalised before it is tried; as typed, it would name the hex as a unit."""
    tried: list[str] = []
    best = policies._best

    def spy(context, ranking, action):  # type: ignore[no-untyped-def]
        tried.append(action("1/3ID > 2230 2331 > 2430"))
        return best(context, ranking, action)

    monkeypatch.setattr(policies, "_best", spy)
    session = supplied(archive, known="unit")
    session.do("move", Answers())
    assert session.counsel("0") is not None
    assert tried and tried[0].endswith("> 51M")

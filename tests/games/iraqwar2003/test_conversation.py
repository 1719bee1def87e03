"""What is said at the table: advice that can be carried out."""

from __future__ import annotations

from companion.core.resolver import Answers
from companion.session.store import Archive
from tests.games.iraqwar2003.turns import ONE, begun


def test_advice_on_orders_plays_them_in_their_normal_form(archive: Archive) -> None:
    """[4.1(4), 13.2] An order that attacks a hex is read before it is tried; raw, it named the hex as a unit."""
    desk = begun(told=ONE)(archive)
    desk.do("move", Answers())
    assert desk.pending is not None and desk.pending.key == "units"
    advice = desk.counsel("2")
    assert advice is not None and advice.text.startswith("Advice: ")

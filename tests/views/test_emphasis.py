"""Verdicts in capitals have their look, and a loss the look of whose it is."""

from __future__ import annotations

import pytest

from companion.core.position import Piece
from companion.views.lines import Line, Span
from companion.views.log import Emphasis, capitalise_verdicts
from companion.views.theme import MEANINGS


class _Two:
    """A game of two seats, in which a piece is of the side that its kind says."""

    class players:
        seats = ("red", "blue")

    @staticmethod
    def side(piece: Piece) -> str:
        return piece.kind


PIECES = {
    name: Piece(name, kind, name, "field") for name, kind in (("1/A", "red"), ("1/A/2", "blue"), ("Guns", "blue"), ("Box", ""))
}
ALONE, BOTH = {"blue": "bot"}, dict[str, str]()


def tones(text: str, options: dict[str, str] = ALONE) -> dict[str, str]:
    """Each word that stands out in a text, with its tone."""
    line = Emphasis(_Two(), options, PIECES).lines([Line(text, "", "1", "-> ")])[0]  # type: ignore[arg-type]
    assert line.text == text
    assert {span.tone for span in line.spans} <= set(MEANINGS)
    return {f"-> {text}"[span.start : span.end]: span.tone for span in line.spans}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("WON. No unit is left.", {"WON": "won"}),
        ("LOST: nobody stands", {"LOST": "lost"}),
        ("1/A is ELIMINATED", {"ELIMINATED": "loss"}),
        ("1/A/2 is ELIMINATED", {"ELIMINATED": "gain"}),
        ("Guns: 3, hits on 1-3: HIT. 1/A is REDUCED", {"HIT": "key", "REDUCED": "loss"}),
        ("Guns fire at 1/A: SHOT DOWN", {"SHOT DOWN": "key"}),
        ("Box: DESTROYED", {"DESTROYED": "key"}),
        ("a HITHERTO unknown WONDER", {}),
    ],
)
def test_a_verdict_has_the_tone_of_whose_it_is(text: str, wanted: dict[str, str]) -> None:
    assert tones(text) == wanted


def test_where_two_people_play_a_verdict_is_nobodys() -> None:
    assert tones("WON. 1/A is ELIMINATED", BOTH) == {"WON": "key", "ELIMINATED": "key"}


def test_a_verdict_shows_over_what_is_dim() -> None:
    line = Line("1/A -> Box", "board", "", "-> ").with_reason(capitalise_verdicts("shot down at dawn"))
    result = Emphasis(_Two(), ALONE, PIECES).lines([line])[0]  # type: ignore[arg-type]

    assert result.text == "1/A -> Box: SHOT DOWN at dawn"
    assert result.spans == (Span(13, 15, "dim"), Span(15, 24, "loss"), Span(24, 32, "dim"))
    assert result.with_lead("  -> ").spans[0] == Span(15, 17, "dim")

"""The tones of verdicts and losses."""

from __future__ import annotations

import pytest

from companion.core.position import Piece
from companion.views.lines import Line, Span
from companion.views.log import Emphasis, capitalise_verdicts
from companion.views.theme import MEANINGS


class _Two:
    """A game with two seats; the kind of a piece is its side."""

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
    """Return each emphasised word of a text with its tone."""
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
def test_verdict_has_the_tone_of_the_affected_side(text: str, wanted: dict[str, str]) -> None:
    assert tones(text) == wanted


def test_verdict_is_neutral_with_two_players() -> None:
    assert tones("WON. 1/A is ELIMINATED", BOTH) == {"WON": "key", "ELIMINATED": "key"}


def test_verdict_covers_a_dim_span() -> None:
    line = Line("1/A -> Box", "board", "", "-> ").with_reason(capitalise_verdicts("shot down at dawn"))
    result = Emphasis(_Two(), ALONE, PIECES).lines([line])[0]  # type: ignore[arg-type]

    assert result.text == "1/A -> Box: SHOT DOWN at dawn"
    assert result.spans == (Span(13, 15, "dim"), Span(15, 24, "loss"), Span(24, 32, "dim"))
    assert result.with_lead("  -> ").spans[0] == Span(15, 17, "dim")

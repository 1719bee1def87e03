"""The handicap in VP: agreed by the players and no rule, so the score names both results."""

from __future__ import annotations

import pytest

from companion.core.errors import Unreadable
from tests.games.lzalbany.field import Field


def ended(handicap: str, us: int, nva: int) -> Field:
    """The end of turn 10 with these points and nobody in LZ Albany."""
    field = Field(turn=10, handicap=handicap)
    field.flag(phase="administrative")
    field.set(us_vp=us, nva_vp=nva)
    field.do("admin")
    return field


@pytest.mark.parametrize(
    ("handicap", "us", "nva", "total", "verdict", "by_rules"),
    [
        ("15", 10, 20, 5, "US victory (US 25, NVA 20) with the handicap", "NVA victory (US 10, NVA 20)"),
        ("-15", 20, 10, -5, "NVA victory (US 20, NVA 25) with the handicap", "US victory (US 20, NVA 10)"),
        ("10", 10, 20, 0, "Draw (US 20, NVA 20) with the handicap", "NVA victory (US 10, NVA 20)"),
        ("25", 11, 35, 1, "US victory (US 36, NVA 35) with the handicap", "NVA victory at once (US 11, NVA 35)"),
    ],
)
def test_the_score_says_both_results(handicap: str, us: int, nva: int, total: int, verdict: str, by_rules: str) -> None:
    field = ended(handicap, us, nva)
    score = field.game.score(field.position, field.options)

    assert (score.total, score.verdict) == (total, verdict)
    assert f"By the rules: {by_rules}." in score.notes
    assert any("handicap" in label and points == int(handicap) for label, points, _ in score.items)
    assert field.says(verdict)
    assert field.game.players.outcome(field.position, field.options).result == verdict.partition(" ")[0].casefold()


def test_the_rules_do_not_see_it() -> None:
    """[4.2, 5.2E] Points on the tracks stay; with 29 VP and a handicap of 20 the NVA does not retreat."""
    field = ended("20", 29, 0)

    assert field.track("us_vp") == 29
    assert not field.position.flag("retreat")


def test_status_shows_it_and_nothing_without_it() -> None:
    fields = {
        field.key: field.value for field in ended("-7", 0, 0).game.banner(ended("-7", 0, 0).position, {"handicap": "-7"}).fields
    }

    assert fields["handicap"] == "NVA +7 at the end"
    plain = Field()
    assert "handicap" not in {field.key for field in plain.game.banner(plain.position, plain.options).fields}
    assert not any("handicap" in item[0] for item in plain.game.score(plain.position, plain.options).items)


@pytest.mark.parametrize("text", ["much", "1.5", "100", "-100"])
def test_a_handicap_is_a_whole_number(text: str) -> None:
    with pytest.raises(Unreadable, match="handicap"):
        Field(handicap=text)

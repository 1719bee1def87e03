"""What is said of a review: the figures in its words are those of the data."""

from __future__ import annotations

import re

import pytest

from companion.core.review import CERTAIN, Alternative, Estimate, GameReview, Worth
from companion.session.controller import SessionController
from companion.session.state import load_game
from companion.session.store import Archive
from companion.views.lines import WIDTH, plain_text
from companion.views.report.document import Table, plain_texts
from companion.views.report.render import report_bbcode, report_md
from companion.views.review import (
    SessionReview,
    accuracy_table,
    action_lines,
    because,
    cost_text,
    kinds_table,
    part_title,
    result_sentence,
    review_blocks,
    review_data,
    review_lines,
    session_review,
    sum_table,
)
from tests.support.reviewed import reviewed_game


def about(unit: str = "win", **changes: object) -> SessionReview:
    review = reviewed_game(unit)._replace(**changes)  # type: ignore[arg-type]
    return SessionReview("april", load_game("lzalbany"), "Practice", review, "US wins by 5", frozenset(["nva"]), 2)


def texts(shown: SessionReview) -> list[str]:
    """Every form of a review."""
    blocks = review_blocks(shown)
    lines = [plain_text(review_lines(shown, details=details)) for details in (False, True)]
    return [*lines, report_md(blocks), report_bbcode(blocks)]


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("unit", ["win", "VP"])
def test_the_printed_sum_adds_up_within_rounding(unit: str) -> None:
    table = sum_table(about(unit))
    columns = range(1, len(table.head), 2)

    assert table.total and columns
    for column in columns:
        *parts, result = [float(row[column].removesuffix(" %")) for row in table.rows]
        assert abs(sum(parts) - result) <= 0.05 * (len(parts) + 1) + 1e-9


@pytest.mark.parametrize("unit", ["win", "VP"])
def test_the_printed_sum_is_that_of_the_data(unit: str) -> None:
    """Each part with its name and its error, as `--json` has them."""
    shown = about(unit)
    rows = {row[0]: row for row in sum_table(shown).rows}
    data = review_data(shown)

    assert list(rows) == [*(share["title"] for share in data["shares"]), "Result"]
    for share in data["shares"]:
        cells = [float(cell.removesuffix(" %")) for cell in rows[share["title"]][1:]]
        win = [100 * share["win"], 100 * share["win_error"]] if unit == "win" else []
        assert cells == pytest.approx([*win, share["vp"], share["vp_error"]], abs=0.051)
    assert {share["part"] for share in data["shares"]} == {"start", "luck", "decisions", "corrections", "not reviewed", "rest"}


def test_the_costs_in_words_are_those_of_the_data() -> None:
    shown = about()
    for decision, data in zip(shown.review.decisions, review_data(shown)["decisions"], strict=True):
        mean, error = map(float, re.findall(r"\d+\.\d", cost_text(shown, decision)))
        assert (mean, error) == pytest.approx((100 * data["win_loss"], 100 * data["win_loss_error"]), abs=0.051)


@pytest.mark.parametrize("form", range(4))
def test_a_planted_blunder_is_the_first_of_the_mistakes(form: int) -> None:
    text = flat(texts(about())[form])
    costs = re.findall(r"an? (inaccuracy|mistake|blunder), cost (\d+\.\d) % to win", text)

    assert costs == [("blunder", "22.0"), ("mistake", "12.0"), ("inaccuracy", "6.0")]
    assert re.search(
        r"4\.2 US, turn 2, target: 8-66-B \[10\.2\]\S*: a blunder, .{9,40} better: 8-66-C\. 8-66-C is disrupted", text
    )


@pytest.mark.parametrize("unit", ["win", "VP"])
def test_what_is_within_error_is_never_called_a_mistake(unit: str) -> None:
    shown = about(unit)
    for text in map(flat, texts(shown)[1:]):
        assert re.search(r"8\.3 US, turn 3, advance: 1-7-A \[11\.6\]: within error of 1-7-C", text)
    for text in map(flat, texts(shown)):
        assert not re.search(r"8\.3 [^:]*: 1-7-A \S*: an? (inaccuracy|mistake|blunder)", text)


def test_a_loss_of_any_size_within_its_error_is_no_mistake() -> None:
    """Whatever its mean: the grade decides, and no form counts it anywhere else."""
    review = reviewed_game()
    (blunder,) = (one for one in review.decisions if review.grade(one) == "blunder")
    assert blunder.win_loss is not None
    blurred = blunder._replace(win_loss=Estimate(blunder.win_loss.mean, blunder.win_loss.mean / CERTAIN * 1.01))
    shown = about(decisions=tuple(blurred if one is blunder else one for one in review.decisions))

    for text in texts(shown):
        assert "a blunder" not in text
    assert "within error of 8-66-C" in flat(texts(shown)[1])
    table = accuracy_table(shown)
    assert table is not None
    assert dict(zip(table.head, table.rows[0], strict=True))["blunders"] == "0"


def test_an_alternative_that_may_be_as_good_is_marked() -> None:
    review = reviewed_game()
    decision = review.decisions[3]
    close = Alternative("8-66-E", Estimate(1.0, 1.0), Estimate(0.5, 0.1), Estimate(1.0, 1.0), Estimate(0.1, 0.1))
    changed = decision._replace(alternatives=(*decision.alternatives, close))
    shown = about(decisions=tuple(changed if one is decision else one for one in review.decisions))

    (row,) = (line for line in texts(shown)[2].splitlines() if line.startswith("| 8-66-E"))
    assert row.endswith("| within error |")


@pytest.mark.parametrize("form", range(4))
def test_no_chance_to_win_is_shown_where_none_is_known(form: int) -> None:
    """Nor one that a review holds all the same, such as one that is not calibrated."""
    known = reviewed_game()
    for review in (reviewed_game("VP"), known._replace(unit="VP")):
        shown = about()._replace(review=review)
        text = texts(shown)[form].replace(f"{shown.verdict}.", "")
        assert "to win" not in text and "%" not in text
        assert "a blunder, cost 2.2 VP (+-0.3)" in flat(text)
        assert {key: value for key, value in walk(review_data(shown)) if key.startswith("win") and value is not None} == {}


def walk(data: object) -> list[tuple[str, object]]:
    """Every key of a document with its value."""
    if isinstance(data, dict):
        return [pair for key, value in data.items() for pair in ((key, value), *walk(value))]
    return [pair for one in data for pair in walk(one)] if isinstance(data, list | tuple) else []


@pytest.mark.parametrize("details", [False, True])
@pytest.mark.parametrize("unit", ["win", "VP"])
def test_the_screen_is_80_columns_wide(unit: str, details: bool) -> None:
    shown = about(unit)._replace(automated=frozenset())
    rows = plain_text(review_lines(shown, details=details)).splitlines()

    assert max(map(len, rows)) <= WIDTH
    (head,) = (row for row in rows if row.split()[:3] == ["Decisions", "of", "accuracy"])
    assert head.split()[-4:] == ["error", "inaccuracies", "mistakes", "blunders"]


def test_long_texts_have_a_line_of_their_own() -> None:
    review = reviewed_game()
    decision = review.decisions[3]
    long = tuple(one._replace(text=f"{one.text} {'and the rest of the company ' * 6}") for one in decision.alternatives)
    shown = about(decisions=(decision._replace(alternatives=long),))

    rows = plain_text(review_lines(shown, details=True)).splitlines()
    assert max(map(len, rows)) <= WIDTH
    assert sum(row.startswith("  8-66-") and row.endswith("rest of") for row in rows) == len(long)  # goes on below
    assert sum(row.startswith("   ") and row.endswith(("  taken", " %  0.0", " %  2.0", " %  3.0")) for row in rows) >= len(
        long
    )  # their figures
    assert not any("..." in row for row in rows)


def test_a_seat_with_decisions_of_a_person_is_not_called_companion(archive: Archive) -> None:
    """Such as in a simulated game that is played again as a session."""
    session = SessionController.create(archive, "lzalbany", options={"nva": "companion"}, seed="3")
    review = reviewed_game()
    by_people = review._replace(decisions=tuple([one._replace(by_person=True) for one in review.decisions]))

    assert session_review(session, review).automated == {"nva"}
    assert session_review(session, by_people).automated == frozenset()


def test_a_narrow_screen_names_the_figures_of_a_row() -> None:
    rows = plain_text(review_lines(about(), details=True, columns=44), width=44).splitlines()

    assert max(map(len, rows)) <= 44
    assert any(re.match(r"  US: accuracy \d+ \+-\d+, all \d+,$", row) for row in rows)
    assert any(re.match(r"  8-66-C: to win 60.0 % \+-3.0, VP 2.0 \+-0.3,$", row) for row in rows)


def test_a_reason_says_nothing_twice() -> None:
    decision = reviewed_game().decisions[3]
    apart = f"{decision.best} is ahead by 15 % to win (+-2) in 16 worlds"

    for reason, said in ((apart, ""), (f"{apart}: the road is open", "the road is open"), ("it is near", "it is near")):
        assert because(decision._replace(reason=reason)) == said


@pytest.mark.parametrize("unit", ["win", "VP"])
def test_the_losses_by_kind_are_the_sums_of_the_decisions(unit: str) -> None:
    shown = about(unit)
    people = [one for one in shown.review.decisions if one.by_person]
    kinds = {(row.seat, row.key): row for row in shown.review.losses_by_kind()}
    lost = [shown.review.share_of_loss(row).mean for row in kinds.values()]
    table = kinds_table(shown)

    assert lost == sorted(lost, reverse=True) and len(kinds) > 1
    for (seat, key), row in kinds.items():
        of_kind = [one for one in people if (one.seat, one.key) == (seat, key)]
        assert row.decisions == len(of_kind)
        assert row.loss.mean == pytest.approx(sum(one.loss.mean for one in of_kind))
        assert row.loss.error**2 == pytest.approx(sum(one.loss.error**2 for one in of_kind))
        assert row.mistakes == sum(one in shown.review.mistakes() for one in of_kind)
    assert table is not None and table.rows[0][0].startswith("US, target")


def test_a_large_rest_is_explained() -> None:
    review = reviewed_game()
    rest = [step._replace(change=Worth((40.0,) * 8, (0.9,) * 8)) if step.part == "rest" else step for step in review.steps]

    assert "the look ahead underrated the positions of US on the way" in result_sentence(about(steps=tuple(rest)))


def test_what_was_not_reviewed_is_said_with_its_reason() -> None:
    text = flat(texts(about())[1])

    assert "1 action not reviewed: an answer against the rules." in text
    assert "2 undone actions left out" in text
    assert "Action 5 corrects the board by hand: a new segment begins there." in text
    assert "by hand counts as luck" in text
    assert "Level normal: 16 worlds" in text


def test_the_only_seat_of_a_game_is_you() -> None:
    """A game for one: the figures are yours, and no side is named."""
    review = reviewed_game("VP")
    own = {"us": "player", "nva": "player"}
    steps = tuple(step._replace(who=own.get(step.who, step.who)) for step in review.steps)
    decisions = tuple(one._replace(seat="player") for one in review.decisions)
    solo = review._replace(seats=("player",), steps=steps, decisions=decisions)
    shown = SessionReview("april", load_game("fallujahcards"), "", solo, "The final score is 5")

    text = flat(plain_text(review_lines(shown)))
    assert "The figures are yours" in text and "Your decisions" in text and "decided by you" in text
    assert "Player" not in text and " US" not in text


def test_a_part_of_the_game_is_said_to_be_one() -> None:
    shown = about()._replace(verdict="", first=2, last=3)

    assert part_title(shown, shown.review.shares()[0]) == "Before turn 2"
    assert sum_table(shown).rows[-1][0] == "After turn 3"
    assert flat(plain_text(review_lines(shown))).startswith("After turn 3: 100.0 % to win (+-0.0) for US. Before turn 2: 52.0 %")


def test_a_game_under_way_has_no_winner_yet() -> None:
    shown = about(is_over=False)._replace(verdict="")

    assert plain_text(review_lines(shown)).startswith("Now: 100.0 % to win (+-0.0) for US.")


def test_the_document_has_the_same_texts_in_every_form() -> None:
    """BBCode and Markdown of the same blocks; the heading of a section of a report is of the second level."""
    shown = about()
    titles = [block.text for block in review_blocks(shown, level=2) if hasattr(block, "level")]

    assert titles == [
        "Review",
        "Where the game was decided",
        "What decisions cost",
        "The course of the game",
        "What was reviewed",
    ]
    tables = [block for block in review_blocks(shown) if isinstance(block, Table)]
    assert len(tables) == 3 + len(shown.review.mistakes())  # the sum, the accuracies, the kinds
    assert "cost 22.0 % to win" in " ".join(plain_texts(review_blocks(shown)))


@pytest.mark.parametrize(
    ("entry", "said"),
    [(4, "a blunder, cost 22.0 % to win"), (8, "within error of 1-7-C"), (1, "deploy 2: good."), (5, "Action 5 had no decision")],
)
def test_the_decisions_of_an_action_are_shown_whatever_their_grade(entry: int, said: str) -> None:
    shown = about()
    text = flat(plain_text(action_lines(shown, entry)))

    assert said in text
    for decision in shown.review.decisions:
        assert (decision.entry == entry) == all(one.text in text for one in decision.alternatives)


def test_a_review_without_decisions_says_so() -> None:
    shown = about(decisions=())

    assert "No decision had an alternative to compare." in flat(texts(shown)[0])
    assert "No decision was found to cost anything." in flat(texts(shown)[1])


def test_the_difference_is_named_only_where_it_stands_out() -> None:
    """Luck of 52 points of a hundred does; the same with an error of half of that does not."""
    review = reviewed_game()
    wide = tuple(
        step._replace(change=step.change._replace(win=tuple([(-1) ** world * 9.0 for world in range(8)])))
        for step in review.steps
    )
    shown: GameReview = review._replace(steps=wide)

    assert "Most of the difference: luck, rolled by you, +52.0 % to win" in flat(texts(about())[0])
    assert "No part stands out from its error." in flat(plain_text(review_lines(about()._replace(review=shown))))


def test_every_decision_says_which_was_taken_and_which_was_better() -> None:
    for decision in review_data(about())["decisions"]:
        assert [one["taken"] for one in decision["alternatives"]].count(True) == 1
        assert decision["best"] == decision["alternatives"][0]["text"]

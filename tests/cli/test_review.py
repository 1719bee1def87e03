"""companion review: what it prints, where it writes, what it refuses, and how it is stopped."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from companion.cli.shell.catalog import REPORT, REVIEW
from companion.core.review import (
    ALLOWANCE,
    BLUNDER,
    CERTAIN,
    INACCURACY,
    KEY_MOMENTS,
    LEVELS,
    MISTAKE,
    NORMAL,
    VP_PER_WIN,
    certain_after_choice,
    error_factor,
)
from companion.session import review as session_reviews
from companion.session.files import help_page
from tests.cli.conftest import Run
from tests.support.commands import companion
from tests.support.reviewed import reviewed_game


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture
def played(begun: Run) -> Run:
    """A session of a few actions, with a fight, a search, and one undone."""
    for words in (("rest",), ("fight", "Blue", "--accept"), ("search", "--accept"), ("rest",)):
        begun("do", *words)
    begun("undo")
    return begun


def test_it_shows_the_sum_the_accuracy_and_the_moments(played: Run) -> None:
    text = played("review", "--level", "quick").stdout
    data = json.loads(played("review", "--level", "quick", "--json").stdout)

    assert text.startswith("Session monday - The Ford - By day\n\nNow: ")
    for share in data["shares"]:
        assert re.search(rf"^  {share['title']} +[-+]?{abs(share['vp']):.1f} ", text, re.M), share
    assert data["unit"] == "VP" and data["level"] == "quick" and not data["over"] and data["undone"] == 1
    total = sum(share["vp"] for share in data["shares"])
    assert total == pytest.approx(data["result"]["vp"])
    assert "All of it: companion review --details" in flat(text)
    assert "What was reviewed" in played("review", "--level", "quick", "--details").stdout
    assert "1 undone action left out" in flat(played("review", "--level", "quick", "--details").stdout)


def test_the_numbers_are_those_of_the_log(played: Run) -> None:
    """Each moment can be explained by its number."""
    data = json.loads(played("review", "--level", "quick", "--json").stdout)

    assert data["points"][1:]
    for point in data["points"][1:]:
        said = played("why", str(point["entry"])).stdout
        assert said.split()[:2] == [str(point["entry"]), point["text"].split()[0]]
        assert played("why", f"{point['entry']}.2").stdout == said
    refused = played("why", "4.x", code=2)
    assert "'4.x' is no entry" in refused.stderr


def test_a_file_has_the_form_of_its_ending(played: Run, tmp_path: Path) -> None:
    starts = {"md": "# Review of The Ford\n", "txt": "[size=20][b]Review of The Ford", "json": "{", "html": "<!DOCTYPE html>"}
    for ending, start in starts.items():
        path = tmp_path / f"review.{ending}"
        assert flat(played("review", "--level", "quick", "--out", os.fspath(path)).stdout) == f"Written: {path}"
        assert path.read_text().casefold().startswith(start.casefold()), ending
    path = tmp_path / "review.json"
    assert json.loads(path.read_text()) == json.loads(played("review", "--level", "quick", "--format", "json").stdout)
    refused = played("review", "--level", "quick", "--out", os.fspath(path), code=2).stderr
    assert "exists already" in refused and "--force" in refused
    played("review", "--level", "quick", "--out", os.fspath(path), "--force")


def test_the_forms_go_to_the_screen_too(played: Run) -> None:
    assert played("review", "--level", "quick", "--format", "md").stdout.startswith("# Review of The Ford\n")
    assert "[c]It adds up" in played("review", "--level", "quick", "--format", "bbcode").stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--level", "zzz"), 2, "no level 'zzz' You can name: quick, normal, deep"),
        (("--seat", "zzz"), 2, "no seat 'zzz' You can name: player"),
        (("--from", "9"), 1, "turn 9 was not played It has 0 to 2"),
        (("--from", "2", "--to", "1"), 2, "--from 2 is after --to 1 Swap them: --from 1 --to 2"),
        (("--out", "none/review.html"), 2, "none/review.html: there is no folder"),
        (("none",), 2, "no session 'none' See: companion sessions"),
        (("monday", "--session", "monday"), 2, "the session is named twice"),
        (("--jobs", "0"), 2, "'0' is no number of jobs"),
        (("--format", "pdf"), 2, "no format 'pdf'"),
    ],
)
def test_refusals_come_with_their_cure(played: Run, words: tuple[str, ...], code: int, said: str) -> None:
    refused = played("review", *words, code=code)

    assert said in flat(refused.stderr) and refused.stdout == ""


def test_a_session_without_actions_has_nothing_to_review(begun: Run) -> None:
    refused = begun("review", code=1)

    assert "in session monday" in flat(refused.stderr) and len(refused.stderr.splitlines()) == 2


def test_without_a_session_there_is_nothing_to_review(run: Run) -> None:
    assert "Begin one: companion new GAME" in flat(run("review", code=2).stderr)


def test_turns_limit_what_is_reviewed(played: Run) -> None:
    whole = json.loads(played("review", "--level", "quick", "--json").stdout)
    part = json.loads(played("review", "--level", "quick", "--from", "1", "--to", "1", "--json").stdout)

    assert {point["turn"] for point in part["points"][1:]} == {1} < {point["turn"] for point in whole["points"][1:]}
    assert "Before turn 1" in played("review", "--level", "quick", "--from", "1").stdout


def test_ctrl_c_says_what_is_kept_and_how_to_go_on(played: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(session_reviews, "session_review", stopped)
    text = companion("review", "--level", "quick")
    data = companion("review", "--level", "quick", "--json").json

    assert text.code == 130
    assert flat(text.err) == "stopped: what was computed is kept The same command goes on there"
    assert (data["exit"], data["error"]["kind"], data["error"]["kept"]) == (130, "interrupted", "all")


def test_mistakes_lead_to_the_drill_of_them(played: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "companion drill" not in played("review", "--level", "quick").stdout
    monkeypatch.setattr(session_reviews, "session_review", lambda *_, **__: reviewed_game())
    hint = played("review").stdout.splitlines()[-1]

    assert hint == "Decide these again: companion drill tiny --own"
    assert "no mistakes of yours are known" in played(*hint.partition("companion ")[2].split(), code=1).stderr  # kept by none


def test_a_report_can_hold_the_review(played: Run) -> None:
    text = played("report", "--review").stdout
    plain = played("report").stdout
    data = json.loads(played("report", "--review", "--json").stdout)["review"]

    assert "\n## Review\n" in text and "\n### What decisions cost\n" in text and "\n## Review\n" not in plain
    assert text.replace(text[text.index("## Review\n") : text.index("## The story\n")], "") == plain
    assert f"| {data['shares'][0]['title']} |" in text and data["level"] == "quick"
    assert "[size=16][b]Review[/b][/size]" in played("report", "--review", "--format", "bbcode").stdout
    assert 'id="review"' in played("report", "--review", "--format", "html").stdout
    assert "review" not in json.loads(played("report", "--json").stdout)


def test_numbers_in_a_report_are_those_of_its_log(played: Run) -> None:
    """A report counts its actions anew, without the set-up and what was undone."""
    review = json.loads(played("review", "--level", "quick", "--json").stdout)
    text = played("report", "--review").stdout
    section = text[text.index("## Review\n") : text.index("## The story\n")]
    heads = dict(re.findall(r"^\*\*(\d+)\. (\w+)", text[text.index("## The log\n") :], re.M))

    shown = re.findall(r"^- \*\*(\d+)\S* turn \d+, (\w+)", section, re.M)
    named = [(number, word) for number, word in shown if word in heads.values()]
    assert review["moments"] and named
    assert all(heads[number] == word for number, word in named)


def test_a_file_is_refused_before_the_review(played: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def reviewed(*_: object, **__: object) -> None:
        raise AssertionError("reviewed in vain")

    monkeypatch.setattr(session_reviews, "session_review", reviewed)
    old = tmp_path / "old.html"
    old.write_text("mine")

    assert f"{old} exists already" in flat(played("review", "--out", str(old), code=2).stderr)
    assert f"{tmp_path} is a folder" in flat(played("review", "--out", str(tmp_path), code=2).stderr)
    assert old.read_text() == "mine"


def test_a_report_takes_the_closest_level_that_is_known(played: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    levels: list[str] = []
    review = session_reviews.session_review

    def spied(session: Any, level: str = NORMAL, **how: Any) -> Any:
        levels.append(level)
        return review(session, level, **how)

    monkeypatch.setattr(session_reviews, "session_review", spied)
    played("report", "--review")
    played("review", "--level", "deep", "--from", "2")
    played("report", "--review")
    played("review", "--level", "normal")
    played("report", "--review")

    assert levels == ["quick", "deep", "quick", "normal", "normal"]


def test_options_of_the_command_are_those_of_the_module() -> None:
    """The table of commands imports nothing, so it names the levels itself."""
    assert list(REVIEW.options["--level"].values) == list(LEVELS)
    assert REVIEW.options["--format"].values == REPORT.options["--format"].values


def test_the_page_states_the_numbers_of_the_code() -> None:
    page = flat(help_page("review"))

    assert f"An inaccuracy costs {100 * INACCURACY:.0f} % to win or more, a mistake {100 * MISTAKE:.0f} %, a blunder" in page
    assert f"a blunder {100 * BLUNDER:.0f} %. A loss of less than {CERTAIN:.0f} standard errors is `within error`" in page
    assert f"divided by {VP_PER_WIN} standard deviations" in page
    assert f"100 / 2^(loss / {100 * BLUNDER:.0f} %)" in page
    assert f"{ {0.75: 'three quarters'}[ALLOWANCE] } of its error" in page
    factors = [f"{error_factor(level.worlds):.2f}" for level in LEVELS.values()]
    assert "Student's factor: {} at level `quick`, {} at `normal`, {} at `deep`".format(*factors) in page
    several = [f"{certain_after_choice(count):.1f}" for count in (4, 8)]
    assert "by {} errors with four alternatives and {} with eight".format(*several) in page
    assert {10: "the ten key moments"}[KEY_MOMENTS] in page
    for name, level in LEVELS.items():
        assert f"| `{name}` | {level.worlds} | {level.alternatives} |" in page
    assert f"`{NORMAL}` (the default)" in page


def test_the_session_is_the_one_that_is_named(played: Run) -> None:
    played("new", "tiny", "--seed", "8", "--name", "other")

    assert "Session monday" in played("review", "mon", "--level", "quick").stdout

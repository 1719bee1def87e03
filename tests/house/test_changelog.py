"""The changelog has the form of Keep a Changelog, and its last number is that of the program."""

from __future__ import annotations

import re
from datetime import date

from companion import __version__
from tests.support.pages import ROOT

TOLD = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")


def test_newest_version_is_first() -> None:
    heads = re.findall(r"^## (.*)$", TOLD, re.M)
    numbers = [re.fullmatch(r"\[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)", head) for head in heads[1:]]

    assert TOLD.startswith("# Changelog\n")
    assert heads[0] == "[Unreleased]"
    assert all(numbers)
    days = [date.fromisoformat(number[2]) for number in numbers if number]
    assert days == sorted(days, reverse=True)


def test_entries_are_under_known_headings() -> None:
    """Every line below a version belongs to one of the kinds, in their order, and none is empty."""
    for section in re.split(r"^## ", TOLD, flags=re.M)[1:]:
        kinds = re.findall(r"^### (.*)$", section, re.M)
        assert kinds == [kind for kind in KINDS if kind in kinds]
        assert "\n- " not in section.partition("\n### ")[0]
        assert all(re.match(r".*\n\n- ", part) for part in section.split("\n### ")[1:])


def test_program_has_the_newest_version() -> None:
    assert re.findall(r"^## \[(\d.*?)\]", TOLD, re.M)[0] == __version__

"""Every test that the page on security names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.core import limits

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "companion" / "docs" / "security.md").read_text()
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE)))


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_named_tests_exist(path: str, name: str) -> None:
    assert re.search(rf"^ *(async )?def {name or 'test_'}", (ROOT / path).read_text(), re.M)


def test_each_threat_has_its_test() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and "---" not in line and "held by" not in line]
    assert len(rows) > 20 and all("`tests/" in row for row in rows)


def test_limits_are_those_of_the_program() -> None:
    assert f"{limits.NAME} characters (a name), {limits.NOTE:,} (a note), {limits.SEED} (a seed)" in PAGE

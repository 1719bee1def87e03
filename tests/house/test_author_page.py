"""What is told to the author of a game is so. That its commands print what is shown, and that its tables of keys are those of the
loader, is held with all pages: test_readme.py.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from companion.core.game import Game
from companion.session import table_checks

ROOT = Path(__file__).parents[2]
TOLD = (ROOT / "companion" / "docs" / "a-game-of-your-own.md").read_text(encoding="utf-8")


def test_every_key_has_a_description() -> None:
    """And stands in the page."""
    for keys in table_checks.KEYS.values():
        for name, key in keys.items():
            assert key.says and f"| `{name}` | " in TOLD and key.says in TOLD, name


def test_named_files_and_names_exist() -> None:
    """Everything else that an author is sent to."""
    for name in re.findall(r"`((?:tests|companion)/[\w./]+)`", TOLD):
        assert (ROOT / name).exists(), name
    methods = ("referee", "setup", "actions", "banner", "score", "over", "situations", "facts", "default_action", "piece_title")
    for name in methods:
        assert f"`{name}`" in TOLD and hasattr(Game, name)


def test_the_example_passes_the_type_checker() -> None:
    """It lies in the package, at which mypy looks whenever it looks at anything."""
    checked = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["files"]

    assert "companion" in checked

"""The names that are promised are those that were stored, and nothing is loaded for them that a program does without."""

from __future__ import annotations

import difflib
import re
import subprocess
import sys
from pathlib import Path

from companion import api
from tests.api.promise import STORED, told

ROOT = Path(__file__).parents[2]


def test_promised_interface_is_unchanged() -> None:
    """A name more or an argument more with a default is written down by ``python -m tests.api.promise``; one that goes needs a
    new major version.
    """
    changes = difflib.unified_diff(STORED.read_text(encoding="utf-8").splitlines(), told().splitlines(), lineterm="")

    assert "\n".join(changes) == ""


def test_every_promised_name_has_a_docstring() -> None:
    said = {name: getattr(api, name).__doc__ for name in api.__all__ if name not in ("Answer", "MEMORY", "Strategy")}

    assert [name for name, text in said.items() if not text] == []
    assert sorted(api.__all__) == sorted(set(api.__all__))


def test_every_promised_name_is_on_the_developer_page() -> None:
    page = (ROOT / "companion" / "docs" / "developers.md").read_text(encoding="utf-8")
    members = re.findall(r"^    Session\.(\w+)", told(), re.M)

    assert [name for name in [*api.__all__, *members] if f"`{name}`" not in page and f"`{name}(" not in page] == []


def test_import_loads_nothing_heavy(tiny_game: str) -> None:
    """No screen and no command line, and of the rest nothing before it is needed; and nothing is written by anybody."""
    heavy = ("typer", "rich", "questionary", "prompt_toolkit", "sqlite_utils", "jinja2", "tomllib", "dataclasses", "asyncio")
    with api.open_archive() as archive:  # made, and its tables read: that takes more
        archive.begin("tiny", name="one")
    code = (
        "import sys; from tests.support import with_tiny; with_tiny.register(); from companion import api;"
        "s = api.open_archive().session('one'); s.do('rest'); s.undo();"
        f"print(sorted(set({heavy!r}) & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert (result.stdout, result.stderr) == ("[]\n", "")

"""The rules of axe-core on each view of each game, dark and light: no violations."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.page_screens import QUESTIONS, session_at
from tests.support.phones import Phone, hosting

AXE = Path(os.environ.get("COMPANION_AXE", Path(sys.prefix) / "node_modules" / "axe-core" / "axe.min.js"))
VIEWS = ("play", "map", "log", "rules", "odds", "notes", "settings")
RULES = """axe.run(document, {resultTypes: ["violations"]}).then(({violations}) => violations.map(
  ({id, nodes}) => [id, nodes.length, nodes[0].html.slice(0, 200), nodes[0].failureSummary.slice(0, 300)]))"""

pytestmark = [
    pytest.mark.skipif(not AXE.exists(), reason="needs npm install --prefix .venv axe-core"),
    pytest.mark.parametrize(
        "game", [pytest.param(game, marks=pytest.mark.slow if game == "lzalbany" else pytest.mark.long) for game in QUESTIONS]
    ),
]


def violations(phone: Phone, view: str) -> list[Any]:
    if view == "settings":
        phone.tap("[data-open=settings]", "")
    elif phone.page.locator(f"#tabs [data-tab={view}]").is_visible():
        phone.tab(view)
        phone.page.wait_for_selector(".waits", state="detached", timeout=60_000)
    return [[view, *found] for found in phone.page.evaluate(RULES)]


def test_no_violations(game: str, browser: Any) -> None:
    found: list[Any] = []
    with session_at(game, *QUESTIONS[game]) as (db, name), hosting(db, name) as host:
        for scheme, size, role in (("light", "phone", host.seat), ("dark", "phone", host.seat), ("dark", "tablet", "watch")):
            phone = Phone(browser, host.links[role], size, color_scheme=scheme)
            phone.page.evaluate(AXE.read_text(encoding="utf-8"))
            found += [[scheme, size, *row] for view in VIEWS for row in violations(phone, view)]
            phone.close()
    assert found == []

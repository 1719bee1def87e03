"""The site: every page is in it, its generated pages are complete, its links lead somewhere, and it works without a network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion import api
from companion.cli.shell.catalog import COMMANDS
from companion.games import GAMES
from companion.session.state import load_game
from tests.support.pages import DOCS
from tests.support.phones import chromium
from tests.support.website.generated import api_reference, command_page, generated_pages, register, rulings
from tests.support.website.markdown import for_the_site

ROOT = Path(__file__).parents[2]
OUTSIDE = {"https://keepachangelog.com/en/1.1.0/"}
"""Every link to a page elsewhere."""
AXE = Path(os.environ.get("COMPANION_AXE", Path(sys.prefix) / "node_modules" / "axe-core" / "axe.min.js"))
# the theme puts a nav without a name around the buttons of each block of code
AXE_OPTIONS = '{resultTypes: ["violations"], preload: false, rules: {"landmark-unique": {enabled: false}}}'
RULES = f"""axe.run(document, {AXE_OPTIONS}).then(({{violations}}) => violations.map(
  ({{id, nodes}}) => [id, nodes.length, nodes[0].html.slice(0, 200), nodes[0].failureSummary.slice(0, 300)]))"""
SHOWN = (
    "index",
    "commands/do",
    "games/lzalbany/rules",
    "games/lzalbany/contents",
    "protocol",
    "reference/api",
    "screens",
    "authors",
)


def test_every_page_of_help_is_in_the_navigation() -> None:
    listed = re.findall(r"^ +- ([\w-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
    pages = {path.name for path in DOCS.glob("*.md")} - {f"{game}.md" for game in GAMES}

    assert sorted(pages - {*listed}) == [], "list it under nav in mkdocs.yml"
    assert {*listed} - pages <= {*generated_pages()}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_of_a_command_has_its_words_options_and_values(name: str) -> None:
    command = COMMANDS[name]
    page = command_page(command)

    assert [option for option in command.options if f"| `{option}" not in page] == []
    assert [word.metavar for word in command.words if f"| `{word.metavar}` |" not in page] == []
    assert [value for one in command.parameters for value in one.values if value not in page] == []
    assert f"$ companion {name}" in page


@pytest.mark.parametrize("game_id", GAMES)
def test_the_register_and_the_rulings_are_complete(game_id: str) -> None:
    game = load_game(game_id)
    page, answers = register(game), rulings(game)
    anchors = re.findall(r"^###? .* \{ #(\S+) \}$", page, re.M)

    assert len(anchors) == len({*anchors}) == len(game.tables.rules)
    assert {*re.findall(r"\]\(#(\S+?)\)", page)} <= {*anchors}
    assert {*re.findall(r"rules\.md#(\S+?)\)", answers)} <= {*anchors}
    assert answers.count("\n## ") == len(game.tables.rulings)


def test_the_reference_has_every_promised_name() -> None:
    assert sorted(re.findall(r"^::: .*\.(\w+)$", api_reference(), re.M)) == sorted(api.__all__)


def test_pages_of_help_and_commands_become_links() -> None:
    pages = {"table.md", "commands/undo.md", "commands/do.md"}
    text = "See `companion help table`, `companion undo 2`, `companion undo`, `companion help nothing`.\n# `companion do`\n"

    assert for_the_site(text, "printed.md", pages) == (
        "See [`companion help table`](table.md), [`companion undo 2`](commands/undo.md), `companion undo`, "
        "[`companion help nothing`](commands/help.md).\n# `companion do`\n"
    )
    assert for_the_site("`companion help table`", "games/x.md", pages) == "[`companion help table`](../table.md)"


def test_blocks_get_their_file_name_and_code_in_tables_its_bars() -> None:
    block = "```python games/coin.py\nprint(`companion undo`)\n```\n"

    assert for_the_site(block, "x.md", set()) == block.replace("python games/coin.py", 'python title="games/coin.py"')
    assert for_the_site(r"| `a\|b` | c |", "x.md", set()) == "| `a|b` | c |"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as ``nox -s site`` builds it."""
    pytest.importorskip("mkdocstrings", reason="needs pip install 'tabletop-companion[site]'")
    pytest.importorskip("material", reason="needs pip install 'tabletop-companion[site]'")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, "\n".join(line for line in done.stderr.splitlines() if "INFO" not in line)[:3000]
    return folder


@pytest.mark.slow
def test_the_site_is_complete_and_links_to_nothing_elsewhere(site: Path) -> None:
    pages = [*site.rglob("*.html")]
    links = {
        link for page in pages for link in re.findall(r'(?:href|src)="((?:https?:)?//[^"]+)"', page.read_text(encoding="utf-8"))
    }
    built = {page.relative_to(site).with_suffix(".md").as_posix() for page in pages}

    assert links == OUTSIDE
    assert {*generated_pages(), *(path.name for path in DOCS.glob("*.md"))} <= built
    assert "games/coin.py" in re.findall(
        r'class="filename">([^<]*)<', (site / "a-game-of-your-own.html").read_text(encoding="utf-8")
    )


@pytest.fixture(scope="module")
def browser() -> Any:
    try:
        with chromium() as opened:
            yield opened
    except LookupError as reason:
        pytest.skip(str(reason))


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_site_works_from_its_files_without_a_network(site: Path, browser: Any, scheme: str) -> None:
    context = browser.new_context(offline=True, color_scheme=scheme, viewport={"width": 390, "height": 844})
    page = context.new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("requestfailed", lambda request: faults.append(request.url))
    page.on("request", lambda request: None if request.url.startswith(("file:", "data:")) else faults.append(request.url))
    found = []
    for name in SHOWN:
        page.goto((site / f"{name}.html").as_uri())
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        if AXE.exists():
            page.evaluate(AXE.read_text(encoding="utf-8"))
            found += [[name, *violation] for violation in page.evaluate(RULES)]
    context.close()

    assert (faults, found) == ([], [])


@pytest.mark.slow
@pytest.mark.parametrize(("term", "target"), [("over-stacking", "games/lzalbany/"), ("--mirrored", "commands/simulate.html")])
def test_search_finds_a_term_without_a_network(site: Path, browser: Any, term: str, target: str) -> None:
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto((site / "index.html").as_uri())
    page.click("input.md-search__input")
    page.keyboard.type(term)
    page.wait_for_selector(".md-search-result__link", timeout=30_000)
    links = page.eval_on_selector_all(".md-search-result__link", "links => links.map(link => link.href)")
    context.close()

    assert [link for link in links if target in link]


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.stem)
def test_what_only_the_source_has_is_said_to_be_in_the_source(page: Path) -> None:
    """An installed Companion has neither tests nor CONTRIBUTING.md."""
    text = page.read_text(encoding="utf-8")

    assert "source" in text or not re.search(r"python -m tests\.|`tests/|CONTRIBUTING", text)

"""One table of colours: every theme has every meaning, each can be read on its ground, and no colour stands elsewhere."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from prompt_toolkit.styles import Style
from rich.style import Style as RichStyle

from companion.cli.shell.catalog import THEMES
from companion.session.files import SETTINGS
from companion.views import theme

PACKAGE = Path(theme.__file__).parents[1]
PALETTE = {
    **dict(zip(("black", "red", "green", "yellow"), ((0, 0, 0), (170, 0, 0), (0, 170, 0), (170, 85, 0)), strict=True)),
    **dict(zip(("blue", "magenta", "cyan", "white"), ((0, 0, 170), (170, 0, 170), (0, 170, 170), (170,) * 3), strict=True)),
    **dict(zip(("brightblack", "brightred", "brightgreen"), ((85, 85, 85), (255, 85, 85), (85, 255, 85)), strict=True)),
    **dict(zip(("brightyellow", "brightblue", "brightmagenta"), ((255, 255, 85), (85, 85, 255), (255, 85, 255)), strict=True)),
    **dict(zip(("brightcyan", "brightwhite"), ((85, 255, 255), (255, 255, 255)), strict=True)),
}
"""The sixteen colours as a PC shows them, which is what a terminal without a scheme of its owner's does."""
GROUNDS = {"either": ((0, 0, 0), (255, 255, 255)), "dark": ((0, 0, 0),), "light": ((255, 255, 255),)}


def luminance(colour: tuple[int, int, int]) -> float:
    """As WCAG 2 defines it."""
    parts = [part / 255 / 12.92 if part / 255 <= 0.03928 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("tone", theme.MEANINGS)
@pytest.mark.parametrize("column", ["either", "dark", "light", "colour-blind"])
def test_every_meaning_can_be_read_on_its_ground(column: str, tone: str) -> None:
    """3:1, which WCAG asks of large text and of signs; what has no colour has the terminal's own."""
    for colour in [word for word in theme.style_words(tone, column).split() if word not in theme.ATTRIBUTES]:
        for ground in GROUNDS.get(column, GROUNDS["either"]):
            assert contrast(PALETTE[colour], ground) >= 3, (tone, colour)


def test_mono_has_no_colour_and_tells_verdicts_and_sides_apart() -> None:
    shown = {tone: theme.style_words(tone, "mono") for tone in theme.MEANINGS}

    assert {word for words in shown.values() for word in words.split()} <= {*theme.ATTRIBUTES}
    assert len({shown[tone] for tone in ("won", "lost")}) == 2
    assert len({shown[tone] for tone in ("first", "second", "third", "fourth", "fifth")}) == 5


def test_for_the_colour_blind_nothing_rests_on_red_against_green() -> None:
    used = {word for tone in theme.MEANINGS for word in theme.style_words(tone, "colour-blind").split()}
    red, green = ({colour for colour in used if colour.endswith(hue)} for hue in ("red", "green"))

    assert not (red and green)
    for pair in (("won", "lost"), ("gain", "loss"), ("first", "second")):
        assert len({theme.style_words(tone, "colour-blind") for tone in pair}) == 2


def test_auto_goes_by_what_the_terminal_says_of_its_ground() -> None:
    grounds = {"": "either", "15;0": "dark", "0;15": "light", "0;default;7": "light", "7;8": "dark", "default": "either"}

    assert {ground: theme.theme_column("auto", ground) for ground in grounds} == grounds
    assert theme.theme_column("light", "15;0") == "light"


@pytest.mark.parametrize("column", ["either", "dark", "light", "colour-blind", "mono"])
def test_the_line_that_is_typed_understands_every_tone(column: str) -> None:
    style = Style.from_dict({tone: theme.for_prompt(tone, column) for tone in theme.MEANINGS if tone})

    assert all(RichStyle.parse(theme.for_rich(tone, column)) is not None for tone in theme.MEANINGS)
    assert style.get_attrs_for_style_str("class:title").bold
    assert theme.ansi_code("question", "either") == "1;94"


def test_whoever_chooses_a_theme_chooses_from_the_table() -> None:
    assert SETTINGS["theme"].values == THEMES
    assert sorted(SETTINGS["theme"].values) == sorted([theme.AUTO, *theme.COLUMNS[1:]])


_HUE = "(black|red|green|yellow|blue|magenta|cyan)"
_COLOUR = re.compile(
    rf"\x1b\[0*[1-9][0-9;]*m|#[0-9a-fA-F]{{6}}\b|\bansi(bright)?{_HUE}\b|\b[fb]g:"
    rf"|\b(bold|on|dim|reverse) (bright_?)?{_HUE}\b|\bbright_?{_HUE}\b"
)


def literals(path: Path) -> list[str]:
    """Every text of a module that is no docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body and isinstance(node.body[0], ast.Expr)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
    ]


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_colour_stands_outside_the_table(path: Path) -> None:
    if path.name != "theme.py":
        assert [text for text in literals(path) if _COLOUR.search(text)] == []


def test_the_search_finds_what_it_is_for(tmp_path: Path) -> None:
    file = tmp_path / "loud.py"
    file.write_text('"""bold red"""\nA = "\\x1b[31m"\nB = "bold red"\nC = "#aa0000"\nD = "ansibrightblue"\nE = "a red car"\n')

    assert [text for text in literals(file) if _COLOUR.search(text)] == ["\x1b[31m", "bold red", "#aa0000", "ansibrightblue"]

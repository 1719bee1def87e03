"""The colour table: every tone in every theme, contrast, and no colours elsewhere."""

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
"""The sixteen colours of a terminal without a custom palette."""
GROUNDS = {"either": ((0, 0, 0), (255, 255, 255)), "dark": ((0, 0, 0),), "light": ((255, 255, 255),)}


def luminance(colour: tuple[int, int, int]) -> float:
    """Return the relative luminance as defined by WCAG 2."""
    parts = [part / 255 / 12.92 if part / 255 <= 0.03928 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(first: tuple[int, int, int], second: tuple[int, int, int]) -> float:
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("tone", theme.MEANINGS)
@pytest.mark.parametrize("column", ["either", "dark", "light", "colour-blind"])
def test_every_tone_is_readable_on_its_background(column: str, tone: str) -> None:
    """At least 3:1, the WCAG requirement for large text; tones without a colour use the terminal's."""
    for colour in [word for word in theme.style_words(tone, column).split() if word not in theme.ATTRIBUTES]:
        for ground in GROUNDS.get(column, GROUNDS["either"]):
            assert contrast(PALETTE[colour], ground) >= 3, (tone, colour)


def test_mono_has_no_colours_but_distinct_verdicts_and_sides() -> None:
    shown = {tone: theme.style_words(tone, "mono") for tone in theme.MEANINGS}

    assert {word for words in shown.values() for word in words.split()} <= {*theme.ATTRIBUTES}
    assert len({shown[tone] for tone in ("won", "lost")}) == 2
    assert len({shown[tone] for tone in ("first", "second", "third", "fourth", "fifth")}) == 5


def test_colour_blind_theme_avoids_red_against_green() -> None:
    used = {word for tone in theme.MEANINGS for word in theme.style_words(tone, "colour-blind").split()}
    red, green = ({colour for colour in used if colour.endswith(hue)} for hue in ("red", "green"))

    assert not (red and green)
    for pair in (("won", "lost"), ("gain", "loss"), ("first", "second")):
        assert len({theme.style_words(tone, "colour-blind") for tone in pair}) == 2


def test_auto_follows_the_background_of_the_terminal() -> None:
    grounds = {"": "either", "15;0": "dark", "0;15": "light", "0;default;7": "light", "7;8": "dark", "default": "either"}

    assert {ground: theme.theme_column("auto", ground) for ground in grounds} == grounds
    assert theme.theme_column("light", "15;0") == "light"


@pytest.mark.parametrize("column", ["either", "dark", "light", "colour-blind", "mono"])
def test_every_tone_has_a_prompt_style(column: str) -> None:
    style = Style.from_dict({tone: theme.for_prompt(tone, column) for tone in theme.MEANINGS if tone})

    assert all(RichStyle.parse(theme.for_rich(tone, column)) is not None for tone in theme.MEANINGS)
    assert style.get_attrs_for_style_str("class:title").bold
    assert theme.ansi_code("question", "either") == "1;94"


def test_setting_offers_every_theme() -> None:
    assert SETTINGS["theme"].values == THEMES
    assert sorted(SETTINGS["theme"].values) == sorted([theme.AUTO, *theme.COLUMNS[1:]])


_HUE = "(black|red|green|yellow|blue|magenta|cyan)"
_COLOUR = re.compile(
    rf"\x1b\[0*[1-9][0-9;]*m|#[0-9a-fA-F]{{6}}\b|\bansi(bright)?{_HUE}\b|\b[fb]g:"
    rf"|\b(bold|on|dim|reverse) (bright_?)?{_HUE}\b|\bbright_?{_HUE}\b"
)


def literals(path: Path) -> list[str]:
    """Return the string literals of a module, without docstrings."""
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
def test_no_colour_outside_the_table(path: Path) -> None:
    if path.name != "theme.py":
        assert [text for text in literals(path) if _COLOUR.search(text)] == []


def test_search_finds_colours(tmp_path: Path) -> None:
    file = tmp_path / "loud.py"
    file.write_text('"""bold red"""\nA = "\\x1b[31m"\nB = "bold red"\nC = "#aa0000"\nD = "ansibrightblue"\nE = "a red car"\n')

    assert [text for text in literals(file) if _COLOUR.search(text)] == ["\x1b[31m", "bold red", "#aa0000", "ansibrightblue"]

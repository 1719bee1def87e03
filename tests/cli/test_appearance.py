"""How it looks: the command line goes before the settings, and those before what is usual."""

from __future__ import annotations

import json
import os
from pathlib import Path
from unittest.mock import patch

import pytest

from companion.cli.shell import process
from companion.core.errors import Unreadable
from companion.session.state import SessionState
from companion.session.store import Archive
from companion.views.theme import for_prompt
from tests.cli.conftest import Run
from tests.cli.test_terminal import Terminal
from tests.support.commands import companion


@pytest.fixture(autouse=True)
def nothing_given() -> None:
    process.take_options([])
    process.reload_settings()


def settings(text: str) -> None:
    Path(os.environ["COMPANION_CONFIG"]).write_text(text)


def test_the_words_of_looks_are_taken_out_wherever_they_stand() -> None:
    assert process.take_options(["--theme", "light", "note", "a", "--plain", "--", "--plain"]) == ["note", "a", "--", "--plain"]
    assert (process.setting("theme"), process.is_plain()) == ("light", True)
    assert process.take_options(["status", "--theme=mo"]) == ["status"]
    assert process.colour_column() == "mono"
    with pytest.raises(Unreadable, match="You can name: auto, dark"):
        process.take_options(["--theme"])


def test_a_wrong_theme_is_refused_in_a_line() -> None:
    result = companion("games", "--theme", "lihgt")

    assert (result.code, result.out) == (2, "")
    assert result.err == "no theme 'lihgt'\n  Did you mean light?\n"


def test_the_command_line_goes_before_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    settings('theme = "light"\n')
    assert (process.colour_column(), process.chosen_setting("theme"), process.chosen_setting("dice")) == ("light", "light", "")
    process.take_options(["--theme", "dark"])
    assert process.colour_column() == "dark"
    monkeypatch.setenv("COLORFGBG", "0;15")
    process.take_options(["--theme", "auto"])
    assert process.colour_column() == "light"


def test_the_command_lists_and_sets(run: Run) -> None:
    before = json.loads(run("config", "--json").stdout)
    text = run("config", "theme", "light").stdout
    after = run("config").stdout

    assert before["settings"]["theme"] == {
        "value": "auto",
        "chosen": False,
        "title": "The colours of everything",
        "values": ["auto", "dark", "light", "mono", "colour-blind"],
    }
    assert text.startswith("theme auto -> light\nThe colours of everything: auto,")
    assert "won       your victory" in text
    assert "theme     light " in after
    assert os.environ["COMPANION_CONFIG"] in after


def test_an_unknown_setting_or_value_is_answered_with_what_comes_near(run: Run) -> None:
    assert "Did you mean theme?" in run("config", "thme", "dark", code=2).stderr
    assert "Did you mean physical?" in run("config", "dice", "phisical", code=2).stderr
    assert not Path(os.environ["COMPANION_CONFIG"]).exists()


def test_a_new_session_goes_by_the_settings_and_options_go_before_them(run: Run) -> None:
    settings('dice = "physical"\ndraws = "physical"\nopponent = "acts"\n')
    run("new", "tiny", "--name", "one")
    run("new", "tiny", "--name", "two", "--dice", "computer")
    with Archive.open() as archive:
        said = [SessionState.open(archive, archive.session(name)).settings for name in ("one", "two")]

    assert [(one["dice"], one["draws"]) for one in said] == [("physical", "physical"), ("computer", "physical")]


def test_an_option_that_a_game_has_is_as_the_player_wants_it() -> None:
    settings('opponent = "acts"\n')
    companion("new", "lzalbany", "--name", "one")
    companion("new", "lzalbany", "--name", "two", "--option", "opponent=proposes")

    with Archive.open() as archive:
        said = [SessionState.open(archive, archive.session(name)).options["opponent"] for name in ("one", "two")]

    assert said == ["acts", "proposes"]


@pytest.mark.slow
def test_a_terminal_has_the_colours_of_the_theme_and_a_broken_file_costs_one_line() -> None:
    Terminal("new", "tiny", "--scenario", "day", "--json").end()
    settings('theme = "light"\nnonsense\n')
    light, dark = Terminal("status"), Terminal("--theme", "dark", "status", "--plain")
    text = light.end()
    dark.end()

    assert "\x1b[34mTurn" in light.seen or "\x1b[34m" in light.seen
    assert text.count("line 2: 'nonsense' is not a setting") == 1
    assert "\x1b[96m" in dark.seen
    assert light.child.exitstatus == dark.child.exitstatus == 0
    plain = Terminal("status", NO_COLOR="1")
    assert "\x1b[" not in plain.end() + plain.seen
    dumb = Terminal("status", TERM="dumb")
    assert "\x1b[" not in dumb.end() + dumb.seen


@pytest.mark.slow
def test_the_foot_of_the_screen_has_the_colours_of_the_theme() -> None:
    Terminal("new", "tiny", "--scenario", "day", "--json").end()
    shown = {}
    for theme in ("light", "dark"):
        table = Terminal("play", "--theme", theme)
        table.wait("action >").wait("Supply").type("\x04", "").end()
        shown[theme] = table.seen

    assert ";34m" in shown["light"] and ";96m" not in shown["light"]
    assert ";34m" not in shown["dark"]


def test_tab_knows_the_settings() -> None:
    assert companion("--complete", "zsh", "config", "th").out.startswith("theme\t")
    assert companion("--complete", "bash", "companion config theme l").out == "light\n"
    assert companion("--complete", "bash", "companion --theme l").out == "light\n"
    assert "--theme" in companion("--complete", "zsh", "--th").out


@pytest.mark.parametrize("theme", ["dark", "light", "mono", "colour-blind"])
def test_what_tab_offers_has_the_colours_of_the_theme(theme: str) -> None:
    from companion.cli.repl import terminal

    with patch.object(terminal, "colour_column", lambda: theme):
        told = dict(terminal._style().style_rules)

    assert for_prompt("question", theme) in told["completion-menu.completion.current"]
    assert all("#" not in rule for rule in told.values())

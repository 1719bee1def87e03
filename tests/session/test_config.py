"""The player's settings: a file that is read line by line, and that no fault stops."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from companion.core.errors import BadData, Unreadable
from companion.session.files import SETTINGS, Config, check_setting, read_config, write_config


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "config.toml"


def test_defaults_without_a_file(path: Path) -> None:
    found = read_config(str(path))

    assert found == Config()
    assert [found.value(key) for key in SETTINGS] == [
        "auto",
        "computer",
        "computer",
        "proposes",
        "on",
        "on",
        "action",
        "one",
        "numbers",
    ]


def test_written_settings_are_valid_toml(path: Path) -> None:
    for key, setting in SETTINGS.items():
        write_config(str(path), key, setting.values[-1])

    assert read_config(str(path)).chosen == {key: setting.values[-1] for key, setting in SETTINGS.items()}
    assert tomllib.loads(path.read_text()) == read_config(str(path)).chosen
    assert sorted(file.name for file in path.parent.iterdir()) == ["config.toml"]


def test_changing_a_setting_keeps_the_rest_of_the_file(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("# mine\ntheme = 'dark' # at night\n\ndice=physical\nunheard = \"of\"\n")
    before = read_config(str(path))
    write_config(str(path), "theme", "light")

    assert before.chosen == {"theme": "dark", "dice": "physical"}
    assert path.read_text() == '# mine\ntheme = "light"\n\ndice=physical\nunheard = "of"\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('theme = "drak"', "line 1: no theme 'drak'. Did you mean dark?"),
        ('\nthme = "dark"', "line 2: no setting 'thme'. Did you mean theme?"),
        ("nonsense\n[table]", "line 1: 'nonsense' is not a setting. Each line is like this"),
        ("theme =", "line 1: no theme ''. You can name: auto"),
        ('dice = "\x1b[2J"', "line 1: no dice '[2J'"),
    ],
)
def test_faulty_setting_is_one_line_and_others_apply(path: Path, text: str, told: str) -> None:
    path.parent.mkdir()
    path.write_text(text + '\npause = "off"\n')
    found = read_config(str(path))

    assert told in found.fault
    assert "\n" not in found.fault
    assert "\x1b" not in found.fault
    assert found.chosen == {"pause": "off"}


def test_unreadable_file_is_ignored(path: Path) -> None:
    path.mkdir(parents=True)
    assert "cannot be read" in read_config(str(path)).fault
    path.rmdir()
    path.write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8 text" in read_config(str(path)).fault
    with pytest.raises(BadData, match="Move it away"):
        write_config(str(path), "theme", "dark")


def test_names_by_prefix_and_misspelt_names() -> None:
    assert check_setting("th", "li") == ("theme", "light")
    with pytest.raises(Unreadable, match="Did you mean opponent"):
        check_setting("oponent", "acts")

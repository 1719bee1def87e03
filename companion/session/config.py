"""The player's settings: a file of ``key = "value"`` lines, which is TOML but parsed without a library."""

# Annotations are evaluated: a NamedTuple compiles those that are text, which takes time at every start.

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from companion.core import limits
from companion.core.errors import BadData, CompanionError, Unreadable
from companion.core.text import clean, pick_name
from companion.session import files
from companion.session.files import create_folder, sync_folder_of

_HANDS = ("computer", "physical")


class Setting(NamedTuple):
    """A setting: key, description, and values with the default first."""

    key: str
    title: str
    values: tuple[str, ...]


SETTINGS: Mapping[str, Setting] = {
    setting.key: setting
    for setting in (
        Setting("theme", "The colours of everything", ("auto", "dark", "light", "mono", "colour-blind")),
        Setting("dice", "Who rolls in a new session", _HANDS),
        Setting("draws", "Who draws in a new session", _HANDS),
        Setting(
            "opponent", "Whether an opponent of ours proposes its moves or acts at once, in a new session", ("proposes", "acts")
        ),
        Setting("pause", "Whether what is longer than the screen stops at each page", ("on", "off")),
        Setting("menus", "How one chooses from a menu: by a number and Enter, or with the arrows", ("numbers", "arrows")),
    )
}


class Config(NamedTuple):
    """The player's settings.

    Attributes:
        chosen: The values in the file, by key; invalid ones are left out.
        fault: The first fault of the file with its cure, in one line; "" for none.
    """

    chosen: Mapping[str, str] = {}
    fault: str = ""

    def value(self, key: str) -> str:
        """Return the chosen value, or the default."""
        return self.chosen.get(key) or SETTINGS[key].values[0]


def read_config(path: str) -> Config:
    """Return the settings. A missing or faulty file gives defaults; nothing in it stops the program."""
    try:
        text = _read_text(path)
    except FileNotFoundError:
        return Config()
    except (OSError, UnicodeDecodeError, files.FileTooLarge) as fault:
        why = fault if isinstance(fault, files.FileTooLarge) else getattr(fault, "strerror", None) or "no text in UTF-8"
        return Config({}, f"{path} cannot be read: {why}. The usual settings hold")
    chosen: dict[str, str] = {}
    wrong = ""
    for number, line in enumerate(text.splitlines(), 1):
        try:
            chosen.update(_parse_line(line))
        except CompanionError as fault:
            wrong = wrong or f"{path} line {number}: {fault.message}. {fault.cure}"
    return Config(chosen, wrong)


def _read_text(path: str) -> str:
    """Raises FileNotFoundError, OSError, UnicodeDecodeError."""
    return files.read_bounded(path, limits.CONFIG).decode("utf-8-sig")


def _parse_line(line: str) -> dict[str, str]:
    """Return the setting on a line; nothing for a blank line or a comment."""
    said = line.strip()
    if not said or said.startswith("#"):
        return {}
    key, equals, value = said.partition("=")
    if not equals:
        raise Unreadable(f"'{clean(said)[:40]}' is not a setting", cure='Each line is like this: theme = "light"')
    value = value.strip()
    quote = value[:1] if value[:1] in ("'", '"') else ""
    value = value[1:].partition(quote)[0] if quote else value.partition("#")[0].strip()
    return dict([checked(key.strip().strip("\"'"), value)])


def checked(key: str, value: str) -> tuple[str, str]:
    """Return a setting and its value, each given by unique prefix.

    Raises:
        Unreadable: There is no such setting or value.
        Ambiguous: Several match.
    """
    setting = SETTINGS[pick_name(key, tuple(SETTINGS), "setting")]
    return setting.key, pick_name(value, setting.values, setting.key)


def write_config(path: str, key: str, value: str) -> None:
    """Set or, with "", remove one setting in the file; comments and other lines stay.

    Raises:
        BadData: The file cannot be written.
    """
    beside = f"{path}.part{os.getpid()}"
    try:
        lines = _read_lines(path)
        kept = [line for line in lines if not _is_setting(line, key)]
        place = next((number for number, line in enumerate(lines) if _is_setting(line, key)), len(kept))
        kept[place:place] = [f'{key} = "{value}"'] if value else []
        create_folder(os.path.dirname(path) or ".")
        with open(beside, "w", encoding="utf-8") as file:
            file.write("".join(f"{line}\n" for line in kept))
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
        sync_folder_of(path)
    except OSError as fault:
        raise BadData(f"{path} cannot be written: {fault.strerror}", cure="COMPANION_CONFIG names another file") from None
    finally:
        with suppress(OSError):
            os.unlink(beside)


def _read_lines(path: str) -> list[str]:
    """Return the lines of the file."""
    try:
        return _read_text(path).splitlines()
    except FileNotFoundError:
        return []
    except UnicodeDecodeError:
        raise BadData(f"{path} is not a text in UTF-8", cure="Move it away; a new one is made") from None


def _is_setting(line: str, key: str) -> bool:
    """True if a line sets a key, validly or not."""
    said, equals, _ = line.partition("=")
    return bool(equals) and said.strip().strip("\"'").casefold() == key

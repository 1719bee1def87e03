"""What a player wants in every game: a file of ``key = "value"`` lines, which is TOML but read without loading anything.

Annotations are evaluated here: a NamedTuple compiles each that is text, and a status on a terminal would pay for that.
"""

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
    """Something that a player can want otherwise: its key, what it changes, and its values, the usual one first."""

    key: str
    title: str
    values: tuple[str, ...]


SETTINGS: Mapping[str, Setting] = {
    one.key: one
    for one in (
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
    """The settings of a player.

    Attributes:
        chosen: what the file says, by key; what it says wrongly is left out.
        fault: the first thing that is wrong with the file, with the cure, in one line; "" for nothing.
    """

    chosen: Mapping[str, str] = {}
    fault: str = ""

    def value(self, key: str) -> str:
        """What is chosen, or what is usual."""
        return self.chosen.get(key) or SETTINGS[key].values[0]


def read_config(path: str) -> Config:
    """The settings of the player; the usual ones where there is no file. Nothing in the file is a reason to stop."""
    try:
        text = _text(path)
    except FileNotFoundError:
        return Config()
    except (OSError, UnicodeDecodeError, files.FileTooLarge) as fault:
        why = fault if isinstance(fault, files.FileTooLarge) else getattr(fault, "strerror", None) or "no text in UTF-8"
        return Config({}, f"{path} cannot be read: {why}. The usual settings hold")
    chosen: dict[str, str] = {}
    wrong = ""
    for number, line in enumerate(text.splitlines(), 1):
        try:
            chosen.update(_pair(line))
        except CompanionError as fault:
            wrong = wrong or f"{path} line {number}: {fault.message}. {fault.cure}"
    return Config(chosen, wrong)


def _text(path: str) -> str:
    """Raises FileNotFoundError, OSError, UnicodeDecodeError."""
    return files.read_bounded(path, limits.CONFIG).decode("utf-8-sig")


def _pair(line: str) -> dict[str, str]:
    """The setting on a line; none on a blank line or a comment. Raises Unreadable: it is none."""
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
    """A setting and its value, each by unique prefix.

    Raises:
        Unreadable: there is no such setting or value.
        Ambiguous: several fit.
    """
    setting = SETTINGS[pick_name(key, tuple(SETTINGS), "setting")]
    return setting.key, pick_name(value, setting.values, setting.key)


def write_config(path: str, key: str, value: str) -> None:
    """Set one setting in the file, made where there is none; "" takes it out. Comments and whatever else stands there stay.

    Raises:
        BadData: it cannot be written.
    """
    beside = f"{path}.part{os.getpid()}"
    try:
        lines = _lines(path)
        kept = [line for line in lines if not _sets(line, key)]
        place = next((number for number, line in enumerate(lines) if _sets(line, key)), len(kept))
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


def _lines(path: str) -> list[str]:
    """The lines of the file. Raises BadData: it is none of text."""
    try:
        return _text(path).splitlines()
    except FileNotFoundError:
        return []
    except UnicodeDecodeError:
        raise BadData(f"{path} is not a text in UTF-8", cure="Move it away; a new one is made") from None


def _sets(line: str, key: str) -> bool:
    """Whether a line sets a key, rightly or wrongly."""
    said, equals, _ = line.partition("=")
    return bool(equals) and said.strip().strip("\"'").casefold() == key

"""Makes the man page from the table of commands: ``python -m tests.support.manual --write`` writes it."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from companion import __version__
from companion.cli.shell.catalog import COMMANDS, COMMON, GROUPS, Command
from companion.session.state import load_game
from tests.support.command_texts import command_text, own_options, words_of

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "completions" / "companion.1"

COMMON_HELP = {
    "--session": "Play or show this session, by unique prefix, instead of the one in use.",
    "--db": "Use this archive instead of COMPANION_DB or the usual place.",
    "--json": "Print one JSON document instead of text.",
}
LOOKS_HELP = {
    ("--theme", "THEME"): "Colours: auto, dark, light, mono or colour-blind.",
    ("--plain", ""): "Print no colours and redraw nothing.",
    ("--help", ""): "Show the usage of a command, or the list of all commands, and exit.",
    ("--version", ""): "Show the version and exit.",
}
EXIT_STATUS = {
    "0": "Done.",
    "1": "Refused by the rules, or the session has moved on.",
    "2": "Unreadable or misused.",
    "3": "A question is open; everything up to it is saved.",
    "4": "A file cannot be used: tables, printed facts, the archive, a bundle.",
    "70": "A fault in Companion itself.",
    "74": "The output could not be written; the command was carried out.",
    "130": "Ctrl-C.",
}
ENVIRONMENT = {
    "COMPANION_DB": "The archive, in place of the usual one.",
    "COMPANION_CONFIG": "The file of settings.",
    "COMPANION_GAMES": "The folder of your own games; none: load no games but those of Companion.",
    "COMPANION_TABLES": "The folder of the data files of the games.",
    "COMPANION_CACHE": "The folder of the cache, which can be deleted at any time.",
    "COMPANION_DEBUG": "If it is set, a fault in Companion shows where it happened.",
    "NO_COLOR": "If it is set, print no colours.",
    "COLORFGBG": "The colours of the terminal, by which the theme auto chooses dark or light.",
    "TERM": "dumb: as with --plain.",
    "VISUAL, EDITOR": "The editor of companion map GAME edit.",
    "XDG_DATA_HOME, XDG_CONFIG_HOME, XDG_CACHE_HOME": "The folders below which the files are that are listed next.",
}
FILES = {
    "~/.local/share/companion/companion.sqlite3": "The archive: all sessions, and the values that you copied from your sets.",
    "~/.local/share/companion/companion-practice.sqlite3": "The archive of practice games.",
    "~/.config/companion/config.toml": "The settings of companion config.",
    "~/.config/companion/games/": "Your own games.",
    "~/.cache/companion/": "The cache.",
}
EXAMPLES = {
    "Play a first battle without the published game, with made-up components": "companion practice fallujah2004",
    "Start a session with your own set, and play it": "companion new lzalbany --name albany\ncompanion",
    "Answer the open question with dice that you rolled": "companion answer --dice 3,5,2",
    "Take back the last two actions, and see what to put back on the board": "companion undo 2",
    "Play 200 whole games and keep a row of each": "companion simulate fallujahcards --games 200 --out games.csv",
}


def escaped(text: str) -> str:
    """Text in which roff sees no commands of its own."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    text = text.replace("^", "\\(ha").replace("~", "\\(ti")
    return f"\\&{text}" if text.startswith(".") else text


def filled(text: str) -> Iterator[str]:
    """A paragraph in lines of readable length."""
    lines = textwrap.wrap(text, 78, break_long_words=False, break_on_hyphens=False)
    return map(escaped, lines)


def usage(name: str, words: str) -> str:
    """A name as it is typed, in bold, and what stands for its words or its value, in italics."""
    parts = [f"\\fB{escaped(name)}\\fR" if name else "", f"\\fI{escaped(words)}\\fR" if words else ""]
    return " ".join(filter(None, parts))


def described(tag: str, *texts: str) -> Iterator[str]:
    """A tagged paragraph, and further paragraphs below the same tag."""
    yield ".TP"
    yield tag
    for index, text in enumerate(texts):
        if index:
            yield ".IP"
        yield from filled(text)


def command_lines(command: Command) -> Iterator[str]:
    """A command: usage, description, words, options, example."""
    text = command_text(command)
    common = [option for option in COMMON if option in command.options]
    yield from described(usage(command.name, words_of(command)), *text.paragraphs)
    yield ".RS"
    for word in command.words:
        yield from described(usage("", word.metavar), word.help)
    for option in own_options(command):
        parameter = command.options[option]
        yield from described(usage(option, parameter.metavar), parameter.help)
    if common:
        yield ".PP"
        yield from filled(f"Also: {', '.join(common)}.")
    yield from example_lines(text.example)
    yield ".RE"


def example_lines(example: str) -> Iterator[str]:
    """Command lines as they are typed."""
    yield from (".PP", ".RS 2", ".EX")
    yield from map(escaped, example.split("\n"))
    yield from (".EE", ".RE")


def date_of_release() -> str:
    """The date of the latest release in the changelog."""
    dates = re.findall(r"^## \[[\d.]+\] - (\d{4}-\d\d-\d\d)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    return str(dates[0])


def lines() -> Iterator[str]:
    """The page."""
    yield '.\\" Made by python -m tests.support.manual --write, from companion/cli/shell/catalog.py'
    yield f'.TH COMPANION 1 {date_of_release()} "Companion {__version__}" "User Commands"'
    yield ".SH NAME"
    yield "companion \\- referee and bookkeeper for tabletop wargames"
    yield ".SH SYNOPSIS"
    yield ".B companion"
    yield ".br"
    yield usage("companion", "COMMAND [WORDS]... [OPTIONS]...")
    yield ".SH DESCRIPTION"
    yield from filled(
        "Companion is a referee and bookkeeper for the command line, beside the wargame on your table. It follows the sequence "
        "of play, keeps tracks, cups and boxes, reads the charts, rolls the dice or takes the dice that you rolled, resolves "
        "combat, plays the other side, and prints the rule behind every line."
    )
    yield ".PP"
    yield from filled(
        "Without a command it resumes the last session on a terminal, or prints its status. Commands, games, sessions, actions "
        "and answers can be shortened to a unique prefix."
    )
    yield ".PP"
    yield "The games:"
    for folder in sorted(path for path in (ROOT / "tables").iterdir() if path.is_dir()):
        yield from described(usage(folder.name, ""), load_game(folder.name).title)
    yield ".SH COMMANDS"
    for group in GROUPS:
        yield f".SS {escaped(group.title)}"
        for command in group.commands:
            yield from command_lines(command)
    yield ".SH OPTIONS"
    yield "Most commands take:"
    for option, text in COMMON_HELP.items():
        metavar = next(command.options[option].metavar for command in COMMANDS.values() if option in command.options)
        yield from described(usage(option, metavar), text)
    yield ".PP"
    yield "Every command takes:"
    for (option, metavar), text in LOOKS_HELP.items():
        yield from described(usage(option, metavar), text)
    for title, rows in (("EXIT STATUS", EXIT_STATUS), ("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES)):
        yield f".SH {title}"
        if title == "FILES":
            yield from filled("On Linux; companion doctor prints the path of the archive, companion config that of the settings.")
        for name, text in rows.items():
            yield from described(usage("", name) if title == "FILES" else usage(name, ""), text)
    yield ".SH EXAMPLES"
    for index, (title, example) in enumerate(EXAMPLES.items()):
        if index:
            yield ".PP"
        yield from filled(f"{title}:")
        yield from example_lines(example)
    yield ".SH SEE ALSO"
    yield from filled("companion help lists the pages of help: games, the table, corrections, programs, authors of games.")
    yield ".PP"
    yield ".BR sqlite3 (1)"


def text() -> str:
    """The whole file."""
    return "\n".join(lines()) + "\n"


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(text(), encoding="utf-8")
    else:
        sys.stdout.write(text())

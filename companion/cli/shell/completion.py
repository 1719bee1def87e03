"""TAB completion in a shell: fixed words from the table of commands, the rest from the archive and the games, without Typer.

A shell calls `companion --complete SHELL WORD...` with the words after the program's name; the last word is the one being
typed and may be empty. Bash passes the line up to the cursor instead, because it splits words at `=` and `:`. The answer is
one completion a line, optionally with a tab and a description, or `:files:` where a file name is expected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from companion.cli.shell.catalog import COMMANDS, COMMON, FILES, FLAGS, LOOKS, THEMES


class Completion:
    """A word that can be inserted, and a short description."""

    __slots__ = ("help", "word")

    def __init__(self, word: str, help: str = "") -> None:
        self.word, self.help = word, help


class PartialLine:
    """A command line that is being typed.

    Attributes:
        command: The command.
        words: The words after it that are not options, without the one being typed.
        options: The values of options by name; `?` names an option whose value is being typed.
        current: The word being typed.
    """

    __slots__ = ("command", "current", "options", "words")

    def __init__(self, command: str, words: tuple[str, ...], options: dict[str, str], current: str) -> None:
        self.command = command
        self.words = words
        self.options = options
        self.current = current


Lookup = Callable[[str, PartialLine], Iterable[Completion]]
"""Completions of a kind that depend on the archive or a game."""

SHELL_FILES = ":files:"
"""The answer that tells the shell to complete file names."""
_BASH_BREAKS = "=:"
_REDIRECTIONS = (">", ">>", "<", "2>", "&>")


def complete(request: Sequence[str], lookup: Lookup) -> list[str]:
    """Return the lines that answer a shell.

    Args:
        request: The shell, then the words; for bash the line up to the cursor.
        lookup: Called only for what the table of commands does not hold.
    """
    shell, words = (request[0], list(request[1:])) if request else ("", [])
    cut, quoted = 0, False
    if shell == "bash":
        parts, cut, quoted = split_bash(words[0] if words else "")
        words = parts[1:]
    line = parse(words or [""])
    if words[-2:-1] and words[-2] in _REDIRECTIONS:
        return [SHELL_FILES]
    start = line.current.casefold()
    items = [item for item in completions(line, lookup) if item.word == SHELL_FILES or item.word.casefold().startswith(start)]
    if shell == "bash" and [item.word for item in items] != [SHELL_FILES]:
        return [(item.word[cut:] if quoted else escaped(item.word[cut:])) for item in items]
    return [f"{item.word}\t{item.help}" if item.help else item.word for item in items]


def escaped(word: str) -> str:
    """Escape a word for a shell."""
    return "".join(f"\\{char}" if char in " \t\"'\\$`()<>|&;#*?[]{}!~" else char for char in word)


def split_bash(line: str) -> tuple[list[str], int, bool]:
    """Split a line as bash does.

    Returns:
        The words, the index in the last word from which bash replaces it (after a quote, or after `=` and `:` outside of
        one), and whether the last word is inside an open quote.
    """
    words, word, quote, begun = [], "", "", False
    skip, cut = False, 0
    for char in line:
        if skip:
            word, skip = word + char, False
        elif char == "\\" and quote != "'":
            skip = begun = True
        elif quote:
            quote, word, cut = ("", word, len(word)) if char == quote else (quote, word + char, cut)
        elif char in "\"'":
            quote, begun, cut = char, True, len(word)
        elif char.isspace():
            if word or begun:
                words.append(word)
            word, begun, cut = "", False, 0
        else:
            word += char
            cut = len(word) if char in _BASH_BREAKS else cut
    return [*words, word], cut, bool(quote)


def parse(words: Sequence[str]) -> PartialLine:
    """Split the words of a line into command, words and options."""
    command = ""
    plain: list[str] = []
    options: dict[str, str] = {}
    waiting = ""
    for word in words[:-1]:
        if waiting:
            options[waiting], waiting = word, ""
        elif word.startswith("--") and "=" in word:
            name, _, value = word.partition("=")
            options[name] = value
        elif word.startswith("--"):
            waiting = "" if word in FLAGS else word
        elif not command:
            command = _full_name(word)
        else:
            plain.append(word)
    if waiting:
        options["?"] = waiting
    return PartialLine(command, tuple(plain), options, words[-1])


def _full_name(command: str) -> str:
    """The command with this unique prefix; the text itself if there is none."""
    matching_names = [name for name in COMMANDS if name.startswith(command)]
    return matching_names[0] if command not in COMMANDS and len(matching_names) == 1 else command


def completions(line: PartialLine, lookup: Lookup) -> Iterable[Completion]:
    """Everything that can be typed at the cursor."""
    waiting = line.options.get("?", "")
    if waiting:
        return _option_values(waiting, line, lookup)
    command = COMMANDS.get(line.command)
    name, equals, value = line.current.partition("=")
    if equals and name.startswith("--"):
        inner = PartialLine(line.command, line.words, {**line.options, "?": name}, value)
        return [
            item if item.word == SHELL_FILES else Completion(f"{name}={item.word}", item.help)
            for item in _option_values(name, inner, lookup)
        ]
    if line.current.startswith("-"):
        return [Completion(name) for name in (*(command.options if command else (*COMMON, "--version")), *LOOKS, "--help")]
    if not line.command:
        return [Completion(name, command.help) for name, command in COMMANDS.items()]
    kinds = command.completes if command else []
    if not command or not kinds:
        return []
    index = len(line.words)
    kind = kinds[min(index, len(kinds) - 1)]
    if index >= len(kinds) and not kind.endswith("*"):
        return []
    if index < len(command.words) and command.words[index].values:
        return [Completion(word) for word in command.words[index].values]
    return _of_kind(kind.rstrip("*"), line, lookup)


def _option_values(option: str, line: PartialLine, lookup: Lookup) -> Iterable[Completion]:
    if option == "--theme":
        return [Completion(word) for word in THEMES]
    # a common option may stand before the command
    command = COMMANDS.get(line.command) or (COMMANDS["status"] if option in COMMON else None)
    parameter = command.options.get(option) if command else None
    if parameter is None:
        return []
    if parameter.values:
        return [Completion(word) for word in parameter.values]
    return [item for kind in parameter.completes for item in _of_kind(kind, line, lookup)]


def _of_kind(kind: str, line: PartialLine, lookup: Lookup) -> Iterable[Completion]:
    if kind == "game":
        from companion.games import GAMES
        from companion.session.plugins import find_plugins

        return [Completion(name) for name in (*GAMES, *find_plugins().games)]
    if kind == FILES:
        return [Completion(SHELL_FILES)]
    return lookup(kind, line)

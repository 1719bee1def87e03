"""What TAB offers in a shell. Static words come from data; the rest from the archive, without Typer.

The request is ``companion --complete SHELL WORD...`` with the words after the program's name, the last of them the one
being typed (maybe empty); for bash it is the line up to the cursor, since bash cuts words at ``=`` and ``:``. The
answer is one candidate a line, with a tab and a few words on it where there are any; or ``:files:``, where a file is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from companion.cli.shell.catalog import COMMANDS, COMMON, FLAGS, LOOKS, VALUES


class Offer:
    """A candidate, and a few words on it."""

    __slots__ = ("help", "word")

    def __init__(self, word: str, help: str = "") -> None:
        self.word = word
        self.help = help


class Typed:
    """A command line so far.

    Attributes:
        command: its command.
        words: the words after it that are no options, without the one being typed.
        options: the options with a value, by name.
        current: the word being typed.
    """

    __slots__ = ("command", "current", "options", "words")

    def __init__(self, command: str, words: tuple[str, ...], options: dict[str, str], current: str) -> None:
        self.command = command
        self.words = words
        self.options = options
        self.current = current


Found = Callable[[str, Typed], Iterable[Offer]]
"""What a word of a kind can be, as the archive and the games know it."""

_BREAKS = "=:"
FILES = ":files:"
"""The candidate that stands for the files of the machine, which a shell knows better."""
_INTO = (">", ">>", "<", "2>", "&>")
"""What stands before a file on a shell's line."""


def complete(request: Sequence[str], found: Found) -> list[str]:
    """The candidates for a request, one a line.

    Args:
        request: the shell, and the words or for bash the line up to the cursor.
        found: asked only for what is not in the catalog.
    """
    shell, words = (request[0], list(request[1:])) if request else ("", [])
    cut, quoted = 0, False
    if shell == "bash":
        parts, cut, quoted = tokens(words[0] if words else "")
        words = parts[1:]
    typed = parse(words or [""])
    if words[-2:-1] and words[-2] in _INTO:
        return [FILES]
    offers = [offer for offer in candidates(typed, found) if offer.word == FILES or _fits(typed.current, offer.word)]
    if shell == "bash" and [offer.word for offer in offers] != [FILES]:
        return [(offer.word[cut:] if quoted else escaped(offer.word[cut:])) for offer in offers]
    return [f"{offer.word}\t{offer.help}" if offer.help else offer.word for offer in offers]


def _fits(typed: str, word: str) -> bool:
    return word.casefold().startswith(typed.casefold())


def escaped(word: str) -> str:
    """A word as it must stand on a shell's line."""
    return "".join(f"\\{char}" if char in " \t\"'\\$`()<>|&;#*?[]{}!~" else char for char in word)


def tokens(line: str) -> tuple[list[str], int, bool]:
    """The words of a line as a shell sees them; from which letter on bash replaces the last one; and whether that stands in an
    open quote. Bash begins a word anew behind a quote, and behind ``=`` and ``:`` outside of one.
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
            cut = len(word) if char in _BREAKS else cut
    return [*words, word], cut, bool(quote)


def parse(words: Sequence[str]) -> Typed:
    """A command line by its parts; an option that still lacks its value is named ``?``."""
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
            waiting = "" if word in FLAGS or word == LOOKS[1] else word
        elif not command:
            command = _whole(word)
        else:
            plain.append(word)
    if waiting:
        options["?"] = waiting
    return Typed(command, tuple(plain), options, words[-1])


def _whole(command: str) -> str:
    """A command by its unique prefix; as it was typed where there is no such command."""
    found = [name for name in COMMANDS if name.startswith(command)]
    return found[0] if command not in COMMANDS and len(found) == 1 else command


def candidates(typed: Typed, found: Found) -> Iterable[Offer]:
    """Everything that may stand where the cursor is."""
    waiting = typed.options.get("?", "")
    if waiting:
        return _values(waiting, typed, found)
    entry = COMMANDS.get(typed.command)
    name, equals, _ = typed.current.partition("=")
    if equals and name.startswith("--"):
        return _joined(name, typed, found)
    if typed.current.startswith("-"):
        return [Offer(name) for name in (*(entry.options if entry else (*COMMON, "--version")), *LOOKS, "--help")]
    if not typed.command:
        return [Offer(name, command.help) for name, command in COMMANDS.items()]
    if entry is None or not entry.takes:
        return []
    place = len(typed.words)
    kind = entry.takes[min(place, len(entry.takes) - 1)]
    if place >= len(entry.takes) and not kind.endswith("*"):
        return []
    return _words(kind.rstrip("*"), typed, found)


def _joined(option: str, typed: Typed, found: Found) -> Iterable[Offer]:
    """What the value of an option may be that stands in one word with it; a file stays what it is."""
    value = typed.current.partition("=")[2]
    inner = Typed(typed.command, typed.words, {**typed.options, "?": option}, value)
    offers = _values(option, inner, found)
    return [offer if offer.word == FILES else Offer(f"{option}={offer.word}", offer.help) for offer in offers]


def _values(option: str, typed: Typed, found: Found) -> Iterable[Offer]:
    """What the value of an option may be."""
    words = VALUES.get(f"{typed.command} {option}", VALUES.get(option, ()))
    if words and not (option == "--dice" and typed.command != "new"):
        return [Offer(word) for word in words]
    if option in ("--session", "--game"):
        return _words("session" if option == "--session" else "game", typed, found)
    if option in ("--db", "--out", "--repair"):
        return [Offer(FILES)]
    return _words(option, typed, found) if option in ("--scenario", "--option", "--policy", "--draw", "--on", "--to") else []


def _words(kind: str, typed: Typed, found: Found) -> Iterable[Offer]:
    if kind == "game":
        from companion.games import GAMES
        from companion.session.plugins import find_plugins as found_outside

        return [Offer(name) for name in (*GAMES, *found_outside().games)]
    if kind == "file":
        return [Offer(FILES)]
    if kind in VALUES:
        return [Offer(word) for word in VALUES[kind]]
    return found(kind, typed)

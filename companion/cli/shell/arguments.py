"""Parse words of a command line: answers by key, dice, pairs, numbers, amendments."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.cli.shell.catalog import COMMON, FLAGS, Command
from companion.cli.shell.output import on_terminal
from companion.cli.shell.process import PROCESS
from companion.core.dice import parse_faces
from companion.core.errors import Unreadable
from companion.core.resolver import Answers
from companion.core.text import clean
from companion.core.values import JsonDict

Words = Sequence[str]
"""The words of a parameter that can be given several times."""


class Runner(NamedTuple):
    """The application, as a server uses it: calls a command with its arguments, or parses and runs a command line."""

    call: Callable[[Command, JsonDict], int]
    run_words: Callable[[Sequence[str]], int]


def common_options_last(args: Sequence[str]) -> list[str]:
    """Move common options before the command behind it; without a command, add the default one."""
    front: list[str] = []
    rest = list(args)
    while rest and rest[0].partition("=")[0] in COMMON:
        count = 1 if "=" in rest[0] or rest[0] in FLAGS else 2
        front += rest[:count]
        rest = rest[count:]
    if not rest:
        rest = ["play"] if on_terminal() and "--json" not in front else ["status"]
        PROCESS.is_bare = rest == ["play"]
    return [rest[0], *front, *rest[1:]] if front else rest


def plain_words(words: Sequence[str]) -> list[str]:
    """Return the words, none of which may look like an option; negative numbers may.

    Raises Unreadable: a word looks like an option that the command does not have.
    """
    for word in words:
        if word.startswith("-") and len(word) > 1 and not word[1:2].isdigit():
            raise Unreadable(f"no such option: {clean(word.partition('=')[0])}", cure="Options stand in --help")
    return list(words)


def pairs(words: Sequence[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Split words into pairs at `=`, and words without one."""
    keyed: list[tuple[str, str]] = []
    others: list[str] = []
    for word in words:
        key, equals, value = word.partition("=")
        if equals and key:
            keyed.append((key, value))
        else:
            others.append(word)
    return keyed, others


def parse_answers(words: Sequence[str], dice: Sequence[str] = (), draw: Sequence[str] = (), accept: bool = False) -> Answers:
    """Collect the answers of a command line. Raises Unreadable: dice cannot be read, or a draw is empty."""
    keyed, others = pairs(plain_words(words))
    return Answers(keyed, _parse_dice(dice), _check_draws(draw), others, accept)


def _parse_dice(texts: Sequence[str]) -> list[int]:
    """All dice of the texts: `3,5,2`, `3 5 2` or, for single digits, `352`; one die of two digits: `12,`.

    Raises Unreadable: a text holds something else, or nothing.
    """
    return [face for text in texts for face in parse_faces(text)]


def _check_draws(names: Sequence[str]) -> Sequence[str]:
    if not all(map(str.strip, names)):
        raise Unreadable("--draw names no counter", cure="Leave it out, and Companion draws")
    return names


def parse_positive(text: str, what: str) -> int:
    """Read a whole number from 1. Raises Unreadable: it is not one."""
    if not text.isdecimal() or len(text) > 9 or int(text) < 1:
        raise Unreadable(f"'{clean(text)}' is no {what}", cure="Type a whole number from 1")
    return int(text)


def parse_jobs(text: str) -> int:
    """Read a number of processes; ``all``: one per core. Raises Unreadable."""
    from companion.session.worker_pool import MAX_JOBS, cores

    return cores() if text == "all" else parse_between(text, "number of jobs (or: all)", 1, MAX_JOBS)


def parse_between(text: str, what: str, low: int, high: int) -> int:
    """Read a whole number from `low` to `high`. Raises Unreadable: it is not one."""
    digits = text.replace(",", "").replace("_", "")
    if not digits.isdecimal() or len(digits) > 12 or not low <= int(digits) <= high:
        raise Unreadable(f"'{clean(text)}' is no {what}", cure=f"Give {low} to {high:,}")
    return int(digits)


def parse_action_number(text: str) -> int:
    """Read the number of an action, or of one of its answers as a review shows it: 12 or 12.3. Raises Unreadable."""
    action, _, answer = text.partition(".")
    return parse_positive(action if answer.isdecimal() else text, "entry")


def _parse_reply_number(text: str) -> tuple[int, int]:
    """Read `12.3`, the third reply of entry 12. Raises Unreadable: it has another form."""
    entry, dot, reply = text.partition(".")
    if not dot:
        raise Unreadable(f"'{clean(text)}' is not an answer of the log", cure="Type ACTION.ANSWER as the log shows it: 12.3")
    return parse_positive(entry, "entry"), parse_positive(reply, "answer")


def amendments(reply: str, text: str) -> list[tuple[tuple[int, int], str]]:
    """Return the replies to change and their values, the earliest first: `3.3` and `rocket, 3.4 mortars` are two.

    Raises Unreadable: a reply number has another form.
    """
    changes: list[tuple[tuple[int, int], list[str]]] = [(_parse_reply_number(reply), [])]
    for part in text.split(","):
        head, _, value = part.strip().partition(" ")
        if changes[0][1] and head.replace(".", "", 1).isdecimal() and "." in head and value:
            changes.append((_parse_reply_number(head), [value]))
        else:
            changes[-1][1].append(part)
    return sorted((number, ",".join(parts).strip()) for number, parts in changes)


def split(text: str) -> list[str]:
    """Split a text as a shell does; at blanks if a quote is left open."""
    lexer = shlex.shlex(text, posix=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    if os.name == "nt":
        lexer.escape = ""  # a backslash is part of a path
    try:
        return list(lexer)
    except ValueError:
        return text.split()


def parse_line(text: str) -> Answers:
    """Collect the answers of a line typed at the table: `3/1, 2 air; ford at=north base`.

    Semicolons separate the answers to questions in their order; words after a key are for that key, up to the next one.
    `--dice`, `--draw` and `--accept` are as in the shell.
    """
    answers = Answers(is_line=True)
    for part in text.split(";"):
        options, words = _take_options(split(part))
        answers.dice += _parse_dice(options["--dice"])
        answers.draws += _check_draws(options["--draw"])
        answers.accept |= "--accept" in split(part)
        plain: list[str] = []
        keyed: list[tuple[str, str]] = []
        for word in plain_words(words):
            key, equals, value = word.partition("=")
            if equals and key.replace("_", "").replace(":", "").replace("-", "").replace(" ", "").isalnum():
                keyed.append((key, value))
            elif keyed:
                keyed[-1] = (keyed[-1][0], f"{keyed[-1][1]} {word}".strip())
            else:
                plain.append(word)
        answers.plain += [" ".join(plain)] if plain else []
        answers.keyed += keyed
    return answers


def _take_options(words: Sequence[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Split off the options; return the values of those that have one, and the other words."""
    options: dict[str, list[str]] = {"--dice": [], "--draw": []}
    rest: list[str] = []
    remaining = iter(words)
    for word in remaining:
        name, equals, value = word.partition("=")
        if name in options:
            options[name].append(value if equals else next(remaining, ""))
        elif word != "--accept":
            rest.append(word)
    return options, rest

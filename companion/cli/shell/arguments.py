"""Words of a command line: answers by key, dice, pairs, numbers that may be negative."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from companion.core.dice import parse_faces
from companion.core.errors import Unreadable
from companion.core.text import clean
from companion.session.controller import Answers


def plain_words(words: Sequence[str] | None) -> list[str]:
    """The words, none of which may look like an option; a negative number may.

    Raises:
        Unreadable: one looks like an option that the command does not have.
    """
    for word in words or ():
        if word.startswith("-") and len(word) > 1 and not word[1:2].isdigit():
            raise Unreadable(f"no such option: {clean(word.partition('=')[0])}", cure="Options stand in --help")
    return list(words or ())


def pairs(words: Sequence[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Words with ``=`` as pairs, and the others."""
    keyed: list[tuple[str, str]] = []
    others: list[str] = []
    for word in words:
        key, equals, value = word.partition("=")
        if equals and key:
            keyed.append((key, value))
        else:
            others.append(word)
    return keyed, others


def dice_list(texts: Sequence[str]) -> list[int]:
    """The dice of each text, one after the other: ``3,5,2``, ``3 5 2`` or, of single digits, ``352``; a lone die of two digits
    has a comma behind it: ``12,``.

    Raises:
        Unreadable: one holds something else, or nothing.
    """
    return [face for text in texts for face in parse_faces(text)]


def answers(
    words: Sequence[str] | None, dice: Sequence[str] | None = None, draw: Sequence[str] | None = None, accept: bool = False
) -> Answers:
    """Everything that a command line brings to answer with.

    Raises:
        Unreadable: the dice are none, or a draw is empty.
    """
    keyed, others = pairs(plain_words(words))
    return Answers(keyed, dice_list(dice or ()), _draws(draw or ()), others, accept)


def _draws(names: Sequence[str]) -> Sequence[str]:
    """The names that were drawn. Raises Unreadable: one is empty."""
    if not all(map(str.strip, names)):
        raise Unreadable("--draw names no counter", cure="Leave it out, and Companion draws")
    return names


def whole(text: str, what: str) -> int:
    """A whole number from 1. Raises Unreadable: it is none."""
    if not text.isdecimal() or len(text) > 9 or int(text) < 1:
        raise Unreadable(f"'{clean(text)}' is no {what}", cure="Type a whole number from 1")
    return int(text)


def between(text: str, what: str, low: int, high: int) -> int:
    """A whole number between two others, which are included. Raises Unreadable: it is none."""
    plain = text.replace(",", "").replace("_", "")
    if not plain.isdecimal() or len(plain) > 12 or not low <= int(plain) <= high:
        raise Unreadable(f"'{clean(text)}' is no {what}", cure=f"Give {low} to {high:,}")
    return int(plain)


def reply_number(text: str) -> tuple[int, int]:
    """``12.3``: the third reply of entry 12. Raises Unreadable: it is not of that form."""
    entry, dot, reply = text.partition(".")
    if not dot:
        raise Unreadable(f"'{clean(text)}' is not an answer of the log", cure="Type ACTION.ANSWER as the log shows it: 12.3")
    return whole(entry, "entry"), whole(reply, "answer")


def amendments(reply: str, text: str) -> list[tuple[tuple[int, int], str]]:
    """What is to be changed, the earliest first: ``3.3`` and ``rocket, 3.4 mortars`` change two replies.

    Raises:
        Unreadable: a number is not of that form.
    """
    changes: list[tuple[tuple[int, int], list[str]]] = [(reply_number(reply), [])]
    for part in text.split(","):
        head, _, value = part.strip().partition(" ")
        if changes[0][1] and head.replace(".", "", 1).isdecimal() and "." in head and value:
            changes.append((reply_number(head), [value]))
        else:
            changes[-1][1].append(part)
    return sorted((at, ",".join(parts).strip()) for at, parts in changes)


def split(text: str) -> list[str]:
    """Words with quotes as in a shell; with an open quote, at the blanks."""
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def spoken(words: Sequence[str]) -> Answers:
    """Answers as they are spoken, without quotes: what stands before the first key is for the questions in their order, what
    stands behind a key is for that one; each question takes as many words as it understands: ``3/1, 2 air at=north base``.
    ``--dice``, ``--draw`` and ``--accept`` are those of the shell.
    """
    given, rest = _options(words)
    plain: list[str] = []
    keyed: list[tuple[str, str]] = []
    for word in plain_words(rest):
        key, equals, value = word.partition("=")
        if equals and key.replace("_", "").replace(":", "").replace("-", "").replace(" ", "").isalnum():
            keyed.append((key, value))
        elif keyed:
            keyed[-1] = (keyed[-1][0], f"{keyed[-1][1]} {word}".strip())
        else:
            plain.append(word)
    return Answers(keyed, dice_list(given["--dice"]), _draws(given["--draw"]), plain, "--accept" in words, spoken=True)


def _options(words: Sequence[str]) -> tuple[dict[str, list[str]], list[str]]:
    """The options with a value among spoken words, and the words without any option."""
    given: dict[str, list[str]] = {"--dice": [], "--draw": []}
    rest: list[str] = []
    left = iter(words)
    for word in left:
        name, equals, value = word.partition("=")
        if name in given:
            given[name].append(value if equals else next(left, ""))
        elif word != "--accept":
            rest.append(word)
    return given, rest

"""Markdown of ``companion help`` and the README as the site needs it: links to pages, file names over code blocks."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection

from companion.cli.shell.catalog import COMMANDS

_FENCED = re.compile(r"(^```.*?^```$)", re.M | re.S)
_NAMED_BLOCK = re.compile(r"^```(\w+) (\S+)$", re.M)
_COMMENT = re.compile(r"^<!--.*?-->\n", re.M)
_CODE = re.compile(r"`[^`]+`")
_COMMAND = re.compile(r"(?<![`\[])`companion ([a-z]+)((?: [^`]*)?)`(?!`)")


def for_the_site(text: str, page: str, pages: Collection[str]) -> str:
    """Return a page with links to the other pages.

    Args:
        text: The page.
        page: Its path below the folder of pages.
        pages: The paths of all pages.
    """
    linked: set[str] = set()
    parts = _FENCED.split(text)
    return "".join(
        _NAMED_BLOCK.sub(r'```\1 title="\2"', part)
        if part.startswith("```")
        else _linked(_COMMENT.sub("", part), page, pages, linked)
        for part in parts
    )


def _linked(text: str, page: str, pages: Collection[str], linked: set[str]) -> str:
    """Text with a link at each page of help that it names, and at the first mention of each command."""

    def link(match: re.Match[str]) -> str:
        name, words = match[1], match[2].split()
        topic = f"{words[0]}.md" if name == "help" and words else ""
        target = topic if topic in pages else f"commands/{name}.md" if name in COMMANDS and name not in linked else ""
        if not target or target == page:
            return match[0]
        if target != topic:
            linked.add(name)
        return f"[{match[0]}]({posixpath.relpath(target, posixpath.dirname(page) or '.')})"

    lines = [line if line.startswith("#") else _COMMAND.sub(link, line) for line in text.split("\n")]
    # a bar in code needs an escape in the tables of GitHub and of the terminal, and none in those of the site
    return "\n".join(
        _CODE.sub(lambda span: span[0].replace(r"\|", "|"), line) if line.startswith("|") else line for line in lines
    )

"""The pages of ``companion help``: Markdown files that come with the package."""

from __future__ import annotations

import os
from collections.abc import Mapping

HELP_FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs")
_END = ".md"


def help_topics() -> Mapping[str, str]:
    """Every page by its topic, in order, with its heading."""
    names = sorted(name.removesuffix(_END) for name in os.listdir(HELP_FOLDER) if name.endswith(_END))
    return {name: _heading(name) for name in names}


def help_page(topic: str) -> str:
    """The text of a page, as Markdown."""
    with open(os.path.join(HELP_FOLDER, topic + _END), encoding="utf-8") as file:
        return file.read()


def _heading(topic: str) -> str:
    with open(os.path.join(HELP_FOLDER, topic + _END), encoding="utf-8") as file:
        return file.readline().lstrip("# ").strip()

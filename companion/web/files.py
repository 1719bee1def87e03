"""The files of the page, read once: nothing else can be asked for."""

from __future__ import annotations

import os
from typing import NamedTuple

_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
_FOLDER = os.path.join(os.path.dirname(__file__), "static")


class StaticFile(NamedTuple):
    """A file of the page."""

    content: bytes
    media_type: str


def _read() -> dict[str, StaticFile]:
    files = {}
    for name in sorted(os.listdir(_FOLDER)) if os.path.isdir(_FOLDER) else ():
        media_type = _TYPES.get(os.path.splitext(name)[1])
        if media_type:
            with open(os.path.join(_FOLDER, name), "rb") as file:
                files[name] = StaticFile(file.read(), media_type)
    return files


STATIC = _read()
"""By name."""
INDEX = STATIC.pop("index.html", StaticFile(b"<!doctype html><title>Companion</title>", "text/html")).content
"""The page."""

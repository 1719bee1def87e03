"""The files of the page, read once: nothing else can be asked for."""

from __future__ import annotations

import os
from typing import NamedTuple

from companion.session.shipped import is_folder, names_in, read_bytes, shipped_path

_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}


class StaticFile(NamedTuple):
    """A file of the page."""

    content: bytes
    media_type: str


def _read() -> dict[str, StaticFile]:
    files, folder = {}, shipped_path("web", "static")
    for name in names_in(folder) if is_folder(folder) else ():
        media_type = _TYPES.get(os.path.splitext(name)[1])
        if media_type:
            files[name] = StaticFile(read_bytes(os.path.join(folder, name)), media_type)
    return files


STATIC = _read()
"""By name."""
INDEX = STATIC.pop("index.html", StaticFile(b"<!doctype html><title>Companion</title>", "text/html")).content
"""The page."""

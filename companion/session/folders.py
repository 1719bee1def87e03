"""Where Companion keeps its files: the archive and the cache of read tables.

The folders are those of platformdirs. On Linux, where its rule is two lines, the rule is followed here, because the
import alone costs a third of what a quick command may cost; a test compares the two.
"""

from __future__ import annotations

import os
import sys

_XDG = {"data": ("XDG_DATA_HOME", os.path.join(".local", "share")), "cache": ("XDG_CACHE_HOME", ".cache")}


def _linux(kind: str) -> str:
    variable, below_home = _XDG[kind]
    base = os.environ.get(variable, "").strip()
    return os.path.join(base if os.path.isabs(base) else os.path.join(os.path.expanduser("~"), below_home), "companion")


def data_folder() -> str:
    """The folder of the archive; it may not exist yet."""
    if sys.platform == "linux":
        return _linux("data")
    from platformdirs import user_data_dir

    return user_data_dir("companion", appauthor=False)


def cache_folder() -> str:
    """The folder of files that can be made again at any time. ``COMPANION_CACHE`` overrides it."""
    override = os.environ.get("COMPANION_CACHE", "")
    if override:
        return override
    if sys.platform == "linux":
        return _linux("cache")
    from platformdirs import user_cache_dir

    return user_cache_dir("companion", appauthor=False)

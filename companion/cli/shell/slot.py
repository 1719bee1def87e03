"""Where the keeper of this process is, if it has one: a quick command has none, and loads nothing of what keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.cli.shell.keeping import Keeper


class _Slot:
    keeper: Keeper | None = None


SLOT = _Slot()

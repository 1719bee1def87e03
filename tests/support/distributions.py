"""The distributions that Companion needs at run time, with those that they need."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement


def run_time_distributions(name: str = "tabletop-companion", extra: str = "") -> list[Distribution]:
    """Return a distribution and everything that it needs here, sorted by name."""
    found: dict[str, Distribution] = {}
    waiting = [(name, extra)]
    while waiting:
        name, extra = waiting.pop()
        if name.lower() in found and not extra:
            continue
        needed = distribution(name)
        found[name.lower()] = needed
        for line in needed.requires or ():
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                waiting += [(requirement.name, option) for option in requirement.extras or {""}]
    return [found[name] for name in sorted(found)]


def copy_pure(needed: Distribution, folder: Path) -> None:
    """Copy the files of a distribution but its compiled ones, as pip does with ``--target``."""
    for source, below in _pure_files(needed):
        target = folder / below
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def _pure_files(needed: Distribution) -> Iterator[tuple[Path, str]]:
    for file in needed.files or ():
        if not (file.parts[0] == ".." or file.suffix in (".so", ".pyd", ".pyc", ".pth")):
            yield Path(str(file.locate())), file.as_posix()

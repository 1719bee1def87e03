"""The files that ship with Companion: beside its modules, or in the zip file that it runs from.

A path into a zip file is written like any other: ``companion.pyz/companion/docs/table.md``.
"""

import os
import sys

TYPE_CHECKING = False  # `companion --help` reads a file by this module, and need not import companion.core.hints
if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""The path of the package."""

_ROOT: "list[Traversable]" = []
_IS_ZIPPED = not os.path.isdir(PACKAGE)


def is_frozen() -> bool:
    """True if this is an executable, which needs no installed Python."""
    return bool(getattr(sys, "frozen", False))


def shipped_path(*names: str) -> str:
    """Return the path of a file or folder below the package."""
    return os.path.join(PACKAGE, *names)


def is_zipped(path: str) -> bool:
    """True if a path leads into the zip file that Companion runs from."""
    return _IS_ZIPPED and _is_below(path)


def is_packed(path: str) -> bool:
    """True if a path leads into the zip file or the executable that Companion runs from, which never changes in part."""
    return (_IS_ZIPPED or is_frozen()) and _is_below(path)


def _is_below(path: str) -> bool:
    return (path + os.sep).startswith(PACKAGE + os.sep)


def read_bytes(path: str) -> bytes:
    """Return the content of a file. Raises OSError: it cannot be read."""
    if is_zipped(path):
        return _entry(path).read_bytes()
    with open(path, "rb") as file:
        return file.read()


def read_text(path: str) -> str:
    """Return the text of a file in UTF-8, with newlines as ends of its lines. Raises OSError: it cannot be read."""
    return read_bytes(path).decode().replace("\r\n", "\n")


def is_file(path: str) -> bool:
    """True if there is a file of that path."""
    return _entry(path).is_file() if is_zipped(path) else os.path.isfile(path)


def is_folder(path: str) -> bool:
    """True if there is a folder of that path."""
    return _entry(path).is_dir() if is_zipped(path) else os.path.isdir(path)


def names_in(folder: str) -> list[str]:
    """Return the names of the files and folders in a folder, sorted. Raises OSError: it cannot be read."""
    if is_zipped(folder):
        return sorted(item.name for item in _entry(folder).iterdir())
    return sorted(os.listdir(folder))


def lasting_path(path: str) -> str:
    """Return the absolute path of a file or folder; one in an executable, which may unpack itself anew at every start, as if
    the package were beside the executable.
    """
    if is_frozen() and _is_below(path):
        return os.path.dirname(os.path.abspath(sys.executable)) + path[len(os.path.dirname(PACKAGE)) :]
    return os.path.abspath(path)


def size_and_time(path: str) -> tuple[int, int]:
    """Return the size of a file, and its time in nanoseconds; for one that is packed, those of what it is packed in.

    Raises OSError: There is none.
    """
    if is_packed(path):
        path = sys.executable if is_frozen() else os.path.dirname(PACKAGE)
        while not os.path.exists(path):  # the package may be in a folder of the zip file
            path = os.path.dirname(path)
    state = os.stat(path)
    return state.st_size, state.st_mtime_ns


def _entry(path: str) -> "Traversable":
    if not _ROOT:
        from importlib.resources import files

        _ROOT.append(files("companion"))  # reads the list of contents of the zip file
    names = path[len(PACKAGE) :].split(os.sep)
    return _ROOT[0].joinpath(*[name for name in names if name])

"""Files that others may have written, read to a limit."""

import os
import stat


class FileTooLarge(ValueError):
    """More than the limit; the message says which."""


def read_bounded(path: str, most: int) -> bytes:
    """What is in a file.

    Raises:
        OSError: it cannot be read, or is none: a pipe with a name would be waited for without end.
        FileTooLarge: it is larger than ``most`` bytes.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(0, "no file with a content of its own")
    with open(path, "rb") as file:
        found = file.read(most + 1)
    if len(found) > most:
        raise FileTooLarge(f"larger than {most} bytes")
    return found

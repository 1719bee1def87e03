"""The labels from which chance is taken."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


@contextmanager
def written(labels: list[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every label from which chance is taken goes into a list while it lasts."""

    class Recorded(random.Random):
        def __init__(self, seed: Any = None) -> None:
            labels.append(str(seed))
            super().__init__(seed)

    def hashed(label: bytes, digest: Any = hashlib.blake2b) -> Any:
        labels.append(label.decode())
        return digest(label)

    with monkeypatch.context() as changed:
        changed.setattr(random, "Random", Recorded)
        changed.setattr(hashlib, "blake2b", hashed)
        yield

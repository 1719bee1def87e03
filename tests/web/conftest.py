"""Fixtures of the tests in a browser, which are skipped where there is no Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.phones import chromium


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("NO_PROXY", "127.0.0.1,localhost")
        try:
            opened = chromium()
            result = opened.__enter__()
        except LookupError as reason:
            pytest.skip(str(reason))
        yield result
        opened.__exit__(None, None, None)
